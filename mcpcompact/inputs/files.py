"""Which files a batch reads: names, globs and directories, each with its place below the output directory."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator, Sequence

from mcpcompact.errors import NoInputError, UsageError
from mcpcompact.inputs import is_pattern, is_url, local, shown
from mcpcompact.inputs.reading import expand

Found = tuple[str, str]  # a path or URL to open, and the path relative to the output directory that mirrors it

COMPRESSED = (".gz", ".zst")

JOURNAL = ".mcpcompact-batch.ndjson"  # in an output directory: a line for each finished output


def find(
    names: Sequence[str], include: Sequence[str] = (), exclude: Sequence[str] = (), outside: Iterable[str] = ()
) -> list[Found]:
    """The files of names, globs and directories, in the order given, sorted within each, none twice.

    Below a directory (or the fixed part of a glob) the tree is mirrored; a file named by itself goes to the top.
    ``include`` and ``exclude`` match the relative path or the file's name. Hidden directories, symbolic links to
    directories, and what lies in ``outside`` (output and results directories) are not entered.
    """
    outside = [path for path in outside if path]
    closed = {os.path.realpath(local(path)) for path in outside if not is_url(path)}
    inputs: dict[str, str] = {}
    for name in names:
        tree = is_tree(name)
        if not tree:
            pairs = list(_matches(local(name)))
        else:
            pairs = list(_below_url(name, outside) if is_url(name) else _below(local(name), closed))
        if name.startswith("file://"):
            pairs = [(f"file://{os.path.abspath(path)}", relative) for path, relative in pairs]
        chosen = [pair for pair in pairs if _wanted(pair[1], include, exclude)]
        if not chosen and name != "-":
            note = f"no file below the directory {shown(name)}" if tree else f"{shown(name)}: no file"
            raise NoInputError(f"{note}{' is left' * bool(pairs)}", hint="see --include and --exclude" if pairs else "")
        for path, relative in chosen:
            inputs.setdefault(path, relative)
    return list(inputs.items())


def is_tree(name: str) -> bool:
    """Whether a name stands for all that is below it: a directory, or the common beginning of objects."""
    if not is_url(name):
        return os.path.isdir(local(name))
    if is_pattern(name) or name.startswith(("http://", "https://")):
        return False
    from mcpcompact.inputs.remote import is_directory

    return name.endswith("/") or is_directory(name)


def relative(path: str, directory: str) -> str:
    """``path``, which lies in ``directory``, from there."""
    return path.removeprefix(directory.rstrip("/") + "/") if is_url(path) else os.path.relpath(path, directory)


def targets(inputs: Iterable[Found], directory: str) -> dict[str, str]:
    """The output of each path. Two inputs of one relative path are numbered (``x-2.log``); the ending of a
    compressed input goes, as its output is not compressed."""
    outputs: dict[str, str] = {}
    taken: set[str] = set()
    for path, relative in inputs:
        stem, ending = os.path.splitext(relative)
        if ending in COMPRESSED and stem:
            relative = stem
            stem, ending = os.path.splitext(stem)
        target, number = os.path.join(directory, relative), 1
        while target in taken:
            number += 1
            target = os.path.join(directory, f"{stem}-{number}{ending}")
        taken.add(target)
        outputs[path] = target
    return outputs


def _below_url(top: str, outside: Sequence[str]) -> Iterator[Found]:
    from mcpcompact.inputs.remote import below

    top = top.rstrip("/") + "/"
    names = {url: url.removeprefix(top) for url in below(top)}
    closed = [url.rstrip("/") + "/" for url in outside if is_url(url)]
    for url, name in names.items():
        if "/" in name and name.endswith("/" + JOURNAL):
            closed.append(url.removesuffix(JOURNAL))
        elif "/.emitted/" in name:
            closed.append(url.partition("/.emitted/")[0] + "/")
    for url, name in names.items():
        hidden = any(part.startswith(".") for part in name.split("/"))
        if not hidden and not any(url.startswith(ours) for ours in closed):
            yield url, name


def _matches(name: str) -> Iterator[Found]:
    """What a path or URL, or a pattern of them, names; of a pattern from its fixed part on."""
    fixed = name
    while is_pattern(fixed):
        fixed = os.path.dirname(fixed)
    for path in expand([name]):
        yield path, os.path.basename(shown(path)) if path == name else relative(path, fixed or ".")


def _below(top: str, closed: set[str]) -> Iterator[Found]:
    for folder, folders, names in os.walk(top):
        if folder != top and _ours({*folders, *names}):
            folders.clear()
            continue
        inner = {name: os.path.join(folder, name) for name in sorted(folders) if not name.startswith(".")}
        folders[:] = [name for name, path in inner.items() if os.path.realpath(path) not in closed]
        for name in sorted(names):
            path = os.path.join(folder, name)
            if not name.startswith(".") and os.path.isfile(path):
                yield path, os.path.relpath(path, top)


def _ours(names: set[str]) -> bool:
    """Whether a directory with these names is an output directory of an earlier batch, or a results directory."""
    return JOURNAL in names or {".gitignore", ".lock", ".emitted"} <= names


def _wanted(relative: str, include: Sequence[str], exclude: Sequence[str]) -> bool:
    names = (relative, os.path.basename(relative))

    def hit(patterns: Sequence[str]) -> bool:
        return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns for name in names)

    return (not include or hit(include)) and not hit(exclude)


def refuse_overwriting(outputs: dict[str, str]) -> None:
    """Raises ``UsageError`` where an output would take the place of an input, or of the journal."""
    for path, target in outputs.items():
        if path == target or (os.path.exists(target) and os.path.exists(path) and os.path.samefile(path, target)):
            raise UsageError(f"--output-dir would overwrite {shown(path)}", hint="choose another directory")
        if os.path.basename(target) == JOURNAL:
            raise UsageError(f"{path} has the name of the journal", hint="leave it out with --exclude")


def printable(path: str) -> str:
    """A file name as it is said: what no terminal should be sent is escaped, of a URL no credentials."""
    path = shown(path)
    if path.isprintable():
        return path
    text = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
