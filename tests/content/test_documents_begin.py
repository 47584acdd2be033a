"""What stands of each section: its first sentence before a second one of another, tables by the columns that tell,
examples from their beginning on, and what is not shown by its heading and line."""

from __future__ import annotations

import re

import pytest

from mcpcompact import compact

FILLER = (
    "The keeper of gate{n} reads `etc/gate{n}.cfg`, opens var/gate{n}.log and writes gate_{n}_report.csv each hour."
)


def _shown(text: str, budget: int = 500, **call: object) -> str:
    return compact(text, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]


def test_each_main_section_gets_its_first_sentence_before_one_gets_a_second() -> None:
    parts = [
        f"## Stage {n}\n\nStage {n} begins when the flag of the stage before it is down, which its keeper sees to. "
        + 4 * (FILLER.format(n=n) + " ")
        for n in range(1, 7)
    ]
    shown = _shown("# Stages\n\nHow a day at the gates is run, stage by stage.\n\n" + "\n\n".join(parts))
    assert all(f"Stage {n} begins when the flag" in shown for n in range(1, 7))


def test_a_heading_of_which_only_a_section_below_is_shown_is_marked() -> None:
    text = "# Gates\n\nHow the gates are kept.\n\n" + "\n".join(
        f"## Gate {n}\n\n{6 * (FILLER.format(n=n) + ' ')}\n\n### Keys of {n}\n\nKept in `vault/{n}`.\n"
        for n in range(9)
    )
    shown = _shown(text, 400)
    headed = re.findall(r"(?m)^(?:\d+ )?(## Gate (\d+)(?: …)?)$", shown)
    assert headed and all(head.endswith(" …") != (f"gate{n} reads" in shown) for head, n in headed)


def test_of_a_table_with_long_cells_the_brief_columns_are_told_and_the_others_named() -> None:
    rows = [f"| `kind{n}` | {n} | {60 * 'long '}in {n} | open | {40 * 'so '}on |" for n in range(6)]
    table = "\n".join(["| Kind | Id | Purpose | State | Owner |", "|---|---|---|---|---|", *rows])
    shown = _shown(f"# Kinds\n\nAll kinds that there are.\n\n## Catalogue\n\n{table}\n")
    assert "| Kind | Id | State | (columns not shown: Purpose, Owner)" in shown
    assert all(f"| `kind{n}` | {n} | open |" in shown for n in range(6))


def test_an_example_in_restructuredtext_is_shown_from_its_beginning() -> None:
    code = "\n".join(f"    step_{n} = keeper.walk(gate={n}, log='var/{n}.log')" for n in range(30))
    parts = [f"Part {n}\n------\n\n{FILLER.format(n=n)} ::\n\n{code}\n" for n in range(6)]
    shown = _shown("Keepers\n=======\n\nHow to walk.\n\n" + "\n".join(parts))
    assert "step_" not in shown or "step_0 = " in shown
    for n in range(1, 30):
        assert shown.count(f"step_{n} = ") <= shown.count(f"step_{n - 1} = ")


def test_an_example_in_markdown_is_shown_from_its_beginning_and_a_short_one_whole() -> None:
    code = "\n".join(f"step_{n} = keeper.walk(gate={n}, log='var/{n}.log')" for n in range(30))
    brief = "gate = Gate()\ngate.open()\n\ngate.close(by='keeper')"
    parts = [
        f"## Part {n}\n\n{FILLER.format(n=n)}\n\n```python\n{code if n % 2 else brief}\n```\n\n<!-- part {n} ends -->\n"
        for n in range(6)
    ]
    shown = _shown("# Keepers\n\nHow to walk.\n\n" + "\n".join(parts), 600)
    for n in range(1, 30):
        assert shown.count(f"step_{n} = ") <= shown.count(f"step_{n - 1} = ")
    assert shown.count("gate = Gate()") == shown.count("gate.open()") == shown.count("gate.close(by='keeper')")
    assert "ends -->" not in shown


def test_markdown_that_quotes_fences_within_a_longer_fence_is_markdown() -> None:
    quoted = "````markdown\n# Title\n\n```python\nx = 1\n```\n\n- entry\n````\n"
    text = "# Guide\n\nHow to write one.\n\n" + "\n".join(
        f"## Part {n}\n\n{FILLER.format(n=n)}\n\n{quoted}" for n in range(20)
    )
    assert compact(text, budget=400, threshold=400).content_type == "markup"


def test_badges_and_link_definitions_are_no_text() -> None:
    badge = "[![Build](https://ci.example/badge.svg)](https://ci.example/builds)"
    body = "\n\n".join(
        f"## Part {n}\n\n{FILLER.format(n=n)}\n\n[part{n}]: https://docs.example/part{n}" for n in range(30)
    )
    shown = _shown(f"# Keeper {badge}{badge}\n\nKeeps gates.\n\n{body}\n")
    assert 'Markdown "Keeper …"' in shown and "badge.svg" not in shown and "docs.example/part" not in shown


def test_releases_below_the_name_of_the_project_are_releases() -> None:
    text = "# Keeper ChangeLog\n\n" + "\n".join(
        f"## Keeper v1.{n}.0\n\n### Features\n\n- open gate {n} by `gate_{n}`\n- close gate {n}\n"
        for n in range(60, 0, -1)
    )
    shown = _shown(text)
    assert "60 releases, each with its line: 3 v1.60.0 · 10 v1.59.0" in shown and "more, to 416 v1.1.0" in shown
    assert "- open gate 60 by" in shown


def test_what_a_section_does_stands_with_its_commands_before_the_papers_of_a_project() -> None:
    parts = "\n\n".join(
        f"## Gate {n}\n\nTo open gate {n} in the morning you have to walk once around it with the keeper.\n\n"
        f"```\ngates walk --gate gate_{n} --log var/gate_{n}.log\n```\n\n{4 * (FILLER.format(n=n) + ' ')}"
        for n in range(4)
    )
    papers = "\n\n".join(
        f"## {name}\n\nPlease see [the papers](https://quay.example/papers_{n}.html) of it."
        for n, name in enumerate(("Contributing", "Sponsors", "Learn more", "Community", "License"))
    )
    shown = _shown(f"# Gates\n\nHow the gates are kept by day and by night.\n\n{parts}\n\n{papers}\n", 400)
    assert all(f"gates walk --gate gate_{n}" in shown and f"open gate {n} in" in shown for n in range(4))
    assert "papers_1" not in shown


def test_a_document_about_contributing_is_no_paper() -> None:
    rules = "\n\n".join(
        f"## Step {n}\n\nWalk around gate {n} with the keeper before you write it down." for n in range(20)
    )
    shown = _shown(f"# Contributing\n\nHow to write for the gates.\n\n{rules}\n", 300)
    assert shown.count("Walk around gate") > 3


def test_a_command_that_is_all_a_section_has_opens_it() -> None:
    parts = "\n\n".join(
        f"## Part {n}\n\nThe part {n} of the harbour is kept by those who live there. {4 * (FILLER.format(n=n) + ' ')}"
        for n in range(9)
    )
    shown = _shown(
        f"# Gates\n\nHow the gates are kept by day.\n\n{parts}\n\n## Odds\n\n```\ngates odd --all\n```\n", 400
    )
    assert "gates odd --all" in shown


def test_the_newest_release_begins_with_what_its_writer_says_of_it() -> None:
    releases = "\n\n".join(
        f"# 1.{9 - n}.0\n\nThis is a patch release for the gates since 1.{8 - n}.0.\n\n## Security fixes\n\n"
        + "\n".join(f"- CVE-20{9 - n}{k}: Remove the latch `latch_{n}_{k}` that let ships pass." for k in range(9))
        for n in range(5)
    )
    shown = _shown(releases, 300, content_type="markup")
    assert "# 1.9.0\n\nThis is a patch release for the gates since 1.8.0." in shown and "CVE-2090" in shown


def test_an_entry_of_several_lines_above_what_it_leads_to_is_counted_as_shown() -> None:
    steps = (
        "1. Open the gate of the quay with the key, which hangs behind the door of the keeper of all gates.\n"
        "2. A book of the gates is needed.\n   either\n"
        "   - the one that lies in `vault/book_1.txt` of `gate_keeper.py`\n or\n"
        "   - one of your own that `book_writer.py` makes\n\n"
        "3. Walk to `gate_3.py` and write down what you see.\n   for this:\n\n```\ngates see --gate gate_3\n```\n\n"
        "4. Write all of it again."
    )
    rest = "\n\n".join(f"## Gate {n}\n\n{3 * FILLER.format(n=n)}" for n in range(9))
    text = f"# Steps\n\nHow to walk around the gates of the harbour by day.\n\n## Walk\n\n{steps}\n\n{rest}\n"
    for budget in range(240, 600, 40):
        shown = _shown(text, budget)
        told = [int(n) for n in re.findall(r"\[(\d+) of 4", shown)]
        entries = len(re.findall(r"(?m)^(?:\d+ |\d+-\d+ )?\d+\. [A-Z]", shown))
        assert told == [entries] * (0 < entries < 4)


@pytest.mark.parametrize("wrapped", ["modal-window", "entry"])
def test_a_page_is_about_the_box_that_holds_its_sentences_not_about_what_stands_around_it(wrapped: str) -> None:
    cards = "".join(
        f'<div><h3><a href="/n/{n}">Harbour news item {n}</a></h3><p>A word on item {n} from the harbour.</p></div>\n'
        for n in range(40)
    )
    links = "".join(f'<p><a href="/topics/{n}">All about topic {n} of the coast</a></p>\n' for n in range(40))
    told = "".join(
        f'<p>Paragraph {n} tells how the <a href="/wiki/Tide_gauge_{n}">tide gauge {n}</a> was read by '
        f'<a href="/wiki/Keeper_{n}">its keeper</a> that year.</p>\n'
        for n in range(30)
    )
    page = f"""<html><head><title>How the tides were measured - Coast</title></head><body>
<div id="top"><div>{links}</div></div>
<h1>How the tides were measured</h1><div class="{wrapped}"><div>
<h2>The gauges<a href="#gauges">¶</a></h2>{told}
<h2>After <a href="/wiki/1900">1900</a></h2>{told.replace("year", "decade")}
</div></div><div><h2>Popular stories</h2>{cards}</div></body></html>"""
    shown = compact(page, budget=500).text
    assert "# How the tides were measured" in shown
    assert "## The gauges\n" in shown
    assert "After 1900\n" in shown
    assert "tells how the tide gauge 0 was read by its keeper that year." in shown
    assert "link targets" in shown and "link targets (" not in shown and "link targets, s" not in shown
    assert shown.count("tide gauge") > 4 * shown.count("topic")
    assert "Harbour" not in shown
    assert "Popular" not in shown


def test_a_document_below_the_error_of_a_tool_is_said_to_be_so() -> None:
    text = "# Moorings\n\nWhich boat lies where.\n\n## North\n\n" + f"{FILLER}\n\n" * 30
    failed = _shown(f"edit_quay check failed: No such lines in docs/moorings.md:\n{text}")
    assert 'An error (line 1), then Markdown "Moorings", ' in failed.split("\n")[1] and " in all" in failed
    for first in ("", "What to do where a rope failed: ask the keeper.\n", "Notes: all went well:\n"):
        assert "An error" not in _shown(first + text)


def test_what_a_conclusion_begins_with_comes_before_what_is_asked() -> None:
    parts = "".join(
        f"### {name}\n\n" + "".join(f"- The {name.lower()} at ring {n} hold {n * 7} ropes of hemp.\n" for n in range(9))
        for name in ("Moorings", "Cranes", "Stores", "Sheds", "Lamps", "Gates")
    )
    listed = "- No ring is loose\n- Each crane was tried\n"
    end = f"### Conclusion\n\nThe work of the harbour crew since spring is **neutral to positive**:\n{listed}"
    text = f"## Review of the harbour\n\nThe quays were walked.\n\n{parts}\n{end}"
    asked = {"prompt": "How do the moorings and the cranes hold the ropes?"}
    out = _shown(text, 200, arguments=asked)
    assert "neutral to positive" in out and "No ring is loose" in out and "Each crane was tried" in out


def test_of_steps_in_bold_in_a_long_document_any_stands_without_the_first() -> None:
    first = " ".join(f"The crew of quay {n} was asked about its {n * 7} ropes." for n in range(60))
    steps = f"1. **Built by Keepers**:\n   {first}\n" + "".join(
        f"{n}. **Way {n}**:\n   The crane of this way lifts {n * 13} crates before the tide has turned again.\n"
        for n in range(2, 9)
    )
    rest = "".join(f"## Part {n}\n\n{FILLER * 3}\n\n" + f"word {n}\n\n" * 60 for n in range(5))
    head = "# Crane\n\nType to start searching\n\nA crane for any quay that there is."
    out = _shown(f"{head}\n\n## Why use Crane\n\n{steps}\n{rest}", 400)
    assert re.search(r"The crane of this way lifts \d+ crates", out) and "Type to start" not in out
