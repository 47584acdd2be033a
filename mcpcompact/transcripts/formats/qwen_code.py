"""Sessions of Qwen Code: a JSON line a record, linked as Claude Code's are, with messages in Gemini's parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.formats.gemini_api import DIALECT, say
from mcpcompact.transcripts.model import Place, Transcript

SPOKEN = ("user", "assistant", "tool_result")


class QwenCode:
    name = "qwen_code"
    quiet = regex("system")

    def sniff(self, document: Document) -> float:
        lines = document.first or [mapped(document.root)]
        return float(any("sessionId" in line and _parts(line) for line in lines))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        for number, line in document.numbered():
            kind = mapped(line).get("type")
            build.here = Place(number, ())
            if kind in SPOKEN and _parts(line):
                self._message(build, line, Place(number, ("message",)))
            elif kind == "system" and line.get("subtype") == "chat_compression":
                build.forget(range(len(build.messages)))
                for content in map(mapped, listed(mapped(line.get("systemPayload")).get("compressedHistory"))):
                    say(build, content, None)
            else:
                build.skip(f"{kind} {line['subtype']}" if mapped(line).get("subtype") else kind or type(line).__name__)
        yield build.transcript

    def _message(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        before = len(build.messages)
        say(build, line["message"], at)
        if line["type"] == "assistant" and before < len(build.messages):
            build.messages[before].usage = DIALECT.usage(line) if line.get("usageMetadata") else None
            build.transcript.model = stated(line.get("model")) or build.transcript.model
        status = stated(mapped(line.get("toolCallResult")).get("status"))
        for message in build.messages[before:]:
            if message.result is not None:
                message.result.is_error = message.result.is_error or status == "error"


def _parts(line: Any) -> bool:
    return isinstance(mapped(mapped(line).get("message")).get("parts"), list)


FORMAT = QwenCode()
