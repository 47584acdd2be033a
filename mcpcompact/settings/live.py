"""Settings of a running process: a changed file counts from the next look on, a broken one never."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable

from mcpcompact.errors import ConfigError
from mcpcompact.settings.checking import dotted
from mcpcompact.settings.effective import FILE, Settings, read
from mcpcompact.settings.schema import written

Stamp = tuple[int, int, int]


class Live:
    """``current()`` gives the settings in force: one unchanging object, so that a run that holds on to it never mixes
    two configurations. A change is seen when it is asked for (one ``stat``, some 5 µs), not after a delay. What
    changed is told to ``log``, old and new value; a file that became invalid, or vanished, is told once and the last
    good settings stay.
    """

    def __init__(self, settings: Settings, log: Callable[[str], object]) -> None:
        self._settings, self._log = settings, log
        self._stamp = _stamp(settings.file)
        self._lock = threading.Lock()

    def current(self) -> Settings:
        """The settings in force now."""
        if not self._settings.file or _stamp(self._settings.file) == self._stamp:
            return self._settings
        with self._lock:
            stamp = _stamp(self._settings.file)
            if stamp != self._stamp:
                self._stamp = stamp
                self._reload()
            return self._settings

    def _reload(self) -> None:
        old = self._settings
        try:
            values = read(old.file, old.trusted).layers.get(FILE, {})
        except ConfigError as error:
            self._log(f"{error} (the last good configuration stays)")
            return
        before = old.layers.get(FILE, {})
        changed = sorted(path for path in before.keys() | values.keys() if before.get(path) != values.get(path))
        new = Settings(old.file, old.layers | {FILE: values}, old.named, old.trusted)
        for path in changed:
            change = f"{written(before.get(path))} -> {written(values.get(path))}"
            self._log(f"configuration {old.file}: {dotted(path)} {change}")
        self._settings = new


def _stamp(path: str) -> Stamp | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino
