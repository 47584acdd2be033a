"""The registry of transcript formats, their detection by content, and the reading of files."""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Iterator
from typing import Protocol

from mcpcompact.collector import paused
from mcpcompact.errors import InputError, UsageError
from mcpcompact.phrasing import counted
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.model import Transcript
from mcpcompact.transcripts.packed import NO_RESULTS, foreign, packing, plain

ORDER = """
pi_session qwen_code claude_code codex_rollout copilot_cli entire_compact gemini_cli opencode vscode_chatreplay
inspect_eval_log anthropic_messages gemini_api bedrock_converse openai_responses openai_chat_api
litellm_completion_log swe_agent_traj mini_swe_agent openhands_events autogen_history magentic_history
jupyter_trajectory langchain_messages mcp_jsonrpc mcp_capture browsergym_messages cline cline_sdk
responses_items converse_messages langgraph_messages vscode_chat_export langfuse_trace otel_spans inspect_eval
openhands_v0 atif adk_session continue_session crush_db opencode_db kimi_cli kiro_cli browser_use toolbench
tau2_bench sharegpt_conversations openai_chat
"""
"""Formats, each a file in ``formats`` with a class ``Format``. Of equal scores the earlier wins: the more specific."""

REGISTRY = tuple(ORDER.split())

NAMED = 5  # files of an archive that a problem names

ENTRY_POINTS = "mcpcompact.transcripts"


class Format(Protocol):
    """What each format's file provides (as its class ``Format``). One that skips records which say nothing to the model
    has a pattern ``quiet`` of how the names of their kinds begin: all else skipped is unknown. ``keys``, if it has any:
    the first objects of every such file have one of these, so others are not sniffed."""

    name: str

    def sniff(self, document: Document) -> float:
        """How sure this is the format: 0 not mine … 1 certainly. Looks at ``root`` and ``objects``; never raises."""

    def read(self, document: Document) -> Iterator[Transcript]:
        """The transcripts of a document. Unknown records are skipped and counted, never fatal."""


@functools.cache
def load(name: str) -> Format:
    """The format of that name, built in or from an entry point. Raises ``UsageError`` for an unknown one."""
    if name in REGISTRY:
        return importlib.import_module(f"mcpcompact.transcripts.formats.{name}").Format()  # type: ignore[no-any-return]
    entry = _third_parties().get(name)
    if entry is None:
        raise UsageError(f"unknown transcript format '{name}'", hint=f"use one of {', '.join(names())}")
    return entry


@functools.cache
def _third_parties() -> dict[str, Format]:
    from importlib.metadata import entry_points

    formats: dict[str, Format] = {}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda p: p.name):
        try:
            formats[point.name] = point.load()
        except Exception:  # a stranger's broken package must not break reading
            continue
    return formats


def names() -> list[str]:
    """All formats, those of other packages last."""
    return [*REGISTRY, *_third_parties()]


def detect(document: Document) -> str:
    """The name of the format, "" when no reader knows it."""
    best, score = "", 0.0
    keys = document.keys
    for name in names():
        reader = load(name)
        needed = getattr(reader, "keys", ())
        if needed and keys.isdisjoint(needed):
            continue
        claim = reader.sniff(document)
        if claim > score:
            best, score = name, claim
            if score >= 1:
                break
    return best


@paused()  # what is read stays: the collector would look through all of it in vain
def read_transcripts(path: str, format: str = "") -> list[Transcript]:
    """All transcripts of a file (or a directory of event files), also of one that is gz, zst, zip or UTF-16. Raises
    ``InputError`` when it is none."""
    document = Document(path)
    name = format if format and not packing(document.raw) else detect(document)
    transcripts = _read(document, name) if name else _unpacked(document, format)
    full = [transcript for transcript in transcripts if transcript.messages]
    if full and len(full) < len(transcripts):
        full[0].problems.append(f"{counted(len(transcripts) - len(full), 'session')} of this file without a message")
    if not full:
        raise InputError(f"{path}: no message in this {name} transcript")
    return transcripts


def _read(document: Document, name: str) -> list[Transcript]:
    reader = load(name)
    quiet = getattr(reader, "quiet", "")
    transcripts = list(reader.read(document))
    for transcript in transcripts:
        skipped = transcript.skipped
        transcript.unknown = {kind: skipped[kind] for kind in skipped if not (quiet and re.match(quiet, kind))}
        transcript.problems += document.problems
        transcript.problems += transcript.omissions.warnings() if transcript.messages else ()
    return transcripts


def _unpacked(document: Document, format: str) -> list[Transcript]:
    """The transcripts in a file that is packed. Raises ``InputError`` when there is none, or it is not packed."""
    path = document.path
    result: list[Transcript] = []
    left: list[str] = []
    what, hint = foreign(document.raw)
    for member, copy in plain(path, document.raw):
        inner = Document(path, copy)
        name = format or detect(inner)
        try:
            transcripts = _read(inner, name) if name else []
        except InputError:
            if not member:
                raise
            transcripts = []
        if not transcripts:
            left.append(member)
            what, hint = (what, hint) if member else foreign(inner.raw)
        for transcript in transcripts:
            transcript.name = "#".join(part for part in (member, transcript.name) if part)
        result += transcripts
    if left and result:
        named = f"{', '.join(left[:NAMED])}{f' and {len(left) - NAMED:,} more' if len(left) > NAMED else ''}"
        result[0].problems.append(f"no transcripts in the archive: {named}")
    if not result:
        what = what or _by_records(document)
        if what:
            raise InputError(f"{path} is {what}, no transcript is found in it", hint=hint or NO_RESULTS)
        raise InputError(f"{path}: not a transcript of a known format", hint=f"known are {', '.join(names())}")
    return result


def _by_records(document: Document) -> str:
    """What a file of a known tool without results is, by its records."""
    bare = [line for line in document.first if line.keys() == {"role", "message"}]
    return "the history of Cursor's agent" if bare and len(bare) == len(document.first) else ""
