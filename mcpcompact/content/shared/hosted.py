"""What a host puts around what a tool returned: a reminder below it."""

from __future__ import annotations

from mcpcompact.outline import Fact, Lossless, Outline
from mcpcompact.phrasing import counted
from mcpcompact.source import Source, split_lines

BEGINS, ENDS = "<system-reminder>", "</system-reminder>"


def reminder(lines: list[str], first: int) -> str:
    """Where the first reminder from a line (by its index) on stands, '' where none does."""
    begin = next((i for i in range(first, len(lines)) if lines[i].startswith(BEGINS)), len(lines))
    end = next((i for i in range(begin, len(lines)) if ENDS in lines[i]), begin)
    where = f"line {end + 1}" if end == begin else f"lines {begin + 1}–{end + 1}"
    return f"a reminder to the reader in {where}" if begin < len(lines) else ""


def above_reminder(source: Source) -> Source:
    """What stands above the reminder at the end; the source itself where there is none."""
    end = source.read(max(0, source.size - len(ENDS) - 2), source.size)  # and its line feed
    whole = source.text if ENDS.encode() in end and not source.large else ""
    own = whole[: max(0, whole.rfind(f"\n{BEGINS}"))].rstrip("\r\n")
    return Source.of_text(f"{own}\n") if own.strip() else source


def say_below(made: Outline, shown: Source, payload: Source) -> None:
    """What an outline of the lines that are ``shown`` lacks of the ``payload``, in which the same lines have the same
    numbers."""
    own, lines = len(split_lines(shown.text)), split_lines(payload.text)
    if made.unit == "line":
        made.total += len(lines) - own
    if own < len(lines):
        said = reminder(lines, own) or f"{counted(len(lines) - own, 'line')} of the tool"
        made.facts.insert(1, Fact(f"Beside it: {said}", 0))
    below = payload.text.removeprefix(shown.text)
    made.lossless = [_above(below, each) for each in made.lossless if len(below) < len(payload.text)]


def _above(below: str, made: Lossless) -> Lossless:
    return Lossless(made.how, lambda: f"{made.text()}\n{below}", made.estimate + len(below))
