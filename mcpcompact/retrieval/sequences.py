"""The records of sequence formats, verbatim where they stand in one piece, numbered as the summary numbers them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from mcpcompact.content.fasta.sequences import FLAT, Reading, biopython, fastq_parts, format_of
from mcpcompact.source import Source, decode

_OPENING = re.compile(rb"LOCUS {3,}\S|ID {3}\S")
_WIDTH = 60

Lines = Iterator[tuple[int, bytes]]  # offsets and lines
Record = tuple[int, bytes]  # its offset, its bytes


def kind_of(source: Source) -> str:
    """The sequence format of a source, ``fasta`` where nothing else shows."""
    return format_of(decode(source.read(0, 1 << 16))) or "fasta"


def records(source: Source, lines: Lines) -> Iterator[Record]:
    """Every record, as the summary counts them: an entry or a FASTA or FASTQ record as it stands; of an alignment,
    whose sequences stand in pieces, each as a FASTA record."""
    kind, lines = kind_of(source), _by_return(lines)
    if kind in FLAT:
        yield from _entries(lines)
    elif kind == "fastq":
        yield from _fastq(lines)
    elif kind == "fasta":
        yield from _headed(lines)
    else:
        for batch in biopython(source, kind, Reading()):
            for header, sequence in zip(batch.headers, batch.sequences, strict=True):
                folded = b"".join(sequence[at : at + _WIDTH] + b"\n" for at in range(0, len(sequence), _WIDTH))
                yield 0, b">" + header.encode() + b"\n" + folded


def fields(raw: bytes) -> dict[str, Any]:
    """A record as fields; its ``id`` is the one that the summary says, ``ids`` are all the names it goes by."""
    if raw.lstrip().startswith((b"LOCUS ", b"ID   ")):
        return _entry_fields(decode(raw))
    header, _, body = decode(raw).partition("\n")
    header = header.strip()[1:].strip()
    sequence = body.split("\n")[0].strip() if raw[:1] == b"@" else re.sub(r"\s+|^;.*$", "", body, flags=re.M)
    name, description = (*header.split(None, 1), "", "")[:2]
    ids = [part for part in name.split("|") if part]  # "sp|P12345|NAME" and "COI_7|Musca domestica" go by each part
    return {"id": name, "description": description.strip(), "length": len(sequence), "sequence": sequence, "ids": ids}


def _entry_fields(text: str) -> dict[str, Any]:
    """The same of a GenBank, EMBL or Swiss-Prot entry."""
    body = re.split(r"^(?:ORIGIN|SQ ).*\n", text, maxsplit=1, flags=re.M)
    sequence = re.sub(r"[^A-Za-z]", "", body[1]) if len(body) > 1 else ""
    match = re.search(r"^(?:DEFINITION|DE)[ \t]+(.*)", text, re.M)
    description = match[1].strip() if match else ""
    length = re.search(r"\b(\d+) (?:bp|aa|BP|AA)\b", text[:300])
    size = len(sequence) or (int(length[1]) if length else 0)
    ids = re.findall(r"^(?:LOCUS|VERSION|ACCESSION|ID|AC|SV)[ \t]+([^\s;]+)", text, re.M)
    if version := re.match(r"\s*ID   (\S+); SV (\d+);", text):
        ids.insert(0, f"{version[1]}.{version[2]}")  # as Biopython puts it together
    name = (re.findall(r"^VERSION[ \t]+(\S+)", text, re.M) or ids or [""])[0]
    return {"id": name, "description": description, "length": size, "sequence": sequence, "ids": ids}


def in_one_piece(source: Source) -> bool:
    """Whether the records stand in the source as they are given."""
    return kind_of(source) in ("fasta", "fastq", *FLAT)


def _by_return(lines: Lines) -> Lines:
    """Lines that end in a lone carriage return, as on an old Mac, told apart too."""
    for offset, line in lines:
        if b"\r" not in line[:-2]:
            yield offset, line
            continue
        for part in re.split(rb"(?<=\r)(?!\n)", line):
            yield offset, part
            offset += len(part)


def _headed(lines: Lines) -> Iterator[Record]:
    """Records of FASTA, each from its header on; what stands before the first belongs to none."""
    at, held = -1, list[bytes]()
    for offset, line in lines:
        if line.startswith(b">" if offset else (b">", b"\xef\xbb\xbf>")):
            if at >= 0:
                yield at, b"".join(held)
            at, held = offset, []
        if at >= 0:
            held.append(line)
    if at >= 0:
        yield at, b"".join(held)


def _entries(lines: Lines) -> Iterator[Record]:
    at, held = -1, list[bytes]()
    for offset, line in lines:
        if at < 0 and not _OPENING.match(line):
            continue  # the title of a release file, blank lines
        at = offset if at < 0 else at
        held.append(line)
        if line.rstrip() == b"//":
            yield at, b"".join(held)
            at, held = -1, []
    if held:
        yield at, b"".join(held)


def _fastq(lines: Lines) -> Iterator[Record]:
    at = 0
    for title, *parts in fastq_parts(line for _, line in lines):
        raw = b"".join(chain(title, *parts))
        if title:
            yield at, raw
        at += len(raw)
