"""Tables of records: their fields, values, numbers and dates, to look values up in and to compute with."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from datetime import date
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from mcpcompact.llm.words import ALIKE, CLASSES, FUNCTION, MONTHS, OUTCOMES, UNITS, listed, stem
from mcpcompact.llm.words import unit as spelt
from mcpcompact.patterns import regex

PHRASE = 8  # most words of a value that is looked up as a whole
LONGEST = 200  # characters of a name, or of a text that is a value
SHORT = 2  # characters of a word that names nothing: initials, units
ROOT = 4  # letters of a stem that a field's name may be the beginning of
KINDS = 40  # most values of a field that groups its rows
PAIR = 2  # rows that may differ by chance: of more, a field that does names them
PASSED = "passed"
ORDINAL = ("st", "nd", "rd", "th")
ENORMOUS = 1e300  # from here on numbers cannot be summed or squared

_TOKEN = regex(r"[-+$€£~≈#]{0,2}\d{1,3}(?:,\d{3})+(?![\d,])(?:\.\d+)?[%\w]*|[^\s,;()\[\]{}\"“”`<>|=*‘…—]+")
_NUMBER = regex(
    r"(?P<mark>[~≈#]?)(?P<sign>[-+−]?)(?P<currency>[$€£]?)(?P<digits>\d{1,3}(?:[,_]\d{3})+|\d+)(?P<fraction>\.\d+)?"
    r"(?:[eE](?P<exponent>[-+]?\d{1,3})(?![A-Za-z]))?\s?(?P<unit>[A-Za-z%°µ€$£/]{0,12})"
)
_HOUR = r"(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?"
_ISO = regex(rf"(?P<year>\d{{4}})-(?P<month>\d\d)-(?P<day>\d\d)(?:[T ]{_HOUR})?(?:Z|[+-]\d\d:?\d\d)?")
_DAY = regex(rf"(?P<day>\d{{1,2}})[./](?P<month>\d{{1,2}})[./](?P<year>\d{{4}})(?:[T ]{_HOUR})?")
_NTH, _YEAR = r"(?P<day>\d\d?)(?:st|nd|rd|th)?", r"(?P<year>\d{4})\b"
_DAY_MONTH = regex(rf"\b{_NTH} (?:of )?(?P<month>[A-Za-z]+) {_YEAR}")
_MONTH_DAY = regex(rf"\b(?P<month>[A-Za-z]+) {_NTH} {_YEAR}")
_PASSED = regex(r"\b[Pp]assed\b")
_THROUGH = regex(r"\b[Pp]assed (?:(?:the|through|by) )?(?=[A-Z][a-z])")
_CLOCK = regex(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?Z?")
_CAMEL = regex(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z0-9%]+|(?<=[a-z])(?=\d)")
_KEYS = ("id", "number", "no", "nr", "key", "#", "build", "line")
_GENERAL = listed("""value name id key count total amount at unit number code text""")
"""Names of fields that say nothing without that of the object around them."""
_MEASURED = {"bytes": "size", "eur": "money", "usd": "money", "gbp": "money", "length": "distance"}


class Quantity(NamedTuple):
    """A number as it is written: its unit (lower case, "" for none), and how many decimals it shows."""

    value: float
    unit: str = ""
    decimals: int = 0
    about: bool = False


class Moment(NamedTuple):
    """A day, and the time of it where one is said."""

    day: date | None
    time: tuple[int, ...] = ()

    def within(self, other: Moment) -> bool:
        """Whether ``other`` says the same, to the precision of this one."""
        return (self.day is None or self.day == other.day) and self.time == other.time[: len(self.time)]


def went_through(text: str) -> bool:
    """Whether a name stands behind each ``passed``: a place that was passed, and no outcome."""
    return len(_THROUGH.findall(text)) == len(_PASSED.findall(text)) > 0


def tokens(text: str) -> list[str]:
    """The words of a text without the signs around them."""
    words = (token.strip(".:!?'’…–-→") if token[:1] not in "-+" else token.rstrip(".:!?'’…–") for token in
             _TOKEN.findall(text))  # fmt: skip
    return [token[:-2] if token.endswith(("'s", "’s")) else token for token in words if token]


@lru_cache(100_000)
def norm(text: str) -> str:
    return " ".join(tokens(text)).lower()


@lru_cache(100_000)
def quantity(text: str) -> Quantity | None:
    """The number that a text is, with its unit; None where it is none, as ``#12ab`` and ``3rd``."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None or match["unit"] in ORDINAL or (match["mark"] == "#" and match["unit"]):
        return None
    sign = "-" if match["sign"] in ("-", "−") else ""
    digits = re.sub("[,_]", "", match["digits"])
    unit = spelt(match["unit"] or match["currency"] or "")
    value = float(f"{sign}{digits}{match['fraction'] or ''}e{match['exponent'] or 0}")
    decimals = len(match["fraction"] or ".") - 1
    return Quantity(value, "" if unit == "x" else unit, decimals, match["mark"] in ("~", "≈"))


@lru_cache(100_000)
def moment(text: str) -> Moment | None:
    """A day, a time, or both."""
    text = text.strip().rstrip(".,")
    match = _ISO.fullmatch(text) or _DAY.fullmatch(text)
    if match:
        time = tuple(int(match[part]) for part in ("hour", "minute", "second") if match[part])
        day = _day(match, int(match["month"]))
        return Moment(day, time) if day else None
    match = _CLOCK.fullmatch(text)
    return Moment(None, tuple(int(part) for part in match.groups() if part)) if match else None


def _day(match: re.Match[str], month: int) -> date | None:
    with suppress(ValueError):  # there is no 31 February
        return date(int(match["year"]), month, int(match["day"]))
    return None


def _parts(name: str) -> list[str]:
    return [part.lower() for part in _CAMEL.split(name) if part]


@lru_cache(10_000)
def _telling(field: str) -> list[str]:
    """The words of a field's name; of one that says nothing, those of the object around it, too."""
    path, _, last = field.rpartition(".")
    parts = _parts(last)
    if path and all(part in UNITS or part in _GENERAL for part in parts):
        parts = _parts(path.rpartition(".")[2]) + parts
    return parts


@lru_cache(10_000)
def words_of(field: str) -> tuple[str, ...]:
    """The stems of a field's name; a unit at its end is none of them."""
    parts = _telling(field)
    return tuple(stem(part) for part in parts if part not in UNITS or len(parts) == 1)


@lru_cache(10_000)
def unit_of(field: str) -> str:
    """The unit that a field's name ends in, "" for none."""
    parts = _parts(field)
    endings = (spelt("_".join(parts[n:])) for n in range(len(parts)))
    return next((unit for unit in endings if unit in UNITS and unit != "day" and (len(parts) > 1 or len(unit) > 1)), "")


@lru_cache(10_000)
def class_of(field: str) -> str:
    """What a field measures, by its name or the unit in it."""
    unit = unit_of(field)
    for part in reversed(_telling(field)):
        kind = "date" if part == "at" else CLASSES.get(part, "")
        if kind and not (unit and kind in ("date", "money", "count")):
            return kind
    kind = UNITS[unit][0] if unit else ""
    return _MEASURED.get(kind, kind)


class Column(dict[int, Any]):
    """Row → the value of a field, where there is one."""

    @cached_property
    def kinds(self) -> Counter[str]:
        """The values with their counts, each as text."""
        return Counter(map(str, self.values()))

    @cached_property
    def identity(self) -> bool:
        """Whether the values (nearly) all differ, so that one names its row."""
        return len(self.kinds) > 1 and len(self.kinds) >= 0.9 * len(self) and len(self) > PAIR

    @cached_property
    def numbers(self) -> dict[int, Quantity]:
        """Row → the number there, where it is one."""
        cells = {n: value for n, value in self.items() if not isinstance(value, bool)}
        pairs = ((n, quantity(value) if isinstance(value, str) else _plain(value)) for n, value in cells.items())
        return {n: number for n, number in pairs if number is not None}

    @cached_property
    def moments(self) -> dict[int, Moment]:
        """Row → the day or time there, where it is one."""
        known = ((n, moment(cell)) for n, cell in self.items() if isinstance(cell, str))
        return {n: at for n, at in known if at is not None}


EMPTY = Column()


class Table:
    """Rows of one kind. ``noun`` is what their list is called; ``prose`` tells rows of text from those of fields."""

    def __init__(self, rows: list[dict[str, Any]], noun: str = "", prose: bool = False, texts: list[str] | None = None):
        self.rows, self.noun, self.prose = rows, noun, prose
        self.texts = texts or []
        self.records = not prose
        """Whether each row is a record of one kind."""
        self._words: dict[int, frozenset[str]] = {}

    @cached_property
    def columns(self) -> dict[str, Column]:
        columns: dict[str, Column] = {}
        for n, row in enumerate(self.rows):
            for name, value in row.items():
                if value is not None and value != "":
                    columns.setdefault(name, Column())[n] = value
        return columns

    @cached_property
    def named(self) -> dict[str, set[str]]:
        """A field's name in lower case, with and without the path to it, and the stems of its words → the fields."""
        fields: dict[str, set[str]] = {}
        for name in self.columns:
            low = name.lower()
            roots = {key for word in words_of(name) for key in (word, ALIKE.get(word, word))}
            for key in ({low, low.rpartition(".")[2]} | roots) - FUNCTION:
                fields.setdefault(key, set()).add(name)
        return fields

    def mentioned(self, word: str) -> frozenset[str]:
        """The fields that a word names: by its stem, or shortened (``conc``, ``temp``)."""
        root = stem(word)
        for key in (word, root, ALIKE.get(root, "")):
            if key in self.named:
                return frozenset(self.named[key])
        if not word.isalpha() or len(root) < ROOT or self.prose:
            return frozenset()
        short = [k for k in self.named if len(k) > SHORT and k.isalpha() and (word.startswith(k) or k.startswith(root))]
        return frozenset(name for k in short for name in self.named[k])

    @cached_property
    def values(self) -> dict[str, dict[str, list[int]]]:
        """A value's words → the fields that have it, with their rows; of prose, each word is a value of "" as well."""
        rows: dict[str, dict[str, list[int]]] = {}
        for n, row in enumerate(self.rows):
            words = [(self._value(name, value), name) for name, value in row.items()]
            if self.prose:
                prose = {word.lower() for word in tokens(self.texts[n])}
                prose |= {end for path in prose if "/" in path or "::" in path for end in _ends(path)}
                words += [(word, "") for word in prose if quantity(word) is None and moment(word) is None]
            for key, name in words:
                if key and key.count(" ") < PHRASE:
                    rows.setdefault(key, {}).setdefault(name, []).append(n)
        return rows

    def _value(self, name: str, value: Any) -> str:
        """The words by which a value is looked up, "" for none; a number has some where it names its row."""
        if isinstance(value, str) and len(value) < LONGEST and quantity(value) is None and moment(value) is None:
            return norm(value)
        whole = isinstance(value, (int, str)) and not isinstance(value, bool)
        return str(value).lower() if whole and name in self.keys else ""

    @cached_property
    def keys(self) -> frozenset[str]:
        """Fields of whole numbers that name their row."""
        names = set()
        for n, (name, column) in enumerate(self.columns.items()):
            parts = _CAMEL.split(name.lower())
            named = parts[-1] in ("id", "number", "no", "nr", "key", "#", "build", "line") or (
                n == 0 and len(parts) == 1
            )
            if named and len(column.kinds) == len(self.rows) and not any("." in cell for cell in column.kinds):
                names.add(name)
        return frozenset(names)

    @cached_property
    def stems(self) -> dict[str, dict[str, list[int]]]:
        """The stem of a one-word value, of a value's word, or of a field of truth values → where it holds."""
        by_stem: dict[str, dict[str, list[int]]] = {}
        for key, places in self.values.items():
            for name, rows in places.items():
                if self.prose or len(self.columns[name].kinds) <= KINDS:
                    word = stem(key.replace("_", " ").replace("-", " ")) if " " not in key else key
                    by_stem.setdefault(word, {}).setdefault(name, []).extend(rows)
        for name, column in self.columns.items():
            if not self.prose and column.kinds.keys() <= {"True", "False", "true", "false"}:
                rows = [n for n, value in column.items() if str(value).lower() == "true"]
                for word in words_of(name)[-1:]:
                    by_stem.setdefault(word, {})[name] = rows
        return by_stem

    @cached_property
    def outcomes(self) -> dict[str, dict[str, frozenset[int]]]:
        """A group of outcomes → the fields with a word of it, and the rows that have it."""
        groups: dict[str, dict[str, set[int]]] = {}
        for value, places in self.values.items():
            if group := OUTCOMES.get(value.replace(" ", "_")):
                for name, rows in places.items():
                    if self.prose and value == PASSED:
                        rows = [n for n in rows if not went_through(self.texts[n])]
                    if bool(name) is not self.prose and (self.prose or len(self.columns[name].kinds) <= KINDS):
                        groups.setdefault(group, {}).setdefault(name, set()).update(rows)
        return {group: {name: frozenset(rows) for name, rows in places.items()} for group, places in groups.items()}

    @cached_property
    def numeric(self) -> list[str]:
        """The fields that hold numbers; of prose, those of several passages."""
        some = ((name, column) for name, column in self.columns.items() if len(column) > 1 or not self.prose)
        return [name for name, column in some if 2 * len(column.numbers) >= len(column)]

    @cached_property
    def dated(self) -> list[str]:
        return [name for name, column in self.columns.items() if column.moments]

    @cached_property
    def named_things(self) -> list[int]:
        """How many different identifiers of one shape the rows of prose begin with, and how many rows hold one."""
        shapes: dict[str, set[str]] = {}
        rows: Counter[str] = Counter()
        for text in self.texts:
            for form, name in {shape(name): name for name in identifiers(text)}.items():
                shapes.setdefault(form, set()).add(name)
                rows[form] += 1
        best = max(shapes, key=lambda form: (len(shapes[form]), form), default="")
        layouts = Counter(tuple(row) for row in self.rows)
        ended = sum(any(word in OUTCOMES for word in map(str.lower, tokens(text))) for text in self.texts)
        first = {names[0] for text in self.texts if (names := identifiers(text))}
        return [*([len(shapes[best]), rows[best], len(first)] if best else []), max(layouts.values(), default=0), ended]

    @cached_property
    def _holding(self) -> dict[str, list[int]]:
        rows: dict[str, list[int]] = {}
        for n in range(len(self.rows)):
            for word in self.words(n):
                rows.setdefault(word, []).append(n)
        return rows

    def holding(self, word: str) -> list[int]:
        """The rows with a word, with its stem, or with the longest of its parts."""
        rows = self._holding.get(word) or self._holding.get(stem(word))
        return rows or self._holding.get(max(re.split(r"[-_/.:,%$€#]", word), key=len), [])

    def words(self, n: int) -> frozenset[str]:
        """The stems of all words of a row."""
        if n not in self._words:
            text = self.texts[n] if self.prose else " ".join(str(v) for v in self.rows[n].values())
            words = [word.lower() for token in tokens(text) for word in (token, *re.split(r"[-_/.:]", token)) if word]
            numbers = [f"{number.value:g}" for word in words if (number := quantity(word))]
            self._words[n] = frozenset([*words, *map(stem, words), *numbers])
        return self._words[n]


def _ends(word: str) -> list[str]:
    """What a path or the name of a test may be shortened to."""
    parts = word.replace("::", "/").split("/")
    return [end for end in (parts[-1], "/".join(parts[-2:])) if len(end) > SHORT]


def shape(word: str) -> str:
    """A name with each run of letters and of digits as one sign."""
    return regex(r"[A-Za-z]+").sub("a", regex(r"\d+").sub("9", word.strip(".:,")))


def _plain(value: float) -> Quantity | None:
    text = repr(value)
    decimals = len(text.partition(".")[2]) if "." in text and "e" not in text else 0
    return Quantity(float(value), "", decimals) if abs(value) < ENORMOUS else None


def identifiers(text: str) -> list[str]:
    """The words of a text that are made of letters and digits, and are neither numbers with a unit nor times."""
    words = (word for word in tokens(text) if SHORT < len(word) < LONGEST and any(map(str.isalpha, word)))
    return [word for word in words if ("::" in word or any(c.isdigit() or c in "_/" for c in word))
            and quantity(word) is None and moment(word) is None]  # fmt: skip


def in_words(words: list[str], n: int) -> date | None:
    """The day of the month's name at ``n``: 3 March 2026, 3rd of March 2026, March 3, 2026."""
    around = " ".join(words[max(0, n - 2) : n + 3])
    match = _DAY_MONTH.search(around) or _MONTH_DAY.search(around)
    if match is None or match["month"] != words[n]:
        return None
    return _day(match, MONTHS[words[n].lower()])
