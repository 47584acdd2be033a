"""Messages as LangChain serialises them: by ``dumps`` (constructors), or by ``messages_to_dict`` (type and data)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import ROLES, say, told
from mcpcompact.transcripts.builder import Builder, Reader
from mcpcompact.transcripts.document import FEW, Document, listed, mapped, stated
from mcpcompact.transcripts.formats.langgraph_messages import about
from mcpcompact.transcripts.model import Place, Transcript

SPEAKERS = ROLES | {"chat": "user", "aimessagechunk": "assistant"}


class Format(Reader):
    keys = frozenset({"lc", "data", "messages"})

    def sniff(self, document: Document) -> float:
        root = document.root
        first = root[:FEW] if isinstance(root, list) else root
        lists = _lists(first, Place(0, ())) if not document.is_lines else []
        found = [message for messages, _ in lists for message in messages[:4]] or [root]
        return float(any(_opened(message) is not None for message in found))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        for at, value in document.sections():
            if _opened(value) is not None:
                _message(build, value, at)
                continue
            lists = _lists(value, at)
            for index, (messages, where) in enumerate(lists, 1):
                name = str(at.record + 1) if document.is_lines else str(index) if len(lists) > 1 else ""
                inner = Builder(self.name, document.path, name)
                for place, message in inner.each(where, messages):
                    _message(inner, message, place)
                yield inner.transcript
        if build.messages:
            yield build.transcript


def _message(build: Builder, message: dict[str, Any], at: Place) -> None:
    opened = _opened(message)
    if opened is None:
        build.skip(message.get("type") or "dict")
        return
    role, body, key = opened
    usage = about(build, body) if role == "assistant" else None
    say(build, told(body | {"role": role}, at.under(key)), usage=usage)


def _lists(value: Any, at: Place) -> list[tuple[list[Any], Place]]:
    """The lists of messages in a value: itself, or under ``messages``, of one or of many."""
    if isinstance(value, list) and any(_opened(message) is not None for message in value[:4]):
        return [(value, at)]
    placed = [(at.under(n), inner) for n, inner in enumerate(value)] if isinstance(value, list) else [(at, value)]
    held = ((mapped(inner).get("messages"), where.under("messages")) for where, inner in placed)
    return [(messages, where) for messages, where in held if isinstance(messages, list)]


def _opened(message: Any) -> tuple[str, dict[str, Any], str] | None:
    """The role, the body and the body's key of a serialised message."""
    message = mapped(message)
    ids = listed(message.get("id"))
    if message.get("lc") is not None and ids and isinstance(message.get("kwargs"), dict):
        body = message["kwargs"]
        kind = stated(ids[-1]).lower().removesuffix("chunk").removesuffix("message")
        role = SPEAKERS.get(stated(body.get("type")).lower()) or SPEAKERS.get(kind)
        return (role, body, "kwargs") if role else None
    if "content" in mapped(message.get("data")):
        role = SPEAKERS.get(stated(message.get("type")).lower())
        return (role, message["data"], "data") if role else None
    return None
