"""Messages as LangChain serialises them: by ``dumps`` (constructors), or by ``messages_to_dict`` (type and data)."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.blocks import ROLES, say, told
from mcpcompact.transcripts.builder import FEW, NOWHERE, Builder, Document, Place, listed, mapped, stated
from mcpcompact.transcripts.conversations import Conversations
from mcpcompact.transcripts.formats.langgraph_messages import usage

SPEAKERS = ROLES | {"chat": "user", "aimessagechunk": "assistant"}


class Format(Conversations):
    keys = frozenset({"lc", "data", "messages"})

    def sniff(self, document: Document) -> float:
        some = document.some[:FEW]
        return float(any(self.is_message(value) or self.held(value, NOWHERE)[0] for value in some))

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        if opened := _opened(message):
            role, body, key = opened
            tokens = usage(build, body) if role == "assistant" else None
            say(build, told(body | {"role": role}, at.under(key)), usage=tokens)
        else:
            build.skip(message.get("type") or "dict")

    def is_message(self, value: Any) -> bool:
        return _opened(value) is not None


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
