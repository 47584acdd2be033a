"""The help of a command: every option and command by its name before any is explained, each as a whole entry. A page of
the manual: its name, how it is called and its sections first, then the options, each with its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mcpcompact.content.shared.lines import LOOKED_UP, blank_lines, is_wrapper, outline_of
from mcpcompact.outline import Fact, Item, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

MIN, HEAD = 6, 60  # entries of a help; lines in which it says how it is called
MAX, EXPLAINED = 0.2, 0.1  # of the lines: entries, and options where each is explained in paragraphs
WHOLE = 6  # lines of an entry that stand together
LONG_ONLY = 4  # columns: deeper stands ``--all`` below ``-a``; a line that begins with an option deeper yet is text
PROSE = 0.5  # weight of what is said around the entries
NAMES = 0.6  # of the room, what the names may take
CALLED = 6  # lines of a page that say what it is, and of how it is called
INTRODUCTION = 3.9  # weight of the first paragraph of its description
EXPLAINED_OPTION, TEXT = 2.0, 0.4  # weight of an option with its text, of other paragraphs
PAGE_NAMES, FRAME = 0.5, 0.5  # of the room, what its names may take; the description and options before other text
LEVEL = 2  # of all sections: the page itself has no heading
_TOLD = ("NAME", "SYNOPSIS")  # sections that a fact says

_USED = regex(r"(?i)\s{0,4}(?:usage(?::|\s*$)|synopsis\s*$)")
_LISTED = regex(r"(?:[A-Z]+ )?(?:OPTIONS|FLAGS|(?:Global )?Options|Flags):$")
_OPTION = regex(
    r"[ \t]{1,12}(-{1,2}[\w?#@][^\s=,\[<]*"
    r"(?:(?:[ =](?:\{[^{}\s]{1,200}\}|[A-Z<\[{][^\s,]*)(?: \[\w{1,80} \.\.\.\])?)?"
    r"(?:, {0,3}| \| ?|/| )-{1,2}[\w?#@][^\s=,\[<]*)*)",
    holds="-",
)
_COMMAND = regex(r" {1,8}([a-z][\w:-]{0,40})\*?(?:, [a-z][\w-]*)* {2,}\S")
_BOLD = regex(r"\x1b\[[\d;]{0,9}m|.\x08")
_SPLIT = regex(r"[\s,|/=]+")
_SECTION = regex(r"\S.{0,100}:$|[A-Z][A-Z ]{2,40}$")
_OTHERS = regex(r"(?i).*\b(?:options?|flags|arguments?|values?|environment|examples?)\b.*:$")  # no commands below it
_PAGE_HEADING = regex(r"[A-Z][A-Z0-9 ,&/'-]{2,60}$")
_PAGE_OPTION = regex(r"\s+(-{1,2}[\w?#@][^\s=,\[<]*)", holds="-")


def is_manual(lines: Sequence[str]) -> bool:
    if not (any(map(_USED.match, lines[:HEAD])) or any(map(_LISTED.match, lines[:HEAD]))):
        return False
    options = sum(_OPTION.match(line) is not None for line in lines)
    entries = sum(_COMMAND.match(line) is not None for line in lines) + options
    filled = sum(map(bool, lines))
    return entries >= max(MIN, MAX * filled) or options >= max(MIN, EXPLAINED * filled)


def is_page(lines: Sequence[str]) -> bool:
    """The page of a manual, with or without what makes it bold: its first section is the name."""
    filled = [bare for line in lines[:HEAD] if (bare := _BOLD.sub("", line).strip())]
    return "NAME" in filled[:2] and not {"SYNOPSIS", "DESCRIPTION"}.isdisjoint(filled)


class _Page:
    """The help of one command: the lines that say how it is called, and the names below them."""

    def __init__(self, called: list[int]) -> None:
        self.called = called
        self.names: dict[str, dict[str, None]] = {"command": {}, "option": {}}

    def told(self) -> dict[str, dict[str, None]]:
        """The names by their kind; of prose in two columns a word looks like a command."""
        return {kind: names for kind, names in self.names.items() if len(names) >= (MIN if kind == "command" else 1)}

    def facts(self, lines: Sequence[str]) -> list[Fact]:
        below = "".join(lines[self.called[-1] : self.called[-1] + 1])
        usage = _usage(lines, self.called, below[:1].isspace() and not below.isspace())
        return [usage, *(Fact(f"{kind}s: {' '.join(names)}", 0) for kind, names in self.told().items())]


def _usage(lines: Sequence[str], called: Sequence[int], goes_on: bool) -> Fact:
    """How it is called, by the numbers of these lines; ``goes_on``: it breaks off here."""
    return Fact(" ".join(lines[n - 1].strip() for n in called) + " …" * goes_on, 0, shows=[called])


def _entry(line: str, section: str, below: bool, deep: bool) -> re.Match[str] | None:
    """The name that an entry begins with; within the text of another stands no command, and deep in it no option."""
    option = None if deep else _OPTION.match(line)
    return option or (None if below or _OTHERS.match(section) else _COMMAND.match(line))


def outline(lines: Sequence[str]) -> Outline:
    items: list[Item] = []
    begins = next((n for n, line in enumerate(lines, 1) if line.strip() and not is_wrapper(line)), 1)
    pages = [] if any(map(_USED.match, lines[:HEAD])) else [_Page([begins])]
    section, entry, indent, goes_on = "", "", -1, False  # the entry whose text may follow, and how deep it stands
    first = -1  # how deep the first option of the section stands
    for number, line in enumerate(lines, 1):
        deep = len(line) - len(line.lstrip())
        if _USED.match(line):
            called = [n for n in range(number, len(lines) + 1) if lines[n - 1].strip()]
            pages.append(_Page(called[: 1 + (len(line.split()) == 1)]))
        below = 0 <= indent < deep
        if not line.strip():
            goes_on = False
        elif is_wrapper(line) or (pages and number in pages[-1].called):
            indent = -1
        elif _SECTION.match(line):
            section, indent, first = f"{number} {line}", -1, -1
        elif match := _entry(line, section, below, below and deep > first + LONG_ONLY >= LONG_ONLY):
            option = line.lstrip().startswith("-")
            first = deep if option and first < 0 else first
            names = [name for name in _SPLIT.split(match[1]) if name[:1] == "-" or not option]
            for page in pages[-1:]:
                page.names["option" if option else "command"][max(names, key=len)] = None
            entry, indent, goes_on = f"{number} {line.rstrip()}", deep, True
            items.append(Item(number, number, entry, section=section, whole=True, flow="sentences"))
        elif below and goes_on and (not items[-1].whole or items[-1].end - items[-1].start < WHOLE):
            head, _, text = items[-1].text.partition(" ")
            head = head if items[-1].whole else f"{items[-1].start}-{number}"
            items[-1].text, items[-1].end = f"{head} {text}\n{line}", number
        else:
            above = f"{section}\n{entry}".lstrip("\n") if below else section
            items.append(Item(number, number, f"{number} {line}", weight=PROSE, section=above))
            items[-1].flow = "sentences" if below else ""
            indent, goes_on = indent if below else -1, below
    counts = [(kind, sum(len(page.told().get(kind, ())) for page in pages)) for kind in ("command", "option")]
    headline = ", ".join(counted(n, kind) for kind, n in counts if n)
    facts = [Fact(f"Help: {headline}.", 0), *(fact for page in pages for fact in page.facts(lines))]
    return outline_of(lines, headline, facts, items, more=LOOKED_UP, facts_share=NAMES, blank=blank_lines(lines))


def page_outline(lines: Sequence[str]) -> Outline:
    from mcpcompact.content.markup.tree import tree

    items: list[Item] = []
    headings: list[tuple[int, int, str]] = []
    options: dict[str, None] = {}
    begun: list[Fact] = []
    title = section = ""
    for start, end, option in _page_paragraphs(lines):
        if _PAGE_HEADING.match(lines[start - 1].rstrip()):
            title = lines[start - 1].rstrip()
            section = f"{start} {title}"
            headings.append((LEVEL, start, title))
            continue
        first = bool(items) and items[-1].section != section
        text = "\n".join(line.rstrip() for line in lines[start - 1 : end])
        place = f"{start}" if start == end else f"{start}-{end}"
        item = Item(start, end, f"{place} {text}", weight=TEXT, section=section, flow="sentences")
        if first and title in _TOLD:
            begun.append(_usage(lines, range(start, min(end + 1, start + CALLED)), end >= start + CALLED))
        elif first and title == "DESCRIPTION":
            item.weight = INTRODUCTION
        elif option:
            item.weight = EXPLAINED_OPTION
            options[option] = None
        items.append(item)
    size = f"{counted(len(headings), 'section')}, {counted(len(options), 'option')}"
    facts = [Fact(f"Manual page: {size}", 0), *begun, *tree(headings)]
    facts += [Fact(f"options: {' '.join(options)}", 1)] if options else []
    return outline_of(
        lines, size, facts, items, more=LOOKED_UP, facts_share=PAGE_NAMES, frame_share=FRAME, blank=blank_lines(lines)
    )


def _page_paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The first and last line of each heading, paragraph and option with the text below it; the option's name. An
    option stands as far in as the text of a section, and not within a paragraph."""
    first = next((line for line in lines[1:] if line[:1] == " " and line.strip()), "")
    depth = len(first) - len(first.lstrip())
    begins, name = 0, ""
    for number, line in enumerate([*lines, ""], 1):
        own = len(line) - len(line.lstrip())
        before = lines[number - 2] if number > 1 else ""
        within = len(before) - len(before.lstrip()) == own and before.strip() and not name
        match = _PAGE_OPTION.match(line) if own == depth and not within else None
        headed = begins and lines[begins - 1][:1].strip()  # the line of a heading stands alone
        ends = not line.strip() or match or own == 0 or headed
        if begins and ends:
            yield begins, number - 1, name
            begins, name = 0, ""
        if line.strip() and not begins:
            begins, name = number, match[1] if match else ""
