"""Comments and texts of source: what ends them, what comments are said of, which are a licence."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from mcpcompact.content.shared.languages import COMMENT, IMPORT
from mcpcompact.content.shared.nesting import LONGEST_STRING, LOOK, QUOTES, columns
from mcpcompact.content.shared.views import Region, View
from mcpcompact.patterns import regex

LICENCE_WITHIN = 60  # lines
TAG = regex(r"\* @(?:return|param|throws|var) +\S+(?: +\$\w+)?$")  # of a documentation, with a type alone
_TICKED = dict.fromkeys(("JavaScript", "TypeScript", "Vue", "Svelte", "Go"), ("`",))
_TEXTS = {**_TICKED, "Python": ('"""', "'''"), "Rust": ('r##"', 'r#"', '"')}  # what begins texts of several lines
_HERE = ("Shell", "Ruby", "PHP", "Perl")  # have texts that a word of their own ends
_WORD = regex(r"<<[<~-]?\s?[\"']?([A-Za-z_]\w*)\b", holds="<<")
_OPENS = regex(r"(?:(?<![/\\])[=(\[{,:+>?&|]\s*|\b(?:return|await)\s+)[\w$~!.]*$")  # maybe with a tag, not in a pattern
_LICENSE = regex(r"licen[sc]e|copyright|\(c\) \d{4}|SPDX-|all rights reserved", re.IGNORECASE)


def said_of(texts: Sequence[str], told: Container[int]) -> dict[int, int]:
    """Comments (``told``) and attributes by the statement right below them, which they are said of; a documentation
    string belongs to what stands above it."""
    found: dict[int, int] = {}
    below = -1
    for i in range(len(texts) - 1, -1, -1):
        head = texts[i].strip()[:LOOK]
        comment = i in told and COMMENT.match(head) is not None and not head.lstrip("rf").startswith(QUOTES)
        leading = comment or (i not in told and head.startswith(("@", "#[")))
        if leading and below >= 0 and columns(texts[i]) <= columns(texts[below]) + 1:
            found[i] = below
        else:
            below = i if head and not leading and i not in told else -1
    return found


def opens(head: str) -> str:
    """What ends the comment or documentation string that starts here, '' if it ends in the same line."""
    for start, end in (('"""', '"""'), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->"), ("{-", "-}"), ("=", "=cut")):
        if head.startswith(start):
            return "" if end in head[len(start) :] else end
    return ""


def begins_within(texts: Sequence[str], defines: re.Pattern[str] | None, whole: bool) -> str:
    """What ends the documentation string that a text of Python begins in, "" of one that begins in none or may be a
    ``whole`` file whose first line it is."""
    heads = [head for head in map(str.strip, texts) if head]
    for n, head in enumerate(heads):
        if mark := next((mark for mark in QUOTES[1:] if mark in head), ""):
            above = heads[n - 1]
            ends = n > 0 and above[-1] not in ":(=," and not COMMENT.match(above) and not IMPORT.match(above)
            if not n and not whole and defines is not None:  # a definition stands between it and the next one
                ends = any(map(defines.match, "\n".join(heads[1:]).partition(mark)[0].split("\n")))
            return mark if (ends and head == mark) or (head.endswith(f".{mark}") and head.count(mark) == 1) else ""
        if defines is not None and defines.match(head):
            return ""
    return ""


def literal_end(texts: list[str], i: int, end: int, language: str) -> int:
    """The last line before ``end`` of the text that line ``i`` begins and does not end, 0 where none does."""
    text, below = texts[i], range(i + 1, min(i + LONGEST_STRING, end))
    if language in _HERE and (here := _WORD.search(text)):
        word = here[1]
        return next((k for k in below if word in texts[k] and texts[k].strip().rstrip(";),") == word), 0)
    for opening in _TEXTS.get(language, ('"""',)):
        before, found, _ = text.rpartition(opening)
        mark = '"' + "#" * opening.count("#") if opening[0] == "r" else opening
        if found and _OPENS.search(before) and _unescaped(text, opening) % 2:
            return next((k for k in below if _unescaped(texts[k], mark)), 0)
    return 0


def _unescaped(text: str, mark: str) -> int:
    """How often a mark stands in a line, not as a sign of a text or alone as a character."""
    return text.replace(f"\\{mark[0]}", "").replace("'\"'", "").count(mark) if mark in text else 0


def licence(view: View, region: Region) -> set[int]:
    """The lines of a licence header: of the first comments those blocks that speak of licence or copyright. What the
    tool says above them is none of them."""
    found, begun, speaks, quoting = set[int](), region.start, False, ""
    for i in range(region.start, min(region.end, region.start + LICENCE_WITHIN)):
        head = "" if i in view.outside else view.texts[i].strip()[:LOOK]
        comment = COMMENT.match(head) is not None
        if not quoting and (not comment or head.startswith(QUOTES)):
            found.update(range(begun, i) if speaks else ())
            begun, speaks = i, False
            if head and not comment and head != "<?php":
                return found
        quoting = quoting * (quoting not in head) if quoting else opens(head)
        speaks = speaks or bool(_LICENSE.search(head))
    return found
