"""Of a table of amounts the rows that matter most: those with the largest ones."""

from __future__ import annotations

from collections.abc import Container, Sequence

from mcpcompact.content.columns.column import Column
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
_AMOUNT = regex(r"[-+]?[$€£]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")


@record
class Amounts:
    """What the rows have in one column, which ones have most of it, and which nothing."""

    first: list[int]  # behind the largest one
    nothing: Container[int]
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
