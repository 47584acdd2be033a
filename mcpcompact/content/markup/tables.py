"""Tables of a text: rows as items, what is odd in their columns, which columns are told; facts about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from mcpcompact.content.columns.values import Odd, odd_values, typed, values_text
from mcpcompact.content.markup import paragraphs
from mcpcompact.content.markup.paragraphs import Block
from mcpcompact.outline import Fact, Item, record
from mcpcompact.phrasing import clipped, counted

_VALUES_LEAST = 4  # of a column
TABLES, NAMED, HEADER, TITLE = 6, 80, 200, 100  # tables of several that are named; characters of column names, a title
WIDE, NARROW = 240, 120  # characters of a row on average: of wider ones the columns that are told, briefest first
SMALL = 4  # rows of a table that is never shown in part
LONG_TABLE = 15  # rows: of shorter ones the rows say more than their count and statistics


@record
class Table:
    """``rows``: first line, last line, cells, character offset."""

    start: int
    end: int
    header: list[str] = field(default_factory=list)
    rows: list[tuple[int, int, list[str], int]] = field(default_factory=list)
    head: Block | None = None  # its place among the blocks, which knows what leads to it

    @property
    def telling(self) -> list[int]:
        """The columns that are shown of a short table with long cells: the first, and the briefest."""
        width = len(self.header)
        sizes = [sum(len("".join(cells[k : k + 1])) for _, _, cells, _ in self.rows) for k in range(width)]
        if not SMALL <= len(self.rows) < LONG_TABLE or sum(sizes) < WIDE * len(self.rows):
            return []
        few, room = [0], NARROW * len(self.rows) - sizes[0]
        for k in sorted(range(1, width), key=sizes.__getitem__):
            few, room = [*few, k] if sizes[k] <= room else few, room - sizes[k]
        return sorted(few) if len(few) > 1 else []

    @property
    def small(self) -> bool:
        """Whether it is whole or not shown: one row of three says less than none."""
        size = sum(len(cell) for _, _, cells, _ in self.rows[: SMALL + 1] for cell in cells)
        return bool(self.header) and 1 < len(self.rows) <= SMALL and size <= paragraphs.LISTED


def odd_rows(table: Table) -> dict[int, Odd]:
    """What is odd in the columns of one table, by row."""
    found: dict[int, Odd] = {}
    width = max((len(cells) for _, _, cells, _ in table.rows), default=0)
    for column in range(min(width, 200)):
        where = [n for n, (_, _, cells, _) in enumerate(table.rows) if column < len(cells)]
        cells = [_bare(table.rows[n][2][column]) for n in where]
        values = [typed(cell) if cell else None for cell in cells]
        for odd in odd_values(_name(table, column), values, "empty"):
            n = where[odd.index]
            held = found.get(n)
            if held is None:
                found[n] = odd
            else:
                held.reason = "; ".join(r for r in (held.reason, odd.reason) if r)
                held.keep = max(held.keep, odd.keep)
    return found


def _bare(cell: str) -> str:
    return cell.strip("`*_ ")


def _name(table: Table, column: int) -> str:
    return (
        _bare(table.header[column]) if column < len(table.header) and table.header[column] else f"column {column + 1}"
    )


def bars(cells: Sequence[str], columns: Sequence[int]) -> str:
    return f"| {' | '.join([cells[k] for k in columns if k < len(cells)] if columns else cells)} |"


def row_item(table: Table, n: int, anchor: str, odd: Odd | None, columns: Sequence[int]) -> Item:
    start, end, cells, _ = table.rows[n]
    text = f"{anchor or start} {bars(cells, columns)}"
    if table.small:
        end = table.rows[-1][1]
        rows = "\n".join(bars(cells, ()) for _, _, cells, _ in table.rows)
        return Item(start, end, f"{anchor or f'{start}-{end}'} {rows}", whole=True)
    if odd is None:
        return Item(start, end, text)
    return Item(start, end, text, odd.keep, odd.reason, f"{table.start} {odd.template}", 1.5)


def _figures(table: Table) -> bool:
    """Whether most cells behind the first column are figures."""
    cells = [cell for _, _, row, _ in table.rows[:LONG_TABLE] for cell in row[1:] if cell]
    return 2 * sum(any(map(str.isdigit, cell)) for cell in cells) > len(cells)


def table_facts(tables: list[Table], long: bool) -> list[Fact]:
    """Where each of several tables of a long document is and its columns; of long tables what these hold."""
    facts: list[Fact] = []
    tables = [table for table in tables if table.header or len(table.rows) >= LONG_TABLE]  # others lay out a page
    tables.sort(key=lambda table: not _figures(table))
    told = [
        f"Table at line {t.start}, {counted(len(t.rows), 'row')}: {clipped(' | '.join(t.header), NAMED)}".rstrip(": ")
        for t in tables[:TABLES]
    ]
    if len(tables) > 1 and long:
        more = [f"… {len(tables) - TABLES:,} more"] if len(tables) > TABLES else []
        facts.append(Fact("\n".join(told + more), 1))
    for table in [table for table in tables if len(table.rows) >= LONG_TABLE][:12]:
        width = max(len(cells) for _, _, cells, _ in table.rows)
        if len(tables) == 1:
            header = clipped(f": {' | '.join(table.header)}", HEADER) if table.header else ""
            size = f"{counted(len(table.rows), 'row')} × {width} columns"
            facts.append(Fact(f"Table at line {table.start}, {size}{header}", 1))
        said = [f"Table at line {table.start}, {counted(len(table.rows), 'row')}"] if len(tables) > 1 else []
        for column in range(min(width, 12)):
            values = [
                typed(_bare(cells[column])) for _, _, cells, _ in table.rows if column < len(cells) and cells[column]
            ]
            if len(values) >= _VALUES_LEAST and (text := values_text(_name(table, column), values)):
                said.append(f"{_name(table, column)} {text}")
        if len(said) > (len(tables) > 1):
            facts.append(Fact("; ".join(said[:6]), 2))
    return facts
