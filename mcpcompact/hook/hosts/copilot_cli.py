"""Copilot CLI: ``postToolUse`` takes ``modifiedResult``, the tool's result with another text for the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpcompact.hook.event import SAMPLE, Event, Host, Reply
from mcpcompact.integrations.base import arguments_of, text

SECONDS = 30
KEY = "textResultForLlm"


class CopilotCli(Host):
    name, program, event = "copilot-cli", "copilot", "postToolUse"
    variable, home, top = "COPILOT_HOME", ".copilot", {"version": 1}
    file, project = "hooks/mcpcompact.json", ".github/hooks/mcpcompact.json"

    def recognise(self, payload: Mapping[str, Any]) -> bool:
        return "toolName" in payload and isinstance(payload.get("toolResult"), dict)

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        result = payload["toolResult"]

        def reply(new: Any) -> Reply:
            return {"modifiedResult": result | {KEY: new}}

        tool, arguments = text(payload.get("toolName")), arguments_of(payload.get("toolArgs"))
        session = text(payload.get("sessionId"))
        return Event(tool, text(result.get(KEY)), reply, arguments=arguments, session=session, text_only=True)

    def entry(self, command: str) -> dict[str, Any]:
        return {"type": "command", "bash": command, "powershell": command, "timeoutSec": SECONDS}

    def sample(self, long: str, folder: str) -> dict[str, Any]:
        result = {"resultType": "success", KEY: long}
        return {"sessionId": SAMPLE, "toolName": "bash", "toolArgs": '{"command":"make"}', "toolResult": result}


HOST = CopilotCli()
