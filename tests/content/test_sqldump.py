"""Rows of a SQL dump as records: their columns' names, their values, their spans; what is no dump stays source."""

from __future__ import annotations

import json

import pytest

from mcpcompact import compact
from mcpcompact.content.detect import detect
from mcpcompact.content.shared import datatext
from mcpcompact.content.shared.sqldump import from_sql
from mcpcompact.source import Source

CREATE = """CREATE TABLE `orders` (
  `id` int NOT NULL AUTO_INCREMENT,
  `customer` varchar(80) DEFAULT 'a, b',
  `amount` decimal(10,2) DEFAULT '0.00',
  `status` enum('paid','failed') NOT NULL,
  PRIMARY KEY (`id`),
  KEY `by_customer` (`customer`)
);
"""


def mysql(count: int) -> str:
    rows = ",".join(
        f"({n},'Ann O\\'Hara, {n} (x)\\n',{n * 1.25:.2f},'{'failed' if n == 77 else 'paid'}')" for n in range(1, count)
    )
    return f"-- a dump\nDROP TABLE IF EXISTS `orders`;\n{CREATE}INSERT INTO `orders` VALUES {rows};\n"


def test_rows_of_a_statement_are_records_with_the_columns_of_the_table() -> None:
    text = mysql(150)
    made = compact(text, budget=300, threshold=100, store=None)
    assert made.content_type == "records"
    assert "SQL: 149 records, 4 fields each" in made.text
    assert "rows of the table orders; besides: comments, DROP TABLE, CREATE TABLE" in made.text
    assert "#77|77|failed|Ann O'Hara, 77 (x)" in made.text and "← status=failed" in made.text
    assert "status: paid 148 · failed 1" in made.text
    parts = [text[a:b] for a, b in datatext.spans(text)]
    assert len(parts) == 149 and "".join(parts) == text and parts[76].startswith("(77,")


def test_a_statement_a_row_and_columns_that_it_names() -> None:
    rows = [(n, None if n % 9 == 0 else f"O'Neil {n}", n % 2 == 0, f"0{n}") for n in range(1, 60)]
    lines = []
    for number, name, active, code in rows:
        said = "NULL" if name is None else "'" + name.replace("'", "''") + "'"
        lines.append(f"INSERT INTO public.users (id, name, active, code) VALUES ({number}, {said}, {active}, {code});")
    found = from_sql("BEGIN;\n" + "\n".join(lines) + "\nCOMMIT;\n")
    assert found is not None
    keys = ("id", "name", "active", "code")
    assert json.loads(found[0]) == [dict(zip(keys, row, strict=True)) for row in rows]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"INSERT INTO t VALUES ({n}, 'x');" for n in range(50)),  # nothing names the columns
        "\n".join(f"INSERT INTO t{n % 2} (a, b) VALUES ({n}, 'x');" for n in range(50)),  # of two tables
        "INSERT INTO t (a) VALUES (1), (2), (3), (4), (5), (6);\n" + "SELECT a FROM t WHERE a > 1;\n" * 40,  # a script
        "INSERT INTO t (a, b) VALUES (1, 2), (3), (4, 5), (6, 7), (8, 9), (1, 1);",  # ragged
    ],
)
def test_other_sql_is_source(text: str) -> None:
    assert from_sql(text) is None
    assert detect(Source.of_text(text)).content_type != "records"


def test_a_dump_that_is_cut_off_is_read_to_its_last_whole_row() -> None:
    text = mysql(150)
    found = from_sql(text[: len(text) - 20])
    assert found is not None and len(json.loads(found[0])) == 148
    assert "cut off" in found[1] and "cut off" not in (from_sql(text) or ("", ""))[1]
