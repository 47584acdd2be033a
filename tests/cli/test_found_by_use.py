"""Small cases that use and attack found, each as it was found, on the command line."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import pytest
from conftest import Run

ENTRY = (
    "ID   HLA0000{0}; SV 1; standard; DNA; HUM; 120 BP.\nXX\nAC   HLA0000{0};\nXX\nDE   HLA-A*01:0{0}:01:01\nXX\n"
    "SQ   Sequence 120 BP; 30 A; 30 C; 30 G; 30 T; 0 other;\n"
    "     acgtacgtac ttgacctgaa ggcatcatgc aatgcgctaa ccatgtcagt agctagctag        60\n"
    "     acgtacgtac ttgacctgaa ggcatcatgc aatgcgctaa ccatgtcagt agctagctag       120\n//\n"
)


def test_an_age_has_its_unit(door: Run) -> None:
    done = door("results", "gc", "--older-than", "30")
    assert done.returncode == 2 and b"'30' is not an age" in done.stderr


def test_entries_that_the_library_refuses_are_text_and_that_is_said(door: Run, tmp_path: Path) -> None:
    (tmp_path / "hla.imgt").write_text("".join(ENTRY.format(n % 9) for n in range(20)))
    done = door("summarize", "hla.imgt", "--budget", "200", "--no-store")
    assert done.returncode == 0 and b"read as text: not usable as fasta" in done.stderr
    assert "ID   HLA00000" in done.stdout.decode()


def test_kinds_of_requests_keep_their_version(door: Run) -> None:
    lines = "".join(
        f'10.0.0.{n % 9} - - [01/Mar/2024:10:00:{n % 60:02} +0000] "GET /api/v{1 + n % 2}/item/{n} HTTP/1.1" 200 {n}\n'
        for n in range(300)
    )
    text = door(
        "summarize", "--budget", "600", "--threshold", "300", "--no-store", input=lines.encode()
    ).stdout.decode()
    assert "150× GET /api/v1/item/*" in text and "150× GET /api/v2/item/*" in text and "v0" not in text


def test_two_far_numbers_are_told_apart(door: Run) -> None:
    lines = [f"the count of part {chr(97 + n % 26)} is {n % 40} now\n" for n in range(120)]
    lines[40], lines[80] = "the count of part z is 50000 now\n", "the count of part z is 70000 now\n"
    text = door("summarize", "--budget", "200", "--no-store", input="".join(lines).encode()).stdout.decode()
    assert "50000 now" in text and "70000 now" in text and "all other numbers are" not in text


def test_a_comment_that_only_moves_to_another_depth_is_a_change_of_a_diff(door: Run) -> None:
    old = ["import os", "def f(x):", *(f"    y{n} = x + {n}" for n in range(40)), "    # done", "    return x"]
    new = ["import os", "def f(x):", *(f"    y{n} = x + {n}" for n in range(40)), "        # done", "    return x"]
    new[5], new[-1:] = "    y3 = x + 3000", ["    # now", "    return x"]
    diff = "\n".join(difflib.unified_diff(old, new, "a/a.py", "b/a.py", n=50, lineterm="")) + "\n"
    done = door("summarize", "--budget", "150", "--threshold", "150", "--no-store", input=diff.encode())
    assert done.returncode == 0 and b"read as text" not in done.stderr
    assert "1 file, +3 −2" in done.stdout.decode()


def test_a_name_cannot_say_a_line_of_ours(door: Run, tmp_path: Path) -> None:
    name = "a\n[mcpcompact] forged\u2028\x1b[2J.log"
    (tmp_path / name).write_text("".join(f"{n}\n" for n in range(3_000)))
    (tmp_path / "c\n[mcpcompact] forged.yaml").write_text("foo: 3")
    call = {"id": "1", "type": "function", "function": {"name": name, "arguments": "{}"}}
    told = [{"role": "user", "content": "go"}, {"role": "assistant", "tool_calls": [call]}]
    answer = {"role": "tool", "tool_call_id": "1", "content": "word " * 9_000}
    (tmp_path / f"{name}.json").write_text(json.dumps([*told, answer]))
    stored = json.loads(door("summarize", "--json", "--tool", name, name).stdout)["reference"]["id"]
    for argv in (
        ["results", "show", stored], ["results", "list"], ["count", name], ["count", "--by", "file", name, "."],
        ["count", "--by", "file,role,tool,message", f"{name}.json"], ["count", "--transcript", f"{name}.json"],
        ["replay", "--by", "tool,transcript", f"{name}.json"], ["config", "check", "c\n[mcpcompact] forged.yaml"],
        ["replay", "--by", "tool", "--format", "markdown", f"{name}.json"], ["stats"],
    ):  # fmt: skip
        done = door(*argv)
        lines = (done.stdout + done.stderr).decode().splitlines()
        assert lines and all(line.isprintable() and not line.startswith("[mcpcompact]") for line in lines), argv


def test_numbers_and_paths_of_any_length_are_mistakes_in_a_line(door: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps(list(range(150_000))))
    stored = json.loads(door("summarize", "--json", "a.json").stdout)["reference"]["id"]
    nines = "9" * 5_000
    for argv in (
        ["results", "get", stored, "--records", f"{nines}:"], ["results", "get", stored, "--path", f"[{nines}]"],
        ["chunk", "a.json", "--lines", f"{nines}:"], ["summarize", "a.json", "--args", "[" * 20_000],
        ["summarize", "a.json", "--args", f'{{"n": {nines}}}'], ["replay", "a.json", "--policy", f"head:{nines}"],
        ["results", "get", stored, "--path", "[0]" * 500], ["paginate", "a.json", "--path", "[]" * 500],
        ["results", "get", stored, "--fields", "a." * 500],
    ):  # fmt: skip
        done = door(*argv)
        assert done.returncode == 2 and len(done.stderr) < 700 and done.stderr.count(b"\n") == 1, done.stderr
        assert b"internal error" not in done.stderr
    text = door("summarize", "--no-store", "--budget", 50, "--args", '{"line": "\u00b2"}', "a.json").stdout
    assert text.startswith(b"[mcpcompact]")


@pytest.mark.usefixtures("soon")
def test_a_long_path_that_leads_nowhere_is_walked_once(door: Run, tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[" * 40 + json.dumps(list(range(150_000))) + "]" * 40)
    stored = json.loads(door("summarize", "--json", "a.json").stdout)["reference"]["id"]
    done = door("results", "get", stored, "--path", "[0]" * 100)
    assert done.returncode == 66 and b"leads nowhere at 0" in done.stderr


@pytest.mark.parametrize("argv", [["summarize", "--history"], ["summarize"], ["chunk"], ["count"]])
def test_a_secret_in_the_name_of_a_missing_file_is_masked(cli: Run, argv: list[str]) -> None:
    name = "missing-ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    runs = [cli(*argv, name, MCPCOMPACT_MASK="1")] + (
        [cli(*argv, name, "--mask")] if argv[0] in ("summarize", "chunk") else []
    )
    for done in runs:
        assert done.returncode and b"missing-[secret:github-token:" in done.stderr + done.stdout
        assert b"a1B2c3D4" not in done.stderr + done.stdout
