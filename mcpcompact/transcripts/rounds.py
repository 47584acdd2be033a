"""Older rounds of a recorded session in the place of one message: how each format says that, for ``emit``.

From a list of messages the older ones go, and the summary stands where they stood. The session file of a host keeps its
records, and takes the one by which the host itself says that it compacted: what reads it goes on from the summary.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mcpcompact.transcripts.document import mapped, stated
from mcpcompact.transcripts.model import Message, Place, Transcript


@dataclass(slots=True)
class Cut:
    """``gone`` are the elements of a list, or lines, in whose place the summary comes. Without any, the host's own
    record stands before the line ``line``; ``system`` are lines before it that stay in the context."""

    format: str
    text: str
    gone: list[Place] = field(default_factory=list)
    line: int = -1
    system: list[int] = field(default_factory=list)

    @property
    def inside(self) -> bool:
        """Whether this is a list within a record, not lines."""
        return bool(self.gone and self.gone[0].path)


def cut(transcript: Transcript, position: int, text: str) -> Cut | str:
    """The messages before ``position``, the system's aside, become ``text`` ("": nothing); or why they cannot.

    Moved back where a result would lose its call, or a record that holds several messages would be torn.
    """
    name, messages = transcript.format, transcript.messages
    if name not in SAYS and name not in HOSTS:
        return f"files of {name} have no place for a summary of older rounds"
    if messages and all(message.at is None for message in messages):
        return "the file does not hold each message once and in its order, so no summary fits in"
    position = _whole(messages, position)
    older = [message for message in messages[:position] if message.role != "system"]
    if not older or position >= len(messages):
        return "no whole round is old enough to go"
    places = [message.at for message in older if message.at is not None]
    at = messages[position].at
    nowhere = len(places) < len(older) or any(None in place.path for place in places)
    if nowhere or (name in HOSTS and at is None):
        return "the older messages do not stand in the file as such"
    if name in HOSTS and at is not None:
        system = [m.at.record for m in messages[:position] if m.role == "system" and m.at is not None]
        return Cut(name, text, line=at.record, system=system)
    gone = list(dict.fromkeys(places))
    if len({(place.file, place.path and (place.record, place.path[:-1])) for place in gone}) > 1:
        return "the older messages stand in several lists"
    return Cut(name, text, gone=gone)


def _whole(messages: Sequence[Message], position: int) -> int:
    owner = {id(call): n for n, message in enumerate(messages) for call in message.calls}
    position = min(position, len(messages) - 1)
    least = position
    for n in range(len(messages) - 1, -1, -1):  # from the end: what moves the cut back is then looked at as well
        if n < least:
            break
        result = messages[n].result
        if result is not None:
            least = min(least, owner.get(id(result.call), n))
        together = messages[n].at is not None and messages[n].at == messages[n - 1].at
        if n and n == least and (messages[n].continues or together):
            least = n - 1
    return least


TEXT, PART, ID = "\0", "\1", "\2"
"""In a shape: the text, as a block of its own where the given message has blocks (``PART``: Gemini's); an id of it."""

CHAT = {"role": "user", "content": TEXT, "ts": ...}
PARTS = {"role": "user", "parts": [{"text": TEXT}]}
CONSTRUCTOR = ["langchain", "schema", "messages", "HumanMessage"]
NAMED = ("anthropic_messages", "cline", "cline_sdk", "inspect_eval_log", "litellm_completion_log", "mini_swe_agent")

SAYS: dict[str, Sequence[dict[str, Any]]] = {
    **{name: [CHAT] for name in (*NAMED, "openai_chat", "tau2_bench")},
    "adk_session": [{"id": ID, "author": "user", "invocationId": ..., "invocation_id": ..., "content": PARTS}],
    "atif": [{"step_id": ..., "timestamp": ..., "source": "user", "message": TEXT}],
    "continue_session": [{"message": {"role": "user", "content": TEXT}, "contextItems": []}],
    "converse_messages": [
        {"role": "user", "content": [{"text": TEXT}]},
        {"message": {"role": "user", "content": [{"text": TEXT}]}, "message_id": ...},
    ],
    "gemini_api": [PARTS],
    "gemini_cli": [{"id": ID, "timestamp": ..., "type": "user", "content": PART}],
    "kiro_cli": [
        {"version": ..., "kind": "Prompt", "data": {"message_id": ID, "content": [{"kind": "text", "data": TEXT}]}},
        {"user": {"content": {"Prompt": {"prompt": TEXT}}}, "assistant": {}},
    ],
    "langchain_messages": [
        {"lc": 1, "type": "constructor", "id": CONSTRUCTOR, "kwargs": {"content": TEXT, "type": "human"}},
        {"type": "human", "data": {"content": TEXT, "type": "human"}},
    ],
    "langgraph_messages": [{"type": "human", "content": TEXT}],
    "opencode": [
        {"info": {"id": ID, "role": "user"}, "parts": [{"type": "text", "text": TEXT}]},
        {"id": ID, "type": "user", "text": TEXT},
    ],
    "qwen_code": [{"uuid": ID, "sessionId": ..., "timestamp": ..., "type": "user", "message": PARTS}],
    "sharegpt_conversations": [{"from": "human", "value": TEXT}, {"role": "human", "content": TEXT}],
    "vscode_chat_export": [{"requestId": ..., "responseId": ..., "message": {"text": TEXT}, "response": []}],
}
"""How each format whose file is a list of messages writes one of the user: the shape of most keys in common with the
message that it stands for; ``...`` is as there."""


def _filled(shape: Any, text: str, like: Any) -> Any:
    if isinstance(shape, dict):
        kept = {key: inner for key, inner in shape.items() if inner is not ... or key in mapped(like)}
        return {key: _filled(inner, text, mapped(like).get(key)) for key, inner in kept.items()}
    if isinstance(shape, list):
        return [_filled(inner, text, None) for inner in shape]
    if shape in (TEXT, PART) and isinstance(like, list):
        return [{"type": "text", "text": text} if shape == TEXT else {"text": text}]
    if shape is ...:
        return like
    return {TEXT: text, PART: text, ID: _id(text)}.get(shape, shape)


class Host:
    """Writes one cut into a host's session file, line by line: ``see`` each line before it, then ``records``, and
    ``mend`` what stands behind and names something before it. ``LINK`` are the keys of a record's id and of that of the
    one before it, ``new`` is the id of the summary's record."""

    LINK = ("", "")

    def __init__(self, cut: Cut) -> None:
        self.cut = cut
        self.new = ""
        self.before: dict[object, set[str]] = {}  # the ids of the records before it, by their chain
        self.chain: object = None

    def chain_of(self, record: dict[str, Any]) -> object:
        """What the records that follow each other have in common."""
        return None

    def see(self, number: int, record: dict[str, Any]) -> None:
        """A record before the cut."""
        self.before.setdefault(self.chain_of(record), set()).add(stated(record.get(self.LINK[0])))

    def records(self, like: dict[str, Any]) -> list[dict[str, Any]]:
        """The records that say the summary; ``like`` is the one that follows."""
        raise NotImplementedError

    def mend(self, record: dict[str, Any]) -> bool:
        """Whether the record was changed: what followed a record of before follows the summary."""
        parent = self.LINK[1]
        known = self.before.get(self.chain, ()) if self.new and self.chain_of(record) == self.chain else ()
        if stated(record.get(parent)) not in known:
            return False
        record[parent] = self.new
        return True


class _ClaudeCode(Host):
    LINK = ("uuid", "parentUuid")
    SHARED = ("isSidechain", "userType", "cwd", "sessionId", "version", "gitBranch", "slug", "agentId", "timestamp")

    def chain_of(self, record: dict[str, Any]) -> object:
        return record.get("isSidechain") is True, stated(record.get("agentId"))

    def records(self, like: dict[str, Any]) -> list[dict[str, Any]]:
        self.chain = self.chain_of(like)
        shared = {key: like[key] for key in self.SHARED if key in like}
        seed = f"{like.get('uuid')}{self.cut.text}"
        boundary, self.new = _id(f"boundary{seed}"), _id(f"summary{seed}")
        logical = {"logicalParentUuid": like.get("parentUuid"), "content": "Conversation compacted", "isMeta": False}
        mark = {"parentUuid": None, **shared, "type": "system", "subtype": "compact_boundary", **logical,
                "level": "info", "compactMetadata": {"trigger": "manual"}, "uuid": boundary}  # fmt: skip
        if not self.cut.text:
            self.new = boundary
            return [mark]
        message = {"role": "user", "content": self.cut.text}
        summary = {"parentUuid": boundary, **shared, "type": "user", "message": message, "isCompactSummary": True,
                   "isVisibleInTranscriptOnly": True, "uuid": self.new}  # fmt: skip
        return [mark, summary]


class _Codex(Host):
    def __init__(self, cut: Cut) -> None:
        super().__init__(cut)
        self.known: list[dict[str, Any]] = []

    def see(self, number: int, record: dict[str, Any]) -> None:
        if number in self.cut.system and record.get("type") == "response_item":
            self.known.append(record["payload"])

    def records(self, like: dict[str, Any]) -> list[dict[str, Any]]:
        message = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": self.cut.text}]}
        history = [*self.known, *([message] if self.cut.text else [])]
        payload = {"message": "", "replacement_history": history}
        return [{"timestamp": stated(like.get("timestamp")), "type": "compacted", "payload": payload}]


class _Pi(Host):
    LINK = ("id", "parentId")
    entries = 0

    def see(self, number: int, record: dict[str, Any]) -> None:
        super().see(number, record)
        self.entries += 1

    def records(self, like: dict[str, Any]) -> list[dict[str, Any]]:
        mark = {"type": "compaction", "timestamp": stated(like.get("timestamp")), "summary": self.cut.text}
        if "id" not in like:
            return [mark | {"firstKeptEntryIndex": self.entries + 1, "tokensBefore": 0}]
        self.new = _id(self.cut.text)[:8]
        link = {"id": self.new, "parentId": like.get("parentId"), "firstKeptEntryId": like["id"]}
        return [mark | link | {"tokensBefore": 0}]

    def mend(self, record: dict[str, Any]) -> bool:
        kept = record.get("firstKeptEntryIndex")
        if isinstance(kept, int) and kept >= self.entries:
            record["firstKeptEntryIndex"] = kept + 1
            return True
        return super().mend(record)


HOSTS: dict[str, type[Host]] = {"claude_code": _ClaudeCode, "codex_rollout": _Codex, "pi_session": _Pi}
"""Formats in which a host says that it compacted."""


def element(cut: Cut, like: Any) -> dict[str, Any]:
    """The summary as a message of a list."""
    shape = max(SAYS[cut.format], key=lambda shape: len(shape.keys() & mapped(like).keys()))
    return dict(_filled(shape, cut.text, mapped(like)))


def _id(text: str) -> str:
    """An id that is the same for the same text."""
    return str(uuid.uuid5(uuid.NAMESPACE_OID, text))
