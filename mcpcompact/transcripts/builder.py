"""What every format's reader builds a transcript with: messages in order, results paired with their calls. Readers
import from here also what they need of ``document`` and ``model``."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from mcpcompact.transcripts.document import FEW, UNREADABLE, Document, elements, listed, mapped, objects, parse, stated
from mcpcompact.transcripts.model import NOWHERE, Call, Message, Place, Result, Role, Step, Transcript, Usage

__all__ = ["FEW", "NOWHERE", "UNREADABLE", "UNUSABLE_IDS", "Builder", "Call", "Document", "Lines", "Message",
           "Place", "Reader", "Result", "Sessions", "Tokens", "Transcript", "Usage", "answer_of", "as_count", "dumped",
           "elements", "listed", "mapped", "objects", "parse", "stated", "text_of"]  # fmt: skip

Places = Sequence[Place]

_TOKENS_MOST = 1e15  # no size
ANSWERS = ("output", "result", "error", "content", "return_value")  # where a function's response has its text
UNUSABLE_IDS = {"", "None", "null", "REDACTED"}  # of recorders that have none or hide it: pairs are then found by order

QUIET_BLOCKS = {"text", "input_text", "output_text", "thinking", "redacted_thinking", "reasoning", "refusal", "image",
                "image_url", "input_image", "document", "file", "input_file", "audio", "input_audio", "video",
                "video_url", "tool_reference", "container_upload", "compaction", "document_url"}  # fmt: skip
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
        self._replies: dict[str, Message] = {}
        self.stands: dict[str, range] = {}  # where the messages of each record are, by its id
        self._marked = 0
        self._forgotten: list[int] = []
        self._rewound: set[int] = set()  # messages that a rewind took back
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
        return self.last if self.last and self.last.role == "assistant" else None

    @property
    def spoken(self) -> list[Message]:
        """What the assistant has said."""
        return [message for message in self.messages if message.role == "assistant"]

    def each(self, at: Place, value: object, *path: str) -> Iterator[tuple[Place, dict[str, Any]]]:
        """The records of the list that a path of keys leads to, and where each stands; others are counted."""
        return self.records(elements(at, value, *path))

    def records(self, records: Iterable[tuple[Place, Any]]) -> Iterator[tuple[Place, dict[str, Any]]]:
        """Those records that are objects; others are counted."""
        for self.here, record in records:
            if isinstance(record, dict):
                yield self.here, record
            else:
                self.skip(type(record).__name__)

    def model(self, *names: object) -> None:
        """The model is the first of these that is a name; else it stays what it was."""
        self.transcript.model = next((n for n in names if isinstance(n, str) and n), self.transcript.model)

    def say(
        self, role: Role, text: str = "", *, usage: Usage | None = None, continues: bool = False, places: Places = ()
    ) -> Message:
        """A message of the system, the user or the assistant. Its calls follow by ``call``."""
        return self._append(Message(role, text, (), None, usage, continues, (), () if NOWHERE in places else places))

    def _append(self, message: Message) -> Message:
        message.at = self.here or None
        if self._forgotten:
            message.forgets, self._forgotten = sorted(set(self._forgotten)), []
        self.transcript.messages.append(message)
        return message

    def hear(self, role: object, content: object, at: Place = NOWHERE) -> None:
        """A message with that content, of the system or else the user."""
        text, places, _ = text_of(content, at)
        self.say("system" if role in ("system", "developer") else "user", text, places=places)

    def tell(self, role: Role, text: object) -> None:
        """As ``say``, when there is a text."""
        if isinstance(text, str) and text:
            self.say(role, text)

    def further(self, message: Message) -> Message:
        """The message that the model goes on in: ``message``, or after a result within it the rest of it."""
        return message if self.messages[-1] is message else self.say("assistant", continues=True)

    def reply(self, id: str) -> tuple[Message, bool]:
        """The model's message of that id, which several records may tell, and whether it is a new one."""
        message = self._replies.get(id)
        if message is not None:
            return message, False
        message = self.say("assistant")
        self._replies |= {} if id in UNUSABLE_IDS else {id: message}
        return message, True

    def mark(self, id: object) -> None:
        """The messages since the last mark are those of the record of that id: ``stands`` says where."""
        end = len(self.transcript.messages)
        if id is not None:
            key = str(id)
            self.stands[key] = range(self.stands[key].start if key in self.stands else self._marked, end)
        self._marked = end

    def forget(self, positions: Sequence[int]) -> None:
        """The host takes these messages out of the context before the message that comes next."""
        self._forgotten += positions

    def rewind(self, start: int) -> None:
        """The user or the host goes back to where the message of that position was to come: what was said since leaves
        the context, but for results of calls made before (those of parallel calls, each a branch of its own)."""
        later = [n for n in range(start, len(self.messages)) if n not in self._rewound]
        calls = {id(call) for position in later for call in self.messages[position].calls}
        results = ((n, self.messages[n].result) for n in later)
        gone = [n for n, result in results if not (result and result.call) or id(result.call) in calls]
        self._rewound.update(gone)
        self.forget(gone)

    def call(
        self,
        id: object,
        tool: object,
        given: object,
        server: str = "",
        hosted: bool = False,
        message: Message | None = None,
    ) -> Call:
        """A tool call of ``message``, else of the last message; one is opened when that is no assistant's."""
        message = message or self.speaking or self.say("assistant")
        call = Call(str(id or ""), str(tool or ""), as_arguments(given), server, hosted)
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

    def answer(self, id: object, content: object, at: Place = NOWHERE, **about: Any) -> Result:
        """As ``result``, of a content that stands at ``at``."""
        text, places, images = text_of(content, at)
        return self.result(id, text, places, images=images, **about)

    def result(
        self,
        id: object,
        text: str,
        places: Places = (),
        tool: str = "",
        failed: bool = False,
        images: int = 0,
        call: Call | None = None,
    ) -> Result:
        """A tool's answer, as a message of its own. ``call`` pairs it directly (call and result in one record)."""
        id = str(id or "")
        paired = call or self._match(id, tool)
        if paired is not None:
            self._unanswered.pop(_key(paired), None)
        result = Result(text, paired, failed, images, () if NOWHERE in places else places)
        if paired is None and id not in UNUSABLE_IDS:
            self._early.setdefault(id, result)
        elif paired is not None and (early := self._early.get(paired.id)) is not None and early.call is paired:
            early.call = None  # the id is used again: this is the call's own
        self._append(Message("tool", text, (), result))
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


class Sessions(dict[str, Any]):
    """The sessions of a file by name, each with its builder. Those with a name were started by the main one."""

    def __init__(self, builder: Callable[[str, str, str], Any], format: str, path: str) -> None:
        self.build: Callable[[str], Any] = lambda name: builder(format, path, name)
        self.path = path
        self[""] = self.build("")

    def __missing__(self, name: str) -> Any:
        session = self[name] = self.build(name)
        session.transcript.parent = self.path
        return session

    def transcripts(self) -> Iterator[Transcript]:
        return (session.transcript for name, session in self.items() if not name or session.messages)


class Reader:
    """A format: what ``read.Format`` asks for. One session a value, or a line; ``session`` says what it holds. It has
    the name of its file."""

    name = ""
    keys: frozenset[str] = frozenset()
    quiet = ""
    named = ""  # the key under which a session has its name; one of several without it goes by its number
    builder: Callable[[str, str], Any] = Builder

    def __init_subclass__(cls) -> None:
        cls.name = vars(cls).get("name", cls.__module__.rpartition(".")[2])

    def read(self, document: Document) -> Iterator[Transcript]:
        for number, (at, value) in enumerate(document.sections(), 1):
            build = self.builder(self.name, document.path)
            if document.is_lines:
                build.transcript.name = stated(mapped(value).get(self.named)) or str(number)
            self.session(build, value, at)
            yield build.transcript

    def session(self, build: Any, value: Any, at: Place) -> None:
        """Say what a value holds, which stands at ``at``."""
        raise NotImplementedError


class Lines(Reader):
    """A format whose lines are the records of one session; ``record`` says what one holds, or that of a builder, which
    knows more from one record to the next."""

    def read(self, document: Document) -> Iterator[Transcript]:
        build = self.builder(self.name, document.path)
        for at, line in build.records(document.sections()):
            self.record(build, line, at)
        yield build.transcript

    def record(self, build: Any, line: dict[str, Any], at: Place) -> None:
        """Say what a line holds."""
        build.record(line, at)


def _key(call: Call) -> int:
    return id(call)


class Tokens(NamedTuple):
    """Under which keys a format keeps the tokens of a model call. ``whole``: those of the prompt include the cached
    and the written ones. ``tools`` come on top of the prompt, ``thoughts`` of the output."""

    prompt: str
    output: str
    cached: str = ""
    written: str = ""
    whole: bool = True
    tools: str = ""
    thoughts: str = ""

    def read(self, value: Any) -> Usage | None:
        """The tokens under these keys; None where there are none."""
        value = mapped(value)
        if self.prompt not in value and self.output not in value:
            return None
        prompt = as_count(value.get(self.prompt)) + as_count(value.get(self.tools))
        output = as_count(value.get(self.output)) + as_count(value.get(self.thoughts))
        cached, written = as_count(value.get(self.cached)), as_count(value.get(self.written))
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


def text_of(content: object, place: Place = NOWHERE) -> tuple[str, list[Place], int]:
    """The text of a message's content (a string, blocks, one block, or nothing), where its strings stand relative to
    ``place`` (that of the content itself), and how many blocks are no text (images, documents, audio).

    Blocks of every provider are read by what they hold, nested ones in their place.
    """
    pending: list[tuple[tuple[Step, ...], Any]] = [] if content is None else [((), content)]
    if isinstance(content, list):
        pending = [((index,), block) for index, block in reversed(list(enumerate(content)))]
    parts: list[str] = []
    places: list[Place] = []
    others = 0
    while pending:
        path, block = pending.pop()
        text = block.get("text") if isinstance(block, dict) else block
        if isinstance(text, str):
            parts.append(text)
            places.append(place.under(*path) if text is block else place.under(*path, "text"))
            continue
        inner = mapped(block).get("content")
        if isinstance(inner, list) and "text" not in block:
            pending += reversed([((*path, "content", index), part) for index, part in enumerate(inner)])
        elif held := _held(mapped(block)):
            parts.append(held[0])
            places.append(place.under(*path, *held[1]) if held[1] else NOWHERE)
        else:
            others += 1
    return "\n".join(parts), [] if NOWHERE in places else places, others


def _held(block: dict[str, Any]) -> tuple[str, tuple[Step, ...]] | None:
    """The text of a block that has it under another key than "text", and the path to it: none when it is made of more
    than a string."""
    type = block.get("type", block.get("kind"))
    keys = ("content", "value", "data") if type == "text" else ("content", "Text", "result")
    if key := next((key for key in keys if isinstance(block.get(key), str)), ""):
        return block[key], (key,)
    for key in ("resource", "message_content"):
        if isinstance(inner := mapped(block.get(key)).get("text"), str):
            return inner, (key, "text")
    if response := mapped(block.get("functionResponse")):
        text, places, _ = answer_of(response.get("response"), Place(0, ("functionResponse", "response")))
        return text, places[0].path if places and places[0] else ()
    if isinstance(block.get("tool_name"), str):  # a tool that a search found
        return block["tool_name"], ()
    key = next((key for key in ("json", "Json", *(("value", "data") if type == "json" else ())) if key in block), "")
    return (dumped(block[key]), ()) if key else None


def answer_of(response: Any, at: Place) -> tuple[str, list[Place], bool]:
    """Text, places and failure of a function's response: its one text, else all of it as JSON."""
    held, failed = mapped(response), bool(mapped(response).get("error"))
    if isinstance(response, str):
        return response, [at], False
    if len(held) == 1 and (name := next(iter(held))) in ANSWERS and isinstance(held[name], str):
        return held[name], [at.under(name)], failed
    return ("", [], False) if response in (None, {}) else (dumped(response), [NOWHERE], failed)


def dumped(value: Any) -> str:
    """A value as JSON text; "" when it nests too deeply for that."""
    try:
        return json.dumps(value, ensure_ascii=False)
    except RecursionError:
        return ""
