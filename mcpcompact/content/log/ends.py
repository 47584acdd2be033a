"""Where log entries end, found from any entry on without reading the others: chunks need only one end each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mcpcompact.content.log.lines import ANSI, LOOK, MAX_ENTRY, Style, is_head, too_long
from mcpcompact.patterns import regex

_COLOUR: Final = regex(ANSI.pattern.decode())
_STYLED: Final = 400  # lines from the first on that show how a log is written


def uncoloured(line: str) -> str:
    """A line as it decides whether an entry begins there: without colours and its carriage return."""
    line = line.rstrip("\r")
    return _COLOUR.sub("", line[: 2 * LOOK]) if "\x1b" in line else line


def entry_ends(text: str) -> Callable[[int, int], int] | None:
    """``ends(base, stop)``: of the entries from ``base`` (where one begins) on, the end of the last one that ends at
    or before ``stop``, of the first one when even that ends later. None for a log without heads.

    The same places as ``entry_starts`` finds. Where an entry ends depends on nothing before it, and a line with a head
    begins one in any case: so the last head before ``stop`` is looked for backwards, while it is near enough that no
    entry without a head can begin behind it.
    """
    first = [uncoloured(line)[:LOOK] for line in text.split("\n", _STYLED)[:_STYLED]]
    if not Style.of(first).headed:
        return None

    def line(at: int) -> str:
        end = text.find("\n", at)
        return uncoloured(text[at:end] if end >= 0 else text[at:])

    def ends(base: int, stop: int) -> int:
        if stop >= len(text):
            return len(text)
        at = stop + 1
        for _ in range(MAX_ENTRY - 1):
            at = text.rfind("\n", base, at - 1) + 1
            if at <= base:
                break
            if is_head(line(at)):
                return at
        return forward(base, stop)

    def forward(base: int, stop: int) -> int:
        found, lines, at = 0, 1, text.find("\n", base) + 1
        while 0 < at < len(text) and not (found and at > stop):
            here = line(at)
            if is_head(here) or too_long(lines, here):
                if at > stop:
                    return found or at
                found, lines = at, 0
            lines += 1
            at = text.find("\n", at) + 1
        return found or len(text)

    return ends
