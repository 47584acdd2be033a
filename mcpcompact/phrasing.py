"""How single values are written: those of the data as they stand, computed ones rounded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from mcpcompact.patterns import regex

_MAY_BE_PICTURE = 400  # characters
_WHOLE = 1e15  # beyond it a float's digits are not exact
_SMALL = 1e-4  # below it with an exponent
CUT = regex(r"…\[\+([\d,]+) chars(?: on \d+ lines)?\]")  # the mark of what is left out of a text
_LONGEST_MARK, _MARK = 40, 16  # characters; of the usual one


def counted(n: int, noun: str) -> str:
    """``1 line``, ``1,204 lines``, ``2 entries``."""
    if n == 1:
        return f"1 {noun}"
    return f"{n:,} {noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{n:,} {noun}s"


def keyed(of: object, *names: str) -> dict[str, Any]:
    """Attributes under the names that they have in JSON: ``start_line`` as ``startLine``."""
    return {name[0] + name.title().replace("_", "")[1:]: getattr(of, name) for name in names}


_PLACE = regex(r"([^\[\]]*\[)(\d+(?:,\d+)*)(\].*)")


def places(labels: Sequence[str]) -> str:
    """``[0,4][1]`` of ``[0][1]`` and ``[4][1]``: they differ in their first number alone; else one after the other."""
    matches = [match.groups() for label in labels if (match := _PLACE.fullmatch(label))]
    if len(matches) < len(labels) or len({(head, tail) for head, _, tail in matches}) > 1:
        return ", ".join(labels)
    return f"{matches[0][0]}{','.join(number for _, number, _ in matches)}{matches[0][2]}"


def each_place(text: str) -> list[str]:
    """What ``places`` joined."""
    match = _PLACE.fullmatch(text) if ", " not in text else None
    return [f"{match[1]}{number}{match[3]}" for number in match[2].split(",")] if match else text.split(", ")


def clipped(text: str, most: int) -> str:
    """The whole words of the first ``most`` characters, and what is left out; all where that is about as long."""
    if len(text) <= most + _MARK:
        return text
    kept = text[:most].rpartition(" ")[0] or text[:most]
    return f"{kept}…[+{len(text) - len(kept):,} chars]"


MAX_DIGITS = 18  # of a whole number that somebody wrote: all of them fit in 64 bits, as every place in an input does


def fitted(text: str, width: int) -> str:
    """A text for a place of that width: a longer one ends in an ellipsis."""
    return text if len(text) <= width else text[: width - 1] + "…"


def most(high: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to ``high`` that fits, by halving: of any that fits, those below it do."""
    low = 0
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


def stands_for(text: str) -> int:
    """How many characters of the original a text is: a mark of an earlier cut counts as what it leaves out."""
    return len(text) + sum(int(mark[1].replace(",", "")) - len(mark[0]) for mark in CUT.finditer(text))


def before_mark(text: str, end: int) -> int:
    """Where a cut at ``end`` falls: in front of the mark of an earlier cut that it would break, or stand behind."""
    at = text.rfind("…[+", max(0, end - _LONGEST_MARK), end)
    mark = CUT.match(text, at) if at >= 0 else None
    return at if mark and mark.end() >= end else end


def some(names: list[str], most: int) -> str:
    """The first ``most`` names, and how many more there are."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f", +{rest:,} more" if rest > 0 else "")


def show(value: Any, limit: int = 60, lines: bool = False) -> str:
    """A scalar as it stands in JSON, strings bare, on one line unless ``lines``; shortened with what is left out."""
    if value.__class__ is str:
        text = value
        if len(text) >= _MAY_BE_PICTURE:  # it may be a picture
            from mcpcompact.encoded import without_data

            text = without_data(text)
    elif isinstance(raw := getattr(value, "raw", None), str):
        text = raw
    elif value is None or isinstance(value, bool):
        text = {None: "null", True: "true", False: "false"}[value]
    elif value.__class__ is float and abs(value) >= 2**63:
        text = f"≈{value:.6g}"  # an integer that the fast parser could not hold; its row shows it as written
    else:
        text = str(value)
    if not lines and not text.isprintable():
        text = text.replace("\r\n", "\\n").replace("\n", "\\n").replace("\r", "\\n").replace("\t", " ")
    if len(text) <= limit + _MARK:
        return text
    # a picture that is only named further on counts with all of its characters
    whole = value if value.__class__ is str and value.startswith(text[:limit]) else text
    return f"{text[:limit]}…[+{len(whole) - limit:,} chars]"


def is_number(value: Any) -> bool:
    try:
        return math.isfinite(float(value))
    except (TypeError, ValueError):
        return False


def rounded(value: float) -> str:
    """A computed number: thousands separators, about four significant digits."""
    if not math.isfinite(value):
        return str(value)
    if isinstance(value, int) or (value == int(value) and abs(value) < _WHOLE):
        return f"{int(value):,}"
    if abs(value) >= _WHOLE or abs(value) < _SMALL:
        return f"{value:.4g}"
    digits = max(0, 3 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}".rstrip("0").rstrip(".") if digits else f"{value:,.0f}"


def exact(value: float) -> str:
    """A median or a sum: all of its digits, but for what floating point adds to them."""
    if not math.isfinite(value) or isinstance(value, int) or (value == int(value) and abs(value) < _WHOLE):
        return rounded(value)
    return f"{value:,.{EXACT}g}" if _SMALL <= abs(value) < 10**EXACT else f"{value:.{EXACT}g}"


EXACT = 12  # digits, of the 15 that are sure
