"""The headings of a long document as one fact: each with its line, those below it beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from itertools import accumulate, groupby

from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped

MIN = 5  # headings: fewer stand in their places
FEW = 3  # headings of a level that are no parts of a whole: its title, a line below it
TOLD = 60, 4_000  # headings of the tree, of a section all of a level or none; characters
HALF, BRIEF = (40, 800), (24, 450)  # of those for less room
NAME, TREE = 80, "Sections"  # characters of one heading; what the fact begins with
BESIDE = " · "  # between two of a level

_DATE = regex(r"\d{4}-\d\d-\d\d")
_ANCHOR = regex(r" *\{#[\w-]+\}$|(?<=\])\([^()\s]*\)")  # what links to it, or where it leads

Heading = tuple[int, int, str]  # level, line, title


def tree(headings: Sequence[Heading]) -> list[Fact]:
    """The tree down to the level that it can hold; of what is deeper, how many."""
    if headings and headings[0][0] == 1 and sum(level == 1 for level, _, _ in headings) == 1:
        headings = headings[1:]  # the title of the whole, which its first fact says
    if len(headings) < MIN:
        return []
    return [Fact(_text(headings, *TOLD), 1, _text(headings, *HALF), least=_text(headings, *BRIEF))]


def _text(headings: Sequence[Heading], most: int, characters: int) -> str:
    counts = sorted(Counter(level for level, _, _ in headings).items())
    ends = zip(counts, accumulate(n for _, n in counts), strict=True)
    top = next(level for (level, _), end in ends if end >= FEW or end == len(headings))
    least = accumulate((level for level, _, _ in headings), min)
    outer = {n for n, one in enumerate(least) if headings[n][0] <= max(top, one)}  # that stand below no other
    groups = _groups(headings, outer, _told(headings, outer, most, characters))
    sizes = [sum(len(name.replace(BESIDE, "")) for name in group) for group in groups]
    step = 1 if sum(sizes) < 2 * characters else -(-sum(sizes) // characters)  # the first alone would be no map
    dates = [match[0] for group in groups if (match := _DATE.search(group[0]))]
    later = {-1: sorted(dates), 1: sorted(dates, reverse=True)}
    newest = next((way for way, one in later.items() if step > 1 and dates == one and 2 * len(dates) > len(groups)), 0)
    shown = sum(end <= characters for end in accumulate(sizes[:: newest or step]))
    lines = list[str]()
    for alone, run in groupby(groups[:: newest or step][:shown], lambda group: len(group) == 1):
        texts = [f"{name}: {BESIDE.join(below)}" if below else name for name, *below in run]
        lines += [BESIDE.join(texts)] if alone else texts  # sections without any below stand in one line
    left = len(groups) - shown
    more = f" · … {left:,} more" if left > 0 else ""
    every = ", newest first" if newest else f", one in {step}" if step > 1 else ""
    return f"{TREE}{every}, each with its line: " + "\n".join(lines) + more


def _told(headings: Sequence[Heading], outer: set[int], most: int, characters: int) -> set[int]:
    """Which headings are named: all the outer ones, then level by level those of the sections with fewest."""
    kept = named = outer
    for deeper in sorted({level for n, (level, _, _) in enumerate(headings) if n not in outer}):
        parts: list[list[int]] = []
        for n, (level, _, _) in enumerate(headings):
            if n in kept:
                parts.append([])
            elif level == deeper:
                parts[-1].append(n)
        for _, alike in groupby(sorted(parts, key=len), len):  # of sections with as many all or none
            named = named.union(*alike)
            if len(named) > most or sum(len(_name(*headings[n][1:])) for n in named) > characters:
                return kept
            kept = named
    return kept


def _groups(headings: Sequence[Heading], outer: Container[int], shown: Container[int]) -> list[list[str]]:
    """Each of the outer ones with those below it that are named, behind each of these in brackets what is below that;
    how many are not stands behind the one above them."""
    groups: list[list[list[str]]] = []
    hidden = top = 0
    for n, (level, line, title) in enumerate(headings):
        if n not in shown:
            hidden += 1
        elif n in outer:
            groups.append([[_name(line, title)]])
            top = 0
        elif level <= top or not top:
            groups[-1].append([_name(line, title)])
            top = level
        else:
            groups[-1][-1].append(_name(line, title))
        if hidden and (n + 1 == len(headings) or n + 1 in shown):
            groups[-1][-1][-1] += f" ({hidden} below)"
            hidden = 0
    return [[f"{name} ({BESIDE.join(below)})" if below else name for name, *below in group] for group in groups]


def _name(line: int, title: str) -> str:
    return f"{line} {clipped(_ANCHOR.sub('', title), NAME)}"
