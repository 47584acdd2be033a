"""Processes of this machine as an executor."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrent.futures import Executor


def processes(jobs: int, spawn: bool) -> Callable[[], Executor] | None:
    """Processes of this machine. ``spawn``: the threads and locks of fsspec's libraries do not survive a fork."""
    if jobs == 1:
        return None

    def make() -> Executor:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        fork = not spawn and "fork" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if fork else "spawn")
        return ProcessPoolExecutor(jobs, context, initializer=_leave_interrupts)

    return make


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of the group: the workers finish what they hold, the parent decides."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
