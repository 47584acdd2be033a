"""What several failing tests say alike: the message of each, from the lines below its heading or behind its name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from mcpcompact.content.log.templates import category
from mcpcompact.content.log.typed import bare
from mcpcompact.patterns import regex

_SAYS: Final = (
    regex(r"E {2,}(\S.*)"),  # pytest, before the lines that introduce a trace
    regex(r"\s*((?:[\w.:]+(?:Error|Exception|Failure)\b|Expected\b|assert|panicked\b).*)"),
)
_HEADING: Final = regex(r"_+ .* _+$|\s*--- FAIL: |\s*● ")
_RULER: Final = regex(r"\s*[=_-]{3,}(?: |$)|_ .* _$")
MOST: Final = 500  # failures whose messages are read
TEXT: Final = 200  # characters of a message


class Cause(NamedTuple):
    """A message, how many tests share it, and the line where it stands first."""

    tests: int
    line: int
    text: str


def shared(named: Sequence[tuple[int, str, str]], after: Callable[[int], list[str]]) -> list[Cause]:
    """The messages that two or more tests share; ``named`` are (line, test, text of the line), in order."""
    first: dict[str, tuple[int, str]] = {}
    tests: dict[str, set[str]] = {}
    ends = [*(line for line, _, _ in named[1:]), 0]
    for (line, test, text), end in zip(named, ends, strict=False) if len(named) <= MOST else ():
        block = after(line)[: end - line - 1 if end else None]
        if found := _message(text, [bare(raw) for raw in block]):
            at, message = found
            key = " ".join(map(category, message.split()))
            first.setdefault(key, (line + at, message[:TEXT]))
            tests.setdefault(key, set()).add(test)
    causes = [Cause(len(tests[key]), *first[key]) for key in first if len(tests[key]) > 1]
    return sorted(causes, key=lambda one: (-one.tests, one.line))


def _message(heading: str, lines: Sequence[str]) -> tuple[int, str] | None:
    """The line of the message behind the heading, and what it says."""
    lines = list(takewhile(lambda text: not _RULER.match(text), lines))
    for pattern in _SAYS:
        for at, text in enumerate(lines, 1):
            if found := pattern.match(text):
                return at, found[1].strip()
    filled = [(at, text.strip()) for at, text in enumerate(lines, 1) if text.strip()]
    return filled[0] if filled and _HEADING.match(heading) else None
