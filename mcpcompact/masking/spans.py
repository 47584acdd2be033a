"""What is found: where a secret stands, and of which kind; and how much chance is in it."""

from __future__ import annotations

from functools import lru_cache
from math import log2
from typing import NamedTuple


class Span(NamedTuple):
    """Bytes ``start`` to ``end`` are a secret; ``quote`` is put around the placeholder (a bare JSON number)."""

    start: int
    end: int
    kind: str
    quote: bytes = b""


def bits(secret: bytes) -> float:
    """Shannon's entropy of a text by its bytes, in bits a byte."""
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
    mixed = kinds.count(b"u") >= CASED and kinds.count(b"l") >= CASED
    plain = letters + digits == size
    if size >= PLAIN and plain and (mixed or digits) and EACH <= letters >= value.translate(_VOWELS).count(b"a") * 4:
        return bits(value) >= MIXED_BITS  # no word of a language
    if digits >= 1 and mixed and changes * 100 >= 30 * size:
        return bits(value) >= MIXED_BITS
    if digits >= EACH and letters >= EACH:
        words = kinds.count(b"lllll") + kinds.count(b"uuuuuuu")
        named = words * 9 >= size and not (plain and changes >= SWITCHES)
        return changes * 100 >= 15 * size and not named and bits(value) >= BITS
    return mixed and changes * 100 >= 38 * size and bits(value) >= MIXED_BITS


BACKSLASH = ord("\\")
CASED, EACH = 3, 2
"""Letters of each case that names seldom have, and digits and letters where one case is enough."""
MIXED_BITS, BITS = 3.0, 2.6
"""Bits a byte of text drawn by chance: of letters of both cases, and of hex at ten characters."""
SWITCHES = 6  # changes between letters and digits that no name without a joint has
PLAIN = 16  # characters from which a word is told by its vowels: two in five in prose, one in five by chance
JUDGED = 160
"""Bytes of a value that are looked at: repeated prefixes would be judged again and again to the end of the window."""

_OF = {"d": "0123456789", "l": "abcdefghijklmnopqrstuvwxyz", "u": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_VOWELS = bytes(ord("a") if chr(c) in "aeiouyAEIOUY" else ord("-") for c in range(256))
_KINDS = bytes(next((ord(kind) for kind, some in _OF.items() if chr(c) in some), ord("-")) for c in range(256))
