"""Statistics of one field.

Each column keeps exact counts while it has few distinct values and falls back to bounded structures when it has many:
first to templates (the value with its digits deleted), then, for free text, to a bounded vocabulary."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, repeat
from typing import Any, Literal

from mcpcompact.content.anomalies import words as failures
from mcpcompact.content.anomalies.numbers import Numbers
from mcpcompact.content.anomalies.rare import Tally
from mcpcompact.content.anomalies.words import MAX_JUDGED, MAX_WORDS, ROWS, Vocabulary, hold
from mcpcompact.content.columns.dates import BEGINS, Dates
from mcpcompact.content.columns.quantities import Measure
from mcpcompact.patterns import regex
from mcpcompact.phrasing import exact, is_number, show

MAX_VALUES = 2_000  # distinct values counted exactly
MAX_TEMPLATES = 4_096
MAX_NUMBERS = 256  # distinct numbers counted exactly
MAX_READ = 200_000  # characters of a column that are searched for words of failure where no tally holds them
FEW = 24  # distinct elements of a list of which it is known how they spread over the records
HUGE = 1e300  # larger numbers have no sum

_LEVELS = (
    bytes(range(48, 58)),  # digits
    b"0123456789abcdefABCDEF-",  # and hexadecimal letters
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-",  # every letter: the shape alone
)


EXAMPLES = 3  # values
BLOCK = 64  # values of a run of which it can be said that most differ
MAX_IDS = 2_000_000  # compared with each other
LOOSE = len(_LEVELS)  # the level of free text
_HASH = regex(r"(?=.*\d)(?=.*[a-fA-F])[0-9a-fA-F-]{16,}")


class Column:
    """Statistics of one field. Values come in homogeneous runs, in record order."""

    def __init__(self, path: str, steps: tuple[str, ...], group: str = "") -> None:
        """``group`` is the path of the objects or lists that hold the field."""
        self.path, self.steps, self.group = path, steps, group
        self.label = path  # what readers see, see Columns.name
        self.present = 0  # values seen, nulls included
        self._merged: tuple[int, dict[Any, int] | None] = 0, {}  # the distinct ones, when so many were seen
        self.kinds: Counter[str] = Counter()
        self.rows_by_kind: dict[str, list[int]] = {}
        self.examples: list[Any] = []
        self.tally: Tally | None = Tally()  # strings, later their templates
        self.level = -1  # -1: values; 0–2: templates by _LEVELS; 3: none
        self.template_of: dict[Any, str] = {}  # template → one value
        self.booleans = Tally()
        self.numbers = Numbers()
        self.numbers_tally: Tally | None = Tally()
        self.spoken: dict[float, str] = {}  # of JSON numbers that were written in another way than ours
        self.forms = set[Any]()  # of JSON numbers: 1 and 1.0 are equal, but not the same text
        self.written = False  # numbers are tallied as they were written: ``1.10`` is not ``1.1``
        self.number_of: dict[str, float] = {}  # which they are
        self.measure: Measure | None = None  # their unit
        self.mixed = False  # some numbers have units that cannot be compared
        self.void = "null"  # what an absent value is called
        self.texts = 0
        self.characters = 0
        self.dates: Dates | Literal[False] | None = None  # False: not all are dates
        self.vocabulary: Vocabulary | None = None
        self.seen: set[Any] | None = set() if _ID.search(steps[-1]) and "[]" not in steps else None
        self.repeats: list[tuple[int, Any]] = []
        self.duplicates = 0
        self.named: bool | None = False  # a failure, by values that are tallied no more; None: not all were read
        self.read = 0  # characters of them
        self.failing, self.estimated = 0, False  # such values that speak of a failure; from some on by their templates
        self.each = "[]" in steps  # list elements: none stands twice in its record, while there are few
        self.holders: int | None = 0  # records with any, while there are few values

    # -- adding -------------------------------------------------------------------------------------------------

    def add(self, values: Sequence[Any], rows: Sequence[int]) -> list[tuple[type, Sequence[Any], Sequence[int]]]:
        """Take the scalars in; hand the objects and lists back, with their rows."""
        self.present += len(values)
        if len(self.examples) < EXAMPLES:
            self.examples += [v for v in values[:EXAMPLES] if v is not None and not isinstance(v, (dict, list))]
        if "[]" in self.steps:
            self._spread(values, rows)
        if self.kinds.keys() == {"string"} and self._still_strings(values, rows):
            return []
        kinds = set(map(type, values))
        self.forms |= kinds & _NUMBERS
        if not kinds <= _PLAIN:  # numbers that remember how they were written
            values = [self._plain(v) for v in values]
            kinds = set(map(type, values))
        nested = []
        runs = filter(None, [kinds & _NUMBERS, *({kind} for kind in kinds - _NUMBERS)])
        for run in sorted(runs, key=lambda run: max(kind.__name__ for kind in run)):
            some, where = values, rows
            if run != kinds:
                fits = [type(value) in run for value in values]
                some, where = [*compress(values, fits)], [*compress(rows, fits)]
            nested += self._run(run, some, where)
        return nested

    def add_written(self, texts: Sequence[str], values: Sequence[float], rows: Sequence[int]) -> None:
        """Take in numbers that stand in a table, and how they are written there."""
        self.present += len(values)
        self.written = True
        if len(self.examples) < EXAMPLES:
            self.examples += texts[:EXAMPLES]
        self._numbers(values, rows, float not in set(map(type, values)), texts=texts)

    def _spread(self, values: Sequence[Any], rows: Sequence[int]) -> None:
        """Of elements of lists, while they are few: in how many records they stand, and whether twice in one."""
        if self.holders is None:
            return
        try:
            few = len(set(values)) <= FEW
        except TypeError:  # objects and lists
            few = False
        if not few:
            self.each, self.holders = False, None
            return
        self.holders += (holders := len(set(rows)))
        if self.each and holders < len(values):
            self.each = len(set(zip(rows, values, strict=False))) == len(values)

    def _still_strings(self, values: Sequence[Any], rows: Sequence[int]) -> bool:
        """The usual block of a column that held strings alone: taken in without asking for the type of each value."""
        try:
            if self.level >= 0:
                self._strings(values, rows, joined="\n".join(values))
                return True
            same = self.tally is not None and len(self.tally.counts) == 1 and values[0] in self.tally.counts
            one = same and values.count(values[0]) == len(values)  # throughout: no need to hash each
            counts = Counter({values[0]: len(values)}) if one else Counter(values)
        except TypeError:
            return False
        if set(map(type, counts)) != {str}:
            return False
        self._strings(values, rows, counts)
        return True

    def _note(self, kind: str, rows: Sequence[int], count: int) -> None:
        self.kinds[kind] += count
        hold(self.rows_by_kind.setdefault(kind, []), rows)

    def _plain(self, value: Any) -> Any:
        if isinstance(value, float):
            number, raw = float(value), getattr(value, "raw", "")
            if math.isinf(number) and raw[-1:].isdigit():  # 1e400
                number = math.copysign(HUGE, number)
            if raw and len(self.spoken) < MAX_VALUES:
                self.forms.add(raw)
                self.spoken[number] = raw
            return number
        return str(value) if isinstance(value, str) else value

    def _run(self, kinds: set[type], values: Sequence[Any], rows: Sequence[int]) -> list[Any]:
        """Take values of one type, or numbers."""
        if kinds <= _NUMBERS:
            self._numbers(values, rows, float not in kinds)
            return []
        (kind,) = kinds
        if kind is str:
            self._strings(values, rows)
            return []
        self._note(_KINDS[kind], rows, len(values))
        if kind is bool:
            self.seen = None
            self.booleans.add(Counter(values), values, rows)
        return [(kind, values, rows)] if kind in (dict, list) else []

    def _numbers(
        self, values: Sequence[float], rows: Sequence[int], whole: bool, texts: Sequence[str] | None = None
    ) -> None:
        """``texts`` are the values as written."""
        if not _finite(values):
            fine = [_finite([value]) for value in values]
            for value, row in ((values[at], rows[at]) for at, is_fine in enumerate(fine) if not is_fine):
                self._note(_INFINITE.get(value, "NaN" if value != value else "huge number"), [row], 1)
            values, rows = [*compress(values, fine)], [*compress(rows, fine)]
            texts = texts and [*compress(texts, fine)]
            if not values:
                return
        self._note("number", rows, len(values))
        if self.numbers_tally is not None:
            counted = Counter(texts or values)
            if len(counted) > MAX_NUMBERS or (len(values) >= BLOCK and len(counted) > len(values) // 2):
                self.numbers_tally = None
            else:
                self.numbers_tally.add(counted, texts or values, rows)
                if texts:
                    self.number_of.update(zip(texts, values, strict=True))
                if len(self.numbers_tally.counts) > MAX_NUMBERS:
                    self.numbers_tally = None
        if self.seen is not None and whole:
            self._ids(texts or values, rows)
        else:
            self.seen = None
        self.numbers.add(values, rows, whole, texts)

    def _ids(self, values: Sequence[Any], rows: Sequence[int]) -> None:
        seen = self.seen
        assert seen is not None
        before = len(seen)
        if isinstance(values[0], str):  # a hash takes less room than the text
            seen.update(map(hash, values))
        else:  # but that of -1 is that of -2
            seen.update(values)
        repeated = len(values) - (len(seen) - before)
        if repeated:
            self.duplicates += repeated
            if self.duplicates > BLOCK and self.duplicates > len(seen) // 50:
                self.seen = None  # no key at all
                return
            if len(self.repeats) < ROWS:
                counts = Counter(values)
                again = [(r, v) for r, v in zip(rows, values, strict=False) if counts[v] > 1]
                self.repeats += again[: ROWS - len(self.repeats)]
        if len(seen) > MAX_IDS:
            self.seen = None

    def _strings(
        self, values: Sequence[str], rows: Sequence[int], counts: Counter[str] | None = None, joined: str | None = None
    ) -> None:
        self._note("string", rows, len(values))
        self.texts += len(values)
        if self.dates is None:
            self.dates = Dates() if BEGINS.match(values[0]) else False
        if self.dates and not self.dates.add(values):
            self.dates = False
        if self.seen is not None:
            self._ids(values, rows)
        if self.level < 0 and self.tally is not None:
            tally, counts = self.tally, Counter(values) if counts is None else counts
            new, size = len(counts), len(values)
            if len(tally.counts) + new > MAX_VALUES or (size >= BLOCK and new > size // 2):
                self._abstract()
            else:
                tally.add(counts, values, rows)
                self.characters += sum(len(value) * count for value, count in counts.items())
                return
        self._templates(values, rows, joined)

    def _templates(self, values: Sequence[str], rows: Sequence[int], joined: str | None = None) -> None:
        joined = "\n".join(values) if joined is None else joined
        self.characters += len(joined) - len(values) + 1
        while self.tally is not None:
            bare = joined.encode("utf-8", "surrogatepass").translate(None, _LEVELS[self.level])
            if len(self.tally.counts) == 1:  # still one template: no need to take the values apart
                (only,) = self.tally.counts
                one = only.encode("utf-8", "surrogatepass")
                if bare == (one + b"\n") * (len(values) - 1) + one:
                    self.tally.counts[only] += len(values)
                    self._judge(values, repeat(only), {only: len(values)})
                    self._read(joined, (only,))
                    return
            parts = bare.decode("utf-8", "surrogatepass").split("\n")  # which are counted in half the time of bytes
            if len(parts) != len(values):  # values with line breaks
                parts = [_strip(v, self.level) for v in values]
            counts = Counter(parts)
            if len(counts.keys() | self.tally.counts.keys()) <= self._room():
                for part in counts.keys() - self.tally.counts.keys():
                    self.template_of[part] = values[parts.index(part)]
                self.tally.add(counts, parts, rows)
                self._judge(values, parts, counts)
                self._read(joined, counts)
                return
            self._abstract(spaces=sum(" " in v for v in values[:50]) * 2 > len(values[:50]))
        if self.vocabulary is not None:
            self.vocabulary.add(values, rows)

    def _judge(self, values: Sequence[str], parts: Iterable[str], counts: Mapping[str, int]) -> None:
        """Count the failures among the values of templates that name one: ``0 errors`` is none."""
        if self.tally is None or not (severe := self.tally.severe.intersection(counts)):
            return
        if self.failing < MAX_JUDGED:
            loud = [value for value, part in zip(values, parts, strict=False) if part in severe]
            self.failing += sum(map(failures.tells, loud))
        else:
            tells, example = failures.tells, self.template_of
            self.failing += sum(counts[part] for part in severe if tells(part) or tells(example.get(part, "")))
            self.estimated = True

    def _read(self, joined: str, templates: Iterable[str]) -> None:
        """Look for failures in values of which only templates are kept: a bounded part of them."""
        if self.level == 0 or self.named is not False or self._hexadecimal(templates):
            return
        self.read += len(joined)
        self.named = None if self.read > MAX_READ else failures.mentions(joined)

    def _hexadecimal(self, templates: Iterable[str]) -> bool:
        return self.level == 1 and not any(map(str.strip, templates, repeat("-")))

    @property
    def hexadecimal(self) -> bool:
        """Whether all values are hexadecimal digits and dashes; of few values, hashes or random ids."""
        if self.tally is None or not self.tally.counts:
            return False
        return self._hexadecimal(self.tally.counts) or (self.level < 0 and all(map(_HASH.fullmatch, self.tally.counts)))

    @property
    def mentions(self) -> bool | None:
        """Whether any text names a failure, denied or not, in any language known; None where not all were read."""
        if self.named is not False:
            return self.named
        if self.vocabulary is not None:
            words = self.vocabulary.counts
            return None if len(words) >= MAX_WORDS else failures.mentions_apart(words)
        joined = "\n".join(self.tally.counts if self.tally else ())
        if self.level < 0:
            return failures.mentions(joined)
        return self.level == 0 and failures.suspects(joined)

    def _room(self) -> int:
        """Templates allowed: few for few values, or each value would be a template of its own."""
        return min(MAX_TEMPLATES, max(12, self.texts // 4))

    def _abstract(self, spaces: bool = False) -> None:
        """Step to the next coarser way of grouping, regrouping what was counted so far."""
        old = self.tally
        assert old is not None
        if self.named is False and self.level < 1 and old.counts:
            look = failures.mentions if self.level < 0 else failures.suspects
            self.named = look("\n".join(old.counts))
        if self.level < 0:
            self.failing = sum(old.counts[value] for value in old.severe if failures.tells(value))
        self.level += 1
        if self.level > 0 and spaces:
            self.level = LOOSE
        if self.level >= LOOSE:
            self.tally = None
            self.vocabulary = Vocabulary(old.counts, old.rows, self.failing, self.estimated)
            self.template_of = {}
            return
        self.tally, self.template_of = self.coarser(old, self.level - 1, self.template_of)

    @staticmethod
    def coarser(old: Tally, level: int, example: Mapping[Any, str]) -> tuple[Tally, dict[Any, str]]:
        """A tally regrouped one level up, and one value for each new template."""
        new, names = Tally(), dict[Any, str]()
        for value, count in old.counts.items():
            part = _strip(value, level + 1)
            new.counts[part] = new.counts.get(part, 0) + count
            names.setdefault(part, example.get(value) or value)
            hold(new.rows.setdefault(part, []), old.rows.get(value, ()))
            if value in old.severe:
                new.severe.add(part)
        return new, names

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.steps[-1] if self.steps[-1] != "[]" else self.path

    @property
    def values(self) -> dict[Any, int] | None:
        """All distinct scalars with their counts while there are few; None when there are many. Of a field of several
        types a text that looks like a value of another one is quoted: ``"true"``, ``"1"``."""
        if self._merged[0] != self.present:  # asked twenty times of a column that is read
            self._merged = self.present, self._values()
        return self._merged[1]

    def _values(self) -> dict[Any, int] | None:
        merged: dict[Any, int] = {}
        if self.kinds["string"]:
            if self.level >= 0 or self.tally is None:
                return None
            mixed = len(+self.kinds) > 1 and not self.written
            merged.update((told_apart(v) if mixed else v, n) for v, n in self.tally.counts.items())
        if self.kinds["number"]:
            if self.numbers_tally is None:
                return None
            merged.update(self.numbers_tally.counts)
        merged.update((str(value).lower(), count) for value, count in self.booleans.counts.items())
        merged.update((kind, self.kinds[kind]) for kind in _NO_STATISTICS if self.kinds[kind])
        return merged

    def shown(self, value: Any) -> str:
        """A value of the column as it stands in the input."""
        return self.spoken.get(value) or show(value) if isinstance(value, float) else show(value)

    def computed(self, number: float, spell: Callable[[float], str] = exact) -> str:
        """A median, mean or sum with the column's unit."""
        return spell(number) if self.measure is None else self.measure.say(number, spell(number))

    @property
    def median(self) -> str:
        """The median of the numbers, marked where it comes from a sample."""
        text = self.computed(self.numbers.median)
        return text if self.numbers.exact else f"≈{text.removeprefix('≈')}"

    def called(self, kind: str) -> str:
        return kind if kind != "null" else self.void if any(map(str.isalnum, self.void)) else f"“{self.void}”"

    @property
    def scalars(self) -> int:
        return sum(self.kinds[kind] for kind in ("string", "number", "bool", *_NO_STATISTICS))

    @property
    def everywhere(self) -> bool:
        """Whether each value of the few of a list stands once in every record that has any."""
        values = self.values
        return self.each and bool(values) and set((values or {}).values()) == {self.holders}

    @property
    def kind(self) -> str:
        """The type in words: ``number``, ``date``, ``number or string``, … null left out."""
        names = sorted(k for k, n in self.kinds.items() if n and k != "null")
        if names == ["string"] and self.dates:
            return "date"
        return " or ".join(names) or "null"


_KINDS = {bool: "bool", dict: "object", list: "list", type(None): "null"}
_NUMBERS = {int, float}
_PLAIN = {str, *_NUMBERS, *_KINDS}
_INFINITE = {math.inf: "Infinity", -math.inf: "-Infinity"}
_NO_STATISTICS = ("NaN", *_INFINITE.values(), "huge number")


def _finite(values: Sequence[float]) -> bool:
    try:
        return abs(float(sum(values))) < HUGE
    except OverflowError:
        return False


def told_apart(text: str) -> str:
    alike = text in ("true", "false", "null", *_NO_STATISTICS) or text[:1] == '"' or is_number(text)
    return '"' + text.replace('"', '\\"') + '"' if alike else text


def _strip(value: str, level: int) -> str:
    raw = value.replace("\n", " ").encode("utf-8", "surrogatepass")
    return raw.translate(None, _LEVELS[level]).decode("utf-8", "surrogatepass")


_ID = regex(
    r"(?i)^_?(?:id|uuid|guid|key|sha|number|no|iid|uid|node_id|.*[_-](?:id|uuid|guid|sha))$|[a-z](?:Id|ID|Uuid|UUID)$"
)
