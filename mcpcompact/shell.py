"""Every command that is printed is made here, of words that are quoted one by one: most of them come from the data,
and data is untrusted."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 120  # characters of a value that is printed: of a longer one its position says more in fewer tokens
OURS = "[mcpcompact]"
SELECTORS = frozenset(("--lines", "--bytes", "--records", "--id", "--fields", "--where", "--path", "--grep"))

Selector = tuple[str, ...]  # options of ``results get`` and their values in turn, as they are meant: not quoted yet


def command(*words: str) -> str:
    """The words as one line of a POSIX shell that means exactly them."""
    return shlex.join(words)


def option(name: str, value: object) -> tuple[str, ...]:
    """An option and its value as words: in one word where the value would be taken for something else."""
    return (f"{name}={value}",) if str(value)[:1] in "-=" else (name, str(value))


def printable(value: str) -> bool:
    """Whether a value may stand in a command: short, no control, escape or bidi character, nothing unreadable, and
    not our own words."""
    return len(value) <= LONGEST and value.isprintable() and "\ufffd" not in value and OURS not in value.lower()


def selector(name: str, value: str, otherwise: Selector) -> Selector:
    """``name`` with its ``value``, or a position where the value may not be printed."""
    return (name, value) if value.strip() == value and value and printable(value) else otherwise


def parsed(chosen: Selector | str) -> Selector:
    """A selector that may be printed; empty for what is none, or may not. A ``str`` (of a content type of others) is
    read as a shell reads it, and none of its words can be an option but a selector's."""
    try:
        parts = tuple(shlex.split(chosen)) if isinstance(chosen, str) else tuple(map(str, chosen))
    except ValueError:  # a quotation mark that is not closed
        return ()
    fit = len(parts) % 2 == 0 and SELECTORS.issuperset(parts[::2]) and all(map(printable, parts))
    return parts if fit else ()


def words(chosen: Selector | str) -> list[str]:
    """A selector as words of a command; none where it may not be printed."""
    parts = parsed(chosen)
    return [word for at in range(0, len(parts), 2) for word in option(parts[at], parts[at + 1])]


class Command(NamedTuple):
    """How the reader fetches a part: the command's beginning, "" where it has none."""

    start: str

    def __call__(self, *selector: str, flags: Sequence[str] = ()) -> str:
        more = words(selector)
        return f"{self.start} {command(*more, *flags)}" if self.start and more else ""
