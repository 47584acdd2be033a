"""FASTA: protein and barcode sets."""

from __future__ import annotations

from random import Random

from bench.generate import vocabulary as v
from bench.generate.case import Case, Planted

ORGANISMS = (
    ("Homo sapiens", 9606), ("Mus musculus", 10090), ("Danio rerio", 7955), ("Rattus norvegicus", 10116),
)  # fmt: skip
STRANGERS = (
    ("Xenopus laevis", 8355),
    ("Gallus gallus", 9031),
    ("Ailuropoda melanoleuca", 9646),
    ("Octopus vulgaris", 6645),
)
SPECIES = ("Apis mellifera", "Bombus terrestris", "Vanessa cardui", "Pieris rapae", "Musca domestica", "Aedes vexans")
RARE_SPECIES = ("Latimeria chalumnae", "Sphenodon punctatus", "Neoceratodus forsteri")


def fold(sequence: str, width: int) -> str:
    return "\n".join(sequence[i : i + width] for i in range(0, len(sequence), width))


def proteins(seed: int, total: int = 100) -> Case:
    """UniProt-like proteins: an invalid or empty record, one length far off, one organism that occurs once."""
    rng = Random(f"proteins:{seed}")
    records: list[list[str]] = []
    for _ in range(total):
        accession = f"{rng.choice('OPQ')}{rng.randint(0, 9)}{v.hexid(rng, 3).upper()}{rng.randint(0, 9)}"
        organism, taxon = rng.choice(ORGANISMS)
        name = f"{rng.choice(v.NOUNS)[:4].upper()}{rng.randint(1, 9)}"
        title = (
            f"sp|{accession}|{name}_{organism.split()[0][:5].upper()} {rng.choice(v.NOUNS).capitalize()} "
            f"{rng.choice(v.VERBS)} factor {rng.randint(1, 12)} OS={organism} OX={taxon} GN={name} PE=1 "
            f"SV={rng.randint(1, 4)}"
        )
        records.append([title, "M" + "".join(rng.choices(v.AMINO, k=int(rng.gauss(380, 40))))])
    loud, outlier, rare = v.spots(rng, total)
    bad, far = (records[i][0].split("|")[1] for i in (loud, outlier))
    sequence = records[loud][1]
    records[loud][1] = rng.choice(
        ("", sequence[:90] + "1@#4" + sequence[94:], sequence[:120] + "!!ERROR!!" + sequence[129:])
    )
    length = rng.choice((rng.randint(4, 9), rng.randint(5_000, 9_000)))
    records[outlier][1] = "".join(rng.choices(v.AMINO, k=length))
    organism, taxon = rng.choice(STRANGERS)
    known = next(name for name, _ in ORGANISMS if name in records[rare][0])
    records[rare][0] = records[rare][0].replace(known, organism).replace(f"OX={dict(ORGANISMS)[known]}", f"OX={taxon}")
    text = "".join(f">{title}\n{fold(sequence, 60)}\n" if sequence else f">{title}\n" for title, sequence in records)
    planted = (Planted("loud", (bad,)), Planted("outlier", (far,)), Planted("rare", (organism,)))
    return Case("proteins", seed, text, (total,), planted, "fetch_sequences")


def barcodes(seed: int, total: int = 100, length: int = 500) -> Case:
    """COI barcodes of 500 residues: a run of N or an empty record, one very short, one species that occurs once."""
    rng = Random(f"barcodes:{seed}")
    base = "".join(rng.choices("ACGT", weights=(30, 20, 15, 35), k=length))
    records: list[list[str]] = []
    for i in range(total):
        letters = [rng.choice("ACGT") if rng.random() < 0.06 else letter for letter in base]
        records.append(
            [f"COI_{seed:02d}{i:04d}|{rng.choice(SPECIES)}|COI-5P|{rng.choice(v.CITIES[:6])}", "".join(letters)]
        )
    loud, outlier, rare = v.spots(rng, total)
    bad, short = (records[i][0].split("|")[0] for i in (loud, outlier))
    sequence = records[loud][1]
    records[loud][1] = rng.choice(("", "N" * length, sequence[:100] + "-??**XX##" + sequence[109:]))
    records[outlier][1] = base[: rng.randint(5, 20)]
    species = rng.choice(RARE_SPECIES)
    parts = records[rare][0].split("|")
    records[rare][0] = "|".join([parts[0], species, *parts[2:]])
    width = rng.choice((60, 70, 80, length))
    text = "".join(f">{title}\n{fold(sequence, width)}\n" if sequence else f">{title}\n" for title, sequence in records)
    planted = (Planted("loud", (bad,)), Planted("outlier", (short,)), Planted("rare", (species,)))
    return Case("barcodes", seed, text, (total,), planted, "fetch_barcodes")
