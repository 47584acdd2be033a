"""What a line of a log weighs before the choice by names: echoed commands little, results and how it ended much; of a
stack trace its message and the frame of one's own that is nearest to it stand before all other frames."""

# ruff: noqa: E501 (the tables of patterns read better unbroken)

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import dropwhile, groupby, islice, pairwise, takewhile
from typing import Final

from mcpcompact.content.log.entries import FRAME
from mcpcompact.content.log.grammar import NO_NEWS, PASSES, level_of, loud_words, test_passed
from mcpcompact.content.log.runners import NUMBER, bare, bare_of
from mcpcompact.content.log.templates import category
from mcpcompact.content.shared.frames import LIBRARY as LIBRARY_FRAME
from mcpcompact.content.shared.lines import PROMPT
from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import held, regex

TYPED: Final = 0.3  # of an ordinary line's weight, that of an echoed command, script or setting
SAID: Final = 0.1  # the same of a line that the facts repeat: a verdict, the name of a failing test
ROUTINE: Final = 0.008  # the same of lists of files, progress, registers and cache paths
PASSED: Final = 0.05  # the same of commands that passed, where another failed
TAIL: Final = 2  # last items that say how a run ended
LEADING, LOOKED = 8, 40  # items before a job's closing error, or a trace, that may say its cause; lines they stand in
AGAIN, CHAIN = 0.3, 200  # weight of what repeats a kept line or stands around it; lines to what is raised of it
LIBRARY: Final = 0.02  # the same of the frames of libraries
LONG: Final = 240  # characters a line; a part of a longer one would be shown without the stamp and words it begins with
FEW_ADDED: Final = 8  # lines; more of them print a value, not a difference
WRONG: Final = 1.5  # the same of a line that tells of a failure or warns
PROPOSED, FURTHER = 2.5, 0.6  # the same of a change that a formatter proposes; of each but the first
SAYINGS, SLOW = 3, 1.0  # words of failure that are named; seconds of a test that took its time
NEAR, RESULT = 3.0, 3.0  # these come before the choice by names
ENTERED, COURSE, LATEST = 2.95, 3.05, 4.5  # so does what was typed, the last command before how it ended

_BEGIN: Final = (
    # package managers
    "Preparing to unpack ", "Unpacking ", "Selecting previously ", "Requirement already satisfied: ",
    "Processing triggers", "Reading package lists", "Reading state information", "Building dependency tree",
    "npm http ", "npm verbose ", "npm sill ", "npm silly ", "npm timing ", "npm info ",
    # git, and checkouts of Jenkins and GitHub Actions
    "remote: Counting ", "remote: Compressing ", "remote: Enumerating ", "* [new branch] ", " * [new branch] ",
    "* [new tag] ", " * [new tag] ", "Receiving objects: ", "Receiving deltas: ", "Unpacking objects: ",
    "Unpacking deltas: ", "Resolving objects: ", "Resolving deltas: ", "> git ", " > git ", "> git.exe ", " > git.exe ",
    "hint:", "The recommended git tool", "Using credential", "using credential", "Using GIT_", "using GIT_",
    "No credentials specified", "Fetching the repository", "Fetching changes", "Fetching upstream changes",
    "Cloning the remote", "Cloning repository", "First time build", "Lightweight checkout", "Running on ",
    "Running in Durability ", "Temporarily overriding", "Adding repository directory", "Deleting the contents",
    "Initialized empty Git", "Setting up auth", "Removing auth", "Syncing repository", "Getting Git version",
    "Entering '", "Determining the", "Download action", "Cleaning up orphan", "Evaluate and set", "Prepare all",
    "Prepare workflow", "Getting action", "Skipping Git submodules", "travis_fold:", "travis_time:",
    "Post job cleanup.", "http.https://github.com/.extraheader", "##[warning]Node.js ", "git version ",
    "##[endgroup]", "::endgroup::", "Node 20 is being deprecated", "Hosted Compute Agent", "Worker ID: {", "Azure Region: ",
    # builds and kernels
    "config.status: ", "Modules linked in:", "Hardware name:", "Terraform used the selected", "plan. Resource actions are",
)  # fmt: skip
_BELOW: Final = (
    "Collecting ", "Downloading ", "Using cached ", "Building wheel ", "Building wheels ", "Created wheel ",
    "Stored in directory ", "Preparing metadata ", "Installing build ", "Getting requirements ",
)  # fmt: skip
"""The same, also indented."""
_BEGINNINGS: Final = frozenset(text[0] for text in _BEGIN)
_HEX: Final = "0123456789abcdef"
_UPPER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ROUTINE: Final = tuple(
    (firsts, regex(pattern))
    for firsts, pattern in (
        ("n", r"npm notice (?:[\d.]+ ?[kMG]?B |(?:shasum|integrity|name|version|filename|package size|unpacked size|total files):|Tarball )"
              r"|npm notice(?:$| (?:New|Changelog:|To update))|npm (?:error|ERR!) (?:path|location|command|workspace|Lifecycle|code \d)"),
        ("cgja/l", r"(?:libtool: compile: +)?(?:/\S{1,200}/)?(?:gcc|g\+\+|cc|c\+\+|clang(?:\+\+)?|javac|ld|ar) (?=.* )-\S"),
        ("cab", r"(?:copying|adding|creating|byte-compiling) \S+(?: ->| to |$)|checking .{1,200}\.\.\. |\s+at (?:java|javax|jdk|sun|com\.sun|org\.junit|org\.apache\.maven|org\.gradle|node:internal)[./]"),
        ("GHI", r"(?:Get|Hit|Ign):\d+ |\s+INSTALL +\S+$"),
        ("[", r"\[INFO\|\w+\.py:\d+\].* (?:from cache at|loading (?:file|weights file|configuration file)) |\[INFO\] Down(?:loading|loaded):? (?:from )?\S+[:/]\S+"
              r"|\[INFO\](?: (?:-{3,}|Copying \d|Nothing to compile|Scanning for|Reactor |\S.* \.{3,} SUCCESS|Building [jw]ar|Installing )|\s*$)"
              r"|\[Pipeline\] (?!\{ \()|\[command\]\S*git(?:\.exe)? |\s*\[ *\d+(?:/\d+|%)\] "),
        ("TCDFALGS", r"Down(?:loading|loaded):? (?:from )?\S+[:/]\S+|Total output lines: \d|Code: [0-9a-f<]|Setting up \S+ \("
                     r"|\s+(?:Compiling|Downloaded|Checking|Fresh|Adding) [\w-]+ v\d|\s+(?:CC|CXX|LD|CCLD|CXXLD|AR|GEN) +\S+$|\s+Start +\d+: \S"),
        ("aCLP", r"(?:C|Prec)ompiling \S+\.\w{1,6}$|Creating \S+\.(?:a|so|o|lib|dll)$|Linking \S+$|ar: creating \S+$"),
        ("✔✓", r"\s+[✔✓] \S"),
        ("123456789", r"\s{0,5}\d+/\d+ \S.* RUNNING\s*$"),
        ("sm", r"section_(?:start|end):\d|make(?:\[\d+\])?: (?:Entering|Leaving|Nothing) "),
        (">", r">>> (?:[A-Z_]+=\S+ )+/|> Task :\S+(?: UP-TO-DATE| NO-SOURCE| FROM-CACHE| SKIPPED)?$"),
        ("#", r"#\d+ (?:DONE|CACHED|\.\.\.$|transferring|resolve|sha256:|extracting|exporting|naming|unpacking|reading|writing|[\d.]+ ?$|\[(?:\S+ )?internal\])|\s*# \(\d+ unchanged "),
        (_HEX, r"[0-9a-f]{12}: [A-Z]|\s*\d+/\d+ Test +#\d+: .* Passed +\d|\s*\d+/\d+ \S.*? +(?:RUNNING|OK +[\d.]+s)\s*$| ?(?:[0-9a-f]{16} ?){2,4}$|\s*\d+ (?:[│|](?:$|(?! [-+] ) )|[+~] )|\s*\d+ +\d+ +[│|](?: |$)"),
        (_UPPER, r"[A-Z][A-Z0-9]{1,4}: {1,2}[0-9a-f]{4,16}\b"),
        ("=-", r"={8,} +\d+/\d+ +={8,}$|=== (?:RUN|PAUSE|CONT|NAME) +\S+(?:$|\n)|\s+--- PASS: \S"),
    )
)  # fmt: skip
_BY_FIRST: Final = {
    first: tuple(pattern for firsts, pattern in _ROUTINE if first in firsts)
    for first in {c for f, _ in _ROUTINE for c in f}
}
"""What is printed for every file, package or register, and while all goes well, by the first character."""
_BARS: Final = regex(
    r"[^|\n]{0,80}?\d{1,3}%[ |]|[^\u2501\u2588:]*[\u2501\u2588]{12}|[\d.]+ ?[kMG]?B? {1,4}[\d.]+%",
    holds="%\u2501\u2588",
)
_SIZE: Final = regex(r".{0,80}\S\.\w{1,5} +[\d.,]+ ?[kKMG]?i?B\b", holds="B")
SUFFIX: Final = 6  # characters of a file's suffix, its dot and an end of the line
_PATH: Final = regex(r"\s*[\w./\\+-]{1,160}\.\w{1,4}$")
_LISTED: Final = regex(r"\s{2,40}(?=[\w-]{1,80}[.-])(?:[\w-]|\.(?=[\w-])){2,1700}$")  # a name, alone
_FIGURE: Final = regex(
    r"\s*(?P<name>(?:eval|test|predict|train|val|best|final)[ _](?!steps?_|runtime|samples)\w[\w ]{1,30}?|(?i:accuracy|f1|precision|recall|bleu|rouge\w*|perplexity))"
    r"\s*[:=]\s*(?P<value>-?\d[\d.]*(?:e[+-]?\d+)?%?)$"
)
RESULTS: Final = regex(
    rf"--- PASS: |\*{{3,}} \w+ (?:metrics|results) \*{{3,}}|\s*\{{['\"](?:eval|test|train)_\w+['\"]: |{_FIGURE.pattern}"
)
"""What training, evaluation and tests are run for."""
_METRICS: Final = regex(
    r"[^{%\n]{0,120}\b(?P<phase>train|valid|val|validation|eval|test)(?:ing)?\b[^{%\n]{0,80}?\b(?:loss|ppl|bleu|acc(?:uracy)?|f1|wer|auc)\b[ :=|]{1,4}\d"
)
_PHASES: Final = ("train", "val", "test")  # one stands in such a line
"""What a phase of a training came to, on one line: ``| valid | epoch 001 | loss 6.711 | ppl 97.07``."""
_TIMED: Final = regex(r"(\d{1,6}\.\d+)s (?:call|setup|teardown) +\S|--- [A-Z]+: \S+ \((\d{1,6}\.\d+)s\)$")
LONGEST: Final = 600  # characters of a line of figures
FIGURES: Final = 12  # results that are said: the last ones
_AROUND: Final = regex(r"── .* / (?:Set up job|Post |Complete job|Initialize containers)", holds=("── ",))
"""Steps of a job that are the runner's own."""

_HEADING: Final = regex(
    r"\s{0,8}(?:[×✖✗] \S|> *\d+ *[│|]|(?:[━─═_=]{2,80} )?(?!\d+/\d+ )[\w./][^\n]{0,300} [━─═_=]{4,300}\s*$)",
    holds=(*"×✖✗│|", " ━", " ─", " ═", " _", " ="),
)  # of a finding; its code

_PROPOSED: Final = regex(r"\s*\d+ +[│|] [-+] ?\S", holds=("│ ", "| "))  # what a formatter would remove or write
_WAITS: Final = regex(r'"[^"\n]{1,80}":\n\s+waiting to lock monitor ')
_COMPARED: Final = regex(
    r"\s{2,24}(?:error|message): ['\"|>]|\s{0,12}(?:Expected|Received|Actual|expected|received|actual|got|want|left|right)(?: [a-z][a-z ]{0,30})?: +\S|assert(?:ion)?(?: failed)?: \S"
    rf"|\S+ \S+ requires \S.*, (?:which is not installed|but you have )|{_WAITS.pattern}",
    holds=("monitor ", " requires ", "rror: ", "message: ", "assert", "xpected", "eceived", "ctual", "got", "want", "left", "right"),
)  # fmt: skip
"""The two sides of a failed assertion: bun, Jest, Rust, Go; what TAP says of it. Of a deadlock who waits for whom; conflicts."""
TRACE_LEAST, SHORT_TRACE = 3, 8  # lines
WHOLE: Final = 60  # lines of a kept entry shown without a gap; of a longer one its first 40 and last 16
WHERE, CAUSE = 3.1, 4.1
"""Weights: of the frame of one's own code that is nearest to the message, before what was printed last; of that of the
first and the last trace of an output, whatever else is kept."""
THROWS: Final = regex(
    r"Traceback \(most recent call last\)|panic: |thread '[^']{0,80}' panicked|Exception in thread |Uncaught "
)
_PYTHON: Final = regex(r"\s+File \"")
POINTED: Final = regex(r"\s*\| [ |_-]*\^", holds="^")
_EXPECTED: Final = regex(r"\s*= note: +expected ", holds="expected")
_CAUSED: Final = regex(r"\s*(?:Caused by|Suppressed): |\[previous exception\] ")

_WARNS: Final = regex(r"\[?(?:WARN(?:ING)?|ERROR)\b(?!\]? ?Tests run:)", holds=("WARN", "ERROR"))
_ELSEWHERE, ELSEWHERE = "A complete log of this run can be found in", 0.5  # npm's; factor on its weight
_NPM: Final = ("npm error ", "npm ERR! ")
_FAILED, _RAN = ": --- FAIL: ", regex(r"(?m)^\s*--- \w+: (\S+) \(")  # tests of Go, one of which tells why before it


Lines = Container[int]


def weigh(
    items: Sequence[Item], samples: Lines, typed: Lines, named: Lines, ends: Iterable[int], setup: int, tail: int
) -> None:
    """Set the items' weights. ``samples``: lines that stand for all of their kind; ``typed``: numbers of echoed lines;
    ``named``: of those among the facts; ``ends``: lines with which the job closed, or where a trace begins; ``setup``:
    where the first run of tests begins; ``tail``: how many of the last items say how it ended."""
    texts = [*map(bare_of, items)]
    last = {id(item) for item in _last(items, texts, tail)}
    lead = _leading(items, ends, typed)
    why = {line.start for line, below in pairwise(items) if "\n" in line.text and _FAILED in below.text}
    dumped = {id(item) for item in _dumped(items, texts)}
    failing = bool(named) or any(item.keep is Keep.SEVERE for item in items)
    ran = {match[1] for text in texts if "--- " in text for match in _RAN.finditer(text)}
    for item, text in zip(items, texts, strict=True):
        if item.start in named and all(line in named for line in range(item.start, item.end + 1)):  # among the facts
            item.weight *= SAID
        elif item.keep:
            item.weight = max(item.weight, WRONG) if item.weight >= 1 else item.weight
            item.weight *= ELSEWHERE if _ELSEWHERE in text else 1.0
        elif id(item) in lead or (id(item) in last and item.start not in typed and any(map(str.isalnum, text))):
            item.weight = max(item.weight, NEAR + item.start / 1e7)  # how it ended
        elif item.end < setup and not PROMPT.match(text):
            item.weight *= ROUTINE
        elif not item.under and (item.start in samples or item.start in why or _asserts(text)):
            item.weight = NEAR + 1
            item.whole = item.whole or (len(text) <= LONG and _WAITS.match(text) is not None)
        elif (
            item.under
            or id(item) in dumped
            or item.start in typed
            or (len(item.text) > LONG * (1 + item.text.count("\n")) and not _WARNS.match(text))
        ):
            item.weight *= ROUTINE if is_routine(text) else TYPED
        elif _is_news(text, failing) and not _AROUND.match(item.section):
            result = RESULT + item.start / 1e7 if RESULTS.match(text) else 0.0  # the later one says how it ended
            item.weight = result or max(item.weight, WRONG if _WARNS.match(text) else 0.0)
        else:
            item.weight *= ROUTINE
        item.weight *= text[:4] != "=== " or text.split()[-1] not in ran  # another line says how that test ended
    begun = dropwhile(lambda one: "Lifecycle script " not in one[1], zip(items, texts, strict=True))
    for item, _ in takewhile(lambda one: one[1].startswith(_NPM), begun):  # further ones say it of other packages
        item.weight = max(item.weight, WRONG)
    _changes(items, texts)


def _asserts(text: str) -> bool:
    """Whether a line heads a finding, or is the assertion that failed or one of its sides."""
    return bool(_HEADING.match(text) or _COMPARED.match(text) or _CARETS.match(text.rpartition("\n")[2]))


_PASSED: Final = regex(
    r"\s*(?:\S.* \.\.\. ok$|# Subtest: |duration_ms: \d|\S+#\S+ = [\d.]+ s = \.$"
    r"|(?:\[gw\d+\] \[ *\d+%\] PASSED )?\S+\.py::\S.*?(?: PASSED.*| *)$)",
    holds=(" ok", "# Subtest: ", "duration_ms: ", " = .", ".py::"),
)
"""A test that passed or only begins, in the words of unittest, Rust, TAP, minitest and pytest."""


def _is_news(text: str, failing: bool) -> bool:
    """``failing``: whether other lines tell of a failure, beside which a test that passed is none."""
    passed = failing and (text.lstrip().startswith(PASSES) or _PASSED.match(text) or test_passed(text))
    return any(map(str.isalnum, text)) and not passed and not is_routine(text)


def _dumped(items: Sequence[Item], texts: Sequence[str]) -> Iterator[Item]:
    """Values that an assertion prints as added: they are what was not expected, seldom what is wrong with it."""
    for added, run in groupby(zip(items, texts, strict=True), lambda one: one[1][:2] in ("+ ", "+\t")):
        lines = [item for item, _ in run]
        if added and len(lines) > FEW_ADDED:
            yield from lines


def _changes(items: Sequence[Item], texts: Sequence[str]) -> None:
    """What a formatter proposes: the first changes of each finding say what it is about."""
    known = 0
    for item, text in zip(items, texts, strict=True) if held(_PROPOSED, texts) else ():
        if _HEADING.match(text):
            known = 0
        elif _PROPOSED.match(text) and not item.keep:
            item.weight, known = PROPOSED * FURTHER**known, known + 1


_BAR: Final = regex(r"[^|\n]{0,80}?\d{1,3}% ?\|", holds="%")
_CARETS: Final = regex(r"\s+\^[\^~]*\s*$", holds="^")
_BRANCH: Final = regex(r"\[(?!(?i:warn|err|fatal|severe|crit))[A-Za-z][\w .:/-]{0,40}\] ")  # of a build's parallel ones


def is_routine(text: str) -> bool:
    """Whether a line (bare) is printed for every file or package, or while all goes well."""
    if text[:1] == "[" and (tag := _BRANCH.match(text)) and is_routine(text[tag.end() :]):
        return True
    path = ("." in text[-SUFFIX:] and _PATH.match(text)) or (text[:2].isspace() and _LISTED.match(text))
    return bool(path) or is_progress(text)


def is_progress(text: str) -> bool:
    """The same, but names in a list, which may be what all is about."""
    begun = text.lstrip()
    if (text[:1] in _BEGINNINGS and text.startswith(_BEGIN)) or begun.startswith(_BELOW):
        return True
    if any(pattern.match(text) for pattern in _BY_FIRST.get(begun[:1], ())):
        return True
    bar = ("%" in text or not text.isascii()) and _BARS.match(text)
    return bool(bar or ("B" in text and _SIZE.match(text)) or NO_NEWS.match(text))


def calm_lines(known: Sequence[tuple[int, str]]) -> set[int]:
    """The numbers of lines of which no word or value is news: source that carets point into, bars of progress, names in
    a list."""
    listed = {n for n, line in known if line[:2].isspace() and _LISTED.match(line)}
    quoted = {n for n in listed if n - 1 in listed and n + 1 in listed}
    quoted |= {n for (n, _), (_, below) in pairwise(known) if "^" in below and _CARETS.match(below)}
    return quoted.union(n for n, line in known if "%" in line and _BAR.match(line))


def _last(items: Sequence[Item], texts: Sequence[str], most: int) -> Iterator[Item]:
    known = zip(reversed(items), reversed(texts), strict=True)
    own = ((item, text) for item, text in known if item.weight != LIBRARY and not text.endswith(":"))
    telling = (item for at, (item, text) in enumerate(own) if not is_routine(text) or (at == 0 and _PATH.match(text)))
    return islice(telling, most)


def _leading(items: Sequence[Item], ends: Iterable[int], typed: Container[int]) -> set[int]:
    """By their ids the items that were printed last before each of the ``ends``: they may say its cause."""
    own = [item for item in items if item.start not in typed]
    near = ([id(item) for item in own if end - LOOKED <= item.end < end and _says(item)] for end in ends)
    return {one for some in near for one in some[-LEADING:]}


def _says(item: Item) -> bool:
    text = bare_of(item)
    short = item.end - item.start < LEADING and len(text) <= LONGEST
    says = short and not item.keep and item.weight > LIBRARY and any(map(str.isalnum, text))
    return says and not is_routine(text) and not any(map(FRAME.match, text.split("\n")))


def results(lines: Iterable[tuple[int, str]]) -> list[Fact]:
    """The last value of each result that a training or an evaluation prints on a line of its own, with its line; the
    last line of figures of each phase; of timed tests the slowest."""
    last: dict[str, tuple[int, str]] = {}
    slow = (0.0, 0, "")
    phases: dict[str, tuple[int, str]] = {}
    for number, line in lines:
        phased = len(line) <= LONGEST and any(map(line.__contains__, _PHASES))
        if phased and (match := _METRICS.match(line.strip())):
            phases.pop(match["phase"], None)
            phases[match["phase"]] = number, f"{number}: {line.strip()}"
        if timed := _TIMED.match(line):
            slow = max(slow, (float(timed[1] or timed[2]), -number, f"slowest: {number}: {line.strip()}"))
        if match := _FIGURE.match(line[:120]):
            last.pop(match["name"], None)
            last[match["name"]] = number, f"{match['name']} {match['value']}"
    figures = [*last.values()][-FIGURES:]
    text = "results: " + " · ".join(f"{number}: {text}" for number, text in figures)
    facts = [Fact(text, 0, shows=[[number for number, _ in figures]])] if len(last) > 1 else []
    facts += [Fact(slow[-1], 0)] if slow[0] >= SLOW else []
    ends, lines_of = [*phases.values()], ["the last figures of each phase:", *(text for _, text in phases.values())]
    return facts + ([Fact("\n".join(lines_of), 0, shows=[[], *([number] for number, _ in ends)])] if ends else [])


def tests_of(lines: Iterable[tuple[int, str]]) -> Iterator[int]:
    """The lines with which tape names the tests of assertions that failed, before these."""
    name = 0
    for number, line in lines:
        name = number if line.startswith("# ") else name
        if name and line.startswith("not ok "):
            yield name


_TESTED: Final = regex(
    r"=+ test (?:session|process) starts =+$|test\w* \([\w.]+\)(?: \.\.\. \w+)?$|running \d+ tests?$|\[=+\] Running \d+ tests? |TAP version \d|=== RUN +\S",
    holds=("session starts", "process starts", "test", "unning ", "TAP version", "=== RUN"),
)


def tested_from(lines: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Where runs of tests begin: what was installed and built before the first is told by its failures alone."""
    known = lines if held(_TESTED, [line for _, line in lines]) else ()
    return (number for number, line in known if _TESTED.match(bare(line)))


def wording(lines: Sequence[str], few: int) -> str:
    """In brackets the words by which lines tell of a failure, the most frequent first: what to look for; of more than a
    few lines the level that all of them have."""
    if len(lines) > few:
        levels = set(map(level_of, lines))
        return f" (level {min(levels)})" if len(levels) == 1 and all(levels) else ""
    words = Counter(match[0].lower() for line in lines for match in islice(loud_words(line), 1))
    return f" ({', '.join(word for word, _ in words.most_common(SAYINGS))})" if words else ""


def trace_key(lines: Sequence[str], group: str) -> str:
    """Identical traces fold: the frames' and the exception's words without their values."""
    if len(lines) < TRACE_LEAST:
        return group
    import zlib

    frames = "\n".join(category(line.strip()[:4_000]) for line in lines[1:WHOLE])
    return f"{group}/{zlib.crc32(frames.encode('utf-8', 'replace')):08x}"


def typed(items: Iterable[Item]) -> list[Item]:
    """The items, of which what was typed into a terminal is one for each command. The last of these is the heaviest,
    what earlier ones printed is less, and lines that are told by one stand for what happened then."""
    kept, commands = list[Item](), list[Item]()
    for item in items:
        text = bare_of(item)
        prompt = PROMPT.match(text)
        if commands and kept[-1] is commands[-1] and text.startswith("> "):
            kept[-1].end, kept[-1].text = item.end, f"{kept[-1].text}\n{text}"
            continue
        kept.append(item)
        if prompt and prompt.end() < len(text):
            item.weight, item.flow = ENTERED + item.start / 1e7, "lines"
            commands.append(item)
    if commands:
        _headed_by(commands[-1], kept)
    return kept


def _headed_by(last: Item, items: Iterable[Item]) -> None:
    last.weight, last.text = LATEST, "\n".join(filter(None, last.text.split("\n")))
    for item in items:
        if " such lines, to line " in item.text and not is_routine(bare_of(item)):
            item.weight, item.flow = COURSE, "lines"
        elif item.start < last.start and not (item.keep or item.flow == "lines"):
            item.weight *= TYPED
        if item.start >= last.start and NUMBER.sub("", item.section) in last.text:
            item.section = ""  # the command heads it as it stands


def between(start: int, lines: Sequence[str]) -> Iterator[Item]:
    """The lines of an entry that a runner prints while all goes well, and those between them; no bars of progress."""
    left = (one for one in enumerate(lines, start) if one[0] == start or "\u2501\u2501\u2501" not in one[1])
    for _, run in groupby(left, key=lambda line: is_routine(line[1])):
        numbers, texts = zip(*run, strict=True)
        yield Item(numbers[0], numbers[-1], f"{numbers[0]}: " + "\n".join(texts))


def in_parts(lines: Sequence[str]) -> bool:
    """Whether an entry is a trace of which some lines say most: a long one, or one of Python that nothing heads."""
    if points(lines):
        return True
    least = TRACE_LEAST if lines[0].startswith(("Traceback", "Error #")) else SHORT_TRACE
    return len(lines) > least and any(map(FRAME.match, lines))


def points(lines: Sequence[str]) -> bool:
    """Whether it is what rustc found: the place on its second line, and below the source with what is wrong there."""
    return len(lines) > TRACE_LEAST and lines[1].lstrip().startswith("--> ")


def telling(lines: Sequence[str]) -> list[tuple[int, int, float]]:
    """Which lines of a trace say what failed, and (with a weight) where: the message, that of each cause, and the frame
    of one's own that is nearest to it; of what rustc found also where it points, and what it expected and found."""
    if points(lines):
        marked = [at for at, line in enumerate(lines) if POINTED.match(line)][:1]
        wanted = [at for at, line in enumerate(lines) if _EXPECTED.match(line)][:1]
        return [(0, 2, 0.0), *((at - 1, at + 1, 0.0) for at in marked), *((at, at + 2, 0.0) for at in wanted)]
    frames = [at for at, line in enumerate(lines) if FRAME.match(line)]
    own = [at for at in frames if not LIBRARY_FRAME.match(lines[at])] or frames
    if any(map(_PYTHON.match, lines)):  # the message stands last
        frame = [at for at in own if _PYTHON.match(lines[at])][-1:]
        behind = next((at for at in range(frames[-1] + 1, len(lines)) if not lines[at][:1].isspace()), len(lines) - 1)
        head = [] if THROWS.match(lines[0]) or _PYTHON.match(lines[0]) else [(0, 1, 0.0)]  # the logged message
        return [*head, *((at, min(at + 2, behind), WHERE) for at in frame), (behind, len(lines), 0.0)]
    parts = []
    for at in [0, *(at for at, line in enumerate(lines) if at and _CAUSED.match(line))]:
        first = next((frame for frame in frames if frame > at), at + 1)
        parts += [(at, first, 0.0), *((frame, frame + 1, WHERE) for frame in own if frame >= first)][:2]
    return sorted(parts)


def around(lines: list[str], at: int) -> Iterator[tuple[int, int, float, bool]]:
    """Runs of lines from ``at`` on that are frames of libraries, with what stands below each, or are not, and their
    weight; a frame of Python with its statement, which is whole."""
    owned: list[tuple[bool, int]] = []
    for n, line in enumerate(lines[at:]):
        below = line[:1] in " \t" and not FRAME.match(line) and bool(owned)
        own = not LIBRARY_FRAME.match(line)
        owned.append(owned[-1] if below else (own, n if _PYTHON.match(line) else 0))
    for (own, _), run in groupby(owned):
        end, framed = at + len([*run]), _PYTHON.match(lines[at]) is not None
        begin = next((n for n in range(at, end) if any(map(str.isalnum, lines[n]))), end)
        if begin < end:  # a gutter or bracket alone says nothing
            yield begin, end, (1.0 if framed else AGAIN) if own else LIBRARY, framed
        at = end


_THROWN: Final = regex(r"\d+: [\w.]*(?:Error|Exception): (?P<said>[^\n]{80,})$", holds=("Error: ", "Exception: "))


def said_again(items: Sequence[Item]) -> None:
    """What an error says that a later one, which was raised of it, repeats stands there alone."""
    known: dict[str, int] = {}
    for item in reversed(items):
        match = _THROWN.match(item.text) if item.keep else None
        below = known.setdefault(match["said"], item.start) if match else item.start
        if match and item.start < below <= item.start + CHAIN:
            item.text, item.at = f"{item.text[: match.start('said')]}…[as in line {below}]", -1


_DATA: Final = regex(r"[\[{] ?[\"{\[]", holds="{[")
LINE, DENSE, SOME, BEGINS = 1_200, 16, 200, 20  # characters: a line; a blank in so many; shown of it; before its data
FILLED: Final = 4_000  # characters of other lines, which fill the room


def without_payload(item: Item) -> str:
    """Of a line with much source or JSON the message, the place it is kept for and a little more."""
    text = item.text
    if len(text) <= LINE or "\n" in text or not text[:LINE].isascii():
        return text
    begins = data.start() if (data := _DATA.search(text, BEGINS)) else len(text)
    end = max(item.at, SOME if text.count(" ") * DENSE < len(text) else begins) + SOME
    return text if end > len(text) - SOME else f"{text[:end]}…[+{len(text) - end:,} chars]"


def with_members(text: str, begin: int) -> str:
    """An item's text, of which a line of JSON behind its head tells what says most."""
    if text[begin : begin + 1] not in ("{", "["):
        return text
    from mcpcompact.content.shared import usual

    return text[:begin] + usual.told(text[begin:])
