"""Which lines of a log belong to which finding of a compiler or linter, and how a finding is shown with them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise, takewhile
from posixpath import commonprefix
from typing import Final, NamedTuple

from mcpcompact.content.log import findings
from mcpcompact.content.log.entries import PLACED, Entry, indent_of, is_blank, untasked
from mcpcompact.content.log.findings import Told, below_of, marked, place_of
from mcpcompact.content.log.runners import bare
from mcpcompact.content.log.templates import Mark
from mcpcompact.content.log.weights import POINTED, points
from mcpcompact.outline import FAINT, Fact, Item, Keep
from mcpcompact.patterns import regex

_GRAVE: Final = regex(r"(?i)(?:fatal )?(?:error|warning)\b")
_HINTS: Final = ("arning", "rror", "WARNING", "ERROR", "note: ", " from ", ": In ", ": At ", " ━━━━", "│ ")
"""One stands in each line that begins a finding, or leads to one."""
_HEADED: Final = regex(  # biome's: place and rule, then a ruler; what was found stands below, indented further
    r"\s{0,16}(?P<file>(?=[^\s:━]{0,240}[./])[^\s:━]{1,240})(?::\d{1,7}:\d{1,7})? [a-zA-Z][^━%\n]{0,200}━{4,}\s*$",
    holds=" ━━━━",
)
_FORMATTED: Final = regex(r"\s*\d{1,7} +(?:\d{1,7} │|│ [-+] )", holds="│ ")  # before and after it
_PREPOSITIONS: Final = (" for", " of", " to", " in")
_UNFINISHED: Final = (*_PREPOSITIONS, ":", ",")  # what it says goes on below, indented or not behind a preposition
_NOTE: Final = regex(r"note: ")
_ABOVE: Final = regex(
    r"\s{0,4}In file included from |\s+from \S+:\d+"
    r"|\s{0,4}\S+?:(?:\d+:){1,2} {1,4}(?:(?:recursively )?required (?:from|by)|instantiated)"
    r"|\s{0,4}\S+?: (?:In|At) (?:[a-z]+ ){0,3}"
    r"(?:function|instantiation|constructor|destructor|substitution|lambda|level|scope)\b"
)
_COMPILED: Final = regex(r"[:(,\[]\d{1,7}[:,]\d{1,5}[\]): ]|(?i:error|warning) ?[A-Z]{1,8}\d{2,5}\b")
QUOTED, WHOLE = 8, 400  # lines of source below a finding; characters of such lines that stand whole or not at all
_HERE: Final = (" required from here", " instantiated from here", " requested here")
"""Where in one's own file a template of a library is used; MSVC says so last."""
_USED: Final = ": note: see reference to "
APART: Final = 2.0  # times that the first finding of a rule in a file weighs more than further ones
FOUND, SAYS, ECHO = 2.95, 2.0, 0.06  # weights: of a finding among others, with what it says, and what belongs to one

LONG_PATH: Final = 24  # characters of a directory that is said once
TOGETHER: Final = 3  # findings in a row of one file, which is said once
FEW_FILES: Final = 3  # files; of more of them few lines each are shown, and each says its own
_PLACE: Final = regex(r"\.\w{1,8}[:(]\d")
_ERROR: Final = regex(r"\d+: (?P<file>\S+?)(?P<at>\(\d{1,7}(?:,\d{1,5})?\)|:\d{1,7}(?::\d{1,5})?): ?(?P<said>\S.*)")
PLACES, BLOCKS = 20, 3  # of one message in a file that are told; first messages of which all that is below stands
EXPLAINED, KNOWN = 6.0, 2 * FAINT  # weights of what stands below the first error of a message, and of what is known


class Layout(NamedTuple):
    """Of a log with findings by line number: the files of those that are errors or warnings, which one the others
    belong to, and where the message of one stands that is below."""

    files: dict[int, str]
    owners: dict[int, int]
    says: dict[int, int]

    @classmethod
    def of(cls, raw: Sequence[tuple[int, str]]) -> Layout:
        line_at = cache(lambda at: (raw[at][0], marked(bare(raw[at][1][:1_000]))))
        self = cls({}, {}, {})
        messages = set[int]()
        above: list[int] = []
        owner = 0  # the finding that a note goes on
        for at, (number, line) in enumerate(raw):
            if number in self.owners or number in messages:
                continue
            if not any(map(line.__contains__, _HINTS)):  # far quicker than the patterns
                above, owner = [], owner if owner and owner in self.says and is_blank(line) else 0
                continue
            line = line_at(at)[1]
            if self._headed(number, line, map(line_at, range(at + 1, len(raw)))):
                above, owner = [], 0
                continue
            placed = PLACED.match(line)
            file, text = (placed["file"] or placed["ghc"], "") if placed else place_of(line)
            known = map(line_at, range(at, min(at + 2 + findings.SAID, len(raw))))
            if placed or _GRAVE.match(text) or (text and line.startswith(findings.LEVELS)):
                owner = number
                self.files[number] = file
                self.owners.update(dict.fromkeys(above, number))
                self._quote([*known], placed is not None)
                messages.add(self.says.get(number, number))
                above = []
            elif text and owner and _NOTE.match(text):
                self.owners.update((n, owner) for n in (*above, number, *_quoted([*known])))
                above = []
            elif _ABOVE.match(line):
                above.append(number)
            else:
                above, owner = [], 0
        return self

    def most(self, lines: Sequence[tuple[int, str]], report: Told) -> bool:
        """Whether these are what a compiler or linter printed: errors or warnings, most with a column or a code."""
        if report.mostly and any(line.lstrip().startswith("--> ") for _, line in lines):
            return True
        worded = sum(any(map(str.isalnum, line)) for _, line in lines)
        sure = sum(n in self.files and _COMPILED.search(line[:1_000]) is not None for n, line in lines)
        known = len(self.files) + len(self.owners) + len(self.says)
        return 2 * sure >= len(self.files) > 0 and known >= findings.MOSTLY * worded

    def head(self, marks: Sequence[Mark]) -> None:
        """What stands out by the message below a place is the place, unless that does so itself."""
        places, own = {message: line for line, message in self.says.items()}, {mark.line for mark in marks}
        for mark in marks:
            mark.line = mark.line if places.get(mark.line, mark.line) in own else places[mark.line]

    def _headed(self, number: int, line: str, below: Iterable[tuple[int, str]]) -> bool:
        """Whether a line heads a finding: of those below it, indented further, the first says what was found, and the
        others belong to it; or is of what a formatter writes, whose heading a tool cut off."""
        if match := _HEADED.match(line):
            deeper = " " * (indent_of(line) + 1)
            block = takewhile(lambda one: not one[1].strip() or one[1].startswith(deeper), below)
            message, *others = [n for n, text in block if text.strip()] or [number]
            self.files[number] = match["file"]
            self.says.update({number: message} if message != number else {})
            self.owners.update(dict.fromkeys(others, number))
        elif _FORMATTED.match(line):
            self.owners[number] = 0
            return True
        return match is not None

    def _quote(self, known: Sequence[tuple[int, str]], placed: bool) -> None:
        number = known[0][0]
        block, message = [*_quoted(known)], 0
        if placed:
            _, _, size, message = below_of(known[: 1 + findings.SAID])
            block = [n for n, _ in known[1 : 1 + size]]
        begun = known[0][1].rstrip()
        below = known[1][1].split(" ", 1)[0] if known[1:] and not is_blank(known[1][1]) else ""
        if not (block or placed) and below and begun.endswith((*_PREPOSITIONS, ":")):  # doxygen's "parameter …" a line
            block = [n for n, _ in takewhile(lambda one: one[1].startswith(f"{below} "), known[1 : 1 + QUOTED])]
            block = block if begun.endswith(":") else [known[1][0]]
        if block and (placed or begun.endswith(_UNFINISHED)):
            self.says[number] = block.pop(message)
        self.owners.update(dict.fromkeys(block, number))

    def cut(self, entries: Sequence[Entry], apart: Mapping[int, bool]) -> Iterator[Entry]:
        """The entries, of which each finding and what belongs to it is one of its own: the message stands with it; and
        ``apart`` bars of progress, by whether another goes on from them."""
        messages = set(self.says.values())

        def part(one: tuple[int, str]) -> tuple[int, bool, bool | None, bool]:
            number, line = one
            placed = number in self.files
            owner = number if placed else self.owners.get(number, 0)
            return owner, placed, apart.get(number), line.rstrip().endswith(_HERE)

        for start, end, lines in entries:
            numbers = range(start, end + 1)
            if not any(n in self.files or n in self.owners or n in messages or n in apart for n in numbers):
                yield start, end, lines
                continue
            for _, run in groupby(enumerate(lines, start), key=part):
                known = [(n, line) for n, line in run if n not in messages]
                if known:
                    yield known[0][0], known[-1][0], [line for _, line in known]


def _quoted(known: Sequence[tuple[int, str]]) -> Iterator[int]:
    """The lines of source below a finding, the first line: indented, or above carets."""
    for (n, line), (_, below) in pairwise([*known[1 : 2 + QUOTED], (0, "")]):
        pointed = findings.CARETS.match(untasked(line)) or findings.CARETS.match(untasked(below))
        quoted = pointed or line[:1] in (" ", "\t")
        if not quoted or not line.strip() or _ABOVE.match(line) or _GRAVE.match(place_of(line)[1]):
            return
        yield n


_SUGGESTED: Final = regex(r"(?:\d{1,6}|LL) {1,6}[+~] ")


def pointed(entries: Iterable[Entry], report: Told, items: list[Item]) -> Iterator[Entry]:
    """The entries but findings that stand above their place and source, of which the ``items`` are added: what
    they say, if that is new, where they are, the source, and what is suggested; of the first of a rule all else."""
    placed, known = report.placed if report.mostly else {}, set[str]()
    file, first = min(placed.values(), default=""), {lines[0] for lines in report.rules}
    for start, end, lines in entries:
        if start not in placed or not points(lines):
            yield start, end, lines
            continue
        stop = next((at for at, line in enumerate(lines, 1) if POINTED.match(line)), 2)
        begin = int(lines[0] in known)
        known.add(lines[0])
        if file == max(placed.values()):
            lines = [line.replace(f"--> {file}:", "--> …:") for line in lines]
        text, number = "\n".join(lines[begin:stop]), start + begin
        flow = "lines" if len(text) > WHOLE else ""
        items.append(Item(number, start + stop - 1, f"{number}: {text}", whole=not flow, flow=flow))
        for at, line in enumerate(lines[stop:], start + stop):
            if _SUGGESTED.match(line) or (start in first and any(map(str.isalnum, line))):
                items.append(Item(at, at, f"{at}: {line}", under=number))


def _directory(files: Iterable[str]) -> str:
    """What the paths of all files begin with, if that is worth saying once."""
    same = commonprefix([*files])
    same = same[: max(same.rfind("/"), same.rfind("\\")) + 1]
    return same if len(same) >= LONG_PATH else ""


def _under_files(items: Iterable[Item], files: Mapping[int, str]) -> bool:
    """The path of several findings in a row stands above them, once; each goes on from it behind an ellipsis."""
    headed = set[str]()
    few = items if len({*files.values()}) <= FEW_FILES else ()
    for (file, above), run in groupby(few, key=lambda one: (files.get(one.under or one.start, ""), one.section)):
        own, path = [*run], regex(rf"(?<=: ){re.escape(file)}(?=[:(])")
        others = [item for item in own if not path.search(item.text)] if file and not above else own
        if len(own) - len(others) >= TOGETHER and not any(_PLACE.search(item.text) for item in others):
            headed.add(file)
            for item in own:
                item.section, item.text = file, path.sub("…", item.text, count=1)
    return bool(headed)


def dress(items: Iterable[Item], layout: Layout, lines: Mapping[int, str], report: Told) -> list[Fact]:
    """Say with each finding its message, where that stands below, and the directory of all files once; nothing that
    belongs to a finding is shown without it. ``report``: of all findings."""
    if not (report.placed or layout.files):
        return []
    headed = _under_files(items, {**report.placed, **layout.files})
    below = _directory(layout.files.values()) if len(layout.files) >= findings.FEW_WARNINGS and not headed else ""
    used = {layout.owners.get(item.start): item.start for item in items if _USED in item.text}  # the last of each
    rules = report.rules if report.mostly else ()
    first = {(lines[0], report.placed.get(n)): n for lines in rules for n in reversed(lines)}
    apart = {*first.values()}
    for item in items:
        item.weight *= APART if item.start in apart else 1
        if item.start in layout.owners:
            here = item.text.rstrip().endswith(_HERE) or used.get(layout.owners[item.start]) == item.start
            says = any(map(str.isalnum, item.text.partition(": ")[2]))
            item.under, item.weight = layout.owners[item.start], FOUND if here else ECHO * says
            item.whole = len(item.text) <= WHOLE
            again = item.start in layout.files or item.under in layout.owners
            item.weight *= ECHO if again else 1
        if item.start not in layout.files:
            continue
        item.weight = item.weight if report.mostly or item.start in layout.owners else FOUND
        if message_line := layout.says.get(item.start):
            message = untasked(bare(lines[message_line])).strip(" \t•")
            if len(message) > findings.CUT and item.text.rstrip().endswith(_PREPOSITIONS):
                message = f"{message[: findings.CUT]}…[+{len(message) - findings.CUT} chars]"
            item.text = item.text.rstrip(" \n━")
            item.text += f"{':' * item.text.endswith(')')} {message}"
            item.also, item.whole, item.weight = (message_line,), True, max(item.weight, SAYS)
        file = layout.files[item.start]
        begin, at = item.text.find(": ") + 2, item.text.find(f" {file}:") + 1 if file else 0
        if at - begin > LONG_PATH and " -" in item.text[begin:at]:  # the command that is echoed before it
            item.text = f"{item.text[:begin]}…[+{at - begin} chars] {item.text[at:]}"
        if below and (at := item.text.find(below)) >= 0:
            item.text = f"{item.text[:at]}…{below[-1]}{item.text[at + len(below) :]}"
        if len(item.text) > 2 * WHOLE and "\n" not in item.text:
            end = max(item.text.rfind(" ", findings.LONG, WHOLE), findings.LONG)
            item.text, item.whole = f"{item.text[:end]} …[+{len(item.text) - end:,} chars]", True
        item.at, item.flow = -1, "sentences" if len(item.text) > findings.LONG else ""  # read from its beginning
        item.whole |= bool(item.keep) and len(item.text) <= WHOLE  # no place without what is said of it
    return [Fact(f"paths that begin with …{below[-1]} are below {below}", 0)] if below else []


def one_message(items: Iterable[Item], errors: Container[int], again: Container[int]) -> None:
    """What a compiler says of several places in a file stands once, with what it explains below, then the places; of
    lines that print an error ``again`` nothing."""
    known: dict[tuple[str, str], list[tuple[Item, str]]] = {}
    first, repeated = dict[int, Item](), set[int]()
    for item in items:
        if item.under in first and len(known) <= BLOCKS and item.start not in again:
            item.weight, item.whole = EXPLAINED, True
        elif item.start in again or item.under in repeated:
            item.weight = KNOWN
            repeated.add(item.start)
        elif item.start in errors and (error := _ERROR.match(item.text)):
            same = known.setdefault((error["file"], error["said"]), [])
            same.append((item, error["at"].lstrip(":")))
            first |= {item.start: item} if len(same) == 1 else {}
            if len(same) > 1:
                item.keep, item.weight = Keep.NONE, KNOWN
                repeated.add(item.start)
    for (item, _), *others in known.values():
        more = f", {len(others) - PLACES:,} more" if len(others) > PLACES else ""
        item.text += f" …[also at {' '.join(at for _, at in others[:PLACES])}{more}]" if others else ""
        item.also = [*item.also, *(one.start for one, _ in others[:PLACES])]
