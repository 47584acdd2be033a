"""What a document is read for: what must be done or not, what it recommends, how it is used, small tables whole."""

from __future__ import annotations

import pytest

from mcpcompact import compact

FILLER = (
    "The keeper walks along path{n}.cfg and writes what it finds to `var/log/keeper{n}.txt`, one line for each of the "
    "{n} gates. Nothing else is touched, see docs/gates{n}.md for the reasons and src/gate{n}.py for how it is done."
)


def _sections(begin: int, end: int) -> str:
    return "\n".join(f"## Gate {n}\n\n{FILLER.format(n=n)}\n\n- entry {n} of the list\n" for n in range(begin, end))


@pytest.mark.parametrize(
    "rule",
    [
        "**NEVER WRITE to the store during this skill.** Read, decide, and report what you have found.",
        "**REQUIRED: Save the report to the disk before any choice is offered.**",
        "**Do not close a gate by hand.** The keeper opens it again within the hour and the log is lost.",
    ],
)
def test_a_rule_in_bold_stands_there_with_its_heading(rule: str) -> None:
    text = f"# The keeper\n\nOf gates.\n\n{_sections(1, 9)}\n## The phase of work\n\n{rule}\n\n{_sections(9, 16)}"
    shown = compact(text, budget=400, threshold=400).text
    assert rule.split(".**")[0] in shown
    assert "## The phase of work" in shown


def test_what_an_introduction_recommends_instead_stands_there() -> None:
    tip = '!!! tip "Recommended: the `Warden` class"\n    Use `Warden` for new gates, it needs no keeper of its own.\n'
    text = f"# Keeper\n\nA keeper walks along the gates and writes down which of them are open at night.\n\n{tip}\n"
    shown = compact(text + _sections(1, 20), budget=400, threshold=400).text
    assert "Use `Warden` for new gates, it needs no keeper of its own." in shown


def test_the_first_example_of_usage_may_stand_below_a_heading_of_its_own() -> None:
    code = "```python\nkeeper = Keeper('gates.cfg')\nkeeper.walk(until='06:00')\n```\n"
    usage = f"## Usage\n\nThere are two ways to walk.\n\n### At night\n\nThe usual one goes by the clock.\n\n{code}\n"
    text = f"# Keeper\n\nA keeper walks along the gates and writes down which are open.\n\n{_sections(1, 9)}\n{usage}"
    shown = compact(text + _sections(9, 16), budget=400, threshold=400).text
    assert "keeper = Keeper('gates.cfg')\nkeeper.walk(until='06:00')" in shown


@pytest.mark.parametrize("budget", [250, 400, 700])
def test_a_small_table_is_shown_whole_or_not_at_all(budget: int) -> None:
    rows = [f"| `mode-{word}` | walks {word} and reports to gate_{word}.log |" for word in ("early", "late", "never")]
    table = "\n".join(["| Mode | What it does |", "|---|---|", *rows])
    text = f"# Keeper\n\nKeepers walk.\n\n{_sections(1, 6)}\n## Modes\n\n{table}\n\n{_sections(6, 16)}"
    shown = compact(text, budget=budget, threshold=budget).text
    assert sum(row in shown for row in rows) in (0, 3)
    assert "of 3 rows" not in shown
    assert budget < 700 or rows[1] in shown


def test_a_disclaimer_gives_way_to_the_list_above_it() -> None:
    entries = "\n".join(
        f"- *Maker {n} ({n}MK)*: up {n}.{n} % at {n}1.20 after its report on gate {n}." for n in range(20)
    )
    close = "*Please note that prices are subject to rapid changes. For the latest, consult your own advisors first.*"
    close += " *Past gains tell nothing about those of the next day, and no offer is made here to anyone anywhere.*"
    text = f"# Movers\n\nThese makers moved today.\n\n## Up\n\n{entries}\n\n{close}\n"
    shown = compact(text, budget=300, threshold=300, tool="search", focus="which makers moved").text
    assert "Please note" not in shown
    assert shown.count("after its report") > 4


def test_a_section_that_tells_how_something_is_run_shows_its_first_command_before_other_sections() -> None:
    filler = (
        "The keeper of gate{n} reads `etc/gate{n}.cfg`, opens var/gate{n}.log and writes gate_{n}_report.csv each hour."
    )
    parts = [f"## Gate {n}\n\n{3 * (filler.format(n=n) + ' ')}" for n in range(9)]
    for title in ("Running", "Run the gates locally", "Your first gate"):
        run = (
            f"## {title}\n\nThe repository has a gate, a key to it and a book of what has passed.\n\nOpen the gate:\n\n"
        )
        run += "```\ngates run --bin gate_server\n```\n"
        text = "\n\n".join(["# Gates", "How the gates are kept by day.", *parts, run])
        assert "gates run --bin gate_server" in compact(text, budget=300, threshold=300, content_type="markup").text


def test_more_of_a_usage_stands_below_how_it_begins() -> None:
    usage = (
        "Usage: gates walk -a by_day -t <gate> -e <keeper_of_gate> -p <path_to_book_of_gates> -q <quay> --slowly\n"
        "       gates count -a `gates/night_{n}.toml` -t gate_count_{n} -e keeper_{n}.py -s <step_count_for_walk>"
    )
    parts = "\n\n".join(
        f"## Gate {n}\n\nThe gate {n} is kept by day and by night by its keeper.\n\n"
        f"```shell\n> gates --help {n}\n{usage.replace('{n}', str(n))}\n```"
        for n in range(9)
    )
    for budget in (300, 400, 500):
        lines = compact(f"# Gates\n\n{parts}\n", budget=budget, threshold=300, content_type="markup").text.split("\n")
        counts = [n for n, line in enumerate(lines) if "gates count -a" in line]
        assert counts and all("Usage: gates walk" in lines[n - 1] for n in counts)


def test_a_sample_is_shown_from_behind_what_it_imports() -> None:
    imports = "".join(f"use Harbour\\Gates\\Interface{n} as Gate{n};\n" for n in range(9))
    code = "".join(f"$app->gate({n}, 'harbour gate {n}')->open();\n" for n in range(30))
    text = (
        f"# Gates\n\nGates opens the gates of a harbour.\n\n## Usage\n\n```php\n<?php\n{imports}\n"
        f"$app = Gates::create();\n{code}```\n\n## Notes\n\n"
        + "".join(f"The keeper of gate {n} writes etc/gate{n}.log.\n\n" for n in range(60))
    )
    shown = compact(text, budget=400).text
    assert "$app = Gates::create();" in shown
    assert "Interface8" not in shown


def test_a_manual_names_what_it_describes_and_a_heading_above_a_directive_stands_once() -> None:
    objects = "".join(
        f".. py:data:: GATE_{n}\n\n    How long the keeper of gate {n} waits, in seconds.\n\n    Default: ``{n}``\n\n"
        for n in range(12)
    )
    calls = ".. autofunction:: harbour.open_all\n\nClosing\n-------\n\n.. autofunction:: harbour.close_all\n"
    head = "Harbour\n=======\n\nHow a harbour is set up.\n\nSettings\n--------\n\n"
    text = f"{head}{objects}\nOpening\n-------\n\n{calls}"
    shown = compact(text, budget=300, threshold=300).text
    assert "GATE_0 · 15 GATE_1" in shown or "GATE_0 · GATE_1" in shown
    assert shown.count("## Closing") <= 1
    assert shown.count("## Opening") == 1


def test_of_a_section_that_says_how_something_is_run_the_next_short_commands_are_shown_too() -> None:
    parts = "".join(
        f"## Part {n}\n\n{FILLER.replace('{n}', str(n))}\n\n```python\n"
        f"keeper{n}.walk('path{n}.cfg', gate_{n}.open(north_{n}))\n```\n\n"
        for n in range(12)
    )
    steps = "".join(
        f"{lead} as the ships of the morning will need it first, in a window of its own:\n\n```bash\n{command}\n```\n\n"
        for lead, command in (
            ("Start it", "gates serve"),
            ("Then set one", "gates open"),
            ("And read it", "gates show"),
        )
    )
    text = f"# Gates\n\nGates opens the gates of a harbour.\n\n## Running\n\n{steps}{parts}"
    shown = compact(text, budget=260, threshold=260).text
    assert "gates serve" in shown and "gates open" in shown and "gates show" in shown


def test_the_menus_above_the_first_heading_of_a_long_page_give_way_to_what_it_says() -> None:
    menus = "\n".join(f"* `Harbour{'ABCDEFGHIJ'[n % 10]}{'klmnopqrst'[n // 10]}Reader`" for n in range(100))
    told = "".join(
        f"It holds ropes of all kinds that a ship may need when it lies there for {k} days or more.\n\n"
        for k in range(40)
    )
    sections = "\n".join(
        f"## Berth number {n}\n\n"
        f"Ships of class {n} lie at it, where a crane lifts what they bring to the town in autumn.\n\n{told}"
        for n in range(12)
    )
    page = f"Quay - The harbour\n\n{menus}\n\n# Quay\n\nThe quay is where ships of all classes lie.\n\n{sections}"
    out = compact(page, budget=500, threshold=100).text
    assert "The quay is where ships of all classes lie." in out and "Reader`" not in out


def test_a_changelog_whose_first_heading_is_a_release_has_no_title() -> None:
    entries = "".join(f"\n- Part {k} of the crane lifts {k * 37} tons, says `log_{k}`." for k in range(6))
    log = "\n\n".join(f"# {9 - n}.2.0 (2026-0{9 - n}-11)\n{entries}" for n in range(8))
    out = compact(log, budget=300, threshold=100).text
    assert "\nMarkdown, " in out and "8 releases, each with its line: " in out
    assert (
        'Markdown "The log of the crane"' in compact(f"# The log of the crane\n\n{log}", budget=300, threshold=100).text
    )


def test_buttons_of_a_long_page_give_way_to_what_it_says() -> None:
    buttons = "".join(f"<li>\n{name}\n</li>\n" for name in ("Share", "Tweet", "Print", "Pin it"))
    told = "\n".join(
        "<p>"
        + 4 * f"Crane {n} of the quay lifts {n * 37} tons, and its keeper {n} says so to all who ask. "
        + "</p>\n\n"
        for n in range(150)
    )
    page = f"<html><body><h1>Cranes of the quay</h1>\n<ul>\n{buttons}</ul>\n{told}</body></html>"
    out = compact(page, budget=450, threshold=100).text
    assert "- Share" not in out and "Crane 0 of the quay" in out
