"""JSON as text: a token scanner that never recurses, for whitespace, spans and damaged input.

Works on the raw text, so that numbers, escapes and duplicate keys survive byte for byte. All functions are linear in
the text, take any depth and any damage, and never raise."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import Any

from mcpcompact.encoded import levels
from mcpcompact.outline import record
from mcpcompact.patterns import regex

STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?'  # possessive and with an optional end: linear on an unclosed string
_SPACE = regex(rf"({STRING})|(?<=[\[\]{{}},:])[ \t\r\n]++|[ \t\r\n]++(?=[\[\]{{}},:])", re.S)
_PAIR = regex(rf"({STRING}|[\[\]{{}},:]|[^\s\[\]{{}},:\"]++)(?:\s*+([:,]))?+", re.S)  # with what often stands behind it
_CUT = regex(rf"{STRING}|[\[{{]|[\]}}]|,[ \t]*+(?:\r?\n)?", re.S)
NUMBER = regex(r"-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?")


def minify(text: str) -> str:
    """Drop whitespace outside strings, nothing else. Space that separates two values (``1 2``) stays."""
    return _SPACE.sub(lambda match: match[1] or "", text.strip(_BLANKS))


def top_level_spans(text: str) -> Iterator[tuple[int, int]]:
    """Character spans of the elements or members of the top-level value, partitioning ``text``. Each span ends behind
    its comma and line end; brackets go with the first and the last one. Of concatenated documents each is cut in the
    same way."""
    if not text:
        return
    start = depth = 0
    for match in _CUT.finditer(text):
        first = match[0][0]
        if first == '"':
            continue
        if first in "[{":
            if depth == 0 and text[start : match.start()].strip():
                yield start, match.start()
                start = match.start()
            depth += 1
        elif first in "]}":
            depth = max(0, depth - 1)
        elif depth == 1:
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)


class Number(float):
    """A number whose shortest form differs from how it was written; ``raw`` is what stood in the text."""

    __slots__ = ("raw",)
    raw: str

    def __new__(cls, raw: str) -> Number:
        number = super().__new__(cls, raw)
        number.raw = raw
        return number


class Folded(str):
    """Stands for a value nested too deep to be built; its text says how deep and how long it was."""

    __slots__ = ()


@record
class Parsed:
    """``documents`` as far as they parse; ``end`` is the character offset where reading stopped. ``problem`` is empty
    when all of the text is JSON. ``duplicates`` counts repeated keys of one object (the last value wins, as in
    ``json``). ``depth`` is the deepest nesting met."""

    end: int = 0
    documents: list[Any] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)  # what holds anything, ``documents`` first; of damaged text none
    problem: str = ""
    duplicates: Counter[str] = field(default_factory=Counter)
    constants: int = 0  # NaN and Infinity, which are not JSON
    depth: int = 0
    open: int = 0  # containers still open where reading stopped

    def behind(self, text: str) -> str:
        """What stands behind values that are whole and is text: neither more of them nor what is left of one."""
        rest = text[self.end :].strip() if self.problem and not self.open else ""
        return "" if rest[:1] in _OF_JSON or _BEGINS.search(rest) else rest


_OF_JSON, _BEGINS = frozenset('{}[],:"'), regex(r"(?m)^[ \t]*[{\[]\s*[\"{\[]")
LONG_INT = 400
"""Characters; a longer integer stays text: Python reads none of more than 4,300 digits."""
_DIGITS = bytes(map(str.isdigit, map(chr, range(128)))).ljust(256, b"\0")
_LONG_DIGITS, _MINUS = b"\1" * LONG_INT, regex(r"-0(?![.\deE])", holds=("-0",))

MAX_DEPTH = 100
"""Values nested deeper are folded: no summary shows them, and their paths alone would fill it."""


def parse(text: str) -> Parsed:
    """All JSON documents at the start of ``text``; damage ends the reading and is said, never raised."""
    return _decoded(text) or scan(text)


@functools.lru_cache(1)
def begun(head: str) -> Parsed:
    """The same of what an input begins with, which several types ask for: not to be changed."""
    return parse(head)


def parse_float(raw: str) -> float:
    """A float that still knows how it was written where ``repr`` would write it differently."""
    value = float(raw)
    return value if repr(value) == raw else Number(raw)


def _parse_int(raw: str) -> int | Number:
    return Number(raw) if raw == "-0" or len(raw) > LONG_INT else int(raw)


_BLANKS = " \t\n\r"
_PARTED = frozenset(("][", "}{", "]{", "}["))
"""Between documents without a blank; what else follows another at once is the scanner's."""


def _decoded(text: str) -> Parsed | None:
    """Sound documents, with blanks between them, by the standard parser, about 15 times as fast as the scanner; else
    None."""
    import json

    parsed = Parsed(end=len(text))

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(members)
        if len(value) != len(members):
            seen = set[str]()
            for key, _ in members:
                parsed.duplicates.update([key] * (key in seen))
                seen.add(key)
        return value

    def constant(raw: str) -> Number:
        parsed.constants += 1
        return Number(raw)

    odd_int = _MINUS.search(text) or _LONG_DIGITS in text.encode("ascii", "replace").translate(_DIGITS)
    decoder = json.JSONDecoder(
        object_pairs_hook=pairs,
        parse_float=parse_float,
        parse_int=_parse_int if odd_int else None,
        parse_constant=constant,
        strict=False,
    )
    decode = decoder.scan_once  # type: ignore[attr-defined]  # as raw_decode calls it, without a call of Python each
    try:
        if _documents(text, decode, parsed.documents.append) < len(text):
            return None
    except (ValueError, RecursionError, StopIteration):
        return None
    for depth, level in enumerate(levels(parsed.documents)):
        parsed.depth = depth
        parsed.nodes += filter(None, level)
    return parsed if parsed.depth <= MAX_DEPTH else None


def _documents(text: str, decode: Callable[[str, int], tuple[Any, int]], add: Callable[[Any], None]) -> int:
    """Reads one document behind another; where that ends."""
    at, size = len(text) - len(text.lstrip(_BLANKS)), len(text)
    while at < size:
        value, at = decode(text, at)
        add(value)
        end, parted = at, text[at - 1 : at + 1] in _PARTED
        while at < size and text[at] in _BLANKS:
            at += 1
        if at == end and not parted:
            break
    return at


def scan(text: str) -> Parsed:
    """The iterative parser: concatenated, cut off, damaged or very deep JSON."""
    return _Scanner().read(text)


class _Scanner:
    """Reads tokens; ``expect`` takes the next one, and says whether what was read up to it stands for itself."""

    __slots__ = ("at", "box", "deepest", "expect", "key", "parsed", "stack")

    def __init__(self) -> None:
        self.parsed = Parsed()
        self.stack: list[tuple[Any, str | None, int]] = []  # what holds each open container, the key there, its place
        self.box: Any = None
        self.key: str | None = None
        self.expect = self._value
        self.at = 0  # behind the token
        self.deepest = 0  # that it was since a value was folded

    def read(self, text: str) -> Parsed:
        parsed = self.parsed
        for match in _PAIR.finditer(text):
            token, behind = match.groups()
            self.at = match.end(1)
            if self.expect(token):
                parsed.end = self.at
            elif parsed.problem:
                break
            if behind and not self.expect(behind) and parsed.problem:
                break
        parsed.open, self.at = len(self.stack), len(text)
        while self.stack:
            self._end()
        if not parsed.problem and parsed.open:
            parsed.problem = "it ends inside a value"
        if not parsed.problem:
            parsed.end = len(text)
        return parsed

    def _bad(self, problem: str) -> bool:
        self.parsed.problem = problem
        return False

    def _put(self, value: Any) -> None:
        box = self.box
        if box is None:
            self.parsed.documents.append(value)
        elif box.__class__ is dict:
            key = self.key
            if key in box:
                self.parsed.duplicates[key] += 1  # type: ignore[index]
            box[key] = value
        else:
            box.append(value)
        self.key = None
        self.expect = self._comma

    def _end(self) -> None:
        value, (self.box, self.key, start) = self.box, self.stack.pop()
        if len(self.stack) == MAX_DEPTH:
            value = Folded(f"…[{self.deepest - MAX_DEPTH:,} more levels, {self.at - start:,} chars]")
            self.deepest = 0
        self._put(value)

    # -- what may come next ---------------------------------------------------------------------------------------

    def _value(self, token: str) -> bool:
        first = token[0]
        if first in "[{":
            return self._begin(first)
        value = _scalar(token)
        if value is _BAD:
            return self._bad("a string does not end" if first == '"' else f"{token[:20]!r} is not JSON")
        if value.__class__ is Number and token in _CONSTANTS:
            self.parsed.constants += 1
        self._put(value)
        return True

    def _begin(self, bracket: str) -> bool:
        self.stack.append((self.box, self.key, self.at - 1))
        self.key = None
        self.box, self.expect = {} if bracket == "{" else [], self._first
        self.deepest = max(self.deepest, len(self.stack))
        self.parsed.depth = max(self.parsed.depth, self.deepest)
        return True

    def _close(self, token: str) -> bool:
        if (token[0] == "}") is not (self.box.__class__ is dict):
            return self._bad(f"{token} where the other bracket closes")
        self._end()
        return True

    def _first(self, token: str) -> bool:
        return self._close(token) if token[0] in "]}" else self._next(token)

    def _next(self, token: str) -> bool:
        return self._name(token) if self.box.__class__ is dict else self._value(token)

    def _comma(self, token: str) -> bool:
        """A comma alone does not extend what parsed; behind a document anything may follow."""
        if self.box is None:
            return self._value(token)
        if token != ",":
            return self._close(token) if token[0] in "]}" else self._bad("a comma is missing")
        self.expect = self._next
        return False

    def _name(self, token: str) -> bool:
        if token[0] != '"':
            return self._bad("a key is missing")
        name = _scalar(token)
        if name is _BAD:
            return self._bad("a string does not end")
        self.key, self.expect = name, self._colon
        return False

    def _colon(self, token: str) -> bool:
        if token != ":":
            return self._bad("a colon is missing")
        self.expect = self._value
        return False


_BAD = object()
_WORDS = {"true": True, "false": False, "null": None}
_CONSTANTS = ("NaN", "Infinity", "-Infinity")


def _scalar(token: str) -> Any:
    """The value of a string, number or word token, or ``_BAD``."""
    if token[0] == '"':
        if "\\" not in token and len(token) > 1 and token[-1] == '"':
            return token[1:-1]
        import json

        try:
            return json.loads(token, strict=False)
        except ValueError:
            return _BAD
    if token in _WORDS:
        return _WORDS[token]
    if token in _CONSTANTS:
        return Number(token)
    if not NUMBER.fullmatch(token):
        return _BAD
    return parse_float(token) if any(c in token for c in ".eE") else _parse_int(token)


def quoted(text: str) -> str:
    """A JSON string."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    import json

    return json.dumps(text, ensure_ascii=False)


GROWN = 1 << 22  # more than all tuples that are keys in a text that is read


@record
class Open:
    """A list or an object that is being written."""

    mark: str  # that began it
    start: int  # its place in the output
    pairs: bool  # keys and values alternate
    values: int = 0


class Writer:
    """JSON that is written value by value, a document a line: what parts values comes by itself, keys become strings.
    ``out`` are its pieces."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.open: list[Open] = []
        self.grown = 0  # characters that keys have more than what they stand for

    def add(self, text: str) -> int:
        """A value that is JSON; where it begins."""
        self._part()
        self.out.append(text)
        return self._added(len(self.out) - 1)

    def begin(self, mark: str, pairs: bool = False) -> None:
        self._part()
        self.open.append(Open(mark, len(self.out), pairs))
        self.out.append("{" if mark == "{" else "[")

    def end(self) -> int:
        """Closes as what it began with in the output; where that is."""
        start = self.open.pop().start
        self.out.append({"{": "}", "[": "]"}.get(self.out[start], ""))
        return self._added(start)

    def key(self, start: int) -> None:
        """Makes a string of what was written from there on. Raises ``ValueError`` where keys within keys, each of which
        doubles what is escaped, grow beyond all bounds."""
        text = "".join(self.out[start:])
        self.out[start:] = [text if text[:1] == '"' else quoted(text)]
        self.grown += len(self.out[start]) - len(text) if text[:1] in ("{", "[") else 0
        if self.grown > GROWN:
            raise ValueError("keys within keys")

    def _part(self) -> None:
        if self.open and (values := self.open[-1].values):
            self.out.append(": " if self.open[-1].pairs and values % 2 else ", ")

    def _added(self, start: int) -> int:
        if not self.open:
            self.out.append("\n")
            return start
        within = self.open[-1]
        if within.pairs and within.values % 2 == 0:
            self.key(start)
        within.values += 1
        return start
