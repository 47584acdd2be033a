"""The files of a change and what became of each (``git pull``, ``git commit``, ``git diff --stat``)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mcpcompact.content.text import commits
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import matching, regex

COMMIT = 12.0  # weight of a commit's head above the files that it changes
MOSTLY, ALONE = 0.5, 0.8  # of the lines are of such a list; all but these, where no hooks ran before
FEW = 6  # files of which the same became: these are named
FILE = regex(r" ?\S.{0,300}? +\| +(?:\d{1,9}(?: [+-]+)?|Bin(?: .{1,60})?)$", holds=(" |",))
_FATE = regex(
    r" (create mode|delete mode|rename|copy|mode change|rewrite) (?:\d{6} )?(\S.*)", holds=(" mode ", " re", " copy ")
)
_TOTAL = regex(r" ?\d+ files? changed(?:, \d+ \w+\([+-]\))*$", holds=("changed",))


def total(lines: Sequence[str], least: float = MOSTLY) -> int:
    """The number of the line that sums up a list of changed files, where most lines are of that list; else 0."""
    totals = matching(_TOTAL, lines)
    listed = len(matching(FILE, lines)) + len(matching(_FATE, lines)) if len(totals) == 1 else 0
    return totals[0] + 1 if listed > least * sum(map(bool, map(str.strip, lines))) else 0


def facts(lines: Sequence[str], total: int) -> list[Fact]:
    """The line that sums up, and how many files were made, deleted and renamed: which, where they are few."""
    fates: dict[str, list[str]] = {}
    for found in (_FATE.match(lines[i]) for i in matching(_FATE, lines)):
        if found:
            fates.setdefault(found[1], []).append(found[2].rstrip())
    ranked = sorted(fates.items(), key=lambda one: -len(one[1]))
    told = [f"{fate} {len(own):,}" + (f" ({', '.join(own)})" if len(own) <= FEW else "") for fate, own in ranked]
    return [Fact(f"{lines[total - 1].strip()}{': ' * bool(told)}{' · '.join(told)}.", 0)]


def weigh(items: Sequence[Item], lines: Sequence[str]) -> None:
    """Those with most changes come first, source before what goes along with it, behind what their commit says of
    itself."""
    from mcpcompact.content.diff.about import scales

    rows = [(item, found) for item in items if (found := commits.FILE.match(item.text))]
    sizes = [(found[1] or found[3], int(found[2] or 0)) for _, found in rows]
    for (item, _), says, (_, size) in zip(rows, scales(sizes), sizes, strict=True):
        item.weight = says * math.log2(2 + size)
    said = commits.head_of(lines[: rows[0][0].start - 1] if rows else ())
    for item in items:
        item.weight = COMMIT if item.start in said else item.weight
