"""Reports of linters and compilers: every finding in a line, place first; errors and what is active first."""

from __future__ import annotations

import json
import re

from mcpcompact import compact


def _sarif(count: int) -> str:
    def result(n: int) -> dict[str, object]:
        where = {"artifactLocation": {"uri": f"src/app/m{n % 7}.py"}, "region": {"startLine": n, "startColumn": 3}}
        return {
            "ruleId": "unused-name" if n % 9 else "sql-injection",
            "level": "warning" if n % 9 else "error",
            "message": {"text": f"Name v{n} is not used." if n % 9 else f"Query {n} is built from input."},
            "locations": [{"physicalLocation": where}],
        }

    rules = [{"id": f"rule-{n}", "fullDescription": {"text": f"What rule {n} is about. " * 6}} for n in range(40)]
    driver = {"name": "lint", "version": "1.2", "rules": rules}
    run = {"tool": {"driver": driver}, "results": [result(n) for n in range(1, count)]}
    return json.dumps({"version": "2.1.0", "runs": [run]})


def test_sarif_says_its_results_before_its_rules() -> None:
    text = compact(_sarif(90), budget=700, threshold=100).text
    assert "89 findings in 7 files below src/app/" in text
    assert "by level: error 9 · warning 80" in text
    assert "by rule: unused-name 80 · sql-injection 9" in text
    for n in range(9, 90, 9):
        assert f"runs[0].results[{n - 1}]: m{n % 7}.py:{n}:3 error sql-injection Query {n} is built from input." in text
    assert "What rule" not in text


def test_messages_of_a_compiler_are_findings_also_without_a_place() -> None:
    def message(level: str, text: str, spans: list[dict[str, object]]) -> str:
        said = {"message": text, "code": None, "level": level, "spans": spans, "children": [], "rendered": text * 3}
        return json.dumps({"reason": "compiler-message", "target": {"name": "app"}, "message": said}, indent=1)

    span = {"file_name": "src/main.rs", "line_start": 14, "column_start": 5, "is_primary": True}
    noise = json.dumps({"reason": "compiler-artifact", "features": [f"f{n}" for n in range(400)]}, indent=1)
    stream = "\n".join([noise, message("error", "mismatched types", [span]), message("warning", "1 emitted", [])])
    text = compact(stream, budget=300, threshold=100).text
    assert "[1]: main.rs:14:5 error mismatched types" in text
    assert "[2]: warning 1 emitted" in text


def test_a_report_in_xml_shows_active_findings_and_counts_the_suppressed() -> None:
    muted = "".join(
        f'<suppressedviolation filename="/w/src/B{n}.java" suppressiontype="nopmd" msg="Unused field f{n} fails."/>\n'
        for n in range(80)
    )
    text = compact(
        '<?xml version="1.0"?>\n<pmd version="6">\n<file name="/w/src/A.java">\n<violation beginline="47" '
        f'begincolumn="5" rule="TooLong" priority="3">\nThe method is too long.\n</violation>\n</file>\n{muted}</pmd>',
        budget=300,
        threshold=100,
    ).text
    assert "1 finding, 80 more suppressed in 81 files below /w/src/" in text
    assert "A.java:47:5 priority 3 TooLong The method is too long." in text
    assert "(suppressed)" in text
    assert "failure" not in text


def test_findings_without_rules_are_counted_by_message() -> None:
    rows = "".join(
        f"<issue line='{n}' char='3' reason=\"'name{n}' is not defined.\" evidence='use(name{n});'/>\n"
        for n in range(1, 120)
    )
    text = compact(f"<jslint>\n<file name='lib/a.js'>\n{rows}</file></jslint>", budget=300, threshold=100).text
    assert "by rule: … is not defined. 119" in text
    assert re.search(r"a\.js:(\d+):3 'name\1' is not defined. — use\(name\1\);", text)


def test_a_log_in_xml_is_no_report() -> None:
    events = "".join(
        f"<event time='2026-01-01T00:00:{n % 60:02}' level='INFO' message='step {n}' file='a.c' line='{n}'/>\n"
        for n in range(90)
    )
    assert "finding" not in compact(f"<events>\n{events}</events>", budget=300, threshold=100).text


def test_a_list_of_issues_is_told_worst_first_with_its_places() -> None:
    levels = {"INFO": 20, "MINOR": 30, "CRITICAL": 9, "BLOCKER": 2, "MAJOR": 40}
    issues = [
        {"key": f"AW{level}{n}", "component": f"org.shop:app:src/m{n % 7}.java", "line": n, "severity": level}
        | {"message": f"Mend the {level.lower()} smell {n}.", "rule": f"squid:S{n % 5}"}
        for level, many in levels.items()
        for n in range(1, many + 1)
    ]
    del issues[0]["line"]  # of a file as a whole
    text = compact(json.dumps({"version": "6", "issues": issues}), budget=400, threshold=100).text
    assert "101 findings in 7 files below org.shop:app:src/" in text
    assert "by level: BLOCKER 2 · CRITICAL 9 · MAJOR 40 · MINOR 30 · INFO 20" in text
    rows = [line for line in text.split("\n") if line.startswith("issues[")]
    assert rows[0] == "issues[59]: m1.java:1 BLOCKER squid:S1 Mend the blocker smell 1."
    told = [next(level for level in levels if level in row) for row in rows]
    assert told == sorted(told, key=["BLOCKER", "CRITICAL", "MAJOR", "MINOR", "INFO"].index)
