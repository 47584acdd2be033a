"""The Anthropic Messages API: dumps of exchanges, a single request, or a bare list of messages.

Tools that the provider runs itself answer within the assistant's message (``server_tool_use`` and
``…_tool_result``): that message is said in parts, the later ones as ``continues``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document, parse
from mcpcompact.transcripts.model import Place, Transcript, Usage

CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
BLOCKS = CALLS | {"tool_result", "thinking", "redacted_thinking"}


class Anthropic:
    """Both the API's dialect in a dump and the format of a file that holds one request or its messages."""

    name = "anthropic_messages"

    def sniff(self, document: Document) -> float:
        if claim := exchanges.sniff(document, self.name):
            return claim
        root = document.root
        if isinstance(root, dict) and isinstance(root.get("messages"), list) and not document.is_lines:
            return 0.9 * _typical(root["messages"], "system" in root)
        if isinstance(root, list) and not document.is_lines:
            return 0.9 * _typical(root)
        lines = document.first or [root]
        if all(isinstance(line, dict) and isinstance(line.get("messages"), list) for line in lines):
            return 0.9 * any(_typical(line["messages"], "system" in line) for line in lines)
        if all(isinstance(line, dict) and line.get("role") in ("user", "assistant", "system") for line in lines):
            return 0.9 * _typical(lines)
        return 0.0

    def read(self, document: Document) -> Iterator[Transcript]:
        if exchanges.sniff(document, self.name) or not self.sniff(document):
            yield from exchanges.conversations(document)
            return
        if document.is_lines:
            lines = [(Place(number, ()), line) for number, line in document.lines()]
        else:
            lines = [(Place(0, ()), document.value())]
        several = len(lines) > 1
        spoken: Builder | None = None
        for number, (at, line) in enumerate(lines, 1):
            if isinstance(line, dict) and isinstance(line.get("messages"), list):
                build = Builder(self.name, document.path, str(number) if several else "")
                self.request(build, line, at)
                yield build.transcript
                continue
            spoken = spoken or Builder(self.name, document.path)
            for message, where in _each(line, at) if isinstance(line, list) else [(line, at)]:
                self.message(spoken, message, where)
        if spoken:
            yield spoken.transcript

    # the dialect

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        if not isinstance(request.get("messages"), list):
            return False
        return "anthropic.com/" in uri or uri.endswith("/v1/messages") or bool(_typical(request["messages"]))

    def request(self, build: Builder, request: dict[str, Any], at: Place) -> None:
        build.transcript.model = str(request.get("model") or "")
        system = text_of(request.get("system"))[0]
        if system:
            build.say("system", system)
        for message, where in _each(request.get("messages"), at.under("messages")):
            self.message(build, message, where)

    def body(self, response: Any) -> dict[str, Any]:
        if isinstance(response, str):
            return _assembled(response)
        return response if isinstance(response, dict) and isinstance(response.get("content"), list) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place | None) -> None:
        self.message(build, body | {"role": "assistant"}, at)

    def usage(self, body: dict[str, Any]) -> Usage | None:
        return usage_of(body.get("usage"))

    # messages

    def message(self, build: Builder, message: Any, at: Place | None) -> None:
        build.here = at
        if not isinstance(message, dict):
            build.skip(type(message).__name__)
        elif message.get("role") == "assistant":
            say_assistant(build, message, at)
        elif message.get("role") == "system":
            build.say("system", text_of(message.get("content"))[0])
        elif message.get("role") == "user":
            say_user(build, message.get("content"), at.under("content") if at else None)
        else:
            build.skip(f"message of {message.get('role')}")


def say_user(build: Builder, content: Any, at: Place | None) -> None:
    """A user's message: results first, as messages of their own, then what the user says."""
    if not isinstance(content, list):
        build.say("user", text_of(content)[0])
        return
    spoken = []
    for index, block in enumerate(content):
        if isinstance(block, dict) and _is_result(block):
            say_result(build, block, at.under(index) if at else None)
        else:
            spoken.append(block)
    if spoken or not content:
        build.say("user", text_of(spoken)[0])


def say_assistant(build: Builder, message: dict[str, Any], at: Place | None) -> None:
    """An assistant's message, in parts where a provider's tool answers within it."""
    content = message.get("content")
    usage = usage_of(message.get("usage"))
    said = build.say("assistant", text_of(content)[0] if not isinstance(content, list) else "", usage=usage)
    for index, block in enumerate(content if isinstance(content, list) else ()):
        if not isinstance(block, dict):
            block = {"text": block} if isinstance(block, str) else {}
        if _is_result(block):
            say_result(build, block, at.under("content", index) if at else None)
            continue
        called, text = str(block.get("type")) in CALLS, block.get("text")
        if not called and not isinstance(text, str):
            continue
        if build.messages[-1] is not said:
            said = build.say("assistant", continues=True)
        if called:
            server = str(block.get("server_name") or "")
            build.call(block.get("id"), block.get("name"), block.get("input"), server=server)
        else:
            said.text = f"{said.text}\n{text}" if said.text else str(text)


def say_result(build: Builder, block: dict[str, Any], at: Place | None) -> None:
    text, places, others, failed = _answer(block, at)
    build.result(
        block.get("tool_use_id"),
        text,
        places=places,
        is_error=failed or bool(block.get("is_error")),
        images=others,
    )


def _answer(block: dict[str, Any], at: Place | None) -> tuple[str, list[Place], int, bool]:
    """Text, places, blocks that are no text, and failure of a result block, of whichever tool."""
    content = block.get("content")
    where = at.under("content") if at else None
    if block.get("type") in ("tool_result", "mcp_tool_result") or isinstance(content, (str, type(None))):
        return *text_of(content, where), False
    if isinstance(content, list):  # search results; what the model reads of them is encrypted
        found = [f"{hit.get('title') or ''} {hit.get('url') or ''}".strip() for hit in content if isinstance(hit, dict)]
        return "\n".join(found), [], 0, False
    if not isinstance(content, dict):
        return "", [], 0, False
    if "error_code" in content:
        return f"{content['error_code']} {content.get('error_message') or ''}".strip(), [], 0, True
    if "stdout" in content or "stderr" in content:
        names = [name for name in ("stdout", "stderr") if isinstance(content.get(name), str) and content[name]]
        others = len(content["content"]) if isinstance(content.get("content"), list) else 0
        places = [where.under(name) for name in names] if where else []
        return "\n".join(content[name] for name in names), places, others, bool(content.get("return_code"))
    path, inner = ["content"], content.get("content")
    if isinstance(inner, dict) and isinstance(inner.get("source"), dict):  # a fetched document
        path, inner = ["content", "source", "data"], inner["source"]
        inner = inner.get("data") if inner.get("type") == "text" else [inner]
    if inner is not None:
        return *text_of(inner, where.under(*path) if where else None), False
    references = content.get("tool_references")
    if isinstance(references, list):
        return *text_of(references), False
    return "", [], 0, False


def _is_result(block: dict[str, Any]) -> bool:
    kind = block.get("type")
    return isinstance(kind, str) and kind.endswith("tool_result")


def _each(messages: Any, at: Place) -> list[tuple[Any, Place]]:
    return [(message, at.under(n)) for n, message in enumerate(messages)] if isinstance(messages, list) else []


def _typical(messages: list[Any], has_system: bool = False) -> float:
    """Whether a list of messages is Anthropic's rather than another API's of the same shape."""
    typical = False
    for message in messages:
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant", "system"):
            return 0.0
        if "tool_calls" in message or "content" not in message:
            return 0.0
        content = message["content"]
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict) and (str(block.get("type")) in BLOCKS or _is_result(block)):
                typical = True
    return float(typical or (has_system and bool(messages)))


def usage_of(value: Any) -> Usage | None:
    """Anthropic's usage: the three kinds of prompt tokens do not overlap."""
    if not isinstance(value, dict):
        return None
    names = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
    return Usage(*(as_count(value.get(name)) for name in names))


def _assembled(stream: str) -> dict[str, Any]:
    """The message that a stream of events builds up."""
    message: dict[str, Any] = {}
    blocks: dict[Any, dict[str, Any]] = {}
    partial: dict[Any, list[str]] = {}
    for event in exchanges.events(stream):
        kind, index = event.get("type"), str(event.get("index"))
        if kind == "message_start" and isinstance(event.get("message"), dict):
            message = dict(event["message"])
        elif kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            blocks[index] = dict(event["content_block"])
        elif kind == "content_block_delta" and isinstance(event.get("delta"), dict) and index in blocks:
            delta = event["delta"]
            if isinstance(delta.get("text"), str):
                partial.setdefault((index, "text"), [str(blocks[index].get("text") or "")]).append(delta["text"])
            elif isinstance(delta.get("partial_json"), str):
                partial.setdefault((index, "input"), []).append(delta["partial_json"])
        elif kind == "message_delta" and isinstance(event.get("usage"), dict):
            usage = message.get("usage")
            latest = {key: count for key, count in event["usage"].items() if count is not None}
            message["usage"] = (usage if isinstance(usage, dict) else {}) | latest
    for (index, name), pieces in partial.items():
        whole = "".join(pieces)
        blocks[index][name] = whole if name == "text" else (parse(whole) if whole else {})
        if name == "input" and not isinstance(blocks[index][name], dict):
            blocks[index][name] = whole
    if not message and not blocks:
        return {}
    return message | {"role": "assistant", "content": list(blocks.values())}


FORMAT = DIALECT = Anthropic()
