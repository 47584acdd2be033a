"""One pass over a log's bytes: millions of lines become thousands of shapes.

A line's shape is the line with every digit as ``0``: of the same length, so that what stood in a slot
stands at the same bytes in each line of the shape. Splitting, translating and counting run in C; Python
looks at distinct shapes, and at an even sample of lines (all of them in a log of ordinary size).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from mcpcompact.content._loglines import (
    HEAD,
    LOUD_STEMS,
    MAX_LINE,
    clean,
    clip,
    find_stamp,
    heads,
    seconds_reader,
    strip,
)
from mcpcompact.outline import Source
from mcpcompact.patterns import regex

SAMPLED: Final = 40_000
"""Lines looked at one by one; a log of more lines is sampled evenly (distinct shapes are always seen)."""
MAX_SHAPES: Final = 10_000
"""Beyond it hexadecimal letters are masked too; half as many again, and new shapes are but searched for loud words."""
FIRST: Final = 5_000  # lines
MAX_LOUD: Final = 4_000
MAX_STAMPS: Final = 400_000
WIDE: Final = 256 * 1024
"""Bytes of text that a log of few, very long lines offers to be shown, instead of the heads of its lines."""

_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_HEX: Final = bytes.maketrans(b"123456789abcdef", b"0" * 15)
# numbers that decide what a line means must survive the masking of digits
_MARKS: Final = ((b'" 5', b'" S'), (b"status=5", b"status=S"), (b"code 0", b"code Z"))


_SERVER_ERROR: Final = regex(rb'" S\d\d ')  # a marked status 5xx


class Shape:
    """Lines that differ in digits only. Texts are cleaned and clipped bytes; samples are (line number, text)."""

    __slots__ = ("count", "first", "first_text", "last", "last_text", "samples")

    def __init__(self, first: int, text: bytes) -> None:
        self.count = 0
        self.first = self.last = first
        self.first_text = self.last_text = text
        self.samples: list[tuple[int, bytes]] = []

    def lines(self) -> list[tuple[int, bytes]]:
        """Every line that is known of this shape, in order."""
        known = dict(self.samples)
        known.setdefault(self.first, self.first_text)
        known.setdefault(self.last, self.last_text)
        return sorted(known.items())

    def merge(self, other: Shape) -> None:
        self.count += other.count
        if other.first < self.first:
            self.first, self.first_text = other.first, other.first_text
        if other.last > self.last:
            self.last, self.last_text = other.last, other.last_text
        self.samples += other.samples


class Scan:
    """What one pass learned. ``blocks`` are (first line, byte start, byte end) for fetching lines again."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines = 0
        self.shapes: dict[bytes, Shape] = {}
        self.unseen = 0  # lines whose shape found no room
        self.loud: list[tuple[int, bytes]] = []  # those of them that hold a loud word, at most MAX_LOUD
        self.step = 1
        self.blocks: list[tuple[int, int, int]] = []
        self.longest = 0
        self.stamps: dict[bytes, int] = {}  # second → the last line that carries it
        self.stamp_kind = ""
        self.stamp_at: tuple[int, int] = (0, 0)
        self.stamp_after = b""
        self._table = _DIGITS
        self.letters = ""  # besides digits, what is masked in shapes
        self._held: tuple[int, list[bytes]] = (-1, [])
        self._cut: set[int] = set()  # blocks that begin within a line
        self._wide: dict[int, int] = {}  # line → how much of it is fetched, where that is more than its head
        self._room = WIDE
        offset, open_line = 0, False
        for block in _bytes_of(source):
            size = len(block)
            skip = open_line  # a line longer than a block goes on: it was counted with its beginning
            open_line = not block.endswith(b"\n")
            block = strip(block)
            lines = clean(block, not open_line)
            if skip:
                lines = lines[1:]
            self.blocks.append((self.lines + 1, offset, offset + size))
            if skip:
                self._cut.add(len(self.blocks) - 1)
            offset += size
            if lines:
                whole = not skip and b"\r" not in block
                joined = block[: len(block) - (not open_line)] if whole else b""
                if not self.lines and len(lines) > FIRST:  # a first look decides what is masked
                    self._add(lines[:FIRST], b"", offset * FIRST // len(lines))
                    lines, joined = lines[FIRST:], b""
                    if len(self.shapes) > FIRST // 2:
                        self._coarser()
                self._add(lines, joined, offset)

    def _add(self, lines: list[bytes], joined: bytes, done: int) -> None:
        """Count the lines of a block; ``joined`` is their text where it is at hand, else empty."""
        base, n = self.lines, len(lines)
        if not base:
            self._learn(lines)
            whole = n * max(1.0, self.source.size / max(1, done))
            self.step = max(1, round(whole / SAMPLED))
        longest = max(map(len, lines))
        self.longest = max(self.longest, longest)
        self._widen(lines, longest, last=done >= self.source.size)
        if longest > MAX_LINE:
            lines = [clip(line) for line in lines]
            joined = b""
        joined = joined or b"\n".join(lines)
        for mark, instead in _MARKS:
            joined = joined.replace(mark, instead)
        keys = joined.translate(self._table).split(b"\n")
        numbers = range(base + 1, base + n + 1)
        last = dict(zip(keys, numbers, strict=True))
        shapes = self.shapes
        counts = Counter(keys)
        first: dict[bytes, int] = {}
        if not counts.keys() <= shapes.keys():
            first = dict(zip(reversed(keys), reversed(numbers), strict=True))
        strange: set[bytes] = set()
        for key, count in counts.items():
            shape = shapes.get(key)
            if shape is None:
                if len(shapes) >= MAX_SHAPES * 3 // 2:
                    self.unseen += count
                    strange.add(key)
                    continue
                at = first[key]
                shape = shapes[key] = Shape(at, lines[at - base - 1])
            shape.count += count
            shape.last = last[key]
            shape.last_text = lines[shape.last - base - 1]
        for at in range((-base) % self.step, n, self.step):
            found = shapes.get(keys[at])
            if found is not None:
                found.samples.append((base + at + 1, lines[at]))
        if strange:
            self._listen(lines, joined, keys, strange)
        self._time(lines, numbers)
        self.lines += n
        if len(shapes) > MAX_SHAPES and self._table is _DIGITS:
            self._coarser()

    def _widen(self, lines: list[bytes], longest: int, last: bool) -> None:
        """Share the room that shorter lines leave among the long ones of a block; half of it while more may come."""
        if self._room <= 0:
            return
        self._room -= sum(min(len(line), MAX_LINE) for line in lines)
        if longest > MAX_LINE and self._room > 0:
            given = heads(lines, self._room if last else self._room // 2)
            self._wide.update((self.lines + at + 1, head) for at, head in given.items())
            self._room -= sum(given.values())

    def _listen(self, lines: list[bytes], joined: bytes, keys: list[bytes], strange: set[bytes]) -> None:
        """Lines whose shape found no room: those with a loud word are held all the same."""
        low = joined.lower()
        starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
        hits = {bisect_right(starts, found.start()) - 1 for found in _SERVER_ERROR.finditer(joined)}
        for stem in LOUD_STEMS:
            at = low.find(stem)
            while at >= 0:
                hits.add(line := bisect_right(starts, at) - 1)
                at = low.find(stem, starts[line + 1])
        for line in sorted(hits):
            if keys[line] in strange and len(self.loud) < MAX_LOUD:
                self.loud.append((self.lines + line + 1, lines[line]))

    def _coarser(self) -> None:
        """Too many shapes: hexadecimal ids are in the way. Mask ``a`` to ``f`` as well and join what is now equal."""
        self._table = _HEX
        self.letters = "abcdef"
        merged: dict[bytes, Shape] = {}
        for key, shape in self.shapes.items():
            coarse = key.translate(_HEX)
            if coarse in merged:
                merged[coarse].merge(shape)
            else:
                merged[coarse] = shape
        self.shapes = merged

    # ------------------------------------------------------------------------------------------- time

    def _learn(self, lines: list[bytes]) -> None:
        """Where do the first lines carry their time stamp: at a fixed column, or after the first ``[``?"""
        votes: Counter[tuple[str, int, int, bytes]] = Counter()
        for line in lines[:300]:
            text = line.decode("latin-1")
            found = find_stamp(text)
            if found:
                kind, start, end = found
                bracket = text.find("[") + 1 == start and start > 1
                votes[(kind, 0, end - start, b"[") if bracket else (kind, start, end, b"")] += 1
        if votes:
            (kind, start, end, after), count = votes.most_common(1)[0]
            if count * 4 >= len(lines[:300]):
                self.stamp_kind, self.stamp_at, self.stamp_after = kind, (start, end), after

    def _time(self, lines: list[bytes], numbers: range) -> None:
        if not self.stamp_kind or len(self.stamps) > MAX_STAMPS:
            return
        a, b = self.stamp_at
        if self.stamp_after:
            cut = self.stamp_after
            found = {line.partition(cut)[2][a:b]: number for line, number in zip(lines, numbers, strict=True)}
        else:
            found = dict(zip([line[a:b] for line in lines], numbers, strict=True))
        self.stamps.update(found)

    def times(self) -> list[tuple[int, str, int]]:
        """(seconds, stamp, last line with it) in order of appearance of valid stamps, one a distinct second."""
        answer = []
        read = seconds_reader(self.stamp_kind) if self.stamp_kind else None
        for stamp, line in self.stamps.items():
            text = stamp.decode("latin-1")
            second = read(text) if read else None
            if second is not None:
                answer.append((second, text, line))
        return answer

    # ---------------------------------------------------------------------------------------- fetching

    def fetch(self, first: int, last: int) -> list[bytes]:
        """The cleaned lines ``first`` to ``last`` (1-based, inclusive), read again from the source by their block."""
        answer: list[bytes] = []
        at = max(0, bisect_right(self.blocks, (max(1, first), 1 << 62, 0)) - 1)
        while at < len(self.blocks) and self.blocks[at][0] <= last:
            if self._held[0] != at:
                _, start, end = self.blocks[at]
                block = _read(self.source, start, end)
                lines = clean(strip(block), block.endswith(b"\n"))
                numbered = enumerate(lines[at in self._cut :], self.blocks[at][0])
                self._held = (at, [clip(line, self._wide.get(number, HEAD)) for number, line in numbered])
            begin = self.blocks[at][0]
            answer += self._held[1][max(0, first - begin) : last - begin + 1]
            at += 1
        return answer


def _utf16(source: Source) -> bool:
    return not source.large and source.read(0, 2) in (b"\xff\xfe", b"\xfe\xff")


def _bytes_of(source: Source) -> Iterator[bytes]:
    if _utf16(source):
        yield source.text.encode("utf-8", "replace")
    else:
        yield from source.blocks()


def _read(source: Source, start: int, end: int) -> bytes:
    if _utf16(source):
        return source.text.encode("utf-8", "replace")[start:end]
    return source.read(start, end)
