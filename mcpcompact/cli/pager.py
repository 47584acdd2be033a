"""A long result on a terminal: page by page through the user's pager, JSON highlighted."""

from __future__ import annotations

import signal
import subprocess
from codecs import iterdecode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain

from mcpcompact.cli.io import Environment, neutralise
from mcpcompact.cli.tables import console_of
from mcpcompact.config import pager, styled

LONGEST_HIGHLIGHTED = 5_000  # characters of a line: patterns take time, and nobody reads a longer one


def pages(env: Environment) -> bool:
    """Whether a result is paged: on a terminal, with a pager."""
    return env.stdout_isatty and styled(True) and bool(pager())


def page(blocks: Iterable[bytes], env: Environment, json: bool = False) -> None:
    """Text on the terminal; what is more than a screen goes through the pager, which may be left early."""
    console = console_of(env)
    lines = _highlighted(blocks, env) if json else map(neutralise, _lines(blocks))
    held, rows = list[str](), 0
    for line in lines:
        held.append(line)
        rows += 1 + len(line) // console.width
        if rows >= console.height:
            break
    else:
        env.stdout.writelines(held)
        env.stdout.flush()
        return
    env.stdout.flush()
    with (
        suppress(BrokenPipeError),
        subprocess.Popen(pager(), stdin=subprocess.PIPE, encoding="utf-8", errors="replace") as process,
    ):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's while it shows
        assert process.stdin is not None
        process.stdin.writelines(chain(held, lines))


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    """The text's lines, each with its end; the last one, too."""
    rest = ""
    for text in iterdecode(blocks, "utf-8", "replace"):
        *lines, rest = (rest + text).split("\n")
        yield from (f"{line}\n" for line in lines)
    if rest:
        yield f"{rest}\n"


def _highlighted(blocks: Iterable[bytes], env: Environment) -> Iterator[str]:
    from rich.highlighter import JSONHighlighter
    from rich.text import Text

    console, highlighter = console_of(env), JSONHighlighter()
    for line in map(neutralise, _lines(blocks)):
        if len(line) > LONGEST_HIGHLIGHTED:
            yield line
            continue
        text = Text(line, end="")
        highlighter.highlight(text)
        with console.capture() as drawn:
            console.print(text, end="", soft_wrap=True)
        yield drawn.get()
