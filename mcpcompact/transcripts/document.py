"""A file (or a directory of event files) as a format's reader sees it: its head, its JSON value, its JSON lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from mcpcompact.errors import CannotReadError, InputError, NoInputError

HEAD = 65_536
"""Bytes that a format's ``sniff`` may look at."""

EVENTS = ".json"


class Document:
    """``files`` are the paths in order: one, or the event files of a directory. ``head`` is the first one's first
    64 KB as text, ``first`` the objects of its first whole lines (at most 20), for ``sniff``. ``problems``
    gathers what could not be read while ``lines`` or ``value`` run."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.files = [path]
        self.is_directory = os.path.isdir(path)
        if self.is_directory:
            names = sorted(name for name in os.listdir(path) if name.endswith(EVENTS))
            self.files = [os.path.join(path, name) for name in names]
        self.problems: list[str] = []
        self._value: Any = None
        self._parsed = False
        self.head = self._head()
        self.first = self._first()

    def _head(self) -> str:
        if not self.files:
            return ""
        try:
            with open(self.files[0], "rb") as stream:
                return stream.read(HEAD).decode("utf-8", "replace").lstrip("\ufeff")
        except FileNotFoundError:
            raise NoInputError(f"{self.path}: no such file") from None
        except OSError as error:
            raise CannotReadError(f"{self.path}: {error.strerror or error}") from error

    def _first(self) -> list[dict[str, Any]]:
        found = []
        for line in self.head.split("\n")[:20]:
            value = parse(line)
            if isinstance(value, dict):
                found.append(value)
        return found

    def lines(self, file: int = 0) -> Iterator[tuple[int, Any]]:
        """The 0-based number and the value of every JSON line. Blank lines are passed over; one that does not
        parse is a problem (a recording that was cut off), never an error."""
        broken = 0
        where = 0
        with open(self.files[file], "rb") as stream:
            for number, line in enumerate(stream):
                if not line.strip():
                    continue
                value = parse(line)
                if value is UNREADABLE:
                    broken += 1
                    where = where or number + 1
                    continue
                yield number, value
        if broken:
            self.problems.append(f"{broken:,} lines do not parse, the first is line {where:,}")

    def value(self, file: int = 0) -> Any:
        """The whole file as one JSON value. Raises ``InputError`` when it is none."""
        if file == 0 and self._parsed:
            return self._value
        with open(self.files[file], "rb") as stream:
            value = parse(stream.read())
        if value is UNREADABLE:
            raise InputError(f"{self.files[file]}: not JSON", hint="is the recording cut off?")
        if file == 0:
            self._value, self._parsed = value, True
        return value


UNREADABLE = object()


def parse(text: str | bytes) -> Any:
    """A JSON value, or ``UNREADABLE``. Lone surrogates and NaN, which orjson refuses, are read by the standard parser;
    integers beyond 64 bits become floats, which no reader looks at."""
    import orjson

    try:
        return orjson.loads(text)
    except ValueError:
        import json

        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return UNREADABLE
