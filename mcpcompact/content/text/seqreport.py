"""Reports of the FASTA programs (``-m 10``): queries, hits and their scores, each key under its own heading."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.outline import Fact, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

_HEAD = 40  # lines in which the program says what it is
_TITLE = regex(
    r" ?\w+ (?:searches a|compares a|performs|produces|finds) .{0,80}(?:sequence|data ?bank)",
    holds=("sequence", "bank"),
)
_QUERY = regex(r" *\d+>>>\S")
_LIBRARY = regex(r"(?:Library: |.{0,200}? vs ) *(\S.*?)(?: library)? *$")
_SCORE = regex(r"; (?:\w\w_(?:\w+_)?(?:opt|expect|bits|ident|overlap)|al_start|al_stop)\b")
_ROW = regex(r"\S.*\( *\d+\).* [\d.]+(?:e-?\d+)?$")
_NONE = "!! No "
_RUN = ("; pg_", "; mp_")
_SIDES = "", "query:", "subject:"  # what the first and the second ">" below a hit are


def is_report(lines: Sequence[str]) -> bool:
    head = lines[:_HEAD]
    return any(map(_TITLE.match, head)) and any(map(_QUERY.match, head)) and any(map(_LIBRARY.match, head))


def outline(lines: Sequence[str]) -> Outline:
    queries = sum(1 for line in lines if _QUERY.match(line))
    hits = sum(1 for line in lines if line.startswith(">>") and line[2:3] != ">")
    library = next(found[1] for line in lines if (found := _LIBRARY.match(line)))
    headline = f"FASTA search report, {counted(queries, 'query')}, {counted(hits, 'alignment')}"
    facts = [Fact(f"{headline}; library {' '.join(library.split())}", 0)]
    more = [("--lines", "A:B")]
    return Outline("text", "line", len(lines), headline, facts, _items(lines), more=more, facts_share=0.1)


def _items(lines: Sequence[str]) -> list[Item]:
    """Lines below their query, their hit and whether they are of the query or of the subject."""
    items: list[Item] = []
    query, hit, sides = "", "", 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        keep, weight, section = Keep.NONE, 0.2, " ".join(filter(None, (query, hit, _SIDES[min(sides, 2)])))
        if line.startswith(">>>"):
            query, hit, sides, section, weight = line.split(" ")[0].strip(","), "", 0, "", 0.5
            query = "" if query == ">>><<<" else query
        elif line.startswith(">>"):
            hit, sides, weight, section = line.split(" ")[0], 0, 1.0, query
        elif line.startswith(">") and hit:  # no line of the histogram
            sides += 1
            section = f"{query} {hit} {_SIDES[min(sides, 2)]}"
        elif _QUERY.match(line) or line.startswith(_NONE):
            query, hit, sides, keep, section = "", "", 0, Keep.SEVERE, ""  # before the hits of any one query
        elif _ROW.match(line) and not query:
            keep = Keep.RARE
        elif line.startswith(";"):
            weight = 2.0 if _SCORE.match(line) else 0.05 if line.startswith(_RUN) else 0.2
        items.append(Item(number, number, f"{number} {line}", keep, weight=weight, section=section))
    return items
