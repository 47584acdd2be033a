"""HTML, XML and Markdown: sections and elements with exact line numbers, tables by their columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from mcpcompact.collector import paused
from mcpcompact.content.markup.answering import ANSWERING, answering, pages, pointed
from mcpcompact.content.markup.blocks import BEGINNINGS, OPENINGS
from mcpcompact.content.markup.paragraphs import LONG
from mcpcompact.content.markup.releases import DATED_SHARE, SHARE, newest_dated, newest_first
from mcpcompact.content.markup.shapes import FENCE, flavour, parting
from mcpcompact.content.markup.tree import TREE
from mcpcompact.content.shared.calls import RULER, named_language
from mcpcompact.content.shared.lines import blank_lines
from mcpcompact.content.shared.request import queried
from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Outline
from mcpcompact.patterns import regex
from mcpcompact.source import Source

NAMED = {"Markdown": "markdown", "reStructuredText": "rst"}  # by the name of the file


def outline(source: Source, hints: Hints) -> Outline:
    if source.large:
        raise InputError("this markup is too large to be read at once", hint="use --type text, or split it")
    return of_text(source.text, hints)


def of_text(text: str, hints: Hints, kind: str = "") -> Outline:
    """``kind``: the flavour, where it is known."""
    kind = kind or flavour(text)
    named = NAMED.get(named_language(hints.arguments, hints.file)) if kind in (*NAMED.values(), "html") else None
    with paused():
        result = _by_flavour(text, named or kind)
    if '"url":' in text:
        result.items = pages(list(result.items), text.split("\n"))
    noted = [] if queried(hints) else newest_dated(result.items)
    result.facts[1:1] = noted
    share = DATED_SHARE if noted else ANSWERING if answering(result.items, hints) else 0.0
    if not share and (releases := newest_first(result.items)):  # which say more than a tree of compared versions
        result.facts[1:] = releases + [fact for fact in result.facts[1:] if not fact.text.startswith(TREE)]
        share = SHARE
    elif not noted and pointed(result.items, hints):
        share = ANSWERING
    long = result.items and result.items[-1].end - result.items[0].start >= LONG
    result.frame_share = max(OPENINGS if long else BEGINNINGS, share, result.frame_share)
    return result


def of_view(lines: list[str], shift: int, hints: Hints) -> Outline | None:
    """The outline of lines of Markdown that begin behind line ``shift`` of their file; of a negative one, so many
    lines of a tool stand above them. None where they begin within an example, or may do so."""
    marks = [match[2] for line in lines if (match := FENCE.match(line))]
    if shift > 0 and (any(marks[1::2]) or (len(marks) % 2 and not any(marks))):
        return None
    begins = shift > 0 and lines[0].strip() == RULER  # no front matter
    text = "\n".join(["", *lines[1:]] if begins else lines[max(0, -shift) :])
    result = of_text("\n" * shift + text, hints, NAMED["Markdown"])
    for item in result.items:
        item.start, item.end, item.under = item.start - shift, item.end - shift, max(0, item.under - shift)
    for fact in result.facts:
        first, last = fact.points
        fact.points = max(0, first - shift), max(0, last - shift)
        fact.shows = [[n - shift for n in own] for own in fact.shows]
    result.total, result.shift = len(lines), shift
    result.blank, result.closing = blank_lines(lines), parting(lines)
    return result


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Markdown by heading, XML and HTML by the lines that open a block; else by blank lines."""
    ends = [match.start() for match in _BREAK.finditer(text)]
    yield from ((start, end) for start, end in pairwise([0, *ends, len(text)]) if end > start)


_BREAK = regex(
    r"^(?=#{1,6}[ \t]|\s{0,40}<(?:h[1-6]|section|article|table|tr|p|div|li|testcase|testsuite|file|item|entry|error)\b)"
    r"|(?<=\n)\n+(?=\S)",
    re.M | re.I,
)


def _by_flavour(text: str, kind: str) -> Outline:
    from mcpcompact.content.markup import html, markdown, snapshot, xml

    if kind == "xml" and (result := xml.outline(text)) is not None:
        return result
    read = {"rst": markdown.of_rst, "snapshot": snapshot.outline, "markdown": markdown.outline}
    return read.get(kind, html.outline)(text)
