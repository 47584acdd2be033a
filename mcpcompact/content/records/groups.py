"""What a table comes to as a whole: its rows by group and by the beginnings of names, and the rows at either end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import isclose

from mcpcompact.content.anomalies.thresholds import MIN_RARE
from mcpcompact.content.columns.alarms import Mark
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import CLOCK, SERIAL
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.columns.wording import CHANGE, VERSION
from mcpcompact.content.records.choice import periods
from mcpcompact.content.records.sample import Sheet, number_in
from mcpcompact.content.records.shapes import leading
from mcpcompact.content.shared.reports import is_severity, rank
from mcpcompact.outline import Fact, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import rounded

MIN, MAX = 2, 12  # groups
ROWS = 3  # of a group, in the mean, at least
MEASURES = 3  # columns of numbers
VALUES = 6  # of a column of numbers, more than these
BULK = 0.9  # of the rows that the largest group has, at most; of its times, at least, that a total is one
SUMS = 5  # times, at least
LONG = 100  # rows; of fewer their groups are seen
LABEL = 40  # characters of a group's name
_KEY = regex(r"(?i)key$")
_DATED = regex(r"\d{4}[-/]\d\d")
_PERIODS = (7, 4)  # characters of a date: its month, its year

Measure = dict[int, tuple[float, str]]
"""Of rows the number of a column, and how it is written."""


def grouped(sheet: Sheet, chosen: Sequence[Column]) -> list[Fact]:
    """How the rows divide, where all are at hand: by the values of a field, by how names begin, by periods."""
    return [*_by_group(sheet, chosen), *_by_prefix(sheet), *_by_period(sheet)] if sheet.whole else []


def _by_group(sheet: Sheet, chosen: Sequence[Column]) -> list[Fact]:
    """One table: a line for each value of the field that divides many more rows, or for each month or year."""
    numbers = sheet.numbers
    measures = [(column, amounts) for column in chosen if (amounts := measure(column, sheet))][:MEASURES]
    dates = _clock(sheet, chosen)
    for label, keys in _divided(sheet, chosen, dates) if measures else ():
        rows: dict[str, list[int]] = {}
        for number, key in zip(numbers, keys, strict=True):
            rows.setdefault(key, []).append(number)
        if label.endswith("]"):  # periods, the newest first: a table is cut at its end
            rows = dict(sorted(rows.items(), reverse=True))
        elif is_severity(label):
            rows = dict(sorted(rows.items(), key=lambda group: rank(group[0])))
        several = MIN <= len(rows) <= MAX and len(numbers) >= ROWS * len(rows)
        several = several and 2 * sum(len(held) > 1 for held in rows.values()) > len(rows)
        if several and max(map(len, rows.values())) <= BULK * len(numbers):
            sentence = summed(sheet, chosen)[0]
            lines = ["|".join(line) for line in _lines(label, rows, measures, dates, sheet)]
            table = Fact("\n".join(lines), 1 + label.endswith("]"), rows=len(numbers) > LONG)
            return [Fact(sentence, 0), table] if sentence else [table]
    return []


def _clock(sheet: Sheet, chosen: Sequence[Column]) -> Column | None:
    return next((c for c in chosen if c.scalars == sheet.stats.total and (c.dates or CLOCK.search(c.path))), None)


def summed(sheet: Sheet, chosen: Sequence[Column]) -> tuple[str, set[int]]:
    """The group whose figure is, time by time, the sum of those of all others, and its rows: "All regions" of regions.
    Only where all rows are at hand, and no group has two at a time."""
    clock, cell = _clock(sheet, chosen) if sheet.whole else None, sheet.cell
    texts = [c for c in chosen if c is not clock and not c.kinds["number"] and MIN < len(c.values or ()) <= MAX]
    if clock is None or not texts:
        return "", set()
    figures = ((column, measure(column, sheet)) for column in chosen)
    what, amounts = next((figure for figure in figures if figure[1]), (clock, Measure()))
    for column in texts:
        of = {n: (cell(n, clock), cell(n, column)) for n in amounts}
        sums = dict.fromkeys((time for time, _ in of.values()), 0.0)
        for n, (value, _) in amounts.items():
            sums[of[n][0]] += value
        equal = Counter(of[n][1] for n, (value, _) in amounts.items() if value and isclose(2 * value, sums[of[n][0]]))
        name, many = max(equal.items(), key=lambda pair: pair[1], default=("", 0))
        rows = {n for n, (_, group) in of.items() if group == name}
        if len({*of.values()}) == len(of) and many >= SUMS and many >= BULK * len(rows):
            text = f"{what.label}: {name} is the sum of the other {column.label} values"
            return f"{text} in {many:,} of {len(rows):,} {clock.label} values", rows
    return "", set()


def _by_period(sheet: Sheet) -> list[Fact]:
    """Of columns that are years, quarters or months how their figures go: of the row of totals, else the means of all
    rows; the first and the last, the least and the most."""
    times, cell = periods(sheet.stats), sheet.cell
    first = next((column for column in sheet.stats.columns.values() if column.texts), None)
    totals = [n for n in sheet.numbers if first is not None and TOTAL.fullmatch(cell(n, first))] if times else []
    rows, means, whole = totals if len(totals) == 1 else sheet.numbers, list[tuple[str, float]](), True
    for column in times:
        numbers = [number_in(cell(n, column).replace(",", "")) for n in rows]
        values = [value for value in numbers if value is not None]
        if len(values) * 2 > len(rows):
            means.append((column.label, sum(values) / len(values)))
            whole = whole and len(values) == len(rows)
    if len(means) < len(times) / 2 or len(means) < MIN:
        return []
    whose = f"row #{totals[0]} {cell(totals[0], first)}" if rows is totals and first else f"mean of {len(rows):,} rows"
    whose += "" if whole else " but for empty cells"
    low, high = (choose(means, key=lambda pair: pair[1]) for choose in (min, max))
    ends = [("", means[0]), ("", means[-1]), ("least ", low), ("most ", high)]
    text = " · ".join(f"{what}{label} {rounded(value)}" for what, (label, value) in ends)
    return [Fact(f"{times[0].label} to {times[-1].label}, {len(times)} columns, {whose}: {text}", 0)]


def by_clock(sheet: Sheet) -> list[Fact]:
    """From when to when entries are, where their times are no dates to compare: of the first and the last row."""
    stats, total = sheet.stats, sheet.stats.total
    columns = (c for c in stats.columns.values() if len(c.steps) == 1 and c.texts == total)
    clock = next((c for c in (*leading(stats)[:1], *columns) if CLOCK.search(c.path) and c.texts and not c.dates), None)
    if clock is None or not {1, total}.issubset(sheet.numbers):
        return []
    return [Fact(f"{clock.label}: {sheet.cell(1, clock)} (#1) to {sheet.cell(total, clock)} (#{total})", 1)]


AMOUNT = regex(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
TOTAL = regex(r"(?i)(?:grand )?total\b.{0,24}|all|sum|overall|world")


def measure(column: Column, sheet: Sheet) -> Measure:
    """A column of plain quantities in most rows, also of texts that are amounts: ``1,234,000``."""
    few = column.values is not None and len(column.values) <= VALUES
    aside = any(kind.search(column.path) for kind in (_KEY, SERIAL, CLOCK)) or "[]" in column.steps or column.mixed
    if few or aside or max(column.kinds["number"], column.texts) * 2 <= sheet.stats.total:
        return {}
    texts = zip(sheet.numbers, sheet.texts(column), strict=True)
    plain = ((n, text, text.replace(",", "") if AMOUNT.fullmatch(text) else text) for n, text in texts)
    amounts = {n: (value, text) for n, text, bare in plain if (value := number_in(bare)) is not None}
    written = not column.texts or any("," in text for _, text in amounts.values())  # else a code, a version
    return amounts if written and len(amounts) == (column.kinds["number"] or column.texts) else {}


def _divided(sheet: Sheet, chosen: Sequence[Column], dates: Column | None) -> Iterator[tuple[str, list[str]]]:
    """What may divide the rows: a text of few values, then the month, then the year."""
    for column in chosen:
        few = column.values is not None and MIN <= len(column.values) <= MAX and not column.kinds["number"]
        if few and column is not dates and column.scalars == sheet.stats.total and "[]" not in column.steps:
            yield column.label, sheet.texts(column)
    written = sheet.texts(dates) if dates is not None else []
    if dates is not None and all(map(_DATED.match, written)):
        for size in _PERIODS:
            yield f"{dates.label}[:{size}]", [text[:size] for text in written]


def _lines(
    label: str,
    rows: dict[str, list[int]],
    measures: Sequence[tuple[Column, Measure]],
    dates: Column | None,
    sheet: Sheet,
) -> Iterator[list[str]]:
    first, values = measures[0]
    alone, cell = len(measures) == 1, sheet.cell
    follow = all(held == list(range(held[0], held[-1] + 1)) for held in rows.values())
    series = dates if follow and alone and "[:" not in label and not is_severity(label) else None
    head = [f"by {label}", "rows"]
    head += [f"{series.label} first", "last", f"{first.label} first", "last"] if series else []
    yield [*head, *([f"{first.label} least", "most", "mean"] if alone else [f"{c.label} mean" for c, _ in measures])]
    for key, held in rows.items():
        line = [key[:LABEL] or "(empty)", f"{len(held):,}"]
        if series:
            line += [cell(n, column) for column in (series, first) for n in (held[0], held[-1])]
        if alone:
            some = [values[number] for number in held if number in values]
            line += [min(some)[1], max(some)[1]] if some else ["-", "-"]
        for column, numbers in measures:
            figures = [numbers[number][0] for number in held if number in numbers]
            line.append(column.computed(sum(figures) / len(figures), rounded) if figures else "-")
        yield line


# -- the rows at either end ---------------------------------------------------------------------------------------

EXTREME, LESSER, ENDED = 3.0, 0.01, 4  # weight of the rows at either end (of a frame), less for each next; such columns
SHARED, COMMON, DISTINCT = 2, 0.05, 30  # rows, or their share in a column of so many values, that have an end in common
ENDS_SHARE = 0.6  # of the room for rows, which those at an end have first
TENTH, HALF = 10, 0.5  # of the rows, one in so many, and of a sum, what they hold of it
AT_HAND = 12  # columns whose ends are read


def ends_of(sheet: Sheet, columns: Sequence[Column], aside: Collection[int]) -> dict[int, str]:
    """The rows with the most and the least of the first columns of quantities, changes before levels: none is ordinary,
    and what more than two share, or of many values a small part of the rows, is no end; nor are rows ``aside``, which
    sum others up."""
    notes = dict[int, list[str]]()
    written = [c for c in columns if not c.kinds["number"] and measure(c, sheet)]
    for column in sorted([*quantities(columns), *written], key=lambda c: CHANGE.search(c.name) is None)[:ENDED]:
        several = column.values is None or len(column.values) >= DISTINCT
        most = max(SHARED, COMMON * column.numbers.count * several) if column.numbers.exact else SHARED
        for value, row, times, sign in _ends(column, sheet, aside):
            if times <= most and (value or sign == "↑ most"):
                also = f"{' but for sums' * bool(aside)}{f' (1 of {times})' * (times > 1)}"
                notes.setdefault(row, []).append(f"{sign} {column.label}{also}")
    return {row: f" {', '.join(texts)}" for row, texts in notes.items()}


def heaviest(sheet: Sheet, columns: Iterable[Column]) -> list[int]:
    """The rows by the first quantity of which a tenth of them holds half, the largest first: sizes, times, counts of
    which a reader wants to know where most is. Nothing where none is so."""
    for column in quantities(columns):
        written = zip(sheet.numbers, map(number_in, sheet.texts(column)), strict=True)
        sizes = {n: size for n, size in written if size is not None}
        ordered = sorted(sizes, key=lambda n: (-sizes[n], n))
        if ordered and len(sizes) == len(sheet.numbers) and sizes[ordered[-1]] >= 0:
            total, most = sum(sizes.values()), sum(sizes[n] for n in ordered[: len(ordered) // TENTH])
            if most >= HALF * total > 0:
                return ordered
    return []


def _ends(column: Column, sheet: Sheet, aside: Collection[int]) -> Iterator[tuple[float, int, int, str]]:
    """The least and the largest number, its first row, how many rows have it, and what it is."""
    amounts, held = measure(column, sheet) if aside or column.texts else {}, column.numbers
    values = {n: value for n, (value, _) in amounts.items() if n not in aside}
    for choose, sign in ((min, "↓ least"), (max, "↑ most")):
        if values:
            row = choose(values, key=values.__getitem__)
            yield values[row], row, [*values.values()].count(values[row]), sign
        else:
            value, row = (held.lo, held.lo_row) if choose is min else (held.hi, held.hi_row)
            times = max(1, held.sample.count(value))
            yield value, row, times + SHARED * (times > 1 and not held.exact), sign  # twice in a sample: many


def extremes(columns: Iterable[Column]) -> set[int]:
    """The rows with the most and the least of the first few columns of quantities."""
    return {row for column in quantities(columns)[:AT_HAND] for row in (column.numbers.lo_row, column.numbers.hi_row)}


def quantities(columns: Iterable[Column]) -> list[Column]:
    several = (c for c in columns if c.numbers.count >= MIN_RARE and c.numbers.hi > c.numbers.lo)
    plain = (c for c in several if not (c.mixed or c.numbers.rising or "[]" in c.steps))
    return [c for c in plain if not (CLOCK.search(c.path) or SERIAL.search(c.path))]


# -- lists that are sorted by name, as of packages: evenly spread rows of them say nothing ------------------------

MANY = 60  # names; fewer are read
BEGIN, ALIKE, GO_ON = 3, 8, 0.8  # letters that names of a group begin with; names of one; share that goes on alike
GROUPS, COVERED = 6, 0.2  # that are told; the least share of the names in them
FEW, MARKED = 3, 8  # rows with a word; rows that are marked, those with the rarest first
_NAME = regex(r"(?i)(?:package_?)?names?|packages?")
_ABOUT = regex(r"(?i)(?:long_?)?(?:description|summary|comment)|arch(?:itecture)?")
_WORD = regex(
    r"(?<![A-Za-z])(?!(?:git|svn|bzr|cvs|dfsg|repack|stable|really|alpha|beta|pre|post|dev|rc|snapshot|release|final)"
    r"(?![g-zG-Z]))[A-Za-z]{3,}"
)  # but those of a state of the source


def without_prose(chosen: list[Column], stats: Columns) -> list[Column]:
    """Of a long list of packages rather more names and versions than what each is, and for which machine."""
    long = stats.total >= MANY and any(_NAME.fullmatch(c.name) for c in chosen) and _versions(stats)
    return [c for c in chosen if not (long and _ABOUT.fullmatch(c.name))]


def alike(sheet: Sheet) -> set[int]:
    """Of a list of packages the rows whose names begin alike: of four hundred libraries a few are enough."""
    names = _sorted(sheet)[1] if _versions(sheet.stats) else []
    beginnings = tuple(prefix for _, prefix in _beginnings(names))
    return {number for number, name in zip(sheet.numbers, names, strict=False) if name.startswith(beginnings)}


def _versions(stats: Columns) -> list[Column]:
    return [c for c in stats.columns.values() if VERSION.search(c.path)]


def _by_prefix(sheet: Sheet) -> list[Fact]:
    """``by Name: lib* 444 · python3* 39 · 9 other rows``, of rows each with a name of its own."""
    label, names = _sorted(sheet)
    groups = sorted(_beginnings(names), reverse=True)[:GROUPS]
    covered = sum(count for count, _ in groups)
    if len(groups) <= 1 or covered < COVERED * len(names):
        return []
    parts = [f"{prefix}* {count:,}" for count, prefix in groups]
    return [Fact(f"by {label}: {' · '.join(parts)} · {len(names) - covered:,} other rows", 1)]


def _sorted(sheet: Sheet) -> tuple[str, list[str]]:
    """The field of the names, and these where they are sorted."""
    total = sheet.stats.total
    column = next((c for c in sheet.stats.columns.values() if _NAME.fullmatch(c.name) and c.texts == total), None)
    if column is None or not MANY <= len(sheet.numbers) == total:
        return "", []
    names = sheet.texts(column)
    sole = len({*names}) == len(names)
    return (column.label, names) if sole and names[0][:1].lower() <= names[-1][:1].lower() else ("", [])


def _beginnings(names: Sequence[str]) -> Iterator[tuple[int, str]]:
    """How many names begin alike, and how: as far as most of those go on that share their first letters."""
    for prefix, count in Counter(name[:BEGIN] for name in names).items():
        if count < ALIKE or not prefix[0].isalnum():
            continue
        group = [name for name in names if name.startswith(prefix)]
        while group:
            after, often = Counter(name[len(prefix) : len(prefix) + 1] for name in group).most_common(1)[0]
            if not after or often < GO_ON * count:
                break
            prefix += after
            group = [name for name in group if name.startswith(prefix)]
        prefix = prefix.rstrip("-_./:+ ")
        yield sum(name.startswith(prefix) for name in names), prefix


def origins(stats: Columns) -> list[Mark]:
    """Versions with a word that hardly any other has: ``20.1-1nodesource1`` is of another archive, ``~bpo12`` too."""
    marks = []
    for column in _versions(stats) if stats.total >= MANY else ():
        if column.tally is not None and column.level <= 0:
            marks += [mark for _, mark in sorted(_unusual(column), key=lambda one: one[0])[:MARKED]]
    return marks


def _unusual(column: Column) -> Iterator[tuple[int, Mark]]:
    """Such rows, each with the number of those that have its rarest word."""
    assert column.tally is not None
    counts = Counter[str]()
    as_written = column.template_of if column.level >= 0 else {}
    # a template lacks the digits between two words or two letters of a hash; the revision behind "-" is the archive's
    words = {text: _WORD.findall(as_written.get(text, text).rpartition("-")[2]) for text in column.tally.counts}
    for text, count in column.tally.counts.items():
        counts.update(dict.fromkeys(words[text], count))
    for text, count in column.tally.counts.items():
        rarest, word = min(((counts[word], word) for word in words[text]), default=(FEW + 1, ""))
        reason = f"{column.label}: {word}"
        for row in column.tally.rows.get(text, ()) if rarest <= FEW else ():
            yield rarest, Mark(row, Keep.RARE, column.path, reason, reason, count)
