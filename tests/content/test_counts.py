"""Counts and line numbers that a summary states are those that a reader finds in it, and in the original."""

from __future__ import annotations

import re

import pytest

from bench.truth.standing import standing
from mcpcompact import compact

ROPES = ["hemp", "sisal", "manila", "cotton", "flax", "jute", "coir"]
HANDBOOK = "\n".join(
    line
    for n in range(60)
    for line in (
        f"## Mooring {n}",
        "",
        f"Berth {n} is reached by the channel of {ROPES[n % 7]}{n} at half tide, which pilot {n} knows, "
        f"and its keeper asks that each master who calls there first writes to office {n * 13} of the harbour. "
        f"The light stands on pier {n + 4} and is lit from dusk by the watch of house {n * 3}.",
        "",
        "!!! warning",
        f"    Ring {n} is worn.",
        "",
        f"    Only {ROPES[n % 5]} {n} holds there.",
        "",
        "```sh",
        *(f"moor --berth {n} --line {k} --rope {ROPES[(n + k) % 7]}" for k in range(8)),
        "```",
        "",
    )
)
PAGES = "\n".join(
    f"Search Result {n}:\nThe {ROPES[n % 7]} rope, article {n}\nhttps://ropes.example/{ROPES[n % 7]}/{n}\n"
    f"All that sailors of port {n} wrote on {ROPES[n % 7]}, with the weight {n * 17} of a coil and what it costs. "
    for n in range(1, 41)
)


@pytest.mark.parametrize("text", [HANDBOOK, PAGES], ids=["handbook", "pages"])
@pytest.mark.parametrize("budget", [300, 500, 1000])
def test_the_lines_that_are_said_to_be_shown_stand_in_the_body(text: str, budget: int) -> None:
    notice, *body = compact(text, budget=budget, threshold=0).text.split("\n")
    found = re.search(r"([\d,]+) of [\d,]+ lines shown", notice)
    assert found is not None
    assert int(found[1]) == standing([line for line in body if not line.startswith("[mcpcompact]")], text.split("\n"))
