"""The content behind a cursor: what a walk began with, kept in the results directory and found again."""

from __future__ import annotations

import hashlib
from typing import Any

from mcpcompact.cursors import START_OVER
from mcpcompact.errors import CannotReadError, NoInputError, UsageError
from mcpcompact.outline import Source
from mcpcompact.slotted import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.envelope import Envelope
    from mcpcompact.results import ResultStore, StoredResult


@dataclass(slots=True)
class Snapshot:
    """The stored content of a walk, as it was when the walk began; ``notes`` say where the input has changed since."""

    result: StoredResult
    payload: Source
    notes: list[str] = field(default_factory=list)


def keep(store: ResultStore, source: Source, envelope: Envelope, *, content_type: str, name: str) -> str:
    """Store ``source`` unless it is there already, and return its SHA-256. ``name`` is its file's, empty for a pipe.

    Raises ``CannotWriteError`` and ``CannotReadError`` as ``ResultStore.put`` does.
    """
    digest = _digest(source)
    try:
        known: dict[str, Any] = store.get(digest).meta
    except (NoInputError, CannotReadError):
        known = {}
    if known and (name or None) in _names(known):
        return digest
    wrapped = envelope.source is not source
    from mcpcompact.content.detect import load

    extension = ".json" if wrapped and envelope.shape != "exec" else load(content_type).extension
    return store.put(
        source,
        tool=known.get("tool") or envelope.tool,
        content_type=known.get("contentType") or content_type,
        extension=extension,
        meta={**known, "source": name or None, "shape": envelope.shape},
        payload=envelope.source.text if wrapped else None,
    ).sha256


def reopen(store: ResultStore, id: str, given: Source | None, name: str) -> Snapshot:
    """The snapshot that an opened cursor names. ``given`` is the input as it is now, when there is one.

    Raises ``NoInputError`` when the snapshot is gone, ``CannotReadError`` when it is damaged, ``UsageError`` when the
    input is another one: neither the same content nor of a name that this content was stored under.
    """
    try:
        result = store.get(id)
    except NoInputError:
        raise NoInputError(
            "the snapshot that this cursor reads is no longer stored", hint="start over without a cursor"
        ) from None
    except CannotReadError:
        raise CannotReadError(
            "the snapshot that this cursor reads is damaged", hint="start over without a cursor"
        ) from None
    found = Snapshot(result, result.payload())
    if given is not None and (given.size != result.meta.get("bytes") or _digest(given) != result.meta.get("sha256")):
        if (name or None) not in _names(result.meta):
            raise UsageError("this cursor belongs to another input", hint=START_OVER)
        found.notes.append(
            f"{name or 'the input'} has changed since this walk began; it goes on over the content of then"
        )
    return found


def _digest(source: Source) -> str:
    digest = hashlib.sha256()
    for chunk in source.chunks():
        digest.update(chunk)
    return digest.hexdigest()


def _names(meta: dict[str, Any]) -> set[str | None]:
    """The names under which this content was stored."""
    return {meta.get("source"), *(call.get("source") for call in meta.get("earlier") or ())}
