"""Conversations in the shape of ShareGPT: ``from`` and ``value``.

The human's turns after the first are results: in this training data for agents the environment answers as the human.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.chat import ROLES, answer, call
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.formats.openai_chat import name_of
from mcpcompact.transcripts.model import Place, Transcript

LOOKED = 4


class ShareGPT:
    name = "sharegpt_conversations"

    def sniff(self, document: Document) -> float:
        root = document.root
        elements = root[:LOOKED] if isinstance(root, list) else [root]
        return 0.8 * any(_usable(element) for element in elements)

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines:
            found = [(Place(number, ()), line) for number, line in document.lines()]
        else:
            value = document.value()
            whole = Place(0, ())
            found = [(whole.under(n), v) for n, v in enumerate(value)] if isinstance(value, list) else [(whole, value)]
        names: set[str] = set()
        for number, (at, element) in enumerate(found, 1):
            if _usable(element):
                name = name_of(element, number, names) if len(found) > 1 else ""
                yield _transcript(Builder(self.name, document.path, name), mapped(element), at)


def _usable(element: Any) -> bool:
    turns = listed(mapped(element).get("conversations"))
    return any(_role(mapped(turn)) and ("value" in turn or "content" in turn) for turn in turns[:LOOKED])


def _role(turn: dict[str, Any]) -> str:
    return ROLES.get(stated(turn.get("from") or turn.get("role")).lower(), "")


def _transcript(build: Builder, element: dict[str, Any], at: Place) -> Transcript:
    if system := stated(element.get("system")):
        build.say("system", system)
    for index, turn in enumerate(listed(element.get("conversations"))):
        turn = mapped(turn)
        role, key = _role(turn), "value" if "value" in turn else "content"
        text, places, images = text_of(turn.get(key), at.under("conversations", index, key))
        if role == "tool" or (role == "user" and any(m.role == "assistant" for m in build.messages)):
            answer(build, text, places, images=images)
        elif role == "call":
            build.say("assistant")
            call(build, turn.get(key))
        elif role:
            build.say("assistant" if role == "assistant" else "system" if role == "system" else "user", text)
        else:
            build.skip(f"turn of {turn.get('from') or turn.get('role')}")
    return build.transcript


FORMAT = ShareGPT()
