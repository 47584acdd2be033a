"""What is odd among sequences: far lengths and GC, rare alphabets, repeated records, rare words in descriptions."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from mcpcompact.content.anomalies.numbers import median
from mcpcompact.content.fasta.survey import ENDS, Survey
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex

_LOUD = regex(
    r"\b(?:fail(?:ed|ure|s)?|errors?(?!-prone)|warning|contaminat\w*|contam|low[ _-]quality|poor[ _-]quality|chimer\w*|"
    r"reject\w*|withdrawn|suspect\w*|invalid|corrupt\w*|unverified|mislabel\w*|misidentif\w*|retracted|"
    r"do[ _]not[ _]use|truncated|aborted|bad)(?![a-z])",
    re.IGNORECASE,
)
_KEYED = regex(r"^[\[(;,|]*([A-Za-z][\w.-]{0,40})=(.*)$")
_TAXON = regex(r"\[([^\[\]=]{3,80})\]$")
_NUMBER = regex(r"[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$")
_SHORT, _MANY = 4, 12
PLACES = "word", "part"  # of fields without a name: by blanks, by bars or semicolons


@dataclass(slots=True)
class Odd:
    """A record that stands out, and why."""

    number: int
    header: str
    keep: Keep
    reason: str
    template: str
    length: int | None = None
    brief: str = ""  # the reason in a few words, where that says as much


@dataclass(slots=True)
class Column:
    """A field of the descriptions: how often each value stands, and a record that has it."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    where: dict[str, tuple[int, str]] = field(default_factory=dict)

    @property
    def present(self) -> int:
        return sum(self.counts.values())


def far(values: Sequence[float], floor: float, low: bool = True) -> tuple[float, float]:
    """Bounds beyond which a value is far from the bulk: 6 robust deviations (1.4826 MAD, at least ``floor``).

    (Iglewicz and Hoaglin 1993 cut at 3.5; lengths of real sequences have heavier tails.) Of very many values an
    even sample gives the bounds.
    """
    ordered = sorted(values[:: max(1, len(values) // 10_000)])
    middle = median(ordered)
    spread = median(sorted([abs(value - middle) for value in ordered]))
    reach = 6 * max(1.4826 * spread, floor)
    return (middle - reach if low else -math.inf), middle + reach


def lengths(survey: Survey, unit: str) -> Iterator[Odd]:
    """Lengths far out on either scale: the plain one finds the long, the logarithmic one the short."""
    ordered = survey.ordered()
    known = ordered[ordered.count(0) :]
    if len(known) < _SHORT:
        return
    middle = median(known)
    low, high = far(known, middle / 30)
    if known[0] != known[-1]:
        some = known[:: max(1, len(known) // 10_000)]
        log_low, log_high = far([math.log(length) for length in some], math.log(1.2) / 6)
        low, high = max(low, math.exp(log_low)), max(high, min(math.exp(log_high), 2 * high))
    found = [seen for seen in survey.ends.values() if seen.length and not low <= seen.length <= high]
    found.sort(key=lambda seen: (-abs(math.log(seen.length / middle)), seen.number))
    for seen in sorted(found[: max(3, len(known) // 100)], key=lambda seen: seen.number):
        side = "short" if seen.length < middle else "long"
        yield Odd(
            seen.number, seen.header, Keep.OUTLIER, f"length {seen.length:,}, median {middle:,}", f"{side} sequence",
            seen.length, f"{seen.length:,} {unit}",
        )  # fmt: skip


def shares(survey: Survey) -> Iterator[Odd]:
    """GC more than ten points and six deviations from the median, in records long enough to have a share."""
    step = max(1, survey.total // 20_000)
    pairs = zip(survey.gc[::step], survey.lengths[::step], strict=True)
    known = sorted([gc for gc, length in pairs if gc >= 0 and length >= 50])
    if len(known) < 8:
        return
    low, high = far(known, 0.1 / 6)
    middle = median(known)
    found = [
        (abs(gc - middle), seen, gc)
        for number, seen in survey.ends.items()
        if seen.length >= 50 and (gc := survey.gc[number - 1]) >= 0 and not low <= gc <= high
    ]
    found.sort(key=lambda each: (-each[0], each[1].number))
    for _, seen, gc in found[: max(2, len(known) // 200)]:
        reason = f"GC {gc:.0%}, median {middle:.0%}"
        yield Odd(seen.number, seen.header, Keep.OUTLIER, reason, "far GC", seen.length)


def kinds(survey: Survey) -> Iterator[Odd]:
    """Empty records, and the few of another alphabet than the rest."""
    filled = survey.total - survey.kinds["empty"]
    for seen in survey.kind_of.get("empty", ()) if filled else ():
        yield Odd(seen.number, seen.header, Keep.SEVERE, "empty: no residues", "empty record", 0, "empty")
    for kind in ("dna", "rna", "protein"):
        if 0 < survey.kinds[kind] <= max(1, filled // 50) and filled >= 5:
            for seen in survey.kind_of[kind]:
                reason = f"{kind_name(kind)}, unlike the rest"
                yield Odd(seen.number, seen.header, Keep.RARE, reason, f"{kind} record", seen.length)


def kind_name(kind: str) -> str:
    return {"dna": "DNA", "rna": "RNA"}.get(kind, kind)


def invalid(survey: Survey) -> Iterator[Odd]:
    for seen, what in survey.invalid.values():
        reason = f"invalid characters: {what}"
        brief = f"invalid {what}"
        yield Odd(seen.number, seen.header, Keep.SEVERE, reason, "invalid characters", seen.length, brief)


def stops(survey: Survey) -> Iterator[Odd]:
    """Proteins with a stop codon before their end, where that is the exception (six-frame translations are full)."""
    if survey.stop_records <= max(3, survey.total // 50) and survey.total >= _SHORT:
        for seen, count, place in survey.stops.values():
            reason = f"stop codon within, residue {place:,}" if count == 1 else f"{count:,} stop codons within"
            yield Odd(seen.number, seen.header, Keep.SEVERE, reason, "stop codon within", seen.length)


def unread(survey: Survey) -> Iterator[Odd]:
    """Records that are a tenth ambiguous or more, where that is the exception; any, where hardly one is."""
    if survey.unread_records <= max(3, survey.total // 50) and survey.total >= _SHORT:
        single = survey.total >= 20 and survey.ambiguous_records <= min(3, survey.total // 20)
        for seen, count in ({**survey.unread, **survey.doubtful} if single else survey.unread).values():
            reason = f"{count:,} of {seen.length:,} residues ambiguous"
            keep = Keep.SEVERE if 2 * count > seen.length else Keep.OUTLIER
            brief = f"{count:,} ambiguous"
            yield Odd(seen.number, seen.header, keep, reason, "ambiguous residues", seen.length, brief)


def repeats(survey: Survey) -> Iterator[Odd]:
    """Repeated ids and sequences, where they are the exception (clusters of reads repeat by nature)."""
    for found, count, what in (
        (survey.same_id, survey.same_ids, "same id as"),
        (survey.same_sequence, survey.same_sequences, "same sequence as"),
    ):
        if count <= max(3, survey.total // 20):
            for seen, first in found:
                yield Odd(seen.number, seen.header, Keep.RARE, f"{what} #{first}", what, seen.length)


def id_shapes(survey: Survey) -> Iterator[Odd]:
    """An id of a shape that occurs once where one shape rules."""
    merged: Counter[str] = Counter()
    first: dict[str, tuple[int, str]] = {}
    for shape, count in survey.id_shapes.items():
        short = re.sub("0+", "0", shape)
        merged[short] += count
        if short not in first or survey.id_first[shape][0] < first[short][0]:
            first[short] = survey.id_first[shape]
    if survey.total < _MANY or len(merged) < 2 or merged.most_common(1)[0][1] < 0.9 * survey.total:
        return
    for shape, count in merged.items():
        if count <= max(1, survey.total // 500):
            number, name = first[shape]
            yield Odd(number, name, Keep.RARE, "id of another pattern", "odd id")


def quality(survey: Survey) -> Iterator[Odd]:
    if len(survey.quality) < 8:
        return
    offset = 33  # Phred+33
    middle = median(sorted(survey.quality))
    low, _ = far(survey.quality, 1.0)
    for mean, seen in survey.low_quality[: max(3, survey.total // 100)]:
        if mean < min(low, middle - 8):
            reason = f"mean quality {mean - offset:.1f}, median {middle - offset:.1f}"
            yield Odd(seen.number, seen.header, Keep.OUTLIER, reason, "low quality", seen.length)


# -- descriptions -------------------------------------------------------------------------------


def columns(survey: Survey) -> list[Column]:
    """The fields of the descriptions: ``key=value`` by key, a last ``[Taxon]``, other words by position."""
    found: dict[str, Column] = {}

    def put(name: str, value: str, count: int, at: tuple[int, str]) -> None:
        column = found.get(name) or found.setdefault(name, Column(name))
        column.counts[value] += count
        column.where.setdefault(value, at)

    if not survey.distinct:
        for (width, position), counts in survey.words.items():
            if counts:
                column = Column(f"word {position + 1} of {width}", counts, survey.word_at[width, position])
                found[column.name] = column
        return list(found.values())
    for text, count in survey.descriptions.items():
        at = survey.first[text]
        for name, value in parse(text):
            put(name, value, count, at)
    return list(found.values())


def parse(text: str) -> Iterator[tuple[str, str]]:
    """The fields of one description."""
    taxon = _TAXON.search(text)
    if taxon:
        yield "[…]", taxon[1]
        text = text[: taxon.start()].rstrip()
    separator = None
    if (text.count("|") > 1 or text.startswith("|")) and " | " not in text:
        text = text.strip("|")
        separator = "|"
    elif text.count("=") > 1 and ";" in text and "; " not in text:
        separator = ";"
    words = [part.strip() for part in text.split(separator)] if separator else text.split()
    free: list[str] = []
    key, value = "", ""
    for word in words:
        keyed = _KEYED.match(word)
        if keyed:
            if key:
                yield key, value.rstrip("];,) ")
            key, value = keyed[1], keyed[2]
        elif key and not separator:
            value += f" {word}"
        elif word:
            free.append(word)
    if key:
        yield key, value.rstrip("];,) ")
    if free:
        if not separator:
            yield "", " ".join(free)
        if len(free) <= 24:
            for position, word in enumerate(free):
                yield f"{PLACES[separator is not None]} {position + 1} of {len(free)}", word


def rare(survey: Survey, found: list[Column], said: set[int]) -> Iterator[Odd]:
    """A value that stands once where the others of its field repeat; a number far from its field's bulk.

    ``said`` are records that are kept for a word of failure: its being rare needs no second mention.
    """
    for column in found:
        present = column.present
        by_place = column.name.startswith(PLACES) or not column.name
        if present < 20:
            if present == 1 and survey.total >= 50 and column.name and not column.name.startswith((*PLACES, "[…]")):
                value, (number, header) = next(iter(column.where.items()))
                if number not in said:
                    said.add(number)
                    yield Odd(number, header, Keep.RARE, f"only one with {column.name}={value}", f"only {column.name}")
            continue
        limit = max(1, min(3, present // 1000))
        few = [value for value, count in column.counts.items() if count <= limit]
        rest = present - sum(column.counts[value] for value in few)
        if few and len(few) <= max(2, present // 50) and rest >= 0.9 * present:
            repeated = len(column.counts) - len(few)
            prose = column.name.startswith("word") and repeated > 1  # names of products are no field
            if by_place and (prose or present < 0.3 * survey.total or rest < 12 * repeated):
                continue
            for value in few if rest >= 5 * repeated else ():
                number, header = column.where[value]
                keyed = column.name and not column.name.startswith((*PLACES, "[…]"))
                label = f"{column.name}={value}" if keyed else value
                if number not in said:
                    said.add(number)
                    times = "once" if column.counts[value] == 1 else f"{column.counts[value]} times"
                    yield Odd(number, header, Keep.RARE, f"{label} stands {times}", f"rare {column.name}", brief=label)
        elif len(column.counts) > 3 and column.name and not column.name.startswith(PLACES):
            yield from _numbers(column, said)


def _numbers(column: Column, said: set[int]) -> Iterator[Odd]:
    values = {text: float(text) for text in column.counts if _NUMBER.match(text)}
    if len(values) < 0.95 * len(column.counts) or column.present < 10:
        return
    spread = [values[text] for text, count in column.counts.items() if text in values for _ in range(min(count, 1000))]
    ordered = sorted(spread)
    middle = median(ordered)
    low, high = far(spread, abs(middle) / 30 or 1e-9)
    out = [text for text, value in values.items() if not low - abs(middle) <= value <= high + abs(middle)]
    if len(out) <= max(2, column.present // 100):
        for text in out:
            number, header = column.where[text]
            if number not in said:
                said.add(number)
                reason = f"{column.name}={text}, median {middle:g}"
                yield Odd(number, header, Keep.OUTLIER, reason, f"far {column.name}")


def loud(survey: Survey) -> tuple[list[Odd], int]:
    """Descriptions and ids with a word of failure, and how many records they are."""
    found: list[Odd] = []
    records = 0
    if survey.distinct:
        for text, count in survey.descriptions.items():
            word = _LOUD.search(text)
            if word:
                records += count
                number, header = survey.first[text]
                quote = text[word.start() : word.start() + 40]
                if len(text) > word.start() + 40:
                    quote = quote.rpartition(" ")[0] or quote
                template = f"says {word[0].lower()}"
                found.append(Odd(number, f"{header} {text}", Keep.SEVERE, f"says {word[0]}", template, brief=quote))
    else:
        for key, counts in survey.words.items():
            for value, count in (counts or {}).items():
                word = _LOUD.search(value)
                if word:
                    records += count
                    number, header = survey.word_at[key][value]
                    found.append(Odd(number, header, Keep.SEVERE, f"says {value}", f"says {word[0].lower()}"))
    for shape, (number, name) in survey.id_first.items():
        word = _LOUD.search(name.replace("_", " "))
        if word:
            records += survey.id_shapes[shape]
            found.append(Odd(number, name, Keep.SEVERE, f"says {word[0]}", f"says {word[0].lower()}"))
    return (found[:ENDS] if records <= max(3, survey.total // 10) else []), records
