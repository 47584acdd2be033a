"""How file views are read: wrappers around them, line-number gutters, a fence, several files in one result.

A *view* is what a tool shows of a file: its lines, perhaps numbered (``   12→text``, ``12\\ttext``, ``12:text``), perhaps
with a header of the tool above, a remark on what is left out below, or bodies left out between
(``80 ... eliding lines 80-102 ...``, ``[lines 80-102 omitted]``: known by the numbers, in whatever words)."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from itertools import accumulate, pairwise
from typing import Any

from mcpcompact.content.shared.calls import LIST_KEYS, PATH_KEYS, RULER, Part, call_paths, command_of, printed_parts
from mcpcompact.content.shared.gutters import GUTTERS, LOOK, gutter_of, wrapper_end
from mcpcompact.content.shared.languages import FENCES, by_path
from mcpcompact.outline import record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

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
_NO_FILE = regex(r".*[$`*?]|.*\{.*,|[^(]*\)")  # a variable, a glob, a part of a substitution
_REMARKS = tuple("<S(EW[.…T")  # what the tool's lines begin with
HEADER, LONG, PARTIAL_WITHIN, SAID = 300, 2_000, 400, 120  # characters: of a header, a remark; where it says so; said
FAILED = 3  # files that could not be read which are named


@record
class Region:
    """One file of a view: payload line indices ``start:end`` (0-based, end exclusive), its path, if known, and the last
    line that the call asked for, where the view ends there."""

    start: int
    end: int
    path: str = ""
    until: int = 0


@record
class View:
    """Lines without their gutter. ``numbers[i]`` is the file line shown at payload line i + 1, 0 where it has none."""

    texts: list[str]
    numbers: list[int]
    gutter: str = ""
    regions: list[Region] = field(default_factory=list)
    outside: set[int] = field(default_factory=set)  # payload indices of wrapper lines, file headers, remarks
    pointed: list[int] = field(default_factory=list)  # lines that a code frame points at: "> 417 | x"
    partial: list[str] = field(default_factory=list)  # what the view itself says is missing
    cursors: list[int] = field(default_factory=list)  # lines of the tool that say where its cursor stands
    asked: list[str] = field(default_factory=list)  # the files that the call names
    unplaced: bool = False  # the call names lines, and what stands here are others or of several files
    echo: list[int] = field(default_factory=list)  # what the tool says above, between and below numbered lines
    elided: dict[int, tuple[int, int]] = field(default_factory=dict)  # lines that say which the tool left out there
    before: list[int] = field(default_factory=list)  # what git said before a file was printed: its state, its sums

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
    arguments = arguments or {}
    command = command_of(arguments)
    printed, listed = printed_parts(command), _listed(lines, arguments)
    first = wrapper_end(lines)
    own = first + _of_git(lines[first : first + LOOK]) if "git " in command else first
    view = View(list(lines), [0] * len(lines), gutter_of(lines[own:]))
    view.before = [i for i in range(first, own) if _STATE.match(lines[i])][:BEFORE]
    if _LEADS.match("\n".join(lines[own : own + 2])):
        view.before, own = [*view.before, own], own + 2
    first, path = _unfence(view, own, arguments) if not view.gutter else (own, "")
    view.outside.update(range(first))
    pattern = GUTTERS.get(view.gutter)
    regions = view.regions
    region = Region(first, len(lines), path)
    last = 0
    in_reminder = False
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
        if remark := _remark(view, i, line):
            in_reminder = line.startswith("<system-reminder>") if remark == "remark" else in_reminder
        elif in_reminder or (pattern is not None and line.strip()):
            view.outside.add(i)
            view.echo += [i] if not in_reminder and not _UNSPOKEN.match(line) else []
        if in_reminder and "</system-reminder>" in line:
            in_reminder = False
    _close(regions, region, len(lines))
    view.elided = _elided(view)
    view.outside.update(view.elided)
    # what an editing tool says above the view is no file of its own, nor are blank lines
    shown = view.numbers if pattern is not None else [line.strip() for line in lines]
    regions[:] = [r for r in regions if r.path or any(shown[i] for i in range(r.start, r.end) if i not in view.outside)]
    view.partial += [line.strip()[:SAID] for line in lines[:first] if _PARTIAL.match(line)]
    failed = [lines[i].partition(": ")[0].rpartition("/")[2] for i, path in listed.items() if not path]
    view.partial += [f"{len(failed):,} of {len(listed):,} files failed: {', '.join(failed[:FAILED])}"] if failed else []
    if pattern is None:
        _split(view, printed, first)
        _number(view, first, printed, arguments)
    _name_regions(view, printed, arguments)
    _end_regions(view, printed, arguments.get("limit"))
    return view


def _of_git(lines: list[str]) -> int:
    """How many lines git printed before a file that another command shows; 0 where all is git's."""
    count = next((i for i, line in enumerate(lines) if not _GIT.match(line)), 0)
    return count if count >= MIN_SAID else 0


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
    heads: dict[int, str] = {}
    for i, line in enumerate(lines if len(known) > 1 else ()):
        path = line[:-1] if line.endswith(":") else line.partition(": ")[0]
        if path in known and (not heads or lines[i - 1] == RULER):
            heads[i] = path if line == f"{path}:" else ""
    return heads if any(heads.values()) else {}


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


def _name_regions(view: View, printed: list[Part], arguments: Mapping[str, Any]) -> None:
    """Paths for regions without one, from the call: only where it names one file, or exactly as many as there are."""
    bare = [r for r in view.regions if not r.path]
    paths = [part.path for part in printed] or call_paths(arguments)
    view.asked = paths = [path for path in paths if not _NO_FILE.match(path)]
    view.unplaced |= len(set(paths)) > len(view.regions) == 1 and not view.gutter  # one behind the other
    if bare and len(set(paths)) == 1:
        paths = paths[:1] * len(bare)
    if bare and len(paths) == len(bare):
        for region, path in zip(bare, paths, strict=True):
            region.path = path


def _number(view: View, first: int, printed: list[Part], arguments: Mapping[str, Any]) -> None:
    """Numbers of an unnumbered view: the file's where the call leaves no doubt, else the payload's."""
    if any(view.numbers):
        return
    offset = 0
    end = len(view.texts)
    while end > first and (end - 1 in view.outside or not view.texts[end - 1]):
        end -= 1
    if len(view.regions) == 1 and not any(first <= i < end for i in view.outside):
        offset = _offset(printed, arguments, end - first, first)
    if offset and end < len(view.texts) - 1:  # blank lines before a remark on what follows
        view.outside.update(range(end, len(view.texts)))
    for i in range(len(view.texts)):
        if i not in view.outside or not offset:
            view.numbers[i] = i + 1 + offset


def _offset(printed: list[Part], arguments: Mapping[str, Any], count: int, first: int) -> int:
    """File line minus payload line, or 0 when unknown."""
    if len(printed) == 1 and count <= printed[0].last - printed[0].first + 1:
        return printed[0].first - 1 - first
    if not command_of(arguments) and any(isinstance(arguments.get(key), str) for key in PATH_KEYS):
        offset, limit = arguments.get("offset"), arguments.get("limit")
        if isinstance(offset, int) and isinstance(limit, int) and offset >= 1 and count <= limit:
            return offset - 1 - first
    return 0


_FENCED = regex(
    r"(?:#+ )?[Ff]ile: `?(?P<path>[^`\s][^`]{0,300}?)`?\.? [Ll]ines (?P<first>\d{1,7})(?: to |-|–)(?P<last>\d{1,7})\b",
    holds=("ile: ",),
)


def _unfence(view: View, first: int, arguments: Mapping[str, Any]) -> tuple[int, str]:
    """Where the file begins that stands in the only fence from line ``first`` on, and its path, if it is told. Its
    lines get their numbers where the line above or the call tells them, or this names a file and nothing else: it
    reads it from the beginning."""
    lines = view.texts
    fences = [i for i in range(first, len(lines)) if lines[i].startswith(FENCES)]
    opens, closes = fences[0] if fences else 0, fences[-1] if fences else 0
    if opens == closes or len(fences[:3]) > len((opens, closes)) or any(map(str.strip, lines[closes + 1 :])):
        return first, ""
    above = [i for i in range(first, opens) if lines[i].strip()]
    head = _FENCED.match(lines[above[0]]) if above else None
    if above[1:] or (above and head is None):
        return first, ""
    values = [value for value in arguments.values() if value not in (None, True, False, "")]
    begins = int(len(values) == 1 and isinstance(values[0], str) and by_path(values[0]) != "")
    span = [value for key, value in arguments.items() if type(value) is int and "zero" not in key.lower()]
    begins = span[0] if len(span) > 1 and span[1] - span[0] == closes - opens - len((opens, closes)) else begins
    end = closes
    while end > opens + 1 and not lines[end - 1].strip():
        end -= 1
    if head:
        begins = int(head["first"])
        end = opens + int(head["last"]) - begins + 2
        if not 0 <= closes - end <= 1:
            return first, ""
    for n, i in enumerate(range(opens + 1, end if begins else 0)):
        view.numbers[i] = begins + n
    view.echo += above
    view.outside.update(range(first, opens + 1), range(end, len(lines)))
    return opens + 1, head["path"] if head else ""


# -- what the tool itself left out ----------------------------------------------------------------------------------

_SPAN = regex(r"(?<!\d)(\d{1,7}) ?(?:[-–—:]|to|through|\.{2,3}) ?(\d{1,7})(?!\d)")
_TAGS = regex(r"^(?:<\w+>)+|(?:</\w+>)+$")  # around a remark
SHORT, _BLANKS = 200, 8  # characters of a remark that is short; blanks in one: it may tell how to get the rest
_MARK = 60  # characters of a line that stands for what the tool left out


def _elided(view: View) -> dict[int, tuple[int, int]]:
    """The lines that name those from their own number on, or from the one behind the last, up to the next number; and
    lines worded like one that does. Each with the first and the last of them."""
    spans: dict[int, tuple[int, int, bool]] = {}
    before, after = [0], 0
    for number in view.numbers:
        before.append(number or before[-1])
    for i in range(len(view.texts) - 1, -1, -1) if view.gutter else ():
        if span := _SPAN.search(view.texts[i]):
            first, last = int(span[1]), int(span[2])
            if last >= first > 0 and last > view.numbers[i] and first == (view.numbers[i] or before[i] + 1):
                spans[i] = first, last, last == after - 1
        after = view.numbers[i] or after
    worded = {_SPAN.sub("", view.texts[i]) for i, (_, _, ends) in spans.items() if ends}
    return {i: spans[i][:2] for i in sorted(spans) if _SPAN.sub("", view.texts[i]) in worded}


def left_out(view: View) -> str:
    """How much the tool left out, without what lies in another range."""
    new: list[int] = []
    for region in view.regions:
        spans = [span for i, span in view.elided.items() if region.start <= i < region.end]
        ends = [0, *accumulate((last for _, last in spans), max)]
        new += [last - max(end, first - 1) for (first, last), end in zip(spans, ends, strict=False)]
    ranges = counted(sum(n > 0 for n in new), "range"), counted(sum(n for n in new if n > 0), "line")
    mark = view.texts[next(iter(view.elided))].strip()[:_MARK]
    of = "files" if len(view.regions) > 1 else "the file"
    return f"The tool itself left out {', '.join(ranges)} of {of} (“{mark}”): not in this result"


def own_words(view: View) -> str:
    """What the tool says of that in its own words, '' where it says nothing."""
    own = (_TAGS.sub("", view.texts[i].strip()) for i in view.echo if i not in view.elided)
    words = [text for text in own if len(text) <= SHORT and text.count(" ") >= _BLANKS and text[-1] != ":"]
    return f"The tool's own words: “{min(words, key=lambda text: (len(text), text))}”" if words else ""
