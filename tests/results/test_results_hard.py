"""The results directory under killed writers, many writers, full disks and directories that cannot be written."""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpcompact.errors import CannotWriteError
from mcpcompact.results import Original, ResultStore
from mcpcompact.source import Source

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals, locks and limits of POSIX")

WRITER = """
import random, sys
from mcpcompact.source import Source
from mcpcompact.results import Original, ResultStore
store, seed, count = ResultStore(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
pick = random.Random(seed)
print("ready", flush=True)
for n in range(count):
    shared = pick.random() < 0.4
    rows = ",".join('{"n":%d}' % i for i in range(pick.choice([3, 3000, 12000])))
    data = ("[%s,%s]" % (n if shared else str(seed) + "." + str(n), rows)).encode()
    envelope = pick.random() < 0.3
    reference = store.put(Original(Source(data), tool="t%d" % (seed % 3), content_type="records", extension=".json",
                          payload=data.decode() + "x" if envelope else None))
    print(reference.id, reference.sha256, flush=True)
"""


def writer(directory: Path, seed: int, count: int) -> subprocess.Popen[str]:
    arguments = [sys.executable, "-c", WRITER, str(directory), str(seed), str(count)]
    return subprocess.Popen(arguments, stdout=subprocess.PIPE, text=True, env=_environment())


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def check(directory: Path, advertised: set[tuple[str, str]]) -> None:
    """Every advertised reference verifies, and no final name holds a torn file."""
    store = ResultStore(directory)
    assert store.verify() == []
    known = {result.id: result.meta["sha256"] for result in store.list()}
    assert advertised <= set(known.items())
    for name in os.listdir(directory):
        match = re.fullmatch(r"[\w-]+-([0-9a-f]{8,})\.json", name)
        if match:
            assert hashlib.sha256((directory / name).read_bytes()).hexdigest().startswith(match.group(1)), name


def test_killed_writers_leave_nothing_torn(tmp_path: Path) -> None:
    kills = int(os.environ.get("MCPCOMPACT_KILLS", "10"))
    pick = random.Random(7)
    advertised: set[tuple[str, str]] = set()
    for round in range(kills):
        directory = tmp_path / f"r{round % 4}"
        process = writer(directory, round, 10_000)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(pick.random() * 0.15)
        process.send_signal(signal.SIGKILL)
        lines = process.stdout.read().split("\n")
        process.wait()
        process.stdout.close()
        advertised |= {(round % 4, *line.split()) for line in lines if len(line.split()) == 2 and len(line) > 70}  # type: ignore[misc]
        if directory.exists() and (round >= kills - 4 or round % 10 == 9):
            check(directory, {(id, sha) for where, id, sha in advertised if where == round % 4})  # type: ignore[misc]
    assert advertised


def test_eight_writers_lose_nothing(tmp_path: Path) -> None:
    processes = [writer(tmp_path / "results", seed, 12) for seed in range(8)]
    advertised: set[tuple[str, str]] = set()
    for process in processes:
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        found = [tuple(line.split()) for line in output.splitlines()[1:]]
        assert len(found) == 12
        advertised |= set(found)  # type: ignore[arg-type]
    check(tmp_path / "results", advertised)
    hashes = [result.meta["sha256"] for result in ResultStore(tmp_path / "results").list()]
    assert len(hashes) == len(set(hashes)) == len({sha for _, sha in advertised})
    assert not [name for name in os.listdir(tmp_path / "results") if name.startswith(".tmp")]


def test_two_first_writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other one's .gitignore replaces ours after it got its name and before it was looked at again."""
    replace = os.replace

    def raced(source: str, target: str) -> None:
        replace(source, target)
        if target.endswith(".gitignore"):
            other = tmp_path / "other"
            other.write_bytes(b"*\n")
            replace(other, target)

    monkeypatch.setattr(os, "replace", raced)
    reference = ResultStore(tmp_path / "results").put(
        Original(Source(b"x"), tool="t", content_type="text", extension=".txt")
    )
    assert Path(reference.path).read_bytes() == b"x"
    assert (tmp_path / "results" / ".gitignore").read_bytes() == b"*\n"


def refused(directory: str | Path, data: bytes = b"x") -> CannotWriteError:
    with pytest.raises(CannotWriteError) as caught:
        ResultStore(directory).put(Original(Source(data), tool="t", content_type="text", extension=".txt"))
    assert caught.value.exit_code == 73
    assert "\n" not in caught.value.line() and str(directory) in caught.value.line()
    return caught.value


def test_a_file_in_place_of_the_directory(tmp_path: Path) -> None:
    (tmp_path / "results").write_bytes(b"")
    refused(tmp_path / "results")
    refused(tmp_path / "results" / "below")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
def test_a_directory_that_takes_no_files() -> None:
    refused("/proc/self/results")


def test_a_directory_without_permission(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("permission bits do not bind root")
    (tmp_path / "results").mkdir(mode=0o500)
    refused(tmp_path / "results")


LIMITED = """
import resource, sys
from mcpcompact.errors import CannotWriteError
from mcpcompact.source import Source
from mcpcompact.results import Original, ResultStore
resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
try:
    ResultStore(sys.argv[1]).put(Original(Source(b"x" * 70000), tool="t", content_type="text", extension=".txt"))
except CannotWriteError as error:
    print(error.line())
    sys.exit(error.exit_code)
"""


def test_a_file_size_limit(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(tmp_path)], capture_output=True, text=True, env=_environment(), check=False
    )
    assert done.returncode == 73, done.stderr
    assert "File too large" in done.stdout
    assert sorted(os.listdir(tmp_path)) == [".gitignore"]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("mounting needs root")
    if subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", place], capture_output=True, check=False
    ).returncode:
        pytest.skip("mounting is not allowed here")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    store = ResultStore(small_disk / "results")
    kept = store.put(Original(Source(b"kept"), tool="t", content_type="text", extension=".txt"))
    for size in (2_000_000, 900_000, 600_000):  # the original, the view, or the one behind it does not fit
        error = refused(small_disk / "results", b'[{"a":1}' + b',{"a":1}' * (size // 8))
        assert "No space left" in error.line()
        names = os.listdir(store.directory)
        assert not [name for name in names if name.startswith(".tmp")]
        assert all(kept.id in name or name in (".gitignore", ".lock") for name in names)
    assert store.verify() == []
    assert store.get(kept.id).source().data == b"kept"
