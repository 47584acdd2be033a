"""Comments and texts of source: what ends them, what comments are said of, which are a licence; and the rows of a table
of test cases: what a case is called, what is given and what is expected stand together."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import pairwise

from mcpcompact.content.shared.languages import COMMENT, IMPORT
from mcpcompact.content.shared.nesting import LONGEST_STRING, LOOK, QUOTES, columns
from mcpcompact.content.shared.views import Region, View
from mcpcompact.outline import record
from mcpcompact.patterns import regex

LICENCE_WITHIN = 60  # lines
TAG = regex(r"\* @(?:return|param|throws|var) +\S+(?: +\$\w+)?$")  # of a documentation, with a type alone
_TICKED = dict.fromkeys(("JavaScript", "TypeScript", "Vue", "Svelte", "Go"), ("`",))
_TEXTS = {**_TICKED, "Python": ('"""', "'''"), "Rust": ('r##"', 'r#"', '"')}  # what begins texts of several lines
_HERE = ("Shell", "Ruby", "PHP", "Perl")  # have texts that a word of their own ends
_WORD = regex(r"<<[<~-]?\s?[\"']?([A-Za-z_]\w*)\b", holds="<<")
_OPENS = regex(r"(?:(?<![/\\])[=(\[{,:+>?&|]\s*|\b(?:return|await)\s+)[\w$~!.]*$")  # maybe with a tag, not in a pattern
_LICENSE = regex(r"licen[sc]e|copyright|\(c\) \d{4}|SPDX-|all rights reserved", re.IGNORECASE)
LINES, ROOM, MAX = 12, 400, 120  # lines and characters of a row of test cases that stands whole; lines of one
APART = 3  # lines from one to the next: a comment may stand between
_BEGINS = regex(r"(\s*)(?:[\"'`].*[\"'`]: ?)?(?:pytest\.param|&?[A-Z]\w*)?([{(\[])(?:$|[^})\]]*[,{(\[]$)")
_CLOSER = {"{": "}", "(": ")", "[": "]"}
_NAME = regex(  # of one of several cases of a test
    r"\s*(?:[{(]\s*)?[\"']?(?:name|desc|description|title|scenario|test_?[Nn]ame)[\"']?[:=] *[\"'`](.+?)[\"'`]"
    r"(?:,?$|, *\w+:)|\s*[{(]\"([^\"]* [^\"]*)\",|\s*[\"'`]([^\"'`]* [^\"'`]*)[\"'`]: ?\{"
    r"|\s*pytest\.param\(.*\bid=[\"']([^\"']+)"
)


def subjects_of(texts: Sequence[str], comments: Container[int]) -> dict[int, int]:
    """``comments`` and attributes by the statement right below them, which they are said of; a documentation
    string belongs to what stands above it."""
    statements: dict[int, int] = {}
    below = -1
    for i in range(len(texts) - 1, -1, -1):
        head = texts[i].strip()[:LOOK]
        comment = i in comments and COMMENT.match(head) is not None and not head.lstrip("rf").startswith(QUOTES)
        leading = comment or (i not in comments and head.startswith(("@", "#[")))
        if leading and below >= 0 and columns(texts[i]) <= columns(texts[below]) + 1:
            statements[i] = below
        else:
            below = i if head and not leading and i not in comments else -1
    return statements


def opens(head: str) -> str:
    """What ends the comment or documentation string that starts here, '' if it ends in the same line."""
    for start, end in (('"""', '"""'), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->"), ("{-", "-}"), ("=", "=cut")):
        if head.startswith(start):
            return "" if end in head[len(start) :] else end
    return ""


def begins_within(texts: Sequence[str], defines: re.Pattern[str] | None, whole: bool, language: str) -> tuple[int, str]:
    """How many lines are of a text that begins above a part of a file (not ``whole``) of JavaScript or Go, or of such a
    documentation string of Python; of this also what ends it."""
    marks, above = QUOTES[1:] if language == "Python" else _TICKED.get(language, ()), ""
    for n, text in enumerate(texts[:LONGEST_STRING], 1):
        head = text.strip()
        mark = next((mark for mark in marks if mark in head), "")
        if mark and language == "Python":
            ends = above > "" and above[-1] not in ":(=," and not COMMENT.match(above) and not IMPORT.match(above)
            if not (above or whole) and defines is not None:  # a definition stands between it and the next one
                ends = any(map(defines.match, "\n".join(map(str.strip, texts[n:])).partition(mark)[0].split("\n")))
            closes = (ends and head == mark) or (head.endswith(f".{mark}") and head.count(mark) == 1)
            return (n, mark) if closes else (0, "")
        if mark and not (whole or COMMENT.match(head)) and _unescaped(text, mark) % 2:
            return 0 if _OPENS.search(above + text.rpartition(mark)[0]) else n, ""
        if defines is not None and defines.match(head):
            return 0, ""
        above = head or above
    return 0, ""


def literal_end(texts: list[str], i: int, end: int, language: str) -> int:
    """The last line before ``end`` of the text that line ``i`` begins and does not end, 0 where none does."""
    text, below = texts[i], range(i + 1, min(i + LONGEST_STRING, end))
    if language in _HERE and (here := _WORD.search(text)):
        word = here[1]
        return next((k for k in below if word in texts[k] and texts[k].strip().rstrip(";),") == word), 0)
    for opening in _TEXTS.get(language, ('"""',)):
        before, sign, _ = text.rpartition(opening)
        mark = '"' + "#" * opening.count("#") if opening[0] == "r" else opening
        if sign and _OPENS.search(before) and _unescaped(text, opening) % 2:
            return next((k for k in below if _unescaped(texts[k], mark)), 0)
    return 0


def _unescaped(text: str, mark: str) -> int:
    """How often a mark stands in a line, not as a sign of a text or alone as a character."""
    return text.replace(f"\\{mark[0]}", "").replace("'\"'", "").replace('"`"', "").count(mark) if mark in text else 0


def licence(view: View, region: Region) -> set[int]:
    """The lines of a licence header: of the first comments those blocks that speak of licence or copyright. What the
    tool says above them is none of them."""
    lines, begun, speaks, quoting = set[int](), region.start, False, ""
    for i in range(region.start, min(region.end, region.start + LICENCE_WITHIN)):
        head = "" if i in view.outside else view.texts[i].strip()[:LOOK]
        comment = COMMENT.match(head) is not None
        if not quoting and (not comment or head.startswith(QUOTES)):
            lines.update(range(begun, i) if speaks else ())
            begun, speaks = i, False
            if head and not comment and head != "<?php":
                return lines
        quoting = quoting * (quoting not in head) if quoting else opens(head)
        speaks = speaks or bool(_LICENSE.search(head))
    return lines


@record
class Row:
    """Its lines, the one that names it (-1 for none), its name, and whether it stands whole or not at all."""

    start: int
    end: int
    named: int
    name: str
    whole: bool = True


def rows(texts: Sequence[str], tested: Iterable[int]) -> list[Row]:
    """The rows within tests; a name that has none right above or below it is no case's."""
    candidates = [*_rows(texts, tested)]
    pairs = ((a, b) for a, b in pairwise(candidates) if a.name and b.name and b.start - a.end <= APART)
    cases = {row.start for pair in pairs for row in pair}
    for row in candidates:
        row.name *= row.start in cases
    return candidates


def _rows(texts: Sequence[str], tested: Iterable[int]) -> Iterator[Row]:
    """The outermost rows that stand within tests: of one line if they have a name, of many if it begins them."""
    behind = 0
    for i in sorted(tested):
        if i < behind:
            continue
        named, name = next(((k, name) for k in (i, i + 1) if (name := _called("".join(texts[k : k + 1])))), (-1, ""))
        opens = _BEGINS.match(texts[i].rstrip()[:LOOK])
        closers = [opens[1] + _CLOSER[opens[2]] + comma for comma in ("", ",")] if opens else []
        last = min(i + MAX, len(texts)) if opens else i
        end = next((k for k in range(i + 1, last) if texts[k].rstrip() in closers), i if named == i else -1)
        if end >= i and (named >= 0 or (texts[end].rstrip()[-1] == "," and end < i + LINES)):
            behind = end + 1
            yield Row(i, end, named, name, end < i + LINES and sum(map(len, texts[i : end + 1])) <= ROOM)


def _called(text: str) -> str:
    match = _NAME.match(text[:LOOK])
    return next(filter(None, match.groups()), "") if match else ""
