"""Byte pair merging of one piece that is not itself a token. Only the number of tokens is wanted."""

from __future__ import annotations

from mcpcompact.tokens.encodings import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SHORT = 48
"""Up to this many bytes scanning a list for its minimum beats a heap."""


def merged(piece: bytes, rank: Callable[[bytes], int]) -> int:
    """The number of tokens that byte pair encoding makes of ``piece`` (two bytes or more)."""
    return _scan(piece, rank) if len(piece) <= SHORT else _heap(piece, rank)


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
