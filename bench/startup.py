"""Start-up of an ordinary install: processor time of whole commands against a bare Typer app, bare Python and peers.

What is measured is a wheel in a fresh environment (an editable install may cost every Python start an import hook). The
bare app is one command of the same Typer, run by the same interpreter. Runs are interleaved; medians are shown.
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bench.tables import table

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples"
COUNTED, SUMMARIZED = 4 << 10, 16 << 10  # bytes of the inputs

PEERS = {"httpie": "http", "sqlite-utils": "sqlite-utils", "llm": "llm"}
"""Command lines that people use beside it, by their package; one that does not install is left out."""

TYPES = {
    "fasta": "barcodes.fasta", "records": "events.json", "json": "health.json", "table": "orders.csv",
    "log": "service.log", "diff": "refactoring.diff", "code": "harbour.py", "markup": "status.html",
    "text": "journal.txt",
}  # fmt: skip

BARE = '''\
from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.command()
def count(file: Annotated[str, typer.Argument(help="A file.")] = "-", by: Annotated[str, typer.Option()] = "") -> None:
    """Count the bytes of a file."""
    with open(file, "rb") as stream:
        print(len(stream.read()))
'''
SCRIPT = "#!{python}\nimport sys\nfrom bare_typer import app\nsys.exit(app())\n"
TYPER = "typer>=0.20,<0.29"

LIMITS = {"--version": 1.1, "--help": 2.6, "count": 1.3, "summarize": 2.4}
"""Times what the bare Typer app takes for its own command."""
HOOKS = {"hook, nothing to do": ("ok", 3.0), "hook 16 KB log": (TYPES["log"], 12.0)}
"""The output of a tool (a sample by its name), and times what bare Python takes."""

Command = list[str]
ON_TERMINAL = "on a terminal"


def cut(name: str, size: int) -> bytes:
    """A sample of at most ``size`` bytes that is still whole of its kind."""
    data = (SAMPLES / name).read_bytes()
    if not name.endswith(".json"):
        return data[: data.rfind(b"\n", 0, size) + 1]
    value, indent = json.loads(data), 2 if data.startswith(b"{\n") else None
    rows = max((each for each in value.values() if isinstance(each, list | dict)), key=len)
    while len(text := json.dumps(value, indent=indent)) > size:
        rows.popitem() if isinstance(rows, dict) else rows.pop()
    return text.encode()


def environment_with(directory: Path, name: str, *packages: str) -> Path:
    """The ``bin`` of a virtual environment, made where it is not there yet. Raises ``CalledProcessError``."""
    place = directory / name
    if not (place / "installed").exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
        install(place / "bin", *packages)
        (place / "installed").touch()
    return place / "bin"


def install(place: Path, *words: str) -> None:
    pip = [str(place / "python"), "-m", "pip", "--disable-pip-version-check", "-q", "install", "--compile"]
    subprocess.run([*pip, *words], check=True, capture_output=True)


def wheel(directory: Path) -> Path:
    """The package as it would be published."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "wheel", "--no-deps", "-w"]
    subprocess.run([*pip, directory, ROOT], check=True)
    return max(directory.glob("mcpcompact-*.whl"), key=lambda path: path.stat().st_mtime)


def prepared(directory: Path, inputs: Path) -> dict[str, Command]:
    """Every command that is measured; the first two are what the others are compared with."""
    package = str(wheel(inputs))
    ours = environment_with(directory, "ours", package, TYPER)
    install(ours, "--force-reinstall", "--no-deps", package)  # an environment that was kept may have an older one
    (site,) = ours.parent.glob("lib/python*/site-packages")
    (site / "bare_typer.py").write_text(BARE)
    bare = ours / "bare-typer"
    bare.write_text(SCRIPT.format(python=ours / "python"))
    bare.chmod(0o755)
    counted = inputs / "counted.json"
    counted.write_bytes(cut("events.json", COUNTED))
    commands = {
        "python -c pass": [str(ours / "python"), "-c", "pass"],
        "bare Typer": [str(bare), str(counted)],
        "bare Typer --help": [str(bare), "--help"],
    }
    tool = str(ours / "mcpcompact")
    commands |= {"--version": [tool, "--version"], "--help": [tool, "--help"]}
    commands[f"--help {ON_TERMINAL}"] = [tool, "--help"]
    commands["count 4 KB"] = [tool, "count", str(counted)]
    for kind, name in TYPES.items():
        path = inputs / name
        path.write_bytes(cut(name, SUMMARIZED))
        command = [tool, "summarize", "--threshold", "1000", str(path)]
        found = subprocess.run([*command, "--json", "--no-store"], capture_output=True, check=True).stdout
        if json.loads(found)["contentType"] != kind:
            raise SystemExit(f"{name} is no {kind} any more")
        commands[f"summarize 16 KB {kind}"] = command
    for name, (output, _) in HOOKS.items():
        text = cut(output, SUMMARIZED).decode() if output in TYPES.values() else output
        call = {"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_input": {"command": "make"}}
        (inputs / name).write_text(json.dumps({**call, "tool_response": {"stdout": text, "stderr": ""}}))
        commands[name] = [str(ours / "mcpcompact-hook")]
    for package, script in PEERS.items():
        try:
            place = environment_with(directory, package, package)
        except subprocess.CalledProcessError:
            print(f"{package} does not install here: left out", file=sys.stderr)
            continue
        commands |= {f"{script} {option}": [str(place / script), option] for option in ("--version", "--help")}
    return commands


def processor(command: Command, terminal: bool, given: Path, environment: dict[str, str]) -> float:
    """Seconds of the processor that a command takes, its own children included. ``given``: its standard input."""
    reading, writing = pty.openpty() if terminal else os.pipe()
    with open(given, "rb") as source:
        process = subprocess.Popen(command, stdin=source, stdout=writing, stderr=subprocess.STDOUT, env=environment)
    os.close(writing)
    said = b""
    with open(reading, "rb", buffering=0) as stream, suppress(OSError):  # how a terminal says that it is over
        while block := stream.read(1 << 16):
            said += block
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {said.decode()[-300:]}")
    return used.ru_utime + used.ru_stime


def medians(commands: dict[str, Command], runs: int, environment: dict[str, str]) -> dict[str, float]:
    """One run of each after the other, so that drift of the machine hits all alike; the first one warms caches."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            given = Path(environment["HOME"]) / name if name in HOOKS else Path(os.devnull)
            seconds = processor(command, name.endswith(ON_TERMINAL), given, environment)
            if turn:
                times[name].append(seconds)
    return {name: statistics.median(values) for name, values in times.items()}


def verdict(name: str, of_typer: float, of_python: float) -> list[str]:
    if name in HOOKS:
        limit, ratio = HOOKS[name][1], of_python
    elif name.split()[0] in LIMITS:
        limit, ratio = LIMITS[name.split()[0]], of_typer
    else:
        return ["", ""]
    return [f"{limit}x", "met" if ratio <= limit else "MISSED"]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.startup", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--environments", metavar="DIR", help="keep the virtual environments there, and use them again")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="startup-") as name:
        home = Path(name)
        place = Path(args.environments).absolute() if args.environments else home
        place.mkdir(parents=True, exist_ok=True)
        clean = {key: value for key, value in os.environ.items() if not key.startswith(("MCPCOMPACT_", "PYTHON"))}
        environment = {**clean, "HOME": name, "XDG_STATE_HOME": name, "XDG_CONFIG_HOME": name, "TERM": "xterm"}
        commands = prepared(place, home)
        found = medians(commands, args.runs, environment)
    python, typer = list(found.values())[:2]
    against = {name: (value / typer, value / python) for name, value in found.items()}
    if args.json:
        keys = ("seconds", "againstTyper", "againstPython")
        rows = {name: dict(zip(keys, (found[name], *against[name]), strict=True)) for name in found}
        print(json.dumps(rows, indent=2))
        return 0
    lines = [
        [name, f"{1000 * value:.1f}", f"{of_typer:.2f}x", f"{of_python:.1f}x", *verdict(name, of_typer, of_python)]
        for (name, value), (of_typer, of_python) in zip(found.items(), against.values(), strict=True)
    ]
    print(f"processor time, median of {args.runs} interleaved runs; an ordinary install in a fresh environment")
    print(table(["command", "ms", "against bare Typer", "against bare Python", "limit", ""], lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
