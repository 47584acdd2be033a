"""What every format's reader builds a transcript with: messages in order, results paired with their calls."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from mcpcompact.transcripts.document import UNREADABLE, parse
from mcpcompact.transcripts.model import Call, Message, Place, Result, Role, Step, Transcript, Usage

_TOKENS_MOST = 1e15  # no size

UNUSABLE_IDS = {"", "None", "null", "REDACTED"}
"""Ids that recorders write when there is none or they hide it: pairs are then found by order."""


QUIET_BLOCKS = {"text", "input_text", "output_text", "thinking", "redacted_thinking", "reasoning", "refusal", "image",
                "image_url", "input_image", "document", "file", "input_file", "audio", "input_audio", "video",
                "video_url", "tool_reference", "container_upload", "compaction"}  # fmt: skip
"""Blocks of a message that are its text, hidden thoughts, or no text."""


class Builder:
    """Collects one transcript. A result is paired with the open call of its id, else with the next one of its id that
    follows (records out of order) and finds no other; without a usable id, with the oldest open call (of the same tool,
    where the result names one)."""

    def __init__(self, format: str, source: str, name: str = "") -> None:
        self.transcript = Transcript([], format=format, source=source, name=name)
        self._open: dict[str, deque[Call]] = {}
        self._unanswered: dict[int, Call] = {}
        self._early: dict[str, Result] = {}  # by id, results that stand before their call, if that comes
        self._forgotten: list[int] = []
        self.here: Place | None = None  # the record, or element of a list, that is being read

    @property
    def messages(self) -> list[Message]:
        return self.transcript.messages

    def say(
        self,
        role: Role,
        text: str = "",
        *,
        usage: Usage | None = None,
        continues: bool = False,
        forgets: Sequence[int] = (),
        places: Sequence[Place] = (),
    ) -> Message:
        """A message of the system, the user or the assistant. Its calls follow by ``call``."""
        message = Message(role, text, usage=usage, continues=continues, forgets=self._due(forgets), places=places)
        message.at = self.here
        self.messages.append(message)
        return message

    def forget(self, positions: Sequence[int]) -> None:
        """The host takes these messages out of the context before the message that comes next."""
        self._forgotten += positions

    def _due(self, forgets: Sequence[int]) -> Sequence[int]:
        if self._forgotten:
            forgets, self._forgotten = sorted({*self._forgotten, *forgets}), []
        return forgets

    def call(
        self,
        id: object,
        tool: object,
        arguments: object,
        *,
        server: str = "",
        hosted: bool = False,
        message: Message | None = None,
    ) -> Call:
        """A tool call of ``message``, else of the last message; one is opened when that is no assistant's."""
        if message is None and (not self.messages or self.messages[-1].role != "assistant"):
            self.say("assistant")
        made = Call(str(id or ""), str(tool or ""), as_arguments(arguments), server, hosted)
        message = message or self.messages[-1]
        message.calls = [*message.calls, made]
        if hosted:
            return made
        if made.id in UNUSABLE_IDS:
            self._unanswered[_key(made)] = made
        else:
            self._open.setdefault(made.id, deque()).append(made)
            early = self._early.get(made.id)
            if early is not None and early.call is None:
                early.call = made
        return made

    def result(
        self,
        id: object,
        text: str,
        *,
        places: Sequence[Place] = (),
        tool: str = "",
        is_error: bool = False,
        images: int = 0,
        call: Call | None = None,
        forgets: Sequence[int] = (),
    ) -> Result:
        """A tool's answer, as a message of its own. ``call`` pairs it directly (call and result in one record)."""
        paired = call or self._match(str(id or ""), tool)
        if paired is not None:
            self._unanswered.pop(_key(paired), None)
        made = Result(text, paired, is_error, images, places)
        if paired is None and str(id or "") not in UNUSABLE_IDS:
            self._early.setdefault(str(id), made)
        elif paired is not None and (early := self._early.get(paired.id)) is not None and early.call is paired:
            early.call = None  # the id is used again: this is the call's own
        self.messages.append(Message("tool", text, result=made, forgets=self._due(forgets), at=self.here))
        return made

    def _match(self, id: str, tool: str) -> Call | None:
        if id not in UNUSABLE_IDS:
            waiting = self._open.get(id)
            return waiting.popleft() if waiting else None
        for call in self._unanswered.values():
            if not tool or call.tool == tool:
                return call
        return None

    def unknown(self, block: object) -> None:
        """Count a block of a message, neither call nor result, when its type is unknown."""
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind not in QUIET_BLOCKS:
            self.skip(f"block {kind}")

    def skip(self, kind: object) -> None:
        """Count a record that is not for the model, or that this reader does not know."""
        key = str(kind)
        self.transcript.skipped[key] = self.transcript.skipped.get(key, 0) + 1


def _key(call: Call) -> int:
    return id(call)


def as_count(value: object) -> int:
    """A number of tokens as recorders write it; 0 for anything else."""
    if isinstance(value, float):
        return int(value) if 0 <= value < _TOKENS_MOST else 0  # also refuses NaN
    return max(0, value) if isinstance(value, int) else 0


def as_arguments(value: object) -> Mapping[str, Any]:
    """Arguments as an object: parsed when they are JSON text, else under ``input``."""
    if isinstance(value, str):
        parsed = parse(value) if value.lstrip()[:1] in ("{", "[") else UNREADABLE
        value = {"input": value} if parsed is UNREADABLE else parsed
    if isinstance(value, Mapping):
        return value
    return {} if value is None else {"input": value}


def _said_under(block: dict[str, Any]) -> str:
    """The key under which a block's text stands; "" when it has none."""
    keys = ("text", "content", "value") if block.get("type") == "text" else ("text", "content")
    return next((key for key in keys if isinstance(block.get(key), str)), "")


def text_of(content: object, place: Place | None = None) -> tuple[str, list[Place], int]:
    """The text of a message's content (a string, typed blocks, one block, or nothing), where its strings stand
    relative to ``place`` (that of the content itself), and how many blocks are no text.

    Blocks of every provider are read by what they hold, nested ones in their place: ``text`` (or ``input_text``,
    ``output_text``: also under "text"), ``json``, or a ``content``; anything else (image, document, audio) is counted.
    """
    if content is None:
        return "", [], 0
    if isinstance(content, str):
        return content, [place] if place else [], 0
    parts: list[str] = []
    places: list[Place] = []
    others = 0
    rewritable = place is not None
    blocks: list[tuple[tuple[Step, ...], Any]] = [((), content)]
    if isinstance(content, list):
        blocks.clear()
        blocks += [((index,), block) for index, block in enumerate(content)][::-1]
    while blocks:
        path, block = blocks.pop()
        if isinstance(block, dict) and isinstance(block.get("content"), list) and "text" not in block:
            inner = [((*path, "content", index), part) for index, part in enumerate(block["content"])]
            blocks += reversed(inner)
            continue
        if isinstance(block, str):
            parts.append(block)
        elif isinstance(block, dict) and (key := _said_under(block)):
            parts.append(block[key])
            path = (*path, key)
        elif isinstance(block, dict) and isinstance(block.get("tool_name"), str):  # a tool that a search found
            parts.append(block["tool_name"])
            rewritable = False
            continue
        elif isinstance(block, dict) and "json" in block:
            import json

            parts.append(json.dumps(block["json"], ensure_ascii=False))
            rewritable = False
            continue
        else:
            others += 1
            continue
        if place:
            places.append(place.under(*path))
    return "\n".join(parts), places if rewritable else [], others
