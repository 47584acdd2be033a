"""Which lines of a hunk are read together: what was removed with what replaces it, the lines of a wrapped sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import count, groupby, pairwise
from posixpath import commonprefix

from mcpcompact.content.diff.parse import Hunk
from mcpcompact.content.shared.languages import COMMENT, FENCES, named
from mcpcompact.content.shared.nesting import BRANCH, LOOK, MAPPING, columns, enclosing
from mcpcompact.patterns import regex

Line = tuple[int, str, int, str]
"""Payload index, sign (``+``, ``-`` or blank), line number in the file of that sign (0 unknown), text."""


def body(hunk: Hunk, lines: list[str]) -> Iterable[Line]:
    """The lines of a hunk with the line number of their own side."""
    return {"context": _context_body, "normal": _normal_body}.get(hunk.kind, _marked_body)(hunk, lines)


def _marked_body(hunk: Hunk, lines: list[str]) -> Iterator[Line]:
    """A sign before each line, or one for each parent of a merge."""
    olds, new, width = list(hunk.olds or (hunk.old,)), hunk.new, hunk.width
    known_old, known_new = (n > 0 or hunk.kind in ("unified", "combined") for n in (hunk.old, new))
    for i in range(hunk.start + 1, hunk.end):
        signs, text = lines[i][:width].ljust(width), lines[i][width:]
        if signs[0] == "\\":
            continue
        sign = "-" if "-" in signs else "+" if "+" in signs else ""
        yield i, sign, olds[signs.index("-")] * known_old if sign == "-" else new * known_new, text
        new += sign != "-"
        if width == 1:
            olds[0] += sign != "+"
            continue
        there = "-" if sign == "-" else " "  # before the line of each old file that has it
        olds = [number + (mark == there) for number, mark in zip(olds, signs, strict=True)]


def _context_body(hunk: Hunk, lines: list[str]) -> Iterator[Line]:
    """The old half, of which the new one repeats what did not change, and the new one: each may be empty."""
    middle = hunk.middle or hunk.end
    repeated = hunk.end > middle + 1
    for number, sign, half in ((hunk.old, "-", (hunk.start + 1, middle)), (hunk.new, "+", (middle + 1, hunk.end))):
        own = (i for i in range(*half) if lines[i][:1] != "\\")
        for n, i in enumerate(own, number):
            changed = lines[i][:1].strip() > ""
            if changed or sign == "+" or not repeated:
                yield i, sign * changed, n, lines[i][2:]


def _normal_body(hunk: Hunk, lines: list[str]) -> Iterator[Line]:
    numbers = {"<": count(hunk.old), ">": count(hunk.new)}
    for i in range(hunk.start + 1, hunk.end):
        if (mark := lines[i][:1]) in numbers:
            yield i, "-" if mark == "<" else "+", next(numbers[mark]), lines[i][2:]


WHOLE_RUN = 8  # changed lines that follow each other: a statement, a short function, settings that belong together
LONG_PAIR = 6_000  # characters of an old and a new paragraph that stand together, in short if need be
WHOLE_TEXT, PAIR = 300, 600  # characters of what stands whole or not at all: more would take a small budget alone
FIELDS, FIELDS_TEXT = 12, 480  # of a mapping, a type or a schema, which says nothing in part
ALIKE = 0.5  # of the words of two lines that are the same
MAX = 60  # removed lines of a hunk, and added ones for each of them, that are compared
GONE = 6  # times as many removed lines as added ones: these do not stand in the place of those
SAME_EDITS = 3  # places that are changed alike: the first says it
MIN_WORD, FEW_WORDS = 3, 4  # letters and words of what stands in many places instead of something else
SENTENCE = 30  # characters of a sentence, without the names in it, that is the same elsewhere
MIN_SAID = 14  # characters of a line that says something where others say it, too
SPACING = "spacing"  # what differs where every word and sign is the same
BEGIN, BESIDE = 48, 40  # characters of a long replaced line that say whose it is, and on both sides of what differs
PARTS = 2  # depth of the headings of a document's parts: a deeper one misleads without its own
TITLE, _ENTRY = regex(r"#{1,6} \S"), regex(r"\s*(?:[-*+]|\d+[.)]) ")
_QUOTED = regex(r"diff --git |@@ -\d")  # a diff begins, up to a blank line
_CLOSES, _OPENED = tuple(")]}"), tuple("([")
_WRAPS = (*_OPENED, "=", "&&", "||", "\\")  # a statement that goes on below
ONLY_MARKS = regex(  # brackets and what closes as they do, the rule of a table or below a title, a blank comment
    r"(?:\s*(?:(?:fi|done|esac|end)\b|(?:</[\w:.-]+>)+|\*/?|//+|#))?[`\s{}()\[\];:,|=-]*$"
)
_CODE = regex(r"(?:\[?`[^`]+`\]?(?:\[[^\]]*\]|\([^)]*\))?)")
_SENTENCES = regex(r"(?<=[.!?] )")  # where one begins
_WORD = regex(r"\w+")
_PART = regex(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\w\s]|[^\W\dA-Za-z_]+")  # of a name: its words
_TOKEN = regex(r"\w+(?:(?:\.|::)\w+)*|[^\w\s]")
BEGINS = regex(r"\s*(?:[-*+>|#]|\d+[.)]|```|---|$)")  # a line of a document that continues none

Unit = list[Line]
"""Lines of a hunk: a run in the diff's order, or a removed and an added line that need not be neighbours."""

Defines = re.Pattern[str] | None  # what a line begins with that defines something

Above = dict[int, Line | None]  # the line that each one stands under, by index


def parents(rows: Sequence[Line]) -> Above:
    """What each line of a hunk stands under in its own file: what is removed in the old one, all others in the new."""
    by_line: Above = {}
    for other in "+-":
        side = [row for row in rows if row[1] != other]
        above = enclosing([row[3] for row in side])
        by_line |= {row[0]: side[over] if over >= 0 else None for row, over in zip(side, above, strict=True)}
    return by_line


def passed(rows: Sequence[Line]) -> Iterator[int]:
    """The lines before the first change of a hunk whose block ends before it: they lead to nothing, by index."""
    first = next((n for n, row in enumerate(rows) if row[1]), 0)
    outer = columns(rows[first][3]) if rows else 0
    for row in reversed(rows[:first]):
        if row[3].strip():
            if columns(row[3]) > outer:
                yield row[0]
            outer = min(outer, columns(row[3]))


def units(rows: Sequence[Line], above: Above, odd: Container[int], defines: Defines, prose: bool) -> list[Unit]:
    """The lines of a hunk as they are shown, each unit whole or not; an ``odd`` line with its other half alone."""
    groups: list[Unit] = []
    loose: list[Line] = []
    for changed, group in groupby(rows, key=lambda row: bool(row[1])):
        run = list(group)
        room = LONG_PAIR if prose and [row[1] for row in run] == ["-", "+"] else WHOLE_TEXT
        whole = changed and len(run) <= WHOLE_RUN and _is_whole(run, room) and not any(row[0] in odd for row in run)
        if whole and (not prose or len({row[1] for row in run}) > 1):
            groups.append(_trimmed(run))
        else:
            loose += run
    joined = _sentences(loose) if prose else ([*pair] for pair in pairwise(loose) if goes_on(*pair))
    wrapped = {row[0] for unit in joined if len(unit) > 1 for row in unit}  # a sentence, in a comment or a document
    twins = _twins([row for row in loose if row[0] not in wrapped], above, odd, defines)
    taken = {*twins, *(row[0] for row in twins.values())}
    left = {row[0]: row for row in loose if not (prose or row[0] in taken or row[0] in odd)}
    pairs = [(row, twins[row[0]]) for row in loose if row[0] in twins]
    groups += [[half for side in pair for half in (side, *_rest(side, left))] for pair in pairs]
    taken |= {row[0] for unit in groups for row in unit}
    alone = [row for row in loose if row[0] not in taken]
    groups += _sentences(alone) if prose else _statements(alone, odd)
    return sorted(groups, key=lambda unit: unit[0][0])


def _sides(rows: Iterable[Line]) -> Iterator[tuple[Unit, Unit]]:
    """What each run of changed lines removes and adds, but for what it only spaces anew."""
    for run in (list(group) for _, group in groupby(rows, key=lambda row: bool(row[1]))):
        words = {sign: {"".join(row[3].split()) for row in run if row[1] == sign} for sign in "-+"}
        same = words["-"] & words["+"]
        gone, new = ([row for row in run if row[1] == sign and "".join(row[3].split()) not in same] for sign in "-+")
        yield gone, new


def instead(rows: Iterable[Line]) -> dict[int, int]:
    """For removed lines, by index, the added one of their run that stands where they did: in order, else the last; but
    what hardly anything is added for is gone."""
    pairs: dict[int, int] = {}
    for gone, new in _sides(row for row in rows if not row[1] or not ONLY_MARKS.match(row[3][:LOOK])):
        if len(gone) <= GONE * len(new):
            pairs.update((row[0], new[min(n, len(new) - 1)][0]) for n, row in enumerate(gone))
    return pairs


def beside(rows: Sequence[Line]) -> dict[int, int]:
    """For changed lines, by index, the one with which each is shown: what replaces little comes with all of that, what
    else is removed with what stands ``instead``."""
    pairs = instead(rows)
    for gone, new in _sides(rows):
        if gone and new and len(gone) <= WHOLE_RUN and _is_whole(gone):
            pairs.pop(gone[0][0], None)
            pairs.update((row[0], before[0]) for before, row in pairwise(gone))
            pairs.update((row[0], gone[-1][0]) for row in new)
    return pairs


def owners(rows: Sequence[Line], above: Above, leading: Callable[[str], bool]) -> Above:
    """For the lines that stand under a ``leading`` one, by index: its line in the hunk, else None: the header's."""
    by_line: Above = {}
    for row in rows:
        top, over = row, above[row[0]]
        while over is not None and not leading(over[3]):
            top, over = over, above[over[0]]
        if over is not None or top[3][:1] in (" ", "\t"):
            by_line[row[0]] = over
    return by_line


def _trimmed(run: Unit) -> Unit:
    """Without brackets that close what stands before it, and blanks at its ends."""
    places = [n for n, row in enumerate(run) if not ONLY_MARKS.match(row[3][:LOOK])] or [0]
    last = max(n for n, row in enumerate(run) if n == places[0] or row[3].strip())
    return run[places[0] : last + 1]


def _is_whole(run: Unit, room: int = WHOLE_TEXT) -> bool:
    """Lines that follow each other in the diff and are short enough to stand whole."""
    return run[-1][0] - run[0][0] == len(run) - 1 and sum(len(row[3]) for row in run) <= room


def _twins(rows: list[Line], above: Above, odd: Container[int], defines: Defines) -> dict[int, Line]:
    """For removed lines, by index, the added line that replaces each: what defines the same name, else the likest. Of
    what stands under a changed line only where that is replaced, too: a body goes with its own condition; but an
    ``odd`` line that was moved is not gone."""
    added = [(row, _names(row[3], defines)) for row in rows if row[1] == "+"]
    twins: dict[int, Line] = {}
    for row in [row for row in rows if row[1] == "-"][:MAX]:
        own = _names(row[3], defines)
        near = [other for other in added[:MAX] if other[0][0] in odd or _in_place(row, other[0], above, twins)]
        best = max(near, key=lambda other: _likeness(own, other[1]), default=None)
        alike = best is not None and _likeness(own, best[1]) >= ALIKE
        if best and alike and sum(map(len, shortened(row[3], best[0][3]))) <= PAIR:
            twins[row[0]] = best[0]
            added.remove(best)
    return twins


def _rest(row: Line, left: dict[int, Line]) -> Unit:
    """What is ``left`` of a short statement that a line begins which replaces another, or is replaced."""
    rest: Unit = []
    while row[3].rstrip().endswith(_WRAPS) and (line := left.get(row[0] + len(rest) + 1)) and line[1] == row[1]:
        if columns(line[3]) <= columns(row[3]):
            rest += [line] if line[3].strip()[:1] in _CLOSES else []
            break
        rest.append(line)
    return rest if len(rest) < WHOLE_RUN and sum(len(line[3]) for line in rest) <= WHOLE_TEXT else []


def shortened(old: str, new: str) -> tuple[str, str]:
    """A line and what replaces it; of long ones how the first begins and what differs, with some words around it, or
    the sentences that differ, whichever is shorter."""
    if len(old) + len(new) <= PAIR:
        return old, new
    same = len(commonprefix([old, new]))
    tail = len(commonprefix([old[same:][::-1], new[same:][::-1]]))
    start = old.rfind(" ", BEGIN, max(BEGIN, same - BESIDE)) + 1
    around = _between(old, start, len(old) - tail, BEGIN), _between(new, start, len(new) - tail, 0)
    one, other = _SENTENCES.split(old), _SENTENCES.split(new)
    apart = _without(one, {*other}), _without(other, {*one})
    return min(around, apart, key=lambda both: sum(map(len, both))) if all(apart) else around


def _without(sentences: Sequence[str], known: set[str]) -> str:
    """The sentences that are not ``known``, and how much is left out between them; "" without any."""
    shown = ""
    for same, run in groupby(sentences, key=known.__contains__):
        text = "".join(run)
        stripped = text.rstrip()
        shown += f"…[+{len(stripped)} chars]{text[len(stripped) :]}" if same and len(text) >= BESIDE else text
    return "" if known.issuperset(sentences) else shown


def _between(text: str, start: int, end: int, begin: int) -> str:
    begin = max(0, text.rfind(" ", 0, begin))
    end = text.find(" ", end + BESIDE) if len(text) > end + 2 * BESIDE else len(text)
    head = f"{text[:begin]}…[+{start - begin} chars] " if start > BEGIN else text[:start]
    return head + text[start:end] + (f"…[+{len(text) - end} chars]" if 0 <= end < len(text) else "")


def headings(rows: Sequence[Line]) -> Above:
    """What each line of a document stands under: in the old file what is gone for good, in the new all others."""
    old, new = (_headed([row for row in rows if row[1] != other]) for other in "+-")
    gone = {row[0] for row in rows if row[1] == "-"} - instead(rows).keys()
    return {i: head for i, head in old.items() if i in gone} | new


def _headed(rows: Sequence[Line]) -> Above:
    """The line that leads to a line's list, else the last heading above; of a heading that which it is a part of."""
    by_line: Above = {}
    parts: dict[int, Line] = {}  # the open headings by their depth
    examples = {*fenced(rows)}
    last: Line | None = None
    lead: Line | None = None
    for row in rows:
        text, listed = row[3].strip(), _ENTRY.match(row[3]) is not None
        titles = row[0] not in examples and TITLE.match(row[3]) is not None
        if not text:
            continue
        if titles:
            last, lead = row, None
            depth = len(text) - len(text.lstrip("#"))
            parts = {deep: head for deep, head in parts.items() if deep < depth} | {depth: row}
            if depth > PARTS and len(parts) > 1:
                by_line[row[0]] = parts[max(deep for deep in parts if deep < depth)]
            continue
        by_line[row[0]] = (lead if listed else None) or last
        lead = lead if listed or row[3][:1] == " " else row if text.endswith(":") else None
    return by_line


def _in_place(old: Line, new: Line, above: Above, twins: dict[int, Line]) -> bool:
    """Whether both stand under lines that did not change, or that replace each other."""
    one, other = above.get(old[0]), above.get(new[0])
    if one is None or not one[1]:
        return other is None or not other[1]
    return twins.get(one[0], one) == other


def _names(text: str, defines: Defines) -> tuple[str, frozenset[str]]:
    match = defines.match(text.strip()) if defines is not None else None
    return named(match) if match else "", frozenset(_WORD.findall(text))


def _likeness(one: tuple[str, frozenset[str]], other: tuple[str, frozenset[str]]) -> float:
    if one[0] and one[0] == other[0]:
        return 1.0
    shared = len(one[1] & other[1])
    return shared / len(one[1] | other[1]) if shared > 1 else 0.0


def _statements(rows: list[Line], odd: Container[int]) -> Iterator[Unit]:
    """Changed lines each with what is nested in it, where that is short: a condition with what it guards; comments."""
    at = 0
    while at < len(rows):
        unit, outer = [rows[at]], columns(rows[at][3])
        comment = _is_comment(rows[at])
        most, room = (FIELDS, FIELDS_TEXT) if MAPPING.match(rows[at][3][:LOOK]) else (WHOLE_RUN, WHOLE_TEXT)
        for row in rows[at + 1 :][: most - comment]:
            head = row[3].strip()[:LOOK]
            closes = columns(row[3]) == outer and (head[:1] in _CLOSES or BRANCH.match(head))
            goes_on = _is_comment(row) and _is_whole([*unit, row]) if comment else columns(row[3]) > outer or closes
            if row[1] != unit[0][1] or (head and not goes_on):
                break
            unit.append(row)
        if not _is_whole(unit, room) and rows[at][3].rstrip().endswith(_OPENED):  # a long body: its parameters
            closed = (n for n, row in enumerate(unit) if n and columns(row[3]) == outer)
            unit = unit[: next(closed, 0) + 1]
        whole = unit[0][1] and len(unit) <= most and _is_whole(unit, room) and not any(row[0] in odd for row in unit)
        yield _trimmed(unit) if whole else unit[:1]
        at += len(unit) if whole else 1


def _is_comment(row: Line) -> bool:
    return COMMENT.match(row[3].strip()[:LOOK]) is not None


def goes_on(above: Line, row: Line) -> bool:
    """Whether a changed line of a comment follows another one."""
    return (above[0] + 1, above[1]) == row[:2] and row[1] > "" and _is_comment(above) and _is_comment(row)


def _sentences(rows: list[Line]) -> list[Unit]:
    """Lines of a document: a wrapped sentence or list entry from its first line on."""
    groups: list[Unit] = []
    for row in rows:
        last = groups[-1] if groups else []
        follows = last and row[:2] == (last[-1][0] + 1, last[-1][1])
        if follows and not (BEGINS.match(row[3]) or BEGINS.fullmatch(last[-1][3])) and _is_whole([*last, row], PAIR):
            last.append(row)
        else:
            groups.append([row])
    return groups


def titled(groups: list[Unit]) -> list[Unit]:
    """The units of a document, each heading that is added with the first lines that are added below it: of several
    where these are short, else the headings alone say what is added."""
    heads = [n for n, unit in enumerate(groups) if unit[0][1] == "+" and TITLE.match(unit[0][3])]
    for n in reversed(heads):
        end = next((k for k in range(n + 1, len(groups)) if groups[k][0][3].strip()), n) + 1
        run = [row for unit in groups[n:end] for row in unit]
        whole = _is_whole(run, PAIR if len(heads) == 1 else WHOLE_TEXT) and end - 1 not in heads
        groups[n:end] = [run] if whole and {row[1] for row in run} == {"+"} else groups[n:end]
    return groups


def fenced(rows: Iterable[Line]) -> Iterator[int]:
    """The lines of a document that stand in fences or in a diff that it quotes, by index."""
    inside, quoted = "", False
    for i, _, _, text in rows:
        mark = text.strip()[:3]
        quoted = _QUOTED.match(text) is not None or (quoted and mark > "" and mark not in FENCES)
        if inside or quoted or mark in FENCES:
            yield i
        closes = mark == inside and not text.strip().strip(mark)  # what says a language opens one within it
        if mark in FENCES and (closes or not inside):
            inside = "" if inside else mark


def edit(unit: Unit) -> str:
    """The one word or sign that differs between what is removed and what replaces it, ``' → "``, or ``SPACING``; ""
    for other units."""
    signs = [row[1] for row in unit]
    if signs.count("-") != signs.count("+"):
        return ""
    old, new = ([_TOKEN.findall(row[3]) for row in unit if row[1] == sign] for sign in "-+")
    if list(map(len, old)) != list(map(len, new)):
        return ""
    if old and old == new:
        return SPACING
    changes = {(a, b) for one, other in zip(old, new, strict=True) for a, b in zip(one, other, strict=True) if a != b}
    return " → ".join(*changes) if len(changes) == 1 else ""


def reworded(unit: Unit) -> str:
    """The words, also of names, that stand in the place of others, in lower case: ``tie_rope → tie_chain`` and
    ``RopeKnot → ChainKnot`` are ``rope → chain``; "" where more or less differs."""
    texts = (" ".join(row[3][:LOOK] for row in unit if row[1] == sign) for sign in "-+")
    old, new = ([word.lower() for word in _PART.findall(text)] for text in texts)
    start = len(commonprefix([old, new]))
    end = len(commonprefix([old[start:][::-1], new[start:][::-1]]))
    swapped = old[start : len(old) - end], new[start : len(new) - end]
    few = all(words and len(words) <= FEW_WORDS and all(map(str.isalpha, words)) for words in swapped)
    few = few and all(len(row[3]) <= LOOK for row in unit)  # what differs further on is not read
    before, after = map(" ".join, swapped)
    return f"{before} → {after}" if few and min(len(before), len(after)) >= MIN_WORD else ""


def line_of(unit: Unit) -> str:
    """The one line that is added, else the one that is removed, with its sign: ``+import logging``; "" for others."""
    texts = [text for _, sign, _, text in unit if sign == "+"] or [text for _, sign, _, text in unit if sign]
    line = texts[0].strip() if len(texts) == 1 else ""
    return unit[-1][1] + line if len(line) >= MIN_SAID else ""


def sentence(unit: Unit) -> str:
    """The sentence that stands instead of another, without the names in it; "" for others."""
    text = _CODE.sub("…", unit[-1][3].strip()) if [row[1] for row in unit] == ["-", "+"] else ""
    return f"+{text}" if "…" in text and len(text) >= SENTENCE else ""
