"""What column statistics mean: the rows that stand out, and the facts a reader needs first.

``marks`` applies the rules of design §4 (severity weighed by its rarity in the field, rare values of few-valued
fields, robust numeric outliers, odd schema and types, shapes that occur once); ``facts`` words the statistics.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from mcpcompact.content import failures
from mcpcompact.content.column import Column
from mcpcompact.content.columns import MAX_NAMES, Columns
from mcpcompact.content.spelling import is_number, show
from mcpcompact.content.tallies import Tally, Vocabulary, median, stems
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex
from mcpcompact.slotted import dataclass

SEVERE_SHARE = 0.05  # a severe value at more than this share of a field is the field's normal life
WORD_SHARE = 0.02  # the same for a severe word in free text
RARE_SHARE = 0.005
MIN_ROWS = 20  # fewer records have no bulk that something could stand out from
CODE_NAME = 16  # letters of an error's code: ECONNREFUSED
ENDING = 4  # letters behind a word of failure that still make it one: ``failures``
CAP = 12  # marked rows shown of one cause
COMMON = 3  # rows marked of failures that are the field's normal life
FEW_COMMON, SHORT = 3, 40  # so few values, so short ones, are each said with their number

STATUS = regex(
    r"(?i)(?:status|state|phase|result|level|severity|conclusion|outcome|reason|verdict|health|condition|priority)$"
)
_ERROR = regex(r"(?i)(?:^|[._\[\]-])(?:\w*error\w*|exception|failures?|failed|faults?|stderr|traceback|panic)\)?$")
CODE = regex(r"(?i)(?:status|code|http)")
_EXIT = regex(r"(?i)(?:exit|return|rc)_?-?(?:code|status)?$")
_FULL = regex(r"(?i)(?:^|[._ ])i?(?:use|used|usage|capacity|full|utili[sz]ation)(?:\s*%|_?percent|_?pct)?$")
_GOOD = regex(r"(?i)(?:^|[._-]|is)(?:ok|success(?:ful)?|succeeded|healthy|ready|passed|valid|available|alive)$")
_BAD = regex(
    r"(?i)(?:^|[._-]|is|has|timed)_?(?:failed|failure|error|errors|crashed|timed_?out|broken|corrupt(?:ed)?|vulnerable)$"
)
CLOCK = regex(
    r"(?i)(?:^|[._])(?:ts|time|date|timestamp|epoch|year|.*(?:_at|_time|_date|_ts|timestamp)|.*(?:Time|Date|At))$"
)
SERIAL = regex(
    r"(?i)(?:^|[._])(?:id|.*_id|pid|ppid|uid|gid|port|zip|postcode|line|row|index|offset|number|no|lat|lng|lon|latitude|longitude|seq|version)$|Id$"
)
_OUTCOME = regex(r"\w{1,40}(?:-\w{1,20})?")
_PARTS = regex(r"[_-]")
_THING = regex(r"(?i)(?:name|namespace|id|label|class|image|key|path|file|url|link|host|app)s?$|labels?\b")
_DIGITS = regex(r"\d+")
_EMPTY = {"", "0", "none", "null", "false", "no", "ok", "-", "n/a"}


@dataclass(slots=True)
class Mark:
    """One row and why it stands out. ``count`` is how many rows share the cause: the rarer, the more telling."""

    row: int
    keep: Keep
    column: str  # path of the field
    reason: str
    template: str
    count: int
    said: str = ""  # of failures that are no exception: how many there are


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
        found += _severe(column, group)
        found += _errors(column, group)
        found += _full(column)
        if stats.total < MIN_ROWS:
            continue
        found += _booleans(column)
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


def _few(count: int, of: int, share: float) -> bool:
    return count <= max(1, share * of)


def _severe(column: Column, group: int) -> Iterable[Mark]:
    tally, label = column.tally, column.label
    if tally is not None and tally.severe:
        every = sum(tally.counts[v] for v in tally.severe)
        status = bool(STATUS.search(column.path))
        if not status and not _few(every, group, WORD_SHARE):
            common = _severe_words(tally.counts, tally.severe)  # titles about crashes are common, a CVE is not
        else:
            common = None
        left = set(tally.severe)
        for value in () if group < 5 else sorted(tally.severe, key=lambda v: (tally.counts[v], str(v))):
            count = tally.counts[value]
            if common is not None:
                count = min((common[stem] for stem in stems(value)), default=group)
                if not _few(count, group, WORD_SHARE):
                    continue
            elif not _few(count, group, 0.1 if status else SEVERE_SHARE):
                continue
            left.discard(value)
            shown = _of_template(column, value, tally.counts[value])
            for row in tally.rows.get(value, ()):
                yield Mark(row, Keep.SEVERE, column.path, f"{label}{shown}", f"{label}={show(value, 30)}", count)
        if column.level <= 0 and not _ERROR.search(column.path):
            named = _THING.search(column.path) is not None and not status
            told = {v for v in tally.severe if _stated(v, status) or _stated(column.template_of.get(v, v), status)}
            told = set() if named else told
            yield from _common(column, tally, told if told & left else set())
    if column.vocabulary is not None:
        yield from _severe_text(column, column.vocabulary)


def _stated(value: str, status: bool) -> bool:
    """Whether a value says that something failed, and is not the name of a thing: ``crash-collector``, a path."""
    if not failures.tells(value):
        return False
    parts = _PARTS.split(value)
    return (
        status
        or " " in value.strip()
        or (value.isupper() and len(value) <= CODE_NAME)
        or (_OUTCOME.fullmatch(value) is not None and any(len(p) <= len(s) + ENDING for p in parts for s in stems(p)))
    )


def _of_template(column: Column, value: str, count: int) -> str:
    """``=value``, or what it is like, where others have the same template."""
    if column.level < 0:
        return f"={show(value)}"
    return f"{'=' if count == 1 else ' like '}{show(column.template_of.get(value, ''))}"


def _common(column: Column, tally: Tally, values: set[str]) -> Iterable[Mark]:
    """Failures that are the field's normal life: their number is said, and a few of them are shown."""
    if not values:
        return
    label = column.label
    count = sum(tally.counts[v] for v in values) if column.level < 0 else column.failing
    if not count:
        return
    ranked = sorted(values, key=lambda v: (-tally.counts[v], v))
    if len(values) <= FEW_COMMON and column.level < 0 and max(map(len, values)) <= SHORT:
        for value in ranked:
            many, rows = tally.counts[value], tally.rows.get(value, ())[:COMMON]
            yield from _said(column, rows, f"{label}: {show(value)} {many:,} of {column.present:,}", many)
        return
    named: dict[str, int] = {}
    for value in ranked:
        for stem in stems(value):
            named[stem] = named.get(stem, 0) + tally.counts[value]
    rows = [row for value in ranked for row in tally.rows.get(value, ())[:1]][:COMMON]
    yield from _said(column, rows, _name_a_failure(column, count, named, column.estimated), count)


def _name_a_failure(column: Column, count: int, words: Mapping[str, int], about: bool) -> str:
    ranked = sorted(words, key=lambda word: (-words[word], word))
    many = f"{'~' if about else ''}{count:,} of {column.present:,}"
    return f"{column.label}: {many} name a failure ({', '.join(ranked[:3])})"


def _said(column: Column, rows: Iterable[int], text: str, count: int) -> Iterable[Mark]:
    for row in rows:
        yield Mark(row, Keep.SEVERE, column.path, "", f"{column.label} failures {text}", count, text)


def _severe_text(column: Column, vocabulary: Vocabulary) -> Iterable[Mark]:
    alike: dict[str, int] = {}
    for word in vocabulary.severe:  # CVE-2026-1 and CVE-2026-2 are one word, as crashed and crash-pod-7
        for stem in stems(word):
            alike[stem] = alike.get(stem, 0) + vocabulary.counts[word]
    shown: dict[str, int] = {}
    rare = set()
    for word in sorted(vocabulary.severe):
        count = min((alike[stem] for stem in stems(word)), default=column.texts)
        if _few(count, column.texts, WORD_SHARE):
            rare.add(word)
            for row in vocabulary.rows.get(word, ()):
                yield Mark(
                    row, Keep.SEVERE, column.path, f"{column.label}: {show(word)}", f"{column.label}:{word}", count
                )
        elif rows := vocabulary.rows.get(word):
            for stem in stems(word):
                shown.setdefault(stem, rows[0])
    if vocabulary.severe - rare and vocabulary.failing:
        text = _name_a_failure(column, vocabulary.failing, alike, vocabulary.estimated)
        rows = sorted(set(shown.values()))[:COMMON] or [vocabulary.rows[word][0] for word in sorted(rare)][:1]
        yield from _said(column, rows, text, vocabulary.failing)


def _words(value: Any) -> set[str]:
    return {_bare(w) for w in str(value).split()}


def _bare(word: str) -> str:
    """A word without its digits, case and the punctuation around it."""
    return _DIGITS.sub("", word).strip(".,:;!?()[]{}\"'`").lower()


def _severe_words(counts: Mapping[Any, int], severe: Iterable[Any]) -> dict[str, int]:
    found: dict[str, int] = {}
    for value in severe:
        for stem in stems(value):
            found[stem] = found.get(stem, 0) + counts[value]
    return found


def _errors(column: Column, group: int) -> Iterable[Mark]:
    """Fields that are empty or fine nearly everywhere: ``error``, ``errors``, HTTP status, exit code."""
    path = column.path
    values = column.values
    if _ERROR.search(path) and "len()" not in column.steps:
        if values is None:
            rows = column.rows_by_kind.get("string", [])
            if not _few(column.scalars, group, SEVERE_SHARE):
                text = f"{column.label}: given in {column.scalars:,} of {column.present:,}"
                yield from _said(column, rows[:COMMON], text, column.scalars)
                return
            for row in rows:
                yield Mark(row, Keep.SEVERE, path, f"{column.label} is given", path, column.scalars)
            return
        full = {v: n for v, n in values.items() if str(v).strip().strip('"').lower() not in _EMPTY}
        yield from _bad(column, full, group)
    elif values and (CODE.search(path) or _EXIT.search(column.name)):
        exits = bool(_EXIT.search(column.name))
        bad = {
            v: n for v, n in values.items() if is_number(v) and (500 <= float(v) < 600 if not exits else float(v) != 0)
        }
        yield from _bad(column, bad, group)


def _bad(column: Column, values: Mapping[Any, int], group: int) -> Iterable[Mark]:
    """Values that tell of a failure by their field, each of them where they are few."""
    count = sum(values.values())
    if _few(count, group, SEVERE_SHARE):
        yield from _each(column, values, Keep.SEVERE, column.path)
        return
    ranked = sorted(values.items(), key=lambda item: (-item[1], str(item[0])))
    shown = ", ".join(f"{show(column.shown(v), 40)} ×{n:,}" for v, n in ranked[:3]) + ", …" * (len(ranked) > 3)
    rows = sorted(m.row for v, _ in ranked[:COMMON] for m in list(_each(column, {v: 0}, Keep.SEVERE, ""))[:1])
    yield from _said(column, rows, f"{column.label}: {count:,} of {column.present:,} ({shown})", count)


def _full(column: Column) -> Iterable[Mark]:
    """A disk, pool or quota that is used up: 95 % and more, where that is the exception."""
    if column.numbers_tally is None or not 95 <= column.numbers.hi <= 100 or not _FULL.search(column.path):
        return
    if column.numbers.hi <= 1 or (column.measure is not None and column.measure.unit not in ("", "%")):
        return
    tally = column.numbers_tally
    up = {v: n for v, n in tally.counts.items() if column.number_of.get(v, v) >= 95}
    if _few(sum(up.values()), column.numbers.count, SEVERE_SHARE):
        for value in up:
            for row in tally.rows.get(value, ()):
                text = f"{column.label}={column.shown(value)}"
                yield Mark(row, Keep.SEVERE, column.path, text, f"{column.label} full", sum(up.values()))


def _tallies(column: Column) -> list[Tally]:
    first = [column.tally] if column.tally is not None and column.level < 0 else []
    return first + ([column.numbers_tally] if column.numbers_tally is not None else [])


def _each(column: Column, values: Mapping[Any, int], keep: Keep, template: str) -> Iterable[Mark]:
    for tally in _tallies(column):
        for value, count in values.items():
            for row in tally.rows.get(value, ()):
                yield Mark(row, keep, column.path, f"{column.label}={column.shown(value)}", template, count)


def _booleans(column: Column) -> Iterable[Mark]:
    counts = column.booleans.counts
    for value, count in counts.items():
        name = column.name
        bad = (_GOOD.search(name) and value is False) or (_BAD.search(name) and value is True)
        if len(counts) < 2 and not bad:
            continue
        share = SEVERE_SHARE if bad else RARE_SHARE
        rows, text = column.booleans.rows.get(value, []), f"{column.label}={show(value)}"
        if _few(count, sum(counts.values()), share) and sum(counts.values()) >= MIN_ROWS:
            for row in rows:
                yield Mark(row, Keep.SEVERE if bad else Keep.RARE, column.path, text, text, count)
        elif bad:
            yield from _said(column, rows[:COMMON], f"{text} in {count:,} of {column.present:,}", count)


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


def _usual(column: Column, counts: Mapping[Any, int]) -> str:
    value, count = max(counts.items(), key=lambda item: (item[1], str(item[0])))
    return f"usually {column.shown(value)}" if count * 2 > sum(counts.values()) else f"{len(counts)} values in all"


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
            for word in _words(value):
                if known[word] <= 2 and word.isalpha():
                    where.setdefault(word, []).extend(rows)
    else:
        return
    by_row: dict[int, str] = {}
    for word in sorted((w for w in where if len(w) >= 3), key=lambda w: (-len(w), w)):
        for row in where[word]:
            by_row.setdefault(row, word)
    if n >= 50 and by_row and _few(len(by_row), n, RARE_SHARE):
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
        if kind == usual or not _few(count, n, RARE_SHARE) or (usual == "null" and n < 50):
            continue
        keep = Keep.RARE
        text = f"{column.label} is {column.called(kind)}, mostly {column.called(usual)}"
        for row in column.rows_by_kind.get(kind, ()):
            yield Mark(row, keep, column.path, text, text, count)


def _repeats(column: Column) -> Iterable[Mark]:
    if column.seen is None or not column.duplicates or column.present < MIN_ROWS:
        return
    if _few(column.duplicates, column.present, 0.01):
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
        if _few(column.present, of, RARE_SHARE):
            sparse.append(column)
        elif column.present < of and _few(of - column.present, of, RARE_SHARE):
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


def unnamed(stats: Columns) -> bool:
    """Whether no key and no text of any record names a failure, denied or not; False where not all was looked at."""
    if stats.beyond or stats.too_deep or len(stats.names) >= MAX_NAMES:
        return False
    return not any(
        column.mentions is not False
        or failures.mentions(column.path)
        or (column.values is None and CODE.search(column.path) and column.numbers.hi >= 500)
        for column in stats.columns.values()
    )
