"""A screen that a watching tool draws again and again: only the last one says how things stand."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import regex

SCREEN: Final = regex(
    r"Refreshing .{1,60} every \d+|Every \d+[.,]\d+s: |top - \d\d:\d\d:\d\d up ",
    holds=("Refreshing ", "Every ", "top - "),
)
"""The line with which a watching tool begins each screen."""
_SIGN: Final = regex(r"[ \t]*(?:[*✓✔X✗✘!•●◐⠋-] )?")
_DONE: Final = regex(r"[ \t]*[✓✔] ")
TITLE: Final = 3  # lines from a screen's first one to its title
HEAD, OPEN, CLOSED, AGAIN = 4.0, 3.0, 0.2, 0.1
"""Weights: of what stands at the left; of a step that is not done; of one that is, or of a job that is; of repeats."""


def screens(lines: Iterable[tuple[int, str]]) -> list[int]:
    """The first line of each screen, of a log that has more than one: where the tool says that it draws, or, as of the
    last one it may not, where the title stands again, whatever sign is before it."""
    begun: list[int] = []
    titled: list[int] = []
    title = ""
    for number, line in lines:
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
