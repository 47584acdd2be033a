"""URLs as inputs, outputs and results directory: stores on loopback that speak S3, GCS and Azure Blobs; and what is
never said of a URL."""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import Run, environment, log
from hypothesis import given
from hypothesis import strategies as st
from loopback import EMULATORS, absent, between, store

from mcpcompact import Compactor, Policy, ResultStore
from mcpcompact.errors import CannotReadError
from mcpcompact.inputs import scrubbed, shown
from mcpcompact.results import Original
from mcpcompact.source import Source

needs_fsspec = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("fsspec", "aiohttp")),
    reason="needs fsspec: pip install -e '.[integration]'",
)

EVENTS = json.dumps(
    [{"id": f"evt-{i}", "status": "failed" if i == 77 else "ok", "n": i * 3} for i in range(700)]
).encode()
SECRET = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vX7zA9cE1gI3kM5"


@pytest.fixture(scope="module", params=list(EMULATORS))
def place(request: pytest.FixtureRequest) -> Iterator[tuple[str, dict[str, str]]]:
    """Each store in turn: its scheme, and the environment in which it is found."""
    if why := absent(request.param):
        pytest.skip(why)
    with store(request.param) as found:
        yield request.param, found


@pytest.fixture
def bucket(place: tuple[str, dict[str, str]]) -> str:
    return f"{place[0]}://bucket"


@pytest.fixture
def far(place: tuple[str, dict[str, str]]) -> dict[str, str]:
    return place[1]


@pytest.fixture
def near(place: tuple[str, dict[str, str]], monkeypatch: pytest.MonkeyPatch) -> Any:
    """The bucket's file system, and its environment in this process too."""
    import fsspec
    import fsspec.config

    from mcpcompact.inputs import remote

    for name, value in place[1].items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(remote, "_LOST", {})
    monkeypatch.setattr(fsspec.config, "conf", {})
    fsspec.config.set_conf_env(fsspec.config.conf)
    return fsspec.filesystem(place[0], use_listings_cache=False)


# -- the results directory ------------------------------------------------------------------------


def test_results_on_an_object_store(
    near: Any, bucket: str, door: Run, cli: Run, far: dict[str, str], tmp_path: Path
) -> None:
    where = ("--results-dir", f"{bucket}/kept")
    (tmp_path / "events.json").write_bytes(EVENTS)
    made = json.loads(door("summarize", "events.json", "--json", "--budget", 300, *where).stdout)
    id = made["reference"]["id"]
    assert made["reference"]["path"] == f"{bucket}/kept/result-{id}.json"
    assert sorted(near.ls("bucket/kept")) == [
        f"bucket/kept/{name}"
        for name in (".emitted", f"result-{id}.json", f"result-{id}.meta.json", f"result-{id}.view.json")
    ]
    back = cli("results", "get", id, *where, **far)
    assert back.stdout == EVENTS and back.returncode == 0, "byte for byte, in another process"
    assert made["reference"]["commands"][0] == f"mcpcompact results get {id} --results-dir {bucket}/kept"
    for command in made["reference"]["commands"][1:]:
        part = door(*shlex.split(command)[1:])
        assert part.returncode == 0 and b"evt-" in part.stdout
    assert door("results", "grep", id, "evt-77", "-C", 1, *where).stdout.count(b"\n") >= 1
    assert door("results", "get", id[:5], "--where", "status=failed", *where).stdout.count(b"evt-") == 1
    listed = json.loads(door("results", "list", "--json", *where).stdout)
    assert [row["id"] for row in listed["results"]] == [id]
    assert door("results", "show", id, *where).returncode == 0
    assert b"1 result verified" in door("results", "verify", *where).stderr

    # its own summary, coming back, is not compacted again; the same content is stored once
    own = door("summarize", "--budget", 60, "--threshold", 20, *where, input=made["text"].encode())
    assert own.stdout.strip() == made["text"].strip().encode()
    before = len(near.ls("bucket/kept"))
    door("summarize", "events.json", "--tool", "other", *where)
    assert len(near.ls("bucket/kept")) == before

    near.pipe_file(f"bucket/kept/result-{id}.json", EVENTS[:-1])
    assert door("results", "verify", *where).returncode == 1
    damaged = door("results", "get", id, *where)
    assert damaged.returncode == 74 and b"damaged" in damaged.stderr and damaged.stdout == b""
    door("summarize", "events.json", *where)
    assert door("results", "verify", *where).returncode == 0, "put again, it is whole again"

    assert door("results", "gc", "--older-than", "0s", *where).returncode == 0 and near.exists(
        f"bucket/kept/result-{id}.json"
    )
    door("results", "gc", "--older-than", "0s", "--yes", *where)
    near.invalidate_cache()
    assert [name.rpartition("/")[2] for name in near.find("bucket/kept")] == [".collected"]
    gone = door("results", "get", id, *where)
    assert gone.returncode == 66 and b"was collected" in gone.stderr


def test_pages_and_chunks_with_results_on_a_store(near: Any, bucket: str, door: Run, tmp_path: Path) -> None:
    (tmp_path / "events.json").write_bytes(EVENTS)
    where = ("--results-dir", f"{bucket}/walks")
    first = json.loads(door("paginate", "events.json", "--limit", 3, "--json", *where).stdout)
    second = json.loads(
        door("paginate", "events.json", "--limit", 3, "--json", "--cursor", first["nextCursor"], *where).stdout
    )
    assert [item["id"] for item in first["items"] + second["items"]] == [f"evt-{i}" for i in range(6)]
    assert not (tmp_path / bucket.split("/")[0]).exists()


def test_two_writers_at_once_and_one_key(
    near: Any, bucket: str, door: Run, far: dict[str, str], tmp_path: Path
) -> None:
    """Two processes store the same at the same moment, masked, where there is no key yet."""
    for i in range(1, 4):
        (tmp_path / f"f{i}.log").write_bytes(log(i) + f"token={SECRET}\n".encode() + log(i + 50))
    where = ("--results-dir", f"{bucket}/both")
    command = [sys.executable, "-m", "mcpcompact", "summarize", *(f"f{i}.log" for i in range(1, 4)), "--mask"]
    writers = [
        subprocess.Popen(
            [*command, "--budget", "100", "--tool", f"tool{n}", *where],
            cwd=tmp_path, env=environment(tmp_path, **far), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        for n in range(2)
    ]  # fmt: skip
    texts = [writer.communicate() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], texts
    assert door("results", "verify", *where).returncode == 0
    ids = [set(re.findall(rb"results get ([0-9a-f]{8,})", text)) for text, _ in texts]
    assert ids[0] == ids[1] and len(ids[0]) == 3, "one key: the same placeholders, so the same content"
    for id in ids[0]:
        back = door("results", "get", id.decode(), *where)
        assert back.returncode == 0 and b"[secret:" in back.stdout and SECRET.encode() not in back.stdout
    listed = json.loads(door("results", "list", "--json", *where).stdout)["results"]
    assert {row["id"].encode() for row in listed} == ids[0]


def test_large_objects_and_names_that_need_quoting(
    near: Any, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcpcompact.inputs import remote

    monkeypatch.setattr(remote, "AT_ONCE", 1_000_000)
    data = os.urandom(1 << 20) * 9  # over the size of one request of every library
    url = f"{bucket}/big/a file, 100% + ü=1&b.bin"
    assert remote.write(url, iter([data[: 1 << 20], data[1 << 20 :]])) == len(data) == remote.size(url)
    assert b"".join(remote.blocks(url)) == data
    assert remote.below(f"{bucket}/big/") == remote.below(f"{bucket}/big") == [url]
    assert list(remote.listing(f"{bucket}/big")) == [url.rpartition("/")[2]]
    assert remote.is_directory(f"{bucket}/big") and not remote.is_directory(f"{bucket}/bi")
    assert remote.create(url, b"x") is False and remote.create(f"{bucket}/big2/x", b"x") is True
    assert list(remote.listing(f"{bucket}/big2")) == ["x"] and remote.listing(f"{bucket}/none") == {}
    remote.remove(url)
    remote.remove(url)
    assert remote.size(url) == -1

    def torn() -> Iterator[bytes]:
        yield data
        raise CannotReadError("the input broke off")

    with pytest.raises(CannotReadError):
        remote.write(url, torn())
    assert remote.size(url) == -1


def test_a_connection_lost_in_the_middle(
    near: Any, bucket: str, far: dict[str, str], door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The original is half-way up when the store is gone: it passes through, and a file later nobody waits again."""
    from mcpcompact.inputs import remote

    text = b"".join(log(seed, 1_000) for seed in range(60))
    (tmp_path / "a.log").write_bytes(text)
    where = ("--budget", 100, "--results-dir", f"{bucket}/lost")
    told = 0

    def watch(data: bytes) -> bool:
        nonlocal told
        told += len(data)
        return told < len(text) // 2

    impatient(monkeypatch)
    address = next(found[0] for value in far.values() if (found := re.findall(r"127\.0\.0\.1:\d+", value)))
    with between(address, watch) as way:
        for name, value in far.items():
            monkeypatch.setenv(name, value.replace(address, way))
        type(near).clear_instance_cache()
        lost = door("summarize", "a.log", *where)
    assert told >= len(text) // 2, "it was on its way"
    assert lost.returncode == 73 and lost.stdout == text, lost.stderr
    assert lost.stderr.count(b"\n") == 1 and b"cannot write " + bucket.encode() in lost.stderr, lost.stderr
    for name, value in far.items():
        monkeypatch.setenv(name, value)
    type(near).clear_instance_cache()
    again = door("summarize", "a.log", *where)
    assert again.returncode == 73 and again.stdout == text, "for a while it is not asked"
    monkeypatch.setattr(remote, "_LOST", {})
    assert json.loads(door("results", "list", "--json", *where[2:]).stdout)["results"] == []
    made = json.loads(door("summarize", "a.log", "--json", *where).stdout)
    assert door("results", "get", made["reference"]["id"], *where[2:]).stdout == text
    assert door("results", "verify", *where[2:]).returncode == 0


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The libraries try again as often as ever, but at once: left to themselves that is 10 s for S3, 35 for GCS, 90 for
    Azure. And so what fails at once is taken for what failed after that time."""
    import contextlib

    from mcpcompact.inputs import remote

    monkeypatch.setattr(remote, "PATIENCE", -1)
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    with contextlib.suppress(ImportError):
        import gcsfs.retry

        monkeypatch.setattr(gcsfs.retry, "min", lambda *_: 0.01, raising=False)
    with contextlib.suppress(ImportError):
        from azure.storage.blob._shared.policies_async import ExponentialRetry

        monkeypatch.setattr(ExponentialRetry, "get_backoff_time", lambda *_: 0.01)


@needs_fsspec
def test_a_large_original_goes_through_a_temporary_file(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpcompact.inputs import reading, remote

    monkeypatch.setattr(reading, "LARGE", 10_000)
    monkeypatch.setattr(remote, "AT_ONCE", 10_000)
    store = ResultStore("memory://large/kept")
    text = b"".join(log(i) for i in range(9))
    put = store.put(Original(Source(text), tool="t", content_type="log", extension=".log"))
    source = store.get(put.id).source()
    assert source.path is not None and b"".join(source.chunks()) == text


@needs_fsspec
def test_many_put_at_once_and_each_is_found() -> None:
    url = "memory://many/kept"
    texts = [log(i) for i in range(6)]

    def put(number: int) -> None:
        for text in texts:
            ResultStore(url).put(Original(Source(text), tool=f"tool{number}", content_type="log", extension=".log"))

    threads = [threading.Thread(target=put, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = ResultStore(url)
    assert store.verify() == []
    for text in texts:
        import hashlib

        assert store.get(hashlib.sha256(text).hexdigest()[:8]).source().data == text


@needs_fsspec
def test_two_put_the_same_at_once_and_the_last_describes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the writing of a meta file and the look at it, the other's comes: no damage, and no failure."""
    from mcpcompact.inputs import remote

    write, late = remote.write, True

    def overtaken(url: str, content: Any) -> int:
        nonlocal late
        size = write(url, content)
        if late and url.endswith(".meta.json"):
            late = False
            put(source=f"{source}-2")
        return size

    def put(source: str) -> str:
        meta = {"source": source}
        store = ResultStore("memory://overtaken/kept")
        return store.put(Original(Source(log(1)), tool="t", content_type="log", extension=".log", meta=meta)).id

    source = "a"
    monkeypatch.setattr(remote, "write", overtaken)
    id = put(source)
    store = ResultStore("memory://overtaken/kept")
    assert store.verify() == [] and store.get(id).source().data == log(1) and not late


@needs_fsspec
def test_a_write_that_fails_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpcompact.inputs import remote

    monkeypatch.setattr(remote, "AT_ONCE", 10)

    def blocks() -> Iterator[bytes]:
        yield b"x" * 100
        raise CannotReadError("the input broke off")

    with pytest.raises(CannotReadError):
        remote.write("memory://torn/a", blocks())
    assert remote.size("memory://torn/a") == -1


@needs_fsspec
def test_beside_and_renamed_where_objects_are_files(tmp_path: Path) -> None:
    """``local://`` is fsspec's own view of a disk: it stands for sftp, smb and others that show half a file."""
    from mcpcompact.inputs import remote

    url = f"local://{tmp_path}/deep/er/a.txt"
    assert remote.write(url, [b"one", b"two"]) == 6
    assert os.listdir(tmp_path / "deep" / "er") == ["a.txt"] and remote.read(url) == b"onetwo"
    assert remote.create(url, b"three") is False and remote.read(url) == b"onetwo"


# -- inputs and outputs ---------------------------------------------------------------------------


def test_inputs_and_outputs_on_a_store_and_a_resume(near: Any, bucket: str, door: Run, tmp_path: Path) -> None:
    for i in range(1, 5):
        near.pipe_file(f"bucket/in/d{i % 2}/f{i}.log", log(i))
    near.pipe_file("bucket/in/g.log.gz", gzip.compress(log(9)))
    near.pipe_file("bucket/in/.hidden/x.log", log(8))
    near.get("bucket/in", str(tmp_path / "in"), recursive=True)
    common = ("--budget", 150, "--results-dir", f"{bucket}/kept2")
    local = door("summarize", "in", "--output-dir", "out", *common)
    far = door("summarize", f"{bucket}/in", "--output-dir", f"{bucket}/out", *common)
    assert local.returncode == far.returncode == 0, far.stderr
    mine = {str(p.relative_to(tmp_path / "out")): p.read_bytes() for p in (tmp_path / "out").rglob("*.log")}
    assert (
        len(mine) == 5
        and {
            name.removeprefix("bucket/out/"): near.cat_file(name)
            for name in near.find("bucket/out")
            if name.endswith(".log")
        }
        == mine
    )
    again = door("summarize", f"{bucket}/in", "--output-dir", f"{bucket}/out", *common)
    assert b"0 done, 5 unchanged" in again.stderr
    near.pipe_file("bucket/in/d1/f3.log", log(33))
    near.rm_file("bucket/out/d0/f2.log")
    assert b"2 done, 3 unchanged" in door("summarize", f"{bucket}/in", "--output-dir", f"{bucket}/out", *common).stderr

    glob = door("summarize", f"{bucket}/in/*/f*.log", "--budget", 150, "--no-store")
    assert [line.split(b"/in/")[1] for line in glob.stdout.splitlines() if line.startswith(b"==> ")] == [
        b"d0/f2.log <==", b"d0/f4.log <==", b"d1/f1.log <==", b"d1/f3.log <=="
    ]  # fmt: skip
    one = door("summarize", f"{bucket}/in/d0/f2.log", "--budget", 150, "--no-store")
    assert one.stdout == door("summarize", "in/d0/f2.log", "--budget", 150, "--no-store").stdout
    assert door("count", f"{bucket}/in/d0/f2.log").returncode == 0


def test_two_processes_share_objects(near: Any, bucket: str, cli: Run, far: dict[str, str]) -> None:
    for i in range(1, 4):
        near.pipe_file(f"bucket/jobs/f{i}.log", log(i))
    args = ("summarize", f"{bucket}/jobs", "--output-dir", f"{bucket}/jobs-out", "--no-store", "--budget", 150)
    done = cli(*args, "--jobs", 2, **far)
    assert done.returncode == 0 and b"3 done" in done.stderr, done.stderr


def test_masked_before_it_is_stored(near: Any, bucket: str, door: Run, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(log(3) + f"token={SECRET}\n".encode() + log(4))
    where = ("--results-dir", f"{bucket}/masked", "--budget", 100)
    first = door("summarize", "a.log", "--mask", *where)
    assert first.returncode == 0 and b"1 secrets masked" in first.stderr
    objects = near.find("bucket/masked")
    assert len(objects) >= 3 and not [name for name in objects if SECRET.encode() in near.cat_file(name)]
    kept = near.cat_file(next(name for name in objects if name.endswith(".log")))
    near.rm_file(next(name for name in objects if name.endswith(".log")))
    door("summarize", "a.log", "--mask", *where)
    assert near.cat_file(next(name for name in near.find("bucket/masked") if name.endswith(".log"))) == kept


# -- what goes wrong ------------------------------------------------------------------------------


def test_what_is_not_there_is_one_line(near: Any, bucket: str, door: Run, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(log(3))
    for args, code, word in (
        (("summarize", f"{bucket}/none.log"), 66, b"no such file"),
        (("summarize", f"{bucket}/none/*.log"), 66, b"no file matches"),
        (("summarize", "none://x/a.log"), 78, b"none"),
        (("results", "get", "12345678", "--results-dir", f"{bucket}/empty"), 66, b"no stored result"),
    ):
        done = door(*args)
        assert (done.returncode, done.stderr.count(b"\n")) == (code, 1) and word in done.stderr, done.stderr
    lost = door(
        "summarize", "a.log", "--budget", 100, "--results-dir", f"{bucket.split(':')[0]}://no-such-bucket-here/kept"
    )
    assert lost.returncode == 73 and lost.stdout == log(3), "the original passes through"
    assert lost.stderr.count(b"\n") == 1


def test_without_the_extra_one_line_says_how_to_install_it(cli: Run, tmp_path: Path) -> None:
    (tmp_path / "absent").mkdir()
    (tmp_path / "absent" / "fsspec.py").write_text("raise ImportError('absent')\n")
    path = os.pathsep.join([str(tmp_path / "absent"), environment(tmp_path)["PYTHONPATH"]])
    done = cli("summarize", "s3://bucket/a.log", PYTHONPATH=path)
    assert done.returncode == 78 and done.stderr.count(b"\n") == 1
    assert b"pip install 'mcpcompact[remote]'" in done.stderr


# -- credentials ----------------------------------------------------------------------------------


@needs_fsspec
def test_a_signature_is_nowhere(door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A presigned address: read with it, said, stored and recorded without."""
    monkeypatch.setenv("MCPCOMPACT_TELEMETRY", "1")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "a.json").write_bytes(EVENTS)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path / "web")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        for name in ("a.json", "none.json"):
            url = f"{base}/{name}?X-Amz-Credential=AKIA&X-Amz-Signature=5ec4e7"
            for args in ((), ("--json",), ("--output-dir", "out"), ("--explain",)):
                done = door("summarize", url, "--budget", 300, *args)
                assert done.returncode == (0 if name == "a.json" else 66), done.stderr
                assert b"5ec4e7" not in done.stdout + done.stderr
    finally:
        server.shutdown()
    kept = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {".json", ".ndjson"} <= {path.suffix for path in kept}, "stored, and in the telemetry"
    assert not [path for path in kept if b"5ec4e7" in path.read_bytes()]
    assert json.loads(next(path for path in kept if path.name.endswith(".meta.json")).read_text())["source"] == "a.json"


@needs_fsspec
def test_a_password_is_in_no_line(door: Run, tmp_path: Path) -> None:
    (tmp_path / "a.log").write_bytes(log(3))
    for args in (
        ("summarize", "ftp://me:pa55@127.0.0.1:1/a.log"),
        ("summarize", "ftp://me:pa55@127.0.0.1:1/*.log"),
        ("summarize", "a.log", "--budget", "100", "--results-dir", "ftp://me:pa55@127.0.0.1:1/kept"),
        ("summarize", "a.log", "--output-dir", "ftp://me:pa55@127.0.0.1:1/out", "--no-store"),
        ("results", "list", "--results-dir", "ftp://me:pa55@127.0.0.1:1/kept"),
        ("results", "list", "--results-dir", "s3://me:pa55@bucket/kept"),  # the library takes it all for a bucket
    ):
        done = door(*args)
        assert done.returncode != 0 and b"pa55" not in done.stdout + done.stderr, done.stderr


@needs_fsspec
def test_a_password_in_the_results_directory_is_not_in_the_notice() -> None:
    store = ResultStore("memory://me:pa55@kept/x", options=" --results-dir memory://me:pa55@kept/x")
    made = Compactor(Policy(300), store, results_option=store.options).compact(EVENTS)
    assert made.reference is not None and "pa55" not in made.text + json.dumps(made.as_dict())
    assert store.get(made.reference.id).source().data == EVENTS


WORD = st.text("abcXYZ019._~-!$&*+,;=%", min_size=1, max_size=12)


@given(
    scheme=st.sampled_from(["s3", "ftp", "sftp", "https"]),
    user=WORD,
    password=WORD,
    host=st.from_regex(r"[a-z]{1,8}", fullmatch=True),
    path=WORD,
    query=WORD,
)
def test_what_is_shown_has_neither_password_nor_signature(
    scheme: str, user: str, password: str, host: str, path: str, query: str
) -> None:
    text = shown(f"{scheme}://{user}:pass{password}@{host}/{path}?sig={query}")
    assert text == f"{scheme}://{host}/{path}"
    assert (
        scrubbed(f"cannot read '{scheme}://{user}:pass{password}@{host}/x': no")
        == f"cannot read '{scheme}://{host}/x': no"
    )
    assert shown("C:/a?b=c") == "C:/a?b=c" and shown(f"{scheme}://{host}:80/{path}") == f"{scheme}://{host}:80/{path}"


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [
        (401, 74, "credentials are required"), (403, 74, "access is denied"), (404, 66, "no such object"),
        (410, 66, "no such object"), (429, 74, "try again later"), (500, 74, "try again later"),
        (503, 74, "try again later"), (451, 74, "refuses this request"),
    ],
)  # fmt: skip
@needs_fsspec
def test_what_a_web_server_answers_is_said_by_its_status(status: int, code: int, said: str, door: Run) -> None:
    class Refusing(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_HEAD = do_GET

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        done = door("summarize", f"http://127.0.0.1:{server.server_address[1]}/a.json")
        server.shutdown()
    assert done.returncode == code
    assert f"the server answered {status}: " in done.stderr.decode() and said in done.stderr.decode()
