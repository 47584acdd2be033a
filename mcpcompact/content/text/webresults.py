"""Results of a web search: a title above its address, then what the engine quotes of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

LEAST = 3  # titles with an address that make a list of results
TITLE, SHORT = 200, 80  # characters: of a title at most, and of a line that quotes no page
RESULT, QUOTED = 2.0, 0.3  # weight of a title with its address, factor on that of what is quoted of its page

_ADDRESS = regex(r"\s*(?:(?:URL|Url|url|Link|link|Source|Href|href):\s*)?<?https?://\S+>?\s*$")
_MARKER = regex(r".{0,40}?\b(?:[Rr]esult|RESULT)\s?#?\d{1,4}\s?[:.)-]?\s*$")


def found(lines: Sequence[str], filled: Sequence[int]) -> dict[int, int]:
    """The index of each title to that of its address; empty where the lines are no results of a search."""
    pairs: dict[int, int] = {}
    for before, i in pairwise(filled):
        title = lines[before]
        if _ADDRESS.match(lines[i]) and i <= before + 2 and len(title) <= TITLE and not _is_part(title):
            pairs[before] = i
    return pairs if len(pairs) >= LEAST and 6 * len(pairs) >= len(filled) else {}


def _is_part(line: str) -> bool:
    return _ADDRESS.match(line) is not None or _MARKER.match(line) is not None


def facts(pairs: Mapping[int, int]) -> list[Fact]:
    return [Fact(f"Web search: {counted(len(pairs), 'result')}.", 0)] if pairs else []


def item(lines: Sequence[str], title: int, address: int, section: str) -> Item:
    """A result: its title and its address."""
    text = f"{title + 1}-{address + 1} {lines[title].strip()}\n{lines[address].strip()}"
    return Item(title + 1, address + 1, text, weight=RESULT, section=section, flow="lines")


def factor(line: str) -> float:
    """On the weight of what stands between results: a number alone says nothing."""
    return 0.0 if _MARKER.match(line) else QUOTED if len(line) > SHORT else 1.0
