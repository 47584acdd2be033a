"""Lists: plain values of YAML in the line of their key, ``10-13 options (3): next, finalize, stable``; in comments what
introduces them with their first entry."""

from __future__ import annotations

from collections.abc import Container
from itertools import takewhile

from mcpcompact.outline import Item
from mcpcompact.patterns import regex

LEAST = 3  # entries; fewer take no less room side by side
NEAR = 2  # lines from what introduces a list to its first entry
_KEY = regex(r"\s*(?:- )?[\w./\"'-]+:$")
_ENTRY = regex(r"(\s*)- (?![\[{&*|>!#])(?!.*(?::\s| #))[^\s].*[^\s:]$")


def inlined(items: list[Item], texts: list[str], numbers: list[int], odd: Container[int]) -> list[Item]:
    """The items of a view with a key and its plain entries as one item, but for lists with an ``odd`` entry."""
    folded: dict[int, int] = {}  # first line of a list to the one behind it
    for key in (i for i, text in enumerate(texts) if _KEY.match(text.rstrip())):
        entries = list(takewhile(lambda i: _ENTRY.match(texts[i].rstrip()), range(key + 1, len(texts))))
        if len(entries) >= LEAST and not any(i in odd for i in (key, *entries)):
            folded[key] = entries[-1] + 1
    inside = {i for key, end in folded.items() for i in range(key + 1, end)}
    for item in items:
        if end := folded.get(key := item.start - 1):
            values = [texts[i].strip()[2:].strip() for i in range(key + 1, end)]
            head = f"{numbers[key]}-{numbers[end - 1]} {texts[key].rstrip()[:-1]}"
            item.text, item.end, item.flow = f"{head} ({len(values):,}): {', '.join(values)}", end, "lines"
    return [item for item in items if item.start - 1 not in inside]


def introduced(items: list[Item], told: set[int]) -> list[Item]:
    """A line of a comment that ends in a colon stands with the next one of it; ``told`` are the places of comments."""
    kept: list[Item] = []
    for item in items:
        last = kept[-1] if kept else None
        opens = (
            last is not None
            and last.text.endswith(":")
            and item.start - last.start <= NEAR
            and not (last.keep or item.keep or last.also)
        )
        if last is not None and opens and {last.start - 1, item.start - 1} <= told:
            last.text, last.also, last.whole = f"{last.text}\n{item.text}", item.start, True
        else:
            kept.append(item)
    return kept
