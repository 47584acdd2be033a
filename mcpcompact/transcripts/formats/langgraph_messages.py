"""LangChain messages as ``model_dump`` gives them: flat, as LangGraph's threads and LangSmith's runs keep them."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.blocks import say, told
from mcpcompact.transcripts.builder import NOWHERE, Builder, Document, Place, Tokens, Usage, mapped, stated
from mcpcompact.transcripts.chat import usage_of
from mcpcompact.transcripts.conversations import Conversations

TYPICAL = {"human", "ai", "aimessagechunk"}
USAGE = Tokens("input_tokens", "output_tokens", "cache_read", "cache_creation")


class Format(Conversations):
    keys = frozenset({"type", "messages", "values", "outputs", "inputs"})
    holders = ("", "messages", "values messages", "outputs messages", "inputs messages")  # of a run, first the output

    def sniff(self, document: Document) -> float:
        lines = document.is_lines and any(map(self.is_message, document.first))
        return 0.95 * (lines or bool(self.held(document.root, NOWHERE)[0]))

    def message(self, build: Builder, message: dict[str, Any], at: Place) -> None:
        say(build, told(message, at), usage=usage(build, message), kind=message.get("type"))

    def is_message(self, value: Any) -> bool:
        value = mapped(value)
        known = stated(value.get("type")).lower() in TYPICAL
        return known and "content" in value and "role" not in value and not {"data", "message", "uuid"} & value.keys()


def usage(build: Builder, message: dict[str, Any]) -> Usage | None:
    """The tokens of a message, and its model to the builder."""
    known, used = mapped(message.get("response_metadata")), mapped(message.get("usage_metadata"))
    build.model(known.get("model_name"), known.get("model"))
    return USAGE.read({**mapped(used.get("input_token_details")), **used}) or usage_of(known.get("token_usage"))
