"""What others do with a large result, at an equal budget: head, tail, half and half, greedy pieces, bare names."""

from __future__ import annotations

import heapq
from collections.abc import Callable

from bench import oracle
from mcpcompact.replaying.evidence import ATOM, atoms, classify

Count = Callable[[str], int]


def head(text: str, budget: int, count: Count = oracle.count) -> str:
    """The longest start of the text that fits, cut by characters."""
    return _longest(text, budget, count, lambda size: text[:size])


def tail(text: str, budget: int, count: Count = oracle.count) -> str:
    return _longest(text, budget, count, lambda size: text[len(text) - size :])


def head_tail(text: str, budget: int, count: Count = oracle.count) -> str:
    """Half the budget from the start, half from the end, a line between them that says so (Codex's way)."""
    if len(text) < budget * 20 and count(text) <= budget:
        return text
    gap = "\n[...]\n"
    half = (budget - count(gap)) // 2
    return head(text, half, count) + gap + tail(text, half, count)


def _longest(text: str, budget: int, count: Count, cut: Callable[[int], str]) -> str:
    """Binary search for the size; a token is at most 128 characters here, one at least 1/4."""
    low, high = 0, min(len(text), budget * 12)
    while low < high:
        middle = (low + high + 1) // 2
        if count(cut(middle)) <= budget:
            low = middle
        else:
            high = middle - 1
    return cut(low)


def pieces(text: str, low: int = 20, high: int = 140) -> list[str]:
    """The text's lines, short ones joined to at least ``low`` characters, long ones cut near ``high``."""
    out: list[str] = []
    pending = ""
    for line in text.splitlines():
        pending = f"{pending}\n{line}" if pending else line
        if len(pending) < low:
            continue
        while len(pending) > high:
            cut = pending.rfind(" ", low, high)
            cut = cut if cut > 0 else high
            out.append(pending[:cut])
            pending = pending[cut:]
        if pending.strip():
            out.append(pending)
        pending = ""
    if pending.strip():
        out.append(pending)
    return out


def greedy(text: str, budget: int, count: Count = oracle.count) -> str:
    """Pieces by new identifiers per token, lazily, in source order: a plain choice without any knowledge of content."""
    parts = pieces(text)
    found = [atoms(part) for part in parts]
    costs = [count(part) + 1 for part in parts]
    seen: set[str] = set()
    heap = [(-len(new) / cost, i) for i, (new, cost) in enumerate(zip(found, costs, strict=True)) if new]
    heapq.heapify(heap)
    chosen: list[int] = []
    left = budget
    while heap and left > 0:
        gain, i = heapq.heappop(heap)
        now = -len(found[i] - seen) / costs[i]
        if now >= 0:
            continue
        if now > gain + 1e-12:
            heapq.heappush(heap, (now, i))
            continue
        if costs[i] <= left:
            chosen.append(i)
            seen |= found[i]
            left -= costs[i]
    return "\n".join(parts[i] for i in sorted(chosen))


def names(text: str, budget: int, count: Count = oracle.count) -> str:
    """A bare list of every identifier, in order of appearance: cheap, and hardly readable."""
    return head(" ".join(dict.fromkeys(name for name in ATOM.findall(text) if classify(name))), budget, count)
