"""Logs: service, system and access logs, test runs and build output. Entries, levels, templates, what is odd.

An entry is a line with its continuation lines (a stack trace, indented lines, a payload of several
lines); ``spans`` and the outline share one boundary function. Anchors are line numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from operator import add
from typing import Final

from mcpcompact.content._logends import entry_ends, uncoloured
from mcpcompact.content._loglines import (
    LOOK,
    ORDER,
    Style,
    boundaries,
    duration,
    entry_starts,
)
from mcpcompact.content._logodd import Analysis, Mark, shown
from mcpcompact.content._logplace import place
from mcpcompact.content._logscan import Scan
from mcpcompact.content._logtasks import under_tasks
from mcpcompact.content._logtemplates import category, number_text
from mcpcompact.content._testruns import summaries, summary_kind
from mcpcompact.content.spelling import counted
from mcpcompact.outline import (
    MAX_ITEMS,
    ContentType,
    Fact,
    Hints,
    Item,
    Keep,
    Lossless,
    Outline,
    Sample,
    Source,
    Verdict,
)
from mcpcompact.patterns import regex

WHOLE: Final = 60
"""Lines of a kept entry shown without a gap; of a longer one its first 40 and last 16."""
FAR_ITEMS: Final = 3000
"""Items of a log of more than ``MAX_ITEMS`` lines: what is kept, one of each template, and an even choice."""
PACKABLE: Final = 400_000  # characters; more would never fit a budget


class Log:
    name = "log"
    extension = ".log"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content._logsniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        scan = Scan(source)
        if not scan.lines:
            return Outline(self.name, "line", 0, "0 lines", [Fact("Log: empty, 0 lines.", 0)])
        first = [shown(line) for line in scan.fetch(1, min(scan.lines, 400))]
        style = Style.of(first)
        found = Analysis.of(scan, style.headed)
        small = scan.lines <= MAX_ITEMS
        entries = list(_entries(scan, style, 1, scan.lines)) if small else []
        items = under_tasks(_near_items(scan, found, entries) if small else _far_items(scan, found, style))
        errors, failures = (
            _loud_entries(found, entries) if small else (found.error_lines, found.loud_lines - found.error_lines)
        )
        loud = errors + failures
        headline = _headline(scan, found, errors, failures)
        kept = next((item for item in items if item.keep is Keep.SEVERE), None)
        more = [("--lines", f"{max(1, kept.start - 5)}:{min(scan.lines, kept.end + 5)}")] if kept else []
        more += [("--lines", f"1:{min(scan.lines, 80)}" if kept else "A:B")]
        return Outline(
            content_type=self.name,
            unit="line",
            total=scan.lines,
            headline=headline,
            facts=_facts(scan, found, headline, loud, len(entries) if small else 0),
            items=items,
            lossless=_lossless(source),
            more=more,
            facts_share=0.2 if scan.lines > 500 else 0.12,
        )

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        """Spans of the entries: each begins at a line start, together they are the text."""
        lines = text.split("\n")
        sizes = [*accumulate(map(len, lines), initial=0)]
        if not lines[-1]:
            lines.pop()
        if "\r" in text or "\x1b" in text:
            lines = [*map(uncoloured, lines)]
        style = Style.of([line[:LOOK] for line in lines[:400]])
        starts = entry_starts(lines, style)
        return pairwise([*map(add, map(sizes.__getitem__, starts), starts), len(text)])  # a line feed a line

    def ends(self, text: str) -> Callable[[int, int], int] | None:
        """Where entries end, one at a time; None where ``spans`` has to read them all."""
        return entry_ends(text)


TYPE: ContentType = Log()


def _headline(scan: Scan, found: Analysis, errors: int, failures: int) -> str:
    text = counted(scan.lines, "line")
    tests = sum(found.outcomes.values())
    if tests > 1:
        bad = sum(n for name, n in found.outcomes.items() if name in ("FAILED", "FAIL", "ERROR", "not ok"))
        return f"{text}, {tests:,} tests, {bad:,} failed"
    for n, one in ((errors, "error"), (failures, "failure message")):
        text += f", {counted(n, one)}" if n else ""
    return text


def _lossless(source: Source) -> list[Lossless]:
    if source.size > PACKABLE:
        return []
    from mcpcompact.content._logpack import pack, shortest

    text = source.text
    how = "repeated lines folded (… ×n); a § line gives the beginning of the lines after it"
    return [Lossless(how, lambda: pack(text) or text, shortest(text))]


# ---------------------------------------------------------------------------------------------- items


def _entries(scan: Scan, style: Style, first: int, last: int) -> Iterator[tuple[int, int, list[str]]]:
    """(first line, last line, lines) of each entry that begins in ``first..last``."""
    begins = boundaries(style)
    start = first
    held: list[str] = []
    for number, raw in enumerate(scan.fetch(first, last), first):
        line = shown(raw)
        if begins(line) and held:
            yield _trimmed(start, held)
            start, held = number, []
        held.append(line)
    if held:
        yield _trimmed(start, held)


def _trimmed(start: int, lines: list[str]) -> tuple[int, int, list[str]]:
    """The entry without blank lines before its text."""
    blank = 0
    while blank < len(lines) - 1 and not lines[blank].strip():
        blank += 1
    return start + blank, start + len(lines) - 1, lines[blank:]


def _render(start: int, lines: Sequence[str]) -> str:
    body = list(lines)
    while len(body) > 1 and not body[-1].strip():
        body.pop()
    if len(body) > WHOLE:
        gap = len(body) - 56
        body = [*body[:40], f"  … {gap:,} lines, {start + 40}–{start + 39 + gap} …", *body[-16:]]
    return f"{start}: " + "\n".join(body)


def _trace_key(lines: Sequence[str], group: str) -> str:
    """Identical traces fold: the frames' and the exception's words without their values."""
    if len(lines) < 3:
        return group
    import zlib

    frames = "\n".join(category(line.strip()[:4_000]) for line in lines[1:WHOLE])
    return f"{group}/{zlib.crc32(frames.encode('utf-8', 'replace')):08x}"


def _near_items(scan: Scan, found: Analysis, entries: list[tuple[int, int, list[str]]]) -> list[Item]:
    """Every entry of a log of ordinary size; runs of equal lines as one item."""
    marks = _by_line(found.marks)
    items: list[Item] = []
    previous = ""
    seen: Counter[str] = Counter()
    for start, end, lines in entries:
        inside = [mark for number in range(start, end + 1) if number in marks for mark in marks[number]]
        if inside:
            items += _kept_items(start, end, lines, inside)
            previous = ""
            continue
        if not any(line.strip() for line in lines):
            continue
        if len(lines) == 1 and lines[0] == previous and items and items[-1].end == start - 1:
            last = items[-1]
            last.end = end
            last.text = f"{last.start}: {previous} … ×{last.end - last.start + 1}, to line {last.end}"
            continue
        previous = lines[0] if len(lines) == 1 else ""
        key = category(lines[0][:200])
        seen[key] += 1
        items.append(Item(start, end, _render(start, lines), weight=1.0 if seen[key] <= 3 else 0.7))
    return items


def _within(mark: Mark, start: int, end: int) -> bool:
    """Neither the first nor the last line of its entry."""
    return start < mark.line < end


def _at(line: str, text: str, mark: Mark) -> int:
    """The place of what a line is kept for, in the item's text, which has the number before the line."""
    at = place(line, mark.keep, mark.reason)
    return -1 if at < 0 else at + len(text) - len(line)


def _kept_items(start: int, end: int, lines: list[str], inside: list[Mark]) -> list[Item]:
    severe = [mark for mark in inside if mark.keep is Keep.SEVERE]
    # a trace tells at its head that it is one; a loud line deep in a long stretch stands for itself
    deep = end - start >= 12 and bool(severe) and severe[0].line > start + 3
    if (severe and not deep) or end - start < 8:
        best = max(inside, key=lambda mark: (mark.keep, mark.score))
        reasons = dict.fromkeys(mark.reason for mark in inside if mark.reason)
        if len(lines) > 6:  # what names the failure must survive where only the ends of the trace find room
            named = max(inside, key=lambda mark: (mark.keep, -mark.count, mark.line))
            if _within(named, start, end) and named.keep is Keep.SEVERE:
                reasons = {lines[named.line - start].strip()[:140]: None}
        reason = "; ".join(reasons)
        group = _trace_key(lines, best.group) if severe else best.group
        text = _render(start, lines)
        at = _at(lines[0], text, best) if len(lines) == 1 else -1
        return [Item(start, end, text, best.keep, reason[:200], group, at=at)]
    items, at = [], start  # a long entry with one odd value: the line alone, and what stands around it
    for mark in sorted({mark.line: mark for mark in inside}.values(), key=lambda mark: mark.line):
        if mark.line > at:
            items.append(Item(at, mark.line - 1, _render(at, lines[at - start : mark.line - start])))
        text = f"{mark.line}: {lines[mark.line - start]}"
        at_mark = _at(lines[mark.line - start], text, mark)
        items.append(Item(mark.line, mark.line, text, mark.keep, mark.reason, mark.group, at=at_mark))
        at = mark.line + 1
    if at <= end:
        items.append(Item(at, end, _render(at, lines[at - start :])))
    return items


def _far_items(scan: Scan, found: Analysis, style: Style) -> list[Item]:
    """Of a long log: the entries that hold a mark, one of each shape, and an even choice of lines."""
    marks = _by_line(found.marks)
    wanted = set(marks) | {1, scan.lines}
    for template in sorted(found.templates, key=lambda t: -t.count)[: FAR_ITEMS // 4]:
        shape = found.seen[template.shapes[0]].shape
        wanted |= {shape.first, shape.last}
    shapes = [one.shape.first for one in found.seen]
    wanted.update(shapes[:: max(1, len(shapes) * 3 // FAR_ITEMS)])
    known: dict[int, bytes] = {}
    for one in found.seen:
        known[one.shape.first], known[one.shape.last] = one.shape.first_text, one.shape.last_text
        known.update(one.shape.samples)
    numbers = sorted(known)
    wanted.update(numbers[:: max(1, len(numbers) * 3 // FAR_ITEMS)])
    items: list[Item] = []
    done = 0
    for number in sorted(wanted):
        if number <= done:
            continue
        if number in marks or number in (1, scan.lines) or number not in known:
            start, end, lines = _entry_at(scan, style, number, done)
        else:
            start, end, lines = number, number, [shown(known[number])]
        if not any(line.strip() for line in lines):
            continue
        inside = [mark for n in range(start, end + 1) if n in marks for mark in marks[n]]
        items += _kept_items(start, end, lines, inside) if inside else [Item(start, end, _render(start, lines))]
        done = end
    return items


def _entry_at(scan: Scan, style: Style, number: int, after: int) -> tuple[int, int, list[str]]:
    """The entry that holds line ``number`` and begins behind line ``after``."""
    first = max(after + 1, number - WHOLE)
    for start, end, lines in _entries(scan, style, first, min(scan.lines, number + 2 * WHOLE)):
        if start <= number <= end:
            return start, end, lines
    return number, number, [shown(line) for line in scan.fetch(number, number)]


def _by_line(marks: Sequence[Mark]) -> dict[int, list[Mark]]:
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(mark.line, []).append(mark)
    return by_line


def _loud_entries(found: Analysis, entries: list[tuple[int, int, list[str]]]) -> tuple[int, int]:
    """How many entries are errors (or worse), and how many only say that something failed."""
    loud = {number: rank for number, rank, _ in found.loud}
    worst = (
        [max((loud.get(n, 0) for n in range(start, end + 1)), default=0) for start, end, _ in entries] if loud else []
    )
    return sum(rank >= 3 for rank in worst), sum(rank == 2 for rank in worst)


# ---------------------------------------------------------------------------------------------- facts


def _facts(scan: Scan, found: Analysis, headline: str, loud: int, entries: int) -> list[Fact]:
    several = f" in {entries:,} entries" if entries and entries < scan.lines else ""
    count, _, errors = headline.partition(", ")
    facts = [Fact(f"Log: {count}{several}{', ' + errors if errors else ''}.", 0)]
    if sum(found.outcomes.values()) > 1:
        facts.append(Fact("tests: " + " · ".join(f"{name} {n:,}" for name, n in found.outcomes.most_common()), 1))
    notes = summaries(_known_lines(found))
    facts += [Fact(note, 1) for note in notes]
    facts += _level_facts(scan, found, loud, 2 if len(facts) > 1 else 1)
    facts += _access_facts(found)
    facts += _time_facts(scan, loud > 0)
    facts += _template_facts(scan, found)
    return facts


def _known_lines(found: Analysis) -> Iterator[tuple[int, str]]:
    for one in found.seen:
        if summary_kind(one.text):
            for number, text in one.shape.lines()[:200]:
                yield number, shown(text)


_LEVEL_FIRST: Final = regex(
    r"\[?(?:EMERG|ALERT|FATAL|CRITICAL|ERROR|WARN(?:ING)?|NOTICE|INFO|DEBUG|TRACE|error|warn)\]?:? +"
)


def _level_facts(scan: Scan, found: Analysis, loud: int, rank: int) -> list[Fact]:
    facts = []
    if found.levels:
        known = sum(found.levels.values())
        text = " · ".join(f"{name} {found.levels[name]:,}" for name in ORDER if found.levels[name])
        rest = scan.lines - known
        if known >= 2:
            of = f" (of the {scan.lines - scan.unseen:,} lines with a known shape)" if scan.unseen else ""
            rest -= scan.unseen
            facts.append(Fact(f"levels{of}: {text}" + (f" · none stated {rest:,}" if rest else ""), rank))
    if not loud and found.unsure:
        facts.append(Fact("no line states an error, failure or exception, as far as their words tell", 2))
    elif not loud:
        facts.append(Fact(f"all {scan.lines:,} lines scanned: none states an error, failure or exception", 1))
    else:
        groups = sorted(found.loud_counts.items(), key=lambda pair: -pair[1])
        by_id = {id(template): template for template in [*found.templates, *found.strays.values()]}
        if groups and (len(groups) > 1 or groups[0][1] > 1):
            total = sum(n for _, n in groups)
            named = [(n, _LEVEL_FIRST.sub("", found.name(by_id[key]))) for key, n in groups]
            top = " · ".join(f"{n:,}× {name[:64]}" for n, name in named[:2])
            facts.append(Fact(f"{total:,} lines with errors or failures, of {len(groups):,} kinds: {top}", 1))
            if len(named) > 2:
                further = " · ".join(f"{n:,}× {name[:90]}" for n, name in named[2:8])
                left = f" · {len(named) - 8:,} more kinds" if len(named) > 8 else ""
                facts.append(Fact(f"further errors or failures: {further}{left}", 2))
    return facts


def _time_facts(scan: Scan, found_errors: bool) -> list[Fact]:
    times = scan.times()
    if len(times) < 2:
        return []
    (first, first_text, _), (last, last_text, _) = min(times), max(times)
    facts = []
    if last > first:
        rate = scan.lines / (last - first)
        speed = (
            f"{rate:,.1f} lines/s"
            if rate >= 1
            else f"{rate * 60:,.1f} lines/min"
            if rate > 1 / 60
            else f"{rate * 3600:,.1f} lines/h"
        )
        facts.append(
            Fact(f"time: {first_text} … {last_text} ({duration(last - first)}), {speed}", 2 if found_errors else 1)
        )
    gaps = sorted(((b[0] - a[0], a[2], a[1], b[1]) for a, b in pairwise(times)), key=lambda g: (-g[0], g[1]))
    typical = sorted(g[0] for g in gaps)[len(gaps) // 2]
    wide = [g for g in gaps[:2] if g[0] >= max(10, 20 * max(typical, 1))]
    if wide:
        text = "; ".join(f"{duration(gap)} after line {line:,} ({a} → {b})" for gap, line, a, b in wide)
        facts.append(Fact(f"largest gaps: {text}", 2))
    return facts


_ACCESS: Final = regex(r'"(?P<verb>[A-Z]{3,8}) (?P<path>[^\s"?]{1,200})[^"]{0,2000}" (?P<status>\d{3})\b')


def _access_facts(found: Analysis) -> list[Fact]:
    """Statuses, verbs and paths of an access log, from the lines that are known."""
    statuses: Counter[str] = Counter()
    paths: Counter[str] = Counter()
    known = 0
    for one in found.seen:
        if not _ACCESS.search(one.text):
            continue
        lines = one.shape.lines() if one.shape.count > 1 else [(one.shape.first, one.shape.first_text)]
        share = one.shape.count / len(lines)
        for _, raw in lines:
            match = _ACCESS.search(raw.decode("latin-1"))
            if match:
                known += 1
                statuses[match["status"]] += round(share) or 1
                paths[f"{match['verb']} {category(match['path'])}"] += round(share) or 1
    if known < 5:
        return []
    top = " · ".join(f"{status}: {n:,}" for status, n in sorted(statuses.items()))
    often = " · ".join(f"{n:,}× {path}" for path, n in paths.most_common(6))
    return [Fact(f"status {top}", 1), Fact(f"{len(paths):,} kinds of requests: {often}", 2)]


_SYSLOG: Final = regex(r"[A-Z][a-z]{2} [ \d]\d [\d:]{8} (?P<host>\S{1,80}) (?P<who>[\w./-]{1,60})(?:\[\d+\])?:")
_COMPONENT: Final = regex(
    r"\b(?:component|service|logger|module|app|name)\"?[=:]\s?\"?(?P<kv>[\w./-]{2,60})"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\]?\s{1,8}-?\s{0,2}\[?(?P<who>[A-Za-z_][\w.$/-]{1,80})(?=[\]:(]|\[\S{0,40}\]:|\s-\s|\s{1,3}:)"
)


def _template_facts(scan: Scan, found: Analysis) -> list[Fact]:
    facts: list[Fact] = []
    who: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    for one in found.seen:
        sys = _SYSLOG.search(one.text[:200])
        if sys:
            who[sys["who"]] += one.shape.count
            hosts[sys["host"]] += one.shape.count
        elif part := _COMPONENT.search(one.text[:240]):
            who[part["kv"] or part["who"]] += one.shape.count
    for label, counts in (("hosts", hosts), ("components", who)):
        if len(counts) > 1 and sum(counts.values()) >= scan.lines * 0.2:
            top = " · ".join(f"{name} {n:,}" for name, n in counts.most_common(8))
            left = f" · {len(counts) - 8:,} more" if len(counts) > 8 else ""
            facts.append(Fact(f"{len(counts):,} {label}: {top}{left}", 2))
    templates = sorted((t for t in found.templates if t.words), key=lambda t: (-t.count, t.shapes[0]))
    single = sum(1 for t in templates if t.count == 1)
    if templates and templates[0].count > 1 and 4 * single < sum(t.count for t in templates):  # they say something
        text = f"{len(templates):,} message templates ({single:,} occur once)"
        if scan.unseen:
            text += f", mined over {scan.lines - scan.unseen:,} of {scan.lines:,} lines"
        facts.append(Fact(text + ": " + " · ".join(f"{t.count:,}× {found.name(t)}" for t in templates[:3]), 2))
        for start in range(3, min(len(templates), 18), 3):
            group = [t for t in templates[start : start + 3] if t.count > 1]
            if group:
                facts.append(Fact("next: " + " · ".join(f"{t.count:,}× {found.name(t)}" for t in group), 3))
    spreads: dict[str, tuple[int, float, float, float, str]] = {}
    for _, one_spread in found.spreads:
        if one_spread.name and one_spread.count > 20:
            old = spreads.get(one_spread.name)
            if old is None or old[0] < one_spread.count:
                spreads[one_spread.name] = (
                    one_spread.count, one_spread.low, one_spread.middle, one_spread.high, one_spread.unit,
                )  # fmt: skip
    if spreads:
        some = " among the lines sampled" if scan.step > 1 else ""
        ranked = sorted(spreads.items(), key=lambda pair: -pair[1][0])[:6]
        text = " · ".join(
            f"{name} {number_text(low)}–{number_text(high)}{unit}, median {number_text(mid)}"
            for name, (_, low, mid, high, unit) in ranked
        )
        facts.append(Fact(f"numbers{some}: {text}", 2))
    return facts
