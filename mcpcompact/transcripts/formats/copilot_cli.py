"""Sessions of the GitHub Copilot CLI: a JSON line an event, with its ``data``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.transcripts.builder import Builder, Document, Reader, Sessions, Tokens, listed, mapped, stated, text_of
from mcpcompact.transcripts.model import Place, Transcript, Usage

FAMILIES = ("session.", "system.", "user.", "assistant.", "tool.", "hook.", "subagent.", "skill.")
MODELS = {"session.start": "selectedModel", "session.model_change": "newModel"}
USAGE = Tokens("inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")


class Format(Reader):
    keys = frozenset({"data"})
    quiet = r"(?:session|hook|subagent|skill|permission|user_input|command)\.|assistant\.(?!message$)|tool\.exec|abort"

    def sniff(self, document: Document) -> float:
        lines = document.objects
        events = [line for line in lines if isinstance(line.get("data"), dict)]
        return float(sum(stated(event.get("type")).startswith(FAMILIES) for event in events) * 2 > len(lines))

    def read(self, document: Document) -> Iterator[Transcript]:
        sessions = Sessions(_Session, self.name, document.path)
        for at, line in sessions[""].records(document.sections()):
            data = line.get("data")
            if isinstance(data, dict):  # a sub-agent's events are named by the call that started it
                session = sessions[stated(data.get("parentToolCallId") or line.get("agentId"))]
                session.here = at
                session.event(str(line.get("type")), data, at.under("data"))
            else:
                sessions[""].skip(line.get("type"))
        yield from sessions.transcripts()


class _Session(Builder):
    def __init__(self, format: str, source: str, name: str = "") -> None:
        super().__init__(format, source, name)
        self.called: set[str] = set()
        self.system = ""

    def event(self, kind: str, data: dict[str, Any], at: Place) -> None:
        id = str(data.get("toolCallId"))
        if kind == "user.message":
            self.hear("user", data.get("transformedContent") or data.get("content"))
        elif kind == "assistant.message":
            self.say("assistant", text_of(data.get("content"))[0])
            self.model(data.get("model"))
            for request in map(mapped, listed(data.get("toolRequests"))):
                self.asked(str(request.get("toolCallId")), request.get("name"), request)
        elif kind == "tool.execution_start":
            if id not in self.called:  # a call that no message announced
                self.asked(id, data.get("toolName"), data)
        elif kind == "tool.execution_complete":
            key, result = ("result", data["result"]) if data.get("result") else ("error", data.get("error"))
            name = "content" if key == "result" else "message"
            content, where = mapped(result).get(name), at.under(key)
            result, where = (result, where) if content is None else (content, where.under(name))
            self.answer(data.get("toolCallId"), result, where, failed=data.get("success") is False)
        elif kind == "system.message":
            text = text_of(data.get("content"))[0]
            if text != self.system:  # it is said again when a session is resumed
                self.system = text
                self.forget([n for n, message in enumerate(self.messages) if message.role == "system"])
                self.say("system", text)
        elif kind == "session.compaction_complete" and data.get("success") is not False:
            self.forget([n for n, message in enumerate(self.messages) if message.role != "system"])
            self.tell("user", data.get("summaryContent"))
        else:
            self.about(kind, data)
            self.skip(kind)

    def about(self, kind: str, data: dict[str, Any]) -> None:
        self.model(data.get(MODELS.get(kind, "")))
        if kind == "session.usage_info" and isinstance(data.get("tokenLimit"), int):
            self.transcript.window = data["tokenLimit"]
        elif kind == "session.shutdown":  # over its models
            used = [USAGE.read(mapped(each).get("usage")) for each in mapped(data.get("modelMetrics")).values()]
            total = sum(filter(None, used), Usage())
            self.transcript.usage = total if total.prompt or total.output else self.transcript.usage

    def asked(self, id: str, tool: object, request: dict[str, Any]) -> None:
        self.called.add(id)
        self.call(id, tool, request.get("arguments"), server=stated(request.get("mcpServerName")))
