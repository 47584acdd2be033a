"""What a call says of its result: which files it shows, which parts of them, and limits that it sets itself
(``--limit 30``, ``per_page=30``, ``| head -30``): a list as long as its limit may be the beginning of a longer one."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from mcpcompact.outline import Fact, Hints
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
        groups = match.groupdict()
        ranges = [[int(n) for n in r.strip(" p").split(",")] for r in (groups.get("ranges") or "").split(";") if r]
        ranges = ranges or [[1, int(groups.get("head") or 0)]]
        if any(one[1] >= other[0] for one, other in pairwise(ranges)):
            return []  # sed prints a file once, in its order
        parts += [Part(groups["path"] or "", first, last) for first, last in ranges]
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


# -- limits -----------------------------------------------------------------------------------------------------------

_NAMES = r"(?:limit|per[_-]?page|page[_-]?size|max[_-]?(?:results|count|items|keys)|first|top|take)"
_ITEMS = regex(rf"(?i)(?<![\w-])(?:(?:--{_NAMES}[= ]|-L ?)|[\"']?{_NAMES}[\"']?\s?[:=]\s?)[\"']?(\d{{1,6}})(?![\w.])")
_LINES = regex(
    r"\b(?:head|tail) (?:-n ?|--lines=|-)(\d{1,6})(?![\w.])"
    r"|(?i:(?<![\w-])(?:-(?:totalcount|first|head|last)|--?tail)[ =](\d{1,6})(?![\w.]))"
)
_START_KEYS = regex(
    r"(?i)(?:line_?)?offset|page|start_?(?:index|line|char|byte|row)|start_?line_?(?:number|no)|(?:from|first|begin)_?line"
    r"|line_?start|(?:view|line)_?range"
)
_SKIPS = regex(r"(?:\bsed -n [\"']?(?=\d+,[\d$]+p)|\btail (?:-n ?|--lines=)\+|(?i: -skip ))(\d{1,7})(?:,[\d$]+p)?")
NUMBERED_WITHIN = 40_000  # characters that tell whether lines have numbers
_PARTS = regex(r"\bhead (?:-n ?|-)(?P<most>\d{1,6})(?![\w.])|\becho (?:-\w+ )?([\"'])(?P<said>[^\"'$`\\]+)\2")
_RANGE = regex(r"\bsed -n [\"']?(\d{1,6}),(\d{1,6})p\b")
LETS = "lets through"
ENDS = "the range ends there"  # of a view of a file that says itself which lines it shows
_QUOTE = regex("[\"']")
MIN = 2  # one of something is asked for by its name


def items(hints: Hints | None, count: int) -> list[Fact]:
    """That the call asked for no more records than there are."""
    if hints is None or not hints.arguments:
        return []
    named = (f"{key}={value}" for key, value in hints.arguments.items() if isinstance(value, (str, int, dict)))
    return _reached([(match[0], int(match[1])) for match in _ITEMS.finditer("\n".join(named))], count, "records")


def of_lines(hints: Hints | None, text: str, facts: Iterable[Fact] = ()) -> list[Fact]:
    """That the command itself let through no more lines than there are; nothing where one of ``facts`` says so."""
    values = ((hints and hints.arguments) or {}).values()
    call = "\n".join(" ".join(map(str, v)) if isinstance(v, list) else v for v in values if isinstance(v, (str, list)))
    limits = [(match[0], int(match[1] or match[2])) for match in _LINES.finditer(call)]
    limits += [(_QUOTE.sub("", match[0]), int(match[2]) - int(match[1]) + 1) for match in _RANGE.finditer(call)]
    if not limits or any(LETS in fact.text or ENDS in fact.text for fact in facts):
        return []
    lines = text.removesuffix("\n").split("\n")
    return _reached(limits, len(lines), "lines") or _reached_above(call, lines)


def _reached_above(command: str, lines: list[str]) -> list[Fact]:
    """That a command let no more lines through than stand above what the next one heads its output with."""
    begun, most, facts = 0, 0, list[Fact]()
    for match in _PARTS.finditer(command):
        if (heading := match["said"]) and heading in lines[begun:]:
            at = lines.index(heading, begun)
            if MIN <= most == at - begun - (at > begun and not lines[at - 1]):
                facts.append(Fact(f"as many lines above “{heading}” as `head -{most}` {LETS}: there may be more", 0))
            begun = at + 1
        most = int(match["most"] or 0)
    return facts


def of_start(hints: Hints | None, text: str, facts: Iterable[Fact], lines: bool) -> list[Fact]:
    """That this begins further down, as the call asks or the numbers before its lines say, where none of
    ``facts`` says so. It is said in the call's own words: some tools count from 0, some from 1, some in characters.
    ``lines``: items are numbered as lines of the result."""
    from mcpcompact.content.shared.gutters import GUTTERS, gutter_of

    starts = list(_starts(hints.arguments)) if hints and hints.arguments else []
    gutter = gutter_of(beginning := text[:NUMBERED_WITHIN].split("\n"))
    if not starts and gutter:
        first = next(int(match["line"]) for match in map(GUTTERS[gutter].match, beginning) if match)
        starts = [(f"its first line is numbered {first}", first)] * (first > 1)
    if len(starts) != 1:
        return []
    known = re.compile(rf"\blines? {starts[0][1]}\b|\b{starts[0][1]},.* {LETS}")
    counted = ", its lines counted from 1" if lines and not gutter else ""
    return [] if any(known.search(fact.text) for fact in facts) else [Fact(f"An excerpt{counted}: {starts[0][0]}", 0)]


def _starts(arguments: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    """What a call says of where a result begins, if not at the first line."""
    for key, value in arguments.items():
        first = value[0] if isinstance(value, list) and value else value
        if isinstance(first, int) and first > 1 and _START_KEYS.fullmatch(key):
            yield f"the call asks for `{key}={json.dumps(value)}`", first
    command = command_of(arguments)
    if len(printing(command)) == 1:
        skips = [(_QUOTE.sub("", match[0]), int(match[1])) for match in _SKIPS.finditer(command)]
        yield from ((f"the call asks for `{words}`", first) for words, first in skips if first > 1)


def _reached(limits: list[tuple[str, int]], count: int, unit: str) -> list[Fact]:
    full = [text for text, limit in limits if limit == count >= MIN]
    return [Fact(f"as many {unit} as `{full[0].strip()}` {LETS}: there may be more", 0)] if full else []
