"""Batches: what a second process is worth, and that memory does not grow with the number of files."""

from __future__ import annotations

import argparse
import os
import random
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


def timed(source: Path, place: Path, jobs: int) -> tuple[float, float]:
    """Seconds of one whole run, and the most memory."""
    command = [sys.executable, "-m", "mcpcompact", "summarize", str(source), "--jobs", str(jobs)]
    command += ["--output-dir", str(place / "out"), "--results-dir", str(place / "kept")]
    began = time.perf_counter()
    environment = os.environ | {"PYTHONPATH": str(ROOT), "MCPCOMPACT_TELEMETRY": "0"}
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
    found: list[float] = []
    watcher = threading.Thread(target=lambda: found.append(memory(process)))
    watcher.start()
    code = process.wait()
    seconds = time.perf_counter() - began
    watcher.join()
    if code:
        raise SystemExit(f"the batch ended with exit code {code}")
    return seconds, found[0]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.batch", description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=5_000)
    args = parser.parse_args(argv)
    rows = []
    for files in sorted({max(1, args.files // 10), args.files}):
        with tempfile.TemporaryDirectory(prefix="mcpcompact-bench-") as name:
            place = Path(name)
            size = make(place / "in", files)
            alone, held = timed(place / "in", place / "one", 1)
            shared, both = timed(place / "in", place / "two", 2)
            seconds = [f"{alone:.1f}", f"{shared:.1f}", f"{alone / shared:.2f}×"]
            rows.append([f"{files:,}", f"{size / 1e6:.0f}", *seconds, f"{held:.0f}", f"{both:.0f}"])
    print(table(["files", "MB", "--jobs 1, s", "--jobs 2, s", "faster", "MB held, 1", "MB held, 2"], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
