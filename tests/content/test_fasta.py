"""Sequences: what is counted, what is odd, and the traps of the formats; Biopython is the oracle."""

from __future__ import annotations

import csv
import io
import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact.content.fasta import TYPE, sequences
from mcpcompact.content.fasta.outline import rewrap_lines, unwrap_lines
from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Item, Keep, Outline
from mcpcompact.source import Sample, Source

CORPUS = Path(os.environ.get("MCPCOMPACT_CORPUS", Path(__file__).resolve().parents[3] / "shared" / "corpus"))


def outline(data: str | bytes) -> Outline:
    return TYPE.outline(Source(data.encode() if isinstance(data, str) else data), Hints())


def score(data: str | bytes) -> float:
    return TYPE.sniff(Sample(Source(data.encode() if isinstance(data, str) else data))).score


def facts(made: Outline) -> str:
    return "\n".join(fact.text for fact in made.facts)


def kept(made: Outline) -> dict[int, Item]:
    return {item.start: item for item in made.items if item.keep}


def fold(sequence: str, width: int = 60) -> str:
    return "".join(f"{sequence[i : i + width]}\n" for i in range(0, len(sequence), width))


def barcodes(n: int = 100, seed: int = 1) -> list[list[str]]:
    rng = random.Random(seed)
    base = "".join(rng.choices("ACGT", k=500))
    made = []
    for i in range(1, n + 1):
        letters = [rng.choice("ACGT") if rng.random() < 0.05 else letter for letter in base]
        country = rng.choice(["Spain", "France", "Italy"])
        made.append([f"COI_{i:03d} organism=Rana temporaria country={country}", "".join(letters)])
    return made


def text_of(records: list[list[str]]) -> str:
    return "".join(f">{title}\n{fold(sequence)}" for title, sequence in records)


def test_the_first_users_case() -> None:
    made = outline(text_of(barcodes()))
    assert made.total == 100 and made.headline == "100 DNA sequences"
    assert made.facts[0].text == "100 DNA sequences, 50,000 nt; ids COI_001 … COI_100 without a gap"
    assert "length 500 nt each; GC" in made.facts[1].text
    assert "in every description: organism=Rana temporaria" in facts(made)
    assert kept(made) == {}
    assert made.items[0].text.startswith("#1 COI_001 country=")


def test_anomalies_are_kept_and_nothing_else() -> None:
    records = barcodes()
    records[16][1] = ""
    records[36][1] = records[36][1][:5]
    records[62][0] = records[62][0].replace(records[62][0].rpartition("=")[2], "Peru")
    records[79][0] += " FAILED QC"
    records[90][1] = "MEKLIVFPQQLEDWNRHSYKMEKLIVFPQQLEDWNRHSYK" * 12
    records[94][1] = records[94][1][:200] + "1@#4" + records[94][1][204:]
    records[97][1] = records[96][1].lower()
    made = outline(text_of(records))
    odd = kept(made)
    assert sorted(odd) == [17, 37, 63, 80, 91, 95, 98]
    assert odd[17].keep is Keep.SEVERE and "empty" in odd[17].reason
    assert odd[37].keep is Keep.OUTLIER and "length 5" in odd[37].reason
    assert odd[63].keep is Keep.RARE and "country=Peru" in odd[63].text
    assert odd[80].keep is Keep.SEVERE and "FAILED QC" in odd[80].text
    assert "protein" in odd[91].reason and "invalid" in odd[95].reason and "#97" in odd[98].reason
    line = next(fact.text for fact in made.facts if fact.text.startswith("odd:"))
    assert "COI_017 empty" in line and "FAILED QC" in line


@pytest.mark.parametrize("length", [4_000, 90_000])
def test_a_long_sequence_among_varied_ones(length: int) -> None:
    rng = random.Random(3)
    records = [[f"r{i}", "".join(rng.choices("ACGT", k=rng.randint(300, 500)))] for i in range(200)]
    records[44][1] = "ACGT" * (length // 4)
    odd = kept(outline(text_of(records)))
    assert list(odd) == [45] and f"length {length:,}" in odd[45].reason


def test_a_rare_part_of_piped_titles() -> None:
    rng = random.Random(4)
    names = ["Apis mellifera", "Bombus terrestris", "Vanessa cardui"]
    records = [[f"B{i:04d}-06|{rng.choice(names)}|COI-5P", "".join(rng.choices("ACGT", k=90))] for i in range(80)]
    records[50][0] = "B0050-06|Latimeria chalumnae|COI-5P"
    made = outline(text_of(records))
    assert "ids B0000-06 … B0079-06" in made.facts[0].text
    assert list(kept(made)) == [51] and "Latimeria chalumnae" in kept(made)[51].reason


def test_repeated_ids_and_sequences() -> None:
    made = outline(">a\nACGTAC\n>b\nacgtac\n>a\nGGGG\n>c\nTTTTAA\n>d\nCCATG\n")
    assert "1 record repeats an earlier id\n1 record repeats an earlier sequence" in facts(made)
    assert "same sequence as #1" in kept(made)[2].reason and "same id as #1" in kept(made)[3].reason


TRAPS = [
    (">a > b\nAC\nGT\n>c\nAA\n", 2, 6),
    (">a\r\nAC\r\nGT\r\n>b\r\nAA\r\n", 2, 6),
    (">a\rAC\rGT\r>b\rAA\r", 2, 6),
    ("\n\n>a\n\nAC\n\nGT\n\n>b\nAA", 2, 6),
    ("; a comment\n>a\nAC\n;another\nGT\n>b\nAA\n", 2, 6),
    (">a\nac gt\n>b\nA\tA\n", 2, 6),
    (">a\n>b\n>c", 3, 0),
    (">\nACGT\n", 1, 4),
    (">a\nAC>GT\n", 1, 5),
    ("\ufeff>a\nACGT\n", 1, 4),
    ("some words\n\nmore\n>a\nACGT\n", 1, 4),
    (">a\n" + "ACGT" * 1_250_000, 1, 5_000_000),
    (">a\nAC--GT..NN\n", 1, 6),
]


@pytest.mark.parametrize(("text", "records", "residues"), TRAPS)
def test_traps(text: str, records: int, residues: int) -> None:
    made = outline(text)
    assert made.total == records
    assert f"{residues:,} " in made.facts[0].text


def test_text_before_the_first_title_is_said() -> None:
    assert any(note.startswith("2 lines before") for note in outline("some words\nmore\n>a\nACGT\n").notes)


@pytest.mark.parametrize("data", ["", "ACGT\nACGT\n", "no header at all", "\0\1\2", "@\n", "LOCUS       broken\n"])
def test_other_input_is_refused(data: str) -> None:
    with pytest.raises(InputError):
        outline(data)


LOOKALIKES = [
    "> quoted prose of a letter\n> and more of it\nan answer, in words.\n> again\nYes.\n",
    "> quoted\n\nReply\n",
    ">>> import os\n>>> os.getcwd()\n'/home'\n",
    "1c1\n< a\n---\n> b\n",
    "# Title\n\n> note\n\nSome text here\n",
    "<html>\n<p>a > b</p>\n</html>\n",
    "@decorator\ndef f():\n    return 1 +\n+ 2\n",
    "@@ -1,3 +1,3 @@\n-a\n+b\n",
    ">",
    "",
    "AC",
    '{"a": ">x"}',
]


@pytest.mark.parametrize("text", LOOKALIKES)
def test_lookalikes(text: str) -> None:
    assert score(text) < 0.5


def test_sniff() -> None:
    assert score(text_of(barcodes(3))) > 0.9
    assert score(">p\nMEKLIVFPQQLEDWNRHSYK\n") > 0.9
    assert score(">a\n" + "ACGT" * 100_000) > 0.9
    assert score("@r1\nACGT\n+\nIIII\n") > 0.9
    assert score("LOCUS       NC_1   1234 bp    DNA     circular BCT 01-JAN-2000\nDEFINITION  x.\n") > 0.9


def test_fastq() -> None:
    made = outline("@r1 x\nACGT\n+\n@II!\n@r2\nAC\nGT\n+r2\nII\nII\n@r3\nACGT\n+\nIII\n@r4\nACG\n+\n@@@\n")
    assert made.total == 4 and "quality mean" in facts(made)
    assert "4 residues but 3 quality values" in kept(made)[3].reason


def test_a_read_of_low_quality() -> None:
    rng = random.Random(2)
    quality = ["$" * 80 if i == 70 else "I" * 80 for i in range(99)]
    reads = "".join(f"@read{i}\n{''.join(rng.choices('ACGT', k=80))}\n+\n{q}\n" for i, q in enumerate(quality))
    odd = kept(outline(reads))
    assert list(odd) == [71] and "mean quality 3.0" in odd[71].reason


@pytest.mark.parametrize("distinct", [300, 20_000])
def test_sequences_that_are_looked_up_are_counted_like_others(distinct: int) -> None:
    rng = random.Random(distinct)
    some = ["".join(rng.choices("ACGT", k=rng.randint(30, 90))) for _ in range(distinct)]
    chosen = [rng.choice(some) for _ in range(20_000)]
    chosen[15_000] = chosen[14_000] + "N"  # in a block of its own kind
    made = outline("".join(f">s{i:05d}\n{fold(sequence)}" for i, sequence in enumerate(chosen)))
    residues = sum(map(len, chosen))
    strong = sum(sequence.count("G") + sequence.count("C") for sequence in chosen)
    assert f"20,000 DNA sequences, {residues:,} nt" in made.facts[0].text
    assert f"GC {100 * strong / (residues - 1):.1f} %" in facts(made)
    assert f"{20_000 - len(set(chosen)):,} records repeat an earlier sequence" in facts(made)
    assert "ambiguous residues: 1 in 1 sequence" in facts(made)
    for item in made.items[:: len(made.items) // 50]:
        sequence = chosen[item.start - 1]
        share = (sequence.count("G") + sequence.count("C")) / len(sequence.replace("N", ""))
        shares = (f"{share + ulp:.0%}" for ulp in (-1e-6, 1e-6))  # the share is held in four bytes
        assert any(f" {len(sequence):,} nt GC {text}" in item.text for text in shares)


def test_repeated_sequences_are_found_however_they_are_wrapped() -> None:
    rng = random.Random(8)
    lines = {i: "".join(rng.choices("ACGT", k=150 + i % 90)) for i in range(60)}
    lines[41] = lines[7]
    lines[55] = lines[20]
    width = {41: 60, 55: 1_000, 30: 33}
    text = "".join(
        f">s{i}\n" + "".join(s[k : k + width.get(i, 70)] + "\n" for k in range(0, len(s), width.get(i, 70)))
        for i, s in lines.items()
    )
    odd = kept(outline(text))
    assert odd[42].reason == "same sequence as #8" and odd[56].reason == "same sequence as #21"
    assert sum(each.reason.startswith("same sequence") for each in odd.values()) == 2


titles = st.text(alphabet="abc |>=;1 ", max_size=12).map(str.strip)
bodies = st.lists(st.text(alphabet="ACGTNacgtn-", max_size=9), max_size=4)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(titles, bodies), min_size=1, max_size=12), st.sampled_from(["\n", "\r\n"]), st.integers(2, 40)
)
def test_the_reader_agrees_with_biopython(records: list[tuple[str, list[str]]], end: str, size: int) -> None:
    from Bio.SeqIO.FastaIO import SimpleFastaParser

    text = "".join(f">{title}{end}{''.join(line + end for line in lines)}" for title, lines in records)
    expected = [(title, sequence) for title, sequence in SimpleFastaParser(io.StringIO(text.replace("\r\n", "\n")))]
    source = Source(text.encode())
    whole = source.chunks
    source.chunks = lambda _=0: whole(size)  # type: ignore[method-assign]
    batches = list(sequences.fasta(source, sequences.Reading()))
    pairs = [(header, batch.sequences[i]) for batch in batches for i, header in enumerate(batch.headers)]
    assert [(header.rstrip(), sequence.decode()) for header, sequence in pairs] == expected
    assert TYPE.outline(Source(text.encode()), Hints()).total == len(expected)


def test_a_sequence_repeats_however_its_lines_are_broken() -> None:
    sequence = "ACGTTGCAACGGTTACCAGTACGATCAGGT"
    broken = [f"{sequence[:10]}\n{sequence[10:at]}\n{sequence[at:]}\n" for at in (20, 18)]
    assert "1 record repeats an earlier sequence" in facts(outline(f">a\n{broken[0]}>b\n{broken[1]}>c\nACGT\n"))


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300) | st.text(alphabet=">@+\n\rACGT;IJ! ", max_size=80).map(str.encode))
def test_any_bytes(data: bytes) -> None:
    assert 0 <= score(data) <= 1
    text = Source(data).text
    assert "".join(text[a:b] for a, b in TYPE.spans(text)) == text
    try:
        made = TYPE.outline(Source(data), Hints())
    except InputError:
        return
    assert all(1 <= item.start <= made.total for item in made.items)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(titles, st.text(alphabet="ACGT", max_size=40)), min_size=1, max_size=5), st.integers(1, 12))
def test_joined_lines_give_the_same_bytes_back(records: list[tuple[str, str]], width: int) -> None:
    text = "".join(f">{title}\n{fold(sequence, width)}" for title, sequence in records)
    joined = unwrap_lines(text)
    assert joined is None or rewrap_lines(joined) == text


def test_spans() -> None:
    text = ">a\nAC\n>b > c\nGT"
    assert [text[a:b] for a, b in TYPE.spans(text)] == [">a\nAC\n", ">b > c\nGT"]


def test_streamed_and_held_agree(tmp_path: Path) -> None:
    records = barcodes(3000)
    records[1234][1] = "ACGT"
    path = tmp_path / "x.fa"
    path.write_text(text_of(records))
    streamed = TYPE.outline(Source(path=str(path)), Hints())
    assert facts(streamed) == facts(outline(path.read_bytes())) and 1235 in kept(streamed)


def test_genbank_of_biopython() -> None:
    from Bio.Seq import Seq
    from Bio.SeqRecord import SeqRecord

    records = [
        SeqRecord(Seq("ACGT" * 20), id=f"X{i}.1", description="gene", annotations={"molecule_type": "DNA"})
        for i in range(3)
    ]
    text = "".join(record.format("genbank") for record in records)
    made = outline(text)
    assert score(text) > 0.9
    assert made.facts[0].text.startswith("3 DNA sequences (GenBank), 240 nt")
    assert "in every record: molecule_type=DNA" in facts(made) or "in every description" not in facts(made)
    assert len(list(TYPE.spans(text))) == 3


@pytest.mark.skipif(not (CORPUS / "SEQUENCES.tsv").exists(), reason="the corpus is not here")
def test_counts_of_the_corpus() -> None:
    with (CORPUS / "SEQUENCES.tsv").open(errors="replace", newline="") as table:
        rows = [row for row in csv.DictReader(table, delimiter="\t") if row["biopython"] == "ok"]
    for row in rows:
        path = CORPUS / row["file"]
        if path.stat().st_size > 400_000:
            continue
        source = Source(path.read_bytes())
        made = TYPE.outline(source, Hints())
        assert made.total == int(row["records"]), row["file"]
        gaps = re.search(r"([\d,]+) gaps in all|gaps: ([\d,]+)", facts(made))
        residues = int(row["residues"]) - (int((gaps[1] or gaps[2]).replace(",", "")) if gaps else 0)
        assert f" {residues:,} " in made.facts[0].text, row["file"]
        assert TYPE.sniff(Sample(source)).score > 0.5, row["file"]


@pytest.mark.parametrize(
    ("ids", "whole"),
    [("s1 s01 s3", False), ("s1 s2 s3", True), ("s01 s02 s03", True), ("s8 s9 s10", True), ("s1 s2 s02 s4", False)],
)
def test_ids_are_without_a_gap_where_each_number_stands_there(ids: str, whole: bool) -> None:
    text = "".join(f">{name}\nACGTACGTTA\n" for name in ids.split())
    out = TYPE.outline(Source.of_text(text), Hints())
    assert ("without a gap" in "\n".join(fact.text for fact in out.facts)) == whole


GENBANK = """\
LOCUS       TEST_1                    90 aa            linear   BCT 10-OCT-2012
DEFINITION  Chain A, Substitution Of Manganese For Iron In A Reductase From Escherichia
            Coli.
ACCESSION   TEST_1
VERSION     TEST_1.1
SOURCE      Escherichia coli
  ORGANISM  Escherichia coli
            Bacteria.
FEATURES             Location/Qualifiers
     source          1..90
                     /organism="Escherichia coli"
                     /chromosome="2"
                     /note="from a plate"
     Site            order(37,44..46,
                     50)
                     /site_type="other"
                     /note="dimer interface"
     Het             join(bond(15),bond(24))
                     /heterogen="( MN,1001 )"
     Region          <5..>40
                     /region_name="R2"
ORIGIN
        1 mktayiakqr qisfvkshfs rqleerlgli evqapilsrv gdgtqdnlsg aekavqvkvk
       61 alpdaqfevv hslakwkrqt lgqhdfsage
//
"""


def rows(made: Outline) -> list[str]:
    return [item.text for item in made.items]


def test_a_record_with_features_is_named_whole_and_its_locations_stand_as_written() -> None:
    made = outline(GENBANK)
    assert rows(made) == [
        "#1 TEST_1.1 Chain A, Substitution Of Manganese For Iron In A Reductase From Escherichia Coli",
        "#1 organism=Escherichia coli molecule_type=protein topology=linear data_file_division=BCT date=10-OCT-2012",
        "#1 LINEAGE Bacteria",
        "#1 source 1..90 chromosome=2; note=from a plate",
        "#1 Site dimer interface order(37,44..46,50) site_type=other",
        "#1 Het join(bond(15),bond(24)) heterogen=( MN,1001 )",
        "#1 Region R2 <5..>40",
        "#1 1–60: mktayiakqrqisfvkshfsrqleerlglievqapilsrvgdgtqdnlsgaekavqvkvk",
        "#1 61–90: alpdaqfevvhslakwkrqtlgqhdfsage",
    ]
    assert made.parts == {"features": 4, "aa": 90}


def test_the_notice_says_how_much_of_the_sequences_is_shown() -> None:
    rng = random.Random(9)
    one = f">a the only one\n{fold(''.join(rng.choices('ACGT', k=4_000)))}"
    many = "".join(f">s{i} gene {i}\n{fold(''.join(rng.choices('ACGT', k=900)))}" for i in range(7))
    assert " of 4,000 nt shown." in compact(one, budget=300).text
    assert ": all 7 sequences named, 0 of 6,300 nt shown." in compact(many, budget=220).text
    text = compact(many, budget=300).text
    assert ": all 7 sequences named, 120 of 6,300 nt shown." in text
    assert text.count(" 1–60: ") == 2, "what room is left goes to the first residues"
    assert " features, " in compact(GENBANK * 3, budget=200, threshold=0).text.split("\n")[0]


@pytest.mark.parametrize("large", [False, True])
def test_an_alignment_that_ends_behind_its_header_ends(tmp_path: Path, large: bool) -> None:
    path = tmp_path / "cut.aln"
    path.write_text("CLUSTAL 2.1 multiple sequence alignment\n\n" + "\n" * 5_000)
    source = Source(path=str(path), size=1 << 30) if large else Source(path.read_bytes())
    assert source.large is large
    with pytest.raises(InputError, match="ends within a record"):
        list(sequences.biopython(source, "clustal", sequences.Reading()))


def test_columns_of_an_alignment_are_no_residues_and_no_name_stands_twice() -> None:
    text = "CLUSTAL X (1.81) multiple sequence alignment\n\n\n"
    text += "".join(f"seq_{name}      ACGTTGCA--ACGTTGCAACGTACGTACGTTT{name}\n" for name in "ACG")
    made = outline(text)
    assert made.facts[0].text.startswith("3 DNA sequences (Clustal), 93 nt")
    assert "aligned: 33 columns each, 6 gaps in all" in facts(made)
    assert rows(made)[0] == "#1 seq_A 33 columns GC 45%"


def test_names_of_products_are_no_field_and_repeats_are_named() -> None:
    rng = random.Random(6)
    kinds = ["ribosomal protein", "photosystem I", "ATP synthase", "NADH dehydrogenase"]
    records = [
        [f"NP_{i}.1 {rng.choice(kinds)} S{i} [Zea mays]", "".join(rng.choices("ACDEFGHIKLMNPQRSTVWY", k=120))]
        for i in range(100, 180)
    ]
    records[20][0] = "NP_120.1 envelope membrane protein [Zea mays]"
    for i in range(6):
        records[60 + i][1] = records[i][1]
    made = outline(text_of(records))
    assert kept(made) == {}
    name = records[60][0].partition(" ")[2].partition(" [")[0]
    assert f"6 records repeat an earlier sequence: #61 = #1 {name} · #62 = #2" in facts(made)


def test_the_names_of_few_records_come_before_their_fields() -> None:
    rng = random.Random(5)
    records = [
        [
            f"P{i:05d} Protein kinase {i} OS=Mus PE={1 + (i == 3)} SV=1",
            "".join(rng.choices("MEKLIVFPQD", k=150)),
        ]
        for i in range(30)
    ]
    made = outline(text_of(records))
    assert rows(made)[:2] == ["#1 P00000 Protein kinase 0 · 150 aa", "#1 PE=1"]
    assert "PE=1 in" not in facts(made)
    made = outline(text_of(records + [[f"Q{title}", body] for title, body in records]))
    assert "PE=1 in 58, PE=2 in 2" in facts(made)


def test_the_worst_read_is_named() -> None:
    reads = [("good", "I"), ("fair", "5"), ("poor", "#")]
    made = outline("".join(f"@{name}\n{'ACGT' * 10}\n+\n{quality * 40}\n" for name, quality in reads))
    assert "worst read #3 2.0" in facts(made) and "#3 poor 40 nt GC 50% quality 2.0" in rows(made)


def search_report(queries: int, hits: int = 1, pieces: int = 1) -> str:
    """A report of ``fasta36 -m 10``: hits of each query in so many pieces, of the last query none."""
    text = "# fasta36 -m 10 q.faa db.faa\nFASTA searches a protein or DNA sequence data bank\n\nQuery: q.faa\n"
    for n in range(1, queries):
        text += f"  {n}>>>query_{n} protein {n} - 107 aa\nLibrary: db.faa 45119 residues in   180 sequences\n\n"
        text += "The best scores are:      opt bits E(180)\n"
        text += "".join(f"subject_{n}_{k} ATPase   ( 93{k})   71 25.3    {k}.{n}\n" for k in range(hits))
        text += f"\n>>>query_{n}, 107 aa vs db.faa library\n" + "".join(f"; pg_key{k}: {k}\n" for k in range(9))
        for k, piece in [(k, piece) for k in range(hits) for piece in range(pieces)]:
            text += ">--\n" if piece else f">>subject_{n}_{k} ATPase [Escherichia coli O157:H7 str. Sakai]\n"
            text += f"; fa_opt:  {70 + n}\n; fa_expect:   {k}.{n}\n; sw_ident: 0.{piece}5\n"
            text += f">query_{n} ..\n; sq_len: 107\n; al_start: {n}\n; al_stop: {n + 9}\nMKTAYIAKQRQISFVK\n"
            text += f">subject_{n} ..\n; sq_len: 931\n; al_start: 10{piece}\n; al_stop: 11{piece}\nMKSAYLAKQRQITF\n"
    return text + f"  {queries}>>>query_{queries} - 99 aa\n!! No sequences with E() < 1\n>>><<<\n"


def test_a_report_of_a_search_names_each_query_with_its_best_hit() -> None:
    made = compact(search_report(6), budget=400)
    assert made.content_type == "text"
    rows = made.text.split("\n")
    told = "FASTA search report, 6 queries (1 without a hit), 5 hits; library db.faa 45119 residues in 180 sequences"
    assert rows[1] == told and "# fasta36 -m 10 q.faa db.faa" in rows[2] and ", 5 of 5 hits." in rows[0]
    for n in range(1, 6):
        at = next(i for i, line in enumerate(rows) if line.endswith(f"{n}>>>query_{n} protein {n} - 107 aa"))
        assert rows[at + 1].endswith(f"0.{n}")
    assert "6>>>query_6 - 99 aa · no hit" in made.text and "pg_key" not in made.text


def test_an_alignment_is_a_row_with_its_name_whole_and_its_places_under_the_right_names() -> None:
    made = compact(search_report(2, hits=4, pieces=3), budget=700).text
    assert "2 queries (1 without a hit), 4 hits in 12 alignments" in made
    name = "subject_1_0 ATPase [Escherichia coli O157:H7 str. Sakai]"
    assert f">>{name} · fa_expect: 0.1 · sw_ident: 0.05 · query 1–10 · subject 100–110\n" in made
    assert ">-- subject_1_0 · fa_expect: 0.1 · sw_ident: 0.25 · query 1–10 · subject 102–112" in made


def test_of_many_hits_the_best_ones_stand_without_a_hole_and_their_number_is_told() -> None:
    made = compact(search_report(3, hits=9), budget=300).text
    assert "hits of each query: 9, 9, 0" in made
    for n in (1, 2):
        shown = [f"subject_{n}_{k} ATPase   ( 93{k})" in made for k in range(9)]
        assert 1 < sum(shown) < 9 and shown == sorted(shown, reverse=True)
    assert f"[{sum(shown)} of 9" in made
    rows, counted = made.split("\n"), re.search(r"(\d+) of \d+ lines shown", made)
    assert counted and int(counted[1]) == len(rows) - 3  # but the notice and two lines of facts


def test_ids_of_several_numbers_are_no_range_and_an_ordinary_word_of_a_name_is_not_odd() -> None:
    names = ["ribosomal protein S", "kinase ", "carrier of unit B"]
    titles = [f">ab|{1000 + i * 37 % 91}|P{i * 53 % 97}.1| {names[i % 3]}{i}" for i in range(90)]
    titles[41] = ">ab|1061|P39.1| envelope membrane protein"
    made = compact(
        "\n".join(f"{title}\n{'MKLVTRGWQE' * 9}{'AMKLV' * i}" for i, title in enumerate(titles)), budget=200
    ).text
    assert "; ids such as ab|" in made
    assert "odd: " not in made


def test_a_location_of_many_parts_is_told_by_its_ends_and_their_number() -> None:
    parts = ",".join(f"{n}..{n + 1}" for n in range(3, 60, 4))
    made = outline(GENBANK.replace("join(bond(15),bond(24))", f"complement(join({parts}))"))
    assert "#1 Het complement(3..60 in 15 parts) heterogen=( MN,1001 )" in rows(made)


def test_what_all_descriptions_end_with_is_told_once() -> None:
    records = "".join(f">Z{i} P.species{i} 5.8S rRNA gene and ITS DNA\n{fold('ACGTTGCA' * 9)}" for i in range(60))
    made = outline(records)
    assert "every description ends: 5.8S rRNA gene and ITS DNA" in facts(made)
    assert "#8 Z7 P.species7 72 nt GC 50%" in rows(made)


def test_an_alignment_tells_how_its_rows_differ() -> None:
    first = "ACGTACGTACGTACGTACGTACGTAC-T"
    made = outline(
        "CLUSTAL W (1.83)\n\n"
        + "".join(f"row{n}      {row}\n" for n, row in enumerate((first, first, f"TCG--CGT{first[8:]}"), 1))
    )
    assert "3 of 28 columns differ between rows, 1 to 5" in facts(made)
    assert "#2 differs from #1 in no column" in rows(made)
    assert "#3 differs from #1 in 3 columns: 1 T for A, 4–5 -- for TA" in rows(made)
    assert not [row for row in rows(made) if row.startswith(("#2 1–", "#3 1–"))]


def test_of_a_long_alignment_only_the_columns_at_hand_are_compared() -> None:
    row = "ACGT" * 400 + "-A"
    made = outline(f"CLUSTAL W (1.83)\n\nrow1      {row}\nrow2      T{row[1:]}\n")
    assert "1 of the first 1,200 columns differ between rows: 1" in facts(made)
    assert "#2 differs from #1 in 1 column of the first 1,200: 1 T for A" in rows(made)


def test_an_empty_accession_is_named() -> None:
    made = outline(re.sub(r"ACCESSION .*", "ACCESSION   ", GENBANK))
    assert "record 1: ACCESSION without a value" in made.notes


def test_qualities_of_old_files_are_read_by_their_own_offset() -> None:
    def reads(offset: int) -> str:
        return "".join(
            f"@r{i}\n{'ACGT' * 5}\n+\n{''.join(chr(offset + (i + k) % 41) for k in range(20))}\n" for i in range(60)
        )

    assert "quality mean" in facts(outline(reads(33))) and "offset 64" not in facts(outline(reads(33)))
    assert ", range 0–40 (offset 64, by its characters)" in facts(outline(reads(64)))


@pytest.mark.parametrize("qualities", [26, 25, 0])  # of the primer's base, too; of the colours alone; FASTA
def test_reads_in_colour_space(qualities: int) -> None:
    rng = random.Random(5)
    reads = ["T" + "".join(rng.choices("0123", k=25)) for _ in range(60)]
    reads[7] = reads[7][:9] + "." + reads[7][10:]
    names = [f"1_{n}_{rng.randrange(2000)}_F3" for n in range(60)]
    quality = "".join(map(chr, rng.choices(range(35, 73), k=qualities)))
    fastq = "".join(f"@{name}\n{read}\n+\n{quality}\n" for name, read in zip(names, reads, strict=True))
    fasta = "".join(f">{name}\n{read}\n" for name, read in zip(names, reads, strict=True))
    data = fastq if qualities else fasta
    assert score(data) >= 0.6
    said = facts(outline(data))
    assert "60 colour space sequences" in said and "1,560 characters" in said
    assert "ambiguous residues: 1 in 1 sequence" in said
    assert "quality values" not in said and "DNA" not in said and "GC" not in said


def test_what_every_description_has_and_ends_with_is_said_once() -> None:
    rows = [f">seq{n} protein {n * n} [Vibrio portus str. 7]\n{'ACGT' * 30}{'ACGTT'[: n % 5]}\n" for n in range(20)]
    shown = compact("".join(rows), budget=300, threshold=300).text
    assert sum("[Vibrio portus str. 7]" in line for line in shown.split("\n")) == 1


def test_what_a_record_is_called_and_its_keywords_are_told() -> None:
    keywords = "KEYWORDS    reductase; iron\n            uptake.\nSOURCE "
    renamed = GENBANK.replace("TEST_1", "AB0001").replace("AB0001 ", "TEST_1 ", 1).replace("SOURCE ", keywords, 1)
    said = "\n".join([facts(outline(renamed)), *(item.text for item in outline(renamed).items)])
    assert "name=TEST_1" in said and "keywords=reductase; iron uptake" in said
    plain = "\n".join(item.text for item in outline(GENBANK).items)
    assert "name=" not in plain and "keywords=" not in plain


def test_a_comment_is_told_as_it_stands_and_a_title_before_the_authors() -> None:
    authors = ", ".join(f"Reed{n},H." for n in range(60))
    said = (
        "DBSOURCE    accession MF0001.1\nKEYWORDS    .\nREFERENCE   1\n"
        f"  AUTHORS   {authors}\n  TITLE     Pox of herons\n  JOURNAL   Unpublished\n"
        "COMMENT     Mailed by hand.\n            ##Assembly-Data-START##\n            Assembly method: by hand\n"
        "            ##Assembly-Data-END##.\nSOURCE "
    )
    record = GENBANK.replace("SOURCE ", said, 1)
    rows = [item.text for item in outline(record).items]
    assert any("db_source=accession MF0001.1" in row for row in rows)
    comment = "#1 COMMENT Mailed by hand.\n##Assembly-Data-START##\nAssembly method: by hand\n##Assembly-Data-END##."
    assert comment in rows
    assert "#1 REFERENCE 1 Pox of herons; Unpublished; authors left out" in rows
    assert "besides residues and features: 1 reference, 1 lineage, 1 comment" in facts(outline(record))
    many = outline("".join(record.replace("TEST_1", f"AB{n}") for n in range(4)))
    assert "besides residues and features: 4 references, 4 lineages, 4 comments" in facts(many)


def test_a_release_file_says_how_many_loci_it_had_and_a_record_its_paper() -> None:
    record = (
        "LOCUS       AB{n:06}                1200 bp    DNA     linear   VRL 05-FEB-1999\n"
        "DEFINITION  Heron pox virus, strain {n}.\nACCESSION   AB{n:06}\nVERSION     AB{n:06}.1\n"
        "REFERENCE   1  (bases 1 to 1200)\n  AUTHORS   Reed,H.\n  TITLE     Pox of herons of marsh {n}\n"
        "FEATURES             Location/Qualifiers\n     source          1..1200\n"
        '                     /isolate="{n}"\nORIGIN\n{lines}//\n'
    )
    lines = "".join(f"{at:9} {' '.join(['acgtacgtta'] * 6)}\n" for at in range(1, 1200, 60))
    title = "GBVRL9.SEQ          Genetic Sequence Data Bank\n\n   4711 loci,    9000 bases\n\n\n"
    data = title + "".join(record.format(n=n, lines=lines) for n in range(1, 4))
    shown = compact(data, budget=400, threshold=300, content_type="fasta").text
    assert "its title names 4711 loci, of which 3 are here" in shown
    assert "#2 REFERENCE 1 Pox of herons of marsh 2; Reed,H.\n" in shown
    assert not re.search(r"^#2 1–60: ", shown, re.M)


def test_genes_and_what_drives_them_come_before_primers() -> None:
    primers = [
        f"     primer_bind     {n}..{n + 17}\n                     /label=berth {n}\n" for n in range(40, 1000, 60)
    ]
    genes = [
        f"     CDS             {n}..{n + 200}\n                     /gene=tide{n}\n"
        f"                     /product=pump of tide {n}\n"
        for n in (100, 500, 900)
    ]
    residues = "".join(f"{n:9} {'acgtacgtac ' * 5}{'ggctaacgta'}\n" for n in range(1, 1200, 60))
    record = (
        "LOCUS       HARBOUR                 1200 bp    DNA     linear   SYN 05-FEB-2001\nDEFINITION  Harbour.\n"
        f"ACCESSION   HARBOUR\nFEATURES             Location/Qualifiers\n{''.join(primers + genes)}ORIGIN\n"
        f"{residues}//\n"
    )
    shown = compact(record, budget=200).text
    assert all(f"tide{n}" in shown for n in (100, 500, 900)) and "primer_bind 16" in shown


def test_a_hit_on_the_other_strand_comes_early_and_hits_have_their_lines_below_their_columns() -> None:
    text = search_report(2, hits=9).replace("ATPase   ( 930)", "ATPase   ( 930) [f]")
    rows = text.split("\n")
    ends = [i for i, row in enumerate(rows) if re.match(r"subject_\d_8 ", row)]
    for at in range(len(rows)):
        if re.match(r"subject_\d_\d ", rows[at]) and "[f]" not in rows[at]:
            rows[at] = rows[at].replace(") ", ") [r] " if at in ends else ") [f] ", 1)
    shown = compact("\n".join(rows), budget=300).text.split("\n")
    assert any("subject_1_8 " in row and " [r] " in row for row in shown)
    assert not any("subject_1_7 " in row for row in shown)
    first = next(i for i, row in enumerate(rows) if row.startswith("subject_1_0 ")) + 1
    assert any(row.endswith(f"· 9 hits in lines {first}–{first + 8}") for row in shown)
    head = next(i for i, row in enumerate(shown) if row.startswith("The best scores are:"))
    assert "query_1" in shown[head + 1]


def test_which_hits_of_a_ranked_list_are_left_out_is_said_where_they_are_few() -> None:
    rows = search_report(2, hits=9).split("\n")
    rows = [
        row.replace(") ", ") [r] " if "_8 " in row else ") [f] ", 1) if row[:8] == "subject_" else row for row in rows
    ]
    hits = [n for n, row in enumerate(rows, 1) if row.startswith("subject_")]
    told = 0
    for budget in range(300, 460, 6):
        shown = compact("\n".join(rows), budget=budget).text
        without = re.search(r"\[(\d) of 9 hits(?:, not line ([\d, ]+))?\]", shown)
        left = [n for n in hits if f"\n{n} " not in shown]
        told += bool(without and without[2])
        assert not (without and without[2]) or [int(n) for n in without[2].split(", ")] == left
    assert told


def test_what_binds_comes_before_folds_and_the_paper_on_the_record_before_others() -> None:
    folds = "".join(
        f'     SecStr          {n * 9 + 3}..{n * 9 + 8}\n                     /sec_str_type="helix"\n'
        f'                     /note="helix {n}"\n'
        for n in range(14)
    )
    site = (
        '     Site            order(84,115,118)\n                     /site_type="other"\n'
        '                     /note="zinc centre [ion binding]"\n'
    )
    papers = "".join(
        f"REFERENCE   {n}\n  AUTHORS   Reed,H.\n  TITLE     {title}\n  JOURNAL   Marsh {n} (1990)\n"
        for n, title in enumerate(("Birds of many marshes seen from a boat", "Beak protein of the heron"), 1)
    )
    residues = "".join(f"{at + 1:>9} " + " ".join(["ayttfsatkn"] * 6) + "\n" for at in range(0, 300, 60))
    text = (
        "LOCUS       1ABC_A                   300 aa            linear   BCT 10-OCT-2012\n"
        "DEFINITION  Chain A, Beak Protein Of The Heron.\nACCESSION   1ABC_A\nVERSION     1ABC_A\nKEYWORDS    .\n"
        "SOURCE      Ardea\n  ORGANISM  Ardea\n            Aves.\n"
        + papers
        + "FEATURES             Location/Qualifiers\n"
        f"{folds}{site}ORIGIN\n{residues}//\n"
    )
    texts = [compact(text, budget=budget, threshold=100).text for budget in range(150, 300, 10)]
    assert all("features: SecStr 14 · Site 1" in shown for shown in texts)
    assert all("zinc centre" in shown for shown in texts if "SecStr helix" in shown) and "helix" in texts[-1]
    of_it = [("Beak protein of the heron" in shown, "Birds of many" in shown) for shown in texts]
    assert (True, False) in of_it and (False, True) not in of_it


def test_gc_says_that_n_is_left_out_everywhere() -> None:
    text = "".join(f">r{n}\n{'GC' * (20 + n)}{'AT' * 30}{'N' * n}\n" for n in range(9))
    shown = compact(text, budget=250, threshold=100).text
    assert "% (here and below without N)" in shown and "#9 r8 124 nt GC 48%" in shown
    assert "without N" not in compact(text.replace("N", ""), budget=250, threshold=100).text


def test_what_all_descriptions_say_in_brackets_stands_once_and_what_differs_by_its_record() -> None:
    rng = random.Random(9)
    reads = [
        f"@R{n:02d}X [length={120 + n}] [flows=800] [trimmed={30 + 7 * n}]\n{''.join(rng.choices('ACGT', k=120 + n))}"
        f"\n+\n{'I' * (120 + n)}"
        for n in range(9)
    ]
    text = compact("\n".join(reads) + "\n", budget=900, threshold=100, store=None).text
    assert text.count("flows=800") == 1 and "[length=" not in text
    each = " ".join(str(30 + 7 * n) for n in range(9))
    assert f"\nof #1 to #9: trimmed {each}\n" in text and "[trimmed=" not in text, "in one line"


def test_fields_of_numbers_of_a_few_records_leave_room_to_name_each() -> None:
    rng, reads = random.Random(5), list[str]()
    for n in range(9):
        bases = "".join(rng.choices("ACGT" if n % 2 else "AATTCG", k=200 + n)) + "N" * 5 * (n + 1)
        gc = 100 * (bases.count("G") + bases.count("C")) / len(bases)
        fields = f"[length={len(bases)}] [gc={gc:.2f}] [flows=800] [phred_max={40 - n % 2}] [trimmed={30 + 7 * n}]"
        reads.append(f"@FSRRS44B{n:02d}X {fields}\n{bases}\n+\n{'I' * len(bases)}")
    text = compact("\n".join(reads) + "\n", budget=470, threshold=100, store=None).text
    trimmed = " ".join(str(30 + 7 * n) for n in range(9))
    assert f"\nof #1 to #9: phred_max 40 39 40 39 40 39 40 39 40; trimmed {trimmed}\n" in text
    assert "\nlength= and gc= (with N) left out: as measured\n" in text
    assert all(f"\n#{n + 1} FSRRS44B{n:02d}X {205 + 6 * n} nt GC " in text for n in range(9)), "each is named"


def test_of_more_records_a_field_of_numbers_is_told_by_its_ends_and_middle() -> None:
    rng = random.Random(4)
    reads = [
        f"@R{n:02d}X trimmed={900 - 7 * n} lane={n % 2}\n{''.join(rng.choices('ACGT', k=50))}\n+\n{'I' * 50}"
        for n in range(21)
    ]
    text = compact("\n".join(reads) + "\n", budget=500, threshold=100, store=None).text
    assert "\ntrimmed 760 (#21)–900 (#1), median 830\n" in text and "trimmed=" not in text
    assert "lane 0" not in text, "a number of few values tells no record apart"


def test_features_are_all_named_before_one_is_told_at_length() -> None:
    rng = random.Random(8)
    origin = "".join(rng.choices("acgt", k=6000))
    features = "".join(
        f"     CDS             {n * 500 + 1}..{n * 500 + 300}\n"
        f'                     /gene="gen{n:02d}"\n'
        f'                     /note="resembles protein {n} of another strain, which binds to the outer membrane and\n'
        f'                     is secreted by the second system at high temperature"\n'
        f"                     /codon_start=1\n"
        f'                     /product="enzyme number {n}"\n'
        f'                     /translation="{"".join(rng.choices("MKVLAGST", k=100))}"\n'
        for n in range(10)
    )
    lines = "".join(
        f"{at + 1:>9} {' '.join(origin[i : i + 10] for i in range(at, at + 60, 10))}\n" for at in range(0, 6000, 60)
    )
    record = (
        "LOCUS       XY000001                6000 bp    DNA     linear   BCT 01-JAN-2024\nDEFINITION  A cluster.\n"
        f"ACCESSION   XY000001\nVERSION     XY000001.1\nFEATURES             Location/Qualifiers\n{features}"
        f"ORIGIN\n{lines}//\n"
    )
    short = compact(record, budget=500, threshold=100, store=None).text
    told = "CDS gen{0:02d} {1}..{2} product=enzyme number {0}; codon_start=1; translation=100 aa"
    assert all(told.format(n, n * 500 + 1, n * 500 + 300) in short for n in range(10))
    long = compact(record, budget=1500, threshold=100, store=None)
    assert (
        "#1 CDS gen00 1..300 also: note=resembles protein 0 of another strain, which binds to the outer mem"
        in long.text
    )
    assert (
        "\nqualifiers that the first line of a feature may lack: note, translation\n" in long.text
        and (long.tokens or 0) > 1_200
    ), "the room is used"


def test_helices_stand_side_by_side_and_names_with_the_first_number_of_their_place() -> None:
    folds = "".join(
        f'     SecStr          {n * 20 + 3}..{n * 20 + 12}\n                     /sec_str_type="helix"\n'
        f'                     /note="helix {n}"\n'
        for n in range(1, 13)
    )
    names = "".join(
        f'     Region          {place}\n                     /region_name="R{n}"\n'
        for n, place in enumerate(("290..12", "join(31..40,5..9)", "80..90", "X7.1:3..9"), 1)
    )
    text = GENBANK.replace("ORIGIN", f"{folds}{names}ORIGIN").replace("90 aa", "300 aa").replace("1..90\n", "1..300\n")
    text = text.replace(
        "//", "".join(f"{at:>9} " + " ".join(["ayttfsatkn"] * 6) + "\n" for at in range(91, 300, 60)) + "//"
    )
    made = outline(text)
    assert [row for row in rows(made) if "SecStr" in row] == [
        "#1 SecStr by place: " + ", ".join(f"helix {n} {n * 20 + 3}..{n * 20 + 12}" for n in range(1, 9)),
        "#1 SecStr by place: " + ", ".join(f"helix {n} {n * 20 + 3}..{n * 20 + 12}" for n in range(9, 13)),
    ]
    assert sum(item.part[1] for item in made.items if item.part[0] == "features") == made.parts["features"]
    told = "named features (5, with the first numbers of their places): R4, R2 5, dimer interface 37, R3 80, R1 290"
    assert told in [fact.text for fact in made.facts]


def test_a_record_whose_only_feature_is_its_source_says_it() -> None:
    lines = [f"{at:>9} " + " ".join(["acgtacgtac"] * 6) for at in range(1, 6000, 60)]
    head = "LOCUS       PIER01                  6000 bp    DNA     linear   BCT 11-OCT-2001\n"
    head += "DEFINITION  Harbour weed gene cluster.\nACCESSION   PIER01\nFEATURES             Location/Qualifiers\n"
    head += '     source          1..6000\n                     /organism="Harbour weed"\n'
    head += '                     /mol_type="genomic DNA"\n                     /db_xref="taxon:33903"\nORIGIN\n'
    text = compact(head + "\n".join(lines) + "\n//\n", budget=400, threshold=100).text
    assert "source 1..6000" in text and "mol_type=genomic DNA" in text and "db_xref=taxon:33903" in text


MARSH = (
    "LOCUS       MARSH01                 1500 bp    {molecule:<6}  linear   VRL 05-FEB-2002\n"
    "DEFINITION  Heron virus.\nACCESSION   MARSH01\nVERSION     MARSH01.1  GI:4711\nKEYWORDS    .\n"
    "SOURCE      Heron virus\n  ORGANISM  Heron virus\n            Viruses; Reedviridae.\n"
    + "".join(
        f"REFERENCE   {n}\n  AUTHORS   {authors}\n  TITLE     Marsh {n}\n  JOURNAL   Reeds {n} (1990)\n"
        f"   PUBMED   90{n}\n  REMARK    {'Seen by the boatman at dawn, who did not tell. ' * 2}\n"
        for n, authors in enumerate(("Reed,H.", ", ".join(f"Reed{n},H." for n in range(30))), 1)
    )
    + "FEATURES             Location/Qualifiers\n     source          1..1500\n"
    '                     /organism="Heron virus"\n                     /db_xref="taxon:99"\n'
    '                     /host="heron"\n     CDS             1..300\n                     /gene="beak"\n'
    '                     /function="opens mussels, and holds the other kinds of food that are found in a marsh"\n'
    '                     /db_xref="GeneID:123"\n     Region          9..20\n'
    '                     /region_name="Hook"\n'
    '                     /note="The hook of the beak, which holds what would slip; not in storks, ibises; rd0009"\n'
    "ORIGIN\n" + "".join(f"{at:>9} {' '.join(['acgtacgtac'] * 6)}\n" for at in range(1, 1500, 60))
)


def test_a_paper_is_told_in_a_line_with_what_that_leaves_out() -> None:
    made = outline(MARSH.format(molecule="DNA") + "//\n")
    assert "#1 REFERENCE 1/2 Marsh 1; Reeds 1 (1990); Reed,H.; PUBMED 901; remark left out" in rows(made)
    assert "#1 REFERENCE 2/2 Marsh 2; Reeds 2 (1990); PUBMED 902; authors and remark left out" in rows(made)
    assert "#1 LINEAGE Viruses; Reedviridae" in rows(made) and any("gi=4711" in row for row in rows(made))
    assert "besides residues and features: 2 references, 1 lineage" in facts(made)


def test_of_few_features_each_stands_in_one_line_with_all_that_it_says() -> None:
    made = outline(MARSH.format(molecule="DNA") + "//\n")
    food = "opens mussels, and holds the other kinds of food that are found in a marsh"
    assert f"#1 CDS beak 1..300 function={food}; db_xref=GeneID:123" in rows(made)
    assert "#1 source 1..1500 db_xref=taxon:99; host=heron" in rows(made)
    assert sum("Region Hook" in row for row in rows(made)) == 1 and "left out" not in facts(made)
    sites = "".join(f'     Site            {n}\n                     /db_xref="S:{n}"\n' for n in range(30, 50))
    many = outline(MARSH.format(molecule="DNA").replace("ORIGIN\n", f"{sites}ORIGIN\n") + "//\n")
    assert "qualifiers that the first line of a feature may lack: db_xref" in facts(many)


@pytest.mark.parametrize("end", ["//\n", "", "\n"])
def test_a_record_without_its_end_mark_is_named(end: str) -> None:
    notes = outline(MARSH.format(molecule="DNA") + end).notes
    assert ("its last record lacks the // that ends one" in notes) == ("//" not in end)


def test_the_molecule_is_what_all_records_say() -> None:
    text = MARSH.format(molecule="cRNA") + "//\n"
    assert outline(text).headline == "1 cRNA sequence (GenBank)"
    assert outline(text + MARSH.format(molecule="DNA") + "//\n").headline == "2 DNA sequences (GenBank)"


def test_a_single_sequence_tells_its_bases_and_shows_its_end() -> None:
    bases = "ACGT" * 600 + "GATTACA" * 5
    made = outline(f">harbour\n{fold(bases)}")
    assert "; A 615; C 605; G 605; T 610" in facts(made)
    assert rows(made)[-1] == f"#1 2,401–2,435: {bases[2400:]}"
    assert all(len(row) > 40 for row in rows(made)[1:]), "no line of a few residues"
    two = rows(outline(f">harbour\n{fold(bases)}>quay\n{fold(bases[::-1])}"))
    assert not any(row.startswith("#1 2,401") for row in two)


def test_of_reads_all_names_come_before_residues_and_fields_that_repeat_what_is_measured() -> None:
    rng = random.Random(12)
    reads = ["".join(rng.choices("ACGTacgt", k=300 + 17 * n)) for n in range(10)]
    shares = [100 * sum(read.upper().count(base) for base in "GC") / len(read) for read in reads]
    text = "".join(
        f"@PIER{n}BOAT [length={len(read)}] [gc={share:.2f}] [flows=800]\n{read}\n+\n{'I' * len(read)}\n"
        for n, (read, share) in enumerate(zip(reads, shares, strict=True))
    )
    for budget in (400, 800):
        shown = compact(text, budget=budget, threshold=100).text
        assert "all 10 sequences named" in shown and "length= and gc= left out: as measured" in shown
        assert "lower case in 10 sequences" in shown and "quality strings left out" in shown
        assert "length 300 (#1)–453 (#10)" in shown and "% to" in shown


def test_where_lower_case_stands_and_a_number_at_the_end_of_a_name_is_no_length() -> None:
    made = outline(f">clone | 266\n{fold('ACGT' * 30 + 'acgt' * 5 + 'ACGT')}>other\n{fold('ACGT' * 30)}")
    assert "lower case in #1, residues 121 to 140" in facts(made)
    assert "#1 clone | 266 · 144 nt GC 50%" in rows(made)


def test_long_ids_of_many_records_stand_by_their_accession_and_that_is_said() -> None:
    records = "".join(
        f">gi|{4700 + n * n}|ref|NP_{n:06}.1| gate of lock {n}x [Heron]\n{'MKLVTRGWQE' * (9 + n % 3)}{'A' * (n == 7)}\n"
        for n in range(60)
    )
    made = outline(records)
    assert "#9 NP_000008.1 gate of lock 8x 110 aa" in rows(made) and "(below by accession alone)" in facts(made)
    few = outline("".join(records.partition(">gi|4736|")[0]))
    assert rows(few)[0].startswith("#1 gi|4700|ref|NP_000000.1| ") and "accession alone" not in facts(few)


def test_each_row_of_an_alignment_tells_in_how_many_columns_it_differs() -> None:
    row = "ACGTACGTACGTACGTACGTACGTAC-T"
    made = outline(f"CLUSTAL W (1.83)\n\na      {row}\nb      T{row[1:]}\nc      {row[:-3]}G-A\n")
    assert "differ between rows, 1 to 28; from #1: #2 in 1, #3 in 2" in facts(made)


def test_a_share_of_gc_that_a_file_counts_in_another_way_is_only_left_out_where_that_way_is_said() -> None:
    rng = random.Random(31)
    reads = ["".join(rng.choices("ACGT", k=200)) for _ in range(9)]
    reads[4] = reads[4][:150] + "N" * 50  # a share of all 200 is another than one of the 150 that are known
    shares = [100 * sum(read.count(base) for base in "GC") / len(read) for read in reads]
    text = "".join(
        f"@PIER{n} gc={share:.2f}\n{read}\n+\n{'I' * 200}\n"
        for n, (read, share) in enumerate(zip(reads, shares, strict=True))
    )
    shown = compact(text, budget=600, threshold=100).text
    assert "\ngc= (with N) left out: as measured\n" in shown
    assert "ambiguous residues: 50 in 1 sequence: #5" in shown
    wrong = compact(text.replace(f"{shares[6]:.2f}", f"{shares[6] + 1:.2f}"), budget=600, threshold=100).text
    assert f" {shares[6] + 1:.2f} " in wrong and "left out: as measured" not in wrong


def test_the_records_with_the_least_and_the_most_gc_come_before_others() -> None:
    rng = random.Random(8)
    shares = [30 + n % 9 for n in range(40)]
    shares[17], shares[28] = 26, 42
    text = "".join(
        f">pier{n} from quay {n * 7919}\n{''.join(rng.sample('G' * share + 'A' * (100 - share), 100))}\n"
        for n, share in enumerate(shares)
    )
    shown = compact(text, budget=250, threshold=100).text
    assert "\n#18 pier17" in shown and "\n#29 pier28" in shown and shown.count("\n#") < 20


def test_a_note_of_a_variation_is_no_name_of_a_feature() -> None:
    genes = "".join(
        f'     gene            {n * 9 + 1}..{n * 9 + 8}\n                     /gene="tie{n}"\n' for n in range(12)
    )
    noted = '     variation       7\n                     /note="as in rope AB1"\n'
    facts = [fact.text for fact in outline(GENBANK.replace("ORIGIN", f"{genes}{noted}ORIGIN")).facts]
    named = next(text for text in facts if text.startswith("named features"))
    assert "tie11" in named and "as in rope" not in named


def test_lines_of_residues_stand_as_they_are_wrapped_and_all_records_begin_before_one_goes_on() -> None:
    rng = random.Random(70)
    bases = {f"PEAR{n}X": "".join(rng.choices("ACGT", k=630)) for n in range(4)}
    text = "".join(f">{name} pear\n{fold(each, 70)}" for name, each in bases.items())
    shown = compact(text, budget=700, threshold=100).text
    lines = re.findall(r"^#\d 1–70: |^#\d 71–140: ", shown, re.M)
    assert len(lines) == 8 and not re.search(r"^#\d 1–60: ", shown, re.M)
    for number, line in re.findall(r"^#(\d) [\d,]+–[\d,]+: (.+)$", shown, re.M):
        assert f"\n{line}\n" in text and line in bases[f"PEAR{int(number) - 1}X"]
    counts = [shown.count(f"\n#{number} ") for number in range(1, 5)]
    assert max(counts) - min(counts) <= 1, "none is shown at length while another only begins"


def test_where_ambiguous_residues_stand_and_what_is_not_there_is_said_of_few_records() -> None:
    bases = "ACGT" * 60
    odd = {"a": f"{bases[:100]}N{bases[101:]}", "b": f"{bases[:9]}NN{bases[11:200]}R{bases[201:]}", "c": bases[1:]}
    said = facts(outline("".join(f">{name}\n{fold(each)}" for name, each in odd.items())))
    assert "ambiguous residues: 4 in 2 sequences: #1 (101), #2 (3 within 10–201)" in said
    protein = "MKTAYIAKQRQISFVKSHFSRQLEERLGLIEV"
    said = facts(outline(f">p\n{protein[:7]}X{protein[8:]}\n>q\n{protein[::-1]}\n"))
    assert "ambiguous residues: 1 in 1 sequence: #1 (8)" in said
    text = "".join(f">R{n}\n{fold(bases[n:] + bases[: 2 * n])}" for n in range(3))
    assert "all 3 scanned: no empty record, no repeated id" in compact(text, budget=250, threshold=50).text
