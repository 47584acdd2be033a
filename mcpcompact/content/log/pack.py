"""A log said shorter without loss: consecutive repeats folded, a shared beginning of many lines said once.

The text can be made again from it, character for character. Line by line, a packed text holds
``§prefix`` (all following lines begin with ``prefix``, until the next ``§``), lines without their
prefix, and ``… ×n`` (the line before stands ``n`` times in a row).
"""

from __future__ import annotations

from itertools import groupby
from typing import Final

from mcpcompact.content.log.lines import find_stamp
from mcpcompact.patterns import regex

_WORTH_PACKING = 6  # characters saved

_MARK: Final = "§"
_CUTS: Final = regex(r"[T:._-]| ")


def pack(text: str) -> str | None:
    """The packed text, or ``None`` when it would not be shorter or the text holds our own marks."""
    if _MARK in text or "… ×" in text:
        return None
    lines = text.split("\n")
    stamped = [bool(line[:1].strip()) and find_stamp(line[:40]) is not None for line in lines]
    best = min((_pack(lines, stamped, width) for width in _widths(lines)), key=len)
    return best if len(best) < len(text) else None


def _widths(lines: list[str]) -> list[int]:
    """Prefix lengths worth trying: none, and each part of the time stamp (date, hour, minute)."""
    for line in lines[:20]:
        found = find_stamp(line)
        if found and found[1] <= 1:
            ends = [cut.end() for cut in _CUTS.finditer(line, 4, found[2])]
            return [0, *dict.fromkeys(ends)]
    return [0]


def shortest(text: str) -> int:
    """A lower bound of the packed length, cheap: repeats folded and a stamp of at most 30 characters dropped."""
    return sum(max(0, len(line) - 30) for line, _ in groupby(text.split("\n")))


def _pack(lines: list[str], stamped: list[bool], width: int) -> str:
    out: list[str] = []
    prefix, at, n = "", 0, len(lines)
    while at < n:
        line = lines[at]
        end = at + 1
        while end < n and lines[end] == line:
            end += 1
        want = line[:width] if width and len(line) >= width and stamped[at] else ""
        if want != prefix:
            prefix = want
            out.append(_MARK + prefix)
        body = line[len(prefix) :]
        if (end - at - 1) * (len(body) + 1) > _WORTH_PACKING:
            out += [body, f"… ×{end - at}"]
        else:
            out += [body] * (end - at)
        at = end
    return "\n".join(out)
