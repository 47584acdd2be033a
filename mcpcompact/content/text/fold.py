"""Runs of one line said once and counted; nothing is lost."""

from __future__ import annotations

from itertools import islice
from operator import eq

_LEAST = 3  # lines a run must have to be worth a mark


def fold_repeats(text: str) -> str:
    """Runs of one line become the line and ``⟪×N⟫``; a line that begins with the mark's sign gets it twice."""
    lines = text.split("\n")
    last = lines.pop()  # behind the last line feed: no line where it is empty, and not one of a run
    same = bytes(map(eq, lines, islice(lines, 1, None))) + b"\0"  # 1 where the next line is the same
    if b"\1" * (_LEAST - 1) not in same and "⟪" not in text:
        return text
    shown = ["⟪" + line if line[:1] == "⟪" else line for line in [*lines, last]] if "⟪" in text else [*lines, last]
    out, at = list[str](), 0
    while (run := same.find(b"\1" * (_LEAST - 1), at)) >= 0:
        end = same.find(b"\0", run)
        out += [*shown[at : run + 1], f"⟪×{end - run + 1}⟫"]
        at = end + 1
    return "\n".join([*out, *shown[at:]])
