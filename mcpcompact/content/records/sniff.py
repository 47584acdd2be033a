"""Is it a list of objects? NDJSON by its lines, else by what one JSON document holds most of, wherever and however that
stands there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from mcpcompact.content.shared import datatext, jsontext
from mcpcompact.outline import Verdict
from mcpcompact.patterns import regex
from mcpcompact.source import Sample

FEW, FEW_LARGE = 10, 600  # fewer records, of more characters each, are documents rather than rows
SOME, OBJECT = 30, 6  # fewer of these below one of so many keys are a part of an object
PAYLOAD = 0.75  # of the content that a list is: of less it is a part of a document
HALF = 0.5  # of the records asked
MIN_LINES, NDJSON_SHARE = 2, 0.8  # lines that are objects, at least, and their share
ASKED = 40  # lines that are parsed to see whether they are objects

NDJSON, LISTED, DAMAGED, LARGE, PART = 0.97, 0.96, 0.8, 0.6, 0.3  # scores; PART: a list that is little of the content


def sniff(sample: Sample) -> Verdict:
    banner = sample.head.lstrip("\ufeff \t\r\n")[:1] not in ("{", "[")
    if (other := datatext.sniff(sample, "records")).score:
        return other
    if banner and "\n{" not in sample.head:
        return Verdict(0.0)
    lines = [line for line in sample.lines if line.strip()]
    share, count = objects(lines)
    if count >= MIN_LINES and share >= NDJSON_SHARE and count + 1 >= NDJSON_SHARE * len(lines):
        if count < FEW and sample.whole and sample.size > FEW_LARGE * count and not _events(lines):
            return Verdict(LARGE, f"{count} large objects, one a line")
        return Verdict(NDJSON, f"{count} of the first {len(lines)} lines are JSON objects")
    return Verdict(0.0) if banner else _document(sample)


def _document(sample: Sample) -> Verdict:
    """The claim on one JSON document, by its main list."""
    from mcpcompact.content.shared.reports import fields_of, named

    parsed = jsontext.begun(sample.head.lstrip("\ufeff \t\r\n"))
    if len(parsed.documents) != 1:
        return Verdict(0.0)
    document = parsed.documents[0]
    path, records = find_list(document) or ("", [])
    if len(records) < MIN_RECORDS or (path == "cells" and "cell_type" in records[0]):
        return Verdict(0.0)  # a notebook's cells are texts
    if nested(records):
        return Verdict(PART, f"a tree of objects below {len(records)}")
    whole, count = size_of(document), len(records)
    ratio = weigh(records) / max(1, whole)
    where = f"under {path}" if path else "at the top"
    if ratio < PAYLOAD:
        return Verdict(PART, f"a list of {count} objects {where}, {ratio:.0%} of the content")
    few = SOME if isinstance(document, dict) and len(document) >= OBJECT else FEW
    if count < few and sample.whole and whole / count > FEW_LARGE:
        return Verdict(LARGE, f"{count} large objects {where}")  # a document rather than rows
    asked = records[:ASKED]
    if sum(named(fields_of(each)) is not None for each in asked) > HALF * len(asked):
        return Verdict(PART, f"{count} findings {where}")  # told by rule and level
    if _hold_findings(asked):
        return Verdict(PART, f"{count} files with findings {where}")
    sound = not parsed.problem or (not sample.whole and parsed.open > 0)
    return Verdict(LISTED if sound else DAMAGED, f"a list of objects {where}, {min(ratio, 1):.0%} of the content")


def _hold_findings(records: Sequence[Mapping[str, Any]]) -> bool:
    """Whether each record is a file, and what it holds are mostly findings in it (ESLint's)."""
    from mcpcompact.content.shared.reports import fields_of, file_of, named

    held = findings = 0
    for record in records:
        file = file_of((key, value) for key, value in record.items() if isinstance(value, str))
        lists = [value for value in record.values() if isinstance(value, list)] if file else []
        parts = [part for value in lists for part in value[:ASKED] if isinstance(part, dict)]
        held += max(1, len(parts))
        findings += sum(named(fields_of(part), file) is not None for part in parts)
    return findings > HALF * held


def _events(lines: Sequence[str]) -> bool:
    """Whether they begin with a time, or nearly all keys are those of most objects; of none with a long text."""
    parsed = [jsontext.parse(line).documents[:1] for line in lines]
    held = [first[0] for first in parsed if first and isinstance(first[0], dict)]
    texts = [value for one in held for value in one.values() if isinstance(value, str)]
    if any(len(text) > FEW_LARGE or "\n" in text.strip() for text in texts):
        return False
    keys = Counter(key for one in held for key in one)
    alike = sum(n for n in keys.values() if n > HALF * len(held)) >= NDJSON_SHARE * keys.total()
    return alike or all(map(_TIMED.match, lines))


_TIMED = regex(r'\s*\{ ?"[^"]{1,40}" ?: ?"?(?:\d{4}-\d\d-\d\d|\d{10}\b)')


def objects(lines: Sequence[str]) -> tuple[float, int]:
    """The share and number of lines that are whole JSON objects, as ``ASKED`` of them tell: what a tool says first of
    its build is seldom one."""
    import json

    some = lines[:: -(-len(lines) // ASKED) or 1]
    good = 0
    for line in some:
        text = line.strip()
        if text[:1] == "{" and text[-1:] == "}":
            try:
                good += isinstance(json.loads(text), dict)
            except (ValueError, RecursionError):
                continue
    return good / max(1, len(some)), good * len(lines) // max(1, len(some))


# -- the list -----------------------------------------------------------------------------------------------------

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
    every: list[tuple[int, str, list[dict[str, Any]]]] = []
    level: list[tuple[str, Any]] = [("", value)]
    for _ in range(_ENVELOPE_DEPTH):
        below: list[tuple[str, Any]] = []
        for path, node in level:
            if (listed := _as_records(path, node)) is not None:
                every.append((weigh(listed[1]), *listed))
            inside = islice(node.items(), _KEYS) if isinstance(node, dict) else ()
            held = [(key, child) for key, child in inside if isinstance(child, (dict, list))]
            below += [(f"{path}.{key}" if path else str(key) or '[""]', child) for key, child in held]
        level = below[:_VALUES]
    return max(every, key=lambda listed: listed[0])[1:] if every else None


def _as_records(path: str, node: Any) -> tuple[str, list[dict[str, Any]]] | None:
    if isinstance(node, list) and node:
        objects = [v for v in node if isinstance(v, dict)]
        if not objects or len(objects) < _OBJECTS * len(node):
            return None
        if len(objects) < len(node):
            return path, [v if isinstance(v, dict) else {"value": v} for v in node]
        if all(isinstance(v.get("node"), dict) and len(v) <= _NODE_KEYS for v in objects[:_NODES]):
            nodes = [v["node"] if isinstance(v.get("node"), dict) else v for v in objects]
            return f"{path}[].node", nodes
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
    widths = [len(row) if isinstance(row, list) else -1 for row in body]
    if not {*widths[:-1]} <= {len(keys)} or not 0 <= widths[-1] <= len(keys):  # the last row may be cut off
        return None
    return [dict(zip(keys, r, strict=False)) for r in body]


def nested(records: Sequence[dict[str, Any]]) -> bool:
    """Whether they hold others like themselves: nodes of a tree, which its first level does not count."""
    lists = [(key, value) for each in records[:_NODES] for key, value in each.items() if isinstance(value, list)]
    return any(isinstance(child, dict) and key in child for key, value in lists for child in value[:_NODES])


def weigh(values: Sequence[Any]) -> int:
    """About the bytes of a list as compact JSON, from up to 24 evenly chosen elements."""
    most = min(_LOOKED, len(values))
    return sum(size_of(values[i * len(values) // most]) for i in range(most)) * len(values) // most


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
