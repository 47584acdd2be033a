"""The hosts, one file each. A further one is a file and a line here."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from mcpcompact.errors import UsageError
from mcpcompact.hook.event import Host

HOSTS = ("codex", "claude-code", "gemini-cli", "copilot-cli", "cursor")
"""Each has a module with a ``HOST``; the one with more particular keys stands first."""


def host(name: str) -> Host:
    """Raises ``UsageError`` for an unknown one."""
    if name not in HOSTS:
        raise UsageError(f"unknown host '{name}'", hint=f"use one of {', '.join(HOSTS)}")
    host: Host = import_module(f"mcpcompact.hook.hosts.{name.replace('-', '_')}").HOST
    return host


def recognised(payload: Any) -> Host | None:
    """The host that speaks so; None for anything else."""
    if not isinstance(payload, dict):
        return None
    return next((one for one in map(host, HOSTS) if one.recognise(payload)), None)
