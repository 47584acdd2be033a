"""Sessions of Claude Code: a JSON line a record, a tree by ``uuid`` and ``parentUuid``. One message of the API is
recorded block by block, a line each, with the same ``message.id`` and a usage that grows; results arrive between those
lines. A prompt whose parent is not the last record goes back to it: what came between is out of the context. Sub-agents
have files of their own; older versions, and ``stream-json``, keep them in the session's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.transcripts.blocks import Said, more, say, told
from mcpcompact.transcripts.builder import UNUSABLE_IDS, Builder, Document, Reader, Sessions, listed, mapped, stated
from mcpcompact.transcripts.formats.anthropic_messages import USAGE
from mcpcompact.transcripts.model import Place, Transcript

SPOKEN = ("user", "assistant")
MARKED = (*SPOKEN, "system", "progress", "attachment")
BESIDE = ("file-history-snapshot", "queue-operation", "last-prompt")
MARKS = ("uuid", "parentUuid", "sessionId", "isSidechain", "session_id", "parent_tool_use_id")
SAVED = regex(r"(?:Full output saved to|Output has been saved to|saved to file at):? +(\S+)")
SAVED_WITHIN = 600  # characters of a result in which the notice of a persisted output stands


class _Session(Builder):
    """One line of conversation: the main one, or a sub-agent's."""

    def record(self, line: dict[str, Any], at: Place) -> None:
        kind, subtype, message = line.get("type"), line.get("subtype"), line.get("message")
        self.here = at
        if kind == "assistant" and isinstance(message, dict):
            self.assistant(message, line.get("requestId"))
        elif kind == "user" and isinstance(message, dict):
            self.user(told(message | {"role": kind}, at.under("message")), str(line.get("parentUuid")))
        elif kind == "system" and subtype == "compact_boundary":
            kept = mapped(mapped(line.get("compactMetadata")).get("preservedSegment")).get("headUuid")
            self.forget(range(self.stands[str(kept)].start if str(kept) in self.stands else len(self.messages)))
        elif kind == "system" and subtype == "microcompact_boundary":
            ids = map(str, listed(mapped(line.get("microcompactMetadata")).get("compactedToolIds")))
            self.forget([position for id in ids for position in self.stands.get(id, ())])
        else:
            self.skip(f"{kind} {subtype or ''}".strip())
        self.mark(line.get("uuid"))

    def assistant(self, message: dict[str, Any], request: object) -> None:
        usage = USAGE.read(message.get("usage"))
        id = next((str(id) for id in (message.get("id"), request) if str(id or "") not in UNUSABLE_IDS), "")
        reply = self.speaking
        if id or not reply or not usage or not reply.usage or reply.usage.prompt != usage.prompt:
            reply, _ = self.reply(id)  # else ids are hidden, and it is the rest of what read as much
        if not stated(message.get("model")).startswith("<"):  # <synthetic> is the host's own
            self.model(message.get("model"))
        reply.usage = usage or reply.usage
        more(self, message.get("content"), reply)

    def user(self, turn: Said, parent: str) -> None:
        if not turn.answers and parent in self.stands:  # a prompt; one that follows no last message was rewound to
            self.rewind(self.stands[parent].stop)
        start = len(self.messages)
        say(self, turn)
        for number, (answer, message) in enumerate(zip(turn.answers, self.messages[start:], strict=False), start):
            self.stands[str(answer.id)] = range(number, number + 1)
            if message.result and "saved to" in (head := answer.text[:SAVED_WITHIN]) and (at := SAVED.search(head)):
                message.result.saved = _beside(self.transcript.source, at[1])


class Format(Reader):
    keys = frozenset({"type"})
    quiet = (
        "system |progress|attachment|file-history|summary|queue-operation|last-prompt|custom-title|ai-title|agent-|mode"
        "|permission-mode|pr-link|tag|result|rate_limit_event|stream_event|tool_progress|tool_use_summary|auth_status"
    )

    def sniff(self, document: Document) -> float:
        claim = 0.0
        for line in document.objects if document.is_lines or not document.first[1:] else ():
            kind, marks = line.get("type"), sum(mark in line for mark in MARKS)
            if kind in MARKED and marks > 1:
                return 1.0
            spoken = marks and kind in SPOKEN and isinstance(line.get("message"), dict)
            claim = max(claim, 0.8 if spoken else 0.6 * (kind in BESIDE))
        return claim

    def read(self, document: Document) -> Iterator[Transcript]:
        sessions = Sessions(_Session, self.name, document.path)
        main = sessions[""]
        roots: dict[str, str] = {}  # of a sidechain's records, the uuid that it began with
        apart = any(line.get("isSidechain") is False for line in document.first)
        for at, line in main.records(document.records()):
            within = stated(line.get("parent_tool_use_id"))  # in what ``--output-format stream-json`` prints
            name = ""
            if line.get("isSidechain") is not True and not within:
                apart = apart or line.get("type") in SPOKEN
            elif apart:
                uuid = str(line.get("uuid"))
                roots[uuid] = roots.get(str(line.get("parentUuid")), uuid)
                name = str(line.get("agentId") or within or roots[uuid])
            elif not main.transcript.parent:
                known = f"{os.path.dirname(os.path.dirname(document.path))}.jsonl"  # above the sub-agents' folder
                main.transcript.parent = (
                    known if os.path.isfile(known) else str(line.get("sessionId") or line.get("agentId") or within)
                )
            sessions[name].record(line, at)
        yield from sessions.transcripts()


def _beside(path: str, saved: str) -> str:
    """Where a persisted output is: in the session's own directory beside its file, else where the notice says."""
    name = saved.replace("\\", "/").rpartition("/")[2]
    known = os.path.join(os.path.splitext(path)[0], "tool-results", name)
    return known if os.path.isfile(known) else saved
