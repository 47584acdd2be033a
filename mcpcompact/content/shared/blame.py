"""``git blame``: who wrote which lines of a file, and when. The file itself is read as a numbered view."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count, groupby

from mcpcompact.outline import Fact
from mcpcompact.patterns import BLAMED, held
from mcpcompact.phrasing import counted, some

LEAST, NEARLY = 3, 0.9  # lines, and share of them, that are blamed
AUTHORS, COMMITS, RUNS = 4, 4, 4  # that are named; runs of lines of a commit


def blamed(lines: Sequence[str], left_out: bool = False) -> list[Fact]:
    """Where nearly all lines are git's: whose they are and from when, and which lines the newest commits wrote;
    ``left_out``: the file is shown without what stands before its lines."""
    beginning = lines[: len(lines) // 10 + 1]  # of nine in ten some stand there
    if not (held(BLAMED, beginning) and any(map(BLAMED.match, beginning))):
        return []
    found = [match for line in lines if (match := BLAMED.match(line))]
    if len(found) < max(LEAST, NEARLY * len(lines)):
        return []
    authors = Counter(match["author"].strip() for match in found)
    days = [match["day"] for match in found]
    said = f"{counted(len(found), 'line')} of a file, {counted(len({m['commit'] for m in found}), 'commit')}"
    told = f"git blame: {said}, {counted(len(authors), 'author')}, {min(days)} to {max(days)}"
    told += "; below without commit, author and time." if left_out else "."
    who = some([f"{name} {n:,}" for name, n in sorted(authors.items(), key=lambda pair: (-pair[1], pair[0]))], AUTHORS)
    written: dict[tuple[str, str, str, str], list[int]] = {}
    for match in found:
        key = match["day"], match["time"], match["commit"], match["author"].strip()
        written.setdefault(key, []).append(int(match["line"]))
    newest = sorted(written.items(), key=lambda pair: pair[0][:3], reverse=True)
    rows = [f"{day} {commit} {author}: {some(_runs(numbers), RUNS)}" for (day, _, commit, author), numbers in newest]
    more = f"\n… {len(rows) - COMMITS:,} more" if len(rows) > COMMITS else ""
    lead = "newest commits, and their lines:" if more else "commits, and their lines:"
    return [Fact(f"{told} By author: {who}.", 0, short=told), Fact("\n".join([lead, *rows[:COMMITS]]) + more, 0)]


def _runs(numbers: Sequence[int]) -> list[str]:
    """``12-14`` of numbers that follow each other."""
    steps = count()
    runs = ([*run] for _, run in groupby(numbers, key=lambda number: number - next(steps)))
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
