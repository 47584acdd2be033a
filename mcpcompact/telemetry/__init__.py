"""Telemetry: what a run did, a line in a file of the user's state directory. Local, never sent.

A line is one ``write`` to a descriptor opened with ``O_APPEND``, so lines of different processes never mix. A full
file is renamed under a lock; whoever had it open still writes to it under its new name, so no line is lost.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from mcpcompact.patterns import regex

FILE = "telemetry.ndjson"
MAX_BYTES = 8 * 1024 * 1024  # a file is rotated when it is larger
KEPT = 8  # rotated files that are kept: 70 MB in all, some 200,000 runs

_ROTATED = regex(r"telemetry-(\d+)\.ndjson")
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def append(directory: str, run: Mapping[str, Any]) -> None:
    """Write one run. Raises ``OSError``; the file holds whole lines only, whatever happens."""
    path = os.path.join(directory, FILE)
    data = line(run)
    try:
        descriptor = os.open(path, _FLAGS, 0o600)
    except FileNotFoundError:
        os.makedirs(directory, 0o700, exist_ok=True)
        descriptor = os.open(path, _FLAGS, 0o600)
    try:
        size = os.fstat(descriptor).st_size
        os.lseek(descriptor, max(0, size - 1), os.SEEK_SET)  # appending needs no place of its own
        if size and os.read(descriptor, 1) not in b"\n":  # a full disk cut a line: it stays alone
            data = b"\n" + data
        if os.write(descriptor, data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        if size > MAX_BYTES:
            _rotate(directory, descriptor)
    finally:
        os.close(descriptor)


def line(run: Mapping[str, Any]) -> bytes:
    return json.dumps(dict(run), separators=(",", ":")).encode() + b"\n"


def _rotate(directory: str, descriptor: int) -> None:
    """Give the full file a number. Only one process does it, and only while its file is still the current one."""
    try:
        import fcntl
    except ImportError:  # Windows: the file grows
        return
    lock = os.open(os.path.join(directory, ".telemetry-lock"), _FLAGS, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return  # another one is at it
        path = os.path.join(directory, FILE)
        if not os.path.exists(path) or not os.path.samestat(os.fstat(descriptor), os.stat(path)):
            return
        old = rotated(directory)
        last = int(_ROTATED.sub(r"\1", old[-1])) if old else 0
        os.rename(path, os.path.join(directory, f"telemetry-{last + 1:06d}.ndjson"))
        for name in old[: max(0, len(old) + 1 - KEPT)]:
            os.unlink(os.path.join(directory, name))
    finally:
        os.close(lock)


def rotated(directory: str) -> list[str]:
    """The names of the rotated files, oldest first."""
    with suppress(OSError):
        return sorted(name for name in os.listdir(directory) if _ROTATED.fullmatch(name))
    return []


def runs(directory: str) -> Iterator[dict[str, Any]]:
    """The recorded runs, oldest first. A torn or foreign line is left out. Raises ``OSError`` for unreadable files."""
    for name in (*rotated(directory), FILE):
        for run in objects(os.path.join(directory, name)):
            if isinstance(run.get("time"), str) and isinstance(run.get("command"), str):
                yield run


def objects(path: str) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines; none where there is no file. Raises ``OSError`` for an unreadable one."""
    try:
        stream = open(path, "rb")  # noqa: SIM115
    except FileNotFoundError:
        return
    with stream:
        for line in stream:
            with suppress(ValueError, RecursionError):
                value = json.loads(line)
                if isinstance(value, dict):
                    yield value
