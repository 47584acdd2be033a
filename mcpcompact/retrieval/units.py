"""The lines and records of a result, numbered from 1 as the summary numbers them, streamed where it is large."""

from __future__ import annotations

import io
import itertools
import json
import mmap
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from mcpcompact.retrieval import sequences
from mcpcompact.retrieval.spans import Buffer, children, documents, drop_space, find_list, first_value
from mcpcompact.source import Sample, Source, as_utf8, decode

_WHOLE = 65_536  # bytes that are looked at
_HEAD_LINES = 41
_COLUMNS_MOST = 100_000  # bytes

FASTA, NDJSON, JSON, TABLE, LINES = "fasta", "ndjson", "json", "table", "lines"
DOCUMENTS = "documents"  # JSON documents one after the other, of several lines each
SPANS = "spans"  # what a content type of another make says its parts are
_BUILT_IN = ("", "log", "diff", "code", "markup", "text", "records", "json", "table", "fasta")


def alone(pattern: bytes, first: str, last: str) -> bytes:
    """A pattern of a text that begins and ends so, where it stands alone: ``ord-12``, and neither in ``ord-123`` nor in
    ``ord-12-a``, but in ``--ord-12``. An edge of letters or digits must be the edge of a word, of an id or of a
    number."""
    before = (
        rb"(?:(?<![\w\x80-\xff-])(?<!\d\.)|(?<=\\[nrtb])|(?<=[\s\"'`(\[,/|=]--)|(?<=\A--))"
        if first == "." or _EDGE.match(first)
        else b""
    )
    after = rb"(?![\w\x80-\xff])(?!-\w)(?!\.\w)" if _EDGE.match(last) else b""
    return before + pattern + after


_EDGE = re.compile(r"[A-Za-z0-9_]")


def word(pattern: bytes, source: Source) -> bytes:
    """A pattern where ``grep -w`` finds it: beside no letter (also of the alphabets up to U+07FF), digit or underscore.
    In JSON the letter of an escape (``\\n``) is none."""
    before = rb"(?<!\w)(?<![\xc3-\xdf][\x80-\xbf])"
    if source.read(0, 1) in (b"{", b"["):
        before = rb"(?:" + before + rb"|(?<=\\[nrtb]))"
    return before + rb"(?:" + pattern + rb")(?![\w\xc3-\xdf])"


@dataclass(slots=True)
class Unit:
    """A line or record: its number, the byte offset of ``raw`` in the source, and what is printed for it."""

    number: int
    offset: int
    raw: bytes
    columns: list[str] = field(default_factory=list)  # of a table's row, or of a row among "columns and rows"
    kind: str = LINES
    cells: list[str] = field(default_factory=list)  # of a table's row

    @property
    def shown(self) -> bytes:
        """A record of a JSON list takes one line, every value as it stands; anything else is verbatim."""
        return drop_space(self.raw) + b"\n" if self.kind == JSON else self.raw

    def value(self) -> Any:
        """The record as fields, numbers exact; ``None`` when it does not parse."""
        if self.kind in (JSON, NDJSON):
            value = load(self.raw)
            return dict(zip(self.columns, value, strict=False)) if self.columns and isinstance(value, list) else value
        if self.kind == FASTA:
            return sequences.fields(self.raw)
        if self.kind == TABLE:
            return dict(zip(self.columns, (cell.strip() for cell in self.cells), strict=False))
        return None


def load(raw: bytes) -> Any:
    """A JSON value with decimals kept exact, ``None`` when it does not parse."""
    try:
        return json.loads(
            raw.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace"), parse_float=Decimal, strict=False
        )
    except (ValueError, RecursionError):
        return None


def _quick(raw: bytes) -> Any:
    """What kind of value a line is; its numbers may be inexact."""
    import orjson

    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        return load(raw)


def as_data(source: Source, content_type: str) -> Source:
    """The source itself, or the values of its YAML, TOML or Python text as JSON."""
    from mcpcompact.content.shared.datatext import as_json
    from mcpcompact.content.shared.lines import above_reminder

    source = as_utf8(source)
    view = as_json(above_reminder(source)) if content_type in ("records", "json") else None
    return source if view is None else view.source


def lines(source: Source, first: int = 1, needle: re.Pattern[bytes] | None = None) -> Iterator[Unit]:
    """Lines from number ``first`` on, each with its end as it stands; what lies before is only counted.

    With a ``needle``, lines of blocks without it are only counted too.
    """
    number, offset = 1, 0
    held: list[bytes] = []  # a line longer than a block
    for block in source.blocks():
        if not held and block.endswith(b"\n") and (number < first or needle is not None):
            ends = block.count(b"\n")
            if number + ends < first or (needle is not None and needle.search(block) is None):
                number += ends
                offset += len(block)
                continue
        for line in io.BytesIO(block):
            if not line.endswith(b"\n"):
                held.append(line)
                continue
            if held:
                line = b"".join([*held, line])
                held.clear()
            if number >= first:
                yield Unit(number, offset, line)
            number += 1
            offset += len(line)
    if held and number >= first:
        yield Unit(number, offset, b"".join(held))


def count_lines(source: Source) -> int:
    """How many lines there are; the last may have no end."""
    count, last = 0, b"\n"
    for block in source.blocks():
        count += block.count(b"\n")
        last = block[-1:]
    return count + (last != b"\n")


def buffer_of(source: Source) -> Buffer:
    """The source's bytes; a large file is mapped, not read."""
    if not source.large or source.path is None:
        return source.data
    with open(source.path, "rb") as stream:
        return mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)


def kind_of(source: Source, content_type: str = "") -> str:
    """How the records of a source are delimited."""
    if content_type not in _BUILT_IN:
        return SPANS
    head = source.read(0, _WHOLE).removeprefix(b"\xef\xbb\xbf")
    start = head.lstrip()[:1]
    if content_type == "fasta" or (not content_type and start == b">"):
        return FASTA
    if content_type == "table":
        return TABLE if _layout(source) else LINES
    if start in (b"{", b"["):
        if _is_ndjson(head, whole=source.size <= _WHOLE):
            return NDJSON
        second = next(itertools.islice(documents(head), 1, None), None)  # one beyond the head goes unseen
        return JSON if second is None else DOCUMENTS
    return NDJSON if content_type in ("records", "json") else LINES


def _is_ndjson(head: bytes, whole: bool) -> bool:
    rows = [line for line in head.split(b"\n")[: _HEAD_LINES - whole] if line.strip()]
    if not whole and len(rows) > 1 and head.count(b"\n") <= _HEAD_LINES:
        rows.pop()  # the last one may be cut
    good = sum(line.lstrip()[:1] in (b"{", b"[") and load(line) is not None for line in rows)
    return len(rows) > 1 and 2 * good >= len(rows)


def records(source: Source, content_type: str = "", first: int = 1, skipped: list[int] | None = None) -> Iterator[Unit]:
    """The records of a source from number ``first`` on: items of the list, NDJSON lines, FASTA records, rows.

    ``skipped`` gets the numbers of the lines among NDJSON records that are none.
    """
    kind = kind_of(source, content_type)
    if kind == JSON:
        buffer = buffer_of(source)
        start = find_list(buffer)
        yield from list_items(buffer, first_value(buffer) if start < 0 else start, first)
    elif kind == DOCUMENTS:
        buffer = buffer_of(source)
        yield from values(buffer, documents(buffer), first)
    elif kind == NDJSON:
        wanted = dict if content_type == "records" else object  # its lines that are no objects are not numbered
        yield from _ndjson(source, wanted, first, skipped)
    elif kind == LINES:
        yield from lines(source, first)
    else:
        every = _parts(source, content_type) if kind == SPANS else _fasta(source) if kind == FASTA else _rows(source)
        yield from (unit for unit in every if unit.number >= first or not unit.number)


def _parts(source: Source, content_type: str) -> Iterator[Unit]:
    """The spans of a content type, as bytes that stand in the source."""
    from mcpcompact.content.detect import load as load_type

    text, offset = source.data.decode("utf-8", "surrogateescape"), 0
    for number, (start, end) in enumerate(load_type(content_type).spans(text), 1):
        raw = text[start:end].encode("utf-8", "surrogateescape")
        yield Unit(number, offset, raw, kind=SPANS)
        offset += len(raw)


def _ndjson(source: Source, wanted: type, first: int, skipped: list[int] | None) -> Iterator[Unit]:
    number = 0
    for line in lines(source):
        if not line.raw.strip():
            continue
        if isinstance(_quick(line.raw), wanted):
            number += 1
            if number >= first:
                yield Unit(number, line.offset, _ended(line.raw), kind=NDJSON)
        elif skipped is not None:
            skipped.append(line.number)


def values(buffer: Buffer, spans: Iterable[tuple[int, int]], first: int = 1) -> Iterator[Unit]:
    for number, (left, right) in itertools.islice(enumerate(spans, 1), first - 1, None):
        yield Unit(number, left, bytes(buffer[left:right]), kind=JSON)


def list_items(buffer: Buffer, start: int, first: int = 1) -> Iterator[Unit]:
    """The values inside the container at ``start``; a lone value is one record."""
    if buffer[start : start + 1] not in (b"[", b"{"):
        yield Unit(1, start, bytes(buffer[start:]), kind=JSON)
        return
    columns = _columns_beside(buffer, start)
    if buffer[start : start + 1] == b"{":
        yield Unit(1, start, bytes(buffer[start:]).rstrip(), kind=JSON)
        return
    for number, (_, left, right) in itertools.islice(enumerate(children(buffer, start), 1), first - 1, None):
        yield Unit(number, left, bytes(buffer[left:right]), columns, JSON)


def _columns_beside(buffer: Buffer, start: int) -> list[str]:
    """The names of ``{"columns": [...], "rows": [[...]]}`` when the list at ``start`` has rows for items."""
    first = next(children(buffer, start), None) if buffer[start : start + 1] == b"[" else None
    top = first_value(buffer)
    if first is None or buffer[first[1] : first[1] + 1] != b"[" or buffer[top : top + 1] != b"{":
        return []
    for key, left, right in children(buffer, top):
        if str(key).lower() in ("columns", "fields", "headers", "header", "schema") and right - left < _COLUMNS_MOST:
            names = load(bytes(buffer[left:right]))
            if isinstance(names, list):
                return [str(name.get("name", "")) if isinstance(name, dict) else str(name) for name in names]
    return []


def _ended(raw: bytes) -> bytes:
    return raw if raw.endswith(b"\n") else raw + b"\n"


def _fasta(source: Source) -> Iterator[Unit]:
    entries = sequences.records(source, ((line.offset, line.raw) for line in lines(source)))
    for number, (offset, raw) in enumerate(entries, 1):
        yield Unit(number, offset, _ended(raw), kind=FASTA)


def rows_at(source: Source, first: int, places: Sequence[tuple[int, ...]]) -> list[Unit] | None:
    """The rows of a table at ``places`` (number, offset and length of each), read by the layout of the whole.

    ``first`` is the offset of its first row. None where they read differently without the rows between them.
    """
    raws = [_ended(source.read(at, at + length)) for _, at, length in places]
    part = Source(source.read(0, first) + b"".join(raws))
    rows = [unit for unit in _rows(part, _layout(source)) if unit.number]
    if [unit.raw for unit in rows] != raws:
        return None
    for unit, (number, at, _) in zip(rows, places, strict=True):
        unit.number, unit.offset = number, at
    return rows


def _rows(source: Source, layout: Any = None) -> Iterator[Unit]:
    """The data rows of a table as its content type reads them; what stands before the first has number 0."""
    layout = layout or _layout(source)
    if layout is None:
        yield from lines(source)
        return
    from mcpcompact.content.table.outline import unique

    columns = unique(layout.names)
    parsed = (
        (begins, cells) for rows, starts in layout.read(source) for begins, cells in zip(starts, rows, strict=True)
    )
    row = next(parsed, None)
    number, offset, held, blank = 0, 0, b"", b""
    begun: list[str] = columns
    for line in lines(source):
        while row is not None and row[0] <= line.number:
            if held:
                yield Unit(number, offset, _ended(held), columns, TABLE, begun)
            number, offset, held, blank, begun = number + 1, line.offset, b"", b"", row[1]
            row = next(parsed, None)
        if number and not held:
            held = line.raw
        elif not number and layout.header and line.number > layout.before:
            held += b"" if layout.aside and layout.aside.match(decode(line.raw)) else line.raw
        elif number and layout.goes_on(decode(line.raw), line.number):  # blank lines belong to it only then
            blank += line.raw
            if line.raw.strip():
                held, blank = held + blank, b""
    if held:
        yield Unit(number, offset, _ended(held), columns, TABLE, begun)


def _layout(source: Source) -> Any:
    from mcpcompact.content.table.layout import forced

    return forced(Sample(source).lines)
