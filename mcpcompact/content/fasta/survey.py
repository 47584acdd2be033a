"""One pass over batches of sequences: mergeable statistics and a bounded choice of records to show.

Per record only its length and its share of GC are held (12 bytes); digests for the search of duplicates
while there are at most ``MAX_DIGESTS`` records; headers of an even choice of records, and of those that
stand at an end of a distribution. So 100 MB of sequences take well under 200 MB.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import field
from itertools import chain, compress, repeat
from operator import mod, ne, sub, truediv

from mcpcompact.content.fasta.residues import BASE_PAIRS, GC, LOWER, UPPER, kind_of, ones, sums, total
from mcpcompact.content.fasta.sequences import Batch
from mcpcompact.outline import record
from mcpcompact.patterns import regex

_NEWLINE = 10

MAX_DIGESTS = 600_000
MAX_HELD = 4_000
ASKED = 8_192  # so many sequences are looked up before it is asked whether that pays
MAX_BEFORE = 200_000
MAX_DESCRIPTIONS = 20_000
MAX_WORDS, MAX_WIDTH, MAX_PLACES = 4_000, 24, 400  # different ones at a place; of a description; places in all
MAX_SHAPES, PATTERNED = 5_000, 1_000  # of ids; records after which it is known whether their ids have a pattern
ENDS = 64
KIND = 16
PHRED33, PHRED64, LEAST_SOLEXA, MOST_SANGER = 33, 64, ord(";"), ord("J")  # of qualities
STARTS, START = 200, 1_200  # of so few records so many of the first residues are shown, where room is left
WHOLE = 10_000_000  # residues of a single record, a genome of bacteria, of which also the end is shown

_Measured = tuple[list[int], list[int], list[int]]


@record
class Seen:
    """A record that is held: its 1-based number, header and length."""

    number: int
    header: str
    length: int


@record
class Survey:
    """Statistics over all records so far. ``finish`` closes the last record."""

    total: int = 0
    starts: list[bytes] = field(default_factory=list)  # the first residues of the first records; of a single one all
    lengths: array[int] = field(default_factory=lambda: array("q"))
    gc: array[float] = field(default_factory=lambda: array("f"))  # -1 where it has no meaning
    gc_residues: int = 0  # of nucleotide records: G, C and S
    nucleotides: int = 0  # … and all but gaps
    kinds: Counter[str] = field(default_factory=Counter)  # dna, rna, protein, empty
    kind_of: dict[str, list[Seen]] = field(default_factory=dict)  # the first few of each kind
    ambiguous: int = 0
    ambiguous_records: int = 0
    unread: dict[int, tuple[Seen, int]] = field(default_factory=dict)  # records that are a tenth ambiguous, or more
    unread_records: int = 0
    doubtful: dict[int, tuple[Seen, int]] = field(default_factory=dict)  # the first records with an ambiguous residue
    gaps: int = 0
    lower: int = 0  # records with lower-case residues
    lower_at: tuple[int, int, int] = (0, 0, 0)  # the first of them, its first and last lower-case residue
    invalid: dict[int, tuple[Seen, str]] = field(default_factory=dict)
    invalid_records: int = 0
    stops: dict[int, tuple[Seen, int, int]] = field(default_factory=dict)  # stop codons in a protein, the first one
    stop_records: int = 0
    held: list[Seen] = field(default_factory=list)
    stride: int = 1
    ends: dict[int, Seen] = field(default_factory=dict)  # by number: the shortest, longest, and ends of GC
    same_id: list[tuple[Seen, int]] = field(default_factory=list)
    same_ids: int = 0
    same_sequence: list[tuple[Seen, int]] = field(default_factory=list)
    same_sequences: int = 0
    descriptions: Counter[str] = field(default_factory=Counter)
    first: dict[str, tuple[int, str]] = field(default_factory=dict)  # description -> its first record's number and id
    words: dict[tuple[int, int], Counter[str] | None] = field(default_factory=dict)  # (words, position) -> counts
    word_at: dict[tuple[int, int], dict[str, tuple[int, str]]] = field(default_factory=dict)
    distinct: bool = True  # descriptions are counted whole
    id_shapes: Counter[str] = field(default_factory=Counter)
    id_first: dict[str, tuple[int, str]] = field(default_factory=dict)
    id_range: dict[str, list[str]] = field(default_factory=dict)
    id_pattern: bool = True  # False when every fourth id had a shape of its own: ranges are not followed then
    quality: array[float] = field(default_factory=lambda: array("f"))  # mean by record
    qualities: tuple[int, int] = (0, 0)  # their sum over all residues, and how many
    lowest: int = 255
    highest: int = 0
    low_quality: list[tuple[float, Seen]] = field(default_factory=list)
    _ordered: list[int] = field(default_factory=list)
    _ids: Keys = field(default_factory=lambda: Keys())
    _digests: Keys = field(default_factory=lambda: Keys())
    _before: dict[int, tuple[int, int, int]] | None = field(default_factory=dict)  # by hash: what is known of each
    _width: int = 0  # of sequence lines, where they are wrapped: the longest first line of the first batch
    _bounds: dict[str, tuple[list[float], list[float]]] = field(default_factory=dict)
    _ties: dict[tuple[str, float], int] = field(default_factory=dict)

    def ordered(self) -> list[int]:
        """The lengths, shortest first; made once, when all are known."""
        if len(self._ordered) != len(self.lengths):
            counts = sorted(Counter(self.lengths).items())
            self._ordered = list(chain.from_iterable(repeat(length, count) for length, count in counts))
        return self._ordered

    @property
    def offset(self) -> int:
        """What is taken from a character of quality: 64 in old Solexa and Illumina files, which have no sign below
        ``;`` and some above ``J``, else 33 (Cock et al. 2010, doi:10.1093/nar/gkp1137)."""
        return PHRED64 if self.lowest >= LEAST_SOLEXA and self.highest > MOST_SANGER else PHRED33

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
        empty = self.kind_of.get("empty", [])
        empty[:] = [seen for seen in empty if seen.number not in bare]
        for seen in [*self.held, *self.ends.values()] if bare else ():
            seen.length = bare.get(seen.number, seen.length)

    def add(self, batch: Batch) -> None:
        if batch.continues:
            self._extend(batch)
            return
        first = self.total + 1
        for at in range(min(len(batch.headers), STARTS - self.total)):
            self.starts.append(batch.head(at, START if self.total or len(batch.headers) > 1 else WHOLE))
        self.total += len(batch.headers)
        numbers = range(first, self.total + 1)
        written = batch.sequences if batch.wrapped else None
        if written and not self._width:
            self._width = max(1, *(lines.find(b"\n") for lines in written))
        measured = self._measure(batch.sequences, batch.wrapped)
        if measured is not None:
            lengths, strong, keys = measured
            known = lengths
            self._all_dna(batch, numbers, lengths)
        else:
            spaced = batch.spaced()
            residues = b"".join(batch.sequences)
            lengths = list(map(len, batch.sequences))
            sequences: Sequence[bytes] = batch.sequences
            if b"\1" in residues.translate(LOWER):
                cases = [(number, s.translate(LOWER)) for number, s in zip(numbers, sequences, strict=True)]
                places = [(n, case.find(b"\1") + 1, case.rfind(b"\1") + 1) for n, case in cases if b"\1" in case]
                self.lower_at = self.lower_at if self.lower else places[0]
                self.lower += len(places)
                sequences = [s.translate(UPPER) for s in sequences]
                residues, spaced = b"".join(sequences), True
            known = self._classify(batch, numbers, sequences)
            strong = sums(residues.translate(GC), lengths)
            keys = self._keys(sequences if spaced or written is None else written, lengths)
        self.lengths.extend(lengths)
        if all(known):
            shares = list(map(truediv, strong, known))
        else:
            shares = [gc / n if n else -1.0 for gc, n in zip(strong, known, strict=True)]
        self.gc.extend(shares)
        self.gc_residues += sum(compress(strong, known))
        self.nucleotides += sum(known)
        self._hold(batch, numbers, lengths)
        self._extremes("length", batch, numbers, lengths, lengths)
        self._extremes("gc", batch, numbers, shares, lengths)
        ids, texts = titles(batch.headers)
        self._shapes(ids, numbers)
        self._describe(texts, ids, numbers)
        if self.total <= MAX_DIGESTS:
            self.same_ids += _repeats(self._ids, list(map(hash, ids)), batch, numbers, lengths, ids, self.same_id)
            self.same_sequences += _repeats(self._digests, keys, batch, numbers, lengths, lengths, self.same_sequence)
        if batch.qualities is not None:
            self._qualities(batch, numbers, lengths)

    def _measure(self, sequences: list[bytes], wrapped: bool) -> _Measured | None:
        """Length, number of G and C, and key of each sequence, if they hold nothing but A, C, G and T; else None.

        Barcodes and reads often repeat: as long as at least one in eight does, what stood before is looked up.
        """
        before = self._before
        if before is None:
            return self._count(sequences, wrapped)
        hashes = list(map(hash, sequences))
        fresh = {key: sequence for key, sequence in zip(hashes, sequences, strict=True) if key not in before}
        found = self._count(list(fresh.values()), wrapped)
        if found is None:
            return None
        before.update(zip(fresh, zip(*found, strict=True), strict=True))
        if self.total >= ASKED and len(before) > min(MAX_BEFORE, self.total * 7 // 8):
            self._before = None
        lengths, strong, keys = map(list, zip(*map(before.__getitem__, hashes), strict=True))
        return lengths, strong, keys

    def _count(self, sequences: list[bytes], wrapped: bool) -> _Measured | None:
        joined = b"".join(sequences)
        pairs = joined.translate(BASE_PAIRS, b"\n" if wrapped else b"")
        if 2 in pairs:  # something else than A, C, G and T
            return None
        lengths, keys = self._lines(sequences, len(joined) - len(pairs) if wrapped else None)
        return lengths, sums(pairs, lengths), keys

    def _lines(self, sequences: list[bytes], breaks: int | None) -> tuple[list[int], list[int]]:
        """Lengths without line breaks, and keys; ``breaks`` are those in all, None where sequences come without.

        Where each full line ends in a break, and there are no others but the last, a block is measured at once.
        """
        sizes = list(map(len, sequences))
        if breaks is None:
            return sizes, self._keys(sequences, sizes)
        full = self._width + 1
        lines = [-(-size // full) for size in sizes]
        if sum(lines) == breaks and 1 not in map(mod, sizes, repeat(full)):  # 1: a blank line at the end
            behind = b"".join([sequence[full - 1 :: full] for sequence in sequences])
            if not behind.strip(b"\n"):
                return list(map(sub, sizes, lines)), list(map(hash, sequences))
        lengths = [size - sequence.count(b"\n") for sequence, size in zip(sequences, sizes, strict=True)]
        return lengths, self._keys(sequences, lengths)

    def _keys(self, sequences: Sequence[bytes], lengths: list[int]) -> list[int]:
        """Hashes of the sequences as lines of the file's width, which most are already.

        Uneven lines are noticed by their number and by the first of them.
        """
        width = self._width
        if not width:
            return list(map(hash, sequences))
        usual = [
            len(lines) == length + -(-length // width) and (length <= width or lines[width] == _NEWLINE)
            for lines, length in zip(sequences, lengths, strict=True)
        ]
        return [
            hash(lines if whole else _wrap(lines.replace(b"\n", b""), width))
            for lines, whole in zip(sequences, usual, strict=True)
        ]

    def _extend(self, batch: Batch) -> None:
        """The next part of a record that is longer than a block."""
        batch.spaced()
        part = batch.sequences[0].translate(UPPER)
        self.lengths[-1] += len(part)
        kind, ambiguous, gaps, _ = kind_of(part)
        self.ambiguous += ambiguous
        self.gaps += gaps
        if kind in ("dna", "rna", "either"):
            self.nucleotides += len(part) - gaps - part.count(b"N")
            self.gc_residues += ones(part, GC)
        for seen in (*self.held[-1:], *([self.ends[self.total]] if self.total in self.ends else [])):
            if seen.number == self.total:
                seen.length = self.lengths[-1]

    def _all_dna(self, batch: Batch, numbers: range, lengths: list[int]) -> None:
        pairs = zip(batch.sequences, lengths, strict=True)
        kinds = ["dna" if b"T" in sequence else "either" if length else "empty" for sequence, length in pairs]
        counts = Counter(kinds)
        self.kinds.update(counts)
        for kind in counts:
            some = self.kind_of.setdefault(kind, [])
            for i, found in enumerate(kinds if len(some) < KIND else ()):
                if found == kind and len(some) < KIND:
                    some.append(Seen(numbers[i], batch.headers[i], lengths[i]))

    def _classify(self, batch: Batch, numbers: range, sequences: Sequence[bytes]) -> list[int]:
        """Alphabet, ambiguous and invalid residues of each; returns the nucleotides that GC is a share of."""
        known = []
        for number, header, sequence in zip(numbers, batch.headers, sequences, strict=True):
            kind, ambiguous, gaps, invalid = kind_of(sequence)
            self.kinds[kind] += 1
            self.ambiguous += ambiguous
            self.ambiguous_records += ambiguous > 0
            self.gaps += gaps
            seen = Seen(number, header, len(sequence))
            some = self.kind_of.setdefault(kind, [])
            if len(some) < KIND:
                some.append(seen)
            if ambiguous and self.ambiguous_records <= KIND:
                self.doubtful[number] = (seen, ambiguous)
            if ambiguous * 10 >= len(sequence) > 0:
                self.unread_records += 1
                if len(self.unread) < ENDS:
                    self.unread[number] = (seen, ambiguous)
            if invalid:
                self.invalid_records += 1
                if len(self.invalid) < ENDS:
                    self.invalid[number] = (seen, invalid)
            if kind == "protein" and (inner := sequence[:-1].count(b"*")):
                self.stop_records += 1
                if len(self.stops) < ENDS:
                    self.stops[number] = (seen, inner, sequence.index(b"*") + 1)
            known.append(len(sequence) - gaps - sequence.count(b"N") if kind in ("dna", "rna", "either") else 0)
        return known

    def _hold(self, batch: Batch, numbers: range, lengths: list[int]) -> None:
        """Hold every ``stride``-th record; when they are too many, every second of them."""
        i = -(numbers[0] - 1) % self.stride if numbers else 0
        most = MAX_HELD if self.total <= 10 * MAX_HELD else MAX_HELD // 4
        while i < len(numbers):
            number = numbers[i]
            self.held.append(Seen(number, batch.headers[i], lengths[i]))
            if len(self.held) > most:
                self.held = self.held[::2]
                self.stride *= 2
            i += 1
            i += -(numbers[0] + i - 1) % self.stride

    def _extremes(self, what: str, batch: Batch, numbers: range, values: Sequence[float], lengths: list[int]) -> None:
        """Hold the records beyond the ``ENDS`` lowest and highest values so far."""
        lows, highs = self._bounds.setdefault(what, ([], []))
        full = len(lows) == ENDS
        low, high = (lows[-1], highs[0]) if full else (float("inf"), float("-inf"))
        if min(values) >= low and max(values) <= high:
            return
        found = [i for i, value in enumerate(values) if value < low or value > high]
        if not found:
            return
        ordered = sorted([values[i] for i in found])
        lows[:] = sorted([*lows, *ordered[:ENDS]])[:ENDS]
        highs[:] = sorted([*highs, *ordered[-ENDS:]])[-ENDS:]
        for i in found:
            if values[i] <= lows[-1] or values[i] >= highs[0]:
                some = self._ties.get((what, values[i]), 0)
                if some < ENDS:  # a thousand records of one length need not all be held
                    self._ties[what, values[i]] = some + 1
                    self.ends.setdefault(numbers[i], Seen(numbers[i], batch.headers[i], lengths[i]))

    def _shapes(self, ids: list[str], numbers: range) -> None:
        """Ids by shape (digits as 0), with the lowest and the highest of each shape."""
        if len(self.id_shapes) > MAX_SHAPES:
            return
        shapes = "\n".join(ids).translate(_DIGITS).split("\n")
        self.id_shapes.update(shapes)
        _first(self.id_first, shapes, list(zip(numbers, ids, strict=True)), len(self.id_shapes))
        if self.total >= PATTERNED and len(self.id_shapes) * 4 > self.total:
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

    def _describe(self, texts: list[str], ids: list[str], numbers: range) -> None:
        """Descriptions whole while few differ, then their words by place."""
        where = list(zip(numbers, ids, strict=True))
        if self.distinct:
            self.descriptions.update(texts)
            _first(self.first, texts, where, len(self.descriptions))
            if len(self.descriptions) <= MAX_DESCRIPTIONS:
                return
            self.distinct = False
            texts = list(self.descriptions.elements())
            where = [self.first[text] for text in texts]
            self.descriptions.clear()
            self.first.clear()
        rows = list(map(str.split, texts))
        widths = list(map(len, rows))
        for width in dict.fromkeys(widths):
            if 0 < width <= MAX_WIDTH and len(self.words) <= MAX_PLACES:
                wanted = [each == width for each in widths]
                self._places(width, list(compress(rows, wanted)), list(compress(where, wanted)))

    def _places(self, width: int, rows: list[list[str]], where: list[tuple[int, str]]) -> None:
        """Count the words of descriptions of ``width`` words by their place; no more where too many differ."""
        for place, column in enumerate(zip(*rows, strict=True)):
            counts = self.words.setdefault((width, place), Counter())
            if counts is None:
                continue
            counts.update(column)
            _first(self.word_at.setdefault((width, place), {}), column, where, len(counts))
            if len(counts) > MAX_WORDS:
                self.words[width, place] = None
                del self.word_at[width, place]

    def _qualities(self, batch: Batch, numbers: range, lengths: list[int]) -> None:
        joined = b"".join(batch.qualities or ())
        self.lowest = next((value for value in range(33, min(self.lowest, 127)) if value in joined), self.lowest)
        self.highest = next((value for value in range(126, max(self.highest, 32), -1) if value in joined), self.highest)
        means = [total(q) / len(q) if q else 0.0 for q in batch.qualities or ()]
        self.quality.extend(means)
        self.qualities = self.qualities[0] + total(joined), self.qualities[1] + len(joined)
        worst = sorted((mean, i) for i, mean in enumerate(means) if batch.qualities and batch.qualities[i])[:ENDS]
        self.low_quality += [(mean, Seen(numbers[i], batch.headers[i], lengths[i])) for mean, i in worst]
        self.low_quality.sort(key=lambda pair: (pair[0], pair[1].number))
        del self.low_quality[ENDS:]


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


def _first(
    known: dict[str, tuple[int, str]], values: Sequence[str], where: Sequence[tuple[int, str]], distinct: int
) -> None:
    """Note where values stand that are not ``known`` yet; there are some where there are more ``distinct`` ones."""
    if distinct > len(known):
        fresh = set(values).difference(known)
        for value, place in zip(values, where, strict=True):
            if value in fresh:
                known.setdefault(value, place)


class Keys:
    """Keys of all records so far, to find what stood before: 64-bit hashes, of which two different ones among
    600,000 collide with a chance below 10⁻⁷. Where a key stood is looked up only once one is repeated."""

    __slots__ = ("_distinct", "_places", "_runs")

    def __init__(self) -> None:
        self._distinct: set[int] = set()
        self._runs: list[list[int]] = []
        self._places: dict[int, int] = {}

    def add(self, keys: list[int], numbers: range) -> list[int]:
        """Take in the keys of records ``numbers``; the number each stood at first, nothing when all are new."""
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


def _repeats(
    seen: Keys,
    keys: list[int],
    batch: Batch,
    numbers: range,
    lengths: list[int],
    values: Sequence[str] | Sequence[int],
    found: list[tuple[Seen, int]],
) -> int:
    """Count the records whose key stood before; the first ``ENDS`` of them with the number it stood at.

    Records whose value is empty (or 0 long) do not count: they are said as such.
    """
    firsts = seen.add(keys, numbers)
    if len(found) == ENDS and all(values):
        return sum(map(ne, firsts, numbers))
    repeated = 0
    for i, first in enumerate(firsts):
        if first != numbers[i] and values[i]:
            repeated += 1
            if len(found) < ENDS:
                found.append((Seen(numbers[i], batch.headers[i], lengths[i]), first))
    return repeated


def _wrap(sequence: bytes, width: int) -> bytes:
    """A sequence as lines, each ended."""
    return b"".join([sequence[i : i + width] + b"\n" for i in range(0, len(sequence), width)])
