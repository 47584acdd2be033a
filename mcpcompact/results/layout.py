"""What the names in a results directory mean, what stands beside an original, how a file is opened, and what is handed
out: a reference to a result, the result itself, and what is wrong with one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from mcpcompact.errors import CannotReadError, CannotWriteError, McpcompactError
from mcpcompact.patterns import regex
from mcpcompact.results.durable import READ, open_regular, slices, state_of
from mcpcompact.source import LARGE, Source, has_long_line

ID_LENGTH = 8
VIEW_AT_MOST = 16 * 1024 * 1024  # a view costs a second for each 20 MB
PACKED = (".zst", ".gz")
PARTS = ("meta", "view", "payload", "walk", "audit")

NAME = regex(r"([A-Za-z0-9_-]{1,48}-([0-9a-f]{8,64}))\.(.+)")


class Original(NamedTuple):
    """A result to be kept: ``source`` byte for byte, and what its meta file says besides.

    ``tool`` names the file, ``extension`` ends it. ``payload`` is the text unwrapped from an envelope. ``meta`` stands
    in the meta file beside what the store knows itself; its ``more`` (selectors, see ``mcpcompact.shell``) become the
    reference's commands.
    """

    source: Source
    content_type: str
    extension: str
    tool: str | None = None
    meta: Mapping[str, Any] = {}
    payload: str | None = None


class Entry:
    """The files of one stem, by role."""

    __slots__ = ("data", "id", "meta", "others", "stem")

    def __init__(self, stem: str, id: str, data: str = "", meta: str = "") -> None:
        self.stem, self.id, self.data, self.meta = stem, id, data, meta
        self.others: list[str] = []

    @property
    def packed(self) -> bool:
        return self.data.endswith(PACKED)

    @property
    def plain(self) -> str:
        """The name of the original when it is not packed."""
        return os.path.splitext(self.data)[0] if self.packed else self.data

    def files(self) -> list[str]:
        return [name for name in (self.meta, self.data, *self.others) if name]


def entries(names: Iterable[str], prefix: str = "") -> list[Entry]:
    """What ``names`` say, by stem and in their order; ``prefix`` of the id narrows it."""
    by_stem: dict[str, Entry] = {}
    for name in names:
        if prefix and prefix not in name:
            continue
        match = NAME.fullmatch(name)
        if match is None or not match.group(2).startswith(prefix):
            continue
        stem, id, rest = match.groups()
        entry = by_stem.setdefault(stem, Entry(stem, id))
        part, _, ending = rest.partition(".")
        if part == "meta" and ending == "json":
            entry.meta = name
        elif (part in PARTS and ending) or (entry.data and entry.data < name):  # a packed twin: "x.json.zst"
            entry.others.append(name)
        else:
            entry.others += [entry.data] if entry.data else []
            entry.data = name
    return list(by_stem.values())


class Part(NamedTuple):
    """A file beside the original and the keys of the meta file that point at it."""

    roles: tuple[str, ...]
    suffix: str
    content: bytes
    more: Mapping[str, Any] = {}  # never changed


def parts_of(original: Original) -> list[Part]:
    """What stands beside the original: the payload of an envelope, and a view where lines are long."""
    source, payload = original.source, original.payload
    if payload is None and source.size > LARGE:
        return []
    data = read_data(source) if payload is None else payload.encode("utf-8", "surrogatepass")
    extension = payload_extension(data, original.content_type)
    view = None
    if len(data) <= VIEW_AT_MOST and has_long_line(data):
        from mcpcompact.results.view import make_view

        view = make_view(data)
    if view is None:
        return [] if payload is None else [Part(("payload", "view"), f".view{extension}", data)]
    newline = data.find(b"\n")
    one_line = newline < 0 or not data[newline:].strip()
    parts = [] if payload is None else [Part(("payload",), f".payload{extension}", data)]
    return [*parts, Part(("view",), f".view{view[0]}", view[1], {"oneLine": one_line})]


def view_omitted(original: Original) -> bool:
    """Whether its long lines would call for a view, if it were not that large."""
    source = original.source
    return original.payload is None and VIEW_AT_MOST < source.size <= LARGE and has_long_line(read_data(source))


def payload_extension(data: bytes, content_type: str) -> str:
    """The extension of an unwrapped text, whose envelope has its own."""
    if data[:256].lstrip()[:1] in (b"{", b"["):
        return ".json"
    return {"log": ".log", "fasta": ".fasta", "diff": ".diff", "table": ".csv"}.get(content_type, ".txt")


def slug(tool: str | None) -> str:
    """A tool's name as the beginning of a file name: ASCII, no dot, no separator, at most 48 characters."""
    return re.sub(r"[^A-Za-z0-9_]+", "-", tool or "")[:48].strip("-_") or "result"


def safe_extension(extension: str) -> str:
    """An extension as a file of ours may have it, else ``.bin``."""
    name = extension.lower().lstrip(".")
    return f".{name}" if re.fullmatch(r"[a-z0-9]{1,8}", name) and f".{name}" not in PACKED else ".bin"


def read_data(source: Source) -> bytes:
    """All bytes of a source. Raises ``CannotReadError``."""
    try:
        return source.data
    except OSError as error:
        raise CannotReadError(f"cannot read the input: {reason(error)}") from error


def blocks_of(source: Source) -> Iterator[bytes | memoryview]:
    """The source in blocks, whatever its lines. Its failure is not taken for one of the directory."""
    if not source.large:
        yield from slices(read_data(source))
        return
    try:
        yield from source.chunks(READ)
    except OSError as error:
        raise CannotReadError(f"cannot read the input: {reason(error)}") from error


def once_more(source: Source) -> Iterator[bytes]:
    """The bytes of a large source again, to compare with; nothing for others, which are quickly hashed."""
    if source.large:
        with suppress(OSError, McpcompactError):
            yield from source.chunks(READ)


def cannot_write(directory: str, error: OSError) -> CannotWriteError:
    """The error of a results directory that cannot be written to."""
    return CannotWriteError(
        f"cannot write to the results directory {directory}: {reason(error)}",
        hint="free some space or choose another directory with --results-dir",
    )


def present(path: str) -> str:
    """``path``, or its packed twin where only that is there."""
    return next((path + ending for ending in ("", *PACKED) if os.path.lexists(path + ending)), path)


def expanded(path: str) -> Iterator[bytes]:
    """The bytes of a stored file in blocks, unpacked. Raises ``CannotReadError``, for a damaged archive too."""
    try:
        with open_regular(path) as plain:
            stream: Any = plain
            if path.endswith(".gz"):
                import gzip

                stream = gzip.GzipFile(fileobj=plain)
            elif path.endswith(".zst"):
                import zstandard

                stream = zstandard.ZstdDecompressor().stream_reader(plain, read_across_frames=True)
            while block := stream.read(READ):
                yield block
    except Exception as error:  # zlib.error, ZstdError, EOFError, OSError: no common base
        raise CannotReadError(f"cannot read {os.path.basename(path)}: {reason(error)}") from error


def source_of(path: str) -> Source:
    """A source over a stored file, in memory unless large. A large packed one is unpacked to a temporary file."""
    if not path.endswith(PACKED) and state_of(path)[:1] > (LARGE,):
        return Source(path=path)
    from mcpcompact.inputs.reading import spooled

    return spooled("result", expanded(path))


def reason(error: BaseException) -> str:
    """What is wrong, in the words of the system where it has any."""
    return str(getattr(error, "strerror", None) or error or type(error).__name__)


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a full result lies and how to fetch parts of it.

    ``path`` is the file (or URL) of ``bytes`` bytes whose hash is ``sha256``; ``id`` its first 8 hex digits, or more.
    ``commands`` are ready to run. ``view`` is a line-friendly copy beside an original of very long lines.
    """

    id: str
    path: str
    sha256: str
    bytes: int
    commands: list[str]
    view: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """``reference`` in the JSON of ``summarize``."""
        about = {"id": self.id, "path": self.path, "sha256": self.sha256, "bytes": self.bytes}
        return {**about, "commands": list(self.commands), **({"view": self.view} if self.view else {})}

    def as_read(self, reader: str) -> str:
        """The path as a reader may know it: never an absolute one unless the reader opens files itself."""
        path = os.fspath(self.path)
        relative = os.path.relpath(path)
        if not relative.startswith(os.pardir):
            return relative
        return path if reader in ("shell", "read") else os.path.basename(path)


class Problem(NamedTuple):
    """Something wrong with an advertised result."""

    id: str
    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"

    @classmethod
    def changed(cls, id: str, file: str) -> Problem:
        return cls(id, file, "its bytes are not those that were stored")

    def as_dict(self) -> dict[str, str]:
        return {"id": self.id, "file": self.file, "problem": self.what}


class StoredResult:
    """One stored result. ``path`` is the original, which may be packed by ``gc`` (``.zst``, ``.gz``)."""

    def __init__(self, id: str, path: str, meta: dict[str, Any]) -> None:
        self.id, self.path, self.meta = id, path, meta

    def fetched(self, name: str) -> Source:
        """One of its files. Raises ``CannotReadError``."""
        return source_of(present(os.path.join(os.path.dirname(self.path), name)))

    def source(self) -> Source:
        """The original."""
        return self.fetched(os.path.basename(self.path))

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
        return self.fetched(part["file"]) if part else None
