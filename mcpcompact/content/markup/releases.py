"""A changelog: the newest release whole, then what the releases before it begin with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

LEAST, MOST = 2, 0.5  # releases; of the headings of their level these must be
NEWEST, STEP, LEAST_WEIGHT = 3.9, 0.005, 3.0  # weights of what the newest says: as it stands, before all others
OLDER, SHARE = 0.8, 0.8  # factor on weights from one release to the one before it; of the room, what the newest takes

_HEADING = regex(
    r"@?\d+(?:-\d+)? (#{1,4}) \W{0,3}(?:(?:[Vv]ersion|[Rr]elease) |[\w.-]{1,40} (?=\S+ +Released )"
    r"|[a-z0-9.+-]{2,60} \((?:\d+:)?(?=[^()]*\) .*; urgency=))?"
    r"(\d{4}-\d\d-\d\d\b|v?\d+(?:\.\d+)+[\w.+~-]*|v\d+|[Uu]nreleased\b)"
    r"[\]*`]*(?:\([^()]*\))?(?:$|\) .*; urgency="
    r"|[\s(,:/–—-]+(?:$|\d{1,4}[-./ ,]|[A-Z][a-z]+ \d|[Vv]ersion|[Uu]nreleased|TBD|by |Released ))",
    holds="#",
)
_DIGITS = regex(r"\d+")


def newest_first(items: Sequence[Item]) -> list[Fact]:
    """Where headings name releases, raise what the newest says, lower what older ones do; what to say of them."""
    found = [(n, match) for n, item in enumerate(items) if (match := _HEADING.match(item.text))]
    level = min((match[1] for _, match in found), default="")
    heads = [(n, match[2]) for n, match in found if match[1] == level]
    beside = sum(f" {level} " in item.text[:24] for item in items if item.flow == "sentences")
    if len(heads) < LEAST or len(heads) < MOST * beside:
        return []
    spans = [(begin, end) for (begin, _), (end, _) in zip(heads, [*heads[1:], (len(items), "")], strict=True)]
    numbered = [[*map(int, _DIGITS.findall(name))] for _, name in heads if _DIGITS.search(name)]
    if 2 * sum(one < other for one, other in pairwise(numbered)) > len(numbered):
        spans.reverse()
    filled = next((turn for turn, (begin, end) in enumerate(spans) if end > begin + 1), 0)
    for turn, (begin, end) in enumerate(spans):
        for n, item in enumerate(items[begin:end]):
            if item.part[0]:
                item.weight = 0.0  # it comes along with what stands below it
            elif turn != filled:
                item.weight *= OLDER**turn
            elif item.weight > 0:
                item.weight = max(LEAST_WEIGHT, NEWEST - n * STEP)
    first, last = (f"{name} (line {items[n].start})" for n, name in (heads[0], heads[-1]))
    return [Fact(f"{counted(len(heads), 'release')}, from {first} to {last}", 0)]
