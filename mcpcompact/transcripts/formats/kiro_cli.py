"""Sessions of the Kiro CLI (before, Amazon Q): the log of a session, a saved conversation, or the database of both."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import answered, read_json, say, told
from mcpcompact.transcripts.builder import Builder, Document, Reader, elements, listed, mapped, objects, stated
from mcpcompact.transcripts.database import columns, rows
from mcpcompact.transcripts.model import NOWHERE, Place, Transcript

KINDS = {"Prompt", "AssistantMessage", "ToolResults"}
ASKED = ("Prompt", "ToolUseResults", "CancelledToolUses")
TABLES = ("conversations_v2", "conversations")


class Format(Reader):
    def sniff(self, document: Document) -> float:
        lines = document.first[:2]
        if any(stated(line.get("kind")) in KINDS and "content" in mapped(line.get("data")) for line in lines):
            return 1.0
        turns = [_turn(turn)[0] for turn in listed(mapped(document.root).get("history"))[:2]]
        saved = any(set(ASKED) & mapped(turn.get("content")).keys() for turn in turns)
        return float(saved or any("value" in columns(document, table) for table in TABLES))

    def read(self, document: Document) -> Iterator[Transcript]:
        for table in TABLES:
            for row in rows(document, f"select * from {table}") if columns(document, table) else ():
                yield self._saved(document, mapped(read_json(row["value"])), NOWHERE)
        if document.is_lines:
            build = Builder(self.name, document.path)
            for at, line in build.records(document.sections()):
                if stated(line.get("kind")) in KINDS:
                    say(build, told({"kind": line["kind"], **mapped(line.get("data"))}, at.under("data")))
                else:
                    build.skip(line.get("kind"))
            yield build.transcript
        elif document.root is not None:
            yield self._saved(document, mapped(document.value()), Place(0, ()))

    def _saved(self, document: Document, value: dict[str, Any], at: Place) -> Transcript:
        build = Builder(self.name, document.path, "" if at else stated(value.get("conversation_id")))
        build.model(mapped(value.get("model_info")).get("model_id"), value.get("model"))
        for build.here, turn in elements(at, value, "history"):
            user, assistant, key = _turn(turn)
            content = mapped(user.get("content"))
            for kind in ASKED[1:]:
                for where, result in objects(build.here.under(key, "content"), content, kind, "tool_use_results"):
                    build.result(*answered(result, where))
            prompt = mapped(content.get("Prompt")) or mapped(content.get("CancelledToolUses"))
            build.tell("user", prompt.get("prompt"))
            if reply := mapped(assistant.get("ToolUse")) or mapped(assistant.get("Response")):
                build.say("assistant", stated(reply.get("content")))
                for _, call in objects(NOWHERE, reply, "tool_uses"):
                    build.call(call.get("id"), call.get("name"), call.get("args"))
            build.model(build.transcript.model, mapped(mapped(turn).get("request_metadata")).get("model_id"))
        return build.transcript


def _turn(turn: Any) -> tuple[dict[str, Any], dict[str, Any], str | int]:
    """What the user sends and the assistant answers; a pair in older versions. And the key of the first."""
    if isinstance(turn, list) and len(turn) > 1:
        return mapped(turn[0]), mapped(turn[1]), 0
    return mapped(mapped(turn).get("user")), mapped(mapped(turn).get("assistant")), "user"
