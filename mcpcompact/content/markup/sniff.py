"""Is it HTML, XML, Markdown, reStructuredText or the snapshot of a page?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from mcpcompact.content.markup import shapes
from mcpcompact.content.shared.evidence import DIFF, STAMP, share
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample, split_lines

_NUMBERED = regex(r"\s{0,8}\d{1,7}(?:→|\t|: ?| \| )")
_CODE_LINE = regex(
    r"\s*(?:def |class |import |from \S+ import|function |func |fn |if |elif |else\b|for |while |return\b|export |"
    r"const |let |var |public |private |package |use |#include|#define|"
    r"echo |set |fi$|done$|esac$|\}|\{)|[^;{}]*+[;{}]\s*$"
    r"|\s*(?:- )?[\w.\"'-]{1,40}:(?:\s|$)|[A-Za-z_][\w.]{0,40}\s*=\s?\S"
)
_STRONG_CODE = regex(
    r"\s*(?:def \w+\(|class \w+[(:]|import \w+$|import \w+ as |from [\w.]+ import |#include|package \w+;?$|func \w*\(|"
    r"async def |@\w+(?:\(|$)|public \w+ \w+|private \w+ \w+|\w+ = \w+\(.*\)$|return \w+[;(.]|fi$|done$|\w+=\"?\$)"
)
_SENTENCE = regex(r"[A-Z\"'(“]?\w.* [a-z]+ [a-z]+ [a-z]+ ")  # or a part of one
_UNDERLINE = regex(r"(?:=+|-+)\s*$", holds="=-")
_LOG_LINE = regex(rf"{STAMP}|(?:INFO|WARN|ERROR|DEBUG)\b")
_SIGNALS = (
    ("link", shapes.LINK),
    ("list", regex(rf"^{shapes.LIST.pattern}")),
    ("table", regex(rf"^{shapes.RULE.pattern}", holds=("--",))),
    ("emphasis", regex(r"(?<![\w*])\*\*[^*\s][^*\n]{0,200}\*\*|(?<![\w`])`[^`\n]{1,200}`(?!`)", holds=("**", "`"))),
    ("quote", regex(r"^> \S", holds=">")),
)

LOOK, WIDTH = 2_000, 500  # lines that tell what it is, and characters of each
TAIL = 4_000  # characters in which the first element is closed
OPENING, FRONT = 3, 60  # lines: in which a diff shows, in which front matter ends
TAGGED, FEW_TAGS = 0.1, 4  # share of the characters that tags have, and tags, in a text without an end
NUMBERED, LOGGED, CODED = 0.6, 0.3, 0.3  # shares of lines of other types
FENCED, BARE = 3, 1  # lines like code that are let pass: where it is quoted, else
STATEMENTS = 50  # of so many lines more than one is a statement: code
NESTED_STATEMENTS = 10  # of so many outer lines one
TOLD = 0.8  # of the lines below headings, that say something: below those of a shell stands what was printed
NOISE, NOISE_OF = 3, 20  # comments with #: more than a third of the headings, and one of so many lines
RULED, HEADING_LENGTH = 3, 80  # characters of an underline, and of what it underlines
FEW = 2  # lines, headings
MARKED = 20  # of so many lines one is marked where nothing heads others
KINDS = 3  # kinds of signals that are sure together

NAMED = 0.96  # score of what is one by its file
HTML_PAGE, SNAPSHOT, RST, CLOSED, SURE = 0.96, 0.96, 0.92, 0.9, 0.85  # scores; CLOSED: the first tag at the end
SOME_TAGS, LIKELY, HALF, TABLE, HEADINGS = 0.7, 0.7, 0.5, 0.3, 0.2  # HALF: also a component of code, a README in HTML


def sniff(sample: Sample) -> Verdict:
    head = sample.head.lstrip("\ufeff \t\r\n")
    if head[:1] == "<":
        return _tagged(head, sample.tail or head)
    lines = sample.lines[:LOOK]
    if count := shapes.elements(lines):
        return Verdict(SNAPSHOT, f"{count} elements of a page")
    outer = [line[:WIDTH] for line in lines if line[:1].strip()]
    if shapes.is_rst(lines) and sum(1 for line in outer if _STRONG_CODE.match(line)) * NESTED_STATEMENTS <= len(outer):
        return Verdict(RST, "underlined titles, directives")
    if sample.named() == "reStructuredText" and any(shapes.title_at(lines, n) for n in range(len(lines))):
        return Verdict(NAMED, "underlined titles")
    return _markdown(lines, sample.named) if head and sample.claimed <= SURE else Verdict(0.0)


def _tagged(head: str, tail: str) -> Verdict:
    if head.startswith(("<?php", "<%")):
        return Verdict(0.0)
    if shapes.HTML.match(head):
        return Verdict(HTML_PAGE, "HTML")
    if head.startswith("<?xml"):
        return Verdict(HTML_PAGE, "XML declaration")
    first = shapes.FIRST.match(head)
    if first is None:
        return Verdict(0.0)
    if shapes.flavour(head) == "markdown":
        return Verdict(max(_markdown(split_lines(head), str).score, HALF), "Markdown that opens with HTML")
    if re.search(rf"</{re.escape(first[1])}\s*>\s*$", tail[-TAIL:]):
        code = first[1].lower() in ("template", "script") and "export default" in head
        return Verdict(HALF if code else CLOSED, f"<{first[1]}> to </{first[1]}>")
    tags = shapes.TAGS.findall(head)
    if len(tags) >= FEW_TAGS and any(tag[1] == "/" for tag in tags) and sum(map(len, tags)) > TAGGED * len(head):
        return Verdict(SOME_TAGS, f"{len(tags)} tags")
    return Verdict(0.0)


class _Signs:
    """What speaks for Markdown in the lines outside fences, and what against it."""

    def __init__(self) -> None:
        self.signals: Counter[str] = Counter()
        self.prose: list[str] = []  # no heading, no comment
        self.noise = 0  # comments that look like headings
        self.spaced = True  # it has blank lines, or no title: else these may be left out of it

    def read(self, lines: Sequence[str]) -> None:
        fence, previous = "", ""
        titled = any(line[:2] == "# " and line[2:3].isupper() for line in lines)
        self.spaced = not (titled and all(map(str.strip, lines)))
        for line, after in zip(lines, [*lines[1:], ""], strict=True):
            line = line[:WIDTH]
            if match := shapes.FENCE.match(line):
                closes = fence and match[1].startswith(fence) and not match[2]
                fence = "" if closes else fence or match[1]
                self.signals["fence"] += 1
                continue
            if not fence and line.strip():
                self._add(line, previous, after)
            previous = line

    def _add(self, line: str, previous: str, after: str) -> None:
        signals = self.signals
        if shapes.HEADING.match(line):
            within = previous.strip() and after.strip() and (self.spaced or line.startswith("# "))
            packed = previous.startswith("#") or after.startswith("#") or within
            signals["heading"] += not packed
            self.noise += previous.startswith("# ") or after.startswith("# ")
        elif line.startswith("#"):
            self.noise += 1  # a comment: "#key = value", "#####"
        else:
            self.prose.append(line)
            alone = not previous.strip() or _UNDERLINE.match(previous)  # the last of several lines is no title
            names = "  " in line.strip()  # of columns
            ruled = alone and not names and _UNDERLINE.match(after) is not None and len(after.strip()) >= RULED
            signals["heading"] += bool(ruled) and len(line) < HEADING_LENGTH
        for name, pattern in _SIGNALS:
            signals[name] += pattern.search(line) is not None

    def against(self, filled: int) -> bool:
        """Code, a log, comments."""
        quoted = FENCED if self.signals["fence"] else BARE
        logged, coded = _of(self.prose, _LOG_LINE), _of(self.prose, _CODE_LINE) - quoted
        if logged > LOGGED * len(self.prose) or coded > CODED * len(self.prose):
            return True
        strong = _of(self.prose, _STRONG_CODE)  # code without doubt
        if strong > 1 and strong * STATEMENTS > len(self.prose):
            return True
        return self.noise > 1 and self.noise * NOISE > self.signals["heading"] and self.noise * NOISE_OF > filled


def _of(lines: Sequence[str], pattern: re.Pattern[str]) -> int:
    return sum(pattern.match(line) is not None for line in lines)


def _searched(lines: list[str], filled: int) -> bool:
    """Whether these are results of a web search: titles that are links, or with their labels above addresses."""
    if not any("](http" in line or ": http" in line for line in lines):
        return False
    from mcpcompact.content.text.webresults import labelled, linked

    return bool(labelled(lines) or linked(lines, filled))


def _markdown(lines: list[str], named: Callable[[], str]) -> Verdict:
    """Several signals together: a ``#`` or a ``-`` alone is also YAML, shell, Python, a log."""
    if not lines or lines[0].startswith("#!") or any(map(DIFF.match, lines[:OPENING])):
        return Verdict(0.0)
    filled = [line for line in lines if line.strip()]
    if not filled or share(filled, _NUMBERED) > NUMBERED or _searched(lines, len(filled)):
        return Verdict(0.0)
    front = lines[0] == "---" and "---" in lines[1:FRONT]
    signs = _Signs()
    signs.read(lines[lines.index("---", 1) + 1 :] if front else lines)
    signals = +signs.signals
    if signals.keys() <= {"list", "emphasis"} or (signs.against(len(filled)) and named() != "Markdown"):
        return Verdict(0.0)
    if signals.keys() <= {"table", "list", "emphasis"}:
        return Verdict(TABLE if len(filled) > FEW else 0.0, "a Markdown table alone")
    kinds, headings = len(signals) + front, signals["heading"]
    marked = signals.total() - signals["list"]  # lists and a link here and there are plain text, too
    if not (headings or signals["fence"] or front) and marked * MARKED < len(filled):
        return Verdict(0.0)
    evidence = ", ".join(f"{k} {n}" for k, n in signals.items())
    if kinds >= KINDS:
        sure = NAMED if headings and named() == "Markdown" else SURE  # whatever log it quotes
        return Verdict(sure if headings + signals["fence"] else LIKELY, evidence)
    if kinds > 1 and headings:
        return Verdict(LIKELY if headings >= FEW else HALF, evidence)
    prose = signs.prose and share(signs.prose, _SENTENCE) >= TOLD
    return Verdict((LIKELY if prose else HEADINGS) if headings > FEW else 0.0, evidence)
