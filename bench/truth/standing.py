"""How many lines of the original stand in a body, counted from the body itself: "12 of 400 lines shown"."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CUT = re.compile(r"…\[\+([\d,]+) (chars|lines?)(?: on \d+ lines)?\](?: ?…)?")
_HOLE = re.compile(r"…(?:\[\+[\d,]+ chars(?: on \d+ lines)?\])?")
_OURS = re.compile(
    r" …\[[\d,]+ of [^\]]*\]$| ← .*| \(\+[\d,]+ (?:(?:more )?like it|of its rule)[^)]*\)$| … [\d,]+ such lines.*"
    r"| … all tests up to line \d+ passed$| …$"
)
CUT = 10  # lines behind one that is cut, among which the next one is looked for
_PATTERN = re.compile(r"~?[\d,]+× [\d,–]+: (?:… |.+…(?!\[\+))")  # what lines of a kind share is none of them
_NUMBERED = re.compile(r"(?:~?[\d,]+× )?([\d,]+)(?:[-–][\d,]+)?:? ?(.*)")


def _holds(line: str, said: str) -> bool:
    """Whether what is said, between its cuts, stands in a line."""
    at, line = 0, " ".join(line.split())
    for part in _HOLE.split(_OURS.sub("", said)):
        piece = " ".join(part.split())
        found = line.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return at > 0 or not line


def _head(said: str, lines: Sequence[str]) -> set[int]:
    """Of a commit told in one line the lines of its head that it tells something of: its hash, its day, a word."""
    told = set(re.findall(r"\w{2,}", said))
    return {n for n, line in enumerate(lines) if not n or line[:5] == "Date:" or told & {*re.findall(r"\w{2,}", line)}}


def standing(body: Sequence[str], source: Sequence[str]) -> int:
    """Lines of ``source`` of which anything stands in ``body``, each once; a blank one where a blank one is printed.
    A line has its number, or follows the one above."""
    found, at, path = set[int](), 0, ""
    numbers = {line: i for i, line in reversed([*enumerate(source, 1)])}
    for said, before in zip(body, ["", *body], strict=False):
        if hit := re.match(r"(\S+?)[:-]\d+[:-]", said):
            path = hit[1]
        elif said and " " not in said and any(line.startswith(f"{said}:") for line in source):
            path = said  # above the hits of a file
            continue
        below = [numbers.get(f"{path}{sign}{said.split(' …[')[0]}", 0) for sign in ":-" if path and said[:1].isdigit()]
        also = re.search(r" …\[also lines? ([\d, ]+)", said)
        same = tuple(f"{path}:{n}:" for n in also[1].split(", ")) if also else ()  # told by their numbers
        found |= {i for i, line in enumerate(source, 1) if same and line.startswith(same)}
        if any(below):  # a hit by its number, below one of its file
            at = max(below)
            found.add(at)
            continue
        if mark := re.fullmatch(_CUT, said.strip()):
            at += int(mark[1].replace(",", "")) if mark[2] != "chars" else 0
            continue
        if commit := re.match(r"(\d+)-(\d+) (?:commit )?[0-9a-f]{7,40}\b", said):
            found |= {int(commit[1]) + n for n in _head(said, source[int(commit[1]) - 1 : int(commit[2])])}
            continue
        if _PATTERN.match(_OURS.sub("", said)):
            continue
        number = _NUMBERED.match(said)
        n = int(number[1].replace(",", "") or 0) if number else 0
        if number and 0 < n <= len(source) and source[n - 1][:1] == "#" != number[2][:1]:
            continue  # a heading by its name: of the tree of all
        if number and 0 < n <= len(source) and _holds(source[n - 1], number[2]):
            at = n
        elif 0 < at < len(source) and _holds(source[at], said):
            at += 1
        elif re.search(r" (?:chars|lines)\]$", _OURS.sub("", before)) and (
            behind := [i for i in range(at, at + CUT) if said in source[i : i + 1]]
        ):
            at = behind[0] + 1  # what is left out above it ends lines further down
        elif said.split(" …[")[0] in source:  # a hit of a search, whose number is that of a file
            at = source.index(said.split(" …[")[0]) + 1
        else:
            continue
        found.add(at)
    return len(found)
