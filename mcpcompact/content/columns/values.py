"""One column of scalars held whole, of JSON, XML or a table in markup: what is odd in it, and its values in words.

A column is the values of one field over siblings: a crash in a title is common, and in a status field an alarm."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from mcpcompact.content.anomalies.numbers import median, outliers
from mcpcompact.content.anomalies.rare import LOOKS, few, uncommon
from mcpcompact.content.anomalies.thresholds import MAX_RARE, MIN_NUMBERS, MIN_RARE, RARE_SHARE, SERVER_ERROR
from mcpcompact.content.anomalies.words import LOUD_ENTRY, SEVERE, denied, severe_stems, words
from mcpcompact.content.shared.flow import scalar
from mcpcompact.content.shared.jsontext import Number, parse_float
from mcpcompact.content.shared.tree import Group, kind_of, kinds_of
from mcpcompact.outline import Keep, record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import exact, is_number

MIN_SHAPES, MIN_NAMES = 50, 200  # values before one can have an odd shape or type; names before one can be odd
PROSE, MAX_PROSE = 60, 3  # characters of a text in the mean from which it is prose; so many of which may name a failure
USUAL_STATE, USUAL = 0.3, 0.05  # shares from which failures are the common case, of states and of other fields
MAX_FAILED = 5  # values of a field ``failed`` that are each worth showing
HEAD = 2_000  # characters of a value that are looked at
LONG_NUMBER = 40  # characters
MIXED, ASKED = 0.1, 20  # share of other values in a column of numbers; values that are read before it is given up
WIDEST = 19  # digits of a number of 64 bits
EXTRA, MIN_LISTED = 3, 4  # fields that few siblings have; values before they are counted
LISTED, SHOWN = 8, 40  # values that are each counted; their characters
AGAIN, KINDS = 10, 24  # times that each comes again, on average, of so many that are kinds and no names


_SPLIT = regex(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_ERROR_KEYS = words("error errors err exception exceptions failure failures stderr fault traceback panic")
_STATUS_KEYS = words(
    "status state level severity result outcome conclusion phase reason health message msg verdict loglevel type kind "
    "condition warning warnings detail details note alert code event response"
)
_GOOD_FLAGS = words("ok success successful succeeded passed valid healthy ready available")
_BAD_FLAGS = words("iserror failed error crashed timedout aborted broken invalid haserror oomkilled")
_EXIT_KEYS = words("exitcode returncode exitstatus rc retcode")
_STATUSES = words("status code statuscode")
_CODES = _ERROR_KEYS | _STATUSES | {"failed"}  # whose numbers may tell of a failure
_ID_KEYS = words(
    "id ids uid guid uuid number num index seq sequence offset timestamp epoch ts pid position sha hash digest iid"
)
_NAME_KEYS = words("name title label address path file host")
"""Fields that say which one it is: of a hundred another name is none that stands out."""
PROSE_KEYS = words("description excerpt body abstract readme bio about snippet changelog synopsis")
"""Fields of prose about a thing: what fails there is what it deals with."""
_EMPTY = frozenset(("", "none", "null", "no", "false", "0", "ok", "success", "n/a", "-", "[]", "{}"))
_NO_ERROR = regex(r"https?://|[~^<>=v* ]*\d+(?:\.\d+)+[\w.+-]*$")  # an address; the version of a package http-errors
_HEX = regex(r"\b(?=[0-9a-fA-F-]*\d)[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*\b")
_DIGITS = regex(r"\d+")
VOCABULARY, DISTINCT = 24, 0.9  # words that no list of states has; of the values, different words
_LETTERS = regex(r"[^\W\d_]+")
_QUANTITY = regex(r"\s*[$€£]?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s*(%|[A-Za-zµ/]{0,8}(?!\d))\s*")
_DECIMAL = regex(r"-?\d{1,15}(?:\.\d{1,15})?")


@record
class Odd:
    """Value ``index`` of the column, why it is kept, and the template that like ones share."""

    index: int
    keep: Keep
    reason: str
    template: str


def key_words(name: str) -> list[str]:
    return [word.lower() for word in _SPLIT.split(name) if word]


def is_id(name: str) -> bool:
    """Does the field's name say that its numbers are not quantities?"""
    parts = key_words(name)
    return bool(parts) and (parts[-1] in _ID_KEYS or (parts[-1] == "str" and len(parts) > 1 and parts[-2] in _ID_KEYS))


WRITTEN = "written like this"  # ends the reason of a value of another shape


def odd_values(name: str, values: Sequence[Any], absent: str = "null") -> list[Odd]:
    """Everything odd in a column called ``name``; at most one entry a value, the most severe. ``absent``: None."""
    every = (*_severe(name, values), *_outlying(name, values), *_rare(name, values, absent))
    by_index = {odd.index: odd for odd in reversed(every)}
    return [by_index[i] for i in sorted(by_index)]


# -- severity ---------------------------------------------------------------------------------


def _severe(name: str, values: Sequence[Any]) -> list[Odd]:
    parts = key_words(name)
    last, joined = (parts[-1] if parts else ""), "".join(parts)
    if last in PROSE_KEYS:
        return []
    state = last in _ERROR_KEYS or last in _STATUS_KEYS or joined in ("statuscode", "exitcode")
    error, n = last in _ERROR_KEYS, len(values)
    written = any(issubclass(kind, str) for kind in {*map(type, values)})
    texts = [(i, value) for i, value in enumerate(values) if isinstance(value, str)] if written else []
    if texts and not error:  # what holds no stem of a failure is not asked for one
        stems = severe_stems(value for _, value in texts)
        texts = [(i, value) for i, value in texts if any(map(value.lower().__contains__, stems))] if stems else []
    if texts and not state and is_vocabulary(values):
        return []
    hits = [i for i, value in texts if is_severe(value, error, state, n >= MIN_RARE)]
    if joined in _GOOD_FLAGS | _BAD_FLAGS | _EXIT_KEYS or last in _CODES:
        hits += [i for i, value in enumerate(values) if _fails(value, last, joined, n)]
        hits.sort()
    usual = USUAL_STATE if state or joined in _GOOD_FLAGS | _BAD_FLAGS else USUAL
    if len(values) >= MIN_RARE and len(hits) > usual * len(values):
        return []  # the common case of this field, not an alarm
    if not state and len(hits) > max(MAX_PROSE, int(RARE_SHARE * len(values))):
        sizes = [len(value) for value in values if isinstance(value, str)]
        if sum(sizes) > PROSE * len(sizes):
            return []  # descriptions of what handles failures name them
    return [Odd(i, Keep.SEVERE, "", f"{name}: {shape_of(str(values[i]))[:80]}") for i in hits]


def is_vocabulary(values: Sequence[Any]) -> bool:
    """Whether these are a list of words, hardly one of them twice: a state would come again."""
    known = {value for value in values if isinstance(value, str) and value.replace("-", "").isalpha()}
    return len(known) >= max(VOCABULARY, DISTINCT * len(values))


def _fails(value: Any, last: str, joined: str, count: int) -> bool:
    """Whether a number or flag tells of a failure, by the last word of its field's name and by all ``joined``."""
    if isinstance(value, bool):
        return joined in (_BAD_FLAGS if value else _GOOD_FLAGS)
    return isinstance(value, int | float) and (
        (joined in _EXIT_KEYS and value != 0)
        or (last in _STATUSES and value in SERVER_ERROR)
        or (last in _CODES - _STATUSES and value > 0 and count < MAX_FAILED)
    )


def is_severe(value: str, error_key: bool, status_key: bool, compared: bool) -> bool:
    """Does this text report a failure? ``compared``: there is a long column to compare it with."""
    if error_key:
        return value.strip().lower() not in _EMPTY and _NO_ERROR.match(value) is None
    head = value[:HEAD]
    if not (status_key or compared):
        return LOUD_ENTRY.search(head) is not None
    match = next((hit for hit in SEVERE.finditer(head) if not denied(head, hit)), None)
    if match is None:
        return False
    # a file, class or host called error-handler is a name; in a status field, or in a sentence, the word tells
    return status_key or match[0] == head or " " in head.strip()


# -- numbers ----------------------------------------------------------------------------------


def _outlying(name: str, values: Sequence[Any]) -> list[Odd]:
    numbers = None if len(values) < MIN_NUMBERS or is_id(name) else numbers_of(values)
    far = set(outliers(numbers[1])) if numbers else None
    if not numbers or not far:
        return []
    places = numbers[0]
    others = sorted((number, places[at]) for at, number in enumerate(numbers[1]) if at not in far)
    low, high = (_written(values[i]) for _, i in (others[0], others[-1]))
    rest = "others" if len(far) == 1 else "most"  # there are odd ones beside it that lie further off
    return [
        Odd(i, Keep.OUTLIER, f"{name or 'value'} {_written(values[i])}, {rest} {low}–{high}", f"outlier {name}")
        for i in sorted(places[at] for at in far)
    ]


def typed(value: str) -> Any:
    """The number or truth value that an attribute or a cell says, as it is written; else the text."""
    if value in ("true", "false"):
        return value == "true"
    if value[:1].isdigit() or value[:1] == "-":
        if value.isdecimal() and len(value) < WIDEST and (value[0] != "0" or value == "0"):
            return int(value)
        if _DECIMAL.fullmatch(value):
            return parse_float(value)
    return value


_NUMERIC = {int, float, Number}


def numbers_of(values: Sequence[Any]) -> tuple[Sequence[int], Sequence[float]] | None:
    """Places and numbers of the numeric values, also ``120ms`` and ``1,204``; None when the column is not numeric."""
    if len(values) >= MIN_NUMBERS and {*map(type, values)} <= _NUMERIC:  # the usual case, without a call each
        with suppress(OverflowError):
            plain = list(map(float, values))
            if math.isfinite(sum(map(abs, plain))):
                return range(len(plain)), plain
    places: list[int] = []
    numbers: list[float] = []
    texts: list[tuple[str, str]] = []  # as written, and their units
    filled = [(i, value) for i, value in enumerate(values) if value is not None and not isinstance(value, bool)]
    for at, (i, value) in enumerate(filled):
        if isinstance(value, int | float) and value == value:  # NaN has no place among numbers
            places.append(i)
            numbers.append(float(max(-1e308, min(1e308, value))))
        elif isinstance(value, str) and len(value) < LONG_NUMBER and (match := _QUANTITY.fullmatch(value)):
            texts.append((value, match[2]))
            places.append(i)
            numbers.append(float(match[1].replace(",", "")))
        elif at > ASKED and at + 1 - len(numbers) > MIXED * at:
            return None
    if len(numbers) < MIN_NUMBERS or len(filled) - len(numbers) > MIXED * len(numbers):
        return None
    units = {unit for _, unit in texts}
    codes = units == {""} and len({len(text) for text, _ in texts}) == 1 and 2 * len(texts) > len(numbers)
    if len(units) > 1 or codes:  # 1Gi and 500Mi do not compare; digits of one width are codes
        return None
    return places, numbers


def _written(value: Any) -> str:
    return str(getattr(value, "raw", value))


# -- rare values ------------------------------------------------------------------------------


def _rare(name: str, values: Sequence[Any], absent: str) -> list[Odd]:
    n, what = len(values), name or "value"
    if n < MIN_RARE:
        return []
    missing = [*map(type, values)].count(type(None))
    present = [i for i, v in enumerate(values) if v is not None] if missing else range(n)
    if few(len(present), n):
        return [Odd(i, Keep.RARE, f"{what} is {absent} in all {missing:,} others", f"rare {name}") for i in present]
    why = f"{what} is {absent}, in {len(present):,} others not"
    empty = [i for i, v in enumerate(values) if v is None] if few(missing, n) else []
    nulls = [Odd(i, Keep.RARE, why, f"null {name}") for i in empty]
    return nulls + _rare_present(what, name, present, [values[i] for i in present] if missing else values)


def _rare_present(what: str, name: str, places: Sequence[int], values: Sequence[Any]) -> list[Odd]:
    n, kinds = len(values), {*map(type, values)}
    if kinds == {bool} and LOOKS.search(name):
        return []
    texts = [str(v).lower() if v.__class__ is bool else v for v in values] if bool in kinds else values
    if not is_id(name) and (n >= MIN_NAMES or _NAME_KEYS.isdisjoint(key_words(name)[-1:])):
        rare = _singles(texts, MAX_RARE if n >= MIN_SHAPES else 1)
        if rare is not None:
            return [
                Odd(places[k], Keep.RARE, f"{what} {text} in {count:,} of {n:,}", f"rare {name} {text}")
                for k, count in rare
                for text in (_short(texts[k]),)  # another value is not like it
            ]
    written = any(issubclass(kind, str) for kind in kinds)
    strings = [(i, v) for i, v in zip(places, values, strict=True) if isinstance(v, str) and v] if written else []
    if len(strings) < max(MIN_SHAPES, n // 2):
        return []
    for view_name, view in _VIEWS:
        views = _viewed([v for _, v in strings], view)
        rare = _singles(views, max(1, min(2, len(views) // 200)))  # a view with many rare ones is none
        if rare := [(k, count) for k, count in rare or () if _has_many_others(views, views[k], count)]:
            return [
                Odd(strings[k][0], Keep.RARE, _of_kind(what, view_name, views[k], count, n), f"rare {name}")
                for k, count in rare
            ]
    return []


def _viewed(texts: list[str], view: Callable[[str], str]) -> list[str]:
    """What texts look like; nothing where that is of many kinds, which is known before all of them are looked at."""
    most, step = max(6, len(texts) // 25), max(MIN_SHAPES, len(texts) // 25)
    views, kinds = list[str](), set[str]()
    for start in range(0, len(texts), step):
        part = [view(text[:300]) for text in texts[start : start + step]]
        kinds.update(part)
        if len(kinds) > most:
            return []
        views += part
    return views


def _of_kind(what: str, kind: str, view: str, count: int, total: int) -> str:
    """Why a value is odd: by its host or folder, or by how it is written."""
    if kind and view:
        return f"{what} {kind} {_short(view)} only {count:,}×"
    some = f"only {count:,} {what} of {total:,} {WRITTEN}"
    return f"no other {what} of {total:,} is {WRITTEN}" if count == 1 else some


def _has_many_others(views: Sequence[str], view: str, count: int) -> bool:
    """Whether a host or a folder is rare among the others there are: not where most values have none at all."""
    having = len(views) - views.count("")
    return not view or (having >= MIN_RARE and few(count, having))


def _singles(values: Sequence[Any], most: int) -> list[tuple[int, int]] | None:
    """Positions and counts of uncommon values; None where few repeat, so that another view of them may show more."""
    counts = Counter(values)
    rare = {value: counts[value] for value in uncommon(counts, most)}
    if all(value.__class__ in (int, float) for value in rare) and len(rare) > max(1, len(counts) // 4):
        return []  # the tail of a count
    if not rare:
        return None if len(counts) > len(values) // 10 else []
    return [(i, rare[value]) for i, value in enumerate(values) if value in rare]


def shape_of(value: str) -> str:
    """Digits and hexadecimal ids masked: what like values have in common."""
    return _DIGITS.sub("#", _HEX.sub("#", value[:200]))


def _host(value: str) -> str:
    match = re.match(r"[a-z][a-z0-9+.-]*://([^/?#\s]+)|[^@\s]+@([\w.-]+)$", value, re.IGNORECASE)
    return (match[1] or match[2]).lower() if match else ""


def _directory(value: str) -> str:
    return value.rsplit("/", 1)[0] if "/" in value and " " not in value else ""


def _letters(value: str) -> str:
    return _LETTERS.sub("a", _DIGITS.sub("0", value)) if " " not in value else " "


_VIEWS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("", shape_of),
    ("host", _host),
    ("directory", _directory),
    ("prefix", lambda value: shape_of(re.split(r"[-_./:\s]", value, maxsplit=1)[0])),
    ("", _letters),
)


def _short(value: Any, most: int = PROSE) -> str:
    text = str(value)
    return text if len(text) <= most else text[: most - 3] + "…"


# -- structure --------------------------------------------------------------------------------


def odd_structure(group: Group) -> list[Odd]:
    """Elements with a field that hardly any sibling has, without one that all others have, or of another type."""
    parent = group.parent
    if parent is None or max(len(group.nodes), len(parent.nodes)) < MIN_RARE:
        return []
    return [*_extra(group, parent), *_odd_types(group), *_missing(group)]


def _extra(group: Group, parent: Group) -> Iterator[Odd]:
    if group.step in ("[]", "*") or group.origins:
        return
    n = len(group.nodes)
    if not few(n, len(parent.nodes), 2 * RARE_SHARE):
        return
    siblings = sum(1 for v in parent.nodes if v.__class__ is dict)
    sizes = [len(child.nodes) for child in parent.children.values()]
    scarce = len(set(sizes)) > 1 and sum(size <= n for size in sizes) <= EXTRA
    if siblings >= MIN_RARE and few(n, siblings, 2 * RARE_SHARE) and scarce:
        for i in range(n) if any(group.nodes) else ():  # false, null and empty are what the others have unsaid
            yield Odd(i, Keep.RARE, f"only {n:,} of {siblings:,} have {group.step}", f"field {group.path}")


def _odd_types(group: Group) -> Iterator[Odd]:
    n = len(group.nodes)
    if n < MIN_SHAPES or len(group.types) <= 1 or len(counts := kinds_of(group.nodes)) <= 1:
        return
    usual, often = counts.most_common(1)[0]
    rare = {kind for kind, c in counts.items() if kind not in (usual, "null") and few(c, n)}
    for i, value in enumerate(group.nodes if rare else ()):
        if (kind := kind_of(value)) in rare:
            yield Odd(i, Keep.RARE, f"{kind} where {often:,} others are {usual}s", f"type {group.path}")


def _missing(group: Group) -> Iterator[Odd]:
    if group.is_map or not group.children or dict not in group.types:
        return
    objects = [i for i, v in enumerate(group.nodes) if v.__class__ is dict]
    if len(objects) < MIN_SHAPES:
        return
    for key, child in group.children.items():
        having = len(child.nodes)
        if len(objects) - having > 0 and few(len(objects) - having, len(objects)) and not child.origins:
            for i in objects:
                if key not in group.nodes[i]:
                    yield Odd(i, Keep.RARE, f"no {key}, which {having:,} others have", f"missing {group.path}.{key}")


# -- in words ---------------------------------------------------------------------------------


_COUNTED = {str, int, bool, type(None)}
"""Equal ones of these are written alike."""


def _written_counts(values: Sequence[Any]) -> Counter[str]:
    """How often each value stands there as it is written."""
    types = {*map(type, values)}
    write = _told_apart if str in types and len(types) > 1 else scalar
    if not types <= _COUNTED:
        return Counter(map(write, values))
    counts: Counter[str] = Counter()
    if len(types) == 1:
        alike: Iterable[tuple[Any, int]] = Counter(values).items()
    else:  # 1 is not true
        alike = ((value, n) for (_, value), n in Counter(zip(map(type, values), values, strict=True)).items())
    for value, count in alike:
        counts[write(value)] += count
    return counts


def _told_apart(value: Any) -> str:
    """``"1"`` beside 1 and ``"true"`` beside true keep their quotes."""
    alike = value.__class__ is str and (value in ("true", "false", "null") or is_number(value))
    return f'"{value}"' if alike else scalar(value)


def values_text(name: str, values: Sequence[Any]) -> str:
    """``ok 497, failed 3`` of few values, ``5–80, median 12`` of numbers, nothing of the rest."""
    kinds = {*map(type, values)}
    mixed = kinds & {dict, list}
    if (is_id(name) and kinds != {str}) or kinds == mixed:
        return ""
    scalars = [v for v in values if v.__class__ not in mixed] if mixed else values
    counts, n = _written_counts(scalars), len(scalars)
    again = n >= AGAIN * len(counts) and len(counts) <= KINDS
    if is_id(name) and not again:  # else it is what many belong to
        return ""
    if n >= MIN_LISTED and (again or len(counts) <= max(2, min(LISTED, n // 3))):
        if len(counts) == 1:
            only = next(iter(counts))
            return f"all {only}" if len(only) <= SHOWN else ""
        cut = [(_short(v, SHOWN), c) for v, c in counts.most_common(LISTED)]
        shown = [f"{v} {'×' * v[-1:].isdigit()}{c:,}" for v, c in cut]
        return ", ".join(shown + [f"{len(counts) - LISTED:,} more"] * (len(counts) > LISTED))
    if not (numbers := numbers_of(scalars)):
        return ""
    ordered = sorted(numbers[1])
    low, high = (scalar(scalars[numbers[0][numbers[1].index(end)]]) for end in (ordered[0], ordered[-1]))
    quantity = _QUANTITY.fullmatch(low)
    return f"{low}–{high}, median {exact(median(ordered))}{quantity[2] if quantity else ''}"
