"""Sessions of Google's Agent Development Kit: events whose content is Gemini's, in snake or camel case."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.formats.gemini_api import DIALECT, say
from mcpcompact.transcripts.model import Transcript

TURN = {"invocation_id", "invocationId"}
LOOKED = 8


class AdkSession:
    name = "adk_session"
    quiet = regex("partial|event without")

    def sniff(self, document: Document) -> float:
        events = [mapped(event) for event in listed(mapped(document.root).get("events"))[:LOOKED]]
        return float(bool(events) and all("author" in event and TURN & event.keys() for event in events))

    def read(self, document: Document) -> Iterator[Transcript]:
        for at, session in document.sections():
            session = mapped(session)
            build = Builder(self.name, document.path, stated(session.get("id")) if document.is_lines else "")
            for index, event in enumerate(map(mapped, listed(session.get("events")))):
                content = mapped(event.get("content"))
                if event.get("partial") is True or not content.get("parts"):
                    build.skip("partial event" if content else "event without content")
                    continue
                role = content.get("role") or ("user" if event.get("author") == "user" else "model")
                before = len(build.messages)
                say(build, content | {"role": role}, at.under("events", index, "content"))
                self._about(build, event, before)
            yield build.transcript

    def _about(self, build: Builder, event: dict[str, Any], before: int) -> None:
        model = stated(event.get("model_version")) or stated(event.get("modelVersion"))
        build.transcript.model = build.transcript.model or model
        for message in build.messages[before:]:
            if message.role == "assistant" and not message.continues:
                message.usage = DIALECT.usage(event)


FORMAT = AdkSession()
