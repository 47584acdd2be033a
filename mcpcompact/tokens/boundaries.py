"""Safe boundaries: places where a text can be cut so that the counts of the parts add up to the count of the whole.

A cut before character i is safe when
(a) i-1 is CR or LF, and at i starts a character that is neither white space nor "/", or blanks and then
    printable ASCII;
(b) i-1 is printable ASCII and i is a space;
(c) i-1 is an ASCII letter or digit and i is ASCII, neither alphanumeric nor an apostrophe.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache


@cache
def _safe() -> re.Pattern[str]:  # compiled when first needed: a small text is never cut
    return re.compile(
        r"(?<=[\r\n])(?=[^\s/]|[ \t]++[!-~])"
        r"|(?<=[!-~])(?= )"
        r"|(?<=[A-Za-z0-9])(?=[\x00-&(-/:-@\[-`{-\x7f])"
    )


def is_safe_cut(text: str, at: int) -> bool:
    """Whether ``count(text[:at]) + count(text[at:]) == count(text)`` is certain, by the characters around ``at``."""
    return at <= 0 or at >= len(text) or _safe().match(text, at) is not None


def safe_cut(text: str, start: int, end: int) -> int | None:
    """A safe cut in ``start < cut < end``, preferably in the last eighth; None when none shows in that range."""
    tail = max(start + 1, end - max(1, (end - start) // 8))
    found = _safe().search(text, tail, end) or _safe().search(text, start + 1, end)
    return found.start() if found and found.start() < end else None


def safe_cuts(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Spans that partition the text at safe cuts, each of at most ``size`` characters where its text has a safe cut."""
    start, total = 0, len(text)
    while total - start > size:
        cut = safe_cut(text, start, start + size + 1)
        if cut is None:
            found = _safe().search(text, start + size, total)
            if found is None or found.start() >= total:
                break
            cut = found.start()
        yield start, cut
        start = cut
    yield start, total
