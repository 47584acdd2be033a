"""Reading: what share of the words of a summary's body stands in runs of the original that can be quoted.

A word counts where it stands in an unbroken run of eight words or more of the original, or where its line is a whole
line or row of it: its numbers, signs, marks of gaps and reasons aside. Notice, facts and the line that says what the
numbers of a diff count are ours and no part of it.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.evidence import corpus, load
from bench.tables import percent, table
from mcpcompact.engine.choice import State
from mcpcompact.outline import Outline

RUN = 8
"""Words of a run that can be quoted: a short clause or statement."""

_WORD = re.compile(r"\w+")
_OURS = re.compile(
    r"…\[\+[\d,]+ (?:chars|lines?)\]|…\[[\d,]+ of [^\]]*\]| ← .*| \(×[\d,]+\)"
    r"| \(\+[\d,]+ (?:more )?like it: [^)]*\)|^… \[.*\]$|^\((?:numbers|\+@?N): [^)]*\)$"
)
_ANCHOR = re.compile(r"^[+\-~ ]?#?\d+(?:[-–@]\d+)?[:|]? ")
_GUTTER = re.compile(r"^\s*\d+(?:→|\t|[:|] ?| {1,2})")  # of a numbered view: a line that follows one needs no number


def quotable(shown: str, original: str) -> tuple[int, int]:
    """Words of the body that can be quoted, and all of them."""
    lines = {" ".join(_WORD.findall(one)) for line in original.split("\n") for one in (line, _GUTTER.sub("", line))}
    words = _WORD.findall(original)
    runs = {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
    good = total = 0
    for line in shown.split("\n"):
        bare = _ANCHOR.sub("", _OURS.sub(" ", line))
        own = _WORD.findall(bare)
        total += len(own)
        if " ".join(own) in lines or " ".join(_WORD.findall(_OURS.sub(" ", line))) in lines:
            good += len(own)
            continue
        inside = {k for i in range(len(own) - RUN + 1) if tuple(own[i : i + RUN]) in runs for k in range(i, i + RUN)}
        good += len(inside)
    return good, total


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="bench.reading", description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=Path, default=None)
    parser.add_argument("--every", type=int, default=5, help="every Nth result over 1,000 tokens")
    args = parser.parse_args(argv)
    root = args.corpus or corpus()
    if not (root / "transcripts").is_dir():
        print("no corpus: set MCPCOMPACT_CORPUS or name one by --corpus")
        return 66
    import importlib

    from mcpcompact import compact

    fill = importlib.import_module("mcpcompact.engine.fill")

    render: Callable[[Outline, list[str], State], str] = fill.render
    bodies = [""]

    def recorded(outline: Outline, lines: list[str], state: State) -> str:
        bodies[0] = render(outline, [], state)
        return render(outline, lines, state)

    setattr(fill, "render", recorded)  # noqa: B010 - what is shown of the input, told apart from the facts about it
    sums: dict[int, Counter[str]] = {500: Counter(), 1000: Counter()}
    for case in load(root / "transcripts", 1000)[:: args.every]:
        for budget, counts in sums.items():
            out = compact(case.text, budget=budget, threshold=budget, tool=case.tool or None, arguments=case.arguments)
            good, total = quotable(bodies[0], case.text) if out.method == "outline" else (0, 0)
            for name in (out.content_type, "all"):
                counts[f"{name} good"] += good
                counts[name] += total
    names = sorted({name for counts in sums.values() for name in counts if not name.endswith(" good")})
    rows = [[name, *(percent(c[f"{name} good"], c[name]) for c in sums.values())] for name in names]
    print(table(["content type", "500", "1,000"], rows))
    return 0


if __name__ == "__main__":
    from bench.reading import main as run

    raise SystemExit(run())
