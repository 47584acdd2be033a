"""The exact token counter.

Small texts are counted here, over the mapped vocabulary: cut into pieces by standard ``re``, each piece looked up
once and remembered. When too many bytes miss the vocabulary (long DNA or base64 runs), and for large texts, a
compiled tokenizer takes over (``bulk``). All three ways give the same number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

from mcpcompact.errors import UsageError
from mcpcompact.tokens.encodings import (
    ABSENT,
    DEFAULT,
    NAMES,
    safe_cut,
    safe_cuts,
    shadow,
    splitter,
    vocabulary,
    well_formed,
)

if TYPE_CHECKING:
    from mcpcompact.tokens.bulk import Tiktoken, Toktok

_SCANNED = 48  # bytes in which scanning a list for its minimum beats a heap
_SHORT = 128  # bytes that are looked up at once
_LONG = 4096  # bytes that a faster way counts
_NOT_KEPT = 256  # bytes that are not remembered

BULK = 600_000
"""Characters from which a text goes to the compiled tokenizer at once, which takes up to 0.5 s to load."""

BUDGET = 200_000
"""Bytes merged by the own counter before the compiled tokenizer is loaded (which costs as much as about these)."""

STREAM = 1 << 20  # characters of a stream gathered before they are counted
WINDOW = 16_384  # characters the own counter takes at a time; between windows it looks at its budget
PIECES = 100_000  # pieces and pairs remembered; the memory starts anew when it is full


class _Ranks(dict[bytes, int]):
    """Remembered ranks of pairs, so that merging repetitive text is mostly dictionary look-ups."""

    __slots__ = ("_rank",)

    def __init__(self, name: str) -> None:
        self._rank = vocabulary(name).rank

    def __missing__(self, piece: bytes) -> int:
        if len(piece) > _SHORT:
            return ABSENT  # the longest token has 128 bytes
        if len(self) >= PIECES:
            self.clear()
        self[piece] = rank = self._rank(piece)
        return rank


class _Pieces(dict[str, int]):
    """Remembered token counts of pieces. ``missed`` is the work so far: bytes that had to be merged.

    ``long`` merges pieces over 4,096 bytes, once a compiled tokenizer that can is at hand.
    """

    __slots__ = ("_holds", "_rank", "long", "missed")

    def __init__(self, name: str) -> None:
        self._holds = vocabulary(name).holds
        self._rank = _Ranks(name).__getitem__
        self.missed = 0
        self.long: Callable[[bytes], int] | None = None

    def __missing__(self, piece: str) -> int:
        data = piece.encode()
        size = len(data)
        if size <= _SHORT and self._holds(data):
            tokens = 1
        else:
            self.missed += size
            tokens = self.long(data) if self.long and size > _LONG else _merged(data, self._rank)
            if size > _NOT_KEPT:
                return tokens  # long pieces seldom come again
        if len(self) >= PIECES:
            self.clear()
        self[piece] = tokens
        return tokens


class Counter:
    """Counts the tokens of one encoding, exactly, for any text of any size, without a network."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._split = splitter(name)
        self._pieces = _Pieces(name)
        self._bulk: Tiktoken | Toktok | None = None

    def __repr__(self) -> str:
        return f"Counter({self.name!r})"

    def count(self, text: str) -> int:
        """The number of tokens; special tokens such as ``<|endoftext|>`` count as the plain text they are."""
        size = len(text)
        text = well_formed(text)
        if size <= WINDOW:
            return self._own(text) if self._pieces.missed <= BUDGET else self.prepare().count(text)
        if size <= (BULK if self._bulk is None else 2 * WINDOW):
            total = 0
            for start, end in safe_cuts(text, WINDOW):
                if self._pieces.missed > BUDGET or end - start > 4 * WINDOW:
                    return total + self.prepare().count(text[start:])
                total += self._own(text[start:end])
            return total
        return self.prepare().count(text)

    def count_stream(self, texts: Iterable[str]) -> int:
        """The number of tokens of consecutive parts of one text, as if they were joined. Memory is a part or two,
        unless the text has no safe boundary for longer than that."""
        total, rest = 0, ""
        for text in texts:
            seen = len(rest)
            rest += text
            if len(rest) < STREAM:
                continue
            cut = safe_cut(rest, max(seen, len(rest) - 4096), len(rest)) or safe_cut(rest, max(0, seen - 1), len(rest))
            if cut:
                total += self.count(rest[:cut])
                rest = rest[cut:]
        return total + self.count(rest)

    def prepare(self) -> Tiktoken | Toktok:
        """Load the compiled tokenizer now: there is much to count, in small pieces."""
        if self._bulk is None:
            from mcpcompact.tokens.bulk import backend

            self._bulk = backend(self.name, self._stretch)
        return self._bulk

    def counts(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        if self._bulk is None and sum(map(len, texts)) <= BULK and self._pieces.missed <= BUDGET:
            return [*map(self.count, texts)]
        return self.prepare().counts([*map(well_formed, texts)])

    @property
    def work(self) -> int:
        """Bytes that missed the vocabulary and had to be merged so far."""
        return self._pieces.missed

    def _own(self, text: str) -> int:
        known = self._pieces.__getitem__
        if text.isascii():
            return sum(map(known, self._split(text)))
        ends = list(accumulate(map(len, self._split(text.translate(shadow())))))
        return sum(map(known, map(text.__getitem__, map(slice, [0, *ends], ends))))

    def _stretch(self, text: str, long: Callable[[bytes], int]) -> int:
        """A text without a safe boundary, which tiktoken's regex engine cannot take whole: its pieces one by one."""
        self._pieces.long = long
        return self._own(text)


@cache
def counter(encoding: str = DEFAULT) -> Counter:
    """The counter of an encoding, made once. ``UsageError`` for an encoding that is not shipped."""
    if encoding not in NAMES:
        raise UsageError(f"unknown encoding {encoding!r}", hint=f"known are {' and '.join(NAMES)}")
    return Counter(encoding)


def _merged(piece: bytes, rank: Callable[[bytes], int]) -> int:
    """The number of tokens that byte pair encoding makes of ``piece`` (two bytes or more)."""
    return _scan(piece, rank) if len(piece) <= _SCANNED else _heap(piece, rank)


def _scan(piece: bytes, rank: Callable[[bytes], int]) -> int:
    """The definition: join the leftmost pair of lowest rank until no pair is a token. O(n²), quick for short pieces."""
    cuts = list(range(len(piece) + 1))
    ranks = [rank(piece[at : at + 2]) for at in range(len(piece) - 1)]
    while ranks and (lowest := min(ranks)) != ABSENT:
        at = ranks.index(lowest)
        del cuts[at + 1], ranks[at]
        if at:
            ranks[at - 1] = rank(piece[cuts[at - 1] : cuts[at + 1]])
        if at < len(ranks):
            ranks[at] = rank(piece[cuts[at] : cuts[at + 2]])
    return len(cuts) - 1


def _heap(piece: bytes, rank: Callable[[bytes], int]) -> int:
    """The same in O(n log n): parts are a linked list of positions, pairs a heap of ``rank << 32 | position``."""
    from heapq import heapify, heappop, heappush

    size = len(piece)
    after, before = list(range(1, size + 2)), list(range(-1, size))  # neighbours by position; `size` is the end
    ranks = [rank(piece[at : at + 2]) for at in range(size - 1)]
    ranks += [ABSENT, ABSENT]
    heap = [value << 32 | at for at, value in enumerate(ranks) if value != ABSENT]
    heapify(heap)
    parts = size
    while heap:
        entry = heappop(heap)
        at = entry & 0xFFFFFFFF
        if ranks[at] != entry >> 32:
            continue  # one of its parts has been joined with another since
        gone = after[at]
        follower = after[at] = after[gone]
        before[follower] = at
        ranks[gone] = ABSENT
        parts -= 1
        ranks[at] = value = rank(piece[at : after[follower]]) if follower < size else ABSENT
        if value != ABSENT:
            heappush(heap, value << 32 | at)
        left = before[at]
        if left >= 0:
            ranks[left] = value = rank(piece[left:follower])
            if value != ABSENT:
                heappush(heap, value << 32 | left)
    return parts
