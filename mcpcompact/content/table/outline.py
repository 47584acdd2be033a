"""Delimited text, aligned columns, Markdown and box tables.

The layout is found by own rules (``tablelayout``); cells are shown as they stand, and numbers, also those with units
(``123Mi``, ``5d``, ``45%``), are parsed for the statistics alone. Large delimited files stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from itertools import chain, takewhile
from statistics import fmean, pstdev
from typing import Any

from mcpcompact.collector import paused
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import graver, marks
from mcpcompact.content.columns.quantities import MISSING, measure_of, read
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.columns.wording import facts
from mcpcompact.content.records import choice, groups, listing, rows
from mcpcompact.content.records.sample import FIRST, Sheet
from mcpcompact.content.shared import calls
from mcpcompact.content.table import layout as tablelayout
from mcpcompact.content.table.delimited import row_end
from mcpcompact.content.table.formats import MEANS
from mcpcompact.content.table.rows import Batch, Layout
from mcpcompact.errors import InputError
from mcpcompact.outline import Fact, Hints, Keep, Lossless, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted, some
from mcpcompact.source import Sample, Source

_FEW_COLUMNS = 6  # all of them are shown
_KEPT_COLUMNS = 3  # at least
_SAMPLES, _NAMED = 20, 400  # columns that are named; characters of the names of those that are not shown
_RAGGED = 12  # rows whose cells are told
WIDEST = 6_000  # columns: statistics are made of each, in 0.1 ms
_LINES = 5  # that are named
_TITLE, _ABOVE, _BELOW = 120, 2, 4  # characters of a line around the rows; lines that are told, the first and the last
_BRANCHES, _BRANCH = ("└", "├", "↳"), 1e-30  # how a row of a tree begins; a factor: it comes after all others
_TOTALED = 3  # rows, at least, of which the last may be their total
_TOTAL = regex(r"(?i)\s*(?:grand |sub)?totals?:?\s*|\s*sum:?\s*")


def outline(source: Source, hints: Hints) -> Outline:
    sample = Sample(source)
    layout = tablelayout.forced(sample.lines)
    if layout is None:
        raise InputError("no table is found in this input", hint="try --type text")
    if len(layout.names) > WIDEST:
        raise InputError(f"a table of {len(layout.names):,} columns is too wide", hint="try --type text")
    return _Reader(source, layout).outline(hints)


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Lines; of delimited text a row with quoted line breaks is one span."""
    layout = tablelayout.forced([line.rstrip("\r") for line in text[: Sample.HEAD].split("\n")[:-1]] or [text])
    quote = layout.quote if layout is not None and layout.delimiter and layout.quote in text else ""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        if quote:
            end = row_end(text, start, end, quote)
        yield start, end
        start = end


class _Reader:
    """One pass: rows in batches, transposed, each column with the type its values have."""

    def __init__(self, source: Source, layout: Layout) -> None:
        self.source, self.layout = source, layout
        self.stats = Columns(ids=not source.large)
        self.names = unique(layout.names)
        self.columns = [Column(name, (name,)) for name in self.names]
        self.stats.columns |= {column.path: column for column in self.columns}
        for column in self.columns:
            column.void, column.seen = "empty", None if source.large else column.seen
        self.numeric: list[bool | None] = [None] * len(self.names)
        self.below: list[str] = []  # lines behind the rows: what was printed next
        self.totals: list[str] = []  # the last row, where it sums the others up
        self.ragged = listing.Bad()
        self.ragged_rows: dict[int, int] = {}
        self.rows: dict[int, list[str]] = {}
        self.most = listing.ROWS_LARGE if source.size > 4 << 20 else listing.ROWS_SMALL
        self.step = 1
        self.fits: list[Callable[[str], object]] = []  # whether a text may be a cell of the column
        self.bare: dict[int, int] = {}  # rows of which a cell holds the delimiter: the cell

    def outline(self, hints: Hints) -> Outline:
        with paused():
            self._read()
        stats, total = self.stats, self.stats.total
        if not total:
            raise InputError("the table has no row", hint="try --type text")
        stats.groups[""] = total
        all_marks = [m for m in marks(stats) if " missing" not in m.template] + groups.origins(stats)
        odd = {*(m.row for m in all_marks), *self.ragged_rows, *groups.extremes(self.columns)}
        wanted = sorted({*self.rows, *rows.first(total), *odd, total})
        held = self._fetch(wanted)
        at_hand = [n for n in wanted if n in held]
        sheet = Sheet(stats, at_hand, lambda row, column: self._cell(held[row], column))
        all_marks = graver(all_marks, stats, held.keys(), sheet.cell)
        chosen, _ = choice.choose(stats)
        if len(self.names) <= _FEW_COLUMNS:
            aside = [c for c in self.columns if choice.random_aside(c) and len(self.names) > _KEPT_COLUMNS]
            chosen = [c for c in self.columns if c not in aside and not choice.needless(c, stats)]
        chosen = groups.without_prose(chosen, stats) or self.columns[:1]
        titled = self.layout.header or any(name != f"column {i}" for i, name in enumerate(self.names, 1))
        others, note = [c for c in self.columns if c not in chosen], ""
        if titled and others:  # first what tells of something odd: a row may be cut
            chosen, note = rows.follow(sheet, rows.marked_first(chosen, all_marks), others)
        else:
            chosen = [c for c in self.columns if c in chosen]  # in the order of the table
        left = [c for c in self.columns if c not in chosen]
        items = rows.render(sheet, chosen, all_marks, hints)
        turns = {number: place for place, number in enumerate(_standing(sheet, chosen), FIRST)}
        for item in items:
            if not item.keep and item.start in turns:
                item.weight = max(item.weight, rows.EARLY * rows.STEP ** turns[item.start])
        for item in items if self.layout.bars else ():  # what is a part comes after what it is a part of
            item.weight *= _BRANCH if held[item.start][0].startswith(_BRANCHES) else 1.0
        named = chosen if titled else [*filter(rows.cut_at, chosen)]  # others have no names
        header = rows.header(named).replace("#|", "#|" if titled else "#|…|", 1) + note if named else ""
        out = Outline("table", "row", total, f"{total:,} rows", header=header, items=items, keeps_told=True)
        out.facts = [Fact(f"{self.layout.kind}: {total:,} rows, {counted(len(self.names), 'column')}", 0)]
        out.facts += calls.items(hints, total)
        sums = [f"{c.label} {c.computed(c.numbers.total)}" for c in self.columns if c.numbers.count]
        out.facts += [Fact(f"in all: {', '.join(sums)}", 0)] * (self.layout.counts and bool(sums))
        out.facts += [Fact(name, 0) for name in self.layout.asides if name.startswith(MEANS)]
        if totals := [f"{name}={cell}" for name, cell in zip(self.names, self.totals, strict=False) if cell]:
            out.facts.append(Fact(f"row of totals, in no figure here: {', '.join(totals)}", 0))
        out.facts += [Fact(text, 0) for text in self._others()]
        out.facts += self._errors()
        out.facts += [Fact(text, int(self.layout.bars is None)) for text in self._beside()]
        out.facts += listing.scanned(stats, all_marks, "rows", whole=not self.ragged.count and not self.layout.outside)
        marked = listing.marked(stats, all_marks)
        out.facts += listing.beyond(groups.grouped(sheet, chosen), facts(stats, marked)) + groups.by_clock(sheet)
        out.facts += rows.not_shown(left, sheet, marked, _NAMED, items)
        out.frame_share, out.facts_share = groups.ENDS_SHARE, listing.facts_share(total, out.facts)
        self._notes(out)
        out.more = listing.selectors(total, all_marks)
        self._lossless(out)
        return out

    def _batches(self) -> Iterator[Batch]:
        """The rows as they were meant: a row of too many cells has a bare delimiter in one of them, and is mended where
        the kinds of the columns, as the other rows have them, leave but one such cell."""
        width, mendable = len(self.names), bool(self.layout.delimiter) and not self.source.large
        for batch, lines in self.layout.read(self.source):
            long = [n for n, row in enumerate(batch) if len(row) > width] if mendable else []
            if long and not self.fits:
                self.fits = [*map(_fits, zip(*(row for row in batch if len(row) == width), strict=True))]
            for n in long:
                if (at := self._bare_in(batch[n])) >= 0 and len(self.fits) == width:
                    end = at + 1 + len(batch[n]) - width
                    batch[n][at:end] = [self.layout.delimiter.join(batch[n][at:end])]
                    self.bare[lines[n]] = at
            yield batch, lines

    def _bare_in(self, row: list[str]) -> int:
        """The only cell that may hold the delimiters of a row, -1 of none or several."""
        width, more = len(self.fits), len(row) - len(self.fits)
        left = next((at for at, cell in enumerate(row[:width]) if not self.fits[at](cell)), width)
        right = next((at for at in reversed(range(width)) if not self.fits[at](row[at + more])), -1)
        joined = ((at, self.layout.delimiter.join(row[at : at + more + 1])) for at in range(max(0, right), left + 1))
        places = [at for at, cell in joined if at < width and self.fits[at](cell)]
        return places[0] if len(places) == 1 else -1

    def _errors(self) -> Iterator[Fact]:
        """The lines beside the rows that state an error: the first one always."""
        if (drawn := self.layout.drawn) and (lines := drawn.errors):
            errors = [f"{number}: {clipped(line, _TITLE)}" for number, line in lines[:_RAGGED]]
            more = f"\n… {len(lines) - len(errors):,} more" if len(lines) > len(errors) else ""
            named = "1 names" if len(lines) == 1 else f"{len(lines):,} name"
            beside = counted(drawn.beside, "line")
            yield Fact(f"beside the rows {beside}, of which {named} an error:\n{errors[0]}", 0)
            if errors[1:]:
                yield Fact("\n".join(errors[1:]) + more, 0)

    def _others(self) -> Iterator[str]:
        others = self.layout.others + (self.layout.drawn.others if self.layout.drawn else [])
        for other in others[:_LINES]:
            named = " · ".join(other.means or (other.first if other.rows <= len(other.first) else []))
            rows = counted(other.rows, "row") + (f": {clipped(named, _TITLE)}" if named else "")
            yield f"another table, from line {other.line:,} on, {some(other.names, _SAMPLES)}: {rows}"
        if others[_LINES:]:
            yield f"{counted(len(others) - _LINES, 'further table')}, from line {others[_LINES].line:,} on"

    def _beside(self) -> Iterator[str]:
        """What is known beside the rows: samples, header lines and comments, by name."""
        layout = self.layout
        if layout.samples:
            some = ", ".join(self.names[-layout.samples :][:_SAMPLES]) + (", …" if layout.samples > _SAMPLES else "")
            yield f"{layout.samples:,} sample{'s' * (layout.samples > 1)}: {some}"
        asides = [(name, count) for name, count in layout.asides.items() if not name.startswith(MEANS)]
        named = [f"{name} ×{count:,}" if count > 1 else name for name, count in asides]
        if named:
            yield f"lines that are no rows: {', '.join(named)}"
        elif layout.titles:
            yield f"above the header: {_clipped(layout.titles, layout.titles[:_ABOVE])}"
        if self.below:
            yield f"below the rows: {_clipped(self.below, self.below[-_BELOW:])}"

    def _read(self) -> None:
        batch: Batch = ([], [])
        for following in self._batches():
            if batch[0]:
                self._take(*batch)
            batch = following
        cells, lines = batch
        begin = next((cell for cell in chain(*cells[-1:]) if cell), "")
        if self.stats.total + len(cells) > _TOTALED and _TOTAL.fullmatch(begin):
            self.totals, cells, lines = cells[-1], cells[:-1], lines[:-1]  # counted with the rows it would count twice
        if n := self._no_rows(cells):
            self.below = [row[0] for row in cells[-n:]]
            self.layout.outside += n
            cells, lines = cells[:-n], lines[:-n]
        if cells:
            self._take(cells, lines)
        if drawn := self.layout.drawn:
            self.layout.outside += 0 if drawn.errors else drawn.outside  # else said with them
            if drawn.again:
                self.layout.asides["the header again"] = drawn.again

    def _no_rows(self, cells: list[list[str]]) -> int:
        """How many lines behind an aligned table have no cell but their beginning, which no row before them has."""
        if len(self.layout.starts) <= 1:
            return 0
        alone = [not any(map(str.strip, row[1:])) for row in cells]
        n = len([*takewhile(bool, reversed(alone))])
        return n if n < len(cells) and not any(alone[: len(cells) - n]) else 0

    def _take(self, batch: list[list[str]], lines: Sequence[int]) -> None:
        width, first = len(self.names), self.stats.total + 1
        self.stats.total += len(batch)
        numbers = range(first, first + len(batch))
        even = set(map(len, batch)) == {width}
        odd = [] if even else [at for at, row in enumerate(batch) if len(row) != width]
        for at in odd:
            self.ragged.add(lines[at])
            if len(self.ragged_rows) < _RAGGED:
                self.ragged_rows[numbers[at]] = len(batch[at])
        cells = [(row + [""] * width)[:width] for row in batch] if odd else batch
        for index, values in enumerate(zip(*cells, strict=True)):
            self._column(index, values, numbers)
        self.rows.update((n, batch[n - first]) for n in numbers[(1 - first) % self.step :: self.step])
        while len(self.rows) > self.most:
            self.step *= 2
            self.rows = {n: c for n, c in self.rows.items() if (n - 1) % self.step == 0}

    def _column(self, index: int, values: Sequence[str], numbers: Sequence[int]) -> None:
        column = self.columns[index]
        if self.numeric[index] is None and not MISSING.issuperset(filter(None, map(str.strip, values))):
            column.measure = measure_of(values)
            self.numeric[index] = column.measure is not None
        if not self.numeric[index]:
            column.add(values, numbers)
            return
        texts = list(map(str.strip, values))
        numbers_read = _read(texts, column)
        if None not in numbers_read:
            column.add_written(texts, numbers_read, numbers)
            return
        cells = [*zip(texts, numbers_read, numbers, strict=True)]
        good = [cell for cell in cells if cell[1] is not None]
        others = [(None if not text or text in MISSING else text, row) for text, n, row in cells if n is None]
        signs = {text or "empty" for text in texts if not text or text in MISSING}
        signs |= {column.void} if column.kinds["null"] else set()
        column.void = "missing" if len(signs) > 1 else min(signs, default=column.void)
        if good:
            column.add_written(*map(list, zip(*good, strict=True)))
        column.add(*map(list, zip(*others, strict=True)))

    def _cell(self, cells: Sequence[str], column: Column) -> str:
        index = self.names.index(column.path) if column.path in self.names else -1
        text = cells[index] if 0 <= index < len(cells) else ""
        if column is self.columns[-1] and len(cells) > len(self.names):
            text = " ".join(cells[index:])
        return text.strip()

    def _fetch(self, wanted: Iterable[int]) -> dict[int, list[str]]:
        missing = {n for n in wanted if n not in self.rows}
        first, layout = 1, self.layout
        self.layout = copy(layout)  # what stands beside the rows was read to the end before
        for batch, _ in self._batches() if missing else ():
            self.rows.update((n, batch[n - first]) for n in missing if first <= n < first + len(batch))
            first += len(batch)
            if first > max(missing):
                break
        self.layout = layout
        return self.rows

    def _notes(self, out: Outline) -> None:
        for at in sorted({*self.bare.values()}):
            where = [f"{line:,}" for line, cell in self.bare.items() if cell == at]
            which = f"{counted(len(where), 'row')} (line {some(where, _LINES)})"
            out.notes.append(f"unquoted {self.layout.delimiter!r} in {self.names[at]} of {which}")
        if self.ragged.count:
            lines = ", ".join(f"{n:,}" for n in self.ragged.lines) + ", …" * (self.ragged.count > _LINES)
            many = f"{self.ragged.count:,} {'row has' if self.ragged.count == 1 else 'rows have'}"
            out.notes.append(f"{many} not {len(self.names)} cells (line {lines}); kept as they stand")
        if outside := self.layout.outside:
            out.notes.append(f"{outside:,} lines beside the table are not counted")
        for item in out.items:
            if item.start in self.ragged_rows and item.keep < Keep.RARE:
                item.keep, item.template = Keep.RARE, "ragged row"
                cells = f"{self.ragged_rows[item.start]} cells, header {len(self.names)}"
                item.reason = f"{cells}; {item.reason}" if item.reason else cells

    def _lossless(self, out: Outline) -> None:
        if self.source.large or self.layout.delimiter:
            return
        squeezed = tablelayout.squeeze(self.source.text)
        if len(squeezed) < 0.95 * len(self.source.text):
            out.lossless.append(Lossless("runs of blanks counted", lambda: squeezed, len(squeezed)))


def _fits(cells: Sequence[str]) -> Callable[[str], object]:
    """Whether a text is one like the ``cells`` of a column: a number, a date, one of few words; else any will do."""
    filled = {cell.strip() for cell in cells} - {""}
    few, forms = len(filled) * _FEW_SHARE <= len(cells), {_DIGITS.sub("0", cell) for cell in filled}
    if measure_of(cells) is not None:
        return lambda text: not text.strip() or text in MISSING or read(text.strip()) is not None
    if filled and (few or len(forms) == 1):
        return lambda text: not text.strip() or text.strip() in filled or _DIGITS.sub("0", text.strip()) in forms
    return lambda text: True


def _standing(sheet: Sheet, chosen: Sequence[Column]) -> Iterator[int]:
    """Rows that stand for more than themselves, before others that are evenly spread: of names that begin alike one
    of each family, the largest first; of a series in time the peaks of its first quantity."""
    families, names = dict[str, list[int]](), next((c for c in chosen if c.texts), chosen[0])
    for number in sorted(groups.alike(sheet)):
        families.setdefault(sheet.cell(number, names)[: groups.BEGIN], []).append(number)
    yield from (held[0] for held in sorted(families.values(), key=len, reverse=True))
    times = sheet.texts(chosen[0]) if chosen[0].dates and sheet.whole else []
    for column in groups.quantities(chosen)[:1] if times and times == sorted(times) else ():
        read = groups.measure(column, sheet)
        sizes = [read[n][0] for n in sheet.numbers] if len(read) == len(sheet.numbers) else [0.0]
        high, beside = fmean(sizes) + _PEAK * pstdev(sizes), map(max, [0.0, *sizes[:-1]], [*sizes[1:], 0.0])
        sized = zip(sheet.numbers, sizes, beside, strict=False)
        peaks = [(-size, n) for n, size, near in sized if size > high and size >= near]
        yield from (n for _, n in sorted(peaks)[:_PEAKS])


_PEAK, _PEAKS = 3, 12  # standard deviations above the mean; rows
_DIGITS, _FEW_SHARE = regex(r"\d"), 8  # cells for each of few words, at least


def unique(names: Sequence[str]) -> list[str]:
    """Column names, empty ones numbered, repeated ones told apart."""
    out, seen = list[str](), Counter[str]()
    for i, name in enumerate(names, 1):
        base = " ".join(name.split()) or f"column {i}"
        seen[base] += 1
        out.append(base if seen[base] == 1 else f"{base} ({seen[base]})")
    return out


def _read(texts: Sequence[str], column: Column) -> list[Any]:
    """The number of each cell, None for what is none; plain ones, the usual case, without a Python call each."""
    measure = column.measure
    assert measure is not None
    if measure.plain:
        for kind in (int, float):
            try:
                plain = list(map(kind, texts))
            except ValueError:
                continue
            if (total := sum(plain)) - total == 0:  # no NaN
                return plain
    numbers = [measure.number(text) for text in texts]
    others = (text for n, text in zip(numbers, texts, strict=True) if n is None)
    column.mixed = column.mixed or any(read(text) is not None for text in others)
    return numbers


def _clipped(lines: Sequence[str], some: Sequence[str]) -> str:
    more = f" · {len(lines) - len(some):,} more" if len(lines) > len(some) else ""
    return " · ".join(clipped(line, _TITLE) for line in some) + more
