"""Sequences: FASTA and FASTQ by our own readers, GenBank, EMBL, Swiss-Prot and alignments through Biopython."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Lossless, Outline
from mcpcompact.source import Source

if TYPE_CHECKING:
    from mcpcompact.content.fasta.sequences import Batch, Reading

_LOSSLESS_LIMIT = 1_000_000  # bytes


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
    outline = _surveyed(batches, reading, kind or "fasta")
    if kind == "fasta" and source.size <= _LOSSLESS_LIMIT:
        joined = unwrap_lines(source.text)
        if joined is not None:
            outline.lossless.append(Lossless("sequence lines joined", lambda: joined, len(joined)))
    return outline


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


_JOINED = "[sequence lines joined; they were wrapped at {width}]\n"


def unwrap_lines(text: str) -> str | None:
    """Wrapped sequence lines joined, when ``rewrap_lines`` gives back the same text; else None."""
    width = max((len(line) for line in text.split("\n") if not line.startswith(">")), default=0)
    if not width or "\r" in text or not text.startswith(">"):
        return None
    parts = [record.partition("\n") for record in text[1:].split("\n>")]
    records = [f">{title}\n{body.replace(chr(10), '')}" for title, _, body in parts]
    joined = _JOINED.format(width=width) + "\n".join(records) + ("\n" if text.endswith("\n") else "")
    return joined if rewrap_lines(joined) == text else None


def rewrap_lines(joined: str) -> str:
    """The inverse of ``unwrap_lines``."""
    head, _, text = joined.partition("\n")
    width = int(head.rstrip("]").rpartition(" ")[2])
    lines: list[str] = []
    for line in text.split("\n"):
        size = len(line) if line.startswith(">") else width
        lines += [line[i : i + size] for i in range(0, len(line), size)] or [""]
    return "\n".join(lines)
