"""What is left out between shown lines of source is marked, and nothing else is: no reader takes two runs for one."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import pytest

from mcpcompact import compact

WORDS = ("alpha", "beta", "gamma", "delta", "omega")


def go(n: int) -> list[str]:
    fields = [
        line for k in range(9) for line in (f"\t// Gauge{n}x{k} tells the depth", f"\tGauge{n}x{k} Tide{n}{k}", "")
    ]
    first = [f"// Part{n} is a part", f"type Part{n} struct {{", *fields, "}", ""]
    calls = [f"\tif err := tie{n}x{k}(ship); err != nil {{\n\t\treturn fail{n}x{k}(err)\n\t}}\n" for k in range(7)]
    return [
        *first,
        f"func (p *Part{n}) Moor{n}(ship *Ship) error {{",
        *"\n".join(calls).split("\n"),
        "\treturn nil",
        "}",
        "",
    ]


def python(n: int) -> list[str]:
    told = ['    """', f"    Moors the ship {n}.", "", f"    It waits for {WORDS[n % 5]} {n}.", '    """']
    call = [f"    rope_{n} = tie(", f"        harbour_{n},", f"        length={n},", "    )", "", ""]
    steps = [f"    if {WORDS[k % 5]}_{k}(ship_{n}) is None:\n        pull(ship_{n}, {k})" for k in range(8)]
    return [
        f"LIMIT_{n} = {n}",
        "",
        f"def moor_{n}(ship_{n}: Ship) -> bool:",
        *told,
        *call,
        *"\n".join(steps).split("\n"),
        "    return True",
        "",
    ]


def yaml(n: int) -> list[str]:
    return [
        f"berth{n}:",
        f"  # the {n}th one",
        f"  name: {WORDS[n % 5]}{n}",
        f"  depth{n}: {n}",
        "  ropes:",
        f"    - r{n}",
    ]


def read(body: list[str], lines: list[str]) -> list[tuple[int, bool]]:
    """The number of each line below the facts, as a reader counts them, and whether it is marked."""
    shown, at = list[tuple[int, bool]](), 0
    for line in body:
        if match := re.match(r"(\d+) ", line):
            at = int(match[1])
        if line.removesuffix(" …").removeprefix(f"{at} ").strip() != lines[at - 1].strip():
            shown, at = [], 0
            continue
        shown.append((at, line.endswith(" …")))
        at += 1
    return shown


@pytest.mark.parametrize("budget", [300, 500, 900])
@pytest.mark.parametrize(("made", "path"), [(go, "a.go"), (python, "a.py"), (yaml, "a.yaml")])
def test_a_line_behind_which_something_is_left_out_is_marked_and_no_other(
    made: Callable[[int], list[str]], path: str, budget: int
) -> None:
    lines = [line for n in range(24) for line in made(n)]
    text = compact("\n".join(lines) + "\n", budget=budget, threshold=100, tool="read", arguments={"path": path}).text
    shown = read(text.removesuffix("\n[mcpcompact] end").split("\n"), lines)
    assert len(shown) > 8, text
    for (line, marked), (after, _) in pairwise([*shown, (len(lines) + 1, False)]):
        assert marked == any(re.search(r"\w", said) for said in lines[line : after - 1]), text


def test_a_hunk_is_marked_where_lines_between_shown_ones_or_changes_behind_them_are_left_out() -> None:
    lines: list[str] = []
    for n in range(30):
        lines += [f"diff --git a/part{n}.go b/part{n}.go", f"--- a/part{n}.go", f"+++ b/part{n}.go", "@@ -1,6 +1,15 @@"]
        lines += [f" func Moor{n}(ship *Ship) error {{", f" \trope{n} := ship.Rope({n})"]
        ties = [f"+\tship.tie{n}x{k}(rope{n}, {n * 31 + k * 7})" for k in range(9)]
        lines += [*ties[:5], f" \tship.hold{n}()", *ties[5:]]
        lines += [f" \tship.wait{n}()", " \treturn nil", " }"]
    text = compact("\n".join(lines) + "\n", budget=600, threshold=100).text
    body = [line for line in text.split("\n") if re.match(r"[ +-]\d+ |\+\t", line)]
    assert len(body) > 8, text
    shown, number = list[tuple[int, int, bool]](), 0
    for line in body:
        number = int(line[1:].split()[0]) if line[1:2].isdigit() else number + 1
        if found := re.search(r"(?:Moor|rope|tie|hold|wait)(\d+)", line):
            shown.append((int(found[1]), number, line.endswith("…")))
    for (file, at, marked), (next_file, after, _) in pairwise([*shown, (30, 1, False)]):
        assert marked == (at < 12 if next_file != file else after > at + 1), text


def test_a_wrapped_paragraph_that_leads_to_shown_code_is_marked_behind_its_last_line() -> None:
    part = (
        "## Mooring at quay {0}\n\n"
        "The harbour master of quay {0} hands out the berths in the order of arrival, pass his\n"
        "address to the client that asks for one:\n\n"
        "```python\nfrom harbour import Client\nfrom harbour.quays import Quay{0}\n\n"
        "berth_{0} = Client(quay=Quay{0}(address='10.0.0.{0}')).berth()\nprint(berth_{0})\n```\n\n"
        "What a berth costs is said in the table of fees of quay {0}, which the council sets each year.\n\n"
    )
    document = "# Harbour\n\n" + "".join(part.format(n) for n in range(1, 12))
    for budget in range(250, 900, 50):
        text = compact(document, budget=budget, threshold=1, store=None).text
        assert "pass his …" not in text
        for at in re.finditer(r"address to the client that asks for one:(.*)\n(.*)", text):
            assert (at[1] == " …") == at[2][:1].isdigit(), (budget, at[0])


def test_a_cut_line_behind_which_others_are_left_out_bears_both_marks() -> None:
    said = "Gauge {0}-{1} tells the depth at noon. Whoever moors there reads it first, then asks the harbour master."
    lines = ["# Harbour", "", "See [the book](https://quay.example/book) and **the rules**:", "", "- one", "- two", ""]
    for quay in range(1, 15):
        gauges = [line for n in range(3, 9) for line in (said.format(quay, n) + " It does so again." * n, "")]
        lines += [f"## Quay {quay}", "", *gauges]
    cut = 0
    for budget in range(250, 900, 50):
        shown = compact("\n".join(lines), budget=budget, threshold=1, store=None).text.split("\n")
        for line, below in pairwise(shown):
            if found := re.search(r"(Gauge \d+-\d+ ).*…\[\+\d+ chars\]( …)?$", line):
                at = next(n for n, one in enumerate(lines, 1) if one.startswith(found[1]))
                behind = len(lines) + 1 if below.startswith("[mcpcompact]") else at + 1
                left = any(lines[at : (int(below.split()[0]) if below[:1].isdigit() else behind) - 1])
                assert bool(found[2]) == left, (budget, line, below)
                cut += left
    assert cut


def test_the_gap_of_a_history_begins_right_behind_the_last_row() -> None:
    lines = []
    for n in range(60):
        subject = "Bump version" if n % 4 == 3 else f"Moor the ship at quay {n} and tell the master of it"
        lines += [
            f"commit {n * 7919 + 1:040x}", "Author: Mona Quay <mona@quay.example>",
            f"Date:   Thu Jul {30 - n // 2} 12:51:24 2026 -0400", "", f"    {subject}", "",
            f"    What was said at quay {n} is told in the book of the tower.", "",
            f" src/quay{n}.py | 2 +-", " 1 file changed, 1 insertion(+), 1 deletion(-)", "",
        ]  # fmt: skip
    call = {"tool": "Bash", "arguments": {"command": "git log --stat"}}
    for budget in range(300, 700, 20):
        text = compact("\n".join(lines), budget=budget, threshold=1, store=None, **call).text
        rows = [int(end) for end in re.findall(r"^\d+-(\d+) [0-9a-f]{10}", text, re.MULTILINE)]
        gap = re.search(
            r"^… \[(\d+) commits and (\d+) routine ones not listed here, lines (\d+)–659\]$", text, re.MULTILINE
        )
        assert gap, (budget, text)
        assert int(gap[3]) == rows[-1] + 2, (budget, text)  # behind the blank line below it
        assert 45 + 15 - int(gap[1]) - int(gap[2]) >= len(rows), (budget, text)
