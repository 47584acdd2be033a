"""Limits that a call sets itself (``--limit 30``, ``per_page=30``, ``| head -30``): a list as long as its limit may be
the beginning of a longer one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcpcompact.outline import Fact, Hints
from mcpcompact.patterns import regex

_NAMES = r"(?:limit|per[_-]?page|page[_-]?size|max[_-]?(?:results|count|items|keys)|first|top|take)"
_ITEMS = regex(rf"(?i)(?<![\w-])(?:(?:--{_NAMES}[= ]|-L ?)|[\"']?{_NAMES}[\"']?\s?[:=]\s?)[\"']?(\d{{1,6}})(?![\w.])")
_LINES = regex(
    r"\b(?:head|tail) (?:-n ?|--lines=|-)(\d{1,6})(?![\w.])"
    r"|(?i:(?<![\w-])(?:-(?:totalcount|first|head|last)|--?tail)[ =](\d{1,6})(?![\w.]))"
)
_RANGE = regex(r"\bsed -n [\"']?(\d{1,6}),(\d{1,6})p\b")
LETS = "lets through"
ENDS = "the range ends there"  # of a view of a file that says itself which lines it shows
_QUOTE = regex("[\"']")
LEAST = 2  # one of something is asked for by its name


def items(hints: Hints | None, count: int) -> list[Fact]:
    """That the call asked for no more records than there are."""
    if hints is None or not hints.arguments:
        return []
    said = [(match[0], int(match[1])) for match in _ITEMS.finditer(_said(hints, named=True))]
    return _reached(said, count, "records")


def of_lines(hints: Hints | None, text: str, told: Iterable[Fact] = ()) -> list[Fact]:
    """That the command itself let through no more lines than there are; nothing where a fact has ``told`` so."""
    said = _said(hints, named=False)
    found = [(match[0], int(match[1] or match[2])) for match in _LINES.finditer(said)]
    found += [(_QUOTE.sub("", match[0]), int(match[2]) - int(match[1]) + 1) for match in _RANGE.finditer(said)]
    if not found or any(LETS in fact.text or ENDS in fact.text for fact in told):
        return []
    return _reached(found, len(text.removesuffix("\n").split("\n")), "lines")


def _said(hints: Hints | None, named: bool) -> str:
    return "\n".join(_texts(hints, named))


def _texts(hints: Hints | None, named: bool) -> Iterator[str]:
    for key, value in (hints.arguments or {}).items() if hints else ():
        if isinstance(value, (str, list)) and not named:
            yield value if isinstance(value, str) else " ".join(map(str, value))
        elif isinstance(value, (str, int, dict)) and named:
            yield f"{key}={value}"


def _reached(limits: list[tuple[str, int]], count: int, unit: str) -> list[Fact]:
    full = [text for text, limit in limits if limit == count >= LEAST]
    return [Fact(f"as many {unit} as `{full[0].strip()}` {LETS}: there may be more", 0)] if full else []
