"""Sessions of Qwen Code: a JSON line a record, linked as Claude Code's are, with messages in Gemini's parts."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import NOWHERE, Builder, Document, Lines, Place, mapped, objects, stated
from mcpcompact.transcripts.formats.gemini_api import Format as Gemini
from mcpcompact.transcripts.formats.gemini_api import say

SPOKEN = ("user", "assistant", "tool_result")


class Format(Lines):
    keys = frozenset({"sessionId"})
    quiet = "system"

    def sniff(self, document: Document) -> float:
        return float(any("sessionId" in line and _parts(line) for line in document.objects))

    def record(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        kind, subtype = line.get("type"), line.get("subtype")
        if kind in SPOKEN and _parts(line):
            self._message(build, line, at)
        elif kind == "system" and subtype == "chat_compression":
            build.forget(range(len(build.messages)))
            for _, content in objects(NOWHERE, line, "systemPayload", "compressedHistory"):
                say(build, content, NOWHERE)
        else:
            build.skip(f"{kind} {subtype or ''}".strip())

    def _message(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        before = len(build.messages)
        say(build, line["message"], at.under("message"))
        if line["type"] == "assistant" and before < len(build.messages):
            build.messages[before].usage = Gemini().usage(line) if line.get("usageMetadata") else None
            build.model(line.get("model"))
        status = stated(mapped(line.get("toolCallResult")).get("status"))
        for message in build.messages[before:]:
            message.at = at
            if message.result is not None:
                message.result.is_error = message.result.is_error or status == "error"


def _parts(line: Any) -> bool:
    return isinstance(mapped(mapped(line).get("message")).get("parts"), list)
