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


MAX_LEVELS = 40  # of containers around a byte: a path of more is too long to be printed
MAX_READ = 12  # times a document, what is read of its containers: where none of many is closed, each holds the rest


class Known:
    """What stands directly in the containers of a document, by the offset of these: each is read once."""

    def __init__(self, buffer: Buffer) -> None:
        self._buffer, self._left = buffer, MAX_READ * len(buffer)
        self._read: dict[int, tuple[list[tuple[str | int, int, int]], list[int]]] = {}

    def inside(self, start: int) -> tuple[list[tuple[str | int, int, int]], list[int]]:
        """The parts of a container, and where each of them ends; none when too much was read already."""
        if start not in self._read:
            inside = list(children(self._buffer, start)) if self._left > 0 else []
            self._read[start] = (inside, [right for _, _, right in inside])
            self._left -= inside[-1][2] - start if inside else 0
        return self._read[start]


def element_at(buffer: Buffer, at: int, known: Known | None = None) -> Element | None:
    """The smallest object around the byte ``at``, or the value whose key ``at`` lies in; of what stands directly in the
    root, the member alone. None where ``at`` lies in no container. ``known``, which may serve many places in one
    document, reads each of its containers once."""
    known = Known(buffer) if known is None else known
    start, path = first_value(buffer), ""
    best: tuple[int, int, str] | None = None
    for _ in range(MAX_LEVELS):
        if buffer[start : start + 1] not in (b"{", b"["):
            break
        inside, ends = known.inside(start)
        n = bisect_right(ends, at)
        if n == len(inside):
            break
        key, left, right = inside[n]
        path += step(key, bool(path))
        if at < left:  # in its key
            best = left, right, path
            break
        if best is None or buffer[best[0] : best[0] + 1] != b"{" or buffer[left : left + 1] == b"{":
            best = left, right, path
        start = left
    return Element(*best, bytes(buffer[best[0] : best[1]])) if best else None


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
