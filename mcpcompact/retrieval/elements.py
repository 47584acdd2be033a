"""The element of a JSON document that a place lies in, and the path that leads there."""

from __future__ import annotations

import json
from bisect import bisect_right
from dataclasses import dataclass

from mcpcompact.patterns import regex
from mcpcompact.retrieval.conditions import has_id
from mcpcompact.retrieval.spans import Buffer, children, first_value
from mcpcompact.retrieval.units import load

_PLAIN = regex(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True, slots=True)
class Element:
    """``start`` and ``end`` are byte offsets; ``path`` is what ``--path`` takes."""

    start: int
    end: int
    path: str
    raw: bytes

    def has_id(self, wanted: str) -> bool:
        """Whether it goes by this id: in an id-like field, or by the key it stands under."""
        return self.path.endswith((f".{wanted}", f"[{json.dumps(wanted)}]")) or has_id(load(self.raw), wanted)


Known = dict[int, tuple[list[tuple[str | int, int, int]], list[int]]]
"""By their offset, what stands directly in containers, and where each of it ends."""

MAX_LEVELS = 40  # of containers around a byte; each is read to its end, and a path of more is too long to be printed


def element_at(buffer: Buffer, at: int, known: Known | None = None) -> Element | None:
    """The smallest object around the byte ``at``, or the value whose key ``at`` lies in; of what stands directly in the
    root, the member alone. None where ``at`` lies in no container. ``known`` is filled with what was read of the
    containers on the way: of many places in one document each is read once."""
    known = {} if known is None else known
    start, path = first_value(buffer), ""
    best: Element | None = None
    for _ in range(MAX_LEVELS):
        if buffer[start : start + 1] not in (b"{", b"["):
            break
        if start not in known:
            inside = list(children(buffer, start))
            known[start] = (inside, [right for _, _, right in inside])
        inside, ends = known[start]
        n = bisect_right(ends, at)
        if n == len(inside):
            break
        key, left, right = inside[n]
        path += step(key, bool(path))
        if at < left:  # in its key
            return Element(left, right, path, bytes(buffer[left:right]))
        if best is None or best.raw[:1] != b"{" or buffer[left : left + 1] == b"{":
            best = Element(left, right, path, bytes(buffer[left:right]))
        start = left
    return best


def first_list(buffer: Buffer, at: int) -> int | None:
    """Where the outermost list begins that the byte ``at`` lies in."""
    start = first_value(buffer)
    while buffer[start : start + 1] == b"{":
        inner = next((left for _, left, right in children(buffer, start) if left <= at < right), None)
        if inner is None:
            return None
        start = inner
    return start if buffer[start : start + 1] == b"[" else None


_LEAF = regex(rb'("(?:[^"\\]|\\.)*+")(\s*+:)?|[-+\w.]+|\{\s*\}|\[\s*\]')


def leaves(buffer: Buffer, start: int, end: int) -> int:
    """How many scalars and empty containers begin between two byte offsets."""
    return sum(match[2] is None for match in _LEAF.finditer(buffer, start, end))


def step(key: str | int, inner: bool) -> str:
    """One step of a path: ``.name``, ``[3]`` or ``["odd name"]``."""
    if isinstance(key, int):
        return f"[{key}]"
    if _PLAIN.fullmatch(key):
        return f".{key}" if inner else key
    return f"[{json.dumps(key, ensure_ascii=False)}]"
