"""Where an entry of a log begins: the heads of lines, what continues one, the names of tasks before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import add, sub
from typing import Final, NamedTuple

from mcpcompact.content.log import grammar
from mcpcompact.content.log.grammar import find_stamp, level_of, plain
from mcpcompact.patterns import held, regex

Entry = tuple[int, int, list[str]]  # its first line, its last line, its lines

# a frame as Dr. Memory, gdb and PHP number it
_NUMBERED: Final = (
    r"(?:# \d \S|#\d{1,3} +(?:0x[\da-f]{1,16} in |[\w:~<>]{1,200} \(|.{1,200}\[\S{1,400}:\d{1,7}\]$"
    r"|\{main\}|\[internal function\]: |[^(\n]{1,300}\(\d{1,7}\): ))"
)
_CONTINUES: Final = regex(
    r"[ \t]+\S|Caused by: |\.\.\. \d+ (?:more|common)|at [\w$.<>/]+\(|Suppressed: |[)}\]]+[,;]?\s*$|\^|~{2,}|-->|"
    r"During handling of the above|The above exception was|goroutine \d+ |created by |[\w./*()]+\([^)]{0,80}\)$|"
    r"\[signal SIG|stack backtrace:|note: run with|\s{0,6}\d+: +0x|exit status \d|--- End of inner|The direct cause"
    rf"|(?:Note: )?{_NUMBERED}"
)
GUTTER: Final = regex(r"(?:\d{1,6}|LL) +[|~+-](?: |$)|\.\.\.(?: +\||$)|(?:help|note): ")  # of rustc
_TRACE_HEAD: Final = regex(
    r"Traceback \(most recent call last\)|(?:^|\s)panic: |^goroutine \d+ \[|panicked at |^Exception in thread"
)
_TRACE_TAIL: Final = regex(r"[A-Za-z_][\w.]{0,120}(?::\s|$)")
_HEAD_LEVEL: Final = regex(
    rf"\[?(?:{grammar.LEVEL_WORDS.upper()})\]?\b[\s:|\]]|\[(?:{grammar.LEVEL_WORDS}|Pipeline)\]"
    r"|(?:error|warning|Error|Warning|Info)(?:\[\w+\])?: \S|\d{1,6}\. (?:WARNING|ERROR|INFO) in \S"
)
_DATED: Final = r"\d{4}-\d\d-\d\d[ T]\d\d:"  # whatever is left of the time
_HEAD: Final = regex(f"{_DATED}|(?:{grammar.KLOG.pattern})|(?:{grammar.CODED.pattern})|{_HEAD_LEVEL.pattern}")
# what a level at the front begins with; other heads have a digit, a point or a dash behind their first character
_OPENS: Final = ("[", *map(str.upper, grammar.STEMS_OF_LEVELS), "error", "warning", "Error", "Warning", "Info")
MAX_ENTRY: Final = 400  # lines; a longer run without a head is cut, so that one odd stretch is not one entry
MAX_TRACE: Final = 2000  # as many when its lines are indented: a stack overflow has 1,024 frames
FRAME: Final = regex(
    r"\s+(?:at [\w.$<>/]|File \"|\.\.\. \d+ (?:more|common)|\d+: +(?:0x|[\w<{][^ ]*::)|\^|~|/\S+\.go:\d)"
    rf"|stack backtrace:|{_NUMBERED}"
)


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def is_head(line: str) -> bool:
    """Does the line begin as an entry of a log with heads: a stamp or a level at its front?"""
    return bool(line) and line[0] not in " \t" and _begins(line[: grammar.LOOK])


@lru_cache(maxsize=grammar.KNOWN)
def _begins(line: str) -> bool:
    if grammar.CLOCK.search(line, 0, grammar.STAMP_WITHIN) and grammar.ANYWHERE.match(line, line[0] in "[(<"):
        return True
    opens = line.startswith(_OPENS) or line[1:2].isdigit() or line[1:2] in ("-", ".")
    if (opens and _HEAD.match(line)) or ("\t" in line and grammar.TASKED.match(line)):
        return True
    stamp = find_stamp(line)
    return stamp is not None and stamp[1] <= grammar.HEAD_WITHIN


def told_entries(entries: Sequence[Entry]) -> int:
    """How many entries a reader counts: those that begin with a head; 0 where another line may be one, as one whose
    stamp was blotted out: it is not indented, and begins as they do."""
    first = {start: lines[0] for start, _, lines in entries if is_head(lines[0])}
    begins = {_sort(line) for line in first.values()}
    others = (line for start, _, lines in entries for line in lines[start in first :])
    sure = bool(entries) and entries[0][0] in first and not any(_sort(line) in begins for line in others)
    return len(first) if sure else 0


def _sort(line: str) -> str:
    """What a line begins with: two digits, letters or signs; nothing where it is indented."""
    own = "" if line[:1].isspace() else line[:2]
    return "".join("0" if sign.isdigit() else "a" if sign.isalpha() else sign for sign in own)


def _is_headed(text: Sequence[str]) -> bool:
    """Do entries of this log begin with a head, traces aside? Then every other line continues one."""
    framed = {at for at, line in enumerate(text) if FRAME.match(line)}
    near = framed.union(*({at - 1, at + 1} for at in framed))  # what stands beside a frame belongs to it
    text = [line for at, line in enumerate(text) if at not in near or (at not in framed and is_head(line))]
    heads = sum(map(is_head, text))
    return (heads > 1 and heads * 5 >= len(text) * 2 and is_head(text[0])) or heads * 5 >= max(len(text), 1) * 4


TASK: Final = regex(r"[ \t]{0,24}\[[\w .:/-]{1,40}\](?!\() ?", holds="[")  # ``  [javac] …``: an own indent behind it


def untasked(line: str) -> str:
    """The line without the name of its task."""
    task = TASK.match(line)
    return line[task.end() :] if task else line


PLACED: Final = regex(
    r"(?:\d{1,6}\. (?:WARNING|ERROR|INFO) in (?P<file>\S.*?) \(at line \d+\)"
    r"|(?P<ghc>[^\s:()]{1,240}\.\w{1,8}):\d+:\d+: (?:error|warning):)\s*$"
)
"""Where a compiler found something (Eclipse's, GHC): what it found stands below."""
ARROW: Final = regex(r"\s*--> (\S{1,300}:\d{1,7}:\d{1,5})$", holds="--> ")  # rustc's place, below what it says
_RULER: Final = regex(r"\s*([-=*_~─━═])\1{3,}\s*$|==\d+==\s*$|\s+\[[\w.-]{1,40}\]\s*$|\[INFO\]\s*$")


def is_blank(line: str) -> bool:
    """Whether a line only separates others."""
    text = line.rstrip()
    if text[-1:] == "]":
        return _RULER.match(text) is not None
    return not text or (text[-1] in "-=*_~─━═" and _RULER.match(untasked(line)) is not None)


STYLED: Final = 400  # lines from the first on that show how a log is written


class Style(NamedTuple):
    """How a log is written: do entries begin with a head; the indent that its lines have in general (cargo, ctest)."""

    headed: bool
    indent: int

    @classmethod
    def of(cls, lines: Sequence[str]) -> Style:
        """By the first lines."""
        text = [line for line in lines[:STYLED] if line.strip()]
        indents = Counter(indent_of(line) for line in text if not FRAME.match(line))
        indent, count = indents.most_common(1)[0] if indents else (0, 0)
        return cls(_is_headed(text), indent if count * 4 >= indents.total() * 3 else 0)


def boundaries(style: Style) -> Callable[[str], bool]:
    """A function that is fed lines in order and says whether each begins an entry."""
    in_trace = placed = quotes = panicked = False
    seen = indent = 0

    def begins(line: str) -> bool:
        nonlocal seen
        seen += 1
        bare = seen > 1 and not style.headed
        start = seen == 1 or too_long(seen - 1, line) or (begins_bare(line) if bare else is_head(line))
        if start:
            seen = 1
            learn(line)
        return start

    def learn(line: str) -> None:
        nonlocal indent, in_trace, placed, quotes, panicked
        rest = untasked(line)
        quotes = rest.startswith(("error", "warning"))
        placed = PLACED.match(rest) is not None
        indent = indent_of(rest)
        in_trace = bool(_TRACE_HEAD.search(line))
        panicked = in_trace and " panicked at " in line and line.endswith(":")  # its message stands below

    def begins_bare(line: str) -> bool:
        nonlocal in_trace, placed, panicked
        if panicked:
            panicked = False
            return False
        if is_blank(line):
            placed = False
            return not in_trace
        rest = untasked(line)
        if placed or PLACED.match(rest):
            return not placed
        deeper = indent_of(rest) > max(indent, style.indent)
        if deeper or (rest[:1] not in " \t" and (_CONTINUES.match(rest) or (quotes and GUTTER.match(rest)))):
            in_trace = in_trace or rest.startswith(("goroutine", "stack backtrace"))
            return False
        if in_trace and _TRACE_TAIL.match(rest) and not is_head(rest):
            in_trace = False  # "ValueError: …" ends a traceback and belongs to it
            return False
        return True

    return begins


_THROWN: Final = regex(
    r"Exception in thread |Unhandled exception|Traceback \(most recent|\s{2,4}\+ Exception Group Traceback"
    r"|(?:[a-z_][\w$]*\.)+[A-Z][\w$]*(?:Exception|Error)\b",
    holds=("Exception", "Error", "exception", "Traceback"),
)
_CHAINED: Final = ("During handling of", "The above exception", "The direct cause")


def thrown_apart(entry: Entry) -> Iterator[Entry]:
    """Below a message that nothing went wrong what a program dies of is an entry of its own; the exceptions of one
    chain are one."""
    start, _, lines = entry
    cuts = []
    if len(lines) > 1 and level_of(lines[0]) in grammar.CALM_LEVELS and held(_THROWN, lines):
        for at, line in enumerate(lines[1:-1], 1):
            chained = any(before.startswith(_CHAINED) for before in lines[max(0, at - 2) : at])
            if _THROWN.match(line) and not chained and (FRAME.match(lines[at + 1]) or "| " in lines[at + 1]):
                cuts.append(at)
    for first, behind in pairwise([0, *cuts, len(lines)]):
        yield (start + first, start + behind - 1, lines[first:behind]) if cuts else entry


_EXITED: Final = regex(r"(?:Error: )?Exit code:? [1-9]\d{0,2}$", holds="Exit code")
_ASIDE: Final = regex(r"\S.{0,160}?\b(DETAIL|HINT|CONTEXT|STATEMENT|QUERY):  ")


def asides(entries: Sequence[Entry], marked: Container[int]) -> Iterator[tuple[int, bool]]:
    """What PostgreSQL says of an error, in entries behind the ``marked`` one: their lines, and whether one is the
    detail of it; what stands right below an exit code, which alone says nothing."""
    of, above = False, 0
    for start, end, lines in entries:
        if start == above + 1 and above in marked and not grammar.test_passed(lines[0]):
            yield start, True
        above = end if _EXITED.match(lines[-1]) else -1
        aside = _ASIDE.match(lines[0]) if ":  " in lines[0] else None
        of = of if aside else start in marked
        if aside and of:
            yield start, aside[1] == "DETAIL"


def too_long(lines: int, line: str) -> bool:
    """Whether an entry of so many lines ends before ``line``."""
    inner = line[:1] in " \t" or _CONTINUES.match(line)
    return lines >= MAX_ENTRY and (lines >= MAX_TRACE or not inner)


def entry_starts(lines: Sequence[str], style: Style) -> list[int]:
    """The lines that begin an entry, by ``boundaries``; a log with heads in a loop of its own, ten times as fast."""
    if not style.headed:
        begins = boundaries(style)
        return [at for at, line in enumerate(lines) if begins(line[: grammar.LOOK])]
    match = grammar.ANYWHERE.match
    starts = [at for at, line in enumerate(lines) if match(line) or is_head(line)]
    if lines and starts[:1] != [0]:
        starts.insert(0, 0)
    if max(map(sub, [*starts[1:], len(lines)], starts), default=0) > MAX_ENTRY:
        heads, starts = starts, []
        for start, end in pairwise([*heads, len(lines)]):
            starts.append(start)
            for at in range(start + MAX_ENTRY, end):
                if too_long(at - starts[-1], lines[at]):
                    starts.append(at)
    return starts


def trimmed(start: int, lines: list[str]) -> Entry:
    """The entry without blank lines and rulers around its text."""
    if len(lines) == 1:
        return start, start, lines
    filled = [at for at, line in enumerate(lines) if not is_blank(line)] or [0]
    return start + filled[0], start + filled[-1], lines[filled[0] : filled[-1] + 1]


# -- entries of a text ---------------------------------------------------------------------------------------------


def uncoloured(line: str) -> str:
    """A line as it decides whether an entry begins there: without colours and its carriage return."""
    line = line.rstrip("\r")
    return plain(line if grammar.NOTE in line else line[: 2 * grammar.LOOK])


def entry_ends(text: str) -> Callable[[int, int], int] | None:
    """``ends(base, stop)``: of the entries from ``base`` (where one begins) on, the end of the last one that ends at
    or before ``stop``, of the first one when even that ends later. None for a log without heads.

    The same places as ``entry_starts`` finds. A line with a head begins an entry whatever stands before it, so the last
    head before ``stop`` is looked for backwards, while it is near enough that no entry without one begins behind it.
    """
    first = [uncoloured(line)[: grammar.LOOK] for line in text.split("\n", STYLED)[:STYLED]]
    if not Style.of(first).headed:
        return None

    def line(at: int) -> str:
        end = text.find("\n", at)
        return uncoloured(text[at:end] if end >= 0 else text[at:])

    def ends(base: int, stop: int) -> int:
        if stop >= len(text):
            return len(text)
        at = stop + 1
        for _ in range(MAX_ENTRY - 1):
            at = text.rfind("\n", base, at - 1) + 1
            if at <= base:
                break
            if is_head(line(at)):
                return at
        return forward(base, stop)

    def forward(base: int, stop: int) -> int:
        last, lines, at = 0, 1, text.find("\n", base) + 1
        while 0 < at < len(text) and not (last and at > stop):
            here = line(at)
            if is_head(here) or too_long(lines, here):
                if at > stop:
                    return last or at
                last, lines = at, 0
            lines += 1
            at = text.find("\n", at) + 1
        return last or len(text)

    return ends


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the entries: each begins at a line start, together they are the text."""
    lines = text.split("\n")
    sizes = [*accumulate(map(len, lines), initial=0)]
    if not lines[-1]:
        lines.pop()
    if "\r" in text or "\x1b" in text or grammar.NOTE in text:
        lines = [*map(uncoloured, lines)]
    style = Style.of([line[: grammar.LOOK] for line in lines[:STYLED]])
    starts = entry_starts(lines, style)
    return pairwise([*map(add, map(sizes.__getitem__, starts), starts), len(text)])  # a line feed a line
