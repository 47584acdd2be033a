"""Codex: ``PostToolUse`` takes a text by ``continue: false``, which leaves the call a success.

``updatedToolOutput`` is an error of its schema, so it has to be told from Claude Code, which sends no turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpcompact.hook.event import Event, Host


class Codex(Host):
    name = program = "codex"
    event, keys = "PostToolUse", {"turn_id", "tool_response"}
    variable, home = "CODEX_HOME", ".codex"
    file, project = "hooks.json", ".codex/hooks.json"
    matcher = "Bash|mcp__.*"
    note = "Codex runs a new hook only after you trusted it: type /hooks there once"

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        result = payload["tool_response"]
        return self.finished(payload, result, lambda new: {"continue": False, "stopReason": new}, text_only=True)

    def answered(self, long: str, folder: str) -> dict[str, Any]:
        return {"turn_id": "1", "model": "gpt-5", "tool_name": "Bash", "tool_response": long}


HOST = Codex()
