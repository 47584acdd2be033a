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
    """Queries and the rows of their best hits, then a line for each alignment; all others below their query, their hit
    and whether they are of the query or of the subject."""
    items: list[Item] = []
    query, hit, sides, names, row, of = "", "", 0, "", 1.0, Item(0, 0, "")
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(_ENDS):
            continue
        keep, weight = Keep.NONE, 0.0 if line.startswith(_RUN) else 0.2
        section = " ".join(filter(None, (query, hit, _SIDES[min(sides, 2)])))
        if line.startswith(">>>"):
            query, hit, sides, section, weight = line.split(" ")[0].strip(","), "", 0, "", 0.5
        elif line.startswith(">>"):
            hit, sides, section, row = line.split(" ")[0], 0, query, min(row, _ALIGNED)
            of = Item(number, number, f"{number} {line[:_NAME]}{'…' * (len(line) > _NAME)}", weight=row, section=query)
            items.append(of)
            row *= _STEP
            continue
        elif line.startswith(">") and hit:  # no line of the histogram
            sides += 1
            section = f"{query} {hit} {_SIDES[min(sides, 2)]}"
        elif _QUERY.match(line) or line.startswith(_NONE):
            query, hit, sides, section, row = "", "", 0, "", _BEST
            keep = Keep.SEVERE  # before the hits of any one query
        elif line.startswith(_HITS):
            names = line
            continue
        elif _ROW.match(line) and not query:
            keep, weight, section = Keep.RARE if row == _BEST else Keep.NONE, row, names
            row *= _STEP
        elif hit and _SCORE.match(line):
            told = "" if names and _SAID.search(line) else f" · {_of(sides, line)}{' '.join(line[2:].split())}"
            of.text, of.end, of.also = of.text + told, number, [*of.also, *[number] * bool(told)]
            continue
        items.append(Item(number, number, f"{number} {line}", keep, weight=weight, section=section))
    return items


def _of(sides: int, line: str) -> str:
    return f"{_SIDES[min(sides, 2)][:-1]} " if sides and "start" in line else ""


_ENDS = (">>><<<", ">>>///")
_SAID = regex("_(?:opt|bits):")  # in the row of a hit
_HITS, _NAME = "The best scores are:", 70  # above their rows; characters of what a hit is called
_BEST, _ALIGNED, _STEP = 4.0, 1.0, 0.9  # weight of a query's best hit, of its alignment, of each beside the one before
