"""The ground floor of the pipeline: what a content type reads (``Source``) and what it returns (``Outline``).

A content type turns a source into an outline: facts about the *whole* input, computed in one
complete pass, and items, each with its position and its own rendering. ``fill`` packs an
outline into a token budget. Neither knows the other's insides; this module is all they share.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.shell import Selector

LARGE = 64 * 1024 * 1024
"""Above this many bytes a source is streamed: ``Source.text`` must not be asked for."""

BLOCK = 4 * 1024 * 1024
"""Bytes a block when streaming."""

MAX_ITEMS = 20_000
"""The most items an outline should carry; beyond it a content type keeps a bounded, even choice."""


class Keep(enum.IntEnum):
    """Why an item is kept, weakest first. Higher ranks are shown first when room is short."""

    NONE = 0
    OUTLIER = 1  # a number far outside the bulk of its field
    RARE = 2  # a rare value, path, template or category; odd schema
    SEVERE = 3  # an error, a failure, a crash, a conflict


@dataclass(slots=True)
class Item:
    """One record, line, log entry, sequence or hunk.

    ``start`` and ``end`` are 1-based inclusive unit numbers (see ``Outline.unit``). ``text`` is the
    complete rendering, one or more lines, without a final newline, and already carries its exact
    anchor (``417 …``) where ``Outline.anchored`` says so. ``reason`` is short and is shown behind
    a kept item (``latency 90000, median 12``). Items of one ``template`` may be folded into the
    first one and a count when kept items are crowded. ``weight`` multiplies the item's gain
    (1.0 ordinary; 2–4 a heading or a definition; below 1 boilerplate). ``section`` is a heading,
    printed once above the first shown item of that section (a file in a diff). ``at`` is where in ``text`` the thing
    stands for which a kept line is kept: a long one is then shown around it; -1 where all of it matters. ``flow`` says
    that the text is read from its beginning on: whole, or its first ``sentences`` or ``lines``.
    ``part`` is how many of which of ``Outline.parts`` it shows.
    ``under`` is the unit of the line without which this one misleads (its signature, its condition): an earlier item,
    shown with it.
    """

    start: int
    end: int
    text: str
    keep: Keep = Keep.NONE
    reason: str = ""
    template: str = ""
    weight: float = 1.0
    section: str = ""
    at: int = -1
    part: tuple[str, int] = ("", 0)
    flow: str = ""
    under: int = 0


@dataclass(slots=True)
class Fact:
    """A statement about the whole input. Rank 0 is always shown, 1 is important, 2 and up as room allows. ``short`` is
    said instead where the text does not fit; of one with several lines whole lines are left out, from the end."""

    text: str
    rank: int = 1
    short: str = ""


@dataclass(slots=True)
class Lossless:
    """A shorter rendering that loses nothing: ``how`` names it, ``text`` makes it (called at most once)."""

    how: str
    text: Callable[[], str]
    estimate: int = 0  # a lower bound of its length in characters, 0 unknown: spares building one that cannot fit


@dataclass(slots=True)
class Outline:
    """What a content type says about one tool result.

    ``headline`` counts the whole in a few words ("1,204 records", "2,000 lines, 31 errors");
    it goes into the notice. ``unit`` is singular ("record", "line", "sequence"), ``total`` how
    many units the whole input has. ``header`` stands once above the items (column names).
    ``more`` are selectors of ``results get`` that make sense here, without the id and unquoted: ``("--where",
    "status=failed")``, ``("--records", "40:60")``, ``("--lines", "A:B")`` for lines that the notice chooses.
    ``facts_share`` is the most of the body's tokens that facts of rank 1 and up may take, ``frame_share`` what
    headings, definitions and controls (of a weight of 3 and more) take before all other items.
    ``parts``: what the units hold, and how many of it: an item that names a unit shows not all of it.
    ``anchored``: every item's text shows its own position, so that a gap is visible by its numbers.
    """

    content_type: str
    unit: str
    total: int
    headline: str
    facts: list[Fact] = field(default_factory=list)
    items: Sequence[Item] = ()
    header: str = ""
    lossless: list[Lossless] = field(default_factory=list)
    more: Sequence[Selector | str] = field(default_factory=list)
    facts_share: float = 0.35
    frame_share: float = 0.2
    anchored: bool = True
    nested: bool = False  # no item is shown without the lines that it stands under (``Item.under``)
    keeps_told: bool = False  # the facts already name what is kept, so that kept items need no room of their own
    extension: str = ""  # of the stored original, where it differs from the content type's (".ndjson")
    parts: dict[str, int] = field(default_factory=dict)  # "features": 33
    notes: list[str] = field(default_factory=list)  # "3 lines of 1,204 do not parse": always said


@dataclass(slots=True)
class Hints:
    """What is known about the call. All optional; never required for a good outline."""

    tool: str | None = None
    server: str | None = None
    arguments: Mapping[str, Any] | None = None
    focus: str | None = None
    is_error: bool = False
    exit_code: int | None = None  # of the command whose output this is; None: of a message, it stands there

    def words(self) -> str:
        """The words of the call and the request."""
        return "\n".join([*map(str, (self.arguments or {}).values()), self.focus or ""]).strip()


class Source:
    """The payload of one tool result: bytes in memory, or a file read in blocks when large.

    ``data`` and ``text`` read the whole payload and are for content of at most ``LARGE`` bytes;
    ``blocks`` serves both. Text is UTF-8 (a byte-order mark is dropped; UTF-16 with a mark is
    decoded), invalid bytes are shown as U+FFFD: the exact bytes are in the store.
    """

    masked: Mapping[str, int] | None = None  # secrets replaced by kind, once the bytes went through a masker

    def __init__(self, data: bytes | None = None, *, path: str | None = None, size: int | None = None) -> None:
        if (data is None) == (path is None):
            raise ValueError("a Source has either data or a path")
        self._data = data
        self._text: str | None = None
        self.path = path
        if data is not None:
            self.size = len(data)
        else:
            import os

            self.size = os.stat(path).st_size if size is None else size  # type: ignore[arg-type]

    @classmethod
    def of_text(cls, text: str) -> Source:
        source = cls(text.encode("utf-8", "surrogatepass"))
        source._text = text
        return source

    @property
    def large(self) -> bool:
        return self._data is None and self.size > LARGE

    @property
    def data(self) -> bytes:
        data = self._data
        if data is None:
            with open(self.path, "rb") as stream:  # type: ignore[arg-type]
                self._data = data = stream.read()
        return data

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = decode(self.data)
        return self._text

    def read(self, start: int, end: int) -> bytes:
        """The bytes ``start:end``; short at the end of the payload."""
        if self._data is not None:
            return self._data[start:end]
        with open(self.path, "rb") as stream:  # type: ignore[arg-type]
            stream.seek(start)
            found: bytes = stream.read(max(0, end - start))
            return found

    def chunks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Consecutive bytes, ``size`` at a time, wherever that cuts."""
        if self._data is not None:
            yield from (self._data[start : start + size] for start in range(0, self.size, size))
            return
        with open(self.path, "rb", buffering=0) as stream:  # type: ignore[arg-type]
            while chunk := stream.read(size):
                yield chunk

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Consecutive blocks of about ``size`` bytes, each but the last ending after a newline where one is near."""
        return _cut_blocks(self.chunks(size) if self._data is None else iter((self._data,)), size)


def _cut_blocks(chunks: Iterator[bytes], size: int) -> Iterator[bytes]:
    """Re-cut chunks after newlines. A line longer than 16 blocks is cut hard, so memory stays bounded."""
    rest = b""
    for chunk in chunks:
        cut = chunk.rfind(b"\n") + 1
        if cut and len(chunk) <= size and len(rest) < size:  # the usual case: one copy
            yield b"".join((rest, memoryview(chunk)[:cut]))
            rest = chunk[cut:]
            continue
        data = rest + chunk if rest else chunk
        start = 0
        while len(data) - start > size:
            cut = data.rfind(b"\n", start, start + size) + 1
            if cut <= start:
                cut = data.find(b"\n", start + size, start + 16 * size) + 1 or min(len(data), start + 16 * size)
                if cut == len(data) and len(data) - start < 16 * size:
                    break
            yield data[start:cut]
            start = cut
        cut = data.rfind(b"\n", start) + 1
        if cut > start and len(data) - start >= size:
            yield data[start:cut]
            start = cut
        rest = data[start:]
    if rest:
        yield rest


def decode(data: bytes) -> str:
    """Bytes to text, never raising: UTF-8, UTF-16 by its mark, invalid bytes replaced."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
    return data.decode("utf-8", "replace")


def split_lines(text: str) -> list[str]:
    """Lines by ``\\n`` alone, a final ``\\r`` stripped; a final newline opens no further line.

    ``str.splitlines`` would also split at form feeds and U+2028 and shift every anchor behind them.
    """
    if not text:
        return []
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    if "\r" in text:
        lines = [line[:-1] if line.endswith("\r") else line for line in lines]
    return lines


class Sample:
    """A bounded look at an input, for detection: at most the first 64 KB and the last 16 KB."""

    HEAD, TAIL = 65_536, 16_384

    def __init__(self, source: Source) -> None:
        self.size = source.size
        self.whole = source.size <= self.HEAD
        self.raw = source.read(0, self.HEAD)
        self.head = decode(self.raw)
        if not self.whole and self.head.endswith("\ufffd"):
            self.head = self.head.rstrip("\ufffd")
        self.tail = "" if self.whole else decode(source.read(max(self.HEAD, source.size - self.TAIL), source.size))
        lines = split_lines(self.head)
        if not self.whole and len(lines) > 1 and not self.head.endswith("\n"):
            lines.pop()  # the last one may be cut
        self.lines: list[str] = lines


@dataclass(slots=True)
class Verdict:
    """A content type's claim on an input: 0 not mine … 1 certainly mine, and why in a few words."""

    score: float
    why: str = ""


class ContentType(Protocol):
    """What each file of ``content/`` provides (as a module-level object named ``TYPE``)."""

    name: str
    extension: str  # of the stored original, with the dot: ".json"

    def sniff(self, sample: Sample) -> Verdict:
        """Total, cheap, bounded: never raises, reads nothing beyond the sample."""

    def outline(self, source: Source, hints: Hints) -> Outline:
        """Facts over the whole input and its items. Raises ``InputError`` when the source is not of this type."""

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Character spans of the units, in order, partitioning the text without a gap (chunking shares them).

        A type may also have ``ends(text)``, a function that finds single ends of them faster (see ``content/log.py``).
        """
