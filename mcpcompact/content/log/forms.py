"""Findings of linters and compilers in one form, ``file:line:column: text [rule]``, whatever their tool writes; what
only belongs to one (quoted source, carets, notes, the rest of its text) is no line of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mcpcompact.content.log.entries import ARROW, GUTTER, PLACED, indent_of
from mcpcompact.patterns import regex

Lines = Sequence[tuple[int, str]]

WIDEST: Final = 1_000  # characters of a line that are looked at
_CARETS: Final = regex(r"\s*[\^~][\^~ -]*$", holds=("^", "~"))
_ANNOTATED: Final = regex(r"::(error|warning|notice) [^\n]{1,900}?::(?=\S)", holds="::")  # a workflow command of GitHub
_IN_WORDS: Final = regex(r"(\S.{0,240}?): line (\d+), col (\d+), (Error|Warning|Info) - (.*)", holds=", col ")  # eslint
_CODED: Final = regex(r"[A-Z]{1,6}\d{2,5} |\s{0,8}(?:error|warning)(?:\[\w+\])?: ")  # of Ruff, and of rustc
_GROUPED: Final = regex(r"\s{1,8}(\d{1,7}:\d{1,7}) {1,4}([A-Z]{1,6}\d{2,5} .*)")
_PLACED: Final = regex(r"(\s*)(?:[A-Za-z]:)?[^\s:()\[\]]{1,240}\.\w{1,8}[:(](\d{1,7})\b[^\s]{0,12}(?: -)? ")
_SHELL: Final = regex(r"In (\S.{0,240}) line (\d+):$", holds="In ")
_CARET_SAYS: Final = regex(r"\s*\^[-^]*\^? (SC\d+) \((\w+)\): (.*)", holds="^")
_NOTE: Final = regex(r".{1,300}?: note: (?!.*\s\[[\w.-]+\]$)", holds="note: ")  # without a rule of its own
_FROM: Final = regex(
    r"In file included from |\s+from \S+:\d+"
    r"|\S+?:(?:\d+:){0,2} {1,4}(?:In |At |.{0,20}required (?:from|by)|instantiated from)"
)
_SHELL_ENDS: Final = "For more information:"
_ISSUE: Final = regex(r">> Issue: \[(\w+)(?::\w+)?\] (.*)", holds=">> Issue: [")
_SEVERITY: Final = regex(r"\s+Severity: (\w+)", holds="Severity: ")
_LOCATION: Final = regex(r"\s+Location: (\S+:\d+:\d+)", holds="Location: ")
ISSUE: Final = 6  # lines below one of Bandit's, in which its place stands
_SOURCE: Final = regex(r"\d{1,7}(?:\t|$)")  # a line of it with its number
AT_LINE: Final = regex(
    r"(?![\[\d<\s])(?:(?P<path>\S{1,240}(?:\.\w{1,8}|/[\w+-]{1,80}))(?::| -) )?"
    r"(?:\*{3} )?(?:(?P<level>(?i:error|warning)): +)?"
    r"(?P<text>\S.{0,300}?)(?: in (?P<file>\S{1,240}\.\w{1,8}))? (?:at|on) (?:(?P<at>\S{1,240}\.\w{1,8}) )?"
    r"line (?P<row>\d{1,7})(?:, column (?P<column>\d{1,5}))?(?:\.?$|\. .*?(?:\(Severity: (?P<grade>\d)\))?$"
    r"| in file (?P<last>\S+)$| \(check: (?P<rule>\w+)\)$|, near )",
    holds=" line ",
)
"""Where it is stands behind what is said (perlcritic, podchecker, puppet-lint, perl and PHP themselves)."""
_BY_RULE: Final = regex(r"([a-z]+(?:-[a-z]+)*(?:\[[\w.-]+\])?): (\S.*)")  # ansible-lint's; the place stands below
_TASK_AT: Final = regex(r"(\S{1,240}\.ya?ml:\d{1,7}(?::\d{1,5})?)(?: Task/Handler: |$)")
_GRAVE: Final = regex(r"(ERROR|WARNING|CHECK): (\S.*)")  # checkpatch's; its place, too
_FILE_AT: Final = regex(r"#\d{1,7}: FILE: (\S{1,240}:\d{1,7}):$", holds=": FILE: ")
# hadolint's
_CODE_FIRST: Final = regex(r"(\S{1,240}:\d{1,7}(?::\d{1,5})?) ([A-Z]{2,4}\d{3,5}) (error|warning|info|style): (.*)")
_RULE: Final = regex(r"(?<!\S)[\[(](?:[\w./@-]*[a-z][\w./@-]*|[A-Z]+\d+)[\])]\s*$")  # at the end of a text


class Reading:
    """What is known at a line: the finding that it may go on from, and what that one looks like."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []
        self.within = False  # a finding, the last one told
        self.indent = 0  # of that finding
        self.place = ""  # the number of the line that it is about
        self.file = ""  # a heading above
        self.verbatim = False  # below a place; what was found there stands below it
        self.script: re.Match[str] | None = None  # ShellCheck's heading, and no end of it yet

    def read(self, lines: Lines) -> Lines:
        for at, (number, line) in enumerate(lines):
            below = lines[at + 1 : at + 1 + ISSUE]
            head, then = line[:WIDEST], below[0][1] if below else ""
            self.script = _SHELL.match(head) or self.script
            if self.within and not self.script and indent_of(head) > self.indent and _PLACED.match(head):
                continue  # what else it has to do with
            if finding := _shell(head, self.script) or _issue(head, below) or _one(head, then, self.file):
                self._begin(number, finding, head)
            elif not (self.script or self._goes_on(head, then)):
                self._leave(number, line, then)
            self.script = None if head.startswith(_SHELL_ENDS) else self.script
        return self.lines

    def _begin(self, number: int, finding: str, head: str) -> None:
        self.lines.append((number, finding))
        self.within, self.verbatim, start = True, False, _PLACED.match(head)
        self.indent, self.place = (len(start[1]), start[2]) if start else (0, "")

    def _goes_on(self, line: str, below: str) -> bool:
        """Whether a line goes on from the finding above; the rule may stand at its end."""
        if not self.within:
            return False
        number, finding = self.lines[-1]
        ends = None if _RULE.search(finding) or _NOTE.match(line[:WIDEST]) else _RULE.search(line)
        belongs = _belongs(line, below, self.indent, self.place)
        if ends:
            self.lines[-1] = number, f"{finding.rstrip()} {ends[0] if belongs else line.strip()}"
        return belongs or ends is not None

    def _leave(self, number: int, line: str, below: str) -> None:
        if _NOTE.match(line[:WIDEST]) or _FROM.match(line[:WIDEST]):  # leads to a finding, or goes on from one
            return
        self.verbatim = self.verbatim or PLACED.match(line[:WIDEST]) is not None
        if not self.verbatim and (_CARETS.match(line[:WIDEST]) or _CARETS.match(below)):
            return
        self.within = False
        self.file = line.strip().removesuffix(":") if line[:1].strip() else self.file
        self.lines.append((number, line))


def _one(line: str, below: str, file: str) -> str:
    """The finding that a line begins, in the one form; empty for other lines."""
    if any(pattern.match(line) for pattern in (_NOTE, _FROM, PLACED, _TASK_AT)):  # of PLACED what it found is below
        return ""
    if annotated := _ANNOTATED.match(line):
        return line[annotated.end() :]
    if words := _IN_WORDS.match(line):
        path, row, column, level, text = words.groups()
        return f"{path}:{row}:{column}: {level.lower()}: {text}"
    if _CODED.match(line) and (arrow := ARROW.match(below)):
        return f"{arrow[1]}: {line}"
    if grouped := _GROUPED.match(line):
        return f"{file}:{grouped[1]}: {grouped[2]}"
    if graved := _GRAVE.match(line):
        place = _FILE_AT.match(below)
        return f"{place[1]}: {graved[1].lower()}: {graved[2]}" if place else _at_line(line)
    if (ruled := _BY_RULE.match(line)) and (place := _TASK_AT.match(below)):
        return f"{place[1]}: {ruled[2]} [{ruled[1]}]"
    if first := _CODE_FIRST.match(line):
        return f"{first[1]}: {first[3]}: {first[4]} [{first[2]}]"
    return line if _PLACED.match(line) else _at_line(line)


def _at_line(line: str) -> str:
    if not (match := AT_LINE.match(line) if " line " in line else None):
        return ""
    place = ":".join(filter(None, (match["row"], match["column"])))
    file = match["path"] or match["file"] or match["at"] or match["last"] or ""
    level = f"severity {match['grade']}" if match["grade"] else (match["level"] or "").lower()
    return f"{file}:{place}: {level}{': ' * bool(level)}{match['text']}" + f" [{match['rule']}]" * bool(match["rule"])


def _shell(line: str, script: re.Match[str] | None) -> str:
    """One of ShellCheck's, below the line of the script that it is about."""
    says = _CARET_SAYS.match(line) if script else None
    return f"{script[1]}:{script[2]}: {says[2]}: {says[3]} [{says[1]}]" if script and says else ""


def _issue(line: str, below: Lines) -> str:
    """One of Bandit's: its rule and message, and below them how grave it is and where."""
    issue = _ISSUE.match(line)
    graves = (_SEVERITY.match(other) for _, other in below) if issue else ()
    places = (_LOCATION.match(other) for _, other in below) if issue else ()
    grave, place = next(filter(None, graves), None), next(filter(None, places), None)
    return f"{place[1]}: {grave[1].lower()}: {issue[2]} [{issue[1]}]" if issue and grave and place else ""


def _belongs(line: str, below: str, indent: int, place: str) -> bool:
    """Whether a line goes on from the finding above: indented further, its place, its source, a note on it."""
    if _CARETS.match(below) or any(one.match(line) for one in (_FILE_AT, _TASK_AT, _CARETS, ARROW, _NOTE, _FROM)):
        return True
    if indent_of(line) > indent or line.startswith((f"{place} ", f"{place}\t", "help: ", "+")):
        return True
    return not line.strip() or _SOURCE.match(line) is not None or GUTTER.match(line) is not None
