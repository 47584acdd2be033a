"""Readers of sequence formats: FASTA and FASTQ in blocks, the others through Biopython.

Each reader yields batches of whole records; residues come without white space. A record longer than
``HUGE`` bytes comes in several batches, the later ones with ``continues`` set, so memory stays bounded."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from itertools import chain
from typing import Any

from mcpcompact.content.fasta.features import FEW, FEW_FEATURES, Feature, line_of, said, telling
from mcpcompact.content.fasta.residues import in_colours
from mcpcompact.errors import InputError
from mcpcompact.outline import record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped
from mcpcompact.source import Source, decode

_NEWLINE = 10
_QUALITY_MOST = 126
_QUALITY_LEAST = 33
_BATCH = 4096  # records that are handed on at once
FLAT = ("genbank", "embl", "swiss")  # formats of entries, each from its opening line to `//`

BLOCK = 512 * 1024  # small enough for the cache
MAX_FEATURES = 8_000  # held to be shown; all are counted
HUGE = 32 * 1024 * 1024
_SPACE = b" \t\v\f\n"
_BOM = b"\xef\xbb\xbf"
_NO_QUALITY = bytes(not _QUALITY_LEAST <= byte <= _QUALITY_MOST for byte in range(256))
_CR = regex(rb"\r\n?")


@record
class Batch:
    """Consecutive records: ``headers`` without ``>`` or ``@``, ``sequences`` without line breaks."""

    headers: list[str]
    sequences: list[bytes]
    qualities: list[bytes] | None = None
    continues: bool = False  # the first sequence goes on with the last record of the batch before

    def drop_spaces(self) -> None:
        residues = b"".join(self.sequences)
        if any(space in residues for space in (b" ", b"\t", b"\v", b"\f")):
            self.sequences = [sequence.translate(None, _SPACE) for sequence in self.sequences]


@record
class Reading:
    """What a reader noticed beside the records, for the outline to say."""

    preamble: int = 0  # non-blank lines before the first record that are no comment
    comments: int = 0  # lines that start with ";", "#" or "!"
    broken: dict[int, str] = field(default_factory=dict)  # record number -> what is wrong with it
    notes: list[str] = field(default_factory=list)
    features: Counter[str] = field(default_factory=Counter)  # of GenBank and EMBL records
    named: list[tuple[int, str, str, str]] = field(default_factory=list)
    """Record, name, a feature, paper, comment or lineage (in short, and what else it says)."""
    said: Counter[str] = field(default_factory=Counter)  # papers, comments and lineages
    left: Counter[str] = field(default_factory=Counter)  # qualifiers that their features are told without at first
    molecules: Counter[str] = field(default_factory=Counter)  # as records name them: "mRNA"
    bare: dict[int, int] = field(default_factory=dict)  # records that give their length only: number -> length
    width: int = 0  # residues of a line that is shown as it stands, so that it can be searched for
    seen: int = 0  # records read so far, but of FASTA
    lower: bool = False  # GenBank and EMBL: residues are in lower case, of which Biopython makes capitals


# -- FASTA ------------------------------------------------------------------------------------


def fasta(source: Source, reading: Reading) -> Iterator[Batch]:
    """FASTA records. ``;`` comments, blank lines, CR and CRLF are understood; spaces in residues are dropped.

    Raises ``InputError`` when no line starts with ``>``."""
    started = continues = False
    for data, whole in _at_records(source):
        if b"\r" in data:
            data = _CR.sub(b"\n", data)
        if not started:
            data = data.removeprefix(_BOM)
            data = _skip_preamble(data, reading)
            if not data:
                continue
            started = True
        if any(mark in data and (data[:1] == mark or b"\n" + mark in data) for mark in (b";", b"#", b"!")):
            data = _drop_comments(data, reading)
        yield from _split(data, continues)
        continues = not whole
    if not started:
        raise InputError("no line starts with '>': this is not FASTA", hint="name the type with --type")


def _at_records(source: Source) -> Iterator[tuple[bytes, bool]]:
    """Blocks that start at a record (but for the first) and whether they end at one's end."""
    held: list[bytes] = []
    size = 0
    line_start = True
    for block in source.chunks(BLOCK):
        cut = block.rfind(b"\n>") + 1
        if cut or (line_start and block[:1] == b">"):
            head = b"".join([*held, memoryview(block)[:cut]])
            if head:
                yield head, True
            held, size = [block[cut:]], len(block) - cut
        else:
            held.append(block)
            size += len(block)
            if size > HUGE:
                data = b"".join(held)
                cut = data.rfind(b"\n") + 1 or size
                yield data[:cut], False
                held, size = [data[cut:]], size - cut
        line_start = block.endswith(b"\n")
    if size:
        yield b"".join(held), True


def _skip_preamble(data: bytes, reading: Reading) -> bytes:
    start = 0 if data.startswith(b">") else data.find(b"\n>") + 1 or len(data)
    text = _drop_comments(data[:start], reading)
    reading.preamble += sum(bool(line.strip()) for line in text.split(b"\n"))
    return data[start:]


def _is_comment(line: bytes) -> bool:
    """``;`` as Pearson had it; ``#`` and ``!`` as BLAST allows, but only with words: else they are damage."""
    return line[:1] == b";" or (line[:1] in (b"#", b"!") and b" " in line.strip())


def _drop_comments(data: bytes, reading: Reading) -> bytes:
    lines = data.split(b"\n")
    kept = [line for line in lines if not _is_comment(line)]
    reading.comments += len(lines) - len(kept)
    return b"\n".join(kept)


def _split(data: bytes, continues: bool) -> Iterator[Batch]:
    if continues:
        start = 0 if data.startswith(b">") else data.find(b"\n>") + 1 or len(data)
        yield Batch([], [data[:start].replace(b"\n", b"")], continues=True)
        data = data[start:]
    if not data:
        return
    if not data.endswith(b"\n"):
        data += b"\n"
    heads, sequences, find, start = list[bytes](), list[bytes](), data.find, 0
    while start >= 0:
        start += 1
        title = find(b"\n", start)
        end = find(b">", title)  # quicker than finding "\n>"
        while end > 0 and data[end - 1] != _NEWLINE:  # a ">" among residues
            end = find(b">", end + 1)
        heads.append(data[start:title])
        sequences.append(data[title + 1 : end if end > 0 else None].replace(b"\n", b""))
        start = end
    yield Batch(b"\n".join(heads).decode("utf-8", "replace").split("\n"), sequences)


# -- FASTQ ------------------------------------------------------------------------------------


def fastq(source: Source, reading: Reading) -> Iterator[Batch]:
    """FASTQ records, four lines each or wrapped; a record whose parts do not fit is noted as broken."""
    rest, blocks = b"", source.blocks(4 * BLOCK)
    for number, block in enumerate(chain(blocks, (b"",))):
        data = rest + block
        if b"\r" in data:
            data = _CR.sub(b"\n", data)
        if not number:
            data = data.removeprefix(_BOM).lstrip(b"\n")
        lines = data.split(b"\n")
        ended = len(lines) - (bool(block) or not lines[-1])  # the last may go on in the next block
        whole = ended // 4 * 4
        batch = _four_lines(lines[:whole])
        if batch is None:
            yield from _wrapped(data, blocks, reading)
            return
        reading.seen += len(batch.headers)
        if batch.headers:
            yield batch
        rest = b"\n".join(lines[whole:])
    if rest.strip(b"\n"):
        yield from _wrapped(rest, iter(()), reading)


def _four_lines(lines: list[bytes]) -> Batch | None:
    heads, sequences, plus, qualities = lines[0::4], lines[1::4], lines[2::4], lines[3::4]
    good = (
        all(head[:1] == b"@" for head in heads)
        and all(line == b"+" or line == b"+" + head[1:] for line, head in zip(plus, heads, strict=True))
        and list(map(len, sequences)) == list(map(len, qualities))
        and b"\1" not in b"".join(qualities).translate(_NO_QUALITY)
    )
    return Batch([decode(head[1:]) for head in heads], sequences, qualities) if good else None


def _wrapped(data: bytes, blocks: Iterator[bytes], reading: Reading) -> Iterator[Batch]:
    """The general reader, line by line."""
    heads: list[str] = []
    sequences: list[bytes] = []
    qualities: list[bytes] = []
    for title, residues, plus, values in fastq_parts(_lines(data, blocks)):
        if not title:
            reading.preamble += bool(b"".join(residues).strip())
            continue
        head, sequence, quality = decode(title[0][1:]), b"".join(residues), b"".join(values)
        reading.seen += 1
        if wrong := _wrong(head, sequence, plus, quality):
            reading.broken[reading.seen] = wrong
        heads.append(head)
        sequences.append(sequence.translate(None, _SPACE))
        qualities.append(quality)
        if len(heads) >= _BATCH:
            yield Batch(heads, sequences, qualities)
            heads, sequences, qualities = [], [], []
    if heads:
        yield Batch(heads, sequences, qualities)


def _lines(rest: bytes, blocks: Iterator[bytes]) -> Iterator[bytes]:
    for block in chain((b"",), blocks):
        *lines, rest = (rest + block.replace(b"\r", b"")).split(b"\n")
        yield from lines
    if rest:
        yield rest


def fastq_parts(lines: Iterator[bytes]) -> Iterator[tuple[list[bytes], list[bytes], list[bytes], list[bytes]]]:
    """Of each record the lines of its title, its residues (to the line that begins with ``+``), that line, and as many
    quality values; the last may be cut off anywhere. A line of no record stands alone, without a title."""
    line = next(lines, None)
    while line is not None:
        if line.removeprefix(_BOM)[:1] != b"@":
            yield [], [line], [], []
            line = next(lines, None)
            continue
        title, residues, plus, values, got = [line], list[bytes](), list[bytes](), list[bytes](), 0
        while (line := next(lines, None)) is not None and line[:1] != b"+":
            residues.append(line)
        size = sum(len(part.strip(b"\r\n")) for part in residues)
        if line is not None:
            plus, line = [line], next(lines, None)
        while line is not None and got <= size and (got < size or not line.strip(b"\r\n")):
            quality = line.strip(b"\r\n")
            if quality[:1] == b"@" and got and got + len(quality) > size:
                break  # the next record: this one's quality is short
            values.append(line)
            got += len(quality)
            line = next(lines, None)
        yield title, residues, plus, values


def _wrong(head: str, sequence: bytes, plus: list[bytes], quality: bytes) -> str:
    """What is wrong with a record, empty for nothing."""
    if not plus:
        return "ends without quality"
    if len(quality) != len(sequence) and not (in_colours(sequence) and len(quality) == len(sequence) - 1):
        return f"{len(sequence)} residues but {len(quality)} quality values"
    if quality and not _QUALITY_LEAST <= min(quality) <= max(quality) <= _QUALITY_MOST:
        return "invalid quality character"
    if sequence.translate(None, _SPACE) != sequence:
        return "white space in the sequence"
    return "" if plus[0][1:].strip() in (b"", head.encode().strip()) else "the title after + differs"


# -- the other formats --------------------------------------------------------------------------


def biopython(source: Source, format_name: str, reading: Reading) -> Iterator[Batch]:
    """GenBank, EMBL, Swiss-Prot, alignments: each record's annotations become ``key=value`` words of its header."""
    import warnings

    if source.large:
        stream = _Stream(open(source.path or "", "rb"), "utf-8", "replace")  # noqa: SIM115
    else:
        data = source.text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        stream = _Stream(io.BytesIO(data), "utf-8", "surrogatepass", "\n")
        written = _ORIGIN.findall(source.text)
        if format_name in FLAT and not source.text.rstrip().endswith("//"):
            reading.notes.append("its last record lacks the // that ends one")
        reading.lower = bool(written) and all(map(str.islower, written))
    with stream, warnings.catch_warnings(action="ignore"):
        try:
            for record, features, empty in _records(stream, format_name):
                reading.seen += 1
                reading.notes += [f"record {reading.seen:,}: {', '.join(empty)} without a value"] if empty else []
                batch = _batch_of(record, features, reading)
                del reading.notes[_NOTES:]
                yield batch
        except Exception as error:  # Biopython raises whatever a malformed record leads to
            words = " ".join(str(error).split())[:160]
            if not reading.seen:
                raise InputError(f"not readable as {format_name}: {words}") from None
            reading.notes.append(f"what follows record {reading.seen:,} does not parse as {format_name}: {words}")
    if not reading.seen:
        raise InputError(f"no {format_name} record found")
    named = None if source.large else _LOCI.search(source.text, 0, _TITLE)
    if named and named[1] != f"{reading.seen:,}":
        reading.notes.append(f"its title names {named[1]} loci, of which {reading.seen:,} are here")


class _Stream(io.TextIOWrapper):
    """Text that fails when asked for lines behind its end for ever, as Biopython's reader of CLUSTAL does."""

    behind = 0

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
        line = super().readline(size)
        self.behind = 0 if line else self.behind + 1
        if self.behind > _BEHIND:
            raise EOFError("it ends within a record")
        return line


_ORIGIN = regex(r"^(?:ORIGIN|SQ  ).*\r?\n +(?:\d+ +)?([A-Za-z]+)", re.MULTILINE)
_EMPTY = regex(r"(DEFINITION|ACCESSION|VERSION|AC|DE) *[.;]?")
_BEHIND = 1_000  # lines asked for behind the end
_KEYWORDS = 120  # characters
_LOCI = regex(r"^\s*([\d,]+) loci,", re.MULTILINE)
_TITLE = 2_000  # characters of a release file
_NOTES = 5  # of what is wrong in single records


def _records(stream: Any, format_name: str) -> Iterator[tuple[Any, list[Feature], list[str]]]:
    """Records, their features, and which of the fields that each must have are empty; locations as in the file."""
    from Bio import SeqIO
    from Bio.GenBank import Scanner

    if format_name not in ("genbank", "embl"):
        for record in SeqIO.parse(stream, format_name):  # type: ignore[no-untyped-call]
            yield record, [_feature_of(each) for each in record.features], []
        return
    base: Any = Scanner.GenBankScanner if format_name == "genbank" else Scanner.EmblScanner

    class Tables(base):  # type: ignore[misc]
        features: list[Feature]
        empty: list[str]
        header: list[str]

        def parse_header(self) -> list[str]:
            header: list[str] = super().parse_header()
            self.empty = [match[1] for line in header if (match := _EMPTY.fullmatch(line.rstrip()))]
            self.header = header
            return header

        def parse_features(self, skip: bool = False) -> list[Feature]:
            self.features = super().parse_features(skip)
            return self.features

    scanner = Tables()
    for record in scanner.parse_records(stream):
        record.annotations["said"] = [*said(record.annotations, scanner.header, scanner.HEADER_WIDTH)]
        yield record, scanner.features, scanner.empty


def _feature_of(feature: Any) -> Feature:
    first, last = (str(place) for place in (feature.location.start + 1, feature.location.end))
    qualifiers = [(key, value) for key, value in feature.qualifiers.items() if isinstance(value, str)]
    return feature.type, first if first == last else f"{first}..{last}", qualifiers


def _batch_of(record: Any, features: list[Feature], reading: Reading) -> Batch:
    words = [record.id or "?"]
    if record.description and not record.description.startswith("<unknown"):
        words.append(record.description.removeprefix(words[0]))  # of an alignment it is the name again
    for key in ("organism", "molecule_type", "topology", "data_file_division", "date", "db_source"):
        value = record.annotations.get(key)
        if isinstance(value, str) and value.strip(" ."):
            words.append(f"{key}={clipped(value, _KEYWORDS)}")
    if record.name and record.name not in (*words[:1], "<unknown name>") and not words[0].startswith(f"{record.name}."):
        words.append(f"name={record.name}")
    if number := record.annotations.get("gi"):
        words.append(f"gi={number}")
    if keywords := "; ".join(filter(None, record.annotations.get("keywords", ()))):
        words.append(f"keywords={clipped(keywords, _KEYWORDS)}")
    lines = record.annotations.get("said", ())
    reading.said.update(line.partition(" ")[0].lower() for line in lines)
    reading.named += [(reading.seen, "", line, "") for line in lines if reading.seen <= FEW]
    reading.molecules[record.annotations.get("molecule_type", "")] += 1
    reading.features.update(key for key, _, _ in features)
    room = max(0, MAX_FEATURES - len(reading.named))
    many = len(features) > FEW_FEATURES
    reading.named += [(reading.seen, *line_of(each, reading.left, many)) for each in telling(features)[:room]]
    try:
        sequence = bytes(record.seq)
    except Exception:  # a record that gives its length only (CONTIG)
        sequence = b""
        reading.bare[reading.seen] = len(record.seq or "")
        reading.notes.append(f"record {reading.seen:,} ({record.id}) gives its length only, no residues")
    return Batch([" ".join(" ".join(words).split())], [sequence.translate(None, _SPACE)])


_OPENINGS = (
    (regex(r"LOCUS {3,}\S"), "genbank"),
    (regex(r"ID {3}\S+ +\S.*\b\d+ AA\."), "swiss"),
    (regex(r"ID {3}\S.*\b(?:BP|AA)\.|ID {3}\S+;"), "embl"),
    (regex(r"CLUSTAL\b"), "clustal"),
    (regex(r"# STOCKHOLM 1\.0"), "stockholm"),
    (regex(r"#NEXUS\b", re.IGNORECASE), "nexus"),
    (regex(r"(?s:.*?)^LOCUS {3,}\S.*\nDEFINITION ", re.MULTILINE), "genbank"),  # behind a release file's title
)


def format_of(head: str) -> str:
    """The format that the opening of a text shows: ``fasta``, ``fastq``, a Biopython format, or empty."""
    start = head.lstrip("\ufeff\r\n \t")[:4096]
    for pattern, name in _OPENINGS:
        if pattern.match(start):
            return name
    if start.startswith("@") and "\n+" in head[:1_000_000]:
        return "fastq"
    return "fasta" if start[:1] in (">", ";") or "\n>" in head else ""
