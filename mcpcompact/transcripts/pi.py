"""Sessions of the pi coding agent: a JSON line an entry, messages nested under ``message``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Place, Transcript, Usage


class Pi:
    name = "pi"

    def sniff(self, document: Document) -> float:
        return float(any(line.get("type") == "session" and "cwd" in line for line in document.first[:1]))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        entries: list[int] = []  # of each entry, how many messages stood before it
        for number, line in document.lines():
            if not isinstance(line, dict):
                build.skip(type(line).__name__)
                continue
            kind = line.get("type")
            entries.append(len(build.messages))
            if kind == "message" and isinstance(line.get("message"), dict):
                self._message(build, number, line["message"])
            elif kind == "compaction":
                kept = line.get("firstKeptEntryIndex")
                first = entries[kept] if isinstance(kept, int) and 0 <= kept < len(entries) else len(build.messages)
                build.say("user", str(line.get("summary") or ""), forgets=range(first))
            else:
                if kind == "session":
                    build.transcript.model = str(line.get("modelId") or "")
                build.skip(kind)
        yield build.transcript

    def _message(self, build: Builder, number: int, message: dict[str, Any]) -> None:
        role, content = message.get("role"), message.get("content")
        if role == "toolResult":
            text, places, images = text_of(content, Place(number, ("message", "content")))
            build.result(
                message.get("toolCallId"),
                text,
                places=places,
                tool=str(message.get("toolName") or ""),
                is_error=bool(message.get("isError")),
                images=images,
            )
        elif role == "assistant":
            spoken = (
                [b for b in content if isinstance(b, dict) and b.get("type") == "text"]
                if isinstance(content, list)
                else content
            )
            build.say("assistant", text_of(spoken)[0], usage=_usage(message.get("usage")))
            build.transcript.model = str(message.get("model") or build.transcript.model)
            for block in content if isinstance(content, list) else ():
                if isinstance(block, dict) and block.get("type") == "toolCall":
                    build.call(block.get("id"), block.get("name"), block.get("arguments"))
        elif role == "bashExecution":
            build.say("user", f"$ {message.get('command') or ''}\n{message.get('output') or ''}")
        elif role == "user":
            build.say("user", text_of(content)[0])
        else:
            build.skip(f"message of {role}")


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    return Usage(*(int(value.get(key) or 0) for key in ("input", "cacheRead", "cacheWrite", "output")))


FORMAT = Pi()
