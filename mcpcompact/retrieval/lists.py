"""The list in a result: which one it is, how its items are delimited, what one of them is as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mcpcompact.content._tree import join_key
from mcpcompact.errors import InputError
from mcpcompact.outline import Source, decode
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
    as_utf8,
    buffer_of,
    kind_of,
    list_items,
    records,
)
from mcpcompact.slotted import dataclass, field

LISTS = ("records", "json", "table", "fasta")
"""The content types that may hold a list."""

_CONTROL = regex(r"[\x00-\x1f]")
_NOUNS = {TABLE: "row", FASTA: "sequence", NDJSON: "record"}
_AT_MOST = 12


@dataclass(slots=True)
class Listing:
    """A list that was found. ``units`` reads its items again at each call, from a number on."""

    kind: str
    noun: str
    units: Callable[[Callable[[Unit], object]], Iterator[Unit]]
    span: tuple[int, int] | None = None  # of a list at a path, in the source
    path: Callable[[], str] = str  # of a main list below the top
    skipped: list[int] = field(default_factory=list)  # numbers of lines that are no items

    def items(self) -> Iterator[Unit]:
        """All items, read anew."""
        self.skipped.clear()
        return (unit for unit in self.units(lambda line: self.skipped.append(line.number)) if unit.number)


def listing(source: Source, content_type: str, path: str = "") -> Listing:
    """The list at ``path``, else the main list of the source: the one that its summary numbers.

    Raises ``InputError`` that names what is there and which lists there are.
    """
    source = as_utf8(source)
    if content_type not in LISTS:
        raise InputError(f"there is no list in this input: it is {content_type}", hint="read it with `chunk`")
    kind = kind_of(source, content_type)
    if kind in (JSON, DOCUMENTS):
        return _in_json(source, kind, path)
    if path:
        raise InputError(
            f"a path leads into one JSON document; this is {'NDJSON' if kind == NDJSON else content_type}",
            hint="leave --path out; --fields chooses what is inside an item",
        )
    if kind == LINES:
        raise InputError("there is no list in this input: its rows cannot be told apart", hint="read it with `chunk`")
    return Listing(kind, _NOUNS[kind], lambda skipped: records(source, content_type, 1, skipped))


def _in_json(source: Source, kind: str, path: str) -> Listing:
    buffer = buffer_of(source)
    top = first_value(buffer)
    if path:
        return _at_path(buffer, top, path)
    if kind == DOCUMENTS:
        return Listing(kind, "record", lambda _: records(source, "json"))
    at = find_list(buffer)
    if at < 0:
        raise InputError(f"there is no list in this input: it is {_what(buffer, top)}", hint=_which(buffer))
    return Listing(JSON, "item", lambda _: list_items(buffer, at), path=lambda: path_to(buffer, at))


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
    while at != wanted and buffer[at : at + 1] == b"{":
        inside = ((str(key), left) for key, left, right in children(buffer, at) if left <= wanted < right)
        key, at = next(inside, ("", wanted))
        path = join_key(path, key)
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
        level = below[:100]
        if len(found) >= 100:
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
    if fields and unit.kind != TABLE:
        return decode(projected(unit, fields)).rstrip("\n"), True
    if unit.kind == FASTA:
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
