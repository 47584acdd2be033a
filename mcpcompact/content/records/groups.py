"""Rows by group: of each symbol, place or month how many, and what its numbers come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isclose

from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import CLOCK, SERIAL
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.records.choice import periods
from mcpcompact.content.records.sample import Cells, number_in
from mcpcompact.content.records.shapes import leading
from mcpcompact.content.shared.reports import is_severity, rank
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import rounded

LEAST, MOST = 2, 12  # groups
ROWS = 3  # of a group, in the mean, at least
MEASURES = 3  # columns of numbers
VALUES = 6  # of a column of numbers, more than these
BULK = 0.9  # of the rows that the largest group has, at most; of its times, at least, that a total is one
SUMS = 5  # times, at least
LONG = 100  # rows; of fewer their groups are seen
LABEL = 40  # characters of a group's name
_KEY = regex(r"(?i)key$")
_DATED = regex(r"\d{4}[-/]\d\d")
_PERIODS = (7, 4)  # characters of a date: its month, its year

Measure = tuple[Column, dict[int, tuple[float, str]]]  # the numbers of its rows, and as written


def by_group(stats: Columns, chosen: Sequence[Column], numbers: Sequence[int], cells: Cells) -> list[Fact]:
    """One table: a line for each value of the field that divides the rows, or for each month or year. Only where all
    rows are at hand, and are many more than the groups."""
    if len(numbers) < stats.total:
        return []
    measures = [found for column in chosen if (found := measure(column, numbers, cells, stats))[1]][:MEASURES]
    dates = _clock(stats, chosen)
    for label, keys in _divided(stats, chosen, numbers, cells, dates) if measures else ():
        rows: dict[str, list[int]] = {}
        for number, key in zip(numbers, keys, strict=True):
            rows.setdefault(key, []).append(number)
        if label.endswith("]"):  # periods, the newest first: a table is cut at its end
            rows = dict(sorted(rows.items(), reverse=True))
        elif is_severity(label):
            rows = dict(sorted(rows.items(), key=lambda group: rank(group[0])))
        several = LEAST <= len(rows) <= MOST and len(numbers) >= ROWS * len(rows)
        several = several and 2 * sum(len(held) > 1 for held in rows.values()) > len(rows)
        if several and max(map(len, rows.values())) <= BULK * len(numbers):
            said = summed(stats, chosen, numbers, cells)[0]
            lines = ["|".join(line) for line in _lines(label, rows, measures, dates, cells)]
            made = Fact("\n".join(lines), 1 + label.endswith("]"), rows=len(numbers) > LONG)
            return [Fact(said, 0), made] if said else [made]
    return []


def _clock(stats: Columns, chosen: Sequence[Column]) -> Column | None:
    return next((c for c in chosen if c.scalars == stats.total and (c.dates or CLOCK.search(c.path))), None)


def summed(stats: Columns, chosen: Sequence[Column], numbers: Sequence[int], cells: Cells) -> tuple[str, set[int]]:
    """The group whose figure is, time by time, the sum of those of all others, and its rows: "All regions" of regions.
    Only where all rows are at hand, and no group has two at a time."""
    clock = _clock(stats, chosen) if len(numbers) == stats.total else None
    texts = [c for c in chosen if c is not clock and not c.kinds["number"] and LEAST < len(c.values or ()) <= MOST]
    if clock is None or not texts:
        return "", set()
    figures = (measure(column, numbers, cells, stats) for column in chosen)
    what, found = next((figure for figure in figures if figure[1]), (clock, {}))
    for column in texts:
        of = {n: (cells(n, clock), cells(n, column)) for n in found}
        sums = dict.fromkeys((time for time, _ in of.values()), 0.0)
        for n, (value, _) in found.items():
            sums[of[n][0]] += value
        equal = Counter(of[n][1] for n, (value, _) in found.items() if value and isclose(2 * value, sums[of[n][0]]))
        name, many = max(equal.items(), key=lambda pair: pair[1], default=("", 0))
        rows = {n for n, (_, group) in of.items() if group == name}
        if len({*of.values()}) == len(of) and many >= SUMS and many >= BULK * len(rows):
            text = f"{what.label}: {name} is the sum of the other {column.label} values"
            return f"{text} in {many:,} of {len(rows):,} {clock.label} values", rows
    return "", set()


def by_period(stats: Columns, numbers: Sequence[int], cells: Cells) -> list[Fact]:
    """Of columns that are years, quarters or months how their figures go: of the row of totals, else the means of all
    rows; the first and the last, the least and the most. Only where all rows are at hand."""
    times = periods(stats) if len(numbers) == stats.total else []
    first = next((column for column in stats.columns.values() if column.texts), None)
    totals = [n for n in numbers if first is not None and TOTAL.fullmatch(cells(n, first))] if times else []
    rows, means, whole = totals if len(totals) == 1 else numbers, list[tuple[str, float]](), True
    for column in times:
        found = [number_in(cells(n, column).replace(",", "")) for n in rows]
        values = [value for value in found if value is not None]
        if len(values) * 2 > len(rows):
            means.append((column.label, sum(values) / len(values)))
            whole = whole and len(values) == len(rows)
    if len(means) < len(times) / 2 or len(means) < LEAST:
        return []
    whose = f"row #{totals[0]} {cells(totals[0], first)}" if rows is totals and first else f"mean of {len(rows):,} rows"
    whose += "" if whole else " but for empty cells"
    low, high = (choose(means, key=lambda pair: pair[1]) for choose in (min, max))
    said = [("", means[0]), ("", means[-1]), ("least ", low), ("most ", high)]
    told = " · ".join(f"{what}{label} {rounded(value)}" for what, (label, value) in said)
    return [Fact(f"{times[0].label} to {times[-1].label}, {len(times)} columns, {whose}: {told}", 0)]


def by_clock(stats: Columns, numbers: Sequence[int], cells: Cells) -> list[Fact]:
    """From when to when entries are, where their times are no dates to compare: of the first and the last row."""
    columns = (c for c in stats.columns.values() if len(c.steps) == 1 and c.texts == stats.total)
    clock = next((c for c in (*leading(stats)[:1], *columns) if CLOCK.search(c.path) and c.texts and not c.dates), None)
    if clock is None or not {1, stats.total}.issubset(numbers):
        return []
    return [Fact(f"{clock.label}: {cells(1, clock)} (#1) to {cells(stats.total, clock)} (#{stats.total})", 1)]


AMOUNT = regex(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
TOTAL = regex(r"(?i)(?:grand )?total\b.{0,24}|all|sum|overall|world")


def measure(column: Column, numbers: Sequence[int], cells: Cells, stats: Columns) -> Measure:
    """A column of plain quantities in most rows, also of texts that are amounts: ``1,234,000``."""
    few = column.values is not None and len(column.values) <= VALUES
    aside = any(kind.search(column.path) for kind in (_KEY, SERIAL, CLOCK)) or "[]" in column.steps or column.mixed
    if few or aside or max(column.kinds["number"], column.texts) * 2 <= stats.total:
        return column, {}
    texts = ((number, cells(number, column)) for number in numbers)
    plain = ((n, text, text.replace(",", "") if AMOUNT.fullmatch(text) else text) for n, text in texts)
    found = {n: (value, text) for n, text, bare in plain if (value := number_in(bare)) is not None}
    written = not column.texts or any("," in text for _, text in found.values())  # else a code, a version
    return column, found if written and len(found) == (column.kinds["number"] or column.texts) else {}


def _divided(
    stats: Columns, chosen: Sequence[Column], numbers: Sequence[int], cells: Cells, dates: Column | None
) -> Iterator[tuple[str, list[str]]]:
    """What may divide the rows: a text of few values, then the month, then the year."""
    for column in chosen:
        few = column.values is not None and LEAST <= len(column.values) <= MOST and not column.kinds["number"]
        if few and column is not dates and column.scalars == stats.total and "[]" not in column.steps:
            yield column.label, [cells(number, column) for number in numbers]
    written = [cells(number, dates) for number in numbers] if dates is not None else []
    if dates is not None and all(map(_DATED.match, written)):
        for size in _PERIODS:
            yield f"{dates.label}[:{size}]", [text[:size] for text in written]


def _lines(
    label: str, rows: dict[str, list[int]], measures: Sequence[Measure], dates: Column | None, cells: Cells
) -> Iterator[list[str]]:
    first, values = measures[0]
    alone = len(measures) == 1
    follow = all(held == list(range(held[0], held[-1] + 1)) for held in rows.values())
    series = dates if follow and alone and "[:" not in label and not is_severity(label) else None
    head = [f"by {label}", "rows"]
    head += [f"{series.label} first", "last", f"{first.label} first", "last"] if series else []
    yield [*head, *([f"{first.label} least", "most", "mean"] if alone else [f"{c.label} mean" for c, _ in measures])]
    for key, held in rows.items():
        line = [key[:LABEL] or "(empty)", f"{len(held):,}"]
        if series:
            line += [cells(held[0], series), cells(held[-1], series), cells(held[0], first), cells(held[-1], first)]
        if alone:
            some = [values[number] for number in held if number in values]
            line += [min(some)[1], max(some)[1]] if some else ["-", "-"]
        for column, numbers in measures:
            found = [numbers[number][0] for number in held if number in numbers]
            line.append(column.computed(sum(found) / len(found), rounded) if found else "-")
        yield line
