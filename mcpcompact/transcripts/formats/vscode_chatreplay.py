"""Chat replays that VS Code's Copilot Chat exports: one JSON document of prompts, each with its log of requests and
tool calls; a call and its result stand in the same entry."""

from __future__ import annotations

from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Lines, Place, listed, mapped, stated, text_of
from mcpcompact.transcripts.chat import usage_of

HELPERS = ("title", "progressMessages", "promptCategor", "intentDetection", "copilotLanguageModelWrapper")
"""How the names of requests begin that the host makes for itself, beside the conversation."""


class Format(Lines):
    keys = frozenset({"prompts", "prompt"})
    quiet = "request |element"

    def sniff(self, document: Document) -> float:
        root = mapped(document.root)
        prompts = map(mapped, listed(root.get("prompts", [root])))
        return float(any("prompt" in prompt and isinstance(prompt.get("logs"), list) for prompt in prompts))

    def record(self, build: Builder, line: dict[str, Any], at: Place) -> None:
        several = isinstance(line.get("prompts"), list)
        for where, prompt in build.each(at, line, "prompts") if several else [(at, line)]:
            if not build.messages:
                _system(build, prompt)
            build.hear("user", prompt.get("prompt"))
            for place, log in build.each(where, prompt, "logs"):
                _log(build, log, place)


def _system(build: Builder, prompt: dict[str, Any]) -> None:
    """The system prompt, which stands only in the requests: the first one's."""
    for log in map(mapped, listed(prompt.get("logs"))):
        request = log.get("requestMessages")
        messages = listed(mapped(request).get("messages") if isinstance(request, dict) else request)
        if messages and mapped(messages[0]).get("role") in (0, "system"):
            build.hear("system", messages[0].get("content"))
            return


def _log(build: Builder, log: dict[str, Any], at: Place) -> None:
    kind, id, about = log.get("kind"), log.get("id"), mapped(log.get("metadata"))
    if kind == "request" and stated(log.get("name")).startswith(HELPERS):
        build.skip(f"request {log['name']}")
    elif kind == "request":
        response = log.get("response")
        reply = response.get("message") if isinstance(response, dict) else response
        build.say("assistant", text_of(reply)[0], usage=usage_of(about.get("usage")))
        build.model(build.transcript.model, about.get("model"))
        if isinstance(limit := about.get("maxPromptTokens"), int):
            build.transcript.window = limit
    elif kind == "toolCall":
        last = next((message for message in reversed(build.messages) if message.role != "tool"), None)
        parallel = last if last and last.role == "assistant" else None  # a call of the same message
        call = build.call(id, log.get("tool"), log.get("args"), message=parallel)
        if log.get("response") is not None:
            build.answer(call.id, log["response"], at.under("response"), call=call)
    else:
        build.skip(kind)
