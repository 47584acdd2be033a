"""What the fill engine chooses among: whole lines, and of a long one stretches that end between words."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from mcpcompact.engine.atoms import atoms
from mcpcompact.outline import Item
from mcpcompact.patterns import regex

WHOLE_LINE = 240  # characters: about what one line of a terminal log or of source has at most
WHOLE_FLOW = 200  # characters of a paragraph that is whole or not shown; of a longer one whole sentences are
PIECE_MIN, PIECE_MAX = 80, 200  # characters of a stretch of a longer line: a sentence or a statement
MAX_PIECES = 60_000
MAX_PIECES_PER_ITEM = 2_000  # of one long line; neighbours must stay beside each other to be one stretch
ITEMS, ITEMS_A_TOKEN = 4_000, 4  # candidates: a line is eight tokens and more, so one in thirty is shown at most

_ANCHOR = regex(r"([+\-~ ]?#?\d+(?:[-–@]\d+|\.[\w.\[\]-]{1,60}(?=:))?)(?::|\|)? ")
_QUOTED_END = regex(r"(?<!\\)\\n")
_SENTENCE_END = regex(r"[.!?…][\"')*_`\]]{0,4}(?=\s+[^a-z\s])|[。！？]")
_LINE_END = regex(r"(?<=\S)(?=[ \t]*\n)")
_BOLD = regex(r"[\d\s–-]{0,16}(?:[-*+]|\d{1,3}[.)])?\s*\*\*[^*\n]{1,200}\*\*.{0,40}")
_QUOTES = " \"'\\n,"
_BREAK = regex(r"[\s,;|)}\]>]+(?=\s|\w|$)|\s+")


@dataclass(slots=True)
class Piece:
    """A span of an item's text. ``cost`` is an estimate in tokens until ``exact``."""

    item: int
    start: int
    end: int
    atoms: tuple[str, ...]  # sorted: sums must not depend on hash order
    line: tuple[int, int] | None = None  # of a stretch of a long line: where that line begins and ends
    cost: float = 0.0
    exact: bool = False
    refused: bool = False  # given back for want of room: not again in this run


def anchor(text: str) -> tuple[str, int]:
    """The position an item's text begins with ("417", "+12", "#3") and the length of that prefix; ("", 0) if none."""
    match = _ANCHOR.match(text)
    return (match.group(1), match.end()) if match else ("", 0)


def line_pieces(items: Sequence[Item], budget: int, asked: Container[int] = ()) -> list[Piece]:
    """Every item's lines, long lines in stretches. Of far more items than the budget can show an even choice, what is
    asked for among them."""
    size = sum(min(len(item.text), MAX_PIECES_PER_ITEM * PIECE_MAX) for item in items)
    stride = max(size // (MAX_PIECES * 60) + 1, len(items) // max(ITEMS, ITEMS_A_TOKEN * budget))
    pieces: list[Piece] = []
    for i, item in enumerate(items):
        if i % stride and not item.keep and i not in asked and i != len(items) - 1:
            continue
        for start, end, line in flowing(item.text, item.flow) if item.flow else cut(item.text):
            pieces.append(Piece(i, start, end, tuple(sorted(atoms(item.text[start:end]))), line))
    return pieces


def cut(text: str) -> list[tuple[int, int, tuple[int, int] | None]]:
    """Spans of ``text``: its lines, and long lines in stretches that end between words, each with its line's span."""
    if len(text) <= WHOLE_LINE and "\n" not in text:
        return [(0, len(text), None)] if text else []
    spans: list[tuple[int, int, tuple[int, int] | None]] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if len(line) > WHOLE_LINE:
            spans.extend(_stretches(text, start, end))
        elif line.strip():
            spans.append((start, end, None))
        start = end + 1
    if len(spans) > MAX_PIECES_PER_ITEM:
        step = len(spans) / MAX_PIECES_PER_ITEM
        spans = [spans[int(k * step)] for k in range(MAX_PIECES_PER_ITEM)]
    return spans


def flowing(text: str, flow: str) -> list[tuple[int, int, tuple[int, int] | None]]:
    """A text that is read from its beginning: whole when short, else its sentences or lines, each behind the last.
    What introduces a rule in bold stands with what follows."""
    if len(text) <= WHOLE_FLOW:
        return [(0, len(text), None)]
    bold = _BOLD.match(text)
    pattern = _LINE_END if flow == "lines" else _SENTENCE_END
    stops = [0]
    for match in pattern.finditer(text, bold.end() if bold else 0):
        if match.end() - stops[-1] >= PIECE_MIN:
            stops.append(match.end())
    stops = [stop for stop in stops if len(text) - stop >= PIECE_MIN // 4 or not stop] + [len(text)]
    spans: list[tuple[int, int, tuple[int, int] | None]] = []
    for first, last in pairwise(stops):
        parts = [(a, b) for a, b, _ in _stretches(text, first, last)] if last - first > 2 * PIECE_MAX else []
        spans += [(a, b, (0, len(text))) for a, b in parts or [(first, last)]]
    return spans[:MAX_PIECES_PER_ITEM]


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """A long line in stretches; where it quotes lines (a string with ``\\n``), each of these is a line of its own."""
    end = min(end, start + MAX_PIECES_PER_ITEM * 4 * PIECE_MAX)
    stops = [match.end() for match in _QUOTED_END.finditer(text, start, end)]
    for first, last in pairwise([start, *stops, end]):
        at = first
        while last - at > WHOLE_LINE:
            stop = at + PIECE_MAX
            for match in _BREAK.finditer(text, at + PIECE_MIN, stop):
                stop = match.end()
            yield at, stop, (first, last)
            at = stop
        if text[at:last].strip(_QUOTES):
            yield at, last, (first, last)
