"""Reports in XML: what a linter or a memory checker found; a line each, payload last."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from mcpcompact.content.columns.values import words
from mcpcompact.content.shared import reports
from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted

if TYPE_CHECKING:
    from mcpcompact.content.markup.xml import Element, XmlReading

ASIDE: Final = 0.3  # weight of what a report holds beside its findings
FIRST: Final = 1.0  # on the weight of a finding: those come before all else
PLACES: Final = 100  # characters of the places of a message that is found in several
MOST_CHILDREN = 60  # of an element: a finding is no document
_SUPPRESSED: Final = "suppressed"
_HOLDERS: Final = words("location sourceline")
_FILES: Final = "files"  # of all findings, which name theirs by its number (Clang's static analyser)
_PROBLEM, UP = "problem", 3  # what is wrong with all defects below it (Gendarme), and how far above one it is said
_RULE_IDS: Final = words("ruleid checkid")  # what the holder of findings says of all of them
_SOURCE: Final = regex(r"(?P<file>.+)\(≈?(?P<line>\d+)")
_STACKS: Final = words("stack callstack stacktrace backtrace trace")
_PARTS: Final = ("Field", "Method", "LocalVariable")  # of a class, that a finding is about
_WRONG, _SUMMED = regex(r"(?i)(?:error|exception)$"), regex(r"(?i)(?:errors|exceptions|summary)$")  # of the whole run
_RUN: Final = "Command: "
_LIBRARY: Final = regex(r"(?:^|/)(?:usr|lib(?:32|64|exec)?|site-packages|node_modules)/|^\./core|\.so(?:\.\d+)*$")


def report(reading: XmlReading) -> tuple[list[Fact], list[Item]] | None:
    """The facts and items of a report; None of any other document."""
    elements = reading.elements
    if found := _findings(reading):
        facts = reports.facts(list(found.values()))
        return [reading.identity(), *facts], _items(reading, set(found), _rows(found))
    if mutants := _mutants(elements):
        states = Counter(mutant.level for mutant in mutants.values()).most_common()
        said = f"{counted(len(mutants), 'mutation')}: {', '.join(f'{count:,} {state}' for state, count in states)}"
        open_ = {i: mutant for i, mutant in mutants.items() if not mutant.muted}
        return [reading.identity(), Fact(said, 0)], _items(reading, set(mutants), _rows(open_))
    return None


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
        if not (element.attributes or element.children or (element.texts and element.name in muted)):
            continue  # a text alone says no place
        if reports.named(_fields(elements, element), files[i], _muted(element)):
            first.add(i)
            kinds.add(paths[element.path])
    alike = [i for i, e in enumerate(elements) if paths[e.path] in kinds and e.parent not in first] if kinds else []
    listed = next((e.children for e in elements if kinds and e.name == _FILES), ())
    named = {f"{n}": elements[c].text for n, c in enumerate(listed)}
    pairs = {i: [(k, named.get(v, v) if k == "file" else v) for k, v in _fields(elements, elements[i])] for i in alike}
    field = reports.telling_file(list(pairs.values()))
    found = {}
    for i in alike:
        better = [("file", value) for key, value in pairs[i] if key == field and value]
        if finding := reports.named(better + pairs[i], files[i], sure=True):
            found[i] = finding
    return found


def _muted(element: Element) -> bool:
    return element.name.lower().startswith(_SUPPRESSED)


def _fields(elements: Sequence[Element], element: Element) -> list[tuple[str, str]]:
    """What a finding may say: in attributes, in leaves, in its place, a message also one level deeper, and where the
    first frame of one's own stands."""
    pairs = list(element.attributes.items()) + ([("text", element.text)] if element.texts else [])
    above = elements[element.parent].attributes if element.parent >= 0 else {}
    pairs += [(key, value) for key, value in above.items() if key.lower() in _RULE_IDS]
    if {"type", "priority"} <= element.attributes.keys():  # FindBugs without messages: the type says what it is
        parts = [elements[c] for c in element.children if elements[c].name in _PARTS]
        named = ", ".join(dict.fromkeys(p.attributes["name"] for p in parts if "name" in p.attributes))
        pairs.append(("description", named or element.attributes["type"]))
    if element.attributes.keys() >= {"Severity", "Location"}:
        pairs += _defect(elements, element)
    deeper: list[tuple[str, str]] = []
    for child in (elements[c] for c in element.children[:MOST_CHILDREN]):
        if child.name.lower() in _HOLDERS and (child.attributes or child.children):
            pairs += [*child.attributes.items()] or _leaves(elements, child)
        elif not child.children:
            pairs.append((child.name, child.text or child.attributes.get("value", "")))
        elif child.name.lower() in _STACKS:
            deeper += (frame := _frame(elements, child))
            told = dict(frame)
            if pairs[-1][0] == "auxwhat" and {"file", "line"} <= told.keys():  # the stack below is where that happened
                pairs[-1] = ("auxwhat", f"{pairs[-1][1]}: {told['file']}:{told['line']}")
        elif child.name == "Class":  # of FindBugs, where nothing says the line
            deeper += [("path", file) for c in child.children if (file := elements[c].attributes.get("sourcepath"))]
        elif not child.attributes:
            deeper += [(key, value) for key, value in _leaves(elements, child) if reports.is_message(key)]
    return [*pairs, *deeper, *([("suppressed", "true")] if _muted(element) else ())]


def _defect(elements: Sequence[Element], element: Element) -> list[tuple[str, str]]:
    """Of a defect that an element above says the problem of: that, its rule, and the place."""
    own, above = element.attributes, element
    for _ in range(UP):
        if above.parent < 0:
            break
        above = elements[above.parent]
        if problem := dict(_leaves(elements, above)).get(_PROBLEM):
            place = _SOURCE.match(own.get("Source", ""))
            placed = [*place.groupdict().items()] if place else []
            return [
                ("message", problem),
                ("rule", above.attributes.get("Name", "")),
                ("evidence", own["Location"]),
                *placed,
            ]
    return []


def _leaves(elements: Sequence[Element], holder: Element) -> list[tuple[str, str]]:
    return [(elements[c].name, elements[c].text) for c in holder.children[:MOST_CHILDREN] if elements[c].texts]


def _frame(elements: Sequence[Element], stack: Element) -> list[tuple[str, str]]:
    """The first frame with a file that is not of a library; where all are, the first with a file."""
    placed = _frames(elements, stack)
    return next(filter(_is_own, placed), placed[0] if placed else [])


def _frames(elements: Sequence[Element], stack: Element) -> list[list[tuple[str, str]]]:
    frames = [[*elements[c].attributes.items(), *_leaves(elements, elements[c])] for c in stack.children]
    return [frame for frame in frames if reports.file_of(frame)]


def _is_own(frame: Sequence[tuple[str, str]]) -> bool:
    return not any(_LIBRARY.search(value) for _, value in frame)


def _rows(found: dict[int, reports.Finding]) -> dict[int, tuple[str, Keep, float, float, str]]:
    """A row each; a message that is found in several places once, with these."""
    ranks, below = reports.ranks(found), reports.directory(list(found.values()))
    within = len(reports.package(list(found.values())))
    alike: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for i, f in found.items():
        alike[(f.level, f.rule, f.message, f.evidence, "muted" * f.muted)].append(i)
    rows = {}
    for members in alike.values():
        first = found[members[0]]
        keep, weight = max(ranks[i] for i in members)
        places = _places([found[i] for i in members], below)
        ends = accumulate(len(place) + 2 for place in places)
        named = max(1, sum(end <= PLACES for end in ends))
        named += len(places) == named + 1  # the last one takes little more than to say that there is one
        files = len({found[i].file for i in members})
        more = f" and {len(places) - named:,} more" if len(places) > named else ""
        more += f" (in {files:,} files)" if more and files > 1 else ""
        more += f" ({len(members):,} times)" if len(places) < len(members) > 1 else ""
        where = ", ".join(places[:named])
        text = f"{where}{more} {first._replace(file='', at='', rule=first.rule[within:]).text()}".strip()
        rank = math.inf if first.muted else reports.rank(first.grade)
        rows[members[0]] = (text, keep, weight + FIRST * (not first.muted), rank, first.kind)
    return rows


def _places(found: Sequence[reports.Finding], below: str) -> list[str]:
    """Where they stand; a file that stands before is not named again."""
    places, file = [], ""
    for one in found:
        again = one.file == file and one.at
        places.append(f":{one.at}" if again else f"{one.file[len(below) :]}:{one.at}".strip(":"))
        file = one.file
    return [place for place in places if place]


# -- mutation tests ------------------------------------------------------------------------------------


def _mutants(elements: Sequence[Element]) -> dict[int, reports.Finding]:
    """Changes that a mutation test made (PIT): what no test saw is the finding, what was ``detected`` is as it should
    be. https://pitest.org/quickstart/maven/, ``mutations.xml``"""
    found = {}
    for i, element in enumerate(elements):
        if element.name == "mutation" and "detected" in element.attributes:
            told = defaultdict(str, _leaves(elements, element))
            change, done = told["mutator"].rpartition(".")[2], element.attributes["detected"] == "true"
            state, file = element.attributes.get("status", ""), told["sourceFile"]
            found[i] = reports.Finding(file, told["lineNumber"], state, change, told["mutatedMethod"], muted=done)
    return found


# -- items ---------------------------------------------------------------------------------------------


def _items(reading: XmlReading, told: set[int], rows: dict[int, tuple[str, Keep, float, float, str]]) -> list[Item]:
    """The rows, and with little weight what else the document holds."""
    elements = reading.elements
    inside = set[int]()
    for i in told:  # what holds rows says nothing of its own; what a row holds itself is in it
        inside.update((i, *(c for c in elements[i].children if 0 < len(elements[c].text) < LONG)))
        while (i := elements[i].parent) >= 0 and i not in inside:
            inside.add(i)
    made, broken = [], {kind for *_, kind in rows.values()}
    order = dict.fromkeys(told, math.inf)  # of findings and of what stands below them: the most severe first
    for i, (text, keep, weight, rank, kind) in rows.items():
        made.append((i, Item(elements[i].start, 0, text, keep, template=kind, weight=weight)))
        order[i] = rank
    below = set(told)
    for i, whole in reading.shown():
        parent = elements[i].parent
        if parent in below:
            below.add(i)
            order[i] = order[parent]
        if i not in inside:
            body = _explained(reading, i, whole, told) if i in below else _aside(reading, i, whole, inside, broken)
            made += [(i, Item(elements[i].start, 0, body, weight=ASIDE, flow="sentences"))] * (
                body not in ("", elements[i].name)
            )
    for i, item in made:
        item.end = item.start if elements[i].children else elements[i].end
        item.text = f"{item.start} {item.text}"
    return [item for i, item in sorted(made, key=lambda one: (order.get(one[0], math.inf), one[0]))]


def _explained(reading: XmlReading, i: int, whole: bool, told: set[int]) -> str:
    """What explains a finding: the messages of its steps, or the frames of one's own in its stack where they are
    several (one is its place); suppressions and classes are payload."""
    element = reading.elements[i]
    if element.parent in told and element.name.lower() in _STACKS:
        frames = [(reports.file_of(f), dict(f)) for f in _frames(reading.elements, element) if _is_own(f)]
        places = (f"{file}:{f.get('line', '')}".strip(":") + f" {f.get('fn', '')}".rstrip() for file, f in frames)
        own = dict.fromkeys(places)
        return clipped(f"own frames: {', '.join(own)}", LONG) if len(own) > 1 else ""
    if {element.name.lower(), reading.elements[element.parent].name.lower()} & _HOLDERS:  # the row says where
        return ""
    steps = _leaves(reading.elements, element) if whole and element.parent not in told else []
    said = next((t for name, t in [*steps, (element.name, element.text)] if t and reports.is_message(name)), "")
    return clipped(" ".join(said.split()), LONG)


def _aside(reading: XmlReading, i: int, whole: bool, inside: set[int], broken: set[str]) -> str:
    """What is said of the run as a whole, of a rule that was broken, or beside its findings (how to mend them); all
    else, as sources that were read, labels and other rules, is payload."""
    element, parent = reading.elements[i], reading.elements[max(0, reading.elements[i].parent)]
    if _SUMMED.search(element.name):
        return reading.flow(i, most=LONG) if whole else reading.head(element)
    mends = element.texts and not element.children and 0 < element.parent in inside and element.name != _PROBLEM
    said = element.text.startswith(_RUN) or (_WRONG.search(element.name) and not _WRONG.search(parent.name))
    if mends or said or not broken.isdisjoint(element.attributes.values()):
        return reading.flow(i, LONG, most=LONG)
    return ""


LONG: Final = 400  # characters of a text below a row: more is payload
