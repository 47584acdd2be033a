"""The records, lines and elements that a request names, read from the whole input: what an outline keeps of it may be
capped, and its rows may lack columns.

A name is looked for by its exact text between word boundaries, in values before keys. What occurs in a large share of
the input names nothing; nor do the arguments' names that together stand in half of it: they were its filter."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import field

from mcpcompact.engine.choice import WHOLE_LINE, anchor, closes, is_heading
from mcpcompact.engine.rendering import labels
from mcpcompact.engine.terms import Asked, Term, spellings
from mcpcompact.outline import FAINT, ROUTINE, Item, Outline, record
from mcpcompact.patterns import regex, uncoloured
from mcpcompact.retrieval.conditions import has_id
from mcpcompact.retrieval.elements import Element, Known, element_at, first_list, leaves
from mcpcompact.retrieval.spans import Buffer, children, drop_space
from mcpcompact.retrieval.units import FASTA, JSON, LINES, NDJSON, TABLE, Unit, alone, buffer_of, kind_of
from mcpcompact.retrieval.units import lines as lines_of
from mcpcompact.retrieval.units import records as records_of
from mcpcompact.shell import Command
from mcpcompact.source import Source, as_utf8

_BEFORE = 64  # characters that a pattern may look back

MAX_SHOWN = 5  # of one name; more are counted
LARGE_SHARE = 0.2  # of all units, and more than are shown: a word in so many names none of them
FILTER_SHARE = 0.5  # of all units, in which one or other of the arguments' names stands: a search pattern, a category
SCARCE = 0.02  # of all lines: a name in so few is no filter, though the others of its pattern are
MAX_OF_ALL = 0.5  # of a document: an object that takes more is the document, not a part of it
FEW = 5  # lines: a plain word in so few of them names them
BODY = 12  # lines of a definition or a section that come along with its first
ENTRY = 60  # lines of one log entry
DIAGRAM = 0.02  # weight: what is fainter, the source of a diagram, answers nothing
LONG = 4_000  # characters of a sequence record from which a part of it answers for it
EVENT = 400  # characters of an event of a session that a word of the request names
MAX_HITS = 2_000  # places of one name in a document of JSON: more name nothing
LONGEST = 1_500  # bytes of an object of JSON that a word of the call may bring along whole
KEY, LOOSE, TOKEN, VALUE, IDENTITY = range(5)
"""How a unit bears a name: as a key, in another case, within a text, as a whole value, as its own id."""

_DEFINES = (
    rb"(?:\b(?:def|class|function|func|fn|fun|struct|interface|trait|enum|type|const|let|var|val|impl|module|namespace"
    rb"|sub|proc|macro|record|object|message|table|view|package)\s+(?:\([^)\n]*\)\s*)?(?:\w+(?:\.|::))?%s\b"
    rb"|^[ \t\d|:\xe2\x86\x92]*%s\s*(?:[:=][^=]|\([^;]*\{\s*$)|\b[\w:<>*&\]\[]+[ \t]+[*&]?%s\s*\([^;=]*\{\s*$"
    rb"|^[ \t]+%s[ \t]*$|^[ \t]*(?:-[^\s,]+,[ \t]*)?--%s(?![\w-])"  # an entry of a manual
    rb"|^\s*#{1,6}[ \t]+%s\s*$|^\s*\[{1,2}[\"']?%s[\"']?\]{1,2}\s*$|^\s*name\s*=\s*\"?%s\"?\s*$)"
)
_OPTION = rb"^[ \t]*(?:-[^\s,]+(?:[ =][^\s,]+)?,[ \t]*)*%s(?![\w-])"
"""Where a manual tells what an option does: it begins the line, or stands behind its short form."""

QUOTED = 16  # characters from what was asked for on, which a part of its line has if it shows it


@record
class Answer:
    """What a request names, as it stands in the input: ``text`` without its place, and the units it takes. ``anchor``
    says where it stands ("#124 "), ``header`` is the line of column names, ``command`` fetches it whole. ``at`` is
    where in ``text`` the name stands: shown where ``text`` is longer than the room. ``first`` to ``last`` are unit
    numbers, 0 where it has none. ``items``: the places of the items that show it, of a text that is read in order."""

    text: str
    anchor: str = ""
    header: str = ""
    command: str = ""
    at: int = 0
    first: int = 0
    last: int = 0
    items: Sequence[int] = ()


@record
class Answers:
    """The answers to one name: ``items``, at most five of ``total``; ``rest`` says the total and how to list them.
    ``number``: their line numbers stand there, wherever they do."""

    items: list[Answer]
    total: int
    rest: str = ""
    number: bool = False

    @property
    def in_order(self) -> bool:
        """Whether they stand among the items rather than above them."""
        return any(answer.items for answer in self.items)

    def exceeds(self, items: Sequence[Item], room: float, count: Callable[[str], int]) -> bool:
        """Whether some of several are not shown: beyond the first five, or for want of room."""
        places = {place for answer in self.items for place in answer.items} if self.total > 1 else set[int]()
        return self.total > len(self.items) or sum(count(items[place].text) for place in places) > room


@record
class _Named:
    """What was seen of one term: how many units bear it in each way, and the best of them."""

    term: Term
    pattern: re.Pattern[bytes]
    value: bytes  # these are compiled when first used: few of them are
    key: bytes
    defines: bytes
    exact: bytes
    forms: list[bytes]  # a text without any of them, in small letters, does not bear the name
    counts: Counter[int] = field(default_factory=Counter)
    best: list[tuple[int, int, Unit]] = field(default_factory=list)  # rank negated, number, unit
    places: set[int] = field(default_factory=set)  # numbers of the first units that bear it

    def add(self, rank: int, unit: Unit) -> None:
        self.counts[rank] += 1
        if len(self.places) <= MAX_HITS:
            self.places.add(unit.number)
        self.best.append((-rank, unit.number, unit))
        if len(self.best) > 4 * MAX_SHOWN:
            self.best = sorted(self.best, key=lambda b: b[:2])[:MAX_SHOWN]

    def at(self, text: str) -> int:
        """Where the name stands in a text, 0 where it does not."""
        match = self.pattern.search(raw := text.encode())
        return len(raw[: match.start()].decode("utf-8", "replace")) if match else 0

    def defined(self) -> tuple[list[Unit], int]:
        """The lines that define it."""
        chosen = [unit for rank, _, unit in sorted(self.best, key=lambda b: b[:2]) if -rank == IDENTITY]
        return chosen[:MAX_SHOWN], self.counts[IDENTITY]

    @property
    def flags(self) -> list[str]:
        """How a search finds the name: in other cases where it stands nowhere as it was written."""
        return ["-i", "-w"] if self.counts.total() == self.counts[LOOSE] > 0 else ["-w"]

    def result(self, total: int, plain: bool) -> tuple[list[Unit], int]:
        """The units it names and how many there are, or none. ``plain``: lines, in which a word is no value."""
        ranks = [IDENTITY, VALUE, TOKEN] if not self.term.whole or plain else [IDENTITY, VALUE]
        most = max(MAX_SHOWN, int(total * LARGE_SHARE))
        if plain and self.term.whole and self.counts[TOKEN] > FEW:
            ranks.remove(TOKEN)
        for tried in (ranks, ranks[:2], ranks[:1], [LOOSE], [KEY]):
            number = sum(self.counts[rank] for rank in tried)
            if 0 < number <= most:
                chosen = sorted((b for b in self.best if -b[0] in tried), key=lambda b: b[:2])
                return [unit for _, _, unit in chosen[:MAX_SHOWN]], number
            if number and tried == [LOOSE]:
                break
        return [], 0


def answers(source: Source, outline: Outline, asked: Asked, wanted: list[Term], get: str) -> list[Answers]:
    """What is ``asked`` for, and of it the terms ``wanted`` that occur in ``source``, the rarest first; each unit once.
    ``get`` is what fetches the input ("mcpcompact results get 3f9c2a1b"), or ""."""
    names = [*asked.names, *asked.values, *asked.words]
    finder = _Finder(as_utf8(source), outline, Command(get))
    groups = finder.lines(asked.lines)
    if wanted:
        results = finder.named(wanted, {term for terms in (*asked.values, *asked.words) for term in terms})
        chosen: list[tuple[Term, Answers]] = []
        strong = False
        # a word of a command names few or none; the value of several records is what they were filtered by
        few = MAX_SHOWN if finder.kind in (LINES, FASTA) or outline.content_type == "json" else 1
        for n, terms in enumerate(names):
            pair = next(((t, results[t]) for t in terms if t in results), None)
            if pair is None or (strong and _phrase(terms)):
                continue
            if n < len(names) - len(asked.words) or pair[1].total <= few:
                chosen.append(pair)
                strong = strong or not _phrase(terms)
        if outline.unit == "line":
            shown = {n for fact in outline.facts if not fact.rank for units in fact.shows for n in units}
            quiet = ROUTINE if outline.content_type == "log" else DIAGRAM
            routine = {item.start for item in outline.items if FAINT < item.weight < quiet}
            for term, group in chosen:
                but = shown if "/" in term.text else shown | routine  # a line with a whole path may be what is meant
                group.items = [answer for answer in group.items if answer.first not in but]
                few = group.total <= len(group.items) and outline.content_type != "log"  # each entry of a log counts
                group.rest = "" if few or _phrase([term]) else group.rest  # chance brings words together
        groups += [a for _, a in sorted(chosen, key=lambda c: c[1].total)]
    groups = _once(groups)
    for group in groups if outline.unit == "line" else ():  # what is asked for of lines stands in its own place
        too_long = len((first := group.items[0]).text) > WHOLE_LINE and not {"\n", "\r"}.intersection(first.text)
        too_long &= not (outline.rendered and outline.blank is not None and first.at < WHOLE_LINE)  # a paragraph
        if too_long and not any(_quotes(item, first) for item in outline.items):
            continue  # a line too long for it stands above all else, as much of it as fits around what was asked for
        for answer in group.items:
            within = [n for n, i in enumerate(outline.items) if answer.first <= i.start and i.end <= answer.last]
            answer.items = within or [n for n, i in enumerate(outline.items) if i.start <= answer.first <= i.end]
    return groups


def _quotes(item: Item, answer: Answer) -> bool:
    """Whether an item shows what was asked for of a long line, below the title that it belongs to, or for others."""
    name = answer.text[answer.at : answer.at + QUOTED]
    cut = item.lead and "…[+" in item.text  # around what was searched for, behind its place
    stands = (cut or (item.whole and (item.section or item.also))) and item.start == item.end == answer.first
    return bool(stands) and name in item.text


def _phrase(terms: list[Term]) -> bool:
    return " " in terms[0].text and not terms[0].whole


def _once(groups: list[Answers]) -> list[Answers]:
    """A text that several names lead to, or that stands in several places, stands under the first."""
    shown: set[str] = set()
    for group in groups:
        group.items = list({a.text: a for a in reversed(group.items) if a.text not in shown}.values())[::-1]
        shown |= {a.text for a in group.items}
    return [group for group in groups if group.items]


def _watch(term: Term) -> _Named:
    """The patterns of a term, which stands alone."""
    core = b"(?:" + b"|".join(map(re.escape, spellings(term.text))) + b")"
    exact = alone(core, term.text[0], term.text[-1])
    quoted = rb'"' + core + rb'"(?!\s*:)'
    bare = rb"(?:(?<=[:,\[])|(?<=[:,]\s))" + core + rb"(?=\s*[,}\]\r\n]|$)"
    return _Named(
        term,
        re.compile(exact, re.IGNORECASE),
        quoted + b"|" + bare,
        rb'"' + core + rb'"\s*:',
        b"(?m:" + (_OPTION if term.text.startswith("--") else _DEFINES).replace(b"%s", core) + b")",
        exact,
        [form.lower() for form in spellings(term.text)],
    )


class _Finder:
    def __init__(self, source: Source, outline: Outline, command: Command) -> None:
        self.source, self.outline, self.command = source, outline, command
        self.content_type = outline.content_type
        self.kind = LINES if outline.unit == "line" else kind_of(source, self.content_type)
        if (self.kind, outline.unit) == (NDJSON, "value") and source.read(0, 1) not in (b"{", b"["):
            self.kind = LINES  # JSON behind text, YAML: a command takes its lines
        self.items, facts = (outline.items, []) if outline.unit != "value" else ([], outline.facts)
        self.stated = " ".join(fact.text for fact in facts if not fact.rank)  # also what stands around JSON
        self.header = ""
        self.defined = set(outline.names.values())

    def lines(self, numbers: list[int]) -> list[Answers]:
        """The lines of these numbers, by the numbers that a view carries where it carries some."""
        if self.outline.unit != "line" or self.content_type == "diff":
            return []
        labels = {anchor(item.text)[0]: item for item in self.outline.items}
        renumbered = any(label.isdigit() and int(label) != item.start for label, item in labels.items())
        groups = []
        for number in numbers:
            item = labels.get(str(number))
            if item is None and renumbered and self.outline.nested:  # it says nothing, or stands elsewhere
                continue
            place = item.start if item else number
            unit = next(lines_of(self.source, place), None) if len(numbers) <= MAX_SHOWN else None
            if unit and unit.raw.strip():
                groups.append(Answers([self._line(unit, item, defines=False)], 1, number=True))
        return groups

    def named(self, terms: list[Term], argued: Set[Term]) -> dict[Term, Answers]:
        """What the terms name; ``argued``, those of the arguments, nothing where they were the filter of all this."""
        watched = [_watch(term) for term in terms]
        if self.kind == JSON and self.content_type == "json":
            return self._elements(watched, argued)
        units = self._search(watched)
        total = max(units, self.outline.total)
        out: dict[Term, Answers] = {}
        results = {w.term: w.result(total, self.kind == LINES) for w in watched}
        filters = {w.term for w in watched if w.term in argued and results[w.term][0]}
        borne = set().union(*(w.places for w in watched if w.term in filters))
        if len(filters) == 1 or len(borne) < (units if self.kind != LINES else total) * FILTER_SHARE:
            filters = set()
        filters -= {w.term for w in watched if self.kind == LINES and results[w.term][1] <= min(FEW, total * SCARCE)}
        for w in watched:
            if w.term in filters:
                results[w.term] = w.defined() if self.kind == LINES else ([], 0)
        places = self._places([w for w in watched if results[w.term][0]])
        for w in watched:
            best, number = results[w.term]
            if best:
                hits = [self._answer(w, unit) for unit in best]
                left = [a for a in hits if not self._told(w, a.text)]
                out[w.term] = self._group(w, left, number, places[w.term])
        if not out and self.kind == JSON:  # in another key than the list
            return self._elements(watched, argued)
        return out

    def _search(self, watched: list[_Named]) -> int:
        """Give each term the units that name it; returns how many units there are."""
        total = 0
        for unit in self._units(watched):
            if unit.number == 0:
                self.header = unit.raw.decode("utf-8", "replace").strip("\r\n")
                continue
            total += 1
            low = unit.raw.lower()
            for w in watched:
                if any(map(low.__contains__, w.forms)) and (rank := self._rank(w, unit)) is not None:
                    w.add(rank, unit)
        return total

    def _units(self, watched: list[_Named]) -> Iterator[Unit]:
        if self.kind != LINES:
            return records_of(self.source, self.content_type)
        if self.outline.rendered:
            return (Unit(item.start, n, item.text.encode()) for n, item in enumerate(self.outline.items))
        needle = re.compile(b"|".join(w.pattern.pattern for w in watched), re.IGNORECASE)
        return lines_of(self.source, needle=needle)

    def _places(self, watched: list[_Named]) -> dict[Term, list[int]]:
        """The numbers of the lines or records that the printed command finds for each name."""
        from mcpcompact.retrieval.selection import Selection, pattern

        chosen = [Selection(grep=w.term.text, word=True, ignore_case="-i" in w.flags) for w in watched]
        wanted = [pattern(each, self.source) for each in chosen]
        needle = re.compile(b"|".join(each.pattern for each in wanted), re.IGNORECASE)
        units = records_of(self.source, self.content_type)
        units = lines_of(self.source, needle=needle) if self.kind == LINES else units
        places: dict[Term, list[int]] = {w.term: [] for w in watched}
        for unit in units if watched else ():
            low = unit.raw.lower()
            for w, each in zip(watched, wanted, strict=True) if unit.number else ():
                plain = w.term.text.isascii() and b"\\" not in low  # it stands there in no other spelling
                if not (plain and not any(map(low.__contains__, w.forms))) and each.search(unit.raw):
                    places[w.term].append(unit.number)
        return places

    def _rank(self, w: _Named, unit: Unit) -> int | None:
        if (match := w.pattern.search(unit.raw)) is None:
            return None
        text = w.term.text
        if self.kind in (TABLE, FASTA):
            cells = [cell.strip() for cell in unit.cells]
            value = unit.value() if self.kind == FASTA else None
            own = value and text in (value["id"], value["description"], *value.get("ids", ()))
            if own or (cells and cells[0] == text):
                return IDENTITY
            if text in cells:
                return VALUE
        elif self.kind in (JSON, NDJSON):
            if re.search(w.value, unit.raw):
                return IDENTITY if has_id(unit.value(), text) else VALUE
            if all(re.compile(w.key).match(unit.raw, m.start() - 1) for m in w.pattern.finditer(unit.raw)):
                return KEY
        elif self._defines(w, unit):
            return IDENTITY
        near = unit.raw[max(0, match.start() - _BEFORE) :]
        return TOKEN if re.search(w.exact, near) else LOOSE

    def _defines(self, w: _Named, unit: Unit) -> bool:
        """Whether a line defines the name: where the outline knows where, no other."""
        if w.term.text in self.defined:
            return self.outline.names.get(unit.number) == w.term.text
        return re.search(w.defines, unit.raw) is not None

    def _group(self, w: _Named, items: list[Answer], total: int, places: list[int] | None = None) -> Answers:
        """``places``: the units that the command finds; None of parts of a document, which no line counts."""
        how, name = self.command("--grep", w.term.text, flags=w.flags), f'"{w.term.text}"'
        more = how or total > len(items) or (self.kind == LINES and total > 1)
        note = f"lines with {name}: {how}" if how else f"{name} stands in more places than are shown"
        if places is not None:
            unit = "line" if self.kind == LINES else "place" if self.outline.unit == "value" else self.outline.unit
            where = how or (labels(self.outline, places) if self.kind == LINES else "")
            verb = "s match" if len(places) > 1 else " matches"
            note = f"{len(places):,} {unit}{verb} {name}" + (f": {where}" if where else "") if places else ""
        return Answers(items, total, note if more else "", not self.outline.rendered)

    def _answer(self, w: _Named, unit: Unit) -> Answer:
        n = unit.number
        if self.kind == LINES:
            if self.outline.rendered:
                return self._item(unit.offset, w)
            answer = self._line(unit, self._item_at(n), self._defines(w, unit))
        elif self.kind == FASTA and len(unit.raw) > LONG and (part := self._part(n, w)) is not None:
            answer = part
        else:
            raw = drop_space(unit.raw) if unit.kind in (JSON, NDJSON) else unit.raw
            text, place = raw.decode("utf-8", "replace").strip("\r\n"), "" if self.kind == FASTA else f"#{n} "
            if self.kind == NDJSON and len(text) > EVENT and (item := self._item_at(n)) and item.whole:
                text, place = item.text[:EVENT] + " …" * (len(item.text) > EVENT), ""  # of a session's event
            answer = Answer(text, place, self.header, self.command("--records", f"{n}:{n}"), first=n, last=n)
        answer.at = w.at(answer.text)
        return answer

    def _told(self, w: _Named, line: str) -> bool:
        """Whether a fact says what bears the name in a line, behind its key if it has one."""
        value = " ".join((line.partition('": ')[2] or line).strip(' ",').split())
        return value in self.stated and w.pattern.search(value.encode()) is not None

    def _part(self, number: int, w: _Named) -> Answer | None:
        """Of a long sequence what the outline says with the name in it: the feature, not the record around it."""
        items = [item for item in self.outline.items if item.start <= number <= item.end]
        item = next((item for item in items if re.search(w.exact, item.text.encode())), None)
        if item is None:
            return None
        return Answer(item.text, "", "", self.command("--records", f"{number}:{number}"), 0, number, number)

    def _item_at(self, number: int) -> Item | None:
        """The outline's item that begins or spreads over a line."""
        return min((i for i in self.items if i.start <= number <= i.end), key=lambda i: i.end - i.start, default=None)

    def _line(self, unit: Unit, item: Item | None, defines: bool) -> Answer:
        """A line with its number; an entry of several lines whole; a definition or a heading with what it opens."""
        first = last = unit.number
        if item is not None and item.end - item.start < ENTRY and not item.flow:
            first, last = item.start, item.end
        label = anchor(item.text)[0] if item is not None else ""
        texts: list[str] = []
        for line in lines_of(self.source, first):
            if line.number > (last if not defines else first + BODY):
                break
            text = uncoloured(line.raw.decode("utf-8", "replace").rstrip("\r\n"))
            if defines and texts and closes(texts[0], text):
                break
            texts.append(text)
        while len(texts) > 1 and not texts[-1].strip():
            texts.pop()
        last = first + len(texts) - 1
        text = "\n".join(texts)
        numbered = label and re.match(rf"[> ]*{re.escape(label)}(?:[→\t:.|│]| [|│])", text)  # a number of its own
        place = "" if numbered else f"{first} "
        span = (first, last) if self.outline.unit != "value" else (0, 0)  # values have numbers of their own
        return Answer(text, place, "", self.command("--lines", f"{first}:{last}"), 0, *span)

    def _item(self, n: int, w: _Named) -> Answer:
        """An item as it is rendered, below the heading of its section."""
        item, items = self.outline.items[n], self.outline.items
        text, last = item.text, item.end
        if is_heading(text):
            for after in items[n + 1 : n + 1 + BODY]:
                if is_heading(after.text):
                    break
                text, last = f"{text}\n{after.text}", after.end
        how = self.command("--lines", f"{item.start}:{last}")
        return Answer(text, "", item.section, how, at=w.at(text), first=item.start, last=last)

    def _elements(self, watched: list[_Named], argued: Set[Term]) -> dict[Term, Answers]:
        """What ``named`` finds in a nested document."""
        buffer = buffer_of(self.source)
        known = Known(buffer)
        pairs = [(w, elements) for w in watched if (elements := self._bearing(buffer, w, w.term in argued, known))]
        argued_for = [each for each in pairs if each[0].term in argued]
        filters = [each for each in argued_for if _most_of_a_list(buffer, each[1])]
        left = [each for each in argued_for if each not in filters]
        if _most_of_a_list(buffer, [e for _, elements in left for e in elements]):
            filters = argued_for
        return {each[0].term: self._shown(buffer, *each) for each in pairs if each not in filters}

    def _bearing(self, buffer: Buffer, w: _Named, argued: bool, known: Known) -> list[Element]:
        """The objects that bear the name as a value; else what stands under it as a key; else what holds it."""
        hits: dict[int, list[int]] = {VALUE: [], KEY: [], TOKEN: []}
        as_key, as_value = re.compile(w.key).match, re.compile(w.value).match
        for match in re.finditer(w.exact, buffer):
            at = match.start()
            if at and as_key(buffer, at - 1):
                kind = KEY
            elif as_value(buffer, at - 1) or as_value(buffer, at):
                kind = VALUE
            else:
                kind = TOKEN
            hits[kind].append(at)
            if sum(map(len, hits.values())) > MAX_HITS:
                return []
        most = max(MAX_SHOWN, int(self.outline.total * LARGE_SHARE))
        for kind in (VALUE, KEY) if w.term.whole else (VALUE, KEY, TOKEN):
            if not 0 < len(hits[kind]) <= most:
                continue
            nodes = {e.start: e for at in hits[kind] if (e := element_at(buffer, at, known))}
            longest = min(len(buffer) * MAX_OF_ALL, LONGEST if argued else len(buffer))
            if argued and any(e.end - start > longest and e.has_id(w.term.text) for start, e in nodes.items()):
                return []  # too long to be told whole; a copy of it elsewhere is not what is asked for
            nodes = {start: e for start, e in nodes.items() if e.end - start <= longest}
            column = kind == KEY and len(nodes) > 1 and len({_INDEX.sub("[]", e.path) for e in nodes.values()}) == 1
            part = argued and kind == TOKEN and len(nodes) > 1  # of several texts: an owner in every address
            if nodes and not column and not part:
                return sorted(nodes.values(), key=lambda e: (not e.has_id(w.term.text), e.start))
        return []

    def _shown(self, buffer: Buffer, w: _Named, elements: list[Element]) -> Answers:
        hits = [self._element(w, e) for e in elements[:MAX_SHOWN]]
        for element, answer in zip(elements, hits, strict=False) if self.outline.unit == "value" else ():
            answer.first = leaves(buffer, 0, element.start) + 1
            answer.last = answer.first + leaves(buffer, element.start, element.end) - 1
        return self._group(w, hits, len(elements))

    def _element(self, w: _Named, element: Element) -> Answer:
        text, path = drop_space(element.raw).decode("utf-8", "replace"), element.path
        return Answer(text, f"{path}: ", "", self.command("--path", path), at=w.at(text))


def _most_of_a_list(buffer: Buffer, elements: list[Element]) -> bool:
    """Whether the elements are, or lie in, half of those of the list around them, or more."""
    start = first_list(buffer, elements[0].start) if len(elements) > 1 else None
    if start is None:
        return False
    bounds = [(left, right) for _, left, right in children(buffer, start)]
    borne = sum(any(left <= e.start < right for e in elements) for left, right in bounds)
    return borne >= len(bounds) * FILTER_SHARE


_INDEX = regex(r"\[\d+\]")
