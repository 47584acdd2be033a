"""What column statistics mean: the rows that stand out, and the facts a reader needs first.

``marks`` applies the rules of design §4 (severity weighed by its rarity in the field, rare values of few-valued
fields, robust numeric outliers, odd schema and types, shapes that occur once); ``facts`` words the statistics.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from mcpcompact.content.anomalies import words as failures
from mcpcompact.content.anomalies.tallies import median
from mcpcompact.content.columns.alarms import (
    CODE,
    MIN_ROWS,
    RARE_SHARE,
    STATUS,
    Mark,
    booleans,
    errors,
    few,
    full,
    severe,
)
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.survey import MAX_NAMES, Columns
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, show

LOSSES = regex(r"(?i)(?:action|operation|change)s?=(?:delete|destroy|remove|drop|replace)d?$")
SENTENCE = 30  # characters of a text in the mean
SHAPES, USUAL = 8, 0.8  # of more shapes than these; the share of one shape from which on another one stands out
CAP = 12  # marked rows shown of one cause
CLOCK = regex(
    r"(?i)(?:^|[._])(?:ts|time|date|timestamp|epoch|year|.*(?:_at|_time|_date|_ts|timestamp)|.*(?:Time|Date|At))$"
)
SERIAL = regex(
    r"(?i)(?:^|[._])(?:id|.*_id|pid|ppid|uid|gid|port|zip|postcode|line|row|index|offset|number|no|lat|lng|lon|latitude|longitude|seq|version)$|Id$"
)
_DIGITS = regex(r"\d+")


def telling(mark: Mark) -> tuple[int, int, bool, int]:
    """Sort key, the most telling first: severe before rare, rare causes first, a word before true or false."""
    return -mark.keep, mark.count, mark.reason.endswith(("=true", "=false")), mark.row


# -- marks ------------------------------------------------------------------------------------------------------


def marks(stats: Columns) -> list[Mark]:
    """Every row that stands out, the most telling first; at most ``CAP`` of one cause."""
    found: list[Mark] = []
    stats.name()
    for column in stats.columns.values():
        group = stats.total if column.path.count("[]") == 0 else max(stats.total, column.scalars)
        found += severe(column, group)
        found += errors(column, group)
        found += full(column)
        if stats.total < MIN_ROWS:
            continue
        found += booleans(column)
        found += _losses(column)
        found += _rare_values(column)
        found += _rare_words(column)
        found += _outliers(column)
        found += _odd_kinds(column)
        found += _repeats(column)
    found += _odd_shapes(stats)
    found.sort(key=lambda m: (-m.keep, m.count, m.row))
    return _bounded(_once(found), stats.total)


def _once(found: list[Mark]) -> list[Mark]:
    """One mark a row and field; an extra key needs no mark when something below it or in its stead has one."""
    said: set[tuple[int, str]] = set()
    severe: set[int] = set()
    out = []
    for mark in found:
        if (mark.row, mark.column) in said or (mark.row in severe and mark.reason.startswith("no ")):
            continue
        if mark.template.endswith(" extra") and any(r == mark.row and c.startswith(mark.column) for r, c in said):
            continue
        said.add((mark.row, mark.column))
        if mark.keep == Keep.SEVERE:
            severe.add(mark.row)
        out.append(mark)
    return out


def _bounded(found: list[Mark], total: int) -> list[Mark]:
    """Rows that several rules name come first; a cause gives at most CAP rows, all causes about 2 % of the records."""
    votes: dict[int, set[str]] = {}
    for mark in found:
        votes.setdefault(mark.row, set()).add(mark.template)
    found.sort(key=lambda m: (-m.keep, m.count, -len(votes[m.row]), m.row))
    room = max(CAP, total // 50)
    rows: set[int] = set()
    used: dict[str, int] = {}
    kept = []
    for mark in found:
        if mark.row not in rows and (
            used.get(mark.template, 0) >= CAP or len(rows) >= (2 * room if mark.keep == Keep.SEVERE else room)
        ):
            continue
        used[mark.template] = used.get(mark.template, 0) + 1
        rows.add(mark.row)
        kept.append(mark)
    return kept


def _words(value: Any) -> set[str]:
    return {_bare(w) for w in str(value).split()}


def _bare(word: str) -> str:
    """A word without its digits, case and the punctuation around it."""
    return _DIGITS.sub("", word).strip(".,:;!?()[]{}\"'`").lower()


def uncommon(counts: Mapping[Any, int], most: int = 5) -> list[Any]:
    """The few values far rarer than all others: at most 0.5 % each, and the next one three times as frequent."""
    n = sum(counts.values())
    if n < MIN_ROWS or len(counts) < 2:
        return []
    ranked = sorted(counts.items(), key=lambda item: (item[1], str(item[0])))
    limit = max(1, RARE_SHARE * n)
    for size in range(min(most, len(ranked) - 1), 0, -1):
        here, after = ranked[size - 1][1], ranked[size][1]
        if here <= limit and after >= 3 * here and sum(c for _, c in ranked[:size]) <= max(size, 0.01 * n):
            return [value for value, _ in ranked[:size]]
    return []


def _rare_values(column: Column) -> Iterable[Mark]:
    path = column.path
    if column.numbers_tally is not None and len(column.numbers_tally.counts) <= 12 and not CLOCK.search(path):
        counts = column.numbers_tally.counts
        usual = [column.number_of.get(v, v) for v in counts if v not in (odd := uncommon(counts))]
        for value in odd if usual else ():
            reach = max(usual) - min(usual)
            number = column.number_of.get(value, value)
            if not CODE.search(path) and min(usual) - reach <= number <= max(usual) + reach:
                continue  # the end of a range, no stranger
            for row in column.numbers_tally.rows.get(value, ()):
                yield Mark(
                    row,
                    Keep.RARE,
                    path,
                    f"{column.label}={column.shown(value)}, {_usual(column, counts)}",
                    f"{column.label} rare",
                    counts[value],
                )
    if column.tally is None or column.kinds["string"] < MIN_ROWS:
        return
    tally, level, example = column.tally, column.level, column.template_of
    while True:
        odd = uncommon(tally.counts) if level < 2 or len(tally.counts) <= 12 else []
        if (
            level >= 0
            and odd
            and len(tally.counts) > SHAPES
            and max(tally.counts.values()) < USUAL * column.kinds["string"]
        ):
            return  # names of many shapes
        for value in odd:
            count = tally.counts[value]
            text = show(value if level < 0 else example.get(value, ""))
            what = f"{column.label}={text}"
            if level >= 0:
                what += ", the only one of its shape" if count == 1 else f" or alike, {count} only of this shape"
            for row in tally.rows.get(value, ()):
                yield Mark(row, Keep.RARE, path, what, f"{column.label} rare", count)
        if odd or level >= 2 or len(tally.counts) <= 12:
            return
        some = list(tally.counts)[:50]
        if level >= 0 and sum(" " in v for v in some) * 10 > len(some):
            return  # names and prose have no shape
        tally, example = column.coarser(tally, level, example)
        level += 1


def _losses(column: Column) -> Iterable[Mark]:
    """What is planned to be removed, where most is not."""
    counts = column.tally.counts if column.tally is not None and column.level < 0 else {}
    for value, count in counts.items():
        text = f"{column.label}={value}"
        if LOSSES.search(text) and count * 2 < sum(counts.values()):
            for row in column.tally.rows[value] if column.tally else ():
                yield Mark(row, Keep.RARE, column.path, text, text, count)


def _usual(column: Column, counts: Mapping[Any, int]) -> str:
    """Beside a rare number: how many hold the usual one; no share, as the field may be absent or a text elsewhere."""
    value, count = max(counts.items(), key=lambda item: (item[1], str(item[0])))
    if count * 2 > sum(counts.values()):
        return f"{column.shown(value)} in {counted(count, 'other')}"
    return f"one of {len(counts)} different numbers"


def _rare_words(column: Column) -> Iterable[Mark]:
    """A text with a word that occurs nowhere else, where nearly all other texts share their words."""
    where: dict[str, list[int]] = {}
    if column.vocabulary is not None:
        n = column.texts
        if len(column.vocabulary.counts) < 50_000:
            where = {
                w: column.vocabulary.rows.get(w, [])
                for w, k in column.vocabulary.counts.items()
                if k <= 2 and w.strip(".,:;").isalpha()
            }
    elif (
        column.tally is not None
        and column.level <= 0
        and len(column.tally.counts) > 12
        and column.kinds["string"] >= 50
    ):
        n, counts = column.kinds["string"], column.tally.counts
        known: dict[str, int] = {}
        for value, count in counts.items():
            for word in _words(value):
                known[word] = known.get(word, 0) + count
        for value, rows in column.tally.rows.items():
            for raw in value.split():
                word = _bare(raw)
                if known[word] <= 2 and word.isalpha() and not _DIGITS.search(raw):  # no version: 1ubuntu0.3
                    where.setdefault(word, []).extend(rows)
    else:
        return
    by_row: dict[int, str] = {}
    for word in sorted((w for w in where if len(w) >= 3), key=lambda w: (-len(w), w)):
        for row in where[word]:
            by_row.setdefault(row, word)
    if n >= 50 and by_row and few(len(by_row), n, RARE_SHARE):
        for row, word in sorted(by_row.items()):
            here = "only here" if set(where[word]) == {row} else "rare word"
            yield Mark(
                row, Keep.RARE, column.path, f"{column.label}: {here} “{word}”", f"{column.label} word", len(by_row)
            )


def _outliers(column: Column) -> Iterable[Mark]:
    """Beyond five times the 5–95 % range, and by the median absolute deviation (Iglewicz and Hoaglin 1993)."""
    numbers, path = column.numbers, column.path
    if (
        not numbers.candidates
        or numbers.count < MIN_ROWS
        or numbers.rising
        or CLOCK.search(path)
        or SERIAL.search(path)
        or column.mixed
    ):
        return
    ordered = sorted(numbers.sample)
    p5, p95 = (ordered[min(len(ordered) - 1, int(q * len(ordered)))] for q in (0.05, 0.95))
    middle = median(ordered)
    deviation = median(sorted(abs(v - middle) for v in ordered)) * 1.4826
    width = p95 - p5 or max(abs(middle) * 0.5, 1)

    def far(value: float, times: float) -> bool:
        if deviation and abs(value - middle) < 8 * deviation and not 0 < value < p5:
            return False
        if value > p95 + times * width or value < p5 - times * width:
            return True
        small = p5 * 10 > p95 and value < p5 / 10 and value < p5 * (p5 / p95) ** 2  # of a bulk well above zero
        return (value > 0 and small) or (value < 0 <= p5)

    seen = sorted(
        {(r, v, t) for r, v, t in numbers.candidates if far(v, 5)}, key=lambda rvt: (-abs(rvt[1] - middle), rvt[0])
    )
    if len(seen) > max(3, 0.001 * numbers.count):  # a heavy tail: only what is far out on a log scale too
        reach = math.log1p(max(p95 - middle, 0)) - math.log1p(0)
        seen = [(r, v, t) for r, v, t in seen if v > p95 and math.log1p(v - middle) > 2 * reach and far(v, 20)]
        if len(seen) > max(3, 0.002 * numbers.count):
            return
    for row, value, written in seen[:CAP]:
        reason = f"{column.label}={written or column.shown(value)}, median {column.median}"
        yield Mark(row, Keep.OUTLIER, path, reason, f"{column.label} outlier", len(seen))


def _odd_kinds(column: Column) -> Iterable[Mark]:
    n = sum(column.kinds.values())
    if n < MIN_ROWS or len(column.kinds) < 2:
        return
    usual = max(sorted(column.kinds), key=lambda k: column.kinds[k])
    for kind, count in sorted(column.kinds.items()):
        if kind == usual or not few(count, n, RARE_SHARE) or (usual == "null" and n < 50):
            continue
        keep = Keep.RARE
        text = f"{column.label} is {column.called(kind)}, mostly {column.called(usual)}"
        for row in column.rows_by_kind.get(kind, ()):
            yield Mark(row, keep, column.path, text, text, count)


def _repeats(column: Column) -> Iterable[Mark]:
    if column.seen is None or not column.duplicates or column.present < MIN_ROWS:
        return
    if few(column.duplicates, column.present, 0.01):
        for row, value in column.repeats:
            yield Mark(
                row,
                Keep.RARE,
                column.path,
                f"{column.label}={show(value)} occurs again",
                f"{column.label} twice",
                column.duplicates,
            )


def _odd_shapes(stats: Columns) -> Iterable[Mark]:
    """A key that nearly no record has, or that nearly every record has."""
    sparse, missing = [], []
    for column in stats.columns.values():
        if not column.steps or column.steps[-1] in ("[]", "len()"):
            continue
        group = column.group
        of = stats.groups.get(group, 0)
        if of < MIN_ROWS:
            continue
        if few(column.present, of, RARE_SHARE):
            sparse.append(column)
        elif column.present < of and few(of - column.present, of, RARE_SHARE):
            missing.append((column, group, of - column.present))
    if len(sparse) <= 20:
        for column in sparse:
            rows = sorted({r for held in column.rows_by_kind.values() for r in held})
            value = f"={show(column.examples[0])}" if column.examples and column.present == 1 else ""
            here = "only here" if len(rows) == 1 and "[]" not in column.steps else "hardly anywhere else"
            for row in rows:
                yield Mark(
                    row,
                    Keep.RARE,
                    column.path,
                    f"{here}: {column.label}{value}",
                    f"{column.label} extra",
                    column.present,
                )
    if len(missing) <= 20:
        for column, group, count in missing:
            for keys, (_, rows) in stats.shapes.get(group, {}).items():
                if column.steps[-1] not in keys:
                    for row in rows:
                        yield Mark(row, Keep.RARE, column.path, f"no {column.label}", f"{column.label} missing", count)


def _tells(column: Column) -> bool:
    """Whether a failure would stand here: a state, or sentences."""
    return bool(STATUS.search(column.path)) or column.characters > SENTENCE * max(1, column.texts)


def unnamed(stats: Columns) -> bool:
    """Whether no key and no text of any record names a failure, denied or not; False where not all was looked at."""
    if stats.beyond or stats.too_deep or len(stats.names) >= MAX_NAMES:
        return False
    if not any(_tells(column) for column in stats.columns.values()):
        return False  # of names and numbers nobody would expect it
    return not any(
        column.mentions is not False
        or failures.mentions(column.path)
        or (column.values is None and CODE.search(column.path) and column.numbers.hi >= 500)
        for column in stats.columns.values()
    )
