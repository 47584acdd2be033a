"""Where a long text is cut: units of its content type, packed greedily under a hard limit, none of it lost.

Units come from ``ContentType.spans``. One that exceeds the limit alone starts a chunk of its own and is cut at the
next smaller kind (a JSON value's parts, line, sentence, words, characters). Costs of units are counted once and added
up; where a boundary inside a chunk is not one at which counts add up exactly, the chunk is counted as a whole.

A large source is read in windows: what stands behind the last finished chunk that ends with a unit is read again with
the next window, so a window needs no memory of the one before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from operator import itemgetter, lt, sub

from mcpcompact.collector import paused
from mcpcompact.content.detect import load
from mcpcompact.errors import InputError
from mcpcompact.patterns import regex
from mcpcompact.source import Source
from mcpcompact.tokens.encodings import is_safe_cut

WINDOW = 8 << 20  # bytes of a large source looked at together
FIRST = 1 << 19  # bytes of it looked at first: the first chunk of a gigabyte comes at once

UNITS = ("auto", "entry", "paragraph", "sentence", "line", "record")
NAMES = {
    **dict.fromkeys(("fasta", "records", "table"), "record"),
    "json": "value",
    "log": "entry",
    "diff": "hunk",
    "code": "block",
    "markup": "section",
    "text": "paragraph",
}
"""What a unit of a content type is called; of a type from another package it is a unit."""

_HEADS = regex(r"[!-.0-~]*+")
_SENTENCE = regex(r"(?:[.!?…][\"')\]]{0,2}\s|[。！？])\s*")
_STRUCTURE = regex(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[\]{}]|,\s*+', re.DOTALL)  # linear on an unclosed string too
_BLANK = regex(r"\s+")
_NESTED = 6  # levels of a JSON value that are taken apart before its lines and words

_Ends = Callable[[str, int], "list[int]"]
_Seek = Callable[[str], "Callable[[int, int], int] | None"]


@dataclass(frozen=True, slots=True)
class Span:
    """A chunk: bytes ``start:end`` of the source. Its text begins ``overlap`` bytes earlier. Lines are 1-based,
    inclusive. ``tokens`` counts all of the text. ``split`` names where a unit was cut that did not fit, else empty."""

    start: int
    end: int
    start_line: int
    end_line: int
    tokens: int
    split: str = ""
    overlap: int = 0


class Codec:
    """Bytes to text and back without loss. ``shown`` is what a reader sees: invalid bytes replaced by U+FFFD."""

    def __init__(self, source: Source) -> None:
        head = source.read(0, 3)
        self.wide = head[:2] in (b"\xff\xfe", b"\xfe\xff") and source.size % 2 == 0
        self.name, self.errors = "utf-8", "surrogateescape"
        if self.wide:
            self.name, self.errors = "utf-16-le" if head[:1] == b"\xff" else "utf-16-be", "surrogatepass"

    def decode(self, data: bytes, final: bool = True) -> str:
        """As much of the data as is whole characters (all of it when ``final``); never between CR and LF."""
        import codecs

        text = codecs.getincrementaldecoder(self.name)(self.errors).decode(data, final)
        return text if final or not text.endswith("\r") else text[:-1]

    def size(self, text: str) -> int:
        """Bytes of a text."""
        return len(text) if text.isascii() and not self.wide else len(text.encode(self.name, self.errors))

    def shown(self, text: str) -> str:
        """The text as a reader sees it."""
        if text.isascii():
            return text
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.encode(self.name, self.errors).decode(self.name, "replace")
        return text


@dataclass(slots=True)
class Measure:
    """What a limit counts: tokens of an encoding, or characters when there is none."""

    encoding: str | None

    def one(self, text: str) -> int:
        """The count of one text."""
        return self.many([text])[0]

    def many(self, texts: Sequence[str]) -> list[int]:
        """The count of each text."""
        if self.encoding is None:
            return [*map(len, texts)]
        from mcpcompact.tokens import counter

        return counter(self.encoding).counts(texts)

    def adds_up(self, text: str, cuts: Sequence[int]) -> bool:
        """Whether the counts of the parts between ``cuts`` are certain to add up (tokens/encodings.py)."""
        if self.encoding is None or not cuts:
            return True
        if text[cuts[0]].isascii() and all(map("\n".__eq__, map(text.__getitem__, [cut - 1 for cut in cuts]))):
            heads = "".join(map(text.__getitem__, cuts))  # lines: the rule of all of them at once
            if heads.isascii() and _HEADS.fullmatch(heads):
                return True
        return all(is_safe_cut(text, cut) for cut in cuts)


@dataclass(slots=True)
class Pieces:
    """A window cut up: where each piece ends, what it costs, and by which kind (0 a unit) it is cut from the next.
    ``alone`` are pieces that begin a chunk: the first of a unit that is too long. ``sure`` pieces stand before the
    last unit, which the end of the window may have cut."""

    ends: list[int] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    kinds: list[int] = field(default_factory=list)
    alone: list[int] = field(default_factory=list)
    sure: int = 0

    def add(self, end: int, cost: int, kind: int) -> None:
        self.ends.append(end)
        self.costs.append(cost)
        self.kinds.append(kind)


@dataclass(slots=True)
class Cut:
    """Where a chunk of a window ends, what it counts, by which kind it is cut there (0: at a unit's end), the text
    that it repeats in front and the one that the next repeats."""

    end: int
    tokens: int
    kind: int = 0
    lead: str = ""
    tail: str = ""


class Splitter:
    """Cuts sources of one content type into chunks of at most ``limit`` (tokens or characters, see ``measure``).

    ``overlap``: each chunk but the first begins with so much of the end of the one before, in whole units where they
    fit. Raises ``UsageError`` for a unit that this type of content does not have.
    """

    def __init__(self, content_type: str, unit: str, measure: Measure, limit: int, overlap: int = 0) -> None:
        self.measure, self.limit, self.overlap = measure, limit, overlap
        self.unit, self._spans, self._seek, self._levels = _units(content_type, unit, limit)
        self.problem = ""
        self.codec = Codec(Source(b""))  # of the source that is being cut

    def split(self, source: Source) -> Iterator[Span]:
        """The chunks, in order. They partition the bytes of the source; an empty one has none."""
        codec = self.codec = Codec(source)
        at, line, window = 0, 1, min(FIRST, WINDOW) if source.large else source.size
        before = ""  # what the next chunk repeats of the one before
        while at < source.size:
            final = at + window >= source.size
            text = codec.decode(source.read(at, min(at + window, source.size)), final)
            with paused():
                cuts = self._cut(text, bool(at), before, final)
            if not final and window < 4 * WINDOW:  # only up to a unit's end: the next window begins as this one does
                while cuts and cuts[-1].kind:
                    cuts.pop()
            if not cuts and not final:
                window *= 2
                continue
            start = kind = 0
            for cut in cuts:
                end = cut.end
                size, newlines = codec.size(text[start:end]), text.count("\n", start, end)
                ended = text[end - 1] == "\n"
                kind = max(kind, cut.kind)
                split = self._levels[kind - 1][0] if kind else ""
                yield Span(at, at + size, line, line + newlines - ended, cut.tokens, split, codec.size(cut.lead))
                at, line, before, start, kind = at + size, line + newlines, cut.tail, end, cut.kind
            window = WINDOW if source.large else source.size

    def _cut(self, text: str, later: bool, before: str, final: bool) -> list[Cut]:
        """The chunks of a window that no text behind it can change."""
        if self._seek and not self.measure.encoding and not self.overlap and len(text) > self.limit:
            marked = text[:1] == "\ufeff"
            if not marked and self.codec.shown(text) is text and (ends := self._seek(text)):
                return list(self._leap(text, ends, final))
        return list(self._pack(text, self._pieces(text, later), before, final))

    def _leap(self, text: str, ends: Callable[[int, int], int], final: bool) -> Iterator[Cut]:
        """What ``_pack`` gives for a limit in characters, without looking at every unit."""
        at = unit = 0  # where the chunk begins, and the first unit in it
        full = len(text) if final else text.rfind("\n") + 1
        while (stop := at + self.limit) < full:
            end = ends(unit, stop) if unit < stop else unit
            if end > stop and at < unit:
                end = unit  # the end of a unit that was too long, alone
            if end <= stop:
                yield Cut(end, end - at)
                at = unit = end
                continue
            if end >= full and not final:
                return
            parts, last, kind = Pieces(), at, 0
            self._take_apart(text, unit, unit := end, self.limit, parts)
            for end, kind_of_end in zip(parts.ends, parts.kinds, strict=True):
                if end - at > self.limit:
                    yield Cut(last, last - at, kind)
                    at = last
                last, kind = end, kind_of_end
        if final and at < len(text):
            yield Cut(len(text), len(text) - at)

    def _pieces(self, text: str, later: bool) -> Pieces:
        mark = 1 if text[:1] == "\ufeff" and not later else 0
        ends = [end + mark for end in self._ends(text[mark:]) or [len(text) - mark]]
        costs = self._costs(text, 0, ends)
        if max(costs) <= self.limit:
            return Pieces(ends, costs, [0] * len(ends), sure=len(ends) - 1)
        pieces, start = Pieces(), 0
        for end, cost in zip(ends, costs, strict=True):
            pieces.sure = len(pieces.ends)
            if cost > self.limit:
                pieces.alone.append(len(pieces.ends))
                self._take_apart(text, start, end, self.limit, pieces)
                pieces.kinds[-1] = 0
            else:
                pieces.add(end, cost, 0)
            start = end
        return pieces

    def _ends(self, text: str) -> list[int]:
        """Where the units end; lines instead when a content type fails on this text or does not partition it."""
        try:
            ends = [*map(itemgetter(1), self._spans(text))]
        except Exception as error:
            self.problem = f"cut at lines: {self.unit} boundaries failed ({type(error).__name__})"
            return _line_ends(text, self.limit)
        if text and (not ends or ends[-1] != len(text) or not all(map(lt, [0, *ends], ends))):
            self.problem = f"cut at lines: {self.unit} boundaries do not cover the text"
            return _line_ends(text, self.limit)
        return ends

    def _take_apart(self, text: str, start: int, end: int, limit: int, pieces: Pieces, level: int = 0) -> None:
        """The parts of a piece that costs too much. ``level`` bounds the recursion; characters always fit."""
        piece = text[start:end]
        ends: list[int] = []
        while len(ends) <= 1 and level < len(self._levels):
            cut = self._levels[level][1]
            ends = cut(piece, limit)
            level += 1 if len(ends) > 1 or cut is not _value_ends else _NESTED - level
        ends = [start + at for at in ends]
        for at, cost in zip(ends, self._costs(text, start, ends), strict=True):
            if cost > limit and level < len(self._levels):
                self._take_apart(text, start, at, limit, pieces, level)
                pieces.kinds[-1] = level
            else:
                pieces.add(at, cost, level)
            start = at

    def _costs(self, text: str, start: int, ends: list[int]) -> list[int]:
        starts = [start, *ends[:-1]]
        if self.measure.encoding is None and text.isascii():
            return [*map(sub, ends, starts)]
        texts = [text[a:b] for a, b in zip(starts, ends, strict=True)]
        return self.measure.many(texts if text.isascii() else [*map(self.codec.shown, texts)])

    def _cost(self, text: str) -> int:
        return self.measure.one(self.codec.shown(text))

    def _pack(self, text: str, pieces: Pieces, before: str, final: bool) -> Iterator[Cut]:
        """The pieces packed, as many into each chunk as fit."""
        ends, sums = pieces.ends, [0, *accumulate(pieces.costs)]
        first, alone, barriers = 0, 0, [*pieces.alone, len(ends)]
        while first < len(ends):
            while barriers[alone] <= first and alone < len(barriers) - 1:
                alone += 1
            start = ends[first - 1] if first else 0
            lead = before
            room = self.limit - (self._cost(lead) if lead else 0)
            if lead and sums[first + 1] - sums[first] > room:
                lead, room = "", self.limit
            last = max(first + 1, min(bisect_right(sums, sums[first] + room) - 1, barriers[alone]))
            tokens = sums[last] - sums[first]
            if lead or not self.measure.adds_up(text, ends[first : last - 1]):
                while (tokens := self._cost(lead + text[start : ends[last - 1]])) > self.limit:
                    if last > first + 1:
                        last -= 1
                    elif lead:
                        lead = ""
                    else:
                        break
            if not final and last > pieces.sure:
                return
            before = self._tail(text, pieces, sums, first, last) if self.overlap else ""
            yield Cut(ends[last - 1], tokens, pieces.kinds[last - 1], lead, before)
            first = last

    def _tail(self, text: str, pieces: Pieces, sums: list[int], first: int, last: int) -> str:
        """The end of a chunk, of at most ``overlap``: whole units, else whole pieces, else parts of the last one."""
        ends, end = pieces.ends, pieces.ends[last - 1]
        fitting = [at for at in range(first, last) if sums[last] - sums[at] <= self.overlap]
        whole = [at for at in fitting if not at or not pieces.kinds[at - 1]]
        starts = [ends[at - 1] if at else 0 for at in whole or fitting]
        if not starts:
            start, parts = ends[last - 2] if last > 1 else 0, Pieces()
            self._take_apart(text, start, end, self.overlap, parts)
            sizes = accumulate(reversed(parts.costs))
            cuts = [start, *parts.ends[:-1]]
            starts = [at for at, size in zip(reversed(cuts), sizes, strict=True) if size <= self.overlap][::-1]
        # costs add up only nearly where a word is cut
        return next((text[at:end] for at in starts if self._cost(text[at:end]) <= self.overlap), "")


def _units(
    content_type: str, unit: str, limit: int
) -> tuple[str, Callable[[str], Iterator[tuple[int, int]]], _Seek | None, list[tuple[str, _Ends]]]:
    """The unit's name, its spans, its single ends where the type finds them, and the smaller kinds, each with the ends
    of its pieces."""
    levels: list[tuple[str, _Ends]] = [
        ("line", _line_ends),
        ("sentence", _sentence_ends),
        ("word", _word_ends),
        ("character", _character_ends),
    ]
    if unit in ("line", "sentence"):
        (_, ends), *smaller = levels if unit == "line" else levels[1:]
        return unit, lambda text: pairwise([0, *ends(text, limit)]), None, smaller
    if unit == "record" and NAMES.get(content_type, "record") not in ("record", "value"):
        raise InputError(
            f"there are no records in this {content_type}",
            hint="use --unit auto, entry, paragraph, sentence or line, or name its --type",
        )
    name = {"entry": "log", "paragraph": "text"}.get(unit, content_type)
    if name in ("json", "records"):
        levels = [("value", _value_ends)] * _NESTED + levels
    kind = load(name)
    return (unit if unit != "auto" else NAMES.get(name, "unit")), kind.spans, getattr(kind, "ends", None), levels


def _closed(ends: list[int], text: str) -> list[int]:
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    return ends


def _line_ends(text: str, limit: int) -> list[int]:
    ends = [*accumulate(len(line) + 1 for line in text.split("\n"))]
    ends[-1] -= 1
    if len(ends) > 1 and ends[-1] == ends[-2]:
        ends.pop()
    return ends


def _sentence_ends(text: str, limit: int) -> list[int]:
    return _closed([match.end() for match in _SENTENCE.finditer(text)], text)


def _word_ends(text: str, limit: int) -> list[int]:
    """Behind blanks; short words together, so that a megabyte is not cut into its words."""
    size, start, ends = max(1, limit // 8), 0, []
    for match in _BLANK.finditer(text):
        if match.end() - start >= size:
            ends.append(start := match.end())
    return _closed(ends, text)


def _character_ends(text: str, limit: int) -> list[int]:
    """A character has at most four bytes, and a byte is at most one token: an eighth of the limit always fits."""
    ends, at = [], 0
    while at < len(text):
        at = min(len(text), at + max(1, limit // 8))
        if text[at - 1] == "\r" and text[at : at + 1] == "\n":
            at += 1
        ends.append(at)
    return ends


def _value_ends(text: str, limit: int) -> list[int]:
    """Behind the commas of the outermost level that has any: members, elements, whatever brackets stand around."""
    levels: dict[int, list[int]] = {}
    depth = 0
    for match in _STRUCTURE.finditer(text):
        mark = text[match.start()]
        if mark == ",":
            levels.setdefault(depth, []).append(match.end())
        elif mark != '"':
            depth += 1 if mark in "[{" else -1
    return _closed(levels[min(levels)], text) if levels else [len(text)]
