"""What is found: where a secret stands, and of which kind; and how much chance is in it."""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import namedtuple


if TYPE_CHECKING:

    class Span(NamedTuple):
        """Bytes ``start`` to ``end`` are a secret; ``quote`` is put around the placeholder (a bare JSON number)."""

        start: int
        end: int
        kind: str
        quote: bytes
else:
    Span = namedtuple("Span", "start end kind quote")


def bits(secret: bytes) -> float:
    """Shannon's entropy of a text by its bytes, in bits a byte."""
    from math import log2

    size = len(secret)
    return -sum(n / size * log2(n / size) for n in map(secret.count, set(secret)))


@lru_cache(1_024)  # of text that repeats itself, the same value at each hit
def looks_random(value: bytes, least: int = 10) -> bool:
    """Whether a value looks drawn by chance: long enough, many kinds of characters, changing often."""
    if len(value) < least:
        return False
    value = value[:JUDGED]
    size, kinds = len(value), value.translate(_KINDS)
    digits, letters = kinds.count(b"d"), kinds.count(b"l") + kinds.count(b"u")
    pairs = int.from_bytes(kinds[1:], "big") ^ int.from_bytes(kinds[:-1], "big")
    changes = size - 1 - pairs.to_bytes(size - 1, "big").count(0)
    if digits >= 1 and kinds.count(b"u") >= 3 and kinds.count(b"l") >= 3 and changes * 100 >= 30 * size:
        return bits(value) >= 3.0
    if digits >= 2 and letters >= 2:
        words = kinds.count(b"lllll") + kinds.count(b"uuuuuuu")
        return changes * 100 >= 15 * size and words * 9 < size and bits(value) >= 2.6
    return kinds.count(b"u") >= 3 and kinds.count(b"l") >= 3 and changes * 100 >= 38 * size and bits(value) >= 3.0


JUDGED = 160
"""Bytes of a value that are looked at: repeated prefixes would be judged again and again to the end of the window."""

_KINDS = bytes(
    100 if 48 <= c < 58 else 108 if 97 <= c < 123 else 117 if 65 <= c < 91 else 45 for c in range(256)
)  # d, l, u, and - for all else
