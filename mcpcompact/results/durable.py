"""Files that are whole or absent: staged beside their final name, flushed, read back, renamed.

Nothing here follows a symbolic link in the last component of a name, and nothing is readable by
others (0600, directories 0700). All functions raise ``OSError``; the results directory turns it
into the project's errors.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO, NamedTuple

from mcpcompact.errors import CannotWriteError

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows: writers there are safe by rename alone
    fcntl = None  # type: ignore[assignment]

BLOCK = 4 * 1024 * 1024
READ = 256 * 1024  # one buffer, small enough for the processor's cache
TEMPORARY = ".tmp-"  # how temporary names begin. The leading dot keeps them out of globs, listings and entries

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


class Staged(NamedTuple):
    """A complete, flushed and verified temporary file, waiting for its name."""

    path: str
    sha256: str
    size: int
    file: tuple[int, int]
    """Its device and inode."""

    def publish(self, path: str) -> None:
        """Give the file its final name; whatever had it (a symbolic link too) is replaced, never followed."""
        try:
            os.replace(self.path, path)
        except BaseException:
            self.discard()
            raise
        info = os.lstat(path)
        if (info.st_dev, info.st_ino) != self.file or info.st_size != self.size:
            raise OSError(errno.EIO, "another file stands under the name just written", path)

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        with suppress(OSError):
            os.unlink(self.path)


def make_directory(path: str) -> None:
    """Make ``path`` and its missing parents, each with mode 0700."""
    if os.path.isdir(path):
        return
    if (parent := os.path.dirname(path)) not in ("", path):
        make_directory(parent)
    try:
        os.mkdir(path, 0o700)
    except FileExistsError:
        if not os.path.isdir(path):  # another process may have made it
            raise


def make_below(root: str, folder: str, mode: int = 0o777) -> None:
    """Make ``folder`` and what is missing between it and ``root``. Only ``root`` may be a link: raises ``OSError``
    where a link or a file stands in the place of a directory below it."""
    path = root
    os.makedirs(root, exist_ok=True)
    for name in os.path.relpath(folder, root).split(os.sep):
        path = os.path.join(path, name)
        with suppress(FileExistsError):
            os.mkdir(path, mode)
        if name != "." and not stat.S_ISDIR(os.lstat(path).st_mode):
            raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), path)


def is_regular(path: str) -> bool:
    """Whether a file is there that is no link, directory, pipe or device."""
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def files_of_form(folder: str, form: re.Pattern[str]) -> list[str]:
    """The paths of the regular files in a folder whose names have this form, sorted; none where it is no directory."""
    try:
        names = os.listdir(folder) if stat.S_ISDIR(os.lstat(folder).st_mode) else []
    except OSError:
        return []
    return [path for name in sorted(names) if form.fullmatch(name) and is_regular(path := os.path.join(folder, name))]


def stage(directory: str, blocks: Iterable[bytes | memoryview], again: Iterable[bytes] = ()) -> Staged:
    """Write ``blocks`` to a new temporary file in ``directory``: hash and write in one pass, fsync, read back.

    What is read back is compared with ``again``, the same bytes once more, where those are at hand (a third of the
    time), else hashed. The file is removed again when anything fails, an interrupt included.
    """
    path = os.path.join(directory, f"{TEMPORARY}{os.getpid()}-{os.urandom(6).hex()}")
    with _new(path, os.O_RDWR, 0o600) as descriptor:
        digest, size = hashlib.sha256(), 0
        for block in blocks:
            digest.update(block)
            size += len(block)
            write_all(descriptor, block)
        os.fsync(descriptor)
        sha256 = digest.hexdigest()
        if not _same(descriptor, again, size) and _digest(descriptor) != sha256:
            raise OSError(errno.EIO, "what was written reads back differently", path)
        state = os.fstat(descriptor)
        return Staged(path, sha256, size, (state.st_dev, state.st_ino))


@contextmanager
def _new(path: str, access: int, mode: int) -> Iterator[int]:
    """The descriptor of a file that was not there before; it is removed again when anything fails, an interrupt
    included."""
    descriptor = os.open(path, access | os.O_CREAT | os.O_EXCL | _NOFOLLOW, mode)
    try:
        yield descriptor
    except BaseException:
        with suppress(OSError):
            os.unlink(path)
        raise
    finally:
        os.close(descriptor)


def _same(descriptor: int, blocks: Iterable[bytes | memoryview], size: int) -> bool:
    """Whether the file holds just these blocks, of ``size`` bytes. An input that changed meanwhile is no proof."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    with open(descriptor, "rb", buffering=0, closefd=False) as stream:
        for block in blocks:
            if stream.read(len(block)) != bytes(block):  # views would be compared byte by byte
                return False
        return size > 0 and stream.tell() == size and not stream.read(1)


def write_all(descriptor: int, block: bytes | memoryview) -> None:
    """Write all of a block, in as many steps as it takes."""
    view = memoryview(block)
    while view:
        view = view[os.write(descriptor, view) :]


def create(path: str, data: bytes, mode: int) -> None:
    """Write a file that is not there yet. Raises ``FileExistsError`` for whatever has its name, a link too."""
    with _new(path, os.O_WRONLY, mode) as descriptor:
        write_all(descriptor, data)
        os.fsync(descriptor)


def append(path: str, data: bytes) -> int:
    """Add to the end of a file, private when it is new; its size then."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for
    descriptor = os.open(path, flags | _NOFOLLOW, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        write_all(descriptor, data)
        return os.fstat(descriptor).st_size
    finally:
        os.close(descriptor)


def _digest(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with open(descriptor, "rb", buffering=0, closefd=False) as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def sha256_of(blocks: Iterable[bytes | memoryview]) -> str:
    """The SHA-256 of ``blocks``, one behind the other."""
    digest = hashlib.sha256()
    for block in blocks:
        digest.update(block)
    return digest.hexdigest()


def state_of(path: str) -> tuple[int, ...]:
    """What changes whenever a file does, its size first; nothing for one that is not there."""
    try:
        info = os.lstat(path)
    except OSError:
        return ()
    return info.st_size, info.st_dev, info.st_ino, info.st_mtime_ns, info.st_ctime_ns


def slices(data: bytes) -> Iterator[memoryview]:
    """``data`` in blocks, without copying."""
    view = memoryview(data)
    for start in range(0, len(data), BLOCK):
        yield view[start : start + BLOCK]


def sync_directory(path: str) -> None:
    """Make renames durable. Not every system lets a directory be opened or flushed; a disk that fails is said."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        if error.errno in (errno.EIO, errno.ENOSPC, errno.EDQUOT):
            raise


def open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading; a symbolic link, pipe or device is refused (and never waited for)."""
    descriptor = os.open(path, os.O_RDONLY | _NOFOLLOW | getattr(os, "O_NONBLOCK", 0))
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


@contextmanager
def locked(directory: str) -> Iterator[None]:
    """One writer at a time in ``directory``, across processes and threads. A killed holder lets go by dying."""
    descriptor = os.open(os.path.join(directory, ".lock"), os.O_RDWR | os.O_CREAT | _NOFOLLOW, 0o600)
    try:
        if fcntl is not None:
            with suppress(OSError):  # a file system without locks: renames alone keep files whole
                fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


class Staging:
    """Temporary files of one put: published in order, or all removed."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._all: list[Staged] = []
        self._named: list[tuple[Staged, str]] = []

    def __enter__(self) -> Staging:
        return self

    def __exit__(self, *_: object) -> None:
        for staged in self._all:
            staged.discard()

    def add(self, blocks: Iterable[bytes | memoryview], again: Iterable[bytes] = ()) -> Staged:
        """Write, flush and verify a temporary file."""
        self._all.append(stage(self._directory, blocks, again))
        return self._all[-1]

    def name(self, staged: Staged, name: str) -> None:
        """The name that ``publish`` gives a file."""
        self._named.append((staged, name))

    def publish(self) -> None:
        """Give the names in the order they were asked for: the meta file, which advertises, comes last. When one
        cannot be given, names that nothing had before are taken back."""
        new: list[str] = []
        try:
            for staged, name in self._named:
                path = os.path.join(self._directory, name)
                new[:0] = [] if os.path.lexists(path) else [path]
                staged.publish(path)
        except BaseException:
            for path in new:
                with suppress(OSError):
                    os.unlink(path)
            raise


def write_whole(path: str, blocks: Iterable[bytes], root: str = "") -> int:
    """Write an output under its final name only when it is whole, with the mode of any program's new file; its size.
    Below ``root`` no link is followed. Raises ``CannotWriteError``."""
    directory = os.path.dirname(path) or "."
    try:
        make_below(root or directory, directory)
        with Staging(directory) as staging:
            staged = staging.add(blocks)
            mask = os.umask(0o077)
            os.umask(mask)
            os.chmod(staged.path, 0o666 & ~mask)
            staged.publish(path)
    except OSError as error:
        raise CannotWriteError(f"cannot write {path}: {error.strerror or error}") from error
    return staged.size
