"""What a command prints: values behind their names, or rows in columns. It is read from the top."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from mcpcompact.content.shared.lines import at_line
from mcpcompact.content.text import sections
from mcpcompact.outline import Fact, Item, Reach
from mcpcompact.patterns import matching, regex

LAID_OUT, FOREIGN = 0.7, 0.25  # of the lines: values or rows; at most, how source and sentences end
MIN, PART = 12, 3  # lines; the first third is laid out in part, at least
ROWS, CELLS = 8, 3  # rows that tell by what differs, and words of one
BELOW, STATES, COLUMNS, FEW = 0.9, 4, 3, 4  # of the rows have a word in that column; values of a column that are
# states, such columns of one table; rows of a state that are named
TABLES, LAST = 2, 4  # of which the states are told; lines at the end, where totals stand
DEEP = 20  # blanks before what stands in a further column alone
FOLDED = 0.1  # a lesser weight is of lines that are told by their number
TOP, LATER, END = 6.0, 0.975, 0.5  # factors on the weight of the first line, of each from the one before it, at least
ROW, BELOW_IT = 4.0, 0.9  # factors of the first row of a table, whose rows share most of their words, and of each
# from the one above it
LEADS = 3.0  # weight of what begins a part of the page, at least
SHARE = 0.8  # of the room, what weighs most
TOGETHER, BLOCK, HEADED = 6, 500, 6  # first rows that are shown together, their characters; lines up to their head
BETWEEN = 2  # lines between rows, and such rows together
LARGE, DIGITS = 2.0, 18  # factor on the weight of rows with the largest numbers, and digits of one
TREE, DRAWN = {*"│├└"}, " \t∙•│├└─"  # branches; what stands before what a line says, as far in as it is
RULED, RULER = -1, 3  # farther left than all lines: what stands above a ruler; signs of one

_LAID_OUT = regex(r"[ \t]*\S.{0,80}?(?:(?: {2,}|\t|\.{5,})[ \t]*\S| ?[:=] ?\S+(?: \S+){0,3}$)")
_APART = regex(r"[ \t]*\S.{0,160}?(?: {2}|\t)[ \t]*\S")
TOPMOST = 8  # lines above the first table that say what it is about
_LETTERED = regex(r"\s*[^\W\d_]")
_CELL = regex(r"\S+")
_WORD = regex(r"[A-Za-z][A-Za-z_/-]{0,23}")  # of a state
_TOTAL = regex(r"\W*(?:\w+ ){0,3}totals?\b.*\d", re.I, holds=("total", "Total", "TOTAL"))
_FOREIGN = regex(r".*[.;,{}(]$|[ \t]*[\"'{]")


def is_page(lines: Sequence[str], filled: Sequence[int], apart: bool = False) -> bool:
    """Whether most lines are laid out, and a third of the first third: a name and its value, or cells with blanks
    between them (``apart``: all of them)."""
    worded = {i: lines[i].rstrip() for i in filled if any(map(str.isalnum, lines[i]))}
    if len(worded) < MIN or sum(_FOREIGN.match(line) is not None for line in worded.values()) > FOREIGN * len(worded):
        return False
    pattern, tables = _APART if apart else _LAID_OUT, {i for table, _ in _tables(lines) for i in table}
    laid = [
        (i in tables or _hangs(line) or pattern.match(line) is not None or _branches(lines[i : i + 2]))
        and sections.weight(line) > sections.ROUTINE
        for i, line in worded.items()
    ]
    first = laid[: len(laid) // PART]
    return sum(laid) >= LAID_OUT * len(laid) and sum(first) * PART >= len(first)


_PLACE = regex(r"\S{1,300}\.(?:x?html?|xml|md)(?:#\S{0,200})?", holds=(".htm", ".xhtm", ".xml", ".md"))


def facts(lines: Sequence[str]) -> list[Fact]:
    """How many rows the largest tables have, and of their words that are one of a few how often each is there."""
    result = []
    for rows in sorted((rows for _, rows in _tables(lines)), key=len, reverse=True)[:TABLES]:
        words = [[*_CELL.finditer(lines[i])] for i in rows]
        beside = [line.split()[:1] for i in (rows[0], rows[-1] + 2) for line in lines[max(i - 1, 0) : i]]
        if [words[0][0][0]] in beside or [words[-1][0][0]] in beside:
            continue  # to a reader it goes on there
        cells = range(min(map(len, words)) * (not _branches([lines[rows[0]]])))
        columns = [text for n in cells if (text := _states(words, n))]
        text = "".join(f"; word {n}" for n in columns[:COLUMNS])
        if (ranks := _ranked([row[0][0] for row in words])) and (last := ranks.count(ranks[-1])) >= ROWS:
            text += f"; word 1 falls from {ranks[0]:,} to {ranks[-1]:,} ({last:,} lines from {rows[-last] + 1:,} on)"
        if not text and PART * len(rows) < len(lines):
            continue
        where = "within " * (rows[-1] - rows[0] >= len(rows))
        result.append(Fact(f"{len(rows):,} lines laid out alike, {where}{rows[0] + 1:,}–{rows[-1] + 1:,}{text}", 0))
    return result


def contents(lines: Sequence[str], filled: Sequence[int]) -> Sequence[int]:
    """The titles (by index) of a table of contents, each right above the address of its page; empty where a line is
    neither."""
    titles, addresses = filled[::2], [lines[i].strip() for i in filled[1::2]]
    named = all(map(_PLACE.fullmatch, addresses)) and not any(_PLACE.fullmatch(lines[i].strip()) for i in titles)
    return titles if named and len(titles) == len(addresses) >= ROWS else ()


def _tables(lines: Sequence[str]) -> list[tuple[list[int], list[int]]]:
    """The lines and the rows of each table (by index): lines right below each other that have cells and hold a number,
    but for what goes on with a cell, or single ones of as many words with a line or two between them, which belong to
    them."""
    runs, last = [list[int]()], list[int]()
    for within, run in groupby(range(len(lines)), key=lambda i: _hangs(lines[i]) or _is_row(lines[i])):
        rows = [i for i in run if not _hangs(lines[i])] if within else []
        between = [i for i in range(last[-1] + 1, rows[0]) if not _hangs(lines[i])] if last and rows else []
        alike = len({len(lines[n].split()) for n in (*last, *rows)}) == 1 and all(lines[n].strip() for n in between)
        if rows and not (alike and len(between) <= BETWEEN and max(len(last), len(rows)) <= BETWEEN):
            runs.append([])
            between = []
        runs[-1] += between + rows
        last = rows or last
    tables = ((table, [i for i in table if _is_row(lines[i])]) for table in runs)
    return [(table, rows) for table, rows in tables if len(rows) >= ROWS]


def _branches(lines: Sequence[str]) -> bool:
    """Whether there is a branch of a tree among the lines, as right below what it is of."""
    return any(line.lstrip()[:1] in TREE for line in lines)


def deep(line: str) -> int:
    """How far in it stands, behind what draws a tree or a list."""
    return len(line) - len(line.lstrip(DRAWN))


def _hangs(line: str) -> bool:
    """Whether a line goes on with a cell of the row above it."""
    return line[:DEEP].isspace() and len(line) > DEEP


def _is_row(line: str) -> bool:
    return any(map(str.isdigit, line)) and _APART.match(line) is not None and len(line.split(None, CELLS)) >= CELLS


def _states(words: Sequence[Sequence[re.Match[str]]], n: int) -> str:
    """What the nth word of rows is, where it is one of a few below each other."""
    column = Counter(row[n].start() for row in words).most_common(1)[0][0]
    below = [(row[0][0], row[n][0]) for row in words if row[n].start() == column]
    counts = Counter(state for _, state in below)
    if len(below) < BELOW * len(words) or not 1 < len(counts) <= STATES or not all(map(_WORD.fullmatch, counts)):
        return ""
    named = n > 0 and len({name for name, _ in below}) == len(below)
    texts = []
    for state, many in counts.most_common():
        own = [name for name, other in below if other == state] if named and many <= FEW else []
        texts.append(f"{state} {many:,}" + (f" ({', '.join(own)})" if own else ""))
    texts += [f"{len(words) - len(below):,} other"] if len(below) < len(words) else []
    return f"{n + 1} {' · '.join(texts)}"


def _ranked(words: Sequence[str]) -> list[int]:
    """The numbers that these are, where none is larger than the one before it."""
    sizes = [int(word) if word.isdecimal() and len(word) <= DIGITS else -1 for word in words]
    return sizes if sizes[0] > sizes[-1] >= 0 and all(a >= b for a, b in pairwise(sizes)) else []


def parents(lines: Sequence[str]) -> list[int]:
    """The number of the line that each stands below (0: none): the nearest that is less far in and no row, else what
    stands above a ruler: up to a blank line, but for a title, which has one right below the ruler."""
    holders, above, title, says = [0] * len(lines), list[tuple[int, int]](), False, [False, False]
    for i, line in enumerate(lines):
        says.append(any(map(str.isalnum, line)))
        depth, ruled = deep(line), bool(above) and above[0][0] == RULED
        while says[-1] and above and above[-1][0] >= depth:
            above.pop()
        if says[-1]:
            holders[i] = above[-1][1] if above else 0
            above += [(depth, i + 1)] * (not _is_row(line))
        elif says[-2] > says[-3] and len(line.strip()) >= RULER and (title or not ruled):
            above, title = [(RULED, i)], not "".join(lines[i + 1 : i + 2]).strip()
        elif ruled and not (title or line.strip()):
            above = []
    return holders


def reach(below: Sequence[int]) -> dict[int, Reach]:
    """How far each block goes on, by the numbers of its lines and of the one that they stand below."""
    within = {n: parent for n, parent in enumerate(below, 1) if parent}
    lasts = {parent: n for n, parent in within.items()}
    held = {n: Reach(lasts[parent]) for n, parent in within.items()}
    return held | {parent: Reach(last, within.get(parent + 1) == parent) for parent, last in lasts.items()}


def sums_up(lines: Sequence[str]) -> tuple[int, set[int]]:
    """The line (by index) that tells a total of it all, and with it the last lines that hold a number."""
    total = max(matching(_TOTAL, lines), default=-1)
    worded = [i for i, line in enumerate(lines) if any(map(str.isalnum, line))][-LAST:]
    return total, {total, *(i for i in worded if any(map(str.isdigit, lines[i])))}


def in_order(items: Sequence[Item], lines: Sequence[str]) -> list[Item]:
    """The first lines say what it is, the last what it comes to; the first rows of each table stand together. What is
    indented stands with the line that it stands below, rows with what heads them."""
    tables = _tables(lines)
    place = {i: n for table, _ in tables for n, i in enumerate(table)}
    large = {i for _, rows in tables for i in _largest(lines, rows)}
    ranked = {i for table, rows in tables if _ranked([lines[n].split()[0] for n in rows]) for i in table}
    below, stands = parents(lines), dict[int, int]()  # by number: where the line stands, maybe with others
    total, sums = sums_up(lines)
    top = min((table[0] for table, _ in tables), default=0)
    top = top if top <= TOPMOST else 0
    begun, head, ordered = 0, 0, list[Item]()
    for n, item in enumerate(items):
        i = item.start - 1
        row = place.get(i)
        own, item.under = min(item.weight, 1.0), stands.get(below[i], 0)
        stands[item.start] = item.start
        if row is None and ordered and _hangs(lines[i]):
            above_it = 0 if ordered[-1].start - 1 in place else ordered[-1].under
            item.under, item.weight = above_it or ordered[-1].start, ordered[-1].weight * own * BELOW_IT
        elif row is None:
            item.under, first = item.under or _title(ordered, item, lines), not head or i < top
            if any(map(str.isalnum, lines[i])):
                head = item.start
                least = LEADS if not item.under and (_leads(lines, i) or i - 1 in place) else END
                first |= i in sums and item.start - (item.under or item.start) <= HEADED
                own *= TOP * ROW if first else max(least, TOP * math.pow(LATER, n))
            item.weight = own
        elif 0 < row < TOGETHER and item.weight >= FOLDED and ordered and _goes_on(ordered[-1], item):
            last = ordered[-1]
            margin = " " * len(at_line(last.start, lines[i])[: -len(lines[i])])
            stands[item.start] = last.start
            last.text, last.end, last.whole = f"{last.text}\n{margin}{lines[i].rstrip()}", i + 1, True
            continue
        else:
            begun = begun if row else n
            if _is_row(lines[i]):
                item.under = item.under or (head if head >= item.start - row - HEADED else 0)
            elif not _leads(lines, i):
                item.under = ordered[-1].start  # it tells more of the row above it
            elif row >= TOGETHER:
                own = FOLDED / 2  # it comes along with its rows
            least = 0.0 if i in ranked else END
            weight = max(END, TOP * math.pow(LATER, begun)) * max(least, ROW * math.pow(BELOW_IT, row))
            weight = TOP * ROW if i in (total, items[-1].start - 1) else weight * (LARGE if i in large else 1.0)
            item.weight = weight * (1.0 if own >= FOLDED else own)
        ordered.append(item)
    return ordered


def _leads(lines: Sequence[str], i: int) -> bool:
    """Whether others stand farther in below a line, or a blank one above it."""
    return deep(lines[min(i + 1, len(lines) - 1)]) > deep(lines[i]) or not lines[max(i - 1, 0)].strip()


def _title(items: Sequence[Item], item: Item, lines: Sequence[str]) -> int:
    """The number of the line right above names of columns, where it is none of them."""
    names, right = lines[item.start - 1], items and items[-1].end + 1 == item.start
    if not right or not _APART.match(names) or any(sign.isdigit() or sign == ":" for sign in names):
        return 0
    title = lines[items[-1].end - 1]
    return items[-1].start if _LETTERED.match(title) and not _APART.match(title) and not _hangs(title) else 0


def _goes_on(above: Item, item: Item) -> bool:
    """Whether a row can be said with those above it."""
    return not above.keep and not item.keep and above.end + 1 == item.start and len(above.text) < BLOCK


def _largest(lines: Sequence[str], rows: Sequence[int]) -> Iterator[int]:
    """The row with the largest number of each column, but the last, which may be their sum."""
    words = [lines[i].split() for i in rows]
    for n in range(min(map(len, words))):
        sizes = [int(row[n]) if row[n].isdecimal() and len(row[n]) <= DIGITS else -1 for row in words[:-1]]
        if min(sizes) >= 0 and len({*sizes}) > 1:
            yield rows[sizes.index(max(sizes))]
