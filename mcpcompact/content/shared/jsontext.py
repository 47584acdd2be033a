"""JSON as text: a token scanner that never recurses, for whitespace, layout, spans and damaged input.

Works on the raw text, so that numbers, escapes and duplicate keys survive byte for byte. All
functions are linear in the text, take any depth and any damage, and never raise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from mcpcompact.patterns import regex

STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'  # possessive and with an optional end: linear on an unclosed string
_SPACE = regex(rf"({STRING})|(?<=[\[\]{{}},:])[ \t\r\n]++|[ \t\r\n]++(?=[\[\]{{}},:])", re.S)
_TOKEN = regex(rf"{STRING}|[\[\]{{}},:]|[^\s\[\]{{}},:\"]++", re.S)
_CUT = regex(rf"{STRING}|[\[{{]|[\]}}]|,[ \t]*+(?:\r?\n)?", re.S)
_NUMBER = regex(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?")

INDENT_LEVELS = 40
"""Deeper levels are not indented further: 100,000 levels would make a view of gigabytes."""


def minify(text: str) -> str:
    """Drop whitespace outside strings, nothing else. Space that separates two values (``1 2``) stays."""
    return _SPACE.sub(r"\1", text.strip(" \t\r\n"))


def pretty(text: str, indent: int = 2) -> str:
    """A line-friendly view: one member or element a line, every token as it stands in ``text``.

    ``minify(pretty(t)) == minify(t)``; damaged JSON is laid out as far as its brackets tell.
    """
    out: list[str] = []
    depth, empty, line_start = 0, False, True
    pads = ["\n" + " " * (indent * level) for level in range(INDENT_LEVELS + 1)]

    for match in _TOKEN.finditer(text):
        token = match[0]
        if token in "]}" and len(token) == 1:
            depth = max(0, depth - 1)
            if not empty:
                out.append(pads[min(depth, INDENT_LEVELS)])
            out.append(token)
            empty = line_start = False
        elif token == ",":
            out.append("," + pads[min(depth, INDENT_LEVELS)])
            empty, line_start = False, True
        elif token == ":":
            out.append(": ")
            empty, line_start = False, True
        else:
            if empty:
                out.append(pads[min(depth, INDENT_LEVELS)])
            elif not line_start:
                out.append(pads[min(depth, INDENT_LEVELS)])  # a second value in the same place: concatenated JSON
            out.append(token)
            empty = line_start = token in "[{"
            depth += empty
    return "".join(out)


def top_level_spans(text: str) -> Iterator[tuple[int, int]]:
    """Character spans of the elements or members of the top-level value, partitioning ``text``.

    Each span ends behind its comma and line end; brackets go with the first and the last one. Of
    concatenated documents each is cut in the same way.
    """
    if not text:
        return
    start = depth = 0
    for match in _CUT.finditer(text):
        first = match[0][0]
        if first == '"':
            continue
        if first in "[{":
            if depth == 0 and text[start : match.start()].strip():
                yield start, match.start()
                start = match.start()
            depth += 1
        elif first in "]}":
            depth = max(0, depth - 1)
        elif depth == 1:
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)


class Number(float):
    """A number whose shortest form differs from how it was written; ``raw`` is what stood in the text."""

    __slots__ = ("raw",)
    raw: str

    def __new__(cls, raw: str) -> Number:
        try:
            number = super().__new__(cls, raw)
        except ValueError:
            number = super().__new__(cls, "nan")
        number.raw = raw
        return number


class Folded(str):
    """Stands for a value nested too deep to be built; its text says how deep and how long it was."""

    __slots__ = ()


@dataclass(slots=True)
class Parsed:
    """``documents`` as far as they parse; ``end`` is the character offset where reading stopped.

    ``problem`` is empty when all of the text is JSON. ``duplicates`` counts repeated keys of one
    object (the last value wins, as in ``json``). ``depth`` is the deepest nesting met.
    """

    documents: list[Any] = field(default_factory=list)
    end: int = 0
    problem: str = ""
    duplicates: dict[str, int] = field(default_factory=dict)
    constants: int = 0  # NaN and Infinity, which are not JSON
    depth: int = 0
    open: int = 0  # containers still open where reading stopped


MAX_DEPTH = 100
"""Values nested deeper are folded: no summary shows them, and their paths alone would fill it."""


def parse(text: str) -> Parsed:
    """All JSON documents at the start of ``text``; damage ends the reading and is said, never raised."""
    fast = _parse_whole(text)
    return fast if fast is not None else scan(text)


def parse_float(raw: str) -> float:
    """A float that still knows how it was written where ``repr`` would write it differently."""
    value = float(raw)
    return value if repr(value) == raw else Number(raw)


def _parse_int(raw: str) -> int | Number:
    return Number(raw) if raw == "-0" or len(raw) > 400 else int(raw)


def _parse_whole(text: str) -> Parsed | None:
    """One sound document by the standard parser, about 20 times as fast as the scanner; else None."""
    import json

    parsed = Parsed(end=len(text))

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(members)
        if len(value) != len(members):
            _count_duplicates(parsed, members)
        return value

    def constant(raw: str) -> Number:
        parsed.constants += 1
        return Number(raw)

    odd_int = re.search(r"-0(?![.\deE])|\d{400}", text) is not None
    try:
        value = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_float=parse_float,
            parse_int=_parse_int if odd_int else None,
            parse_constant=constant,
            strict=False,
        )
    except (ValueError, RecursionError):
        return None
    parsed.documents.append(value)
    parsed.depth = depth_of(value)
    return parsed if parsed.depth <= MAX_DEPTH else None


def _count_duplicates(parsed: Parsed, members: list[tuple[str, Any]]) -> None:
    seen: set[str] = set()
    for key, _ in members:
        if key in seen:
            parsed.duplicates[key] = parsed.duplicates.get(key, 0) + 1
        seen.add(key)


def depth_of(value: Any) -> int:
    """How many containers stand inside one another, level by level."""
    level, depth = [value], 0
    while True:
        level = [v for v in level if v.__class__ is dict or v.__class__ is list]
        if not level:
            return depth
        depth += 1
        level = [child for v in level for child in (v.values() if v.__class__ is dict else v)]


def scan(text: str, limit: int = MAX_DEPTH) -> Parsed:
    """The iterative parser: concatenated, cut off, damaged or very deep JSON."""
    parsed = Parsed()
    stack: list[tuple[Any, str | None]] = []  # open containers, each with the key it goes to in its parent
    box: Any = None
    key: str | None = None
    expect = "value"  # value · first (value or end) · key · name (key or end) · colon · comma
    folded_from = folded_depth = 0  # inside a folded value: where it began, and how deep we are in it
    deepest = 0

    def put(value: Any) -> None:
        nonlocal key
        if box is None:
            parsed.documents.append(value)
        elif box.__class__ is dict:
            if key in box:
                parsed.duplicates[key] = parsed.duplicates.get(key, 0) + 1  # type: ignore[index,arg-type]
            box[key] = value
        else:
            box.append(value)
        key = None

    for match in _TOKEN.finditer(text):
        token = match[0]
        if folded_depth:
            if token in ("[", "{"):
                folded_depth += 1
                deepest = max(deepest, folded_depth)
            elif token in ("]", "}"):
                folded_depth -= 1
                if not folded_depth:
                    put(_fold(deepest, match.end() - folded_from))
                    parsed.depth = max(parsed.depth, limit + deepest)
                    expect, deepest = "comma", 0
            continue
        first = token[0]
        if first in "]}" and expect in ("comma", "first", "name") and box is not None:
            if (first == "}") is not (box.__class__ is dict):
                parsed.problem = f"{token} where the other bracket closes"
                break
            value, (box, key) = box, stack.pop()
            put(value)
            expect = "comma"
        elif expect == "comma" and box is not None:
            if token != ",":
                parsed.problem = "a comma is missing"
                break
            expect = "key" if box.__class__ is dict else "value"
            continue  # a comma alone does not extend what parsed
        elif expect in ("key", "name"):
            name = _scalar(token) if first == '"' else None
            if not isinstance(name, str):
                parsed.problem = "a key is missing" if first != '"' else "a string does not end"
                break
            key, expect = name, "colon"
            continue
        elif expect == "colon":
            if token != ":":
                parsed.problem = "a colon is missing"
                break
            expect = "value"
            continue
        elif first in "[{":
            if len(stack) >= limit:
                folded_from, folded_depth, deepest = match.start(), 1, 1
                continue
            stack.append((box, key))
            box, key = ({} if first == "{" else []), None
            expect = "name" if first == "{" else "first"
            parsed.depth = max(parsed.depth, len(stack))
        else:
            value = _scalar(token)
            if value is _BAD:
                parsed.problem = "a string does not end" if first == '"' else f"{token[:20]!r} is not JSON"
                break
            parsed.constants += token in _CONSTANTS
            put(value)
            expect = "comma"
        parsed.end = match.end()

    parsed.open = len(stack) + folded_depth
    if folded_depth:
        put(_fold(deepest, len(text) - folded_from))
        parsed.depth = max(parsed.depth, limit + deepest)
        parsed.end = len(text)
    while box is not None:
        value, (box, key) = box, stack.pop()
        put(value)
    if not parsed.problem and parsed.open:
        parsed.problem = "it ends inside a value"
    if not parsed.problem:
        parsed.end = len(text)
    return parsed


def _fold(levels: int, chars: int) -> Folded:
    return Folded(f"…[{levels:,} more levels, {chars:,} chars]")


_BAD = object()
_CONSTANTS = ("NaN", "Infinity", "-Infinity")


def _scalar(token: str) -> Any:
    """The value of a string, number or word token, or ``_BAD``."""
    if token[0] == '"':
        if "\\" not in token and len(token) > 1 and token[-1] == '"':
            return token[1:-1]
        import json

        try:
            return json.loads(token, strict=False)
        except ValueError:
            return _BAD
    words = {"true": True, "false": False, "null": None}
    if token in words:
        return words[token]
    if token in _CONSTANTS:
        return Number(token)
    if not _NUMBER.fullmatch(token):
        return _BAD
    return parse_float(token) if any(c in token for c in ".eE") else _parse_int(token)
