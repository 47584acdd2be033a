"""What a policy shows of records: ``keep_fields`` and ``drop_fields`` over JSON, JSON lines, CSV and TSV.

Only members are left out; every value that stays keeps its own spelling (numbers, escapes, white space).
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from mcpcompact.retrieval.spans import children, find_list, first_value, value_end

Tree = dict[str, Any]
"""Nested names: ``metadata.x`` is ``{"metadata": {"x": {}}}``; an empty tree stands for the whole value."""

MAX_NAMED = 5
MAX_LISTED = 12  # of the fields that there are


@dataclass(slots=True)
class Projected:
    """The text that is left. ``left_out`` counts, by path, the members that are not in it; ``kept`` are the paths of
    those that were asked for."""

    data: bytes
    left_out: dict[str, int] = field(default_factory=dict)
    kept: set[str] = field(default_factory=set)

    def missing(self, keep: Sequence[str]) -> str:
        """One line: the names of ``keep`` that no record has, and those that there are. "" when all were found."""
        absent = [name for name in keep if name not in self.kept]
        if not absent:
            return ""
        have = ", ".join(list(dict.fromkeys([*sorted(self.kept), *self.left_out]))[:MAX_LISTED])
        return f"no record has the field {', '.join(absent)}" + (f"; there is {have}" if have else "")

    def told(self) -> str:
        """One line: which fields, in how many places. "" when nothing was left out."""
        if not self.left_out:
            return ""
        names = sorted(self.left_out, key=lambda name: (-self.left_out[name], name))
        named = ", ".join(f"{name} ({self.left_out[name]:,}×)" for name in names[:MAX_NAMED])
        more = f" and {len(names) - MAX_NAMED:,} more" if len(names) > MAX_NAMED else ""
        return f"Fields left out by the policy, all in the stored original: {named}{more}"


def project(data: bytes, keep: Sequence[str] = (), drop: Sequence[str] = ()) -> Projected:
    """The records of ``data`` without the fields that the policy does not show; what stands around them stays.

    Records are the elements of the list that the records content type would find, each JSON line, the one
    object, or the rows of CSV and TSV with a header. Anything else comes back as it is.
    """
    projected = Projected(data)
    start = first_value(data)
    opening = data[start : start + 1]
    if opening == b"{" and _is_lines(data, start):
        lines = data.split(b"\n")
        projected.data = b"\n".join(_record(line, keep, drop, projected) if line.strip() else line for line in lines)
    elif opening in (b"[", b"{"):
        at = find_list(data)
        if at < 0:
            projected.data = _record(data, keep, drop, projected)
        else:
            parts = [data[: at + 1]]
            for number, (_, left, _right) in enumerate(children(data, at)):
                parts.append((b", " if number else b"") + _shaped(data, left, keep, drop, projected))
            projected.data = b"".join(parts) + b"]" + data[value_end(data, at) :]
    else:
        _columns(data, keep, drop, projected)
    return projected


def _is_lines(data: bytes, start: int) -> bool:
    end = value_end(data, start)
    return data[end:].lstrip()[:1] == b"{" and b"\n" in data[end : end + 3]


def _record(line: bytes, keep: Sequence[str], drop: Sequence[str], projected: Projected) -> bytes:
    start = first_value(line)
    if line[start : start + 1] != b"{":
        return line
    return line[:start] + _shaped(line, start, keep, drop, projected) + line[value_end(line, start) :]


def _shaped(data: bytes, start: int, keep: Sequence[str], drop: Sequence[str], projected: Projected) -> bytes:
    """One record: first what is kept, of that not what is dropped."""
    kept = _walk(data, start, _tree(keep), True, "", projected) if keep else data[start : value_end(data, start)]
    return _walk(kept, 0, _tree(drop), False, "", projected) if drop else kept


def _walk(data: bytes, start: int, tree: Tree, keeping: bool, path: str, projected: Projected) -> bytes:
    """The value at ``start`` with only (or without) the members of ``tree``. As deep as the tree, no deeper."""
    opening = data[start : start + 1]
    if not tree or opening not in (b"{", b"["):
        return data[start : value_end(data, start)]
    parts: list[bytes] = []
    for key, left, right in children(data, start):
        if opening == b"[":
            parts.append(_walk(data, left, tree, keeping, path, projected))
            continue
        name = str(key)
        inner = tree.get(name)
        if inner is None if keeping else inner == {}:
            here = f"{path}{name}"
            projected.left_out[here] = projected.left_out.get(here, 0) + 1
            continue
        if keeping:
            projected.kept.add(f"{path}{name}")
        value = data[left:right] if inner is None else _walk(data, left, inner, keeping, f"{path}{name}.", projected)
        parts.append(json.dumps(name, ensure_ascii=False).encode("utf-8", "surrogatepass") + b": " + value)
    around = (b"[", b"]") if opening == b"[" else (b"{", b"}")
    return around[0] + b", ".join(parts) + around[1]


def _tree(names: Iterable[str]) -> Tree:
    """The names as a tree; a name without a dot, and one whole with its dots, lead to the same value."""
    top: Tree = {}
    for name in names:
        section = top
        *outer, last = name.split(".")
        for step in outer:
            section = section.setdefault(step, {})
        section[last] = {}
        top.setdefault(name, {})
    return top


def _columns(data: bytes, keep: Sequence[str], drop: Sequence[str], projected: Projected) -> None:
    """CSV or TSV: the delimiter is the one of the header's line."""
    text = data.decode("utf-8", "surrogateescape")
    head = text.partition("\n")[0]
    mark = max("\t,;|", key=head.count)
    if not head.count(mark):
        projected.kept.update(keep)  # it stays as it is
        return
    rows = list(csv.reader(io.StringIO(text), delimiter=mark))
    header = [name.strip() for name in rows[0]]
    shown = [i for i, name in enumerate(header) if (not keep or name in keep) and name not in drop]
    projected.kept = {header[i] for i in shown}
    projected.left_out = {name: len(rows) - 1 for i, name in enumerate(header) if i not in shown}
    if not projected.left_out or not shown:
        return
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\n")
    writer.writerows([row[i] for i in shown if i < len(row)] for row in rows)
    projected.data = out.getvalue().encode("utf-8", "surrogateescape")
