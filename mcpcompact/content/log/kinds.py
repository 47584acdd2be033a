"""What a log says again: kinds of lines, each told by its first line and in what the others differ from it; a screen
that a watching tool draws again and again; and the log said shorter without loss.

A packed text can be made again, character for character. Line by line, it holds ``§prefix`` (all following lines
begin with ``prefix``, until the next ``§``), lines without their prefix, and ``… ×n`` (the line before stands ``n``
times in a row).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from itertools import compress, groupby
from typing import Final, NamedTuple

from mcpcompact.content.log.entries import PLACED, Entry
from mcpcompact.content.log.failures import Failures
from mcpcompact.content.log.grammar import FATAL, LEVEL_WITHIN, find_stamp, level_span, loud_words
from mcpcompact.content.log.odd import MANY_ALIKE, SHOWN, Analysis
from mcpcompact.content.log.runners import bare_of
from mcpcompact.content.log.templates import DIGITS, EVENT, HEX, NUMBER, Seen, Template, category, first_of, number_of
from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import held, regex
from mcpcompact.phrasing import counted

_LETTERS: Final = regex(r"[^\W\d_]{3,}")
READ = 5_000  # lines of a kind that are compared word by word
KINDS, ROW, CRASH = 8, 240, 600  # kinds of lines of which the first is told; characters of it, and of what crashed
LITTLE = 20  # characters more are not worth a mark
SHORTER = {CRASH: ROW, ROW: 140}  # characters where there is too little room for all kinds
SPLIT, SPLITS = 4, 2  # values of one of several numbers, such numbers of a kind
_PACKAGES: Final = regex(r"\b(?:[a-z]\w{0,40}\.){2,12}(?=[A-Z])")  # before the name of a class
CRASHES: Final = 3  # kinds of crashes that are told before all else

Kind = tuple[int, int, int, Seen]
"""Lines that say the same: how many, the first and the last, and what is known of the first."""


def listed(kinds: Sequence[Kind], entries: Iterable[Entry]) -> set[int]:
    """The first and the last line of each kind that tells of a crash, where a list of kinds begins with these few, and
    the first one of those that are often said, where the list shows it whole."""
    fatal, few = [kind for kind in kinds if kind[3].severity >= FATAL], len(kinds) <= KINDS
    crashed = {line for _, *ends, _ in fatal for line in ends} if len(fatal) <= CRASHES else set[int]()
    often = {line for n, line, *_ in kinds if few and n > MANY_ALIKE}
    return crashed.union(a for a, b, lines in entries if a in often and a == b and len(lines[0]) <= ROW)


def _noted(analysis: Analysis, failed: Failures) -> Counter[Template]:
    """Lines that warn or tell of a failure, by their kind, where they are many; what broke a run, not its warnings."""
    noted = analysis.loud_counts if analysis.run and analysis.error_lines else analysis.noted
    often = analysis.service and max(noted.values(), default=0) > MANY_ALIKE
    return Counter() if (noted.total() <= SHOWN and not often) or failed.tests or failed.compiler else noted


def loud_facts(analysis: Analysis, kinds: Sequence[Kind]) -> list[Fact]:
    """The kinds of lines that warn or tell of a failure, where they are many: the gravest and most frequent first."""
    total = sum(count for count, *_ in kinds)
    if not total:
        return []
    groups = sorted(kinds, key=lambda kind: (-kind[3].severity, -kind[0]))
    about = "~" if analysis.estimated else ""
    what = "errors or failures" if total == analysis.loud_counts.total() else "warnings, errors or failures"
    what = what if analysis.loud_counts else "warnings"
    placed = {line for _, line, _, one in groups if PLACED.match(one.text)}  # what they say stands below them
    noun = ("entries" if all(one.head for *_, one in kinds) else "entries or lines") if analysis.below else "lines"
    single = sum(n == 1 for n, *_ in groups)
    of = f", of {counted(len(groups), 'kind')}" + f", {single:,} of one line" * (2 * single > len(groups))
    lead = f"{about}{total:,} {noun} with {what}{'' if placed else of}"
    marked = {mark.line for mark in analysis.marks}
    return kind_facts(analysis, lead, groups, about, 0, placed | marked)


def loud_kinds(analysis: Analysis, failed: Failures, alone: bool) -> list[Kind]:
    """The kinds with those as one that differ in who says it (the thread before the message), or what failed of the
    same cause (``yard.example:80 error : refused``). ``alone``: no rules tell of them."""
    joined, kinds = dict[object, Kind](), dict[object, list[Template]]()
    for known, count in _noted(analysis, failed).items():
        first, last, one = analysis.first[known]
        at = _cause_at(one.text)
        caused = at < len(one.body) and not EVENT.search(one.text, 0, at)
        key = (one.level, one.severity, one.behind(at)) if caused else known
        n, start, end, kind = joined.get(key, (0, first, last, one))
        kinds.setdefault(key, []).append(known)
        joined[key] = n + count, min(start, first), max(end, last), one if first < start else kind
    analysis.joined = {kind[3]: kinds[key] for key, kind in joined.items()}
    seen = set[int]()
    several = {one: kind[1] for key, kind in joined.items() for one in kinds[key] if kind[0] > one.count}
    groups = {number: several[one] for number, _, one in analysis.loud if one in several}
    if alone and len(joined) <= KINDS:  # the list of kinds shows the first ones
        analysis.marks = [mark for mark in analysis.marks if groups.get(mark.line) != mark.line]
    for mark in analysis.marks:  # one of each before a second one of any
        if group := groups.get(mark.line):
            mark.group, mark.keep = f"kind {group}", min(mark.keep, Keep.RARE) if group in seen else mark.keep
            seen.add(group)
    return [*joined.values()]


def message_at(line: str, after: int = 0) -> int:
    """Where a line's message begins, behind stamp, level and source, and ``after`` a level further on."""
    after = max(_source_at(line), after)
    message = _MESSAGE.match(line, after)
    return message.end() if message else after


def _cause_at(line: str) -> int:
    """Where it says what went wrong: behind what it went wrong with, else where the message begins."""
    message = message_at(line)
    maybe = any(map(line.__contains__, _CAUSES))
    cause = _CAUSE.search(line, message, message + ROW) if maybe else None
    return cause.start() if cause else message


def _source_at(line: str) -> int:
    """Where it says who speaks: behind stamp and level."""
    stamp, level = find_stamp(line), level_span(line[:LEVEL_WITHIN])
    return max(level[1] if level else 0, stamp[2] if stamp else 0)


def lead(text: str, long: int) -> int:
    """How much of one long line says when, where and how grave; 0 of a short one and of several."""
    begin = text.find(": ") + 2
    end = _source_at(text[begin:]) if len(text) > long and "\n" not in text else 0
    return begin + end if end else 0


_CAUSE: Final = regex(r"\b(?:[Ee]rror|ERROR|failed|FAILED) ?: ")
_CAUSES: Final = ("rror: ", "ERROR: ", "ailed: ", "AILED: ", " : ")  # one stands where it finds something
_MESSAGE: Final = regex(r"[\])]?:?[ \t]*(?:- )?(?:\[[^\]]{0,600}\] ?){0,3}(?:[\w.$-]{1,80}: ?){0,2}")


def kind_facts(
    analysis: Analysis, lead: str, groups: Sequence[Kind], about: str, rank: int, apart: Container[int]
) -> list[Fact]:
    """The kinds of lines, a row each: how many, and the first one. Those that are not shown ``apart``, of more than
    a few those that stand more than once or tell of a failure, and how many more there are."""
    few = len(groups) <= KINDS
    some = [kind for kind in groups if kind[1] not in apart or (few and kind[0] > 1)]
    most = [kind for kind in some if few or kind[0] > 1 or kind[3].severity][:KINDS]
    names = any(varied(one, analysis.seen) for *_, one in most)  # a row without … says that all are alike
    rows = [(f"{about}{n:,}× ", _row(analysis, names, *kind)) for kind in most for n in kind[:1]]
    more = [f"… {left:,} more"] if (left := len(groups) - len(rows)) else []
    signs = ", … where words differ" * any(row.masked for _, row in rows)
    signs += " ← what differs" * any(row.differing for _, row in rows)
    head = [f"{lead} (lines × first–last: for example{signs}):" if rows else lead]
    text, short = (
        "\n".join([*head, *(f"{often}{row.cut(limits)}" for often, row in rows), *more]) for limits in ({}, SHORTER)
    )
    shows = [[], *([kind[1]] * (not row.masked) for kind, (_, row) in zip(most, rows, strict=True))]
    return [Fact(text, rank, short=short, shows=shows)] if any(n > 1 for n, *_ in groups) else []


def alike(groups: Sequence[Kind], analysis: Analysis) -> list[Kind]:
    """The kinds, the most frequent first; those told in the same words are one, as is one with that which covers it."""
    merged: dict[object, Kind] = {}
    wide = [kind.kind for n, *_, kind in groups[: 4 * KINDS] if n > 1]
    for place, (n, first, last, one) in enumerate(groups):
        same = next((kind for kind in wide if kind.covers(one.kind.words)), one.kind)
        one = analysis.seen[same.shapes[0]]
        key = category(_masked(one, one.text, analysis)) if place < 4 * KINDS or same in wide else place
        before, start, end, kind = merged.get(key, (0, first, last, one))
        merged[key] = before + n, min(start, first), max(end, last), one if one.shape.first < kind.shape.first else kind
    return sorted(merged.values(), key=lambda kind: -kind[0])


def _masked(one: Seen, text: str, analysis: Analysis, names: bool = False) -> str:
    for start, end in reversed(varied(one, analysis.seen, names)):
        text = f"{text[:start]}…{text[end:]}"
    return _RUN.sub("…", text)


class _Row(NamedTuple):
    """The first line of a kind: where the kind stands, its text, in what the others differ."""

    place: str
    text: str
    brief: str  # the same where that is too long
    most: int  # characters of it
    differing: str
    masked: bool  # some of it stands as …

    def cut(self, limits: Mapping[int, int]) -> str:
        """Of a long text its beginning."""
        most = limits.get(self.most, self.most)
        text = self.text if len(self.text) <= most + LITTLE else _PACKAGES.sub("…", self.brief)
        end = len(text) if len(text) <= most + LITTLE else max(text.rfind(" ", most // 2, most), most // 2)
        cut = f" …[+{len(text) - end:,} chars]" if end < len(text) else ""
        return f"{self.place}: {text[:end]}{cut}{self.differing}"


def _row(analysis: Analysis, names: bool, count: int, line: int, last: int, one: Seen) -> _Row:
    """The first line of a kind, with … for words in which the others differ; whole, if it is not too long, where others
    say the same of something else: without what failed it says little."""
    first = analysis.scan.shown(one.shape.first, one.shape.first)[0]
    whole = text = _masked(one, first, analysis, names)
    if count > one.kind.count and one.kind in analysis.noted:  # others say the same
        source, message = _source_at(text), _cause_at(text)
        source += text[source : source + 1] in ("]", ")")
        if message > source + 1:
            whole, text = f"{first} (others differ before the message)", f"{text[:source]} … {text[message:]}"
    differing = _differing(one, analysis, count, names)
    place = f"{line}–{last}" if last > line else f"{line}"
    masked, stamped = text != first, one.stamped if last > line and one.kind not in analysis.noted else 0
    if stamped:  # when: the time says
        whole, text = (_RUN.sub("…", f"…{part[stamped:]}") for part in (whole, text))
    return _Row(place, whole, text, CRASH if one.severity >= FATAL else ROW, differing, masked)


def _differing(one: Seen, analysis: Analysis, count: int, names: bool) -> str:
    """The values of a number that is all in which the lines of a kind differ; of several, of those with few values: the
    first line's are not all lines'. Only where each line is known."""
    kinds = analysis.joined.get(one, [one.kind])
    alike = [analysis.seen[n] for kind in kinds for n in kind.shapes]
    if analysis.scan.step > 1 or count > READ or sum(kind.count for kind in kinds) != count:
        return ""
    starts = {s: _cause_at(s.text) if len(kinds) > 1 else 0 for s in alike}
    spans = {s: [span for span in s.spans if span[0] >= starts[s]] for s in alike}
    rows = [[text[a:b] for a, b in spans[s]] for s in alike for _, text in s.shape.read()]
    if len(rows) < count or len({*map(len, rows)}) > 1:
        return ""
    columns = {at: Counter(column) for at, column in enumerate(zip(*rows, strict=True)) if len(set(column)) > 1}
    own, left_open = spans[one], {end for _, end in varied(one, analysis.seen, names)}
    notes, known = [], set[tuple[int, ...]]()
    message = message_at(one.text)
    for at, column in sorted(columns.items(), key=lambda one: own[one[0]][0] < message):  # who says it comes behind
        masked = own[at][1] in left_open  # it stands as …
        words = (_words(column) or _range(column) * (len(columns) == 1)) if masked else ""
        values = words or values_of(column, not masked and own[at][0] >= message)
        name = before(one.text, own, at) if len(columns) > 1 else ""
        named = name or values[:1] == "…" or all(map(_HTTP.fullmatch, column))
        few = len(columns) == 1 or words or (len(column) <= SPLIT and named)
        if values and few and not all(map(_UPTIME.fullmatch, column)):
            order = dict.fromkeys(row[at] for row in rows)
            pattern = tuple(list(order).index(row[at]) for row in rows)
            if pattern not in known:  # else another number says so as well
                notes.append(name + values if values[0] != "…" else name.strip(":") + values)
            known.add(pattern)
    return f" ← {'; '.join(notes[:SPLITS])}" if notes else ""


def _words(column: Counter[str]) -> str:
    """The most frequent words without a digit, where nearly all lines have one of a few."""
    named, left, rest = list[str](), column.total(), (1 - NEARLY) * column.total()
    for word, n in column.most_common(FEW_WORDS):
        if (left > rest or len(column) <= FEW_WORDS) and (n > 1 or named) and not DIGITS.search(word):
            named, left = [*named, f"{word} ({n:,}×)"], left - n
    more = [f"{len(column) - len(named):,} more"] if left else []
    return ", ".join(named + more) if left <= rest else ""


def _range(column: Collection[str]) -> str:
    """From which to which names go that differ in numbers of as many digits."""
    first, last, start = min(column), max(column), _same(column)
    alike = len({re.sub(r"\d", "0", value) for value in column}) == 1 and _NAME.match(first)
    return f"{first[start:]} to {last[start:]}" if alike else ""


_ADDRESS: Final = regex(r"\d{1,3}(?:\.\d{1,3}){3}$", holds=".")
_NAME: Final = regex(rf"(?!{NUMBER.pattern[:-1]}\.?$)")  # no number alone
_RUN: Final = regex(r"…(?: ?…)+")
_HTTP: Final = regex(r"[1-5]\d\d")  # a status needs no name
_UPTIME: Final = regex(r"\d{1,9}\.\d{6}")  # as the kernel writes it


def varied(line: Seen, lines: Sequence[Seen], names: bool = False) -> list[tuple[int, int]]:
    """Spans of the words in which lines of a kind differ by more than a number or an id; with ``names``, also of those
    with a number in them, behind what all of them begin with."""
    known, rows = [lines[n] for n in line.kind.shapes], list[tuple[Sequence[tuple[int, int]], str]]()
    columns = ({one.body[slice(*one.spans[at])] for one in known} for at in range(len(line.spans)))
    varying, whole = [len({*map(_letters, column)}) > 1 for column in columns], [*line.spans]
    for differs in (_NAME if names else _ADDRESS).match, DIGITS.search:  # and beside what stands as … numbers
        for at, (a, b) in enumerate(line.spans):
            if not varying[at] and differs(line.text, a, b) and DIGITS.search(line.text, a, b):
                rows = rows or [(one.spans, text) for one in known for _, text in one.shape.read()]
                unread = len(rows) < sum(one.shape.count for one in known)
                values = {text[slice(*spans[at])] for spans, text in rows}
                varying[at] = unread or len(values) > 1
                whole[at] = (a + _same(values) * (names and not unread and _NAME.match(line.text, a, b) is not None), b)
        if not any(varying):
            break
    return [*compress(whole, varying)]


def _same(values: Collection[str]) -> int:
    """How much all have in front, to the last sign that is no letter or digit."""
    first, last = min(values), max(values)
    same = first[: next((n for n, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), 0)]
    return len(same) - len(re.split(r"[\W_]", same)[-1])


def _letters(token: str) -> str:
    if token.isascii() and token.lower() == token.upper() and DIGITS.search(token):  # an address, a clock
        return ""
    if EVENT.search(token):  # each code is an event of its own
        return token
    if NUMBER.match(token) or category(token) == HEX:
        return ""
    return " ".join(_LETTERS.findall(token)) if DIGITS.search(token) else token


FEW_WORDS, NEARLY = 3, 0.8  # words that are named, and the share of the lines that have these
WORD, NAMED, TAILS, TAIL = 30, 8, 4, 24  # letters before a number; values that are named, that are none; their ends


def before(text: str, spans: Sequence[tuple[int, int]], at: int) -> str:
    """The word before a number, which says what it is; with the one before that where the line has it twice; ``:``
    before a port."""
    words = [text[a:b] + text[b : b + 1].strip(" =:#") for a, b in spans]  # "in dir) <3" is no name
    word = words[at - 1] if at else ""
    if at and text[spans[at - 1][1] : spans[at][0]] == ":" and not word.isdigit():
        return ":"
    if not word.isalpha() or len(word) > WORD:
        return ""
    again = words.count(word) > 1 and at > 1 and words[at - 2].isalpha()
    return f"{words[at - 2]} {word} " if again else f"{word} "


def values_of(column: Counter[str], tails: bool) -> str:
    """``2 (45×), 3 (35×)``: few numbers of one unit, or codes of events, each with its lines, else their range;
    ``tails``: of other values that are few in what they differ."""
    if all(map(EVENT.fullmatch, column)):
        return first_of([f"{code} ({n:,}×)" for code, n in column.most_common()], NAMED, ", ")
    values = [match for value in column if (match := NUMBER.match(value))]
    if len({match[2] for match in values}) == 1 and len(values) == len(column):
        values.sort(key=number_of)
        if len(values) > NAMED:
            return f"{values[0][0]} to {values[-1][0]}"
        once = len(values) == column.total()
        return ", ".join(value[0] if once else f"{value[0]} ({column[value[0]]:,}×)" for value in values)
    few = tails and (start := _same(column)) and len(column) <= TAILS and max(map(len, column)) - start <= TAIL
    return ", ".join(f"…{value[start:]} ({n:,}×)" for value, n in column.most_common()) if few else ""


# -- what is drawn or said again ---------------------------------------------------------------

SCREEN: Final = regex(
    r"Refreshing .{1,60} every \d+|Every \d+[.,]\d+s: |top - \d\d:\d\d:\d\d up ",
    holds=("Refreshing ", "Every ", "top - "),
)
"""The line with which a watching tool begins each screen."""
_SIGN: Final = regex(r"[ \t]*(?:[*✓✔X✗✘!•●◐⠋-] )?")
_DONE: Final = regex(r"[ \t]*[✓✔] ")
TWICE: Final = 1e-70  # weight of a line that the facts show: behind all others
TITLE: Final = 3  # lines from a screen's first one to its title
HEAD, OPEN, CLOSED, AGAIN = 4.0, 3.0, 0.2, 0.1
"""Weights: of what stands at the left; of a step that is not done; of one that is, or of a job that is; of repeats."""


def screens(lines: Sequence[tuple[int, str]]) -> list[int]:
    """The first line of each screen, of a log that has more than one: where the tool says that it draws, or, as of the
    last one it may not, where the title stands again, whatever sign is before it."""
    begun, titled, title = list[int](), list[int](), ""
    for number, line in lines if held(SCREEN, [line for _, line in lines]) else ():
        if SCREEN.match(line):
            begun.append(number)
        elif begun and line.strip():
            bare = _SIGN.sub("", line, count=1)
            title = title or bare
            if bare == title:
                titled.append(begun[-1] if number - begun[-1] <= TITLE else number)
    starts = titled if len(titled) >= len(begun) else begun
    return starts if len(starts) > 1 else []


def screen_facts(starts: list[int], lines: int) -> list[Fact]:
    """How often the screen was drawn, and where the last one stands."""
    if not starts:
        return []
    shown = f"only the last one is shown, lines {starts[-1]:,}–{lines:,}"
    return [Fact(f"a screen drawn {len(starts):,} times; {shown}", 0)]


def last_screen(items: list[Item], first: int) -> list[Item]:
    """The lines of the last screen alone, one an item: what stands at the left before all else, and the steps below it
    where they are not done."""
    shown, seen, done = list[Item](), set[str](), False
    for item in items:
        for number, line in enumerate(item.text.partition(": ")[2].split("\n"), item.start):
            if number < first or not line.strip():
                continue
            if not line.startswith((" ", "\t")):
                done, weight = _DONE.match(line) is not None, HEAD
            else:
                weight = CLOSED if done or _DONE.match(line) else OPEN
            one = Item(number, number, f"{number}: {line}", weight=AGAIN if line in seen else weight)
            if item.start == item.end and item.keep is Keep.SEVERE:
                one.keep, one.reason, one.template = item.keep, item.reason, item.template
            seen.add(line)
            shown.append(one)
    return shown


def once(items: Sequence[Item], all_facts: Sequence[Fact]) -> None:
    """What stands whole among the facts is not said again, but what is kept."""
    whole = [fact for fact in all_facts if fact.rank <= 1 and fact.shows and len(fact.text) <= LONG]
    rows = {n: text for fact in whole for text in (_signs(fact.text),) for units in fact.shows for n in units}
    for item in items:
        if not item.keep and item.start == item.end and item.start in rows:
            text = _signs(bare_of(item))
            item.weight = TWICE if text and text in rows[item.start] else item.weight


def _signs(text: str) -> str:
    """A line however it is spaced and ruled."""
    return "".join(filter(str.isalnum, text))


LONG = 20_000  # characters of a fact that no budget shows whole
_WORTH_PACKING = 6  # characters saved

_MARK: Final = "§"
_CUTS: Final = regex(r"[T:._-]| ")


def pack(text: str) -> str | None:
    """The packed text, or ``None`` when it would not be shorter or the text holds our own marks."""
    if _MARK in text or "… ×" in text:
        return None
    lines = text.split("\n")
    stamped = [bool(line[:1].strip()) and find_stamp(line[:40]) is not None for line in lines]
    best = min((_pack(lines, stamped, width) for width in _widths(lines)), key=len)
    return best if len(best) < len(text) else None


def _widths(lines: list[str]) -> list[int]:
    """Prefix lengths worth trying: none, and each part of the time stamp (date, hour, minute)."""
    for line in lines[:20]:
        stamp = find_stamp(line)
        if stamp and stamp[1] <= 1:
            ends = [cut.end() for cut in _CUTS.finditer(line, 4, stamp[2])]
            return [0, *dict.fromkeys(ends)]
    return [0]


def shortest(text: str) -> int:
    """A lower bound of the packed length, cheap: repeats folded and a stamp of at most 30 characters dropped."""
    return sum(max(0, len(line) - 30) for line, _ in groupby(text.split("\n")))


def _pack(lines: list[str], stamped: list[bool], width: int) -> str:
    out, prefix, at = list[str](), "", 0
    for line, run in groupby(lines):
        times = len([*run])
        want = line[:width] if width and len(line) >= width and stamped[at] else ""
        if want != prefix:
            prefix = want
            out.append(_MARK + prefix)
        body = line[len(prefix) :]
        out += [body, f"… ×{times}"] if (times - 1) * (len(body) + 1) > _WORTH_PACKING else [body] * times
        at += times
    return "\n".join(out)


_WORD = regex(r"[\w.:/-]*\w\w")
ERRORS = ("ERROR", "ERR", "FATAL", "CRITICAL", "SEVERE")  # that it is a failure: the message behind them says which


def place(line: str, keep: Keep, reason: str) -> int:
    """The value that the reason names; else the first word of failure; else where the message begins, behind stamp and
    level."""
    stamp = find_stamp(line)
    after = stamp[2] if stamp else 0
    if keep is not Keep.SEVERE and " such line" not in reason:
        words = sorted(_WORD.findall(reason), key=lambda word: not any(map(str.isdigit, word)))
        if (named := next((at for word in words if (at := line.find(word, after)) >= 0), -1)) >= 0:
            return named
    loud = [match.span() for match in loud_words(line)]
    near = (span for span in loud if span[1] <= 2 * LEVEL_WITHIN and line[slice(*span)] in ERRORS)  # behind two heads
    level = level_span(line[:LEVEL_WITHIN]) or next(near, (0, 0))
    if line[slice(*level)].upper() in ERRORS:
        return message_at(line, level[1])
    first = next((start for start, end in loud if end <= level[0] or start >= level[1]), -1)
    return first if first >= 0 else message_at(line)
