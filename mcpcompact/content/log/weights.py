"""How much a log's ordinary lines count: what leads up to the closing error and results more, routine output less."""

# ruff: noqa: E501 (the tables of patterns read better unbroken)

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Final

from mcpcompact.content.log.typed import bare
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex

TYPED: Final = 0.3  # of an ordinary line's weight, that of an echoed command, script or setting
SAID: Final = 0.1  # the same of a line that the facts repeat: a verdict, the name of a failing test
ROUTINE: Final = 0.2  # the same of lists of files, progress, registers and cache paths
STALE: Final = 0.1  # the same of a screen that was drawn anew
LEADING: Final = 8  # lines before a job's closing error that may say its cause
LONG: Final = 240  # characters; of a longer line a part would be shown without the stamp and the words it begins with
NEAR, RESULT, RUNNING = 3.0, 3.0, 3.2  # these come before the choice by names

_NUMBER: Final = regex(r"\d+: ")
_ROUTINE: Final = regex(
    r"npm notice (?:[\d.]+ ?[kMG]?B |(?:shasum|integrity|filename|package size|unpacked size|total files):)"
    r"|(?:copying|adding|creating|byte-compiling) \S+(?: ->| to |$)|(?:Get|Hit|Ign):\d+ |(?:Preparing to unpack|Unpacking|Selecting previously) "
    r"|Requirement already satisfied: |remote: (?:Counting|Compressing|Enumerating) |(?:Receiving|Unpacking|Resolving) (?:objects|deltas): "
    r"|\[INFO\|\w+\.py:\d+\].* (?:from cache at|loading (?:file|weights file|configuration file)) |Down(?:loading|loaded) (?:from )?\S+[:/]\S+"
    r"|\s*\d{1,3}%\|.*(?:it/s|s/it|B/s)|.*[\u2501\u2588]{12}|\s+at (?:java|javax|jdk|sun|com\.sun|org\.junit|org\.apache\.maven|org\.gradle|node:internal)[./]"
    r"|.{0,80}\S\.\w{1,5} {2,}[\d.,]+ ?[kKMG]?i?B\b"
    r"|(?:[A-Z][A-Z0-9]{1,4}: {1,2}[0-9a-f]{4,16}\b|Modules linked in:|Hardware name:|Code: [0-9a-f<]| ?(?:[0-9a-f]{16} ?){2,4}$)"
)  # fmt: skip
"""What is printed for every file, package or register: lists of a package's files, downloads, progress bars."""
_FIGURE: Final = regex(
    r"\s*(?P<name>(?:eval|test|predict|train|val|best|final)[ _](?!steps?_|runtime|samples)\w[\w ]{1,30}?|(?i:accuracy|f1|precision|recall|bleu|rouge\w*|perplexity))"
    r"\s*[:=]\s*(?P<value>-?\d[\d.]*(?:e[+-]?\d+)?%?)$"
)
RESULTS: Final = regex(
    rf"\*{{3,}} \w+ (?:metrics|results) \*{{3,}}|\s*\{{['\"](?:eval|test|train)_\w+['\"]: |{_FIGURE.pattern}"
)
"""What training and evaluation are run for."""
FIGURES: Final = 12  # results that are said: the last ones
SCREEN: Final = regex(r"Refreshing .{1,60} every \d+|Every \d+[.,]\d+s: |top - \d\d:\d\d:\d\d up ")
"""The line with which a watching tool begins each screen."""
_AROUND: Final = regex(r"── .* / (?:Set up job|Post |Complete job|Initialize containers)")
"""Steps of a job that are the runner's own."""
_RUNNING: Final = regex(r" {0,4}(?:\*|⠋|◐|●) \S|.*\b(?:in_progress|running now)\b")


def weigh(
    items: Iterable[Item],
    samples: Container[int],
    typed: Container[int],
    said: Container[int],
    closing: Iterable[int],
    last: int,
) -> None:
    """Set the items' weights. ``samples``: lines that stand for all of their kind; ``typed``: numbers of echoed lines; ``said``: of those among the facts; ``closing``: of
    the errors with which the job closed; ``last``: the first line of the last screen, 0 where nothing was redrawn."""
    lead = {line for end in closing for line in range(end - LEADING, end)}
    for item in items:
        number = _NUMBER.match(item.text)
        text = bare(item.text[number.end() :] if number else item.text)
        if item.start == item.end and item.start in said:  # it stands among the facts
            item.weight *= SAID
        elif item.end < last:
            item.weight *= STALE
        elif item.keep:
            continue
        elif item.start in samples:
            item.weight = NEAR
        elif item.start in typed or (len(item.text) > LONG and "\n" not in item.text):
            item.weight *= TYPED
        elif _ROUTINE.match(text) or _AROUND.match(item.section):
            item.weight *= ROUTINE
        elif RESULTS.match(text):
            item.weight = RESULT + item.start / 1e7  # the later one says how it ended
        elif last and _RUNNING.match(text):
            item.weight = RUNNING
        elif item.start in lead and any(map(str.isalnum, text)):
            item.weight = NEAR + item.start / 1e7


def results(lines: Iterable[tuple[int, str]]) -> list[Fact]:
    """The last value of each result that a training or an evaluation prints on a line of its own, with its line."""
    last: dict[str, str] = {}
    for number, line in lines:
        if found := _FIGURE.match(line[:120]):
            last.pop(found["name"], None)
            last[found["name"]] = f"{number}: {found['name']} {found['value']}"
    return [Fact("results: " + " · ".join([*last.values()][-FIGURES:]), 0)] if len(last) > 1 else []


def redrawn(screens: list[int]) -> list[Fact]:
    """That a watching tool drew its screen again and again, ``screens`` being the lines where it began."""
    many = len(screens) > 1
    return [Fact(f"a screen drawn {len(screens):,} times, the last from line {screens[-1]:,} on", 0)] if many else []
