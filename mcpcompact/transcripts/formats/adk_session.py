"""Sessions of Google's Agent Development Kit: events whose content is Gemini's, in snake or camel case."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import FEW, Builder, Document, Place, Reader, listed, mapped
from mcpcompact.transcripts.formats.gemini_api import Format as Gemini
from mcpcompact.transcripts.formats.gemini_api import say

TURN = {"invocation_id", "invocationId"}


class Format(Reader):
    keys = frozenset({"events"})
    quiet = "partial|event without"
    named = "id"

    def sniff(self, document: Document) -> float:
        events = [mapped(event) for event in listed(mapped(document.root).get("events"))[:FEW]]
        return float(bool(events) and all("author" in event and TURN & event.keys() for event in events))

    def session(self, build: Builder, value: Any, at: Place) -> None:
        for where, event in build.each(at, value, "events"):
            content, before = mapped(event.get("content")), len(build.messages)
            if event.get("partial") is True or not content.get("parts"):
                build.skip("partial event" if content else "event without content")
                continue
            role = content.get("role") or ("user" if event.get("author") == "user" else "model")
            say(build, content | {"role": role}, where.under("content"))
            build.model(build.transcript.model, event.get("model_version"), event.get("modelVersion"))
            for message in build.messages[before:]:
                message.at = where
                if message.role == "assistant" and not message.continues:
                    message.usage = Gemini().usage(event)
