"""Telemetry: what recording a run costs, as a share of a summary of 100 KB; and eight writers at once.

In a fresh process each: the whole command without telemetry, and what telemetry adds, its imports included. The
median of the rounds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.speed import write
from mcpcompact.telemetry import runs

LIMIT = 2.0  # percent

COMMAND = """
import sys, time
start = time.perf_counter()
from mcpcompact.cli.app import main
code = main(["summarize", sys.argv[1]])
sys.stdout.flush()
print(time.perf_counter() - start, file=sys.stderr)
"""
COST = (
    COMMAND
    + """
start = time.perf_counter()
from mcpcompact.config import telemetry_dir
directory = telemetry_dir() or sys.argv[2]
from mcpcompact.telemetry import append
append(directory, {"time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "command": "summarize", "seconds": 0.1,
    "outcome": "ok", "exitCode": 0, "tool": "get_rows", "contentType": "records", "method": "outline", "tokens": 998,
    "originalTokens": 40_000, "budget": 1000, "threshold": 2000, "bytes": 100_000, "itemsTotal": 400, "itemsShown": 60})
print(time.perf_counter() - start, file=sys.stderr)
"""
)
WRITER = """
import sys
from mcpcompact import telemetry as record
record.MAX_BYTES, record.KEPT = 200_000, 1_000
for i in range(int(sys.argv[2])):
    record.append(sys.argv[1], {"time": "2026-01-01T00:00:00Z", "command": "c", "n": i, "pad": "x" * (i % 300)})
"""


def seconds(program: str, path: Path, state: Path) -> float:
    environment = {**os.environ, "MCPCOMPACT_TELEMETRY": "0", "MCPCOMPACT_RESULTS_DIR": str(state / "results")}
    done = subprocess.run(
        [sys.executable, "-c", program, str(path), str(state)],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    return float(done.stderr.split()[-1])


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.telemetry", description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--lines", type=int, default=1_000, help="lines of each of eight writers")
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="telemetry-") as name:
        state = Path(name)
        for kind in ("ndjson", "log"):
            path = state / f"input.{kind}"
            write(kind, path, 100_000)
            path.write_bytes(path.read_bytes()[:100_000])
            whole, cost = [], []
            for _ in range(args.rounds):
                whole.append(seconds(COMMAND, path, state))
                cost.append(seconds(COST, path, state))
            share = 100 * statistics.median(cost) / statistics.median(whole)
            print(
                f"100 KB of {kind}: {1000 * statistics.median(whole):.0f} ms without, "
                f"{1000 * statistics.median(cost):.2f} ms more with telemetry: {share:.2f} % (limit {LIMIT:g} %)"
            )
        shared = state / "shared"
        command = [sys.executable, "-c", WRITER, str(shared), str(args.lines)]
        started = [subprocess.Popen(command) for _ in range(8)]
        for process in started:
            process.wait()
        print(f"8 processes at once, rotating: {sum(1 for _ in runs(str(shared))):,} of {8 * args.lines:,} lines there")
    return 0


if __name__ == "__main__":
    sys.exit(main())
