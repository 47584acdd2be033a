"""Messages in the shape of chat completions, and results that stand in plain text: what several formats share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts import blocks
from mcpcompact.transcripts.blocks import ROLES, literal, told
from mcpcompact.transcripts.builder import Builder, as_count, mapped, stated, text_of
from mcpcompact.transcripts.model import NOWHERE, Call, Message, Place, Usage

ANSWER = regex(
    r"\s*(?:\[mcpcompact\] |OBSERVATION:|Observation:|<returncode>|<tool_response>|<function_results?>|<observation>"
    r"|EXECUTION RESULT of \[(?P<tool>[^\]\n]{0,200})\])"
)
"""How a user's message begins that is a tool's answer, where no message has the role of a tool."""

FAILED = regex(r"\s*<returncode>\s*-?[1-9]")
FUNCTION = regex(r"<function=([^>\n]{1,200})>((?:(?!<function=).)*)", 16)  # DOTALL
PARAMETER = regex(r"<parameter=([^>\n]{1,200})>((?:(?!</parameter>|<parameter=|</function>).)*)", 16)
RESPONSE = regex(r"<tool_response>\s*((?:(?!</tool_response>).)*)", 16)
TAGGED = regex(r"<(tool_call|function_call|execute_bash|execute_ipython|execute_browse|execute)>((?:(?!</\1>).)*)", 16)
FENCED = regex(r"^[ \t]*```([^\n`]*)\n(.*?)^[ \t]*```", 24)  # MULTILINE, DOTALL


def role_of(message: dict[str, Any]) -> str:
    """The speaker: system, user, assistant, tool, call (a call as a message of its own); "" when unknown."""
    return ROLES.get(stated(message.get("role")).lower(), "")


def say(
    build: Builder, message: Any, at: Place = NOWHERE, *, answers: str = "marked", usage: Usage | None = None
) -> None:
    """Say one chat message, which stands at ``at``. ``answers`` is which user messages are a tool's answer:
    the "marked" ones (``ANSWER``), or "all" that follow an assistant's message."""
    if not isinstance(message, dict):
        build.skip(type(message).__name__)
        return
    build.here = at or build.here
    turn = told(message, at)
    if turn.role == "user" and not turn.answers:
        if (match := ANSWER.match(turn.text)) or (answers == "all" and build.speaking):
            answer(build, turn.text, turn.places, tool=(match and match["tool"]) or "", images=turn.images)
            return
    elif turn.role == "call":
        call(build, message.get("content"))
        return
    blocks.say(build, turn, usage=usage, kind=str(message.get("role")))
    if turn.role == "assistant" and not turn.calls:
        tagged(build, turn.text)


def answer(
    build: Builder, text: str, places: Sequence[Place], *, tool: str = "", images: int = 0, failed: bool = False
) -> None:
    """A tool's answer in plain text. The message before it is the call: what is quoted in it are the arguments."""
    asker, waiting = _asked(build)
    if asker is not None and not asker.calls:
        name, arguments = quoted(asker.text)
        waiting = [build.call("", tool or name, arguments, message=asker)]
    failed = failed or FAILED.match(text) is not None
    several = [part.rstrip() for part in RESPONSE.findall(text)]
    for part in several or [text]:
        call = waiting.pop(0) if waiting else Call("", tool)  # of no message, when nothing before it could have asked
        build.result("", part, places=[] if several else places, images=images, failed=failed, call=call)


def _asked(build: Builder) -> tuple[Message | None, list[Call]]:
    """The assistant's message that what comes next answers, and those of its calls that have no answer yet."""
    answered = set()
    for message in reversed(build.messages):
        if message.role == "assistant":
            return message, [call for call in message.calls if id(call) not in answered]
        if message.result is None:
            break
        answered.add(id(message.result.call))
    return None, []


def tagged(build: Builder, text: str) -> None:
    """The calls that an assistant's text holds as JSON between tags, one or several."""
    for match in TAGGED.finditer(text) if "_call>" in text else ():
        value = mapped(literal(match[2].strip()))
        if stated(value.get("name")):
            build.call(value.get("id"), value["name"], value.get("arguments", value.get("args")))


def call(build: Builder, content: Any) -> None:
    """A call that is a message of its own: an object, as JSON or as Python writes it."""
    value = literal(content) if isinstance(content, str) else content
    for item in value if isinstance(value, list) else [value]:
        build.call(*(blocks.called(item) if isinstance(item, dict) else ("", "", text_of(item)[0])))


def quoted(text: str) -> tuple[str, dict[str, Any]]:
    """The tool and the arguments of a call written in plain text: ``<function=…>``, a tag around JSON or code,
    the last code block; else the text itself as ``input``."""
    if matches := list(FUNCTION.finditer(text))[-1:]:
        return matches[0][1], {match[1]: match[2].strip("\n") for match in PARAMETER.finditer(matches[0][2])}
    if matches := list(TAGGED.finditer(text))[-1:]:
        tag, body = matches[0][1], matches[0][2].strip()
        value = mapped(literal(body)) if tag in ("tool_call", "function_call") else {}
        if value:
            arguments = value.get("arguments", value.get("args"))
            return stated(value.get("name")), arguments if isinstance(arguments, dict) else {"input": arguments}
        return tag, {"input": body}
    if matches := list(FENCED.finditer(text))[-1:]:
        language = matches[0][1].strip()
        shell = language in ("", "sh", "shell", "console") or "bash" in language
        return ("bash", {"command": matches[0][2]}) if shell else (language, {"code": matches[0][2]})
    return "", {"input": text}


def usage_of(value: Any) -> Usage | None:
    """The tokens of an OpenAI or litellm response; its prompt tokens include the cached and the written ones."""
    if not isinstance(value, dict):
        return None
    prompt = as_count(value.get("prompt_tokens", value.get("input_tokens")))
    details = mapped(value.get("prompt_tokens_details") or value.get("input_tokens_details"))
    cached = as_count(details.get("cached_tokens")) or as_count(value.get("cache_read_input_tokens"))
    written = as_count(details.get("cache_write_tokens")) or as_count(value.get("cache_creation_input_tokens"))
    output = as_count(value.get("completion_tokens", value.get("output_tokens")))
    return Usage(max(0, prompt - cached - written), cached, written, output) if prompt or output else None
