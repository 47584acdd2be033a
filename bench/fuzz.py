"""No input breaks the tool: damaged tool results at random options, each promise checked by other means than ours.

    python -m bench.fuzz [--runs 20000] [--seed 0] [--jobs 2] [--replay SEED]

A run is a seed: a failure names the seed that makes it again, and ``--seed`` goes on where another call ended, or was
interrupted (Ctrl-C: what was run is reported). Every 25,000 runs stderr has a line. Held: no exception and no
``problem``; tokens as tiktoken counts them are those stated and within the budget, no more tokens or bytes than the
input; the store holds the same bytes; a second run gives the same text; gaps run forward; the time. Exits 1 when
anything failed.
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import multiprocessing
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import mutate, oracle

BATCH = 200
"""Seeds a worker takes at a time; each has a results directory of its own."""
STORED, AGAIN = 0.05, 0.05
"""The shares of runs with a store, which writes files, and of runs made twice."""
ALLOWED = 0.5, 2.0
"""Processor seconds an input may take: at least, and a megabyte."""
PACE = 0.030
"""Processor seconds that ``pace`` takes on the quiet machine that these limits were set on."""
TIMED = 3
"""Times that a run which took too long is made again: the best of them counts."""
TELL = 25_000  # runs from one line of progress to the next: a few in an hour
HUNG = 60.0  # processor seconds after which a run is ended: a worker that waits for ever tells nothing
SHOWN = 20
LIMITS = ("budget", "threshold", "reader", "notice", "max_chars")  # what a policy holds
GAP = re.compile(r"… \[\w+ (\d+)(?:–(\d+))? not shown\]")
TYPES = ("fasta", "diff", "records", "json", "markup", "table", "log", "code", "text")
MODELS = {None: 1.0, "gpt-4": 1.0, "gpt-4o": 1.0, "claude-sonnet-4": 0.0, "gemini-2.5-pro": 0.0}


class Hung(BaseException):
    """Not an ``Exception``: nothing in the tool may take it for a defect of a content type and go on."""


def _end(*_: object) -> None:
    raise Hung


@dataclass(slots=True)
class Tally:
    runs: int = 0
    failures: list[str] = field(default_factory=list)
    worst: list[tuple[float, float, int, int, str]] = field(default_factory=list)  # a share of what is allowed first
    methods: Counter[str] = field(default_factory=Counter)

    def __iadd__(self, other: Tally) -> Tally:
        self.runs += other.runs
        self.failures += other.failures
        self.worst = heapq.nlargest(SHOWN, self.worst + other.worst)
        self.methods += other.methods
        return self


def options(rng: random.Random, data: bytes) -> dict[str, Any]:
    """How ``compact`` is called."""
    words = [w for w in re.split(r"\W+", data[:4000].decode("utf-8", "replace")) if w] or ["x"]
    budget = int(len(data) / 4 * rng.random()) if rng.random() < 0.7 else rng.randint(20, 600)  # mostly too small
    chosen: dict[str, Any] = {"budget": max(50, budget), "threshold": rng.choice((0, 0, budget // 2, None))}
    chosen["reader"] = rng.choice(("mcpcompact", "mcpcompact", "shell", "read", "none"))
    chosen["notice"] = rng.choice((None, None, "full", "short", "none"))
    chosen["model"] = rng.choice((None, None, None, *MODELS))
    if rng.random() < 0.25:
        chosen["content_type"] = rng.choice(TYPES)
    if rng.random() < 0.2:
        chosen["focus"] = " ".join(rng.choice(words) for _ in range(rng.randint(1, 4)))
    if rng.random() < 0.2:
        chosen["arguments"] = {rng.choice(("path", "id", "query")): rng.choice(words), "n": rng.randint(0, 40)}
        chosen["tool"], chosen["server"] = rng.choice(("get_events", "grep", "x\ny")), rng.choice((None, "s"))
    if rng.random() < 0.1:
        chosen["context"] = " ".join(words[:50])
    if rng.random() < 0.1:
        chosen["max_chars"] = rng.choice((80, 400, 2000))
    if rng.random() < 0.03:
        chosen["mask"] = True
    return chosen


def pace() -> float:
    """How many times as long as on a quiet machine a fixed piece of work takes now: what shares a core slows it."""
    before = time.process_time()
    words = Counter(re.findall(r"\w+", " ".join(f"{n % 997} {n}" for n in range(30_000))))
    assert len(words) == 30_000
    return max(1.0, (time.process_time() - before) / PACE)


def _paced(work: Callable[[], object]) -> float:
    """Processor seconds that work takes, as on a quiet machine: by the pace right before and right after it."""
    slow, before = pace(), time.process_time()
    work()
    return (time.process_time() - before) * 2 / (slow + pace())


def check(seed: int, directory: str, tally: Tally) -> None:
    """One run: what is wrong goes to the tally."""
    from mcpcompact import ResultStore, compact
    from mcpcompact.policy import Policy

    data, rng = mutate.made(seed), random.Random(-seed - 1)
    chosen = options(rng, data)
    limits = {name: chosen[name] for name in LIMITS if name in chosen}
    call = {name: value for name, value in chosen.items() if name not in LIMITS} | {"policy": Policy(**limits)}
    stored = rng.random() < STORED
    store = ResultStore(directory) if stored else None
    tally.runs += 1
    before = time.process_time()
    signal.signal(signal.SIGVTALRM, _end)
    signal.setitimer(signal.ITIMER_VIRTUAL, HUNG)
    try:
        out = compact(data, store=store, **call)
        seconds = time.process_time() - before
        most = max(ALLOWED[0], ALLOWED[1] * len(data) / 1e6)
        if seconds > most:  # the first of its kind loads libraries, and a shared machine is slow at times
            seconds = min(_paced(lambda: compact(data, store=store, **call)) for _ in range(TIMED))
        wrong = list(broken(out, data, chosen))
        if stored and out.reference and not chosen.get("mask") and Path(out.reference.path).read_bytes() != data:
            wrong.append("the stored file differs")
        if rng.random() < AGAIN and compact(data, store=store, **call).text != out.text:
            wrong.append("a second run gives another text")
    except (Exception, Hung) as error:
        tally.failures.append(f"seed {seed}: {type(error).__name__}: {error} {chosen}")
        return
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    tally.methods[out.method] += 1
    share = seconds / most
    tally.worst = heapq.nlargest(SHOWN, [*tally.worst, (share, seconds, len(data), seed, out.content_type)])
    if share > 1:
        wrong.append(f"{seconds:.2f} s for {len(data):,} bytes")
    tally.failures += [f"seed {seed}: {what} ({out.content_type}, {out.method}) {chosen}" for what in wrong]


def broken(out: Any, data: bytes, chosen: dict[str, Any]) -> Sequence[str]:
    """The promises that this outcome breaks."""
    from mcpcompact.source import decode
    from mcpcompact.tokens import resolve

    tokenizer = resolve(chosen["model"], None)

    def tokens(text: str) -> int:
        counted = oracle.count(text.encode("utf-8", "replace").decode(), tokenizer.encoding)
        return -int(-counted * tokenizer.high // 1)

    wrong = []
    if out.problem is not None:
        wrong.append(f"problem: {out.problem.line()} from {out.problem.__cause__!r}")
    if any("Error:" in warning or "Error (" in warning or "Error)" in warning for warning in out.warnings):
        wrong.append(f"a reader died: {out.warnings}")
    if out.method == "passthrough":
        if out.exact and out.tokens != tokens(out.text):  # above 4 MB it is an estimate, and says so
            wrong.append(f"states {out.tokens} tokens of {tokens(out.text)}")
        if out.own is None and out.tokens > max(out.budget, out.threshold):
            wrong.append(f"{out.tokens} tokens pass, budget {out.budget}, threshold {out.threshold}")
        return wrong
    original = out.envelope.source.text if out.envelope else decode(data)
    figure, printed, whole = tokens(out.text), tokens(out.text + "\n"), out.original_tokens
    if figure != out.tokens:
        wrong.append(f"states {out.tokens} tokens of {figure}")
    if max(figure, printed) > out.budget:
        wrong.append(f"{max(figure, printed)} tokens, budget {out.budget}")
    if len(original) < 100_000 and not (out.envelope and out.envelope.shape == "exec") and tokens(original) > whole:
        wrong.append(f"states {whole} tokens of the original, not {tokens(original)}")
    if figure > whole:
        wrong.append(f"{figure} tokens from {whole}")
    if len(out.text.encode("utf-8", "replace")) > max(len(data), len(original.encode("utf-8", "replace"))):
        wrong.append(f"{len(out.text.encode()):,} bytes from {len(data):,}")
    if "max_chars" in chosen and len(out.text) > chosen["max_chars"]:
        wrong.append(f"{len(out.text)} characters, allowed {chosen['max_chars']}")
    if "not shown]" not in " ".join(original.split()) and out.method == "outline":  # a cell has its blanks folded
        wrong += _gaps(out.text)
    return wrong


def _gaps(text: str) -> list[str]:
    """Gaps that run backwards, or into each other."""
    wrong, end = [], -1
    for match in GAP.finditer(text):
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first or first <= end:
            wrong.append(f"gap {match[0]} after {end}")
        end = last
    return wrong


def batch(first_last: tuple[int, int]) -> Tally:
    tally = Tally()
    with tempfile.TemporaryDirectory(
        prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None
    ) as directory:
        for seed in range(*first_last):
            check(seed, directory, tally)
    return tally


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20_000)
    parser.add_argument(
        "--seed", type=int, default=0, help="the first; a longer run goes on with the one after its last"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--replay", type=int, metavar="SEED", help="one run; its input goes to fuzz-SEED.bin")
    args = parser.parse_args(argv)
    tally = Tally()
    if args.replay is not None:
        Path(f"fuzz-{args.replay}.bin").write_bytes(mutate.made(args.replay))
        with tempfile.TemporaryDirectory() as directory:
            check(args.replay, directory, tally)
        return _report(tally, args.replay, 1.0)
    mutate.pool()  # once, before the workers are made
    started, end = time.monotonic(), args.seed + args.runs
    starts = ((at, min(at + BATCH, end)) for at in range(args.seed, end, BATCH))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what a shell starts in the background ignores it
    quiet = signal.signal, (signal.SIGINT, signal.SIG_IGN)  # an interrupt is the parent's: it tells what was done
    with multiprocessing.Pool(args.jobs, *quiet) as workers, contextlib.suppress(KeyboardInterrupt):
        for done in workers.imap(batch, starts):
            for failure in done.failures:
                print(failure, flush=True)
            tally += done
            if tally.runs % TELL < done.runs:
                print(f"{tally.runs:,} runs, {len(tally.failures):,} failures", file=sys.stderr, flush=True)
            if time.monotonic() - started > args.seconds:
                break
    return _report(tally, args.seed, time.monotonic() - started)


def _report(tally: Tally, first: int, seconds: float) -> int:
    print(
        f"{tally.runs:,} runs (seeds {first} to {first + tally.runs - 1}), {tally.runs / seconds:.0f} a second, ",
        end="",
    )
    print(f"{len(tally.failures):,} failures; {', '.join(f'{k} {n:,}' for k, n in sorted(tally.methods.items()))}")
    for _, took, size, seed, kind in tally.worst[:5]:
        print(f"  {took:.2f} s for {size:,} bytes of {kind}: seed {seed}")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
