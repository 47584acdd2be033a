"""What a CI log shows of what was typed: commands, scripts and settings that the runner echoes, no output of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from mcpcompact.patterns import regex

if TYPE_CHECKING:
    from mcpcompact.content.log.scan import Shape

_BEFORE: Final = regex(
    r"(?:[^\t\n]{1,80}\t[^\t\n]{1,120}\t)?\ufeff?"  # job and step of ``gh run view --log``
    r"(?:\d{1,7}[:-](?=\d{4}-\d\d-\d\d[T ]))?"  # grep -n
    r"(?:\[?(?:task |vcs )?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,]{0,14}Z?\]?[ \t]?)?"
    r"(?:\[?\d\d:\d\d:\d\d(?:[.,]\d{1,6})?\]?[ \t]+)?"
    r"(?:<\d{1,3}>)?(?:\[ {0,10}\d{1,9}\.\d{6}\] )?"  # the kernel
    r"(?:(?:DEBUG|INFO|WARNING|ERROR|CRITICAL) - +)?(?:GECKO\(\d+\) \| )?"
)
"""What runners write before each line: stamps, and levels where Mozilla's harness repeats the lines of another tool."""
_TYPED: Final = regex(
    r"\+{1,4} (?![\w.]+ += )\S"  # set -x; indented, or with a value set, it is a plan or a diff
    r"|\s*(?:\$ \S|%? ?PS [A-Z]:\\|> (?:[\w@./-]+ )?(?:npm|yarn|node|sh|cd|[\w.-]+@\d)"
    r"|(?:if|elif|while|until|for|case) .*(?:;|\b(?:then|do|in)\b|\]\]?)\s*\\?$"
    r"|(?:then|else|fi|do|done|esac|set -\w+)\s*;?$|(?:local|export|readonly|declare|unset|trap|alias|source) [\w-]"
    r"|(?:echo|printf|fail|die|warn|exit|return|abort|throw)(?: -\w+)* (?:[\"'$]|\d+;?$)"
    r"|\w+\(\)\s*\{|[\w-]+\) .*;;$|##\[(?:command|group)\]|\[command\])"
    r"|.*(?:\|\| (?:exit|fail|die|true|return|echo|\{)|&& \\$|\|\| \\$|\$\{?[A-Za-z_]\w*[^\n]*\\$|>&2$)"
    r"|# (?!(?:tests?|pass|fail|skip|todo|ok|suites|Failed|Looks|cancelled)\b)[\w ]*[a-z]"
)
_GROUP: Final = regex(r"(?:##\[group\]|::group::|##\[command\])Run ")
_ENDGROUP: Final = regex(r"(?:##\[endgroup\]|::endgroup::)")
LONGEST_GROUP: Final = 400  # lines of a script and its environment; a group without an end says nothing about the rest


def bare(line: str) -> str:
    """The line without what the runner writes before it."""
    found = _BEFORE.match(line)
    return line[found.end() :] if found else line


def is_typed(text: str) -> bool:
    """Whether a bare line is a command or a line of a script."""
    return _TYPED.match(text) is not None


def typed_lines(shapes: Iterable[tuple[str, Shape]]) -> set[int]:
    """The numbers of the lines that were typed, of (bare text, its shape): by what they say, or within a group of a
    step's script and environment."""
    typed: set[int] = set()
    begins: list[int] = []
    ends: list[int] = []
    for text, shape in shapes:
        if is_typed(text):
            typed.update(number for number, _ in shape.lines())
        if _GROUP.match(text):
            begins += [number for number, _ in shape.lines()]
        elif _ENDGROUP.match(text):
            ends += [number for number, _ in shape.lines()]
    ends.sort()
    at = 0
    for begin in sorted(begins):
        while at < len(ends) and ends[at] < begin:
            at += 1
        if at < len(ends) and ends[at] - begin <= LONGEST_GROUP:
            typed.update(range(begin, ends[at] + 1))
    return typed
