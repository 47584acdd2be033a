"""How grave findings say they are, and where a report holds lines that are none."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from mcpcompact.content.shared.reports import EXCEPTION, rank
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

_GRADE: Final = regex(
    r"(?i)(?:\W*(?:\d+:\d+\W+)?(?:fatal )?|.*\[(?=\w+/))(error|warning|note|info|style|convention|refactor"
    r"|performance|portability|information|high|medium|low|check|severity \d)\b"
)
APART: Final = 10  # lines in a row without a finding, which are told


def grades(texts: Mapping[int, str]) -> dict[int, str]:
    """How grave each finding says it is; empty where one says nothing."""
    found = {number: stated[1].lower() for number, text in texts.items() if (stated := _GRADE.match(text))}
    return found if len(found) == len(texts) else {}


def by_grade(graded: Mapping[int, str], what: str) -> str:
    """``errors``, where all findings are; ``findings (2 errors, 5 style)``, the worst first."""
    counts, plain = Counter(graded.values()), ("error", "warning", "note")
    if len(counts) <= 1:
        return f"{min(counts)}s" if counts and min(counts) in plain else what
    told = [counted(counts[one], one) if one in plain else f"{counts[one]:,} {one}" for one in sorted(counts, key=rank)]
    return f"{what} ({', '.join(told)})"


def worst(graded: Mapping[int, str]) -> list[int]:
    """The lines of the findings that are graver than all others, where these are few."""
    first = min(graded.values(), key=rank, default="")
    lines = [number for number, grade in graded.items() if grade == first]
    return lines if len(lines) <= EXCEPTION * len(graded) else []


def apart(others: Iterable[int], found: Iterable[int]) -> list[Fact]:
    """Lines between findings that are of another kind: a log behind a report."""
    known: Sequence[int] = sorted(found)
    runs = ([*run] for _, run in groupby(others, key=lambda number: bisect(known, number)))
    told = [f"{run[0]}–{run[-1]} ({len(run):,})" for run in runs if len(run) >= APART]
    return [Fact(f"lines of another form: {' · '.join(told)}", 0)] if told else []
