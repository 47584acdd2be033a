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
