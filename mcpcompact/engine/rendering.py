"""From what was chosen to text: facts, then items in source order, each gap stated."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate, groupby, pairwise

from mcpcompact.engine.choice import GAPS_FROM, State, anchor, ends, new_lead
from mcpcompact.engine.cutting import Spans, gaps, merged, shortened
from mcpcompact.outline import NOUNS, ROW, RULE, Item, Outline, Reach, Series
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, each_place

Units = Callable[[str], tuple[int, int]]  # ``numbers`` of this outline
BLANK = 3  # lines: so many, blank or brackets alone, between two are shown rather than numbered away
UNMARKED = 7  # level of a heading that only its words make one
CHARACTERS = 3  # of a token of names and numbers
LIKE = 6  # items that are named as like another
BREAK = "@@"  # where another hunk of a diff begins
PLACED = 12  # lines that are told by their numbers, where no command brings them
_SAYS, _CHANGE = regex(r"\w"), regex(r"(?:\d+ )?[-+]")
_MARKED = regex(r"…(?:\[(?!\+[\d,]+ chars)[^\]]*\])?$")  # a cut text says nothing of what stands behind it
_FENCE = regex(r"[>\s]{0,12}(`{3,}|~{3,})")
_HEADING = regex(r"^((?:@?\d+(?:-\d+)? )?)(#{1,6}) ")


def render(outline: Outline, lines: list[str], state: State) -> str:
    """The body of a summary: ``lines`` (facts, answers), then items in source order, each gap stated."""
    chosen = state.chosen
    if state.header and not all(outline.items[i].mere for i in chosen):  # a row
        lines.append(outline.header)
    page, above = _Page(lines, outline), len(lines)
    state.printed = page.printed
    partly = _partly(outline, chosen, state.answered) if state.budget >= GAPS_FROM else {}
    rows = _rows_left(outline.items, state) if state.budget >= GAPS_FROM else {}
    empty = _empty(outline, chosen.keys() | state.taken)
    order, skipped = _followed(outline, sorted(chosen.keys() - {*empty})), _skipped(outline, state)
    units = partial(numbers, shift=outline.shift)
    heads = _Heads([outline.items[i] for i in order], units)
    stands = ""  # the last item, without what is added to it
    for i, after in zip(order, [*order[1:], None], strict=False):
        item = outline.items[i]
        lines += skipped.get(i, [])
        leads = heads.above(item)
        for lead in _wrapped(leads, units) if [stands] != leads else ():  # it stands there already, as an item
            page.put(lead + partly.pop(lead, ""), *units(lead))
        if not outline.anchored and item.start > page.last + 1:
            lines += gaps(outline.unit, page.last + 1, item.start - 1, state.answered)
        text, end, spans = item.text, len(item.text), chosen[i]
        if spans != [(0, end)]:
            following = outline.total + 1 if after is None else heads.behind(item, outline.items[after])
            spans = merged([*([(0, item.lead)] if item.lead else []), *spans], item.text)
            text, end = _partial(outline, item, spans, _below(outline, range(item.end + 1, following)))
        page.printed += _stands(item, spans, units)
        text = (_suffixed(text, state, i, outline.items) if i in state.suffix else text) + partly.pop(item.text, "")
        text += rows.get(i, "")
        page.whole &= i not in state.numbered
        if change := item.flow == "lines" and not item.text.startswith(BREAK):
            begins = max(page.last, page.ends[bisect_left(page.ends, item.start) - 1])
            parted = outline.breaks[bisect_left(outline.breaks, begins) : bisect_left(outline.breaks, item.start)]
            gap = bool(parted) and not page.changes.isdisjoint(range(parted[0 if leads else -1], item.start))
            stated = lines[-1].startswith(BREAK) or not (gap or (parted and not leads))
            lines += [] if stated else [BREAK + " …" * gap]
        page.put(text, item.start, item.end, whole=end == len(item.text), change=change)
        stands = item.text if end == len(item.text) else ""
        page.further.update(item.also)
    if (outline.nested or page.document) and lines:
        page.close(outline.total + 1)
        page.leave(outline.total + 1)
    if not outline.anchored and chosen and page.last < outline.total:
        lines += gaps(outline.unit, page.last + 1, outline.total, state.answered)
    lines += skipped.get(len(outline.items), [])
    lines[above:above] = _indexed(outline, state, heads.led, empty) + _names(outline, state)
    return "\n".join(lines)


def _wrapped(leads: Iterable[str], units: Units) -> list[str]:
    """The lines of what leads to an item, those of one text ("12-13 Pass it …") together."""
    texts: list[str] = []
    for line in leads:
        first, last = units(texts[-1]) if texts else (0, 0)
        if texts and not units(line)[0] and texts[-1].count("\n") < last - first:
            texts[-1] += f"\n{line}"
        else:
            texts.append(line)
    return texts


def _followed(outline: Outline, order: list[int]) -> list[int]:
    """The items but for first lines of hunks right behind which nothing of these is shown."""
    items = outline.items
    begins = {i for i in order if items[i].text.startswith(BREAK) and items[i].flow == "lines"}
    ends = {i for i, k in pairwise(order) if k in begins or items[k].section != items[i].section} | {*order[-1:]}
    return [i for i in order if i not in begins & ends]


def _below(outline: Outline, behind: range) -> int:
    """How many lines right ``behind`` an item are not shown: of a document up to one that is blank or parts it."""
    ends = outline.blank or behind
    parts = () if outline.nested else {unit for unit in behind if outline.closing.get(unit)}
    last = (n for n, unit in enumerate(behind) if outline.rendered and (unit in ends or unit in parts))
    return next(last, len(behind)) if outline.anchored and outline.unit == "line" else 0


def _stands(item: Item, spans: Spans, units: Units) -> Spans:
    """The units of an item of which anything stands in the chosen spans, first to last; none of a mere text of one."""
    if item.mere:
        return []
    text, stands = item.text, [(n, n) for n in item.also]
    if spans == [(0, len(text))]:
        lines = text.split("\n")
        own = [units(line)[0] for line in lines] if 1 < len(lines) <= item.end - item.start else []
        if own and all(own):
            return stands + [(n, n) for n in own]
        return [*stands, (item.start, item.start if item.also and len(lines) == 1 else item.end)]
    stands = []
    for start, end in spans:  # a unit a line: what is left out between is not shown
        part = text[start:end].strip("\n")
        first = item.start + text.count("\n", 0, text.find(part, start))
        stands.append((min(item.end, first), min(item.end, first + part.count("\n"))))
    return stands


def _partial(outline: Outline, item: Item, spans: Spans, below: int) -> tuple[str, int]:
    """The text of an item of which ``spans`` are shown, and up to where it stands there."""
    begin, end = anchor(item.text)[1] if outline.anchored else 0, spans[-1][1]
    begin = begin if spans[0][0] >= begin else 0
    if outline.in_order and item.part[0] and end < len(item.text):
        return f"{item.text[:end].rstrip()} …", end  # what follows is in part our own
    first, last = item.start + outline.shift, item.end + outline.shift
    text, number = item.text[:begin] + shortened(item.text, spans, begin, below), f"{first}-{last} "
    return f"{first} {text.removeprefix(number)}" if below and text.startswith(number) else text, end


class _Heads:
    """The lines that lead to what is shown (``led``): each once, however many items stand below it, and of a text that
    flows where it stands in the source."""

    def __init__(self, shown: Sequence[Item], units: Units) -> None:
        self.led: set[str] = set()
        self._units = units
        self._section = ""
        flowing = [item.section for item in shown if item.flow]
        self._ahead = deque(
            sorted({(self._units(line)[0], line) for section in flowing for line in section.split("\n")})
        )

    def above(self, item: Item) -> list[str]:
        """The lines that stand above the next item."""
        leads: list[str] = []
        if not (item.section or item.flow or self._ahead):
            self._section = ""
            return leads
        if item.section not in ("", self._section) and not self._section.startswith(f"{item.section}\n"):
            leads = new_lead(item, self.led)
        early: list[str] = []  # what led to nothing so far stands in its place all the same
        while self._ahead and self._ahead[0][0] < item.start:
            n, line = self._ahead.popleft()
            if n and line not in self.led and line not in leads:
                early.append(line)
        if early:
            leads = sorted(early + leads, key=lambda line: self._units(line)[0])
        self._section = item.section
        self.led.update(leads, item.text.split("\n") if item.flow else ())
        return leads

    def behind(self, item: Item, after: Item) -> int:
        """The line that is shown next: that of the next item, or of what leads to it or stands in its place."""
        ahead = next((n for n, line in self._ahead if n > item.end and line not in self.led), after.start)
        leads = [n for line in after.section.split("\n") if (n := self._units(line)[0]) > item.end]
        return min(ahead, after.start, *leads)


def _skipped(outline: Outline, state: State) -> dict[int, list[str]]:
    """Of items in order how many are left out before each one that is shown, and behind the last."""
    notes, gone, behind = dict[int, list[str]](), list[Item](), 0
    told_gaps = outline.in_order and state.budget >= GAPS_FROM
    ordered = [i for i, item in enumerate(outline.items) if told_gaps and item.part[0] and item.flow]
    routine = [item for k, item in enumerate(outline.items) if item.part[0] and not item.flow and k not in state.chosen]
    for i in [*ordered, len(outline.items)] if ordered else ():
        item = outline.items[i] if i < len(outline.items) else None
        if item is not None and not (i in state.chosen or i in state.taken or item.text in state.sections):
            gone.append(item)
            continue
        if gone:
            last = item.start - 1 if item is not None else outline.total
            within = [one for one in routine if behind < one.start <= last]
            if item is None:  # what was printed behind the last one is of another kind
                other = (one.start for one in outline.items if not (one.part[0] or one.section))
                last = min([start for start in other if start > gone[-1].start], default=last + 1) - 1
            first, left = min(one.start for one in gone + within), sum(one.part[1] for one in gone)
            lines = f"line {last}" if first == last else f"lines {first}–{last}"
            more = f" and {counted(len(within), 'routine one')}" if within else ""
            notes[i] = [f"… [{counted(left, outline.in_order)}{more} not listed here, {lines}]"]
        gone, behind = [], item.end if item is not None else behind
    return notes


def _partly(outline: Outline, chosen: Mapping[int, Spans], answered: Mapping[int, int]) -> dict[str, str]:
    """Of lists and tables that are shown in part how many entries are, by the text of the last of these; what they are
    called is said once, and of a few lines which ones are left out."""
    shown: dict[Series, list[str]] = {}
    left: dict[Series, list[int]] = {}
    leading = {line for i in chosen for line in outline.items[i].section.split("\n")}
    for i, item in enumerate(outline.items):
        listed = item.series and not item.series.noun.startswith(ROW)
        if item.series and listed and (i in chosen or leading.issuperset(item.text.split("\n"))):
            shown.setdefault(item.series, []).append(item.text)
        elif item.series in shown and item.start not in answered:
            left.setdefault(item.series, []).append(item.start)
    parts = [(series, texts) for series, texts in shown.items() if len(texts) < series.total]
    called = {of.noun: of for of, _ in reversed(parts)}
    return {
        texts[-1]: f" …[{len(texts):,} of {counted(of.total, of.noun) if called[of.noun] is of else f'{of.total:,}'}"
        f"{_without(left.get(of, []), of.total - len(texts)) if outline.in_order else ''}]"
        for of, texts in parts
    }


def _without(lines: Sequence[int], left: int) -> str:
    """Which lines are left out, where they are few and these are all."""
    return f", not line {', '.join(map(str, lines))}" if len(lines) == left <= NAMED_LEFT else ""


NAMED_LEFT = 2  # lines


def _rows_left(items: Sequence[Item], state: State) -> dict[int, str]:
    """Behind the last shown row of each table how many others there are, the first and the last; none where one row
    may not be known."""
    tables: dict[Series, list[tuple[int, list[str]]]] = {}
    for i, item in enumerate(items):
        if item.series and item.series.noun.startswith(ROW):
            labels = each_place(item.text.partition("|")[0]) if item.section else [item.text]
            tables.setdefault(item.series, []).append((i, labels))
    notes: dict[int, str] = {}
    for of, rows in tables.items():
        left = [(i, labels) for i, labels in rows if i not in state.chosen and i not in state.taken]
        shown = [i for i, _ in rows if i in state.chosen and items[i].section]
        if left and shown and sum(len(labels) for _, labels in rows) == of.total:
            first = min(left, key=lambda row: items[row[0]].start)[1][0]
            last = max(left, key=lambda row: max(items[row[0]].also, default=items[row[0]].end))[1][-1]
            more = sum(len(labels) for _, labels in left)
            differ = {items[i].text.partition("|")[2] if items[i].section else i for i, _ in left}
            distinct = f" ({len(differ):,} distinct)" if len(differ) < more else ""
            notes[shown[-1]] = f"\n… {counted(more, 'more row')}{distinct}{ends(first, last)}"
    return notes


def _suffixed(text: str, state: State, i: int, items: Sequence[Item]) -> str:
    """Why an item is kept, behind it; how many are like it behind its first line, but those that are shown."""
    suffix, (fold, like) = state.suffix.get(i, ""), state.like.get(i, ("", []))
    if not fold or not suffix.endswith(fold):
        return text + suffix
    first, line, rest = f"{text}{suffix.removesuffix(fold)}".partition("\n")
    left = [j for j in like if j not in state.chosen]
    if 0 < len(left) < len(like):
        fold = folded(items, left, named=": " in fold, rest=True)
    return f"{first}{fold if left else ''}{line}{rest}"


def folded(items: Sequence[Item], like: Sequence[int], *, named: bool = True, rest: bool = False) -> str:
    """How many are like an item, and the first of them: the path where the text begins with one, else the number;
    ``rest``: but those that are shown."""
    held = [(item.text.partition(": ")[0], item) for item in (items[j] for j in like[:LIKE])]
    paths = [(path.partition(" (")[0] if item.lead == len(path) + 2 else path, item) for path, item in held]
    anchors = [  # a value of JSON has no number
        path if " " not in path and (path.endswith("]") or item.lead > len(path)) else _number(item)
        for path, item in paths
    ]
    where = f": {', '.join(anchors)}{', …' if len(like) > LIKE else ''}" if named else ""
    how = "of its rule" if items[like[0]].template.startswith(RULE) else "more like it" if rest else "like it"
    return f" (+{len(like):,} {how}{where})"


def _number(item: Item) -> str:
    """The number by which the body tells an item: of a view that of the file; of a diff, whose files have others each,
    that of its line."""
    number = anchor(item.text)[0]
    return number if number.isdecimal() else str(item.start)


def _empty(outline: Outline, shown: Container[int]) -> list[int]:
    """The headings of a document below which nothing is shown: they say more beside each other."""
    marks = {i: _HEADING.match(item.text) for i, item in enumerate(outline.items) if item.part[0] == "headings"}
    levels = [*((i, len(mark[2]) if mark else UNMARKED) for i, mark in marks.items()), (len(outline.items), 0)]
    ends = {i: next(j for j, other in levels[n:] if other <= level) for n, (i, level) in enumerate(levels[:-1], 1)}
    return [
        i for i, end in ends.items() if i + 1 < end and not any(k in shown and k not in marks for k in range(i, end))
    ]


def _indexed(outline: Outline, state: State, led: Container[str], empty: Sequence[int]) -> list[str]:
    """Which sections are not shown, or only their headings, as far as these are chosen; else how many headings are."""
    items, chosen = outline.items, state.chosen
    texts = {i: _HEADING.sub(r"\1", items[i].text) for i in empty}
    upper = sorted(empty, key=lambda i: (i not in chosen, -items[i].weight, len(texts[i])))  # as many as have room
    ends = accumulate((i not in chosen) * (len(texts[i]) + len(" · ")) for i in upper)
    named = sorted(upper[: sum(end <= state.index * CHARACTERS for end in ends)])
    if titles := [texts[i] for i in named]:
        left = len(empty) - len(titles)
        return [f"Sections not shown: {' · '.join(titles)}{f' · … {left:,} more' if left else ''}"]
    index = [i in chosen or item.text in led for i, item in enumerate(items) if item.part[0] == "headings"]
    return [f"Headings: {sum(index)} of {len(index)} shown"] * (not all(index))


def _names(outline: Outline, state: State) -> list[str]:
    """Of definitions that are not shown the names, each with its line, as many as there is room for."""
    shown = {outline.items[i].start for i in state.chosen}
    numbers = {item.start: anchor(item.text)[0] for item in outline.items if item.start in outline.names}
    missing = [line for line in outline.names if line not in shown and line in numbers]
    names = {line: f"{numbers[line]} {outline.names[line]}" for line in missing}
    ends = accumulate(len(names[line]) + len(", ") for line in missing)
    fit = sum(end <= state.index * CHARACTERS for end in ends)
    fit += len(missing) - fit == 1  # its name says more than that there is one
    rest = sorted(missing[fit:])
    places = [numbers[line] for line in rest]
    more = f", {len(rest):,} more in lines {places[0]}–{places[-1]}" if len(rest) > 1 else ""
    kinds = {item.part[0] if item.part[0] in NOUNS else "definitions" for item in outline.items if item.start in names}
    noun = " and ".join(sorted(kinds)).replace("heads of ", "")
    return [f"further {noun}: {', '.join(names[line] for line in sorted(missing[:fit]))}{more}"] if fit else []


class _Page:
    """Lines as they go on: one that stands right below the last, or behind blank lines, needs no number of its own. Of
    source what stands behind a number, or without one, is the original's, character by character: it can be copied."""

    def __init__(self, lines: list[str], outline: Outline) -> None:
        self.lines, self.outline, self.blank = lines, outline, outline.blank
        self.columns = outline.nested
        self.document = bool(outline.closing) and not outline.nested
        self.margin = 0  # of a page, where what has no number begins in the column of what has one
        self.printed: Spans = []  # units, first to last
        self.signed = ("", 0)  # sign and number that a line would have that follows
        self.last = self.number = self.at = 0  # unit that is shown, the number that it has, its place in the text
        self.whole = False  # whether the last line is shown whole
        hunks = [item for item in outline.items if self.columns and item.flow == "lines"]
        rows = [item for item in hunks if _SAYS.search(item.text, anchor(item.text)[1])]
        self.changes = self._units(item for item in rows if _CHANGE.match(item.text))
        self.says = self._units(rows) if rows else {unit for unit, text in outline.closing.items() if not text}
        files = groupby(hunks if self.changes else (), key=lambda item: item.section)
        self.ends = [0, *(max(item.end for item in file) for _, file in files)]  # the last unit of each file of a diff
        self.spoken = self._units(item for item in outline.items if self.columns and item.flow == "sentences")
        self.further = set[int]()  # units that stand in an item further up
        self.fences, self.fenced = _fences(outline), 0  # closing by opening lines; where the last shown one is closed

    def _units(self, items: Iterable[Item]) -> set[int]:
        return {unit for item in items for unit in (*range(item.start, item.end + 1), *item.also)}

    def put(self, text: str, start: int, end: int, whole: bool = True, change: bool = False) -> None:
        number, width = anchor(text)
        first, last = _range(number)
        own = self.columns and anchor(text[width:])[0]  # would be read as its number
        if (goes_on := self._goes_on(start)) and not own and self._counts_on(number, start, end):
            closing = (self.outline.closing.get(unit, "") for unit in range(self.last + 1, start))
            self.lines += closing
            self.printed.append((self.last + 1, start - 1))
            text = self._bare(text, width)
        elif self.columns:
            if not goes_on:
                self.leave(start)
            self.margin = width
        elif not goes_on and self.document:
            self.close(start)
            self.leave(start)
        if self.columns and self.blank is None:
            text = self._signed(text) if change else text
            self.signed = self.signed if change else ("", 0)
        several = first and self.blank is not None and text.count("\n") == end - start > 0
        if several and text.startswith(f"{number} "):
            text = f"{first} {text.removeprefix(f'{number} ')}"  # lines that follow it have no number
        self.at = self.at if start <= 0 else len(self.lines)
        opened = map(self.fences.get, range(self.last + 1 if goes_on else start, end + 1))
        self.fenced = max(filter(None, opened), default=self.fenced)
        self.lines.append(text)
        self.number = max(last, first + end - start)
        self.last, self.whole = max(self.last, end), whole and end >= start > 0 and (first > 0 or not self.columns)

    def _goes_on(self, start: int) -> bool:
        """Whether at most a few lines stand between the last line and one at ``start``, blank or closing something."""
        if self.blank is None or not self.whole or start <= self.last or start - self.last - 1 > BLANK:
            return False
        return all(unit in self.blank or self.outline.closing.get(unit) for unit in range(self.last + 1, start))

    def _counts_on(self, number: str, start: int, end: int) -> bool:
        """Whether the number of a text is the one that a reader would give it by counting on from the last."""
        if self.columns:
            return number.isdecimal() and int(number) - self.number == start - self.last
        first, last = start + self.outline.shift, end + self.outline.shift
        return number in (str(first), f"{first}-{last}")

    def _bare(self, text: str, width: int) -> str:
        """An item without its number, of a page in the column of those above it, which may have a shorter one."""
        if not self.columns or self.outline.closing:
            return text[width:]
        margin = " " * self.margin
        first, *further = text[width:].split("\n")
        lines = (margin + line[width:] if not line[:width].strip() else line for line in further)
        return "\n".join([margin + first, *lines])

    def close(self, start: int) -> None:
        """Below a fence that is open where another text begins what closes it: else that would read as code."""
        if self.last < self.fenced < start:
            self.leave(self.fenced)
            self.at = len(self.lines)
            self.lines.append(self.outline.closing[self.fenced])
            self.printed.append((self.fenced, self.fenced))
            self.last = self.fenced

    def leave(self, start: int) -> None:
        """Mark the last line where lines that say something are left out before ``start``: of source any up to where
        another file begins, of a message above a diff any, of a hunk any before the next line that is shown of it, else
        changed ones up to the next file; of others the last ones of the list that it is of."""
        breaks, blank, source = self.outline.breaks, self.blank or (), self.outline.closing
        behind = breaks[at] if (at := bisect_right(breaks, self.last)) < len(breaks) else self.outline.total + 1
        end = self.ends[bisect_left(self.ends, self.last)] + 1 if self.ends[-1] and self.last in self.says else behind
        own = self.last in source if source else self.last > 0  # no line of a tool
        between = range(self.last + 1, min(start, end)) if own else range(0)
        shown = self.lines[self.at] if self.lines else ""
        goes_on = start < min(end, behind) and not shown.startswith(BREAK)
        if says := self.says if goes_on else self.changes or self.says:
            left = any(unit in says and unit not in self.further for unit in between)
        else:
            unit = next((unit for unit in between if unit not in blank), start)
            last, fields = self.outline.reach.get(self.last, Reach(0))
            left = unit <= last and (unit if fields else last) < start
        left = left or (self.last in self.spoken and not self.spoken.isdisjoint(between))
        if left and not _MARKED.search(shown):
            self.lines[self.at] += " …"

    def _signed(self, text: str) -> str:
        """Lines of a change that follow each other on one side: the first has a number."""
        lines = []
        for line in text.split("\n"):
            sign, number = line[:1], anchor(line)[0]
            digits = number[1:] if sign in "+-" else ""
            follows = digits.isdecimal() and self.signed == (sign, int(digits))
            lines.append(sign + line[len(number) + 1 :] if follows else line)
            self.signed = (sign, int(digits) + 1) if digits.isdecimal() else ("", 0)
        return "\n".join(lines)


def _fences(outline: Outline) -> dict[int, int]:
    """Of a document the closing line of each fence by the opening one."""
    pairs, opened, fence = dict[int, int](), 0, ""
    for unit, text in () if outline.nested else outline.closing.items():
        mark = _FENCE.match(text) if text else None
        if mark and not opened:
            opened, fence = unit, mark[1]
        elif mark and text.strip(" >") == mark[1] and mark[1].startswith(fence):
            pairs[opened], opened = unit, 0
    return pairs


def numbers(text: str, shift: int) -> tuple[int, int]:
    """The units that a text says it is, by the numbers ``12`` or ``12-15``; none are (0, 0)."""
    first, last = _range(anchor(text)[0])
    return (first - shift, last - shift) if first else (0, 0)


def labels(outline: Outline, places: Sequence[int]) -> str:
    """A few lines by the numbers that the body gives them, where it has one numbering."""
    shown = [(anchor(item.text)[0].partition("-")[0], item.start) for item in outline.items]
    shifts = {int(number) - start for number, start in shown if number.isdecimal()} or {0}
    one = len(shifts) == 1 and len(places) <= PLACED and outline.content_type != "diff"
    return ", ".join(str(n + min(shifts)) for n in places) if one else ""


def _range(number: str) -> tuple[int, int]:
    if number.isdecimal():
        return int(number), int(number)
    first, _, last = number.partition("-")
    return (int(first), int(last or first)) if first.isdecimal() and (last or first).isdecimal() else (0, 0)
