"""Features of sequences: their names with their places as a fact, and a line each, what binds before what folds."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from mcpcompact.content.fasta import odd
from mcpcompact.content.fasta.papers import FEW_FEATURES, SAID
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, some

if TYPE_CHECKING:
    from mcpcompact.content.fasta.sequences import Reading
    from mcpcompact.content.fasta.survey import Seen, Survey

_NAMES = (1_800, 700, 280)  # characters of the names of features in the facts: as there is room
_DIGITS = regex(r"\d+")
_FEW_NAMES = 3
FIELDS = regex(r" (?=\[?[A-Za-z][\w.-]{0,40}=\S)")


_FEATURE, _FEATURE_OF_MANY = 0.8, 0.01  # of a feature; of many records each is named before one is told in detail
_MORE = 0.01  # factor on what else a feature says: all of them are named before
_LESS = (  # factors on these: genes and what drives them come first, and what binds in a protein
    (regex(r"(?:primer_bind|misc_feature|variation|REFERENCE \S+ Direct Submission)\b"), 0.4),
    (_FOLD := regex(r"(?:SecStr|HELIX|STRAND|TURN) (.{0,80}?\d\.\.>?\d+)"), 0.1),
)
_SIDE_BY_SIDE = 8  # helices and strands in a line
_PAPER, _OF_IT, _ITS_WORDS = 0.8, 4.0, 0.6  # factors: on one, of whose title so many words are the record's own


def facts(reading: Reading, few: bool) -> Iterator[Fact]:
    others = ", ".join(counted(n, name) for name, n in reading.said.items())
    yield from [Fact(f"besides residues and features: {others}", 1)] * bool(others)
    if not reading.features:
        return
    yield Fact(f"features: {' · '.join(f'{name} {n:,}' for name, n in reading.features.most_common(10))}", 0)
    left = ", ".join(name for name, _ in reading.left.most_common() if few)
    yield from [Fact(f"qualifiers that the first line of a feature may lack: {left}", 0)] * bool(left)
    names, alone = dict[str, int](), len({number for number, *_ in reading.named}) == 1
    for _, name, line, _ in reading.named:
        place = line.partition(f" {name} ")[2].partition(" ")[0] if name and alone else ""
        first = None if ":" in place else _DIGITS.search(place)  # with a colon it may lie in another record
        if name and name not in names and not _FOLD.match(line):
            names[name] = int(first[0]) if first else 0
    if len(names) > _FEW_NAMES and reading.features.total() > FEW_FEATURES:  # each has a line of its own below
        said = [f"{name} {at}" if at else name for name, at in sorted(names.items(), key=lambda each: each[1])]
        begin = f"named features ({len(said):,}{', with the first numbers of their places' * alone}): "
        ends = [*accumulate(len(name) + 2 for name in said)]
        text, short, least = (f"{begin}{some(said, bisect_right(ends, most))}" for most in _NAMES)
        yield Fact(text, 1, short * (short != text), least=least * (least != text))


def items(survey: Survey, reading: Reading, rows: dict[int, Seen]) -> dict[int, list[Item]]:
    """The features, papers and comments of each record, by its number; helices and strands as places in a line."""
    features, folded = dict[int, list[Item]](), dict[tuple[int, str], Item]()
    weight = _FEATURE if survey.total <= odd.ALIKE else _FEATURE_OF_MANY
    for number, _, line, more in reading.named:
        told = features.setdefault(number, [])
        part = ("", 0) if line.startswith(SAID) else ("features", 1)
        own = weight * _worth(line, reading, FIELDS.split(rows[number].header, 1)[0] if number in rows else "")
        if kind := _FOLD.match(line):
            beside = folded.get((number, line.partition(" ")[0]))
            if beside and beside.part[1] < _SIDE_BY_SIDE:
                beside.text, beside.part = f"{beside.text}, {kind[1]}", ("features", beside.part[1] + 1)
                continue
            line = f"{kind[0].removesuffix(kind[1])}by place: {kind[1]}"
        text, whole = f"#{number} {line}", bool(kind) or line.startswith(SAID[0])
        told.append(Item(number, number, text, weight=own, part=part, flow="lines", whole=whole))
        told += [Item(number, number, f"#{number} {more}", weight=own * _MORE, flow="sentences")] if more else []
        folded |= {(number, line.partition(" ")[0]): told[-1]} if kind else {}
    return features


def _worth(line: str, reading: Reading, header: str) -> float:
    """Of a feature more where its kind is rare, of a paper where its title has the words that the record is called."""
    kind, _, said = line.partition(" ")
    less, alike = next((less for lesser, less in _LESS if lesser.match(line)), 0.0), reading.features[kind]
    if less or not line.startswith(SAID[0]):
        return less or 1 + (alike and 1 / alike)
    called = said.partition(" ")[2].partition("; ")[0]
    title, own = ({*text.lower().replace(".", "").split()} for text in (called, header))
    return _OF_IT if len(title & own) >= _ITS_WORDS * len(title) else _PAPER
