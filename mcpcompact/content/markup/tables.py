"""Tables of a text: rows as items, what is odd in their columns, which columns are told; facts about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from mcpcompact.content.columns.values import odd_values, typed, values_text
from mcpcompact.content.markup import paragraphs
from mcpcompact.content.markup.paragraphs import Block
from mcpcompact.outline import Fact, Item, Keep, Series
from mcpcompact.phrasing import clipped, counted

_VALUES_LEAST = 4  # of a column
TABLES, NAMED, HEADER, TITLE = 6, 80, 200, 100  # tables of several that are named; characters of column names, a title
WIDE, NARROW = 240, 120  # characters of a row on average: of wider ones the columns that are told, briefest first
SMALL = 4  # rows of a table that is never shown in part
LONG_TABLE = 15  # rows: of shorter ones the rows say more than their count and statistics
WIDEST = 200  # columns that are looked at
DESCRIBED, COLUMNS, SAID = 12, 12, 6  # tables, columns of one that are looked at, and of these that are told


class Row(NamedTuple):
    start: int
    end: int
    cells: list[str]
    offset: int = 0  # its place in a page


class Table:
    """Rows as items, with the columns that are told and what is odd in them."""

    def __init__(self, start: int, header: Sequence[str] = ()) -> None:
        self.start, self.header = start, header
        self.rows: list[Row] = []
        self.head: Block | None = None  # its place among the blocks, which knows what leads to it

    @property
    def listed(self) -> bool:
        """Whether it lists something; others lay out a page."""
        return bool(self.header) or len(self.rows) >= LONG_TABLE

    @property
    def place(self) -> str:
        return f"Table at line {self.start}, {counted(len(self.rows), 'row')}"

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)

    @cached_property
    def columns(self) -> list[int]:
        """Those that are shown of a short table with long cells: the first, and the briefest; of others all."""
        width = len(self.header)
        sizes = [sum(len("".join(row.cells[k : k + 1])) for row in self.rows) for k in range(width)]
        if not SMALL <= len(self.rows) < LONG_TABLE or sum(sizes) < WIDE * len(self.rows):
            return []
        few, room = [0], NARROW * len(self.rows) - sizes[0]
        for k in sorted(range(1, width), key=sizes.__getitem__):
            few, room = [*few, k] if sizes[k] <= room else few, room - sizes[k]
        return sorted(few) if len(few) > 1 else []

    @cached_property
    def small(self) -> bool:
        """Whether it is whole or not shown: one row of three says less than none."""
        size = sum(len(cell) for row in self.rows[: SMALL + 1] for cell in row.cells)
        return bool(self.header) and 1 < len(self.rows) <= SMALL and size <= paragraphs.LISTED

    @cached_property
    def odds(self) -> dict[int, tuple[Keep, str, str]]:
        """What is odd in its columns, by row: how it is kept, why, and the template of the first such cell."""
        odds: dict[int, tuple[Keep, str, str]] = {}
        for column in range(min(self.width, WIDEST)):
            where = [n for n, row in enumerate(self.rows) if column < len(row.cells)]
            cells = [_bare(self.rows[n].cells[column]) for n in where]
            values = [typed(cell) if cell else None for cell in cells]
            for odd in odd_values(self.name(column), values, "empty"):
                n = where[odd.index]
                keep, reason, template = odds.get(n, (odd.keep, "", f"{self.start} {odd.template}"))
                odds[n] = max(keep, odd.keep), "; ".join(r for r in (reason, odd.reason) if r), template
        return odds

    def name(self, column: int) -> str:
        name = "".join(self.header[column : column + 1])
        return _bare(name) if name else f"column {column + 1}"

    def item(self, n: int, anchor: str) -> Item:
        """A row; of a small table all."""
        start, end, cells, _ = self.rows[n]
        if self.small:
            end = self.rows[-1].end
            rows = "\n".join(_bars(row.cells) for row in self.rows)
            return Item(start, end, f"{anchor or f'{start}-{end}'} {rows}", whole=True, flow="sentences")
        item = Item(start, end, f"{anchor or start} {_bars(cells, self.columns)}", flow="sentences")
        item.series = Series("row", self.start, len(self.rows)) if self.listed else None
        if n in self.odds:
            item.weight, (item.keep, item.reason, item.template) = 1.5, self.odds[n]
        return item

    def names(self, anchor: str) -> str:
        """Of the columns: a row says little without them."""
        left = ", ".join(name for k, name in enumerate(self.header) if self.columns and k not in self.columns)
        names = f"{'' if anchor else f'{self.start} '}{_bars(self.header, self.columns)}" if self.header else ""
        return names + f" (columns not shown: {left})" * bool(left)

    def facts(self, alone: bool) -> list[Fact]:
        """What it holds; ``alone``: its columns, too."""
        facts, texts = list[Fact](), list[str]()
        if alone:
            header = clipped(f": {' | '.join(self.header)}", HEADER) if self.header else ""
            facts.append(Fact(f"{self.place} × {self.width} columns{header}", 1))
        for column in range(min(self.width, COLUMNS)):
            values = [typed(_bare(row.cells[column])) for row in self.rows if any(row.cells[column : column + 1])]
            if len(values) >= _VALUES_LEAST and (text := values_text(self.name(column), values)):
                texts.append(f"{self.name(column)} {text}")
        return facts + [Fact("; ".join([*[self.place] * (not alone), *texts][:SAID]), 2)] * bool(texts)


def _bare(cell: str) -> str:
    return cell.strip("`*_ ")


def _bars(cells: Sequence[str], columns: Sequence[int] = ()) -> str:
    return f"| {' | '.join([cells[k] for k in columns if k < len(cells)] if columns else cells)} |"


def _figures(table: Table) -> bool:
    """Whether most cells behind the first column are figures."""
    cells = [cell for row in table.rows[:LONG_TABLE] for cell in row.cells[1:] if cell]
    return 2 * sum(any(map(str.isdigit, cell)) for cell in cells) > len(cells)


def table_facts(tables: list[Table], long: bool) -> list[Fact]:
    """Where each of several tables of a long document is and its columns; of long tables what these hold."""
    facts: list[Fact] = []
    tables = sorted((table for table in tables if table.listed), key=lambda table: not _figures(table))
    if len(tables) > 1 and long:
        places = [f"{t.place}: {clipped(' | '.join(t.header), NAMED)}".rstrip(": ") for t in tables[:TABLES]]
        more = [f"… {len(tables) - TABLES:,} more"] if len(tables) > TABLES else []
        facts.append(Fact("\n".join(places + more), 1))
    described = [table for table in tables if len(table.rows) >= LONG_TABLE][:DESCRIBED]
    return facts + [fact for table in described for fact in table.facts(alone=len(tables) == 1)]
