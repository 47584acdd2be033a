"""Budget: over all files of the corpus, at several budgets, tokens counted by the real tiktoken, notice included.

A violation is more tokens than the budget, a text longer than the input, less than 85 % of the
budget used where the input exceeds it fourfold, a count that differs from the oracle's, or an
original that does not come back byte for byte.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench import oracle
from bench.evidence import corpus
from bench.tables import percent, table

FOLDERS = ("tool_outputs", "logs", "sequences")
BUDGETS = (150, 300, 1000, 4000)
MIN_USE = 0.85


@dataclass(slots=True)
class Row:
    file: str
    budget: int
    content_type: str
    method: str
    before: int
    after: int
    seconds: float
    problems: list[str]
    bytes: int


def check(job: tuple[Path, str, tuple[int, ...], bool]) -> list[Row]:
    """All budgets of one file."""
    from mcpcompact import ResultStore, compact
    from mcpcompact.source import decode

    path, name, budgets, stored = job
    data = path.read_bytes()
    original = decode(data)
    before = oracle.count(original)
    rows = []
    with tempfile.TemporaryDirectory(prefix="budget-") as directory:
        store = ResultStore(directory) if stored else None
        for budget in budgets:
            problems = []
            started = time.perf_counter()
            try:
                out = compact(data, budget=budget, threshold=budget, store=store)
            except Exception as error:
                rows.append(
                    Row(name, budget, "-", "-", before, 0, 0.0, [f"raised {type(error).__name__}: {error}"], len(data))
                )
                continue
            seconds = time.perf_counter() - started
            after = oracle.count(out.text)
            if before > budget and after > budget:
                problems.append(f"over the budget: {after}")
            if len(out.text.encode("utf-8", "replace")) > max(len(data), len(original.encode())) or after > before:
                problems.append(
                    f"longer than the input: {after} of {before} tokens, {len(out.text)} of {len(original)} characters"
                )
            if before >= 4 * budget and after < MIN_USE * budget and out.method != "lossless":
                problems.append(f"unused: {after} of {budget} tokens ({out.method})")
            if after != out.tokens:
                problems.append(f"says {out.tokens} tokens, has {after}")
            if out.problem is not None:
                problems.append(f"problem: {out.problem}")
            reference = out.reference if budget == budgets[0] else None
            if store is not None and reference is not None and store.get(reference.id).source().data != data:
                problems.append("original not back")
            rows.append(Row(name, budget, out.content_type, out.method, before, after, seconds, problems, len(data)))
    return rows


def files(root: Path, folders: Sequence[str]) -> list[Path]:
    return [path for folder in folders for path in sorted((root / folder).rglob("*")) if path.is_file()]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.budget", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--corpus", type=Path, help="default: $MCPCOMPACT_CORPUS, else ../shared/corpus beside the repository"
    )
    parser.add_argument("--folders", default=",".join(FOLDERS))
    parser.add_argument("--budgets", default=",".join(map(str, BUDGETS)))
    parser.add_argument("--match", default="", help="only files whose path contains this")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth file")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--no-store", action="store_true")
    parser.add_argument("--worst", type=int, default=30, metavar="N")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    root = args.corpus or corpus()
    if not root.is_dir():
        print("no corpus: set MCPCOMPACT_CORPUS", file=sys.stderr)
        return 66
    budgets = tuple(int(value) for value in args.budgets.split(","))
    paths = [path for path in files(root, args.folders.split(",")) if args.match in str(path)][:: args.every]
    work = [(path, str(path.relative_to(root)), budgets, not args.no_store) for path in paths]
    started = time.perf_counter()
    with multiprocessing.Pool(args.jobs) as pool:
        rows = [row for found in pool.imap(check, work, chunksize=4) for row in found]
    if args.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return 0
    print(
        f"{len(paths)} files, {len(rows)} runs, {time.perf_counter() - started:.0f} s with {args.jobs} of "
        f"{os.cpu_count()} cores"
    )
    lines = []
    for budget in budgets:
        mine = [row for row in rows if row.budget == budget]
        over = [row for row in mine if row.before > budget]
        full = [row.after / budget for row in mine if row.before >= 4 * budget]
        kinds = Counter(problem.split(":")[0] for row in mine for problem in row.problems)
        lines.append(
            [
                budget,
                len(over),
                sum("over the budget" in kind for kind in kinds.elements()),
                kinds["longer than the input"],
                kinds["unused"],
                sum(kinds.values()) - kinds["over the budget"] - kinds["longer than the input"] - kinds["unused"],
                percent(sum(full), len(full)),
                percent(min(full, default=0), 1),
                percent(sum(row.before - row.after for row in over), sum(row.before for row in over)),
            ]
        )
    head = ["budget", "files over it", "over", "longer", "unused", "other", "mean use", "least use", "saved"]
    print(table(head, lines))
    worst = [row for row in rows if row.problems]
    for row in worst[: args.worst]:
        print(f"  {row.budget:>5} {row.content_type:<8} {row.file}: {'; '.join(row.problems)}")
    if len(worst) > args.worst:
        print(f"  … {len(worst) - args.worst} more")
    print("slowest:")
    for row in sorted(rows, key=lambda row: -row.seconds)[:5]:
        print(f"  {row.seconds:6.2f} s {row.bytes / 1e6:6.2f} MB {row.content_type:<8} budget {row.budget} {row.file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
