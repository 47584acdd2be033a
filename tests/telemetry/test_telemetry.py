"""Telemetry: no line lost, no run changed, and what ``stats`` answers from it."""
# ruff: noqa: E501  # samples are read whole

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run, environment

from mcpcompact import telemetry as record
from mcpcompact.telemetry import append, runs
from mcpcompact.telemetry.summary import summarize

ROWS = json.dumps([{"id": i, "name": f"unit-{i}", "load": i * 7 % 90} for i in range(600)]).encode()


def state(home: Path) -> Path:
    return home / ".local" / "state" / "mcpcompact"


def lines(home: Path) -> list[dict[str, Any]]:
    return list(runs(str(state(home))))


def test_a_run_is_a_line(door: Run, tmp_path: Path) -> None:
    door("summarize", "--tool", "get_rows", "--server", "api", "--budget", "300", input=ROWS)
    door("count", input=b"some words")
    door("summarize", input=b"")
    door("paginate", "-", "--limit", "2", input=ROWS)
    door("results", "--help")
    door("summarize", "--nonsense")
    first, second, third, fourth = lines(tmp_path)
    assert first["command"] == "summarize" and first["outcome"] == "ok" and first["method"] == "outline"
    assert (first["tool"], first["server"], first["contentType"]) == ("get_rows", "api", "records")
    assert first["tokens"] <= first["budget"] == 300 and first["bytes"] == len(ROWS) and first["itemsTotal"] == 600
    assert 0 < first["seconds"] < 60 and first["time"].endswith("Z")
    assert (second["command"], third["outcome"], third["exitCode"]) == ("count", "failed", 66)
    assert fourth["paginated"] is True
    assert (state(tmp_path) / record.FILE).stat().st_mode & 0o777 == 0o600


def test_many_inputs_are_a_line_each(door: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_bytes(ROWS)
    door("summarize", "a.json", "gone.json", "b.json")
    door("summarize", "a.json", "b.json", "--output-dir", "out", "--jobs", "2")
    found = lines(tmp_path)
    assert [run["outcome"] for run in found] == ["ok", "failed", "ok", "ok", "ok"]
    assert all(run["originalTokens"] == found[0]["originalTokens"] for run in found if run["outcome"] == "ok")


def test_on_and_off_give_the_same_bytes(door: Run, tmp_path: Path) -> None:
    for argv in (["--budget", "200"], ["--json"], ["--type", "log"]):
        on, off = (door("summarize", *argv, input=ROWS, **{record_env: "0"} if record_env else {}) for record_env in ("", "MCPCOMPACT_TELEMETRY"))  # fmt: skip
        assert (on.stdout, on.stderr, on.returncode) == (off.stdout, off.stderr, off.returncode)
    assert len(lines(tmp_path)) == 3


def test_the_configuration_turns_it_off(door: Run, tmp_path: Path) -> None:
    (tmp_path / "mcpcompact.toml").write_text("[defaults]\ntelemetry = false\n")
    assert door("summarize", input=ROWS).returncode == 0
    assert not state(tmp_path).exists()


def test_a_state_directory_that_cannot_be_written(door: Run, tmp_path: Path) -> None:
    good = door("summarize", input=ROWS)
    blocked = tmp_path / "blocked"
    blocked.write_text("a file")
    done = door("summarize", input=ROWS, XDG_STATE_HOME=str(blocked))
    assert (done.stdout, done.returncode) == (good.stdout, 0)
    assert done.stderr.count(b"\n") == 1 and b"not in the telemetry" in done.stderr


def test_a_full_disk(tmp_path: Path) -> None:
    append(str(state(tmp_path)), {"time": "2026-01-01T00:00:00Z", "command": "count"})
    size = (state(tmp_path) / record.FILE).stat().st_size

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, size + 20))

    def run(**more: Any) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "mcpcompact", "summarize", "--no-store"]
        env = environment(tmp_path, PYTHONDONTWRITEBYTECODE="1")
        return subprocess.run(command, input=ROWS, capture_output=True, cwd=tmp_path, env=env, **more)

    full = run(preexec_fn=limited)
    assert full.returncode == 0 and full.stderr.count(b"\n") == 1 and b"not in the telemetry" in full.stderr
    assert run().stdout == full.stdout
    assert [found["command"] for found in lines(tmp_path)] == ["count", "summarize"]


WRITER = """
import sys
from mcpcompact import telemetry as record
record.MAX_BYTES, record.KEPT = int(sys.argv[3]), 1000
for i in range(400):
    record.append(sys.argv[1], {"time": "2026-01-01T00:00:00Z", "command": "c", "who": sys.argv[2], "n": i, "pad": "x" * (i % 200)})
"""


@pytest.mark.parametrize("most", [1 << 30, 20_000])
def test_eight_writers_lose_no_line(tmp_path: Path, most: int) -> None:
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    started = [subprocess.Popen([*command, str(who), str(most)], env=env) for who in range(8)]
    assert [process.wait() for process in started] == [0] * 8
    found = [(run["who"], run["n"]) for run in runs(str(tmp_path))]
    assert sorted(found) == sorted((str(who), n) for who in range(8) for n in range(400))
    assert bool(record.rotated(str(tmp_path))) == (most == 20_000)


def test_the_oldest_files_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "MAX_BYTES", 200)
    monkeypatch.setattr(record, "KEPT", 3)
    for n in range(60):
        append(str(tmp_path), {"time": f"2026-01-01T00:00:{n:02d}Z", "command": "count", "n": n})
    assert len(record.rotated(str(tmp_path))) == 3
    kept = [run["n"] for run in runs(str(tmp_path))]
    assert kept == list(range(60 - len(kept), 60)) and len(kept) < 25


def test_a_line_is_json() -> None:
    run = {"tool": 'a"\\\n é \ud800', "n": 3, "f": 0.25, "yes": True, "no": None, "masked": {"jwt": 2}}
    assert json.loads(record.line(run)) == run


def result(**more: Any) -> dict[str, Any]:
    run = {"time": "2026-05-01T10:00:00Z", "command": "summarize", "outcome": "ok", "method": "outline", "seconds": 0.1}
    return run | {"originalTokens": 1_000, "tokens": 100, "budget": 200, "threshold": 400, "bytes": 4_000} | more


def recorded(home: Path, *found: dict[str, Any]) -> None:
    for run in found:
        append(str(state(home)), run)


def test_stats_by_tool_and_time(door: Run, tmp_path: Path) -> None:
    assert door("stats").stdout == b"no runs recorded yet\n"
    assert door("stats", "--tool", "none").stdout == b"no matching runs\n"
    recorded(
        tmp_path,
        result(tool="a", time="2026-05-01T10:00:00Z"),
        result(tool="a", time="2026-05-02T10:00:00Z", tokens=300, masked={"jwt": 2}),
        result(tool="b", time="2026-05-03T10:00:00Z", server="s", windowLeft=1_000),
        {"time": "2026-05-03T11:00:00Z", "command": "paginate", "outcome": "ok", "seconds": 0.2, "paginated": True},
        {"time": "2026-05-03T12:00:00Z", "command": "count", "outcome": "failed", "seconds": 0.3},
    )
    with (state(tmp_path) / record.FILE).open("ab") as stream:
        stream.write(b'{"torn": \n[1]\n{"command": "x"}\n')
    total = json.loads(door("stats", "--json").stdout)
    assert (total["runs"], total["results"], total["failed"]) == (5, 3, 1)
    assert (total["originalTokens"], total["tokens"], total["savedPercent"]) == (3_000, 500, 83.3)
    assert total["paginationAdoptionPercent"] == 25.0
    assert total["windowUsePercent"] == 10.0
    assert [group["tool"] for group in total["groups"]] == ["a", "b", "-"]
    assert total["groups"][0]["attributes"]["gen_ai.tool.name"] == "a"
    assert total["groups"][0]["masked"] == {"jwt": 2}
    days = json.loads(door("stats", "--json", "--by", "day").stdout)["groups"]
    assert [(day["day"], day["savedPercent"]) for day in days] == [
        ("2026-05-01", 90.0), ("2026-05-02", 70.0), ("2026-05-03", 90.0)]  # fmt: skip
    narrow = json.loads(door("stats", "--json", "--since", "2026-05-02", "--until", "2026-05-03", "--tool", "a").stdout)
    assert narrow["runs"] == 1
    assert json.loads(door("stats", "--json", "--outcome", "failed").stdout)["runs"] == 1
    assert json.loads(door("stats", "--json", "--since", "1h").stdout)["runs"] == 0
    assert door("stats", "--since", "soon").returncode == 2
    assert b"83.3 % saved" in door("stats").stdout
    assert len(lines(tmp_path)) == 5, "looking leaves no line"


def test_too_many_oversized_results_are_warned_of(door: Run, tmp_path: Path) -> None:
    recorded(tmp_path, *[result()] * 18, *[result(tokens=1_000, method="passthrough")] * 2)
    done = door("stats")
    assert b"warning: 10.0 % of the results (2 of 20) were oversized" in done.stderr
    health = json.loads(door("stats", "health").stdout)
    assert (health["status"], health["oversizedPercent"]) == ("warning", 10.0)
    assert door("stats", "health").returncode == 0


def test_prometheus(door: Run, tmp_path: Path) -> None:
    recorded(tmp_path, result(tool='a"b\\c'), result(tool="d", masked={"jwt": 1}))
    assert door("stats", "--prometheus", "out/mcpcompact.prom").returncode == 0
    text = (tmp_path / "out" / "mcpcompact.prom").read_text()
    assert 'mcpcompact_original_tokens_total{tool="a\\"b\\\\c"} 1000' in text
    assert 'mcpcompact_masked_total{kind="jwt"} 1' in text
    for line in text.splitlines():
        assert line.startswith("# ") or line.rsplit(" ", 1)[1].replace(".", "").isdigit()


def test_estimates_are_checked_on_a_hundredth() -> None:
    total, _ = summarize([result(estimatedTokens=1_000 + 30 * n, exactTokens=1_000) for n in range(20)])
    assert total.as_dict()["estimate"]["checked"] == 20
    assert any("within 20 %" in warning for warning in total.warnings())


def test_which_runs_are_checked_is_decided_by_the_content(
    door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mcpcompact.cli import policy as measuring

    texts = [b"%d " % n + ROWS for n in range(8)]
    plain = [door("summarize", "--type", "text", input=text).stdout for text in texts]
    monkeypatch.setattr(measuring, "ONE_IN", 2)
    assert [door("summarize", "--type", "text", input=text).stdout for text in texts] == plain
    found = lines(tmp_path)[8:]
    checked = [run for run in found if "exactTokens" in run]
    assert 0 < len(checked) < 8
    assert all(abs(run["estimatedTokens"] - run["exactTokens"]) <= 0.2 * run["exactTokens"] for run in checked)
