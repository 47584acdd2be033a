"""What a linter or compiler found, counted by rule and by file, where most lines of an output are findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

FEW: Final = 10  # findings; fewer are read one by one
MOST: Final = 0.5  # of the lines, which are findings
RULES, FILES = 8, 4  # that are named with their counts
LONG: Final = 80  # characters of a rule that is known by its message

_FINDING: Final = regex(
    r"\s{0,8}\[?(?P<file>(?:[A-Za-z]:)?[^\s:()\[\]]{1,240}\.\w{1,8})(?::\d{1,7}(?::\d{1,7})?|\(\d{1,7}(?:,\d{1,5})?\))"
    r"(?:\]|:| :|\s-)? {1,4}(?P<text>\S.*)"
)
_RULE: Final = regex(
    r"(?:(?:fatal )?(?:error|warning|note|info|hint|style|convention|refactor)\b[: ]*)?"
    r"\[?(?P<code>[A-Z]{1,8}\d{2,5}|(?:SC|TS)\d+)\b"
    r"|.*?[ \t][\[(](?P<name>-W[\w=+-]+|[a-zA-Z][\w./@-]*[a-z])[\])]\s*$"
)
_BELOW_FILE: Final = regex(
    r"\s{1,8}\d{1,7}:\d{1,7} {1,8}(?:error|warning|info|✖|⚠) {1,8}(?P<text>.*?)(?: {2,}(?P<rule>\S+))?$"
)
"""A finding of eslint and its kin: the file stands above."""
_VALUES: Final = regex(r"'[^']*'|\"[^\"]*\"|`[^`]*`|“[^”]*”|‘[^’]*’|\b\d[\d.,]*\b")


def findings(lines: Iterable[tuple[int, str]]) -> tuple[list[Fact], list[int]]:
    """How many findings of which rules and in which files, and the first line of each rule; nothing of other logs."""
    rules: Counter[str] = Counter()
    files: Counter[str] = Counter()
    first: dict[str, int] = {}
    total, above = 0, ""
    for number, line in lines:
        total += bool(line.strip())
        if found := _FINDING.match(line[:1_000]):
            rule, file = _rule(found["text"]), found["file"]
        elif found := _BELOW_FILE.match(line[:1_000]):
            rule, file = found["rule"] or _rule(found["text"]), above
        else:
            above = line.strip() or above
            continue
        rules[rule] += 1
        files[file] += 1
        first.setdefault(rule, number)
    many = rules.total()
    if many < FEW or many < MOST * total:
        return [], []
    often = " · ".join(f"{n:,}× {rule}" for rule, n in rules.most_common(RULES))
    more = f" · {len(rules) - RULES:,} more" if len(rules) > RULES else ""
    said = f"{many:,} findings of {counted(len(rules), 'rule')} in {counted(len(files), 'file')}: {often}{more}"
    most = " · ".join(f"{name} {n:,}" for name, n in files.most_common(FILES) if n > 1)
    facts = [Fact(said, 0)] + ([Fact(f"most in: {most}", 1)] if most and len(files) > 1 else [])
    return facts, [first[rule] for rule, _ in rules.most_common(4 * RULES)]


def _rule(text: str) -> str:
    """Its code or name; else its message, with ``*`` for what is quoted and for numbers."""
    found = _RULE.match(text)
    named = found and (found["code"] or found["name"])
    return named or _VALUES.sub("*", text).strip()[:LONG]
