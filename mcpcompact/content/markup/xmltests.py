"""Test reports in XML (JUnit, TRX, NUnit, xUnit.net): their cases, and what of them is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from mcpcompact.content.anomalies.words import BROKEN, outcome_of
from mcpcompact.content.columns.values import Odd, odd_values
from mcpcompact.content.shared.frames import is_frame, place_of
from mcpcompact.content.shared.tests import Case, differing, drawn, line_of
from mcpcompact.outline import Item, Keep
from mcpcompact.patterns import regex

if TYPE_CHECKING:
    from mcpcompact.content.markup.xml import Element, XmlReading

CASES: Final = frozenset(("testcase", "UnitTestResult", "test-case", "test"))
"""Elements that report one test: JUnit, TRX, NUnit 3, xUnit.net 2."""
FAILURES: Final = frozenset(("failure", "error", "rerunfailure", "flakyfailure"))
"""Elements that say how a test failed."""
PAYLOAD: Final = frozenset(("property", "system-out", "system-err", "StdOut", "StdErr"))
CASE, PASSED, ASIDE, FRAMES = 3.0, 0.5, 0.1, 0.02
"""Weights: of a test, of one that passed, of payload and suites, of frames that are not one's own."""
PACKAGE, OWN = 2, 4  # parts of a class's name that tell its package; frames of it that are told
PROPERTY: Final = 0.01  # weight of one of the machine that ran the tests
RUNS, MAX = 12, 200  # parts of a failure, of which others may have the same; of any
GRID: Final = 2_000  # characters of a failure that shows columns, which stands whole
FEW_FRAMES: Final = 3  # of a shorter trace all are told
_ID: Final = regex(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?|\d{4}-\d\d-\d\d[T ].*|[0-9a-f]{32,}")


_DIGITS: Final = regex(r"\d+")


def ordered(attributes: dict[str, str]) -> list[tuple[str, str]]:
    """What names and measures before GUIDs, digests and time stamps."""
    return sorted(attributes.items(), key=lambda pair: _ID.fullmatch(pair[1]) is not None)


def cases(elements: Sequence[Element]) -> Iterator[tuple[int, Case]]:
    """The tests, each with the number of its element."""
    classes = {
        elements[e.parent].attributes.get("id", ""): e.attributes.get("className", "").partition(",")[0]
        for e in elements
        if e.name == "TestMethod"
    }  # TRX names a test's class apart from its result
    for i, element in enumerate(elements):
        if element.name not in CASES or (element.name == "test" and "result" not in element.attributes):
            continue
        own = element.attributes
        below = {child.name.lower(): child for child in element.children}
        outcome = (own.get("outcome") or own.get("result") or "").lower()
        outcome = next((name for name in ("failure", "error", "skipped") if name in below), outcome)
        detail = below.get(outcome) or below.get("failure") or below.get("reason") or below.get("output")
        name = own.get("fullname") or own.get("testName") or own.get("name", "")
        holder = own.get("classname") or classes.get(own.get("testId", ""), "")
        full = name if holder in name else f"{holder}{': ' if ' ' in name.partition('(')[0] else '.'}{name}"
        state = outcome_of(outcome or "passed")
        message = _message(detail, own.get("name", "")) if detail and state != "passed" else ""
        message = message or (line_of(own.get("label")) if state != "passed" else "")
        at = f"{own['file']}:{own['line']}" if own.get("line") and own.get("file") else ""  # where the test begins
        lines = [line for e in _inside(detail) for line in e.text.split("\n")] if detail else []
        yield i, Case(f"{element.start}:", full, state, message, place_of(lines, _package(full)) or at)


def _package(name: str) -> str:
    """The first parts of the dotted name of a test, where its frames can be told by them."""
    parts = name.split(".")
    return ".".join(parts[:PACKAGE]) + "." if len(parts) > PACKAGE and parts[0].islower() else ""


def _inside(holder: Element) -> list[Element]:
    inside = [holder]
    for element in inside:
        inside += element.children
    return inside


def _message(holder: Element, name: str) -> str:
    """The message in a line: an attribute, an element of its own, or the text itself."""
    for element in _inside(holder):
        if text := element.attributes.get("message") or (element.name.lower() == "message" and element.text):
            return line_of(text, name)
    return line_of(holder.text, name)


def slow(reading: XmlReading) -> dict[int, Odd]:
    """Tests of which a figure is far from that of all others, whatever suites they are in."""
    merged: dict[str, tuple[list[int], list[Any]]] = {}
    for path, name, where, values in reading.columns:
        if path.rpartition("/")[2] in CASES:
            for every, own in zip(merged.setdefault(name, ([], [])), (where, values), strict=True):
                every += own
    odds = ((where, odd) for name, (where, values) in merged.items() for odd in odd_values(name, values))
    return {where[odd.index]: odd for where, odd in odds if odd.keep == Keep.OUTLIER}


def items(reading: XmlReading, tests: Mapping[int, Case]) -> list[Item]:
    """How each failed test failed, below its name; a line for each other one; with little weight what stands beside."""
    elements, odds, result = reading.elements, slow(reading), list[Item]()
    failed = {i for i, case in tests.items() if case.outcome in BROKEN}
    holding = reading.holders(failed)
    below, beside = dict[int, int](), set[int]()  # the test of each; what says nothing of how it failed
    for i, element in enumerate(elements):
        below[i] = i if i in tests else below.get(element.parent, -1)
        if element.parent in beside or element.name in PAYLOAD or element.name.lower() == "properties":
            beside.add(i)
    for element, whole in reading.shown():
        i, test = element.number, below[element.number]
        if test in failed and test != i and i not in beside:
            for one in _inside(element) if whole else [element]:
                result += _failure(reading.head(one), one, tests[test], elements[test])
            continue
        text = reading.flow(element) if whole else reading.head(element)
        short = _without_ids(text, element)
        text = short if i in tests or short == f"{element.name} …" else text
        item = Item(element.start, element.end if whole else element.start, f"{element.start} {text}", weight=ASIDE)
        item.part = reading.part(element, whole)
        if i in failed:
            item.keep = Keep.SEVERE if whole else Keep.NONE  # of a long one the list has the name
        elif i in tests:
            item.weight = PASSED if tests[i].outcome == "passed" else CASE
            if odd := odds.get(i):
                item.keep, item.reason, item.template = odd.keep, odd.reason, odd.template
        else:
            _beside(item, element, test >= 0, element.parent in holding)
        result += [item] if text.removesuffix(" …") != element.name else []
    return sorted(result, key=lambda item: item.start)


def _without_ids(text: str, element: Element) -> str:
    """Without the attributes that programs alone read."""
    kept = text
    for key, value in element.attributes.items():
        kept = kept.replace(f" {key}={value}", "") if _ID.fullmatch(value) else kept
    return kept + " …" * (kept != text)


def _beside(item: Item, element: Element, tested: bool, tests_tell: bool) -> None:
    """What stands within a test or suite; that one failed says nothing where a test in it did (``tests_tell``)."""
    if element.name.lower() in FAILURES and not tests_tell and not tested:
        item.keep = Keep.SEVERE
    elif element.name in ("property", "properties"):
        item.weight = PROPERTY
    elif not tested and " " in element.text:  # what is said of the run
        item.weight = 1.0


def _failure(head: str, element: Element, case: Case, test: Element) -> list[Item]:
    """What says how a test failed: the message, of a difference the lines that differ, the message of each cause and
    the nearest frames of one's own; with little weight the others, and what the list of failed tests says."""
    name = test.attributes.get("name") or test.attributes.get("testName") or case.name
    apart = not element.children and len(element.texts) == 1
    lines = element.text.split("\n") if apart else []
    if element.at + len(lines) - 1 > element.end:  # entities stand for line breaks
        lines = [element.text]
    pairs = [f"{key}={line_of(value)}" for key, value in element.attributes.items()]
    pairs = [text for text in pairs if text.partition("=")[2] not in (*lines[:1], case.message)]
    parts = [Item(element.start, element.start, " ".join([f"{element.start} {element.name}", *pairs]))] if pairs else []
    if element.texts and not apart:
        parts = [Item(element.start, element.start, f"{element.start} {head}")]
    frames, start = _told(lines, _package(case.name)) if lines else set(), 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or ((end in frames) != (start in frames) and len(parts) < MAX):
            place, text = (element.at + start, element.at + end - 1), "\n".join(lines[start:end])
            grid = drawn(lines[start:end]) < end - start
            again = not grid and case.message.startswith(line_of(text, name))
            weight = FRAMES if start not in frames else PASSED if again else CASE / 2
            keep = Keep.SEVERE if start in frames and not again else Keep.NONE
            parts.append(Item(*place, f"{place[0]} {text}", keep, weight=weight, whole=grid and len(text) <= GRID))
            start = end
    alike = _DIGITS.sub("0", f"{pairs} {element.text}") if len(parts) <= RUNS else ""  # all but for numbers
    for n, one in enumerate(parts):
        one.section = f"{test.start} {line_of(name)}"
        one.template = f"{n} {alike}" if alike else ""
    return parts


def _told(lines: Sequence[str], package: str) -> set[int]:
    from mcpcompact.content.log.entries import FRAME
    from mcpcompact.content.log.weights import telling

    frames = [at for at, line in enumerate(lines) if FRAME.match(line) or is_frame(line)]
    differs = differing(lines)
    if not all(differs):
        return {at for at, says in enumerate(differs) if says}
    if len(frames) < FEW_FRAMES:
        return {*range(len(lines))}
    own = [at for at in frames if package in lines[at] and place_of([lines[at]])][:OWN]
    causes = telling(lines) if frames[0] else []
    return {*range(frames[0]), *own, *(at for start, end, _ in causes for at in range(start, end))} or {*frames[:OWN]}
