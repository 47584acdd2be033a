"""The earliest and the latest of dates, by time: as texts where they are all written alike, else one by one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mcpcompact.patterns import regex

if TYPE_CHECKING:
    from datetime import datetime

BEGINS = regex(r"\d{4}[-/]\d\d[-/]\d\d")
_ZEROS = bytes.maketrans(b"123456789", b"000000000")
_SORTS = regex(r"0000([-/])00\1 ?00(?:[T ]00:00(?::00(?:[.,]0+)?)?(?: ?(?:Z|UTC|GMT)|(?P<zone>[+-]00:?00))?)?")


class Dates:
    """``lo`` and ``hi`` as written, once ``add`` took something in; the first value ``BEGINS`` as a date."""

    __slots__ = ("_rising", "_shape", "hi", "lo")

    def __init__(self) -> None:
        self.lo = self.hi = ""
        self._shape: str | None = None  # of all so far; "" where they are written in several ways
        self._rising = True  # within each block

    def add(self, values: Sequence[str]) -> bool:
        """False where a value is no date, or some cannot be compared: with a time zone and without."""
        shape = _shape(values)
        self._shape = shape if self._shape in (None, shape) else ""
        try:
            ends = [*filter(None, (self.lo, self.hi)), *(self._ends(values) if shape else _span(values))]
            self.lo, self.hi = (min(ends), max(ends)) if self._shape else _span(ends)
        except (ValueError, TypeError):
            return False
        return True

    @property
    def days(self) -> int:
        """Days from the earliest to the latest."""
        return (_moment(self.hi[:10]) - _moment(self.lo[:10])).days

    def _ends(self, values: Sequence[str]) -> tuple[str, str]:
        """A clock's values stand in order, which sorting finds out sooner than min and max do their work."""
        if not self._rising:
            return min(values), max(values)
        ordered = sorted(values)
        self._rising = ordered[0] is values[0] and ordered[-1] is values[-1]
        return ordered[0], ordered[-1]


def _shape(values: Sequence[str]) -> str:
    """How all of the values are written, if alike and so that their order as texts is that in time; else ""."""
    zeros = values[0].encode("utf-8", "replace").translate(_ZEROS)
    match = _SORTS.fullmatch(zeros.decode("utf-8"))
    if match is None or "\n".join(values).encode("utf-8", "replace").translate(_ZEROS) != b"\n".join(
        [zeros] * len(values)
    ):
        return ""
    zone = values[0][match.start("zone") :] if match["zone"] else ""
    return match[0] + zone if not zone or all(value.endswith(zone) for value in values) else ""


def _span(values: Sequence[str]) -> tuple[str, str]:
    return min(values, key=_moment), max(values, key=_moment)


def _moment(text: str) -> datetime:
    """Raises ``ValueError`` for what is no date."""
    from datetime import datetime

    return datetime.fromisoformat(text.replace("/", "-"))
