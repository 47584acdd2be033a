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
        import signal
        from concurrent.futures import ProcessPoolExecutor

        fork = not spawn and "fork" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if fork else "spawn")
        # Ctrl-C reaches every process of the group: the workers finish what they hold, the parent decides.
        return ProcessPoolExecutor(jobs, context, signal.signal, (signal.SIGINT, signal.SIG_IGN))

    return make
