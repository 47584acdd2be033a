"""Group chats of AutoGen as the Who&When data set holds them: the speaker stands under ``name``."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.transcripts.builder import Builder, Reader
from mcpcompact.transcripts.document import Document, stated
from mcpcompact.transcripts.formats.group_chat import is_history, read_history
from mcpcompact.transcripts.model import Transcript


class AutogenHistory(Reader):
    name = "autogen_history"
    keys = frozenset({"history", "role"})

    def sniff(self, document: Document) -> float:
        return float(any("name" in message for message in is_history(document)))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        read_history(build, document, lambda message: stated(message.get("name")) or "agent")
        yield build.transcript


FORMAT = AutogenHistory()
