"""Tasks of Cline, Roo Code and Kilo Code (``api_conversation_history.json``). Messages are Anthropic's, but a result is
often a text block of the next user message, ``[read_file for 'x'] Result:``, in the order of the calls. Older tasks
write their calls as XML in the assistant's text."""

from __future__ import annotations

import os
from typing import Any

from mcpcompact.errors import InputError
from mcpcompact.patterns import regex
from mcpcompact.transcripts.blocks import answered, read_json, say, told, xml_calls
from mcpcompact.transcripts.builder import Builder, Call, Place, Reader, Result, Tokens, Transcript, text_of
from mcpcompact.transcripts.document import LOOKED, Document, listed, mapped, objects, stated

HEAD = regex(r"(?:\[mcpcompact\] |\[([\w.-]+)(?: for '(?:(?!'\] ).)*')?\] (?:Result|Error)\b:?)(?P<rest>.*)", 16)
FAILED = regex(r"\[[^\n]*\] Error|(?:\[[^\n]*\] Result:?\s*)?(?:The tool execution failed|<error>|Error:)")
ASIDE = ("<environment_details>", "# task_progress", "\n\n# task_progress", "[TASK RESUMPTION]", "<feedback>", "\n\n\t")
"""How the host's own blocks begin, which follow the results."""

USAGE = Tokens("prompt", "completion", "cached")
SCREEN = Tokens("tokensIn", "tokensOut", "cacheReads", "cacheWrites", whole=False)


class Format(Reader):
    keys = frozenset({"ts", "role"})

    def sniff(self, document: Document) -> float:
        messages = [mapped(message) for message in listed(document.root)[:LOOKED]]
        if messages and all(m.get("type") in ("say", "ask") and "ts" in m for m in messages):
            return 1.0
        ours = any("metrics" in m or "modelInfo" in m or any(map(_heads, listed(m.get("content")))) for m in messages)
        ours = ours or (bool(messages) and all("ts" in m for m in messages))
        return float(ours and all(m.get("role") in ("user", "assistant") and "content" in m for m in messages))

    def session(self, build: Builder, value: Any, at: Place) -> None:
        messages, path = listed(value), build.transcript.source
        if messages and mapped(messages[0]).get("type") in ("say", "ask"):
            raise InputError(f"{path}: what the screen showed", hint="read api_conversation_history.json")
        asked: list[Call] = []
        for where, message in build.each(at, messages):
            if message.get("role") == "assistant":
                asked = _assistant(build, message, where)
            else:
                _user(build, message.get("content"), where.under("content"), asked)
                asked = []
        _screen(build.transcript, os.path.join(os.path.dirname(path), "ui_messages.json"))


def _assistant(build: Builder, message: dict[str, Any], at: Place) -> list[Call]:
    """Say it, and the calls that are now to be answered."""
    start = len(build.messages)
    say(build, told(message, at))
    reply = build.messages[start]
    build.model(build.transcript.model, mapped(message.get("modelInfo")).get("modelId"))
    reply.usage = USAGE.either(mapped(message.get("metrics")).get("tokens"))
    if not any(m.calls for m in build.messages[start:]):
        for tool, arguments in xml_calls(reply.text):
            build.call("", tool, arguments)
    return [call for m in build.messages[start:] for call in m.calls]


def _user(build: Builder, content: Any, at: Place, asked: list[Call]) -> None:
    content = [{"text": content}] if isinstance(content, str) else content
    spoken: list[Any] = []
    last: Result | None = None  # the last result, while it may go on in the next block
    for where, block in objects(at, content):
        text, head = stated(block.get("text")), _heads(block)
        if block.get("type") == "tool_result":
            build.result(*answered(block, where))
            asked[:] = [call for call in asked if call.id != block.get("tool_use_id")]
            last = None
        elif head:
            tool = head[1] or ""
            call = next((call for call in asked if call.tool == tool), asked[0] if asked else None)
            asked[:] = [other for other in asked if other is not call]
            failed = FAILED.match(text) is not None
            done = build.answer(tool or "?", text, where.under("text"), call=call, failed=failed)
            last = None if head["rest"].strip() else done
        elif last and not text.startswith(ASIDE):
            added, places, images = text_of(block, where)
            last.text = build.messages[-1].text = f"{last.text}\n{added}" if added else last.text
            last.places, last.images = [*last.places, *places], last.images + images
            last.is_error = last.is_error or FAILED.match(added) is not None
        else:
            last = None
            spoken.append(block)
    if spoken:
        build.hear("user", spoken)


def _heads(block: Any) -> Any:
    return HEAD.match(stated(mapped(block).get("text")))


def _screen(transcript: Transcript, path: str) -> None:
    """Usage from the screen's file beside a task that keeps none in its messages, when there is one a message."""
    spoken = [message for message in transcript.messages if message.role == "assistant" and not message.continues]
    if any(message.usage for message in spoken) or not os.path.isfile(path):
        return
    starts = [record for record in map(mapped, listed(Document(path).root)) if record.get("say") == "api_req_started"]
    used = [usage for usage in (SCREEN.read(read_json(record.get("text"))) for record in starts) if usage]
    if len(used) == len(spoken):
        for message, usage in zip(spoken, used, strict=True):
            message.usage = usage
