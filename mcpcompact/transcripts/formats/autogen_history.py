"""Group chats of AutoGen as the Who&When data set holds them: the speaker stands under ``name``."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.document import Document, stated
from mcpcompact.transcripts.formats.magentic_history import Format as MagenticHistory
from mcpcompact.transcripts.formats.magentic_history import is_history


class Format(MagenticHistory):
    def sniff(self, document: Document) -> float:
        return float(any("name" in message for message in is_history(document)))

    def speaker(self, message: dict[str, Any]) -> str:
        return stated(message.get("name")) or "agent"
