"""Outputs of commands that are laid out: values behind their names, rows in columns without a header of their own."""

from __future__ import annotations

import re
import time
from itertools import pairwise

from mcpcompact import compact

LEGEND = ["Codes : a - lit, b - shut,", *(f"        {sign} - kind of lamp {sign}, as seen" for sign in "cdefghijk")]


def slips(many: int = 60) -> str:
    """Rows that begin with a number, below a header of two lines and above a legend."""
    head = ["Slip    Flags      Gate     Depth", "                   State    of it", "=" * 40]
    rows = [f"{n:<7} Am--x-{n % 3}-  {'shut' if n in (7, 31) else 'open':8} {n * 37 % 90}" for n in range(1, many + 1)]
    return "\n".join([*head, *rows, "=" * 40, *LEGEND])


def page() -> str:
    lines = ["Host Name:            pier", "OS Version:           6.2 build 77", "Owner:                jdoe"]
    lines += [f"Field {chr(97 + n % 26)}{chr(97 + n // 26)} of it:       value {n * 7919}" for n in range(40)]
    lines += [
        "Lamps:                3 installed",
        *(f"                      lamp {n:02}: L{n * 31}" for n in range(90)),
    ]
    lines += ["Rates"] + [f"    Speed {n}{'.' * (30 - len(str(n)))} Supported" for n in range(32)]
    return "\n".join(lines)


def shown(text: str, original: str) -> None:
    """No row lost a value: each line is one of the original, behind its number at most."""
    lines = {line.strip() for line in original.split("\n")}
    for line in text.split("\n")[2:]:
        if line.startswith(("By directory", "Sizes: ")):
            continue
        bare = re.sub(r"^\d+:? ", "", line).split(" … ")[0].strip()
        assert bare in lines or line.strip() in lines, line


def test_states_are_counted_and_few_are_named() -> None:
    out = compact(slips(), budget=400, threshold=100)
    assert "60 lines laid out alike, 4–63; word 3 open 58 · shut 2 (7, 31)" in out.text, out.text


def test_a_word_that_is_in_no_column_is_no_state() -> None:
    rows = [f"{n}  {'far ' * (n % 3)}open  {n * 7}" for n in range(40)]
    assert "word 2" not in compact("\n".join(rows), budget=300, threshold=100).text


def test_a_line_number_is_no_value_of_a_row() -> None:
    original = slips()
    out = compact(original, budget=400, threshold=100).text
    assert "\n4: 1       Am--x-1-  open     37\n   2       Am--x-2-" in out, out
    shown(out, original)


def test_lines_of_a_header_keep_their_columns() -> None:
    out = compact(slips(), budget=400, threshold=100).text
    assert "1 Slip    Flags      Gate     Depth\n                     State    of it" in out, out


def test_counts_before_names_are_no_listing_and_the_total_is_shown() -> None:
    rows = [f"{n * 7 % 31:8} {n * 53 % 997:7} {n * 7919 % 99991:7} file-{n}.out" for n in range(1, 151)]
    rows[59] = f"{5017:8} {4805:7} {999999:7} file-60.out"
    original = "\n".join([*rows, "   24562  360529 4491471 total"])
    out = compact(original, budget=500, threshold=100).text
    assert "Listing" not in out and "24562  360529 4491471 total" in out and rows[59].strip() in out, out
    shown(out, original)


def test_a_size_that_is_the_number_of_its_line_stays() -> None:
    original = "\n".join(f"{n}  src/part{n % 5}/unit_{n}.py" for n in range(1, 200))
    shown(compact(original, budget=500, threshold=100).text, original)


def test_a_page_is_read_from_the_top() -> None:
    original = page()
    out = compact(original, budget=500, threshold=100).text
    assert "\n".join(original.split("\n")[:3]).replace("\n", "\n  ") in out, out
    more = compact(original, budget=1500, threshold=100).text
    assert "lamp 00: L0 … 90 such lines, to line 134" in more
    assert re.search(r"Speed 0\.+ Supported … 32 such lines", more), more


def test_rows_that_go_on_in_a_further_column() -> None:
    rows = [f"10.0.0.{n:<4}  4cf5-{n:04}  {n:<4} dyn   Eth0/{n}\n{' ' * 30}{n * 10}/-" for n in range(1, 90)]
    out = compact("\n".join(["VLAN of a port: see below", "", *rows]), budget=400, threshold=100).text
    assert "89 lines laid out alike, within 3–179" in out and "1 VLAN of a port" in out, out


def test_source_and_sentences_are_no_page() -> None:
    source = "\n".join(f"call_{n}(a  , b);" for n in range(200))
    assert "laid out alike" not in compact(source, budget=300, threshold=100).text


def test_what_an_installation_says_before_its_table_is_no_page() -> None:
    before = [f"remote: Counting objects: {n}% ({n}/100)" for n in range(40)] + [f"data/part{n}.xml" for n in range(30)]
    text = "\n".join([*before, *(f"pair {n}:  a{n} b{n}   freq {n * 7}" for n in range(175))])
    assert "laid out alike" not in compact(text, budget=400, threshold=100).text


def test_rulers_around_headings_of_columns_are_no_document() -> None:
    rule = "=" * 60
    lines = [
        rule,
        "Ports on Slot 1",
        rule,
        "Port          Admin Link Port    Cfg",
        "Id            State      State   MTU",
        "-" * 60,
    ]
    lines += [f"1/1/c{n:<10} {'Down' if n == 9 else 'Up':5} Yes  Up      {9000 + n * 7}" for n in range(40)]
    lines += [rule, "Ports on Slot 2", rule, "Id            State      State   MTU", "-" * 60]
    lines += [f"2/1/c{n:<10} Up    Yes  Up      {9000 + n * 3}" for n in range(20)]
    out = compact("\n".join(lines), budget=400, threshold=100)
    assert out.content_type == "text" and "word 2 Up 39 · Down 1 (1/1/c9)" in out.text, out.text


def test_long_pages_are_quick() -> None:
    began = time.process_time()
    compact("\n".join(f"{n:<8} open   {n * 7919 % 1000:<6} {'x' * 20} lamp {n}" for n in range(20_000)), budget=500)
    assert time.process_time() - began < 4


def test_rows_with_a_line_of_their_own_between_them_are_one_table() -> None:
    rows = [f"b{n:<4}   quay-{n % 7}    {'torn ' if n == 9 else 'whole'}    {n * 37}" for n in range(60)]
    text = "Rope    Quay      State    Length\n" + "\n".join(f"{row}\nrope {n} of crew" for n, row in enumerate(rows))
    out = compact(text, budget=250, threshold=100).text
    assert "60 lines laid out alike, within 2–120; word 3 whole 59 · torn 1 (b9)" in out, out
    assert "rope 0 of crew\n  b1      quay-1    whole    37\n  rope 1 of crew\n" in out, out


def test_tables_below_titles_of_their_own_are_not_one() -> None:
    head = "Rope       Quay      Length\n---------  --------  ------\n"
    rows = {a: [f"{a + '-' + str(n):11}{'quay' + str(n):10}{n * 977}" for n in range(40)] for a in ("north", "west")}
    text = "Ropes of all\n\n" + "\n".join(f"Part {a}\n{head}" + "\n".join(own) for a, own in rows.items())
    out = compact(text, budget=300, threshold=100).text
    assert "Part west\n" in out and "only one" not in out, out
    assert "Ropes of all\n\n" in out and "Part north\n  Rope       Quay      Length\n" in out, out


def costs() -> str:
    """What things cost as a tree under each of them, the same rows in each, their sum and a table below."""
    lines = [" Name                           Number  Unit       Cost", ""]
    for n in range(14):
        lines += [f" quay.mole-{n}", f" ├─ Crane of {n} tons            {n + 30}  hours     ${n}5.00"]
        lines += [" ├─ rope"] * (n % 3 > 0) + [" ├─ oars", " │  └─ Pins                       20  months     $7.15"] * (
            n % 2
        )
        lines += [" │  └─ Strands of it               730  hours     $82.50"] * (n % 3 > 0)
        lines += [
            " └─ Lamps and oil                  730  hours      $3.65",
            "",
        ]
    lines += [" OVERALL TOTAL                                    $4,657.61", "", "─" * 40, "14 things were seen:"]
    return "\n".join(
        [
            *lines,
            "∙ 13 were counted",
            "",
            "┏━━━━━━┳━━━━━━┓",
            "┃ Of   ┃ Cost ┃",
            "┣━━━━━━╋━━━━━━┫",
            "┃ main ┃ $467 ┃",
            "┗━━━━━━┻━━━━━━┛",
        ]
    )


def test_rows_of_a_tree_stand_below_their_branch_and_the_total_stands() -> None:
    out = compact(costs(), budget=400, threshold=100).text
    assert "(×" not in out and "OVERALL TOTAL" in out and "14 things were seen:" in out, out
    assert "┃ Of   ┃ Cost ┃\n" in out and "┃ main ┃ $467 ┃" in out, out
    shown = [re.sub(r"^(?:\d+:? | +)", " ", line) for line in out.split("\n")]
    for above, line in pairwise(shown):
        assert "Strands" not in line or above.startswith(" ├─ rope"), out
    assert "the same in all: Lamps and oil: 730 hours $3.65" in out, out


def test_a_ranking_shows_its_first_rows_and_says_how_it_ends() -> None:
    rows = [
        f"{max(1, 90 - 3 * n):6}\tCrew {chr(97 + n % 26)}{n} <mate{n}@quay{n * 7919 % 97}.example>" for n in range(200)
    ]
    out = compact("\n".join(rows), budget=400, threshold=100).text
    assert "word 1 falls from 90 to 1 (170 lines from 31 on)" in out, out
    numbers = [int(n) for n in re.findall(r"Crew [a-z](\d+) ", out)]
    assert numbers[:10] == [*range(10)] and "200:      1\t" in out, out
    assert numbers[:-1] == [*range(len(numbers) - 1)], out


def test_a_table_that_goes_on_beside_its_rows_is_not_counted() -> None:
    said = [
        f"Line {n * 7}:def moor_{n}(rope):" if n in (0, 8) else f"Line {n * 7}:    rope : hemp, ({n}, wet)"
        for n in range(70)
    ]
    text = "\n".join(["Found 70 matches", *said, "End of matches"])
    assert "laid out alike" not in compact(text, budget=300, threshold=100).text
