"""Selectors over a stored result: lines, bytes, records, ids, fields, conditions, a JSON path, a search.

Line and record numbers start at 1 and include both ends, as the summary's anchors do, and refer to
the unwrapped payload. Byte ranges are offsets, the end excluded. Values are printed as they stand in
the original. A page has at most so many tokens; what it leaves out is fetched by the selector it names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from mcpcompact.errors import InputError, NoInputError, UsageError
from mcpcompact.patterns import regex
from mcpcompact.phrasing import MAX_DIGITS, counted, fitted, some
from mcpcompact.results import StoredResult
from mcpcompact.retrieval import units
from mcpcompact.retrieval.conditions import Condition, has_id, ids_of
from mcpcompact.retrieval.sequences import in_one_piece
from mcpcompact.retrieval.spans import arrival, children, documents, drop_space, first_value, locate, parse_path
from mcpcompact.shell import LONGEST, command, option
from mcpcompact.source import Source, as_utf8

_NAMES = 1000  # that are remembered for what was meant
_TRIED = 20  # units before the quick look is trusted
_FIELDS = 24  # of records that are named where a condition names none of them
_NEAR_MOST = 200
_TOLD = 5
_CALLED = {units.TABLE: "row", units.FASTA: "sequence", units.LINES: "line"}

LONG_LINE = 1_000  # bytes up to which a line that matches a search is shown whole

AROUND = 150
_BEGIN = regex(rb"^(?=\{\s*\"|\[\s*\{\s*\")", re.M)
_BEGINS_WITHIN = 8_000  # bytes of warnings before a JSON text, as the summary passes over them
_NUMBER = rf"\d{{1,{MAX_DIGITS}}}+"
_RANGE = regex(rf"((?:{_NUMBER})?)\s*(?::|-|\.\.)\s*((?:{_NUMBER})?)|({_NUMBER})")


@dataclass(frozen=True, slots=True)
class Range:
    """``A:B``, either end open; ``A`` alone is one unit."""

    first: int
    last: int | None

    @classmethod
    def parse(cls, text: str, *, least: int = 1) -> Range:
        """The range that a text means; numbers start at ``least``. Raises ``UsageError``."""
        match = _RANGE.fullmatch(text.replace(",", "").strip())
        if match is None or not any(match.groups()):
            hint = f"write A:B, A: or :B, of at most {MAX_DIGITS} digits each"
            raise UsageError(f"range {fitted(text, LONGEST)!r} cannot be read", hint=hint)
        low, high, one = match.groups()
        first = int(one or low or least)
        last = int(high) if high else None
        if one:
            last = first + 1 - least
        if first < least or (last is not None and last < first):
            raise UsageError(f"range {text!r} is empty", hint=f"numbers start at {least} and A:B needs A ≤ B")
        return cls(first, last)

    def __str__(self) -> str:
        return f"{self.first}:{'' if self.last is None else self.last}"

    def __contains__(self, number: int) -> bool:
        return self.first <= number and (self.last is None or number <= self.last)


@dataclass(frozen=True, slots=True)
class Selection:
    """What to fetch. Several parts narrow one another: ``path``, then a range, then conditions, then ``fields``."""

    lines: Range | None = None
    bytes: Range | None = None
    records: Range | None = None
    ids: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    where: tuple[Condition, ...] = ()
    path: str = ""
    grep: str = ""
    ignore_case: bool = False
    regex: bool = False
    word: bool = False
    context: int = 0

    @classmethod
    def read(cls, *, fields: str = "", **given: Any) -> Selection:
        """The selection that the texts of options mean, ``ids`` and ``where`` being lists of texts. Raises
        ``UsageError``."""
        for name, least in (("lines", 1), ("bytes", 0), ("records", 1)):
            given[name] = Range.parse(given[name], least=least) if given.get(name) else None
        given["ids"] = tuple(given.get("ids") or ())
        given["where"] = tuple(map(Condition.parse, given.get("where") or ()))
        return cls(fields=tuple(name.strip() for name in fields.split(",") if name.strip()), **given)

    @property
    def by_record(self) -> bool:
        """Whether records are chosen, not lines or bytes."""
        return bool(self.records or self.ids or self.fields or self.where)

    def __bool__(self) -> bool:
        return bool(self.lines or self.bytes or self.by_record or self.path or self.grep)

    def words(self) -> list[str]:
        """The selection as words of the command line."""
        pairs: list[tuple[str, Any]] = [(f"--{name}", getattr(self, name)) for name in ("lines", "bytes", "records")]
        pairs += [("--path", self.path), *(("--id", id) for id in self.ids)]
        pairs += [("--where", condition.text) for condition in self.where]
        pairs += [("--fields", ",".join(self.fields)), ("--grep", self.grep), ("--context", self.context or "")]
        flags = [flag for flag, on in (("-i", self.ignore_case), ("--regex", self.regex), ("-w", self.word)) if on]
        return [word for name, value in pairs if value for word in option(name, value)] + flags

    def options(self) -> str:
        """The same, ready to run."""
        return command(*self.words())


@dataclass(slots=True)
class Piece:
    """What is printed for one unit; ``start`` and ``end`` are its byte offsets in the source."""

    number: int
    text: bytes
    start: int = 0
    end: int = 0
    hit: bool = True  # not mere context


@dataclass(slots=True)
class Selected:
    """The pieces of a selection, in order, and what was seen on the way (complete once they are exhausted)."""

    unit: str
    selection: Selection
    pieces: Iterator[Piece] = field(default_factory=lambda: iter(()))
    header: bytes = b""
    seen: int = 0
    matched: int = 0
    near: list[str] = field(default_factory=list)
    verbatim: bool = True  # a cut piece goes on at its byte offset

    def explain_nothing(self) -> str:
        """Why nothing came out, conclusive and scoped, or empty."""
        chosen = self.selection
        if self.matched:
            return ""
        scanned = counted(self.seen, self.unit)
        if chosen.grep and not chosen.by_record:
            where = f" in {chosen.lines}" if chosen.lines else ""
            return f"none of {scanned}{where} contains {chosen.grep!r}: all were searched"
        if chosen.where or chosen.grep:
            conditions = replace(chosen, fields=(), records=None).options()
            within = f" in {chosen.records}" if chosen.records else ""
            unknown = any(not {condition.field, condition.steps[0]} & set(self.near) for condition in chosen.where)
            fields = f"; fields: {some(self.near, _FIELDS)}" if self.near and unknown else ""
            return f"none of {scanned}{within} matches {conditions}{fields}"
        return ""


def select(source: Source, selection: Selection, content_type: str = "") -> Selected:
    """Apply a selection to a source. Raises ``NoInputError`` where it addresses nothing that exists."""
    if selection.bytes:
        return _bytes(source, selection)
    by_value = selection.by_record or bool(selection.path)
    given, source = source, units.as_data(source, content_type) if by_value else as_utf8(source)
    if selection.by_record or (selection.path and selection.grep):
        selected = _records(source, selection, content_type)
    elif selection.path:
        selected = _path(source, selection)
    else:
        selected = _grep(source, selection) if selection.grep else _lines(source, selection)
    selected.verbatim &= source is given
    return selected


def addressed(result: StoredResult, selection: Selection) -> tuple[Source, bool]:
    """The text that the selection numbers, and whether it is the view: that of one long line, unless bytes, records or
    a path are asked for."""
    by_line = not (selection.bytes or selection.by_record or selection.path)
    view = result.view() if by_line and result.one_line else None
    return (result.payload(), False) if view is None else (view, True)


def _bytes(source: Source, selection: Selection) -> Selected:
    assert selection.bytes is not None
    first, last = selection.bytes.first, selection.bytes.last
    if first >= source.size:
        raise NoInputError(f"no byte {first:,}: there are {source.size:,}")
    last = source.size if last is None else min(last, source.size)

    def pieces() -> Iterator[Piece]:
        for at in range(first, last, 65_536):
            end = min(at + 65_536, last)
            yield Piece(at, source.read(at, end), at, end)

    return Selected("byte", selection, pieces(), matched=last - first)


def _lines(source: Source, selection: Selection) -> Selected:
    chosen = selection.lines or Range(1, None)
    selected = Selected("line", selection)

    def pieces() -> Iterator[Piece]:
        for unit in units.lines(source, chosen.first):
            if unit.number not in chosen:
                return
            selected.matched += 1
            yield Piece(unit.number, unit.raw, unit.offset, unit.offset + len(unit.raw))
        if not selected.matched and chosen.first > 1:
            raise NoInputError(f"no line {chosen.first:,}: there are {units.count_lines(source):,}")

    selected.pieces = pieces()
    return selected


def _path(source: Source, selection: Selection) -> Selected:
    buffer = units.buffer_of(source)
    spans = _located(buffer, selection.path)
    selected = Selected("value", selection, matched=len(spans))
    selected.pieces = (
        Piece(n, bytes(buffer[start:end]) + b"\n", start, end) for n, (start, end) in enumerate(spans, 1)
    )
    return selected


def _located(buffer: Any, path: str) -> list[tuple[int, int]]:
    start = first_value(buffer)
    if buffer[start : start + 1] not in (b"{", b"[") and (begin := _BEGIN.search(buffer, 0, _BEGINS_WITHIN)):
        start = begin.start()
    if buffer[start : start + 1] not in (b"{", b"["):
        raise InputError("--path needs a JSON object or array", hint="use --lines, --records or --grep")
    steps = parse_path(path)
    if steps and isinstance(steps[0], int) and len(list(islice(documents(buffer, start), 2))) > 1:
        document = next(islice(documents(buffer, start), steps[0], None), None)
        if document is None:
            total = sum(1 for _ in documents(buffer, start))
            raise NoInputError(f"path {path!r} leads nowhere at {steps[0]}", hint=f"there are {total:,} documents")
        start, steps = document[0], steps[1:]
    spans = locate(buffer, start, steps)
    if spans:
        return spans
    length, at = arrival(buffer, start, steps)
    step = steps[length]
    keys = [key for key, _, _ in children(buffer, at)] if buffer[at : at + 1] in (b"{", b"[") else []
    names = [key for key in keys if isinstance(key, str)][:_NAMES]
    here = ", ".join(_near(str(step), names)) or "no members"
    if keys and not names:
        here = f"{len(keys):,} elements, 0 to {len(keys) - 1}"
    raise NoInputError(f"path {path!r} leads nowhere at {step!r}", hint=f"there is {here}")


def _near(name: str, names: list[str], most: int = 8) -> list[str]:
    import difflib

    close = difflib.get_close_matches(name, names, n=3, cutoff=0.6)
    return close + [other for other in names if other not in close][: most - len(close)]


def _under(source: Source, path: str, first: int) -> Iterator[units.Unit]:
    """What a path leads to, from the ``first`` on: the items of a list, or the values themselves."""
    buffer = units.buffer_of(source)
    spans = _located(buffer, path)
    if len(spans) == 1 and buffer[spans[0][0] : spans[0][0] + 1] == b"[":
        return units.list_items(buffer, spans[0][0], first)
    return units.values(buffer, spans, first)


def _records(source: Source, selection: Selection, content_type: str) -> Selected:
    chosen = selection.records or Range(1, None)
    if selection.path:
        kind, items = units.JSON, _under(source, selection.path, chosen.first)
    else:
        kind, items = units.kind_of(source, content_type), units.records(source, content_type, chosen.first)
    if kind in (units.LINES, units.SPANS) and (selection.where or selection.fields):
        raise InputError("these lines have no fields", hint="use --grep TERM or --lines A:B")
    selected = Selected(_CALLED.get(kind, "record"), selection)
    selected.verbatim = kind != units.TABLE and not selection.fields and (kind != units.FASTA or in_one_piece(source))
    wanted = pattern(selection, source) if selection.grep else None
    prefilter = _prefilter(selection, kind)

    def pieces() -> Iterator[Piece]:
        last = chosen.first - 1
        for unit in items:
            if unit.number == 0:  # a table's header
                selected.header = _row_fields(unit, selection.fields) if selection.fields else unit.raw
                continue
            if unit.number not in chosen:
                break
            last = unit.number
            selected.seen += 1
            if wanted and not wanted.search(unit.raw):
                continue
            if prefilter and selected.seen > _TRIED and not prefilter(unit.raw):
                continue
            if (selection.where or selection.ids) and not _fits(unit, selection, selected):
                continue
            selected.matched += 1
            text = projected(unit, selection.fields) if selection.fields else unit.shown
            yield Piece(unit.number, text, unit.offset, unit.offset + len(unit.raw))
        if not selected.seen and selection.records and not (selection.where or selection.grep):
            total = sum(unit.number > 0 for unit in units.records(source, content_type)) if not selection.path else last
            raise NoInputError(f"no {selected.unit} {chosen.first:,}: there are {total:,}")
        if not selected.matched and selection.ids:
            near = f"near: {', '.join(_near(selection.ids[0], selected.near, 5))}" if selected.near else ""
            raise NoInputError(f"none of {selected.seen:,} {selected.unit}s has the id {selection.ids[0]!r}", hint=near)

    selected.pieces = pieces()
    return selected


def _prefilter(selection: Selection, kind: str) -> Callable[[bytes], bool] | None:
    """A cheap test of the raw bytes that no matching record fails, to spare parsing the others.

    Only for plain words in text without escapes; a record that holds a backslash is always parsed.
    """
    if kind not in (units.JSON, units.NDJSON) or selection.ids:
        return None
    equal = [condition.value for condition in selection.where if condition.operator == "="]
    words = [value.encode() for value in equal if re.fullmatch(r"[A-Za-z][\w -]*", value)]
    return (lambda raw: b"\\" in raw or all(word in raw for word in words)) if words else None


def _fits(unit: units.Unit, selection: Selection, selected: Selected) -> bool:
    value = unit.value()
    if not selected.matched and len(selected.near) < _NEAR_MOST:
        names: list[str] = []
        if selection.ids:
            names = ids_of(value)
        elif isinstance(value, dict):
            names = list(value)
        selected.near += [name for name in names[:50] if name not in selected.near]
    if unit.kind == units.FASTA:
        matches = any(wanted == value["id"] or wanted in value["ids"] for wanted in selection.ids)
    else:
        matches = any(has_id(value, wanted) for wanted in selection.ids)
    if selection.ids and not matches:
        return False
    return all(condition.holds(value) for condition in selection.where)


def projected(unit: units.Unit, names: tuple[str, ...]) -> bytes:
    """The chosen fields of a record as one line: raw values of JSON, cells of a row."""
    if unit.kind == units.TABLE:
        return _row_fields(unit, names)
    members: list[bytes] = []
    value = unit.value() if unit.columns or unit.kind == units.FASTA else None
    start = first_value(unit.raw) if value is None else 0
    for name in names:
        if value is not None:
            if name in value:
                members.append(json.dumps(name).encode() + b": " + json.dumps(value[name], default=str).encode())
            continue
        steps = parse_path(name)
        spans = locate(unit.raw, start, steps) or locate(unit.raw, start, ["node", *steps])
        raws = [drop_space(unit.raw[a:b]) for a, b in spans]
        if raws:
            shown = raws[0] if len(raws) == 1 else b"[" + b", ".join(raws) + b"]"
            members.append(json.dumps(name, ensure_ascii=False).encode() + b": " + shown)
    return b"{" + b", ".join(members) + b"}\n"


def _row_fields(unit: units.Unit, names: tuple[str, ...]) -> bytes:
    import csv
    import io

    if missing := [name for name in names if name not in unit.columns]:
        raise NoInputError(f"no column {missing[0]!r}", hint=f"there is {', '.join(_near(missing[0], unit.columns))}")
    row = unit.value()
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(row.get(name, "") if unit.number else name for name in names)
    return out.getvalue().encode()


def pattern(selection: Selection, source: Source) -> re.Pattern[bytes]:
    """The search as a pattern over bytes. A fixed string is also found in its JSON-escaped spellings; a ``word`` only
    where it is one."""
    term = selection.grep
    flags = re.IGNORECASE if selection.ignore_case else 0
    if selection.regex:
        try:
            return re.compile(units.word(term.encode(), source) if selection.word else term.encode(), flags)
        except (re.error, OverflowError, RecursionError) as error:
            raise UsageError(f"pattern {term!r} cannot be read: {error}") from error
    spellings = {term: None}
    words = [term, *({term.lower(): None, term.upper(): None, term.title(): None} if flags else ())]
    for word in words:
        escaped = json.dumps(word)[1:-1]
        spellings |= dict.fromkeys(
            (word, escaped, json.dumps(word, ensure_ascii=False)[1:-1], escaped.replace("/", "\\/"))
        )
        spellings[re.sub(r"\\u[0-9a-f]{4}", lambda m: "\\u" + m[0][2:].upper(), escaped)] = None
    forms = b"|".join(re.escape(word.encode("utf-8", "surrogatepass")) for word in spellings)
    return re.compile(units.word(forms, source) if selection.word else forms, flags)


def _grep(source: Source, selection: Selection) -> Selected:
    wanted = pattern(selection, source)
    chosen = selection.lines or Range(1, None)
    selected = Selected("line", selection, verbatim=False)
    around = selection.context

    def pieces() -> Iterator[Piece]:
        before: list[units.Unit] = []
        after, shown = 0, 0
        needle = None if selection.regex or around else wanted
        for unit in units.lines(source, chosen.first, needle):
            if unit.number not in chosen:
                break
            body = unit.raw.rstrip(b"\r\n")
            if wanted.search(body):
                selected.matched += 1
                first = before[0].number if before else unit.number
                apart = b"--\n" if around and shown and first > shown + 1 else b""
                for earlier in before:
                    yield Piece(earlier.number, apart + _numbered(earlier, b"-", None), hit=False)
                    apart = b""
                end = unit.offset + len(unit.raw)
                yield Piece(unit.number, apart + _numbered(unit, b":", wanted), unit.offset, end)
                before, after, shown = [], around, unit.number
            elif after:
                yield Piece(unit.number, _numbered(unit, b"-", None), hit=False)
                after, shown = after - 1, unit.number
            elif around:
                before = [*before, unit][-around:]
        if not selected.matched:
            total = units.count_lines(source)
            selected.seen = max(0, min(total, chosen.last or total) - chosen.first + 1)

    selected.pieces = pieces()
    return selected


def _numbered(unit: units.Unit, mark: bytes, pattern: re.Pattern[bytes] | None) -> bytes:
    """``417:line``. Of a long line, what stands around its first five matches, each with its byte offset."""
    body = unit.raw.rstrip(b"\r\n")
    head = str(unit.number).encode() + mark
    if len(body) <= LONG_LINE:
        return head + body + b"\n"
    if pattern is None:
        return head + body[:AROUND] + f"…[+{len(body) - AROUND:,} bytes]\n".encode()
    out: list[bytes] = []
    count, last = 0, -1
    for match in pattern.finditer(body):
        count += 1
        if len(out) < _TOLD and match.start() > last:
            start, last = max(0, match.start() - AROUND), min(len(body), match.end() + AROUND)
            last = min(last, match.start() + 4 * AROUND)
            where = f"[{unit.offset + start}:{unit.offset + last}] ".encode()
            out.append(
                head + where + b"\xe2\x80\xa6" * (start > 0) + body[start:last] + b"\xe2\x80\xa6" * (last < len(body))
            )
    out.append(head + f"[{count:,} matches in this line of {len(body):,} bytes; --bytes A:B shows more]".encode())
    return b"\n".join(out) + b"\n"
