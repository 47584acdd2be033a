"""When a log was written: its span, its rate, its gaps; of several logs one after the other each one's own."""

from __future__ import annotations

from heapq import nsmallest
from itertools import pairwise
from typing import Final

from mcpcompact.content.log.lines import TURNS, duration, seconds_of
from mcpcompact.content.log.scan import Scan
from mcpcompact.outline import Fact

DAY: Final = 86_400  # seconds
BACK: Final = 10  # part of its time that a log goes back where another one begins


def time_facts(scan: Scan, rank: int, parts: dict[int, str]) -> list[Fact]:
    times = scan.times()
    if len(times) <= 1:
        return []
    ends = pairwise([1, *(n for n in parts if n > 1), scan.lines + 1]) if parts else ()
    spans = [(first, *both) for first, last in ends if (both := scan.span(first, last - 1))]
    if len(spans) > 1:  # what stands between the times of two outputs is no gap
        told = [f"from line {n:,} {a.stamp} … {b.stamp} ({duration(b.second - a.second)})" for n, a, b in spans]
        return [Fact("times: " + " · ".join(told), rank)]
    first, last = times[0], times[-1]
    # over the end of February a year that is not said decides on a day
    about = "about " if TURNS.get(scan.stamp_kind, 0) > DAY and _over_february(first.second, last.second) else ""
    facts = []
    if last.second > first.second:
        rate = scan.lines / (last.second - first.second)
        speed = (
            f"{rate:,.1f} lines/s"
            if rate >= 1
            else f"{rate * 60:,.1f} lines/min"
            if rate > 1 / 60
            else f"{rate * 3600:,.1f} lines/h"
        )
        span = f"{first.stamp} … {last.stamp} ({about}{duration(last.second - first.second)})"
        lined = sorted(times, key=lambda time: time.first)
        back, at = max((a.second - b.second, b) for a, b in pairwise(lined))
        if back * BACK > last.second - first.second:
            speed = f"not in order: line {at.first:,} goes back to {at.stamp}"
        facts.append(Fact(f"time: {span}, {speed}", rank))
    if scan.crowded:
        return facts
    gaps = [
        (b.second - a.second, a, b) for a, b in pairwise(times) if a.last < b.first
    ]  # of logs one after the other none
    if not gaps:
        return facts
    typical = sorted([gap for gap, _, _ in gaps])[len(gaps) // 2]
    wide = [g for g in nsmallest(2, gaps, key=lambda g: (-g[0], g[1])) if g[0] >= max(10, 20 * max(typical, 1))]
    if wide:
        text = "; ".join(f"{duration(gap)} after line {a.last:,} ({a.stamp} → {b.stamp})" for gap, a, b in wide)
        facts.append(Fact(f"largest gaps: {text}", rank + 1))
    return facts


def _over_february(first: int, last: int) -> bool:
    """Whether the end of February lies between two seconds of the leap year 2000 or later."""
    ends = [seconds_of("iso", f"{year}-03-01 00:00:00") or 0 for year in (2000, 2001)]
    return any(first < end <= last for end in ends)
