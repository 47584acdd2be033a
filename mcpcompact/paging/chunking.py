"""``chunk`` and ``chunks``: long content read piece by piece, no unit torn, no byte lost.

What a chunk is cut from (the whole content, or the lines asked for) is kept in the results directory when there is
more than one, and the cursor of the next chunk leads back to that snapshot: it stays the same while the source
changes. ``splitting`` decides where the cuts are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcompact.config import CHUNK_TOKENS, CURSOR_TTL, MIN_CHUNK_TOKENS
from mcpcompact.content.detect import detect, load
from mcpcompact.errors import CannotReadError, CannotWriteError, InputError, McpcompactError, UsageError
from mcpcompact.inputs.envelope import unwrap
from mcpcompact.inputs.values import source_of
from mcpcompact.paging.cursors import Cursors
from mcpcompact.paging.snapshots import keep, note, noted, reopen, stored
from mcpcompact.paging.splitting import UNITS, Codec, Measure, Span, Splitter
from mcpcompact.phrasing import counted, keyed
from mcpcompact.results import Store, StoredResult
from mcpcompact.source import LARGE, Source
from mcpcompact.tokens import Tokenizer, resolve

if TYPE_CHECKING:
    from mcpcompact.retrieval.selection import Range

WHOLE_BELOW = 1_000  # content of fewer tokens comes whole, as it is

_SPLITS = ("", "value", "line", "sentence", "word", "character")
_CELL = 7  # numbers of a chunk in the note of a walk
_SCAN = 1 << 16


@dataclass(slots=True)
class Chunk:
    """One chunk. ``data`` is its exact bytes, ``text`` what a reader sees of them (invalid bytes as U+FFFD), ``tokens``
    their number; ``index`` counts from 1. ``next_cursor`` leads to the next one, None at the end.

    ``start_byte`` and ``end_byte`` are 0-based, the end excluded, ``start_line`` and ``end_line`` 1-based and
    inclusive, both of the content as it was given (of a compressed file: as expanded). ``content_type`` is the detected
    one, ``unit`` what was kept whole (an entry, a paragraph, …), ``warnings`` are lines for the reader. With
    ``overlap`` the first ``overlap_bytes`` of ``data`` repeat what stands before ``start_byte``. ``total`` and
    ``total_lines`` are None where telling them would mean reading on: beyond 64 MB, and beyond the ``lines`` asked for.
    ``split`` says by which smaller kind a unit was cut that exceeds the limit alone. ``whole``: all of the content, so
    short that it needs no metadata. ``problem`` is why there is no cursor although more follows.
    """

    text: str
    data: bytes
    tokens: int
    index: int = 1
    total: int | None = 1
    next_cursor: str | None = None
    start_line: int = 0
    end_line: int = 0
    total_lines: int | None = 0
    start_byte: int = 0
    end_byte: int = 0
    content_type: str = "text"
    unit: str = ""
    split: str = ""
    overlap_bytes: int = 0
    whole: bool = False
    warnings: list[str] = field(default_factory=list)
    problem: McpcompactError | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON of ``mcpcompact chunk``; ``nextCursor`` is absent where nothing follows."""
        if self.whole:
            return {"tokens": self.tokens, "text": self.text}
        fields: dict[str, Any] = {"chunkIndex": self.index, "totalChunks": self.total}
        if self.next_cursor:
            fields["nextCursor"] = self.next_cursor
        if self.problem:
            fields["problem"] = f"no cursor: {self.problem.line()}"
        fields |= keyed(self, "start_line", "end_line", "total_lines", "start_byte", "end_byte")
        fields |= keyed(self, "tokens", "content_type", "unit")
        if self.split:
            fields["split"] = self.split
        if self.overlap_bytes:
            fields["overlapBytes"] = self.overlap_bytes
        return fields | {"text": self.text}


def chunk(
    content: str | bytes | Source | None,
    *,
    tokens: int = CHUNK_TOKENS,
    index: int | None = None,
    cursor: str | None = None,
    lines: str | None = None,
    unit: str = "auto",
    overlap: int = 0,
    max_chars: int | None = None,
    content_type: str | None = None,
    model: str | None = None,
    encoding: str | None = None,
    store: Store | None = None,
    cursor_ttl: int = CURSOR_TTL,
    name: str = "",
) -> Chunk:
    """The chunk at ``index`` (from 1), at ``cursor``, or the first one.

    A chunk has at most ``tokens`` tokens (or ``max_chars`` characters, when given) and ends where a unit ends: by the
    content type, or by ``unit`` (entry, paragraph, sentence, line, record). The chunks of a content are its bytes,
    without a gap; with ``overlap``, each repeats up to so many tokens of the one before. ``lines`` (``"A:B"``, from
    1) chunks that range alone and reads nothing behind it. Content of fewer than 1,000 tokens comes whole.

    With a ``store`` the content is kept and ``next_cursor`` leads to the next chunk for ``cursor_ttl`` seconds (0: for
    ever). With a ``cursor`` the options must be those it was issued with, and ``content`` may be None: it only serves
    to notice that it changed (see ``Chunk.warnings``). ``name`` is where the content comes from. When the content
    cannot be kept, the chunk comes with ``problem`` and without a cursor. ``content_type`` overrides detection;
    ``model`` or ``encoding`` say whose tokens are counted.

    Raises ``UsageError`` for impossible options and cursors, ``InputError`` for a chunk or lines that are not there.
    """
    cut = _Cut(tokens, max_chars, unit, overlap, lines, content_type)
    job = _Job(cut, resolve(model, encoding), store, cursor_ttl, name)
    if index is not None and cursor is not None:
        raise UsageError("an index and a cursor were given", hint="give one of them")
    if index is not None and index < 1:
        raise UsageError(f"there is no chunk {index}", hint="chunks are numbered from 1")
    if cursor is not None:
        index = job.resume(cursor, content)
    else:
        job.open(content)
    return job.one(index)


def chunks(
    content: str | bytes | Source,
    *,
    tokens: int = CHUNK_TOKENS,
    lines: str | None = None,
    unit: str = "auto",
    overlap: int = 0,
    max_chars: int | None = None,
    content_type: str | None = None,
    model: str | None = None,
    encoding: str | None = None,
    store: Store | None = None,
    cursor_ttl: int = CURSOR_TTL,
    name: str = "",
) -> Iterator[Chunk]:
    """All chunks in order, as ``chunk`` gives them one by one; none of an empty content. Always with metadata.

    ``tokens``, ``lines``, ``unit``, ``overlap``, ``max_chars``, ``content_type``, ``model``, ``encoding``, ``store``,
    ``cursor_ttl`` and ``name`` are those of ``chunk``, and so are the errors.
    """
    cut = _Cut(tokens, max_chars, unit, overlap, lines, content_type)
    job = _Job(cut, resolve(model, encoding), store, cursor_ttl, name)
    job.open(content)
    return job.all()


class _Cut(NamedTuple):
    """Where chunks begin and end, as asked for. A cursor is good for these options only."""

    tokens: int
    max_chars: int | None
    unit: str
    overlap: int
    lines: str | None
    content_type: str | None

    def checked(self, tokenizer: Tokenizer) -> tuple[int, int]:
        """The most tokens (or characters) of a chunk and of its overlap, as the encoding counts. Raises
        ``UsageError`` for what is not possible."""
        limit, least, size = self.max_chars, MIN_CHUNK_TOKENS, f"{self.max_chars} characters"
        if limit is None:
            limit, least = int(self.tokens / tokenizer.high), tokenizer.bounds(least)[1]
            size = f"{self.tokens} tokens"
        if limit < MIN_CHUNK_TOKENS:
            raise UsageError(f"chunks of {size} are too small", hint=f"use {least} or more")
        overlap = self.overlap if self.max_chars else int(self.overlap / tokenizer.high)
        if not 0 <= overlap <= limit // 2:
            raise UsageError(
                f"an overlap of {self.overlap} does not fit chunks of {self.max_chars or self.tokens}",
                hint="use at most half of the chunk, or 0",
            )
        if self.unit not in UNITS:
            raise UsageError(f"unknown unit '{self.unit}'", hint=f"use one of {', '.join(UNITS)}")
        if self.content_type is not None:
            load(self.content_type)
        return limit, overlap


class _Job:
    """One call: the content, or the part or snapshot of it that is cut up, and what is known about it."""

    def __init__(self, cut: _Cut, tokenizer: Tokenizer, store: Store | None, cursor_ttl: int, name: str) -> None:
        self.limit, self.overlap = cut.checked(tokenizer)
        self.tokenizer, self.store, self.name = tokenizer, store, name
        self.unit, self.forced = cut.unit, cut.content_type
        self.measure = Measure(None if cut.max_chars else tokenizer.encoding)
        self.range: Range | None = None
        if cut.lines is not None:
            from mcpcompact.retrieval import selection  # 40 ms, for those who ask for lines

            self.range = selection.Range.parse(cut.lines)
        self.cursors = Cursors(store, ttl=cursor_ttl) if store is not None else None
        limit = f"chars={cut.max_chars}" if cut.max_chars else f"tokens={cut.tokens}"
        self.options = (
            f"chunk {limit} encoding={tokenizer.encoding} high={tokenizer.high} unit={cut.unit} "
            f"overlap={cut.overlap} type={cut.content_type or ''} lines={self.range or ''}"
        )
        self.source = Source(b"")
        self.content_type = cut.content_type or "text"
        self.first_byte, self.first_line = 0, 1
        self.lines: int | None = None  # of the whole content, where known
        self.digest = ""  # SHA-256 of the snapshot
        self.result: StoredResult | None = None  # that a cursor names
        self.warnings: list[str] = []
        self.problem: McpcompactError | None = None

    def open(self, content: str | bytes | Source | None) -> None:
        source = _source(content)
        self.content_type = self.forced or detect(source).content_type
        self.source = source
        if self.range is not None:
            self.source, self.first_byte, self.lines = _part(source, self.range)
            self.first_line = self.range.first

    def resume(self, cursor: str, content: str | bytes | Source | None) -> int:
        """Open the snapshot behind a cursor; returns the index of its chunk."""
        if self.store is None or self.cursors is None:
            raise UsageError(
                "a cursor needs the results directory that it was issued in", hint="start over without a cursor"
            )
        opened = self.cursors.open(cursor, self.options)
        given = None if content is None else _source(content)
        if given is not None and self.range is not None:
            try:
                given = _part(given, self.range)[0]
            except InputError:  # it has no such lines any more
                given = Source(b"")
        self.result, _, notes = reopen(self.store, opened.id, given, self.name)
        self.warnings += notes
        meta = self.result.meta
        self.digest = str(meta.get("sha256") or self.result.id)
        self.source = self.result.source()
        self.content_type = self.forced or ""
        if self.range is not None:
            self._place([meta, *(meta.get("earlier") or ())], self.range)
        return opened.position

    def _place(self, calls: list[dict[str, Any]], lines: Range) -> None:
        """Where in the content the stored lines stood, as ``_keep`` noted it."""
        self.first_line = lines.first
        for call in calls:
            about = call.get("arguments") or {}
            if about.get("lines") == str(lines) and call.get("source") == (self.name or None):
                start, lines_in_all = about.get("startByte"), about.get("totalLines")
                self.first_byte = start if isinstance(start, int) else 0
                self.lines = lines_in_all if isinstance(lines_in_all, int) else None
                self.content_type = self.forced or str(about.get("type") or "text")
                return

    def _keep(self, tokens: int) -> None:
        """Store what is cut up, so that cursors lead back to it. Where it cannot be stored there are none."""
        if self.store is None or self.digest:
            return
        about: dict[str, Any] = {}
        if self.range is not None:
            about = {"lines": str(self.range), "startByte": self.first_byte, "type": self.content_type}
            about |= {"totalLines": self.lines} if self.lines is not None else {}
        counted = {"tokens": tokens, "tokensExact": False, "encoding": self.tokenizer.encoding}
        try:
            message = unwrap(self.source)
            self.digest = keep(self.store, self.source, message, self.content_type, self.name, about, counted)
        except CannotWriteError as error:
            self.problem = error

    def one(self, index: int | None) -> Chunk:
        wanted, large = index or 1, self.source.large
        if self.store is not None and self.result is None and wanted > 1 and not large:
            self.result = stored(self.store, self.source)
        if (piece := self._noted(wanted)) is not None:
            self._keep(0)
            return self._kept(piece)
        splitter = self._splitter()
        spans = list(islice(splitter.split(self.source), wanted if large else None))
        self._problem(splitter)
        if not spans and wanted == 1:
            return Chunk("", b"", 0, 1, 0, whole=True, content_type=self.content_type, warnings=self.warnings)
        if wanted > len(spans):
            have = f"the content has {counted(len(spans), 'chunk')}"
            raise InputError(f"there is no chunk {wanted:,}: {have}", hint="chunks are numbered from 1")
        span = spans[wanted - 1]
        ended = span.end == self.source.size
        total = len(spans) if ended or not large else None
        piece = self._chunk(span, wanted, total, spans[-1].end_line if total else None)
        piece.whole = index is None and self.range is None and total == 1 and piece.tokens < WHOLE_BELOW
        if not ended:
            self._keep(sum(span.tokens for span in spans))
            if total and not splitter.problem:
                self._note(spans)
        return self._kept(piece)

    def _kept(self, piece: Chunk) -> Chunk:
        """The chunk with its cursor; known when it comes back as input, so that it is not compacted."""
        if piece.end_byte < self.first_byte + self.source.size:
            piece.next_cursor = self._cursor(piece.index + 1)
            piece.problem = self.problem
        if self.store is not None and self.digest:
            self.store.remember((self.result or self.store.find(self.digest)).id, piece.data)
        return piece

    def _note(self, spans: list[Span]) -> None:
        """Keep the cuts beside the snapshot, so that no later page has to cut and count it again."""
        if self.store is None or not self.digest:
            return
        cells = array("Q")
        for span in spans:
            split = _SPLITS.index(span.split)
            cells.extend((span.start, span.end, span.start_line, span.end_line, span.tokens, split, span.overlap))
        note(self.store, self.digest, self.options, cells, f"{self.unit} {self.content_type}")

    def _noted(self, wanted: int) -> Chunk | None:
        if self.result is None:
            return None
        kept = noted(self.result, self.options, _CELL, wanted - 1, 1)
        if kept is None or not kept.rows or kept.last[1] != self.source.size:
            return None
        start, end, start_line, end_line, tokens, split, overlap = kept.rows[0]
        self.unit, _, self.content_type = kept.about.partition(" ")
        if not (start < end <= self.source.size and overlap <= start and split < len(_SPLITS)):
            return None  # no note of ours
        span = Span(start, end, start_line, end_line, tokens, _SPLITS[split], overlap)
        return self._chunk(span, wanted, kept.total, kept.last[3])

    def all(self) -> Iterator[Chunk]:
        splitter = self._splitter()
        spans = splitter.split(self.source)
        total = lines = None
        if not self.source.large:
            held = list(spans)
            total, lines = len(held), held[-1].end_line if held else 0
            spans = iter(held)
        for index, span in enumerate(spans, 1):
            self._problem(splitter)
            ended = span.end == self.source.size
            if ended:
                total, lines = index, span.end_line
            elif index == 1:
                self._keep(0)
            piece = self._chunk(span, index, total, lines)
            if not ended:
                piece.next_cursor, piece.problem = self._cursor(index + 1), self.problem
            yield piece

    def _splitter(self) -> Splitter:
        self.content_type = self.content_type or detect(self.source).content_type
        splitter = Splitter(self.content_type, self.unit, self.measure, self.limit, self.overlap)
        self.unit = splitter.unit
        return splitter

    def _problem(self, splitter: Splitter) -> None:
        if splitter.problem and splitter.problem not in self.warnings:
            self.warnings.append(splitter.problem)

    def _cursor(self, index: int) -> str | None:
        if self.cursors is None or not self.digest or self.problem:
            return None
        try:
            return self.cursors.issue(self.digest, index, self.options)
        except (CannotWriteError, CannotReadError) as error:
            self.problem = error
            return None

    def _chunk(self, span: Span, index: int, total: int | None, lines: int | None) -> Chunk:
        data = self.source.read(span.start - span.overlap, span.end)
        text = data.decode(Codec(self.source).name, "replace")
        tokens = span.tokens if self.measure.encoding else Measure(self.tokenizer.encoding).one(text)
        return Chunk(
            text=text,
            data=data,
            tokens=self.tokenizer.bounds(tokens)[1],
            index=index,
            total=total,
            start_line=self.first_line + span.start_line - 1,
            end_line=self.first_line + span.end_line - 1,
            total_lines=lines if self.range is None else self.lines,
            start_byte=self.first_byte + span.start,
            end_byte=self.first_byte + span.end,
            content_type=self.content_type,
            unit=self.unit,
            split=span.split,
            overlap_bytes=span.overlap,
            warnings=self.warnings,
        )


# -- lines ------------------------------------------------------------------------------------


class _Part(Source):
    """Bytes ``start:end`` of a large source, read in place."""

    def __init__(self, whole: Source, start: int, end: int) -> None:
        super().__init__(path=whole.path, size=end - start)
        self._whole, self._start = whole, start

    def read(self, start: int, end: int) -> bytes:
        return self._whole.read(self._start + start, self._start + min(end, self.size))

    def chunks(self, size: int = _SCAN) -> Iterator[bytes]:
        return (self.read(at, at + size) for at in range(0, self.size, size))


def _source(content: str | bytes | Source | None) -> Source:
    if isinstance(content, Source | str | bytes | bytearray | memoryview):
        return source_of(content)[0]
    raise UsageError(f"cannot chunk a {type(content).__name__}", hint="give text, bytes or a Source")


def _part(source: Source, lines: Range) -> tuple[Source, int, int | None]:
    """The lines asked for, their first byte, and how many lines there are in all, where that was met on the way.

    A file is read up to the last of them only. Raises ``InputError`` when the first is not there.
    """
    if Codec(source).wide:
        return _part_wide(source, lines)
    start, end = (0 if lines.first == 1 else None), None
    at = seen = 0  # bytes and line feeds so far
    ended = True
    for piece in source.chunks(_SCAN):
        feeds = piece.count(b"\n")
        if start is None and seen + feeds >= lines.first - 1:
            start = at + _behind(piece, lines.first - 1 - seen)
        if end is None and lines.last is not None and seen + feeds >= lines.last:
            end = at + _behind(piece, lines.last - seen)
            if source.path is not None and end < source.size:
                return _between(source, start or 0, end), start or 0, None
        at, seen, ended = at + len(piece), seen + feeds, piece.endswith(b"\n")
    total = seen + (not ended)
    if start is None or start >= source.size:
        raise _no_line(lines, total)
    return _between(source, start, source.size if end is None else end), start, total


def _part_wide(source: Source, lines: Range) -> tuple[Source, int, int | None]:
    """The same for UTF-16, whose line feeds have two bytes."""
    if source.large:
        raise InputError("lines of UTF-16 content above 64 MB cannot be found", hint="convert it to UTF-8 first")
    codec = Codec(source)
    all_lines = codec.decode(source.data).split("\n")
    texts = [line + "\n" for line in all_lines[:-1]] + ([all_lines[-1]] if all_lines[-1] else [])
    if lines.first > len(texts):
        raise _no_line(lines, len(texts))
    start = codec.size("".join(texts[: lines.first - 1]))
    return _between(source, start, codec.size("".join(texts[: lines.last]))), start, len(texts)


def _between(source: Source, start: int, end: int) -> Source:
    return _Part(source, start, end) if end - start > LARGE else Source(source.read(start, end))


def _behind(piece: bytes, feeds: int) -> int:
    """The offset behind so many line feeds."""
    return sum(map(len, piece.split(b"\n", feeds)[:feeds])) + feeds


def _no_line(lines: Range, total: int) -> InputError:
    have = f"the input has {counted(total, 'line')}"
    return InputError(f"there is no line {lines.first:,}: {have}", hint=f"use --lines 1:{total}" if total else "")
