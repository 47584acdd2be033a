"""What text, search output and listings share: an even choice of items, the lines that tools and hosts add."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import compress, count, groupby, pairwise
from operator import not_
from typing import Any

from mcpcompact.outline import MAX_ITEMS, Fact, Item, Keep, Lossless, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.source import Source, split_lines

RUN, PASSED_OVER, TELLS = 8, 0.01, 2.0
USUAL = 0.85  # of the lines of a run: what a number is in so many it is as a rule
"""Lines below each other that are told by the first and their number; weights of the others, and of the first."""
_NOTE = 200  # characters; a longer line is no note of what is left out
_STATE_LINE = 120  # characters of a wrapper or a state
_TAIL = 12  # lines at the end: of a state, and of what can be done then

_WRAPPER = regex(
    r"(?:Chunk ID: \w|Wall time: [\d.]|Original token count: \d|Total output lines: \d|Output:$"
    r"|Process exited with code 0$|Exit code: 0$|total \d+$"
    r"|</?(?:output|stdout|stderr|returncode|system-reminder|retrieval_status)>$|<retrieval_status>success<)"
)

_BEGINS = (
    "Chunk ID: ", "Wall time: ", "Original token", "Total output", "Output:", "Process ", "Exit code", "total ",
    "</", "<o", "<s", "<r",
)  # fmt: skip
"""What a wrapper or a state begins with."""
TRUNCATED, ENDS = "The tool itself truncated its output", 8  # lines at an end where tools say so
_LEAVES_OUT = ("truncated", "omitted", "clipped")

CONFLICTS = 8  # merge conflicts said by their lines

COMPLAINTS = 3  # error lines of a search that stand as they are; more are counted by how they end
_COMPLAINT = regex(
    r"(?:/\S{0,80}/)?(?:rg|ripgrep|ugrep|[efz]?grep|ag|ack|find|fd|fatal|(?:ba|da|z)?sh)(?::\d{1,6})?: \S"
    r"|[a-z][\w.-]{0,40}: [^:]{1,300}: (?:No such file or directory|Permission denied|Is a directory)$",
    holds=(": ",),
)

_STATE = regex(
    r"(?:Process running with session ID \d|(?:Process exited with code|Exit code:?) [1-9]).*"
    r"|.{0,80}\bis still running\.(?= |$)",  # and what to do then
    holds=("Process ", "Exit code", "still running"),
)


PROMPT = regex(
    r"(?:\([\w.-]{1,40}\) ?)?(?:[\w.-]{1,40}@[\w.-]{1,40}[: ][^$#]{0,80}[$#](?: |$)|➜ |PS [A-Z]:\\[^>]{0,80}>)",
    holds=("@", "➜", "PS "),
)
"""What a shell writes before a command that is typed."""

WIDE, WRAPPED = 80, 3  # characters of a screen; lines that end at its edge
_ENDS = "=-_]|"  # ends of a ruler, a bar, a box: lines that are as wide as the screen and do not go on

_DIGITS = regex(r"\d{1,18}")
_GAP, COLUMNS = regex(r"(?<! ) {2,}(?=\S)"), 2  # before a cell; as many below each other make rows of two lines
_NUMBERS = regex(r"\d+(?:\.\d+)?(?:e[+-]\d+)?")
_LEADER = regex(r"\.{4,}")
_WORD = regex(r"[^\W\d_]{2}")
_LABEL = regex(r"[^\d%]{0,80}")
_AGAIN = regex(r"\r+|\x1b\[(?:\d{0,3}G|[12]K)")
_BAR = regex(r"[ \t]*+([^%|\d]{0,80}?)[ \t]*(\d{1,3})%[ ]?[|\[]")
ENDED = 100  # percent
_CUT = regex(r"…[\d,]+ tokens truncated…")
_TOTAL = regex(r"Total output lines: (\d{1,12})$", holds=("Total output",))
_LEFT_OUT = regex(
    r"\s*(?:[\[(<]?\.{3} ?[\[(<]?(?:[\d,]+ (?:more )?\w+ )?(?:truncated|omitted|clipped)\b.{0,60}"
    r"|[\[(<](?:[\d,]+ (?:more )?\w+ |output |results? |response )?(?:is |are |was |were )?"
    r"(?:truncated|omitted|clipped)\b.{0,80}"
    r"|Found [\d,]+ \w+ \(truncated.{0,40}|\(?(?:Results|Output) (?:is|are|was|were) truncated.{0,100})$",
    re.I,
)
REDRAWN = regex(r"[\r\b]+|\x1b\[(?:\d{0,3}G|[12]K)")  # what tools print to write a line anew


def last_state(line: str) -> tuple[str, int]:
    r"""Of a line that is redrawn in place, what was last written, and how many states of the line have its words before
    the first number. A ``\r`` at its end is part of the line feed, a ``\b`` takes a character back."""
    if "\r" not in line and "\x1b" not in line and "\b" not in line:
        return line, 1
    states = [_typed(state) for state in _AGAIN.split(line) if state.strip()] or [line]
    labels = ["".join(filter(str.isalpha, label[0])) if (label := _LABEL.match(state)) else "" for state in states]
    return states[-1], labels.count(labels[-1])


def _typed(text: str) -> str:
    """What stands there once the backspaces are done: a spinner leaves nothing."""
    if "\b" not in text:
        return text
    shown: list[str] = []
    at = 0
    for char in text:
        if char == "\b":
            at = max(0, at - 1)
        else:
            shown[at : at + 1] = char
            at += 1
    return "".join(shown)


def overtaken(lines: Iterable[tuple[int, str]]) -> set[int]:
    """The numbers of the lines with a bar of progress from which a later bar of that label goes on."""
    return {number for number, past in bars(lines).items() if past}


def bars(lines: Iterable[tuple[int, str]]) -> dict[int, bool]:
    """Bars of progress: from which a later one of that label goes on, and (false) the last ones that did not end."""
    passed: dict[int, bool] = {}
    last: dict[str, tuple[int, int]] = {}  # by label: number, percent
    for number, line in lines:
        if "%" in line and (bar := _BAR.match(line)):
            before, done = last.get(bar[1], (0, -1))
            passed |= {before: True} if 0 <= done <= int(bar[2]) else {}
            last[bar[1]] = number, int(bar[2])
    return passed | dict.fromkeys((number for number, done in last.values() if done < ENDED), False)


def truncations(lines: Sequence[str], *, last: int = 0) -> list[Fact]:
    """What the tool itself left out of its output, in its own words: nothing brings that back but another call.
    ``last``: of a document, which may quote such words, so many lines at its end, where they stand farthest left."""
    begun = max(0, len(lines) - last) if last else 0
    held = any(map("\n".join(lines[begun:]).lower().__contains__, _LEAVES_OUT))
    looked = enumerate(lines[begun:], begun + 1) if held else ()
    cuts = [(n, cut) for n, line in looked if not (last and line[:1].isspace()) and (cut := truncated(line))]
    notes = [f"“{cut[0].strip()}” (line {n:,})" for n, cut in cuts]
    notes += [line.strip() for line in lines[:8] if (total := _TOTAL.match(line)) and int(total[1]) > len(lines)]
    return [Fact(f"{TRUNCATED}: {'; '.join(notes[:3])}", 0)] if notes else []


def truncated(line: str) -> re.Match[str] | None:
    """The words with which a tool says that it left something out."""
    if "tokens truncated…" in line:
        return _CUT.search(line)
    likely = len(line) < _NOTE and any(map(line.lower().__contains__, _LEAVES_OUT))
    return _LEFT_OUT.match(line) if likely else None


def unwrapped(lines: Sequence[str]) -> Sequence[str]:
    """The lines of a terminal, of which each that goes on below from the edge of its screen is whole; a blank one
    stands for what was joined to it, so that all keep their numbers."""
    edge = max(map(len, lines), default=0)
    wide = edge >= WIDE and sum(len(line) == edge for line in lines) >= WRAPPED
    if not wide or not any(map(PROMPT.match, lines)):
        return lines
    joined, first = list(lines), 0
    for at, (above, line) in enumerate(pairwise(lines), 1):
        blank = " " * (len(above) == edge - 1 and above[-1].isalnum() and line[:1].islower())  # which a screen lacks
        if len(above) + len(blank) < edge or not _goes_on(above, line):
            first = at
        else:
            joined[first], joined[at] = joined[first] + blank + line, ""
    return joined


def _goes_on(above: str, line: str) -> bool:
    """Whether a line goes on from the edge: neither another row of a table, nor another entry of a log."""
    if not line.strip() or above[-1] in _ENDS or not above[-1].isascii() or PROMPT.match(line):
        return False
    first, other = (shape_of(one[:WIDE]).partition(" ")[0] for one in (above, line))
    return first != other and not in_columns(above, line)


def in_columns(above: str, line: str) -> bool:
    """Whether two lines are rows of a table: cells of both begin below each other."""
    begun, others = ({gap.end() for gap in _GAP.finditer(one[:_NOTE])} for one in (above, line))
    return len(begun & others) >= COLUMNS


def is_wrapper(line: str) -> bool:
    """Whether a line is the runner's (``Wall time: 0.1 seconds``); what matters of them ``states`` says."""
    if not line.startswith(_BEGINS) or len(line) >= _STATE_LINE:
        return False
    return _WRAPPER.match(line) is not None or _STATE.match(line) is not None


def states(lines: Sequence[str]) -> list[Fact]:
    """What a runner says around a result that a reader must know: a session that still runs, a failed exit."""
    ends = [*lines[:8], *lines[max(8, len(lines) - _TAIL) :]]
    words = [match[0].strip() for line in ends if (match := _STATE.match(line)) and len(match[0]) < _STATE_LINE]
    return [Fact(line, 0) for line in dict.fromkeys(words)]


def complains(line: str) -> bool:
    """Whether a searching tool (or git, find, the shell) says here what it could not do: ``rg: apps: No such file``."""
    return _COMPLAINT.match(line) is not None


def complaints(lines: Sequence[str]) -> list[Fact]:
    """What a search could not look at, first of all: what it did not find may be there."""
    ends = {n: line.rpartition(": ")[2].rstrip() for n, line in enumerate(lines) if complains(line)}
    nth = Counter[str]()
    turns = sorted((nth.update([end]) or nth[end], n) for n, end in ends.items())  # one of each kind, then more
    shown = sorted(n for _, n in turns[:COMPLAINTS])
    facts = [Fact(lines[n].rstrip(), 0, shows=[[n + 1]]) for n in shown]
    if more := Counter(ends[n][:_STATE_LINE] for _, n in turns[COMPLAINTS:]):
        counts = " · ".join(f"{end} {n:,}" for end, n in more.most_common(COMPLAINTS))
        facts.append(Fact(f"{counted(more.total(), 'more error line')}: {counts}", 0))
    return facts


def bounded(items: Sequence[Item]) -> list[Item]:
    """At most ``MAX_ITEMS`` items: an even choice, and everything that must be kept."""
    if len(items) <= MAX_ITEMS:
        return list(items)
    step = len(items) / MAX_ITEMS
    even = {int(i * step) for i in range(MAX_ITEMS)} | {len(items) - 1}
    return [item for i, item in enumerate(items) if item.keep or i in even]


def outline_of(lines: Sequence[str], headline: str, facts: list[Fact], items: Sequence[Item], **more: Any) -> Outline:
    """The outline of a text of which a line is the unit; ``more``: what else it has."""
    more.setdefault("more", [("--lines", "A:B")])
    return Outline("text", "line", len(lines), headline, facts, bounded(items), **more)


LOOKED_UP = [("--grep", "TERM"), ("--lines", "A:B")]
"""``Outline.more`` of a text in which entries are looked up by their words."""


def at_line(number: int, text: str) -> str:
    """A line behind its number, which no number that the line begins with may go on."""
    return f"{number}{':' * text.lstrip()[:1].isdigit()} {text}"


def shape_of(line: str) -> str:
    """What lines that differ in numbers alone share, and in the dots that lead to a value."""
    line = _LEADER.sub("...", line) if "...." in line else line
    return " ".join(_NUMBERS.sub("0", line).split())


def fold_runs(items: Sequence[Item], alone: Iterable[bool]) -> None:
    """Of lines one behind the other that differ in numbers alone the first says how many there are; what stands between
    it and the last comes behind everything else. None that are ``alone``."""
    shapes = [
        "" if apart or item.keep or item.end > item.start else shape_of(item.text)
        for item, apart in zip(items, alone, strict=True)
    ]
    for (shape, _), run in groupby(zip(items, shapes, strict=True), lambda one: (one[1], one[0].section)):
        such = [item for item, _ in run]
        apart = _apart([item.text for item in such]) if len(such) >= RUN and _WORD.search(shape) else set()
        alike = [item for n, item in enumerate(such) if n not in apart]
        if len(alike) >= RUN and _WORD.search(shape):
            for n in apart:
                such[n].weight *= TELLS
            weight = 0 if _counts([item.text for item in alike]) else PASSED_OVER
            alike[0].weight *= TELLS
            alike[0].text += f" … {len(alike):,} such lines, to line {alike[-1].start}"
            for item in alike[1:-1]:
                item.weight *= weight


def _apart(texts: Sequence[str]) -> set[int]:
    """Of lines that differ in numbers alone those few of which a number is not what it is in nearly all."""
    rows = [_DIGITS.findall(text) for text in texts]
    apart = set[int]()
    for column in zip(*rows, strict=False):
        usual, count = Counter(column).most_common(1)[0]
        if count >= USUAL * len(column):
            apart.update(n for n, number in enumerate(column) if number != usual)
    return apart if len(apart) <= (1 - USUAL) * len(rows) else set()


def _counts(texts: Sequence[str]) -> bool:
    """Whether the numbers of lines only count: the first and the last line tell all the others."""
    rows = [[*map(int, _DIGITS.findall(text))] for text in texts]
    if len({*map(len, rows)}) > 1:
        return False
    return all(len({b - a for a, b in pairwise(column)}) == 1 for column in zip(*rows, strict=True))


def torn_lines(lines: Sequence[str]) -> list[tuple[int, int]]:
    """The first and last line numbers of merge conflicts."""
    spans, begun = [], 0
    for number, line in enumerate(lines if "<<<<<<< " in "\n".join(lines) else (), 1):
        if line[:8] == "<<<<<<< ":
            begun = number
        elif begun and line[:8] == ">>>>>>> ":
            spans.append((begun, number))
            begun = 0
    return spans


def torn_first(items: Sequence[Item], lines: Sequence[str]) -> None:
    """Both sides of merge conflicts are kept: whoever opens such a file has them to resolve."""
    for first, last in torn_lines(lines):
        for item in items:
            if first <= item.start <= last:
                item.keep = Keep.SEVERE


def conflicts(lines: Sequence[str]) -> list[Fact]:
    """Merge conflicts that nobody resolved, with their lines: whatever the text is, it is not what anyone meant."""
    spans = [f"{first}–{last}" for first, last in torn_lines(lines)]
    if not spans:
        return []
    more = f", {len(spans) - CONFLICTS:,} more" if len(spans) > CONFLICTS else ""
    return [Fact(f"{counted(len(spans), 'unresolved merge conflict')}: lines {', '.join(spans[:CONFLICTS])}{more}", 0)]


def blank_lines(lines: Sequence[str]) -> frozenset[int]:
    """The numbers of the lines without a sign."""
    return frozenset(compress(count(1), map(not_, map(str.strip, lines))))


# -- what a host puts around what a tool returned: a reminder below it -----------------------------------------------

_REMINDER, _REMINDED = "<system-reminder>", "</system-reminder>"


def reminder(lines: list[str], first: int) -> str:
    """Where the first reminder from a line (by its index) on stands, '' where none does."""
    begin = next((i for i in range(first, len(lines)) if lines[i].startswith(_REMINDER)), len(lines))
    end = next((i for i in range(begin, len(lines)) if _REMINDED in lines[i]), begin)
    where = f"line {end + 1}" if end == begin else f"lines {begin + 1}–{end + 1}"
    return f"a reminder to the reader in {where}" if begin < len(lines) else ""


def above_reminder(source: Source) -> Source:
    """What stands above the reminder at the end; the source itself where there is none."""
    end = source.read(max(0, source.size - len(_REMINDED) - 2), source.size)  # and its line feed
    whole = source.text if _REMINDED.encode() in end and not source.large else ""
    own = whole[: max(0, whole.rfind(f"\n{_REMINDER}"))].rstrip("\r\n")
    return Source.of_text(f"{own}\n") if own.strip() else source


def say_below(outline: Outline, shown: Source, payload: Source) -> None:
    """What an outline of the lines that are ``shown`` lacks of the ``payload``, in which the same lines have the same
    numbers."""
    own, lines = len(split_lines(shown.text)), split_lines(payload.text)
    if outline.unit == "line":
        outline.total += len(lines) - own
    if own < len(lines):
        note = reminder(lines, own) or f"{counted(len(lines) - own, 'line')} of the tool"
        outline.facts.insert(1, Fact(f"Beside it: {note}", 0))
    below = payload.text.removeprefix(shown.text)
    outline.lossless = [_above(below, each) for each in outline.lossless if len(below) < len(payload.text)]


def _above(below: str, lossless: Lossless) -> Lossless:
    return Lossless(lossless.how, lambda: f"{lossless.text()}\n{below}", lossless.estimate + len(below))
