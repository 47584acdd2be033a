"""XML by its elements: counts, attributes and leaf texts as columns, an element a line with its exact line number."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from typing import Any

from mcpcompact.content.anomalies.words import words
from mcpcompact.content.columns.values import WRITTEN, Odd, odd_values, typed, values_text
from mcpcompact.content.markup import xmlrecords as _xmlrecords
from mcpcompact.content.markup import xmlreports as _xmlreports
from mcpcompact.content.markup import xmltests as _xmltests
from mcpcompact.content.markup.shapes import of_lines
from mcpcompact.content.markup.tags import PLIST, Lines, Token, attributes, named, plain, tokens
from mcpcompact.content.shared.reports import is_severity, rank
from mcpcompact.content.shared.tests import reported
from mcpcompact.outline import Fact, Item, Keep, Outline, record
from mcpcompact.phrasing import clipped, counted

_MANY_SEVERE = 20  # from so many on a share of them is no finding
_NAMING, NAMED = words("name id title"), 2.9  # attributes that name what an element holds; its weight
_NAMES = 12  # that are named
GRAVE, LESS = 3.3, 0.985  # weight of the gravest of what has a severity, factor for each step down: all before others
_VALUES_LEAST = 8  # of a column: fewer are read quicker than told

LINE, RECORD = 190, 800  # characters of an element that is shown in one line; of one of a few alike records
ROW, VALUE, MARK = 400, 120, 12  # characters of a record of a list, and of one of its texts; what a mark takes
EARLY, SOON = 0.3, 20  # what the first record weighs more, and where that ends
FAILURES = _xmltests.FAILURES | words("fault exception parsererror")
MAX_COLUMNS = 2_000
HEAD_ABOVE, HEAD_ROOT = 160, 300  # characters of the tag that stands above alike elements, and of the document's
HEAD = 100_000  # characters in which entities are declared
MISPLACED = 50  # open elements among which a closing tag looks for its own
ROWS, FRAME = 0.9, 0.35  # of the room, what the rows of a report take before its payload; in other documents
PAYLOAD, SIBLINGS = 0.1, 20  # weight of a long text beside elements with attributes; those that are looked at
CUT = " …"  # behind an element of which not all is told
MAX_SHOWN = 8_000  # elements that get an item; of more an even choice: few of them can be shown anyway


@record
class Element:
    """``number``: its place in the document, ``parent`` that of what holds it, ``path`` the number of its kind (the
    names from the root down), ``size`` the characters below it."""

    name: str
    path: int
    parent: int
    start: int
    end: int
    attributes: dict[str, str]
    texts: list[str]
    children: list[Element]
    number: int
    size: int = 0
    at: int = 0  # the line that its text begins in

    @property
    def text(self) -> str:
        return "".join(self.texts).strip()


_NONE: list[Any] = []  # the texts and children of an element that has none and cannot get any
_PLAIN: dict[str, str] = {}  # the attributes of one without


class XmlReading:
    """All elements of a document in order, whatever is unclosed or misplaced in it."""

    def __init__(self, text: str) -> None:
        self.source, self.lines = text, Lines(text)
        self.elements: list[Element] = []
        self.entities, self.unclosed = len(re.findall(r"<!ENTITY\s", text[:HEAD])), 0
        kinds = self._read(text)
        names: list[tuple[str, ...]] = [()]  # of no element, and of each kind the last three
        for above, name in kinds:
            names.append((*names[above + 1][-2:], name))
        self.paths = ["/".join(n) for n in names[1:]]
        self.by_path: dict[int, list[Element]] = defaultdict(list)
        for element in self.elements:
            self.by_path[element.path].append(element)
        listed = bool(self.elements) and self.elements[0].name == PLIST  # a key there is the name of a value
        self.noun, self.count = ("value" if listed else "element"), sum(e.parent >= listed - 1 for e in self.elements)
        self.tests = bool(_xmltests.CASES.intersection(e.name for e in self.elements))
        for element in reversed(self.elements):
            element.size += len(element.name) + 3 + sum(map(len, element.texts))
            if element.attributes:
                element.size += sum(len(k) + len(v) + 4 for k, v in element.attributes.items())
            if element.parent >= 0:
                self.elements[element.parent].size += element.size
        self.rows: set[int] = set() if self.tests else _xmlrecords.kinds(self)

    def _read(self, text: str) -> dict[tuple[int, str], int]:
        """The number of each kind of elements, by the kind of what holds them and their name."""
        stack, kinds = list[int](), dict[tuple[int, str], int]()
        read = tokens(text, leaves=True)
        for token in named(read) if f"<{PLIST}" in text[:HEAD] else read:
            if token.kind in ("leaf", "open", "empty"):
                self._open(token, stack, kinds, text[token.end : token.end + 1])
            elif token.kind == "close":
                self._close(token, stack)
            elif token.kind in ("text", "cdata") and stack:
                body = token.body if token.kind == "cdata" else plain(token.body)
                if body.strip():
                    element = self.elements[stack[-1]]
                    element.at = element.at if element.texts else self._line_of(body, token.start)
                    element.texts.append(body)
        self.unclosed += len(stack)
        for i in stack:
            self.elements[i].end = self.lines.count
        return kinds

    def _open(self, token: Token, stack: list[int], kinds: dict[tuple[int, str], int], behind: str) -> None:
        parent = stack[-1] if stack else -1
        path = kinds.setdefault((self.elements[parent].path if stack else -1, token.name), len(kinds))
        begin = self.lines.at(token.start)
        end = begin + self.source.count("\n", token.start, token.end - 1) if token.body or token.text else begin
        opened = token.kind == "open"
        texts, children = ([], []) if opened else (_NONE, _NONE)
        own = attributes(token.body) if token.body else _PLAIN
        element = Element(token.name, path, parent, begin, end, own, texts, children, len(self.elements))
        if stack and token.name == "tspan" and token.text and _within_word(self.elements[parent], element, behind):
            self.elements[parent].texts.append(plain(token.text))
        elif stack:
            self.elements[parent].children.append(element)
        if token.text and not token.text.isspace():
            element.texts = [body := plain(token.text)]
            apart = begin != end or body is not token.text  # it may begin further down
            start = self.source.rfind("<", token.start, token.end) - len(token.text)
            element.at = self._line_of(body, start) if apart else begin
        if opened:
            stack.append(element.number)
        self.elements.append(element)

    def _line_of(self, body: str, offset: int) -> int:
        """The line in which a text at an offset begins, behind blank ones."""
        return self.lines.at(offset) + body.count("\n", 0, len(body) - len(body.lstrip()))

    def _close(self, token: Token, stack: list[int]) -> None:
        """Ends the nearest open element of that name, and what was left open in it; none: a misplaced tag."""
        for up in range(len(stack) - 1, max(-1, len(stack) - MISPLACED), -1):
            if self.elements[stack[up]].name == token.name:
                self.unclosed += len(stack) - 1 - up
                for closed in stack[up:]:
                    self.elements[closed].end = self.lines.at(token.end - 1)
                del stack[up:]
                return

    # -- columns ----------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> list[tuple[str, str, list[int], list[Any]]]:
        """(path, name, elements, values) of every attribute and of every leaf's text, per kind of element."""
        columns: list[tuple[str, str, list[int], list[Any]]] = []
        for path, members in self.by_path.items():
            by_name: dict[str, tuple[list[int], list[Any]]] = {}
            for element in members:
                pairs = [*element.attributes.items()]
                pairs += [("", element.text)] if not element.children and element.texts else []
                for key, value in pairs:
                    where, values = by_name.setdefault(key, ([], []))
                    where.append(element.number)
                    values.append(typed(value))
            columns += [(self.paths[path], key, where, values) for key, (where, values) in by_name.items()]
            if len(columns) > MAX_COLUMNS:
                break
        return columns

    def marks(self) -> dict[int, Odd]:
        odds: list[tuple[int, int, Odd]] = []  # size of the column, element, what is odd
        for path, name, where, values in self.columns:
            for odd in odd_values(name or path.rpartition("/")[2], values):
                if not odd.reason.endswith(WRITTEN):  # names and properties are of all shapes
                    odd.template = f"{path} {odd.template}"
                    odds.append((len(values), where[odd.index], odd))
        severe = [one for one in odds if one[2].keep == Keep.SEVERE] + self._failures()
        weak = [one for one in odds if one[2].keep < Keep.SEVERE]
        weak.sort(key=lambda one: (-one[2].keep, -one[0], one[1]))
        marks: dict[int, Odd] = {}
        for _, i, odd in severe + weak[: max(12, len(self.elements) // 100)]:
            held = marks.setdefault(i, odd)
            if odd.reason and odd.reason not in held.reason:
                held.keep = max(held.keep, odd.keep)
                held.reason = "; ".join(r for r in (held.reason, odd.reason) if r)
        return marks

    def _failures(self) -> list[tuple[int, int, Odd]]:
        """Elements that are failures by name, unless the document is made of them (a linter's ``<error>`` list)."""
        named = {name for name in {e.name for e in self.elements} if name.rpartition(":")[2].lower() in FAILURES}
        failed = ((i, e) for i, e in enumerate(self.elements) if e.name in named) if named else ()
        real = [(i, e) for i, e in failed if e.texts or e.attributes or e.children]
        severities = sum(not {"severity", "level"}.isdisjoint(e.attributes) for _, e in real)
        if severities * 2 > len(real) or (len(real) > _MANY_SEVERE and len(real) > 0.3 * len(self.elements)):
            return []
        return [(1, i, Odd(i, Keep.SEVERE, "", self.paths[e.path])) for i, e in real]

    # -- items ------------------------------------------------------------------------------------

    def items(self, marks: dict[int, Odd]) -> list[Item]:
        items, seen = list[Item](), Counter[int]()
        inside, shown = self._marked_inside(marks), self.shown()
        step = -(-len(shown) // MAX_SHOWN)
        for n, (element, whole) in enumerate(shown):
            i = element.number
            odds = [marks[j] for j in inside.get(i, ())] if whole else [marks[i]] if i in marks else []
            if n % step and not odds:
                continue
            weight = 1.0
            if row := element.path in self.rows:  # a list comes best first
                weight += max(0.0, EARLY * (1 - seen[element.path] / SOON))
                seen[element.path] += 1
                body = self.flow(element, ROW, VALUE)
            elif whole:
                body = self.flow(element)
            else:
                line, grave = self.found(element)
                weight = grave if line else NAMED if _NAMING & element.attributes.keys() else weight
                failed = odds and not element.attributes  # it says what it is in its children
                body = self.flow(element, 300) if failed else line or self.head(element)
            if body != element.name:
                all_of_it = whole and not body.endswith(CUT)
                end = element.end if all_of_it else element.start
                item = Item(
                    element.start, end, f"{element.start} {body}", weight=weight, flow="sentences" if row else ""
                )
                item.section, item.part = self._section(element.parent), self.part(element, all_of_it)
                if odds:
                    worst = max(odds, key=lambda odd: odd.keep)
                    item.keep, item.template, item.weight = worst.keep, worst.template, 1.5
                    item.reason = "; ".join(dict.fromkeys(odd.reason for odd in odds if odd.reason))
                elif not row and self._is_beside(element):
                    item.weight, item.flow = PAYLOAD, "lines"
                items.append(item)
        return sorted(items, key=lambda item: item.start)

    def holders(self, of: Iterable[int]) -> set[int]:
        """All that some elements stand in."""
        holders = set[int]()
        for i in of:
            while (i := self.elements[i].parent) >= 0 and i not in holders:
                holders.add(i)
        return holders

    def part(self, element: Element, whole: bool) -> tuple[str, int]:
        """How many elements are shown with one, where lines say nothing because all stands in one."""
        end = element.number + 1
        while whole and end < len(self.elements) and self.elements[end].parent >= element.number:
            end += 1
        return (f"{self.noun}s", end - element.number) if self.lines.count == 1 else ("", 0)

    def shown(self) -> list[tuple[Element, bool]]:
        """The elements that get an item, in order: whole with what they hold where that is short, else their head."""
        shown, stack = list[tuple[Element, bool]](), [e for e in self.elements if e.parent < 0][::-1]
        while stack:
            element = stack.pop()
            brief = RECORD if self._is_record(element) and not self.found(element)[0] else LINE
            whole = not element.children or element.size <= brief or element.path in self.rows
            shown.append((element, whole))
            if not whole:
                stack += reversed(element.children)
        return shown

    def _is_record(self, element: Element) -> bool:
        """Whether it is one of several of its kind that hold but leaves: a row."""
        many = len(self.by_path[element.path]) > 1
        return many and not any(child.children or child.attributes for child in element.children)

    def _is_beside(self, element: Element) -> bool:
        """Whether it is a text of many lines beside elements that say by their attributes what it is about: those come
        first, and of it the beginning."""
        if element.children or element.parent < 0 or len(element.text) <= ROW or "\n" not in element.text:
            return False
        beside = self.elements[element.parent].children[:SIBLINGS]
        return any(one.attributes and not one.texts for one in beside)

    def _section(self, parent: int) -> str:
        """The nearest holder that says something of its own, as the heading of what it holds."""
        for _ in range(3):
            holder = self.elements[parent]
            if parent < 0 or holder.parent < 0:
                return ""
            if holder.attributes:
                return f"{holder.start} {clipped(self.head(holder), HEAD_ABOVE)}"
            parent = holder.parent
        return ""

    def found(self, element: Element) -> tuple[str, float]:
        """Of what says how grave it is its short texts in a line, that and its names first, and its weight; else ""."""
        leaves = [e for e in reversed(element.children) if not (e.children or e.attributes)]
        pairs = [*({e.name: e.text for e in leaves} | element.attributes).items()]
        pairs.sort(key=lambda pair: (not is_severity(pair[0]), pair[0].lower() not in _NAMING))
        grade = pairs[0][1] if pairs and is_severity(pairs[0][0]) else ""
        parts = [f" {key}={_value(text)}" for key, text in pairs if 0 < len(text) <= TOLD]
        room = sum(end <= LINE for end in accumulate(map(len, parts)))
        more = CUT * (room < len(element.children) + len(element.attributes) + bool(element.text))
        weight = GRAVE * LESS ** rank(f"severity {grade}" if grade.isdigit() else grade)
        return (f"{element.name}{''.join(parts[:room])}{more}" if grade else ""), weight

    def head(self, element: Element) -> str:
        text = f" : {element.text}" if element.children and element.text else ""
        return f"{element.name}{_own(element)}{text}"

    def flow(self, own: Element, limit: int = 4_000, most: int = 0) -> str:
        """An element in a line: attributes, then what it holds, of a row (``most`` characters of a text) the long texts
        last. Iterative: a close mark is put on the stack."""
        out: list[str] = []
        if not own.children and not own.attributes:
            return f"{own.name}: {own.text}" if own.texts else own.name
        if own.size > limit and own.children:
            limit = 300
        stack: list[Element | str] = [own]
        used = 0
        while stack:
            used += len(out[-1]) if out else 0
            if own.children and used > limit:
                out.append(CUT)
                break
            element = stack.pop()
            if isinstance(element, str):
                out.append(element)
                continue
            text = element.text
            if element is not own and not element.attributes and not element.children:
                out.append(f" {element.name}={_short(text, most)}")
                continue
            out.append((" {" if element is not own else "") + element.name + _own(element))
            if text:
                verbatim = element is own or element.name.lower() in FAILURES
                out.append(f": {_short(text, most) if most else text if verbatim else ' '.join(text.split())}")
            if element is not own:
                stack.append("}")
            stack += sorted(element.children, key=lambda child: child.size > most > 0)[::-1]
        return "".join(out)

    def _marked_inside(self, marks: dict[int, Odd]) -> dict[int, list[int]]:
        below: dict[int, list[int]] = defaultdict(list)
        for i in marks:
            at = i
            while at == i or (at >= 0 and self.elements[at].size <= LINE):
                below[at].append(i)
                at = self.elements[at].parent
        return below

    # -- facts ------------------------------------------------------------------------------------

    def facts(self, marks: dict[int, Odd]) -> list[Fact]:
        root = self.elements[0]
        facts = [self.identity()]
        severe = sum(1 for odd in marks.values() if odd.keep == Keep.SEVERE)
        if marks:
            counts = [f"{severe:,} tell of a failure"] * bool(severe)
            counts += [f"{len(marks) - severe:,} rare or outlying"] * (len(marks) > severe)
            facts.append(Fact(f"All {counted(self.count, self.noun)} scanned: {', '.join(counts)}.", 1))
        if root.attributes:
            facts.append(Fact(clipped(self.head(root), HEAD_ROOT), 1))
        names = Counter(e.name for e in self.elements)
        shown = [f"{name} {n:,}" for name, n in names.most_common(_NAMES) if n > 1]
        if shown:
            facts.append(Fact("Elements: " + ", ".join(shown) + (", …" if len(names) > _NAMES else ""), 1))
        columns = sorted(self.columns, key=lambda c: (not is_severity(c[1] or c[0].rpartition("/")[2]), -len(c[2])))
        texts = ((c, values_text(c[1] or c[0], c[3])) for c in columns[:60] if len(c[2]) >= _VALUES_LEAST)
        telling = [(c, text) for c, text in texts if text and not text.startswith("all ")]
        for n, ((path, name, where, _), text) in enumerate(telling[:14]):
            label = f"{'/'.join(path.split('/')[-2:])}{'@' + name if name else ''}"
            facts.append(Fact(f"{label} ({len(where):,}): {text}", 1 if n <= 1 else 2))
        return facts

    def notes(self) -> list[str]:
        declared = f"A DTD declares {self.entities:,} entities; they are not expanded."
        return [declared] * (self.entities > 0) + [f"{self.unclosed:,} elements are not closed."] * (self.unclosed > 0)

    def identity(self) -> Fact:
        name, elements = self.elements[0].name, counted(self.count, self.noun)
        leaves = (e for e in self.elements[0].children if not (self.tests or e.children))
        texts = [f"{e.name}: {_value(e.text)}" for e in leaves if e.text and len(e.text) <= TOLD and not e.attributes]
        own = f" {', '.join(texts)}" if 1 < len(texts) <= MAX_TOLD else ""
        return Fact(f"XML <{name}>, {counted(self.lines.count, 'line')}, {elements}.{own}", 0)


TOLD, MAX_TOLD = 80, 8  # characters of a text right below the root, and such texts, that say what the document is


def _within_word(parent: Element, span: Element, behind: str) -> bool:
    """Whether a span of a drawing only moves letters of the text that it stands in, and begins no line of its own."""
    x, y = (span.attributes.get(key, "").split()[:1] for key in ("x", "y"))
    lined = "dy" in span.attributes or (y and y != parent.attributes.get("y", "").split()[:1]) or (x and not y)
    return not lined and (bool(parent.texts) or not (behind.isspace() or behind in "<"))


def _own(element: Element) -> str:
    return "".join(f" {k}={_value(v)}" for k, v in _xmltests.ordered(element.attributes))


def _short(text: str, most: int) -> str:
    """A text, in a row up to ``most`` characters of it."""
    value = _value(text)
    return f"{value[:most]}…[+{len(value) - most} chars]" if most and len(value) > most + MARK else value


def _value(value: str) -> str:
    value = " ".join(value.split())
    return f'"{value}"' if " " in value or not value or "=" in value else value


def outline(text: str) -> Outline | None:
    """The outline of an XML text; None when there is no element in it."""
    reading = XmlReading(text)
    if not reading.elements:
        return None
    report, cases = _xmlreports.report(reading), {}
    if report is None and (listed := _xmlrecords.outline(reading)) is not None:
        return listed
    if report is not None:
        facts, items = report
    elif cases := dict(_xmltests.cases(reading.elements)):
        facts, items = [reading.identity(), *reported(cases.values())], _xmltests.items(reading, cases)
    else:
        marks = reading.marks()
        facts, items = reading.facts(marks), reading.items(marks)
    lines = reading.lines.count
    summary = f"XML, {counted(lines, 'line')}, {counted(reading.count, reading.noun)}"
    result = of_lines(lines, summary, facts, items, notes=reading.notes())
    result.frame_share = ROWS if report or any(item.weight > NAMED for item in items if not cases) else FRAME
    result.in_order = next((item.part[0] for item in items if report), "")
    result.parts = {f"{reading.noun}s": reading.count} if lines == 1 and report is None else {}
    return result
