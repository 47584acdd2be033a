"""Of a table of amounts the rows that matter most: those with the largest ones, and those at either end."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence

from mcpcompact.content.anomalies.thresholds import MIN_RARE
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import CLOCK, SERIAL
from mcpcompact.content.columns.quantities import read
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.records.choice import periods
from mcpcompact.content.records.groups import TOTAL
from mcpcompact.content.records.sample import Cells
from mcpcompact.outline import record
from mcpcompact.patterns import regex

MANY = 20  # rows; fewer are seen at once
LARGEST = 8  # rows that come first
MOSTLY = 0.9  # of the rows that have an amount
SHARE = 0.1  # of the sum, from which on it is said
EXTREME, MEASURED, ENDED = 3.0, 3, 2  # weight of the rows at either end; columns that are asked, and that have ends
SHARED, COMMON, DISTINCT = 2, 0.05, 30  # rows, or their share in a column of so many values, that have an end in common
AT_HAND = 12  # columns whose ends are read
_AMOUNT = regex(r"[-+]?[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@record
class Amounts:
    """What the rows have in one column, which ones have most of it, and which nothing."""

    first: list[int]  # behind the largest one
    nothing: Collection[int]
    ends: dict[int, str]


NONE = Amounts([], (), {})


def amounts(chosen: Sequence[Column], numbers: Sequence[int], cells: Cells, stats: Columns) -> Amounts:
    """By the column of amounts that is asked for first: of years the latest. ``NONE`` where there is no such column,
    or where not all rows are at hand."""
    if len(numbers) < stats.total or stats.total <= MANY:
        return NONE
    times = periods(stats)
    written = (c for c in chosen if c not in times and _written(c, numbers, cells))
    column = next((c for c in reversed(times) if c in chosen), None) or next(written, None)
    found = {n: value[0] for n in numbers if (value := read(cells(n, column))) is not None} if column else {}
    ranked = sorted(found, key=lambda n: (-abs(found[n]), n))
    if column is None or len(found) < MOSTLY * len(numbers) or found[ranked[0]] <= found[ranked[1]]:
        return NONE
    total = any(TOTAL.fullmatch(cells(ranked[0], c)) for c in chosen)
    part = found[ranked[0]] / sum(found.values()) if column.texts and not total and sum(found.values()) > 0 else 0
    of = f" ({100 * part:.0f} % of the sum)" if SHARE <= part <= 1 else ""
    return Amounts(ranked[1:LARGEST], {n for n in found if not found[n]}, {ranked[0]: f" ↑ most {column.label}{of}"})


def _written(column: Column, numbers: Sequence[int], cells: Cells) -> bool:
    """Texts that are amounts: ``1,234,000``."""
    likely = column.texts and all(read(str(example)) for example in column.examples)
    return bool(likely) and any(_AMOUNT.fullmatch(cells(n, column)) for n in numbers)


def ends_of(columns: Sequence[Column], kept: Container[int]) -> dict[int, str]:
    """The rows with the most and the least of the first columns of quantities that have such ends, and that they are:
    none is ordinary, and what more than two share, or of many values a small part of the rows, is no end. Ends that
    are ``kept`` for what is odd in them leave the turn to the next column."""
    told, found = 0, dict[int, list[str]]()
    for column in _quantities(columns)[:MEASURED]:
        numbers, label = column.numbers, column.label
        several = column.values is None or len(column.values) >= DISTINCT
        most = max(SHARED, COMMON * numbers.count * several) if numbers.exact else SHARED
        ends = {}
        for value, row, sign in ((numbers.lo, numbers.lo_row, "↓ least"), (numbers.hi, numbers.hi_row, "↑ most")):
            times = _times(column, value)
            if times <= most and (value or sign == "↑ most"):
                ends[row] = f"{sign} {label}{f' (1 of {times})' if times > 1 else ''}"
        if told < ENDED and not all(row in kept for row in ends):
            told += 1
            for row, said in ends.items():
                found.setdefault(row, []).append(said)
    return {row: f" {', '.join(said)}" for row, said in found.items()}


def _times(column: Column, number: float) -> int:
    """How many rows have a number; of a sample that holds it twice they are many."""
    found = max(1, column.numbers.sample.count(number))
    return found if column.numbers.exact or found == 1 else found + SHARED


def extremes(columns: Iterable[Column]) -> set[int]:
    """The rows with the most and the least of the first few columns of quantities."""
    return {row for column in _quantities(columns)[:AT_HAND] for row in (column.numbers.lo_row, column.numbers.hi_row)}


def _quantities(columns: Iterable[Column]) -> list[Column]:
    return [
        column
        for column in columns
        if column.numbers.count >= MIN_RARE
        and not column.mixed
        and not column.numbers.rising
        and column.numbers.hi > column.numbers.lo
        if not CLOCK.search(column.path) and not SERIAL.search(column.path) and "[]" not in column.steps
    ]
