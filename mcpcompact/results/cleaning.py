"""What ``results gc`` does: old results removed or packed, leftovers removed, nothing advertised ever torn.

A removal takes the meta file first, so that no reference is advertised without its bytes; a packed
file is written, read back and expanded again before the plain one goes. Called with the
directory's lock held, unless it only looks.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from mcpcompact.results.answers import prune_answers
from mcpcompact.results.durable import BLOCK, Staging, open_regular, sync_directory
from mcpcompact.results.layout import PACKED, Entry, entries, expanded
from mcpcompact.results.own import prune
from mcpcompact.slotted import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.results.store import ResultStore

LEFT_ALONE = 3600
"""Seconds for which a file without a meta file may still belong to a writer."""


@dataclass(slots=True)
class Cleaning:
    """What was done, or would be (``dry_run``): ids removed and packed, leftover files, bytes freed and kept.

    What packing frees is known only once it was done; a dry run counts it as nothing.
    """

    dry_run: bool
    removed: list[str] = field(default_factory=list)
    packed: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)
    freed: int = 0
    kept: int = 0

    def as_dict(self) -> dict[str, Any]:
        return {
            "dryRun": self.dry_run,
            "removed": self.removed,
            "packed": self.packed,
            "leftovers": self.leftovers,
            "freedBytes": self.freed,
            "keptBytes": self.kept,
        }


def clean(
    store: ResultStore, older_than: float | None, max_bytes: int | None, *, dry_run: bool, compress: bool
) -> Cleaning:
    """See ``ResultStore.gc``. Raises ``OSError``."""
    directory, done = store.directory, Cleaning(dry_run)
    known = [(store.age(entry.meta), entry) for entry in entries(store.names()) if entry.meta]
    kept: list[Entry] = []
    for age, entry in sorted(known, key=lambda pair: (-pair[0], pair[1].stem)):
        old = older_than is not None and age > older_than
        if old and not compress:
            _remove(directory, entry, done)
        elif old and _packable(entry):
            done.packed.append(entry.id)
            if not dry_run:
                done.freed += sum(_pack(directory, name) for name in _packable(entry))
            kept.append(entry)
        else:
            kept.append(entry)
    if max_bytes is not None:
        total = sum(_size(directory, entry) for entry in kept)
        while kept and total > max_bytes:
            oldest = kept.pop(0)
            total -= _size(directory, oldest)
            _remove(directory, oldest, done)
    for name in store.leftovers(older_than=LEFT_ALONE):
        done.leftovers.append(name)
        done.freed += _length(os.path.join(directory, name))
        if not dry_run:
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(directory, name))
    if older_than is not None:
        done.freed += prune_answers(directory, older_than, dry_run)
    gone = set(done.removed)
    done.packed = [id for id in done.packed if id not in gone]
    done.kept = sum(_size(directory, entry) for entry in kept)
    if not dry_run:
        prune(directory, (entry.id for entry in kept))
        sync_directory(directory)
    return done


def _remove(directory: str, entry: Entry, done: Cleaning) -> None:
    done.removed.append(entry.id)
    done.freed += _size(directory, entry)
    if not done.dry_run:
        for name in entry.files():
            with suppress(FileNotFoundError):
                os.unlink(os.path.join(directory, name))


def _packable(entry: Entry) -> list[str]:
    files = (entry.data, *entry.others)
    return [name for name in files if name and not name.endswith((*PACKED, ".audit.ndjson"))]  # that is appended to


def _pack(directory: str, name: str) -> int:
    """Replace a file by its packed twin; the bytes saved (0 when packing would not make it smaller)."""
    path = os.path.join(directory, name)
    before = _length(path)
    digest = hashlib.sha256()
    with Staging(directory) as staging, open_regular(path) as stream:
        ending, blocks = _packed(stream, digest)
        staged = staging.add(blocks)
        if staged.size >= before:
            return 0
        staging.name(staged, name + ending)
        staging.publish()
    again = hashlib.sha256()
    for block in expanded(path + ending):
        again.update(block)
    if again.digest() != digest.digest():  # pragma: no cover - a failing disk or library
        os.unlink(path + ending)
        return 0
    sync_directory(directory)
    os.unlink(path)
    return before - staged.size


def _packed(stream: Any, digest: Any) -> tuple[str, Iterator[bytes]]:
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
            digest.update(block)
            yield packer.compress(block)
        yield packer.flush()

    return ending, blocks()


def _size(directory: str, entry: Entry) -> int:
    return sum(_length(os.path.join(directory, name)) for name in entry.files())


def _length(path: str) -> int:
    try:
        return os.lstat(path).st_size
    except OSError:
        return 0
