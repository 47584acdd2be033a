"""The element of a JSON document that a place lies in, and the path that leads there."""

from __future__ import annotations

import json
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


MAX_LEVELS = 40  # of containers around a byte; each is read to its end, and a path of more is too long to be printed


def element_at(buffer: Buffer, at: int) -> Element | None:
    """The smallest object around the byte ``at``, or the value whose key ``at`` lies in; of what stands directly in the
    root, the member alone. None where ``at`` lies in no container."""
    start = first_value(buffer)
    path = ""
    best: Element | None = None
    for _ in range(MAX_LEVELS):
        if buffer[start : start + 1] not in (b"{", b"["):
            break
        before = start
        for key, left, right in children(buffer, start):
            if at >= right:
                continue
            path += step(key, bool(path))
            if at < left:  # in its key
                return Element(left, right, path, bytes(buffer[left:right]))
            if best is None or best.raw[:1] != b"{" or buffer[left : left + 1] == b"{":
                best = Element(left, right, path, bytes(buffer[left:right]))
            start = left
            break
        if start == before:
            return best
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


_LEAF = regex(rb'("(?:[^"\\\\]|\\\\.)*+")(\s*+:)?|[-+\w.]+|\{\s*\}|\[\s*\]')


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
