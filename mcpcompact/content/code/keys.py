"""The keys of a configuration as a tree of headings: what holds others, and entries of lists by their names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from mcpcompact.content.code.scan import OUTLINED, Scan
from mcpcompact.content.shared.languages import scalars
from mcpcompact.content.shared.views import View
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import some

_KEY = regex(r"(\s*)((?:- +)*)([\"']?[^\s\"'#{}\[\]:][^#{}\[\]\"']{0,80}?[\"']?):(?: +(\S.*))?$")
_NAMES = (
    "name",
    "id",
    "uses",
    "alias",
    "job_name",
    "key",
    "title",
    "label",
)  # of an entry of a list, what it is called
_SECTION = regex(r"\s*\[\[?([^\[\]]{1,120})\]\]?\s*(?:#.*)?$", holds="[")
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
    """What a configuration holds: the tree of its keys or sections; of a small one their names."""
    language = languages[0] if len(languages) == 1 else ""
    if language in OUTLINED and not view.unplaced and (told := _tree(view, language)):
        return told
    keys = [m[1] for m in map(_TOP_KEY.match, view.texts) if m] if language == "YAML" and not view.unplaced else []
    names = dict.fromkeys(keys or [d.name for d in scan.definitions if not d.depth and d.name])
    word = "top-level keys" if keys else DEFINED_IN.get(language)
    return [Fact(f"{word}: {some(list(names), KEYS)}", 1)] if word and len(names) > (not keys) else []


def _tree(view: View, language: str) -> list[Fact]:
    """The tree of the keys of YAML, of the sections of TOML and INI, each with its line."""
    from mcpcompact.content.markup.tree import tree

    found = _keys(view.texts) if language == "YAML" else _sections(view.texts)
    told = tree([(TOP + level, numbered(view, i), name) for level, i, name in found])
    if language == "YAML":  # not all keys are told: what is below one is not counted
        for fact in told:
            fact.text, fact.short, fact.least = (
                _COUNTED.sub(" …", text) for text in (fact.text, fact.short, fact.least)
            )
    return told


def _sections(texts: Sequence[str]) -> list[Heading]:
    """Sections, below the one by whose name theirs begins."""
    found, above = list[Heading](), list[str]()
    for i, name in [(i, match[1]) for i, text in enumerate(texts) if (match := _SECTION.match(text))]:
        while above and not name.startswith(f"{above[-1]}."):
            above.pop()
        found.append((len(above), i, name))
        above.append(name)
    return found


def _keys(texts: Sequence[str]) -> list[Heading]:
    """Keys with something below them, outer ones also without, and the names of entries; not what entries hold, nor
    what is called alike in several places (``steps``): what is below such a key stands below what that is in."""
    found = list[tuple[int, str, int]]()  # index, name, place of the key above
    above = list[tuple[int, int, bool]]()  # columns of the keys and entries above, their places, whether it is an entry
    within = scalars(texts)
    often = Counter[str]()
    for i, text in enumerate(texts):
        match = None if within[i] or text.lstrip()[:1] in ("#", "") else _KEY.match(text)
        if match is None:
            continue
        indent, dash, name, value = len(match[1]), match[2], match[3].strip("\"'"), (match[4] or "").partition(" #")[0]
        column = indent + bool(dash)  # an entry may begin in the column of its key
        while above and above[-1][0] >= column:
            above.pop()
        if not dash and any(entry for _, _, entry in above):
            continue
        if dash:
            name = value.strip("\"' ") if name in _NAMES else ""
        holds = dash or not column or not value or value[:1] in ("&", "!")
        if name and holds and len(above) < DEPTH:
            often[name] += not dash and column > 0
            found.append((i, name, above[-1][1] if above else -1))
            above.append((column, len(found) - 1, bool(dash)))
    levels = [0]  # of the place -1: what is in nothing
    told = [parent < 0 or often[name] < WORD for _, name, parent in found]
    for (_, _, parent), own in zip(found, told, strict=True):
        levels.append(levels[parent + 1] + own)
    return [(levels[n + 1], i, name) for n, (i, name, _) in enumerate(found) if told[n]]
