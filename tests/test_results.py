"""The results directory: what goes in comes out, whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact.errors import CannotReadError, CannotWriteError, NoInputError
from mcpcompact.outline import Source
from mcpcompact.results import Reference, ResultStore


def put(store: ResultStore, data: bytes, tool: str | None = "get_events", **more: object) -> Reference:
    about = {"content_type": "text", "extension": ".txt", "meta": {"tokens": 1}, **more}
    return store.put(Source(data), tool=tool, **about)  # type: ignore[arg-type]


AWKWARD = [b"", b"x", b"a\r\nb\r\n", b"no final newline", b"\0\1\2", b"\xff\xfe\xfa bad \xc3", b"\n\n\n", b"\xef\xbb\xbfbom"]


@pytest.mark.parametrize("data", AWKWARD)
def test_bytes_come_back_exactly(tmp_path: Path, data: bytes) -> None:
    store = ResultStore(tmp_path / "results")
    reference = put(store, data)
    assert Path(reference.path).read_bytes() == data
    assert store.get(reference.id).source().data == data
    assert store.get(reference.id).open().read() == data
    assert store.verify() == []


@settings(max_examples=40, deadline=None)
@given(data=st.binary(max_size=6000), tool=st.none() | st.text(max_size=80), extension=st.text(max_size=8))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, data: bytes, tool: str, extension: str) -> None:
    store = ResultStore(tmp_path_factory.mktemp("s") / "results")
    reference = put(store, data, tool, extension=extension)
    assert os.path.dirname(os.path.abspath(reference.path)) == os.path.abspath(store.directory)
    assert store.get(reference.id[:5]).source().data == data
    assert store.verify() == []
    assert all(not name.startswith(".tmp") for name in os.listdir(store.directory))
