"""Which files a batch reads: names, globs and directories, each with its place below the output directory."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator, Sequence

from mcpcompact.errors import NoInputError
from mcpcompact.reading import expand

Found = tuple[str, str]
"""A path to open, and the path relative to the output directory that mirrors it."""

COMPRESSED = (".gz", ".zst")

JOURNAL = ".mcpcompact-batch.ndjson"
"""In an output directory: a line for each finished output."""


def find(
    names: Sequence[str], include: Sequence[str] = (), exclude: Sequence[str] = (), outside: Iterable[str] = ()
) -> list[Found]:
    """The files of names, globs and directories, in the order given, sorted within each, none twice.

    Below a directory (or the fixed part of a glob) the tree is mirrored; a file named by itself goes to the top.
    ``include`` and ``exclude`` match the relative path or the file's name. Hidden directories, symbolic links to
    directories, and what lies in ``outside`` (output and results directories) are not entered.
    """
    closed = {os.path.realpath(path) for path in outside if path}
    found: dict[str, str] = {}
    for name in names:
        pairs = list(_below(name, closed) if os.path.isdir(name) else _matches(name))
        chosen = [pair for pair in pairs if _wanted(pair[1], include, exclude)]
        if not chosen and name != "-":
            told = f"no file below {name}" if os.path.isdir(name) else f"{name}: no file"
            raise NoInputError(f"{told} is left", hint="see --include and --exclude" if pairs else "")
        for path, relative in chosen:
            found.setdefault(path, relative)
    return list(found.items())


def targets(found: Iterable[Found], directory: str, extension: str = "") -> dict[str, str]:
    """The output of each path. Two inputs of one relative path are numbered (``x-2.log``); the ending of a
    compressed input goes, as its output is not compressed."""
    made: dict[str, str] = {}
    taken: set[str] = set()
    for path, relative in found:
        stem, ending = os.path.splitext(relative)
        if ending in COMPRESSED and stem:
            relative = stem
            stem, ending = os.path.splitext(stem)
        target, number = os.path.join(directory, relative + extension), 1
        while target in taken:
            number += 1
            target = os.path.join(directory, f"{stem}-{number}{ending}{extension}")
        taken.add(target)
        made[path] = target
    return made


def _below(top: str, closed: set[str]) -> Iterator[Found]:
    pending = [top]
    while pending:
        directory = pending.pop()
        try:
            entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
        except OSError:
            continue
        inner = []
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if (
                    not entry.name.startswith(".")
                    and os.path.realpath(entry.path) not in closed
                    and not _ours(entry.path)
                ):
                    inner.append(entry.path)
            elif entry.is_file() and not entry.name.startswith("."):
                yield entry.path, os.path.relpath(entry.path, top)
        pending += reversed(inner)


def _ours(directory: str) -> bool:
    """An output directory of an earlier batch, or a results directory."""
    marks = [JOURNAL], [".gitignore", ".lock", ".emitted"]
    return any(all(os.path.exists(os.path.join(directory, name)) for name in names) for names in marks)


def _matches(name: str) -> Iterator[Found]:
    fixed = name
    while any(mark in fixed for mark in "*?["):
        fixed = os.path.dirname(fixed)
    for path in expand([name]):
        literal = path == name
        yield path, os.path.basename(path) if literal else os.path.relpath(path, fixed or ".")


def _wanted(relative: str, include: Sequence[str], exclude: Sequence[str]) -> bool:
    names = (relative, os.path.basename(relative))

    def hit(patterns: Sequence[str]) -> bool:
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns for name in names)

    return (not include or hit(include)) and not hit(exclude)
