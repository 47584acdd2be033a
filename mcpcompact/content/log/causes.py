"""Why tests failed: the messages that several of them share, and the errors that what they received shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Final, NamedTuple

from mcpcompact.content.log.runners import bare
from mcpcompact.content.log.templates import category
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped

_SAYS: Final = (
    regex(r"E {2,}(\S.*)"),  # pytest, before the lines that introduce a trace
    regex(r"([A-Za-z_][\w.]*(?:Error|Exception|Failure)\b.*)"),  # below a trace, before what its frames quote
    regex(r"\s*((?:[\w.:]+(?:Error|Exception|Failure)\b|E[A-Z]{4,15}: |Expected\b|assert|panicked\b).*)"),
)
_HEADING: Final = regex(r"_+ .* _+$|\s*--- FAIL: |\s*● ")
_RULED: Final = regex(r"\s*[=_-]{3,}(?: |$)|_ .*[^\W_].* _$")  # but those between the frames of one trace
MOST_READ, TEXT = 500, 200  # failures whose messages are read; characters of a message


_OTHER: Final = regex(r"\((?:pass|skip|todo)\) |\[ +(?:OK|RUN) +\] ")  # a test before, or where this one begins
_VALUE: Final = regex(r"\s*(?:[E+] +)?(?:(?:Received|Actual|Got|Output|stdout|stderr)\b|but was\b)", holds="RAGOsb")
_THROWN: Final = regex(  # also behind a line break as it is quoted
    r"(?:(?<=\\n)|\b)(?:(?:[A-Z]\w{0,60})?(?:Error|Exception)|error|panic): \S",
    holds=("rror: ", "xception: ", "panic: "),
)
_RECEIVED: Final = regex(r"\s*(?:Received|Actual)\b.{1,80}$")
ABOVE: Final = 60  # lines above the name of a test in which its message stands


class Cause(NamedTuple):
    """A message, how many tests share it, the line where it stands first, whether all say it in the same words, and
    whether it is an error that stands in what they received."""

    tests: int
    line: int
    text: str
    same: bool
    shown: bool


Named = tuple[int, str, str, bool]  # line, test, text of the line, and whether what is said of it stands above


def _blocks(named: Sequence[Named], after: Callable[[int], list[str]]) -> Iterator[tuple[Named, int, list[str]]]:
    """What is said of each failure: the number of the line before it, and its lines."""
    for one, before, end in zip(
        named, [0, *(line for line, *_ in named)], [*(n for n, *_ in named[1:]), 0], strict=False
    ):
        start, stop = (max(before, one[0] - ABOVE), one[0]) if one[3] else (one[0], end)
        block = [bare(raw) for raw in after(start)[: stop - start - 1 if stop else None]]
        skip = max((n for n, text in enumerate(block, 1) if one[3] and _OTHER.match(text)), default=0)
        yield one, start + skip, block[skip:]


def shared(named: Sequence[Named], after: Callable[[int], list[str]]) -> tuple[list[Cause], dict[int, tuple[int, str]]]:
    """The messages that two or more tests share, and errors in what they received before these; by the line of a
    failure the message that stands above it."""
    first: dict[tuple[bool, str], tuple[int, str]] = {}
    tests: dict[tuple[bool, str], set[str]] = {}
    texts: dict[tuple[bool, str], set[str]] = {}
    above: dict[int, tuple[int, str]] = {}
    for (line, test, heading, behind), start, block in _blocks(named, after) if len(named) <= MOST_READ else ():
        for shown, found in ((False, _message(heading, block)), (True, _thrown(block))):
            at, text = found or (0, "")
            key = shown, " ".join(map(category, text.split()))
            first.setdefault(key, (start + at, text[:TEXT]))
            tests.setdefault(key, set()).update([test] * bool(text))
            texts.setdefault(key, set()).add(text)
            above.update({line: (start + at, clipped(text, TEXT))} if text and behind and not shown else {})
    causes = [Cause(len(tests[key]), *first[key], len(texts[key]) == 1, key[0]) for key in first if len(tests[key]) > 1]
    return sorted(causes, key=lambda one: (not one.shown, -one.tests, one.line)), above


def _thrown(block: Sequence[str]) -> tuple[int, str] | None:
    """The first error that stands in a value which a test received: no assertion tells as much."""
    for at, text in enumerate(block, 1):
        if _VALUE.match(text) and (error := _THROWN.search(text)):
            return at, text[error.start() :].removesuffix('"').partition("\\n")[0]
    return None


def _message(heading: str, lines: Sequence[str]) -> tuple[int, str] | None:
    """The line of the message behind the heading, and what it says."""
    lines = list(takewhile(lambda text: not _RULED.match(text), lines))
    for pattern in _SAYS:
        for at, text in enumerate(lines, 1):
            if found := pattern.match(text):
                beside = _RECEIVED.match("".join(lines[at : at + 1])) if found[1].startswith("Expected") else None
                return at, found[1].strip() + (f" · {beside[0].strip()}" if beside else "")
    filled = [(at, text.strip()) for at, text in enumerate(lines, 1) if text.strip()]
    return filled[0] if filled and _HEADING.match(heading) and not heading.startswith("_") else None
