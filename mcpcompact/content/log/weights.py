"""What a line of a log weighs before the choice by names: echoed commands little, results and how it ended much."""

# ruff: noqa: E501 (the tables of patterns read better unbroken)

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from mcpcompact.content.log.lines import FRAME, NO_NEWS
from mcpcompact.content.log.runners import bare
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex

TYPED: Final = 0.3  # of an ordinary line's weight, that of an echoed command, script or setting
SAID: Final = 0.1  # the same of a line that the facts repeat: a verdict, the name of a failing test
ROUTINE: Final = 0.03  # the same of lists of files, progress, registers and cache paths
TAIL: Final = 2  # last items that say how a run ended
LEADING, LOOKED = 8, 40  # items before a job's closing error, or a trace, that may say its cause; lines they stand in
AGAIN: Final = 0.3  # weight of what stands around a kept line of a long entry (further frames), or repeats one
LIBRARY: Final = 0.02  # the same of the frames of libraries
LONG: Final = (
    240  # characters a line; of a longer line a part would be shown without the stamp and the words it begins with
)
WRONG: Final = 1.5  # the same of a line that tells of a failure
PROPOSED, FURTHER = 2.5, 0.9  # the same of a change that a formatter proposes; of each but the first
NEAR, RESULT = 3.0, 3.0  # these come before the choice by names

_NUMBER: Final = regex(r"\d+: ")
_ROUTINE: Final = regex(
    r"npm notice (?:[\d.]+ ?[kMG]?B |(?:shasum|integrity|filename|package size|unpacked size|total files):)"
    r"|npm (?:error|ERR!) (?:path|location|command|workspace|Lifecycle|code \d)"
    r"|(?:copying|adding|creating|byte-compiling) \S+(?: ->| to |$)|(?:Get|Hit|Ign):\d+ |(?:Preparing to unpack|Unpacking|Selecting previously) "
    r"|Requirement already satisfied: |remote: (?:Counting|Compressing|Enumerating) | ?\* \[new (?:branch|tag)\] |(?:Receiving|Unpacking|Resolving) (?:objects|deltas): "
    r"|\[INFO\|\w+\.py:\d+\].* (?:from cache at|loading (?:file|weights file|configuration file)) |(?:\[INFO\] )?Down(?:loading|loaded):? (?:from )?\S+[:/]\S+"
    r"|travis_(?:fold|time):|[\d.]+ ?[kMG]?B? {1,4}[\d.]+%|\s+at (?:java|javax|jdk|sun|com\.sun|org\.junit|org\.apache\.maven|org\.gradle|node:internal)[./]"
    r"|\s*\d+ (?:[│|](?! [-+] )|[+~]) |\s*\d+ +\d+ +[│|] |\s*[\w./\\+-]{1,160}\.\w{1,4}$|Total output lines: \d"
    r"|(?:[A-Z][A-Z0-9]{1,4}: {1,2}[0-9a-f]{4,16}\b|Modules linked in:|Hardware name:|Code: [0-9a-f<]| ?(?:[0-9a-f]{16} ?){2,4}$)"
)  # fmt: skip
"""What is printed for every file, package or register: lists of a package's files, downloads, progress bars."""
_AMOUNTS: Final = tuple(
    (sign, regex(pattern))
    for sign, pattern in (
        ("%", r"[^|\n]{0,80}?\d{1,3}%[ |]"),
        ("\u2501", r"[^\u2501\u2588:]*[\u2501\u2588]{12}"),
        ("\u2588", r"[^\u2501\u2588:]*[\u2501\u2588]{12}"),
        ("B", r".{0,80}\S\.\w{1,5} +[\d.,]+ ?[kKMG]?i?B\b"),
    )
)
"""The same wherever it stands, with what each holds."""
_GOING_ON: Final = regex(
    r"\[Pipeline\] (?!\{ \()| ?> git(?:\.exe)? |section_(?:start|end):\d|hint: |\[command\]\S*git(?:\.exe)? "
    r"|(?:The recommended git tool|[Uu]sing (?:credential|GIT_)|No credentials specified|Fetching (?:the repository|(?:upstream )?changes)|Cloning (?:the remote|repository)|First time build|Lightweight checkout|Running (?:on|in Durability) )"
    r"|(?:Temporarily overriding|Adding repository directory|Deleting the contents|Initialized empty Git|Setting up auth|Removing auth|Syncing repository|Getting Git version|Entering '|Determining the|Download action|Cleaning up orphan|Evaluate and set|Prepare (?:all|workflow)|Getting action|Skipping Git submodules)"
    r"|#\d+ (?:DONE|CACHED|\.\.\.$|transferring|resolve|sha256:|extracting|exporting|naming|unpacking|reading|writing|[\d.]+ ?$|\[(?:\S+ )?internal\])|[0-9a-f]{12}: [A-Z]"
    r"|\[INFO\](?: (?:-{3,}|Copying \d|Nothing to compile|Scanning for|Reactor |\S.* \.{3,} SUCCESS|Building [jw]ar|Installing )|\s*$)|> Task :\S+(?: UP-TO-DATE| NO-SOURCE| FROM-CACHE| SKIPPED)?$"
    r"|\s*(?:Collecting|Downloading|Using cached|Building wheels?|Created wheel|Stored in directory|Preparing metadata|Installing build|Getting requirements) |\s+(?:Compiling|Downloaded|Checking|Fresh|Adding) [\w-]+ v\d"
    r"|npm (?:http|verbose|silly?|timing|info) |npm notice(?:$| (?:New|Changelog:|To update))|\s*\[ *\d+(?:/\d+|%)\] |(?:Setting up \S+ \(|Processing triggers|Reading (?:package lists|state information)|Building dependency tree)"
    r"|make(?:\[\d+\])?: (?:Entering|Leaving|Nothing) |checking .{1,200}\.\.\. |config\.status: |\s+(?:CC|CXX|LD|CCLD|CXXLD|AR|GEN|INSTALL) +\S+$"
)
"""What runners, checkouts, package managers and builds print while all goes well."""
_FIGURE: Final = regex(
    r"\s*(?P<name>(?:eval|test|predict|train|val|best|final)[ _](?!steps?_|runtime|samples)\w[\w ]{1,30}?|(?i:accuracy|f1|precision|recall|bleu|rouge\w*|perplexity))"
    r"\s*[:=]\s*(?P<value>-?\d[\d.]*(?:e[+-]?\d+)?%?)$"
)
RESULTS: Final = regex(
    rf"\*{{3,}} \w+ (?:metrics|results) \*{{3,}}|\s*\{{['\"](?:eval|test|train)_\w+['\"]: |{_FIGURE.pattern}"
)
"""What training and evaluation are run for."""
_METRICS: Final = regex(
    r"[^{%\n]{0,120}\b(?P<phase>train|valid|val|validation|eval|test)(?:ing)?\b[^{%\n]{0,80}?\b(?:loss|ppl|bleu|acc(?:uracy)?|f1|wer|auc)\b[ :=|]{1,4}\d"
)
"""What a phase of a training came to, on one line: ``| valid | epoch 001 | loss 6.711 | ppl 97.07``."""
_TIMED: Final = regex(r"(\d{1,6}\.\d+)s (?:call|setup|teardown) +\S", holds=("s call", "s setup", "s teardown"))
LONGEST: Final = 600  # characters of a line of figures
FIGURES: Final = 12  # results that are said: the last ones
_AROUND: Final = regex(r"── .* / (?:Set up job|Post |Complete job|Initialize containers)", holds=("── ",))
"""Steps of a job that are the runner's own."""


_HEADING: Final = regex(
    r"\s{0,8}(?:[×✖✗] \S|> *\d+ *[│|]|(?:[━─═_=]{2,80} )?[\w./][^\n]{0,300} [━─═_=]{4,300}\s*$)"
)  # of a finding; its code


_PROPOSED: Final = regex(r"\s*\d+ +[│|] [-+] ?\S")  # what a formatter would remove or write


def weigh(
    items: Sequence[Item],
    samples: Container[int],
    typed: Container[int],
    said: Container[int],
    ends: Iterable[int],
    setup: int,
    tail: int,
) -> None:
    """Set the items' weights. ``samples``: lines that stand for all of their kind; ``typed``: numbers of echoed lines;
    ``said``: of those among the facts; ``ends``: lines with which the job closed, or where a trace begins; ``setup``:
    the line of the first command, before which a CI runner tells of itself; ``tail``: how many of the last items say
    how it ended."""
    last = {id(item) for item in _last(items, tail)}
    lead = _leading(items, ends, typed)
    texts = [*map(_bare, items)]
    for item, text in zip(items, texts, strict=True):
        if all(line in said for line in range(item.start, item.end + 1)):  # it stands among the facts
            item.weight *= SAID
        elif item.keep:
            item.weight = max(item.weight, WRONG) if item.weight >= 1 else item.weight
        elif id(item) in lead or (id(item) in last and item.start not in typed and any(map(str.isalnum, text))):
            item.weight = max(item.weight, NEAR + item.start / 1e7)  # how it ended
        elif item.end < setup:
            item.weight *= ROUTINE
        elif item.start in samples or _HEADING.match(text):
            item.weight = NEAR + 1
        elif item.start in typed or len(item.text) > LONG * (1 + item.text.count("\n")):
            item.weight *= TYPED
        elif is_routine(text) or not any(map(str.isalnum, text)) or _AROUND.match(item.section):
            item.weight *= ROUTINE
        elif RESULTS.match(text):
            item.weight = RESULT + item.start / 1e7  # the later one says how it ended
    _changes(items, texts)


def _changes(items: Sequence[Item], texts: Sequence[str]) -> None:
    """What a formatter proposes: the first changes of each finding say what it is about."""
    known = 0
    for item, text in zip(items, texts, strict=True):
        if _HEADING.match(text):
            known = 0
        elif _PROPOSED.match(text) and not item.keep:
            item.weight, known = PROPOSED * FURTHER**known, known + 1


_BAR: Final = regex(r"[^|\n]{0,80}?\d{1,3}% ?\|", holds="%")
_CARETS: Final = regex(r"\s+\^[\^~]*\s*$", holds="^")


def is_routine(text: str) -> bool:
    """Whether a line (bare) is printed for every file or package, or while all goes well."""
    if any(sign in text and pattern.match(text) for sign, pattern in _AMOUNTS):
        return True
    return any(pattern.match(text) for pattern in (_ROUTINE, _GOING_ON, NO_NEWS))


def calm_lines(lines: Iterable[tuple[int, str]]) -> set[int]:
    """The numbers of lines of which no word or value is news: source that carets point into, bars of progress."""
    known = [*lines]
    quoted = {n for (n, _), (_, below) in pairwise(known) if _CARETS.match(below)}
    return quoted.union(n for n, line in known if _BAR.match(line))


def _last(items: Sequence[Item], most: int) -> Iterator[Item]:
    telling = (item for item in reversed(items) if item.weight != LIBRARY and not is_routine(_bare(item)))
    return islice(telling, most)


def _bare(item: Item) -> str:
    number = _NUMBER.match(item.text)
    return bare(item.text[number.end() :] if number else item.text)


def _leading(items: Sequence[Item], ends: Iterable[int], typed: Container[int]) -> set[int]:
    """By their ids the items that were printed last before each of the ``ends``: they may say its cause."""
    found: set[int] = set()
    for end in ends:
        near = [item for item in items if end - LOOKED <= item.end < end and item.start not in typed]
        found.update([id(item) for item in near if _says(item)][-LEADING:])
    return found


def _says(item: Item) -> bool:
    text = _bare(item)
    short = item.end - item.start < LEADING and len(text) <= LONGEST
    said = short and not item.keep and item.weight > LIBRARY and any(map(str.isalnum, text))
    return said and not is_routine(text) and not FRAME.match(text.rpartition("\n")[2])


def results(lines: Iterable[tuple[int, str]]) -> list[Fact]:
    """The last value of each result that a training or an evaluation prints on a line of its own, with its line; the
    last line of figures of each phase; of timed tests the slowest."""
    last: dict[str, str] = {}
    slow = (0.0, "")
    phases: dict[str, str] = {}
    for number, line in lines:
        if len(line) <= LONGEST and (found := _METRICS.match(line.strip())):
            phases.pop(found["phase"], None)
            phases[found["phase"]] = f"{number}: {line.strip()}"
        if timed := _TIMED.match(line):
            slow = max(slow, (float(timed[1]), f"slowest: {number}: {line.strip()}"))
        if found := _FIGURE.match(line[:120]):
            last.pop(found["name"], None)
            last[found["name"]] = f"{number}: {found['name']} {found['value']}"
    facts = [Fact("results: " + " · ".join([*last.values()][-FIGURES:]), 0)] if len(last) > 1 else []
    facts += [Fact(slow[1], 1)] if slow[0] else []
    return facts + ([Fact("\n".join(["the last figures of each phase:", *phases.values()]), 0)] if phases else [])
