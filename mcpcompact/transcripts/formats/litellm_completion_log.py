"""Logs of completions that the OpenHands SDK writes through litellm: a file a model call, each with its history.

Where the model cannot call functions, tools stand in the prompt and results are what the user says.
"""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.transcripts.builder import Builder
from mcpcompact.transcripts.chat import number, say, usage_of
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.model import Place, Transcript

ABOUT = {"kwargs", "cost", "latency_sec", "context_window", "raw_response", "raw_messages"}


class LitellmCompletionLog:
    name = "litellm_completion_log"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        return float(isinstance(root.get("messages"), list) and "response" in root and len(ABOUT & root.keys()) > 1)

    def read(self, document: Document) -> Iterator[Transcript]:
        lines = document.lines() if document.is_lines else [(0, document.value())]
        for at, log in lines:
            build = Builder(self.name, document.path, str(at + 1) if document.is_lines else "")
            log = mapped(log)
            for index, message in enumerate(listed(log.get("messages"))):
                say(build, message, Place(at, ("messages", index)))
            build.here = None
            response = mapped(log.get("response"))
            build.transcript.model = stated(response.get("model"))
            build.transcript.window = number(log.get("context_window")) or None
            choice = mapped((listed(response.get("choices")) or [None])[0])
            if isinstance(choice.get("message"), dict):
                usage = usage_of(response.get("usage"))
                say(build, choice["message"] | {"role": "assistant"}, None, usage=usage)
            yield build.transcript


FORMAT = LitellmCompletionLog()
