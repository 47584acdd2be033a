"""Claude Code: ``PostToolUse`` takes ``updatedToolOutput`` of the shape of ``tool_response`` (since 2.1.121).

Built-in results are checked against their own schema, so the response is copied and one of its texts changed; results
of MCP tools are text, blocks or an object. Output over 30,000 characters arrives cut, the whole in a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpcompact.hook.event import SAMPLE, Event, Host, Reply, Wiring, mapping, named, text

TEXTS = {
    "Bash": ("stdout", "stderr"),
    "PowerShell": ("stdout", "stderr"),
    "Grep": ("content",),
    "WebFetch": ("result",),
}
"""Of built-in tools, the fields that are texts of any length; the longest is the result."""

SAVED = ("persistedOutputPath", "persistedOutputSize")
SECONDS = 30


def recognise(payload: Mapping[str, Any]) -> bool:
    return payload.get("hook_event_name") == "PostToolUse" and "tool_response" in payload and "turn_id" not in payload


def read(payload: Mapping[str, Any]) -> Event | None:
    response, name = payload["tool_response"], text(payload.get("tool_name"))
    server, tool = named(name)
    found: tuple[Any, str, str] | None = (response, "", "") if server else _built_in(name, response)
    if found is None:
        return None
    result, key, saved = found

    def reply(new: Any) -> Reply:
        if key:
            new = {name: value for name, value in response.items() if name not in SAVED} | {key: new}
        elif isinstance(response, list) and isinstance(new, str):
            new = [{"type": "text", "text": new}]
        return {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": new}}

    arguments = mapping(payload.get("tool_input"))
    ids = text(payload.get("tool_use_id")), text(payload.get("session_id"))
    return Event(tool, result, reply, server, arguments, *ids, saved)


def _built_in(tool: str, response: Any) -> tuple[str, str, str] | None:
    """The longest text of a built-in tool's response, its key, and the file that holds the whole of it."""
    if not isinstance(response, dict) or response.get("isImage") or response.get("structuredContent"):
        return None
    texts = {key: response[key] for key in TEXTS.get(tool, ()) if isinstance(response.get(key), str)}
    if not texts:
        return None
    key = max(texts, key=lambda name: len(texts[name]))
    return texts[key], key, text(response.get(SAVED[0])) if key == "stdout" else ""


def entry(command: str) -> dict[str, Any]:
    hook = {"type": "command", "command": command, "timeout": SECONDS}
    return {"matcher": "|".join([*TEXTS, "mcp__.*"]), "hooks": [hook]}


def sample(long: str, folder: str) -> dict[str, Any]:
    return {
        "session_id": SAMPLE,
        "hook_event_name": "PostToolUse",
        "tool_name": "Bash",
        "tool_input": {"command": "make"},
        "tool_response": {"stdout": long, "stderr": "", "interrupted": False, "isImage": False},
        "tool_use_id": "toolu_sample",
    }


WIRING = Wiring("CLAUDE_CONFIG_DIR", ".claude", "settings.json", ".claude/settings.json", "PostToolUse", entry)
HOST = Host("claude-code", "claude", recognise, read, WIRING, sample, least=(2, 1, 121))
