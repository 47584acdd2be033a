"""The rows of a table whose layout is known, in batches, with the numbers of their lines."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import chain, islice

from mcpcompact.content.table.drawn import COUNTED, Bars, Drawn, Other
from mcpcompact.outline import record
from mcpcompact.patterns import regex, uncoloured
from mcpcompact.source import Source, as_utf8, split_lines

FOOTER = regex(r"\(\d+ rows?\)$", holds="(")  # of psql, below its unaligned rows
_ASIDES = 30  # kinds of lines beside the rows that are named; a header of more is its own document
BATCH = 4_096
Batch = tuple[list[list[str]], Sequence[int]]
"""Data rows as their cells, and the number of the line each begins on (1-based)."""


@record
class Layout:
    """``kind`` names it. ``delimiter`` for delimited text, ``starts``, ``words`` or ``pattern`` if aligned, ``pair``
    for records written as a name and a value a line, ``bars`` if drawn."""

    kind: str
    score: float
    why: str
    names: list[str]
    delimiter: str = ""
    quote: str = '"'  # around a cell that holds the delimiter
    starts: list[int] = field(default_factory=list)
    words: int = 0  # columns whose cells are single words, but for the last column's, which takes the rest
    optional: bool = False  # the last column may be absent (SAM's tags)
    by: str | None = None  # what stands between words; None: blanks
    pattern: re.Pattern[str] | None = None  # its groups are the cells of a line
    pair: re.Pattern[str] | None = None  # a column's name and its value; a row begins with the first column's name
    bars: Bars | None = None  # of a drawn table
    drawn: Drawn | None = None  # what stands beside its rows: complete once they were read
    aside: re.Pattern[str] | None = None  # lines that are no rows wherever they stand; what matches names them
    counts: bool = False  # numbers are counts that add up
    samples: int = 0  # the last columns, of one sample each (VCF)
    before: int = 0  # lines before the header: comments, a title
    titles: list[str] = field(default_factory=list)  # those of them that are not blank
    skip: int = 1  # lines before the first data row
    header: bool = True
    end: int = 0  # lines up to and with the last row; 0: all
    others: list[Other] = field(default_factory=list)  # further tables
    outside: int = 0
    asides: dict[str, int] = field(default_factory=dict)  # complete once the rows were read

    def read(self, source: Source) -> Iterator[Batch]:
        """The data rows in batches."""
        if self.delimiter:
            return _delimited(source, self)
        if self.bars:
            self.drawn = Drawn(self.bars, self.before, self.skip)
            return _batches(self.drawn.rows(self._lines(source)))
        return _batches(self._paired(source) if self.pair else self._by_line(source))

    def goes_on(self, line: str, number: int) -> bool:
        """Whether a line behind a row's first one, which begins no row, belongs to that row."""
        if self.delimiter:
            return not (self.aside or FOOTER).match(line)
        return bool(self.pair) or bool(self.drawn and number in self.drawn.further)

    def _by_line(self, source: Source) -> Iterator[tuple[list[str], int]]:
        cells_of, aside = self._cells(), self.aside
        opening, skip, end = set[str](), self.skip, self.end
        ended = False
        for number, line in self._lines(source):
            if number <= skip:
                opening.add(line)
            if aside is not None and not 0 < end < number and (match := aside.match(line)):
                self.put_aside(match[0].strip())
                ended |= match[0] == "##FASTA"
            elif number <= skip or not line or line.isspace():
                continue
            elif line in opening:
                self.put_aside("the header again" if any(map(str.isalnum, line)) else "a ruler")
            elif ended or 0 < end < number:
                self.outside += not COUNTED.match(line)
            else:
                yield cells_of(line), number

    def _cells(self) -> Callable[[str], list[str]]:
        if (pattern := self.pattern) is not None:
            return lambda line: [cell or "" for cell in match.groups()] if (match := pattern.match(line)) else [line]
        if self.words:
            by, most = self.by, self.words - 1
            if self.optional:
                return lambda line: cells if len(cells := line.split(by, most)) != most else [*cells, ""]
            return lambda line: line.split(by, most)
        return lambda line: cut(line, self.starts)

    def _paired(self, source: Source) -> Iterator[tuple[list[str], int]]:
        """Rows from lines of a name and a value each; a name that no column has makes its row ragged."""
        assert self.pair is not None
        row, at, last = dict[str, str](), 0, ""
        for number, line in self._lines(source):
            if number <= self.skip or 0 < self.end < number:
                continue
            if not (match := self.pair.match(line)):
                self.outside += bool(line.strip()) and not (self.aside and self.aside.match(line))
                continue
            name, value = match[1].strip(), match[2]
            if not name and last:  # psql: a value of several lines
                row[last] = f"{row[last].rstrip().removesuffix('+').rstrip()}\n{value.strip()}"
                continue
            if name == self.names[0] and row:
                yield self._row(row), at
                row = {}
            at = at if row else number
            row[name], last = f"{row[name]}, {value.strip()}" if name in row else value.strip(), name
        if row:
            yield self._row(row), at

    def _row(self, row: dict[str, str]) -> list[str]:
        known = set(self.names)
        return [row.get(name, "") for name in self.names] + [f"{n}={v}" for n, v in row.items() if n not in known]

    def _lines(self, source: Source) -> Iterator[tuple[int, str]]:
        self.outside, self.asides = 0, {}
        return enumerate(chain.from_iterable(map(split_lines, _texts(source))), 1)

    def put_aside(self, name: str) -> None:
        name = " ".join(name.split())
        name = name if name in self.asides or len(self.asides) < _ASIDES else "others"
        self.asides[name] = self.asides.get(name, 0) + 1


def _batches(numbered: Iterator[tuple[list[str], int]]) -> Iterator[Batch]:
    while some := list(islice(numbered, BATCH)):
        rows, numbers = zip(*some, strict=True)
        yield list(rows), numbers


def _texts(source: Source) -> Iterator[str]:
    """The text in blocks of whole lines."""
    decoder, rest = getincrementaldecoder("utf-8-sig")("replace"), ""
    for block in (source if source.large else as_utf8(source)).blocks(1 << 20):
        text = rest + decoder.decode(block)
        end = text.rfind("\n") + 1
        rest = text[end:]
        if end:
            yield uncoloured(text[:end])
    if rest := rest + decoder.decode(b"", True):
        yield uncoloured(rest)


# -- delimited --------------------------------------------------------------------------------------------------


def _delimited(source: Source, layout: Layout) -> Iterator[Batch]:
    """Rows of a delimited text: by ``str.split`` while there is no quote, from the first quote on by ``csv``."""
    header, before, line = layout.header, layout.before, 1 + layout.before
    texts = _texts(source)
    aside, layout.asides = layout.aside or FOOTER, {}
    for match in filter(None, map(aside.match, layout.titles)):
        layout.put_aside(match[0])
    for text in texts:
        if layout.quote in text:
            lines = chain.from_iterable(map(split_lines, chain([text], texts)))
            yield from _batches(_quoted(islice(lines, before, None), layout, header, line))
            return
        some = split_lines(text)[before:]
        numbers: Sequence[int] = range(line, line + len(some))
        before, line = 0, line + len(some)
        if "" in some or layout.aside or (some and aside.match(some[-1])):
            for match in filter(None, map(aside.match, some) if layout.aside else ()):
                layout.put_aside(match[0])
            numbers = [n for n, t in zip(numbers, some, strict=True) if t and not aside.match(t)]
            some = [t for t in some if t and not aside.match(t)]
        if header and some:
            some, numbers, header = some[1:], numbers[1:], False
        if some:
            yield [t.split(layout.delimiter) for t in some], numbers


def _quoted(lines: Iterator[str], layout: Layout, header: bool, line: int) -> Iterator[tuple[list[str], int]]:
    import csv

    csv.field_size_limit(1 << 24)
    reader = csv.reader((f"{text}\n" for text in lines), delimiter=layout.delimiter, quotechar=layout.quote)
    begun = line
    while True:
        try:
            cells = next(reader, None)
        except csv.Error:  # a field beyond all bounds
            cells = []
        if cells is None:
            return
        if len(cells) == 1 and (match := (layout.aside or FOOTER).match(cells[0])):
            if layout.aside:
                layout.put_aside(match[0])
        elif cells and not header:
            yield cells, begun
        header = header and not cells
        begun = line + reader.line_num


def cut(line: str, starts: Sequence[int]) -> list[str]:
    """The cells of an aligned line; a word that crosses a column's start stays whole with the column it begins in."""
    cells, at = [], 0
    for start in starts[1:]:
        end = max(at, min(start, len(line)))
        while at < end < len(line) and line[end - 1] != " " and line[end] != " ":
            end -= 1
        if end == at < min(start, len(line)):  # the word fills the column and runs over: it stays whole
            end = line.find(" ", start)
            end = len(line) if end < 0 else end
        cells.append(line[at:end].strip())
        at = end
    return [*cells, line[at:].strip()]
