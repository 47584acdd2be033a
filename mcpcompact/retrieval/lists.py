"""The list in a result: which one it is, how its items are delimited, what one of them is as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from functools import partial, reduce
from itertools import islice
from typing import Any

from mcpcompact.content.shared.tree import join_key
from mcpcompact.errors import InputError, UsageError
from mcpcompact.patterns import regex
from mcpcompact.phrasing import some
from mcpcompact.retrieval import spans, units
from mcpcompact.retrieval.conditions import number, plain, values_at
from mcpcompact.retrieval.selection import projected
from mcpcompact.source import Source, decode

_MAX = 100  # lists that are found

LISTS = ("records", "json", "table", "fasta", "markup")  # the content types that may hold a list

_CONTROL = regex(r"[\x00-\x1f]")
_AT_MOST = 12
_MAP = 10  # objects by key that make a list of records; fewer are the parts of one thing
_XML_AT_MOST = 64 << 20  # bytes that are read at once
_TAG = regex(rb"<[^\s/>]+(?:\"[^\"]*+\"|'[^']*+'|[^>\"'])*+>")
XML = "xml"


@dataclass(slots=True)
class Listing:
    """A list that was found. ``read`` gives its items again at each call, from a number on."""

    read: Callable[[], Iterator[units.Unit]]
    span: tuple[int, int] | None = None  # of a list at a path, in the source
    path: Callable[[], str] = str  # of a main list below the top
    made: bool = False  # items are not bytes of the source as they stand
    skipped: list[int] = field(default_factory=list)  # numbers of lines that are no items

    def items(self) -> Iterator[units.Unit]:
        """All items, read anew."""
        self.skipped.clear()
        return (unit for unit in self.read() if unit.number)


def listing(source: Source, content_type: str, path: str = "") -> Listing:
    """The list at ``path``, else the main list of the source: the one that its summary numbers.

    Raises ``InputError`` that names what is there and which lists there are.
    """
    given, source = source, units.as_data(source, content_type)
    if content_type not in LISTS:
        raise InputError(f"there is no list in this input: it is {content_type}", hint="read it with `chunk`")
    kind = units.kind_of(source, content_type)
    if kind in (units.JSON, units.DOCUMENTS) and content_type != "markup":
        result = _in_json(source, kind, path, content_type)
        if source is not given:
            result.made, result.span = True, None
        return result
    if content_type == "markup" and not path:
        places = elements(source)
        return Listing(lambda: (units.Unit(n, a, source.read(a, b), kind=XML) for n, (a, b) in enumerate(places, 1)))
    if path:
        raise InputError(
            f"a path leads into one JSON document; this is {'NDJSON' if kind == units.NDJSON else content_type}",
            hint="leave --path out; --fields chooses what is inside an item",
        )
    if kind == units.LINES:
        raise InputError("there is no list in this input: its rows cannot be told apart", hint="read it with `chunk`")
    skipped: list[int] = []
    read = partial(units.records, source, content_type, skipped=skipped)
    return Listing(read, made=source is not given, skipped=skipped)


def elements(source: Source) -> list[tuple[int, int]]:
    """Byte spans of the elements that make the longest list of one name in an XML document. Raises ``InputError``."""
    from xml.parsers import expat

    parser = expat.ParserCreate()
    opened: list[tuple[str, int, dict[str, list[tuple[int, int]]]]] = []
    best: list[tuple[int, int]] = []
    data = source.data if source.size <= _XML_AT_MOST else b""

    def start(name: str, _: object) -> None:
        opened.append((name, parser.CurrentByteIndex, {}))

    def end(name: str) -> None:
        nonlocal best
        _, begun, inside = opened.pop()
        tag = _TAG.match(data, begun)
        if tag is not None and data[tag.end() - 2 : tag.end()] == b"/>":
            last = tag.end()
        else:
            last = data.find(b">", parser.CurrentByteIndex) + 1
        best = max([best, *inside.values()], key=lambda run: run[-1][1] - run[0][0] if len(run) > 2 else 0)
        if opened:
            opened[-1][2].setdefault(name, []).append((begun, last))

    def refuse(*_: object) -> None:
        raise ValueError("entities are not expanded")

    parser.StartElementHandler, parser.EndElementHandler, parser.EntityDeclHandler = start, end, refuse
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, ValueError, AttributeError):
        best = []
    if not best:
        raise InputError("there is no list in this input: it is markup", hint="read it with `chunk`")
    return best


def _in_json(source: Source, kind: str, path: str, content_type: str) -> Listing:
    buffer = units.buffer_of(source)
    top = spans.first_value(buffer)
    if path:
        return _at_path(buffer, top, path)
    if kind == units.DOCUMENTS:
        return Listing(lambda: units.records(source, "json"))
    at = spans.find_list(buffer)
    if content_type == "json" and (at < 0 or len(list(islice(spans.children(buffer, at), 2))) <= 1):
        larger = _largest(buffer, top)  # the summary numbers no records here
        at = at if larger < 0 else larger
    if at >= 0 and buffer[at : at + 1] == b"{":
        return Listing(lambda: _members(buffer, at), path=lambda: path_to(buffer, at), made=True)
    if at < 0:
        raise InputError(f"there is no list in this input: it is {_what(buffer, top)}", hint=_which(buffer))
    return Listing(lambda: units.list_items(buffer, at), path=lambda: path_to(buffer, at))


def _members(buffer: spans.Buffer, at: int) -> Iterator[units.Unit]:
    """The members of a map of records, each as its key and its value, which --fields and --where look into."""
    for place, (key, left, right) in enumerate(spans.children(buffer, at), 1):
        name = json.dumps(key, ensure_ascii=False).encode()
        yield units.Unit(place, left, b'{"key": %b, "node": %b}' % (name, bytes(buffer[left:right])), kind=units.JSON)


def _largest(buffer: spans.Buffer, top: int) -> int:
    """Where the list, or the map of objects, begins that holds most of a document; -1 where there is none.

    It is looked for through objects and lists of one element.
    """
    sizes, level = [(0, -1)], [top]
    for _ in range(spans.LIST_DEPTH + 1):
        below: list[int] = []
        for at in level:
            inside = [(left, right) for _, left, right in spans.children(buffer, at)]
            objects = sum(buffer[left : left + 1] == b"{" for left, _ in inside)
            is_list = buffer[at : at + 1] == b"["
            if (len(inside) > 1 and is_list) or (objects >= _MAP and objects == len(inside)):
                sizes.append((inside[-1][1] - at, at))
            elif not is_list or len(inside) == 1:
                below += [left for left, _ in inside if buffer[left : left + 1] in (b"[", b"{")]
        level = below[:_MAX]
    return max(sizes)[1]


def _at_path(buffer: spans.Buffer, top: int, path: str) -> Listing:
    steps = spans.parse_path(path)
    places = spans.locate(buffer, top, steps)
    if not places:
        raise InputError(f"path {path!r} leads nowhere", hint=f"{_arrival(buffer, top, steps)}; {_which(buffer)}")
    start, end = places[0]
    if len(places) == 1 and buffer[start : start + 1] == b"[":
        return Listing(lambda: units.list_items(buffer, start), (start, end))
    if len(places) == 1 and None not in steps:
        raise InputError(f"there is no list at {path!r}: it is {_what(buffer, start)}", hint=_which(buffer))
    return Listing(lambda: units.values(buffer, places))


def _arrival(buffer: spans.Buffer, top: int, steps: list[spans.Step]) -> str:
    """What stands where the longest part of a path that leads somewhere ends."""
    length, at = spans.arrival(buffer, top, steps)
    return f"before {steps[length]!r} there is {_what(buffer, at)}" if length else f"the input is {_what(buffer, top)}"


def _what(buffer: spans.Buffer, at: int) -> str:
    """A value in a few words."""
    opening = bytes(buffer[at : at + 1])
    if opening == b"{":
        names = [str(key) for key, _, _ in spans.children(buffer, at)]
        return f"an object with {some(names, _AT_MOST)}" if names else "{}"
    if opening == b"[":
        return "a list"
    return {b'"': "a string", b"t": "true", b"f": "false", b"n": "null", b"": "empty"}.get(opening, "a number")


def _which(buffer: spans.Buffer) -> str:
    lists = lists_in(buffer)
    if not lists:
        return f"no list is within {spans.LIST_DEPTH} objects of its top"
    return "lists: " + some([f"{path or '(the input itself)'} ({count:,})" for path, count in lists], _AT_MOST)


def path_to(buffer: spans.Buffer, wanted: int) -> str:
    """The path of the value that begins at ``wanted``, through objects."""
    path, at = "", spans.first_value(buffer)
    while at != wanted and buffer[at : at + 1] in (b"{", b"["):
        inside = ((key, left) for key, left, right in spans.children(buffer, at) if left <= wanted < right)
        key, at = next(inside, ("", wanted))
        path = f"{path}[{key}]" if isinstance(key, int) else join_key(path, str(key))
    return path


def lists_in(buffer: spans.Buffer) -> list[tuple[str, int]]:
    """Paths and lengths of the lists that objects lead to, ``LIST_DEPTH`` deep, the first hundred."""
    containers = spans.containers(buffer, spans.first_value(buffer))
    lists = islice(((keys, start) for keys, start in containers if buffer[start] == spans.LIST), _MAX)
    return [(reduce(join_key, keys, ""), sum(1 for _ in spans.children(buffer, start))) for keys, start in lists]


def as_json(unit: units.Unit, fields: tuple[str, ...] = ()) -> tuple[str, bool]:
    """An item as one line of JSON, and whether it is sound.

    A JSON value stands as it is in the original, to the digit, only without white space between its parts and with
    control characters escaped; what does not parse is a string of its characters. A row is an object of its cells'
    texts, a sequence a string of its record.
    With ``fields`` it is an object of those; a scalar has none and stands as it is.
    """
    if unit.kind in (units.JSON, units.NDJSON):
        text = decode(spans.drop_space(unit.raw))
        if not text.isprintable():  # a bare control character in a string would not be JSON
            text = _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
        if not _parses(text):
            return json.dumps(decode(unit.raw), ensure_ascii=False), False
        if not fields or text[:1] not in ("{", "["):
            return text, True
    if fields and unit.kind not in (units.TABLE, XML):
        return decode(projected(unit, fields)).rstrip("\n"), True
    if unit.kind in (units.FASTA, XML):
        return json.dumps(decode(unit.raw), ensure_ascii=False), True
    row: dict[str, Any] = unit.value()
    return json.dumps({name: row.get(name, "") for name in fields or row}, ensure_ascii=False), True


def _parses(text: str) -> bool:
    try:
        json.loads(text, strict=False)
    except RecursionError:  # as deep as it is, it was closed
        return True
    except ValueError:
        return False
    return True


def names_of(unit: units.Unit) -> list[str]:
    """The fields of an item, nested ones by their paths, two deep."""
    value = unit.value()
    names: list[str] = []
    for key, inner in value.items() if isinstance(value, dict) else ():
        if key == "node" and isinstance(inner, dict) and len(value) <= 2:
            names += [str(name) for name in inner]
            continue
        names.append(str(key))
        if isinstance(inner, dict):
            names += [f"{key}.{name}" for name in list(inner)[:50]]
    return names


_DATE_MOST = 40
_DATE_LEAST = 8  # characters
_YEAR_2096 = 4_000_000_000
_YEAR_2001 = 978_307_200  # seconds

NEWEST = "newest"
SAMPLE = 200  # items that are looked at for the field that `newest` sorts by

_KINDS = ("number", "text", "true or false", "list or object")
_CREATED = ("created", "create_time", "createtime", "creation", "published", "inserted")
_TIMES = ("timestamp", "datetime", "time", "ts", "date", "when", "start", "at")
_CHANGE, _OTHER = 2, 3
_CHANGED = ("updated", "modified", "changed", "pushed", "last")


@dataclass(frozen=True, slots=True)
class Sort:
    """``FIELD``, ``FIELD:desc``, ``FIELD:asc`` or ``newest``; the field ``.`` is the item itself."""

    field: str
    descending: bool = False

    @classmethod
    def parse(cls, text: str) -> Sort:
        """The order that a text means. Raises ``UsageError``."""
        if text.strip() == NEWEST:
            return cls(NEWEST, True)
        name, colon, way = text.strip().rpartition(":")
        if not colon or way.lower() not in ("asc", "desc"):
            name, way = text.strip(), "asc"
        if not name:
            raise UsageError(f"sort {text!r} cannot be read", hint="write FIELD, FIELD:desc or newest")
        return cls(name, way.lower() == "desc")


def order(entries: Listing, sort: Sort) -> tuple[list[int], list[str]]:
    """The numbers of all items in the order of ``sort``, and what is to be said about it.

    Raises ``InputError`` when no item has the field, or none a date for ``newest``.
    """
    notes = []
    field, dated = sort.field, sort.field == NEWEST
    if dated:
        field = newest_field(list(islice(entries.items(), SAMPLE)))
        notes.append(f"newest first by {field}")
    steps: list[spans.Step] | None = None
    if field != ".":
        steps = [*field.split(".")] if dated else spans.parse_path(field)
    have: list[tuple[tuple[int, Any], int]] = []
    lack: list[int] = []
    kinds = [0] * len(_KINDS)
    for unit in entries.items():
        value = unit.value()
        if steps is not None:
            value = next(values_at(value, steps), None)
        key = _key(_instant(value) if dated else value, unit.kind == units.TABLE)
        if key is None:
            lack.append(unit.number)
            continue
        have.append((key, unit.number))
        kinds[key[0]] += 1
    total = len(have) + len(lack)
    if not have and total and field != ".":
        raise InputError(f"none of the {total:,} items has {field!r}", hint=_fields_of([next(entries.items())]))
    if lack:
        what = "are null" if field == "." else f"have no {field}"
        notes.append(f"{len(lack):,} of {total:,} {what} and stand last")
    if sum(map(bool, kinds)) > 1:
        types = ", then ".join(f"{kind} ({n:,})" for n, kind in zip(kinds, _KINDS, strict=True) if n)
        notes.append(f"{'the value' if field == '.' else field} is of several types; in ascending order: {types}")
    have.sort(key=lambda pair: pair[0], reverse=sort.descending)
    return [n for _, n in have] + lack, notes


def _key(value: Any, cell: bool) -> tuple[int, Any] | None:
    if value is None or (cell and not value):
        return None
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, (int, Decimal)) or (cell and number(value) is not None):
        return 0, number(value)
    if isinstance(value, float):  # an instant; of what is read, NaN alone
        return (1, str(value)) if value != value else (0, value)
    return (1, value) if isinstance(value, str) else (3, plain(value))


def newest_field(items: Iterable[units.Unit]) -> str:
    """The most date-like field of some items: the one that most of them hold a date in, at least half, and where it
    is present in at least four of five. Of several, names of creation stand before times, times before changes,
    changes before other names; then the less nested; then the first. Raises ``InputError`` where there is none."""
    items = list(items)
    dates: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for unit in items:
        value = unit.value()
        for name in dict.fromkeys(names_of(unit)):
            inner = next(values_at(value, name.split(".")), None)
            if inner is not None and inner != "":
                seen[name] += 1
                timely = isinstance(inner, str) or _rank(name) != _OTHER  # ids look like seconds
                dates[name] += timely and _instant(inner) is not None
    good = [name for name in dates if dates[name] * 5 >= seen[name] * 4 and dates[name] * 2 >= len(items)]
    if not good:
        raise InputError("no field of these items holds dates", hint=f"sort by FIELD:desc; {_fields_of(items)}")
    return min(good, key=lambda name: (-dates[name], _rank(name), name.count("."), list(dates).index(name)))


def _rank(name: str) -> int:
    last = name.rpartition(".")[2].lower().lstrip("@_")
    for rank, words in enumerate((_CREATED, _TIMES)):
        if last.startswith(words) or (rank and last.endswith(("time", "date", "timestamp"))):
            return rank
    return _CHANGE if last.startswith(_CHANGED) else _OTHER


def _instant(value: Any) -> float | None:
    """Seconds since 1970 of an ISO 8601 or RFC 5322 date, or of a number of seconds or milliseconds; else None."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, Decimal)):
        return _epoch(float(value))
    if not isinstance(value, str) or not _DATE_LEAST <= len(value) <= _DATE_MOST:
        return None
    text = value.strip()
    try:
        moment = datetime.fromisoformat(text.replace("/", "-") if text[4:5] == "/" else text)
    except ValueError:
        if text.isdigit() and len(text) in (10, 13):
            return _epoch(float(text))
        from email.utils import parsedate_to_datetime

        try:
            moment = parsedate_to_datetime(text)
        except (ValueError, TypeError, IndexError):
            return None
    else:
        if text.isdigit() and not text.startswith(("19", "20")):
            return None  # fromisoformat reads 8 digits as a day
    try:
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (OverflowError, ValueError):
        return None


def _epoch(number: float) -> float | None:
    """Seconds from 2001 to 2096, or the milliseconds of that time."""
    for scale in (1.0, 1e3):
        if _YEAR_2001 <= number / scale < _YEAR_2096:
            return number / scale
    return None


def _fields_of(items: Iterable[units.Unit]) -> str:
    names = list(dict.fromkeys(name for unit in items for name in names_of(unit)))[:12]
    return f"there is {', '.join(names)}" if names else "these items have no fields; '.' is the item itself"
