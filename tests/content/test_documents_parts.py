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


def test_releases_stand_in_order_and_are_listed_without_what_they_are_compared_with() -> None:
    text = "# Release notes\n\n" + "\n".join(
        f"## [v3.{n}.0](https://quay.example/compare/v3.{n - 1}.0...v3.{n}.0) - 2026-0{n % 9 + 1}-04\n\n"
        + "".join(f"* Berth {k} of quay {n} {'reports FAILURE' * (n == 20)} by @warden{k}\n" for k in range(1, 7))
        for n in range(40, 0, -1)
    )
    shown = _shown(text, 500)
    listed, body = (
        next(part for part in shown.split("\n") if "releases" in part),
        shown[shown.index("## [v3.40.0]") :],
    )
    assert "40 releases, each with its line: 3 v3.40.0 · 12 v3.39.0" in listed and " more, to 354 v3.1.0" in listed
    assert "compare" not in listed and "Sections" not in shown
    assert body.index("Berth 1 of quay 40") < body.index("Berth 6 of quay 40") < body.index("Berth 1 of quay 39")
    assert "quay 20" not in body


def test_a_signature_of_a_page_stands_on_one_line_and_a_term_with_what_it_means() -> None:
    link = '<a href="../rope/index.html">Rope</a>'
    methods = "\n".join(
        f"<dt><code>def haul_{n}(<span>self,<br>rope: {link}[{link}],<br>length: int = {n})</code></dt>\n"
        f"<dd><p>Hauls rope {n} over the wall of the quay, and returns what is left of it.</p>\n"
        f"<h3>Args</h3>\n<dl><dt><code>length</code></dt>\n<dd>Metres of it, at most {n + 40}.</dd></dl></dd>"
        for n in range(12)
    )
    page = f"<!DOCTYPE html><html><head><title>quay</title></head><body><h1>quay</h1>\n<dl>{methods}</dl></body></html>"
    shown = _shown(page, 600)
    assert "def haul_3(self, rope: Rope[Rope], length: int = 3)" in shown and "index.html" not in shown
    assert "length\nMetres of it, at most 40." in shown


def test_the_surface_of_a_long_page_fills_no_room() -> None:
    menu = "\n".join(f"<li><a href='/berth/{n}'>Berth {n} plan</a></li>" for n in range(200))
    said = "\n".join(
        f"<p>In the year {1800 + n} the wardens of the harbour closed gate {n} and told the crews to wait.</p>"
        for n in range(250)
    )
    tags = '<p>Topics: <a href="/a">the old harbour of the town</a>, <a href="/b">all of its wardens and crews</a></p>'
    tags += "<div class='content-warning'><img alt='a gate at night'></div>"
    page = (
        f"<!DOCTYPE html><html><head><title>The wardens</title></head><body><div class='menu'><ul>{menu}</ul></div>\n"
        f"<div><h1>The wardens</h1>\n{tags}\n{said}</div></body></html>"
    )
    shown = _shown(page, 500)
    assert "In the year 1800 the wardens" in shown
    assert "Berth" not in shown and "Topics" not in shown and "[image" not in shown
