"""Messages of any provider, told apart by what they hold: for tools and traces that speak to several.

A message is an object with a speaker and a content: text, or blocks that are text, a call or a result. The tables name
the keys under which providers and frameworks keep each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder, dumped, text_of
from mcpcompact.transcripts.document import UNREADABLE, listed, mapped, parse, stated
from mcpcompact.transcripts.formats.gemini_api import answer_of
from mcpcompact.transcripts.model import NOWHERE, Message, Place, Usage

SPEAKERS = ("role", "type", "kind", "author")
ROLES = {
    **dict.fromkeys(("system", "developer"), "system"),
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "gpt", "model", "agent"), "assistant"),
    **dict.fromkeys(("tool", "function", "tool_response", "tool_result", "observation"), "tool"),
    **dict.fromkeys(("tool_call", "function_call"), "call"),
}
"""What each word for a speaker means."""

MORE_ROLES = {
    "aimessagechunk": "assistant",
    "assistantmessage": "assistant",
    "prompt": "user",
    "toolresults": "user",
    "toolresult": "tool",
    "toolmessage": "tool",
    "tool-call": "user",  # of smolagents, which tells its calls and their results in text
    "tool-response": "user",
    "instructions": "system",
}
CONTENTS = ("content", "parts", "contents", "text", "value", "message")
CALLS = {"tool_use", "tool_call", "tool-call", "toolCall", "toolUse", "function", "function_call"}
RESULTS = {"tool_result", "tool-result", "toolResult", "tool_call_response", "tool_response", "function_call_output",
           "function_result"}  # fmt: skip
SILENT = {"thinking", "redacted_thinking", "reasoning", "think", "finish", "reasoning_details"}
"""Thoughts, which are not sent again, and marks."""
WRAPPED = {
    **dict.fromkeys(("toolUse", "functionCall", "function_call", "tool_call"), "call"),
    **dict.fromkeys(("toolResult", "functionResponse", "function_response"), "result"),
}
"""Blocks without a type: their one key says what they are."""
IDS = ("tool_call_id", "toolCallId", "call_id", "callId", "tool_use_id", "toolUseId", "id")
TOOLS = ("name", "toolName", "tool_name")
ARGUMENTS = ("arguments", "args", "input", "parameters")
OUTPUTS = ("content", "output", "result", "response", "value", "text", "error")
FAILED = {"error", "failed", "failure", "error-text", "error-json"}


_MOST = 100_000  # characters that are parsed

XML = regex(r"<([a-z]+_[a-z_]+)>\s*(<.*?)</\1>", 16)  # DOTALL
FIELD = regex(r"<([a-z_]+)>(.*?)</\1>", 16)


class Answer(NamedTuple):
    id: object
    tool: str
    text: str
    places: Sequence[Place]
    images: int
    failed: bool


class Said(NamedTuple):
    """A message: what it says, the calls it makes (id, tool, arguments) and the results it brings."""

    role: str
    text: str
    places: Sequence[Place]
    images: int
    calls: Sequence[tuple[object, object, object]]
    answers: Sequence[Answer]
    others: Sequence[object] = ()  # blocks that are none of these


def first(value: Mapping[str, Any], keys: Sequence[str]) -> Any:
    """What stands under the first of these keys that says something."""
    for key in keys:
        if value.get(key) is not None:
            return value[key]
    return None


def told(message: Any, at: Place = NOWHERE) -> Said:
    """What a message says. One of an unknown speaker has no role."""
    message = mapped(message)
    speaker = stated(first(message, SPEAKERS)).lower()
    role = MORE_ROLES.get(speaker) or ROLES.get(speaker, "")
    key = "content" if message.get("content") else next(filter(message.get, CONTENTS), "content")
    content, where = message.get(key), at.under(key)
    if role == "tool":
        if "function" in mapped(content):  # the definition of a tool, which some traces list among the messages
            return Said("", "", (), 0, (), ())
        if "result" not in [_opened(block)[0] for block in listed(content)]:
            return Said("tool", "", (), 0, (), [answered(message, at)])
    texts: list[str] = []  # filled in a hot loop: ``list[str]()`` takes five times as long
    places: list[Place] = []
    images, calls, answers, left = 0, [], [], []
    whole = isinstance(content, list)
    if isinstance(content, str):  # as most are
        texts, places = [content], [where]
    for index, block in enumerate(content if whole else [] if texts else [content]):
        kind, body, path = _opened(block)
        spot = where.under(index, *path) if whole else where.under(*path) if path else where
        if kind == "call":
            calls.append(called(body))
        elif kind == "result":
            answers.append(answered(mapped(body), spot))
        elif kind == "text":
            text, found, others = text_of(body, spot)
            texts += [text] if text or found else []
            places += found
            images += others
            left += [body] if others else []
    calls += _beside(message, calls)
    return Said(role, "\n".join(texts), places, images, calls, answers, left)


def _beside(message: dict[str, Any], told: Sequence[tuple[object, object, object]]) -> Sequence[Any]:
    """The calls that stand beside a message's content; some tell one as a block as well."""
    extra = mapped(message.get("additional_kwargs"))
    calls = message.get("tool_calls") or message.get("toolCalls") or extra.get("tool_calls")
    if not calls and isinstance(alone := message.get("function_call") or extra.get("function_call"), dict):
        calls = [{"function": alone}]
    known = {str(id) for id, _, _ in told if id}
    return [call for call in map(called, filter(mapped, listed(calls))) if str(call[0]) not in known] if calls else ()


def say(build: Builder, said: Said, *, usage: Usage | None = None, kind: object = "") -> None:
    """Say it: results first, each as a message of its own, then the speaker's text and calls. Others are counted."""
    for block in said.others:
        build.unknown(block)
    for id, tool, text, places, images, failed in said.answers:
        build.result(id, text, places=places, tool=tool, is_error=failed, images=images)
    if said.role == "assistant":
        call(build, said, build.say("assistant", said.text, usage=usage, places=said.places))
    elif said.role in ("user", "system") and (said.text or said.images or not said.answers):
        build.say("user" if said.role == "user" else "system", said.text, places=said.places)
    elif not said.role:
        build.skip(f"message of {kind}" if kind else "message")


def call(build: Builder, said: Said, message: Message) -> None:
    for id, tool, arguments in said.calls:
        build.call(id, tool, arguments, message=message)


def _opened(block: Any) -> tuple[str, Any, tuple[str, ...]]:
    """What a block is, its body, and the way to it."""
    if not isinstance(block, dict):
        return "text", block, ()
    if block.get("type") == "text" and "data" not in block:
        return "text", block, ()
    for key, kind in WRAPPED.items():
        if isinstance(block.get(key), dict):
            return kind, block[key], (key,)
    type = stated(block.get("type") or block.get("kind"))
    held = "data" in block and block.keys() <= {"type", "kind", "data"}
    body, path = (block["data"], ("data",)) if held else (block, ())
    if type in SILENT or block.get("thought") is True:
        return "silent", body, path
    if isinstance(block.get("message_content"), dict):
        return "text", block["message_content"], ("message_content",)
    return "call" if type in CALLS else "result" if type in RESULTS else "text", body, path


def called(body: Any) -> tuple[object, object, object]:
    """The id, the tool and the arguments of a call, as an object or as its text."""
    if isinstance(value := mapped(body).get("value"), str):
        body = literal(value)
    body = mapped(mapped(body).get("tool_call")) or mapped(body)
    function = mapped(body.get("function")) or body
    tool = stated(first(function, TOOLS)) or stated(body.get("function"))
    return first(body, IDS), tool, first(function, ARGUMENTS)


def answered(body: Mapping[str, Any], at: Place = NOWHERE) -> Answer:
    """What a result says, whichever keys it has."""
    key = next((key for key in OUTPUTS if body.get(key) is not None), "content")
    value = body.get(key)
    text, places, images = output(value, at.under(key))
    marks = (body.get("status"), mapped(value).get("type"))
    failed = any(str(mark).lower() in FAILED for mark in marks) or bool(mapped(value).get("error"))
    failed = failed or any(body.get(key) not in (None, False, "") for key in ("is_error", "isError", "error"))
    return Answer(first(body, IDS), stated(first(body, TOOLS)), text, places, images, failed)


def output(value: Any, at: Place = NOWHERE) -> tuple[str, Sequence[Place], int]:
    """The text of a tool's output: its text blocks; of an object its one text, else all of it as JSON."""
    if isinstance(value, list):
        read = [text_of(body, at.under(n, *path)) for n, (_, body, path) in enumerate(map(_opened, value))]
        images = sum(others for _, _, others in read)
        if value and images == len(value) and not any(isinstance(mapped(block).get("type"), str) for block in value):
            return dumped(value), (), 0
        whole = all(places or not text for text, places, _ in read)
        texts = [text for text, _, others in read if text or not others]
        return "\n".join(texts), [place for _, places, _ in read for place in places] if whole else (), images
    if isinstance(value, dict):
        if "type" in value and isinstance(inner := value.get("value", value.get("text")), str):
            return inner, [at.under("value" if "value" in value else "text")], 0
        return *answer_of(value.get("value", value) if "type" in value else value, at)[:2], 0
    return ("", (), 0) if value is None else (value if isinstance(value, str) else dumped(value), [at], 0)


def literal(text: str) -> Any:
    """The value of JSON text, or of a Python literal; the text itself when it is neither."""
    value = parse(text)
    if value is not UNREADABLE:
        return value
    import ast
    import warnings

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of odd escapes
            return ast.literal_eval(text) if len(text) < _MOST else text
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return text


def read_json(value: Any) -> Any:
    """A value that may stand as JSON text, perhaps twice."""
    for _ in range(2):
        if isinstance(value, str) and value.lstrip()[:1] in ("{", "[", '"'):
            inner = parse(value)
            value = value if inner is UNREADABLE else inner
    return value


def xml_calls(text: str) -> list[tuple[str, dict[str, str]]]:
    """Calls written as XML in a text: ``<read_file><path>…</path></read_file>``."""
    found = ((match[1], FIELD.finditer(match[2])) for match in XML.finditer(text))
    return [(tool, {field[1]: field[2].strip("\n") for field in fields}) for tool, fields in found]
