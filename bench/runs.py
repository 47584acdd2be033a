"""``python -m bench.runs``: one sign, or two, twenty thousand times, in every place of every kind of input.

A pattern that goes back over such a run from each of its places takes the square of its length. Told is what takes more
than ``ALLOWED`` processor seconds, or two a megabyte, at its best of two.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

LONG = 20_000
ALLOWED = 0.35, 2e-6  # processor seconds an input may take: at least, and a byte
RUNS = (
    *' \t0a.-/\\\'":,([{|=<*`#~^+_@%$;!?é→A', "\u3000", "a ", "a.", "a/", "a-", "a_", "1 ", "1.", "1:", "a,", " |",
    "| ", ": ", "a=", "<a ", "a@", "&a;", "a;", "Aa", "a1", "-a ", "/a", "0x1 ", "1-1-", "10:00:00 ", "\x1b[", "  a",
    "- ", "->", "::", "()", "[]", "{}", "_a", "A_", "f", "0a", "a b_",
)  # fmt: skip
BEFORE = (
    "", "x", "src/a.py:12: ", "2024-01-01 10:00:00 ERROR ", "- ", "# ", "commit ", '{"a": "', "> ", "+", "def f(", "| ",
    "1. ", "a: ", "Error: ", "  at ", "$ ",
)  # fmt: skip
BEHIND = ("", "y", "x | 3 +")
TYPES = (None, "diff", "markup", "table", "log", "code", "text")
AROUND = "\n".join(f"alpha beta gamma {n}" for n in range(400))
PLACES: dict[str, Callable[[str], str]] = {
    "key": lambda s: json.dumps([{s: n, "b": f"x{n}"} for n in range(12)]),
    "value": lambda s: json.dumps([{"a": f"{s}{n % 2}", "b": f"x{n}"} for n in range(12)]),
    "line of NDJSON": lambda s: "\n".join(json.dumps({"message": f"{s}{n}", "id": f"x{n}", "n": n}) for n in range(12)),
    "object": lambda s: json.dumps({"x": {s: 1, "b": [s, 2]}, "error": s}),
    "column": lambda s: f"a,b,{s.replace(',', '')}\n" + "".join(f"{n},x,{n}\n" for n in range(40)),
    "cell": lambda s: "a,b,c\n" + "".join(f"{n},x,{s.replace(',', '')}{n}\n" for n in range(12)),
    "FASTA": lambda s: f">{s}\n" + "ACGTACGTACGT\n" * 3 + ">b\nACGT\n",
    "file of a diff": lambda s: f"diff --git a/{s} b/{s}\n--- a/{s}\n+++ b/{s}\n@@ -1,3 +1,3 @@ {s}\n a\n-b\n+c\n d\n",
    "line of a diff": lambda s: f"--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n a\n-{s}b\n+{s}c\n d\n",
    "HTML": lambda s: (
        f"<html><title>{s}</title><body><h1>{s}</h1><p>{s}</p><table><tr><td>{s}</td></tr></table></html>"
    ),
    "Markdown": lambda s: f"# {s}\n\n{s}\n\n- {s}\n- b\n\n| a | {s} |\n|---|---|\n| {s} | b |\n\n```\n{s}\n```\n" * 2,
    "history": lambda s: "".join(
        f"commit {n:040x}\nAuthor: {s} <a@b>\nDate:   Mon Jan 1 10:00:00 2024 +0000\n\n    {s}\n\n" for n in range(5)
    ),
    "search": lambda s: "".join(f"src/{s}.py:{n}:{s}\n" for n in range(5)),
    "trace": lambda s: f"Traceback (most recent call last):\n  File 'a.py', line 3\n    {s}\nValueError: {s}\n{AROUND}",
    "YAML": lambda s: "".join(f"- name: a{n}\n  value: {s}\n" for n in range(20)),
    "INI": lambda s: "[a]\n" + "".join(f"k{n} = {s}\n" for n in range(20)),
    "log": lambda s: "".join(f"2024-01-01 10:00:{n:02d} {'ERROR' if n == 7 else 'INFO'} {s}\n" for n in range(20)),
    "source": lambda s: "import os\n\n" + f"def g({s}):\n    x = {s}\n    # {s}\n" * 5,
    "listing": lambda s: "".join(f"-rw-r--r-- 1 root root {n} Jan  1 10:00 {s}{n}\n" for n in range(12)),
    "paths": lambda s: "".join(f"./a/{s}/{n}.py\n" for n in range(12)),
}


def places() -> list[tuple[str, str, dict[str, Any]]]:
    """What it is, the input's maker and how ``compact`` is called, in a fixed order."""
    found: list[tuple[str, str, dict[str, Any]]] = []
    for run in RUNS:
        text = (run * (LONG // len(run) + 1))[:LONG] + "x"
        found += [(f"{run!r} in {place}", make(text), {}) for place, make in PLACES.items()]
        found.append((f"{run!r} in a request", AROUND, {"focus": text}))
        found.append((f"{run!r} in a call", AROUND, {"arguments": {"path": text, "query": text}, "tool": "grep"}))
    return found


def lines(rng: random.Random, number: int) -> list[tuple[str, str, dict[str, Any]]]:
    """So many of all lines that hold a run between a beginning and an end, read as each type."""
    every = list(itertools.product(RUNS, BEFORE, BEHIND, TYPES))
    found: list[tuple[str, str, dict[str, Any]]] = []
    for run, before, behind, kind in rng.sample(every, min(number, len(every))):
        line = before + (run * (3 * LONG // len(run) + 1))[: 3 * LONG] + behind
        text = line if rng.random() < 1 / 2 else f"{AROUND}\n{line}\n{AROUND}"
        found.append((f"{before!r} {run!r} {behind!r} as {kind}", text, {"content_type": kind}))
    return found


def seconds(text: str, call: dict[str, Any]) -> float:
    from mcpcompact import compact

    before = time.process_time()
    compact(text.encode("utf-8", "replace"), budget=500, threshold=0, **call)
    return time.process_time() - before


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.runs", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lines", type=int, default=1_000, help="lines at random, beside all places")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(argv)
    slow, tried = 0, [*places(), *lines(random.Random(args.seed), args.lines)]
    for what, text, call in tried:
        most = max(ALLOWED[0], ALLOWED[1] * len(text.encode("utf-8", "replace")))
        if seconds(text, call) > most and (best := seconds(text, call)) > most:
            slow += 1
            print(f"{best:.2f} s, allowed {most:.2f}: {what}", flush=True)
    print(f"{len(tried):,} inputs, {slow:,} take longer than allowed")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
