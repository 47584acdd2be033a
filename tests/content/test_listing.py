"""Listings of files."""

from __future__ import annotations

from mcpcompact import compact


def test_a_tree_of_git_is_read_where_its_tabs_were_printed_as_blanks() -> None:
    lines = [f"100644 blob {n * 7919:040x}\tsrc/{'ab'[n % 2]}/part{n}.py" for n in range(120)]
    first = "Listing: 120 entries in 2 directories below src/"
    for blanks in ("\t", "  ", " "):
        shown = compact("\n".join(lines).replace("\t", blanks), budget=300, threshold=100).text
        assert first in shown and "Sizes" not in shown
