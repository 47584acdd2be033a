"""What compilers and linters found: how many findings of which rules and in which files, and how grave they are."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise, takewhile
from typing import Final, NamedTuple

from mcpcompact.content.log.entries import ARROW, PLACED, indent_of, untasked
from mcpcompact.content.log.grammar import ERROR
from mcpcompact.content.log.odd import Analysis
from mcpcompact.content.log.templates import Mark, first_of
from mcpcompact.outline import RULE, Fact, Keep
from mcpcompact.patterns import ON_DRIVE, matching, regex
from mcpcompact.phrasing import counted

FEW, FEW_WARNINGS = 10, 3  # findings; fewer are read one by one
MOSTLY: Final = 0.5  # of the lines, which are findings; of a rule's, which name what is told
RULES, FILES = 8, 4  # that are named with their counts
KINDS: Final = 32  # rules of which a finding stands before all others
WARNED: Final = 6  # rules of which warnings are kept
NAMING, AGAIN = 2, 2  # rules of which is told what their findings name: of more than RULES names those named more often
LONG_RULE, SHORT_RULE = 80, 40  # characters of a rule that is known by its message; of one that is told before
LONG, CUT = 200, 100  # characters of a message; of one that ends the line above
FREQUENT, EVERY = 3, 400  # of so many findings one is of the rule; characters of what these name, told whole
FEW_NAMES: Final = 3  # of them, where there is too little room

_FINDING: Final = regex(
    rf"\s{{0,16}}(?:\[[\w.:-]{{1,30}}\] +)?\[?(?P<file>{ON_DRIVE}"
    r"|(?:[A-Za-z]:)?[^\s:()\[\]]{1,240}(?:\.\w{1,8}|[a-z]file|/[\w+-]{1,80}(?=:\d{1,7}:)))?"
    r"(?::\d{1,7}(?::\d{1,7})?|\(\d{1,7}(?:,\d{1,5})?\)|:\[\d{1,7}(?:,\d{1,5})?\](?= ))"
    r"(?:\]|:| :|\s-)? {1,4}(?P<text>\S.*)"
)
_WITHIN: Final = regex(  # behind the command that is echoed before it, or of a path with blanks
    r"(?:^(?P<path>(?:[A-Za-z]:)?[/\\][^:\n]{1,240})|(?<!\S)(?P<file>(?:[A-Za-z]:)?[^\s:]{1,240}\.\w{1,8}))"
    r":\d{1,7}(?::\d{1,7})?: (?P<text>(?:fatal )?(?:error|warning): .*)"
)
_OWN: Final = regex(r"(?:warning|error): \S.* \[[\w.+=]*-[\w.+=-]*\]$", holds=("warning: ", "error: "))
_TOOLS: Final = regex(  # msbuild's of a project ("MSBUILD : warning : CA2210 : sign it") or a file as a whole
    # ("App.package : warning SPT6: twice"); doxygen's of no file
    r"(?:\s{0,16}(?:(?P<file>(?:[A-Za-z]:)?[^\s:][^:]{0,240}\.\w{1,12})|[A-Z][\w.]{0,30}) : "
    r"(?=\w+ (?:: ?)?[A-Z]{1,8}\d{1,6}\b)"
    r"|<\w{1,40}>:-?\d{1,7}: )(?P<text>(?i:warning|error) ?:? ?.*)",
    holds=(" : ", ">:"),
)
_WARNS: Final = regex(r"(?i)(?:col: \d+ )?(?:fatal )?warning\b")
_BELOW: Final = regex(  # the code that a finding is about, and what it says
    r"\s*(?:> *)?(?:\d+ *)?[│|]|\s+[×!iℹ✖] |help: ", holds=("│", "|", "× ", "! ", "i ", "ℹ ", "✖ ", "help: ")
)
_RULE: Final = regex(
    r"(?i:(?:fatal )?(?:error|warning|note|info|hint|style|convention|refactor)\b[: ]*)?"
    r"(?:[\[(]?(?P<code>[A-Z][A-Za-z]{0,7}\d{2,5}|(?:SC|TS)\d+|(?<=warning )[A-Z]{2,8}\d(?=:))\b"
    r"|\[(?P<lead>(?!(?:error|warning|info)\b)(?:[A-Z][A-Za-z]+|[a-z]+(?:-[a-z]+)?))\] "
    r"|(?P<sub>[a-z]+(?:-[a-z]+)*\[[\w.-]+\]|[a-z]+(?:-[a-z]+)+): )"
    r"|(?:[CEFIRW]: )(?:\[\w+\] )?(?P<cop>[A-Z]\w+(?:/\w+)+): |.*?[ \t][\[(](?:Error/|Warning/)?"
    r"(?P<name>-W[\w=+-]+|[a-zA-Z][\w./@-]*[a-z]\d*|[a-z][a-z-]*\[[\w.-]+\]|[A-Z]{1,8}\d{2,6})[\])](?: \[\d\])?\s*$"
)
GRADED: Final = 40  # characters of a line in which its level stands
_BELOW_FILE: Final = regex(
    r"\s{1,16}\d{1,7}:\d{1,7} {1,8}(?:error|warning|info|✖|⚠) {1,8}(?P<text>.*?)(?: {2,}(?P<rule>\S+))?$"
)
"""A finding of eslint and its kin: the file stands above."""
_OF: Final = regex(r"(?<=\] )[^\s\[\]]+(?= in )", holds=" in ")  # javac's: "[removal] Util in a.b has been deprecated"
_VALUES: Final = regex(r"'[^']*'|\"[^\"]*\"|`(?:[^`']|'(?=\w))*[`']|“[^”]*”|‘[^’]*’|\b\d[\d.,]*\b")
_UNGRADED: Final = regex(r"(?i)^(?:(?:col: \d+ )?warning|severity \d)(?::| -) ")

_RECAP, RECAP_WITHIN = " Warning(s)", 20  # how msbuild's summary ends; lines from the end in which it says so
_ENDED: Final = ("Build succeeded.", "Build FAILED.")  # with which that summary begins

_GRADE: Final = regex(
    r"(?i)(?:\W*(?:\d+:\d+\W+)?(?:fatal )?|.*\[(?=\w+/))(error|warning|note|info|style|convention|refactor"
    r"|performance|portability|information|high|medium|low|check|severity \d)\b"
)
_AT: Final = regex(r"[:(\[]{1,2}(\d{1,7}(?:[:,]\d{1,5})?)")  # behind the file
SPOTS, ALONE = [12, 4, 0], 4  # places of a rule in a file that are told, as there is room; times those of an only rule
APART: Final = 10  # lines in a row without a finding, which are told

CARETS: Final = regex(r"\s*[\^~]+\s*$")
SAID: Final = 12  # lines below a place, in which its message stands


def below_of(known: Sequence[tuple[int, str]]) -> tuple[str, str, int, int]:
    """What is said of the place in the first line, the same with ``*`` for the name that the carets point at, how many
    lines tell it, and on which of them it stands: behind the source line and its carets, or at once."""
    lines = [untasked(line) for n, (number, line) in enumerate(known) if n and number == known[0][0] + n]
    block = [*takewhile(lambda line: any(map(str.isalnum, line)) or CARETS.match(line), lines)]
    at = next((i for i, line in enumerate(block) if i and CARETS.match(line)), -1)
    message_at = at + 1 if at + 1 < len(block) else 0
    text = (block or [""])[message_at].strip(" \t•")
    pointed = re.match(r"\w+", block[at - 1][indent_of(block[at]) :]) if at > 0 else None
    return text, re.sub(rf"\S*\b{pointed[0]}\b\S*", "*", text) if pointed else text, len(block), message_at


def place_of(line: str) -> tuple[str, str]:
    """The file that a finding names, and what it says of it; a compiler's own warning (of its options) names none."""
    line = line[:1_000]
    if match := _FINDING.match(line):
        return match["file"] or "", match["text"]
    graved = ": warning: " in line or " error: " in line
    if graved and (match := _WITHIN.search(line)):
        return match["path"] or match["file"], match["text"]
    own = _TOOLS.match(line)
    return (own["file"] or "", own["text"]) if own else ("", line if _OWN.match(line) else "")


_SIGNS: Final = (
    "^", "--> ", "::error ", "::warning ", ", col ", " - error", " - warning", "note: ", " required from ",
    " instantiated from ", ":\n  ", ": FILE: ", " Task/Handler: ", " DL", ">> Issue: [",
)  # fmt: skip
_LINE_BEHIND: Final = regex(r" (?:at|on) (?:\S{1,240} )?line \d", holds=" line ")
"""One stands in every report whose findings are not ``file:line: text [rule]``, a line each."""


LEVELS: Final = ("[WARNING]", "[ERROR]")


class Told(NamedTuple):
    """How many findings of which rules and in which files; the lines of each rule, the most frequent first; for lines
    that print a finding once more its first one; the lines of the gravest few; whether the log is of findings."""

    facts: list[Fact]
    rules: list[list[int]]
    again: dict[int, int]
    worst: Sequence[int] = ()
    mostly: bool = False
    placed: Mapping[int, str] = {}  # the file of each finding


def findings(lines: Iterable[tuple[int, str]]) -> Told:
    """What a log says of findings; of another log (a build) of its warnings."""
    known = [(n, marked(line) if "(at line " in line or "] [WARNING] " in line else line) for n, line in lines]
    unified: Sequence[tuple[int, str]] = known
    below = any(ARROW.match(line) for _, line in known)  # the place, and then the source
    text = "\n".join(line for _, line in known)
    if any(map(text.__contains__, _SIGNS)) or (" line " in text and _LINE_BEHIND.search(text)):
        from mcpcompact.content.log.forms import Reading

        unified = Reading().read(known)
    result = _findings(unified, "findings", FEW, below=below)
    if result.facts and not (below and result.worst):  # the errors of a compiler come first, its warnings in few words
        return result._replace(mostly=True)
    known = [
        (n, f"{at[1]}: {line}" if (at := ARROW.match(below)) else line)
        for (n, line), (_, below) in pairwise([*known, (0, "")])
    ]
    if any(line.endswith(_RECAP) for _, line in known[-RECAP_WITHIN:]):  # which says them all again
        ended = [at for at, (_, line) in enumerate(known) if line.strip() in _ENDED]
        known = known[: ended[-1]] if ended else known
    own = any(matching(pattern, [line for _, line in known]) for pattern in (_OWN, _TOOLS))
    what = "warnings" if own else "warnings that name a file,"
    return _findings(known, what, FEW_WARNINGS if own else 1, warns=True)


def _is_warning(line: str) -> bool:
    if "warning" not in line[:1_000].lower():
        return False
    if PLACED.match(line):
        return "WARNING in " in line or line.rstrip().endswith("warning:")
    text = place_of(line)[1]
    return bool(text and (line.startswith("[WARNING]") or _WARNS.match(text)))


def _findings(known: Sequence[tuple[int, str]], what: str, few: int, warns: bool = False, below: bool = False) -> Told:
    """``warns``: of the warnings alone, however many other lines there are; ``below``: its place stands below."""
    once, others, again = dict[int, _Found](), list[int](), dict[int, int]()
    total, inner = 0, 0
    places: dict[tuple[str, ...], int] = {}  # and the first line that tells of each
    for at, finding in _each(known, warns):
        number, line = known[at]
        telling = any(map(str.isalnum, line)) and at >= inner and not _BELOW.match(line)
        total += telling
        if finding is None:
            others += [number] * telling
            continue
        inner = max(inner, at + 1 + finding.size)
        first = places.setdefault(finding.place(number, line), number)
        if first < number:  # a header's, told again for each file that includes it
            again[number] = first
            continue
        once[number] = finding
    if len(places) + len(again) < max(few, MOSTLY * total):
        return Told([], [], {})
    of_rules: dict[str, dict[int, _Found]] = {}
    same = _same({one.rule for one in once.values()})
    for number, one in once.items():
        of_rules.setdefault(same.get(one.rule, one.rule), {})[number] = one
    lines: dict[str, list[int]] = {}
    spots: dict[str, list[tuple[str, str]]] = {}  # of a rule whose findings all print the same, where they are
    read = dict(known)
    for rule, own in of_rules.items():  # where all of a rule say the same, that; rules that print alike are one
        messages = {one.message for one in own.values()} - {""}
        message = min(messages) if len(messages) == 1 else rule
        lines[message] = sorted([*lines.get(message, ()), *own])
        if below and len(own) > 1 and len({one.text for one in own.values()} - {""}) == 1:
            spots[rule] = [(one.file, one.place(n, read[n])[0]) for n, one in own.items()]
    rules = Counter({rule: len(own) for rule, own in lines.items()})
    names: dict[str, Counter[str]] = {}
    for rule in [rule for rule, n in rules.most_common(RULES) if n > FEW_WARNINGS]:
        named = Counter(name for one in of_rules.get(rule, {}).values() for name in _named(rule, one.text))
        # what all findings of a rule name tells none from the others
        names[rule] = Counter({name: n for name, n in named.items() if n < rules[rule]})
    files = Counter(one.file for one in once.values() if one.file)
    graded = {} if warns else _grades({n: one.text or read[n][:GRADED] for n, one in once.items()})
    facts = _worded(_by_grade(graded, what), rules, files, names, len(places) + len(again), spots)
    ranked, placed = [lines[rule] for rule, _ in rules.most_common()], {n: one.file for n, one in once.items()}
    return Told(facts + _apart(others, once), ranked, again, _worst(graded), placed=placed)


def _same(rules: set[str]) -> dict[str, str]:
    """Of messages that differ in their last word alone, a name, the one with ``*`` for it: ``no @param for *``."""
    begins = Counter(rule.rpartition(" ")[0] for rule in rules if rule.count(" ") > 1)
    return {rule: f"{at} *" for rule in rules if begins[at := rule.rpartition(" ")[0]] >= FEW_WARNINGS}


def _spots(places: Sequence[tuple[str, str]], alone: bool, most: int) -> str:
    """The first lines and columns of findings in each file, which is not named where it is ``alone``."""
    files: dict[str, list[str]] = {}
    for file, line in places:
        files.setdefault(file, []).extend(at[1] for at in [_AT.match(line, len(file))] if at)
    spots = [f"{'' if alone else f'{file}:'}{first_of(at, most, ' ')}" for file, at in files.items() if at]
    return f" ({', '.join(spots)})" if spots and most and len(files) <= FILES else ""


class _Found(NamedTuple):
    rule: str
    file: str
    text: str = ""  # what its own line says
    message: str = ""  # what is said below, as the lines of its rule may all say the same
    size: int = 0  # lines below that tell it

    def place(self, number: int, line: str) -> tuple[str, ...]:
        """Where it is, and what it says there, without what a runner writes before it; of no file its own line."""
        return (line[max(line.find(self.file), 0) :], self.file, self.message) if self.file else (str(number),)


def _each(known: Sequence[tuple[int, str]], warns: bool) -> Iterator[tuple[int, _Found | None]]:
    """Each line by its place, and the finding that it is; ``warns``: only lines that warn."""
    above = ""
    for at, (_, line) in enumerate(known):
        if warns and not _is_warning(line):
            continue
        if placed := PLACED.match(line[:1_000]):
            message, below, size, _ = below_of(known[at : at + 1 + SAID])
            yield at, _Found(_rule(below), placed["file"] or placed["ghc"], message=message[:LONG], size=size)
        elif (named := place_of(line))[1]:
            rule = _rule(named[1])
            yield at, _Found(rule, named[0], named[1], _cut(_UNGRADED.sub("", named[1])) if "*" in rule else "")
        elif listed := _BELOW_FILE.match(line[:1_000]):
            yield at, _Found((listed["rule"] or "").strip("()") or _rule(listed["text"]), above)
        else:
            above = line.strip() or above
            yield at, None


def _named(rule: str, text: str) -> list[str]:
    """What a finding names, each once, numbers and what its rule says aside."""
    of = _OF.search(text)
    values = [of[0]] if of else [value[0] for value in _VALUES.finditer(text)]
    return [value for value in dict.fromkeys(values) if not value[0].isdigit() and value not in rule]


def _grades(texts: Mapping[int, str]) -> dict[int, str]:
    """How grave each finding says it is; empty where one says nothing."""
    grades = {number: stated[1].lower() for number, text in texts.items() if (stated := _GRADE.match(text))}
    return grades if len(grades) == len(texts) else {}


def _by_grade(graded: Mapping[int, str], what: str) -> str:
    """``errors``, where all findings are; ``findings (2 errors, 5 style)``, the worst first."""
    from mcpcompact.content.shared.reports import rank

    counts, plain = Counter(graded.values()), ("error", "warning", "note")
    if len(counts) <= 1:
        return f"{min(counts)}s" if counts and min(counts) in plain else what
    rows = [counted(counts[one], one) if one in plain else f"{counts[one]:,} {one}" for one in sorted(counts, key=rank)]
    return f"{what} ({', '.join(rows)})"


def _worst(graded: Mapping[int, str]) -> list[int]:
    """The lines of the findings that are graver than all others, where these are few."""
    from mcpcompact.content.shared.reports import EXCEPTION, rank

    first = min(graded.values(), key=rank, default="")
    lines = [number for number, grade in graded.items() if grade == first]
    return lines if len(lines) <= EXCEPTION * len(graded) else []


def _apart(others: Iterable[int], placed: Iterable[int]) -> list[Fact]:
    """Lines between findings that are of another kind: a log behind a report."""
    known: Sequence[int] = sorted(placed)
    runs = [[*run] for _, run in groupby(others, key=lambda number: bisect(known, number))]
    long = [run for run in runs if len(run) >= APART]
    left = sum(map(len, runs)) - sum(map(len, long))
    spans = [*(f"{run[0]}–{run[-1]} ({len(run):,})" for run in long), *([f"{left:,} more"] if left else [])]
    return [Fact(f"lines of another form: {' · '.join(spans)}", 0)] if long else []


def _worded(
    what: str,
    rules: Counter[str],
    files: Counter[str],
    names: Mapping[str, Counter[str]],
    printed: int,
    spots: Mapping[str, Sequence[tuple[str, str]]],
) -> list[Fact]:
    one = rules.total() == 1
    what = what.replace("s that name", " that names").removesuffix("s") if one else what
    many = f"{rules.total():,} {what}" + ("" if one else f" of {counted(len(rules), 'rule')}")
    alone = min(files) if len(files) == 1 and not what.endswith(",") else ""  # of a build it stands with its warnings
    alone = _name(min(files)) if one and files else alone
    many += f" in {alone or counted(len(files), 'file')}" if files else ""
    many += f", printed {printed:,} times" if printed > rules.total() else ""
    placed, brief, often = (
        first_of(
            [f"{n:,}× {rule}{_spots(spots.get(rule, ()), bool(alone), most)}" for rule, n in rules.most_common()], RULES
        )
        for most in (n * (ALONE if len(rules) == 1 else 1) for n in SPOTS)
    )
    facts = [Fact(f"{many}: {placed}", 0, short=f"{many}: {brief}", least=f"{many}: {often}")]
    alike = Counter(map(_name, files))
    top = [(_name(path) if alike[_name(path)] == 1 else path, n) for path, n in files.most_common(FILES)]
    most = " · ".join(f"{name} {n:,}" for name, n in top if n > 1)
    tied = [*files.values()].count(top[-1][1]) - [n for _, n in top].count(top[-1][1]) if most else 0
    most += f" · {tied:,} more with {top[-1][1]:,}" if tied and top[-1][1] > 1 else ""
    half = bool(top) and 2 * top[0][1] >= rules.total()  # then that is where to begin
    facts += [Fact(f"most in: {most}", int(not half))] if most and len(files) > 1 else []
    naming = [rule for rule in names if len(names[rule]) > 1]
    for place, rule in enumerate(naming[:NAMING]):
        named = names[rule]
        common = {name: n for name, n in named.most_common(RULES) if n > AGAIN or len(named) <= RULES}
        if sum(common.values()) <= MOSTLY * rules[rule] and FREQUENT * rules[rule] >= rules.total():
            common = dict(named.most_common()) if len(" · ".join(named)) <= EVERY else common
        values = [f"{name} {n:,}" if n > 1 else name for name, n in common.items()] or [*named][:RULES]
        left = f" · {len(named) - len(values):,} more" if len(values) < len(named) and not common else ""
        commonly = "most often " if common and len(common) < len(named) else ""
        lead = f"the {rules[rule]:,}× “{_cut(rule, SHORT_RULE)}”" if " " in rule else rule
        lead += f" {commonly}name{'s' * (' ' not in rule)}"
        large = sum(common.values()) > MOSTLY * rules[rule]
        few = f"{lead} {first_of(values, FEW_NAMES)}" if len(values) > RULES else ""
        second = not large or (place and len(values) > FEW_NAMES)  # few names, each of several findings, say much
        facts.append(Fact(f"{lead} {' · '.join(values)}{left}", int(second), short=few))
    return facts


def warned(rules: Sequence[Sequence[int]], failing: bool) -> list[Mark]:
    """Of a build the warnings of the most frequent rules; where tests failed, the first of each."""
    kinds = [(line, f"{RULE}{lines[0]}") for lines in rules[:WARNED] for line in (lines[:1] if failing else lines)]
    return [Mark(line, Keep.RARE, "", kind) for line, kind in kinds]


def hush(analysis: Analysis, lines: Container[int]) -> None:
    """What source that a finding quotes says of errors did not happen."""
    for number, severity, kind in analysis.loud:
        if number in lines:
            analysis.loud_lines -= 1
            analysis.error_lines -= severity >= ERROR
            analysis.loud_counts[kind] -= 1
            analysis.noted[kind] -= 1
    analysis.loud = [hit for hit in analysis.loud if hit[0] not in lines]
    analysis.loud_counts, analysis.noted = +analysis.loud_counts, +analysis.noted


def _name(path: str) -> str:
    return path[max(path.rfind("/"), path.rfind("\\")) + 1 :]


def _rule(text: str) -> str:
    """Its code or name; else its message, with ``*`` for what is quoted and for numbers."""
    match = _RULE.match(text)
    if named := match and (match["code"] or match["lead"] or match["sub"] or match["cop"] or match["name"]):
        return named
    return _cut(_VALUES.sub("*", _UNGRADED.sub("", text)))


def _cut(text: str, most: int = LONG_RULE) -> str:
    text = text.strip(" ━─═")
    end = text.rfind(" ", most // 2, most)
    end = end if end > 0 else text.find(" ", most)
    return text if len(text) <= most or end < 0 else f"{text[:end]} …"


def marked(line: str) -> str:
    """The line without the name of its task, but with its level."""
    return line if line.startswith(LEVELS) else untasked(line)
