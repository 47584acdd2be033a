"""What is odd in one column of scalars: severe values, rare values and shapes, numeric outliers.

A column is the values of one field over sibling elements. Each rule asks how the value stands to the
rest of *its* column: a crash in a title is common in an issue list and an alarm in a status field.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mcpcompact.content.anomalies.tallies import median
from mcpcompact.content.shared.flow import scalar
from mcpcompact.content.shared.jsontext import Number, parse_float
from mcpcompact.content.shared.tree import Group, kind_of
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import exact, is_number

MIN_RARE, MIN_KINDS, MIN_NAMES, MIN_NUMBERS = 20, 50, 200, 10
"""Columns shorter than this have no bulk that a value could be rare in, or far from."""

_WORDS = (
    r"errors?|fatal|critical|panic\w*|traceback|exceptions?|fail(?:ed|ure|ures|ing|s)?|denied|refused|time[d-]?\s?out|"
    r"timeouts?|unreachable|corrupt\w*|crash\w*|abort\w*|unhealthy|deadlock\w*|oom\w*|out of memory|segfault|sigsegv|"
    r"sigkill|killed|core dumped|unhandled|rejected|unauthori[sz]ed|forbidden|invalid|broken|emergency|degraded|evicted"
)
SEVERE = regex(
    rf"(?<![\w-])(?i:{_WORDS})(?![\w-])|[a-z](?:Error|Exception|Failure|Failed|Killed|BackOff)(?![a-z])|\bErr[A-Z]\w+|"
    r"(?<!\w)E(?:CONN|TIME|ACC|NO|PIPE)[A-Z]+\b|\b(?:Failed|BackOff)(?:[A-Z]\w+)?\b"
)
LOUD = regex(r"\b(?:ERROR|FATAL|CRITICAL|PANIC|FAILED|FAILURE|Traceback|OOMKilled|CrashLoopBackOff|panic:)")
_NOT_SEVERE = regex(r"\b(?:no|0|zero|without|not an?) (?:\w+ )?(?:errors?|failures?|exceptions?)\b", re.IGNORECASE)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SPLIT = regex(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")
_ERROR_KEYS = words("error errors err exception exceptions failure failures stderr fault traceback panic")
_STATUS_KEYS = words(
    "status state level severity result outcome conclusion phase reason health message msg verdict loglevel type kind "
    "condition warning warnings detail details note alert code event response"
)
_GOOD_FLAGS = words("ok success successful succeeded passed valid healthy ready available")
_BAD_FLAGS = words("iserror failed error crashed timedout aborted broken invalid haserror oomkilled")
_EXIT_KEYS = words("exitcode returncode exitstatus rc retcode")
_ID_KEYS = words(
    "id ids uid guid uuid number num index seq sequence offset timestamp epoch ts pid position sha hash digest iid"
)
_NAME_KEYS = (["name"], ["title"], ["label"], ["address"], ["path"], ["file"], ["host"])
"""Fields that say which one it is: of a hundred another name is none that stands out."""
PROSE_KEYS = words("description excerpt body abstract readme bio about snippet changelog synopsis")
"""Fields of prose about a thing: what fails there is what it deals with."""
_EMPTY = frozenset(("", "none", "null", "no", "false", "0", "ok", "success", "n/a", "-", "[]", "{}"))


@dataclass(slots=True)
class Odd:
    """Value ``index`` of the column, why it is kept, and the template that like ones share."""

    index: int
    keep: Keep
    reason: str
    template: str


def key_words(name: str) -> list[str]:
    return [word.lower() for word in _SPLIT.split(name) if word]


def shape_of(value: str) -> str:
    """Digits and hexadecimal ids masked: what like values have in common."""
    value = _HEX.sub("#", value[:200])
    return _DIGITS.sub("#", value)


_HEX = regex(r"\b(?=[0-9a-fA-F-]*\d)[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*\b")
_DIGITS = regex(r"\d+")
_LETTERS = regex(r"[^\W\d_]+")
_QUANTITY = regex(r"\s*[$€£]?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)\s*(%|[A-Za-zµ/]{0,8}(?!\d))\s*")


def odd_values(name: str, values: Sequence[Any], absent: str = "null") -> list[Odd]:
    """Everything odd in a column called ``name``; at most one entry a value, the most severe. ``absent``: None."""
    found: dict[int, Odd] = {}
    for odd in (*_severe(name, values), *_outlying(name, values), *_rare(name, values, absent)):
        found.setdefault(odd.index, odd)
    return [found[i] for i in sorted(found)]


PROSE, FEW_TOLD = 60, 3  # characters of a text in the mean from which it is prose; so many of which may tell

# -- severity ---------------------------------------------------------------------------------


def _severe(name: str, values: Sequence[Any]) -> list[Odd]:
    parts = key_words(name)
    last, joined = (parts[-1] if parts else ""), "".join(parts)
    if last in PROSE_KEYS:
        return []
    error_key = last in _ERROR_KEYS
    status_key = last in _STATUS_KEYS or joined in ("statuscode", "exitcode")
    hits: list[int] = []
    for i, value in enumerate(values):
        if isinstance(value, str):
            if is_severe(value, error_key, status_key, len(values) >= MIN_RARE):
                hits.append(i)
        elif value is True or value is False:
            if (value and joined in _BAD_FLAGS) or (not value and joined in _GOOD_FLAGS):
                hits.append(i)
        elif isinstance(value, int | float) and (
            (joined in _EXIT_KEYS and value != 0)
            or (last in ("status", "code", "statuscode") and 500 <= value <= 599)
            or (last in _ERROR_KEYS | {"failed"} and value > 0 and len(values) < 5)
        ):
            hits.append(i)
    if not hits:
        return []
    share = len(hits) / len(values)
    if len(values) >= MIN_RARE and share > (
        0.3 if error_key or status_key or joined in _GOOD_FLAGS | _BAD_FLAGS else 0.05
    ):
        return []  # the common case of this field, not an alarm
    if not (error_key or status_key) and len(hits) > max(FEW_TOLD, len(values) // 200):
        texts = [len(value) for value in values if isinstance(value, str)]
        if sum(texts) > PROSE * len(texts):
            return []  # descriptions of what handles failures name them
    return [Odd(i, Keep.SEVERE, "", f"{name}: {shape_of(str(values[i]))[:80]}") for i in hits]


def is_severe(value: str, error_key: bool, status_key: bool, compared: bool) -> bool:
    """Does this text report a failure? ``compared``: there is a long column to compare it with."""
    if error_key:
        return value.strip().lower() not in _EMPTY and not value.startswith(("http://", "https://"))
    head = value[:2000]
    if not (status_key or compared):
        return LOUD.search(head) is not None
    match = SEVERE.search(head)
    if match is None or _NOT_SEVERE.search(head):
        return False
    # a file, class or host called error-handler is a name; in a status field, or in a sentence, the word tells
    return status_key or match[0] == head or " " in head.strip()


# -- numbers ----------------------------------------------------------------------------------


def _outlying(name: str, values: Sequence[Any]) -> list[Odd]:
    if is_id(name):
        return []
    numbers = numbers_of(values)
    if numbers is None:
        return []
    found = outliers(numbers)
    others = [pair for pair in numbers if pair[0] not in found]
    if not found or not others:
        return []
    low, high = (_written(values[pick(others, key=lambda pair: pair[1])[0]]) for pick in (min, max))
    return [
        Odd(i, Keep.OUTLIER, f"{name or 'value'} {_written(values[i])}, others {low}–{high}", f"outlier {name}")
        for i in found
    ]


def typed(value: str) -> Any:
    """The number or truth value that an attribute or a cell says, as it is written; else the text."""
    if value in ("true", "false"):
        return value == "true"
    if value[:1].isdigit() or value[:1] == "-":
        if value.isdigit() and len(value) < 19 and (value[0] != "0" or value == "0"):
            return int(value)
        if _DECIMAL.fullmatch(value):
            return parse_float(value)
    return value


_DECIMAL = regex(r"-?\d{1,15}(?:\.\d{1,15})?")


def is_id(name: str) -> bool:
    """Does the field's name say that its numbers are not quantities?"""
    parts = key_words(name)
    return bool(parts) and (parts[-1] in _ID_KEYS or (parts[-1] == "str" and len(parts) > 1 and parts[-2] in _ID_KEYS))


_NUMERIC = {int, float, Number}


def numbers_of(values: Sequence[Any]) -> list[tuple[int, float]] | None:
    """Index and number of each numeric value, also ``120ms`` and ``1,204``; None when the column is not numeric."""
    if len(values) >= MIN_NUMBERS and {*map(type, values)} <= _NUMERIC:  # the usual case, without a call each
        with suppress(OverflowError):
            plain = list(map(float, values))
            if math.isfinite(sum(map(abs, plain))):
                return list(enumerate(plain))
    numbers: list[tuple[int, float]] = []
    units: Counter[str] = Counter()
    widths: Counter[int] = Counter()
    texts = others = 0
    for i, value in enumerate(values):
        if value is None or value is True or value is False:
            continue
        if isinstance(value, int | float) and value == value:  # NaN has no place among numbers
            numbers.append((i, _finite(value)))
        elif isinstance(value, str) and len(value) < 40 and (match := _QUANTITY.fullmatch(value)):
            texts += 1
            units[match[2]] += 1
            widths[len(value)] += 1
            numbers.append((i, float(match[1].replace(",", ""))))
        else:
            others += 1
            if others > 20 and others > 0.1 * (i + 1):
                return None
    if len(numbers) < MIN_NUMBERS or others > 0.1 * len(numbers):
        return None
    if texts and units.most_common(1)[0][1] < texts:
        return None  # mixed units: 1Gi and 500Mi do not compare
    if texts and units[""] == texts and len(widths) == 1 and texts > len(numbers) // 2:
        return None  # digits of one width: codes
    return numbers


def _finite(value: float) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf if value > 0 else -math.inf
    return max(-1e308, min(1e308, number))


def outliers(numbers: Sequence[tuple[int, float]]) -> list[int]:
    """The indices of numbers far outside the bulk: beyond it by five times its width and, where all
    are positive, by half its width on a logarithmic scale (heavy tails are no alarm)."""
    given = [value for _, value in numbers]
    ordered = sorted(given)
    n = len(ordered)
    if given == ordered and n >= MIN_RARE and ordered[0] < ordered[n // 4] < ordered[n // 2] < ordered[-1]:
        return []  # a serial number or a clock
    cut = max(1, n // 20)
    low, high = ordered[cut], ordered[n - 1 - cut]
    width = high - low
    if width == 0:
        if ordered.count(low) < 0.95 * n or low != ordered[n // 2]:
            return []
        width = abs(low) * 0.2
    floor, ceiling = low - 5 * width, high + 5 * width
    logarithmic = ordered[cut] > 0
    spread = math.log(high / low) if logarithmic else 0.0
    found = []
    for i, value in numbers:
        small = logarithmic and spread < 2.3 and value < low / 10  # five residues where all have hundreds
        if floor <= value <= ceiling and not small:
            continue
        if logarithmic and value > high and math.log(value / high) < max(0.5 * spread, 0.7):
            continue
        if logarithmic and 0 < value < low and math.log(low / value) < max(0.5 * spread, 0.7):
            continue
        found.append(i)
    return found if len(found) <= max(2, n // 50) else []


def _written(value: Any) -> str:
    return str(getattr(value, "raw", value))


# -- rare values ------------------------------------------------------------------------------


def _rare(name: str, values: Sequence[Any], absent: str) -> list[Odd]:
    n = len(values)
    if n < MIN_RARE:
        return []
    what = name or "value"
    present = [i for i, v in enumerate(values) if v is not None]
    if len(present) <= max(1, n // 200):
        return [
            Odd(i, Keep.RARE, f"{what} is {absent} in all {n - len(present):,} others", f"rare {name}") for i in present
        ]
    found = []
    if 0 < n - len(present) <= max(1, n // 200):
        found = [
            Odd(i, Keep.RARE, f"{what} is {absent}, in {len(present):,} others not", f"null {name}")
            for i, v in enumerate(values)
            if v is None
        ]
    return found + _rare_present(what, name, [(i, values[i]) for i in present])


def _rare_present(what: str, name: str, entries: list[tuple[int, Any]]) -> list[Odd]:
    n = len(entries)
    if n < MIN_RARE:
        return []
    texts = [str(v).lower() if v.__class__ is bool else v for _, v in entries]
    if not is_id(name) and (n >= MIN_NAMES or key_words(name)[-1:] not in _NAME_KEYS):
        rare = _singles(texts, n)
        if rare is not None:
            return [
                Odd(entries[k][0], Keep.RARE, f"{what} {_short(texts[k])} in {count:,} of {n:,}", f"rare {name}")
                for k, count in rare
            ]
    strings = [(i, v) for i, v in entries if isinstance(v, str) and v]
    if len(strings) < max(50, n // 2):
        return []
    for view_name, view in _VIEWS:
        views = [view(v[:300]) for _, v in strings]
        rare = _singles(views, len(views), strict=True)
        if rare:
            return [
                Odd(
                    strings[k][0],
                    Keep.RARE,
                    f"no other {what} of {n:,} is written like this"
                    if view_name in ("shape", "template")
                    else f"{what} {view_name} {_short(views[k])} only {count:,}×",
                    f"rare {name}",
                )
                for k, count in rare
            ]
    return []


def _singles(values: Sequence[Any], n: int, strict: bool = False) -> list[tuple[int, int]] | None:
    """Positions of values that hardly occur in a column of few values; None when the column is no such column."""
    try:
        counts = Counter(values)
    except TypeError:
        return None
    if len(counts) < 2 or len(counts) > max(8, n // 4):
        return None if len(counts) > 1 else []
    limit = max(1, n // 200)
    rare = {value: count for value, count in counts.items() if count <= limit}
    if strict and (len(counts) > max(6, n // 25) or len(rare) > 2):
        return None
    if n < 50 and (len(counts) > 6 or len(rare) > 1):
        return []
    if len(rare) > max(1, len(counts) // 4) and all(v.__class__ in (int, float) for v in rare):
        return []  # the tail of a count
    allowed = max(2, n // 100) if not strict else max(1, n // 200)
    common = len(counts) - len(rare)
    if not rare:
        return []
    if len(rare) > allowed or not common or (n - sum(rare.values())) / common < max(4, 6 * limit):
        return [] if len(counts) <= n // 10 else None
    return [(i, rare[v]) for i, v in enumerate(values) if v in rare]


def _host(value: str) -> str:
    match = re.match(r"[a-z][a-z0-9+.-]*://([^/?#\s]+)|[^@\s]+@([\w.-]+)$", value, re.IGNORECASE)
    return (match[1] or match[2]).lower() if match else ""


def _stem(value: str) -> str:
    return shape_of(value)


def _directory(value: str) -> str:
    return value.rsplit("/", 1)[0] if "/" in value and " " not in value else ""


def _first_word(value: str) -> str:
    return shape_of(re.split(r"[-_./:\s]", value, maxsplit=1)[0])


def _letters(value: str) -> str:
    return _LETTERS.sub("a", _DIGITS.sub("0", value)) if " " not in value else " "


_VIEWS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("template", _stem),
    ("host", _host),
    ("directory", _directory),
    ("prefix", _first_word),
    ("shape", _letters),
)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else text[:57] + "…"


def odd_structure(group: Group) -> list[Odd]:
    """Elements with a field that hardly any sibling has, without one that all others have, or of another type."""
    parent = group.parent
    found: list[Odd] = []
    if parent is None:
        return found
    if group.step not in ("[]", "*"):
        siblings = sum(1 for v in parent.nodes if v.__class__ is dict)
        n = len(group.nodes)
        if siblings >= MIN_RARE and n <= max(1, siblings // 100) and not group.origins:
            rare = len({len(p.nodes) for p in parent.children.values()})
            if rare > 1 and sum(1 for c in parent.children.values() if len(c.nodes) <= n) <= 3:
                found += [
                    Odd(i, Keep.RARE, f"only {n:,} of {siblings:,} have {group.step}", f"field {group.path}")
                    for i in range(n)
                ]
    kinds = [kind_of(v) for v in group.nodes]
    counts = Counter(kinds)
    if len(kinds) >= MIN_KINDS and len(counts) > 1:
        usual, _ = counts.most_common(1)[0]
        rare_kinds = {k: c for k, c in counts.items() if k != usual and c <= max(1, len(kinds) // 200) and k != "null"}
        found += [
            Odd(i, Keep.RARE, f"{k} where {counts[usual]:,} others are {usual}s", f"type {group.path}")
            for i, k in enumerate(kinds)
            if k in rare_kinds
        ]
    objects = [i for i, v in enumerate(group.nodes) if v.__class__ is dict]
    if len(objects) >= 50 and not group.is_map:
        for key, child in group.children.items():
            missing = len(objects) - len(child.nodes)
            if 0 < missing <= max(1, len(objects) // 200) and not child.origins:
                found += [
                    Odd(
                        i, Keep.RARE, f"no {key}, which {len(child.nodes):,} others have", f"missing {group.path}.{key}"
                    )
                    for i in objects
                    if key not in group.nodes[i]
                ]
    return found


# -- in words ---------------------------------------------------------------------------------


def _told_apart(value: Any) -> str:
    """``"1"`` beside 1 and ``"true"`` beside true keep their quotes."""
    alike = value.__class__ is str and (value in ("true", "false", "null") or is_number(value))
    return f'"{value}"' if alike else scalar(value)


def values_text(name: str, values: Sequence[Any]) -> str:
    """``ok 497, failed 3`` of few values, ``5–80, median 12`` of numbers, nothing of the rest."""
    scalars = [v for v in values if v.__class__ is not dict and v.__class__ is not list]
    mixed = len({v.__class__ is str for v in scalars}) > 1
    counts = Counter(_told_apart(v) if mixed else scalar(v) for v in scalars)
    n = len(scalars)
    if is_id(name):
        return ""
    if n >= 4 and len(counts) <= max(2, min(8, n // 3)):
        if len(counts) == 1:
            only = next(iter(counts))
            return f"all {only}" if len(only) <= 40 else ""
        shown = [f"{v if len(v) <= 40 else v[:37] + '…'} {c:,}" for v, c in counts.most_common(8)]
        return ", ".join(shown)
    numbers = numbers_of(scalars)
    if numbers:
        ordered = sorted(v for _, v in numbers)
        low, high = (scalar(scalars[min(numbers, key=lambda p: s * p[1])[0]]) for s in (1, -1))
        unit = found[2] if (found := _QUANTITY.fullmatch(low)) else ""
        return f"{low}–{high}, median {exact(median(ordered))}{unit}"
    return ""
