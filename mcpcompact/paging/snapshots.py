"""The content behind a cursor: what a walk began with, kept in the results directory and found again.

Beside it stands ``<tool>-<id>.walk.<key>``: where the items of a large list are, or the chunks, in the order of the
walk, so that no page has to read the list or cut the content again. It can be lost without harm.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from mcpcompact.errors import CannotReadError, NoInputError, UsageError
from mcpcompact.inputs import is_url
from mcpcompact.inputs.envelope import Envelope
from mcpcompact.paging.cursors import START_OVER
from mcpcompact.results import Store, StoredResult
from mcpcompact.results.durable import open_regular, sha256_of, stage
from mcpcompact.results.layout import PACKED, Original
from mcpcompact.source import Source

HASHED_AT_MOST = 4 * 1024 * 1024
"""Bytes up to which a snapshot is hashed again at each page; of a larger one only the size is compared."""

_ABOUT = 1 << 16  # bytes of the line about a walk, at most


@dataclass(slots=True)
class Noted:
    """Places of a walk: those asked for, the last one, how many there are in all, and the line about them."""

    rows: list[tuple[int, ...]]
    last: tuple[int, ...]
    total: int
    about: str


def keep(
    store: Store,
    source: Source,
    envelope: Envelope,
    content_type: str,
    name: str,
    arguments: Mapping[str, Any] | None = None,
    counted: Mapping[str, Any] | None = None,
) -> str:
    """Store ``source`` unless it is there already, and return its SHA-256. ``name`` is its file's, empty for a pipe.

    ``arguments`` say which part of the file it is, ``counted`` the token figures of one that was not stored before.

    Raises ``CannotWriteError`` and ``CannotReadError`` as ``ResultStore.put`` does.
    """
    digest = sha256_of(source.chunks())
    try:
        known: dict[str, Any] = store.get(digest).meta
    except (NoInputError, CannotReadError):
        known = {}
    if known and (name or None) in _names(known) and (not arguments or known.get("arguments") == arguments):
        return digest
    more = {"arguments": dict(arguments)} if arguments else {}
    known.pop("time", None)
    wrapped = envelope.source is not source
    from mcpcompact.content.detect import load

    extension = ".json" if wrapped and envelope.shape != "exec" else load(content_type).extension
    kind, tool = known.get("contentType") or content_type, known.get("tool") or envelope.tool
    meta = {**(counted or {}), **known, "source": name or None, "shape": envelope.shape, **more}
    payload = envelope.source.text if wrapped else None
    return store.put(Original(source, kind, extension, tool, meta, payload)).sha256


def stored(store: Store, source: Source) -> StoredResult | None:
    """The snapshot that has just the bytes of ``source``, if there is one."""
    with suppress(NoInputError, CannotReadError):
        return store.find(sha256_of(source.chunks()))
    return None


def reopen(store: Store, id: str, given: Source | None, name: str) -> tuple[StoredResult, Source, list[str]]:
    """The snapshot that an opened cursor names, its payload, and notes where the input has changed since. ``given`` is
    the input as it is now, when there is one.

    Raises ``NoInputError`` when the snapshot is gone, ``CannotReadError`` when it is damaged, ``UsageError`` when the
    input is another one: neither the same content nor of a name that this content was stored under.
    """
    try:
        result = store.find(id)
        if int(result.meta.get("bytes") or 0) <= HASHED_AT_MOST:
            result = store.get(id)
        payload = _in_place(result) or result.payload()
    except (NoInputError, CannotReadError) as error:
        state = "no longer stored" if isinstance(error, NoInputError) else "damaged"
        problem = f"the snapshot that this cursor reads is {state}"
        raise type(error)(problem, hint="start over without a cursor") from None
    notes = []
    same_size = given is not None and given.size == result.meta.get("bytes")
    if given is not None and not (same_size and sha256_of(given.chunks()) == result.meta.get("sha256")):
        if (name or None) not in _names(result.meta):
            raise UsageError("this cursor belongs to another input", hint=START_OVER)
        changed = f"{name or 'the input'} has changed since this walk began"
        notes = [f"{changed}; it continues on the earlier content"]
    return result, payload, notes


def _in_place(result: StoredResult) -> Source | None:
    """A large plain original as a source over its file: nothing of it is read before it is asked for."""
    size = result.meta.get("bytes")
    if not isinstance(size, int) or size <= HASHED_AT_MOST or result.path.endswith(PACKED) or is_url(result.path):
        return None
    try:
        with open_regular(result.path) as stream:
            actual = os.fstat(stream.fileno()).st_size
    except OSError as error:
        raise CannotReadError(f"the stored file cannot be read: {error.strerror}") from error
    if actual != size:
        raise CannotReadError("the stored file has another size")
    return None if result.meta.get("payload") else Source(path=result.path)


def note(store: Store, id: str, key: str, cells: array[int], about: str = "") -> None:
    """Keep the places that the walk ``key`` leads through: so many numbers each, and a line about all of them."""
    with suppress(OSError):
        head = f"{about}\n".encode()
        stage(store.directory, [head, cells.tobytes()]).publish(_walk_file(store.find(id), key))


def noted(result: StoredResult, key: str, width: int, first: int, count: int) -> Noted | None:
    """``count`` places of a walk from ``first`` (from 0) on, ``width`` numbers each; None where they are not kept."""
    size = width * 8
    try:
        with open_regular(_walk_file(result, key)) as stream:
            about = stream.readline(_ABOUT)
            total, rest = divmod(os.fstat(stream.fileno()).st_size - len(about), size)
            stream.seek(len(about) + first * size)
            cells = array("Q", stream.read(count * size))
            stream.seek(len(about) + max(0, total - 1) * size)
            last = array("Q", stream.read(size))
    except (OSError, ValueError):
        return None
    if rest or not total:
        return None
    rows = [tuple(cells[at : at + width]) for at in range(0, len(cells), width)]
    return Noted(rows, tuple(last), total, about.decode("utf-8", "replace").rstrip("\n"))


def _walk_file(result: StoredResult, key: str) -> str:
    stem = os.path.basename(result.path).partition(".")[0]
    name = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return os.path.join(os.path.dirname(result.path), f"{stem}.walk.{name}")


def _names(meta: dict[str, Any]) -> set[str | None]:
    """The names under which this content was stored."""
    return {meta.get("source"), *(call.get("source") for call in meta.get("earlier") or ())}
