"""Runs of one line said once and counted; nothing is lost."""

from __future__ import annotations

from itertools import groupby, islice
from operator import eq

_LEAST = 3  # lines a run must have to be worth a mark


def fold_repeats(text: str) -> str:
    """Runs of one line become the line and ``⟪×N⟫``; a line that begins with the mark's sign gets it twice."""
    out: list[str] = []
    lines = text.split("\n")
    last = lines.pop()  # behind the last line feed: no line where it is empty, and not one of a run
    same = bytes(map(eq, lines, islice(lines, 1, None)))  # 1 where the next line is the same
    if b"\1" * (_LEAST - 1) not in same and "⟪" not in text:
        return text
    for line, run in groupby(lines):
        count = len([*run])
        shown = "⟪" + line if line[:1] == "⟪" else line
        out += [shown, f"⟪×{count}⟫"] if count >= _LEAST else [shown] * count
    return "\n".join([*out, "⟪" + last if last[:1] == "⟪" else last])
