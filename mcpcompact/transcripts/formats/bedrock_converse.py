"""Dumps of Amazon Bedrock's Converse API: blocks without a type, told apart by their key.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
"""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import Builder, Tokens, text_of
from mcpcompact.transcripts.document import listed, mapped, objects, stated
from mcpcompact.transcripts.exchanges import Dump
from mcpcompact.transcripts.model import Place, Usage

KEYS = {"text", "toolUse", "toolResult", "image", "document", "video", "cachePoint", "reasoningContent", "guardContent"}
USAGE = Tokens("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheWriteInputTokens", whole=False)


class Format(Dump):
    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        messages = listed(request.get("messages"))
        if "/converse" in uri or "inferenceConfig" in request or "toolConfig" in request:
            return bool(messages)
        return is_converse([block for message in messages for block in listed(mapped(message).get("content"))])

    def request(self, build: Builder, request: dict[str, Any], at: Place) -> None:
        build.transcript.model = stated(request.get("modelId"))
        if system := text_of(request.get("system"))[0]:
            build.say("system", system)
        for where, message in build.each(at, request, "messages"):
            self.message(build, message, where)

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        role, spoken = message.get("role"), list[Any]()
        if role not in ("user", "assistant"):
            build.skip(f"message of {role}")
            return
        said = build.say("assistant") if role == "assistant" else None
        for where, block in objects(at, message, "content"):
            use, text = mapped(block.get("toolUse")), stated(block.get("text"))
            if result := mapped(block.get("toolResult")):  # in the model's own message: of a tool of the provider
                where, failed = where.under("toolResult", "content"), result.get("status") == "error"
                build.answer(result.get("toolUseId"), result.get("content"), where, failed=failed)
            elif said is None:
                spoken += [] if "cachePoint" in block else [block]
            elif use:
                said = build.further(said)
                build.call(use.get("toolUseId"), use.get("name"), use.get("input"))
            elif text:
                said = build.further(said)
                said.add(text)
        if said is None and (spoken or not message.get("content")):
            build.hear("user", spoken)

    def body(self, response: Any) -> dict[str, Any]:
        return mapped(response) if mapped(mapped(mapped(response).get("output")).get("message")) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place) -> None:
        self.message(build, body["output"]["message"] | {"role": "assistant"}, at.under("output", "message"))

    def usage(self, body: dict[str, Any]) -> Usage | None:
        return USAGE.read(body.get("usage"))


def is_converse(blocks: list[Any]) -> bool:
    return bool(blocks) and all(isinstance(b, dict) and "type" not in b and KEYS & b.keys() for b in blocks)
