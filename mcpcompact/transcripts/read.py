"""The registry of transcript formats, their detection by content, and the reading of files."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator
from typing import Protocol

from mcpcompact.errors import InputError, UsageError
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Transcript

REGISTRY: dict[str, str] = {
    # name -> module with a FORMAT object. At equal scores the earlier one wins: the more specific stands first.
    "pi_session": "mcpcompact.transcripts.formats.pi",
    "claude_code": "mcpcompact.transcripts.formats.claude_code",
    "codex_rollout": "mcpcompact.transcripts.formats.codex",
    "copilot_cli": "mcpcompact.transcripts.formats.copilot",
    "entire_compact": "mcpcompact.transcripts.formats.entire_compact",
    "gemini_cli": "mcpcompact.transcripts.formats.gemini_cli",
    "opencode": "mcpcompact.transcripts.formats.opencode",
    "vscode_chatreplay": "mcpcompact.transcripts.formats.vscode",
    "inspect_eval_log": "mcpcompact.transcripts.formats.inspect_log",
    "anthropic_messages": "mcpcompact.transcripts.formats.anthropic",
    "gemini_api": "mcpcompact.transcripts.formats.gemini_api",
    "bedrock_converse": "mcpcompact.transcripts.formats.bedrock_converse",
    "openai_responses": "mcpcompact.transcripts.formats.openai_responses",
    "openai_chat_api": "mcpcompact.transcripts.formats.openai_chat_api",
    "litellm_completion_log": "mcpcompact.transcripts.formats.litellm_completion_log",
    "swe_agent_traj": "mcpcompact.transcripts.formats.swe_agent_traj",
    "mini_swe_agent": "mcpcompact.transcripts.formats.mini_swe_agent",
    "openhands_events": "mcpcompact.transcripts.formats.openhands_events",
    "autogen_history": "mcpcompact.transcripts.formats.autogen_history",
    "magentic_history": "mcpcompact.transcripts.formats.magentic_history",
    "jupyter_trajectory": "mcpcompact.transcripts.formats.jupyter_trajectory",
    "langchain_messages": "mcpcompact.transcripts.formats.langchain_messages",
    "mcp_jsonrpc": "mcpcompact.transcripts.formats.mcp_jsonrpc",
    "mcp_capture": "mcpcompact.transcripts.formats.mcp_capture",
    "browsergym_messages": "mcpcompact.transcripts.formats.browsergym_messages",
    "sharegpt_conversations": "mcpcompact.transcripts.formats.sharegpt_conversations",
    "openai_chat": "mcpcompact.transcripts.formats.openai_chat",
}

ENTRY_POINTS = "mcpcompact.transcripts"


class Format(Protocol):
    """What each format's file provides (as a module-level object named ``FORMAT``)."""

    name: str

    def sniff(self, document: Document) -> float:
        """How sure this is the format: 0 not mine … 1 certainly. Looks at ``head`` and ``first``; never raises."""

    def read(self, document: Document) -> Iterator[Transcript]:
        """The transcripts of a document. Unknown records are skipped and counted, never fatal."""


@functools.cache
def load(name: str) -> Format:
    """The format of that name, built in or from an entry point. Raises ``UsageError`` for an unknown one."""
    module = REGISTRY.get(name)
    if module is not None:
        return importlib.import_module(module).FORMAT  # type: ignore[no-any-return]
    found = _third_parties().get(name)
    if found is None:
        raise UsageError(f"unknown transcript format '{name}'", hint=f"use one of {', '.join(names())}")
    return found


@functools.cache
def _third_parties() -> dict[str, Format]:
    from importlib.metadata import entry_points

    found: dict[str, Format] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda p: p.name):
        try:
            found[point.name] = point.load()
        except Exception:  # a stranger's broken package must not break reading
            continue
    return found


def names() -> list[str]:
    return [*REGISTRY, *_third_parties()]


def detect(document: Document) -> str:
    """The name of the format, "" when no reader knows it."""
    best, score = "", 0.0
    for name in names():
        claim = load(name).sniff(document)
        if claim > score:
            best, score = name, claim
        if score >= 1:
            break
    return best


def read_transcripts(path: str, format: str = "") -> list[Transcript]:
    """All transcripts of a file (or a directory of event files). Raises ``InputError`` when it is none."""
    document = Document(path)
    name = format or detect(document)
    if not name:
        raise InputError(f"{path}: not a transcript of a known format", hint=f"known are {', '.join(names())}")
    found = list(load(name).read(document))
    for transcript in found:
        transcript.problems += document.problems
    if not any(transcript.messages for transcript in found):
        raise InputError(f"{path}: no message in this {name} transcript")
    return found
