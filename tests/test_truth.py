"""The truth bench in small: no statement about inputs of known content is false; and what it found first."""

from __future__ import annotations

import json

import pytest

from bench.truth.__main__ import judge
from bench.truth.kinds import KINDS
from mcpcompact import compact


@pytest.mark.parametrize("kind", KINDS)
def test_no_statement_is_false(kind: str) -> None:
    for seed in range(3):
        case, text, verdict = judge(kind, seed)
        assert not verdict.false, f"seed {seed}: {verdict.false[0]}\n{case.text[:300]}\n{text}"


def test_the_checker_sees_a_false_number() -> None:
    from bench.truth.check import check

    case, text, verdict = judge("psql", 2)
    made = compact(case.text, budget=1000, threshold=0)
    assert not verdict.false and verdict.claims > 20
    made.text = text.replace("rows, ", "0 rows, ", 1)
    assert check(case, made, 1000).false


def test_a_field_of_values_objects_and_lists_says_how_many_are_which() -> None:
    records = [{"id": i, "tag": ["a", ["a"], {"b": 1}][i % 3], "text": f"note {i * 7919}"} for i in range(300)]
    lines = compact(json.dumps(records), budget=600, threshold=0).text.split("\n")
    assert "tag: a 100 (objects 100, lists 100)" in lines
    assert "tag.b: 1 ×100 (present in 100 of 300)" in lines


def test_the_first_row_of_sizes_with_units_is_no_header() -> None:
    text = "".join(f"{i + 10}.5M\t./amber/{i}\n" for i in range(120))
    made = compact(text, budget=300, threshold=0)
    assert made.items_total == 120


def test_quality_is_the_mean_of_all_residues() -> None:
    reads = [("a", 100, "+"), ("b", 300, "I"), ("c", 300, "I")]  # qualities 10, 40 and 40: 35.7 a residue, 30 a read
    text = "".join(f"@{name}\n{'ACGT' * (n // 4)}\n+\n{q * n}\n" for name, n, q in reads)
    assert "quality mean 35.7, worst read #1 10.0" in compact(text, budget=480, threshold=0).text


def test_the_head_of_the_original_is_not_called_nothing() -> None:
    text = "".join(f'{{"id": "ord_{i}_x", "city": "Oslo{i * 7}", "kind": "k{i}"}}\n' for i in range(14))
    for budget in range(60, 260, 10):
        made = compact(text, budget=budget, threshold=0)
        if '{"id": "ord_0_x"' in made.text:
            assert "0 of 14 records shown" not in made.text


def test_a_rare_number_is_set_beside_counts_not_shares_of_all() -> None:
    """A field that most records lack is not "usually 0"."""
    records = [{"id": f"r{i}", "text": f"t{i * 7919}"} | ({"note": 0} if i % 3 == 0 else {}) for i in range(600)]
    records[300]["note"] = 7
    text = compact(json.dumps(records), budget=400, threshold=0).text
    assert "note=7, 0 in 199 others" in text and "usually" not in text


def test_rare_among_several_numbers() -> None:
    records = [{"id": f"r{i}", "port": [80, 443, 8080][i % 3], "text": f"t{i * 7919}"} for i in range(600)]
    records[300]["port"] = 99_999
    text = compact(json.dumps(records), budget=400, threshold=0).text
    assert "port=99999, one of 4 different numbers" in text


def test_the_length_of_a_list_in_a_cell_is_no_member_of_it() -> None:
    values = [["a"], "a", {"b": 1}]
    records = [{"id": f"r{i}", "note": values[i % 3], "text": f"t{i * 7919}"} for i in range(60)]
    text = compact(json.dumps(records), budget=600, threshold=0).text
    assert "|[a]|" in text and "|{b: 1}|" in text and "|[1]" not in text


@pytest.mark.parametrize(
    "kind, seed", [("json", 103), ("ndjson", 33), ("ndjson", 91), ("ndjson", 102), ("nested", 55), ("aligned", 109)]
)
def test_no_statement_is_false_where_one_was_or_was_misread(kind: str, seed: int) -> None:
    assert not judge(kind, seed)[2].false
