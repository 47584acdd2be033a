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
import shlex
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from mcpcompact.errors import CannotReadError, CannotWriteError, NoInputError
from mcpcompact.inputs.remote import is_url, local
from mcpcompact.outline import Source
from mcpcompact.results.about import described, dumped
from mcpcompact.results.collected import LONGER, MOST, Collected, collected, gone, written
from mcpcompact.results.collected import NAME as COLLECTED
from mcpcompact.results.durable import (
    BLOCK,
    Staging,
    is_regular,
    locked,
    make_directory,
    open_regular,
    sha256_if_same,
    slices,
    stage,
    state_of,
    sync_directory,
)
from mcpcompact.results.layout import (
    ID_LENGTH,
    PACKED,
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
    view_omitted,
)
from mcpcompact.results.ownership import META_AT_MOST, damaged, entry_of, narrow, parsed, parts, sound
from mcpcompact.results.stored import Problem, Reference, StoredResult
from mcpcompact.shell import command, words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from mcpcompact.results.cleaning import Cleaning
    from mcpcompact.results.own import Own

_MORE = {"records": ("--records", "1:20"), "table": ("--records", "1:20"), "fasta": ("--records", "1:5")}
_Hashed = dict[tuple[int, ...], str]
"""SHA-256 of files by their state."""

_ELSEWHERE = "free some space or choose another directory with --results-dir"


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
                if not digest or self._holding(digest, source.size, hashed) is None:
                    data = staged.add(blocks_of(source), once_more(source))
                    digest = data.sha256
                with locked(self.directory):
                    entry = self._holding(digest, data.size if data else source.size, hashed)
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
                    staged.name(staged.add([_bounded(dumped(about))]), f"{entry.stem}.meta.json")
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
            state = state_of(path) if entry.data else ()
            if state[:1] == (source.size,) and (found := sha256_if_same(path, blocks_of(source), source.size)):
                hashed[state] = found
                return found
        return ""

    def _holding(self, digest: str, size: int, hashed: _Hashed | None = None) -> Entry | None:
        """The entry whose file has exactly the content of ``digest``, found by id and re-hashed, unless it is in
        ``hashed`` and did not change since. A damaged meta file is no obstacle, a link in its place is."""
        for entry in self._entries(digest[:ID_LENGTH]):
            if not digest.startswith(entry.id) or (entry.meta and not self.is_regular(entry.meta)):
                continue
            self._read_meta(entry)
            if entry.data:
                state = state_of(self._path(entry.data)) if hashed else ()
                if ((hashed or {}).get(state) or self._hash(entry.data, size)) == digest:
                    return entry
        return None

    def _new_entry(self, digest: str, slug: str, extension: str) -> Entry:
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
        least = ID_LENGTH if len(dead) < MOST else LONGER
        id = next((digest[:n] for n in range(least, 65) if digest[:n] not in taken), "")
        if not id:
            raise OSError(errno.EEXIST, "every id of this content is taken")
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
        """As ``get``, without hashing. More of the SHA-256 than the id, up to all of it, is understood too, and less,
        down to one digit; but so many digits as an id has are never taken for the beginning of a longer one: they
        were printed for another result."""
        prefix = prefix.lower()
        known = [entry for entry in self._entries() if entry.meta]
        hits = [entry for entry in known if entry.id == prefix]
        if not hits and (dead := gone(self._dead(), prefix)) and not any(entry.id == dead for entry in known):
            raise NoInputError(
                f"result {dead} was collected by `results gc`",
                hint="to have it again, call the tool again",
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
        near = _near(prefix, [entry.id for entry in known])
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
            done = clean(self, older_than, max_bytes, dry_run=False, compress=compress)
            sync_directory(self.directory)
        return done

    def forget(self, alive: Iterable[str], older_than: float | None, dry_run: bool) -> int:
        """Remove what was noted of results that are gone, and older answers of models; the bytes that frees."""
        from mcpcompact.results.answers import prune_answers
        from mcpcompact.results.own import prune

        if not dry_run:
            prune(self.directory, alive)
        return 0 if older_than is None else prune_answers(self.directory, older_than, dry_run)

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
        known, problems = self.known()
        for entry, meta in known:
            problems += self._check(self._stored(entry, meta))
        return sorted(problems, key=lambda problem: problem.file)

    def known(self) -> tuple[list[tuple[Entry, dict[str, Any]]], list[Problem]]:
        """What is advertised, and the meta files that cannot be used."""
        found, problems = [], []
        for entry in self._entries():
            if entry.meta:
                if (meta := self._read_meta(entry)) is not None:
                    found.append((entry, meta))
                else:
                    problems.append(damaged(entry))
        return found, problems

    def _check(self, result: StoredResult) -> list[Problem]:
        entry = entry_of(os.path.basename(result.path))
        assert entry is not None
        return self.problems(entry, result.meta)

    def problems(self, entry: Entry, meta: Mapping[str, Any], *, absent: bool = False) -> list[Problem]:
        """Which files of a result are not what its sound ``meta`` says. ``absent``: one that is not there is no
        problem."""
        problems = []
        for part in parts(meta):
            name = os.path.basename(present(self._path(part["file"])))
            try:
                if self._hash(name, part["bytes"], strict=True) != part["sha256"]:
                    problems.append(Problem(entry.id, name, "its bytes are not those that were stored"))
            except FileNotFoundError as error:
                problems += [] if absent else [Problem(entry.id, name, reason(error))]
            except OSError as error:
                problems.append(Problem(entry.id, name, reason(error)))
        return problems

    def _stored(self, entry: Entry, meta: dict[str, Any]) -> StoredResult:
        return StoredResult(entry.id, present(self._path(str(meta.get("file") or entry.data))), meta)

    # ---- files

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def is_regular(self, name: str) -> bool:
        """Whether a file of this name is here: no link, no directory, no pipe."""
        return is_regular(self._path(name))

    def size(self, name: str) -> int:
        """Bytes of a file here; 0 for one that is gone."""
        return (state_of(self._path(name)) or (0,))[0]

    def remove(self, name: str) -> None:
        """Remove a file here; one that is gone already is no error. Raises ``OSError``."""
        with suppress(FileNotFoundError):
            os.unlink(self._path(name))

    def collected(self) -> Collected:
        """The SHA-256 of results that ``gc`` removed, by id. Raises ``OSError`` where their list is no file of ours."""
        return collected(self._path(COLLECTED))

    def bury(self, dead: Collected) -> None:
        """Replace the list of what was collected. Raises ``OSError``."""
        stage(self.directory, [written(dead)]).publish(self._path(COLLECTED))
        sync_directory(self.directory)

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
        """What a sound meta file says, ``entry`` being narrowed to the files that it names; None for any other."""
        meta: Any = self.parsed(entry.meta) if entry.meta else None
        if not sound(meta, entry):
            return None
        narrow(entry, meta)
        found: dict[str, Any] = meta
        return found

    def parsed(self, name: str) -> Any:
        """The JSON of a small file here; None for anything else."""
        try:
            with open_regular(self._path(name)) as stream:
                return parsed(stream.read(META_AT_MOST + 1))
        except OSError:
            return None

    def _hash(self, name: str, size: int, *, strict: bool = False) -> str:
        """The SHA-256 of a file of ``size`` bytes, unpacked; empty for one of another size. ``strict``: raises
        ``OSError`` for one that cannot be read."""
        path, digest, left = self._path(name), hashlib.sha256(), size
        try:
            if strict:
                open_regular(path).close()
            if not name.endswith(PACKED) and os.lstat(path).st_size != size:
                return ""
            for block in expanded(path):
                digest.update(block)
                if (left := left - len(block)) < 0:
                    return ""
        except (CannotReadError, OSError) as error:
            if not strict:
                return ""
            raise (error if isinstance(error, OSError) else OSError(str(error))) from None
        return "" if left else digest.hexdigest()

    def list(self) -> list[StoredResult]:
        """All advertised results, newest first."""
        found = [self._stored(entry, meta) for entry, meta in self.known()[0]]
        return sorted(found, key=lambda result: (str(result.meta.get("time", "")), result.id), reverse=True)


def _bounded(meta: bytes) -> bytes:
    if len(meta) > META_AT_MOST:
        raise OSError(errno.EFBIG, f"what is to be noted about the call exceeds {META_AT_MOST >> 20} MB")
    return meta


def _near(prefix: str, ids: list[str]) -> list[str]:
    import difflib

    return difflib.get_close_matches(prefix, ids, n=3, cutoff=0.4)
