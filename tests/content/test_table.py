"""Tables: their layout, what is said of them, what stands out, exact anchors, nothing lost."""

from __future__ import annotations

import csv
import io
import os
import random
import re
from contextlib import suppress
from pathlib import Path

import pytest
from decoders import unsqueeze
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.quantities import measure_of, read
from mcpcompact.content.columns.wording import _number_sentence
from mcpcompact.content.table import TYPE
from mcpcompact.content.table import layout as tablelayout
from mcpcompact.content.table.layout import squeeze
from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Outline
from mcpcompact.source import Sample, Source

CORPUS = Path(os.environ.get("MCPCOMPACT_CORPUS", Path(__file__).parents[3] / "shared" / "corpus"))


def outline(text: str) -> Outline:
    return TYPE.outline(Source.of_text(text), Hints())


def sniff(text: str) -> float:
    return TYPE.sniff(Sample(Source.of_text(text))).score


def said(out: Outline) -> str:
    return "\n".join([*(f.text for f in out.facts), *out.notes])


def kept(out: Outline) -> dict[int, str]:
    return {i.start: f"{i.text} ← {i.reason}" for i in out.items if i.keep}


PODS = """\
NAME                        READY   STATUS             RESTARTS      AGE
web-7d4b9c6f5-x2x9z         1/1     Running            0             5d12h
web-7d4b9c6f5-k8k2l         1/1     Running            0             5d12h
worker-0                    0/1     CrashLoopBackOff   17 (2m ago)   3h
cache-6f7c8                 1/1     Running            2             41d
"""

DF = """\
Filesystem     1K-blocks      Used Available Use% Mounted on
/dev/sda1       51474912  31204812  17632276  64% /
tmpfs            8123456         0   8123456   0% /dev/shm
/dev/sdb1      103081248  98765432         0 100% /var/lib/docker
"""

PSQL = """\
 id |  name  | balance
----+--------+---------
  1 | alice  |   12.50
  2 | bob    |   99.10
  3 | carol  |    0.00
(3 rows)
"""

BOX = """\
+----+-------+------+
| id | name  | size |
+----+-------+------+
|  1 | alpha |   10 |
|  2 | beta  |   20 |
|  3 | gamma |   30 |
+----+-------+------+
"""

MARKDOWN = """\
| Job | Owner | Seconds |
|-----|:-----:|--------:|
| load | ann | 12 |
| push \\| pull | bob | 14 |
| evict | cay | 9 |
"""


@pytest.mark.parametrize(
    ("text", "rows", "header", "second"),
    [
        (PODS, 4, "#|NAME|STATUS|READY|RESTARTS|AGE", "web-7d4b9c6f5-k8k2l"),
        (DF, 3, "", "tmpfs"),
        (PSQL, 3, "#|id|name|balance", "#2|2|bob|99.10"),
        (BOX, 3, "#|id|name|size", "#2|2|beta|20"),
        (MARKDOWN, 3, "", "push \\| pull"),
        ("a,b\n1,2\n3,4\n5,6\n", 3, "#|a|b", "#2|3|4"),
        ("a\tb\n1\t2\n3\t4\n5\t6\n", 3, "#|a|b", "#2|3|4"),
        ("a;b\n1;2,5\n3;4,5\n5;6,5\n", 3, "#|a|b", "#2|3|4,5"),
        ("id|name|v\n1|x|3\n2|y|4\n3|z|5\n", 3, "#|id|name|v", "#2|2|y|4"),
    ],
)
def test_layouts(text: str, rows: int, header: str, second: str) -> None:
    assert sniff(text) >= 0.6
    out = outline(text)
    assert out.total == rows
    assert sorted(out.header.split("|")) == sorted(header.split("|")) if header else True
    assert second in out.items[1].text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "one line, with commas, only\n",
        "There were 12, 14 and 90 boats, in order, during 1901, 1902 and 1904.\n" * 3,
        "Hello there, this is prose.\nIt has commas, as prose does, and goes on.\nStill prose, nothing else, really.\n",
        "We went home, and it was late, so we slept.\nThe morning came, and it was cold, so we stayed.\n" * 5,
        "2026-11-01 10:00:00,123 INFO [main] started, ok\n2026-11-01 10:00:01,124 INFO [main] done, ok\n" * 5,
        "20171223-22:15:29:606|Step|30002312|onStandStepChanged 3579\n20171223-22:15:29:615|Step|30002312|x 2\n" * 5,
        "2026-11-01 10:00:00 | INFO | web | started\n2026-11-01 10:00:01 | WARN | web | slow\n" * 5,
        "src/a.py:12:    foo(a, b)\nsrc/a.py:19:    bar(a, b)\nsrc/b.py:3:    baz(c, d)\n",
        "# Title\n\nSome prose about a thing.\nMore prose here, and there.\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nAnd much more prose.\n"
        "Prose\nprose\nprose again\nand again\nand on\n",
        "def f(a, b):\n    return g(a, b)\n\ndef h(a, b):\n    return f(b, a)\n",
        '{"a": 1, "b": 2}\n{"a": 2, "b": 3}\n{"a": 3, "b": 4}\n',
        "import os, sys\nimport re, json\nimport a, b\n",
        "100644 blob 3f9c1a2b\tsrc/a.py\n100644 blob 9f9c1a2b\tsrc/b.py\n100644 blob 5f9c1a2c\tsrc/c.py\n",
        "name\nalice\nbob\ncarol\n",
    ],
)
def test_look_alikes_are_no_tables(text: str) -> None:
    assert sniff(text) < 0.7


@given(st.text(max_size=200) | st.text(alphabet='a,;|\t"\n 1-+', max_size=120))
@settings(max_examples=200, deadline=None)
def test_nothing_but_input_errors_and_spans_partition(text: str) -> None:
    assert 0 <= sniff(text) <= 1
    with suppress(InputError):
        outline(text)
    assert "".join(text[a:b] for a, b in TYPE.spans(text)) == text


def test_a_csv_of_one_column_by_request() -> None:
    out = outline("name\nalice\nbob\nbob\n")
    assert out.total == 3 and "bob" in out.items[1].text


def test_quoted_line_breaks_and_delimiters() -> None:
    text = 'id,note,n\n1,"first\nsecond, still",3\n2,"say ""hi""",4\n3,plain,5\n4,x,6\n'
    out = outline(text)
    assert out.total == 4
    assert "first\\nsecond, still" in out.items[0].text and 'say "hi"' in out.items[1].text
    spans = [text[a:b] for a, b in TYPE.spans(text)]
    assert spans[1] == '1,"first\nsecond, still",3\n' and len(spans) == 5


def test_a_line_break_in_every_row() -> None:
    text = "id,note,who\n" + "".join(f'{i},"first\nsecond, line",Berg\n' for i in range(30))
    assert sniff(text) > 0.8 and outline(text).total == 30


def test_ragged_rows_are_said_with_their_lines_and_kept() -> None:
    lines = ["a,b,c", *(f"{i},{i % 3},x" for i in range(60))]
    lines[21] = "20,1"
    lines[41] = "40,1,x,y,z"
    out = outline("\n".join(lines) + "\n")
    assert "2 rows have not 3 cells (line 22, 42)" in said(out)
    assert {21, 41} <= set(kept(out))
    assert out.total == 60


def test_units_are_parsed_for_statistics_and_shown_verbatim() -> None:
    rng = random.Random(2)
    rows = [
        (f"pod-{i}", f"{rng.randint(100, 300)}Mi", f"{rng.randint(2, 60)}%", f"{rng.randint(1, 9)}d") for i in range(80)
    ]
    rows[33] = ("pod-33", "64Gi", "45%", "3d")
    text = "NAME      MEMORY    CPU%    AGE\n" + "".join(f"{a:<10}{b:<10}{c:<8}{d}\n" for a, b, c, d in rows)
    out = outline(text)
    assert out.total == 80
    assert "64Gi" in kept(out)[34]
    assert "Mi" in next(f.text for f in out.facts if f.text.startswith("MEMORY"))


def measured(cells: list[str]) -> str:
    """What the numbers of a column come to, however few of them there are."""
    column = Column("v", ("v",))
    column.measure = measure_of(cells)
    if column.measure is None:
        return ""
    found = [column.measure.number(cell) for cell in cells]
    column.add_written(cells, [number for number in found if number is not None], range(1, len(cells) + 1))
    return _number_sentence(column, "", 0)[1]


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        (["12", "14"], "12 to 14, median 13, mean 13, sum 2,600"),
        (["1.10", "-3.5"], "-3.5 to 1.10, median -1.2, mean -1.2, sum -240"),
        (["1,234,567", "7"], "7 to 1,234,567, median 617,287"),
        (["45%", "5%"], "5% to 45%, median 25%, mean 25%"),
        (["250m", "100m"], "100m to 250m, median 175m, mean 175m"),
        (["$1,200.50", "$9.99"], "$9.99 to $1,200.50, median $605.245, mean $605.2, sum $121,049"),
        (["978ms", "4s"], "978ms to 4s, median 2.489s"),
        (["12m", "5d3h"], "12m to 5d3h, median 2.567d"),
        (["500Mi", "1.5Gi"], "500Mi to 1.5Gi, median 1,018Mi"),
        (["988MHz", "1.0GHz"], "988MHz to 1.0GHz, median 994MHz"),
        (["900M", "1.2G"], "900M to 1.2G, median ≈1.039G"),
    ],
)
def test_numbers_are_compared_in_one_unit_and_shown_as_written(cells: list[str], wanted: str) -> None:
    assert measured(cells * 100).startswith(f"v: {wanted}")


@pytest.mark.parametrize("cells", [["100M", "5m"], ["2", "250m"], ["1100M", "1.0G"], ["10V", "5W"], ["3h", "4MB"]])
def test_units_that_cannot_be_compared_give_no_range(cells: list[str]) -> None:
    assert measured(cells * 100) == ""
    rows = "".join(f"x{i * 7919 % 1000},{cells[i % 2]}\n" for i in range(200))
    text = said(outline("id,v\n" + rows)).replace("×", "")
    assert "v: " + " · ".join(f"{cell} 100" for cell in sorted(cells)) in text


@pytest.mark.parametrize("seed", range(9))
def test_loud_outlier_and_rare_are_kept_verbatim(seed: int) -> None:
    rng = random.Random(seed)
    total = 1_000
    rows: list[list[object]] = [
        [
            f"O-{100_000 + i}",
            rng.choice(["web", "store"]),
            round(rng.lognormvariate(3, 0.4), 2),
            rng.choice(["ok", "sent"]),
            "",
        ]
        for i in range(total)
    ]
    loud, far, rare = rng.sample(range(total), 3)
    rows[loud][3:] = ["failed", "payment declined, ref QX-991"]
    rows[far][2] = 812_345.37
    rows[rare][1] = "telex"
    out = io.StringIO()
    writer = csv.writer(out, delimiter=",;\t"[seed % 3], lineterminator=("\n", "\r\n")[seed % 2])
    writer.writerow(["order", "channel", "amount", "status", "note"])
    writer.writerows(rows)
    assert sniff(out.getvalue()) > 0.9
    made = outline(out.getvalue())
    keeps = kept(made)
    assert made.total == total and len(keeps) <= 8
    assert "QX-991" in keeps[loud + 1] and f"#{loud + 1}|" in keeps[loud + 1]
    assert "amount=812345.37" in keeps[far + 1]
    assert "channel=telex" in keeps[rare + 1]
    assert ("--where", "status=failed") in made.more


def test_a_large_table_is_streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpcompact import source as contract

    rng = random.Random(1)
    lines = ["id,kind,v", *(f"{i},{rng.choice('ab')},{rng.randint(1, 50)}" for i in range(20_000))]
    lines[15_000] = "14999,a,99999"
    path = tmp_path / "big.csv"
    path.write_text("\n".join(lines) + "\n")
    monkeypatch.setattr(contract, "LARGE", 1_000)
    out = TYPE.outline(Source(path=str(path)), Hints())
    assert out.total == 20_000
    assert kept(out)[15_000].startswith("#15000|14999|")
    assert len(out.items) <= 2_100


@given(st.text(alphabet=" ~a1\n", max_size=80) | st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_squeezed_blanks_come_back_byte_for_byte(text: str) -> None:
    assert unsqueeze(squeeze(text)) == text


def test_an_aligned_table_has_a_shorter_lossless_form() -> None:
    text = "NAME" + " " * 40 + "STATUS\n" + "".join(f"pod-{i:<40}Running\n" for i in range(30))
    lossless = outline(text).lossless[0].text()
    assert len(lossless) < len(text) and unsqueeze(lossless) == text


def test_words_across_a_gutter_stay_whole() -> None:
    assert tablelayout.cut("abcdef  x", [0, 4]) == ["abcdef", "x"]
    assert tablelayout.cut("ab  cdefgh", [0, 6]) == ["ab", "cdefgh"]
    assert tablelayout.cut("ab", [0, 6, 9]) == ["ab", "", ""]


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not here")
def test_the_corpus_tables_are_seen_as_tables() -> None:
    for path in sorted((CORPUS / "tool_outputs" / "tables").glob("*.[ct]sv")):
        source = Source(path=str(path))
        assert TYPE.sniff(Sample(source)).score > 0.9, path.name
        text = source.text.rstrip("\n")
        assert TYPE.outline(source, Hints()).total == len(list(csv.reader(io.StringIO(text, newline="")))) - 1, (
            path.name
        )


def test_what_is_printed_around_an_aligned_table_is_told_and_no_row() -> None:
    """A package list in the output of a script that failed: its exit code above, what it printed below."""
    rows = [
        f"{f'pier-{n * 37 % 991}':<30} {n % 9}.{n % 7}.{n % 5:<8} {'/srv/pier' if n == 50 else ''}" for n in range(120)
    ]
    head = ["exitcode: 1 (failed)", f"{'Package':<30} {'Version':<12} Location", f"{'-' * 30} {'-' * 12} {'-' * 20}"]
    out = compact("\n".join([*head, *rows, "Harbour 2160", "No such file."]), budget=400, threshold=0)
    assert out.content_type == "table" and "120 rows, 3 columns" in out.text
    assert "above the header: exitcode: 1 (failed)" in out.text
    assert "below the rows: Harbour 2160 · No such file." in out.text


def _monthly() -> str:
    """Twelve years of a survey, a month a row, with more columns than a row has room for."""
    names = ["month", *(f"sector_with_a_long_name_{n}" for n in range(18)), "change"]
    rows = [
        [f"{2000 + n // 12}-{n % 12 + 1:02}-01", *(str(100 * k + n * (k + 3) % 97) for k in range(18)), str(n % 7 - 3)]
        for n in range(144)
    ]
    return "\n".join(",".join(row) for row in [names, *rows]) + "\n"


def test_every_column_is_named_and_the_newest_rows_come_first() -> None:
    text = compact(_monthly(), budget=1000, threshold=100).text
    for name in (*(f"sector_with_a_long_name_{n}" for n in range(18)), "change"):
        assert re.search(rf"\b{name}\b", text)
    assert text.index("\n2011|12|") < text.index("\n2010|12|")
    assert all(f"#{n}|" in text for n in (1, 144)) and re.search(r"^#\d.* ↓ least change", text, re.M) is None


def test_no_sum_of_parts_with_their_total_or_of_a_figure_that_a_group_repeats() -> None:
    groups = ("All regions", "north", "south", "west")
    parts = [f"{2000 + n},{group},{(n * 37 + len(group)) % 211 + 40}" for n in range(40) for group in groups]
    text = compact("year,region,visits\n" + "\n".join(parts) + "\n", budget=300, threshold=100).text
    assert "sum" not in text
    towns = [f"town{n},{age},{(n * 7 + age * 3) % 17},{1000 + n * 31}" for n in range(30) for age in range(10, 60, 10)]
    text = compact("town,born,visits,dwellers\n" + "\n".join(towns) + "\n", budget=300, threshold=100).text
    assert re.search(r"visits: .* sum \d", text)
    assert not re.search(r"dwellers: .* sum", text)


def test_a_table_whose_cells_are_times_is_no_log() -> None:
    states = ["failed" if n == 20 else "deployed" for n in range(40)]
    times = [f"2025-02-{n % 28 + 1:02} 11:30:00" for n in range(40)]
    rows = [f"app-{n:<5}{time}   {state}" for n, (time, state) in enumerate(zip(times, states, strict=True))]
    aligned = "\n".join(["NAME     UPDATED               STATUS", *rows]) + "\n"
    barred = [f" {n:2} | {time} | {s} | {'x' * (n % 2)}" for n, (time, s) in enumerate(zip(times, states, strict=True))]
    head = [" id |     made_at         | state | note ", "----+---------------------+-------+------"]
    psql = "\n".join([*head, *barred])
    for text in (aligned, psql + "\n(40 rows)\n"):
        result = compact(text, budget=300, threshold=300)
        assert result.content_type == "table"
        assert "failed" in result.text and "40 rows" in result.text


@pytest.mark.parametrize("sign", ["NULL", "-", "N/A", ".", "<unknown>", "", "\\N"])
def test_what_stands_for_no_number_is_missing(sign: str) -> None:
    rows = [f"{n},{sign if n % 5 == 0 else n * 7 % 50}" for n in range(60)]
    out = outline("\n".join(["id,load", *rows]) + "\n")
    called = f"“{sign}”" if sign in ("-", ".") else sign or "empty"
    assert f"({called} 12)" in said(out) and "load: 1 to 49" in said(out)
    assert not [item for item in out.items if "string" in item.reason]
    few = outline("\n".join(["id,load", *rows[1:5], *rows[6:10], *rows[11:15], *rows[16:20], *rows[20:25]]) + "\n")
    assert [item.reason for item in few.items if item.keep] == [f"load is {called}, mostly number"]


def test_missing_in_several_ways() -> None:
    rows = [f"{n},{'-' if n % 5 == 0 else 'N/A' if n % 7 == 0 else n * 3 % 50}" for n in range(60)]
    assert "(missing 19)" in said(outline("\n".join(["id,load", *rows]) + "\n"))


def test_decimal_commas() -> None:
    amounts = [f"{n % 9 + 1}.{n * 37 % 900 + 100},50" for n in range(60)]
    amounts[17] = "-2.345.678,90"
    out = outline(
        "\n".join(["shop;amount;share", *(f"s{n};{a};{n * 7 % 90},5 %" for n, a in enumerate(amounts))]) + "\n"
    )
    assert [item.start for item in out.items if "amount=-2.345.678,90, median 5." in item.reason] == [18]
    assert "share: 0,5 % to 87,5 %, median 41 %, mean 42 %" in said(out)


@pytest.mark.parametrize(
    ("cells", "comma"), [(["1,234", "5,678"], False), (["1,2", "3,4"], False), (["1,25", "3"], True)]
)
def test_where_a_comma_is_decimal(cells: list[str], comma: bool) -> None:
    measure = measure_of(cells * 5)
    assert (measure is not None and measure.comma) == comma


def test_signs_before_money() -> None:
    cells = ["-$1,250.50", "$20.00", "+$3", "€-4", "$-5"]
    assert [found[0] for cell in cells if (found := read(cell))] == [-1250.5, 20, 3, -4, -5]
    assert read("-$-5") is None and read("$") is None


def test_a_title_of_two_words_is_one_column() -> None:
    rows = [f"{n}m{' ' * (11 - len(str(n)))}{'Warning' if n == 9 else 'Normal ':<9}pod/web-{n}" for n in range(30)]
    out = outline("\n".join(["LAST SEEN   TYPE     OBJECT", *rows]) + "\n")
    assert "aligned columns: 30 rows, 3 columns" in said(out) and "|LAST SEEN" in out.header


def test_rows_whose_columns_are_in_another_order_have_names() -> None:
    rows = [f"chr2\ttool\tgene\t{n * 50 + 1}\t{n * 50 + 40}\t.\t+\t.\tID=g{n}" for n in range(40)]
    assert outline("\n".join(rows) + "\n").header.startswith("#|attributes")
    records = [f"-[ RECORD {n} ]--\nid    | {n}\nstate | {'idle' if n % 3 else 'busy'}" for n in range(1, 30)]
    assert outline("\n".join(records) + "\n").header == "#|id|state"


def test_lines_behind_a_tab_are_no_table() -> None:
    lines = [f"\tPier{n}.cs({n},7): warning CS0618: 'Moor{n}()' is obsolete: use Lift() for it" for n in range(30)]
    assert compact("\n".join(lines), budget=300, threshold=100).content_type != "table"


def test_a_sum_says_what_it_leaves_out_and_a_package_is_no_failure() -> None:
    rows = [
        f"{f'{n * 7}/{n}' if n % 40 == 4 else n * 3},{n / 100},{chr(97 + n % 26)}x{chr(97 + n // 26)}"
        for n in range(1, 90)
    ]
    rows[30] = "93,0.31,traceback"
    out = outline("\n".join(["ncalls,tottime,imported package", *rows]) + "\n")
    assert "(without 3 values that are no number)" in said(out)
    assert not any("traceback" in item.reason for item in out.items)


def test_dates_with_an_empty_cell_among_them_are_told_by_one_of_them() -> None:
    rows = [f"{n},name-{n * 7919 % 977},{2020 + n % 5}-{n % 12 + 1:02}-{n % 28 + 1:02}" for n in range(300)]
    rows[78] = "78,name-x,"
    text = compact("\n".join(["id,name,sold", *rows]), budget=600, threshold=0).text
    assert re.search(r"^sold: e\.g\. 20\d\d-\d\d-\d\d, 1 empty", text, re.M) and "sold: 2 shapes" not in text


def test_questions_above_answers_that_come_again_are_the_header() -> None:
    asked = "Under normal circumstances, does a ship that lies at a berth have any obligation to the ship behind it?"
    rows = [
        f"{3000 + n * 7},{('hemp', 'wire')[n % 2]},{('No, it may stay', 'Yes')[n % 2].replace(',', ';')},quay {n % 5}"
        for n in range(90)
    ]
    out = compact("\n".join([f'id,"What rope?","{asked}",Place', *rows]), budget=200, threshold=50).text
    assert "CSV: 90 rows, 4 columns" in out and f"{asked}: " in out, out
    said = "The ship that lies at the berth may stay as long as the tide is in and the harbour master agrees with it"
    out = compact(
        "\n".join([f'id,rope,"{said}"', *(f'{n},r{n},"{said} {n}"' for n in range(40))]), budget=200, threshold=50
    ).text
    assert "41 rows" in out, out
