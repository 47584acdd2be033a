"""What of a long document, a talk or a post is shown first: what it says and found, not what it demonstrates."""

# ruff: noqa: E501 - samples read better whole

from __future__ import annotations

import plistlib

from mcpcompact import compact
from mcpcompact.content.markup import TYPE
from mcpcompact.outline import Hints, Outline
from mcpcompact.source import Source


def outline(text: str) -> Outline:
    return TYPE.outline(Source.of_text(text), Hints())


PLACES = ["harbour", "quay", "beacon", "marina", "slipway", "dock", "jetty", "ferry", "canal", "lock", "weir", "dam"]


def _guide() -> str:
    """A long document: an introduction with a list of ways, sections with an example each that is called complete."""
    parts = [
        "# Tides",
        "A tide table tells when a vessel of a given draught may enter each place of the coast.",
        "The table that a run uses can be given in three ways:",
        "* at the start, by the `--table` option\n* in the file `tides.toml`\n* by the variable `TIDE_TABLE`",
        "```python\nfrom tides import (\n    Table,\n    Vessel,\n)\nimport os\n\ntable = Table.load('coast')\n"
        "table.enter(Vessel(draught=4.2))\n```",
    ]
    for n, place in enumerate(PLACES):
        parts += [
            f"## The {place}",
            f"The {place} lets vessels enter a while after low water, and its warden opens the gate by hand in storms "
            "that last for more than a few hours, which has to be asked for by radio before the vessel arrives there.",
            f"See `{place}_wait`, `{place}_gate`, `open_{place}`, `LOW_{place}_{n}`, `{place}_{n}9` and `{place}ward`.",
            "```python\n" + "\n".join(f"{place}.step_{k}()" for k in range(24)) + "\n```",
            '_(This example is complete, it can be run "as is")_',
        ]
    return "\n\n".join(parts)


def test_the_list_of_ways_stands_with_the_introduction_and_the_first_call_before_imports() -> None:
    shown = compact(_guide(), budget=400).text
    assert "can be given in three ways:\n\n* at the start" in shown and "`TIDE_TABLE`" in shown
    weights = {item.text.split(" ", 1)[1].split("\n")[0]: item.weight for item in outline(_guide()).items}
    assert weights["table = Table.load('coast')"] > 10 * weights["from tides import ("]
    assert "This example is complete" not in compact(_guide(), budget=1200).text


def test_a_section_of_a_long_document_is_shown_with_the_sentence_that_it_begins_with() -> None:
    shown = compact(_guide(), budget=800).text.split("\n")
    for place in PLACES:
        if any(f"See `{place}_wait`" in line for line in shown):
            assert any(f"The {place} lets vessels" in line for line in shown), place


def _talk() -> str:
    """A talk: slides with a chart of small boxes, a chat, a drawing, findings with leads in bold, a list."""
    filler = "".join(
        f'<section><div class="chart"><h2>Part {n}</h2>\n<p>The {place} of the survey was seen by people who came on foot.</p>\n'
        + '<div class="box">note</div>\n' * 30
        + "</div></section>\n"
        for n, place in enumerate(PLACES)
    )
    return (
        "<!DOCTYPE html><html><head><title>Tide survey</title></head><body>\n<h1>Tide survey</h1>\n"
        '<div class="site-menu"><h2>Keys</h2>\n<p>Press the slash key to search within all of the pages of the site.</p></div>\n'
        "<p>A survey of how well tide tables predict when a vessel may enter each of the harbours.</p>\n"
        '<h2>A call</h2>\n<div class="convo"><div class="bubble">My boat says Too Shallow and the warden does not answer, '
        'what now?</div>\n<div class="bubble"><div class="error">→ ERROR: gate not unlocked for the vessel</div></div></div>\n'
        f"{filler}"
        '<h2>Scores</h2>\n<div><div class="name">Mean error by method</div>\n<div class="row"><div>Harmonic</div><div>12.4</div></div>\n'
        '<div class="row"><div>Gauge</div><div>7.9</div></div></div>\n'
        '<div class="stat"><div>61.5%</div><div>best hit rate of all methods — 40.2% two years ago</div></div>\n'
        '<p>See <svg viewBox="0 0 9 9">\n<text>low</text><text>high</text></svg> above.</p>\n'
        "<h2>How tables fail</h2>\n<p>Three modes came up in the logs:</p>\n<ul>\n"
        "<li><strong>Wind is left out.</strong> Storms from the west raise the water by a metre, which no table says, so vessels wait.</li>\n"
        "<li><strong>Gauges drift slowly.</strong> A gauge that nobody cleans reads a hand too high after some years at sea.</li>\n"
        "<li><strong>Clocks are set wrong.</strong> In summer a third of the wardens read the table one hour late all day.</li>\n</ul>\n"
        "</body></html>\n"
    )


def test_what_a_talk_measured_and_found_stands_before_its_chat() -> None:
    shown = compact(_talk(), budget=400).text
    assert "61.5% best hit rate of all methods" in shown
    assert "Mean error by method: Harmonic 12.4 · Gauge 7.9" in shown
    assert "- Wind is left out." in shown and "- Gauges drift slowly." in shown
    assert "Too Shallow" not in shown and "not unlocked" not in shown
    assert "Keys" not in shown and "Press the slash" not in shown


def test_the_entries_of_a_list_of_html_are_counted_and_drawings_are_no_sentence() -> None:
    made = outline(_talk())
    assert {item.series.total for item in made.items if item.series} == {3}
    assert any(item.text.endswith("See above.") for item in made.items)
    assert all(item.weight < 0.1 for item in made.items if item.text.endswith("low high"))


def test_a_page_that_is_all_chat_says_what_is_said() -> None:
    says = "".join(
        f'<div class="message"><p>The {place} gate was closed at noon by the warden.</p></div>\n' for place in PLACES
    )
    made = outline(f"<html><body><h1>Log</h1>\n{says}</body></html>")
    assert all(item.weight >= 1 for item in made.items if "gate was closed" in item.text)
    menu = "".join(
        f'<li><a href="/{place}">The {place} of the town and how it is reached on foot</a></li>\n' for place in PLACES
    )
    made = outline(
        f"<html><body><nav><h2>Places</h2>\n<ul>{menu}</ul></nav>\n<h1>Tides</h1>\n<p>Closed.</p></body></html>"
    )
    assert made.headline.endswith(" 1 heading") and all(
        item.weight < 1 for item in made.items if "on foot" in item.text
    )


def _mooring() -> str:
    steps = "\n".join(
        f"{n}. **Prepare crane {n}**\n\n   The rope of crane {n} is {n * 7} metres long and hangs over the northern basin of "
        f"the harbour, where {n + 2} ships wait.\n"
        for n in range(1, 15)
    )
    ways = "\n\n".join(
        f"**Way {sign}: {title}**\n\n{title} takes {n + 3} people from the yard, who meet below the tower, read the tide "
        f"table together and sign the list of the watch before anything moves on the water of basin {n}."
        for n, (sign, title) in enumerate({"A": "Tow it in", "B": "Wait for the tide", "C": "Lift it ashore"}.items())
    )
    code = (
        'rope=$(length north)\n# too short\nif [ "$rope" -lt 40 ]; then\n  splice north south\n  test_load\nfi\nraise'
    )
    return (
        f"# Moor a ship\n\nHow a ship comes in.\n\n{steps}\n## Ways in\n\n{ways}\n\n## Check\n\n```bash\n{code}\n```\n"
    )


def test_titles_of_ways_stand_together_and_a_block_of_a_shell_is_never_shown_without_what_it_does() -> None:
    for budget in (250, 350, 450, 600):
        out = compact(_mooring(), budget=budget, threshold=200).text
        assert [f"**Way {sign}: " in out for sign in "ABC"] in ([True] * 3, [False] * 3)
        assert ("then\n" in out) == ("  splice north south\n  test_load\nfi" in out)


def test_a_list_that_a_sentence_counts_is_shown_with_the_first_words_of_each_entry() -> None:
    ways = [
        f"{n}. `{place}.enter()` — the vessel waits at the {place} until its warden has opened the gate, which takes a "
        f"while in storms, and enters when the light turns green; the {place} master is told of the draught as well."
        for n, place in enumerate(PLACES[:4], 1)
    ]
    head, *rest = _guide().split("\n\n## The quay")
    counted = "\n\n".join(
        ["\n\n## Entering", "A vessel can enter in four ways:", "\n".join(ways), "```\nenter(1)\n```"]
    )
    notes = "1. The draught is given in metres and not in feet here.\n2. The gate is opened by its warden alone."
    text = head + counted + f"\n\n{notes}\n\n## The quay" + "\n\n## The quay".join(rest)
    for budget in (400, 700):
        shown = compact(text, budget=budget).text
        assert "A vessel can enter in four ways:" in shown
        assert all(f"`{place}.enter()` — the vessel waits at the {place}" in shown for place in PLACES[:4])
    weights = {item.text.partition(" ")[2][:14]: item.weight for item in outline(text).items}
    assert weights["1. The draught"] < 1 < weights["1. `harbour.en"]  # notes on an example are not the list of ways


def test_a_property_list_shows_each_key_with_its_value_in_the_line_of_the_key() -> None:
    settings = {
        "Name": "Harbour",
        "Full screen": True,
        "Nothing": {},
        "Transport": {"Loads": False, "Domains": {"pier.test": {"Below": True}}},
        "Modes": ["day", "night"],
        "Icon": b"\x00\x01",
        **{f"Use{n}": f"For purpose {n} of the harbour" for n in range(60)},
    }
    text = plistlib.dumps(settings, sort_keys=False).decode()
    shown = outline(text)
    said = [item.text for item in shown.items]
    assert said[1:7] == [
        "5 Name: Harbour",
        "7 Full screen: true",
        "9 Nothing: {}",
        "11 Transport Loads=false {Domains {pier.test Below=true}}",
        "24 Modes string=day string=night",
        "29 Icon: AAE=",
    ]
    assert said[-1] == "151 Use59: For purpose 59 of the harbour"
    broken = text.replace("</dict>", "</array>", 1)
    assert any("Use59: For purpose 59" in item.text for item in outline(broken).items)


def test_a_list_of_a_property_list_is_a_table_by_its_keys() -> None:
    text = plistlib.dumps({"Jobs": [{"pid": n, "label": f"berth-{n}", "on": n % 9 != 4} for n in range(60)]}).decode()
    shown = compact(text, budget=400, threshold=400).text
    assert "60 dict, 3 fields each" in shown and "berth-4|4|" in shown


def _view(lines: list[str], first: int) -> str:
    return "\n".join(f"{n:6}\t{line}" for n, line in enumerate(lines, first))


def _part(first: int) -> str:
    lines = ["# Audit of the harbour office", ""]
    for name in ("Hardware", "Network", "Accounts", "Backups", "Commands"):
        lines += [f"## Appendix: {name}", "", f"The {name.lower()} of all twelve sites were looked at in spring.", ""]
        lines += [
            f"The {name.lower()} of site {n} are as the inventory of last year says, but for {n} of them."
            for n in range(9)
        ]
        lines += ["", f"**Finding:** nothing about {name.lower()} is left open.", ""]
    return _view(lines, first)


def test_part_of_a_document_is_read_by_its_sections() -> None:
    arguments = {"file_path": "audit.md", "offset": 300, "limit": 90}
    made = compact(_part(300), budget=300, threshold=300, tool="Read", arguments=arguments)
    assert made.content_type == "markup"
    size = _part(300).count("\n") + 1
    assert f"{size} lines of Markdown, lines 300–{299 + size} of audit.md" in made.text
    assert f" of {size} lines shown" in made.text
    source = {int(line[:6]): line[7:] for line in _part(300).splitlines()}
    number, heading = 0, ""
    lines = made.text.splitlines()
    for line in lines[next(n for n, one in enumerate(lines) if one.startswith("30")) :]:
        digits, _, rest = line.partition(" ")
        number, said = (int(digits), rest) if digits.isdecimal() else (number + 1, line)
        assert source[number].startswith(said.partition("…")[0].rstrip()), line
        heading = said if said.startswith("## ") else heading
        if said.startswith("**Finding"):  # below its own heading
            assert heading.removeprefix("## Appendix: ").lower() in said


def test_part_that_begins_within_an_example_is_no_document() -> None:
    lines = [
        "# not a heading",
        "make all",
        "```",
        "",
        "Then:",
        "",
        "```bash",
        "make install",
        "```",
        *["It is done."] * 200,
    ]
    made = compact(
        _view(lines, 50), budget=200, threshold=200, tool="Read", arguments={"file_path": "a.md", "offset": 50}
    )
    assert made.content_type == "code"


def test_lines_of_a_view_are_counted_with_those_of_the_tool() -> None:
    told = "\n\n<system-reminder>\nJudge what you read.\n</system-reminder>\n"
    result = _part(1) + told
    made = compact(result, budget=300, threshold=300, tool="Read", arguments={"file_path": "audit.md"})
    assert f" of {len(result.splitlines())} lines shown" in made.text
    assert f'Markdown "Audit of the harbour office", {len(_part(1).splitlines())} lines' in made.text


def test_few_commands_are_whole_or_not_shown() -> None:
    commands = [
        f"python3 scripts/{name}_of_the_whole_archive.py --all  # {name} what is new since last time" for name in "abc"
    ]
    filler = [
        f"## Part {n}\n\nPart {n} tells at length how the archive of year {n} was made, and by whom, and why.\n"
        for n in range(40)
    ]
    text = "\n".join(
        ["# Archive", "", "An archive of letters.", "", "## Usage", "", "```bash", *commands, "```", "", *filler]
    )
    for budget in range(120, 400, 40):
        shown = [command in compact(text, budget=budget, threshold=budget).text for command in commands]
        assert all(shown) or not any(shown)


def test_options_stand_with_their_short_examples() -> None:
    ways = [("A: Retry", "flush --again"), ("B: Skip", "flush --skip"), ("C: Force", "flush --hard")]
    parts = [f"**Option {title}** (seldom)\n```bash\n{command}\n```\n" for title, command in ways]
    filler = [
        f"## Part {n}\n\nPart {n} tells at length how the archive of year {n} was made, and by whom, and why.\n"
        for n in range(90)
    ]
    text = "\n".join(["# Queue", "", "A queue of letters.", "", "## What to do", "", *parts, *filler])
    made = compact(text, budget=400, threshold=400).text
    for title, command in ways:
        assert (f"**Option {title}**" in made) == (command in made)
