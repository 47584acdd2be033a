"""A changelog: where each release stands, and what the newest of those says that change something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

LEAST, MOST = 2, 0.5  # releases; of the headings of their level these must be
NEWEST, STEP, LEAST_WEIGHT = 3.9, 0.005, 3.0  # weights of what the newest says: what breaks first, before all others
OLDER, SHARE = 0.8, 0.8  # factor on weights from one release to the one before it; of the room, what the newest takes
ENOUGH, TOLD, LITTLE = 8, 450, 0.05  # changes before older ones weigh less; characters of a list; weight of no change

_HEADING = regex(
    r"@?\d+(?:-\d+)? (#{1,4} |\*\*(?=[^*]*\*\*:?$))\W{0,3}(?:(?:[Vv]ersion|[Rr]elease) "
    r"|[\w.-]{1,40} (?=\S+ +Released |v\d)|[a-z0-9.+-]{2,60} \((?:\d+:)?(?=[^()]*\) .*; urgency=))?"
    r"(\d{4}-\d\d-\d\d\b|v?\d+\.\d[\w.+~-]*|v\d+|[Uu]nreleased\b)"
    r"[\]*`]*(?:\([^()]*\))?(?:$|\) .*; urgency="
    r"|[\s(,:/–—-]+(?:$|\d{1,4}[-./ ,]|[A-Z][a-z]+ \d|[Vv]ersion|[Uu]nreleased|TBD|by |Released ))",
    holds=("#", "**"),
)
_TITLE = regex(r"@?\d+(?:-\d+)? #{1,6} ")
_BREAKS = regex(
    r"(?i)\bbreaking\b|\bincompatible\b|\bCVE-\d|# (?:Removed|Security)\b|no longer supports?\b"
    r"|(?:[-*+] |: |\b(?:is|are|was|were|been) )(?:remov(?:e[sd]?|als?)|drop(?:s|ped)?)\b"
)
_ENTRY = regex(r"@?\d+(?:-\d+)? \s*[-*+•] (?!\W*\[[^\[\]]*\]\(#)")  # of a list, not of contents
_LITTLE = regex(
    r"(?is)@?\d+(?:-\d+)? (?:\W*|.{0,160}\b(?:are|were|contains?|has|includes?|with) )no (?:[\w/-]+ ){0,6}changes?\b"
    r"(?! (?:needed|required|necessary))|@?\d+ .{0,9}version bump only\b|.*:$"
)
_DIGITS = regex(r"\d+")


def newest_first(items: Sequence[Item], treed: bool) -> list[Fact]:
    """Where headings name releases, raise what the newest says, lower what older ones do; what to say of them."""
    found = [(n, match) for n, item in enumerate(items) if (match := _HEADING.match(item.text))]
    levels = Counter(match[1] for _, match in found)
    level = max(levels, key=lambda level: (levels[level], -len(level)), default="")
    heads = [(n, match[2]) for n, match in found if match[1] in (level, "**")]  # one in bold is a release, too
    beside = sum(f" {level}" in item.text[:24] for item in items if item.flow == "sentences")
    if len(heads) < LEAST or levels[level] < MOST * beside:
        return []
    spans = [(begin, end) for (begin, _), (end, _) in zip(heads, [*heads[1:], (len(items), "")], strict=True)]
    numbered = [[*map(int, _DIGITS.findall(name))] for _, name in heads if _DIGITS.search(name)]
    if 2 * sum(one < other for one, other in pairwise(numbered)) > len(numbered):
        spans.reverse()
    texts = Counter(_DIGITS.sub("", item.text) for item in items if not _ENTRY.match(item.text))
    told = turn = 0
    for begin, end in spans:
        changes = _changes(items[begin:end], texts, first=not told)
        for n, item in enumerate(changes, told):
            item.weight = item.weight * OLDER**turn if told >= ENOUGH else max(LEAST_WEIGHT, NEWEST - n * STEP)
        turn, told = turn + bool(changes), told + len(changes)
    places = " · ".join(f"{items[n].start} {name}" for n, name in heads)
    first, last = (f"{name} (line {items[n].start})" for n, name in (heads[0], heads[-1]))
    short = f"{(said := counted(len(heads), 'release'))}, from {first} to {last}"
    return [Fact(short, 0) if treed or len(places) > TOLD else Fact(f"{said}, each with its line: {places}", 1, short)]


def _changes(release: Sequence[Item], texts: Mapping[str, int], first: bool) -> list[Item]:
    """What changed in a release: of the ``first`` what its writer says of the whole; then what breaks, entries of lists
    before paragraphs and rows; the rest says less."""
    changes = list[tuple[int, Item]]()
    for n, item in enumerate(release):
        if _TITLE.match(item.text):
            item.weight = 0.0  # it comes along with what stands below it
        elif n == 1 and first and item.flow != "lines" and not (_ENTRY.match(item.text) or _LITTLE.match(item.text)):
            changes.append((-1, item))
        elif item.flow == "lines" or texts[_DIGITS.sub("", item.text)] > 1 or _LITTLE.match(item.text):
            item.weight = min(item.weight, LITTLE)
        elif item.weight > 0:
            changes.append((2 * (not _ENTRY.match(item.text)) + (not _BREAKS.search(item.text + item.section)), item))
    return [item for _, item in sorted(changes, key=lambda change: change[0])]
