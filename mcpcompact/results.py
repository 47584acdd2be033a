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
import re
import stat
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from .durable import BLOCK, TEMPORARY, Staged, locked, make_directory, open_regular, slices, stage, sync_directory
from .errors import CannotReadError, CannotWriteError, NoInputError
from .outline import LARGE, Source
from .view import make_view

ID_LENGTH = 8
STALE_SECONDS = 3600
"""A temporary file older than this belongs to nobody any more."""

SEEN_AT_MOST = 20
"""Earlier calls with the same content that a meta file remembers."""

_NAME = re.compile(r"([A-Za-z0-9_-]{1,48}-([0-9a-f]{8,64}))\.(.+)")
_PARTS = ("meta", "view", "payload")
_PACKED = (".zst", ".gz")
_OURS = ("id", "file", "sha256", "bytes", "contentType", "tool", "view", "payload", "earlier")
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
        return _unpacked(self.path)

    def source(self) -> Source:
        """The original."""
        return _source(self.path)

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
        return _source(_present(os.path.join(os.path.dirname(self.path), part["file"]))) if part else None


@dataclass(slots=True)
class _Entry:
    """The files of one stem, by role."""

    stem: str
    id: str
    data: str = ""
    meta: str = ""
    others: list[str] = field(default_factory=list)

    def files(self) -> list[str]:
        return [name for name in (self.meta, self.data, *self.others) if name]


class ResultStore:
    """The results directory at ``directory``, made when first written to.

    The directory itself may be a symbolic link, since the user named it; no link inside is followed.
    ``command`` is how a reader calls the reading commands.
    """

    def __init__(self, directory: str | os.PathLike[str], *, command: str = "mcpcompact results") -> None:
        self.directory = os.fspath(directory)
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
        known here; its ``more`` (selectors without the id) become the reference's commands. The same
        content is one file, named by the first tool that brought it; the meta file describes the latest
        call and lists the earlier ones under ``earlier``.
        Raises ``CannotWriteError`` (nothing is left under a final name that is not whole) or
        ``CannotReadError`` when the source itself fails.
        """
        with self._writing():
            self._make_directory()
            parts = _parts(source, payload, _safe_extension(extension))
            with _Stage(self.directory) as staged:
                digest = hashlib.sha256(_data(source)).hexdigest() if source.size <= BLOCK else ""
                data = None
                if not digest or self._holding(digest) is None:
                    data = staged.add(_blocks(source))
                    digest = data.sha256
                with locked(self.directory):
                    entry = self._holding(digest)
                    if entry is None:
                        data = data or staged.add(_blocks(source))
                        entry = self._new_entry(digest, _slug(tool), _safe_extension(extension))
                        staged.name(data, entry.data)
                    known = self._read_meta(entry) or {}
                    about = {
                        "id": entry.id,
                        "file": entry.data,
                        "sha256": digest,
                        "bytes": data.size if data else source.size,
                        "contentType": content_type,
                        "tool": tool,
                        "server": None,
                        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
                    }
                    about.update((key, value) for key, value in meta.items() if key not in _OURS)
                    for part in parts:
                        file = f"{entry.stem}{part.suffix}"
                        piece = staged.add(slices(part.content))
                        staged.name(piece, file)
                        for role in part.roles:
                            about[role] = {"file": file, "bytes": piece.size, "sha256": piece.sha256, **part.more}
                    if earlier := _earlier(known, about):
                        about["earlier"] = earlier
                    staged.name(staged.add([_dump(about)]), f"{entry.stem}.meta.json")
                    staged.publish()
                    sync_directory(self.directory)
        return self._reference(about)

    def _make_directory(self) -> None:
        make_directory(self.directory)
        ignore = os.path.join(self.directory, ".gitignore")
        if not os.path.lexists(ignore):
            stage(self.directory, [b"*\n"]).publish(ignore)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise CannotWriteError(
                f"cannot write to the results directory {self.directory}: {_reason(error)}", hint=_ELSEWHERE
            ) from error

    def _holding(self, digest: str) -> _Entry | None:
        """The entry whose file has exactly the content of ``digest``, found by id and re-hashed."""
        for entry in self._entries(digest[:ID_LENGTH]):
            if entry.data and digest.startswith(entry.id) and self._hash(entry.data) == digest:
                return entry
        return None

    def _new_entry(self, digest: str, slug: str, extension: str) -> _Entry:
        """A free id for ``digest``: the shortest prefix that no other content has. A broken file is replaced."""
        taken: dict[str, bool] = {}  # id: whether that is this very content, gone bad or missing
        for entry in self._entries(digest[:ID_LENGTH]):
            known = self._read_meta(entry)
            mine = known is not None and known.get("sha256") == digest
            if mine:
                return _Entry(entry.stem, entry.id, data=entry.data or f"{entry.stem}{extension}", meta=entry.meta)
            if not entry.data or not os.path.islink(self._path(entry.data)):
                taken[entry.id] = True
        id = next(digest[:n] for n in range(ID_LENGTH, 65) if digest[:n] not in taken or n == 64)
        return _Entry(f"{slug}-{id}", id, data=f"{slug}-{id}{extension}")

    def _reference(self, about: Mapping[str, Any]) -> Reference:
        id = about["id"]
        more = about.get("more") or ["--lines 1:80", "--grep TERM"]
        commands = [f"{self.command} get {id}", *(f"{self.command} get {id} {selector}" for selector in more)]
        view = about.get("view")
        return Reference(
            id=id,
            path=self._path(about["file"]),
            sha256=about["sha256"],
            bytes=about["bytes"],
            commands=commands,
            view=self._path(view["file"]) if view else None,
        )

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
        """As ``get``, without hashing."""
        prefix = prefix.lower()
        known = [entry for entry in self._entries() if entry.meta]
        hits = [entry for entry in known if entry.id == prefix]
        if not hits and prefix:
            hits = [entry for entry in known if entry.id.startswith(prefix)]
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

    def list(self) -> list[StoredResult]:
        """All advertised results, newest first."""
        found = []
        for entry in self._entries():
            if (meta := self._read_meta(entry)) is not None:
                found.append(self._stored(entry, meta))
        return sorted(found, key=lambda result: (str(result.meta.get("time", "")), result.id), reverse=True)

    def leftovers(self) -> list[str]:
        """Files that a killed process left before anybody was told of them."""
        names = {name for entry in self._entries() if not entry.meta for name in entry.files()}
        return sorted(names | set(self._stale_names(older_than=STALE_SECONDS)))

    def contains(self, id: str) -> bool:
        """Whether ``id`` (exact) is advertised here."""
        return any(entry.id == id and entry.meta for entry in self._entries(id[:ID_LENGTH]))

    def contains_text(self, text: str) -> str | None:
        """The id of the stored result that ``text``, an output of ours, refers to in its first or last line.

        Decided by looking candidate ids up, never by the text's shape: a log that quotes a notice of
        another directory is not ours. Looks at 1,000 characters at either end.
        """
        head, tail = text[:1000].strip().split("\n"), text[-1000:].strip().split("\n")
        for line in (*head[:3], tail[-1]):
            for id in re.findall(r"(?<![0-9A-Za-z])[0-9a-f]{8,64}(?![0-9A-Za-z])", line):
                if self.contains(id):
                    return str(id)
        return None

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
            name = os.path.basename(_present(self._path(str(about.get("file", "")))))
            try:
                found = self._hash(name, strict=True)
            except OSError as error:
                problems.append(Problem(result.id, name, _reason(error)))
                continue
            if found != about.get("sha256"):
                problems.append(Problem(result.id, name, "its bytes are not those that were stored"))
        return problems

    def _stored(self, entry: _Entry, meta: dict[str, Any]) -> StoredResult:
        return StoredResult(entry.id, _present(self._path(str(meta.get("file") or entry.data))), meta)

    # ---- files

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name)

    def _names(self) -> list[str]:
        try:
            return sorted(os.listdir(self.directory))
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise CannotReadError(f"cannot read the results directory {self.directory}: {_reason(error)}") from error

    def _entries(self, prefix: str = "") -> list[_Entry]:
        """What the names in the directory say, by stem; ``prefix`` of the id narrows it."""
        entries: dict[str, _Entry] = {}
        for name in self._names():
            if prefix and prefix not in name:
                continue
            match = _NAME.fullmatch(name)
            if match is None or not match.group(2).startswith(prefix):
                continue
            stem, id, rest = match.groups()
            entry = entries.setdefault(stem, _Entry(stem, id))
            part, _, ending = rest.partition(".")
            if part == "meta" and ending == "json":
                entry.meta = name
            elif part in _PARTS and ending:
                entry.others.append(name)
            elif not entry.data or name < entry.data:  # unpacked before packed: "x.json" < "x.json.zst"
                entry.others += [entry.data] if entry.data else []
                entry.data = name
            else:
                entry.others.append(name)
        return list(entries.values())

    def _read_meta(self, entry: _Entry) -> dict[str, Any] | None:
        if not entry.meta:
            return None
        import json

        try:
            with open_regular(self._path(entry.meta)) as stream:
                meta = json.loads(stream.read())
        except (OSError, ValueError, RecursionError):
            return None
        safe = isinstance(meta, dict) and all(
            _NAME.fullmatch(str(part.get("file", "")))
            for part in (meta, meta.get("payload"), meta.get("view"))
            if isinstance(part, dict)
        )
        return meta if safe else None

    def _hash(self, name: str, *, strict: bool = False) -> str:
        digest = hashlib.sha256()
        try:
            with _unpacked(self._path(name)) as stream:
                while block := stream.read(BLOCK):
                    digest.update(block)
        except CannotReadError as error:
            if strict:
                raise OSError(str(error)) from error
            return ""
        return digest.hexdigest()

    def _stale_names(self, older_than: float) -> list[str]:
        stale = []
        for name in self._names():
            if name.startswith(TEMPORARY):
                with suppress(OSError):
                    state = os.lstat(self._path(name))
                    if time.time() - state.st_mtime > older_than and stat.S_ISREG(state.st_mode):
                        stale.append(name)
        return stale


class _Stage:
    """Temporary files of one put: published in order, or all removed."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._all: list[Staged] = []
        self._named: list[tuple[Staged, str]] = []

    def __enter__(self) -> _Stage:
        return self

    def __exit__(self, *_: object) -> None:
        for staged in self._all:
            staged.discard()

    def add(self, blocks: Iterator[bytes | memoryview] | list[bytes]) -> Staged:
        self._all.append(stage(self._directory, blocks))
        return self._all[-1]

    def name(self, staged: Staged, name: str) -> None:
        self._named.append((staged, name))

    def publish(self) -> None:
        """Give the names in the order they were asked for: the meta file, which advertises, comes last."""
        for staged, name in self._named:
            staged.publish(os.path.join(self._directory, name))
            self._all.remove(staged)


@dataclass(slots=True)
class _Part:
    """A file beside the original and the keys of the meta file that point at it."""

    roles: tuple[str, ...]
    suffix: str
    content: bytes
    more: dict[str, Any] = field(default_factory=dict)


def _parts(source: Source, payload: str | None, extension: str) -> list[_Part]:
    """What stands beside the original: the payload of an envelope, and a view where lines are long."""
    if payload is None and source.size > LARGE:
        return []
    data = _data(source) if payload is None else payload.encode("utf-8", "surrogatepass")
    view = make_view(data) if len(data) <= LARGE else None
    if view is None:
        return [] if payload is None else [_Part(("payload", "view"), f".view{extension}", data)]
    newline = data.find(b"\n")
    one_line = newline < 0 or not data[newline:].strip()
    parts = [] if payload is None else [_Part(("payload",), f".payload{extension}", data)]
    return [*parts, _Part(("view",), f".view{view[0]}", view[1], {"oneLine": one_line})]


def _earlier(known: Mapping[str, Any], about: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Earlier calls that brought the same content, latest first, each once."""
    keys = ("tool", "server", "arguments", "source")
    calls = [{key: known[key] for key in (*keys, "time") if known.get(key) is not None}] if known else []
    calls += [call for call in known.get("earlier", []) if isinstance(call, dict)]
    seen, kept = [{key: about.get(key) for key in keys}], []
    for call in calls:
        same = {key: call.get(key) for key in keys}
        if same not in seen:
            seen.append(same)
            kept.append(call)
    return kept[:SEEN_AT_MOST]


def _dump(about: Mapping[str, Any]) -> bytes:
    import json

    text = json.dumps(about, indent=1, ensure_ascii=False, default=str) + "\n"
    try:
        return text.encode()
    except UnicodeEncodeError:  # a lone surrogate in an argument
        return (json.dumps(about, indent=1, default=str) + "\n").encode()


def _slug(tool: str | None) -> str:
    """A tool's name as the beginning of a file name: ASCII, no dot, no separator, at most 48 characters."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", tool or "")[:48].strip("-_") or "result"


def _safe_extension(extension: str) -> str:
    name = extension.lower().lstrip(".")
    return f".{name}" if re.fullmatch(r"[a-z0-9]{1,8}", name) and f".{name}" not in _PACKED else ".bin"


def _data(source: Source) -> bytes:
    try:
        return source.data
    except OSError as error:
        raise CannotReadError(f"cannot read the input: {_reason(error)}") from error


def _blocks(source: Source) -> Iterator[bytes | memoryview]:
    """The source in blocks, whatever its lines. Its failure is not taken for one of the directory."""
    if not source.large:
        yield from slices(_data(source))
        return
    position = 0
    while True:
        try:
            block = source.read(position, position + BLOCK)
        except OSError as error:
            raise CannotReadError(f"cannot read the input: {_reason(error)}") from error
        if not block:
            return
        yield block
        position += len(block)


def _present(path: str) -> str:
    """``path``, or its packed twin where only that is there."""
    if not os.path.lexists(path):
        for ending in _PACKED:
            if os.path.lexists(path + ending):
                return path + ending
    return path


def _unpacked(path: str) -> BinaryIO:
    try:
        stream = open_regular(path)
        if path.endswith(".gz"):
            import gzip

            return gzip.GzipFile(fileobj=stream)  # type: ignore[return-value]
        if path.endswith(".zst"):
            import zstandard

            return zstandard.ZstdDecompressor().stream_reader(stream, read_across_frames=True)  # type: ignore[return-value]
        return stream
    except (OSError, ImportError) as error:
        raise CannotReadError(f"cannot read {os.path.basename(path)}: {_reason(error)}") from error


def _source(path: str) -> Source:
    """A source over a stored file. A large packed one is unpacked to an unnamed place first."""
    try:
        if not path.endswith(_PACKED):
            with open_regular(path) as stream:
                size = os.fstat(stream.fileno()).st_size
                return Source(stream.read()) if size <= LARGE else Source(path=path)
        with _unpacked(path) as stream:
            data = stream.read(LARGE + 1)
            if len(data) <= LARGE:
                return Source(data)
            return _unpack_to_file(data, stream)
    except (OSError, EOFError) as error:
        raise CannotReadError(f"cannot read {os.path.basename(path)}: {_reason(error)}") from error


def _unpack_to_file(head: bytes, stream: BinaryIO) -> Source:
    import atexit
    import tempfile

    with tempfile.NamedTemporaryFile(prefix="mcpcompact-", delete=False) as target:
        atexit.register(lambda: os.path.exists(target.name) and os.unlink(target.name))
        target.write(head)
        while block := stream.read(BLOCK):
            target.write(block)
    return Source(path=target.name)


def _near(prefix: str, ids: list[str]) -> list[str]:
    import difflib

    return difflib.get_close_matches(prefix, ids, n=3, cutoff=0.4)


def _reason(error: BaseException) -> str:
    return str(getattr(error, "strerror", None) or error or type(error).__name__)
