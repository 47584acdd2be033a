"""Tables drawn with bars and rules: boxes, Markdown, psql's and mysql's. One output may hold several of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import chain, groupby, pairwise, takewhile, zip_longest

from mcpcompact.content.anomalies.words import states
from mcpcompact.outline import record
from mcpcompact.patterns import regex

BARS = "│║|"  # one of them separates the cells; the others are text
EDGES = "│║| \t"  # of a line in a box
_RULED = 3  # characters of a rule, at least
_FIRST, _ERRORS = 3, 200  # rows of a further table, and lines that state an error, that are told
_DRAWN = "|+:=─━═┼╪┿┬┴├┤┌┐└┘╭╮╰╯╞╡╒╕╘╛╔╗╚╝║│-"
_LINE = "-=─━═"
_CLOSES = "╰└╚"  # a box, which has no rows below
_BETWEEN = f"{_LINE}: "  # in a rule, between the joints
_RECORDS = 3  # between rules: fewer may be groups of rows
_NUMBER = regex(r"[-+$€£]?\d[\d.,]*%?$")
_GOES_ON = "+↵"  # marks at the end of a cell that goes on in the next line (psql)
_RULE = regex(rf"[\s{_DRAWN}]+$")
COUNTED = regex(r"\(\d+ rows?\)|Time: |\d+ rows? in set")  # what a database shell says below its rows


def is_rule(line: str) -> bool:
    """A line that is drawn below a header or between rows."""
    drawn = line.strip()
    return drawn[:1] in _DRAWN and len(drawn) >= _RULED and bool(_RULE.match(line)) and any(map(drawn.count, _LINE))


@record
class Other:
    """A further table among the lines: its heading's line, its columns, its rows, the first of them or their sums."""

    line: int
    names: list[str]
    rows: int = 0
    first: list[str] = field(default_factory=list)
    means: list[str] = field(default_factory=list)


class Bars:
    """The cells of a table with this heading and the rule below it: by the bars, and where a cell holds one by the
    places of those in the heading, if the rule has its joints there."""

    def __init__(self, lines: Sequence[str], rule: str, bar: str) -> None:
        self.bar, heading = bar, lines[0]
        self.framed = heading.lstrip().startswith(self.bar)
        joints = [i for i, drawn in enumerate(rule.rstrip()) if drawn not in _BETWEEN]
        fixed = bool(joints) and all(heading[i : i + 1] == self.bar for i in joints)
        self.places = joints if fixed else []
        self.end = len(heading.rstrip()) if self.framed else 0  # of each line, where the frame closes it
        self.crossed = not any(line in "|:" for line in rule.strip())
        edges = joints[1:] if self.framed else [*joints, len(rule.rstrip())]
        self.marks = [at - 1 for at in edges] if fixed and self.crossed else []
        self.width = len(joints) - 1 if fixed and self.framed else len(joints) + 1 if fixed else 0
        self.names = [" ".join(filter(None, parts)) for parts in zip_longest(*map(self.cells, lines), fillvalue="")]
        self.width = len(self.names)
        self.ruled = False  # a rule stands between rows: a line without one between goes on in its cells

    def cells(self, line: str) -> list[str]:
        if not self.crossed and "\\|" in line:  # Markdown's
            return [cell.replace("\0", "|") for cell in self._split(line.replace("\\|", "\0"))]
        cells = self._split(line)
        if len(cells) == self.width or not self.places or any(line[at : at + 1] != self.bar for at in self.places):
            return cells
        if self.framed and len(line.rstrip()) != self.end:
            return cells
        edges = self.places if self.framed else [-1, *self.places, len(line)]
        return [line[a + 1 : b].strip() for a, b in pairwise(edges)]

    def _split(self, line: str) -> list[str]:
        if self.framed:
            line = line.strip().removeprefix(self.bar).removesuffix(self.bar)
        return [cell.strip() for cell in line.split(self.bar)]

    def goes_on(self, line: str) -> bool:
        """Whether a cell goes on in the next line."""
        return any(line[at : at + 1] in _GOES_ON for at in self.marks if at < len(line))

    def wraps(self, row: Sequence[str], line: str) -> bool:
        """Whether a line goes on where the row above has words: it leaves half of its cells empty or those below the
        numbers (but the first cell, which may stand for several rows), and has no number below another."""
        cells = self.cells(line)
        below = [cell if _NUMBER.match(above) else None for above, cell in zip(row, cells, strict=False)]
        counted = any(cell is not None and _NUMBER.match(cell) for cell in below)
        none = {*below[1:]} - {None} == {""}
        return len(cells) == self.width and not counted and (none or 2 * sum(map(bool, cells)) <= self.width)

    def rules(self, lines: Iterable[str]) -> bool:
        """Whether rules part records among the rows of a table, and all that stands between two of them is one."""
        blocks = [[*block] for drawn, block in groupby(lines, is_rule) if not drawn]
        blocks = [*takewhile(lambda block: all(self.bar in line for line in block), blocks)]
        wrapped = [(self.cells(block[0]), line) for block in blocks for line in block[1:]]
        return len(blocks) >= _RECORDS and bool(wrapped) and all(self.wraps(row, line) for row, line in wrapped)

    def fits(self, line: str) -> bool:
        """Whether a line by itself is a row."""
        return len(self.cells(line)) == self.width and line.lstrip().startswith(self.bar) >= self.framed


def headings(lines: Sequence[str], bar: str) -> Iterator[tuple[int, int]]:
    """Where headings and the rules below them stand: a heading is no row of the table above it."""
    kinds = "".join("-" if is_rule(line) else bar if bar in line else " " for line in lines)
    for at, kind in enumerate(kinds):
        if kind == bar and not _row_above(kinds[max(0, at - 2) : at], bar):
            below = kinds.find("-", at + 1, at + 3)
            if below > 0 and " " not in kinds[at:below]:
                yield at, below


def _row_above(kinds: str, bar: str) -> bool:
    """Whether the lines above belong to a table that goes on: a row, or a row and a rule."""
    return kinds.endswith(bar) or kinds == f"{bar}-"


class Drawn:
    """One reading of a drawn table whose heading stands behind line ``before``, up to line ``skip``."""

    def __init__(self, bars: Bars, before: int, skip: int) -> None:
        self.main, self.before, self.skip = bars, before, skip
        self.table: Bars | None = None  # that the lines belong to
        self.other: Other | None = None  # the same, where it is not the main one
        self.others: list[Other] = []
        self.further = set[int]()  # lines in which the cells of a row go on
        self.beside = self.outside = 0  # lines that belong to no table; those of them behind the heading
        self.again = 0  # times that the heading is said again
        self.errors: list[tuple[int, str]] = []  # lines beside the tables that state one

    def rows(self, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[list[str], int]]:
        bar, kinds, goes_on = self.main.bar, "", False
        row, begun = list[str](), 0
        for (number, line), (_, below) in pairwise(chain(lines, [(0, "")])):
            kind = "-" if is_rule(line) else bar if bar in line else " "
            above, kinds, wraps = kinds, kinds[-1:] + kind, self.main.ruled and self.other is None
            if self.before < number <= self.skip:
                self.table, self.other = self.main, None
            elif kind == bar and not _row_above(above, bar) and not self._is_row(number, line, below):
                kind = " "
                kinds = kinds if is_rule(below) else f"{kinds[:-1]} "  # nor is the next line below it
            elif kind == " " and line.strip():
                self._beside(number, line)
            elif kind == bar and (goes_on or (wraps and above.endswith(bar) and self.main.wraps(row, line))):
                self.further.add(number)
                row = row if self.other else self._with(row, line)
            elif kind == bar and not self._of_other(line):
                if row:
                    yield row, begun
                row, begun = self._cells(line), number
            goes_on = kind == bar and self.table is not None and self.table.goes_on(line)
        if row:
            yield row, begun

    def _is_row(self, number: int, line: str, below: str) -> bool:
        """Whether a line below no row is one; else it is the heading of a table, or beside the tables."""
        if is_rule(below) and below.lstrip()[0] not in _CLOSES:
            self.table = Bars([line], below, self.main.bar)
            self.other = None
            if self.table.names == self.main.names:
                self.again += 1
            else:
                self.other = Other(number, self.table.names)
                self.others.append(self.other)
        elif self.table is not None and self.table.fits(line):
            return True
        else:
            self._beside(number, line)
        return False

    def _beside(self, number: int, line: str) -> None:
        uncounted = COUNTED.match(line) is None
        self.beside += uncounted
        self.outside += uncounted and number > self.skip
        if len(self.errors) < _ERRORS and states(line) is not None:
            self.errors.append((number, line.strip()))

    def _of_other(self, line: str) -> bool:
        if self.other is not None:
            self.other.rows += 1
            if len(self.other.first) < _FIRST:
                self.other.first.append("|".join(self._cells(line)))
        return self.other is not None

    def _cells(self, line: str) -> list[str]:
        return (self.table or self.main).cells(line)

    def _with(self, row: list[str], line: str) -> list[str]:
        """A row and what the next line has below its cells."""
        both, gap = zip_longest(row, self._cells(line), fillvalue=""), " " if self.main.ruled else "\n"
        return [f"{cell.rstrip(_GOES_ON).rstrip()}{gap}{more}".strip(" ") if more else cell for cell, more in both]
