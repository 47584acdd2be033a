"""``--cluster``: a real Dask scheduler with two workers on loopback, each a process; the bytes of a local run."""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, environment, files, log
from loopback import Dask, absent, recording, s3

from mcpcompact import Policy
from mcpcompact.batch import Chooser, many
from mcpcompact.batch.many import Common, Task
from mcpcompact.errors import ConfigError

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="needs distributed: pip install -e '.[integration]'"
)
needs_s3 = pytest.mark.skipif(bool(absent("s3")), reason=absent("s3"))

SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"


@pytest.fixture(scope="module")
def aws() -> Iterator[dict[str, str]]:
    with ExitStack() as stack:
        yield {} if absent("s3") else stack.enter_context(s3())


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory, aws: dict[str, str]) -> Iterator[Dask]:
    cluster = Dask(tmp_path_factory.mktemp("dask"), aws)
    try:
        cluster.worker()
        cluster.worker()
        yield cluster
    finally:
        cluster.close()


@needs_dask
def test_the_bytes_and_the_order_of_a_local_run(dask: Dask, tree: Path, door: Run, tmp_path: Path) -> None:
    (tree / "broken.log").write_bytes(b"\x1f\x8b\x08 no gzip")
    args = ("summarize", tree, "--budget", 150, "--results-dir", f"file://{tmp_path}/kept")
    local = door(*args, "--output-dir", "one")
    far = door(*args, "--output-dir", "two", "--cluster", dask.address)
    assert local.returncode == far.returncode == 65
    assert local.stderr == far.stderr, "the same lines, in the same order"
    assert files(tmp_path / "one") == files(tmp_path / "two") and len(files(tmp_path / "two")) == 6
    again = door(*args, "--output-dir", "two", "--cluster", dask.address)
    assert b"0 done, 6 unchanged, 1 failed" in again.stderr
    texts = door("summarize", *sorted(tree.rglob("f*.log")), "--no-store", "--cluster", dask.address)
    assert texts.stdout == door("summarize", *sorted(tree.rglob("f*.log")), "--no-store").stdout != b""


@needs_dask
@needs_s3
def test_everything_on_an_object_store(
    dask: Dask, tree: Path, door: Run, tmp_path: Path, aws: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in aws.items():
        monkeypatch.setenv(name, value)
    args = ("summarize", tree, "--budget", 150, "--results-dir", "s3://bucket/far-kept")
    local = door(*args, "--output-dir", "one")
    far = door(*args, "--output-dir", "s3://bucket/out", "--cluster", dask.address)
    assert (local.returncode, far.returncode) == (0, 0), far.stderr
    import s3fs

    store = s3fs.S3FileSystem(
        endpoint_url=aws["AWS_ENDPOINT_URL"], key=aws["AWS_ACCESS_KEY_ID"], secret=aws["AWS_SECRET_ACCESS_KEY"]
    )
    for name, text in files(tmp_path / "one").items():
        assert store.cat_file(f"bucket/out/{name}") == text
    id = text.decode().split("results get ")[1][:8]
    back = door("results", "get", id, "--results-dir", "s3://bucket/far-kept")
    assert back.stdout == (tree / name).read_bytes()
    # and back in: the workers read what only they were told of
    again = door("summarize", "s3://bucket/out/d1/*.log", "--no-store", "--cluster", dask.address)
    assert again.returncode == 0 and again.stdout.count(b"==> s3://bucket/out/d1/f") == 3


@needs_dask
def test_masked_bytes_travel(dask: Dask, door: Run, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(log(3) + f"token={SECRET}\n".encode() + log(4))
    (tmp_path / "b.log").write_bytes(log(5))
    with recording(dask.address) as (address, seen):
        open_run = door("summarize", "a.log", "b.log", "--no-store", "--cluster", address)
        assert SECRET.encode() in seen, "what is sent is seen"
        seen.clear()
        masked = door("summarize", "a.log", "b.log", "--no-store", "--mask", "--cluster", address)
    assert open_run.returncode == masked.returncode == 0, masked.stderr
    assert b"unit-3" in seen and SECRET.encode() not in seen
    assert SECRET.encode() not in masked.stdout + masked.stderr


@needs_dask
def test_replay_gives_the_same_figures(dask: Dask, door: Run, tmp_path: Path) -> None:
    for i in range(3):
        messages = [
            {"role": "user", "content": "what failed?"},
            {"role": "assistant", "tool_calls": [call(i)], "content": None},
            {"role": "tool", "tool_call_id": "c", "content": log(i).decode()},
            {"role": "assistant", "content": f"unit-{i} step {i * 5} is fine"},
        ]
        (tmp_path / f"s{i}.json").write_text(json.dumps({"messages": messages}))
    (tmp_path / "bad.json").write_text("no transcript")
    args = ("replay", "s0.json", "s1.json", "bad.json", "s2.json", "--policy", "mcpcompact:500,200", "--json")
    local, far = door(*args), door(*args, "--cluster", dask.address)
    assert local.returncode == far.returncode and local.stderr == far.stderr, far.stderr
    ours, theirs = json.loads(local.stdout), json.loads(far.stdout)
    for report in (ours, theirs):
        for policy in report["policies"]:
            del policy["compactionSeconds"]
    assert ours["policies"] == theirs["policies"] and ours["transcripts"] == theirs["transcripts"] == 3


def call(number: int) -> dict[str, object]:
    return {"id": "c", "type": "function", "function": {"name": "logs", "arguments": json.dumps({"unit": number})}}


@needs_dask
def test_a_worker_with_another_version_is_refused(dask: Dask, tree: Path, door: Run, tmp_path: Path) -> None:
    other = tmp_path / "other.py"
    other.write_text("import mcpcompact\nmcpcompact.__version__ = '0.0.9'\n")
    worker = dask.worker("--preload", str(other))
    try:
        done = door("summarize", tree, "--output-dir", "out", "--no-store", "--cluster", dask.address)
    finally:
        dask.end(worker)
    assert done.returncode == 78 and done.stderr.count(b"\n") == 1 and not (tmp_path / "out").exists()
    assert b"1 of 3 workers" in done.stderr and b"mcpcompact 0.0.9; this is mcpcompact 0." in done.stderr


def test_no_cluster_is_said_within_ten_seconds(tree: Path, cli: Run) -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    port = silent.getsockname()[1]
    cases = [f"tcp://127.0.0.1:{port}"] if importlib.util.find_spec("distributed") else []
    closed = socket.create_server(("127.0.0.1", 0))
    cases.append(f"tcp://127.0.0.1:{closed.getsockname()[1]}")
    closed.close()
    for address in cases:
        began = time.monotonic()
        done = cli("summarize", tree, "--no-store", "--cluster", address)
        assert time.monotonic() - began < 10
        assert done.returncode == 74 and done.stdout == b"" and done.stderr.count(b"\n") == 1
        assert f"no cluster answers at {address}".encode() in done.stderr
    silent.close()


def test_what_cannot_work_is_a_usage_error(tree: Path, cli: Run) -> None:
    for args, word in (
        (("--cluster", "tcp://127.0.0.1:1"), b"file:///"),
        (("--cluster", "somewhere", "--no-store"), b"tcp://HOST:PORT"),
        (("--cluster", "tcp://127.0.0.1:1", "--no-store", "--jobs", "2"), b"--jobs"),
    ):
        done = cli("summarize", tree, *args)
        assert done.returncode == 2 and word in done.stderr and done.stderr.count(b"\n") == 1


def test_what_is_sent_to_other_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large input that only this machine has stays here, and what cannot be read; threads stand for machines."""
    monkeypatch.setattr("mcpcompact.batch.many.LARGE", 20_000)
    for name, lines in (("small.log", 100), ("large.log", 900)):
        (tmp_path / name).write_bytes(log(3, lines))
    sent: list[Task] = []

    class Watched(ThreadPoolExecutor):
        def submit(self, function: Any, /, *args: Any, **named: Any) -> Any:
            sent.extend(copy.copy(task) for task in args[0])
            return super().submit(function, *args, **named)

    names = ["small.log", "large.log", "none.log"]
    chooser = Chooser(base=Policy(budget=100))
    tasks = [Task(name, str(tmp_path / name), chooser, str(tmp_path / "out" / name)) for name in names]
    outcomes = list(many.run(tasks, Common(), lambda: Watched(2), 2, ship=True))
    assert [outcome.state for outcome in outcomes] == ["done", "done", "failed"] and outcomes[2].exit_code == 66
    assert [task.given is not None for task in sent] == [True, False, False]
    assert [task.outcome is not None for task in sent] == [False, True, True]
    assert [task.given for task in tasks] == [None] * 3, "nothing is held when it is done"
    for name, outcome in zip(names[:2], outcomes[:2], strict=True):
        alone = many.work(Task(name, str(tmp_path / name), chooser), Common())
        assert (tmp_path / "out" / name).read_bytes() == alone.text and outcome.written == len(alone.text)


def test_a_worker_that_joins_later_with_another_version_ends_the_run(tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(log(3))
    task = Task("a.log", str(tmp_path / "a.log"), Chooser())
    with pytest.raises(ConfigError, match=r"this is 9\.9"):
        list(many.run([task], Common(version="9.9"), lambda: ThreadPoolExecutor(1), 1, ship=True))


def test_without_the_extra_one_line_says_how_to_install_it(tree: Path, cli: Run, tmp_path: Path) -> None:
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "distributed.py").write_text("raise ImportError('absent')\n")
    path = os.pathsep.join([str(tmp_path / "absent"), environment(tmp_path)["PYTHONPATH"]])
    with socket.create_server(("127.0.0.1", 0)) as door:
        address = f"tcp://127.0.0.1:{door.getsockname()[1]}"
        done = cli("summarize", tree, "--no-store", "--cluster", address, PYTHONPATH=path)
    assert done.returncode == 78 and b"pip install 'mcpcompact[cluster]'" in done.stderr
    assert done.stderr.count(b"\n") == 1


@needs_dask
def test_a_worker_is_killed_in_the_middle_and_then_the_scheduler(dask: Dask, cli: Run, tmp_path: Path) -> None:
    """Last: it leaves the cluster with one worker, and then without a scheduler."""
    (tmp_path / "in").mkdir()
    for i in range(80):  # five groups
        (tmp_path / "in" / f"f{i:03}.log").write_bytes(log(i, 60))
    args = ("summarize", "in", "--budget", 100, "--no-store")
    doomed = dask.worker()
    command = [sys.executable, "-m", "mcpcompact", *map(str, args), "--output-dir", "two", "--cluster", dask.address]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.PIPE)
    assert process.stderr is not None
    process.stderr.readline()  # the first group is back, the others are with the workers
    dask.end(doomed)
    said = process.stderr.read()
    assert process.wait() == 0, said
    assert b"80 done" in said.splitlines()[-1]
    cli(*args, "--output-dir", "one")
    assert files(tmp_path / "one") == files(tmp_path / "two")

    process = subprocess.Popen(
        [*command[:-3], "three", *command[-2:]], cwd=tmp_path, env=environment(tmp_path), stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    process.stderr.readline()
    dask.scheduler.send_signal(signal.SIGKILL)
    said = process.stderr.read()
    assert process.wait() == 74 and b"was lost; run it again to resume" in said.splitlines()[-1]
    kept = files(tmp_path / "three")
    assert kept and all(files(tmp_path / "one")[name] == text for name, text in kept.items())
