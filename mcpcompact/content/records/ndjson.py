"""NDJSON, read in blocks with mergeable statistics; single rows are read again by their block's offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any, Literal

from mcpcompact.collector import paused
from mcpcompact.content.anomalies.words import BROKEN
from mcpcompact.content.columns.cutting import shorten
from mcpcompact.content.columns.findings import marks
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.records import listing, rows
from mcpcompact.content.records.groups import extremes
from mcpcompact.content.records.sample import Sheet
from mcpcompact.content.shared import calls, jsontext, packing
from mcpcompact.content.shared.flow import flow
from mcpcompact.content.shared.tests import Case, is_stream, of_events, reported
from mcpcompact.errors import InputError
from mcpcompact.outline import Fact, Hints, Item, Keep, Lossless, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped
from mcpcompact.shell import Selector
from mcpcompact.source import Source

BLOCK = 1 << 19  # its objects stay in the processor's cache
SETTLED, FEW = 16, 64  # after so many blocks so few texts of a field are taken for all that it will hold
EXACT = 8 << 20  # larger input is not re-encoded


def from_lines(source: Source, hints: Hints | None = None) -> Outline:
    reader = _Lines(source)
    with paused():
        reader.read()
    total, bad = reader.stats.total, reader.bad
    if not total:
        raise InputError("no line of this input is a JSON object", hint="try --type text")
    told_by_events = not source.large and is_stream(reader.fetch([1]).get(1, {}))
    events = filter(None, map(load_line, _lines(source.data, True))) if told_by_events else ()
    cases = [*of_events(events)]
    if (items := _failed(reader, cases)) and not bad.count:
        facts = [Fact(f"NDJSON: {total:,} events, {listing.fields_text(reader.stats)}", 0), *reported(cases, "record")]
        facts += calls.items(hints, total)
        field, _, value = next(case.field for case in cases if case.outcome in BROKEN).partition("=")
        more: list[Selector] = [("--where", f"{field}={value}")]
        return Outline("records", "record", total, f"{total:,} records", facts, items, extension=".ndjson", more=more)
    if not (source.large or bad.count or cases) and (events_said := _session(reader)):
        first = f"NDJSON: {total:,} records, of each what it says (no ids, types of parts, usage)"
        facts = [Fact(first, 0), *calls.items(hints, total)]
        return Outline("records", "record", total, f"{total:,} records", facts, events_said, extension=".ndjson")
    odd = [] if cases and not items else marks(reader.stats)  # all passed
    ends = extremes(reader.stats.columns.values())
    wanted = {*rows.first(total), *reader.kept, *(m.row for m in odd), *ends, total}
    held = reader.fetch(sorted(wanted))
    sheet = Sheet(reader.stats, sorted(wanted & held.keys()), rows.cells_of(held.__getitem__))
    result = listing.as_table(sheet, odd, not bad.count, hints)
    aside = listing.TOLD[: 2 - bool(items)]
    out = listing.outlined(f"NDJSON: {total:,} records", result, reported(cases, "record"), hints, aside)
    out.extension = ".ndjson"
    if bad.count:
        at = ", ".join(f"{n:,}" for n in bad.lines) + (", …" if bad.count > len(bad.lines) else "")
        one = bad.count == 1
        kind = "do not parse as objects" if not one else "is cut off" if bad.torn else "does not parse as an object"
        says = f"; they say: {shorten(' · '.join(bad.texts), listing.BAD_SAID)}" if bad.texts else ""
        out.notes.append(
            f"{bad.count:,} line{'' if one else 's'} of {reader.line:,} {kind} (line {at}); "
            f"records are numbered without them{says}"
        )
    if reader.twice:
        keys = ", ".join(f"{key} (#{number})" for key, number in list(reader.twice.items())[:5])
        out.notes.append(f"keys that occur twice in one record: {keys}; the last value counts")
    out.more = listing.selectors(result.stats.total, result.marks)
    if not source.large and not bad.count:
        text, least = source.text, listing.least(result.stats)
        if re.search(r'[{,:\[]\s+["{\[\d]|"\s+:', text[:100_000]):
            bare = lambda: "\n".join(map(jsontext.minify, text.split("\n")))  # noqa: E731
            out.lossless.append(Lossless("JSON without whitespace", bare, least))
        if len(text) <= EXACT and len(reader.stats.shapes[""]) == 1:
            out.lossless.append(Lossless("table with its keys said once", lambda: pack_lines(text), least))
    return out


def _session(reader: _Lines) -> list[Item]:
    """Of the events of a session (most have a message) what each says, the latest first, none more than its share."""
    total = reader.stats.total
    few = total <= EVENTS and reader.source.size >= LONG * total
    events = reader.fetch(range(1, total + 1)) if few else {}
    held = ((n, one.get(key)) for n, one in events.items() for key in reversed(_BODIES))  # the last one found counts
    bodies = {n: body for n, body in held if isinstance(body, dict) and not _SAYS.isdisjoint(body)}
    items, room = list[Item](), max(SAYS // max(total, FEWEST), listing.BAD_SAID)
    for n, event in sorted(events.items()) if 2 * len(bodies) > total else ():
        stamp = next((f" {event[key]}" for key in ("timestamp", "ts", "time") if event.get(key)), "")
        kind = f" {event['type']}" if event.get("type") else ""
        text = clipped(flow(_telling(bodies.get(n, event))), room)
        items.append(Item(n, n, f"#{n}{stamp}{kind} {text}", weight=1 / (1 + total - n), whole=True))
    return items


_BODIES = "message", "payload", "item", "part"  # what an event of a session is about, and what that has
_SAYS = frozenset(("role", "content", "text", "call_id"))
_ASIDE = regex(r"(?:.*[iI][dD]|usage|timestamp|type)$")  # keys that say little of it
SAYS, LONG, EVENTS = 2_400, 400, 1_000  # characters of all events together; of one on average; events at most
FEWEST = 3  # events: of two each has no more than a third
DEEP = 12  # levels of an event


def _telling(value: Any, depth: int = 0) -> Any:
    if depth > DEEP and isinstance(value, (dict, list)):
        return "…"
    if isinstance(value, list):
        return [_telling(each, depth + 1) for each in value]
    if not isinstance(value, dict):
        return value
    return {k: _telling(v, depth + 1) for k, v in value.items() if v not in ("", None) and not _ASIDE.match(k)}


def _failed(reader: _Lines, cases: Iterable[Case]) -> list[Item]:
    """The events that say how each failed test did so, texts of several lines below the rest; those of tests that
    passed say nothing beside them."""
    numbers = sorted({n for case in cases if case.outcome in BROKEN for n in case.records})
    items = []
    for n, event in reader.fetch(numbers).items():
        long = {key: text for key, text in event.items() if isinstance(text, str) and "\n" in text.strip()}
        head = f"#{n} {flow({key: value for key, value in event.items() if key not in long})}"
        text = "\n".join([head, *(f"{key}:\n{held.rstrip()}" for key, held in long.items())])
        items.append(Item(n, n, text, Keep.SEVERE, flow="lines"))
    return items


def pack_lines(text: str) -> str:
    """NDJSON as a table with its keys said once; the text itself where that cannot be said."""
    parsed = jsontext.parse(text)
    if parsed.problem or parsed.duplicates or parsed.constants:
        return text
    return packing.pack(parsed.documents) or text


def blocks(source: Source) -> Iterator[bytes]:
    """As ``Source.blocks``, with one copy less: whole lines, none longer than 16 blocks."""
    if not source.large or source.path is None:
        yield from source.blocks(BLOCK)
        return
    with open(source.path, "rb") as stream:
        while block := stream.read(BLOCK):
            yield block if block.endswith(b"\n") else block + stream.readline(16 * BLOCK)


class _Slots:
    """Records that all have the same keys, decoded into slots instead of dicts: in two thirds of the time."""

    def __init__(self, keys: tuple[str, ...], few: Mapping[str, Iterable[str]]) -> None:
        """``few``: the texts of fields that are expected to hold no others; each is one object then, made only once.

        Raises ``ValueError`` for keys that take a quote, a backslash or a control character.
        """
        import msgspec

        self.keys = keys
        scalar: Any = str | float | bool | Annotated[int, msgspec.Meta(ge=-(1 << 63), le=(1 << 63) - 1)] | None
        value: Any = scalar  # of larger integers orjson makes floats: they are left to it
        for _ in range(2):
            value = scalar | list[value] | dict[str, value]
        one_of: Any = Literal
        names = [f"f{n}" for n in range(len(keys))]  # keys need not be names
        record: Any = msgspec.defstruct(
            "Record",
            [(n, one_of[tuple(few[k])] if k in few else value) for n, k in zip(names, keys, strict=True)],
            rename=dict(zip(names, keys, strict=True)),
            forbid_unknown_fields=True,
            gc=False,
        )
        self._decode = msgspec.json.Decoder(list[record]).decode
        self._values = msgspec.structs.astuple

    @classmethod
    def of(cls, keys: tuple[str, ...], few: Mapping[str, Iterable[str]]) -> _Slots | None:
        try:
            return cls(keys, few) if keys else None
        except ValueError:
            return None

    def columns(self, listed: bytes, count: int) -> list[Sequence[Any]] | None:
        """The values of each key in a JSON list of ``count`` records; None where it is not one, or keys differ."""
        try:
            records = self._decode(listed)
        except (ValueError, RecursionError):
            return None
        return list(zip(*map(self._values, records), strict=True)) if len(records) == count else None


class _Lines:
    """One pass over NDJSON; block offsets are kept so that single rows can be read again."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.stats = Columns(ids=not source.large)
        self.bad = listing.Bad()
        self.line = 0
        self.blocks: list[tuple[int, int, int]] = []  # first record number, byte start, byte end
        most = listing.ROWS_LARGE if source.size > 4 << 20 else listing.ROWS_SMALL
        self.most = most // 2 if source.large else most
        self.kept: dict[int, bytes] = {}  # evenly chosen lines
        self.step = 1
        self.slots: _Slots | None = None
        self.tries = 3  # layouts tried
        self.twice: dict[str, int] = {}  # keys that occur twice in a record shown, and in which first

    def read(self) -> None:
        import orjson

        loads, start = orjson.loads, 0
        for block in blocks(self.source):
            end = start + len(block)
            first = self.stats.total + 1
            if self._at_once(block, loads):
                self._hold([block[: block.index(b"\n")]], first)
            else:
                lines, records = self._by_line(block, loads)
                if records:
                    self.stats.add(records)
                    self._hold(lines, first)
                del lines, records
            self.blocks.append((first, start, end))
            start = end

    def _at_once(self, block: bytes, loads: Any) -> bool:
        """Take in a block of a large input as one list; False, and nothing taken, where lines need a look each."""
        if not self.source.large or not block.endswith(b"\n"):
            return False
        listed = block.replace(b"\n", b",\n")  # a line break within a string stays one, and is refused
        count = len(listed) - len(block)  # quicker than bytes.count
        listed = b"".join((b"[", memoryview(listed)[:-2], b"]"))
        if self.slots is not None:
            columns = self.slots.columns(listed, count)
            if columns is not None:
                self.stats.add_columns(self.slots.keys, columns, count)
                self.line += count
                if len(self.blocks) == SETTLED:
                    self.slots = _Slots.of(self.slots.keys, self._few())
                return True
            self.slots = None
        try:
            records = loads(listed)
        except (ValueError, RecursionError):
            return False
        if len(records) != count or set(map(type, records)) != {dict}:
            return False
        self.stats.add(records)
        self.line += count
        if self.tries and len(self.stats.shapes[""]) == 1:  # the next block will be alike
            self.tries -= 1
            self.slots = _Slots.of(tuple(records[0]), {})
        return True

    def _few(self) -> dict[str, list[str]]:
        """Fields that held nothing but the same few texts so far."""
        return {
            column.steps[0]: list(column.tally.counts)
            for column in self.stats.columns.values()
            if column.tally is not None and column.level < 0 and len(column.tally.counts) <= FEW
            if set(column.kinds) == {"string"} and len(column.steps) == 1
        }

    def _by_line(self, block: bytes, loads: Any) -> tuple[list[bytes], list[dict[str, Any]]]:
        lines = block.split(b"\n")
        if not lines[-1]:
            lines.pop()
        before = self.line
        self.line += len(lines)
        with suppress(ValueError, RecursionError):
            records = list(map(loads, lines))
            if set(map(type, records)) <= {dict}:
                return lines, records
        return self._carefully(block, before)

    def _carefully(self, block: bytes, before: int) -> tuple[list[bytes], list[dict[str, Any]]]:
        lines, records = [], []
        raw = block.split(b"\n")
        for number, line in enumerate(raw, before + 1):
            if not line.strip():
                continue
            line = line.removeprefix(b"\xef\xbb\xbf")
            record = load_line(line)
            if record is None:
                self.bad.add(number, line)
                self.bad.torn = number == before + len(raw) and line.lstrip().startswith(b"{")
            else:
                lines.append(line)
                records.append(record)
        return lines, records

    def _hold(self, lines: Sequence[bytes], first: int) -> None:
        """Every ``step``-th line; of a large input the first of each block, later of every second one and so on."""
        if self.source.large:
            if not len(self.blocks) % self.step:
                self.kept[first] = lines[0]
            if len(self.kept) > self.most:
                self.step *= 2
                self.kept = dict(list(self.kept.items())[::2])
            return
        while (first + len(lines) - 2) // self.step >= self.most:
            self.step *= 2
        self.kept = {n: line for n, line in self.kept.items() if (n - 1) % self.step == 0}
        ahead = (1 - first) % self.step
        for i in range(ahead, len(lines), self.step):
            self.kept[first + i] = lines[i]

    def fetch(self, wanted: Sequence[int]) -> dict[int, dict[str, Any]]:
        """The wanted records, their numbers exactly as written."""
        from bisect import bisect_right

        lines = dict(self.kept)
        firsts = [b[0] for b in self.blocks]
        by_block: dict[int, list[int]] = {}
        for number in wanted:
            if number not in lines:
                by_block.setdefault(bisect_right(firsts, number) - 1, []).append(number)
        for index, numbers in by_block.items():
            first, start, end = self.blocks[index]
            good = _lines(self.source.read(start, end), start == 0)
            if self.bad.count:
                good = [line for line in good if load_line(line) is not None]
            for number in numbers:
                if number - first < len(good):
                    lines[number] = good[number - first]
        out = {}
        for number in wanted:
            parsed = jsontext.parse(lines[number].decode("utf-8", "replace")) if number in lines else None
            if parsed is not None and parsed.documents and isinstance(parsed.documents[0], dict):
                out[number] = parsed.documents[0]
                self.twice.update({key: number for key in parsed.duplicates if key not in self.twice})
        return out


def _lines(block: bytes, first: bool) -> list[bytes]:
    if first:
        block = block.removeprefix(b"\xef\xbb\xbf")
    return [line for line in block.split(b"\n") if line and not line.isspace()]


def load_line(line: bytes) -> dict[str, Any] | None:
    """One line of NDJSON, NaN and invalid UTF-8 forgiven; None when it is no object."""
    import json

    import orjson

    try:
        value = orjson.loads(line)
    except ValueError:
        try:
            value = json.loads(line.decode("utf-8", "replace"), strict=False)
        except (ValueError, RecursionError):
            return None
    return value if isinstance(value, dict) else None
