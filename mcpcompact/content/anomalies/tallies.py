"""Mergeable statistics of one run of values: exact counts while they are few, numbers with quantiles from a sample."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, compress, filterfalse, repeat
from operator import not_
from typing import Any

from mcpcompact.content.anomalies import words as failures
from mcpcompact.patterns import regex

MAX_SAMPLE = 16_384
MAX_WORDS = 50_000
MAX_MISSES = 8  # then texts hardly ever come again, and are not asked for
MAX_PLAIN = 20_000  # texts remembered because all of their words are settled
MAX_JUDGED = 1_000  # texts with a word of failure that are looked at as a whole
ROWS = 32  # record numbers kept of a rare value

_MORE = regex(  # what speaks of trouble without naming a failure
    r"unhealthy|oom-?kill|time[ -]out|timed-out|backoff|evicted|cve-(?<![a-z]cve-)|overflow|not ?ready|invalid"
)
LONGEST = 20_000  # characters of a value that are looked at


def is_severe(text: str) -> bool:
    """Whether the text speaks of a failure. How rare that is in its field decides what it means."""
    text = text[:LONGEST]
    return failures.tells(text) or _MORE.search(text.lower()) is not None


def stems(text: str) -> set[str]:
    """The words of failure in a text, by their stems: ``fail`` of both failed and failure."""
    text = text[:LONGEST]
    return failures.named(text) | set(_MORE.findall(text.lower()))


def median(values: Sequence[float]) -> float:
    """The middle of numbers in ascending order; of an even count the mean of the two in the middle."""
    half = len(values) // 2
    if len(values) % 2:
        return values[half]
    both = values[half - 1] + values[half]
    return both // 2 if isinstance(both, int) and both % 2 == 0 else both / 2


class Tally:
    """Exact counts of hashable values, and where the first ``ROWS`` of each stand."""

    __slots__ = ("counts", "rows", "severe")

    def __init__(self) -> None:
        self.counts: dict[Any, int] = {}
        self.rows: dict[Any, list[int]] = {}
        self.severe: set[Any] = set()

    def add(self, found: Mapping[Any, int], values: Sequence[Any], rows: Sequence[int]) -> None:
        """``found`` counts ``values``; ``rows`` are their record numbers."""
        counts, wanted = self.counts, set()
        for value, count in found.items():
            before = counts.get(value)
            if before is None:
                before = 0
                if isinstance(value, str) and is_severe(value):
                    self.severe.add(value)
            counts[value] = before + count
            if before < ROWS:
                wanted.add(value)
        if wanted:
            note = self.rows
            for row, value in zip(rows, values, strict=False):
                if value in wanted:
                    held = note.setdefault(value, [])
                    if len(held) < ROWS:
                        held.append(row)


class Vocabulary:
    """How often each word of free text stands there, up to ``MAX_WORDS`` words; where the rare and severe ones do.

    ``failing`` counts the texts that speak of a failure; of ``MAX_JUDGED`` on by their words, and ``estimated`` is set.
    """

    __slots__ = ("_misses", "_plain", "_settled", "counts", "estimated", "failing", "rows", "severe")

    def __init__(self, seen: Tally, failing: int, estimated: bool) -> None:
        """``seen``: the texts so far, ``failing`` of which speak of a failure."""
        self.counts: dict[str, int] = {}
        self.rows: dict[str, list[int]] = {}
        self.severe: set[str] = set()
        self._settled: set[str] = set()
        self._plain: set[str] = set()  # texts of settled words alone
        self._misses = 0  # runs that held few of them
        self.failing, self.estimated = failing, estimated
        for text, count in seen.counts.items():
            for word in set(text.split()):
                self.counts[word] = self.counts.get(word, 0) + count
        self.severe.update(filter(is_severe, self.counts))
        for text, rows in seen.rows.items():
            for word in self.severe.intersection(text.split()):
                held = self.rows.setdefault(word, [])
                held += rows[: ROWS - len(held)]

    def add(self, values: Sequence[str], rows: Sequence[int]) -> None:
        """Words that stand often and speak of no failure are settled: none asks for their count any more. Nor do
        values that hold no other words have to be taken apart again."""
        known, settled, plain = self.counts, self._settled, self._plain
        if plain and self._misses < MAX_MISSES:
            unknown = set(values).difference(plain)
            if not unknown:
                return
            if 2 * len(unknown) < len(values):
                kept = [(row, value) for row, value in zip(rows, values, strict=False) if value in unknown]
                rows, values = [row for row, _ in kept], [value for _, value in kept]
            else:
                self._misses += 1
        texts = list(map(str.split, values))
        if settled:
            old = list(map(settled.issuperset, texts))
            if len(plain) < MAX_PLAIN:
                plain.update(compress(values, old))
            if all(old):
                return
            new = list(map(not_, old))
            rows, texts = list(compress(rows, new)), list(compress(texts, new))
        words = list(chain.from_iterable(texts))
        found = Counter(filterfalse(settled.__contains__, words) if settled else words)
        wanted = set()
        room = len(known) < MAX_WORDS
        for word, count in found.items():
            before = known.get(word)
            if before is None:
                if not room and not is_severe(word):
                    continue
                before = 0
                if is_severe(word):
                    self.severe.add(word)
            known[word] = before + count
            if before + count > 2 and word not in self.severe:
                settled.add(word)
            if before + count <= 2 or (before < ROWS and word in self.severe):
                wanted.add(word)
        if self.severe:
            loud = [text for text in texts if not self.severe.isdisjoint(text)]
            if self.failing < MAX_JUDGED:  # "0 errors" is none
                loud = [text for text in loud if failures.tells(" ".join(text))]
            else:
                self.estimated = True
            self.failing += len(loud)
        if wanted and (room or wanted & self.severe):
            for row, text in zip(rows, texts, strict=False):
                for word in () if wanted.isdisjoint(text) else wanted.intersection(text):
                    held = self.rows.setdefault(word, [])
                    if len(held) < ROWS and (not held or held[-1] != row):
                        held.append(row)


class Numbers:
    """Exact count, range and sum; quantiles from an even sample (exact up to ``MAX_SAMPLE`` values)."""

    __slots__ = (
        "_edges",
        "_last",
        "_settled",
        "_skip",
        "candidates",
        "count",
        "hi",
        "hi_row",
        "hi_text",
        "lo",
        "lo_row",
        "lo_text",
        "rising",
        "sample",
        "step",
        "total",
        "whole",
    )

    def __init__(self) -> None:
        self.count = 0
        self.lo: float = math.inf
        self.hi: float = -math.inf
        self.lo_row = self.hi_row = 0  # the first record that has it
        self.lo_text = self.hi_text = ""  # as written, where that is known
        self.total: float = 0
        self.whole = True  # only integers so far
        self.rising = True  # never falling: a serial number or a clock
        self.sample: list[float] = []
        self.step = 1
        self.candidates: list[tuple[int, float, str]] = []  # record number, value, as written
        self._skip = 0
        self._edges: tuple[float, float] = (-math.inf, math.inf)
        self._settled = 0
        self._last: float = -math.inf

    def add(
        self,
        values: Sequence[float],
        rows: Sequence[int],
        whole: bool,
        found: Mapping[float, int] | None = None,
        texts: Sequence[str] | None = None,
    ) -> None:
        """``found`` counts ``values``, where that is known: of few whole numbers the sum is quickly made from it.
        ``texts`` are the values as written."""
        total = sum(v * n for v, n in found.items()) if found and whole else sum(values)
        lo, hi = min(found or values), max(found or values)
        self.whole = self.whole and whole
        self.count += len(values)
        self.total += total
        if lo < self.lo:
            at = values.index(lo)
            self.lo, self.lo_row, self.lo_text = lo, rows[at], texts[at] if texts else ""
        if hi > self.hi:
            at = values.index(hi)
            self.hi, self.hi_row, self.hi_text = hi, rows[at], texts[at] if texts else ""
        if self.rising:
            self.rising = values[0] >= self._last and list(values) == sorted(values)
            self._last = values[-1]
        self.sample += values[self._skip :: self.step]
        self._skip = (self._skip - len(values)) % self.step
        while len(self.sample) > MAX_SAMPLE:
            kept = len(self.sample)
            del self.sample[1::2]
            self._skip += self.step if kept % 2 else 0
            self.step *= 2
        if self.rising:
            return
        if len(self.sample) * 4 > self._settled * 5 or not self._settled:  # grown by a quarter since the last look
            self._edges, self._settled = self._bounds(), len(self.sample)
        low, high = self._edges
        if lo < low or hi > high:
            written = texts or repeat("")
            self.candidates += [
                (r, v, t) for r, v, t in zip(rows, values, written, strict=False) if v < low or v > high
            ]
            if len(self.candidates) > 512:
                middle = self.median
                self.candidates.sort(key=lambda rv: (-abs(rv[1] - middle), rv[0]))
                del self.candidates[256:]

    def _bounds(self) -> tuple[float, float]:
        ordered = sorted(self.sample) if len(self.sample) <= 2048 else sorted(self.sample[:: len(self.sample) // 1024])
        p5, p95 = ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]
        width = 2 * (p95 - p5)
        tiny = p5 * max(1e-9, min(0.1, (p5 / p95) ** 2)) if p5 > 0 else -5e-324  # below the bulk on a log scale
        return max(p5 - width, tiny) if p5 >= 0 else p5 - width, p95 + width

    @property
    def median(self) -> float:
        """Of all values while ``exact``, else of an even sample."""
        return median(sorted(self.sample))

    @property
    def exact(self) -> bool:
        return self.step == 1

    @property
    def mean(self) -> float:
        return self.total / self.count
