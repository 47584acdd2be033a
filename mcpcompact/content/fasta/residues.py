"""What stands in sequences, as bytes methods count it: alphabets, ambiguous residues, G and C."""

from __future__ import annotations

import zlib
from collections import Counter
from itertools import accumulate, pairwise

_DELETE = 127
_SPACE = 32

LOWER = bytes(chr(b).islower() for b in range(128)) + bytes(128)
_NUCLEIC = b"ACGTUNRYSWKMBDHVX-.~"
_PROTEIN = bytes(range(65, 91)) + b"*-.~"
BASE_PAIRS = bytes(b"ATCG".find(b) // 2 % 3 for b in range(256))  # 0 of A and T, 1 of C and G, 2 of others
GC = bytes(b in b"GCS" for b in range(256))
_BASES = bytes(b in b"ACGTUN" for b in range(256))
_AMBIGUOUS = bytes(b in b"NRYKMBDHVXSW" for b in range(256))
_COLOURS = b"0123."
_SUM_LIMIT = 65_521  # adler32's modulus: below it the low half is an exact sum


def kind_of(sequence: bytes) -> tuple[str, int, int, str]:
    """dna, rna, either of them (no T, no U), colours, protein or empty; ambiguous residues, gaps, invalid characters.
    Upper case is expected."""
    if not sequence:
        return "empty", 0, 0, ""
    if in_colours(sequence):
        return "colours", sequence.count(b"."), 0, ""
    gaps = sequence.count(b"-") + sequence.count(b".") + sequence.count(b"~")
    bases = ones(sequence, _BASES)
    ambiguous = ones(sequence, _AMBIGUOUS)
    known = max(1, len(sequence) - gaps)
    nucleic = bases >= 0.85 * known or (bases + ambiguous - sequence.count(b"N") >= known and bases >= 0.5 * known)
    invalid = ""
    if strange := sequence.translate(None, _NUCLEIC if nucleic else _PROTEIN):
        invalid = " ".join(f"{_shown(byte)}×{n:,}" for byte, n in sorted(Counter(strange).items())[:5])
    if nucleic:
        kind = "dna" if b"T" in sequence else "rna" if b"U" in sequence else "either"
        return kind, ambiguous, gaps, invalid
    return "protein", sequence.count(b"X"), gaps, invalid


def ambiguous_ends(sequence: bytes, kind: str) -> tuple[int, int]:
    """The first and the last ambiguous residue, from 1."""
    letter = {"protein": b"X", "colours": b"."}.get(kind, b"\1")
    marks = sequence.translate(_AMBIGUOUS) if letter == b"\1" else sequence
    return marks.find(letter) + 1, marks.rfind(letter) + 1


def in_colours(sequence: bytes) -> bool:
    """Whether it is a read in colour space (SOLiD): a base of the primer, then 0 to 3 for each two bases."""
    return sequence[1:2].isdigit() and sequence[:1] in b"ACGT" and not sequence[1:].translate(None, _COLOURS)


def _shown(byte: int) -> str:
    return chr(byte) if _SPACE < byte < _DELETE else f"0x{byte:02x}"


def ones(sequence: bytes, table: bytes) -> int:
    """How many bytes the 0/1 table marks."""
    return total(sequence.translate(table), _SUM_LIMIT - 1)


def total(values: bytes | memoryview, step: int = 256) -> int:
    """The sum of bytes: the low half of adler32, started at 0, in pieces (``step``) with sums below its modulus."""
    return sum(zlib.adler32(values[i : i + step], 0) & 0xFFFF for i in range(0, len(values), step))


def sums(marks: bytes, lengths: list[int]) -> list[int]:
    """The sums of joined runs of these lengths, of bytes that are 0 or 1."""
    view, adler = memoryview(marks), zlib.adler32
    runs = [view[start:end] for start, end in pairwise(accumulate(lengths, initial=0))]
    if max(lengths, default=0) < _SUM_LIMIT:
        return [adler(run, 0) & 0xFFFF for run in runs]
    return [total(run, _SUM_LIMIT - 1) for run in runs]
