"""What a generator returns."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Planted:
    """An anomaly. ``needles``: every one must stand in a summary, verbatim, for the anomaly to count as shown."""

    what: str  # loud, outlier or rare
    needles: tuple[str, ...]

    def shown(self, summary: str) -> bool:
        return all(stands(needle, summary) for needle in self.needles)


@dataclass(frozen=True, slots=True)
class Case:
    """One generated input. ``counts``: any of these says how much there is (files of a diff, or its lines)."""

    kind: str
    seed: int
    text: str
    counts: tuple[int, ...]
    planted: tuple[Planted, Planted, Planted]
    tool: str

    def counted(self, summary: str) -> bool:
        return any(_states(form, summary) for count in self.counts for form in (str(count), f"{count:,}"))


def stands(needle: str, text: str) -> bool:
    """Whether the needle stands in the text as a whole: not inside a longer word or number."""
    before = r"(?<!\w)" if needle[0].isalnum() else ""
    after = r"(?!\w)(?!\.\d)" if needle[-1].isdigit() else r"(?!\w)" if needle[-1].isalnum() else ""
    return re.search(before + re.escape(needle) + after, text) is not None


def _states(number: str, text: str) -> bool:
    """As ``stands``, and not a group of a longer number: 200 is not stated by ``1,200`` nor by ``200.5``."""
    return re.search(rf"(?<!\w)(?<!\d[.,]){re.escape(number)}(?!\w)(?![.,]\d)", text) is not None
