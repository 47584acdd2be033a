"""Values that hardly occur where the others repeat: one test for every content type, and the counts it is asked of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from heapq import nsmallest
from typing import Any, TypeVar

from mcpcompact.content.anomalies.thresholds import MAX_RARE, MIN_RARE, RARE_SHARE, RARE_STEP, RARE_TOTAL
from mcpcompact.content.anomalies.words import ROWS, is_severe
from mcpcompact.outline import record
from mcpcompact.patterns import regex

T = TypeVar("T")


def uncommon(counts: Mapping[T, int], most: int = MAX_RARE) -> list[T]:
    """The few values far rarer than all others of a field: at most ``RARE_SHARE`` each, and the next one ``RARE_STEP``
    times as frequent; ``most`` of them, the rarest first. A field of many single values (names, ids) has none."""
    n = sum(counts.values())
    if n < MIN_RARE or len(counts) <= 1:
        return []
    limit = max(1, RARE_SHARE * n)
    if min(counts.values()) > limit:
        return []
    ranked = nsmallest(most + 1, counts.values())
    for size in range(min(most, len(ranked) - 1), 0, -1):
        here, after = ranked[size - 1], ranked[size]
        if here <= limit and after >= RARE_STEP * here and sum(ranked[:size]) <= max(size, RARE_TOTAL * n):
            rare = [value for value, count in counts.items() if count <= here]
            return sorted(rare, key=lambda value: (counts[value], str(value)))
    return []


LOOKS = regex(r"(?:\b|_|(?=[A-Z]))(?i:background|image|avatar|banner|theme|colou?r|icon|tile|font|border)(?![a-z])")
"""Names of flags of how a thing looks: that one alone chose another look stands for nothing."""


def few(count: int, of: int, share: float = RARE_SHARE) -> bool:
    """At most a share of all, or the only one."""
    return count <= max(1, share * of)


def times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


@record
class Tally:
    """Exact counts of hashable values, and where the first ``ROWS`` of each stand."""

    counts: dict[Any, int] = field(default_factory=dict)
    rows: dict[Any, list[int]] = field(default_factory=dict)
    severe: set[Any] = field(default_factory=set)

    def add(self, added: Mapping[Any, int], values: Sequence[Any], rows: Sequence[int]) -> None:
        """``added`` counts ``values``; ``rows`` are their record numbers."""
        counts, wanted = self.counts, set()
        for value, count in added.items():
            before = counts.get(value, 0)
            if not before and isinstance(value, str) and is_severe(value):
                self.severe.add(value)
            counts[value] = before + count
            if before < ROWS:
                wanted.add(value)
        for row, value in zip(rows, values, strict=False) if wanted else ():
            if value in wanted and len(held := self.rows.setdefault(value, [])) < ROWS:
                held.append(row)
