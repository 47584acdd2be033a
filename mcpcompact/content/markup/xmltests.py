"""Test reports in XML (JUnit, TRX, NUnit, xUnit.net): their cases, and what of them is shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from mcpcompact.content.shared.tests import Case, line_of, outcome_of
from mcpcompact.outline import Item, Keep
from mcpcompact.patterns import regex

if TYPE_CHECKING:
    from mcpcompact.content.markup.xml import Element

CASES: Final = frozenset(("testcase", "UnitTestResult", "test-case", "test"))
"""Elements that report one test: JUnit, TRX, NUnit 3, xUnit.net 2."""
FAILURES: Final = frozenset(("failure", "error", "rerunfailure", "flakyfailure"))
"""Elements that say how a test failed."""
PAYLOAD: Final = frozenset(("property", "system-out", "system-err", "StdOut", "StdErr"))
CASE, ASIDE, FRAMES = 3.0, 0.3, 0.1  # weight of a test, of payload, of the frames of a trace that are not one's own
PACKAGE, OWN = 2, 4  # parts of a class's name that tell its package; frames of it that are told
PROPERTY: Final = 0.01  # weight of one of the machine that ran the tests
TOLD: Final = 0.8  # weight of the messages in a trace that a test printed
LONG_TRACE: Final = 6  # frames
_ID: Final = regex(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?|\d{4}-\d\d-\d\d[T ].*|[0-9a-f]{32,}")


def ordered(attributes: dict[str, str]) -> list[tuple[str, str]]:
    """What names and measures before GUIDs, digests and time stamps."""
    return sorted(attributes.items(), key=lambda pair: _ID.fullmatch(pair[1]) is not None)


def cases(elements: Sequence[Element]) -> Iterator[Case]:
    classes = {
        elements[e.parent].attributes.get("id", ""): e.attributes.get("className", "").partition(",")[0]
        for e in elements
        if e.name == "TestMethod"
    }  # TRX names a test's class apart from its result
    for element in elements:
        if element.name not in CASES or (element.name == "test" and "result" not in element.attributes):
            continue
        own = element.attributes
        below = {elements[i].name.lower(): elements[i] for i in element.children}
        outcome = (own.get("outcome") or own.get("result") or "").lower()
        outcome = next((name for name in ("failure", "error", "skipped") if name in below), outcome)
        said = below.get(outcome) or below.get("failure") or below.get("reason") or below.get("output")
        name = own.get("fullname") or own.get("testName") or own.get("name", "")
        holder = own.get("classname") or classes.get(own.get("testId", ""), "")
        full = name if holder in name else f"{holder}.{name}"
        state = outcome_of(outcome or "passed")
        yield Case(f"{element.start}:", full, state, _message(elements, said) if said and state != "passed" else "")


def _message(elements: Sequence[Element], holder: Element) -> str:
    """The message in a line: an attribute, an element of its own, or the text itself."""
    below = [holder]
    for element in below:
        if text := element.attributes.get("message") or (element.name.lower() == "message" and element.text):
            return line_of(text)
        below += [elements[i] for i in element.children]
    return line_of(holder.text)


def weight(name: str) -> float:
    """Of an element of a test report: tests before output and properties."""
    return CASE if name in CASES else PROPERTY if name == "property" else ASIDE if name in PAYLOAD else 1.0


def trace(element: Element, test: Element, section: str) -> list[Item]:
    """Of a failure or output with a long trace: its head, the message of each cause, the nearest frames of one's own;
    with little weight the others. Nothing where there is no such trace."""
    from mcpcompact.content.log.entries import FRAME
    from mcpcompact.content.log.weights import telling

    lines = element.text.split("\n")
    frames = [at for at, line in enumerate(lines) if FRAME.match(line)]
    if len(frames) < LONG_TRACE or len(element.texts) > 1 or element.at + len(lines) - 1 > element.end:
        return []
    told = {at for start, end, _ in telling(lines) for at in range(start, end)}
    if package := ".".join(test.attributes.get("classname", "").split(".")[:PACKAGE]):
        told.update([at for at in frames if f" {package}." in lines[at]][:OWN])
    failed = element.name.lower() in FAILURES
    keep, heavy = (Keep.SEVERE, 1.5) if failed else (Keep.NONE, TOLD)
    said = [f"{key}={line_of(value)}" for key, value in element.attributes.items() if line_of(value) not in lines[0]]
    head = " ".join([f"{element.start} {element.name}", *said])
    items = [Item(element.start, element.start, head, keep, weight=heavy, section=section)] if said else []
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or (end in told) != (start in told):
            text = f"{element.at + start} " + "\n".join(lines[start:end])
            own = start in told
            place = element.at + start, element.at + end - 1
            items.append(
                Item(*place, text, keep if own else Keep.NONE, weight=heavy if own else FRAMES, section=section)
            )
            start = end
    return items
