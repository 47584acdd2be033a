"""The results directory: full tool results as plain files that people and agents can open.

``<tool>-<id>.<ext>`` is the original, byte for byte; ``<tool>-<id>.meta.json`` says what it is.
``<id>`` is the first 8 hex digits of the original's SHA-256, longer on a clash. Beside them may
stand ``<tool>-<id>.payload.<ext>`` (the text unwrapped from an envelope, when it has long lines)
and ``<tool>-<id>.view.<ext>`` (a line-friendly view of the payload). A result is *advertised*
once its meta file has its name; everything it refers to is whole by then, on disk, and was read
back. What a killed process leaves before that moment is a leftover that nobody was told about.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, BinaryIO

from mcpcompact.errors import CannotReadError, CannotWriteError, NoInputError
from mcpcompact.outline import Source
from mcpcompact.remote import is_url, local
from mcpcompact.results.about import described, dumped, safe
from mcpcompact.results.durable import (
    BLOCK,
    TEMPORARY,
    Staging,
    locked,
    make_directory,
    sha256_if_same,
    slices,
    stage,
    state_of,
    sync_directory,
)
from mcpcompact.results.layout import (
    ID_LENGTH,
    Entry,
    blocks_of,
    entries,
    expanded,
    once_more,
    parts_of,
    present,
    read_data,
    reason,
    safe_extension,
    slug,
    source_of,
    unpacked,
    view_omitted,
)
from mcpcompact.shell import command, words
from mcpcompact.slotted import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.results.cleaning import Cleaning
    from mcpcompact.results.own import Own

STALE_SECONDS = 3600
"""A temporary file older than this belongs to nobody any more."""

_MORE = {
    "records": ("--records", "1:20"),
    "table": ("--records", "1:20"),
    "fasta": ("--records", "1:5"),
}
_Hashed = dict[tuple[int, ...], str]
"""SHA-256 of files by their state."""

_ELSEWHERE = "free some space or choose another directory with --results-dir"


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a full result lies and how to fetch parts of it. ``commands`` are ready to run."""

    id: str
    path: str
    sha256: str
    bytes: int
    commands: list[str]
    view: str | None = None

    def as_dict(self) -> dict[str, Any]:
        found = {
            "id": self.id,
            "path": self.path,
            "sha256": self.sha256,
            "bytes": self.bytes,
            "commands": list(self.commands),
        }
        return {**found, "view": self.view} if self.view else found


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with an advertised result."""

    id: str
    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"


@dataclass(frozen=True, slots=True)
class StoredResult:
    """One stored result. ``path`` is the original, which may be packed by ``gc`` (``.zst``, ``.gz``)."""

    id: str
    path: str
    meta: dict[str, Any]

    def open(self) -> BinaryIO:
        """The original's bytes, unpacked. Raises ``CannotReadError``."""
        return unpacked(self.path)

    def source(self) -> Source:
        """The original."""
        return source_of(self.path)

    def payload(self) -> Source:
        """What the summary's line and record numbers refer to: the unwrapped text, else the original."""
        return self._part("payload") or self.source()

    def view(self) -> Source | None:
        """The line-friendly view, where there is one."""
        return self._part("view")

    @property
    def one_line(self) -> bool:
        """The payload is one long line: its view is the way to read it by lines."""
        return bool((self.meta.get("view") or {}).get("oneLine"))

    def _part(self, name: str) -> Source | None:
        part = self.meta.get(name)
        return source_of(present(os.path.join(os.path.dirname(self.path), part["file"]))) if part else None


class ResultStore:
    """The results directory at ``directory``, made when first written to.

    The directory itself may be a symbolic link, since the user named it; no link inside is followed. A URL
    (``s3://bucket/results``) gives the same on an object store: see ``results/objects.py``.
    ``command`` is how a reader calls the reading commands, ``options`` what must stand behind the id
    (``" --results-dir out"`` when a later command would not find the directory by itself).
    """

    def __new__(cls, directory: str | os.PathLike[str] = "", **_: Any) -> ResultStore:
        if cls is ResultStore and is_url(os.fspath(directory)):
            import importlib  # by name, as content types are: that module is built on this one

            made: ResultStore = object.__new__(importlib.import_module("mcpcompact.results.objects").ObjectStore)
            return made
        return object.__new__(cls)

    def __init__(
        self, directory: str | os.PathLike[str], *, command: str = "mcpcompact results", options: str = ""
    ) -> None:
        self.directory = local(os.fspath(directory))
        self.options = options
        self.command = command

    # ---- writing

    def put(
        self,
        source: Source,
        *,
        tool: str | None,
        content_type: str,
        extension: str,
        meta: Mapping[str, Any],
        payload: str | None = None,
    ) -> Reference:
        """Store ``source`` and return its reference, after everything was flushed, read back and named.

        ``payload`` is the text unwrapped from an envelope. ``meta`` goes into the meta file beside what is
        known here; its ``more`` (selectors, see ``mcpcompact.shell``) become the reference's commands. The same
        content is one file, named by the first tool that brought it; the meta file describes the latest
        call and lists the earlier ones under ``earlier``.
        Raises ``CannotWriteError`` (nothing is left under a final name that is not whole) or
        ``CannotReadError`` when the source itself fails.
        """
        with self._writing():
            self._make_directory()
            parts = parts_of(source, payload, content_type)
            with Staging(self.directory) as staged:
                hashed: _Hashed = {}
                small = source.size <= BLOCK
                digest = hashlib.sha256(read_data(source)).hexdigest() if small else self._at_hand(source, hashed)
                data = None
                if not digest or self._holding(digest, hashed) is None:
                    data = staged.add(blocks_of(source), once_more(source))
                    digest = data.sha256
                with locked(self.directory):
                    entry = self._holding(digest, hashed)
                    if entry is None or entry.packed:
                        entry = entry or self._new_entry(digest, slug(tool), safe_extension(extension))
                        data = data or staged.add(blocks_of(source), once_more(source))
                        staged.name(data, entry.plain)
                    known = self._read_meta(entry) or {}
                    pieces = []
                    for part in parts:
                        piece = staged.add(slices(part.content))
                        staged.name(piece, f"{entry.stem}{part.suffix}")
                        pieces.append((part, piece.sha256))
                    size = data.size if data else source.size
                    if view_omitted(source, payload):
                        meta = {**meta, "viewOmitted": "over 16 MB"}
                    about = described(entry, digest, size, content_type, tool, meta, pieces, known)
                    staged.name(staged.add([dumped(about)]), f"{entry.stem}.meta.json")
                    staged.publish()
                    if entry.packed:
                        os.unlink(self._path(entry.data))
                    sync_directory(self.directory)
        return self._reference(about)

    def mask_key(self) -> bytes:
        """The key under which secrets are masked here, made at its first use. Raises ``CannotWriteError``."""
        from mcpcompact.results.keys import mask_key

        with self._writing():
            self._make_directory()
            return mask_key(self.directory)

    def _make_directory(self) -> None:
        make_directory(self.directory)
        ignore = os.path.join(self.directory, ".gitignore")
        if not os.path.lexists(ignore):
            try:
                stage(self.directory, [b"*\n"]).publish(ignore)
            except OSError:
                if not os.path.lexists(ignore):  # else another first writer's has just replaced it: the same bytes
                    raise

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise CannotWriteError(
                f"cannot write to the results directory {self.directory}: {reason(error)}", hint=_ELSEWHERE
            ) from error

    def _at_hand(self, source: Source, hashed: _Hashed) -> str:
        """The SHA-256 of a large source whose bytes a file here has already: it is not written again. Else empty."""
        for entry in self._entries():
            path = self._path(entry.data)
            state = state_of(path)
            if state[:1] == (source.size,) and (found := sha256_if_same(path, blocks_of(source), source.size)):
                hashed[state] = found
                return found
        return ""

    def _holding(self, digest: str, hashed: _Hashed | None = None) -> Entry | None:
        """The entry whose file has exactly the content of ``digest``, found by id and re-hashed, unless it is in
        ``hashed`` and did not change since."""
        for entry in self._entries(digest[:ID_LENGTH]):
            if entry.data and digest.startswith(entry.id):
                state = state_of(self._path(entry.data)) if hashed else ()
                if ((hashed or {}).get(state) or self._hash(entry.data)) == digest:
                    return entry
        return None

    def _new_entry(self, digest: str, slug: str, extension: str) -> Entry:
        """A free id for ``digest``: the shortest prefix that no other content has. A broken file is replaced."""
        taken: dict[str, bool] = {}  # id: whether that is this very content, gone bad or missing
        for entry in self._entries(digest[:ID_LENGTH]):
            known = self._read_meta(entry)
            mine = known is not None and known.get("sha256") == digest
            if mine:
                return Entry(entry.stem, entry.id, data=entry.data or f"{entry.stem}{extension}", meta=entry.meta)
            if not entry.data or not os.path.islink(self._path(entry.data)):
                taken[entry.id] = True
        id = next(digest[:n] for n in range(ID_LENGTH, 65) if digest[:n] not in taken or n == 64)
        return Entry(f"{slug}-{id}", id, data=f"{slug}-{id}{extension}")

    def _reference(self, about: Mapping[str, Any]) -> Reference:
        id = about["id"]
        more = about.get("more") or [_MORE.get(about.get("contentType") or "", ("--lines", "1:80"))]
        chosen = [found for told in more if (found := words(told))]
        view = about.get("view")
        return Reference(
            id=id,
            path=self._path(about["file"]),
            sha256=about["sha256"],
            bytes=about["bytes"],
            commands=[self.get_command(id), *(self.get_command(id, *found) for found in chosen)],
            view=self._path(view["file"]) if view else None,
        )

    def get_command(self, id: str, *more: str) -> str:
        """The command that gets the result ``id``, or the part of it that the options ``more`` name."""
        return command(*shlex.split(self.command), "get", id, *shlex.split(self.options), *more)

    def reference(self, result: StoredResult) -> Reference:
        """The reference to a stored result, as ``put`` returned it."""
        return self._reference({**result.meta, "id": result.id})

    # ---- reading

    def get(self, id: str, *, verify: bool = True) -> StoredResult:
        """The result whose id begins with ``id``; its bytes are hashed again unless told otherwise.

        Raises ``NoInputError`` for an unknown or ambiguous id, ``CannotReadError`` when the stored
        bytes are not those that were put.
        """
        found = self.find(id)
        if verify and (problems := self._check(found)):
            raise CannotReadError(
                f"stored result {found.id} is damaged: {problems[0]}",
                hint="run the tool again: putting the same content repairs it",
            )
        return found

    def find(self, prefix: str) -> StoredResult:
        """As ``get``, without hashing. More of the SHA-256 than the id, up to all of it, is understood too."""
        prefix = prefix.lower()
        known = [entry for entry in self._entries() if entry.meta]
        hits = [entry for entry in known if entry.id == prefix]
        if not hits and prefix:
            hits = [entry for entry in known if entry.id.startswith(prefix) or self._begins(entry, prefix)]
        hits = self._distinct(hits)
        if len(hits) == 1 and (meta := self._read_meta(hits[0])) is not None:
            return self._stored(hits[0], meta)
        if len(hits) > 1:
            raise NoInputError(f"id {prefix} is ambiguous", hint=f"it could be {', '.join(e.id for e in hits[:5])}")
        if hits:
            raise CannotReadError(f"the meta file of {hits[0].id} cannot be read", hint="see `results verify`")
        near = _near(prefix, [entry.id for entry in known])
        raise NoInputError(
            f"no stored result {prefix or '(empty id)'} in {self.directory}",
            hint=f"near: {', '.join(near)}" if near else "`results list` shows what there is",
        )

    def _distinct(self, hits: list[Entry]) -> list[Entry]:
        """One entry of each content. Under the lock of a directory there is no other."""
        return hits

    def _begins(self, entry: Entry, prefix: str) -> bool:
        """Whether ``prefix``, longer than the entry's id, begins its SHA-256."""
        known = self._read_meta(entry) if prefix.startswith(entry.id) else None
        return known is not None and str(known.get("sha256")).startswith(prefix)

    def leftovers(self, *, older_than: float = 0) -> list[str]:
        """Files that a killed process left before anybody was told of them, and its temporary ones after an hour."""
        names = {name for entry in self._entries() if not entry.meta for name in entry.files()}
        stale = {name for name in self.names() if name.startswith(TEMPORARY)}
        return sorted(
            [name for name in names if self.age(name) >= older_than]
            + [name for name in stale if self.age(name) >= STALE_SECONDS]
        )

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

        if dry_run or not os.path.isdir(self.directory):
            return clean(self, older_than, max_bytes, dry_run=True, compress=compress)
        with self._writing(), locked(self.directory):
            return clean(self, older_than, max_bytes, dry_run=False, compress=compress)

    def contains(self, id: str) -> bool:
        """Whether ``id`` (exact) is advertised here."""
        return any(entry.id == id and entry.meta for entry in self._entries(id[:ID_LENGTH]))

    def remember(self, id: str, text: str | bytes) -> None:
        """Note that ``text`` was put out for the result ``id``, so that it is recognised when it comes back."""
        from mcpcompact.results.own import remember

        remember(self, id, text)

    def noted_for(self, data: bytes) -> str:
        """The id that ``data`` was remembered for, else empty."""
        from mcpcompact.results.own import noted_for

        return noted_for(self, data)

    def recognise(self, source: Source, payload: Source, arguments: Mapping[str, Any] | None = None) -> Own | None:
        """What of ours ``source`` is (a text put out before, a stored file, a part that the call in ``arguments``
        read back), or None. Decided by content, never by shape: a text that quotes an id is not ours."""
        from mcpcompact.results.own import recognise

        return recognise(self, source, payload, arguments)

    def verify(self, id: str | None = None) -> list[Problem]:
        """Re-hash one advertised result, or all of them; what is wrong, in the order of their names."""
        if id is not None:
            try:
                return self._check(self.find(id))
            except CannotReadError as error:
                return [Problem(id, id, str(error))]
        problems = []
        for entry in self._entries():
            if not entry.meta:
                continue
            meta = self._read_meta(entry)
            if meta is None:
                problems.append(Problem(entry.id, entry.meta, "the meta file cannot be read"))
            else:
                problems += self._check(self._stored(entry, meta))
        return problems

    def _check(self, result: StoredResult) -> list[Problem]:
        problems = []
        meta = result.meta
        for about in (meta, meta.get("payload"), meta.get("view")):
            if not about:
                continue
            name = os.path.basename(present(self._path(str(about.get("file", "")))))
            try:
                found = self._hash(name, strict=True)
            except OSError as error:
                problems.append(Problem(result.id, name, reason(error)))
                continue
            if found != about.get("sha256"):
                problems.append(Problem(result.id, name, "its bytes are not those that were stored"))
        return problems

    def _stored(self, entry: Entry, meta: dict[str, Any]) -> StoredResult:
        return StoredResult(entry.id, present(self._path(str(meta.get("file") or entry.data))), meta)

    # ---- files

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def age(self, name: str) -> float:
        """Seconds since a file was written; 0 for one that is gone."""
        try:
            return max(0.0, time.time() - os.lstat(self._path(name)).st_mtime)
        except OSError:
            return 0.0

    def names(self) -> list[str]:
        """The names in the directory, sorted; none when it is not there."""
        try:
            return sorted(os.listdir(self.directory))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise CannotReadError(f"cannot read the results directory {self.directory}: {reason(error)}") from error

    def _entries(self, prefix: str = "") -> list[Entry]:
        return entries(self.names(), prefix)

    def _read_meta(self, entry: Entry) -> dict[str, Any] | None:
        if not entry.meta:
            return None
        import json

        try:
            with unpacked(self._path(entry.meta)) as stream:
                meta = json.loads(stream.read())
        except (OSError, CannotReadError, ValueError, RecursionError):
            return None
        return meta if safe(meta) else None

    def _hash(self, name: str, *, strict: bool = False) -> str:
        digest = hashlib.sha256()
        try:
            for block in expanded(self._path(name)):
                digest.update(block)
        except CannotReadError as error:
            if strict:
                raise OSError(str(error)) from error
            return ""
        return digest.hexdigest()

    def list(self) -> list[StoredResult]:
        """All advertised results, newest first."""
        found = []
        for entry in self._entries():
            if (meta := self._read_meta(entry)) is not None:
                found.append(self._stored(entry, meta))
        return sorted(found, key=lambda result: (str(result.meta.get("time", "")), result.id), reverse=True)


def _near(prefix: str, ids: list[str]) -> list[str]:
    import difflib

    return difflib.get_close_matches(prefix, ids, n=3, cutoff=0.4)
