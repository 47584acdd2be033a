"""``python -m bench.corruptions``: which false sentences of a model's summary pass the check, and which true ones go.

The sources and sentences are those of ``bench.strangers``. Each sentence is checked alone, as the LLM pass checks
it: against the source and the facts of the heuristic result.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bench.strangers.corruptions import CORRUPTED, FAITHFUL, Claim, claims
from bench.strangers.sources import sources
from bench.tables import percent, table

BUDGET = 1000  # tokens of the heuristic result whose facts the check gets: the default of the command


class Checked(NamedTuple):
    claim: Claim
    why: str  # for what reason the sentence was removed; "" when it passed


def facts(text: str) -> str:
    from mcpcompact import Policy, compact

    return str(compact(text, policy=Policy(BUDGET, 1, notice="none")).text)


def checked(seed: int, per: int, faithful: int, every: int = 1) -> list[Checked]:
    """The sentences about every document, or each ``every``-th, with the verdicts on them."""
    from mcpcompact.llm.support import Support
    from mcpcompact.llm.verify import verify

    done = []
    for doc in sources(seed)[::every]:
        support = Support(doc.text, facts(doc.text))
        said = [*claims(doc, seed, CORRUPTED, False, per), *claims(doc, seed, FAITHFUL, True, faithful)]
        for claim in said:
            removed = verify(claim.text, support).removed
            done.append(Checked(claim, removed[0][1] or "?" if removed else ""))
    return done


def report(done: Sequence[Checked]) -> dict[str, object]:
    """Shares: of false sentences those that passed, of true ones those that were removed, hard ones apart."""

    def rates(some: Sequence[Checked], passed: bool, key: str) -> dict[str, float]:
        of = Counter(getattr(one.claim, key) for one in some)
        hit = Counter(getattr(one.claim, key) for one in some if (not one.why) is passed)
        return {
            name: round(hit[name] / of[name], 4) for name in sorted(of, key=lambda name: (-hit[name] / of[name], name))
        }

    false = [one for one in done if not one.claim.true]
    true = [one for one in done if one.claim.true and not one.claim.hard]
    hard = [one for one in done if one.claim.true and one.claim.hard]
    return {
        "corrupted": len(false),
        "passed": sum(not one.why for one in false),
        "passedByClass": rates(false, True, "kind"),
        "passedByDocument": rates(false, True, "doc"),
        "faithful": len(true),
        "removed": sum(bool(one.why) for one in true),
        "removedByClass": rates(true, False, "kind"),
        "removedByDocument": rates(true, False, "doc"),
        "hard": len(hard),
        "hardRemoved": sum(bool(one.why) for one in hard),
        "hardRemovedByClass": rates(hard, False, "kind"),
    }


def show(whole: dict[str, object], documents: bool) -> None:
    for of, hit, what in (
        ("corrupted", "passed", "false"),
        ("faithful", "removed", "true"),
        ("hard", "hardRemoved", "hard true"),
    ):
        size, hits = whole[of], whole[hit]
        assert isinstance(size, int) and isinstance(hits, int)
        print(f"{size:,} {what} sentences, {hits:,} {hit.removeprefix('hard').lower()} ({percent(hits, size)})\n")
        for key in (f"{hit}ByClass", *([f"{hit}ByDocument"] if documents and of != "hard" else [])):
            rates = whole[key]
            assert isinstance(rates, dict)
            print(table([key, "share"], [[name, f"{100 * rate:.1f}%"] for name, rate in rates.items()]), "\n")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.corruptions", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per", type=int, default=6, help="false sentences of each class about each document")
    parser.add_argument("--faithful", type=int, default=2, help="true ones")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--documents", action="store_true", help="the shares by document, too")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N wrongly judged sentences of each class"
    )
    args = parser.parse_args(argv)
    done = checked(args.seed, args.per, args.faithful)
    whole = report(done)
    if args.json:
        print(json.dumps(whole, indent=1))
        return 0
    show(whole, args.documents)
    shown = Counter[str]()
    for one in done:
        shown[one.claim.kind] += one.claim.true == bool(one.why)
        if one.claim.true == bool(one.why) and shown[one.claim.kind] <= args.show:
            print(f"{one.claim.kind} ({one.claim.doc}): {one.claim.text}" + (f"   [{one.why}]" if one.why else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
