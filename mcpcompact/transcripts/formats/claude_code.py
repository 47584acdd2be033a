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
from mcpcompact.transcripts.builder import UNUSABLE_IDS, Builder, text_of
from mcpcompact.transcripts.document import Document
from mcpcompact.transcripts.formats.anthropic import CALLS, say_result, usage_of
from mcpcompact.transcripts.model import Message, Place, Transcript

SPOKEN = ("user", "assistant")
MARKS = ("uuid", "parentUuid", "sessionId", "isSidechain", "session_id", "parent_tool_use_id")
SAVED = regex(r"(?:Full output saved to|Output has been saved to|saved to file at):? +(\S+)")
SAVED_WITHIN = 600
"""Characters of a result in which the notice of a persisted output stands."""


class _Session:
    """One line of conversation: the main one, or a sub-agent's."""

    def __init__(self, build: Builder) -> None:
        self.build = build
        self.spoken: dict[str, Message] = {}  # by the API's message id
        self.answered: dict[str, int] = {}  # where the result of a call stands, by the call's id
        self.starts: dict[str, int] = {}  # where a record's messages begin, by its uuid
        self.ends: dict[str, int] = {}  # how many messages there were when it had been read
        self.live: list[int] = []  # messages of no branch that was left, as far as was looked
        self._looked = 0

    def abandoned(self, parent: str) -> list[int]:
        """What a prompt leaves behind that goes on from ``parent``: all that came after it, but for results of calls
        made before (those of parallel calls hang on their calls, each a branch of its own)."""
        messages, live = self.build.messages, self.live
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


class ClaudeCode:
    name = "claude_code"

    def sniff(self, document: Document) -> float:
        lines = document.first or [document.root]
        for line in lines:
            if not isinstance(line, dict) or (not document.is_lines and len(document.first) > 1):
                continue
            marks = [mark in line for mark in MARKS]
            if line.get("type") in (*SPOKEN, "system", "progress", "attachment") and sum(marks) >= 2:
                return 1.0
            if line.get("type") in SPOKEN and isinstance(line.get("message"), dict) and any(marks):
                return 0.8
        kinds = [line.get("type") for line in lines if isinstance(line, dict)]
        return 0.6 * any(kind in ("file-history-snapshot", "queue-operation", "last-prompt") for kind in kinds)

    def read(self, document: Document) -> Iterator[Transcript]:
        main = _Session(Builder(self.name, document.path))
        agents: dict[str, _Session] = {}
        roots: dict[str, str] = {}  # of a sidechain's records, the uuid that it began with
        apart = any(line.get("isSidechain") is False for line in document.first)
        records = document.lines() if document.is_lines or document.first else iter([(0, document.value())])
        for number, line in records:
            if not isinstance(line, dict):
                main.build.skip(type(line).__name__)
                continue
            session = main
            within = line.get("parent_tool_use_id")  # in what ``--output-format stream-json`` prints
            if line.get("isSidechain") is True or (within and isinstance(within, str)):
                name = str(line.get("agentId") or within or "")
                if apart:
                    uuid, parent = str(line.get("uuid")), str(line.get("parentUuid"))
                    root = roots[uuid] = roots.get(parent, uuid)
                    name = name or root
                    session = agents.get(name) or _Session(Builder(self.name, document.path, name))
                    session.build.transcript.parent = document.path
                    agents[name] = session
                elif not main.build.transcript.parent:
                    main.build.transcript.parent = _parent(document.path, str(line.get("sessionId") or name))
            elif line.get("type") in SPOKEN:
                apart = True
            self._record(session, number, line, document.path)
        yield main.build.transcript
        for session in agents.values():
            yield session.build.transcript

    def _record(self, session: _Session, number: int, line: dict[str, Any], path: str) -> None:
        build, kind, message = session.build, line.get("type"), line.get("message")
        build.here = Place(number, ())
        if isinstance(line.get("uuid"), str):
            session.starts.setdefault(line["uuid"], len(build.messages))
        if kind == "assistant" and isinstance(message, dict):
            self._assistant(session, message, line.get("requestId"))
        elif kind == "user" and isinstance(message, dict):
            if not _answers(message.get("content")):  # a prompt; one that follows no last message was rewound to
                build.forget(session.abandoned(str(line.get("parentUuid"))))
            self._user(session, number, message, path)
        elif kind == "system" and line.get("subtype") == "compact_boundary":
            kept = _dict(_dict(line.get("compactMetadata")).get("preservedSegment")).get("headUuid")
            build.forget(range(session.starts.get(str(kept), len(build.messages))))
        elif kind == "system" and line.get("subtype") == "microcompact_boundary":
            ids = _dict(line.get("microcompactMetadata")).get("compactedToolIds")
            named = map(str, ids if isinstance(ids, list) else ())
            build.forget([session.answered[id] for id in named if id in session.answered])
        else:
            build.skip(f"{kind} {line['subtype']}" if line.get("subtype") else kind)
        if isinstance(line.get("uuid"), str):
            session.ends[line["uuid"]] = len(build.messages)

    def _assistant(self, session: _Session, message: dict[str, Any], request: Any) -> None:
        build, content = session.build, message.get("content")
        usage = usage_of(message.get("usage"))
        id = next((str(id) for id in (message.get("id"), request) if str(id or "") not in UNUSABLE_IDS), "")
        said = session.spoken.get(id)
        if not id and build.messages and build.messages[-1].role == "assistant":  # ids are hidden: by what it read
            last = build.messages[-1]
            said = last if usage and last.usage and last.usage.prompt == usage.prompt else None
        if said is None:
            said = build.say("assistant")
            if id:
                session.spoken[id] = said
        model = message.get("model")
        if isinstance(model, str) and not model.startswith("<"):  # <synthetic> is the host's own
            build.transcript.model = model
        said.usage = usage or said.usage
        for block in content if isinstance(content, list) else [content]:
            text = block if isinstance(block, str) else block.get("text") if isinstance(block, dict) else None
            if isinstance(text, str):
                said.text = f"{said.text}\n{text}" if said.text else text
            elif isinstance(block, dict) and str(block.get("type")) in CALLS:
                build.call(block.get("id"), block.get("name"), block.get("input"), message=said)

    def _user(self, session: _Session, number: int, message: dict[str, Any], path: str) -> None:
        build, content = session.build, message.get("content")
        at = Place(number, ("message", "content"))
        spoken: Any = content
        if isinstance(content, list):
            spoken = []
            for index, block in enumerate(content):
                if not isinstance(block, dict) or block.get("type") != "tool_result":
                    spoken.append(block)
                    continue
                session.answered[str(block.get("tool_use_id"))] = len(build.messages)
                say_result(build, block, at.under(index))
                result = build.messages[-1].result
                head = result.text[:SAVED_WITHIN] if result is not None else ""
                if result is not None and "saved to" in head and (notice := SAVED.search(head)):
                    result.saved = _beside(path, notice[1])
        if spoken or not isinstance(content, list):
            build.say("user", text_of(spoken)[0])


def _answers(content: Any) -> bool:
    return isinstance(content, list) and any(_dict(block).get("type") == "tool_result" for block in content)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


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


FORMAT = ClaudeCode()
