"""Records as rows of a table: which columns are shown, and each row's text with its exact record number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from typing import Any

from mcpcompact.content.anomalies.thresholds import MIN_RARE
from mcpcompact.content.columns.alarms import Mark
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import CLOCK, ECHO, LOSSES, SERIAL, telling
from mcpcompact.content.columns.survey import Columns, reach
from mcpcompact.content.columns.wording import constant, row_number, template
from mcpcompact.content.shared.flow import HANDLE, lines_of_text
from mcpcompact.outline import Item, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, show

MAX_COLUMNS = 10
WEAK, NO_MORE = 12, (4, 2)  # weight of a column that is only shown beside few; how few, and how few where it has none
NARROW, LONG_TEXT, WIDE, WIDEST = 40, 60, 100, 90  # characters of a column
CELL, LAST_CELL, ODD_CELL = 90, 60, 120  # characters of a cell: most, the last ones, those that are odd
MORE = 2  # odd fields that are no column, at the end of a row
LAST = 6  # place of long texts in a row
MANY = range(30)  # values of a number that is a quantity rather than a class
FEW_VALUES, SAME = 24, 3  # values that divide the rows; rows of which two columns can be known to be the same
PROSE, HALF = 120, 0.5  # characters in the mean; share of the rows
NAMED, NAMED_PATHS = 10, 3  # columns and paths that are named though not shown
ASKED = 54.0  # weight of a column that the call names: behind names and titles
APART = 0.7  # of the records that a name tells apart; a key of their own may then be left out
IDENTITY = 64  # characters; longer names say less than the record's number
ROW_CHARS = 130
LONGEST = 100_000  # characters of a cell

_NAME = regex(
    r"(?i)^_?(?:id|number|name|title|key|path|file|filename|login|slug|sha|iata|code|symbol|label|host|pod|image|handle|author|ref|branch|tag|rule|check)$|(?:_|[a-z])(?:id|Id|ID|name|Name)$"
)
_TITLE = regex(
    r"(?i)^[@_]?(?:title|name|message|msg|summary|subject|description|text|event|headline|reason|error|content|log|note|comment|query|command|path)$|[a-z](?:title|headline|subject|summary|message)$"
)
_WORDED = regex(r"[A-Za-z].*/|/.*[A-Za-z]")  # a path or an address rather than a date
_FIRST = regex(r"(?i)#|id|number|iid|key|address|(?:metadata\.)?name")
_OUTCOME = regex(r"(?i)(?:status|state|phase|result|severity|level|conclusion|outcome|reason)$")
STATUS = regex(
    r"(?i)(?:status|state|phase|result|level|severity|conclusion|outcome|reason|type|kind|category|priority|actions?(?:\[\])?)$"
)

Cells = Callable[[int, Column], str]
"""Row number and column to the cell's text."""


def cells_of(record: Callable[[int], Any]) -> Cells:
    """Cells of JSON records: scalars as they stand, lists joined by commas, objects as their length."""

    def cell(row: int, column: Column) -> str:
        if len(column.steps) == 1:
            value = record(row).get(column.steps[0])
            if value.__class__ is str or value.__class__ is int:
                return show(value, LONGEST, lines=True)
        found = reach(record(row), column.steps)
        texts = [
            f"{{{counted(len(v), 'key')}}}"
            if isinstance(v, dict)
            else f"[{counted(len(v), 'item')}]"
            if isinstance(v, list)
            else show(v, LONGEST, lines=True)
            for v in found
        ]
        if len(texts) == 1:
            return texts[0]
        return ",".join(f"{text} ×{n}" if n > 1 else text for text, n in Counter(texts).items())

    return cell


def choose(stats: Columns, asked: Set[str] = frozenset(), room: int = ROW_CHARS) -> tuple[list[Column], list[Column]]:
    """The columns to show, in order (ids, names, states, numbers, dates, long texts, urls), and those left out.

    ``asked``: words of the call, which may name fields that would not be chosen else; ``room``: characters of a row."""
    ranked, left = [], []
    for position, column in enumerate(stats.columns.values()):
        if not column.scalars or "len()" in column.steps:
            continue
        weight = _weight(column, stats)
        if weight is not None and weight < ASKED and column.name in asked and not column.steps[1:]:
            weight = ASKED
        if weight is None:
            left.append(column)
        else:
            ranked.append((weight - 0.01 * position, column))
    ranked.sort(key=lambda item: -item[0])
    chosen: list[Column] = []
    width = 5.0
    for weight, column in ranked:
        size = min(_width(column), WIDEST) + 1
        if (weight < WEAK and len(chosen) >= NO_MORE[weight <= 0]) or any(_same(column, other) for other in chosen):
            left.append(column)
        elif len(chosen) < MAX_COLUMNS and (width + size <= room or not chosen):
            chosen.append(column)
            width += size
        else:
            left.append(column)
    _say(chosen, left, stats, room)
    keys = keys_of(stats)
    if keys and not any(tells_apart(column, stats) for column in chosen):
        chosen, left = [keys[0], *chosen], [c for c in left if c is not keys[0]]
    place = {id(c): i for i, c in enumerate(stats.columns.values())}
    chosen.sort(key=lambda c: (_order(c, stats), place[id(c)]))
    return chosen, left


def _say(chosen: list[Column], left: list[Column], stats: Columns, room: int) -> None:
    """What a record says is always a column: its title or message, else its longest prose; the last others give way."""
    if any(len(column.steps) == 1 and _TITLE.search(column.name) and _worded(column) for column in chosen):
        return
    said = [c for c in (*chosen, *left) if _worded(c, SAYING) and c.texts > HALF * stats.total]
    said = [c for c in said if "[]" not in c.steps and not _fixed(c, stats)]
    best = min(said, key=lambda c: (len(c.steps), not _TITLE.search(c.name), -_width(c)), default=None)
    if best is None or best in chosen:
        return
    left.remove(best)
    while len(chosen) > LEAST_BESIDE and sum(min(_width(c), WIDEST) + 1 for c in (*chosen, best)) > room:
        left.append(chosen.pop())
    chosen.append(best)


def _worded(column: Column, least: int = 0) -> bool:
    """Texts of several words, of so many characters in the mean."""
    words = [str(example) for example in column.examples]
    return column.characters >= least * max(1, column.texts) and any(" " in text.strip() for text in words)


SAYING = 24  # characters in the mean of a message
LEAST_BESIDE = 3  # columns that stand beside what a record says


def tells_apart(column: Column, stats: Columns) -> bool:
    """Names and titles of which most records have one of their own."""
    named = (_NAME.search(column.name) or _TITLE.search(column.name)) and "[]" not in column.steps
    own = column.values is None or len(column.values) > APART * stats.total
    return bool(named) and own and column.scalars > APART * stats.total


def keys_of(stats: Columns) -> list[Column]:
    """The fields that say which record a row is: names and ids that all records have, the least deep and shortest
    first."""
    named = [
        column
        for column in stats.columns.values()
        if _NAME.search(column.name) and column.present >= stats.total and column.scalars == column.present
        if "[]" not in column.steps and _width(column) <= IDENTITY and not column.duplicates
        if column.values is None or len(column.values) == column.scalars
        if not random_aside(column) and not row_number(column, stats)
    ]
    return sorted(named, key=lambda column: (len(column.steps), _width(column)))


def _same(one: Column, other: Column) -> bool:
    """Two fields that say the same: created_at and updated_at of new issues, a pod's app and its container's name."""
    if one.kinds != other.kinds or one.characters != other.characters or one.examples != other.examples:
        return False
    dates = one.dates and other.dates and (one.dates.lo, one.dates.hi) == (other.dates.lo, other.dates.hi)
    return one.values == other.values and (one.values is not None or bool(dates)) and one.scalars > SAME


def _width(column: Column) -> float:
    per = column.scalars / max(1, column.present)
    if column.values is not None and "[]" in column.steps:  # equal ones stand once
        per = min(per, len(column.values))
    if column.texts:
        return per * column.characters / column.texts
    return 6.0


def _fixed(column: Column, stats: Columns) -> bool:
    return constant(column, stats) is not None


def in_every(column: Column, stats: Columns) -> bool:
    """A field of list elements whose every value stands once in every record: the conditions of a pod."""
    return column.everywhere and column.holders == stats.total


def _derivable(column: Column) -> bool:
    """One template with a number in it: the row's id says it all."""
    if column.level < 0 or column.tally is None or len(column.tally.counts) != 1 or not column.template_of:
        return False
    return _WORDED.search(next(iter(column.template_of.values()))) is not None


def _weight(column: Column, stats: Columns) -> float | None:
    """How much a column tells of its rows; None where another one, or the facts, say the same."""
    if _fixed(column, stats) or _derivable(column) or in_every(column, stats) or row_number(column, stats):
        return None
    if column.values is not None and set(column.values) <= {""}:
        return None
    name, deep = column.name, len(column.steps) - 1
    share = min(1.0, column.scalars / max(1, stats.total))
    few = column.values is not None and 1 < len(column.values) <= FEW_VALUES
    kinds: tuple[tuple[float, object], ...] = (  # the first that holds: what a reader asks for first
        (11.0, any("\n" in str(example).strip() for example in column.examples)),  # its lines are shown by themselves
        (15.0, _PROSE.fullmatch(name) and _width(column) > PROSE),
        (30.0, _PROSE.fullmatch(name) and _width(column) > NARROW),
        (9.0, column.examples and all("://" in str(example) for example in column.examples)),
        (66.0, _FIRST.fullmatch(column.path) and _width(column) <= NARROW),
        (64.0 if _OUTCOME.search(name) else 45.0, few and STATUS.search(name)),
        (60.0, _TITLE.search(name)),
        (55.0, _NAME.search(name)),
        (40.0 - len(column.values or ()) / 4, few),
        (44.0, column.texts and column.values is not None and len(column.values) * 3 <= column.scalars),
        (62.0, column.dates and column is next(iter(stats.columns.values()))),  # of a series each row is named by it
        (41.0, column.dates),
        (42.0, column.kinds["number"] and len(column.values or MANY) >= len(MANY) and not SERIAL.search(name)),
        (38.0, column.kinds["number"]),
        (15.0, column.characters > PROSE * max(1, column.texts)),
        (28.0, column.kinds["string"]),
        (10.0, True),
    )
    penalties: tuple[tuple[float, object], ...] = (
        (45.0, opaque(column)),
        (12.0 if _width(column) <= NARROW else 30.0, "[]" in column.steps),
        (30.0, deep and column.kinds["number"] and name[-2:].lower() == "id"),
        (20.0, ECHO.search(name)),
        (30.0 * (1 - share), share < HALF),
        (7.0 * deep, True),
    )
    if random_aside(column):
        kinds, penalties = ((-1.0, True),), penalties[1:]
    return next(weight for weight, holds in kinds if holds) - sum(weight for weight, holds in penalties if holds)


def opaque(column: Column) -> bool:
    """Hashes, random ids and addresses that end with one: nobody tells rows apart by them."""
    if column.hexadecimal or HANDLE.fullmatch(column.steps[-1]):
        return True
    return bool(column.examples) and all(_RANDOM.fullmatch(str(e)) for e in column.examples)


def random_aside(column: Column) -> bool:
    """Random ids that are not the row's own: of a trace, an image, a parent."""
    return opaque(column) and not _OWN.fullmatch(column.steps[-1])


_RANDOM = regex(
    r"(?:[\w.:/@+-]*[.:/@+-])?(?=[0-9a-f]*\d)[0-9a-f]{16,}|[\w.:/@+-]*(?=[0-9a-f]*\d)[0-9a-f]{24,}|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{16,}={0,2}"
)
_PROSE = regex(r"(?i)(?:long_?)?(?:description|text|content|comment|note|body|overview)")
_OWN = regex(r"(?i)_?(?:id|uuid|guid|uid|sha|oid|key|hash|digest)")


def _order(column: Column, stats: Columns) -> int:
    """The place of a column in its row: names, titles and short texts, states, numbers, dates, others, what is long."""
    name, width, path = column.name, _width(column), "/" in str(column.examples[:1])
    places = (
        (-1, _FIRST.fullmatch(column.path) and width <= NARROW),
        (0, _NAME.search(name) and len(column.steps) <= 2 and width <= NARROW),
        (1, _TITLE.search(name) and (width <= WIDE or len(column.steps) == 1)),
        (2, column.values is not None and len(column.values) <= FEW_VALUES and not column.kinds["number"]),
        (3, column.dates),
        (4, column.kinds["number"]),
        (1, width <= NARROW and not path and "[]" not in column.steps),
        (1, column.values is None and width <= NARROW and not path),
        (LAST, width > LONG_TEXT or path),
    )
    return next((place for place, holds in places if holds), LAST - 1)


def follow(chosen: list[Column], numbers: Sequence[int], cells: Cells, stats: Columns) -> tuple[list[Column], str]:
    """Without columns that another one tells (``…/runs/27739`` by the id 27739), and what the header says of them.

    Only where every record is at hand: said of all, it must hold for all.
    """
    if len(numbers) < stats.total or stats.total < SAME:
        return chosen, ""
    left, told = list(chosen), []
    for column in chosen:
        if _width(column) < FOLLOWS or "/" not in str(column.examples[:1]) or len(left) <= 1:
            continue
        for key in left:
            if (
                key is not column
                and _width(key) < _width(column)
                and (text := _written_by(column, key, numbers, cells))
            ):
                left.remove(column)
                told.append(f"{column.label} = {text}")
                break
    return left, f" ({'; '.join(told)})" if told else ""


def _written_by(column: Column, key: Column, numbers: Sequence[int], cells: Cells) -> str:
    """``https://host/runs/{id}`` where that gives the column's value in every record; "" where it does not."""
    before = after = ""
    for n, number in enumerate(numbers):
        value, part = cells(number, column), cells(number, key)
        head, found, tail = value.rpartition(part) if len(part) >= LEAST_KEY else ("", "", "")
        if not found or (n and (head, tail) != (before, after)):
            return ""
        before, after = head, tail
    return f"{escape(before)}{{{key.label}}}{escape(after)}"


FOLLOWS, LEAST_KEY = 24, 2  # characters


def header(chosen: Sequence[Column]) -> str:
    return "#|" + "|".join(f"{c.label}[:{HASH}]" if _long_hash(c) else c.label for c in chosen)


HASH, COMMIT = 12, 40  # characters of a hash that tell it from all others, of a commit's


def _long_hash(column: Column) -> bool:
    """One beside the row's own id: shown because the call names it, by its first characters."""
    aside = random_aside(column) and not _NAME.search(column.name)
    return column.hexadecimal and (aside or _width(column) == COMMIT) and _width(column) > 2 * HASH


def hashes_cut(cells: Cells, chosen: Sequence[Column]) -> Cells:
    """Cells as the header announces them."""
    hashes = {column.path for column in chosen if _long_hash(column)}
    return lambda n, c: cells(n, c)[:HASH] if c.path in hashes else cells(n, c)


def marked_first(chosen: list[Column], found: Sequence[Mark]) -> list[Column]:
    """What says that a row is odd stands right behind its name, so that it is there where the row is cut."""
    odd: dict[str, int] = {}
    for mark in found:
        odd[mark.column] = max(mark.keep, odd.get(mark.column, 0))
    return [*chosen[:1], *sorted(chosen[1:], key=lambda c: -odd.get(c.path, 0))]


def not_shown(left: Sequence[Column], stats: Columns, told: set[str]) -> str:
    """What the rows leave out, in one sentence: urls that follow from a number, and other fields by name."""
    derived = [c for c in left if _derivable(c)]
    others = [c for c in left if not _derivable(c) and not _fixed(c, stats) and c.path not in told]
    parts = []
    if derived:
        shapes = [f"{c.label} {template(next(iter(c.template_of.values())), c.level)}" for c in derived[:NAMED_PATHS]]
        parts.append(
            "; ".join(shapes) + (f" and {len(derived) - NAMED_PATHS} alike" if len(derived) > NAMED_PATHS else "")
        )
    if others:
        names = [f"{c.label} (= #)" if row_number(c, stats) else c.label for c in others[:NAMED]]
        parts.append(", ".join(names) + (f", +{len(others) - NAMED} more" if len(others) > NAMED else ""))
    return f"not shown in rows: {'; '.join(parts)}" if parts else ""


def full_paths(chosen: Sequence[Column]) -> str:
    """Where labels were cut short, the whole paths."""
    cut = [c.path for c in chosen if c.label != c.path]
    return f"paths of the columns: {', '.join(cut)}" if cut else ""


def shorten(text: str, limit: int) -> str:
    """At most so many characters, to the end of a word where one is near."""
    if len(text) <= limit + 16:
        return text
    end = text.rfind(" ", limit - NEAR, limit + 1)
    end = end if end > 0 else limit
    return f"{text[:end]}…[+{len(text) - end:,} chars]"


NEAR = 16  # characters


def escape(text: str) -> str:
    """A cell holds no bar and no line break of its own."""
    if "|" not in text and text.isprintable():
        return text
    text = text.replace("|", "\\|").replace("\r\n", "\\n")
    return text.replace("\r", "\\n").replace("\n", "\\n").replace("\t", " ")


def render(
    numbers: Iterable[int], chosen: Sequence[Column], cells: Cells, marks: Sequence[Mark], stats: Columns
) -> list[Item]:
    """An item for each row number. A marked row shows its odd fields whole, also those that are no column."""
    cells, by_row = hashes_cut(cells, chosen), dict[int, list[Mark]]()
    for mark in marks:
        by_row.setdefault(mark.row, []).append(mark)
    limits = [CELL if _order(c, stats) < LAST else LAST_CELL for c in chosen]
    numbers = list(numbers)
    ends = extremes(chosen) | _ends(numbers, chosen, cells)
    shown = {c.path for c in chosen}
    items = []
    for number in numbers:
        odd = by_row.get(number)
        if odd is None:
            row = "|".join([escape(shorten(cells(number, c), limit)) for c, limit in zip(chosen, limits, strict=True)])
            weight = EXTREME if number in ends else max(LATE, EARLY - number * STEP)
            items.append(Item(number, number, f"#{number}|{row.rstrip('|')}", weight=weight))
            continue
        fields = {m.column for m in odd}
        row = "|".join(
            escape(shorten(cells(number, c), ODD_CELL if c.path in fields else limit))
            for c, limit in zip(chosen, limits, strict=True)
        )
        item = _kept(number, f"#{number}|{row}".rstrip("|"), [_quoted(m, number, cells, stats) for m in odd], shown)
        for path in sorted(fields - shown)[:MORE]:
            column = stats.columns.get(path)
            if column is None or not column.scalars or f"{column.label}=" in item.reason:
                continue
            if text := cells(number, column):
                if item.text == f"#{number}|{row}".rstrip("|"):
                    item.text = f"#{number}|{row}"  # no cell of a column
                item.text += f"|{column.label}={escape(shorten(text, LAST_CELL))}"
        items.append(item)
    return items


def _ends(numbers: Sequence[int], columns: Sequence[Column], cells: Cells) -> set[int]:
    """Of the rows at hand the few with the most and the least of the first column of quantities."""
    for column in _measured(columns)[:1]:
        found = sorted((value, n) for n in numbers if (value := number_in(cells(n, column))) is not None)
        return {n for _, n in (*found[:ENDS], *found[-ENDS:])}
    return set()


def number_in(text: str) -> float | None:
    """A plain, finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if value - value == 0 else None


def extremes(columns: Iterable[Column]) -> set[int]:
    """The rows with the most and the least of the first few columns of quantities."""
    return {row for column in _measured(columns)[:MEASURED] for row in (column.numbers.lo_row, column.numbers.hi_row)}


def _measured(columns: Iterable[Column]) -> list[Column]:
    return [
        column
        for column in columns
        if column.numbers.count >= MIN_RARE and not column.numbers.rising and column.numbers.hi > column.numbers.lo
        if not CLOCK.search(column.path) and not SERIAL.search(column.path) and "[]" not in column.steps
    ]


EXTREME, MEASURED, ENDS = 3.0, 3, 3  # weight of the rows at either end; columns; rows at each end of one


def _quoted(mark: Mark, number: int, cells: Cells, stats: Columns) -> Mark:
    """A severe word of a long text with what follows it, which must survive where the text itself is cut."""
    column = stats.columns.get(mark.column)
    label, _, word = mark.reason.partition(": ")
    if mark.keep != Keep.SEVERE or column is None or label != column.label or not word:
        return mark
    text = cells(number, column)
    at = text.find(word)
    if at < 0 or len(text) <= QUOTED:
        return mark
    quote = escape(shorten(text[at : at + len(word) + 400], len(word) + 60).partition("…[+")[0])
    return Mark(mark.row, mark.keep, mark.column, f"{label}: …{quote}", mark.template, mark.count)


QUOTED = 60  # characters
BELOW, LABEL = 0.15, 30  # rows come before their texts; characters of a value that the row need not repeat
EARLY, STEP, LATE = 1.5, 0.03, 0.6  # weight: lists come best or newest first, and rows side by side read best
FEW = 12  # records that are found by their names
LONG_CELL, LONG_MOST, LONG_ITEMS = 106, 20_000, 4_000  # characters, characters, items


def long_cells(numbers: Iterable[int], columns: Sequence[Column], cells: Cells, stats: Columns) -> list[Item]:
    """Texts that a row must shorten or leave out, whole, under ``#417.body``: room is often left for parts of them. One
    of several lines is shown by them."""
    wide = [c for c in columns if _width(c) > NARROW and not _derivable(c) and not _fixed(c, stats)]
    wide = [c for c in wide if any(" " in str(example) for example in c.examples)]  # no address, no list of names
    few = stats.total <= FEW  # of more the rows are found by their numbers
    name = next((c for c in columns if c not in wide and _NAME.search(c.name)), None) if few else None
    items: list[Item] = []
    for number in numbers if wide else ():
        for column in wide:
            text = cells(number, column)
            if len(text) <= LONG_CELL or len(items) >= LONG_ITEMS:
                continue
            if "\n" in text.strip():
                who = f" ({name.label} {shorten(cells(number, name), IDENTITY)})" if name else ""
                for line in lines_of_text(number, number, f"#{number} {column.label}{who}", text[:LONG_MOST]):
                    line.weight = BELOW
                    items.append(line)
            else:
                items.append(
                    Item(number, number, f"#{number}.{column.label}: {escape(text[:LONG_MOST])}", weight=BELOW)
                )
    return items


def _kept(number: int, text: str, odd: Sequence[Mark], shown: set[str]) -> Item:
    """The reason names the most telling field, and those that the row itself does not show."""
    ranked = sorted(odd, key=telling)
    reasons = [_in_short(ranked[0]) if ranked[0].column in shown else ranked[0].reason]
    for mark in ranked[1:]:
        if mark.reason and mark.reason not in reasons and (mark.column not in shown or "=" not in mark.reason):
            reasons.append(mark.reason)
    # each says another failure, removes another thing, or holds a value that no other row does
    own = ranked[0].said or LOSSES.search(ranked[0].reason) or (ranked[0].count == 1 and "=" in ranked[0].reason)
    template = "" if own else ranked[0].template
    return Item(number, number, text, ranked[0].keep, "; ".join(filter(None, reasons[:3])), template)


def _in_short(mark: Mark) -> str:
    """The field alone, where its long value stands in the row."""
    label, _, value = mark.reason.partition("=" if "=" in mark.reason else " like ")
    return label if len(value) > LABEL else mark.reason


def even(total: int, most: int) -> Iterable[int]:
    """At most ``most`` of the numbers 1 … total, evenly spread, the first and last among them."""
    if total <= most:
        return range(1, total + 1)
    return sorted({1 + i * (total - 1) // (most - 1) for i in range(most)})
