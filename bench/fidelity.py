"""Fidelity: how much a summary saves, whether it shows the anomaly, states the count, and gives the original back.

Generated inputs with three planted anomalies each (loud; numeric outlier; rare value without a
severity word), at the default budget, beside head-tail at the same budget. A needle counts only
when it stands verbatim in the text that the reader gets; tokens are counted by the real tiktoken.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from bench import baselines, oracle
from bench.generate import FIELD, KINDS, Case
from bench.generate.blind import BLIND, BLIND_FIELD
from bench.tables import percent, table

TARGETS = {"saved": 98.0, "shown": 97.0, "counted": 100.0, "back": 100.0}
CLASSES = ("loud", "outlier", "rare")
SETS = {"first": (KINDS, FIELD), "blind": (BLIND, BLIND_FIELD)}
ALL = {**KINDS, **BLIND}


@dataclass(slots=True)
class Score:
    """Sums over the cases of one kind and one method."""

    cases: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    shown: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CLASSES, 0))
    counted: int = 0
    back: int = 0
    over: int = 0
    seconds: float = 0.0

    def add(self, other: Score) -> None:
        for name in ("cases", "tokens_in", "tokens_out", "counted", "back", "over", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for what in CLASSES:
            self.shown[what] += other.shown[what]

    @property
    def all_shown(self) -> int:
        return sum(self.shown.values())


@dataclass(slots=True)
class Outcome:
    kind: str
    seed: int
    content_type: str
    ours: Score
    plain: Score
    missed: list[str]


def judge(case: Case, summary: str, tokens_in: int, budget: int) -> Score:
    """Score one summary of one case (``back`` and ``seconds`` are the caller's)."""
    tokens = oracle.count(summary)
    shown = {planted.what: int(planted.shown(summary)) for planted in case.planted}
    return Score(1, tokens_in, tokens, shown, int(case.counted(summary)), 0, int(tokens > budget), 0.0)


def summarize(case: Case, budget: int, directory: str | None = None) -> tuple[str, str, bool, float]:
    """Our text, the content type seen, whether the original came back byte for byte, seconds."""
    from mcpcompact import ResultStore, compact

    store = ResultStore(directory) if directory else None
    data = case.text.encode()
    started = time.perf_counter()
    outcome = compact(data, budget=budget, tool=case.tool, store=store)
    seconds = time.perf_counter() - started
    back = False
    if store is not None and outcome.reference is not None:
        back = store.get(outcome.reference.id).source().data == data
    elif outcome.method == "passthrough":
        back = outcome.text == case.text
    return outcome.text, outcome.content_type, back, seconds


def run(job: tuple[str, int, int]) -> Outcome:
    kind, seed, budget = job
    case = ALL[kind](seed)
    tokens_in = oracle.count(case.text)
    with tempfile.TemporaryDirectory(prefix="fidelity-") as directory:
        text, content_type, back, seconds = summarize(case, budget, directory)
    ours = judge(case, text, tokens_in, budget)
    ours.back, ours.seconds = int(back), seconds
    plain = judge(case, baselines.head_tail(case.text, budget), tokens_in, budget)
    missed = [f"{planted.what}: {' + '.join(planted.needles)}" for planted in case.planted if not planted.shown(text)]
    if not case.counted(text):
        missed.append(f"count: {' or '.join(map(str, case.counts))}")
    if not back:
        missed.append("original not back")
    if ours.over:
        missed.append(f"{ours.tokens_out} tokens, budget {budget}")
    return Outcome(kind, seed, content_type, ours, plain, missed)


def rows_of(name: str, ours: Score, plain: Score, seen: str) -> list[object]:
    n = ours.cases
    return [
        name,
        seen,
        f"{ours.tokens_in // max(n, 1):,}",
        f"{ours.tokens_out // max(n, 1):,}",
        percent(ours.tokens_in - ours.tokens_out, ours.tokens_in, 2),
        *(percent(ours.shown[what], n, 0) for what in CLASSES),
        percent(ours.all_shown, 3 * n),
        percent(ours.counted, n, 0),
        percent(ours.back, n, 0),
        ours.over,
        f"{1000 * ours.seconds / max(n, 1):.0f}",
        percent(plain.all_shown, 3 * n),
        percent(plain.counted, n, 0),
    ]


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.fidelity", description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--set", choices=sorted(SETS), default="first", help="the generators (default: %(default)s)")
    parser.add_argument("--kinds", help=f"comma separated; 'field' for the field's ten; of {', '.join(ALL)}")
    parser.add_argument("--show", metavar="KIND", help="print one summary (seed: --first-seed) and what it misses")
    parser.add_argument("--missed", type=int, default=12, metavar="N", help="print at most N misses a kind")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    of_set, field_kinds = SETS[args.set]

    if args.show:
        case = ALL[args.show](args.first_seed)
        text, content_type, _, seconds = summarize(case, args.budget)
        print(text)
        print(
            f"\n--- {content_type}, {oracle.count(case.text):,} -> {oracle.count(text):,} tokens, {seconds:.2f} s",
            file=sys.stderr,
        )
        for planted in case.planted:
            print(
                f"--- {'shown ' if planted.shown(text) else 'MISSED'} {planted.what}: {planted.needles}",
                file=sys.stderr,
            )
        print(f"--- count {case.counts} {'stated' if case.counted(text) else 'MISSED'}", file=sys.stderr)
        return 0

    kinds = list(field_kinds) if args.kinds == "field" else args.kinds.split(",") if args.kinds else list(of_set)
    jobs = [
        (kind, seed, args.budget) for kind in kinds for seed in range(args.first_seed, args.first_seed + args.seeds)
    ]
    if args.jobs > 1:
        with multiprocessing.Pool(args.jobs) as pool:
            outcomes = pool.map(run, jobs, chunksize=2)
    else:
        outcomes = [run(job) for job in jobs]

    head = [
        "kind",
        "seen as",
        "in",
        "out",
        "saved",
        *CLASSES,
        "anomalies",
        "count",
        "back",
        "over",
        "ms",
        "ht: anom.",
        "ht: count",
    ]
    rows, report = [], {}
    sums = {name: (Score(), Score()) for name in ("field's ten", "all")}
    for kind in kinds:
        mine = [outcome for outcome in outcomes if outcome.kind == kind]
        ours, plain = Score(), Score()
        for outcome in mine:
            ours.add(outcome.ours)
            plain.add(outcome.plain)
        for name, (all_ours, all_plain) in sums.items():
            if name == "all" or kind in field_kinds:
                all_ours.add(ours)
                all_plain.add(plain)
        rows.append(rows_of(kind, ours, plain, "/".join(sorted({outcome.content_type for outcome in mine}))))
        report[kind] = {"mcpcompact": asdict(ours), "headTail": asdict(plain)}
    for name, (ours, plain) in sums.items():
        if ours.cases:
            rows.append(rows_of(name, ours, plain, ""))
            report[name] = {"mcpcompact": asdict(ours), "headTail": asdict(plain)}
    if args.json:
        print(json.dumps({"budget": args.budget, "seeds": args.seeds, "targets": TARGETS, "kinds": report}, indent=2))
        return 0
    print(f"budget {args.budget}, {args.seeds} seeds, o200k_base; ht = head-tail at the same budget")
    print(table(head, rows, markdown=args.markdown))
    for kind in kinds:
        missed = [f"  {kind} seed {o.seed}: {what}" for o in outcomes if o.kind == kind for what in o.missed]
        print(
            "\n".join(
                missed[: args.missed] + ([f"  … {len(missed) - args.missed} more"] if len(missed) > args.missed else [])
            ),
            end="",
        )
        print("\n" if missed else "", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
