"""What is said of a log as a whole: levels, failures, requests, times, templates, numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from itertools import chain
from typing import Final, NamedTuple

from mcpcompact.content.anomalies.numbers import median, rises
from mcpcompact.content.anomalies.words import LOOKED_FOR, mentions
from mcpcompact.content.log.entries import PLACED
from mcpcompact.content.log.failures import Failures
from mcpcompact.content.log.lines import FATAL, LEVEL_WITHIN, ORDER, find_stamp, level_span
from mcpcompact.content.log.odd import ERROR, SHOWN, Analysis
from mcpcompact.content.log.runners import BAD, BANNER, NAMELESS, OUTCOME, banner, in_blocks, step_facts, summaries
from mcpcompact.content.log.scan import MAX_LINE, Scan, shown
from mcpcompact.content.log.templates import (
    EVENT,
    MAX_TOKENS,
    REPEATED,
    Mark,
    Seen,
    Template,
    before,
    category,
    number_text,
    values_of,
    varied,
)
from mcpcompact.content.log.times import time_facts
from mcpcompact.outline import Fact, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

LOGGED: Final = 50  # one line in so many states a level or an outcome: else it is what a command printed
NAMES_ITS_SOURCE: Final = 0.95  # of the lines: else what is counted is not what the log has
_NAMED = 8  # counts that are named
_VALUES = 20  # from so many on a range is told
_RANGES = 6  # that are told
READ = 5_000  # lines of a kind that are compared word by word
_NO_TOOL = ("exit", NAMELESS, OUTCOME, "numbered", "crash", "prove", "script")
_DIGIT: Final = regex(r"\d")
_ERRORS: Final = regex(r"\d+ errors?\b|\d+ problems?\b|\d+ Error\(s\)")
_GRAVE: Final = ("FATAL", "CRITICAL", "SEVERE", "ERROR")

KINDS, ROW, CRASH = 8, 240, 600  # kinds of lines of which the first is told; characters of it, and of what crashed
LITTLE = 20  # characters more are not worth a mark
SHORTER = {CRASH: ROW, ROW: 140}  # characters where there is too little room for all kinds
DIFFERENT, OFTEN = 60, 5  # values of a key at most; named
SPLIT, SPLITS = 4, 2  # values of one of several numbers, such numbers of a kind
DISTINCT: Final = 6  # numbers of a field from which a range says more than the lines do
TOLD: Final = 0.8  # share of the lines that warn or fail: told by their rules, they need no kinds
_PACKAGES: Final = regex(r"\b(?:[a-z]\w{0,40}\.){2,12}(?=[A-Z])")  # before the name of a class
CRASHES: Final = 3  # kinds of crashes that are told before all else
FIRST_OF_KIND: Final = " (lines × first–last: the first one):"
PATTERNS: Final = " (lines × first–last: the first one, … where others differ):"


def headline(scan: Scan, found: Analysis, failed: Failures, loud: tuple[int, int, int], about: str, words: str) -> str:
    """``loud``: errors, tracebacks and failure messages, and the ``words`` of the last."""
    text = counted(scan.lines, "line")
    if _told(found) and not failed.tests:
        return text
    if said := failed.said():
        return f"{text}, {said}"
    if (tests := found.outcomes.total()) > 1 and _told_by_lines(found):
        return f"{text}, {tests:,} test outcomes, {_failed(found):,} failed"
    for n, one in zip(loud, ("error", "traceback", "failure message"), strict=True):
        text += f", {about}{counted(n, one)}" if n else ""
    return text + words


def _failed(found: Analysis) -> int:
    return sum(n for name, n in found.outcomes.items() if name in ("FAILED", "FAIL", "ERROR", "not ok"))


def _told_by_lines(found: Analysis) -> bool:
    """Whether the lines with outcomes know of failures where the runner's totals do."""
    return _failed(found) > 0 or not any(BAD.search(said) for _, said in chain(*found.totals.values()))


def _told(found: Analysis) -> bool:
    """Whether a tool says itself how many errors it found."""
    said = chain.from_iterable(found.totals.get(tool, ()) for tool in (NAMELESS, "msbuild"))
    return "ansible" in found.totals or any(_ERRORS.search(text) for _, text in said)


def _what(scan: Scan, found: Analysis, failed: Failures, telling: re.Pattern[str], compiled: bool) -> str:
    """What wrote the log: a CI runner, tools with ``telling`` totals, a web server, syslog."""
    totals = [(kind, dict(lines).values()) for kind, lines in found.totals.items() if kind not in _NO_TOOL]
    tools = [kind for kind, texts in totals if any(map(telling.search, texts))]
    named = dict.fromkeys(name for one in failed.tests if (name := one.form.split()[0]) not in _NO_TOOL)
    tools = tools or [*named]
    if found.job or tools:
        return "Log of " + ", ".join([*([found.job] if found.job else []), *tools[:4]])
    if scan.requests is not None:
        return "Access log"
    if 2 * sum(one.shape.count for one in found.seen if _SYSLOG.match(one.text)) > scan.lines:
        return "Syslog"
    tool = "" if scan.stamp_kind else banner(map(shown, scan.fetch(1, BANNER)))
    marked = max(found.levels.total(), found.outcomes.total()) * LOGGED >= scan.lines
    if tool or (compiled and not scan.stamp_kind):
        return f"{'Log' if marked and not compiled else 'Output'} of {tool}" if tool else "Diagnostics"
    return "Log" if scan.stamp_kind or found.headed or found.run or marked else "Output"


def facts(
    scan: Scan,
    found: Analysis,
    failed: Failures,
    headline: str,
    loud: int,
    entries: int,
    counts: list[Fact],
    parts: dict[int, str],
    kinds: Sequence[Kind],
    warned: int,
    compiled: bool,
) -> list[Fact]:
    """``counts``: of what the lines are, where they are of one kind: findings, screens. ``parts``: the lines that head
    one of several outputs. ``kinds``: ``loud_kinds``; ``warned``: lines with warnings that are told by their rules;
    ``compiled``: whether most are what a compiler says of a file."""
    several = f" in {entries:,} entries" if entries and entries < scan.lines and not found.run else ""
    count, _, errors = headline.partition(", ")
    telling = BAD if counts or failed.compiler else _DIGIT  # beside findings a tool that found nothing wrote the least
    what = _what(scan, found, failed, telling, compiled)
    facts = [Fact(f"{what}: {count}{several}{', ' + errors if errors else ''}.", 0)]
    facts += [*failed.facts(bool(counts)), *counts]
    if (total := found.outcomes.total()) > 1 and _told_by_lines(found):
        outcomes = " · ".join(f"{name} {n:,}" for name, n in found.outcomes.most_common())
        facts.append(Fact(f"{total:,} outcomes: {outcomes}", 1))
    ended = {number for number, _ in failed.verdicts}
    totals = {kind: [one for one in lines if one[0] not in ended] for kind, lines in found.totals.items()}
    totals[NAMELESS] = in_blocks(totals.get(NAMELESS, []), lambda first, last: map(shown, scan.fetch(first, last)))
    sums = summaries({kind: lines for kind, lines in totals.items() if lines}, scan.step == 1)
    facts += [Fact(note, 0 if found.run else 1, shows=[lines]) for lines, note in sums]
    facts += step_facts(found.steps, 2 if loud else 1)
    listed = found.noted.total() > SHOWN
    if loud or not counts:
        facts += _level_facts(scan, found, 3 if found.run else 0 if listed else 2 if len(facts) > 1 else 1)
    facts += time_facts(scan, 3 if found.run else 0 if listed else 1, parts)
    if loud or not counts:
        facts += [] if loud else _calm_facts(scan, found)
        facts += _loud_facts(scan, found, kinds) if warned < TOLD * found.noted.total() else []
    if scan.requests:
        from mcpcompact.content.log.access import request_facts

        facts += request_facts(scan.requests)
    return facts if found.run else [*facts, *_template_facts(scan, found)]


def _level_facts(scan: Scan, found: Analysis, rank: int) -> list[Fact]:
    known = found.levels.total()
    if len(found.levels) <= 1 or known * 2 < scan.lines - scan.unseen:  # one alone divides nothing
        return []
    text = " · ".join(f"{name} {found.levels[name]:,}" for name in ORDER if found.levels[name])
    rest = scan.lines - known - scan.unseen
    of = f" (of the {scan.lines - scan.unseen:,} lines with a known shape)" if scan.unseen else ""
    return [Fact(f"levels{of}: {text}" + (f" · none stated {rest:,}" if rest else ""), rank)]


def quiet_errors(found: Analysis) -> list[Mark]:
    """The first lines of a grave level that few state, where no line tells of a failure; of the few warnings."""
    few = [] if found.error_lines else [level for level in _GRAVE if 0 < found.levels[level] <= CRASHES]
    few += ["WARN"] if 0 < found.levels["WARN"] <= min(KINDS, found.levels.total() / LOGGED) else []
    return [Mark(one.shape.first, Keep.RARE, "", f"level {one.text}") for one in found.seen if few and one.level in few]


Kind = tuple[int, int, int, Seen | None]
"""Lines that say the same: how many, the first and the last, and what is known of the first."""


def crashes(kinds: Sequence[Kind]) -> set[int]:
    """The first and the last line of each kind that tells of a crash, where a list of kinds begins with these few."""
    fatal = [kind for kind in kinds if _fatal(kind[3])]
    return {line for _, *ends, _ in fatal for line in ends} if len(fatal) <= CRASHES else set()


def _noted(found: Analysis, failed: Failures) -> Counter[int]:
    """Lines that warn or tell of a failure, by their kind, where they are many; what broke a run, not its warnings."""
    noted = found.loud_counts if found.run and found.error_lines else found.noted
    return Counter() if noted.total() <= SHOWN or failed.tests or failed.compiler else noted


def _loud_facts(scan: Scan, found: Analysis, kinds: Sequence[Kind]) -> list[Fact]:
    """The kinds of lines that warn or tell of a failure, where they are many: the gravest and most frequent first."""
    total = sum(count for count, *_ in kinds)
    if not total:
        return []
    groups = sorted(kinds, key=lambda kind: (-kind[3].severity if kind[3] and _fatal(kind[3], ERROR) else 0, -kind[0]))
    about = "~" if found.estimated else ""
    what = "errors or failures" if total == found.loud_counts.total() else "warnings, errors or failures"
    what = what if found.loud_counts else "warnings"
    placed = {line for _, line, _, one in groups if one and PLACED.match(one.text)}  # what they say stands below them
    lead = f"{about}{total:,} lines with {what}" + ("" if placed else f", of {counted(len(groups), 'kind')}")
    marked = {mark.line for mark in found.marks}
    return _kinds(scan, found, lead, groups, about, 0, placed | marked)


def loud_kinds(found: Analysis, failed: Failures, alone: bool) -> list[Kind]:
    """The kinds with those as one that differ in who says it (the thread before the message), or what failed of the
    same cause (``yard.example:80 error : refused``). ``alone``: no rules tell of them."""
    joined: dict[object, Kind] = {}
    kinds: dict[object, list[Template]] = {}
    for known, count in _noted(found, failed).items():
        first, last, one = found.first[known]
        at = _cause_at(one.text) if one else 0
        said = one is not None and at < len(one.body) and not EVENT.search(one.text, 0, at)
        key = (one.level, one.severity, one.behind(at)) if one and said else known
        n, start, end, kind = joined.get(key, (0, first, last, one))
        kinds.setdefault(key, []).extend([one.kind] if one else [])
        joined[key] = n + count, min(start, first), max(end, last), one if first < start else kind
    found.joined = {id(kind[3]): kinds[key] for key, kind in joined.items()}
    seen = set[int]()
    several = {id(one): kind[1] for key, kind in joined.items() for one in kinds[key] if kind[0] > one.count}
    groups = {number: several[id(one)] for number, _, one in found.loud if id(one) in several}
    if alone and len(joined) <= KINDS:  # the list of kinds shows the first ones
        found.marks = [mark for mark in found.marks if groups.get(mark.line) != mark.line]
    for mark in found.marks:  # one of each before a second one of any
        if group := groups.get(mark.line):
            mark.group, mark.keep = f"kind {group}", min(mark.keep, Keep.RARE) if group in seen else mark.keep
            seen.add(group)
    return [*joined.values()]


def message_at(line: str) -> int:
    """Where a line's message begins, behind stamp, level and source."""
    after = _source_at(line)
    message = _MESSAGE.match(line, after)
    return message.end() if message else after


def _cause_at(line: str) -> int:
    """Where it says what went wrong: behind what it went wrong with, else where the message begins."""
    message = message_at(line)
    maybe = any(map(line.__contains__, _CAUSES))
    cause = _CAUSE.search(line, message, message + ROW) if maybe else None
    return cause.start() if cause else message


def _codes(one: Seen, found: Analysis) -> Counter[str]:
    """The codes behind the cause in the lines that say the same; none where not each line is known."""
    said = one.behind(_cause_at(one.text))
    alike = [s for s in found.seen if s.severity and s.behind(_cause_at(s.text)) == said]
    if any(s.shape.count > len(s.shape.lines()) for s in alike):
        return Counter()
    texts = [raw.decode("utf-8", "replace") for s in alike for _, raw in s.shape.lines()]
    return Counter(code[0] for text in texts if (code := _CODE.search(text, _cause_at(text))))


def _source_at(line: str) -> int:
    """Where it says who speaks: behind stamp and level."""
    stamp, level = find_stamp(line), level_span(line[:LEVEL_WITHIN])
    return max(level[1] if level else 0, stamp[2] if stamp else 0)


_CAUSE: Final = regex(r"\b(?:[Ee]rror|ERROR|failed|FAILED) ?: ")
_CAUSES: Final = ("rror: ", "ERROR: ", "ailed: ", "AILED: ", " : ")  # one stands where it finds something
_CODE: Final = regex(r"\b(?:code|status|error|errno) \d{3,5}\b")
_MESSAGE: Final = regex(r"[\])]?:?[ \t]*(?:- )?(?:\[[^\]]{0,240}\] ?){0,3}(?:[\w.$-]{1,80}: ?){0,2}")


def _kinds(
    scan: Scan,
    found: Analysis,
    lead: str,
    groups: Sequence[Kind],
    about: str,
    rank: int,
    apart: Container[int] = (),
) -> list[Fact]:
    """The kinds of lines, a row each: how many, and the first one. Those that are not shown ``apart``, of more than
    a few those that stand more than once or tell of a failure, and how many more there are."""
    few = len(groups) <= KINDS
    some = [kind for kind in groups if kind[1] not in apart or (few and kind[0] > 1)]
    most = [kind for kind in some if few or kind[0] > 1 or (kind[3] and kind[3].severity)][:KINDS]
    rows = [(f"{about}{n:,}× ", _row(scan, found, line, last, one, n)) for n, line, last, one in most]
    left = len(groups) - len(rows)
    more = [f"… {left:,} more"] if left else []
    head = [f"{lead}{PATTERNS if any(row.masked for _, row in rows) else FIRST_OF_KIND}"] if rows else [lead]
    text, short = (
        "\n".join([*head, *(f"{often}{row.cut(limits)}" for often, row in rows), *more]) for limits in ({}, SHORTER)
    )
    shows = [[], *([line] for _, line, _, _ in most)]
    return [Fact(text, rank, short=short, shows=shows)] if any(n > 1 for n, *_ in groups) else []


def _alike(groups: Sequence[Kind], found: Analysis) -> list[Kind]:
    """The kinds, the most frequent first; those that are told in the same words are one."""
    told: dict[object, Kind] = {}
    for place, (n, first, last, one) in enumerate(groups):
        key = _told_as(one, found) if one and place < 4 * KINDS else place
        before, start, end, kind = told.get(key, (0, first, last, one))
        told[key] = before + n, min(start, first), max(end, last), one if first < start else kind
    return sorted(told.values(), key=lambda kind: -kind[0])


def _told_as(one: Seen, found: Analysis) -> str:
    text = one.text
    for start, end in reversed(varied(one, found.seen)):
        text = f"{text[:start]}…{text[end:]}"
    return category(text)


def _fatal(one: Seen | None, least: int = FATAL) -> bool:
    return one is not None and one.severity >= least


class _Row(NamedTuple):
    """The first line of a kind: where the kind stands, its text, in what the others differ."""

    place: str
    text: str
    brief: str  # the same where that is too long
    most: int  # characters of it
    differing: str
    masked: bool  # some words of it stand as …

    def cut(self, limits: Mapping[int, int]) -> str:
        """Of a long text its beginning."""
        most = limits.get(self.most, self.most)
        text = self.text if len(self.text) <= most + LITTLE else _PACKAGES.sub("…", self.brief)
        end = len(text) if len(text) <= most + LITTLE else max(text.rfind(" ", most // 2, most), most // 2)
        cut = f" …[+{len(text) - end:,} chars]" if end < len(text) else ""
        return f"{self.place}: {text[:end]}{cut}{self.differing}"


def _row(scan: Scan, found: Analysis, line: int, last: int, one: Seen | None, count: int) -> _Row:
    """The first line of a kind, with … for words in which the others differ; whole, if it is not too long, where others
    say the same of something else: without what failed it says little."""
    text = first = shown(scan.fetch(line, line)[0])
    for start, end in reversed(varied(one, found.seen)) if one else ():
        text = f"{text[:start]}…{text[end:]}"
    whole = text
    if one and count > one.kind.count and id(one.kind) in found.noted:  # others say the same
        source, message = _source_at(text), _cause_at(text)
        source += text[source : source + 1] in ("]", ")")
        whole, text = first, f"{text[:source]} … {text[message:]}" if message > source + 1 else text
    differing = ""
    if one and count > one.kind.count and one.severity and len(codes := _codes(one, found)) > 1:
        differing = " ← " + ", ".join(f"{code} ({n:,}×)" for code, n in codes.most_common(_NAMED))
    elif one:
        differing = _differing(scan, one, found, count)
    place = f"{line}–{last}" if last > line else f"{line}"
    return _Row(place, whole, text, CRASH if _fatal(one) else ROW, differing, text != first)


def _differing(scan: Scan, one: Seen, found: Analysis, count: int) -> str:
    """The values of a number that is all in which the lines of a kind differ; of several, of those with few values: the
    first line's are not all lines'. Only where each line is known."""
    kinds = found.joined.get(id(one), [one.kind])
    alike = [found.seen[n] for kind in kinds for n in kind.shapes]
    if scan.step > 1 or count > READ or sum(kind.count for kind in kinds) != count:
        return ""
    starts = {id(s): _cause_at(s.text) if len(kinds) > 1 else 0 for s in alike}
    spans = {id(s): [span for span in s.spans if span[0] >= starts[id(s)]] for s in alike}
    rows = [[raw.decode("utf-8", "replace")[a:b] for a, b in spans[id(s)]] for s in alike for _, raw in s.shape.lines()]
    if len(rows) < count or len({*map(len, rows)}) > 1:
        return ""
    columns = {at: Counter(column) for at, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1}
    own, left_open = spans[id(one)], varied(one, found.seen)
    told, known = [], set[tuple[int, ...]]()
    message = message_at(one.text)
    for at, column in sorted(columns.items(), key=lambda one: own[one[0]][0] < message):  # who says it comes behind
        said = values_of(column, own[at] not in left_open and own[at][0] >= message)
        name = before(one.text, own, at) if len(columns) > 1 else ""
        if said and (len(columns) == 1 or (len(column) <= SPLIT and (name or said[0] == "…"))):
            order = dict.fromkeys(row[at] for row in rows)
            pattern = tuple(list(order).index(row[at]) for row in rows)
            if pattern not in known:  # else another number says so as well
                told.append(name + said if said[0] != "…" else name.strip(":") + said)
            known.add(pattern)
    return f" ← {'; '.join(told[:SPLITS])}" if told else ""


def _calm_facts(scan: Scan, found: Analysis) -> list[Fact]:
    """That nothing names a failure, where that is so."""
    said = f"all {scan.lines:,} lines scanned for {LOOKED_FOR}: none found"
    return [Fact(said, 1)] if not found.words and _silent(scan, found) else []


def _silent(scan: Scan, found: Analysis) -> bool:
    """Whether nothing in the log names a failure: in no line of any shape, nor in what the shapes do not hold."""
    if found.unsure or mentions("\n".join(one.text for one in found.seen)):
        return False
    if scan.longest <= MAX_LINE and not scan.unseen and not scan.redrawn:
        return True
    return not scan.source.large and not mentions(scan.source.text)


_CLOSES: Final = {"[": "]", "(": ")"} | {sign: sign for sign in "\"'`"}
_SYSLOG: Final = regex(r"[A-Z][a-z]{2} [ \d]\d [\d:]{8} (?P<host>\S{1,80}) (?P<who>[\w./-]{1,60})(?:\[\d+\])?:")
_COMPONENT: Final = regex(
    r"\b(?:component|service|logger|module|app|name)\"?[=:]\s?\"?(?P<kv>[\w./-]{2,60})"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|FATAL|CRITICAL)\]?\s{1,8}-?\s{0,2}(?:\[[^\]\n]{1,160}\]\s{1,2}(?=[\w.$-]{2,80}:\s))?"
    r"\[?(?P<who>[A-Za-z_][\w.$/-]{1,80})(?=[\]:(]|\[\S{0,40}\]:|\s-\s|\s{1,3}:)"
)


def _template_facts(scan: Scan, found: Analysis) -> list[Fact]:
    facts: list[Fact] = []
    who: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    for one in found.seen if not scan.letters else ():
        if sys := _SYSLOG.search(one.text[:200]):
            who.update(_names(scan, one, sys, "who"))
            hosts.update(_names(scan, one, sys, "host"))
        elif part := _COMPONENT.search(one.text[:400]):
            who.update(_names(scan, one, part, "kv" if part["kv"] else "who"))
    for label, counts in (("hosts", hosts), ("components", who)):
        if len(counts) > 1 and counts.total() >= max(scan.lines, found.levels.total()) * NAMES_ITS_SOURCE:
            top = " · ".join(f"{name} {n:,}" for name, n in counts.most_common(_NAMED))
            left = f" · {len(counts) - _NAMED:,} more" if len(counts) > _NAMED else ""
            facts.append(Fact(f"{len(counts):,} {label}: {top}{left}", 2))
    templates = sorted((t for t in found.kinds if t.words), key=lambda t: (-t.count, t.shapes[0]))
    single = sum(1 for t in templates if t.count == 1)
    repeated = found.headed and bool(templates) and templates[0].count > 1
    if repeated and scan.requests is None and 4 * single < sum(t.count for t in templates):  # they say something
        calm = [t for t in templates if id(t) not in found.noted]
        shapes = [(t, [found.seen[n].shape for n in t.shapes]) for t in calm if found.seen[t.shapes[0]].head]
        groups: list[Kind] = [
            (t.count, own[0].first, max(shape.last for shape in own), found.seen[t.shapes[0]]) for t, own in shapes
        ]
        kinds, groups = len(templates) - len(groups), _alike(groups, found)
        kinds += len(groups)
        few = len(groups) <= KINDS
        text = f"{counted(kinds, 'kind')} of lines{f' ({single:,} of one line)' if single and not few else ''}"
        if scan.unseen:
            text += f", mined over {scan.lines - scan.unseen:,} of {scan.lines:,} lines"
        if not few:
            text += ", the most frequent"
            text += "" if len(calm) == len(templates) else f" of the {len(groups):,} without a warning or failure"
        elif len(groups) < kinds:
            text += f", {len(groups):,} of them below"
        alone = set() if few else {line for n, line, *_ in groups if n == 1}
        facts += _kinds(scan, found, text, groups, "", 1, alone)
    return [*facts, *_value_facts(scan, found), *_number_facts(scan, found)]


def _names(scan: Scan, one: Seen, found: re.Match[str], group: str) -> Counter[str]:
    """How many lines of a shape bear which name: its digits differ from line to line; ``*`` where not each was held."""
    name, count = found[group], one.shape.count
    if count == 1 or not _DIGIT.search(name):
        return Counter({name: count})
    if scan.step > 1:
        return Counter({_DIGIT.sub("*", name): count})
    start, end = found.span(group)
    return Counter(raw.decode("utf-8", "replace")[start:end] for _, raw in one.shape.lines())


def _value_facts(scan: Scan, found: Analysis) -> list[Fact]:
    """How often which value stands behind a key, where few values share the lines."""
    values: dict[str, Counter[str]] = {}
    cut: set[str] = set()  # keys of which a value goes on behind a blank or a sign
    many = {name for name, n in found.keys.items() if n * REPEATED >= scan.lines} if scan.step == 1 else set[str]()
    for one in found.seen if many else ():
        slots = [slot for slot in one.keyed if slot[0] in many and len(values.get(slot[0], ())) <= DIFFERENT]
        cut.update(name for name, a, b in slots if not _ends(one.text, a, b))
        known = [one.text] if one.shape.count == 1 else [raw.decode("utf-8", "replace") for _, raw in one.shape.lines()]
        for text in known if slots else ():
            for name, a, b in slots:
                values.setdefault(name, Counter())[text[a:b]] += 1
    told = []
    for name, counts in values.items():
        if (
            name not in cut
            and 1 < len(counts) <= DIFFERENT
            and counts.total() >= max(REPEATED * len(counts), scan.lines / REPEATED)
        ):
            often = ", ".join(f"{value} {n:,}" for value, n in counts.most_common(OFTEN))
            left = f", {len(counts) - OFTEN:,} more" if len(counts) > OFTEN else ""
            told.append((-counts.total(), len(counts), f"{name}: {often}{left}"))
    return [Fact(" · ".join(text for _, _, text in sorted(told)[:_NAMED]), 2)] if told else []


def _ends(text: str, a: int, b: int) -> bool:
    """Whether a value is whole."""
    quote = text[a - 1 : a] if text[a - 1 : a] in tuple("\"'`[(") else ""
    if quote:
        return text[b : b + 1] == _CLOSES[quote]
    return not text[b : b + 1] or text[b] in (",;)]}|" if text[:a].rstrip().endswith(":") else " ,;)]}|\t")


def _number_facts(scan: Scan, found: Analysis) -> list[Fact]:
    """Ranges and medians of named numbers, over all their values."""
    told = []
    for (name, unit), values in found.numbers.items():
        numbers = [number for _, number, _ in values]
        if unit and len(values) > _VALUES and len(set(numbers)) >= DISTINCT and not rises(numbers):
            low, high = number_text(min(numbers)), number_text(max(numbers))
            told.append(f"{name} {low}–{high}{unit}, median {number_text(median(sorted(numbers)))}")
        if len(told) == _RANGES:
            break
    some = " among the lines sampled" if scan.step > 1 else ""
    long = scan.longest > MAX_LINE or any(len(one.words) >= MAX_TOKENS for one in found.seen)
    some += " (of long lines their beginning)" * long
    return [Fact(f"numbers{some}: {' · '.join(told)}", 2)] if told else []
