"""From a name on the command line to a ``Source``: files, stdin, pipes, URLs, gz and zst.

What is read is what is stored: for a compressed input the *expanded* bytes are the original (they are
what the tool returned and what every line number and byte offset refers to); ``Input.name`` and
``Input.compression`` say where they came from, for the stored result's meta data.

Compression is recognised by its magic bytes, never by the extension, and expanded in bounded steps:
an archive that grows beyond ``MAX_BYTES`` is refused while it is being expanded.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from mcpcompact.errors import CannotReadError, CannotWriteError, InputError, NoInputError
from mcpcompact.inputs import is_pattern, is_url, local, shown
from mcpcompact.source import BLOCK, LARGE, Source, begins_in_ascii

if TYPE_CHECKING:
    from mcpcompact.masking import Masker

_MAGIC = 4  # bytes
_SKIPPABLE_LAST = 0x5F
_SKIPPABLE_FIRST = 0x50  # of the frames of zstd without data

MAX_BYTES = 2 * 1024**3  # the most bytes that a compressed input or a stream may expand to

_CHUNK = 1 << 20
_ZSTD_STEP = 1024  # 4 bytes of zstd can hold a block of 128 KB: a step expands to at most 32 MB
_GZIP = b"\x1f\x8b\x08"
_ZSTD = b"\x28\xb5\x2f\xfd"
_ABSENT = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENAMETOOLONG)


class Input(Source):
    """A source that knows its ``name`` (``-`` for stdin) and its ``compression`` (``gz``, ``zst`` or empty).

    A file that is streamed is read up to the size it had when it was opened, so that a growing log
    gives the same bytes to each pass; one that vanishes or shrinks raises ``CannotReadError``.
    ``close`` removes the temporary copy, if there is one; so does the end of the process.
    """

    def __init__(
        self, name: str, data: bytes | None = None, *, path: str | None = None, size: int | None = None
    ) -> None:
        super().__init__(data, path=path, size=size)
        self.name = name
        self.compression = ""
        self.watch: Callable[[int], None] | None = None  # hears how many bytes of a pass over the file are read
        self._remove: Callable[[], object] | None = None

    @property
    def data(self) -> bytes:
        if self._data is None:
            self._data = b"".join(self.chunks(BLOCK))
        return self._data

    def read(self, start: int, end: int) -> bytes:
        try:
            return super().read(start, min(end, self.size))
        except OSError as error:
            raise _cannot_read(self.name, error) from None

    def chunks(self, size: int = BLOCK) -> Iterator[bytes]:
        if self._data is not None:
            yield from super().chunks(size)
            return
        left = self.size
        try:
            with open(self.path or "", "rb", buffering=0) as stream:
                while left:
                    chunk = stream.read(min(size, left))
                    if not chunk:
                        raise CannotReadError(f"{self.name}: the file shrank by {left:,} bytes while it was read")
                    left -= len(chunk)
                    if self.watch is not None:
                        self.watch(self.size - left)
                    yield chunk
        except OSError as error:
            raise _cannot_read(self.name, error) from None

    def close(self) -> None:
        if self._remove is not None:
            self._remove()


def open_source(
    name: str, stdin: BinaryIO | None = None, hold: int | None = None, masker: Masker | None = None
) -> Input:
    """The payload behind a path, a URL or ``-``.

    Content of at most ``LARGE`` bytes is held in memory; a plain file of more than ``hold`` is read in place; larger
    streams, objects behind URLs and expanded archives are spooled to a temporary file. ``MAX_BYTES`` bounds these.
    With a ``masker`` nothing is read in place: what is held or spooled is masked.

    Raises ``NoInputError`` (nothing there, or a directory), ``CannotReadError`` (not readable, or changed
    while read), ``InputError`` (damaged or oversized archive), ``CannotWriteError`` (no room to spool).
    """
    if name == "-":
        if stdin is None:
            if sys.stdin is None:
                raise NoInputError("there is no standard input", hint="name a file")
            stdin = sys.stdin.buffer
        return _from_chunks(name, _read(name, stdin, 0), masker)
    if is_url(name):
        from mcpcompact.inputs.remote import blocks

        return _from_chunks(shown(name), blocks(name), masker)
    name = local(name)
    try:
        mode = os.stat(name)
        if stat.S_ISDIR(mode.st_mode):
            raise NoInputError(f"{name} is a directory", hint=f"name its files: {os.path.join(name, '*')}")
        with open(name, "rb") as stream:
            regular = stat.S_ISREG(mode.st_mode)
            size = os.fstat(stream.fileno()).st_size if regular else 0  # 0 as well for the files of /proc
            if size > (LARGE if hold is None else hold) and masker is None and _compression(stream.peek(4)) == "":
                return Input(name, path=name, size=size)
            return _from_chunks(name, _read(name, stream, size), masker)
    except OSError as error:
        raise _cannot_read(name, error) from None
    except ValueError:  # a NUL in the name
        raise NoInputError(f"{name!r} is not a file name") from None


def expand(patterns: Iterable[str]) -> list[str]:
    """File names for names and glob patterns (``**`` too): in the order given, sorted within a pattern.

    A name that exists is taken literally, brackets and all. Directories and files that an earlier pattern
    already named are left out of a pattern's matches. ``-`` is kept once. Raises ``NoInputError`` for a
    pattern without a match; a plain name without a file is left for ``open_source`` to report.
    """
    return list(dict.fromkeys(name for pattern in patterns for name in _expanded(pattern)))


def _expanded(pattern: str) -> list[str]:
    path = local(pattern)
    prefix = "file://" if path is not pattern else ""
    if not is_pattern(path) or (not is_url(path) and os.path.lexists(path)):
        return [prefix + path]
    if is_url(path):
        from mcpcompact.inputs.remote import matches

        paths = matches(path)
    else:
        import glob

        paths = sorted(prefix + match for match in glob.glob(path, recursive=True) if not os.path.isdir(match))
    if not paths:
        raise NoInputError(f"no file matches {shown(path)}")
    return paths


def masked(source: Source, masker: Masker) -> Source:
    """``source`` with its secrets masked, in memory or, when large, in a temporary file. Raises ``MaskError``."""
    return source if source.masked is not None else _spool_masked("result", source.chunks(), masker)


def in_utf8(source: Source, encoding: str | None = None) -> tuple[Source, str]:
    """``source`` as UTF-8, and a line that says what it was read as; itself and nothing where it is UTF-8.

    ``encoding`` names the one of its bytes, which else is guessed where they are clearly text of another. Raises
    ``UsageError`` for a name that is none, ``CannotWriteError`` where a large input's copy finds no room.
    """
    if not encoding and begins_in_ascii(source):
        return source, ""
    from mcpcompact.charset import codec, guess, recoded, unlike_ascii

    if encoding and source.masked is not None and unlike_ascii(b"", encoding):
        encoding = None  # masking made it UTF-8
    name = codec(encoding) if encoding else guess(source)
    if not name or name == "utf-8":
        return source, ""
    result = spooled("result", recoded(source.chunks(), name))
    result.masked = source.masked
    if isinstance(source, Input):
        result.name, result.compression = source.name, source.compression
    return result, f"read as {name}" + ("" if encoding else "; use --encoding-in to change")


def _from_chunks(name: str, chunks: Iterator[bytes], masker: Masker | None) -> Input:
    """What arrives block by block, to its end."""
    head = b""
    for chunk in chunks:
        head += chunk
        if len(head) >= _MAGIC:
            break
    chunks = chain((head,), chunks)
    kind = _compression(head)
    if kind:
        chunks = _gunzip(name, chunks) if kind == "gz" else _unzstd(name, chunks)
    chunks = _bounded(name, chunks, "expands to" if kind else "holds")
    source = _spool_masked(name, chunks, masker) if masker else spooled(name, chunks)
    source.compression = kind
    return source


def _compression(head: bytes) -> str:
    if head.startswith(_GZIP):
        return "gz"
    skippable = head[1:4] == b"\x2a\x4d\x18" and _SKIPPABLE_FIRST <= head[0] <= _SKIPPABLE_LAST
    return "zst" if skippable or head.startswith(_ZSTD) else ""


def _read(name: str, stream: BinaryIO, size: int) -> Iterator[bytes]:
    """A stream to its end; ``size`` is what it must at least hold (0 when unknown)."""
    seen = 0
    try:
        while chunk := stream.read(_CHUNK):
            seen += len(chunk)
            yield chunk
    except OSError as error:
        raise _cannot_read(name, error) from None
    if seen < size:
        raise CannotReadError(f"{name}: the file shrank by {size - seen:,} bytes while it was read")


def _gunzip(name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Members follow each other; zero padding at the end is allowed, as gzip allows it."""
    inflate = zlib.decompressobj(31)
    try:
        for chunk in chunks:
            while chunk:
                if inflate.eof:
                    chunk = chunk.lstrip(b"\0")
                    if not chunk:
                        break
                    inflate = zlib.decompressobj(31)
                yield inflate.decompress(chunk, BLOCK)
                chunk = inflate.unused_data if inflate.eof else inflate.unconsumed_tail
        while not inflate.eof and (piece := inflate.decompress(b"", BLOCK)):
            yield piece
    except zlib.error:
        raise InputError(f"{name} is damaged gzip data") from None
    if not inflate.eof:
        raise InputError(f"{name} is gzip data that ends early")


def _unzstd(name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
    new, failure = _zstd()
    frame = new()
    try:
        for chunk in chunks:
            for start in range(0, len(chunk), _ZSTD_STEP):
                step = chunk[start : start + _ZSTD_STEP]
                while step:
                    if frame.eof:
                        frame = new()
                    yield frame.decompress(step)
                    step = frame.unused_data if frame.eof else b""
    except failure:
        raise InputError(f"{name} is damaged zstd data") from None
    if not frame.eof:
        raise InputError(f"{name} is zstd data that ends early")


def _zstd() -> tuple[Callable[[], Any], type[Exception]]:
    """A factory of one-frame decompressors and the error they raise: zstandard, or the library of Python 3.14."""
    import importlib

    with contextlib.suppress(ImportError):
        zstandard = importlib.import_module("zstandard")
        return zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError
    try:
        library = importlib.import_module("compression.zstd")
    except ImportError:
        raise InputError(
            "reading zstd data needs the zstandard package", hint="install it: pip install 'mcpcompact[fast]'"
        ) from None
    return library.ZstdDecompressor, library.ZstdError


def _spool_masked(name: str, chunks: Iterator[bytes], masker: Masker) -> Input:
    """As ``spooled``, masked, with the number of secrets by kind."""
    before = Counter(masker.counts)
    source = spooled(name, masker.blocks(chunks))
    source.masked = dict(sorted((Counter(masker.counts) - before).items()))
    return source


def spooled(name: str, chunks: Iterator[bytes]) -> Input:
    """What is read, in memory up to ``LARGE`` bytes, in a temporary file beyond."""
    held: list[bytes] = []
    total = 0
    for chunk in chunks:
        total += len(chunk)
        held.append(chunk)
        if total > LARGE:
            break
    else:
        return Input(name, b"".join(held))

    import tempfile
    import weakref

    descriptor = -1
    path = ""
    try:
        descriptor, path = tempfile.mkstemp(prefix="mcpcompact-")
        with open(descriptor, "wb") as stream:
            stream.writelines(held)
            held.clear()
            stream.writelines(chunks)
            size = stream.tell()
        source = Input(name, path=path, size=size)
    except BaseException as error:
        if path:
            _unlink(path, os.getpid())
        if isinstance(error, OSError):
            raise CannotWriteError(f"no room for a temporary copy of {name}: {error.strerror}") from None
        raise
    source._remove = weakref.finalize(source, _unlink, path, os.getpid())
    return source


def _bounded(name: str, chunks: Iterator[bytes], verb: str) -> Iterator[bytes]:
    total = 0
    for chunk in chunks:
        total += len(chunk)
        if total > MAX_BYTES:
            raise InputError(
                f"{name} {verb} more than {MAX_BYTES / 1024**3:.3g} GB", hint="expand or split it into files first"
            )
        yield chunk


def _unlink(path: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked child must not remove its parent's file
        with contextlib.suppress(OSError):
            os.unlink(path)


def _cannot_read(name: str, error: OSError) -> CannotReadError | NoInputError:
    if error.errno in _ABSENT:
        return NoInputError(f"{name}: {(error.strerror or 'no such file').lower()}")
    return CannotReadError(f"cannot read {name}: {(error.strerror or str(error)).lower()}")


@contextlib.contextmanager
def on_disk(name: str, stdin: BinaryIO) -> Iterator[str]:
    """A path to read from: the file itself; of standard input a copy."""
    if name != "-":
        yield name
        return
    import tempfile

    with tempfile.TemporaryDirectory(prefix="mcpcompact-", ignore_cleanup_errors=True) as folder:
        copy = os.path.join(folder, "transcript")
        with open(copy, "wb") as stream, contextlib.closing(open_source(name, stdin)) as source:
            stream.writelines(source.blocks())
        yield copy
