"""A survey of sequences told as an outline: what it is, how much, what is odd, then one line a record."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from operator import ne

from mcpcompact.content.anomalies.numbers import median
from mcpcompact.content.fasta import features, odd
from mcpcompact.content.fasta.features import ALIKE, FEW, FIELDS
from mcpcompact.content.fasta.sequences import Reading
from mcpcompact.content.fasta.survey import MAX_DIGESTS, MAX_HELD, PHRED33, START, STARTS, Column, Seen, Survey, titles
from mcpcompact.outline import Fact, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted
from mcpcompact.shell import Selector, selector

_GI = regex(r"^gi\|\d+\|\w+\|([^|\s]+)\|(?=\s)")
_BRIEF = 60  # characters of fields that stand in the line of their record
_LINE = 60
_LESSER = 700  # characters of lesser facts
_SHORT = 80  # characters of what every description says that is worth its room
_OWN_WORDS, _MIN_ENDING = 2, 3  # words: of each name its own; that are worth being told once
_KINDS, _BY_PLACE, _TOLD = 400, 8, 6  # values of a field, and of one without a name, that are counted; told
_ODD, _BROKEN, _NAME, _LONG = 6, 64, 40, 400  # odd records in a line; malformed ones; characters of an id, of a row
_PAIRS = 8  # of repeated records that are named


def build(survey: Survey, reading: Reading, kind: str) -> Outline:
    survey.settle(reading.bare)
    unit = _unit(survey)
    columns = odd.columns(survey)
    constants, ending = _constants(survey, columns), _ending(survey)
    measured, once = odd.measured(survey, columns)
    once += [_label(name, value) for name, value in constants.items() if name and not name.startswith(odd.PLACES)]
    loud, loud_records = odd.loud(survey)
    oddities = [
        *loud, *_broken(survey, reading), *odd.kinds(survey), *odd.invalid(survey), *odd.stops(survey),
        *odd.unread(survey), *odd.rare(survey, columns, {each.number for each in loud}),
        *odd.id_shapes(survey), *odd.repeats(survey), *odd.lengths(survey, unit), *odd.shares(survey),
        *odd.quality(survey),
    ]  # fmt: skip
    merged = _merge(oddities)
    alphabet = _alphabet(survey, reading)
    named = "" if kind == "fasta" else f" ({_FORMATS.get(kind, kind)})"
    headline = f"{survey.total:,} {alphabet} {'sequence' if survey.total == 1 else 'sequences'}{named}"
    cut = " (below by accession alone)" * (survey.total > FEW and bool(_GI.match(survey.held[0].header)))
    ids = _ids(survey) + cut
    brief = survey.total > 1 and not ids.startswith("ids like")
    facts = [
        Fact(f"{headline}, {survey.residues:,} {unit}" + (f"; {ids}" if brief else ""), 0),
        *(Fact(text, 0) for text in (_statistics(survey, unit),) if text),
        *_variable(survey),
    ]
    if merged:
        facts.append(Fact(_odd_line(survey, merged), 1))
    where = "description" if kind in ("fasta", "fastq") else "record"  # of others most fields stand elsewhere (LOCUS)
    further = [
        *_common(survey, constants, ending, loud_records, where),
        *_repeated(survey, merged),
        *_defects(survey, reading),
        *features.facts(reading, survey.total <= FEW),
        *_fields(survey, columns, constants),
    ]
    further = [*_within_room(further), *measured]
    facts += further if brief or survey.total <= FEW else [Fact(ids, 2), *further]
    notes = [*reading.notes]
    if reading.preamble:
        notes.append(f"{reading.preamble:,} lines before or between records belong to no sequence")
    if reading.broken:
        notes.append(f"{len(reading.broken):,} of {survey.total:,} records are malformed")
    parts = {"features": reading.features.total()} if reading.features else {}
    if not reading.bare:
        parts[unit] = survey.residues
    first = survey.held[0]
    few: Selector = ("--records", f"1:{min(10, survey.total)}")
    more = [selector("--id", titles([first.header])[0][0], few), few]
    if merged:
        numbers = sorted(merged)
        more.insert(0, ("--records", f"{numbers[0]}:{numbers[0]}"))
    return Outline(
        "fasta", "sequence", survey.total, headline, facts,
        _items(survey, reading, merged, once, ending, unit), more=more,
        facts_share=_SHARE_OF_FEW[bool(reading.features)] if survey.total <= FEW else 1.0, notes=notes,
        keeps_told=True, parts=parts,
    )  # fmt: skip


_TITLE = 4.0  # weight of what a single sequence is called: before its features
_DIFFERS = 2.0  # of what a row of an alignment has in another way than the first
_RESIDUES, _FURTHER = 0.02, 3  # weight of the first residues; power by place: all begin before one goes on
_TIED = 3  # records of the same length that may be called the longest
_EARLY, _STEP, _LATE = 1.5, 0.03, 0.6  # of the others by their place: rows side by side read best
_FIELDS = 0.7  # weight of the fields of each beside those of the one before it
_SHARE_OF_FEW = 0.25, 0.4  # of facts: a few records are all named before the lesser ones; with those on features
_FORMATS = {"fastq": "FASTQ", "genbank": "GenBank", "embl": "EMBL", "swiss": "Swiss-Prot", "clustal": "Clustal"}


def _unit(survey: Survey) -> str:
    protein = survey.kinds["protein"]
    if survey.kinds["colours"] > survey.total / 2:
        return "characters"
    nucleic = survey.kinds["dna"] + survey.kinds["rna"]
    if min(protein, nucleic) > max(protein, nucleic) / 50:
        return "residues"
    return "aa" if protein > nucleic else "nt"


def _length_unit(survey: Survey, unit: str) -> str:
    """Of lengths: gaps are no residues."""
    return "columns" if survey.aligned else "positions" if survey.gaps else unit


def _alphabet(survey: Survey, reading: Reading) -> str:
    """By the residues, or as all records say: RNA is written with T there."""
    if len(reading.molecules) == 1 and (molecule := next(iter(reading.molecules))).endswith("RNA"):
        return molecule
    counts = Counter({kind: n for kind, n in survey.kinds.items() if n and kind != "empty"})
    if not counts:
        return "empty"
    kind, most = counts.most_common(1)[0]
    if most >= 0.98 * counts.total():
        return odd.ALPHABETS[kind]
    return "mixed (" + ", ".join(f"{n:,} {odd.ALPHABETS[kind]}" for kind, n in counts.most_common()) + ")"


def _id(header: str) -> str:
    return titles([header])[0][0] or "(no id)"


def _ids(survey: Survey) -> str:
    """``ids COI_001 … COI_100`` with gaps said, or the common parts and examples."""
    merged: dict[str, tuple[int, str, str]] = {}
    alike = f"ids like {_id(survey.held[0].header)}, {_id(survey.held[-1].header)}"
    if not survey.id_pattern:
        return alike
    for shape, (low, high) in survey.id_range.items():
        short = re.sub("0+", "0", shape)
        before, old_low, old_high = merged.get(short, (0, low, high))
        low, high = min(old_low, low, key=_numbers), max(old_high, high, key=_numbers)
        merged[short] = (before + survey.id_shapes.counts[shape], low, high)
    count, low, high = max(merged.values(), key=lambda each: each[0])
    if count < 0.6 * survey.total:
        return alike
    a, b = _numbers(low), _numbers(high)
    varying = [i for i, pair in enumerate(zip(a, b, strict=False)) if pair[0] != pair[1]]
    # of several numbers that vary none says where an id stands: no range, but for the first and the last in the file
    ends = (low, high) == (_id(survey.held[0].header), _id(survey.held[-1].header))
    text = f"ids {low} … {high}" if ends or len(varying) == 1 else f"ids such as {low}, {high}"
    if len(a) == len(b) and len(varying) == 1 and not survey.same_id.count and count == survey.total:
        missing = b[varying[0]] - a[varying[0]] + 1 - count
        if len(survey.id_range) > 1 and any(re.search(r"(?<!\d)0\d", low) for low, _ in survey.id_range.values()):
            return text  # s1, s01: one number written in two ways
        if missing == 0:
            return text + " without a gap"
        if 0 < missing <= count:
            return f"{text} with {counted(missing, 'number')} missing"
    return text if count == survey.total else f"{text} ({count:,} of {survey.total:,} alike)"


def _numbers(name: str) -> list[int]:
    return [int(digits) for digits in re.findall(r"\d{1,18}", name)]


def _statistics(survey: Survey, unit: str) -> str:
    ordered = survey.ordered
    total = sum(ordered)
    n = len(ordered)
    unit = _length_unit(survey, unit)
    if survey.aligned:
        text = f"aligned: {ordered[0]:,} columns each, {survey.gaps:,} gaps in all"
    elif ordered[0] == ordered[-1]:
        text = f"length {ordered[0]:,} {unit} each" if n > 1 or survey.gaps else ""  # said before of a single one
    else:
        # N50: half of all residues lie in sequences at least this long
        n50 = ordered[-1 - bisect_left(list(accumulate(reversed(ordered))), total / 2)]
        mean = f"{total / n:,.1f}".removesuffix(".0")
        middle = f"{median(ordered):,.1f}".removesuffix(".0")
        ends = "–".join(_placed(survey, length) for length in (ordered[0], ordered[-1]))
        text = f"length {ends}, median {middle}, mean {mean}, N50 {n50:,} {unit}"
    if survey.nucleotides:
        text += f"; GC {100 * survey.gc_residues / survey.nucleotides:.1f} %"
        text += " (here and below without N)" * (survey.ambiguous > 0)
        known = survey.gc if min(survey.gc) >= 0 else [gc for gc in survey.gc if gc >= 0] or [0.0]
        low, high = (f"{end(known):.0%}" for end in (min, max))
        text += f", of a sequence {low} to {high}" * (low != high)
        whole = survey.starts[0].upper() if survey.total == 1 and len(survey.starts[0]) == ordered[0] else b""
        bases = ((base, whole.count(base.encode())) for base in "ACGTUN" if whole)
        text += "".join(f"; {base} {count:,}" for base, count in bases if count)
    if survey.quality:
        offset = survey.offset
        mean_q = survey.qualities[0] / max(1, survey.qualities[1]) - offset  # of all residues: reads differ in length
        worst, read = survey.low_quality[0] if survey.low_quality else (0.0, survey.held[0])
        text += f"; quality mean {mean_q:.1f}, worst read #{read.number:,} {worst - offset:.1f}"
        text += f", range {survey.lowest - offset}–{survey.highest - offset}"
        text += " (offset 64, by its characters)" if offset != PHRED33 else ""
        text += "; quality strings left out"
    return text.removeprefix("; ")


def _placed(survey: Survey, length: int) -> str:
    """A length, and whose it is where few have it."""
    few = survey.total > _TIED >= survey.lengths.count(length)
    whose = [f"#{number:,}" for number, each in enumerate(survey.lengths, 1) if each == length] if few else []
    return f"{length:,}" + f" ({', '.join(whose)})" * few


def _merge(oddities: list[odd.Odd]) -> dict[int, odd.Odd]:
    """One entry a record: the gravest reason first, all reasons said."""
    merged: dict[int, odd.Odd] = {}
    for each in oddities:
        old = merged.setdefault(each.number, each)
        if each.reason not in old.reason:
            old.reason += f"; {each.reason}"
        if each.keep > old.keep:
            old.keep, old.template = each.keep, each.template
        if len(each.header) > len(old.header):
            old.header = each.header
    return merged


def _odd_line(survey: Survey, merged: dict[int, odd.Odd]) -> str:
    ranked = sorted(merged.values(), key=lambda each: (-each.keep, each.number))
    turns: Counter[str] = Counter()  # one of each template first: the rarer is not crowded out by the more frequent
    order = {each.number: (turns.update([each.template]) or turns[each.template]) for each in ranked}
    ranked.sort(key=lambda each: (order[each.number], -each.keep, each.number))
    shown = [f"{_short(survey, each)} {each.brief or each.reason}" for each in ranked[:_ODD]]
    more = f" · {len(ranked) - _ODD} more" if len(ranked) > _ODD else ""
    return f"odd: {' · '.join(shown)}{more}"


def _short(survey: Survey, each: odd.Odd) -> str:
    """What names the record best in few tokens: its id, if no other has it, else its number too."""
    name = _id(each.header)
    single = not survey.same_id.count and 0 < len(name) <= _NAME and name != "(no id)"
    return name if single else f"#{each.number} {name}"


def _broken(survey: Survey, reading: Reading) -> list[odd.Odd]:
    held = {seen.number: seen.header for seen in survey.held}
    broken = list(reading.broken.items())[:_BROKEN]
    return [odd.Odd(number, held.get(number, ""), Keep.SEVERE, what, "malformed record") for number, what in broken]


def _constants(survey: Survey, columns: list[Column]) -> dict[str, str]:
    """Fields that every description has with the same value."""
    if not survey.distinct or survey.total < ALIKE:
        return {}
    return {
        column.name: value
        for column in columns
        if len(column.counts) == 1 and column.present == survey.total and (value := next(iter(column.counts)))
    }


def _ending(survey: Survey) -> str:
    """The words that all names of records end with, behind an id and a name of their own."""
    if not ALIKE <= survey.total == len(survey.held):
        return ""
    names = [FIELDS.split(seen.header, 1)[0].split() for seen in survey.held]
    shared = min(map(len, names)) - _OWN_WORDS
    while shared >= _MIN_ENDING and len({tuple(words[-shared:]) for words in names}) > 1:
        shared -= 1
    return " ".join(names[0][-shared:]) if shared >= _MIN_ENDING else ""


def _label(name: str, value: str) -> str:
    return f"[{value}]" if name == "[…]" else value if not name or name.startswith(odd.PLACES) else f"{name}={value}"


def _within_room(facts: list[Fact]) -> list[Fact]:
    """By rank, the lesser ones only so far: the records need the rest."""
    facts.sort(key=lambda each: each.rank)
    rooms = accumulate(len(fact.text) if fact.rank > 1 else 0 for fact in facts)
    return [fact for fact, room in zip(facts, rooms, strict=True) if fact.rank <= 1 or room <= _LESSER]


def _common(survey: Survey, constants: dict[str, str], ending: str, loud_records: int, where: str) -> Iterator[Fact]:
    same = " ".join(_label(name, value) for name, value in constants.items() if not name.startswith(odd.PLACES))
    if same:
        yield Fact(f"in every {where}: {same}", 2 if len(same) >= _SHORT else int(survey.total > FEW))
    if ending and ending not in same:
        yield Fact(f"every description ends: {ending}", 1)
    if loud_records:
        yield Fact(f"{loud_records:,} descriptions hold a word of failure", 1)


def _repeated(survey: Survey, merged: dict[int, odd.Odd]) -> Iterator[Fact]:
    for repeats, what in ((survey.same_id, "id"), (survey.same_sequence, "sequence")):
        text = f"{counted(repeats.count, 'record')} {'repeats' if repeats.count == 1 else 'repeat'} an earlier {what}"
        if repeats.count:
            few = repeats.count <= FEW and any(seen.number not in merged for seen, _ in repeats.first)
            yield Fact(f"{text}: {_pairs(repeats.first, repeats.count)}" if few else text, 1)


def _defects(survey: Survey, reading: Reading) -> Iterator[Fact]:
    """What is wrong with how many records, and what was looked for and is not there."""
    compared, lesser = survey.total <= MAX_DIGESTS, 2 * (survey.total > FEW)
    counts = {
        "empty record": survey.kinds["empty"],
        "repeated id": survey.same_id.count if compared else 1,
        "repeated sequence": survey.same_sequence.count if compared and not reading.bare else 1,
        "invalid character": survey.invalid.count or len(reading.bare),
        "ambiguous residue": survey.ambiguous or len(reading.bare),
    }
    absent = [what for what, count in counts.items() if not count]
    letters, doubtful, lower = list[str](), survey.doubtful, survey.lower
    if survey.ambiguous:
        places = [f" ({many:,} within {a:,}–{b:,})" if many > 1 else f" ({a:,})" for _, many, a, b in doubtful.first]
        places = places if survey.total <= FEW else [""] * len(places)
        which = ", ".join(f"#{each[0].number:,}{at}" for each, at in zip(doubtful.first, places, strict=True))
        few = doubtful.count == len(doubtful.first) <= max(1, survey.total - 1)
        few = few and survey.ambiguous == sum(each[1] for each in doubtful.first)  # a long one is read in parts
        which = f": {which}" * few
        letters.append(f"ambiguous residues: {survey.ambiguous:,} in {counted(doubtful.count, 'sequence')}{which}")
    if lower.count:
        number, first, last = lower.first[0]
        where = f"#{number:,}, residues {first:,} to {last:,}" if lower.count == 1 else f"{lower.count:,} sequences"
        letters.append(f"lower case in {where}")
    if letters:
        yield Fact("; ".join(letters), 0)
    for holds, text, rank in (
        (absent and survey.total > 1, f"all {survey.total:,} scanned: no {', no '.join(absent)}", lesser),
        (not compared, f"repeats were looked for among the first {MAX_DIGESTS:,} records at least", 3),
        (survey.invalid.count > 1, f"{survey.invalid.count:,} records hold invalid characters", 1),
        (survey.gaps and not survey.aligned, f"gaps: {survey.gaps:,}", 2),
        (reading.comments, counted(reading.comments, "comment line"), 3),
    ):
        if holds:
            yield Fact(text, rank)


def _fields(survey: Survey, columns: list[Column], constants: dict[str, str]) -> Iterator[Fact]:
    """The most frequent values of fields whose values repeat."""
    for column in columns if survey.total > FEW else ():
        kinds, name = len(column.counts), column.name
        most = _BY_PLACE if not name or name.startswith("part") else _KINDS
        if name in constants or name.startswith("word") or not 1 < kinds <= most or 2 * column.present < survey.total:
            continue
        common = [(value, n) for value, n in column.counts.most_common(_TOLD) if n > 1]
        values = ", ".join(f"{_label(name, value)} in {n:,}" for value, n in common)
        rest = f", {kinds - len(common)} more" if kinds > len(common) else ""
        if common:
            yield Fact(f"{'' if name else 'descriptions: '}{values}{rest}", 2)


def _pairs(repeats: list[tuple[Seen, int]], count: int) -> str:
    """The first repeated records with what they repeat and what they are: ``#83 = #65 Ycf2``."""
    pairs = []
    for seen, first in repeats[:_PAIRS]:
        text = titles([seen.header])[1][0].split(" [")[0]
        pairs.append(f"#{seen.number} = #{first} {text if 0 < len(text) <= _LINE else _id(seen.header)}")
    return " · ".join(pairs) + (f" · {count - len(pairs):,} more" if count > len(pairs) else "")


def _items(
    survey: Survey, reading: Reading, merged: dict[int, odd.Odd], labels: list[str], ending: str, unit: str
) -> list[Item]:
    shown = _ends(survey)
    ends = {number: seen for number, seen in survey.ends.items() if number in shown or number in merged}
    rows = {number: Seen(number, each.header, survey.lengths[number - 1]) for number, each in merged.items()} | ends
    rows |= {seen.number: seen for seen in survey.held}
    by_number = features.items(survey, reading, rows) if survey.total <= FEW else {}  # of many, the records themselves
    begun = set[str]()
    drop = [form for label in labels for form in (f" {label}", f" [{label}]")]
    drop += [f" {ending}"] if ending else []
    items: list[Item] = []
    for place, number in enumerate(sorted(rows)):
        seen = rows[number]
        mark = merged.get(number)
        name, fields = _row(survey, seen, drop, unit)
        item = Item(number, number, name, weight=max(_LATE, _EARLY - place * _STEP))
        if number in shown:
            item.weight = _TITLE
        if mark:
            item.keep, item.reason, item.template = mark.keep, mark.reason, mark.template
        weight = _TITLE if survey.total == 1 else _FIELDS**place  # of the first: of one in their midst they look odd
        items += [item, *([Item(number, number, f"#{number} {fields}", weight=weight)] if fields else ())]
        items += by_number.get(number, ())
        if number <= len(survey.starts) and survey.total <= STARTS:
            start = survey.starts[number - 1][: START if survey.total > 1 else None].decode("latin-1")
            start = start.lower() if reading.lower else start
            if survey.aligned and number > 1:
                items.append(_differences(survey, number))
            elif start not in begun or number not in by_number:  # another record with features begins so, too
                items += _residues(survey, number, start, unit, reading.width or _LINE)
                begun.add(start)
    return items[: 2 * MAX_HELD + len(reading.named)]


def _ends(survey: Survey) -> set[int]:
    """Records that others are judged by: the first and last, those at the ends of length and GC, where few are."""
    measures: tuple[Sequence[float], ...] = (survey.lengths, survey.gc) if survey.total > _TIED else ()
    ends = [(values, end(values)) for values in measures for end in (min, max)]
    return {1, survey.total, *(values.index(value) + 1 for values, value in ends if values.count(value) <= _TIED)}


def _variable(survey: Survey) -> Iterator[Fact]:
    """How many columns are not the same in all rows: of those at hand."""
    if not survey.aligned or survey.total > STARTS:
        return
    rows = [start.upper() for start in survey.starts]
    columns = min(map(len, rows))
    varying = [at for at, held in enumerate(zip(*rows, strict=False), 1) if len(set(held)) > 1]
    of = f"{columns:,} columns" if columns == survey.lengths[0] else f"the first {columns:,} columns"
    ends = f", {varying[0]:,} to {varying[-1]:,}" if len(varying) > 1 else f": {varying[0]:,}" if varying else ""
    each = [(n, sum(b - a for a, b in _runs(survey, n))) for n in range(2, min(survey.total, odd.LISTED) + 1)]
    first = f"; from #1: {', '.join(f'#{n} in {many:,}' for n, many in each)}"
    yield Fact(f"{len(varying):,} of {of} differ between rows{ends}{first}", 0)


def _runs(survey: Survey, number: int) -> list[tuple[int, int]]:
    """Columns in which a row is not as the first one, from 0: where each run begins and ends."""
    differs = bytes(map(ne, survey.starts[0].upper(), survey.starts[number - 1].upper()))
    return [run.span() for run in re.finditer(b"\1+", differs)]


def _differences(survey: Survey, number: int) -> Item:
    """What a row has in another way than the first, as runs of columns: ``8 T for A``."""
    first, row = (survey.starts[n - 1].decode("latin-1") for n in (1, number))
    runs = _runs(survey, number)
    changes = [f"{a + 1}{f'–{b}' if b - a > 1 else ''} {row[a:b]} for {first[a:b]}" for a, b in runs]
    columns = counted(sum(b - a for a, b in runs), "column") if runs else "no column"
    scope = f" of the first {len(row):,}" if len(row) < survey.lengths[number - 1] else ""
    text = f"#{number} differs from #1 in {columns}{scope}" + (f": {', '.join(changes)}" if changes else "")
    return Item(number, number, clipped(text, _LONG), weight=_DIFFERS)


def _residues(survey: Survey, number: int, start: str, unit: str, width: int) -> Iterator[Item]:
    """The first lines of residues, as they are wrapped, and the last of a single one: what is worth least."""
    size = min(len(start), START // width * width)
    size = size if survey.total == 1 else max(min(width, size), size // width * width)  # the rest of each says little
    cuts = [*range(0, max(1, size - width // 2 + 1), width), size]  # a short last line stands with the one before it
    last = [((len(start) - width // 2) // width * width, len(start))] * (survey.lengths[0] == len(start) > START)
    for at, end in [*pairwise(cuts), *last] if size else ():
        known = end - at - sum(map(start[at:end].count, "-.~"))
        weight = _RESIDUES / (2 if at > START else at + 1) ** (_FURTHER if survey.total > 1 else 1)
        text = f"#{number} {at + 1:,}–{end:,}: {start[at:end]}"
        yield Item(number, number, text, weight=weight, part=(unit, known))


def _row(survey: Survey, seen: Seen, drop: list[str], unit: str) -> tuple[str, str]:
    """The record in a line, and of one among few its fields in a second: names come first."""
    header = " ".join(seen.header.split()) or "(no id)"
    header = _GI.sub(r"\1", header) if survey.total > FEW else header
    for part in [*drop, f" length={seen.length}", f" [length={seen.length}]"]:
        header = f"{header} ".replace(f"{part} ", " ", 1).rstrip()
    fields = FIELDS.search(header) if survey.total <= FEW else None
    header, rest = (header[: fields.start()], header[fields.end() :]) if fields else (header, "")
    if 0 < len(rest) <= _BRIEF and " " not in header:  # they are all that is said of it
        header, rest = f"{header} {rest}", ""
    measured, gc = f"{seen.length:,} {_length_unit(survey, unit)}", survey.gc[seen.number - 1]
    measured += f" GC {gc:.0%}" if gc >= 0 else ""
    measured = "" if survey.total == 1 and not survey.gaps else measured
    measured += f" quality {survey.quality[seen.number - 1] - survey.offset:.1f}" if survey.quality else ""
    apart = " ·" * (header.rpartition(" ")[2].isdigit() and measured[:1].isdigit())  # "clone 266 · 1,125 nt"
    return f"#{seen.number} {clipped(header, _LONG)}{apart} {measured}".rstrip(), clipped(rest, _LONG)
