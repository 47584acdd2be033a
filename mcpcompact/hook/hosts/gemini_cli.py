"""Gemini CLI: ``AfterTool`` can deny, which makes the result an error, or ask for another tool in its place.

So the shorter text is written to a file where the CLI may read, in the folder of the project below its own temporary
one, and ``read_file`` of it is asked for: the call stays a success.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Any

from mcpcompact.hook.event import SAMPLE, Event, Host, Reply, Wiring, joined, mapping, text

MILLISECONDS = 30_000
FOLDER = "mcpcompact"
TOOLS = "run_shell_command|search_file_content|grep_search|web_fetch|google_web_search"
DIGITS = 16  # of the hash that names a file
OPEN, CLOSE = "<untrusted_context>\n", "\n</untrusted_context>"  # what its model is not to obey


def recognise(payload: Mapping[str, Any]) -> bool:
    return payload.get("hook_event_name") == "AfterTool" and "tool_response" in payload


def read(payload: Mapping[str, Any]) -> Event | None:
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
        return {"hookSpecificOutput": {"hookEventName": "AfterTool", "tailToolCallRequest": call}}

    tool, server = text(served.get("tool_name")) or text(payload.get("tool_name")), text(served.get("server_name"))
    return Event(tool, content, reply, server, arguments, session=text(payload.get("session_id")), text_only=True)


def _kept(where: str, new: str) -> str:
    """The path of a file that holds the text. Raises ``OSError``."""
    data = new.encode("utf-8", "replace")
    folder = os.path.join(where, FOLDER)
    os.makedirs(folder, 0o700, exist_ok=True)
    path = os.path.join(folder, f"{hashlib.sha256(data).hexdigest()[:DIGITS]}.txt")
    from mcpcompact.results.durable import stage

    stage(folder, [data]).publish(path)
    return path


def entry(command: str) -> dict[str, Any]:
    hook = {"name": "mcpcompact", "type": "command", "command": command, "timeout": MILLISECONDS}
    return {"matcher": f"{TOOLS}|mcp_.*|.*__.*", "hooks": [hook]}


def sample(long: str, folder: str) -> dict[str, Any]:
    return {
        "session_id": SAMPLE,
        "transcript_path": os.path.join(folder, "chats", "sample.json"),
        "hook_event_name": "AfterTool",
        "tool_name": "run_shell_command",
        "tool_input": {"command": "make"},
        "tool_response": {"llmContent": long, "returnDisplay": ""},
    }


WIRING = Wiring("GEMINI_CLI_HOME", ".gemini", "settings.json", ".gemini/settings.json", "AfterTool", entry)
HOST = Host("gemini-cli", "gemini", recognise, read, WIRING, sample)
