"""Prose is shown so that it can be quoted: whole sentences and entries below what leads to them, and true counts."""

from __future__ import annotations

import itertools
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact

FILLER = "\n\n".join(
    f"The component number {n} of the service `part_{n}` reads its settings from the file\n"
    f"`conf/part_{n}.toml` and reports what it did to the supervisor of zone{n} at every start."
    for n in range(60)
)


def shown(text: str, budget: int = 300, **options: object) -> str:
    return compact(text, budget=budget, threshold=budget, **options).text  # type: ignore[arg-type]


RULES = f"""# Handbook

The handbook of the team.

## Releases

A release will not be
published by `release_bot` before `sign_off` is set by two people of the team who did not write it.

Never use or document:

- `legacy_upload`
- `legacy_download`

If `mirror_host` is down:

1. Stop `sync_daemon`.
   - If the queue holds `urgent_jobs`, drain it first.
   - Otherwise delete `queue.db`.
2. Call the owner of `mirror_host`.

**Never push to `stable_branch`.** Open a request for `next_branch` instead.

## Parts

{FILLER}
"""


def test_a_wrapped_paragraph_is_shown_from_its_beginning() -> None:
    out = shown(RULES, 400)
    for n in range(60):
        if f"conf/part_{n}.toml" in out:
            assert f"The component number {n} of the service" in out
    if "before `sign_off`" in out:
        assert "A release will not be\npublished" in out
    assert "conf/part_" in out


def test_an_entry_comes_with_the_sentence_that_leads_to_it() -> None:
    for budget in (150, 200, 300, 400, 600):
        out = shown(RULES, budget)
        lead, entries = "Never use or document:" in out, "- `legacy_upload`" in out or "- `legacy_download`" in out
        assert lead == entries
        if "- Otherwise delete" in out:
            assert "- If the queue holds" in out and "1. Stop `sync_daemon`." in out
        if "Open a request for" in out:
            assert "**Never push to `stable_branch`.**" in out


def test_a_lead_and_a_heading_are_said_once() -> None:
    out = shown(RULES, 600)
    assert "- `legacy_upload`" in out and "- `legacy_download`" in out
    assert out.count("Never use or document:") == 1
    assert out.count("## Releases") == 1


@settings(deadline=None, max_examples=30)
@given(
    st.lists(
        st.sampled_from(["- `a_%d`", "Do not use:", "word_%d goes\non here.", "  - sub_%d", "## H%d"]), min_size=30
    ),
    st.integers(80, 300),
)
def test_every_shown_line_is_a_line_of_the_document_at_its_number(parts: list[str], budget: int) -> None:
    text = "# T\n\n" + "\n\n".join(part.replace("%d", str(n)) for n, part in enumerate(parts)) + "\n"
    lines = text.split("\n")
    out = shown(text, budget)
    for match in re.finditer(r"(?m)^(\d+)(?:-(\d+))? (.+)$", out):
        first = int(match[1])
        if "[+" not in match[3]:
            assert re.sub(r" …(?:\[\d+ of [\d,]+(?: items)?\])?$", "", match[3]).strip() == lines[first - 1].strip()


def test_a_code_block_is_shown_in_runs_of_its_lines() -> None:
    blocks = "\n\n".join(
        f"## Part {n}\n\n```python\nimport sys\nfrom lib_{n} import start_{n}\n"
        + "\n".join(f"value_{n}_{k} = start_{n}(option_{k}={k})" for k in range(15))
        + "\n```"
        for n in range(20)
    )
    out = shown(f"# Guide\n\n{blocks}\n", 500)
    assert "value_0_0 = " in out and "from lib_" not in out  # the call, not what it imports
    for n in range(20):
        held = [k for k in range(15) if f"value_{n}_{k} =" in out]
        assert held == list(range(len(held)))


def test_wrapped_sentences_below_a_ruled_heading_of_plain_text_stay_whole() -> None:
    body = "\n".join(
        f"Branches that were written under `.tool/results/{n}` by the old version of `writer_{n}`\n"
        f"(and those of the copy in `.tool/copies/{n}`) will not be\n"
        f"read by the new path."
        for n in range(30)
    )
    out = shown(f"=== plan ===\n{body}\n=== end ===\ndone\n", 400)
    assert ".tool/copies/" in out
    for n in range(30):
        if f".tool/copies/{n}`" in out:
            assert f"the old version of `writer_{n}`" in out


def test_merge_conflicts_are_told_with_their_lines() -> None:
    text = RULES.replace("## Parts\n", "## Parts\n\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> 1a2b3c4 (other)\n")
    start = text.split("\n").index("<<<<<<< HEAD") + 1
    assert f"1 unresolved merge conflict: lines {start}–{start + 4}" in shown(text)
    plain = "\n".join(f"line {n} of a note about nothing" for n in range(200))
    assert "1 unresolved merge conflict: lines 1–5" in shown(f"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n{plain}\n")
    assert "merge conflict" not in shown(RULES)


def test_the_title_is_that_of_the_page_and_its_claims_come_before_tags() -> None:
    text = (
        '<div align="center">\n<img src="https://h.example/logo.png"\n     alt="logo" />\n'
        "<h1>Kestrel, the <b>small</b> agent</h1>\n</div>\n\n"
        "[![Build](https://h.example/b.svg)](https://h.example/b)\n\n"
        "Kestrel is\n\n- **Minimal**: a hundred lines of Python\n\n"
        + "\n".join(f'<a href="https://h.example/p{n}" class="card">\n<div class="x">\n</div></a>' for n in range(60))
        + "\n\n## Next steps\n\nRead on.\n"
    )
    out = shown(text)
    assert 'Markdown "Kestrel, the small agent"' in out
    assert "- **Minimal**: a hundred lines of Python" in out
    assert "<div" not in out and "<img" not in out and "b.svg" not in out


def test_of_web_results_those_with_the_numbers_of_the_query_answer_it() -> None:
    tail = " The town keeps a book of its own about that, in which every one of its sons can read." * 2
    share = {2: "share", 4: "share", 6: "share"}
    said = {
        n: f"In {1960 + n} the {share.get(n, 'part')} of weavers in harbour trades fell.{tail}" for n in range(1, 13)
    }
    said[8] = "The weavers of the harbour tell it. In 1987, 41% of trades were weavers. 1987 2003 2011 41 %28 %26 %."
    results = [f"Result {n}:\nOld town {n}\nhttps://h{n}.example/w\n{said[n]}" for n in said]
    query = "weavers share of harbour trades from 41% to 28% years"
    out = compact("\n".join([*results, "None"]), budget=345, threshold=345, arguments={"query": query}).text
    assert "1987 2003 2011 41 %28 %26 %." in out and "None" not in out


def test_results_of_a_web_search_are_titles_with_their_addresses() -> None:
    text = "exitcode: 0 (execution succeeded)\nCode output: " + "\n".join(
        f"Search Result {n}:\nPage {n} about National parks\nhttps://h{n}.example/park\n"
        f"The park is open. {'It is one of the many Park sites that people of the region like. ' * 3}"
        for n in range(1, 21)
    )
    out = shown(text, 500)
    assert "Web search: 20 results." in out
    assert "Search Result" not in out.replace("Search Result 1:", "")
    for n in range(1, 21):
        assert (f"https://h{n}.example/park" in out) == (f"Page {n} about" in out)
    assert out.count("about National") >= 10
    assert "←" not in out


def test_of_several_web_searches_each_has_its_answer_before_any_has_its_address() -> None:
    inns = ["Blue Heron Inn", "Old Ferry House", "Copper Kettle Tavern", "Seven Gulls Lodge", "Miller Street Grill"]
    tail = "People like to come here for an evening out with friends, and for the view of the river. " * 3
    text = "exitcode: 0\n" + "\n".join(
        f"Search Result {n}:\n{inn} - page {n}\nhttps://guide{n}.example/places/of/the/town/{inn.split()[0]}\n{tail}"
        f"{f'{inn} stands at 4{i}1 River Street, below the old bridge, with its address and hours.' if n == 7 else ''}"
        for i, inn in enumerate(inns)
        for n in range(1, 10)
    )
    script = "\n".join(f'search("{inn} address")' for inn in inns)
    out = compact(text, budget=500, threshold=500, arguments={"code": script}).text
    assert "Web search: 5 searches, 9 results each; first titles in lines 3, 39, 75, 111, 147." in out
    for i, inn in enumerate(inns):
        assert f"{inn} stands at 4{i}1 River Street" in out
    echoed = text.replace("Search Result 1:\n", "Results for inns:\n").replace("Search Result", "Next")
    assert "Web search: 5 searches, 9 results each" in shown(echoed, 500)


def _linked(n: int) -> tuple[str, str]:
    return f"Page {n} of the harbour of Nordby", f"https://ports{n}.example/nordby/harbour/page-{n}"


def test_results_whose_titles_are_links_come_with_the_sentences_that_answer() -> None:
    hits = []
    for n in range(1, 11):
        title, url = _linked(n)
        says = f"The harbour of Nordby has a depth of {n} metres at low water, as its master told the paper that year."
        hits.append(f"[{title}]({url})\n{says if n in (4, 7) else 'It lies by the sea, and people like it. ' * 4}")
    strange = "[Nordstrand](https://other.example/strand)\n" + "Nordstrand has a depth of 3,000 souls and a mill. " * 9
    for head, between in (("## Search Results", "\n\n"), ("10 found by the search", "\n")):
        text = f"{head}\n\n{strange}\n" + between.join(hits)
        arguments = {"query": "depth of the harbour of Nordby"}
        out = compact(text, budget=400, threshold=400, tool="web_search", arguments=arguments).text
        assert "Web search: 11 results." in out
        assert out.count("](https://ports") >= 9 and "has a depth of 4 metres" in out and "depth of 7 metres" in out
        assert "3,000 souls" not in out and "It lies by the sea" not in out
    bare = "# Places to search\n\n" + "\n".join("- [{}]({})".format(*_linked(n)) for n in range(60))
    assert "Web search" not in shown(bare, 500)


def test_a_page_that_two_searches_found_stands_once() -> None:
    quote = "The old mill of Nordby was built by the brothers Holm, and it burnt down in the great storm of that year."
    hits = "\n".join(
        f"Search Result {n}:\nPage {n} on mills\nhttps://mills{n}.example/a/long/way/to/the/mill\n{n}: {quote}"
        for n in range(1, 9)
    )
    script = 'search("mill of Nordby")\nsearch("mill of the brothers Holm")'
    out = compact(f"{hits}\n{hits}\n", budget=400, threshold=400, arguments={"code": script}).text
    assert "Web search: 2 searches, 8 results each, 8 pages;" in out
    assert all(f"Page {n} on mills" in out for n in range(1, 9))


def test_labels_of_a_page_stand_with_their_values_before_its_menus() -> None:
    menu = "Home News Shop Jobs Help Login Cart Forum Blog Press Terms Team Maps Video Music".replace(" ", "\n")
    values = "\n".join(f"Gauge {chr(65 + n)}\n{n * 37}.{n:02d} M" for n in range(26))
    text = (
        "I clicked 'Gauges'.\n\nHere is a screenshot of [Gauges of the dam](https://dam.example/gauges). "
        f"The viewport shows 30% of the webpage.\n\n{menu}\n\n{values}\n\n{menu.lower()}\n\n"
        + "The dam was built long ago, and it holds the water of two valleys for the towns below it. "
        * 12
    )
    out = shown(text, 340).split("\n")
    for n in range(26):
        assert f"{n * 37}.{n:02d} M" in out
    assert sum(line in menu.split("\n") for line in out) < 8


def test_what_the_tool_truncated_is_told_and_its_tail_belongs_to_no_file() -> None:
    hits = [f"src/mod_{n}.py:{n + 3}:    total_{n} = budget(order_{n})" for n in range(80)]
    hits[40] = 'data/runs.jsonl:3:{"budget": 1, "sui…16253 tokens truncated…validator.py:1090:    location = budget_usd'
    out = shown("Total output lines: 841\n" + "\n".join(hits) + "\n", 400)
    assert "truncated its output: “…16253 tokens truncated…” (line 42); Total output lines: 841" in out
    assert "runs.jsonl:3: " not in out or "budget_usd" not in out.split("runs.jsonl:3: ")[1].split("\n")[0]
    text = "\n".join(f"note {n} on the state of the north_{n} gate" for n in range(150))
    assert "truncated its output: “[... truncated ...]” (line 151)" in shown(f"{text}\n[... truncated ...]\n")


def test_a_spinner_leaves_the_line_that_it_turned_on() -> None:
    lines = [f"  Step {n} of `part_{n}` ... -\b \b\\\b \bdone" for n in range(120)]
    out = shown("\n".join(lines) + "\n")
    assert "... done" in out and "states]" not in out


def test_a_commit_tells_its_totals() -> None:
    log = "\n".join(
        f"commit {n:040x}\nAuthor: Dev <d@x.org>\nDate:   Mon Jul 6 10:00:00 2026 +0200\n\n    Change {n}\n\n"
        f" src/a{n}.py | 2 +-\n 3 files changed, {n + 1} insertions(+)\n"
        for n in range(60)
    )
    assert "Change 0 (3 files +1)" in shown(log, 400)


def test_a_line_right_below_the_last_or_behind_blank_lines_needs_no_number() -> None:
    parts = [f"## Part {n}\n\nIt sets `option_{n}` to {n * 37} of `module_{n}.path`.\n" for n in range(40)]
    text = "# Options\n\n" + "\n".join(parts)
    lines = text.split("\n")
    shown = compact(text, budget=300, threshold=300).text.split("\n")[2:-1]
    assert shown.pop(0).startswith("Sections not shown: ")
    assert any(line.startswith("It sets") for line in shown) and "" in shown
    at = 0
    for line in shown:
        number = re.match(r"(\d+) ", line)
        at = int(number[1]) if number else at + 1
        said = (line[number.end() :] if number else line).removesuffix(" …")
        assert lines[at - 1] == said, "counted on from the last number"


def test_what_is_asked_for_stands_in_its_section_once() -> None:
    text = "\n".join(f"## Step {n}\n\nRun `make step_{n}` in `dir_{n}`, then wait for {n * 71} s.\n" for n in range(60))
    shown = compact(text, budget=300, threshold=300, focus="what does make step_41 do?").text
    assert shown.count("## Step 41") == 1 and "Run `make step_41`" in shown
    headings = [int(n) for n in re.findall(r"## Step (\d+)", shown)]
    assert headings == sorted(headings)


def test_a_text_is_cut_at_its_end_alone() -> None:
    first = "The `pool_%d` keeps what a worker of the host has opened, one for each of the processes that ask for it. "
    more = (
        "It is not a cache of `entry_%d.json`, and nothing that stands in it lasts longer than the run of its owner. "
    )
    text = "# Terms\n\n" + "\n\n".join((first + more * 3).replace("%d", str(n)) for n in range(40))
    out = shown(
        text,
        500,
    )
    assert out.count("It is not") and not re.search(r"chars\] +It is", out)


def test_paragraphs_of_several_lines_stand_at_the_number_of_their_first() -> None:
    text = "# T\n\n" + "\n\n".join(
        f"Of `part_{n}` line one says {n * 37},\nand line two `path_{n}/b.py`." for n in range(90)
    )
    out = shown(text, 400)
    assert "line two" in out and not re.search(r"(?m)^\d+-\d+ ", out)


def test_front_matter_names_the_document() -> None:
    text = "---\ntitle: 'Eval Files'\nsidebar: 3\n---\n\n## Shapes\n\n" + "Some text says `a.b` here.\n\n" * 200
    assert 'Markdown "Eval Files"' in shown(text, 300)


def test_a_row_stands_below_its_header_and_code_below_its_caption() -> None:
    rows = "\n".join(f"| `field_{n}` | What field {n} holds and when it is read |" for n in range(60))
    text = f"# Fields\n\nText.\n\n| Field | Description |\n|---|---|\n{rows}\n"
    out = shown(text, 300).split("\n")
    row = next(n for n, line in enumerate(out) if "`field_" in line)
    assert any("| Field | Description |" in line for line in out[:row])


_PADDING = "\n".join(
    f"Paragraph {n} of the text tells of `value_{n}` and of module_{n}.py at length.\n" for n in range(40)
)


def test_no_answer_stands_below_the_title_of_another() -> None:
    asked = "\n".join(
        f'??? question "What of case{n}?"\n\n    It calls:\n\n    - run_{n}.py of it\n    - test_{n}.py of it\n'
        f"\n    Then it ends with `end_{n}`, and nothing else in this case is changed by anyone.\n"
        for n in range(14)
    )
    out = compact(f"# Questions\n\n{asked}", budget=640, threshold=100).text
    title = ""
    for line in out.split("\n"):
        if found := re.search(r"What of case(\d+)", line):
            title = found[1]
        elif found := re.search(r"(?:run|test|end)_(\d+)", line):
            assert found[1] == title, line
    assert sum("What of case" in line for line in out.split("\n")) == 14


def test_steps_in_bold_are_headings() -> None:
    steps = "\n".join(
        f"{n}. **Step {n} of it** (required)\n   - Call `do_{n}` and wait.\n   - Note {n * 7919}.\n{_PADDING}"
        for n in range(1, 9)
    )
    out = compact(f"# Work\n\n{steps}", budget=600, threshold=100).text
    assert all(f"**Step {n} of it**" in out for n in range(1, 9))


def test_the_summary_stands_before_examples() -> None:
    text = f"# Long\n\nBy Ann Lee, Bo Chan, Cy Dorn, Di Ek, Ed Fox and Gi Hu\n\n{_PADDING}\n## Key findings\n\n"
    text += f"The new way of storing rows halves the time of every query in the test.\n\n## Examples\n\n{_PADDING}"
    out = compact(text, budget=300, threshold=100).text
    assert "halves the time of every query" in out
    assert "Paragraph 0 of the text" in out  # the names of authors are no introduction


def test_a_page_says_its_summary_before_what_is_drawn_in_boxes() -> None:
    boxes = "\n".join(f"<div><div>call_tool_{n}(id_{n * 7919})</div></div>" for n in range(80))
    said = "\n".join(f"<p>The page tells here about the matter of part {n} in some words.</p>" for n in range(6))
    text = f"<html><body><h1>Study</h1>\n<div>May 2026</div>\n{boxes}\n<div>TL;DR</div>\n"
    text += f"<p>Agents solve one in four of the tasks when they must search for the rules.</p>\n{said}</body></html>"
    out = compact(text, budget=250, threshold=100).text
    assert "TL;DR\n" in out and "one in four of the tasks" in out


def test_a_table_stands_below_the_sentence_that_leads_to_it_in_the_order_of_the_source() -> None:
    rows = "\n".join(f"| `field_{n}` | what it is for, number {n} |" for n in range(30))
    text = f"# Fields\n\n## Metadata\n\nThese fields may be given:\n\n| Field | Use |\n|---|---|\n{rows}\n\n"
    text += "```yaml\nname: a\nversion: 2\nlicense: MIT\n```\n"
    out = compact(text, budget=400, threshold=100).text
    assert "| Field | Use |" in out
    assert out.index("These fields may be given:") < out.index("| Field | Use |") < out.index("`field_")


def test_a_warning_stands_below_its_own_heading() -> None:
    parts = "\n".join(
        f"## Part {n}\n\nPart {n} tells of `value_{n}` in module_{n}.py, and of nothing else at all.\n"
        for n in range(60)
    )
    text = parts.replace(
        "tells of `value_33`", "says:\n\n!!! warning\n    Never delete the store.\n\nIt tells of `value_33`"
    )
    out = compact(f"# Book\n\n{text}", budget=300, threshold=100).text
    before = out[: out.index("Never delete")]
    assert before[before.rindex("## ") :].startswith("## Part 33\n")


def test_a_heading_of_many_comes_with_something_of_its_section() -> None:
    parts = [
        f"## Part {n} of the manual of the harbour\n\nThe crane of berth {n} is told about here, and who moves it.\n\n"
        f"```sh\ncrane --berth {n} --up\n}}\n```\n\nMore of `berth_{n}` follows from what the crew wrote down.\n"
        for n in range(40)
    ]
    for budget in (300, 500, 900):
        lines = [line for line in shown("# Manual\n\n" + "\n".join(parts), budget).split("\n") if line.strip()]
        heads = [k for k, line in enumerate(lines) if "## Part" in line]
        assert heads
        assert not [lines[k] for k in heads if k + 1 == len(lines) or "## Part" in lines[k + 1]]
        assert any(line.startswith(("Headings: ", "Sections, ")) for line in lines)


def test_what_leads_to_an_entry_stands_before_it_and_before_what_came_first() -> None:
    filler = "\n".join(f"Line {n} of the report says little of what was done in it.\n" for n in range(50))
    text = (
        "# Report\n\n## Patterns\n\nThe new code follows these rules:\n\n"
        "- Earlier the entries of the list were kept in two separate places of the tree, namely these two files:\n"
        "  - `src/alpha/setup_part.go` wrote `tmp_dir` and `local_settings`\n"
        "  - `src/beta/common_part.go` wrote `meta_dir` and `session_now`\n\n"
        f"- Now all of it stands in `EnsureEverything()` of `common_part.go`\n\n{filler}"
    )
    for budget in (120, 150, 200, 300):
        numbers = [int(m[1]) for line in shown(text, budget).split("\n") if (m := re.match(r"(\d+)(?:-\d+)? ", line))]
        assert numbers == sorted(numbers)


def test_the_mark_of_a_long_admonition_counts_all_of_its_lines() -> None:
    body = "\n".join(f"> line {n} of the warning tells of valve_{n} and what it does to the pump" for n in range(14))
    filler = "\n\n".join(f"Paragraph {n} of the text is plain and says a little." for n in range(40))
    out = shown(f"# Pump\n\n{filler}\n\n> [!WARNING]\n{body}\n\n{filler}", 200)
    told = out.count("of the warning tells")
    hidden = sum(int(n) for n in re.findall(r"^…\[\+(\d+) lines?\]", out, re.M))
    assert told + hidden >= 14


def test_the_section_that_answers_the_request_shows_what_it_says() -> None:
    names = ("install", "metadata", "inputs", "graders", "limits", "exports", "schemas", "replay", "targets", "hooks")
    filler = (
        "The {0} part has its own page with field_{0}, option_{0} and table_{0}; none of them matters for a first run."
    )
    parts = [
        f"## The {name} part\n\n{filler.format(name)}\n\n- `{name}_a` is on\n- `{name}_b` is off\n" for name in names
    ]
    parts.insert(
        6, "## How criteria and assertions interact\n\nOnly the declared graders run.\n\n- criteria are kept\n"
    )
    text = "# Manual\n\nThis manual says what each part of the tool is there for.\n\n" + "\n".join(parts)
    asked = "what happens when both the criteria and the assertions are given, does one of them get ignored"
    made = compact(text, budget=260, threshold=100, focus=asked, content_type="markup", store=None).text
    assert "Only the declared graders run." in made and "- criteria are kept" in made


def test_a_bold_line_among_headings_is_no_heading_and_stands_with_what_it_names() -> None:
    part = (
        "## Part {0}\n\nWhat part {0} of this report is about stands in this sentence.\n\n**Critical:**\n1. first{0}\n"
    )
    text = "# Report\n\nAll parts were read, and what was found in them stands below.\n\n" + "\n".join(
        part.format(n) + f"\n**Example {n}**\n\n" + "\n".join(f"- entry{n * 31 + k} of the list" for k in range(12))
        for n in range(9)
    )
    made = compact(text, budget=400, threshold=100, content_type="markup", store=None).text
    assert "Headings:" not in made or "of 10 shown" in made
    lines = made.split("\n")
    for n, line in enumerate(lines):
        if "**Critical:**" in line or "**Example" in line:
            assert lines[n + 1].lstrip("0123456789 ")[:1] in ("-", ".", "")


def test_a_long_document_shows_the_tree_of_its_upper_headings() -> None:
    parts = []
    for n in range(12):
        deeper = "".join(
            f"### Step {n}.{k} of it\n\nWhat step {n}.{k} does with `f_{n}_{k}` is told in this sentence.\n\n- note\n\n"
            for k in range(6)
        )
        parts.append(f"## Chapter {n}\n\nThis chapter {n} deals with one part of the whole at some length.\n\n{deeper}")
    made = shown("# Manual\n\n" + "".join(parts), 700)
    told = " · ".join(f"{3 + n * 40} Chapter {n} (6 below)" for n in range(12))
    assert f"\nSections, each with its line: {told}\n" in made and "Headings:" not in made


def test_the_tree_of_a_long_document_names_what_stands_below_a_section() -> None:
    parts = [
        f"## Part {n}\n\nWhat part {n} of it is for stands here.\n\n" + "- an entry of it\n" * 50 for n in range(8)
    ]
    parts[3] += "\n### Depth\n\nHow deep it goes.\n\n### Width\n\nHow wide it is.\n"
    text = "# Manual\n\n" + "\n".join(parts)
    lines = text.split("\n")
    made = shown(text, 400)
    tree = made[made.index("Sections, each with its line: ") :].split("\n")[:3]
    assert tree[1] == f"{lines.index('## Part 3') + 1} Part 3: " + " · ".join(
        f"{lines.index(f'### {name}') + 1} {name}" for name in ("Depth", "Width")
    )
    for number, name in re.findall(r"(\d+) (Part \d)", "\n".join(tree)):
        assert lines[int(number) - 1] == f"## {name}"


def test_what_a_long_document_repeats_stands_behind_what_it_says_once() -> None:
    note = "_(This example is complete and can be run as it stands, once the client is installed.)_"
    text = "# Client\n\nThe client calls the servers and brings back what they say.\n\n" + "\n".join(
        f"## Use {n}\n\nUse {n} of the client needs `option_{n}` to be set before it starts.\n\n{note}\n"
        + "".join(f"\n- `value_{n}_{k}` is taken as it is\n" for k in range(15))
        for n in range(12)
    )
    assert note not in shown(text, 500)


def test_a_long_document_shows_how_it_is_used_first() -> None:
    code = "from client import Client\n\nclient = Client('https://host.example/api')\nprint(client.ask('how much'))"
    parts = "\n".join(
        f"## Part {n}\n\nPart {n} is told of in this sentence, and at length.\n\n```py\nx_{n} = {n}\n```\n"
        for n in range(60)
    )
    text = f"# Client\n\nThe client asks a server for what it needs to know.\n\n```py\n{code}\n```\n\n{parts}"
    made = shown(text, 600)
    assert "client = Client('https://host.example/api')\nprint(client.ask('how much'))" in made


def test_a_paragraph_is_chosen_for_what_its_later_sentences_name() -> None:
    words = ("north", "south", "east", "west", "river", "mill", "hill", "wood", "lake", "field", "stone", "iron", "old")
    gates = [f"- The gate at the road to the town of number {len(w)}{w[0]} opens at dawn by {w}_gate." for w in words]
    told = "- Of the mill there is some more to say to those who come by in the early hours of a day in spring. "
    told += "Its parts are `mill/wheel_shaft.py`, `mill/grain_store.py`, `mill/flour_sacks.py` and `mill/MillRace.ts`."
    text = "\n\n".join(["# Mill", "What follows is of gates.", *gates, told, *gates])
    assert "mill/flour_sacks.py" in compact(text, budget=260, threshold=260).text


def test_entries_are_not_counted_where_code_stands_between_them() -> None:
    steps = "\n".join(f"- Step {n} moves `table_{n}` into `archive_{n}`.\n  ```\n  run {n}\n  ```" for n in range(9))
    assert "entries]" not in shown(
        f"# Moving\n\nBefore `cut_over` all must hold:\n\n{steps}\n\n## Parts\n\n{FILLER}\n", 400
    )


def test_the_name_of_an_entry_that_ends_in_a_colon_counts_no_siblings() -> None:
    entries = "\n".join(f"- `part_{n}`:" for n in range(40))
    assert "entries]" not in shown(f"# Parts\n\n{entries}\n\n{FILLER}\n", 400)


def test_a_heading_is_brought_along_by_a_line_that_says_something() -> None:
    parts = "\n\n".join(
        f"## The configuration of `conf/deploy/zone_{n}/settings.toml`\n\n"
        f"The reader `load_zone_{n}` asks `conf_server_{n}` for the settings of zone{n} first.\n\n"
        f"```python\nzone = (\n    {n},\n)\nprint(zone)\n```"
        for n in range(60)
    )
    out = shown(f"# Zones\n\n{parts}\n", 500)
    assert out.count("asks `conf_server_") >= 6
    assert 3 * out.count("print(zone)") <= out.count("asks `conf_server_"), "the first example, hardly another"


def test_an_exception_comes_with_the_rule_that_it_is_one_of() -> None:
    leaning = ("Exception:", "This limit does not hold for")
    rules = "\n".join(
        f"## Quay {n}\n\n- Crates of quay_{n} are weighed by the crane.\n"
        f"- {leaning[n % 2]} crates of hall_{n} which stand in `yard_{n}` since the flood of spring_{n}.\n"
        f"- Labels of quay {n} are blue.\n"
        for n in range(30)
    )
    for budget in (300, 500, 700):
        out = shown(f"# Handbook\n\nThe rules of the harbour.\n\n{rules}", budget)
        told = [n for n in range(30) if f"crates of hall_{n} " in out]
        assert told and all(f"- Crates of quay_{n} are" in out for n in told)


def test_a_label_stands_with_its_figure() -> None:
    slides = "\n".join(
        f"## Quay {n}\n\nWhat the keepers of quay {n} counted in the spring is the least since the flood.\n\n"
        f"Crates of hall_{n}\n\n{n * 7 + 3}%\n\nBarrels by ship\n\n{n + 40}\n"
        for n in range(30)
    )
    for budget in (300, 500, 800):
        out = shown(f"# Harbour\n\n{slides}", budget, content_type="markup")
        for n in range(30):
            assert f"Crates of hall_{n}\n" not in out or f"Crates of hall_{n}\n\n{n * 7 + 3}%" in out
    assert "Crates of hall_" in out


def test_of_web_results_those_that_answer_stand_with_the_sentence_that_holds_the_words() -> None:
    filler = "Visitors come for the view of the bay and stay for the cafe that is run by friends of the house. "
    text = "\n".join(
        f"Search Result {n}:\nThe lamp house of Ostra, part {n}\nhttps://h{n}.example/lamp\n{filler * 3}"
        + ("The lantern was first lit on 4 May 1887 by two keepers of the guild. " if n == 9 else "")
        + filler
        for n in range(1, 16)
    )
    call = {"query": "Ostra lamp house year lantern first lit"}
    out = compact(text, budget=400, threshold=400, tool="web_search", arguments=call).text
    assert "The lantern was first lit on 4 May 1887 by two keepers of the guild." in out
    assert all(f"The lamp house of Ostra, part {n}\n" in out for n in range(1, 16))  # titles before addresses
    assert "https://h9.example/lamp" in out
    found = re.search(r"part 9\nhttps://h9\.example/lamp\n(?:\d+ )?…\[\+(\d+) chars\] The lantern was", out)
    assert found and int(found[1]) == 3 * len(filler)


def test_a_web_result_is_quoted_around_what_was_asked_for_and_a_list_of_names_with_its_end() -> None:
    crew = " ".join(f"{40 - n} Hand{n} Seaman{n}" for n in range(16))
    quotes = [
        "We sail from the northern quay at dawn in every kind of weather and are glad of any hand that joins us on the "
        "way to the islands where the old lamps still burn for all the crews, and the keeper of the Copper Reef "
        "lighthouse is Ada Lantern",
        f"Changes since the last voyage of the Blue Heron, with all of its hands on deck: {crew}",
        *(f"The port of Berth {n} has a crane, a mill, an inn and a long wall of stone by the sea." for n in range(6)),
    ]
    text = "".join(
        f"Title {n} of a page by the sea\nhttps://sea{n}.example.com/a\n{said}\n\n" for n, said in enumerate(quotes)
    )
    one = compact(text, budget=400, threshold=300, arguments={"query": "Copper Reef lighthouse keeper"}).text
    assert "chars] " in one and "the keeper of the Copper Reef lighthouse is Ada Lantern\n" in one
    assert "We sail from" not in one
    two = compact(text, budget=400, threshold=300, arguments={"query": "Blue Heron voyage hands"}).text
    assert f"hands on deck: {crew}\n" in two


def test_a_web_result_that_holds_what_is_asked_for_stands_below_its_title() -> None:
    filler = "Visitors come for the view of the bay and stay for the cafe that is run by friends of the house. "
    text = "\n".join(
        f"Search Result {n}:\nThe lamp house, part {n}\nhttps://h{n}.example/lamp\n{filler * 3}"
        + ("Its lens is an OSTRA-1887 of the second order. " if n == 4 else "")
        for n in range(1, 16)
    )
    out = compact(text, budget=400, threshold=400, tool="web_search", focus="lens OSTRA-1887").text
    assert re.search(r"\n14 The lamp house, part 4\nhttps://h4\.example/lamp\n.*OSTRA-1887 of the second order", out)
    numbers = [int(n) for n in re.findall(r"(?m)^(\d+) ", out)]
    assert numbers == sorted(numbers)


def test_an_agents_report_is_read_by_the_words_of_the_request_and_sums_up_in_its_table() -> None:
    topics = ["locks", "pumps", "sluices", "gauges", "barges", "towpaths", "weirs", "ferries"]
    parts = [
        f"### {topic.title()}\n\nThe state of the {topic} was looked at in the spring and is much as it was.\n\n"
        + "\n\n".join(f"Remark {n} on {topic}: nothing of note was seen at post {n * 7} there." for n in range(5))
        + ("\n\nThe gauge at post 12 reads 4 cm too high since its float was changed." if topic == "gauges" else "")
        for topic in topics
    ]
    rows = "\n".join(f"| {topic} | {'high' if n == 2 else 'low'} |" for n, topic in enumerate(topics))
    report = "\n\n".join(["## Canal survey", *parts, f"### Summary of risks\n\n| What | Risk |\n|---|---|\n{rows}"])
    text = f'[Tool: Read] {{"file_path":"/canal/notes.md"}}\n\n--- RESULT ---\n{report}\n'
    out = compact(text, budget=400, threshold=400, focus="which gauge has a wrong float, at which post?").text
    assert "The gauge at post 12 reads 4 cm too high since its float was changed." in out
    assert "sluices | high" in compact(text, budget=400, threshold=400).text


def test_a_long_warning_does_not_take_the_room_of_the_document() -> None:
    parts = "\n\n".join(
        f"## Berth {n}\n\nShips of class {n * 3} moor at berth {n} from spring to autumn." for n in range(12)
    )
    story = "\n\n".join(
        f"    The keeper of lamp {n} tells at length how the fog came in and what he did then. " * 3 for n in range(9)
    )
    out = shown(f'# Port\n\n!!! warning "Mind the fog"\n    Sound the horn at the mole.\n\n{story}\n\n{parts}\n', 400)
    assert "Sound the horn at the mole." in out
    assert sum(f"## Berth {n}\n" in out for n in range(12)) == 12


def test_a_paragraph_that_its_writer_begins_in_bold_comes_early() -> None:
    parts = "\n\n".join(
        f"## Step {n}\n\nPart {n} of the hull is planed and left to dry.\n\nIt is turned after {n} days.\n\n"
        + (
            "**Never heat the glue above eighty degrees, it burns the seam.** Let it cool.\n"
            if n == 7
            else "It rests.\n"
        )
        for n in range(20)
    )
    assert "**Never heat the glue above eighty degrees" in shown(f"# Hull\n\n{parts}", 400)


def test_a_deeper_heading_stands_below_the_one_that_it_belongs_to() -> None:
    parts = [
        f"## Ship {n}\n\nLaid down in {1900 + n}.\n\n"
        + "\n\n".join(
            f"### {part}\n\nOf oak from valley_{n * 7 + k}, cut in winter.\n\n" + "It was seasoned in brine.\n" * 9
            for k, part in enumerate(["Keel", "Mast"])
        )
        for n in range(60)
    ]
    out = shown("# Fleet\n\n" + "\n\n".join(parts), 300, focus="which ship has oak of valley_281?")
    before = out[: out.index("Of oak from valley_281,")]
    assert re.findall(r"##+ (.+)\n", before)[-1] == "Mast" and re.findall(r"## Ship (\d+)\b", before)[-1] == "40"


def test_sections_of_a_long_document_begin_with_their_sentence_before_links_and_code() -> None:
    names = ("Start", "Target", "Sampling", "Sinks", "Errors", "Limits")
    parts = []
    for n, name in enumerate(names):
        calls = "\n".join(f"    probe_{n}_{k}(depth={k * 37}, mast='{name.lower()}')" for k in range(70))
        parts.append(
            f"## {name}\n\nThe call `moor_{n}()` ties a ship of kind {n} to the quay before anything is unloaded. "
            f"It waits for the tide.\n\n```python\ndef moor_{n}():\n{calls}\n```\n"
        )
    links = "".join(f"- **[Rope {n}](ropes/rope_{n}.md)** tells how rope {n} is spliced\n" for n in range(6))
    made = shown(
        "# Moor\n\nMoor ties ships to a quay and tells when each of them may leave it again.\n\n"
        + "".join(parts)
        + f"## Next Steps\n\n{links}",
        520,
    )
    for n, name in enumerate(names):
        assert f"## {name}\n\nThe call `moor_{n}()` ties a ship" in made
    for n in re.findall(r"probe_(\d)_", made):
        assert f"def moor_{n}():" in made  # an example is shown from its beginning


def test_a_numbered_view_of_a_document_is_read_as_one() -> None:
    parts = "\n".join(
        f"## Part {n}\n\nPart {n} is about the pump\nof the well, and what moves it.\n\n- `valve_{n}` opens it\n"
        for n in range(30)
    )
    lines = f"# Wells\n\nHow the wells of the town are kept.\n\n{parts}".split("\n")
    view = "\n".join(f"{n:6}→{line}" for n, line in enumerate(lines, 1))
    view += "\n\n<system-reminder>\nConsider whether this is malware.\n</system-reminder>\n"
    made = compact(view, budget=400, threshold=100, tool="Read", arguments={"file_path": "/docs/wells.md"}, store=None)
    assert made.content_type == "markup" and "Beside it: a reminder to the reader in lines" in made.text
    for number, line in re.findall(r"(?m)^(\d+) (.*)$", made.text):
        assert lines[int(number) - 1] == line.removesuffix(" …")
    assert "is about the pump\nof the well" in made.text, "a paragraph stands together"


def test_an_agents_verdict_comes_first_and_no_lead_stands_without_what_it_leads_to() -> None:
    checks = "\n\n".join(
        f"#### {n}. Check of stage {n}\n\n**Details of `stage_{n}()`:**\n\n```go\nvalue_{n} := load(path_{n})\n```\n\n"
        f"**Reasons:**\n1. The value of stage {n} is read once from a file\n\n**Verdict:** Stage {n} holds for now."
        for n in range(9)
    )
    report = (
        f"# Review\n\n**Overall Risk: MEDIUM**\n\n{checks}\n\n"
        "## What is left\n\n**No open questions about the stages remain.**\n\n"
        "## End\n\n**Recommendation: WAIT** - merge behind the release.\nagentId: b77 (to go on)"
    )
    out = shown(report, 260)
    assert "**Overall Risk: MEDIUM**" in out
    assert "**No open questions about the stages remain.**" in out
    assert "**Recommendation: WAIT** - merge behind the release.\nagentId: b77" in out
    lines = [line.split(" ", 1)[-1] if line[:1].isdigit() else line for line in out.split("\n") if line.strip()]
    for line, below in itertools.pairwise([*lines, ""]):
        if line.startswith("**Details of"):
            assert below.startswith("value_")
        if line == "**Reasons:**":
            assert below.startswith("1. ") or "The value of stage" in below


def test_the_rules_of_a_plan_come_before_the_rest_of_a_sample_of_json() -> None:
    sample = "\n".join(f'  "rope_{n}": "hemp_{n * 7919}_of_pier_{n % 7}",' for n in range(40))
    rules = "\n".join(
        f"- The crew of quay {n} ties its boats as `docs/quay_{n}.md` tells before the storm bell rings."
        for n in range(9)
    )
    text = f"# Plan\n\nHow the port is run.\n\n## Answer\n\n```json\n{{\n{sample}\n}}\n```\n\n## Duties\n\n{rules}\n"
    out = compact(text, budget=300, threshold=300).text
    assert out.count("ties its boats") > 2 * out.count("hemp_")
    out = compact(text, budget=450, threshold=300).text
    assert '{\n  "rope_0": "hemp_0_of_pier_0",' in out and out.count("ties its boats") == 9


def test_a_blog_shows_its_figures_whole_and_says_what_its_scripts_hold() -> None:
    parts = "\n".join(
        f"<h3>Part {n}</h3>\n\n<p>The part number {n} reads the settings of zone {n} at every start.</p>\n"
        for n in range(80)
    )
    brief = (
        "We moved the mill to wind. It grinds as much as before and needs less care in winter. The largest stone gains "
        "most of all from the change. What is left to do is the new roof above the old wheel, which waits for spring."
    )
    page = (
        f"<html><head><title>Mill</title><style>p {{}}</style></head><body><h1>The mill</h1>\n"
        f"<div>TL;DR</div>\n<p>{brief}</p>\n"
        f"{parts}<table><thead><tr><th>Stone<th>Day<th>Sacks</tr></thead><tbody><!-- by script --></tbody></table>\n"
        "<h2>Before &amp; After Results</h2>\n\n<p>We ran both for a week, and the drawing shows the sacks:</p>\n"
        "<p>The largest stone grinds <b>14 to 20 sacks</b> more a day than it did before the change.</p>\n"
        "<h2>Citation</h2>\n<pre>@misc{mill2020wind,\n  title={Wind in the mill},\n  author={A. Stone}\n}</pre>\n"
        '<script>\n  const sacks = [{"day": 1, "wind": 40}];\n  let seen = [];\n'
        '  function draw() {\n    const cols = ["wind"];\n  }\n</script></body></html>'
    )
    out = shown(page, 400)
    assert brief in out
    assert "14 to 20 sacks more" in out
    assert "@misc" not in out
    line = next(n for n, text in enumerate(page.split("\n"), 1) if "const sacks" in text)
    assert f"data in scripts, with lines: sacks {line}." in out
    assert "Left out: styles, scripts (" in out
    assert "(table without rows in the page)" in shown(page, 2_000)


TOOLS = f"""# Agents

{FILLER}

They have these tools of their own:

- **Reader** – reads a file from the disk, `offset_lines` and `limit_lines` where it is long
- **Writer** – writes a file to the disk and makes the directories above it where they are missing
- **Runner** – runs a command in a shell that lasts for the session, `timeout_ms` at most
  - a shell is a child of the supervisor
  - it ends with the session
  - it has no terminal of its own
- **Finder** – searches files by regular expressions with `ripgrep_args`, context lines included
- **Fetcher** – fetches a page and turns it into Markdown, at most `fetch_limit_mb` at once

## Limits

| Tool | Limit | Timeout |
|---|---|---|
| Reader | 2000 lines | none |
| Runner | 30000 characters | 600 s |
| Finder | 250 lines | 20 s |

## Steps

1. Install the package `agent_tools` and add the directory of its scripts to the path of the shell.
2. Write the configuration `agent_tools.toml` and name the model in it, as the administrator told.

Keys may stand in the environment.

3. Start `agent_tools serve` and wait until it says that it listens on the port that was given.
"""


def test_a_part_of_a_list_or_table_says_how_many_entries_it_has() -> None:
    for budget in range(300, 900, 50):
        text = shown(TOOLS, budget)
        lists = {
            "5 items": len(re.findall(r"^(?:\d+ )?- \*\*", text, re.M)),
            "3 rows": len(re.findall(r"(?m)^(?:\d+ )?(?:Reader|Runner|Finder) \|", text)),
            "3 items": len(re.findall(r"(?m)^(?:\d+ )?\d\. ", text)),
        }
        for of, there in lists.items():
            said = re.findall(rf"…\[(\d+) of {of.removesuffix(' items')}(?: items)?\]", text)
            assert said == ([str(there)] if 0 < there < int(of[0]) else []), (budget, of, text)


def test_the_first_example_of_a_section_that_says_how_something_is_used_stands_whole() -> None:
    tale = "\n\n".join(
        f"## Part {n}\n\nThe sorter of `bin_{n}` weighs what `belt_{n}` brings twice before it is moved to `dock_{n}`."
        for n in range(14)
    )
    about = "The library `parcels` sorts what comes over a belt by the weight of each piece."
    used = "import parcels\n\nbelt = parcels.Belt(speed=3)\nfor parcel in belt:\n    print(parcel.weight, parcel.dock)"
    for heading in ("Installation", "2. Install from source", "Getting Started"):
        ways = f"## {heading}\n\nTake the package `parcels`:\n\n```\n$ pip install parcels\n```\n"
        text = shown(f"# parcels\n\n{about}\n\n{ways}\n{tale}\n\n## Usage\n\n```python\n{used}\n```\n\n{FILLER[:3000]}")
        assert f"{heading}\n\nTake the package `parcels`:\n" in text and "$ pip install parcels" in text, text
        assert used in text, text


def test_a_text_that_ends_in_a_colon_brings_the_first_of_what_follows() -> None:
    long = (
        "The package `kiln` fires what stands on its shelves, a shelf an hour, at the heat that its card names, "
        "and it never opens its door before the glaze is hard; give it the shelf and the card:"
    )
    short = "The package `kiln` is made for the clay and glaze of these three workshops:"
    for text, below in (
        (
            short,
            "".join(f"- the pottery of `quay_{n}`, which has {n} wheels and no room for another\n" for n in range(6)),
        ),
        (long, "```\n$ kiln fire --shelf 3 --card red\n```\n"),
        (long, "1. Take the shelf `top_shelf` out and read the number on its back, which has four digits.\n"),
    ):
        first = below.replace("```", "").strip().split("\n")[0]
        for budget in range(140, 400, 20):
            result = shown(f"# Kiln\n\n{text}\n\n{below}\n{FILLER}", budget)
            assert text not in result or first in result, (budget, result)
        assert text in result


def test_otherwise_stands_below_its_condition() -> None:
    boards = "\n\n".join(
        f"The board of house `house_{n}` hangs beside its door, below the lamp `lamp_{n}` and the clock."
        for n in range(40)
    )
    condition = (
        "If the shelf is still warm when the door is opened, or the card of a piece cannot be read by anybody in the "
        "house, close the door, write the hour on the board and wait for the morning."
    )
    otherwise = "Otherwise, run `kiln_unload --all` and give `glaze_report` to the guild."
    for begin in ("", "- ", "2. "):
        text = f"# Kiln\n\n{boards}\n\n{begin}{condition}\n\n{begin}{otherwise}\n\n{boards.replace('house', 'barn')}"
        result = shown(text, 200, focus="glaze_report kiln_unload")
        assert condition in result and otherwise in result, result


def test_what_the_entries_of_lists_are_called_is_said_once() -> None:
    lists = "\n\n".join(
        f"## House {k}\n\n"
        + "\n".join(f"- the shelf `shelf_{k}_{n}` holds {n + 2} jugs of the potter `p{k * n}`" for n in range(9))
        for k in range(6)
    )
    text = shown(f"# Houses\n\n{lists}\n", 500)
    assert len(re.findall(r"…\[\d of 9 items\]", text)) == 1 < len(re.findall(r"…\[\d of 9\]", text)), text


def test_of_web_results_all_titles_stand_and_the_one_that_says_otherwise_with_its_sentence() -> None:
    promise = (
        "Find out which boats stop at the island of Lund. The ultimate guide to all boats that stop at the island. "
    )
    said = {
        1: "The island of Lund is available by boat from Ostra on each day of the week, also in winter. ",
        9: "The island of Lund is available by boat from Vester alone; boats from Ostra stop at the mainland quay. ",
    }
    text = "\n".join(
        f"Search Result {n}:\nBoats to Lund {2000 + n} and where to board them, page {n} of the harbour\n"
        f"https://boats-of-the-coast-{n}.example/timetables/lund/boarding/{n * 7919}/index.html\n"
        + said.get(n, promise) + promise * 2
        for n in range(1, 11)
    )  # fmt: skip
    out = compact(text, budget=500, threshold=500, arguments={"query": "Lund island boat availability Ostra 2009"}).text
    assert all(f"page {n} of the harbour" in out for n in range(1, 11))
    assert "from Vester alone" in out and "also in winter" in out


def test_a_page_of_a_search_shows_each_result_with_its_address_above_and_what_it_says() -> None:
    told = [
        f"Site {n}\nhttps://www.site{n}.example › ferries › norby-{n}\nFerry {n} to Norby - Site {n}\n"
        f"The ferry of line {n} leaves the harbour at {n + 6} in the morning, takes {20 + n} minutes and is often late."
        for n in range(12)
    ]
    page = "I typed 'ferry to Norby'.\n\nSEARCH\nIMAGES\nMAPS\n\nAbout 12,700 results\n\n" + "\n\n".join(told)
    out = shown(
        f"{page}\n\nVideos\nbing.com > videos\n\nHARBOUR\nA tour of the harbour\n",
        arguments={"query": "ferry to Norby"},
    )
    assert "results." not in out  # there may be others on the page
    whole = [one.split("\n", 1)[1] for one in told if one.split("\n", 1)[1] in out]
    assert len(whole) >= 2
    assert out.count("https://") == len(re.findall(r"Ferry \d+ to Norby - ", out))


def test_the_result_with_the_share_that_is_asked_for_stands_first() -> None:
    results = "\n".join(
        f"Search Result {n + 1}:\nWomen in computing {n}\nhttps://example.org/{n}\n"
        + (
            "Thirty years ago 37 percent of those who studied computing were women, and less today, says the study."
            if n == 7
            else f"The number of women in computing is told by study {n} of the board for each of the regions in turn."
        )
        for n in range(12)
    )
    request = "How long did it take the share of women in computing to fall from 37%?"
    out = compact(results, budget=350, threshold=350, arguments={"query": "women in computing"}, focus=request).text
    assert "37 percent" in out


def test_labelled_results_stand_before_the_pages_that_a_search_brings_along() -> None:
    page = "\n\n".join(
        f"## Part {n} of the manual\n\nThe valve of part {n} is turned by hand and closed with the key of its own."
        for n in range(12)
    )
    found = "\n\n".join(
        f"Title: How to bleed pump {n}\nURL: https://pumps.example/{n}\nContent: Pump {n} is bled at the lower screw."
        f"\nRaw Content: ![Logo {n}](//pumps.example/logo{n}.png)\n\n{page}"
        for n in range(6)
    )
    text = compact(f"Detailed Results:\n\n{found}\n", budget=400, threshold=400).text
    assert "Web search: 6 results." in text and "Markdown" not in text
    for n in range(6):
        assert text.count(f"Title: How to bleed pump {n}\n") == 1
        assert f"\nURL: https://pumps.example/{n}" in text
    assert "logo" not in text and "## Part" not in text


def test_pages_that_a_search_brings_along_make_no_log_of_it_and_stand_behind_all_titles() -> None:
    page = "\n".join(
        f"   {n} Some say of the hand-pump that they cannot find its screw, and it drips.\n   [Reply](#comment-{n})"
        for n in range(40)
    )
    found = "\n\n".join(
        f"Title: Repairs, part {n}\nURL: https://repairs.example/{n}\nContent: Part {n} tells at length and in order, "
        f"with drawings, how a hand-pump of any make is opened.\nRaw Content: [Home](/home)\n{page}"
        for n in range(7)
    )
    text = f"Detailed Results:\n\n{found}\n"
    out = compact(text, budget=400, threshold=400, arguments={"query": "open a hand-pump"}).text
    assert "Web search: 7 results." in out and "failure" not in out and "[Reply]" not in out
    assert all(f"Title: Repairs, part {n}\nURL: https://repairs.example/{n}" in out for n in range(7))


def test_of_web_results_addresses_stand_before_what_the_lesser_ones_quote() -> None:
    quote = (
        "The ferry of the line leaves in the morning, takes an hour and is late in winter, as crew {} says at length."
    )
    text = "\n\n".join(
        f"Search Result {n}:\nFerries to Norby, guide {n}\nhttps://guide{n}.example/{n * 7919}\n{quote.format(n)}"
        for n in range(1, 11)
    )
    out = shown(text, 450, arguments={"query": "ferry to Norby"})
    assert all(f"https://guide{n}.example" in out for n in range(1, 11)) and "crew 1 says" in out
