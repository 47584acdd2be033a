"""What compilers and linters found: how many findings of which rules and in which files, and which lines belong to
each: the source that it quotes below, and above it from where that was included."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise, takewhile
from operator import itemgetter
from typing import Final, NamedTuple

from mcpcompact.content.log.entries import PLACED, Entry, is_blank, untasked
from mcpcompact.content.log.odd import ERROR, Analysis
from mcpcompact.content.log.runners import bare
from mcpcompact.content.log.templates import Mark
from mcpcompact.outline import RULE, Fact, Item, Keep
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
_ARROW: Final = regex(r"\s+--> (\S{1,300}:\d{1,7}:\d{1,5})$", holds=("--> ",))  # rustc's place, below what it says
_WARNS: Final = regex(r"(?i)(?:fatal )?warning\b")
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
_UNGRADED: Final = regex(r"(?i)^(?:warning|severity \d)(?::| -) ")

_RECAP, RECAP_WITHIN = " Warning(s)", 20  # how msbuild's summary ends; lines from the end in which it says so
_ENDED: Final = ("Build succeeded.", "Build FAILED.")  # with which that summary begins

_CARETS: Final = regex(r"\s*[\^~]+\s*$")
SAID: Final = 12  # lines below a place, in which its message stands


def _below(lines: Sequence[str]) -> tuple[str, str, int, int]:
    """What is said of the place above, the same with ``*`` for the name that the carets point at, how many lines tell
    it, and on which of them it stands: behind the source line and its carets, or at once."""
    lines = [*map(untasked, lines)]
    block = [*takewhile(lambda line: any(map(str.isalnum, line)) or _CARETS.match(line), lines)]
    at = next((i for i, line in enumerate(block) if i and _CARETS.match(line)), -1)
    said = at + 1 if at + 1 < len(block) else 0
    text = (block or [""])[said].strip(" \t•")
    pointed = re.match(r"\w+", block[at - 1][len(block[at]) - len(block[at].lstrip()) :]) if at > 0 else None
    return text, re.sub(rf"\S*\b{pointed[0]}\b\S*", "*", text) if pointed else text, len(block), said


def _place(line: str) -> tuple[str, str]:
    """The file that a finding names, and what it says of it; a compiler's own warning (of its options) names none."""
    line = line[:1_000]
    if found := _FINDING.match(line):
        return found["file"] or "", found["text"]
    graved = ": warning: " in line or " error: " in line
    if graved and (found := _WITHIN.search(line)):
        return found["path"] or found["file"], found["text"]
    own = _TOOLS.match(line)
    return (own["file"] or "", own["text"]) if own else ("", line if _OWN.match(line) else "")


_SIGNS: Final = (
    "^",
    "--> ",
    "::error ",
    "::warning ",
    ", col ",
    " - error",
    " - warning",
    "note: ",
    " required from ",
    " instantiated from ",
    ":\n  ",
    ": FILE: ",
    " Task/Handler: ",
    " DL",
    ">> Issue: [",
)
_LINE_BEHIND: Final = regex(r" (?:at|on) (?:\S{1,240} )?line \d", holds=" line ")
"""One stands in every report whose findings are not ``file:line: text [rule]``, a line each."""


def _written_otherwise(lines: Iterable[str]) -> bool:
    text = "\n".join(lines)
    return any(sign in text for sign in _SIGNS) or (" line " in text and _LINE_BEHIND.search(text) is not None)


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
    known = [(n, _marked(line) if "(at line " in line or "] [WARNING] " in line else line) for n, line in lines]
    told: Sequence[tuple[int, str]] = known
    if _written_otherwise(line for _, line in known):
        from mcpcompact.content.log.forms import in_one_form

        told = in_one_form(known)
    found = _findings(told, "findings", FEW)
    if found.facts:
        return found._replace(mostly=True)
    known = [
        (n, f"{at[1]}: {line}" if (at := _ARROW.match(below)) else line)
        for (n, line), (_, below) in pairwise([*known, (0, "")])
    ]
    if any(line.endswith(_RECAP) for _, line in known[-RECAP_WITHIN:]):  # which says them all again
        ended = [at for at, (_, line) in enumerate(known) if line.strip() in _ENDED]
        known = known[: ended[-1]] if ended else known
    own = any(matching(pattern, [line for _, line in known]) for pattern in (_OWN, _TOOLS))
    what = "warnings" if own else "warnings that name a file,"
    return _findings(known, what, FEW_WARNINGS, warns=True)


def _is_warning(line: str) -> bool:
    if "warning" not in line[:1_000].lower():
        return False
    if PLACED.match(line):
        return "WARNING in " in line or line.rstrip().endswith("warning:")
    said = _place(line)[1]
    return bool(said and (line.startswith("[WARNING]") or _WARNS.match(said)))


def _findings(known: Sequence[tuple[int, str]], what: str, few: int, warns: bool = False) -> Told:
    """``warns``: of the warnings alone, however many other lines there are."""
    rules: Counter[str] = Counter()
    files: Counter[str] = Counter()
    stated: dict[int, str] = {}  # what each finding says
    placed: dict[int, str] = {}
    others: list[int] = []
    texts: dict[str, list[str]] = {}
    messages: dict[str, set[str]] = {}
    lines: dict[str, list[int]] = {}
    total, inner = 0, 0
    places: dict[tuple[str, ...], int] = {}  # and the first line that tells of each
    again: dict[int, int] = {}
    for at, found in _each(known, warns):
        number, line = known[at]
        telling = any(map(str.isalnum, line)) and at >= inner and not _BELOW.match(line)
        total += telling
        if found is None:
            others += [number] * telling
            continue
        inner = max(inner, at + 1 + found.size)
        first = places.setdefault(found.place(number, line), number)
        if first < number:  # a header's, told again for each file that includes it
            again[number] = first
            continue
        lines.setdefault(found.rule, []).append(number)
        messages.setdefault(found.rule, set()).update({found.message} - {""})
        texts.setdefault(found.rule, []).append(found.text)
        rules[found.rule] += 1
        files[found.file] += bool(found.file)
        stated[number] = found.text or line[:GRADED]
        placed[number] = found.file
    if len(places) + len(again) < max(few, MOSTLY * total):
        return Told([], [], {})
    for rule, messages_of in messages.items():  # where all of a rule say the same, that; rules that print alike are one
        many, own, one = rules.pop(rule), lines.pop(rule), min(messages_of) if len(messages_of) == 1 else rule
        rules[one] += many
        lines[one] = sorted([*lines.get(one, []), *own])
    names: dict[str, Counter[str]] = {}
    for rule in [rule for rule, n in rules.most_common(RULES) if n > FEW_WARNINGS]:
        named = Counter(name for text in texts.get(rule, ()) for name in _named(rule, text))
        # what all findings of a rule name tells none from the others
        names[rule] = Counter({name: n for name, n in named.items() if n < rules[rule]})
    from mcpcompact.content.log.grades import apart, by_grade, grades, worst

    graded = {} if warns else grades(stated)
    facts = _worded(by_grade(graded, what), rules, +files, names, len(places) + len(again))
    of_rules = [lines[rule] for rule, _ in rules.most_common()]
    return Told(facts + apart(others, stated), of_rules, again, worst(graded), placed=placed)


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
            message, said, size, _ = _below([text for _, text in known[at + 1 : at + 1 + SAID]])
            yield at, _Found(_rule(said), placed["file"] or placed["ghc"], message=message[:LONG], size=size)
        elif (found := _place(line))[1]:
            rule = _rule(found[1])
            yield at, _Found(rule, found[0], found[1], _cut(_UNGRADED.sub("", found[1])) if "*" in rule else "")
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


def _worded(
    what: str, rules: Counter[str], files: Counter[str], names: Mapping[str, Counter[str]], printed: int
) -> list[Fact]:
    often = " · ".join(f"{n:,}× {rule}" for rule, n in rules.most_common(RULES))
    more = f" · {len(rules) - RULES:,} more" if len(rules) > RULES else ""
    what = what if rules.total() > 1 else what.replace("s that name", " that names")
    many = f"{rules.total():,} {what} of {counted(len(rules), 'rule')}"
    alone = min(files) if len(files) == 1 and not what.endswith(",") else ""  # of a build it stands with its warnings
    many += f" in {alone or counted(len(files), 'file')}" if files else ""
    many += f", printed {printed:,} times" if printed > rules.total() else ""
    facts = [Fact(f"{many}: {often}{more}", 0)]
    alike = Counter(map(_name, files))
    top = [(_name(path) if alike[_name(path)] == 1 else path, n) for path, n in files.most_common(FILES)]
    most = " · ".join(f"{name} {n:,}" for name, n in top if n > 1)
    half = bool(top) and 2 * top[0][1] >= rules.total()  # then that is where to begin
    facts += [Fact(f"most in: {most}", int(not half))] if most and len(files) > 1 else []
    naming = [rule for rule in names if len(names[rule]) > 1]
    for rank, rule in enumerate(naming[:NAMING]):
        named = names[rule]
        common = {name: n for name, n in named.most_common(RULES) if n > AGAIN or len(named) <= RULES}
        if sum(common.values()) <= MOSTLY * rules[rule] and FREQUENT * rules[rule] >= rules.total():
            common = dict(named.most_common()) if len(" · ".join(named)) <= EVERY else common
        told = [f"{name} {n:,}" if n > 1 else name for name, n in common.items()] or [*named][:RULES]
        left = f" · {len(named) - len(told):,} more" if len(told) < len(named) and not common else ""
        commonly = "most often " if common and len(common) < len(named) else ""
        lead = f"the {rules[rule]:,}× “{_cut(rule, SHORT_RULE)}”" if " " in rule else rule
        lead += f" {commonly}name{'s' * (' ' not in rule)}"
        large = sum(common.values()) > MOSTLY * rules[rule]
        few = f"{lead} {' · '.join(told[:FEW_NAMES])} · {len(told) - FEW_NAMES:,} more" if len(told) > RULES else ""
        facts.append(Fact(f"{lead} {' · '.join(told)}{left}", rank if large else 1, short=few))
    return facts


def warned(rules: Sequence[Sequence[int]], failing: bool) -> list[Mark]:
    """Of a build the warnings of the most frequent rules; where tests failed, the first of each."""
    kinds = [(line, f"{RULE}{lines[0]}") for lines in rules[:WARNED] for line in (lines[:1] if failing else lines)]
    return [Mark(line, Keep.RARE, "", kind) for line, kind in kinds]


def hush(found: Analysis, lines: Container[int]) -> None:
    """What source that a finding quotes says of errors did not happen."""
    for number, rank, kind in found.loud:
        if number in lines:
            found.loud_lines -= 1
            found.error_lines -= rank >= ERROR
            found.loud_counts[id(kind)] -= 1
            found.noted[id(kind)] -= 1
    found.loud = [hit for hit in found.loud if hit[0] not in lines]
    found.loud_counts, found.noted = +found.loud_counts, +found.noted


def _name(path: str) -> str:
    return path[max(path.rfind("/"), path.rfind("\\")) + 1 :]


def _rule(text: str) -> str:
    """Its code or name; else its message, with ``*`` for what is quoted and for numbers."""
    found = _RULE.match(text)
    if named := found and (found["code"] or found["lead"] or found["sub"] or found["cop"] or found["name"]):
        return named
    return _cut(_VALUES.sub("*", _UNGRADED.sub("", text)))


def _cut(text: str, most: int = LONG_RULE) -> str:
    text = text.strip(" ━─═")
    end = text.rfind(" ", most // 2, most)
    end = end if end > 0 else text.find(" ", most)
    return text if len(text) <= most or end < 0 else f"{text[:end]} …"


# -- which lines belong to which finding ----------------------------------------------------------------------

_GRAVE: Final = regex(r"(?i)(?:fatal )?(?:error|warning)\b")
_HINTS: Final = ("arning", "rror", "WARNING", "ERROR", "note: ", " from ", ": In ", ": At ")
"""One stands in each line that begins a finding, or leads to one."""
_LEVELS: Final = ("[WARNING]", "[ERROR]")
_PREPOSITIONS: Final = (" for", " of", " to", " in")
_UNFINISHED: Final = (*_PREPOSITIONS, ":", ",")  # what it says goes on below, indented or not behind a preposition
_NOTE: Final = regex(r"note: ")
_ABOVE: Final = regex(
    r"\s{0,4}In file included from |\s+from \S+:\d+"
    r"|\s{0,4}\S+?:(?:\d+:){1,2} {1,4}(?:(?:recursively )?required (?:from|by)|instantiated)"
    r"|\s{0,4}\S+?: (?:In|At) (?:[a-z]+ ){0,3}"
    r"(?:function|instantiation|constructor|destructor|substitution|lambda|level|scope)\b"
)
_COMPILED: Final = regex(r"[:(,\[]\d{1,7}[:,]\d{1,5}[\]): ]|(?i:error|warning) ?[A-Z]{1,8}\d{2,5}\b")
QUOTED, WHOLE = 8, 400  # lines of source below a finding; characters of such lines that stand whole or not at all
_HERE: Final = (" required from here", " instantiated from here", " requested here")
"""Where in one's own file a template of a library is used; MSVC says so last."""
_USED: Final = ": note: see reference to "
APART: Final = 2.0  # times that the first finding of a rule in a file weighs more than further ones
FOUND, ECHO = 2.95, 0.06  # weights: of a finding among other lines, and of what belongs to one


class Layout(NamedTuple):
    """Of a log with findings by line number: the files of those that are errors or warnings, which one the others
    belong to, and where the message of one stands that is below."""

    files: dict[int, str]
    owners: dict[int, int]
    says: dict[int, int]

    @classmethod
    def of(cls, lines: Iterable[tuple[int, str]]) -> Layout:
        raw = [*lines]
        marked = cache(lambda at: (raw[at][0], _marked(bare(raw[at][1][:1_000]))))
        self = cls({}, {}, {})
        said = set[int]()
        above: list[int] = []
        owner = 0  # the finding that a note goes on
        for at, (number, line) in enumerate(raw):
            if number in self.owners or number in said:
                continue
            if not any(map(line.__contains__, _HINTS)):  # far quicker than the patterns
                above, owner = [], owner if owner and owner in self.says and is_blank(line) else 0
                continue
            line = marked(at)[1]
            placed = PLACED.match(line)
            file, text = (placed["file"] or placed["ghc"], "") if placed else _place(line)
            if placed or _GRAVE.match(text) or (text and line.startswith(_LEVELS)):
                owner = number
                known = [*map(marked, range(at, min(at + 2 + SAID, len(raw))))]
                self.files[number] = file
                self.owners.update(dict.fromkeys(above, number))
                self._quote(known, placed is not None)
                said.add(self.says.get(number, number))
                above = []
            elif text and owner and _NOTE.match(text):
                known = [*map(marked, range(at, min(at + 2 + SAID, len(raw))))]
                self.owners.update((n, owner) for n in (*above, number, *_quoted(known)))
                above = []
            elif _ABOVE.match(line):
                above.append(number)
            else:
                above, owner = [], 0
        return self

    def most(self, lines: Sequence[tuple[int, str]]) -> bool:
        """Whether these are what a compiler or linter printed: errors or warnings, most with a column or a code."""
        said = sum(any(map(str.isalnum, line)) for _, line in lines)
        sure = sum(n in self.files and _COMPILED.search(line[:1_000]) is not None for n, line in lines)
        return 2 * sure >= len(self.files) > 0 and len(self.files) + len(self.owners) + len(self.says) >= MOSTLY * said

    def _quote(self, known: Sequence[tuple[int, str]], placed: bool) -> None:
        number = known[0][0]
        block, said = [*_quoted(known)], 0
        if placed:
            _, _, size, said = _below([line for _, line in known[1 : 1 + SAID]])
            block = [n for n, _ in known[1 : 1 + size]]
        begun = known[0][1].rstrip()
        below = known[1][1].split(" ", 1)[0] if known[1:] and not is_blank(known[1][1]) else ""
        if not (block or placed) and below and begun.endswith((*_PREPOSITIONS, ":")):  # doxygen's "parameter …" a line
            block = [n for n, _ in takewhile(lambda one: one[1].startswith(f"{below} "), known[1 : 1 + QUOTED])]
            block = block if begun.endswith(":") else [known[1][0]]
        if block and (placed or begun.endswith(_UNFINISHED)):
            self.says[number] = block.pop(said)
        self.owners.update(dict.fromkeys(block, number))

    def cut(self, entries: Sequence[Entry], apart: Mapping[int, bool]) -> Iterator[Entry]:
        """The entries, of which each finding and what belongs to it is one of its own: the message stands with it; and
        ``apart`` bars of progress, by whether another goes on from them."""
        said = {message: number for number, message in self.says.items()}
        for start, end, lines in entries:
            numbers = range(start, end + 1)
            if not any(n in self.files or n in self.owners or n in said or n in apart for n in numbers):
                yield start, end, lines
                continue
            parts = [
                (self._part(n), apart.get(n), line.rstrip().endswith(_HERE))
                for n, line in zip(numbers, lines, strict=True)
            ]
            for _, group in groupby(zip(parts, numbers, lines, strict=True), key=itemgetter(0)):
                run = [(n, line) for _, n, line in group]
                known = [(n, line) for n, line in run if n not in said]
                if known:
                    yield known[0][0], known[-1][0], [line for _, line in known]

    def _part(self, number: int) -> tuple[int, bool]:
        return (number, True) if number in self.files else (self.owners.get(number, 0), False)


def _marked(line: str) -> str:
    """The line without the name of its task, but with its level."""
    return line if line.startswith(_LEVELS) else untasked(line)


def _quoted(known: Sequence[tuple[int, str]]) -> Iterator[int]:
    """The lines of source below a finding, the first line: indented, or above carets."""
    for (n, line), (_, below) in pairwise([*known[1 : 2 + QUOTED], (0, "")]):
        quoted = line[:1] in (" ", "\t") or _CARETS.match(untasked(line)) or _CARETS.match(untasked(below))
        if not quoted or not line.strip() or _ABOVE.match(line) or _GRAVE.match(_place(line)[1]):
            return
        yield n


def dress(items: Iterable[Item], layout: Layout, lines: Mapping[int, str], told: Told) -> list[Fact]:
    """Say with each finding its message, where that stands below, and the directory of all files once; nothing that
    belongs to a finding is shown without it. ``told``: of all findings."""
    if not (told.placed or layout.files):
        return []
    from mcpcompact.content.log.grades import LONG_PATH, directory, under_files

    headed = under_files(items, {**told.placed, **layout.files})
    below = directory(layout.files.values()) if len(layout.files) >= FEW_WARNINGS and not headed else ""
    used = {layout.owners.get(item.start): item.start for item in items if _USED in item.text}  # the last of each
    rules = told.rules if told.mostly else ()
    first = {(lines[0], told.placed.get(n)): n for lines in rules for n in reversed(lines)}
    apart = {*first.values()}
    for item in items:
        item.weight *= APART if item.start in apart else 1
        if item.start in layout.owners:
            here = item.text.rstrip().endswith(_HERE) or used.get(layout.owners[item.start]) == item.start
            item.under, item.weight = layout.owners[item.start], FOUND if here else ECHO
            item.whole = len(item.text) <= WHOLE
            again = item.start in layout.files or item.under in layout.owners
            item.weight *= ECHO if again else 1
        if item.start not in layout.files:
            continue
        item.weight = item.weight if told.mostly or item.start in layout.owners else FOUND
        if said := layout.says.get(item.start):
            message = untasked(lines[said]).strip(" \t•")
            if len(message) > CUT and item.text.rstrip().endswith(_PREPOSITIONS):
                message = f"{message[:CUT]}…[+{len(message) - CUT} chars]"
            item.text = f"{item.text.rstrip()}{':' * item.text.rstrip().endswith(')')} {message}"
            item.also, item.whole = (said,), True
        file = layout.files[item.start]
        begin, at = item.text.find(": ") + 2, item.text.find(f" {file}:") + 1 if file else 0
        if at - begin > LONG_PATH and " -" in item.text[begin:at]:  # the command that is echoed before it
            item.text = f"{item.text[:begin]}…[+{at - begin} chars] {item.text[at:]}"
        if below and (at := item.text.find(below)) >= 0:
            item.text = f"{item.text[:at]}…{below[-1]}{item.text[at + len(below) :]}"
        if len(item.text) > 2 * WHOLE and "\n" not in item.text:
            end = max(item.text.rfind(" ", LONG, WHOLE), LONG)
            item.text, item.whole = f"{item.text[:end]} …[+{len(item.text) - end:,} chars]", True
        item.at, item.flow = -1, "sentences" if len(item.text) > LONG else ""  # read from its beginning
        item.whole |= bool(item.keep) and len(item.text) <= WHOLE  # no place without what is said of it
    return [Fact(f"paths that begin with …{below[-1]} are below {below}", 0)] if below else []
