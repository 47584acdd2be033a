"""What a record says besides its residues: features and papers in a line each, comments and lineage as they stand."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted, some

if TYPE_CHECKING:
    from mcpcompact.content.fasta.sequences import Reading
    from mcpcompact.content.fasta.survey import Seen, Survey

ALIKE = 3  # records that can have something in common
FEW = 40  # records whose names come before what is counted of their fields, and of which these details are told
FEW_FEATURES = 12  # of a record, which are told in full and each in a line: they need no list of their names
_NAMED = ("gene", "locus_tag", "product", "label", "standard_name", "region_name", "site_type", "note")
_TITLED = {"organism", "mol_type", "db_xref"}  # of a source: what stands in the record's title, or is a number
Feature = tuple[str, str, list[tuple[str, str]]]  # type, location, qualifiers
_LESSER = {"codon_start", "db_xref", "evidence", "transl_table"}  # of a feature: after what all of them are
_PLACE, _VALUE = 80, 120  # characters of a location of parts, and of a qualifier, that is shown as it stands
SAID = ("REFERENCE ", "COMMENT ", "LINEAGE ")
_BESIDE = 60  # characters of authors and remarks that stand beside a title, which tells more


def said(annotations: dict[str, Any], header: Sequence[str], width: int) -> Iterator[str]:
    """``header``: its lines, whose tags take so many columns, for Biopython drops parts of a comment."""
    papers = annotations.get("references", ())
    for n, paper in enumerate(papers, 1):  # a title tells more than the authors
        parts = {"authors": paper.authors, "consortium": paper.consrtm, "remark": paper.comment}
        left = [name for name, text in parts.items() if len(text) > _BESIDE]
        short = (" ".join(text.split()) for name, text in parts.items() if name not in left)
        ids = (f"{key} {value}" for key, value in (("PUBMED", paper.pubmed_id), ("MEDLINE", paper.medline_id)) if value)
        fields = (paper.title, paper.journal, *short, *ids, f"{' and '.join(left)} left out" * bool(left))
        yield f"REFERENCE {n}{f'/{len(papers)}' * (len(papers) > 1)} " + "; ".join(filter(None, fields))
    if lineage := annotations.get("taxonomy"):
        yield f"LINEAGE {'; '.join(lineage)}"
    tag = ""
    comment = [line[width:] for line in header if (tag := line[:width].strip() or tag) in ("COMMENT", "CC")]
    if comment:
        yield "COMMENT " + "\n".join(comment).lstrip()


def _name(feature: Feature) -> str:
    pairs = reversed(feature[2]) if feature[0] != "source" else ()
    values = {key: text for key, text in pairs if _value(text) != "other"}  # a site of no kind is called by its note
    return next((_value(values[key]) for key in _NAMED if values.get(key)), "")


def _value(text: str | None) -> str:
    return " ".join((text or "").strip('"').split())


def telling(features: list[Feature]) -> list[Feature]:
    """All but a gene that its own product repeats, and beside others a source of which the record's title says all."""
    coded = {(_name(each), each[1]) for each in features if each[0] not in ("gene", "source")}
    return [
        each
        for each in features
        if (each[0] != "gene" or (_name(each), each[1]) not in coded)
        and (each[0] != "source" or len(features) == 1 or {key for key, _ in each[2]} - _TITLED)
    ]


def line_of(feature: Feature, left: Counter[str], many: bool) -> tuple[str, str, str]:
    """Its name; type, name, place, product and other short qualifiers in a line: ``CDS psbA complement(383..1444)
    product=…``; what else it says, the protein last: ``left`` counts these, with ids of databases if ``many``."""
    key, place, qualifiers = feature
    name, titles = _name(feature), _TITLED if key == "source" and {label for label, _ in qualifiers} - _TITLED else ()
    parts, more, titled = list[str](), list[str](), _value(dict(qualifiers).get("product")) not in ("", name)
    for label, value in sorted(qualifiers, key=lambda one: (one[0] != "product", one[0] == "translation")):
        text = _value(value)
        if label == "translation":
            text = text.replace(" ", "")
            parts.append(f"translation={len(text):,} aa")
            more.append(f"translation={text}")
        elif text != name and (label not in titles or label != "organism"):
            field = f"{label}={text}" if text else label
            lesser = many and (label in titles or (label in _LESSER and key != "source"))
            short = len(text) <= _VALUE and not lesser
            parts += [field] if short else [clipped(field, _VALUE)] if label == "note" and not titled else []
            more += [] if short else [field]
    left.update(one.partition("=")[0] for one in more)
    begin = " ".join(filter(None, (key, name, _extent(place))))
    long = any(len(one) > _PLACE for one in more)  # lesser ones alone are not worth a line
    values = dict(qualifiers)
    called = "" if name == _value(values.get("note")) and "site_type" not in values else name  # no site, no name
    return called, f"{begin} {'; '.join(parts)}".rstrip(), f"{begin} also: {'; '.join(more)}" * long


def _extent(place: str) -> str:
    """A location of many parts by its ends and their number: ``complement(64100..66451 in 18 parts)``."""
    parts = place.count(",") + 1
    ends = [int(digits) for digits in re.findall(r"\d+", place)]
    if parts == 1 or len(place) <= _PLACE or ":" in place:  # a part may lie in another record
        return place
    extent = f"{min(ends)}..{max(ends)} in {parts} parts"
    return f"complement({extent})" if place.startswith("complement(") else extent


# -- as an outline tells them ------------------------------------------------------------------------

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
        labels = [f"{name} {at}" if at else name for name, at in sorted(names.items(), key=lambda each: each[1])]
        begin = f"named features ({len(labels):,}{', with the first numbers of their places' * alone}): "
        ends = [*accumulate(len(name) + 2 for name in labels)]
        text, short, least = (f"{begin}{some(labels, bisect_right(ends, most))}" for most in _NAMES)
        yield Fact(text, 1, short * (short != text), least=least * (least != text))


def items(survey: Survey, reading: Reading, rows: dict[int, Seen]) -> dict[int, list[Item]]:
    """The features, papers and comments of each record, by its number; helices and strands as places in a line."""
    features, folded = dict[int, list[Item]](), dict[tuple[int, str], Item]()
    weight = _FEATURE if survey.total <= ALIKE else _FEATURE_OF_MANY
    for number, _, line, more in reading.named:
        entries = features.setdefault(number, [])
        part = ("", 0) if line.startswith(SAID) else ("features", 1)
        own = weight * _worth(line, reading, FIELDS.split(rows[number].header, 1)[0] if number in rows else "")
        if kind := _FOLD.match(line):
            beside = folded.get((number, line.partition(" ")[0]))
            if beside and beside.part[1] < _SIDE_BY_SIDE:
                beside.text, beside.part = f"{beside.text}, {kind[1]}", ("features", beside.part[1] + 1)
                continue
            line = f"{kind[0].removesuffix(kind[1])}by place: {kind[1]}"
        text, whole = f"#{number} {line}", bool(kind) or line.startswith(SAID[0])
        entries.append(Item(number, number, text, weight=own, part=part, flow="lines", whole=whole))
        entries += [Item(number, number, f"#{number} {more}", weight=own * _MORE, flow="sentences")] if more else []
        folded |= {(number, line.partition(" ")[0]): entries[-1]} if kind else {}
    return features


def _worth(line: str, reading: Reading, header: str) -> float:
    """Of a feature more where its kind is rare, of a paper where its title has the words that the record is called."""
    kind, _, rest = line.partition(" ")
    less, alike = next((less for lesser, less in _LESS if lesser.match(line)), 0.0), reading.features[kind]
    if less or not line.startswith(SAID[0]):
        return less or 1 + (alike and 1 / alike)
    called = rest.partition(" ")[2].partition("; ")[0]
    title, own = ({*text.lower().replace(".", "").split()} for text in (called, header))
    return _OF_IT if len(title & own) >= _ITS_WORDS * len(title) else _PAPER
