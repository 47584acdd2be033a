"""When a log was written: its span, its gaps; of several logs one after the other each one's own."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from heapq import nsmallest
from itertools import chain, groupby, pairwise
from operator import attrgetter
from typing import Final, NamedTuple

from mcpcompact.content.log.grammar import HEAD_WITHIN, STAMP_WITHIN, TURNS, find_stamp, seconds_of, seconds_reader
from mcpcompact.content.log.scan import Scan, Time, as_read
from mcpcompact.content.log.templates import first_of
from mcpcompact.outline import MAX_ITEMS, Fact
from mcpcompact.patterns import regex

DAY: Final = 86_400  # seconds
BACK: Final = 10  # part of its time that a log goes back where another one begins
MAX, MIN = 6, 3  # logs one after the other; lines that one has at least
OTHERS = 10  # part of the lines with stamps of another form
_DATE: Final = regex(r"(\d{1,4}([-/.])\d{1,2}\2\d{1,4})[ ,T]{1,2}\d{1,2}:\d\d:\d\d")
_ZONE: Final = regex(rb".{0,64}?\d\d:\d\d:\d\d(?:[.,]\d{1,9})? ?(Z|[+-](?:0\d|1[0-4]):?(?:00|30|45))(?![\w:])")


class Stamped(NamedTuple):
    """A line, and when it was written."""

    line: int
    kind: str
    second: int
    stamp: str


_DAY = regex(r"\d{4}-\d\d-\d\d(?=[ T])")
_form = attrgetter("kind")


def time_facts(scan: Scan, rank: int, parts: dict[int, str]) -> list[Fact]:
    """``rank`` 0: its span comes before all else, of a log of days with these."""
    times, early = scan.times(), rank
    days = not rank and len(times) > 1 and times[-1].second - times[0].second >= DAY
    rank = max(rank, 1)
    if len(times) <= 1 or (scan.stamp_kind == "clock" and len(_dates(scan, times)) > 1):
        return []  # a clock behind dates whose order of day and month is not known
    if len(zones := _zones(scan)) > 1:
        return [Fact(f"times in {len(zones)} zones ({', '.join(zones)}), so no span is told", rank)]
    stamped = _stamped(scan) if scan.lines <= MAX_ITEMS else []
    if _mixed(stamped):
        return []
    if len(logs := _logs(stamped, [*parts])) > 1:  # what stands between the times of two outputs is no gap
        spans = [f"from line {log[0].line:,} {_span(*_ends(log))}" for log in logs]
        ends = first, last = _ends([*chain(*logs)])
        covered = sum(end.second - begin.second for begin, end in map(_ends, logs))
        days &= 2 * covered >= last.second - first.second  # else most of it lies between them
        whole = [Fact(f"time: {_span(*ends, days=True)}", 0)] if days else []
        return [*whole, Fact("times: " + first_of(spans, MAX), rank)]
    facts, seconds, order = [], times[-1].second - times[0].second, ""
    if seconds:
        bounds = (Stamped(one.first, scan.stamp_kind, one.second, one.stamp) for one in (times[0], times[-1]))
        lined = sorted(times, key=lambda time: time.first)
        back, at = max((a.second - b.second, b) for a, b in pairwise(lined))
        if back * BACK > seconds:
            order, days = f", not in order: line {at.first:,} goes back to {at.stamp}", False
        facts.append(Fact(f"time: {_span(*bounds, days=days)}{order}", early))
    if scan.crowded:
        return facts
    gaps = [(b.second - a.second, a, b) for a, b in pairwise(times) if a.last < b.first]  # between logs is none
    if not gaps:
        return facts
    typical = sorted([gap for gap, _, _ in gaps])[len(gaps) // 2]
    wide = [g for g in nsmallest(2, gaps, key=lambda g: (-g[0], g[1])) if g[0] >= max(10, 20 * max(typical, 1))]
    if wide:
        text = "; ".join(f"{duration(gap)} after line {a.last:,} ({a.stamp} → {b.stamp})" for gap, a, b in wide)
        facts.append(Fact(f"largest gaps: {text}", rank + 1))
    return facts


def _dates(scan: Scan, times: list[Time]) -> set[str]:
    """The dates, in figures, before the clocks of the first and the last line."""
    ends = [scan.shown(line, line)[0][: 4 * STAMP_WITHIN] for line in (times[0].first, times[-1].last)]
    return {match[1] if (match := _DATE.search(text)) else "" for text in ends}


def _zones(scan: Scan) -> list[str]:
    """The zones that stand behind the stamps, each once: lines of one shape have one or none, by its sign."""
    zoned = [shape.lines() for shape in scan.shapes.values() if _ZONE.match(shape.first_text)]
    zones = {zone[1] for lines in zoned for _, raw in lines if (zone := _ZONE.match(raw))}
    return sorted({"+0000" if zone == b"Z" else zone.decode().replace(":", "") for zone in zones})


def _stamped(scan: Scan) -> list[Stamped]:
    """When the lines were written that begin with a stamp of whatever form or hold one of the log's own form."""
    lines, stamped = scan.fetch(1, scan.lines), list[Stamped]()
    readers: dict[str, Callable[[str], int | None]] = {}
    clocks: dict[str, tuple[int, int]] = {}  # by form: the second before, and what years or days have passed by
    for number, (line, stamp) in enumerate(zip(lines, scan.lined, strict=False), 1):
        kind, text = scan.stamp_kind, as_read(stamp).strip()
        if stamp:
            second = scan.second(stamp)
        else:
            head = line[: 4 * STAMP_WITHIN].decode("latin-1")
            other = find_stamp(head) if head[:1].strip() else None
            if other is None or other[1] > HEAD_WITHIN:
                continue
            kind, text = other[0], head[other[1] : other[2]]
            if kind not in readers:
                readers[kind] = seconds_reader(kind)
            second = readers[kind](text)
        if second is not None:
            before, passed = clocks.get(kind, (second, 0))
            half = TURNS.get(kind, 0) // 2
            if half and abs(second - before) > half:
                passed += TURNS[kind] if second < before else -TURNS[kind]
            clocks[kind] = second, passed
            stamped.append(Stamped(number, kind, second + passed, text))
    return stamped


def _runs(stamped: list[Stamped]) -> list[list[Stamped]]:
    """Lines that follow each other with stamps of one form, but those of only a few."""
    runs = [[*run] for _, run in groupby(stamped, key=_form)]
    long = chain.from_iterable(run for run in runs if len(run) >= MIN)
    return [[*run] for _, run in groupby(long, key=_form)]


def _mixed(stamped: list[Stamped]) -> bool:
    """Whether lines of two forms stand among each other: a span of one would be none of the other."""
    often = Counter(map(_form, stamped)).most_common(1)
    others = len(stamped) - often[0][1] if often else 0
    return others * OTHERS > len(stamped) and sum(a.kind != b.kind for a, b in pairwise(stamped)) > MAX


def _logs(stamped: list[Stamped], heads: list[int]) -> list[list[Stamped]]:
    """The stamped lines of each of several logs that stand one after the other: below a heading of its own, with stamps
    of another form, or where the time goes far back or on and stays there."""
    if len(runs := _runs(stamped)) > MAX:
        form = Counter(map(_form, stamped)).most_common(1)[0][0]
        runs = [[one for one in stamped if one.kind == form]]
    turns = [_turns(run) for run in runs]
    if sum(map(len, turns)) > MAX:  # in no order
        turns = [[] for _ in runs]
    return [part for run, turned in zip(runs, turns, strict=True) for part in _cut(run, turned, heads)]


def _turns(run: list[Stamped]) -> list[int]:
    """Where a log begins that is older by far than the lines before, or by a day and more than all else takes newer."""
    seconds = [one.second for one in run]
    span = max(seconds) - min(seconds)
    turns, latest = [], seconds[0]
    for at, second in enumerate(seconds[: -MIN + 1]):
        ahead = seconds[at : at + MIN]
        gap = second - seconds[at - 1] if at >= MIN else 0
        if (latest - max(ahead)) * BACK > span or (gap > DAY and (span - gap) * BACK < span):
            turns.append(at)
            latest = second
        latest = max(latest, second)
    return turns


def _cut(run: list[Stamped], turned: list[int], heads: list[int]) -> Iterator[list[Stamped]]:
    places = {*turned, *(bisect_left(run, head, key=lambda one: one.line) for head in heads)}
    return (run[a:b] for a, b in pairwise([0, *sorted(places - {0, len(run)}), len(run)]))


def _ends(log: list[Stamped]) -> tuple[Stamped, Stamped]:
    """The earliest and the latest line."""
    when = attrgetter("second")
    return min(log, key=when), max(log, key=when)


def _span(first: Stamped, last: Stamped, *, days: bool = False) -> str:
    # over the end of February (read as of the leap year 2000, or the next one) a year that is not said decides on a day
    turns = [seconds_of("iso", f"{year}-03-01 00:00:00") or 0 for year in (2000, 2001)]
    over = TURNS.get(first.kind, 0) > DAY and any(first.second < turn <= last.second for turn in turns)
    begins, ends = (_DAY.match(one.stamp) if days else None for one in (first, last))
    span = f"{begins[0]} … {ends[0]}" if begins and ends else f"{first.stamp} … {last.stamp}"
    return f"{span} ({'about ' * over}{duration(last.second - first.second)})"


def duration(seconds: float) -> str:
    """``93784`` → ``1d 2h``: the two largest units."""
    left, parts = int(seconds), []
    for size, name in ((86400, "d"), (3600, "h"), (60, "m"), (1, "s")):
        if left >= size:
            parts.append(f"{left // size}{name}")
            left %= size
    return " ".join(parts[:2]) or "0s"
