"""Cursor: ``postToolUse`` takes ``updated_mcp_tool_output``; results of its own tools cannot be replaced."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mcpcompact.hook.event import SAMPLE, Event, Host, Reply, Wiring, text
from mcpcompact.integrations.base import arguments_of

PREFIX = "MCP:"
SECONDS = 30


def recognise(payload: Mapping[str, Any]) -> bool:
    return payload.get("hook_event_name") == "postToolUse" and "tool_output" in payload


def read(payload: Mapping[str, Any]) -> Event | None:
    name, output = text(payload.get("tool_name")), payload["tool_output"]
    if not name.startswith(PREFIX):
        return None
    server, _, tool = name.removeprefix(PREFIX).rpartition(":")
    message = arguments_of(output)  # JSON text of the MCP result; another text is the result itself

    def reply(new: Any) -> Reply:
        return {"updated_mcp_tool_output": new}

    ids = text(payload.get("tool_use_id")), text(payload.get("conversation_id"))
    return Event(tool, message or text(output), reply, server, arguments_of(payload.get("tool_input")), *ids)


def entry(command: str) -> dict[str, Any]:
    return {"command": command, "matcher": f"{PREFIX}.*", "timeout": SECONDS}


def sample(long: str, folder: str) -> dict[str, Any]:
    return {
        "conversation_id": SAMPLE,
        "hook_event_name": "postToolUse",
        "tool_name": f"{PREFIX}build",
        "tool_input": {},
        "tool_output": json.dumps({"content": [{"type": "text", "text": long}]}),
        "tool_use_id": "call_sample",
    }


WIRING = Wiring("", ".cursor", "hooks.json", ".cursor/hooks.json", "postToolUse", entry, {"version": 1})
HOST = Host("cursor", "cursor-agent", recognise, read, WIRING, sample)
