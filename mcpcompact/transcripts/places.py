"""Where tools keep the sessions that they record, for each format: looked up, never changed."""

from __future__ import annotations

import glob
import os
import sys

from mcpcompact.config import expanded
from mcpcompact.errors import NoInputError, UsageError
from mcpcompact.transcripts.read import names

APPS = {"darwin": "~/Library/Application Support", "win32": "${APPDATA:-~/AppData/Roaming}"}
EDITORS = APPS.get(sys.platform, "${XDG_CONFIG_HOME:-~/.config}")  # of VS Code and its kin (Cursor, Windsurf, …)

Place = tuple[str, str]  # a folder, in which ``${NAME:-default}`` and ``~`` are put, and a pattern below it

PLACES: dict[str, tuple[Place, ...]] = {
    "claude_code": (
        ("${CLAUDE_CONFIG_DIR:-~/.claude}", "projects/*/*.jsonl"),
        ("${CLAUDE_CONFIG_DIR:-~/.claude}", "projects/*/*/subagents/*.jsonl"),
    ),
    "cline": (
        (EDITORS, "*/User/globalStorage/saoudrizwan.claude-dev/tasks/*/api_conversation_history.json"),
        (EDITORS, "*/User/globalStorage/rooveterinaryinc.roo-cline/tasks/*/api_conversation_history.json"),
        (EDITORS, "*/User/globalStorage/kilocode.kilo-code/tasks/*/api_conversation_history.json"),
        ("${CLINE_DIR:-~/.cline}", "data/tasks/*/api_conversation_history.json"),
        ("${CLINE_DIR:-~/.cline}", "data/sessions/*/*messages.json"),
    ),
    "codex_rollout": (
        ("${CODEX_HOME:-~/.codex}", "sessions/**/rollout-*.jsonl"),
        ("${CODEX_HOME:-~/.codex}", "archived_sessions/rollout-*.jsonl"),
    ),
    "continue_session": (("${CONTINUE_GLOBAL_DIR:-~/.continue}", "sessions/*-*.json"),),
    "copilot_cli": (
        ("${COPILOT_HOME:-~/.copilot}", "session-state/*/events.jsonl"),
        ("${COPILOT_HOME:-~/.copilot}", "session-state/*.jsonl"),
    ),
    "crush_db": ((".", ".crush/crush.db"),),
    "gemini_cli": (("${GEMINI_CLI_HOME:-~}", ".gemini/tmp/*/chats/session-*.json*"),),
    "inspect_eval": (("${INSPECT_LOG_DIR:-logs}", "**/*.eval"),),
    "kimi_cli": (("${KIMI_SHARE_DIR:-~/.kimi}", "sessions/*/*/wire.jsonl"),),
    "kiro_cli": (("~/.kiro", "sessions/cli/*.json"),),
    "mini_swe_agent": (("${MSWEA_GLOBAL_CONFIG_DIR:-~/.config/mini-swe-agent}", "*.traj.json"),),
    "opencode_db": (("${XDG_DATA_HOME:-~/.local/share}", "opencode/opencode*.db"),),
    "openhands_events": (("${OPENHANDS_CONVERSATIONS_DIR:-~/.openhands/conversations}", "*/events"),),
    "pi_session": (("${PI_CODING_AGENT_DIR:-~/.pi/agent}", "sessions/*/*.jsonl"),),
    "qwen_code": (("${QWEN_RUNTIME_DIR:-~/.qwen}", "projects/*/chats/*.jsonl"),),
    "swe_agent_traj": (("${SWE_AGENT_TRAJECTORY_DIR:-trajectories}", "**/*.traj"),),
    "vscode_chat_export": (
        (EDITORS, "*/User/workspaceStorage/*/chatSessions/*.json*"),
        (EDITORS, "*/User/globalStorage/emptyWindowChatSessions/*.json*"),
    ),
}
"""Formats of data sets, exports and traffic have no folder of their own."""


def patterns(format: str) -> list[str]:
    """Where the sessions of a format are, as patterns of paths on this machine."""
    return [os.path.join(expanded(folder), pattern) for folder, pattern in PLACES.get(format, ())]


def sessions(format: str) -> list[str]:
    """The recorded sessions of a format in the folders of its tool, by name."""
    paths: dict[str, None] = {}
    for folder, pattern in PLACES.get(format, ()):
        root = expanded(folder)
        names = glob.glob(pattern, root_dir=root, recursive=True)
        paths.update(dict.fromkeys(os.path.join(root, name) for name in sorted(names)))
    return list(paths)


def named(tool: str) -> str:
    """The format that a person means: its name, or how that begins (``claude-code``, ``codex``). Raises ``UsageError``
    when none or several of those with a folder are meant, or the one has none."""
    wanted = tool.strip().lower().replace("-", "_")
    if wanted in PLACES:
        return wanted
    meant = [name for name in PLACES if wanted and name.startswith(wanted)]
    if len(meant) == 1:
        return meant[0]
    if wanted in names():
        raise UsageError(f"{wanted} has no folder of its own", hint="name its files")
    kind = "could be " + " or ".join(meant) if meant else "is no tool whose folder is known"
    raise UsageError(f"'{tool}' {kind}", hint=f"use one of {', '.join(PLACES)}")


def recorded(tool: str) -> list[str]:
    """As ``sessions`` of what ``named`` says. Raises ``NoInputError`` when there is none."""
    format = named(tool)
    paths = sessions(format)
    if not paths:
        raise NoInputError(f"no session of {format} in {' or '.join(patterns(format))}", hint="name the files instead")
    return paths
