"""The line-friendly view of a result: a file of one line cannot be read by line offsets.

JSON is indented by a scan of the raw bytes that only adds and drops white space between tokens, so
big integers, duplicate keys and NaN stay as they are; anything else is folded. Both are linear
in time, know no recursion, and cut at no place inside a token or a character.
"""

from __future__ import annotations

import re

from mcpcompact.patterns import JSON_LEAF, JSON_STRING, regex
from mcpcompact.source import LONG, before_cut

WIDTH = 500  # bytes a folded line has at most, its mark aside

GROWTH = 10

FOLD = "↳ ".encode()  # stands before each continuation of a folded line

_INDENT_AT_MOST = 40  # deeper levels are not indented further: 100,000 levels would cost gigabytes
_INLINE = 100  # a container without another one inside stays on one line up to this many bytes

_STEP = regex(rb'([^\[\]{},"]*+(?:' + JSON_STRING + rb'[^\[\]{},"]*+)*+)([\[\]{},]|\Z)', re.S)
_LEAF = regex(rb"(" + JSON_LEAF + rb")(\s*+,\s*+)?", re.S)  # and a comma behind it
_LEAVES = regex(rb"(?>(?:" + JSON_LEAF + rb", *)+)", re.S)  # atomic: before 3.11.5 possessive ones end too late
_EACH = regex(JSON_LEAF, re.S)
_MARKS = b"[]{},"
_ITEM = regex(rb'(?=[^,])[^,"]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^,"]*+)*+', re.S)
_NEWLINES = tuple(b"\n" + b"  " * depth for depth in range(_INDENT_AT_MOST + 1))


def make_view(data: bytes) -> tuple[str, bytes] | None:
    """``(extension, bytes)`` of the view of ``data`` with long lines, or ``None`` where it bears none."""
    if b"\0" in data[:8192]:
        return None
    pretty = indent_json(data)
    return (".json", pretty) if pretty is not None else (".txt", fold(data))


def indent_json(data: bytes) -> bytes | None:
    """One JSON object or array with line breaks and indentation, every token as it stands.

    A truncated document is indented as far as it goes. ``None`` when ``data`` does not begin with
    a container, when something follows it (NDJSON, a log line in brackets), or when the indentation
    of deep nesting would make it more than ``GROWTH`` times as long.
    """
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    head = data[start : start + 4096].lstrip()
    if not head or head[:1] not in b"{[":
        return None
    out: list[bytes] = [data[:start]]
    add, depth, position, size = out.append, 0, start, len(data)
    padding, most, asked = 0, GROWTH * size + 4096, 0
    while position < size:
        if padding > most:
            return None
        text, mark = b"", data[position : position + 1]
        if mark in _MARKS:  # at once
            position += 1
        else:
            match = _STEP.match(data, position)
            assert match is not None, "every byte is some step's"
            text, mark = match[1].strip(), match[2]
            position = match.end()
        if depth == 0 and len(out) > 1 and (text or mark):
            return None
        if text:
            if not _SCALAR.match(text):
                return None
            add(text)
        if mark in (b"{", b"["):
            at, more, asked = _add_leaves(data, position - 1, depth, asked, out)
            padding += more
            if at >= position:
                position = at
                continue
            depth += 1
            out += mark, _newline(depth)
        elif mark == b",":
            out += b",", _newline(depth)
        elif mark:
            depth = max(0, depth - 1)
            out += _newline(depth), mark
        if mark:
            padding += 2 * min(depth, _INDENT_AT_MOST)
    add(b"\n")
    return b"".join(out)


def _newline(depth: int) -> bytes:
    return _NEWLINES[min(depth, _INDENT_AT_MOST)]


def _add_leaves(data: bytes, at: int, depth: int, asked: int, out: list[bytes]) -> tuple[int, int, int]:
    """Add the containers from ``at`` on that have no other one inside, each with its comma. Returns where they end, how
    much white space they got, and up to where ``_short_leaves`` was asked."""
    padding, newline = 0, _newline(depth)
    while (leaf := _LEAF.match(data, at)) is not None and (laid := _laid(leaf[1], depth)):
        out.append(laid)
        at = leaf.end(1)
        if not leaf[2] or not depth:
            padding += len(laid) - len(leaf[1])
            break
        same, times = leaf[0], 1
        at = leaf.end()
        while data.startswith(same, at):  # equal ones need not be read again
            at, times = at + len(same), times + 1
        out.append(b"," + newline + (laid + b"," + newline) * (times - 1))
        padding += (len(laid) - len(leaf[1]) + len(newline) - 1) * times
        if at >= asked:
            asked, leaves = _short_leaves(data, at)
            at = asked if leaves else at
            out.append((b"," + newline).join([*leaves, b""]))
            padding += (len(newline) - 1) * len(leaves)
    return at, padding, asked


def _short_leaves(data: bytes, at: int) -> tuple[int, list[bytes]]:
    """Where the containers end that follow one another here, with a comma each; and these, read together in a tenth of
    the time, if all of them stay on a line."""
    run = _LEAVES.match(data, at)
    leaves = _EACH.findall(data, at, run.end()) if run is not None and b"\n" not in run[0] else []
    return run.end() if run is not None else at, leaves if max(map(len, leaves), default=0) <= _INLINE else []


def _laid(leaf: bytes, depth: int) -> bytes:
    """A container without another one inside: as it stands where that is short, else an item a line; b"" where
    something is odd."""
    if len(leaf) <= _INLINE and b"\n" not in leaf:
        return leaf
    inner, outer = _newline(depth + 1), _newline(depth)
    items = _items(leaf[1:-1])
    return b"".join((leaf[:1], inner, (b"," + inner).join(items), outer, leaf[-1:])) if items else b""


def _items(body: bytes) -> list[bytes]:
    """The items between the brackets of a container without another one inside; none where something is odd."""
    raw = _ITEM.findall(body)
    items = list(map(bytes.strip, raw))
    if b",".join(raw) != body or not all(items):
        return []
    return items if all(item[0] in _USUAL or _SCALAR.match(item) for item in items) else []


_USUAL = frozenset(b'"0123456789')
_SCALAR = regex(rb'\s*+(?:"|-?[0-9]|true\b|false\b|null\b|-?Infinity\b|NaN\b|[tfn-]\w*\Z)')


def fold(data: bytes) -> bytes:
    """``data`` with every line of more than ``LONG`` bytes cut into lines of at most ``WIDTH``.

    Cuts fall after a blank or a comma where one is near, never inside a UTF-8 character.
    """
    out = []
    for line in data.split(b"\n"):
        if len(line) <= LONG:
            out.append(line)
            continue
        position = 0
        while position < len(line):
            end = min(position + WIDTH, len(line))
            if end < len(line):
                near = max(line.rfind(b" ", end - 80, end), line.rfind(b",", end - 80, end)) + 1
                if near > position:
                    end = near
                end = before_cut(line, end)
            out.append(FOLD + line[position:end] if position else line[:end])
            position = end
    return b"\n".join(out)
