"""Whether a text is a diff: file headers and hunks, and how much of the rest is of their shape."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from mcpcompact.content.shared.evidence import share
from mcpcompact.content.shared.gutters import ungutter, wrapper_end
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample

_MARK = regex(
    r"^(?:(?P<hunk>@@@ -|@@ |\*{15}|\d+(?:,\d+)?[acd]\d+(?:,\d+)?(?=\n[<>] ))"
    r"|(?P<pair>--- (?=.*\n\+\+\+ )|\*\*\* (?=.*\t.*\n--- ))"
    r"|(?P<commit>commit [0-9a-f]{7,64}\b|From [0-9a-f]{40} )"
    r"|(?P<header>diff --git \S|diff --(?:cc|combined) |diff -[\w-]*[urNcpa]|Index: \S|=== (?:added|modified|removed|renamed) "
    r"|\*\*\* (?:Begin Patch|Update File: |Add File: |Delete File: )|Only in .+: )"
    r"|(?P<binary>Binary files .*(?<= )differ$)"
    r"|(?P<extended>GIT binary patch|old mode |similarity index|rename from |new file mode |deleted file mode )"
    r"|(?P<fence>```))",
    re.M,
)
_SIGNS = ("@@", "***", "--- ", "diff -", "Index: ", "=== ", "Only in ", "Binary files ", "\n< ", "\n> ")
"""One of them stands in every diff: without it no line is a mark."""
_INSIDE = regex(
    r"$|[ +\-\\]|@@|index [0-9a-f]|new file mode|deleted file mode|old mode|new mode|similarity|dissimilarity|rename |copy |Binary files|GIT binary|literal \d|delta \d"
    r"|diff |Index: |={5,}|=== |\*\*\*|Author:|AuthorDate:|Commit|Date:|Merge:|Only in |[<>!] |---$|\d+(?:,\d+)?[acd]\d+"
)
_BEGINS = ("+++ ", "Author:", "From: ", "Description:", "Subject:")
_HEADS = ("diff ", "--- ", "commit ")  # what stands behind the rest of a hunk
_LISTED = regex(r"[-+] \S")  # an entry of a list, or one column of indentation, which hardly any file has
_NAMES_FILES = ("diff --git", "***", "Only in", "diff ")

DIFF, BEHIND, LOOSE = 0.97, 0.9, 0.75  # scores: from the first line on; behind a few lines; hunks without files
AMONG, PART = 0.3, 0.2  # a diff among other text; parts of one, or a quotation
MAX, NEARLY, ALL = 0.5, 0.85, 0.9  # shares of the lines behind the first mark that are of a diff's shape
FEW, FEW_OF = 40, 3  # lines before it, or one in three of all
TITLE = 3  # lines that say whose diff it is, also where a view numbers them


def sniff(sample: Sample) -> Verdict:
    """A diff has headers or hunks at the start of lines, and nearly everything behind them is of its shape."""
    lines, _ = ungutter(sample.lines)
    start = wrapper_end(lines)
    while start < len(lines) and not lines[start].strip():
        start += 1
    lines = lines[start:]
    if not lines:
        return Verdict(0.0, "blank")
    text = "\n".join(lines)
    marks, before = _marks(text) if any(map(text.__contains__, _SIGNS)) else (Counter[str](), 0)
    hunks, headers, pairs = marks["hunk"], marks["header"], marks["pair"]
    if not hunks + headers + pairs + marks["binary"]:
        return Verdict(0.0, "no file header, no hunk")
    inside = share(lines[before:], _INSIDE)
    at_start = not before or lines[0].startswith(_BEGINS) or unheaded(lines) == before
    if marks["fence"] and not at_start:
        return Verdict(PART, "a diff quoted in Markdown")
    named = (hunks and (pairs or headers)) or (headers and lines[0].startswith(_NAMES_FILES)) or marks["binary"]
    if not named:
        fits = hunks and at_start and inside > ALL
        score = PART if not fits else DIFF if any(line.startswith("@@ -") for line in lines) else LOOSE
        return Verdict(score, "hunks without files" if hunks else "headers without hunks")
    reason = f"{headers or pairs} file headers, {hunks} hunks"
    if (at_start and inside > MAX) or (before <= TITLE and inside > ALL):
        return Verdict(DIFF, reason)
    if inside > NEARLY and before < max(FEW, (start + len(lines)) // FEW_OF):
        return Verdict(BEHIND, f"{reason} after {before} other lines")
    return Verdict(AMONG, "a diff among other text")


def unheaded(lines: Sequence[str]) -> int:
    """How many lines at the beginning are the rest of a hunk whose header was cut off."""
    for i, (line, below) in enumerate(pairwise([*lines, ""])):
        named = line.startswith("+++ ") or below.startswith("+++ ") or line == "---"
        if line[:1] not in "+- \\" or (named and line[:2] in ("--", "++")):
            changed = [line for line in lines[:i] if line[:1] in ("+", "-")]
            heads = line.startswith(_HEADS) and not all(map(_LISTED.match, changed))
            return i if heads or line.startswith("@@ -") else 0
    return 0


def _marks(text: str) -> tuple[Counter[str], int]:
    """How many marks there are of each kind, and the lines before the first that is no fence."""
    counts: Counter[str] = Counter()
    opening = -1
    for match in _MARK.finditer(text):
        kind = match.lastgroup or ""
        if kind == "extended":
            if not counts["header"]:
                continue
            kind = "binary"
        counts[kind] += 1
        if opening < 0 and kind != "fence":
            opening = match.start()
    return counts, text.count("\n", 0, max(0, opening))
