"""``mcpcompact summarize`` as it is typed."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import SAMPLES, Run, environment

from mcpcompact import count

EVENTS = SAMPLES / "events.json"
LOG = SAMPLES / "service.log"
KEYS = [
    "text", "contentType", "method", "originalTokens", "tokens", "savedPercent", "itemsTotal", "itemsShown", "lossless",
    "reference", "tokenBudget", "summarized",
]  # fmt: skip


def tokens(data: bytes) -> int:
    return count(data).tokens


def test_files_and_pipes(cli: Run) -> None:
    named = cli("summarize", EVENTS, "--budget", 300)
    assert (named.returncode, named.stderr) == (0, b"")
    assert tokens(named.stdout) <= 300 and named.stdout.endswith(b"\n")
    assert b"400 records" in named.stdout and b"status=failed" in named.stdout
    for args in (("summarize", "-"), ("summarize",)):
        piped = cli(*args, "--budget", 300, input=EVENTS.read_bytes())
        assert piped.stdout == named.stdout


@pytest.mark.parametrize(
    "data",
    [b"short", b"a\r\nb\r\n", b"x\0y\n", b"\xff\xfe\x00bad utf-8 \xc3(\n", b"\xef\xbb\xbfbom", b"no end\n\n\n", b" "],
)
def test_little_comes_out_byte_for_byte(data: bytes, door: Run) -> None:
    done = door("summarize", input=data)
    assert (done.returncode, done.stdout, done.stderr) == (0, data, b"")


@pytest.mark.parametrize("above", [0, 1])
def test_the_threshold(above: int, door: Run) -> None:
    data = LOG.read_bytes()
    total = tokens(data)
    done = door("summarize", LOG, "--threshold", total - above)
    assert (done.stdout == data) == (not above)


def test_the_default_budget_and_threshold(door: Run) -> None:
    text = b"".join(b"line %d of the text\n" % i for i in range(600))
    total = tokens(text)
    assert total > 2000
    assert tokens(door("summarize", input=text).stdout) <= 1000
    assert door("summarize", "--budget", -(-total // 2), input=text).stdout == text


def test_json_has_the_documented_keys(door: Run, tmp_path: Path) -> None:
    for flags in (("--json",), ("--shape", "json")):
        found = json.loads(door("summarize", EVENTS, "--budget", 300, *flags).stdout)
        assert [key for key in found if key in KEYS] == KEYS
        assert set(found["reference"]) >= {"id", "path", "sha256", "bytes", "commands"}
        assert set(found["tokenBudget"]) == {"estimatedTokens", "budgetUsed", "budgetRemaining"}
        assert found["summarized"] == {"originalTokens": found["originalTokens"], "threshold": 600}
        assert found["tokens"] == count(found["text"]).tokens <= 300
        assert found["originalTokens"] == tokens(EVENTS.read_bytes())
        assert found["method"] == "outline" and found["contentType"] == "records" and found["itemsTotal"] == 400
        assert Path(tmp_path / found["reference"]["path"]).read_bytes() == EVENTS.read_bytes()


def test_json_of_a_short_input(door: Run) -> None:
    found = json.loads(door("summarize", "--json", input=b"short\n").stdout)
    assert (found["text"], found["method"], found["reference"], found["summarized"]) == (
        "short\n",
        "passthrough",
        None,
        None,
    )
    assert found["lossless"] and found["savedPercent"] == 0


@pytest.mark.parametrize("reader", ["mcpcompact", "shell", "read", "none"])
@pytest.mark.parametrize("notice", ["full", "short", "none"])
def test_readers_and_notices(reader: str, notice: str, door: Run) -> None:
    done = door("summarize", LOG, "--budget", 400, "--reader", reader, "--notice", notice)
    assert done.returncode == 0 and tokens(done.stdout) <= 400
    assert done.stdout.startswith(b"[mcpcompact]") == (notice != "none")
    assert (b"mcpcompact results get" in done.stdout) == (reader == "mcpcompact" and notice != "none")


def test_observations(door: Run) -> None:
    named = ("--shape", "observation", "--server", "ops", "--tool", "logs")
    done = door("summarize", LOG, "--budget", 300, *named)
    assert done.stdout.startswith(b"ops.logs: [mcpcompact] ops.logs") and tokens(done.stdout) <= 300
    assert door("summarize", *named, input=b"ready\n").stdout == b"ops.logs: ready\n"
    message = {"role": "tool", "tool_call_id": "c1", "name": "get_state", "content": "ready"}
    done = door("summarize", "--shape", "observation", input=json.dumps(message).encode())
    assert done.stdout == b"get_state: ready\n"


def test_many_files(door: Run, tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_bytes(b"short")
    names = [str(EVENTS), "short.txt", str(LOG)]
    done = door("summarize", *names, "--budget", 300)
    assert done.returncode == 0
    assert [line[4:-4] for line in done.stdout.decode().split("\n") if line.startswith("==> ")] == names
    assert b"==> short.txt <==\nshort\n" in done.stdout
    found = [json.loads(line) for line in door("summarize", *names, "--budget", 300, "--json").stdout.splitlines()]
    assert [one["file"] for one in found] == names
    assert [one["method"] for one in found] == ["outline", "passthrough", "outline"]


def test_one_bad_file_does_not_stop_the_others(door: Run) -> None:
    done = door("summarize", "missing", EVENTS, "--budget", 300)
    assert done.returncode == 66 and b"400 records" in done.stdout
    assert done.stderr == b"mcpcompact: missing: no such file or directory\n"


def test_output_dir(door: Run, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.log").write_bytes(LOG.read_bytes() + folder.encode())
    done = door("summarize", "a/x.log", "b/x.log", EVENTS, "--budget", 300, "--output-dir", "out")
    assert (done.returncode, done.stdout) == (0, b"")
    assert sorted(path.name for path in (tmp_path / "out").glob("[!.]*")) == ["events.json", "x-2.log", "x.log"]
    assert all(tokens(path.read_bytes()) <= 300 for path in (tmp_path / "out").glob("[!.]*"))
    door("summarize", EVENTS, "--budget", 300, "--output-dir", "out", "--json")
    assert json.loads((tmp_path / "out" / "events.json.json").read_bytes())["itemsTotal"] == 400
    before = (tmp_path / "a" / "x.log").read_bytes()
    done = door("summarize", "a/x.log", "--output-dir", "a")
    assert done.returncode == 2 and (tmp_path / "a" / "x.log").read_bytes() == before


def test_globs(door: Run, tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "c.md"):
        (tmp_path / name).write_text(name)
    assert door("summarize", "*.txt").stdout == b"==> a.txt <==\na.txt\n==> b.txt <==\nb.txt\n"


def test_explain_says_why_on_stderr(door: Run) -> None:
    done = door("summarize", EVENTS, "--budget", 300, "--explain")
    assert b"records (" in done.stderr and done.stdout == door("summarize", EVENTS, "--budget", 300).stdout


def test_type_overrides_detection(door: Run) -> None:
    found = json.loads(door("summarize", EVENTS, "--type", "text", "--budget", 300, "--json").stdout)
    assert found["contentType"] == "text" and found["tokens"] <= 300


def test_focus_changes_what_is_shown(door: Run) -> None:
    plain = door("summarize", LOG, "--budget", 300).stdout
    focused = door("summarize", LOG, "--budget", 300, "--focus", "GET /orders/31475").stdout
    called = door("summarize", LOG, "--budget", 300, "--args", '{"path": "override.toml"}')
    assert b"31475" in focused and b"31475" not in plain and tokens(focused) <= 300
    assert called.returncode == 0 and tokens(called.stdout) <= 300
    assert focused != plain


def test_max_chars(door: Run) -> None:
    for most in (200, 400, 1000):
        done = door("summarize", EVENTS, "--max-chars", most)
        assert done.returncode == 0 and len(done.stdout.decode()) <= most + 1


@pytest.mark.parametrize("suffix", ["gz", "zst"])
def test_packed_input(suffix: str, door: Run, tmp_path: Path) -> None:
    data = EVENTS.read_bytes()
    packed = gzip.compress(data, mtime=0) if suffix == "gz" else pytest.importorskip("zstandard").compress(data)
    (tmp_path / "in.bin").write_bytes(packed)
    found = json.loads(door("summarize", "in.bin", "--budget", 300, "--json").stdout)
    plain = json.loads(door("summarize", EVENTS, "--budget", 300, "--json").stdout)
    assert found["text"] == plain["text"]
    assert Path(found["reference"]["path"]).read_bytes() == data
    assert door("summarize", input=gzip.compress(b"short\n")).stdout == b"short\n"


def test_no_store_keeps_nothing(door: Run, tmp_path: Path) -> None:
    done = door("summarize", EVENTS, "--budget", 300, "--no-store")
    assert b"not stored" in done.stdout and b"results get" not in done.stdout
    assert not (tmp_path / "results").exists()


def test_results_dir_is_part_of_the_printed_commands(door: Run, tmp_path: Path) -> None:
    found = json.loads(door("summarize", EVENTS, "--budget", 300, "--results-dir", "kept here", "--json").stdout)
    assert all("--results-dir 'kept here'" in command for command in found["reference"]["commands"])
    assert "--results-dir 'kept here'" in found["text"]
    assert (tmp_path / "kept here").is_dir()


def test_an_unknown_model_is_said(door: Run) -> None:
    done = door("summarize", EVENTS, "--budget", 300, "--model", "no-such-model")
    assert (
        done.returncode == 0 and done.stderr == b"mcpcompact: unknown model 'no-such-model': counted with o200k_base\n"
    )
    assert b"~" in done.stdout.split(b"\n")[0]


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    many = " ".join(f"'{LOG}'" for _ in range(3))
    line = f"'{sys.executable}' -m mcpcompact summarize --threshold 999999 {many} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, env=environment(tmp_path), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, b"") and done.stdout.count(b"\n") == 1


def test_the_same_bytes_whatever_the_locale(cli: Run, tmp_path: Path) -> None:
    text = "".join(f"строка {i} 日本語 ✓ {i * 7}\n" for i in range(900)).encode()
    plain = cli("summarize", "--budget", 200, input=text)
    other = cli("summarize", "--budget", 200, input=text, LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert plain.stdout == other.stdout and plain.returncode == 0
