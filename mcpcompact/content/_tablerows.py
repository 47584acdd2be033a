"""The rows of a table whose layout is known, in batches, with the numbers of their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from mcpcompact.outline import Source, decode
from mcpcompact.patterns import regex
from mcpcompact.slotted import dataclass, field

RULE = regex(r"[\s|+:=─━═┼╪┿┬┴├┤┌┐└┘╞╡╒╕╘╛╔╗╚╝║│-]+$")
BATCH = 4_096
Batch = tuple[list[list[str]], Sequence[int]]
"""Data rows as their cells, and the number of the line each begins on (1-based)."""


@dataclass(slots=True)
class Layout:
    """``kind`` names it. ``delimiter`` for delimited text, ``starts`` or ``words`` if aligned, else bars."""

    kind: str
    score: float
    why: str
    names: list[str]
    delimiter: str = ""
    starts: list[int] = field(default_factory=list)
    words: int = 0  # columns of an aligned table whose cells are single words, but for the last column's
    before: int = 0  # lines before the header: comments, a title
    skip: int = 1  # lines before the first data row
    header: bool = True
    end: int = 0  # line after the last row of a bar table; 0: to the end
    outside: int = 0

    def read(self, source: Source) -> Iterator[Batch]:
        """The data rows in batches."""
        return _delimited(source, self) if self.delimiter else self._by_line(source)

    def _by_line(self, source: Source) -> Iterator[Batch]:
        self.outside = 0
        rows: list[list[str]] = []
        numbers: list[int] = []
        starts, number, words = self.starts, 0, self.words
        for text in _texts(source):
            for line in _split(text):
                number += 1
                if number <= self.skip or not line.strip():
                    continue
                if words:
                    rows.append(line.split(None, words - 1))
                elif starts:
                    rows.append(cut(line, starts))
                elif RULE.match(line):
                    continue
                elif "|" in line or "│" in line or "║" in line:
                    rows.append(bars(line))
                else:
                    self.outside += 1
                    continue
                numbers.append(number)
                if len(rows) >= BATCH:
                    yield rows, numbers
                    rows, numbers = [], []
        if rows:
            yield rows, numbers


def _texts(source: Source) -> Iterator[str]:
    """The text in blocks of whole lines."""
    first = True
    rest = b""
    for block in source.blocks(1 << 20):
        data = rest + block if rest else block
        end = data.rfind(b"\n") + 1
        rest = data[end:]
        if end:
            yield decode(data[:end]) if first else data[:end].decode("utf-8", "replace")
            first = False
    if rest:
        yield decode(rest) if first else rest.decode("utf-8", "replace")


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines] if "\r" in text else lines


def _without(texts: Iterator[str], lines: int) -> Iterator[str]:
    """The texts without their first lines."""
    for text in texts:
        start = 0
        while lines and (end := text.find("\n", start) + 1):
            start, lines = end, lines - 1
        if lines:
            continue
        yield text[start:] if start else text


# -- delimited --------------------------------------------------------------------------------------------------


def _delimited(source: Source, layout: Layout) -> Iterator[Batch]:
    """Rows of a delimited text: by ``str.split`` while there is no quote, from the first quote on by ``csv``."""
    delimiter, header, line = layout.delimiter, layout.header, 1 + layout.before
    texts = _without(_texts(source), layout.before)
    for text in texts:
        if '"' in text:
            yield from _quoted(chain([text], texts), delimiter, header, line)
            return
        lines = _split(text)
        numbers: Sequence[int] = range(line, line + len(lines))
        line += len(lines)
        if "" in lines:
            numbers = [n for n, t in zip(numbers, lines, strict=True) if t]
            lines = [t for t in lines if t]
        if header and lines:
            lines, numbers, header = lines[1:], numbers[1:], False
        if lines:
            yield [t.split(delimiter) for t in lines], numbers


def _quoted(texts: Iterator[str], delimiter: str, header: bool, line: int) -> Iterator[Batch]:
    import csv

    csv.field_size_limit(1 << 24)
    reader = csv.reader((f"{t}\n" for text in texts for t in _split(text)), delimiter=delimiter)
    rows: list[list[str]] = []
    numbers: list[int] = []
    begun = line
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error:  # a field beyond all bounds
            begun = line + reader.line_num
            continue
        if cells and not header:
            rows.append(cells)
            numbers.append(begun)
            if len(rows) >= BATCH:
                yield rows, numbers
                rows, numbers = [], []
        header = header and not cells
        begun = line + reader.line_num
    if rows:
        yield rows, numbers


def bars(line: str) -> list[str]:
    """The cells between bars; an escaped bar is part of its cell."""
    text = line.replace("│", "|").replace("║", "|").replace("\\|", "\x00").strip()
    text = text.removeprefix("|")
    if text.endswith("|"):
        text = text[:-1]
    return [cell.strip().replace("\x00", "|") for cell in text.split("|")]


def cut(line: str, starts: Sequence[int]) -> list[str]:
    """The cells of an aligned line; a word that crosses a column's start stays whole with the column it begins in."""
    cells, at = [], 0
    for start in [*starts[1:], None]:
        if start is None:
            cells.append(line[at:].strip())
            break
        end = max(at, min(start, len(line)))
        while at < end < len(line) and line[end - 1] != " " and line[end] != " ":
            end -= 1
        if end == at < min(start, len(line)):  # the word fills the column and runs over: it stays whole
            end = line.find(" ", start)
            end = len(line) if end < 0 else end
        cells.append(line[at:end].strip())
        at = end
    return cells
