"""How file views are read: wrappers around them, line-number gutters, several files in one result.

Shared by ``code`` and ``diff``. A *view* is what a tool shows of a file: its lines, perhaps
numbered (``   12→text``, ``12\\ttext``, ``12:text``, ``  12 | text``, ``12. text``), perhaps with a
header of the tool above and a remark on what is left out below.
"""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from mcpcompact.content.shared.gutters import GUTTERS, LOOK, gutter_of, wrapper_end
from mcpcompact.patterns import regex

_PARTIAL = regex(
    r"(?:\.{3} ?)?[\[(…]?\(?\d[\d,]* (?:more )?(?:lines?|tokens?|chars|characters) (?:more|above|below|in file|truncated|omitted|left|not shown)\b.*"
    r"|.{0,200}…\d+ (?:tokens|chars|characters|lines) truncated….*"
    r"|\[?Showing lines \d+.*|\[[Tt]runcated.*|Warning: truncated output.*|Total output lines: .*",
    holds=("more", "above", "below", "in file", "runcated", "omitted", "left", "not shown", "Showing", "Total"),
)
_FILE_HEADER = regex(
    r"==> (?P<a>.+) <==$"
    r"|\[File: (?P<b>.+?)(?: \(\d+ lines total\))?\]$"
    r"|Here's the result of running `cat -n` on (?:a snippet of )?(?P<c>\S+?):?$"
    r"|The file (?P<g>\S+) has been (?:updated|edited)\b.{0,200}"
    r"|(?:={2,}|-{3,}|--(?= /)|#{3,}|\*{3,}) (?P<d>(?![A-Z/]+ )[\w@~./+-]*[./][\w@~./+-]+)(?: [=#*-]{2,})?$"
    r"|<(?:file|document)\b[^<>]{0,80}?\b(?:path|name)=[\"'](?P<e>[^\"']+)[\"']>$"
    r"|(?:#+ )?[Ff]ile: `?(?P<f>[\w@~./+-]*[./][\w@~./+-]+)`?$",
    holds=("==", "--", "##", "**", "[File: ", "Here's the result", "The file ", "<file", "<document", "ile: "),
)
_READ = regex(r"([^\s:]{0,200}/[^:]{1,200}):(?: Error - .*)?$")  # what heads a file of several that were read
_REMARK = regex(
    r"</?system-reminder>|<<<<< (?:START|END) CURSOR >>>>>|(?:START|END)_CURSOR moved to|\(Open file:|\(Current directory:",
    holds=("system-reminder>", "CURSOR", "(Open file:", "(Current directory:"),
)
_LEADS = regex(r"[A-Z][a-z]+(?:,? [\w!?.'`-]+,?){4,}:\n\s*$")  # a sentence of the tool's above what it shows
_UNSPOKEN = regex(r"[\W_]+$|\S*[$#>] *$")  # a ruler, a prompt
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
_NO_FILE = regex(r".*[$`*?]|.*\{.*,|[^(]*\)")  # a variable, a glob, a part of a substitution
_REMARKS = tuple("<S(EW[.…T")  # what the tool's lines begin with
HEADER, LONG, PARTIAL_WITHIN, SAID = 300, 2_000, 400, 120  # characters: of a header, a remark; where it says so; said
RULER, FAILED = "---", 3  # between files; those that could not be read which are named
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


class Region:
    """One file of a view: payload line indices ``start:end`` (0-based, end exclusive), its path, if known, and the last
    line that the call asked for, where the view ends there."""

    def __init__(self, start: int, end: int, path: str = "") -> None:
        self.start, self.end, self.path, self.until = start, end, path, 0


class View:
    """Lines without their gutter. ``numbers[i]`` is the file line shown at payload line i + 1, 0 where it has none."""

    def __init__(self, texts: list[str], numbers: list[int], gutter: str = "") -> None:
        self.texts, self.numbers, self.gutter = texts, numbers, gutter
        self.regions: list[Region] = []
        self.outside: set[int] = set()  # payload indices of wrapper lines, file headers, remarks
        self.pointed: list[int] = []  # lines that a code frame points at: "> 417 | x"
        self.partial: list[str] = []  # what the view itself says is missing
        self.cursors: list[int] = []  # lines of the tool that say where its cursor stands
        self.asked: list[str] = []  # the files that the call names
        self.unplaced = False  # the call names lines, and what stands here are others or of several files
        self.echo: list[int] = []  # what the tool says above, between and below numbered lines
        self.elided: dict[int, tuple[int, int]] = {}  # lines that say which of the file the tool left out there
        self.before: list[int] = []  # what git said before a file was printed: its state, its sums

    @property
    def numbered(self) -> bool:
        """True where the numbers shown are the file's own, not the payload's."""
        return any(n and n != i for i, n in enumerate(self.numbers, 1))

    def document(self) -> list[str]:
        """The lines of a file, or of a part of it, without what the tool says behind them; none with gaps in them."""
        own = [i for i, text in enumerate(self.texts) if i not in self.outside and (self.numbers[i] or text.strip())]
        if not self.gutter or self.partial or self.echo or self.pointed or len({self.numbers[i] - i for i in own}) != 1:
            return []
        return ["" if i in self.outside else text for i, text in enumerate(self.texts[: own[-1] + 1])]


def read_view(lines: list[str], arguments: Mapping[str, Any] | None = None) -> View:
    """Strip gutters, find the files of a result, and number its lines: by the view's own numbers, else by a call
    that says which lines of one file it prints, else by the payload's lines."""
    from mcpcompact.content.shared.elided import elided
    from mcpcompact.content.shared.fences import unfence

    first = wrapper_end(lines)
    own = first + _of_git(lines[first : first + LOOK]) if "git " in command_of(arguments or {}) else first
    view = View(list(lines), [0] * len(lines), gutter_of(lines[own:]))
    view.before = [i for i in range(first, own) if _STATE.match(lines[i])][:BEFORE]
    if _LEADS.match("\n".join(lines[own : own + 2])):
        view.before, own = [*view.before, own], own + 2
    first, path = unfence(view, own, arguments or {}) if not view.gutter else (own, "")
    view.outside.update(range(first))
    pattern = GUTTERS.get(view.gutter)
    regions = view.regions
    region = Region(first, len(lines), path)
    printed = printed_parts(command_of(arguments or {}))
    last = 0
    in_reminder = False
    listed = _listed(lines, arguments or {})
    for i in range(first, len(lines)):
        line = lines[i]
        match = pattern.match(line) if pattern and not in_reminder else None
        if match is not None:
            number = int(match["line"])
            if number <= last or (last and _begins(printed, number, last)):
                region = _close(regions, region, i)
            last = _numbered(view, i, match)
            continue
        path = listed.get(i, "") if listed else _named(lines, i)
        if path or i in listed:
            region = _close(regions, region, i, path)
            view.outside.update((i - 1, i) if listed and i > 0 and lines[i - 1] == RULER else (i,))
            view.echo += [] if path else [i]
            last = 0
            continue
        if said := _remark(view, i, line):
            in_reminder = line.startswith("<system-reminder>") if said == "remark" else in_reminder
        elif in_reminder or (pattern is not None and line.strip()):
            view.outside.add(i)
            view.echo += [i] if not in_reminder and not _UNSPOKEN.match(line) else []
        if in_reminder and "</system-reminder>" in line:
            in_reminder = False
    _close(regions, region, len(lines))
    view.elided = elided(view)
    view.outside.update(view.elided)
    # what an editing tool says above the view is no file of its own, nor are blank lines
    shown = view.numbers if pattern is not None else [line.strip() for line in lines]
    regions[:] = [r for r in regions if r.path or any(shown[i] for i in range(r.start, r.end) if i not in view.outside)]
    view.partial += [line.strip()[:SAID] for line in lines[:first] if _PARTIAL.match(line)]
    failed = [lines[i].partition(": ")[0].rpartition("/")[2] for i, path in listed.items() if not path]
    view.partial += [f"{len(failed):,} of {len(listed):,} files failed: {', '.join(failed[:FAILED])}"] if failed else []
    if pattern is None:
        _split(view, printed, first)
        _number(view, first, arguments)
    _name_regions(view, arguments)
    _end_regions(view, printed, (arguments or {}).get("limit"))
    return view


def _of_git(lines: list[str]) -> int:
    """How many lines git printed before a file that another command shows; 0 where all is git's."""
    said = next((i for i, line in enumerate(lines) if not _GIT.match(line)), 0)
    return said if said >= MIN_SAID else 0


MIN_SAID, BEFORE = 2, 6  # lines of git's; of them that stand above the file
_STATE = regex(
    r"(?:From|Updating) |Already up to date|## |[ MADRCU?!]{2} \S| \d+ files? changed|Switched to|Your branch"
)
_GIT = regex(
    rf"{_STATE.pattern}|Fast-forward$| \* (?:\[|branch|tag)| \S.* \|\s+(?:\d+ [+-]*|Bin )| (?:create|delete) mode \d| rename "
    r"|   [\da-f]{7,}\.\.|HEAD is now|Previous HEAD"
)


def _listed(lines: list[str], arguments: Mapping[str, Any]) -> dict[int, str]:
    """The lines that head the files of a call that lists several (``a.py:``), "" for one that could not be read."""
    lists = [arguments[key] for key in LIST_KEYS if isinstance(arguments.get(key), list)]
    known = {path for paths in lists for path in paths if isinstance(path, str) and path}
    if not known and lines and (opens := _READ.match(lines[0])):  # a result without its call
        behind = [after for line, after in pairwise(lines) if line == RULER]
        known = {match[1] for match in (opens, *map(_READ.match, behind)) if match}
    found: dict[int, str] = {}
    for i, line in enumerate(lines if len(known) > 1 else ()):
        path = line[:-1] if line.endswith(":") else line.partition(": ")[0]
        if path in known and (not found or lines[i - 1] == RULER):
            found[i] = path if line == f"{path}:" else ""
    return found if any(found.values()) else {}


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


def _begins(printed: list[Part], number: int, last: int) -> bool:
    """Whether another part begins with ``number``: behind a gap, or where the part before ends as the call says."""
    return any(b.first == number and (a.last == last or number != last + 1) for a, b in pairwise(printed))


def _split(view: View, printed: list[Part], first: int) -> None:
    """The parts of an unnumbered view: where their lines add up to what is there, or one file ends in the last."""
    total = len(view.texts) - first
    last = max((part.last for part in printed), default=0)
    if len({part.path for part in printed}) == 1 and total < (whole := sum(part.size for part in printed)):
        ends = last - (whole - total)
        printed = [part._replace(last=ends) if part.last == last else part for part in printed]
        if any(part.last > ends for part in printed):
            printed = []
    whole_parts = len(printed) > 1 and all(part.size > 0 for part in printed) and sum(p.size for p in printed) == total
    if not whole_parts or len(view.regions) != 1 or view.partial:
        view.unplaced = last > 0 and (len(printed) != 1 or printed[0].first > 1)
        return
    view.regions[:] = []
    for part in printed:
        view.regions.append(Region(first, first + part.size, part.path))
        for i in range(part.size):
            view.numbers[first + i] = part.first + i
        first += part.size


def _end_regions(view: View, printed: list[Part], limit: object) -> None:
    """Where a call itself lets no more of a file through."""
    if not printed and len(view.regions) == 1:
        numbers = [n for n in view.numbers[view.regions[0].start : view.regions[0].end] if n]
        view.regions[0].until = numbers[-1] if len(numbers) == limit else 0
    elif len(printed) == len(view.regions):
        for region, part in zip(view.regions, printed, strict=True):
            region.until = part.last if part.last and part.last in view.numbers[region.start : region.end] else 0


def _numbered(view: View, i: int, match: re.Match[str]) -> int:
    """Takes the number off a line."""
    if view.gutter in ("|", "bar") and match.string.lstrip()[:1] == ">":
        view.pointed.append(i)
    view.numbers[i] = int(match["line"])
    view.texts[i] = match.string[match.end() :]
    return view.numbers[i]


def _named(lines: list[str], i: int) -> str:
    """The file that a line heads, '' for none; a diff's ``---`` heads no file."""
    line = lines[i]
    if not line or line[0] not in "=[H-#*<fFT" or len(line) >= HEADER:
        return ""
    named = _FILE_HEADER.match(line)
    if named is None or (line[0] == "-" and i + 1 < len(lines) and lines[i + 1].startswith("+++ ")):
        return ""
    return named.group(named.lastgroup or 0)


def _remark(view: View, i: int, line: str) -> str:
    """``remark`` for a line of the tool's, ``partial`` for one that says what is left out, else ''."""
    if line[:1] not in _REMARKS and "truncated" not in line[:PARTIAL_WITHIN]:
        return ""
    if _REMARK.match(line):
        view.cursors += [i] if line.startswith("<<<<< ") else []
        view.outside.add(i)
        return "remark"
    if len(line) < LONG and _PARTIAL.match(line):
        view.partial.append(line.strip()[:SAID])
        view.outside.add(i)
        return "partial"
    return ""


def _close(regions: list[Region], region: Region, at: int, path: str = "") -> Region:
    if at > region.start:
        region.end = at
        regions.append(region)
    elif region.path and not path:
        path = region.path
    return Region(at, at, path)


def _name_regions(view: View, arguments: Mapping[str, Any] | None) -> None:
    """Paths for regions without one, from the call: only where it names one file, or exactly as many as there are."""
    if not arguments:
        return
    bare = [r for r in view.regions if not r.path]
    printed = printed_parts(command_of(arguments))
    paths = [part.path for part in printed] or call_paths(arguments)
    view.asked = paths = [path for path in paths if not _NO_FILE.match(path)]
    view.unplaced |= len(set(paths)) > len(view.regions) == 1 and not view.gutter  # one behind the other
    if bare and len(set(paths)) == 1:
        paths = paths[:1] * len(bare)
    if bare and len(paths) == len(bare):
        for region, path in zip(bare, paths, strict=True):
            region.path = path


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
    for key in ("cmd", "command", "script", "action", "code"):
        value = arguments.get(key)
        if isinstance(value, str):
            return value
        if isinstance(value, list) and all(isinstance(part, str) for part in value):
            return str(value[-1]) if value else ""
    return ""


def _number(view: View, first: int, arguments: Mapping[str, Any] | None) -> None:
    """Numbers of an unnumbered view: the file's where the call leaves no doubt, else the payload's."""
    if any(view.numbers):
        return
    offset = 0
    end = len(view.texts)
    while end > first and (end - 1 in view.outside or not view.texts[end - 1]):
        end -= 1
    if arguments and len(view.regions) == 1 and not any(first <= i < end for i in view.outside):
        offset = _offset(arguments, end - first, first)
    if offset and end < len(view.texts) - 1:  # blank lines before a remark on what follows
        view.outside.update(range(end, len(view.texts)))
    for i in range(len(view.texts)):
        if i not in view.outside or not offset:
            view.numbers[i] = i + 1 + offset


def _offset(arguments: Mapping[str, Any], count: int, first: int) -> int:
    """File line minus payload line, or 0 when unknown."""
    command = command_of(arguments)
    printed = printed_parts(command)
    if len(printed) == 1 and count <= printed[0].last - printed[0].first + 1:
        return printed[0].first - 1 - first
    if not command and any(isinstance(arguments.get(key), str) for key in PATH_KEYS):
        offset, limit = arguments.get("offset"), arguments.get("limit")
        if isinstance(offset, int) and isinstance(limit, int) and offset >= 1 and count <= limit:
            return offset - 1 - first
    return 0
