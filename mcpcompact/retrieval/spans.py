"""Where the values of a JSON text stand, found without building or changing any of them.

Works on bytes and on mapped files, of any depth and size, linear in what it passes over; truncated
text is read as far as it goes. A number, an escape or a duplicate key comes out as it stands.
"""

from __future__ import annotations

import json
import mmap
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from mcpcompact.errors import UsageError
from mcpcompact.patterns import JSON_LEAF, JSON_STRING, regex
from mcpcompact.phrasing import MAX_DIGITS, fitted
from mcpcompact.shell import LONGEST

LIST, OBJECT = b"[{"  # the byte that a list begins with, and an object

Buffer = bytes | mmap.mmap
Step = str | int | None  # a key, an index, or every element

MAX_BELOW = 5_000  # members of an object that are looked into: one with more is a map of records
MAX_STEPS = 100  # of a path: each may read what is left of the input, and no path that we print has as many
LIST_DEPTH = 4  # how deep below the top a list of records is looked for

_SCALAR = regex(JSON_STRING + rb"|[^\s\[\]{},:]*+", re.S)
# marks, strings, and what is nested at most three deep taken at once: where only the outermost counts
_NEST = rb'[\[{](?:[^\[\]{}"]++|' + JSON_STRING + rb"|%b)*+[\]}]"
_WIDE = regex(rb"(?P<leaf>" + _NEST % (_NEST % JSON_LEAF) + rb")|(?P<string>" + JSON_STRING + rb")|[\[\]{},:]", re.S)
_SPACE = regex(rb"[ \t\r\n]*+")
_BLANKS = regex(rb"(" + JSON_STRING + rb")|[ \t\r\n]++", re.S)
_OPEN, _CLOSE, _COMMA, _COLON = b"[{", b"]}", 0x2C, 0x3A

_INDEX = rf"(\d{{1,{MAX_DIGITS}}})"
_STEP = regex(rf"""\.?\[(?:{_INDEX}|"((?:[^"\\]|\\.)*+)"|'((?:[^'\\]|\\.)*+)'|(\*?))\]|\.?([^.\[\]]+)""", re.S)
_ESCAPED = regex(r"\\(.)", re.S)


def parse_path(path: str) -> list[Step]:
    """``a.b[0]["odd key"].c[]`` as steps, at most ``MAX_STEPS``; a leading ``$`` is dropped. Raises ``UsageError``."""
    steps: list[Step] = []
    position = 1 if path[:1] == "$" and path[1:2] in ("", ".", "[") else 0  # "$ref" is a key
    while position < len(path):
        match = _STEP.match(path, position)
        if match is None:
            at = fitted(path[position:], LONGEST)
            raise UsageError(
                f"path {fitted(path, LONGEST)!r} cannot be read at {at!r}", hint='write it as a.b[0]["odd key"]'
            )
        if len(steps) == MAX_STEPS:
            hint = f"a path has at most {MAX_STEPS}; go on from what a shorter one prints"
            raise UsageError(f"path {fitted(path, LONGEST)!r} has too many steps", hint=hint)
        index, double, single, every, name = match.groups()
        if index is not None:
            steps.append(int(index))
        elif double is not None:
            steps.append(_unquoted(double))
        elif single is not None:
            steps.append(_ESCAPED.sub(r"\1", single))
        else:
            steps.append(name if every is None else None)
        position = match.end()
    return steps


def _unquoted(text: str) -> str:
    """A key between double quotes: as JSON writes it, or by hand, where a backslash stands before any sign."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return _ESCAPED.sub(r"\1", text)


def first_value(buffer: Buffer) -> int:
    """Where the first value begins, a byte-order mark and white space passed."""
    return _after_space(buffer, 3 if buffer[:3] == b"\xef\xbb\xbf" else 0)


def children(buffer: Buffer, start: int) -> Iterator[tuple[str | int, int, int]]:
    """``(key or index, start, end)`` of each value directly inside the container at ``start``."""
    is_object = buffer[start : start + 1] == b"{"
    depth, index, key, begin = 0, 0, None, -1 if is_object else start + 1
    end = len(buffer)
    for match in _WIDE.finditer(buffer, start + 1):
        kind = match.lastgroup
        if kind == "leaf":
            continue
        if kind == "string":
            if depth == 0 and begin < 0 and key is None:
                key = _text(match.group())
            continue
        at = match.start()
        mark = buffer[at]
        if mark in (_COMMA, _COLON):
            if depth:
                continue
            if mark == _COLON:
                if begin < 0:
                    begin = at + 1
                continue
            if begin >= 0:
                yield (index if key is None else key), *_trimmed(buffer, begin, at)
            index, key, begin = index + 1, None, -1 if is_object else at + 1
        elif mark in _OPEN:
            depth += 1
        elif depth:
            depth -= 1
        else:
            end = at
            break
    if begin >= 0:
        left, right = _trimmed(buffer, begin, end)
        if left < right:
            yield (index if key is None else key), left, right


def value_end(buffer: Buffer, start: int) -> int:
    if buffer[start : start + 1] not in (b"[", b"{"):
        scalar = _SCALAR.match(buffer, start)
        return scalar.end() if scalar else start
    depth = 0
    for match in _WIDE.finditer(buffer, start):
        if match.lastgroup is not None:
            if depth == 0:
                return match.end()  # the whole value is a leaf
            continue
        mark = buffer[match.start()]
        if mark in _OPEN:
            depth += 1
        elif mark in _CLOSE:
            depth -= 1
            if depth == 0:
                return match.end()
    return len(buffer)


def documents(buffer: Buffer, start: int = 0) -> Iterator[tuple[int, int]]:
    """Spans of the objects and arrays that stand one after the other from ``start`` on, up to what is neither."""
    at = start or first_value(buffer)
    while buffer[at : at + 1] in (b"{", b"["):
        end = value_end(buffer, at)
        yield at, end
        at = _after_space(buffer, end)


def locate(buffer: Buffer, start: int, steps: list[Step]) -> list[tuple[int, int]]:
    """Spans of the values that ``steps`` lead to from the value at ``start``; of a duplicate key, the last.

    A key that itself holds dots is found too: ``a.b`` tries the member ``a.b`` when ``a`` does not lead on.
    """
    if not steps:
        return [(start, value_end(buffer, start))]
    return _walked(buffer, start, steps, dotted=False)[0] or _walked(buffer, start, steps, dotted=True)[0]


def arrival(buffer: Buffer, start: int, steps: list[Step]) -> tuple[int, int]:
    """Where a path that leads nowhere ends: how many of its ``steps`` lead somewhere, and the start of the value."""
    ends = [_walked(buffer, start, steps, dotted)[1] for dotted in (False, True)]
    return max(ends, key=lambda end: end[0])


def _walked(
    buffer: Buffer, start: int, steps: list[Step], dotted: bool
) -> tuple[list[tuple[int, int]], tuple[int, int]]:
    """The spans that all steps lead to; the most steps that lead somewhere, and the first value they lead to."""
    places: list[tuple[int, int]] = []
    reached = (0, start)
    stack: list[tuple[int, int, int]] = [(start, -1, 0)]
    while stack:
        at, end, depth = stack.pop()
        if depth > reached[0]:
            reached = depth, at
        if depth == len(steps):
            places.append((at, end))
            continue
        opening, step = buffer[at : at + 1], steps[depth]
        if opening == b"[" and not isinstance(step, str):
            inside = children(buffer, at)
            if step is None:
                stack += reversed([(left, right, depth + 1) for _, left, right in inside])
            else:
                stack += [(left, right, depth + 1) for _, left, right in islice(inside, step, step + 1)]
        elif opening == b"[":
            stack += reversed([(left, right, depth) for _, left, right in children(buffer, at)])
        elif opening == b"{" and isinstance(step, str):
            names = joined(steps[depth:]) if dotted else {step: 1}
            best: tuple[int, int, int] | None = None
            for key, left, right in children(buffer, at):
                taken = names.get(str(key), 0)
                if taken and (best is None or depth + taken >= best[2]):
                    best = (left, right, depth + taken)
            stack += [best] if best else []
    return places, reached


def joined(steps: Sequence[Step]) -> dict[str, int]:
    """The member names that could consume the next steps, and how many each consumes."""
    names: dict[str, int] = {}
    text = ""
    for taken, step in enumerate(steps, 1):
        if not isinstance(step, str):
            break
        text = f"{text}.{step}" if text else step
        names[text] = taken
    return names


def containers(buffer: Buffer, start: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Keys and start of the object or list at ``start``, and of those that at most ``LIST_DEPTH`` objects lead to, the
    nearest first."""
    level: list[tuple[tuple[str, ...], int, bool]] = [((), start, True)]
    for _ in range(LIST_DEPTH + 1):
        below: list[tuple[tuple[str, ...], int, bool]] = []
        for keys, at, looked_into in level:
            opening = buffer[at : at + 1]
            if opening in (b"[", b"{"):
                yield keys, at
            if opening == b"{" and looked_into:
                for n, (key, left, _) in enumerate(children(buffer, at)):
                    below.append(((*keys, str(key)), left, n < MAX_BELOW))
        level = below


def find_list(buffer: Buffer) -> int:
    """Where the list of records begins, -1 when there is none: a bare list; else, of the lists reached through
    at most ``LIST_DEPTH`` objects, the longest text of objects (four of five elements at least), else of rows,
    else of anything. The same choice as that of the records content type."""
    top = first_value(buffer)
    if buffer[top : top + 1] == b"[":
        return top
    lists = (start for _, start in containers(buffer, top) if buffer[start] == LIST)
    return max(lists, key=lambda start: _as_records(buffer, start), default=-1)


def _as_records(buffer: Buffer, start: int) -> tuple[int, int]:
    """How much a list looks like records: 2 for objects, 1 for rows, 0 for anything else; and its length."""
    count = objects = rows = length = 0
    for _, left, right in children(buffer, start):
        opening = buffer[left]
        count, length = count + 1, right - start
        objects += opening == OBJECT
        rows += opening == LIST
    if objects and objects >= 4 * (count - objects):
        return 2, length
    return int(rows > 0), length


def drop_space(raw: bytes) -> bytes:
    """White space outside strings dropped; every token as it stands, so that a record takes one line. A text that
    stands before the JSON is left as it is."""
    value = raw.strip()
    return _BLANKS.sub(rb"\1", raw) if value[:1] + value[-1:] in (b"{}", b"[]", b'""') else raw


def _after_space(buffer: Buffer, start: int) -> int:
    match = _SPACE.match(buffer, start)
    return match.end() if match else start


def _trimmed(buffer: Buffer, start: int, end: int) -> tuple[int, int]:
    start = min(_after_space(buffer, start), end)
    while end > start and buffer[end - 1] in b" \t\r\n":
        end -= 1
    return start, end


def _text(raw: bytes) -> str:
    """A key's text; a broken escape is left as it stands."""
    if b"\\" not in raw:
        return raw[1:-1].decode("utf-8", "replace")
    try:
        return str(json.loads(raw))
    except ValueError:
        return raw[1:-1].decode("utf-8", "replace")
