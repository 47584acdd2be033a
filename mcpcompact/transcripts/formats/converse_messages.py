"""Messages of Bedrock's Converse API without a dump around them: one request, a bare list, and what Strands keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count
from mcpcompact.transcripts.document import Document, listed, mapped
from mcpcompact.transcripts.formats.bedrock_converse import KEYS, BedrockConverse
from mcpcompact.transcripts.model import Place, Transcript

LOOKED = 8


class ConverseMessages(BedrockConverse):
    name = "converse_messages"

    def sniff(self, document: Document) -> float:
        root = document.root
        held = [root] if _is_message(root) else _held(root)[0]
        messages = [mapped(mapped(message).get("message")) or mapped(message) for message in held[:LOOKED]]
        blocks = [block for message in messages for block in listed(message.get("content"))]
        typical = bool(blocks) and all(isinstance(b, dict) and "type" not in b and KEYS & b.keys() for b in blocks)
        return 0.95 * (typical and all(message.get("role") in ("user", "assistant") for message in messages))

    def read(self, document: Document) -> Iterator[Transcript]:
        if _is_message(document.root):  # a message a line, or a file
            found = list(document.sections())
            if document.is_directory:
                found = [(Place(0, (), n), document.value(n)) for n in range(len(document.files))]
                found.sort(key=lambda message: as_count(mapped(message[1]).get("message_id")))
            build = Builder(self.name, document.path)
            for at, message in found:
                self._said(build, message, at)
            yield build.transcript
            return
        for number, (at, value) in enumerate(document.sections(), 1):
            build = Builder(self.name, document.path, str(number) if document.is_lines else "")
            self.request(build, mapped(value) | {"messages": []}, at)
            messages, key = _held(value)
            for index, message in enumerate(messages):
                self._said(build, message, at.under(*key, index))
            yield build.transcript

    def _said(self, build: Builder, message: Any, at: Place) -> None:
        build.here = at
        inner = mapped(mapped(message).get("message"))  # Strands keeps each message in an envelope
        self._message(build, inner or message, at.under("message") if inner else at)
        metrics = mapped(mapped(inner or message).get("metadata"))
        if (usage := self.usage(metrics)) and build.messages[-1].role == "assistant":
            build.messages[-1].usage = usage


def _is_message(value: Any) -> bool:
    return "role" in mapped(value) or "role" in mapped(mapped(value).get("message"))


def _held(value: Any) -> tuple[list[Any], tuple[str, ...]]:
    if isinstance(value, list):
        return value, ()
    return listed(mapped(value).get("messages")), ("messages",)


FORMAT = ConverseMessages()
