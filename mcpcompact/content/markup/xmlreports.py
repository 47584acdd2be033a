"""Reports in XML: what a linter or a memory checker found; a line each, payload last."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING, Any, Final

from mcpcompact.content.anomalies.words import words
from mcpcompact.content.shared import reports
from mcpcompact.outline import Fact, Item, Series
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted

if TYPE_CHECKING:
    from mcpcompact.content.markup.xml import Element, XmlReading

ASIDE: Final = 0.3  # weight of what a report holds beside its findings
FIRST: Final = 1.0  # on the weight of a finding: those come before all else
PLACES: Final = 100  # characters of the places of a message that is found in several
MAX_CHILDREN = 60  # of an element: a finding is no document
_SUPPRESSED: Final = "suppressed"
_HOLDERS: Final = words("location sourceline primary")
_FILES: Final = "files"  # of all findings, which name theirs by its number (Clang's static analyser)
_PROBLEM, UP = "problem", 3  # what is wrong with all defects below it (Gendarme), and how far above one it is said
_RULE_IDS: Final = words("ruleid checkid")  # what the holder of findings says of all of them
_SOURCE: Final = regex(r"(?P<file>.+)\(≈?(?P<line>\d+)")
_STACKS: Final = words("stack callstack stacktrace backtrace trace")
_PLACED: Final = {"Class": "sourcepath", "Method": "start"}  # what each says of a place; a class begins further up
_PARTS: Final = ("Field", "Method", "LocalVariable")  # of a class, that a finding is about
_WRONG: Final = regex(r"(?i)(?:error|exception)$")  # of the whole run
_SUMMED: Final = regex(r"(?i)(?:errors|exceptions|summary|statistics)$")
_RUN: Final = "Command: "
_END: Final = regex(r"(?i)(?:line_?(?:range_?)?end|end_?line)(?:_?number)?$")
_LINE: Final = regex(r"(?i)(?:start|begin)?_?line(?:_?(?:number|no|range|start|begin)){0,2}$")
_AMOUNT: Final = regex(r"(?i)[\w-]{0,40}(?:line|token|cost|length|size|count)[\w-]{0,40}=\d{1,9}")
MOSTLY, SEVERAL = 0.7, 2  # of a document are what stands in several places; places
COPY, LAST = 0.1, 0.4  # weight of what they share, and of the smallest copy, which as the last item came too early
IN_ORDER: Final = "rows"  # what the largest copies are a part of, of which none is left out
_LIBRARY: Final = regex(r"(?:^|/)(?:usr|lib(?:32|64|exec)?|site-packages|node_modules)/|^\./core|\.so(?:\.\d+)*$")


def report(reading: XmlReading) -> tuple[list[Fact], list[Item]] | None:
    """The facts and items of a report; None of any other document."""
    elements = reading.elements
    if findings := _findings(reading):
        facts = reports.facts(list(findings.values()))
        return [reading.identity(), *facts], _items(reading, findings, findings)
    if mutants := _mutants(elements):
        states = Counter(mutant.level for mutant in mutants.values()).most_common()
        amount = f"{counted(len(mutants), 'mutation')}: {', '.join(f'{count:,} {state}' for state, count in states)}"
        open_ = {i: mutant for i, mutant in mutants.items() if not mutant.muted}
        return [reading.identity(), Fact(amount, 0)], _items(reading, mutants, open_)
    return _copies(reading)


# -- findings ------------------------------------------------------------------------------------------


def _findings(reading: XmlReading) -> dict[int, reports.Finding]:
    """What was found, by the number of its element. Where one element of a kind is a finding all of them are, wherever
    they stand: under a namespace as under a member of it."""
    elements, paths = reading.elements, ["/".join(path.split("/")[-2:]) for path in reading.paths]
    files: list[str] = []  # the one that each element stands in
    for element in elements:
        own = element.attributes
        holder = files[element.parent] if element.parent >= 0 else ""
        files.append(next((own[key] for key in ("file", "path", "name") if key in own), holder) if own else holder)
    first = set[int]()  # findings, and all below them
    kinds = set[str]()
    muted = {name for name in {e.name for e in elements} if name.lower().startswith(_SUPPRESSED)}
    for i, element in enumerate(elements):
        if element.parent in first:
            first.add(i)
            continue
        sure = element.name in muted
        placed = element.attributes or element.children or (element.texts and sure)  # a text alone says no place
        if placed and reports.named(_fields(elements, element), files[i], sure):
            first.add(i)
            kinds.add(paths[element.path])
    alike = [i for i, e in enumerate(elements) if paths[e.path] in kinds and e.parent not in first] if kinds else []
    named = _named_files(elements) if kinds else {}
    pairs = {i: [(k, named.get(v, v) if k == "file" else v) for k, v in _fields(elements, elements[i])] for i in alike}
    field = reports.telling_file(list(pairs.values()))
    findings = {}
    for i in alike:
        better = [("file", value) for key, value in pairs[i] if key == field and value]
        if finding := reports.named(better + pairs[i], files[i], sure=True):
            findings[i] = finding
    return findings


def _named_files(elements: Sequence[Element]) -> dict[str, str]:
    """The files that findings and their steps name by a number."""
    listed = next((e.children for e in elements if e.name == _FILES), ())
    return {f"{n}": file.text for n, file in enumerate(listed)}


def _fields(elements: Sequence[Element], element: Element) -> list[tuple[str, str]]:
    """What a finding may say: in attributes, in leaves, in its place, a message also one level deeper, and where the
    first frame of one's own stands."""
    pairs = list(element.attributes.items()) + ([("text", element.text)] if element.texts else [])
    above = elements[element.parent].attributes if element.parent >= 0 else {}
    pairs += [(key, value) for key, value in above.items() if key.lower() in _RULE_IDS]
    graded = not {"severity", "Severity"}.isdisjoint(element.attributes)
    pairs += [("issuetext", above.get("name", ""))] * graded  # what the results of a query have in common
    if {"type", "priority"} <= element.attributes.keys():  # FindBugs without messages: the type says what it is
        parts = [child for child in element.children if child.name in _PARTS]
        named = ", ".join(dict.fromkeys(p.attributes["name"] for p in parts if "name" in p.attributes))
        pairs.append(("description", named or element.attributes["type"]))
    if element.attributes.keys() >= {"Severity", "Location"}:
        pairs += _defect(elements, element)
    deeper: list[tuple[str, str]] = []
    for child in element.children[:MAX_CHILDREN]:
        if child.name.lower() in _HOLDERS and (child.attributes or child.children):
            pairs += [*child.attributes.items()] or _leaves(child)
        elif not child.children:
            pairs.append((child.name, child.text or child.attributes.get("value", "")))
        elif child.name.lower() in _STACKS:
            deeper += (frame := _frame(child))
            at = dict(frame)
            if pairs[-1][0] == "auxwhat" and {"file", "line"} <= at.keys():  # the stack below is where that happened
                pairs[-1] = ("auxwhat", f"{pairs[-1][1]}: {at['file']}:{at['line']}")
        elif child.name in _PLACED and "role" not in child.attributes:  # of FindBugs, where nothing else says the line
            places, key = (place.attributes for place in child.children), _PLACED[child.name]
            deeper += [(key, place[key]) for place in places if key in place]
        elif not child.attributes:
            deeper += [(key, value) for key, value in _leaves(child) if reports.is_message(key)]
    return [*pairs, *deeper, *[("suppressed", "true")] * element.name.lower().startswith(_SUPPRESSED)]


def _defect(elements: Sequence[Element], element: Element) -> list[tuple[str, str]]:
    """Of a defect that an element above says the problem of: that, its rule, and the place."""
    own, above = element.attributes, element
    for _ in range(UP):
        above = elements[max(0, above.parent)]
        if problem := dict(_leaves(above)).get(_PROBLEM):
            place, rule = _SOURCE.match(own.get("Source", "")), above.attributes.get("Name", "")
            fields = [("message", problem), ("rule", rule), ("evidence", own["Location"])]
            return [*fields, *place.groupdict().items()] if place else fields
    return []


def _leaves(holder: Element) -> list[tuple[str, str]]:
    return [(child.name, child.text) for child in holder.children[:MAX_CHILDREN] if child.texts]


def _frame(stack: Element) -> list[tuple[str, str]]:
    """The first frame with a file that is not of a library; where all are, the first with a file."""
    placed = _frames(stack)
    return next(filter(_is_own, placed), placed[0] if placed else [])


def _frames(stack: Element) -> list[list[tuple[str, str]]]:
    frames = [[*frame.attributes.items(), *_leaves(frame)] for frame in stack.children]
    return [frame for frame in frames if reports.file_of(frame)]


def _is_own(frame: Sequence[tuple[str, str]]) -> bool:
    return not any(_LIBRARY.search(value) for _, value in frame)


def _rows(
    elements: Sequence[Element], findings: Mapping[int, reports.Finding], stepped: Collection[int]
) -> dict[int, Item]:
    """A row each; a message that is found in several places once, with these, but where steps stand below it."""
    ranks, below = reports.ranks(findings), reports.directory(list(findings.values()))
    within = len(reports.package(list(findings.values())))
    alike: dict[tuple[str | int, ...], list[int]] = defaultdict(list)
    for i, f in findings.items():
        alike[(f.level, f.rule, f.message, f.evidence, f.muted, i * (i in stepped))].append(i)
    rows = {}
    for members in alike.values():
        first = findings[members[0]]
        keep, weight = max(ranks[i] for i in members)
        where, places = _where([findings[i] for i in members], below, PLACES)
        where += f" ({len(members):,} times)" if places < len(members) > 1 else ""
        text = f"{where} {first._replace(file='', at='', rule=first.rule[within:]).text()}".strip()
        weight += FIRST * (not first.muted)
        rows[members[0]] = _item(elements[members[0]], text, keep=keep, weight=weight, template=first.kind)
    return rows


def _where(findings: Sequence[reports.Finding], below: str, most: int) -> tuple[str, int]:
    """Where they stand, in up to ``most`` characters, and how many places that are."""
    places = _places(findings, below)
    ends = accumulate(len(place) + 2 for place in places)
    named = max(1, sum(end <= most for end in ends))
    named += len(places) == named + 1  # the last one takes little more than to say that there is one
    files = len({one.file for one in findings})
    more = f" and {len(places) - named:,} more" if len(places) > named else ""
    more += f" (in {files:,} files)" if more and files > 1 else ""
    return f"{', '.join(places[:named])}{more}", len(places)


def _places(findings: Sequence[reports.Finding], below: str) -> list[str]:
    """Where they stand; a file that stands before is not named again."""
    places, file = [], ""
    for one in findings:
        again = one.file == file and one.at
        places.append(f":{one.at}" if again else f"{one.file[len(below) :]}:{one.at}".strip(":"))
        file = one.file
    return [place for place in places if place]


# -- mutation tests ------------------------------------------------------------------------------------


def _mutants(elements: Sequence[Element]) -> dict[int, reports.Finding]:
    """Changes that a mutation test made (PIT): what no test saw is the finding, what was ``detected`` is as it should
    be. https://pitest.org/quickstart/maven/, ``mutations.xml``"""
    findings = {}
    for i, element in enumerate(elements):
        if element.name == "mutation" and "detected" in element.attributes:
            own = defaultdict(str, _leaves(element))
            change, done = own["mutator"].rpartition(".")[2], element.attributes["detected"] == "true"
            state, file = element.attributes.get("status", ""), own["sourceFile"]
            findings[i] = reports.Finding(file, own["lineNumber"], state, change, own["mutatedMethod"], muted=done)
    return findings


# -- copies --------------------------------------------------------------------------------------------


def _copies(reading: XmlReading) -> tuple[list[Fact], list[Item]] | None:
    """What stands in several files (CPD, Simian, dupFinder): a row each, the largest first, with its own attributes and
    all places; the text that they share comes last."""
    most = MOSTLY * reading.elements[0].size
    for members in reading.by_path.values():
        if len(_standing(members[0])) < SEVERAL or sum(e.size for e in members) < most:
            continue
        copies = {e.number: _standing(e) for e in members}
        if min(map(len, copies.values())) >= SEVERAL:
            every = [*chain(*copies.values())]
            below, files = reports.directory(every), counted(len({one.file for one in every}), "file")
            amount = f"{len(copies):,} {members[0].name} in {files}{f' below {below}' if below else ''}"
            by, sizes = _amounts({e.number: e.attributes for e in members})
            alone = (e for e, *more in reading.by_path.values() if not more and e.size <= LONG)
            sums = [e for e in alone if _SUMMED.search(e.name)]
            facts = [reading.identity(), Fact(f"{amount}{f', most {by} first' if by else ''}", 0)]
            return facts + [Fact(reading.flow(e), 0) for e in sums], _copied(reading, copies, below, sizes)
    return None


def _amounts(attributes: Mapping[int, Mapping[str, str]]) -> tuple[str, dict[int, int]]:
    """The attribute that says best how much is the same, and what it says of each."""
    pairs = {pair for own in attributes.values() for pair in own.items()}
    names = sorted({key for key, _ in pairs} - {pair[0] for pair in pairs if not _AMOUNT.fullmatch("=".join(pair))})
    sizes = {by: {i: int(own.get(by, 0)) for i, own in attributes.items()} for by in names}
    by = max(names, key=lambda name: max(sizes[name].values()), default="")
    return by, sizes.get(by, dict.fromkeys(attributes, 0))


def _copied(
    reading: XmlReading, copies: dict[int, list[reports.Finding]], below: str, sizes: dict[int, int]
) -> list[Item]:
    """The rows, what stands in each behind it, and what the document says beside them."""
    largest, series = max(1, *sizes.values()), Series(reading.elements[min(copies)].name, 0, len(copies))
    items, order, top = list[tuple[float, Item]](), dict[int, float](), 0
    last = max(copies, key=lambda i: (-sizes[i], i))
    for i, e in enumerate(reading.elements):
        within, item = order.get(e.parent, math.inf), None
        if i in copies:
            within, top = -sizes[i], e.start
            row = f"{top} {clipped(reading.head(e), LONG)}: {_where(copies[i], below, LONG)[0]}"
            weight = FIRST + sizes[i] / largest if i != last else LAST
            item = Item(top, top, row, weight=weight, whole=True, series=series, part=(IN_ORDER, 1))
        elif within < math.inf and " " in e.text:
            item = Item(e.at, e.end, f"{e.at} {e.name}: {e.text}", weight=COPY, flow="lines", under=top)
        elif within == math.inf and e.attributes and not e.children and not _SUMMED.search(e.name):
            item = Item(e.start, e.end, f"{e.start} {reading.head(e)}")
        order[i] = within
        items += [(within, item)] if item else []
    return [item for _, item in sorted(items, key=lambda one: one[0])]


def _standing(holder: Element) -> list[reports.Finding]:
    """The places that all children with attributes or children are, none of which says more than numbers and code."""
    places = []
    for child in holder.children:
        if not child.attributes and not child.children:
            continue
        pairs = [*child.attributes.items(), *_leaves(child)]
        lined = [*pairs]
        for inner in child.children[:MAX_CHILDREN]:
            lined += [(f"{inner.name}{key}", value) for key, value in inner.attributes.items()]
        file = reports.file_of(pairs)
        line, end = (next((v for k, v in lined if of.match(k) and v.isdecimal()), "") for of in (_LINE, _END))
        if not (file and line) or any(not (v == file or v.isdecimal() or " " in v) for _, v in lined):
            return []
        places.append(reports.Finding(file, f"{line}–{end}" if end else line, "", "", ""))
    return places


# -- items ---------------------------------------------------------------------------------------------


def _items(
    reading: XmlReading, findings: Mapping[int, reports.Finding], listed: Mapping[int, reports.Finding]
) -> list[Item]:
    """The rows, and with little weight what else the document holds."""
    elements = reading.elements
    inside = {*findings, *reading.holders(findings)}  # what holds rows says nothing; what a row holds is in it
    inside |= {child.number for i in findings for child in elements[i].children if 0 < len(child.text) < LONG}
    below = {i: i for i in findings}  # the finding that an element stands in
    for i, element in enumerate(elements):
        if element.parent in below:
            below[i] = below[element.parent]
    steps = _steps(reading, listed, below, inside)
    rows = _rows(elements, listed, {below[i] for i in steps})
    items, broken = rows | steps, {row.template for row in rows.values()}
    for e, whole in reading.shown():
        body = _aside(reading, e, whole, inside, broken) if e.number not in below and e.number not in inside else ""
        if body not in ("", e.name):
            items[e.number] = _item(e, body, weight=ASIDE, flow="sentences")
    order = {i: math.inf if listed[i].muted else reports.rank(listed[i].grade) for i in rows}  # the most severe first
    return [items[i] for i in sorted(items, key=lambda i: (order.get(below.get(i, -1), math.inf), i))]


def _item(element: Element, text: str, **options: Any) -> Item:
    """In a line; one that holds others is not all of it."""
    end = element.start if element.children else element.end
    return Item(element.start, end, f"{element.start} {text}", **options)


def _steps(
    reading: XmlReading, listed: Mapping[int, reports.Finding], below: Mapping[int, int], inside: Collection[int]
) -> dict[int, Item]:
    """What explains findings, by its element: the message of each step with its place, or the frames of one's own in a
    stack where they are several (one is its place); suppressions and classes are payload."""
    elements, files, texts = reading.elements, _named_files(reading.elements), dict[int, tuple[int, str]]()
    within, parents = reports.directory(list(listed.values())), set[int]()
    for i, top in below.items():
        element, above = elements[i], elements[max(0, elements[i].parent)]
        if top not in listed or i in inside:
            continue
        if element.parent == top and element.name.lower() in _STACKS:
            own = _own_frames(element)
            if len(own) > 1:
                texts[i] = (element.start, f"own frames: {', '.join(own)}")
        elif element.texts and reports.is_message(element.name) and element.parent not in parents:
            parents.add(element.parent)
            text, place = " ".join(element.text.split()), ""
            if not {element.name.lower(), above.name.lower()} & _HOLDERS and text != listed[top].message:  # of the row
                step = element.parent != top and reports.named(_fields(elements, above), listed[top].file, sure=True)
                if step and step.at:
                    file = files.get(step.file, step.file)
                    place = f"{'' if file == listed[top].file else file.removeprefix(within)}:{step.at} "
                texts[i] = (element.at, f"{place}{text}")
    return {
        i: Item(at, at, f"{at} {clipped(text, LONG)}", weight=ASIDE, flow="sentences", under=elements[below[i]].start)
        for i, (at, text) in texts.items()
    }


def _own_frames(stack: Element) -> dict[str, None]:
    frames = [(reports.file_of(f), dict(f)) for f in _frames(stack) if _is_own(f)]
    places = (f"{file}:{f.get('line', '')}".strip(":") + f" {f.get('fn', '')}".rstrip() for file, f in frames)
    return dict.fromkeys(places)


def _aside(reading: XmlReading, element: Element, whole: bool, inside: set[int], broken: set[str]) -> str:
    """What is said of the run as a whole, of a rule that was broken, or beside its findings (how to mend them); all
    else, as sources that were read, labels and other rules, is payload."""
    parent = reading.elements[max(0, element.parent)]
    if _SUMMED.search(element.name):
        return reading.flow(element, most=LONG) if whole else reading.head(element)
    mends = element.texts and not element.children and 0 < element.parent in inside and element.name != _PROBLEM
    general = element.text.startswith(_RUN) or (_WRONG.search(element.name) and not _WRONG.search(parent.name))
    if mends or general or not broken.isdisjoint(element.attributes.values()):
        return reading.flow(element, LONG, most=LONG if general else EXPLAINED)
    return ""


LONG, EXPLAINED = 400, 4_000  # characters of a text below a row: more is payload; of how to mend what it says
