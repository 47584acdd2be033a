"""What several test files share: the real command line in a process of its own, and the corpus when there is one."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = ROOT / "samples"

settings.register_profile("steady", deadline=None)  # a busy machine is no defect: speed is measured by the benches
settings.load_profile("steady")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # of a job in the background, and of all that it starts
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ["MCPCOMPACT_TELEMETRY"] = "0"  # tests that start a process with this environment leave no line behind

HANGS = 60.0  # processor seconds after which a test is taken to hang

BUILT: dict[str, Any] = {}
"""The commands of the command line by name, as Typer builds them: for each run anew that took a quarter of it."""

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def pytest_collection_finish() -> None:
    """What stands now stays to the end: the collector need not walk over it at each turn."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def soon() -> Iterator[None]:
    """Ends a test whose work takes minutes of the processor, as what is quadratic does; how long is for the benches."""

    def end(*_: object) -> None:
        raise AssertionError(f"no end after {HANGS:.0f} processor seconds")

    before = signal.signal(signal.SIGVTALRM, end)
    signal.setitimer(signal.ITIMER_VIRTUAL, HANGS)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def environment(home: Path, **more: str) -> dict[str, str]:
    """A clean environment: no settings of the machine, results under ``home``."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MCPCOMPACT_", "XDG_"))}
    return kept | {
        "HOME": str(home),
        "PYTHONPATH": str(ROOT),
        "MCPCOMPACT_RESULTS_DIR": str(home / "results"),
        "PYTHONDONTWRITEBYTECODE": "",
        **more,
    }


@pytest.fixture
def cli(tmp_path: Path) -> Run:
    """``cli("summarize", "-", input=b"...")``: one run in ``tmp_path``, results in ``tmp_path/results``."""

    def run(
        *args: object, input: bytes = b"", timeout: float = 60, cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "mcpcompact", *map(str, args)]
        return subprocess.run(
            command,
            input=input,
            capture_output=True,
            timeout=timeout,
            cwd=cwd or tmp_path,
            env=environment(tmp_path, **env),
        )

    return run


def log(seed: int, lines: int = 200) -> bytes:
    """A log that is another one for each seed."""
    return "".join(
        f"2026-01-01 00:00:{i % 60:02d} INFO unit-{seed} step {i * seed % 97} ok\n" for i in range(lines)
    ).encode()


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Six logs in the folders ``d0`` and ``d1`` of ``in``."""
    top = tmp_path / "in"
    for i in range(1, 7):
        path = top / f"d{i % 2}" / f"f{i}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(log(i))
    return top


def files(top: Path) -> dict[str, bytes]:
    """What stands below a directory, without a batch's journal."""
    from mcpcompact.inputs.files import JOURNAL

    return {
        str(p.relative_to(top)): p.read_bytes() for p in sorted(top.rglob("*")) if p.is_file() and p.name != JOURNAL
    }


def corpus() -> Path | None:
    """The recorded data, which is no part of the project."""
    named = os.environ.get("MCPCOMPACT_CORPUS")
    path = Path(named) if named else ROOT.parent / "shared" / "corpus"
    return path if path.is_dir() else None


@pytest.fixture
def door(tmp_path: Path) -> Run:
    """As ``cli``, in this process: for the many cases where starting Python would cost more than the case."""
    import io
    from contextlib import chdir
    from unittest.mock import patch

    from mcpcompact.cli import base
    from mcpcompact.cli.app import main
    from mcpcompact.cli.io import Environment

    build = base.load

    def load(name: str) -> Any:
        if name not in BUILT:
            BUILT[name] = build(name)
        return BUILT[name]

    def run(
        *args: object, input: bytes = b"", cwd: Path | None = None, **env: str
    ) -> subprocess.CompletedProcess[bytes]:
        out, err = io.BytesIO(), io.StringIO()
        stdout = io.TextIOWrapper(out, encoding="utf-8", errors="replace", newline="\n")
        argv = [str(arg) for arg in args]
        helps = "help" in argv[:1] or "--help" in argv or "-h" in argv  # to show help changes a command
        with (
            chdir(cwd or tmp_path),
            patch.dict(os.environ, environment(tmp_path, **env), clear=True),
            patch.object(base, "load", build if helps else load),
        ):
            code = main(argv, Environment(io.BytesIO(input), stdout, err))
            stdout.flush()
        return subprocess.CompletedProcess(argv, code, out.getvalue(), err.getvalue().encode())

    return run
