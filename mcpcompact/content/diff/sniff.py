"""Whether a text is a diff: file headers and hunks, and how much of the rest is of their shape."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re

from mcpcompact.content.diff.parse import HUNK
from mcpcompact.content.shared.views import ungutter, wrapper_end
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex

_HEADER = regex(
    r"diff --git \S|diff --(?:cc|combined) |diff -[\w-]*[urNcpa]|Index: \S|=== (?:added|modified|removed|renamed) |\*\*\* (?:Begin Patch|Update File: |Add File: |Delete File: )"
    r"|commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} |Only in .+: "
)
_EXTENDED = (
    "GIT binary patch",
    "old mode ",
    "similarity index",
    "rename from ",
    "new file mode ",
    "deleted file mode ",
)
_INSIDE = regex(
    r"[+\-\\]|@@|index [0-9a-f]|new file mode|deleted file mode|old mode|new mode|similarity|dissimilarity|rename |copy |Binary files|GIT binary|literal \d|delta \d"
    r"|diff |Index: |={5,}|=== |\*\*\*|Author:|AuthorDate:|Commit|Date:|Merge:|Only in |[<>!] |---$|\d+(?:,\d+)?[acd]\d+"
)


def sniff(lines: list[str]) -> Verdict:
    """A diff has headers or hunks at the start of lines, and nearly everything behind them is of its shape."""
    lines, _ = ungutter(lines)
    start = wrapper_end(lines)
    while start < len(lines) and not lines[start].strip():
        start += 1
    if start >= len(lines):
        return Verdict(0.0, "blank")
    hunks = pairs = headers = fences = binaries = 0
    opening = -1
    for i in range(start, len(lines)):
        line = lines[i]
        head = line[:1]
        if head == "@" and (HUNK.match(line) or line.startswith(("@@@ -", "@@ "))):
            hunks += 1
        elif head == "-" and line.startswith("--- ") and i + 1 < len(lines) and lines[i + 1].startswith("+++ "):
            pairs += 1
        elif head == "*" and line.startswith("***************"):
            hunks += 1
        elif (
            head == "*"
            and line.startswith("*** ")
            and lines[i + 1 : i + 2]
            and lines[i + 1].startswith("--- ")
            and "\t" in line
        ):
            pairs += 1
        elif head in ("d", "I", "=", "*", "c", "F", "O") and _HEADER.match(line):
            headers += not line.startswith(("commit ", "From "))
        elif (head == "B" and line.startswith("Binary files ") and line.endswith(" differ")) or (
            headers and head in "Gosrnd" and line.startswith(_EXTENDED)
        ):
            binaries += 1
        elif head == "`" and line.startswith("```"):
            fences += 1
            continue
        elif (
            head in "0123456789"
            and re.match(r"\d+(?:,\d+)?[acd]\d+(?:,\d+)?$", line)
            and i + 1 < len(lines)
            and lines[i + 1][:2] in ("< ", "> ")
        ):
            hunks += 1
        else:
            continue
        if opening < 0:
            opening = i
    evidence = hunks + pairs + headers + binaries
    if not evidence:
        return Verdict(0.0, "no file header, no hunk")
    at_start = (
        opening == start
        or bool(_HEADER.match(lines[start]))
        or lines[start].startswith(("Author:", "From: ", "Description:", "Subject:"))
    )
    inside = sum(1 for line in lines[opening:] if not line or line[0] == " " or _INSIDE.match(line)) / (
        len(lines) - opening
    )
    if fences and not at_start:
        return Verdict(0.2, "a diff quoted in Markdown")
    real = (
        (hunks and (pairs or headers))
        or (headers and lines[start].startswith(("diff --git", "***", "Only in", "diff ")))
        or binaries
    )
    if not real:
        return Verdict(
            0.75 if hunks and at_start and inside > 0.9 else 0.2,
            "hunks without files" if hunks else "headers without hunks",
        )
    if at_start and inside > 0.5:
        return Verdict(0.97, f"{headers or pairs} file headers, {hunks} hunks")
    if inside > 0.85 and opening - start < max(40, len(lines) // 3):
        return Verdict(0.9, f"{headers or pairs} file headers, {hunks} hunks after {opening - start} other lines")
    return Verdict(0.3, "a diff among other text")
