"""The list of objects in a JSON value, wherever and however it stands there."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from mcpcompact.patterns import regex

_LOOKED = 24  # values that tell for all

MIN_RECORDS = 3
_ENVELOPE_DEPTH = 5
_OBJECTS = 0.8  # of a list's elements, at least, are objects
_NODES, _NODE_KEYS = 50, 2  # elements that tell whether each is GraphQL's ``{"node": {…}}``, perhaps with a cursor
_KEYS, _VALUES = 200, 2_000  # of a value, of a level, that are looked through
_COLUMNAR = (
    ("columns", "rows"), ("columns", "data"), ("fields", "data"), ("fields", "rows"), ("header", "rows"),
    ("headers", "rows"),
)  # fmt: skip


def find_list(value: Any) -> tuple[str, list[dict[str, Any]]] | None:
    """The main list of objects in a JSON value and its path (``""``, ``data.results``), or None.

    Of several lists the one with most content. GraphQL ``edges`` give their nodes; columns-and-rows
    (``{"columns": […], "rows": [[…]]}``, ``{"fields", "data"}``, a list of lists under a header row) give objects.
    """
    best: tuple[int, str, list[dict[str, Any]]] | None = None
    level: list[tuple[str, Any]] = [("", value)]
    for _ in range(_ENVELOPE_DEPTH):
        below: list[tuple[str, Any]] = []
        for path, node in level:
            found = _as_records(path, node)
            if found is not None:
                size = weigh(found[1])
                if best is None or size > best[0]:
                    best = (size, *found)
            inside = islice(node.items(), _KEYS) if isinstance(node, dict) else ()
            held = [(key, child) for key, child in inside if isinstance(child, (dict, list))]
            below += [(f"{path}.{key}" if path else str(key) or '[""]', child) for key, child in held]
        level = below[:_VALUES]
    return None if best is None else best[1:]


def _as_records(path: str, node: Any) -> tuple[str, list[dict[str, Any]]] | None:
    if isinstance(node, list) and node:
        objects = [v for v in node if isinstance(v, dict)]
        if not objects or len(objects) < _OBJECTS * len(node):
            return None
        if len(objects) < len(node):
            return path, [v if isinstance(v, dict) else {"value": v} for v in node]
        if all(isinstance(v.get("node"), dict) and len(v) <= _NODE_KEYS for v in objects[:_NODES]):
            nodes = [v["node"] if isinstance(v.get("node"), dict) else v for v in objects]
            return f"{path}[].node" if path else "[].node", nodes
        return path, objects
    if isinstance(node, dict):
        for names, body in _COLUMNAR:
            table = _zipped(node.get(names), node.get(body))
            if table is not None:
                return f"{path}.{body}" if path else body, table
    return None


def headed(documents: Sequence[Any]) -> list[dict[str, Any]] | None:
    """Lists one after the other, the first of which names what stands in the others; None where it does not."""
    names, *body = documents
    if len(body) < MIN_RECORDS or names.__class__ is not list:
        return None
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in names):
        return None
    rows = _zipped(names, body)
    return None if rows is None or any(row[name] == name for row in rows for name in row) else rows


_NAME = regex(r"[^\W\d][\w .-]{0,39}")


def _zipped(names: Any, body: Any) -> list[dict[str, Any]] | None:
    if not isinstance(names, list) or not isinstance(body, list) or not names or not body:
        return None
    keys: list[Any] = [n.get("name") or n.get("id") or n.get("field") if isinstance(n, dict) else n for n in names]
    if not all(isinstance(k, str) for k in keys) or len(set(keys)) < len(keys):
        return None
    if not all(isinstance(r, list) and len(r) == len(keys) for r in body[:-1]):
        return None
    if not isinstance(body[-1], list) or len(body[-1]) > len(keys):  # the last row may be cut off
        return None
    return [dict(zip(keys, r, strict=False)) for r in body]


def nested(records: Sequence[dict[str, Any]]) -> bool:
    """Whether they hold others like themselves: nodes of a tree, which its first level does not count."""
    lists = [(key, value) for each in records[:_NODES] for key, value in each.items() if isinstance(value, list)]
    return any(isinstance(child, dict) and key in child for key, value in lists for child in value[:_NODES])


def weigh(values: Sequence[Any]) -> int:
    """About the bytes of a list as compact JSON, from up to 24 evenly chosen elements."""
    if not values:
        return 0
    some = [values[i * len(values) // _LOOKED] for i in range(_LOOKED)] if len(values) > _LOOKED else list(values)
    return sum(map(size_of, some)) * len(values) // len(some)


def size_of(value: Any) -> int:
    """Characters of a value as compact JSON, near enough, whatever its depth."""
    size, work = 0, [value]
    while work:
        node = work.pop()
        if isinstance(node, dict):
            size += 2 + sum(len(k) + 4 for k in node)
            work += node.values()
        elif isinstance(node, list):
            size += 2 + len(node)
            work += node
        else:
            size += len(node) + 2 if isinstance(node, str) else len(str(node))
    return size
