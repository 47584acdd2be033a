"""``python -m bench.truth``: inputs of every kind with known content, every claim of their summaries compared with it.

The summaries' own sentences are read by plain rules; what they say is compared with the generator's knowledge. Nothing
of the package's content code is used. ``--seeds`` inputs in all, budgets of 150, 300 and 1,000 tokens by turns."""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

from bench.tables import percent, table
from bench.truth.case import Case, Verdict
from bench.truth.check import check
from bench.truth.kinds import KINDS

BUDGETS = (150, 300, 1000)


def judge(kind: str, seed: int) -> tuple[Case, str, Verdict]:
    """One input at one budget; both follow from the seed."""
    from mcpcompact import compact

    case = KINDS[kind](random.Random(f"{kind}:{seed}"))
    result = compact(case.text, budget=BUDGETS[seed % 3], threshold=0, **case.known.get("call", {}))
    return case, result.text, check(case, result, BUDGETS[seed % 3])


def _run(task: tuple[str, int]) -> tuple[str, int, Verdict]:
    try:
        return (*task, judge(*task)[2])
    except Exception as error:  # a checker that dies must not hide the other inputs
        broken = Verdict()
        broken.claim(f"checker or package died: {error!r}", "died", "")
        return (*task, broken)


def shape(line: str) -> str:
    return re.sub(r"\d[\d,.]*", "N", line)[:60]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.truth", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=300, help="inputs in all")
    parser.add_argument("--first-seed", type=int, default=0, help="of each kind: others than the suite's")
    parser.add_argument("--kinds", default=",".join(KINDS), help="of these kinds only")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=3, help="false statements shown of each shape")
    parser.add_argument("--unread", type=int, default=10, help="shapes of unread lines shown")
    args = parser.parse_args(argv)
    kinds = args.kinds.split(",")
    tasks = [(kinds[i % len(kinds)], args.first_seed + i // len(kinds)) for i in range(args.seeds)]
    per: dict[str, Counter[str]] = defaultdict(Counter)
    wrong: dict[str, list[str]] = defaultdict(list)
    unread: Counter[str] = Counter()
    with ProcessPoolExecutor(args.jobs) as pool:
        for kind, seed, verdict in pool.map(_run, tasks, chunksize=8):
            per[kind].update(
                inputs=1, claims=verdict.claims, facts=verdict.fact_lines, unread=len(verdict.unread),
                false=len(verdict.false), bad=bool(verdict.false),
            )  # fmt: skip
            for line in verdict.unread:
                unread[f"{kind}: {shape(line)}"] += 1
            for found in verdict.false:
                wrong[f"{kind}: {shape(found.line)}"].append(
                    f"seed {seed}: {found.line[:400]}\n      says {found.says}, truth {found.truth}"
                )
    rows = [
        [kind, c["inputs"], f"{c['claims']:,}", c["false"], c["bad"], percent(c["facts"] - c["unread"], c["facts"])]
        for kind, c in per.items()
    ]
    total = sum(per.values(), Counter[str]())
    rows.append(["all", total["inputs"], f"{total['claims']:,}", total["false"], total["bad"],
                 percent(total["facts"] - total["unread"], total["facts"])])  # fmt: skip
    print(table(["kind", "inputs", "claims", "false", "inputs with one", "fact lines read"], rows))
    for title, examples in sorted(wrong.items(), key=lambda item: -len(item[1])):
        print(f"\n{len(examples)}× {title}")
        for example in examples[: args.show]:
            print("   ", example)
    for line, count in unread.most_common(args.unread):
        print(f"unread {count}× {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
