"""The database of OpenCode (``opencode.db``): the messages and parts that its export holds, a row each."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.transcripts.blocks import read_json
from mcpcompact.transcripts.database import columns, note_log, rows
from mcpcompact.transcripts.document import Document, mapped
from mcpcompact.transcripts.formats.opencode import Format as OpenCode
from mcpcompact.transcripts.formats.opencode import Session
from mcpcompact.transcripts.model import NOWHERE, Transcript

SESSIONS = "select * from session order by time_created, id"
MESSAGES = "select * from message where session_id = ? order by time_created, id"
PARTS = "select * from part where message_id = ? order by id"


class Format(OpenCode):
    keys = frozenset()

    def sniff(self, document: Document) -> float:
        return float({"message_id", "session_id", "data"} <= columns(document, "part"))

    def read(self, document: Document) -> Iterator[Transcript]:
        note_log(document)
        for session in rows(document, SESSIONS):
            build = Session(self.name, document.path, session["id"])
            build.transcript.parent = session.get("parent_id") or ""
            for row in rows(document, MESSAGES, session["id"]):
                parts = [mapped(read_json(part["data"])) for part in rows(document, PARTS, row["id"])]
                build.message({"info": mapped(read_json(row["data"])), "parts": parts}, NOWHERE)
            yield build.transcript
