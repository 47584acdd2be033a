"""Plain ways to make a text short, for the policies to compare with."""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from mcpcompact.replaying.evidence import atoms

_DEPTH = 20

Count = Callable[[str], int]

GAP = "\n[...]\n"

LONG = 240  # characters of a line that is chosen as a whole: about the most that a line of a log or of source has


def head(text: str, budget: int, tokens: int, count: Count) -> str:
    """The longest start of the text within the budget, to a few characters."""
    return text[: _longest(len(text), budget, tokens, lambda size: count(text[:size]))]


def tail(text: str, budget: int, tokens: int, count: Count) -> str:
    whole = len(text)
    return text[whole - _longest(whole, budget, tokens, lambda size: count(text[whole - size :])) :]


def head_tail(text: str, budget: int, tokens: int, count: Count) -> str:
    """Half the budget from the start, half from the end, a line between them that says so."""
    half = (budget - count(GAP)) // 2
    return head(text, half, tokens, count) + GAP + tail(text, half, tokens, count) if half > 0 else ""


def _longest(size: int, budget: int, tokens: int, cost: Callable[[int], int]) -> int:
    """The largest cut whose cost fits: from the guess that all characters cost alike, by interpolation, then halves."""
    if tokens <= budget:
        return size
    low, high = 0, size
    guess = size * budget // tokens
    for turn in range(40):
        if high - low <= 1 or budget <= 0:
            break
        guess = min(max(guess, low + 1), high - 1)
        spent = cost(guess)
        if spent <= budget:
            low = guess
        else:
            high = guess
        if spent == budget:
            break
        guess = (low + high) // 2 if turn % 3 == 2 else guess + (budget - spent) * guess // max(1, spent)
    return low


def joined(lines: Sequence[str], order: Sequence[int], budget: int, count: Count) -> str:
    """Lines in the given order of choice while they fit, shown in their own order."""
    chosen: list[int] = []
    left = budget
    for i in order:
        cost = count(lines[i] + "\n")
        if cost <= left:
            chosen.append(i)
            left -= cost
        if left <= 1:
            break
    return "\n".join(lines[i] for i in sorted(chosen))


def greedy_lines(text: str, budget: int, count: Count) -> str:
    """Whole lines by new atoms per token, lazily (Minoux 1978), in source order: a plain choice without any knowledge
    of the content, and the one to beat. A line over ``LONG`` characters is offered in pieces cut at blanks."""
    lines = [piece for line in text.splitlines() for piece in _broken(line)]
    atom_sets = [atoms(line) for line in lines]
    costs = [count(line) + 1 for line in lines]
    heap = [(-len(new) / cost, i) for i, (new, cost) in enumerate(zip(atom_sets, costs, strict=True)) if new]
    heapq.heapify(heap)
    seen: set[str] = set()
    chosen: list[int] = []
    while heap and budget > 0:
        gain, i = heapq.heappop(heap)
        now = -len(atom_sets[i] - seen) / costs[i]
        if now > gain + 1e-12:
            if now:
                heapq.heappush(heap, (now, i))
        elif costs[i] <= budget:
            chosen.append(i)
            seen |= atom_sets[i]
            budget -= costs[i]
    return "\n".join(lines[i] for i in sorted(chosen))


def _broken(line: str) -> list[str]:
    """A line, or its pieces of at most ``LONG`` characters."""
    pieces = []
    while len(line) > LONG:
        cut = line.rfind(" ", LONG // 2, LONG) + 1 or LONG
        pieces.append(line[:cut])
        line = line[cut:]
    return [*pieces, line]


def first_of(text: str, sequences: int, records: int, fields: int) -> str:
    """The first sequences of a FASTA; every list of a JSON text cut to its first records, each to its first fields."""
    start = text.lstrip()[:1]
    if start == ">":
        starts = [match.start() for match in re.finditer(r"^>", text, re.MULTILINE)]
        return text if len(starts) <= sequences else f"{text[: starts[sequences]]}... {len(starts) - sequences} more"
    if start not in ("{", "["):
        return text
    import orjson

    try:
        value = orjson.loads(text)
    except ValueError:
        return text
    return json.dumps(_first(value, records, fields, 0), ensure_ascii=False)


def _first(value: Any, records: int, fields: int, depth: int) -> Any:
    if depth > _DEPTH:
        return "..."
    if isinstance(value, list):
        few = (dict(list(item.items())[:fields]) if isinstance(item, dict) else item for item in value[:records])
        kept = [_first(item, records, fields, depth + 1) for item in few]
        return kept if len(value) <= records else [*kept, f"... {len(value) - records} more"]
    if isinstance(value, dict):
        return {key: _first(item, records, fields, depth + 1) for key, item in value.items()}
    return value
