# ruff: noqa: E501 - samples are lines as tools print them
"""Tables that engineers meet: genome formats, database shells, system tools; what they are, how many rows, which columns."""

from __future__ import annotations

import json
import re

import pytest

from mcpcompact import compact
from mcpcompact.content.detect import detect
from mcpcompact.content.table import TYPE
from mcpcompact.outline import Hints, Outline
from mcpcompact.paging.pagination import paginate
from mcpcompact.retrieval.units import records
from mcpcompact.source import Source


def outline(text: str) -> Outline:
    source = Source.of_text(text)
    assert detect(source).content_type == "table", detect(source, explain=True)
    return TYPE.outline(source, Hints())


def said(out: Outline) -> str:
    return "\n".join([*(fact.text for fact in out.facts), *out.notes])


def columns(text: str) -> list[str]:
    unit = next(unit for unit in records(Source.of_text(text), "table") if unit.number)
    return list(unit.value())


def values(text: str, number: int) -> dict[str, str]:
    return next(unit.value() for unit in records(Source.of_text(text), "table") if unit.number == number)


META = '##fileformat=VCFv4.2\n##contig=<ID=20>\n##contig=<ID=21>\n##INFO=<ID=DP,Description="Total, Depth">\n'
CHROM = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\tNA00001\tNA00002\n"
VCF_ROWS = "".join(
    f"20\t{14370 + 31 * i}\trs{i}\tG\tA,T\t{i % 80}.5\t{'q10' if i == 40 else 'PASS'}\tNS=3;DP={i}\tGT:GQ\t0|0:48\t1|0:51\n"
    for i in range(90)
)
SAM_ROWS = "".join(
    f"read{i}\t{(0, 16, 99)[i % 3]}\tchr1\t{100 + i}\t60\t100M\t=\t300\t-20\tACGT\t\"I'I\tNM:i:{i % 3}"
    + ("\tMD:Z:100\n" if i % 2 else "\n")
    for i in range(80)
)
GFF_ROWS = "".join(f"ctg1\tref\tgene\t{i}\t{i + 9}\t.\t+\t.\tID=g{i};Note=a b\n" for i in range(1, 70))
GTF_ROWS = "".join(f'chr1\thavana\texon\t{i}\t{i + 9}\t.\t-\t0\tgene_id "E{i}"; tag "x";\n' for i in range(1, 70))
BED_ROWS = "".join(f"chr7\t{i}\t{i + 9}\tPos{i}\t{i % 9}\t+\n" for i in range(1, 70))

GENOMES = [
    ("vcf", META + CHROM + VCF_ROWS, 90, {"CHROM": "20", "ALT": "A,T", "FORMAT": "GT:GQ", "NA00002": "1|0:51"}),
    ("vcf without header", VCF_ROWS, 90, {"CHROM": "20", "FILTER": "PASS", "sample 2": "1|0:51"}),
    ("sam", "@HD\tVN:1.6\n@SQ\tSN:chr1\n@SQ\tSN:chr2\n" + SAM_ROWS, 80, {"QNAME": "read1", "CIGAR": "100M", "QUAL": "\"I'I", "tags": "NM:i:1\tMD:Z:100"}),
    ("sam without header", SAM_ROWS, 80, {"QNAME": "read1", "TLEN": "-20"}),
    ("gff", "##gff-version 3\n# made by hand\n" + GFF_ROWS + "###\n##FASTA\n>ctg1\nACGT\nACGT\n", 69, {"seqid": "ctg1", "end": "11", "attributes": "ID=g2;Note=a b"}),
    ("gtf", "#!genome-build x\n" + GTF_ROWS, 69, {"seqname": "chr1", "frame": "0", "attribute": 'gene_id "E2"; tag "x";'}),
    ("bed", 'track name="a b" useScore=1\nbrowser position chr7:1-2\n' + BED_ROWS, 69, {"chromEnd": "11", "strand": "+"}),
    ("bed of three columns", "".join(f"chr7\t{i}\t{i + 9}\n" for i in range(1, 70)), 69, {"chrom": "chr7", "chromStart": "2"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "rows", "second"), [case[1:] for case in GENOMES], ids=[case[0] for case in GENOMES])
@pytest.mark.parametrize("blanks", [False, True])
def test_genome_formats_have_their_published_columns(
    text: str, rows: int, second: dict[str, str], blanks: bool
) -> None:
    if blanks:
        text = text.replace("\t", "  ")
        second = {name: value.replace("\t", "  ") for name, value in second.items()}
    out = outline(text)
    assert out.total == rows
    assert "always empty" not in said(out)
    assert not out.notes or "beside the table" in out.notes[0]
    assert second.items() <= values(text, 2).items()
    page = paginate(text, limit=5)
    assert page.total_count == rows
    assert second.items() <= json.loads(page.items[1]).items()


def test_header_lines_are_counted_and_samples_named() -> None:
    text = said(outline(META + CHROM + VCF_ROWS))
    assert "VCF 4.2: 90 rows, 11 columns" in text
    assert "2 samples: NA00001, NA00002" in text
    assert "lines that are no rows: ##fileformat, ##contig ×2, ##INFO" in text
    assert "@HD, @SQ ×2" in said(outline(GENOMES[2][1]))


PSQL = " id  |  name  | note \n-----+--------+------\n"
PSQL += "".join(f" {i:3} | user{i:<2} | {'a|b' if i == 7 else 'x'}\n" for i in range(1, 91)) + "(90 rows)\n\n"
EXPANDED = "".join(
    f"-[ RECORD {i} ]{'-' * 9}\nid     | {i}\nname   | user{i}\nstatus | {'failed' if i == 40 else 'ok'}\nnote   | \n"
    for i in range(1, 91)
)
VERTICAL = "".join(
    f"{'*' * 27} {i}. row {'*' * 27}\n    id: {i}\n  name: user{i}\nstatus: ok: {i}\n" for i in range(1, 91)
)
LINE = "\n".join(f"    id = {i}\n  name = user{i}\nstatus = a = b\n" for i in range(1, 91))
CONTINUED = " id | note   \n----+--------\n"
CONTINUED += "".join(
    f" {i:2} | one   +\n    | two   +\n    | three\n" if i % 7 == 0 else f" {i:2} | A+\n" for i in range(1, 80)
)
CONTINUED += "(79 rows)\n\n"

SHELLS = [
    ("psql", PSQL, 90, {"id": "7", "name": "user7", "note": "a|b"}),
    ("psql expanded", EXPANDED, 90, {"id": "7", "name": "user7", "status": "ok", "note": ""}),
    (
        "psql of one column",
        " id  \n-----\n" + "".join(f" {i:3} \n" for i in range(1, 91)) + "(90 rows)\n\n",
        90,
        {"id": "7"},
    ),
    ("psql with lines in cells", CONTINUED, 79, {"id": "7", "note": "one\ntwo\nthree"}),
    ("mysql vertical", VERTICAL, 90, {"id": "7", "name": "user7", "status": "ok: 7"}),
    ("sqlite lines", LINE, 90, {"id": "7", "name": "user7", "status": "a = b"}),
]


@pytest.mark.parametrize(("text", "rows", "seventh"), [case[1:] for case in SHELLS], ids=[case[0] for case in SHELLS])
def test_what_database_shells_print(text: str, rows: int, seventh: dict[str, str]) -> None:
    out = outline(text)
    assert out.total == rows
    assert not out.notes
    assert values(text, 7) == seventh
    page = paginate(text, limit=10)
    assert page.total_count == rows
    assert json.loads(page.items[6]) == seventh


def test_a_value_that_ends_in_a_plus_does_not_go_on() -> None:
    assert values(CONTINUED, 8) == {"id": "8", "note": "A+"}


def test_a_name_that_only_one_expanded_record_has_is_not_lost() -> None:
    text = EXPANDED.replace("user40\n", "user40\nextra  | seen once\n")
    out = outline(
        "".join(f"-[ RECORD {i} ]---\nid | {i}\nv  | x\n" for i in range(1, 9_000))
        + "-[ RECORD 9000 ]---\nid | 9000\nw  | y\n"
    )
    assert out.total == 8_999 + 1
    assert any("w=y" in item.text and item.keep for item in out.items)
    assert "extra" in columns(text)


PROCS = "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
VMSTAT = "".join(
    f" {i % 9}  0      0 2{i:07} 105000 9000000    0    0     5    40  300 4000  {i % 90}  1 90  0  0\n"
    for i in range(80)
)
APT = "Listing...\n" + "".join(
    f"{n}{i}/noble-updates,now 1.{i}-1 amd64 [installed]\n" for i in range(30) for n in ("libgpg-error", "distro-info")
)
DPKG = (
    "Desired=Unknown/Install/Remove/Purge/Hold\n| Status=Not/Inst/Conf-files\n|/ Err?=(none)/Reinst-required\n"
    "||/ Name           Version      Architecture Description\n+++-==============-============-============-=================================\n"
    + "".join(
        f"{'rc' if i == 9 else 'ii'}  {'error-' + str(i):<14} {'1.' + str(i):<12} {'amd64':<12} some words of {i}\n"
        for i in range(60)
    )
)
SYSTEMCTL = (
    "  UNIT              LOAD   ACTIVE SUB     DESCRIPTION\n"
    + "".join(f"{'●' if i == 5 else ' '} {f'svc-{i}.service':<17} loaded {'failed' if i == 5 else 'active'} {'failed ' if i == 5 else 'running'} Service {i}\n" for i in range(60))
    + "\nLOAD   = Reflects whether the unit definition was properly loaded.\nACTIVE = The high-level unit activation state.\n60 loaded units listed.\n"
)  # fmt: skip
SAR = (
    "Linux 6.8.0-45-generic (web-1) \t11/22/26 \t_x86_64_\t(8 CPU)\n\n12:00:01 AM     CPU     %user   %system     %idle\n"
    + "".join(f"{1 + i // 6:02}:{i % 6}0:01 AM     all      {i % 9}.06      1.03     95.64\n" for i in range(60))
    + "\n12:00:01 PM     CPU     %user   %system     %idle\nAverage:        all      3.20      1.10     95.60\n"
)
LSBLK = "NAME        MAJ:MIN RM   SIZE RO TYPE MOUNTPOINTS\n" + "".join(
    f"{f'loop{i}':<12}{7:>3}:{i:<3} {0:>2} {'63.9M':>6} {1:>2} loop /snap/core20/{i}\n" for i in range(30)
)
DOCKER = (
    "CONTAINER ID   IMAGE        COMMAND                  CREATED        STATUS                   PORTS                  NAMES\n"
    + "".join(
        f'{i:012x}   nginx:1.27   "/docker-entrypoint.…"   {i % 9 + 2} hours ago    {"Exited (1) 3 hours ago" if i == 9 else "Up 3 hours":<22}   {"" if i == 9 else f"0.0.0.0:{8000 + i}->80/tcp":<20}   web-{i}\n'
        for i in range(60)
    )
)
TOOLS = [
    ("vmstat", PROCS + VMSTAT + PROCS + VMSTAT, 160, 17, {"r": "1", "free": "20000001", "id": "90"}),
    ("apt list", APT, 60, 5, {"name": "distro-info0", "suites": "noble-updates,now", "version": "1.0-1", "architecture": "amd64", "flags": "installed"}),
    ("dpkg -l", DPKG, 60, 5, {"Status": "ii", "Name": "error-1", "Version": "1.1", "Architecture": "amd64", "Description": "some words of 1"}),
    ("systemctl", SYSTEMCTL, 60, 5, {"UNIT": "svc-1.service", "ACTIVE": "active", "DESCRIPTION": "Service 1"}),
    ("sar", SAR, 60, 6, {"time": "01:10:01", "CPU": "all", "%user": "1.06", "%idle": "95.64"}),
    ("lsblk", LSBLK, 30, 7, {"NAME": "loop1", "MAJ:MIN": "7:1", "SIZE": "63.9M", "MOUNTPOINTS": "/snap/core20/1"}),
    ("docker ps", DOCKER, 60, 7, {"CREATED": "3 hours ago", "PORTS": "0.0.0.0:8001->80/tcp", "NAMES": "web-1"}),
    ("bars without a header", "".join(f"{i}|alice|5|ok\n" for i in range(60)), 60, 4, {"column 2": "alice", "column 4": "ok"}),
    ("a column of numbers", "".join(f"{i}\n" for i in range(2_000)), 2_000, 1, {"value": "1"}),
    ("helm", "NAME \tREVISION\tSTATUS  \n" + "".join(f"r{i:<4}\t{i:<8}\tdeployed\n" for i in range(60)), 60, 3, {"NAME": "r1", "STATUS": "deployed"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "rows", "width", "second"), [case[1:] for case in TOOLS], ids=[case[0] for case in TOOLS]
)
def test_what_system_tools_print(text: str, rows: int, width: int, second: dict[str, str]) -> None:
    out = outline(text)
    assert out.total == rows
    assert len(columns(text)) == width
    assert second.items() <= values(text, 2).items()
    assert paginate(text, limit=5).total_count == rows


BAR = "{:3}%|█████     | {}/1000 [00:01<00:02, 20.0it/s]"


@pytest.mark.parametrize(
    "text",
    [
        ("".join(f"\r{BAR.format(p, p)}" for p in range(100)) + "\n") * 8,
        "".join(BAR.format(p, p) + "\n" for p in range(100)),
        "".join(f"   ━━━━━╸━━━━ {p}.0/99.0 MB 10.1 MB/s eta 0:00:01\r" for p in range(100)) + "\n",
        "".join(f"{i}|    x = a | b\n{i + 1}|    return x\n{i + 2}|\n" for i in range(1, 200, 3)),
    ],
    ids=["tqdm", "tqdm a line each", "pip", "numbered code"],
)
def test_bars_that_are_no_table(text: str) -> None:
    assert detect(Source.of_text(text)).content_type != "table"


@pytest.mark.parametrize(
    "text", ["a,b\n", "a,b\n1,2\n", '"id","v"\n"\n","\n1\n"\n', "x y\n1 2\n", "word\nother\nthird\n"]
)
def test_a_forced_table_is_one_wherever_there_is_a_delimiter(text: str) -> None:
    source = Source.of_text(text)
    units = [unit for unit in records(source, "table") if unit.number]
    assert all(unit.kind == "table" for unit in units)
    if units:
        assert TYPE.outline(source, Hints()).total == len(units)


def test_a_header_longer_than_what_is_looked_at() -> None:
    contigs = "".join(f"##contig=<ID=HLA-A*{i},length=3002>\n" for i in range(3_000))
    text = "##fileformat=VCFv4.2\n" + contigs + CHROM + VCF_ROWS
    out = outline(text)
    assert out.total == 90
    assert "##contig ×3,000" in said(out)
    assert values(text, 2)["FORMAT and samples"] == "GT:GQ\t0|0:48\t1|0:51"
    reads = "@HD\tVN:1.6\n" + "".join(f"@SQ\tSN:c{i}\tLN:300200\n" for i in range(4_000))
    assert outline(reads + SAM_ROWS).total == 80


def test_reads_without_tags_are_not_ragged() -> None:
    bare = SAM_ROWS.replace("\tNM:i:0\n", "\n")
    out = outline(bare)
    assert out.total == 80
    assert not out.notes


def test_a_pdb_file_is_no_table_and_says_its_title() -> None:
    head = f"{'HEADER':10}{'OXYGEN TRANSPORT':40}07-MAR-84   4HHB\nTITLE     DEOXYHAEMOGLOBIN AT 1.74 ANGSTROMS\n"
    atoms = "".join(f"ATOM  {i:5}  CA  ALA A{i:4}    {i / 7:8.3f}{i / 3:8.3f}{i / 9:8.3f}  1.00 20.00           C\n"
                    for i in range(1, 600))  # fmt: skip
    text = compact(head + atoms, budget=300).text
    assert "DEOXYHAEMOGLOBIN AT 1.74 ANGSTROMS" in text and "columns" not in text


@pytest.mark.parametrize("budget", [150, 300])
@pytest.mark.parametrize(
    "head",
    [
        "HEADER    OXYGEN TRANSPORT                        13-DEC-97   1A3N\n"
        "TITLE     A GLOBIN IN ITS DEOXY FORM\nCOMPND    MOL_ID: 1;\nREMARK   2 RESOLUTION.    1.80 ANGSTROMS.\n",
        "data_1A3N\n#\nloop_\n_citation.id\n_citation.year\n" + "".join(f"{i} {1900 + i}\n" for i in range(60)) + "#\n"
        "_struct.entry_id 1A3N\n_struct.title\n'A GLOBIN IN ITS DEOXY FORM'\n#\n",
    ],
    ids=["pdb", "mmcif"],
)
def test_the_title_of_a_structure_is_shown_at_every_budget(head: str, budget: int) -> None:
    atoms = "".join(f"ATOM  {i:5}  CA  ALA A{i:4}    {i * 7919 % 997 / 7:8.3f}{i / 3:8.3f}{i * 31 % 89 / 9:8.3f}  C\n"
                    for i in range(1, 600))  # fmt: skip
    assert "A GLOBIN IN ITS DEOXY FORM" in compact(head + atoms, budget=budget, threshold=budget).text


def test_a_list_of_packages_is_told_by_how_names_begin_and_by_versions_of_another_origin() -> None:
    names = [f"lib{word}{n}" for word in ("alpha", "brass", "cedar", "delta") for n in range(40)]
    names += [f"python3-tool{n:02}" for n in range(30)] + [f"{a}{b}tool" for a in "efghkmnorst" for b in "aeiou"]
    odd = {"libbrass7": "4.1~bpo12+1", "gotool": "20.1-1vendorsource1"}
    rows = [
        f"ii  {name:24}{odd.get(name, f'1.{n % 9}.{n}-{n % 4}+deb12u{n % 3}'):28}amd64        the part {name} of it"
        for n, name in enumerate(sorted(names))
    ]
    head = "||/ Name                    Version                     Architecture Description"
    rule = "+++-=======================-===========================-============-======================"
    text = compact("\n".join(["Desired=Unknown/Install", head, rule, *rows]) + "\n", budget=500, threshold=100).text
    assert "by Name: lib* 160 · python3-tool* 30 · 55 other rows" in text
    assert "Version: vendorsource" in text
    assert "Version: bpo" in text
    assert all(f"|{name}|{version} ←" in text for name, version in odd.items())
    assert text.count("|lib") == 2 and "|libalpha0|" in text and text.count("tool|") > 10 and "|the part" not in text
    assert not re.search(r"Version: \d+ shapes", text)


def test_letters_of_a_hash_in_a_version_are_no_word() -> None:
    rows = [f"ii  pack{n:03}  2.{n}.0-{n}harbour{n}  all  some words" for n in range(90)]
    rows[30] = "ii  pack030  20.2-45-g5f7825e2-0harbour1  all  some words"
    rows[60] = "ii  pack060  2.1.5+deb1+cvs20081104-13harbour1  all  some words"
    head = DPKG[: DPKG.index("ii ")] if "ii " in DPKG else ""
    text = compact(head + "\n".join(rows) + "\n", budget=400, threshold=100).text
    assert "Version: " not in text, text


def of_bed(*more: str) -> str:
    rows = ["chr1\t{a}\t{b}\tgene{n}\t0\t+" + "".join(f"\t{cell}" for cell in more)] * 60
    return "".join(row.format(n=n, a=9 * n, b=9 * n + 50) + "\n" for n, row in enumerate(rows, 1))


@pytest.mark.parametrize(
    ("more", "kind", "named"),
    [
        (("{a}", "{b}", "255,0,0", "2", "5,5,", "0,45,"), "BED: 60 rows, 12 columns", 12),
        (("{a}", "{b}", "0"), "BED: 60 rows, 9 columns", 9),
        (("3", "49", "50", "0.98"), "BED6+4: 60 rows, 10 columns", 6),  # bedtools coverage
        (("chr1", "7", "90", "gene9", "0", "-", "42"), "BED6+7: 60 rows, 13 columns", 6),  # bedtools intersect -wo
    ],
)
def test_columns_have_names_of_bed_only_where_their_values_are_of_its_types(
    more: tuple[str, ...], kind: str, named: int
) -> None:
    assert kind in said(outline(of_bed(*more)))
    names = columns(of_bed(*more))
    assert [n for n, name in enumerate(names) if name.startswith("column ")] == [*range(named, 6 + len(more))]


def test_a_position_and_a_figure_of_it_are_no_bed() -> None:
    text = "".join(f"chr2\t{n}\t{n % 6}\n" for n in range(1, 90))
    assert "BED" not in said(outline(text))
    assert "chromEnd" not in columns(text)


def test_comments_between_rows_are_no_rows_and_may_name_the_columns() -> None:
    head = "# BLASTN 2.12.0+\n# Query: q{n}\n# Database: parts\n# Fields: query, subject, % identity\n# 9 hits found\n"
    rows = "".join(f"q{{n}}\tchr{i}\t{90 + i}.000\n" for i in range(1, 10))
    text = "".join((head + rows).format(n=n) for n in range(1, 9)) + "# BLAST processed 8 queries\n"
    out = said(outline(text))
    assert "72 rows, 3 columns" in out
    assert "not 3 cells" not in out
    assert "lines that are no rows: # ×17, # Query ×8, # Database ×8, # Fields ×8" in out
    assert columns(text) == ["query", "subject", "% identity"]
    assert values(text, 10)["query"] == "q2"


def test_the_footer_of_unaligned_rows_is_no_row() -> None:
    text = "id|status|amount\n" + "".join(f"{n}|paid|{n}.50\n" for n in range(1, 61)) + "(60 rows)\n"
    out = said(outline(text))
    assert "60 rows, 3 columns" in out
    assert "not 3 cells" not in out
    assert list(records(Source.of_text(text), "table"))[-1].raw == b"60|paid|60.50\n"


def test_of_descriptors_threads_and_inodes_no_mean_and_no_sum_is_said() -> None:
    rows = "".join(f"{100 + n},{200 + 7 * n % 90},{n * 31 % 97},{9000 + 17 * n % 800}\n" for n in range(90))
    out = said(outline("PID,TID,FD,NODE\n" + rows))
    assert "mean" not in out
    assert "sum" not in out


def test_a_share_is_a_column_of_a_list_of_processes() -> None:
    rows = "".join(
        f"root {n:9} {'31.4' if n == 77 else '0.0':>4} {n * 977 % 4001:6} {n * 311 % 997:5} {n % 7:02}:00 worker --queue {n}\n"
        for n in range(1, 110)
    )
    text = "USER       PID %CPU    VSZ   RSS START COMMAND\n" + rows
    header = outline(text).header
    assert "%CPU" in header


def test_a_dump_is_cut_off_only_where_its_end_is_seen() -> None:
    text = "".join(f"INSERT INTO \"t\"(id,name) VALUES({n},'{'part' * 20}');\n" for n in range(1, 1200))
    assert "cut off" not in detect(Source.of_text(text)).why


def test_values_that_each_record_has_are_told_in_their_order() -> None:
    named = ("id", "code", "amount")
    rows = [{"at": n * 37 % 89, "field": [{"name": name, "text": f"{name}{n}"} for name in named]} for n in range(200)]
    text = compact(json.dumps(rows), budget=1_000, threshold=100).text
    assert "in each record id, code, amount" in text


def shown(text: str, budget: int = 700) -> str:
    return str(compact(text, budget=budget, threshold=budget, store=None).text)


def test_single_quotes_around_texts_are_no_part_of_them() -> None:
    rows = "".join(
        f"{i},'user{i}','it''s, so',NULL\n" if i % 7 == 0 else f"{i},'user{i}','',2.5\n" for i in range(1, 200)
    )
    text = f"'id','name','note','price'\n{rows}"
    assert values(text, 7) == {"id": "7", "name": "user7", "note": "it's, so", "price": "NULL"}
    assert "cells" not in said(outline(text))


def test_a_bare_delimiter_in_a_cell_is_told_where_one_cell_alone_may_hold_it() -> None:
    lines = [f"{i}|open|{i}.5|{'a|b' if i % 9 == 0 else ''}|2026-03-{i % 28 + 1:02}" for i in range(1, 200)]
    out = outline("id|state|price|note|created\n" + "\n".join(lines) + "\n")
    assert "unquoted '|' in note of 22 rows (line 10, 19, 28, 37, 46, +17 more)" in out.notes
    assert not any("cells" in note for note in out.notes)
    assert any(item.text.startswith("#9|9|") and "a\\|b|2026-03-10" in item.text for item in out.items)
    doubtful = "".join(f"{i}|x{i}|y{i}{'|z' * (i % 9 == 0)}\n" for i in range(1, 200))
    assert any("22 rows have not 3 cells" in note for note in outline(f"id|one|two\n{doubtful}").notes)


def test_rows_that_pandas_numbers_have_an_index() -> None:
    lines = [f"{i:<4}{'ab'[i % 2] * 4:>8}{i + 0.5:>9.2f}{'NaN' if i % 3 else 'x y':>8}" for i in range(90)]
    text = f"    {'city':>8}{'rate':>9}{'note':>8}\n" + "\n".join(lines) + "\n"
    assert columns(text) == ["index", "city", "rate", "note"]
    assert outline(text).total == 90


def test_the_longest_of_several_expanded_results_is_read_and_the_others_are_told() -> None:
    first = "".join(f"-[ RECORD {i} ]--\npid   | {i}\nstate | idle\n" for i in range(1, 4))
    text = f"{first}\n{EXPANDED}"
    out = outline(text)
    assert (out.total, values(text, 7)["name"]) == (90, "user7")
    assert "another table, from line 1 on, pid, state: 3 rows" in said(out)
    assert "-[" not in shown(text)


def test_paragraphs_of_names_and_values_are_records() -> None:
    package = (
        "Package: lib{0}\nVersion: 1.{0}-2\nArchitecture: amd64\nDepends: libc6,\n libz{0}\nDescription: does {0}\n"
    )
    text = "\n".join(package.format(i) for i in range(1, 40))
    assert values(text, 7) == {
        "Package": "lib7",
        "Version": "1.7-2",
        "Architecture": "amd64",
        "Depends": "libc6,\nlibz7",
        "Description": "does 7",
    }
    assert "|lib3|" in shown(text) and "|1.3-2" in shown(text)
    assert detect(Source.of_text("Q: who?\nA: he\n\nQ: why?\nA: so\n\nQ: how?\nA: thus\n")).content_type != "table"


SAR_REPORTS = (
    "Linux 6.1.0 (vm)\t11/26/26\t_x86_64_\t(2 CPU)\n\n"
    + "01:00:00        CPU     %user     %idle\n"
    + "".join(f"01:00:{i:02}        all     {i}.50     {90 - i}.50\n" for i in range(1, 30))
    + "Average:        all     15.00     75.00\n\n"
    + "01:00:00    kbmemfree   kbdirty\n"
    + "".join(f"01:00:{i:02}        {i}000        17\n" for i in range(1, 30))
    + "Average:        15000        17\n\n"
    + "01:00:00        IFACE   rxpck/s\n"
    + "".join(f"01:00:{i:02}         eth0      {i}.00\n" for i in range(1, 30))
    + "Average:         eth0     15.00\n"
)


def test_of_several_reports_of_sar_the_means_are_told() -> None:
    text = shown(SAR_REPORTS)
    assert "sar's report: 29 rows, 4 columns" in text
    assert "Average: all 15.00 75.00" in text
    assert "another table, from line 35 on, kbmemfree, kbdirty: 29 rows: Average: 15000 17" in text
    assert "another table, from line 67 on, IFACE, rxpck/s: 29 rows: Average: eth0 15.00" in text


def test_the_files_of_a_tracefile_are_rows_with_their_sums() -> None:
    file = "TN:\nSF:src/m{0}.c\nFN:3,run\nFNDA:{1},run\nFNF:1\nFNH:{1}\nDA:3,{1}\nDA:4,0\nLF:2\nLH:{1}\nend_of_record\n"
    text = "".join(file.format(i, int(i == 9)) for i in range(1, 40))
    out = outline(text)
    assert out.total == 39 and not out.notes
    assert "in all: FNF 39, FNH 1, LF 78, LH 1" in said(out)
    assert values(text, 9)["SF"] == "src/m9.c"


def test_names_with_long_numbers_head_plain_numbers() -> None:
    """Genes, variants and samples are named so: rs4680, ENSG00000139618."""
    genes = [f"ENSG{n:011}" for n in (139618, 12048, 141510, 146648)]
    rows = [f"TCGA-{n}," + ",".join(f"{(n * k) % 97 / 10}" for k in (3, 7, 11, 13)) for n in range(200)]
    text = "\n".join(["sample," + ",".join(genes), *rows])
    shown = compact(text, budget=400, threshold=100).text
    assert "CSV: 200 rows, 5 columns" in shown and f"\n#|sample|{'|'.join(genes)}" in shown
    assert "column 2" not in shown


@pytest.mark.parametrize("tabs", [False, True])
def test_a_log_that_names_its_fields_is_a_table_of_them(tabs: bool) -> None:
    by = "\t" if tabs else " "
    names = ["date", "time", "c-ip", "cs-method", "cs-uri-stem", "sc-status", "time-taken"]
    rows = [
        [
            "2026-02-09",
            f"16:44:{n:02}",
            f"10.0.0.{n % 5}",
            "GET",
            f"/yard/{n}.htm",
            "500" if n in (7, 31) else "200",
            str(n * 3),
        ]
        for n in range(60)
    ]
    head = ["#Software: yard 6.0", "#Version: 1.0", f"#Fields: {' '.join(names)}"] if not tabs else ["#path\thttp"]
    head += [f"#fields\t{by.join(names)}", "#types\t" + "\t".join(["string"] * 7)] if tabs else []
    made = compact("\n".join([*head, *map(by.join, rows), "#close" * tabs]), budget=400, threshold=400)
    assert made.content_type == "table" and "60 rows, 7 columns" in made.text
    assert "500 ×2" in made.text and "|16:44:07|" in made.text and "|16:44:31|" in made.text


def test_figures_that_count_on_name_columns() -> None:
    rows = [[f"Crew {chr(65 + n)}", *(f"0.{500 + (n * 37 + k * 13) % 99}" for k in range(30))] for n in range(20)]
    text = "\n".join("\t".join(row) for row in [["crew", *map(str, range(30))], *rows])
    made = compact(text, budget=400, threshold=400, store=None)
    assert "20 rows, 31 columns" in made.text and "#|crew|0|1|2|" in made.text
    counts = [[f"Crew {chr(65 + n)}", *map(str, range(n, n + 30))] for n in range(20)]
    made = compact("\n".join("\t".join(row) for row in counts), budget=400, threshold=400, store=None)
    assert "20 rows, 31 columns" in made.text
