"""Batches: what a second process is worth, that memory does not grow with the number of files, and (``--stop``) that a
batch stopped by SIGINT or SIGKILL leaves whole files, and a second run does the rest."""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from bench.tables import table

ROOT = Path(__file__).resolve().parent.parent


def make(directory: Path, files: int) -> int:
    """``files`` logs of 10 to 40 KB in twenty directories; returns their bytes."""
    chance = random.Random(7)
    total = 0
    for number in range(files):
        path = directory / f"d{number % 20:02}" / f"f{number:05}.log"
        path.parent.mkdir(parents=True, exist_ok=True)
        levels = ("INFO", "INFO", "INFO", "WARN", "ERROR")
        text = "".join(
            f"2026-01-01T{i // 3600:02}:{i // 60 % 60:02}:{i % 60:02} {chance.choice(levels)} "
            f"svc-{chance.randrange(9)} "
            f"request {chance.randrange(10**6)} took {chance.randrange(90)} ms\n"
            for i in range(chance.randrange(140, 560))
        )
        total += path.write_text(text)
    return total


def memory(process: subprocess.Popen[bytes]) -> float:
    """The most MB that the process and its children held together, sampled while it runs."""
    most = 0.0
    while process.poll() is None:
        pids = [process.pid]
        with suppress(OSError):
            pids += map(int, Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split())
        held = 0
        for pid in pids:
            try:
                held += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            except (OSError, IndexError):
                continue
        most = max(most, held * os.sysconf("SC_PAGE_SIZE") / 1e6)
        time.sleep(0.05)
    return most


def started(place: Path, run: str, jobs: int) -> subprocess.Popen[bytes]:
    """A batch over ``place/in`` in a directory of its own, in a process group of its own."""
    here = place / run
    here.mkdir(exist_ok=True)
    command = [sys.executable, "-m", "mcpcompact", "summarize", "../in", "--jobs", str(jobs)]
    command += ["--output-dir", "out", "--results-dir", "kept"]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MCPCOMPACT_TELEMETRY": "0"}
    return subprocess.Popen(
        command, stderr=subprocess.DEVNULL, env=environment, cwd=here, start_new_session=True, preexec_fn=_interruptible
    )


def _interruptible() -> None:
    """A shell that starts this in the background has SIGINT ignored, in all that it starts, too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def timed(place: Path, run: str, jobs: int) -> tuple[float, float]:
    """Seconds of one whole run, and the most memory."""
    began = time.perf_counter()
    process = started(place, run, jobs)
    found: list[float] = []
    watcher = threading.Thread(target=lambda: found.append(memory(process)))
    watcher.start()
    code = process.wait()
    seconds = time.perf_counter() - began
    watcher.join()
    if code:
        raise SystemExit(f"the batch ended with exit code {code}")
    return seconds, found[0]


def stopped(place: Path, run: str, files: int, sent: signal.Signals) -> list[object]:
    """A run that is stopped after a third of the files, and the run after it: its files beside those of a whole run."""
    whole = outputs(place / "whole")
    process = started(place, run, 2)
    while process.poll() is None and len(outputs(place / run, read=False)) * 3 < files:
        time.sleep(0.02)
    os.killpg(process.pid, sent)
    code = process.wait()
    left = outputs(place / run)
    torn = sum(whole.get(name) != data for name, data in left.items())
    process = started(place, run, 2)
    again = process.wait()
    same = outputs(place / run) == whole
    verified = subprocess.run(
        [sys.executable, "-m", "mcpcompact", "results", "verify", "--results-dir", "kept"],
        cwd=place / run, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True,
    ).returncode  # fmt: skip
    return [sent.name, code, f"{len(left):,}", torn, again, "yes" if same else "NO", "yes" if verified == 0 else "NO"]


def outputs(run: Path, read: bool = True) -> dict[str, bytes]:
    """The summaries of a run by name; names that begin with a dot are the journal's and unfinished ones."""
    found = (p for p in (run / "out").rglob("*") if p.is_file() and not p.name.startswith("."))
    return {str(p.relative_to(run)): p.read_bytes() if read else b"" for p in found}


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.batch", description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--stop", action="store_true", help="stop batches and go on with them, instead of timing")
    args = parser.parse_args(argv)
    if args.stop:
        with tempfile.TemporaryDirectory(prefix="mcpcompact-bench-") as name:
            place = Path(name)
            make(place / "in", args.files)
            timed(place, "whole", 2)
            rows = [stopped(place, sent.name, args.files, sent) for sent in (signal.SIGINT, signal.SIGKILL)]
        head = ["signal", "exit", f"of {args.files:,} done", "torn", "exit of the second run", "all as in a whole run"]
        print(table([*head, "all originals verify"], rows))
        return int(any(row[3] or row[4] or "NO" in row for row in rows))
    rows = []
    for files in sorted({max(1, args.files // 10), args.files}):
        with tempfile.TemporaryDirectory(prefix="mcpcompact-bench-") as name:
            place = Path(name)
            size = make(place / "in", files)
            alone, held = timed(place, "one", 1)
            shared, both = timed(place, "two", 2)
            seconds = [f"{alone:.1f}", f"{shared:.1f}", f"{alone / shared:.2f}×"]
            rows.append([f"{files:,}", f"{size / 1e6:.0f}", *seconds, f"{held:.0f}", f"{both:.0f}"])
    print(table(["files", "MB", "--jobs 1, s", "--jobs 2, s", "faster", "MB held, 1", "MB held, 2"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
