"""The JSON token scanner: nothing but whitespace is lost, at any depth, in any damage."""

import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact.content.shared import jsontext
from mcpcompact.encoded import levels
from mcpcompact.results.view import indent_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=15,
)


def pairs(text: str) -> object:
    return json.loads(text, object_pairs_hook=lambda members: ("object", members))


@settings(max_examples=60)
@given(VALUES, st.sampled_from([None, 0, 1, 4, "\t"]), st.booleans())
def test_without_whitespace_and_as_a_view_every_value_is_kept(
    value: object, indent: int | str | None, ascii_only: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    small, view = jsontext.minify(text), indent_json(text.encode())
    assert pairs(text) == pairs(small) == pairs(view.decode() if view is not None else text)
    assert view is None or jsontext.minify(view.decode()) == small
    assert small == json.dumps(value, separators=(",", ":"), ensure_ascii=ascii_only)


@given(st.text(alphabet='[]{},:"\\ \n12aé', max_size=60))
@settings(max_examples=300)
def test_any_text_survives(text: str) -> None:
    jsontext.minify(text)
    spans = list(jsontext.top_level_spans(text))
    assert "".join(text[a:b] for a, b in spans) == text
    assert all(a < b for a, b in spans)
    parsed = jsontext.parse(text)
    assert 0 <= parsed.end <= len(text)
    try:
        value = json.loads(text)
    except ValueError:
        pass
    else:
        assert parsed.documents == [value] and not parsed.problem


@given(VALUES)
def test_the_scanner_agrees_with_the_standard_parser(value: object) -> None:
    text = json.dumps(value, indent=1)
    parsed = jsontext.scan(text)
    assert parsed.documents == [json.loads(text)]
    assert parsed.problem == "" and parsed.end == len(text)
    assert parsed.depth == sum(1 for _ in levels(value))


@settings(max_examples=60)
@given(st.dictionaries(st.text(max_size=9), VALUES, min_size=1, max_size=6), st.data())
def test_every_cut_is_noticed_and_its_head_is_read(value: dict[str, object], data: st.DataObject) -> None:
    text = json.dumps(value)
    cut = data.draw(st.integers(1, len(text) - 1))
    parsed = jsontext.parse(text[:cut])
    assert parsed.problem and parsed.open >= 1
    assert list(parsed.documents[0]) == list(value)[: len(parsed.documents[0])]


def test_numbers_and_duplicate_keys_survive_byte_for_byte() -> None:
    text = '{ "a": 1.50, "a": 12345678901234567890123, "b": -0, "c": 1E5, "d": "x  y" }'
    assert jsontext.minify(text) == '{"a":1.50,"a":12345678901234567890123,"b":-0,"c":1E5,"d":"x  y"}'
    parsed = jsontext.parse(text)
    assert parsed.duplicates == {"a": 1}
    assert parsed.documents[0]["c"].raw == "1E5" and parsed.documents[0]["b"].raw == "-0"


def test_values_side_by_side_stay_apart() -> None:
    assert jsontext.minify(' 1 2 "a" "b" ') == '1 2 "a" "b"'
    assert jsontext.parse('{"a": 1}\n{"a": 2} [3]').documents == [{"a": 1}, {"a": 2}, [3]]


DEEP = ["[" * 100_000 + "]" * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000, "[" * 100_000]


@pytest.mark.parametrize("text", DEEP, ids=["arrays", "objects", "cut off"])
def test_depth_neither_crashes_nor_explodes(text: str) -> None:
    parsed = jsontext.parse(text)
    assert parsed.depth == 100_000
    assert bool(parsed.problem) is text.endswith("[")
    assert "".join(text[a:b] for a, b in jsontext.top_level_spans(text)) == text


def test_an_unclosed_string_of_quotes_is_linear() -> None:
    text = '["' + '\\"' * 1_000_000
    assert jsontext.parse(text).problem == "a string does not end"
    assert jsontext.minify(text) == text


def test_spans_are_the_elements() -> None:
    text = '[\n  {"a": [1, 2]},\n  {"b": "x,y"},\n  3\n]\n'
    parts = [text[a:b] for a, b in jsontext.top_level_spans(text)]
    assert [re.sub(r"\s", "", p) for p in parts] == ['[{"a":[1,2]},', '{"b":"x,y"},', "3]"]


def test_constants_are_counted() -> None:
    parsed = jsontext.parse("[NaN, -Infinity, 1]")
    assert parsed.constants == 2 and not parsed.problem


def test_huge_integers_do_not_raise() -> None:
    parsed = jsontext.parse("[" + "9" * 5000 + "]")
    assert parsed.documents[0][0].raw == "9" * 5000
