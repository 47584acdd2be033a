"""Where something is left out of a document: no line is invented there, and what stands below reads as what it is."""

from __future__ import annotations

import re

import pytest

from mcpcompact import compact

FILLER = (
    "The keeper of gate{n} reads `etc/gate{n}.cfg`, opens var/gate{n}.log and writes gate_{n}_report.csv each hour."
)


def _shown(text: str, budget: int = 500, **call: object) -> str:
    return compact(text, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]


@pytest.mark.parametrize("budget", [500, 900])
def test_no_blank_line_stands_where_the_rest_of_a_paragraph_is_left_out(budget: int) -> None:
    notes = "\n".join(f'[[{{n}}{k}]](notes_of_harbours_r{k}.xhtml#en_d1e86{{n}}{k} "note")' for k in range(6))
    told = (
        f"Boats of harbour {{n}}, which sail from the old quay on each tide of the moon\nthe moon, past pier 0\n{notes}"
    )
    parts = [f"## Harbour {n}\n\n{told.format(n=n)}" for n in range(40)]
    shown = _shown("# Harbours\n\nWhere boats lie.\n\n" + "\n\n".join(parts), budget, content_type="markup")
    assert re.search(r"\n…\[\+\d+ lines\]", shown) and "\n\n…[+" not in shown


@pytest.mark.parametrize("budget", [500, 900])
def test_an_example_is_closed_before_the_text_below_it(budget: int) -> None:
    parts = [
        f"## Gate {n}\n\nGate {n} is opened by its key:\n\n```sh\nkeeper --open gate{n}\n```\n\n{4 * FILLER.format(n=n)}\n"
        for n in range(20)
    ]
    shown = _shown("# Gates\n\nHow the gates are kept.\n\n" + "\n".join(parts), budget)
    marks = re.findall(r"(?m)^(?:\d+ )?(```\w*)(?: …)?$", shown)
    assert marks and marks == ["```sh", "```"] * (len(marks) // 2)
