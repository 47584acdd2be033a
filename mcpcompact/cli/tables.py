"""Tables: on a terminal drawn by Rich to its width, elsewhere aligned plain text, the same bytes everywhere."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcompact.cli.io import Environment, visible
from mcpcompact.config import colours, styled

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

GAP = 2  # blanks between columns
MIN_CUT = 8  # columns of a terminal that a text keeps of its own when it is cut
GRID: dict[str, Any] = {"box": None, "pad_edge": False, "padding": (0, GAP, 0, 0)}
CELL: dict[str, Any] = {"no_wrap": True, "overflow": "ellipsis"}
GOOD, FAIR, BAD = "green", "yellow", "red"
MEANINGS = {
    **dict.fromkeys(("kept", "readable", "saved", "net"), GOOD),
    **dict.fromkeys(("bare", "reachable", "passed"), FAIR),
    **dict.fromkeys(("lost", "failed", "oversized", "overflow", "inflated", "false absence"), BAD),
}
"""The colour of a column by its name, which says the same in words."""


class Table(NamedTuple):
    """``head`` may be empty. Columns of the numbers ``left`` are texts; of these ``cut`` are shortened where a terminal
    is too narrow. The others are figures, to the right and never cut."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    left: Collection[int] = (0,)
    cut: Collection[int] = ()
    indent: int = 0

    def lines(self) -> Iterator[str]:
        """Plain text."""
        rows = [self.head, *self.rows] if self.head else self.rows
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = (
                cell.ljust(width) if at in self.left else cell.rjust(width)
                for at, (cell, width) in enumerate(zip(row, widths, strict=True))
            )
            yield visible(" " * self.indent + (" " * GAP).join(cells).rstrip())


def show(table: Table, env: Environment) -> None:
    """Write a table to standard output."""
    if not (env.stdout_isatty and styled(True)):
        env.write_lines(*table.lines())
        return
    from rich.padding import Padding

    console = console_of(env)
    for drawn in _drawn(table, console):
        console.print(Padding(drawn, (0, 0, 0, table.indent)))


def room(env: Environment, otherwise: int) -> int:
    """Columns that a line of prose may take: those of the terminal, at most ``otherwise``."""
    return min(otherwise, console_of(env).width) if env.stdout_isatty and styled(True) else otherwise


def say(text: str, env: Environment) -> None:
    """Write a line of prose: on a terminal within its width, between words; elsewhere as one line."""
    from textwrap import wrap

    width = room(env, len(text))
    text = visible(text)
    env.write_lines(
        *(wrap(text, width, break_long_words=False, break_on_hyphens=False) if len(text) > width else [text])
    )


def console_of(env: Environment, stderr: bool = False) -> Console:
    """A terminal of Rich. With ``$NO_COLOR`` it writes no escape at all."""
    from rich.console import Console

    stream = env.stderr if stderr else env.stdout
    return Console(file=stream, force_terminal=True, color_system=colours(), highlight=False, markup=False, emoji=False)


def _drawn(table: Table, console: Console) -> Iterator[RenderableType]:
    """The table within the width; where its figures alone are wider, turned: a column a row, in blocks that fit."""
    from rich.cells import cell_len
    from rich.table import Table as Grid

    body = [[visible(cell) for cell in row] for row in table.rows]
    head = [*map(visible, table.head)] or [""] * len(next(iter(body), ()))
    most = console.width - table.indent
    widths = [max(map(cell_len, column)) for column in zip(head, *body, strict=True)]
    widths = _narrowed(widths, table.cut, most)
    if sum(widths) + GAP * (len(widths) - 1) > most and table.head:
        yield from _turned(head, body, most)
        return
    grid = Grid(**GRID, header_style="bold", show_header=bool(table.head))
    for at, (name, width) in enumerate(zip(head, widths, strict=True)):
        grid.add_column(name, justify="left" if at in table.left else "right", width=width, **CELL)
    for row in body:
        grid.add_row(*map(_styled, row, head))
    yield grid


def _narrowed(widths: list[int], cut: Collection[int], most: int) -> list[int]:
    """The widest of the columns that may be cut give way first."""
    widths = list(widths)
    while sum(widths) + GAP * (len(widths) - 1) > most:
        widest = max((at for at in cut if widths[at] > MIN_CUT), key=widths.__getitem__, default=None)
        if widest is None:
            break
        widths[widest] -= 1
    return widths


def _turned(head: list[str], body: list[list[str]], most: int) -> Iterator[RenderableType]:
    from rich.cells import cell_len
    from rich.table import Table as Grid

    label = max(map(cell_len, head))
    rest = list(body)
    while rest:
        block: list[list[str]] = []
        used = label
        while rest and (not block or used + GAP + max(map(cell_len, rest[0])) <= most):
            block.append(rest.pop(0))
            used += GAP + max(map(cell_len, block[-1]))
        grid = Grid(**GRID, show_header=False)
        grid.add_column(**CELL, style="bold")
        for _ in block:
            grid.add_column(justify="right", **CELL)
        for at, name in enumerate(head):
            grid.add_row(name, *(_styled(row[at], name) for row in block), end_section=at + 1 == len(head))
        yield grid


def _styled(cell: str, name: str) -> RenderableType:
    from rich.text import Text

    number = cell.rstrip("% ").replace(",", "")
    style = MEANINGS.get(name, "")
    if style and (number in ("", "-") or not number.strip("0.")):
        style = "dim"
    elif style and number.startswith("-"):
        style = BAD
    return Text(cell, style)
