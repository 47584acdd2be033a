"""Pages that a web search found, in JSON on one line."""

from __future__ import annotations

import json

import pytest

from mcpcompact import compact


@pytest.mark.parametrize("head", ["## What boats say", "What boats say of it is this."])
def test_of_each_search_one_page_stands_whole_and_it_is_said_how_many_there_are(head: str) -> None:
    def links(of: str) -> str:
        found = [{"title": f"{of} tides, part {n}", "url": f"https://{of}.example/tides/{n}/read"} for n in range(9)]
        return "Links: " + json.dumps(found, separators=(",", ":"))

    said = [f"The tide of day {n} was {n * 7 % 31} dm above the mark, said the pilot of quay {n}." for n in range(30)]
    lines = ['Web search results for query: "tides"', "", links("moor"), "", links("pier"), "", head, "", *said]
    text = compact("\n".join(lines), budget=450, threshold=450).text
    assert "moor tides, part 0 https://moor.example/tides/0/read" in text
    assert "pier tides, part 0 https://pier.example/tides/0/read" in text
    assert text.count("Links (9):\n") == 2 and "[+" not in text.partition(head)[0]
    assert '{"title"' not in text


def test_a_list_that_holds_no_pages_stays_as_it_is() -> None:
    rows = json.dumps([{"title": f"tide {n}", "berth": n} for n in range(40)])
    text = compact("\n".join(["# Tides", "", f"Rows: {rows}", "", '"url": none', ""]), budget=200, threshold=200).text
    assert 'Rows: [{"title": "tide 0"' in text


CUT = "\n\n[OUTPUT TRUNCATED - exceeded 900 token limit]\n\nThe tool output was truncated."


def test_what_a_tool_left_out_is_said_of_a_document_too() -> None:
    text = "# Guide\n\n" + "\n\n".join(
        f"## Part {n}\n\nThe part {n} reads `conf/{n}.toml` at its start." for n in range(80)
    )
    out = compact(text + CUT, budget=300, threshold=300).text
    assert "truncated its output: “[OUTPUT TRUNCATED - exceeded 900 token limit]” (line 323)" in out
    quoted = text.replace("The part 40 reads", "[OUTPUT TRUNCATED]\n\nThe part 40 reads")
    assert "truncated its output" not in compact(quoted, budget=300, threshold=300).text


def test_contents_show_their_titles_before_addresses() -> None:
    titles = [f"How the keeper number {n} came home" for n in range(40)]
    text = "".join(
        f"{title}\ntext/part{n:04}_split_000.html#A{n * 37:05}-ccc77842d\n" for n, title in enumerate(titles)
    )
    out = compact(text, budget=800, threshold=800).text
    assert "Contents: 40 titles, each with its address below it; the first text/part0000_split_000.html#A00000" in out
    assert all(title in out for title in titles) and "stands only here" not in out
    assert "Contents:" not in compact(text + "An end without its address\n", budget=800, threshold=800).text


def test_one_result_with_its_page_is_a_search_and_numbered_titles_head_their_sections() -> None:
    page = "\n\n".join(
        f"{head}\n{'-' * len(head)}\n\nIn part {n} the riders of zone{n} say what they saw on the way to `camp_{n}`."
        for n in range(1, 60)
        if (head := f"{n}. What zone{n} told")
    )
    found = "Title: Riders\nURL: https://example.org/riders\nContent: What riders say.\nRaw Content: # Riders"
    out = compact(f"Detailed Results:\n\n{found}\n\n{page}\n", budget=500, threshold=500).text
    assert "Web search: 1 result." in out and "7. What zone7 told" in out
    assert "Web search" not in compact(f"Notes:\n\n{found}\n\n{page}\n", budget=500, threshold=500).text
