"""What a command may import, and that the static help tells the truth. ``bench.startup`` measures the times."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import mcpcompact
from mcpcompact.cli import app
from mcpcompact.content.detect import REGISTRY

ROOT = Path(__file__).parents[2]
HEAVY = {
    "Bio", "asyncio", "concurrent.futures", "dask", "http", "ijson", "importlib.metadata", "litellm", "logging",
    "multiprocessing", "numpy", "orjson", "pandas", "platformdirs", "pydantic", "requests", "rich", "selectolax",
    "tiktoken", "tokenizers", "toktok", "unicodedata", "unittest", "xml", "yaml", "zstandard",
}  # fmt: skip
"""What no command may import without need."""
PIPELINE = {f"mcpcompact.{name}" for name in ("pipeline", "content", "engine", "inputs", "results", "retrieval", "llm")}
OTHER_TYPES = {f"mcpcompact.content.{name}" for name in ("fasta", "diff", "markup", "table", "log", "code", "text")}
TELLING = {  # what the sniffers go by
    "markup.shapes", "table.layout", "table.delimited", "table.drawn", "table.rows", "table.formats", "columns",
    "columns.quantities",
    "text.commits", "text.entries", "text.hits", "text.paths", "text.sections",
}  # fmt: skip
MAX_FOR_A_LOG = 74
MAX_FOR = {"events.json": 90, "health.json": 100, "orders.csv": 91, "harbour.py": 113, "journal.txt": 117}
ROWS = [{"id": i, "name": f"unit-{i}", "state": "on" if i % 3 else "off", "load": i * 7 % 90} for i in range(300)]
NESTED = {"server": {f"port{i}": {"tls": True, "ciphers": ["a", "b", str(i)]} for i in range(300)}}


def imported(tmp_path: Path, *argv: str) -> set[str]:
    """The modules that a run of the command line leaves in ``sys.modules``, besides the interpreter's own."""
    return imported_by_each(tmp_path, argv)[0]


def imported_by_each(tmp_path: Path, *argvs: tuple[str, ...]) -> list[set[str]]:
    """Of several runs, each in a fork of a process that has imported the app."""
    program = (
        "import json, os, sys; before = set(sys.modules)\n"
        "from mcpcompact.cli.app import main\n"
        f"for argv in {[list(argv) for argv in argvs]!r}:\n"
        "    if child := os.fork():\n"
        "        os.waitpid(child, 0)\n"
        "        continue\n"
        "    code = main(argv); sys.stdout.flush()\n"
        "    print(json.dumps([code, sorted(set(sys.modules) - before)]), file=sys.stderr, flush=True)\n"
        "    os._exit(0)"
    )
    environment = {**os.environ, "MCPCOMPACT_RESULTS_DIR": str(tmp_path / "results"), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True
    )
    found = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("[")]
    assert [code for code, _ in found] == [0] * len(argvs), done.stderr
    assert done.stdout
    return [set(modules) for _, modules in found]


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_version_and_help_import_no_command(tmp_path: Path, option: str) -> None:
    modules = imported(tmp_path, option)
    assert not {name for name in modules if name.startswith("mcpcompact.cli.commands")}
    assert not modules & (HEAVY | PIPELINE)


def test_help_of_a_command_imports_that_command_only(tmp_path: Path) -> None:
    names = [name for name in app.COMMANDS if name != "replay"]
    for name, modules in zip(names, imported_by_each(tmp_path, *((name, "--help") for name in names)), strict=True):
        assert {m for m in modules if m.startswith("mcpcompact.cli.commands.")} == {f"mcpcompact.cli.commands.{name}"}
        assert not modules & (HEAVY | PIPELINE), name


def test_help_of_replay_lists_the_policies_without_running_one(tmp_path: Path) -> None:
    assert not imported(tmp_path, "replay", "--help") & PIPELINE


def test_count_imports_only_the_counter(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps(ROWS)[:4096])
    modules = imported(tmp_path, "count", str(path))
    assert not modules & HEAVY
    ours = {name.removeprefix("mcpcompact.").split(".")[0] for name in modules if name.startswith("mcpcompact.")}
    assert ours <= {"cli", "config", "errors", "inputs", "patterns", "shell", "tokens"}


@pytest.mark.parametrize(("value", "kind"), [(ROWS, "records"), (NESTED, "json")])
def test_summarize_imports_its_content_type_only(tmp_path: Path, value: object, kind: str) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps(value)[:-1] + " " * 10 + json.dumps(value)[-1])
    modules = imported(tmp_path, "summarize", str(path), "--budget", "300")
    assert f"mcpcompact.content.{kind}" in modules
    assert not modules & (HEAVY | OTHER_TYPES)


def test_a_log_that_begins_with_a_time_imports_its_own_files(tmp_path: Path) -> None:
    path = tmp_path / "in.log"
    path.write_text("".join(f"2026-11-22 10:00:{i % 60:02} INFO unit {i} took {i * 7 % 90} ms\n" for i in range(400)))
    modules = imported(tmp_path, "summarize", str(path), "--budget", "300")
    content = {name.removeprefix("mcpcompact.content.") for name in modules if name.startswith("mcpcompact.content.")}
    assert {name.split(".")[0] for name in content} == {"log", "shared", "anomalies", "detect"}
    assert len(content) <= 30


def test_a_log_imports_few_modules_of_ours(tmp_path: Path) -> None:
    """A limit that only goes down: as many as ``scripts.measure`` counts in ``docs/architecture.md``."""
    modules = imported(tmp_path, "summarize", "--budget", "500", str(ROOT / "samples" / "service.log"))
    assert sum(name.split(".")[0] == "mcpcompact" for name in modules) <= MAX_FOR_A_LOG
    needless = {"cli.completion", "cli.llm", "cli.progress", "inputs.remote", "inputs.values", "settings", "charset"}
    assert not modules & {f"mcpcompact.{name}" for name in needless | {"results.view", "tokens.models"}}


@pytest.mark.parametrize(("name", "most"), MAX_FOR.items())
def test_other_samples_import_no_more_modules_of_ours(tmp_path: Path, name: str, most: int) -> None:
    """Limits that only go down."""
    modules = imported(tmp_path, "summarize", "--budget", "500", str(ROOT / "samples" / name))
    assert sum(name.split(".")[0] == "mcpcompact" for name in modules) <= most


def test_a_log_that_begins_with_a_word_imports_of_other_types_what_tells_them(tmp_path: Path) -> None:
    path = tmp_path / "in.log"
    path.write_text(
        "".join(f"Nov 22 10:00:{i % 60:02} host unit[7]: unit {i} took {i * 7 % 90} ms\n" for i in range(400))
    )
    modules = imported(tmp_path, "summarize", str(path), "--budget", "300")
    content = {name.removeprefix("mcpcompact.content.") for name in modules if name.startswith("mcpcompact.content.")}
    others = {name for name in content if name.split(".")[0] not in ("log", "shared", "anomalies", "detect")}
    doors = set(REGISTRY) - {"log"}
    assert others <= doors | {f"{name}.sniff" for name in doors} | TELLING
    assert len(content) <= 52


def test_a_call_that_names_nothing_of_the_result_imports_no_reader_of_parts(tmp_path: Path) -> None:
    path = tmp_path / "in.json"
    path.write_text(json.dumps(ROWS))
    argv = ("summarize", str(path), "--budget", "300", "--no-store", "--args")
    for arguments, named in (('{"command": "make"}', False), ('{"name": "unit-217"}', True)):
        modules = imported(tmp_path, *argv, arguments)
        assert ("mcpcompact.engine.asked" in modules) is named


def test_the_results_directory_is_found_cheaply(tmp_path: Path) -> None:
    program = "import sys; from mcpcompact.config import results_dir; results_dir(); print(*sys.modules)"
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MCPCOMPACT_")} | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env=environment, check=True
    )
    assert sys.platform != "linux" or "platformdirs" not in done.stdout.split()


def test_every_command_has_its_file_and_a_line() -> None:
    files = {path.stem for path in (ROOT / "mcpcompact" / "cli" / "commands").glob("*.py")} - {"__init__"}
    assert set(app.COMMANDS) == files


def test_version_and_help_as_processes(tmp_path: Path) -> None:
    def run(*argv: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "mcpcompact", *argv], capture_output=True, text=True, cwd=ROOT, check=True
        )
        assert not done.stderr
        return done.stdout

    assert run("--version") == run("-V") == f"mcpcompact {mcpcompact.__version__}\n"
    told = run("--help")
    assert told == run("-h") == run("help")
    assert all(f"  {name} " in told for name in app.COMMANDS)
    assert run("help", "count") == run("count", "-h")


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
