"""Records as rows of a table: each row's text with its exact record number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, groupby
from typing import Any

from mcpcompact.content.anomalies import words as failures
from mcpcompact.content.anomalies.words import tells
from mcpcompact.content.columns.alarms import STATUS, Mark
from mcpcompact.content.columns.column import Column, told_apart
from mcpcompact.content.columns.cutting import HASH, LONGEST_SAME, NEAR, SPARED, same_before, shorten
from mcpcompact.content.columns.findings import CLOCK, ECHO, LOSSES, SAYING, telling, worded
from mcpcompact.content.columns.survey import Columns, reach
from mcpcompact.content.columns.wording import KIND_OF, constant, row_number, span_of, template
from mcpcompact.content.records import choice, sample
from mcpcompact.content.records.groups import EXTREME, LESSER, alike, ends_of, heaviest, quantities, summed
from mcpcompact.content.records.sample import Cells, Sheet
from mcpcompact.content.records.shapes import BOOKS
from mcpcompact.content.shared.flow import flow, key_text
from mcpcompact.content.shared.reports import is_graded
from mcpcompact.outline import NOT_IN_ROWS, Fact, Hints, Item, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, show

CELL, LAST_CELL, ODD_CELL = 90, 60, 120  # characters of a cell: most, the last ones, those that are odd
MORE = 2  # odd fields that are no column, at the end of a row
NAMED, NAMED_PATHS = 80, 3  # characters of names of fields, and paths that are told, though not shown
ROOMY = 20  # records
LONGEST, IDEOGRAPHS = 100_000, "\u2e80"  # characters of a cell; the first of Chinese, Japanese and Korean


def cells_of(record: Callable[[int], Any]) -> Cells:
    """Cells of JSON records: scalars and short objects as they stand, lists joined by commas, else their length."""

    def cell(row: int, column: Column) -> str:
        if len(column.steps) == 1:
            value = record(row).get(column.steps[0])
            if value.__class__ is str and column.kinds["bool"]:  # "true" beside true
                value = told_apart(value)
            if value.__class__ is str or value.__class__ is int:
                return show(value, LONGEST, lines=True)
        values = reach(record(row), column.steps)
        return _in_order([brief(v) if v.__class__ in (dict, list) else show(v, LONGEST, lines=True) for v in values])

    return cell


def brief(value: Any) -> str:
    """A flat list or object as it stands where it is short, else how much it holds and of an object its first keys."""
    held = value.values() if value.__class__ is dict else value
    flat = len(value) <= BRIEF_PARTS and all(v.__class__ not in (dict, list) and len(str(v)) <= BRIEF for v in held)
    if flat and len(text := flow(value)) <= BRIEF:
        return text
    keys = ", ".join(map(key_text, [*value][:BRIEF_KEYS])) if value.__class__ is dict else ""
    keys += ", …" * (keys != "" and len(value) > BRIEF_KEYS)
    return f"{{{counted(len(value), 'key')}: {keys}}}" if keys else f"[{counted(len(value), 'item')}]"


BRIEF_PARTS, BRIEF, BRIEF_KEYS = 8, 60, 3  # members, characters of what stands whole in a cell; keys of what does not


def follow(sheet: Sheet, chosen: list[Column], left: Sequence[Column]) -> tuple[list[Column], str]:
    """Without columns that another one tells (``…/runs/27739`` by the id 27739), and what the header says of them and
    of the records' own address, where it is not among them.

    Only where every record is at hand: said of all, it must hold for all.
    """
    if not sheet.whole or sheet.stats.total < choice.SAME:
        return chosen, ""
    kept, notes = list(chosen), []
    own = min((c for c in left if _OWN_ADDRESS.fullmatch(c.path)), key=lambda c: c.path[:1] != "h", default=None)
    for column in [*chosen, own] if own is not None else chosen:
        gone = column is not own and column not in kept
        if gone or choice.width_of(column) < FOLLOWS or "/" not in str(column.examples[:1]) or kept == [column]:
            continue
        keys = (c for c in kept if c is not column and choice.width_of(c) < choice.width_of(column) and not cut_at(c))
        text = next((text for key in keys if (text := _written_by(column, key, sheet))), "")
        if text:
            kept = [c for c in kept if c is not column]
            notes.append(f"{column.label} = {text}")
        for key in [key for key in kept[1:] if not text and _ends(column, key, sheet)]:
            kept.remove(key)
            notes.append(f"{key.label} = last part of {column.label}")
    return kept, f" ({'; '.join(notes)})" if notes else ""


_OWN_ADDRESS = regex(r"(?:html_?|web_?)?[uU][rR][lL]|permalink")


def _written_by(column: Column, key: Column, sheet: Sheet) -> str:
    """``https://host/runs/{id}`` where that gives the column's value in every record; "" where it does not."""
    before = after = ""
    for n, number in enumerate(sheet.numbers):
        value, part = sheet.cell(number, column), sheet.cell(number, key)
        head, middle, tail = value.rpartition(part) if len(part) >= MIN_KEY else ("", "", "")
        if not middle or (n and (head, tail) != (before, after)):
            return ""
        before, after = head, tail
    return f"{escape(before)}{{{key.label}}}{escape(after)}"


FOLLOWS, MIN_KEY = 24, 2  # characters


def _ends(column: Column, key: Column, sheet: Sheet) -> bool:
    """Whether paths that stand whole in all rows end with a name that is a column of its own."""
    if key is column or not key.texts or any("://" in str(example) for example in column.examples):
        return False
    pairs = ((sheet.cell(n, column), sheet.cell(n, key)) for n in sheet.numbers)
    return all(name and len(path) <= CELL and path.endswith(f"/{name}") for path, name in pairs)


def header(chosen: Sequence[Column]) -> str:
    return "#|" + "|".join(f"{c.label}[:{end}]" if (end := cut_at(c)) else c.label for c in chosen)


COMMIT = 40  # characters of a commit's hash
DAY, STAMP = 10, 19  # characters of a date, least of a date with its time
FEW_STAMPS = 8  # that cost little
DAYS = 3  # that stamps span, and records a day: their times say little


def cut_at(column: Column) -> int:
    """Characters that a cell has, 0 for all: of a long hash beside the row's own id, shown because the call names it;
    of stamps their day, where the days tell the rows apart."""
    if column.dates and len(column.dates.hi) >= STAMP:
        return DAY if column.scalars > FEW_STAMPS and column.dates.days >= max(DAYS, column.scalars / DAYS) else 0
    aside = choice.random_aside(column) and not choice.NAME.search(column.name)
    hashed = column.hexadecimal and (aside or choice.width_of(column) == COMMIT)
    return HASH if hashed and choice.width_of(column) > 2 * HASH else 0


def announced(sheet: Sheet, chosen: Sequence[Column]) -> Sheet:
    """With cells as the header announces them."""
    ends, cell = {column.path: end for column in chosen if (end := cut_at(column))}, sheet.cell
    return Sheet(sheet.stats, sheet.numbers, lambda n, c: cell(n, c)[: ends.get(c.path)])


def marked_first(chosen: list[Column], marks: Sequence[Mark]) -> list[Column]:
    """What says that a row is odd stands right behind its name, so that it is there where the row is cut."""
    odd: dict[str, int] = {}
    for mark in marks:
        odd[mark.column] = max(mark.keep, odd.get(mark.column, 0))
    return [*chosen[:1], *sorted(chosen[1:], key=lambda c: -odd.get(c.path, 0))]


RUNS = 6  # of equal values of a list that are told in order


def _in_order(texts: Sequence[str]) -> str:
    """The values of a list in order, equal ones that follow each other as one; of many how often each stands there,
    which is written another way: beside a list in order it would read as one."""
    runs = [(text, len([*group])) for text, group in groupby(texts)]
    if len(runs) <= max(RUNS, len({*texts})):
        return ",".join(f"{text} ×{n}" if n > 1 else text for text, n in runs)
    return ",".join(f"{n}× {text}" for text, n in Counter(texts).items())


def not_shown(
    left: Sequence[Column], sheet: Sheet, paths: set[str], most: int = NAMED, items: Iterable[Item] = ()
) -> list[Fact]:
    """What the rows leave out: as many names of these fields as have ``most`` characters, which is always said, and
    urls that follow from a number. Of ``items`` odd ones show further fields at their ends."""
    stats, paths = sheet.stats, paths - choice.numbered_kinds(sheet.stats)
    named = (set(_NAMED_VALUE.findall(f"{item.text}; {item.reason}")) for item in items if item.keep)
    shown = Counter(chain.from_iterable(named))
    others = [c for c in left if constant(c, stats) is None and c.path not in paths and shown[c.label] < c.scalars]
    others.sort(key=lambda c: (shown[c.label], BOOKS.search(c.path) is not None, choice.opaque(c), len(c.steps)))
    derived = [c for c in others if choice.derivable(c)][:NAMED_PATHS]
    times, names = choice.periods(stats)[1 : -choice.LATEST], list[str]()
    if times and all(c in others for c in times):
        names, others = [f"{times[0].label} to {times[-1].label}"], [c for c in others if c not in times]
    labels = {c.label: f"{c.label} (but for odd rows)" for c in others if shown[c.label]}
    names += [f"{c.label} (= {n})" if (n := _numbering(c, sheet)) else labels.get(c.label, c.label) for c in others]
    ends = [*accumulate(len(name) + 2 for name in names)]
    many = max(1, sum(end <= (most if ends[-1] <= most else most // 2) for end in ends))  # all, else a few of them
    short = f"{NOT_IN_ROWS}{', '.join(names)}"
    if many == len(names) and not times:  # of measures how far they reach
        spans = {c.label: f"{c.label} {span_of(c)}" for c in quantities(others)}
        names = [spans.get(name, name) for name in names]
    names[many:] = [f"+{len(names) - many} more"] * (many < len(names))
    shapes = [
        f"{c.label} {'like ' * (c.level > 0)}{template(next(iter(c.template_of.values())), c.level)}" for c in derived
    ]
    facts = [Fact(f"{NOT_IN_ROWS}{', '.join(names)}", 0, short)] if names else []
    return facts + [Fact("; ".join(shapes), 3)] * bool(shapes)


def _numbering(column: Column, sheet: Sheet) -> str:
    """How a column counts the rows: ``#``, ``E#``; "" where it does not."""
    head = sheet.cell(1, column)[:-1] if sheet.whole and column.texts == sheet.stats.total else None
    every = head is not None and all(sheet.cell(n, column) == f"{head}{n}" for n in sheet.numbers)
    return f"{head}#" if every else "#" * row_number(column, sheet.stats)


_NAMED_VALUE = regex(r"(?:\||; )([^|;=:]{1,80})=")  # at the end of a row, or why it is odd


def cut(text: str, limit: int, same: Mapping[str, tuple[int, int]]) -> str:
    """A cell as it stands in a row. ``same``: of ``same_before``."""
    if not text.isascii():  # of scripts whose letters are a token each, half as many say as much
        limit -= sum(letter >= IDEOGRAPHS for letter in text[:limit]) // 2
    shared, wide = same.get(text[:LONGEST_SAME], (0, 0))
    return escape(shorten(text, limit + wide, shared if shared >= limit else 0))


def escape(text: str) -> str:
    """A cell holds no bar and no line break of its own."""
    if "|" not in text and text.isprintable():
        return text
    text = text.replace("|", "\\|").replace("\r\n", "\\n")
    return text.replace("\r", "\\n").replace("\n", "\\n").replace("\t", " ")


def render(sheet: Sheet, chosen: Sequence[Column], marks: Sequence[Mark], hints: Hints | None = None) -> list[Item]:
    """An item for each row. A marked one shows its odd fields whole, also those that are no column."""
    answers, stats, roomy = sample.answers(sheet, hints), sheet.stats, sheet.stats.total <= ROOMY
    sheet = announced(sheet, chosen)
    cells = sheet.cell
    of_all = {path for path in {m.column for m in marks if m.said} if constant(stats.columns[path], stats)}
    by_row = _unlike([m for m in marks if m.column not in of_all], sheet, chosen)  # what all say is said once
    by_row = by_row if roomy else one_of_each(by_row, sheet, chosen)
    limits = [limit_of(column, stats, chosen) for column in chosen]
    ends = {} if roomy else ends_of(sheet, chosen, summed(sheet, chosen)[1])
    end_weight = {number: EXTREME - LESSER * place for place, number in enumerate(dict.fromkeys([*answers, *ends]))}
    shown = {c.path for c in chosen}
    free = Sheet(stats, [n for n in sheet.numbers if n not in by_row and n not in ends], cells)
    often = [stats.columns[path] for path in {m.column: 0 for m in marks if m.said}]
    timed = any(c.dates or CLOCK.search(c.path) for c in chosen)  # then what went well stands between what failed
    usual = often and not timed and all(worded(column, SAYING) for column in often)
    calm = {n for n in free.numbers if usual and not any(tells(cells(n, c)) for c in often)}
    turns = sample.turns(free, chosen, alike(sheet) | calm, by_row, () if roomy else heaviest(free, chosen))
    same = {
        c.path: same_before(sheet.texts(c), limit) if choice.width_of(c) > choice.NARROW else {}
        for c, limit in zip(chosen, limits, strict=True)
    }
    items = []
    for number in sheet.numbers:
        odd = by_row.get(number)
        if odd is None:
            row = "|".join([cut(cells(number, c), n, same[c.path]) for c, n in zip(chosen, limits, strict=True)])
            if roomy and len(chosen) >= FILLED * sum(map(bool, row.split("|"))):  # of another kind
                row = "|".join([row.rstrip("|"), *_own(number, chosen, sheet)])
            weight = end_weight.get(number) or EARLY * STEP ** turns.get(number, sample.MAX)
            label = f"#{number}|"
            text = f"{label}{row.rstrip('|')}{ends.get(number, '')}"
            items.append(Item(number, number, text, weight=weight * (text != label), lead=_lead(text)))
            continue
        fields = list(dict.fromkeys(m.column for m in sorted(odd, key=telling)))  # the most telling first
        texts = [cells(number, c) for c in chosen]
        wide = [max(ODD_CELL, limit) if c.path in fields else limit for c, limit in zip(chosen, limits, strict=True)]
        titles = (i for i, c in enumerate(chosen) if choice.TITLE.search(c.name))
        says = max(titles, key=lambda i: len(texts[i]), default=-1)
        if says >= 0 and len(texts[says]) > wide[says] + SPARED:  # as much as a line has room for that stands whole
            others = sum(min(len(t), most) + 1 for t, most in zip(texts, wide, strict=True)) - wide[says]
            wide[says] = max(CELL, ROW - NEAR - others)
            texts[says] = shorten(texts[says], wide[says]) if tells(texts[says]) else texts[says]  # with its cause
        row = "|".join(cut(t, most, same[c.path]) for t, most, c in zip(texts, wide, chosen, strict=True))
        item = _kept(number, f"#{number}|{row}".rstrip("|"), [_quoted(m, sheet) for m in odd], shown)
        lost = [m.column.rpartition(".")[0] for m in odd if LOSSES.search(m.reason)]  # and why, where that is said
        fields += [path for at in lost if (path := f"{at}.reason".lstrip(".")) in stats.columns]
        beside = [path for f in fields if (path := f"{f.rpartition('.')[0]}.message") in stats.columns]
        fields = [*dict.fromkeys([*beside, *fields])]  # what an error says comes before its kind and its trace
        for path in [field for field in fields if field not in shown][:MORE]:
            column = stats.columns.get(path)
            if column is None or not column.scalars or f"{column.label}=" in item.reason:
                continue
            text = cells(number, column)
            again = LOSSES.search(f"{column.label}={text}") and text in row  # "Plan to delete"
            if text and not again and f"|{escape(text)}|" not in f"|{row}|":  # what the row says already
                if item.text == f"#{number}|{row}".rstrip("|"):
                    item.text = f"#{number}|{row}"  # no cell of a column
                most = ODD_CELL if path in beside else LAST_CELL
                item.text += f"|{column.label}={escape(shorten(text, most))}"
        item.reason = "; ".join(filter(None, [item.reason, ends.get(number, "").strip()]))
        item.weight = end_weight.get(number, item.weight)
        items.append(item)
    return items


def _own(number: int, chosen: Sequence[Column], sheet: Sheet) -> Iterator[str]:
    """What a record holds that has no column, as far as a line has room for it."""
    room = float(ROW)
    for column in sheet.stats.columns.values():
        own = column.scalars and "len()" not in column.steps and column not in chosen
        if own and (text := sheet.cell(number, column)):
            pair = f"{column.label}={escape(shorten(text, CELL))}"
            room -= len(pair) + 1
            if room > 0:
                yield pair


def _unlike(marks: Sequence[Mark], sheet: Sheet, chosen: Sequence[Column]) -> dict[int, list[Mark]]:
    """The marks of each row; none where failures are usual and an earlier row says the same, at another time."""
    by_row = {number: list[Mark]() for number in sorted({m.row for m in marks}.intersection(sheet.numbers))}
    for mark in marks:
        if mark.row in by_row:
            by_row[mark.row].append(mark)
    words = [c for c in chosen if not (c.dates or CLOCK.search(c.path))]
    seen = set[tuple[str, ...]]()
    for number, odd in list(by_row.items()):
        if all(mark.said for mark in odd):
            row = tuple(sheet.cell(number, c) for c in words)
            if row in seen:
                del by_row[number]
            seen.add(row)
    return by_row


def limit_of(column: Column, stats: Columns, chosen: Sequence[Column]) -> int:
    """Characters of a cell; of a few records what they say is whole in most, as far as a row has room for it."""
    limit = CELL if choice.place(column, stats) < choice.LAST else LAST_CELL
    others = sum(min(choice.width_of(c), CELL) + 1 for c in chosen if c is not column)
    alone = stats.total > ROOMY and others <= choice.NARROW < choice.width_of(column)  # what the row is for
    if not alone and (stats.total > ROOMY or not choice.TITLE.search(column.name)):
        return limit
    return max(limit, min(2 * limit, int(ROW - others)))


FILLED = 3  # times as many columns as cells: the record is of another kind than the others
ROW = 190  # characters of a row that stands whole


def _quoted(mark: Mark, sheet: Sheet) -> Mark:
    """A severe word of a long text with what follows it, which must survive where the text itself is cut."""
    column = sheet.stats.columns.get(mark.column)
    label, _, word = mark.reason.partition(": ")
    if mark.keep != Keep.SEVERE or column is None or label != column.label or not word:
        return mark
    text = sheet.cell(mark.row, column)
    at = text.find(word)
    if at < 0 or len(text) <= QUOTED:
        return mark
    quote = escape(shorten(text[at : at + len(word) + 400], len(word) + 60).partition("…[+")[0])
    return Mark(mark.row, mark.keep, mark.column, f"{label}: …{quote}", mark.template, mark.count)


_UNNAMED = regex(r"column \d+$")  # of a table that has no line of names
QUOTED = 60  # characters
REASON, REASONS = 70, 2  # characters of why a row stands there; how many of them
LABEL = 30  # characters of a value that the row need not repeat
KIND = "kind"  # of failures of which there are several
STATED = 2.0  # weight of a row that is odd by its level or state: it comes before one whose text names a failure
EARLY, STEP = 1.5, 0.3  # weight: rows are shown in the order of their turns, whatever they hold


def _kept(number: int, text: str, odd: Sequence[Mark], shown: set[str]) -> Item:
    """The reason names the most telling field, and those that the row itself does not show."""
    ranked = sorted(odd, key=telling)
    reasons = [_in_short(ranked[0]) if ranked[0].column in shown else ranked[0].reason]
    values = {ranked[0].reason.partition("=")[2]} - {""}
    for mark in ranked[1:]:
        again = mark.reason in reasons or mark.reason.partition("=")[2] in values  # another field that says the same
        if mark.reason and not again and (mark.column not in shown or "=" not in mark.reason):
            reasons.append(mark.reason)
    # each says another failure, removes another thing, or holds a value that no other row does
    own = ranked[0].said or LOSSES.search(ranked[0].reason) or (ranked[0].count == 1 and "=" in ranked[0].reason)
    template = "" if own else ranked[0].template
    words = {r: r.partition("=" if LOSSES.search(r) else ": ")[2].lstrip("…") for r in reasons}
    reasons = [r for r, word in words.items() if not (word in text and (tells(word) or LOSSES.search(r)))]
    stated = any(m.keep == Keep.SEVERE and STATUS.search(m.column) for m in odd)
    return Item(
        number,
        number,
        text,
        ranked[0].keep,
        "; ".join([shorten(reason, REASON) for reason in filter(None, reasons[:REASONS])]),
        template,
        weight=STATED if stated else 1 - 1 / ranked[0].count if own == KIND else 1.0,  # of a kind behind what is alone
        lead=_lead(text),
    )


def _lead(text: str) -> int:
    """How much of a row stands there where it is cut: its number and short first cell, behind a plain word two."""
    number = text.find("|") + 1
    name = text.find("|", number) + 1
    if text[number : name - 1].isalpha() and 0 < (behind := text.find("|", name) + 1) - name <= choice.IDENTITY:
        name = behind
    return name if 0 < name - number <= choice.IDENTITY else number


def _in_short(mark: Mark) -> str:
    """The field alone, where its long value stands in the row; nothing of one that has no name or is a grade."""
    label, _, value = mark.reason.partition("=" if "=" in mark.reason else " like ")
    if value and (_UNNAMED.match(label) or is_graded(label.rpartition(".")[2])):
        return ""
    if value.endswith(" shape"):
        return f"{label}, {value.rpartition(', ')[2]}"
    word = next(failures.telling(value), "") if mark.keep == Keep.SEVERE else ""
    return mark.reason if len(value) <= LABEL else f"{label}: {word}" if word else label


def even(total: int, most: int) -> Iterable[int]:
    """About ``most`` of the numbers 1 … total: the first ones, then evenly spread, the last among them."""
    if total <= most:
        return range(1, total + 1)
    return sorted({*first(total), *(1 + i * (total - 1) // (most - 1) for i in range(most))})


def first(total: int) -> range:
    """The rows that are shown one after the other."""
    return range(1, min(total, sample.MAX) + 1)


# -- failures of one kind -------------------------------------------------------------------------

MOSTLY = 0.2  # of the rows that a kind has which is always shown
KINDS, TWICE = 24, 2  # kinds of failures; rows of one of which each stands by itself
_Kind = tuple[str, ...]


def one_of_each(by_row: dict[int, list[Mark]], sheet: Sheet, chosen: Sequence[Column]) -> dict[int, list[Mark]]:
    """The marks of rows; of records that log something, of each kind of failure (of a template, or alike but for
    their numbers) one row with how many there are: twelve alike would hide others."""
    columns, total, cells = list(sheet.stats.columns.values()), sheet.stats.total, sheet.cell
    says = next((c for c in chosen if choice.TITLE.search(c.name) and worded(c, SAYING) and c.texts == total), None)
    if says is None or not sheet.whole:
        return by_row
    echo = next((c for c in columns if ECHO.search(c.path) and c.values and c.texts == total), None)
    echo = next((c for c in chosen if echo and KIND_OF.fullmatch(c.name) and c.texts == total), echo)
    states = [c for c in columns if STATUS.search(c.path) and c.tally and c.level < 0 and c.tally.severe]
    kinds: dict[_Kind, list[int]] = {}
    counts = Counter[str]()
    for number in sheet.numbers:
        text = cells(number, echo) if echo else cells(number, says).translate(sample.DIGITS)
        counts[text] += 1
        kinds.setdefault((text, *(cells(number, c) for c in states)), []).append(number)
    own = {c.path for c in (says, *states)}
    odd = {number for number, marks in by_row.items() if own.issuperset(mark.column for mark in marks)}
    failing = [rows for kind, rows in kinds.items() if any(map(tells, (cells(rows[0], says), *kind[1:])))]
    result = dict(by_row)
    what = f"of its {echo.label}" if echo else "alike but for numbers"
    last = {text: number for number, (text, *_) in sorted((places[-1], kind) for kind, places in kinds.items())}
    loud = {rows[0] for rows in failing}
    usual = not states and any(mark.said for marks in by_row.values() for mark in marks)  # failures: first what is rare
    for (text, *_), rows in kinds.items() if len(failing) <= KINDS else ():
        marked = [number for number in rows if number in by_row]
        if len(rows) <= TWICE or not odd.issuperset(marked) or not (marked or rows[0] in loud):
            continue
        first = marked[0] if marked else rows[0]
        count = counts[text]
        same = echo is None and len({cells(number, says) for number in rows}) == 1 and len(rows) == count
        why = f"{count:,} {f'with this {says.label}' if same else what}, up to #{last[text]}"
        others = [m for m in by_row.get(first, ()) if not ((same and m.count == count) or (usual and m.said))]
        grade = Keep.RARE if usual else Keep.SEVERE
        result[first] = [*others, Mark(first, grade, says.path, why, "", count, KIND)]
        for number in marked[1:]:
            del result[number]
    if echo:
        _of_kinds(result, dict(zip(sheet.numbers, sheet.texts(echo), strict=True)), says.path, what)
    return {number: result[number] for number in sorted(result)}


def _of_kinds(by_row: dict[int, list[Mark]], texts: Mapping[int, str], path: str, what: str) -> None:
    """Of what most rows say one that stands for them; of what is odd because hardly any row says it the first one."""
    seen = set[str]()
    for number in sorted(by_row):
        if texts[number] in seen and all(m.keep == Keep.RARE and m.column == path for m in by_row[number]):
            del by_row[number]
        seen.add(texts[number])
    first = {text: number for number, text in reversed([*texts.items()])}
    for text, count in Counter(texts.values()).items():
        if count >= MOSTLY * len(texts) and text not in seen:
            by_row[first[text]] = [Mark(first[text], Keep.RARE, path, f"{count:,} {what}", "", count, KIND)]
