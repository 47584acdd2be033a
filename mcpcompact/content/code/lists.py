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
STATEMENT, ROOM = 3, 300  # lines of a statement that stand together, characters of them
_UNFINISHED = regex(r".*(?:[\w)\] ](?:=|\+|=>|&&|\|\||\?)|[(\[]|[=(:] ?\{)$")  # no colon: that opens a block
_OPEN = ("(", "[", "{")
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


def stated(items: list[Item], texts: list[str], numbers: list[int]) -> list[Item]:
    """A line that ends in an operator, or a bracket that is closed soon, stands with what follows of its statement."""
    kept: list[Item] = []
    known = {item.start - 1: item for item in items}
    moved: dict[int, int] = {}  # lines that stand in the item of another
    for item in items:
        item.under = moved.get(item.under, item.under)
        if item.start in moved:
            continue
        kept.append(item)
        i = item.start - 1
        end = _stated(texts, i) if item.end == item.start and not item.also and numbers[i] else 0
        rest = [known[j] for j in range(i + 1, end) if j in known]
        text = "\n".join([item.text, *(" " * len(f"{numbers[i]} ") + texts[j].rstrip() for j in range(i + 1, end))])
        follow = [*range(numbers[i], numbers[i] + end - i)] == numbers[i:end]
        if end and follow and len(text) <= ROOM and not any(part.keep or part.part[0] for part in rest):
            item.text, item.end, item.whole = text, end, True
            moved |= dict.fromkeys(range(item.start + 1, end + 1), item.start)
    return kept


def _stated(texts: list[str], i: int) -> int:
    """The index behind the statement that line ``i`` begins, or behind its third line; 0 for none of its own."""
    head = texts[i].rstrip()
    if len(head) > ROOM or not _UNFINISHED.match(head):
        return 0
    end, last = i + 1, min(i + STATEMENT, len(texts))
    while end < last and texts[end].strip() and _indent(texts[end]) > _indent(head):
        end += 1
    if head.endswith(_OPEN):
        closed = end < last and texts[end].strip()[:1] in (")", "]", "}")
        return end + 1 if closed and _indent(texts[end]) == _indent(head) else 0
    return end if end > i + 1 else 0


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip())
