"""The content behind a cursor: what a walk began with, kept in the results directory and found again.

Beside a large list stands ``<tool>-<id>.walk.<key>``: where its items are, in the order of the walk, so that no page
has to read the list again. It can be lost without harm.
"""

from __future__ import annotations

import hashlib
import os
from array import array
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from mcpcompact.cursors import START_OVER
from mcpcompact.errors import CannotReadError, NoInputError, UsageError
from mcpcompact.outline import Source
from mcpcompact.remote import is_url
from mcpcompact.results.durable import open_regular, stage
from mcpcompact.results.layout import PACKED
from mcpcompact.slotted import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.envelope import Envelope
    from mcpcompact.results import ResultStore, StoredResult


HASHED_AT_MOST = 4 * 1024 * 1024
"""Bytes up to which a snapshot is hashed again at each page; of a larger one only the size is compared."""

_CELL = 24  # number, offset, length


@dataclass(slots=True)
class Snapshot:
    """The stored content of a walk, as it was when the walk began; ``notes`` say where the input has changed since."""

    result: StoredResult
    payload: Source
    notes: list[str] = field(default_factory=list)


def keep(
    store: ResultStore,
    source: Source,
    envelope: Envelope,
    *,
    content_type: str,
    name: str,
    arguments: Mapping[str, Any] | None = None,
    counted: Mapping[str, Any] | None = None,
) -> str:
    """Store ``source`` unless it is there already, and return its SHA-256. ``name`` is its file's, empty for a pipe.

    ``arguments`` say which part of the file it is, ``counted`` the token figures of one that was not stored before.

    Raises ``CannotWriteError`` and ``CannotReadError`` as ``ResultStore.put`` does.
    """
    digest = _digest(source)
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
    return store.put(
        source,
        tool=known.get("tool") or envelope.tool,
        content_type=known.get("contentType") or content_type,
        extension=extension,
        meta={**(counted or {}), **known, "source": name or None, "shape": envelope.shape, **more},
        payload=envelope.source.text if wrapped else None,
    ).sha256


def reopen(store: ResultStore, id: str, given: Source | None, name: str) -> Snapshot:
    """The snapshot that an opened cursor names. ``given`` is the input as it is now, when there is one.

    Raises ``NoInputError`` when the snapshot is gone, ``CannotReadError`` when it is damaged, ``UsageError`` when the
    input is another one: neither the same content nor of a name that this content was stored under.
    """
    try:
        result = store.find(id)
        if int(result.meta.get("bytes") or 0) <= HASHED_AT_MOST:
            result = store.get(id)
        payload = _in_place(result) or result.payload()
    except NoInputError:
        raise NoInputError(
            "the snapshot that this cursor reads is no longer stored", hint="start over without a cursor"
        ) from None
    except CannotReadError:
        raise CannotReadError(
            "the snapshot that this cursor reads is damaged", hint="start over without a cursor"
        ) from None
    found = Snapshot(result, payload)
    if given is not None and (given.size != result.meta.get("bytes") or _digest(given) != result.meta.get("sha256")):
        if (name or None) not in _names(result.meta):
            raise UsageError("this cursor belongs to another input", hint=START_OVER)
        found.notes.append(
            f"{name or 'the input'} has changed since this walk began; it goes on over the content of then"
        )
    return found


def _in_place(result: StoredResult) -> Source | None:
    """A large plain original as a source over its file: nothing of it is read before it is asked for."""
    size = result.meta.get("bytes")
    if not isinstance(size, int) or size <= HASHED_AT_MOST or result.path.endswith(PACKED) or is_url(result.path):
        return None
    try:
        with open_regular(result.path) as stream:
            found = os.fstat(stream.fileno()).st_size
    except OSError as error:
        raise CannotReadError(f"the stored file cannot be read: {error.strerror}") from error
    if found != size:
        raise CannotReadError("the stored file has another size")
    return None if result.meta.get("payload") else Source(path=result.path)


def note_places(store: ResultStore, id: str, key: str, places: array[int]) -> None:
    """Keep number, offset and length of each item of the walk ``key``, one after the other."""
    with suppress(OSError):
        stage(store.directory, [places.tobytes()]).publish(_walk_file(store.find(id), key))


def places(result: StoredResult, key: str, first: int, count: int) -> tuple[list[tuple[int, int, int]], int] | None:
    """Number, offset and length of ``count`` items from place ``first`` (from 0) on, and how many there are in all."""
    try:
        with open_regular(_walk_file(result, key)) as stream:
            total, rest = divmod(os.fstat(stream.fileno()).st_size, _CELL)
            stream.seek(first * _CELL)
            cells = array("Q", stream.read(count * _CELL))
    except (OSError, ValueError):
        return None
    return None if rest else (list(zip(cells[::3], cells[1::3], cells[2::3], strict=True)), total)


def _walk_file(result: StoredResult, key: str) -> str:
    stem = os.path.basename(result.path).partition(".")[0]
    name = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return os.path.join(os.path.dirname(result.path), f"{stem}.walk.{name}")


def _digest(source: Source) -> str:
    digest = hashlib.sha256()
    for chunk in source.chunks():
        digest.update(chunk)
    return digest.hexdigest()


def _names(meta: dict[str, Any]) -> set[str | None]:
    """The names under which this content was stored."""
    return {meta.get("source"), *(call.get("source") for call in meta.get("earlier") or ())}
