"""What is left out within one definition is marked: nobody reads what stands around it as contiguous."""

from __future__ import annotations

import re

from mcpcompact import compact


def test_each_gap_within_a_definition_is_marked() -> None:
    statements = "\n\n".join(f"    value_{n} = transform_{n}(rows, 'column {n}')" for n in range(80))
    text = compact(f"def compute(rows):\n{statements}\n", budget=300, threshold=300, tool="read").text
    lines = text.split("\n")
    jumps = [i for i, line in enumerate(lines) if re.match(r"\d+ +value_", line)]
    assert len(jumps) > 1
    assert all(lines[i - 1].endswith("…") for i in jumps)
