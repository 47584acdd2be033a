"""The headings of a long document as one fact: each with its line, those below it beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped

LEAST = 5  # headings: fewer stand in their places
FEW = 3  # headings of a level that are no parts of a whole: its title, a line below it
TOLD = 60, 4_000  # headings of the tree, of the lower levels all or none; characters
BRIEF = 24, 450  # of the one for little room
NAME = 80  # characters of one heading

_ANCHOR = regex(r" *\{#[\w-]+\}$")  # what links to it

Heading = tuple[int, int, str]  # level, line, title


def tree(headings: Sequence[Heading]) -> list[Fact]:
    """The tree down to the level that it can hold; of what is deeper, how many."""
    if headings and headings[0][0] == 1 and sum(level == 1 for level, _, _ in headings) == 1:
        headings = headings[1:]  # the title of the whole, which its first fact says
    if len(headings) < LEAST:
        return []
    return [Fact(_text(headings, *TOLD), 1, _text(headings, *BRIEF))]


def _text(headings: Sequence[Heading], most: int, characters: int) -> str:
    counts = sorted(Counter(level for level, _, _ in headings).items())
    ends = dict(zip((level for level, _ in counts), accumulate(n for _, n in counts), strict=True))
    top = next(level for level, end in ends.items() if end >= FEW or end == len(headings))
    deepest = max([top, *(level for level, end in ends.items() if end <= most)])
    lines: list[str] = []
    size = shown = 0
    alone = False  # the last line holds sections without any below
    groups = _groups(headings, top, deepest)
    length = sum(len(name) for group in groups for name in group)
    step = 1 if length < 2 * characters else -(-length // characters)  # the first alone would be no map
    for group in groups[::step]:
        size += sum(map(len, group))
        if size > characters:
            break
        shown += 1
        if len(group) > 1:
            lines.append(f"{group[0]}: {' · '.join(group[1:])}")
        elif alone:
            lines[-1] += f" · {group[0]}"
        else:
            lines.append(group[0])
        alone = len(group) == 1
    left = sum(level <= top for level, _, _ in headings) - shown
    if left > 0 and deepest > top:  # one looks for the names of all, before those below them
        return _text(headings, 0, characters)
    more = f" · … {left:,} more" if left > 0 else ""
    every = f", one in {step}" if step > 1 else ""
    return f"Sections{every}, each with its line: " + "\n".join(lines) + more


def _groups(headings: Sequence[Heading], top: int, deepest: int) -> list[list[str]]:
    """Each of the top level with all below it down to the deepest; how many are deeper stands behind the last."""
    groups: list[list[str]] = []
    hidden = 0
    for n, (level, line, title) in enumerate(headings):
        if level > deepest and groups:
            hidden += 1
        elif level <= top or not groups:
            groups.append([_name(line, title)])
        else:
            groups[-1].append(_name(line, title))
        if hidden and (n + 1 == len(headings) or headings[n + 1][0] <= deepest):
            groups[-1][-1] += f" ({hidden} below)"
            hidden = 0
    return groups


def _name(line: int, title: str) -> str:
    return f"{line} {clipped(_ANCHOR.sub('', title), NAME)}"
