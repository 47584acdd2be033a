"""Column statistics over records, block by block: what records, tables and JSON arrays share.

Records are transposed and every column is handled by C-level calls (``set(map(type, …))``, ``Counter``, ``min``,
``sum``, ``bytes.translate``): there is no Python call per record while the data behaves. Nested objects become
dotted paths, lists become ``path[]`` (their elements) and ``len(path)``. Each column keeps exact counts while it
has few distinct values and falls back to bounded structures when it has many: first to templates (the value with
its digits deleted), then, for free text, to a bounded vocabulary. Of rare values, templates and words the record
numbers are kept, so that ``findings`` can name rows without a second pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import Any

from mcpcompact.content.tallies import ROWS, Numbers, Tally, Vocabulary
from mcpcompact.patterns import regex

MAX_COLUMNS = 600
MAX_DEPTH = 8
MAX_VALUES = 2_000  # distinct values counted exactly
MAX_TEMPLATES = 4_096

_DATE = regex(r"\d{4}[-/]\d\d[-/]\d\d")
_LEVELS = (
    bytes(range(48, 58)),  # digits
    b"0123456789abcdefABCDEF-",  # and hexadecimal letters
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-",  # every letter: the shape alone
)


class Column:
    """Statistics of one field. Values come in homogeneous runs, in record order."""

    __slots__ = (
        "booleans", "characters", "dates", "distinct_ids", "duplicates", "examples", "first_rows", "kinds",
        "label", "level", "max_date", "min_date", "numbers", "numbers_tally", "path", "present", "repeats",
        "rising", "rows_by_kind", "seen", "spoken", "steps", "tally", "template_of", "texts", "vocabulary",
        "zeros",
    )  # fmt: skip

    def __init__(self, path: str, steps: tuple[str, ...]) -> None:
        self.path, self.steps = path, steps
        self.label = path  # what readers see, see Columns.name
        self.present = 0  # values seen, nulls included
        self.kinds: Counter[str] = Counter()
        self.rows_by_kind: dict[str, list[int]] = {}
        self.examples: list[Any] = []
        self.tally: Tally | None = Tally()  # strings, later their templates
        self.level = -1  # -1: values; 0–2: templates by _LEVELS; 3: none
        self.template_of: dict[Any, str] = {}  # template → one value
        self.booleans = Tally()
        self.numbers = Numbers()
        self.numbers_tally: Tally | None = Tally()
        self.spoken: dict[float, str] = {}  # of numbers with a unit, as they were written
        self.texts = 0
        self.characters = 0
        self.dates: bool | None = None
        self.min_date = self.max_date = ""
        self.rising = True  # dates, within each block
        self.vocabulary: Vocabulary | None = None
        self.seen: set[int] | None = set() if _id_like(steps[-1] if steps else "") and "[]" not in steps else None
        self.repeats: list[tuple[int, Any]] = []
        self.duplicates = 0

    # -- adding -------------------------------------------------------------------------------------------------

    def add(self, values: Sequence[Any], rows: Sequence[int]) -> list[tuple[type, Sequence[Any], Sequence[int]]]:
        """Take the scalars in; hand the objects and lists back, with their rows."""
        self.present += len(values)
        if len(self.examples) < 3:
            self.examples += [v for v in values[:3] if v is not None and not isinstance(v, (dict, list))]
        if len(self.kinds) == 1 and self._still(values, rows):
            return []
        kinds = set(map(type, values))
        if not kinds <= _PLAIN:  # numbers that remember how they were written
            values = [_plain(v) for v in values]
            kinds = set(map(type, values))
        if kinds <= {int, float}:
            self._numbers(values, rows, float not in kinds)
            return []
        if len(kinds) == 1:
            return self._run(kinds.pop(), values, rows)
        nested = []
        for kind in sorted(kinds, key=lambda k: k.__name__):
            if kind is float and int in kinds:
                continue
            wanted = (int, float) if kind is int else (kind,)
            picked = [(v, r) for v, r in zip(values, rows, strict=False) if type(v) in wanted]
            some, where = [v for v, _ in picked], [r for _, r in picked]
            if kind in (int, float):
                self._numbers(some, where, float not in kinds)
            else:
                nested += self._run(kind, some, where)
        return nested

    def _still(self, values: Sequence[Any], rows: Sequence[int]) -> bool:
        """Whether this is one more block of the column's only kind; it is taken in then."""
        if "string" in self.kinds:
            return self._still_strings(values, rows)
        return self.numbers_tally is not None and self.numbers.lo > 1 and self._still_whole(values, rows)

    def _still_whole(self, values: Sequence[Any], rows: Sequence[int]) -> bool:
        """Few whole numbers, as ever: only of integers the sum is one, and above 1 none of them is a bool."""
        try:
            found = Counter(values)
            if type(sum(values)) is not int or min(found) < 2:
                return False
        except TypeError:
            return False
        self._numbers(values, rows, True, found)
        return True

    def _still_strings(self, values: Sequence[Any], rows: Sequence[int]) -> bool:
        """The usual block of a column that held strings alone: taken in without asking for the type of each value."""
        try:
            if self.level >= 0:
                self._strings(values, rows, joined="\n".join(values))
                return True
            same = self.tally is not None and len(self.tally.counts) == 1 and values[0] in self.tally.counts
            if same and values.count(values[0]) == len(values):  # one value throughout: no need to hash each
                found = Counter({values[0]: len(values)})
            else:
                found = Counter(values)
        except TypeError:
            return False
        if set(map(type, found)) != {str}:
            return False
        self._strings(values, rows, found)
        return True

    def _note(self, kind: str, rows: Sequence[int], count: int) -> None:
        self.kinds[kind] += count
        held = self.rows_by_kind.setdefault(kind, [])
        if len(held) < ROWS:
            held += rows[: ROWS - len(held)]

    def _run(self, kind: type, values: Sequence[Any], rows: Sequence[int]) -> list[Any]:
        if kind is str:
            self._strings(values, rows)
        elif kind is bool:
            self._note("bool", rows, len(values))
            self.booleans.add(Counter(values), values, rows)
        elif kind is dict or kind is list:
            self._note("object" if kind is dict else "list", rows, len(values))
            return [(kind, values, rows)]
        elif kind is type(None):
            self._note("null", rows, len(values))
        else:
            self._note(kind.__name__, rows, len(values))
        return []

    def _numbers(
        self, values: Sequence[float], rows: Sequence[int], whole: bool, found: Counter[float] | None = None
    ) -> None:
        self._note("number", rows, len(values))
        if self.numbers_tally is not None:
            found = Counter(values) if found is None else found
            if len(found) > 256 or (len(values) >= 64 and len(found) > len(values) // 2):
                self.numbers_tally = None
            else:
                self.numbers_tally.add(found, values, rows)
                if len(self.numbers_tally.counts) > 256:
                    self.numbers_tally = None
        if self.seen is not None and whole:
            self._ids(values, rows)
        self.numbers.add(values, rows, whole, found)

    def _ids(self, values: Sequence[Any], rows: Sequence[int]) -> None:
        seen = self.seen
        assert seen is not None
        before = len(seen)
        seen.update(map(hash, values))
        repeated = len(values) - (len(seen) - before)
        if repeated:
            self.duplicates += repeated
            if self.duplicates > 64 and self.duplicates > len(seen) // 50:
                self.seen = None  # no key at all
                return
            if len(self.repeats) < ROWS:
                counts = Counter(values)
                self.repeats += [(r, v) for r, v in zip(rows, values, strict=False) if counts[v] > 1][
                    : ROWS - len(self.repeats)
                ]
        if len(seen) > 2_000_000:
            self.seen = None

    def _strings(
        self, values: Sequence[str], rows: Sequence[int], found: Counter[str] | None = None, joined: str | None = None
    ) -> None:
        self._note("string", rows, len(values))
        if self.dates is None:
            self.dates = bool(_DATE.match(values[0]))
        if self.dates:
            # a clock's values stand in order, which sorting finds out sooner than min and max do their work
            lo, hi = itemgetter(0, -1)(sorted(values)) if self.rising else (min(values), max(values))
            self.rising = self.rising and lo is values[0] and hi is values[-1]
            self.min_date = min(self.min_date or lo, lo)
            self.max_date = max(self.max_date, hi)
            self.dates = bool(_DATE.match(lo) and _DATE.match(hi))
        if self.seen is not None:
            self._ids(values, rows)
        if self.level < 0 and self.tally is not None:
            found = Counter(values) if found is None else found
            tally = self.tally
            if len(tally.counts) + len(found) > MAX_VALUES or (len(values) >= 64 and len(found) > len(values) // 2):
                self._abstract()
            else:
                tally.add(found, values, rows)
                self.texts += len(values)
                self.characters += sum(len(value) * count for value, count in found.items())
                if len(tally.counts) > MAX_VALUES:
                    self._abstract()
                return
        self._templates(values, rows, joined)

    def _templates(self, values: Sequence[str], rows: Sequence[int], joined: str | None = None) -> None:
        joined = "\n".join(values) if joined is None else joined
        self.texts += len(values)
        self.characters += len(joined) - len(values) + 1
        while self.tally is not None:
            bare = joined.encode("utf-8", "surrogatepass").translate(None, _LEVELS[self.level])
            if len(self.tally.counts) == 1:  # still one template: no need to take the values apart
                (only,) = self.tally.counts
                one = only.encode("utf-8", "surrogatepass")
                if bare == (one + b"\n") * (len(values) - 1) + one:
                    self.tally.counts[only] += len(values)
                    return
            parts = bare.decode("utf-8", "surrogatepass").split("\n")  # which are counted in half the time of bytes
            if len(parts) != len(values):  # values with line breaks
                parts = [_strip(v, self.level) for v in values]
            found = Counter(parts)
            if len(found.keys() | self.tally.counts.keys()) <= self._room():
                for part in found.keys() - self.tally.counts.keys():
                    self.template_of[part] = values[parts.index(part)]
                self.tally.add(found, parts, rows)
                return
            self._abstract(spaces=sum(" " in v for v in values[:50]) * 2 > len(values[:50]))
        if self.vocabulary is not None:
            self.vocabulary.add(values, rows)

    def _room(self) -> int:
        """Templates allowed: few for few values, or each value would be a template of its own."""
        return min(MAX_TEMPLATES, max(12, self.texts // 4))

    def _abstract(self, spaces: bool = False) -> None:
        """Step to the next coarser way of grouping, regrouping what was counted so far."""
        old = self.tally
        assert old is not None
        self.level += 1
        if self.level > 0 and spaces:
            self.level = 3
        if self.level >= 3:
            self.tally = None
            if spaces or self.level == 3:
                self.vocabulary = Vocabulary(old.counts)
            self.template_of = {}
            return
        self.tally, self.template_of = self.coarser(old, self.level - 1, self.template_of)

    @staticmethod
    def coarser(old: Tally, level: int, example: Mapping[Any, str]) -> tuple[Tally, dict[Any, str]]:
        """A tally regrouped one level up, and one value for each new template."""
        new = Tally()
        names: dict[Any, str] = {}
        for value, count in old.counts.items():
            part = _strip(value, level + 1)
            new.counts[part] = new.counts.get(part, 0) + count
            names.setdefault(part, example.get(value) or value)
            if len(rows := new.rows.setdefault(part, [])) < ROWS:
                rows += old.rows.get(value, ())[: ROWS - len(rows)]
            if value in old.severe:
                new.severe.add(part)
        return new, names

    # -- asking -------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.steps[-1] if self.steps and self.steps[-1] != "[]" else self.path

    @property
    def values(self) -> dict[Any, int] | None:
        """All distinct scalars with their counts while there are few; None when there are many."""
        merged: dict[Any, int] = {}
        if self.kinds["string"]:
            if self.level >= 0 or self.tally is None:
                return None
            merged.update(self.tally.counts)
        if self.kinds["number"]:
            if self.numbers_tally is None:
                return None
            merged.update(self.numbers_tally.counts)
        for value, count in self.booleans.counts.items():
            merged[str(value).lower()] = count
        return merged

    def spell(self, value: float) -> str | None:
        """How a number with a unit was written: ``64Gi``."""
        return self.spoken.get(value)

    @property
    def scalars(self) -> int:
        return self.kinds["string"] + self.kinds["number"] + self.kinds["bool"]

    @property
    def kind(self) -> str:
        """The type in words: ``number``, ``date``, ``number or string``, … null left out."""
        names = sorted(k for k, n in self.kinds.items() if n and k != "null")
        if names == ["string"] and self.dates:
            return "date"
        return " or ".join(names) or "null"


_PLAIN = {int, float, str, bool, dict, list, type(None)}


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return float(value) if value - value == 0 else str(value)  # NaN and infinities have no statistics
    return str(value) if isinstance(value, str) else value


def _strip(value: str, level: int) -> str:
    raw = value.replace("\n", " ").encode("utf-8", "surrogatepass")
    return raw.translate(None, _LEVELS[level]).decode("utf-8", "surrogatepass")


_ID = regex(
    r"(?i)^_?(?:id|uuid|guid|key|sha|number|no|iid|uid|node_id|.*[_-](?:id|uuid|guid|sha))$|[a-z](?:Id|ID|Uuid|UUID)$"
)


def _id_like(name: str) -> bool:
    return bool(_ID.search(name))


_Work = tuple[str, tuple[str, ...], type, Sequence[Any], Sequence[int]]  # path, steps, dict or list, values, rows


class Columns:
    """Statistics of a set of records, added block by block with ``add``; paths in order of first appearance."""

    def __init__(self, ids: bool = True) -> None:
        """``ids=False`` spares the search for repeated ids (memory grows with their number)."""
        self.ids = ids
        self.total = 0
        self.columns: dict[str, Column] = {}
        self.shapes: dict[str, dict[frozenset[str], list[Any]]] = {}  # path → keys → [count, rows]
        self.groups: Counter[str] = Counter()  # objects seen at a path
        self.beyond = 0  # values of fields beyond MAX_COLUMNS
        self.names: set[str] = set()  # distinct keys of records, bounded

    def add(
        self, records: Sequence[dict[str, Any]], start: int | None = None, rows: Sequence[int] | None = None
    ) -> None:
        """Count ``records``, numbered from ``start`` (1-based, default: on from the last) or as ``rows`` says."""
        first = self.total + 1 if start is None else start
        rows = rows if rows is not None else range(first, first + len(records))
        self.total += len(records)
        self._descend([("", (), dict, records, rows)])

    def add_columns(self, keys: tuple[str, ...], columns: Iterable[Sequence[Any]], count: int) -> None:
        """Count ``count`` records that have these keys, numbered on from the last, by the values of each key."""
        rows = range(self.total + 1, self.total + 1 + count)
        self.total += count
        self.groups[""] += count
        self._shape("", keys, count, rows)
        work: list[_Work] = []
        for key, values in zip(keys, columns, strict=True):
            work += [(key, (key,), *nested) for nested in self._take(key, (key,), values, rows)]
        self._descend(work)

    def _descend(self, work: list[_Work]) -> None:
        while work:
            path, steps, kind, values, rows = work.pop(0)
            if not values:
                continue
            if kind is list:
                self._take(f"len({path})", (*steps, "len()"), list(map(len, values)), rows)
                rows = list(chain.from_iterable(map(repeat, rows, map(len, values))))
                values = list(chain.from_iterable(values))
                if not values:
                    continue
                found: list[Any] = [(f"{path}[]", (*steps, "[]"), values, rows)]
            else:
                found = [
                    (f"{path}.{key}" if path else key, (*steps, key), column, where)
                    for key, column, where in self._transpose(path, values, rows)
                ]
            for below, keys, column, where in found:
                for kind, nested, owner in self._take(below, keys, column, where):
                    if len(keys) < MAX_DEPTH:
                        work.append((below, keys, kind, nested, owner))

    def name(self) -> None:
        """Give each column a short label: of a long path the last two keys, where they are unique."""
        short: dict[str, list[Column]] = {}
        for column in self.columns.values():
            parts = column.path.split(".")
            if len(parts) > 2 and not column.path.startswith("len("):
                short.setdefault(".".join(parts[-2:]), []).append(column)
            else:
                short.setdefault(column.path, []).append(column)
        for label, columns in short.items():
            if len(columns) == 1:
                columns[0].label = label

    def _take(self, path: str, steps: tuple[str, ...], values: Sequence[Any], rows: Sequence[int]) -> Iterable[Any]:
        column = self.columns.get(path)
        if column is None:
            if len(self.columns) >= MAX_COLUMNS:
                self.beyond += len(values)
                return ()
            column = self.columns[path] = Column(path, steps)
            if not self.ids:
                column.seen = None
        return column.add(values, rows)

    def _transpose(
        self, path: str, objects: Sequence[dict[str, Any]], rows: Sequence[int]
    ) -> Iterable[tuple[str, Sequence[Any], Sequence[int]]]:
        self.groups[path] += len(objects)
        only = tuple(objects[0])
        if only and set(map(len, objects)) == {len(only)}:
            try:  # as many keys as the first, and all of its keys: the same keys
                columns = [list(map(itemgetter(key), objects)) for key in only]  # quicker than rows, then columns
            except KeyError:
                pass
            else:
                self._shape(path, only, len(objects), rows)
                return zip(only, columns, repeat(rows))
        groups: dict[tuple[str, ...], tuple[list[dict[str, Any]], list[int]]] = {}
        for row, item in zip(rows, objects, strict=False):
            held = groups.setdefault(tuple(item), ([], []))
            held[0].append(item)
            held[1].append(row)
        merged: dict[str, tuple[list[Any], list[int]]] = {}
        for shape, (some, where) in groups.items():
            self._shape(path, shape, len(some), where)
            for key, column in zip(shape, zip(*map(dict.values, some), strict=True), strict=True):
                into = merged.setdefault(key, ([], []))
                into[0].extend(column)
                into[1].extend(where)
        return [(key, column, where) for key, (column, where) in merged.items()]

    def _shape(self, path: str, keys: tuple[str, ...], count: int, rows: Sequence[int]) -> None:
        if not path and len(self.names) < 100_000:
            self.names.update(keys)
        shapes = self.shapes.setdefault(path, {})
        held = shapes.get(frozenset(keys))
        if held is None:
            if len(shapes) >= 256:
                return
            held = shapes[frozenset(keys)] = [0, []]
        held[0] += count
        if len(held[1]) < ROWS:
            held[1] += rows[: ROWS - len(held[1])]


def reach(record: Any, steps: tuple[str, ...]) -> list[Any]:
    """The values of a record at a column's steps: none, one, or many where lists lie on the way."""
    found = [record]
    for step in steps:
        if step == "[]":
            found = [e for v in found if isinstance(v, list) for e in v]
        elif step == "len()":
            found = [len(v) for v in found if isinstance(v, list)]
        else:
            found = [v[step] for v in found if isinstance(v, dict) and step in v]
    return found
