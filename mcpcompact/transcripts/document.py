"""A file (or a directory of event files) as a format's reader sees it: its head, its JSON value, its JSON lines."""

from __future__ import annotations

import io
import itertools
import json
import os
from collections.abc import Iterator
from typing import Any, BinaryIO

from mcpcompact.errors import CannotReadError, InputError, NoInputError
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.transcripts.model import Place
from mcpcompact.transcripts.packed import PACKED

HEAD = 65_536  # bytes that a format's ``sniff`` may look at
LARGE = 1 << 23  # bytes from which a file of lines is read in blocks
BUFFER = 1 << 18  # bytes of such a block: lines may be long
EARLY = 20  # lines that are parsed for ``sniff``
LOOKED, FEW = 40, 8  # elements of a list, and messages of one shape, that tell a format

EVENTS = ".json"
BOM = b"\xef\xbb\xbf"

MAX_MENDED = 1 << 26

PIECES = regex(r'"(?:[^"\\]++|\\.)*+(?P<cut>\\?\Z)?"?|[][{},]', 16)  # DOTALL

UNREADABLE = object()


class Document:
    """``files`` are the paths in order: one, or the event files of a directory; ``copy`` where it is read from a plain
    copy. ``raw`` are the first one's first 64 KB, ``first`` the objects of its first lines. ``is_lines``: it holds a
    JSON value a line, and not one JSON document. ``root`` is what ``sniff`` may look at beyond ``first``: the one
    document, or the first of the lines, however long; None when it does not parse. ``some`` are the first records: of
    the lines, of the list that the document is, or the document itself; ``objects`` these as objects. ``problems``
    gathers what could not be read while ``lines`` or ``value`` run."""

    def __init__(self, path: str, copy: str = "") -> None:
        self.path = path
        self.files = [copy or path]
        self.is_directory = os.path.isdir(path)
        if self.is_directory:
            names = sorted(name for name in os.listdir(path) if name.endswith(EVENTS))
            self.files = [os.path.join(path, name) for name in names]
        self.problems: list[str] = []
        self._value: Any = UNREADABLE  # the first file's, once it is parsed
        self._data = self._read() if self.files else b""
        self.raw = self._data[:HEAD]
        self.first = self._first()
        self.is_lines, self.root = self._look()
        self._roots: list[Any] = self.root[:LOOKED] if isinstance(self.root, list) else [self.root]
        self.some = self.first or self._roots
        self.objects = list(map(mapped, self.some))

    def _read(self) -> bytes:
        """The first file, or the head of a large one."""
        try:
            with open(self.files[0], "rb", buffering=0) as stream:
                size = os.fstat(stream.fileno()).st_size
                return stream.read(size + 1 if HEAD < size < LARGE else HEAD)
        except FileNotFoundError:
            raise NoInputError(f"{self.path}: no such file") from None
        except OSError as error:
            raise CannotReadError(f"{self.path}: {error.strerror or error}") from error

    def _open(self, file: int = 0) -> BinaryIO:
        """A file's bytes, from its beginning."""
        whole = file == 0 and len(self._data) != HEAD
        return io.BytesIO(self._data) if whole else open(self.files[file], "rb", buffering=BUFFER)

    def _first(self) -> list[dict[str, Any]]:
        if self.raw.startswith((*PACKED, b"SQLite format 3\0")):  # what is stored in one is read from its copy
            return []
        lines = self.raw.removeprefix(BOM).split(b"\n", EARLY)
        del lines[EARLY if len(lines) > EARLY or len(self.raw) < HEAD else -1 :]
        values = [parse(line) for line in map(bytes.strip, lines) if line[:1] == b"{" and line[-1:] == b"}"]
        return [value for value in values if value is not UNREADABLE]

    @property
    def keys(self) -> set[str]:
        """The keys that the file's first objects have: its document's, those of the list that it is, or its lines'."""
        held = [*self._roots, *self.first]
        held += [inner for value in held if isinstance(value, list) for inner in value[:1]]
        return set().union(*[value for value in held if isinstance(value, dict)])

    def _look(self) -> tuple[bool, Any]:
        """``is_lines`` and ``root``."""
        if self.raw.removeprefix(BOM).lstrip()[:1] not in (b"{", b"["):
            return bool(self.first), None
        with self._open() as stream:
            line = next(filter(bytes.strip, stream), b"")
            value = parse(line) if line.rstrip()[-1:] in (b"}", b"]") else UNREADABLE
            following = any(map(bytes.strip, iter(lambda: stream.read(4096), b"")))
        if following and (value is not UNREADABLE or len(self.first) > 1):  # the first line may be broken
            return True, self.first[0] if value is UNREADABLE else value
        self._value = UNREADABLE if following else value
        try:
            return False, self.value()
        except InputError:
            return bool(self.first), None

    def sections(self) -> Iterator[tuple[Place, Any]]:
        """Each JSON line, or the one value (a list as such), and where it stands."""
        return self.lines() if self.is_lines else iter([(Place(0, ()), self.value())])

    def lines(self) -> Iterator[tuple[Place, Any]]:
        """The place and the value of every JSON line. Blank lines are passed over; one that does not
        parse is a problem (a recording that was cut off), never an error."""
        broken, where = 0, 0
        with self._open() as stream:
            for number, line in enumerate(stream):
                if line.isspace():
                    continue
                value = parse(line)
                if value is UNREADABLE:
                    broken += 1
                    where = where or number + 1
                else:
                    yield Place(number, ()), value
        if broken:
            verb = "does" if broken == 1 else "do"
            self.problems.append(f"{counted(broken, 'line')} {verb} not parse, the first is line {where:,}")

    def records(self) -> Iterator[tuple[Place, Any]]:
        """Each JSON line, each element of a list, or the one value, and where it stands."""
        if self.is_lines or not isinstance(values := self.value(), list):
            return self.sections()
        return elements(Place(0, ()), values)

    def left_out(self, number: int) -> None:
        """That many records hold no conversation: a problem, when there are any."""
        if number:
            self.problems.append(f"{counted(number, 'record')} without a conversation")

    def value(self, file: int = 0) -> Any:
        """The whole file as one JSON value; of one that is cut off, what stands before the cut (a problem). Raises
        ``InputError`` when it is none."""
        if file == 0 and self._value is not UNREADABLE:
            return self._value
        with self._open(file) as stream:
            data = stream.read()
        value = parse(data)
        if value is UNREADABLE:
            value = mended(data.decode("utf-8", "replace"))
            if value is UNREADABLE:
                raise InputError(f"{self.files[file]}: not JSON", hint="is the recording cut off?")
            self.problems.append("the file is cut off; what stands before the cut was read")
        if file == 0:
            self._value = value
        return value


def parse(text: str | bytes) -> Any:
    """A JSON value, or ``UNREADABLE``. Lone surrogates and NaN, which orjson refuses, are read by the standard parser;
    integers beyond 64 bits become floats, which no reader looks at."""
    import orjson

    try:
        return orjson.loads(text)
    except ValueError:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return UNREADABLE


def mended(text: str) -> Any:
    """The value of a JSON document that is cut off: what is open is closed, what is half written is left out.
    ``UNREADABLE`` when that does not make it JSON."""
    open_: list[str] = []
    safe = 0
    inside = False
    if len(text) > MAX_MENDED:
        return UNREADABLE
    for match in PIECES.finditer(text):
        mark = match[0]
        if mark in "{[":
            open_.append("}" if mark == "{" else "]")
        elif mark in "}]":
            if not open_ or open_.pop() != mark or not open_:
                return UNREADABLE
        elif mark != ",":
            inside = match["cut"] is not None
            continue
        safe = match.start() if mark == "," else match.end()
    if not open_:
        return UNREADABLE
    closing = "".join(reversed(open_))
    value = parse(text.rstrip("\\") + '"' + closing) if inside else UNREADABLE
    return parse(text[:safe] + closing) if value is UNREADABLE else value


def listed(value: object) -> list[Any]:
    """A list, or none: whatever stands where a list should."""
    return value if isinstance(value, list) else []


def elements(at: Place, value: object, *path: str) -> Iterator[tuple[Place, Any]]:
    """The elements of the list that a path of keys leads to, and where each stands."""
    for key in path:
        value = mapped(value).get(key)
    return zip(map(at.under(*path).under, itertools.count()), listed(value), strict=False)


def objects(at: Place, value: object, *path: str) -> Iterator[tuple[Place, dict[str, Any]]]:
    """As ``elements``, each as an object."""
    return ((where, mapped(item)) for where, item in elements(at, value, *path))


def mapped(value: object) -> dict[str, Any]:
    """An object, or none: whatever stands where an object should."""
    return value if isinstance(value, dict) else {}


def stated(value: object) -> str:
    """A string, or none: whatever stands where a string should."""
    return value if isinstance(value, str) else ""
