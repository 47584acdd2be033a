"""Sessions of the GitHub Copilot CLI: a JSON line an event, with its ``data``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, as_count, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Place, Transcript, Usage

FAMILIES = ("session.", "system.", "user.", "assistant.", "tool.", "hook.", "subagent.", "skill.")


class Copilot:
    name = "copilot_cli"

    def sniff(self, document: Document) -> float:
        lines = [line for line in document.first or [document.root] if isinstance(line, dict)]
        known = [
            line
            for line in lines
            if isinstance(line.get("type"), str)
            and line["type"].startswith(FAMILIES)
            and isinstance(line.get("data"), dict)
        ]
        return float(len(known) * 2 > len(lines)) if known else 0.0

    def read(self, document: Document) -> Iterator[Transcript]:
        main = _Session(Builder(self.name, document.path))
        agents: dict[str, _Session] = {}
        for number, line in document.lines() if document.is_lines else iter([(0, document.value())]):
            if not isinstance(line, dict) or not isinstance(line.get("data"), dict):
                main.build.skip(line.get("type") if isinstance(line, dict) else type(line).__name__)
                continue
            data, session = line["data"], main
            agent = data.get("parentToolCallId") or line.get("agentId")
            if agent and isinstance(agent, str):  # a sub-agent's events, named by the call that started it
                if agent not in agents:
                    agents[agent] = _Session(Builder(self.name, document.path, agent))
                    agents[agent].build.transcript.parent = document.path
                session = agents[agent]
            session.event(str(line.get("type")), data, Place(number, ("data",)))
        yield main.build.transcript
        for session in agents.values():
            if session.build.messages:
                yield session.build.transcript


class _Session:
    def __init__(self, build: Builder) -> None:
        self.build = build
        self.called: set[str] = set()
        self.system = ""

    def event(self, kind: str, data: dict[str, Any], at: Place) -> None:
        build = self.build
        if kind == "user.message":
            build.say("user", text_of(data.get("transformedContent") or data.get("content"))[0])
        elif kind == "assistant.message":
            self.assistant(data)
        elif kind == "tool.execution_start":
            id = str(data.get("toolCallId"))
            if id not in self.called:  # a call that no message announced
                self.call(id, data.get("toolName"), data)
        elif kind == "tool.execution_complete":
            self.result(data, at)
        elif kind == "system.message":
            text = text_of(data.get("content"))[0]
            if text != self.system:  # it is said again when a session is resumed
                self.system = text
                build.forget([n for n, message in enumerate(build.messages) if message.role == "system"])
                build.say("system", text)
        elif kind == "session.compaction_complete" and data.get("success") is not False:
            summary = data.get("summaryContent")
            build.forget([n for n, message in enumerate(build.messages) if message.role != "system"])
            if isinstance(summary, str) and summary:
                build.say("user", summary)
        else:
            if kind == "session.start":
                build.transcript.model = str(data.get("selectedModel") or "")
            elif kind == "session.model_change":
                build.transcript.model = str(data.get("newModel") or build.transcript.model)
            elif kind == "session.shutdown":
                self.totals(data.get("modelMetrics"))
            elif kind == "session.usage_info" and isinstance(data.get("tokenLimit"), int):
                build.transcript.window = data["tokenLimit"]
            build.skip(kind)

    def assistant(self, data: dict[str, Any]) -> None:
        self.build.say("assistant", text_of(data.get("content"))[0])
        if isinstance(data.get("model"), str):
            self.build.transcript.model = data["model"]
        requests = data.get("toolRequests")
        for request in requests if isinstance(requests, list) else ():
            if isinstance(request, dict):
                self.call(str(request.get("toolCallId")), request.get("name"), request)

    def call(self, id: str, tool: object, request: dict[str, Any]) -> None:
        self.called.add(id)
        self.build.call(id, tool, request.get("arguments"), server=str(request.get("mcpServerName") or ""))

    def result(self, data: dict[str, Any], at: Place) -> None:
        result, error = data.get("result"), data.get("error")
        failed = data.get("success") is False
        if isinstance(result, dict) and result.get("content") is not None:
            text, places, others = text_of(result["content"], at.under("result", "content"))
        elif isinstance(error, dict):
            text, places, others = text_of(error.get("message"), at.under("error", "message"))
        else:
            text, places, others = text_of(result or error, at.under("result" if result else "error"))
        self.build.result(data.get("toolCallId"), text, places=places, images=others, is_error=failed)

    def totals(self, metrics: Any) -> None:
        """The session's usage, over its models. ``inputTokens`` include what came from the cache."""
        total = Usage()
        for metric in metrics.values() if isinstance(metrics, dict) else ():
            used = metric.get("usage") if isinstance(metric, dict) else None
            prompt, cached, written, output = (
                as_count(used.get(key)) if isinstance(used, dict) else 0
                for key in ("inputTokens", "cacheReadTokens", "cacheWriteTokens", "outputTokens")
            )
            total.fresh += max(0, prompt - cached - written)
            total.cached += cached
            total.written += written
            total.output += output
        if total.prompt or total.output:
            self.build.transcript.usage = total


FORMAT = Copilot()
