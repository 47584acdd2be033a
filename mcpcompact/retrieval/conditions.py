"""``FIELD=VALUE`` and its kin over one record: exact numbers, nested fields, lists that match by any element."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from mcpcompact.errors import UsageError
from mcpcompact.patterns import regex
from mcpcompact.retrieval.spans import Step, joined, parse_path

_CONDITION = regex(r"([^=<>!~]+?)\s*(!=|<=|>=|==|=|<|>|~)\s?(.*)", re.S)
_ID_NAMES = frozenset(("id", "_id", "uid", "uuid", "guid", "key", "name", "number", "sha", "accession"))


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison. ``~`` means "contains"; a missing field is unlike any value, so only ``!=`` matches it."""

    field: str
    operator: str
    value: str
    steps: tuple[Step, ...]
    text: str  # as it was given

    @classmethod
    def parse(cls, text: str) -> Condition:
        """The condition that a text means. Raises ``UsageError``."""
        match = _CONDITION.fullmatch(text)
        if match is None:
            raise UsageError(
                f"condition {text!r} cannot be read", hint="write FIELD=VALUE, or != < > <= >= ~ (contains)"
            )
        name, operator, value = match.groups()
        return cls(name.strip(), "=" if operator == "==" else operator, value, tuple(parse_path(name.strip())), text)

    def holds(self, record: Any) -> bool:
        """Whether it holds of a record: of any value that the field has."""
        values = list(values_at(record, self.steps))
        if self.operator == "!=":
            return not any(_equal(value, self.value) for value in values)
        return any(self._compare(value) for value in values)

    def _compare(self, value: Any) -> bool:
        if self.operator == "=":
            return _equal(value, self.value)
        if self.operator == "~":
            return self.value in plain(value)
        left: Any = number(value)
        right: Any = number(self.value)
        if left is None and right is None and isinstance(value, str):
            left, right = value, self.value
        if left is None or right is None:
            return False  # a number is neither above nor below a word
        above: bool = left > right
        below: bool = left < right
        return {"<": below, ">": above, "<=": not above, ">=": not below}[self.operator]


def values_at(record: Any, steps: Sequence[Step]) -> Iterator[Any]:
    """The scalars (and empty or whole containers) that ``steps`` lead to; lists on the way are passed through.

    A GraphQL edge is looked into through its ``node`` when the field is not on the edge itself.
    """
    values = list(_walk(record, steps))
    if not values and isinstance(record, dict) and isinstance(record.get("node"), dict):
        values = list(_walk(record["node"], steps))
    yield from values


def _walk(record: Any, steps: Sequence[Step]) -> Iterator[Any]:
    stack: list[tuple[Any, int]] = [(record, 0)]
    while stack:
        value, depth = stack.pop()
        if isinstance(value, list) and (depth == len(steps) or not isinstance(steps[depth], int)):
            stack += [(item, depth + (depth < len(steps) and steps[depth] is None)) for item in reversed(value)]
        elif depth == len(steps):
            yield value
        elif isinstance(value, list):
            index = steps[depth]
            if isinstance(index, int) and index < len(value):
                stack.append((value[index], depth + 1))
        elif isinstance(value, dict):
            names = joined(steps[depth:])
            stack += [(value[name], depth + taken) for name, taken in names.items() if name in value]


def plain(value: Any) -> str:
    """A value as one would type it: ``true``, ``null``, ``12.50``."""
    if isinstance(value, str):
        return value
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)


def number(value: Any) -> Decimal | None:
    """A number, exactly; ``None`` for anything that is not one (``true`` is not, ``nan`` is not)."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str, Decimal)):
        return None
    try:
        exact = Decimal(value.strip().replace(",", "") if isinstance(value, str) else value)
    except (InvalidOperation, ValueError):
        return None
    return None if exact.is_nan() else exact


def _equal(value: Any, text: str) -> bool:
    if plain(value) == text:
        return True
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return number(value) == number(text)
    return False


def has_id(record: Any, wanted: str) -> bool:
    """Whether an id-like field of the record, or of an object directly in it (``metadata.name``), equals ``wanted``."""
    if not isinstance(record, dict):
        return False
    holders = (record, *(value for value in record.values() if isinstance(value, dict)))
    ids = (value for holder in holders for key, value in holder.items() if _is_id_name(key))
    return any(not isinstance(value, (dict, list)) and _equal(value, wanted) for value in ids)


def ids_of(record: Any) -> list[str]:
    """The id-like values at the top of a record, for "near" hints."""
    members = record.items() if isinstance(record, dict) else ()
    return [plain(value) for key, value in members if _is_id_name(key) and isinstance(value, (str, int, Decimal))]


def _is_id_name(key: str) -> bool:
    lower = key.lower()
    return lower in _ID_NAMES or lower.endswith(("_id", "-id")) or key.endswith(("Id", "ID"))
