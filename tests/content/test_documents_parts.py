"""Documents made of parts that are alike: several tables, the releases of a changelog, entries within entries."""

from __future__ import annotations

import re

import pytest

from mcpcompact import compact


def _shown(text: str, budget: int = 400, **call: object) -> str:
    return compact(text, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]


def test_tables_with_titles_are_a_document_in_which_each_begins() -> None:
    def table(title: str, word: str, many: int) -> str:
        rows = "\n".join(f"| {word} {n} | what {word} {n} holds of the {n + 3} casks |" for n in range(1, many))
        return f"{title}\n\n| {word} | meaning |\n|---|---|\n{rows}\n"

    shown = _shown(table("Table A - columns of the stock list", "column", 20) + "\n" + table("Labels", "label", 60))
    assert shown.index("Table A") < shown.index("| column 1 |") < shown.index("Labels") < shown.index("| label 1 |")
    assert "Markdown table" not in shown and "above the header" not in shown


def test_releases_stand_in_order_and_are_listed_without_what_they_are_compared_with() -> None:
    text = "# Release notes\n\n" + "\n".join(
        f"## [v3.{n}.0](https://quay.example/compare/v3.{n - 1}.0...v3.{n}.0) - 2026-0{n % 9 + 1}-04\n\n"
        + "".join(f"* Berth {k} of quay {n} {'reports FAILURE' * (n == 20)} by @warden{k}\n" for k in range(1, 7))
        for n in range(40, 0, -1)
    )
    shown = _shown(text, 500)
    listed, body = (
        next(part for part in shown.split("\n") if "releases" in part),
        shown[shown.index("## [v3.40.0]") :],
    )
    assert "40 releases, each with its line: 3 v3.40.0 · 12 v3.39.0" in listed and " more, to 354 v3.1.0" in listed
    assert "compare" not in listed and "Sections" not in shown
    assert body.index("Berth 1 of quay 40") < body.index("Berth 6 of quay 40") < body.index("Berth 1 of quay 39")
    assert "quay 20" not in body


def test_a_signature_of_a_page_stands_on_one_line_and_a_term_with_what_it_means() -> None:
    link = '<a href="../rope/index.html">Rope</a>'
    methods = "\n".join(
        f"<dt><code>def haul_{n}(<span>self,<br>rope: {link}[{link}],<br>length: int = {n})</code></dt>\n"
        f"<dd><p>Hauls rope {n} over the wall of the quay, and returns what is left of it.</p>\n"
        f"<h3>Args</h3>\n<dl><dt><code>length</code></dt>\n<dd>Metres of it, at most {n + 40}.</dd></dl></dd>"
        for n in range(12)
    )
    page = f"<!DOCTYPE html><html><head><title>quay</title></head><body><h1>quay</h1>\n<dl>{methods}</dl></body></html>"
    shown = _shown(page, 600)
    assert "def haul_3(self, rope: Rope[Rope], length: int = 3)" in shown and "index.html" not in shown
    assert "length\nMetres of it, at most 40." in shown


def test_the_surface_of_a_long_page_fills_no_room() -> None:
    menu = "\n".join(f"<li><a href='/berth/{n}'>Berth {n} plan</a></li>" for n in range(200))
    said = "\n".join(
        f"<p>In the year {1800 + n} the wardens of the harbour closed gate {n} and told the crews to wait.</p>"
        for n in range(250)
    )
    tags = '<p>Topics: <a href="/a">the old harbour of the town</a>, <a href="/b">all of its wardens and crews</a></p>'
    tags += "<div class='content-warning'><img alt='a gate at night'></div>"
    page = (
        f"<!DOCTYPE html><html><head><title>The wardens</title></head><body><div class='menu'><ul>{menu}</ul></div>\n"
        f"<div><h1>The wardens</h1>\n{tags}\n{said}</div></body></html>"
    )
    shown = _shown(page, 500)
    assert "In the year 1800 the wardens" in shown
    assert "Berth" not in shown and "Topics" not in shown and "[image" not in shown


def test_sections_before_the_first_main_one_are_below_none_of_them() -> None:
    said = "\n\n".join(f"Gauge {n} of the weir is read by its keeper at noon and once more at night." for n in range(6))
    titles = ["### Reading a gauge", "### Writing it down", "### Keeping the book", "## The weir", "### Its gate"]
    titles += [f"## Lock {n}" for n in range(50)]
    text = "# Weirs\n\nThe book tells how the weirs of the river are read and kept.\n\n" + "\n\n".join(
        f"{title}\n\n{said}" for title in titles
    )
    shown = compact(text, budget=450, threshold=200).text
    listed = shown.partition("Sections, each with its line: ")[2]
    assert listed.startswith("5 Reading a gauge · 19 Writing it down · 33 Keeping the book\n47 The weir: 61 Its gate\n")


def test_the_verdict_of_each_section_comes_before_its_details() -> None:
    places = ["harbour", "quay", "beacon", "marina", "slipway"]
    parts = [
        f"## {n}. The {place}\n\n**Finding: LOW RISK - the {place} is watched**\n\n"
        + "\n".join(
            f"- Chain {k} of the {place} was pulled by `winch_{place}_{k}` for {k * 37} minutes" for k in range(9)
        )
        + f"\n\n**Verdict:** The {place} may open on day {n * 3} of the month."
        for n, place in enumerate(places, 1)
    ]
    shown = compact("# Review of the port\n\n" + "\n\n---\n\n".join(parts), budget=400, threshold=200).text
    for n, place in enumerate(places, 1):
        assert f"**Finding: LOW RISK - the {place} is watched**" in shown
        assert f"**Verdict:** The {place} may open on day {n * 3} of the month." in shown


def test_no_release_is_shown_without_those_before_it() -> None:
    releases = [
        f"## v1.{30 - n}.0\n\n### Added\n\n- The crane {n} lifts `load_{n}`"
        + " of the quay, which its keeper has to sign for in two books before noon" * (n < 26)
        + f"\n- The winch {n} pulls\n\n### Fixed\n\n- The chain {n} held `hook_{n}` no longer than its keeper did"
        for n in range(30)
    ]
    for budget in (300, 500, 900):
        shown = compact("# Log of the port\n\n" + "\n\n".join(releases), budget=budget, threshold=200).text
        names = [int(n) for n in re.findall(r"^(?:\d+ )?## v1\.(\d+)\.0$", shown, re.M)]
        assert names == [*range(30, 30 - len(names), -1)]
        last = shown.rpartition("## v1.")[2]
        if last.count("\n- ") < 3:
            assert " of 3" in last


def test_a_warning_of_a_long_guide_stands_behind_what_its_sections_say() -> None:
    warned = (
        '!!! warning "Beware of gate {n}"\n    Gate {n} closes by itself, and whoever stands in it is `caught_{n}`.'
    )
    parts = [
        f"## Gate {n}\n\nThe gate {n} lets vessels of `draught_{n}` enter the harbour after low water.\n\n"
        + "\n\n".join(f"It has a bell {k} that rings at noon." for k in range(4))
        + f"\n\n{warned.format(n=n)}" * (n % 5 == 4)
        for n in range(40)
    ]
    text = "# Gates\n\nThe guide tells how the gates of the harbour are opened and closed.\n\n" + "\n\n".join(parts)
    shown = compact(text, budget=600, threshold=200).text
    assert shown.count("lets vessels of") >= 5 > shown.count("Beware of gate")


def test_the_methods_that_a_guide_is_about_stand_below_its_first_section() -> None:
    head = (
        "# Results\n\nThe library gives access to the results of a crane that has lifted a load in the harbour.\n\n"
        "### Reading results\n\nAfter a crane has lifted its load you can read what it did from its `result`.\n\n"
        "Both `CraneResult` (returned by `crane.lift` and by `crane.lift_all` of the library)\n"
        "and `StreamedCraneResult` (returned by `crane.lift_slowly`) have the following methods:\n\n"
        "- `all_loads()`: returns all loads, also those that were lifted before this run of the crane\n"
        "- `new_loads()`: returns only the loads of this run of the crane, and nothing that was lifted before\n\n"
    )
    shown = compact(head + FILL, budget=500, threshold=200).text
    assert "you can read what it did from its `result`" in shown
    assert "`all_loads()`: returns" in shown and "`new_loads()`: returns" in shown


FILL = "\n\n".join(
    f"## Part {n}\n\nThe part `hold_{n}` of the ship loads {n * 7} crates before it reports to the deck above it.\n\n"
    + "\n\n".join(f"Its crate {k} is opened in room {n}." for k in range(6))
    for n in range(30)
)


def test_units_of_a_plan_begin_with_their_goal() -> None:
    units = [
        f"### U{n}. Unit {n}\n\n- **Goal:** The crane {n} of the quay lifts what its keeper asks for, and lowers it.\n"
        f"- **Files:** `src/crane_{n}/lift.ts`, `src/crane_{n}/lower.ts`, `src/quay_{n}/sign.ts`, `test/crane_{n}.ts`\n"
        f"- **Approach:** Keep `winch_{n}` and add the chain.\n- **Tests:** `crane_{n}_lifts`, `crane_{n}_lowers`"
        for n in range(12)
    ]
    text = "# Plan\n\nThe plan tells in which order the cranes of the port are mended.\n\n## Units\n\n" + "\n\n".join(
        units
    )
    shown = compact(text, budget=400, threshold=200).text
    for n in range(12):
        assert f"crane_{n}/lift.ts" not in shown or f"- **Goal:** The crane {n} of" in shown
    assert "**Goal:**" in shown


def test_buttons_of_a_short_page_are_no_text_of_its_sections() -> None:
    said = "".join(
        f"<p>The crane {n} of the quay lifts {n * 37} tons, and its keeper says so to all.</p>\n" for n in range(12)
    )
    buttons = "".join(f"<button>{name}</button>\n" for name in ("All", "Cranes", "Quays", "Data Fix", "Only tools"))
    long = "".join(
        f"<p>What was found at berth {n} is told by `log_{n}` and by its keeper in {n} words.</p>\n" for n in range(9)
    )
    page = (
        f"<html><body><h1>Cranes</h1>\n{said}<h2>What was found</h2>\n{long}<h2>The explorer</h2>\n{buttons}"
        f"<div>🔧 All repairs</div>\n<h2>Costs</h2>\n{said.replace('crane', 'winch')}</body></html>"
    )
    for budget in (250, 400, 700):
        shown = compact(page, budget=budget, threshold=200).text.split("\n")
        assert not [
            line for line in shown if re.fullmatch(r"\d+ (?:All|Cranes|Quays|Data Fix|Only tools|.* All repairs)", line)
        ]


def test_an_excerpt_in_a_fence_has_the_numbers_that_the_call_asks_for() -> None:
    source = "\n".join(f"def lift_{n}(load, crane):\n    return load * {n} + crane" for n in range(1, 201)).split("\n")
    fenced = "\n".join(["```python", *source[100:300], "```"])
    call = {"path": "port/crane.py", "start_line": 101, "end_line": 300}
    for arguments in (call, {"path": "port/crane.py", "startLine": 101, "endLine": 300, "whole": False}):
        shown = compact(fenced, budget=300, threshold=200, tool="read_file", arguments=arguments).text
        assert "200 lines of Python, lines 101–300 of crane.py" in shown and "counted from 1" not in shown
    counted = {"path": "port/crane.py", "startLineBaseZero": 101, "endLineBaseZero": 300}
    assert "lines 101–300" not in compact(fenced, budget=300, threshold=200, tool="read_file", arguments=counted).text


FILLER = (
    "The keeper of gate{n} reads `etc/gate{n}.cfg`, opens var/gate{n}.log and writes gate_{n}_report.csv each hour."
)


@pytest.mark.parametrize("budget", [200, 300])
def test_a_title_in_bold_heads_its_list_and_not_the_paragraph_in_bold_behind_that(budget: int) -> None:
    def day(n: int) -> str:
        boats = "".join(f"- Boat {n}{k} of quay {k}, scraped, tarred and painted by `shift{k}`\n" for k in range(4))
        never = f"**Never** open gate {n} at the ebb, whoever asks for it."
        return f"## Day {n}\n\n{FILLER.format(n=n)}\n\n**Boats hauled out:**\n{boats}\n{never}\n\n"

    shown = _shown("# Quays\n\nWhat was done.\n\n" + "".join(map(day, range(5))), budget)
    assert "**Never** open gate 0" in shown and "hauled out" not in shown


def test_the_short_lists_of_several_ways_stand_before_the_costs_of_all() -> None:
    def way(n: int) -> str:
        return f"**Option {n}:**\n" + "".join(f"{k}. Lift chain {k} of crane {n}\n" for k in range(1, 4)) + "\n"

    costs = "".join(FILLER.format(n=n) + "\n\n" for n in range(20))
    ways = "".join(map(way, range(1, 4)))
    shown = _shown(f"# Cranes\n\nHow cranes are mended.\n\n## Ways\n\n{ways}## Costs\n\n{costs}", 400)
    assert "Lift chain 1 of crane 1" in shown and "Lift chain 3 of crane 2" in shown


@pytest.mark.parametrize("budget", [200, 300, 400])
def test_the_title_of_what_is_folded_stands_above_its_text_and_never_alone(budget: int) -> None:
    def folded(n: int) -> str:
        told = f"{FILLER.format(n=n)} It is crane {n}."
        return f"<details>\n<summary>Which crane lifts load {n}?</summary>\n\n{told}\n\n</details>\n\n"

    costs = "".join(FILLER.format(n=n) + "\n\n" for n in range(20, 30))
    text = f"# Cranes\n\nHow cranes are mended.\n\n## Questions\n\n{''.join(map(folded, range(12)))}## Costs\n\n{costs}"
    lines = [line for line in _shown(text, budget).split("\n") if line]
    titles = [k for k, line in enumerate(lines) if "<summary>" in line]
    assert titles and all(lines[k + 1].startswith("The keeper of gate") for k in titles)


def test_whom_to_cite_stands_behind_how_it_is_used() -> None:
    cited = "Please cite this work:\n\n```bibtex\n@misc{gates, title={Gates}, author={A. Keeper}}\n```\n"
    used = "".join(f"**Option {n}:** with key {n}\n\n```sh\ngate --key {n} --open\n```\n\n" for n in range(1, 4))
    told = "".join(FILLER.format(n=n) + "\n\n" for n in range(9))
    shown = _shown(f"# Gates\n\nHow gates are kept.\n\n## Use\n\n{used}{told}## Attribution\n\n{cited}", 300)
    assert "gate --key 1" in shown and "@misc" not in shown
