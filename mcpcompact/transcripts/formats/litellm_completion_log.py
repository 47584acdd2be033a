"""Logs of completions that the OpenHands SDK writes through litellm: a file a model call, each with its history. Where
the model cannot call functions, tools stand in the prompt and results are what the user says."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import NOWHERE, Builder, Document, Place, Reader, as_count, listed, mapped
from mcpcompact.transcripts.chat import say, usage_of

ABOUT = {"kwargs", "cost", "latency_sec", "context_window", "raw_response", "raw_messages"}


class Format(Reader):
    keys = frozenset({"response"})

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(isinstance(root.get("messages"), list) and "response" in root and len(ABOUT & root.keys()) > 1)

    def session(self, build: Builder, value: Any, at: Place) -> None:
        log = mapped(value)
        for where, message in build.each(at, log, "messages"):
            say(build, message, where)
        response = mapped(log.get("response"))
        build.model(response.get("model"))
        build.transcript.window = as_count(log.get("context_window")) or None
        choice, build.here = mapped((listed(response.get("choices")) or [None])[0]), NOWHERE
        if isinstance(choice.get("message"), dict):
            say(build, choice["message"] | {"role": "assistant"}, usage=usage_of(response.get("usage")))
