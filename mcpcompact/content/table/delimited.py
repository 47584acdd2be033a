"""Is it delimited text? A delimiter must give nearly all lines the same number of fields, quotes respected.

Own rules instead of ``csv.Sniffer``, which finds the delimiter ``i`` in prose."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from mcpcompact.content.shared.evidence import STAMP
from mcpcompact.content.table.drawn import is_rule
from mcpcompact.content.table.rows import Layout
from mcpcompact.patterns import regex

DELIMITERS = {",": "CSV", "\t": "TSV", ";": "semicolon-separated", "|": "pipe-separated"}
QUOTED_LINES = 200  # that a quoted cell may go on
LONG_CELL = 5_000  # characters; a longer one is a quote that does not close
ASKED, SOME = 200, 30  # rows that tell prose and types, and what stands below a header
INSIDE = 0.3  # of the lines are within quotes: nearly every row has a quoted line break
EVEN, EVEN_MANY, MANY, AGREED = 0.9, 0.8, 5, 0.98  # of the rows have one width; of MANY; where the first has another
PAIR = 2  # columns, which prose has by chance
FEW, WIDE = 3, 3  # rows without which there must be a header of so many columns

BASE, SHARED, HEADED, LONG = 0.55, 0.25, 0.1, 0.03  # scores: for the share, a header, LONG_TABLE rows
PER_COLUMN, COLUMNS = 0.01, 0.06  # for each column, and at most
UNTYPED, BARE, TWO = 0.3, 0.1, 0.15  # taken without a header, less with types; of two columns without types
TYPED_BARS, MAX, LONG_TABLE = 0.94, 0.97, 10  # TYPED_BARS: above a numbered view with bars here and there

MOSTLY, HALF, BLANK = 0.8, 0.5, 0.8  # shares of rows or cells
CLAUSE, SENTENCE = 2.5, 6  # words of a cell on average: behind commas and blanks; in any case
PHRASE = 2  # words behind a stamp, and of a message
CODE = 0.3  # of the first and last cells end as code does
HEADER_LENGTH, NAMES_AGAIN, DIGITS = 60, 3, 4  # characters of a name; one in so many seen again below; digits of an id
COUNTED = 6  # figures that count on, below other than such: the minutes of a game, the positions of a plate

_STAMP = regex(rf"\d{{8}}-\d\d?:\d\d?:\d\d?|{STAMP}")
_HIT = regex(r"[^\s:|]+[./][^\s:|]*:\d+:")
_VALUE = regex(r"\s*[-+$€]?[\d.,:/-]*\d[\d.,:/TZ-]*\s?[%\w]{0,3}\s*$")
_FIGURE = regex(r"[-+]?[\d.,:/%-]+")
_YEAR = regex(r"(?:19|20)\d\d(?:[-/]\d\d?)*")


def stamped(cell: str) -> bool:
    """Whether a cell begins with a time stamp."""
    return _STAMP.match(cell.strip()) is not None


def row_end(text: str, start: int, end: int, quote: str = '"') -> int:
    """The end of the row at ``start``, whose first line ends at ``end``; its quotes are even within 200 lines."""
    quotes, last = text.count(quote, start, end), end
    for _ in range(QUOTED_LINES):
        if quotes % 2 == 0:
            return last
        following = text.find("\n", last) + 1 or len(text)
        quotes += text.count(quote, last, following)
        last = following
    return end


def _read(lines: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    """The rows of the lines by ``csv``; none where it cannot read them."""
    import csv

    try:
        reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, quotechar=quote)
        return [row for row in reader if row]
    except csv.Error:
        return []


def quoted_rows(lines: Sequence[str], delimiter: str, quote: str = '"') -> list[list[str]]:
    """The rows of a sample without the last one, which may be cut; none where a quote never closes."""
    rows = _read(lines, delimiter, quote)
    longest = max((len(cell) for row in rows for cell in row), default=0)
    return rows[:-1] if longest <= LONG_CELL else []


def by_delimiter(lines: Sequence[str], delimiter: str) -> Layout | None:
    """The layout that a delimiter gives the lines, None where it gives none."""
    if delimiter not in lines[0] or (delimiter == "|" and is_rule(lines[1])):
        return None
    quote = "'" if _SINGLE.fullmatch(lines[0]) else '"'
    fields = _Fields(_fields(lines, delimiter, quote), delimiter)
    if not fields.even or fields.prosaic or fields.indented:
        return None
    header, width = is_header(fields.rows), fields.width
    if len(fields.rows) < FEW and (not header or width < WIDE):
        return None
    names = (fields.rows[0] if header else []) + [""] * (width - len(fields.rows[0]) * header)
    why = f"{fields.share:.0%} of the lines have {width} fields by {delimiter!r}"
    score = min(fields.score(header), MAX)
    kind = DELIMITERS[delimiter]
    return Layout(kind, score, why, names, delimiter, quote=quote, skip=int(header), header=header)


_SINGLE = regex(r"'[^',]+'(?:,'[^',]+')+")  # names as sqlite's ``.mode quote`` writes them


def _fields(lines: Sequence[str], delimiter: str, quote: str) -> list[list[str]]:
    """The rows, without those that go on behind a quoted line break, unless nearly all do."""
    fields: list[list[str]] = []
    inside = 0
    is_open = False
    for line in lines:
        odd = line.count(quote) % 2  # a quoted line break begins or ends here
        inside += is_open or odd
        if line and not is_open and not odd:
            fields += _read([line], delimiter, quote) if quote in line else [line.split(delimiter)]
        is_open ^= bool(odd)
    return quoted_rows(lines, delimiter, quote) if inside > INSIDE * len(lines) else fields


class _Fields:
    """The rows that a delimiter gives, how even they are, and whether they are a table's."""

    def __init__(self, rows: list[list[str]], delimiter: str) -> None:
        self.rows, self.delimiter = rows, delimiter
        self.some = rows[:ASKED]
        widths = Counter(map(len, rows))
        self.width, self.agreed = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
        self.share = self.agreed / max(1, len(rows))

    @property
    def even(self) -> bool:
        if len(self.rows) <= 1 or self.width <= 1 or (len(self.rows[0]) != self.width and self.share < AGREED):
            return False
        return self.share >= EVEN or (self.agreed >= MANY and self.share >= EVEN_MANY)

    @cached_property
    def typed(self) -> bool:
        """At least one column is a number or date in nearly every row below the first."""
        columns = zip(*(row for row in self.rows[1:ASKED] if len(row) == self.width), strict=True)
        filled = ([c for c in column if c.strip()] for column in columns)
        return any(len(cells) > 1 and self._mostly(_VALUE.match, cells, EVEN) for cells in filled)

    def score(self, header: bool) -> float:
        long, wide = len(self.rows) >= LONG_TABLE, self.width > PAIR
        score = BASE + SHARED * self.share + HEADED * header + min(COLUMNS, PER_COLUMN * self.width) + LONG * long
        if not header:
            score -= BARE if wide and self.typed else UNTYPED
        if not wide and self.delimiter != "\t" and not self.typed:
            score -= TWO
        if self.delimiter == "|" and self.share == 1 and wide and long and not header and self.typed:
            return TYPED_BARS
        return score

    @property
    def indented(self) -> bool:
        """Lines behind a tab are no rows of two fields of which one is always empty."""
        return self.width == PAIR and self.delimiter == "\t" and not any(row[0].strip() for row in self.some)

    @property
    def prosaic(self) -> bool:
        """Prose, code, logs and search hits: fields are clauses behind a comma and a blank, or begin with a stamp."""
        first = [row[0] for row in self.some]
        if self._mostly(_opens, first, HALF) or self._mostly(_HIT.match, first, HALF) or self._stamped(first):
            return True
        if self.delimiter == "," and self._clauses():
            return True
        if (other := _OTHERS.get(self.delimiter)) and self._mostly(other, self.some, HALF):
            return True
        code = sum(_is_code(c) for row in self.some for c in (row[0], row[-1]))
        return code > CODE * len(self.some) and not self.typed

    @staticmethod
    def _mostly(test: Callable[[Any], object], cells: Sequence[Any], over: float) -> bool:
        return sum(map(bool, map(test, cells))) > over * len(cells)

    def _stamped(self, first: Sequence[str]) -> bool:
        """Lines of a log: a message behind the stamp; a stamp, a comma and a message; a stamp and bars."""
        if self.delimiter != "\t":
            messages = sum(stamped(c) and len(c.split()) > PHRASE for c in first[1:])
            if messages > HALF * len(first):
                return True
        if not self._mostly(stamped, first, MOSTLY):
            return False
        words = sum(len(row[1].split()) for row in self.some if len(row) > 1)  # 2015-07-29 17:41:44,747 - INFO …
        return self.delimiter == "|" or words > PHRASE * len(self.some)

    def _clauses(self) -> bool:
        rows, cells = self.some, [c for row in self.some for c in row]
        words = sum(len(c.split()) for c in cells) / max(1, len(cells))
        behind = [c for row in rows for c in row[1:]]
        if sum(c.startswith(" ") for c in behind) > BLANK * max(1, len(behind)) and (
            words > CLAUSE or self._mostly(_sentence, rows, HALF) or (max(map(len, rows)) == PAIR and not self.typed)
        ):
            return True
        return words > SENTENCE and not self.typed


def _opens(cell: str) -> bool:
    """Within brackets: ``f(a, b)``, ``m{a="1",b="2"}``."""
    return any(cell.count(a) > cell.count(b) for a, b in ("{}", "()", "[]"))


_OTHERS: dict[str, Callable[[list[str]], bool]] = {  # rows of Markdown or psql; statements
    "|": lambda row: not (row[0] + row[-1]).strip(),
    ";": lambda row: len(row) == PAIR and not row[1].strip(),
}


def _sentence(row: Sequence[str]) -> bool:
    return row[-1].rstrip().endswith((".", "!", "?")) and " " in row[-1].strip()


def _is_code(cell: str) -> bool:
    return cell.rstrip().endswith(("{", "}", "(", ");")) or cell.lstrip().startswith(("}", "//", "#include", '"'))


def is_header(fields: Sequence[Sequence[str]]) -> bool:
    """The first row names columns: short or above answers that come again, distinct, no numbers, and not seen below."""
    head = [c.strip() for c in fields[0]]
    named = [c for c in head if c]
    if len(set(named)) < len(named) or len(head) - len(named) > len(head) // 2:
        return False
    figures = [c for c in named if _FIGURE.fullmatch(c)]
    counted = len(figures) >= COUNTED and _in_turn(figures) and not _in_turn([*filter(_FIGURE.fullmatch, fields[1])])
    years = figures if counted else [c for c in named if _YEAR.fullmatch(c)]
    if figures and (len(years) < len(figures) or len(years) == len(head)):
        return False
    below = [[row[i] for row in fields[1:SOME] if i < len(row) and row[i]] for i in range(len(head))]
    long = [cells for name, cells in zip(head, below, strict=True) if len(name) > HEADER_LENGTH]
    if any(2 * len(set(cells)) > len(cells) or not cells for cells in long):
        return False
    series = years if _in_turn(years) else []
    if any(_alike(name, cells) for name, cells in zip(head, below, strict=True) if cells and name not in series):
        return False
    same = sum(any(c.strip() == name for c in cells) for name, cells in zip(head, below, strict=True) if name)
    return same <= len(head) // NAMES_AGAIN


def _in_turn(years: Sequence[str]) -> bool:
    """Periods that follow each other, as columns do: 1990, 1991, 1992, …"""
    numbers = [int(year) for year in years if year.isdecimal()]
    steps = {after - before for before, after in pairwise(numbers)}
    return len(numbers) == len(years) > PAIR and len(steps) == 1 and 0 not in steps


def _alike(name: str, below: Sequence[str]) -> bool:
    """A cell like those below it: digits above digits (100644 blob 3f9c…), 4.0K above 42.9M, as du has it."""
    if _YEAR.fullmatch(name) and sum("." in c or c[:1] == "-" for c in below) > MOSTLY * len(below):
        return False  # a year above fractions
    worded = any(map(str.isalpha, name))  # rs4680 above plain numbers is a name
    alike = sum(any(map(str.isdigit, c)) and worded <= any(map(str.isalpha, c)) for c in below)
    if sum(map(str.isdigit, name)) >= DIGITS and alike > MOSTLY * len(below):
        return True
    return has_unit(name) and sum(map(has_unit, below)) > MOSTLY * len(below)


def has_unit(cell: str) -> bool:
    """``42.9M``, ``$3``, ``12 %``: a number that a header would not be."""
    if not any(map(str.isdigit, cell)):
        return False
    from mcpcompact.content.columns.quantities import read

    quantity = read(cell)
    return quantity is not None and bool(quantity[1])
