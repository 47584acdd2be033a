"""The key of the placeholders: 32 random bytes beside what is stored, so that equal secrets stay equal there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from mcpcompact.results.durable import make_directory, open_regular, stage

if TYPE_CHECKING:
    from mcpcompact.masking import Masker, Rule
    from mcpcompact.results.base import Store

NAME = ".mask-key"
SIZE = 32


def masker_of(store: Store | None, rules: Iterable[Rule] = (), *, email: bool = False) -> Masker:
    """A masker under the key of a store; without one under the user's; where none can be kept, under one of the run."""
    from mcpcompact.config import state_dir
    from mcpcompact.errors import McpcompactError
    from mcpcompact.masking import Masker

    try:
        key, note = mask_key(state_dir()) if store is None else store.mask_key(), ""
    except (OSError, McpcompactError):
        key, note = os.urandom(SIZE), "the key of the placeholders cannot be kept: they are equal within this run only"
    return Masker(key, rules, email=email, note=note)


def mask_key(directory: str) -> bytes:
    """The key of a directory, made at its first use. Raises ``OSError``."""
    path = os.path.join(directory, NAME)
    make_key(path)
    if not (key := read_key(path)):
        raise OSError(f"{path} is not a key of {SIZE} bytes")
    return key


def read_key(path: str) -> bytes:
    """The key in a file, empty where it holds none. Raises ``OSError``."""
    with open_regular(path) as stream:
        key = stream.read(SIZE + 1)
    return key if len(key) == SIZE else b""


def make_key(path: str) -> None:
    """Make a key (mode 0600) unless there is one. Raises ``OSError``.

    Two that make it at the same moment agree: the first to link it into its place wins.
    """
    if os.path.lexists(path):
        return
    directory = os.path.dirname(path)
    make_directory(directory)
    staged = stage(directory, [os.urandom(SIZE)])
    try:
        os.link(staged.path, path)
    except FileExistsError:
        pass
    except OSError:  # a file system without links: the last of two that make it at once wins
        staged.publish(path)
    finally:
        staged.discard()
