"""Cursor: ``postToolUse`` takes ``updated_mcp_tool_output``; results of its own tools cannot be replaced."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcpcompact.hook.event import SAMPLE, Event, Host
from mcpcompact.integrations.base import arguments_of, text

PREFIX = "MCP:"
SECONDS = 30


class Cursor(Host):
    name, program = "cursor", "cursor-agent"
    event, keys = "postToolUse", {"tool_output"}
    home, top = ".cursor", {"version": 1}
    file, project = "hooks.json", ".cursor/hooks.json"

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        name, output = text(payload.get("tool_name")), payload["tool_output"]
        if not name.startswith(PREFIX):
            return None
        server, _, tool = name.removeprefix(PREFIX).rpartition(":")
        result = arguments_of(output) or text(output)  # JSON text of the MCP result; another text is the result itself
        ids = text(payload.get("tool_use_id")), text(payload.get("conversation_id"))
        arguments = arguments_of(payload.get("tool_input"))
        return Event(tool, result, lambda new: {"updated_mcp_tool_output": new}, server, arguments, *ids)

    def entry(self, command: str) -> dict[str, Any]:
        return {"command": command, "matcher": f"{PREFIX}.*", "timeout": SECONDS}

    def answered(self, long: str, folder: str) -> dict[str, Any]:
        output = json.dumps({"content": [{"type": "text", "text": long}]})
        return {"conversation_id": SAMPLE, "tool_name": f"{PREFIX}build", "tool_output": output}


HOST = Cursor()
