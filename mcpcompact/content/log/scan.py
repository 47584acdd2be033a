"""One pass over a log's bytes: millions of lines become thousands of shapes.

A line's shape is the line with every digit as ``0``: of the same length, so that what stood in a slot
stands at the same bytes in each line of the shape. Splitting, translating and counting run in C; Python
looks at distinct shapes, and at an even sample of lines (all of them in a log of ordinary size).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import compress, islice, pairwise
from operator import ne
from typing import Final, NamedTuple

from mcpcompact.content.anomalies.words import PRIORITY, TENS
from mcpcompact.content.log import grammar
from mcpcompact.content.log.grammar import find_stamp, seconds_reader
from mcpcompact.outline import MAX_ITEMS, record
from mcpcompact.patterns import holding, regex
from mcpcompact.source import Source, as_utf8

MAX_LINE: Final = 4000  # bytes of a line that are looked at; of a longer one the head and what stands around loud words
HEAD: Final = 2400
MAX_PARTS: Final = 8  # of a long line that are shown, with the remarks between them
CONTINUES: Final = 0x80  # the two high bits of a byte that continues a UTF-8 character
MAX_HITS: Final = 20_000  # of one loud stem in one line

_NOTED, _NOTE = grammar.NOTE.encode(), regex(grammar.CONSOLE_NOTE.pattern.encode())
_TAKEN: Final = regex(rb"(?:[\xc0-\xff][\x80-\xbf]{1,3}|[^\n\b])[\b]")  # back: a spinner leaves nothing


def strip(block: bytes) -> bytes:
    """The block without colours, lines ended by ``\n`` alone."""
    if _NOTED in block:
        block = _NOTE.sub(b"", block)
    if b"\x1b" in block:
        block = grammar.ANSI.sub(b"", block)
    block = _TAKEN.sub(b"", block) if b"\b" in block else block
    block = block.removeprefix(b"\xef\xbb\xbf")
    return block.replace(b"\r\n", b"\n") if b"\r" in block else block


def clean(block: bytes, ended: bool) -> list[bytes]:
    """The lines of a stripped block, of one redrawn with ``\r`` its last state; ``ended``: it ended with a newline."""
    lines = block.split(b"\n")
    if ended:
        lines.pop()
    if b"\r" in block:
        lines = [last_state(line) if b"\r" in line else line for line in lines]
    return lines


def last_state(line: bytes) -> bytes:
    states = [state for state in line.split(b"\r") if state.strip()]
    return states[-1] if states else b""


_LOUD_BYTES: Final = regex(grammar.LOUD.pattern.encode(), re.IGNORECASE)


def clip(line: bytes, head: int = HEAD) -> bytes:
    """A very long line: its head and the surroundings of its first loud words, with what was left out said."""
    if len(line) <= max(MAX_LINE, head):
        return line
    end = _edge(line, head)
    parts = [line[:end]]
    for at, to in _loud_spans(line, end):
        if at > end:
            start, stop = _edge(line, max(end, at - 120)), _edge(line, to + 200)
            parts += [f"…[+{start - end:,} bytes] ".encode(), line[start:stop]]
            end = stop
            if len(parts) > MAX_PARTS:
                break
    return b"".join([*parts, f" …[+{len(line) - end:,} bytes]".encode()])


def _edge(line: bytes, at: int) -> int:
    """The start of the UTF-8 character that holds byte ``at``; the end of a shorter line."""
    if at >= len(line):
        return len(line)
    return next((k for k in range(at, max(0, at - 4), -1) if line[k] & 0xC0 != CONTINUES), at)


def _loud_spans(line: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Where loud words stand: their stems are found at memory speed, the pattern looks only around those."""
    low = line.lower()
    hits: set[int] = set()
    for stem in grammar.LOUD_STEMS:
        at, left = low.find(stem, start), MAX_HITS
        while at >= 0 and left:
            hits.add(at)
            at, left = low.find(stem, at + 1), left - 1
    done = start
    for at in sorted(hits):
        match = _LOUD_BYTES.search(line, max(done, at - 12), at + 24) if at >= done else None
        if match:
            done = match.end()
            yield match.span()


def heads(lines: Sequence[bytes], room: int) -> dict[int, int]:
    """How much of each long line to show (by its place) so that all of them have ``room`` bytes: the shorter whole."""
    long = sorted((len(line), at) for at, line in enumerate(lines) if len(line) > MAX_LINE)
    given: dict[int, int] = {}
    for left, (size, at) in zip(range(len(long), 0, -1), long, strict=True):
        share = min(size, room // left)
        if share > MAX_LINE:
            given[at] = share
        room -= share
    return given


SAMPLED: Final = 40_000
"""Lines looked at one by one; a log of more lines is sampled evenly (distinct shapes are always seen)."""
MAX_SHAPES: Final = 10_000
"""Beyond it hexadecimal letters are masked too; half as many again, and only new shapes with a loud word find room."""
FIRST, MAX_LOUD = 5_000, 4_000  # lines; of shapes with a loud word, beyond all others
MAX_STAMPS: Final = 400_000
WIDE: Final = 256 * 1024  # bytes that a log of few, very long lines offers to be shown, instead of their heads

_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_HEX: Final = bytes.maketrans(b"123456789abcdef", b"0" * 15)
# numbers that decide what a line means must survive the masking of digits
_MARKS: Final = ((b'" 5', b'" S'), (b"status=5", b"status=S"), (b"code 0", b"code Z"))

_TENS: Final = regex(TENS.pattern.encode())
_PRIORITY: Final = regex(rb"(?m)^" + PRIORITY.pattern.encode())
_LETTERS: Final = bytes.maketrans(b"0123456789", b"GHIJKLMNOP")


def _graded(text: bytes) -> bytes:
    """The text with letters for the numbers by which its lines state a level."""
    if text[:1] == b"<" or b"\n<" in text:
        text = _PRIORITY.sub(lambda match: b"<%s>" % (b"GHIJKLMN"[int(match[1]) % 8 :][:1] * len(match[1])), text)
    return _TENS.sub(lambda match: match[0].translate(_LETTERS), text) if b'"level":' in text else text


_REQUEST: Final = regex(
    rb'^[^"\n]{0,400}"(?P<v>[A-Z]{3,8}) (?P<p>[^\s"?]{1,200})[^"\n]{0,2000}" (?P<s>\d{3})\b[^\n]*', re.MULTILINE
)  # the first quoted text of a line of an access log
_ANSWERED: Final = regex(  # of a proxy or balancer, which says the status before
    rb'^[^"\n]{0,600}? (?P<s>\d{3}) [^"\n]{0,600}"(?P<v>[A-Z]{3,8}) (?P<p>[^\s"?]{1,200})[^"\n]* HTTP/\d', re.MULTILINE
)
_STATUSES: Final = frozenset(  # another number is none
    b"200 201 202 204 206 301 302 303 304 307 308 400 401 403 404 405 406 408 409 410 413 414 415 416 422 429 499 "
    b"500 501 502 503 504".split()
)
_VERSION: Final = regex(rb"v\d{1,3}(?:\.\d{1,3}){0,2}(?:(?:alpha|beta|rc)\d{0,2})?")
_ID: Final = regex(rb"(?=[a-zA-Z_-]*\d)[0-9a-fA-F-]{6,}|\d+")
_NUMBERS: Final = regex(rb"\d+")
SURE: Final = 0.9  # of the lines ask
MIN_REQUESTS, REQUESTS_OF = 5, 10  # of the first lines, and of how many one, that a log is looked through for requests
MAX_REQUESTS: Final = 200_000  # different ones held; beyond it they are grouped
_LOUD_SIGNS: Final = (*grammar.STEMS, '" s')  # the last: a marked status 5xx


@record
class Shape:
    """Lines that differ in digits only. Texts are cleaned and clipped bytes; samples are (line number, text)."""

    first: int
    first_text: bytes
    last: int
    last_text: bytes
    count: int = 0
    samples: list[tuple[int, bytes]] = field(default_factory=list)

    def lines(self) -> list[tuple[int, bytes]]:
        """Every line that is known of this shape, in order."""
        if self.first == self.last:
            return [(self.first, self.first_text)]
        known = dict(self.samples)
        known.setdefault(self.first, self.first_text)
        known.setdefault(self.last, self.last_text)
        return sorted(known.items())

    def read(self) -> list[tuple[int, str]]:
        """The same as they are read: lines of one shape have their words at the same places."""
        return [(number, as_read(text)) for number, text in self.lines()]

    def merge(self, other: Shape) -> None:
        self.count += other.count
        if other.first < self.first:
            self.first, self.first_text = other.first, other.first_text
        if other.last > self.last:
            self.last, self.last_text = other.last, other.last_text
        self.samples += other.samples


Request = tuple[bytes, bytes, bytes]  # verb, path, status


def grouped(requests: Counter[Request]) -> Counter[Request]:
    """Paths with their numbers and ids as ``*``."""
    merged: Counter[Request] = Counter()
    for (verb, path, status), count in requests.items():
        merged[verb, b"/".join(map(placeholder, path.split(b"/"))), status] += count
    return merged


def placeholder(part: bytes) -> bytes:
    """A part of a path with what is a value in it as ``*``; a version (``v2``) tells one interface from another."""
    if part.isalpha() or _VERSION.fullmatch(part):
        return part
    return b"*" if _ID.fullmatch(part) else _NUMBERS.sub(b"*", part)


class Time(NamedTuple):
    """A second of the log: when, as it is written, the first and the last line that carry it."""

    second: int
    stamp: str
    first: int
    last: int


class Scan:
    """What one pass learned. ``blocks`` are (first line, byte start, byte end) for fetching lines again."""

    def __init__(self, source: Source) -> None:
        self.source = source if source.large else as_utf8(source)
        self.lines = 0
        self.shapes: dict[bytes, Shape] = {}
        self.unseen = 0  # lines whose shape found no room
        self.step = 1
        self.blocks: list[tuple[int, int, int]] = []
        self.longest = 0
        self.lined: list[bytes] = []  # the stamp of each line, of a log of ordinary size
        self.stamps: dict[tuple[int, bytes], tuple[int, int]] = {}  # (turn, stamp) → first and last line with it
        self._turn = 0  # years or days that passed by where stamps have none
        self._clock: int | None = None  # the last second read
        self.requests: Counter[Request] | None = None  # of an access log, each line's
        self._asked = _REQUEST
        self.redrawn = False  # lines of which the last state alone is read
        self.crowded = False  # more stamps than are held: only the ends of the time are known
        self.stamp_kind = ""
        self.stamp_at: tuple[int, int] = (0, 0)
        self.stamp_after = b""
        self._reader: Callable[[str], int | None] = lambda stamp: None
        self._seconds: dict[bytes, int | None] = {}
        self._table = _DIGITS
        self.letters = ""  # besides digits, what is masked in shapes
        self._held: tuple[int, list[bytes]] = (-1, [])
        self._cut: set[int] = set()  # blocks that begin within a line
        self._wide: dict[int, int] = {}  # line → how much of it is fetched, where that is more than its head
        self._room = WIDE
        offset, open_line = 0, False
        for block in self.source.blocks():
            size = len(block)
            skip = open_line  # a line longer than a block goes on: it was counted with its beginning
            open_line = not block.endswith(b"\n")
            block = strip(block)
            self.redrawn |= b"\r" in block
            lines = clean(block, not open_line)[skip:]
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
            self._begin(lines, done)
        if self.requests is not None:
            asked = self._asked.finditer(joined or b"\n".join(lines))
            sure = self._asked is _REQUEST
            self.requests.update((one["v"], one["p"], one["s"]) for one in asked if sure or one["s"] in _STATUSES)
            if len(self.requests) > MAX_REQUESTS:
                self.requests = grouped(self.requests)
        longest = max(map(len, lines))
        self.longest = max(self.longest, longest)
        self._widen(lines, longest, last=done >= self.source.size)
        if longest > MAX_LINE:
            lines = [clip(line) for line in lines]
            joined = b""
        joined = joined or b"\n".join(lines)
        for mark, instead in _MARKS:
            joined = joined.replace(mark, instead)
        keys = _graded(joined).translate(self._table).split(b"\n")
        numbers = range(base + 1, base + n + 1)
        self._tally(lines, keys, numbers, joined)
        for at in range((-base) % self.step, n, self.step):
            if (shape := self.shapes.get(keys[at])) is not None:
                shape.samples.append((base + at + 1, lines[at]))
        self._time(lines, numbers)
        self.lines += n
        if len(self.shapes) > MAX_SHAPES and self._table is _DIGITS:
            self._coarser()

    def _begin(self, lines: list[bytes], done: int) -> None:
        self._learn(lines)
        for self._asked in (_REQUEST, _ANSWERED):
            asked = [match["s"] for match in map(self._asked.match, lines[:300]) if match]
            sure = self._asked is _REQUEST or (_STATUSES.issuperset(asked) and len(asked) > SURE * len(lines[:300]))
            if sure and len(asked) >= MIN_REQUESTS and len(asked) * REQUESTS_OF >= len(lines[:300]):
                self.requests = Counter()
                break
        whole = len(lines) * max(1.0, self.source.size / max(1, done))
        self.step = max(1, round(whole / SAMPLED))

    def _tally(self, lines: list[bytes], keys: list[bytes], numbers: range, joined: bytes) -> None:
        """Count the lines by shape; where there is too little room for all, new ones with a loud word come first."""
        last = dict(zip(keys, numbers, strict=True))
        shapes, base = self.shapes, self.lines
        counts = Counter(keys)
        first: dict[bytes, int] = {}
        if not counts.keys() <= shapes.keys():
            first = dict(zip(reversed(keys), reversed(numbers), strict=True))
        room, loud = MAX_SHAPES * 3 // 2, set[bytes]()
        if first and len(shapes) + len(counts) > room:
            loud = {keys[at] for at in holding(joined.lower().decode("latin-1"), _LOUD_SIGNS)}
        for key, count in counts.items():
            shape = shapes.get(key)
            if shape is None:
                if len(shapes) >= room + MAX_LOUD * (key in loud):
                    self.unseen += count
                    continue
                at, text = first[key], lines[first[key] - base - 1]
                shape = shapes[key] = Shape(at, text, at, text)
            shape.count += count
            shape.last = last[key]
            shape.last_text = lines[shape.last - base - 1]

    def _widen(self, lines: list[bytes], longest: int, last: bool) -> None:
        """Share the room that shorter lines leave among the long ones of a block; half of it while more may come."""
        if self._room <= 0:
            return
        self._room -= sum(min(len(line), MAX_LINE) for line in lines)
        if longest > MAX_LINE and self._room > 0:
            given = heads(lines, self._room if last else self._room // 2)
            self._wide.update((self.lines + at + 1, head) for at, head in given.items())
            self._room -= sum(given.values())

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
            if stamp := find_stamp(text):
                kind, start, end = stamp
                bracket = text.find("[") + 1 == start and start > 1
                votes[(kind, 0, end - start, b"[") if bracket else (kind, start, end, b"")] += 1
        if votes:
            (kind, start, end, after), count = votes.most_common(1)[0]
            if count * 4 >= len(lines[:300]):
                self.stamp_kind, self.stamp_at, self.stamp_after = kind, (start, end), after
                self._reader = seconds_reader(kind)

    def _time(self, lines: list[bytes], numbers: range) -> None:
        if not self.stamp_kind:
            return
        stamps = self.stamps_of(lines)
        self.lined += stamps if numbers[-1] <= MAX_ITEMS else []
        if self.stamp_kind in grammar.TURNS:
            turns = compress(range(1, len(stamps)), map(ne, stamps, islice(stamps, 1, None)))
            runs = [(stamps[at], at, end) for at, end in pairwise([0, *turns, len(stamps)])]
            base, turned = self.lines, self._turned
            marks = [(turned(stamp), stamp, base + at + 1, base + end) for stamp, at, end in runs if stamp]
        else:
            last = dict(zip(stamps, numbers, strict=True))
            first = dict(zip(reversed(stamps), reversed(numbers), strict=True))
            marks = [(0, stamp, first[stamp], last[stamp]) for stamp in last if stamp]
        if len(self.stamps) > MAX_STAMPS:
            self.crowded = True
            marks = [(turn, stamp, a, b) for turn, stamp, a, b in marks if self.second(stamp) is not None]
            order = sorted(marks, key=lambda mark: (mark[0], self.second(mark[1]) or 0))
            marks = [order[0], order[-1]] if order else []
        known = self.stamps
        for turn, stamp, a, b in marks:
            old = known.get(key := (turn, stamp))
            known[key] = (old[0] if old else a, b)

    def stamps_of(self, lines: list[bytes]) -> list[bytes]:
        """The stamp of each line, empty where it has none: where the first lines have theirs, else looked for."""
        a, b = self.stamp_at
        if self.stamp_after:
            cut = self.stamp_after
            lines = [line.partition(cut)[2] for line in lines]
        pieces = [line[max(0, a - 1) : b + 1] for line in lines]
        lead = min(a, 1)
        good: dict[bytes, bytes] = {}
        end, second = lead + b - a, self.second
        for piece in set(pieces):
            stamp, behind = piece[lead:end], piece[end:]
            alone = not (behind.isdigit() or behind == b"M" or piece[:lead].isdigit())
            good[piece] = stamp if alone and len(stamp) == b - a and second(stamp) is not None else b""
        stamps = [good[piece] for piece in pieces]
        if b"" in stamps:
            for at, stamp in enumerate(stamps):
                if not stamp:
                    stamps[at] = self._found(lines[at])
        return stamps

    def _found(self, line: bytes) -> bytes:
        stamp = find_stamp(line[: 4 * grammar.STAMP_WITHIN].decode("latin-1"))
        return line[stamp[1] : stamp[2]] if stamp and stamp[0] == self.stamp_kind else b""

    def second(self, stamp: bytes) -> int | None:
        """The second that a stamp of the log's own form names."""
        if (known := self._seconds.get(stamp, -1)) == -1:  # each is asked for several times; none is negative
            if len(self._seconds) >= MAX_STAMPS:
                self._seconds.clear()
            known = self._seconds[stamp] = self._reader(stamp.decode("latin-1"))
        return known

    def _turned(self, stamp: bytes) -> int:
        """The year or day of a stamp that has none: a new one begins where it falls back by more than half of one."""
        if (second := self.second(stamp)) is not None:
            half = grammar.TURNS[self.stamp_kind] // 2
            if self._clock is not None and abs(second - self._clock) > half:
                self._turn += 1 if second < self._clock else -1
            self._clock = second
        return self._turn

    def times(self) -> list[Time]:
        """The valid stamps in order of time, one a distinct second."""
        size, known = grammar.TURNS.get(self.stamp_kind, 0), self.stamps.items()
        read = [(self.second(stamp), turn, as_read(stamp).strip(), lines) for (turn, stamp), lines in known]
        return sorted(
            Time(second + turn * size, stamp, *lines) for second, turn, stamp, lines in read if second is not None
        )

    # ---------------------------------------------------------------------------------------- fetching

    def fetch(self, first: int, last: int) -> list[bytes]:
        """The cleaned lines ``first`` to ``last`` (1-based, inclusive), read again from the source by their block."""
        answer: list[bytes] = []
        at = max(0, bisect_right(self.blocks, (max(1, first), 1 << 62, 0)) - 1)
        while at < len(self.blocks) and self.blocks[at][0] <= last:
            if self._held[0] != at:
                _, start, end = self.blocks[at]
                block = self.source.read(start, end)
                lines = clean(strip(block), block.endswith(b"\n"))
                numbered = enumerate(lines[at in self._cut :], self.blocks[at][0])
                self._held = (at, [clip(line, self._wide.get(number, HEAD)) for number, line in numbered])
            begin = self.blocks[at][0]
            answer += self._held[1][max(0, first - begin) : last - begin + 1]
            at += 1
        return answer

    def shown(self, first: int, last: int) -> list[str]:
        """The same as people read them."""
        return [*map(shown, self.fetch(first, last))]


def as_read(line: bytes) -> str:
    return line.decode("utf-8", "replace")


def shown(line: bytes) -> str:
    """A cleaned line as people read it."""
    return as_read(line).rstrip()
