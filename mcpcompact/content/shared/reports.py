"""Findings of linters and compilers, whatever their report is written in: place, level, rule and message of each.

What a field means is told by its name alone: ``beginline`` of PMD, ``startLine`` of SARIF and ``line_start`` of Cargo
are the line of a finding. An object or element that says a message, a line and a file is one."""

from __future__ import annotations

import functools
from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from os.path import commonprefix
from typing import Any, Final, NamedTuple

from mcpcompact.content.anomalies.numbers import outliers
from mcpcompact.outline import Fact, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted

_NAMES: Final = {
    "message": "message msg longmessage shortmessage what title text rawmessage reason description sourceline "
    "issuetext abstract details",
    "file": "file filename filepath path uri sourcepath sourcefile shortfile component",
    "line": "line beginline startline linestart linenumber row start",
    "column": "column begincolumn startcolumn columnstart col char",
    "rule": "rule ruleid checkid testid findingtype bugtype errorcode rulecode warningtype checkname copname symbol "
    "code source id type kind rulename vulnerability category",
    "level": "level severity severitylevel priority issueseverity friority",
    "evidence": "evidence auxwhat issuecontext",
    "status": "status state",
    "resolution": "resolution",
    "confidence": "confidence issueconfidence",
    "clock": "timestamp time date",
}
"""What a finding says, and the names of fields that say it, the most telling first."""
_FIELDS: Final = {what: names.split() for what, names in _NAMES.items()}
_MESSAGES, _LINES = (frozenset(_FIELDS[what]) for what in ("message", "line"))
_POSITION: Final = frozenset({"line", "character"})  # of the language server protocol
_APART: Final = frozenset({"login", "html_url"})  # of a person, a repository: what these say is no finding's
_PLACES: Final = ("locations", "spans")  # lists whose first element is the finding's own
_MUTED: Final = ("falsealarm", "falsepositive", "suppressed", "issuppressed", "dismissed", "ignored", "isignored")
_REFUSED: Final = ("rejected", "underReview")  # suppressions that do not hold
CLOSED: Final = regex(r"(?i)(?:(?:auto_?)?dismissed|closed|resolved|suppressed|ignored|patched|false[ _-]?positive)\b")
_STATE: Final = regex(r"[A-Za-z][\w -]{1,23}")  # a word or two, no sentence
_SOURCE: Final = regex(r"[\s()\[\]{}=;\"']")  # of code rather than of a rule's name
_RANDOM: Final = r"(?i)\d{6,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_OWN: Final = {"id": regex(rf"{_RANDOM}|\d+"), "ruleid": regex(_RANDOM)}  # no rule that anybody knows
_DETAIL: Final = regex(r"'[^']{0,80}'|\"[^\"]{0,80}\"|\d+")
_TALLY: Final = regex(r"\d+ (?:warning|error)s? (?:emitted|generated)|aborting due to \d* ?(?:previous )?errors?")
DEEPEST, MAX_FIELDS = 4, 120  # a finding is no document
_ERRORS: Final = ("error", "fatal", "blocker", "critical", "criticalerror", "high", "level 1", "priority 1")
_WORST_FIRST: Final = (
    "blocker fatal",
    "critical criticalerror",
    "error high major severe serious",
    "warning warn medium moderate criticalwarning",
    "minor style refactor convention performance portability",
    "low weak",
    "info information informational note notice hint suggestion",
)
_SEVERITIES: Final = {name: place for place, names in enumerate(_WORST_FIRST) for name in names.split()}
UNGRADED: Final = len(_SEVERITIES)  # behind every rank
_OUTCOMES = frozenset(("status", "state", "outcome"))  # of a test
MOSTLY, HALF, _LOOKED = 0.9, 0.5, 24  # of a list are findings, have a place; records that tell for all
_ONE_FILE: Final = 0.9  # of the findings name the same file: the field may name the report itself
EXCEPTION: Final = 0.25  # share of errors up to which each is kept
RULES, MESSAGE, FILES = 12, 120, 4  # said with their counts; characters of one; files with most of them
MUTED, STANDS = 0.2, 0.03  # weight of what is closed or suppressed; added where one stands for others like it
EVERY: Final = 40  # files, where there is room


class Finding(NamedTuple):
    file: str
    at: str  # line, or line:column
    level: str
    rule: str
    message: str
    evidence: str = ""  # the line of source, or what it stands in
    muted: bool = False  # suppressed in the source, marked as a false alarm, or closed
    state: str = ""  # ``OPEN``, ``CLOSED (FIXED)``
    confidence: str = ""

    def text(self, below: str = "", same: frozenset[str] = frozenset()) -> str:
        """In a line as compilers write it; ``below``: the directory that all files stand in, ``same``: states that are
        those of all."""
        place = f"{self.file[len(below) :]}:{self.at}".strip(":")
        sure = f"{self.confidence} confidence" if self.confidence else ""
        states = [state for state in (self.state, self.level, sure) if state not in same or state == self.level]
        evidence = f" — {self.evidence}" if self.evidence else ""
        muted = " (suppressed)" * (self.muted and not CLOSED.match(self.state))
        return " ".join(part for part in (place, *states, self.rule, self.message) if part) + evidence + muted

    @property
    def grade(self) -> str:
        """How grave it is; where nothing says so, how sure."""
        return self.level or self.confidence

    @property
    def kind(self) -> str:
        """Its rule; of a report that names none the message without the names and numbers in it."""
        return self.rule or _DETAIL.sub("…", self.message)


_BREAK = regex(r"\s*\n\s*")  # a message is one line here; its other blanks may be what it is about


def named(pairs: Iterable[tuple[str, Any]], file: str = "", sure: bool = False) -> Finding | None:
    """The finding that fields of these names make, nearest ones first; ``file`` where they name none, ``sure``: one
    that need not say its place."""
    fields: dict[str, str] = {}
    for key, value in pairs:
        if key == "code" and "\n" in str(value).strip():  # lines around it
            continue
        if value.__class__ in (str, int) and (text := str(value).strip()):
            fields.setdefault(_plain(key), _BREAK.sub(" ", text) if "\n" in text else text)
        elif value is True and _plain(key) in _MUTED:
            fields.setdefault(_plain(key), "true")
    if fields.keys().isdisjoint(_MESSAGES) or (fields.keys().isdisjoint(_LINES) and not sure):
        return None
    if any(_TALLY.match(fields[name]) for name in _MESSAGES & fields.keys()):
        return None
    fields = {k: v for k, v in fields.items() if not (k in _OWN and _OWN[k].fullmatch(v))}
    source = fields.pop("code") if _SOURCE.search(fields.get("code", "")) else ""
    got = {what: _first(what, fields) for what in _FIELDS}
    file = got["file"] or file
    placed = file and got["line"].lstrip("-").isdigit() and (got["rule"] or got["level"] or got["column"])
    sure = sure and bool(file or got["level"] or got["rule"])
    if not got["message"] or not (placed or sure) or got["clock"]:  # with a time it is an entry of a log
        return None
    at = f"{got['line']}:{got['column']}" if got["column"].isdigit() else got["line"]
    level = naming("level", fields) if got["level"].isdigit() else ""
    if not got["level"] and fields.get("type", "").lower() in _SEVERITIES:  # pylint's
        got["level"] = fields["type"]
    rule = "" if got["rule"] in (got["message"], file, "-1") else got["rule"]  # -1: SARIF's id of no place
    texts = (got[name] for name in ("status", "resolution", "confidence"))
    status, resolution, confidence = (text if _STATE.fullmatch(text) else "" for text in texts)
    state = f"{status} ({resolution})" if status and resolution else status or resolution
    muted = any(fields.get(name, "").lower() == "true" for name in _MUTED) or CLOSED.match(state) is not None
    grave = f"{level} {got['level']}".strip()
    return Finding(file, at, grave, rule, got["message"], got["evidence"] or source, muted, state, confidence)


def mostly(records: Sequence[dict[str, Any]]) -> bool:
    """Whether the records of a list are what a linter found: one of a library has no line of its own."""
    some = records[:: max(1, len(records) // _LOOKED)]
    placed = sum(named(fields_of(record)) is not None for record in some)
    every = sum(named(fields_of(record), sure=True) is not None for record in some)
    return placed >= HALF * len(some) and every >= MOSTLY * len(some)


def passed(record: dict[str, Any]) -> bool:
    """Whether a record is a test that passed: its list tells of tests, not of what was found."""
    return not _OUTCOMES.isdisjoint(record) and any(record.get(key) in ("passed", "pass") for key in _OUTCOMES)


@functools.lru_cache(8192)
def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()


def said_of_all(findings: Sequence[Finding]) -> frozenset[str]:
    """The state and the confidence that all findings have."""
    states = [{f.state for f in findings}, {f"{f.confidence} confidence" for f in findings}]
    return frozenset(value for values in states if len(values) == 1 for value in values)


def naming(what: str, names: Iterable[str]) -> str:
    """The one of these names that says that of a finding best; "" where there is none."""
    return _first(what, {_plain(name.replace(" ", "")): name for name in names})


def _first(what: str, fields: Mapping[str, str]) -> str:
    """What the most telling of these fields says."""
    return next((fields[name] for name in _FIELDS[what] if name in fields), "")


def is_message(key: str) -> bool:
    return _plain(key) in _MESSAGES


def file_of(pairs: Iterable[tuple[str, Any]]) -> str:
    """The file that fields of these names say."""
    return _first("file", {_plain(key): str(value) for key, value in reversed(list(pairs)) if value})


def telling_file(fields: Sequence[Sequence[tuple[str, str]]]) -> str:
    """The field that tells apart where findings stand, if the one that names the file first is all but constant."""
    values: dict[str, Counter[str]] = {}
    for pairs in fields:
        for key, value in pairs:
            if value and _plain(key) in _FIELDS["file"] and "://" not in value:
                values.setdefault(key, Counter())[value] += 1
    share = {key: max(counts.values()) / len(fields) for key, counts in values.items() if len(counts) > 1}
    named = min(values, key=lambda key: _FIELDS["file"].index(_plain(key)), default="")
    if not named or max(values[named].values()) < _ONE_FILE * len(fields):
        return ""
    best = min(share, key=lambda key: share[key], default="")
    return best if best and share[best] < _ONE_FILE else ""


def fields_of(node: dict[str, Any]) -> Iterable[tuple[str, Any]]:
    """The scalars of an object, the least deep first; of lists only the place it is found at, nothing of where that
    ends. Where lines and characters are counted from 0 (the language server protocol), the line is the one after."""
    work: deque[tuple[int, dict[str, Any]]] = deque([(1, node)])
    for _ in range(MAX_FIELDS):
        if not work:
            return
        depth, at = work.popleft()
        counted_from_0 = at.keys() >= _POSITION and all(at[name].__class__ is int for name in _POSITION)
        if counted_from_0:
            at = {"line": at["line"] + 1, "column": at["character"] + 1}
        for key, value in at.items():
            if key == "suppressions" and value.__class__ is list:  # SARIF
                held = (one for one in value if one.__class__ is dict)
                yield "suppressed", any(str(one.get("status", one.get("state"))) not in _REFUSED for one in held)
            if value.__class__ is list and key in _PLACES:
                value = next((v for v in value if v.__class__ is dict and v.get("is_primary", True)), None)
            if value.__class__ is dict and depth < DEEPEST and not key.lower().startswith("end"):
                if value.keys() & _APART:
                    continue
                work.append((depth + 1, value))
            elif value.__class__ is not dict and value.__class__ is not list:
                yield key, value


def _told_apart(findings: Collection[Finding]) -> list[Finding]:
    """The findings; where all are of one rule and messages tell them apart, without it."""
    plain = [f._replace(rule="") for f in findings]
    return [*findings] if len({f.rule for f in findings}) > 1 or len({f.kind for f in plain}) == 1 else plain


def directory(findings: Sequence[Finding]) -> str:
    """What the paths of all files have in common, up to its last slash or colon."""
    return _common([f.file for f in findings if f.file], "/\\:")


def package(findings: Sequence[Finding]) -> str:
    """What the names of several rules have in common, up to its last dot; one step (``com.``) is not worth a cut."""
    rules = {f.rule for f in findings}
    common = _common(list(rules), ".") if len(rules) > 1 else ""
    return common if common.count(".") > 1 else ""


def _common(names: Sequence[str], marks: str) -> str:
    same = commonprefix(names)  # noqa: RUF071 - up to a mark
    return same[: max(map(same.rfind, marks)) + 1]


def facts(findings: Sequence[Finding]) -> list[Fact]:
    """How many, in how many files, by level (worst first) and by rule; how many more are suppressed."""
    every, muted_said, below, within = len(findings), "", directory(findings), package(findings)
    if muted := sum(f.muted and not f.state for f in findings):
        muted_said = f" ({muted:,} more suppressed)" if muted < every else f" (all {every:,} suppressed)"
        findings = [f for f in findings if not f.muted or f.state or muted == every]
    files = counted(len({f.file for f in findings if f.file}), "file")
    files += f" below {below}" if below else ""
    placed = sum(f.file != "" for f in findings)
    where = f" in {files}" if placed == len(findings) else f": {placed:,} in {files}" if placed else ""
    where += f",{'' if placed else ' all'} {len(findings) - placed:,} without a file" if placed < len(findings) else ""
    facts = [Fact(f"{counted(len(findings), 'finding')}{muted_said}{where}", 0)]
    findings, states = _told_apart(findings), [f.state for f in findings]
    findings = [f for f in findings if not f.muted] or findings
    aside = ", of those not closed" * (len(findings) < len(states))
    kinds = [f.kind[len(within) :] for f in findings]
    rule = f"rule of {within.rstrip('.')}" if within else "rule" if any(f.rule for f in findings) else "message"
    few = len({f.message for f in findings}) <= RULES  # whose rows leave room
    by = [("level", [f.level for f in findings]), ("status", states), ("confidence", [f.confidence for f in findings])]
    by += [(rule, kinds), ("file", [f.file[len(below) :] for f in findings])]
    for name, values in by:
        cut = values if name == "file" else [clipped(v, MESSAGE) for v in values]
        counts = Counter(value for value in cut if value)
        if len(counts) > 1 or (counts and len(findings) > 1):
            order = counts.most_common()
            if name in ("level", "confidence"):
                order.sort(key=lambda pair: rank(pair[0]))
            most = RULES if name != "file" else FILES if 1 < len(counts) <= HALF * len(findings) else 0
            often = sum(count > 1 for count in counts.values())  # what was found once says its rule itself
            most = min(most, often) if len(counts) > FILES and name not in ("level", "confidence") else most
            most = max(most, min(EVERY, often)) if most and name == "file" and few else most
            parts = [times(value, count) for value, count in order[:most]]
            parts += [f"{len(counts) - most} others{' once' * (most == often)}"] if len(counts) > most else []
            place = {"message": 0, "file": 2}.get(name, 1)
            facts += [Fact(f"by {name}{aside * (name != 'status')}: {' · '.join(parts)}", place)] if most else []
    return facts


def times(value: str, count: int) -> str:
    return f"{value} {'×' * value[-1:].isdigit()}{count:,}"


def rank(level: str) -> float:
    """Where a level stands, the worst lowest; of numbers 1 is the worst, but of a ``severity`` the largest."""
    name, _, number = level.lower().partition(" ")
    if number.isdigit():
        return -float(number) if name == "severity" else float(number) or len(_SEVERITIES)
    return _SEVERITIES.get(name, UNGRADED)


_GRAVE = regex(r"(?i)(?:^|[ _-])(?:severity|level|risk|riskdesc)(?:_?v\d)?$|(?-i:[a-z](?:Severity|Level)(?:V\d)?$)")
_SCORE = regex(r"(?i)(?:cvss|base_?score|score_?v\d|v\d_?score)(?:_?v?\d(?:\.\d)?|_?score)?$")
_POINTS = regex(r"\d(?:\.\d)?|10(?:\.0)?")


def is_severity(name: str) -> bool:
    """Whether a field says how grave a thing is."""
    return _GRAVE.search(name) is not None


def is_graded(name: str) -> bool:
    """Whether a field says how grave a thing is, be it a score of CVSS: ``scorev3``, ``baseScore``."""
    return is_severity(name) or _SCORE.search(name) is not None


def severities(name: str, values: Iterable[str]) -> list[float]:
    """The ranks of a field's values, the worst lowest; none where they say nothing of it, or all the same."""
    if _SCORE.search(name):
        points = [-float(value) if _POINTS.fullmatch(value) else 0.0 for value in values]
        return points if len({*points}) > 1 else []
    graded = [grade(name, value) for value in values]
    return graded if len({one for one in graded if one < UNGRADED}) > 1 else []


def grade(name: str, value: str) -> float:
    return rank(f"{'severity' if 'severity' in name.lower() else 'level'} {value}" if value.isdigit() else value)


def ranks(findings: Mapping[int, Finding]) -> dict[int, tuple[Keep, float]]:
    """How each is kept and weighed: errors where they are the exception, the first of each rule, last what is muted;
    kept is also one on a line far behind all others."""
    errors = {i for i, f in findings.items() if f.level.lower() in _ERRORS and not f.muted}
    keep = Keep.SEVERE if len(errors) <= EXCEPTION * len(findings) else Keep.NONE
    placed = [(i, float(line)) for i, f in findings.items() if (line := f.at.partition(":")[0]).isdigit()]
    far = {placed[k][0] for k in outliers([line for _, line in placed])}
    levels = sorted(dict.fromkeys(f.grade for f in findings.values()), key=rank)  # of one rank the first found first
    place = {level: n for n, level in enumerate(levels)}
    seen: set[str] = set()
    out, every = {}, _told_apart(findings.values())
    often = Counter((f.kind, f.message, f.file) for f in every)
    for i, finding in zip(findings, every, strict=True):
        new = finding.kind not in seen
        seen.add(finding.kind)
        like = often.pop((finding.kind, finding.message, finding.file), 0)  # of those alike in a file the first one
        kept = i in errors and keep
        weight = 1.0 / (2 + place[finding.grade]) + 0.1 * (i in errors)
        # from 2.9 on first, from 4.5 on before all else
        weight += 4.5 + STANDS * (like > 1) if kept and like else 2.9 if kept or new else 2.0
        weight = MUTED if finding.muted else weight
        out[i] = (keep if i in errors else Keep.OUTLIER if i in far else Keep.NONE, weight)
    return out
