"""Sequences: FASTA and FASTQ by our own readers, GenBank, EMBL, Swiss-Prot and alignments through Biopython."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, pairwise

from mcpcompact.content.fasta import sequences
from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Lossless, Outline
from mcpcompact.source import Source, decode

_LOSSLESS_LIMIT = 1_000_000  # bytes
_HEAD = 1 << 16  # bytes or characters that show the format
_WIDEST, _ASIDE = 120, (">", ";", "#", "!")  # characters of a line; how those begin that hold no residues


def outline(source: Source, hints: Hints) -> Outline:
    from mcpcompact.content.fasta.survey import Survey
    from mcpcompact.content.fasta.surveyed import build

    kind = sequences.format_of(head := decode(source.read(0, _HEAD)))
    if not kind and source.size > _HEAD and not source.large and "\n>" in source.text:
        kind = "fasta"
    width = max((len(line.rstrip()) for line in head.split("\n") if line[:1] not in _ASIDE), default=0)
    reading, survey = sequences.Reading(width=width * (kind == "fasta" and width <= _WIDEST)), Survey()
    own = {"": sequences.fasta, "fasta": sequences.fasta, "fastq": sequences.fastq}.get(kind)
    for batch in own(source, reading) if own else sequences.biopython(source, kind, reading):
        survey.add(batch)
    if not survey.total:
        raise InputError("no sequence record found", hint="name the type with --type")
    outline = build(survey, reading, kind or "fasta")
    if kind == "fasta" and source.size <= _LOSSLESS_LIMIT:
        joined = unwrap_lines(source.text)
        if joined is not None:
            outline.lossless.append(Lossless("sequence lines joined", lambda: joined, len(joined)))
    return outline


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Records: to the line before the next ``>``; four lines for FASTQ; to ``//`` for flat files."""
    kind = sequences.format_of(text[:_HEAD])
    if kind == "fastq":
        lines = enumerate(re.finditer("\n", text), 1)
        cuts = (line.end() for n, line in lines if n % 4 == 0 and text[line.end() : line.end() + 1] in ("@", ""))
    else:
        cuts = (end.end() for end in re.finditer("\n//\n" if kind in sequences.FLAT else "\n(?=>)", text))
    for start, end in pairwise(chain((0,), cuts, (len(text),))):
        if start < end:
            yield start, end


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
