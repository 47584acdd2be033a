"""One model of a recorded session: messages in the order in which the model saw or wrote them.

Every assistant message is one model call, whose prompt is everything that stands before it (and was not
forgotten). A tool message carries one result; parallel results are consecutive tool messages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from mcpcompact.phrasing import counted

MAX_UNKNOWN = 0.05  # share of a session's records that may be unknown to its reader before that is a warning
MAX_EMPTY = 0.5  # share of results without text from which the reader may have missed it; quiet tools have fewer
NAMED = 4  # kinds that a line names, most frequent first

Role = Literal["system", "user", "assistant", "tool"]

Step = str | int | None  # a key, an index, or None: the string here is itself JSON, and the path goes on inside it


class Place(NamedTuple):
    """Where a text stands in its file, so that it can be replaced there: ``record`` is the 0-based line of a
    JSONL file (0 in a file that is one JSON document), ``path`` leads from its value to a string; ``file`` is
    the position in ``Document.files`` when a transcript is a directory. False for ``NOWHERE`` and what is under it."""

    record: int
    path: tuple[Step, ...]
    file: int = 0

    def under(self, *path: Step) -> Place:
        """The place that ``path`` leads to from here."""
        return Place(self.record, self.path + path, self.file) if self else self

    def __bool__(self) -> bool:
        return self.record >= 0


NOWHERE = Place(-1, ())  # the place of what does not stand in the file as such


@dataclass(slots=True)
class Call:
    """A tool call. ``arguments`` as the model wrote them; one that is no object stands under ``input``. ``hosted``:
    the provider ran it and kept the answer out of the recording, so no result is missing."""

    id: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    server: str = ""
    hosted: bool = False


@dataclass(slots=True)
class Result:
    """What the model saw of a tool's answer: the text of all its text blocks, joined by newlines.

    ``places`` are the strings that ``text`` was joined from, in order; empty when the text does not stand in
    the file as such. ``images`` counts the blocks that are no text. ``call`` is None for a result that no call
    announces (a recording that starts late). ``copies`` are the places of the same text in earlier requests of
    a dump that repeats its history. ``saved`` is the file in which the host kept the whole output of a shortened one.
    """

    text: str
    call: Call | None = None
    is_error: bool = False
    images: int = 0
    places: Sequence[Place] = ()
    copies: Sequence[Sequence[Place]] = ()
    saved: str = ""

    @property
    def tool(self) -> str:
        return self.call.tool if self.call else ""


@dataclass(slots=True)
class Usage:
    """Tokens that the provider reported for one model call. ``fresh`` prompt tokens were read at full price,
    ``cached`` ones came from its prompt cache, ``written`` ones were put into it; the three do not overlap."""

    fresh: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0

    @property
    def prompt(self) -> int:
        return self.fresh + self.cached + self.written

    def __add__(self, other: Usage) -> Usage:
        fresh, cached = self.fresh + other.fresh, self.cached + other.cached
        return Usage(fresh, cached, self.written + other.written, self.output + other.output)


@dataclass(slots=True)
class Message:
    """One message. ``text`` of an assistant includes no reasoning that is not sent again (hidden thoughts).

    ``continues``: an assistant message that is the rest of the model call before it (a provider's own tools answer
    within it). ``forgets``: positions in ``Transcript.messages`` of earlier messages that the host took out of the
    context just before this one (a compaction, context editing). ``at`` is the record or the element of a list that
    holds it, where one does.
    """

    role: Role
    text: str = ""
    calls: Sequence[Call] = ()
    result: Result | None = None
    usage: Usage | None = None
    continues: bool = False
    forgets: Sequence[int] = ()
    places: Sequence[Place] = ()
    at: Place | None = None

    def add(self, text: str) -> None:
        """More of what it says, on a line of its own."""
        self.text = f"{self.text}\n{text}" if self.text and text else self.text or text


@dataclass(slots=True)
class Omissions:
    """``skipped`` records say nothing to the model (progress, snapshots), ``unknown`` ones their reader does not know:
    both by kind. ``records`` are these and the messages. ``empty_results`` hold no text (but may hold images);
    ``calls`` are those that should have a result."""

    records: int = 0
    calls: int = 0
    results: int = 0
    calls_without_result: int = 0
    results_without_call: int = 0
    empty_results: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, other: Omissions) -> None:
        """Those of another session on top."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def as_dict(self) -> dict[str, Any]:
        return {
            "callsWithoutResult": self.calls_without_result,
            "resultsWithoutCall": self.results_without_call,
            "emptyResults": self.empty_results,
            "recordsSkipped": dict(sorted(self.skipped.items())),
            "recordsUnknown": dict(sorted(self.unknown.items())),
        }

    def said(self) -> list[str]:
        """A phrase for each kind of omission that there is."""
        phrases = [
            f"{counted(number, noun)} without {what}"
            for number, noun, what in (
                (self.calls_without_result, "call", "a result"),
                (self.results_without_call, "result", "a call"),
                (self.empty_results, "result", "any text"),
            )
            if number
        ]
        for kinds, what in ((self.skipped, "not for the model"), (self.unknown, "unknown to the reader")):
            if kinds:
                phrases.append(f"{_records(kinds)} {what} ({_named(kinds)})")
        return phrases

    def warnings(self) -> list[str]:
        """What makes the figures of the session doubtful, a line each."""
        lines = []
        if self.unknown and sum(self.unknown.values()) > MAX_UNKNOWN * self.records:
            left = f"{_records(self.unknown)} of {self.records:,} unknown to the reader and left out"
            lines.append(f"{left}: {_named(self.unknown)}")
        if not self.calls and not self.results:
            lines.append("no tool call and no result in this session")
        elif not self.results:
            lines.append(f"{counted(self.calls, 'call')} and no result: none was recorded, or the reader misses them")
        elif self.results_without_call > self.results * MAX_EMPTY:
            lines.append(f"{self.results_without_call:,} of {counted(self.results, 'result')} without a call")
        if self.empty_results > self.results * MAX_EMPTY:
            lines.append(f"{self.empty_results:,} of {counted(self.results, 'result')} without any text")
        return lines


@dataclass(slots=True)
class Transcript:
    """A recorded session. ``source`` is its file as given, ``name`` tells several transcripts of one file apart
    ("" when there is one); ``parent`` is the name or file of the session that started it (a sub-agent).

    ``skipped`` counts records that are no messages, by kind, and ``unknown`` those of them that the reader does not
    know; ``problems`` are lines about what could not be read or is doubtful; ``omissions`` sums that up. ``usage`` is
    the session's total where the file records only that; ``window`` the model's context limit where the file names it.
    """

    messages: list[Message]
    model: str = ""
    format: str = ""
    source: str = ""
    name: str = ""
    parent: str = ""
    usage: Usage | None = None
    window: int | None = None
    skipped: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    @property
    def results(self) -> list[Result]:
        """All results, in order."""
        return [m.result for m in self.messages if m.result is not None]

    @property
    def calls(self) -> list[Call]:
        """All calls, in order."""
        return [call for m in self.messages for call in m.calls]

    @property
    def omissions(self) -> Omissions:
        """What of the recording is not among its messages, or says nothing there."""
        results, calls = self.results, [call for call in self.calls if not call.hosted]
        answered = {id(result.call) for result in results}
        return Omissions(
            records=len(self.messages) + sum(self.skipped.values()),
            calls=len(calls),
            results=len(results),
            calls_without_result=sum(id(call) not in answered for call in calls),
            results_without_call=sum(result.call is None for result in results),
            empty_results=sum(not result.text for result in results),
            skipped=Counter({kind: number for kind, number in self.skipped.items() if kind not in self.unknown}),
            unknown=Counter(self.unknown),
        )


def _records(kinds: Mapping[str, int]) -> str:
    return counted(sum(kinds.values()), "record")


def _named(kinds: Mapping[str, int]) -> str:
    ranked = sorted(kinds.items(), key=lambda entry: (-entry[1], entry[0]))
    named = ", ".join(f"{number:,} {kind[:60]}" for kind, number in ranked[:NAMED])
    left = len(ranked) - NAMED
    return f"{named} and {counted(left, 'other kind')}" if left > 0 else named
