"""Sessions of Continue (``.continue/sessions/ID.json``): chat messages, and beside them what the tools put out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.blocks import Tokens, say, told
from mcpcompact.transcripts.builder import Builder, text_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript

USAGE = Tokens("promptTokens", "completionTokens", "cachedTokens", "cacheWriteTokens")
FAILED = ("errored", "canceled")


class ContinueSession:
    name = "continue_session"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        items = [mapped(item) for item in listed(root.get("history"))]
        nested = bool(items) and all("role" in mapped(item.get("message")) for item in items)
        return float(nested and ("sessionId" in root or "workspaceDirectory" in root))

    def read(self, document: Document) -> Iterator[Transcript]:
        root = mapped(document.value())
        build = Builder(self.name, document.path)
        items = [mapped(item) for item in listed(root.get("history"))]
        answered = {str(mapped(item.get("message")).get("toolCallId")) for item in items}
        for index, item in enumerate(items):
            at = Place(0, ("history", index))
            message = mapped(item.get("message"))
            log = mapped((listed(item.get("promptLogs")) or [None])[-1])
            build.transcript.model = stated(log.get("modelTitle")) or build.transcript.model
            if message.get("role") == "thinking":
                continue
            build.here = at
            context = text_of(item.get("contextItems"))[0] if message.get("role") == "user" else ""
            said = told(message, at.under("message"))
            said = said._replace(text=f"{context}\n{said.text}", places=()) if context else said
            say(build, said, usage=_usage(message.get("usage")), kind=message.get("role"))
            for number, state in enumerate(map(mapped, listed(item.get("toolCallStates")))):
                id, output = state.get("toolCallId"), state.get("output")
                if str(id) not in answered and isinstance(output, list):
                    text, places, images = text_of(output, at.under("toolCallStates", number, "output"))
                    failed = stated(state.get("status")) in FAILED
                    build.result(id, text, places=places, images=images, is_error=failed)
        if not any(message.usage for message in build.messages):
            build.transcript.usage = _usage(root.get("usage"))
        yield build.transcript


def _usage(value: Any) -> Any:
    value = mapped(value)
    return USAGE.read({**mapped(value.get("promptTokensDetails")), **value})


FORMAT = ContinueSession()
