"""Texts of a form of their own. Reports of the FASTA programs (``-m 10``): each query with its best hit, its further
hits, then their alignments. A catalog of messages (gettext): each with its translation, and how many have none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, repeat

from mcpcompact.content.shared.lines import LOOKED_UP, blank_lines, outline_of
from mcpcompact.outline import Fact, Item, Outline, Series
from mcpcompact.patterns import matching, regex
from mcpcompact.phrasing import clipped, counted

_HEAD = 40  # lines in which the program says what it is
_TITLE = regex(r" ?\w+ (?:searches a|compares a|performs|produces|finds) .{0,80}(?:sequence|data ?bank)")
_COMMAND = "# "
_QUERY = regex(r" *\d+>>>\S", holds=(">>>",))
_LIBRARY = regex(r"(?:Library: |.{0,200}? vs ) *(\S.*?)(?: library)? *$")
_HITS, _NONE = "The best scores are:", "!! No "
_ROW = regex(r"\S.*\( *\d+\).* [\d.]+(?:e-?\d+)?$", holds="(")
_HIT, _PIECE = regex(r">>[^>]", holds=(">>",)), ">--"  # the alignment of a hit, and that of a further piece of it
_SCORE = regex(r"; (\w+_)(opt|expect|bits|ident|overlap): *(\S+)")
_TABLED, _PART = ("opt", "bits"), "hits"
_PLACE = regex(r"; al_(?:start|stop): *(\S+)")
_NAME = 300  # characters of what a hit is called
_BEST, _UNFOUND = 2.8, 2.6  # weight of the best hit of a query, of a query without a hit
_ODD, _REVERSE = 2.7, " [r] "  # weight of a hit on the other strand than the best one; what says it
_ROWS, _TOP, _EACH = 1.5, 10, 2  # least weight of a hit; the best ones that come before any alignment; then so many
_MAX = 3_000  # items: of more the engine would take an even choice
_RESIDUES, _REST = 0.1, 0.02  # weights of what stands below an alignment, and of all others
_SETTINGS = ">>>"  # above parameters, which are the same for each query, and at ends
MESSAGES, PART = 3, 0.3  # messages, and of the lines those that begin one or its translation
WHOLE = 12  # lines of a message that stand together
COMMENT, HEADER, _OF_ITSELF = 0.02, 0.2, 'msgid ""\nmsgstr'  # weights; what is said of the catalog itself
_BEGINS = ("msgid ", "msgctxt ", "#,", "#|")


def is_report(lines: Sequence[str]) -> bool:
    head = lines[:_HEAD]
    return any(map(_TITLE.match, head)) and any(map(_QUERY.match, head)) and any(map(_LIBRARY.match, head))


def report(lines: Sequence[str]) -> Outline:
    starts = matching(_QUERY, lines)
    begun, hits = int(lines[0].startswith(_COMMAND)), list[int]()
    items = [*_run(lines, begun, starts[0], _REST)]
    for start, end in pairwise([*starts, len(lines)]):
        head = next((i for i in range(start + 1, end) if lines[i].startswith((_HITS, _NONE))), start)
        tabled = lines[head].startswith(_HITS)
        rows = next((i for i in range(head + 1, end) if not lines[i].strip() or lines[i][0] == ">" or not tabled), end)
        hits.append(len(matching(_ROW, lines[head + 1 : rows]) if tabled else matching(_HIT, lines[start:end])))
        items += _query(lines, start, head, rows, hits[-1])
        items += _aligned(lines, rows, end, start + 1, tabled)
    pieces = sum(1 for line in lines if _HIT.match(line) or line.startswith(_PIECE))
    none = f" ({hits.count(0):,} without a hit)" if len(hits) > hits.count(0) > 0 else ""
    headline = f"FASTA search report, {counted(len(hits), 'query')}{none}, {counted(sum(hits), 'hit')}"
    headline += f" in {counted(pieces, 'alignment')}" if pieces > sum(hits) else ""
    library = next(match[1] for line in lines if (match := _LIBRARY.match(line)))
    facts = [Fact(f"{headline}; library {' '.join(library.split())}", 0)]
    facts += [Fact(f"1 {lines[0]}", 0, shows=([1],))] * begun
    facts += [Fact(f"hits of each query: {', '.join(map(str, hits))}", int(len(hits) > _TOP))] * (len(hits) > 1)
    columns = [i + 1 for i, line in enumerate(lines) if line.startswith(_HITS)]  # the same of the hits of all queries
    facts += [Fact(lines[at - 1], 0, shows=([at],)) for at in columns[:1]]
    ordered = sorted(sorted(items, key=lambda item: -item.weight)[:_MAX], key=lambda item: item.start)
    parts = {_PART: sum(hits)}
    return outline_of(lines, headline, facts, ordered, facts_share=0.1, rendered=True, in_order="hit", parts=parts)


def _row(number: int, text: str, weight: float, under: int = 0, hits: int = 0) -> Item:
    return Item(number, number, f"{number} {text}", weight=weight, under=under, whole=True, part=(_PART, hits))


def _query(lines: Sequence[str], start: int, head: int, rows: int, hits: int) -> Iterator[Item]:
    """The query, and its hits below it; the best one brings it along."""
    under, none = start + 1, " · no hit" * lines[head].startswith(_NONE)
    where = f" · {hits:,} hits in lines {head + 2}–{rows}" if hits > _EACH and rows > head + hits else none
    yield _row(under, lines[start] + where, _ROWS if hits else _UNFOUND)
    yield from _run(lines, under, head + bool(none), _REST, under)
    for n, at in enumerate(range(head + 1, rows)):
        odd = n and lines[head + 1].count(_REVERSE) != lines[at].count(_REVERSE)
        weight = _BEST if not n else _ODD if odd else _ROWS + 1 / n
        row = _row(at + 1, lines[at], weight, under, int(bool(_ROW.match(lines[at]))))
        row.series = Series("hit", head + 2, hits) if row.part[1] else None  # else a further piece of the one above
        yield row


def _aligned(lines: Sequence[str], start: int, end: int, query: int, tabled: bool) -> Iterator[Item]:
    """A line for each alignment of a query, and all others below what they are of."""
    cuts = [i for i in range(start, end) if lines[i].startswith(">")]
    yield from _run(lines, start, next(iter(cuts), end), _REST, query)
    pieces = [i for i in cuts if _HIT.match(lines[i]) or lines[i].startswith(_PIECE)]
    ends, hit, first, under, rank = dict(pairwise([*pieces, end])), "", query, query, _TOP
    for at, behind in pairwise([*cuts, end]):
        rest = 0.0 if lines[at].startswith(_SETTINGS) else _RESIDUES
        if at in ends:
            under, rest, further = at + 1, _REST, lines[at].startswith(_PIECE)
            if not further:
                hit, first, rank = lines[at][2:].partition(" ")[0], under, rank + _EACH
            name = f"{_PIECE} {hit}" if further else clipped(lines[at], _NAME)  # of a piece it stands above
            text = " · ".join([name, *_scores(lines[under : ends[at]], tabled)])
            yield _row(under, text, _ROWS + 1 / rank, first if further else query, int(not (tabled or further)))
        yield from _run(lines, at + (at in ends), behind, rest, under)


def _scores(lines: Sequence[str], tabled: bool) -> Iterator[str]:
    """The scores of an alignment but those of the table of hits; its place on query and subject, each below its ">"."""
    sides = [i for i, line in enumerate(lines) if line.startswith(">")]
    for line in lines[: next(iter(sides), None)]:
        if (match := _SCORE.match(line)) and not (tabled and match[2] in _TABLED):
            yield f"{match[1]}{match[2]}: {match[3]}"
    for side, (start, end) in zip(("query", "subject"), pairwise([*sides, len(lines)]), strict=False):
        if places := [match[1] for line in lines[start:end] if (match := _PLACE.match(line))]:
            yield f"{side} {'–'.join(places)}"


def _run(lines: Sequence[str], start: int, end: int, weight: float, under: int = 0) -> Iterator[Item]:
    """Lines that follow each other, to be read from the first on."""
    filled = [i for i in range(start, end) if lines[i].strip()]
    for first, last in [(filled[0] + 1, filled[-1] + 1)] if filled else ():
        text = "\n".join([f"{first}{f'-{last}' if last > first else ''} {lines[first - 1]}", *lines[first:last]])
        yield Item(first, last, text, weight=weight, under=under, flow="lines")


def is_catalog(lines: Sequence[str]) -> bool:
    messages = sum(map(str.startswith, lines, repeat("msgid ")))
    if messages < MESSAGES:
        return False
    translated = sum(line.startswith(("msgstr ", "msgstr[0]")) for line in lines)
    return messages == translated and 2 * messages >= PART * sum(map(bool, lines))


def catalog(lines: Sequence[str]) -> Outline:
    items: list[Item] = []
    entry = translated = False  # within a message, and within its translation
    for number, line in enumerate(lines, 1):
        if not line.strip():
            entry = translated = False
        elif line.startswith("#") and (translated or not line.startswith(_BEGINS)):
            items.append(Item(number, number, f"{number} {line}", weight=COMMENT))
            entry = translated = False
        elif not entry or (translated and line.startswith(_BEGINS)):
            items.append(Item(number, number, f"{number} {line}", whole=True))
            entry, translated = True, False
        else:
            items[-1].text, items[-1].end = f"{items[-1].text}\n{line}", number
            items[-1].whole = number - items[-1].start < WHOLE
            translated |= line.startswith("msgstr")
    for item in items:
        item.weight = HEADER if _OF_ITSELF in item.text else item.weight
    texts = [item.text for item in items if _OF_ITSELF not in item.text and "msgid " in item.text]
    empty = sum('\nmsgstr ""' in text and not text.partition('\nmsgstr ""')[2].strip() for text in texts)
    fuzzy = sum(text.partition("\n")[0].endswith("fuzzy") for text in texts)
    states = [f"{empty:,} not translated"] * bool(empty) + [f"{fuzzy:,} fuzzy"] * bool(fuzzy)
    headline = ", ".join([counted(len(texts), "message"), *states])
    told_first = [Fact(f"Catalog of {headline}.", 0)]
    return outline_of(lines, headline, told_first, items, more=LOOKED_UP, blank=blank_lines(lines))
