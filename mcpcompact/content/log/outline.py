"""Logs: service, system and access logs, test runs and build output. Entries, levels, templates, what is odd.

An entry is a line with its continuation lines (a stack trace, indented lines, a payload of several
lines); ``spans`` and the outline share one boundary function. Anchors are line numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from mcpcompact.content.log import grammar, kinds, weights
from mcpcompact.content.log.ending import ERROR_WHOLE, Ending, ended
from mcpcompact.content.log.entries import (
    STYLED,
    Entry,
    Style,
    asides,
    entry_ends,
    entry_starts,
    is_blank,
    spans,
    thrown_apart,
    trimmed,
)
from mcpcompact.content.log.facts import facts, quiet_errors
from mcpcompact.content.log.failures import CLOSING, ENDING, VERDICTS, Failures
from mcpcompact.content.log.findings import KINDS, findings, hush, warned
from mcpcompact.content.log.layout import Layout, dress, one_message, pointed
from mcpcompact.content.log.odd import Analysis
from mcpcompact.content.log.runners import bare, parts_of, under_headings, under_parts, under_tasks
from mcpcompact.content.log.scan import Scan, shown
from mcpcompact.content.log.templates import Mark, Template, category
from mcpcompact.content.log.tested import Reported, Tested, records
from mcpcompact.content.log.weights import is_routine, points
from mcpcompact.content.shared.lines import bars, fold_runs, truncations, unwrapped
from mcpcompact.outline import FAINT, MAX_ITEMS, ROUTINE, Fact, Hints, Item, Keep, Lossless, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted
from mcpcompact.source import Source, split_lines

__all__ = ["entry_ends", "outline", "spans"]  # what the content type asks for

_SEEN: Final = 3  # times that an item is new
_LONG_LOG, _DEEP = 500, 12  # lines: of a long log, of a trace whose cause may stand far in

AROUND: Final = 3  # lines before and behind a failure
FADED, HALF = 1e-60, 0.5  # least weight of a repeated line; lines towards the end that double it
PAYLOAD: Final = 0.2  # weight of a long entry that tells of no failure: settings, mostly
LONG, MESSAGE = 100, 800  # characters of a line of which a part may be shown; of an error of a run shown whole
_FIRST: Final = regex(r"[> ]*1\b")  # may begin a view with numbers
_RULER: Final = regex(r"(?m)(?<=\S) +[━─═]{8,} *$")  # behind a heading, of more tokens than it
_VALUE: Final = regex(r"(\s+\w+:) .{40,}$", holds=": ")  # a long one, which a test had
FRAMED, PRINTED, LISTED = 0.2, 0.3, 0.8  # share of the room: how a log ends; what precedes a trace; a build's warnings
TERSE: Final = 0.08  # what facts may take beside it
ENDED: Final = 0.5  # the same: what a command that failed printed last
PACKABLE: Final = 400_000  # characters; more would never fit a budget
COUNTED: Final = 20_000  # lines of a report whose findings are counted, though not all are items
STAMPED: Final = 48  # characters of a line that may hold no more than a stamp
FATAL, STATED, WORST = 2.0, 1.75, 5.0  # weights: of a crash or panic; of errors, before warnings; of the worst findings
BLOCK: Final = 120  # lines behind the name of a failing test in which its message stands
FAR_ITEMS: Final = 3000  # of a log of more than ``MAX_ITEMS`` lines: what is kept, one of each template, an even choice
_PACKED: Final = "repeated lines folded (… ×n); a § line gives the beginning of the lines after it"


def outline(source: Source, hints: Hints) -> Outline:
    scan = Scan(_joined(source))
    if not scan.lines:
        return Outline("log", "line", 0, "0 lines", [Fact("Log: empty, 0 lines.", 0)])
    log = Log(scan)
    items, below = log.items()
    log.weigh(items)
    items = weights.typed(items)
    items = kinds.last_screen(items, log.drawn[-1]) if log.drawn else items
    headline, facts_of = facts(log, below)
    kinds.once(items, facts_of)
    facts_of[1:1] = truncations(split_lines(source.text)) if log.small and "truncated" in source.text else []
    if log.small and (notes := source.text.count(grammar.NOTE)):
        facts_of.append(Fact(f"{counted(notes, 'console note')} of Jenkins, which say nothing, left out", 2))
    text = source.text if source.size <= PACKABLE else ""
    near = log.ending.near or any(item.weight == weights.LATEST for item in items)
    return Outline(
        content_type="log",
        unit="line",
        total=scan.lines,
        headline=headline,
        facts=[fact for fact in facts_of if not (log.drawn and fact.rank)],  # of all screens they say nothing of one
        items=items,
        lossless=[Lossless(_PACKED, lambda: kinds.pack(text) or text, kinds.shortest(text))] if text else [],
        more=[("--lines", "A:B")],
        frame_share=ENDED if near else LISTED if log.listed or log.calm else PRINTED if log.thrown else FRAMED,
        facts_share=TERSE if log.ending.failed else log.facts_share,
    )


class Log:
    """A log that is read: what stands out of it, what failed, what compilers and linters found, where entries are."""

    def __init__(self, scan: Scan) -> None:
        self.scan, self.small = scan, scan.lines <= MAX_ITEMS
        lines = scan.shown(1, scan.lines if self.small else STYLED)
        self.style = Style.of(lines)
        self.found = analysis = Analysis.of(scan, self.style.headed)
        after = lambda line: scan.shown(line + 1, line + BLOCK)  # noqa: E731
        most = ENDING if analysis.job else CLOSING if analysis.run or not self.style.headed else 0
        telling = [one for one in analysis.telling() if one[0] not in analysis.quoted] if scan.requests is None else []
        self.failed = failed = Failures.of(telling, after, scan.lines, most)
        read = [*enumerate(lines, 1)] if self.small else []
        self.tested = Tested.of(read if analysis.run else [], [one.name for one in failed.tests], bool(analysis.job))
        entries = _entries(lines, self.style, 1) if self.small else ()
        self.entries = [*(records(entries, self.tested.tables, failed.told) if analysis.run else entries)]
        self.numbered = [line for start, _, lines in self.entries for line in enumerate(lines, start)]
        self.reported = Reported.of([one for one in read if failed.tests and one[0] not in analysis.quoted])
        far = MAX_ITEMS < scan.lines <= COUNTED and findings(enumerate(lines, 1)).mostly
        self.said = report = findings(enumerate(scan.shown(1, scan.lines), 1) if far else self.numbered)
        self.rules, self.worst, self.mostly = report.rules, report.worst, report.mostly
        self.checked, self.reports, self.errors = list[Fact](), set[int](), 0  # of checkers, the lines that say so
        if not (self.mostly or scan.step > 1) and (known := analysis.telling(_CHECKERS)):
            from mcpcompact.content.log.tools import reports

            self.checked, self.reports, self.errors = reports(known, after)
        self.layout, self.past = Layout.of(self.numbered), bars(self.numbered)
        self.layout.owners.update(report.again)
        hush(analysis, {*self.layout.owners, *self.reported.quoted})
        if self.mostly or (len(failed.verdicts) <= VERDICTS and not analysis.service):  # how it ended is no error more
            hush(analysis, {n for n, _ in failed.verdicts})
        hush(analysis, report.placed if self.mostly else ())
        self.ending = Ending.of(analysis, failed.verdicts if failed.behind <= 0 else [])
        self.kinds = [] if analysis.job else kinds.loud_kinds(analysis, failed, not self.rules)
        self._mark()
        if self.ending.known and any(one.text for one in self.ending.failed or self.ending.passed):
            self.failed = failed = failed._replace(verdicts=[])
        self.found.marks += [Mark(line, Keep.SEVERE, "", f"worst {line}") for line in self.worst if self.mostly]
        self.parts = parts_of(lines if self.small else [], analysis.run)
        self.drawn = kinds.screens(self.numbered)
        self.planned: list[Fact] = []
        self.spared: list[int] = []  # lines that they tell
        if "terraform" in analysis.totals:
            from mcpcompact.content.log.tools import planned

            self.planned, self.spared = planned(scan)
        begun = [start for start, _, lines in self.entries if weights.THROWS.match(lines[0])]
        self.thrown = [] if failed.tests or failed.compiler else [*begun[:1], *begun[1:][-1:]]  # by which it died
        self.facts_share = 0.45 if analysis.headed and not analysis.run else 0.3 if scan.lines > _LONG_LOG else 0.12
        self.calm = analysis.outcomes.total() > 1 and not analysis.loud  # all that it tells is which tests ran
        self.listed = self.rules and not ((self.mostly and not self.worst) or failed.tests or failed.verdicts)

    def _mark(self) -> None:
        """What is kept of what stands out: nothing that another line tells as well."""
        failed, layout, mostly = self.failed, self.layout, self.mostly
        layout.head(self.found.marks)
        ruled = {n for lines in self.rules for n in lines if len(lines) > 1}
        calm = weights.calm_lines(self.numbered).union(layout.owners, layout.says.values())
        calm |= self.reported.quoted | kinds.listed(self.kinds, self.entries if not self.rules else ())
        calm |= self.reports
        left = [mark for mark in self.found.marks if not (failed.covers(mark) or mark.line in calm)]
        errors = dict(failed.places) if mostly else {}  # of a compiler the first one of each rule comes first
        firsts = [line for lines in self.rules[:KINDS] for line in [n for n in lines if n in errors][:1]]
        severe = {mark.line for mark in left if mark.keep is Keep.SEVERE} - (ruled if firsts else set())
        likely = [mark for mark in left if mark.line in severe or not (mostly or mark.line in ruled)]
        likely += [Mark(n, Keep.SEVERE, "", f"first {n}", grammar.ERROR) for n in firsts]
        self.found.marks = likely  # others of its rule are like a mark
        severe = {mark.line for mark in self.found.marks if mark.keep is Keep.SEVERE}
        for line, detail in asides(self.entries, severe):
            self.found.marks.append(Mark(line, Keep.SEVERE if detail else Keep.RARE, "", f"aside {line}"))
        if not mostly:  # the first warnings of each rule stand out of their entries
            self.found.marks += failed.marks() + warned(self.rules, bool(failed.tests)) + quiet_errors(self.found)
        named = failed.told.union(line for line, _ in failed.places)
        self.ending.narrow(self.found, named, mostly)

    def items(self) -> tuple[list[Item], list[Fact]]:
        """The items below their headings, and what is said of all findings once."""
        analysis, layout = self.found, self.layout
        failing = list[Item]()
        cut = pointed(self.reported.apart(layout.cut(self.entries, self.past), failing), self.said, failing)
        items = _near_items(analysis, cut) if self.small else _far_items(analysis, self.style)
        items = sorted([*items, *failing], key=lambda item: item.start)
        items = under_headings(under_tasks(items), layout.files)
        if self.small:
            _fade(items, analysis, self.mostly)
        items = under_parts(items, self.parts, self.ending.echoed if self.ending.known else ())
        return items, dress(items, layout, dict(self.numbered) if layout.says else {}, self.said)

    def weigh(self, items: list[Item]) -> None:
        """What each item is worth, and how much of it is shown."""
        analysis, failed, past = self.found, self.failed, self.past
        most = ERROR_WHOLE if analysis.service else MESSAGE
        for item in items:  # an error stands there from its process to its code; what a program says as it dies, too
            item.at = item.at if len(item.text) > most or (analysis.service and item.keep is not Keep.SEVERE) else -1
        frames = [item for item in items if item.weight == weights.WHERE] if self.thrown else []
        for item in (*frames[:1], *frames[-1:]):
            item.weight = weights.CAUSE
        short = sum(len(item.text) for item in items if len(item.text) <= weights.LINE)
        known, filled = set[str](), short >= weights.FILLED
        for item in items:
            item.text = item.text if item.text.isascii() else _RULER.sub("", item.text)
            item.text = weights.without_payload(item) if filled and item.keep else item.text
            item.lead = kinds.lead(item.text, LONG)
            if not item.keep and len(item.text) > 2 * LONG and "\n" not in item.text:
                begin = item.text.find(": ") + 2
                source = grammar.minified(item.text) and not item.lead
                item.text = clipped(item.text, LONG) if source else weights.with_members(item.text, begin)
                item.flow = "sentences"  # read from its beginning
            if past and all(past.get(n, False) for n in range(item.start, item.end + 1)):
                item.weight = 0
            text = item.text.partition(": ")[2].strip()
            item.weight = WORST if item.start in self.worst else item.weight
            if item.start in failed.again or ((item.keep or item.whole) and text in known):
                item.weight *= weights.AGAIN
            known.add(text)
        samples = [lines[0] for lines in self.rules[:KINDS]]
        samples += [number for number, ended in past.items() if ended is False][-weights.TAIL :]
        samples += [*(weights.tests_of(self.numbered) if "tap" in analysis.totals else ()), *self._below_names(items)]
        ends = [number for number, _ in failed.verdicts[-VERDICTS:]]
        last = [] if failed.tests or failed.compiler else ends + self.thrown
        setup = next(weights.tested_from(self.numbered), 0)
        tail = weights.TAIL if (analysis.run or not analysis.headed) and not self.ending.known else 0
        echoed = {*analysis.typed, *self.layout.owners}
        weights.weigh(items, samples, echoed, failed.told.union(ends, self.spared), last, setup, tail)
        self.ending.weigh(items)
        self.tested.weigh(items, bool(failed.tests))
        for item in items if failed.tests else ():  # what is reported stands before all else
            item.weight *= ROUTINE if item.start in analysis.quoted else 1
            item.weight = self.reported.weights.get(item.start, item.weight)
        ended(items if analysis.service else [])
        weights.said_again(items)
        if failed.compiler and not self.mostly:
            one_message(items, dict(failed.places), failed.again)

    def _below_names(self, items: list[Item]) -> set[int]:
        """The entries that are a failing test of Go: why it failed stands below its name, and is shown with it; what
        several assertions print of one value stands there once."""
        names = {one.name for one in self.failed.tests if one.form == "go"}
        starts = {n for n, _, lines in self.entries if lines[1:] and lines[0].partition("  ")[2].strip() in names}
        for item in items if starts else ():
            if item.start in starts:
                lines = item.text.split("\n")
                first = {line: at for at, line in reversed([*enumerate(lines)])}
                each = (_VALUE.sub(r"\1 …[as above]", one) if first[one] < at else one for at, one in enumerate(lines))
                item.whole, item.text = True, "\n".join(each)
        return starts


_CHECKERS: Final = ("== ", "error #", "sanitizer: ", ": runtime error: ", "direct leak of ", ": data race")
"""In lower case; one stands in each line that begins a report of such a tool."""


def _fade(items: list[Item], analysis: Analysis, mostly: bool) -> None:
    """Of each kind of lines the first (of a build's the first ones) stand before any repeat but what is near a failure;
    of the repeats of a service the run at the end, which says where it stopped, rather than lines from all over."""
    kind_of = {number: one.kind for one in analysis.seen for number, _ in one.shape.lines()}
    near = {mark.line + d for mark in analysis.marks if mark.keep is Keep.SEVERE for d in range(-AROUND, AROUND + 1)}
    known: Counter[Template | int] = Counter()
    steady = analysis.service
    for item in items:
        kind = kind_of.get(item.start, -item.start)
        if known[kind] >= (1 if steady else _SEEN) and not item.keep and item.start not in near:
            faint = 0.5 ** ((analysis.scan.lines - item.start) / HALF)
            item.weight *= (max(FADED, faint) if not FAINT < faint < ROUTINE else ROUTINE) if steady else weights.AGAIN
        known[kind] += 1
    if not (steady or mostly):
        fold_runs(items, (item.start in near for item in items))


def _joined(source: Source) -> Source:
    """The source; that of a terminal with its lines as they were before its edge broke them, a view without numbers."""
    lines = [] if source.size > PACKABLE else source.text.split("\n")
    known = lines
    if lines and _FIRST.match(lines[0]):
        from mcpcompact.content.shared.gutters import numbered

        view = numbered(source.text)
        known = view.bare() if view and view.number == 1 and view.first == 0 else lines
    whole = unwrapped(known)
    whole = [*whole, ""] if lines and lines[-1] and not whole[-1] else whole  # an empty last line with a number is one
    return source if whole is lines else Source.of_text("\n".join(whole))


# ---------------------------------------------------------------------------------------------- items


def _entries(lines: list[str], style: Style, first: int) -> Iterator[Entry]:
    """Each entry that begins in the lines, of which the first has the number ``first``."""
    for start, end in pairwise([*entry_starts(lines, style), len(lines)]):
        yield from thrown_apart(trimmed(first + start, lines[start:end]))


def _render(start: int, lines: Sequence[str]) -> str:
    body = list(lines)
    if len(body) > weights.WHOLE:
        gap = len(body) - 56
        body = [*body[:40], f"  … {gap:,} lines, {start + 40}–{start + 39 + gap} …", *body[-16:]]
    return f"{start}: " + "\n".join(body)


def _near_items(analysis: Analysis, entries: Iterable[Entry]) -> list[Item]:
    """Every entry of a log of ordinary size; runs of equal lines as one item."""
    marks, items, previous = _by_line(analysis.marks), list[Item](), ""
    alike: dict[str, list[Item]] = {}
    for start, end, lines in entries:
        inside = [mark for number in range(start, end + 1) if number in marks for mark in marks[number]]
        if inside:
            items += _kept_items(start, end, lines, inside)
            previous = ""
            continue
        if all(is_blank(line) or (len(line) < STAMPED and is_blank(bare(line))) for line in lines):
            continue
        if len(lines) == 1 and lines[0] == previous and items and items[-1].end == start - 1:
            last = items[-1]
            last.end = end
            last.text = f"{last.start}: {previous} … ×{last.end - last.start + 1}, to line {last.end}"
            continue
        previous = lines[0] if len(lines) == 1 else ""
        if weights.RESULTS.match(lines[0]):  # of what a run was for, the figures that say most
            items += [Item(at, at, f"{at}: {line}") for at, line in enumerate(lines, start) if line.strip()]
        elif analysis.run and len(lines) > 1 and any(map(is_routine, lines[1:])):
            items += weights.between(start, lines)
        else:
            weight = PAYLOAD if len(lines) > weights.SHORT_TRACE else 1
            items.append(Item(start, end, f"{start}: " + "\n".join(lines), weight=weight))
            if weights.TRACE_LEAST < len(lines) <= 2 * _DEEP:
                alike.setdefault(weights.trace_key(lines, category(lines[0][:200])), []).append(items[-1])
    for first, *others in alike.values():
        first.whole |= len(others) >= _SEEN
        for item in others if len(others) >= _SEEN else ():
            item.weight *= weights.AGAIN
    return items


def _at(line: str, text: str, mark: Mark) -> int:
    """The place of what a line is kept for, in the item's text, which has the number before the line."""
    at = kinds.place(line, mark.keep, mark.reason) if mark.reason or mark.keep is Keep.SEVERE else -1
    return -1 if at < 0 else at + len(text) - len(line)


def _heavy(mark: Mark) -> float:
    score = mark.score if mark.keep is Keep.SEVERE else 0
    return FATAL if score >= grammar.FATAL else STATED if score == grammar.ERROR else 1.0


def _kept_items(start: int, end: int, lines: list[str], inside: list[Mark]) -> list[Item]:
    severe = [mark for mark in inside if mark.keep is Keep.SEVERE]
    # a trace tells at its head that it is one; a loud line deep in a long stretch, and each of several, stands alone
    deep = end - start >= _DEEP and bool(severe) and (severe[0].line > start + 3 or len(severe) > 2)
    best = max(inside, key=lambda mark: (mark.keep, mark.score))
    if points(lines) and not severe:
        return _apart(start, lines, [(best, 2, 0.0)])
    if severe and weights.in_parts(lines):
        key = weights.trace_key(lines, best.group)
        parts, keep = [], best.keep
        for at, stop, weight in weights.telling(lines):
            parts.append((Mark(start + at, keep, "", f"{key}/{at}", best.score), stop - at, weight))
            first = (at, stop) == (0, 1)
            keep = keep if weight or first else Keep.RARE  # the causes of one failure come behind another failure
        return _apart(start, lines, parts)
    if (severe and not deep) or end - start < weights.SHORT_TRACE:
        reason = "; ".join(dict.fromkeys(mark.why(end) for mark in inside if mark.reason and not mark.quiet))
        group = weights.trace_key(lines, best.group) if severe else best.group
        text = _render(start, lines)
        at = _at(lines[0], text, best) if len(lines) == 1 else -1
        return [Item(start, end, text, best.keep, reason[:200], group, _heavy(best), at=at)]
    marks = sorted({mark.line: mark for mark in inside}.values(), key=lambda mark: mark.line)
    return _apart(start, lines, [(mark, 1, 0.0) for mark in marks])


def _apart(start: int, lines: list[str], parts: list[tuple[Mark, int, float]]) -> list[Item]:
    """Of a long entry the lines from each mark on, as many as are said, kept or (with a weight) not; and between them
    what stands around."""
    items, at = list[Item](), 0
    rust = points(lines)  # what rustc says stands with its place, and what points at source below that
    for mark, size, weight in [*parts, (Mark(start + len(lines), Keep.NONE, "", ""), 0, 0.0)]:
        first, last = max(at, mark.line - start), min(mark.line - start + size, len(lines))
        for begin, stop, own, framed in weights.around(lines[:first], at):
            text = _render(start + begin, lines[begin:stop])
            under = items[-1].under or items[-1].start if rust and items else 0
            items.append(Item(start + begin, start + stop - 1, text, weight=own, whole=framed, under=under))
        if first < last:
            text = _render(start + first, lines[first:last])
            item = Item(start + first, start + last - 1, text, weight=weight or _heavy(mark), whole=rust or weight > 0)
            if not weight:
                item.keep, item.reason, item.template = mark.keep, "" if mark.quiet else mark.reason, mark.group
                item.at = _at(lines[first], text, mark) if last - first == 1 else -1
            items.append(item)
        at = max(at, first, last)
    return items


def _far_items(analysis: Analysis, style: Style) -> list[Item]:
    """Of a long log: the entries that hold a mark, one of each shape, and an even choice of lines."""
    marks = _by_line(analysis.marks)
    wanted = set(marks) | {1, analysis.scan.lines}
    for template in sorted(analysis.templates, key=lambda t: -t.count)[: FAR_ITEMS // 4]:
        shape = analysis.seen[template.shapes[0]].shape
        wanted |= {shape.first, shape.last}
    shapes = [one.shape.first for one in analysis.seen]
    wanted.update(shapes[:: max(1, len(shapes) * 3 // FAR_ITEMS)])
    known = {number: text for one in analysis.seen for number, text in one.shape.lines()}
    numbers = sorted(known)
    wanted.update(numbers[:: max(1, len(numbers) * 3 // FAR_ITEMS)])
    items: list[Item] = []
    done = 0
    for number in sorted(wanted):
        if number <= done:
            continue
        if number in marks or number in (1, analysis.scan.lines) or number not in known:
            start, end, lines = _entry_at(analysis.scan, style, number, done)
        else:
            start, end, lines = number, number, [shown(known[number])]
        if all(map(is_blank, lines)):
            continue
        inside = [mark for n in range(start, end + 1) if n in marks for mark in marks[n]]
        items += _kept_items(start, end, lines, inside) if inside else [Item(start, end, _render(start, lines))]
        done = end
    return items


def _entry_at(scan: Scan, style: Style, number: int, after: int) -> Entry:
    """The entry that holds line ``number`` and begins behind line ``after``."""
    first = max(after + 1, number - weights.WHOLE)
    near = scan.shown(first, min(scan.lines, number + 2 * weights.WHOLE))
    for start, end, lines in _entries(near, style, first):
        if start <= number <= end:
            return start, end, lines
    return number, number, scan.shown(number, number)


def _by_line(marks: Sequence[Mark]) -> dict[int, list[Mark]]:
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(mark.line, []).append(mark)
    return by_line
