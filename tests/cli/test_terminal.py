"""What people see: tables, progress and pages on a pseudo-terminal; the same bytes as ever off it."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import sys
import termios
from pathlib import Path

import pytest
from conftest import SAMPLES, Run, environment, log

ESCAPE = re.compile(r"\x1b\[[\d;?]*[A-Za-z]")
SERVICES = json.dumps({"services": [{"name": f"unit-{i}", "up": True, "port": i} for i in range(400)]}, indent=1)

COUNT = ["count", SAMPLES / "orders.csv", SAMPLES / "health.json"]
REPLAY = ["replay", SAMPLES / "session.json", "--policy", "head:300"]


def terminal(home: Path, *args: object, columns: int = 80, typed: bytes = b"", **env: str) -> str:
    """What ``mcpcompact`` writes on a terminal of so many columns and 24 lines."""
    pid, master = pty.fork()
    if pid == 0:  # pragma: no cover
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.chdir(home)
        given = {"TERM": "xterm-256color", "PAGER": "", **env}
        known = {k: v for k, v in environment(home).items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LESS")}
        os.execve(sys.executable, [sys.executable, "-m", "mcpcompact", *map(str, args)], known | given)
    shown = b""
    if typed:
        os.write(master, typed)
    try:
        while block := os.read(master, 65536):
            shown += block
    except OSError:  # the other end is closed
        pass
    assert os.waitpid(pid, 0)[1] == 0, shown
    return shown.decode().replace("\r\n", "\n")


@pytest.fixture
def stored(door: Run) -> str:
    """The id of a stored result of a tool with a long name."""
    tool = "a-tool-whose-name-is-longer-than-a-narrow-terminal-has-room-for"
    found = door("summarize", "--json", "--threshold", 0, "--tool", tool, input=SERVICES.encode())
    return str(json.loads(found.stdout)["reference"]["id"])


@pytest.mark.parametrize(
    ("columns", "args"),
    [(40, ["results", "list"]), (80, ["results", "list"]), (200, ["results", "list"]), (40, ["config", "show"]),
     (40, COUNT), (80, COUNT), (40, REPLAY), (80, REPLAY), (200, REPLAY)],
)  # fmt: skip
def test_tables_follow_the_width(tmp_path: Path, stored: str, columns: int, args: list[object]) -> None:
    told = ESCAPE.sub("", terminal(tmp_path, *args, columns=columns))
    table = [line for line in told.splitlines() if "  " in line.strip()]
    assert table
    assert max(map(len, table)) <= columns


def test_a_wide_terminal_shows_names_whole_and_prose_ends_between_words(tmp_path: Path, stored: str, cli: Run) -> None:
    assert "narrow-terminal-has-room-for" in ESCAPE.sub("", terminal(tmp_path, "results", "list", columns=200))
    lines = ESCAPE.sub("", terminal(tmp_path, *REPLAY, columns=60)).split("\n\n")[0].splitlines()
    assert len(lines) > 3
    assert max(map(len, lines)) <= 60
    assert " ".join(lines).split() == cli(*REPLAY).stdout.decode().split("\n\n")[0].split()


@pytest.mark.parametrize("args", [["results", "list"], REPLAY])
def test_figures_are_never_cut_and_colour_says_nothing_alone(
    tmp_path: Path, stored: str, args: list[object], cli: Run
) -> None:
    narrow = ESCAPE.sub("", terminal(tmp_path, *args, columns=40))
    plain = cli(*args).stdout.decode()
    figures = re.compile(r"\d[\d,.]*\d%?")
    missing = set(figures.findall(plain)) - set(figures.findall(narrow))
    assert not {figure for figure in missing if "," in figure or "%" in figure}


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}, {"NO_COLOR": "1", "FORCE_COLOR": "1"}])
def test_no_escape_where_none_is_wanted(tmp_path: Path, stored: str, env: dict[str, str]) -> None:
    assert "\x1b" not in terminal(tmp_path, "results", "list", **env)


def test_colour_on_a_terminal_that_is_said_to_have_it(tmp_path: Path, stored: str) -> None:
    assert "\x1b[1m" in terminal(tmp_path, "results", "list")
    assert "\x1b" in terminal(tmp_path, *REPLAY, TERM="dumb", FORCE_COLOR="1")


def test_columns_of_the_environment_count(tmp_path: Path, stored: str) -> None:
    told = ESCAPE.sub("", terminal(tmp_path, "results", "list", columns=200, COLUMNS="50"))
    assert 40 < max(map(len, told.splitlines())) <= 50


@pytest.mark.parametrize("env", [{}, {"FORCE_COLOR": "1", "COLUMNS": "20"}])
def test_off_a_terminal_all_is_plain(cli: Run, stored: str, env: dict[str, str]) -> None:
    for args in (["results", "list"], ["config", "show"], REPLAY, ["stats"]):
        done = cli(*args, **env)
        assert b"\x1b" not in done.stdout + done.stderr
    listed = cli("results", "list", **env).stdout.decode().splitlines()
    assert re.fullmatch(r"ID {8}TOOL {38}TYPE {5}TOKENS   BYTES  AGE", listed[0])


def test_words_of_the_data_move_no_cursor(tmp_path: Path, door: Run) -> None:
    door("summarize", "--threshold", 0, "--tool", "a\x1b[2Jb", input=SERVICES.encode())
    assert "\x1b[2J" not in terminal(tmp_path, "results", "list")


def test_a_long_result_goes_through_the_pager(tmp_path: Path, stored: str) -> None:
    pager = f"{sys.executable} -c \"import sys; text = sys.stdin.read(); print('paged', text.count(chr(10)))\""
    told = terminal(tmp_path, "results", "get", stored, PAGER=pager)
    assert told == f"paged {len(SERVICES.splitlines())}\n"
    assert "\x1b[" in terminal(tmp_path, "results", "get", stored, PAGER="sh -c cat")
    assert "\x1b" not in terminal(tmp_path, "results", "get", stored, PAGER="sh -c cat", NO_COLOR="1")
    first = terminal(tmp_path, "results", "get", stored, "--no-pager", PAGER=pager)
    assert "paged" not in first
    assert "nextCursor" in first
    assert terminal(tmp_path, "results", "get", stored, "--lines", "1:5", PAGER=pager).count("\n") == 5


def test_a_pager_that_is_left_early_is_no_failure(tmp_path: Path, stored: str) -> None:
    assert terminal(tmp_path, "results", "get", stored, PAGER="true") == ""


def test_off_a_terminal_nothing_is_paged_or_highlighted(door: Run, stored: str) -> None:
    assert door("results", "get", stored, PAGER="false").stdout == SERVICES.encode()


def test_progress_of_many_inputs(tmp_path: Path, cli: Run) -> None:
    (tmp_path / "in").mkdir()
    for i in range(12):
        (tmp_path / "in" / f"{i}.log").write_bytes(log(i) * 12)  # so large that the rate is drawn before all are done
    told = terminal(tmp_path, "summarize", "in", "--output-dir", "out")
    assert re.search(r"\d+/12", ESCAPE.sub("", told))
    assert re.search(r"/s\b", told)
    quiet = cli("summarize", "in", "--output-dir", "out2")
    assert quiet.stderr.decode().splitlines()[0].startswith("[1/12] ")
