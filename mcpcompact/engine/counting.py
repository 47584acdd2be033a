"""Tokens of the lines that may be chosen: one by one, and together where so many are asked for that all may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from mcpcompact.engine.choice import Count

SINGLY: Final = 200  # lines that are counted one by one before the others are counted together


class LineCount:
    """Counts lines; ``counts`` counts many at once, where that is quicker, and ``others`` are those that may follow."""

    def __init__(self, count: Count, counts: Callable[[Sequence[str]], list[int]] | None) -> None:
        self.count, self._counts = count, counts
        self._known: dict[str, int] = {}
        self._singly = 0

    def of(self, line: str, others: Callable[[], list[str]]) -> int:
        if line in self._known:
            return self._known[line]
        self._singly += 1
        if self._counts is not None and self._singly == SINGLY:
            lines = others()
            self._known = dict(zip(lines, self._counts(lines), strict=True))
        return self.count(line)
