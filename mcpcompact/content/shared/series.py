"""Which lines are entries of one list (bullets, numbered steps), so that a part of it can be told from the whole."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.outline import Series, record
from mcpcompact.patterns import regex

HEADING = "#"
"""What a line begins with that ends every list above it."""

MIN = 2  # entries of a list of which a part reads as all
_ENTRY = regex(
    r"\s{0,200}(?:([-*+•])[ \t]+\S|(\d{1,9})[.)][ \t]+\S"
    r"|\*\*([A-Z][a-z]{2,14}) (?:(\d{1,2})|([A-Z]))\b[^*\n]{0,100}\*\*[.:]?(?: \([^()\n]{1,60}\))?\s*$)"
    # the title of one of several ways
)


@record
class _List:
    sign: str
    members: list[int]
    number: int = 0  # of the last entry
    ended: bool = False  # a paragraph stands behind it: only the next number goes on


def entries(texts: Sequence[str], units: Sequence[int], noun: str = "item") -> dict[int, Series]:
    """The list that each entry is of, by index, of lists that stand in no other: of one depth and sign up to
    a heading or a paragraph as far out; numbered ones go on behind a paragraph, and bullets. ``units``: the number of
    each line."""
    outer: list[_List] = []
    open_: dict[tuple[int, bool], _List] = {}  # by depth, and whether it is numbered
    for n, text in enumerate(texts):
        match = _ENTRY.match(text)
        depth = len(text) - len(text.lstrip()) - bool(match and match[3])  # "**Option B:**" stands above its bullets
        open_ = {} if text[:1] == HEADING else {at: one for at, one in open_.items() if not match or at[0] <= depth}
        for (d, _), one in open_.items() if match is None or match[1] else ():
            one.ended |= d >= depth and (match is None or one.sign == "1")
        if match is None:
            continue
        sign, number = match[1] or match[3] or "1", ord(match[5]) if match[5] else int(match[2] or match[4] or 0)
        at = depth, sign == "1"
        last = open_.get(at)
        if last is None or last.sign != sign or (last.ended and not 0 < number == last.number + 1):
            inner = any(d < depth for d, _ in open_)
            last = open_[at] = _List(sign, [])
            outer += [last] * (not inner or sign.isalpha())
        last.members.append(n)
        last.number, last.ended = number, False
        if sign == "1":
            open_.pop((depth, False), None)
    lists = [(one, one.sign.lower() if one.sign.isalpha() else noun) for one in outer if len(one.members) >= MIN]
    return {n: Series(of, units[one.members[0]], len(one.members)) for one, of in lists for n in one.members}
