"""Markdown and reStructuredText by lines: headings as sections, code, lists, tables, alerts, each with its number."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from mcpcompact.content.anomalies.words import words
from mcpcompact.content.markup.blocks import WORD, blocks_to_items
from mcpcompact.content.markup.paragraphs import BOLD, SHORT_SAMPLE, SUB, Block, grouped
from mcpcompact.content.markup.releases import names_release
from mcpcompact.content.markup.shapes import (
    BOXES,
    DIRECTIVE,
    FENCE,
    HEADING,
    LINK,
    LIST,
    RULE,
    of_lines,
    parting,
    title_at,
)
from mcpcompact.content.markup.surface import PAGE_LINES
from mcpcompact.content.markup.tables import NAMED, TITLE, Row, Table
from mcpcompact.content.shared.lines import blank_lines, conflicts, torn_first, torn_lines
from mcpcompact.outline import Fact, Item, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped
from mcpcompact.source import split_lines

COMMANDS, FEW_LINES = 160, 5  # of commands: characters that stand together, lines never cut
_FRONT = 80  # lines in which front matter ends
_TOLD, MENU = 30, 4  # lines of an admonition; of those above the title of a page, one in so many with a link is a menu
SECTION, OPEN, DONE = 80, 6, 0.3  # lines of one with an open box that is read from its heading on; such named; weight
TO_DO, STEP = 4.0, 0.01  # weight of the first open box, how much less each further one has

_ADMONITION = regex(
    r"\s{0,3}>\s?\[!(?:WARNING|CAUTION|DANGER|ERROR|IMPORTANT)\]|(?:!!!|\?\?\?|:::)\s*(?:warning|danger|error|caution)",
    re.I,
)
_TAB = regex(r"\s*(?:!!!|\?\?\?\+?|===[!+]?) [\w -]*\"[^\"\n]+\"\s*$", holds=("!!!", "???", "==="))  # or a note
_BOX = regex(r"\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX])\] (.*\S)", holds="[")
_FAILED = regex(r"(?:[\w.-]+ ){0,3}(?:failed|[Ee]rror): \S.*:\n")  # a tool says what it did not find, and quotes it
_DROPPED = regex(r"(?i)\W*(?:skip(?:ped)?|dropped|cancell?ed|deferred|won't do|n/a)\b")  # it is not to be done
_SETEXT, _KEYED = regex(r"\s{0,3}(?:={3,}|-{3,})\s*$"), regex(r"[A-Za-z][\w-]{0,40}: \S")
_PACKAGE = regex(r"[a-z0-9][a-z0-9.+-]* \([^()\s]+\) [\w -]+; urgency=\w", holds="; urgency=")  # of a Debian changelog
_H1 = regex(r"<h1\b[^<>]{0,200}>(.{1,400}?)</h1>", re.I | re.S)
_FOLDS = regex(r"(?i)\s*(?:(?:<details\b[^<>]*>\s*)?(<summary>)\s*\S.{0,200}</summary>|</details>)\s*$", holds="</")
_INLINE = regex(r"</?(?:a|b|br|code|div|em|font|i|img|kbd|p|small|span|strong|sub|sup)\b[^<>]{0,300}>")  # of a heading
_TAG = regex(r"<[^<>]{0,400}>")
_TITLE = regex(r"title:\s*[\"']?(.*?\S)[\"']?\s*$")
_MARKS = regex(
    r"\[?!\[[^\[\]\n]{0,200}\]\([^()\n]{0,500}\)(?:\]\([^()\n]{0,500}\))?|</?[a-zA-Z][^<>]{0,900}(?:>|$)"
    r"|<!--[^<>]{0,900}-->|^\s*\[[^\[\]]{1,200}\]:\s+\S+\s*$|^\s*[\w-]+=\"[^\"]*\".*|\{%.*?%\}|\{: [^{}]*\}|&\w{2,8};"
)
_BADGES = regex(r"(?:\[?!\[[^\[\]]{0,200}\]\([^()]{0,500}\)(?:\]\([^()]{0,500}\))?\s*)+$", holds="![")
_DRAWINGS = words("mermaid plantuml puml dot graphviz gv d2 bibtex")  # languages that say little in parts
_SHELLS = words("bash sh shell console zsh shell-session")
_BEGINS, _DRAWN = 8, regex(r"\s*(?:[|│┃▼▲↓↑v]\s*){1,9}$")  # lines of a picture that are looked at; one without a word
_TORN = regex(r"<{7} |[|]{7} |={7}$|>{7} ")
_CELL = regex(r"(?:[^|\\`]++|\\.|`[^`|]*`|`)*+")

# -- reStructuredText
_OVERLINED = 3  # lines of a heading with a line above it

_CODE = ("code", "code-block", "sourcecode", "parsed-literal", "highlight", "doctest", "prompt", "ipython", "math")
_ALERTS = ("warning", "danger", "caution", "error", "attention", "important")
_ENTRY = regex(r"\s*(?:[-*+•]|(?:\d{1,4}|[a-zA-Z#])[.)])\s+\S")
_OBJECTS = words("attribute class confval data describe envvar exception function method module option")
ALERTED, DESCRIBED, OBJECT = 8, 3, 60  # lines of a warning; entries of a manual of these; characters of a name


class MarkdownReading:
    def __init__(self, text: str) -> None:
        self.text, self.lines = text, split_lines(text)
        self.blocks: list[Block] = []
        self.tables: list[Table] = []
        self.headings: list[tuple[int, int, str]] = []  # level, line, text
        self.boxes: list[tuple[int, int, str]] = []  # line, headings above, text if open
        self.title = ""  # of the front matter
        self.commands = False  # within an example of these
        n = self._front_matter()
        fence, kind, opened = "", "code", 0
        lines = self.lines
        boxes = [k for k in range(1, len(lines)) if self._boxed(k)]
        torn = {n for a, b in torn_lines(lines) for n in range(a, b + 1) if _TORN.match(lines[n - 1])}
        while n < len(lines):
            line = lines[n]
            deeper = len(boxes) > 1 and n >= boxes[0]  # what is not in a box stands below what is
            number = n + 1
            n += 1
            if not line or line.isspace():
                continue
            match = FENCE.match(line)
            if fence:
                if match and match[1].startswith(fence) and not match[2]:
                    fence = ""
                    self._closed(opened)
                else:
                    self._example(number, line.rstrip(), kind)
                continue
            if match:
                begins = lines[n : n + _BEGINS]
                drawn = sum(_DRAWN.match(one) is not None for one in begins) > 1 or any(map(BOXES.search, begins))
                fence, kind = match[1], "drawing" if match[2].lower() in _DRAWINGS or drawn else "code"
                self.commands = match[2].lower() in _SHELLS
                opening, opened = "fence" if kind == "code" else kind, len(self.blocks) + 1
                self.blocks.append(Block(number, number, line.rstrip(), opening))
                continue
            if number in torn:
                self.blocks.append(Block(number, number, line, "nav"))
            elif heading := HEADING.match(line):
                title = heading[2].rstrip(" \t").rstrip("#").rstrip(" \t") or heading[2]  # without what closes it
                self._heading(len(heading[1]) + deeper, number, title)
            elif self._titled(n, line):
                level = 1 if self._boxed(n - 1) else (1 if "=" in lines[n] else 2) + deeper
                self._heading(level, number, line.strip())
                n += 1
            elif _PACKAGE.match(line):
                self._heading(1, number, line.strip())
            elif "|" in line and n < len(lines) and RULE.match(lines[n]) and "-" in lines[n]:
                n = self._table(number, n)
            elif _ADMONITION.match(line):
                n = self._admonition(number, n)
            elif folds := _FOLDS.match(line):
                as_title = ("heading", BOLD) if folds[1] else ("end", SUB)
                self.blocks.append(Block(number, number, line.strip(), *as_title))
            else:
                if box := _BOX.match(line):
                    self.boxes.append((number, len(self.headings), box[2] if box[1] == " " else ""))
                beside = _MARKS.sub("", line)  # tags, images and badges
                says = sum(map(str.isalnum, beside)) >= (1 if beside == line else WORD)
                of_line = "li" if LIST.match(line) else "text" if says else "mark"
                leads = _TAB.match(line) is not None and not any(lines[n : n + 1])  # to what is indented below
                of_line = "directive" if leads else of_line
                self.blocks.append(Block(number, number, line.rstrip(), of_line, leads=leads))

    def _example(self, number: int, line: str, kind: str) -> None:
        """A line of an example; a few commands stand together, one of them alone does something else, and each behind
        the comment that says what for."""
        last, block = self.blocks[-1], Block(number, number, line, kind)
        begins = line.startswith("#") and number > last.end + 1
        if self.commands and last.kind == kind and len(last.text) + len(line) < COMMANDS and not begins:
            last.join(block)
            last.whole = True
            return
        if last.kind == kind == "code":
            deep, above = (len(one) - len(one.lstrip()) for one in (line, last.text))  # an option, more of a usage
            block.under = (last.start if deep > above else last.under * (deep == above)) * self.commands
            block.goes_on = not self.commands
        self.blocks.append(block)

    def _closed(self, opened: int) -> None:
        """A few commands are one example, whole or not at all."""
        held = self.blocks[opened:] if self.commands else []
        lines = sum(line > "" for one in held for line in one.text.split("\n"))
        if len(held) > 1 and lines <= FEW_LINES and sum(len(one.text) for one in held) <= SHORT_SAMPLE:
            for one in held[1:]:
                held[0].join(one)
            held[0].whole = True
            del self.blocks[opened + 1 :]

    def _front_matter(self) -> int:
        ends = (n for n, line in enumerate(self.lines[:_FRONT]) if n and line.strip() in ("---", "..."))
        end = next(ends, 0) if self.lines[:1] == ["---"] else 0
        for number, text in enumerate(self.lines[1:end], 2):
            title = _TITLE.match(text)
            self.title = title[1] if title else self.title
            if text[:1].isspace() and self.blocks:  # the value goes on
                self.blocks[-1].text, self.blocks[-1].end = f"{self.blocks[-1].text}\n{text}", number
            elif text and not title:  # the facts say the title
                self.blocks.append(Block(number, number, text, "front"))
        return end + 1 if end else 0

    def _admonition(self, number: int, n: int) -> int:
        """An alert with the lines that belong to it: the first alone says nothing."""
        quoted = self.lines[n - 1].lstrip().startswith(">")
        for line in self.lines[n : n + _TOLD]:
            if not (line.lstrip().startswith(">") if quoted else line.startswith(("    ", "\t")) or not line.strip()):
                break
            n += 1
        self.blocks.append(_alert(self.lines, number, n))
        return n

    def _boxed(self, n: int) -> bool:
        """Whether a line stands between two rulers of ``=`` that are the same."""
        above, below = self.lines[n - 1 : n], self.lines[n + 1 : n + 2]
        return above == below and above[0][:3] == "===" and _SETEXT.match(above[0]) is not None

    def _titled(self, n: int, line: str) -> bool:
        """Whether what stands below a line makes a heading of it: of names of columns only a box does, and the end or
        beginning of front matter of none."""
        below = "".join(self.lines[n : n + 1]).rstrip()
        matter = below == "---" and any(map(_KEYED.match, (line, *self.lines[n + 1 : n + 2])))
        if not _SETEXT.match(below) or matter or "|" in line:
            return False
        if LIST.match(line) and (not line[:1].isdigit() or len(line.rstrip()) != len(self.lines[n].rstrip())):
            return False  # a numbered one with a line of its own length has been converted from a page
        return "  " not in line.strip() or self._boxed(n - 1)

    def _heading(self, level: int, number: int, text: str) -> None:
        text = _BADGES.sub("…", text) if text[:1] not in "[!" else text
        text = _INLINE.sub("", text).strip() or text
        self.headings.append((level, number, text))
        self.blocks.append(Block(number, number, text, "heading", level))

    def _table(self, number: int, n: int) -> int:
        header = cells(self.lines[n - 1])
        table = Table(number, header if any(header) else ())
        n += 1
        while n < len(self.lines) and "|" in self.lines[n] and self.lines[n].strip():
            table.rows.append(Row(n + 1, n + 1, cells(self.lines[n])))
            n += 1
        if table.rows:
            table.head = Block(number, number, "", "table")
            self.blocks.append(table.head)
            self.tables.append(table)
        return n

    def facts(self) -> list[Fact]:
        number, title = next(((number, text) for level, number, text in self.headings if level == 1), (0, ""))
        title = "" if names_release(title) else title
        html = _H1.search(self.text)
        if html and (not number or self.text.count("\n", 0, html.start()) < number):
            title = " ".join(_TAG.sub(" ", html[1]).split()) or title
        above = [n for n, line in enumerate(self.lines[:number], 1) if LINK.search(line)]
        above = above if number > PAGE_LINES and MENU * len(above) > number else []  # the menus of a page
        first = next(filter(str.strip, self.lines), "").strip()
        title = self.title or (first if above and first[:1].isalnum() and title in first[:TITLE] else title)
        named = f' "{clipped(title, TITLE)}"' if title else ""
        begins, in_all = ("An error (line 1), then ", " in all") if _FAILED.match(self.text) else ("", "")
        facts = [Fact(f"{begins}Markdown{named}, {len(self.lines):,} lines{in_all}", 0), *self._checked()]
        if above:
            facts.append(Fact(f"Above line {number}: {len(above):,} lines with links, {above[0]}–{above[-1]}", 1))
        if "URL: http" in self.text:
            from mcpcompact.content.text.webresults import few

            facts[:0] = few(self.lines)
        return facts

    def left_first(self, items: Sequence[Item]) -> None:
        """What is done says less than what is to be done."""
        todo = [(line, above) for line, above, text in self.boxes if text and not _DROPPED.match(text)]
        left = {above for _, above in todo}
        done = {above for _, above, _ in self.boxes} - left
        starts = [line for _, line, _ in self.headings]
        first = {line: TO_DO - STEP * n for n, (line, _) in enumerate(todo[:OPEN])}
        for item in items if left and done else ():
            if bisect_right(starts, item.start) in done:
                item.weight *= DONE
            item.weight = max(item.weight, first.get(item.start, 0.0))

    def _checked(self) -> list[Fact]:
        """How many boxes of lists are checked, where the first is that is not, and below which headings such are; one
        alone is an example."""
        left = [box for box in self.boxes if box[2]]
        counts = f"Check boxes: {len(self.boxes) - len(left):,} done, {len(left):,} open"
        if not left or not self.boxes[1:]:
            return [Fact(counts, 1)] if self.boxes[1:] else []
        number, above, text = left[0]
        ends = [line for _, line, _ in self.headings] + [len(self.lines) + 1]
        begins = ends[above - 1] if above and number - ends[above - 1] < SECTION else number
        below = f' below "{clipped(self.headings[above - 1][2], NAMED)}"' if above else ""
        first = f"{counts}, the first at line {number}{below}: {text}"
        facts = [Fact(first, 1, counts, points=(begins, ends[above] - 1))]
        each = Counter(n for _, n, _ in left if n != above)
        named = [f"{ends[n - 1]} {clipped(self.headings[n - 1][2], NAMED)} ({many})" for n, many in each.items() if n]
        more = f" · … {len(named) - OPEN:,} more" if len(named) > OPEN else ""
        return facts + [Fact(f"Further open ones below {' · '.join(named[:OPEN])}{more}", 1)] * bool(named)


def _alert(lines: Sequence[str], start: int, end: int) -> Block:
    below = [f"{k} {lines[k - 1].strip()}" for k in range(start + 1, end + 1) if lines[k - 1].strip(" >\t")]
    return Block(start, end, "\n".join([lines[start - 1].rstrip(), *below]), "alert")


def cells(line: str) -> list[str]:
    """The cells of a table row; ``\\|`` and a bar within backticks separate nothing."""
    line = line.strip()
    line = line[1:] if line.startswith("|") else line
    line = line[:-1] if line.endswith("|") and not line.endswith("\\|") else line
    texts, at = [], 0
    while at <= len(line):
        match = _CELL.match(line, at)
        end = match.end() if match else at
        texts.append(line[at:end].strip())
        at = end + 1
    return texts


def outline(text: str) -> Outline:
    reading = MarkdownReading(text)
    items, more_facts = blocks_to_items(grouped(reading.blocks), reading.tables)
    torn_first(items, reading.lines)
    reading.left_first(items)
    lines, headings = reading.lines, len(reading.headings)
    result = of_lines(len(lines), f"Markdown, {len(lines):,} lines, {headings:,} headings", facts_share=0.25)
    result.facts, result.items = reading.facts() + conflicts(lines) + more_facts, items
    result.blank, result.closing = blank_lines(lines), parting(lines)
    return result


def of_rst(text: str) -> Outline:
    """Of reStructuredText: titles as headings, directives, literal blocks, lists."""
    lines = split_lines(text)
    blocks: list[Block] = []
    described: list[tuple[int, str]] = []  # objects of a manual, with their lines
    styles: list[str] = []  # of titles, outermost first: by first use
    literal = -1  # indentation that opened a literal block
    n = 0
    while n < len(lines):
        line, number = lines[n], n + 1
        depth = len(line) - len(line.lstrip())
        n += 1
        if not line.strip():
            continue
        if depth > literal >= 0:
            blocks.append(Block(number, number, line.rstrip(), "code", goes_on=blocks[-1].kind == "code"))
            continue
        literal = -1
        if title := title_at(lines, number - 1):
            style, took = title
            styles += [style] if style not in styles else []
            at = number + (took == _OVERLINED)
            blocks.append(Block(at, at, lines[at - 1].strip(), "heading", styles.index(style) + 1))
            n = number - 1 + took
        elif (directive := DIRECTIVE.match(line)) and directive[1] in _ALERTS:
            last = n
            while last < min(len(lines), n + ALERTED) and not lines[last][: depth + 1].strip():
                last += 1
            blocks.append(_alert(lines, number, last))
            n = last
        elif any(c.isalnum() for c in line):
            code = directive is not None and directive[1] in _CODE
            literal = depth if code or line.rstrip().endswith("::") else -1
            below = lines[n].strip() if n < len(lines) else ""
            names = directive and literal < 0 and line[directive.end() :].strip() and below[:1] in ("", ":")
            comment = line.lstrip().startswith(".. ") and not directive
            if names and directive and (":" in directive[1] or directive[1] in _OBJECTS):
                described.append((number, clipped(line[directive.end() :].strip(), OBJECT)))
            kinds = ("mark", comment), ("fence", code), ("directive", names), ("li", _ENTRY.match(line))
            kind = next((kind for kind, fits in kinds if fits), "text")
            blocks.append(Block(number, number, line.rstrip(), kind))
    items, facts = blocks_to_items(grouped(blocks), [])
    headings = [block for block in blocks if block.kind == "heading"]
    alone = sum(block.level == 1 for block in headings) == 1  # else it is the first of several parts
    named = f' "{clipped(headings[0].text, TITLE)}"' if alone else ""
    summary = f"reStructuredText, {len(lines):,} lines, {len(headings):,} headings"
    facts = [Fact(f"reStructuredText{named}, {len(lines):,} lines", 0), *conflicts(lines), *facts, *_objects(described)]
    result = of_lines(len(lines), summary, facts, items, facts_share=0.25, extension=".rst", blank=blank_lines(lines))
    result.closing = {n: "" for b in blocks for n in range(b.start, b.end + 1)}
    return result


def _objects(described: Sequence[tuple[int, str]]) -> list[Fact]:
    """The objects that a manual describes."""
    if len(described) < DESCRIBED:
        return []
    numbered = " · ".join(f"{number} {name}" for number, name in described)
    names = f"Described from line {described[0][0]} on: {' · '.join(name for _, name in described)}"
    return [Fact(f"Described, each with its line: {numbered}", 1, names)]
