"""What a table of records says of each: parts of an object together, what stands in its stead, what is told once."""

from __future__ import annotations

import json
from typing import Any

from mcpcompact import compact


def _short(value: Any, budget: int = 500) -> str:
    return compact(json.dumps(value), budget=budget, threshold=100).text


def _audit() -> dict[str, Any]:
    names = ["alder", "birch", "cedar", "dogwood", "elm", "fir", "ginkgo", "hazel"]
    grades = ["critical", *["high"] * 4, "moderate", "low", "low"]

    def entry(n: int, name: str) -> dict[str, Any]:
        fix: Any = {"name": names[n - 1], "version": f"{n}.2.{n}", "isSemVerMajor": n % 2 == 0}
        return {
            "name": name,
            "severity": grades[n],
            "isDirect": n % 3 == 0,
            "via": [
                {
                    "source": 1000 + n,
                    "name": name,
                    "title": f"Sap leak in {name} below {n}.2, when its bark is read from an untrusted forest",
                    "url": f"https://example.org/advisories/EXMP-{n:04}-oak-elm",
                    "cwe": ["CWE-20", "CWE-79"],
                    "cvss": {"score": 4.5, "vectorString": "CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:U/C:N/I:L/A:L"},
                    "range": f"<{n}.2.0",
                }
            ],
            "effects": [],
            "range": f"<{n}.2.0",
            "nodes": [f"node_modules/{name}"],
            "fixAvailable": fix if n > 1 else True,
        }

    found = {name: entry(n, name) for n, name in enumerate(names)}
    return {"auditReportVersion": 2, "vulnerabilities": found, "metadata": {"dependencies": {"prod": 30, "dev": 4}}}


def test_a_version_stands_with_the_name_it_is_of() -> None:
    text = _short(_audit())
    assert "|fixAvailable.name|fixAvailable.version|" in text
    assert "|birch|2.2.2|" in text  # what is to be installed for cedar


def test_a_scalar_in_the_stead_of_an_object_is_shown() -> None:
    rows = [line for line in _short(_audit()).splitlines() if line.startswith(("alder|", "birch|"))]
    assert len(rows) == 2 and all("|fixAvailable=true|" in row for row in rows)


def test_a_table_by_severity_leaves_no_room_to_parts_of_its_rows() -> None:
    lines = _short(_audit(), 400).splitlines()
    assert lines[-1].startswith("… ") and not any(line.startswith("vulnerabilities.") for line in lines[4:])


def test_what_all_have_counts_for_the_rows_that_are_shown() -> None:
    people = {
        f"user{n}": {"name": {"first": f"Ada{n}", "last": f"Quay{n}"}, "mail": f"ada{n}@example.org", "country": "NL",
                     "cards": {f"card_{n}": {"kind": "gold", "digits": f"{n:04}"}}}
        for n in range(400)
    }  # fmt: skip
    head = _short(people).partition("\n")[0]
    assert int(head.partition(" values shown")[0].rpartition(": ")[2].partition(" of ")[0].replace(",", "")) < 200


def test_a_name_that_ends_its_path_is_said_once() -> None:
    names = [f"Note on {word}" for word in ("amber", "basalt", "chalk", "emergence", "flint")] * 7
    rows = [{"id": f"2025-{n:03}-x{n}", "content": f"{t} {n}", "hpath": f"/Stones/{n % 4}/{t} {n}"}
            for n, t in enumerate(names)]  # fmt: skip
    text = _short({"code": 0, "data": rows})
    assert "#|id|hpath (content = last part of hpath)" in text
    assert "odd, of" not in text


def test_empty_values_beside_a_list_come_last() -> None:
    rows = [{"id": n, "name": f"lamp {n}", "watt": n * n % 17, "note": "warm light " * 6} for n in range(40)]
    about = {"made": {"by": "lampscan", "at": "2024-05-06T07:08:09.123456789+02:00 in the north hall"}, "none": []}
    text = _short({"target": {"tags": [], "image": "shop/lamps:1.2"}, "about": about, "lamps": rows})
    line = next(line for line in text.splitlines() if line.startswith("other keys: "))
    assert "target.image=shop/lamps:1.2" in line
    assert "=[]" not in line or line.index("=[]") > line.index("target.image")


def test_all_that_is_planned_to_be_removed_is_listed_without_saying_so_twice() -> None:
    rows = [
        {"@level": "info", "@message": f"lamp.post[{n}]: Plan to {a}", "type": "planned_change",
         "change": {"action": a, "addr": f"lamp.post[{n}]", "reason": "count_index" if a == "delete" else "tainted"}}
        for n in range(40) for a in ["delete" if n in (7, 19, 31) else "update"]
    ]  # fmt: skip
    text = compact("\n".join(map(json.dumps, rows)), budget=400, threshold=100).text
    for n in (7, 19, 31):
        row = next(line for line in text.splitlines() if f"|lamp.post[{n}]: Plan to delete" in line)
        assert "change.action=delete" not in row and "count_index" in row


def test_a_blank_field_is_no_figure_of_some_records() -> None:
    rows = [{"n": n, "kind": "start" if n % 2 else "end", "note": f"lamp {n * 7} of the north hall {n % 5}",
             "hook": {"module": "", "key": f"k{n}"}} for n in range(120)]  # fmt: skip
    rows += [{"n": n, "kind": "plan", "note": f"lamp {n}"} for n in range(60)]
    assert "(empty)" not in _short(rows, 700)


def test_versions_have_no_shape() -> None:
    rows = [{"id": f"Q-{n}", "part": f"part{n}", "fix": {"versions": [f"1.{n}.{n % 7}" if n != 9 else "1.16.0-rc1"]}}
            for n in range(30)]  # fmt: skip
    assert "only one of its shape" not in _short(rows)


def test_rows_that_only_count_leave_room_to_what_stands_beside_them() -> None:
    note = "a post of the long quay, lit at dusk and off at dawn, of cast iron and amber glass, which nobody may move"
    posts = [
        {
            "address": f"lamp.post[{n}]",
            "after": {
                "name": f"post-{n}",
                "zone": f"z{n % 3}",
                "watt": n * 10,
                "glass": {"panes": n % 5, "tint": "amber"},
            },
            "provider": "example.org/builtin/lamps",
            "note": f"{note}, paint or wire without the leave of the harbour office",
            "unknown": {"id": True, "out": True},
            "sensitive": {"x": [False, False], "y": {"k": False}},
        }
        for n in range(60)
    ]
    value = {"posts": posts, "outputs": {"towers": {"actions": ["create"], "unknown": True}}}
    for budget in (400, 1_400):
        text = compact(json.dumps(value), budget=budget, threshold=100, content_type="json").text
        assert "\n… " in text and "towers: {actions: [create], unknown: true}" in text


def test_how_long_the_lists_of_many_are_is_counted() -> None:
    people = {f"user{n}": {"mail": f"ada{n}@example.org", "home": {"street": f"{n} Quay Lane", "zip": f"{10000 + n}"},
                           "orders": [f"#W{n}{k}" for k in range(9 if n == 7 else n % 4)]}
              for n in range(200)}  # fmt: skip
    assert "orders list lengths 0 ×50, 1 ×50, 2 ×50, 3 ×49, 9 ×1" in _short(people)


def test_of_findings_the_gravest_come_before_one_that_many_are_alike_to() -> None:
    def found(n: int) -> dict[str, object]:
        grade = "Critical" if n < 4 else "High" if n < 12 else "Low"
        same = "A knot of the quay can be made to spin on a short rope by tying it with thousands of turns, if wet."
        about = same if n > 20 else f"Loose plank {n * 37 % 11} of pier {n} lets sea water into the hold number {n * 3}"
        return {
            "vulnerability": {"id": f"CVE-2031-{1000 + n}", "severity": grade, "description": about},
            "artifact": {"name": f"plank{n}", "version": f"1.{n}", "cpes": ["cpe:x"] * (24 if n == 30 else 1)},
            "fix": {"versions": [f"2.{n}"], "state": "fixed"},
        }

    text = _short({"matches": [found(n) for n in range(1, 36)]}, 600)
    assert all(f"|Critical|CVE-2031-100{n}|" in text for n in (1, 2, 3))
    assert "|Low|" not in text and "len(" not in text
