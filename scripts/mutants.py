"""Plant each mutation of ``mutations.py`` in a copy of the tree and see whether the tests notice.

    python -m scripts.mutants [--only PATTERN] [--jobs 2] [--check]

Exits 1 when fewer than 90 % are caught, 2 when an old text does not occur exactly once: then the table is to be kept up
with the code. ``--check`` looks at that alone.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from scripts.mutations import MUTATIONS, TESTS, Mutation

ROOT = Path(__file__).resolve().parent.parent
COPIED = ("mcpcompact", "tests", "bench", "samples", "scripts", "docs", "pyproject.toml", "README.md", "Makefile")
MIN_CAUGHT = 90.0  # percent
TIME = 240  # seconds for the tests of one mutation; more is no verdict


def stale(mutations: Sequence[Mutation]) -> list[str]:
    """What is wrong with the table: an old text that is gone or ambiguous, a file without tests."""
    wrong = []
    for mutation in mutations:
        times = (ROOT / "mcpcompact" / mutation.file).read_text("utf-8").count(mutation.old)
        if times != 1:
            wrong.append(f"{mutation.file}: occurs {times} times, not once: {mutation.old!r}")
        if mutation.file not in TESTS:
            wrong.append(f"{mutation.file}: no tests are named for it")
    return wrong


def copy(directory: Path) -> Path:
    tree = directory / "tree"
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tree / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        else:
            tree.mkdir(exist_ok=True)
            shutil.copy(source, tree / name)
    return tree


def caught_by(tree: Path, mutation: Mutation) -> str:
    """The test file that fails under the mutation, or empty."""
    path = tree / "mcpcompact" / mutation.file
    before = path.read_text("utf-8")
    path.write_text(before.replace(mutation.old, mutation.new), "utf-8")
    try:
        return failing(tree, TESTS[mutation.file].split())
    finally:
        path.write_text(before, "utf-8")


def failing(tree: Path, names: Sequence[str]) -> str:
    """The first of the test files that fails in the tree, or empty."""
    environment = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "MCPCOMPACT_TELEMETRY": "0"}
    until = time.monotonic() + TIME
    for name in names:
        files = list((tree / "tests").rglob(f"test_{name}.py"))
        if not files:
            continue
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", *map(str, files)]
        try:
            left = max(1.0, until - time.monotonic())
            code = subprocess.run(command, cwd=tree, env=environment, capture_output=True, timeout=left).returncode
        except subprocess.TimeoutExpired:
            return ""  # no verdict, so not caught: raise the time or name quicker tests
        if code:
            return name
    return ""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="scripts.mutants", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", metavar="PATTERN", help="those whose file or reason matches")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--check", action="store_true", help="only whether each old text occurs exactly once")
    args = parser.parse_args(argv)
    if wrong := stale(MUTATIONS):
        print("\n".join(wrong), file=sys.stderr)
        return 2
    chosen = [m for m in MUTATIONS if re.search(args.only, f"{m.file}: {m.why}")]
    if args.check or not chosen:
        print(f"{len(MUTATIONS)} mutations, each old text occurs once")
        return 0
    with tempfile.TemporaryDirectory(prefix="mutants-") as directory:
        trees: SimpleQueue[Path] = SimpleQueue()
        for job in range(args.jobs):
            trees.put(copy(Path(directory) / str(job)))

        first = sorted({TESTS[mutation.file].split()[0] for mutation in chosen})
        if red := failing(Path(directory) / "0" / "tree", first):
            print(f"test_{red}.py fails without a mutation", file=sys.stderr)
            return 2

        def tried(mutation: Mutation) -> str:
            tree = trees.get()
            try:
                seen = caught_by(tree, mutation)
            finally:
                trees.put(tree)
            verdict = f"caught by {seen}" if seen else "SURVIVED"
            print(f"{verdict:24} {mutation.file}: {mutation.why}", flush=True)
            return seen

        with ThreadPoolExecutor(args.jobs) as pool:
            results = list(pool.map(tried, chosen))
    caught = sum(map(bool, results))
    share = 100 * caught / len(chosen)
    print(f"\n{caught} of {len(chosen)} caught: {share:.0f} %")
    return 0 if share >= MIN_CAUGHT else 1


if __name__ == "__main__":
    sys.exit(main())
