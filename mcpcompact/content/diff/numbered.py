"""An editor's change with a number on each line, so that unchanged lines seem changed behind an insertion."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Sequence

from mcpcompact.content.shared.lines import blank_lines, truncations
from mcpcompact.outline import Fact, Item, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

_LINE = regex(r"([-+]) ?(\d{1,7})(?:: ?|\t)(.*)")
FEW, MOST = 6, 0.9  # such lines; their share of all
CHANGED, NEAR, BESIDE = 4.0, 0.5, 3  # weights of a change and of the new lines around it, and how many these are


def renumbered(lines: Sequence[str]) -> tuple[dict[int, int], list[int]]:
    """The removed lines with the added ones of the same text, by place and in order on both sides; and all places."""
    found = {i: match for i, line in enumerate(lines) if line[:1] in ("-", "+") and (match := _LINE.match(line))}
    if len(found) < max(FEW, MOST * sum(map(bool, map(str.strip, lines)))):
        return {}, []
    added = defaultdict[str, deque[int]](deque)
    for i, match in found.items():
        if match[1] == "+":
            added[match[3]].append(i)
    same, last = dict[int, int](), -1
    for i, match in found.items():
        others = added[match[3]] if match[1] == "-" else ()
        while others and others[0] <= last:
            others.popleft()
        if others and abs(others[0] - i) <= len(found) // 2:
            same[i] = last = others.popleft()
    return same, [*found]


def outline(lines: Sequence[str]) -> Outline | None:
    """The lines that changed, and how many have only another number; None where no line has."""
    same, places = renumbered(lines)
    if not same:
        return None
    kept, notes = {*same, *same.values()}, {i for i, line in enumerate(lines) if line.strip()} - {*places}
    cut = any("truncated" in lines[i].lower() for i in notes)
    ends = {"-": max(same), "+": max(same.values())}  # behind them a cut may have left out the other half
    changed = [i for i in places if i not in kept and not (cut and i > ends[lines[i][0]])]
    numbers = {i: int(_LINE.match(lines[i])[2]) for i in kept}  # type: ignore[index]
    shifts = Counter(numbers[new] - numbers[old] for old, new in same.items())
    told = ", ".join(f"{n:,} by {shift:+}" for shift, n in shifts.most_common(FEW))
    gone = sum(lines[i][0] == "-" for i in changed)
    said = f"{len(changed) - gone:,} added, {gone:,} removed; {counted(len(same), 'line')} only renumbered ({told})"
    near = {i + k for i in changed for k in range(-BESIDE, BESIDE + 1)} & {*same.values()}
    weights = dict.fromkeys(notes, 1.0) | dict.fromkeys(near, NEAR) | dict.fromkeys(changed, CHANGED)
    items = [Item(i + 1, i + 1, f"{i + 1} {lines[i]}", weight=weights[i]) for i in sorted(weights)]
    facts = [*truncations([*lines]), Fact(f"A change, each line with its number: {said}.", 0)]
    return Outline("diff", "line", len(lines), said, facts, items, more=[("--lines", "A:B")], blank=blank_lines(lines))
