"""Test reports in XML (JUnit, TRX, NUnit, xUnit.net): cases by outcome, failed ones by full name and message."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from mcpcompact.outline import Fact, Item, Keep
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted

if TYPE_CHECKING:
    from mcpcompact.content.markup.xml import Element

CASES: Final = frozenset(("testcase", "UnitTestResult", "test-case", "test"))
"""Elements that report one test: JUnit, TRX, NUnit 3, xUnit.net 2."""
FAILED: Final = frozenset(("failure", "failed", "fail", "timeout", "aborted"))
SKIPPED: Final = frozenset(("skipped", "skip", "notexecuted", "inconclusive", "ignored", "disabled"))
PASSED: Final = frozenset(("passed", "pass", "success", "completed"))
FAILURES: Final = frozenset(("failure", "error", "rerunfailure", "flakyfailure"))
"""Elements that say how a test failed."""
PAYLOAD: Final = frozenset(("property", "system-out", "system-err", "StdOut", "StdErr"))
CASE, ASIDE, FRAMES = 3.0, 0.3, 0.1  # weight of a test, of payload, of the frames of a trace that are not one's own
PACKAGE, OWN = 2, 4  # parts of a class's name that tell its package; frames of it that are told
PROPERTY: Final = 0.01  # weight of one of the machine that ran the tests
TOLD: Final = 0.8  # weight of the messages in a trace that a test printed
LONG_TRACE: Final = 6  # frames
MESSAGE: Final = 160  # characters of a failure's message beside the name; the whole stands with its element
REASONS: Final = 3  # why tests were skipped, most frequent first
_ID: Final = regex(r"\{?[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\}?|\d{4}-\d\d-\d\d[T ].*|[0-9a-f]{32,}")


class Case(NamedTuple):
    """One test: the line of its element, its name with its class, outcome and message."""

    line: int
    name: str
    outcome: str
    message: str


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
        state = "failed" if outcome in FAILED else "skipped" if outcome in SKIPPED else outcome or "passed"
        state = "passed" if state in PASSED else state
        yield Case(element.start, full, state, _message(elements, said) if said and state != "passed" else "")


def _message(elements: Sequence[Element], holder: Element) -> str:
    """The message in a line: an attribute, an element of its own, or the text itself."""
    below = [holder]
    for element in below:
        if text := element.attributes.get("message") or (element.name.lower() == "message" and element.text):
            return _line(text)
        below += [elements[i] for i in element.children]
    return _line(holder.text)


def _line(text: str) -> str:
    return clipped(" ".join(text.split()), MESSAGE)


def facts(elements: Sequence[Element]) -> list[Fact]:
    """Cases by outcome, why some were skipped, the failed ones: a line each, name and message first."""
    found = list(cases(elements))
    if not found:
        return []
    outcomes = Counter(case.outcome for case in found)
    order = dict.fromkeys(("passed", "failed", "error", "skipped", *sorted(outcomes)))
    parts = [f"{name} {outcomes[name]:,}" for name in order if outcomes[name]]
    said = [Fact(f"{counted(len(found), 'test case')}: {', '.join(parts)}.", 0)]
    failed = [case for case in found if case.outcome in ("failed", "error")]
    if failed:
        lines = [f"{case.line}: {case.name}" for case in failed]
        whole = [f"{line} — {case.message}" if case.message else line for line, case in zip(lines, failed, strict=True)]
        head = "failed (line: name — message):"
        said.append(Fact("\n".join([head, *whole]), 0, short="\n".join([head, whole[0], *lines[1:]])))
    reasons = Counter(case.message for case in found if case.outcome == "skipped" and case.message)
    if reasons:
        often = " · ".join(f"{count:,}× {reason}" for reason, count in reasons.most_common(REASONS))
        said.append(Fact(f"skipped: {often}", 1))
    return said


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
    said = [f"{key}={_line(value)}" for key, value in element.attributes.items() if _line(value) not in lines[0]]
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
