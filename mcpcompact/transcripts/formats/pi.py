"""Sessions of the pi coding agent: a JSON line an entry, messages nested under ``message``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Place, Transcript, Usage


class Pi:
    name = "pi_session"

    def sniff(self, document: Document) -> float:
        lines = document.first or [document.root]
        entries = [line for line in lines if isinstance(line, dict)]
        if any(line.get("type") == "session" and "cwd" in line for line in entries[:1]):
            return 1.0
        kinds = {line.get("type") for line in entries if isinstance(line.get("type"), str)}
        inner = [line["message"] for line in entries if isinstance(line.get("message"), dict)]
        return 0.9 * ("message" in kinds and any(m.get("role") in ("user", "assistant", "toolResult") for m in inner))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        entries: list[int] = []  # of each entry, the session's own line included, how many messages stood before it
        ids: dict[str, int] = {}
        for number, line in document.lines() if document.is_lines else iter([(0, document.value())]):
            if not isinstance(line, dict):
                build.skip(type(line).__name__)
                continue
            kind, build.here = line.get("type"), Place(number, ())
            entries.append(len(build.messages))
            ids[str(line.get("id"))] = len(build.messages)
            if kind == "message" and isinstance(line.get("message"), dict):
                self._message(build, number, line["message"])
            elif kind == "compaction":
                kept, first = line.get("firstKeptEntryIndex"), len(build.messages)
                if isinstance(kept, int) and 0 <= kept < len(entries):
                    first = entries[kept]
                elif "firstKeptEntryId" in line:
                    first = ids.get(str(line["firstKeptEntryId"]), first)
                build.forget(range(first))
                if line.get("summary"):
                    build.say("user", str(line["summary"]))
            else:
                if kind == "session":
                    build.transcript.model = str(line.get("modelId") or "")
                    build.transcript.parent = str(line.get("parentSession") or "")
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
            self._assistant(build, message, content)
        elif role == "bashExecution":
            build.say("user", f"$ {message.get('command') or ''}\n{message.get('output') or ''}")
        elif role == "user":
            build.say("user", text_of(content)[0])
        else:
            build.skip(f"message of {role}")

    def _assistant(self, build: Builder, message: dict[str, Any], content: Any) -> None:
        blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
        usage, stopped = _usage(message.get("usage")), message.get("stopReason")
        if stopped in ("aborted", "error") and not blocks and not (usage and usage.prompt):
            build.skip(f"assistant {stopped}")  # stopped before the model said or cost anything
            return
        spoken = [block for block in blocks if block.get("type") == "text"] if blocks else content
        build.say("assistant", text_of(spoken)[0], usage=usage)
        build.transcript.model = str(message.get("model") or build.transcript.model)
        for block in blocks:
            if block.get("type") == "toolCall":
                build.call(block.get("id"), block.get("name"), block.get("arguments"))


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    return Usage(*(as_count(value.get(key)) for key in ("input", "cacheRead", "cacheWrite", "output")))


FORMAT = Pi()
