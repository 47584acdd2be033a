"""Recordings that are no plain UTF-8: gz, zst, zip and UTF-16 are read from bounded copies; what no reader knows is
named with what to do.

Nothing of an archive decides where anything is written: its members are copied, one at a time, under a name of ours.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import closing

from mcpcompact.charset import recoded, unlike_ascii
from mcpcompact.errors import InputError

MAX_MEMBERS = 10_000  # files of an archive: evaluations pack thousands of samples, not hundreds of thousands
MAX_RATIO = 500  # how much a member may grow, from ``SMALL`` on: recordings shrink to a tenth or a hundredth

SMALL = 1 << 24

PACKED = {b"\x1f\x8b\x08": "gz", b"\x28\xb5\x2f\xfd": "zst", b"PK\x03\x04": "zip"}

NO_RESULTS = "it keeps what was said, not what tools answered: record the traffic of its API instead"

FOREIGN: list[tuple[bytes, int | None, str, str]] = [
    # a mark, where it stands (None: anywhere), what the file is, what to do; the more specific first
    (b"cursorDiskKV", None, "the history of Cursor", NO_RESULTS),
    (b"# aider chat started at", None, "the history of Aider", NO_RESULTS),
    (b"_Exported on ", None, "a chat that Cursor exported", NO_RESULTS),
    (b"SQLite format 3\0", 0, "an SQLite database", "export its sessions with its tool"),
    (b"PAR1", 0, "a Parquet file", "write its conversations as JSON lines"),
    (b"PK\x03\x04", 0, "a zip archive", "unpack it and name its files"),
    (b"7z\xbc\xaf\x27\x1c", 0, "a 7z archive", "unpack it"),
    (b"Rar!\x1a", 0, "a RAR archive", "unpack it"),
    (b"\xfd7zXZ\0", 0, "xz data", "unpack it"),
    (b"BZh", 0, "bzip2 data", "unpack it"),
    (b"ustar", 257, "a tar archive", "unpack it"),
]


def packing(head: bytes) -> str:
    """How a file that begins so is packed: ``gz``, ``zst``, ``zip``, ``utf-16``; "" when it is plain."""
    name = next((kind for magic, kind in PACKED.items() if head.startswith(magic)), "")
    return name or ("utf-16" if b"\0" in head and unlike_ascii(head) else "")


def foreign(head: bytes) -> tuple[str, str]:
    """What a file that begins so is and what to do, when that is known; else two empty strings."""
    for mark, at, what, hint in FOREIGN:
        if mark in head if at is None else head.startswith(mark, at):
            return what, hint
    return "", ""


def plain(path: str, head: bytes) -> Iterator[tuple[str, str]]:
    """Of a packed file each member's name ("" where there is one) and a plain copy of it, which is there until the
    next. Raises ``InputError`` for a damaged or oversized one, or a missing library."""
    kind = packing(head)
    if not kind:
        return
    with tempfile.TemporaryDirectory(prefix="mcpcompact-") as folder:
        copy = os.path.join(folder, "plain")
        if kind == "zip":
            for name in _members(path, copy):
                yield name, copy
            return
        from mcpcompact.inputs.reading import open_source

        with closing(open_source(path)) as source, open(copy, "wb") as stream:
            wide = unlike_ascii(source.read(0, len(head)))
            stream.writelines(recoded(source.chunks(), wide) if wide else source.chunks())
        yield "", copy


def _members(path: str, copy: str) -> Iterator[str]:
    """Copies each file of an archive to ``copy``, and gives its name."""
    import zipfile
    import zlib

    from mcpcompact.inputs.reading import MAX_BYTES

    left = MAX_BYTES
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) > MAX_MEMBERS:
                raise InputError(f"{path} holds {len(members):,} files", hint=f"at most {MAX_MEMBERS:,} are read")
            for member in members:
                size, most = 0, min(left, max(SMALL, MAX_RATIO * member.compress_size))
                with archive.open(member) as stream, open(copy, "wb") as out:
                    while block := stream.read(1 << 20):
                        size += len(block)
                        if size > most:
                            raise InputError(f"{path}: {member.filename} expands to more than {most:,} bytes")
                        out.write(block)
                left -= size
                yield member.filename
    except (zipfile.BadZipFile, zlib.error, EOFError):
        raise InputError(f"{path} is a damaged zip archive") from None
    except (NotImplementedError, RuntimeError):
        raise InputError(f"{path} is encrypted or packed in a way that is not read", hint="unpack it") from None
