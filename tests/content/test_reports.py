"""Reports of linters and compilers: every finding in a line, place first; errors and what is active first."""

from __future__ import annotations

import json
import plistlib
import re

from mcpcompact import compact
from mcpcompact.content.json import TYPE
from mcpcompact.content.shared.reports import Finding, ranks
from mcpcompact.outline import Hints
from mcpcompact.source import Source


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


def test_a_report_in_xml_counts_all_findings_and_says_how_many_are_suppressed() -> None:
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
    assert "1 finding (80 more suppressed) in 1 file below /w/src/" in text
    assert "A.java:47:5 priority 3 TooLong The method is too long." in text
    assert "(suppressed)" in text
    assert "failure" not in text


def test_findings_without_rules_are_counted_by_message() -> None:
    rows = "".join(
        f"<issue line='{n}' char='3' reason=\"'name{n}' is not defined.\" evidence='use(name{n});'/>\n"
        for n in range(1, 120)
    )
    text = compact(f"<jslint>\n<file name='lib/a.js'>\n{rows}</file></jslint>", budget=300, threshold=100).text
    assert "by message: … is not defined. 119" in text
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


def test_all_findings_of_a_kind_are_counted_and_stand_where_the_telling_field_says() -> None:
    def row(n: int) -> str:
        line = {7: "t24", 8: "-7"}.get(n, str(n))
        place = f"<Short>x</Short><ShortFile>f{n % 3}.h</ShortFile><Line>{line}</Line>"
        file = "" if n == 9 else "D:\\out\\report.plog"
        level, muted = 1 + n % 3, str(n == 5).lower()
        return (
            f"<Log>\n<Level>{level}</Level>\n<ErrorCode>V{n % 4}</ErrorCode>\n"
            f"<Message>Message {n % 4} says.</Message>\n{place}\n"
            f"<FalseAlarm>{muted}</FalseAlarm>\n<File>{file}</File>\n</Log>\n"
        )

    text = compact(f"<Data>\n{''.join(map(row, range(41)))}</Data>", budget=500, threshold=100).text
    assert "40 findings (1 more suppressed) in 3 files" in text
    assert "by level: level 1 ×14 · level 2 ×14 · level 3 ×12" in text
    assert "f0.h:0, f0.h:12" in text or "f0.h:0, :12" in text
    assert text.count("Message 0 says.") == 3  # one of each level


def test_an_error_with_stacks_stands_at_the_first_frame_of_ones_own() -> None:
    def frame(file: str, line: int, obj: str) -> str:
        return f"<frame>\n<obj>{obj}</obj>\n<fn>f</fn>\n<file>{file}</file>\n<line>{line}</line>\n</frame>\n"

    errors = "".join(
        f"<error>\n<unique>{n}</unique>\n<kind>InvalidWrite</kind>\n<what>Write of size {n}</what>\n<stack>\n"
        f"{frame('malloc.c', 640, '/usr/lib/preload.so')}{frame('mine.cpp', n, '/home/u/app')}</stack>\n</error>\n"
        for n in range(30)
    )
    bare = "<error>\n<unique>30</unique>\n<kind>Odd</kind>\n<what>without a stack</what>\n</error>\n"
    text = compact(f"<out>\n{errors}{bare}</out>", budget=600, threshold=100).text
    assert "31 findings: 30 in 1 file, 1 without a file" in text
    assert len(re.findall(r"^\d+ mine\.cpp:(\d+) InvalidWrite Write of size \1$", text, re.M)) > 10
    assert "malloc.c:640" not in text


def test_findings_that_have_a_type_for_a_message_and_what_the_tool_could_not_read() -> None:
    bug = """<BugInstance type="URF_UNREAD_FIELD" priority="{1}" category="STYLE">
 <Class classname="org.example.C{0}"><SourceLine start="1" end="9" sourcepath="org/example/C{0}.java"/></Class>
 <SourceLine classname="org.example.C{0}" start="{0}" end="{0}" sourcepath="org/example/C{0}.java"/>
</BugInstance>"""
    stats = "".join(f'<ClassStats class="org.example.D{n}" size="{n}" bugs="0"/>\n' for n in range(200))
    bugs = "\n".join(bug.format(n, 1 + n % 2) for n in range(11, 19))
    made = compact(f"<BugCollection>\n{bugs}\n{stats}</BugCollection>", budget=300, threshold=100, store=None).text
    assert "8 findings in 8 files" in made and "priority 1 ×4" in made
    trace = "\n".join(f"\tat org.example.parser.Parser.element{n}(Parser.java:{n})" for n in range(40))
    error = """<error filename="/src/page{0}.jsp" msg="Error while parsing /src/page{0}.jsp">
org.example.PmdException: Error while parsing /src/page{0}.jsp
{1}
Caused by: org.example.parser.ParseException: Encountered ">" at line {0}, column 9.
{1}</error>"""
    found = '<file name="/src/a.jsp"><violation beginline="7" rule="NoSrc" priority="3">No src.</violation></file>'
    text = f"<pmd>\n{found}\n" + "\n".join(error.format(n, trace) for n in range(31, 35)) + "\n</pmd>"
    made = compact(text, budget=400, threshold=100, store=None).text
    for n in range(31, 35):
        assert f"Error while parsing /src/page{n}.jsp" in made


def test_of_a_mutation_test_what_no_test_saw_is_the_finding() -> None:
    def mutation(n: int, seen: bool) -> str:
        state = "detected='true' status='KILLED'" if seen else "detected='false' status='SURVIVED'"
        return (
            f"<mutation {state}><sourceFile>Rig{n % 2}.java</sourceFile><mutatedMethod>hoist{n}</mutatedMethod>"
            f"<lineNumber>{n}</lineNumber><mutator>org.x.MathMutator</mutator><killingTest/></mutation>\n"
        )

    xml = "".join(mutation(n, seen=n % 10 != 3) for n in range(1, 41))
    text = compact(f'<?xml version="1.0"?>\n<mutations>\n{xml}</mutations>\n', budget=200, threshold=100).text
    assert "40 mutations: 36 KILLED, 4 SURVIVED" in text
    assert "failure" not in text and "hoist4 " not in text
    for n in (3, 13, 23, 33):
        assert f"Rig1.java:{n} SURVIVED MathMutator hoist{n}" in text


def test_a_tally_is_no_finding() -> None:
    def message(text: str, spans: list[dict[str, object]]) -> str:
        said = {"message": text, "code": {"code": "dead_code"} if spans else None, "level": "warning", "spans": spans}
        return json.dumps(
            {"reason": "compiler-message", "target": {"src_path": "/w/src/main.rs"}, "message": said}, indent=1
        )

    spans = [[{"file_name": "src/main.rs", "line_start": n, "column_start": 5, "is_primary": True}] for n in (4, 9)]
    lines = [message(f"unused rope {n}", span) for n, span in enumerate(spans)] + [message("2 warnings emitted", [])]
    text = compact("\n".join([*lines, '{"reason":"build-finished","success":true}']), budget=120, threshold=100).text
    assert "2 findings" in text and "3 findings" not in text


def test_findings_without_a_file_are_said() -> None:
    rows = [{"rule": f"knot-{n % 2}", "severity": "warning", "message": f"rope {n} is loose"} for n in range(40)]
    places: list[dict[str, object]] = [{"file": "src/quay.c", "line": n + 1} for n in range(40)]
    places[7] = {}
    document = {"runs": [{"results": [row | place for row, place in zip(rows, places, strict=True)]}]}
    text = compact(json.dumps(document), budget=300, threshold=300, store=None).text
    assert "40 findings: 39 in 1 file below src/, 1 without a file" in text


def _scan(total: int) -> str:
    """A scanner that names the offending source ``code``; what it says of a library has neither code nor line."""

    def warning(n: int) -> dict[str, object]:
        library = n % 4 == 0
        return {
            "warning_type": "Old Library" if library else f"Injection {'ABC'[n % 3]}",
            "fingerprint": f"{n:064x}",
            "message": f"package{n} 1.{n} has CVE-2031-{1000 + n}" if library else "Unchecked input reaches a query",
            "file": "packages.lock" if library else f"app/models/m{n % 5}.rb",
            "line": None if library else n,
            "code": None if library else f"find(params[:k{n}])",
            "confidence": "Weak" if n == 7 else "High",
        }

    scan = {"app_path": "/srv/shop", "scanner_version": "4.9.0", "took": 0.39}
    return json.dumps({"scan_info": scan, "warnings": [warning(n) for n in range(1, total + 1)]})


def test_a_finding_without_code_or_line_counts_and_source_is_no_rule() -> None:
    text = compact(_scan(40), budget=500, threshold=100).text
    assert "40 findings in 6 files" in text
    assert "by confidence: High 39 · Weak 1" in text
    assert "by rule: Injection B 10 · Injection C 10 · Injection A 10 · Old Library 10" in text
    assert "scanner_version: 4.9.0" in text
    assert re.search(r"packages\.lock High confidence Old Library package\d+ 1\.\d+ has CVE-2031-\d+", text)
    assert re.search(r"m\d\.rb:\d+ High confidence Injection [ABC] Unchecked input .* — find\(params", text)


def _issues(closed: int, total: int) -> str:
    def issue(n: int) -> dict[str, object]:
        done = n <= closed
        state = {"status": "CLOSED", "resolution": "FIXED"} if done else {"status": "OPEN"}
        return {
            "key": f"AX{n}",
            "rule": "grvy:org.example.checks.naming.unused.UnusedMethodParameterRule",
            "severity": "MINOR",
            "component": f"shop:src/{'Cart' if n % 3 else 'Till'}.groovy",
            "line": n,
            "message": f"Violation in class Basket{n}. Parameter [path{n}] of the method upload{n} is never read",
            **state,
        }

    return json.dumps({"total": total, "issues": [issue(n) for n in range(1, total + 1)]})


def test_closed_findings_are_counted_and_stand_behind_open_ones() -> None:
    text = compact(_issues(14, 30), budget=500, threshold=100).text
    assert "by status: OPEN 16 · CLOSED (FIXED) 14" in text
    assert "by level, of those not closed: MINOR 16" in text
    assert "by file, of those not closed: Cart.groovy 10 · Till.groovy 6" in text
    rows = [line for line in text.splitlines() if line.startswith("issues[")]
    first_closed = next((n for n, row in enumerate(rows) if "CLOSED" in row), len(rows))
    assert first_closed > 3
    assert not any("OPEN" in row for row in rows[first_closed:])


def test_a_cut_leaves_the_level_and_the_rule_of_a_finding() -> None:
    rows = [item for item in TYPE.outline(Source.of_text(_issues(0, 60)), Hints()).items if "Violation" in item.text]
    assert len(rows) == 60
    assert all("MINOR grvy:org.example.checks" in row.text[: row.lead] for row in rows)
    assert not any("Violation" in row.text[: row.lead] for row in rows)


def test_a_state_that_all_findings_have_is_said_once() -> None:
    text = compact(_issues(0, 30), budget=400, threshold=100).text
    assert "by status: OPEN 30" in text
    assert text.count("OPEN") == 1


def test_findings_without_messages_name_the_field_and_no_frame_of_the_analyser_takes_their_place() -> None:
    def bug(n: int) -> str:
        place = f'<SourceLine classname="quay.Crane{n}" start="{n}" end="{n}" sourcepath="quay/Crane{n}.java"/>'
        field = f'<Field classname="quay.Crane{n}" name="rope{n}" signature="I">{place}</Field>'
        kind = 'type="UUF_UNUSED_FIELD" priority="2"'
        return f"<BugInstance {kind}>\n<Class>{place}</Class>\n{field}\n{place}</BugInstance>"

    frames = "\n".join(
        f"<StackTrace>harbour.engine.Walk{n}.step(Walk{n}.java:{n * 37})</StackTrace>" for n in range(300)
    )
    error = f"<Errors><Error><ErrorMessage>Cannot open pier.jar</ErrorMessage>\n{frames}</Error></Errors>"
    xml = "<BugCollection>\n" + "\n".join(bug(n) for n in range(7, 12)) + f"\n{error}\n</BugCollection>"
    text = compact(xml, budget=400, threshold=400, store=None).text
    assert all(f"Crane{n}.java:{n} priority 2 UUF_UNUSED_FIELD rope{n}" in text for n in range(7, 12))
    assert "Cannot open pier.jar" in text


def test_a_finding_without_a_place_of_its_own_stands_in_its_method() -> None:
    calls = "\n".join(f'<Watch name="harbour.Watch{n}" calls="{n * 37}" micros="{n * 91}"/>' for n in range(60))
    place = 'sourcepath="quay/Crane.java"'
    bug = (
        '<BugInstance type="DRE_DECLARED" priority="2" category="STYLE">\n'
        f'<Class classname="quay.Crane"><SourceLine classname="quay.Crane" start="5" end="90" {place}/></Class>\n'
        f'<Method name="called" role="METHOD_CALLED"><SourceLine start="9" end="9" {place}/></Method>\n'
        f'<Method name="lift" signature="()V"><SourceLine start="60" end="64" {place}/></Method>\n</BugInstance>'
    )
    text = compact(f"<BugCollection>\n{bug}\n{calls}\n</BugCollection>", budget=300, threshold=100, store=None).text
    assert "1 finding in 1 file" in text and "Crane.java:60 priority 2 DRE_DECLARED" in text


def test_what_a_list_of_xml_stands_beside_is_said_before_what_is_odd_in_it() -> None:
    jars = "\n".join(f"<Jar>/srv/quay/lib/part{n}.jar</Jar>" for n in range(12))
    calls = "\n".join(f'<Watch name="harbour.Watch{n}" calls="{n * 37 % 91}" micros="{n * 91}"/>' for n in range(200))
    summary = '<Summary total_bugs="0" total_classes="14" release=""/>'
    xml = f"<Collection>\n<Project>\n{jars}\n</Project>\n{summary}\n<Profile>\n{calls}\n</Profile>\n</Collection>"
    text = compact(xml, budget=300, threshold=100, store=None).text
    assert "beside them: Summary total_bugs=0, total_classes=14" in text and "Jar" not in text


def test_findings_come_before_the_catalogue_of_rules_that_were_asked() -> None:
    rules = "\n".join(
        f'<rule Name="Rope{n}Rule" Type="Method" Uri="http://quay/#{n}">Q.Rope{n}</rule>' for n in range(99)
    )
    defect = (
        '<target Name="Quay.Crane::{0}()"><defect Severity="{1}" Location="Quay.Crane::{0}()" Source="{2}"/></target>'
    )
    found = "".join(defect.format(*one) for one in [("Lift", "High", "c:\\quay\\Crane.cs(≈41)"), ("Drop", "Low", "")])
    found = f'<rule Name="Rope7Rule">\n<problem>The rope is never checked.</problem>\n{found}</rule>'
    gendarme = f"<report>\n<rules>\n{rules}\n</rules>\n<results>\n{found}\n</results>\n</report>"
    text = compact(gendarme, budget=300, threshold=100, store=None).text
    assert "2 findings: 1 in 1 file below c:\\quay\\, 1 without a file" in text and "by level: High 1 · Low 1" in text
    assert "Crane.cs:41 High Rope7Rule The rope is never checked. — Quay.Crane::Lift()" in text
    found = "".join(
        f'<Violation ruleName="Rope{n}" lineNumber="{n}"><SourceLine>lift{n}()</SourceLine></Violation>\n'
        for n in (7, 9)
    )
    text = compact(
        f'<Quay>\n<File name="Crane.groovy">\n{found}</File>\n<Rules>\n{rules}\n</Rules>\n</Quay>',
        budget=300,
        threshold=100,
        store=None,
    ).text
    assert "2 findings in 1 file" in text and "Crane.groovy:9 Rope9 lift9()" in text


def told(report: object, budget: int = 900) -> str:
    return compact(json.dumps(report), budget=budget, threshold=100).text


def test_a_finding_stands_where_it_begins_as_its_tool_counts_lines() -> None:
    """Pyright's JSON counts lines from 0 (the language server protocol), Ruff's says its ends before its beginnings."""
    pyright = [
        {
            "file": f"/srv/app/m{n}.py",
            "severity": "error",
            "message": f'"name_{n}" is not defined',
            "range": {"start": {"line": 20 + n, "character": 4}, "end": {"line": 20 + n, "character": 9}},
            "rule": "reportUndefinedVariable",
        }
        for n in range(60)
    ]
    text = told({"version": "1.1", "generalDiagnostics": pyright})
    shown = re.findall(r"m(\d+)\.py:(\d+):5 error reportUndefinedVariable", text)
    assert len(shown) > 9 and all(int(line) == 21 + int(n) for n, line in shown)
    ruff = [
        {
            "code": "I001",
            "end_location": {"column": 27, "row": 9 + n},
            "filename": f"/srv/app/m{n}.py",
            "location": {"column": 1, "row": 2 + n},
            "message": "Import block is un-sorted",
        }
        for n in range(60)
    ]
    shown = re.findall(r"m(\d+)\.py:(\d+):1 I001", told(ruff))
    assert len(shown) > 9 and all(int(line) == 2 + int(n) for n, line in shown)


def test_what_grades_a_finding_is_its_level_and_its_symbol_the_rule() -> None:
    pylint = [
        {
            "type": ("warning", "convention")[n % 3 == 0],
            "symbol": ("unused-argument", "line-too-long")[n % 3 == 0],
            "message": f"Unused argument 'x{n}'",
            "messageId": "W0613",
            "path": f"shop/m{n % 9}.py",
            "line": n + 1,
            "column": 4,
        }
        for n in range(60)
    ]
    text = told(pylint)
    assert "by level: warning 40 · convention 20" in text
    assert "by rule: unused-argument 40 · line-too-long 20" in text
    rubocop = [{"severity": "convention", "message": "Use snake_case.", "cop_name": "Naming/MethodName"} for _ in "ab"]
    offenses = [{**one, "location": {"line": n, "column": 1}} for n, one in enumerate(rubocop * 20, 1)]
    files = {"files": [{"path": "a.rb", "offenses": offenses}]}
    assert "Naming/MethodName" in told(files)


def test_files_that_hold_findings_are_a_report() -> None:
    """ESLint's JSON: a list of files, each with its messages, which name no file."""

    def message(n: int) -> dict[str, object]:
        return {
            "ruleId": ("semi", "no-undef")[n % 2],
            "severity": 2 - n % 2,
            "message": f"Is {n}.",
            "line": n,
            "column": 1,
        }

    files = [
        {
            "filePath": f"/srv/src/m{n}.js",
            "messages": [message(k) for k in range(1, 9)],
            "errorCount": 4,
            "source": "x\n" * 9,
        }
        for n in range(12)
    ]
    text = told(files)
    assert "96 findings in 12 files below /srv/src/" in text
    assert "by rule: no-undef 48 · semi 48" in text or "by rule: semi 48 · no-undef 48" in text
    assert re.search(r"m\d+\.js:\d:1 severity 2 semi Is \d\.", text)


def test_what_sarif_suppresses_is_not_counted_with_the_others() -> None:
    def result(n: int) -> dict[str, object]:
        place = {"artifactLocation": {"uri": f"src/pier{n % 4}.c"}, "region": {"startLine": 7 + n}}
        quiet = {1: [{"status": "accepted"}], 2: [{"status": "rejected"}]}.get(n, [])
        located = [{"id": -1, "physicalLocation": place}]
        told = {"ruleId": "" if n == 3 else "worn-rope", "level": "warning", "message": {"text": f"Rope {n} is worn"}}
        return {**told, "locations": located, "suppressions": quiet}

    text = compact(
        {"version": "2.1.0", "runs": [{"results": [result(n) for n in range(9)]}]}, budget=400, threshold=100
    ).text
    assert "8 findings (1 more suppressed) in 4 files" in text
    assert "by rule: worn-rope 7 · " in text and "-1 ×" not in text
    assert "pier1.c:8 warning worn-rope Rope 1 is worn (suppressed)" in text


def test_a_report_of_bandit_is_one_of_findings() -> None:
    def found(n: int) -> dict[str, object]:
        rule = ("B101", "LOW", "Use of assert detected.") if n % 4 else ("B324", "HIGH", "Use of a weak hash.")
        said = {"test_id": rule[0], "issue_severity": rule[1], "issue_text": rule[2], "issue_confidence": "HIGH"}
        place = {"filename": f"./yard/pier{n % 3}.py", "line_number": 10 + n, "issue_cwe": {"id": 703}}
        return {**place, **said, "code": f"{9 + n} def moor():\n{10 + n}     assert rope\n"}

    text = compact({"errors": [], "results": [found(n) for n in range(60)]}, budget=400, threshold=100).text
    assert "60 findings in 3 files" in text
    assert "by level: HIGH 15 · LOW 45" in text
    assert "by rule: B101 ×45 · B324 ×15" in text
    assert "pier0.py:10 HIGH B324 Use of a weak hash." in text and "assert rope" not in text


def test_tests_that_passed_are_no_findings() -> None:
    def example(n: int) -> dict[str, object]:
        bad = n in (9, 31)
        held = {"exception": {"class": "Wrong", "message": f"expected {n}"}} if bad else {}
        name = {"id": f"./till_spec.rb[1:{n}]", "description": f"adds {n}", "status": "failed" if bad else "passed"}
        return {**name, "file_path": "./till_spec.rb", "line_number": n, **held}

    summary = {"summary_line": "60 examples, 2 failures"}
    text = compact(json.dumps({"examples": [example(n) for n in range(60)], **summary}), budget=400, threshold=100).text
    assert "finding" not in text and "by rule" not in text
    assert "60 examples, 2 failures" in text and "passed 58, failed 2" in text
    assert "expected 9" in text and "expected 31" in text


def test_a_property_list_of_findings_says_them_before_the_paths_that_lead_there() -> None:
    def finding(n: int) -> dict[str, object]:
        place = {"line": 10 * n, "col": n, "file": n % 2}
        step = {"kind": "event", "location": {"line": n, "col": 1, "file": 0}, "depth": 0, "message": f"Taking {n}"}
        name = "core.NullDereference" if n % 2 else "unix.Malloc"
        said = {"description": f"Berth {n} may be gone", "check_name": name, "issue_context": f"moor_{n}"}
        return {"path": [step] * 9, **said, "location": place, "ExecutedLines": {"0": [*range(60)]}}

    report = {
        "clang_version": "9.1",
        "diagnostics": [finding(n) for n in range(1, 5)],
        "files": ["/s/pier.c", "/s/b.c"],
    }
    text = plistlib.dumps(report, sort_keys=False).decode()
    shown = compact(text, budget=400, threshold=400).text
    assert "4 findings in 2 files below /s/" in shown
    assert "b.c:10:1 core.NullDereference Berth 1 may be gone — moor_1" in shown
    assert "pier.c:40:4 unix.Malloc Berth 4 may be gone — moor_4" in shown
    assert "key:" not in shown and "Taking 4" in shown and "depth: 0" not in shown


def test_the_steps_to_a_finding_stand_below_it_in_the_lines_of_their_texts_each_with_its_place() -> None:
    def finding(line: int) -> dict[str, object]:
        def step(n: int) -> dict[str, object]:
            at = {"line": line - n, "col": n, "file": n % 2}
            return {"depth": 0, "kind": "event", "location": at, "message": f"Mooring {n} of {line}"}

        place = {"line": line, "col": 3, "file": 0}
        said = {"check_name": "core.Gone", "description": "The berth may be gone", "type": "Gone"}
        return {**said, "location": place, "path": [step(n) for n in (3, 2, 1)], "lines": [*range(90)]}

    report = {"diagnostics": [finding(40), finding(70)], "files": ["/s/pier.c", "/s/b.c"]}
    text = plistlib.dumps(report, sort_keys=False).decode()
    shown = compact(text, budget=500, threshold=100).text
    lines = [line.partition(" ") for line in shown.split("\n") if re.search(r"Mooring|pier\.c:[47]0", line)]
    told = [rest for _, _, rest in lines]
    assert told[0].startswith("pier.c:40:3 ") and told[4].startswith("pier.c:70:3 ") and len(told) == 8
    for first, line in ((1, 40), (5, 70)):
        places = [f"b.c:{line - 3}:3", f":{line - 2}:2", f"b.c:{line - 1}:1"]
        assert told[first : first + 3] == [
            f"{place} Mooring {n} of {line}" for place, n in zip(places, (3, 2, 1), strict=True)
        ]
    for number, _, rest in lines:
        assert "Mooring" not in rest or rest.partition(" ")[2] in text.split("\n")[int(number) - 1]
    values = text.count("<integer>") + text.count("<string>") + text.count("<dict>") + text.count("<array>")
    assert f"{values} values" in shown


def test_findings_at_two_depths_count_alike_and_take_the_rule_of_what_holds_them() -> None:
    def message(rule: str, issue: str) -> str:
        return f'<Message TypeName="T" CheckId="{rule}">\n{issue}\n</Message>'

    cased = "".join(message("QA17", f'<Issue Level="Error">Correct the case of Quay{n}.</Issue>') for n in range(25))
    place = 'Level="CriticalError" File="Crane.cs" Line="{0}"'
    caught = "".join(message("QA31", f"<Issue {place.format(n)}>Rope {n} slips.</Issue>") for n in (41, 52))
    labels = "".join(f'<String Key="Label{n}">Collapse {n}</String>\n' for n in range(60))
    rules = {"QA31": "Ropes must hold"} | {f"QB{n}": "Unhurt" for n in range(9)}
    broken = "".join(f'<Rule CheckId="{rule}"><Name>{name}</Name></Rule>\n' for rule, name in rules.items())
    error = "<Exceptions><Exception Keyword='Q7'><Text>Pier not found</Text></Exception></Exceptions>"
    xml = f"<Report>\n<A>{cased}</A>\n<B><C><D>{caught}</D></C></B>\n{error}<X>{broken}</X><L>{labels}</L></Report>"
    text = compact(xml, budget=700, threshold=100, store=None).text
    assert "27 findings: 2 in 1 file, 25 without a file" in text
    assert "by level: CriticalError 2 · Error 25" in text and "by rule: QA17 ×25 · QA31 ×2" in text
    assert text.index("Crane.cs:41 CriticalError QA31 Rope 41 slips.") < text.index("Error QA17")
    assert "Pier not found" in text and "Ropes must hold" in text
    assert "Collapse" not in text and "Unhurt" not in text


def test_a_stack_tells_the_frames_of_ones_own_and_where_the_memory_came_from() -> None:
    def stack(*places: tuple[str, int]) -> str:
        frames = (f"<frame><fn>f{n}</fn><file>{file}</file><line>{n}</line></frame>\n" for file, n in places)
        return f"<stack>\n{''.join(frames)}</stack>\n"

    muted = "<suppression>\n<sname>insert_a_name</sname>\n<skind>Cond</skind>\n</suppression>\n" * 9
    error = (
        "<error>\n<kind>Uninit</kind>\n<what>Jump depends on it</what>\n"
        f"{stack(('crane.cpp', 11), ('quay.cpp', 14))}<auxwhat>Created by an allocation</auxwhat>\n"
        f"{stack(('crane.cpp', 9))}{muted}</error>\n"
    )
    head = f"<preamble><line>Copyright by someone{' else' * 40}</line><line>Command: ./crane</line></preamble>\n"
    text = compact(f"<out>\n{head}{error}</out>", budget=300, threshold=100, store=None).text
    assert "crane.cpp:11 Uninit Jump depends on it — Created by an allocation: crane.cpp:9" in text
    assert "own frames: crane.cpp:11 f11, quay.cpp:14 f14" in text and "Command: ./crane" in text
    assert "insert_a_name" not in text and "Copyright" not in text


def test_a_message_that_stands_for_a_rule_is_counted_from_its_beginning() -> None:
    said = "The mooring line must be checked by two people before the crane starts to lift its first load"
    rows = "".join(f'<item line="{n}" column="2" message="{said}"/>\n' for n in range(30))
    text = compact(f'<r>\n<file name="a.c">\n{rows}</file>\n</r>', budget=300, threshold=100, store=None).text
    assert f"by message: {said} 30" in text


def test_a_finding_alone_in_its_list_is_shown_as_one_and_a_far_count_of_a_file_stands_out() -> None:
    def told(n: int) -> list[dict[str, object]]:
        return [
            {"ruleId": "quotes", "severity": 1, "message": f"Strings of part {k} use quotes.", "line": k, "column": 2}
            for k in range(2, 6)
        ] * (n % 3)

    files = [{"filePath": f"/srv/a/m{n}.js", "messages": told(n), "warningCount": n % 3 * 4} for n in range(120)]
    broken = {"ruleId": None, "severity": 2, "message": "Parsing error: brace", "line": 9, "column": 1}
    files[71] = {"filePath": "/srv/a/m71.js", "messages": [broken], "warningCount": 0}
    files[96]["warningCount"] = 971
    text = compact(json.dumps(files), budget=700, threshold=100).text
    assert "[71].messages[0]: m71.js:9:1 severity 2 Parsing error: brace" in text
    assert "warningCount: 971" in text and "warningCount 971, others 0–8" in text


def _copies(number: int) -> str:
    def copy(n: int) -> str:
        code = "\n".join(f"    cargo.add(hold.get({n}, {k}), bearing_{k});" for k in range(20))
        return (
            f'<duplication lines="{n + 6}" tokens="{n * 9 + 40}">\n'
            f'  <file line="{n + 3}" path="/ci/harbour/src/deck/Hold{n}.java"/>\n'
            f'  <file line="{n + 7}" path="/ci/harbour/src/quay/Crane{n}.java"/>\n'
            f"  <codefragment><![CDATA[{code}]]></codefragment>\n</duplication>"
        )

    return "<?xml version='1.0'?>\n<pmd-cpd>\n" + "\n".join(map(copy, range(number))) + "\n</pmd-cpd>\n"


def test_of_copied_code_the_places_come_before_the_code_the_largest_first() -> None:
    for number in (4, 30):
        text = compact(_copies(number), budget=500, threshold=100).text
        assert f"{number} duplication in {2 * number} files below /ci/harbour/src/, most tokens first" in text
        rows = [line for line in text.split("\n") if " duplication lines=" in line]
        assert len(rows) >= min(number, 10)
        last = number - 1
        assert f"lines={last + 6} tokens={last * 9 + 40}: deck/Hold{last}.java:{last + 3}, quay/Crane{last}" in rows[0]
        assert _copies(number).split("\n")[int(rows[0].split()[0]) - 1].startswith("<duplication")
    assert f" …[{len(rows)} of 30 duplications]" in rows[-1]


def test_of_copies_in_an_order_none_is_left_out_and_the_totals_are_said() -> None:
    def block(n: int, k: int) -> str:
        name = f"quay{n}" * (1 + n % 5) + f"crane{k}"
        return f'<block sourceFile="/ci/deck/{name}.cs" startLineNumber="{n}" endLineNumber="{n + 40}"/>\n'

    sizes = [n * 37 % 83 + 6 for n in range(40)]
    sets = [
        f'<set lineCount="{size}">\n{"".join(block(n, k) for k in range(2 + n % 6))}</set>\n'
        for n, size in enumerate(sizes)
    ]
    totals = '<summary duplicateFileCount="40" duplicateLineCount="1197"/>'
    report = f"<?xml version='1.0'?>\n<simian><check>\n{''.join(sets)}{totals}</check></simian>\n"
    for budget in (400, 700, 1200):
        text = compact(report, budget=budget, threshold=100).text
        shown = [int(size) for size in re.findall(r"set lineCount=(\d+)", text)]
        assert 2 < len(shown) < 40 and shown == sorted(sizes, reverse=True)[: len(shown)]
        assert "duplicateLineCount=1197" in text.split("lineCount=")[0]
        assert re.search(r"/?quay\d+crane0\.cs:(\d+)–(\d+)", text)


def test_what_else_a_place_says_is_no_copy() -> None:
    frames = "".join(
        f'<stack id="s{n}"><f line="{n}" file="a.c" fn="reef"/><f line="7" file="b.c" fn="tack"/></stack>\n'
        for n in range(40)
    )
    assert "fn=" in compact(f"<?xml version='1.0'?>\n<stacks>\n{frames}</stacks>\n", budget=300, threshold=100).text


def test_how_to_mend_the_one_finding_takes_the_room_that_is_left() -> None:
    advice = " ".join(f"Rule {n} of the mooring says what a line must bear." for n in range(40))
    report = (
        "<?xml version='1.0'?>\n<BugCollection>\n<BugInstance type='LINE_PARTS' priority='1' category='SAFETY'>\n"
        "<LongMessage>A line parts under load</LongMessage>\n"
        "<SourceLine classname='deck.Line' start='12' end='12' sourcefile='Line.java' sourcepath='deck/Line.java'/>\n"
        f"</BugInstance>\n<BugPattern type='LINE_PARTS' category='SAFETY'><Details>{advice}</Details></BugPattern>\n"
        + "".join(f"<Jar>lib/part{n}.jar</Jar>\n" for n in range(150)) + "</BugCollection>\n"
    )  # fmt: skip
    made = compact(report, budget=500, threshold=100)
    assert "Line.java:12" in made.text and "Rule 20 of the mooring" in made.text and made.tokens > 400


def test_a_text_beside_attributes_gives_way_to_them() -> None:
    body = "\n".join(f"    the hold {k} took on board what the crane_{k} had lifted from the quay" for k in range(30))
    trips = "".join(
        f"<trip ship='s{n}'>\n<port name='quay{n}' tide='{n + 2}.5'/>\n<log>\n{body}\n</log>\n</trip>\n"
        for n in range(5)
    )
    text = compact(f"<?xml version='1.0'?>\n<trips>\n{trips}</trips>\n", budget=400, threshold=100).text
    assert all(f"port name=quay{n} tide={n + 2}.5" in text for n in range(5))


def test_levels_of_one_rank_weigh_in_the_order_in_which_they_are_found() -> None:
    levels = ["design", "code-style", "naming", "layout", "javadoc", "imports", "metrics", "logging"]
    found = {n: Finding("a.py", "", level, f"rule-{n}", "said") for n, level in enumerate(levels)}
    weights = [weight for _, weight in ranks(found).values()]
    assert weights == sorted(weights, reverse=True)


def test_findings_of_one_rule_are_counted_by_what_they_say() -> None:
    lines = ["<checkstyle>"]
    for n in range(20):
        lines.append(f'<file name="/srv/yard/pier/dock{n}.js">')
        for k, said in enumerate(["Line too long.", "Line too long.", f"&apos;crane{n % 3}&apos; is not defined."]):
            lines.append(f'<error line="{n + k}" column="3" severity="error" message="{said}" source="lint"/>')
        lines.append("</file>")
    out = compact("\n".join([*lines, "</checkstyle>"]), budget=900, threshold=300).text
    assert "by rule" not in out and "by message: Line too long. 40 · … is not defined. 20" in out
    assert "dock0.js" in out and "dock19.js 3" in out
