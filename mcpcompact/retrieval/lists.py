"""The list in a result: which one it is, how its items are delimited, what one of them is as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from mcpcompact.content.shared.tree import join_key
from mcpcompact.errors import InputError
from mcpcompact.patterns import regex
from mcpcompact.retrieval.selection import projected
from mcpcompact.retrieval.spans import (
    LIST_DEPTH,
    Buffer,
    Step,
    children,
    drop_space,
    find_list,
    first_value,
    locate,
    parse_path,
    value_end,
)
from mcpcompact.retrieval.units import (
    DOCUMENTS,
    FASTA,
    JSON,
    LINES,
    NDJSON,
    TABLE,
    Unit,
    as_data,
    buffer_of,
    kind_of,
    list_items,
    records,
)
from mcpcompact.source import Source, decode

_MOST = 100  # lists that are found

LISTS = ("records", "json", "table", "fasta", "markup")
"""The content types that may hold a list."""

_CONTROL = regex(r"[\x00-\x1f]")
_NOUNS = {TABLE: "row", FASTA: "sequence", NDJSON: "record"}
_AT_MOST = 12
_MAP = 10  # objects by key that make a list of records; fewer are the parts of one thing
_XML_AT_MOST = 64 << 20  # bytes that are read at once
_TAG = regex(rb"<[^\s/>]+(?:\"[^\"]*+\"|'[^']*+'|[^>\"'])*+>")
XML = "xml"


@dataclass(slots=True)
class Listing:
    """A list that was found. ``units`` reads its items again at each call, from a number on."""

    kind: str
    noun: str
    units: Callable[[Callable[[Unit], object]], Iterator[Unit]]
    span: tuple[int, int] | None = None  # of a list at a path, in the source
    path: Callable[[], str] = str  # of a main list below the top
    made: bool = False  # items are not bytes of the source as they stand
    skipped: list[int] = field(default_factory=list)  # numbers of lines that are no items

    def items(self) -> Iterator[Unit]:
        """All items, read anew."""
        self.skipped.clear()
        return (unit for unit in self.units(lambda line: self.skipped.append(line.number)) if unit.number)


def listing(source: Source, content_type: str, path: str = "") -> Listing:
    """The list at ``path``, else the main list of the source: the one that its summary numbers.

    Raises ``InputError`` that names what is there and which lists there are.
    """
    given, source = source, as_data(source, content_type)
    if content_type not in LISTS:
        raise InputError(f"there is no list in this input: it is {content_type}", hint="read it with `chunk`")
    kind = kind_of(source, content_type)
    if kind in (JSON, DOCUMENTS) and content_type != "markup":
        found = _in_json(source, kind, path, content_type)
        if source is not given:
            found.made, found.span = True, None
        return found
    if content_type == "markup" and not path:
        spans = elements(source)
        cut = lambda _: (Unit(n, a, source.read(a, b), kind=XML) for n, (a, b) in enumerate(spans, 1))  # noqa: E731
        return Listing(XML, "element", cut)
    if path:
        raise InputError(
            f"a path leads into one JSON document; this is {'NDJSON' if kind == NDJSON else content_type}",
            hint="leave --path out; --fields chooses what is inside an item",
        )
    if kind == LINES:
        raise InputError("there is no list in this input: its rows cannot be told apart", hint="read it with `chunk`")
    read = lambda skipped: records(source, content_type, 1, skipped)  # noqa: E731
    return Listing(kind, _NOUNS[kind], read, made=source is not given)


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
        best = max([best, *inside.values()], key=lambda spans: spans[-1][1] - spans[0][0] if len(spans) > 2 else 0)
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


def _in_json(source: Source, kind: str, path: str, content_type: str = "json") -> Listing:
    buffer = buffer_of(source)
    top = first_value(buffer)
    if path:
        return _at_path(buffer, top, path)
    if kind == DOCUMENTS:
        return Listing(kind, "record", lambda _: records(source, "json"))
    at = find_list(buffer)
    if content_type == "json" and (at < 0 or len(list(islice(children(buffer, at), 2))) <= 1):
        larger = _largest(buffer, top)  # the summary numbers no records here
        at = at if larger < 0 else larger
    if at >= 0 and buffer[at : at + 1] == b"{":
        return Listing(JSON, "item", lambda _: _members(buffer, at), path=lambda: path_to(buffer, at), made=True)
    if at < 0:
        raise InputError(f"there is no list in this input: it is {_what(buffer, top)}", hint=_which(buffer))
    return Listing(JSON, "item", lambda _: list_items(buffer, at), path=lambda: path_to(buffer, at))


def _members(buffer: Buffer, at: int) -> Iterator[Unit]:
    """The members of a map of records, each as its key and its value, which --fields and --where look into."""
    import json

    for number, (key, left, right) in enumerate(children(buffer, at), 1):
        name = json.dumps(key, ensure_ascii=False).encode()
        yield Unit(number, left, b'{"key": %b, "node": %b}' % (name, bytes(buffer[left:right])), kind=JSON)


def _largest(buffer: Buffer, top: int) -> int:
    """Where the list, or the map of objects, begins that holds most of a document; -1 where there is none.

    It is looked for through objects and lists of one element.
    """
    found, level = [(0, -1)], [top]
    for _ in range(LIST_DEPTH + 1):
        below: list[int] = []
        for at in level:
            inside = [(left, right) for _, left, right in children(buffer, at)]
            objects = sum(buffer[left : left + 1] == b"{" for left, _ in inside)
            is_list = buffer[at : at + 1] == b"["
            if (len(inside) > 1 and is_list) or (objects >= _MAP and objects == len(inside)):
                found.append((inside[-1][1] - at, at))
            elif not is_list or len(inside) == 1:
                below += [left for left, _ in inside if buffer[left : left + 1] in (b"[", b"{")]
        level = below[:_MOST]
    return max(found)[1]


def _at_path(buffer: Buffer, top: int, path: str) -> Listing:
    steps = parse_path(path)
    spans = locate(buffer, top, steps)
    if not spans:
        raise InputError(f"path {path!r} leads nowhere", hint=f"{_arrival(buffer, top, steps)}; {_which(buffer)}")
    start, end = spans[0]
    if len(spans) == 1 and buffer[start : start + 1] == b"[":
        end = max(end, 0) or value_end(buffer, start)
        return Listing(JSON, "item", lambda _: list_items(buffer, start), (start, end))
    if len(spans) == 1 and None not in steps:
        raise InputError(f"there is no list at {path!r}: it is {_what(buffer, start)}", hint=_which(buffer))

    return Listing(
        JSON,
        "item",
        lambda _: (Unit(n, left, bytes(buffer[left:right]), kind=JSON) for n, (left, right) in enumerate(spans, 1)),
    )


def _arrival(buffer: Buffer, top: int, steps: list[Step]) -> str:
    """What stands where the longest part of a path that leads somewhere ends."""
    for length in range(len(steps) - 1, 0, -1):
        if spans := locate(buffer, top, steps[:length]):
            return f"before {steps[length]!r} there is {_what(buffer, spans[0][0])}"
    return f"the input is {_what(buffer, top)}"


def _what(buffer: Buffer, at: int) -> str:
    """A value in a few words."""
    opening = bytes(buffer[at : at + 1])
    if opening == b"{":
        names = [str(key) for key, _ in zip((key for key, _, _ in children(buffer, at)), range(_AT_MOST), strict=False)]
        return f"an object with {', '.join(names)}{', …' if len(names) == _AT_MOST else ''}" if names else "{}"
    if opening == b"[":
        return "a list"
    return {b'"': "a string", b"t": "true", b"f": "false", b"n": "null", b"": "empty"}.get(opening, "a number")


def _which(buffer: Buffer) -> str:
    found = lists_in(buffer)
    if not found:
        return f"no list is within {LIST_DEPTH} objects of its top"
    told = [f"{path or '(the input itself)'} ({count:,})" for path, count in found[:_AT_MOST]]
    return f"lists: {', '.join(told)}{', …' if len(found) > _AT_MOST else ''}"


def path_to(buffer: Buffer, wanted: int) -> str:
    """The path of the value that begins at ``wanted``, through objects."""
    path, at = "", first_value(buffer)
    while at != wanted and buffer[at : at + 1] in (b"{", b"["):
        inside = ((key, left) for key, left, right in children(buffer, at) if left <= wanted < right)
        key, at = next(inside, ("", wanted))
        path = f"{path}[{key}]" if isinstance(key, int) else join_key(path, str(key))
    return path


def lists_in(buffer: Buffer) -> list[tuple[str, int]]:
    """Paths and lengths of the lists that objects lead to, ``LIST_DEPTH`` deep, the first hundred."""
    found: list[tuple[str, int]] = []
    level = [("", first_value(buffer))]
    for _ in range(LIST_DEPTH + 1):
        below: list[tuple[str, int]] = []
        for path, at in level:
            opening = buffer[at : at + 1]
            if opening == b"[":
                found.append((path, sum(1 for _ in children(buffer, at))))
            elif opening == b"{":
                inside = ((join_key(path, str(key)), left) for key, left, _ in children(buffer, at))
                below += [pair for pair in inside if buffer[pair[1] : pair[1] + 1] in (b"[", b"{")]
        level = below[:_MOST]
        if len(found) >= _MOST:
            break
    return found


def as_json(unit: Unit, fields: tuple[str, ...] = ()) -> tuple[str, bool]:
    """An item as one line of JSON, and whether it is sound.

    A JSON value stands as it is in the original, to the digit, only without white space between its parts and with
    control characters escaped; what does not parse is a string of its characters. A row is an object of its cells'
    texts, a sequence a string of its record.
    With ``fields`` it is an object of those; a scalar has none and stands as it is.
    """
    import json

    if unit.kind in (JSON, NDJSON):
        text = decode(drop_space(unit.raw))
        if not text.isprintable():  # a bare control character in a string would not be JSON
            text = _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
        if not _parses(text):
            return json.dumps(decode(unit.raw), ensure_ascii=False), False
        if not fields or text[:1] not in ("{", "["):
            return text, True
    if fields and unit.kind not in (TABLE, XML):
        return decode(projected(unit, fields)).rstrip("\n"), True
    if unit.kind in (FASTA, XML):
        return json.dumps(decode(unit.raw), ensure_ascii=False), True
    row: dict[str, Any] = unit.value()
    return json.dumps({name: row.get(name, "") for name in fields or row}, ensure_ascii=False), True


def _parses(text: str) -> bool:
    import json

    try:
        json.loads(text, strict=False)
    except RecursionError:  # as deep as it is, it was closed
        return True
    except ValueError:
        return False
    return True


def names_of(unit: Unit) -> list[str]:
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
