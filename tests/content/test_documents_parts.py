"""Documents made of parts that are alike: several tables, the releases of a changelog, entries within entries."""

from __future__ import annotations

from mcpcompact import compact


def _shown(text: str, budget: int = 400, **call: object) -> str:
    return compact(text, budget=budget, threshold=budget, **call).text  # type: ignore[arg-type]


def test_tables_with_titles_are_a_document_in_which_each_begins() -> None:
    def table(title: str, word: str, many: int) -> str:
        rows = "\n".join(f"| {word} {n} | what {word} {n} holds of the {n + 3} casks |" for n in range(1, many))
        return f"{title}\n\n| {word} | meaning |\n|---|---|\n{rows}\n"

    shown = _shown(table("Table A - columns of the stock list", "column", 20) + "\n" + table("Labels", "label", 60))
    assert shown.index("Table A") < shown.index("| column 1 |") < shown.index("Labels") < shown.index("| label 1 |")
    assert "Markdown table" not in shown and "above the header" not in shown
