"""The order of ``--sort``: exact numbers, mixed types in a fixed order, what is missing last; and ``newest``.

Ascending: numbers by their exact value, then texts by code point, then false and true, then lists and objects by
their compact JSON. Descending is the reverse of that. Items whose field is missing or null stand last in both,
and equal ones stay as they stood. The cells of a table are numbers where they read as numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from mcpcompact.errors import InputError, UsageError
from mcpcompact.retrieval.conditions import number, plain, values_at
from mcpcompact.retrieval.lists import Listing, names_of
from mcpcompact.retrieval.spans import parse_path
from mcpcompact.retrieval.units import TABLE, Unit

_DATE_MOST = 40
_DATE_LEAST = 8  # characters
_YEAR_2096 = 4_000_000_000
_YEAR_2001 = 978_307_200  # seconds

NEWEST = "newest"
SAMPLE = 200
"""Items that are looked at for the field that ``newest`` sorts by."""

_KINDS = ("number", "text", "true or false", "list or object")
_CREATED = ("created", "create_time", "createtime", "creation", "published", "inserted")
_TIMES = ("timestamp", "datetime", "time", "ts", "date", "when", "start", "at")
_CHANGE, _OTHER = 2, 3
_CHANGED = ("updated", "modified", "changed", "pushed", "last")


@dataclass(frozen=True, slots=True)
class Sort:
    """``FIELD``, ``FIELD:desc``, ``FIELD:asc`` or ``newest``; the field ``.`` is the item itself."""

    field: str
    descending: bool = False

    @classmethod
    def parse(cls, text: str) -> Sort:
        if text.strip() == NEWEST:
            return cls(NEWEST, True)
        name, colon, way = text.strip().rpartition(":")
        if not colon or way.lower() not in ("asc", "desc"):
            name, way = text.strip(), "asc"
        if not name:
            raise UsageError(f"sort {text!r} cannot be read", hint="write FIELD, FIELD:desc or newest")
        return cls(name, way.lower() == "desc")

    def __str__(self) -> str:
        return self.field if self.field == NEWEST else f"{self.field}:{'desc' if self.descending else 'asc'}"


def order(found: Listing, sort: Sort) -> tuple[list[int], list[str]]:
    """The numbers of all items in the order of ``sort``, and what is to be said about it.

    Raises ``InputError`` when no item has the field, or none a date for ``newest``.
    """
    notes = []
    field, dated = sort.field, sort.field == NEWEST
    if dated:
        field = newest_field(list(itertools.islice(found.items(), SAMPLE)))
        notes.append(f"newest first by {field}")
    steps = None if field == "." else field.split(".") if dated else parse_path(field)
    have: list[tuple[tuple[int, Any], int]] = []
    lack: list[int] = []
    kinds = [0] * len(_KINDS)
    for unit in found.items():
        value = unit.value()
        if steps is not None:
            value = next(values_at(value, tuple(steps)), None)
        key = _dated(value) if dated else _key(value, unit.kind == TABLE)
        if key is None:
            lack.append(unit.number)
            continue
        have.append((key, unit.number))
        kinds[key[0]] += 1
    total = len(have) + len(lack)
    if not have and total and field != ".":
        first = next(found.items())
        raise InputError(f"none of the {total:,} items has {field!r}", hint=_fields_of([first]))
    if lack:
        what = "are null" if field == "." else f"have no {field}"
        notes.append(f"{len(lack):,} of {total:,} {what} and stand last")
    if sum(map(bool, kinds)) > 1:
        told = ", then ".join(f"{kind} ({n:,})" for n, kind in zip(kinds, _KINDS, strict=True) if n)
        notes.append(f"{'the value' if field == '.' else field} is of several types; in ascending order: {told}")
    have.sort(key=lambda pair: pair[0], reverse=sort.descending)
    return [n for _, n in have] + lack, notes


def _key(value: Any, cell: bool) -> tuple[int, Any] | None:
    if value is None or (cell and not value):
        return None
    if isinstance(value, bool):
        return 2, value
    if isinstance(value, (int, Decimal)) or (cell and number(value) is not None):
        return 0, number(value)
    if isinstance(value, float):  # NaN, the only float that the reader leaves
        return 1, str(value)
    return (1, value) if isinstance(value, str) else (3, plain(value))


def _dated(value: Any) -> tuple[int, Any] | None:
    instant = _instant(value)
    return None if instant is None else (0, instant)


def newest_field(units: Iterable[Unit]) -> str:
    """The most date-like field of some items: the one that most of them hold a date in, at least half, and where it
    is present in at least four of five. Of several, names of creation stand before times, times before changes,
    changes before other names; then the less nested; then the first. Raises ``InputError`` where there is none."""
    units = list(units)
    dates: dict[str, int] = {}
    seen: dict[str, int] = {}
    for unit in units:
        value = unit.value()
        for name in dict.fromkeys(names_of(unit)):
            inner = next(values_at(value, tuple(name.split("."))), None)
            if inner is not None and inner != "":
                seen[name] = seen.get(name, 0) + 1
                timely = isinstance(inner, str) or _rank(name) != _OTHER  # ids look like seconds
                dates[name] = dates.get(name, 0) + (timely and _instant(inner) is not None)
    good = [name for name in dates if dates[name] * 5 >= seen[name] * 4 and dates[name] * 2 >= len(units)]
    if not good:
        raise InputError("no field of these items holds dates", hint=f"sort by FIELD:desc; {_fields_of(units)}")
    return min(good, key=lambda name: (-dates[name], _rank(name), name.count("."), list(dates).index(name)))


def _rank(name: str) -> int:
    last = name.rpartition(".")[2].lower().lstrip("@_")
    for rank, words in enumerate((_CREATED, _TIMES)):
        if last.startswith(words) or (rank and last.endswith(("time", "date", "timestamp"))):
            return rank
    return _CHANGE if last.startswith(_CHANGED) else _OTHER


def _instant(value: Any) -> float | None:
    """Seconds since 1970 of an ISO 8601 or RFC 5322 date, or of a number of seconds or milliseconds; else None."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, Decimal)):
        return _epoch(float(value))
    if not isinstance(value, str) or not _DATE_LEAST <= len(value) <= _DATE_MOST:
        return None
    text = value.strip()
    try:
        found = datetime.fromisoformat(text.replace("/", "-") if text[4:5] == "/" else text)
    except ValueError:
        if text.isdigit() and len(text) in (10, 13):
            return _epoch(float(text))
        from email.utils import parsedate_to_datetime

        try:
            found = parsedate_to_datetime(text)
        except (ValueError, TypeError, IndexError):
            return None
    else:
        if text.isdigit() and not text.startswith(("19", "20")):
            return None  # fromisoformat reads 8 digits as a day
    try:
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
    except (OverflowError, ValueError):
        return None


def _epoch(number: float) -> float | None:
    """Seconds from 2001 to 2096, or the milliseconds of that time."""
    for scale in (1.0, 1e3):
        if _YEAR_2001 <= number / scale < _YEAR_2096:
            return number / scale
    return None


def _fields_of(units: Iterable[Unit]) -> str:
    names = list(dict.fromkeys(name for unit in units for name in names_of(unit)))[:12]
    return f"there is {', '.join(names)}" if names else "these items have no fields; '.' is the item itself"
