"""``keep_fields`` and ``drop_fields``: what is left out is said, what stays keeps its spelling, all is stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from conftest import Run
from hypothesis import given
from hypothesis import strategies as st

from mcpcompact import Policy, ResultStore, compact
from mcpcompact.retrieval.projection import project

NAMES = st.sampled_from(["a", "b", "c.d", "e", "ü"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
RECORDS = st.lists(st.dictionaries(NAMES, VALUES, max_size=5), min_size=1, max_size=4)


@given(RECORDS, st.lists(NAMES, min_size=1, max_size=3, unique=True))
def test_keep_and_drop_are_what_python_would_do(records: list[dict[str, Any]], names: list[str]) -> None:
    plain = [name for name in names if "." not in name]
    data = json.dumps(records, ensure_ascii=False).encode()
    if plain:
        kept = json.loads(project(data, keep=plain).data)
        assert kept == [{k: v for k, v in record.items() if k in plain} for record in records]
        dropped = json.loads(project(data, drop=plain).data)
        assert dropped == [{k: v for k, v in record.items() if k not in plain} for record in records]
    assert json.loads(project(data, drop=["nothing"]).data) == records


def test_nested_fields_lists_and_spelling() -> None:
    data = b'{"kind": "List", "items": [{"m": {"x": 1.50, "y": [{"z": 1e9, "w": 2}]}, "s": 12345678901234567890123}]}'
    dropped = project(data, drop=["m.y.w", "m.q"])
    assert dropped.data == data.replace(b', "w": 2', b"") and dropped.left_out == {"m.y.w": 1}
    kept = project(data, keep=["m.x"])
    assert b'{"m": {"x": 1.50}}' in kept.data and set(kept.left_out) == {"m.y", "s"}
    assert "m.y (1×), s (1×)" in kept.told()


def test_json_lines_a_single_object_and_columns() -> None:
    assert project(b'{"a": 1, "b": 2}\n{"a": 3}\nbroken\n', drop=["b"]).data == b'{"a": 1}\n{"a": 3}\nbroken\n'
    assert project(b'{"a": 1, "b": 2}\n', keep=["a"]).data == b'{"a": 1}\n'
    assert project(b'a,b,c\n1,"x,y",3\n', drop=["a"]).data == b'b,c\n"x,y",3\n'
    assert project(b"plain text, with a comma\n", keep=["a"]).data == b"plain text, with a comma\n"


def test_the_text_says_what_it_left_out_and_the_store_has_it(tmp_path: Path) -> None:
    records = [{"id": i, "noise": "x" * 50, "status": "ok"} for i in range(300)]
    store = ResultStore(str(tmp_path))
    data = json.dumps(records).encode()
    made = compact(data, policy=Policy(300, drop_fields=("noise",)), store=store)
    assert "noise (300×)" in made.text and "xxxx" not in made.text and not made.lossless
    assert made.reference is not None and Path(made.reference.path).read_bytes() == data
    few = compact(json.dumps(records[:40]), policy=Policy(900, 900, drop_fields=("noise",)))
    assert few.method == "outline" and not few.lossless and '"noise' not in few.text


def test_on_the_command_line(door: Run) -> None:
    data = json.dumps([{"id": i, "noise": "x" * 50} for i in range(300)]).encode()
    done = door("summarize", "--fields", "id", "--budget", 200, input=data)
    assert b"xxx" not in done.stdout and b"noise" in done.stdout
    bad = door("summarize", "--fields", " , ", input=data)
    assert bad.returncode == 2 and bad.stderr.count(b"\n") == 1
