"""The journal of an output directory: a line for each finished output, by which a later run goes on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from mcpcompact.batch.many import DONE, NOTED, Outcome, Task
from mcpcompact.errors import CannotWriteError, McpcompactError
from mcpcompact.inputs import is_url, local, remote
from mcpcompact.inputs.files import JOURNAL, relative
from mcpcompact.results.durable import append, is_regular, open_regular

EVERY = 30  # seconds between two writes of a journal on an object store, where nothing can be appended


def journal_of(directory: str) -> dict[str, dict[str, Any]]:
    """The last line of each target in the journal of an output directory; a torn line counts for nothing."""
    with suppress(OSError, McpcompactError):
        if is_url(directory):
            return _parsed(remote.read(_path(directory)).splitlines())
        with open_regular(_path(local(directory))) as stream:
            return _parsed(stream)
    return {}


def _parsed(lines: Iterable[bytes]) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = {}
    for line in lines:
        with suppress(ValueError):
            value = json.loads(line)
            if isinstance(value, dict) and isinstance(value.get("target"), str):
                rows[value["target"]] = value
    return rows


def _path(directory: str) -> str:
    return f"{directory.rstrip('/')}/{JOURNAL}" if is_url(directory) else os.path.join(directory, JOURNAL)


class Journal:
    """Notes each output that is done. Losing one costs work, not data, so nothing is flushed to disk.

    In a directory a line is appended at once. On an object store the whole journal is written again every ``EVERY``
    seconds and at the end: a run that is killed does the last half minute again.
    """

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._known: dict[str, dict[str, Any]] | None = None
        self._written = time.monotonic()
        path = "" if is_url(directory) else _path(local(directory))
        if path and os.path.lexists(path) and not is_regular(path):
            raise CannotWriteError(f"cannot write the journal {path}: it is not a regular file", hint="remove it")

    def note(self, task: Task, outcome: Outcome) -> None:
        """A line about an output that is done; nothing of any other outcome."""
        if outcome.state != DONE or not task.target:
            return
        line = {
            "target": relative(task.target, self._directory),
            "sha256": outcome.sha256,
            "options": task.fingerprint,
            "bytes": outcome.written,
            **{key: getattr(outcome, name) for name, key in NOTED.items()},
        }
        if is_url(self._directory):
            self._known = journal_of(self._directory) if self._known is None else self._known
            self._known[str(line["target"])] = line
            if time.monotonic() - self._written > EVERY:
                self._rewrite()
            return
        with suppress(OSError):
            append(_path(local(self._directory)), json.dumps(line).encode() + b"\n")

    def close(self) -> None:
        """Write what is left to be written."""
        if self._known is not None:
            self._rewrite()
            self._known = None

    def _rewrite(self) -> None:
        lines = [json.dumps(line).encode() + b"\n" for line in (self._known or {}).values()]
        with suppress(McpcompactError):
            remote.write(_path(self._directory), lines)
        self._written = time.monotonic()
