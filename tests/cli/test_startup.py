"""What a command may import, and that the static help tells the truth. ``bench.startup`` measures the times."""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mcpcompact
from mcpcompact.cli import app

ROOT = Path(__file__).parents[2]
HEAVY = {
    "Bio", "asyncio", "concurrent.futures", "dask", "dataclasses", "http", "ijson", "importlib.metadata", "inspect",
    "litellm", "logging", "multiprocessing", "numpy", "orjson", "pandas", "pathlib", "platformdirs", "pydantic",
    "requests", "rich", "selectolax", "tiktoken", "tokenizers", "toktok", "typer", "unicodedata", "unittest", "urllib",
    "xml", "yaml", "zstandard",
}  # fmt: skip
OTHER_TYPES = {f"mcpcompact.content.{name}" for name in ("fasta", "diff", "markup", "table", "log", "code", "text")}
TELLING = {  # what the sniffers go by
    "markup.shapes", "table.layout", "table.delimited", "table.rows", "table.formats", "columns", "columns.quantities",
    "text.commits", "text.entries", "text.hits", "text.paths", "text.sections", "text.seqreport",
}  # fmt: skip
ROWS = [{"id": i, "name": f"unit-{i}", "state": "on" if i % 3 else "off", "load": i * 7 % 90} for i in range(300)]
NESTED = {"server": {f"port{i}": {"tls": True, "ciphers": ["a", "b", str(i)]} for i in range(300)}}


def imported(tmp_path: Path, *argv: str) -> set[str]:
    """The modules that a run of the command line leaves in ``sys.modules``, besides the interpreter's own."""
    program = (
        "import json, sys; before = set(sys.modules)\n"
        "from mcpcompact.cli.app import main\n"
        f"code = main({list(argv)!r}); sys.stdout.flush()\n"
        "print(json.dumps([code, sorted(set(sys.modules) - before)]), file=sys.stderr)"
    )
    environment = {**os.environ, "MCPCOMPACT_RESULTS_DIR": str(tmp_path / "results"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True
    )
    code, modules = json.loads(done.stderr.splitlines()[-1])
    assert code == 0, done.stderr
    assert done.stdout
    return set(modules)


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_import_nothing(tmp_path: Path, option: str) -> None:
    assert imported(tmp_path, option) <= {"__future__", "mcpcompact", "mcpcompact.cli", "mcpcompact.cli.app"}


def test_count_imports_only_the_counter(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps(ROWS)[:4096])
    modules = imported(tmp_path, "count", str(path))
    assert not modules & HEAVY
    ours = {name.removeprefix("mcpcompact.").split(".")[0] for name in modules if name.startswith("mcpcompact.")}
    assert ours <= {"cli", "config", "errors", "patterns", "inputs", "tokens", "outline"}


@pytest.mark.parametrize(("value", "kind"), [(ROWS, "records"), (NESTED, "json")])
def test_summarize_imports_its_content_type_only(tmp_path: Path, value: object, kind: str) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps(value)[:-1] + " " * 10 + json.dumps(value)[-1])
    modules = imported(tmp_path, "summarize", str(path), "--budget", "300")
    assert f"mcpcompact.content.{kind}" in modules
    assert not modules & (HEAVY | OTHER_TYPES)


def test_a_log_imports_its_own_files_and_of_other_types_what_tells_them(tmp_path: Path) -> None:
    path = tmp_path / "in.log"
    path.write_text("".join(f"2026-11-22 10:00:{i % 60:02} INFO unit {i} took {i * 7 % 90} ms\n" for i in range(400)))
    modules = imported(tmp_path, "summarize", str(path), "--budget", "300")
    content = {name.removeprefix("mcpcompact.content.") for name in modules if name.startswith("mcpcompact.content.")}
    others = {name for name in content if name.split(".")[0] not in ("log", "shared", "anomalies", "detect")}
    doors = {"fasta", "diff", "records", "json", "markup", "table", "code", "text"}
    assert others <= doors | {f"{name}.sniff" for name in doors} | TELLING
    assert len(content) <= 60


def test_the_results_directory_is_found_cheaply(tmp_path: Path) -> None:
    program = "import sys; from mcpcompact.config import results_dir; results_dir(); print(*sys.modules)"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MCPCOMPACT_")} | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True
    )
    assert sys.platform != "linux" or "platformdirs" not in done.stdout.split()


def test_the_static_help_lists_every_command() -> None:
    text = app.help_text()
    listed = text.split("commands:\n")[1].split("\n\n")[0].splitlines()
    assert [line.split()[0] for line in listed] == list(app.COMMANDS)
    modules = {path.stem for path in (ROOT / "mcpcompact" / "cli").glob("*.py")} - {"__init__", "app", "io"}
    commands = {name for name in modules if hasattr(importlib.import_module(f"mcpcompact.cli.{name}"), "configure")}
    assert set(app.COMMANDS) == commands, "a command is missing in the registry, and so in the help"
    for name, what in app.COMMANDS.items():
        module = importlib.import_module(f"mcpcompact.cli.{name}")
        assert name == module.NAME
        assert module.HELP
        assert what in text


@pytest.mark.parametrize("name", list(app.COMMANDS))
def test_every_option_is_documented(name: str) -> None:
    import argparse

    parser = argparse.ArgumentParser()
    importlib.import_module(f"mcpcompact.cli.{name}").configure(parser)
    parsers = [parser]
    for one in parsers:
        for action in one._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += list(action.choices.values())
            else:
                assert action.help, f"{name}: {action.dest} says nothing in --help"


def test_version_and_help_as_processes(tmp_path: Path) -> None:
    def run(*argv: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "mcpcompact", *argv], capture_output=True, text=True, cwd=ROOT, check=True
        )
        assert not done.stderr
        return done.stdout

    assert run("--version") == f"mcpcompact {mcpcompact.__version__}\n"
    assert run("--help") == app.help_text()


def test_names_of_the_package_are_what_they_say() -> None:
    program = (
        "import importlib, pkgutil, types, mcpcompact\n"
        "for module in pkgutil.iter_modules(mcpcompact.__path__):\n"
        "    if module.name != '__main__': importlib.import_module(f'mcpcompact.{module.name}')\n"
        "for name in mcpcompact.__all__:\n"
        "    assert not isinstance(getattr(mcpcompact, name), types.ModuleType), name\n"
        "from mcpcompact import compact, count\n"
        "assert compact('x' * 9).text == 'x' * 9 and count('hello world').tokens == 2"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True)
