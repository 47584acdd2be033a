"""In what order rows are shown: a list that is sorted for its reader from its top, any other so that they span it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.records.choice import FEW_VALUES, STATUS

MOST = 60  # rows that have a turn; any others come last
SHORT = 20  # records, whose first ones are most of them
FIRST = 3  # rows that stand side by side, to show what follows what
KINDS, LAST = 2, 10  # columns of which each value has a row; the turn of the last row of a sorted list
APART = 3  # different values, at least, of what a list is sorted by

Cells = Callable[[int, Column], str]


def turns(numbers: Sequence[int], chosen: Sequence[Column], cells: Cells, stats: Columns) -> dict[int, int]:
    """The turn of each row that has one. ``numbers``: those that compete."""
    ordered = [c for c in stats.columns.values() if (c.dates or c.kinds["number"]) and len(c.steps) == 1]
    if stats.total <= SHORT or any(_falls(column, numbers, cells) for column in ordered):
        order: Iterator[int] = (n for n in numbers if n < stats.total)
        return {**{n: turn for turn, n in enumerate(islice(order, MOST), 1)}, stats.total: LAST}
    kinds = [column for column in chosen if _divides(column, stats)]
    kinds.sort(key=lambda column: STATUS.search(column.name) is None)
    seen = {(c.path, cells(n, c)) for n in numbers[:FIRST] for c in kinds[:KINDS]}
    order = (n for n in [*numbers[:FIRST], *_one_of_each(numbers, kinds[:KINDS], cells, seen), *spread(numbers)])
    return {n: turn for turn, n in enumerate(islice(dict.fromkeys(order), MOST), 1)}


def _one_of_each(
    numbers: Sequence[int], kinds: Sequence[Column], cells: Cells, seen: set[tuple[str, str]]
) -> Iterator[int]:
    for column in kinds:
        for n in numbers:
            if (value := (column.path, cells(n, column))) not in seen:
                seen.update((c.path, cells(n, c)) for c in kinds)
                seen.add(value)
                yield n


def _divides(column: Column, stats: Columns) -> bool:
    """A state, a type, a place: one of few texts in each row."""
    few = column.values is not None and 1 < len(column.values) <= FEW_VALUES and len(column.values) * 3 <= stats.total
    return few and column.texts > 0 and not column.dates and "[]" not in column.steps


def _falls(column: Column, numbers: Sequence[int], cells: Cells) -> bool:
    """Newest, largest or best first: nobody sorts so but for a reader who begins at the top."""
    before: Any = None
    read = different = 0
    for text in (cells(n, column) for n in numbers):
        if text in ("", column.void):
            continue
        key = text if column.dates else number_in(text)
        if key is None or (read and key > before):
            return False
        different += key != before
        before, read = key, read + 1
    return different >= APART and 2 * read >= len(numbers)


def number_in(text: str) -> float | None:
    """A plain, finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value - value == 0 else None


def spread(numbers: Sequence[int]) -> Iterator[int]:
    """All of them, so that as many as are taken lie evenly between the ends (the order of van der Corput)."""
    yield from numbers[-1:]
    bits = max(1, (len(numbers) - 1).bit_length())
    for place in range(1 << bits):
        at = int(f"{place:0{bits}b}"[::-1], 2)
        if at < len(numbers):
            yield numbers[at]
