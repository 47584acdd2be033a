"""What a call shows of which files, as its arguments and its command say."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from mcpcompact.patterns import regex

_RANGES = r"sed -n ['\"]?(?P<ranges>\d+,\d+p(?:; ?\d+,\d+p)*)['\"]?"
_PATH = r"['\"]?(?P<path>[^\s;&|<>'\"]+)['\"]?"
_PRINTED = [  # commands that print lines of one file and nothing else
    regex(rf"{_RANGES} {_PATH}$"),
    regex(rf"(?:nl -ba|cat -n|cat) {_PATH} ?\| ?{_RANGES}$"),
    regex(rf"head (?:-n ?|-)(?P<head>\d+) {_PATH}$"),
    regex(rf"(?:nl -ba|cat -n|cat) {_PATH}$"),
]
_COMMANDS = regex(r"(?:[^;&'\"\n]|'[^'\n]*'|\"[^\"\n]*\")+")
_QUIET = regex(r"(?:cd|set) ")  # a command that prints nothing
_ASIDE = regex(r" ?2>(?:&1|/dev/null)")
_VIEWED = regex(
    r"(?:(?:\bcat|\bnl -ba|\bhead(?: -n? ?\d+)?|\btail(?: -n? ?\+?\d+)?|\bsed -n ['\"]?[\d,$p;]+['\"]?) +|\bgit show +[^\s:;|&]+:|\bgit blame (?:[^\s;|&]+ )*?(?:-- )?(?=\S*\.\w))(?P<path>[^\s;&|<>'\"-][^\s;&|<>'\"]*(?: +[^\s;&|<>'\"-][^\s;&|<>'\"]*)*)"
)
RULER = "---"  # between the files of a call that lists several
LIST_KEYS = ("paths", "file_paths", "files")
PATH_KEYS = ("file_path", "path", "filePath", "filename", "file", "uri", "absolute_path", "target_file")


class Part(NamedTuple):
    """What a command prints of a file: lines ``first`` to ``last``, 0 for the end of the file."""

    path: str
    first: int
    last: int

    @property
    def size(self) -> int:
        return self.last - self.first + 1


def printed_parts(command: str) -> list[Part]:
    """The parts of files that a command prints, in order; none where it runs anything else."""
    parts: list[Part] = []
    for one in printing(command):
        match = next((m for m in (pattern.match(one) for pattern in _PRINTED) if m), None)
        if match is None:
            return []
        said = match.groupdict()
        ranges = [[int(n) for n in r.strip(" p").split(",")] for r in (said.get("ranges") or "").split(";") if r]
        ranges = ranges or [[1, int(said.get("head") or 0)]]
        if any(one[1] >= other[0] for one, other in pairwise(ranges)):
            return []  # sed prints a file once, in its order
        parts += [Part(said["path"] or "", first, last) for first, last in ranges]
    return parts


def printing(command: str) -> list[str]:
    """The commands of a line but for those that print nothing."""
    pieces = [" ".join(piece.split()).removeprefix("!") for piece in _COMMANDS.findall(_ASIDE.sub("", command))]
    return [one for one in pieces if one and not _QUIET.match(one)]


def call_paths(arguments: Mapping[str, Any]) -> list[str]:
    """The files that a call says it views, in order."""
    for key in PATH_KEYS:
        value = arguments.get(key)
        if isinstance(value, str) and value:
            return [value]
    viewed = _VIEWED.finditer(_ASIDE.sub("", command_of(arguments)[:4000]))
    return [path for match in viewed for path in match.group("path").split()]


def named_language(arguments: Mapping[str, Any] | None, file: str = "") -> str:
    """The one language of what a call shows, without a call that of the ``file`` that was read; '' where none is."""
    from mcpcompact.content.shared.languages import by_path

    if not arguments:
        return by_path(file)
    paths = call_paths({key: value for key, value in arguments.items() if key in PATH_KEYS})
    languages = {by_path(path) for path in paths or [part.path for part in printed_parts(command_of(arguments))]}
    return languages.pop() if len(languages) == 1 else ""


def command_of(arguments: Mapping[str, Any]) -> str:
    """The command or script that a call runs, '' where it runs none."""
    for key in ("cmd", "command", "script", "action", "code"):
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return str(value[-1]) if value else ""
    return ""
