"""The exact token counter; and estimates, always labelled as such: the seeds' rule, and sampling with a stated error.

Small texts are counted here, over the mapped vocabulary: cut into pieces by standard ``re``, each piece looked up
once and remembered. When too many bytes miss the vocabulary (long DNA or base64 runs), and for large texts, a
compiled tokenizer takes over (``bulk``). All three ways give the same number.
"""

from __future__ import annotations

from codecs import utf_8_decode
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

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
    from mcpcompact.source import Source
    from mcpcompact.tokens.bulk import Tiktoken, Toktok

_SCANNED = 48  # bytes in which scanning a list for its minimum beats a heap
_SHORT = 128  # bytes that are looked up at once
_LONG = 4096  # bytes that a faster way counts
_NOT_KEPT = 256  # bytes that are not remembered

BULK, KNOWN = 120_000, 1_200_000
"""Characters from which a text goes to the compiled tokenizer, which takes 0.2 s to load: most of whose pieces are not
in the vocabulary, and one that is known."""

BUDGET = 120_000
"""Bytes merged by the own counter before the compiled tokenizer is loaded (which costs as much as about these)."""

MUCH = 8_000_000  # characters behind which toktok is worth its loading (0.5 s), where it is installed

STREAM = 1 << 20  # characters of a stream gathered before they are counted
WINDOW = 16_384  # characters the own counter takes at a time; between windows it looks at its budget
PROBED = 2_048  # characters of a text that tell whether its pieces are in the vocabulary
PIECES = 100_000  # pieces and pairs remembered; the memory starts anew when it is full


class Tokenizer(NamedTuple):
    """How to count for a model. ``low`` and ``high`` turn tokens of ``encoding`` into the model's own."""

    model: str | None
    encoding: str
    exact: bool = True
    low: float = 1.0
    high: float = 1.0
    context_limit: int | None = None
    note: str = ""

    def bounds(self, tokens: int) -> tuple[int, int]:
        """The model's own tokens, at least and at most, for so many tokens of ``encoding``."""
        return int(tokens * self.low), -int(-tokens * self.high // 1)


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
            merged = _scan if size <= _SCANNED else _heap
            tokens = self.long(data) if self.long and size > _LONG else merged(data, self._rank)
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

    def count(self, text: str) -> int:
        """The number of tokens; special tokens such as ``<|endoftext|>`` count as the plain text they are."""
        size = len(text)
        text = well_formed(text)
        if size <= WINDOW:
            return self._own(text) if self._quick() else self.prepare().count(text)
        if size <= (BULK if self._bulk is None else 2 * WINDOW) or (size <= KNOWN and self._knows(text)):
            total = 0
            for start, end in safe_cuts(text, WINDOW):
                if self._pieces.missed > BUDGET or end - start > 4 * WINDOW:
                    return total + self.prepare().count(text[start:])
                total += self._own(text[start:end])
            return total
        return self.prepare().count(text)

    def _quick(self) -> bool:
        """Whether the own counter is as quick as any: until there was much to merge, or the compiled one is there."""
        return self._bulk is None and self._pieces.missed <= BUDGET

    def _knows(self, text: str) -> bool:
        """Whether the pieces of a text are in the vocabulary for the most part, by those in its middle."""
        if self._bulk is not None:
            return False
        before, middle = self._pieces.missed, len(text) // 2
        self._own(text[middle : middle + PROBED])
        return (self._pieces.missed - before) * len(text) < BUDGET * PROBED

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
        if self._bulk is None or self._bulk.counted > MUCH:
            from mcpcompact.tokens.bulk import backend

            self._bulk = backend(self, much=self._bulk is not None)
        return self._bulk

    def counts(self, texts: Sequence[str]) -> list[int]:
        """The number of tokens of each text."""
        if self._quick() and sum(map(len, texts)) <= BULK:
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

    def stretch(self, text: str, long: Callable[[bytes], int]) -> int:
        """A text without a safe boundary, which tiktoken's regex engine cannot take whole: its pieces one by one."""
        self._pieces.long = long
        return self._own(text)


@cache
def counter(encoding: str = DEFAULT) -> Counter:
    """The counter of an encoding, made once. ``UsageError`` for an encoding that is not shipped."""
    if encoding not in NAMES:
        raise UsageError(f"unknown encoding {encoding!r}", hint=f"known are {' and '.join(NAMES)}")
    return Counter(encoding)


def _scan(piece: bytes, rank: Callable[[bytes], int]) -> int:
    """The number of tokens that byte pair encoding makes of ``piece`` (two bytes or more), by the definition: join the
    leftmost pair of lowest rank until no pair is a token. O(n²), quick for short pieces."""
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


# -- estimates --------------------------------------------------------------------------------

_CONTINUED = 0x80  # of bytes of UTF-8 behind a first one, the two highest bits

SAMPLE_ABOVE = 4 * 1024 * 1024  # payloads of at most this many bytes are counted whole

STRATA = 256
SAMPLED = 2048
"""Bytes a piece. Many small pieces follow an uneven payload better than few large ones of the same total."""

CHECK_EVERY, ENOUGH, WORK = 16, 0.25, 160_000
"""After every so many pieces sampling stops when the standard error (percent) is low, or when the bytes that missed
the vocabulary (which are slow to count) are too many."""


def estimate_characters(characters: int) -> int:
    """The seeds' rule of thumb: a token every four characters, and 20 percent on top. Off by −55 % to +40 %."""
    return -(-characters * 3 // 10)


class SampledCount(NamedTuple):
    """``tokens`` and its 95 % confidence half-width in percent; 0.0 when everything was counted."""

    tokens: int
    error_percent: float


def sample(source: Source, encoding: str = DEFAULT) -> SampledCount:
    """Tokens of a payload, from evenly spaced pieces counted exactly; the same payload gives the same figure.

    One piece a stratum, the strata visited in bit-reversed order so that any prefix is spread evenly. A ratio
    estimator: tokens per byte of the pieces, times the size; its error by Cochran, Sampling Techniques, §6.4.
    """
    wide = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}.get(source.read(0, 2), "")  # by its mark
    if source.size <= SAMPLE_ABOVE:
        text = source.read(2 if wide else 0, source.size).decode(wide or "utf-8", "replace")
        return SampledCount(counter(encoding).count(text), 0.0)
    count = Counter(encoding)  # of its own: what sampling costs must not use up the budget of the shared one
    tokens: list[int] = []
    sizes: list[int] = []
    width = source.size // STRATA
    for turn in range(STRATA):
        stratum = int(f"{turn:08b}"[::-1], 2)
        offset = (turn * 0x9E3779B1 & 0xFFFFFFFF) * (width - SAMPLED) >> 32  # a low-discrepancy place in the stratum
        start = (stratum * width + offset) & ~1
        text, size = _trimmed(source.read(start, start + SAMPLED), wide)
        if size:
            tokens.append(count.count(text))
            sizes.append(size)
        if (turn + 1) % CHECK_EVERY == 0 and tokens:
            error = _standard_error(tokens, sizes)
            if error <= ENOUGH or count.work > WORK:
                break
    ratio = sum(tokens) / max(1, sum(sizes))
    return SampledCount(round(ratio * source.size), round(1.96 * _standard_error(tokens, sizes) + 0.05, 1))


def _standard_error(tokens: list[int], sizes: list[int]) -> float:
    """Of the ratio of the sums, in percent."""
    pieces, ratio = len(tokens), sum(tokens) / max(1, sum(sizes))
    if pieces <= 1 or not ratio:
        return 100.0
    squares = sum((t - ratio * s) ** 2 for t, s in zip(tokens, sizes, strict=True))
    deviation: float = (squares / (pieces * (pieces - 1))) ** 0.5
    return 100.0 * deviation / (sum(tokens) / pieces)


def _trimmed(data: bytes, wide: str) -> tuple[str, int]:
    """A piece cut back to safe boundaries where it has them, and the bytes it then stands for."""
    if wide:
        return data.decode(wide, "replace"), len(data)
    # behind the rest of a character
    head = next((at for at in range(min(4, len(data))) if data[at] & 0xC0 != _CONTINUED), 0)
    text, used = utf_8_decode(data[head:], "replace", False)  # a character cut in two at the end is left out
    size = len(text)
    end = safe_cut(text, 3 * size // 4, size) or size
    start = safe_cut(text, 0, size // 4) or 0
    if "\ufffd" in text:  # binary, or text of another code: its bytes cannot be told from its characters
        return text, used
    return text[start:end], len(text[start:end].encode())
