"""Claude Code: ``PostToolUse`` takes ``updatedToolOutput`` of the shape of ``tool_response`` (since 2.1.121).

Built-in results are checked against their own schema, so the response is copied and one of its texts changed; results
of MCP tools are text, blocks or an object. Output over 30,000 characters arrives cut, the whole in a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcpcompact.hook.event import Event, Host, Reply, named
from mcpcompact.integrations.base import text

TEXTS = {
    "Bash": ("stdout", "stderr"),
    "PowerShell": ("stdout", "stderr"),
    "Grep": ("content",),
    "WebFetch": ("result",),
}
"""Of built-in tools, the fields that are texts of any length; the longest is the result."""

SAVED = ("persistedOutputPath", "persistedOutputSize")


class ClaudeCode(Host):
    name, program, least = "claude-code", "claude", (2, 1, 121)
    event, keys = "PostToolUse", {"tool_response"}
    variable, home = "CLAUDE_CONFIG_DIR", ".claude"
    file, project = "settings.json", ".claude/settings.json"
    matcher = "|".join([*TEXTS, "mcp__.*"])

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        response, name = payload["tool_response"], text(payload.get("tool_name"))
        found: tuple[Any, str, str] | None = (response, "", "") if named(name)[0] else _built_in(name, response)
        if found is None:
            return None
        result, key, saved = found

        def reply(new: Any) -> Reply:
            if key:
                new = {name: value for name, value in response.items() if name not in SAVED} | {key: new}
            elif isinstance(response, list) and isinstance(new, str):
                new = [{"type": "text", "text": new}]
            return {"hookSpecificOutput": {"hookEventName": self.event, "updatedToolOutput": new}}

        return self.finished(payload, result, reply, saved=saved)

    def answered(self, long: str, folder: str) -> dict[str, Any]:
        response = {"stdout": long, "stderr": "", "interrupted": False, "isImage": False}
        return {"tool_name": "Bash", "tool_response": response}


def _built_in(tool: str, response: Any) -> tuple[str, str, str] | None:
    """The longest text of a built-in tool's response, its key, and the file that holds the whole of it."""
    if not isinstance(response, dict) or response.get("isImage") or response.get("structuredContent"):
        return None
    texts = {key: response[key] for key in TEXTS.get(tool, ()) if isinstance(response.get(key), str)}
    if not texts:
        return None
    key = max(texts, key=lambda name: len(texts[name]))
    return texts[key], key, text(response.get(SAVED[0])) if key == "stdout" else ""


HOST = ClaudeCode()
