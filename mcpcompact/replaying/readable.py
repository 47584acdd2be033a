"""Whether a name can be read where a text shows it (docs/replay.md, "Fate").

It can where it stands in one unbroken run of at least 80 % of the words nearest to it on its own line: six before, six
behind; line numbers, diff marks, quotes, escapes and punctuation aside. What was laid out as rows or paths (records,
tables, JSON) can be read where its value stands whole, with its field's name on the line or in the header, and with the
value that identifies its row or object on the line.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Any

from mcpcompact.patterns import regex

_LINES_LEAST = 3

BESIDE = 6  # words on either side of a name that are its surroundings, on its line
SHARE = 0.8  # of them, those that must stand in one run with it
PLACES = 40  # occurrences of a name that are looked at, in the original and in the shown text
REACH = 600  # characters on either side in which the six words are looked for
MAX_LEAVES = 200_000  # values of one document that are looked at

MAX_DEPTH = 60

_WORD = regex(r"\w+")
_ESCAPE = regex(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|x1b\[[0-9;]*m|[\"'\\/bfnrtv])|\x1b\[[0-9;]*[A-Za-z]")
_BREAK = regex(r"\n|(?<!\\)\\n")
_GUTTER = regex(r"[ \t]*[+\-~ ]?[ \t]*#?\d+(?:[→:|\t]|-(?=\D)|[ ]{1,2}(?=\S)|$)")
_PLACED = regex(r":\d+(?::\d+)?[:-]|:\d+-\d+(?=\W)")
_DELIMITERS = ",\t;|"
_SAMPLED = 50
_IDENTIFYING = regex(
    r"(?i)(?:.*[_.-]|(?-i:.*[a-z](?=[A-Z])))?"
    r"(?:id|uuid|guid|key|name|title|number|path|file|filename|url|sha|hash|slug|login|email|symbol|code)"
)


@dataclass(slots=True)
class Leaf:
    """A value of a row or object: its field, and what identifies what it stands in ('' where nothing does)."""

    field: str
    value: str
    identity: str


class Reading:
    """An original text, ready to be asked for the surroundings of names."""

    def __init__(self, text: str) -> None:
        self.text = text

    def kept(self, name: str, shown: str) -> bool:
        """Whether ``name``, which stands in ``shown``, can be read there."""
        places = [surroundings(shown, at, at + len(name)) for at in occurrences(name, shown)]
        for at in occurrences(name, self.text):
            before, after = (words[:BESIDE] for words in surroundings(self.text, at, at + len(name)))
            least = SHARE * (len(before) + len(after))
            if any(_run(before, b) + _run(after, a) >= least for b, a in places):
                return True
        return self._laid_out(name, shown)

    @cached_property
    def _leaves(self) -> list[Leaf]:
        return leaves(self.text)

    def _laid_out(self, name: str, shown: str) -> bool:
        wanted = [leaf for leaf in self._leaves if name in leaf.value or name == leaf.field][:PLACES]
        if not wanted:
            return False
        lines = shown.split("\n")
        headers = [line for line in lines if "|" in line or "\t" in line or line.count(",") > 1]
        near = [line for line in lines if name in line]
        return any(_row(leaf, line, headers) for leaf in wanted for line in near)


def _row(leaf: Leaf, line: str, headers: Sequence[str]) -> bool:
    if not _holds(leaf.value, line) or not _holds(leaf.identity, line):
        return False
    if not leaf.field or _holds(leaf.field, line):
        return True
    return any(_holds(leaf.field, header) for header in headers)


def _holds(part: str, line: str) -> bool:
    """Whether a value stands in a line as a whole, quoted, escaped or bare."""
    if not part or (part in line and re.search(rf"(?<!\w){re.escape(part)}(?!\w)", line)):
        return True
    words = _WORD.findall(_ESCAPE.sub(" ", part))
    return len(words) > 1 and f" {' '.join(words)} " in f" {' '.join(_WORD.findall(_ESCAPE.sub(' ', line)))} "


def _run(wanted: Sequence[str], there: Sequence[str]) -> int:
    """How many of the wanted words stand in a row from the name on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(wanted, there, strict=False)))


def surroundings(text: str, start: int, end: int) -> tuple[list[str], list[str]]:
    """The words before ``start``, nearest first, and those behind ``end``, on the same line."""
    left = text[max(0, start - REACH) : start]
    breaks = [match.end() for match in _BREAK.finditer(left)]
    if breaks:
        left = left[breaks[-1] :]
    if (breaks or start <= REACH) and (gutter := _GUTTER.match(left)):
        left = left[gutter.end() :]
    right = text[end : end + REACH]
    stop = _BREAK.search(right)
    right = right[: stop.start()] if stop else right
    before = _WORD.findall(_ESCAPE.sub(" ", _PLACED.sub(" ", left)))
    after = _WORD.findall(_ESCAPE.sub(" ", _PLACED.sub(" ", right)))
    if before and start and _is_word(text[start - 1]) and _is_word(text[start]):
        before.pop()  # the head of the name's own word
    if after and end < len(text) and _is_word(text[end]) and _is_word(text[end - 1]):
        after.pop(0)
    return before[::-1], after


def occurrences(name: str, text: str) -> list[int]:
    """Where the name stands as a whole word; where it never does (``v123`` holds 123), where it stands at all."""
    whole: list[int] = []
    part: list[int] = []
    at = text.find(name)
    for _ in range(10_000):
        if at < 0 or len(whole) >= PLACES:
            break
        end = at + len(name)
        joined = (at > 0 and _is_word(text[at - 1])) or (end < len(text) and _is_word(text[end]))
        (part if joined else whole).append(at)
        at = text.find(name, at + 1)
    return whole or part[:PLACES]


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


# -- what was laid out as rows or objects ------------------------------------------------------------------------


def leaves(text: str) -> list[Leaf]:
    """Every value of a JSON document, of JSON lines or of a delimited table, with its field and identity."""
    from mcpcompact.content.json.sniff import json_after

    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start not in ("[", "{") and (at := json_after(text)):  # behind the header lines of a shell
        text, start = text[at:], "{"
    leaves: list[Leaf] = []
    if start and start in "[{":
        for value in _documents(text):
            _walk(value, "", "", leaves, 0)
    elif start:
        leaves.extend(_cells(text))
    return leaves


def _documents(text: str) -> Iterator[Any]:
    """One document, one a line, or what is left of one that the host cut."""
    import orjson

    try:
        yield orjson.loads(text)
        return
    except ValueError:
        pass
    read = 0
    for line in text.split("\n"):
        if line[:1] in ("{", "[") and len(line) > 1:
            try:
                yield orjson.loads(line)
                read += 1
            except ValueError:
                continue
    if not read:
        yield from _cut(text)


def _cut(text: str) -> Iterator[Any]:
    from mcpcompact.content.records.outline import resumed
    from mcpcompact.content.shared import jsontext

    yield from jsontext.parse(text).documents
    yield resumed(text)[2]


def _walk(value: Any, field: str, identity: str, leaves: list[Leaf], depth: int, same: Set[str] = frozenset()) -> None:
    """``same``: fields that tell no object of this list from another."""
    if depth > MAX_DEPTH or len(leaves) > MAX_LEAVES:
        return
    if isinstance(value, Mapping):
        own = _identity(value, same)
        for key, item in value.items():
            deeper = own or (key if isinstance(item, Mapping) and not identity else identity)
            _walk(item, key, deeper, leaves, depth + 1)
    elif isinstance(value, list):
        same = _same([item for item in value if isinstance(item, Mapping)])
        for item in value:
            _walk(item, field, "" if isinstance(item, Mapping) else identity, leaves, depth + 1, same)
    elif isinstance(value, str) and value.lstrip()[:1] in ("{", "[") and len(value) > 2:  # JSON in a string
        for inner in _documents(value):
            _walk(inner, field, identity, leaves, depth + 1)
        leaves.append(Leaf(field, value, identity))
    elif value is not None:
        leaves.append(Leaf(field, str(value).lower() if isinstance(value, bool) else str(value), identity))


def _same(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    """Fields with one value in all of several rows: a base branch's name identifies no pull request."""
    first = rows[0] if len(rows) > 1 else {}
    return {key for key, item in first.items() if all(key in row and row[key] == item for row in rows)}


def _identity(row: Mapping[str, Any], same: Set[str]) -> str:
    """The first scalar of a telling name that differs from row to row, ``id`` before the rest; '' where none does."""
    named = {key: item for key, item in row.items() if isinstance(item, (str, int)) and not isinstance(item, bool)}
    telling = [key for key in named if _IDENTIFYING.fullmatch(str(key)) and key not in same]
    telling.sort(key=lambda key: str(key).lower() != "id")
    return str(named[telling[0]])[:200] if telling else ""


def _cells(text: str) -> Iterator[Leaf]:
    """The cells of comma, tab, semicolon or bar separated lines that have the same number of them throughout."""
    lines = text.split("\n", _SAMPLED + 1)[:_SAMPLED]
    head = lines[0]
    best = max(_DELIMITERS, key=head.count)
    width = head.count(best)
    alike = sum(line.count(best) >= width for line in lines if line.strip())
    if not width or len(lines) < _LINES_LEAST or alike < 0.9 * sum(bool(line.strip()) for line in lines):
        return
    try:
        rows = list(csv.reader(text.split("\n"), delimiter=best))
    except csv.Error:
        return
    names = [cell.strip() for cell in rows[0]]
    telling = next((n for n, name in enumerate(names) if _IDENTIFYING.fullmatch(name)), 0)
    count = 0
    for row in rows[1:]:
        identity = row[telling].strip()[:200] if telling < len(row) else ""
        for name, cell in zip(names, row, strict=False):
            count += 1
            if count > MAX_LEAVES:
                return
            yield Leaf(name, cell.strip(), identity)


@lru_cache(maxsize=8)
def reading(text: str) -> Reading:
    """The same text is asked for one name after the other, under one policy after the other."""
    return Reading(text)
