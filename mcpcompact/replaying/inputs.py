"""From what was named to the documents to read: files, globs, directories."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable

from mcpcompact.errors import NoInputError
from mcpcompact.transcripts import Transcript

EVENT = "event-"  # a directory with such .json files is itself one transcript (OpenHands)


def find(items: Iterable[str | Transcript]) -> list[str | Transcript]:
    """Every document once: those named in their order, those of a directory by name. Raises ``NoInputError``."""
    documents: dict[str, str | Transcript] = {}
    for item in items:
        if isinstance(item, Transcript):
            documents[f"\0{len(documents)}"] = item
            continue
        for name in _expand(item):
            if os.path.isdir(name):
                documents.update((path, path) for path in _walk(name))
            else:
                documents[name] = name
    if not documents:
        raise NoInputError("no transcript found", hint="name files, globs or directories of recorded sessions")
    return list(documents.values())


def _expand(pattern: str) -> list[str]:
    """As elsewhere, but a glob may match the directory that is a transcript."""
    if os.path.lexists(pattern) or not any(mark in pattern for mark in "*?["):
        return [pattern]
    matches = sorted(glob.glob(pattern, recursive=True))
    if not matches:
        raise NoInputError(f"no file matches {pattern}")
    return matches


def _walk(directory: str) -> list[str]:
    """The documents under a directory: what is hidden is left out."""
    paths: list[str] = []
    for folder, folders, files in os.walk(directory):
        if any(name.startswith(EVENT) and name.endswith(".json") for name in files):
            paths.append(folder)
            folders[:] = []
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        paths += [os.path.join(folder, name) for name in files if not name.startswith(".")]
    return sorted(paths)
