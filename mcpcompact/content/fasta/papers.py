"""What a GenBank or EMBL record says besides its residues: its features and its papers in a line each, its comment and
lineage as they stand."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from mcpcompact.phrasing import clipped

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
        told = (paper.title, paper.journal, *short, *ids, f"{' and '.join(left)} left out" * bool(left))
        yield f"REFERENCE {n}{f'/{len(papers)}' * (len(papers) > 1)} " + "; ".join(filter(None, told))
    if lineage := annotations.get("taxonomy"):
        yield f"LINEAGE {'; '.join(lineage)}"
    tag = ""
    comment = [line[width:] for line in header if (tag := line[:width].strip() or tag) in ("COMMENT", "CC")]
    if comment:
        yield "COMMENT " + "\n".join(comment).lstrip()


def _name(feature: Feature) -> str:
    pairs = reversed(feature[2]) if feature[0] != "source" else ()
    said = {key: text for key, text in pairs if _value(text) != "other"}  # a site of no kind is called by its note
    return next((_value(said[key]) for key in _NAMED if said.get(key)), "")


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
    product=…``; and what else it says, the protein at its end: ``left`` counts these. ``many``: ids of databases and
    the like are among these, as in all other features."""
    key, place, qualifiers = feature
    name, titles = _name(feature), _TITLED if key == "source" and {label for label, _ in qualifiers} - _TITLED else ()
    told, more, titled = list[str](), list[str](), _value(dict(qualifiers).get("product")) not in ("", name)
    for label, value in sorted(qualifiers, key=lambda one: (one[0] != "product", one[0] == "translation")):
        text = _value(value)
        if label == "translation":
            text = text.replace(" ", "")
            told.append(f"translation={len(text):,} aa")
            more.append(f"translation={text}")
        elif text != name and (label not in titles or label != "organism"):
            field = f"{label}={text}" if text else label
            lesser = many and (label in titles or (label in _LESSER and key != "source"))
            short = len(text) <= _VALUE and not lesser
            told += [field] if short else [clipped(field, _VALUE)] if label == "note" and not titled else []
            more += [] if short else [field]
    left.update(one.partition("=")[0] for one in more)
    begin = " ".join(filter(None, (key, name, _extent(place))))
    long = any(len(one) > _PLACE for one in more)  # lesser ones alone are not worth a line
    said = dict(qualifiers)
    called = "" if name == _value(said.get("note")) and "site_type" not in said else name  # of what is no site, no name
    return called, f"{begin} {'; '.join(told)}".rstrip(), f"{begin} also: {'; '.join(more)}" * long


def _extent(place: str) -> str:
    """A location of many parts by its ends and their number: ``complement(64100..66451 in 18 parts)``."""
    parts = place.count(",") + 1
    ends = [int(digits) for digits in re.findall(r"\d+", place)]
    if parts == 1 or len(place) <= _PLACE or ":" in place:  # a part may lie in another record
        return place
    extent = f"{min(ends)}..{max(ends)} in {parts} parts"
    return f"complement({extent})" if place.startswith("complement(") else extent
