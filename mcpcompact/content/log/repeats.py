"""What a log says again: a screen that a watching tool draws again and again, of which the last one says how things
stand; and the log said shorter without loss, consecutive repeats folded, a shared beginning of many lines said once.

A packed text can be made again, character for character. Line by line, it holds ``§prefix`` (all following lines
begin with ``prefix``, until the next ``§``), lines without their prefix, and ``… ×n`` (the line before stands ``n``
times in a row).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from mcpcompact.content.log.grammar import find_stamp
from mcpcompact.content.log.runners import bare
from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import held, regex

SCREEN: Final = regex(
    r"Refreshing .{1,60} every \d+|Every \d+[.,]\d+s: |top - \d\d:\d\d:\d\d up ",
    holds=("Refreshing ", "Every ", "top - "),
)
"""The line with which a watching tool begins each screen."""
_SIGN: Final = regex(r"[ \t]*(?:[*✓✔X✗✘!•●◐⠋-] )?")
_DONE: Final = regex(r"[ \t]*[✓✔] ")
TWICE: Final = 1e-70  # weight of a line that the facts show: behind all others
TITLE: Final = 3  # lines from a screen's first one to its title
HEAD, OPEN, CLOSED, AGAIN = 4.0, 3.0, 0.2, 0.1
"""Weights: of what stands at the left; of a step that is not done; of one that is, or of a job that is; of repeats."""


def screens(lines: Iterable[tuple[int, str]]) -> list[int]:
    """The first line of each screen, of a log that has more than one: where the tool says that it draws, or, as of the
    last one it may not, where the title stands again, whatever sign is before it."""
    begun: list[int] = []
    titled: list[int] = []
    title, known = "", [*lines]
    for number, line in known if held(SCREEN, [line for _, line in known]) else ():
        if SCREEN.match(line):
            begun.append(number)
        elif begun and line.strip():
            bare = _SIGN.sub("", line, count=1)
            title = title or bare
            if bare == title:
                titled.append(begun[-1] if number - begun[-1] <= TITLE else number)
    found = titled if len(titled) >= len(begun) else begun
    return found if len(found) > 1 else []


def told(found: list[int], lines: int) -> list[Fact]:
    """How often the screen was drawn, and where the last one stands."""
    if not found:
        return []
    return [Fact(f"a screen drawn {len(found):,} times; only the last one is shown, lines {found[-1]:,}–{lines:,}", 0)]


def last_screen(items: list[Item], first: int) -> list[Item]:
    """The lines of the last screen alone, one an item: what stands at the left before all else, and the steps below it
    where they are not done."""
    shown: list[Item] = []
    seen: set[str] = set()
    done = False
    for item in items:
        for number, line in enumerate(item.text.partition(": ")[2].split("\n"), item.start):
            if number < first or not line.strip():
                continue
            if not line.startswith((" ", "\t")):
                done, weight = _DONE.match(line) is not None, HEAD
            else:
                weight = CLOSED if done or _DONE.match(line) else OPEN
            one = Item(number, number, f"{number}: {line}", weight=AGAIN if line in seen else weight)
            if item.start == item.end and item.keep is Keep.SEVERE:
                one.keep, one.reason, one.template = item.keep, item.reason, item.template
            seen.add(line)
            shown.append(one)
    return shown


def once(items: Sequence[Item], all_facts: Sequence[Fact]) -> None:
    """What stands whole among the facts is not said again, but what is kept."""
    told = [fact for fact in all_facts if fact.rank <= 1 and fact.shows and len(fact.text) <= LONG]
    rows = {n: said for fact in told for said in (_signs(fact.text),) for units in fact.shows for n in units}
    for item in items:
        if not item.keep and item.start == item.end and item.start in rows:
            said = _signs(bare(item.text.partition(": ")[2]))
            item.weight = TWICE if said and said in rows[item.start] else item.weight


def _signs(text: str) -> str:
    """A line however it is spaced and ruled."""
    return "".join(filter(str.isalnum, text))


LONG = 20_000  # characters of a fact that no budget shows whole
_WORTH_PACKING = 6  # characters saved

_MARK: Final = "§"
_CUTS: Final = regex(r"[T:._-]| ")


def pack(text: str) -> str | None:
    """The packed text, or ``None`` when it would not be shorter or the text holds our own marks."""
    if _MARK in text or "… ×" in text:
        return None
    lines = text.split("\n")
    stamped = [bool(line[:1].strip()) and find_stamp(line[:40]) is not None for line in lines]
    best = min((_pack(lines, stamped, width) for width in _widths(lines)), key=len)
    return best if len(best) < len(text) else None


def _widths(lines: list[str]) -> list[int]:
    """Prefix lengths worth trying: none, and each part of the time stamp (date, hour, minute)."""
    for line in lines[:20]:
        found = find_stamp(line)
        if found and found[1] <= 1:
            ends = [cut.end() for cut in _CUTS.finditer(line, 4, found[2])]
            return [0, *dict.fromkeys(ends)]
    return [0]


def shortest(text: str) -> int:
    """A lower bound of the packed length, cheap: repeats folded and a stamp of at most 30 characters dropped."""
    return sum(max(0, len(line) - 30) for line, _ in groupby(text.split("\n")))


def _pack(lines: list[str], stamped: list[bool], width: int) -> str:
    out: list[str] = []
    prefix, at = "", 0
    for line, run in groupby(lines):
        times = len([*run])
        want = line[:width] if width and len(line) >= width and stamped[at] else ""
        if want != prefix:
            prefix = want
            out.append(_MARK + prefix)
        body = line[len(prefix) :]
        out += [body, f"… ×{times}"] if (times - 1) * (len(body) + 1) > _WORTH_PACKING else [body] * times
        at += times
    return "\n".join(out)
