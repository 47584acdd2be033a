"""Of records that log something, failures of one kind: of one template, or alike but for their numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from mcpcompact.content.anomalies.words import tells
from mcpcompact.content.columns.alarms import STATUS, Mark
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import ECHO, SAYING, worded
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.records.choice import TITLE
from mcpcompact.content.records.sample import DIGITS
from mcpcompact.outline import Keep

MOST, TWICE = 24, 2  # kinds; rows of one in the mean, and rows of which each stands by itself
_Kind = tuple[str, ...]


def one_of_each(
    by_row: Mapping[int, list[Mark]],
    numbers: Sequence[int],
    chosen: Sequence[Column],
    cells: Callable[[int, Column], str],
    stats: Columns,
) -> dict[int, list[Mark]]:
    """The marks of rows, of each kind of failure one row with how many there are: twelve alike would hide others."""
    says = next((c for c in chosen if TITLE.search(c.name) and worded(c, SAYING) and c.texts == stats.total), None)
    if says is None or len(numbers) < stats.total:
        return dict(by_row)
    columns = list(stats.columns.values())
    echo = next((c for c in columns if ECHO.search(c.path) and c.values and c.texts == stats.total), None)
    states = [c for c in columns if STATUS.search(c.path) and c.tally and c.level < 0 and c.tally.severe]
    kinds: dict[_Kind, list[int]] = {}
    counts = Counter[str]()
    for number in numbers:
        text = cells(number, echo) if echo else cells(number, says).translate(DIGITS)
        counts[text] += 1
        kinds.setdefault((text, *(cells(number, c) for c in states)), []).append(number)
    own = {c.path for c in (says, *states)}
    odd = {number for number, marks in by_row.items() if own.issuperset(mark.column for mark in marks)}
    failing = [rows for kind, rows in kinds.items() if any(map(tells, (cells(rows[0], says), *kind[1:])))]
    several = len(failing) <= MOST and sum(map(len, failing)) >= TWICE * len(failing)
    made = dict(by_row)
    what = f"of its {echo.label}" if echo else "alike but for numbers"
    loud = {rows[0] for rows in failing}
    for (text, *_), rows in kinds.items() if several else ():
        marked = [number for number in rows if number in by_row]
        if len(rows) <= TWICE or not odd.issuperset(marked) or not (marked or rows[0] in loud):
            continue
        first = marked[0] if marked else rows[0]
        count = counts[text]
        kind = Mark(first, Keep.SEVERE, says.path, f"{count:,} {what}", "", count, "kind")
        made[first] = [*by_row.get(first, ()), kind]
        for number in marked[1:]:
            del made[number]
    return {number: made[number] for number in sorted(made)}
