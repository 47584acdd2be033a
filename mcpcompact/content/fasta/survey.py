"""One pass over batches of sequences: mergeable statistics and a bounded choice of records to show.

Per record only its length and its share of GC are held (12 bytes); digests for the search of duplicates
while there are at most ``MAX_DIGESTS`` records; headers of an even choice of records, and of those that
stand at an end of a distribution. So 100 MB of sequences take well under 200 MB."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import chain, compress, islice, repeat, starmap
from operator import ne, truediv
from typing import Generic, TypeVar

from mcpcompact.content.fasta.residues import BASE_PAIRS, GC, LOWER, ambiguous_ends, kind_of, ones, sums, total
from mcpcompact.content.fasta.sequences import Batch
from mcpcompact.outline import record
from mcpcompact.patterns import regex

MAX_DIGESTS = 600_000
MAX_HELD = 4_000
ASKED = 8_192  # so many sequences are looked up before it is asked whether that pays
MAX_BEFORE = 200_000
MAX_DESCRIPTIONS = 20_000
MAX_WORDS, MAX_WIDTH, MAX_PLACES = 4_000, 24, 400  # different ones at a place; of a description; places in all
MAX_SHAPES, PATTERNED = 5_000, 1_000  # of ids; records after which it is known whether their ids have a pattern
ENDS = 64
KIND = 16
PHRED33, PHRED64, MIN_SOLEXA, MAX_SANGER = 33, 64, ord(";"), ord("J")  # of qualities
STARTS, START = 200, 1_200  # of so few records so many of the first residues are shown, where room is left
WHOLE = 10_000_000  # residues of a single record, a genome of bacteria, of which also the end is shown

_NUCLEIC = ("dna", "rna", "either")

_Measured = tuple[list[int], list[int]]
_Item = TypeVar("_Item")


@record
class Seen:
    """A record that is held: its 1-based number, header and length."""

    number: int
    header: str
    length: int


_Doubtful = tuple[Seen, int, int, int]  # a record, its ambiguous residues, where the first and the last stand


@record
class Rows:
    """The records of a batch."""

    numbers: range
    headers: list[str]
    lengths: list[int]

    def seen(self, i: int) -> Seen:
        return Seen(self.numbers[i], self.headers[i], self.lengths[i])


@record
class Some(Generic[_Item]):
    """How many were found, and the first ``most`` of them."""

    most: int
    count: int = 0
    first: list[_Item] = field(default_factory=list)

    def add(self, item: _Item) -> None:
        self.count += 1
        if len(self.first) < self.most:
            self.first.append(item)


@record
class Column:
    """A field of the descriptions: how often each value stands; number and id of the first record that has it."""

    name: str = ""
    counts: Counter[str] = field(default_factory=Counter)
    where: dict[str, tuple[int, str]] = field(default_factory=dict)

    @property
    def present(self) -> int:
        return self.counts.total()

    def add(self, values: Sequence[str], where: Sequence[tuple[int, str]]) -> None:
        self.counts.update(values)
        if len(self.counts) > len(self.where):
            fresh = set(values).difference(self.where)
            for value, place in zip(values, where, strict=True):
                if value in fresh:
                    self.where.setdefault(value, place)


class Repeats(Some[tuple[Seen, int]]):
    """Records whose key stood before, each with the number that it stood at first; that is looked up only once a key
    repeats. Keys are 64-bit hashes, of which two different ones among 600,000 collide with a chance below 10⁻⁷."""

    __slots__ = ("_distinct", "_places", "_runs")

    def __init__(self) -> None:
        super().__init__(ENDS)
        self._distinct: set[int] = set()
        self._runs: list[list[int]] = []
        self._places: dict[int, int] = {}

    def look(self, keys: list[int], rows: Rows, values: Sequence[str] | Sequence[int]) -> None:
        """Records whose value is empty (or 0 long) do not count: they are said as such."""
        firsts = self._firsts(keys, rows.numbers)
        if len(self.first) == self.most and all(values):
            self.count += sum(map(ne, firsts, rows.numbers))
            return
        for i, first in enumerate(firsts):
            if first != rows.numbers[i] and values[i]:
                self.add((rows.seen(i), first))

    def _firsts(self, keys: list[int], numbers: range) -> list[int]:
        """The number that each key stood at first, nothing when all are new."""
        if not self._places:
            before = len(self._distinct)
            self._distinct.update(keys)
            if len(self._distinct) - before == len(keys):
                self._runs.append(keys)
                return []
            for number, key in enumerate(chain.from_iterable(self._runs), 1):
                self._places.setdefault(key, number)
            self._distinct.clear()
            self._runs.clear()
        return list(map(self._places.setdefault, keys, numbers))


@record
class Survey:
    """Statistics over all records so far."""

    total: int = 0
    starts: list[bytes] = field(default_factory=list)  # the first residues of the first records; of a single one all
    lengths: array[int] = field(default_factory=lambda: array("q"))
    gc: array[float] = field(default_factory=lambda: array("f"))  # -1 where it has no meaning
    gc_residues: int = 0  # of nucleotide records: G, C and S
    nucleotides: int = 0  # … and all but gaps
    kinds: Counter[str] = field(default_factory=Counter)  # dna, rna, protein, empty
    kind_of: dict[str, list[Seen]] = field(default_factory=dict)  # the first few of each kind
    ambiguous: int = 0
    doubtful: Some[_Doubtful] = field(default_factory=lambda: Some(KIND))
    unread: Some[_Doubtful] = field(default_factory=lambda: Some(ENDS))  # of which they are a tenth, or more
    gaps: int = 0
    lower: Some[tuple[int, int, int]] = field(default_factory=lambda: Some(1))  # its first, last lower-case residue
    invalid: Some[tuple[Seen, str]] = field(default_factory=lambda: Some(ENDS))
    stops: Some[tuple[Seen, int, int]] = field(default_factory=lambda: Some(ENDS))  # in a protein, the first one
    held: list[Seen] = field(default_factory=list)
    stride: int = 1
    ends: dict[int, Seen] = field(default_factory=dict)  # by number: the shortest, longest, and ends of GC
    same_id: Repeats = field(default_factory=Repeats)
    same_sequence: Repeats = field(default_factory=Repeats)
    descriptions: Column = field(default_factory=Column)
    words: dict[tuple[int, int], Column | None] = field(default_factory=dict)  # by how many words, and which of them
    distinct: bool = True  # descriptions are counted whole
    id_shapes: Column = field(default_factory=Column)
    id_range: dict[str, list[str]] = field(default_factory=dict)
    id_pattern: bool = True  # False when every fourth id had a shape of its own: ranges are not followed then
    quality: array[float] = field(default_factory=lambda: array("f"))  # mean by record
    qualities: tuple[int, int] = (0, 0)  # their sum over all residues, and how many
    lowest: int = 255
    highest: int = 0
    low_quality: list[tuple[float, Seen]] = field(default_factory=list)
    ordered: list[int] = field(default_factory=list)  # the lengths, shortest first, when all are known
    _before: dict[int, tuple[int, int]] | None = field(default_factory=dict)  # by hash: what is known of each
    _bounds: dict[str, tuple[list[float], list[float]]] = field(default_factory=dict)
    _ties: dict[tuple[str, float], int] = field(default_factory=dict)

    @property
    def offset(self) -> int:
        """What is taken from a character of quality: 64 in old Solexa and Illumina files, which have no sign below
        ``;`` and some above ``J``, else 33 (Cock et al. 2010, doi:10.1093/nar/gkp1137)."""
        return PHRED64 if self.lowest >= MIN_SOLEXA and self.highest > MAX_SANGER else PHRED33

    @property
    def residues(self) -> int:
        """All but gaps."""
        return sum(self.lengths) - self.gaps

    @property
    def aligned(self) -> bool:
        """Whether the lengths are columns of an alignment."""
        return self.gaps > 0 and self.total > 1 and min(self.lengths) == max(self.lengths)

    def settle(self, bare: dict[int, int]) -> None:
        """When all is read: nucleotides with neither T nor U are what most are; ``bare`` records have a length only."""
        kind = "rna" if self.kinds["rna"] > self.kinds["dna"] else "dna"
        self.kinds[kind] += self.kinds.pop("either", 0)
        self.kind_of.setdefault(kind, []).extend(self.kind_of.pop("either", []))
        for number, length in bare.items():
            self.lengths[number - 1] = length
        self.kinds["empty"] -= len(bare)
        self.kinds[kind] += len(bare)
        self.kind_of["empty"] = [seen for seen in self.kind_of.get("empty", ()) if seen.number not in bare]
        for seen in [*self.held, *self.ends.values()] if bare else ():
            seen.length = bare.get(seen.number, seen.length)
        counts = sorted(Counter(self.lengths).items())
        self.ordered = list(chain.from_iterable(starmap(repeat, counts)))

    def add(self, batch: Batch) -> None:
        if batch.continues:
            self._extend(batch)
            return
        numbers = range(self.total + 1, self.total + 1 + len(batch.headers))
        for at in range(min(len(batch.headers), STARTS - self.total)):
            self.starts.append(batch.sequences[at][: START if self.total or len(batch.headers) > 1 else WHOLE])
        self.total += len(batch.headers)
        keys = list(map(hash, batch.sequences))
        measured = self._measure(batch.sequences, keys)
        if measured is not None:
            lengths, strong = measured
            known = lengths
            rows = Rows(numbers, batch.headers, lengths)
            pairs = zip(batch.sequences, lengths, strict=True)
            self._count_kinds(["dna" if b"T" in s else "either" if length else "empty" for s, length in pairs], rows)
        else:
            batch.drop_spaces()
            residues = b"".join(batch.sequences)
            lengths = list(map(len, batch.sequences))
            rows = Rows(numbers, batch.headers, lengths)
            sequences: Sequence[bytes] = batch.sequences
            if b"\1" in residues.translate(LOWER):
                sequences = self._capitals(rows, sequences)
                residues = b"".join(sequences)
            known = self._classify(rows, sequences)
            strong = sums(residues.translate(GC), lengths)
            keys = list(map(hash, sequences))
        self.lengths.extend(lengths)
        if all(known):
            shares = list(map(truediv, strong, known))
        else:
            shares = [gc / n if n else -1.0 for gc, n in zip(strong, known, strict=True)]
        self.gc.extend(shares)
        self.gc_residues += sum(compress(strong, known))
        self.nucleotides += sum(known)
        self._hold(rows)
        self._extremes("length", rows, lengths)
        self._extremes("gc", rows, shares)
        ids, texts = titles(batch.headers)
        where = list(zip(numbers, ids, strict=True))
        self._shapes(ids, where)
        self._describe(texts, where)
        if self.total <= MAX_DIGESTS:
            self.same_id.look(list(map(hash, ids)), rows, ids)
            self.same_sequence.look(keys, rows, lengths)
        if batch.qualities is not None:
            self._qualities(batch.qualities, rows)

    def _capitals(self, rows: Rows, sequences: Sequence[bytes]) -> list[bytes]:
        """The sequences in upper case; notes where they were not."""
        for number, sequence in zip(rows.numbers, sequences, strict=True):
            if b"\1" in (case := sequence.translate(LOWER)):
                self.lower.add((number, case.find(b"\1") + 1, case.rfind(b"\1") + 1))
        return [sequence.upper() for sequence in sequences]

    def _measure(self, sequences: list[bytes], keys: list[int]) -> _Measured | None:
        """Length and number of G and C of each sequence, if they hold nothing but A, C, G and T; else None.

        Barcodes and reads often repeat: as long as at least one in eight does, what stood before is looked up."""
        before = self._before
        if before is None:
            return _count(sequences)
        fresh = {key: sequence for key, sequence in zip(keys, sequences, strict=True) if key not in before}
        counts = _count(list(fresh.values()))
        if counts is None:
            return None
        before.update(zip(fresh, zip(*counts, strict=True), strict=True))
        if self.total >= ASKED and len(before) > min(MAX_BEFORE, self.total * 7 // 8):
            self._before = None
        lengths, strong = map(list, zip(*map(before.__getitem__, keys), strict=True))
        return lengths, strong

    def _extend(self, batch: Batch) -> None:
        """The next part of a record that is longer than a block."""
        batch.drop_spaces()
        part = batch.sequences[0].upper()
        self.lengths[-1] += len(part)
        kind, ambiguous, gaps, _ = kind_of(part)
        self.ambiguous += ambiguous
        self.gaps += gaps
        if kind in _NUCLEIC:
            self.nucleotides += len(part) - gaps - part.count(b"N")
            self.gc_residues += ones(part, GC)
        for seen in (*self.held[-1:], self.ends.get(self.total)):
            if seen and seen.number == self.total:
                seen.length = self.lengths[-1]

    def _count_kinds(self, kinds: list[str], rows: Rows) -> None:
        self.kinds.update(kinds)
        for kind in set(kinds):
            some = self.kind_of.setdefault(kind, [])
            some += islice((rows.seen(i) for i, one in enumerate(kinds) if one == kind), KIND - len(some))

    def _classify(self, rows: Rows, sequences: Sequence[bytes]) -> list[int]:
        """Alphabet, ambiguous and invalid residues of each; returns the nucleotides that GC is a share of."""
        known, kinds = list[int](), list[str]()
        for i, sequence in enumerate(sequences):
            kind, ambiguous, gaps, invalid = kind_of(sequence)
            kinds.append(kind)
            self.ambiguous += ambiguous
            self.gaps += gaps
            if ambiguous:
                entry = (rows.seen(i), ambiguous, *ambiguous_ends(sequence, kind))
                for some in (self.doubtful, self.unread)[: 1 + (ambiguous * 10 >= len(sequence))]:
                    some.add(entry)
            if invalid:
                self.invalid.add((rows.seen(i), invalid))
            if kind == "protein" and (inner := sequence[:-1].count(b"*")):
                self.stops.add((rows.seen(i), inner, sequence.index(b"*") + 1))
            known.append(len(sequence) - gaps - sequence.count(b"N") if kind in _NUCLEIC else 0)
        self._count_kinds(kinds, rows)
        return known

    def _hold(self, rows: Rows) -> None:
        """Hold every ``stride``-th record; when they are too many, every second of them."""
        most = MAX_HELD if self.total <= 10 * MAX_HELD else MAX_HELD // 4
        for i in range(-(rows.numbers.start - 1) % self.stride, len(rows.numbers), self.stride):
            if (rows.numbers[i] - 1) % self.stride:
                continue  # it has become twice as long meanwhile
            self.held.append(rows.seen(i))
            if len(self.held) > most:
                self.held = self.held[::2]
                self.stride *= 2

    def _extremes(self, what: str, rows: Rows, values: Sequence[float]) -> None:
        """Hold the records beyond the ``ENDS`` lowest and highest values so far."""
        lows, highs = self._bounds.setdefault(what, ([], []))
        full = len(lows) == ENDS
        low, high = (lows[-1], highs[0]) if full else (float("inf"), float("-inf"))
        if min(values) >= low and max(values) <= high:
            return
        beyond = [i for i, value in enumerate(values) if value < low or value > high]
        ordered = sorted([values[i] for i in beyond])
        lows[:] = sorted([*lows, *ordered[:ENDS]])[:ENDS]
        highs[:] = sorted([*highs, *ordered[-ENDS:]])[-ENDS:]
        for i in beyond:
            if values[i] <= lows[-1] or values[i] >= highs[0]:
                some = self._ties.get((what, values[i]), 0)
                if some < ENDS:  # a thousand records of one length need not all be held
                    self._ties[what, values[i]] = some + 1
                    self.ends.setdefault(rows.numbers[i], rows.seen(i))

    def _shapes(self, ids: list[str], where: list[tuple[int, str]]) -> None:
        """Ids by shape (digits as 0), with the lowest and the highest of each shape."""
        if len(self.id_shapes.counts) > MAX_SHAPES:
            return
        shapes = "\n".join(ids).translate(_DIGITS).split("\n")
        self.id_shapes.add(shapes, where)
        if self.total >= PATTERNED and len(self.id_shapes.counts) * 4 > self.total:
            self.id_pattern = False
        if not self.id_pattern:
            return
        rows: Iterable[tuple[str, str]] = zip(shapes, ids, strict=True)
        if shapes.count(shapes[0]) == len(shapes):
            rows = [(shapes[0], min(ids)), (shapes[0], max(ids))]
        for shape, name in rows:
            held = self.id_range.setdefault(shape, [name, name])
            if name < held[0]:
                held[0] = name
            elif name > held[1]:
                held[1] = name

    def _describe(self, texts: list[str], where: list[tuple[int, str]]) -> None:
        """Descriptions whole while few differ, then their words by place."""
        if self.distinct:
            self.descriptions.add(texts, where)
            if len(self.descriptions.counts) <= MAX_DESCRIPTIONS:
                return
            self.distinct = False
            texts = list(self.descriptions.counts.elements())
            where = [self.descriptions.where[text] for text in texts]
            self.descriptions = Column()
        rows = list(map(str.split, texts))
        widths = list(map(len, rows))
        for width in dict.fromkeys(widths):
            if 0 < width <= MAX_WIDTH and len(self.words) <= MAX_PLACES:
                wanted = [each == width for each in widths]
                self._places(width, list(compress(rows, wanted)), list(compress(where, wanted)))

    def _places(self, width: int, rows: list[list[str]], where: list[tuple[int, str]]) -> None:
        """Count the words of descriptions of ``width`` words by their place; no more where too many differ."""
        for place, words in enumerate(zip(*rows, strict=True)):
            column = self.words.setdefault((width, place), Column(f"word {place + 1} of {width}"))
            if column:
                column.add(words, where)
                if len(column.counts) > MAX_WORDS:
                    self.words[width, place] = None

    def _qualities(self, qualities: list[bytes], rows: Rows) -> None:
        joined = b"".join(qualities)
        self.lowest = next((value for value in range(33, min(self.lowest, 127)) if value in joined), self.lowest)
        self.highest = next((value for value in range(126, max(self.highest, 32), -1) if value in joined), self.highest)
        means = [total(q) / len(q) if q else 0.0 for q in qualities]
        self.quality.extend(means)
        self.qualities = self.qualities[0] + total(joined), self.qualities[1] + len(joined)
        worst = sorted((mean, i) for i, mean in enumerate(means) if qualities[i])[:ENDS]
        self.low_quality += [(mean, rows.seen(i)) for mean, i in worst]
        self.low_quality.sort(key=lambda pair: (pair[0], pair[1].number))
        del self.low_quality[ENDS:]


def _count(sequences: list[bytes]) -> _Measured | None:
    pairs = b"".join(sequences).translate(BASE_PAIRS)
    if 2 in pairs:  # something else than A, C, G and T
        return None
    lengths = list(map(len, sequences))
    return lengths, sums(pairs, lengths)


def titles(headers: list[str]) -> tuple[list[str], list[str]]:
    """Ids and descriptions: the id is the first word, or the first part of ``COI_7|Apis mellifera|Lyon``."""
    parts = list(map(str.split, headers, repeat(None), repeat(1)))
    if set(map(len, parts)) == {2}:
        ids, texts = map(list, zip(*parts, strict=True))
    else:
        ids = [part[0] if part else "" for part in parts]
        texts = [part[1] if len(part) > 1 else "" for part in parts]
    if any("|" in name for name in ids[:5]):
        for i, (name, header) in enumerate(zip(ids, headers, strict=True)):
            if "|" in name[1:] and not _DATABASE.match(name):
                ids[i] = name[: name.index("|", 1)]
                texts[i] = header.strip()[len(ids[i]) :]
    return ids, texts


_DATABASE = regex(r"(?:gi|gb|emb|dbj|ref|sp|tr|pdb|pir|prf|lcl|gnl|tpg|tpe|bbs|bbm|pat|[a-z]{2,3})\|")
_DIGITS = dict.fromkeys(range(49, 58), "0")
