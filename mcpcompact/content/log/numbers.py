"""Names of the values in log lines (``took=12``, ``took 12 ms``), and all numbers of a name, whatever the template."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, Protocol

from mcpcompact.content.log.scan import Shape
from mcpcompact.content.log.templates import MAX_TOKENS, NUMBER, Measured, is_id, number_of, plain
from mcpcompact.patterns import regex

_NAME: Final = regex(r"[A-Za-z_][\w.-]{0,80}$")
_KEY: Final = regex(r"\"?\s{0,40}(?:[=:]|=>|:=)\s{0,40}\"?[\[(]?$")

MAX_NAME: Final = 20  # letters of a word that names the number behind it

Values = list[Measured]  # in line order


class Line(Protocol):
    shape: Shape
    text: str
    spans: list[tuple[int, int]]
    names: list[tuple[str, bool]]


def slot_names(text: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """What each word of a line is a value of ("" unknown), and whether it stands behind ``=`` or ``:``."""
    names = []
    before, end = "", 0
    for a, b in spans:
        gap = text[end:a]
        name, keyed = "", False
        if before and gap != " " and _KEY.match(gap) and _NAME.match(before):
            name, keyed = before.rpartition(".")[2][-40:], True
        elif before and gap.isspace() and _names(before):
            name = before
        names.append((name, keyed))
        before, end = text[a:b], b
    return names


@lru_cache(maxsize=4_096)
def _names(word: str) -> bool:
    """Does a word name the number that follows it?"""
    return len(word) < MAX_NAME and word.isalpha() and not plain(word)


def fields(lines: Iterable[Line]) -> dict[tuple[str, str], Values]:
    """All numbers by name and unit; no ids, and nothing of a name of which a number could not be read (``1e5``,
    ``0:12``, ``1,234``): what is said of a field is true of all its values."""
    found: dict[tuple[str, str], Values] = {}
    unread: set[str] = set()
    for one in lines:
        slots = [
            (name, a, b)
            for (name, _), (a, b) in zip(one.names, one.spans, strict=True)
            if name and any(map(str.isdigit, one.text[a:b])) and not is_id(name)
        ]
        if not slots:
            continue
        shape = one.shape
        known = [(n, raw.decode("utf-8", "replace")) for n, raw in shape.lines()] if shape.count > 1 else []
        for name, a, b in slots:
            if _joined(one.text, a, b):
                unread.add(name)
            if name in unread:
                continue
            for number, text in known or [(shape.first, one.text)]:
                value = text[a:b].rstrip(".")
                if match := NUMBER.match(value):
                    found.setdefault((name, match[2]), []).append((number, number_of(match), value))
                else:
                    unread.add(name)
    kept = {key: sorted(values) for key, values in found.items() if key[0] not in unread}
    return dict(sorted(kept.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def _joined(text: str, a: int, b: int) -> bool:
    """Whether a number goes on behind ``:`` or ``,`` (a clock, thousands), or is the first of a list."""
    return (text[b : b + 1] in (":", ",") and text[b + 1 : b + 2].isdigit()) or text[a - 1 : a] in ("[", "(")


def is_partial(lines: Iterable[Line]) -> bool:
    """Whether a line has more words than are looked at."""
    return any(len(one.spans) >= MAX_TOKENS for one in lines)
