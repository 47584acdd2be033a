"""The gravest of the findings that records hold in lists."""

from __future__ import annotations

import json
from typing import Any

from mcpcompact import compact


def _packages(count: int) -> str:
    """What a scanner found in packages: most of it closed, the gravest open one in the last package but one."""
    packages: list[dict[str, Any]] = []
    for n in range(count):
        low = {
            "id": f"CVE-2020-10{n}",
            "scorev3": "3.1",
            "status": "Unpatched",
            "summary": f"A flaw in lib{n} leaks.",
        }
        shut = {
            "id": f"CVE-2021-20{n}",
            "scorev3": "9.9",
            "status": "Patched",
            "summary": f"An overflow in lib{n}.",
        }
        packages.append({"name": f"lib{n}", "layer": "meta", "version": f"1.{n}", "issue": [low, shut]})
    grave = {"id": "CVE-2022-77", "scorev3": "8.8", "status": "Unpatched", "summary": "A crash in a parser."}
    for package in packages[-3:-1]:
        package["issue"].append(grave)
    return json.dumps({"version": "1", "package": packages}, indent=1)


def test_of_lists_of_findings_inside_records_the_gravest_open_ones_are_told_first() -> None:
    text = compact(_packages(40), budget=500, threshold=0).text
    assert (
        "82 issue[] by scorev3, worst first, closed last: CVE-2022-77 8.8 (#38 lib37, #39 lib38) · "
        "CVE-2020-100 3.1 (#1 lib0) · "
    ) in text


def test_records_that_have_a_severity_themselves_are_the_findings() -> None:
    rows = [
        {"severity": ["low", "high"][n % 2], "name": f"p{n}", "related": [{"id": f"CVE-{n}", "cvss": n % 9 + 0.5}]}
        for n in range(40)
    ]
    assert "worst first" not in compact(json.dumps(rows), budget=500, threshold=0).text


def test_long_advisories_that_name_a_failure_are_not_odd_among_each_other() -> None:
    packages = json.loads(_packages(30))
    for n, package in enumerate(packages["package"]):
        for one in package["issue"]:
            word = "crash" if n == 7 else "denial of service by a failure"
            one["summary"] = f"{one['id']}: the parser of {package['name']} lets a remote attacker cause a {word} " * 2
    assert "issue[].summary=" not in compact(json.dumps(packages), budget=500, threshold=0).text
