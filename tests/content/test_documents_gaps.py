"""Where something is left out of a document: no line is invented there, and what stands below reads as what it is."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from mcpcompact import compact

FILLER = (
    "The keeper of gate{n} reads `etc/gate{n}.cfg`, opens var/gate{n}.log and writes gate_{n}_report.csv each hour."
)


def _shown(text: str, budget: int = 500, **call: object) -> str:
    return compact(text, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]


@pytest.mark.parametrize("budget", [500, 900])
def test_no_blank_line_stands_where_the_rest_of_a_paragraph_is_left_out(budget: int) -> None:
    notes = "\n".join(f'[[{{n}}{k}]](notes_of_harbours_r{k}.xhtml#en_d1e86{{n}}{k} "note")' for k in range(6))
    told = (
        f"Boats of harbour {{n}}, which sail from the old quay on each tide of the moon\nthe moon, past pier 0\n{notes}"
    )
    parts = [f"## Harbour {n}\n\n{told.format(n=n)}" for n in range(40)]
    shown = _shown("# Harbours\n\nWhere boats lie.\n\n" + "\n\n".join(parts), budget, content_type="markup")
    assert "…[+" in shown and "\n\n…[+" not in shown


@pytest.mark.parametrize("budget", [500, 900])
def test_an_example_is_closed_before_the_text_below_it(budget: int) -> None:
    parts = [
        f"## Gate {n}\n\nGate {n} is opened by its key:\n\n```sh\nkeeper --open gate{n}\n```\n\n"
        + 4 * FILLER.format(n=n)
        for n in range(20)
    ]
    shown = _shown("# Gates\n\nHow the gates are kept.\n\n" + "\n\n".join(parts), budget)
    marks = re.findall(r"(?m)^(?:\d+ )?(```\w*)(?: …)?$", shown)
    assert marks and marks == ["```sh", "```"] * (len(marks) // 2)


def test_an_example_that_is_shown_without_what_it_imports_stands_in_its_fence() -> None:
    example = (
        "```python\nimport gates\nfrom gates.keys import Key\n\n\ndef open_gate(n):\n    return Key(n).turn()\n```\n\n"
    )
    parts = "".join(f"## Gate {n}\n\n{FILLER.format(n=n)}\n\n" for n in range(120))
    shown = _shown(f"# Gates\n\nHow gates are kept.\n\n## Usage\n\nTurn a key:\n\n{example}{parts}")
    lines = [line for line in shown.split("\n") if line]
    at = next(k for k, line in enumerate(lines) if "def open_gate" in line)
    assert lines[at - 1].endswith("```python …") and lines[at + 2].startswith("```") and "import gates" not in shown


@pytest.mark.parametrize("budget", [400, 600, 900])
def test_an_example_stands_in_its_fence_below_the_line_that_leads_to_it(budget: int) -> None:
    def part(n: int) -> str:
        code = "\n".join(f"    turn_{n}(key={k}, gate={n * k}, slowly=True)" for k in range(40))
        told = f"The keeper turns the crane {n} so:\n\n```python\ndef open_gate_{n}():\n{code}\n```\n\n"
        return f"## Gate {n}\n\n{FILLER.format(n=n)}\n\n{told}"

    text = "# Gates\n\nHow the gates are kept.\n\n" + "".join(map(part, range(4)))
    shown = _shown(text, budget, focus="what does open_gate_3 do")
    lines = [line for line in shown.split("\n") if line]
    at = [k for k, line in enumerate(lines) if "def open_gate" in line]
    assert at and all(re.match(r"(?:\d+ )?```python", lines[k - 1]) for k in at)
    numbers = [int(line.split()[0].partition("-")[0]) for line in lines if re.match(r"\d+[- ]", line)]
    assert numbers == sorted(numbers)


def _providers(n: int) -> str:
    parts = "".join(f"#### {part}\n\n{part} of quay {n} is told here. {3 * FILLER.format(n=n)}\n\n" for part in PARTS)
    return f"### Quay {n}\n\nQuay {n} lies by the sea.\n\n{parts}"


PARTS = ("Moorings", "Cranes", "Stores")


def test_headings_of_a_level_below_stand_behind_the_one_that_they_are_below() -> None:
    around = "".join(f"## Part {n}\n\n{FILLER.format(n=n)}\n\n" + 120 * "word of it\n\n" for n in range(2))
    shown = _shown(
        f"# Port\n\nThe port.\n\n{around}## Quays\n\n{_providers(1)}{_providers(2)}## End\n\nIt ends.\n", 900
    )
    assert re.search(r"(?m)^\d+ Quays: \d+ Quay 1 \(\d+ Moorings · \d+ Cranes · \d+ Stores\) · \d+ Quay 2 \(", shown)


def test_of_sections_that_are_divided_alike_the_first_is_shown_before_the_others() -> None:
    quays = "".join(map(_providers, range(1, 40)))
    tail = "".join(f"## Part {n}\n\nPart {n} is the law of gate{n}. {FILLER.format(n=n)}\n\n" for n in range(9))
    shown = _shown(f"# Port\n\nHow the port is kept by all.\n\n## Quays\n\n{quays}{tail}", 900)
    assert "Moorings of quay 1 is told" in shown and all(f"Part {n} is the law" in shown for n in range(9))
    assert "Moorings of quay 3 is told" not in shown


def test_text_of_a_page_that_is_left_out_is_marked() -> None:
    rows = "".join(
        f"<p>{n} Gate {n} is kept by the guard of tower {n}. {3 * FILLER.format(n=n)}</p>\n\n" for n in range(60)
    )
    shown = _shown(f"<!doctype html>\n<html><body>\n<h1>Gates</h1>\n{rows}</body></html>\n", 600)
    numbers = [int(n) for n in re.findall(r"(?m)^(\d+) ", shown)]
    lines = {int(m[1]): m[0] for m in re.finditer(r"(?m)^(\d+) .*$", shown)}
    assert len(numbers) > 3
    for n, after in pairwise(numbers):
        assert after <= n + 2 or re.search(r" …$|…\[\+\d+ chars\]$", lines[n])


def test_a_page_above_whose_title_menus_stand_is_named_by_its_first_line() -> None:
    menu = "\n".join(f"* [Quay {n}](https://port.example/quay/{n})" for n in range(60))
    parts = "\n".join(f"## Part {n}\n\n{FILLER.format(n=n)}\n" for n in range(20))
    shown = _shown(f"Harbour Law - The Port\n\n{menu}\n\n# Harbour Law\n\nWhat holds on the quays.\n\n{parts}", 400)
    assert 'Markdown "Harbour Law - The Port"' in shown and "Above line 64: 60 lines with links, 3–62" in shown


def test_the_only_table_of_a_long_document_is_shown() -> None:
    rows = "\n".join(f"| cargo{n} | quay{n} and crane{n} |" for n in range(5))
    table = f"## Choosing a quay\n\nIt depends on the cargo and the tide.\n\n| Cargo | Quay |\n|---|---|\n{rows}\n\n"
    parts = [f"## Part {n}\n\n{FILLER.format(n=n)}\n\n" + 12 * f"{FILLER.format(n=n)} Again.\n\n" for n in range(20)]
    shown = _shown("# Port\n\nHow the port is kept.\n\n" + "".join([*parts[:9], table, *parts[9:]]), 900)
    assert all(f"| cargo{n} | quay{n} and crane{n} |" in shown for n in range(5))


def test_text_of_restructuredtext_that_is_left_out_is_marked() -> None:
    parts = [f"Gate {n}\n-------\n\n{FILLER.format(n=n)}\n\n.. note:: {FILLER.format(n=n)}\n" for n in range(40)]
    shown = _shown("Gates\n=====\n\nHow they are kept.\n\n" + "\n".join(parts), 500)
    assert "reStructuredText" in shown and re.search(r"(?m)^(?:\d+ )?[^#\n].*each hour\. …$", shown)


def test_a_quote_cut_at_its_beginning_keeps_its_label() -> None:
    told = " ".join(f"The port of town {n} is old and its quays are long and made of stone." for n in range(9))
    found = "\n\n".join(
        f"Title: Port {n}\nURL: https://port.example/{n}\nContent: {told} "
        f"The lantern of pier {n} burns whale oil all night long, as the keeper of the tower wrote. {told}"
        for n in range(5)
    )
    shown = _shown(f"Results:\n\n{found}\n", 700, tool="web_search", arguments={"query": "lantern whale oil"})
    cut = re.findall(r"(?m)^(?:\d+ )?(.*?)…\[\+(\d+) chars\] The port of town 8 .* lantern of pier", shown)
    assert cut and {*cut} == {("Content: ", str(told.index("The port of town 8")))}


def test_an_example_that_its_lead_is_not_right_above_stands_with_its_fence() -> None:
    parts = "".join(
        f"## Gate {n}\n\nThe gate `gate_{n}` reads {n * 7} settings from `deck_{n}.toml`, asks the keeper of the quay "
        f"for the weight of what it holds, and writes both to the book of the harbour before it moves.\n\n"
        f"```\ngate_{n} --deck {n} --weight {n * 70}\n```\n\n"
        for n in range(12)
    )
    shown = compact(f"# Gates\n\nOf gates.\n\n{parts}", budget=350, threshold=300).text.split("\n")
    at = [n for n, line in enumerate(shown) if " --deck " in line]
    assert len(at) > 5 and all(shown[n - 1].endswith("```") and shown[n + 1].startswith("```") for n in at)


def test_what_stands_in_a_tab_is_shown_below_its_title() -> None:
    tabs = "\n\n".join(
        f'    === "{name}"\n\n        {"Take the rope and bind it to the pier, as the keeper of the day tells. " * 3}'
        f"\n\n        ```sh\n        bind --with {name[:4]}\n        bind --show {name[:4]}\n        ```"
        for name in ("north crane", "south crane", "east crane", "west crane")
    )
    more = "\n\n".join(f"## Pier {n}\n\n{'The lamp of the pier is lit by night. ' * 12}" for n in range(9))
    for budget in (150, 200, 250, 300):
        shown = compact(f'# Ropes\n\n!!! tip "Ways"\n\n{tabs}\n\n{more}\n', budget=budget, threshold=budget).text
        for name in ("north crane", "south crane", "east crane", "west crane"):
            above = shown.partition(f"bind --with {name[:4]}")
            assert not above[1] or f'=== "{name}"' in above[0]
    assert "bind --with nort" in shown


def test_a_way_out_stands_below_its_own_condition() -> None:
    gate = "\n\n".join(f"   {'The lamp of the pier is lit by night. ' * 8}It is lamp {n}." for n in range(6))
    text = (
        f"# Keeper\n\nHow to keep.\n\n## Start\n\n1. **Set up**\n\n   **If the gate is open** (not locked):\n\n{gate}"
        "\n\n   **If the gate is locked**, choose how to go on:\n\n"
        "   **Option A: Take the key**\n   ```sh\n   key take\n   ```\n\n   It hangs by the door.\n\n"
        "   **Option B: Call the keeper**\n   ```sh\n   keeper call\n   ```\n\n"
        + "\n\n".join(f"## Pier {n}\n\n{'The lamp of the pier is lit by night. ' * 12}" for n in range(12))
    )
    shown = compact(text, budget=150, threshold=150).text
    assert "Option B: Call the keeper" in shown and "**If the gate is open**" not in shown


def test_a_line_of_import_stands_with_the_example_that_needs_it() -> None:
    code = "```\nfrom harbour import Crane\n\ncrane = Crane(\n    'east',\n)\n" + "crane.lift('rope')\n" * 20 + "```\n"
    more = "\n\n".join(f"## Pier {n}\n\n" + "The lamp of the pier is lit by night.\n\n" * 25 for n in range(12))
    shown = compact(f"# Cranes\n\nOf cranes.\n\n## Hello world\n\n{code}\n{more}", budget=500, threshold=500).text
    assert "from harbour import Crane\n\ncrane = Crane(" in shown


@pytest.mark.parametrize("budget", [250, 300])
def test_an_example_of_which_lines_are_left_out_has_the_number_of_its_fence(budget: int) -> None:
    code = "\n".join(f"    moor(quay_{n}, rope='hemp_{n * 7}')" for n in range(12))
    said = "The crane lifts what the crew has tied to it, and the keeper of the quay counts each crate that leaves it. "
    rest = "".join(f"## Part {n}\n\n{said * 3}\n\n" + f"word {n}\n\n" * 60 for n in range(5))
    above = (
        "Here is a small example of it:\n\nBy Keeper By Crew\n\n[Learn of the gate](https://quay.example/gate) moor.py"
    )
    example = f"## Hello World Example\n\n{above}\n\n```\nfrom quay import Crane\n\n{code}\n```\n\n"
    out = _shown(f"# Crane\n\nA crane for every quay that there is on the coast.\n\n{example}{rest}", budget)
    assert "import Crane" in out and "…[+" in out and not re.search(r"\d+-\d+ ```", out)


def test_dots_before_what_an_example_imports_are_no_example() -> None:
    code = "...\nfrom quay import Crane\nfrom quay import Rope\n\n" + "\n".join(f"Crane({n}).lift()" for n in range(40))
    parts = "\n".join(f"## Part {n}\n\nIt lifts crate {n}.\n\n```\n{code}\n```\n\n{FILLER * 3}\n" for n in range(8))
    for budget in (400, 700, 1_000):
        assert not re.search(r"```\n\.\.\.", _shown(f"# Cranes\n\nHow cranes lift.\n\n{parts}", budget))
