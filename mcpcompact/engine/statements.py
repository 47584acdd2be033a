"""The lines of short statements of a program: a condition without what it guards, a call without its end say little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcpcompact.engine.choice import Piece, anchor
from mcpcompact.outline import Item
from mcpcompact.patterns import regex

MAX = 6  # lines: longer ones are blocks, of which lines are chosen
_GOES_ON = regex(r"[)}\]]|(?:else|elif|elsif|except|rescue|catch|finally|ensure|end|fi|done|then|do)\b")


def statements(items: Sequence[Item], pieces: Sequence[Piece]) -> dict[int, range]:
    """By the number of a piece those of the longest short statement that holds it: a line, those that stand deeper
    right below it, and what goes on with it or closes it. Heads of definitions are of none."""
    ranges: dict[int, range] = {}
    begun: list[tuple[int, int]] = []  # indentation and first piece of the statements that are open
    before = -1  # the last line so far
    for n, (line, last, indent, goes_on) in enumerate(_lines(items, pieces)):
        _end(begun, n, -1 if line != before + 1 else indent + goes_on, ranges)
        if line and not (goes_on and begun and begun[-1][0] == indent):
            begun.append((indent, n))
        before = last
    _end(begun, len(pieces), -1, ranges)
    return ranges


def _end(begun: list[tuple[int, int]], end: int, indent: int, ranges: dict[int, range]) -> None:
    """Those that stand as deep as ``indent`` or deeper end before a piece; outer ones last, which hold them."""
    while begun and begun[-1][0] >= indent:
        first = begun.pop()[1]
        if 1 < end - first <= MAX:
            ranges.update(dict.fromkeys(range(first, end), range(first, end)))


def _lines(items: Sequence[Item], pieces: Sequence[Piece]) -> Iterator[tuple[int, int, int, bool]]:
    """Of each piece its lines, 0 of a head or a part of an item, its indentation, and whether it goes on."""
    for piece in pieces:
        item = items[piece.item]
        text = item.text[anchor(item.text)[1] :]
        bare = text.lstrip()
        whole = piece.end - piece.start == len(item.text) and not item.part[0]
        yield item.start * whole, item.end * whole, len(text) - len(bare), _GOES_ON.match(bare) is not None
