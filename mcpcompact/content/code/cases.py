"""The rows of a table of test cases: what a case is called, what is given and what is expected stand together."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from mcpcompact.outline import Item, record
from mcpcompact.patterns import regex

LINES, ROOM, MOST = 12, 400, 120  # lines and characters of a row that stands whole; lines of one
NAMED = 2.9  # weight of the name of a case: before what it is set up with
_OPENS = regex(r"(\s*)(?:[\"'`].*[\"'`]: ?)?(?:pytest\.param|&?[A-Z]\w*)?([{(\[])(?:$|[^})\]]*[,{(\[]$)")
_CLOSER = {"{": "}", "(": ")", "[": "]"}
_NAME = regex(  # of one of several cases of a test
    r"\s*(?:[{(]\s*)?[\"']?(?:name|desc|description|title|scenario|test_?[Nn]ame)[\"']?[:=] *[\"'`](.+?)[\"'`],?(?:$|\s*\w+:)"
    r"|\s*[{(]\"([^\"]* [^\"]*)\",|\s*[\"'`]([^\"'`]* [^\"'`]*)[\"'`]: ?\{|\s*pytest\.param\(.*\bid=[\"']([^\"']+)"
)


@record
class Row:
    """The lines of a row, and the one that names it, -1 for none."""

    start: int
    end: int
    named: int = -1

    def short(self, texts: Sequence[str]) -> bool:
        """Whether it stands whole or not at all."""
        return self.end - self.start < LINES and sum(map(len, texts[self.start : self.end + 1])) <= ROOM


def called(text: str) -> str:
    """The name of the case that a line begins, "" for none."""
    match = _NAME.match(text)
    return next(filter(None, match.groups()), "") if match else ""


def rows(texts: Sequence[str], tested: Container[int]) -> Iterator[Row]:
    """The outermost rows of several lines that stand within tests."""
    behind = 0
    for i, text in enumerate(texts):
        opens = _OPENS.match(text.rstrip()) if i >= behind and i in tested else None
        if opens is None:
            continue
        named = next((k for k in (i, i + 1) if k < len(texts) and called(texts[k])), -1)
        close = opens[1] + _CLOSER[opens[2]]
        ends = (k for k in range(i + 1, min(i + MOST, len(texts))) if texts[k].rstrip() in (close, f"{close},"))
        end = next(ends, -1)
        if end > i and (named >= 0 or (texts[end].rstrip()[-1] == "," and end < i + LINES)):
            behind = end + 1
            yield Row(i, end, named)


def joined(
    found: Sequence[Row], texts: Sequence[str], known: Mapping[int, Item]
) -> tuple[dict[int, int], dict[int, int]]:
    """Of short rows their first lines and the lines behind them; of longer ones what stands under their names."""
    whole, under = dict[int, int](), dict[int, int]()
    for row in found:
        if row.named in known:
            known[row.named].weight = max(NAMED, known[row.named].weight)
        if row.short(texts):
            whole[row.start] = row.end + 1
        elif row.named in known:
            under |= dict.fromkeys(range(row.named + 1, row.end + 1), row.named + 1)
    return whole, under
