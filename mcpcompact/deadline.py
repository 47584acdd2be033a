"""A bound on the time of a pattern that a user wrote: one that backtracks without end is stopped."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

REGEX_SECONDS = 10  # seconds for the patterns of one search, or of one part of a masked stream


@contextmanager
def deadline(seconds: int, what: str = "the pattern") -> Iterator[None]:
    """Raises ``UsageError`` in the block after so many seconds (the matcher looks for signals); 0: no bound.

    Only in the main thread of a process, and where there are timers: elsewhere nothing can stop the matcher.
    """
    import signal
    import threading

    if not seconds or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        from mcpcompact.errors import UsageError

        raise UsageError(f"{what} takes more than {seconds} seconds", hint="use a simpler one or a fixed string")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
