"""Python values that are no JSON: what the library is given is written in a stated way and stored, or comes back."""

from __future__ import annotations

import collections
import dataclasses
import enum
import json
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcompact import ResultStore, compact, paginate


@dataclasses.dataclass
class Order:
    number: int
    lines: set[str]


class Model:
    def model_dump(self) -> dict[str, Any]:
        return {"made": date(2026, 1, 2)}


class Plain:
    def __init__(self) -> None:
        self.size = 3


class Array:
    """As numpy's, which the package does not depend on."""

    def tolist(self) -> list[int]:
        return [1, 2]


class Colour(enum.Enum):
    RED = "red"


def numbers() -> Iterator[int]:
    yield from (1, 2)


class Slotted:
    __slots__ = ("crew", "depth")

    def __init__(self, depth: int) -> None:
        self.depth, self.crew = depth, numbers


VALUES = [
    (datetime(2026, 1, 1, 12, 30), "2026-01-01T12:30:00"),
    (timedelta(seconds=90), "0:01:30"),
    (Decimal("1.10"), "1.10"),
    (Fraction(1, 3), "1/3"),
    (UUID(int=5), "00000000-0000-0000-0000-000000000005"),
    (PurePosixPath("/tmp/x"), "/tmp/x"),
    (b"\x00\xff", "AP8="),
    (bytearray(b"a"), "YQ=="),
    ({3, 1, 2}, [1, 2, 3]),
    (frozenset({"b", "a"}), ["a", "b"]),
    ((1, 2), [1, 2]),
    (collections.deque([1, 2]), [1, 2]),
    (collections.OrderedDict(a=1), {"a": 1}),
    (collections.ChainMap({"a": 1}), {"a": 1}),
    (range(3), [0, 1, 2]),
    ({"a": 1}.items(), [["a", 1]]),
    (Order(7, {"y", "x"}), {"number": 7, "lines": ["x", "y"]}),
    (Model(), {"made": "2026-01-02"}),
    (Array(), [1, 2]),
    (Plain(), {"size": 3}),
    (Colour.RED, "red"),
    (ValueError("bad"), "ValueError('bad')"),
    (complex(1, 2), "(1+2j)"),
    (Slotted(4), {"depth": 4, "crew": "<function numbers>"}),  # no address in memory
    (object(), "<object object>"),
]


@pytest.mark.parametrize(("value", "written"), VALUES, ids=lambda v: type(v).__name__)
def test_values_are_written_as_stated(value: Any, written: Any, tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    result = compact([{"n": n, "value": value} for n in range(500)], budget=300, store=store)
    assert result.problem is None and result.method == "outline" and result.reference and result.text
    stored = json.loads(Path(str(result.reference.path)).read_bytes())
    assert stored == [{"n": n, "value": written} for n in range(500)]


def test_numpy(tmp_path: Path) -> None:
    np = pytest.importorskip("numpy")
    value = [{"i": np.int64(n), "f": np.float32(0.5), "ok": np.bool_(True), "v": np.arange(2)} for n in range(500)]
    result = compact(value, budget=300, store=ResultStore(tmp_path))
    assert result.reference and result.problem is None
    stored = json.loads(Path(str(result.reference.path)).read_bytes())
    assert stored[499] == {"i": 499, "f": 0.5, "ok": True, "v": [0, 1]}


@pytest.mark.parametrize("make", [lambda: ({"i": n} for n in range(900)), lambda: tuple({"i": n} for n in range(900))])
def test_a_tuple_or_a_generator_is_a_list(make: Any, tmp_path: Path) -> None:
    result = compact(make(), budget=300, store=ResultStore(tmp_path))
    assert result.reference and json.loads(Path(str(result.reference.path)).read_bytes())[899] == {"i": 899}


def test_a_generator_under_a_key_that_is_no_text_is_not_lost(tmp_path: Path) -> None:
    value = {(1, 2): numbers(), date(2026, 1, 1): 1, 5: 2, None: 3, b"k": 4}
    result = compact(value)
    assert json.loads(result.text) == {"[1, 2]": [1, 2], "2026-01-01": 1, "5": 2, "null": 3, "aw==": 4}


def test_not_a_number_stays_as_it_is(tmp_path: Path) -> None:
    result = compact([{"v": float("nan"), "w": float("-inf")}] * 500, budget=300, store=ResultStore(tmp_path))
    assert result.reference and result.problem is None
    assert Path(str(result.reference.path)).read_text().startswith('[{"v": NaN, "w": -Infinity}, ')


def test_a_value_that_holds_itself_is_named_and_comes_back() -> None:
    value: dict[str, Any] = {"items": [{"name": "x" * 3000}]}
    value["items"][0]["owner"] = value
    result = compact(value, budget=100)
    assert result.method == "passthrough" and "items.0.owner holds itself" in str(result.problem)
    assert "x" * 3000 in result.text


def test_depth_is_no_problem(tmp_path: Path) -> None:
    value: list[Any] = []
    for _ in range(20_000):
        value = [value]
    result = compact(value, budget=100, store=ResultStore(tmp_path))
    assert result.problem is None and result.reference
    assert Path(str(result.reference.path)).read_text() == "[" * 20_001 + "]" * 20_001


def test_arguments_may_be_any_values(tmp_path: Path) -> None:
    result = compact("one line of text\n" * 2000, arguments={"at": datetime(2026, 1, 1)}, store=ResultStore(tmp_path))
    assert result.problem is None and result.reference


def test_a_message_as_a_model_is_unwrapped() -> None:
    class Result:
        def model_dump(self) -> dict[str, Any]:
            return {"isError": True, "content": [{"type": "text", "text": "no route\n" * 900}]}

    result = compact(Result(), budget=100, tool="t")
    assert result.text.startswith("[mcpcompact] t failed")


def test_paginate_takes_the_same_values() -> None:
    page = paginate(({"at": datetime(2026, 1, n + 1)} for n in range(20)), limit=2)
    assert json.loads(page.items[0]) == {"at": "2026-01-01T00:00:00"}


_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.dates() | st.decimals(allow_nan=False) | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers() | st.dates(), inner) | st.tuples(inner),
    max_leaves=20,
)


@given(_values)
def test_text_is_never_empty(value: Any) -> None:
    if isinstance(value, (str, bytes)):
        return
    result = compact(value, budget=50, threshold=10)
    assert result.text and result.problem is None
