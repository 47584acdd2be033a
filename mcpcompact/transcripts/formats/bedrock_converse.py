"""Dumps of Amazon Bedrock's Converse API: blocks without a type, told apart by their key.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts import exchanges
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import number
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript, Usage

KEYS = {"text", "toolUse", "toolResult", "image", "document", "video", "cachePoint", "reasoningContent", "guardContent"}


class BedrockConverse:
    name = "bedrock_converse"

    def sniff(self, document: Document) -> float:
        return exchanges.sniff(document, self.name)

    def read(self, document: Document) -> Iterator[Transcript]:
        yield from exchanges.conversations(document)

    def speaks(self, request: dict[str, Any], uri: str) -> bool:
        messages = listed(request.get("messages"))
        if "/converse" in uri or "inferenceConfig" in request or "toolConfig" in request:
            return bool(messages)
        blocks = [block for message in messages for block in listed(mapped(message).get("content"))]
        return bool(blocks) and all(isinstance(b, dict) and "type" not in b and KEYS & b.keys() for b in blocks)

    def request(self, build: Builder, request: dict[str, Any], at: Place) -> None:
        build.transcript.model = stated(request.get("modelId"))
        if system := text_of(request.get("system"))[0]:
            build.say("system", system)
        for index, message in enumerate(listed(request.get("messages"))):
            self._message(build, message, at.under("messages", index))

    def _message(self, build: Builder, message: Any, at: Place | None) -> None:
        role, content = mapped(message).get("role"), mapped(message).get("content")
        where = at.under("content") if at else None
        if role == "assistant":
            said = build.say("assistant")
            for index, block in enumerate(listed(content)):
                block = mapped(block)
                if isinstance(block.get("toolResult"), dict):  # a tool of the provider answers within the message
                    _result(build, block["toolResult"], where.under(index, "toolResult") if where else None)
                    continue
                if build.messages[-1] is not said:
                    said = build.say("assistant", continues=True)
                if isinstance(block.get("toolUse"), dict):
                    use = block["toolUse"]
                    build.call(use.get("toolUseId"), use.get("name"), use.get("input"))
                elif text := stated(block.get("text")):
                    said.text = f"{said.text}\n{text}" if said.text else text
        elif role == "user":
            spoken = []
            for index, block in enumerate(listed(content)):
                if isinstance(mapped(block).get("toolResult"), dict):
                    _result(build, block["toolResult"], where.under(index, "toolResult") if where else None)
                elif "cachePoint" not in mapped(block):
                    spoken.append(block)
            if spoken or not content:
                build.say("user", text_of(spoken)[0])
        else:
            build.skip(f"message of {role}")

    def body(self, response: Any) -> dict[str, Any]:
        message = mapped(mapped(response).get("output")).get("message")
        return mapped(response) if isinstance(message, dict) else {}

    def response(self, build: Builder, body: dict[str, Any], at: Place | None) -> None:
        message = mapped(mapped(body.get("output")).get("message"))
        self._message(build, message | {"role": "assistant"}, at.under("output", "message") if at else None)

    def usage(self, body: dict[str, Any]) -> Usage | None:
        value = mapped(body.get("usage"))
        names = ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens", "outputTokens")
        return Usage(*(number(value.get(name)) for name in names)) if value else None


def _result(build: Builder, result: dict[str, Any], at: Place | None) -> None:
    text, places, others = text_of(result.get("content"), at.under("content") if at else None)
    failed = result.get("status") == "error"
    build.result(result.get("toolUseId"), text, places=places, is_error=failed, images=others)


FORMAT = DIALECT = BedrockConverse()
