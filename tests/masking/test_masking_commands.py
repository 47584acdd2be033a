"""Masking in the pipeline and on the command line: nothing of a masked run can be found anywhere."""
# ruff: noqa: E501  # samples are read whole

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from conftest import Run, environment
from masked import KEY, KINDS, TOKEN, masked

from bench.masking import NAMED, core, left
from mcpcompact import McpcompactError, ResultStore, compact
from mcpcompact.masking import Masker, rules_of


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "cp037"])
@pytest.mark.parametrize("command", ["summarize", "chunk"])
@pytest.mark.parametrize("named", [False, True])
def test_other_encodings_are_masked(door: Run, tmp_path: Path, encoding: str, command: str, named: bool) -> None:
    (tmp_path / "in.txt").write_bytes(
        f"a caf\xe9 of token={TOKEN} here\n".encode(encoding) * (1 if encoding[-2:] in ("16", "32") else 9)
    )
    if encoding == "cp037" and not named:
        pytest.skip("not told from binary data")
    done = door(command, "in.txt", "--mask", *(["--encoding-in", encoding] if named else []))
    assert done.returncode == 0, done.stderr
    assert b"[secret:github-token:" in done.stdout and TOKEN.encode() not in done.stdout.replace(b"\0", b"")
    raw = [TOKEN.encode(encoding)[-60:], TOKEN.encode()]
    assert not grep(tmp_path / "results", raw) + grep(tmp_path / ".local", raw)


def grep(directory: Path, secrets: list[bytes]) -> list[str]:
    """Files under ``directory`` in which a secret stands, packed ones too."""
    hits = []
    for path in directory.rglob("*"):
        if path.is_file() and any(secret in path.read_bytes() for secret in secrets):
            hits.append(str(path))
    return hits


def everything(rng: Random) -> tuple[str, list[str]]:
    """Records with one secret of each kind in a field that names it, and the secrets."""
    rows, secrets = [], []
    for number, kind in enumerate(sorted(KINDS)):
        name = NAMED[kind][0].lower() if kind in NAMED else "value"
        secret = KINDS[kind](rng)
        secrets += core(kind, secret)
        rows += [{"id": n, "host": f"app-{n % 7}", "state": "ok"} for n in range(9 * number, 9 * number + 8)]
        rows.append({"id": 9 * number + 8, "host": "odd", "state": "failed", name: secret})
    return json.dumps(rows), secrets


def test_no_secret_of_a_masked_run_is_left_anywhere(tmp_path: Path) -> None:
    text, secrets = everything(Random(11))
    home, scratch, inputs = tmp_path / "home", tmp_path / "scratch", tmp_path / "in"
    for directory in (home, scratch, inputs):
        directory.mkdir()
    (inputs / "a.json").write_text(text)
    env = environment(home, TMPDIR=str(scratch), XDG_STATE_HOME=str(home / "state"))
    arguments = json.dumps({"token": secrets[0], "url": KINDS["https-url"](Random(11))})
    told = b""
    for argv in (
        ["summarize", "--mask", "--args", arguments, "--focus", f"password={'Zx9kk2qq'}", str(inputs / "a.json")],
        ["summarize", "--mask", "--json", str(inputs / "a.json")],
        ["summarize", "--mask", "--shape", "same", "--threshold", "900000", str(inputs / "a.json")],
        ["summarize", "--mask", "--type", "log", "--no-store", str(inputs / "a.json")],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "mcpcompact", *argv], capture_output=True, cwd=home, env=env, check=True
        )
        told += done.stdout + done.stderr
    assert b"[secret:" in told
    assert not [secret for secret in secrets if left(secret, told.decode())]
    raw = [secret.encode() for secret in secrets] + [b"Zx9kk2qq"]
    assert not grep(home, raw) + grep(scratch, raw)
    assert grep(inputs, raw[:1])


def test_a_large_stream_is_spooled_masked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    from mcpcompact.inputs import reading

    monkeypatch.setattr(reading, "LARGE", 4_096)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    data = (f"INFO token={TOKEN} ok\n" * 2_000).encode()
    source = reading.open_source("-", io.BytesIO(data), masker=Masker(KEY))
    assert source.path is not None and grep(tmp_path, [b"[secret:"]) and not grep(tmp_path, [TOKEN.encode()])
    assert source.masked == {"github-token": 2_000}
    source.close()


def test_the_key_is_the_stores(tmp_path: Path) -> None:
    store = ResultStore(str(tmp_path / "results"))
    text = json.dumps({"password": "hunter2x"})
    first, second = (compact(text, mask=True, store=store).text for _ in range(2))
    assert first == second
    assert compact(text, mask=True, store=ResultStore(str(tmp_path / "other"))).text != first
    key = tmp_path / "results" / ".mask-key"
    assert key.stat().st_size == 32 and os.stat(key).st_mode & 0o777 == 0o600


def test_masking_that_fails_stores_and_returns_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr(Masker, "_spans", broken)
    store = ResultStore(str(tmp_path / "results"))
    for value in (json.dumps({"password": "hunter2x"}), {"password": "hunter2x"}):
        with pytest.raises(McpcompactError, match="masking failed"):
            compact(value, mask=True, store=store)
    assert not grep(tmp_path, [b"hunter2x"])
    assert not store.list()


def test_masking_that_fails_on_the_command_line(door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr(Masker, "_spans", broken)
    done = door("summarize", "--mask", input=b'{"password": "hunter2x"}')
    assert (done.returncode, done.stdout) == (65, b"")
    assert b"masking failed" in done.stderr
    assert not grep(tmp_path, [b"hunter2x"])


def test_the_command_line_says_what_it_masked(door: Run) -> None:
    done = door("summarize", "--mask", "--json", input=f'{{"a": "{TOKEN}", "password": "hunter2x"}}'.encode())
    assert json.loads(done.stdout)["masked"] == {"github-token": 1, "password": 1}
    assert b"2 secrets masked (github-token 1, password 1)" in done.stderr
    plain = door("summarize", "--json", input=b'{"a": 1}')
    assert "masked" not in json.loads(plain.stdout)


def test_a_full_store_gives_the_masked_original(door: Run, tmp_path: Path) -> None:
    text, secrets = everything(Random(5))
    (tmp_path / "results").write_text("a file stands in the way")
    done = door("summarize", "--mask", input=text.encode())
    assert done.returncode == 73
    assert b"within this run only" in done.stderr
    assert not [secret for secret in secrets if left(secret, done.stdout.decode())]
    assert len(json.loads(done.stdout)) == 9 * len(KINDS)


def test_chunks_and_pages_are_masked_to_the_last(door: Run, tmp_path: Path) -> None:
    rows = [{"id": i, "token": "ghp_" + f"{i:02d}" + "a1B2c3D4" * 5} for i in range(120)]
    (tmp_path / "rows.json").write_text(json.dumps(rows))
    (tmp_path / "rows.log").write_text("".join(f"INFO {row['id']} token={row['token']} read\n" for row in rows))
    for argv in (["paginate", "rows.json", "--limit", "7", "--json"], ["chunk", "rows.log", "--tokens", "1000"]):
        first = door(*argv, "--mask")
        assert b"secrets masked (github-token 120)" in first.stderr
        cursor = json.loads(first.stdout)["nextCursor"] if argv[0] == "paginate" else ""
        second = door(*argv, "--mask", *(["--cursor", cursor] if cursor else ["--index", "2"]))
        assert second.returncode == 0, second.stderr
        assert b"[secret:github-token:" in first.stdout and b"[secret:github-token:" in second.stdout
        assert b"a1B2c3D4" not in first.stdout + second.stdout
    every = door("paginate", "rows.json", "--all", "--mask").stdout
    assert every.count(b"[secret:") == 120 and b"a1B2c3D4" not in every
    assert not grep(tmp_path / "results", [b"a1B2c3D4"]) + grep(tmp_path / ".local", [b"a1B2c3D4"])


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_batches_are_masked(door: Run, tmp_path: Path, jobs: str) -> None:
    (tmp_path / "in").mkdir()
    for n in range(4):
        text, _ = everything(Random(n))
        (tmp_path / "in" / f"{n}.json").write_text(text)
    raw = [secret.encode() for n in range(4) for secret in everything(Random(n))[1]]
    done = door("summarize", "in", "--output-dir", "out", "--mask", "--jobs", jobs)
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "out").glob("*.json"))) == 4
    assert not grep(tmp_path / "out", raw) + grep(tmp_path / "results", raw) + grep(tmp_path / ".local", raw)
    assert b"4 unchanged" in door("summarize", "in", "--output-dir", "out", "--mask", "--jobs", jobs).stderr
    assert b"4 done" in door("summarize", "in", "--output-dir", "out", "--jobs", jobs).stderr, (
        "unmasked is another output"
    )


def test_the_configuration_masks_a_tool(door: Run, tmp_path: Path) -> None:
    (tmp_path / "mcpcompact.yaml").write_text(
        'tools: {secretive: {mask: true}}\nmasking: {rules: [{name: badge, pattern: "BADGE-[0-9]{8}", literals: ["BADGE-"]}]}\n'
    )
    text = b'{"badge": "BADGE-12345678"}'
    assert b"[secret:badge:" in door("summarize", "--tool", "secretive", input=text).stdout
    assert door("summarize", "--tool", "other", input=text).stdout == text
    message = json.dumps(
        {"role": "tool", "tool_call_id": "1", "name": "secretive", "content": "x BADGE-12345678"}
    ).encode()
    assert b"BADGE-1" not in door("summarize", input=message).stdout


@pytest.mark.parametrize("command", [["chunk"], ["paginate", "--json"]])
def test_the_configuration_masks_chunks_and_pages(door: Run, tmp_path: Path, command: list[str]) -> None:
    (tmp_path / "mcpcompact.toml").write_text("[defaults]\nmask = true\n")
    done = door(*command, input=json.dumps([{"token": TOKEN}] * 3).encode())
    assert done.returncode == 0, done.stderr
    assert TOKEN.encode() not in done.stdout and b"[secret:" in done.stdout


def test_a_rule_that_backtracks_without_end_is_stopped(
    door: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mcpcompact.masking.engine.REGEX_SECONDS", 1)
    for literals in ([], ["a"]):
        own = rules_of([{"name": "bad", "pattern": "(a+)+$", "literals": literals}])
        with pytest.raises(McpcompactError, match=r"masking\.rules 'bad' takes more than 1 seconds"):
            masked("a" * 60 + "!", rules=own)


def test_a_line_that_cannot_be_masked_is_not_said(door: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no")

    monkeypatch.setattr(Masker, "_spans", broken)
    done = door("summarize", "--mask", f"missing-{TOKEN}")
    assert TOKEN.encode() not in done.stderr and b"masking failed" in done.stderr


def test_no_input_of_a_masked_command_leaves_it(tmp_path: Path, door: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    home, inputs = tmp_path / "home", tmp_path / "in"
    home.mkdir()
    inputs.mkdir()
    (inputs / f"{TOKEN}.txt").write_text("".join(f"line {n} of a text\n" for n in range(3_000)))
    talk = [{"role": role, "content": f"{role} says {TOKEN} {n}"} for n in range(3) for role in ("user", "assistant")]
    (inputs / "talk.json").write_text(json.dumps({"messages": talk}))
    env = environment(home, XDG_STATE_HOME=str(home / "state"), MCPCOMPACT_TELEMETRY="1")
    for name in ("HOME", "XDG_STATE_HOME", "MCPCOMPACT_TELEMETRY", "MCPCOMPACT_RESULTS_DIR"):
        monkeypatch.setenv(name, env[name])
    monkeypatch.chdir(home)
    server, text = f"https://u:{TOKEN}@host", str(inputs / f"{TOKEN}.txt")
    call = ["--server", server, "--tool", f"t-{TOKEN}", "--focus", TOKEN, "--args", json.dumps({"a": TOKEN})]
    small = ["--budget", "200", "--threshold", "200"]
    told = b""
    for argv in (
        ["summarize", "--history", str(inputs / "talk.json"), "--budget", "300"],
        ["summarize", text, *call, *small],
        ["summarize", text, *call, *small, "--json"],
        ["summarize", text, "--server", server, "--shape", "observation", *small],
        ["summarize", str(inputs), "--output-dir", "out", *call, *small],
        ["summarize", str(inputs), "--format", "markdown", *small],
        ["summarize", f"missing-{TOKEN}"],
        ["summarize", text, "--type", TOKEN],
        ["summarize", text, "--budget", TOKEN],
        ["summarize", text, "--model", TOKEN, *small],
        ["chunk", text, "--index", "2"],
        ["chunk", text, "--json"],
        ["chunk", f"missing-{TOKEN}"],
        ["paginate", str(inputs / "talk.json"), "--json"],
        ["paginate", f"missing-{TOKEN}", "--path", TOKEN],
    ):
        done = door(argv[0], "--mask", *argv[1:])
        told += done.stdout + done.stderr
    for argv in (["summarize", text, *call, *small, "--json"], ["paginate", f"missing-{TOKEN}", "--path", TOKEN]):
        done = subprocess.run([sys.executable, "-m", "mcpcompact", argv[0], "--mask", *argv[1:]], capture_output=True, cwd=home, env=env)  # fmt: skip
        told += done.stdout + done.stderr
    assert TOKEN.encode() not in told and told.count(b"[secret:github-token:") >= 10
    assert not grep(home, [TOKEN.encode()])
    assert not [path for path in home.rglob("*") if TOKEN in path.name]
