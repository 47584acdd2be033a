"""Lists: plain values of YAML in the line of their key, ``10-13 options (3): next, finalize, stable``, the names of an
import in its line, ``4-9 import {} from "./a.js" (4): one, two, three, four``; in comments what introduces them with
their first entry."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import takewhile

from mcpcompact.outline import Item
from mcpcompact.patterns import regex

LEAST = 3  # entries; fewer take no less room side by side
NEAR = 2  # lines from what introduces a list to its first entry
_KEY = regex(r"\s*(?:- )?[\w./\"'-]+:$")
_IMPORT = regex(r"(?:import|export|from|use|using)\b.*[{(]$")
_NAME = regex(r"\s+(?:type )?[\w$.]+(?: as [\w$]+)?,?$")
_FROM = regex(r"[})].*$")
_ENTRY = regex(r"(\s*)- (?![\[{&*|>!#])(?!.*(?::\s| #))[^\s].*[^\s:]$")


def inlined(items: list[Item], texts: list[str], numbers: list[int], odd: Container[int], keyed: bool) -> list[Item]:
    """The items of a view with an import and its names, and of YAML (``keyed``) a key and its plain entries, as one
    item, but for such lists with an ``odd`` entry."""
    folded: dict[int, tuple[int, str, list[str]]] = {}  # first line of a list: the one behind it, its head, its entries
    for key, text in enumerate(texts):
        imports = _IMPORT.match(text)
        if not (imports or (keyed and _KEY.match(text.rstrip()))):
            continue
        entries = _run(_NAME if imports else _ENTRY, texts, key + 1)
        end = key + 1 + len(entries)
        closed = imports is not None and end < len(texts) and _FROM.match(texts[end])
        end += bool(closed)
        if len(entries) >= LEAST and (imports or not any(i in odd for i in range(key, end))):
            values = [texts[i].strip().removeprefix("- ").strip().rstrip("," if imports else "") for i in entries]
            head = text.rstrip() + (texts[end - 1].rstrip() if closed else "") if imports else text.rstrip()[:-1]
            folded[key] = end, head, values
    inside = {i for key, (end, _, _) in folded.items() for i in range(key + 1, end)}
    for item in items:
        if found := folded.get(key := item.start - 1):
            item.end, head, values = found
            lead = f"{numbers[key]}-{numbers[item.end - 1]} {head} ({len(values):,}): "
            item.text = lead + ", ".join(values)
            item.flow, item.lead = ("", len(lead)) if _IMPORT.match(texts[key]) else ("lines", 0)
    return [item for item in items if item.start - 1 not in inside]


def _run(pattern: re.Pattern[str], texts: list[str], start: int) -> list[int]:
    return [*takewhile(lambda i: pattern.match(texts[i].rstrip()), range(start, len(texts)))]


def introduced(items: list[Item], told: set[int]) -> list[Item]:
    """A line of a comment that ends in a colon stands with the next one of it; ``told`` are the places of comments."""
    kept: list[Item] = []
    for item in items:
        last = kept[-1] if kept else None
        opens = last is not None and last.text.endswith(":") and not (last.keep or item.keep or last.also)
        near = last is not None and item.start - last.start <= NEAR and {last.start - 1, item.start - 1} <= told
        if last is not None and opens and near:
            last.text, last.also, last.whole = f"{last.text}\n{item.text}", item.start, True
        else:
            kept.append(item)
    return kept
