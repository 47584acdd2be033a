"""What is found: where a secret stands, and of which kind; and how much chance is in it."""

from __future__ import annotations

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
