"""What the fill engine chooses among: whole lines, pieces of long ones, and windows around single atoms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mcpcompact.atoms import STRONG, TOKEN, atoms
from mcpcompact.outline import Item
from mcpcompact.patterns import regex
from mcpcompact.slotted import dataclass

PIECE_MIN, PIECE_MAX = 60, 140  # characters a piece of a long line; the range that did best on recorded sessions
WHOLE_LINE = 200  # a line up to here is one piece
WINDOW_SIDE = 30  # characters a window takes at most on either side of its atom: whole words, or none
PLACED = 0.3  # an atom of at least this weight gets windows
WINDOWS_AN_ATOM = 2  # occurrences of one atom that get a window
MAX_PIECES = 60_000
MAX_PIECES_PER_ITEM = 400

_ANCHOR = regex(r"([+\-~ ]?#?\d+(?:[-–@]\d+|\.[\w.\[\]-]{1,60}(?=:))?)(?::|\|)? ")
_DIGITS = regex(r"\d+")
_BREAK = regex(r"[\s,;|)}\]>]+")


@dataclass(slots=True)
class Piece:
    """A span of an item's text. ``cost`` is an estimate in tokens until ``exact``."""

    item: int
    start: int
    end: int
    atoms: tuple[str, ...]  # sorted: sums must not depend on hash order
    cost: float = 0.0
    exact: bool = False
    refused: bool = False  # given back for want of room: not again in this run
    window: bool = False  # around one atom: shares an output line with its neighbours


def anchor(text: str) -> tuple[str, int]:
    """The position an item's text begins with ("417", "+12", "#3") and the length of that prefix; ("", 0) if none."""
    match = _ANCHOR.match(text)
    return (match.group(1), match.end()) if match else ("", 0)


def line_pieces(items: Sequence[Item]) -> list[Piece]:
    """Every item's lines, long lines in pieces. Very long inputs give an even choice of their items."""
    size = sum(min(len(item.text), MAX_PIECES_PER_ITEM * PIECE_MAX) for item in items)
    stride = size // (MAX_PIECES * 60) + 1
    pieces: list[Piece] = []
    for i, item in enumerate(items):
        if i % stride and not item.keep and i != len(items) - 1:
            continue
        for start, end in cut(item.text):
            pieces.append(Piece(i, start, end, tuple(sorted(atoms(item.text[start:end])))))
    return pieces


def survey(items: Sequence[Item], weights: dict[str, float]) -> tuple[float, int, int]:
    """Of an even sample: the share of items whose shape occurs four times or more, strong atoms, words."""
    sample = items[:: len(items) // 1_000 + 1]
    shapes: Counter[str] = Counter()
    named = words = 0
    for item in sample:
        text = item.text[anchor(item.text)[1] :][:300]
        shapes[_DIGITS.sub("0", text)] += 1
        for run in TOKEN.findall(text):
            words += 1
            named += weights.get(run, 0.0) >= STRONG
    repeated = sum(n for n in shapes.values() if n >= 4)
    return repeated / max(1, len(sample)), named, words


def windows(items: Sequence[Item], weights: dict[str, float]) -> Iterator[Piece]:
    """Each atom worth a place with two words beside it, at its first occurrences: the two before it, the two behind
    it, or one of each; the choice takes the cheapest or the one that brings another atom along."""
    times: Counter[str] = Counter()
    said: set[str] = set()
    found: dict[str, tuple[set[str], bool]] = {}  # run -> its atoms, and whether it is worth a place
    for i, item in enumerate(items):
        text = item.text
        begin = anchor(text)[1]
        if not begin or item.weight <= 0:
            continue
        runs = [m.span() for m in TOKEN.finditer(text, begin, begin + 4_000) if m.end() - m.start() > 1]
        for k, (start, end) in enumerate(runs):
            run = text[start:end]
            if run not in found:
                own = atoms(run)
                found[run] = own, len(run) > 3 and sum(weights.get(a, 0.0) for a in own) >= PLACED
            if not found[run][1] or times[run] >= WINDOWS_AN_ATOM:
                continue
            times[run] += 1
            for before, behind in ((2, 0), (0, 2), (1, 1)):
                left = next(a for a, _ in runs[max(0, k - before) : k + 1] if a >= start - WINDOW_SIDE)
                right = next(b for _, b in reversed(runs[k : k + behind + 1]) if b <= end + WINDOW_SIDE)
                if (window := text[left:right]) not in said:
                    said.add(window)
                    yield Piece(i, left, right, tuple(sorted(atoms(window))), window=True)


def cut(text: str) -> list[tuple[int, int]]:
    """Spans of ``text``: its lines, and long lines in pieces of 60 to 140 characters ending at a break."""
    if len(text) <= WHOLE_LINE and "\n" not in text:
        return [(0, len(text))] if text else []
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if len(line) <= WHOLE_LINE:
            if line.strip():
                spans.append((start, end))
        else:
            spans.extend(_cut_line(text, start, end))
        start = end + 1
    if len(spans) > MAX_PIECES_PER_ITEM:
        step = len(spans) / MAX_PIECES_PER_ITEM
        spans = [spans[int(k * step)] for k in range(MAX_PIECES_PER_ITEM)]
    return spans


def _cut_line(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    most = MAX_PIECES_PER_ITEM * 4
    while end - start > PIECE_MAX and len(spans) < most:
        stop = start + PIECE_MAX
        for match in _BREAK.finditer(text, start + PIECE_MIN, stop):
            stop = match.end()
        spans.append((start, stop))
        start = stop
    spans.append((start, end if end - start <= PIECE_MAX else start + PIECE_MAX))
    return spans
