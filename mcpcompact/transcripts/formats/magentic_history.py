"""Runs of Magentic-One, a list alone or as the Who&When data set holds it: the speaker stands under ``role``."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.transcripts.builder import Builder, Reader
from mcpcompact.transcripts.document import Document, stated
from mcpcompact.transcripts.formats.group_chat import is_history, read_history
from mcpcompact.transcripts.model import Transcript


class MagenticHistory(Reader):
    name = "magentic_history"
    keys = frozenset({"history", "role"})

    def sniff(self, document: Document) -> float:
        return 0.9 * any(isinstance(message.get("role"), str) for message in is_history(document))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        read_history(build, document, lambda message: _speaker(stated(message.get("role"))))
        yield build.transcript


def _speaker(role: str) -> str:
    return "" if role.lower() in ("human", "user", "") else role


FORMAT = MagenticHistory()
