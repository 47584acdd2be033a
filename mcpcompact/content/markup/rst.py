"""reStructuredText by lines: titles as headings, directives, literal blocks, lists, each line with its number."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.content.anomalies.words import words
from mcpcompact.content.markup.blocks import blocks_to_items
from mcpcompact.content.markup.paragraphs import Block, grouped
from mcpcompact.content.markup.shapes import DIRECTIVE, of_lines, title_at
from mcpcompact.content.markup.tables import TITLE
from mcpcompact.content.shared.lines import blank_lines, conflicts
from mcpcompact.outline import Fact, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped
from mcpcompact.source import split_lines

_OVERLINED = 3  # lines of a heading with a line above it

_CODE = ("code", "code-block", "sourcecode", "parsed-literal", "highlight", "doctest", "prompt", "ipython", "math")
_ALERTS = ("warning", "danger", "caution", "error", "attention", "important")
_LIST = regex(r"\s*(?:[-*+•]|(?:\d{1,4}|[a-zA-Z#])[.)])\s+\S")
_OBJECTS = words("attribute class confval data describe envvar exception function method module option")
ALERTED, DESCRIBED, OBJECT = 8, 3, 60  # lines of a warning; entries of a manual of these; characters of a name


def outline(text: str) -> Outline:
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
        if literal >= 0 and depth > literal:
            goes_on = bool(blocks) and blocks[-1].kind == "code"
            blocks.append(Block(number, number, line.rstrip(), "code", goes_on=goes_on))
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
            told = [f"{k} {lines[k - 1].strip()}" for k in range(number + 1, last + 1) if lines[k - 1].strip()]
            blocks.append(Block(number, last, "\n".join([line.rstrip(), *told]), "alert"))
            n = last
        elif any(c.isalnum() for c in line):
            code = directive is not None and directive[1] in _CODE
            literal = depth if code or line.rstrip().endswith("::") else -1
            below = lines[n].strip() if n < len(lines) else ""
            names = directive and literal < 0 and line[directive.end() :].strip() and below[:1] in ("", ":")
            comment = line.lstrip().startswith(".. ") and not directive
            if names and directive and (":" in directive[1] or directive[1] in _OBJECTS):
                described.append((number, clipped(line[directive.end() :].strip(), OBJECT)))
            kinds = ("mark", comment), ("fence", code), ("directive", names), ("li", _LIST.match(line))
            kind = next((kind for kind, fits in kinds if fits), "text")
            blocks.append(Block(number, number, line.rstrip(), kind))
    items, facts = blocks_to_items(grouped(blocks), [])
    headings = [block for block in blocks if block.kind == "heading"]
    alone = sum(block.level == 1 for block in headings) == 1  # else it is the first of several parts
    named = f' "{clipped(headings[0].text, TITLE)}"' if alone else ""
    said = f"reStructuredText, {len(lines):,} lines, {len(headings):,} headings"
    made = of_lines(len(lines), said, facts_share=0.25, extension=".rst", blank=blank_lines(lines), items=items)
    made.facts = [
        Fact(f"reStructuredText{named}, {len(lines):,} lines", 0),
        *conflicts(lines),
        *facts,
        *_told(described),
    ]
    made.closing = {n: "" for b in blocks for n in range(b.start, b.end + 1)}
    return made


def _told(described: Sequence[tuple[int, str]]) -> list[Fact]:
    """The objects that a manual describes."""
    if len(described) < DESCRIBED:
        return []
    told = " · ".join(f"{number} {name}" for number, name in described)
    names = f"Described from line {described[0][0]} on: {' · '.join(name for _, name in described)}"
    return [Fact(f"Described, each with its line: {told}", 1, names)]
