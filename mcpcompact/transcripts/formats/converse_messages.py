"""Messages of Bedrock's Converse API without a dump around them: one request, a bare list, and what Strands keeps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import FEW, NOWHERE, Builder, Document, Place, Transcript, as_count, listed, mapped
from mcpcompact.transcripts.formats.bedrock_converse import Format as BedrockConverse
from mcpcompact.transcripts.formats.bedrock_converse import is_converse


class Format(BedrockConverse):
    keys = frozenset({"role", "messages", "message"})

    def sniff(self, document: Document) -> float:
        root = document.root
        held = [root] if self.is_message(root) else self.held(root, NOWHERE)[0]
        messages = [mapped(mapped(message).get("message")) or mapped(message) for message in held[:FEW]]
        typical = is_converse([block for message in messages for block in listed(message.get("content"))])
        return 0.95 * (typical and all(message.get("role") in ("user", "assistant") for message in messages))

    def bare(self, document: Document) -> Iterator[Transcript]:
        if not document.is_directory:
            yield from super().bare(document)
            return
        files = [(Place(0, (), n), document.value(n)) for n in range(len(document.files))]  # a message a file
        build = Builder(self.name, document.path)
        for at, message in build.records(sorted(files, key=lambda file: as_count(mapped(file[1]).get("message_id")))):
            self.message(build, message, at)
        yield build.transcript

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        inner = mapped(message.get("message"))  # Strands keeps each message in an envelope
        super().message(build, inner or message, at.under("message") if inner else at)
        usage = self.usage(mapped((inner or message).get("metadata")))
        if usage and build.speaking:
            build.speaking.usage = usage

    def is_message(self, value: Any) -> bool:
        return "role" in mapped(value) or "role" in mapped(mapped(value).get("message"))
