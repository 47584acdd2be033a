"""Columns of tables whose head names a secret: CSV, TSV, Markdown, what databases print; also within texts of JSON.

A table goes on as long as its lines do, so this reader keeps the table it is in from one part of a stream to the next.
"""
# ruff: noqa: E501  # a pattern is read whole

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mcpcompact.masking.assignments import credible
from mcpcompact.masking.names import kind_of
from mcpcompact.masking.spans import BACKSLASH, Span
from mcpcompact.patterns import regex

HEAD = 4 * 1024  # bytes on each side of a name that its line may have to be the head of a table
ROW = 32 * 1024  # bytes of a row

_HEAD_CELL = regex(rb"[\"'`*\\]{0,4}[A-Za-z_#][\w./#:@-]{0,62}(?: [\w./#-]{1,40}){0,2}(?: ?\(\w*\))?[\"'`*\\]{0,4}")
_COLUMN_TYPE = regex(
    rb"\w+\(\d+\)|(?:var)?char|text|(?:big|small)?int(?:eger)?|bool(?:ean)?|string|timestamp|datetime|(?:not )?null|primary key|unique",
    2,
)
_CELL_END = regex(
    rb"[\w./#-]{0,40}+(?>(?: \w{1,16}+){0,2})(?>(?: ?\(\w*+\))?)[\"'`*\\]{0,4}? *+(?:[,;|\t\r\n)]|\\[nrt]|(?<=  )|\Z)"
)
_IN_NAME = b"abcdefghijklmnopqrstuvwxyz0123456789_./#- '`*"
_RULE = regex(rb"[ \t]*(?=[^\r\n]*--)[-+|: =]{3,}(?:\\t[-+|: =]*)*")
_COPY = regex(rb"COPY [^\s(]{1,128} \(([^()\n]{1,4000})\) FROM stdin;", 2)


@dataclass(slots=True)
class Table:
    """``row`` matches a row with its line's end; its groups are the cells of the columns of ``kinds``."""

    row: re.Pattern[bytes]
    kinds: Sequence[str]
    mark: bytes
    end: bytes


class Columns:
    """The reader of one stream. Give it the parts in their order."""

    def __init__(self) -> None:
        self._at = 0  # of the whole stream: up to where its lines were read
        self._table: Table | None = None

    def spans(
        self, data: bytes, low: bytes, base: int, limit: int, names: Mapping[bytes, Sequence[int]]
    ) -> Iterator[Span]:
        """The cells in rows that begin before ``limit``. ``data`` begins at ``base``; each row is read once.

        ``names`` are the hits of each word of names.
        """
        at = yield from self._rows(
            data, max(0, self._at - base), limit
        )  # of the table that goes on, which may end here
        for hit in sorted(hit for hits in names.values() for hit in hits if hit >= at and _in_head(low, hit)):
            if self._table is None and hit >= at:
                self._table, at = _table(data, hit) or (None, _line_end(data, hit))
            at = yield from self._rows(data, at, limit)
        at = yield from self._rows(data, at, limit)
        self._at = base + max(at, limit)

    def _rows(self, data: bytes, at: int, limit: int) -> Generator[Span, None, int]:
        """The cells of the next rows of the table, if any; gives back where the next line begins."""
        while (table := self._table) is not None and at < limit:
            row = table.row.match(data, at, at + ROW)
            if row is None:
                end = data.find(table.end, at, at + ROW)
                if end < 0 or table.mark not in data[at:end]:
                    self._table = None
                else:
                    at = end + len(table.end)
                continue
            for group, kind in enumerate(table.kinds, 1):
                start, stop = row.span(group)
                value = data[start:stop]
                inner = value.strip(_PADDING)
                if inner and credible(inner, kind, quoted=True):
                    start += value.index(inner)
                    yield Span(start, start + len(inner), kind)
            at = max(row.end(), at + 1)
        return at


_PADDING = b" \t\"'`\\*"


def _table(data: bytes, hit: int) -> tuple[Table, int] | None:
    """The table whose head holds ``hit``, and where its rows begin."""
    low, high = max(0, hit - HEAD), min(len(data), hit + HEAD)
    start, stop = data.rfind(b"\n", low, hit) + 1, data.find(b"\n", hit, high)
    stop = stop if stop >= 0 else high
    escaped = data.find(b"\\n", hit, stop)
    end = b"\n"
    if escaped < 0 and (b"{" in data[start:hit] or b"=" in data[start:hit]):
        return None
    if escaped >= 0:  # within a text of JSON
        stop, end = escaped, b"\\n"
        quote = data.rfind(b'"', low, hit)
        start = max(start, data.rfind(b"\\n", low, hit) + 2, quote + 1 if data[quote - 1] != BACKSLASH else 0)
    elif stop == len(data):
        return None
    head = data[start:stop].rstrip(b"\r").removesuffix(b"\\r")
    below = stop + len(end)
    tab = b"\t" if end == b"\n" else b"\\t"
    if copy := _COPY.fullmatch(head):
        return (table, below) if (table := _made(copy[1].split(b","), tab, end)) else None
    for mark in (tab, b"|", b",", b";", b"  "):
        cells = [cell for cell in head.split(mark) if mark != b"  " or cell.strip()]
        if mark in head.strip() and (table := _made(cells, mark, end)):
            rule = _RULE.match(data, below, below + HEAD)
            if rule and data[rule.end() : rule.end() + 4].startswith((end, b"\r" + end, b"\\r" + end)):
                return table, data.find(end, rule.end()) + len(end)
            if not (mark == b"|" and head.lstrip().startswith(mark)) and table.row.match(data, below, below + ROW):
                return table, below
            return None
    return None


def _made(cells: list[bytes], mark: bytes, end: bytes) -> Table | None:
    """A table with this head, if each cell of it is a name and one names a secret."""
    edged = mark == b"|" and not cells[0].strip()
    names = [cell.strip() for cell in cells]
    inner = (names[1:] if names[-1] else names[1:-1]) if edged else names
    if len(inner) < (1 if edged else 2) or not all(_HEAD_CELL.fullmatch(name) for name in inner):
        return None
    kinds = [kind_of(name.strip(_PADDING)) for name in names]
    if not any(kinds) or any(_COLUMN_TYPE.fullmatch(name) for name in names):
        return None  # nothing secret, or a definition of columns
    last = max(number for number, kind in enumerate(kinds) if kind)
    line_end = rb"(?:\r?\n|\Z)" if end == b"\n" else rb"(?:(?:\\r)?\\n|(?=\"))"
    if mark == b"  ":
        return _aligned(kinds, end, line_end)
    stop = b"" if mark == b"\\t" else mark
    if end == b"\n":
        plain, quoted = rb"[^\r\n" + stop + rb"]*+", rb'"(?>(?:[^"]|"")*)"'
    else:
        plain, quoted = rb'(?>(?:[^\r\n"\\' + stop + rb']|\\[^nrt"]|\\")*)', rb'\\"(?>(?:[^"\\]|\\[^"]|\\"\\")*)\\"'
    cell = plain
    if mark == b"|":
        blank = all(name[:1] + name[-1:] == b"  " for name in cells[1:-1])  # around each mark: others are of a value
        bar = rb"\\\||(?<=[^ |])\|(?=[^ |])" if blank else rb"\\\|"
        cell = plain.replace(rb"(?:", rb"(?:" + bar + rb"|", 1) if end != b"\n" else rb"(?>(?:" + bar + rb"|[^|\r\n])*)"
    elif stop in (b",", b";"):
        cell = rb"(?: ?" + quoted + rb" ?(?=" + stop + rb"|" + line_end + rb")|" + plain + rb")"
    joint = rb"\\t" if mark == b"\\t" else rb"[" + mark + rb"]"
    parts = [(rb"(" + cell + rb")") if kind else cell for kind in kinds]
    rest = rb"(?:" + joint + cell + rb"){%d}" % (len(kinds) - 1 - last)
    return Table(
        regex(joint.join(parts[: last + 1]) + rest + line_end, 16), [kind for kind in kinds if kind], mark, end
    )


def _aligned(kinds: list[str], end: bytes, line_end: bytes) -> Table:
    """Columns that stand below each other, apart by two blanks or more."""
    plain = rb"[^\r\n\t ]++" if end == b"\n" else rb"[^\r\n\\\"\t ]++"
    cell = plain + rb"(?>(?: " + plain + rb")*)"
    row = rb"[ ]{2,}".join((rb"(" + cell + rb")") if kind else cell for kind in kinds)
    return Table(regex(rb"[ ]{0,40}" + row + rb"[ ]*" + line_end), [kind for kind in kinds if kind], b" ", end)


def _line_end(data: bytes, hit: int) -> int:
    """Where the search for a head goes on: behind the line, or the line within a text."""
    stop = data.find(b"\n", hit, hit + HEAD)
    stop = stop if stop >= 0 else hit + HEAD
    escaped = data.find(b"\\n", hit, stop)
    return escaped if escaped >= 0 else stop


def _in_head(low: bytes, hit: int) -> bool:
    """Whether a cell can begin before a word and end behind it."""
    before = low[max(0, hit - 64) : hit].rstrip(_IN_NAME)[-1:]
    return before in b',;|\t\r\n\\"' and _CELL_END.match(low, hit) is not None
