"""What ``results gc`` does: old results removed or packed, leftovers removed, nothing advertised ever torn.

A removal takes the meta file first, so that no reference is advertised without its bytes; a packed
file is written, read back and expanded again before the plain one goes. Called with the
directory's lock held, unless it only looks.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcpcompact.errors import CannotReadError
from mcpcompact.phrasing import keyed
from mcpcompact.results.durable import BLOCK, Staging, open_regular, sha256_of, sync_directory
from mcpcompact.results.layout import Entry, Problem, entries, expanded
from mcpcompact.results.meta import TEMPORARY_NAME, entry_of, narrow, parts, sound

if TYPE_CHECKING:
    from mcpcompact.results.base import Store

LEFT_ALONE = 3600
"""Seconds for which a temporary file, or one without a meta file, may still belong to a writer."""


@dataclass(slots=True)
class Cleaning:
    """What was done, or would be (``dry_run``): ids removed and packed, leftover files, bytes freed and kept,
    and the files that were left alone because they are not what their meta file says, or are no meta file of ours.

    What packing frees is known only once it was done; a dry run counts it as nothing.
    """

    dry_run: bool
    removed: list[str] = field(default_factory=list)
    packed: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)
    damaged: list[Problem] = field(default_factory=list)
    freed: int = 0
    kept: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {
            **keyed(self, "dry_run", "removed", "packed", "leftovers"),
            "damaged": [problem.as_dict() for problem in self.damaged],
            "freedBytes": self.freed,
            "keptBytes": self.kept,
        }


def clean(store: Store, older_than: float | None, max_bytes: int | None, *, dry_run: bool, compress: bool) -> Cleaning:
    """See ``Store.gc``. Only what a sound meta file names is touched, if it is what that says: everything else
    is left as it is, also what was damaged meanwhile. Raises ``OSError``."""
    done = Cleaning(dry_run)

    def old(entry: Entry) -> bool:
        return older_than is not None and store.age(entry.meta) > older_than

    for entry, meta in store.known()[0] if compress else ():
        if old(entry):
            _pack_result(store, entry, meta, done)
    known, damaged = store.known()
    done.damaged += damaged
    known.sort(key=lambda pair: (-store.age(pair[0].meta), pair[0].stem))
    done.kept = sum(store.size(name) for entry, _ in known for name in entry.files())
    gone, files = {}, []
    for entry, meta in known:
        if (old(entry) and not compress) or (max_bytes is not None and done.kept > max_bytes):
            done.kept -= sum(map(store.size, entry.files()))
            done.damaged += (problems := store.problems(entry, meta, absent=True))
            left = {problem.file for problem in problems}
            files += [name for name in entry.files() if name not in left and store.is_regular(name)]
            gone[entry.id] = meta["sha256"]
    if gone and not dry_run:
        store.bury(store.collected() | gone)
    done.removed, done.leftovers = [*gone], store.leftovers(older_than=LEFT_ALONE)
    done.packed = [id for id in done.packed if id not in gone]
    done.damaged = [*dict.fromkeys(done.damaged)]
    for name in (*files, *done.leftovers):
        done.freed += store.size(name)
        if not dry_run:
            store.remove(name)
    alive = {entry.id for entry in entries(store.names())} - gone.keys()
    done.freed += store.forget(alive, older_than, dry_run)
    return done


def _pack_result(store: Store, entry: Entry, meta: dict[str, Any], done: Cleaning) -> None:
    """Pack what the meta file names, unless something of it is not what was stored."""
    plain = {part["file"]: part["sha256"] for part in parts(meta) if part["file"] in entry.files()}
    if problems := store.problems(entry, meta, absent=True):
        done.damaged += problems
    elif plain:
        done.packed.append(entry.id)
        done.freed += 0 if done.dry_run else sum(_pack(store.directory, *file) for file in plain.items())


def leftovers(store: Store, older_than: float) -> list[str]:
    """See ``Store.leftovers``. The meta file is staged before anything gets its name, so what of a result has
    one already when its writer is killed is named by a temporary file."""
    names = store.names()
    stale = [name for name in names if TEMPORARY_NAME.fullmatch(name) and store.is_regular(name)]
    by_stem = {entry.stem: entry for entry in entries(names)}
    left = {name for name in stale if store.age(name) >= LEFT_ALONE}
    for name in stale:
        meta = store.parsed(name)
        like = entry_of(meta.get("file")) if isinstance(meta, dict) else None
        entry = by_stem.get(like.stem) if like else None
        if entry is not None and not entry.meta and sound(meta, entry):
            narrow(entry, meta)
            if not store.problems(entry, meta, absent=True):
                left |= {name for name in entry.files() if store.age(name) >= older_than}
    return sorted(left)


def _pack(directory: str, name: str, sha256: str) -> int:
    """Replace a file by its packed twin; the bytes saved (0 when packing would not make it smaller, or something else
    has the twin's name)."""
    path = os.path.join(directory, name)
    before = os.lstat(path).st_size
    with Staging(directory) as staging, open_regular(path) as stream:
        ending, blocks = _packed(stream)
        staged = staging.add(blocks)
        if staged.size >= before:
            return 0
        if new := not os.path.lexists(path + ending):  # else that of a collector that was killed, or another file
            staged.publish(path + ending)
    again = ""
    with suppress(CannotReadError):
        again = sha256_of(expanded(path + ending))
    if again != sha256:
        if new:
            os.unlink(path + ending)
        return 0
    sync_directory(directory)
    os.unlink(path)
    return before - staged.size


def _packed(stream: Any) -> tuple[str, Iterator[bytes]]:
    """The file ending and the packed blocks: zstd where it is installed, else gzip."""
    packer: Any
    try:
        import zstandard

        ending, packer = ".zst", zstandard.ZstdCompressor(level=9).compressobj()
    except ImportError:
        import zlib

        ending, packer = ".gz", zlib.compressobj(6, zlib.DEFLATED, 31)

    def blocks() -> Iterator[bytes]:
        while block := stream.read(BLOCK):
            yield packer.compress(block)
        yield packer.flush()

    return ending, blocks()
