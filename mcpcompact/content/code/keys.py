"""The keys of a configuration as a tree of headings: what holds others, and entries of lists by their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence
from itertools import pairwise

from mcpcompact.content.code.entries import ENTRY, Node, nodes_of, tables
from mcpcompact.content.code.scan import OUTLINED, Scan
from mcpcompact.content.shared.views import View
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import some

_NAMES = ("name", "id", "uses", "alias", "job_name", "key", "title", "label")  # of an entry, what it is called
_SECTION = regex(r"\s*\[\[?([^\[\]]{1,120})\]\]?\s*(?:#.*)?$", holds="[")
_CALLED = regex(rf"\s*(?:{'|'.join(_NAMES)})\s*=\s*[\"']([^\"'\s][^\"']{{0,80}})[\"']")
_COUNTED = regex(r" \([\d,]+ below\)", holds=" below)")
_TOP_KEY = regex(r"([\"']?[\w./$-]+[\"']?):(?:\s|$)")
DEFINED_IN = {
    "TOML": "sections", "INI": "sections", "configuration": "sections", "Makefile": "targets", "Dockerfile": "stages",
}  # fmt: skip
KEYS = 16  # keys that are named
TOP = 2  # level of the outermost: one alone is no title of the whole
DEPTH = 5  # levels of keys
WORD = 3  # times that a key stands in a file which is a word of its schema and no name

Heading = tuple[int, int, str]


def numbered(view: View, i: int) -> int:
    return view.numbers[i] or i + 1


def outlined(view: View, scan: Scan, languages: list[str]) -> list[Fact]:
    """What a configuration holds: tables of what is alike, whose lines give way to others, the tree of its keys or
    sections; of a small one their names."""
    language = languages[0] if len(languages) == 1 else ""
    tabled, told = list[Fact](), list[Fact]()
    if language in OUTLINED and not view.unplaced:
        tabled, told = (
            _tables(view, scan) if language == "YAML" else ([], _tree(view, _sections(view.texts, scan.wholes)))
        )
    if told or any(fact.text.startswith("*: ") for fact in tabled):
        return [*tabled, *told]
    keys = [m[1] for m in map(_TOP_KEY.match, view.texts) if m] if language == "YAML" and not view.unplaced else []
    names = dict.fromkeys(keys or [d.name for d in scan.definitions if not d.depth and d.name])
    word = "top-level keys" if keys else DEFINED_IN.get(language)
    return tabled + ([Fact(f"{word}: {some(list(names), KEYS)}", 1)] if word and len(names) > (not keys) else [])


def _tables(view: View, scan: Scan) -> tuple[list[Fact], list[Fact]]:
    """The tables of YAML, and the tree of the keys that stand in none, each with its line."""
    nodes = nodes_of(["" if i in view.outside else text for i, text in enumerate(view.texts)])
    found = tables(nodes, [numbered(view, i) for i in range(len(view.texts))])
    rows = set[int]().union(*(own for _, own in found))
    for k, node in enumerate(nodes):
        if k in rows or node.parent in rows:  # whole or by their parts
            scan.wholes.setdefault(node.line, node.end + 1)
        scan.tabled.update(range(node.line, node.end + 1) if k in rows else ())
    if found or len(scan.named) == 1:
        scan.named.clear()
    told = _tree(view, _keys(nodes, rows))
    for fact in told:  # not all keys are told: what is below one is not counted
        fact.text, fact.short, fact.least = (_COUNTED.sub(" …", text) for text in (fact.text, fact.short, fact.least))
    return [table for table, _ in found], told


def _tree(view: View, found: Sequence[Heading]) -> list[Fact]:
    from mcpcompact.content.markup.tree import tree

    return tree([(TOP + level, numbered(view, i), name) for level, i, name in found])


def _sections(texts: Sequence[str], wholes: dict[int, int]) -> list[Heading]:
    """Sections, below the one by whose name theirs begins; each of several of one name by what it is called."""
    found, above, told = list[Heading](), list[str](), set[str]()
    heads = [(i, match[1]) for i, text in enumerate(texts) if (match := _SECTION.match(text))]
    often = Counter(name for _, name in heads)
    for (i, name), (end, _) in pairwise([*heads, (len(texts), "")]):
        while above and not name.startswith(f"{above[-1]}."):
            above.pop()
        own = (match[1] for text in texts[i + 1 : end] if (match := _CALLED.match(text))) if often[name] > 1 else ()
        called = next(iter(own), "")
        if called:  # whole or by its name
            wholes[i] = next(k for k in range(end, i, -1) if texts[k - 1].strip())
            called = called if name in told else f"[[{name}]] {called}"
            told.add(name)
        found.append((len(above), i, called or name))
        above.append(name)
    return found


def _keys(nodes: Sequence[Node], tabled: Container[int]) -> list[Heading]:
    """Keys with something below them, outer ones also without, and the names of entries; not what entries hold, nor
    what is called alike in several places (``steps``): what is below such a key stands below what that is in. What
    stands in a table is none of them."""
    found, levels = list[Heading](), [0] * len(nodes)
    listed, hidden = [False] * len(nodes), [False] * len(nodes)
    often = Counter(node.step for node in nodes if not node.value and node.depth > 1)
    for k, node in enumerate(nodes):
        within, entry = max(0, node.parent), nodes[max(0, node.parent)]
        levels[k], hidden[k] = levels[within] * (node.parent >= 0), hidden[within] or k in tabled
        listed[k] = listed[within] or (node.step == ENTRY and node.depth > 0)
        named = node.step in _NAMES and entry.depth > 0 and entry.step == ENTRY and entry.line == node.line
        holds = not listed[k] and node.depth > 0 and (not node.value or node.depth == 1) and often[node.step] < WORD
        if levels[k] < DEPTH and not hidden[k] and (holds or (named and node.value)):
            found.append((levels[k], node.line, node.value if named else node.step))
            levels[within if named else k] += 1
    return found
