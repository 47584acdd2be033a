"""The rows of a table of test cases: what a case is called, what is given and what is expected stand together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from mcpcompact.content.shared.nesting import LOOK
from mcpcompact.outline import record
from mcpcompact.patterns import regex

LINES, ROOM, MOST = 12, 400, 120  # lines and characters of a row that stands whole; lines of one
APART = 3  # lines from one to the next: a comment may stand between
_OPENS = regex(r"(\s*)(?:[\"'`].*[\"'`]: ?)?(?:pytest\.param|&?[A-Z]\w*)?([{(\[])(?:$|[^})\]]*[,{(\[]$)")
_CLOSER = {"{": "}", "(": ")", "[": "]"}
_NAME = regex(  # of one of several cases of a test
    r"\s*(?:[{(]\s*)?[\"']?(?:name|desc|description|title|scenario|test_?[Nn]ame)[\"']?[:=] *[\"'`](.+?)[\"'`]"
    r"(?:,?$|, *\w+:)|\s*[{(]\"([^\"]* [^\"]*)\",|\s*[\"'`]([^\"'`]* [^\"'`]*)[\"'`]: ?\{"
    r"|\s*pytest\.param\(.*\bid=[\"']([^\"']+)"
)


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
    found = [*_rows(texts, tested)]
    pairs = ((a, b) for a, b in pairwise(found) if a.name and b.name and b.start - a.end <= APART)
    cases = {row.start for pair in pairs for row in pair}
    for row in found:
        row.name *= row.start in cases
    return found


def _rows(texts: Sequence[str], tested: Iterable[int]) -> Iterator[Row]:
    """The outermost rows that stand within tests: of one line if they have a name, of many if it begins them."""
    behind = 0
    for i in sorted(tested):
        if i < behind:
            continue
        named, name = next(((k, name) for k in (i, i + 1) if (name := _called("".join(texts[k : k + 1])))), (-1, ""))
        opens = _OPENS.match(texts[i].rstrip()[:LOOK])
        closers = [opens[1] + _CLOSER[opens[2]] + comma for comma in ("", ",")] if opens else []
        last = min(i + MOST, len(texts)) if opens else i
        end = next((k for k in range(i + 1, last) if texts[k].rstrip() in closers), i if named == i else -1)
        if end >= i and (named >= 0 or (texts[end].rstrip()[-1] == "," and end < i + LINES)):
            behind = end + 1
            yield Row(i, end, named, name, end < i + LINES and sum(map(len, texts[i : end + 1])) <= ROOM)


def _called(text: str) -> str:
    match = _NAME.match(text[:LOOK])
    return next(filter(None, match.groups()), "") if match else ""
