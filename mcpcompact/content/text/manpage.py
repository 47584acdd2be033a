"""A page of the manual: its name, how it is called and its sections first, then the options, each with its text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mcpcompact.content.markup.tree import tree
from mcpcompact.content.shared.lines import SEARCHED, blank_lines, outline_of
from mcpcompact.outline import Fact, Item, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

CALLED = 6  # lines that say what it is, and of how it is called
INTRODUCTION = 3.9  # weight of the first paragraph of its description
OPTION, TEXT = 2.0, 0.4  # weight of an option, of other paragraphs
NAMES, FRAME = 0.5, 0.5  # of the room, what names may take; the description and options before other text
LEVEL = 2  # of all sections: the page itself has no heading

_TOLD = ("NAME", "SYNOPSIS")  # sections that a fact says
_HEADING = regex(r"[A-Z][A-Z0-9 ,&/'-]{2,60}$")
_OPTION = regex(r"\s+(-{1,2}[\w?#@][^\s=,\[<]*)", holds="-")


def outline(lines: Sequence[str]) -> Outline:
    items: list[Item] = []
    headings: list[tuple[int, int, str]] = []
    options: dict[str, None] = {}
    begun: list[Fact] = []
    title = section = ""
    for start, end, option in _paragraphs(lines):
        if _HEADING.match(lines[start - 1].rstrip()):
            title = lines[start - 1].rstrip()
            section = f"{start} {title}"
            headings.append((LEVEL, start, title))
            continue
        first = bool(items) and items[-1].section != section
        text = "\n".join(line.rstrip() for line in lines[start - 1 : end])
        place = f"{start}" if start == end else f"{start}-{end}"
        item = Item(start, end, f"{place} {text}", weight=TEXT, section=section, flow="sentences")
        if first and title in _TOLD:
            called = [*range(start, min(end, start + CALLED - 1) + 1)]
            begun += [
                Fact(" ".join(lines[n - 1].strip() for n in called) + " …" * (called[-1] < end), 0, shows=[called])
            ]
        elif first and title == "DESCRIPTION":
            item.weight = INTRODUCTION
        elif option:
            item.weight = OPTION
            options[option] = None
        items.append(item)
    told = f"{counted(len(headings), 'section')}, {counted(len(options), 'option')}"
    facts = [Fact(f"Manual page: {told}", 0), *begun, *tree(headings)]
    facts += [Fact(f"options: {' '.join(options)}", 1)] if options else []
    return outline_of(
        lines, told, facts, items, more=SEARCHED, facts_share=NAMES, frame_share=FRAME, blank=blank_lines(lines)
    )


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The first and last line of each heading, paragraph and option with the text below it; the option's name. An
    option stands as far in as the text of a section, and not within a paragraph."""
    first = next((line for line in lines[1:] if line[:1] == " " and line.strip()), "")
    depth = len(first) - len(first.lstrip())
    begins, name = 0, ""
    for number, line in enumerate(lines, 1):
        own = len(line) - len(line.lstrip())
        before = lines[number - 2] if number > 1 else ""
        within = len(before) - len(before.lstrip()) == own and before.strip() and not name
        found = _OPTION.match(line) if own == depth and not within else None
        headed = begins and lines[begins - 1][:1].strip()  # the line of a heading stands alone
        ends = not line.strip() or found or own == 0 or headed
        if begins and ends:
            yield begins, number - 1, name
            begins, name = 0, ""
        if line.strip() and not begins:
            begins, name = number, found[1] if found else ""
    if begins:
        yield begins, len(lines), name
