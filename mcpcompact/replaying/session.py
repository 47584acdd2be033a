"""A transcript made ready for replay, where what is the same for every policy is computed once; and its context as a
policy sees and rewrites it, message by message."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.replaying import evidence
from mcpcompact.replaying.cost import Prompt
from mcpcompact.replaying.evidence import Use
from mcpcompact.tokens import counter, resolve
from mcpcompact.tokens.models import bare, context_limit
from mcpcompact.transcripts.model import Call, Message, Transcript

FOCUS = 2_000  # characters of the last user message that rank what is shown

MAX_KNOWN = 1_000_000  # names of a conversation that are remembered; what a longer one adds counts as new

REFERENCE = regex(r"\bmcpcompact results (?:get|grep) [0-9a-f]{8,}")
"""What makes a result reachable: a command that fetches it stands in the text."""

_NO_CALL = Call("", "")


class Counts(dict[str, int]):
    """Tokens of texts, each counted once."""

    def __init__(self, encoding: str) -> None:
        super().__init__({"": 0})
        self._counter = counter(encoding)

    def all(self, texts: Iterable[str]) -> None:
        """Count many at once."""
        new = list(set(texts).difference(self))
        self.update(zip(new, self._counter.counts(new), strict=True))

    def __missing__(self, text: str) -> int:
        self[text] = tokens = self._counter.count(text)
        return tokens

    def once(self, text: str) -> int:
        """A text that will not come again: trial cuts."""
        return self._counter.count(text)


def _texts(message: Message) -> tuple[str, ...]:
    """What a message costs: its text, and of each call the tool and the arguments. A provider's framing is not in the
    file."""
    if not message.calls:
        return (message.text,)
    called = [text for call in message.calls for text in (call.tool, arguments_text(call.arguments))]
    return (message.text, *called)


def standing(messages: Sequence[Message], costs: Sequence[int]) -> Iterator[int]:
    """The tokens of the context up to and with each message, without what the host took out of it."""
    total, left = 0, list(costs)
    for i, message in enumerate(messages):
        for gone in message.forgets:
            if 0 <= gone < i:
                total -= left[gone]
                left[gone] = 0
        total += left[i]
        yield total


def arguments_text(arguments: Mapping[str, Any]) -> str:
    """Arguments as they stand in a prompt: compact JSON; free text as it is."""
    if set(arguments) == {"input"} and isinstance(arguments["input"], str):
        return arguments["input"]
    if not arguments:
        return "{}"
    import orjson

    try:
        return orjson.dumps(arguments, default=str, option=orjson.OPT_NON_STR_KEYS).decode()
    except (TypeError, ValueError):  # lone surrogates, integers beyond 64 bits, deep nesting
        return evidence.strings(arguments)


@dataclass(slots=True)
class View:
    """One result as a policy sees it when it arrives. ``known_here`` are those of its names that the conversation
    holds already, as ``compact`` takes them for ``context`` (computed when asked for)."""

    position: int
    text: str
    tokens: int
    tool: str
    server: str
    arguments: Mapping[str, Any]
    focus: str
    count: Callable[[str], int]
    known_here: Callable[[], set[str]]
    encoding: str


class Session:
    """``texts`` are what each message costs, ``costs`` its tokens; ``calls`` the positions of the assistant messages
    that are a model call each; ``call_at`` how many calls were made before each position; ``uses`` the evidence by its
    result."""

    def __init__(self, transcript: Transcript, *, model: str | None, encoding: str | None, over: int = 0) -> None:
        self.transcript = transcript
        self.messages = transcript.messages
        self.model = model or transcript.model
        self.encoding = resolve(model, encoding).encoding
        self.count = Counts(self.encoding)
        self.window = (not model and transcript.window) or context_limit(bare(self.model))
        self.texts = [_texts(message) for message in self.messages]
        self.count.all([text for texts in self.texts for text in texts])
        self.costs = [sum(map(self.count.__getitem__, texts)) for texts in self.texts]
        self.results = [i for i, message in enumerate(self.messages) if message.result is not None]
        self.calls: list[int] = []
        self.call_at: list[int] = []
        for i, message in enumerate(self.messages):
            self.call_at.append(len(self.calls))
            if message.role == "assistant" and not message.continues:
                self.calls.append(i)
        self.uses = {i: uses for i, uses in evidence.collect(self.messages).items() if self.costs[i] > over}
        self.used_at: dict[int, list[Use]] = {}
        for uses in self.uses.values():
            for use in uses:
                self.used_at.setdefault(use.at, []).append(use)
        self.hidden = self._hidden()
        self._forgotten = {position: i for i, m in enumerate(self.messages) for position in m.forgets}
        self._known: set[str] = set()
        self._known_to = 0

    def _hidden(self) -> list[int]:
        """Of each model call, the prompt tokens that its recorded usage has more than the visible messages: system
        prompt, tool schemas, framing, another tokenizer. Where only the session's total is known, an even share."""
        contexts = list(standing(self.messages, self.costs))
        visible = [contexts[i] - self.costs[i] for i in self.calls]
        hidden: list[int] = []
        known = [self.messages[i].usage for i in self.calls]
        for usage, seen in zip(known, visible, strict=True):
            if usage is not None and usage.prompt:
                hidden.append(max(0, usage.prompt - seen))
            else:
                hidden.append(hidden[-1] if hidden else 0)
        whole = self.transcript.usage
        if whole is not None and whole.prompt and not any(usage and usage.prompt for usage in known) and self.calls:
            hidden = [max(0, whole.prompt - sum(visible)) // len(self.calls)] * len(self.calls)
        return hidden

    @property
    def recorded(self) -> bool:
        """Whether the transcript says what its provider counted."""
        used = (self.transcript.usage, *(self.messages[i].usage for i in self.calls))
        return any(usage is not None and usage.prompt for usage in used)

    @property
    def output(self) -> int:
        """Tokens that the model wrote: recorded where they are, else those of its messages."""
        total = 0
        for i, message in enumerate(self.messages):
            if message.role == "assistant":
                usage = message.usage
                total += usage.output if usage is not None and usage.output else self.costs[i]
        whole = self.transcript.usage
        return max(total, whole.output) if whole is not None else total

    def sent_from(self, position: int) -> int:
        """How many model calls, from the one at ``position`` on, send what stands just before it: until the host
        forgets it or the session ends."""
        gone = self._forgotten.get(position)
        end = len(self.calls) if gone is None else self.call_at[gone]
        return max(1, end - self.call_at[position])

    def views(self) -> Iterator[View]:
        """The results in order, as a policy may see them."""
        focus = ""
        for i, message in enumerate(self.messages):
            if message.role == "user" and message.text.strip():
                focus = message.text[-FOCUS:]
            if message.result is None:
                continue
            call, known_here = message.result.call or _NO_CALL, partial(self.known_here, i)
            asked = call.tool, call.server, call.arguments
            yield View(i, message.text, self.costs[i], *asked, focus, self.count.once, known_here, self.encoding)

    def known_here(self, position: int) -> set[str]:
        """The names of the message at ``position`` that stand before it. What came before is read once."""
        from mcpcompact.engine.atoms import atoms

        if position < self._known_to:
            self._known, self._known_to = set(), 0
        for message in self.messages[self._known_to : position]:
            if len(self._known) < MAX_KNOWN:
                self._known |= atoms(message.text)
                for call in message.calls:
                    self._known |= atoms(evidence.strings(call.arguments))
        self._known_to = position
        return atoms(self.messages[position].text) & self._known


class Context:
    """``shown`` is the text that stands for each result now, ``after`` are the tokens that it has in the end. What the
    *host* forgot is out of the prompt, but is no doing of the policy."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.prompt = Prompt()
        self.shown: dict[int, str] = {}
        self.after: dict[int, int] = {}
        self.texts: dict[int, str] = {}  # of messages that are no results, as a policy rewrote them
        self.cut = 0  # the messages before this one, the system's aside, are gone
        self.summary = ""  # what stands in their place
        self._live: dict[int, None] = {}  # results that are in the prompt and not replaced yet, in order

    @property
    def size(self) -> int:
        """Tokens of the next call's prompt, what the recording does not show included."""
        call = min(len(self.prompt.growth), len(self.session.hidden) - 1)
        return self.prompt.total + (self.session.hidden[call] if call >= 0 else 0)

    def add(self, position: int, text: str | None = None) -> None:
        """The next message; ``text`` is a policy's version of a result."""
        tokens = self.session.costs[position]
        message = self.session.messages[position]
        if text is not None:
            if text != message.text:
                tokens = self.session.count[text]
            self.shown[position] = text
            self.after[position] = tokens
            self._live[position] = None
        self.prompt.add(tokens)

    def forget(self, position: int) -> None:
        """The host took a message out."""
        if position < len(self.prompt.costs):
            self.prompt.put(position, 0)
            self._live.pop(position, None)

    def live_results(self, but_last: int) -> list[int]:
        """Positions of the results that are still as they arrived, without the last ones."""
        live = list(self._live)
        return live[: max(0, len(live) - but_last)]

    def replace(self, position: int, text: str) -> None:
        """Another text in the place of a result, from this call on."""
        self.set(position, text)
        self._live.pop(position, None)

    def set(self, position: int, text: str, tokens: int | None = None) -> None:
        """Another text in the place of any message; of a result too, which stays live. "" takes it out."""
        tokens = self.session.count[text] if tokens is None else tokens
        if position in self.shown:
            self.shown[position] = text
            self.after[position] = tokens
            if not text:
                self._live.pop(position, None)
        else:
            self.texts[position] = text
        self.prompt.put(position, tokens)
