"""HTML, XML and Markdown outlines: exact lines, tables by column, failures kept, nothing quadratic."""

# ruff: noqa: E501 - samples read better whole

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import ResultStore, compact
from mcpcompact.content.markup import TYPE
from mcpcompact.content.markup.markdown import MarkdownReading
from mcpcompact.content.markup.outline import flavour
from mcpcompact.content.markup.paragraphs import grouped
from mcpcompact.content.shared.series import entries
from mcpcompact.outline import Hints, Keep, Outline
from mcpcompact.source import Sample, Source


def outline(text: str) -> Outline:
    return TYPE.outline(Source.of_text(text), Hints())


def kept(made: Outline) -> str:
    return "\n".join(f"{i.section}\n{i.text} <- {i.reason}" for i in made.items if i.keep)


def said(made: Outline) -> str:
    return "\n".join([*(f.text for f in made.facts), *made.notes])


def score(text: str) -> float:
    return TYPE.sniff(Sample(Source.of_text(text))).score


def table(r: random.Random, n: int) -> tuple[list[list[str]], list[str]]:
    rows = [
        [f"host-{i:03d}", r.choice(["eu", "us", "ap"]), str(r.randrange(5, 80)), r.choice(["ok", "idle"])]
        for i in range(n)
    ]
    a, b, c = r.sample(range(n), 3)
    rows[a][3], rows[b][2], rows[c][1] = "FAILED disk I/O", "90000", "antarctica"
    return rows, [f"host-{a:03d}", "FAILED disk I/O", f"host-{b:03d}", "90000", f"host-{c:03d}", "antarctica"]


def as_html(rows: list[list[str]]) -> str:
    body = "\n".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<!DOCTYPE html><html><head><title>Hosts</title></head><body><h1>Hosts</h1>\n<table><tr><th>host<th>region<th>ms<th>state</tr>\n{body}</table></body></html>"


def as_markdown(rows: list[list[str]]) -> str:
    return "# Hosts\n\n| host | region | ms | state |\n|---|---|---|---|\n" + "\n".join(
        "| " + " | ".join(row) + " |" for row in rows
    )


def as_elements(rows: list[list[str]]) -> str:
    names = ("name", "region", "latency", "state")
    return (
        "<hosts>\n"
        + "\n".join(
            "<host>" + "".join(f"<{k}>{v}</{k}>" for k, v in zip(names, row, strict=True)) + "</host>" for row in rows
        )
        + "\n</hosts>"
    )


def as_attributes(rows: list[list[str]]) -> str:
    return (
        "<?xml version='1.0'?>\n<hosts>\n"
        + "\n".join(f'<host name="{a}" region="{b}" latency="{c}" state="{d}"/>' for a, b, c, d in rows)
        + "\n</hosts>"
    )


@pytest.mark.parametrize("n", [40, 400])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("write", [as_html, as_markdown, as_elements, as_attributes])
def test_a_loud_a_rare_and_an_outlying_value_are_kept(write: object, n: int, seed: int) -> None:
    rows, wanted = table(random.Random(seed), n)
    text = write(rows)  # type: ignore[operator]
    made = outline(text)
    shown = kept(made)
    assert [w for w in wanted if w not in shown] == []
    assert sum(1 for i in made.items if i.keep) <= 6
    lines = text.split("\n")
    for item in made.items:
        if item.keep:
            number = int(re.match(r"(\d+)[ |]", item.text)[1])  # type: ignore[index]
            assert number == item.start
            assert re.findall(r"host-\d+", item.text)[0] in lines[number - 1]


def test_junit_failures_are_verbatim_below_their_test() -> None:
    made = outline(
        '<testsuite name="s" tests="2" failures="1">\n<testcase classname="a.B" name="t1" time="0.1"/>\n'
        '<testcase classname="a.B" name="t2" time="0.2"><failure message="expected 3 &lt; 4">at Foo.java:31\n  at Bar.java:9</failure>'
        "</testcase>\n</testsuite>"
    )
    assert "2 test cases: passed 1, failed 1." in said(made)
    shown = kept(made)
    assert 'message="expected 3 < 4"' in shown and "at Foo.java:31\n  at Bar.java:9" in shown and "name=t2" in shown


def test_a_list_of_linter_errors_is_not_all_alarm() -> None:
    rows = "\n".join(
        f'<error line="{i}" severity="warning" message="Line is longer than {i} characters"/>' for i in range(1, 200)
    )
    made = outline(
        f'<checkstyle><file name="a.java">\n{rows}\n<error line="7" severity="error" message="Syntax"/></file></checkstyle>'
    )
    assert [i.text for i in made.items if i.keep == Keep.SEVERE] == ["201 a.java:7 error Syntax"]
    assert "by level: error 1 · warning 199" in said(made)


def test_entities_are_never_expanded() -> None:
    made = outline('<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><l>&b;</l>')
    assert "2 entities; they are not expanded" in said(made)
    assert made.items[0].text.endswith("&b;")


def test_html_says_title_headings_links_and_what_it_left_out() -> None:
    made = outline(
        "<html><head><title>T &amp; U</title><style>p{}</style>\n<script>var x = 1;</script></head>\n<body><h1>One</h1>\n"
        '<p>See <a href="https://example.com/docs">the docs</a>.</p>\n<h2>Two</h2><ul><li>first<li>second</ul></body></html>'
    )
    text = said(made)
    assert 'HTML page "T & U"' in text
    assert "styles, scripts (13 characters)" in text
    assert [i.text for i in made.items] == [
        "3 # One", "4 See the docs (https://example.com/docs).", "5 ## Two", "5 - first", "5 - second",
    ]  # fmt: skip


def test_an_error_page_is_called_one() -> None:
    page = "<html>\n<head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad Gateway</h1><hr>nginx</body></html>"
    assert score(page) > 0.9
    assert "This is an error page" in said(outline(page))


def test_markdown_lines_keep_their_numbers() -> None:
    text = "---\ntitle: x\n---\n# A\n\ntext [l](https://h.example/p)\n\n```sh\n# no heading\n```\n\n## B\n\n- one\n\n> [!WARNING]\n> Mind the gap.\n"
    made = outline(text)
    lines = text.split("\n")
    for item in made.items:
        for shown in item.text.split("\n"):
            number, _, rest = shown.partition(" ")
            assert rest.strip() == lines[int(number) - 1].strip()
    assert "2 headings" in made.headline
    assert "> [!WARNING]\n17 > Mind the gap." in kept(made)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("<?xml version='1.0'?><a/>", 0.9, 1),
        ('<svg width="1"><g/></svg>', 0.9, 1),
        ("<rss version='2.0'><channel><title>x</title></channel></rss>", 0.9, 1),
        ("<!-- c -->\n<!doctype html>\n<p>x", 0.9, 1),
        ("# T\n\nSome text with a [link](http://x.y).\n\n## U\n\n- a\n- b\n\n```py\nx = 1\n```\n", 0.8, 1),
        ("Prose with a\n# mark\nin it, and more.\n", 0, 0.3),
        ("#!/bin/sh\n# Comment\n\nset -e\n# More\n\necho hi\n", 0, 0.1),
        ("# Comment\n\nimport os\n\n# Another\n\ndef f():\n    return os\n", 0, 0.1),
        ("# conf\n\nkey: value\nlist:\n  - a\n  - b\nother: 1\nmore: 2\nyet: 3\n", 0, 0.1),
        ("diff --git a/R.md b/R.md\n--- a/R.md\n+++ b/R.md\n@@ -1 +1 @@\n-# A\n+# B\n", 0, 0.1),
        ("2026-01-01 10:00:00 INFO <a> b\n2026-01-01 10:00:01 INFO <c> d\n", 0, 0.1),
        ("     1→# Title\n     2→\n     3→- a [b](c)\n     4→## X\n", 0, 0.1),
        ("import React from 'react';\nexport const A = () => (\n  <div>hi</div>\n);\n", 0, 0.1),
        ("<34>Oct 11 22:14:15 mymachine su: 'su root' failed\n", 0, 0.1),
        ("<?php echo 1;", 0, 0.1),
        ("", 0, 0),
    ],
)
def test_sniff(text: str, low: float, high: float) -> None:
    assert low <= score(text) <= high


@given(
    st.text(alphabet="<>/!-[]\"'= abhtmlp\n&;#|`*?", max_size=120),
    st.sampled_from(["", "<html>", "<?xml?><a>", "# T\n\n"]),
)
@settings(max_examples=150, deadline=None)
def test_any_text_has_an_outline(body: str, head: str) -> None:
    text = head + body
    made = outline(text)
    assert all(1 <= i.start <= i.end <= max(1, made.total) for i in made.items)
    assert "".join(text[a:b] for a, b in TYPE.spans(text)) == text


HOSTILE = {
    "deep html": "<html>" + "<div>" * 50_000 + "x",
    "deep xml": '<?xml version="1.0"?>' + "<a>" * 20_000 + "x",
    "comments": "<html><!-- " * 50_000,
    "open comments": "<!--a-->" * 5_000 + "<",
    "quotes": "<html>" + "<a href=\"x'>" * 50_000,
    "declarations": "<html>" + "<!a[" * 50_000,
    "angles": "<html>" + "<" * 300_000,
    "brackets": "# T\n\n- x\n" + "[" * 300_000,
    "spaces": "# T\n\n- x | y\n" + " " * 300_000 + "|",
    "bars": "# T\n\n| a | b |\n|---|---|\n" + "|" * 100_000,
}


@pytest.mark.usefixtures("soon")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_input_takes_linear_time(name: str) -> None:
    score(HOSTILE[name])
    outline(HOSTILE[name])
    assert sum(b - a for a, b in TYPE.spans(HOSTILE[name])) == len(HOSTILE[name])


def test_one_line_has_byte_anchors() -> None:
    text = "<html><body>" + "<p>héllo wörld</p>" * 3000
    made = outline(text)
    at = int(re.match(r"@(\d+) ", made.items[2].text)[1])  # type: ignore[index]
    assert text.encode()[at:].decode().startswith("héllo wörld</p>")


def test_flavours() -> None:
    assert flavour("<html>") == "html" and flavour("<a:b c='d'/>") == "xml" and flavour("# T") == "markdown"
    assert flavour('<p align="center">logo</p>\n\n# Project\n') == "markdown"


@pytest.mark.parametrize("write", [as_html, as_markdown])
def test_a_zero_is_not_empty(write: Callable[[list[list[str]]], str]) -> None:
    rows = [[f"x{i}", "0" if i == 7 else str(i + 1)] for i in range(120)]
    assert "null" not in (text := kept(outline(write(rows)))) and "empty" not in text
    rows[7][1] = ""
    assert "region is empty, in 119 others not" in kept(outline(write(rows)))


def test_the_range_of_the_others_is_theirs() -> None:
    rows = [[f"x{i}", str(30_004 if i == 50 else i + 1)] for i in range(100)]
    assert "region 30004, others 1–100" in kept(outline(as_markdown(rows)))


def _manual() -> str:
    """Thirty sections of prose, each with a block of code."""
    parts = ["# Manual\n"]
    for n in range(1, 31):
        parts.append(
            f"## Part {n}: {'scaling' if n == 21 else 'topic'} {chr(64 + n % 26 + 1)}\n\nThis part tells how subject {n} works, in short. "
            f"More of it follows in the next sentences, which say it all again at length.\n\n```sh\nrun --part {n}\n```\n"
        )
    return "\n".join(parts)


def test_headings_stand_once_and_in_order_above_their_text() -> None:
    text = _manual()
    shown = compact(text, budget=400, threshold=400, tool="read").text.split("\n")
    headings = [line for line in shown if "## Part" in line]
    assert len(headings) >= 5 and len(set(headings)) == len(headings)
    numbers = [int(line.split(" ", 1)[0]) for line in shown if line[:1].isdigit()]
    assert numbers == sorted(numbers)
    lines = text.split("\n")
    assert all((line if line[:1] == "#" else line.split(" ", 1)[1]) in lines for line in headings)
    told = next(line for line in shown if line.startswith("Sections not shown: ")).split(" · ")
    left = int(told.pop().removeprefix("… ").removesuffix(" more"))
    assert sum("#" in line[:6] for line in shown) + len(told) + left == text.count("\n#") + 1
    assert not any("words" in line or "list entries" in line for line in shown)


def test_a_short_table_has_no_statistics_a_long_one_has() -> None:
    def table(rows: int) -> str:
        return "# T\n\nSome words come first.\n\n| name | n |\n|---|---|\n" + "".join(
            f"| r{i} | {i} |\n" for i in range(rows)
        )

    assert "rows ×" not in said(outline(table(6)))
    assert "30 rows × 2 columns: name | n" in said(outline(table(30)))


def test_the_head_of_an_element_is_not_counted_as_all_of_it() -> None:
    code = "\n\n".join(f"    int value{n} = read({n * 37 % 101});" for n in range(300))
    text = f'<log>\n<part name="a" size="3">\n<code>\n<![CDATA[\n{code}\n]]>\n</code>\n</part>\n</log>\n'
    out = compact(text, budget=300, threshold=100).text
    shown = int(re.search(r"([\d,]+) of [\d,]+ lines shown", out)[1])  # type: ignore[index]
    assert shown <= out.count("\n")
    folded = sum(int(n) for n in re.findall(r"\+(\d+) lines?\]", out))
    code_shown = [line for line in out.partition("code: ")[2].split("\n") if not line.startswith(("…", "[mcpcompact]"))]
    assert folded + len(code_shown) == 599


def test_a_page_begins_with_its_heading_and_tables_have_their_header() -> None:
    nav = "".join(f'<a href="/p{n}">Page {n}</a>\n<div>Menu {n}</div>\n' for n in range(6))
    said = "".join(
        f"<p>Paragraph {n} tells of measure {n * 37} in the long report of this page.</p>\n" for n in range(60)
    )
    rows = "".join(f"<tr><td>case {n}</td><td>{n * 7919}</td></tr>\n" for n in range(9))
    text = (
        f"<html><body><div>{nav}</div>\n<header><h1>Report</h1>\n<p>May 2026</p></header>\n{said}"
        f"<table><tr><th>Case</th><th>Score</th></tr>\n{rows}</table>\n<a href='/'>Back to the list</a></body></html>"
    )
    out = compact(text, budget=400, threshold=100).text
    assert out.index("# Report") < out.index("May 2026") if "May 2026" in out else "# Report" in out
    assert "Paragraph 0 tells" in out
    assert "Menu 0" not in out and "Back to the list" not in out
    table = [line.partition(" ")[2] for line in out.split("\n") if " | " in line]
    assert table and table[0].strip("| ") == "Case | Score"


def test_quoted_code_is_shown_from_its_beginning_and_no_line_alone() -> None:
    calls = "\n".join(f"\tif ready({n}) {{\n\t\treturn Service{n:02}Client\n\t}}" for n in range(60))
    text = f"# Report\n\nThe clients of each service.\n\n## Code\n\n```go\nfunc pick() {{\n{calls}\n}}\n```\n"
    out = compact(text, budget=300, threshold=100).text
    shown = [f"Service{n:02}Client" in out for n in range(60)]
    assert shown[0] and shown == sorted(shown, reverse=True)
    assert not re.search(r"(?m)^\d+ \s*\}$", out)


def test_a_folded_value_of_front_matter_stands_whole() -> None:
    body = "\n".join(f"- Step {n} calls `do_{n}`." for n in range(80))
    text = (
        f"---\nname: tool\ndescription: >-\n  Makes plans of long work,\n  in small parts.\n---\n\n# Tool\n\n{body}\n"
    )
    out = compact(text, budget=200, threshold=100).text
    assert "description: >-\n  Makes plans of long work,\n  in small parts." in out


def test_elements_with_names_that_hold_others_come_first() -> None:
    copies = "\n".join(f'  <copy file="a{n}.txt" todir="out{n}/part{n * 7}"/>' for n in range(30))
    text = (
        "<project>\n" + "\n".join(f'<target name="step-{n}">\n{copies}\n</target>' for n in range(9)) + "\n</project>"
    )
    made = compact(text, budget=400, threshold=100, store=None).text
    assert all(f"target name=step-{n}" in made for n in range(9))


FEED = "\n".join(
    [
        '<?xml version="1.0"?>\n<rss version="2.0">\n<channel>\n<title>Harbour news</title>',
        *(
            f'<item>\n  <title>Berth {n} is {"closed" if n == 40 else "open"}</title>\n  <guid isPermaLink="false">n:{n * 7}</guid>'
            f"\n  <author><name>{('Ada', 'Finn')[n % 2]}</name></author>\n  <state>{'failed' if n == 40 else 'sent'}</state>\n</item>"
            for n in range(60)
        ),
        "</channel>\n</rss>",
    ]
)


def test_the_list_that_a_document_is_made_of_is_a_table() -> None:
    made = outline(FEED)
    assert made.header.startswith("line|") and {"title", "guid.text", "author.name"} <= set(made.header.split("|"))
    lines = FEED.split("\n")
    assert len(made.items) == 60
    for item in made.items:
        assert item.text.startswith(f"{item.start}|") and lines[item.start - 1] == "<item>"
    assert "60 item, 4 fields each" in said(made) and "guid.isPermaLink=false" in said(made)
    assert "title=Harbour news" in said(made)
    line = lines.index("  <title>Berth 40 is closed</title>")
    assert f"state=failed (line {line})" in said(made)
    assert compact(FEED, budget=400).text.count("Berth ") >= 12


def test_records_of_several_holders_stand_below_their_holder() -> None:
    books = "\n".join(
        f"<book><title>Book {n}</title><pages>{n * 7}</pages><shelf>{n % 3}</shelf></book>" for n in range(20)
    )
    text = "<library>" + "".join(f'<room name="room {r}">\n{books}\n</room>\n' for r in range(3)) + "</library>"
    made = outline(text)
    assert not made.header and all(item.section.endswith(item.section[-6:]) for item in made.items)
    assert {item.section.partition(" ")[2] for item in made.items if "Book" in item.text} == {
        f'room name="room {r}"' for r in range(3)
    }


def test_a_record_with_deeper_fields_is_one_line_with_its_long_text_last() -> None:
    entry = "<entry><note>{0}</note><who><name>Keeper {1}</name></who><link href='https://h.example/{1}'/></entry>"
    entries = ["\n".join(entry.format("words of a note " * 20, n + k) for n in range(12)) for k in (0, 50)]
    made = outline(f"<all><old>\n{entries[0]}\n</old><new>\n{entries[1]}\n</new></all>")
    row = next(item.text for item in made.items if "https://h.example/53" in item.text)
    assert 'who name="Keeper 53"' in row and row.index("Keeper 53") < row.index("words of a note") and " chars]" in row


def test_the_source_of_a_diagram_comes_after_the_sentences_of_the_text() -> None:
    parts = (
        f"## Stage {n}\n\nThe stage number {n} reads the crates of quay {n} and hands them over to the next:\n\n"
        f"```mermaid\ngraph TD\n"
        + "\n".join(f'  QUAY_{n}_{k}["quay-{n * k}<br/>(crates)"] -->|"moves {k}"| YARD_{k}' for k in range(20))
        + f"\n```\n\nWhat fails at quay {n} waits in `backlog_{n}` until someone of the yard has looked at it.\n"
        for n in range(4)
    )
    made = compact("# Port\n\n" + "\n".join(parts), budget=350, threshold=100, store=None).text
    assert all(f"The stage number {n} reads" in made and f"`backlog_{n}`" in made for n in range(4))
    alone = compact("# Port\n\n```mermaid\n" + FLOW + "\n```\n", budget=300, threshold=100, store=None).text
    assert "graph TD\n" in alone and "YARD_1" in alone


FLOW = "graph TD\n" + "\n".join(f"  QUAY_{k}[quay {k}] -->|moves crates| YARD_{k}" for k in range(60))


@pytest.mark.parametrize(
    ("head", "title"),
    [("# Port\n\n", '"Port"'), ("", ""), ("---\ntitle: Port\n---\n\n", '"Port"'), ("<h1>Port</h1>\n\n", '"Port"')],
)
def test_only_a_title_is_called_one(head: str, title: str) -> None:
    text = f"{head}## Purpose\n\nIt moves crates from the quay to the yard.\n\n## Use\n\nCall it.\n"
    assert said(outline(text)).startswith(f"Markdown {title}".rstrip() + ", ")


DECK = """<html><head><title>Port</title></head><body>
{slides}</body></html>"""
SLIDE = """<section class="slide"><div class="kicker">Part {n} of the tour</div>
<h2>How berth {n} is lit</h2>
<p>The lamps of berth {n} are lit by the keeper of the quay when the first ship is seen.</p>
<div class="cards"><div class="card"><div class="t">✗ LIT TOO LATE</div>lamp_{n}.light("after the ship")</div>
<div class="card"><div class="t">✓ LIT IN TIME</div>lamp_{n}.light("with the first signal of the tower")</div></div>
<p>What berth {n} lost by this stands in the <span class="tag">Book {n}</span> <b>Kept by</b> the keeper in the tower.</p>
</section>
"""


def test_slides_have_their_own_headings_and_cards_their_verdict() -> None:
    made = outline(DECK.format(slides="".join(SLIDE.format(n=n) for n in range(9))))
    by_text = {item.text.partition(" ")[2]: item.section for item in made.items}
    late, tour = by_text['lamp_3.light("after the ship")'], by_text["Part 3 of the tour"]
    assert "How berth 3 is lit" in late and late.endswith("✗ LIT TOO LATE") and not tour
    book = "What berth 3 lost by this stands in the Book 3 Kept by the keeper in the tower."
    assert by_text[book].endswith("## How berth 3 is lit")


def test_a_label_gives_way_to_sentences_and_figures() -> None:
    parts = (
        f"## Berth {n}\n\nState of ropes\n\nMoored with care\n\nBerth {n} was seen {n * 37} times by `keeper_{n}` and held.\n"
        for n in range(30)
    )
    made = compact("# Port\n\n" + "\n".join(parts), budget=350, threshold=100, store=None).text
    assert made.count("keeper_") > 8 and made.count("State of ropes") + made.count("Moored with care") < 3


def test_a_line_break_written_as_an_entity_is_not_nothing() -> None:
    items = "".join(f'<rope id="{n}" knot="&#10;"><end>&#xA;</end><use>mooring {n}</use></rope>\n' for n in range(200))
    text = compact(f'<?xml version="1.0"?>\n<store>\n{items}</store>', budget=300, threshold=300, store=None).text
    assert "knot=&#10;" in text and "end=&#xA;" in text and "always empty" not in text


def test_a_line_break_as_a_value_is_shown_as_it_is_written() -> None:
    marks = ["&#10;", ";"]
    rows = "\n".join(f'<column name="c{n}" separator="{marks[n % 2]}" width="{n * 3}"/>' for n in range(90))
    out = compact(f'<?xml version="1.0"?>\n<layout>\n{rows}\n</layout>\n', budget=300, threshold=300).text
    assert "|&#10;|" in out and "|;|" in out


def test_both_sides_of_a_conflict_stand_before_other_paragraphs() -> None:
    prose = [
        f"- **Pier {n}** has {n * 7} moorings and a crane that lifts {n} tons of freight a day." for n in range(60)
    ]
    torn = [
        "<<<<<<< HEAD",
        "- Ropes are checked each week.",
        "=======",
        "- Ropes are checked each month.",
        ">>>>>>> b1",
    ]
    text = "\n".join(["# Harbour", "", *prose[:30], *torn, *prose[30:]])
    shown = compact(text, budget=250, threshold=0).text
    assert "1 unresolved merge conflict: lines 33–37" in shown
    assert "checked each week" in shown and "checked each month" in shown and "=======" in shown


def test_several_tables_are_named_with_line_and_columns_those_with_figures_first() -> None:
    marks = "| Quay | Open | Lit |\n| --- | --- | --- |\n" + "".join(f"| q{n} | yes | no |\n" for n in range(16))
    sizes = "| Quay | Length | Depth |\n| --- | --- | --- |\n" + "".join(
        f"| q{n} | {n}1 m | {n}.5 |\n" for n in range(4)
    )
    text = f"# Port\n\n## State\n\n{marks}\n## Size\n\n{sizes}\n"
    made = said(outline(text + 200 * "\nWord.\n"))
    assert "Table at line 26, 4 rows: Quay | Length | Depth\nTable at line 5, 16 rows: Quay | Open | Lit" in made
    assert made.count("Table at line 5") == 2 and "Table at line 5, 16 rows; " in made  # what its columns hold
    assert said(outline(text)).count("Table at line") == 1  # of a short one the headings and rows say it
    assert "Table" not in said(outline(f"# Port\n\n{sizes}\n## More\n\n{sizes}"))  # their rows say more
    made = said(outline("<p>Port</p>" + 9 * "<table><tr><td>Quay</td><td>12</td></tr></table>"))
    assert "Table" not in made


def test_the_section_whose_heading_has_the_words_of_the_request_comes_first() -> None:
    guide = "\n".join(
        f"## {place}\n\nEach mooring of the {place.lower()} has a winch and a rope, and the harbour office knows both.\n\n"
        f"### Orders\n\nAn order names the ship, its length and the day on which it will leave the {place.lower()}.\n"
        for place in ("North quay", "South quay", "Inner basin", "Old dock", "New dock", "River arm")
    )
    asked = "### Rope without winch\n\nWhere a mooring has no winch, two hands haul the rope by the far ring:\n\n- first left\n"
    text = (
        f"# Harbour guide\n\nThis guide tells all that the crews of visiting ships need.\n\n{guide}\n{asked}\n{guide}"
    )
    made = TYPE.outline(Source.of_text(text), Hints(focus="what happens to the rope if a mooring has no winch"))
    heaviest = max((item for item in made.items if not item.part[0]), key=lambda item: item.weight)
    assert "Where a mooring has no winch, two hands haul the rope by the far ring" in heaviest.section + heaviest.text


@pytest.mark.parametrize("ascending", [False, True])
def test_of_a_changelog_the_newest_release_stands_whole(ascending: bool) -> None:
    releases = [
        f"## [1.{n}.0](https://h.example/{n}) (2024-0{n % 9 + 1}-11)\n\n### Added\n\n- Berth {n} has a crane of its own.\n"
        f"- Rope {n} is checked at every tide by `check_rope_{n}`.\n\n### Fixed\n\n- Winch {n} no longer slips in the rain.\n"
        for n in (range(1, 19) if ascending else range(18, 0, -1))
    ]
    out = compact("# Changelog\n\n" + "\n".join(releases), budget=300, threshold=200).text
    assert re.search(r"18 releases, (?:from|each with its line: 3) 1\.", out)
    assert "check_rope_18" in out and "Winch 18 no longer slips" in out and "## [1.18.0]" in out
    sections = "\n".join(f"## 1.{n} Moorings\n\nBerth {n} has a crane.\n" for n in range(1, 19))
    assert "releases" not in compact(f"# Guide\n\n{sections}", budget=150, threshold=100).text


def test_a_changelog_tells_what_changed_not_that_nothing_did() -> None:
    same = "\n\nInstall it the same way:\n\n```sh\nquay add moorings=={}\n```\n\nSee the list of berth 9 for the rest of them, as of {}.\n"
    releases = [
        f"### 3.0.{n}\n\nThe build {n} of the quay. There are no new behavior changes since 3.0.{n - 1}, all of it applies as it stands."
        + same.format(n, n) for n in range(9, 2, -1)
    ]  # fmt: skip
    releases += ["### 3.0.2\n\n- Ropes that return no length now raise `RopeError`.\n" + same.format(2, 2)]
    releases += [
        "### 2.0.0\n\n"
        + "\n".join(f"- Fix the winch {n} of the boat at the far ring." for n in range(30))
        + "\n- Remove `tie_knot` of the pier.\n"
    ]
    releases += [
        f"**1.{n}.0 (2024-01-0{n})**\n\nBerth {n} was expanded to hold a crane of its own, with a long arm.\n"
        for n in range(6, 0, -1)
    ]
    out = compact("# Upgrade\n\n" + "\n".join(releases), budget=300, threshold=200).text
    assert "15 releases, from 3.0.9 (line 3) to 1.1.0 (line " in out
    assert "`RopeError`" in out and "Remove `tie_knot`" in out and "no new behavior changes" not in out


def test_headings_below_which_nothing_stands_are_in_one_line() -> None:
    names = ["Moorings", "Winches", "Ropes", "Cranes", "Tides", "Pumps"]
    parts = [
        f"## {name}\n\nOf the {name.lower()} the master keeps a list that is read at every tide, whatever the weather is, by "
        f"{n + 3} hands who sign it as `quay_{name.lower()}_{n}` before the boat leaves. "
        + "The list is long. " * 20
        + "\n"
        for n, name in enumerate(names)
    ]
    out = compact(
        "# Quay\n\nA guide to all that is done at the quay by day and by night.\n\n" + "\n".join(parts),
        budget=170,
        threshold=100,
    ).text
    told = re.search(r"^Sections not shown: (.*)$", out, re.M)
    assert told
    left = re.findall(r"\d+ (\w+)", told[1])
    assert left and all(f"## {name}" not in out and f"quay_{name.lower()}" not in out for name in left)


def test_a_plan_says_how_much_of_it_is_done(tmp_path: Path) -> None:
    steps = [
        f"## Step {n}\n\nThe hands of berth {n} do what the master wrote down for it.\n\n- [{'x' if n < 7 else ' '}] Haul rope {n}\n* [X] Tell the mate of {n}\n"
        for n in range(20)
    ]
    plan = "# Plan\n\n```md\n- [ ] as here\n```\n\n" + "\n".join(steps)
    line = plan.split("\n").index("- [ ] Haul rope 7") + 1
    out = compact(plan, budget=300, threshold=200).text
    assert f'Check boxes: 27 done, 13 open, the first at line {line} below "Step 7": Haul rope 7\n' in out
    assert f"Further open ones below {line + 3} Step 8 (1) · " in out
    assert out.count("[ ] Haul") > 4 > out.count("[x] Haul")  # what is to be done before what is
    long = plan.replace("The hands", "The hands and all who came aboard with them at the last quay but one " * 30)
    more = compact(long, budget=500, threshold=200, store=ResultStore(tmp_path)).text
    assert f"{line} - [ ] Haul rope 7\n" in more and "[x] Haul" not in more
    assert "Check boxes: 40 done, 0 open\n" in compact(plan.replace("[ ]", "[x]"), budget=300, threshold=200).text


def test_a_cut_statement_of_an_example_is_marked_and_a_diagram_answers_nothing() -> None:
    steps = "".join(f"    call_{n}(moor_{n}, haul_{n}, trim_{n}, left_{n}, right_{n}),\n" for n in range(40))
    graph = "".join(f"    W{n}[winch {n}] --> R{n}[pier-hauler {n}]\n" for n in range(60))
    parts = [
        f"## Berth {n}\n\nThe berth {n} is for boats that come in at night, by the light of pier {n}.\n\n"
        for n in range(9)
    ]
    doc = (
        f"# Quay\n\n{parts[0]}```mermaid\ngraph TD\n{graph}```\n\n{parts[1]}```py\nmoorings = quay(\n{steps})\n```\n\n"
        + "".join(parts[2:])
    )
    out = compact(doc, budget=300, threshold=200, arguments={"question": "what is pier-hauler?"}).text
    assert "mermaid" not in out
    assert re.search(r"moorings = quay\( …\n|moorings = quay\(\n    call_0", out)


def test_lines_that_match_are_those_of_the_source_not_of_the_paragraphs() -> None:
    told = "The boats of the quay are hauled to their berths by hand,\nin all weathers, and the master\nof the pier-hauler {} looks on.\n"
    graph = "graph TD\n" + "".join(
        f"    W{n}[{'pier-hauler' if n < 3 else 'winch'} {n}] --> R{n}[rope {n}]\n" for n in range(60)
    )
    doc = f"# Quay\n\n{told.format(1)}\n```mermaid\n{graph}```\n\n{told.format(2)}\n" + "The rope is long. " * 90 + "\n"
    where = ", ".join(str(n) for n, line in enumerate(doc.split("\n"), 1) if "pier-hauler" in line)
    out = compact(doc, budget=300, threshold=200, arguments={"question": "what is pier-hauler?"}).text
    assert f'5 lines match "pier-hauler": {where}\n' in out


def test_a_report_names_the_files_that_were_read() -> None:
    files = [f"/home/mate/quay/src/ropes/{name}_store.go" for name in ("moor", "haul", "trim")]
    body = "".join(
        f"### {n}. Step\n\nThe winch {n} turns `left_{n}` and then `right_{n}` as berth {n} is told.\n\n"
        for n in range(30)
    )
    listed = "".join(f"{n}. **File {n}**: `{path}`\n" for n, path in enumerate(files, 1))
    out = compact(f"## Report\n\n{body}### Key files\n\n{listed}", budget=300, threshold=200).text
    assert all(path in out for path in files)


def test_a_short_list_below_its_lead_stands_whole_and_a_long_one_by_entries() -> None:
    few = "There are four ways to moor:\n\n- by the bow\n- by the stern\n\n- alongside\n- at a buoy\n"
    many = "Each berth has a depth:\n\n" + "".join(
        f"- berth {n} is {n + 3} fathoms deep at low water\n" for n in range(9)
    )
    blocks = grouped(MarkdownReading(f"# Port\n\n{few}\n{many}").blocks)
    entries = [block for block in blocks if block.kind == "li"]
    assert (entries[0].start, entries[0].end, entries[0].whole, len(entries)) == (5, 9, True, 10)
    assert entries[0].text == "- by the bow\n- by the stern\n\n- alongside\n- at a buoy"
    assert not any(entry.whole for entry in entries[1:])


def test_what_a_section_begins_with_stands_below_its_heading_where_it_is_short() -> None:
    told = [
        f"Here ships with {cargo} tie up."
        for cargo in ["coal", "oil", "rice", "corn", "salt", "wood", "iron", "wool", "hemp", "fish", "wine", "tar"]
    ]
    text = "# Port\n\nWhat the port has for those who come by sea.\n"
    for n, line in enumerate(told):
        more = " ".join(f"barge_{n * 7919 * k % 997}" for k in range(1, 50))
        text += f"\n## Berth {n}\n\n{line}\n\nThe log of {more}.\n"
    out = compact(text, budget=500, threshold=300, content_type="markup").text
    assert sum(line in out for line in told) >= 6


def test_a_tree_names_what_stands_below_its_smaller_sections_where_not_all_have_room() -> None:
    text, parts = "# Port\n", [0, 2, 0, 3, 0, 60]
    for n, many in enumerate(parts):
        text += f"\n## Berth {n}\n\n" + "A rope.\n" * 60
        text += "".join(f"\n### Bollard {n}.{k}\n\nIron.\n" for k in range(many))
    told = compact(text, budget=400).text.split("Sections, each with its line: ")[1]
    assert re.search(r"^\d+ Berth 1: \d+ Bollard 1\.0 · \d+ Bollard 1\.1$", told, re.M)
    assert re.search(r"^\d+ Berth 3: \d+ Bollard 3\.0 · \d+ Bollard 3\.1 · \d+ Bollard 3\.2$", told, re.M)
    assert "Berth 5 (60 below)" in told


def test_a_tree_names_all_sections_before_those_below_them() -> None:
    def text(parts: int) -> str:
        return "# Port\n" + "".join(
            f"\n## Berth {n} of the northern quay\n\n"
            + f"Rope {n}.\n" * 40
            + f"\n### Depth {n}\n\nDeep.\n\n### Tide {n}\n\nHigh.\n"
            for n in range(parts)
        )

    (told,) = [line for line in shown(text(9)) if line.startswith("Sections")]
    assert all(f"Berth {n} of" in told for n in range(9)) and "(2 below)" in told and "more" not in told
    (told,) = [line for line in shown(text(40)) if line.startswith("Sections")]
    assert int(told.split()[-2]) + told.count(" Berth ") <= 40 and told.endswith(" more")


def shown(text: str) -> list[str]:
    return compact(text, budget=400, threshold=300, content_type="markup").text.split("\n")


def test_rows_without_their_table_are_a_table() -> None:
    rows = "".join(f"<TR><TD>{i}</TD>\n<TD>city{i % 4}</TD>\n<TD>{i}.5</TD>\n</TR>\n" for i in range(1, 90))
    text = compact(f"<TR><TH>id</TH>\n<TH>city</TH>\n<TH>price</TH>\n</TR>\n{rows}", budget=300, threshold=300).text
    assert "89 rows × 3 columns: id | city | price" in text


def test_what_a_report_of_records_counts_in_all_is_said() -> None:
    files = "".join(f'<class name="m{i}.py" filename="shop/m{i}.py" line-rate="0.{i}"/>\n' for i in range(10, 60))
    text = f'<coverage version="7.1" lines-valid="900" lines-covered="71" line-rate="0.0789">\n{files}</coverage>\n'
    assert (
        "of all: version=7.1, lines-valid=900, lines-covered=71, line-rate=0.0789"
        in compact(text, budget=500, threshold=500).text
    )


def test_a_heading_of_two_lines_is_one_heading() -> None:
    parts = [
        f"<h2>Berth<br/><span>of ship {n}</span></h2><p>The ship {n} lies at the northern pier.</p>" for n in range(40)
    ]
    out = compact("<html><body>\n" + "\n".join(parts) + "\n</body></html>", budget=400, threshold=400).text
    assert re.search(r"Sections not shown: \d+ Berth of ship \d+ · .* more", out) and "## Berth of ship 0" in out


def test_texts_of_elements_that_touch_are_apart() -> None:
    page = (
        "<html><body><h1>Ovens</h1><div><span class='tag'>01 · Bread</span>Loaves of rye and wheat, baked at four.</div>"
        "<p>The word is inst<b>all</b>ed as <span>H</span>Two in the M<span>c</span>Kay house, and ba<em>K</em>ery.</p>"
        "<div><b>Door tools</b><span class='mono'>lift_door</span><span>3</span><span>7</span></div></body></html>"
    )
    text = "\n".join(item.text for item in outline(page).items)
    assert "01 · Bread Loaves of rye" in text and "Door tools lift_door" in text and "37" in text
    assert "installed as HTwo in the McKay house, and baKery." in text


def test_numbered_steps_go_on_behind_bullets_that_are_not_indented() -> None:
    steps = ["1. Take the line ashore.", "2. Check:", "- the bow line", "- the stern line", "- the fender"]
    steps += [
        "3. Write down the gauge.",
        "A note on it.",
        "4. Sign.",
        "- a new list",
        "- of other",
        "- things",
        "1. Anew",
    ]
    found = entries(steps, range(1, len(steps) + 1))
    assert [found[n].total for n in (0, 1, 5, 7)] == [4] * 4 and len({found[n] for n in (0, 1, 5, 7)}) == 1
    assert [found[n].total for n in (2, 3, 4, 8, 9, 10)] == [3] * 6 and found[2] != found[8] and 11 not in found


def test_a_page_is_named_with_its_address_and_what_it_tells_other_sites_is_left_out() -> None:
    tags = ['    "og:title": "Harbour",', '    "og:url": "https://harbour.example/berths?id=4",', '    "token": "x9"']
    page = [
        "Here is a screenshot of [Berths of the harbour](https://harbour.example/berths?id=4). It shows 20% of the page.",
        "", "The following metadata was extracted:", "", "{", '  "meta_tags": {', *tags, "  }", "}", "", "# Berths", "",
        *(f"- **Berth {n}** is held for `ship_{n}` until the tide of day {n} has gone" for n in range(60)),
    ]  # fmt: skip
    for budget in (200, 400):
        text = compact("\n".join(page), budget=budget, threshold=200, content_type="markup").text
        assert "[Berths of the harbour](https://harbour.example/berths?id=4)" in text and "og:title" not in text
    body = "".join(f"<p>Berth {n} is held for ship {n} until the tide has gone out.</p>\n" for n in range(60))
    for head in (
        '<link rel="canonical" href="https://harbour.example/b">',
        '<meta property="og:url" content="https://harbour.example/b">',
    ):
        html = f"<html><head><title>Berths</title>{head}</head><body><h1>Berths</h1>\n{body}</body></html>"
        assert 'HTML page "Berths" of https://harbour.example/b, ' in compact(html, budget=300, threshold=300).text


def test_charts_of_a_page_stand_with_their_titles_and_buttons_behind_them() -> None:
    bars = "".join(f'<div class="row"><div>Berth {n}</div><div>{40 + n}.5</div></div>\n' for n in range(4))
    filler = "".join(f"<p>The crew of ship {n} told the harbour of rope, tar and salt.</p>\n" for n in range(500))
    page = (
        f"<html><body><h1>Harbour</h1>\n<p>What the harbour held in the year of the flood, by its own books.</p>\n"
        f"<h2>Loads</h2>\n<button>All</button>\n<button>Only cranes</button>\n<div>Loads by berth</div>\n"
        f"<div>tons, higher is fuller</div>\n{bars}<h2>Crew</h2>\n{filler}"
        "<h2>If you remember four things</h2>\n"
        + "".join(f"<div><span>Rule of rope {w}</span>−{n} ropes are held by the crew of the ship</div>\n"
                  for n, w in enumerate(("one", "two", "three", "four"), 2))
        + "</body></html>"
    )  # fmt: skip
    text = compact(page, budget=500, threshold=500).text
    assert "Loads by berth, tons, higher is fuller: Berth 0 40.5 · Berth 1 41.5 · Berth 2 42.5 · Berth 3 43.5" in text
    assert "Only cranes" not in text and all(f"{w} −{n} ropes" in text for n, w in ((2, "one"), (5, "four")))


def test_of_very_many_sections_the_map_spans_the_page() -> None:
    page = "<html><body><h1>Log</h1>\n" + "".join(
        f"<h2>Watch number {n} of the long voyage</h2>\n<p>The sea was calm and the sail of mast {n} held.</p>\n"
        + "<p>Rope.</p>\n" * 6
        for n in range(80)
    )
    line = next(
        x for x in compact(page, budget=500, threshold=500).text.split("\n") if x.startswith("Sections, one in ")
    )
    assert "Watch number 0 of" in line and "Watch number 70 of" in line and line.endswith(" · … 69 more")


def test_a_section_that_is_not_shown_is_named_as_it_stands() -> None:
    parts = [
        f"## {name} in C# and F# code\n\nOf the {name.lower()} the master keeps a list that is read at every tide, by "
        f"{n + 3} hands who sign it as `quay_{name.lower()}_{n}` before the boat leaves. " + "The list is long. " * 20
        for n, name in enumerate(("Mooring", "Freight", "Pilots", "Signals", "Tides", "Winches", "Cranes"))
    ]
    text = "# Quay\n\nA guide to all that is done at the quay by day and by night.\n\n" + "\n\n".join(parts)
    told = re.search(r"^Sections not shown: (.*)$", compact(text, budget=300, threshold=100).text, re.M)
    assert told and told[1].count("in C# and F# code") == len(told[1].split(" · ")) > 2


def test_names_of_columns_are_no_heading() -> None:
    parts = "".join(f"# Part {n}\n\nRopes of the quay, as [told](http://quay/{n}).\n\n" for n in range(9))
    rows = "".join(f"north{n}           hemp             {n * 31}\n" for n in range(60))
    text = f"{parts}Rope             Kind             Since\n{'-' * 50}\n{rows}"
    assert "## Rope" not in compact(text, budget=250, threshold=50).text
