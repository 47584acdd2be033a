"""Frames of stack traces: which are of libraries, and where the first of one's own stands."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mcpcompact.patterns import regex

# ruff: noqa: E501 (patterns read better unbroken)

LIBRARY: Final = regex(
    r".*(?:(?:site|dist)-packages|<frozen |/lib(?:64)?/python\d|\\[Ll]ib\\|node_modules|node:internal|[\\/]vendor[\\/]|\{main\}$"
    r"|/go(?:-[\d.]+)?/(?:src|pkg/mod)/|/rustc/|\s\d+: <?(?:core|std|alloc|test|__rustc)::|stack backtrace:|\.cargo/registry|alloc_replace\.c|\blibc\.so"
    r"|\bat (?:java|javax|jdk|sun|com\.sun|scala|kotlin|org\.(?:junit|apache\.maven|codehaus|gradle|testng|scalatest"
    r"|springframework|hibernate))\.)"
)
# what makes assertions, and what stands in no file of the project
_TOOLS: Final = regex(
    r"(?:(?:Assert|Expect)\w{0,40}(?<!Test)|\bassert\w{0,40}|\bexpect)\.\w{1,6}:|package:|node:"
    r"|[\\/ (](?:internal|vendor)[\\/]|//org\.junit"
)
_STACKED: Final = regex(r"\s*(?:at |#\s?\d|# |File \"|\S+ *$|\S+ \d+:\d|\S+:\d+(?::in|: \w*$|$))")
_PLACE: Final = regex(r"(\.[A-Za-z]\w{0,5})(?::line |\", line |:| (?=\d+:\d))(\d{1,7})\b", holds=".")
_BARE: Final = regex(r"\s+at [\w$.<>/]+(?:\(| \[|$)")
_LONG: Final = 40  # characters of a path: of a longer one the name of the file


def is_frame(line: str) -> bool:
    """Whether a line of a text is a frame of a stack, and no more."""
    return _BARE.match(line) is not None or (_STACKED.match(line) is not None and _PLACE.search(line) is not None)


def place_of(lines: Iterable[str], package: str = "") -> str:
    """``cart.py:12``: of the first frame of one's own, of ``package`` where one is; nothing where none is known."""
    places = [
        (line, at)
        for line in lines
        if _STACKED.match(line) and (at := _PLACE.search(line)) and not (LIBRARY.match(line) or _TOOLS.search(line))
    ]
    line, at = next((one for one in places if package and package in one[0]), places[0] if places else ("", None))
    if at is None:
        return ""
    begin = max(line.rfind(sign, 0, at.start()) for sign in " (\"'\t") + 1
    path = line[begin : at.end(1)].removeprefix("file://")
    return f"{path if len(path) <= _LONG else path.replace(chr(92), '/').rpartition('/')[2]}:{at[2]}"
