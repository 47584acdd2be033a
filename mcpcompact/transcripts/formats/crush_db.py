"""The database of Crush (``.crush/crush.db``): messages whose parts are JSON. Of tokens, a session keeps those of its
latest model call."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.transcripts.blocks import read_json, say, told
from mcpcompact.transcripts.builder import Builder, Document, Reader, Tokens, Transcript
from mcpcompact.transcripts.database import columns, note_log, rows

SESSIONS = "select * from sessions order by created_at, id"
MESSAGES = "select * from messages where session_id = ? order by created_at, rowid"
USAGE = Tokens("prompt_tokens", "completion_tokens")


class Format(Reader):
    quiet = "message without content"

    def sniff(self, document: Document) -> float:
        return float({"session_id", "role", "parts", "model"} <= columns(document, "messages"))

    def read(self, document: Document) -> Iterator[Transcript]:
        note_log(document)
        for session in rows(document, SESSIONS):
            build = Builder(self.name, document.path, session["id"])
            build.transcript.parent = session.get("parent_session_id") or ""
            for message in rows(document, MESSAGES, session["id"]):
                turn = told({"role": message["role"], "content": read_json(message["parts"])})
                if message["role"] == "assistant" and not (turn.text or turn.calls):
                    build.skip("message without content")
                    continue
                build.model(message["model"])
                say(build, turn, kind=message["role"])
                if message.get("is_summary_message"):
                    build.forget(range(len(build.messages) - 1))
            if build.spoken and session["prompt_tokens"]:
                build.spoken[-1].usage = USAGE.read(session)
            yield build.transcript
