"""What a command prints: values behind their names, or rows in columns. It is read from the top."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from mcpcompact.content.shared.lines import at_line
from mcpcompact.content.text import sections
from mcpcompact.outline import Fact, Item
from mcpcompact.patterns import regex

LAID_OUT, FOREIGN = 0.7, 0.25  # of the lines: values or rows; at most, how source and sentences end
LEAST, PART = 12, 3  # lines; the first third is laid out in part, at least
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

_LAID_OUT = regex(r"[ \t]*\S.{0,80}?(?:(?: {2,}|\t|\.{5,})[ \t]*\S| ?[:=] ?\S+(?: \S+){0,3}$)")
_APART = regex(r"[ \t]*\S.{0,160}?(?: {2}|\t)[ \t]*\S")
TOPMOST = 8  # lines above the first table that say what it is about
_LETTERED = regex(r"\s*[^\W\d_]")
_CELL = regex(r"\S+")
_WORD = regex(r"[A-Za-z][A-Za-z_/-]{0,23}")  # of a state
_FOREIGN = regex(r".*[.;,{}(]$|[ \t]*[\"'{]")


def is_page(lines: Sequence[str], filled: Sequence[int], apart: bool = False) -> bool:
    """Whether most lines are laid out, and a third of the first third: a name and its value, or cells with blanks
    between them (``apart``: all of them)."""
    said = {i: lines[i].rstrip() for i in filled if any(map(str.isalnum, lines[i]))}
    if len(said) < LEAST or sum(_FOREIGN.match(line) is not None for line in said.values()) > FOREIGN * len(said):
        return False
    pattern, tables = _APART if apart else _LAID_OUT, {i for table in _tables(lines) for i in table}
    laid = [
        (i in tables or _hangs(line) or pattern.match(line) is not None) and sections.weight(line) > sections.ROUTINE
        for i, line in said.items()
    ]
    first = laid[: len(laid) // PART]
    return sum(laid) >= LAID_OUT * len(laid) and sum(first) * PART >= len(first)


def facts(lines: Sequence[str]) -> list[Fact]:
    """How many rows the largest tables have, and of their words that are one of a few how often each is there."""
    told = []
    for rows in sorted((_rows(lines, table) for table in _tables(lines)), key=len, reverse=True)[:TABLES]:
        words = [[*_CELL.finditer(lines[i])] for i in rows]
        columns = [said for n in range(min(map(len, words))) if (said := _states(words, n))]
        said = "".join(f"; word {n}" for n in columns[:COLUMNS])
        if not said and PART * len(rows) < len(lines):
            continue
        told.append(Fact(f"{len(rows):,} lines laid out alike, {rows[0] + 1:,}–{rows[-1] + 1:,}{said}", 0))
    return told


def _tables(lines: Sequence[str]) -> Iterator[list[int]]:
    """The rows of each table (by index): lines right below each other that have cells and hold a number, but for what
    goes on with a cell, or single ones of as many words with a line or two between them, which belong to them."""
    table, last = list[int](), list[int]()
    for within, run in groupby(range(len(lines)), key=lambda i: _hangs(lines[i]) or _is_row(lines[i])):
        rows = [i for i in run if not _hangs(lines[i])] if within else []
        between = [i for i in range(last[-1] + 1, rows[0]) if not _hangs(lines[i])] if last and rows else []
        alike = len({len(lines[n].split()) for n in (*last, *rows)}) == 1 and all(lines[n].strip() for n in between)
        if rows and not (alike and len(between) <= BETWEEN and max(len(last), len(rows)) <= BETWEEN):
            if len(_rows(lines, table)) >= ROWS:
                yield table
            table, between = [], []
        table += between + rows
        last = rows or last
    if len(_rows(lines, table)) >= ROWS:
        yield table


def _rows(lines: Sequence[str], table: Sequence[int]) -> list[int]:
    return [i for i in table if _is_row(lines[i])]


def _hangs(line: str) -> bool:
    """Whether a line goes on with a cell of the row above it."""
    return line[:DEEP].isspace() and len(line) > DEEP


def _is_row(line: str) -> bool:
    return any(map(str.isdigit, line)) and _APART.match(line) is not None and len(line.split(None, CELLS)) >= CELLS


def _states(words: Sequence[Sequence[re.Match[str]]], n: int) -> str:
    """What the nth word of rows is, where it is one of a few below each other."""
    column = Counter(row[n].start() for row in words).most_common(1)[0][0]
    below = [(row[0][0], row[n][0]) for row in words if row[n].start() == column]
    counts = Counter(said for _, said in below)
    if len(below) < BELOW * len(words) or not 1 < len(counts) <= STATES or not all(map(_WORD.fullmatch, counts)):
        return ""
    named = n > 0 and len({name for name, _ in below}) == len(below)
    told = []
    for said, many in counts.most_common():
        own = [name for name, other in below if other == said] if named and many <= FEW else []
        told.append(f"{said} {many:,}" + (f" ({', '.join(own)})" if own else ""))
    told += [f"{len(words) - len(below):,} other"] if len(below) < len(words) else []
    return f"{n + 1} {' · '.join(told)}"


def in_order(items: Sequence[Item], lines: Sequence[str]) -> list[Item]:
    """The first lines say what it is, the last what it comes to; the first rows of each table stand together. What is
    indented stands with the line that it stands below, rows with what heads them."""
    tables = [*_tables(lines)]
    place = {i: n for rows in tables for n, i in enumerate(rows)}
    large = {i for table in tables for i in _largest(lines, _rows(lines, table))}
    above: list[tuple[int, int]] = []  # depth and number of the lines that those below them are of
    top = min((rows[0] for rows in tables), default=0)
    top = top if top <= TOPMOST else 0
    begun, head, made = 0, 0, list[Item]()
    for n, item in enumerate(items):
        i = item.start - 1
        row, last = place.get(i), n >= len(items) - LAST and any(map(str.isdigit, lines[i]))
        own = min(item.weight, 1.0)
        if row is None and made and _hangs(lines[i]):
            above_it = 0 if made[-1].start - 1 in place else made[-1].under
            item.under, item.weight = above_it or made[-1].start, made[-1].weight * own * BELOW_IT
        elif row is None:
            depth = len(lines[i]) - len(lines[i].lstrip())
            item.under, first = _above(above, depth) or _title(made, item, lines), not head or i < top
            if any(map(str.isalnum, lines[i])):
                above.append((depth, item.start))
                head = item.start
                least = LEADS if not item.under and (_leads(lines, i) or i - 1 in place) else END
                own *= TOP * ROW if first or (last and not item.under) else max(least, TOP * math.pow(LATER, n))
            item.weight = own
        elif 0 < row < TOGETHER and item.weight >= FOLDED and _goes_on(made[-1:], item):
            margin = " " * len(at_line(made[-1].start, lines[i])[: -len(lines[i])])
            made[-1].text, made[-1].end, made[-1].whole = f"{made[-1].text}\n{margin}{lines[i].rstrip()}", i + 1, True
            continue
        else:
            begun = begun if row else n
            item.under = head if head >= item.start - row - HEADED else 0
            item.under = item.under if _is_row(lines[i]) else made[-1].start  # it tells more of the row above it
            weight = max(END, TOP * math.pow(LATER, begun)) * max(END, ROW * math.pow(BELOW_IT, row))
            weight = TOP * ROW if n == len(items) - 1 else weight * (LARGE if i in large else 1.0)
            item.weight = weight * (1.0 if item.weight >= FOLDED else own)
        made.append(item)
    return made


def _leads(lines: Sequence[str], i: int) -> bool:
    """Whether others stand farther in below a line, or a blank one above it."""
    below = lines[min(i + 1, len(lines) - 1)]
    return len(below) - len(below.lstrip()) > len(lines[i]) - len(lines[i].lstrip()) or not lines[max(i - 1, 0)].strip()


def _title(made: Sequence[Item], item: Item, lines: Sequence[str]) -> int:
    """The number of the line right above names of columns, where it is none of them."""
    names, right = lines[item.start - 1], made and made[-1].end + 1 == item.start
    if not right or not _APART.match(names) or any(sign.isdigit() or sign == ":" for sign in names):
        return 0
    title = lines[made[-1].end - 1]
    return made[-1].start if _LETTERED.match(title) and not _APART.match(title) and not _hangs(title) else 0


def _above(above: list[tuple[int, int]], depth: int) -> int:
    """The number of the line that one of such a depth stands below."""
    while above and above[-1][0] >= depth:
        above.pop()
    return above[-1][1] if above else 0


def _goes_on(above: Sequence[Item], item: Item) -> bool:
    """Whether a row can be said with those above it."""
    return any(not one.keep and not item.keep and one.end + 1 == item.start and len(one.text) < BLOCK for one in above)


def _largest(lines: Sequence[str], rows: Sequence[int]) -> Iterator[int]:
    """The row with the largest number of each column, but the last, which may be their sum."""
    words = [lines[i].split() for i in rows]
    for n in range(min(map(len, words))):
        sizes = [int(row[n]) if row[n].isdecimal() and len(row[n]) <= DIGITS else -1 for row in words[:-1]]
        if min(sizes) >= 0 and len({*sizes}) > 1:
            yield rows[sizes.index(max(sizes))]
