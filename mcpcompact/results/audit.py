"""The calls of models about a stored result: ``<tool>-<id>.audit.ndjson`` beside it, a line a call, mode 0600.

``results gc`` removes it with its result. What stands in it is masked by who writes it.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from mcpcompact.results.durable import is_regular, open_regular

if TYPE_CHECKING:
    from mcpcompact.results.stored import Reference, StoredResult

ENDING = ".audit.ndjson"


def append_audit(reference: Reference, lines: Iterable[dict[str, Any]]) -> None:
    """Add lines to the audit of a result. Raises ``OSError``."""
    data = b"".join(json.dumps(line, ensure_ascii=False).encode("utf-8", "replace") + b"\n" for line in lines)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    path = _path(reference.path)
    descriptor = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o600)  # a pipe is not waited for
    try:
        if not is_regular(path):
            raise OSError(errno.EINVAL, "not a regular file", path)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)


def read_audit(result: StoredResult) -> list[dict[str, Any]]:
    """The calls about a result, oldest first; none when no model was asked. A torn line counts for nothing."""
    found = []
    try:
        with open_regular(_path(result.path)) as stream:
            for line in stream:
                try:
                    found.append(json.loads(line))
                except ValueError:
                    continue
    except FileNotFoundError:
        pass
    return found


def _path(original: str) -> str:
    directory, name = os.path.split(original)
    return os.path.join(directory, name.partition(".")[0] + ENDING)
