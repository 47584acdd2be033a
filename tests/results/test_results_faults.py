"""The durable writer under faults: the order of its steps on a real file system, and what is left after each fails."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from mcpcompact import compact
from mcpcompact.errors import CannotWriteError, McpcompactError
from mcpcompact.results import Original, Reference, ResultStore, Store
from mcpcompact.source import Source

ORIGINAL = b'{"content":[{"type":"text","text":"' + b"some words " * 300 + b'"}]}'
PAYLOAD = '["' + "some words " * 300 + '"]'  # one long line: the original has a payload and a view beside it


def put(store: Store, data: bytes = ORIGINAL) -> Reference:
    return store.put(
        Original(Source(data), tool="t", content_type="json", extension=".json", meta={"n": 1}, payload=PAYLOAD)
    )


class Disk:
    """Calls of ``os`` in their order, each done for real; one of them may fail, before or after it was done."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[str, str]] = []
        self.names: dict[int, str] = {}  # of open files: by what name they were opened
        self.fail_at, self.after, self.error = -1, False, errno.EIO
        self.before: Callable[[str, str, Any], None] = lambda call, name, args: None
        for name in ("open", "write", "fsync", "replace", "unlink"):
            monkeypatch.setattr(os, name, self._wrapped(name, getattr(os, name)))
        monkeypatch.setattr(fcntl, "flock", self._wrapped("flock", fcntl.flock))

    def _wrapped(self, call: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def done(first: Any, *args: Any, **more: Any) -> Any:
            named = args[0] if call == "replace" else first
            name = self.names.get(named, "?") if isinstance(named, int) else os.path.basename(os.fspath(named))
            number = len(self.calls)
            self.calls.append((call, name))
            self.before(call, name, (first, *args))
            if number == self.fail_at and not self.after:
                raise OSError(self.error, os.strerror(self.error), name)
            found = real(first, *args, **more)
            if call == "open":
                self.names[found] = name
            if number == self.fail_at:
                raise OSError(self.error, os.strerror(self.error), name)
            return found

        return done

    def steps(self, *calls: str) -> list[tuple[str, str]]:
        return [(call, re.sub(r"^\.tmp-.*", "temporary", name)) for call, name in self.calls if call in calls]


def test_the_order_of_a_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = ResultStore(tmp_path)
    put(store, b"first")  # so that the directory is there
    disk = Disk(monkeypatch)
    reference = put(store)
    stem = f"t-{reference.id}"
    assert disk.steps("fsync", "replace", "flock") == [
        ("fsync", "temporary"),  # the original
        ("flock", ".lock"),
        ("fsync", "temporary"),  # the payload
        ("fsync", "temporary"),  # the view
        ("fsync", "temporary"),  # the meta file
        ("replace", f"{stem}.json"),
        ("replace", f"{stem}.payload.json"),
        ("replace", f"{stem}.view.json"),
        ("replace", f"{stem}.meta.json"),  # which advertises, last
        ("fsync", tmp_path.name),
    ]
    writes = [name for call, name in disk.calls if call == "write"]
    assert len(set(writes)) == 4 and all(name.startswith(".tmp-") for name in writes)
    for name in set(writes):
        mine = [call for call, of in disk.calls if of == name and call in ("write", "fsync")]
        assert mine == ["write"] * (len(mine) - 1) + ["fsync"], "flushed after its last byte"


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("torn", [False, True])
def test_what_reads_back_differently_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, torn: bool
) -> None:
    """A disk that keeps another byte, or less, than it was given: of the original, payload, view and meta file."""
    store = ResultStore(tmp_path)
    kept = put(store, b"first")
    disk, flushed = Disk(monkeypatch), []

    def spoil(call: str, name: str, args: Any) -> None:
        if call == "fsync" and name.startswith(".tmp-"):
            if len(flushed) == number:
                os.ftruncate(args[0], 5) if torn else os.pwrite(args[0], b"#", 3)
            flushed.append(name)

    disk.before = spoil
    with pytest.raises(CannotWriteError, match="reads back differently"):
        put(store)
    assert [result.id for result in store.list()] == [kept.id] and store.verify() == []
    assert not disk.steps("replace") and not [name for name in os.listdir(tmp_path) if name.startswith(".tmp")]


def test_a_large_original_is_read_back_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcompact.source.LARGE", 1_000)
    (tmp_path / "in").write_bytes(b"some words on a line\n" * 1_000)
    store = ResultStore(tmp_path / "results")
    disk = Disk(monkeypatch)
    disk.before = lambda call, name, args: (
        os.pwrite(args[0], b"#", 3) if call == "fsync" and os.fstat(args[0]).st_size > 9_999 else None
    )
    with pytest.raises(CannotWriteError, match="reads back differently"):
        store.put(Original(Source(path=str(tmp_path / "in")), tool="t", content_type="text", extension=".txt"))
    assert store.list() == []


def test_a_writer_waits_for_the_lock_before_it_names_anything(tmp_path: Path) -> None:
    store = ResultStore(tmp_path)
    put(store, b"first")
    with held(tmp_path / ".lock"):
        writer = threading.Thread(target=put, args=(store,))
        writer.start()
        writer.join(0.3)
        assert writer.is_alive() and len(store.list()) == 1
    writer.join(20)
    assert not writer.is_alive() and len(store.list()) == 2


@contextmanager
def held(path: Path) -> Iterator[None]:
    descriptor = os.open(path, os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    yield
    os.close(descriptor)


def first_time(store: Store) -> None:
    """Nothing is there."""


def once_more(store: Store) -> None:
    """The same content is there."""
    put(store)


def repair(store: Store) -> None:
    """The same content is there, and damaged."""
    Path(put(store).path).write_bytes(b"torn")


def packed(store: Store) -> None:
    put(store)
    store.gc(older_than=-1.0, dry_run=False, compress=True)


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("state", [first_time, once_more, repair, packed])
def test_after_a_failure_at_any_step_nothing_is_torn(
    tmp_path: Path, state: Callable[[Store], None], after: bool
) -> None:
    """Every call that a write makes fails once: what is advertised afterwards is whole, and so is every other file."""
    sha256 = hashlib.sha256(ORIGINAL).hexdigest()
    step = 0
    while True:
        store = ResultStore(tmp_path / str(step))
        state(store)
        with pytest.MonkeyPatch.context() as patch:
            disk = Disk(patch)
            disk.fail_at, disk.after = step, after
            try:
                reference = put(store)
            except CannotWriteError as error:
                reference = None
                assert error.exit_code == 73
        if reference is not None:
            assert store.get(reference.id).source().data == ORIGINAL
        found = {result.id: result for result in store.list()}
        assert all(sha256.startswith(id) for id in found) and (state is first_time or found)
        broken = {problem.id for problem in store.verify()}
        assert broken <= ({sha256[:8]} if state is repair else set()), disk.calls[step]
        assert reference is None or reference.id not in broken
        names = os.listdir(store.directory) if os.path.isdir(store.directory) else []
        mine = [name for name in names if name[0] != "."]
        assert found or not mine, f"{disk.calls[step]} left {mine}"
        gone = ("unlink", "open") if after else ("unlink",)  # what cannot be removed, or was opened and lost, stays
        assert disk.calls[step:][:1] == [] or disk.calls[step][0] in gone or not any(".tmp" in name for name in names)
        assert store.get(put(store).id).source().data == ORIGINAL, "and the next one succeeds"
        if step >= len(disk.calls):
            break
        step += 1
    assert step > 15


def test_the_original_passes_through_where_it_cannot_be_kept(tmp_path: Path) -> None:
    text = "\n".join(f"line {n} of a long text about {n * 7919 % 1000}" for n in range(900))
    step = 0
    while True:
        store = ResultStore(tmp_path / str(step))
        with pytest.MonkeyPatch.context() as patch:
            disk = Disk(patch)
            disk.fail_at = step
            made = compact(text, budget=200, threshold=200, store=store)
        if made.reference is None:
            assert made.text == text and made.problem is not None and made.method == "passthrough"
            assert store.verify() == []
        else:
            assert store.get(made.reference.id).source().text == text and made.tokens <= 200
        if step >= len(disk.calls):
            break
        step += 1
    assert made.reference is not None and step > 8


def test_a_disk_that_fails_to_flush_a_directory_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = ResultStore(tmp_path)
    put(store, b"first")
    disk = Disk(monkeypatch)

    def fail(call: str, name: str, args: Any) -> None:
        if call == "fsync" and name == tmp_path.name:
            raise OSError(disk.error, os.strerror(disk.error))

    disk.before = fail
    with pytest.raises(CannotWriteError):
        put(store)
    disk.error = errno.EINVAL  # a file system that knows no such thing
    assert put(store).id and store.verify() == []


@pytest.mark.parametrize("compress", [False, True])
def test_a_collector_that_fails_at_any_step_advertises_nothing_torn(tmp_path: Path, compress: bool) -> None:
    step = 0
    while True:
        store = ResultStore(tmp_path / str(step))
        put(store), put(store, b"second" * 500)
        with pytest.MonkeyPatch.context() as patch:
            disk = Disk(patch)
            disk.fail_at = step
            with suppress(McpcompactError):
                store.gc(older_than=-1.0, dry_run=False, compress=compress)
        assert store.verify() == [], disk.calls[step]
        for result in store.list():
            assert store.get(result.id).source().data
        if step >= len(disk.calls):
            break
        step += 1
    assert step > 5
