"""The bytes of lines: without colours and redrawn states, and of very long ones the head and what is loud."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from mcpcompact.content.log.lines import ANSI, LOUD, LOUD_STEMS
from mcpcompact.patterns import regex

MAX_LINE: Final = 4000
"""Bytes of a line that are looked at; of a longer one the head and what stands around loud words."""
HEAD: Final = 2400
MAX_PARTS: Final = 8  # of a long line that are shown, with the remarks between them
CONTINUES: Final = 0x80  # the two high bits of a byte that continues a UTF-8 character
MAX_HITS: Final = 20_000  # of one loud stem in one line


def strip(block: bytes) -> bytes:
    """The block without colours, lines ended by ``\n`` alone."""
    if b"\x1b" in block:
        block = ANSI.sub(b"", block)
    return block.replace(b"\r\n", b"\n") if b"\r" in block else block


def clean(block: bytes, ended: bool) -> list[bytes]:
    """The lines of a stripped block, of one redrawn with ``\r`` its last state; ``ended``: it ended with a newline."""
    lines = block.split(b"\n")
    if ended:
        lines.pop()
    if b"\r" in block:
        lines = [last_state(line) if b"\r" in line else line for line in lines]
    return lines


def last_state(line: bytes) -> bytes:
    states = [state for state in line.split(b"\r") if state.strip()]
    return states[-1] if states else b""


_LOUD_BYTES: Final = regex(LOUD.pattern.encode(), re.IGNORECASE)


def clip(line: bytes, head: int = HEAD) -> bytes:
    """A very long line: its head and the surroundings of its first loud words, with what was left out said."""
    if len(line) <= max(MAX_LINE, head):
        return line
    end = _edge(line, head)
    parts = [line[:end]]
    for at, to in _loud_spans(line, end):
        if at > end:
            start, stop = _edge(line, max(end, at - 120)), _edge(line, to + 200)
            parts += [f"…[+{start - end:,} bytes] ".encode(), line[start:stop]]
            end = stop
            if len(parts) > MAX_PARTS:
                break
    return b"".join([*parts, f" …[+{len(line) - end:,} bytes]".encode()])


def _edge(line: bytes, at: int) -> int:
    """The start of the UTF-8 character that holds byte ``at``; the end of a shorter line."""
    if at >= len(line):
        return len(line)
    return next((k for k in range(at, max(0, at - 4), -1) if line[k] & 0xC0 != CONTINUES), at)


def _loud_spans(line: bytes, start: int) -> Iterator[tuple[int, int]]:
    """Where loud words stand: their stems are found at memory speed, the pattern looks only around those."""
    low = line.lower()
    hits: set[int] = set()
    for stem in LOUD_STEMS:
        at, left = low.find(stem, start), MAX_HITS
        while at >= 0 and left:
            hits.add(at)
            at, left = low.find(stem, at + 1), left - 1
    done = start
    for at in sorted(hits):
        found = _LOUD_BYTES.search(line, max(done, at - 12), at + 24) if at >= done else None
        if found:
            done = found.end()
            yield found.span()


def heads(lines: Sequence[bytes], room: int) -> dict[int, int]:
    """How much of each long line to show (by its place) so that all of them have ``room`` bytes: the shorter whole."""
    long = sorted((len(line), at) for at, line in enumerate(lines) if len(line) > MAX_LINE)
    given: dict[int, int] = {}
    for left, (size, at) in zip(range(len(long), 0, -1), long, strict=True):
        share = min(size, room // left)
        if share > MAX_LINE:
            given[at] = share
        room -= share
    return given
