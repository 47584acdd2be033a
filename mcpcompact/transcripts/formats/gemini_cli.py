"""Sessions of the Gemini CLI: one JSON document, or (newer) JSON lines. A call and its result stand in the same object.
Of JSON lines, the first is metadata and each other one a message, written again whole whenever it grows; ``$rewindTo``
takes that message and all later ones back, ``$set`` with messages puts these in the place of all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import output
from mcpcompact.transcripts.builder import NOWHERE, UNUSABLE_IDS, Builder, Place, Reader, Tokens, Transcript, text_of
from mcpcompact.transcripts.document import Document, listed, mapped, objects

USAGE = Tokens("input", "output", "cached", tools="tool", thoughts="thoughts")


class Format(Reader):
    keys = frozenset({"projectHash", "messages", "type"})
    quiet = "info|error|warning|about|help|quit|compression"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        if "projectHash" in root and ("sessionId" in root or "messages" in root):
            return 1.0
        spoken = map(mapped, listed(root.get("messages")) or document.first)
        return 0.9 * any(m.get("type") == "gemini" and "content" in m for m in spoken)

    def read(self, document: Document) -> Iterator[Transcript]:
        build = _Session(self.name, document.path)
        for at, line in Builder("", "").records(document.sections()):  # first to know each message's last version,
            build.latest.update((id, pair) for pair in _held(line, at)[0] if (id := _id(pair[0])))
        for at, line in build.records(document.sections()):  # then to say it where it first stood
            build.line(line, at)
        document.problems = list(dict.fromkeys(document.problems))
        yield build.transcript


class _Session(Builder):
    def __init__(self, format: str, source: str) -> None:
        super().__init__(format, source)
        self.latest: dict[str, tuple[Any, Place]] = {}

    def line(self, line: dict[str, Any], at: Place) -> None:
        back, (pairs, replaces) = line.get("$rewindTo"), _held(line, at)
        if isinstance(back, str):
            if back in self.stands:
                self.rewind(self.stands[back].start)
            return
        if replaces:
            ids = {_id(message) for message, _ in pairs}
            self.forget([n for id, span in self.stands.items() if id not in ids for n in span])
        for pair in pairs:
            id = _id(pair[0])
            if id in self.stands:
                continue
            message, where = self.latest.get(id, pair)
            self.here = where if where.path else NOWHERE  # a line may be one of several versions
            self.message(message, where)
            self.mark(id or None)

    def message(self, message: Any, at: Place) -> None:
        kind = message.get("type") if isinstance(message, dict) else type(message).__name__
        if kind == "user":
            self.hear("user", message.get("content"))
        elif kind == "gemini":
            reply = self.say("assistant", text_of(message.get("content"))[0], usage=USAGE.read(message.get("tokens")))
            self.model(message.get("model"))
            calls = [pair for pair in objects(at, message, "toolCalls") if pair[1]]
            asked = [self.call(c.get("id"), c.get("name"), c.get("args"), message=reply) for _, c in calls]
            for called, (where, call) in zip(asked, calls, strict=True):
                if call.get("result") not in (None, []):  # else it was cancelled before it ran
                    text, places, images = output(call["result"], where.under("result"))
                    failed = call.get("status") == "error" or any(map(_failed, listed(call["result"])))
                    self.result(called.id, text, places, failed=failed, images=images, call=called)
        else:
            self.skip(kind)


def _held(line: dict[str, Any], at: Place) -> tuple[list[tuple[Any, Place]], bool]:
    """The messages in a line, and whether they replace all."""
    patch = line.get("$set")
    line, at = (patch, at.under("$set")) if isinstance(patch, dict) else (line, at)
    messages = line.get("messages")
    if not isinstance(messages, list):
        return [(line, at)], False
    return [(m, at.under("messages", n)) for n, m in enumerate(messages)], isinstance(patch, dict)


def _failed(part: Any) -> bool:
    return bool(mapped(mapped(mapped(part).get("functionResponse")).get("response")).get("error"))


def _id(message: Any) -> str:
    """What tells a message from the others of its session; "" when nothing does."""
    id = message.get("id") if isinstance(message, dict) and "type" in message else None
    return id if isinstance(id, str) and id not in UNUSABLE_IDS else ""
