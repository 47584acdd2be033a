"""Sequences: FASTA and FASTQ by our own readers, GenBank, EMBL, Swiss-Prot and alignments through Biopython."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Outline
from mcpcompact.source import Source

if TYPE_CHECKING:
    from mcpcompact.content.fasta.sequences import Batch, Reading


def outline(source: Source, hints: Hints) -> Outline:
    from mcpcompact.content.fasta import sequences
    from mcpcompact.source import decode

    kind = sequences.format_of(decode(source.read(0, 1 << 16)))
    if not kind and source.size > 1 << 16 and not source.large and "\n>" in source.text:
        kind = "fasta"
    reading = sequences.Reading()
    if kind == "fastq":
        batches = sequences.fastq(source, reading)
    elif kind in ("", "fasta"):
        batches = sequences.fasta(source, reading)
    else:
        batches = sequences.biopython(source, kind, reading)
    return _surveyed(batches, reading, kind or "fasta")


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Records: to the line before the next ``>``; four lines for FASTQ; to ``//`` for flat files."""
    from mcpcompact.content.fasta.sequences import format_of

    kind = format_of(text[: 1 << 16])
    if kind == "fastq":
        yield from _fastq_spans(text)
        return
    mark = "\n//\n" if kind in ("genbank", "embl", "swiss") else "\n>"
    shift = len(mark) if mark != "\n>" else 1
    start = 0
    while (at := text.find(mark, start)) >= 0:
        yield start, at + shift
        start = at + shift
    if start < len(text):
        yield start, len(text)


def _surveyed(batches: Iterator[Batch], reading: Reading, kind: str) -> Outline:
    from mcpcompact.content.fasta.survey import Survey
    from mcpcompact.content.fasta.surveyed import build

    survey = Survey()
    for batch in batches:
        survey.add(batch)
    if not survey.total:
        raise InputError("no sequence record found", hint="name the type with --type")
    return build(survey, reading, kind)


def _fastq_spans(text: str) -> Iterator[tuple[int, int]]:
    start = at = lines = 0
    while (end := text.find("\n", at)) >= 0:
        at = end + 1
        lines += 1
        if lines % 4 == 0 and text[at : at + 1] in ("@", ""):
            yield start, at
            start = at
    if start < len(text):
        yield start, len(text)
