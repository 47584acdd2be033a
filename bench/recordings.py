"""Reading of recorded sessions: MB a second by format of the corpus, detection included, one core, best of three."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from pathlib import Path

from bench.tables import table
from mcpcompact.transcripts import read_transcripts

ROOT = Path(__file__).parents[1]


def size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.iterdir()) if path.is_dir() else path.stat().st_size


def seconds(paths: Sequence[Path]) -> float:
    best = float("inf")
    for _ in range(3):
        started = time.process_time()
        for path in paths:
            read_transcripts(str(path))
        best = min(best, time.process_time() - started)
    return best


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.recordings", description=__doc__.splitlines()[0])
    named = os.environ.get("MCPCOMPACT_CORPUS")
    default = Path(named) if named else ROOT.parent / "shared" / "corpus"
    parser.add_argument("--corpus", type=Path, default=default)
    args = parser.parse_args(argv)
    folder = args.corpus / "transcripts"
    if not folder.is_dir():
        print("no corpus: set MCPCOMPACT_CORPUS or name one by --corpus")
        return 66
    rows, total, spent = [], 0, 0.0
    for kind in sorted(folder.iterdir()):
        paths = sorted(kind.iterdir())
        amount, needed = sum(map(size, paths)), seconds(paths)
        total, spent = total + amount, spent + needed
        rows.append([kind.name, f"{len(paths):,}", f"{amount / 1e6:.2f}", f"{amount / 1e6 / needed:.0f}"])
    rows.append(["all", "", f"{total / 1e6:.2f}", f"{total / 1e6 / spent:.0f}"])
    print(table(["format", "files", "MB", "MB/s"], rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
