"""In what order rows are shown: a list that is sorted for its reader from its top, any other so that they span it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Any

from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import SAYING, worded
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.records.choice import FEW_VALUES, STATUS
from mcpcompact.content.shared import reports
from mcpcompact.outline import Hints
from mcpcompact.patterns import regex

MAX = 60  # rows that have a turn; any others come last
SHORT = 20  # records, whose first ones are most of them
FIRST, NEWEST = 3, 4  # rows that stand side by side, to show what follows what; of a series the latest ones
KINDS, LAST = 2, 10  # columns of which each value has a row; the turn of the last row of a sorted list
YEARS = (1500, 2100)  # numbers that are years
LOOKED = 400  # rows that are asked whether others say the same
APART = 3  # different values, at least, of what a list is sorted by

DIGITS = dict.fromkeys(map(ord, "0123456789"))  # which texts of one kind differ in

Cells = Callable[[int, Column], str]
"""Row number and column to the cell's text."""


class Sheet:
    """Rows by their numbers, what is known of all of them, and the texts of their cells."""

    def __init__(self, stats: Columns, numbers: Sequence[int], cell: Cells) -> None:
        """``numbers``: of the rows at hand, in order."""
        self.stats, self.numbers, self.cell = stats, numbers, cell

    @property
    def whole(self) -> bool:
        """Whether all rows are at hand."""
        return len(self.numbers) >= self.stats.total

    def texts(self, column: Column) -> list[str]:
        return [self.cell(n, column) for n in self.numbers]


def turns(
    sheet: Sheet,
    chosen: Sequence[Column],
    last: Collection[int] = (),
    kept: Collection[int] = (),
    heaviest: Sequence[int] = (),
) -> dict[int, int]:
    """The turn of each row that has one, of a sheet of those that compete. ``last``: come last; ``kept``: are shown;
    ``heaviest``: come first, unless another order is that of the list."""
    order: Iterable[int]
    first, numbers, total = 1, sheet.numbers, sheet.stats.total
    if graver := _graver(sheet, chosen):
        order = graver
    elif total > SHORT and any(_falls(column, sheet) for column in sheet.stats.columns.values()):
        order = [n for n in numbers if n < total]
        return {**{n: turn for turn, n in enumerate(order[:MAX], 1)}, total: LAST}
    elif (series := _series(sheet)) or not heaviest:
        rest = _unlike(sheet, chosen) if total > SHORT else numbers
        lead, newest = numbers[:FIRST], numbers[: -NEWEST - 1 : -1]
        if series:
            lead, first = [*newest[:1], *numbers[:1], *newest], 1 - (newest[0] == total)
        order = chain(lead, _one_of_each(sheet, chosen, kept), rest)
        order = sorted(order, key=last.__contains__) if last else order
    else:
        order = heaviest
    return {n: turn for turn, n in enumerate(islice(dict.fromkeys(order), MAX), first)}


def answers(sheet: Sheet, hints: Hints | None) -> list[int]:
    """The rows that answer a search: with most of its words, one of which is rare, and most of them side by side."""
    values = ((hints and hints.arguments) or {}).values()
    phrase = " ".join(v for v in values if isinstance(v, str) and _PHRASE.fullmatch(v))
    if not phrase:
        return []
    from mcpcompact.content.shared.request import rarity, told

    query = told(phrase)
    columns = [c for c in sheet.stats.columns.values() if c.texts and "[]" not in c.steps] if len(query) > 1 else []
    texts = {n: " ".join([sheet.cell(n, c)[:READ].lower() for c in columns]) for n in sheet.numbers if columns}
    words = {n: told(text) for n, text in texts.items()}
    rare = rarity(query, words.values(), HALF)
    pairs = [f"{one} {other}" for one, other in pairwise(query)]
    held = {n: len(one.keys() & query.keys()) for n, one in words.items() if one.keys() & rare.keys()}
    scores = {n: many + BESIDE * sum(pair in texts[n] for pair in pairs) for n, many in held.items() if many > 1}
    return sorted(scores, key=scores.__getitem__, reverse=True)[:ANSWERS]


_PHRASE = regex(r"\w[\w'’.,:?!&+ ]{5,200}")  # no path, no option of a command
ANSWERS, READ, HALF = 6, 400, 0.5  # rows that answer; characters of a cell that are read; share of the rows
BESIDE = 0.1  # what two words side by side count beside one more word


def _graver(sheet: Sheet, chosen: Sequence[Column]) -> list[int]:
    """The rows by what they say of their severity, the worst first; none where they say nothing of it."""
    for column in chosen:  # a level is that of an entry of a log, which stands where it was written
        name = column.name.lower()
        stated = reports.is_severity(name) and ("sever" in name or not name.endswith("level"))
        if stated and (ranks := reports.severities(column.name, sheet.texts(column))):
            return [n for _, n in sorted(zip(ranks, sheet.numbers, strict=True), key=lambda pair: pair[0])]
    return []


def _one_of_each(sheet: Sheet, chosen: Sequence[Column], kept: Collection[int]) -> Iterator[int]:
    kinds = [c for c in chosen if _divides(c, sheet.stats)]
    kinds = sorted(kinds, key=lambda c: STATUS.search(c.name) is None)[:KINDS]
    seen = {(c.path, sheet.cell(n, c)) for n in (*sheet.numbers[:FIRST], *kept) for c in kinds}
    for column in kinds:
        for n in sheet.numbers:
            if (column.path, sheet.cell(n, column)) not in seen:
                seen.update((c.path, sheet.cell(n, c)) for c in kinds)
                yield n


def _unlike(sheet: Sheet, chosen: Sequence[Column]) -> Iterator[int]:
    """First a row of each kind, spread over all: rows that say the same but for numbers follow the others."""
    says, numbers = [column for column in chosen if worded(column, SAYING)], spread(sheet.numbers)
    seen, again = set[str](), list[int]()
    for n in islice(numbers, LOOKED if says else 0):
        kind = "|".join([sheet.cell(n, column) for column in says]).translate(DIGITS)
        if kind in seen:
            again.append(n)
        else:
            seen.add(kind)
            yield n
    yield from chain(again, numbers)


def _divides(column: Column, stats: Columns) -> bool:
    """A state, a type, a place: one of few texts in each row."""
    few = column.values is not None and 1 < len(column.values) <= FEW_VALUES and len(column.values) * 3 <= stats.total
    return few and column.texts > 0 and not column.dates and "[]" not in column.steps


def _series(sheet: Sheet) -> bool:
    """Figures of one time after the other, the oldest first: what is asked for is how they stand now."""
    stats = sheet.stats
    column = next(iter(stats.columns.values()), None)
    if column is None:
        return False
    dated = column.dates or (column.kinds["number"] == stats.total and YEARS[0] <= column.numbers.lo <= YEARS[1])
    if stats.total <= SHORT or not dated or any(worded(c, SAYING) for c in stats.columns.values()):
        return False
    times = sheet.texts(column)
    return times == sorted(times)


def _falls(column: Column, sheet: Sheet) -> bool:
    """Newest, largest or best first: nobody sorts so but for a reader who begins at the top."""
    numbers = sheet.numbers
    if len(column.steps) != 1 or not (column.dates or column.kinds["number"]) or 2 * column.present < len(numbers):
        return False
    before: Any = None
    read = different = 0
    for text in (sheet.cell(n, column) for n in numbers):
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
