"""What of a recording is not among its messages, or says nothing there: counted by kind, and said in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mcpcompact.phrasing import counted

MOST_UNKNOWN = 0.05  # share of a session's records that may be unknown to its reader before that is a warning
MOST_EMPTY = 0.5  # share of results without text from which the reader may have missed it; quiet tools have fewer
NAMED = 4  # kinds that a line names, most frequent first


@dataclass(slots=True)
class Omissions:
    """``skipped`` records say nothing to the model (progress, snapshots), ``unknown`` ones their reader does not know:
    both by kind. ``records`` are these and the messages. ``empty_results`` hold no text (but may hold images);
    ``calls`` are those that should have a result."""

    records: int = 0
    calls: int = 0
    results: int = 0
    calls_without_result: int = 0
    results_without_call: int = 0
    empty_results: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)

    def add(self, other: Omissions) -> None:
        """Those of another session on top."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def as_dict(self) -> dict[str, Any]:
        return {
            "callsWithoutResult": self.calls_without_result,
            "resultsWithoutCall": self.results_without_call,
            "emptyResults": self.empty_results,
            "recordsSkipped": dict(sorted(self.skipped.items())),
            "recordsUnknown": dict(sorted(self.unknown.items())),
        }

    def said(self) -> list[str]:
        """A phrase for each kind of omission that there is."""
        found = [
            f"{counted(number, noun)} without {what}"
            for number, noun, what in (
                (self.calls_without_result, "call", "a result"),
                (self.results_without_call, "result", "a call"),
                (self.empty_results, "result", "any text"),
            )
            if number
        ]
        for kinds, what in ((self.skipped, "not for the model"), (self.unknown, "unknown to the reader")):
            if kinds:
                found.append(f"{_records(kinds)} {what} ({_named(kinds)})")
        return found

    def warnings(self) -> list[str]:
        """What makes the figures of the session doubtful, a line each."""
        found = []
        if self.unknown and sum(self.unknown.values()) > MOST_UNKNOWN * self.records:
            left = f"{_records(self.unknown)} of {self.records:,} unknown to the reader and left out"
            found.append(f"{left}: {_named(self.unknown)}")
        if not self.calls and not self.results:
            found.append("no tool call and no result in this session")
        elif not self.results:
            found.append(f"{counted(self.calls, 'call')} and no result: none was recorded, or the reader misses them")
        elif self.results_without_call > self.results * MOST_EMPTY:
            found.append(f"{self.results_without_call:,} of {counted(self.results, 'result')} without a call")
        if self.empty_results > self.results * MOST_EMPTY:
            found.append(f"{self.empty_results:,} of {counted(self.results, 'result')} without any text")
        return found


def _records(kinds: Mapping[str, int]) -> str:
    return counted(sum(kinds.values()), "record")


def _named(kinds: Mapping[str, int]) -> str:
    ranked = sorted(kinds.items(), key=lambda entry: (-entry[1], entry[0]))
    named = ", ".join(f"{number:,} {kind[:60]}" for kind, number in ranked[:NAMED])
    left = len(ranked) - NAMED
    return f"{named} and {counted(left, 'other kind')}" if left > 0 else named
