"""What column statistics mean: the rows that stand out, and the facts a reader needs first.

``marks`` applies rules: severity by its rarity in the field, rare values, outliers, odd schema, types and shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from itertools import chain, permutations
from typing import Any

from mcpcompact.content.anomalies import words as failures
from mcpcompact.content.anomalies.rare import Tally, few, uncommon
from mcpcompact.content.anomalies.thresholds import MAX_ODD, MIN_RARE, RARE_SHARE, RARE_TOTAL, SERVER_ERROR
from mcpcompact.content.columns.alarms import CODE, STATUS, Mark, booleans, errors, full, http, of_rows, severe
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.cutting import HEAD, common
from mcpcompact.content.columns.survey import MAX_NAMES, Columns
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, show

LOSSES = regex(r"(?i)(?:action|operation|change)s?=(?:delete|destroy|remove|drop|replace)d?$")
SENTENCE = 30  # characters of a text in the mean
MAX_VALUES = 5  # uncommon values of a field
SHAPES = 8  # templates of names; where these are more, one that stands once is chance
LONG = 10  # elements of a list that is longer than the others
COARSEST = 2  # of the levels of ``Column``: the shape alone
CAP = 12  # marked rows shown of one cause
MAX_SHARE = 50  # one row in so many is marked, whatever the causes
COUNTED = 12  # values of a field that are told one by one: fewer have no shapes worth asking for
SAMPLE, SPACED = 50, 10  # values that are asked whether they are prose; one in so many has a blank then
MIN_TEXTS = 50  # before a word, or a type beside nulls, can be rare among them
MAX_EXTRA = 20  # keys that hardly any record has; more are a map
TWICE = 0.01  # share of values that repeat in a field of ids
CLOCK = regex(r"(?i)(?:^|[._])(?:ts|epoch|year)$|(?:time|date|timestamp|_at)$|(?-i:[a-z]At)$")
_LIKED = regex(  # how many people liked, saw or took a thing: of any many some have thousands
    r"(?i)(?:^|[._])(?:followers|followings?|friends|favou?rites?|likes?|retweets?|repl(?:y|ies)|stars?|stargazers"
    r"|watchers|forks|views?|downloads?|subscribers|listed|upvotes|karma|shares)(?:_?count)?$"
)
SERIAL = regex(
    r"(?i)(?:^|[._ ])(?:id|key|parent|p?pid|[ugt]id|fd|i?node|port|zip|(?:post_?)?code"
    r"|line|lineno|row|col|index|offset|number|no|[hwxy]|lat|lng|lon|latitude|longitude|seq|version)$"
    r"|(?-i:Id|[a-z](?:ID|Code|Line|Row|Column|Index|Offset|Number))$"
)
_IDENTIFIER = regex(
    r"(?i)(?:^|[._ ])(?:id|uu?id|guid|code|key|hash|sha|token|[hwxy]|width|height)$|(?-i:[a-z](?:Id|ID|Code|Key|Hash))$"
    r"|colou?rs?$"
)  # and looks: a size or a colour of its own stands for nothing
_FREE = regex(
    r"(?i)(?:.*[_.])?(?:name|title|label|url|uri|link|href|image|img|src|photo|picture|thumbnail|avatar|icon)s?"
    r"|.*(?-i:Name|Url|URL)|column \d+"
)
_VERSION = regex(r"(?i)versions?(?:\[\])?$|(?:^|[-_ ])(?:purl|ref)$|(?:^|[._ ])package[ _]?name$")  # of any shape
_HOST = regex(r"(?:\w+://)?([\w-]+\.[\w.-]+)/")  # of an image, a package, an address
_YEAR, _DIGIT = regex(r"(?<![\d.])[12]\d{3}(?!\d)"), regex(r"\d")
_NUMBER = regex(r"[-+]?[\d.,$€£¥\" ]+%?")


def telling(mark: Mark) -> tuple[int, int, bool, int]:
    """Sort key, the most telling first: severe before rare, rare causes first, a word before true or false."""
    return -mark.keep, mark.count, mark.reason.endswith(("=true", "=false")), mark.row


# -- marks ------------------------------------------------------------------------------------------------------


ECHO = regex(r"(?i)(?:event|log|message)_?template$")  # of a parsed log: its message without numbers


def worded(column: Column, least: int = 0) -> bool:
    """Texts of several words, of so many characters in the mean."""
    words = [str(example) for example in column.examples]
    return column.characters >= least * max(1, column.texts) and any(" " in text.strip() for text in words)


def echoes(column: Column, stats: Columns) -> bool:
    """The template of a message that stands beside it; a list of templates alone is what its rows say."""
    others = (other for other in stats.columns.values() if other is not column)
    return ECHO.search(column.path) is not None and any(worded(other, SAYING) for other in others)


_GRADED = regex(r"(?i)(?:severity|priority|risk|cwe)(?:[ _-]?(?:id|rating|score|text))?$")
"""How grave a finding or a request is: what such a list is about, the words of its rows say anyway."""
_ERRORS = frozenset(("ERROR", "ERR", "SEVERE", "FATAL", "CRITICAL"))
_MILD = frozenset(("NOTICE", "INFO", "DEBUG", "TRACE", "FINE", "VERBOSE"))


def levels_of(stats: Columns) -> Column | None:
    """The level of the entries of a log, where it tells errors from others: what they say decides no more."""
    states = [c for c in stats.columns.values() if STATUS.search(c.name)]
    by_column = ((c, {str(value).upper() for value in c.values or ()}) for c in states)
    return next((c for c, values in by_column if values & _ERRORS and values & _MILD), None)


def graver(all_marks: list[Mark], stats: Columns, at_hand: Set[int], cell: Callable[[int, Column], str]) -> list[Mark]:
    """Without those by a word of failure in an entry that is none by its level: ``INFO: time out: 3200``."""
    if (level := levels_of(stats)) is None:
        return all_marks
    messages = {c.path for c in stats.columns.values() if worded(c, SAYING)}
    worded_so = (m.keep == Keep.SEVERE and m.column in messages and m.row in at_hand for m in all_marks)
    return [m for m, by in zip(all_marks, worded_so, strict=True) if not (by and cell(m.row, level).upper() in _MILD)]


SAYING = 24  # characters in the mean of a message
SINGLE = 2  # rows of a template that hardly ever occurs


def marks(stats: Columns) -> list[Mark]:
    """Every row that stands out, the most telling first; at most ``CAP`` of one cause."""
    candidates: list[Mark] = []
    stats.name()
    graded = any(c.texts and _GRADED.search(c.name) for c in stats.columns.values())  # each tells of something bad
    levels = levels_of(stats)
    for column in stats.columns.values():
        if echoes(column, stats):
            continue
        group = stats.total if column.path.count("[]") == 0 else max(stats.total, column.scalars)
        failed = severe(column, group) if STATUS.search(column.path) or not graded else ()
        candidates += (m for m in failed if column is levels or not (levels and m.said and worded(column, SAYING)))
        candidates += chain(errors(column, group), full(column))
        if stats.total < MIN_RARE or (column.steps[-1:] == ("len()",) and column.steps[2:]):
            continue  # how long a list inside an object is says nothing of the record
        nested = column.steps.count("[]") > 1  # of lists in lists their states are asked, and figures of one each
        candidates += _outliers(column) if not nested or column.scalars <= stats.total else ()
        if not nested or STATUS.search(column.path):
            candidates += chain.from_iterable(rule(column) for rule in _OF_COLUMNS)
    candidates += chain.from_iterable(rule(stats) for rule in _OF_ALL)
    candidates.sort(key=lambda m: (-m.keep, m.count, m.row))
    return _bounded(_once(candidates), stats.total)


def _once(candidates: list[Mark]) -> list[Mark]:
    """One mark a row and field; an extra key needs no mark when something below it or in its stead has one."""
    seen, severe, out = set[tuple[int, str]](), set[int](), list[Mark]()
    for mark in candidates:
        if (mark.row, mark.column) in seen or (mark.row in severe and mark.reason.startswith("no ")):
            continue
        if mark.template.endswith(" extra") and any(r == mark.row and c.startswith(mark.column) for r, c in seen):
            continue
        seen.add((mark.row, mark.column))
        if mark.keep == Keep.SEVERE:
            severe.add(mark.row)
        out.append(mark)
    return out


def _bounded(candidates: list[Mark], total: int) -> list[Mark]:
    """Rows that several rules name come first; a cause gives at most CAP rows, all causes about 2 % of the records."""
    votes = Counter(row for row, _ in {(mark.row, mark.template) for mark in candidates})
    candidates.sort(key=lambda m: (-m.keep, m.count, -votes[m.row], m.row))
    room = max(CAP, total // MAX_SHARE)
    rows, used, kept = set[int](), Counter[str](), list[Mark]()
    for mark in candidates:
        most = 2 * room if mark.keep == Keep.SEVERE else room
        if mark.row in rows or (used[mark.template] < CAP and len(rows) < most):
            used[mark.template] += 1
            rows.add(mark.row)
            kept.append(mark)
    return kept


def _rare_values(column: Column) -> Iterator[Mark]:
    tally = column.numbers_tally
    coded = _IDENTIFIER.search(column.path) is not None and not http(column)
    if tally is not None and len(tally.counts) <= COUNTED and not CLOCK.search(column.path) and not coded:
        for value in _strange(column, tally.counts):
            cause = f"{column.label}={column.shown(value)}"
            what = f"{cause}, {_usual(column, tally.counts)}"
            yield from of_rows(column, tally.rows.get(value, ()), what, cause, tally.counts[value], Keep.RARE)
    if column.tally is not None and column.kinds["string"] >= MIN_RARE and not _IDENTIFIER.search(column.path):
        yield from _rare_texts(column, column.tally)


def _strange(column: Column, counts: Mapping[Any, int]) -> list[Any]:
    """The uncommon ones of few numbers, but the ends of their range; of codes all."""
    odd = uncommon(counts, MAX_VALUES)
    usual = [column.number_of.get(v, v) for v in counts if v not in odd]
    if not usual or http(column):
        return odd if usual else []
    reach = max(usual) - min(usual)
    return [v for v in odd if not min(usual) - reach <= column.number_of.get(v, v) <= max(usual) + reach]


def _rare_texts(column: Column, tally: Tally) -> Iterator[Mark]:
    """Uncommon texts, else those of an uncommon template, else of an uncommon shape."""
    level, example, clock = column.level, column.template_of, CLOCK.search(column.path)
    free = _FREE.fullmatch(column.name) is not None
    while (level < COARSEST or not free) and (level < 0 or not _VERSION.search(column.name)):  # names have none usual
        odd = uncommon(tally.counts, MAX_VALUES) if level < COARSEST or len(tally.counts) <= COUNTED else []
        odd = [] if free and level >= 0 and len(tally.counts) > SHAPES else odd
        odd = _untimely(odd, {value: example.get(value) or value for value in tally.counts}) if clock else odd
        for value in odd:
            count = tally.counts[value]
            text = value if level < 0 else example.get(value, "")
            what = cause = f"{column.label}={show(text)}"
            if level >= 0:
                if _NUMBER.fullmatch(text):
                    continue  # its digits are no shape
                what += ", the only one of its shape" if count == 1 else f" or alike, {count} only of this shape"
                cause = cause if count == 1 else f"{column.label} like {show(text)}"
            yield from of_rows(column, tally.rows.get(value, ()), what, cause, count, Keep.RARE)
        some = list(tally.counts)[:SAMPLE]
        prose = level >= 0 and sum(" " in v or "/" in v for v in some) * SPACED > len(some)  # nor have paths a shape
        if odd or prose or level >= COARSEST or len(tally.counts) <= COUNTED:
            return
        tally, example = column.coarser(tally, level, example)
        level += 1


def _rare_hosts(column: Column) -> Iterator[Mark]:
    """Images, packages and addresses of a host that nearly no others of their field have."""
    tally, hosts = column.tally if column.level <= 0 else None, dict[str, list[str]]()
    for value in tally.counts if tally is not None else ():
        if match := _HOST.match(value):
            hosts.setdefault(match[1], []).append(value)
    if tally is not None:
        odd = uncommon({host: sum(map(tally.counts.__getitem__, values)) for host, values in hosts.items()})
        for value in (value for host in odd for value in hosts[host]):
            text = f"{column.label}={show(column.template_of.get(value) or value)}"
            yield from of_rows(column, tally.rows.get(value, ()), text, text, tally.counts[value], Keep.RARE)


def _untimely(odd: list[str], texts: Mapping[str, str]) -> list[str]:
    """What a clock shows is odd by its year or where it is no time; that few have this minute is chance."""
    usual = {year for value, text in texts.items() if value not in odd for year in _YEAR.findall(text)}
    return [value for value in odd if not _DIGIT.search(texts[value]) or {*_YEAR.findall(texts[value])} - usual]


def _rare_messages(stats: Columns) -> Iterator[Mark]:
    """Of a parsed log, messages whose templates occur once or twice, where few do: a login that succeeded, once."""
    columns = list(stats.columns.values())
    for echo, tally in [(c, c.tally) for c in columns if c.tally and c.level < 0 and echoes(c, stats)]:
        says = next(c for c in columns if c is not echo and worded(c, SAYING))  # where it stands in the row
        most = min(MAX_ODD, RARE_TOTAL * stats.total)  # where more are, they are the many things that happen once
        often = next((n for n in range(SINGLE, 0, -1) if sum(k for k in tally.counts.values() if k <= n) <= most), 0)
        for value in [value for value, count in tally.counts.items() if count <= often]:
            begins = max(common(value, other) for other in {*tally.counts} - {value} or ("",))
            own = value.rfind(" ", HEAD, begins) + 1  # by what it begins with alone it could be another one
            text = f"{echo.label}={f'{value.split()[0]} … ' if own else ''}{show(value[own:])}"
            yield from of_rows(says, tally.rows[value], text, text, tally.counts[value], Keep.RARE)


def _losses(column: Column) -> Iterable[Mark]:
    """What is planned to be removed, where most is not."""
    counts = column.tally.counts if column.tally is not None and column.level < 0 else {}
    for value, count in counts.items():
        text = f"{column.label}={value}"
        if LOSSES.search(text) and count * 2 < sum(counts.values()):
            yield from of_rows(column, column.tally.rows[value] if column.tally else (), text, text, count)


def _usual(column: Column, counts: Mapping[Any, int]) -> str:
    """Beside a rare number: how many hold the usual one; no share, as the field may be absent or a text elsewhere."""
    value, count = max(counts.items(), key=lambda item: (item[1], str(item[0])))
    if count * 2 > sum(counts.values()):
        return f"{column.shown(value)} in {counted(count, 'other')}"
    return f"one of {len(counts)} different numbers"


def _outliers(column: Column) -> Iterator[Mark]:
    aside = any(kind.search(column.path) for kind in (CLOCK, SERIAL, _LIKED))
    if column.numbers.count < MIN_RARE or aside or column.mixed:
        return
    far = column.numbers.far()
    if column.steps[-1] == "len()":
        far = [each for each in far if each[1] >= LONG]
    for place, (row, value, written) in enumerate(far[:CAP]):  # the farthest is the news of its field
        reason = f"{column.label}={written or column.shown(value)}, median {column.median}"
        cause = f"{column.label} {'other ' * (place > 0)}outlier"
        yield Mark(row, Keep.OUTLIER, column.path, reason, cause, len(far) - 1 if place else 1)


def _odd_kinds(column: Column) -> Iterable[Mark]:
    n = sum(column.kinds.values())
    if n < MIN_RARE or len(column.kinds) <= 1:
        return
    usual = max(sorted(column.kinds), key=lambda k: column.kinds[k])
    for kind, count in sorted(column.kinds.items()):
        if kind == usual or not few(count, n, RARE_SHARE) or (usual == "null" and n < MIN_TEXTS):
            continue
        text = f"{column.label} is {column.called(kind)}, mostly {column.called(usual)}"
        yield from of_rows(column, column.rows_by_kind.get(kind, ()), text, text, count, Keep.RARE)


def _repeats(column: Column) -> Iterator[Mark]:
    if column.seen is not None and column.duplicates and column.present >= MIN_RARE:
        for row, value in column.repeats if few(column.duplicates, column.present, TWICE) else ():
            text, cause = f"{column.label}={show(value)} occurs again", f"{column.label} twice"
            yield from of_rows(column, (row,), text, cause, column.duplicates, Keep.RARE)


def _blank(stats: Columns) -> Iterable[Mark]:
    """Rows that lack each of several figures."""
    figures = [c for c in stats.columns.values() if c.numbers.count >= MIN_RARE and len(c.steps) == 1]
    gaps = [{*c.rows_by_kind.get("null", ())} if c.kinds["null"] <= failures.ROWS else set[int]() for c in figures]
    rows = sorted(set.intersection(*gaps)) if len(gaps) > 1 else []
    if few(len(rows), stats.total, 1 / MAX_SHARE):
        text = f"all {len(figures)} numbers {figures[0].called('null')}" if rows else ""
        yield from (Mark(row, Keep.RARE, "", text, text, len(rows)) for row in rows)


def _misplaced(stats: Columns) -> Iterable[Mark]:
    """What a few rows have in a field though it is what another one usually holds: a row whose cells are shifted."""
    few = [c for c in stats.columns.values() if c.values and len(c.values) <= COUNTED and not c.steps[1:]]
    texts = [(c, c.tally) for c in few if c.tally and c.level < 0]
    for (column, tally), (other, its) in permutations(texts if stats.total >= MIN_RARE else (), 2):
        here = {value: n for value, n in tally.counts.items() if value and value in its.counts}
        usual = sum(map(its.counts.__getitem__, here)) * 2 > other.texts
        if usual and sum(here.values()) <= max(1, SHIFTED * column.texts):
            for value, count in here.items():
                text = f"{column.label}={show(value)}, as in {other.label}"
                yield from of_rows(column, tally.rows.get(value, ()), text, text, count, Keep.RARE)


SHIFTED = 0.1  # of the rows of a field


def _odd_shapes(stats: Columns) -> Iterator[Mark]:
    """A key that nearly no record has, or that nearly every record has."""
    sparse, missing = [], []
    for column in stats.columns.values():
        of = stats.groups.get(column.group, 0)
        if of < MIN_RARE or column.steps[-1] in ("[]", "len()"):
            continue
        if few(column.present, of):
            sparse.append(column)
        elif column.present < of and few(of - column.present, of):
            missing.append((column, of - column.present))
    for column in sparse if len(sparse) <= MAX_EXTRA else ():
        rows = sorted({r for held in column.rows_by_kind.values() for r in held})
        value = f"={show(column.examples[0])}" if column.examples and column.present == 1 else ""
        here = "only here" if len(rows) == 1 and "[]" not in column.steps else "hardly anywhere else"
        text, cause = f"{here}: {column.label}{value}", f"{column.label} extra"
        yield from of_rows(column, rows, text, cause, column.present, Keep.RARE)
    for column, count in missing if len(missing) <= MAX_EXTRA else ():
        for keys, (_, rows) in stats.shapes.get(column.group, {}).items():
            if column.steps[-1] not in keys:
                yield from of_rows(column, rows, f"no {column.label}", f"{column.label} missing", count, Keep.RARE)


_OF_COLUMNS = (booleans, _losses, _rare_values, _rare_hosts, _odd_kinds, _repeats)
_OF_ALL = (_blank, _misplaced, _odd_shapes, _rare_messages)


def _tells(column: Column) -> bool:
    """Whether a failure would stand here: a state, or sentences that are no title and no address."""
    prose = column.characters > SENTENCE * max(1, column.texts) and _TITLED.search(column.path) is None
    return bool(STATUS.search(column.path)) or (prose and not all("://" in str(text) for text in column.examples))


_TITLED = regex(r"(?i)(?:title|name|label|headline)$")


def unnamed(stats: Columns) -> bool:
    """Whether no key and no text of any record names a failure, denied or not; False where not all was looked at."""
    if stats.beyond or stats.too_deep or len(stats.names) >= MAX_NAMES:
        return False
    if not any(_tells(column) for column in stats.columns.values()):
        return False  # of names and numbers nobody would expect it
    return not any(
        column.mentions is not False
        or failures.mentions(column.path)
        or (column.values is None and CODE.search(column.name) and column.numbers.hi >= SERVER_ERROR[0])
        for column in stats.columns.values()
    )
