"""The Anthropic Messages API: dumps of exchanges, a single request, or a bare list of messages. Tools that the provider
runs itself answer within the assistant's message (``server_tool_use`` and ``…_tool_result``): that message is said in
parts, the later ones as ``continues``."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Document, Tokens, listed, mapped, parse, stated

BLOCKS = {"tool_use", "server_tool_use", "mcp_tool_use", "tool_result", "thinking", "redacted_thinking"}
USAGE = Tokens("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", whole=False)


class Format(exchanges.Dump):
    """Both the API's dialect in a dump and the format of a file that holds one request or its messages."""

    keys = frozenset({"request", "messages", "role"})
    holds = "content"
    tokens = USAGE.read

    def sniff(self, document: Document) -> float:
        if claim := super().sniff(document):
            return claim
        root = document.root
        lines = document.first if document.is_lines and document.first else [root]
        if all(isinstance(mapped(line).get("messages"), list) for line in lines):
            return 0.9 * any(_typical(line["messages"], "system" in line) for line in lines)
        return 0.9 * _typical(root if isinstance(root, list) and not document.is_lines else lines)

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        if not isinstance(request.get("messages"), list):
            return False
        return "anthropic.com/" in uri or uri.endswith("/v1/messages") or bool(_typical(request["messages"]))

    def assembled(self, stream: str) -> dict[str, Any]:
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


def _typical(messages: list[Any], has_system: bool = False) -> bool:
    """Whether a list of messages is Anthropic's rather than another API's of the same shape."""
    typical = False
    for message in map(mapped, messages):
        if message.get("role") not in ("user", "assistant", "system"):
            return False
        if "tool_calls" in message or "content" not in message:
            return False
        kinds = [stated(mapped(block).get("type")) for block in listed(message["content"])]
        typical = typical or any(kind in BLOCKS or kind.endswith("tool_result") for kind in kinds)
    return typical or (has_system and bool(messages))
