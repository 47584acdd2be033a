"""``mcpcompact count`` from the outside."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpcompact import count
from mcpcompact.cli.app import main
from mcpcompact.cli.io import Environment

ROOT = Path(__file__).resolve().parents[2]


def run(*argv: str, stdin: bytes = b"") -> tuple[int, str, str]:
    env = Environment(io.BytesIO(stdin), io.StringIO(), io.StringIO())
    code = main(["count", *argv], env)
    return code, env.stdout.getvalue(), env.stderr.getvalue()  # type: ignore[attr-defined]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("hello world\n")
    (tmp_path / "b.txt").write_text("a much longer text, " * 50)
    return tmp_path


def test_stdin_exact_and_estimated_side_by_side() -> None:
    code, out, err = run(stdin=b"hello world")
    assert (code, err) == (0, "")
    head, row = out.splitlines()
    assert head.split() == ["tokens", "estimated", "lines", "bytes", "o200k_base"]
    assert row.split() == ["2", "4", "1", "11", "standard", "input"]


def test_many_files_have_a_total(files: Path) -> None:
    code, out, _ = run(str(files / "*.txt"))
    assert code == 0
    rows = out.splitlines()[1:]
    assert [row.split()[-1] for row in rows] == [str(files / "a.txt"), str(files / "b.txt"), "total"]
    numbers = [int(row.split()[0].replace(",", "")) for row in rows]
    assert numbers[0] + numbers[1] == numbers[2]
    assert len({row.index(row.split()[-1]) for row in rows}) == 1  # aligned


def test_json_is_one_object_an_input(files: Path) -> None:
    code, out, _ = run("--json", str(files / "a.txt"), str(files / "b.txt"))
    reports = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [report["file"] for report in reports] == [str(files / "a.txt"), str(files / "b.txt")]
    assert {
        "tokens",
        "estimatedTokens",
        "bytes",
        "lines",
        "contextLimit",
        "usagePercent",
        "exceedsLimit",
        "breakdown",
        "suggestions",
    } <= set(reports[0])


def test_by_file_breaks_one_total_down(files: Path) -> None:
    code, out, _ = run("--json", "--by", "file", str(files / "a.txt"), str(files / "b.txt"))
    report = json.loads(out)
    assert code == 0
    assert sum(part["tokens"] for part in report["breakdown"]) == report["tokens"]


@pytest.mark.parametrize("what", ["colour", "role,colour", ""])
def test_by_what_is_not_there_is_a_usage_error(what: str) -> None:
    code, out, err = run("--by", what, stdin=b"x")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and "--by" in err


@pytest.mark.parametrize(("limit", "code"), [("2", 0), ("1", 1), ("0", 1)])
def test_the_gate(limit: str, code: int) -> None:
    found, out, err = run("--max-tokens", limit, stdin=b"hello world")
    assert found == code
    assert out
    assert ("over the limit" in err) == bool(code)


def test_the_gate_takes_the_total(files: Path) -> None:
    code, _, err = run("--max-tokens", "250", str(files / "a.txt"), str(files / "b.txt"), "--model", "gpt-4o")
    assert code == 1
    assert "total: " in err


def test_the_gate_takes_the_high_end_of_what_is_not_exact() -> None:
    assert run("--max-tokens", "4", stdin=b"hello world")[0] == 0
    code, out, err = run("--max-tokens", "4", "--model", "claude-opus-4", stdin=b"hello world")
    assert code == 1
    assert "2 to 5" in out and "no public tokenizer" in err


def test_a_model_shows_its_window() -> None:
    _, out, _ = run("--model", "gpt-4", stdin=b"word " * 4096)
    assert "of 8,192" in out and "50.01 %" in out and "cl100k_base" in out


def test_an_estimate_is_labelled() -> None:
    _, out, _ = run("--estimate", stdin=b"x" * 400)
    assert out.split()[0] == "estimate" and "120" in out
    report = json.loads(run("--estimate", "--json", stdin=b"x" * 400)[1])
    assert (report["tokens"], report["exact"]) == (120, False)


def test_an_unknown_model_is_said() -> None:
    code, out, err = run("--model", "llama-9", stdin=b"hello world")
    assert (code, err) == (0, "mcpcompact: unknown model 'llama-9': counted with o200k_base\n")
    assert out


def test_bad_calls_and_inputs(files: Path) -> None:
    assert run("--encoding", "p50k_base", stdin=b"x")[0] == 2
    assert run("--max-tokens", "many", stdin=b"x")[0] == 2
    assert run(str(files / "none.txt"))[0] == 66
    assert run(str(files))[0] == 66
    code, out, err = run(str(files / "none.txt"), str(files / "a.txt"))
    assert code == 66
    assert "a.txt" in out and err.count("\n") == 1


def test_compressed_and_binary_input(files: Path) -> None:
    (files / "c.gz").write_bytes(gzip.compress(b"hello world"))
    assert json.loads(run("--json", str(files / "c.gz"))[1])["tokens"] == 2
    (files / "d.bin").write_bytes(bytes(range(256)) * 9)
    assert run(str(files / "d.bin"))[0] == 0
    (files / "e.txt").write_bytes(b"")
    assert json.loads(run("--json", str(files / "e.txt"))[1])["tokens"] == 0


def test_a_small_file_needs_no_heavy_import(files: Path) -> None:
    program = (
        "import sys\nfrom mcpcompact.cli.app import main\n"
        f"assert main(['count', {str(files / 'b.txt')!r}]) == 0\n"
        "bad = {'rich', 'tiktoken', 'toktok', 'mcpcompact.outline'} & set(sys.modules)\n"
        "assert not bad, bad"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr


def test_a_byte_order_mark_is_no_text(door: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "marked.csv").write_bytes(b"\xef\xbb\xbfid;name\n" + b"".join(b"%d;n%d\n" % (i, i) for i in range(900)))
    counted = json.loads(door("count", "marked.csv", "--json").stdout)["tokens"]
    assert json.loads(door("summarize", "marked.csv", "--json").stdout)["originalTokens"] == counted
    assert count("\ufeffa").tokens == count("a").tokens + 1
