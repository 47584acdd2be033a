"""``python -m bench.secrets``: what share of secrets ``--mask`` hides, by kind and carrier, and what it hides wrongly.

The secrets and documents are those of ``bench.strangers``. A secret counts as hidden when neither it nor its base64,
percent-encoded or escaped form stands in the output, nor a run of half of it. Clean documents hold none: each
placeholder there is a false hit.
"""

from __future__ import annotations

import argparse
import base64
import html
import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple
from urllib.parse import quote, quote_plus

from bench.strangers.carriers import CARRIERS, TABLES, documents
from bench.strangers.clean import CLEAN
from bench.strangers.secrets import KINDS, Secret, secret
from bench.tables import percent, table

UNTOUCHED = 1_000_000  # a threshold that no document reaches: the text comes out whole, but masked
SHORTEST_RUN = 8  # shorter runs occur by chance
PLACEHOLDER = "[secret:"


class Trial(NamedTuple):
    """One secret in one carrier; ``shown`` is "" when it is hidden, else "whole" or "part"."""

    kind: str
    carrier: str
    shown: str
    line: str


def masked(text: str) -> str:
    from mcpcompact import compact

    return str(compact(text, threshold=UNTOUCHED, mask=True).text)


def forms(text: str) -> set[str]:
    """The ways in which a secret can be read from a text."""
    code = base64.b64encode(text.encode()).decode().rstrip("=")
    escaped = json.dumps(text)[1:-1]
    return {text, code, code.replace("+", "-").replace("/", "_"), quote(text, safe=""), quote(text), quote_plus(text),
            escaped, json.dumps(escaped)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1],
            html.escape(text), html.escape(text, quote=False), text.replace("'", "''"), text.replace('"', '""'),
            repr(text)[1:-1], shlex.quote(text)[1:-1] if shlex.quote(text) != text else text}  # fmt: skip


def shown(one: Secret, text: str, out: str) -> str:
    """ "whole", "part" or "": how much of the secret, which stands in the text, can be read in the output."""
    whole = {form for part in (*one.parts, one.text) for form in forms(part)}
    if any(form in out for form in whole):
        return "whole"
    for part in one.parts:
        size = max(SHORTEST_RUN, (len(part) + 1) // 2)
        if any(part[i : i + size] in out and part[i : i + size] in text for i in range(len(part) - size + 1)):
            return "part"
    return ""


def trials(kind: str, carrier: str, seed: int, per: int) -> Iterator[Trial]:
    rng = Random(f"{seed}:{kind}:{carrier}")
    secrets = [secret(kind, rng) for _ in range(per)]
    for text, held in documents(carrier, rng, secrets[0].name, [one.text for one in secrets]):
        out = masked(text)
        for i in held:
            found = shown(secrets[i], text, out)
            yield Trial(kind, carrier, found, out if found else "")


def false_hits(seed: int) -> dict[str, list[str]]:
    """For each clean document the lines that came out changed."""
    found = {}
    for name, make in CLEAN.items():
        text = make(Random(f"{seed}:{name}"))
        before, after = text.split("\n"), masked(text).split("\n")
        kept = Counter(before)
        found[name] = [line for line in after if not kept[line]] or ["?"] * (before != after)
    return found


def report(done: Sequence[Trial], clean: dict[str, list[str]]) -> dict[str, object]:
    def rates(key: str) -> dict[str, float]:
        of, hidden = (
            Counter(getattr(one, key) for one in done),
            Counter(getattr(one, key) for one in done if not one.shown),
        )
        return {
            name: round(hidden[name] / of[name], 4)
            for name in sorted(of, key=lambda name: (hidden[name] / of[name], name))
        }

    cells = Counter((one.kind, one.carrier) for one in done)
    hidden = Counter((one.kind, one.carrier) for one in done if not one.shown)
    return {
        "secrets": len(done),
        "hidden": round(sum(not one.shown for one in done) / len(done), 4) if done else 1.0,
        "partly": sum(one.shown == "part" for one in done),
        "kinds": rates("kind"),
        "carriers": rates("carrier"),
        "cells": {
            f"{kind} × {carrier}": round(hidden[kind, carrier] / n, 2) for (kind, carrier), n in sorted(cells.items())
        },
        "falseHits": {name: len(lines) for name, lines in clean.items()},
    }


def show(done: Sequence[Trial], clean: dict[str, list[str]], all_kinds: bool) -> None:
    whole = report(done, clean)
    print(f"{whole['secrets']:,} secrets, {percent(sum(not one.shown for one in done), len(done), 2)} hidden, "
          f"{whole['partly']} of the others in part\n")  # fmt: skip
    missed: dict[str, Counter[str]] = {}
    for one in done:
        if one.shown:
            missed.setdefault(one.kind, Counter())[one.carrier] += 1
    for title in ("carriers", "kinds"):
        rates = whole[title]
        assert isinstance(rates, dict)
        rows = [
            [name, f"{100 * rate:.1f}%"] for name, rate in rates.items() if rate < 1 or title == "carriers" or all_kinds
        ]
        if title == "kinds":
            rows = [
                [name, rate, " ".join(f"{c}:{n}" for c, n in missed.get(name, Counter()).most_common(6))]
                for name, rate in rows
            ]
        print(table([title, "hidden", *(["missed most in"] if title == "kinds" else [])], rows), "\n")
    bad = {name: len(lines) for name, lines in clean.items() if lines}
    print(f"{len(clean)} clean documents, {sum(bad.values())} lines changed in {len(bad)}: {bad or 'none'}")


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.secrets", description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--per", type=int, default=2, help="secrets in each kind and carrier")
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS), metavar="KIND")
    parser.add_argument("--carriers", nargs="*", default=[*CARRIERS, *TABLES], metavar="CARRIER")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--all", action="store_true", help="list the kinds without a miss, too")
    parser.add_argument(
        "--show", type=int, default=0, metavar="N", help="print N outputs of each kind with a miss, and false hits"
    )
    args = parser.parse_args(argv)
    done = [
        one for kind in args.kinds for carrier in args.carriers for one in trials(kind, carrier, args.seed, args.per)
    ]
    clean = false_hits(args.seed)
    if args.json:
        print(json.dumps(report(done, clean), indent=1, ensure_ascii=False))
        return 0
    show(done, clean, args.all)
    for kind in args.kinds if args.show else ():
        for one in [one for one in done if one.kind == kind and one.shown][: args.show]:
            print(f"\n--- {kind} in {one.carrier} ({one.shown})\n{one.line}")
    for name, lines in clean.items() if args.show else ():
        print("".join(f"\nfalse hit in {name}: {line}" for line in lines), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
