"""Responses items without a dump around them: one request, one response, a bare list, and what the OpenAI Agents SDK
keeps as its history (JavaScript spells keys in camel case and calls outputs results)."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Place, listed, mapped, stated
from mcpcompact.transcripts.document import LOOKED
from mcpcompact.transcripts.formats.openai_responses import CALLS
from mcpcompact.transcripts.formats.openai_responses import Format as OpenAIResponses

LISTS = ("input", "output", "history", "items")
TYPES = {"function_call_result": "function_call_output", "computer_call_result": "computer_call_output"}


class Format(OpenAIResponses):
    keys = frozenset({*LISTS, "type"})

    def sniff(self, document: Document) -> float:
        roots = [document.root, *document.first[1:2]] if document.is_lines else [document.root]
        return 0.95 * any(any(map(_typical, _held(root)[0][:LOOKED])) for root in roots)

    def session(self, build: Builder, value: Any, at: Place) -> None:
        items, key = _held(value)
        body = mapped(value)
        build.model(body.get("model"))
        build.tell("system", body.get("instructions"))
        self.items(build, list(map(_as_item, items)), at.under(*key))
        if "output" in key and build.spoken:
            build.spoken[-1].usage = self.usage(body)


def _held(value: Any) -> tuple[list[Any], tuple[str, ...]]:
    """The items in a value, and under which key."""
    if isinstance(value, list):
        return value, ()
    key = next((key for key in LISTS if isinstance(mapped(value).get(key), list)), "")
    return (listed(value[key]), (key,)) if key else ([], ())


def _as_item(item: Any) -> dict[str, Any]:
    item = mapped(item)
    kind = stated(item.get("type"))
    kind = stated(item.get("name")) if kind == "hosted_tool_call" else TYPES.get(kind, kind)
    return {**item, "type": kind, "call_id": item.get("call_id", item.get("callId"))}


def _typical(item: Any) -> bool:
    """A call or an output, which no other API's list holds."""
    item = mapped(item)
    kind = stated(item.get("type"))
    return ("call_id" in item or "callId" in item) and (kind in CALLS or kind.endswith(("_output", "_result")))
