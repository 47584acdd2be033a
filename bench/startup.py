"""Start-up: whole commands against ``python -c pass`` of the same interpreter, runs interleaved, medians.

Small inputs are most of a tool's life inside an agent, so what counts is the process from start to end.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.generate import KINDS
from bench.tables import table

LIMITS = {"--version": 2.0, "--help": 2.0, "count 4 KB JSON": 5.0, "summarize 16 KB JSON": 10.0}


def documents(directory: Path) -> dict[str, Path]:
    """4 KB and 16 KB of issue records, valid JSON each."""
    rows = json.loads(KINDS["issues"](1).text)
    out = {}
    for size in (4096, 16_384):
        taken: list[object] = []
        while len(json.dumps(taken)) < size:
            taken.append(rows[len(taken)])
        path = directory / f"{size // 1024}k.json"
        path.write_text(json.dumps(taken))
        out[path.name] = path
    return out


def measure(commands: dict[str, list[str]], runs: int, environment: dict[str, str]) -> dict[str, list[float]]:
    """Seconds of each command, one run of each after the other: drift of the machine hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(runs + 1):
        for name, command in commands.items():
            started = time.perf_counter()
            done = subprocess.run(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, check=False
            )
            seconds = time.perf_counter() - started
            if done.returncode:
                raise SystemExit(f"{name} failed: {done.stderr.decode()[-300:]}")
            if turn:  # the first one warms the disk cache and writes bytecode
                times[name].append(seconds)
    return times


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.startup", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="startup-") as name:
        directory = Path(name)
        inputs = documents(directory)
        environment = {**os.environ, "MCPCOMPACT_RESULTS_DIR": str(directory / "results")}
        script = Path(sys.executable).parent / "mcpcompact"
        ours = [str(script)] if script.exists() else [sys.executable, "-m", "mcpcompact"]
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "--version": [*ours, "--version"],
            "--help": [*ours, "--help"],
            "count 4 KB JSON": [*ours, "count", str(inputs["4k.json"])],
            "summarize 16 KB JSON": [*ours, "summarize", "--threshold", "1000", str(inputs["16k.json"])],
        }
        times = measure(commands, args.runs, environment)
    bare = statistics.median(times["python -c pass"])
    found = {name: statistics.median(values) for name, values in times.items()}
    if args.json:
        print(json.dumps({name: {"seconds": value, "ratio": value / bare} for name, value in found.items()}, indent=2))
        return 0
    rows = [
        [
            name,
            f"{1000 * value:.1f}",
            f"{value / bare:.2f}x",
            f"{LIMITS[name]:.0f}x" if name in LIMITS else "",
            "" if name not in LIMITS else "met" if value / bare <= LIMITS[name] else "MISSED",
        ]
        for name, value in found.items()
    ]
    print(f"median of {args.runs} interleaved runs, started as: {' '.join(Path(part).name for part in ours)}")
    print(table(["command", "ms", "ratio", "limit", ""], rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
