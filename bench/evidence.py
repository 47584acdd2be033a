"""Evidence: of what an agent later used, how much would have survived the cut.

The measure is replay's (``mcpcompact.replaying.evidence``, docs/replay.md): strong evidence of results over the budget,
kept readable, kept bare or lost. This bench asks it of single results, each text with its uses once (forks of a
session and dumps repeat them; ``--repeated`` counts them as often as replay does), beside baselines at the same budget,
and shows what is lost.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import os
import pickle
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import baselines, oracle
from bench.tables import percent, table
from mcpcompact.replaying import evidence
from mcpcompact.replaying.cuts import greedy_lines
from mcpcompact.replaying.evidence import Use, classify, wilson
from mcpcompact.replaying.inputs import find
from mcpcompact.replaying.session import Session
from mcpcompact.transcripts import Transcript, read_transcripts

READABLE, BARE, LOST = "readable", "bare", "lost"
FATES = {evidence.KEPT: READABLE, evidence.BARE: BARE, evidence.LOST: LOST}


@dataclass(slots=True)
class Case:
    """A result over some budget, and the atoms of it that were used later; ``how`` says by which call."""

    format: str
    source: str
    number: int
    tool: str
    arguments: dict[str, Any]
    focus: str
    text: str
    uses: list[Use]
    how: list[str]
    tokens: int = 0
    context: frozenset[str] = frozenset()  # names of the text that the conversation before it holds already


def cases_of(transcript: Transcript, source: str, least: int) -> Iterable[Case]:
    """The results of one session with at least ``least`` tokens (bytes bound them from above), and their uses."""
    session = Session(transcript, model=None, encoding=None)
    for view in session.views():
        if len(view.text.encode("utf-8", "replace")) > least and (tokens := oracle.count(view.text)) > least:
            uses = [use for use in session.uses.get(view.position, ()) if not use.strength]
            how = [evidence.how(use, session.messages) for use in uses]
            known, arguments = frozenset(view.known_here()), dict(view.arguments)
            yield Case(transcript.format, source, view.position, view.tool, arguments, view.focus, view.text, uses, how,
                       tokens, known)  # fmt: skip


def load(directory: Path, least: int, repeated: bool = False) -> list[Case]:
    """All cases of a corpus, cached by the code that finds them and the corpus' listing."""
    package = Path(evidence.__file__).parent.parent
    read = [Path(__file__), package / "engine" / "atoms.py", *sorted((package / "transcripts").rglob("*.py"))]
    read += [package / "replaying" / name for name in ("evidence.py", "session.py")]
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in read))
    for path in sorted(directory.rglob("*")):
        stamp.update(f"{path.relative_to(directory)}:{path.stat().st_size}".encode())
    cache = Path(tempfile.gettempdir()) / f"evidence-{os.getuid()}-{stamp.hexdigest()[:12]}-{least}.pickle"
    if cache.exists():
        found: list[Case] = pickle.loads(cache.read_bytes())
    else:
        found = []
        for name in map(str, find([str(directory)])):
            for transcript in read_transcripts(name):
                source = os.path.relpath(name, directory) + (f"#{transcript.name}" if transcript.name else "")
                found += cases_of(transcript, source, least)
        cache.write_bytes(pickle.dumps(found))
    if repeated:
        return found
    unique: dict[tuple[str, tuple[str, ...]], Case] = {}
    for case in found:  # forks of a session copy it
        unique.setdefault((case.text, tuple(use.atom for use in case.uses)), case)
    return list(unique.values())


def survival(use: Use, original: str, shown: str) -> str:
    """What became of it: ``readable``, ``bare`` or ``lost``."""
    return FATES[evidence.survival(use, original, shown)]


Policy = Callable[[Case, int], str]


OURS, ALONE = "mcpcompact", "  without context"
"""Told what the conversation before a result holds, as in a session; and each result by itself."""


def _ours(case: Case, budget: int, context: bool = True) -> tuple[str, str, str]:
    """Text, content type and method."""
    from mcpcompact import compact

    out = compact(case.text, budget=budget, threshold=budget, tool=case.tool or None, arguments=case.arguments or None,
                  focus=case.focus or None, context=case.context if context else None)  # fmt: skip
    return out.text, out.content_type, out.method


BASELINES: dict[str, Policy] = {
    "head-tail": lambda case, budget: baselines.head_tail(case.text, budget),
    "head": lambda case, budget: baselines.head(case.text, budget),
    "tail": lambda case, budget: baselines.tail(case.text, budget),
    "greedy lines": lambda case, budget: greedy_lines(case.text, budget, oracle.count),
    "greedy pieces": lambda case, budget: baselines.greedy(case.text, budget),
    "bare names": lambda case, budget: baselines.names(case.text, budget),
}


@dataclass(slots=True)
class Tally:
    """Sums of one policy over some cases."""

    results: int = 0
    before: int = 0
    after: int = 0
    fate: Counter[str] = field(default_factory=Counter)
    shares: list[float] = field(default_factory=list)  # kept readable, one a result that has evidence

    def add(self, case: Case, tokens: int, fates: Sequence[str]) -> None:
        self.results += 1
        self.before += case.tokens
        self.after += tokens
        self.fate.update(fates)
        if fates:
            self.shares.append(fates.count(READABLE) / len(fates))

    @property
    def total(self) -> int:
        return sum(self.fate.values())

    def interval(self) -> str:
        """Wilson's 95 % interval of the share kept readable."""
        low, high = wilson(self.fate[READABLE], self.total)
        return f"{100 * low:.0f}-{100 * high:.0f}%" if self.total else "-"


@dataclass(slots=True)
class Scored:
    tokens: dict[str, int]
    fates: dict[str, list[str]]
    content_type: str
    method: str
    seconds: float
    text: str


def score(job: tuple[Case, int]) -> Scored:
    case, budget = job
    started = time.perf_counter()
    text, content_type, method = _ours(case, budget)
    seconds = time.perf_counter() - started
    texts = {OURS: text, ALONE: _ours(case, budget, context=False)[0]}
    return Scored(*_judged(case, texts), content_type, method, seconds, text)


def _judged(case: Case, texts: dict[str, str]) -> tuple[dict[str, int], dict[str, list[str]]]:
    return (
        {name: oracle.count(text) for name, text in texts.items()},
        {name: [survival(use, case.text, text) for use in case.uses] for name, text in texts.items()},
    )


def _plain(job: tuple[Case, int]) -> tuple[dict[str, int], dict[str, list[str]]]:
    case, budget = job
    return _judged(case, {name: policy(case, budget) for name, policy in BASELINES.items()})


def score_all(cases: list[Case], budget: int, jobs: int) -> list[Scored]:
    """Ours is computed each time, the baselines once a budget: they do not change while ours is tuned."""
    here = Path(__file__).parent
    judge = (here / "baselines.py", here / "evidence.py", Path(evidence.__file__))
    stamp = hashlib.sha256(b"".join(path.read_bytes() for path in judge))
    stamp.update(f"{len(cases)}:{sum(case.tokens for case in cases)}:{budget}".encode())
    cache = Path(tempfile.gettempdir()) / f"evidence-plain-{os.getuid()}-{stamp.hexdigest()[:12]}.pickle"
    known = pickle.loads(cache.read_bytes()) if cache.exists() else None
    with multiprocessing.Pool(jobs) as pool:
        scored = pool.map(score, [(case, budget) for case in cases], chunksize=8)
        if known is None:
            known = pool.map(_plain, [(case, budget) for case in cases], chunksize=8)
            cache.write_bytes(pickle.dumps(known))
    for item, (tokens, fates) in zip(scored, known, strict=True):
        item.tokens |= tokens
        item.fates |= fates
    return scored


def columns(name: str, tally: Tally) -> list[object]:
    shares = [percent(tally.fate[fate], tally.total) for fate in (READABLE, BARE, LOST)]
    saved = percent(tally.before - tally.after, tally.before)
    return [
        name,
        tally.results,
        tally.total,
        *shares,
        tally.interval(),
        percent(sum(tally.shares), len(tally.shares)),
        saved,
    ]


HEAD = ["", "results", "evidence", "readable", "bare", "lost", "95%", "a result", "saved"]


def breakdown(
    title: str, cases: list[Case], scored: list[Scored], key: Callable[[Case, Scored], str], rows: int = 25
) -> str:
    """Ours by some key, head-tail and greedy beside it."""
    groups: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    for case, item in zip(cases, scored, strict=True):
        for name in ("mcpcompact", "head-tail", "greedy lines"):
            groups[key(case, item)][name].add(case, item.tokens[name], item.fates[name])
    ordered = sorted(groups.items(), key=lambda pair: (-pair[1]["mcpcompact"].total, pair[0]))[:rows]
    lines = [
        [
            *columns(name, tallies["mcpcompact"]),
            *(percent(t.fate[READABLE], t.total, 0) for t in (tallies["head-tail"], tallies["greedy lines"])),
        ]
        for name, tallies in ordered
    ]
    return table([title, *HEAD[1:], "head-tail", "greedy"], lines)


def losses(cases: list[Case], scored: list[Scored], number: int, only: str | None) -> str:
    """What a tuner should read first: the results that lose most, with a few of their atoms and where they stood."""
    ranked = []
    for case, item in zip(cases, scored, strict=True):
        told = zip(case.uses, case.how, item.fates["mcpcompact"], strict=True)
        gone = [(use, how, fate) for use, how, fate in told if fate != READABLE]
        if gone and (only is None or item.content_type == only):
            ranked.append((len(gone), case, item, gone))
    ranked.sort(key=lambda entry: (-entry[0], entry[1].source, entry[1].number))
    out = []
    for lost, case, item, gone in ranked[:number]:
        call = " ".join(json.dumps(case.arguments, default=str).split())[:160]
        out.append(
            f"\n=== {lost} of {len(case.uses)} not readable · {item.content_type} ({item.method}) · "
            f"{case.tokens:,} -> "
            f"{item.tokens['mcpcompact']:,} tokens\n    {case.source} event {case.number} · "
            f"{case.tool} {call}"
        )
        for use, how, fate in gone[:6]:
            at = max(0, case.text.find(use.atom))
            line = case.text.count("\n", 0, at) + 1
            start = max(case.text.rfind("\n", 0, at) + 1, at - 70)
            stood = " ".join(case.text[start : at + len(use.atom) + 60].split("\n")[0].split())
            out.append(
                f"  {fate:<5} {classify(use.atom):<6} {use.atom}\n"
                f"        line {line}: {stood}\n        used in {how[:150]}"
            )
    return "\n".join(out)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.evidence", description=__doc__.splitlines()[0])
    parser.add_argument(
        "--corpus", type=Path, help="default: $MCPCOMPACT_CORPUS, else ../shared/corpus beside the repository"
    )
    parser.add_argument("--budget", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=int, help="only the first N results that have evidence, evenly chosen")
    parser.add_argument("--format", help="only this transcript format")
    parser.add_argument("--type", help="losses of this content type only")
    parser.add_argument("--repeated", action="store_true", help="also what forks and dumps repeat, as replay counts it")
    parser.add_argument("--losses", type=int, default=0, metavar="N", help="print the N worst results")
    parser.add_argument("--show", metavar="SOURCE:EVENT", help="print one result's compacted text")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    root = args.corpus or corpus()
    if not (root / "transcripts").is_dir():
        print(f"no transcripts under {root.name}: set MCPCOMPACT_CORPUS", file=sys.stderr)
        return 66
    cases = load(root / "transcripts", min(args.budget, 1000), args.repeated)
    cases = [case for case in cases if case.tokens > args.budget]
    if args.show:
        source, _, number = args.show.rpartition(":")
        for case in cases:
            if source in case.source and case.number == int(number):
                print(_ours(case, args.budget)[0])
        return 0
    if args.format:
        cases = [case for case in cases if case.format == args.format]
    if args.limit:
        cases = [case for case in cases if case.uses]
        step = max(1.0, len(cases) / args.limit)
        cases = [cases[int(i * step)] for i in range(min(args.limit, len(cases)))]
    scored = score_all(cases, args.budget, args.jobs)
    tallies: dict[str, Tally] = {name: Tally() for name in (OURS, ALONE, *BASELINES)}
    for case, item in zip(cases, scored, strict=True):
        for name, tally in tallies.items():
            tally.add(case, item.tokens[name], item.fates[name])
    if args.json:
        found = {
            name.strip(): {"results": t.results, "evidence": t.total, "tokensBefore": t.before, "tokensAfter": t.after}
            | {fate: t.fate[fate] for fate in (READABLE, BARE, LOST)}
            for name, t in tallies.items()
        }
        print(json.dumps({"budget": args.budget, "policies": found}, indent=2))
        return 0
    print(f"results over {args.budget:,} tokens (o200k_base), strong evidence, budget {args.budget:,}")
    print("a result: the share kept readable averaged over results, so that no single one rules")
    print(table(HEAD, [columns(name, tally) for name, tally in tallies.items()]))
    for title, key in (
        ("content type", lambda case, item: item.content_type),
        ("format", lambda case, item: case.format),
        ("tool", lambda case, item: case.tool),
    ):
        print("\n" + breakdown(title, cases, scored, key))
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for case, item in zip(cases, scored, strict=True):
        for use, fate in zip(case.uses, item.fates["mcpcompact"], strict=True):
            kinds[classify(use.atom)][fate] += 1
    rows = [
        [kind, sum(c.values()), *(percent(c[f], sum(c.values())) for f in (READABLE, BARE, LOST))]
        for kind, c in sorted(kinds.items())
    ]
    print("\n" + table(["kind of atom", "evidence", "readable", "bare", "lost"], rows))
    print(f"\nover budget: {sum(item.tokens['mcpcompact'] > args.budget for item in scored)}; "
          f"median {1000 * sorted(item.seconds for item in scored)[len(scored) // 2]:.0f} ms a result")  # fmt: skip
    if args.losses:
        print(losses(cases, scored, args.losses, args.type))
    return 0


def corpus() -> Path:
    """The recorded corpus, which is no part of the project."""
    return Path(
        os.environ.get("MCPCOMPACT_CORPUS") or Path(__file__).resolve().parent.parent.parent / "shared" / "corpus"
    )


if __name__ == "__main__":
    from bench.evidence import main as run  # so that cached cases unpickle under this module's own name

    sys.exit(run())
