"""Dumps of Amazon Bedrock's Converse API: blocks without a type, told apart by their key.
https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html"""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import Builder, Place, Tokens, listed, mapped
from mcpcompact.transcripts.exchanges import Dump

KEYS = {"text", "toolUse", "toolResult", "image", "document", "video", "cachePoint", "reasoningContent", "guardContent"}
USAGE = Tokens("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens", whole=False)


class Format(Dump):
    tokens = USAGE.read

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        messages = listed(request.get("messages"))
        if "/converse" in uri or "inferenceConfig" in request or "toolConfig" in request:
            return bool(messages)
        return is_converse([block for message in messages for block in listed(mapped(message).get("content"))])

    def body(self, response: Any) -> dict[str, Any]:
        return mapped(response) if mapped(mapped(mapped(response).get("output")).get("message")) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        super().response(build, body["output"]["message"], at.under("output", "message"))


def is_converse(blocks: list[Any]) -> bool:
    """Whether blocks are told apart by their key, as only this API does."""
    return bool(blocks) and all(isinstance(b, dict) and "type" not in b and KEYS & b.keys() for b in blocks)
