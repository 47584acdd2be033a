"""A summary: its notice, then each line by the rules of its kind."""

# ruff: noqa: E501  (rules are one regular expression or claim a line)

from __future__ import annotations

import re
from typing import Any

from bench.oracle import count as tokens
from bench.truth import check_log, check_other, check_records, check_sequences, findings, searches, views
from bench.truth.case import Case, Verdict
from bench.truth.standing import standing

_FAMILIES = {"records": check_records.check, "table": check_records.check, "log": check_log.check,
             "sequences": check_sequences.check, "searches": searches.check, "findings": findings.check, "workloads": findings.check_workloads, **dict.fromkeys(check_other.RULES, check_other.check)}  # fmt: skip


def _notice(v: Verdict, line: str, case: Case, body: list[str]) -> None:
    for said in re.findall(r"([\d,]+) tokens", line):
        v.claim(line, int(said.replace(",", "")), tokens(case.text))
    if begun := re.search(r"only the beginning of ([\d,]+) (records|rows) shown", line):
        v.claim(line, int(begun[1].replace(",", "")), len(case.rows))
    shown = re.search(r"([\d,]+) of ([\d,]+) (records|rows)", line)
    if shown and case.rows:
        v.claim(line, int(shown[2].replace(",", "")), len(case.rows))
        numbers = {m[1] for x in body if (m := re.match(r"#(\d+)", x))}
        whole = [x for x in case.text.split("\n") if len(x) > 20]  # or lines of the original, as they stand
        v.claim(line, int(shown[1].replace(",", "")), len(numbers) or len([x for x in body if x in whole]))


_AS_LINES = ("markup", "text", "code", "grep", "log", "git")  # families whose lines are shown as they stand


def _standing(v: Verdict, case: Case, lines: list[str]) -> None:
    """The lines that the notice says are shown, counted in the body."""
    shown = re.search(r"\b(?:all|([\d,]+) of) ([\d,]+) lines shown", "\n".join(lines[:3]))
    if shown and case.family in _AS_LINES and case.kind not in ("xml", "html"):
        ours = ("[mcpcompact]", "More: ", "Rest: ", "Original: ", "Or with: ")
        original = case.text.split("\n")
        counted = standing([x for x in lines if not x.startswith(ours)], original)
        v.claim(shown[0], int((shown[1] or shown[2]).replace(",", "")), counted)


def check(case: Case, result: Any, budget: int) -> Verdict:
    """Every claim of a compaction's text against the case. Rewritings are decoded elsewhere: of them the notice only."""
    v = Verdict()
    text: str = result.text
    v.claim("tokens", result.tokens, tokens(text))
    v.claim("budget", True, tokens(text) <= budget or text == case.text)
    lines = text.split("\n")
    v.claim("no replacement character", "\ufffd" in case.text, "\ufffd" in text)
    body = [x for x in lines if not x.startswith(("[mcpcompact]", "More: ", "Rest: ")) and x.strip()]
    for line in lines:
        if line.startswith("[mcpcompact]"):
            _notice(v, line, case, body)
    if result.method == "outline":
        _standing(v, case, lines)
    family = _FAMILIES.get(case.family)
    if result.method == "outline" and family and _fits(case, result.content_type):
        family(case, body, v)
    if case.family == "views":
        views.check(case, text, v)
    if case.family == "searches" and result.method == "outline":
        searches.check_notice(case, text, v)
    return v


def _fits(case: Case, content_type: str) -> bool:
    """Whether the input was read as what it is; as plain text only its general claims are checked."""
    if case.family in ("records", "table"):
        return content_type in ("records", "table")
    return True if case.family != "log" else content_type == "log"
