"""What the fill engine chooses among: whole lines, pieces of long ones, and windows around single atoms."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import NamedTuple

from mcpcompact.atoms import STRONG, TOKEN, atoms
from mcpcompact.outline import Item
from mcpcompact.patterns import regex
from mcpcompact.slotted import dataclass

PIECE_MIN, PIECE_MAX = 60, 140  # characters a piece of a long line; the range that did best on recorded sessions
WHOLE_LINE = 200  # a line up to here is one piece
NEAREST, FAR = 6, 200  # the words around an atom that are its context, and how many characters away they may be
SCANNED = 4_000  # characters of one item that get windows
PLACED = 0.3  # an atom of at least this weight gets windows
WINDOWS_AN_ATOM = 2  # occurrences of one atom that get a window
WINDOWED = 100_000  # characters of items that get windows: of more an even choice, of which little can be shown anyway
MAX_PIECES = 60_000
MAX_PIECES_PER_ITEM = 400
ITEMS, ITEMS_A_TOKEN = 4_000, 4  # candidates: a line is eight tokens and more, so one in thirty is shown at most

Span = tuple[int, int, int]  # item, start, end

_WORD = regex(r"\w{2,}")
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
    also: tuple[Span, ...] = ()  # pieces of the lines beside it that come along

    def spans(self) -> tuple[Span, ...]:
        return ((self.item, self.start, self.end), *self.also)


class Word(NamedTuple):
    distance: int  # characters between it and the place
    text: str
    item: int
    start: int
    end: int


def anchor(text: str) -> tuple[str, int]:
    """The position an item's text begins with ("417", "+12", "#3") and the length of that prefix; ("", 0) if none."""
    match = _ANCHOR.match(text)
    return (match.group(1), match.end()) if match else ("", 0)


def line_pieces(items: Sequence[Item], budget: int, asked: Container[int] = ()) -> list[Piece]:
    """Every item's lines, long lines in pieces. Of far more items than the budget can show an even choice, what is
    asked for among them."""
    size = sum(min(len(item.text), MAX_PIECES_PER_ITEM * PIECE_MAX) for item in items)
    stride = max(size // (MAX_PIECES * 60) + 1, len(items) // max(ITEMS, ITEMS_A_TOKEN * budget))
    pieces: list[Piece] = []
    for i, item in enumerate(items):
        if i % stride and not item.keep and i not in asked and i != len(items) - 1:
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
    """Each atom worth a place, at its first occurrences, with what shows its context: a third of the six words nearest
    to it, on the lines beside it where its own has none. What stands before it, behind it or around it: the choice
    takes the cheapest or the one that brings another atom along."""
    around = _Around(items)
    stride = sum(len(item.text) for item in items) // WINDOWED + 1
    times: Counter[str] = Counter()
    said: set[str] = set()
    found: dict[str, tuple[set[str], bool]] = {}  # run -> its atoms, and whether it is worth a place
    for i, item in enumerate(items):
        text, begin = item.text, around.begins[i]
        if not begin or item.weight <= 0 or (i % stride and not item.keep):
            continue
        for match in TOKEN.finditer(text, begin, begin + SCANNED):
            start, end = match.span()
            run = text[start:end]
            if run not in found:
                own = atoms(run)
                found[run] = own, len(run) > 3 and sum(weights.get(a, 0.0) for a in own) >= PLACED
            if not found[run][1] or times[run] >= WINDOWS_AN_ATOM:
                continue
            times[run] += 1
            for (_, left, right), *also in around.ways(i, start, end):
                window = " ".join([text[left:right], *(items[k].text[a:b] for k, a, b in also)])
                if window not in said:
                    said.add(window)
                    yield Piece(i, left, right, tuple(sorted(atoms(window))), window=True, also=tuple(also))


class _Around:
    """The words around a place in the items, across their ends."""

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = items
        self.begins = [anchor(item.text)[1] for item in items]
        self.words: dict[int, list[tuple[int, int, str]]] = {}

    def ways(self, i: int, start: int, end: int) -> Iterator[list[Span]]:
        """Ways to show ``start:end`` of item ``i`` with enough of the words nearest to it, its own span first."""
        sides = self._side(i, start, -1), self._side(i, end, 1)
        near = sorted([*sides[0], *sides[1]])[:NEAREST]
        least = -(-len({word.text for word in near}) // 3)
        inside = {text for a, b, text in self._of(i) if start <= a and b <= end}
        left, right = ([word for word in near if word in side] for side in sides)
        inside &= {word.text for word in near}
        most = len(right)
        for b in range(len(left) + 1):  # one more word before it, as few as are needed behind it
            shown = inside | {word.text for word in left[:b]}
            needed = next((r for r in range(most + 1) if len(shown | {w.text for w in right[:r]}) >= least), -1)
            if needed >= 0:
                yield self._spans(i, start, end, [*left[:b], *right[:needed]])
                most = needed - 1
            if most < 0:
                return

    def _spans(self, i: int, start: int, end: int, words: list[Word]) -> list[Span]:
        reach = {i: (start, end)}
        for word in words:
            a, b = reach.get(word.item, (word.start, word.end))
            reach[word.item] = min(a, word.start), max(b, word.end)
        return [(i, *reach.pop(i)), *((k, a, b) for k, (a, b) in sorted(reach.items()))]

    def _side(self, i: int, at: int, step: int) -> list[Word]:
        """The six words before (-1) or behind (1) a place, nearest first, at most ``FAR`` characters away."""
        out: list[Word] = []
        k, away = i, 0  # from here to the near end of item k
        while 0 <= k < len(self.items) and away < FAR and len(out) < NEAREST:
            text = self.items[k].text
            if k != i:
                at = self.begins[k] if step > 0 else len(text)
            words = self._of(k)
            n = bisect_left(words, (at, 0, ""))
            for a, b, word in words[n : n + NEAREST] if step > 0 else reversed(words[max(0, n - NEAREST) : n]):
                distance = away + (a - at if step > 0 else at - b)
                if distance < 0:
                    continue
                if distance >= FAR or len(out) == NEAREST:
                    return out
                out.append(Word(distance, word, k, a, b))
            away += 1 + (len(text) - at if step > 0 else at - self.begins[k])
            k += step
        return out

    def _of(self, i: int) -> list[tuple[int, int, str]]:
        if i not in self.words:
            begin = self.begins[i]
            found = _WORD.finditer(self.items[i].text, begin, begin + SCANNED + FAR)
            self.words[i] = [(*match.span(), match.group()) for match in found]
        return self.words[i]


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
