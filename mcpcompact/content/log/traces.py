"""A stack trace: its message and the frame of one's own that is nearest to it stand before all other frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from mcpcompact.content.log.lines import FRAME
from mcpcompact.content.log.templates import category
from mcpcompact.patterns import regex

TRACE_LEAST: Final = 3  # lines
WHOLE: Final = 60
"""Lines of a kept entry shown without a gap; of a longer one its first 40 and last 16."""
WHERE, CAUSE = 3.1, 4.1
"""Weights: of the frame of one's own code that is nearest to the message, before what was printed last; of that of the
first and the last trace of an output, whatever else is kept."""
_LIBRARY: Final = regex(
    r".*(?:(?:site|dist)-packages|<frozen |/lib(?:64)?/python\d|\\[Ll]ib\\|node_modules|node:internal"
    r"|/go/(?:src|pkg/mod)/|/rustc/|\.cargo/registry"
    r"|\bat (?:java|javax|jdk|sun|com\.sun|scala|kotlin|org\.(?:junit|apache\.maven|gradle|testng|scalatest"
    r"|springframework|hibernate))\.)"
)
_BEGINS: Final = regex(
    r"Traceback \(most recent call last\)|panic: |thread '[^']{0,80}' panicked|Exception in thread |Uncaught "
)
_PYTHON: Final = regex(r"\s+File \"")
_CAUSED: Final = regex(r"\s*(?:Caused by|Suppressed): ")


def trace_key(lines: Sequence[str], group: str) -> str:
    """Identical traces fold: the frames' and the exception's words without their values."""
    if len(lines) < TRACE_LEAST:
        return group
    import zlib

    frames = "\n".join(category(line.strip()[:4_000]) for line in lines[1:WHOLE])
    return f"{group}/{zlib.crc32(frames.encode('utf-8', 'replace')):08x}"


def begun(entries: Sequence[tuple[int, int, list[str]]]) -> list[int]:
    """Where the first and the last trace begin that end what a program printed: no message of it has them below."""
    found = [start for start, _, lines in entries if _BEGINS.match(lines[0])]
    return [*found[:1], *found[1:][-1:]]


def telling(lines: Sequence[str]) -> list[tuple[int, int, float]]:
    """Which lines of a trace say what failed, and (with a weight) where: the message, that of each cause, and the frame
    of one's own that is nearest to it."""
    frames = [at for at, line in enumerate(lines) if FRAME.match(line)]
    own = [at for at in frames if not _LIBRARY.match(lines[at])] or frames
    if any(map(_PYTHON.match, lines)):  # the message stands last
        frame = [at for at in own if _PYTHON.match(lines[at])][-1:]
        behind = frames[-1] + 1 + bool(_PYTHON.match(lines[frames[-1]]))
        return [*((at, at + 2, WHERE) for at in frame), (min(behind, len(lines) - 1), len(lines), 0.0)]
    parts = []
    for at in [0, *(at for at, line in enumerate(lines) if at and _CAUSED.match(line))]:
        first = next((frame for frame in frames if frame > at), at + 1)
        parts += [(at, first, 0.0), *((frame, frame + 1, WHERE) for frame in own if frame >= first)][:2]
    return sorted(parts)


def around(lines: list[str], at: int) -> Iterator[tuple[int, int, bool]]:
    """Runs of lines from ``at`` on that are frames of libraries, with what stands below each, or are not."""
    owned: list[bool] = []
    for line in lines[at:]:
        below = line[:1] in " \t" and not FRAME.match(line) and bool(owned)
        owned.append(owned[-1] if below else not _LIBRARY.match(line))
    for own, run in groupby(owned):
        end = at + len([*run])
        yield at, end, own
        at = end
