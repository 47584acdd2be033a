"""Rows that tell of a failure: by a word, by a field that is empty or fine elsewhere, by a code, a flag, a full disk.

One that is the exception in its field is marked wherever it stands; of those that are no exception the number is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from mcpcompact.content.anomalies import words as failures
from mcpcompact.content.anomalies.rare import LOOKS, Tally, few
from mcpcompact.content.anomalies.thresholds import HTTP, MIN_RARE, RARE_SHARE, SERVER_ERROR
from mcpcompact.content.anomalies.words import Vocabulary, stems, telling
from mcpcompact.content.columns.column import Column
from mcpcompact.outline import Keep, record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, is_number, show

SEVERE_SHARE = 0.05  # a severe value at more than this share of a field is the field's normal life
WORD_SHARE = 0.02  # the same for a severe word in free text
MIN_GROUP = 5  # records before a failure is the exception among them
FULL, WHOLE = 95, 100  # percent of a disk
CODE_NAME = 16  # letters of an error's code: ECONNREFUSED
ENDING = 4  # letters behind a word of failure that still make it one: ``failures``
PROSE, TREATISE = 120, 240  # characters in the mean; of what deals with failures rather than tells of one
COMMON = 3  # rows marked of failures that are the field's normal life
NAMED = 3  # words of failures that are said
TEXTS, SHARE = 12, 0.25  # the same of texts that each say another one, where up to this share of all do
ABOUT = regex(r"(?i)(?:^|[._])(?:description|excerpt|body|abstract|readme|bio|about|snippet|changelog|synopsis)$")
FEW_COMMON, SHORT = 3, 40  # so few values, so short ones, are each said with their number

STATUS = regex(
    r"(?i)(?:status|state|phase|result|level|severity|conclusion|outcome|reason|verdict|health|condition|priority)$"
)
_ERROR = regex(
    r"(?i)(?:error\w{0,40}|(?:^|[._\[\]-])(?:exception|failures?|failed|faults?|stderr|traceback|panic))\)?$"
)
CODE = regex(r"(?i)(?:status|code|http)")
_EXIT = regex(r"(?i)(?:exit|return|rc)_?-?(?:code|status)?$")
_FULL = regex(r"(?i)(?:^|[._ ])i?(?:use|used|usage|capacity|full|utili[sz]ation)(?:\s*%|_?percent|_?pct)?$")
_GOOD = regex(r"(?i)(?:^|[._-]|is)(?:ok|success(?:ful)?|succeeded|healthy|ready|passed|valid|available|alive)$")
_BAD = regex(
    r"(?i)(?:^|[._-]|is|has|timed)_?(?:failed|failure|error|errors|crashed|timed_?out|broken|corrupt(?:ed)?|vulnerable)$"
)
_SAYS = regex(r"(?i)(?:message|msg|error|exception|reason|log|output|stderr|stdout|text|trace|details?|result)s?$")
_OUTCOME = regex(r"\w{1,40}(?:-\w{1,20})?")
_PARTS = regex(r"[_-]")
_THING = regex(
    r"(?i)(?:name|namespace|id|label|class|image|key|path|file|url|link|host|app|package|module|function)s?\)?$|labels?\b"
    r"|(?:author|editor|publisher|journal|venue|artist|creator|company|vendor|brand|manufacturer)s?$"
    r"|\b(?:commands?|args|argv|env)\b|\b(?:categories|keywords|tags|topics)(?:\[\])?$"
)
_TITLE = regex(r"(?i)title$")
RULE = "forbidden"  # beside "optional" and "required": what a schema allows, not what happened
NAME, OWN_NAME = 24, 36  # characters in the mean of a title, and of texts that differ: names rather than sentences
_UNNAMED = regex(r"column \d+$")
SMALL_WORD = 3  # letters of a word that a title does not begin with a capital
_EMPTY = {"", "0", "none", "null", "false", "no", "ok", "-", "n/a"}


@record
class Mark:
    """One row and why it stands out. ``count`` is how many rows share the cause: the rarer, the more telling."""

    row: int
    keep: Keep
    column: str  # path of the field
    reason: str
    template: str
    count: int
    said: str = ""  # of failures that are no exception: how many there are


def of_rows(
    column: Column, rows: Iterable[int], reason: str, template: str, count: int, keep: Keep = Keep.SEVERE
) -> Iterable[Mark]:
    """A mark of each row, of one cause."""
    return (Mark(row, keep, column.path, reason, template, count) for row in rows)


def severe(column: Column, group: int) -> Iterable[Mark]:
    if no_outcome(column):
        yield from _raised(column)
    elif column.tally is not None and column.tally.severe:
        yield from _severe_values(column, column.tally, group)
    elif column.vocabulary is not None:  # of a column without a tally
        yield from _severe_text(column, column.vocabulary)


def _raised(column: Column) -> Iterable[Mark]:
    """What a program prints when it fails, in a record or two of many that are about something else."""
    held = column.vocabulary.rows if column.vocabulary is not None and column.texts >= MANY_TEXTS else {}
    raised = {word: rows for word, rows in sorted(held.items()) if _RAISED.fullmatch(word)}
    every = {row for rows in raised.values() for row in rows}
    if few(len(every), column.texts) and all(len(rows) < failures.ROWS for rows in raised.values()):  # all are known
        for word, rows in raised.items():
            reason = f"{column.label}: {show(word)}"
            yield from of_rows(column, rows, reason, f"{column.label}: “{word}”", len(rows))


_RAISED, MANY_TEXTS = regex(r"[\w.$]*(?:Error|Exception):|Traceback"), 50  # texts among which one is the exception


def no_outcome(column: Column) -> bool:
    """What a thing is about, and what it is called."""
    about = column.characters > TREATISE * column.texts and not _SAYS.search(column.path)
    if not STATUS.search(column.path) and (about or ABOUT.search(column.path) or _THING.search(column.path)):
        return True
    most = OWN_NAME if _names(column) else NAME if _TITLE.search(column.path) else 0
    return column.characters < most * column.texts


def _names(column: Column) -> bool:
    """Whether texts are names, of works or of places: many that differ, in capitals as titles are."""
    if column.texts < MANY_TEXTS or any(pattern.search(column.path) for pattern in (STATUS, _SAYS, _ERROR, _UNNAMED)):
        return False
    own = column.values is None or 2 * len(column.values) > column.texts
    words = [word for example in column.examples for word in str(example)[:PROSE].split()]
    return own and not any(word[0].islower() and len(word) > SMALL_WORD for word in words)


def _severe_values(column: Column, tally: Tally, group: int) -> Iterable[Mark]:
    """Values that say a failure, as far as they are rare; where they are not, how many there are."""
    label = column.label
    every = sum(tally.counts[v] for v in tally.severe)
    status = bool(STATUS.search(column.path))
    by_word = not status and not few(every, group, WORD_SHARE)  # titles about crashes are common, a CVE is not
    common = _severe_words(tally.counts, tally.severe) if by_word else None
    left = set(tally.severe)
    if by_word and "[]" in column.steps and column.characters > PROSE * column.texts:
        return  # advisories: a rarer word for what may fail is no news
    for value in () if group < MIN_GROUP else sorted(tally.severe, key=lambda v: (tally.counts[v], str(v))):
        count = tally.counts[value]
        cause = f"{label}={show(value, 30)}"
        if common is not None:
            count, stem = min(((common[stem], stem) for stem in stems(value)), default=(group, ""))
            if not few(count, group, WORD_SHARE):
                continue
            if count > tally.counts[value]:  # the word is what they share, not the value
                cause = f"{label}: “{stem}”"
        elif not few(count, group, 0.1 if status else SEVERE_SHARE):
            continue
        left.discard(value)
        like = " like " if column.level >= 0 and tally.counts[value] > 1 else "="  # others have the same template
        shown = show(value if column.level < 0 else column.template_of.get(value, ""))
        yield from of_rows(column, tally.rows.get(value, ()), f"{label}{like}{shown}", cause, count)
    if column.level <= 0 and not _ERROR.search(column.path):
        named = not status and (_THING.search(column.path) or _TITLE.search(column.path)) is not None
        stated = {v for v in tally.severe if _stated(v, status) or _stated(column.template_of.get(v, v), status)}
        stated = set() if named else stated
        yield from _common(column, tally, stated if stated & left else set())


def _stated(value: str, status: bool) -> bool:
    """Whether a value says that something failed, and is not the name of a thing: ``crash-collector``, a path."""
    if not failures.tells(value) or (value == RULE and not status):
        return False
    parts = _PARTS.split(value)
    return (
        status
        or " " in value.strip()
        or (value.isupper() and len(value) <= CODE_NAME)
        or (_OUTCOME.fullmatch(value) is not None and any(len(p) <= len(s) + ENDING for p in parts for s in stems(p)))
    )


def _common(column: Column, tally: Tally, values: set[str]) -> Iterable[Mark]:
    """Failures that are the field's normal life: their number is said, and a few of them are shown."""
    if not values or ABOUT.search(column.path):
        return
    label = column.label
    count = sum(tally.counts[v] for v in values) if column.level < 0 else column.failing
    if not count:
        return
    ranked = sorted(values, key=lambda v: (-tally.counts[v], v))
    short = column.level < 0 and max(map(len, values)) <= SHORT
    if len(values) <= FEW_COMMON and short:
        for value in ranked:
            many, rows = tally.counts[value], tally.rows.get(value, ())[:COMMON]
            yield from _of_failures(column, rows, f"{label}: {show(value)} {many:,} of {column.present:,}", many)
        return
    states = short and STATUS.search(column.path) is not None
    named, example = Counter[str](), column.template_of
    for value in ranked:
        words = {*telling(example.get(value, value))} or {*telling(value)}  # those that count, not all of trouble
        names = [f"{show(value)} ×{tally.counts[value]:,}"] if states else words
        named.update(dict.fromkeys(names, tally.counts[value]))
    most = TEXTS if count <= SHARE * column.present else COMMON
    rows = [row for value in ranked for row in tally.rows.get(value, ())[:1]][:most]
    noun = "other value" if states else "other word"
    yield from _of_failures(column, rows, _name_a_failure(column, count, named, column.estimated, noun), count)


def _name_a_failure(column: Column, count: int, words: Mapping[str, int], about: bool, noun: str = "other word") -> str:
    ranked = sorted(words, key=lambda word: (-words[word], word))
    many = f"{'~' if about else ''}{count:,} of {column.present:,}"
    more = f" and {counted(len(ranked) - NAMED, noun)}" if len(ranked) > NAMED else ""
    names = [word + f" ×{words[word]:,}" * (more != "" and "×" not in word and not about) for word in ranked[:NAMED]]
    return f"{column.label}: {many} name a failure" + (f" ({', '.join(names)}{more})" if ranked else "")


def _of_failures(column: Column, rows: Iterable[int], text: str, count: int) -> Iterable[Mark]:
    for row in rows:
        yield Mark(row, Keep.SEVERE, column.path, "", f"{column.label} failures {text}", count, text)


def _severe_text(column: Column, vocabulary: Vocabulary) -> Iterable[Mark]:
    alike = _severe_words(vocabulary.counts, vocabulary.severe)  # CVE-2026-1 and -2 are one word, as failed and failure
    # long texts many of which name one (advisories): a rarer word for it is no news
    usual = column.characters > PROSE * column.texts and vocabulary.failing > SEVERE_SHARE * 2 * column.texts
    shown: dict[str, int] = {}
    rare = set()
    for word in sorted(vocabulary.severe):
        count = min((alike[stem] for stem in stems(word)), default=column.texts)
        if few(count, column.texts, WORD_SHARE) and not usual:
            rare.add(word)
            reason, cause = f"{column.label}: {show(word)}", f"{column.label}: “{word}”"
            yield from of_rows(column, vocabulary.rows.get(word, ()), reason, cause, count)
        elif rows := vocabulary.rows.get(word):
            for stem in stems(word):
                shown.setdefault(stem, rows[0])
    if vocabulary.severe - rare and vocabulary.failing:
        text = _name_a_failure(column, vocabulary.failing, vocabulary.told, vocabulary.estimated)
        ranked = sorted(shown, key=lambda stem: (alike[stem], stem))  # a row for each word, the rarest first
        rows = [*dict.fromkeys(shown[stem] for stem in ranked)] or [vocabulary.rows[w][0] for w in sorted(rare)][:1]
        yield from _of_failures(column, rows[:TEXTS], text, vocabulary.failing)


def _severe_words(counts: Mapping[Any, int], severe: Iterable[Any]) -> Counter[str]:
    by_stem = Counter[str]()
    for value in severe:
        by_stem.update(dict.fromkeys(stems(value), counts[value]))
    return by_stem


def errors(column: Column, group: int) -> Iterable[Mark]:
    """Fields that are empty or fine nearly everywhere: ``error``, ``errors``, HTTP status, exit code."""
    path = column.path
    values = column.values
    if _ERROR.search(path) and "len()" not in column.steps:
        rows, count = column.rows_by_kind.get("string", []), column.scalars
        if values is not None:
            full = {v: n for v, n in values.items() if str(v).strip().strip('"').lower() not in _EMPTY}
            yield from _bad(column, full, group)
        elif few(count, group, SEVERE_SHARE):
            yield from of_rows(column, rows, f"{column.label} is given", path, count)
        else:
            text = f"{column.label}: given in {count:,} of {column.present:,}"
            yield from _of_failures(column, rows[:COMMON], text, count)
    elif values and (http(column) or _EXIT.search(column.name)):
        exits = bool(_EXIT.search(column.name))
        codes = {v: float(v) for v in values if is_number(v)}
        bad = {v: values[v] for v, code in codes.items() if (code != 0 if exits else code in SERVER_ERROR)}
        yield from _bad(column, bad, group)


def http(column: Column) -> bool:
    """Whether a code is that of a protocol, by its name and all of its values: not that of a country or an account."""
    low, high = column.numbers.lo, column.numbers.hi
    return CODE.search(column.name) is not None and low in (0, *HTTP) and high in HTTP


def _bad(column: Column, values: Mapping[Any, int], group: int) -> Iterable[Mark]:
    """Values that tell of a failure by their field, each of them where they are few."""
    count = sum(values.values())
    if few(count, group, SEVERE_SHARE):
        yield from _each(column, values)
        return
    ranked = sorted(values.items(), key=lambda item: (-item[1], str(item[0])))
    shown = ", ".join(f"{show(column.shown(v), 40)} ×{n:,}" for v, n in ranked[:COMMON])
    shown += ", …" * (len(ranked) > COMMON)
    rows = sorted(m.row for v, _ in ranked[:COMMON] for m in list(_each(column, {v: 0}))[:1])
    yield from _of_failures(column, rows, f"{column.label}: {count:,} of {column.present:,} ({shown})", count)


def full(column: Column) -> Iterable[Mark]:
    """A disk, pool or quota that is used up: 95 % and more, where that is the exception."""
    if column.numbers_tally is None or not FULL <= column.numbers.hi <= WHOLE or not _FULL.search(column.path):
        return
    if column.measure is not None and column.measure.unit not in ("", "%"):
        return
    tally = column.numbers_tally
    up = {v: n for v, n in tally.counts.items() if column.number_of.get(v, v) >= FULL}
    if few(count := sum(up.values()), column.numbers.count, SEVERE_SHARE):
        for value in up:
            text = f"{column.label}={column.shown(value)}"
            yield from of_rows(column, tally.rows.get(value, ()), text, f"{column.label} full", count)


def _each(column: Column, values: Mapping[Any, int]) -> Iterable[Mark]:
    for tally in filter(None, (column.tally if column.level < 0 else None, column.numbers_tally)):
        for value, count in values.items():
            text = f"{column.label}={column.shown(value)}"
            yield from of_rows(column, tally.rows.get(value, ()), text, text, count)


def booleans(column: Column) -> Iterable[Mark]:
    counts = column.booleans.counts
    for value, count in counts.items():
        name = column.name
        bad = (_BAD if value else _GOOD).search(name)
        if not bad and (len(counts) <= 1 or LOOKS.search(name)):
            continue
        share = SEVERE_SHARE if bad else RARE_SHARE
        rows, text = column.booleans.rows.get(value, []), f"{column.label}={show(value)}"
        if few(count, sum(counts.values()), share) and sum(counts.values()) >= MIN_RARE:
            yield from of_rows(column, rows, text, text, count, Keep.SEVERE if bad else Keep.RARE)
        elif bad:
            yield from _of_failures(column, rows[:COMMON], f"{text} in {count:,} of {column.present:,}", count)
