"""Conversations in the shape of ShareGPT: ``from`` and ``value``. Where no turn of the file has the role of a tool, but
agents act in it, the human's turns after the first are results: in such training data the environment answers as the
human. Else these are a person's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.blocks import ROLES
from mcpcompact.transcripts.builder import Builder, Document, Place, Reader, Transcript, listed, mapped, stated, text_of
from mcpcompact.transcripts.chat import ANSWER, answer, call, tagged
from mcpcompact.transcripts.conversations import name_of

LOOKED = 4
ACTS = regex(r"(?im)^\W*(?:act|actions?)\b[^:\n]{0,20}:|<(?:execute\w*>|action>|function=)")
"""How an agent's turn names its action, in data without a role for calls."""


class Format(Reader):
    keys = frozenset({"conversations"})

    def sniff(self, document: Document) -> float:
        return 0.8 * any(map(_usable, document.some[:LOOKED]))

    def read(self, document: Document) -> Iterator[Transcript]:
        records = list(document.records())
        left, names = 0, set[str]()
        turns = [turn for _, element in records for turn in map(mapped, listed(mapped(element).get("conversations")))]
        acted = any(_role(turn) == "assistant" and ACTS.search(_said(turn)) for turn in turns)
        environment = acted and not any(_role(turn) in ("tool", "call") for turn in turns)
        for number, (at, element) in enumerate(records, 1):
            if not _usable(element):
                left += 1
            else:
                name = name_of(element, number, names) if len(records) > 1 else ""
                yield _transcript(Builder(self.name, document.path, name), mapped(element), at, environment)
        document.left_out(left)


def _usable(element: Any) -> bool:
    turns = listed(mapped(element).get("conversations"))
    return any(_role(mapped(turn)) and ("value" in turn or "content" in turn) for turn in turns[:LOOKED])


def _role(turn: dict[str, Any]) -> str:
    return ROLES.get(stated(turn.get("from") or turn.get("role")).lower(), "")


def _said(turn: dict[str, Any]) -> str:
    return stated(turn.get("value") or turn.get("content"))


def _transcript(build: Builder, element: dict[str, Any], at: Place, environment: bool) -> Transcript:
    build.model(element.get("model"))
    build.tell("system", element.get("system"))
    for where, turn in build.each(at, element, "conversations"):
        role, key = _role(turn), "value" if "value" in turn else "content"
        text, places, images = text_of(turn.get(key), where.under(key))
        answers = ANSWER.match(text) or (environment and build.spoken)
        if role == "tool" or (role == "user" and answers):
            answer(build, text, places, images=images)
        elif role == "call":
            if not build.speaking or not build.speaking.calls:
                build.say("assistant")
            call(build, turn.get(key))
        elif role == "assistant":
            build.say("assistant", text)
            tagged(build, text)
        elif role:
            build.say("system" if role == "system" else "user", text)
        else:
            build.skip(f"turn of {turn.get('from') or turn.get('role')}")
    return build.transcript
