"""Bad input, bad disks, killed processes: one line, the documented exit code, nothing torn, nothing lost."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import zlib
from pathlib import Path

import pytest
from conftest import SAMPLES, Run, environment

from mcpcompact import ResultStore, compact
from mcpcompact.source import Source

EVENTS = (SAMPLES / "events.json").read_bytes()
N = 100_000


def refused(done: subprocess.CompletedProcess[bytes], code: int, *words: str) -> None:
    """One line, the exit code, no traceback."""
    assert done.returncode == code, done.stderr
    assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"mcpcompact: "), done.stderr
    assert b"Traceback" not in done.stderr
    assert all(word.encode() in done.stderr for word in words), done.stderr


# ---- what cannot be used


@pytest.mark.parametrize("input", [b""])
def test_empty_input(input: bytes, cli: Run) -> None:
    refused(cli("summarize", input=input), 66, "empty")


def test_binary_input_passes_through(cli: Run, door: Run) -> None:
    data = random.Random(1).randbytes(30_000)
    done = cli("summarize", input=data)
    refused(done, 65, "binary")
    assert done.stdout == data
    done = door("summarize", "--json", input=data)
    refused(done, 65, "binary")
    assert done.stdout == b""  # no JSON, and nothing that only looks like output


DEEP = {
    "arrays": "[" * N + "]" * N,
    "open arrays": "[" * N,
    "objects": '{"a":' * N + "1" + "}" * N,
    "elements": "<html><body>" + "<div>" * N + "x",
    "xml": "<?xml version='1.0'?>" + "<a>" * N + "x" + "</a>" * N,
    "in a message": '{"content":[{"type":"text","text":' + "[" * N,
    "parentheses": "def f():\n    return " + "(" * N,
    "quotes": "> " * N,
}


@pytest.mark.parametrize("name", sorted(DEEP))
def test_deep_nesting(name: str, door: Run) -> None:
    done = door("summarize", "--budget", 300, input=DEEP[name].encode())
    assert done.returncode in (0, 65) and b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") <= 1
    assert len(done.stdout) < 4000 or done.stdout == DEEP[name].encode()


ODD_JSON = {
    "nan": "[" + ",".join(f'{{"id": {i}, "v": {("NaN", "-Infinity", i)[i % 3]}}}' for i in range(700)) + "]",
    "duplicate keys": "[" + ",".join(f'{{"id": {i}, "id": {i + 1}, "s": "x"}}' for i in range(700)) + "]",
    "a long number": "[" + "9" * 20_000 + "]",
    "lone surrogates": json.dumps([f"\ud800 {i}" for i in range(900)]),
    "truncated": EVENTS.decode()[:50_000],
    "two documents": EVENTS.decode() * 2,
}


@pytest.mark.parametrize("name", sorted(ODD_JSON))
def test_odd_json(name: str, door: Run, tmp_path: Path) -> None:
    data = ODD_JSON[name].encode()
    found = json.loads(door("summarize", "--budget", 300, "--json", input=data).stdout)
    assert found["tokens"] <= 300 and found["method"] in ("outline", "lossless")
    assert Path(found["reference"]["path"]).read_bytes() == data


STRANGE = [b"\n" * 60_000, b" " * 90_000, b"a b\r" * 9_000, b"x" * 200_000, b"\xc3" * 900 + b"text\n" * 3000]
STRANGE += ["\ufeff".encode("utf-16-le") + ("a line of text, %s\n" * 700).encode("utf-16-le"), b"\xef\xbb\xbf" + EVENTS]


@pytest.mark.parametrize("data", STRANGE, ids=range(len(STRANGE)))
def test_strange_text(data: bytes, door: Run) -> None:
    done = door("summarize", "--budget", 300, input=data)
    assert done.returncode == 0 and done.stderr == b"" and len(done.stdout) < 6000


# ---- what cannot be read


def test_missing_files_and_directories(door: Run, tmp_path: Path) -> None:
    refused(door("summarize", "missing"), 66, "missing")
    refused(door("summarize", tmp_path), 66, "no file below the directory")
    refused(door("summarize", "*.nothing"), 66, "no file matches")
    refused(door("summarize", "a\0b"), 66)
    refused(door("count", "missing"), 66, "missing")


@pytest.mark.skipif(not os.path.exists("/proc/self/mem"), reason="needs /proc")
def test_unreadable(door: Run) -> None:
    refused(door("summarize", "/proc/self/mem"), 74, "cannot read")


DAMAGED = [gzip.compress(EVENTS)[:-300], gzip.compress(EVENTS)[:400] + bytes(9000), b"\x1f\x8b\x08"]


@pytest.mark.parametrize("packed", DAMAGED, ids=range(len(DAMAGED)))
def test_damaged_archives(packed: bytes, door: Run) -> None:
    done = door("summarize", input=packed)
    refused(done, 65, "gzip")
    assert done.stdout == b""


def test_a_bomb_is_refused_while_it_expands(door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """200 MB in 200 KB against a bound of 50 MB: the real one is 2 GB, and the way to it the same."""
    from mcpcompact.inputs import reading

    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    with open(tmp_path / "bomb.gz", "wb") as stream:
        for _ in range(200):
            stream.write(packer.compress(bytes(1_000_000)))
        stream.write(packer.flush())
    assert reading.MAX_BYTES == 2 * 1024**3
    monkeypatch.setattr(reading, "MAX_BYTES", 50_000_000)
    done = door("summarize", "bomb.gz")
    refused(done, 65, "expands to more than")
    assert done.stdout == b""


@pytest.mark.parametrize("change", ["unlink", "shrink"])
def test_a_file_that_changes_while_it_is_read(
    change: str, door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large file is read in place, pass by pass; here it goes away after the first look at it."""
    from mcpcompact.inputs import reading

    path = tmp_path / "growing.log"
    path.write_bytes(b"".join(b"2026-03-01 INFO line %d\n" % i for i in range(40_000)))
    monkeypatch.setattr(reading, "LARGE", 100_000)
    real = reading.open_source

    def opened(*args: object) -> reading.Input:
        source = real(*args)  # type: ignore[arg-type]
        source.read(0, 100)
        if change == "unlink":
            path.unlink()
        else:
            path.write_bytes(b"short")
        return source

    monkeypatch.setattr(reading, "open_source", opened)
    done = door("summarize", path.name)
    assert done.returncode in (65, 66, 74), done
    assert done.stderr.count(b"\n") <= 2 and b"Traceback" not in done.stderr
    assert not list(tmp_path.glob("results/*growing*"))


# ---- what was typed wrong


@pytest.mark.parametrize(
    "args",
    [
        ("--budget", "0"), ("--budget", "-1"), ("--budget", "x"), ("--budget", "49"), ("--budget", "1e3"),
        ("--threshold", "-1"), ("--max-chars", "3"), ("--type", "nope"), ("--encoding", "nope"), ("--notice", "loud"),
        ("--shape", "round"), ("--reader", "me"), ("--args", "{"), ("--args", "[1]"), ("--args", "3"), ("--bogus",),
        ("--budge", "300"), ("--budget",),
    ],
)  # fmt: skip
def test_usage(args: tuple[str, ...], door: Run) -> None:
    done = door("summarize", SAMPLES / "events.json", *args)
    refused(done, 2)
    assert done.stdout == b""


def test_an_unknown_command(door: Run) -> None:
    refused(door("sumarize"), 2, "summarize")
    assert door().returncode == 2
    assert door("--help").returncode == door("--version").returncode == 0


# ---- disks


def test_a_results_directory_that_is_a_file(door: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"mine")
    done = door("summarize", SAMPLES / "events.json", "--results-dir", "file")
    refused(done, 73, "passed through")
    assert done.stdout == EVENTS and (tmp_path / "file").read_bytes() == b"mine"


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="needs /proc")
def test_an_output_directory_that_takes_nothing(door: Run) -> None:
    refused(door("summarize", SAMPLES / "events.json", "--output-dir", "/proc/self/out"), 73, "cannot write")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "args", [("summarize", str(SAMPLES / "events.json")), ("--help",), ("count", str(SAMPLES / "events.json"))]
)
def test_a_full_disk_behind_stdout(args: tuple[str, ...], tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "mcpcompact", *args]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment(tmp_path), cwd=tmp_path)
    done.stdout = b""
    refused(done, 73, "No space left")


def mounted(path: Path, options: str) -> bool:
    """Whether a small file system could be mounted at ``path`` (root in a container may)."""
    path.mkdir()
    if os.geteuid() != 0 or not shutil.which("mount"):
        return False
    return (
        subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(path)], capture_output=True).returncode == 0
    )


@pytest.mark.parametrize(("options", "word"), [("size=64k", "No space left"), ("ro,size=1m", "Read-only")])
def test_a_full_or_read_only_disk(options: str, word: str, door: Run, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    if not mounted(disk, options):
        pytest.skip("cannot mount a file system here")
    try:
        done = door("summarize", SAMPLES / "events.json", "--results-dir", disk)
        assert done.returncode == 73 and done.stdout == EVENTS
        assert done.stderr.count(b"\n") == 1 and word.lower().encode() in done.stderr.lower()
        assert b"passed through" in done.stderr
        assert not [path for path in disk.iterdir() if path.suffix == ".json"]
    finally:
        subprocess.run(["umount", str(disk)], check=False)


# ---- processes


def batch(folder: Path, files: int, rows: int = 300) -> list[str]:
    folder.mkdir()
    for i in range(files):
        value = [{"id": f"r{i}-{n}", "state": "ok", "n": n * i} for n in range(rows)]
        (folder / f"f{i:03}.json").write_text(
            json.dumps(value if i % 3 else {"content": [{"type": "text", "text": json.dumps(value)}]})
        )
    return [str(path) for path in sorted(folder.iterdir())]


def advertised(output: bytes) -> set[str]:
    """The ids in whole printed lines."""
    whole = output[: output.rfind(b"\n") + 1]
    return {found.decode() for found in re.findall(rb"mcpcompact results get ([0-9a-f]{8,})", whole)}


def untorn(directory: Path) -> None:
    import hashlib

    for path in directory.glob("*"):
        named = re.fullmatch(r"[\w-]+-([0-9a-f]{8,})\.json", path.name)
        if named:
            assert hashlib.sha256(path.read_bytes()).hexdigest().startswith(named[1]), path.name


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_killed_at_random_moments(tmp_path: Path) -> None:
    """Every printed reference verifies, and no torn file has a final name. MCPCOMPACT_KILLS=200 is the full run."""
    kills = int(os.environ.get("MCPCOMPACT_KILLS", "6"))
    names = batch(tmp_path / "in", 40)
    pick = random.Random(11)
    printed = 0
    for round in range(kills):
        results = tmp_path / f"results{round % 8}"
        if round >= 8 and pick.random() < 0.6:  # mostly fresh directories: putting known content again writes less
            shutil.rmtree(results, ignore_errors=True)
        args = [sys.executable, "-m", "mcpcompact", "summarize", "--budget", "200", "--threshold", "0", *names]
        env = environment(tmp_path, MCPCOMPACT_RESULTS_DIR=str(results), PYTHONUNBUFFERED="1")
        process = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=env)
        assert process.stdout is not None
        head = process.stdout.read(1)  # running
        time.sleep(pick.random() * 0.5)
        process.send_signal(signal.SIGKILL)
        output = head + process.stdout.read()
        process.wait()
        process.stdout.close()
        ids = advertised(output)
        store = ResultStore(results)
        assert store.verify() == []
        assert ids <= {result.id for result in store.list()}
        untorn(results)
        printed += len(ids)
    assert printed > kills


def test_eight_processes_at_once(tmp_path: Path) -> None:
    shared = batch(tmp_path / "shared", 4)
    args = [sys.executable, "-m", "mcpcompact", "summarize", "--budget", "200", "--threshold", "0"]
    env = environment(tmp_path)
    running = []
    for n in range(8):
        own = tmp_path / f"own{n}.json"
        own.write_text(json.dumps([{"id": i, "process": n} for i in range(200)]))
        command = [*args, *shared, str(own)]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env))
    ids: set[str] = set()
    for process in running:
        output, errors = process.communicate(timeout=100)
        assert (process.returncode, errors) == (0, b"")
        assert len(advertised(output)) == 5
        ids |= advertised(output)
    store = ResultStore(tmp_path / "results")
    assert store.verify() == []
    assert {result.id for result in store.list()} == ids and len(ids) == 12
    assert not list((tmp_path / "results").glob(".tmp-*"))


# ---- the store gives back every byte

BYTES = [b"a\r\nb\r\n" * 2000, b"x\0y" * 4000, b"\xff\xfe\xfd bad" * 2000, b"no final newline " * 900, EVENTS]


@pytest.mark.parametrize("data", BYTES, ids=range(len(BYTES)))
def test_every_byte_comes_back(data: bytes, door: Run, tmp_path: Path) -> None:
    reference = compact(Source(data), budget=100, threshold=0, store=ResultStore(tmp_path / "results")).reference
    assert reference is not None
    assert door("results", "get", reference.id).stdout == data
    assert door("results", "verify").returncode == 0


def test_the_known_formats_are_told_once_for_many_foreign_files(door: Run, tmp_path: Path) -> None:
    for name in "abc":
        (tmp_path / f"{name}.json").write_text(f"hello {name}\n")
    for argv in (["replay", "."], ["count", "--transcript", "a.json", "b.json", "c.json"]):
        done = door(*argv, cwd=tmp_path)
        assert done.stderr.count(b"not a transcript of a known format") == 3
        assert done.stderr.count(b"known are") == 1
