"""What a sniffer goes by: tables of evidence, each a measure of the lines, the limit above which it tells, and what.

Limits and scores were set by hand on the look-alikes of the tests and on recorded tool results; a score says how a
claim ranks among those of the other types."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from mcpcompact.content.shared.lines import REDRAWN
from mcpcompact.outline import Verdict
from mcpcompact.patterns import held, regex

STAMP = r"\[?(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d)|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d"
"""A time at the beginning of a line or a cell."""
DIFF = regex(
    r"diff --(?:git|cc|combined) |@@ -\d|Index: \S|--- (?:a/|\S+\t)|\+\+\+ (?:b/|\S+\t)"
    r"|\*\*\* (?:Begin Patch|Update File|\S+\t)|commit [0-9a-f]{40}\b",
    holds=("diff --", "@@ -", "Index: ", "--- ", "+++ ", "*** ", "commit "),
)
"""A line that heads a commit, a file or a hunk."""

MOSTLY = 0.5  # of the characters stand in lines that are redrawn
STATES = 2  # of a line that is drawn more often than a few times

Measure = Callable[[Sequence[str]], float]


class Evidence(NamedTuple):
    """Where ``measure`` gives more than ``over``, the score is ``score`` and the reason ``why``."""

    measure: Measure
    over: float
    score: float
    why: str


def share(lines: Sequence[str], pattern: re.Pattern[str]) -> float:
    """The part of the lines that the pattern matches at their beginning; 0 without lines."""
    if not held(pattern, lines):
        return 0.0
    return sum(pattern.match(line) is not None for line in lines) / max(1, len(lines))


def of(pattern: re.Pattern[str]) -> Measure:
    """The measure that is the share of the lines of this shape."""
    return lambda lines: share(lines, pattern)


def anywhere(pattern: re.Pattern[str], among: int | None = None) -> Measure:
    """1 where one of the lines (of the first ``among``) has this shape, else 0."""
    return lambda lines: float(any(map(pattern.match, lines[:among])))


def redrawn(lines: Sequence[str]) -> float:
    """The part of the characters that stand in lines drawn over and over."""
    again = [line for line in lines if not line.isprintable() and len(REDRAWN.findall(line.rstrip("\r"))) > STATES]
    return sum(map(len, again)) / max(1, sum(map(len, lines)))


def first(lines: Sequence[str], table: Iterable[Evidence]) -> Verdict | None:
    """The verdict of the first evidence in the table that tells."""
    for evidence in table:
        if evidence.measure(lines) > evidence.over:
            return Verdict(evidence.score, evidence.why)
    return None
