"""Masking on the command line: the masker that settings and options make, and what is said of its work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from typing import TYPE_CHECKING

from mcpcompact.cli.io import Environment
from mcpcompact.errors import MaskError, McpcompactError, UsageError
from mcpcompact.inputs.reading import in_utf8, open_source
from mcpcompact.integrations.base import masker_for
from mcpcompact.source import LARGE, Source

if TYPE_CHECKING:
    from mcpcompact.cli.options import Kept
    from mcpcompact.masking import Masker
    from mcpcompact.results import Store


def opened(
    file: str | None, cursor: str | None, kept: Kept, store: Store | None, env: Environment, hold: int = LARGE
) -> tuple[Source | None, list[str]]:
    """The input of a command that has cursors, masked if asked, and what is to be said of it. With a cursor it is only
    compared with the snapshot, and may be absent. A plain file of more than ``hold`` bytes is read in place."""
    if file is None and cursor is not None:
        return None, []
    name = file or "-"
    if name == "-" and env.stdin_isatty:
        raise UsageError(f"{env.command}: no input", hint="name a file or pipe something in")
    masker = None
    if kept.mask or (env.settings is not None and env.settings.masks()):
        masker = masker_for(store, env.settings)
        masker.encoding = kept.encoding_in
        env.clean = quiet(masker)
    try:
        source, note = in_utf8(open_source(name, env.stdin, hold=hold, masker=masker), kept.encoding_in)
    except McpcompactError as error:
        if cursor is None:
            raise
        return None, [f"{error}; the walk continues on the earlier content"]
    if masker is not None:
        say_masked(name, source.masked, masker, env)
    return source, [note] if note else []


def quiet(masker: Masker) -> Callable[[str], str]:
    """Masks what is said of a result: without counting, and without a word of a text that cannot be masked."""
    other = copy(masker)  # made anew, without the counts

    def clean(text: str) -> str:
        try:
            return other.text(text)
        except MaskError as error:
            return error.line()

    return clean


def early(text: str) -> str:
    """Masks what is said before a command has read its settings: under the user's key, by the built-in rules."""
    return quiet(masker_for(None, None))(text)


def say_masked(name: str, masked: Mapping[str, int] | None, masker: Masker, env: Environment) -> None:
    """A line on what was masked, where anything was."""
    if masked:
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(masked.items()))
        env.say(f"{name if name != '-' else 'standard input'}: {sum(masked.values()):,} secrets masked ({kinds})")
    if masker.note:
        env.say(masker.note)
