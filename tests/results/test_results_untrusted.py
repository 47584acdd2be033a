"""A results directory that came with a checkout, or holds other files: what is not the store's own is not touched."""

from __future__ import annotations

import hashlib
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from mcpcompact.errors import CannotReadError, NoInputError
from mcpcompact.results import Original, Reference, ResultStore, Store
from mcpcompact.results.calls import Answers, append_audit
from mcpcompact.source import Source

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")

LONG_AGO = time.time() - 100 * 86_400


def put(store: Store, data: bytes = b"data", tool: str = "t", **meta: object) -> Reference:
    return store.put(Original(Source(data), tool=tool, content_type="text", extension=".txt", meta=meta))


def snapshot(top: Path) -> dict[str, tuple[str, bytes]]:
    """Every name below ``top`` with what it is."""
    found = {}
    for path in sorted(top.rglob("*")):
        if path.is_symlink():
            found[str(path.relative_to(top))] = ("link", os.readlink(path).encode())
        elif path.is_file():
            found[str(path.relative_to(top))] = ("file", path.read_bytes())
        else:
            found[str(path.relative_to(top))] = ("directory" if path.is_dir() else "other", b"")
    return found


def collect(store: Store, *, compress: bool = False) -> Any:
    """Everything old goes, everything at all goes, and what is there is old."""
    for path in Path(store.directory).rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO), follow_symlinks=False)
    if compress:
        return store.gc(older_than=60, dry_run=False, compress=True)
    return store.gc(older_than=60, max_bytes=0, dry_run=False)


FOREIGN = (
    "backup-20240101.tar.gz",
    "resnet50-0676ba61.pth",
    "report-20240101.json",
    "a-deadbeef.meta.json.orig",
    "a-deadbeef.view.json",
    "a-deadbeef.walk.0123456789ab",
    "a-deadbeef.audit.ndjson",
    ".tmp-1",
    ".tmp-notes.txt",
    ".tmp-12-xyz",
    ".answers/notes.json",
    ".answers/0.json",
    ".emitted/README",
    "thesis.txt",
)


def test_files_that_are_not_ours_stay(tmp_path: Path) -> None:
    place = tmp_path / "bk"
    for name in FOREIGN:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(name.encode())
    weights = b"weights"  # named by their SHA-256, as some tools do
    (place / f"model-{hashlib.sha256(weights).hexdigest()[:8]}.bin").write_bytes(weights)
    (place / "d-12345678.txt").mkdir()
    os.mkfifo(place / "e-12345678.txt")
    before = snapshot(place)
    store = ResultStore(place)
    ids = [put(store, b"%d" % n).id for n in range(3)]
    assert store.leftovers() == []
    done = collect(store)
    assert sorted(done.removed) == sorted(ids) and done.leftovers == [] and done.damaged == []
    after = snapshot(place)
    assert {name: after.get(name) for name in before} == before
    assert sorted(set(after) - set(before)) == [".collected", ".gitignore", ".lock"]


@pytest.mark.parametrize("folder", [".emitted", ".answers"])
def test_a_folder_that_is_a_link_leads_nowhere(tmp_path: Path, folder: str) -> None:
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "thesis.txt").write_text("thesis")
    (precious / ("0" * 32)).write_text("12345678\n")
    (precious / ("0" * 64 + ".json")).write_text("{}")
    for path in precious.iterdir():
        os.utime(path, (LONG_AGO, LONG_AGO))
    before = snapshot(precious)
    store = ResultStore(tmp_path / "results")
    id = put(store).id
    (tmp_path / "results" / folder).symlink_to(precious)
    store.remember(id, "text")
    Answers(store.directory).put("question", {"answer": 1})
    assert collect(store).removed == [id]
    assert snapshot(precious) == before and (tmp_path / "results" / folder).is_symlink()


def test_answers_beyond_the_bound_go_and_nothing_else_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcompact.results.calls.MAX", 2)
    (tmp_path / ".answers").mkdir()
    (tmp_path / ".answers" / "notes.json").write_text("[]")
    answers = Answers(str(tmp_path))
    for number in range(5):
        answers.put(number, {"n": number})
    assert len(list((tmp_path / ".answers").iterdir())) == 3
    assert (tmp_path / ".answers" / "notes.json").read_text() == "[]"


def hostile(place: Path, name: str, about: object) -> None:
    (place / name).write_text(about if isinstance(about, str) else json.dumps(about))


def about(id: str, file: str, sha256: str, **more: object) -> dict[str, object]:
    return {"id": id, "file": file, "sha256": sha256, "bytes": 4, "contentType": "text", "tool": None, **more}


def test_a_hostile_meta_file_removes_nothing(tmp_path: Path) -> None:
    place = tmp_path / "results"
    place.mkdir()
    victim = tmp_path / "victim"
    victim.write_bytes(b"data")
    sha = hashlib.sha256(b"data").hexdigest()
    id = sha[:8]
    (place / f"a-{id}.txt").write_bytes(b"data")  # the victims: of the right content, named by others
    (place / "b-20240101.tar").write_bytes(b"data")
    (place / "c-20240101.txt").write_bytes(b"other")
    (place / f"l-{id}.txt").symlink_to(victim)
    (place / f"d-{id}.txt").mkdir()
    os.mkfifo(place / f"f-{id}.txt")
    lies = {
        f"x1-{id}": about(id, "../victim", sha),
        f"x2-{id}": about(id, str(victim), sha),
        f"x3-{id}": about(id, f"a-{id}.txt", sha),
        f"x4-{id}": about(id, f"x4-{id}.txt/../a-{id}.txt", sha),
        f"x5-{id}": about(id, f"x5-{id}.txt", sha, view={"file": f"a-{id}.txt", "sha256": sha, "bytes": 4}),
        f"x6-{id}": about(id, f"x6-{id}.txt", sha, payload={"file": "../victim", "sha256": sha, "bytes": 4}),
        "b-20240101": about("20240101", "b-20240101.tar", "20240101" + sha[8:]),
        "c-20240101": about("20240101", "c-20240101.txt", "20240101" + "0" * 56),
        f"l-{id}": about(id, f"l-{id}.txt", sha),
        f"d-{id}": about(id, f"d-{id}.txt", sha),
        f"f-{id}": about(id, f"f-{id}.txt", sha),
    }
    for stem, meta in lies.items():
        hostile(place, f"{stem}.meta.json", meta)
    (place / f"m-{id}.meta.json").symlink_to(tmp_path / "victim")
    os.mkfifo(place / f"p-{id}.meta.json")
    (place / f"q-{id}.meta.json").mkdir()
    with open(place / f"h-{id}.meta.json", "wb") as huge:
        huge.truncate(1 << 36)
    before = snapshot_kinds(place)
    store = ResultStore(place)
    assert collect(store, compress=True).packed == [] and snapshot_kinds(place).items() >= before.items()
    done = collect(store)
    assert len(done.damaged) == 6 + 5 + 4
    believed = {f"{stem}.meta.json" for stem in [*lies][6:]}  # sound, but what they name is something else
    assert sorted(done.removed) == ["20240101", id]
    assert victim.read_bytes() == b"data"
    assert {name: snapshot_kinds(place).get(name) for name in before if name not in believed} == {
        name: kind for name, kind in before.items() if name not in believed
    }
    assert len(store.verify()) == 10


def snapshot_kinds(top: Path) -> dict[str, tuple[int, int]]:
    return {entry.name: (entry.stat(follow_symlinks=False).st_mode, entry.inode()) for entry in os.scandir(top)}


def test_a_meta_file_among_the_temporary_ones_is_not_believed_either(tmp_path: Path) -> None:
    (tmp_path / "a-20240101.txt").write_bytes(b"data")
    meta = about("20240101", "a-20240101.txt", "20240101" + "0" * 56)
    hostile(tmp_path, ".tmp-1-0123456789ab", meta)
    assert collect(ResultStore(tmp_path)).leftovers == [".tmp-1-0123456789ab"]
    assert (tmp_path / "a-20240101.txt").read_bytes() == b"data"


def test_a_file_that_is_not_what_was_stored_stays_and_that_is_said(tmp_path: Path, door: Run) -> None:
    store = ResultStore(tmp_path / "results")
    reference, good = put(store), put(store, b"good")
    Path(reference.path).write_bytes(b"other work, not ours")
    os.utime(store.directory)
    done = door("results", "gc", "--older-than", "0s", "--yes")
    assert done.returncode == 0 and sorted(done.stdout.decode().split()[::2]) == sorted([reference.id, good.id])
    assert os.path.basename(reference.path) in done.stderr.decode() and b"left as it is" in done.stderr
    assert Path(reference.path).read_bytes() == b"other work, not ours"


def test_packing_replaces_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    store = ResultStore(tmp_path)
    reference = put(store, b"word " * 3000)
    foreign = Path(reference.path + ".gz")
    foreign.write_bytes(b"mine")
    collect(store, compress=True)
    assert foreign.read_bytes() == b"mine" and Path(reference.path).read_bytes() == b"word " * 3000


def test_writing_replaces_no_other_file(tmp_path: Path) -> None:
    """The name that a result would get is taken: by a file, a link, a directory."""
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    id = hashlib.sha256(b"data").hexdigest()
    for number, plant in enumerate((lambda p: p.write_bytes(b"x"), lambda p: p.symlink_to(victim), Path.mkdir)):
        for name in (f"t-{id[:8]}.txt", f"t-{id[:8]}.meta.json", f"t-{id[:8]}.bak"):
            place = tmp_path / f"{number}{name}"
            place.mkdir()
            plant(place / name)
            before = snapshot(place)
            store = ResultStore(place)
            reference = put(store)
            assert reference.id == id[:9] and store.get(reference.id).source().data == b"data"
            after = snapshot(place)
            assert {name: after[name] for name in before} == before
    assert victim.read_bytes() == b"precious"


def test_a_second_file_of_the_stem_is_not_taken_for_the_original(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    reference = put(store)
    other = Path(reference.path).with_suffix(".aaa")
    other.write_bytes(b"mine")
    Path(reference.path).write_bytes(b"torn")
    assert put(store).path == reference.path and store.verify() == []
    assert other.read_bytes() == b"mine"
    collect(store)
    assert other.read_bytes() == b"mine" and not os.path.exists(reference.path)


def test_an_audit_goes_into_no_link_and_waits_for_no_pipe(tmp_path: Path) -> None:
    reference = put(ResultStore(tmp_path / "results"))
    audit = Path(reference.path).with_suffix(".audit.ndjson")
    (tmp_path / "victim").write_bytes(b"")
    for plant in (lambda: audit.symlink_to(tmp_path / "victim"), lambda: os.mkfifo(audit)):
        plant()
        with pytest.raises(OSError):
            append_audit(reference, [{"a": 1}])
        audit.unlink()
    assert (tmp_path / "victim").read_bytes() == b""


def test_commands_of_a_hostile_meta_file_run_nothing(tmp_path: Path, door: Run) -> None:
    import subprocess

    store = ResultStore(tmp_path / "results")
    reference = put(store, more=["--grep x; touch PWNED", "--where $(touch PWNED)", "--id 'a", "--path 'a b'"])
    shown = json.loads(door("results", "show", reference.id, "--json").stdout)
    commands = shown["reference"]["commands"]
    for command in commands:
        subprocess.run(["sh", "-c", command.replace("mcpcompact", "true")], cwd=tmp_path, check=False)
    assert len(commands) == 2 and not (tmp_path / "PWNED").exists()
    assert commands[-1].endswith("--path 'a b'")


DAMAGE: list[object] = [
    "",
    "{",
    "[]",
    "null",
    "\x00\x01",
    "[" * 100_000,
    {"bytes": "many"},
    {"bytes": -1},
    {"bytes": True},
    {"bytes": 1e400},
    {"sha256": 5},
    {"sha256": "0" * 64},
    {"id": "other"},
    {"file": ["x"]},
    {"tool": {"a": 1}},
    {"time": 5},
    {"tokens": "many"},
    {"more": "x"},
    {"more": [1]},
    {"earlier": {"a": 1}},
    {"earlier": [1]},
    {"arguments": [1]},
    {"view": 3},
    {"view": {"file": "x"}},
    {"payload": "x"},
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda value: str(value)[:40])
def test_a_damaged_meta_file_is_named_and_the_rest_goes_on(tmp_path: Path, door: Run, damage: object) -> None:
    store = ResultStore(tmp_path / "results")
    bad, good = put(store, b"bad"), put(store, b"good")
    meta = Path(store.directory) / f"t-{bad.id}.meta.json"
    if isinstance(damage, dict):
        damage = json.dumps(json.loads(meta.read_text()) | damage)
    meta.write_text(str(damage))
    for args, code in (
        (["list"], 0),
        (["list", "--json"], 0),
        (["show", bad.id], 74),
        (["get", bad.id], 74),
        (["verify"], 1),
        (["gc", "--max-bytes", "0", "--yes"], 0),
    ):
        done = door("results", *args)
        told = (done.stdout + done.stderr).decode()
        assert done.returncode == code and meta.name in told and "defect" not in told, told
        assert [line.count(meta.name) for line in told.splitlines() if meta.name in line] == [1]
        if args == ["list"]:
            assert good.id in told
    assert meta.exists() and Path(bad.path).read_bytes() == b"bad" and not os.path.exists(good.path)
    assert put(store, b"bad").path == bad.path and store.verify() == [], "put again, it is whole again"


# ---- an id means one thing for ever


def clash() -> tuple[bytes, bytes]:
    """Two contents whose SHA-256 begin with the same 8 hex digits."""
    seen: dict[bytes, int] = {}
    for n in range(1_000_000):
        head = hashlib.sha256(b"%d" % n).digest()[:4]
        if head in seen:
            return b"%d" % seen[head], b"%d" % n
        seen[head] = n
    raise AssertionError("no clash")


def test_an_id_of_a_collected_result_is_never_another_ones(tmp_path: Path, door: Run) -> None:
    one, two = clash()
    store = ResultStore(tmp_path / "results")
    first = put(store, one)
    second = put(store, two)
    assert second.id == hashlib.sha256(two).hexdigest()[:9]
    for path in Path(store.directory).glob(f"*{first.id}.*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    assert store.gc(older_than=60, dry_run=False).removed == [first.id]
    for id in (first.id, first.sha256, first.sha256[:12]):
        done = door("results", "get", id)
        assert done.returncode == 66 and done.stdout == b"" and b"was collected" in done.stderr
    assert store.get(second.id).source().data == two
    assert store.get(first.id[:5]).source().data == two, "a beginning that was never printed"
    assert put(store, one).id == first.id and store.get(first.id).source().data == one
    assert store.find(first.sha256).id == first.id


def test_content_that_comes_after_it_gets_a_longer_id(tmp_path: Path) -> None:
    one, two = clash()
    store = ResultStore(tmp_path)
    first = put(store, one)
    assert collect(store).removed == [first.id]
    second = put(store, two)
    assert len(second.id) == 9
    with pytest.raises(NoInputError, match="was collected"):
        store.get(first.id)
    (tmp_path / ".collected").unlink()  # what fell off the list is nobody's
    with pytest.raises(NoInputError, match="no stored result"):
        store.get(first.id)


def test_the_list_of_the_collected_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("meta", "base"):
        monkeypatch.setattr(f"mcpcompact.results.{module}.MAX_COLLECTED", 3)
    store = ResultStore(tmp_path)
    ids = [put(store, b"%d" % n).id for n in range(5)]
    assert {len(id) for id in ids} == {8}
    collect(store)
    assert len((tmp_path / ".collected").read_text().splitlines()) == 3
    assert len(put(store, b"new").id) == 10, "no id of eight is given out any more"


@pytest.mark.parametrize("plant", ["link", "pipe", "directory"])
def test_a_list_of_the_collected_that_is_not_ours_stops_the_collector(tmp_path: Path, door: Run, plant: str) -> None:
    store = ResultStore(tmp_path / "results")
    reference = put(store)
    (tmp_path / "victim").write_bytes(b"precious")
    place = Path(store.directory) / ".collected"
    {"link": lambda: place.symlink_to(tmp_path / "victim"), "pipe": lambda: os.mkfifo(place), "directory": place.mkdir}[
        plant
    ]()
    done = door("results", "gc", "--max-bytes", "0", "--yes")
    assert done.returncode == 73 and b"\n" not in done.stderr.strip()
    assert store.get(reference.id).source().data == b"data" and (tmp_path / "victim").read_bytes() == b"precious"
    with pytest.raises(NoInputError):
        store.get("00000000")


def test_a_missing_original_is_damage_and_can_be_collected(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    reference = put(store)
    os.unlink(reference.path)
    with pytest.raises(CannotReadError):
        store.get(reference.id)
    assert collect(store).removed == [reference.id]
    assert not list(tmp_path.glob("*.meta.json"))
