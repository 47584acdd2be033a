"""Logs of a CI job: job, step and an exact stamp before every line (``gh run view --log``), half of its tokens."""

from __future__ import annotations

from collections.abc import Iterable

from mcpcompact.outline import Item
from mcpcompact.patterns import regex

_TASKED = regex(r"([^\t\n]{1,80})\t([^\t\n]{1,120})\t\ufeff?(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3,9}Z ?")
_NUMBER = regex(r"\d+: ")
MOST = 0.8  # share of the items that begin so


def under_tasks(items: list[Item]) -> list[Item]:
    """The items with job, step and day in a heading of their section, and the time to the second."""
    heads = [_head(item) for item in items]
    if not items or sum(head is not None for head in heads) < MOST * len(items):
        return items
    for item, head in zip(items, heads, strict=True):
        if head is not None:
            begin, end, section, time = head
            item.section = section
            item.text = item.text[:begin] + time + "".join(_shorter(item.text[end:].split("\n"))).rstrip()
            item.at = max(begin, item.at - (end - begin - len(time))) if item.at >= 0 else -1
    return [
        item for item, head in zip(items, heads, strict=True) if head is None or item.text[head[0] + len(head[3]) :]
    ]


def _head(item: Item) -> tuple[int, int, str, str] | None:
    number = _NUMBER.match(item.text)
    found = _TASKED.match(item.text, number.end()) if number else None
    if found is None:
        return None
    return found.start(), found.end(), f"── {found[1]} / {found[2]}, {found[3]}", f"{found[4]} "


def _shorter(lines: list[str]) -> Iterable[str]:
    """The first line as it is; of further ones the text alone: they go on with the first one's message."""
    yield lines[0]
    for line in lines[1:]:
        found = _TASKED.match(line)
        yield "\n" + (line[found.end() :] if found else line)
