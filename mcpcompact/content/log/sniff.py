"""Is it a log? Time stamps, levels, and what test runners and build tools print, over a bounded sample."""

# ruff: noqa: E501 (the tables of patterns read better unbroken)

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mcpcompact.content.anomalies.words import OUTCOMES, listed
from mcpcompact.content.log.entries import ARROW, FRAME, TASK, is_head
from mcpcompact.content.log.grammar import HEAD_WITHIN, NOTE, find_stamp, level_of, plain
from mcpcompact.content.log.runners import OUTCOME, bare, summary_kinds
from mcpcompact.content.shared.evidence import DIFF, MOSTLY, Evidence, anywhere, first, of, redrawn
from mcpcompact.content.shared.lines import PROMPT, overtaken
from mcpcompact.outline import Verdict
from mcpcompact.patterns import BLAMED, ON_DRIVE, regex
from mcpcompact.source import Sample, split_lines

_BUILT: Final = (
    "npm ERR!", "npm WARN", "npm http", "npm verb", "npm info", "npm notice", "npm error", "npm warn", "[INFO] ",
    "[WARNING] ", "[ERROR] ", "[javac] ", "[DEBUG] ", "(pass) ", "(fail) ", "(skip) ", "=== RUN", "=== PAUSE", "=== CONT",
    "> Task :", "Collecting ",
    "Requirement already satisfied", "Successfully ", "Unpacking ", "Setting up ", "gcc ", "g++ ", "cc ", "clang ",
    "c++ ", "libtool ", "/bin/sh ", "ld ", "ar ", "javac ", "cmake ", "rustc ", "::error", "::warning", "::group",
    "::debug", "panic: ", "Traceback (most recent call last):", "Exception in thread", "Unhandled exception",
    "Selecting previously ", "-- Found", "-- Looking", "-- Configuring", "-- Detecting", "-- Check", "-- Performing",
)  # fmt: skip
_TOLD: Final = "| PASS |", "| FAIL |", "| SKIP |"  # of Robot Framework
"""What a line of a build begins with; what is no plain text is in the pattern: shorter so, it compiles in half the time."""
_BUILD: Final = regex(
    r"^(?:make(?:\[\d+\])?: |"
    r"\s{0,8}(?:Compiling|Downloaded|Downloading|Checking|Building|Finished|Updating|Fresh|Installing) [\w`.@/-]|"
    r"\s{0,4}\d{1,5}/\d{1,5} \S.{0,200}? +(?:OK|FAIL|SKIP|RUNNING|TIMEOUT|ERROR)\s+(?:[\d.]+s|$)|"
    rf"//\S{{1,300}} +(?:\(cached\) )?(?:{OUTCOMES['bazel']})\b|"
    rf"test \S+ \.\.\. (?:{OUTCOMES['cargo']})|\s{{0,12}}--- (?:{OUTCOMES['go']})|"
    r"\[\s{0,2}\d{1,3}%\] |\[\d+/\d+\] |"
    r"Step \d+/\d+ : |#\d+ (?:\[|\d+\.\d+ |DONE|CACHED|sha256)|={3,} .{1,80} ={3,}$|##\[\w+\]|(?:Get|Hit|Ign):\d+ |"
    rf"[\w./-]{{1,200}}\.(?:py|js|ts|rb)(?:::\S{{1,300}})? (?:{OUTCOMES['pytest']})|"
    r"[\w./-]{1,200}\.py [.FEsxX]{1,200}\s{0,80}(?:\[|$)|(?:ok|FAIL|---)\s+[\w./-]+\s+\(?[\d.]+s|(?:PASS|FAIL)\s+\S+|"
    r"\s{0,8}[✓✕✔✗] |\s{0,8}at [\w$.<>]+[\w$.<> /]{0,80}\(|\s{2}File \"[^\"]{1,300}\", line \d|"
    r"\S{1,80}: (?:Refreshing state|Creating|Creation complete|Still creating|Destroying|Reading|Read complete)|"
    r"> (?:@[\w.-]+/)?[\w.-]+@\d[\w.+-]* [\w:-]+$|\[\S+ (?:\(root-commit\) )?[0-9a-f]{7,40}\] | (?:rename|copy) .* \(\d{1,3}%\)$| (?:create|delete) mode \d{6} |\d{1,6}\. (?:WARNING|ERROR|INFO) in \S|"
    rf"(?:error|warning)(?:\[\w+\])?: |(?:{ON_DRIVE}|(?:[A-Z]:)?[^\s:()]{{1,240}})(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)) ?: ?(?:fatal )?(?:error|warning|note|info|Warning|Error)\b|"
    r"(?:collecting|collected|platform|rootdir|plugins|cachedir|configfile)[: .]|goroutine \d+ \[|"
    r"\s+Scenario: .*# \S+:\d+$|thread '[^']{1,80}' panicked|[\w:]{1,200}#\w{1,200} = [\d.]+ s = [.FES])"
)
_FIRST_WORDS: Final = listed(
    "Compiling|Downloaded|Downloading|Checking|Building|Finished|Updating|Fresh|Installing|test|Step|ok|FAIL|PASS|at|File"
    "|rename|copy|create|delete|collecting|collected|platform|rootdir|plugins|cachedir|configfile|goroutine|thread"
)
_FIRST_SIGNS: Final = (":", "[", "(", "#", "=", ">", "//", "---", ".py", ".js", ".ts", ".rb", *"✓✕✔✗")
"""What the first word of such a line is, or holds, unless it begins with a digit."""
_RUNNER: Final = regex(
    r"travis_fold:(?:start|end):|travis_time:start|Using worker: worker-|\[taskcluster[ :]|Running with gitlab-runner \d|##\[(?:section|group)\]\S|"
    r"Current runner version: '|Started by (?:user|upstream|timer|an SCM|GitHub|remote host)\b|Running as SYSTEM$|Build was started by |section_start:\d{9,}:\w"
    r"|\[Container\] \d{4}/\d\d/\d\d \d\d:\d\d:\d\d",
    holds=("travis_", "worker: ", "[taskcluster", "-runner ", "##[", "runner version", "Started by ", " as SYSTEM", "Build was ", "section_", "[Container] "),
)  # fmt: skip
"""What a CI runner writes around everything: whatever its commands print, it is the log of a job."""
FINDINGS, BARS = 3, 3  # of a compiler or linter that names their rules; of progress, from which a later one goes on
HEADS, HEADS_OF = 5, 50
"""Lines that begin with a time and a level, and of how many one must: no file of settings or source has as many."""
_PLACED: Final = regex(r"[:(-]\d")  # one stands in each hit of a search and of a linter
_NUMBERED: Final = regex(r"\s{0,8}\d+(?:→|\t|:)")
_GREP: Final = regex(r"(?:[A-Z]:)?[\w./@+-]{1,240}[:-]\d+[:-]")
_LINT: Final = regex(
    rf"\s{{0,8}}\[?(?:{ON_DRIVE}|(?:[A-Za-z]:)?[^\s:()\[\]]{{1,240}}\.\w{{1,8}})(?::\d{{1,7}}:\d{{1,5}}|\(\d{{1,7}}(?:,\d{{1,5}})?\))[:\]]? {{1,2}}\S"
    r"|(?:[A-Za-z]:)?[^\s:()]{1,240}\.\w{1,8}:\d{1,7}: (?:[A-Z]+\d+\b|\[|[a-z-]{2,40}\[[\w.-]+\]: )"
    r"|[^\s:()\[\]]{1,240}:\d{1,7}(?::\d{1,5})? [A-Z]{2,4}\d{3,5}\b"
    r"|\S{1,240}\.ya?ml:\d{1,7}(?::\d{1,5})?(?: Task/Handler: |$)"
    r"|\s{1,8}\d{1,7}:\d{1,7} {1,8}(?:error|warning) {1,8}\S"
)
_AT_LINE: Final = regex(
    r"(?![\[\d<\s])\S.{1,300}? (?:at|on) (?:\S{1,240}\.\w{1,8} )?line \d{1,7}(?:, column \d|\.?$| in file \S+$| \(check: |, near )",
    holds=" line ",
)  # perlcritic, podchecker, puppet-lint, perl
_CHECKER: Final = regex(
    r"==\d+== Memcheck, |Dr\. Memory version |(?:==\d+==)?(?:ERROR|WARNING): \w+Sanitizer: ",
    holds=("Memcheck, ", "Dr. Memory version ", "Sanitizer: "),
)
"""A checker of memory or threads says that it checks, or what it found."""
_SQL_ROW: Final = regex(r"(?:\(|INSERT |insert ).*\)[,;]$", re.S, holds=("),", ");"))
_TASK: Final = regex(r"\s*[○●◐◌] ", holds="○●◐◌")
_ALSO: Final = ("", "exit", "git", OUTCOME)  # summaries that stand in other texts, too
_SET_UP: Final = {*_ALSO, "pip", "npm"}  # and those of an installation
_OPTION: Final = regex(r"\s{1,30}\[?--?\w")
_TRACES: Final = ("Traceback (most recent", "panic: ", "Exception in thread", "goroutine ")
_MARKUP: Final = regex(r"<[?!/A-Za-z]", holds="<")
_TERRAFORM: Final = (
    "Terraform will perform", "Terraform used the selected", "OpenTofu will perform", "OpenTofu used the selected",
    "Initializing the backend", "Initializing provider plugins",
    "Apply complete!", "No changes. ",
)  # fmt: skip
_DIAGNOSTIC: Final = regex(r"(?i)\b(?:error|warning|note|info|hint|fatal)\b")
_NAMED_RULE: Final = regex(
    r".*:\d{1,7}: (?:fatal )?(?:error|warning): .* \[[\w.,+=-]*-[\w.,+=-]*\]$", holds=("error: ", "warning: ")
)
_UPTIME: Final = regex(r"(?:<\d{1,3}>)?\[ {0,10}\d{1,9}\.\d{6}\] \S")  # the kernel's ring buffer
_HEADING: Final = regex(r"#{1,6} \S")
_RESULT, _PLAN = regex(r"(?:not )?ok \d+\b"), regex(r"1\.\.\d+(?: |$)")
_MARK: Final = regex(r"\s*[-*•] +")  # of an entry in a list, which a log has not before a stamp
_ACCESS_HEAD: Final = regex(r"\S{1,100} \S{1,100} \S{1,100} \[\d\d/[A-Z][a-z]{2}/\d{4}:")

LOOK, WIDTH = 600, 1_000  # lines that are looked at, and characters of each
OPENING: Final = 60  # lines in which a runner says what it is, and sums up at once where there is little output
TERRAFORM_WITHIN: Final = 30
LAST: Final = 40  # lines in which a summary stands
SAID_WITHIN: Final = 300  # characters in which a compiler's word stands
ALL: Final = 0.999  # share of at most LOOK lines
CELLS: Final = 2  # separators in the first line that make columns
FEW: Final = 2  # lines: too few to tell
SENTENCE, PLAIN_WORDS = 9, 0.7  # words of a sentence, and how many of them are letters alone
SENTENCES, PROSE_OF = 2, 10  # more sentences are prose, if they are one of so many lines
MIN_LINES: Final = 25  # behind which headers of a diff among few are no longer a quotation

NOT_MINE, QUOTED = 0.05, 0.1  # scores: surely something else; what another type reads better
LOG, SHORT_LOG = 0.96, 0.7  # stamps in half of the lines; as much, of one or two lines
TYPED = 0.99  # a run of tests in a terminal, whatever was done there before
INSTALLED = 0.95  # as much as text claims of an installation: pip says what it did
TRACE, RUN, SUMMED, HEADED = 0.92, 0.9, 0.85, 0.6  # a trace, terraform or a session of tests, two summaries, some heads
ONE_SUMMARY, SHAPED = 0.45, 0.3  # one summary, and what shapes of build lines add at most
SOME, SLOPE, MAX = 0.22, 1.5, 0.9  # score where a line is marked, for each share of them, and at most
THROWN, BEHIND = 0.75, 12  # a trace at the end, and lines of its message and what is printed behind it
TIMES = 0.05  # of the lines: as few times and nothing else of a log are values of what a command lists
SINGLE = 0.1  # a marked line among many
MARKED: Final = 8  # one marked line of so many is enough
FEW_LINES: Final = 0.7  # factor where there are too few lines to be sure


def _structured(lines: Sequence[str]) -> float:
    """JSON: the share of lines that are members and brackets; 1 where markup or a list of lists or objects begins."""
    opening = lines[0].lstrip()
    if _MARKUP.match(opening) or opening[:2] == "[{":
        return 1.0
    return sum(s[:1] in ("{", "}", '"') and s[-1:] in tuple('{}[],"') for s in map(str.strip, lines)) / len(lines)


def _quoting(lines: Sequence[str]) -> float:
    fences = sum(line.startswith("```") for line in lines)
    return fences * any(map(_HEADING.match, lines)) if fences else 0.0


def _diffed(lines: Sequence[str]) -> float:
    return of(DIFF)(lines) if len(lines) > MIN_LINES else 0.0


def _sentence(line: str) -> bool:
    words = line.split() if line[0].isupper() and line[-1] in ".:?!" else [""]
    plain = sum(word.strip(".,;:()\"'").isalpha() for word in words)
    return len(words) >= SENTENCE and words[0].isalpha() and plain >= PLAIN_WORDS * len(words)


def _telling(lines: Sequence[str]) -> float:
    """How many sentences there are, where someone begins with one: what is pasted between them is quoted."""
    sentences = sum(map(_sentence, lines)) if _sentence(lines[0]) else 0
    return sentences if sentences * PROSE_OF >= len(lines) else 0


_AGAINST: Final = (
    Evidence(anywhere(DIFF, among=5), 0, NOT_MINE, "a diff"),
    Evidence(_diffed, 0.04, NOT_MINE, "a diff"),
    Evidence(of(_SQL_ROW), 0.5, NOT_MINE, "rows of SQL"),
    Evidence(_structured, 0.6, NOT_MINE, "structured text"),
    Evidence(_quoting, 1, QUOTED, "Markdown that quotes"),
    Evidence(_telling, SENTENCES, QUOTED, "prose that quotes output"),
    Evidence(of(BLAMED), ALL, QUOTED, "git blame"),
    Evidence(of(_TASK), 0.25, QUOTED, "a list of tasks"),
    Evidence(of(_OPTION), 0.4, QUOTED, "help of a command"),
)
"""What has stamps, levels or tools' words in it and is no log."""

_RULE = regex(r"-{2,}(?:\+-{2,})+$", holds="-+-")  # psql's, below the names of columns
_TITLE = regex(r"[A-Z%][^\s=:]*$")
TITLES, COLUMNED = 3, 0.95  # names that make a header; share of the lines below that stand in their columns
_PAIRS = regex(r"\s*(?:[0-9a-f]{2}:){4}", re.IGNORECASE)  # bytes of a key: 07:23:36 of them is no time
_TWO_NAMES = regex(r"[A-Za-z_]\w*[,\t][A-Za-z_]\w*", holds=",\t")  # time,count


def sniff(sample: Sample) -> Verdict:
    """Stamps, levels and the shapes that test runners and build tools print, over the sample's lines."""
    raw = [plain(line if NOTE in line else line[:WIDTH])[:WIDTH] for line in sample.lines[:LOOK]]
    past = overtaken(enumerate(raw))  # bars of progress say nothing of what is between them
    lines = [line.rstrip("\r").rsplit("\r", 1)[-1] for i, line in enumerate(raw) if line.strip() and i not in past]
    if not lines:
        return Verdict(0.0)
    if any(map(_RUNNER.match, map(bare, raw[:OPENING]))):
        return Verdict(0.99, "a CI runner's own words")
    drawn = redrawn(sample.lines) > MOSTLY
    ends = [line.strip() for line in _ending(sample)]
    typed = [n for n, line in enumerate(ends, 1) if PROMPT.match(line) and not PROMPT.fullmatch(line)]
    if (drawn or any(map(PROMPT.fullmatch, ends[-1:]))) and not set(
        summary_kinds(ends[max(typed, default=0) :]).values()
    ) <= _SET_UP:
        return Verdict(TYPED, "a run at the end of a terminal")
    if drawn:
        return Verdict(QUOTED, "progress that is redrawn in place")
    if _tap(lines):
        return Verdict(LOG, "TAP: a plan and numbered results")
    if (against := first(lines, _AGAINST)) is not None:
        return against
    least = 1 if _TWO_NAMES.fullmatch(lines[0]) else CELLS
    tally = _Tally(len(lines), lines[0].count(","), lines[0].count("\t"), least)
    for line in lines:
        tally.add(line, sample.claimed < MAX)
    return tally.columns(lines) or _claim(tally, lines, sample, len(past))


def _tap(lines: Sequence[str]) -> bool:
    """Whether a test run is told as TAP: its version, or a plan (first or, of prove, behind a name) and results."""
    if lines[0].startswith("TAP version "):
        return True
    results = sum(line.startswith(("ok ", "not ok ")) and _RESULT.match(line) is not None for line in lines)
    return results * 2 > len(lines) and any(map(_PLAN.match, lines))


class _Tally:
    """How many of ``n`` lines are of a shape; ``cells`` have as many separators as the first, ``least`` of them or more
    where it is a row of cells."""

    def __init__(self, n: int, commas: int, tabs: int, least: int) -> None:
        self.n, self.commas, self.tabs, self.least = n, commas, tabs, least
        self.stamps = self.levels = self.cells = 0
        self.heads = 0  # begin with a stamp, and state a level
        self.shapes = 0  # of tests and builds
        self.hits = 0  # of a search
        self.numbered = 0

    def add(self, line: str, shaped: bool) -> None:
        """``shaped``: whether shapes can still win."""
        stated = bool(level_of(line))
        self.levels += stated
        if _stamped(line):
            self.stamps += 1
            self.heads += stated and bool(line[:1].strip())
            self.cells += self.commas >= self.least and line.count(",") >= self.commas
            return
        if shaped:
            self._shape(line)
        self.cells += (self.commas >= self.least and line.count(",") == self.commas) or (
            self.tabs >= self.least and line.count("\t") == self.tabs
        )

    def _shape(self, line: str) -> None:
        placed = _PLACED.search(line) is not None
        linted = (placed and bool(_LINT.match(line))) or (" line " in line and bool(_AT_LINE.match(line)))
        self.shapes += linted or _built(line)
        self.hits += placed and not linted and bool(_GREP.match(line)) and not _DIAGNOSTIC.search(line[:SAID_WITHIN])
        self.numbered += not linted and line.lstrip()[:1].isdigit() and bool(_NUMBERED.match(line))

    def columns(self, lines: Sequence[str]) -> Verdict | None:
        """Lines of files, or a table: what stamps and levels may stand in."""
        if self.hits > 0.6 * self.n or (self.numbered > 0.6 * self.n and self.stamps < 0.5 * self.n):
            return Verdict(QUOTED, "lines of files")
        if self.cells >= 0.8 * self.n and self.n > FEW and not find_stamp(lines[0]):
            return Verdict(QUOTED, "delimited columns")
        bars = lines[0].count("|")
        if bars > CELLS and not find_stamp(lines[0].partition("|")[0]) and all(s.count("|") >= bars for s in lines):
            return Verdict(QUOTED, "columns between bars")
        barred = [line.startswith("|") for line in lines]
        barred = barred if any(barred[:3]) else ["|" in line for line in lines if any(map(_RULE.match, lines[1:2]))]
        return Verdict(QUOTED, "a table") if sum(barred) > self.n / 2 or _titled(lines) else None


def _titled(lines: Sequence[str]) -> bool:
    """Whether the first line names columns, in capitals, that nearly all lines below it have a blank before."""
    titles = [(m.start(), m[0]) for m in re.finditer(r"\S+", lines[0])]
    if len(titles) < TITLES or not all(_TITLE.match(title) and title == title.upper() for _, title in titles):
        return False
    ends = [(at, at + len(title)) for at, title in titles if at]  # of figures the ends stand below each other
    even = sum(all(line[a - 1 : a] in (" ", "") or line[b : b + 1] in (" ", "") for a, b in ends) for line in lines[1:])
    return even >= COLUMNED * (len(lines) - 1) > 0


def _stamped(line: str) -> bool:
    if _PAIRS.match(line):
        return False
    if is_head(line) or (" [" in line and _ACCESS_HEAD.match(line)):
        return True
    if line.startswith(("[", "<")) and _UPTIME.match(line):
        return True
    stamp = find_stamp(line)
    return stamp is not None and stamp[1] < HEAD_WITHIN and _MARK.fullmatch(line, 0, stamp[1]) is None


def _built(line: str) -> bool:
    """A line of a build or a test run, also behind the indented name of its task."""
    if _begins_built(line):
        return True
    task = TASK.match(line)
    rest = line[task.end() :] if task else ""
    return bool(task and rest and (task[0][0] in " \t" or _begins_built(rest)))


def _begins_built(line: str) -> bool:
    if line.startswith(_BUILT) or line.endswith(_TOLD):
        return True
    first = (line.split(None, 1) or [""])[0]
    likely = first[:1].isdigit() or first.rstrip(".") in _FIRST_WORDS or any(map(first.__contains__, _FIRST_SIGNS))
    return likely and _BUILD.match(line) is not None


def _ends_thrown(lines: Sequence[str]) -> bool:
    """Whether what a program printed ends with the trace of what it died of."""
    begun = max((at for at, line in enumerate(lines) if line.startswith(_TRACES)), default=len(lines))
    frames = [at for at, line in enumerate(lines[begun:], begun) if FRAME.match(line)]
    return bool(frames) and sum(bool(line.strip()) for line in lines[frames[-1] + 1 :]) <= BEHIND


def _ending(sample: Sample) -> list[str]:
    ends = map(plain, split_lines(sample.tail)[-LAST:] or sample.lines[-LAST:])
    return [line.rstrip("\r").rsplit("\r", 1)[-1].rstrip() for line in ends if line.strip()]


def _claim(tally: _Tally, lines: Sequence[str], sample: Sample, passed: int) -> Verdict:
    n, stamps, levels, shapes = tally.n, tally.stamps, tally.levels, tally.shapes
    if any(line.startswith(_TERRAFORM) for line in lines[:TERRAFORM_WITHIN]):
        return Verdict(RUN, "terraform's own words")
    if stamps >= 0.5 * n and (n > FEW or levels or stamps == n):
        return Verdict(LOG if n > FEW else SHORT_LOG, f"{stamps} of {n} lines begin with a time or level")
    alone = 1 <= stamps <= max(1, TIMES * n) and n > FEW and not levels and not shapes
    marked = 0 if alone else max(stamps, levels, shapes)
    score = min(MAX, SOME + SLOPE * marked / n) if marked > 1 or marked * MARKED >= n else SINGLE * marked
    asked = [*lines[:OPENING], *_ending(sample)] if sample.claimed < MAX else ()
    kinds = [*summary_kinds([line.strip() for line in asked]).values()]
    own = sum(kind not in _ALSO for kind in kinds)
    opening = lines[0].lstrip()
    pip = kinds[-1:] == ["pip"] and "\nInstalling collected packages: " in "\n".join([*lines, *asked])
    score = max(score, INSTALLED * pip * (score == MAX))
    if own and any(line.startswith("=====") and " test session starts =" in line for line in lines):
        score = max(score, RUN)  # whatever the tests print
    elif opening.startswith(_TRACES):
        score = TRACE
    elif sample.claimed < THROWN and _ends_thrown(split_lines(sample.tail) or lines):
        score = max(score, THROWN)
    elif (
        sum(_NAMED_RULE.match(line) is not None for line in lines) >= FINDINGS
        or sum(ARROW.match(line) is not None for line in lines) >= FINDINGS
        or own > 1
        or any(line.endswith(" failing") and line[:-8].strip().isdigit() for line in lines)  # mocha's
        or any(map(_CHECKER.match, lines))
        or (opening.startswith(("=====", "collected ")) and "test session" in opening)
    ):
        score = max(score, SUMMED)
    elif passed >= BARS or (tally.heads >= HEADS and tally.heads * HEADS_OF >= n):  # a program prints between these
        score = max(score, HEADED)
    elif own:
        score = max(score, ONE_SUMMARY + min(SHAPED, shapes / n))
    elif n <= FEW:
        score *= FEW_LINES
    return Verdict(round(score, 3), f"{stamps} stamps, {levels} levels, {shapes} build or test lines of {n}")
