"""What stands beside JSON, what failed among several objects, plans, flags of findings, recorded calls."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

from mcpcompact import compact


def test_text_around_json_is_shown_and_its_lines_are_the_ones_a_command_takes() -> None:
    boats = [
        {
            "name": f"Boat {n}",
            "berth": {"pier": n % 7, "paid": n * 3},
            "crew": [n, n + 1],
            "log": {"said": [f"of {n} and {k}" for k in range(9)]},
        }
        for n in range(60)
    ]
    before = "I opened the harbour's page.\n\nData of the page:\n\n"
    behind = "Text of the screenshot:\n\nGrey Heron, sold on Dec 27 for 1,430\nopen on Sundays\n"
    text = before + json.dumps({"town": {"site": ["Grey Heron"]}, "boats": {"list": boats}}, indent=2) + "\n\n" + behind
    said = compact(text, budget=400, threshold=100, content_type="json", arguments={"query": "Boat 7"}).text
    assert "stand before the JSON: I opened the harbour's page. Data of the page:" in said
    assert "stand behind the JSON: Text of the screenshot: Grey Heron, sold on Dec 27 for 1,430 open on Sundays" in said
    assert "bytes parse" not in said and "values match" not in said
    numbered = re.findall(r"(?m)^(\d+) ( +.*)$", said)
    assert numbered and all(text.split("\n")[int(number) - 1] == line for number, line in numbered)
    records = compact(
        json.dumps([{"id": n, "note": f"n {n}"} for n in range(99)]) + "\nExported 99, 3 skipped.\n",
        budget=200,
        threshold=9,
    )
    assert "stand behind the JSON: Exported 99, 3 skipped." in records.text and "damaged" not in records.text
    damaged = compact(
        json.dumps({"a": [[n] for n in range(400)]}) + "], more: 1}", budget=200, threshold=9, content_type="json"
    )
    assert "bytes parse" in damaged.text


def test_of_several_objects_the_one_that_failed_is_told_and_why_in_one_line() -> None:
    def task(n: int, failed: bool) -> dict[str, Any]:
        times = {"lastProbeTime": "2026-03-01T10:00:00Z", "lastTransitionTime": "2026-03-01T10:00:00Z"}
        why = (
            {"reason": "DeadlineExceeded", "message": "The task was active longer than its deadline"} if failed else {}
        )
        pod = {
            "containers": [
                {
                    "name": "job",
                    "image": f"registry.example.org/boats/paint-{n}:1",
                    "command": ["paint"],
                    "args": [f"--coat={n}-{k}" for k in range(9)],
                }
            ]
        }
        about = {
            "name": f"paint-{n}",
            "annotations": {f"example.org/note-{k}": f"said of {n} and {k}" for k in range(20)},
        }
        done = {"conditions": [{"type": "Failed" if failed else "Complete", "status": "True", **times, **why}]}
        return {"metadata": about, "spec": {"template": {"spec": pod}, "backoffLimit": 3 + n}, "status": done}

    text = compact(
        json.dumps({"kind": "List", "items": [task(0, False), task(1, True)]}), budget=400, threshold=100
    ).text
    assert re.search(r"type: Failed, status: \"True\", reason: DeadlineExceeded, message: The task was active", text)
    assert "items[1].spec.template.spec.containers[0]: name: job, image: registry.example.org/boats/paint-1:1" in text


def test_a_plan_says_what_it_does() -> None:
    def change(n: int, *actions: str) -> dict[str, Any]:
        after = {"size": n, "tags": {f"tag_{k}": f"value {k} of {n}" for k in range(12)}}
        return {"address": f"boat.b[{n}]", "change": {"actions": list(actions), "after": after}}

    changes = [*(change(n, "create") for n in range(30)), change(30, "delete", "create")]
    text = compact(
        json.dumps({"format": "1", "resource_changes": changes, "planned": {"of": changes}}),
        budget=500,
        threshold=100,
        content_type="json",
    ).text
    assert "resource_changes[].change.actions: 30 create, 1 delete/create, 0 update\n" in text


def test_what_holds_for_few_findings_is_told() -> None:
    issues = [
        {
            "file": f"a{n}.py",
            "line": n + 1,
            "severity": "MAJOR",
            "rule": f"r{n % 3}",
            "message": f"Say {n} rather than what is said there of the harbour, its boats and piers",
            "isNew": n % 4 == 1,
        }
        for n in range(32)
    ]
    text = compact(json.dumps({"issues": issues}), budget=300, threshold=100, content_type="json").text
    assert "issues[].isNew: true in 8 of 32 (issues[1,5,9,13,17,21,25,29])" in text


def test_recorded_calls_show_what_was_sent_and_answered() -> None:
    def call(n: int) -> dict[str, Any]:
        times = {"created_at": f"2026-03-01T10:00:{n:02}Z", "updated_at": f"2026-03-01T10:01:{n:02}Z"}
        answer = {
            "id": 7000 + n,
            "by": {"login": "quay", "teams": [f"t{k}" for k in range(40)]},
            **times,
            "url": f"https://api.example.org/cards/{7000 + n}",
        }
        body = {"note": f"Paint {n}", "column_id": 90 + n}
        return {"method": "post", "path": f"/columns/{n}/cards", "body": body, "status": 201, "response": answer}

    text = compact(json.dumps([call(n) for n in range(14)]), budget=500, threshold=100).text
    assert "|{note: Paint 3, column_id: 93}|" in text and "id=7003" in text


def test_plain_values_come_before_addresses_that_programs_follow() -> None:
    api = "https://api.harbor.example/v3/organisations/northern-harbours/berths"

    def rule(name: str, n: int) -> dict[str, object]:
        return {f"{name}_rule": {"url": f"{api}/{n}/{name}/rule", "active": n % 2 == 1}}

    def berth(n: int) -> dict[str, object]:
        links = {f"{w}_url": f"{api}/{n}/{w}{{/part}}" for w in ("cranes", "ships", "ropes", "tides", "pilots")}
        plain = {"depth": 7, "state": "free", "keeper": {"login": f"k{n}", "avatar_url": f"{api}/k/{n}.png"}}
        rules = rule("lift", n) | rule("night", n + 1) | rule("fog", n)
        return {"number": n, **links, **rules, "node_id": f"QmVydGg6{n:04}", **plain}

    text = compact(json.dumps({"port": {"north": berth(4), "south": berth(7)}}), budget=360, threshold=100).text
    for side, on in (("north", 0), ("south", 1)):
        for name, active in (("lift", on), ("night", 1 - on), ("fog", on)):
            assert f"port.{side}.{name}_rule: active: {str(active == 1).lower()} (of 2 keys)" in text
    assert text.count("state: free") == 2
    assert "cranes_url" not in text and "/lift/rule" not in text


def test_how_grave_a_finding_is_in_which_respect_stands_beside_its_name() -> None:
    def finding(n: int) -> dict[str, object]:
        grades = ["NON_BREAKING", "BREAKING"] if n == 2 else ["BREAKING", "BREAKING"]
        respects = zip(("SOURCE", "BINARY"), grades, strict=True)
        return {
            "code": f"java.method.removed{n}",
            "old": f"method void acme.Api{n}::run(int)",
            "classification": [{"compatibility": of, "severity": grade} for of, grade in respects],
            "attachments": [
                {"name": name, "value": f"acme.{name}.Api{n}"} for name in ("package", "class", "jar", "kind")
            ],
        }

    found = [finding(n) for n in range(6)]
    report = json.dumps({"tool": {"name": "apicheck"}, "runs": [{"findings": found}]})
    text = compact(report, budget=400, threshold=400, store=None).text
    assert re.search(r"java\.method\.removed1\|.*\|BREAKING: SOURCE, BINARY$", text, re.M), text
    assert re.search(r"java\.method\.removed2\|.*\|NON_BREAKING: SOURCE; BREAKING: BINARY$", text, re.M)
    many = json.dumps([finding(n) for n in range(60)])
    rows = compact(many, budget=400, store=None).text
    assert re.search(r"^#3\|java\.method\.removed2\|NON_BREAKING: SOURCE; BREAKING: BINARY\|", rows, re.M)
    assert "--where classification" not in rows


def test_of_recorded_calls_each_kind_is_shown_before_a_second_of_the_same() -> None:
    def call(method: str, path: str, answer: Any, body: Any = "") -> dict[str, Any]:
        scopes = ", ".join(f"admin:berth_{n}" for n in range(9 + (method == "delete") * 9))
        sent = {"method": method, "path": path, "body": body, "status": 200, "response": answer}
        return sent | {"rawHeaders": ["X-Scopes", scopes, "Served-By", f"quay-{len(path)}"] * 3}

    made = [
        call("post", "/yards/7/slips", {"number": n, "title": f"Slip {n}"}, {"title": f"Slip {n}"}) for n in range(14)
    ]
    read = [call("get", f"/yards/7/slips?page={n}", [{"title": f"Slip {n}"}]) for n in range(4)]
    calls = json.dumps([*made, *read, call("delete", "/yards/7", "")])
    text = compact(calls, budget=300, threshold=100).text
    assert all(re.search(rf"^\[{n}\]\|", text, re.M) for n in (0, 14, 18))
    assert re.search(r"^… \d+ more, first \[\d+\], last \[1[67]\]", text, re.M)
    assert not re.search(r"^…\[", text, re.M) and "rawHeaders prefix" not in text
    whole = compact(calls, budget=1_000, threshold=100).text
    assert re.findall(r"^\[(\d+)\]\|", whole, re.M) == [str(n) for n in range(19)]


def test_what_is_cut_of_a_text_does_not_count_the_quote_behind_it() -> None:
    told = " ".join(f"The hawser of berth {n} is worn and has to be replaced before winter." for n in range(60))
    port = {"harbour": {"name": "Northport", "note": told, "berths": [{"n": n, "free": n % 2 == 0} for n in range(9)]}}
    line = next(x for x in compact(json.dumps(port), budget=300, threshold=100).text.split("\n") if "…[+" in x)
    shown, left = re.fullmatch(r'.*note: "(.*)…\[\+([\d,]+) chars\]', line).groups()  # type: ignore[union-attr]
    assert len(shown) + int(left.replace(",", "")) == len(told)


def _pod() -> dict[str, Any]:
    env = [
        {"name": f"HARBOUR_{n}", "valueFrom": {"secretKeyRef": {"name": f"s{n}", "key": f"k{n}"}}} for n in range(20)
    ]
    rule = [
        {"key": "harbour.example/tide", "operator": "In", "values": ["spring", "neap"]},
        {"key": "harbour.example/ice", "operator": "NotIn", "values": ["thick"]},
    ]
    terms = {"nodeSelectorTerms": [{"matchExpressions": rule}]}
    mounts = [{"name": f"v{n}", "mountPath": f"/var/lib/v{n}"} for n in range(5)]
    status = {"name": "lock", "ready": True, "restartCount": 3, "image": "registry.example/harbour/lock:2.4"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "lock-7f", "namespace": "quay", "uid": "0"},
        "spec": {
            "containers": [{"name": "lock", "image": "harbour/lock:2.4", "env": env, "volumeMounts": mounts}],
            "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}},
            "priority": 0,
        },
        "status": {
            "phase": "Running",
            "hostIP": "10.0.0.2",
            "containerStatuses": [status | {"state": {"running": {"startedAt": "2026-01-02T03:04:05Z"}}}],
        },
    }


def test_of_a_pod_what_it_runs_is_told_first_and_all_of_the_rule_that_says_where() -> None:
    for form in (_pod(), {"kind": "PodList", "apiVersion": "v1", "items": [_pod()]}):
        text = compact(json.dumps(form), budget=400, threshold=100).text
        assert "spec.containers[0]: name: lock, image: harbour/lock:2.4, …\n" in text
        assert "status.containerStatuses[0]: name: lock, ready: true, restartCount: 3, …\n" in text
        assert (
            "matchExpressions: [{key: harbour.example/tide, operator: In, values: [spring, neap]}, "
            "{key: harbour.example/ice, operator: NotIn, values: [thick]}]\n" in text
        )


def test_many_names_alone_stand_in_one_line() -> None:
    crews = [
        [{"name": f"sailor{n}-{k}", "told": {f"key{k}{i}": "x" * 40 for i in range(9)}} for k in range(8)]
        for n in range(3)
    ]
    boats = [{"boat": {"crew": crew}} for crew in crews]
    text = compact(json.dumps({"boats": boats}), budget=400, threshold=100).text
    assert ".crew[].name: sailor0-0, sailor0-1, " in text and "sailor1-3, +12 more\n" in text


def test_what_a_table_says_is_not_said_again_but_for_the_errors_of_an_answer() -> None:
    calls = [
        {
            "method": "post",
            "path": f"/harbours/{n}/boats",
            "status": 422 if n == 4 else 201,
            "body": {"name": f"boat {n}", "berth": n},
            "response": {
                "id": 900 + n,
                "name": f"boat {n}",
                "draught": n * 3,
                "flags": [f"f{n}{k}" for k in range(30)],
            },
        }
        for n in range(8)
    ]
    calls[4]["response"] = {
        "message": "Validation Failed",
        "errors": [{"resource": "Boat", "code": "already_moored", "field": "berth"}],
        "documentation_url": "https://docs.harbour.example/boats",
    }
    text = compact(json.dumps(calls), budget=600, threshold=100).text
    assert "|{name: boat 3, berth: 3}|" in text and "body: {name" not in text
    assert "errors: [{resource: Boat, code: already_moored, field: berth}]" in text


def test_the_only_rows_of_their_kind_stand_there_though_they_come_last() -> None:
    def leg(n: int, origin: str, end: str) -> dict[str, Any]:
        seats = {"deck": n * 31 % 17, "cabin": n * 7 % 13, "hold": n * 11 % 19}
        times = {"leaves": f"{n + 7:02}:10:00", "comes": f"{n + 9:02}:40:00"}
        return {"boat": f"BT{n:03}", "origin": origin, "end": end, **times, "free": seats, "fares": seats}

    trips = [[leg(n, "quay", "lock"), leg(n + 20, "lock", "isle")] for n in range(6)]
    trips.append([leg(60, "quay", "dam"), leg(61, "dam", "isle")])
    text = compact(json.dumps(trips), budget=360, threshold=100).text
    assert "|BT060|quay|dam|" in text and "|BT061|dam|isle|" in text and "more row" in text


def test_what_a_table_of_all_shows_whole_stands_in_no_line_below_it() -> None:
    def change(n: int) -> dict[str, Any]:
        rows = [{"at": k, "code": f"line {n}{k}", "shown": f"line {n}{k}", "hit": k == n} for k in range(4)]
        grades = [{"compatibility": "BINARY", "severity": "BREAKING" if n % 2 else "NON_BREAKING"}]
        return {
            "rule": f"class.removed.{n}", "subject": f"class of the {n}th harbour", "criticality": "error",
            "advice": f"Keep the class of pier {n} for ships that still land there", "grades": grades, "lines": rows,
        }  # fmt: skip

    text = compact(json.dumps([change(n) for n in range(6)]), budget=700, threshold=100, content_type="json").text
    head = "(in all: criticality=error)"
    assert head in text and "criticality" not in text.partition(head)[2]
    assert all(text.count(f"class.removed.{n}") == 1 == text.count(f"Keep the class of pier {n} ") for n in range(6))
    assert "shown = code" in text and text.count("line 01") == 1 and "severity" not in text


def test_answers_are_called_as_the_document_calls_them_and_not_said_again() -> None:
    def call(n: int) -> dict[str, Any]:
        made = {
            "id": 70 + n,
            "name": f"pier {n}",
            "depth": {"mean": f"{n}.5"},
            "notes": [f"n{n}{k}" for k in range(40)],
        }
        several = [{"name": f"boat {n}{k}", "crew": {"mate": f"Mate {n}{k}" * 9}} for k in range(2)]
        about = {"method": "post" if n % 2 else "get", "path": f"/harbours/{n}", "status": 200 + n}
        return {**about, "body": {"berth": n} if n % 2 else "", "response": made if n % 2 else several}

    text = compact(json.dumps([call(n) for n in range(6)]), budget=500, threshold=100, content_type="json").text
    assert "|body|response" in text and "answer" not in text
    below = text.partition("[5]|")[2].partition("\n")[2]
    assert "id=75, name=pier 5" in text and "boat 40, boat 41" in text
    assert "status:" not in below and "pier" not in below and "name: boat" not in below and "n10, n11" in below


def test_of_a_map_of_several_kinds_an_option_that_some_have_is_not_odd_and_a_table_of_kinds_alone_is_none() -> None:
    def item(n: int) -> dict[str, Any]:
        kind = ("hull", "mast", "sail", "rope")[n % 4]
        options = {f"{kind}_size": "256" if n == 41 else str(8 * (n // 4 % 3)), "color": ("red", "blue")[n // 3 % 2]}
        variants = {f"{7000 + n * 10 + k}": {"options": options, "price": n * 3.5 + k} for k in range(3)}
        paid = {f"card_{n}{k}": {"source": ("card", "cash")[k]} for k in range(2)}
        return {"name": f"{kind.title()} No {n}", "variants": variants, "paid": paid}

    text = compact(json.dumps({str(900 + n): item(n) for n in range(80)}), budget=600, threshold=100).text
    assert "256 in 3 of" not in text and "in 1 of" not in text
    assert "*.paid.*|source" not in text and "Hull No 0" in text


def test_an_object_of_many_different_things_is_told_by_its_keys() -> None:
    root = {
        "kinds": {
            f"kind.k{n}": {f"own{n}": n, f"about{n % 40}": {f"p{n}{k}": k * n for k in range(30)}} for n in range(90)
        }
    }
    out = compact(json.dumps(root), budget=500, threshold=100, store=None).text
    assert "\n90 keys of kinds: kind.k0, kind.k1, kind.k2, " in out


def test_keys_and_certificates_come_behind_all_else() -> None:
    def key(n: int) -> str:
        return base64.b64encode(hashlib.sha512(str(n).encode()).digest()).decode()

    logs = [
        {
            "baseUrl": f"https://log{n}.quay.example/{2020 + n}",
            "publicKey": {"rawBytes": key(n), "validFor": {"start": f"202{n}-03-0{n + 1}", "end": f"202{n + 1}-01-01"}},
            "signature": key(n + 50),
        }
        for n in range(4)
    ]
    out = compact(
        json.dumps({"mediaType": "roots", "logs": logs[:2], "witnesses": logs[2:]}), budget=400, threshold=100
    )
    for n in range(4):
        assert f"https://log{n}.quay.example/{2020 + n}" in out.text and f"202{n}-03-0{n + 1}" in out.text


def test_words_of_a_list_are_no_failures_but_states_are() -> None:
    words = [a + b + c for a in ("ab", "ke", "lo") for b in ("ra", "ti", "no", "su") for c in ("n", "ler", "dic")]
    told = compact(json.dumps({"adjs": [*words, "CRITICAL", "failed"]}), budget=100, threshold=50).text
    assert "failures" not in told, told
    states = compact(json.dumps({"adjs": ["moored", "adrift"] * 40 + ["failed"]}), budget=100, threshold=50).text
    assert "failures in adjs[]" in states or "failed" in states, states


def test_words_that_deny_an_error_are_no_failures() -> None:
    said = ("NOERROR", "no_error", "NoError", "error_count=0", "0 errors", "ERROR_SUCCESS", "error-free", "nonfatal")
    for word in said:
        rows = [{"id": n, "rcode": word if n % 3 else "QUERY", "reply": f"berth-{n * 37}.quay"} for n in range(60)]
        assert "failures, all" not in compact(json.dumps(rows), budget=300, threshold=50).text, word
        assert "odd, of all" not in compact(json.dumps(rows), budget=300, threshold=50).text, word
    rows[7]["rcode"] = "3 errors, no failure"
    assert "3 errors, no failure" in compact(json.dumps(rows), budget=300, threshold=50).text


def test_an_object_says_its_own_values_side_by_side_before_what_it_holds() -> None:
    licence = {
        "key": "harbour-2.0",
        "name": "Harbour Licence 2.0",
        "code": "HB-2.0",
        "page": "https://api.harbor.example/l/2",
    }
    keeper = {
        f"{what}_url": f"https://api.harbor.example/keepers/7/{what}" for what in ("ships", "ropes", "logs", "photo")
    }
    ship = {
        "title": "Grey Heron", "number": 40117, "keeper": keeper | {"login": "ansgar", "kind": "Keeper"},
        "built": "1974-03-02", "tonnes": 412, "log_url": "https://api.harbor.example/ships/40117/log", "home": "Kiel",
        "licence": licence, "flag": "DE", "crew": {"cook": "Berit Lund " * 5, "mate": "Olaf Renner " * 5},
        "cargo": "timber", "due": "2031-05-06", "notes": ["painted twice " * 9, "a new mast " * 9],
    }  # fmt: skip
    shown = compact(json.dumps({"event": "arrived", "ship": ship}), budget=300, threshold=100, store=None).text
    own = "built: 1974-03-02, tonnes: 412, home: Kiel, flag: DE, cargo: timber, due: 2031-05-06"
    assert own in shown.replace("title: Grey Heron, number: 40117, ", "")


def test_rows_of_a_map_say_their_key_once_and_no_path() -> None:
    variants = {
        str(9690244451 + n * 7919): {
            "item_id": str(9690244451 + n * 7919),
            "options": {"switch": ("clicky", "linear", "tactile")[n % 3], "size": f"{60 + n} keys"},
            "available": n % 4 > 0,
            "price": 236.51 + n * 3.7,
        }
        for n in range(20)
    }
    ware = {"name": "Mechanical Keyboard", "product_id": "1656367028", "variants": variants}
    made = compact(json.dumps(ware), budget=500, threshold=100)
    assert "(item_id = its key)" in made.text and "variants.9690244451" not in made.text
    assert all(f"\n{key}|" in made.text for key in variants)
    assert (made.items_shown, made.items_total) == (102, 102)  # what a fact says counts beside the rows


def test_a_text_that_is_cut_is_no_shown_value() -> None:
    text = "\n".join(f"Line {n} tells of berth {n * 37} and of the boat there." for n in range(80))
    made = compact(json.dumps({"pier": 4, "log": text}), budget=300, threshold=100)
    assert (made.items_shown, made.items_total) == (1, 2), made.text


def test_the_only_row_of_its_kind_stands_among_the_first_of_a_table() -> None:
    operations = [{"id": f"2025-{n:03d}-quay", "action": "delete", "data": None, "parent": ""} for n in range(18)]
    operations.insert(
        16, {"id": "2025-999-mole", "action": "insert", "data": "<p>the new mole</p>" * 40, "parent": "2025-1"}
    )
    document = json.dumps({"code": 0, "data": [{"operations": operations, "at": 0}]})
    for budget in range(260, 420, 20):
        text = compact(document, budget=budget, threshold=1, store=None).text
        rows = re.findall(r"^\S+\|2025-\d{3}-\w+\|", text, re.MULTILINE)
        assert len(rows) < 2 or any("999-mole" in row for row in rows), (budget, text)
