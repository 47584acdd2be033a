"""The command line as its user meets it: help, mistakes, completion, and the documentation made from it."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcpcompact.cli.app import COMMANDS
from mcpcompact.cli.base import PANELS, load
from scripts import usage
from tests.conftest import SAMPLES, Run, environment

ESCAPE = b"\x1b"
EVENTS = (SAMPLES / "events.json").read_bytes()


def paths() -> Iterator[tuple[str, ...]]:
    for name in COMMANDS:
        yield (name,)
        yield from ((name, inner) for inner in getattr(load(name), "commands", {}))


ALL = sorted(paths())


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_help_is_plain_off_a_terminal(door: Run, path: tuple[str, ...]) -> None:
    done = door(*path, "--help")
    text = done.stdout.decode()
    assert done.returncode == 0 and not done.stderr and ESCAPE not in done.stdout
    assert not set(text) & set("│─╭╮╰╯\b")
    assert f"\n  mcpcompact {path[0]} " in text, "a runnable example"
    assert all(len(line) <= 120 for line in text.splitlines())
    panels = [panel for panel in PANELS if panel and f"\n{panel}:\n" in text]
    assert panels == sorted(panels, key=lambda panel: text.index(f"\n{panel}:\n"))


@pytest.mark.parametrize("path", ALL, ids=" ".join)
def test_every_option_says_what_it_does(path: tuple[str, ...]) -> None:
    command = load(path[0])
    for inner in path[1:]:
        command = command.commands[inner]
    assert all(param.help and param.help.endswith(".") for param in command.params), path


def test_the_width_is_that_of_the_columns(cli: Run) -> None:
    def widest(columns: str) -> int:
        return max(map(len, cli("count", "--help", COLUMNS=columns).stdout.decode().splitlines()))

    assert widest("60") <= 60 < widest("100") <= 100


def test_defaults_and_variables_are_shown(door: Run) -> None:
    text = " ".join(door("summarize", "--help").stdout.decode().split())
    assert "[env var: MCPCOMPACT_BUDGET_TOKENS; default: (1000)]" in text
    assert "[env var: MCPCOMPACT_MODEL]" in text
    assert (
        "env var"
        not in " ".join(door("chunk", "--help").stdout.decode().split()).split("--max-chars")[1].split("--")[0]
    )


def on_terminal(*argv: str, home: Path, **env: str) -> bytes:
    """What a command writes to a pseudo terminal."""
    outer, inner = pty.openpty()
    more = {"COLUMNS": "80", "TERM": "xterm-256color", **env}
    process = subprocess.Popen(
        [sys.executable, "-m", "mcpcompact", *argv], stdout=inner, stderr=inner, env=environment(home, **more)
    )
    os.close(inner)
    said = b""
    while True:
        try:
            block = os.read(outer, 1 << 16)
        except OSError:  # the other end was closed
            break
        if not block:
            break
        said += block
    process.wait()
    os.close(outer)
    return said


def test_help_on_a_terminal_has_panels_and_colour(tmp_path: Path) -> None:
    told = on_terminal("summarize", "--help", home=tmp_path)
    assert ESCAPE in told
    text = re.sub(r"\x1b\[[0-9;]*m", "", told.decode())
    assert all(f"╭─ {panel} ─" in text for panel in PANELS[1:])
    assert "--budget" in text and "MCPCOMPACT_BUDGET_TOKENS" in text


def test_a_terminal_without_colours(tmp_path: Path) -> None:
    told = on_terminal("count", "--help", home=tmp_path, NO_COLOR="1")
    assert "╭─".encode() in told and not re.search(rb"\x1b\[[0-9;]*3[0-7]", told)
    assert ESCAPE not in on_terminal("count", "--help", home=tmp_path, TERM="dumb")


def test_nothing_at_all_is_a_mistake_with_help(door: Run) -> None:
    done = door()
    assert (done.returncode, done.stdout) == (2, b"") and b"Usage: mcpcompact" in done.stderr


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["sumarize"], "no such command 'sumarize'; did you mean summarize?"),
        (["results", "lits"], "did you mean list?"),
        (["results", "frob"], "use list, show, get, grep, verify, gc;"),
        (["results"], "use list, show, get, grep, verify, gc;"),
        (["summarize", "--bugdet", "3"], "no such option: --bugdet; did you mean --budget?"),
        (["summarize", "--style", "compct"], "did you mean compact?"),
        (["summarize", "--preset", "claud"], "did you mean claude?"),
        (["summarize", "--type", "recrods", "FILE"], "did you mean records?"),
        (["chunk", "--type", "lgo", "FILE"], "did you mean log?"),
        (["count", "--encoding", "o200k", "FILE"], "did you mean o200k_base?"),
        (["replay", "--policy", "haed-tail:9", "FILE"], "did you mean head-tail?"),
        (["count", "--max-tokens", "many"], "'many' is not a number; give 0 or more"),
        (["count", "--max-tokens"], "requires an argument"),
        (["count", "--json=1", "FILE"], "does not take a value"),
        (["chunk", "FILE", "more"], "unexpected extra argument"),
        (["replay"], "no input; name recorded sessions"),
        (["--nope"], "no such option: --nope"),
    ],
    ids=" ".join,
)
def test_a_mistake_is_one_line_that_says_what_to_do(door: Run, tmp_path: Path, argv: list[str], told: str) -> None:
    (tmp_path / "FILE").write_bytes(EVENTS)
    done = door(*argv)
    assert (done.returncode, done.stdout) == (2, b"")
    said = done.stderr.decode()
    assert said.count("\n") == 1 and said.startswith("mcpcompact: ") and told in said
    assert "see 'mcpcompact" in said or "use one of" in said or "use o200k_base" in said


def test_a_model_that_is_nearly_known(door: Run) -> None:
    assert b"did you mean gpt-4o?" in door("count", "--model", "gtp-4o", input=b"x").stderr
    assert b"did you mean" not in door("count", "--model", "my-own-model", input=b"x").stderr


def complete(home: Path, line: str, shell: str = "bash", **env: str) -> list[str]:
    """What a shell is offered for the last word of a line."""
    words = line.split(" ")
    asked = {
        "_MCPCOMPACT_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_ARGS": line,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    command = [sys.executable, "-m", "mcpcompact"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(home, **asked, **env), cwd=home)
    assert not done.stderr
    return [word for word in done.stdout.split("\n") if word.strip()]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("mcpcompact s", {"summarize", "stats"}),
        ("mcpcompact results ", {"list", "show", "get", "grep", "verify", "gc"}),
        ("mcpcompact summarize --bud", {"--budget"}),
        ("mcpcompact summarize --type re", {"records"}),
        ("mcpcompact summarize --preset ", {"codex", "claude", "vscode"}),
        ("mcpcompact count --encoding ", {"o200k_base", "cl100k_base"}),
        ("mcpcompact count --model gpt-4.1", {"gpt-4.1"}),
        ("mcpcompact replay --policy head", {"head", "head-tail"}),
    ],
)
def test_completion_offers_values(tmp_path: Path, line: str, offered: set[str]) -> None:
    assert {word.strip() for word in complete(tmp_path, line)} == offered


def test_completion_offers_what_is_stored_and_recorded(door: Run, tmp_path: Path) -> None:
    state = {"XDG_STATE_HOME": str(tmp_path / "state")}
    for tool in ("get_events", "$(touch PWNED)"):
        door("summarize", "--tool", tool, input=EVENTS + tool.encode(), MCPCOMPACT_TELEMETRY="1", **state)
    fish = complete(tmp_path, "mcpcompact results get ", "fish", **state)
    told = {line.split("\t")[1] for line in fish if "\t" in line}
    assert {word.split(",")[0] for word in told} == {"get_events", "no tool"} and all(w.endswith("s ago") for w in told)
    assert complete(tmp_path, "mcpcompact stats --tool ", **state) == ["get_events"]
    assert complete(tmp_path, "mcpcompact results get --results-dir nowhere ", **state) == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(cli: Run, shell: str) -> None:
    done = cli(_MCPCOMPACT_COMPLETE=f"source_{shell}")
    assert done.returncode == 0 and b"_MCPCOMPACT_COMPLETE" in done.stdout and b"mcpcompact" in done.stdout


def test_the_options_in_the_documentation_are_those_of_the_app() -> None:
    assert usage.PAGE.read_text("utf-8") == usage.page(), "run make usage"


def test_the_documentation_names_no_option_that_is_not_there() -> None:
    known = {"--version", "--help", "--install-completion", "--show-completion"}
    for path in ALL:
        command = load(path[0])
        for inner in path[1:]:
            command = command.commands[inner]
        known |= {name for param in command.params for name in param.opts}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", usage.PAGE.read_text("utf-8"))) <= known
