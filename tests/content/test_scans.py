"""Reports of security scanners: how many findings, the gravest first, each with its place and its title."""

from __future__ import annotations

import json
from typing import Any

from mcpcompact import compact


def told(content: object, budget: int = 500) -> str:
    text = content if isinstance(content, str) else json.dumps(content)
    return compact(text, budget=budget, threshold=budget, store=None).text


def rows_of(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("#")]


# -- JSON ------------------------------------------------------------------------------------------


def test_rows_come_before_what_all_objects_share() -> None:
    shared = {f"policy_of_the_organisation_{n}": f"inherited from the default policy {n}" for n in range(24)}
    found = [
        {"asset": f"host-{name}.example.org", "opened": 1000 + 7 * n, "port": 400 + n, **shared}
        for n, name in enumerate(("ash", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple"))
    ]
    text = told({"exposures": found, "scanned_by": "perimeter"})
    assert all(each["asset"] in text for each in found)


def test_the_shared_values_that_have_no_room_stand_among_the_others() -> None:
    shared = {f"setting_{n}": f"value number {n} of the scan" for n in range(12)}
    found = [{"asset": f"host-{n}", "port": 400 + n, **shared} for n in range(2)]
    text = told({"exposures": found, "log": [f"step {n} of the scan took {n * 3} seconds" for n in range(80)]}, 1000)
    assert all(f"setting_{n}" in text for n in range(12))


def test_the_list_of_the_gravest_comes_first() -> None:
    def issue(n: int) -> dict[str, Any]:
        return {"vulnerability": f"CVE-2031-{n}", "package": f"lib{n}", "about": f"a text on how lib{n} breaks " * 8}

    by_grade = {"LOW": [*map(issue, range(1000, 1004))], "CRITICAL": [*map(issue, range(2000, 2003))]}
    text = told({"scan": {"image": "shop:7"}, "by_severity": by_grade}, 300)
    assert "CVE-2031-2000" in text and "CVE-2031-2002" in text
    assert "CVE-2031-1000" not in text or text.index("CVE-2031-2000") < text.index("CVE-2031-1000")


def test_a_finding_with_capitals_is_headed_by_its_title_and_severity() -> None:
    check = {
        "Kind": "policy",
        "ID": "KX12",
        "Title": "Root user is not set apart",
        "Severity": "HIGH",
        "Status": "FAIL",
    }
    check |= {"Details": {f"Note{n}": f"longer remark {n} on the check" for n in range(30)}}
    found = {"Target": "Imagefile", "Checks": [check, {**check, "ID": "KX13", "Title": "Open port", "Severity": "LOW"}]}
    text = told({"Version": 2, "Results": [found, {"Target": "web", "Checks": []}]})
    assert "Root user is not set apart" in text and "HIGH" in text and "Open port" in text


def test_sums_are_told_whole() -> None:
    advisories = {
        str(n): {
            "severity": "high",
            "title": f"Prototype pollution in a package {n}",
            "url": f"https://a.example/{n}x" * 4,
        }
        for n in range(4)
    }
    counts = {"info": 0, "low": 0, "moderate": 1, "high": 31, "critical": 2}
    text = told({"advisories": advisories, "metadata": {"vulnerabilities": counts}, "log": ["checked"] * 400}, 400)
    assert "info: 0, low: 0, moderate: 1, high: 31, critical: 2" in text


def linted(**more: Any) -> list[dict[str, Any]]:
    return [{"path": f"src/part{n}.py", "line": 10 + n, "severity": "high", **more} for n in range(6)]


def test_the_title_of_a_finding_is_its_message() -> None:
    long = "## Description\n" + "Input of users is written to the page as it came. " * 12
    text = told({"results": linted(title="Unsanitized input in a page", description=long, id="xss_rule")})
    rows = [line for line in text.split("\n") if ".py:1" in line]
    assert len(rows) == 6 and all(row.endswith("high xss_rule Unsanitized input in a page") for row in rows)


def test_details_may_be_the_message() -> None:
    found = [{**each, "rule_id": "G104", "details": f"Errors unhandled in step {n}"} for n, each in enumerate(linted())]
    text = told({"Issues": found * 3, "Stats": {"files": 20, "lines": 1562, "found": 18}}, 400)
    assert "18 findings in 6 files below src/" in text and "part3.py:13 high G104 Errors unhandled in step 3" in text


def test_what_a_repository_says_of_itself_is_no_finding() -> None:
    home = {"id": 77123456, "description": "A toy of mine", "html_url": "https://code.example/toy"}
    text = told({"alerts": linted(secret_type="cloud_key", repository=home, extra="x" * 400)})
    assert "by rule: 77123456" not in text and "10 high A toy of mine" not in text


def test_a_number_of_its_own_is_no_rule() -> None:
    found = [{**each, "id": str(98_000_000 + n), "message": "Weak cipher"} for n, each in enumerate(linted())]
    assert "98000001 ×1" not in told({"results": found, "raw": "y" * 3_000})


def test_the_file_of_a_finding_may_be_the_key_above_it() -> None:
    message = {"message": "Use of eval", "source": "Sec.Eval", "type": "ERROR", "line": 19, "column": 3}
    files = {f"/srv/app/{n}/view.php": {"errors": 1, "messages": [{**message, "line": 20 + n}]} for n in range(12)}
    text = told({"totals": {"errors": 12, "warnings": 0}, "files": files})
    assert "12 findings in 12 files below /srv/app/" in text and "3/view.php:23:3" in text


def test_a_finding_comes_before_the_help_of_its_rule() -> None:
    html = (
        "<p>An attacker can send a form in your name.</p>" + "<h2>How to mend it</h2><p>Check the token of it.</p>" * 30
    )
    issue = {"rule": "S99", "severity": "CRITICAL", "component": "app.py", "line": 8, "message": "No token is checked"}
    text = told({"rules": {"S99": {"name": "Forged requests", "htmlDesc": html}}, "issues": [issue]})
    assert "app.py:8 CRITICAL S99 No token is checked" in text


def test_a_false_positive_is_marked() -> None:
    found = [{**each, "message": f"Weak cipher {n}", "falsePositive": n == 3} for n, each in enumerate(linted())]
    text = told({"results": found, "raw": "z" * 3_000})
    assert "Weak cipher 3 (suppressed)" in text and "Weak cipher 2 (suppressed)" not in text


def test_a_setting_that_names_kinds_of_warnings_is_no_warning() -> None:
    found = [{"package": f"lib{n}", "title": f"Flaw {n}", "id": f"XSEC-{n}", "text": "a flaw " * 30} for n in range(12)]
    text = told({"settings": {"informational_warnings": ["unmaintained", "notice"]}, "list": found})
    assert "errors or warnings in other keys" not in text


def test_the_only_element_of_a_list_beside_the_records_is_told() -> None:
    checks = [{"name": f"check-{n}", "description": f"what check {n} looks at in a manifest"} for n in range(60)]
    text = told({"Checks": checks, "Reports": [{"Check": "no-root-fs", "File": "/manifests/one.yaml"}]})
    assert "Reports[0].Check=no-root-fs" in text and "Reports[0].File=/manifests/one.yaml" in text


# -- tables ----------------------------------------------------------------------------------------


def table(names: str, rows: list[str]) -> str:
    return "\n".join([names, *rows]) + "\n"


def test_rows_of_findings_have_their_file_and_line() -> None:
    deep = "module-{}/src/main/java/org/example/webshop/plugin/with/a/long/path/Handler{}.java"
    rows = [
        f"Rule.{n},Improper neutralization of input {n % 7},{('Low', 'High')[n % 2]},Injection,Java,"
        f"{deep.format(n, n)},{100 + n},statement.execute(query{n}),none"
        for n in range(60)
    ]
    names = "Rule code,Rule,Priority,Vulnerability type,Language,File,Line number,Line text,Status"
    text = told(table(names, rows))
    assert "#|Priority|Rule|File|Line number" in text and "Handler1.java|101" in text.replace(" ", "")


def test_names_of_columns_may_have_blanks() -> None:
    names = "Vulnerability ID,Severity,Package name,Package version,Fix version,Image,Package path,OS Name,Link"
    rows = [
        f"CVE-2030-{1000 + n},{('Low', 'Critical', 'High')[n % 3]},lib{n},1.{n},1.{n + 1},shop:{n % 2},"
        f"/usr/lib/lib{n}.so,alpine,https://cve.example/{n}"
        for n in range(60)
    ]
    text = told(table(names, rows))
    assert "#|Severity|Vulnerability ID|Package name|Package version|Fix version" in text
    assert all("|Critical|" in row for row in rows_of(text)[1:4])


def test_groups_of_a_severity_are_told_the_worst_first() -> None:
    names = "severity,score,published,title"
    rows = [
        f"{g},{s}.{n % 9},2030-01-{1 + n % 28:02},A flaw of part {n}"
        for g, s in (("Low", 1), ("Critical", 7))
        for n in range(40)
    ]
    text = told(table(names, rows))
    assert text.index("\nCritical|40") < text.index("\nLow|40") and "first|last" not in text


def test_low_findings_come_before_information() -> None:
    names = "id,severity,finding"
    rows = [f"t{n},{'LOW' if n in (70, 75) else 'INFO'},text {n} of what the scan saw at the host" for n in range(120)]
    text = told(table(names, rows), 400)
    assert "#71|" in text and "#76|" in text


def test_a_column_whose_values_hardly_repeat_divides_no_rows() -> None:
    rows = [f"town {n},{900 + n},{0.2 + n / 100:.3f},{'**' if n > 9 else f'0.{n}1{n}'}" for n in range(70)]
    assert "by share|rows" not in told(table("town,size,rate,share", rows), 400)


def test_a_year_above_fractions_is_a_name() -> None:
    rows = [f"AB-{n},{(-1) ** n * n * 1.37:.3f}" for n in range(1, 300)]
    text = told(table("district,2022", rows), 400)
    assert "#|district|2022" in text and "299 rows" in text


def test_years_above_years_are_no_names() -> None:
    rows = [f"town {n},{1900 + n % 90}" for n in range(300)]
    assert "#|town 0|1900" not in told("\n".join(rows) + "\n", 400)


def test_empty_rows_are_not_shown() -> None:
    rows = [f"Finding {n},Medium,Open port {n} on the host of the shop" for n in range(9)] + [",,"] * 150
    text = told(table("Title,Severity,Details", rows), 300)
    assert not any(line.rstrip("|").lstrip("#").isdigit() for line in rows_of(text))


def test_versions_and_package_urls_have_no_usual_shape() -> None:
    parts = [
        {
            "name": f"part{n}",
            "version": "20.8b1" if n == 40 else f"1.{n}.{n % 9}",
            "purl": f"pkg:pypi/part{n}@1.{n}.{n % 9}",
        }
        for n in range(120)
    ]
    parts[90]["purl"] = "pkg:pypi/ru.part@0.1?extension=tar.gz"
    assert "of its shape" not in told({"format": "bom", "components": parts})


# -- XML -------------------------------------------------------------------------------------------


def test_elements_with_a_severity_come_first_the_worst_before_others() -> None:
    note = "A long text on what may happen when this is left as it is. " * 8
    items = "".join(
        f'<item id="{n}"><Name>Flaw {name}</Name><Affects>/{name}</Affects><Details>{note}</Details>'
        f"<Severity>{grade}</Severity></item>\n"
        for n, (name, grade) in enumerate(
            (("one", "low"), ("two", "informational"), ("three", "high"), ("four", "low"))
        )
    )
    info = "".join(f"<setting><key>option {n}</key><value>{n * 7}</value></setting>\n" for n in range(40))
    text = told(f'<?xml version="1.0"?>\n<scan>\n<config>\n{info}</config>\n<items>\n{items}</items>\n</scan>\n')
    assert 'item Severity=high Name="Flaw three"' in text and 'item Severity=low Name="Flaw one"' in text


def test_the_results_of_a_query_are_findings_of_its_name() -> None:
    node = '<Path><Node Name="cart" Code="cart.append( x );" Kind="call" Length="4"/></Path>' * 6
    results = "".join(
        f'<Result Id="{n}" File="src/Lesson{n}.java" Line="{60 + n}" Column="5" Severity="High">{node}</Result>\n'
        for n in range(4)
    )
    text = told(f'<Report>\n<Query id="591" name="Reflected_XSS">\n{results}</Query>\n</Report>\n', 300)
    assert "4 findings in 4 files" in text and "Lesson2.java:62:5" in text and "High Reflected_XSS" in text


def test_the_rule_of_a_finding_is_no_random_number() -> None:
    issues = "".join(
        f'<Issue ruleID="F972FE42-6C15-47D2-BD5C-448166A574C{n % 10}"><Category>Dead Code: Unused Method</Category>'
        f"<Abstract>The method part{n}() is never called.</Abstract><Primary><FilePath>src/Part{n}.java</FilePath>"
        f"<LineStart>{n + 5}</LineStart><Snippet>void part{n}() {{}}</Snippet></Primary></Issue>\n"
        for n in range(40)
    )
    text = told(f"<Definition>\n{issues}</Definition>\n")
    assert "40 findings in 40 files" in text and "F972FE42" not in text and "Part3.java:8 Dead Code" in text


def test_what_is_found_is_listed_by_file_and_behind_the_head_of_a_snapshot() -> None:
    at = {"start": {"line": 6, "character": 4}, "end": {"line": 6, "character": 9}}
    one = {"range": at, "severity": 2, "source": "Quaymaster", "data": {"edits": [], "note": "moored by hand"}}
    files = ("bow", "stern", "keel", "mast", "deck", "hold")
    found = {
        f"dock:///yard/{name}.lua": [
            one | {"code": f"Q{k}1", "message": f"Rope {k} of the {name} is slack"} for k in (1, 2)
        ]
        for name in files
    }
    text = f"---\nsource: yard/tests/quay.rs\nexpression: found\n---\n{json.dumps(found, indent=2)}\n"
    shown = told(text)
    assert "12 findings in 6 files below dock:///yard/" in shown
    assert "before the JSON: --- source: yard/tests/quay.rs expression: found ---" in shown
    assert "bow.lua:7:5 severity 2 Q11 Rope 1 of the bow is slack" in shown


def test_things_of_a_table_are_not_told_before_it_and_its_titles_stay() -> None:
    grades = ("critical", "high", "high", "low", "moderate", "low", "high", "low")
    names = ("oakum", "pitch", "resin", "tallow", "hemp", "cork", "brass", "canvas")
    held = {
        name: {
            "name": name, "severity": grade, "direct": not n % 3, "range": "<2.4.0", "nodes": [f"stores/{name}"],
            "via": [
                {"source": 7100 + n, "name": name, "title": f"{name.title()} catches fire near a lantern",
                 "severity": grade, "url": f"https://advisories.example.org/stores/{7100 + n}", "cwe": ["CWE-1333"]}
            ],
            "effects": [names[n - 1]], "fixAvailable": bool(n % 2),
        }
        for n, (name, grade) in enumerate(zip(names, grades, strict=True))
    }  # fmt: skip
    shown = told(
        {"version": 2, "stores": held, "sums": {"low": 3, "moderate": 1, "high": 3, "critical": 1, "total": 8}}
    )
    assert "stores.oakum: name: oakum, severity: critical, …" not in shown
    assert all(f"\n{name}|{grade}|" in shown for name, grade in zip(names, grades, strict=True))
    assert (
        "Oakum catches fire near a lantern" in shown and "low: 3, moderate: 1, high: 3, critical: 1, total: 8" in shown
    )


def test_what_fails_in_all_records_is_said_once() -> None:
    checks = [
        {
            "check": f"YARD_{n}", "name": f"Gate {n} has to be locked at night", "file": f"/yard_{n % 3}/gates.tf",
            "result": {"outcome": "FAILED", "keys": ["lock"]}, "lines": [9 * n + 1, 9 * n + 8], "gate": f"gate.g{n}",
            "guide": f"https://yard.example/guides/{n}", "text": [[1, "gate {"], [2, "}"]],
        }
        for n in range(14)
    ]  # fmt: skip
    shown = told(checks)
    assert "result.outcome: FAILED 14 of 14" in shown and "|result.outcome=FAILED" not in shown


def test_no_error_is_no_failure() -> None:
    asked = [
        {"name": f"host{n}.example", "kind": "AAAA" if n % 2 else "A", "rcode": "NOERROR", "ms": n} for n in range(60)
    ]
    assert "failures, all" not in told(asked, 300)
    asked[7]["rcode"] = "SERVERROR"
    assert "rcode=SERVERROR" in told(asked, 300)


def test_a_title_stands_rather_than_a_description_and_how_grave_a_finding_is_stays() -> None:
    long = "Whoever stands at the pier when the ferry leaves may be hit by a rope that nobody has coiled. " * 3
    found = [
        {
            "advisory": {
                "id": f"PIER-2031-{n:04}", "title": f"Ropes of pier {n} lie where people walk and stumble",
                "description": f"{n} {long}",
                "categories": ["crush-failure"] if n % 2 else [], "score": f"PIER:3.1/AV:N/AC:{'LH'[n % 2]}/PR:N",
            },
            "package": {"name": f"pier-{n}", "version": f"0.{n}.1", "sum": "%064x" % (77 * n + 5)},
        }
        for n in range(12)
    ]  # fmt: skip
    shown = told({"advisories": found, "yard": "north"})
    assert "|Ropes of pier 1 lie where people walk and stumble|" in shown
    assert "failures, all" not in shown and "advisory.categories[]=" not in shown
    rows = [
        f"pier {n},{n},{('HIGH', 'LOW', 'MEDIUM')[n % 3]},PIER-2031-{n:04},{n} {long.strip()},NEW" for n in range(14)
    ]
    shown = told("\n".join(["Pier,Berth,Security Risk,Finding id,Description,Treatment", *rows]))
    assert "\n#|Pier|Berth|Security Risk|Finding id|Description\n" in shown
    assert all("PIER-2031-" in row for row in rows_of(shown)[1:])


def test_rules_that_were_broken_once_are_not_listed_and_the_key_of_a_list_is_a_level() -> None:
    found = [
        {
            "rule": f"berth-{n:02}-is-to-be-lit-at-night",
            "file": f"yard/pier{n % 5}.tf",
            "line": 3 * n + 1,
            "message": f"Lamp {n} is {'out ' * 20}",
        }
        for n in range(18)
    ]
    found += [one | {"line": one["line"] + 100} for one in found[:2]]
    shown = told({"high": found[:12], "medium": found[12:]})
    assert "by level: high 12 · medium 8" in shown
    assert "by rule: berth-00-is-to-be-lit-at-night 2 · berth-01-is-to-be-lit-at-night 2 · 16 others once" in shown
