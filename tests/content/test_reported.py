"""Test reports in JSON: cases by outcome, the failed ones by name and message, whatever runner wrote them."""

from __future__ import annotations

import json
from typing import Any

from mcpcompact import compact

FILLER = [f"harbour master {n} logs the tide at pier {n * 7919 % 997}" for n in range(60)]


def told(value: Any, lines: bool = False) -> str:
    text = "\n".join(map(json.dumps, value)) if lines else json.dumps(value)
    return compact(text, budget=400, threshold=100).text


def test_events_of_go_tell_each_test_by_its_last_event() -> None:
    events: list[dict[str, Any]] = [{"Action": "start", "Package": "quay"}]
    for n, line in enumerate(FILLER):
        name = f"TestPier{n}"
        events += [{"Action": "run", "Package": "quay", "Test": name}]
        events += [{"Action": "output", "Package": "quay", "Test": name, "Output": f"    {line} error\n"}]
        events += [{"Action": "pass", "Package": "quay", "Test": name, "Elapsed": 0.1}]
    events += [
        {"Action": "output", "Package": "quay", "Test": "TestDepth", "Output": "=== RUN   TestDepth\n"},
        {"Action": "output", "Package": "quay", "Test": "TestDepth", "Output": "    depth_test.go:9: got 3, want 4\n"},
        {"Action": "fail", "Package": "quay", "Test": "TestDepth", "Elapsed": 0.1},
        {"Action": "fail", "Package": "quay", "Elapsed": 0.2},
        {"Action": "output", "Package": "mole", "Output": "mole.go:3: undefined: anchor\n"},
        {"Action": "fail", "Package": "mole", "Elapsed": 0},
    ]
    shown = told(events, lines=True)
    assert "62 test cases: passed 60, failed 2." in shown
    assert "#184 TestDepth — depth_test.go:9: got 3, want 4" in shown  # not the package that failed for it
    assert "#187 mole — mole.go:3: undefined: anchor" in shown
    assert "name a failure" not in shown


def test_events_of_dart_name_a_test_by_its_number() -> None:
    events: list[dict[str, Any]] = [{"type": "start", "protocolVersion": "0.1.1", "runnerVersion": "1.9", "time": 0}]
    for n, line in enumerate(FILLER):
        events += [{"type": "testStart", "test": {"id": n, "name": line}, "time": n}]
        events += [{"type": "error", "testID": n, "error": "no anchor", "time": n}] * (n == 7)
        result = "failure" if n == 7 else "success"
        events += [{"type": "testDone", "testID": n, "result": result, "hidden": n == 0, "skipped": n == 9, "time": n}]
    shown = told(events, lines=True)
    assert "59 test cases: passed 57, failed 1, skipped 1." in shown  # what the runner does for itself is no test
    assert f"#18 {FILLER[7]} — no anchor" in shown


def test_documents_of_runners_name_the_failed_tests() -> None:
    mocha = [{"title": line, "fullTitle": f"quay {line}", "err": {}} for line in FILLER]
    mocha[4]["err"] = {"message": "expected 3 to equal 4"}
    stats = {"tests": 60, "passes": 59, "failures": 1}
    jest = [
        {"fullName": line, "title": line, "status": "passed", "failureMessages": [], "ancestorTitles": []}
        for line in FILLER
    ]
    jest[4] |= {"status": "failed", "failureMessages": ["\x1b[31mexpected\x1b[39m 3 to equal 4\n  at tide.js:3"]}
    pytests = [{"nodeid": f"tide.py::{line}", "outcome": "passed", "call": {"duration": 0.1}} for line in FILLER]
    pytests[4] |= {"outcome": "failed", "call": {"crash": {"message": "expected 3 to equal 4", "path": "tide.py"}}}
    specs = [{"title": line, "ok": True, "tests": [{"status": "expected", "results": [{}]}]} for line in FILLER]
    specs[4] |= {"ok": False, "tests": [{"results": [{"error": {"message": "expected 3 to equal 4"}}]}]}
    for report in (
        {"stats": stats, "tests": mocha, "passes": [one for one in mocha if not one["err"]], "failures": [mocha[4]]},
        {"numFailedTests": 1, "testResults": [{"name": "tide.js", "assertionResults": jest}]},
        {"duration": 2.5, "summary": {"failed": 1}, "tests": pytests},
        {"config": {}, "suites": [{"title": "tide", "specs": specs}]},
    ):
        shown = told(report)
        assert "60 test cases: passed 59, failed 1." in shown
        assert f"{FILLER[4]} — expected 3 to equal 4" in shown


def test_checks_with_a_name_and_a_state_are_no_tests() -> None:
    checks = [
        {"name": line, "title": line, "status": "failed" if n == 5 else "passed"} for n, line in enumerate(FILLER)
    ]
    assert "test case" not in told({"checks": checks})
    assert "test case" not in told(checks, lines=True)


def test_an_error_of_dart_without_a_stack_is_told_by_what_was_printed_before() -> None:
    events: list[dict[str, Any]] = [{"type": "start", "protocolVersion": "0.1.1", "runnerVersion": "1.9", "time": 0}]
    for n, line in enumerate(FILLER):
        events += [{"type": "testStart", "test": {"id": n, "name": line}, "time": n}]
        if n == 7:
            printed = (
                "═══╡ CAUGHT ╞═══\nExpected: <2>\nActual: <1>\n#0 fail (package:test_api/expect.dart:1:3)\n"
                "#1 main (file:///quay/pier_test.dart:12:3)"
            )
            events += [{"type": "print", "testID": n, "message": printed, "time": n}]
            events += [{"type": "error", "testID": n, "error": "see above", "stackTrace": "", "time": n}]
        result = "error" if n == 7 else "success"
        events += [{"type": "testDone", "testID": n, "result": result, "hidden": False, "skipped": False, "time": n}]
    shown = told(events, lines=True)
    assert f"{FILLER[7]} — printed: Expected: <2> Actual: <1> — /quay/pier_test.dart:12" in shown
    assert "#17 {type: print, testID: 7, time: 7}\nmessage:\n═══╡ CAUGHT ╞═══\nExpected: <2>\n" in shown
    assert FILLER[8] not in shown  # events of tests that passed


def test_what_a_test_is_called_is_no_oddity() -> None:
    tests = [
        {"title": line, "fullTitle": f"quay {line}", "duration": n, "speed": "fast", "err": {}}
        for n, line in enumerate(FILLER * 2)
    ]
    tests[8] |= {"title": "rejects an invalid anchor", "fullTitle": "quay rejects an invalid anchor"}
    pending = [{"title": "waits", "fullTitle": "quay waits", "err": {}}]
    shown = told(
        {"stats": {"tests": 121}, "tests": tests + pending, "pending": pending, "failures": [], "passes": tests}
    )
    assert "121 test cases: passed 120, skipped 1." in shown
    assert "skipped (name):\nquay waits\n" in shown
    assert "← title" not in shown
