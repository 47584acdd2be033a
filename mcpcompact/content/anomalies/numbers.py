"""Numbers far from the others: one robust test for every content type, and running statistics of a column."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise, repeat

from mcpcompact.content.anomalies.thresholds import (
    FEW_GAP,
    FEW_NUMBERS,
    GAP,
    GIANT,
    GIANT_AMONG,
    MAX_OUTLIERS,
    MAX_Z,
    MIN_NUMBERS,
    MIN_SPREAD,
    NORMAL_MAD,
    NORMAL_WIDTH,
    OUTLIER_SHARE,
    TIGHT,
)
from mcpcompact.patterns import regex

MAX_SAMPLE = 16_384
MAX_CANDIDATES = 512  # of a column for outliers; the nearer half goes when they are more
QUICK = 2_048  # numbers of a sample that give its edges, which need not be exact
GROWN = 1.25  # times that a sample has grown since its edges were last taken
RISING = 0.97  # of the steps: a counter, a clock, a line number, with a few out of order
_DATE = regex(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")


def median(ordered: Sequence[float]) -> float:
    """The middle of numbers in ascending order; of an even count the mean of the two in the middle."""
    half = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[half]
    both = ordered[half - 1] + ordered[half]
    return both // 2 if isinstance(both, int) and both % 2 == 0 else both / 2


def fences(ordered: Sequence[float], count: int = 0, floor: float | None = None) -> tuple[float, float]:
    """``low, high``: numbers at or beyond either are outliers; infinite where there are none. The modified z-score of
    Iglewicz and Hoaglin (1993) and a gap: see ``thresholds``; of positive numbers also on their logarithms.
    ``ordered``: the numbers, ascending, or a sample of ``count``; ``floor``: the least deviation."""
    if len(ordered) < MIN_NUMBERS or ordered[0] == ordered[-1]:
        return -math.inf, math.inf
    n = count or len(ordered)
    most = max(min(MAX_OUTLIERS, n // MIN_NUMBERS), int(n * OUTLIER_SHARE))
    most = min(most, len(ordered) // MIN_NUMBERS)
    least = abs(median(ordered)) * MIN_SPREAD if floor is None else floor
    gap = GAP if n >= FEW_NUMBERS else FEW_GAP
    below = _behind_gap(ordered[most::-1], ordered, most, least, gap)
    tight = ordered[-1 - most] < TIGHT * ordered[most]
    if not below and floor is None and tight and ordered[most] > GAP * ordered[0] > 0:
        logs = [math.log(value) for value in ordered]
        below = _behind_gap(logs[most::-1], logs, most, math.log1p(MIN_SPREAD), gap)
    above = _behind_gap(ordered[-1 - most :], ordered, most, least, gap)
    return ordered[most - below] if below else -math.inf, ordered[above - most - 1] if above else math.inf


def _behind_gap(tail: Sequence[float], ordered: Sequence[float], most: int, least: float, gap: float) -> int:
    """The place in a tail, told outward, of the first number behind a gap and beyond ``MAX_Z`` deviations; else 0."""
    middle = median(ordered)
    for place, (inner, outer) in enumerate(pairwise(tail), 1):
        far = abs(outer - middle)
        if far > MAX_Z * least and far >= gap * abs(inner - middle):
            mad = median(sorted([abs(value - middle) for value in ordered]))
            width = ordered[-1 - most] - ordered[most]  # the wider of both: heavy tails; where most are the same
            if far > MAX_Z * max(NORMAL_MAD * mad, width / NORMAL_WIDTH):
                return place
    return 0


def outliers(values: Sequence[float]) -> list[int]:
    """The positions of numbers far from the others; among those that rise, only of what breaks the order."""
    low, high = fences(ordered := sorted(values))
    far = [i for i, value in enumerate(values) if not low < value < high]
    if far and rises(values, ordered):
        beside = [-math.inf, *values, math.inf]
        far = [i for i in far if not beside[i] <= values[i] <= beside[i + 2]]
    return far


def rises(values: Sequence[float], ordered: Sequence[float] = ()) -> bool:
    """Whether numbers, in their order, are a counter, a clock, a line number."""
    ordered, n = ordered or sorted(values), len(values)
    if not ordered or not ordered[0] < ordered[n // 4] < ordered[n // 2] < ordered[-1]:
        return False
    return sum(b >= a for a, b in pairwise(values)) >= RISING * (n - 1)


def giants(numbers: Collection[int], single: Collection[int], least: int) -> tuple[list[int], int]:
    """One or two of a text's ``numbers``, whatever they mean, that are far larger than all others, and the largest of
    these; dates and powers are none, nor what is not ``single``. ``least``: how large they are at least."""
    ordered = sorted(numbers)
    rest = ordered[-3] if len(ordered) > 2 else 0
    least = max(least, GIANT * max(rest, GIANT_AMONG) + 1)
    return [n for n in ordered[-2:] if n >= least and n in single and not _is_round(n)], rest


def _is_round(number: int) -> bool:
    """A power of two, or beside one, a power of ten, a date."""
    power = not number & (number - 1) or not number & (number + 1) or str(number).rstrip("0") == "1"
    return power or _DATE.match(str(number)) is not None


class Numbers:
    """Exact count, range and sum; quantiles from an even sample (exact up to ``MAX_SAMPLE`` values)."""

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
        self, values: Sequence[float], rows: Sequence[int], whole: bool, texts: Sequence[str] | None = None
    ) -> None:
        """``texts`` are the values as written."""
        lo, hi = min(values), max(values)
        self.whole = self.whole and whole
        self.count += len(values)
        self.total += sum(values)
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
        if len(self.sample) > GROWN * self._settled:
            self._edges, self._settled = self._bounds(), len(self.sample)
        low, high = self._edges
        if lo < low or hi > high:
            self._collect(zip(rows, values, texts or repeat(""), strict=False))

    def _collect(self, cells: Iterable[tuple[int, float, str]]) -> None:
        low, high = self._edges
        self.candidates += [cell for cell in cells if cell[1] < low or cell[1] > high]
        if len(self.candidates) > MAX_CANDIDATES:
            middle = self.median
            self.candidates.sort(key=lambda cell: (-abs(cell[1] - middle), cell[0]))
            del self.candidates[MAX_CANDIDATES // 2 :]

    def _bounds(self) -> tuple[float, float]:
        """One width of the inner 90 % beyond these, on either scale: nearer numbers are not far from the others."""
        ordered = sorted(self.sample if len(self.sample) <= QUICK else self.sample[:: 2 * len(self.sample) // QUICK])
        p5, p95 = ordered[len(ordered) // 20], ordered[-1 - len(ordered) // 20]
        return max(2 * p5 - p95, p5 * (p5 / p95) if p5 > 0 else -math.inf), 2 * p95 - p5

    def far(self) -> list[tuple[int, float, str]]:
        """The records with outliers, the farthest first; none of what rises."""
        if self.rising or not self.candidates:
            return []
        sampled = self.step > 1  # else the candidates are among them
        ordered = sorted([*self.sample, *(value for _, value, _ in self.candidates if sampled)])
        low, high = fences(ordered, self.count)
        middle = self.median
        cells = {cell for cell in self.candidates if not low < cell[1] < high}
        return sorted(cells, key=lambda cell: (-abs(cell[1] - middle), cell[0]))

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
