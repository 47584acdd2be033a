"""README's "Where do I put it?", ``action.yml`` and docs/ci.md: every example, in a real shell, as it stands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT, SAMPLES, environment

BASH = shutil.which("bash") or "bash"
LOG = "".join(f"2026-01-01 00:00:{i % 60:02d} INFO unit step {i} ok\n" for i in range(600)) + "ERROR disk full\n"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
Shell = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A runner's shell in a directory with logs, a server and a session; our programs are on the PATH."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, module in (("mcpcompact", "mcpcompact"), ("mcpcompact-hook", "mcpcompact.hook.entry")):
        (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" -m {module} "$@"\n')
        (programs / name).chmod(0o755)
    (programs / "python").symlink_to(sys.executable)
    (tmp_path / "logs/unit").mkdir(parents=True)
    (tmp_path / "logs/unit/test one.log").write_text(LOG + f"token {TOKEN}\n")
    (tmp_path / "logs/build.log").write_text(LOG.replace("unit", "build"))
    (tmp_path / "Makefile").write_text("test:\n\t@cat logs/build.log\n")
    shutil.copy(ROOT / "tests/integrations/mcp_server.py", tmp_path / "server.py")
    shutil.copy(SAMPLES / "session.json", tmp_path)

    def run(script: str, input: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
        env = environment(tmp_path, **variables)
        del env["MCPCOMPACT_RESULTS_DIR"]
        env["PATH"] = f"{programs}:{env['PATH']}"
        command = [BASH, "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
        return subprocess.run(command, input=input, capture_output=True, text=True, cwd=tmp_path, env=env, timeout=60)

    return run


def rows() -> list[str]:
    """The examples of README's table."""
    table = (ROOT / "README.md").read_text("utf-8").partition("## Where do I put it?")[2].partition("\n## ")[0]
    return [code.replace("\\|", "|") for code in re.findall(r"^\|[^|]*\| `(.*)` \|[^|]*\|$", table, re.MULTILINE)]


def test_the_first_example_is_what_is_printed(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    text = (ROOT / "README.md").read_text("utf-8").partition("<!-- example: begin")[2].partition("<!-- example: end")[0]
    printed = re.findall(r"```\n\$ (.*)\n((?:.*\n)*?)```", text)
    assert len(printed) == 2
    for command, output in printed:
        assert shell(command).stdout.rstrip("\n") == output.rstrip("\n")


COMMANDS = [row for row in rows() if "mcpcompact " in row]


def test_every_row_is_a_command_or_stands_in_a_page_that_is_run() -> None:
    page = (ROOT / "docs/integrations.md").read_text("utf-8")
    assert len(rows()) == 15 and all(row in page for row in rows() if row not in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_where_do_i_put_it(command: str, shell: Shell, tmp_path: Path) -> None:
    asked = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"rows"}}\n'
    done = shell(command, asked if "proxy" in command else "")
    assert done.returncode == 0, done.stderr
    if "hook install" in command:
        (settings,) = (path for path in tmp_path.glob(".*/**/*.json"))
        assert "mcpcompact" in json.dumps(json.loads(settings.read_text())["hooks"])
    elif "replay" in command:
        assert "mcpcompact" in done.stdout
    elif "--output-dir" in command:
        assert "| `logs/build.log` | log |" in done.stdout and (tmp_path / "short/unit/test one.log").is_file()
    else:
        assert "[mcpcompact]" in done.stdout and "disk full" in done.stdout and len(done.stdout) < len(LOG)


def action(shell: Shell, folder: Path, **given: str) -> tuple[int, str, dict[str, str]]:
    """The steps of action.yml as a runner runs them: the exit code of the first that fails, its summary and outputs."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
    defaults = {name: str(about.get("default", "")) for name, about in steps["inputs"].items()}
    assert all(about.get("required") for name, about in steps["inputs"].items() if "default" not in about)
    inputs = defaults | {name.replace("_", "-"): value for name, value in given.items()}
    files = {"GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "GITHUB_OUTPUT": str(folder / "output")}
    code = 0
    for step in steps["runs"]["steps"]:
        condition = re.search(r"inputs\.([\w-]+) != ''", step.get("if", ""))
        if "run" not in step or code or (condition and not inputs[condition[1]]):
            continue
        assert "${{" not in step["run"], "an input would be run as a script"
        env = {name: inputs[re.fullmatch(r"\$\{\{ inputs\.([\w-]+) \}\}", value)[1]]  # type: ignore[index]
               for name, value in step.get("env", {}).items()}  # fmt: skip
        done = shell(step["run"], GITHUB_ACTION_PATH=str(ROOT), **files, **env)
        code = done.returncode
        assert code in (0, 1), done.stderr
    said = Path(files["GITHUB_OUTPUT"]).read_text()
    return code, Path(files["GITHUB_STEP_SUMMARY"]).read_text(), dict(line.split("=", 1) for line in said.splitlines())


def test_the_steps_of_the_action(shell: Shell, tmp_path: Path) -> None:
    code, summary, outputs = action(shell, tmp_path, paths="logs/**/*.log\n\n", transcripts="session.json\n")
    assert (code, outputs) == (0, {"directory": "mcpcompact-ci"})
    assert "| `logs/unit/test one.log` | log |" in summary and "| policy |" in summary
    made = tmp_path / "mcpcompact-ci"
    short = (made / "short/unit/test one.log").read_text()
    assert "disk full" in short and len(short) < len(LOG) // 4 and "<html" in (made / "replay.html").read_text()
    fetch = re.search(r"mcpcompact results get \w+ --results-dir mcpcompact-ci/results", short)
    assert fetch is not None
    whole = shell(fetch[0] + " > whole").returncode, (tmp_path / "whole").read_text()
    assert whole[0] == 0 and whole[1].startswith(LOG) and TOKEN not in whole[1]


def test_the_gates_of_the_action(shell: Shell, tmp_path: Path) -> None:
    assert action(shell, tmp_path, paths="logs", max_tokens="100000")[0] == 0
    assert action(shell, tmp_path, paths="logs", max_tokens="700")[0] == 1
    assert action(shell, tmp_path, paths="logs", transcripts="session.json", min_savings="99.9")[0] == 1


def test_an_input_is_never_run(shell: Shell, tmp_path: Path) -> None:
    name = "$(touch made);touch made2.log"
    (tmp_path / "logs" / name).write_text(LOG)
    assert action(shell, tmp_path, paths=f"logs/{name}", output="out dir")[0] == 0
    assert not list(tmp_path.glob("made*")) and (tmp_path / "out dir/short" / name).is_file()


def test_the_jobs_of_the_page(shell: Shell, tmp_path: Path) -> None:
    github, gitlab = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/ci.md").read_text("utf-8"), re.DOTALL)
    given: dict[str, Any] = yaml.safe_load(github)["steps"][1]["with"]
    (tmp_path / "reports").mkdir()
    (tmp_path / "reports/junit.xml").write_text("<testsuite tests='0'/>")
    code, summary, _ = action(shell, tmp_path, **{name: str(value) for name, value in given.items()})
    assert code == 0 and "junit.xml" in summary
    job = yaml.safe_load(gitlab)["compact"]
    variables = {**job["variables"], "CI": "true", "CI_PROJECT_DIR": str(tmp_path)}
    done = shell("\n".join(job["before_script"] + job["script"]), **variables)
    assert done.returncode == 0, done.stderr
    assert "| `logs/build.log` | log |" in (tmp_path / "mcpcompact-ci/summary.md").read_text()
    assert shell("\n".join(job["script"]), **{**variables, "MOST": "700"}).returncode == 1
