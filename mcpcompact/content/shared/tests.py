"""Test reports, whatever they are written in: cases by outcome, the failed ones by full name and message.

Of JSON: the events of ``go test -json`` and of Dart's and Flutter's ``--machine``; the documents of mocha and what is
built on it, of jest and vitest, of pytest (pytest-json-report) and Playwright. What is a test is told by the fields
that these alone have: a build or a check with a name and a status is none.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise, takewhile
from typing import Any, Final, NamedTuple

from mcpcompact.content.anomalies.words import BROKEN, outcome_of
from mcpcompact.content.shared.frames import is_frame, place_of
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex, uncoloured
from mcpcompact.phrasing import clipped, counted

MESSAGE: Final = 160  # characters of a failure's message beside the name; the whole stands with its element
REASONS, NAMED = 3, 12  # why tests were skipped, most frequent first; tests that did not pass nor fail, by name
TOLD: Final = 40  # lines that a failed test printed
LOOKED: Final = 200_000  # values of a document that are looked at
_MARKS: Final = frozenset(("fullTitle", "failureMessages", "nodeid", "ok"))  # one of them is a key of each test
CALLED: Final = regex(r"(?i)(?:name|titles?(?:\[\])?|nodeid)$")  # fields that name a test
OWN_KEYS: Final = _MARKS - {"ok"}
_GAP: Final = regex(r"\S {3,}[^\s:]|^ {3,}$")  # between cells, or nothing but empty ones
GRID: Final = 3  # lines with one that make a grid
_RULED: Final = regex(r"[═─━=]{3}")
_GO_FRAME: Final = regex(r"(?:=== |--- |\s+--- |FAIL\b|PASS\b|ok\s)")  # what go prints around what a test says
_GO_ENDS: Final = frozenset(("pass", "fail", "skip"))


class Case(NamedTuple):
    """One test: where it stands (``17:``, a line; ``#3``, a record; nothing), its name, outcome, message in a line,
    and the frame of one's own that it failed in; of one that failed the records that say how, by a field of theirs."""

    place: str
    name: str
    outcome: str
    message: str
    at: str = ""
    records: tuple[int, ...] = ()
    field: str = ""  # ``testID=8``

    def text(self, outcome: bool = False) -> str:
        result = f"{self.outcome}{': ' * bool(self.message)}" * outcome + self.message
        at = self.at if self.at not in self.message else ""
        return " — ".join(filter(None, (f"{self.place} {self.name}".strip(), result, at)))


def line_of(text: Any, name: str = "") -> str:
    """A message in a line: up to its stack, of a difference within it the lines that differ, without the test's name
    that stands before it."""
    lines = uncoloured(str(text or "")).strip().split("\n")
    lines = [*takewhile(lambda line: line is lines[0] or not is_frame(line), lines)]
    lines = [line for line, differs in zip(lines, differing(lines), strict=True) if differs]
    end = drawn(lines)
    lines[end:] = [f"…[+{len(lines) - end} lines]"] if end < len(lines) else []
    named = name and len(lines) > 1 and lines[0].strip().endswith(f":{name}")  # ``CartTest::adds``
    return clipped(" ".join(" ".join(lines[1:] if named else lines).removeprefix(name or " ").split()), MESSAGE)


def drawn(lines: Sequence[str]) -> int:
    """The line of a message with which columns or a grid begin, that no line could hold; their number: none."""
    gaps = [n for n, line in enumerate(lines) if n and _GAP.search(line)]
    return gaps[0] if len(gaps) >= GRID else len(lines)


def differing(lines: Sequence[str]) -> list[bool]:
    """Of each line of a message whether it says something: of a difference (``--- Expected``) what is not on both
    sides, and no heads of its own."""
    head = next((n for n, (a, b) in enumerate(pairwise(lines)) if a[:4] == "--- " and b[:4] == "+++ "), len(lines))
    return [n < head or (n > head + 1 and line[:1] in ("-", "+")) for n, line in enumerate(lines)]


def reported(cases: Iterable[Case], of: str = "line") -> list[Fact]:
    """Cases by outcome, the failed ones, name, message and place first, and those that did neither pass nor fail: a
    line each; of many why they did not."""
    tests = list(cases)
    if not tests:
        return []
    outcomes = Counter(case.outcome for case in tests)
    order = dict.fromkeys(("passed", "failed", "error", "skipped", *sorted(outcomes)))
    parts = [f"{name} {outcomes[name]:,}" for name in order if outcomes[name]]
    facts = [Fact(f"{counted(len(tests), 'test case')}: {', '.join(parts)}.", 0)]
    failed = [case for case in tests if case.outcome in BROKEN]
    where = f"{of}: " if tests[0].place else ""
    if failed:
        lines = [f"{case.place} {case.name}".strip() for case in failed]
        head, whole = (
            f"failed ({where}name — message{' — place' * any(one.at for one in failed)}):",
            [*map(Case.text, failed)],
        )
        facts.append(Fact("\n".join([head, *whole]), 0, short="\n".join([head, whole[0], *lines[1:]])))
    others = [case for case in tests if case.outcome not in (*BROKEN, "passed")]
    return [*facts, *_others(others, where, 1 if failed else 0)]


def _others(others: Sequence[Case], where: str, rank: int) -> Iterator[Fact]:
    kinds = {case.outcome for case in others}
    one = kinds.pop() if len(kinds) == 1 else ""
    reasons = Counter(case.message for case in others if case.message)
    frequent = reasons.most_common(REASONS)
    often = " · ".join(f"{count:,}× {reason}" for reason, count in frequent)
    left = len(others) - sum(dict(frequent).values())
    often += f" · {left:,} more" if often and left else ""
    often = f"{one or 'neither passed nor failed'}: {often}" if often else ""
    if 0 < len(others) <= NAMED:
        behind = " — why" * bool(reasons) if one else " — outcome" + ": why" * bool(reasons)
        head = f"{one or 'neither passed nor failed'} ({where}name{behind}):"
        yield Fact("\n".join([head, *(case.text(not one) for case in others)]), rank, short=often)
    elif often:
        yield Fact(often, 1)


# -- events ------------------------------------------------------------------------------------------------------


def is_stream(first: Mapping[str, Any]) -> bool:
    """Whether an event begins a stream of events of tests."""
    return {"Action", "Package"} <= first.keys() or {"type", "protocolVersion", "runnerVersion"} <= first.keys()


def of_events(records: Iterable[Mapping[str, Any]]) -> Iterator[Case]:
    """The tests of a stream of events, each by the number of the event that says how it ended."""
    numbered = enumerate(records, 1)
    for n, first in numbered:
        yield from (_of_go if "Action" in first else _of_dart)(chain([(n, first)], numbered))


def _of_go(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[Case]:
    """``{"Action": "fail", "Package": …, "Test": …}``; a package that fails without a test did not build."""
    outputs: dict[tuple[str, str], list[tuple[int, str]]] = {}
    broken: set[str] = set()
    for n, record in records:
        action, key = record.get("Action"), (str(record.get("Package", "")), str(record.get("Test") or ""))
        if action == "output":
            text = str(record.get("Output", ""))
            outputs.setdefault(key, []).extend([(n, text)] if text and not _GO_FRAME.match(text) else ())
        elif action in _GO_ENDS and (key[1] or (action == "fail" and key[0] not in broken)):
            if action == "fail":
                broken.add(key[0])
            own = outputs.get(key, [])
            message = line_of("".join(text for _, text in own)) if action != "pass" else ""
            field = f"Test={key[1]}" if key[1] else f"Package={key[0]}"
            numbers = tuple(row for row, _ in own[:TOLD]) or (n,)
            yield Case(f"#{n}", key[1] or key[0], outcome_of(str(action)), message, "", numbers, field)


def _of_dart(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[Case]:
    """``testStart`` names a test by a number, ``error`` says how it failed (where it has no stack, what the test
    printed last says it), ``testDone`` its result."""
    names: dict[str, str] = {}
    errors: dict[str, list[str]] = {}
    stacks: dict[str, str] = {}
    printed: dict[str, tuple[int, str]] = {}
    rows: dict[str, list[int]] = {}
    for n, record in records:
        kind, test = record.get("type"), str(record.get("testID"))
        if kind == "testStart" and isinstance(begun := record.get("test"), dict):
            names[str(begun.get("id"))] = str(begun.get("name", ""))
        elif kind == "print":
            printed[test] = n, str(record.get("message", ""))
        elif kind == "error":
            stack, error = str(record.get("stackTrace") or ""), str(record.get("error", ""))
            if not stack.strip() and test in printed:
                above, stack = printed[test]
                error = "\n".join(["printed:", *(line for line in stack.split("\n") if not _RULED.search(line))])
                rows.setdefault(test, []).append(above)
            rows.setdefault(test, []).append(n)
            errors.setdefault(test, []).append(error)
            stacks.setdefault(test, stack)
        elif kind == "testDone" and not (record.get("hidden") and record.get("result") == "success"):
            outcome = "skipped" if record.get("skipped") else outcome_of(str(record.get("result", "")))
            message = " ".join(map(line_of, errors.get(test, ())))
            at = place_of(stacks.get(test, "").split("\n"))
            numbers = tuple(rows.get(test, ())) or (n,)
            yield Case(f"#{n}", names.get(test, ""), outcome, message, at, numbers, f"testID={test}")


# -- documents ---------------------------------------------------------------------------------------------------


def of_document(root: Any) -> list[Case]:
    """The tests that a document reports; none where it is no test report."""
    if isinstance(root, dict) and isinstance(root.get("stats"), dict) and isinstance(root.get("tests"), list):
        pending = {_name(test) for test in _objects(root.get("pending"))}
        cases = [case for test in _objects(root["tests"]) if (case := _mocha(test, pending))]
        return cases if len(cases) == len(root["tests"]) else []
    cases, work = [], deque([root])
    for _ in range(LOOKED):
        if not work:
            return cases
        node = work.popleft()
        marked = isinstance(node, dict) and not _MARKS.isdisjoint(node)
        if marked and (case := _playwright(node) or _pytest(node) or _mocha(node, frozenset()) or _jest(node)):
            cases.append(case)
            continue
        below = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        work.extend([child for child in below if isinstance(child, (dict, list))])
    return []  # of a part of them nothing is said


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _name(test: Mapping[str, Any]) -> str:
    return str(test.get("fullTitle") or test.get("fullName") or test.get("title") or "")


def _mocha(test: Mapping[str, Any], pending: Iterable[str]) -> Case | None:
    if "fullTitle" not in test or not isinstance(error := test.get("err", ...), dict):
        return None
    name, state = _name(test), outcome_of(str(test.get("state") or ""))
    outcome = "failed" if error else state or ("skipped" if name in pending else "passed")
    return Case("", name, outcome, line_of(error.get("message")), place_of(str(error.get("stack")).split("\n")))


def _jest(test: Mapping[str, Any]) -> Case | None:
    if not {"fullName", "status", "failureMessages"} <= test.keys():
        return None
    messages = test["failureMessages"]
    message = str(messages[0]) if isinstance(messages, list) and messages else ""
    at = place_of(uncoloured(message).split("\n"))
    return Case("", _name(test), outcome_of(str(test["status"])), line_of(message), at)


def _pytest(test: Mapping[str, Any]) -> Case | None:
    if not {"nodeid", "outcome"} <= test.keys():
        return None
    parts = [part for name in ("setup", "call", "teardown") if isinstance(part := test.get(name), dict)]
    crash: dict[str, Any] = next((part["crash"] for part in parts if isinstance(part.get("crash"), dict)), {})
    at = f"{crash.get('path')}:{crash['lineno']}" if crash.get("lineno") else ""
    return Case("", str(test["nodeid"]), outcome_of(str(test["outcome"])), line_of(crash.get("message")), at)


def _playwright(spec: Mapping[str, Any]) -> Case | None:
    if not {"title", "ok", "tests"} <= spec.keys():
        return None
    tests = _objects(spec["tests"])
    results = [result for test in tests for result in _objects(test.get("results"))]
    error: dict[str, Any] = next((r["error"] for r in results if isinstance(r.get("error"), dict)), {})
    skipped = bool(tests) and all(test.get("status") == "skipped" for test in tests)
    if not (results or skipped):
        return None
    outcome = "skipped" if skipped else "passed" if spec["ok"] else "failed"
    name = f"{spec['file']}:{spec.get('line', '')} {spec['title']}" if spec.get("file") else str(spec["title"])
    at = place_of(uncoloured(str(error.get("stack"))).split("\n")) if outcome == "failed" else ""
    return Case("", name, outcome, line_of(error.get("message")) if outcome == "failed" else "", at)
