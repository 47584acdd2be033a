"""Sequences: FASTA, FASTQ, GenBank, EMBL, Swiss-Prot and alignments."""

from mcpcompact.content import Own

TYPE = Own("fasta", ".fasta")
