"""What is said of a log as a whole: levels, failures, requests, times, templates, numbers."""

# ruff: noqa: E501 (the tables of patterns read better unbroken)

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from heapq import nsmallest
from itertools import pairwise
from typing import Final

from mcpcompact.content.anomalies.numbers import median, rises
from mcpcompact.content.anomalies.words import LOOKED_FOR, mentions
from mcpcompact.content.log.failures import Failures
from mcpcompact.content.log.lines import ORDER, PLACED, TURNS, duration, is_head, seconds_of
from mcpcompact.content.log.odd import SHOWN, Analysis
from mcpcompact.content.log.runners import NAMELESS, OUTCOME, bare, summaries
from mcpcompact.content.log.scan import MAX_LINE, Scan, placeholder, shown
from mcpcompact.content.log.templates import NUMBER, Seen, is_partial, number_of, number_text, varied
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

_STATUSES = 5  # fewer say nothing of a share
NAMES_ITS_SOURCE: Final = 0.95  # of the lines: else what is counted is not what the log has
_NAMED = 8  # counts that are named
READ = 5_000  # lines of a kind that are compared word by word
_VALUES = 20  # from so many on a range is told
_RANGES = 6  # that are told
_NO_TOOL = ("exit", NAMELESS, OUTCOME, "numbered", "crash", "prove")
_DIGIT: Final = regex(r"\d")
_ERRORS: Final = regex(r"\d+ errors?\b|\d+ problems?\b")
STEPS, STEP = 12, 60  # of a job that are named, the last ones; characters of each

DAY: Final = 86_400  # seconds
BACK: Final = 10  # part of its time that a log goes back where another one begins
KINDS, ROW = 8, 240  # kinds of lines of which the first is told; characters of it
FIRST_OF_KIND: Final = " (lines × the first one):"
DIFFERENT, REPEATED, OFTEN = 60, 5, 5  # values of a key at most; times that one stands, and one in so many lines; named
DISTINCT: Final = 6  # numbers of a field from which a range says more than the lines do


def headline(scan: Scan, found: Analysis, failed: Failures, loud: tuple[int, int, int], about: str) -> str:
    """``loud``: errors, tracebacks and failure messages."""
    text = counted(scan.lines, "line")
    if _told(found):
        return text
    if said := failed.said():
        return f"{text}, {said}"
    tests = sum(found.outcomes.values())
    if tests > 1:
        bad = sum(n for name, n in found.outcomes.items() if name in ("FAILED", "FAIL", "ERROR", "not ok"))
        return f"{text}, {tests:,} tests, {bad:,} failed"
    for n, one in zip(loud, ("error", "traceback", "failure message"), strict=True):
        text += f", {about}{counted(n, one)}" if n else ""
    return text


def _told(found: Analysis) -> bool:
    """Whether a tool says itself how many errors it found."""
    return any(_ERRORS.search(text) for _, text in found.totals.get(NAMELESS, ()))


def _what(scan: Scan, found: Analysis, failed: Failures) -> str:
    """What wrote the log: a CI runner, tools, a web server, syslog."""
    tools = [
        kind
        for kind, lines in found.totals.items()
        if kind not in _NO_TOOL and any(map(_DIGIT.search, dict(lines).values()))
    ]
    tools += (
        []
        if tools
        else list(dict.fromkeys(name for one in failed.tests if (name := one.form.split()[0]) not in _NO_TOOL))
    )
    if found.job or tools:
        return "Log of " + ", ".join([*([found.job] if found.job else []), *tools[:4]])
    if scan.requests is not None:
        return "Access log"
    return "Syslog" if 2 * sum(one.shape.count for one in found.seen if _SYSLOG.match(one.text)) > scan.lines else "Log"


def facts(
    scan: Scan,
    found: Analysis,
    failed: Failures,
    headline: str,
    loud: int,
    entries: int,
    counts: list[Fact],
    parts: dict[int, str],
) -> list[Fact]:
    """``counts``: of what the lines are, where they are of one kind: findings, screens. ``parts``: the lines that head
    one of several outputs."""
    several = f" in {entries:,} entries" if entries and entries < scan.lines and not found.run else ""
    count, _, errors = headline.partition(", ")
    facts = [Fact(f"{_what(scan, found, failed)}: {count}{several}{', ' + errors if errors else ''}.", 0)]
    facts += [*failed.facts(bool(counts)), *counts]
    if (total := found.outcomes.total()) > 1:
        facts.append(
            Fact(f"{total:,} tests: " + " · ".join(f"{name} {n:,}" for name, n in found.outcomes.most_common()), 1)
        )
    ended = {number for number, _ in failed.verdicts}
    totals = {kind: [one for one in lines if one[0] not in ended] for kind, lines in found.totals.items()}
    facts += [
        Fact(note, 0 if found.run else 1)
        for note in summaries({kind: lines for kind, lines in totals.items() if lines})
    ]
    facts += _step_facts(found, 2 if loud else 1)
    if loud or not counts:
        listed = found.noted.total() > SHOWN
        facts += _level_facts(scan, found, 3 if found.run else 0 if listed else 2 if len(facts) > 1 else 1)
    facts += _time_facts(scan, 3 if found.run else 1, parts)
    if loud or not counts:
        facts += [] if loud else _calm_facts(scan, found)
        facts += _loud_facts(scan, found, failed)
    facts += _access_facts(scan)
    return facts if found.run else [*facts, *_template_facts(scan, found)]


def _step_facts(found: Analysis, rank: int) -> list[Fact]:
    """The steps of a job, or the commands that its runner echoes, with the lines where they begin: the last ones."""
    if len(found.steps) <= 1:
        return []
    told = [f"{line} {name[:STEP]}" for name, line in [*found.steps.items()][-STEPS:]]
    return [Fact("steps: " + " · ".join(told), rank, short="steps: " + " · ".join(told[-STEPS // 3 :]))]


def _level_facts(scan: Scan, found: Analysis, rank: int) -> list[Fact]:
    facts = []
    if len(found.levels) > 1:  # one alone divides nothing
        known = sum(found.levels.values())
        text = " · ".join(f"{name} {found.levels[name]:,}" for name in ORDER if found.levels[name])
        rest = scan.lines - known
        if known > 1 and known * 2 >= scan.lines - scan.unseen:
            of = f" (of the {scan.lines - scan.unseen:,} lines with a known shape)" if scan.unseen else ""
            rest -= scan.unseen
            facts.append(Fact(f"levels{of}: {text}" + (f" · none stated {rest:,}" if rest else ""), rank))
    return facts


def _loud_facts(scan: Scan, found: Analysis, failed: Failures) -> list[Fact]:
    """The kinds of lines that warn or tell of a failure, where they are many."""
    noted = found.loud_counts if found.run and found.error_lines else found.noted  # what broke a run, not its warnings
    total = noted.total()
    if total <= SHOWN or failed.tests or failed.compiler:
        return []
    groups = [(n, *found.first[key]) for key, n in noted.most_common()]
    groups[1:] = sorted(groups[1:], key=lambda group: -group[2].severity if group[2] else 0)  # the gravest next
    about = "~" if found.estimated else ""
    what = "errors or failures" if noted == found.loud_counts else "warnings, errors or failures"
    what = what if found.loud_counts else "warnings"
    placed = {line for _, line, one in groups if one and PLACED.match(one.text)}  # what they say stands below them
    lead = f"{about}{total:,} lines with {what}" + ("" if placed else f", of {counted(len(groups), 'kind')}")
    return _kinds(scan, found, lead, groups, about, 0, placed.union(mark.line for mark in found.marks))


def _kinds(
    scan: Scan,
    found: Analysis,
    lead: str,
    groups: Sequence[tuple[int, int, Seen | None]],
    about: str,
    rank: int,
    apart: Container[int] = (),
) -> list[Fact]:
    """The kinds of lines, a row each: how many, and the first one. Of more than a few those that stand more than once and
    are not shown ``apart``, and how many more there are."""
    often = groups if len(groups) <= KINDS else [one for one in groups if one[0] > 1 and one[1] not in apart]
    rows = [f"{about}{n:,}× {_row(scan, found, line, one, n)}" for n, line, one in often[:KINDS]]
    left = len(groups) - len(rows)
    more = [f"… {left:,} more"] if left else []
    return [Fact("\n".join([f"{lead}{FIRST_OF_KIND}", *rows, *more]), rank)] if any(n > 1 for n, *_ in groups) else []


def _row(scan: Scan, found: Analysis, line: int, one: Seen | None, count: int) -> str:
    """The first line of a kind, with … for words in which the others differ; of a long one its beginning."""
    text = shown(scan.fetch(line, line)[0])
    for start, end in reversed(varied(one, found.seen)) if one else ():
        text = f"{text[:start]}…{text[end:]}"
    end = len(text) if len(text) <= ROW else max(text.rfind(" ", ROW // 2, ROW), ROW // 2)
    left = f" …[+{len(text) - end:,} chars]" if end < len(text) else ""
    return f"{line}: {text[:end]}{left}{_differing(scan, one, found.seen) if one and one.kind.count == count else ''}"


def _differing(scan: Scan, one: Seen, seen: Sequence[Seen]) -> str:
    """The values of a number that is all in which the lines of a kind differ, where each line is known."""
    if scan.step > 1 or one.kind.count > READ:
        return ""
    rows = [
        [text[a:b] for a, b in seen[n].spans]
        for n in one.kind.shapes
        for text in (raw.decode("utf-8", "replace") for _, raw in seen[n].shape.lines())
    ]
    columns = [Counter(column) for column in zip(*rows, strict=True) if len(set(column)) > 1]
    values = [match for value in columns[0] if (match := NUMBER.match(value))] if len(columns) == 1 else []
    if len({match[2] for match in values}) != 1 or len(values) < len(columns[0]) or len(rows) < one.kind.count:
        return ""
    values.sort(key=number_of)
    if len(values) > _NAMED:
        return f" ← {values[0][0]} to {values[-1][0]}"
    return " ← " + ", ".join(f"{value[0]} ({columns[0][value[0]]:,}×)" for value in values)


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


def _time_facts(scan: Scan, rank: int, parts: dict[int, str]) -> list[Fact]:
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


def _access_facts(scan: Scan) -> list[Fact]:
    """Statuses, verbs and paths of an access log, of all its lines; ``*`` where paths of one kind differ."""
    statuses: Counter[bytes] = Counter()
    kinds: dict[tuple[bytes, bytes], tuple[int, list[bytes]]] = {}
    for (verb, path, status), n in (scan.requests or {}).items():
        statuses[status] += n
        parts = path.split(b"/")
        masked = [*map(placeholder, parts)]
        count, known = kinds.get((verb, b"/".join(masked)), (0, parts))
        same = [a if a == b else c for a, b, c in zip(known, parts, masked, strict=True)]
        kinds[verb, b"/".join(masked)] = count + n, same
    if statuses.total() < _STATUSES:
        return []
    top = " · ".join(f"{status.decode()}: {n:,}" for status, n in sorted(statuses.items()))
    ranked = sorted(kinds.items(), key=lambda pair: (-pair[1][0], pair[0]))
    often = " · ".join(f"{n:,}× {shown(verb + b' ' + b'/'.join(parts))}" for (verb, _), (n, parts) in ranked[:6])
    what = "kind of request" if len(kinds) == 1 else "kinds of requests"
    return [Fact(f"status {top}", 1), Fact(f"{len(kinds):,} {what}: {often}", 2)]


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
            who += _names(scan, one, sys, "who")
            hosts += _names(scan, one, sys, "host")
        elif part := _COMPONENT.search(one.text[:400]):
            who += _names(scan, one, part, "kv" if part["kv"] else "who")
    for label, counts in (("hosts", hosts), ("components", who)):
        if len(counts) > 1 and counts.total() >= max(scan.lines, found.levels.total()) * NAMES_ITS_SOURCE:
            top = " · ".join(f"{name} {n:,}" for name, n in counts.most_common(_NAMED))
            left = f" · {len(counts) - _NAMED:,} more" if len(counts) > _NAMED else ""
            facts.append(Fact(f"{len(counts):,} {label}: {top}{left}", 2))
    templates = sorted((t for t in found.kinds if t.words), key=lambda t: (-t.count, t.shapes[0]))
    single = sum(1 for t in templates if t.count == 1)
    repeated = found.headed and bool(templates) and templates[0].count > 1
    if repeated and 4 * single < sum(t.count for t in templates):  # they say something
        calm = [t for t in templates if id(t) not in found.noted]
        groups = [(t.count, one.shape.first, one) for t in calm if is_head((one := found.seen[t.shapes[0]]).text)]
        few = len(groups) <= KINDS
        text = f"{counted(len(templates), 'kind')} of lines{f' ({single:,} of one line)' if single and not few else ''}"
        if scan.unseen:
            text += f", mined over {scan.lines - scan.unseen:,} of {scan.lines:,} lines"
        if not few:
            text += ", the most frequent" + ("" if len(calm) == len(templates) else " of the others")
        elif len(groups) < len(templates):
            text += f", {len(groups):,} of them"
        facts += _kinds(scan, found, text, groups, "", 1 if few else 2)
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
    for one in found.seen if scan.step == 1 else ():
        slots = [(name, a, b) for (name, keyed), (a, b) in zip(one.names, one.spans, strict=True) if keyed]
        slots = [slot for slot in slots if len(values.get(slot[0], ())) <= DIFFERENT]
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
    some += " (of long lines their beginning)" if scan.longest > MAX_LINE or is_partial(found.seen) else ""
    return [Fact(f"numbers{some}: {' · '.join(told)}", 2)] if told else []


TYPED: Final = 0.3  # of an ordinary line's weight, that of an echoed command, script or setting
SAID: Final = 0.1  # the same of a line that the facts repeat: a verdict, the name of a failing test
ROUTINE: Final = 0.2  # the same of lists of files, progress, registers and cache paths
TAIL: Final = 2  # last items that say how a run ended
LEADING: Final = 8  # lines before a job's closing error that may say its cause
LONG: Final = (
    240  # characters a line; of a longer line a part would be shown without the stamp and the words it begins with
)
NEAR, RESULT = 3.0, 3.0  # these come before the choice by names

_NUMBER: Final = regex(r"\d+: ")
_ROUTINE: Final = regex(
    r"npm notice (?:[\d.]+ ?[kMG]?B |(?:shasum|integrity|filename|package size|unpacked size|total files):)"
    r"|npm (?:error|ERR!) (?:path|location|command|workspace|Lifecycle|code \d)"
    r"|(?:copying|adding|creating|byte-compiling) \S+(?: ->| to |$)|(?:Get|Hit|Ign):\d+ |(?:Preparing to unpack|Unpacking|Selecting previously) "
    r"|Requirement already satisfied: |remote: (?:Counting|Compressing|Enumerating) | ?\* \[new (?:branch|tag)\] |(?:Receiving|Unpacking|Resolving) (?:objects|deltas): "
    r"|\[INFO\|\w+\.py:\d+\].* (?:from cache at|loading (?:file|weights file|configuration file)) |(?:\[INFO\] )?Down(?:loading|loaded):? (?:from )?\S+[:/]\S+"
    r"|[^|\n]{0,80}?\d{1,3}%[ |]|[^\u2501\u2588:]*[\u2501\u2588]{12}|travis_(?:fold|time):|[\d.]+ ?[kMG]?B? {1,4}[\d.]+%|\s+at (?:java|javax|jdk|sun|com\.sun|org\.junit|org\.apache\.maven|org\.gradle|node:internal)[./]"
    r"|\s*\d+ [│|+~] |\s*[\w./\\+-]{1,160}\.\w{1,4}$|Total output lines: \d|.{0,80}\S\.\w{1,5} +[\d.,]+ ?[kKMG]?i?B\b"
    r"|(?:[A-Z][A-Z0-9]{1,4}: {1,2}[0-9a-f]{4,16}\b|Modules linked in:|Hardware name:|Code: [0-9a-f<]| ?(?:[0-9a-f]{16} ?){2,4}$)"
)  # fmt: skip
"""What is printed for every file, package or register: lists of a package's files, downloads, progress bars."""
_FIGURE: Final = regex(
    r"\s*(?P<name>(?:eval|test|predict|train|val|best|final)[ _](?!steps?_|runtime|samples)\w[\w ]{1,30}?|(?i:accuracy|f1|precision|recall|bleu|rouge\w*|perplexity))"
    r"\s*[:=]\s*(?P<value>-?\d[\d.]*(?:e[+-]?\d+)?%?)$"
)
RESULTS: Final = regex(
    rf"\*{{3,}} \w+ (?:metrics|results) \*{{3,}}|\s*\{{['\"](?:eval|test|train)_\w+['\"]: |{_FIGURE.pattern}"
)
"""What training and evaluation are run for."""
_METRICS: Final = regex(
    r"[^{%\n]{0,120}\b(?P<phase>train|valid|val|validation|eval|test)(?:ing)?\b[^{%\n]{0,80}?\b(?:loss|ppl|bleu|acc(?:uracy)?|f1|wer|auc)\b[ :=|]{1,4}\d"
)
"""What a phase of a training came to, on one line: ``| valid | epoch 001 | loss 6.711 | ppl 97.07``."""
_TIMED: Final = regex(r"(\d{1,6}\.\d+)s (?:call|setup|teardown) +\S", holds=("s call", "s setup", "s teardown"))
LONGEST: Final = 600  # characters of a line of figures
FIGURES: Final = 12  # results that are said: the last ones
_AROUND: Final = regex(r"── .* / (?:Set up job|Post |Complete job|Initialize containers)", holds=("── ",))
"""Steps of a job that are the runner's own."""


_HEADING: Final = regex(
    r"\s{0,8}(?:[×✖✗] \S|> *\d+ *[│|]|(?:[━─═_=]{2,80} )?[\w./][^\n]{0,300} [━─═_=]{4,300}\s*$)"
)  # of a finding; its code


def weigh(
    items: Iterable[Item],
    samples: Container[int],
    typed: Container[int],
    said: Container[int],
    closing: Iterable[int],
    setup: int,
    tail: int,
) -> None:
    """Set the items' weights. ``samples``: lines that stand for all of their kind; ``typed``: numbers of echoed lines; ``said``: of those among the facts; ``closing``: of
    the errors with which the job closed;
    ``setup``: the line of the first command, before which a CI runner tells of itself; ``tail``: how many of the last
    items say how it ended."""
    items = list(items)
    ends = {id(item) for item in items[-tail:]} if tail else set()
    lead = {line for end in closing for line in range(end - LEADING, end)}
    for item in items:
        number = _NUMBER.match(item.text)
        text = bare(item.text[number.end() :] if number else item.text)
        if all(line in said for line in range(item.start, item.end + 1)):  # it stands among the facts
            item.weight *= SAID
        elif item.keep:
            continue
        elif id(item) in ends and item.start not in typed and any(map(str.isalnum, text)):
            item.weight = NEAR + item.start / 1e7  # how it ended
        elif item.end < setup:
            item.weight *= ROUTINE
        elif item.start in samples or _HEADING.match(text):
            item.weight = NEAR + 1
        elif item.start in typed or len(item.text) > LONG * (1 + item.text.count("\n")):
            item.weight *= TYPED
        elif _ROUTINE.match(text) or _AROUND.match(item.section):
            item.weight *= ROUTINE
        elif RESULTS.match(text):
            item.weight = RESULT + item.start / 1e7  # the later one says how it ended
        elif item.start in lead and any(map(str.isalnum, text)):
            item.weight = NEAR + item.start / 1e7


def results(lines: Iterable[tuple[int, str]]) -> list[Fact]:
    """The last value of each result that a training or an evaluation prints on a line of its own, with its line; the
    last line of figures of each phase; of timed tests the slowest."""
    last: dict[str, str] = {}
    slow = (0.0, "")
    phases: dict[str, str] = {}
    for number, line in lines:
        if len(line) <= LONGEST and (found := _METRICS.match(line.strip())):
            phases.pop(found["phase"], None)
            phases[found["phase"]] = f"{number}: {line.strip()}"
        if timed := _TIMED.match(line):
            slow = max(slow, (float(timed[1]), f"slowest: {number}: {line.strip()}"))
        if found := _FIGURE.match(line[:120]):
            last.pop(found["name"], None)
            last[found["name"]] = f"{number}: {found['name']} {found['value']}"
    facts = [Fact("results: " + " · ".join([*last.values()][-FIGURES:]), 0)] if len(last) > 1 else []
    facts += [Fact(slow[1], 1)] if slow[0] else []
    return facts + ([Fact("\n".join(["the last figures of each phase:", *phases.values()]), 0)] if phases else [])
