"""Batches: a tree in, a tree out; one bad file stops nothing; what is done stays done, whatever ends the run."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import Run, environment, files, log

from mcpcompact.batch import Chooser
from mcpcompact.batch.many import Common, Task, run
from mcpcompact.inputs.files import JOURNAL, find, targets


def test_the_tree_is_mirrored_and_two_jobs_write_the_same(tree: Path, cli: Run, tmp_path: Path) -> None:
    one = cli("summarize", tree, "--output-dir", "one", "--budget", 150)
    two = cli("summarize", tree, "--output-dir", "two", "--budget", 150, "--jobs", 2)
    assert one.returncode == two.returncode == 0 and one.stdout == two.stdout == b""
    assert files(tmp_path / "one") == files(tmp_path / "two")
    assert sorted(files(tmp_path / "one")) == sorted(files(tree))
    assert b"[6/6]" in one.stderr and b"6 done" in one.stderr.splitlines()[-1]
    assert one.stderr == two.stderr, "plain lines, in order"


def test_texts_come_in_order_with_many_jobs(tree: Path, cli: Run) -> None:
    names = sorted(str(p) for p in tree.rglob("*.log"))
    alone = cli("summarize", *names, "--budget", 150)
    shared = cli("summarize", *names, "--budget", 150, "--jobs", 2)
    assert alone.stdout == shared.stdout and alone.stdout.count(b"==> ") == 6


def test_one_bad_file_does_not_stop_the_rest(tree: Path, cli: Run, tmp_path: Path) -> None:
    (tree / "broken.gz").write_bytes(gzip.compress(b"x" * 5000)[:-9])
    (tree / "empty.log").write_bytes(b"")
    (tree / "image.bin").write_bytes(bytes(range(256)) * 20)
    done = cli("summarize", tree, "--output-dir", "out", "--jobs", 2)
    assert done.returncode == 65 and len(files(tmp_path / "out")) == 6
    told = [line for line in done.stderr.splitlines() if line.startswith(b"mcpcompact: ")]
    assert len(told) == 4 and b"6 done, 2 skipped, 1 failed" in told[-1]


def test_empty_and_binary_inputs_are_skipped_and_counted(tree: Path, door: Run, tmp_path: Path) -> None:
    (tree / "empty.log").write_bytes(b"")
    (tree / "image.bin").write_bytes(bytes(range(256)) * 20)
    for args in (("--output-dir", "out"), ("--output-dir", "two", "--jobs", 2), ("--json",)):
        done = door("summarize", tree, *args)
        told = [line for line in done.stderr.splitlines() if line.startswith(b"mcpcompact: ")]
        assert done.returncode == 0 and len(told) == 3 and b"6 done, 2 skipped;" in told[-1]
        assert [b"empty.log is empty" in told[0], b"image.bin is binary" in told[1]] == [True, True]
        assert all(line.startswith(b"mcpcompact: skipped: ") for line in told[:2])
        assert door("summarize", tree, *args, "--strict").returncode == 65
    assert sorted(files(tmp_path / "out")) == sorted(files(tmp_path / "two")) and len(files(tmp_path / "out")) == 6
    named = door("summarize", tree / "d0" / "f2.log", tree / "empty.log", "--budget", 150)
    assert named.returncode == 0 and named.stderr.count(b"\n") == 1 and named.stdout.count(b"==> ") == 1
    for args in ((tree / "empty.log",), (tree / "empty.log", "--output-dir", "none"), (tree / "empty.log",) * 2):
        assert door("summarize", *args).returncode == 66, "nothing else is there"


def test_outputs_go_through_no_link(tree: Path, door: Run, tmp_path: Path) -> None:
    """An output directory that came with a checkout: a folder, an output and the journal are links."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "f1.log").write_text("precious")
    out = tmp_path / "out"
    out.mkdir()
    (out / "d1").symlink_to(precious)
    (out / "d0").mkdir()
    (out / "d0" / "f2.log").symlink_to(precious / "f1.log")
    done = door("summarize", tree, "--output-dir", "out", "--budget", 150)
    assert done.returncode == 65 and b"3 done, 3 failed" in done.stderr and b"Not a directory" in done.stderr
    assert {path.name: path.read_text() for path in precious.iterdir()} == {"f1.log": "precious"}
    (out / "d1").unlink()
    (out / JOURNAL).unlink()
    for target in (precious / "f1.log", precious / "new"):
        (out / JOURNAL).symlink_to(target)
        refused = door("summarize", tree, "--output-dir", "out", "--budget", 150)
        assert refused.returncode == 73 and refused.stderr.count(b"\n") == 1 and JOURNAL.encode() in refused.stderr
        (out / JOURNAL).unlink()
    assert {path.name: path.read_text() for path in precious.iterdir()} == {"f1.log": "precious"}
    os.mkfifo(out / JOURNAL)
    assert door("summarize", tree, "--output-dir", "out").returncode == 73
    (tmp_path / "linked").symlink_to(tmp_path / "real")
    (tmp_path / "real").mkdir()
    assert door("summarize", tree, "--output-dir", "linked", "--budget", 150).returncode == 0, "you named it"
    assert len(files(tmp_path / "real")) == 6


def test_an_output_directory_that_is_none(tree: Path, door: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for name in ("/dev/null", "file"):
        refused = door("summarize", tree, "--output-dir", name)
        assert refused.returncode == 73 and refused.stderr.count(b"\n") == 1 and b"is no directory" in refused.stderr


def test_include_exclude_and_what_is_ours(tree: Path, door: Run, tmp_path: Path) -> None:
    (tree / ".hidden").mkdir()
    (tree / ".hidden" / "x.log").write_bytes(log(9))
    args = ("--output-dir", tree / "out", "--results-dir", tree / "kept", "--include", "*.log", "--exclude", "d0/*")
    assert door("summarize", tree, *args).returncode == 0
    assert sorted(files(tree / "out")) == ["d1/f1.log", "d1/f3.log", "d1/f5.log"]
    again = door("summarize", tree, "--output-dir", "other", "--no-store")
    assert again.returncode == 0 and len(files(tmp_path / "other")) == 6, "its own outputs are no inputs"
    nothing = door("summarize", tree, "--output-dir", "none", "--include", "*.md")
    assert nothing.returncode == 66 and b"--include" in nothing.stderr


def test_unchanged_inputs_are_skipped_and_changed_ones_are_not(tree: Path, door: Run, tmp_path: Path) -> None:
    args = ("summarize", tree, "--output-dir", "out", "--budget", 150)
    door(*args)
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").rglob("*.log")}
    (tree / "d1" / "f1.log").write_bytes(log(50))
    (tmp_path / "out" / "d1" / "f3.log").write_bytes(b"damaged")
    second = door(*args)
    assert b"2 done, 4 unchanged" in second.stderr
    kept = [p for p, stamp in before.items() if p.stat().st_mtime_ns == stamp]
    assert len(kept) == 4
    assert b"6 done" in door(*args[:-1], 160).stderr.splitlines()[-1], "other options are another output"
    assert b"6 done" in door(*args[:-1], 160, "--again").stderr.splitlines()[-1]
    stored = next((tmp_path / "results").glob("*.meta.json"))
    stored.unlink()
    assert b"1 done, 5 unchanged" in door(*args[:-1], 160).stderr, "a reference must hold"


def test_a_torn_journal_costs_work_only(tree: Path, door: Run, tmp_path: Path) -> None:
    args = ("summarize", tree, "--output-dir", "out")
    door(*args)
    journal = tmp_path / "out" / JOURNAL
    journal.write_bytes(journal.read_bytes()[:-25])
    assert b"1 done, 5 unchanged" in door(*args).stderr
    journal.write_bytes(b'[]\n{"target": 3}\nnothing\n')
    assert b"6 done" in door(*args).stderr


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL])
def test_what_is_finished_stays_whole_and_a_resume_finishes(tmp_path: Path, door: Run, signal_number: int) -> None:
    for i in range(24):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"f{i:03}.log").write_bytes(log(i, 120))
    command = [
        sys.executable,
        "-m",
        "mcpcompact",
        "summarize",
        "in",
        "pipe",
        "--output-dir",
        "out",
        "--budget",
        "150",
        "--jobs",
        "2",
    ]
    os.mkfifo(tmp_path / "pipe")  # nobody writes to it before the signal: until then the run cannot end
    process = subprocess.Popen(
        command, cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = time.monotonic() + 60
    while not list((tmp_path / "out").glob("*.log")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(process.pid, signal_number)
    while process.poll() is None and time.monotonic() < deadline:  # the worker that reads the pipe finishes
        with suppress(OSError):
            os.close(os.open(tmp_path / "pipe", os.O_WRONLY | os.O_NONBLOCK))
        time.sleep(0.02)
    _, err = process.communicate(timeout=60)
    if signal_number == signal.SIGINT:
        assert process.returncode == 130 and b"run it again" in err and b"Traceback" not in err
    finished = files(tmp_path / "out")
    command.remove("pipe")
    rest = door(*command[3:])
    assert rest.returncode == 0
    elsewhere = str(tmp_path / "elsewhere")
    whole = door(
        "summarize", "in", "--output-dir", "fresh", "--budget", "150", "--jobs", 2, MCPCOMPACT_RESULTS_DIR=elsewhere
    )
    assert whole.returncode == 0
    done = {name: data for name, data in files(tmp_path / "out").items() if not name.startswith(".tmp")}
    assert all(done[name] == data for name, data in finished.items() if not name.startswith(".tmp"))
    assert len(done) == 24 and done == files(tmp_path / "fresh")


def test_markdown_for_a_ci_summary(tree: Path, cli: Run) -> None:
    (tree / "a|b.bin").write_bytes(bytes(range(256)) * 20)
    done = cli("summarize", tree, "--format", "markdown", "--jobs", 2)
    lines = done.stdout.decode().splitlines()
    assert lines[0] == "### mcpcompact" and "6 done, 1 skipped" in lines[2]
    rows = [line for line in lines if line.startswith("| `")]
    assert len(rows) == 7 and "a\\|b.bin" in rows[0] and "skipped" in rows[0]


def test_file_names_with_newlines_and_invalid_bytes(cli: Run, tmp_path: Path) -> None:
    top = os.fsencode(tmp_path / "in")
    os.mkdir(top)
    for name in (b"new\nline.log", b"bad\xff.log", b"-.log", "größe.log".encode()):
        with open(os.path.join(top, name), "wb") as stream:
            stream.write(log(3))
    done = cli("summarize", "in", "--output-dir", "out", "--jobs", 2, "--json")
    assert done.returncode == 0 and b"new\\nline.log" in done.stderr and b"bad\\xff.log" in done.stderr
    written = sorted(os.listdir(os.fsencode(tmp_path / "out")))
    assert b"new\nline.log.json" in written and b"bad\xff.log.json" in written
    made = json.loads((tmp_path / "out" / "größe.log.json").read_text())
    assert made["file"].endswith("größe.log")


def test_outputs_of_equal_names_and_compressed_inputs(tmp_path: Path) -> None:
    for directory in ("a", "b"):
        (tmp_path / directory).mkdir()
        (tmp_path / directory / "x.log").write_bytes(b"x")
    (tmp_path / "x.log.gz").write_bytes(b"x")
    found = find([str(tmp_path / "a" / "x.log"), str(tmp_path / "b" / "*.log"), str(tmp_path / "x.log.gz")])
    assert list(targets(found, "out").values()) == [os.path.join("out", n) for n in ("x.log", "x-2.log", "x-3.log")]


def test_any_executor_will_do(tree: Path, tmp_path: Path) -> None:
    tasks = [Task(p.name, str(p), Chooser()) for p in sorted(tree.rglob("*.log"))]
    alone = [outcome.text for outcome in run(tasks, Common())]
    shared = [outcome.text for outcome in run(tasks, Common(), lambda: ThreadPoolExecutor(2), 2)]
    assert alone == shared and len(alone) == 6


def test_a_process_that_dies_costs_one_input_at_most(tree: Path, tmp_path: Path) -> None:
    from concurrent.futures import ProcessPoolExecutor

    os.mkfifo(tree / "d0" / "killer")  # never opened: the worker below is killed instead
    tasks = [Task(p.name, str(p), Chooser()) for p in sorted(tree.rglob("*.log"))]
    pools: list[ProcessPoolExecutor] = []

    def make() -> ProcessPoolExecutor:
        pools.append(ProcessPoolExecutor(1))
        if len(pools) == 1:
            os.kill(pools[0].submit(os.getpid).result(), signal.SIGKILL)
        return pools[-1]

    outcomes = list(run(tasks, Common(), make, 1))
    assert [outcome.state for outcome in outcomes] == ["done"] * 6 and len(pools) > 1
