"""Sessions of the pi coding agent: a JSON line an entry, messages nested under ``message``."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.blocks import answered, more, say, told
from mcpcompact.transcripts.builder import Builder, Document, Lines, Place, Tokens, mapped

USAGE = Tokens("input", "output", "cacheRead", "cacheWrite", whole=False)
ROLES = ("user", "assistant", "toolResult")


class _Session(Builder):
    def __init__(self, format: str, source: str) -> None:
        super().__init__(format, source)
        self.entries: list[int] = []  # of each entry, the session's own line included, how many messages stood before


class Format(Lines):
    keys = frozenset({"cwd", "message"})
    quiet = "session|thinking_level_change|model_change|assistant |custom$|label"
    builder = _Session

    def sniff(self, document: Document) -> float:
        entries = document.objects
        if any(line.get("type") == "session" and "cwd" in line for line in entries[:1]):
            return 1.0
        spoken = any(mapped(line.get("message")).get("role") in ROLES for line in entries if "message" in line)
        return 0.9 * (spoken and any(line.get("type") == "message" for line in entries))

    def record(self, build: _Session, line: dict[str, Any], at: Place) -> None:
        kind, before = line.get("type"), len(build.messages)
        build.entries.append(before)
        if kind == "message" and isinstance(line.get("message"), dict):
            _message(build, line["message"], at.under("message"))
        elif kind == "compaction":
            kept, first = line.get("firstKeptEntryIndex"), before
            if isinstance(kept, int) and 0 <= kept < len(build.entries):
                first = build.entries[kept]
            elif "firstKeptEntryId" in line:
                first = build.stands.get(str(line["firstKeptEntryId"]), range(first, first)).start
            build.forget(range(first))
            build.tell("user", line.get("summary"))
        else:
            if kind == "session":
                build.model(line.get("modelId"))
                build.transcript.parent = str(line.get("parentSession") or "")
            build.skip(kind)
        build.mark(line.get("id"))


def _message(build: Builder, message: dict[str, Any], at: Place) -> None:
    role, usage, stopped = message.get("role"), USAGE.read(message.get("usage")), message.get("stopReason")
    silent = not (message.get("content") or (usage and usage.prompt))
    if role == "bashExecution":
        build.say("user", f"$ {message.get('command') or ''}\n{message.get('output') or ''}")
    elif role == "assistant" and stopped in ("aborted", "error") and silent:
        build.skip(f"assistant {stopped}")  # stopped before the model said or cost anything
    elif role == "assistant":
        more(build, message.get("content"), build.say("assistant", usage=usage))
    elif role == "toolResult":
        build.result(*answered(message, at))
    else:
        say(build, told(message, at), kind=role)
    build.model(message.get("model"))
