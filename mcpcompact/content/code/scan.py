"""One pass over a view of code: what every line weighs, what is defined, imported, to be done, in conflict."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from mcpcompact.content.anomalies import lines as oddlines
from mcpcompact.content.shared.languages import COMMENT, CONFIGURATION, IMPORT, TEST, definition
from mcpcompact.content.shared.nesting import BARE, BRANCH, enclosing
from mcpcompact.content.shared.views import Region, View
from mcpcompact.patterns import regex

LOOK = 240  # characters of a line that decide its kind
_CLOSERS = regex(
    r"[\s{}()\[\];,:*/<>#=~_\-\"'`|+.]*(?:(?:end|fi|done|esac|else|then|begin|\*/|try|finally|pass|default)\b:?[\s{}();,]*)?$"
)
_KEY = regex(r"(?:- )?[\"']?[A-Za-z_@$./][\w./@$ -]{0,60}[\"']?\s?(?::=|[:=])\s")
_TELLING = regex(r"[\"'`][\w@~.{}$-]*[/.:_-][\w./:@{}$-]+|\b\w{3,}\(|\w\.\w{3,}\(")
_LICENSE = regex(r"licen[sc]e|copyright|\(c\) \d{4}|SPDX-|all rights reserved", re.IGNORECASE)
LITTLE = 0.3  # weight of what says nothing without the lines around it
_TODO = regex(r"\b(TODO|FIXME|XXX|HACK)\b")


@dataclass(slots=True)
class Definition:
    """A definition and the lines it spans (payload indices, inclusive)."""

    start: int
    end: int
    kind: str
    name: str
    indent: int
    depth: int


class Scan:
    """One pass over a view: the weight of every line, the definitions, the imports, the odd lines."""

    def __init__(self, view: View, languages: list[str]) -> None:
        self.view = view
        self.weights = [0.0] * len(view.texts)
        self.definitions: list[Definition] = []
        self.todos: Counter[str] = Counter()
        self.todo_lines: dict[str, list[int]] = {}
        self.conflicts: list[int] = []
        self.coded: list[int] = []  # indices of lines that say something
        self.above = [-1] * len(view.texts)  # what each line stands under
        self.tallies: dict[bool, oddlines.Tally] = {}
        for region, language in zip(view.regions, languages, strict=True):
            self._region(region, language)
        for i in view.outside:  # what the tool says around the file; its remark on missing lines is a note
            self.weights[i] = 0.0

    def _region(self, region: Region, language: str) -> None:
        view, weights = self.view, self.weights
        texts = view.texts
        inside = ["" if i in view.outside else texts[i] for i in range(region.start, region.end)]
        self.above[region.start : region.end] = [region.start + k if k >= 0 else -1 for k in enclosing(inside)]
        pattern = definition(language)
        config = language in CONFIGURATION
        tally = self.tallies.setdefault(config, oddlines.Tally(literals_only=not config))
        stack: list[Definition] = []
        first_definition = len(self.definitions)
        quoting = ""  # inside a documentation string or block comment: what ends it
        documents = False  # it belongs to the definition above or below
        licence_until = _licence_end(texts, region)
        go_imports = False
        previous_definition = -2
        above = below = ""
        for i in range(region.start, region.end):
            if i in view.outside:
                continue
            line = texts[i]
            stripped = line.strip()
            if not stripped:
                continue
            head = stripped if len(stripped) <= LOOK else stripped[:LOOK]
            above, below = below, head
            if quoting:
                weights[i] = 0.0 if _CLOSERS.match(head) else 0.5
                if quoting in line:
                    quoting = ""
                if i < licence_until:
                    weights[i] = 0.1
                self._todo(head, i)
                continue
            if (
                head[0] in "<>=|"
                and head.startswith(("<<<<<<< ", ">>>>>>> ", "=======", "||||||| "))
                and line[0] == head[0]
            ):
                if head[0] in "<>" or self.conflicts:
                    self.conflicts.append(i)
                weights[i] = 1.0
                continue
            if COMMENT.match(head) and language != "Markdown":
                quoting = _opens(head)
                if head in ('"""', "'''") and above and not above.endswith((":", "(", "=", ",")):
                    quoting = ""  # a view that starts inside a documentation string: this ends it
                documents = bool(quoting) and (
                    i - previous_definition <= 1 or language in ("Java", "JavaScript", "TypeScript")
                )
                weights[i] = 0.1 if i < licence_until else 1.0 if documents else 0.6
                if _CLOSERS.match(head):
                    weights[i] = 0.0
                self._todo(head, i)
                continue
            indent = len(line) - len(line.lstrip())
            closer = head[0] in "})]" or head in ("end", "end;", "fi", "done", "{", "begin")
            while stack and stack[-1].indent >= indent:
                top = stack[-1]
                if closer and top.indent == indent:
                    top.end = i
                    if head[0] in "}]" or head[0] in "ef" or head == "done":
                        stack.pop()
                    break
                stack.pop()
            if stack:
                for open_definition in stack:
                    open_definition.end = i
            if closer and (len(head) <= 3 or _CLOSERS.match(head)):
                if BRANCH.match(head):
                    weights[i] = LITTLE
                continue
            self.coded.append(i)
            weight = 1.0
            found = pattern.match(head) if pattern is not None else None
            if found is not None and (found.lastgroup != "top" or indent == 0):
                weight = self._define(found, i, indent, stack)
                previous_definition = i
            elif not config and IMPORT.match(head):
                weight = 1.5
                go_imports = head.endswith("(")
            elif go_imports and language == "Go":
                weight = 1.5
                if head[0] == ")":
                    go_imports = False
            elif config:
                weight = 1.5 if _KEY.match(head) or "=" in head else 1.0
            elif TEST.match(head):
                weight = 2.0
            elif BARE.match(head):
                weight = LITTLE
            elif head[0] == "@":
                weight = 1.0
            elif _TELLING.search(head):
                weight = 1.3
            elif not any(c.isalnum() for c in head):
                weight = 0.0
            elif BRANCH.match(head):
                weight = LITTLE
            if language == "Python" and head.startswith(('"""', "'''", 'r"""', 'f"""')):
                quoting = _opens(head.lstrip("rf"))
            weights[i] = 0.1 if i < licence_until else weight
            if language != "Markdown":
                tally.add(i, line)
            if "TODO" in head or "FIXME" in head or "XXX" in head or "HACK" in head:
                self._todo(head, i)
        for d in self.definitions[first_definition:]:
            while d.end > d.start and not texts[d.end].strip():
                d.end -= 1

    def _define(self, found: re.Match[str], i: int, indent: int, stack: list[Definition]) -> float:
        names = found.re.groupindex
        keyword = found.group("k") if "k" in names and found.group("k") else ""
        name = next((g for g in (found.group(n) if n in names else None for n in "abc") if g), "")
        kind = " ".join(keyword.split()) if keyword else ""
        if len(name) > 60:
            name = name[:60] + "…"
        d = Definition(i, i, kind, name.strip().rstrip(":."), indent, len(stack))
        self.definitions.append(d)
        stack.append(d)
        return 3.0 if not d.depth else 2.6 if d.depth == 1 else 1.8

    def _todo(self, head: str, i: int) -> None:
        found = _TODO.search(head)
        if found:
            self.todos[found.group(1)] += 1
            self.todo_lines.setdefault(found.group(1), []).append(i)


def _opens(head: str) -> str:
    """What ends the comment or documentation string that starts here, '' if it ends in the same line."""
    for start, end in (('"""', '"""'), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->")):
        if head.startswith(start):
            return "" if end in head[len(start) :] else end
    return ""


def _licence_end(texts: list[str], region: Region) -> int:
    """The index behind a licence header: the first comment block, if it speaks of licence or copyright."""
    speaks = False
    for i in range(region.start, min(region.end, region.start + 60)):
        head = texts[i].strip()[:LOOK]
        if head and not COMMENT.match(head) and not (i > region.start and speaks and not re.search(r"[(){};=]", head)):
            return i if speaks else region.start
        speaks = speaks or bool(_LICENSE.search(head))
    return region.start
