"""Column statistics over records, block by block: what records, tables and JSON arrays share.

Records are transposed and every column is handled by C-level calls (``set(map(type, …))``, ``Counter``, ``min``,
``sum``, ``bytes.translate``): there is no Python call per record while the data behaves. Nested objects become
dotted paths, lists become ``path[]`` (their elements) and ``len(path)``. Of rare values, templates and words the
record numbers are kept, so that ``findings`` can name rows without a second pass."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, repeat
from operator import itemgetter
from typing import Any

from mcpcompact.content.anomalies.words import hold
from mcpcompact.content.columns.column import Column
from mcpcompact.content.shared.tree import join_key

MAX_COLUMNS = 600
MAX_DEPTH = 8
MAX_SHAPES = 256  # sets of keys at a path
MAX_NAMES = 100_000


_Field = tuple[str, tuple[str, ...], Sequence[Any], Sequence[int]]  # path, steps, values, rows
_Work = tuple[str, tuple[str, ...], type, Sequence[Any], Sequence[int]]  # the same, with dict or list


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
        self.too_deep = False  # values nested deeper than MAX_DEPTH
        self.names: set[str] = set()  # distinct keys of records, bounded
        self.least, self.most = sys.maxsize, 0  # keys of a record

    def add(self, records: Sequence[dict[str, Any]]) -> None:
        """Count ``records``, numbered on from the last."""
        rows = range(self.total + 1, self.total + 1 + len(records))
        self.total += len(records)
        self._descend([("", (), dict, records, rows)])

    def add_columns(self, keys: tuple[str, ...], columns: Iterable[Sequence[Any]], count: int) -> None:
        """Count ``count`` records that have these keys, numbered on from the last, by the values of each key."""
        rows = range(self.total + 1, self.total + 1 + count)
        self.total += count
        self.groups[""] += count
        self._shape("", keys, count, rows)
        fields = ((joined("", key), (key,), values, rows) for key, values in zip(keys, columns, strict=True))
        self._descend([*self._take_all(fields, "")])

    def _descend(self, work: list[_Work]) -> None:
        while work:
            path, steps, kind, values, rows = work.pop(0)
            if kind is list:
                self._take(f"len({path})", (*steps, "len()"), list(map(len, values)), rows, path)
                rows = list(chain.from_iterable(map(repeat, rows, map(len, values))))
                values = list(chain.from_iterable(values))
                fields: Iterable[_Field] = [(f"{path}[]", (*steps, "[]"), values, rows)] if values else []
            else:
                below = self._transpose(path, values, rows) if values else ()
                fields = ((joined(path, key), (*steps, key), column, where) for key, column, where in below)
            work += self._take_all(fields, path)

    def _take_all(self, fields: Iterable[_Field], group: str) -> Iterator[_Work]:
        """Count what is below ``group``; the objects and lists in it, unless they lie too deep."""
        for path, steps, values, rows in fields:
            for nested in self._take(path, steps, values, rows, group):
                if len(steps) < MAX_DEPTH:
                    yield (path, steps, *nested)
                else:
                    self.too_deep = True

    def name(self) -> None:
        """Give each column a short label: of a long path the last two keys, if unique and no path of their own."""
        short: dict[str, list[Column]] = {}
        tops = {joined("", column.steps[0]) for column in self.columns.values()}
        for column in self.columns.values():
            parts: list[str] = []
            for step in () if column.steps[-1] == "len()" else column.steps:
                if step == "[]" and parts:
                    parts[-1] += "[]"
                else:
                    parts.append(joined("", step))
            brief = len(parts) > 2 and parts[-2].removesuffix("[]") not in tops
            name = f"{parts[-2]}.{parts[-1]}".replace(".[", "[") if brief else column.path
            short.setdefault(name, []).append(column)
        for label, (column, *others) in short.items():
            column.label = column.label if others else label

    def _take(
        self, path: str, steps: tuple[str, ...], values: Sequence[Any], rows: Sequence[int], group: str
    ) -> Iterable[Any]:
        column = self.columns.get(path)
        if column is None:
            if len(self.columns) >= MAX_COLUMNS:
                self.beyond += len(values)
                return ()
            column = self.columns[path] = Column(path, steps, group)
            if not self.ids:
                column.seen = None
        return column.add(values, rows)

    def _transpose(
        self, path: str, objects: Sequence[dict[str, Any]], rows: Sequence[int]
    ) -> Iterable[tuple[str, Sequence[Any], Sequence[int]]]:
        self.groups[path] += len(objects)
        only = tuple(objects[0])
        if set(map(len, objects)) == {len(only)}:
            try:  # as many keys as the first, and all of its keys: the same keys
                columns = [list(map(itemgetter(key), objects)) for key in only]  # quicker than rows, then columns
            except KeyError:
                pass
            else:
                self._shape(path, only, len(objects), rows)
                return zip(only, columns, repeat(rows))
        groups: dict[tuple[str, ...], list[int]] = {}
        for at, shape in enumerate(map(tuple, objects)):
            groups.setdefault(shape, []).append(at)
        merged: dict[str, tuple[list[Any], list[int]]] = {}
        for shape, places in groups.items():
            some, where = [objects[at] for at in places], [rows[at] for at in places]
            self._shape(path, shape, len(some), where)
            for key, column in zip(shape, zip(*map(dict.values, some), strict=True), strict=True):
                into = merged.get(key) or merged.setdefault(key, ([], []))
                into[0].extend(column)
                into[1].extend(where)
        return [(key, column, where) for key, (column, where) in merged.items()]

    def _shape(self, path: str, keys: tuple[str, ...], count: int, rows: Sequence[int]) -> None:
        if not path:
            self.least, self.most = min(self.least, len(keys)), max(self.most, len(keys))
            if len(self.names) < MAX_NAMES:
                self.names.update(keys)
        shapes = self.shapes.setdefault(path, {})
        held = shapes.get(frozenset(keys))
        if held is None:
            if len(shapes) >= MAX_SHAPES:
                return
            held = shapes[frozenset(keys)] = [0, []]
        held[0] += count
        hold(held[1], rows)


_SPECIAL = frozenset('.[]"')


def joined(path: str, key: str) -> str:
    """The path of a key below ``path``; one that looks like a path is quoted: ``a["b.c"]``."""
    if not key or not _SPECIAL.isdisjoint(key) or key.startswith("len("):
        return join_key(path, key)
    return f"{path}.{key}" if path else key


def reach(record: Any, steps: tuple[str, ...]) -> list[Any]:
    """The values of a record at a column's steps: none, one, or many where lists lie on the way."""
    values = [record]
    for step in steps:
        if step == "[]":
            values = [e for v in values if isinstance(v, list) for e in v]
        elif step == "len()":
            values = [len(v) for v in values if isinstance(v, list)]
        else:
            values = [v[step] for v in values if isinstance(v, dict) and step in v]
    return values
