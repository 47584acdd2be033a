"""Of a table of amounts the rows at either end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from mcpcompact.content.anomalies.thresholds import MIN_RARE
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import CLOCK, SERIAL
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.columns.wording import CHANGE
from mcpcompact.content.records.groups import measure
from mcpcompact.content.records.sample import Cells, number_in

EXTREME, LESSER, ENDED = 3.0, 0.01, 4  # weight of the rows at either end (of a frame), less for each next; such columns
SHARED, COMMON, DISTINCT = 2, 0.05, 30  # rows, or their share in a column of so many values, that have an end in common
ENDS_SHARE = 0.6  # of the room for rows, which those at an end have first
TENTH, HALF = 10, 0.5  # of the rows, one in so many, and of a sum, what they hold of it
AT_HAND = 12  # columns whose ends are read


def ends_of(
    columns: Sequence[Column], numbers: Sequence[int], cells: Cells, stats: Columns, aside: Collection[int]
) -> dict[int, str]:
    """The rows with the most and the least of the first columns of quantities, changes before levels: none is ordinary,
    and what more than two share, or of many values a small part of the rows, is no end; nor are rows ``aside``, which
    sum others up."""
    found = dict[int, list[str]]()
    written = [c for c in columns if not c.kinds["number"] and measure(c, numbers, cells, stats)[1]]
    for column in sorted([*quantities(columns), *written], key=lambda c: CHANGE.search(c.name) is None)[:ENDED]:
        several = column.values is None or len(column.values) >= DISTINCT
        most = max(SHARED, COMMON * column.numbers.count * several) if column.numbers.exact else SHARED
        for value, row, times, sign in _ends(column, numbers, cells, stats, aside):
            if times <= most and (value or sign == "↑ most"):
                also = f"{' but for sums' * bool(aside)}{f' (1 of {times})' * (times > 1)}"
                found.setdefault(row, []).append(f"{sign} {column.label}{also}")
    return {row: f" {', '.join(said)}" for row, said in found.items()}


def heaviest(columns: Iterable[Column], numbers: Sequence[int], cells: Cells) -> list[int]:
    """The rows by the first quantity of which a tenth of them holds half, the largest first: sizes, times, counts of
    which a reader wants to know where most is. Nothing where none is so."""
    for column in quantities(columns):
        sizes = {n: size for n in numbers if (size := number_in(cells(n, column))) is not None}
        ordered = sorted(sizes, key=lambda n: (-sizes[n], n))
        if ordered and len(sizes) == len(numbers) and sizes[ordered[-1]] >= 0:
            total, most = sum(sizes.values()), sum(sizes[n] for n in ordered[: len(ordered) // TENTH])
            if most >= HALF * total > 0:
                return ordered
    return []


def _ends(
    column: Column, numbers: Sequence[int], cells: Cells, stats: Columns, aside: Collection[int]
) -> Iterator[tuple[float, int, int, str]]:
    """The least and the largest number, its first row, how many rows have it, and what it is."""
    found = measure(column, numbers, cells, stats)[1] if aside or column.texts else {}
    values = {n: value for n, (value, _) in found.items() if n not in aside}
    for choose, sign in ((min, "↓ least"), (max, "↑ most")):
        if values:
            row = choose(values, key=values.__getitem__)
            yield values[row], row, [*values.values()].count(values[row]), sign
        else:
            held, least = column.numbers, choose is min
            value, row = (held.lo, held.lo_row) if least else (held.hi, held.hi_row)
            yield value, row, _times(column, value), sign


def _times(column: Column, number: float) -> int:
    """How many rows have a number; of a sample that holds it twice they are many."""
    found = max(1, column.numbers.sample.count(number))
    return found if column.numbers.exact or found == 1 else found + SHARED


def extremes(columns: Iterable[Column]) -> set[int]:
    """The rows with the most and the least of the first few columns of quantities."""
    return {row for column in quantities(columns)[:AT_HAND] for row in (column.numbers.lo_row, column.numbers.hi_row)}


def quantities(columns: Iterable[Column]) -> list[Column]:
    return [
        column
        for column in columns
        if column.numbers.count >= MIN_RARE
        and not column.mixed
        and not column.numbers.rising
        and column.numbers.hi > column.numbers.lo
        if not CLOCK.search(column.path) and not SERIAL.search(column.path) and "[]" not in column.steps
    ]
