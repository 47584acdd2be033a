"""Sessions of Claude Code: a JSON line a record, a tree by ``uuid`` and ``parentUuid``.

One message of the API is recorded block by block, a line each, with the same ``message.id`` and a usage that grows;
results arrive between those lines. A prompt whose parent is not the last record goes back to it: what came between is
a branch that was left, and out of the context. Sub-agents have files of their own; older versions, and the stream that
the command prints (``--output-format stream-json``), keep them in the session's.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.builder import UNUSABLE_IDS, Builder, Reader
from mcpcompact.transcripts.document import Document, listed, mapped, stated
from mcpcompact.transcripts.formats.anthropic_messages import CALLS, say_result, usage_of
from mcpcompact.transcripts.model import Message, Place, Transcript

SPOKEN = ("user", "assistant")
MARKED = (*SPOKEN, "system", "progress", "attachment")
BESIDE = ("file-history-snapshot", "queue-operation", "last-prompt")
MARKS = ("uuid", "parentUuid", "sessionId", "isSidechain", "session_id", "parent_tool_use_id")
SAVED = regex(r"(?:Full output saved to|Output has been saved to|saved to file at):? +(\S+)")
SAVED_WITHIN = 600  # characters of a result in which the notice of a persisted output stands


class _Session(Builder):
    """One line of conversation: the main one, or a sub-agent's."""

    def __init__(self, format: str, source: str, name: str = "") -> None:
        super().__init__(format, source, name)
        self.said: dict[str, Message] = {}  # by the API's message id
        self.answered: dict[str, int] = {}  # where the result of a call stands, by the call's id
        self.starts: dict[str, int] = {}  # where a record's messages begin, by its uuid
        self.ends: dict[str, int] = {}  # how many messages there were when it had been read
        self.live: list[int] = []  # messages of no branch that was left, as far as was looked
        self._looked = 0

    def abandoned(self, parent: str) -> list[int]:
        """What a prompt leaves behind that goes on from ``parent``: all that came after it, but for results of calls
        made before (those of parallel calls hang on their calls, each a branch of its own)."""
        messages, live = self.messages, self.live
        end = self.ends.get(parent, len(messages))
        if end == len(messages):
            return []
        live += range(self._looked, len(messages))
        self._looked = len(messages)
        later = [live.pop() for _ in range(len(live) - bisect_left(live, end))][::-1]
        made = {id(call) for position in later for call in messages[position].calls}
        stays = [n for n in later if (result := messages[n].result) and result.call and id(result.call) not in made]
        live += stays
        return sorted({*later}.difference(stays))

    def record(self, line: dict[str, Any], at: Place) -> None:
        kind, message, uuid = line.get("type"), line.get("message"), stated(line.get("uuid"))
        self.here = at
        if uuid:
            self.starts.setdefault(uuid, len(self.messages))
        if kind == "assistant" and isinstance(message, dict):
            self.assistant(message, line.get("requestId"))
        elif kind == "user" and isinstance(message, dict):
            self.user(message.get("content"), line, at.under("message", "content"))
        elif kind == "system" and line.get("subtype") == "compact_boundary":
            kept = mapped(mapped(line.get("compactMetadata")).get("preservedSegment")).get("headUuid")
            self.forget(range(self.starts.get(str(kept), len(self.messages))))
        elif kind == "system" and line.get("subtype") == "microcompact_boundary":
            ids = map(str, listed(mapped(line.get("microcompactMetadata")).get("compactedToolIds")))
            self.forget([self.answered[id] for id in ids if id in self.answered])
        else:
            self.skip(f"{kind} {line['subtype']}" if line.get("subtype") else kind)
        if uuid:
            self.ends[uuid] = len(self.messages)

    def assistant(self, message: dict[str, Any], request: Any) -> None:
        content, usage = message.get("content"), usage_of(message.get("usage"))
        id = next((str(id) for id in (message.get("id"), request) if str(id or "") not in UNUSABLE_IDS), "")
        said = self.said.get(id)
        if not id and (last := self.speaking):  # ids are hidden: by what it read
            said = last if usage and last.usage and last.usage.prompt == usage.prompt else None
        if said is None:
            said = self.say("assistant")
            self.said |= {id: said} if id else {}
        if not stated(message.get("model")).startswith("<"):  # <synthetic> is the host's own
            self.model(message.get("model"))
        said.usage = usage or said.usage
        for block in content if isinstance(content, list) else [content]:
            text = block if isinstance(block, str) else mapped(block).get("text")
            if isinstance(text, str):
                said.text = f"{said.text}\n{text}" if said.text else text
            elif isinstance(block, dict) and str(block.get("type")) in CALLS:
                self.call(block.get("id"), block.get("name"), block.get("input"), message=said)
            else:
                self.unknown(block)

    def user(self, content: Any, line: dict[str, Any], at: Place) -> None:
        results = [mapped(block).get("type") == "tool_result" for block in listed(content)]
        if not any(results):  # a prompt; one that follows no last message was rewound to
            self.forget(self.abandoned(str(line.get("parentUuid"))))
        spoken = []
        for index, block in enumerate(listed(content)):
            if not results[index]:
                self.unknown(block)
                spoken.append(block)
                continue
            self.answered[str(block.get("tool_use_id"))] = len(self.messages)
            result = say_result(self, block, at.under(index))
            head = result.text[:SAVED_WITHIN]
            if "saved to" in head and (notice := SAVED.search(head)):
                result.saved = _beside(self.transcript.source, notice[1])
        if spoken or not isinstance(content, list):
            self.hear("user", spoken or content)


class Format(Reader):
    keys = frozenset({"type"})
    quiet = (
        "system |progress|attachment|file-history|summary|queue-operation|last-prompt|custom-title|ai-title|agent-|mode"
        "|permission-mode|pr-link|tag|result|rate_limit_event|stream_event|tool_progress|tool_use_summary|auth_status"
    )

    def sniff(self, document: Document) -> float:
        if not document.is_lines and len(document.first) > 1:
            return 0.0
        lines = [mapped(line) for line in document.first or [document.root]]
        for line in lines:
            if line.get("type") in MARKED:
                marks = sum(mark in line for mark in MARKS)
                if marks > 1:
                    return 1.0
                if marks and line["type"] in SPOKEN and isinstance(line.get("message"), dict):
                    return 0.8
        return 0.6 * any(line.get("type") in BESIDE for line in lines)

    def read(self, document: Document) -> Iterator[Transcript]:
        main = _Session(self.name, document.path)
        agents: dict[str, _Session] = {}
        roots: dict[str, str] = {}  # of a sidechain's records, the uuid that it began with
        apart = any(line.get("isSidechain") is False for line in document.first)
        for at, line in main.records(document.records()):
            session = main
            within = stated(line.get("parent_tool_use_id"))  # in what ``--output-format stream-json`` prints
            if line.get("isSidechain") is True or within:
                name = str(line.get("agentId") or within or "")
                if apart:
                    uuid, parent = str(line.get("uuid")), str(line.get("parentUuid"))
                    root = roots[uuid] = roots.get(parent, uuid)
                    name = name or root
                    session = agents.get(name) or _Session(self.name, document.path, name)
                    session.transcript.parent = document.path
                    agents[name] = session
                elif not main.transcript.parent:
                    main.transcript.parent = _parent(document.path, str(line.get("sessionId") or name))
            elif line.get("type") in SPOKEN:
                apart = True
            session.record(line, at)
        yield from (session.transcript for session in (main, *agents.values()))


def _parent(path: str, session: str) -> str:
    """The file of the session that a sub-agent belongs to, when it stands where it should; else its id."""
    folder = os.path.dirname(os.path.abspath(path))
    if os.path.basename(folder) == "subagents":
        known = os.path.dirname(os.path.dirname(path)) or "."
        if os.path.isfile(f"{known}.jsonl"):
            return f"{known}.jsonl"
    return session


def _beside(path: str, saved: str) -> str:
    """Where a persisted output is: in the session's own directory beside its file, else where the notice says."""
    name = saved.replace("\\", "/").rsplit("/", 1)[-1]
    stem = os.path.splitext(path)[0]
    known = os.path.join(stem, "tool-results", name)
    return known if os.path.isfile(known) else saved
