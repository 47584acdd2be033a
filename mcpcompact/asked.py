"""The records, lines and elements that a request names, read from the whole input: what an outline keeps of it may be
capped, and its rows may lack columns.

A name is looked for by its exact text between word boundaries, in values before keys. What occurs in a large share of
the input names nothing.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from mcpcompact.choice import Answer, Answers
from mcpcompact.outline import Hints, Item, Outline, Source
from mcpcompact.pieces import anchor
from mcpcompact.retrieval.conditions import has_id
from mcpcompact.retrieval.elements import Element, element_at, leaves
from mcpcompact.retrieval.spans import drop_space
from mcpcompact.retrieval.units import FASTA, JSON, LINES, NDJSON, TABLE, Unit, as_utf8, buffer_of, kind_of
from mcpcompact.retrieval.units import lines as lines_of
from mcpcompact.retrieval.units import records as records_of
from mcpcompact.shell import command, words
from mcpcompact.slotted import dataclass, field
from mcpcompact.terms import Term, asked_for

MAX_SHOWN = 5  # of one name; more are counted
LARGE_SHARE = 0.2  # of all units, and more than are shown: a word in so many names none of them
FEW = 5  # lines: a plain word in so few of them names them
BODY = 12  # lines of a definition or a section that come along with its first
ENTRY = 60  # lines of one log entry
LONG = 4_000  # characters of a sequence record from which a part of it answers for it
MAX_HITS = 2_000  # places of one name in a document of JSON: more name nothing

KEY, LOOSE, TOKEN, VALUE, IDENTITY = range(5)
"""How a unit bears a name: as a key, in another case, within a text, as a whole value, as its own id."""

_DEFINES = (
    rb"(?:\b(?:def|class|function|func|fn|fun|struct|interface|trait|enum|type|const|let|var|val|impl|module|namespace"
    rb"|sub|proc|macro|record|object|message|table|view|package)\s+(?:\([^)\n]*\)\s*)?(?:\w+(?:\.|::))?%s\b"
    rb"|^[ \t\d|:\xe2\x86\x92]*%s\s*(?:[:=][^=]|\([^;]*\{\s*$)|\b[\w:<>*&\]\[]+[ \t]+[*&]?%s\s*\([^;=]*\{\s*$"
    rb"|^\s*#{1,6}[ \t]+%s\s*$)"
)


class Command(NamedTuple):
    """How the reader fetches a part: the command's beginning, "" where it has none."""

    start: str

    def __call__(self, *selector: str) -> str:
        more = words(selector)
        return f"{self.start} {command(*more)}" if self.start and more else ""


@dataclass(slots=True)
class _Named:
    """What was seen of one term: how many units bear it in each way, and the best of them."""

    term: Term
    found: re.Pattern[bytes]
    value: bytes  # these are compiled when first used: few of them are
    key: bytes
    defines: bytes
    exact: bytes
    counts: Counter[int] = field(default_factory=Counter)
    best: list[tuple[int, int, Unit]] = field(default_factory=list)  # rank negated, number, unit

    def add(self, rank: int, unit: Unit) -> None:
        self.counts[rank] += 1
        self.best.append((-rank, unit.number, unit))
        if len(self.best) > 4 * MAX_SHOWN:
            self.best = sorted(self.best, key=lambda b: b[:2])[:MAX_SHOWN]

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


def answers(source: Source, outline: Outline, hints: Hints, source_name: str, get: str) -> list[Answers]:
    """What the call's arguments and the focus name in ``source``, the rarest name first; each unit once.

    ``source_name`` is the name of the input, ``get`` what fetches it ("mcpcompact results get 3f9c2a1b"), or "".
    """
    asked = asked_for(hints.arguments, hints.focus, source_name)
    if not asked.names and not asked.lines:
        return []
    source = as_utf8(source)
    wanted = _present(source, [term for terms in asked.names for term in terms])
    finder = _Finder(source, outline, Command(get))
    made = finder.lines(asked.lines)
    if wanted:
        results = finder.named(wanted)
        chosen: list[tuple[Term, Answers]] = []
        strong = False
        for terms in asked.names:
            found = next(((t, results[t]) for t in terms if t in results), None)
            if found and (not strong or not _phrase(terms)):
                chosen.append(found)
                strong = strong or not _phrase(terms)
        made += [a for _, a in sorted(chosen, key=lambda c: c[1].total)]
    return _once(made)


def _phrase(terms: list[Term]) -> bool:
    return " " in terms[0].text and not terms[0].whole


def _once(made: list[Answers]) -> list[Answers]:
    """A unit that several names lead to stands under the first."""
    shown: set[tuple[str, str]] = set()
    for group in made:
        group.items = [a for a in group.items if (a.anchor, a.text) not in shown]
        shown |= {(a.anchor, a.text) for a in group.items}
    return [group for group in made if group.items]


def _spellings(text: str) -> list[bytes]:
    """As it stands, and as JSON escapes it."""
    forms = (text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1])
    return list(dict.fromkeys(form.encode("utf-8", "surrogatepass") for form in forms))


def _present(source: Source, terms: list[Term]) -> list[Term]:
    """The terms whose letters occur anywhere, in any case: most requests name nothing of most results."""
    left = {term: [form.lower() for form in _spellings(term.text)] for term in dict.fromkeys(terms)}
    found: dict[Term, None] = {}
    for block in source.blocks() if left else ():
        low = block.lower()
        for term in [term for term, forms in left.items() if any(form in low for form in forms)]:
            found[term] = None
            del left[term]
        if not left:
            break
    return list(found)


def _watch(term: Term) -> _Named:
    """The patterns of a term. An edge of letters or digits must be the edge of a word, of an id or of a number."""
    core = b"(?:" + b"|".join(map(re.escape, _spellings(term.text))) + b")"
    edge = re.compile(r"[A-Za-z0-9_]")
    before = rb"(?:(?<![\w\x80-\xff-])(?<!\d\.)|(?<=\\[nrtb]))" if edge.match(term.text[0]) else b""
    after = rb"(?![\w\x80-\xff])(?!-\w)(?!\.\w)" if edge.match(term.text[-1]) else b""
    quoted = rb'"' + core + rb'"(?!\s*:)'
    bare = rb"(?:(?<=[:,\[])|(?<=[:,]\s))" + core + rb"(?=\s*[,}\]\r\n]|$)"
    return _Named(
        term,
        re.compile(before + core + after, re.IGNORECASE),
        quoted + b"|" + bare,
        rb'"' + core + rb'"\s*:',
        b"(?m:" + _DEFINES.replace(b"%s", core) + b")",
        before + core + after,
    )


class _Finder:
    def __init__(self, source: Source, outline: Outline, command: Command) -> None:
        self.source, self.outline, self.command = source, outline, command
        self.content_type = outline.content_type
        self.kind = LINES if outline.unit == "line" else kind_of(source, self.content_type)
        self.header = ""

    def lines(self, numbers: list[int]) -> list[Answers]:
        """The lines of these numbers, by the numbers that a view carries where it carries some."""
        if self.outline.unit != "line" or self.content_type not in ("code", "text", "log", "markup"):
            return []
        labels = {anchor(item.text)[0]: item for item in self.outline.items}
        made = []
        for number in numbers:
            item = labels.get(str(number))
            place = item.start if item else number
            if len(numbers) <= MAX_SHOWN and (unit := next(lines_of(self.source, place), None)):
                made.append(Answers([self._line(unit, item, defines=False)], 1))
        return made

    def named(self, terms: list[Term]) -> dict[Term, Answers]:
        watched = [_watch(term) for term in terms]
        if self.kind == JSON and self.content_type == "json":
            return {w.term: made for w in watched if (made := self._elements(w))}
        total = 0
        for unit in self._units(watched):
            if unit.number == 0:
                self.header = unit.raw.decode("utf-8", "replace").strip("\r\n")
                continue
            total += 1
            for w in watched:
                if (rank := self._rank(w, unit)) is not None:
                    w.add(rank, unit)
        total = max(total, self.outline.total)
        out: dict[Term, Answers] = {}
        for w in watched:
            units, number = w.result(total, self.kind == LINES)
            if units:
                out[w.term] = self._group(w, [self._answer(w, unit) for unit in units], number)
        if not out and self.kind == JSON:  # beside the list
            return {w.term: made for w in watched if (made := self._elements(w))}
        return out

    def _units(self, watched: list[_Named]) -> Iterator[Unit]:
        if self.kind != LINES:
            return records_of(self.source, self.content_type)
        if self.content_type == "markup":
            return (Unit(item.start, n, item.text.encode()) for n, item in enumerate(self.outline.items))
        needle = re.compile(b"|".join(w.found.pattern for w in watched), re.IGNORECASE)
        return lines_of(self.source, needle=needle)

    def _rank(self, w: _Named, unit: Unit) -> int | None:
        if (match := w.found.search(unit.raw)) is None:
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
            if all(re.compile(w.key).match(unit.raw, m.start() - 1) for m in w.found.finditer(unit.raw)):
                return KEY
        elif re.search(w.defines, unit.raw):
            return IDENTITY
        return TOKEN if re.search(w.exact, unit.raw[match.start() - 64 if match.start() > 64 else 0 :]) else LOOSE

    def _group(self, w: _Named, items: list[Answer], total: int) -> Answers:
        unit = self.outline.unit if self.kind != JSON or self.content_type != "json" else "place"
        verb = f"{unit}s match" if total > 1 else f"{unit} matches"
        how = self.command("--grep", w.term.text)
        return Answers(items, total, f'{total:,} {verb} "{w.term.text}"' + (f": {how}" if how else ""))

    def _answer(self, w: _Named, unit: Unit) -> Answer:
        n = unit.number
        if self.kind == LINES:
            if self.content_type == "markup":
                return self._item(unit.offset, w)
            defines = re.search(w.defines, unit.raw) is not None
            made = self._line(unit, self._item_at(n), defines)
        elif self.kind == FASTA and len(unit.raw) > LONG and (part := self._part(n, w)) is not None:
            made = part
        else:
            raw = drop_space(unit.raw) if unit.kind in (JSON, NDJSON) else unit.raw
            text = raw.decode("utf-8", "replace").strip("\r\n")
            place = "" if self.kind == FASTA else f"#{n} "
            made = Answer(text, place, self.header, self.command("--records", f"{n}:{n}"), first=n, last=n)
        match = w.found.search(made.text.encode())
        made.at = len(made.text.encode()[: match.start()].decode("utf-8", "replace")) if match else 0
        return made

    def _part(self, number: int, w: _Named) -> Answer | None:
        """Of a long sequence what the outline says with the name in it: the feature, not the record around it."""
        items = [item for item in self.outline.items if item.start <= number <= item.end]
        item = next((item for item in items if re.search(w.exact, item.text.encode())), None)
        if item is None:
            return None
        return Answer(item.text, "", "", self.command("--records", f"{number}:{number}"), 0, number, number)

    def _item_at(self, number: int) -> Item | None:
        """The outline's item that begins or spreads over a line."""
        found = [item for item in self.outline.items if item.start <= number <= item.end]
        return min(found, key=lambda item: item.end - item.start, default=None)

    def _line(self, unit: Unit, item: Item | None, defines: bool) -> Answer:
        """A line with its number; an entry of several lines whole; a definition or a heading with what it opens."""
        first = last = unit.number
        if item is not None and item.end - item.start < ENTRY and self.content_type == "log":
            first, last = item.start, item.end
        label = anchor(item.text)[0] if item is not None else ""
        own = bool(label) and label != str(first)  # the line carries a number of its own
        texts: list[str] = []
        for line in lines_of(self.source, first):
            if line.number > (last if not defines else first + BODY):
                break
            text = line.raw.decode("utf-8", "replace").rstrip("\r\n")
            if defines and texts and _closes(texts[0], text):
                break
            texts.append(text)
        while len(texts) > 1 and not texts[-1].strip():
            texts.pop()
        last = first + len(texts) - 1
        text = "\n".join(texts)
        place = "" if own and text.lstrip().lstrip("+-").startswith(label.lstrip("+-~ #")) else f"{first} "
        if self.content_type == "diff":  # bare numbers there are lines of the files
            place = f"(line {first} of this diff) "
        return Answer(text, place, "", self.command("--lines", f"{first}:{last}"), first=first, last=last)

    def _item(self, n: int, w: _Named) -> Answer:
        """An item as it is rendered: of markup, where a line of the source is no line of the text."""
        item, items = self.outline.items[n], self.outline.items
        text, last = item.text, item.end
        if _heading(text):
            for after in items[n + 1 : n + 1 + BODY]:
                if _heading(after.text):
                    break
                text, last = f"{text}\n{after.text}", after.end
        match = w.found.search(text.encode())
        at = len(text.encode()[: match.start()].decode("utf-8", "replace")) if match else 0
        return Answer(text, "", "", self.command("--lines", f"{item.start}:{last}"), at=at, first=item.start, last=last)

    def _elements(self, w: _Named) -> Answers | None:
        """The objects of a nested document that bear the name as a value; else what stands under it as a key."""
        buffer = buffer_of(self.source)
        hits: dict[int, list[int]] = {VALUE: [], KEY: [], TOKEN: []}
        as_key, as_value = re.compile(w.key).match, re.compile(w.value).match
        for match in re.finditer(w.exact, buffer):
            key = as_key(buffer, match.start() - 1) if match.start() else None
            value = as_value(buffer, match.start() - 1) or as_value(buffer, match.start())
            hits[KEY if key else VALUE if value else TOKEN].append(match.start())
            if sum(map(len, hits.values())) > MAX_HITS:
                return None
        most = max(MAX_SHOWN, int(self.outline.total * LARGE_SHARE))
        for kind in (VALUE, KEY) if w.term.whole else (VALUE, KEY, TOKEN):
            if not 0 < len(hits[kind]) <= most:
                continue
            found = {e.start: e for at in hits[kind] if (e := element_at(buffer, at))}
            first = sorted(found.values(), key=lambda e: (not e.has_id(w.term.text), e.start))[:MAX_SHOWN]
            made = [self._element(w, e) for e in first]
            for element, answer in zip(first, made, strict=True):
                answer.first = leaves(buffer, 0, element.start) + 1
                answer.last = answer.first + leaves(buffer, element.start, element.end) - 1
            return self._group(w, made, len(found))
        return None

    def _element(self, w: _Named, element: Element) -> Answer:
        text, path = drop_space(element.raw).decode("utf-8", "replace"), element.path
        match = w.found.search(text.encode())
        at = len(text.encode()[: match.start()].decode("utf-8", "replace")) if match else 0
        return Answer(text, f"{path}: ", "", self.command("--path", path), at=at)


def _heading(text: str) -> bool:
    return re.match(r"(?:\d+[:|]? )?#{1,6} ", text) is not None


def _closes(opening: str, line: str) -> bool:
    """Whether a line is no part of the body that ``opening`` opens: as little indented, and no closing bracket."""
    if opening.lstrip().startswith("#"):
        return _heading(line)
    number = re.match(r"\s*\d+[\t:|→]", opening)
    start = number.end() if number else 0

    def indent(text: str) -> int:
        body = text[start:]
        return len(body) - len(body.lstrip())

    return bool(line[start:].strip()) and indent(line) <= indent(opening) and line[start:].strip()[0] not in "})]{"
