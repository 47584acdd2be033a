"""What of a long document, a talk or a post is shown first: what it says and found, not what it demonstrates."""

from __future__ import annotations

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
    assert weights["table = Table.load('coast')"] > 1 > 10 * weights["from tides import ("]
    assert "This example is complete" not in compact(_guide(), budget=1200).text


def test_a_section_of_a_long_document_is_shown_with_the_sentence_that_it_begins_with() -> None:
    shown = compact(_guide(), budget=800).text.split("\n")
    for place in PLACES:
        if any(f"See `{place}_wait`" in line for line in shown):
            assert any(f"The {place} lets vessels" in line for line in shown), place
