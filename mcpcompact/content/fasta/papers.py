"""What a GenBank or EMBL record says besides its residues: its features in a line each, its papers by their titles, its
comment as it stands."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from mcpcompact.phrasing import clipped

FEW = 40  # records whose names come before what is counted of their fields, and of which these details are told
_NAMED = ("gene", "locus_tag", "product", "label", "standard_name", "region_name", "site_type", "note")
_TITLED = {"organism", "mol_type", "db_xref"}  # of a source: what stands in the record's title, or is a number
Feature = tuple[str, str, list[tuple[str, str]]]  # type, location, qualifiers
_LESSER = {"codon_start", "db_xref", "evidence", "transl_table"}  # of a feature: after what all of them are
_PLACE = 80  # characters of a location of parts that is shown as it stands, and of a qualifier beside it
SAID, _AUTHORS = ("REFERENCE ", "COMMENT "), 120  # characters


def said(annotations: dict[str, Any], header: Sequence[str], width: int) -> Iterator[str]:
    """``header``: its lines, whose tags take so many columns, for Biopython drops parts of a comment."""
    for n, paper in enumerate(annotations.get("references", ()), 1):  # a title tells more than the authors
        yield f"REFERENCE {n} " + "\n".join(
            filter(None, (paper.title, paper.journal, clipped(paper.authors, _AUTHORS)))
        )
    tag = ""
    comment = [line[width:] for line in header if (tag := line[:width].strip() or tag) in ("COMMENT", "CC")]
    if comment:
        yield "COMMENT " + "\n".join(comment)


def _name(feature: Feature) -> str:
    said = dict(reversed(feature[2])) if feature[0] != "source" else {}
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


def line_of(feature: Feature) -> tuple[str, str, str]:
    """Its name; type, name, place, product and other short qualifiers in a line: ``CDS psbA complement(383..1444)
    product=…``; and what else it says, the protein at its end."""
    key, place, qualifiers = feature
    name, titles = _name(feature), _TITLED if key == "source" and {label for label, _ in qualifiers} - _TITLED else ()
    told, more, titled = list[str](), list[str](), _value(dict(qualifiers).get("product")) not in ("", name)
    for label, value in sorted(qualifiers, key=lambda one: (one[0] != "product", one[0] == "translation")):
        text = _value(value)
        if label == "translation":
            text = text.replace(" ", "")
            told.append(f"translation={len(text):,} aa")
            more.append(f"translation={text}")
        elif text != name and label not in titles:
            said, lesser = f"{label}={text}" if text else label, label in _LESSER and (titles or key != "source")
            short = len(text) <= _PLACE and not lesser
            told += [said] if short else [clipped(said, _PLACE)] if label == "note" and not titled else []
            more += [] if short else [said]
    line = " ".join(filter(None, (key, name, _extent(place), "; ".join(told))))
    long = any(len(one) > _PLACE for one in more)  # lesser ones alone are not worth a line
    return name, line, f"{key} {name or _extent(place)} {'; '.join(more)}" if long else ""


def _extent(place: str) -> str:
    """A location of many parts by its ends and their number: ``complement(64100..66451 in 18 parts)``."""
    parts = place.count(",") + 1
    ends = [int(digits) for digits in re.findall(r"\d+", place)]
    if parts == 1 or len(place) <= _PLACE or ":" in place:  # a part may lie in another record
        return place
    extent = f"{min(ends)}..{max(ends)} in {parts} parts"
    return f"complement({extent})" if place.startswith("complement(") else extent
