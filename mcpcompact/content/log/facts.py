"""What is said of a log as a whole: levels, failures, requests, times, templates, numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING, Final

from mcpcompact.content.anomalies.numbers import median, rises
from mcpcompact.content.anomalies.words import LOOKED_FOR, mentions
from mcpcompact.content.log import weights
from mcpcompact.content.log.entries import Entry, told_entries
from mcpcompact.content.log.failures import Failures
from mcpcompact.content.log.grammar import ERROR, ORDER, level_of
from mcpcompact.content.log.kinds import CRASHES, ERRORS, KINDS, ROW, alike, kind_facts, loud_facts, screen_facts
from mcpcompact.content.log.odd import BAD_LEVELS, SHOWN, Analysis
from mcpcompact.content.log.runners import BAD, BANNER, NAMELESS, OUTCOME, banner, in_blocks, step_facts, summaries
from mcpcompact.content.log.scan import MAX_LINE, Scan, placeholder, shown
from mcpcompact.content.log.templates import FIELD, MAX_TOKENS, REPEATED, Mark, Seen, first_of, leading, number_text
from mcpcompact.content.log.times import time_facts
from mcpcompact.outline import Fact, Keep
from mcpcompact.patterns import holding, regex
from mcpcompact.phrasing import clipped, counted

if TYPE_CHECKING:
    from mcpcompact.content.log.outline import Log

LOGGED: Final = 50  # one line in so many states a level or an outcome: else it is what a command printed
NAMES_ITS_SOURCE: Final = 0.95  # of the lines: else what is counted is not what the log has
_NAMED, _VALUES, _RANGES = 8, 20, 6  # counts that are named; values from which on a range is told; ranges told
_NO_TOOL = ("exit", NAMELESS, OUTCOME, "numbered", "crash", "prove", "script")
_DIGIT: Final = regex(r"\d")
_ERRORS: Final = regex(r"\d+ errors?\b|\d+ problems?\b|\d+ Error\(s\)")
_COUNTED: Final = regex(
    r"\b(\d{1,6}) (?:tests? )?(?i:failed|failing|failures?|errors?|exceptions?)\b"
    r"|\b(?<!expected )(?i:failed|failures?|errors?)(?::? |=)(\d{1,6})\b"
)
_TRACEBACK, _THROWN = "Traceback (most recent call last)", regex(r"(?:[a-z_][\w.]*\.)?([A-Z]\w*)(?=: |:?$)")
_FAILED: Final = ("FAILED", "FAIL", "ERROR", "not ok", "unexpected success")

DIFFERENT, OFTEN = 60, 5  # values of a key at most; named
DISTINCT: Final = 6  # numbers of a field from which a range says more than the lines do
TOLD: Final = 0.8  # share of the lines that warn or fail: told by their rules, they need no kinds


def headline(analysis: Analysis, failed: Failures, loud: tuple[int, int, int], about: str, words: str) -> str:
    """``loud``: errors, tracebacks and failure messages, and the ``words`` of the last."""
    text = counted(analysis.scan.lines, "line")
    if _told(analysis) and not failed.tests:
        return text
    if failures := failed.said():
        uncounted = failed.tests and not analysis.totals.keys() - {"go test", "exit"} and _told_by_lines(analysis)
        passed = sum(analysis.outcomes[name] for name in ("PASSED", "PASS", "ok")) if uncounted else 0
        named = "" if _agrees(analysis, failed) else " named"
        return f"{text}, {failures}{named}{f', {passed:,} passed' * (passed > 0)}"
    if (tests := analysis.outcomes.total()) > 1 and _told_by_lines(analysis):
        text += f", {tests:,} test outcomes"
        if (failing := _failed(analysis)) or not any(loud):  # what failed may have no outcome
            return f"{text}, {failing:,} failed"
    for n, one in zip(loud, ("error", "traceback", f"{'other ' * (loud[0] > 0)}failure message"), strict=True):
        text += f", {about}{counted(n, one)}" if n else ""
    return text + words


def _agrees(analysis: Analysis, failed: Failures) -> bool:
    """Whether the runners count as many failures as there are tests with a name, or do not count them."""
    if failed.compiler or failed.crashes:
        return True
    each: list[int] = []
    for lines in analysis.totals.values():
        counts = [[int(one[1] or one[2]) for one in _COUNTED.finditer(text)] for _, text in lines]
        each += [*map(sum, counts), sum(map(sum, counts)), *chain(*counts)]
    ran = sum(one.form != "jest run" for one in failed.tests)
    return not any(each) or not {len(failed.tests), ran}.isdisjoint(each) or failed.failing > 0


def _failed(analysis: Analysis) -> int:
    return sum(n for name, n in analysis.outcomes.items() if name in _FAILED)


def _told_by_lines(analysis: Analysis) -> bool:
    """Whether the lines with outcomes know of all tests, and of failures where the runner's totals do."""
    known = _failed(analysis) > 0 or not any(BAD.search(text) for _, text in chain(*analysis.totals.values()))
    return known and analysis.all_told


def _told(analysis: Analysis) -> bool:
    """Whether a tool says itself how many errors it found."""
    totals = chain.from_iterable(analysis.totals.get(tool, ()) for tool in (NAMELESS, "msbuild"))
    return "ansible" in analysis.totals or any(_ERRORS.search(text) for _, text in totals)


def _what(analysis: Analysis, failed: Failures, telling: re.Pattern[str], compiled: bool) -> str:
    """What wrote the log: a CI runner, tools with ``telling`` totals, a web server, syslog."""
    totals = [(kind, dict(lines).values()) for kind, lines in analysis.totals.items() if kind not in _NO_TOOL]
    tools = [kind for kind, texts in totals if any(map(telling.search, texts))]
    named = dict.fromkeys(name for one in failed.tests if (name := one.form.split()[0]) not in _NO_TOOL)
    tools = [kind for kind in tools if kind != "pip"] or [*named] or tools  # what it installed is not what it is of
    if analysis.job or tools:
        return "Log of " + ", ".join([*([analysis.job] if analysis.job else []), *tools[:4]])
    if analysis.scan.requests is not None:
        return "Access log"
    if 2 * sum(one.shape.count for one in analysis.seen if _SYSLOG.match(one.text)) > analysis.scan.lines:
        return "Syslog"
    tool = "" if analysis.scan.stamp_kind else banner(analysis.scan.shown(1, BANNER))
    marked = max(analysis.levels.total(), analysis.outcomes.total()) * LOGGED >= analysis.scan.lines
    if tool or (compiled and not analysis.scan.stamp_kind):
        return f"{'Log' if marked and not compiled else 'Output'} of {tool}" if tool else "Diagnostics"
    return "Log" if analysis.scan.stamp_kind or analysis.headed or analysis.run or marked else "Output"


def facts(log: Log, below: list[Fact]) -> tuple[str, list[Fact]]:
    """The headline, and what is said of the log; ``below``: of all findings once."""
    analysis, mostly = log.found, log.mostly
    far = analysis.error_lines, 0, analysis.loud_lines - analysis.error_lines
    bad, words = _loud_entries(analysis, log.entries) if log.small else (far, "")
    if log.checked or analysis.job:  # what is installed, and how, tells of many
        bad, words = (log.errors, 0, 0), ""
    if mostly:  # what fails and a compiler's errors are among the findings
        bad, words = (*bad[:2], 0), " beside the findings" * any(bad[:2])
    failed = log.failed._replace(compiler=Counter()) if mostly else log.failed  # they are among the findings
    heading = headline(analysis, failed, bad, "~" * (analysis.estimated and not log.small), words)
    counts = log.said.facts + below if mostly else []  # of what the lines are, where they are of one kind: screens, too
    counts += screen_facts(log.drawn, analysis.scan.lines)
    counts += log.tested.facts() if not analysis.job else []
    all_facts = _facts(log, heading, sum(bad), counts)
    all_facts[2:2] = log.planned + weights.results(log.numbered)
    late = log.said.facts if log.ending.known or log.failed.tests else []  # warnings did not end it
    first = log.checked + (log.said.facts if not late else []) + below
    all_facts[1:1] = first if not mostly else []
    all_facts += [Fact(fact.text, 2, fact.short, fact.shows) for fact in late[:1] if not mostly]
    causes = [one.line for one in log.failed.tests] or [number for number, _ in log.failed.places]
    all_facts[1:1] = log.ending.facts(causes)
    return heading, all_facts + who_facts(analysis)


def _loud_entries(analysis: Analysis, entries: list[Entry]) -> tuple[tuple[int, int, int], str]:
    """How many are errors (or worse), tracebacks (if any stand apart), only tell of a failure; and by which words, or
    what the tracebacks end with."""
    loud = {number: rank for number, rank, _ in analysis.loud}
    ranks, traces, ends = Counter[int](), Counter[bool](), Counter[str]()
    quiet, grave = list[str](), list[str]()
    for start, end, lines in entries if loud else ():
        worst = max([loud.get(n, 0) for n in range(start, end + 1)])
        if not worst:
            continue
        thrown = sum(line.rstrip(" :").endswith(_TRACEBACK) for line in lines) if worst >= ERROR else 0
        own = thrown > 0 and level_of(lines[0]) in ERRORS
        if thrown:
            traces[own] += thrown  # also those of a chain, as many as are printed
            ends.update([name[1] for name in map(_THROWN.match, lines) if name][-thrown:])
        if own or not thrown:
            ranks[min(worst, ERROR)] += 1
            (quiet if worst < ERROR else grave).extend(line for n, line in enumerate(lines, start) if n in loud)
    counts = ranks[ERROR], traces[False] and traces.total(), ranks[ERROR - 1]
    if analysis.run and all(counts[::2]):
        counts, quiet = (0, counts[1], ranks.total()), quiet + grave  # by their words
    named = first_of([f"{name} {n}" if n > 1 else name for name, n in ends.most_common()], weights.SAYINGS, ", ")
    return counts, weights.wording(quiet, SHOWN) or f" ({named})" * bool(named and counts[1] and not counts[2])


def _facts(log: Log, headline: str, loud: int, counts: list[Fact]) -> list[Fact]:
    analysis, failed, entries = log.found, log.failed, told_entries(log.entries)
    level = f", all {min(analysis.levels)}" if [*analysis.levels.values()] == [analysis.scan.lines] else ""
    several = f" in {counted(entries, 'entry')}" if 0 < entries < analysis.scan.lines and not analysis.run else ""
    count, _, errors = headline.partition(", ")
    telling = BAD if counts or failed.compiler else _DIGIT  # beside findings a tool that found nothing wrote the least
    what = _what(analysis, failed, telling, log.layout.most(log.numbered, log.said))
    facts = [Fact(f"{what}: {count}{level}{several}{', ' + errors if errors else ''}.", 0)]
    facts += [*failed.facts(bool(counts)), *counts]
    if (total := analysis.outcomes.total()) > 1 and _told_by_lines(analysis):
        outcomes = " · ".join(f"{name} {n:,}" for name, n in analysis.outcomes.most_common())
        below = sum(one.shape.count for one in analysis.seen if re.match(r"\s+--- [A-Z]{4}: ", one.bare))  # of Go
        facts.append(Fact(f"{total:,} outcomes{f', {below:,} of them subtests' if below else ''}: {outcomes}", 1))
    ended = {number for number, _ in failed.verdicts}
    totals = {kind: [one for one in lines if one[0] not in ended] for kind, lines in analysis.totals.items()}
    totals[NAMELESS] = in_blocks(totals.get(NAMELESS, []), analysis.scan.shown)
    sums = summaries({kind: lines for kind, lines in totals.items() if lines}, analysis.scan.step == 1)
    for lines, note in sums:
        beside = note.startswith("pip: ") and len(sums) > 1
        facts.append(Fact(note, 2 if beside else 0 if analysis.run else 1, shows=[lines]))
    met = sum(one.shape.count for one in analysis.seen if one.bare.lstrip().startswith("Requirement already satisfied"))
    facts += [Fact(f"{counted(met, 'requirement')} already satisfied", 0)] if met and analysis.run else []
    facts += step_facts(analysis.steps, 3 if analysis.job else 2 if loud else 1)
    listed = analysis.noted.total() > SHOWN
    if (loud or not counts) and not analysis.job:
        facts += _level_facts(analysis, 3 if analysis.run else 0 if listed else 2 if len(facts) > 1 else 1)
        facts += _passed_facts(analysis)
    facts += time_facts(analysis.scan, 3 if analysis.run else 0 if listed else 1, log.parts)
    if loud or not counts:
        silent = not loud and not analysis.words and _silent(analysis)
        facts += [Fact(f"all {analysis.scan.lines:,} lines scanned for {LOOKED_FOR}: none found", 1)] if silent else []
        rows = [f"\n{n}: {clipped(analysis.scan.shown(n, n)[0], ROW)}" for n in analysis.successes]
        shows = [[], *([n] for n in analysis.successes)]
        facts += [Fact("".join(["successes among the failures:", *rows]), 0, shows=shows)] if rows else []
        facts += loud_facts(analysis, log.kinds) if sum(map(len, log.rules)) < TOLD * analysis.noted.total() else []
    if analysis.scan.requests:
        facts += request_facts(analysis.scan.requests)
    return facts if analysis.run else [*facts, *_template_facts(analysis)]


def _level_facts(analysis: Analysis, rank: int) -> list[Fact]:
    known, lines, unseen = analysis.levels.total(), analysis.scan.lines, analysis.scan.unseen
    if len(analysis.levels) <= 1 or known * 2 < lines - unseen:  # one alone divides nothing
        return []
    text = " · ".join(f"{name} {analysis.levels[name]:,}" for name in ORDER if analysis.levels[name])
    rest = lines - known - unseen
    of = f" (of the {lines - unseen:,} lines with a known shape)" if unseen else ""
    return [Fact(f"levels{of}: {text}" + (f" · none stated {rest:,}" if rest else ""), rank)]


def _passed_facts(analysis: Analysis) -> list[Fact]:
    """Where the lines of a grave level and the warnings stand that tests which passed printed: none is a failure."""
    levels = []
    for level in (*BAD_LEVELS, "WARN") if analysis.spared and not (analysis.job or analysis.loud) else ():
        shapes = [one.shape for one in analysis.seen if one.level == level]
        lines = sorted(n for shape in shapes for n, _ in shape.lines() if n in analysis.spared)
        levels += [f"{level} {len(lines):,} (at {first_of([*map(str, lines)], SHOWN, ', ')})"] if lines else []
    return [Fact(f"logged by tests that passed: {' · '.join(levels)}", 0)] if levels else []


def quiet_errors(analysis: Analysis) -> list[Mark]:
    """The first lines of a grave level that few state, where no line tells of a failure; of the few warnings."""
    few = [] if analysis.error_lines else [level for level in BAD_LEVELS if 0 < analysis.levels[level] <= CRASHES]
    few += ["WARN"] if 0 < analysis.levels["WARN"] <= min(KINDS, analysis.levels.total() / LOGGED) else []
    return [Mark(one.shape.first, Keep.RARE, "", f"level {one.text}") for one in analysis.seen if one.level in few]


def _silent(analysis: Analysis) -> bool:
    """Whether nothing in the log names a failure: in no line of any shape, nor in what the shapes do not hold."""
    if analysis.unsure or mentions("\n".join(one.text for one in analysis.seen)):
        return False
    if analysis.scan.longest <= MAX_LINE and not analysis.scan.unseen and not analysis.scan.redrawn:
        return True
    return not analysis.scan.source.large and not mentions(analysis.scan.source.text)


_CLOSES: Final = {"[": "]", "(": ")"} | {sign: sign for sign in "\"'`"}
_SYSLOG: Final = regex(r"[A-Z][a-z]{2} [ \d]\d [\d:]{8} (?P<host>\S{1,80}) (?P<who>[\w./-]{1,60})(?:\[\d+\])?:")
_COMPONENT: Final = regex(
    r"\b(?:component|service|logger|module|app|name)\"?[=:]\s?\"?(?P<kv>[\w./-]{2,60})"
    r"|(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|FATAL|CRITICAL)\]?\s{1,8}-?\s{0,2}(?:\[[^\]\n]{1,160}\]\s{1,2}(?=[\w.$-]{2,80}:\s))?"
    r"\[?(?P<who>[A-Za-z_][\w.$/-]{1,80})(?=[\]:(]|\[\S{0,40}\]:|\s-\s|\s{1,3}:)"
)


def _template_facts(analysis: Analysis) -> list[Fact]:
    facts: list[Fact] = []
    who, hosts = Counter[str](), Counter[str]()
    for one in analysis.seen if not analysis.scan.letters else ():
        if sys := _SYSLOG.search(one.text[:200]):
            who.update(_names(analysis.scan, one, sys, "who"))
            hosts.update(_names(analysis.scan, one, sys, "host"))
        elif part := _COMPONENT.search(one.text[:400]):
            who.update(_names(analysis.scan, one, part, "kv" if part["kv"] else "who"))
    for label, counts in (("hosts", hosts), ("components", who)):
        if len(counts) > 1 and counts.total() >= max(analysis.scan.lines, analysis.levels.total()) * NAMES_ITS_SOURCE:
            facts.append(Fact(f"{len(counts):,} {label}: {leading(counts, _NAMED)}", 2))
    templates = sorted((t for t in analysis.kinds if t.words), key=lambda t: (-t.count, t.shapes[0]))
    single = sum(1 for t in templates if t.count == 1)
    repeated = analysis.headed and bool(templates) and templates[0].count > 1
    if repeated and analysis.scan.requests is None and 4 * single < sum(t.count for t in templates):
        calm = [t for t in templates if t not in analysis.noted]
        shapes = [(t, [analysis.seen[n].shape for n in t.shapes]) for t in calm if analysis.seen[t.shapes[0]].head]
        kinds = [(t.count, own[0].first, max(s.last for s in own), analysis.seen[t.shapes[0]]) for t, own in shapes]
        groups = alike(kinds, analysis)
        noun = "entries" if len(shapes) < len(calm) else "lines"  # others continue a line
        text = f"{counted(len(groups), 'kind')} of {noun}"
        text += " without a warning or failure" if len(shapes) < len(templates) else ""
        mined = f", mined over {analysis.scan.lines - analysis.scan.unseen:,} of {analysis.scan.lines:,} lines"
        text += mined if analysis.scan.unseen else ""
        text += ", the most frequent" if len(groups) > KINDS else ""
        facts += kind_facts(analysis, text, groups, "", 1, ())
    return [*facts, *_value_facts(analysis), *_number_facts(analysis)]


def _names(scan: Scan, one: Seen, match: re.Match[str], group: str) -> Counter[str]:
    """How many lines of a shape bear which name: its digits differ from line to line; ``*`` where not each was held."""
    name, count = match[group], one.shape.count
    if count == 1 or not _DIGIT.search(name):
        return Counter({name: count})
    if scan.step > 1:
        return Counter({_DIGIT.sub("*", name): count})
    start, end = match.span(group)
    return Counter(text[start:end] for _, text in one.shape.read())


def _value_facts(analysis: Analysis) -> list[Fact]:
    """How often which value stands behind a key, where few values share the lines."""
    values: dict[str, Counter[str]] = {}
    cut: set[str] = set()  # keys of which a value goes on behind a blank or a sign
    scan = analysis.scan
    many = {name for name, n in analysis.keys.items() if scan.step == 1 and n * REPEATED >= scan.lines}
    for one in analysis.seen if many else ():
        slots = [slot for slot in one.keyed if slot[0] in many and len(values.get(slot[0], ())) <= DIFFERENT]
        cut.update(name for name, a, b in slots if not _ends(one.text, a, b))
        for _, text in one.shape.read() if slots else ():
            for name, a, b in slots:
                values.setdefault(name, Counter())[text[a:b]] += 1
    rows = []
    for name, counts in values.items():
        share = NAMES_ITS_SOURCE if name.startswith(FIELD) else 1 / REPEATED
        enough = counts.total() >= max(REPEATED * len(counts), analysis.scan.lines * share)
        if enough and name not in cut and 1 < len(counts) <= DIFFERENT:
            rows.append((-counts.total(), len(counts), f"{name}: {leading(counts, OFTEN, ', ')}"))
    return [Fact(" · ".join(text for _, _, text in sorted(rows)[:_NAMED]), 2)] if rows else []


def _ends(text: str, a: int, b: int) -> bool:
    """Whether a value is whole."""
    quote = text[a - 1 : a] if text[a - 1 : a] in tuple("\"'`[(") else ""
    if quote:
        return text[b : b + 1] == _CLOSES[quote]
    return not text[b : b + 1] or text[b] in (",;)]}|" if text[:a].rstrip().endswith(":") else " ,;)]}|\t")


def _number_facts(analysis: Analysis) -> list[Fact]:
    """Ranges and medians of named numbers, over all their values."""
    ranges = []
    for (name, unit), values in analysis.numbers.items():
        numbers = [number for _, number, _ in values]
        if unit and len(values) > _VALUES and len(set(numbers)) >= DISTINCT and not rises(numbers):
            low, high = number_text(min(numbers)), number_text(max(numbers))
            ranges.append(f"{name} {low}–{high}{unit}, median {number_text(median(sorted(numbers)))}")
        if len(ranges) == _RANGES:
            break
    some = " among the lines sampled" if analysis.scan.step > 1 else ""
    long = analysis.scan.longest > MAX_LINE or any(len(one.words) >= MAX_TOKENS for one in analysis.seen)
    some += " (of long lines their beginning)" * long
    return [Fact(f"numbers{some}: {' · '.join(ranges)}", 2)] if ranges else []


REQUESTS: Final = 6  # kinds of them that are told
_WHO: Final = regex(
    r"(?:^|\b(?:from |client:? ))(?:\S{1,60}@)?(\d{1,3}(?:\.\d{1,3}){3})\b(?!\.)"
    r"|\bpassword for (?:invalid user )?(\S{1,60})"
)
_SAYS: Final = ("from", "password for")  # by the number of its group
NAMED: Final = 5  # that are told
MIN, SHARE = 10, 50  # lines that name the most frequent one, and one line in so many


def request_facts(requests: Mapping[tuple[bytes, bytes, bytes], int]) -> list[Fact]:
    """Statuses, verbs and paths of an access log, of all its lines; ``*`` where paths of one kind differ."""
    statuses: Counter[bytes] = Counter()
    kinds: dict[tuple[bytes, bytes], tuple[int, list[bytes]]] = {}
    for (verb, path, status), n in requests.items():
        statuses[status] += n
        parts = path.split(b"/")
        masked = [*map(placeholder, parts)]
        count, known = kinds.get((verb, b"/".join(masked)), (0, parts))
        same = [a if a == b else c for a, b, c in zip(known, parts, masked, strict=True)]
        kinds[verb, b"/".join(masked)] = count + n, same
    top = " · ".join(f"{status.decode()}: {n:,}" for status, n in sorted(statuses.items()))
    ranked = sorted(kinds.items(), key=lambda pair: (-pair[1][0], pair[0]))
    often = " · ".join(f"{n:,}× {shown(verb + b' ' + b'/'.join(parts))}" for (verb, _), (n, parts) in ranked[:REQUESTS])
    what = "kind of request" if len(kinds) == 1 else "kinds of requests"
    return [Fact(f"status {top}", 1), Fact(f"{len(kinds):,} {what}: {often}", 2)]


def who_facts(analysis: Analysis) -> list[Fact]:
    """Those that many lines name, the most frequent first, where each line is known."""
    scan = analysis.scan
    named = holding(analysis.low, ("from ", "client: ", "[client ") if scan.requests is None else (" [",))
    seen = [analysis.seen[at] for at in named]
    if sum(one.shape.count for one in seen) < MIN or scan.step > 1 or scan.unseen or analysis.run:
        return []
    counts: list[Counter[str]] = [Counter() for _ in _SAYS]
    for one in seen:
        spans = {who.lastindex: who.span(who.lastindex) for who in _WHO.finditer(one.text) if who.lastindex}
        for _, text in one.shape.read() if spans else ():
            for group, (begin, end) in spans.items():
                counts[group - 1][text[begin:end]] += 1
    rows = []
    for says, names in zip(_SAYS, counts, strict=True):
        if len(names) > 1 and max(names.values()) >= max(MIN, scan.lines / SHARE):
            rows.append(f"“{says}”: {leading(names, NAMED, ', ')}")
    return [Fact(f"lines by what stands behind {' · '.join(rows)}", 0)] if rows else []
