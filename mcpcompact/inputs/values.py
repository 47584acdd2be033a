"""Python values as JSON text, for results that never were text: nothing is dropped, and how each is written is fixed.

=================================================  ==========================================================
value                                              written as
=================================================  ==========================================================
``dict``, ``list``, ``tuple``, text, numbers       JSON; NaN and infinities as ``NaN``, ``Infinity``
``set``, ``frozenset``                             a list, sorted by the text of its elements
generators, iterators, ``deque``, views            a list (they are read to their end)
other mappings, dataclasses                        an object of their items or fields
pydantic models, numpy, pandas, polars             what ``model_dump``, ``to_dict``, ``to_dicts``, ``tolist`` give
dates and times                                    ``isoformat()``
``bytes``                                          base64
enumerations                                       their value
``Decimal``, ``UUID``, paths, addresses, …         ``str()``
other objects                                      ``repr()`` of their own (an address in memory left out), else
                                                   their attributes and slots as an object
keys that are no text                              as JSON writes them, else the text of the same rules
=================================================  ==========================================================
"""

from __future__ import annotations

import dataclasses
import enum
import json
import os
from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from mcpcompact.errors import InputError, UsageError
from mcpcompact.patterns import regex
from mcpcompact.source import Source

_KEYS = 12  # steps of a path that are said

MAX_LEVELS = 1_000_000
"""Deeper values are taken for endless ones (an object that makes a new one of its kind when it is asked for itself)."""

# What libraries offer, the first that works: pandas' "split" keeps the index beside columns and rows.
_OFFERED = (("model_dump",), ("to_dict", "split"), ("to_dict",), ("to_dicts",), ("tolist",), ("isoformat",))


def source_of(result: Any) -> tuple[Source, bool, InputError | None]:
    """What the library is given, as a source; whether it was a value, and what of it could not be written."""
    if isinstance(result, Source):
        return result, False, None
    if isinstance(result, str):
        return Source.of_text(result), False, None
    if isinstance(result, (bytes, bytearray, memoryview)):
        return Source(bytes(result)), False, None
    if isinstance(result, os.PathLike):
        raise UsageError("a path is not a result", hint="give Source(path=…), or what the file holds")
    text, problem = to_json(result)
    return Source(text.encode("utf-8", "surrogatepass")), True, problem


def to_json(value: Any) -> tuple[str, InputError | None]:
    """The JSON text of any value, and an error where a place of it could not be written (it holds itself)."""
    writer = _Writer()
    try:
        return json.dumps(value, ensure_ascii=False, default=writer.simpler), None
    except (TypeError, ValueError, RecursionError):  # keys that are no text, circles, depth: one by one
        return writer.text(value), writer.problem


def plain(value: Any) -> Any:
    """A value as reading its JSON gives it back."""
    return json.loads(to_json(value)[0])


class _Writer:
    """What was made of a value is kept: a generator can be read only once."""

    def __init__(self) -> None:
        self.memo: dict[int, tuple[Any, Any]] = {}
        self.problem: InputError | None = None

    def simpler(self, value: Any) -> Any:
        """``value`` in terms that are nearer to JSON."""
        if id(value) not in self.memo:
            self.memo[id(value)] = value, self._simplified(value)  # with the value itself, so that its id stays its own
        return self.memo[id(value)][1]

    def _simplified(self, value: Any) -> Any:
        if isinstance(value, (bytes, bytearray, memoryview)):
            from base64 import b64encode

            return b64encode(bytes(value)).decode()
        if isinstance(value, enum.Enum):
            return value.value
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        if isinstance(value, Mapping):
            return dict(value.items())
        if isinstance(value, Set) and not isinstance(value, Sequence):
            return sorted(value, key=lambda element: _Writer().text(element))
        for name, *arguments in () if isinstance(value, type) else _OFFERED:
            if callable(method := getattr(value, name, None)):
                try:
                    return method(*arguments)
                except Exception:  # another library's method of that name
                    continue
        if isinstance(value, (Sequence, Iterator, deque)):
            return list(value)
        kind: Any = type(value)
        if kind.__str__ is not object.__str__ and not isinstance(value, BaseException):
            return str(value)
        if kind.__repr__ is object.__repr__ and (held := _attributes(value)):
            return held
        return _ADDRESS.sub("", repr(value))

    def text(self, root: Any) -> str:
        """As ``json.dumps`` writes it, without recursion; a value inside itself is said instead of followed."""
        out: list[str] = []
        inside: dict[int, _Path] = {}  # the open containers
        work: list[tuple[str, Any, _Path]] = [("value", root, None)]
        while work:
            what, value, path = work.pop()
            if what == "text":
                out.append(value)
                continue
            if what == "end":
                del inside[value]
                continue
            if value is None or isinstance(value, (str, int, float)):
                out.append(json.dumps(value, ensure_ascii=False))
                continue
            if id(value) in inside or len(inside) >= MAX_LEVELS:
                out.append(json.dumps(self._stopped(path, inside.get(id(value), _NOWHERE))))
                continue
            inside[id(value)] = path
            work.append(("end", id(value), path))
            if isinstance(value, dict):
                members = [(f"{self._key(key)}: ", member, (path, key)) for key, member in value.items()]
                work += _laid_out("{", members, "}")
            elif isinstance(value, (list, tuple)):
                work += _laid_out("[", [("", member, (path, n)) for n, member in enumerate(value)], "]")
            else:
                work.append(("value", self.simpler(value), path))
        return "".join(out)

    def _key(self, key: Any) -> str:
        written = json.dumps(key, ensure_ascii=False) if isinstance(key, (str, int, float)) or key is None else ""
        written = written or self.text(key)
        return written if written[0] == '"' else json.dumps(written, ensure_ascii=False)

    def _stopped(self, path: _Path, held: _Path) -> str:
        why = "is too deep" if held is _NOWHERE else f"holds itself: it is {_told(held) or 'the whole value'} again"
        self.problem = self.problem or InputError(f"the value at {_told(path)} {why}", hint="passed through")
        return f"<{why}>"


_ADDRESS = regex(r" at 0x[0-9A-Fa-f]{6,16}(?=[>,])")
"""Where an object stood in memory says nothing, and differs in each run."""


def _attributes(value: Any) -> dict[str, Any]:
    """What an object holds, in slots too."""
    state = object.__getstate__(value)
    parts = state if isinstance(state, tuple) else (state,)
    return {name: held for part in parts if part for name, held in part.items()}


_Path = tuple[Any, Any] | None
"""The way to a value: (the way to its holder, its key); None at the root. A text of it would be long at each level."""

_NOWHERE = (None, "")


def _told(path: _Path) -> str:
    """The last keys of a path."""
    keys: list[str] = []
    while path is not None and len(keys) < _KEYS:
        path, key = path
        keys.append(str(key)[:60])
    return ("… " if path is not None else "") + ".".join(reversed(keys))


def _laid_out(opening: str, members: Sequence[tuple[str, Any, _Path]], closing: str) -> list[tuple[str, Any, _Path]]:
    """The pieces of a container, last first."""
    pieces: list[tuple[str, Any, _Path]] = [("text", opening, None)]
    for n, (key, member, path) in enumerate(members):
        pieces += [("text", (", " if n else "") + key, None), ("value", member, path)]
    return [("text", closing, None), *reversed(pieces)]
