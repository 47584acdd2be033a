"""Masking on the command line: the masker that settings and options make, and what is said of its work."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from mcpcompact.cli.io import Environment
from mcpcompact.integrations.base import masker_for

if TYPE_CHECKING:
    from mcpcompact.cli.options import Kept
    from mcpcompact.masking import Masker
    from mcpcompact.results import Store


def masker_of(kept: Kept, store: Store | None, env: Environment) -> Masker | None:
    """The masker of a command that has ``--mask``, which masks from here on all that is said and recorded, too."""
    if not kept.mask and (env.settings is None or not env.settings.masks()):
        return None
    masker = masker_for(store, env.settings)
    masker.encoding = kept.encoding_in
    env.clean = quiet(masker)
    return masker


def quiet(masker: Masker) -> Callable[[str], str]:
    """Masks what is said of a result: without counting, and without a word of a text that cannot be masked."""
    from copy import copy

    other = copy(masker)  # made anew, without the counts

    def clean(text: str) -> str:
        from mcpcompact.errors import MaskError

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
