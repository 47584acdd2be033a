"""A long result on a terminal: page by page through the user's pager, JSON highlighted."""

from __future__ import annotations

import signal
import subprocess
from codecs import getincrementaldecoder
from collections.abc import Iterable
from contextlib import suppress
from typing import IO

from mcpcompact.cli.io import Environment, neutralise
from mcpcompact.config import pager, styled

LONGEST_HIGHLIGHTED = 5_000  # characters of a line: patterns take time, and nobody reads a longer one


def pages(env: Environment) -> bool:
    """Whether a result is paged: on a terminal, with a pager."""
    return env.stdout_isatty and styled(True) and bool(pager())


def page(blocks: Iterable[bytes], env: Environment, json: bool = False) -> None:
    """Text on the terminal; what is more than a screen goes through the pager, which may be left early."""
    pager = _Pager(env, json)
    with suppress(BrokenPipeError):
        for block in blocks:
            pager.write(block)
    pager.close()


class _Pager:
    def __init__(self, env: Environment, json: bool = False) -> None:
        from mcpcompact.cli.tables import console_of

        self._env, self._json = env, json
        self._console = console_of(env)
        self._held = ""  # at most a screen, until it is known to be more
        self._line = ""  # the last one, not ended yet
        self._decoder = getincrementaldecoder("utf-8")("replace")
        self._process: subprocess.Popen[str] | None = None
        self._pipe: IO[str] | None = None

    def write(self, data: bytes) -> None:
        *lines, self._line = (self._line + self._decoder.decode(data)).split("\n")
        for line in lines:
            self._put(self._shown(line) + "\n")

    def close(self) -> None:
        """All is written; waits until the reader has left the pager."""
        if self._line:
            with suppress(BrokenPipeError):
                self._put(self._shown(self._line) + "\n")
        if self._process is None or self._pipe is None:
            self._env.stdout.write(self._held)
            self._env.stdout.flush()
            return
        with suppress(BrokenPipeError):
            self._pipe.close()
        self._process.wait()

    def _put(self, line: str) -> None:
        if self._pipe is not None:
            self._pipe.write(line)
            return
        self._held += line
        rows = self._held.count("\n") + len(self._held) // self._console.width
        if rows >= self._console.height:
            self._env.stdout.flush()
            self._process = subprocess.Popen(pager(), stdin=subprocess.PIPE, encoding="utf-8", errors="replace")
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's while it shows
            self._pipe = self._process.stdin
            assert self._pipe is not None
            self._pipe.write(self._held)

    def _shown(self, line: str) -> str:
        line = neutralise(line)
        if not self._json or len(line) > LONGEST_HIGHLIGHTED:
            return line
        from rich.highlighter import JSONHighlighter
        from rich.text import Text

        text = Text(line, end="")
        JSONHighlighter().highlight(text)
        with self._console.capture() as drawn:
            self._console.print(text, end="", soft_wrap=True)
        return drawn.get()
