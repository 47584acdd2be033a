"""Limits that a call sets itself (``--limit 30``, ``per_page=30``, ``| head -30``): a list as long as its limit may be
the beginning of a longer one."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import Fact, Hints
from mcpcompact.patterns import regex

_NAMES = r"(?:limit|per[_-]?page|page[_-]?size|max[_-]?(?:results|count|items|keys)|first|top|take)"
_ITEMS = regex(rf"(?i)(?<![\w-])(?:(?:--{_NAMES}[= ]|-L ?)|[\"']?{_NAMES}[\"']?\s?[:=]\s?)[\"']?(\d{{1,6}})(?![\w.])")
_HEAD = regex(r"\|\s*head (?:-n ?|--lines=|-)?(\d{1,6})(?=[ \t]*(?:\n|$|[;&|\"')]))")
_RANGE = regex(r"\bsed -n [\"']?(\d{1,6}),(\d{1,6})p\b")
_QUOTE = regex("[\"']")
LEAST = 2  # one of something is asked for by its name


def items(hints: Hints | None, count: int, lines: int = 0) -> list[Fact]:
    """That the call asked for no more records than there are; ``lines`` of the output, where a record is a line."""
    if hints is None or not hints.arguments:
        return []
    said = [(match[0], int(match[1])) for match in _ITEMS.finditer(_said(hints, named=True))]
    return _reached(said, count, "records") or of_lines(hints, lines)


def of_lines(hints: Hints | None, count: int) -> list[Fact]:
    """That the command itself let through no more lines than there are."""
    said = _said(hints, named=False)
    found = [(match[0].lstrip("| "), int(match[1])) for match in _HEAD.finditer(said)]
    found += [(_QUOTE.sub("", match[0]), int(match[2]) - int(match[1]) + 1) for match in _RANGE.finditer(said)]
    return _reached(found, count, "lines")


def _said(hints: Hints | None, named: bool) -> str:
    return "\n".join(_texts(hints, named))


def _texts(hints: Hints | None, named: bool) -> Iterator[str]:
    for key, value in (hints.arguments or {}).items() if hints else ():
        if isinstance(value, str) and not named:
            yield value
        elif isinstance(value, (str, int, dict)) and named:
            yield f"{key}={value}"


def _reached(limits: list[tuple[str, int]], count: int, unit: str) -> list[Fact]:
    full = [text for text, limit in limits if limit == count >= LEAST]
    return [Fact(f"as many {unit} as `{full[0].strip()}` lets through: there may be more", 0)] if full else []
