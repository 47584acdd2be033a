"""The entry point of its own: a small result costs one look at its size, and nothing else is imported.

Whatever happens here leaves the result as it was: nothing on stdout, exit code 0 (2 would block the tool).
"""

from __future__ import annotations

import gc
import os

from mcpcompact.config import DEFAULT_BUDGET, configured

FLOOR = 2 * DEFAULT_BUDGET
"""Bytes. A text has no more tokens than bytes: what is no longer than the default threshold passes uncounted. Where
something is configured, it says."""

BLOCK = 1 << 20
STDIN, STDOUT, STDERR = 0, 1, 2


def main() -> int:
    """Answers the host on stdout, or says nothing at all. Always 0."""
    try:
        data = _read()
        if len(data) > FLOOR or configured():
            gc.set_threshold(100_000)  # as the command line does
            from mcpcompact.hook.run import answer
            from mcpcompact.results.durable import write_all

            write_all(STDOUT, answer(data, say))
    except BaseException as error:  # a panic of a library, no memory, a closed pipe, Ctrl-C: the host goes on
        say(f"the result stays as it was ({type(error).__name__}: {error})")
    gc.freeze()  # as the command line does: it ends at once
    return 0


def _read() -> bytes:
    blocks = []
    while block := os.read(STDIN, BLOCK):
        blocks.append(block)
    return b"".join(blocks)


def say(line: str) -> None:
    """A line on stderr, which hosts show in their logs only."""
    try:
        os.write(STDERR, f"mcpcompact: {' '.join(line.split())}\n".encode("utf-8", "replace"))
    except OSError:
        return


if __name__ == "__main__":
    main()
