"""Of an answer, a guide or a list of findings that stands first for which it is read, each part with whose it is."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from mcpcompact import ResultStore, compact

FILL = "\n\n".join(
    f"## Part {n}\n\nThe part `hold_{n}.rs` loads {n * 7} crates before it reports to deck_{n}.\n\n"
    f"- crate_{n}a\n- crate_{n}b"
    for n in range(30)
)
OPENING = (
    "Ostra plans the loading of ships by crane and by hand. It reads the manifest of each ship and the tides of the "
    "port, and asks two people before it moves what is heavier than a lorry. It is made of a planner, of a clock that "
    "tells the tides, and of an office in which people sign. The office alone may stop a crane."
)


def test_what_an_answer_begins_with_is_whole() -> None:
    for budget in (500, 1000):
        assert OPENING in compact(f"{OPENING}\n\n{FILL}\n", budget=budget, threshold=budget).text
    assert compact(f"{OPENING}\n\n{FILL}\n", budget=120, threshold=100).tokens <= 120


def test_links_to_more_do_not_stand_for_an_answer() -> None:
    links = (
        "Pages you might want to read:\n- [Cranes (ostra/ostra)](/wiki/ostra/ostra#1)\n"
        "- [Tides (ostra/ostra)](/wiki/ostra/ostra#2)\n\nView this search: https://ostra.example/s/31"
    )
    text = compact(
        f"{OPENING}\n\n{FILL}\n\n{links}\n", budget=400, threshold=300, tool="ask", arguments={"repo": "ostra/ostra"}
    ).text
    assert "Pages you might" not in text and "match" not in text
    text = compact(f"# Reading\n\nWhat to read.\n\n{links}\n" * 9, budget=300, threshold=300).text
    assert "/wiki/ostra/ostra#1" in text  # the list is what it is about


def test_rules_come_before_examples() -> None:
    rules = [
        "1. **Do NOT ask** which ship. Read the manifest.",
        "2. **Never move** what is heavier than a lorry without two signatures. It has cost a quay.",
        "3. You MUST read the tide first.",
        "4. **Always log** the crane that you used. The log is the source of truth.",
    ]
    sample = "\n".join(f'  "berth_{n}": {{"depth": {n}.5, "crane": "crane_{n}"}},' for n in range(40))
    text = (
        f"# Loading\n\nHow to load a ship.\n\n## Files\n\nIt looks so:\n\n```json\n{{\n{sample}\n}}\n```\n\n"
        + "## Rules\n\n"
        + "\n".join(rules)
    )
    out = compact(f"{text}\n\n{FILL}\n", budget=300, threshold=300).text
    assert all(rule.partition(". It")[0].partition(". The")[0].partition(". Read")[0] in out for rule in rules)


def test_where_a_finding_is_comes_first() -> None:
    findings = "\n\n".join(
        f"### {n}. A race in the crane\n\n**Location:** `/srv/ostra/src/cranes/crane_{n}.rs:{n}10-{n}31`\n\n"
        f"The rope is let go while the hook still moves, which berth {n} saw {n} times.\n\n"
        + "```rust\nlet rope = hook.rope();\n"
        + f"drop(rope_{n});\n```"
        for n in range(1, 9)
    )
    out = compact(f"# Review\n\nA review of the cranes.\n\n{findings}\n", budget=250, threshold=200).text
    assert out.count("**Location:** `/srv/ostra/src/cranes/crane_") >= 4


CASES = "\n\n".join(
    f"Case Story\n\n{who} wants to send {n} crates from the northern quay, which is closed in the night, and asks "
    f"for the one crane that can lift what the manifest of berth_{n} lists.\n\nThe crates hold {n} kg of glass{n} "
    f"and may not be stacked.\n\nThe office signs for dock_{n}.\n\nExpected Calls\n\n"
    f"1. read_tide({n})\n\n2. lift(crane_{n})"
    for n, who in enumerate(("Ada Lund", "Bo Ek", "Cleo Ray", "Dag Moe", "Eva Holm", "Finn Os"), 2)
)


def test_a_part_stands_below_what_says_whose_it_is() -> None:
    for budget in (250, 350, 450):
        lines = compact(
            f"The cases of the port.\n\n{CASES}\n", budget=budget, threshold=200, content_type="markup"
        ).text.split("\n")
        for n, who in enumerate(("Ada Lund", "Bo Ek", "Cleo Ray", "Dag Moe", "Eva Holm", "Finn Os"), 2):
            if any(f"glass{n}" in line or f"dock_{n}" in line for line in lines):
                assert any(who in line for line in lines)


def test_what_refers_to_a_text_stands_below_it() -> None:
    people = "\n\n".join(
        f"Keeper {n} of the port is responsible for the ropes in hold {n} and for whoever comes to see them there.\n\n"
        f"She reads `rope_{n}.toml` and writes `log_{n}.txt` at {n}:30."
        for n in range(40)
    )
    lines = compact(f"# Port\n\nWho does what.\n\n{people}\n", budget=400, threshold=300).text.split("\n")
    for n in range(40):
        if any(f"rope_{n}.toml" in line for line in lines):
            assert any(f"Keeper {n} of" in line for line in lines)


def test_a_line_above_an_example_does_not_stand_alone() -> None:
    text = "\n\n".join(
        f"## Way {n}\n\nAnd try the planner of dock_{n}\n\n```bash\nostra run --dock {n} --plan plan_{n}.toml\n```"
        for n in range(40)
    )
    lines = compact(f"# Ways\n\nHow to start.\n\n{text}\n", budget=300, threshold=300).text.split("\n")
    assert any("plan_" in line for line in lines)
    assert not any("And try" in line and "--dock" not in after and after for line, after in pairwise(lines))


def test_of_a_document_no_part_is_offered_that_nothing_points_at(tmp_path: object) -> None:
    lines = ["# Port", ""]
    for n in range(60):
        told = [f"Rope {n}.{k} of hold {k} is checked by the keeper who holds the key number {k}." for k in range(12)]
        listed = told if 30 <= n < 36 else ["```", *told, "```"]
        lines += [f"## Berth {n}", "", *(line for text in listed for line in (text, "")[: 1 + (listed is told)])]
    made = compact("\n".join(lines), budget=400, threshold=300, store=ResultStore(str(tmp_path)))
    assert " Rest: mcpcompact results get " in made.text and "--lines" not in made.text


def test_a_lead_of_two_lines_is_counted_once() -> None:
    parts = [
        f"For the crane number {n} of the northern quay, which is\nbehind the office, run:\n\n"
        f"```bash\nostra lift crane_{n}\n```"
        for n in range(30)
    ]
    text = "# Cranes\n\nHow to lift.\n\n" + "\n\n".join(parts)
    out = compact(text, budget=250, threshold=200, store=None).text
    head = out[out.index("1 # Cranes") :].split("\n")
    said = int(out.split(" lines shown")[0].split()[-3])
    assert said == sum(not line.startswith(("…", "[mcp")) for line in head)


SEEN = (
    "I scrolled down.\n\nHere is a screenshot of [Tides of Ostra](https://ostra.example/tides). "
    "The viewport shows 9% of the webpage, and is positioned 17% down from the top of the page.\n"
)


def test_a_page_that_was_seen_is_named_and_its_menus_come_last() -> None:
    menu = "".join(
        f"**Menu {n}:**\n" + "".join(f"- Quay{n}{k}\n- Rope and hook {k}\n" for k in range(6)) + "\n" for n in range(8)
    )
    rows = "".join(f"| May {n} | {n * 37 % 19}.5 | {n * 53 % 23}.2 |\n" for n in range(1, 25))
    said = "The text of the page, as far as it could be read from the picture, is this:"
    text = f"{SEEN}{said}\n\n{menu}**Table:**\n| Day | High | Low |\n|---|---|---|\n{rows}"
    for budget in (400, 600):
        out = compact(text, budget=budget, threshold=300, content_type="markup").text
        assert SEEN.split("\n")[2] in out and out.count("| May ") > 5 and out.count("Quay") < 8


def test_what_a_page_tells_other_hosts_leaves_no_brackets() -> None:
    hosts = "".join(f'        "og:tide{n}": "High at {n}:30.",\n' for n in range(4))
    lines = "".join(f"Rope {n} of the northern quay holds {n * 7} crates, said keeper {n}.\n" for n in range(60))
    text = f'{SEEN}The following was extracted:\n{{\n    "meta_tags": {{\n{hosts}    }}\n}}\n\nThe text:\n\n{lines}'
    out = compact(text, budget=400, threshold=300, content_type="text").text
    assert SEEN.split("\n")[2] in out
    assert not any(line.strip(" 0123456789") in ("{", "}") for line in out.split("\n"))


def test_the_menus_of_a_page_in_bold_and_what_search_engines_read_come_behind_its_table() -> None:
    menu = "**Quays**\n**Ropes**\n**Sign in**\n**Weather reports**\n\n**Harbours**\n\n"
    engines = '"{\\"@type\\":\\"Harbour\\",\\"name\\":\\"Quay of Ostra\\"}",\n' * 9
    rows = "".join(f"| May {n} | {n * 37 % 19}.5 | {n * 53 % 23}.2 |\n" for n in range(1, 25))
    told = f'The following was extracted:\n\n{{\n    "jsonld": [\n{engines}    ]\n}}\n\nThe text of the page:\n\n'
    text = f"{SEEN}{told}{menu * 6}| | |\n|---|---|\n{rows}\n{menu * 3}"
    out = compact(text, budget=400, threshold=300, content_type="markup").text
    assert SEEN.split("\n")[2] in out and out.count("| May ") > 5 and "of 24 rows]" in out
    assert "@type" not in out and "|  |  |" not in out
    assert out.count("**Quays**") + out.count("**Ropes**") + out.count("**Weather reports**") < 4


def test_papers_of_a_project_come_last_unless_they_are_asked_for() -> None:
    use = "".join(
        f"## Crane {n}\n\nThe crane `lift_{n}` reads {n * 7} settings from `deck_{n}.toml`, asks the keeper of the "
        f"quay for the weight of what it holds, and writes both to the book of the harbour before it moves.\n\n"
        f"```\nlift_{n} --deck {n} --weight {n * 70}\n```\n\n"
        for n in range(9)
    )
    papers = "## Authors\n\nMira of `quay_3`, Otto of `quay_9`.\n\n## License\n\nSee [it](./COPYING_OSTRA.txt).\n"
    text = f"# Ostra\n\n{OPENING}\n\n{use}{papers}"
    out = compact(text, budget=500, threshold=300).text
    assert all(f"lift_{n}" in out for n in range(9)) and out.count("before it moves") > 2
    assert "COPYING_OSTRA" not in compact(text, budget=370, threshold=300).text
    assert "COPYING_OSTRA" in compact(text, budget=500, threshold=300, focus="which license does Ostra have").text


def test_what_the_writer_calls_important_is_shown() -> None:
    note = "The test of line 62 still expects `crane_unknown`, but the crane is known since the last change."
    parts = [
        f"The function `lift_{n}` of `deck_{n}.go` takes {n * 7} crates and calls `hold_{n}` then." for n in range(40)
    ]
    for label in ("**Important Note**:", "**Warning:**", "- **Caution:**"):
        text = "\n\n".join(["# Cranes", *parts[:25], f"{label} {note}", *parts[25:]])
        assert f"{label} {note}" in compact(text, budget=300, threshold=300).text


def test_all_headings_are_named_before_what_stands_below_any() -> None:
    parts = ("Crane driver", "Rope walk", "Tide clock", "Quay wall", "Office", "Signatures", "Weather", "Night shift")
    text = "# Who does what\n\nA report on the harbour of Ostra, read from its sources.\n\n" + "\n".join(
        f"## {part}\n\n**Never** let the {part.lower()} begin before `/srv/ostra/src/parts/part_{n}.rs` has been read "
        f"by two people, one of them of the office, who sign in the book of that day and tell the others.\n\n"
        f"- `hold_{n}()` loads {n * 7} crates, which the deck counts\n- `deck_{n}()` reports to the quay\n"
        for n, part in enumerate(parts)
    )
    out = compact(text, budget=300, threshold=300).text
    assert all(part in out for part in parts) and "Headings:" not in out


def test_a_figure_without_a_label_above_it_stands_with_the_text_below() -> None:
    cards = "67.3%\n\nbest crane overall today, 30.4% at launch\n\n-13 pts\n\nfrom calm to windy quays"
    text = f"# Cranes\n\nHow well the cranes of Ostra load.\n\n{FILL}\n\n## How far we are\n\n{cards}\n\n{FILL}\n"
    out = compact(text, budget=700, threshold=500).text
    assert "67.3%\n\nbest crane overall today" in out and ("-13 pts" not in out or "-13 pts\n\nfrom calm" in out)


def test_a_line_that_leads_to_nothing_but_headings_is_left_out() -> None:
    preamble = "Now I know all that there is to know of the cranes. Here is the whole report:"
    out = compact(f"{preamble}\n\n---\n\n# Cranes\n\n{OPENING}\n\n{FILL}\n", budget=400, threshold=300).text
    assert preamble not in out and OPENING[:80] in out
    parts = "\n".join(
        f"<h3>{n}. Kind {n}</h3>\n<p>Kind {n} has `hook_{n}`. {OPENING[: 300 + n]}</p>" for n in range(1, 30)
    )
    page = f"<h1>Cranes</h1>\n<p>{OPENING}</p>\n<h2>Kinds</h2>\n<p>There are five kinds:</p>\n{parts}"
    assert "five kinds:" not in compact(f"<html><body>{page}</body></html>", budget=400, threshold=300).text


def test_one_of_two_entries_is_counted() -> None:
    parts = "\n\n".join(
        f"## Crane {n}\n\n- `crane_{n}` stands on quay {n} and lifts {n * 70} crates an hour\n- watched by people ({n})"
        for n in range(12)
    )
    out = compact(f"# Cranes\n\n{OPENING}\n\n{parts}\n", budget=300, threshold=200).text
    one = sum((f"`crane_{n}`" in out) != (f"people ({n})" in out) for n in range(12))
    assert out.count("…[1 of 2") == one > 0


def _shown(text: str, budget: int, focus: str = "") -> str:
    return compact(text, budget=budget, threshold=budget, focus=focus or None).text


def test_an_entry_within_another_stands_below_it_and_no_other() -> None:
    parts = "\n".join(
        f"- `packages/part_{n}/src/adapter_for_the_remote_store_{n}.ts`, read in each region and its tests:\n"
        f"  - `PREFIX_{n}`: now `runs/{n}`.\n  - `is_safe_{n}`: takes it, too."
        for n in range(30)
    )
    text = f"# Plan\n\nOne change.\n\n## Files\n\n{parts}\n\n## Tests\n\nAll of `tests/`.\n"
    above, found = "", 0
    for line in _shown(text, 400).split("\n"):
        if parent := re.match(r"(?:\d+ )?- `packages/part_(\d+)/", line):
            above = parent[1]
        if child := re.search(r" {2}- `(?:PREFIX|is_safe)_(\d+)`", line):
            found += 1
            assert child[1] == above
    assert found > 3


def test_a_long_entry_comes_with_what_is_within_it() -> None:
    told = "and every reader of the region who has a key to the store and was told of it by two others before noon"
    rules = "\n".join(
        f"- The writer number {n} of the store waits for the night, {told}; so does all that it calls by day.\n"
        f"  - `lock_{n}` is held by `guard_{n}`."
        for n in range(20)
    )
    lines = _shown(f"# Store\n\nHow it is written.\n\n## Writers\n\n{rules}\n", 400).split("\n")
    held = [n for n, line in enumerate(lines) if "is held by" in line]
    assert held
    assert all(f"number {lines[n].split('`')[1].removeprefix('lock_')} " in lines[n - 1] for n in held)


def test_a_further_list_of_a_section_stands_below_the_line_that_leads_to_it() -> None:
    first = "\n".join(f"- It reads `zone_{n}.toml` and tells the supervisor." for n in range(4))
    second = "\n".join(f"- `export_{n}` is no part of `store_{n}`, which is written at night." for n in range(20))
    lead = "What stays outside after the decision of the fourth of June, for the whole of this year:"
    out = _shown(f"# Guide\n\n## Direction\n\nFor the team.\n\n{first}\n\n{lead}\n\n{second}\n", 300)
    assert "is no part of" in out
    assert out.index(lead) < out.index("is no part of")


def test_a_document_without_blank_lines_is_one() -> None:
    parts = "\n".join(
        f"## Part {n}\nThe `part_{n}` of the plant is set up before `part_{n + 1}` by its crew.\n- Check `gauge_{n}`."
        for n in range(40)
    )
    out = _shown(f"=== plan ===\n# Plan of the plant\nIt is built in parts.\n{parts}\n", 300)
    assert 'Markdown "Plan of the plant"' in out


def test_a_script_without_blank_lines_is_no_document() -> None:
    text = "\n".join(
        f"## step {n}\nrsync -a `pwd`/part{n} host{n}:/srv\ntest -f /srv/part{n} || exit 1" for n in range(99)
    )
    assert compact(text, budget=300, threshold=300).content_type != "markup"


def test_places_left_open_in_an_example_and_phrases_to_look_for_come_last() -> None:
    rules = "\n".join(
        f"{n}. Read `range_{n}` before `step_{n}` tells what it does to the reader." for n in range(1, 15)
    )
    slots = "\n".join(
        f"- <path> -> commit <sha> of kind {n}\n  ```<language>\n  <matched code snippet>\n  ```" for n in range(7)
    )
    said = "\n".join(f'- "{who} wrote this block of code {when}"' for who in ("who", "why") for when in "abcd")
    above = f"# Explain\n\nFor a block.\n\n## Format\n\n````text\n{slots}\n````"
    text = f"{above}\n\n## Triggers\n\n{said}\n\n## Rules\n\n{rules}\n"
    out = _shown(text, 400)
    assert "matched code snippet" not in out
    assert out.count("Read `range_") == 14 and out.count("wrote this block") <= 1
    assert out.count("before `step_") > 9


def test_words_that_a_request_does_not_join_are_found_where_they_are_joined() -> None:
    sections = "\n\n".join(
        f"## Part {n}\n\nOf part {n} the crew says little.\n\n"
        + "\n".join(f"- The `gauge_{n}_{k}` shows the load of bay {k} to the crew of the night." for k in range(9))
        + "\n- Prefer lowest-common-denominator contracts." * (n == 4)
        for n in range(8)
    )
    out = _shown(f"# Plant\n\n{sections}\n", 300, focus="we need the lowest common denominator here")
    assert "lowest-common-denominator" in out


LOG = "".join(
    f"2026-03-04T10:00:{n:02}Z ERROR gate {n} failed to open\nUsing worker: harbour-{n}.example.org:gates-{n}\n"
    for n in range(9)
)
TOLD = "".join(f"## Part {n}\n\nThe *keeper* of [gate {n}](gate{n}.md) reads:\n\n```\n{LOG}```\n\n" for n in range(9))


def test_a_file_of_markdown_is_one_whatever_log_it_quotes() -> None:
    read = compact(
        f"# Gates\n\nWhat is seen in **logs**.\n\n{TOLD}", budget=500, arguments={"file_path": "docs/gates.md"}
    )
    assert read.content_type == "markup"
    assert "# Gates" in read.text


def test_markdown_with_roles_and_directives_is_markdown_and_a_heading_stands_without_its_tags() -> None:
    parts = "".join(
        f'## <a id="p{n}"></a>Part {n}\n\nThe {{func}}`gate` is kept, see :ref:`keeper`.\n\n'
        f"```{{note}}\nKept::\n\n    {n}\n```\n\n"
        for n in range(40)
    )
    shown = compact(f"# Gates\n\n{parts}", budget=300, content_type="markup").text
    assert 'Markdown "Gates"' in shown
    assert "<a id" not in shown
    assert "## Part " in shown


def test_a_file_of_restructuredtext_needs_no_directive_to_be_one_and_the_first_of_several_parts_is_no_title() -> None:
    ruler = "-" * 60
    parts = "".join(
        f"{ruler}\n{'':24}{name}\n{ruler}\n\n"
        + "".join(f"* quay{n}\n    * {name} of gate {n}\n        * opens at {n} o'clock\n" for n in range(30))
        + "\n"
        for name in ("Added", "Fixed", "Removed")
    )
    read = compact(parts, budget=300, threshold=300, arguments={"file_path": "changelog/april.rst"})
    assert read.text.split("\n")[1] == "reStructuredText, 285 lines"
    assert "# Added" in read.text and "* quay" in read.text


def test_of_a_report_of_tests_what_failed_stands_whole() -> None:
    def suite(n: int, failed: str = "") -> str:
        passed = "\n".join(f"  ✅ crane {n} lifts the load {k} to berth_{n}_{k}" for k in range(12))
        return f"### {'❌' if failed else '✅'} suite_{n}.py\n```\n{passed}\n{failed}```\n"

    for many in (9, 60):  # a long one, too
        failed = "  ❌ crane lowers the hook\n    Expected: <2>\n    Actual: <1>\n"
        report = "\n".join(suite(n, failed if n == many - 2 else "") for n in range(many))
        shown = compact(report, budget=400, threshold=100).text
        assert f"### ❌ suite_{many - 2}.py" in shown and "❌ crane lowers the hook" in shown
        assert "Expected: <2>" in shown and "Actual: <1>" in shown


def test_what_must_be_done_comes_before_what_is_told() -> None:
    told = "\n".join(
        f"## {name} of the quay\n\n"
        + f"The {name.lower()} of the quay was built in {1900 + n} by `firm_{n}` of the harbour.\n\n"
        + "\n".join(f"- `{name.lower()}_{k}.toml` holds part {k} of it, {n * 37 + k} bolts" for k in range(5))
        for n, name in enumerate(("History", "Cranes", "Berths"))
    )
    rules = [
        f"{n}. **Ask the pilot of berth {n} before the ropes of `ship_{n}` are let go.** "
        f"Write down what was said at gate {n}."
        for n in range(1, 6)
    ]
    text = "# Quay\n\nWhere ships lie.\n\n## Mooring rules\n\n" + "\n".join(rules) + f"\n\n{told}\n"
    made = compact(text, budget=300, threshold=100).text
    assert sum(rule in made for rule in rules) >= 3


def test_the_next_open_boxes_come_before_one_that_is_skipped() -> None:
    def work(n: int, boxes: str) -> str:
        return f"### Work {n}: the pier of the {n}th crane\n> Bind the ropes of crane {n}.\n\n{boxes}\n"

    done = "".join(f"- [x] Bound rope {k}\n" for k in range(12))
    text = "# Plan\n\nOf the piers.\n\n## Works\n\n" + "\n".join(work(n, done) for n in range(25))
    text += "\n" + work(25, done + "- [ ] Lift the lamp by hand\n")
    text += "\n" + work(26, "- [ ] SKIPPED (the pier of the west is gone)\n")
    text += "\n" + work(27, "".join(f"- [ ] Paint the plank {k}\n" for k in range(9)))
    shown = compact(text, budget=250, threshold=250).text
    assert "- [ ] Lift the lamp by hand" in shown.split("Work 25", 1)[1] and "- [ ] Paint the plank 0" in shown
    assert "- [ ] SKIPPED" not in shown


def test_of_slides_sentences_and_the_occasion_come_before_labels_of_pictures() -> None:
    slides = "\n\n".join(
        f"Pier {n}\n\n## The ropes of pier number {n}\n\nRope {n} · knot.md\n\nA rope of pier {n} is **bound by two "
        f"hands** before the [tide](tide.md) comes in.\n\ntide drops\nLamp {n} · ~{n}% · {n * 100} ms\n\nlamp\n\nknot"
        for n in range(1, 40)
    )
    text = f"Q\n\nHarbour Seminar · July 2026\n\n## The quay\n\nMira Otto\n\n{slides}\n"
    shown = compact(text, budget=500, threshold=500).text
    assert "Harbour Seminar · July 2026" in shown
    assert shown.count("bound by two hands") > shown.count("knot.md") + shown.count("tide drops")


def test_what_a_line_in_bold_calls_the_key_insight_stands_before_examples_where_few_do() -> None:
    def quay(n: int, said: str = "") -> str:
        told = (
            f"The keeper of quay {n} reads `etc/quay{n}.cfg`, opens var/quay{n}.log and writes quay_{n}.csv each hour."
        )
        return f"## Quay {n}\n\n{told}\n\n{told.replace('quay', 'lock')}\n\n{said}"

    insight = "**Key Insight:** Boats wait for the tide and for no keeper.\n\n"
    text = "# Quays\n\nHow quays are kept.\n\n" + "".join(quay(n, insight * (n == 7)) for n in range(14))
    shown = compact(text, budget=300, threshold=300).text
    assert insight.strip() in shown and "## Quay 7" in shown


@pytest.mark.parametrize("budget", [200, 250, 300])
def test_what_is_to_be_done_next_is_told_from_the_sections_below_its_heading(budget: int) -> None:
    told = "The keeper of quay {n} reads `etc/quay{n}.cfg`, opens var/quay{n}.log and writes quay_{n}.csv each hour."
    quays = "\n\n".join(f"## Quay {n}\n\n" * (n % 3 == 0) + told.format(n=n) for n in range(18))
    boats = "".join(f"- Tar boat {n}, which the keeper of its slip hauls out at noon\n" for n in range(3))
    due = f"## Next Session Priorities\n\n### First\n\n{boats}\n### Then\n\n- Oil chain 9 of the crane\n"
    text = f"# Quays\n\nHow quays are kept.\n\n{quays}\n\n{due}\n## Notes\n\nNone.\n"
    shown = compact(text, budget=budget, threshold=200).text
    assert "## Next Session Priorities\n\n### First\n\n- Tar boat 0" in shown
