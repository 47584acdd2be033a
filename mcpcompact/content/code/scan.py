"""One pass over a view of code: what every line weighs, what is defined, imported, to be done, in conflict."""

from __future__ import annotations

import re
from collections import Counter

from mcpcompact.content.anomalies import lines as oddlines
from mcpcompact.content.code.comments import TAG, begins_within, licence, literal_end, opens, rows, subjects_of
from mcpcompact.content.shared import languages as lang
from mcpcompact.content.shared import nesting
from mcpcompact.content.shared.languages import COMMENT, COMMENTS, CONFIGURATION, IMPORT, OWN_COMMENTS
from mcpcompact.content.shared.nesting import BARE, BRANCH, LOOK, QUOTES, conditioned, enclosing, governed, heads, leads
from mcpcompact.content.shared.views import Region, View
from mcpcompact.outline import SECTIONS, SIGNATURES, record
from mcpcompact.patterns import holding, regex

OUTLINED = ("YAML", "TOML", "INI")  # a tree names their keys or sections
NAMED = {"SQL": "heads of definitions", "CSS": "heads of rules", "Terraform": "heads of blocks"}  # others' definitions
_CLOSERS = regex(
    r"[\s{}()\[\];,:*/<>#=~_\-\"'`|+.]*(?:(?:end|fi|done|esac|else|then|begin|\*/|try|finally|pass|default)\b:?[\s{}();,]*)?$"
)
_KEY = regex(r"(?:- )?[\"']?[A-Za-z_@$./][\w./@$ -]{0,60}[\"']?\s?(?::=|[:=])(?:\s|$)")
_ENTRY = regex(r"- (?:name|id|job_name|alias): [\"']?(\w[^\"'#{}]*)")  # of a list of YAML, by its name
_TELLING = regex(r"[\"'`][\w@~.{}$-]*[/.:_-][\w./:@{}$-]+|\w{3}\(")
_NEEDS = regex(r"\[(?:project|package|workspace\.package|tool\.poetry|(?:\S+\.)?dependencies)\]|dependencies\s*=\s*\[")
_LISTS = regex(r"(?:import|export)\s+(?:type\s+)?(?:[\w$]+\s*,\s*)?\{$")  # of JavaScript: names follow, a line each
_LISTED = regex(r"(?:(?:type\s+)?[\w$]+(?:\s+as\s+[\w$]+)?(?:,\s*|\s*$|\s+(?=//)))+(?://.*)?$")
_LISTED_TEXT = regex(r"(?:- )?(\"[^\"]*\"|'[^']*'),?$")  # one of many that a setting lists
_IS = regex(r"(?:name|version|description)\s*=")
_PINNED = regex(r"[\"'][\w.\[\]-]+ ?[<>=!~^]")
_TRUSTS = regex(  # runs or reads in what a reviewer looks at first: code and commands from elsewhere
    r"(?<![\w.])(?:(?:pickle|marshal)\.loads?|yaml\.(?:unsafe_)?load|(?:eval|exec)(?!\(s\))|os\.(?:system|popen)|ctypes\.CDLL"
    r"|execSync|(?:subprocess|child_process|exec)\.\w+|Runtime\.getRuntime)\("
)
_SAME = regex(r"(?:(?:export )?(?:type|const) )?(\w+)(?: \w+)? ?[=:] ?(?:\w+\.)+\1[,;]?$")  # hands on what it names
_MARK = regex(r"@[\w.]+$")  # what a definition is besides its signature: a property, one of the class
_GROUPED = regex(r"\s+(\w+)")  # the first of a group, which names it
_OVERRIDES = regex(r"(?:\w+ )*override ")
_FIELD = regex(r"\w+\??: [\w\[\], .|]+(?: = [^#]+)?;? +(?:#|//) ?\w")  # of a type, with what it is for
_CHECKED = regex(r"\s*if \w*[eE]rr != nil \{", holds=(" != nil {",))  # of Go: what may have failed stands above
_LICENSED = regex(
    r"Apache License|MIT License|GNU [\w ]*General Public License|Mozilla Public License"
    r"|Permission is hereby granted|Redistribution and use in source|Permission to use, copy, modify",
    re.IGNORECASE,
)
NEEDED, PINNED = 3.2, 3.3  # weight of what a package is and of what it needs, before its other settings; by version
BESIDE = 0.85  # factor on these, but by version, where a source stands beside them: behind what that defines
IS, VERSION = 3.4, 4.1  # its name, version and purpose; of a package, which has one: before what a file is about
VALUES, MACROS, TITLES, GROUPS = "named values", "macros", "titles", "groups"  # no signatures, counted apart
PURPOSE, SAYS = 4.1, 3  # what a file is for, in so many words at least: before all else of it
LEADS = 1.6  # weight from which on a line comes along with what stands under it: a definition, a key
DEFINED = (3.1, 3.0, 2.9)  # weights of definitions: outermost, one in another, deeper
NAMES_TEST, SET, TELLS, PLAIN = 2.9, 1.6, 1.3, 1.0  # a test's name; keys; names and calls; others
TRUSTS = 2.0  # a call that runs what it is given: before other calls, behind definitions
IMPORTS, FURTHER, MIN = 2, 0.6, 0.09  # imports that weigh as other lines do; each further one so much less; the last
ENTRY = TEXT = 0.5  # a text in a list; a line of one
TEXT_LINES, TEXT_ROOM = 8, 300  # of a text that stands whole with what begins it: a query says nothing in part
LICENCE_TITLE = 12  # lines of a text within which a licence says that it is one
COMMENTED, QUOTED, LITTLE, LICENCE = 0.35, 0.35, 0.3, 0.09  # LITTLE: says nothing without the lines around it
LATER = 0.4  # factor on the weight of the further paragraphs of a documentation
DELEGATES = 0.35  # the body of a signature that calls its like; so much that it is not drawn along between two others
CLOSES, OPENS = 0.05, 0.15  # a bracket: shown with the lines on both sides of it, or with all of what it closes; one
# between a signature and its body: half of it is still more than what closes has
COMPONENTS = ("Vue", "Svelte")
ASIDE = 0.3  # factor on the weight of tests that stand in the file of what they test
MAX_MARKED = 3  # of so many definitions one may be marked alike: what most are says nothing of one
SAMPLED, FAR, SAMPLE = 3, 1_000, 0.09  # columns by which a sample stands further in; more than any has; its weight
GENERATED = 4  # comments of a file that differ in addresses alone: what a tool wrote, and says nothing
REPEATED, SHORT_CLOSER, NAME = 24, 3, 60  # characters; of a statement that is looked at once, wherever it stands
_CONFLICT = ("<<<<<<< ", ">>>>>>> ", "=======", "||||||| ")
_DOCUMENTED_ABOVE = ("Java", "JavaScript", "TypeScript")
_SCRIPTS = ("Shell", "PowerShell", "R")  # mostly statements that stand outermost, in paragraphs
_TYPES = ("class", "interface", "struct", "enum", "record", "trait", "protocol", "object", "module", "defmodule")
_PRELUDE = regex(r"(?:namespace|package|(?:def)?module|declare|#ifndef|#define|#pragma)\b|<\?php|[\"']use ")
_DIRECTIVE = regex(
    r"#!|\W*(?:eslint|prettier|jshint|istanbul|coding\b|frozen_string_literal|pylint|noqa|mypy:|type:|@\w+\b)"
)
_RULER = regex(r"\s*(?:-{3,}|={3,})$")  # below a title within a documentation
_SPOKEN = regex(r"[^\W\d_]{2,}")  # a word
_CHEAP = regex(r"\s*if\b.{1,21}$")  # a condition that comes along with whatever it guards
_RUNS = regex(r"\s.{1,160}[\w\])]\s?:?[:=] (?:async )?func(?:tion)?\b.{,160}\{\s*$", holds="func")  # its name says when
_GOES_ON = regex(r"\s+[(.?&|]")  # with the statement above it
_ADDRESS = regex(r"\b(?:0x)?(?=\w*\d)[\da-fA-F]{6,16}\b")
_GUARDS = regex(r"#\s*(?:if|ifn?def|el\w+|endif|line|undef|pragma)\b|[\w:<>,~]+::[\w<~]+$")  # or a name alone
_CLAUSE = regex(r"(?i:select|from|where|group by|having|order by|limit|(?:inner |left |right )?join)\b")
_ASSIGNS = regex(
    r"(?:const|let|var) \w+(?:: [^=]+)? = (?:(?:async )?(?:\([^()]*\)|\w+)(?:: [^=]+)? => \{|\w*[cC]allback\(.*)$"
)
_TESTING = "#[cfg(test)]"  # above what is compiled for tests alone
_TODOS = ("TODO", "FIXME", "XXX", "HACK")
_TODO = regex(rf"\b({'|'.join(_TODOS)})\b")


@record
class Definition:
    """A definition and the lines it spans (payload indices, inclusive)."""

    start: int
    end: int
    name: str
    indent: int
    depth: int


class Scan:
    """One pass over a view: the weight of every line, the definitions, the imports, the odd lines."""

    def __init__(self, view: View, languages: list[str]) -> None:
        self.view, self.texts, self.languages = view, view.texts, languages
        self.weights = [0.0] * len(view.texts)
        self.definitions: list[Definition] = []
        self.todo_lines: dict[str, list[int]] = {}
        self.marked = holding(view.texts, _TODOS)
        self.named: dict[int, str] = {}  # lines that define a name of a program, or a test
        self.tabled = set[int]()  # lines of entries that tables tell of
        self.aside = set[int]()  # lines of tests that stand in the file of what they test
        self.wholes: dict[int, int] = {}  # first lines of these and of their parts, and the lines behind them
        self.comments: set[int] = set()  # lines of comments and documentation strings
        self.conflicts: list[int] = []
        self.licences: list[list[int]] = []  # first and last lines of such texts within a configuration
        self.coded: list[int] = []  # indices of lines that say something
        self.above = [-1] * len(view.texts)  # what each line stands under
        self.tallies: dict[bool, oddlines.Tally] = {}
        self.beside = not CONFIGURATION.issuperset(languages)
        for region, language in zip(view.regions, languages, strict=True):
            _Pass(self, region, language).run()
        self.tests = [
            d for d in self.definitions if d.name[:4].lower() == "test" or lang.TEST.match(view.texts[d.start].strip())
        ]
        self.tested = {i for d in self.tests for i in range(d.start, d.end + 1)}.difference(self.comments, self.aside)
        self.mostly = 2 * len(self.tested) > len(view.texts)  # a file of tests
        self.rows = rows(view.texts, range(len(view.texts)) if self.mostly else self.tested)
        for row in (row for row in self.rows if row.name and row.named not in self.named):
            self.weights[row.named] = NAMES_TEST
        for i in view.outside:  # what the tool says around the file; its remark on missing lines is a note
            self.weights[i] = 0.0

    @property
    def own(self) -> list[Definition]:
        """The definitions with a name of a program, and tests."""
        return [d for d in self.definitions if d.start in self.named]

    def number(self, i: int) -> int:
        """The number by which a line is told: the file's, else that of this result."""
        return self.view.numbers[i] or i + 1

    def conflict(self, i: int, head: str) -> None:
        """A line of a merge conflict; one of equal signs only where a conflict is open."""
        self.conflicts += [i] if head[0] in "<>" or self.conflicts else []
        self.weights[i] = PLAIN

    def leads(self) -> list[int]:
        """Of each line the one that it is shown with: the nearest above that leads to it or that it is in;
        of a comment right above a definition the line that defines it."""
        texts = self.texts
        weighed = [*zip(self.weights, texts, strict=True)]
        leading = [
            w > 0 and (w >= LEADS or i in self.named or leads(text, conditions=False) or _RUNS.match(text) is not None)
            for i, (w, text) in enumerate(weighed)
        ]
        calls = heads(self.above, [w > 0 and nesting.CALLED.match(text, 0, LOOK) is not None for w, text in weighed])
        nearest = [head if head >= 0 else call for head, call in zip(heads(self.above, leading), calls, strict=True)]
        near = [1 if _CHEAP.match(texts[own]) else i - own for i, own in enumerate(self.above)]
        lines = zip(nearest, self.above, near, texts, strict=True)
        owners = [own if governed(text, texts[own], n) or _GOES_ON.match(text) else top for top, own, n, text in lines]
        for i in range(1, len(owners)):
            if _CHECKED.match(texts[i]) and texts[i - 1].strip():
                owners[i] = self.above[i - 1] if texts[i - 1].lstrip()[:1] in ")}" else i - 1
        subjects = subjects_of(texts, self.comments)
        defined = {d.start for d in self.definitions}
        for i, of in subjects.items():
            below = subjects.get(owners[of]) == of  # it stands below one of these lines
            if not below and (of in defined or (self.weights[i] < PLAIN and self.weights[of] > CLOSES)):
                owners[i] = of
        marks = Counter(texts[at - 1].strip() for at in defined if at)
        for at in defined:
            mark = texts[at - 1].strip() if owners[at - 1] == at > 0 and at - 1 not in self.comments else ""
            if _MARK.match(mark) and marks[mark] * MAX_MARKED <= len(defined):
                owners[at - 1], owners[at] = owners[at], at - 1
        return owners

    def todo(self, head: str, i: int) -> None:
        if i in self.marked and (match := _TODO.search(head)) and head[match.start() - 1 : match.start()] != '"':
            self.todo_lines.setdefault(match[1], []).append(i)


class _Pass:
    """One pass over the lines of a file: what is open, and what each line weighs."""

    def __init__(self, scan: Scan, region: Region, language: str) -> None:
        self.scan, self.region, self.language = scan, region, language
        self.texts, self.weights = scan.texts, scan.weights
        self.pattern = lang.definition(language)
        self.config = language in CONFIGURATION
        self.tally = scan.tallies.setdefault(self.config, oddlines.Tally(literals_only=not self.config))
        self.stack: list[Definition] = []
        self.quoting = ""  # inside a documentation string or block comment: what ends it
        self.literal = -1  # the last line of a text of several lines, in which nothing is defined
        self.flush, self.sample = FAR, FAR  # columns of the last line of a documentation, of the one above a sample
        self.licence = licence(scan.view, region)
        self.importing = self.listing = False  # within Go's import ( … ), JavaScript's import { … } or export { … }
        self.imports = 0
        self.later = self.licensed = self.shell = False  # within a part of documentation, a licence, a session
        self.opening = next(filter(None, scan.view.numbers[region.start : region.end]), 0) <= 1  # above all statements
        self.paragraph = self.defined = -2  # the last line of the opening comment that says nothing, that defines
        self.opened = False  # has a definition begun
        self.purpose = -1  # the line that tells what the file is for
        self.macros: dict[int, re.Match[str]] = {}  # lines that define something by one
        self.known: dict[str, float] = {}  # short statements that define, import and test nothing: they repeat

    def run(self) -> None:
        view, region, texts = self.scan.view, self.region, self.texts
        inside = ["" if i in view.outside else texts[i] for i in range(region.start, region.end)]
        if self.language in ("C", "C++"):
            inside = nesting.indented(inside)
            self.macros = {region.start + k: match for k, match in lang.by_macro(inside).items()}
        begun, self.quoting = begins_within(inside, self.pattern, self.opening, self.language)
        self.literal = region.start + begun - 1  # but for a documentation string
        above, within = enclosing([""] * begun + inside[begun:]), [False] * len(inside)
        if self.language == "YAML":
            above, within = conditioned(inside, above), lang.scalars(inside)
        self.scan.above[region.start : region.end] = [region.start + k if k >= 0 else -1 for k in above]
        known = len(self.scan.definitions)
        commented = self.language != "Markdown"
        own = OWN_COMMENTS.get(self.language)
        for i, line in enumerate(inside, region.start):
            head = line.strip()[:LOOK]
            if not head:
                continue
            if within[(k := i - region.start)]:
                self._text(i, head, not (k and within[k - 1]))
            elif self.quoting:
                self._quoted(i, line, head)
            elif i <= self.literal:
                self.scan.coded.append(i)
                self.weights[i] = 0.0 if _CLOSERS.match(head) else TEXT
            elif head[0] in "<>=|" and line[0] == head[0] and head.startswith(_CONFLICT):
                self.scan.conflict(i, head)
            elif (commented and head[0] in COMMENTS and COMMENT.match(head)) or (own is not None and own.match(head)):
                self._comment(i, head)
            else:
                self._statement(i, line, head)
        self._end(self.scan.definitions[known:])

    def _end(self, own: list[Definition]) -> None:
        """What tests the program of a file (of Rust), and how a component looks, comes behind it."""
        within = [d for d in own if d.start and self.texts[d.start - 1].strip() == _TESTING]
        lines = {i for d in within for i in range(d.start, d.end + 1)}
        region = range(self.region.start, self.region.end)
        styled = next((i for i in region if self.texts[i].startswith("<style")), region.stop)
        for i in range(styled, region.stop) if self.language in COMPONENTS else ():
            self.weights[i] *= ASIDE
        comments = self.scan.comments.intersection(region).difference(self.scan.named)
        shapes = {i: _ADDRESS.sub("0", self.texts[i].strip()) for i in comments if _ADDRESS.search(self.texts[i])}
        often = Counter(shapes.values())
        for i in (i for i, shape in shapes.items() if often[shape] >= GENERATED):
            self.weights[i] = 0.0
        if any(d.start not in lines and d.end > d.start for d in own):
            self.scan.aside |= lines
            for i in lines:
                self.weights[i] = PLAIN if i in self.scan.named else self.weights[i] * ASIDE

    def _text(self, i: int, head: str, begins: bool) -> None:
        """A line of a block scalar of YAML: no key, whatever it looks like; those of a licence say nothing."""
        if begins:
            self.licensed = _LICENSED.search(" ".join(self.texts[i : i + LICENCE_TITLE])) is not None
            self.scan.licences += [[i, i]] if self.licensed else []
        if self.licensed:
            self.scan.licences[-1][1] = i
        comment = head[0] in COMMENTS and COMMENT.match(head) is not None
        self.weights[i] = 0.0 if self.licensed or _CLOSERS.match(head) else COMMENTED if comment else TEXT

    def _quoted(self, i: int, line: str, head: str) -> None:
        if self.quoting in (line.replace('""', "") if self.quoting == '"' else line):  # C# doubles what ends nothing
            self.quoting = ""
        self.scan.comments.add(i)
        self.later = (self.later or not self.texts[i - 1].strip()) and self.quoting > ""  # but for the first paragraph
        weight = self._remark(i, head, QUOTED * (TAG.match(head) is None) * (LATER if self.later else 1.0))
        weight = LICENCE if _RULER.match("".join(self.texts[i + 1 : i + 2])) else weight  # a title
        self.weights[i] = 0.0 if _CLOSERS.match(head) else min(weight, SAMPLE) if self._sampled(i) else weight
        self.scan.todo(head, i)

    def _comment(self, i: int, head: str) -> None:
        self.quoting = opens(head) if self.language != "Vim script" else ""
        self.scan.comments.add(i)
        if self.language in _SCRIPTS and self._heads(i, head):
            self.weights[i], self.scan.named[i] = NAMES_TEST, SECTIONS
            self.scan.definitions.append(Definition(i, i, head.strip("#=- ")[:NAME], 0, 0))
            return
        documents = self.quoting and (i - self.defined <= 1 or self.language in _DOCUMENTED_ABOVE)
        weight = self._remark(i, head, PLAIN if documents else COMMENTED)
        weight = min(weight, SAMPLE) if self._sampled(i) else weight
        nothing = LITTLE if self.quoting and head.lstrip("rf").startswith(QUOTES[1:]) else 0.0
        self.weights[i] = nothing if _CLOSERS.match(head) else weight
        self.scan.todo(head, i)

    def _sampled(self, i: int) -> bool:
        """Whether a line of a comment or a documentation belongs to a sample: it stands further in, below a blank
        line. Its names are those of an example."""
        begins = {"*/": " *", "": " #/!-"}.get(self.quoting, " ")
        text = self.texts[i].expandtabs(4)
        columns = len(text) - len(text.lstrip(begins))
        begun = not self.texts[i - 1].strip(begins)
        if columns <= self.sample or (begun and self.shell):
            self.sample, self.shell = FAR, False
        if text[columns:].startswith(">>> "):  # what it prints follows
            self.sample, self.shell = min(self.sample, columns - 1), True
        if begun and columns >= self.flush + SAMPLED:
            self.sample = min(self.sample, self.flush)
        self.flush = columns
        return self.sample < columns

    def _heads(self, i: int, head: str) -> bool:
        """Whether a comment says what the statements right below it do, up to the next blank line."""
        above, below = self.texts[i - 1].strip() if i else "", "".join(self.texts[i + 1 : i + 2]).strip()
        outermost = self.texts[i][0] == head[0] and not (above or self.opening or i in self.licence)
        return outermost and below > "" and len(_SPOKEN.findall(head)) > 1

    def _remark(self, i: int, head: str, weight: float) -> float:
        """The weight of a line of a comment: the first one above all statements tells what the file is for."""
        if i in self.licence:
            return LICENCE
        if self.opening and _DIRECTIVE.match(head):  # says nothing of the file
            self.scan.comments.discard(i)
            return LICENCE
        if self.opening and self.purpose < 0 and len(_SPOKEN.findall(head)) >= SAYS:
            self.purpose = i
            return PURPOSE
        begins = self.opening and i == self.paragraph + 1
        self.paragraph = i if self.opening and not any(map(str.isalnum, head)) else self.paragraph
        return NAMES_TEST if begins and 0 <= self.purpose < i - 1 else PLAIN if self.opening else weight

    def _statement(self, i: int, line: str, head: str) -> None:
        indent = len(line) - len(line.lstrip())
        self.flush = self.sample = FAR
        closer = head[0] in "})]" or head in ("end", "end;", "fi", "done", "{", "begin")
        self._close(i, head, indent, closer)
        if closer and (len(head) <= SHORT_CLOSER or _CLOSERS.match(head)):
            self.weights[i] = LITTLE if BRANCH.match(head) else OPENS if head == "{" else CLOSES
            self.importing = self.listing = False
            return
        self.scan.coded.append(i)
        above = self.purpose if self.opening and self.language in _SCRIPTS else 0
        self.opening = self.opening and (IMPORT.match(head) or _PRELUDE.match(head)) is not None
        if above > 0 and self.texts[above - 1][:2] != "#!" and self.scan.comments.issuperset(range(above, i)):
            self.weights[above] = COMMENTED  # it is said of this statement
        own = self.stack[-1].name if self.stack and self.defined == i - 1 else ""
        called = head.removeprefix("return ").removeprefix("await ").partition(f".{own}(")
        weight = DELEGATES if own and called[1] and " " not in called[0] else self._weight(i, head, indent)
        if self.language == "Python" and head.startswith(('"""', "'''", 'r"""', 'f"""')):
            self.quoting = opens(head.lstrip("rf"))
        elif self.language == "Elixir" and head[0] == "@" and head.endswith('"""'):
            self.quoting, self.opening = '"""', head.startswith("@moduledoc")
            self.scan.comments.add(i)  # what it begins stands with it
        elif not self.config and (end := literal_end(self.texts, i, self.region.end, self.language)):
            self.literal = end
            if end - i <= TEXT_LINES and sum(map(len, self.texts[i : end + 1])) <= TEXT_ROOM:
                self.scan.wholes[i] = end + 1
        elif self.language == "C#" and '@"' in head and '"' not in head.rpartition('@"')[2].replace('""', ""):
            self.quoting = '"'
        self.weights[i] = LICENCE if i in self.licence else weight
        if self._has_keys(line, head):
            self.tally.add(i, line)
        self.scan.todo(head, i)

    def _has_keys(self, line: str, head: str) -> bool:
        """Not in text, a stylesheet (every value is its own), recipes and statements."""
        if self.language == "SQL":
            return head[0] == "(" or head[:6].lower() == "insert"
        return self.language not in ("Markdown", "CSS") and not (self.language == "Makefile" and line[0] == "\t")

    def _close(self, i: int, head: str, indent: int, closer: bool) -> None:
        """Ends the definitions that this line does not belong to."""
        stack = self.stack
        while stack and stack[-1].indent >= indent:
            top = stack[-1]
            if closer and top.indent == indent:
                top.end = i
                if (head[0] in "}]ef" and not head.endswith("{")) or head == "done":  # else its body begins
                    stack.pop()
                break
            stack.pop()
        for outer in stack:
            outer.end = i

    def _weight(self, i: int, head: str, indent: int) -> float:
        self.listing = bool((head[-1] == "{" and _LISTS.match(head)) or (self.listing and _LISTED.match(head)))
        if self.listing:  # says nothing without where it comes from
            return CLOSES
        match = self.macros.get(i)
        if match is None and not self.importing and head in self.known:
            return self.known[head]
        match = self.pattern.match(head) if match is None and self.pattern is not None else match
        inner = match is not None and (match.lastgroup == "top" or self.language == "Go")  # Go's inner ones are local
        further = self.language == "CSS" and "".join(self.texts[i - 1 : i]).endswith(",")  # one of many selectors
        if match is not None and not (further or _SAME.match(head) or self._local(head, inner and indent > 0)):
            self.defined = i
            return self._define(match, i, indent)
        if self.config:
            weight = self._setting(i, head, indent)
            return weight * BESIDE if self.scan.beside and SET < weight < PINNED else weight
        if IMPORT.match(head):
            self.importing = head.count("(") > head.count(")")
            return self._imported(head)
        if self.importing:
            self.importing = self.language == "Go" or ")" not in head  # one of Go holds many
            return self._imported(head) if self.language == "Go" else MIN
        if title := lang.titled(head, "".join(self.texts[i + 1 : i + 2])):
            self._open(i, title, indent, TITLES)
            return NAMES_TEST
        weight = _weight_of(head)
        return self.known.setdefault(head, weight) if match is None and len(head) <= REPEATED else weight

    def _local(self, head: str, inner: bool) -> bool:
        """Whether a line defines nothing for others: it is ``inner``, but for a function of JavaScript right within
        another one, as those of components are, or overrides what an object without a name has, within a function."""
        if inner and not (len(self.stack) == 1 and head.endswith(("=> {", "(")) and _ASSIGNS.match(head)):
            return True
        over = self.texts[self.stack[-1].start] if self.stack and _OVERRIDES.match(head) else ""
        return over > "" and set(_TYPES).isdisjoint(over.split())

    def _setting(self, i: int, head: str, indent: int) -> float:
        entry = _ENTRY.match(head) if self.language == "YAML" else None
        if entry is not None and (self.scan.above[i] < 0 or self.texts[self.scan.above[i]][0] != " "):
            self.stack.append(Definition(i, i, entry[1].strip()[:NAME], indent, 0))  # what the list of a file is about
            self.scan.definitions.append(self.stack[-1])
            self.scan.named[i] = "named entries"
            return NAMES_TEST
        over = self.scan.above[i] if self.language == "TOML" else -1
        listed = _LISTED_TEXT.match(head) is not None
        if over >= 0 and _NEEDS.match(self.texts[over].strip()):
            needed = IS if _IS.match(head) else DEFINED[0] if listed else NEEDED
            return PINNED if _PINNED.match(head) else needed
        aside = self.language == "YAML" and self.texts[self.scan.above[i]].strip() == "annotations:"
        if aside or listed:
            return LITTLE if aside else ENTRY
        if self.language == "SQL" and not indent and _CLAUSE.match(head):
            return NAMES_TEST  # of the query that all tables above are for
        return SET if head[-1] == "{" or "=" in head or _KEY.match(head) else PLAIN  # a block leads to what it holds

    def _imported(self, head: str) -> float:
        if head.endswith(("(", "{")):  # the names stand below
            return CLOSES
        self.imports += 1
        return max(MIN, PLAIN * FURTHER ** max(0, self.imports - IMPORTS))  # the lines below use what they name

    def _define(self, match: re.Match[str], i: int, indent: int) -> float:
        grouped = _GROUPED.match("".join(self.texts[i + 1 : i + 2])) if self.language == "Go" else None
        name = lang.named(match) or (grouped[1] if grouped else "")
        of_all = self.opened or self.purpose < 0 or match.groupdict().get("k") in _TYPES
        if not of_all and self.scan.comments.issuperset(range(self.purpose, i)):  # it is said of a function
            self.weights[self.purpose] = PLAIN
        text = self.texts[i].strip()
        value = match.lastgroup == "top" and not match.groupdict().get("c") and not _ASSIGNS.match(text)
        heads = self.language == "Go" and text.endswith(" (")
        kind = MACROS if text[:1] == "#" else VALUES if value else GROUPS if heads else SIGNATURES
        depth = self._open(i, name.strip().rstrip(":."), indent, kind)
        if self.language in OUTLINED and self.texts[i].rstrip().endswith((":", "]")):
            return SET  # a key alone, a section: the tree names it
        return PLAIN if heads else DEFINED[min(depth, len(DEFINED) - 1)]

    def _open(self, i: int, name: str, indent: int, kind: str) -> int:
        """A definition begins; how deep it is in others."""
        depth, self.opened = len(self.stack), True
        self.stack.append(Definition(i, i, name[:NAME] + "…" * (len(name) > NAME), indent, depth))
        self.scan.definitions.append(self.stack[-1])
        if self.language in NAMED or not (self.config or self.language == "Markdown"):
            self.scan.named[i] = NAMED.get(self.language, kind)
        return depth


def _weight_of(head: str) -> float:
    """The weight of a line that defines, imports and tests nothing."""
    if head.startswith(("__version__ ", "</")):
        return CLOSES if head[0] == "<" else VERSION
    if BARE.match(head) or _SAME.match(head) or _GUARDS.match(head):
        return LITTLE
    if head[0] == "@" or _FIELD.match(head):
        return PLAIN if head[0] == "@" else SET
    if _TELLING.search(head):
        return TRUSTS if _TRUSTS.search(head) else TELLS
    if not any(map(str.isalnum, head)):
        return LITTLE * (nesting.CALLED.match(head) is not None)
    return LITTLE if BRANCH.match(head) else PLAIN
