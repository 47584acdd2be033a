"""What is said of JSON, markup, code and sequences, recomputed by other means."""

from __future__ import annotations

import ast
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from typing import Any

import pytest
from Bio import SeqIO
from Bio.SeqUtils import gc_fraction
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact.content.detect import load
from mcpcompact.outline import Hints
from mcpcompact.source import Source

FEW = settings(max_examples=40, deadline=None)
NAMES = st.from_regex(r"[a-z]{1,6}", fullmatch=True)


def facts(kind: str, text: str) -> str:
    return "\n".join(fact.text for fact in load(kind).outline(Source.of_text(text), Hints()).facts)


def number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    assert found, f"{pattern} is not in {text}"
    return int(found[1].replace(",", ""))


# ---- JSON

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9999, 9999) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(NAMES, inner, max_size=6),
    max_leaves=40,
)


def leaves(value: Any) -> int:
    parts = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    return sum(map(leaves, parts)) or 1


def depth(value: Any) -> int:
    if not isinstance(value, (dict, list)):
        return 0
    return 1 + max(map(depth, value.values() if isinstance(value, dict) else value), default=0)


@FEW
@given(st.lists(VALUES, min_size=1, max_size=6) | st.dictionaries(NAMES, VALUES, min_size=1, max_size=4))
def test_json_values_and_depth(value: Any) -> None:
    said = facts("json", json.dumps(value))
    assert number(r"([\d,]+) values?\b", said) == leaves(value)
    assert number(r"depth ([\d,]+)", said) == depth(value)


@FEW
@given(st.lists(st.dictionaries(NAMES, st.integers(0, 9) | st.text(max_size=3) | st.none(), max_size=5), min_size=3))
def test_json_presence_and_types(rows: list[dict[str, Any]]) -> None:
    said = facts("json", json.dumps({"about": "x", "rows": rows}))
    line = next((line for line in said.split("\n") if line.startswith("rows[]: ")), "")
    kinds = {str: "string", int: "number", type(None): "null"}
    for key, kind, share in re.findall(r"(?<=[:,] )(\w+) ([a-z|]+)(?: ([\d,]+/[\d,]+))?(?=,|$)", line):
        held = [row[key] for row in rows if key in row]
        assert set(kind.split("|")) == {kinds[type(v)] for v in held}
        assert share == (f"{len(held)}/{len(rows)}" if len(held) < len(rows) else "")


# ---- XML and HTML


@st.composite
def trees(draw: st.DrawFn) -> ElementTree.Element:
    root = ElementTree.Element("root")
    open_elements = [root]
    for name in draw(st.lists(st.sampled_from(["item", "name", "error", "b"]), min_size=1, max_size=40)):
        holder = open_elements[draw(st.integers(0, len(open_elements) - 1))]
        element = ElementTree.SubElement(
            holder, name, {"id": str(draw(st.integers(0, 99)))} if draw(st.booleans()) else {}
        )
        element.text = draw(st.sampled_from([None, "x", "a & b", " two words "]))
        open_elements.append(element)
    return root


@FEW
@given(trees())
def test_xml_elements(root: ElementTree.Element) -> None:
    said = facts("markup", '<?xml version="1.0"?>\n' + ElementTree.tostring(root, encoding="unicode"))
    counts = Counter(element.tag for element in root.iter())
    assert number(r"([\d,]+) elements?", said) == counts.total()
    for name, n in counts.items():
        assert n == 1 or f"{name} {n:,}" in said


# ---- sequences


@FEW
@given(st.lists(st.tuples(NAMES, st.text(alphabet="ACGT", min_size=1, max_size=90)), min_size=2, max_size=30))
def test_fasta_as_biopython_counts_it(records: list[tuple[str, str]]) -> None:
    text = "".join(f">{name} note\n{residues}\n" for name, residues in records)
    parsed = list(SeqIO.parse(io.StringIO(text), "fasta"))  # type: ignore[no-untyped-call]
    lengths = sorted((len(record) for record in parsed), reverse=True)
    said = facts("fasta", text)
    assert number(r"([\d,]+) (?:DNA )?sequences", said) == len(parsed)
    assert number(r"sequences, ([\d,]+) nt", said) == sum(lengths)
    if lengths[0] != lengths[-1]:
        assert (
            number(r"length ([\d,]+)(?: \([#\d, ]+\))?–", said) == lengths[-1]
            and number(r"–([\d,]+)[ ,]", said) == lengths[0]
        )
        half = next(n for n, length in enumerate(lengths) if 2 * sum(lengths[: n + 1]) >= sum(lengths))
        assert number(r"N50 ([\d,]+)", said) == lengths[half]
    shown = re.search(r"GC ([\d.]+) %", said)
    share = 100 * gc_fraction("".join(str(record.seq) for record in parsed))  # type: ignore[no-untyped-call]
    assert shown and abs(float(shown[1]) - share) < 0.051
    again = len(parsed) - len({str(record.seq) for record in parsed})
    assert (
        re.search(rf"^{again:,} records? repeats? an earlier sequence", said, re.M)
        if again
        else "no repeated sequence" in said
    )
    ids = len(parsed) - len({record.id for record in parsed})
    assert re.search(rf"^{ids:,} records? repeats? an earlier id" if ids else "no repeated id", said, re.MULTILINE)


def test_rna_without_a_u_is_no_dna() -> None:
    text = "".join(f">mir{n}\nUGAGGUAGUAGGUUGUAUAGUU\n" for n in range(200))
    text += "".join(f">no{n}\nACGGACCAGACGGCACAGG{'AC' * n}\n" for n in range(4))
    said = facts("fasta", text)
    assert said.startswith("204 RNA sequences") and "DNA" not in said


GENBANK = """LOCUS       X00001               {length} bp    DNA     circular PLN 01-JAN-2020
DEFINITION  A plastid.
ACCESSION   X00001
VERSION     X00001.1
FEATURES             Location/Qualifiers
     source          1..{length}
                     /organism="Arabidopsis thaliana"
{features}
{residues}
//
"""


def genbank(genes: int, residues: bool) -> str:
    features = "".join(
        f'     gene            complement({n * 100 + 1}..{n * 100 + 90})\n                     /gene="gen{n:03d}"\n'
        f'     CDS             complement({n * 100 + 1}..{n * 100 + 90})\n                     /gene="gen{n:03d}"\n'
        f'                     /product="protein number {n}"\n                     /translation="{"M" * 30}"\n'
        for n in range(genes)
    ).rstrip("\n")
    length = genes * 100
    lines = [f"{at + 1:>9} {'acgtacgtac' * 6}" for at in range(0, length, 60)]
    body = "ORIGIN\n" + "\n".join(lines) if residues else "CONTIG      join(AB000001.1:1..100)"
    return GENBANK.format(length=len(lines) * 60 if residues else length, features=features, residues=body)


def test_genbank_features_are_named_and_found() -> None:
    text = genbank(120, residues=True)
    result = compact(text, budget=1000)
    assert result.content_type == "fasta"
    assert "features: gene 120 · CDS 120 · source 1" in result.text
    assert "named features (120, with the first numbers of their places): gen000 1, gen001 101, " in result.text
    found = compact(text, budget=1000, focus="gen077").text
    assert "CDS gen077 complement(7701..7790) product=protein number 77; translation=30 aa" in found


def test_a_record_without_residues_shows_none() -> None:
    text = genbank(20, residues=False)
    said = compact(text, budget=1000, threshold=100).text
    assert "gives its length only, no residues" in said and "2,000 nt" in said
    assert "NNNN" not in said and "ambiguous" not in said and "empty:" not in said


# ---- code


@st.composite
def modules(draw: st.DrawFn) -> str:
    out = ['"""Doc."""', "import os", ""]
    for n in range(draw(st.integers(2, 12))):
        if draw(st.booleans()):
            out += [f"class Kind{n}:"]
            for m in range(draw(st.integers(1, 4))):
                out += [f"    def run{m}(self, a):", f"        return a + {m}", ""]
        else:
            out += [
                f"def make{n}(a, b=None):",
                "    if a:",
                f"        return os.path.join(a, '{n}')",
                "    return b",
                "",
            ]
    return "\n".join(out)


@FEW
@given(modules())
def test_python_definitions_as_ast_finds_them(source: str) -> None:
    outline = load("code").outline(Source.of_text(source), Hints())
    said = "\n".join(fact.text for fact in outline.facts)
    defined = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.ClassDef, ast.FunctionDef))]
    assert outline.parts.get("signatures", 0) == len(defined)
    for node in ast.parse(source).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            kind = "class" if isinstance(node, ast.ClassDef) else "def"
            match = re.search(rf"{kind} {node.name} (\d+)–(\d+)", said)
            assert match is None or (int(match[1]), int(match[2])) == (node.lineno, node.end_lineno)


KINDS = {
    "numbers": ("\n".join(map(str, range(1, 2001))), "table", "2,000 rows"),
    "columns": ("\n".join(f"{n}|alice|{n * 7919 % 100}|ok" for n in range(1, 400)), "table", "399 rows"),
    "python": ("import os\n# TODO: x\n" + "\n".join(f"v{n} = {n}" for n in range(200)), "code", "Python"),
}


@pytest.mark.parametrize("name", KINDS)
def test_kinds_are_what_they_are(name: str) -> None:
    text, kind, said = KINDS[name]
    result = compact(text + "\n", budget=150, threshold=100)
    assert result.content_type == kind and said in result.text and "lines of code" not in result.text


@pytest.mark.parametrize(
    "text",
    [
        "".join(f'item {{\n  id: {n}\n  name: "n{n}"\n}}\n' for n in range(300)),
        "// settings\n{\n" + "".join(f"  key{n}: 'v{n}', // note\n" for n in range(300)) + "}\n",
        "".join(f"NAME: value{n}\nSTATUS: ok\nZONE: z{n}\n" for n in range(300)),
        "".join(f"v{n} = {n}\n" for n in range(300)),
    ],
    ids=["protobuf text", "JSON5", "settings", "assignments"],
)
def test_no_language_without_a_line_that_only_it_has(text: str) -> None:
    shown = compact(text, budget=150, threshold=100).text
    assert not any(language in shown for language in ("YAML", "GraphQL", "Terraform", "Protobuf"))


def told_of(text: str) -> tuple[str, str]:
    made = compact(text, budget=500, threshold=500)
    return made.content_type, made.text


def test_what_time_a_process_took_is_no_stamp() -> None:
    rows = [f"root  {n * 37:>10} {n:>5}  0 22:42 ?        00:00:{n % 60:02} bash sweep {n}" for n in range(90)]
    head = "UID          PID  PPID  C STIME TTY          TIME CMD"
    kind, text = told_of("\n".join([head, *rows]))
    assert kind == "table" and "not in order" not in text


def test_comments_at_the_front_make_no_markdown() -> None:
    lines = ["", "# Scanning the shelves to find the largest", "# and averages of each kind.", "# Use -i to pause.", ""]
    lines += [f"[{n:02}.00%] Largest shelf found so far 'oak:{n}' with {n * 7} boards" for n in range(60)]
    assert "Markdown" not in told_of("\n".join(lines))[1]


def test_the_same_key_line_after_line_is_no_yaml() -> None:
    lines = [row for n in range(60) for row in (f"shelf-{n}", *(f"  Depends: libboard{k}" for k in range(5)))]
    assert told_of("\n".join(lines))[0] == "text"


def test_two_files_side_by_side_are_no_program() -> None:
    rows = [f"from shelf{n} import board{n}".ljust(60) + (">" if n % 3 else " ") for n in range(90)]
    rows[0] = "import time".ljust(60) + "<"
    assert told_of("\n".join(rows))[0] == "text"


def test_what_du_counts_above_others_is_not_alone() -> None:
    rows = [f"{n % 90 + 4}K\t/usr/share/oak{n % 40}/elm{n}" for n in range(200)]
    text = told_of("\n".join([*rows, "900K\t/usr/share/oak7", "9.9M\t/usr/share"]))[1]
    assert "the only one under" not in text
    assert "9.9M\t/usr/share" in text and "900K" in text


def test_directories_of_a_long_listing_are_counted_where_they_stand() -> None:
    rows = [f"{n:>7} 4 drwxr-xr-x 2 root root 4096 Nov 26 22:56 /srv/d{n}" for n in range(60)]
    rows += [f"{n:>7} 4 -rw-r--r-- 1 root root {n * 3} Nov 26 22:56 /srv/d1/f{n}" for n in range(60)]
    assert "Listing: 120 entries, 60 directories among them" in told_of("\n".join(rows))[1]


def test_what_has_no_state_is_said() -> None:
    rows = [f" delete mode 100644 src/f{n}.py" for n in range(2)] + [f"M\tsrc/m{n % 9}/f{n}.py" for n in range(80)]
    assert "M 80 · no state 2" in told_of("\n".join(rows))[1]


def test_what_a_debugger_and_valgrind_found_stands() -> None:
    frames = [
        row for n in range(40) for row in (f"#{n + 1}  0x00005555 in sweep (k={n}) at shelf.c:{n + 9}", "        r = 0")
    ]
    crashed = 'Thread 1 "shelf" received signal SIGSEGV, Segmentation fault.'
    text = told_of("\n".join([*(f"[New Thread {n}]" for n in range(60)), crashed, *frames]))[1]
    assert crashed in text
    lost = [
        row
        for n in range(40)
        for row in (f"==77== {n} bytes in 1 blocks are still reachable", "==77==    at 0x48: sweep", "==77== ")
    ]
    text = told_of("\n".join(["==77== Memcheck", *lost, "==77== Invalid write of size 4", *lost]))[1]
    assert "==77== Invalid write of size 4" in text


def test_the_tables_of_a_statistical_model_are_no_markdown_and_its_error_is_shown() -> None:
    table = "x   1.9{n}  0.0{n}  25.5 <2e-16 ***"
    model = ["model {n}", "", "Call:", "lm(formula = y ~ x)", "", "Coefficients:", "     Est    Err", table, "---", ""]
    lines = [line.format(n=n) for n in range(30) for line in model]
    text = "\n".join([*lines, "Warning message:", "NaNs in 7 ", "Error in f(n - 1) : bad value 12", "Calls: f ... f"])
    found = compact(text, budget=300, threshold=0)
    assert found.content_type == "text"
    assert "Error in f(n - 1) : bad value 12" in found.text


def test_what_a_tool_says_before_its_records_is_no_reason_to_call_them_text() -> None:
    build = [f"till/till.go:{n}:2: undefined: total{n}" for n in range(1, 13)]
    tests = [{"Action": "fail" if n == 80 else "pass", "Package": "till", "Test": f"TestAdds/{n}"} for n in range(90)]
    found = compact("\n".join([*build, *map(json.dumps, tests)]), budget=300, threshold=0)
    assert found.content_type == "records"
    assert "Action=fail" in found.text and "12 lines of 102" in found.text


def test_words_with_which_sentences_begin_are_no_levels() -> None:
    lines = [f"[{n:>5}.{n * 7919 % 1_000_000:06}] usb {n}: new device" for n in range(120)]
    lines += ["[  130.000001] sysrq: Emergency Sync", "[  130.000002] Emergency Sync complete"]
    lines += ["[  131.000001] disk: ERROR no medium"]
    assert ", 1 error." in told_of("\n".join(lines))[1]


def test_errors_that_msbuild_counts_are_not_counted_again() -> None:
    wrong = "C:\\Common.targets(2703,9): error MSB3021: Unable to copy file"
    lines = [f"  Copying file from a{n}.dll to b{n}.dll." for n in range(90)]
    lines += [f"  {wrong} a{n}.dll" for n in range(3)] + ["Build FAILED.", "", *(f"{wrong} a{n}.dll" for n in range(3))]
    text = told_of("\n".join([*lines, "    0 Warning(s)", "    3 Error(s)", "Time Elapsed 00:00:03.11"]))[1]
    assert "3 Error(s)" in text and "4 errors" not in text and "7 errors" not in text


def test_a_directory_is_one_of_those_in_the_one_above_it() -> None:
    def folder(name: str, held: list[dict[str, object]]) -> dict[str, object]:
        return {"name": name, "type": "directory", "children": held}

    def files(many: int) -> list[dict[str, object]]:
        return [{"name": f"f{n}.py", "type": "file"} for n in range(many)]

    yards = [folder(f"yard{n}", files(9 if n else 99)) for n in range(30)]
    tree = [folder("src", [*yards, *files(2)]), folder("docs", files(60))]
    text = told_of(json.dumps(tree, indent=1))[1]
    assert "Entries by directory: src 392 · docs 60 · . 2" in text
    assert "In src/: yard0 99 · . 32 · " in text
