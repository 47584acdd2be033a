"""Summaries that test runners, build tools and shells print themselves: recognised and repeated verbatim.

They are worth more than anything that could be computed: "3 failed, 1197 passed in 12.3s" is the result.
"""

# ruff: noqa: E501 (the table of patterns reads better unbroken)

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from mcpcompact.patterns import regex

_LONG_LINE = 400  # characters; no line of a runner
_OFTEN = 8  # times

_PATTERNS: Final = tuple(
    (kind, regex(pattern))
    for kind, pattern in (
        ("pytest", r"^=*\s?(?=[\w ,]*\b\d+ (?:passed|failed|error|skipped|deselected|xfailed))[\w ,:.()]+ in [\d.:]+s?\b[^=]*=*$"),
        ("pytest", r"^=+ no tests ran in [\d.]+s ?=+$"),
        ("unittest", r"^Ran \d+ tests? in [\d.]+s$|^FAILED \((?:failures|errors|skipped|expected failures)[\w =,]+\)$|^OK(?: \([\w =,]+\))?$"),
        ("jest", r"^(?:Tests|Test Suites|Test Files|Snapshots): +.*\d+ (?:total|passed|failed)"),
        ("vitest", r"^\s{1,8}(?:Test Files|Tests)  +\d+ (?:passed|failed)"),
        ("mocha", r"^\s{1,4}\d+ (?:passing|failing|pending)\b"),
        ("cargo test", r"^test result: (?:ok|FAILED)\. \d+ passed"),
        ("cargo", r"^error: could not compile|^error: aborting due to|^warning: [`\w-]+ \([^)]+\) generated \d+ warnings?|^\s{0,4}Finished [`\w\[\]+ ()-]+ in [\d.ms ]+$"),
        ("go test", r"^(?:ok|FAIL)\s+[\w./-]+\s+(?:[\d.]+s|\[[\w ]+\]|\(cached\))|^FAIL$|^PASS$"),
        ("maven", r"Tests run: \d+, Failures: \d+, Errors: \d+(?:, Skipped: \d+)?(?!.* -- in |.*Time elapsed)|\bBUILD (?:SUCCESS|FAILURE)\b|\[INFO\] Total time: "),
        ("gradle", r"^BUILD (?:SUCCESSFUL|FAILED) in |^\d+ actionable tasks?:|^\d+ tests? completed, \d+ failed"),
        ("terraform", r"^(?:Plan|Apply complete!|Destroy complete!).{0,20}\d+ (?:to add|added|to import|destroyed|imported)|^No changes\.|^Plan: \d+"),
        ("npm", r"^(?:added|removed|changed|up to date).{0,60}(?:packages?|audited).{0,60}$|^found \d+ vulnerabilities|^\d+ (?:\w+ severity )?vulnerabilit"),
        ("make", r"^make(?:\[\d+\])?: \*\*\* .*"),
        ("compiler", r"^\d+ (?:errors?|warnings?)(?: and \d+ (?:errors?|warnings?))?(?: generated)?\.?$|^Found \d+ errors?\b|^✖ \d+ problems?|^Success: no issues found"),
        ("msbuild", r"^\s{0,8}\d+ (?:Warning|Error)\(s\)$|^Build (?:succeeded|FAILED)\.?$"),
        ("exit", r"(?:exited|exit|completed|finished|terminated)(?: with)? (?:exit )?(?:code|status) \d+\b|^exit(?: code|_code|Code)?\s?[:=]\s?\d+$"),
        ("docker", r"^Successfully (?:built|tagged) |^ ?=> ERROR |failed to solve: "),
        ("pip", r"^Successfully installed "),
        ("ansible", r"^\S+\s+: ok=\d+\s+changed=\d+\s+unreachable=\d+"),
        ("cmake", r"^-- Configuring (?:done|incomplete)|^\d+% tests passed, \d+ tests failed out of \d+"),
        ("rspec", r"^\d+ examples?, \d+ failures?"),
        ("tap", r"^# (?:tests|pass|fail) +\d+$"),
        ("phpunit", r"^(?:OK \(\d+ tests?|Tests: \d+, Assertions)"),
        ("dotnet", r"^(?:Passed|Failed)! +- Failed: +\d+|^Total tests: \d+"),
    )
)  # fmt: skip
_HINT: Final = regex(
    r"pass|fail|FAIL|Ran \d|OK|PASS|Tests|Snap|result|warning|error|Finished|BUILD|Build|Total|task|Plan|complete|No changes|Destroy|"
    r"package|vulnerab|make|Found|problem|Success|no issues|Warning|exit|Error|ok|ERROR|Configuring|example|Assertions|solve",
)


def summary_kind(line: str) -> str:
    """Which tool's own summary this line is, "" when none."""
    if len(line) > _LONG_LINE or not _HINT.search(line):
        return ""
    return next((kind for kind, pattern in _PATTERNS if pattern.search(line)), "")


_BAD: Final = regex(
    r"[1-9]\d* (?:failed|failing|errors?)|FAIL|\*\*\*|(?:code|status) [1-9]|Failures: [1-9]|Errors: [1-9]", re.I
)


def summaries(lines: Iterable[tuple[int, str]], limit: int = 6) -> list[str]:
    """Facts like ``pytest says (line 1204): 3 failed, …``, in line order: of each kind the last and those that failed."""
    by_kind: dict[str, list[tuple[int, str]]] = {}
    for number, line in lines:
        kind = summary_kind(line)
        if kind:
            by_kind.setdefault(kind, []).append((number, line.strip().strip("=").strip()))
    if "pytest" in by_kind or "maven" in by_kind or "cargo test" in by_kind:
        by_kind.pop("exit", None) if len(by_kind) > 2 else None
    chosen: list[tuple[int, str, str, int]] = []
    for kind, found in by_kind.items():
        bad = [one for one in found if _BAD.search(one[1])]
        keep = {*bad[:2], *bad[-1:], found[-1]}
        if kind in ("jest", "unittest", "maven", "vitest", "mocha", "tap", "msbuild", "compiler"):
            keep |= set(found[-3:])
        chosen += [(number, kind, text, len(found)) for number, text in sorted(keep)[-4:]]
    chosen.sort(key=lambda one: (not _BAD.search(one[2]), -one[0]))
    return [
        f"{kind} says (line {number:,}{f', last of {count:,}' if count > _OFTEN else ''}): {text[:300]}"
        for number, kind, text, count in sorted(chosen[:limit])
    ]


_OUTCOME: Final = regex(
    r"::\S.{0,400}? (PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR)\b|^\S.{0,300}\.\.\. (ok|FAIL(?:ED)?|ERROR|skipped|ignored)\b"
    r"|^\s{0,40}--- (PASS|FAIL|SKIP): |^\s{0,40}(ok|not ok) \d+ |^(PASSED|FAILED|SKIPPED|XFAIL|XPASS|ERROR) \S+::"
)


def outcome_of(line: str) -> str:
    """The outcome of the one test that this line reports (``PASSED``, ``ok``, …), "" when it reports none.

    pytest's short summary repeats outcomes at its end: there the word stands first, and it does not count.
    """
    found = _OUTCOME.search(line)
    return "" if found is None or found[5] else found[found.lastindex or 0]
