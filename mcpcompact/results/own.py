"""Our own output, recognised when it comes back as input, so that it is never compacted again.

Never by its shape: a log that quotes a notice, or names a stored id, is somebody else's. Three things
are ours, each proved by its content or its place:

- a text that was put out for a stored result (a compaction, a page, and each line said about it on stderr, which a
  shell tool may have put before or behind it): the SHA-256 of each stands in ``.emitted/`` of the results directory,
  a file of its own that holds the id, so many writers need no lock;
- a stored file, named by its path;
- a part of a stored result that the call asked for (its arguments name the id): all of the text, or every
  line of it behind the numbers that a file viewer adds, stands in the stored files.

A stored original that comes back without such a call is the tool's own output once more: the same input
gives the same summary, however often.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from mcpcompact.errors import McpcompactError
from mcpcompact.patterns import regex
from mcpcompact.results.durable import files_of_form, open_regular
from mcpcompact.results.layout import NAME, StoredResult
from mcpcompact.results.meta import ID, NOTE_NAME
from mcpcompact.source import LARGE, Source

if TYPE_CHECKING:
    from mcpcompact.results.base import Store

_MAX_ASKED = 8  # ids of a call that are looked up
FOLDER = ".emitted"
LONGEST = 4 * 1024 * 1024  # bytes: a longer text was no page and no compaction of ours

_ASKED = regex(r"(?<![0-9A-Za-z])(?:results\s+(?:get|grep|show)\s+(?P<given>[0-9a-f]{1,64})|(?P<id>[0-9a-f]{8,64}))\b")
_NUMBERED = regex(rb"\s{0,12}\d{1,12}(?:\xe2\x86\x92|[:\t|-]|  ?)")
MAX_SAID = 4  # lines that a command says on stderr about one page


class Own(NamedTuple):
    """The stored result that a text of ours belongs to, and what the text is."""

    id: str
    what: str


def said(store: Store | None, text: str | bytes, *beside: str) -> None:
    """Note what was printed beside a ``text`` that was put out: lines on stderr, the same text in another form."""
    if store is not None and (id := store.noted_for(told(text))):
        for line in beside:
            store.remember(id, line)


def recognise(store: Store, source: Source, payload: Source, arguments: Mapping[str, Any] | None = None) -> Own | None:
    """Whether ``source``, or the ``payload`` inside its message, is something of ours. Never raises for its content."""
    with suppress(OSError, McpcompactError):
        return _stored_file(store, source) or _emitted(store, source, payload) or _read_back(store, payload, arguments)
    return None


def prune(directory: str, kept: Iterable[str]) -> None:
    """Forget what was put out for results that are gone."""
    alive = set(kept)
    for path in files_of_form(os.path.join(directory, FOLDER), NOTE_NAME):
        with suppress(OSError):
            if (id := named_in(path)) not in alive and ID.fullmatch(id):
                os.unlink(path)


def _stored_file(store: Store, source: Source) -> Own | None:
    path = getattr(source, "name", "") or source.path or ""
    folder, file = os.path.split(path)
    name = NAME.fullmatch(file) if "-" in path[1:] else None
    here = name is not None and store._is_here(folder) and store.contains(name[2])
    return Own(name[2], "a stored file") if name and here else None


def _emitted(store: Store, source: Source, payload: Source) -> Own | None:
    """The result for which the payload, or the message around it, was put out, alone or among lines said about it."""
    for text in (payload, *([source] if payload is not source else [])):
        for part in _unsaid(store, text.data if text.size <= LONGEST else b""):
            if (id := store.noted_for(part)) and store.contains(id):
                return Own(id, "a text put out before")
    return None


def _unsaid(store: Store, data: bytes) -> Iterator[bytes]:
    """The text; then without the lines before and behind it that were put out too, one by one: a page may itself be
    such a line."""
    yield (text := told(data))
    for _ in range(MAX_SAID):
        first, _, rest = text.partition(b"\n")
        if not (rest and store.noted_for(told(first))):
            rest, _, last = text.rpartition(b"\n")
            if not (rest and store.noted_for(told(last))):
                return
        yield (text := told(rest))


def _read_back(store: Store, payload: Source, arguments: Mapping[str, Any] | None) -> Own | None:
    """The result of which ``payload`` is a part that the call in ``arguments`` asked for."""
    if payload.size > LARGE or not arguments:
        return None
    for asked in dict.fromkeys(_asked(store, arguments)):
        with suppress(McpcompactError):  # no such result: the next
            result = store.find(asked)
            if any(_is_part(part, result) for part in _unsaid(store, payload.data)):
                return Own(result.id, "read back from the store")
    return None


def _asked(store: Store, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Ids that a call names, in a command line or as a part of a stored file's name; at most a handful."""
    text = " ".join(value for value in arguments.values() if isinstance(value, str))[:20_000]
    for match in islice(_ASKED.finditer(text), _MAX_ASKED):
        if match["given"] or store.contains(match["id"]):
            yield match["given"] or match["id"]


def _is_part(data: bytes, result: StoredResult) -> bool:
    """Whether ``data`` stands in a stored file in one piece, or line by line behind a viewer's numbers."""
    text = data.replace(b"\r\n", b"\n").strip(b"\n")
    if not text:
        return False
    lines = {line for line in text.split(b"\n") if line.strip()}
    for part in (result.payload(), result.view(), result.source()):
        if part is None:
            continue
        if part.size <= LARGE and (data in part.data or text in part.data):
            return True
        left, bare = set(lines), {_NUMBERED.sub(b"", line, count=1): line for line in lines if _NUMBERED.match(line)}
        for block in part.blocks():
            for line in re.split(rb"\r?\n", block):
                left.discard(line)
                left.discard(bare.get(line, b""))
            if not left:
                return True
    return False


def told(text: str | bytes) -> bytes:
    """The text as it is compared: on the way line breaks change their kind, and come and go at its ends. Empty for one
    too long to be ours."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    data = data.replace(b"\r\n", b"\n").strip(b"\r\n")
    return data if len(data) <= LONGEST else b""


def noted(data: bytes) -> str:
    """The name of the note about a text."""
    return hashlib.sha256(data).hexdigest()[:32]


def named_in(path: str) -> str:
    """The id in a note."""
    with open_regular(path) as stream:
        return stream.read(80).decode("ascii", "replace").strip()
