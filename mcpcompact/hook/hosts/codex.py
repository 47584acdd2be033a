"""Codex: ``PostToolUse`` takes a text by ``continue: false``, which leaves the call a success.

``updatedToolOutput`` is an error of its schema, so it has to be told from Claude Code, which sends no turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpcompact.hook.event import SAMPLE, Event, Host, Reply, Wiring, mapping, named, text

SECONDS = 30


def recognise(payload: Mapping[str, Any]) -> bool:
    return payload.get("hook_event_name") == "PostToolUse" and {"turn_id", "model", "tool_response"} <= payload.keys()


def reply(new: Any) -> Reply:
    return {"continue": False, "stopReason": new}


def read(payload: Mapping[str, Any]) -> Event | None:
    server, tool = named(text(payload.get("tool_name")))
    arguments = mapping(payload.get("tool_input"))
    ids = text(payload.get("tool_use_id")), text(payload.get("session_id"))
    return Event(tool, payload["tool_response"], reply, server, arguments, *ids, text_only=True)


def entry(command: str) -> dict[str, Any]:
    return {"matcher": "Bash|mcp__.*", "hooks": [{"type": "command", "command": command, "timeout": SECONDS}]}


def sample(long: str, folder: str) -> dict[str, Any]:
    return {
        "session_id": SAMPLE,
        "turn_id": "1",
        "model": "gpt-5",
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_response": long,
        "tool_use_id": "call_sample",
    }


NOTE = "Codex runs a new hook only after you trusted it: type /hooks there once"
WIRING = Wiring("CODEX_HOME", ".codex", "hooks.json", ".codex/hooks.json", "PostToolUse", entry, note=NOTE)
HOST = Host("codex", "codex", recognise, read, WIRING, sample)
