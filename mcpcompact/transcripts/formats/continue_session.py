"""Sessions of Continue (``.continue/sessions/ID.json``): chat messages, and beside them what the tools put out."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.blocks import say, told
from mcpcompact.transcripts.builder import Builder, Document, Lines, Tokens, listed, mapped, objects, stated, text_of
from mcpcompact.transcripts.model import Place, Usage

USAGE = Tokens("promptTokens", "completionTokens", "cachedTokens", "cacheWriteTokens")
FAILED = ("errored", "canceled")


class Format(Lines):
    keys = frozenset({"history"})

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        items = [mapped(item) for item in listed(root.get("history"))]
        nested = bool(items) and all("role" in mapped(item.get("message")) for item in items)
        return float(nested and ("sessionId" in root or "workspaceDirectory" in root))

    def record(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        items = list(build.each(at, line, "history"))
        answered = {str(mapped(item.get("message")).get("toolCallId")) for _, item in items}
        for where, item in items:
            build.here, message = where, mapped(item.get("message"))
            log = mapped((listed(item.get("promptLogs")) or [None])[-1])
            build.model(log.get("modelTitle"))
            if message.get("role") == "thinking":
                continue
            context = text_of(item.get("contextItems"))[0] if message.get("role") == "user" else ""
            turn = told(message, where.under("message"))
            turn = turn._replace(text=f"{context}\n{turn.text}", places=()) if context else turn
            say(build, turn, usage=_usage(message.get("usage")), kind=message.get("role"))
            for place, state in objects(where, item, "toolCallStates"):
                id, output = state.get("toolCallId"), state.get("output")
                if str(id) not in answered and isinstance(output, list):
                    build.answer(id, output, place.under("output"), failed=stated(state.get("status")) in FAILED)
        if not any(message.usage for message in build.messages):
            build.transcript.usage = _usage(line.get("usage"))


def _usage(value: Any) -> Usage | None:
    value = mapped(value)
    return USAGE.read({**mapped(value.get("promptTokensDetails")), **value})
