"""Is it a log? Time stamps, levels, and what test runners and build tools print, over a bounded sample."""

# ruff: noqa: E501 (the tables of patterns read better unbroken)

from __future__ import annotations

from typing import Final

from mcpcompact.content.log.lines import ANSI, TASK, find_stamp, is_head, level_of
from mcpcompact.content.log.testruns import summary_kind
from mcpcompact.content.log.typed import bare
from mcpcompact.outline import Sample, Verdict, split_lines
from mcpcompact.patterns import regex

_BUILD: Final = regex(
    r"^(?:make(?:\[\d+\])?: |npm (?:ERR!|WARN|http|verb|info|notice|error|warn)|\[(?:INFO|WARNING|ERROR|javac|DEBUG)\] |"
    r"\s{0,8}(?:Compiling|Downloaded|Downloading|Checking|Building|Finished|Updating|Fresh|Installing) [\w`.@/-]|"
    r"test \S+ \.\.\. (?:ok|FAILED|ignored)|\s{0,12}--- (?:PASS|FAIL|SKIP)|=== (?:RUN|PAUSE|CONT)|> Task :|\[\s{0,2}\d{1,3}%\] |\[\d+/\d+\] |"
    r"Step \d+/\d+ : |#\d+ (?:\[|\d+\.\d+ |DONE|CACHED|sha256)|(?:Collecting|Requirement already satisfied|Successfully) |"
    r"(?:gcc|g\+\+|cc|clang|c\+\+|libtool|/bin/sh|ld|ar|javac|cmake|rustc) |={3,} .{1,80} ={3,}$|"
    r"##\[\w+\]|::(?:error|warning|group|debug)|(?:Get|Hit|Ign):\d+ |Unpacking |Setting up |Selecting previously |"
    r"[\w./-]{1,200}\.(?:py|js|ts|rb)(?:::\S{1,300})? (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)|"
    r"[\w./-]{1,200}\.py [.FEsxX]{1,200}\s{0,80}(?:\[|$)|(?:ok|FAIL|---)\s+[\w./-]+\s+\(?[\d.]+s|(?:PASS|FAIL)\s+\S+|"
    r"\s{0,8}[✓✕✔✗] |\s{0,8}at [\w$.<>]+[\w$.<> /]{0,80}\(|Traceback \(most recent call last\):|\s{2}File \"[^\"]{1,300}\", line \d|"
    r"\S{1,80}: (?:Refreshing state|Creating|Creation complete|Still creating|Destroying|Reading|Read complete)|"
    r"(?:error|warning)(?:\[\w+\])?: |(?:[A-Z]:)?[^\s:()]{1,240}(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)) ?: ?(?:fatal )?(?:error|warning|note|info|Warning|Error)\b|"
    r"(?:collecting|collected|platform|rootdir|plugins|cachedir|configfile)[: .]|panic: |goroutine \d+ \[|Exception in thread|"
    r"thread '[^']{1,80}' panicked|Unhandled exception|-- (?:Found|Looking|Configuring|Detecting|Check|Performing))"
)
_RUNNER: Final = regex(
    r"travis_fold:(?:start|end):|travis_time:start|Using worker: worker-|\[taskcluster[ :]|Running with gitlab-runner \d|##\[(?:section|group)\]\S|"
    r"Current runner version: '|Started by (?:user|upstream|timer|an SCM|GitHub|remote host)\b|Running as SYSTEM$|Build was started by "
)
"""What a CI runner writes around everything: whatever its commands print, it is the log of a job."""
HEADS: Final = 5
"""Lines that begin with a time and a level: no file of settings or source has as many."""
_NUMBERED: Final = regex(r"\s{0,8}\d+(?:→|\t|:)")
_GREP: Final = regex(r"(?:[A-Z]:)?[\w./@+-]{1,240}[:-]\d+[:-]")
_LINT: Final = regex(
    r"\[?(?:[A-Za-z]:)?[^\s:()\[\]]{1,240}\.\w{1,8}(?::\d{1,7}:\d{1,5}|\(\d{1,7}(?:,\d{1,5})?\))[:\]]? {1,2}\S"
    r"|(?:[A-Za-z]:)?[^\s:()]{1,240}\.\w{1,8}:\d{1,7}: (?:[A-Z]+\d+\b|\[)"
    r"|\s{1,8}\d{1,7}:\d{1,7} {1,8}(?:error|warning) {1,8}\S"
)
_MARKUP: Final = regex(r"<[?!/A-Za-z]")
_TERRAFORM: Final = (
    "Terraform will perform", "Terraform used the selected", "Initializing the backend", "Initializing provider plugins",
    "Apply complete!", "No changes. ",
)  # fmt: skip
_DIAGNOSTIC: Final = regex(r"(?i)\b(?:error|warning|note|info|hint|fatal)\b")
_DIFF: Final = regex(r"^(?:diff --git |--- a/|\+\+\+ b/|@@ -\d|Index: |commit [0-9a-f]{40})")
_UPTIME: Final = regex(r"(?:<\d{1,3}>)?\[ {0,10}\d{1,9}\.\d{6}\] \S")  # the kernel's ring buffer
_BLAME: Final = regex(r"\^?[0-9a-f]{7,40} .{0,200}\(.{1,80} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d [+-]\d{4} {1,9}\d{1,7}\) ?")
_HEADING: Final = regex(r"#{1,6} \S")
_ACCESS_HEAD: Final = regex(r"\S{1,100} \S{1,100} \S{1,100} \[\d\d/[A-Z][a-z]{2}/\d{4}:")


def sniff(sample: Sample) -> Verdict:
    """Stamps, levels and the shapes that test runners and build tools print, over the sample's lines."""
    raw = [
        ANSI.sub(b"", line[:1000].encode("utf-8", "replace")).decode("utf-8", "replace") for line in sample.lines[:600]
    ]
    lines = [line.rstrip("\r").rsplit("\r", 1)[-1] for line in raw if line.strip()]
    if not lines:
        return Verdict(0.0)
    n = len(lines)
    if any(_RUNNER.match(bare(line)) for line in raw[:60]):
        return Verdict(0.99, "a CI runner's own words")
    if any(_DIFF.match(line) for line in lines[:5]) or (
        sum(bool(_DIFF.match(line)) for line in lines) * 25 > n and n > 25
    ):
        return Verdict(0.05, "a diff")
    if sum(line.endswith(("),", ");")) and line.startswith(("(", "INSERT ", "insert ")) for line in lines) > 0.5 * n:
        return Verdict(0.05, "rows of SQL")
    first = lines[0].lstrip()
    jsons = sum(line.lstrip()[:1] in ("{", "}", '"') and line.rstrip()[-1:] in tuple('{}[],"') for line in lines)
    if jsons > 0.6 * n or _MARKUP.match(first) or first[:2] == "[{":
        return Verdict(0.05, "structured text")
    if sum(line.startswith("```") for line in lines) >= 2 and any(map(_HEADING.match, lines)):
        return Verdict(0.1, "Markdown that quotes")
    if all(map(_BLAME.match, lines)):
        return Verdict(0.1, "git blame")
    if sum(line.lstrip()[:2] in ("○ ", "● ", "◐ ", "◌ ") for line in lines) * 4 > n:
        return Verdict(0.1, "a list of tasks")
    stamps = levels = heads = shapes = grep = commas = numbered = 0
    width = lines[0].count(",")
    tabs = lines[0].count("\t")
    for line in lines:
        if (
            is_head(line)
            or _ACCESS_HEAD.match(line)
            or _UPTIME.match(line)
            or ((found := find_stamp(line)) and found[1] < 48)
        ):
            stamps += 1
            levels += (stated := bool(level_of(line)))
            heads += stated and bool(line[:1].strip())
            commas += width >= 2 and line.count(",") >= width
            continue
        levels += bool(level_of(line))
        task = TASK.match(line)
        rest = line[task.end() :] if task and task.end() < len(line) else line
        shapes += bool(
            _BUILD.match(line)
            or (rest is not line and (_BUILD.match(rest) or (task and task[0][0] in " \t")))
            or _LINT.match(line)
        )
        grep += bool(_GREP.match(line)) and not _LINT.match(line) and not _DIAGNOSTIC.search(line[:300])
        numbered += bool(_NUMBERED.match(line)) and not _LINT.match(line)
        commas += (width >= 2 and line.count(",") == width) or (tabs >= 2 and line.count("\t") == tabs)
    if grep > 0.6 * n or (numbered > 0.6 * n and stamps < 0.5 * n):
        return Verdict(0.1, "lines of files")
    if commas >= 0.8 * n and n >= 3 and not find_stamp(lines[0]):
        return Verdict(0.1, "delimited columns")
    if any(line.startswith("|") for line in lines[:3]) and sum(line.startswith("|") for line in lines) > n / 2:
        return Verdict(0.1, "a table")
    tails = [line for line in split_lines(sample.tail)[-40:] or lines[-40:] if line.strip()]
    if any(line.startswith(_TERRAFORM) for line in lines[:30]):
        return Verdict(0.9, "terraform's own words")
    said = sum(1 for line in [*lines[:60], *tails] if summary_kind(line.strip()))
    if stamps >= 0.5 * n and (n > 2 or levels or stamps == n):
        return Verdict(0.95 if n > 2 else 0.7, f"{stamps} of {n} lines begin with a time or level")
    marked = 0 if stamps == 1 and n > 2 and not levels and not shapes else max(stamps, levels, shapes)
    score = min(0.9, 0.22 + 1.5 * marked / n) if marked >= 2 or marked * 8 >= n else 0.1 * marked
    if first.startswith(("Traceback (most recent", "panic: ", "Exception in thread", "goroutine ")):
        score = 0.92
    elif (first.startswith(("=====", "collected ")) and "test session" in lines[0]) or said >= 2:
        score = max(score, 0.85)
    elif heads >= HEADS and heads * 50 >= n:  # settings and results that a program prints between its messages
        score = max(score, 0.6)
    elif said:
        score = max(score, 0.45 + min(0.3, shapes / n))
    elif n < 3:
        score *= 0.7
    return Verdict(round(score, 3), f"{stamps} stamps, {levels} levels, {shapes} build or test lines of {n}")
