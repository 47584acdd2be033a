"""Sessions of the Gemini CLI: one JSON document, or (newer) JSON lines. A call and its result stand in the same object.

Of JSON lines, the first is metadata and each other one a message, written again whole whenever it grows; ``$rewindTo``
takes that message and all later ones back, ``$set`` with messages puts these in the place of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import UNUSABLE_IDS, Builder, as_count, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.formats.gemini_api import answer_of
from mcpcompact.transcripts.model import Call, Place, Transcript, Usage


class GeminiCli:
    name = "gemini_cli"

    def sniff(self, document: Document) -> float:
        root = document.root
        if not isinstance(root, dict):
            return 0.0
        if "projectHash" in root and ("sessionId" in root or "messages" in root):
            return 1.0
        messages = root.get("messages")
        spoken = [m for m in (messages if isinstance(messages, list) else document.first) if isinstance(m, dict)]
        return 0.9 * any(m.get("type") == "gemini" and "content" in m for m in spoken)

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        latest: dict[str, tuple[Any, Place]] = {}
        stands: dict[str, range] = {}  # a message's positions in the transcript, by its id
        for known in (None, stands):  # first to know each message's last version, then to say it where it first stood
            for number, line in document.lines() if document.is_lines else iter([(0, document.value())]):
                if isinstance(line, dict):
                    self._line(build, line, Place(number, ()), latest, known)
                elif known is not None:
                    build.skip(type(line).__name__)
        document.problems = list(dict.fromkeys(document.problems))
        yield build.transcript

    def _line(
        self,
        build: Builder,
        line: dict[str, Any],
        at: Place,
        latest: dict[str, tuple[Any, Place]],
        stands: dict[str, range] | None,
    ) -> None:
        patch, back = line.get("$set"), line.get("$rewindTo")
        if isinstance(patch, dict):
            line, at = patch, at.under("$set")
        messages = line.get("messages")
        pairs = [(line, at)]
        if isinstance(messages, list):
            pairs = [(message, at.under("messages", index)) for index, message in enumerate(messages)]
        ids = [_id(message) for message, _ in pairs]
        if stands is None:
            latest.update((id, pair) for id, pair in zip(ids, pairs, strict=True) if id)
            return
        if isinstance(back, str):
            if back in stands:
                build.forget(range(stands[back].start, len(build.messages)))
            return
        if isinstance(patch, dict) and isinstance(messages, list):
            build.forget([n for id, span in stands.items() if id not in ids for n in span])
        for id, pair in zip(ids, pairs, strict=True):
            if id and id in stands:
                continue
            start = len(build.messages)
            message, where = latest[id] if id else pair
            build.here = where if where.path else None  # a line may be one of several versions
            self._message(build, message, where)
            if id:
                stands[id] = range(start, len(build.messages))

    def _message(self, build: Builder, message: Any, at: Place) -> None:
        kind = message.get("type") if isinstance(message, dict) else type(message).__name__
        if kind == "user":
            build.say("user", text_of(message.get("content"))[0])
        elif kind == "gemini":
            build.say("assistant", text_of(message.get("content"))[0], usage=_usage(message.get("tokens")))
            build.transcript.model = str(message.get("model") or build.transcript.model)
            calls = message.get("toolCalls")
            made: list[tuple[Call, dict[str, Any], Place]] = []
            for index, call in enumerate(calls if isinstance(calls, list) else ()):
                if isinstance(call, dict):
                    called = build.call(call.get("id"), call.get("name"), call.get("args"))
                    made.append((called, call, at.under("toolCalls", index, "result")))
            for called, call, where in made:
                self._result(build, called, call, where)
        else:
            build.skip(kind)

    def _result(self, build: Builder, called: Call, call: dict[str, Any], at: Place) -> None:
        result = call.get("result")
        if result is None or result == []:
            return  # cancelled before it ran
        texts: list[str] = []
        places: list[Place] = []
        others, whole, failed = 0, True, call.get("status") == "error"
        for index, part in enumerate(result if isinstance(result, list) else [result]):
            where = at.under(index) if isinstance(result, list) else at
            answer = part.get("functionResponse") if isinstance(part, dict) else None
            if isinstance(answer, dict):
                text, found, wrong = answer_of(answer.get("response"), where.under("functionResponse", "response"))
                failed = failed or wrong
            else:
                text, found, images = text_of(part, where)
                others += images
                if images:
                    continue
            texts.append(text)
            places += found
            whole = whole and (bool(found) or not text)
        build.result(
            called.id, "\n".join(texts), places=places if whole else [], is_error=failed, images=others, call=called
        )


def _id(message: Any) -> str:
    """What tells a message from the others of its session; "" when nothing does."""
    id = message.get("id") if isinstance(message, dict) and "type" in message else None
    return id if isinstance(id, str) and id not in UNUSABLE_IDS else ""


def _usage(tokens: Any) -> Usage | None:
    """``input`` includes what came from the cache; thoughts are output."""
    if not isinstance(tokens, dict):
        return None
    names = ("input", "cached", "tool", "output", "thoughts")
    prompt, cached, tool, output, thoughts = (as_count(tokens.get(name)) for name in names)
    return Usage(max(0, prompt + tool - cached), cached, 0, output + thoughts)


FORMAT = GeminiCli()
