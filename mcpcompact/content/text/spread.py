"""Where the matches of a search stand: by file, directory and part of the tree."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile

from mcpcompact.content.text.hits import Hit
from mcpcompact.content.text.paths import first, parent
from mcpcompact.content.text.rows import BESIDE, GENERATED, TEST
from mcpcompact.outline import Fact
from mcpcompact.phrasing import counted

MOST, TOPS = 3, 16  # files without a line on directories; parts of the tree, and parts of one, that are told
ALONE = 0.3  # of the matches: so many in one file are told with the parts of the tree
TOLD_TOPS = 4  # parts of the tree that the first line counts
PROSE = (".md", ".mdx", ".rst", ".txt", ".log", ".jsonl")
SAME = 6  # lines of a file that are told with it


@lru_cache  # the hits of a file follow each other
def kind(path: str) -> tuple[bool, bool]:
    """Whether a file is a test, and whether it is made."""
    return TEST.search(path) is not None, GENERATED.search(path) is not None


def aside(path: str) -> bool:
    """Whether a file stands beside the source: a test, made, an example, hidden, a document or a log."""
    return any(kind(path)) or BESIDE.search(path) is not None or path.endswith(PROSE)


def parts(by_file: Counter[str]) -> tuple[dict[str, str], str]:
    """What each file is counted with: the first directory in which the paths differ, or itself where it stands beside
    these or the files are few; and the directory that all stand in."""
    if len(by_file) <= MOST:
        return {path: path for path in by_file}, ""
    base = base_of(by_file)
    return {path: "".join(path.removeprefix(base).partition("/")[:2]) for path in by_file}, base


def base_of(paths: Iterable[str]) -> str:
    """The directory that all paths stand in."""
    folders = zip(*(path.split("/")[:-1] for path in paths), strict=False)
    return "".join(f"{steps[0]}/" for steps in takewhile(lambda steps: len(set(steps)) == 1, folders))


def tally(by_file: Counter[str], tops: dict[str, str]) -> str:
    """How many matches each part of the tree has, those with most first; nothing where most are in none of these."""
    counts = Counter(tops[path] for path in by_file.elements())
    most = counts.most_common(TOLD_TOPS + (len(counts) == TOLD_TOPS + 1))
    left = by_file.total() - sum(n for _, n in most)
    told = [f"{top} {n:,}" for top, n in most] + [f"{left:,} in others"] * (left > 0)
    (path, n), *_ = by_file.most_common(1) or [("", 0)]
    alone = (
        f"; {os.path.basename(path)} alone {n:,}" if counts[tops.get(path, path)] > n >= ALONE * by_file.total() else ""
    )
    return f": {' · '.join(told)}{alone}" if len(counts) > 1 and 2 * left < by_file.total() else ""


def top(by_file: Counter[str], few: int, hits: list[Hit], brief: bool = False, where: str = "") -> str:
    """The files with most matches, with their lines in ``hits``, and how many others there are."""
    ranked = sorted(by_file.items(), key=lambda one: (-one[1], one[0]))
    least = ranked[few][1] if len(ranked) > few else 0
    at = {path: [str(h.line) for h in hits if h.path == path and h.line and not h.context] for path, _ in ranked[:few]}
    lines = {path: f" (lines {', '.join(at[path])})" if 1 < len(at[path]) <= SAME else "" for path in at}
    alone = Counter(map(os.path.basename, by_file)) if brief else Counter()
    named = {path: name if alone[name := os.path.basename(path)] == 1 else path for path in at}
    told = [f"{named[path]} {n:,}{lines[path]}" for path, n in ranked[:few] if n > least]
    ties = f", at most {least:,} each" if len(told) < few else ""
    rest = [f"{counted(len(ranked) - len(told), 'other')}{ties}"] if least else []
    return f"Most matches{where}: {' · '.join(told + rest)}" if told else ""


def shape(by_file: Counter[str], rank: int) -> list[Fact]:
    """All directories with their matches, below what several begin with, tests and examples last: what no choice of
    hits could tell; nothing of one alone."""
    folders = Counter(map(os.path.dirname, by_file.elements()))
    late = folders.keys() - {os.path.dirname(path) for path in by_file if not aside(path)}
    steps = 2 if len({parent(path) for path in by_file}) <= TOPS else 1
    tops: dict[str, list[tuple[str, int]]] = {}
    for folder, n in sorted(folders.items(), key=lambda one: (one[0] in late, -one[1], one[0])):
        top = "/".join(folder.split("/")[: steps + folder.startswith("./")])
        tops.setdefault(top, []).append((folder.removeprefix(top).strip("/") or ".", n))
    last = ", tests, examples and the like last" if 0 < len(late) < len(folders) else ""
    lines = [f"Matches in each of {counted(len(folders), 'directory')}{last}:"]
    sums = Counter({top or ".": sum(n for _, n in held) for top, held in tops.items()})
    for top, held in tops.items():
        below = f": {first(Counter(dict(held)), TOPS)}" if len(held) > 1 or held[0][0] != "." else ""
        lines.append(f"{top or '.'} {sums[top or '.']:,}{below}")
    short, least = (f"Matches by directory: {first(sums, many)}" for many in (TOPS // 2, TOLD_TOPS))
    return [Fact("\n".join(lines), rank, short, least=least)] if len(folders) > 1 else []
