"""The records of sequence formats, verbatim where they stand in one piece, numbered as the summary numbers them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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
        yield from _opened(lines, lambda line: line[:1] == b">")
    else:
        for batch in biopython(source, kind, Reading()):
            for header, sequence in zip(batch.headers, batch.sequences, strict=True):
                folded = b"".join(sequence[at : at + _WIDTH] + b"\n" for at in range(0, len(sequence), _WIDTH))
                yield 0, b">" + header.encode() + b"\n" + folded


def named(raw: bytes) -> tuple[str, list[str]]:
    """The id of an entry of a flat file as the summary says it, and all the names it goes by."""
    text = decode(raw)
    names = re.findall(r"^(?:LOCUS|VERSION|ACCESSION|ID|AC|SV)[ \t]+([^\s;]+)", text, re.M)
    if version := re.match(r"\s*ID   (\S+); SV (\d+);", text):
        names.insert(0, f"{version[1]}.{version[2]}")  # as Biopython puts it together
    said = re.findall(r"^VERSION[ \t]+(\S+)", text, re.M)
    return (said or names or [""])[0], names


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


def _opened(lines: Lines, opens: Callable[[bytes], Any]) -> Iterator[Record]:
    """Records that each begin with a line that opens one; what stands before the first belongs to none."""
    at, held = -1, list[bytes]()
    for offset, line in lines:
        if opens(line.removeprefix(b"\xef\xbb\xbf") if not offset else line):
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
