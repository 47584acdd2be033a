"""Whether what a request names is shown whole: ids, hex ids, paths, line numbers, keys and symbols, over seven kinds of
input, at three budgets. Exits 1 under 99 %."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from bench.tables import table

BUDGETS = (150, 300, 1000)
ROWS = 400
MIN = 99.0  # percent


class Case(NamedTuple):
    """``parts``: what must stand in the text, each unbroken."""

    kind: str
    data: str
    focus: str | None
    arguments: dict[str, Any] | None
    parts: list[str]


def orders(rng: random.Random, n: int = ROWS) -> list[dict[str, Any]]:
    return [
        {
            "id": f"ord-{i}",
            "customer": f"cust{rng.randrange(5000)}",
            "request_id": f"{rng.getrandbits(64):016x}",
            "latency": rng.randrange(20, 90),
            "status": rng.choice(["ok", "ok", "ok", "late"]),
            "path": f"src/mod{i % 37}/file{i}.py",
        }
        for i in range(1, n + 1)
    ]


def request(rng: random.Random, key: str, value: str) -> tuple[str | None, dict[str, Any] | None]:
    """One of the ways to name it."""
    return rng.choice(
        [
            (value, None),
            (f"what happened to {value}?", None),
            (f"latency of {value}", None),
            (None, {key: value}),
            (None, {"filter": {key: value}, "limit": 10, "verbose": True}),
        ]
    )


def listed(write: Callable[[list[dict[str, Any]]], str], kind: str) -> Callable[[random.Random], Case]:
    def make(rng: random.Random) -> Case:
        rows = orders(rng)
        row = rng.choice(rows)
        key = rng.choice(["id", "request_id", "path"])
        parts = [str(value) for value in row.values()]
        return Case(kind, write(rows), *request(rng, key, row[key]), parts)

    return make


def as_csv(rows: list[dict[str, Any]]) -> str:
    return "\n".join([",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]) + "\n"


def log_lines(rng: random.Random) -> list[str]:
    return [
        f"2026-03-01T10:{i // 60:02d}:{i % 60:02d}Z {'ERROR' if i % 90 == 7 else 'INFO'} order {row['id']} request "
        f"{row['request_id']} took {row['latency']} ms at {row['path']}:{i}"
        for i, row in enumerate(orders(rng), 1)
    ]


def log(rng: random.Random) -> Case:
    lines = log_lines(rng)
    n = rng.randrange(len(lines))
    words = lines[n].split()
    if rng.random() < 0.25:
        return Case("log", "\n".join(lines), None, {"line": n + 1}, [lines[n]])
    value = rng.choice([words[3], words[5], words[-1]])
    return Case("log", "\n".join(lines), *request(rng, "id", value), [lines[n]])


def fasta(rng: random.Random) -> Case:
    ids = [f"BOLD{i:05d}" for i in range(1, 201)]
    bodies = ["".join(rng.choices("ACGT", k=60)) for _ in ids]
    data = "".join(f">{name} Apis mellifera\n{body}\n" for name, body in zip(ids, bodies, strict=True))
    n = rng.randrange(len(ids))
    return Case("fasta", data, *request(rng, "accession", ids[n]), [ids[n], bodies[n]])


def nested(rng: random.Random) -> Case:
    nodes = {f"node-{i:x}{rng.randrange(999)}": {"name": f"web-{i}", "cpu": rng.randrange(64)} for i in range(300)}
    name = rng.choice(list(nodes))
    data = json.dumps({"cluster": {"zone": "a", "nodes": nodes}, "version": 3})
    value = str(rng.choice([name, nodes[name]["name"]]))
    parts = [name, f'"{nodes[name]["name"]}"', str(nodes[name]["cpu"])]
    return Case("json", data, *request(rng, "name", value), parts)


def code(rng: random.Random) -> Case:
    lines: list[str] = []
    for i in range(150):
        lines += [f"def step_{i}_{rng.randrange(99)}(job, retries={i % 5}):", f"    return job.run({i}, retries)", ""]
    n = rng.randrange(150) * 3
    name = lines[n].split("(")[0][4:]
    if rng.random() < 0.4:
        focus, arguments = rng.choice([(f"module.py:{n + 1}", None), (None, {"line": n + 1})])
        return Case("code", "\n".join(lines), focus, arguments, [lines[n]])
    return Case("code", "\n".join(lines), *request(rng, "symbol", name), lines[n : n + 2])


MAKERS: Sequence[Callable[[random.Random], Case]] = (
    listed(json.dumps, "records"),
    listed(lambda rows: json.dumps({"ok": True, "items": rows}, indent=2), "records, indented"),
    listed(lambda rows: "\n".join(map(json.dumps, rows)), "ndjson"),
    listed(as_csv, "csv"),
    log,
    fasta,
    nested,
    code,
)


def cases(number: int, seed: int = 0) -> Iterator[Case]:
    for n in range(number):
        yield MAKERS[n % len(MAKERS)](random.Random(f"{seed}:{n}"))


def shown_whole(case: Case, budget: int) -> bool:
    from mcpcompact import compact

    result = compact(case.data, budget=budget, threshold=0, focus=case.focus, arguments=case.arguments)
    assert result.problem is None, result.problem
    return any(all(part in line for part in case.parts) for line in _stretches(result.text, len(case.parts)))


def _stretches(text: str, lines: int) -> Iterator[str]:
    """Runs of as many lines as the target may take: its parts must stand together."""
    rows = text.split("\n")
    return ("\n".join(rows[at : at + lines]) for at in range(len(rows)))


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.asked", description=__doc__.splitlines()[0])
    parser.add_argument("--targets", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--missed", type=int, default=0, help="print so many of the misses")
    args = parser.parse_args(argv)
    whole: Counter[tuple[str, int]] = Counter()
    tried: Counter[str] = Counter()
    misses: list[str] = []
    for case in cases(args.targets, args.seed):
        tried[case.kind] += 1
        for budget in BUDGETS:
            if shown_whole(case, budget):
                whole[case.kind, budget] += 1
            else:
                misses.append(f"{case.kind} at {budget}: {case.focus or case.arguments} → {case.parts}")
    rows = [[kind, n, *(f"{100 * whole[kind, b] / n:.1f}" for b in BUDGETS)] for kind, n in tried.items()]
    share = 100 * sum(whole.values()) / (len(BUDGETS) * sum(tried.values()))
    print(table(["input", "targets", *(f"% at {b:,}" for b in BUDGETS)], rows))
    print(f"\nshown whole: {share:.1f} % of {args.targets:,} targets at {len(BUDGETS)} budgets")
    print("\n".join(misses[: args.missed]))
    return 0 if share >= MIN else 1


if __name__ == "__main__":
    sys.exit(main())
