"""The Anthropic Messages API: dumps of exchanges, a single request, or a bare list of messages.

Tools that the provider runs itself answer within the assistant's message (``server_tool_use`` and
``…_tool_result``): that message is said in parts, the later ones as ``continues``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Builder, Tokens, text_of
from mcpcompact.transcripts.document import Document, listed, mapped, parse, stated
from mcpcompact.transcripts.model import NOWHERE, Place, Result, Transcript, Usage

CALLS = {"tool_use", "server_tool_use", "mcp_tool_use"}
BLOCKS = CALLS | {"tool_result", "thinking", "redacted_thinking"}
STREAMS = {"stdout", "stderr"}
USAGE = Tokens("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", whole=False)


class Format(exchanges.Dump):
    """Both the API's dialect in a dump and the format of a file that holds one request or its messages."""

    keys = frozenset({"request", "messages", "role"})

    def sniff(self, document: Document) -> float:
        if claim := super().sniff(document):
            return claim
        root = document.root
        lines = document.first if document.is_lines and document.first else [root]
        if all(isinstance(mapped(line).get("messages"), list) for line in lines):
            return 0.9 * any(_typical(line["messages"], "system" in line) for line in lines)
        return 0.9 * _typical(root if isinstance(root, list) and not document.is_lines else lines)

    def bare(self, document: Document) -> Iterator[Transcript]:
        found = list(document.sections())
        spoken: Builder | None = None
        for number, (at, line) in enumerate(found, 1):
            if isinstance(mapped(line).get("messages"), list):
                build = Builder(self.name, document.path, str(number) if len(found) > 1 else "")
                self.request(build, line, at)
                yield build.transcript
                continue
            spoken = spoken or Builder(self.name, document.path)
            placed = [(at.under(n), m) for n, m in enumerate(line)] if isinstance(line, list) else [(at, line)]
            for where, message in spoken.records(placed):
                self.message(spoken, message, where)
        if spoken:
            yield spoken.transcript

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        if not isinstance(request.get("messages"), list):
            return False
        return "anthropic.com/" in uri or uri.endswith("/v1/messages") or bool(_typical(request["messages"]))

    def request(self, build: Builder, request: dict[str, Any], at: Place) -> None:
        build.transcript.model = str(request.get("model") or "")
        if system := text_of(request.get("system"))[0]:
            build.say("system", system)
        for where, message in build.each(at, request, "messages"):
            self.message(build, message, where)

    def body(self, response: Any) -> dict[str, Any]:
        if isinstance(response, str):
            return _assembled(response)
        return response if isinstance(mapped(response).get("content"), list) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        build.here = at
        say_assistant(build, body, at)

    def usage(self, body: dict[str, Any]) -> Usage | None:
        return usage_of(body.get("usage"))

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        role = message.get("role")
        if role == "assistant":
            say_assistant(build, message, at)
        elif role == "system":
            build.hear("system", message.get("content"))
        elif role == "user":
            say_user(build, message.get("content"), at.under("content"))
        else:
            build.skip(f"message of {role}")


def say_user(build: Builder, content: Any, at: Place) -> None:
    """A user's message: results first, as messages of their own, then what the user says."""
    spoken = []
    for where, block in ((at.under(n), block) for n, block in enumerate(listed(content))):
        if _is_result(mapped(block)):
            say_result(build, block, where)
        else:
            build.unknown(block)
            spoken.append(block)
    if spoken or not content or not isinstance(content, list):
        build.hear("user", spoken or content)


def say_assistant(build: Builder, message: dict[str, Any], at: Place) -> None:
    """An assistant's message, in parts where a provider's tool answers within it."""
    content = message.get("content")
    said = build.say("assistant", "" if isinstance(content, list) else text_of(content)[0])
    said.usage = usage_of(message.get("usage"))
    for index, block in enumerate(listed(content)):
        block = {"text": block} if isinstance(block, str) else mapped(block)
        called, text = str(block.get("type")) in CALLS, block.get("text")
        if _is_result(block):
            say_result(build, block, at.under("content", index))
        elif called:
            said = build.further(said)
            build.call(block.get("id"), block.get("name"), block.get("input"), server=stated(block.get("server_name")))
        elif isinstance(text, str):
            said = build.further(said)
            said.text = f"{said.text}\n{text}" if said.text else text
        else:
            build.unknown(block)


def say_result(build: Builder, block: dict[str, Any], at: Place) -> Result:
    content, where, failed = _answer(block, at.under("content"))
    id, failed = block.get("tool_use_id"), failed or bool(block.get("is_error"))
    if STREAMS.isdisjoint(mapped(content)):
        return build.answer(id, content, where, failed=failed)
    names = [name for name in ("stdout", "stderr") if stated(content.get(name))]
    texts, places = [content[name] for name in names], [where.under(name) for name in names]
    images = len(listed(content.get("content")))
    return build.result(id, "\n".join(texts), places=places, is_error=failed, images=images)


def _answer(block: dict[str, Any], at: Place) -> tuple[Any, Place, bool]:
    """Content, its place, and failure of a result block, of whichever tool."""
    content = block.get("content")
    if block.get("type") in ("tool_result", "mcp_tool_result") or isinstance(content, (str, type(None))):
        return content, at, False
    if isinstance(content, list):  # search results; what the model reads of them is encrypted
        hits = [f"{hit.get('title') or ''} {hit.get('url') or ''}".strip() for hit in map(mapped, content)]
        return "\n".join(hits), NOWHERE, False
    content = mapped(content)
    if "error_code" in content:
        return f"{content['error_code']} {content.get('error_message') or ''}".strip(), NOWHERE, True
    if not STREAMS.isdisjoint(content):
        return content, at, bool(content.get("return_code"))
    inner, at = content.get("content"), at.under("content")
    if isinstance(source := mapped(inner).get("source"), dict):  # a fetched document
        return source.get("data") if source.get("type") == "text" else [source], at.under("source", "data"), False
    return (listed(content.get("tool_references")), NOWHERE, False) if inner is None else (inner, at, False)


def _is_result(block: dict[str, Any]) -> bool:
    return stated(block.get("type")).endswith("tool_result")


def _typical(messages: list[Any], has_system: bool = False) -> bool:
    """Whether a list of messages is Anthropic's rather than another API's of the same shape."""
    typical = False
    for message in map(mapped, messages):
        if message.get("role") not in ("user", "assistant", "system"):
            return False
        if "tool_calls" in message or "content" not in message:
            return False
        blocks = map(mapped, listed(message["content"]))
        typical = typical or any(stated(b.get("type")) in BLOCKS or _is_result(b) for b in blocks)
    return typical or (has_system and bool(messages))


usage_of = USAGE.read


def _assembled(stream: str) -> dict[str, Any]:
    """The message that a stream of events builds up."""
    message: dict[str, Any] = {}
    blocks: dict[Any, dict[str, Any]] = {}
    inputs: dict[Any, str] = {}
    for event in exchanges.events(stream):
        kind, index, delta = event.get("type"), str(event.get("index")), mapped(event.get("delta"))
        if kind == "message_start":
            message = dict(mapped(event.get("message")))
        elif kind == "content_block_start":
            blocks[index] = dict(mapped(event.get("content_block")))
        elif kind == "content_block_delta" and index in blocks and isinstance(delta.get("text"), str):
            blocks[index].setdefault("pieces", [stated(blocks[index].get("text"))]).append(delta["text"])
        elif kind == "content_block_delta" and index in blocks:
            inputs[index] = inputs.get(index, "") + stated(delta.get("partial_json"))
        elif kind == "message_delta":
            latest = {key: count for key, count in mapped(event.get("usage")).items() if count is not None}
            message["usage"] = mapped(message.get("usage")) | latest
    for index, block in blocks.items():
        if "pieces" in block:
            block["text"] = "".join(block.pop("pieces"))
        if inputs.get(index):
            parsed = parse(inputs[index])
            block["input"] = parsed if isinstance(parsed, dict) else inputs[index]
    return message | {"role": "assistant", "content": list(blocks.values())} if message or blocks else {}
