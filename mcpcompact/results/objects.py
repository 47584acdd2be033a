"""The results directory on an object store, or whatever else fsspec reaches: ``ResultStore("s3://bucket/results")``.

The names and meta files are those of a directory, so that a copy of the objects is one. What differs: an object is
written under its final name, since it is whole there or absent; it is read back and compared, and the meta file, which
advertises, comes last. There is no lock: two that put the same content at once may leave it under two tools' names
(one is found), or forget one of the earlier calls. Nothing is packed.
"""

from __future__ import annotations

import errno
import hashlib
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from mcpcompact.errors import CannotReadError, CannotWriteError, McpcompactError, NoInputError, UsageError
from mcpcompact.inputs import remote, scrubbed, shown
from mcpcompact.inputs.reading import spooled
from mcpcompact.results import keys, layout, meta, own
from mcpcompact.results.base import Store
from mcpcompact.results.durable import sha256_of
from mcpcompact.source import Source

LISTED_FOR = 30
"""Seconds for which a writer trusts a listing: else each of 5,000 results of a batch would list all others."""

MISSED_AFTER = 2  # seconds after which what a listing has not is looked for again

_LISTINGS: dict[str, tuple[float, dict[str, tuple[int, float]]]] = {}
"""By directory: when it was listed (monotonic), and what was there or was put since."""


class ObjectStore(Store):
    """As ``DirectoryStore``. ``directory`` is shown without credentials, and so are references."""

    def __init__(
        self, directory: str | os.PathLike[str], *, command: str = "mcpcompact results", options: str = ""
    ) -> None:
        self._url = os.fspath(directory).rstrip("/")
        super().__init__(shown(self._url), command=command, options=scrubbed(options))

    # ---- writing

    def put(self, original: layout.Original) -> layout.Reference:
        source, parts = original.source, layout.parts_of(original)
        digest = sha256_of(layout.blocks_of(source))
        with _storing():
            self._listed(LISTED_FOR)
            held = self._holding(digest, source.size)
            entry = held or self._free(digest, original)
        if held is None:
            self._write(entry.plain, layout.blocks_of(source), digest)
        pieces = []
        for part in parts:
            sha256 = hashlib.sha256(part.content).hexdigest()
            self._write(f"{entry.stem}{part.suffix}", iter((part.content,)), sha256)
            pieces.append((part, sha256))
        with _storing():
            known = self._read_meta(entry) or {}
        about = meta.described(entry, digest, source.size, original, pieces, known)
        self._advertise(entry.stem, meta.dumped(about), digest)
        return self._reference(about)

    def _advertise(self, stem: str, text: bytes, digest: str) -> None:
        """Write the meta file. That of another who stores the same at this moment is as good."""
        name = f"{stem}.meta.json"
        if self._reads_back(name, iter((text,)), hashlib.sha256(text).hexdigest()):
            return
        with _storing():
            about = self._read_meta(layout.Entry(stem, stem.rpartition("-")[2], meta=name)) or {}
        if about.get("sha256") != digest:
            raise CannotWriteError(f"what was written to {self._path(name)} reads back differently")

    def _free(self, digest: str, original: layout.Original) -> layout.Entry:
        """A new entry, which no other writer has taken for other content since the directory was listed."""
        entry = self._new_entry(digest, original)
        about = self._read_meta(layout.Entry(entry.stem, entry.id, meta=f"{entry.stem}.meta.json"))
        if about is not None and about.get("sha256") != digest:
            self._listed(0)
            entry = self._new_entry(digest, original)
        return entry

    def _write(self, name: str, blocks: Iterator[bytes | memoryview], sha256: str) -> None:
        if not self._reads_back(name, blocks, sha256):
            raise CannotWriteError(f"what was written to {self._path(name)} reads back differently")

    def _reads_back(self, name: str, blocks: Iterator[bytes | memoryview], sha256: str) -> bool:
        """Write an object, and whether it is then there as it was written."""
        size = remote.write(self._at(name), blocks)
        with _storing():
            small = size <= remote.AT_ONCE
            digest = sha256_of((remote.read(self._at(name)),) if small else remote.blocks(self._at(name)))
        if digest == sha256 and (listed := _LISTINGS.get(self._url)) is not None:
            listed[1][name] = size, time.time()
        return digest == sha256

    def mask_key(self) -> bytes:
        """Of two that make it at once, both take the one that was first."""
        with suppress(NoInputError):
            return self._key()
        remote.create(self._at(keys.NAME), os.urandom(keys.SIZE))
        return self._key()

    def _key(self) -> bytes:
        key = remote.read(self._at(keys.NAME))
        if len(key) != keys.SIZE:
            raise CannotReadError(f"{self._path(keys.NAME)} is not a key of {keys.SIZE} bytes")
        return key

    @contextmanager
    def _collecting(self, dry_run: bool, compress: bool) -> Iterator[bool]:
        """Nothing is packed here: a store's own classes and lifecycle rules do that."""
        if compress:
            raise UsageError("nothing is packed on an object store", hint="leave --compress out")
        yield dry_run

    def remove(self, name: str) -> None:
        remote.remove(self._at(name))
        if (listed := _LISTINGS.get(self._url)) is not None:
            listed[1].pop(name, None)

    def forget(self, alive: Iterable[str], older_than: float | None, dry_run: bool) -> int:
        """Answers of models are not kept here."""
        for name in () if dry_run else remote.listing(self._at(own.FOLDER)):
            url = self._at(f"{own.FOLDER}/{name}")
            with suppress(McpcompactError):
                id = remote.read(url)[:80].decode("ascii", "replace").strip()
                if meta.NOTE_NAME.fullmatch(name) and meta.ID.fullmatch(id) and id not in alive:
                    remote.remove(url)
        return 0

    def collected(self) -> meta.Collected:
        with suppress(NoInputError):
            return meta.listed(remote.read(self._at(meta.COLLECTED)))
        return {}

    def bury(self, dead: meta.Collected) -> None:
        """Of two that collect at the same moment, the later list stands."""
        remote.write(self._at(meta.COLLECTED), [meta.written(dead)])

    # ---- our own output

    def remember(self, id: str, text: str | bytes) -> None:
        if data := own.told(text):
            with suppress(McpcompactError):
                remote.write(self._at(f"{own.FOLDER}/{own.noted(data)}"), [f"{id}\n".encode()])

    def _is_here(self, folder: str) -> bool:
        return folder == self.directory

    def noted_for(self, data: bytes) -> str:
        with suppress(NoInputError):
            return remote.read(self._at(f"{own.FOLDER}/{own.noted(data)}"))[:80].decode("ascii", "replace").strip()
        return ""

    # ---- reading

    def contains(self, id: str) -> bool:
        for most in (LISTED_FOR, MISSED_AFTER):
            self._listed(most)
            if super().contains(id):
                return True
        return False

    def _refresh(self) -> None:
        self._listed(0)

    def _distinct(self, hits: list[layout.Entry]) -> list[layout.Entry]:
        if len(hits) <= 1:
            return hits
        entries: dict[str, layout.Entry] = {}
        for entry in hits:
            if (about := self._read_meta(entry)) is not None:
                entries.setdefault(str(about.get("sha256")), entry)
        return list(entries.values()) or hits

    def _check(self, result: layout.StoredResult) -> list[layout.Problem]:
        assert isinstance(result, StoredObject)
        problems = []
        for part in meta.parts(result.meta):
            try:
                digest = sha256_of(result.fetched(part["file"]).chunks())  # what is fetched is then read
            except McpcompactError as error:
                problems.append(layout.Problem(result.id, part["file"], str(error)))
                continue
            if digest != part["sha256"]:
                problems.append(layout.Problem.changed(result.id, part["file"]))
        return problems

    def _stored(self, entry: layout.Entry, meta: dict[str, Any]) -> layout.StoredResult:
        return StoredObject(entry.id, self._path(str(meta.get("file") or entry.data)), meta, self._url)

    # ---- objects

    def _at(self, name: str) -> str:
        return f"{self._url}/{name}"

    def _path(self, name: str) -> str:
        return f"{self.directory}/{name}"

    def _listed(self, most: float) -> dict[str, tuple[int, float]]:
        """Size and time by name, listed at most ``most`` seconds ago."""
        at, files = _LISTINGS.get(self._url, (0.0, {}))
        if not at or time.monotonic() - at >= most:
            at, files = time.monotonic(), remote.listing(self._url)
            _LISTINGS[self._url] = at, files
        return files

    def names(self) -> list[str]:
        return sorted([*self._listed(LISTED_FOR)])  # at once: another thread may put

    def age(self, name: str) -> float:
        _, at = self._listed(LISTED_FOR).get(name, (0, 0.0))
        return max(0.0, time.time() - at) if at else 0.0

    def is_regular(self, name: str) -> bool:
        return name in self._listed(LISTED_FOR)

    def size(self, name: str) -> int:
        return self._listed(LISTED_FOR).get(name, (0, 0.0))[0]

    def parsed(self, name: str) -> Any:
        if self.size(name) > meta.META_AT_MOST:
            return None
        with suppress(NoInputError):
            return meta.parsed(remote.read(self._at(name)))
        return None

    def _hash(self, name: str, size: int, *, strict: bool = False) -> str:
        try:
            return sha256_of(remote.blocks(self._at(name)))
        except NoInputError as error:
            if strict:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name) from error
        except CannotReadError as error:
            if strict:
                raise OSError(str(error)) from error
            raise
        return ""


class StoredObject(layout.StoredResult):
    """A result whose files are fetched when they are asked for, once: into memory, over 64 MB to a temporary file.
    ``url`` is that of the directory, with credentials."""

    def __init__(self, id: str, path: str, meta: dict[str, Any], url: str) -> None:
        super().__init__(id, path, meta)
        self.url = url
        self._fetched: dict[str, Source] = {}

    def fetched(self, name: str) -> Source:
        """A stored file. Raises ``NoInputError`` when it is gone, ``CannotReadError``."""
        if name not in self._fetched:
            self._fetched[name] = spooled("result", remote.blocks(f"{self.url}/{name}"))
        return self._fetched[name]


@contextmanager
def _storing() -> Iterator[None]:
    """A directory that cannot be read cannot be written."""
    try:
        yield
    except (CannotReadError, NoInputError) as error:
        raise CannotWriteError(str(error), hint=error.hint) from None
