"""FASTA, FASTQ and GenBank, written by Biopython."""

from __future__ import annotations

import io
from typing import Any

from bench.truth.case import Case, R


def make(r: R) -> Case:
    from Bio import SeqIO
    from Bio.Seq import Seq
    from Bio.SeqFeature import FeatureLocation, Reference, SeqFeature
    from Bio.SeqRecord import SeqRecord

    kind = r.choice(["fasta", "fasta", "fastq", "genbank", "protein"])
    n = r.choice([1, 5, 30, 80]) if kind != "genbank" else r.choice([1, 4, 12])
    letters = "ACDEFGHIKLMNPQRSTVWY" if kind == "protein" else "ACGT"
    usual = r.choice([120, 300, 500])
    made: list[Any] = []
    shape = r.choice(["s{}", "COI_{:05}", "s{:02}", "NC_{}.1"])
    skip = r.random() < 0.3
    for i in range(n):
        length = usual if r.random() < 0.8 else r.randint(20, 900)
        body = "".join(r.choices(letters, k=length))
        if kind != "fastq" and r.random() < 0.05:
            body = body[: length // 2] + "N" * r.randint(1, 9) + body[length // 2 :] if kind != "protein" else body
        if made and r.random() < 0.03:
            body = str(made[-1].seq)
        number = i + (1 if skip and i > n // 2 else 0)
        record: Any = SeqRecord(
            Seq(body),
            id=shape.format(number),
            name=f"LOC{i}",
            description=r.choice(["Musca domestica", "Apis mellifera"]),
        )
        if kind == "fastq":
            record.letter_annotations["phred_quality"] = [r.randint(2, 40) for _ in body]
        if kind == "genbank":
            record.annotations["molecule_type"] = "DNA"
            if r.random() < 0.5:
                record.annotations["comment"] = f"Seen by hand.\n##Data-START##\nkept in: box {i}\n##Data-END##"
            for k in range(r.choice([0, 0, 1, 2])):
                paper: Any = Reference()  # type: ignore[no-untyped-call]
                paper.title, paper.authors, paper.journal = (
                    f"Flies of marsh {i}.{k}",
                    "Reed,H. and Fenn,O.",
                    "Unpublished",
                )
                record.annotations.setdefault("references", []).append(paper)
            for k in range(r.randint(1, 5)):
                at = r.randint(0, max(len(body) - 11, 0))
                record.features.append(
                    SeqFeature(  # type: ignore[no-untyped-call]
                        FeatureLocation(at, at + 9),  # type: ignore[no-untyped-call]
                        type=r.choice(["gene", "CDS"]),
                        qualifiers={"gene": [f"psb{k}"]},
                    )
                )
        made.append(record)
    out = io.StringIO()
    SeqIO.write(made, out, "fasta" if kind == "protein" else kind)
    return Case(kind, out.getvalue(), "sequences", known={"records": made, "protein": kind == "protein"})
