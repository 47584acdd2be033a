"""Replay of recorded sessions: ours beside the plain policies at equal budgets, where we lose, and how fast it is.

Prints the table of the README (``--markdown``) and the times: throughput of ``none``, and the whole corpus under three
policies on two processes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from bench.evidence import corpus
from bench.tables import table
from mcpcompact import replay
from mcpcompact.replaying import Report
from mcpcompact.replaying.evidence import BARE, KEPT, LOST, REACHABLE
from mcpcompact.replaying.figures import Figures

HEAD = ["policy", "strong", "readable", "bare", "95%", "reachable", "lost", "result tokens saved", "billed saved",
        "cost saved", "net", "net with turns", "error lines", "false absence", "inflated"]  # fmt: skip


def policies(budget: int) -> list[str]:
    """Ours first; those that know no budget stand as their authors set them."""
    cuts = [f"{name}:{budget}" for name in ("greedy-lines", "head-tail", "head", "tail", "random")]
    return [f"mcpcompact:{budget},{budget}", *cuts, "first-n", "clear-old:100000,3", "mask-old:10"]


def percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}%"


def line(f: Figures) -> list[object]:
    total = f.fates.total()
    low, high = f.fates.as_dict()["strong"]["interval95"] or (0, 0)
    share = [percent(100 * f.fates.of(fate) / total if total else None) for fate in (BARE, REACHABLE, LOST)]
    return [f.policy, f"{total:,}", percent(f.fates.share()), f"{low:.0f}-{high:.0f}%", *share, percent(f.result_saved),
            percent(f.billed_saved), percent(f.cost_saved), percent(f.net_saved), percent(f.net_saved_with_turns),
            percent(f.errors_kept), f.false_absence, f.inflated]  # fmt: skip


def by_format(report: Report) -> list[list[object]]:
    """Ours beside the best of the others, for formats that have evidence or savings."""
    rows: list[list[object]] = []
    for name, (ours, *others) in report.groups["format"].items():
        total = ours.fates.total()
        cuts = [f for f in others if f.policy.rpartition(":")[2] == ours.policy.rpartition(",")[2]]
        if not any(f.changed for f in [ours, *cuts]):
            continue
        best = max(cuts, key=lambda f: (f.fates.of(KEPT), -f.after))
        net = max(cuts, key=lambda f: f.net_saved or 0.0)
        other = f"{percent(best.fates.share())} {best.policy.partition(':')[0]}" if total else "-"
        saved = f"{percent(net.net_saved)} {net.policy.partition(':')[0]}"
        plain = next(f for f in cuts if f.policy.startswith("head-tail"))
        figures = [f"{ours.before:,}", f"{total:,}", percent(ours.fates.share()), other, percent(ours.net_saved), saved,
                   percent(ours.errors_kept), percent(plain.errors_kept)]  # fmt: skip
        rows.append([name, *figures])
    return rows


def losses(report: Report) -> list[str]:
    """Where ours keeps less than another policy that saves as much, net: in total, and by format."""
    found = []
    for name, lines in [("in total", report.policies), *report.groups["format"].items()]:
        ours = lines[0]
        for f in lines[1:]:
            kept = f.fates.of(KEPT) - ours.fates.of(KEPT)
            net = (f.net_saved or 0.0) - (ours.net_saved or 0.0)
            if kept > 0 and net >= -0.5:
                found.append(f"{name}: {f.policy} keeps {kept} more of {ours.fates.total()} (net {net:+.1f} points)")
            elif kept >= 0 and net > 0.5:
                found.append(f"{name}: {f.policy} saves {net:.1f} points more, net, and keeps as much")
    return found


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.replay", description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, help="default: $MCPCOMPACT_CORPUS, else ../shared/corpus")
    parser.add_argument("--budget", type=int, action="append", help="repeatable (default 500 and 1000)")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--markdown", action="store_true", help="tables for a document")
    parser.add_argument("--no-speed", action="store_true")
    args = parser.parse_args(argv)
    folder = (args.corpus or corpus()) / "transcripts"
    if not folder.is_dir():
        print(f"no transcripts under {folder.parent.name}: set MCPCOMPACT_CORPUS", file=sys.stderr)
        return 66
    for budget in args.budget or [500, 1_000]:
        report = replay(str(folder), policies=policies(budget), over=budget, jobs=args.jobs)
        print(f"\nBudget {budget:,}: {len(report.rows):,} sessions, {report.total('results'):,} results of "
              f"{report.total('result_tokens'):,} tokens; evidence of results over {budget:,} tokens\n")  # fmt: skip
        print(table(HEAD, [line(f) for f in report.policies], markdown=args.markdown))
        head = ["format", "result tokens", "strong", "ours readable", "best cut", "ours net", "best cut net",
                "ours error lines", "head-tail error lines"]  # fmt: skip
        print("\n" + table(head, by_format(report), markdown=args.markdown))
        lost = losses(report)
        print(
            "\nwhere another policy keeps more at as much net saving: " + ("; ".join(lost) if lost else "nowhere"),
            flush=True,
        )
    if not args.no_speed:
        speed(folder)
    return 0


def megabytes(folder: Path) -> float:
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) / 1e6


def seconds(folder: Path, rounds: int = 3) -> float:
    """Processor time of one process under ``none``, best of a few: others on the machine only add to it."""
    spent = []
    for _ in range(rounds):
        started = time.process_time()
        replay(str(folder), policies=["none"])
        spent.append(time.process_time() - started)
    return min(spent)


def speed(folder: Path) -> None:
    replay(str(folder), policies=["none"])  # the tokenizer is loaded once a process
    rows = []
    for kind in sorted(path for path in folder.iterdir() if path.is_dir()):
        size, spent = megabytes(kind), seconds(kind)
        rows.append([kind.name, f"{size:.2f}", f"{spent:.2f}", f"{size / max(spent, 1e-3):.0f}"])
    size, spent = megabytes(folder), seconds(folder)
    rows.append(["all at once", f"{size:.2f}", f"{spent:.2f}", f"{size / spent:.0f}"])
    print("\nnone, one core, processor time\n")
    print(table(["format", "MB", "s", "MB/s"], rows))
    started = time.perf_counter()
    replay(str(folder), policies=["none", "head-tail:1000", "mcpcompact"], jobs=2)
    print(f"\nnone, head-tail:1000, mcpcompact: {time.perf_counter() - started:.0f} s on two processes")


if __name__ == "__main__":
    sys.exit(main())
