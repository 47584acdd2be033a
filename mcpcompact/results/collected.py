"""The ids of results that ``gc`` removed: an id that was printed once never means something else.

``.collected`` holds a line for each, ``<id> <sha256>``, oldest first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from mcpcompact.patterns import regex
from mcpcompact.results.durable import open_regular
from mcpcompact.results.layout import ID_LENGTH

NAME = ".collected"

MOST = 10_000
"""Lines that are kept: under a megabyte, read in 5 ms by each put of new content."""

LONGER = 10
"""Digits of a new id once the list is full. An id of eight that fell off the list can then be no new one's; that of an
id of ten is one in 10¹² by chance. A cursor holds no more."""

AT_MOST = MOST * 130
"""Bytes of the list: an id has up to 64 digits."""

Collected = dict[str, str]
"""SHA-256 by id, oldest first."""

_LINE = regex(r"^([0-9a-f]{8,64}) ([0-9a-f]{64})$", re.M)


def collected(path: str) -> Collected:
    """The list at ``path``, empty where there is none. Raises ``OSError`` where it is no regular file."""
    try:
        with open_regular(path) as stream:
            return listed(stream.read(AT_MOST))
    except FileNotFoundError:
        return {}


def listed(data: bytes) -> Collected:
    """What the list says; a line of another form counts for nothing."""
    return {id: sha256 for id, sha256 in _LINE.findall(data.decode("ascii", "replace")) if sha256.startswith(id)}


def written(dead: Mapping[str, str]) -> bytes:
    """The bytes of the list: its newest lines."""
    return "".join(f"{id} {sha256}\n" for id, sha256 in [*dead.items()][-MOST:]).encode()


def gone(dead: Mapping[str, str], prefix: str) -> str:
    """The id of the collected result that ``prefix`` means: the id, or more of its SHA-256. Empty for none."""
    if len(prefix) < ID_LENGTH:
        return ""
    return next((id for id, sha256 in dead.items() if prefix.startswith(id) and sha256.startswith(prefix)), "")
