"""What is odd among sequences: far lengths and GC, rare alphabets, repeated records, rare words in descriptions."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from operator import sub

from mcpcompact.content.anomalies.numbers import fences, median
from mcpcompact.content.anomalies.rare import few, times, uncommon
from mcpcompact.content.anomalies.thresholds import MAX_OUTLIERS, MIN_RARE
from mcpcompact.content.anomalies.words import LOUD_SEQUENCE
from mcpcompact.content.fasta.features import ALIKE
from mcpcompact.content.fasta.features import FEW as NAMED
from mcpcompact.content.fasta.survey import ENDS, Column, Seen, Survey
from mcpcompact.outline import Fact, Keep, record
from mcpcompact.patterns import regex

_KEYED = regex(r"^[\[(;,|]*([A-Za-z][\w.-]{0,40})=(.*)$")
_TAXON = regex(r"\[([^\[\]=]{3,80})\]$")
_NUMBER = regex(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$")
MIN_RECORDS, MIN_IDS, MIN_ALPHABET = 4, 12, 5  # before a defect, the shape of an id, an alphabet can be the exception
FEW, RARE, MANY = 0.02, 0.01, 0.05  # shares up to which a defect, an outlier, a repeat is the exception
MIN_SHARE = 50  # residues before GC says something
MIN_GC, MIN_QUALITY = 0.1 / 6, 1.0  # deviations: ten points of GC are far, at least; Phred
QUALITY_LOSS = 8  # Phred below the median that matters
OF_SHAPE, ODD_SHAPES = 0.9, 0.002  # shares of the ids of the usual shape, and of an odd one
NUMERIC = 0.95  # share of numbers in a field of numbers
MIN_ONLY = 50  # records before a field that one of them has is worth telling
USED, REPEATED, SPREAD = 0.3, 5, 12  # share of records with a field without a name; uses of each of its other values
MAX_WORDS, QUOTE = 24, 40  # of a description, by place; characters
LISTED, NEAR = 12, 0.5  # records of which each one's number is said; points of GC that a whole percent hides
WEIGHT = 1_000  # times that a number counts
USUAL = 0.8  # share of the descriptions that have as many words as one whose word is odd
ALPHABETS = {"dna": "DNA", "rna": "RNA", "protein": "protein", "colours": "colour space", "empty": "empty"}
PLACES = "word", "part"  # of fields without a name: by blanks, by bars or semicolons
TAXON = "[…]"


@record
class Odd:
    """A record that stands out, and why."""

    number: int
    header: str
    keep: Keep
    reason: str
    template: str
    brief: str = ""  # the reason in a few words, where that says as much

    @classmethod
    def of(cls, seen: Seen, keep: Keep, reason: str, template: str, brief: str = "") -> Odd:
        return cls(seen.number, seen.header, keep, reason, template, brief)


def _named(column: Column) -> bool:
    """Whether the field says its name, as ``key=value`` does."""
    return bool(column.name) and not column.name.startswith((*PLACES, TAXON))


def lengths(survey: Survey, unit: str) -> Iterator[Odd]:
    """Lengths far from the others, on either scale."""
    ordered = survey.ordered
    known = ordered[ordered.count(0) :]
    low, high = fences(known)
    far = [seen for seen in survey.ends.values() if seen.length and not low < seen.length < high]
    middle = median(known) if far else 0
    far.sort(key=lambda seen: (-abs(math.log(seen.length / middle)), seen.number))
    for seen in sorted(far[: max(MAX_OUTLIERS, int(RARE * len(known)))], key=lambda seen: seen.number):
        side, reason = "short" if seen.length < middle else "long", f"length {seen.length:,}, median {middle:,}"
        yield Odd.of(seen, Keep.OUTLIER, reason, f"{side} sequence", f"{seen.length:,} {unit}")


def shares(survey: Survey) -> Iterator[Odd]:
    """GC far from the others', in records long enough to have a share."""
    pairs = zip(survey.gc, survey.lengths, strict=True)
    known = sorted([gc for gc, length in pairs if gc >= 0 and length >= MIN_SHARE])
    low, high = fences(known, floor=MIN_GC)
    for number, seen in sorted(survey.ends.items()):
        gc = survey.gc[number - 1]
        if seen.length >= MIN_SHARE and gc >= 0 and not low < gc < high:
            yield Odd.of(seen, Keep.OUTLIER, f"GC {gc:.0%}, median {median(known):.0%}", "far GC")


def kinds(survey: Survey) -> Iterator[Odd]:
    """Empty records, and the few of another alphabet than the rest."""
    filled = survey.total - survey.kinds["empty"]
    for seen in survey.kind_of.get("empty", ()) if filled else ():
        yield Odd.of(seen, Keep.SEVERE, "empty: no residues", "empty record", "empty")
    for kind in ("dna", "rna", "protein", "colours") if filled >= MIN_ALPHABET else ():
        if few(survey.kinds[kind], filled, FEW):
            for seen in survey.kind_of.get(kind, ()):
                yield Odd.of(seen, Keep.RARE, f"{ALPHABETS[kind]}, unlike the rest", f"{kind} record")


def invalid(survey: Survey) -> Iterator[Odd]:
    for seen, what in survey.invalid.first:
        yield Odd.of(seen, Keep.SEVERE, f"invalid characters: {what}", "invalid characters", f"invalid {what}")


def _exceptional(survey: Survey, count: int) -> bool:
    return count <= max(MAX_OUTLIERS, int(FEW * survey.total)) and survey.total >= MIN_RECORDS


def stops(survey: Survey) -> Iterator[Odd]:
    """Proteins with a stop codon before their end, where that is the exception (six-frame translations are full)."""
    for seen, count, place in survey.stops.first if _exceptional(survey, survey.stops.count) else ():
        reason = f"stop codon within, residue {place:,}" if count == 1 else f"{count:,} stop codons within"
        yield Odd.of(seen, Keep.SEVERE, reason, "stop codon within")


def unread(survey: Survey) -> Iterator[Odd]:
    """Records that are a tenth ambiguous or more, where that is the exception; any, where hardly one is."""
    single = survey.doubtful.count <= min(MAX_OUTLIERS, int(MANY * survey.total))
    doubtful = survey.doubtful if single else survey.unread  # of so few doubtful ones all are held
    for seen, count, *_ in doubtful.first if _exceptional(survey, survey.unread.count) else ():
        reason = f"{count:,} of {seen.length:,} residues ambiguous"
        keep = Keep.SEVERE if 2 * count > seen.length else Keep.OUTLIER
        yield Odd.of(seen, keep, reason, "ambiguous residues", f"{count:,} ambiguous")


def repeats(survey: Survey) -> Iterator[Odd]:
    """Repeated ids and sequences, where they are the exception (clusters of reads repeat by nature)."""
    for repeated, what in ((survey.same_id, "same id as"), (survey.same_sequence, "same sequence as")):
        for seen, first in repeated.first if repeated.count <= max(MAX_OUTLIERS, int(MANY * survey.total)) else ():
            yield Odd.of(seen, Keep.RARE, f"{what} #{first}", what)


def id_shapes(survey: Survey) -> Iterator[Odd]:
    """An id of a shape that occurs once where one shape rules."""
    merged = Column()
    for shape, count in survey.id_shapes.counts.items():
        short, first = re.sub("0+", "0", shape), survey.id_shapes.where[shape]
        merged.counts[short] += count
        merged.where[short] = min(merged.where.get(short, first), first)
    if survey.total >= MIN_IDS and max(merged.counts.values()) >= OF_SHAPE * survey.total:
        for shape, count in merged.counts.items() if len(merged.counts) > 1 else ():
            if few(count, survey.total, ODD_SHAPES):
                yield Odd(*merged.where[shape], Keep.RARE, "id of another pattern", "odd id")


def quality(survey: Survey) -> Iterator[Odd]:
    ordered = sorted(survey.quality)
    low, _ = fences(ordered, floor=MIN_QUALITY)
    for mean, seen in survey.low_quality:
        if mean <= min(low, median(ordered) - QUALITY_LOSS):
            reason = f"mean quality {mean - survey.offset:.1f}, median {median(ordered) - survey.offset:.1f}"
            yield Odd.of(seen, Keep.OUTLIER, reason, "low quality")


# -- descriptions -------------------------------------------------------------------------------


def columns(survey: Survey) -> list[Column]:
    """The fields of the descriptions: ``key=value`` by key, a last ``[Taxon]``, other words by position."""
    if not survey.distinct:
        return list(filter(None, survey.words.values()))
    by_name: dict[str, Column] = {}
    for text, count in survey.descriptions.counts.items():
        for name, value in parse(text):
            column = by_name.get(name) or by_name.setdefault(name, Column(name))
            column.counts[value] += count
            column.where.setdefault(value, survey.descriptions.where[text])
    return list(by_name.values())


def parse(text: str) -> Iterator[tuple[str, str]]:
    """The fields of one description."""
    if taxon := _TAXON.search(text):
        yield TAXON, taxon[1]
        text = text[: taxon.start()].rstrip()
    separator = None
    if (text.count("|") > 1 or text.startswith("|")) and " | " not in text:
        text, separator = text.strip("|"), "|"
    elif text.count("=") > 1 and ";" in text and "; " not in text:
        separator = ";"
    fields: list[tuple[str, str]] = []
    free: list[str] = []
    for word in map(str.strip, text.split(separator)):
        if keyed := _KEYED.match(word):
            fields.append((keyed[1], keyed[2]))
        elif fields and not separator:
            fields[-1] = (fields[-1][0], f"{fields[-1][1]} {word}")
        elif word:
            free.append(word)
    yield from ((key, value.rstrip("];,) ")) for key, value in fields)
    if free and not separator:
        yield "", " ".join(free)
    for position, word in enumerate(free if len(free) <= MAX_WORDS else ()):
        yield f"{PLACES[separator is not None]} {position + 1} of {len(free)}", word


def measured(survey: Survey, columns: list[Column]) -> tuple[list[Fact], list[str]]:
    """Of few records the fields in which each gives a number: of very few each record's own, else from which to which
    where it tells most of them apart; and what the records' lines need not say then."""
    ranges, listed, alike, spared = list[str](), list[str](), list[str](), list[str]()
    unclear = {seen.number: count / seen.length for seen, count, *_ in survey.doubtful.first}
    shares = [100 * gc for gc in survey.gc]
    with_n = [gc * (1 - unclear.get(n, 0)) for n, gc in enumerate(shares, 1)]
    measures = ((survey.lengths, 0, ""), (shares, NEAR, ""), (with_n, NEAR, " (with N)"))
    known = [dict(parse(seen.header)) for seen in survey.held] if ALIKE <= survey.total <= NAMED else []
    fewest = 2 if survey.total <= LISTED else survey.total // 2 + 1  # values
    telling = [column.name for column in columns if _named(column) and len(column.counts) >= fewest]
    for name in telling if known else ():
        values = [fields.get(name, "") for fields in known]
        numbers = [*map(float, values)] if all(map(_NUMBER.match, values)) else []
        if not numbers:
            continue
        spared += [f"{name}={value}" for value in values]
        apart = [(max(map(abs, map(sub, numbers, own))) > near, how) for own, near, how in measures]
        if min(apart)[0]:
            ends = [f"{values[i]} (#{i + 1})" for i in map(numbers.index, (min(numbers), max(numbers)))]
            ranges.append(f"{name} {'–'.join(ends)}, median {median(sorted(numbers)):g}")
            listed.append(f"{name} {' '.join(values)}")
        else:
            alike.append(f"{name}={min(apart)[1]}")
    each = f"of #1 to #{survey.total}: {'; '.join(listed)}"
    facts = [Fact(text, 0) for text in ranges] if survey.total > LISTED else [Fact(each, 0, short="; ".join(ranges))]
    return [*facts[: len(ranges)], *([Fact(f"{' and '.join(alike)} left out: as measured", 0)] * bool(alike))], spared


def rare(survey: Survey, fields: list[Column], kept: set[int]) -> Iterator[Odd]:
    """A value that stands once where the others of its field repeat; a number far from its field's bulk.
    ``kept`` are records that are shown for a word of failure: its being rare needs no second mention."""
    for column in fields:
        for odd in _rare(survey, column):
            if odd.number not in kept:
                kept.add(odd.number)
                yield odd


def _rare(survey: Survey, column: Column) -> Iterator[Odd]:
    present, name = column.present, column.name
    if present < MIN_RARE:
        if present == 1 and survey.total >= MIN_ONLY and _named(column):
            (value,) = column.counts
            yield Odd(*column.where[value], Keep.RARE, f"only one with {name}={value}", f"only {name}")
        return
    values = uncommon(column.counts)
    if not values:
        if name and not name.startswith(PLACES):
            yield from _far(column)
        return
    repeated, rest = len(column.counts) - len(values), present - len(values)
    by_place = not name or name.startswith(PLACES)
    # names of products are no field: of these few share their number of words
    prose = name.startswith("word") and (repeated > 1 or present < USUAL * survey.total)
    if rest < (SPREAD if by_place else REPEATED) * repeated or (by_place and (prose or present < USED * survey.total)):
        return
    for value in values:
        label = f"{name}={value}" if _named(column) else value
        reason = f"{label} stands {times(column.counts[value])}"
        yield Odd(*column.where[value], Keep.RARE, reason, f"rare {name}", brief=label)


def _far(column: Column) -> Iterator[Odd]:
    values = {text: float(text) for text in column.counts if _NUMBER.match(text)}
    if len(values) >= NUMERIC * len(column.counts):
        ordered = sorted(v for text, v in values.items() for _ in range(min(column.counts[text], WEIGHT)))
        low, high = fences(ordered)
        for text in [text for text, value in values.items() if not low < value < high]:
            reason = f"{column.name}={text}, median {median(ordered):g}"
            yield Odd(*column.where[text], Keep.OUTLIER, reason, f"far {column.name}")


def loud(survey: Survey) -> tuple[list[Odd], int]:
    """Descriptions and ids with a word of failure; where they are no exception none, but how many records they are."""
    alarms: list[Odd] = []
    records = 0

    def hear(text: str, count: int, where: tuple[int, str], whole: str = "", quote: str = "") -> None:
        nonlocal records
        if word := LOUD_SEQUENCE.search(text):
            records += count
            brief = _quote(quote, word.start()) if quote else ""
            alarms.append(Odd(*where, Keep.SEVERE, f"says {whole or word[0]}", f"says {word[0].lower()}", brief=brief))

    for text, count in survey.descriptions.counts.items():
        number, header = survey.descriptions.where[text]
        hear(text, count, (number, f"{header} {text}"), quote=text)
    for column in filter(None, survey.words.values()):
        for word, count in column.counts.items():
            hear(word, count, column.where[word], whole=word)
    for shape, (number, name) in survey.id_shapes.where.items():
        hear(name.replace("_", " "), survey.id_shapes.counts[shape], (number, name))
    return (alarms[:ENDS], 0) if records <= max(MAX_OUTLIERS, survey.total // 10) else ([], records)


def _quote(text: str, start: int) -> str:
    """The next words of a description."""
    quote = text[start : start + QUOTE]
    return quote.rpartition(" ")[0] or quote if len(text) > start + QUOTE else quote
