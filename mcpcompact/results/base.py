"""What every place for results has in common: which files are one result, how it is found, checked and named.

A place provides the primitives at the end of ``Store``; ``directory`` does so on disk, ``objects`` on an object store.
"""

from __future__ import annotations

import errno
import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, suppress
from typing import TYPE_CHECKING, Any

from mcpcompact.errors import CannotReadError, NoInputError
from mcpcompact.results import layout, own
from mcpcompact.results.layout import ID_LENGTH, Entry, Original, Problem, Reference, StoredResult
from mcpcompact.results.meta import LONGER_ID, MAX_COLLECTED, Collected, damaged, entry_of, gone, narrow, parts, sound
from mcpcompact.shell import command, words
from mcpcompact.source import Source

if TYPE_CHECKING:
    from mcpcompact.results.cleaning import Cleaning

_MORE = {"records": ("--records", "1:20"), "table": ("--records", "1:20"), "fasta": ("--records", "1:5")}


class Store(ABC):
    """Full tool results by id, each advertised by its meta file. ``directory`` is the place as people are shown it,
    ``command`` how a reader calls the reading commands, ``options`` what must stand behind the id
    (``" --results-dir out"`` when a later command would not find the place by itself)."""

    def __init__(self, directory: str, *, command: str = "mcpcompact results", options: str = "") -> None:
        self.directory, self.command, self.options = directory, command, options

    @abstractmethod
    def put(self, original: Original) -> Reference:
        """Keep one original and advertise it. Raises ``CannotWriteError``; nothing is advertised then."""

    @abstractmethod
    def mask_key(self) -> bytes:
        """The key under which secrets are masked here, made at its first use. Raises ``CannotWriteError``."""

    def gc(
        self,
        older_than: float | None = None,
        max_bytes: int | None = None,
        *,
        dry_run: bool = True,
        compress: bool = False,
    ) -> Cleaning:
        """Remove (or pack, with ``compress``) results last put more than ``older_than`` seconds ago, then the
        oldest beyond ``max_bytes`` in all, then leftovers over an hour old. ``dry_run`` only says what it would do."""
        from mcpcompact.results.cleaning import clean

        with self._collecting(dry_run, compress) as only_said:
            return clean(self, older_than, max_bytes, dry_run=only_said, compress=compress)

    @abstractmethod
    def _collecting(self, dry_run: bool, compress: bool) -> AbstractContextManager[bool]:
        """What ``gc`` runs in; gives whether it only says what it would do. Raises ``UsageError`` where nothing can be
        packed."""

    @abstractmethod
    def forget(self, alive: Iterable[str], older_than: float | None, dry_run: bool) -> int:
        """Remove what was noted of results that are gone, and older answers of models; the bytes that frees."""

    @abstractmethod
    def remember(self, id: str, text: str | bytes) -> None:
        """Note that ``text`` was put out for the result ``id``, so that it is recognised when it comes back."""

    @abstractmethod
    def noted_for(self, data: bytes) -> str:
        """The id that ``data`` was remembered for, else empty."""

    def _holding(self, digest: str, size: int) -> Entry | None:
        """The entry whose file has exactly the content of ``digest``, found by id and re-hashed. A damaged meta file is
        no obstacle, a link in its place is."""
        for entry in self._entries(digest[:ID_LENGTH]):
            if not digest.startswith(entry.id) or (entry.meta and not self.is_regular(entry.meta)):
                continue
            self._read_meta(entry)
            if entry.data and self._hash(entry.data, size) == digest:
                return entry
        return None

    def _new_entry(self, digest: str, original: Original) -> Entry:
        """A free id for ``digest``: the shortest prefix that no other content has or had here, and no other file. What
        is missing or damaged of this very content is put where its meta file says. Raises ``OSError``."""
        taken = set()
        for entry in self._entries(digest[:ID_LENGTH]):
            known = self._read_meta(entry)
            if known is not None and known["sha256"] == digest:
                return Entry(entry.stem, entry.id, data=entry.data or str(known["file"]), meta=entry.meta)
            taken.add(entry.id)
        dead = self.collected()
        taken |= {id for id, sha256 in dead.items() if sha256 != digest}
        least = ID_LENGTH if len(dead) < MAX_COLLECTED else LONGER_ID
        id = next((digest[:n] for n in range(least, 65) if digest[:n] not in taken), "")
        if not id:
            raise OSError(errno.EEXIST, "every id of this content is taken")
        stem = f"{layout.slug(original.tool)}-{id}"
        return Entry(stem, id, data=stem + layout.safe_extension(original.extension))

    def _reference(self, about: Mapping[str, Any]) -> Reference:
        id = about["id"]
        more = about.get("more") or [_MORE.get(about.get("contentType") or "", ("--lines", "1:80"))]
        chosen = [selection for option in more if (selection := words(option))]
        commands = [self.get_command(id), *(self.get_command(id, *selection) for selection in chosen)]
        view = self._path(about["view"]["file"]) if about.get("view") else None
        return Reference(id, self._path(about["file"]), about["sha256"], about["bytes"], commands, view)

    def get_command(self, id: str, *more: str) -> str:
        """The command that gets the result ``id``, or the part of it that the options ``more`` name."""
        return command(*shlex.split(self.command), "get", id, *shlex.split(self.options), *more)

    def reference(self, result: StoredResult) -> Reference:
        """The reference to a stored result, as ``put`` returned it."""
        return self._reference({**result.meta, "id": result.id})

    def get(self, id: str, *, verify: bool = True) -> StoredResult:
        """The result whose id begins with ``id``; its bytes are hashed again unless told otherwise.

        Raises ``NoInputError`` for an unknown or ambiguous id, ``CannotReadError`` when the stored
        bytes are not those that were put.
        """
        result = self.find(id)
        if verify and (problems := self._check(result)):
            raise CannotReadError(
                f"stored result {result.id} is damaged: {problems[0]}",
                hint="run the tool again: putting the same content repairs it",
            )
        return result

    def find(self, prefix: str) -> StoredResult:
        """As ``get``, without hashing. More of the SHA-256 than the id, up to all of it, is understood too, and less,
        down to one digit; but so many digits as an id has are never taken for the beginning of a longer one: they
        were printed for another result."""
        self._refresh()
        prefix = prefix.lower()
        known = [entry for entry in self._entries() if entry.meta]
        hits = [entry for entry in known if entry.id == prefix]
        if not hits and (dead := gone(self._dead(), prefix)) and not any(entry.id == dead for entry in known):
            raise NoInputError(
                f"result {dead} was collected by `results gc`", hint="to have it again, call the tool again"
            )
        if not hits and prefix:
            hits = [entry for entry in known if entry.id.startswith(prefix) or self._begins(entry, prefix)]
        hits = self._distinct(hits)
        if len(hits) > 1:
            raise NoInputError(f"id {prefix} is ambiguous", hint=f"it could be {', '.join(e.id for e in hits[:5])}")
        if hits and (len(prefix) < ID_LENGTH or len(prefix) >= len(hits[0].id)):
            if (meta := self._read_meta(hits[0])) is not None:
                return self._stored(hits[0], meta)
            raise CannotReadError(f"stored result {hits[0].id}: {damaged(hits[0])}", hint="see `results verify`")
        import difflib

        near = difflib.get_close_matches(prefix, [entry.id for entry in known], n=3, cutoff=0.4)
        raise NoInputError(
            f"no stored result {prefix or '(empty id)'} in {self.directory}",
            hint=f"near: {', '.join(near)}" if near else "`results list` shows what there is",
        )

    def _dead(self) -> Collected:
        with suppress(OSError, CannotReadError):
            return self.collected()
        return {}

    def _distinct(self, hits: list[Entry]) -> list[Entry]:
        """One entry of each content. Under the lock of a directory there is no other."""
        return hits

    def _begins(self, entry: Entry, prefix: str) -> bool:
        """Whether ``prefix``, longer than the entry's id, begins its SHA-256."""
        known = self._read_meta(entry) if prefix.startswith(entry.id) else None
        return known is not None and str(known.get("sha256")).startswith(prefix)

    def leftovers(self, *, older_than: float = 0) -> list[str]:
        """Files that a killed process left before anybody was told of them; its temporary ones after an hour."""
        from mcpcompact.results.cleaning import leftovers

        return leftovers(self, older_than)

    def contains(self, id: str) -> bool:
        """Whether ``id`` (exact) is advertised here."""
        return any(entry.id == id and entry.meta for entry in self._entries(id[:ID_LENGTH]))

    def recognise(self, source: Source, payload: Source, arguments: Mapping[str, Any] | None = None) -> own.Own | None:
        """What of ours ``source`` is (a text put out before, a stored file, a part that the call in ``arguments``
        read back), or None. Decided by content, never by shape: a text that quotes an id is not ours."""
        return own.recognise(self, source, payload, arguments)

    def _is_here(self, folder: str) -> bool:
        """Whether ``folder`` is this place. Raises ``OSError``."""
        return os.path.isdir(self.directory) and os.path.samefile(folder or ".", self.directory)

    def verify(self, id: str | None = None) -> list[Problem]:
        """Re-hash one advertised result, or all of them; what is wrong, in the order of their names."""
        if id is not None:
            try:
                return self._check(self.find(id))
            except CannotReadError as error:
                return [Problem(id, id, str(error))]
        known, problems = self.known()
        for entry, meta in known:
            problems += self._check(self._stored(entry, meta))
        return sorted(problems, key=lambda problem: problem.file)

    def known(self) -> tuple[list[tuple[Entry, dict[str, Any]]], list[Problem]]:
        """What is advertised, and the meta files that cannot be used."""
        self._refresh()
        entries, problems = [], []
        for entry in self._entries():
            if entry.meta:
                if (meta := self._read_meta(entry)) is not None:
                    entries.append((entry, meta))
                else:
                    problems.append(damaged(entry))
        return entries, problems

    def _check(self, result: StoredResult) -> list[Problem]:
        entry = entry_of(os.path.basename(result.path))
        assert entry is not None
        return self.problems(entry, result.meta)

    def problems(self, entry: Entry, meta: Mapping[str, Any], *, absent: bool = False) -> list[Problem]:
        """Which files of a result are not what its sound ``meta`` says. ``absent``: one that is not there is no
        problem."""
        problems = []
        for part in parts(meta):
            name = os.path.basename(layout.present(self._path(part["file"])))
            try:
                if self._hash(name, part["bytes"], strict=True) != part["sha256"]:
                    problems.append(Problem.changed(entry.id, name))
            except FileNotFoundError as error:
                problems += [] if absent else [Problem(entry.id, name, layout.reason(error))]
            except OSError as error:
                problems.append(Problem(entry.id, name, layout.reason(error)))
        return problems

    def _stored(self, entry: Entry, meta: dict[str, Any]) -> StoredResult:
        return StoredResult(entry.id, layout.present(self._path(str(meta.get("file") or entry.data))), meta)

    def _refresh(self) -> None:  # noqa: B027 - nothing to do is what most places do
        """What follows goes by what is here now; a directory is looked at each time anyway."""

    def _entries(self, prefix: str = "") -> list[Entry]:
        return layout.entries(self.names(), prefix)

    def _read_meta(self, entry: Entry) -> dict[str, Any] | None:
        """What a sound meta file says, ``entry`` being narrowed to the files that it names; None for any other."""
        meta: dict[str, Any] | None = self.parsed(entry.meta) if entry.meta else None
        if meta is None or not sound(meta, entry):
            return None
        narrow(entry, meta)
        return meta

    # ---- files, by name

    @abstractmethod
    def names(self) -> list[str]:
        """The names here, sorted; none when there is no such place."""

    @abstractmethod
    def parsed(self, name: str) -> Any:
        """The JSON of a small file here; None for anything else."""

    @abstractmethod
    def is_regular(self, name: str) -> bool:
        """Whether a file of this name is here: no link, no directory, no pipe."""

    @abstractmethod
    def size(self, name: str) -> int:
        """Bytes of a file here; 0 for one that is gone."""

    @abstractmethod
    def age(self, name: str) -> float:
        """Seconds since a file was written; 0 for one that is gone."""

    @abstractmethod
    def remove(self, name: str) -> None:
        """Remove a file here; one that is gone already is no error. Raises ``OSError``."""

    @abstractmethod
    def collected(self) -> Collected:
        """The SHA-256 of results that ``gc`` removed, by id. Raises ``OSError`` where their list is no file of ours."""

    @abstractmethod
    def bury(self, dead: Collected) -> None:
        """Replace the list of what was collected. Raises ``OSError``."""

    @abstractmethod
    def _path(self, name: str) -> str: ...

    @abstractmethod
    def _hash(self, name: str, size: int, *, strict: bool = False) -> str:
        """The SHA-256 of a file of ``size`` bytes, unpacked; empty for one of another size. ``strict``: raises
        ``OSError`` for one that cannot be read."""

    def list(self) -> list[StoredResult]:
        """All advertised results, newest first."""
        results = [self._stored(entry, meta) for entry, meta in self.known()[0]]
        return sorted(results, key=lambda result: (str(result.meta.get("time", "")), result.id), reverse=True)
