"""A bar on a terminal, plain lines elsewhere; both on stderr."""

from __future__ import annotations

from mcpcompact.cli.io import Environment, neutralise

WIDTH = 28


class Progress:
    """``step`` after each of ``total`` inputs; ``say`` for a line that stays."""

    def __init__(self, env: Environment, total: int) -> None:
        self._env, self._total, self._done = env, total, 0
        self._bar = env.stderr.isatty() and total > 1
        self._drawn = False

    def step(self, line: str = "") -> None:
        """One more is done; elsewhere than on a terminal, ``line`` says what."""
        self._done += 1
        if self._bar:
            filled = WIDTH * self._done // max(1, self._total)
            self._env.stderr.write(f"\r[{'#' * filled}{'.' * (WIDTH - filled)}] {self._done:,}/{self._total:,}")
            self._env.stderr.flush()
            self._drawn = True
        elif line and self._total > 1:
            self._env.stderr.write(f"[{self._done}/{self._total}] {neutralise(self._env.clean(line))}\n")

    def say(self, line: str) -> None:
        self._clear()
        self._env.say(line)

    def close(self) -> None:
        self._clear()

    def _clear(self) -> None:
        if self._drawn:
            self._env.stderr.write("\r\x1b[K")
            self._drawn = False
