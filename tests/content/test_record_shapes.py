"""Records of a known kind are shown by the columns that their own tools print; long cells by what they differ in."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mcpcompact import compact


def made(text: str, budget: int = 500) -> str:
    return compact(text, budget=budget, threshold=budget, store=None).text


def header(text: str) -> list[str]:
    line = next(line for line in text.split("\n") if line.startswith("#|") or "[]|" in line)
    return line.partition(" (in all")[0].split("|")[1:]


def deployment(n: int, **status: int) -> dict[str, Any]:
    container = {"name": "web", "image": f"registry.example/shop-{n}:1.{n}", "imagePullPolicy": "IfNotPresent"}
    return {
        "metadata": {
            "name": f"shop-{n}",
            "namespace": "shop",
            "uid": f"{n:08}-6b1d-4f5e-9c3a-2f1e5a7b9d{n:02}",
            "generation": n,
            "creationTimestamp": f"2026-03-{n + 10}T08:00:00Z",
            "annotations": {"note": "x" * 200},
        },
        "spec": {
            "replicas": 2 + n % 2,
            "template": {"spec": {"containers": [container], "serviceAccountName": f"account-{n}"}},
        },
        "status": {"observedGeneration": n, **status},
    }


@pytest.mark.parametrize("count", [4, 14])
def test_workloads_of_kubernetes_by_what_kubectl_prints(count: int) -> None:
    items = [deployment(n, readyReplicas=1 + n % 2, updatedReplicas=1) for n in range(count)]
    del items[2]["status"]["readyReplicas"]
    text = made(json.dumps({"kind": "DeploymentList", "apiVersion": "apps/v1", "items": items}, indent=1))
    names = header(text)
    assert names[0] == "metadata.name"
    said = {name.rpartition(".")[2] for name in names}
    assert {"replicas", "readyReplicas", "image"} <= said and not said & {"observedGeneration", "serviceAccountName"}
    assert "|registry.example/shop-1:1.1" in text


def test_events_of_kubernetes_by_what_kubectl_prints() -> None:
    reasons = ["Pulled", "BackOff", "Failed"]
    items = [
        {
            "metadata": {
                "name": f"web-{n}.17{n:014x}",
                "namespace": "shop",
                "creationTimestamp": "2026-03-01T08:00:00Z",
            },
            "involvedObject": {"kind": "Pod", "name": f"web-{n}", "uid": f"{n:032x}"},
            "reason": reasons[n % 3],
            "message": f"{reasons[n % 3]}: the container web of the pod web-{n} was looked at again",
            "lastTimestamp": f"2026-03-01T08:{n:02}:00Z",
            "type": "Normal" if n % 3 == 0 else "Warning",
        }
        for n in range(24)
    ]
    names = header(made(json.dumps({"kind": "EventList", "items": items})))
    assert {"lastTimestamp", "type", "reason", "involvedObject.name", "message"} == set(names)


def test_recorded_exchanges_begin_with_method_address_and_status() -> None:
    entries = [
        {
            "startedDateTime": f"2026-03-01T08:00:{n:02}.000Z",
            "time": 12.5 * n,
            "request": {
                "method": "POST" if n % 3 else "GET",
                "url": f"https://shop.example/api/orders/{n}/lines",
                "headers": [{"name": "Accept", "value": "*/*"}],
            },
            "response": {
                "status": 500 if n == 7 else 200,
                "statusText": "OK",
                "content": {"size": 100 * n, "mimeType": "application/json", "text": '{"ok": true}'},
            },
            "serverIPAddress": "10.0.0.1",
        }
        for n in range(30)
    ]
    text = made(json.dumps({"log": {"version": "1.2", "entries": entries}}))
    assert set(header(text)[:3]) == {"request.method", "request.url", "response.status"}
    assert any("POST" in line and "orders/7/lines" in line and "|500" in line for line in text.split("\n"))


def test_a_table_of_log_entries_shows_their_time_and_not_the_number_of_a_template() -> None:
    rows = ["LineId,Date,Time,Level,Component,Content,EventId,EventTemplate"]
    for n in range(400):
        level = "FATAL" if n == 300 else "INFO"
        clock = f'"18:{n // 60:02}:{n % 60:02},978"'
        text = f"Container {n * 7919 % 1000} was assigned to the node {n % 9}"
        rows.append(
            f"{n + 1},2026-03-01,{clock},{level},org.example.Allocator,{text},E{n % 4},Container <*> assigned {n % 4}"
        )
    made_ = made("\n".join(rows))
    names = header(made_)
    assert names[:3] == ["Time", "Level", "Content"] and "EventId" not in names
    assert "#301|18:05:00,978|FATAL|Container" in made_


def test_texts_that_begin_alike_show_what_they_differ_in() -> None:
    before = "You are an expert engineer. Read the function below and finish it so that all of its tests pass.\n\n"
    rows = [
        {"task": f"t/{n}", "prompt": f"{before}def step_{n * 31 % 97}(values):\n    '''Item {n}.''' {'y' * 60}\n"}
        for n in range(40)
    ]
    text = made("\n".join(map(json.dumps, rows)))
    shown = [line for line in text.split("\n") if line.startswith("#") and line[1:2].isdigit()]
    assert len(shown) >= 5
    for line in shown:
        n = int(line[1:].partition("|")[0]) - 1
        assert "You are an expert" in line and f"def step_{n * 31 % 97}" in line


def test_the_worst_findings_come_first_and_their_descriptions_give_way_to_more_of_them() -> None:
    rows = [
        {
            "package": f"lib{n:03}",
            "vulnerability": f"CVE-2026-{1000 + n}",
            "severity": "High" if n in (50, 77) else "Low",
            "fixed": f"2.{n}",
            "description": f"A long story of how number {n} may be used to read what it should not. " * 3,
        }
        for n in range(120)
    ]
    text = made(json.dumps(rows))
    assert "#51|High|CVE-2026-1050|lib050|2.50" in text and "#78|High|CVE-2026-1077|lib077|2.77" in text
    assert "description" not in header(text) and "description" in text


def test_the_address_of_records_is_said_by_their_number() -> None:
    rows = [
        {"databaseId": 27_682_000 + 37 * n, "name": f"build {n * 7919 % 1000}", "conclusion": "success"}
        for n in range(30)
    ]
    addressed = [{**row, "url": f"https://forge.example/acme/shop/runs/{row['databaseId']}"} for row in rows]
    assert "(url = https://forge.example/acme/shop/runs/{databaseId})" in made(json.dumps(addressed))
    addressed[3]["url"] += "/attempts/2"
    assert "(url = " not in made(json.dumps(addressed))


def test_a_list_inside_another_names_the_element_that_holds_each_row() -> None:
    def finding(n: int, m: int) -> dict[str, Any]:
        text = f"This rule says in many words why number {m} is not allowed in a file of this kind. "
        return {"ID": f"DS{m:03}", "Title": f"rule {m} is broken", "Severity": ["LOW", "HIGH"][m % 2], "Why": text * n}

    results = [
        {"Target": f"images/{n}/Dockerfile", "Misconfigurations": [finding(n + 1, m) for m in range(3)]}
        for n in range(4)
    ]
    text = made(json.dumps({"SchemaVersion": 2, "Results": results}, indent=1))
    assert "Results[].Misconfigurations[]|(Target)|" in text
    assert "[0]…[1]|images/0/Dockerfile|DS001|rule 1 is broken|HIGH" in text


def test_why_a_pod_is_not_scheduled_is_shown_beside_tables() -> None:
    why = "0/3 nodes are available: 3 node(s) didn't match the pod's node affinity"
    env = [{"name": f"SETTING_{n}", "value": f"value-of-{n * 7919 % 1000}"} for n in range(40)]
    pod = {
        "kind": "Pod",
        "metadata": {"name": "shop-1", "namespace": "shop"},
        "spec": {"containers": [{"name": "web", "image": "registry.example/shop:1", "env": env}]},
        "status": {
            "phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": why}],
        },
    }
    assert why in made(json.dumps({"kind": "PodList", "items": [pod]}, indent=1), 400)


def test_a_table_of_a_short_document_is_whole_and_shows_the_line_of_each_remark() -> None:
    remarks = [
        {
            "id": 4_000_000_000 + 7919 * n,
            "author": ["amy", "bot"][n % 2],
            "path": f"src/part{n}/main.py",
            "line": 100 + 31 * n,
            "created": f"2026-03-01T08:{n:02}:00Z",
            "body": f"The value of step {n} is read before it is set. " + f"Please look at branch {n} again. " * 5,
        }
        for n in range(5)
    ]
    text = made("\n".join(json.dumps(remark, indent=1) for remark in remarks))
    assert {"path", "line"} <= set(header(text))
    assert all(f"src/part{n}/main.py|" in text and f"|{100 + 31 * n}" in text for n in range(5))


def test_issues_are_told_by_their_number_and_the_names_one_level_deeper() -> None:
    issues = [
        {
            "id": 1_000_000_000 + 7919 * n,
            "number": 400 - n,
            "title": f"step {n * 31 % 97} of the build fails on a cold cache",
            "user": {"login": ["amy", "bob", "chen"][n % 3], "id": 5_000_000 + 37 * (n % 3), "type": "User"},
            "labels": [{"id": 90 + m, "name": ["bug", "docs", "ci"][m]} for m in range(n % 3)],
            "state": ["open", "closed"][n % 2],
            "assignee": {"login": "zed", "type": "User"} if n % 4 == 0 else None,
            "body": "Some words about what was seen and what was expected instead. " * 4,
        }
        for n in range(30)
    ]
    names = header(made(json.dumps(issues)))
    assert {"number", "title", "user.login", "labels[].name", "state"} <= set(names)
    assert not {"id", "user.id", "assignee.type"} & set(names)


def _match(n: int, grave: str) -> dict[str, Any]:
    name = f"lib-{n:02}"
    return {
        "vulnerability": {
            "id": f"CVE-2031-{1000 + n}",
            "severity": grave,
            "description": f"Knots of {name} come undone in a storm. " * 6,
            "urls": [f"https://harbour.example/{n}/{part}" for part in range(6)],
            "fix": {"versions": [f"1.{n}.9"], "state": "fixed"},
        },
        "matchDetails": [{"type": "exact-direct-match", "found": {"versionConstraint": f"< 1.{n}.9"}}],
        "artifact": {
            "name": name,
            "version": f"1.{n}.2",
            "type": "deb",
            "cpes": [f"cpe:2.3:a:{name}:{i}" for i in "ab"],
        },
    }


@pytest.mark.parametrize("nested", [False, True])
def test_a_vulnerability_is_a_row_of_severity_number_package_version_and_fix(nested: bool) -> None:
    """The gravest first, with how many there are of each severity."""
    found = [_match(n, "Critical" if n == 17 else "Low" if n % 3 else "High") for n in range(24)]
    document = {"results": [{"target": "image", "matches": found}]} if nested else {"matches": found}
    text = made(json.dumps(document))
    columns = ["vulnerability.severity", "vulnerability.id", "artifact.name", "artifact.version"]
    *head, fix = header(text)
    assert head == columns and fix.endswith("fix.versions[]")
    (line,) = [line for line in text.split("\n") if "lib-17" in line and "|" in line]
    assert {"Critical", "CVE-2031-1017", "lib-17", "1.17.2", "1.17.9"} <= {*line.split(" ←")[0].split("|")}
    assert "Critical 1" in text and "High 8" in text and "Low 15" in text
    rows = [line for line in text.split("\n") if "|CVE-2031" in line]
    assert len(rows) >= 7 and sum("|High|" in row for row in rows) >= 6


def test_of_reviews_those_that_decide_come_first_then_the_newest_and_each_says_its_first_sentences() -> None:
    said = "The winch holds but its brake wants oil. Nobody counted the crates on pier seven before it rained. " * 4
    who = [("mara", "COMMENTED"), ("okafor", "CHANGES_REQUESTED"), ("lint[bot]", "COMMENTED"), ("tjen", "COMMENTED")]
    reviews = [
        {
            "id": 9000 + n,
            "node_id": f"PRR_kwDO{n}AbCdEf9012345",
            "user": {"login": name, "avatar_url": f"https://a.example/{name}", "site_admin": False},
            "body": f"Round {n}: {said}",
            "state": state,
            "submitted_at": f"2031-03-0{n + 1}T10:00:00Z",
        }
        for n, (name, state) in enumerate(who)
    ]
    text = made(json.dumps({"pr": {"number": 4, "title": "Lift faster", "reviews": reviews}}))
    assert header(text) == ["id", "user.login", "submitted_at", "state", "body"]
    rows = [line for line in text.split("\n") if line.startswith("[") and "|" in line]
    assert [row.split("|")[2] for row in rows[:3]] == ["okafor", "tjen", "mara"]
    assert all("brake wants oil. Nobody counted the crates" in row for row in rows[:3])


def test_conditions_stand_with_their_types() -> None:
    from mcpcompact import compact

    def node(n: int) -> dict[str, object]:
        ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "posting ready status"}
        if n == 7:
            ready |= {"status": "False", "reason": "KubeletNotReady", "message": "PLEG is not healthy"}
        full = {"type": "MemoryPressure", "status": "False", "reason": "KubeletHasSufficientMemory", "message": "m"}
        status = {"conditions": [full, ready], "capacity": {"cpu": str(2 + n % 3)}}
        return {
            "metadata": {"name": f"node-{n}", "creationTimestamp": f"2026-03-{n + 1:02}T00:00:00Z"},
            "status": status,
        }

    made = compact({"kind": "NodeList", "items": [node(n) for n in range(20)]}, budget=500, threshold=500, store=None)
    assert "conditions.MemoryPressure=False" in made.text
    assert "False KubeletNotReady: PLEG is not healthy" in made.text
    assert "False ×" not in made.text and "--where status.conditions" not in made.text


def test_failures_beside_a_list_are_said_once_and_with_the_sums() -> None:
    from mcpcompact import compact

    tests = [{"title": f"adds {n}", "fullTitle": f"sums adds {n}", "duration": n % 3, "err": {}} for n in range(90)]
    err = {"message": "expected 3 to be 4", "stack": "Error: expected 3 to be 4\n    at sum.js:9:1", "generated": True}
    report = {
        "stats": {"suites": 3, "tests": 90, "passes": 89, "failures": 1, "pending": 0},
        "tests": tests,
        "failures": [{"title": "adds 5", "fullTitle": "sums adds 5", "duration": 2, "err": err}],
    }
    text = compact(report, budget=600, threshold=600, store=None).text
    assert "stats.suites=3, stats.tests=90, stats.passes=89" in text
    assert "failures[0].title=" not in text and "failures[0].err.message=" not in text and "generated=" not in text
    assert "failures[0].fullTitle=sums adds 5" in text and "at sum.js:9:1" in text


def test_workloads_that_have_not_what_is_wanted_are_told() -> None:
    def deployment(n: int, have: int) -> dict[str, object]:
        status: dict[str, object] = {"replicas": have, "readyReplicas": have, "observedGeneration": 3}
        about = {"name": f"web-{n}", "namespace": "shop", "generation": 3, "creationTimestamp": "2025-03-01T10:00:00Z"}
        container = {"name": "web", "image": f"registry/shop/web:{n}", "args": [f"--shard={i}" for i in range(40)]}
        spec = {"replicas": 2, "template": {"spec": {"containers": [container]}}}
        return {"metadata": about, "spec": spec, "status": status}

    for count in (1, 30):  # a document, and a list of records
        items = [deployment(n, 2) for n in range(count - 1)] + [deployment(77, 1)]
        listed = {"kind": "DeploymentList", "items": items}
        text = compact(
            json.dumps(listed, indent=4), budget=200, threshold=0, content_type="records" if count > 1 else "json"
        ).text
        assert "wanted and actual differ: web-77: wanted 2, replicas 1, readyReplicas 1\n" in text
    agent: dict[str, Any] = {"metadata": {"name": "agent", "generation": 2}, "spec": {"notes": ["a note"] * 99}}
    agent["status"] = {"desiredNumberScheduled": 5, "numberReady": 4, "observedGeneration": 1}
    text = compact(json.dumps({"items": [agent]}, indent=8), budget=150, threshold=0, content_type="json").text
    assert "agent: wanted 5, numberReady 4, generation 2 observed up to 1" in text


def test_an_image_of_another_host_than_all_others_is_told() -> None:
    teams = ["tea", "rice", "salt", "oil", "corn", "milk", "fig", "plum", "kale", "mint", "soy", "oats"]
    rows = [{"name": f"pod{n}", "image": f"hub.shop.test/{teams[n % 12]}:{n % 7}.1"} for n in range(120)]
    rows[71]["image"] = "ghcr.test/odd/thing:2"
    text = compact(json.dumps(rows), budget=500, threshold=500).text
    assert "image=ghcr.test/odd/thing:2 (#72)" in text


EVENTS = [
    {
        "id": f"1688048710.{n}:3082{n}",
        "call": {"arch": "x64", "success": "yes", "user": "root" if n < 4 else "ann", "tool": f"tool-{n % 2}"},
        "paths": [{"item": 0, "name": "/usr/sbin/nft", "mode": "0o100755", "owner": "root"}] * 3,
        "run": {"words": ["/usr/sbin/nft", "-j", "list", f"chain-{n}"]},
        "title": {"words": ["/usr/sbin/nft", "-j", "list", f"chain-{n}"]},
    }
    for n in range(5)
]


def test_a_few_events_one_a_line_are_rows_with_what_differs() -> None:
    """Although they hold times, they are no log; what one of another kind holds stands behind its name."""
    lines = [*EVENTS, {"id": "1696506989.042:1262", "crash": [{"pid": 1761, "program": "su", "signal": 11}]}]
    text = "\n".join(json.dumps(one, separators=(",", ":")) for one in lines) + "\n"
    result = compact(text + " " * 2_000, budget=500, threshold=100, store=None)
    assert result.content_type == "records"
    assert result.text.count("/usr/sbin/nft,-j,list,chain-2\n") == 1
    assert "#6|1696506989.042:1262|crash[].pid=1761|crash[].program=su|crash[].signal=11" in result.text


def test_events_that_begin_with_a_time_are_records_whatever_else_they_hold() -> None:
    lines = [
        {"at": f"2026-01-02T10:00:0{n}", f"part_{n}": {f"key_{n}_{k}": "value " * 9 for k in range(20)}}
        for n in range(4)
    ]
    result = compact("\n".join(map(json.dumps, lines)), budget=400, threshold=100, store=None)
    assert result.content_type == "records" and "#2|2026-01-02T10:00:01" in result.text


def test_attributes_that_have_fields_of_their_own_are_not_said_again_below_the_rows() -> None:
    records = [
        {
            "id": f"2031070{n}-bzfccm{n}",
            "title": f"Berth {n * 7919} of the outer harbour",
            "changed": f"2031070{n}152106",
            "ial": f'{{: id="2031070{n}-bzfccm{n}" title="Berth {n * 7919} of the outer harbour"'
            f' changed="2031070{n}152106"}}',
            "text": f"The rope of berth {n} was worn through, and {n * 31} new fathoms were ordered. " * 6,
        }
        for n in range(1, 7)
    ]
    text = compact(json.dumps(records), budget=500, threshold=300, content_type="records", store=None).text
    assert ".ial: {:" not in text and "Berth 15838 of the outer harbour" in text and ".text: The rope" in text
