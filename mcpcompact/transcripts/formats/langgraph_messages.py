"""LangChain messages as ``model_dump`` gives them: flat, as LangGraph's threads and LangSmith's runs keep them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import Tokens, say, told
from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.chat import usage_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.formats.langchain_messages import ROLES
from mcpcompact.transcripts.model import Place, Transcript

HOLDERS: tuple[tuple[str, ...], ...] = (
    (),
    ("messages",),
    ("values", "messages"),
    ("outputs", "messages"),
    ("output", "messages"),
    ("inputs", "messages"),
    ("state", "messages"),
)
"""Where a value may hold a list of messages; of a run, what came out repeats what went in."""
LOOKED = 8
USAGE = Tokens("input_tokens", "output_tokens", "cache_read", "cache_creation")


class LangGraphMessages:
    name = "langgraph_messages"

    def sniff(self, document: Document) -> float:
        root = document.root
        return 0.95 * (any(True for _ in _lists(root, Place(0, ()))) or (document.is_lines and _is_message(root)))

    def read(self, document: Document) -> Iterator[Transcript]:
        if document.is_lines and _is_message(document.root):
            yield self._transcript(document, list(document.records()), "")
            return
        found = [held for at, value in document.sections() for held in _lists(value, at)]
        for number, (messages, at) in enumerate(found, 1):
            placed = [(at.under(index), message) for index, message in enumerate(messages)]
            yield self._transcript(document, placed, str(number) if len(found) > 1 else "")

    def _transcript(self, document: Document, messages: list[tuple[Place, Any]], name: str) -> Transcript:
        build = Builder(self.name, document.path, name)
        for at, message in messages:
            about = mapped(mapped(message).get("response_metadata"))
            model = stated(about.get("model_name")) or stated(about.get("model"))
            build.transcript.model = model or build.transcript.model
            build.here = at
            used = mapped(mapped(message).get("usage_metadata"))
            usage = USAGE.read({**mapped(used.get("input_token_details")), **used}) or usage_of(
                about.get("token_usage")
            )
            say(build, told(message, at), usage=usage, kind=mapped(message).get("type"))
        return build.transcript


def _lists(value: Any, at: Place) -> Iterator[tuple[list[Any], Place]]:
    for path in HOLDERS:
        inner = value
        for key in path:
            inner = mapped(inner).get(key)
        messages = listed(inner)
        if any(map(_is_message, messages[:LOOKED])):
            yield messages, at.under(*path)
            return


def _is_message(value: Any) -> bool:
    value = mapped(value)
    known = stated(value.get("type")).lower() in ROLES
    return known and "content" in value and "role" not in value and not {"data", "message", "uuid"} & value.keys()


FORMAT = LangGraphMessages()
