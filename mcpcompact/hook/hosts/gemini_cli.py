"""Gemini CLI: ``AfterTool`` can deny, which makes the result an error, or ask for another tool in its place.

So the shorter text is written to a file where the CLI may read, in the folder of the project below its own temporary
one, and ``read_file`` of it is asked for: the call stays a success.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from mcpcompact.hook.event import Event, Host, Reply, joined
from mcpcompact.integrations.base import mapping, text

FOLDER = "mcpcompact"
TOOLS = "run_shell_command|search_file_content|grep_search|web_fetch|google_web_search"
DIGITS = 16  # of the hash that names a file
OPEN, CLOSE = "<untrusted_context>\n", "\n</untrusted_context>"  # what its model is not to obey


class GeminiCli(Host):
    name, program = "gemini-cli", "gemini"
    event, keys = "AfterTool", {"tool_response"}
    variable, home = "GEMINI_CLI_HOME", ".gemini"
    file, project = "settings.json", ".gemini/settings.json"
    matcher = f"{TOOLS}|mcp_.*|.*__.*"
    hook = MappingProxyType({"name": "mcpcompact", "timeout": 30_000})  # milliseconds

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        response = payload["tool_response"]
        if not isinstance(response, dict) or response.get("error"):
            return None
        served, arguments = mapping(payload.get("mcp_context")), mapping(payload.get("tool_input"))
        content = joined(response.get("llmContent"))
        where = os.path.dirname(os.path.dirname(text(payload.get("transcript_path"))))  # of PROJECT/chats/FILE

        def reply(new: Any) -> Reply:
            if not os.path.isdir(where):
                return None
            shown = f"{OPEN}{new}{CLOSE}" if content.startswith(OPEN) else str(new)
            call = {"name": "read_file", "args": {"file_path": _kept(where, shown)}}
            return {"hookSpecificOutput": {"hookEventName": self.event, "tailToolCallRequest": call}}

        tool, server = text(served.get("tool_name")) or text(payload.get("tool_name")), text(served.get("server_name"))
        return Event(tool, content, reply, server, arguments, session=text(payload.get("session_id")), text_only=True)

    def answered(self, long: str, folder: str) -> dict[str, Any]:
        response, path = {"llmContent": long, "returnDisplay": ""}, os.path.join(folder, "chats", "sample.json")
        return {"tool_name": "run_shell_command", "transcript_path": path, "tool_response": response}


def _kept(where: str, new: str) -> str:
    """The path of a file that holds the text. Raises ``OSError``."""
    data = new.encode("utf-8", "replace")
    folder = os.path.join(where, FOLDER)
    path = os.path.join(folder, f"{hashlib.sha256(data).hexdigest()[:DIGITS]}.txt")
    from mcpcompact.results.durable import make_below, stage

    make_below(where, folder, 0o700)
    stage(folder, [data]).publish(path)
    return path


HOST = GeminiCli()
