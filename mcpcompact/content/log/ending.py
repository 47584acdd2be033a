"""Why the job of a CI runner ended as it did: the commands that failed, each from its echo to the line that says so, and
the last lines that it printed, which tell the cause more often than any word of failure does."""

# ruff: noqa: E501 (the patterns read better unbroken)

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from typing import Final, NamedTuple

from mcpcompact.content.log.entries import FRAME
from mcpcompact.content.log.grammar import CALM_LEVELS, ERROR, PASSES, level_of
from mcpcompact.content.log.odd import BAD_LEVELS, FEW_ALIKE, Analysis
from mcpcompact.content.log.runners import BAD, STEP, bare
from mcpcompact.content.log.templates import Mark
from mcpcompact.content.log.weights import NEAR, PASSED, ROUTINE, is_progress
from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped

_SIGNS: Final = ("exit", "cancelled", "##[", "job ", "marked build", "no output has", " failed ", "finished: ")
"""In lower case; one stands in each line that says how a command or a job ended."""
_FAILED: Final = regex(
    r"The command .*(?:\bexited with [1-9]\d{0,2}(?: during .*|\.)?| failed \d+ times\.)$|[^\"]*\" exited with [1-9]\d{0,2}\.$"
    r"|##\[error\]|ERROR: (?:Job failed|script returned exit code)|Build step '.*' marked build as failure|Command exited with code [1-9]"
    r"|No output has been received in the last |The job exceeded the maximum |Done: Job Cancelled"
)
_PASSED: Final = regex(r"(?:The command .*|[^\"]*\" )exited with 0\.?$")
_WELL: Final = regex(r"Done\. Your build exited with 0\.|Finished: SUCCESS$|Job succeeded$")
_ECHO: Final = regex(r"\$ \S|##\[group\]Run |##\[section\]Starting: |\[Pipeline\] \{ \(")
_CLONES: Final = ("$ git clone ", "$ git fetch ", "$ git init ")
_COMMAND, _SIGN = regex(r"\$ |##\[group\]Run "), regex(r"\$ |##\[\w+\]")
_WORD: Final = regex(r"\w+")
_QUOTED: Final = regex(r"The command \"?(?:eval )?(.{1,40})")
_AGAIN: Final = regex(
    r"npm (?:ERR!|error)(?: (?:code (?:ELIFECYCLE|\d)|404(?: Note| tarball|$)|errno |syscall |file sh|Exit status|Failed at the|This is probably not|A complete log|Test failed"
    r"|Lifecycle|path |command |workspace |location |.*-debug\.log|\S+@\S+ [\w:-]+: `)|$)|g?make(?:\[\d+\])?: \*\*\* (?:\[.{1,200}\] Error \d|Waiting for)|.*recipe for target '"
    r"|The command \"eval |ERROR: \"\S+\" exited with \d|travis_(?:time|fold):|\(See full trace|\S+:\d+:in [`'\"]|\* (?:Try|Get more help)|(?:> )?Run with --(?:stacktrace|info|scan)"
    r"|\[ERROR\] *(?:$|-> \[Help|\[Help \d|To see the full|Re-run Maven|For more information|After correcting|mvn <goals>)"
)
"""What says only that what it ran failed, or how to hear more of it."""
_NO_NEWS: Final = (*PASSES, "PASS", "--- SKIP: ", "?   ")  # of a test that did not fail
_SHARE: Final = regex(r"\d% [a-z]{2}", holds="% ")  # a result, no bar
_ENDS: Final = "make", "exit"  # tools whose totals say only that a command failed
_FIRST, _OTHERS, _NEAR, _BESIDE = 8, 3, 24, 4  # last lines kept of the first command, of another; more; beside causes
_BLOCK: Final = 6  # lines from the first cause on
_HEAD, _LOOKED = 2, 120  # first lines of an output, and below a cause; lines in which its last ones stand
_ABOVE, _BELOW = 60, 120  # lines before and behind one that names a failure, in which its message stands
_DEEP, _LETTERS = 20, 2  # blanks before a part of a value; signs
_LONGEST, _WHOLE = 800, 600  # characters of a line; of what is whole
ERROR_WHOLE, LAST_ERROR = 400, 1.5  # characters of an error that stands whole; factor of the last: below a crash
_LAST: Final = 6.0  # weight: before all else that is kept
_TOLD, _LONG, _CODE = 2, 240, 20  # commands that are named; characters of one, and of its end, which says the code
_ASKED: Final = 40  # lines that the printed command asks for
_READ: Final = 12  # commands that failed of which the output is looked at
_MANY: Final = 8  # lines of a kind; of more of a command none is why it failed, if it does not stand last
_ECHOES: Final = 40  # among which that of a command is looked for


class Command(NamedTuple):
    """A command: the line that echoes it (0: none does), the one that says how it ended, and what that says."""

    begin: int
    end: int
    text: str


class Ending(NamedTuple):
    """``failed``: the commands, in order, or the last one, without a text, where its output tells of a failure and nothing
    says how it ended; where none did, ``passed``: those of which that is said. ``well``: the line that says so of the job.
    ``spans``: end and begin of these commands. ``last``: the lines that each failed one printed last, with their weights;
    ``near``: further ones, its first ones and its echo; ``again``: what tells nothing new."""

    failed: Sequence[Command]
    passed: Sequence[Command]
    well: Sequence[tuple[int, str]]
    echoed: Mapping[int, str]
    spans: list[tuple[int, int]]
    last: dict[int, float]
    near: set[int]
    again: set[int]
    causes: list[int]  # lines that name what failed
    jobs: set[int]  # lines that echo the commands of the job, the first of each, from the checkout on
    spared: set[int]  # lines of tests that passed

    @classmethod
    def of(cls, analysis: Analysis, verdicts: Sequence[tuple[int, str]]) -> Ending:
        """``verdicts``: lines with which it ended, where the runner says nothing."""
        telling = [(number, bare(raw).strip()) for number, raw in analysis.telling(_SIGNS)] if analysis.job else []
        echoes = [one for one in analysis.seen if _ECHO.match(one.bare)] if analysis.job else []
        echoed = dict(sorted((number, bare(text)) for one in echoes for number, text in one.shape.read()))
        failed = _commands(((n, text) for n, text in telling if _FAILED.match(text)), echoed)
        passed = _commands(((n, text) for n, text in telling if _PASSED.match(text)), echoed)
        well = [one for one in telling if _WELL.match(one[1])][-1:]
        if analysis.job and not (failed or well):
            bad = max((number for number, *_ in analysis.loud), default=0) > max(echoed, default=analysis.scan.lines)
            failed = _commands(verdicts[-1:] or [(analysis.scan.lines + 1, "")] * bad, echoed)
        passed = passed if well and not failed else []  # else another may have failed behind them
        spans = sorted((one.end, one.begin) for one in failed or passed)
        spared = analysis.spared if analysis.job or analysis.loud else set[int]()  # they are news where all passed
        self = cls(failed, passed, well, echoed, spans, {}, set(), set(), [], set(), spared)
        for at, one in enumerate(failed[:_READ]):
            weight = _LAST - at / len(failed)
            self._read(analysis, one, _OTHERS if at else _FIRST, weight)
            if one.begin and len(failed) > 1:
                self.last[one.begin] = weight  # whose it is
        for one in passed[-_TOLD:] or (_commands(well, echoed) if not failed else ()):
            self._read(analysis, one, 0, 0.0)
        return self

    @property
    def known(self) -> bool:
        """Whether the log says how it ended."""
        return bool(self.failed or self.well)

    def _cloned(self) -> int:
        """The line that echoes the checkout; 0: none does."""
        return min((line for line, text in self.echoed.items() if text.startswith(_CLONES)), default=0)

    def _read(self, analysis: Analysis, one: Command, most: int, weight: float) -> None:
        news = _said(analysis, max(one.begin + 1, one.end - _LOOKED), one.end, most > 0)
        self.last.update((number, weight + number / 1e7) for number in news[max(len(news) - most, 0) :])
        head = _said(analysis, one.begin + 1, min(one.begin + _LOOKED, one.end), False)[:_HEAD] if one.begin else []
        self.near.update([*news[-most - _NEAR :], *head, one.begin])

    def holds(self, line: int) -> bool:
        """Whether it may tell how it ended: one of the commands printed it."""
        at = bisect_left(self.spans, (line,))
        return not self.spans or (at < len(self.spans) and self.spans[at][1] <= line)

    def _is_near(self, line: int) -> bool:
        """Whether it may say why something failed that is named."""
        at = bisect_right(self.causes, line + _ABOVE)
        return not self.causes or (at > 0 and self.causes[at - 1] >= line - _BELOW)

    def _is_below(self, line: int) -> bool:
        """Whether it begins where a failure is named, or right below."""
        at = bisect_right(self.causes, line)
        return at > 0 and line - self.causes[at - 1] <= _HEAD

    def narrow(self, analysis: Analysis, causes: Set[int], mostly: bool) -> None:
        """Keep what was printed last, or what stands near the lines that name the ``causes``; of what else stands out, and
        of what tools sum up, what the commands printed: of many lines that only use words of failure none is the cause
        for certain. ``mostly``: all is of findings."""
        if not self.known:
            return
        if causes or mostly:
            begun = {one.begin for one in (*self.failed, *self.passed)}
            self.near.difference_update(sorted(self.near - begun)[:-_BESIDE])
            first = min(filter(self.holds, causes), default=0)
            self.near.update(_said(analysis, first + 1, first + _BLOCK, False) if first else ())
            self.last.clear()
        cloned = self._cloned()
        commands = {name: line for name, line in analysis.steps.items() if _COMMAND.match(self.echoed.get(line, ""))}
        self.jobs.update(line for line in commands.values() if line >= cloned)
        again = (one.shape.lines() for one in analysis.seen if _AGAIN.match(one.bare.strip()))
        self.again.update(number for lines in again for number, _ in lines)
        self.again.update(one.end for one in self.failed[:_TOLD])
        quiet = {number for number, rank, _ in analysis.loud if rank < ERROR and self.holds(number)}
        self.causes.extend(sorted(causes))
        quiet = quiet if len(quiet) > FEW_ALIKE and not causes else set()
        kept = [mark for mark in analysis.marks if self.holds(mark.line) and mark.line not in quiet | self.again]
        kept = [mark for mark in kept if self._is_near(mark.line)] if self.failed else []
        analysis.marks = kept + [Mark(number, Keep.SEVERE, "", f"last {number}") for number in self.last]
        totals = ((tool, [one for one in lines if self.holds(one[0])]) for tool, lines in analysis.totals.items())
        analysis.totals = {tool: lines for tool, lines in totals if lines and tool not in _ENDS}
        bad = {tool: lines for tool, lines in analysis.totals.items() if any(BAD.search(text) for _, text in lines)}
        analysis.totals = bad if self.failed and bad else analysis.totals  # what other tools did well is no news
        for name in commands:
            del analysis.steps[name]  # the one that counts is said

    def weigh(self, items: Sequence[Item]) -> None:
        """What was printed last and a crash before all else, what stands in commands that passed behind it; before its
        first command the runner tells of itself."""
        fatal = [item for item in items if self.last and item.keep and item.weight > 1 and self.holds(item.start)]
        for item in fatal if len(fatal) <= FEW_ALIKE else ():
            item.weight += _LAST
        first = [one.begin for one in (*self.failed, *self.passed)[:1]]
        setup = min([(self.known and self._cloned()) or min(self.echoed, default=0), *first])
        often = Counter(_kind(item) for item in items if self.known and self.holds(item.start))
        for item in items:
            lines, holds = range(item.start, item.end + 1), self.holds(item.start)
            many = self.known and often[_kind(item)] > _MANY
            if weight := max((self.last.get(number, 0.0) for number in lines), default=0.0):
                item.weight, item.whole = weight, len(item.text) <= _WHOLE
            elif item.keep and len(item.text) <= _WHOLE and self._is_below(item.start):
                item.weight, item.whole = NEAR + 1 - item.start / 1e7, True
            elif holds and not self.near.isdisjoint(lines) and (self.failed or not many):
                item.weight = max(item.weight, NEAR + item.start / 1e7)
                item.whole = item.whole or len(item.text) <= _WHOLE
            elif item.start in self.jobs:
                item.weight = NEAR
            elif item.start in self.spared or (item.end < setup and not item.keep):
                item.weight *= 0 if self.known or item.start in self.spared else ROUTINE
            elif item.start in self.again or not (holds and self._is_near(item.start)) or (many and not item.keep):
                item.weight *= PASSED if item.weight > ROUTINE else 0

    def facts(self, causes: Sequence[int]) -> list[Fact]:
        """Which commands failed, or with what it ended; ``causes``: lines that name what failed, to which the reader is
        sent."""
        ended = [(one.end, self._named(one)) for one in self.failed[:_TOLD] or self.passed[-1:]] + [*self.well]
        text = " · ".join(f"{number}: {text}" for number, text in ended)
        shows = [[number for number, _ in ended]]
        if not self.failed:
            return [Fact(f"ended with: {text}", 0, shows=shows)] if ended else []
        first, more = self.failed[0], len(self.failed) - _TOLD
        if not first.text:
            text, shows = f"last command: {first.begin}: {self.echoed[first.begin]}", [[first.begin]]
        near = [line for line in causes if first.begin <= line <= first.end]
        aim = (near[0] - 1, near[0] + _ASKED) if near else (max(first.begin, first.end - _ASKED), first.end)
        # what an action notes may have been borne, and who cancels a job has his reasons
        noted = first.text.startswith(("##[error]", "Done: ")) and "exit" not in first.text
        lead = "failed: " if first.text and not noted else ""
        return [Fact(f"{lead}{text}{f' · … {more:,} more' if more > 0 else ''}", 0, shows=shows, points=aim)]

    def _named(self, one: Command) -> str:
        text = clipped(one.text[:-_CODE], _LONG) + one.text[-_CODE:]
        echo = "" if _QUOTED.match(text) else self.echoed.get(one.begin, "")
        return f"{text} (below {one.begin}: {clipped(_SIGN.sub('', echo, count=1), STEP)})" if echo else text


def _commands(ended: Iterable[tuple[int, str]], echoed: Mapping[int, str]) -> list[Command]:
    """Each with its echo, of several lines of one the last: of a quoted command the last echo that says the same, else
    the last one."""
    commands: dict[int, Command] = {}
    echoes = [*echoed]
    for number, text in ended:
        at = bisect_left(echoes, number)
        before, named = echoes[max(at - _ECHOES, 0) : at], _QUOTED.match(text)
        same = [line for line in before if named and named[1] in echoed[line]]
        begin = max(same or before, default=0)
        commands[begin or number] = Command(begin, number, text)
    return sorted(commands.values(), key=lambda one: one.end)


def _kind(item: Item) -> tuple[str, int]:
    """What lines for each file, test or package have in common: the first word, of a path its signs, and how many
    there are."""
    _, first, *others = [*item.text.split(), ""]
    return first if first.isalnum() else _WORD.sub("a", first[:_LONG]), len(others)


def _said(analysis: Analysis, first: int, end: int, failed: bool) -> list[int]:
    """The lines before the ``end`` that say something of their own; ``failed``: and not that a test passed."""
    lines = enumerate(map(bare, analysis.scan.shown(first, end - 1)), first) if first < end else ()
    totals = {number for each in analysis.totals.values() for number, _ in each}
    levels: list[tuple[int, str]] = []
    for number, text in lines:
        begun = text.strip()
        telling = sum(map(str.isalnum, text[:_DEEP])) > _LETTERS and len(text) <= _LONGEST
        telling = telling and number not in analysis.spared and (number not in analysis.typed or text[0] == "+")
        quiet = is_progress(text) and number not in totals and not _SHARE.search(text)
        quiet = quiet or (failed and begun.startswith(_NO_NEWS))
        if telling and not (quiet or _AGAIN.match(begun) or FRAME.match(text)):
            levels.append((number, level_of(text)))
    calm = CALM_LEVELS if any(level in BAD_LEVELS for _, level in levels) else ()
    return [number for number, level in levels if level not in calm]


def ended(items: Iterable[Item]) -> None:
    """The errors of a service stand whole, and the last one, with which the affair ended, before others as grave."""
    severe = [item for item in items if item.keep is Keep.SEVERE]
    for item in severe:
        item.whole |= len(item.text) <= ERROR_WHOLE
    for item in severe[-1:]:
        item.weight *= LAST_ERROR
