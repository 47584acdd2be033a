"""Tasks of Cline, Roo Code and Kilo Code (``api_conversation_history.json``), and of the Cline SDK
(``session.messages.json``).

Messages are Anthropic's, but a result is often a text block of the next user message, ``[read_file for 'x'] Result:``,
in the order of the calls. Older tasks write their calls as XML in the assistant's text.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from mcpcompact.errors import InputError
from mcpcompact.patterns import regex
from mcpcompact.transcripts.blocks import Tokens, read_json, xml_calls
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.formats.anthropic import say_assistant
from mcpcompact.transcripts.model import Call, Place, Result, Transcript, Usage

HEAD = regex(
    r"(?:\[mcpcompact\] |\[([\w.-]+)(?: for '(?:(?!'\] ).)*')?\] (?:Result|Error)\b:?)(?P<rest>.*)", 16
)  # DOTALL
FAILED = regex(r"\[[^\n]*\] Error|(?:\[[^\n]*\] Result:?\s*)?(?:The tool execution failed|<error>|Error:)")
ASIDE = ("<environment_details>", "# task_progress", "\n\n# task_progress", "[TASK RESUMPTION]", "<feedback>", "\n\n\t")
"""How the host's own blocks begin, which follow the results."""
LOOKED = 40

TASK = Tokens("prompt", "completion", "cached")
SDK = Tokens("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
SCREEN = Tokens("tokensIn", "tokensOut", "cacheReads", "cacheWrites", whole=False)


class Cline:
    name = "cline"

    def sniff(self, document: Document) -> float:
        root = document.root if not document.is_lines else None
        if isinstance(root, dict) and isinstance(root.get("messages"), list):
            return float("system_prompt" in root and ("sessionId" in root or "agent" in root))
        messages = [mapped(message) for message in listed(root)[:LOOKED]]
        if messages and all(m.get("type") in ("say", "ask") and "ts" in m for m in messages):
            return 1.0
        ours = any("metrics" in m or "modelInfo" in m or any(map(_heads, listed(m.get("content")))) for m in messages)
        ours = ours or (bool(messages) and all("ts" in m for m in messages))
        return float(ours and all(m.get("role") in ("user", "assistant") and "content" in m for m in messages))

    def read(self, document: Document) -> Iterator[Transcript]:
        root = document.value()
        messages = root if isinstance(root, list) else listed(mapped(root).get("messages"))
        at = Place(0, () if isinstance(root, list) else ("messages",))
        if messages and mapped(messages[0]).get("type") in ("say", "ask"):
            raise InputError(f"{document.path}: what the screen showed", hint="read api_conversation_history.json")
        build = Builder(self.name, document.path)
        if prompt := stated(mapped(root).get("system_prompt")):
            build.say("system", prompt)
        asked: list[Call] = []
        for index, message in enumerate(map(mapped, messages)):
            build.here = at.under(index)
            if message.get("role") == "assistant":
                asked = _assistant(build, message, build.here)
            else:
                _user(build, message.get("content"), build.here.under("content"), asked)
                asked = []
        _screen(build.transcript, os.path.join(os.path.dirname(document.path), "ui_messages.json"))
        yield build.transcript


def _assistant(build: Builder, message: dict[str, Any], at: Place) -> list[Call]:
    """Say it, and the calls that are now to be answered."""
    start = len(build.messages)
    say_assistant(build, message, at)
    said = build.messages[start]
    info, metrics = mapped(message.get("modelInfo")), mapped(message.get("metrics"))
    build.transcript.model = build.transcript.model or stated(info.get("modelId")) or stated(info.get("id"))
    said.usage = _usage(metrics.get("tokens"), TASK) or _usage(metrics, SDK)
    if not any(m.calls for m in build.messages[start:]):
        for tool, arguments in xml_calls(said.text):
            build.call("", tool, arguments)
    return [call for m in build.messages[start:] for call in m.calls]


def _usage(value: Any, keys: Tokens) -> Usage | None:
    """Some providers count the cached tokens into the prompt; then these cannot be more."""
    used = keys._replace(whole=False).read(value)
    return keys.read(value) if used and used.cached + used.written <= used.fresh else used


def _user(build: Builder, content: Any, at: Place, asked: list[Call]) -> None:
    content = [{"text": content}] if isinstance(content, str) else content
    spoken: list[Any] = []
    made: Result | None = None  # the last result, while it may go on in the next block
    for index, block in enumerate(map(mapped, listed(content))):
        where, text, head = at.under(index), stated(block.get("text")), _heads(block)
        if block.get("type") == "tool_result":
            _native(build, block, where, asked)
            made = None
        elif head:
            tool = head[1] or ""
            call = next((call for call in asked if call.tool == tool), asked[0] if asked else None)
            asked[:] = [other for other in asked if other is not call]
            failed = FAILED.match(text) is not None
            done = build.result(tool or "?", text, places=[where.under("text")], call=call, is_error=failed)
            made = None if head["rest"].strip() else done
        elif made and not text.startswith(ASIDE):
            added, found, images = text_of(block, where)
            made.text = build.messages[-1].text = f"{made.text}\n{added}" if added else made.text
            made.places, made.images = [*made.places, *found], made.images + images
            made.is_error = made.is_error or FAILED.match(added) is not None
        else:
            made = None
            spoken.append(block)
    if spoken:
        build.say("user", text_of(spoken)[0])


def _native(build: Builder, block: dict[str, Any], at: Place, asked: list[Call]) -> None:
    """A result block: text, or the SDK's list of ``{"query", "result", "success"}``."""
    content, id = block.get("content"), block.get("tool_use_id")
    parts = [part for part in listed(content) if isinstance(mapped(part).get("result"), str)]
    failed = any(part.get("success") is False for part in parts or [mapped(read_json(content))])
    asked[:] = [call for call in asked if call.id != id]
    text, places, images = text_of(content, at.under("content"))
    if parts and len(parts) == len(listed(content)):
        text, images = "\n".join(part["result"] for part in parts), 0
        places = [at.under("content", n, "result") for n in range(len(parts))]
    build.result(id, text, places=places, images=images, is_error=failed or bool(block.get("is_error")))


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


FORMAT = Cline()
