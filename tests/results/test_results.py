"""The results directory: what goes in comes out, whole or not at all."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcpcompact.errors import CannotReadError, NoInputError
from mcpcompact.results import Original, Reference, ResultStore, Store
from mcpcompact.results.view import FOLD, fold, indent_json, make_view
from mcpcompact.source import Source


def put(store: Store, data: bytes, tool: str | None = "get_events", **more: object) -> Reference:
    about = {"content_type": "text", "extension": ".txt", "meta": {"tokens": 1}, **more}
    return store.put(Original(Source(data), tool=tool, **about))  # type: ignore[arg-type]


AWKWARD = [
    b"",
    b"x",
    b"a\r\nb\r\n",
    b"no final newline",
    b"\0\1\2",
    b"\xff\xfe\xfa bad \xc3",
    b"\n\n\n",
    b"\xef\xbb\xbfbom",
]


@pytest.mark.parametrize("data", AWKWARD)
def test_bytes_come_back_exactly(tmp_path: Path, data: bytes) -> None:
    store = ResultStore(tmp_path / "results")
    reference = put(store, data)
    assert Path(reference.path).read_bytes() == data
    assert store.get(reference.id).source().data == data
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


def test_same_content_is_one_file_and_remembers_its_calls(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    first = put(store, b"same", "one")
    second = put(store, b"same", "two")
    third = put(store, b"same", "two")
    assert first.path == second.path == third.path
    assert [name for name in os.listdir(tmp_path) if name.endswith(".txt")] == [os.path.basename(first.path)]
    meta = store.get(first.id).meta
    assert meta["tool"] == "two"
    assert [call["tool"] for call in meta["earlier"]] == ["one"]


def test_a_large_result_that_is_here_already_is_not_written_again(tmp_path: Path) -> None:
    data = b"0123456789abcde\n" * 400_000
    store = ResultStore(tmp_path / "results")
    reference = put(store, data)
    before = os.stat(reference.path)
    assert put(store, data).id == reference.id
    assert os.stat(reference.path).st_ino == before.st_ino
    other = bytearray(data)
    other[-2:-1] = b"X"
    assert put(store, bytes(other)).id != reference.id  # of the same size
    Path(reference.path).write_bytes(other)  # … and now of the same bytes, under the wrong id
    again = put(store, bytes(other), tool="x")
    assert again.id != reference.id and not store.verify(again.id)
    assert store.verify(reference.id)
    assert put(store, data).id == reference.id and not store.verify()


def test_clashing_ids_grow(tmp_path: Path) -> None:
    one, two = _clash()
    store = ResultStore(tmp_path)
    a, b = put(store, one), put(store, two)
    assert len(a.id) == 8
    assert len(b.id) > 8 and b.id.startswith(a.id)
    assert store.get(a.id).source().data == one
    assert store.get(b.id).source().data == two
    assert put(store, two).id == b.id
    assert store.verify() == []


def _clash() -> tuple[bytes, bytes]:
    """Two contents whose SHA-256 begin with the same 8 hex digits."""
    import hashlib

    seen: dict[bytes, int] = {}
    for n in range(1_000_000):
        head = hashlib.sha256(b"%d" % n).digest()[:4]
        if head in seen:
            return b"%d" % seen[head], b"%d" % n
        seen[head] = n
    raise AssertionError("no clash")


def test_modes_and_ignore_file(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "deep" / "results")
    reference = put(store, b"x" * 3000)
    assert stat.S_IMODE(os.stat(tmp_path / "deep").st_mode) == 0o700
    assert stat.S_IMODE(os.stat(store.directory).st_mode) == 0o700
    assert (Path(store.directory) / ".gitignore").read_text() == "*\n"
    assert {stat.S_IMODE(os.stat(entry).st_mode) for entry in Path(store.directory).iterdir()} == {0o600}
    assert reference.view is not None


@pytest.mark.parametrize(
    "tool",
    [
        "../../etc/passwd",
        "/abs",
        "..",
        ".hidden",
        "a/b\\c",
        "x" * 300,
        "naïve ☃",
        "",
        None,
        "-rf",
        "con",
        "a\nb",
        "a\0b",
    ],
)
def test_tool_names_stay_in_the_directory(tmp_path: Path, tool: str | None) -> None:
    store = ResultStore(tmp_path / "results")
    name = os.path.basename(put(store, b"data", tool).path)
    assert name in os.listdir(store.directory)
    assert name[0] not in ".-" and len(name) < 80 and name.isascii()
    assert sorted(os.listdir(tmp_path)) == ["results"]


def test_planted_links_are_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    probe = put(ResultStore(tmp_path / "probe"), b"data")
    planted = tmp_path / "results"
    planted.mkdir()
    (planted / os.path.basename(probe.path)).symlink_to(victim)
    (planted / f"get_events-{probe.id}.meta.json").symlink_to(victim)
    (planted / ".gitignore").symlink_to(victim)
    store = ResultStore(planted)
    assert store.list() == []
    reference = put(store, b"data")
    assert victim.read_bytes() == b"precious"
    assert not os.path.islink(reference.path)
    assert store.get(reference.id).source().data == b"data"


def test_a_stored_file_replaced_by_a_link_is_a_problem(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    reference = put(store, b"data")
    (tmp_path / "twin").write_bytes(b"data")
    os.unlink(reference.path)
    os.symlink(tmp_path / "twin", reference.path)
    assert store.verify()
    with pytest.raises(CannotReadError):
        store.get(reference.id)


def test_the_directory_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert Path(put(ResultStore(tmp_path / "link"), b"data").path).read_bytes() == b"data"


def test_meta_cannot_point_outside(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results")
    reference = put(store, b"data")
    meta = Path(store.directory) / f"get_events-{reference.id}.meta.json"
    meta.write_text(json.dumps({**json.loads(meta.read_text()), "file": "../victim"}))
    assert store.verify()
    with pytest.raises(CannotReadError):
        store.get(reference.id)


def test_damage_is_found_and_repaired(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    reference = put(store, b"data")
    Path(reference.path).write_bytes(b"daty")
    assert [problem.file for problem in store.verify()] == [os.path.basename(reference.path)]
    with pytest.raises(CannotReadError) as caught:
        store.get(reference.id)
    assert caught.value.exit_code == 74
    assert put(store, b"data").path == reference.path
    assert store.verify() == []
    os.unlink(reference.path)
    assert store.verify(reference.id)
    put(store, b"data")
    assert store.verify() == []


def test_unknown_and_ambiguous_ids(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "none")
    with pytest.raises(NoInputError):
        store.get("3f9c2a1b")
    store = ResultStore(tmp_path)
    ids = [put(store, b"%d" % n).id for n in range(40)]
    with pytest.raises(NoInputError) as caught:
        store.get(ids[0][:7] + ("0" if ids[0][7] != "0" else "1"))
    assert ids[0] in caught.value.hint
    with pytest.raises(NoInputError):
        store.get("")
    first = [id[0] for id in ids]
    shared = next(digit for digit in first if first.count(digit) > 1)
    with pytest.raises(NoInputError, match="ambiguous"):
        store.get(shared)


def test_a_vanished_source_is_a_reading_problem(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"x")
    source = Source(path=str(tmp_path / "in"))
    os.unlink(tmp_path / "in")
    store = ResultStore(tmp_path / "results")
    with pytest.raises(CannotReadError):
        store.put(Original(source, tool="t", content_type="text", extension=".txt"))
    assert [name for name in os.listdir(store.directory) if "tmp" in name] == []


def test_large_files_are_streamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = os.urandom(300_000)
    (tmp_path / "in").write_bytes(data)
    monkeypatch.setattr("mcpcompact.source.LARGE", 1000)
    monkeypatch.setattr("mcpcompact.results.layout.LARGE", 1000)
    monkeypatch.setattr("mcpcompact.results.durable.BLOCK", 4096)
    monkeypatch.setattr("mcpcompact.results.layout.READ", 4096)
    source = Source(path=str(tmp_path / "in"))
    store = ResultStore(tmp_path / "results")
    reference = store.put(Original(source, tool="t", content_type="text", extension=".bin"))
    assert Path(reference.path).read_bytes() == data
    assert b"".join(store.get(reference.id).source().blocks()) == data
    store.gc(0.0, dry_run=False, compress=True)
    assert b"".join(store.get(reference.id).source().blocks()) == data


# ---- views


def test_a_payload_is_the_view(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    raw = json.dumps({"content": [{"type": "text", "text": "a\nb\n"}]}).encode()
    reference = put(store, raw, extension=".json", payload="a\nb\n")
    result = store.get(reference.id)
    assert result.source().data == raw
    assert result.payload().data == b"a\nb\n"
    assert reference.view is not None and Path(reference.view).read_bytes() == b"a\nb\n"


def test_a_one_line_payload_is_kept_beside_its_view(tmp_path: Path) -> None:
    payload = json.dumps([{"n": n, "deep": {"x": [n]}} for n in range(200)])
    raw = json.dumps({"content": [{"type": "text", "text": payload}]}).encode()
    store = ResultStore(tmp_path)
    result = store.get(put(store, raw, extension=".json", payload=payload).id)
    assert result.payload().text == payload
    view = result.view()
    assert view is not None and result.one_line
    assert json.loads(view.text) == json.loads(payload)
    assert max(map(len, view.text.split("\n"))) < 2000


@settings(max_examples=100, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    ),
    st.sampled_from([None, 1]),
)
@example([[], {}, []], None)  # with Python before 3.11.5
def test_the_view_of_json_has_the_same_tokens(value: object, indent: int | None) -> None:
    from mcpcompact.retrieval.spans import drop_space

    data = json.dumps([value], indent=indent).encode()
    view = indent_json(data)
    assert view is not None
    assert drop_space(view) == drop_space(data)


def test_the_view_alters_no_value() -> None:
    data = b'[12345678901234567890123,1.10,{"a":1,"a":2},NaN,"\\u00e9 , [x]",' + b'"x",' * 600 + b"[[[]]]]"
    view = indent_json(data)
    assert view is not None
    assert b"".join(view.split()) == b"".join(data.split())
    assert max(map(len, view.split(b"\n"))) < 2000


def test_deep_nesting_is_no_trap() -> None:
    deep = b"[" * 100_000 + b"]" * 100_000
    assert indent_json(deep) is None  # it would be 40 times as long
    view = make_view(deep)
    assert view is not None and view[0] == ".txt" and len(view[1]) < 2 * len(deep)
    assert indent_json(b'{"a":' * 30) is not None


@pytest.mark.parametrize("data", [b'{"a":1}\n{"a":2}\n', b"[2026-01-01 10:00] started [x]", b"text", b""])
def test_other_text_is_not_indented(data: bytes) -> None:
    assert indent_json(data) is None


@given(st.lists(st.binary(max_size=60), max_size=4), st.integers(0, 9000))
def test_folding_adds_marks_and_newlines_only(lines: list[bytes], size: int) -> None:
    data = b"\n".join([*lines, b"word, " * (size // 6), *lines])
    assert fold(data).replace(b"\n" + FOLD, b"") == data
    assert max(map(len, fold("ä".encode() * size).split(b"\n"))) <= 2000
    fold("ä".encode() * size).decode()


# ---- gc


def test_gc_only_says_what_it_would_do(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    id = put(store, b"data").id
    assert store.gc(0.0).removed == [] or store.get(id)
    _age(tmp_path, 100)
    assert store.gc(50.0).removed == [id]
    assert store.get(id)
    assert store.gc(50.0, dry_run=False).removed == [id]
    assert store.list() == []
    assert not [name for name in os.listdir(tmp_path) if id in name]


def test_gc_by_size_takes_the_oldest(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    old = put(store, os.urandom(10_000)).id
    _age(tmp_path, 100)
    new = put(store, os.urandom(10_000)).id
    assert store.gc(max_bytes=15_000, dry_run=False).removed == [old]
    assert [result.id for result in store.list()] == [new]


@pytest.mark.parametrize("zstd", [True, False])
def test_packed_results_are_still_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zstd: bool) -> None:
    if zstd:
        pytest.importorskip("zstandard")
    else:
        monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    store = ResultStore(tmp_path)
    data = b'[{"a": 1, "b": "xyz"}, ' + b'{"a": 2, "b": "xyz"}, ' * 2000 + b"{}]"
    reference = put(store, data, extension=".json")
    _age(tmp_path, 100)
    done = store.gc(50.0, dry_run=False, compress=True)
    assert done.packed == [reference.id] and done.freed > 0
    assert not os.path.exists(reference.path)
    assert store.verify() == []
    assert store.get(reference.id).source().data == data
    assert store.get(reference.id).view() is not None
    assert put(store, data).path == reference.path
    assert Path(reference.path).read_bytes() == data
    assert store.verify() == [] and store.leftovers() == []
    packed = [name for name in os.listdir(tmp_path) if name.endswith((".zst", ".gz")) and ".view" not in name]
    assert packed == []


def test_a_damaged_archive_is_a_problem(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    reference = put(store, b"word " * 5000)
    _age(tmp_path, 100)
    store.gc(50.0, dry_run=False, compress=True)
    packed = next(path for path in tmp_path.iterdir() if path.name.startswith(os.path.basename(reference.path) + "."))
    packed.write_bytes(packed.read_bytes()[:-9] + b"damaged!!")
    assert store.verify()
    with pytest.raises(CannotReadError):
        store.get(reference.id)


def test_leftovers_are_no_results(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    reference = put(store, b"data")
    os.rename(tmp_path / f"get_events-{reference.id}.meta.json", tmp_path / ".tmp-1-0123456789ab")
    (tmp_path / ".tmp-1-00000000000a").write_bytes(b"half")
    assert store.list() == [] and store.verify() == []
    assert store.leftovers() == [os.path.basename(reference.path)]
    assert store.gc(dry_run=False).leftovers == []  # too young: a writer may still be at work
    _age(tmp_path, 4000)
    left = [".tmp-1-00000000000a", ".tmp-1-0123456789ab", os.path.basename(reference.path)]
    assert sorted(store.gc(dry_run=False).leftovers) == left and not set(left) & set(os.listdir(tmp_path))
    assert put(store, b"data").id == reference.id and store.verify() == []


def test_a_later_put_completes_a_leftover(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    reference = put(store, b"data")
    os.unlink(tmp_path / f"get_events-{reference.id}.meta.json")
    assert put(store, b"data").path == reference.path
    assert store.leftovers() == [] and store.verify() == []


def _age(directory: Path, seconds: float) -> None:
    import time

    for path in directory.iterdir():
        os.utime(path, (time.time() - seconds,) * 2)


def test_a_results_directory_that_is_a_link_is_not_used_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcpcompact.config import results_dir

    monkeypatch.delenv("MCPCOMPACT_RESULTS_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "elsewhere" / "results").mkdir(parents=True)
    (tmp_path / ".mcpcompact").symlink_to("elsewhere")
    assert results_dir()[0].endswith("mcpcompact/results") and not results_dir()[0].startswith(".")
    (tmp_path / ".mcpcompact").unlink()
    (tmp_path / ".mcpcompact" / "results").mkdir(parents=True)
    assert results_dir() == (".mcpcompact/results", True)
