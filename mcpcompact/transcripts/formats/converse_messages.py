"""Messages of Bedrock's Converse API without a dump around them: one request, a bare list, and what Strands keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count
from mcpcompact.transcripts.document import FEW, Document, listed, mapped
from mcpcompact.transcripts.formats.bedrock_converse import Format as BedrockConverse
from mcpcompact.transcripts.formats.bedrock_converse import is_converse
from mcpcompact.transcripts.model import Place, Transcript


class Format(BedrockConverse):
    keys = frozenset({"role", "messages", "message"})

    def sniff(self, document: Document) -> float:
        root = document.root
        held = [root] if _is_message(root) else _held(root)[0]
        messages = [mapped(mapped(message).get("message")) or mapped(message) for message in held[:FEW]]
        typical = is_converse([block for message in messages for block in listed(message.get("content"))])
        return 0.95 * (typical and all(message.get("role") in ("user", "assistant") for message in messages))

    def bare(self, document: Document) -> Iterator[Transcript]:
        if not _is_message(document.root):
            yield from super().bare(document)
            return
        sections = list(document.sections())  # a message a line, or a file
        if document.is_directory:
            sections = [(Place(0, (), n), document.value(n)) for n in range(len(document.files))]
            sections.sort(key=lambda message: as_count(mapped(message[1]).get("message_id")))
        build = Builder(self.name, document.path)
        for at, message in build.records(sections):
            self._said(build, message, at)
        yield build.transcript

    def session(self, build: Builder, value: Any, at: Place) -> None:
        self.request(build, mapped(value) | {"messages": []}, at)
        messages, key = _held(value)
        for where, message in build.each(at.under(*key), messages):
            self._said(build, message, where)

    def _said(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        inner = mapped(message.get("message"))  # Strands keeps each message in an envelope
        self.message(build, inner or message, at.under("message") if inner else at)
        usage = self.usage(mapped((inner or message).get("metadata")))
        if usage and build.speaking:
            build.speaking.usage = usage


def _is_message(value: Any) -> bool:
    return "role" in mapped(value) or "role" in mapped(mapped(value).get("message"))


def _held(value: Any) -> tuple[list[Any], tuple[str, ...]]:
    return (value, ()) if isinstance(value, list) else (listed(mapped(value).get("messages")), ("messages",))
