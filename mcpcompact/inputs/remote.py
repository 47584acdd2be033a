"""Names that are URLs (``s3://``, ``gs://``, ``az://``, …), through fsspec, which is imported at the first of them.

What is printed, stored or recorded of a URL is ``shown(url)``: without a password and without a signature. Credentials
themselves are the libraries' own affair: their environment variables, files and instance roles. Errors of any library
become ours, one line each.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from mcpcompact.errors import CannotReadError, CannotWriteError, ConfigError, McpcompactError, NoInputError, UsageError
from mcpcompact.inputs import scrubbed, shown
from mcpcompact.phrasing import fitted

_BAD_REQUEST, _SERVER_ERROR = 400, 500
_ANSWERS = {
    **dict.fromkeys((401, 407), ("credentials are required", "fetch it with them yourself and pipe it in")),
    403: ("access is denied", "fetch it with credentials that may, and pipe it in"),
    **dict.fromkeys((429, _SERVER_ERROR), ("it cannot serve it now", "try again later")),
}
"""By the status of a web server: what is said of it, and what to do."""
_SAID = 300  # characters of a message

AT_ONCE = 32 * 1024 * 1024
"""Bytes up to which an object is written in one request. A larger one goes through a temporary file."""

STEP = 1 << 20

TEMPORARY = ".tmp-"

PATIENCE, LOST_FOR = 5, 30
"""Seconds: a store that failed after so many (the libraries try again for 10 to 90) is not asked for so many."""

_LOST: dict[str, tuple[float, str]] = {}  # by store: until when it is not asked again (monotonic), and why

_CREDENTIALS = "are the credentials of this store set, in its own way (for example AWS_PROFILE)?"
_LOGGERS = ("fsspec", "s3fs", "gcsfs", "adlfs", "aiobotocore", "botocore", "azure", "google", "asyncio", "aiohttp")
_TIMES = ("LastModified", "last_modified", "mtime", "updated", "modified", "created")
_WHOLE = {"s3", "s3a", "gs", "gcs", "az", "abfs", "abfss", "adl", "memory", "oss", "oci", "http", "https", "hf"}
"""Where an object appears under its name when it is whole. Elsewhere it is written beside and renamed."""


# -- reading --------------------------------------------------------------------------------------


def blocks(url: str) -> Iterator[bytes]:
    """The object's bytes in blocks. Raises ``NoInputError``, ``CannotReadError``."""
    with _reached(url, "read", CannotReadError) as (fs, path):
        stream = fs.open(path, "rb", block_size=8 * STEP, cache_type="readahead")
    with stream:
        while True:
            with _told(url, "read", CannotReadError):  # each by itself: what is done with a block takes its own time
                block = stream.read(STEP)
            if not block:
                return
            yield block


def read(url: str) -> bytes:
    """A small object, whole."""
    with _reached(url, "read", CannotReadError) as (fs, path):
        data: bytes = fs.cat_file(path)
        return data


def size(url: str) -> int:
    """Bytes of an object; -1 when there is none."""
    try:
        with _reached(url, "read", CannotReadError) as (fs, path):
            return int(fs.info(path).get("size") or 0)
    except NoInputError:
        return -1


def is_directory(url: str) -> bool:
    """Whether something lies below the name."""
    with _reached(url, "read", CannotReadError) as (fs, path):
        return bool(fs.isdir(path))


def listing(url: str) -> dict[str, tuple[int, float]]:
    """The objects right below a directory: size and time of change (0 when unknown) by name. None is no error."""
    try:
        with _reached(url, "list", CannotReadError) as (fs, path):
            entries = fs.ls(path, detail=True)
    except NoInputError:
        return {}
    return {
        info["name"].rstrip("/").rpartition("/")[2]: (int(info.get("size") or 0), _time(info))
        for info in entries
        if info.get("type") == "file" and info["name"].rstrip("/") != path.rstrip("/")
    }


def below(url: str) -> list[str]:
    """The URLs of all objects at any depth below a directory, sorted."""
    with _reached(url, "list", CannotReadError) as (fs, path):
        return [_url(url, path, name) for name in sorted(fs.find(path))]


def matches(pattern: str) -> list[str]:
    """The URLs that a glob pattern matches, sorted; a directory is none."""
    with _reached(pattern, "list", CannotReadError) as (fs, path):
        entries = fs.glob(path, detail=True)
        return [_url(pattern, path, name) for name in sorted(entries) if entries[name].get("type") != "directory"]


# -- writing --------------------------------------------------------------------------------------


def write(url: str, content: Iterable[bytes | memoryview]) -> int:
    """Write an object, whole under its name or not at all, and return its size. Raises ``CannotWriteError``."""
    content = iter(content)
    held: list[bytes | memoryview] = []
    total = 0
    for block in content:
        held.append(block)
        total += len(block)
        if total > AT_ONCE:
            break
    with _reached(url, "write", CannotWriteError) as (fs, path):
        target = path if _scheme(url) in _WHOLE else _beside(fs, path)
        if total <= AT_ONCE:
            fs.pipe_file(target, b"".join(held))
        else:
            total = _put_large(fs, target, held, content)
        if target != path:
            fs.mv(target, path)
    return total


def create(url: str, data: bytes) -> bool:
    """Write a small object unless there is one; whether it was written. Two at the same moment: one of them wins."""
    with _reached(url, "write", CannotWriteError) as (fs, path):
        _made(fs, path)
        try:
            fs.pipe_file(path, data, mode="create")
        except Exception:  # each library has its own for this
            if not fs.exists(path):
                raise
            return False
    return True


def remove(url: str) -> None:
    """Remove an object; one that is gone already is no error."""
    with _reached(url, "remove", CannotWriteError) as (fs, path), suppress(FileNotFoundError):
        fs.rm_file(path)


def _put_large(fs: Any, path: str, held: list[bytes | memoryview], content: Iterator[bytes | memoryview]) -> int:
    """Through a temporary file: a stream that fails half-way would otherwise be closed, and so be an object."""
    import tempfile

    with tempfile.NamedTemporaryFile(prefix="mcpcompact-") as spool:
        spool.writelines(held)
        held.clear()
        for block in content:
            spool.write(block)
        spool.flush()
        fs.put_file(spool.name, path)
        return spool.tell()


def _beside(fs: Any, path: str) -> str:
    _made(fs, path)
    folder, _, name = path.rpartition("/")
    return f"{folder}/{TEMPORARY}{os.getpid()}-{os.urandom(4).hex()}-{name}"


def _made(fs: Any, path: str) -> None:
    """Directories where there are such things; making a bucket is nobody's intention."""
    protocols = {fs.protocol} if isinstance(fs.protocol, str) else {*fs.protocol}
    if "/" in path.strip("/") and not protocols & _WHOLE:
        fs.makedirs(path.rpartition("/")[0], exist_ok=True)


# -- fsspec ---------------------------------------------------------------------------------------


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()


def _place(url: str) -> tuple[Any, str]:
    """The file system of a URL and the path in it. Listings are not cached: others write there too."""
    scheme = _scheme(url)
    _silence()
    missing, hint = f"{scheme}:// needs another package", "install it: pip install 'mcpcompact[remote]'"
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        raise ConfigError(missing, hint=hint) from None
    try:
        fs, path = url_to_fs(url, use_listings_cache=False)
    except ImportError as error:
        raise ConfigError(f"{missing} ({error})", hint=hint) from None
    except ValueError as error:
        from fsspec import available_protocols

        if scheme not in available_protocols():
            raise UsageError(
                f"{scheme}:// is not a supported kind of URL", hint="give a path, s3://, gs:// or az://"
            ) from None
        raise ConfigError(f"{shown(url)}: {scrubbed(str(error))}") from None
    return fs, path


def _silence() -> None:
    """What these libraries log is shown where somebody asked for logs, not on a stderr that nobody set up for them."""
    import logging

    for name in _LOGGERS:
        logger = logging.getLogger(name)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())


@contextmanager
def _told(url: str, verb: str, kind: type[McpcompactError]) -> Iterator[None]:
    """Whatever the libraries raise (they share no base), as one of our errors.

    A store that is gone is waited for once, not at each of the steps of a command and at each file of a batch.
    """
    store = "/".join(url.split("/", 3)[:3])
    until, why = _LOST.get(store, (0.0, ""))
    began = time.monotonic()
    if began < until:
        raise kind(f"cannot {verb} {shown(url)}: {why}")
    try:
        yield
    except McpcompactError:
        raise
    except Exception as error:
        absent, denied = isinstance(error, FileNotFoundError), isinstance(error, PermissionError)
        if kind is CannotReadError and not denied and (refused := _refused(error, url)) is not None:
            raise refused from None
        if kind is CannotReadError and absent:
            raise NoInputError(f"{shown(url)}: no such file") from None
        why = _reason(error, url)
        if not (absent or denied) and time.monotonic() - began > PATIENCE:
            _LOST[store] = time.monotonic() + LOST_FOR, why
        raise kind(f"cannot {verb} {shown(url)}: {why}", hint=_CREDENTIALS if denied else "") from None


@contextmanager
def _reached(url: str, verb: str, kind: type[McpcompactError]) -> Iterator[tuple[Any, str]]:
    """The file system of a URL and the path in it; what fails there is told."""
    with _told(url, verb, kind):
        yield _place(url)


def _refused(error: BaseException, url: str) -> McpcompactError | None:
    """What a web server answered instead of the object, by its status; None where it is no web server's answer.

    fsspec says "not found" whatever the status was, which then stands on the error behind.
    """
    if _scheme(url) not in ("http", "https"):
        return None
    behind: BaseException | None = error
    status = 0
    while behind is not None and not status:
        code = getattr(behind, "status", 0)
        status = code if isinstance(code, int) else 0
        behind = behind.__cause__ or behind.__context__
    if status < _BAD_REQUEST:
        return None
    what = f"{shown(url)}: the server answered {status}"
    if status in (404, 410):
        return NoInputError(f"{what}: there is no such object")
    refusal = "it refuses this request", "fetch it yourself and pipe it in"
    why, hint = _ANSWERS.get(min(status, _SERVER_ERROR), refusal)
    return CannotReadError(f"{what}: {why}", hint=hint)


def _reason(error: BaseException, url: str) -> str:
    """What a library says, without what only ``url`` should know; it may say parts of that in its own way."""
    text = " ".join(scrubbed(str(error)).split()) or type(error).__name__
    rest = url.partition("://")[2] if shown(url) != url else ""
    user = rest[: max(0, rest.rfind("@"))]  # with the password
    secrets = {part for part in (user, user.partition(":")[2], rest.partition("?")[2]) if len(part) > 2}
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "…")
    return fitted(text, _SAID)


def _url(asked: str, path: str, name: str) -> str:
    """The URL of ``name``, which the file system named, where ``asked`` is its ``path``: same host, same user."""
    scheme, _, rest = asked.partition("://")
    host, slash, inner = rest.partition("/")
    path = path.rstrip("/")  # some keep it, some do not
    head = path.removesuffix((slash + inner).rstrip("/")) if slash else path
    return f"{scheme}://{host}{name.removeprefix(head)}" if name.startswith(head) else f"{scheme}://{name}"


def _time(info: dict[str, Any]) -> float:
    value = next((info[key] for key in _TIMES if info.get(key)), 0.0)
    if isinstance(value, (int, float)):
        return float(value)
    if isinstance(value, str):
        from datetime import datetime

        try:
            value = datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            return 0.0
    return float(value.timestamp()) if hasattr(value, "timestamp") else 0.0
