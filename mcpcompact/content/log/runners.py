"""What CI runners, test runners and tools print of themselves: summaries, commands that they echo, job and step.

Their summaries are worth more than anything that could be computed: "3 failed, 1197 passed in 12.3s" is the result.
"""

# ruff: noqa: E501 (the table of patterns reads better unbroken)

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from mcpcompact.content.anomalies.words import listed
from mcpcompact.content.log.grammar import KNOWN, LOOK
from mcpcompact.content.shared.lines import is_wrapper, states
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import held, holding, regex, standing
from mcpcompact.phrasing import clipped

if TYPE_CHECKING:
    from mcpcompact.content.log.scan import Shape
    from mcpcompact.content.log.templates import Seen

_LONG_LINE = 400  # characters; no line of a runner
NAMELESS: Final = "totals"  # of a tool that they do not tell
OUTCOME: Final = "outcome"  # of a script
SHARED: Final = frozenset(
    ("dotnet", "bun", "docker", "npm", "mocha", "rspec", "minitest", "coverage", "node", "swift", "mix test")
)
"""Tools whose totals others print in the same words."""

_PATTERNS: Final = tuple(
    (kind, tuple(signs.split("|")), regex(pattern))
    for kind, signs, pattern in (
        ("pytest", "passed|failed|error|skipped|deselected", r"^=*\s?(?=[\w ,]*\b\d+ (?:passed|failed|error|skipped|deselected|xfailed))[\w ,:.()]+ in (?:[\d.]+ ?s(?:econds)?|[\d:]+:\d\d)\b[^=]*=*$"),
        ("pytest", "no tests ran in ", r"^=+ no tests ran in [\d.]+s ?=+$"),
        ("sympy", " tests finished: ", r"^=* ?tests finished: \d+ passed,.*(?: in [\d.]+ seconds =+|, *)$"),
        ("unittest", "Ran |FAILED (|OK", r"^Ran \d+ tests? in [\d.]+s$|^FAILED \((?=.*(?i:failures|errors|skip(?:ped)?)=\d)[\w =,]+\)$|^OK(?: \([\w =,]+\))?$"),
        ("jest", "Tests:|Test Suites:|Test Files:|Snapshots:", r"^(?:Tests|Test Suites|Test Files|Snapshots): +.*\d+ (?:total|passed|failed)"),
        ("vitest", "Test Files  |Tests  ", r"^\s{1,8}(?:Test Files|Tests)  +\d+ (?:passed|failed)"),
        ("mocha", "passing|failing|pending|✖  |✔  ", r"^\s{1,4}\d+ (?:passing|failing|pending)\b|^\s{1,4}(?:✖ +\d+ of \d+ failed|✔ +All specs passed)"),
        ("cargo test", "test result: ", r"^test result: (?:ok|FAILED)\. \d+ passed"),
        ("cargo", "error: could not compile|error: aborting due to|) generated |Finished ", r"^error: could not compile|^error: aborting due to|^warning: [`\w-]+ \([^)]+\) generated \d+ warnings?|^\s{0,4}Finished [`\w\[\]+ ()-]+ in [\d.ms ]+$"),
        ("go test", "ok |ok\t|FAIL|PASS|coverage: ", r"^coverage: [\d.]+% of statements|^(?:ok|FAIL)\s+[\w./-]+\s+(?:[\d.]+s|\[[\w ]+\]|\(cached\))|^FAIL$|^PASS$"),
        ("maven", "Tests run: |BUILD SUCCESS|BUILD FAILURE", r".*?(?:Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?(?!.* -- in |.*Time elapsed)|\bBUILD (?:SUCCESS|FAILURE)\b|^\[INFO\] BUILD SUCCESSFUL$)"),
        ("gradle", "BUILD SUCCESSFUL|BUILD FAILED| actionable task| completed, ", r"^BUILD (?:SUCCESSFUL|FAILED) in |^\d+ actionable tasks?:|^\d+ tests? completed, \d+ failed"),
        ("terraform", "Plan|Apply complete!|Destroy complete!|No changes.", r"^(?:Plan|Apply complete!|Destroy complete!).{0,20}\d+ (?:to add|added|to import|destroyed|imported)|^No changes\.|^Plan: \d+"),
        ("npm", "package|audited|vulnerabilit|npm notice ", r"^(?:added|removed|changed|up to date).{0,60}(?:packages?|audited).{0,60}$|^found \d+ vulnerabilities|^\d+ (?:\w+ severity )?vulnerabilit|^npm notice (?:(?:📦|package:) +\S|Publishing to )"),
        ("make", ": *** ", r"^make(?:\[\d+\])?: \*\*\* .*"),
        (NAMELESS, " error| warning|Diagnostics not shown: |✖ |Success: no issues found|Found |passed |failed ", r"^(?:(?:passed|failed|skipped|ignored|total|errors?):? \d+(?:, |$)){2,}|(?:1 (?:error|warning)|\d+ (?:errors|warnings))(?:(?: and|,) \d+ (?:errors?|warnings?|informations?|notes?|hints?))*(?: generated)?\.?\s*$|^\s{0,8}Found \d+ (?:errors?|warnings?|infos?)\b|^Diagnostics not shown: \d+|^\s{0,8}✖ \d+ problems?|^Success: no issues found"),
        ("pylint", "Your code has been rated at ", r"^Your code has been rated at -?[\d.]+/10"),
        ("msbuild", " Warning(s)| Error(s)|Build succeeded|Build FAILED", r"^\s{0,8}\d+ (?:Warning|Error)\(s\)$|^Build (?:succeeded|FAILED)\.?$"),
        ("exit", "exit|completed|finished|terminated", r"(?!result: |\s*\d+/\d+ ).*?(?:exited|exit|completed|finished|terminated)(?: with)? (?:exit )?(?:code|status) \d+\b|^exit(?: code|_code|Code)?\s?[:=]\s?\d+$"),
        ("docker", "Successfully |=> ERROR |failed to solve: ", r"^Successfully (?:built [0-9a-f]{12}$|tagged )|^ ?=> ERROR |.*failed to solve: "),
        ("pip", "Successfully installed ", r"^Successfully installed "),
        ("ansible", ": ok=", r"^\S+\s+: ok=\d+\s+changed=\d+\s+unreachable=\d+"),
        ("cmake", "-- Configuring incomplete", r"^-- Configuring incomplete"),
        ("ctest", "% tests passed, ", r"^\d+% tests passed, \d+ tests failed out of \d+"),
        ("meson", "Ok: |Fail: |Pass: |Skipped: |Timeout: ", r"^(?:Ok|(?:Expected )?Fail|Unexpected Pass|Skipped|Timeout): {6,}[1-9]\d*\s*$"),
        ("rspec", " example", r"^\d+ examples?, \d+ failures?"),
        ("tap", "# tests |# pass |# fail ", r"^# (?:tests|pass|fail) +\d+$"),
        ("node", "ℹ ", r"^ℹ (?:tests|pass|fail) \d+$"),
        ("bun", " pass| fail| tests across ", r"^ ?\d+ (?:pass|fail)$|^Ran \d+ tests across \d+ files?\."),
        ("gtest", "[  PASSED  ]|[  FAILED  ]| FAILED TEST| ERROR", r"^\[  PASSED  \] \d+ tests?|^\[  FAILED  \] \d+ tests?|^ ?\d+ (?:FAILED TESTS?|ERRORS?)$"),
        ("busted", " success", r"^\d+ success(?:es)? / \d+ failures? / \d+ errors?"),
        ("prove", "Files=|Result: FAIL", r"^Files=\d+, Tests=\d+,|^Result: FAIL$"),
        ("pester", "Tests Passed: ", r"^Tests Passed: \d+,? Failed: \d+"),
        ("ct", ": TEST COMPLETE, ", r"^Testing \S+: TEST COMPLETE, \d+ ok, \d+ failed"),
        ("testthat", "[ FAIL | OK: ", r"^\[ FAIL \d+ \| WARN \d+ |^OK: +\d+ +SKIPPED: \d+ +"),
        ("tasty", " tests failed (| tests passed (", r"^\d+ out of \d+ tests failed \(|^All \d+ tests passed \("),
        ("vim", "Executed: |FAILED: ", r"^\s*(?:Executed|FAILED): +\d+ Tests?$"),
        ("eunit", "  Failed: ", r"^ {2}Failed: \d+\. +Skipped: \d+\. +Passed: \d+"),
        ("julia", "Some tests did not pass: ", r".*Some tests did not pass: \d+ passed"),
        ("catch", "test cases: ", r"^test cases: +\d+ \|"),
        ("clojure", " failures, ", r"^\d+ failures, \d+ errors\.$"),
        ("minitest", " assertions, ", r"^\d+ (?:runs|tests), \d+ assertions, \d+ failures"),
        ("mix test", " test, | tests, ", r"^(?:\d+ doctests?, )?\d+ tests?, \d+ failures?"),
        ("nextest", "Summary [", r"^\s*Summary \[ *[\d.]+s\] \d+ tests? run"),
        ("ava", " failed| passed| skipped| todo", r"^  \d+ (?:known failures?|tests? (?:failed|passed|skipped|todo))$"),
        ("playwright", " passed| failed| flaky| skipped| did not run", r"^  \d+ (?:passed|failed|flaky|skipped|did not run)(?: \([\d.]+m?s?\))?$"),
        ("sbt", ": Total |Tests: succeeded |Total time: ", r"^\[(?:error|info)\] (?:(?:Failed|Passed): Total \d+|Tests: succeeded \d+|Total time: )"),
        ("bazel", "Executed |Build completed, ", r"^Executed \d+ out of \d+ tests?: |^INFO: Build completed, \d+ tests? FAILED"),
        ("swift", "Executed ", r"^\s*Executed \d+ tests?, with \d+ failures?"),
        ("deno", " passed", r"^(?:ok|FAILED) \| \d+ passed"),
        ("webpack", "webpack ", r"^webpack [\d.]+ compiled "),
        ("tsup", "Build success in ", r".{0,80}\bBuild success in \d+ms$"),
        ("vite", "✓ built in ", r".{0,80}✓ built in [\d.]+m?s$"),
        ("turbo", " successful, ", r"^ Tasks: +\d+ successful, \d+ total"),
        ("coverage", "TOTAL ", r"^TOTAL +\d+ +\d+ .*\d%$"),
        ("phpunit", "OK (|, Assertions", r"^(?:OK \(\d+ tests?|Tests: \d+, Assertions)"),
        ("biome", "Checked ", r"^\s{0,8}Checked \d+ files? in [\d.]+ ?[mµ]?s\b"),
        ("git", " file changed| files changed", r"^ ?\d+ files? changed(?:, \d+ insertions?\(\+\))?(?:, \d+ deletions?\(-\))?$"),
        (OUTCOME, "✅ |❌ ", r"^(?:✅|❌) .{0,200}\b(?:pass|fail|succe|complete|error)"),
        ("valgrind", "== ", r"^==\d+== +(?:(?:definitely|indirectly|possibly) lost: [1-9]|ERROR SUMMARY: )"),
        ("Dr. Memory", " unique, ", r"^ {2,}[1-9]\d* unique, +\d+ total"),
        ("sanitizer", "Sanitizer: ", r"^SUMMARY: \w+Sanitizer: |^ThreadSanitizer: reported "),
        ("dotnet", "- Failed: |Total tests: ", r"^(?:Passed|Failed)! +- Failed: +\d+|^Total tests: \d+"),
    )
)  # fmt: skip
"""Tool, what stands in such a line (one of it at least: all patterns together take 8 ms to compile), and its pattern."""
_SIGNS: Final = tuple(dict.fromkeys(sign for _, signs, _ in _PATTERNS for sign in signs))

BANNER, NAMED = 10, 120  # lines in which a tool may name itself, with its version above its copyright; characters
_VERSION: Final = regex(r"(?:.{1,40}: )?(?P<tool>[A-Za-z][^:]{2,100} [vV]?\d{1,5}\.\d\S*)")


def banner(first: Iterable[str]) -> str:
    """The tool that names itself in the first lines, behind its level: all of a short line, of a long one its version
    at the end."""
    pairs = pairwise(filter(None, map(str.strip, first)))
    matches = (_VERSION.match(one) for one, below in pairs if below.startswith("Copyright"))
    named = (one.string[one.start("tool") :] if len(one.string) <= NAMED else one["tool"] for one in matches if one)
    return next((name for name in named if len(name) <= NAMED), "")


_COUNT: Final = regex(r"\d[\d,]{0,9} [A-Za-z]{3,20}")  # in a line of its own
_BLOCK: Final = 5  # lines of such a list before and behind one of them


def in_blocks(totals: list[tuple[int, str]], fetch: Callable[[int, int], Iterable[str]]) -> list[tuple[int, str]]:
    """Counts in lines of their own below a heading as one text with those beside them: ``0 errors`` is as much of a
    result as the ``34 warnings`` that follow it."""
    blocks, behind = list[tuple[int, str]](), 0
    for number, text in totals if len(totals) <= MAX_BAD else ():
        first = max(1, number - _BLOCK)
        lines = [bare(line).strip() for line in fetch(first, number + _BLOCK)]
        counts = [_COUNT.fullmatch(line) is not None for line in lines]
        at = number - first
        start = next((n for n in range(at, -1, -1) if not counts[n]), at)
        if start == at or not lines[start].endswith(":"):
            blocks += [(number, text)] * (number >= behind)
        elif number >= behind:
            end = next((n for n in range(at, len(counts)) if not counts[n]), len(counts))
            blocks.append((first + start, "\n".join(lines[start:end])))
            behind = first + end
    return blocks or totals


def summary_kinds(lines: Sequence[str]) -> dict[int, str]:
    """The places of lines that are a tool's own summary, and of which tool; looked at are those with one of its signs."""
    text = "\n".join(lines)
    signs = standing(text, _SIGNS)
    if "Ran " not in signs:  # a reply, not unittest's verdict
        signs.discard("OK")
    kind_at: dict[int, str] = {}
    for kind, some, pattern in _PATTERNS:
        own = [*filter(signs.__contains__, some)]
        for at in holding(text, own) if own else ():
            if at not in kind_at and (kind == "pip" or len(lines[at]) <= _LONG_LINE) and pattern.match(lines[at]):
                kind_at[at] = kind
    return dict(sorted(kind_at.items()))


def of_pip(totals: Sequence[tuple[int, str]], seen: Iterable[Seen]) -> list[tuple[int, str]]:
    """Those of the lines that are pip's: before each it says what it installs; gem prints the result in the same words."""
    shapes = (one.shape for one in seen if totals and one.bare.startswith("Installing collected packages"))
    lines = [n for shape in shapes for n, _ in shape.lines()]
    pairs = pairwise([(0, ""), *sorted(totals)])
    return [one for (last, _), one in pairs if any(last < line < one[0] for line in lines)]


BAD: Final = regex(
    r"[1-9]\d* (?:tests? |of \d+ )?(?i:failed|failing|errors?|failures?|flaky|fail\b)|\bFAIL(?:ED|URE)?\b|\*\*\*|❌|=> ERROR"
    r"|\d unique, |(?:code|status):? [1-9]|(?i:failures?|errors?|failed|fail|unreachable)(?:[:=] *| +)[1-9]|failed to solve|could not compile"
)
_SEVERAL: Final = (
    "jest", "unittest", "maven", "vitest", "mocha", "tap", "node", "bun", "msbuild", "tsup", "biome", "playwright", "ava", "meson",
    "go test", "npm", NAMELESS, OUTCOME,
)  # fmt: skip
"""Runners that say their totals in several lines."""
_OF: Final = regex(r"\b(\d{1,9}) [a-z]")  # how many files or tests a total is of
_LEAKS: Final = ("valgrind", "Dr. Memory", "sanitizer")  # whose totals are of several things
BARE: Final = ("FAIL", "PASS")  # of a package of Go, which another line names
_BESIDE: Final = 2  # lines between totals that belong together
MAX_BAD: Final = 24  # failed totals of a kind that are told
SUMMARY = 300  # characters of one line
MAX_GOOD, MAX_TOLD = 4, 6  # totals of a kind, and of all, beyond which no other is told


def summaries(by_kind: dict[str, list[tuple[int, str]]], exact: bool) -> list[tuple[list[int], str]]:
    """Facts like ``pytest: 1204: 3 failed, …``, and their lines: of each kind those that failed, then those beside
    them and the last ones, or the largest where none failed, then that there are more, and (``exact``) how many."""
    by_kind = {kind: [one for one in totals if one[1] not in BARE] or totals[-1:] for kind, totals in by_kind.items()}
    if by_kind.keys() & {"pytest", "maven", "cargo test"} and len(by_kind) > 2:
        by_kind.pop("exit", None)
    shown: dict[str, list[tuple[int, str]]] = {}
    good: list[tuple[bool, int, str, str]] = []  # beside no failed one, the line negated, tool and text
    for kind, totals in by_kind.items():
        last = {text: number for number, text in totals}  # retried: the last
        bad = sorted((number, text) for text, number in last.items() if BAD.search(text))
        shown[kind] = bad if len(bad) <= MAX_BAD else [*bad[: MAX_BAD - 1], bad[-1]]
        # a count that failed says also what passed: of what is far only the very last, perhaps of another run, says more
        counts = kind not in _LEAKS and any(map(str.isdigit, "".join(text for _, text in bad)))
        room = MAX_GOOD - len(bad) if bad or kind in _SEVERAL else 1
        ranked = list[tuple[bool, int, int, str]]()
        for text, number in last.items():
            far = all(abs(number - line) > _BESIDE for line, _ in bad)
            if not BAD.search(text) and (not far or not counts or (number, text) == totals[-1]):
                size = int("0" + "".join(_OF.findall(text)[:1])) if room == MAX_GOOD else 0
                ranked.append((far, -size, -number, text))
        good += [(far, n, kind, text) for far, _, n, text in sorted(ranked)[: max(room, 0)]]
    good = sorted(good)[: max(MAX_TOLD - sum(map(len, shown.values())), 0)]
    for _, number, kind, text in sorted(good, key=lambda one: (one[0], -one[1])):
        shown[kind].append((-number, text))
    return [_summary(kind, lines, len(by_kind[kind]) - len(lines), exact) for kind, lines in shown.items() if lines]


def _summary(kind: str, lines: list[tuple[int, str]], left: int, exact: bool) -> tuple[list[int], str]:
    texts = ((n, text.partition("== ")[2] if kind == "valgrind" else text.strip().strip("=")) for n, text in lines)
    flat = ((number, ", ".join(text.strip().split("\n")).replace(":, ", ": ", 1)) for number, text in texts)
    items = [f"{number}: {clipped(text, SUMMARY)}" for number, text in flat]
    more = [f"… {f'{left:,} ' if exact else ''}more"] if left > 0 else []
    shown = [line for n, text in lines for line in range(n, n + text.count("\n") + 1)]
    return shown, f"{kind}: {' · '.join(items + more)}"


_JOBS: Final = tuple(
    (name, regex(pattern))
    for name, pattern in (
        ("Travis CI", r"travis_(?:fold|time):|Using worker: worker-|Worker information$|Build system information$"),
        ("Taskcluster", r"\[taskcluster[ :]"),
        ("GitLab CI", r"Running with gitlab-runner \d|section_(?:start|end):\d{9,}:\w"),
        ("Azure Pipelines", r"##\[section\]"),
        ("AWS CodeBuild", r"\[Container\] \d{4}/\d\d/"),
        (
            "GitHub Actions",
            r"Current runner version: '|##\[group\](?:Run |Operating System|Runner Image)|##\[error\]Process completed with ",
        ),
        ("Jenkins", r"Started by (?:user|upstream|timer|an SCM|GitHub|remote host)\b|Running as SYSTEM$|\[Pipeline\] "),
    )
)
_JOB: Final = listed(
    "travis_|orker|Build system|[taskcluster|gitlab-runner|section_|##[|runner version|Started by |SYSTEM|[Pipeline]|[Container]"
)
"""One stands in each line that ``_JOBS`` know."""
COMMAND: Final = regex(
    r"\[Pipeline\] \{ \((?P<stage>.{1,200})\)$|(?:\$ |(?:##\[group\]|::group::)Run |\[Container\] \S+ \S+ Running command )"
    r"(?!\S+ (?:.* )?--?version$)(?!(?:cd|echo|export|source|set|sleep|true|ls|mkdir|cat|[A-Z_]+=)\b)(?P<command>\S.*)"
)
"""A command or step that a runner echoes before its output, but what only prepares one."""


def job_of(texts: Sequence[str]) -> str:
    """Which CI runner wrote these (bare) first lines, "" when none."""
    if not any(map("\n".join(texts).__contains__, _JOB)):
        return ""
    return next((name for text in texts for name, pattern in _JOBS if pattern.match(text)), "")


_TEST_ENDS: Final = regex(
    r"\s*(?:(?P<package>ok|FAIL) *\t\S|(?:=== RUN +|\[ RUN +\] |(?:\[INFO\] )?Running (?=[\w.$/]+\s*$))(?P<begun>\S+)\s*$"
    r"|(?:--- \w+: |\[ +\w+ +\] |(?:\[\w+\] )?Tests run: .* in )(?P<ended>\S+?)(?=,?(?:\s|$)))",
    holds=("ok", "FAIL", "=== RUN ", "[ ", "Running ", "--- ", "Tests run: "),
)
_WELL: Final = regex(r"--- PASS|\[ +OK|.*Failures: 0, Errors: 0,(?!.*<<<)")


def passed_spans(lines: Iterable[tuple[int, str]]) -> list[tuple[int, int]]:
    """From the line with which a test, or a package of Go, begins to that which says that it passed, where no other one
    was open: what stands between is no failure of the build. ``lines``: every one that says either, in order."""
    spans: list[tuple[int, int]] = []
    open_tests: dict[str, int] = {}
    package = 0
    for number, text in lines:
        match = _TEST_ENDS.match(text)
        if match and (name := match["begun"]):
            open_tests[name] = number if not open_tests else 0
            package = package or (number if text.startswith("=== RUN") else 0)
        elif match and match["package"]:
            spans += [(package, number)] if package and match["package"] == "ok" else []
            package = 0
            open_tests.clear()
        elif match and (name := match["ended"]) in open_tests:
            begun, below = open_tests.pop(name), f"{name}/"  # of which Go says behind it how they ended
            open_tests = {one: n for one, n in open_tests.items() if not one.startswith(below)}
            spans += [(begun, number)] if begun and not open_tests and _WELL.match(text.lstrip()) else []
    return spans


_BEFORE: Final = regex(
    r"(?:[^\t\n]{1,80}\t[^\t\n]{1,120}\t(?=\ufeff?\d{4}-|\[?\d\d:\d\d:\d\d))?\ufeff?"  # job and step of ``gh run view --log``
    r"(?:\d{1,7}[:-](?=\d{4}-\d\d-\d\d[T ]))?"  # grep -n
    r"(?:\[?(?:task |vcs )?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]{0,14}Z?\]?[ \t]?)?"
    r"(?:\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?(?:[ \t]+|$))?"
    r"(?:#\d{1,4} \d{1,6}\.\d{1,3} )?"  # docker's builder: step and seconds
    r"(?:<\d{1,3}>)?(?:\[ {0,10}\d{1,9}\.\d{6}\] )?"  # the kernel
    r"(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) - +)?(?:GECKO\(\d+\) \| )?"
)
"""What runners write before each line: stamps, and levels where Mozilla's harness repeats the lines of another tool."""
_TYPED: Final = regex(
    r"\+{1,4} (?![\w.]+ += )\S"  # set -x; indented, or with a value set, it is a plan or a diff
    r"|\s*(?:\$ \S|%? ?PS [A-Z]:\\|> (?:[\w@./-]+ )?(?:n?p[nx]m|npx|yarn|node|sh|cd|tsc|tsgo|biome|eslint|prettier|[\w@./-]+@\d)"
    r"|(?:if|elif|while|until|for|case) .*(?:;|\b(?:then|do|in)\b|\]\]?)\s*\\?$"
    r"|(?:then|else|fi|do|done|esac|set -\w+)\s*;?$|(?:local|export|readonly|declare|unset|trap|alias|source) [\w-]"
    r"|(?:echo|printf|fail|die|warn|exit|return|abort|throw)(?: -\w+)* (?:[\"'$]|\d+;?$)"
    r"|\w+\(\)\s*\{|[\w-]+\) .*;;$|##\[(?:command|group)\]|\[command\])"
    r"|# (?!(?:tests?|pass|fail|skip|todo|ok|suites|Failed|Looks|cancelled)\b)[\w ]*[a-z]"
)
_CHAINED: Final = regex(
    r"\|\| (?:exit|fail|die|true|return|echo|\{)|(?:&&|\|\|) \\$|\$\{?[A-Za-z_]\w*[^\n]*\\$|>&2$",
    holds=("|| ", "\\", ">&2"),
)
_GROUP: Final = regex(r"(?:##\[group\]|::group::|##\[command\])Run ")
_ENDGROUP: Final = regex(r"(?:##\[endgroup\]|::endgroup::)")
LONGEST_GROUP: Final = 400  # lines of a script and its environment; a group without an end says nothing about the rest

_FIRST: Final = "[<#tvDIWECG0123456789"  # what such a part begins with, but the name of a job and signs of Unicode
_LETTERS: Final = ("task ", "vcs ", "DEBUG -", "INFO -", "WARNING -", "ERROR -", "CRITICAL -", "GECKO(")  # of letters


def bare(line: str) -> str:
    """The line without what the runner writes before it."""
    first = line[:1]
    plain = first not in _FIRST or (first.isalpha() and not line.startswith(_LETTERS))
    if plain and line.find("\t") < 1 and first.isascii():
        return line
    return line[_before(line[:LOOK]) :]


def bare_of(item: Item) -> str:
    """The same of an item's text, without its number."""
    return bare(item.text.partition(": ")[2])


@lru_cache(maxsize=KNOWN)
def _before(line: str) -> int:
    return match.end() if (match := _BEFORE.match(line)) else 0


def is_typed(text: str) -> bool:
    """Whether a bare line is a command or a line of a script, or of the tool that ran it."""
    if _TYPED.match(text) or (("|| " in text or text.endswith(("\\", ">&2"))) and _CHAINED.search(text)):
        return True
    return is_wrapper(text) and not states([text])


def typed_lines(shapes: Iterable[tuple[str, Shape]]) -> set[int]:
    """The numbers of the lines that were typed, of (bare text, its shape): by what they say, or within a group of a
    step's script and environment."""
    typed: set[int] = set()
    begins: list[int] = []
    ends: list[int] = []
    for text, shape in shapes:
        if is_typed(text):
            typed.update(number for number, _ in shape.lines())
        if _GROUP.match(text):
            begins += [number for number, _ in shape.lines()]
        elif _ENDGROUP.match(text):
            ends += [number for number, _ in shape.lines()]
    ends.sort()
    for begin in begins:
        at = bisect_left(ends, begin)
        if at < len(ends) and ends[at] - begin <= LONGEST_GROUP:
            typed.update(range(begin, ends[at] + 1))
    return typed


STEPS, STEP = 12, 60  # of a job that are named, the last ones; characters of each


def step_facts(steps: Mapping[str, int], rank: int) -> list[Fact]:
    """The steps of a job, or the commands that its runner echoes, with the lines where they begin: the last ones."""
    if len(steps) <= 1:
        return []
    texts = [f"{line} {clipped(name, STEP)}" for name, line in [*steps.items()][-STEPS:]]
    return [Fact("steps: " + " · ".join(texts), rank, short="steps: " + " · ".join(texts[-STEPS // 3 :]))]


_TASKED = regex(r"^(\d+: )?(?:([^\t\n]{1,80})\t([^\t\n]{1,120})\t)?\ufeff?(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{7}Z ?")
NUMBER: Final = regex(r"\d+: ")  # before a line, as an item or a section tells it
MAX = 0.8  # share of the items that begin so
FEW_PARTS = 0.1  # of the lines: more of them head nothing


def under_tasks(items: list[Item]) -> list[Item]:
    """The items with job, step and day in a heading of their section, and the time to the second."""
    heads = [_TASKED.match(item.text) for item in items]
    if not items or sum(head is not None for head in heads) < MAX * len(items):
        return items
    kept = list[Item]()
    for item, head in zip(items, heads, strict=True):
        text = item.text
        if head is not None:
            begin, end, time = head.end(1), head.end(), f"{head[5]} "
            first, *further = text[end:].split("\n")  # these go on with the first one's message: their text alone
            text = "\n".join([first, *(_TASKED.sub("", line, count=1) for line in further)]).rstrip()
            item.section = f"── {f'{head[2]} / {head[3]}, ' if head[2] else ''}{head[4]}"
            item.text = item.text[:begin] + time + text
            item.at = max(begin, item.at - (end - begin - len(time))) if item.at >= 0 else -1
        kept += [item] if text else []
    return kept


_HEADED = regex(r"(?P<said>\d+: [\w./][^\n]{0,300}?) [━─═]{4,300}\s*$")
_BELOW = regex(r"\d+: (?:\d\d:\d\d:\d\d )?\s")


def under_headings(items: list[Item], places: Container[int]) -> list[Item]:
    """The items with the heading (``check ━━━━``) that they stand indented below; of ``places`` each is a finding."""
    section = ""
    below = []
    for item in items:
        heading = None if item.text.isascii() or item.start in places else _HEADED.match(item.text)
        section = heading["said"] if heading else section if section and _BELOW.match(item.text) else ""
        if not heading:
            item.section = section or item.section
            below.append(item)
    return below


_PART = regex(
    r"==> .{1,200} <==$|(?:\$ |❯ |[\w.-]{1,40}@[\w.-]{1,40}[: ][^$#]{0,80}[$#] )\S.{0,200}$",
    holds=("==> ", "$ ", "❯ ", "# "),
)
_RULER, PARTS = regex(r"([=#*-])\1{2,}$", holds=("===", "---", "###", "***")), 12  # what parts a few outputs
_RULED = regex(r"(={3,}|-{3,}|#{3,}) ?[\w./].{0,80}? ?\1$", holds=("===", "---", "###"))  # in a run of its steps


def parts_of(lines: Sequence[str], run: bool) -> dict[int, str]:
    """The lines that head one of several outputs: a file of ``tail``, a command behind its prompt, a ruled name."""
    bare = Counter([line for line in lines if _RULER.match(line)] if not run and held(_RULER, lines) else ())
    parted = {line for line, n in bare.items() if 1 < n <= PARTS}
    if not parted and not held(_PART, lines) and (run or not held(_RULED, lines)):
        return {}
    heads = (line in parted or _PART.match(line) or (not run and _RULED.match(line)) for line in lines)
    parts = {n: line for n, (line, head) in enumerate(zip(lines, heads, strict=True), 1) if head}
    several = len(parts) > 1 or not parts or any(map(str.strip, lines[: min(parts) - 1]))
    return parts if several and len(parts) <= FEW_PARTS * len(lines) else {}


def under_parts(items: list[Item], parts: dict[int, str], alone: Container[int]) -> list[Item]:
    """The items below the heading of their part, where they have none of their own; what stands ``alone`` heads none."""
    section, heads = "", [*sorted(parts, reverse=True)]
    for item in items:
        while heads and heads[-1] <= item.end:
            head = heads.pop()
            section = "" if head in alone else f"{head}: {parts[head]}"
        item.section = item.section or section
    return [item for item in items if item.start not in parts or item.start in alone or item.end > item.start]
