"""Tables that database shells draw: several in one output, errors beside them, bars and line breaks within cells."""

from __future__ import annotations

import pytest

from mcpcompact import compact
from mcpcompact.content.columns.values import typed
from mcpcompact.content.detect import detect
from mcpcompact.content.table import TYPE
from mcpcompact.outline import Hints
from mcpcompact.retrieval.units import records
from mcpcompact.source import Source

ROWS = [(n, f"part{n}", "a|b, 7" if n % 7 == 0 else "") for n in range(1, 61)]


def said(text: str) -> str:
    source = Source.of_text(text)
    assert detect(source).content_type == "table", detect(source, explain=True)
    out = TYPE.outline(source, Hints())
    return "\n".join([*(fact.text for fact in out.facts), *out.notes])


def cells(text: str, number: int) -> dict[str, str]:
    return next(unit.value() for unit in records(Source.of_text(text), "table") if unit.number == number)


def drawn(bar: str, rule: str, cross: str, framed: bool = True) -> str:
    rows = [f"{n:>4}|{name:<8}|{note:<8}".replace("|", f" {bar} ", 2) for n, name, note in ROWS]
    line = cross.join(rule * width for width in ((6, 10, 10) if framed else (5, 10, 9)))
    lines = [f"{'id':^4} {bar} {'name':^8} {bar} {'note':^8}", line, *rows]
    if not framed:
        return "\n".join(f" {text}".rstrip() if text is not line else f"-{text}" for text in lines) + "\n(60 rows)\n"
    return "\n".join(f"{cross}{t}{cross}" if t is line else f"{bar} {t} {bar}" for t in lines) + "\n"


@pytest.mark.parametrize(
    "text",
    [drawn("│", "─", "┼"), drawn("|", "-", "+"), drawn("|", "-", "|"), drawn("|", "-", "+", framed=False)],
    ids=["sqlite's box", "mysql", "padded Markdown", "psql"],
)
def test_a_bar_within_a_cell_is_told_by_the_places_of_the_bars(text: str) -> None:
    assert "60 rows, 3 columns" in said(text)
    assert "not 3 cells" not in said(text)
    assert cells(text, 14) == {"id": "14", "name": "part14", "note": "a|b, 7"}


FIRST = " id | name\n----+--------\n" + "".join(f" {n:2} | part{n}\n" for n in range(1, 61)) + "(60 rows)\n\n"
SECOND = " code | place\n------+-------\n" + "".join(f" x{n:3} | hall\n" for n in range(1, 31)) + "(30 rows)\n\n"
ERRORS = (
    "select 1/0;\npsql:run.sql:3: ERROR:  division by zero\n"
    'select a||b;\npsql:run.sql:4: ERROR:  column "a" is missing\n'
)


def test_each_of_several_tables_in_one_output_is_counted_by_itself() -> None:
    text = said("begin;\n" + FIRST + ERRORS + SECOND)
    assert "psql's table: 60 rows, 2 columns" in text
    assert "another table, from line 70 on, code, place: 30 rows" in text
    assert "code" not in text.replace("code, place", "")


def test_the_largest_of_several_tables_is_read() -> None:
    text = said(SECOND + FIRST)
    assert "psql's table: 60 rows, 2 columns" in text
    assert "another table, from line 1 on, code, place: 30 rows" in text


def test_a_small_table_below_another_is_told_with_its_rows() -> None:
    plan = "+----+\n+------+-------+\n| type | rows  |\n+------+-------+\n| ALL  |    61 |\n+------+-------+\n"
    text = said(drawn("|", "-", "+") + plan)
    assert "text table: 60 rows" in text
    assert "another table, from line 65 on, type, rows: 1 row: ALL|61" in text


def test_the_same_table_again_goes_on_with_its_rows() -> None:
    assert "psql's table: 120 rows, 2 columns" in said(FIRST + FIRST)


def test_errors_beside_a_table_are_counted_and_told() -> None:
    text = said("begin;\n" + ERRORS + FIRST + ERRORS)
    assert "beside the rows 9 lines, of which 4 name an error:\n3: psql:run.sql:3: ERROR:  division by zero" in text
    assert '\n73: psql:run.sql:4: ERROR:  column "a" is missing' in text


@pytest.mark.parametrize(("bar", "mark", "rule"), [("│", "↵", "├────┼───────┤"), ("|", "+", "+----+-------+")])
def test_a_cell_that_goes_on_in_the_next_line_is_one(bar: str, mark: str, rule: str) -> None:
    row = "| {n:2} | line1{mark}|\n|    | line2 |\n"
    lines = "| id | note  |\nRULE\n" + "".join(row.format(n=n, mark=mark) for n in range(1, 31))
    text = lines.replace("|", bar).replace("RULE", rule) + "(30 rows)\n"
    assert "30 rows, 2 columns" in said(text)
    assert cells(text, 2) == {"id": "2", "note": "line1\nline2"}
    unit = next(unit for unit in records(Source.of_text(text), "table") if unit.number == 2)
    assert unit.raw.decode() == row.format(n=2, mark=mark).replace("|", bar)


def test_the_heading_of_records_is_printed_without_the_lines_above_it() -> None:
    first = next(iter(records(Source.of_text("begin;\nBEGIN\n" + FIRST), "table")))
    assert first.number == 0
    assert first.raw.decode() == " id | name\n----+--------\n"


def test_a_row_is_no_heading_in_a_grid() -> None:
    rule = "+----+-------+\n"
    text = rule + "| id | name  |\n" + rule + "".join(f"| {n:2} | part{n:<3}|\n{rule}" for n in range(1, 61))
    assert "text table: 60 rows, 2 columns" in said(text)


def test_bars_without_a_heading_are_no_table() -> None:
    lines = ["+-----+", *(f"| {n} | {n * 7}" for n in range(9)), "x", "+-----+"]
    for content_type in ("table", None):
        found = compact("\n".join(lines * 9), budget=120, threshold=50, content_type=content_type)
        assert not found.warnings or "Error" not in found.warnings[0]


def test_digits_that_are_no_decimals_are_text() -> None:
    assert [typed(value) for value in ("²", "12", "٣", "1²")] == ["²", 12, 3, "1²"]


def wrapped_table(days: int) -> str:
    """What a tool of Node draws: colours, a title in a box, cells of two lines, rules between the rows, a total."""
    widths = (10, 12, 8)
    rule = "├" + "┼".join("─" * width for width in widths) + "┤"

    def row(*cells: object) -> str:
        return "│" + "│".join(f" {cell}".ljust(width) for cell, width in zip(cells, widths, strict=True)) + "│"

    lines = ["[tool] prices loaded", "", " ╭────────────╮", " │            │", " │  Use a day │", " ╰────────────╯", ""]
    lines += [rule.replace("├", "┌").replace("┤", "┐"), row("Day", "Models", "Tokens"), row("", "", "read"), rule]
    for day in range(days):
        lines += [row("2031", "- small-4-5", 100 + day), row(f"01-{1 + day:02}", "- large-4-5", "")]
        lines += [rule, row("  └─", "", 60 + day), row("small-4-5", "", ""), rule]
    lines += [row("Total", "", 12_345), rule.replace("├", "└").replace("┤", "┘")]
    return "".join(f"\x1b[90m{line}\x1b[39m\n" for line in lines)


def test_a_record_is_all_its_lines_between_two_rules() -> None:
    text = compact(wrapped_table(20), budget=300, threshold=300).text
    assert "text table: 40 rows, 3 columns" in text
    assert "row of totals, in no figure here: Day=Total, Tokens read=12345" in text
    assert "above the header: [tool] prices loaded · Use a day" in text
    assert "#|Day|Models|Tokens read" in text
    assert "|2031 01-01|- small-4-5 - large-4-5|100" in text
    assert "─" not in text.replace("└─", "")
    assert text.count("|2031") > 2 * text.count("|└─")


def test_of_rows_between_rules_each_with_its_number_none_is_joined() -> None:
    rule = "+------+------+------+"
    groups = [[f"| g{n:<3} | a    | {n:<4} |", f"|      | b    | {n + 1:<4} |", rule] for n in range(60)]
    lines = [rule, "| name | kind | size |", rule, *(line for group in groups for line in group)]
    assert "120 rows" in compact("\n".join(lines), budget=300, threshold=300).text


@pytest.mark.parametrize("total", [10_000, 10_001])  # of the latter the last row is at hand, and reading on stops early
def test_what_stands_beside_a_long_table_is_said_although_rows_are_fetched_again(total: int) -> None:
    rows = "".join(f"| {n} | barge{n} | {n * 37 % 1000} |\n" for n in range(total))
    table = f"| id | name | size |\n|---|---|---|\n{rows}\n"
    failed = compact(f"{table}error: lost the harbour\nsome note\n", budget=300, threshold=100).text
    assert f"beside the rows 2 lines, of which 1 names an error:\n{total + 4}: error: lost the harbour" in failed
    noted = compact(f"{table}some note\nanother one\n", budget=300, threshold=100).text
    assert "2 lines beside the table are not counted" in noted
