"""Write the table of all settings into docs/configuration.md, between its marks."""

from __future__ import annotations

from pathlib import Path

from mcpcompact.settings.template import table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "configuration.md"
BEGIN, END = "<!-- settings: begin -->\n", "<!-- settings: end -->"


def page() -> str:
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    return before + BEGIN + table() + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
