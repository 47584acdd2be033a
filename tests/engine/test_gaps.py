"""What is left out within one definition is marked: nobody reads what stands around it as contiguous."""

from __future__ import annotations

import re

from mcpcompact import compact


def test_each_gap_within_a_definition_is_marked() -> None:
    words = ["alpha", "beta", "gamma", "delta", "omega"]
    lines = [
        f"    if {words[n % 5]}_{n % 7}:\n        {words[n % 3]}.write('{words[n % 4]} {n % 11}')\n" for n in range(90)
    ]
    for n in (20, 50, 70):
        lines[n] = f"    connect_{n}(host='server-{n}.example.org', port={8000 + n}, key='/etc/keys/{n}.pem')\n"
    text = compact("\n".join(["def compute(rows):", *lines]), budget=300, threshold=300, tool="read").text
    shown = text.split("\n")
    jumps = [i for i, line in enumerate(shown) if re.match(r"\d+ {5,}\S", line)]
    assert len(jumps) > 1, text
    assert all(shown[i - 1].endswith("…") for i in jumps if not shown[i - 1].startswith("(")), text
