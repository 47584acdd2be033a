"""Evidence: of what an agent later used, how much would have survived the cut.

Strong evidence is an atom (path, symbol, id, number) of a tool result over the budget that stands
nowhere earlier in the transcript and is later used in a call's arguments. In the compacted text it
is kept in context (within 120 characters of it stand at least a third of the up to six words
nearest to it in the original), kept bare, or lost. The agent saw the full result, so unused is not
useless; derived values are invisible.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import os
import pickle
import re
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import baselines, oracle
from bench.atoms import atoms, classify
from bench.tables import percent, table
from bench.transcripts import CALL, MESSAGE, RESULT, Events, strings, transcripts
from mcpcompact.atoms import atoms as engine_atoms

WORD = re.compile(r"\w{2,}")
NEAR = 120
CONTEXT, BARE, LOST = "context", "bare", "lost"


@dataclass(slots=True)
class Use:
    atom: str
    kind: str
    how: str  # the tool and the piece of its arguments that uses the atom


@dataclass(slots=True)
class Case:
    """A result over some budget, and the atoms of it that were used later."""

    format: str
    source: str
    number: int
    tool: str
    arguments: dict[str, Any]
    focus: str
    text: str
    uses: list[Use]
    tokens: int = 0
    context: frozenset[str] = frozenset()  # names of the text that the conversation before it holds already


def cases_of(name: str, source: str, events: Events, least: int) -> Iterable[Case]:
    """Strong evidence of one transcript, for results of at least ``least`` tokens (bytes bound them from above)."""
    sets = [atoms(strings(e.arguments) if e.kind == CALL else e.text) for e in events]
    earlier: set[str] = set()
    names: set[str] = set()  # as the engine sees them
    focus = ""
    for i, event in enumerate(events):
        if event.kind == MESSAGE and event.text.strip():
            focus = event.text
        if event.kind == RESULT and len(event.text.encode()) > least and (tokens := oracle.count(event.text)) > least:
            new = sets[i] - earlier
            uses: dict[str, Use] = {}
            for j in range(i + 1, len(events)):
                if events[j].kind == CALL and (hit := (new & sets[j]) - uses.keys()):
                    used_in = strings(events[j].arguments)
                    for atom in sorted(hit):
                        at = max(0, used_in.find(atom))
                        how = " ".join(used_in[max(0, at - 40) : at + 60].split())
                        uses[atom] = Use(atom, classify(atom), f"{events[j].tool}: {how}")
            kept = [u for atom, u in sorted(uses.items()) if not any(atom != other and atom in other for other in uses)]
            context = frozenset(engine_atoms(event.text) & names)
            yield Case(name, source, i, event.tool, event.arguments, focus[-2000:], event.text, kept, tokens, context)
        earlier |= sets[i]
        names |= engine_atoms(strings(event.arguments) if event.kind == CALL else event.text)


def load(directory: Path, least: int) -> list[Case]:
    """All cases of a corpus, cached by the readers' code and the corpus' listing."""
    here = Path(__file__).parent
    read = (here / "transcripts.py", here / "atoms.py", here.parent / "mcpcompact" / "atoms.py")
    stamp = hashlib.sha256(b"".join([b"3", *(path.read_bytes() for path in read)]))
    for path in sorted(directory.rglob("*")):
        stamp.update(f"{path.relative_to(directory)}:{path.stat().st_size}".encode())
    cache = Path(tempfile.gettempdir()) / f"evidence-{os.getuid()}-{stamp.hexdigest()[:12]}-{least}.pickle"
    if cache.exists():
        found: list[Case] = pickle.loads(cache.read_bytes())
        return found
    found = [case for name, source, events in transcripts(directory) for case in cases_of(name, source, events, least)]
    unique: dict[tuple[str, tuple[str, ...]], Case] = {}
    for case in found:  # API logs repeat their history, forks of a session copy it
        unique.setdefault((case.text, tuple(use.atom for use in case.uses)), case)
    found = list(unique.values())
    cache.write_bytes(pickle.dumps(found))
    return found


def places(atom: str, text: str, limit: int = 40) -> list[int]:
    pattern = re.compile(r"(?<!\w)" + re.escape(atom) + r"(?!\w)")
    out = []
    for match in pattern.finditer(text):
        out.append(match.start())
        if len(out) >= limit:
            break
    return out


def nearest(atom: str, at: int, text: str, number: int = 6) -> set[str]:
    """The up to six words nearest to the atom: three words on either side compete by distance."""
    start = max(0, at - 200)
    before = [(at - start - m.end(), m.group()) for m in WORD.finditer(text[start:at])]
    end = at + len(atom)
    after = [(m.start(), m.group()) for m in WORD.finditer(text[end : end + 200])]
    return {word for _, word in sorted(before + after)[:number]}


def survival(atom: str, original: str, compacted: str) -> str:
    shown = places(atom, compacted)
    if not shown:
        return LOST if atom not in compacted else BARE
    around = [set(WORD.findall(compacted[max(0, at - NEAR) : at + len(atom) + NEAR])) for at in shown]
    for at in places(atom, original):
        near = nearest(atom, at, original)
        if not near or any(3 * len(near & window) >= len(near) for window in around):
            return CONTEXT
    return BARE


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
    shares: list[float] = field(default_factory=list)  # kept in context, one a result that has evidence

    def add(self, case: Case, tokens: int, fates: Sequence[str]) -> None:
        self.results += 1
        self.before += case.tokens
        self.after += tokens
        self.fate.update(fates)
        if fates:
            self.shares.append(fates.count(CONTEXT) / len(fates))

    @property
    def total(self) -> int:
        return sum(self.fate.values())

    def interval(self) -> str:
        """Wilson's 95 % interval of the share kept in context."""
        n, z = self.total, 1.96
        if not n:
            return "-"
        p = self.fate[CONTEXT] / n
        middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        return f"{100 * (middle - half) / (1 + z * z / n):.0f}-{100 * (middle + half) / (1 + z * z / n):.0f}%"


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
        {name: [survival(use.atom, case.text, text) for use in case.uses] for name, text in texts.items()},
    )


def _plain(job: tuple[Case, int]) -> tuple[dict[str, int], dict[str, list[str]]]:
    case, budget = job
    return _judged(case, {name: policy(case, budget) for name, policy in BASELINES.items()})


def score_all(cases: list[Case], budget: int, jobs: int) -> list[Scored]:
    """Ours is computed each time, the baselines once a budget: they do not change while ours is tuned."""
    here = Path(__file__).parent
    stamp = hashlib.sha256(
        b"".join((here / name).read_bytes() for name in ("atoms.py", "baselines.py", "evidence.py", "transcripts.py"))
    )
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
    shares = [percent(tally.fate[fate], tally.total) for fate in (CONTEXT, BARE, LOST)]
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


HEAD = ["", "results", "evidence", "in context", "bare", "lost", "95%", "a result", "saved"]


def breakdown(
    title: str, cases: list[Case], scored: list[Scored], key: Callable[[Case, Scored], str], rows: int = 25
) -> str:
    """Ours by some key, head-tail and greedy beside it."""
    groups: dict[str, dict[str, Tally]] = defaultdict(lambda: defaultdict(Tally))
    for case, item in zip(cases, scored, strict=True):
        for name in ("mcpcompact", "head-tail", "greedy pieces"):
            groups[key(case, item)][name].add(case, item.tokens[name], item.fates[name])
    ordered = sorted(groups.items(), key=lambda pair: (-pair[1]["mcpcompact"].total, pair[0]))[:rows]
    lines = [
        [
            *columns(name, tallies["mcpcompact"]),
            *(percent(t.fate[CONTEXT], t.total, 0) for t in (tallies["head-tail"], tallies["greedy pieces"])),
        ]
        for name, tallies in ordered
    ]
    return table([title, *HEAD[1:], "head-tail", "greedy"], lines)


def losses(cases: list[Case], scored: list[Scored], number: int, only: str | None) -> str:
    """What a tuner should read first: the results that lose most, with a few of their atoms and where they stood."""
    ranked = []
    for case, item in zip(cases, scored, strict=True):
        gone = [(use, fate) for use, fate in zip(case.uses, item.fates["mcpcompact"], strict=True) if fate != CONTEXT]
        if gone and (only is None or item.content_type == only):
            ranked.append((len(gone), case, item, gone))
    ranked.sort(key=lambda entry: (-entry[0], entry[1].source, entry[1].number))
    out = []
    for lost, case, item, gone in ranked[:number]:
        call = " ".join(json.dumps(case.arguments, default=str).split())[:160]
        out.append(
            f"\n=== {lost} of {len(case.uses)} not in context · {item.content_type} ({item.method}) · "
            f"{case.tokens:,} -> "
            f"{item.tokens['mcpcompact']:,} tokens\n    {case.format}/{case.source} event {case.number} · "
            f"{case.tool} {call}"
        )
        for use, fate in gone[:6]:
            at = (places(use.atom, case.text, 1) or [max(0, case.text.find(use.atom))])[0]
            line = case.text.count("\n", 0, at) + 1
            start = max(case.text.rfind("\n", 0, at) + 1, at - 70)
            stood = " ".join(case.text[start : at + len(use.atom) + 60].split("\n")[0].split())
            out.append(
                f"  {fate:<5} {use.kind:<6} {use.atom}\n        line {line}: {stood}\n        used in {use.how[:150]}"
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
    parser.add_argument("--losses", type=int, default=0, metavar="N", help="print the N worst results")
    parser.add_argument("--show", metavar="SOURCE:EVENT", help="print one result's compacted text")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(argv)
    root = args.corpus or corpus()
    if not (root / "transcripts").is_dir():
        print(f"no transcripts under {root.name}: set MCPCOMPACT_CORPUS", file=sys.stderr)
        return 66
    cases = [case for case in load(root / "transcripts", min(args.budget, 1000)) if case.tokens > args.budget]
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
            | {fate: t.fate[fate] for fate in (CONTEXT, BARE, LOST)}
            for name, t in tallies.items()
        }
        print(json.dumps({"budget": args.budget, "policies": found}, indent=2))
        return 0
    print(f"results over {args.budget:,} tokens (o200k_base), strong evidence, budget {args.budget:,}")
    print("a result: the share in context averaged over results, so that no single one rules")
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
            kinds[use.kind][fate] += 1
    rows = [
        [kind, sum(c.values()), *(percent(c[f], sum(c.values())) for f in (CONTEXT, BARE, LOST))]
        for kind, c in sorted(kinds.items())
    ]
    print("\n" + table(["kind of atom", "evidence", "in context", "bare", "lost"], rows))
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
