"""Sequences: FASTA, FASTQ, GenBank, EMBL, Swiss-Prot and alignments."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class Fasta:
    name = "fasta"
    extension = ".fasta"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.fasta.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.fasta.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.fasta.outline import spans

        return spans(text)


TYPE: ContentType = Fasta()
