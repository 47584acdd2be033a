"""What a host says of a finished tool call, what each host provides, and the hosts. A further one is a class and a line
in ``HOSTS``."""

# annotations as they stand: as texts, each of the 9 fields of an event would be compiled at every start
import hashlib
import json
import os
from collections.abc import Callable, Mapping, Set
from types import MappingProxyType
from typing import Any, NamedTuple

from mcpcompact.errors import UsageError
from mcpcompact.integrations.base import arguments_of, mapping, text

Reply = dict[str, Any] | None  # what puts another result in the place of the one read; None where that cannot be said
_NOTHING: Mapping[str, Any] = MappingProxyType({})
SECONDS = 30  # that the hook may take
SAMPLE = "mcpcompact-doctor"  # the session of payloads that no host sent


class Event(NamedTuple):
    """A finished call. ``tool`` and ``server`` are the names that policies go by; ``result`` is a text, or a message
    that carries it; ``reply`` makes the answer of what shall stand there instead, which is in the result's own shape,
    or a text where ``text_only``. ``saved`` is the file with the whole of a result that the host has cut."""

    tool: str
    result: Any
    reply: Callable[[Any], Reply]
    server: str = ""
    arguments: Mapping[str, Any] = _NOTHING
    id: str = ""
    session: str = ""
    saved: str = ""
    text_only: bool = False


class Host:
    """One host, and where it is told of hooks: ``variable`` names the folder of the user's settings, ``home`` is the
    usual one below the home directory, ``file`` stands in it and ``project`` in a project's folder; ours is appended to
    the list at ``hooks.EVENT``, and ``top`` is what a new file must hold besides."""

    name = ""
    program = ""  # that says its version
    least: tuple[int, ...] = ()  # the first version that takes another result
    event = ""
    keys: Set[str] = frozenset()  # that its payload has
    variable = home = file = project = ""
    top: Mapping[str, Any] = _NOTHING
    matcher = ""  # the tools whose results it sends
    hook: Mapping[str, Any] = MappingProxyType({"timeout": SECONDS})  # whatever says how it is run
    note = ""  # what is left to the user

    def recognise(self, payload: Mapping[str, Any]) -> bool:
        """Whether this host sent it. Looks at keys only."""
        return payload.get("hook_event_name") == self.event and self.keys <= payload.keys()

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        """The call; None for what is not ours to change: a built-in tool of unknown shape, a picture, a failed call."""
        raise NotImplementedError

    def finished(self, payload: Mapping[str, Any], result: Any, reply: Callable[[Any], Reply], **about: Any) -> Event:
        """The call of a payload under the names that most hosts use."""
        server, tool = named(text(payload.get("tool_name")))
        ids = text(payload.get("tool_use_id")), text(payload.get("session_id"))
        return Event(tool, result, reply, server, mapping(payload.get("tool_input")), *ids, **about)

    def entry(self, command: str) -> dict[str, Any]:
        """What stands in the host's list of hooks."""
        return {"matcher": self.matcher, "hooks": [{"type": "command", "command": command, **self.hook}]}

    def sample(self, long: str, folder: str) -> dict[str, Any]:
        """A payload of a long text, for ``hook doctor``; the host may read ``folder``."""
        call = {"tool_input": {"command": "make"}, "tool_use_id": "call_sample"}
        return {"session_id": SAMPLE, "hook_event_name": self.event, **call, **self.answered(long, folder)}

    def answered(self, long: str, folder: str) -> dict[str, Any]:
        """The tool and its result in a payload."""
        raise NotImplementedError


def named(tool: str) -> tuple[str, str]:
    """Server and tool of ``mcp__server__tool``; no server for other names."""
    parts = tool.split("__", 2)
    return (parts[1], parts[2]) if parts[0] == "mcp" and len(parts) == len(("mcp", "server", "tool")) else ("", tool)


def joined(content: Any) -> str:
    """The text of a text, a text part, or a list of nothing but those; empty for anything else."""
    parts = content if isinstance(content, list) else [content]
    texts = [part.get("text") if isinstance(part, dict) and part.keys() <= _PART else part for part in parts]
    return "\n".join(map(str, texts)) if texts and all(isinstance(each, str) for each in texts) else ""


_PART = {"type", "text", "annotations", "_meta"}


class Codex(Host):
    """``PostToolUse`` takes a text by ``continue: false``, which leaves the call a success. ``updatedToolOutput`` is an
    error of its schema, so it has to be told from Claude Code, which sends no turn."""

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


TEXTS = {
    "Bash": ("stdout", "stderr"),
    "PowerShell": ("stdout", "stderr"),
    "Grep": ("content",),
    "WebFetch": ("result",),
}
"""Of Claude Code's built-in tools, the fields that are texts of any length; the longest is the result."""

SAVED = ("persistedOutputPath", "persistedOutputSize")


class ClaudeCode(Host):
    """``PostToolUse`` takes ``updatedToolOutput`` of the shape of ``tool_response`` (since 2.1.121). Built-in results
    are checked against their own schema, so the response is copied and one of its texts changed; results of MCP tools
    are text, blocks or an object. Output over 30,000 characters arrives cut, the whole in a file."""

    name, program, least = "claude-code", "claude", (2, 1, 121)
    event, keys = "PostToolUse", {"tool_response"}
    variable, home = "CLAUDE_CONFIG_DIR", ".claude"
    file, project = "settings.json", ".claude/settings.json"
    matcher = "|".join([*TEXTS, "mcp__.*"])

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        response, name = payload["tool_response"], text(payload.get("tool_name"))
        parts: tuple[Any, str, str] | None = (response, "", "") if named(name)[0] else _built_in(name, response)
        if parts is None:
            return None
        result, key, saved = parts

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


class GeminiCli(Host):
    """``AfterTool`` can deny, which makes the result an error, or ask for another tool in its place. So the shorter
    text is written to a file where the CLI may read, in the folder of the project below its own temporary one, and
    ``read_file`` of it is asked for: the call stays a success."""

    name, program = "gemini-cli", "gemini"
    event, keys = "AfterTool", {"tool_response"}
    variable, home = "GEMINI_CLI_HOME", ".gemini"
    file, project = "settings.json", ".gemini/settings.json"
    matcher = "run_shell_command|search_file_content|grep_search|web_fetch|google_web_search|mcp_.*|.*__.*"
    hook = MappingProxyType({"name": "mcpcompact", "timeout": SECONDS * 1000})

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


FOLDER = "mcpcompact"
DIGITS = 16  # of the hash that names a file
OPEN, CLOSE = "<untrusted_context>\n", "\n</untrusted_context>"  # what Gemini's model is not to obey


def _kept(where: str, new: str) -> str:
    """The path of a file that holds the text. Raises ``OSError``."""
    from mcpcompact.results.durable import make_below, stage

    data = new.encode("utf-8", "replace")
    folder = os.path.join(where, FOLDER)
    path = os.path.join(folder, f"{hashlib.sha256(data).hexdigest()[:DIGITS]}.txt")
    make_below(where, folder, 0o700)
    stage(folder, [data]).publish(path)
    return path


class CopilotCli(Host):
    """``postToolUse`` takes ``modifiedResult``, the tool's result with another text for the model."""

    name, program, event = "copilot-cli", "copilot", "postToolUse"
    variable, home, top = "COPILOT_HOME", ".copilot", {"version": 1}
    file, project = "hooks/mcpcompact.json", ".github/hooks/mcpcompact.json"

    def recognise(self, payload: Mapping[str, Any]) -> bool:
        return "toolName" in payload and isinstance(payload.get("toolResult"), dict)

    def read(self, payload: Mapping[str, Any]) -> Event | None:
        result = payload["toolResult"]
        tool, arguments = text(payload.get("toolName")), arguments_of(payload.get("toolArgs"))
        about: dict[str, Any] = {"arguments": arguments, "session": text(payload.get("sessionId")), "text_only": True}
        return Event(tool, text(result.get(KEY)), lambda new: {"modifiedResult": result | {KEY: new}}, **about)

    def entry(self, command: str) -> dict[str, Any]:
        return {"type": "command", "bash": command, "powershell": command, "timeoutSec": SECONDS}

    def sample(self, long: str, folder: str) -> dict[str, Any]:
        result = {"resultType": "success", KEY: long}
        return {"sessionId": SAMPLE, "toolName": "bash", "toolArgs": '{"command":"make"}', "toolResult": result}


KEY = "textResultForLlm"
PREFIX = "MCP:"


class Cursor(Host):
    """``postToolUse`` takes ``updated_mcp_tool_output``; results of its own tools cannot be replaced."""

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


HOSTS: dict[str, Host] = {one.name: one for one in (Codex(), ClaudeCode(), GeminiCli(), CopilotCli(), Cursor())}
"""By name; of two that a payload may come from, the one with more particular keys stands first."""


def host(name: str) -> Host:
    """Raises ``UsageError`` for an unknown one."""
    if name not in HOSTS:
        raise UsageError(f"unknown host '{name}'", hint=f"use one of {', '.join(HOSTS)}")
    return HOSTS[name]


def recognised(payload: Any) -> Host | None:
    """The host that speaks so; None for anything else."""
    if not isinstance(payload, dict):
        return None
    return next((one for one in HOSTS.values() if one.recognise(payload)), None)
