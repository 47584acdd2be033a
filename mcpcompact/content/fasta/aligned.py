"""How the rows of an alignment differ: in which columns, and each from the first one."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.content.fasta.survey import STARTS, Survey
from mcpcompact.outline import Fact, Item
from mcpcompact.phrasing import clipped, counted

_DIFFERS = 2.0  # weight of what a row has in another way than the first
_LONG = 400  # characters of it


def variable(survey: Survey) -> Iterator[Fact]:
    """How many columns are not the same in all rows: of those at hand."""
    if not survey.aligned or survey.total > STARTS:
        return
    rows = [start.upper() for start in survey.starts]
    columns = min(map(len, rows))
    found = [at for at, held in enumerate(zip(*rows, strict=False), 1) if len(set(held)) > 1]
    of = f"{columns:,} columns" if columns == survey.lengths[0] else f"the first {columns:,} columns"
    ends = f", {found[0]:,} to {found[-1]:,}" if len(found) > 1 else f": {found[0]:,}" if found else ""
    yield Fact(f"{len(found):,} of {of} differ between rows{ends}", 0)


def _runs(survey: Survey, number: int) -> list[list[int]]:
    """Columns in which a row is not as the first one, from 0: where each run begins and ends."""
    runs = list[list[int]]()
    for at, (one, other) in enumerate(zip(survey.starts[0].upper(), survey.starts[number - 1].upper(), strict=False)):
        if one != other and runs and runs[-1][1] == at:
            runs[-1][1] = at + 1
        elif one != other:
            runs.append([at, at + 1])
    return runs


def count(survey: Survey, number: int) -> str:
    """In how many columns a row differs, for its own line: there may be no room for which."""
    if not survey.aligned or not 1 < number <= len(survey.starts) or survey.lengths[0] > len(survey.starts[0]):
        return ""
    return f", {sum(end - start for start, end in _runs(survey, number)):,} differ from #1"


def differences(survey: Survey, number: int) -> Item:
    """What a row has in another way than the first, as runs of columns: ``8 T for A``."""
    first, row = (survey.starts[n - 1].decode("latin-1") for n in (1, number))
    runs = _runs(survey, number)
    told = [f"{a + 1}{f'–{b}' if b - a > 1 else ''} {row[a:b]} for {first[a:b]}" for a, b in runs]
    columns = counted(sum(b - a for a, b in runs), "column") if runs else "no column"
    scope = f" of the first {len(row):,}" if len(row) < survey.lengths[number - 1] else ""
    text = f"#{number} differs from #1 in {columns}{scope}" + (f": {', '.join(told)}" if told else "")
    return Item(number, number, clipped(text, _LONG), weight=_DIFFERS)
