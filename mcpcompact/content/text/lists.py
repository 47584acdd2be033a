"""A list of rows among other text, or alone: how many begin alike, before any of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from mcpcompact.content.shared.lines import is_wrapper
from mcpcompact.content.text import sections
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

MANY, COVERED, LISTS = 24, 0.7, 3  # rows of a list that is told, and the share of them that is in a group; such lists
ROWS = 20_000  # of a longer list the groups are not worth the time
FEW, MOST = 3, 12  # rows of a group at least, twice as many where that makes more groups than these
LARGE, LESS, ALONE = 3, 0.2, 2.0  # a group is large that has one row in so many; factors on the weight of further rows
# of a large group, and of a row that is in none
PARTS = 8  # of a name that are looked at
_NAME = regex(r"[^\s\"'{}\[\]()<>,;=]{2,100}")
_SIGN = regex(r"[^\w\s]|_")  # ends a part of a name


def grouped(lines: Sequence[str], filled: Sequence[int], heads: Mapping[int, int], items: Sequence[Item]) -> list[Fact]:
    """How many rows of each long list begin alike, up to a sign in their first words."""
    facts, factors = [], dict[int, float]()
    for head, own in _lists(lines, filled, heads):
        groups = _beginnings(lines, own)
        alone = groups.pop("")
        if len(own) * (1 - COVERED) < len(alone) or len(groups) + bool(alone) <= 1:
            continue
        names = sorted(groups, key=lambda name: -len(groups[name]))
        other = {name for name in names if any(one != name and one.startswith(name) for one in names)}
        said = [f"{'other ' * (name in other)}{name}… {len(groups[name]):,}" for name in names]
        said += [counted(len(alone), "other")] * bool(alone)
        where = f" below line {head + 1}" if head >= 0 else ""
        facts.append(Fact(f"{len(own):,} lines{where} by how they begin: {' · '.join(said)}", 0))
        large = (i for rows in groups.values() if LARGE * len(rows) > len(own) for i in rows[FEW:])
        factors |= dict.fromkeys(alone, ALONE) | dict.fromkeys(large, LESS)
    for item in items:
        item.weight *= factors.get(item.start - 1, 1.0)
    return facts


def _beginnings(lines: Sequence[str], own: Sequence[int]) -> dict[str, list[int]]:
    """Rows by the longest beginning that several of them have. What is left beside larger groups joins the one that
    begins like it; "" is for those of none."""
    names = {i: match[0] for i in own if (match := _NAME.match(lines[i].lstrip()))}
    cut = {i: [name[: sign.end()] for sign in islice(_SIGN.finditer(name), PARTS)] for i, name in names.items()}
    counts = Counter(begin for parts in cut.values() for begin in parts if any(map(str.isalpha, begin)))
    held, least = dict[str, list[int]](), FEW
    while not held or len(held) > MOST:
        often = {begin for begin, n in counts.items() if least <= n < len(own)}
        steps = {i: ["", *filter(often.__contains__, cut.get(i, ()))] for i in own}
        held = {"": []}
        for i in own:
            held.setdefault(steps[i][-1], []).append(i)
        for begin in sorted(often, key=len, reverse=True):
            for i in held.pop(begin) if 0 < len(held.get(begin, ())) < least else ():
                held.setdefault(steps[i][steps[i].index(begin) - 1], []).append(i)
        least *= 2
    return held


def _lists(lines: Sequence[str], filled: Sequence[int], heads: Mapping[int, int]) -> Iterator[tuple[int, list[int]]]:
    """The rows below each heading of a few, with its index; -1 where there is none."""
    found: dict[int, list[int]] = {}
    head, behind = -1, 0
    for i in filled:
        head, behind = (i, heads[i]) if i in heads else (head, behind)
        if i >= behind and not is_wrapper(lines[i]):
            found.setdefault(head, []).append(i)
    long = [(head, own) for head, own in found.items() if MANY <= len(own) <= ROWS]
    for head, own in long if len(long) <= LISTS else ():
        if not any(sections.weight(lines[i]) <= sections.ROUTINE for i in own):  # of progress the end is told
            yield head, own
