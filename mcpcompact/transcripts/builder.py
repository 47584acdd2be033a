"""What every format's reader builds a transcript with: messages in order, results paired with their calls."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

from mcpcompact.transcripts.document import UNREADABLE, Document, listed, mapped, parse
from mcpcompact.transcripts.model import NOWHERE, Call, Message, Place, Result, Role, Step, Transcript, Usage

_TOKENS_MOST = 1e15  # no size
UNUSABLE_IDS = {"", "None", "null", "REDACTED"}  # of recorders that have none or hide it: pairs are then found by order

QUIET_BLOCKS = {"text", "input_text", "output_text", "thinking", "redacted_thinking", "reasoning", "refusal", "image",
                "image_url", "input_image", "document", "file", "input_file", "audio", "input_audio", "video",
                "video_url", "tool_reference", "container_upload", "compaction"}  # fmt: skip
"""Blocks of a message that are its text, hidden thoughts, or no text."""


class Builder:
    """Collects one transcript. A result is paired with the open call of its id, else with the next one of its id that
    follows (records out of order) and finds no other; without a usable id, with the oldest open call (of the same tool,
    where the result names one)."""

    def __init__(self, format: str, source: str, name: str = "") -> None:
        self.transcript = Transcript([], format=format, source=source, name=name)
        self._open: dict[str, deque[Call]] = {}
        self._unanswered: dict[int, Call] = {}
        self._early: dict[str, Result] = {}  # by id, results that stand before their call, if that comes
        self._forgotten: list[int] = []
        self.here = NOWHERE  # the record, or element of a list, that is being read

    @property
    def messages(self) -> list[Message]:
        return self.transcript.messages

    @property
    def last(self) -> Message | None:
        return self.transcript.messages[-1] if self.transcript.messages else None

    @property
    def speaking(self) -> Message | None:
        """The last message, if it is an assistant's."""
        last = self.last
        return last if last is not None and last.role == "assistant" else None

    @property
    def spoken(self) -> list[Message]:
        """What the assistant has said."""
        return [message for message in self.messages if message.role == "assistant"]

    def each(self, at: Place, value: object, *path: str) -> Iterator[tuple[Place, dict[str, Any]]]:
        """The records of the list that a path of keys leads to, and where each stands; others are counted."""
        for key in path:
            value = mapped(value).get(key)
        top = at.under(*path) if path else at
        yield from self.records(zip(map(top.under, count()), listed(value), strict=False))

    def records(self, records: Iterable[tuple[Place, Any]]) -> Iterator[tuple[Place, dict[str, Any]]]:
        for self.here, record in records:
            if isinstance(record, dict):
                yield self.here, record
            else:
                self.skip(type(record).__name__)

    def model(self, *names: object) -> None:
        """The model is the first of these that is a name; else it stays what it was."""
        self.transcript.model = next((n for n in names if isinstance(n, str) and n), self.transcript.model)

    def say(
        self,
        role: Role,
        text: str = "",
        *,
        usage: Usage | None = None,
        continues: bool = False,
        places: Sequence[Place] = (),
    ) -> Message:
        """A message of the system, the user or the assistant. Its calls follow by ``call``."""
        places, at = () if NOWHERE in places else places, self.here or None
        message = Message(role, text, (), None, usage, continues, self._due(), places, at)
        self.messages.append(message)
        return message

    def hear(self, role: object, content: object, at: Place = NOWHERE) -> None:
        """A message with that content, of the system or else the user."""
        text, places, _ = text_of(content, at)
        self.say("system" if role in ("system", "developer") else "user", text, places=places)

    def further(self, said: Message) -> Message:
        """The message that the model goes on in: ``said``, or after a result within it the rest of it."""
        return said if self.messages[-1] is said else self.say("assistant", continues=True)

    def forget(self, positions: Sequence[int]) -> None:
        """The host takes these messages out of the context before the message that comes next."""
        self._forgotten += positions

    def _due(self) -> Sequence[int]:
        due: Sequence[int] = ()
        if self._forgotten:
            due, self._forgotten = sorted(set(self._forgotten)), []
        return due

    def call(
        self,
        id: object,
        tool: object,
        arguments: object,
        *,
        server: str = "",
        hosted: bool = False,
        message: Message | None = None,
    ) -> Call:
        """A tool call of ``message``, else of the last message; one is opened when that is no assistant's."""
        message = message or self.speaking or self.say("assistant")
        call = Call(str(id or ""), str(tool or ""), as_arguments(arguments), server, hosted)
        message.calls = [*message.calls, call]
        if hosted:
            return call
        if call.id in UNUSABLE_IDS:
            self._unanswered[_key(call)] = call
        else:
            self._open.setdefault(call.id, deque()).append(call)
            early = self._early.get(call.id)
            if early is not None and early.call is None:
                early.call = call
        return call

    def answer(
        self,
        id: object,
        content: object,
        at: Place = NOWHERE,
        *,
        tool: str = "",
        failed: bool = False,
        call: Call | None = None,
    ) -> Result:
        """As ``result``, of a content that stands at ``at``."""
        text, places, images = text_of(content, at)
        return self.result(id, text, places=places, tool=tool, is_error=failed, images=images, call=call)

    def result(
        self,
        id: object,
        text: str,
        *,
        places: Sequence[Place] = (),
        tool: str = "",
        is_error: bool = False,
        images: int = 0,
        call: Call | None = None,
    ) -> Result:
        """A tool's answer, as a message of its own. ``call`` pairs it directly (call and result in one record)."""
        paired = call or self._match(str(id or ""), tool)
        if paired is not None:
            self._unanswered.pop(_key(paired), None)
        result = Result(text, paired, is_error, images, () if NOWHERE in places else places)
        if paired is None and str(id or "") not in UNUSABLE_IDS:
            self._early.setdefault(str(id), result)
        elif paired is not None and (early := self._early.get(paired.id)) is not None and early.call is paired:
            early.call = None  # the id is used again: this is the call's own
        self.messages.append(Message("tool", text, result=result, forgets=self._due(), at=self.here or None))
        return result

    def _match(self, id: str, tool: str) -> Call | None:
        if id not in UNUSABLE_IDS:
            waiting = self._open.get(id)
            return waiting.popleft() if waiting else None
        for call in self._unanswered.values():
            if not tool or call.tool == tool:
                return call
        return None

    def unknown(self, block: object) -> None:
        """Count a block of a message, neither call nor result, when its type is unknown."""
        kind = block.get("type") if isinstance(block, dict) else None
        if isinstance(kind, str) and kind not in QUIET_BLOCKS:
            self.skip(f"block {kind}")

    def skip(self, kind: object) -> None:
        """Count a record that is not for the model, or that this reader does not know."""
        key = str(kind)
        self.transcript.skipped[key] = self.transcript.skipped.get(key, 0) + 1


class Reader:
    """A format: what ``read.Format`` asks for. One session a value, or a line; ``session`` says what it holds. It has
    the name of its file."""

    name = ""
    keys: frozenset[str] = frozenset()
    quiet = ""

    def __init_subclass__(cls) -> None:
        cls.name = vars(cls).get("name", cls.__module__.rpartition(".")[2])

    def read(self, document: Document) -> Iterator[Transcript]:
        for number, (at, value) in enumerate(document.sections(), 1):
            build = Builder(self.name, document.path)
            if document.is_lines:
                build.transcript.name = self.named(mapped(value)) or str(number)
            self.session(build, value, at)
            yield build.transcript

    def named(self, value: dict[str, Any]) -> str:
        """The name of a session among several; "" for its number."""
        return ""

    def session(self, build: Builder, value: Any, at: Place) -> None:
        raise NotImplementedError


class Lines(Reader):
    """A format whose lines are the records of one session; ``record`` says what one holds. What is to be known from
    one record to the next stands in a builder of its own."""

    builder: Callable[[str, str], Any] = Builder

    def read(self, document: Document) -> Iterator[Transcript]:
        build = self.builder(self.name, document.path)
        for at, line in build.records(document.sections()):
            self.record(build, line, at)
        yield build.transcript

    def record(self, build: Any, line: dict[str, Any], at: Place) -> None:
        raise NotImplementedError


def _key(call: Call) -> int:
    return id(call)


class Tokens(NamedTuple):
    """Under which keys a format keeps the tokens of a model call. ``whole``: those of the prompt include the cached
    and the written ones."""

    prompt: str
    output: str
    cached: str = ""
    written: str = ""
    whole: bool = True

    def read(self, value: Any) -> Usage | None:
        value = mapped(value)
        if self.prompt not in value and self.output not in value:
            return None
        prompt, output, cached, written = (as_count(value.get(key)) for key in self[:4])
        return Usage(max(0, prompt - cached - written) if self.whole else prompt, cached, written, output)

    def either(self, value: Any) -> Usage | None:
        """As ``read``, where some providers count the cached tokens into the prompt: then these cannot be more."""
        apart = self._replace(whole=False).read(value)
        return self.read(value) if apart and apart.cached + apart.written <= apart.fresh else apart


def as_count(value: object) -> int:
    """A number of tokens as recorders write it; 0 for anything else."""
    if isinstance(value, float):
        return int(value) if 0 <= value < _TOKENS_MOST else 0  # also refuses NaN
    return max(0, value) if isinstance(value, int) else 0


def as_arguments(value: object) -> Mapping[str, Any]:
    """Arguments as an object: parsed when they are JSON text, else under ``input``."""
    if isinstance(value, str):
        parsed = parse(value) if value.lstrip()[:1] in ("{", "[") else UNREADABLE
        value = {"input": value} if parsed is UNREADABLE else parsed
    if isinstance(value, Mapping):
        return value
    return {} if value is None else {"input": value}


def _said_under(block: dict[str, Any]) -> str:
    """The key under which a block's text stands; "" when it has none."""
    keys = ("text", "content", "value") if block.get("type") == "text" else ("text", "content")
    return next((key for key in keys if isinstance(block.get(key), str)), "")


def text_of(content: object, place: Place = NOWHERE) -> tuple[str, list[Place], int]:
    """The text of a message's content (a string, typed blocks, one block, or nothing), where its strings stand
    relative to ``place`` (that of the content itself), and how many blocks are no text.

    Blocks of every provider are read by what they hold, nested ones in their place: ``text`` (or ``input_text``,
    ``output_text``: also under "text"), ``json``, or a ``content``; anything else (image, document, audio) is counted.
    """
    if content is None:
        return "", [], 0
    if isinstance(content, str):
        return content, [place] if place else [], 0
    parts: list[str] = []
    places: list[Place] = []
    others = 0
    rewritable = bool(place)
    blocks: deque[tuple[tuple[Step, ...], Any]] = deque([((), content)])
    if isinstance(content, list):
        blocks = deque(((index,), block) for index, block in enumerate(content))
    while blocks:
        path, block = blocks.popleft()
        body = mapped(block)
        if isinstance(body.get("content"), list) and "text" not in body:
            blocks.extendleft(reversed([((*path, "content", n), part) for n, part in enumerate(body["content"])]))
        elif isinstance(block, str) or (key := _said_under(body)):
            parts.append(block if isinstance(block, str) else body[key])
            places.append(place.under(*path) if isinstance(block, str) else place.under(*path, key))
        elif isinstance(body.get("tool_name"), str) or "json" in body:  # a tool that a search found, or structured data
            named = isinstance(body.get("tool_name"), str)
            parts.append(body["tool_name"] if named else dumped(body["json"]))
            rewritable = False
        else:
            others += 1
    return "\n".join(parts), places if rewritable else [], others


def dumped(value: Any) -> str:
    """A value as JSON text; "" when it nests too deeply for that."""
    import json

    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return ""
