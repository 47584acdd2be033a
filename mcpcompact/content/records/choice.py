"""Which fields of records are the columns of their rows, and in what order."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import islice

from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import ECHO, SAYING, SERIAL, echoes, worded
from mcpcompact.content.columns.quantities import measure_of
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.columns.wording import CHANGE, KIND_OF, LABEL_OF, briefer, coded, constant, row_number
from mcpcompact.content.records.shapes import BOOKS, again, leading
from mcpcompact.content.shared.reports import is_severity
from mcpcompact.content.shared.usual import HANDLE
from mcpcompact.patterns import regex

MAX_COLUMNS, NEARLY = 10, 4  # columns of a row; so few more figures that fit make it whole
WEAK, NO_MORE = 12, (4, 2)  # weight of a column that is only shown beside few; how few, and how few where it has none
NARROW, LONG_TEXT, WIDE, WIDEST = 40, 60, 100, 90  # characters of a column
NEAR_TOP = 2  # steps of a field that may name its record
LAST = 6  # place of long texts in a row
MANY = range(30)  # values of a number that is a quantity rather than a class
FEW_VALUES, SAME = 24, 3  # values that divide the rows; rows of which two columns can be known to be the same
PROSE, HALF, MOSTLY = 120, 0.5, 0.9  # characters in the mean; shares of the rows
KNOWN, LEADS, BOOKED = 120.0, 116.0, 50.0  # weight of what a kind is known by, the first four; bookkeeping weighs less
ASKED = 54.0  # weight of a column that the call names: behind names and titles
NOTHING = frozenset(("", "{}", "[]", "null"))
IDENTITY = 64  # characters; longer names say less than the record's number
APART = 0.7  # of the records that a name tells apart; a key of their own may then be left out
ROW_CHARS = 130

NAME = regex(
    r"(?i)^_?(?:id|number|name|title|key|path|file|filename|file_?path|resource|login|slug|sha|iata|code|symbol|label|host|pod|image|handle|author|ref|branch|tag|rule|check|package|vulnerability|advisory|cve|target)$|(?:[\s_]|[a-z])(?:id|Id|ID|name|Name)$"
)
TITLE = regex(
    r"(?i)^[@_]?(?:title|name|message|msg|summary|subject|description|text|event|headline|reason|error|content|log|note|comment|query|command|path)$|(?:[a-z]|[\s_])(?:title|headline|subject|summary|message)$"
)
_REQUEST = regex(  # who asked for what
    r"(?i)(?:(?:remote|client|source|src|peer)[._]?)?(?:ip|addr(?:ess)?)(?:_?addr(?:ess)?)?|user_?name"
    r"|(?:request|http)?_?(?:method|ur[il](?:_?path)?|path)"
)
LINE = regex(r"(?i)(?:start_?|original_?|end_?)?line(?:_?(?:no|number))?")
_PACKAGE, VERSIONED = regex(r"(?i)(?:.*\.)?(?:package|name)"), regex(r"(?i)version")
_FILE = regex(r"(?i)(?:file_?)?(?:path|name)|file|module|location")
_WORDED = regex(r"[A-Za-z].*/|/.*[A-Za-z]")  # a path or an address rather than a date
FIRST = regex(r"(?i)#|id|number|iid|key|address|(?:metadata\.)?name")
_OUTCOME = regex(r"(?i)(?:status|state|phase|result|severity|level|risk|conclusion|outcome|reason)$")
STATUS = regex(
    r"(?i)(?:status|state|phase|result|level|severity|risk|conclusion|outcome|reason|type|kind|category|priority|actions?(?:\[\])?)$"
)


def choose(stats: Columns, asked: Set[str] = frozenset(), room: int = ROW_CHARS) -> tuple[list[Column], list[Column]]:
    """The columns to show, in order (ids, names, states, numbers, dates, long texts, urls), and those left out.

    ``asked``: words of the call, which may name fields that would not be chosen else; ``room``: characters of a row."""
    known, ranked, left = leading(stats), [], []
    times, codes = periods(stats), coded(stats)
    for position, column in enumerate(stats.columns.values()):
        if not column.scalars or "len()" in column.steps:
            continue
        weight = _worth(column, stats, known, asked)
        aside = column in times[1:-LATEST] or column.path in codes
        if weight is None or (aside and column.name not in asked):
            left.append(column)
        else:  # of a series its ends are asked for
            later = 0.01 * position
            ranked.append((max(weight, ENDS) + later if column in times else weight - later, column))
    ranked.sort(key=lambda item: -item[0])
    chosen: list[Column] = []
    width = 5.0
    for weight, column in ranked:
        size = min(width_of(column), WIDEST) + 1
        fits = width + size <= room + SPARE * _measured(column)
        again = any(_same(column, other) or _inner(column, other) or _around(column, other) for other in chosen)
        most = MAX_COLUMNS if weight >= WEAK else NO_MORE[weight <= 0]
        if not again and len(chosen) < most and (fits or weight > LEADS or not chosen):
            chosen.append(column)
            width += size
        else:
            left.append(column)
    rest = [column for weight, column in ranked if weight >= WEAK and column in left]
    figures = all(column.kinds["number"] and not column.texts for column in rest)
    if 0 < len(rest) <= NEARLY and figures and width + sum(width_of(c) + 1 for c in rest) <= room:
        chosen, left = chosen + rest, [column for column in left if column not in rest]
    _say(chosen, left, stats, room, known)
    _date(chosen, left, room)
    _rather_rows(chosen, left, stats)
    keys = keys_of(stats)
    if keys and not any(tells_apart(column, stats) for column in chosen):
        chosen, left = [keys[0], *chosen], [c for c in left if c is not keys[0]]
    _handle(chosen, left, [c for weight, c in ranked if weight <= ONE_SIDED], stats)
    own = {id(c): i for i, c in enumerate(stats.columns.values())}
    first = {id(c): i for i, c in enumerate(known)}
    chosen.sort(key=lambda c: (first.get(id(c), len(known)), place(c, stats), own[id(c)]))
    return chosen, left


def _handle(chosen: list[Column], left: list[Column], dull: Sequence[Column], stats: Columns) -> None:
    """Where no column tells each record from the others, the hash or key by which the next call asks for one."""
    handle = next((c for c in left if _OWN.fullmatch(c.path) and _sole(c, stats) and opaque(c)), None)
    if handle is not None and not any(_sole(column, stats) for column in chosen):
        left += [c for c in chosen if c in dull]
        chosen[:] = [*(c for c in chosen if c not in dull), handle]
        left.remove(handle)


def periods(stats: Columns) -> list[Column]:
    """The columns that are named by years, quarters, months or days, in order; none where they are few."""
    named = [column for column in stats.columns.values() if _PERIOD.fullmatch(column.name) and column.scalars]
    return named if len(named) >= SERIES else []


def _say(chosen: list[Column], left: list[Column], stats: Columns, room: int, known: Sequence[Column]) -> None:
    """What a record says is always a column: its title or message, else its longest prose; the last others give way."""
    if any(len(column.steps) == 1 and TITLE.search(column.name) and worded(column) for column in chosen):
        return
    says = [c for c in (*chosen, *left) if worded(c, SAYING) and (c.texts > HALF * stats.total or c in known)]
    says = [c for c in says if ("[]" not in c.steps or c in known) and constant(c, stats) is None and not encoded(c)]
    says = [c for c in says if c in known or TITLE.search(c.name) or c.values is None or SAME * len(c.values) > c.texts]
    aside = [c for c in says if not TITLE.search(c.name) or (c not in known and _ASIDE.fullmatch(c.name))]
    best = min(says, key=lambda c: (c not in known, len(c.steps), c in aside, -width_of(c)), default=None)
    if best is None or best in chosen:
        return
    left.remove(best)
    named = [c for c in chosen if (NAME.search(c.name) or VERSIONED.fullmatch(c.name)) and "[]" not in c.steps]
    own = {c.path: c.scalars if c.values is None else len(c.values) for c in named}
    key = max(named, key=lambda c: (own[c.path], -width_of(c)), default=None)
    others = [c for c in chosen if c is not key and c not in known and not is_severity(c.name)]
    while others and len(chosen) > MIN_BESIDE and sum(min(width_of(c), WIDEST) + 1 for c in (*chosen, best)) > room:
        chosen.remove(others[-1])
        left.append(others.pop())
    chosen.append(best)


def _date(chosen: list[Column], left: list[Column], room: int) -> None:
    """When a record was last touched is a column of theirs, too, rather than counts and flags of few values."""
    dated = [c for c in left if c.dates and len(c.steps) == 1 and c.scalars > HALF * c.present]
    dated = [c for c in dated if c.values is None or len(c.values) > 1]  # one for all is said once
    if not dated or any(column.dates for column in chosen):
        return
    best = min(dated, key=lambda c: TOUCHED.search(c.name) is None)
    width = sum(min(width_of(c), WIDEST) + 1 for c in (*chosen, best))
    few = [c for c in reversed(chosen) if not c.texts and c.values is not None and len(c.values) <= FEW_VALUES]
    few = [c for c in reversed(chosen) if "[]" in c.steps and c.values is not None] + few
    for column in [c for c in few if len(c.values or ()) < c.scalars]:  # not numbers that each record has its own of
        if width <= room:
            break
        chosen.remove(column)
        left.append(column)
        width -= width_of(column) + 1
    if width <= room + SPARE and len(chosen) < MAX_COLUMNS:
        left.remove(best)
        chosen.append(best)


def _rather_rows(chosen: list[Column], left: list[Column], stats: Columns) -> None:
    """Of many records that have names and states, more rows say more than the first words of a long description."""
    long = [c for c in chosen if _ASIDE.fullmatch(c.name) and width_of(c) > PROSE]
    others = [c for c in chosen if c not in long]
    named = any(tells_apart(c, stats) for c in others)
    named = named and any(STATUS.search(c.name) or VERSIONED.fullmatch(c.name) for c in others)
    if stats.total > MANY_RECORDS and len(others) >= MIN_BESIDE and named:
        left += long
        chosen[:] = others


MANY_RECORDS = 20
SERIES, LATEST, ENDS = 6, 2, 42.0  # columns of times, at least; the latest of them that are shown; their weight
_PERIOD = regex(
    r"(?i)(?:19|20)\d\d(?:[-/ ]?(?:Q[1-4]|\d\d?(?:[-/]\d\d?)?))?|\d\d?[/.]\d\d?[/.]\d\d(?:\d\d)?"
    r"|Q[1-4][ -]?(?:19|20)\d\d|(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]{0,6}"
    r"(?:[- ,'/]{0,2}(?:\d\d)?\d\d)?"
)
_ASIDE = regex(r"(?i)(?:long_?)?(?:description|comment|note|body|overview)")
SPARE = 16  # characters that a date or a price may take beyond the room
TOUCHED = regex(r"(?i)updated|modified|changed|last|pushed|finished|completed")


MIN_BESIDE = 3  # columns that stand beside what a record says


def tells_apart(column: Column, stats: Columns, lists: int = 1) -> bool:
    """Names and titles of which most records have one of their own, in each of so many lists."""
    named = (NAME.search(column.name) or TITLE.search(column.name)) and "[]" not in column.steps
    own = column.values is None or len(column.values) * max(1, lists) > APART * stats.total
    return bool(named) and own and column.scalars > APART * stats.total


def keys_of(stats: Columns) -> list[Column]:
    """The fields that say which record a row is: names and ids that all have, the least deep and shortest first."""
    every = (c for c in stats.columns.values() if c.present >= stats.total and c.scalars == c.present)
    named = [c for c in every if NAME.search(c.name) and _sole(c, stats) and width_of(c) <= IDENTITY]
    named = [c for c in named if not random_aside(c) and not row_number(c, stats)]
    return sorted(named, key=lambda column: (len(column.steps), width_of(column)))


def _sole(column: Column, stats: Columns) -> bool:
    """Whether each record has a value of its own there."""
    own = column.values is None or len(column.values) == column.scalars
    return own and not column.duplicates and column.scalars >= MOSTLY * stats.total and "[]" not in column.steps


def _same(one: Column, other: Column) -> bool:
    """Two fields that say the same: created_at and updated_at of new issues, a pod's app and its container's name."""
    if one.kinds != other.kinds or one.characters != other.characters or one.examples != other.examples:
        return False
    dates = one.dates and other.dates and (one.dates.lo, one.dates.hi) == (other.dates.lo, other.dates.hi)
    return one.values == other.values and (one.values is not None or bool(dates)) and one.scalars > SAME


def _inner(one: Column, other: Column) -> bool:
    """The same field of a record inside the record: retweet.user.name beside user.name."""
    return 1 < len(other.steps) < len(one.steps) and one.steps[-len(other.steps) :] == other.steps


def _around(one: Column, other: Column) -> bool:
    """A name around another: ``AVD-KSV-0001`` or ``data.builtin.KSV001.deny`` beside ``KSV001``. What is left of it is
    the same in most rows: of a path that ends with a file's name it is not."""
    if not one.texts or one.texts != other.texts or "[]" in (*one.steps, *other.steps) or other.dates:
        return False
    outer, inner = ([*map(str, c.examples if c.values is None else c.values)] for c in (one, other))
    if len(outer) != len(inner) or len(outer) < SAME or any(" " in text for text in outer):
        return False
    left = set()
    for whole, part in zip(outer, inner, strict=True):
        whole, part = (_SIGNS.sub("", text).lower() for text in (whole, part))
        if len(part) <= SAME or part not in whole:
            return False
        left.add(whole.replace(part, "", 1))
    return len(left) * 2 <= len(outer)


def width_of(column: Column) -> float:
    per = column.scalars / max(1, (column.holders or column.present) if "[]" in column.steps else column.present)
    if column.values is not None and "[]" in column.steps:  # equal ones stand once
        per = min(per, len(column.values))
    if column.texts:
        return per * column.characters / column.texts
    return 6.0


def needless(column: Column, stats: Columns) -> bool:
    """What the facts, the row's number or another column say: one value, 1, 2, 3, …, the message without numbers."""
    kind = KIND_OF.fullmatch(column.name) and column.path in numbered_kinds(stats)
    numbered = row_number(column, stats) or kind
    return bool(constant(column, stats) is not None or numbered or echoes(column, stats))


def numbered_kinds(stats: Columns) -> set[str]:
    """Of a parsed log, the columns that number the templates of its messages, where these themselves are told."""
    if not any(ECHO.search(column.name) for column in stats.columns.values()) or briefer(stats):
        return set()
    return {column.path for column in stats.columns.values() if KIND_OF.fullmatch(column.name)}


def derivable(column: Column) -> bool:
    """One template with a number in it: the row's id says it all."""
    if column.level < 0 or column.tally is None or len(column.tally.counts) != 1 or not column.template_of:
        return False
    return _WORDED.search(next(iter(column.template_of.values()))) is not None


def _worth(column: Column, stats: Columns, known: Sequence[Column], asked: Set[str]) -> float | None:
    """The weight of a column: of those that the kind is known by above all, of bookkeeping below."""
    if column in known and not needless(column, stats):
        return KNOWN - known.index(column)
    weight = _weight(column, stats)
    if weight is not None and weight < ASKED and column.name in asked and not column.steps[1:]:
        return ASKED
    aside = BOOKS.search(column.path) or again(column, known)
    return weight - BOOKED if weight is not None and aside else weight


def _weight(column: Column, stats: Columns) -> float | None:
    """How much a column tells of its rows; None where another one, or the facts, say the same."""
    if needless(column, stats) or derivable(column) or (column.everywhere and column.holders == stats.total):
        return None  # the last: of list elements of which each record has the same
    one = column.values is not None and len(column.values) == 1
    if one and ("[]" in column.steps or NOTHING.issuperset(column.values or ())):
        return None
    name, deep = column.name, len(column.steps) - 1
    share = min(1.0, column.scalars / max(1, stats.total))
    few = column.values is not None and 1 < len(column.values) <= FEW_VALUES
    kinds: tuple[tuple[float, object], ...] = (  # the first that holds: what a reader asks for first
        (0.0, encoded(column)),
        (11.0, any("\n" in str(example).strip() for example in column.examples)),  # its lines are shown by themselves
        (15.0, _PROSE.fullmatch(name) and width_of(column) > PROSE),
        (30.0, _PROSE.fullmatch(name) and width_of(column) > NARROW),
        (9.0, column.examples and all("://" in str(example) for example in column.examples)),
        (10.0, _inside(column, stats)),
        (9.0, one and share >= HALF and not STATUS.search(name)),  # the same wherever it is
        (66.0, FIRST.fullmatch(column.path) and width_of(column) <= NARROW),
        (64.0 if _OUTCOME.search(name) else 45.0, few and STATUS.search(name)),
        (60.0, TITLE.search(name)),
        (57.0, LINE.fullmatch(name) and any(_FILE.fullmatch(other) for other in stats.columns)),
        (56.0, VERSIONED.fullmatch(name) and any(_PACKAGE.fullmatch(other) for other in stats.columns)),
        (55.0, NAME.search(name) or _leads(column, stats)),
        (40.9 + 7.0 * (deep == 1), _REQUEST.fullmatch(name) and width_of(column) <= NARROW),
        (43.5, column.kinds["number"] and (CHANGE.search(name) or "%" in name)),  # what a list of processes is read for
        (ONE_SIDED, few and max((column.values or {}).values()) >= MOSTLY * column.scalars),  # others are marked
        (40.0 - len(column.values or ()) / 4, few),
        (44.0, column.texts and column.values is not None and len(column.values) * 3 <= column.scalars),
        (62.0, column.dates and column is next(iter(stats.columns.values()))),  # of a series each row is named by it
        (41.0, column.dates),
        (42.0, column.kinds["number"] and len(column.values or MANY) >= len(MANY) and not SERIAL.search(name)),
        (36.0, _measured(column)),  # behind what divides the rows, which need not fit beside it
        (38.0, column.kinds["number"]),
        (15.0, column.characters > PROSE * max(1, column.texts)),
        (28.0, column.kinds["string"]),
        (10.0, True),
    )
    penalties: tuple[tuple[float, object], ...] = (
        (EMPTY, _hardly_any(column)),
        (45.0, opaque(column)),
        (15.0, few and width_of(column) > LONG_TEXT),  # what takes a line says it of many
        (12.0 if width_of(column) <= NARROW else 50.0, "[]" in column.steps),
        (30.0, deep and column.kinds["number"] and name[-2:].lower() == "id"),
        (20.0, deep and column.kinds["number"] and name.lower() == "id" and _named_beside(column, stats)),
        (30.0, LABEL_OF.search(column.path) and "[]" not in column.steps),
        (20.0, one and deep and (stats.total > MANY_RECORDS or share > HALF)),
        (30.0 * (1 - share), share < HALF),
        (7.0 * deep, True),
    )
    if random_aside(column):
        kinds, penalties = ((-1.0, True),), penalties[1:]
    return next(weight for weight, holds in kinds if holds) - sum(weight for weight, holds in penalties if holds)


def _leads(column: Column, stats: Columns) -> bool:
    """The first of the fields, but for a few, that is a text which tells the rows apart: what they are of."""
    texts = (c for c in islice(stats.columns.values(), FOREMOST) if c.texts == stats.total > SAME)
    own = (c for c in texts if c.values is None or len(c.values) > APART * stats.total)
    if column is not next(own, None) or width_of(column) > NARROW:
        return False
    named = (c for c in stats.columns.values() if c.texts and (NAME.search(c.name) or TITLE.search(c.name)))
    return column is next(iter(stats.columns.values())) or not any(named)


ONE_SIDED = 20.0  # weight of a column nearly all of whose values are one, which the facts say
FOREMOST = 4  # fields, before which numbers may stand


_SIGNS = regex(r"[^\w\s]|_|(?<!\d)0+(?=\d)")  # and zeros before a number

_AMOUNT = regex(r"(?i)(?:^|_)(?:price|amount|cost|total)$|[a-z](?:Price|Amount|Cost|Total)$")


def _measured(column: Column) -> bool:
    """Texts that are quantities: prices, sizes of memory."""
    measure = measure_of([*map(str, column.examples)]) if column.texts else None
    return measure is not None and bool(measure.unit or measure.factors or _AMOUNT.search(column.name))


def _hardly_any(column: Column) -> bool:
    """Numbers that are zero in more than half of the rows."""
    counts = column.numbers_tally.counts if column.numbers_tally is not None and column.numbers.lo <= 0 else {}
    zeros = sum(n for value, n in counts.items() if not column.number_of.get(value, value))
    return zeros * 2 > column.numbers.count > 0


EMPTY = 1.0  # weight that such a column loses against other quantities


def _inside(column: Column, stats: Columns) -> bool:
    """The id inside a service, beside the number by which people ask for the record."""
    number = stats.columns.get("number") or stats.columns.get("iid")
    return column.path == "id" and number is not None and number.scalars == stats.total and not number.duplicates


def _named_beside(column: Column, stats: Columns) -> bool:
    """Whether what an id is of has a name, too: user.login beside user.id."""
    beside = (c for c in stats.columns.values() if c.steps[:-1] == column.steps[:-1] and c.texts)
    return any(NAME.search(c.name) and not opaque(c) for c in beside)


def encoded(column: Column) -> bool:
    """Data as text: no words of what a record says."""
    return bool(column.examples) and all(str(example)[:2] in _DATA for example in column.examples)


def opaque(column: Column) -> bool:
    """Hashes, random ids and addresses that end with one: nobody tells rows apart by them."""
    if column.hexadecimal or HANDLE.fullmatch(column.steps[-1]):
        return True
    return bool(column.examples) and all(_RANDOM.fullmatch(str(e)[:LONGEST_ID]) for e in column.examples)


def random_aside(column: Column) -> bool:
    """Random ids that are not the row's own: of a trace, an image, a parent."""
    return opaque(column) and not _OWN.fullmatch(column.steps[-1])


_DATA = ('{"', "{\n", "[{", '["')  # how such begin
LONGEST_ID = 200  # characters by which an id is judged: the pattern looks ahead from many places
_RANDOM = regex(
    r"(?:[\w.:/@+-]*[.:/@+-])?(?=\d*[a-f])(?=[a-f]*\d)[0-9a-f]{16,}|[\w.:/@+-]*(?=[0-9a-f]*\d)[0-9a-f]{24,}|[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|(?=\w*\d)(?=\w*[a-z])(?=\w*[A-Z])\w{16,}={0,2}|[A-Z]{1,4}_kw[\w-]{12,}"
    r"|sha\d{1,3}-[\w+/]{16,}={0,2}|[\w+/]{24,}={1,2}"
)
_PROSE = regex(r"(?i)(?:long_?)?(?:description|text|content|comment|note|body|overview)")
_OWN = regex(r"(?i)_?(?:id|uuid|guid|uid|sha|oid|key|hash|digest)")


def place(column: Column, stats: Columns) -> int:
    """The place of a column in its row: names, titles and short texts, states, numbers, dates, others, what is long."""
    name, width, path = column.name, width_of(column), "/" in str(column.examples[:1])
    places = (
        (-1, FIRST.fullmatch(column.path) and width <= NARROW),
        (0, NAME.search(name) and len(column.steps) <= NEAR_TOP and width <= NARROW),
        (1, TITLE.search(name) and (width <= WIDE or len(column.steps) == 1)),
        (2, column.values is not None and len(column.values) <= FEW_VALUES and not column.kinds["number"]),
        (3, column.dates),
        (4, column.kinds["number"]),
        (1, width <= NARROW and not path and "[]" not in column.steps),
        (1, column.values is None and width <= NARROW and not path),
        (LAST, width > LONG_TEXT or path),
    )
    return next((at for at, holds in places if holds), LAST - 1)
