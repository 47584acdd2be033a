"""HTML as blocks of text with their line numbers: headings as sections, links with their targets, tables as rows."""

from __future__ import annotations

import re
from collections import Counter

from mcpcompact.content.anomalies.words import words
from mcpcompact.content.markup.blocks import blocks_to_items
from mcpcompact.content.markup.paragraphs import BOLD, SUB, Block, led
from mcpcompact.content.markup.shapes import of_lines
from mcpcompact.content.markup.surface import around, set_aside
from mcpcompact.content.markup.tables import Row, Table
from mcpcompact.content.markup.tags import Lines, Token, attributes, plain, tokens
from mcpcompact.content.shared.series import MIN
from mcpcompact.outline import Fact, Outline, Series
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted

RAW = words("script style noscript template")
_BREAKS = words(
    "address article aside blockquote body br button center dd details dialog div dl dt fieldset figcaption figure "
    "footer form h1 h2 h3 h4 h5 h6 head header hr html iframe legend li main nav ol option p pre section select "
    "summary table tbody td tfoot th thead title tr ul"
)
_ALERT = regex(r"\b(?:alert|error|danger|warning|failure|exception)\b|(?:^|[-_])(?:alert|error|danger)(?:$|[-_])", re.I)
_ASIDE = regex(
    r"(?:^|[\s_-])(?:chat|convo|conversation|bubble|msgs?|message|dialogue|transcript|terminal|playground|avatar|"
    r"footer|nav|navbar|navigation|breadcrumbs?|menu|sidebar|toolbar|cookies?|modal|popup|newsletter|pagination)"
    r"(?:$|[\s_-])",
    re.I,
)  # what a page demonstrates, and its surface
_VALUE = regex(r"\W{0,3}\d[\d.,]{0,12}(?:\s?[–·/±-]\s?\d[\d.,]{0,12})?\s?(?:\W{1,2}|[A-Za-z%]{1,4})?$")
PARTS, STAT, ROW = 3, 160, 240  # texts of a box that is one figure and what it says, characters; of several such boxes
TITLE, NEAR, SAYING = 80, 8, 5  # characters of what they are called, lines between them; words of a sentence
_NAV = words("nav footer header aside button figcaption")
_TABLE = words("table tr td th")
_HEADINGS = words("h1 h2 h3 h4 h5 h6")
_BOXES = words("div p section aside")  # elements whose class tells that they are an alert
_BOX = {"section": 1, "article": 1, "div": SUB}
_JUDGED = regex(r"[✗✘✓✔❌✅] ?[^\n]{1,60}$")
_HEAD = "\0"  # marks a cell of a header
_DATA = regex(r"(?m)^( *+)(?:const |let |var |window\.)([A-Za-z_$][\w$]{0,40}) = (?:\[|\{)(?! *[\]}])")
_CITES = regex(r"\s*@[A-Za-z]{4,20}\{")  # BibTeX, which says little in parts
_FEW = ("text", "label")
_SIGNS = frozenset("+−–")  # before a figure
_JOINED = frozenset("([]<>/|")  # right behind a link that is a word of code or of a path
FINDS, FINDING = (".", ":", "!", "?"), 3  # what a lead in bold ends with that says what was found; its words, at least
HELD = 6  # names of data in scripts that are said
MAX_ALERTS = 50  # open ones, one in another
HEADS, HEAD_CHARS, NAMED = 6, 600, 120  # blocks and characters that tell an error page; of a title that are said
SHORT_PAGE = 400  # words; a longer one only speaks of errors
ONE_LINE, A_LINE = 20_000, 0.2  # characters of a line, and lines a block, from which lines are no anchors
DENSE = 4  # times the characters of addresses: fewer of a sentence, and it is read with them
LINKS = 5  # times the characters beside the links of a text, which these make up
_ERROR_PAGE = regex(
    r"\b[45]\d\d\b.{0,40}\b(?:not found|forbidden|unauthori[sz]ed|error|bad gateway|unavailable|denied|time-?out|"
    r"too many requests)|\b(?:internal server error|bad gateway|service unavailable|access denied|page not found)\b",
    re.I,
)


_RAISED = words("sup sub wbr font em i u var code samp kbd tt a")  # parts of a word or sentence


def _apart(before: str, after: str, joint: bool) -> bool:
    """Whether the text of an element (a chip, a mark) and what touches it are two: a word or number and a capital, or
    both of elements of their own."""
    end, begin = before[-2:], after[:2]
    if joint:
        return (end[-1:] + begin[:1]).isalnum() and not (end[-1:] + begin[:1]).isdigit() and len(begin) > 0 < len(end)
    signed = begin[:1] in _SIGNS and begin[1:].isdigit() and end.isalpha()
    word = not end[1:].isupper() or " " in before.strip()  # of an acronym the rest may follow
    named = end.isalnum() and word and begin[:1].isupper() and not begin[1:].isupper()
    return len(end) > 1 and (signed or named)


class HtmlReading:
    """One pass over the tags: what it collects, what is open, and the text since the last block."""

    def __init__(self, text: str) -> None:
        self.blocks: list[Block] = []
        self.tables: list[Table] = []
        self.title = self.address = ""
        self.dropped, self.dropped_chars, self.unlinked = Counter[str](), 0, False  # scripts and such; targets of links
        self.held: list[str] = []  # names of the data in scripts
        self.boxes: list[tuple[int, int]] = []  # where each element of parts begins and ends
        self.elsewhere: dict[int, int] = {}  # blocks that are a link alone, and the boxes around them
        self.lines = Lines(text)
        self.line = self.lines.at
        self.parts: list[str] = []
        self.first = self.last = -1  # where the text begins and ends
        self.border, self.joint = -1, False  # where an inline element ended; another begins right there
        self.href, self.leads = "", False  # of the open link; whether it leads elsewhere
        self.inked = [0, 0]  # characters of the text, of it in links that lead elsewhere
        self.addresses: list[int] = []  # where they stand among the parts
        self.brackets = 0  # open ones of the text
        self.term: Block | None = None  # the last one that a list of definitions explains
        self.level = 0  # of the open heading
        self.pre = self.titled = False
        self.kind = "text"
        self.quiet: list[str] = []  # open navigation elements
        self.holder = ""  # the last element that opened
        self.drawing, self.drawn = -1, list[str]()  # where the open one begins, what is written in it
        self.alerts: list[str] = []  # open elements that are alerts
        self.asides: list[str] = []  # open elements that show a talk, a demonstration, the surface of the page
        self.begun: list[int] = []  # open ones (div): blocks before each
        self.bold = 0  # characters of the text in bold that the block begins with
        self.lists: list[list[Block]] = []  # entries of the open lists
        self.open_tables: list[Table] = []
        self.row: list[str] | None = None
        self.row_at = 0
        self.headings = 0
        self.sections: list[tuple[int, int]] = []  # open ones: headings before each, where it begins
        self.open_boxes: list[tuple[int, int]] = []  # cards before each, where it begins
        self.cards = 0  # with a title that says whether it is right
        for token in tokens(text, RAW):
            if token.kind in ("text", "cdata"):
                self._text(token)
            elif token.kind == "raw":
                self.dropped[token.name.lower()] += 1
                self.dropped_chars += token.end - token.start
                self._data(token)
            elif token.kind in ("open", "close", "empty"):
                self._tag(token, token.name.lower(), token.kind != "close")
        self._draw(Token("close", len(text), len(text)), opening=False)
        self._flush()
        self._end_row(len(text))
        while self.open_tables:
            self._end_table()

    def _data(self, token: Token) -> None:
        """The data of a script with their lines; what is deeper than the first is a variable of a function."""
        begun, matches = token.start, [*_DATA.finditer(token.body)]
        outer = [match for match in matches if len(match[1]) <= len(matches[0][1])]
        self.held += [f"{match[2]} {self.lines.at(begun + match.start(2))}" for match in outer]

    def _text(self, token: Token) -> None:
        body = plain(token.body)
        if self.drawing >= 0:
            self.drawn += body.split()
            return
        before = (self.row if self.row is not None else self.parts)[-1:]
        if token.start == self.border and before and not self.pre and _apart(before[0], body, self.joint):
            body = f" {body}"
        self.joint = False
        if self.row is not None:
            if self.row:
                self.row[-1] += body
        elif body.strip() or self.parts:
            if self.first < 0:
                self.first = token.start + len(token.body) - len(token.body.lstrip())
            if body.strip():
                self.last = token.start + len(token.body.rstrip())
            self.inked[self.leads] += len(body.strip())
            self.brackets += body.count("(") - body.count(")")
            self.parts.append(body)

    def _tag(self, token: Token, name: str, opening: bool) -> None:
        if (name == "svg" and token.kind != "empty") or (self.drawing >= 0 and name in _BREAKS and name != "title"):
            self._draw(token, opening and name == "svg")
        if self.drawing >= 0:
            return
        if name not in _RAISED and (not opening or token.start == self.border):
            self.border, self.joint = token.end, self.joint or opening
        inside = self.pre or self.level or self.brackets > 0 or self.row is not None  # of a signature on several lines
        if name in _BREAKS and not (name == "br" and inside):
            self._break(token, name, opening)
        else:
            self._inline(token, name, opening)

    def _inline(self, token: Token, name: str, opening: bool) -> None:
        if name == "a":
            self._link(token, opening)
        elif name == "img":
            if opening and (alt := attributes(token.body).get("alt")):
                self.first = token.start if self.first < 0 and not self.row else self.first
                self.last = self.last if self.row else token.end
                self._add(f"[image: {alt}]", in_cell=f" [{alt}]")
        elif name in ("link", "meta") and opening:
            values = attributes(token.body)
            url = values.get("href", "") if values.get("rel") == "canonical" else ""
            url = url or (values.get("content", "") if values.get("property") == "og:url" else "")
            if url.startswith("http") and len(url) <= NAMED:
                self.address = self.address or url
        elif name == "br":
            self._add("\n", in_cell=" ")
        elif name in ("strong", "b"):
            if opening and self.first < 0:
                self.bold = -1
            elif self.bold < 0:
                self.bold = len("".join(self.parts).strip())

    def _draw(self, token: Token, opening: bool) -> None:
        """What is written in a drawing is no part of the sentence that it stands in."""
        if self.drawn:
            start, end = self.line(self.drawing), self.line(token.start)
            self.blocks.append(Block(start, end, " ".join(self.drawn), "drawing", offset=self.drawing))
        self.drawing, self.drawn = token.start if opening else -1, []

    def _add(self, text: str, in_cell: str) -> None:
        if self.row:
            self.row[-1] += in_cell
        else:
            self.parts.append(text)

    def _link(self, token: Token, opening: bool) -> None:
        if opening:
            self.href = attributes(token.body).get("href", "")
            self.leads = bool(self.href) and not self.href.startswith(("#", "javascript:"))
            return
        if self.leads and (self.row or (self.parts and not self.level)):
            self.addresses += [len(self.parts)] * (self.row is None)
            self._add(f" ({self.href})", in_cell=f" ({self.href})")
        self.leads = False

    def _break(self, token: Token, name: str, opening: bool) -> None:
        """A tag that ends a block of text, or is part of a table."""
        over = self._over(token, name)
        if self.row is None or name in _TABLE:
            if self.row is None or name == "table":
                self._flush()
            self._table(token, name, opening)
            if over and self.blocks:
                last = self.blocks[-1]
                self.blocks.append(Block(last.end, last.end, "", "end", over, offset=last.offset))
            self._hold(token, name, opening)
        elif self.row:
            self.row[-1] += " "
        if name in _HEADINGS and self.row is None:
            self.level = int(name[1]) if opening else 0
        elif name == "pre":
            self.pre = opening
        elif name == "title":
            self.titled = opening
        elif name == "li":
            self.kind = "li" if opening else "text"
        self.holder = name if opening else ""
        self._follow(token, name, opening)

    def _over(self, token: Token, name: str) -> int:
        """The level of the headings that stand above nothing behind the box that a tag closes; 0 of none."""
        if name not in _BOX:
            return 0
        held, count = (self.open_boxes, self.cards) if name == "div" else (self.sections, self.headings)
        if token.kind == "open":
            held.append((count, token.start))
        if token.kind != "close" or not held:
            return 0
        before, begin = held.pop()
        self.boxes.append((begin, token.end))
        return _BOX[name] if before < count else 0

    def _hold(self, token: Token, name: str, opening: bool) -> None:
        """Lists count their entries; a box of few words and one figure is one statement."""
        if name in ("ul", "ol"):
            if opening:
                self.lists.append([])
            elif self.lists:
                entries = self.lists.pop()
                for entry in entries if len(entries) >= MIN and not self.lists else ():
                    entry.series = Series("item", entries[0].start, len(entries))
        elif name == "div" and token.kind == "open":
            self.begun.append(len(self.blocks))
        elif name == "div" and self.begun:
            _joined(self.blocks, self.begun.pop())

    def _follow(self, token: Token, name: str, opening: bool) -> None:
        """What is open of navigation, alerts and talks."""
        if name in _NAV and opening:
            self.quiet.append(name)
        elif name in self.quiet:
            self.quiet.remove(name)
        values = attributes(token.body) if opening and token.body and name in _BOXES | _NAV else {}
        alert = values.get("role") == "alert" or _ALERT.search(values.get("class", "")) is not None
        self._within(self.alerts, token, name, alert and name in _BOXES and not self.asides)
        aside = _ASIDE.search(values.get("class", "")) or _ASIDE.search(values.get("id", ""))
        self._within(self.asides, token, name, bool(aside) and opening)

    def _within(self, held: list[str], token: Token, name: str, begins: bool) -> None:
        """Follow an element of a kind and those of its name within it."""
        nested = bool(held) and name == held[-1]
        if token.kind == "open" and (nested or (begins and len(held) < MAX_ALERTS)):
            held.append(name)
        elif nested and token.kind == "close":
            held.pop()

    def _table(self, token: Token, name: str, opening: bool) -> None:
        if name == "table":
            self._end_row(token.start)
            if opening:
                self.open_tables.append(Table(self.line(token.start)))
            elif self.open_tables:
                self._end_table()
        elif name == "tr" and (self.open_tables or opening):
            self.open_tables = self.open_tables or [Table(self.line(token.start))]  # rows alone, as sqlite prints them
            self._end_row(token.start)
            if opening:
                self.row, self.row_at = [], token.start
        elif name in ("td", "th") and opening and self.row is not None:
            self.row.append(_HEAD if name == "th" else "")

    def _end_table(self) -> None:
        """Tables of one column or one row are layout: their cells are text."""
        table = self.open_tables.pop()
        if len(table.rows) > 1 and table.width > 1:
            self.tables.append(table)
            return
        for start, end, cells, offset in table.rows:
            self.blocks.append(Block(start, end, " | ".join(c for c in cells if c), offset=offset))
        if table.header:
            empty = "" if table.rows else " (table without rows in the page)"
            self.blocks.append(Block(table.start, table.start, " | ".join(table.header) + empty))

    def _end_row(self, at: int) -> None:
        row, self.row = self.row, None
        if not self.open_tables or row is None or not any(row):
            return
        table = self.open_tables[-1]
        cells = [" ".join(c.split()).replace(_HEAD, "").strip() for c in row]
        if _HEAD in "".join(row) and not table.header:
            table.header, table.start = cells, self.line(self.row_at)
        else:
            table.rows.append(Row(self.line(self.row_at), self.line(at), cells, self.row_at))

    def _flush(self) -> None:
        """The text since the last block becomes one."""
        spent = sum([len(self.parts[n]) for n in self.addresses]) if self.inked[0] > self.inked[1] else 0
        joined = any("".join(self.parts[n + 1 : n + 2])[:1] in _JOINED for n in self.addresses)
        if joined or DENSE * spent > sum(self.inked):
            self.unlinked, dropped = self.unlinked or bool(self.addresses), {*self.addresses}
            self.parts = [part for n, part in enumerate(self.parts) if n not in dropped]
        text = "".join(self.parts)
        body = text if self.pre else " ".join(text.split())
        self.parts = []
        if body.strip():
            self._block(body, self.first, self.line(self.first), self.line(max(self.first, self.last - 1)))
            if self.inked[1] > LINKS * self.inked[0]:
                around = self.open_boxes[-1:] + self.sections[-1:]
                self.elsewhere[self.first] = max((begin for _, begin in around), default=0)
            self.kind = "text"
        self.first, self.bold, self.inked, self.addresses, self.brackets = -1, 0, [0, 0], [], 0

    def _block(self, body: str, at: int, start: int, end: int) -> None:
        if self.level:
            body = body.strip().rstrip(" ¶").removesuffix(" #") or body  # without what links to it
        if self.titled:
            self.title = self.title or " ".join(body.split())
        elif self.level and not (self.asides or "nav" in self.quiet or "footer" in self.quiet):
            self.quiet = [name for name in self.quiet if name != "header"]  # that of an article is its beginning
            self.blocks.append(Block(start, end, body.strip(), "heading", self.level, offset=at))
            self.headings += 1
        else:
            level = self.level
            kind = "label" if self.holder == "div" and self.kind == "text" else self.kind
            kind = ("drawing" if _CITES.match(body) else "code") if self.pre else kind
            alert = self.alerts and not body.startswith("[image: ")
            state = "alert" if alert else "aside" if self.asides else "nav" if self.quiet else kind
            if state == "label" and _JUDGED.match(body):
                state, level, self.cards = "heading", BOLD, self.cards + 1
            bullet = "- " if self.kind == "li" else ""
            block = Block(start, end, bullet + body.strip("\n"), state, level, offset=at)
            bold = body[: max(0, self.bold)].strip()
            block.finds = bold.endswith(FINDS) and len(bold.split()) >= FINDING
            if self.holder == "dd" and self.blocks and self.blocks[-1] is self.term:  # what it says of the term
                self.term.text, self.term.kind, self.term.end = f"{self.term.text}\n{block.text}", state, end
                return
            self.blocks.append(block)
            self.term = block if self.holder == "dt" and len(body) <= TITLE else None
            if self.kind == "li" and self.lists:
                self.lists[-1].append(block)

    def facts(self) -> list[Fact]:
        words = sum(len(b.text.split()) for b in self.blocks)
        words += sum(len(" ".join(row.cells).split()) for table in self.tables for row in table.rows)
        what = f'HTML page "{clipped(self.title, NAMED)}"' if self.title else "HTML"
        what += f" of {self.address}" if self.address else ""
        facts = [Fact(f"{what}, {self.lines.count:,} lines", 0)]
        head = " ".join([self.title, *(b.text for b in self.blocks[:HEADS])])[:HEAD_CHARS]
        if words < SHORT_PAGE and (match := _ERROR_PAGE.search(head)):
            facts.append(Fact(f'This is an error page: "{match[0]}".', 0))
        kinds, held = [f"{kind}s" for kind, _ in self.dropped.most_common()], [*dict.fromkeys(self.held)]
        left = [f"{', '.join(kinds)} ({counted(self.dropped_chars, 'character')})"] * bool(kinds)
        left += ["link targets"] * self.unlinked
        names = ", ".join(held[:HELD]) + ", …" * (len(held) > HELD)
        data = f"; data in scripts, with lines: {names}" * bool(held)
        return facts + [Fact(f"Left out: {', '.join(left)}{data}.", 2)] * bool(left)


def _joined(blocks: list[Block], begin: int) -> None:
    """The texts of a box as one, where it holds one figure and what it is of."""
    held = blocks[begin:] if 1 < len(blocks) - begin <= PARTS else []
    short = held and sum(len(block.text) for block in held) <= STAT
    if short and sum(_VALUE.match(b.text) is not None for b in held) == 1 and all(b.kind in _FEW for b in held):
        held[0].text, held[0].kind, held[0].end = " ".join(b.text for b in held), "stat", held[-1].end
        del blocks[begin + 1 :]


def _stats(blocks: list[Block]) -> list[Block]:
    """Boxes with a figure beside each other as one text, behind what they are called."""
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined and block.start - joined[-1].end <= NEAR else None
        if last is None or block.kind != "stat":
            if last is not None and last.kind == "stat" and _VALUE.match(block.text):
                last.text, last.end = f"{last.text}, {block.text}", block.end
            else:
                joined.append(block)
        elif last.kind == "stat" and len(last.text) + len(block.text) <= ROW:
            last.text, last.end = f"{last.text} · {block.text}", block.end
        elif last.kind == "label" and len(last.text) <= TITLE:
            if len(joined) > 1 and joined[-2].kind == "label" and last.start - joined[-2].end <= 1:  # a title above it
                last.text, last.start = f"{joined[-2].text}, {last.text}", joined.pop(-2).start
            last.text, last.kind, last.end = f"{last.text}: {block.text}", "stat", block.end
        else:
            joined.append(block)
    for block in joined:
        block.charts = block.kind == "stat" and block.text.count(" · ") > 1
        block.kind = block.kind if block.kind != "stat" else "text" if len(block.text.split()) >= SAYING else "label"
    return joined


def outline(text: str) -> Outline:
    """The outline of an HTML text, however broken."""
    reading = HtmlReading(text)
    lines = reading.lines
    one_line = max(map(len, text.split("\n"))) >= ONE_LINE and lines.count < A_LINE * len(reading.blocks)
    set_aside(reading.blocks, reading.elsewhere)
    around(reading.blocks, reading.title, reading.boxes, reading.elsewhere)
    reading.blocks = _stats(reading.blocks)
    headings = sum(block.kind == "heading" and block.level < SUB for block in reading.blocks)
    headed = f", {counted(headings, 'heading')}" if headings else ""
    blocks = reading.blocks if one_line else led(reading.blocks)
    items, more_facts = blocks_to_items(blocks, reading.tables, text if one_line else "")
    result = of_lines(lines.count, f"HTML, {counted(lines.count, 'line')}{headed}", facts_share=0.25)
    result.facts, result.items = reading.facts() + more_facts, items
    if one_line:
        result.more = [("--bytes", "A:B")]
    else:
        result.closing = {n: "" for block in blocks for n in range(block.start, block.end + 1)}
    return result
