"""A uniform list as a table: keys said once, constants said once, one compact JSON array a row."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import Any

from mcpcompact.encoded import containers


def uniform(records: Sequence[Any]) -> bool:
    """Whether ``pack`` has something to fold: at least two objects, all with the same keys in the same order."""
    return len(records) > 1 and all(type(r) is dict for r in records) and len(set(map(tuple, records))) == 1


def pack(records: Sequence[Any]) -> str | None:
    """The table text of a list of objects, or None when the list is not uniform or the table would not give it back.
    Line 1 is a JSON object ``{"keys": […], "same": {…}, "rows": N}``: the keys of every object in order, and those that
    have one value throughout. Each further line is a JSON array of the other keys' values."""
    if not uniform(records):
        return None
    keys = tuple(records[0])
    texts = [[_dump(v) for v in r.values()] for r in records]
    if any(cell is None for row in texts for cell in row):
        return None
    fixed = [len({row[i] for row in texts}) == 1 for i in range(len(keys))]
    same = ",".join(f"{_dump(k)}:{texts[0][i]}" for i, k in enumerate(keys) if fixed[i])
    head = f'{{"keys":{_dump(list(keys))},"same":{{{same}}},"rows":{len(records)}}}'
    varying = [i for i, once in enumerate(fixed) if not once]
    return "\n".join([head, *("[" + ",".join(row[i] or "" for i in varying) + "]" for row in texts)])


def _dump(value: Any) -> str | None:
    """Compact JSON, numbers as they were written; None for what JSON cannot say or is nested too deep."""
    raw = getattr(value, "raw", None)
    if isinstance(raw, str):
        return raw
    if isinstance(value, (dict, list)):
        if _holds_raw(value):
            return None
        try:
            return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except (ValueError, RecursionError):
            return None
    return json.dumps(value, ensure_ascii=False)


def _holds_raw(value: Any) -> bool:
    held = chain.from_iterable(node.values() if type(node) is dict else node for node in containers(value))
    return any(type(one) not in _PLAIN for one in held)


_PLAIN = (int, float, str, bool, type(None), dict, list)
