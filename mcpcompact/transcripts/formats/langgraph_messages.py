"""LangChain messages as ``model_dump`` gives them: flat, as LangGraph's threads and LangSmith's runs keep them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import say, told
from mcpcompact.transcripts.builder import Builder, Reader, Tokens
from mcpcompact.transcripts.chat import usage_of
from mcpcompact.transcripts.document import FEW, Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript, Usage

HOLDERS = [path.split() for path in ("", "messages", "values messages", "outputs messages", "inputs messages")]
"""Where a value may hold a list of messages; of a run, what came out repeats what went in."""
TYPICAL = {"human", "ai", "aimessagechunk"}
USAGE = Tokens("input_tokens", "output_tokens", "cache_read", "cache_creation")


class Format(Reader):
    keys = frozenset({"type", *(path[0] for path in HOLDERS if path)})

    def sniff(self, document: Document) -> float:
        root = document.root
        return 0.95 * (bool(_held(root, Place(0, ()))) or (document.is_lines and any(map(_is_message, document.first))))

    def read(self, document: Document) -> Iterator[Transcript]:
        lines = document.is_lines and any(map(_is_message, document.first))  # a message a line
        found = [list(document.sections())] if lines else [_held(value, at) for at, value in document.sections()]
        for number, messages in enumerate(filter(None, found), 1):
            build = Builder(self.name, document.path, str(number) if len(found) > 1 else "")
            for at, message in build.records(messages):
                say(build, told(message, at), usage=about(build, message), kind=message.get("type"))
            yield build.transcript


def about(build: Builder, message: dict[str, Any]) -> Usage | None:
    """The tokens of a message, and its model to the builder."""
    known, used = mapped(message.get("response_metadata")), mapped(message.get("usage_metadata"))
    build.model(known.get("model_name"), known.get("model"))
    return USAGE.read({**mapped(used.get("input_token_details")), **used}) or usage_of(known.get("token_usage"))


def _held(value: Any, at: Place) -> list[tuple[Place, Any]]:
    """The messages that a value holds, and where each stands."""
    for path in HOLDERS:
        inner = value
        for key in path:
            inner = mapped(inner).get(key)
        messages = listed(inner)
        if any(map(_is_message, messages[:FEW])):
            return [(at.under(*path, index), message) for index, message in enumerate(messages)]
    return []


def _is_message(value: Any) -> bool:
    value = mapped(value)
    known = stated(value.get("type")).lower() in TYPICAL
    return known and "content" in value and "role" not in value and not {"data", "message", "uuid"} & value.keys()
