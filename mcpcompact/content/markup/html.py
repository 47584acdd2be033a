"""HTML as blocks of text with their line numbers: headings as sections, links with their targets, tables as rows."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from mcpcompact.content.columns.values import words
from mcpcompact.content.markup.blocks import Block, Table, blocks_to_items
from mcpcompact.content.markup.paragraphs import led
from mcpcompact.content.markup.tags import Lines, attributes, plain, tokens
from mcpcompact.outline import Fact, Outline
from mcpcompact.patterns import regex

RAW = words("script style noscript template")
_BREAKS = words(
    "address article aside blockquote body br center dd details dialog div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 head header hr html iframe legend li main nav ol option p pre section select summary table "
    "tbody td tfoot th thead title tr ul"
)
_ALERT = regex(r"\b(?:alert|error|danger|warning|failure|exception)\b|(?:^|[-_])(?:alert|error|danger)(?:$|[-_])", re.I)
_NAV = words("nav footer header aside")
_ERROR_PAGE = regex(
    r"\b[45]\d\d\b.{0,40}\b(?:not found|forbidden|unauthori[sz]ed|error|bad gateway|unavailable|denied|time-?out|"
    r"too many requests)|\b(?:internal server error|bad gateway|service unavailable|access denied|page not found)\b",
    re.I,
)


@dataclass(slots=True)
class HtmlReading:
    """Everything that one pass over the tags collects."""

    text: str
    blocks: list[Block] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    title: str = ""
    headings: list[tuple[int, int, str]] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    dropped_chars: int = 0
    lines: Lines = field(init=False)

    def __post_init__(self) -> None:
        self.lines = Lines(self.text)
        self._read()

    def _read(self) -> None:
        parts: list[str] = []
        first = last = -1
        href = ""
        level = pre = 0
        kind = "text"
        quiet: list[str] = []  # open navigation elements
        alerts: list[str] = []  # open elements that are alerts
        tables: list[Table] = []
        row: list[str] | None = None
        row_at = 0
        in_title = False

        def flush() -> None:
            nonlocal parts, first, kind
            body = "".join(parts) if pre else " ".join("".join(parts).split())
            parts = []
            if body.strip():
                start, end = self.lines.at(first), self.lines.at(max(first, last - 1))
                if in_title:
                    self.title = self.title or " ".join(body.split())
                elif level:
                    self.headings.append((level, start, body.strip()))
                    self.blocks.append(Block(start, end, body.strip(), "heading", level, offset=first))
                else:
                    state = "alert" if alerts else "nav" if quiet else kind
                    bullet = "- " if kind == "li" else ""
                    self.blocks.append(Block(start, end, bullet + body.strip("\n"), state, offset=first))
            first, kind = -1, "text"

        def end_row(at: int) -> None:
            nonlocal row
            if tables and row is not None and any(row):
                cells = [" ".join(c.split()) for c in row]
                if "\0" in "".join(row) and not tables[-1].header:
                    tables[-1].header = [c.replace("\0", "").strip() for c in cells]
                    tables[-1].start = self.lines.at(row_at)
                else:
                    cells = [c.replace("\0", "").strip() for c in cells]
                    tables[-1].rows.append((self.lines.at(row_at), self.lines.at(at), cells, row_at))
            row = None

        for token in tokens(self.text, RAW):
            name = token.name.lower()
            if token.kind in ("text", "cdata"):
                body = plain(token.body)
                if row is not None:
                    if row:
                        row[-1] += body
                elif body.strip() or parts:
                    if first < 0:
                        first = token.start + len(token.body) - len(token.body.lstrip())
                    if body.strip():
                        last = token.start + len(token.body.rstrip())
                    parts.append(body)
                continue
            if token.kind == "raw":
                self.dropped[name] += 1
                self.dropped_chars += token.end - token.start
                continue
            if token.kind not in ("open", "close", "empty"):
                continue
            opening = token.kind != "close"
            if name == "a":
                if opening:
                    href = attributes(token.body).get("href", "")
                elif href and not href.startswith(("#", "javascript:")) and (parts or row):
                    target = f" ({href})"
                    if row:
                        row[-1] += target
                    else:
                        parts.append(target)
                    href = ""
                continue
            if name == "img" and opening and (alt := attributes(token.body).get("alt")):
                if row:
                    row[-1] += f" [{alt}]"
                else:
                    first = token.start if first < 0 else first
                    last = token.end
                    parts.append(f"[image: {alt}]")
                continue
            if name not in _BREAKS:
                continue
            if name == "br" and (pre or row is not None):
                if row:
                    row[-1] += " "
                else:
                    parts.append("\n")
                continue
            if row is None or name in ("table", "tr", "td", "th"):
                if row is None or name == "table":
                    flush()
                if name == "table":
                    end_row(token.start)
                    if opening:
                        tables.append(Table(self.lines.at(token.start), self.lines.at(token.start)))
                    elif tables:
                        done = tables.pop()
                        done.end = self.lines.at(token.end - 1)
                        self._end_table(done)
                elif name == "tr" and tables:
                    end_row(token.start)
                    if opening:
                        row, row_at = [], token.start
                elif name in ("td", "th") and opening and row is not None:
                    row.append("\0" if name == "th" else "")
            elif row:
                row[-1] += " "
            if len(name) == 2 and name[0] == "h" and name[1].isdigit() and row is None:
                level = int(name[1]) if opening else 0
            elif name == "pre":
                pre = int(opening)
            elif name == "title":
                in_title = opening
            elif name == "li" and opening:
                kind = "li"
            elif name in _NAV:
                if opening:
                    quiet.append(name)
                elif name in quiet:
                    quiet.remove(name)
            if opening and token.body and token.kind == "open" and len(alerts) < 50:
                found = attributes(token.body)
                if (
                    name in ("div", "p", "section", "aside")
                    and (found.get("role") == "alert" or _ALERT.search(found.get("class", "")))
                ) or (alerts and name == alerts[-1]):
                    alerts.append(name)
            elif alerts and name == alerts[-1]:
                alerts.append(name) if opening else alerts.pop()
        flush()
        end_row(len(self.text))
        while tables:
            done = tables.pop()
            done.end = self.lines.count
            self._end_table(done)

    def _end_table(self, table: Table) -> None:
        """Tables of one column or one row are layout: their cells are text."""
        if len(table.rows) >= 2 and max(len(cells) for _, _, cells, _ in table.rows) >= 2:
            self.tables.append(table)
            return
        for start, end, cells, offset in table.rows:
            self.blocks.append(Block(start, end, " | ".join(c for c in cells if c), offset=offset))
        if table.header:
            self.blocks.append(Block(table.start, table.start, " | ".join(table.header)))

    def facts(self) -> list[Fact]:
        words = sum(len(b.text.split()) for b in self.blocks)
        words += sum(len(" ".join(cells).split()) for t in self.tables for _, _, cells, _ in t.rows)
        what = f'HTML page "{self.title[:120]}"' if self.title else "HTML"
        facts = [Fact(f"{what}, {self.lines.count:,} lines", 0)]
        head = " ".join([self.title, *(b.text for b in self.blocks[:6])])[:600]
        if words < 400 and (match := _ERROR_PAGE.search(head)):
            facts.append(Fact(f'This is an error page: "{match[0]}".', 0))
        if self.dropped:
            said = ", ".join(f"{n:,} {k}s" for k, n in self.dropped.most_common())
            facts.append(Fact(f"Left out: {said}, {self.dropped_chars:,} chars.", 2))
        return facts


def outline(text: str) -> Outline:
    """The outline of an HTML text, however broken."""
    reading = HtmlReading(text)
    one_line = reading.lines.longest(len(text)) > 20_000 and reading.lines.count < 0.2 * len(reading.blocks)
    blocks = reading.blocks if one_line else led(reading.blocks)
    items, more_facts = blocks_to_items(blocks, reading.tables, text if one_line else "")
    return Outline(
        content_type="markup",
        unit="line",
        total=reading.lines.count,
        headline=f"HTML, {reading.lines.count:,} lines, {len(reading.headings):,} headings",
        facts=reading.facts() + more_facts,
        items=items,
        more=[("--bytes" if one_line else "--lines", "A:B")],
        facts_share=0.18,
    )
