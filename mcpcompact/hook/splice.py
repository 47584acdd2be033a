"""JSON text, edited in place: an item comes or goes, every other character stays as it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from mcpcompact.settings.files import unique

INDENT = "  "
_SPACE = re.compile(r"[ \t\r\n]*")
_MARGIN = re.compile(r"[ \t]*")
_INDENTED = re.compile(r"^[ \t]+(?=\S)", re.MULTILINE)


class Item(NamedTuple):
    """What stands from ``start`` to ``end`` of a text; in an object its key comes before the ``value``, whose
    ``content`` is decoded."""

    key: str
    start: int
    value: int
    end: int
    content: Any


def _literal(number: str) -> tuple[str]:
    return (number,)


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


_numbers: dict[str, Any] = {"parse_int": _literal, "parse_float": _literal, "parse_constant": _refused}
_JSON = json.JSONDecoder(**_numbers)


def parsed(text: str) -> Any:
    """The value of strict JSON; a number, of any length, is a tuple of its digits. Raises ``ValueError``."""
    return json.loads(text, object_pairs_hook=unique, **_numbers)


def opening(text: str, at: int = 0) -> int:
    """The first position from here on that is no white space."""
    match = _SPACE.match(text, at)
    return match.end() if match else at


@lru_cache(maxsize=8)  # the outermost object of one text is asked for again and again
def items(text: str, at: int) -> list[Item]:
    """What the list or the object that opens at ``at`` holds."""
    members, here = [], opening(text, at + 1)
    while text[here] not in "]}":
        start, key = here, ""
        if text[at] == "{":
            key, here = _JSON.raw_decode(text, here)
            here = opening(text, opening(text, here) + len(":"))
        content, end = _JSON.raw_decode(text, here)
        members.append(Item(key, start, here, end, content))
        here = opening(text, end)
        if text[here] == ",":
            here = opening(text, here + 1)
    return members


def place(text: str, *keys: str) -> int:
    """Where the value begins to which the keys lead from the outermost object; -1 for none."""
    at = opening(text)
    for key in keys:
        at = next((item.value for item in items(text, at) if item.key == key), -1)
        if at < 0:
            break
    return at


def appended(text: str, at: int, value: Any, key: str = "") -> str:
    """The text with an item behind the last one of a list or an object, laid out as that is."""
    held, before, after = items(text, at), "", ""
    line = "\r\n" if "\r\n" in text else "\n"
    match = _INDENTED.search(text)
    unit = match[0] if match else INDENT
    start = end = at + 1
    if held:
        start = end = held[-1].end
        first = held[-1].start
        gap = text[len(text[:first].rstrip()) : first]
        before = f",{gap or ' '}"
    else:
        end = opening(text, start)
        if at == opening(text) or "\n" in text.strip():
            match = _MARGIN.match(text, text.rfind("\n", 0, at) + 1)
            after = f"{line}{match[0] if match else ''}"
            before = f"{after}{unit}"
    written = json.dumps(value)
    if "\n" in before:
        margin = before.rpartition("\n")[2]
        written = json.dumps(value, indent=unit).replace("\n", f"{line}{margin}")
    name = f"{json.dumps(key)}: " if key else ""
    return f"{text[:start]}{before}{name}{written}{after}{text[end:]}"


def cuts(text: str, at: int, gone: Sequence[int]) -> list[tuple[int, int]]:
    """Where the text is cut so that some items of a list or an object, in order, go with the comma beside each."""
    held = items(text, at)
    first = next((index for index, number in enumerate(gone) if index != number), len(gone))  # that stays
    if gone and first == len(held):
        return [(at + 1, opening(text, held[-1].end))]
    return [
        (held[index].start, held[index + 1].start) if index < first else (held[index - 1].end, held[index].end)
        for index in gone
    ]


def cut(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text without spans that stand one behind the other."""
    kept, here = [], 0
    for start, end in spans:
        kept.append(text[here:start])
        here = end
    return "".join((*kept, text[here:]))
