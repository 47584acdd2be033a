"""What is odd in plain lines: far numbers, words that stand out at their place in repeated sentences."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.content._oddlines import Odd
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex

_NUMBER = regex(r"(?<![\w.,#:/+-])\d{1,15}(?![\w,:/-])(?!\.\d)")
_DATE = regex(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")


def far_numbers(lines: Sequence[str], least: int = 40) -> list[Odd]:
    """One or two integers over 10,000 and at least 50 times larger than all others; dates and powers are none."""
    if len(lines) < least:
        return []
    first: dict[int, int] = {}
    again: set[int] = set()
    for i, line in enumerate(lines):
        for match in _NUMBER.findall(line, 0, 600):
            number = int(match)
            if first.setdefault(number, i) != i:
                again.add(number)
    ordered = sorted(first)
    rest = ordered[-3] if len(ordered) > 2 else 0
    far = [n for n in ordered[-2:] if n >= 10_000 and n > 50 * max(rest, 20) and n not in again]
    far = [n for n in far if n & (n - 1) and n & (n + 1) and str(n).rstrip("0") != "1" and not _DATE.fullmatch(str(n))]
    said = f"all other numbers are at most {rest:,}" if rest else "the only number of its size"
    return [Odd(first[n], Keep.OUTLIER, said, "number") for n in far]
