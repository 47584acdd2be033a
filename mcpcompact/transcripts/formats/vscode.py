"""Chat replays that VS Code's Copilot Chat exports: one JSON document of prompts, each with its log of requests and
tool calls; a call and its result stand in the same entry."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Place, Transcript, Usage

HELPERS = ("title", "progressMessages", "promptCategor", "intentDetection", "copilotLanguageModelWrapper")
"""How the names of requests begin that the host makes for itself, beside the conversation."""


class ChatReplay:
    name = "vscode_chatreplay"

    def sniff(self, document: Document) -> float:
        root = document.root
        prompts = root.get("prompts", [root]) if isinstance(root, dict) else None
        if not isinstance(prompts, list):
            return 0.0
        return float(any(isinstance(p, dict) and "prompt" in p and isinstance(p.get("logs"), list) for p in prompts))

    def read(self, document: Document) -> Iterator[Transcript]:
        build = Builder(self.name, document.path)
        root = document.value()
        prompts = root.get("prompts") if isinstance(root, dict) else None
        placed = [(root, Place(0, ()))]
        if isinstance(prompts, list):
            placed = [(prompt, Place(0, ("prompts", index))) for index, prompt in enumerate(prompts)]
        for prompt, at in placed:
            if not isinstance(prompt, dict):
                build.skip(type(prompt).__name__)
                continue
            logs = prompt.get("logs")
            logs = logs if isinstance(logs, list) else []
            self._system(build, logs)
            build.say("user", text_of(prompt.get("prompt"))[0])
            for index, log in enumerate(logs):
                self._log(build, log, at.under("logs", index))
        yield build.transcript

    def _system(self, build: Builder, logs: list[Any]) -> None:
        """The system prompt, which stands only in the requests: the first one's."""
        if build.messages:
            return
        for log in logs:
            request = log.get("requestMessages") if isinstance(log, dict) else None
            messages = request.get("messages") if isinstance(request, dict) else request
            first = messages[0] if isinstance(messages, list) and messages else None
            if isinstance(first, dict) and first.get("role") in (0, "system"):
                build.say("system", text_of(first.get("content"))[0])
                return

    def _log(self, build: Builder, log: Any, at: Place) -> None:
        kind = log.get("kind") if isinstance(log, dict) else type(log).__name__
        if kind == "request" and str(log.get("name") or "").startswith(HELPERS):
            build.skip(f"request {log['name']}")
        elif kind == "request":
            metadata, response = log.get("metadata"), log.get("response")
            metadata = metadata if isinstance(metadata, dict) else {}
            said = response.get("message") if isinstance(response, dict) else response
            build.say("assistant", text_of(said)[0], usage=_usage(metadata.get("usage")))
            build.transcript.model = build.transcript.model or str(metadata.get("model") or "")
            limit = metadata.get("maxPromptTokens")
            if isinstance(limit, int):
                build.transcript.window = limit
        elif kind == "toolCall":
            call = None
            if build.messages and build.messages[-1].role == "tool":  # a parallel call of the same message
                spoken = next((m for m in reversed(build.messages) if m.role != "tool"), None)
                if spoken is not None and spoken.role == "assistant":
                    call = build.call(log.get("id"), log.get("tool"), log.get("args"), message=spoken)
            call = call or build.call(log.get("id"), log.get("tool"), log.get("args"))
            if log.get("response") is not None:
                text, places, others = text_of(log["response"], at.under("response"))
                build.result(call.id, text, places=places, images=others, call=call)
        else:
            build.skip(kind)


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    details = value.get("prompt_tokens_details")
    cached = as_count(details.get("cached_tokens")) if isinstance(details, dict) else 0
    prompt, output = as_count(value.get("prompt_tokens")), as_count(value.get("completion_tokens"))
    return Usage(max(0, prompt - cached), cached, 0, output) if prompt or output else None


FORMAT = ChatReplay()
