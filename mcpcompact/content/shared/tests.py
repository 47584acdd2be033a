"""Test reports, whatever they are written in: cases by outcome, the failed ones by full name and message.

Of JSON: the events of ``go test -json`` and of Dart's and Flutter's ``--machine``; the documents of mocha and what is
built on it, of jest and vitest, of pytest (pytest-json-report) and Playwright. What is a test is told by the fields
that these alone have: a build or a check with a name and a status is none.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, NamedTuple

from mcpcompact.outline import Fact
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped, counted

FAILED: Final = frozenset(("failure", "failed", "fail", "timeout", "aborted", "timedout", "interrupted", "unexpected"))
SKIPPED: Final = frozenset(
    ("skipped", "skip", "notexecuted", "inconclusive", "ignored", "disabled", "pending", "todo", "xfailed")
)
PASSED: Final = frozenset(("passed", "pass", "success", "completed", "expected", "xpassed", "ok"))
MESSAGE: Final = 160  # characters of a failure's message beside the name; the whole stands with its element
REASONS: Final = 3  # why tests were skipped, most frequent first
LOOKED: Final = 200_000  # values of a document that are looked at
_MARKS: Final = frozenset(("fullTitle", "failureMessages", "nodeid", "ok"))  # one of them is a key of each test
_COLOUR: Final = regex(r"\x1b\[[\d;]*m")
_GO_FRAME: Final = regex(r"(?:=== |--- |\s+--- |FAIL\b|PASS\b|ok\s)")  # what go prints around what a test says
_GO_ENDS: Final = frozenset(("pass", "fail", "skip"))


class Case(NamedTuple):
    """One test: where it stands (``17:``, a line; ``#3``, a record; nothing), its name, outcome, message in a line."""

    place: str
    name: str
    outcome: str
    message: str


def outcome_of(said: str) -> str:
    """``passed``, ``failed`` or ``skipped`` for any of the words for it; others as they are."""
    low = said.lower()
    return "failed" if low in FAILED else "skipped" if low in SKIPPED else "passed" if low in PASSED else low


def line_of(text: Any) -> str:
    """A message in a line."""
    return clipped(" ".join(_COLOUR.sub("", str(text or "")).split()), MESSAGE)


def reported(cases: Iterable[Case], of: str = "line") -> list[Fact]:
    """Cases by outcome, why some were skipped, the failed ones: a line each, name and message first."""
    found = list(cases)
    if not found:
        return []
    outcomes = Counter(case.outcome for case in found)
    order = dict.fromkeys(("passed", "failed", "error", "skipped", *sorted(outcomes)))
    parts = [f"{name} {outcomes[name]:,}" for name in order if outcomes[name]]
    said = [Fact(f"{counted(len(found), 'test case')}: {', '.join(parts)}.", 0)]
    failed = [case for case in found if case.outcome in ("failed", "error")]
    if failed:
        lines = [f"{case.place} {case.name}" if case.place else case.name for case in failed]
        whole = [f"{line} — {case.message}" if case.message else line for line, case in zip(lines, failed, strict=True)]
        head = f"failed ({f'{of}: ' if failed[0].place else ''}name — message):"
        said.append(Fact("\n".join([head, *whole]), 0, short="\n".join([head, whole[0], *lines[1:]])))
    reasons = Counter(case.message for case in found if case.outcome == "skipped" and case.message)
    if reasons:
        often = " · ".join(f"{count:,}× {reason}" for reason, count in reasons.most_common(REASONS))
        said.append(Fact(f"skipped: {often}", 1))
    return said


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
    said: dict[tuple[str, str], list[str]] = {}
    broken: set[str] = set()
    for n, record in records:
        action, key = record.get("Action"), (str(record.get("Package", "")), str(record.get("Test") or ""))
        if action == "output":
            text = str(record.get("Output", ""))
            said.setdefault(key, []).append("" if _GO_FRAME.match(text) else text)
        elif action in _GO_ENDS and (key[1] or (action == "fail" and key[0] not in broken)):
            if action == "fail":
                broken.add(key[0])
            message = line_of("".join(said.get(key, ()))) if action != "pass" else ""
            yield Case(f"#{n}", key[1] or key[0], outcome_of(str(action)), message)


def _of_dart(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[Case]:
    """``testStart`` names a test by a number, ``error`` says how it failed, ``testDone`` its result."""
    names: dict[str, str] = {}
    errors: dict[str, list[str]] = {}
    for n, record in records:
        if record.get("type") == "testStart" and isinstance(test := record.get("test"), dict):
            names[str(test.get("id"))] = str(test.get("name", ""))
        elif record.get("type") == "error":
            errors.setdefault(str(record.get("testID")), []).append(str(record.get("error", "")))
        elif record.get("type") == "testDone" and not (record.get("hidden") and record.get("result") == "success"):
            test = str(record.get("testID"))
            outcome = "skipped" if record.get("skipped") else outcome_of(str(record.get("result", "")))
            yield Case(f"#{n}", names.get(test, ""), outcome, line_of(" ".join(errors.get(test, ()))))


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
        if isinstance(node, dict) and not _MARKS.isdisjoint(node) and (case := _case(node)):
            cases.append(case)
            continue
        below = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
        work.extend([child for child in below if isinstance(child, (dict, list))])
    return []  # of a part of them nothing is said


def _case(node: Mapping[str, Any]) -> Case | None:
    return _playwright(node) or _pytest(node) or _mocha(node, frozenset()) or _jest(node)


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _name(test: Mapping[str, Any]) -> str:
    return str(test.get("fullTitle") or test.get("fullName") or test.get("title") or "")


def _mocha(test: Mapping[str, Any], pending: Iterable[str]) -> Case | None:
    if "fullTitle" not in test or not isinstance(error := test.get("err", ...), dict):
        return None
    name, state = _name(test), outcome_of(str(test.get("state") or ""))
    outcome = "failed" if error else state or ("skipped" if name in pending else "passed")
    return Case("", name, outcome, line_of(error.get("message")))


def _jest(test: Mapping[str, Any]) -> Case | None:
    if not {"fullName", "status", "failureMessages"} <= test.keys():
        return None
    messages = test["failureMessages"]
    message = messages[0] if isinstance(messages, list) and messages else ""
    return Case("", _name(test), outcome_of(str(test["status"])), line_of(message))


def _pytest(test: Mapping[str, Any]) -> Case | None:
    if not {"nodeid", "outcome"} <= test.keys():
        return None
    parts = [part for name in ("setup", "call", "teardown") if isinstance(part := test.get(name), dict)]
    crash: dict[str, Any] = next((part["crash"] for part in parts if isinstance(part.get("crash"), dict)), {})
    return Case("", str(test["nodeid"]), outcome_of(str(test["outcome"])), line_of(crash.get("message")))


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
    return Case("", name, outcome, line_of(error.get("message")) if outcome == "failed" else "")
