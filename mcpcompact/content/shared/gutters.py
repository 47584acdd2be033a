"""The numbers before the lines of a file view, and a view without them.

``   12→text``, ``12\\ttext``, ``12:text``, ``  12 | text``, ``12. text``; those of ``git blame`` name who wrote a line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import count, groupby, pairwise
from typing import NamedTuple

from mcpcompact.outline import Fact
from mcpcompact.patterns import BLAMED, held, regex
from mcpcompact.phrasing import counted, some

BLAME = "blame"
_NUMBER = r"(?P<line>\d{1,7})"
GUTTERS = {
    "→": regex(rf" *{_NUMBER}(?:→|$)"),
    "\t": regex(rf" *{_NUMBER}(?:\t|$)"),
    ":": regex(rf"{_NUMBER}:"),
    "|": regex(rf"[> ]*{_NUMBER} ?[|│](?: |$)"),
    "bar": regex(rf"[> ]*{_NUMBER} ?[|│]"),  # the text follows without a space
    ".": regex(rf"{_NUMBER}\.(?: |$)"),
    "  ": regex(rf" *{_NUMBER}(?: ? ?$|  )"),  # a terminal's for a tab
    " ": regex(rf" *{_NUMBER}(?: |$)"),
    BLAME: regex(rf"{BLAMED.pattern}(?: |$)", holds=(" +", " -")),
}
_WRAPPER = regex(
    r"(?:Chunk ID: |Wall time: |Process (?:exited|running) |Original token count: |Total output lines: |Exit code: "
    r"|Warning: truncated output|Script completed|Output:$)",
    holds=("ID: ", "time: ", "Process ", "count: ", "lines: ", "code: ", "Warning: ", "Script ", "Output:"),
)
MIN_NUMBERED, NUMBERED, STEPS = 3, 0.7, 0.8  # lines with numbers, their share, and of the steps that are of one
LOOK = 400  # lines that tell
BLAMES = 5  # lines that tell git's blame
ROWS = 0.9  # of the rows of a table begin or end in one column
MIN_ROWS = 5  # of a table whose first column counts


def wrapper_end(lines: list[str]) -> int:
    """How many lines at the head belong to the tool that ran, not to what it printed."""
    end = 0
    for i, line in enumerate(lines[:12]):
        if not _WRAPPER.match(line):
            if line.strip():
                break
            continue
        end = i + 1
        if line == "Output:":
            return end
    return end


def gutter_of(lines: list[str]) -> str:
    """The kind of line numbers a view carries (a key of ``GUTTERS``), or ''. Looks at the first 400 lines."""
    head = [line for line in lines[:LOOK] if line.strip()]
    best, most = "", 0
    if len(head) >= MIN_NUMBERED and all(map(GUTTERS[BLAME].match, head[:BLAMES])):
        return BLAME
    if sum(line.lstrip("> ")[:1].isdigit() for line in head) < max(MIN_NUMBERED, NUMBERED * len(head)):
        return ""
    if any(line.startswith("---") and "-+-" in line for line in head):  # psql's, whose first column counts
        return ""
    for kind, pattern in GUTTERS.items():
        found_at = [(i, m) for i, m in enumerate(map(pattern.match, head)) if m]
        matches = [m for _, m in found_at]
        numbers = [int(m["line"]) for m in matches]
        if len(numbers) < MIN_NUMBERED or len(numbers) < NUMBERED * len(head) or len(numbers) <= most:
            continue
        bodies = [m.string[m.end() :] for m in matches]
        ends = [(i, int(m["line"])) for i, m in found_at]
        steps = sum(b == a + 1 or str(b - 1) in "".join(head[i:k]) for (i, a), (k, b) in pairwise(ends))
        if (kind == "." and _is_list(numbers, bodies)) or (kind.isspace() and kind != "\t" and _is_rows(matches)):
            continue
        if steps >= STEPS * (len(numbers) - 1) and any(bodies) and not _is_table(bodies, matches[0][0].strip(" ")[-1:]):
            best, most = kind, len(numbers)
    return best


def ungutter(lines: list[str]) -> tuple[list[str], list[int]]:
    """The lines of a numbered view without their numbers, and these (0 for a line that has none); else no numbers."""
    pattern = GUTTERS.get(gutter_of(lines[wrapper_end(lines) :]))
    if pattern is None:
        return lines, []
    matches = [pattern.match(line) for line in lines]
    texts = [line[m.end() :] if m else line for m, line in zip(matches, lines, strict=True)]
    return texts, [int(m["line"]) if m else 0 for m in matches]


def _is_list(numbers: list[int], bodies: list[str]) -> bool:
    """Items that count, not lines of a file: the count begins again, or no item is empty or indented."""
    return any(b <= a for a, b in pairwise(numbers)) or not any(body[:1] in ("", " ", "\t") for body in bodies)


def _is_rows(matches: list[re.Match[str]]) -> bool:
    """Rows that count, not lines of a file: none is empty, and nearly all begin in one column, behind numbers of one
    width or of any, none right behind its number, or all end in one column."""
    bodies = [m.string[m.end() :] for m in matches]
    begins = [(len(body) - len(body.lstrip()), m.end()) for body, m in zip(bodies, matches, strict=True)]
    columns = ([indent for indent, _ in begins], list(map(sum, begins)), list(map(len, bodies)))
    alike = max(max(Counter(column).values()) for column in columns)
    filled = sum(map(bool, map(str.strip, bodies)))
    first = columns[0].count(0) + filled - len(bodies)  # that begin right behind the number
    if filled < len(bodies):
        return matches[0].re is GUTTERS["  "] and first <= 0  # it ends with one blank
    return alike >= ROWS * filled or first <= (1 - ROWS) * filled


def _is_table(bodies: list[str], separator: str) -> bool:
    """Columns whose first happens to count: what ends the number stands equally often in all the rest."""
    counts = {body.count(separator) for body in bodies}
    return separator in ("\t", "|", ":", ";", ",") and len(counts) == 1 and min(counts) >= 1 and len(bodies) >= MIN_ROWS


class Numbered(NamedTuple):
    """Lines ``first:last`` of a text (0-based, end exclusive) begin with numbers that follow each other, ``number`` the
    first, in one format: so wide, and what is behind them."""

    lines: list[str]
    first: int
    last: int
    number: int
    width: int
    mark: str

    def bare(self, every: int = 0) -> list[str]:
        """The lines without the numbers; every fifth keeps its own with ``every=5``: a reader need not count."""
        numbers = range(self.number, self.number + self.last - self.first)
        gutters = [f"{n:>{self.width}}{self.mark}" * (not every or n % every > 0) for n in numbers]
        shown = [
            line.removeprefix(gutter) for line, gutter in zip(self.lines[self.first : self.last], gutters, strict=True)
        ]
        return [*self.lines[: self.first], *shown, *self.lines[self.last :]]


def numbered(text: str) -> Numbered | None:
    """A view of which every number of a block follows the one before."""
    lines = text.split("\n")
    pattern = GUTTERS.get(gutter_of(lines))
    matches = ((i, m) for i, line in enumerate(lines[:40]) if pattern and (m := pattern.match(line)))
    first, match = next(matches, (0, None))
    if match is None or match.end("line") == match.end():
        return None
    number, mark = int(match["line"]), match[0][match.end("line") :]
    width = match.end("line") if lines[first][0] == " " else 0
    last = first
    while last < len(lines) and lines[last].startswith(f"{number + last - first:>{width}}{mark}"):
        last += 1
    return Numbered(lines, first, last, number, width, mark) if last - first >= MIN_NUMBERED else None


def denumber(view: Numbered, every: int = 0) -> str:
    """A view without its numbers, headed by a line that says how to put them back; ``every`` as for ``bare``."""
    kept = f" but every {every}th" if every else ""
    end = view.number + view.last - view.first - 1
    gutter = f"{view.number:>{view.width}}{view.mark}"
    where = f"lines {view.first + 1}-{view.last} below are numbered {view.number}-{end}"
    header = f"[line numbers dropped{kept}: {where}, the first was {gutter!r}]"
    return "\n".join([header, *view.bare(every)])


# -- who wrote which lines, and when -------------------------------------------------------------------------------


BLAMED_LEAST, NEARLY = 3, 0.9  # lines, and share of them, that are blamed
AUTHORS, COMMITS, RUNS = 4, 4, 4  # that are named; runs of lines of a commit


def blamed(lines: Sequence[str], left_out: bool = False) -> list[Fact]:
    """Where nearly all lines are git's: whose they are and from when, and which lines the newest commits wrote;
    ``left_out``: the file is shown without what stands before its lines."""
    beginning = lines[: len(lines) // 10 + 1]  # of nine in ten some stand there
    if not (held(BLAMED, beginning) and any(map(BLAMED.match, beginning))):
        return []
    matches = [match for line in lines if (match := BLAMED.match(line))]
    if len(matches) < max(BLAMED_LEAST, NEARLY * len(lines)):
        return []
    authors = Counter(match["author"].strip() for match in matches)
    days = [match["day"] for match in matches]
    amounts = f"{counted(len(matches), 'line')} of a file, {counted(len({m['commit'] for m in matches}), 'commit')}"
    title = f"git blame: {amounts}, {counted(len(authors), 'author')}, {min(days)} to {max(days)}"
    title += "; below without commit, author and time." if left_out else "."
    who = some([f"{name} {n:,}" for name, n in sorted(authors.items(), key=lambda pair: (-pair[1], pair[0]))], AUTHORS)
    written: dict[tuple[str, str, str, str], list[int]] = {}
    for match in matches:
        key = match["day"], match["time"], match["commit"], match["author"].strip()
        written.setdefault(key, []).append(int(match["line"]))
    newest = sorted(written.items(), key=lambda pair: pair[0][:3], reverse=True)
    rows = [f"{day} {commit} {author}: {some(_runs(numbers), RUNS)}" for (day, _, commit, author), numbers in newest]
    more = f"\n… {len(rows) - COMMITS:,} more" if len(rows) > COMMITS else ""
    lead = "newest commits, and their lines:" if more else "commits, and their lines:"
    return [Fact(f"{title} By author: {who}.", 0, short=title), Fact("\n".join([lead, *rows[:COMMITS]]) + more, 0)]


def _runs(numbers: Sequence[int]) -> list[str]:
    """``12-14`` of numbers that follow each other."""
    steps = count()
    runs = ([*run] for _, run in groupby(numbers, key=lambda number: number - next(steps)))
    return [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
