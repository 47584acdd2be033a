"""The results directory: full tool results as plain files that people and agents can open.

``<tool>-<id>.<ext>`` is the original, byte for byte; ``<tool>-<id>.meta.json`` says what it is.
``<id>`` is the first 8 hex digits of the original's SHA-256, longer on a clash. Beside them may
stand ``<tool>-<id>.payload.<ext>`` (the text unwrapped from an envelope, when it has long lines)
and ``<tool>-<id>.view.<ext>`` (a line-friendly view of the payload). A result is *advertised*
once its meta file has its name; everything it refers to is whole by then, on disk, and was read
back. What a killed process leaves before that moment is a leftover that nobody was told about.
"""

from __future__ import annotations

import errno
import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from mcpcompact.errors import CannotReadError
from mcpcompact.inputs import local
from mcpcompact.results import durable, layout, own
from mcpcompact.results.base import Store
from mcpcompact.results.meta import COLLECTED, META_AT_MOST, Collected, collected, described, dumped, parsed, written
from mcpcompact.source import Source


class DirectoryStore(Store):
    """The results directory at ``directory``, made when first written to. The directory itself may be a symbolic link,
    since the user named it; no link inside is followed."""

    def __init__(
        self, directory: str | os.PathLike[str], *, command: str = "mcpcompact results", options: str = ""
    ) -> None:
        super().__init__(local(os.fspath(directory)), command=command, options=options)

    def put(self, original: layout.Original) -> layout.Reference:
        """Store it and return its reference, after everything was flushed, read back and named.

        The same content is one file, named by the first tool that brought it; the meta file describes the latest
        call and lists the earlier ones under ``earlier``.
        Raises ``CannotWriteError`` (nothing is left under a final name that is not whole) or
        ``CannotReadError`` when the source itself fails.
        """
        with self._writing():
            self._make_directory()
            source, parts = original.source, layout.parts_of(original)
            with durable.Staging(self.directory) as staged:
                digest, data = self._digest(source), None
                if not any(digest.startswith(entry.id) for entry in self._entries(digest[: layout.ID_LENGTH])):
                    data = staged.add(layout.blocks_of(source), layout.once_more(source))
                    digest = data.sha256
                with durable.locked(self.directory):
                    entry = self._holding(digest, data.size if data else source.size)
                    if entry is None or entry.packed:
                        entry = entry or self._new_entry(digest, original)
                        data = data or staged.add(layout.blocks_of(source), layout.once_more(source))
                        staged.name(data, entry.plain)
                    known = self._read_meta(entry) or {}
                    pieces = []
                    for part in parts:
                        piece = staged.add(durable.slices(part.content))
                        staged.name(piece, f"{entry.stem}{part.suffix}")
                        pieces.append((part, piece.sha256))
                    size = data.size if data else source.size
                    about = described(entry, digest, size, original, pieces, known)
                    staged.name(staged.add([_bounded(dumped(about))]), f"{entry.stem}.meta.json")
                    staged.publish()
                    if entry.packed:
                        os.unlink(self._path(entry.data))
                    durable.sync_directory(self.directory)
        return self._reference(about)

    def mask_key(self) -> bytes:
        from mcpcompact.results.keys import mask_key

        with self._writing():
            self._make_directory()
            return mask_key(self.directory)

    def _make_directory(self) -> None:
        durable.make_directory(self.directory)
        ignore = os.path.join(self.directory, ".gitignore")
        if not os.path.lexists(ignore):
            try:
                durable.stage(self.directory, [b"*\n"]).publish(ignore)
            except OSError:
                if not os.path.lexists(ignore):  # else another first writer's has just replaced it: the same bytes
                    raise

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise layout.cannot_write(self.directory, error) from error

    def _digest(self, source: Source) -> str:
        """The SHA-256 of a small source, and of one as large as a file here, which may hold the same: it is not written
        again. Of any other empty, as it is told when it is written."""
        small = source.size <= durable.BLOCK
        known = small or any(self.size(entry.data) == source.size for entry in self._entries() if entry.data)
        return durable.sha256_of(layout.blocks_of(source)) if known else ""

    @contextmanager
    def _collecting(self, dry_run: bool, compress: bool) -> Iterator[bool]:
        if dry_run or not os.path.isdir(self.directory):
            yield True
            return
        with self._writing(), durable.locked(self.directory):
            yield False
            durable.sync_directory(self.directory)

    def forget(self, alive: Iterable[str], older_than: float | None, dry_run: bool) -> int:
        from mcpcompact.results.calls import prune_answers

        if not dry_run:
            own.prune(self.directory, alive)
        return 0 if older_than is None else prune_answers(self.directory, older_than, dry_run)

    def remember(self, id: str, text: str | bytes) -> None:
        """Losing the note is harmless, so nothing fails here."""
        folder = self._path(own.FOLDER)
        data = own.told(text)
        if not data:
            return
        with suppress(OSError):
            if not os.path.isdir(folder):
                os.mkdir(folder, 0o700)
            if os.path.islink(folder):
                return
            flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            descriptor = os.open(os.path.join(folder, own.noted(data)), flags, 0o600)
            try:
                os.write(descriptor, f"{id}\n".encode())
            finally:
                os.close(descriptor)

    def noted_for(self, data: bytes) -> str:
        with suppress(OSError):
            return own.named_in(os.path.join(self._path(own.FOLDER), own.noted(data))) if data else ""
        return ""

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def is_regular(self, name: str) -> bool:
        return durable.is_regular(self._path(name))

    def size(self, name: str) -> int:
        return (durable.state_of(self._path(name)) or (0,))[0]

    def remove(self, name: str) -> None:
        with suppress(FileNotFoundError):
            os.unlink(self._path(name))

    def collected(self) -> Collected:
        return collected(self._path(COLLECTED))

    def bury(self, dead: Collected) -> None:
        durable.stage(self.directory, [written(dead)]).publish(self._path(COLLECTED))
        durable.sync_directory(self.directory)

    def age(self, name: str) -> float:
        try:
            return max(0.0, time.time() - os.lstat(self._path(name)).st_mtime)
        except OSError:
            return 0.0

    def names(self) -> list[str]:
        try:
            return sorted(os.listdir(self.directory))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise CannotReadError(
                f"cannot read the results directory {self.directory}: {layout.reason(error)}"
            ) from error

    def parsed(self, name: str) -> Any:
        try:
            with durable.open_regular(self._path(name)) as stream:
                return parsed(stream.read(META_AT_MOST + 1))
        except OSError:
            return None

    def _hash(self, name: str, size: int, *, strict: bool = False) -> str:
        path, digest, left = self._path(name), hashlib.sha256(), size
        try:
            if strict:
                durable.open_regular(path).close()
            if not name.endswith(layout.PACKED) and os.lstat(path).st_size != size:
                return ""
            for block in layout.expanded(path):
                digest.update(block)
                if (left := left - len(block)) < 0:
                    return ""
        except (CannotReadError, OSError) as error:
            if not strict:
                return ""
            raise (error if isinstance(error, OSError) else OSError(str(error))) from None
        return "" if left else digest.hexdigest()


def _bounded(meta: bytes) -> bytes:
    if len(meta) > META_AT_MOST:
        raise OSError(errno.EFBIG, f"what is to be noted about the call exceeds {META_AT_MOST >> 20} MB")
    return meta
