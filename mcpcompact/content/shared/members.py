"""A long line of JSON among other lines: its telling members as they stand, a mark for each run of others."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from mcpcompact.content.shared.usual import is_usual
from mcpcompact.patterns import regex

_LONG, _SHOWN, _SMALL = 400, 400, 80  # characters: of a line; of its members; of a list or object that stands whole
_TEXT = 160  # characters of a value that tells at a glance
_DEEP, _RUN = 4, 24  # levels that are looked into; characters that are not worth a mark
_NEXT = regex(r"[\s,\]}]*(?:\"(?P<key>[^\"\\]{1,80})\"\s?:)?\s?")
_HEADERS = regex(r"(?i)(?:\[\(|\{)'.{0,2000}?'content-type'[:,]")
_decode = json.JSONDecoder().raw_decode


def told(line: str) -> str:
    """The line, if it begins with an object or a list and is long, without addresses, empty values and what each
    object of its kind says; of all headers of a message, as Python prints them, the beginning."""
    if len(line) <= _LONG or line[0] not in "{[":
        return line
    if _HEADERS.match(line):
        return f"{line[:_SMALL]}…[+{len(line) - _SMALL:,} chars]"
    text, shown, done = "", 0, 0
    for start, end, telling in _members(line):
        if shown >= _SHOWN:
            break
        if telling:
            gap = start - done
            text += (f"…[+{gap:,} chars]" if gap > _RUN else line[done:start]) + line[start:end]
            shown, done = shown + end - start, end
    left = len(line) - done
    return line if shown <= _RUN else text + (f"…[+{left:,} chars]" if left > _RUN else line[done:])


def _members(line: str) -> Iterator[tuple[int, int, bool]]:
    """Where each member of the objects and lists stands, and whether it tells something."""
    at = depth = 0
    while at < len(line):
        found = _NEXT.match(line, at)
        begin, key = (found.end(), found["key"] or "") if found else (at, "")
        try:
            value, end = _decode(line, begin)
        except (ValueError, RecursionError):
            return
        depth -= line.count("}", at, begin) + line.count("]", at, begin)
        if value.__class__ in (dict, list) and end - begin > _SMALL and depth < _DEEP:
            depth, end = depth + 1, begin + 1
            yield at, end, depth == 1
        else:
            yield at, end, _tells(key, value)
        at = end


def _tells(key: str, value: Any) -> bool:
    if value.__class__ in (dict, list):
        return bool(value) and len(str(value)) <= _SMALL
    said = "" if value is None else str(value)
    return said != "" and len(said) <= _TEXT and "://" not in said and not is_usual(key, value)
