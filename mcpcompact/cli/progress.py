"""Progress on standard error: a bar with rate and remaining time on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mcpcompact.cli.io import Environment, visible
from mcpcompact.config import styled

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import ProgressColumn

    from mcpcompact.source import Source

EVERY = 0.1  # seconds between two drawings


class Progress:
    """``step`` after each of ``total`` inputs; ``say`` for a line that stays."""

    def __init__(self, env: Environment, total: int = 0) -> None:
        self._env, self._total, self._done = env, total, 0
        self._draws = total > 1 and drawable(env)
        self._bar: Bar | None = None
        self._drawn_at = 0.0

    def step(self, line: str = "") -> None:
        """One more is done; elsewhere than on a terminal, ``line`` says what."""
        self._done += 1
        if self._draws:
            self._draw()
        elif line and self._total > 1:
            self._env.stderr.write(f"[{self._done}/{self._total}] {visible(self._env.clean(line))}\n")

    def reached(self, done: int, total: int) -> None:
        """So many of all are done; nothing is said of it elsewhere than on a terminal."""
        self._done, self._total = done, total
        if total > 1 and drawable(self._env):
            self._draw()

    def say(self, line: str) -> None:
        """A line that stays; the bar is drawn anew below it."""
        self.close()
        self._env.say(line)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _draw(self) -> None:
        """By this thread: one that draws by itself could hold a lock while worker processes are forked."""
        now = time.monotonic()
        if self._bar is not None and now - self._drawn_at < EVERY:
            return
        self._drawn_at = now
        if self._bar is None:
            self._bar = _counting(self._env)
            self._bar.add_task("", total=self._total, completed=self._done)
        self._bar.update(self._bar.task_ids[0], total=self._total, completed=self._done, refresh=True)


def drawable(env: Environment) -> bool:
    """Whether stderr is a terminal that takes a bar."""
    return env.stderr.isatty() and styled(True)


@contextmanager
def reading(source: Source, env: Environment) -> Iterator[None]:
    """While a large input is read: how far, how fast, how long yet. It may be read several times."""
    from mcpcompact.inputs.reading import Input

    if not (isinstance(source, Input) and source.large and drawable(env)):
        yield
        return
    from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    what = TextColumn("{task.description}")
    bar = _bar(env, what, BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    task = bar.add_task("reading", total=source.size)
    drawn_at = last = 0.0

    def watch(done: int) -> None:
        nonlocal drawn_at, last
        now = time.monotonic()
        if done < last:
            bar.reset(task, total=source.size)
        last = done
        if now - drawn_at >= EVERY:
            drawn_at = now
            bar.update(task, completed=done, refresh=True)

    bar.start()
    source.watch = watch
    try:
        yield
    finally:
        source.watch = None
        bar.stop()


def _counting(env: Environment) -> Bar:
    from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TimeRemainingColumn
    from rich.text import Text

    class Rate(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.1f}/s" if task.speed else "")

    bar = _bar(env, BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    bar.start()
    return bar


def _bar(env: Environment, *columns: ProgressColumn) -> Bar:
    from rich.progress import Progress as Bar

    from mcpcompact.cli.tables import console_of

    return Bar(*columns, console=console_of(env, stderr=True), auto_refresh=False, transient=True)
