"""Documents whose parts are alike: what they share is said once, and what differs stands there."""

from __future__ import annotations

import json
from typing import Any

from mcpcompact import compact


def summary(value: Any, budget: int = 500, **options: Any) -> str:
    return compact(json.dumps(value, indent=1), budget=budget, threshold=0, **options).text


def typed(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return {"M": {key: typed(held) for key, held in value.items()}}
    if isinstance(value, list):
        return {"L": [typed(held) for held in value]}
    if value is None:
        return {"NULL": True}
    return {"N": str(value)} if isinstance(value, int) else {"S": value}


def image(steps: int = 40) -> dict[str, Any]:
    names = ["conclusion", "head_branch", "run_url", "runner_name", "workflow", "created_at", "labels_text", "url"]
    held = {name: f"{name}-of-the-job-7712" for name in names} | {"conclusion": "timed_out", "parent": None, "tries": 3}
    return held | {"steps": [{"name": f"Check {n}", "conclusion": "success", "number": n} for n in range(steps)]}


def test_the_names_of_types_are_seen_through() -> None:
    held = {key: typed(value) for key, value in image().items()}
    shown = summary({"Records": [{"eventName": "INSERT", "row": {"NewImage": held}}]})
    assert 'values shown without the names of their types: {"N": …}, {"S": …}' in shown
    assert "conclusion: timed_out" in shown
    assert "parent: true" not in shown  # {"NULL": true} says that there is nothing


def test_a_single_key_that_other_objects_have_beside_others_is_no_type() -> None:
    people = {f"role_{n}": {"login": f"person-{n}"} for n in range(30)}
    shown = summary({"people": people, "owner": {"login": "someone", "id": 5}, "text": "word " * 400})
    assert "without the names of their types" not in shown


def test_places_of_rows_are_columns() -> None:
    runs = [
        [2_000_000 + 7 * n, [n, f"revision-of-the-tree-{n:05}"], 21_000.5 + n if n % 3 else 505.25 + n, 0]
        for n in range(120)
    ]
    shown = summary({"stat": "ok", "runs": runs})
    assert "runs[0]: [2000000, [0, revision-of-the-tree-00000], 505.25, 0]" in shown
    assert "runs[119]: [2000833, [119, revision-of-the-tree-00119], 21119.5, 0]" in shown


def test_an_object_inside_an_element_is_not_called_by_the_elements_number() -> None:
    robot = {"id": 7, "login": "robot", "kind": "Bot", "home": "h" * 150}
    assets = [{"id": 900 + n, "name": f"file-{n}.tar.gz", "note": "x" * 150, "uploader": robot} for n in range(3)]
    shown = summary({"assets": assets, "text": "word " * 400}, 1000)
    assert not any("uploader (id 9" in line for line in shown.split("\n"))


def test_the_name_of_a_step_that_was_skipped_is_no_failure() -> None:
    steps = [{"name": f"Step {n}", "status": "completed", "conclusion": "success", "log": "l" * 60} for n in range(40)]
    steps[20] |= {"name": "Upload the cache if tests failed", "conclusion": "skipped"}
    steps[30] |= {"conclusion": "cancelled"}
    shown = summary({"job": {"name": "build", "steps": steps}, "extra": ["word " * 30] * 9})
    assert "failures in" not in shown
    assert "cancelled" in shown


def test_of_cells_that_begin_alike_the_first_shows_its_beginning() -> None:
    path = f"suite/graphics/generated/{'conformance__textures__misc__' * 5}render-feedback-of-layers.html"
    lines = [f"10:15:{n // 10:02} INFO - UNEXPECTED | {path} | pixel {n} should be {n * 31}, was 0" for n in range(40)]
    shown = summary({"errors": [{"number": 1900 + 8 * n, "line": line} for n, line in enumerate(lines)]})
    assert path in shown
    assert shown.count(path) < 8  # the others show what is their own
    assert "pixel 39 should be 1209, was 0" in shown


def test_a_row_that_is_cut_keeps_its_name_and_sums_beside_a_list_come_first() -> None:
    words = "Read the archive in the folder and write down what it holds, then stop. " * 12
    rows = [
        {"task": f"restore-{n}", "asked": words, "checks": {f"the check of number {n} ends, {words[:90]}": "failed"}}
        for n in range(60)
    ]
    shown = summary({"results": rows, "solved": 11, "left": 49, "accuracy": 0.1833, "id": "5c2"})
    assert "accuracy=0.1833" in shown
    assert all("|restore-" in line for line in shown.split("\n") if line[:1] == "#" and line[1:2].isdigit())


def test_releases_are_no_comments_and_their_names_come_before_what_they_say() -> None:
    note = "## Changes\n- One thing was mended that somebody had reported\n- Another one was made faster\n" * 9
    rows = [
        {"url": f"https://api.example.org/releases/{n}", "id": 8_000_000 + 37 * n, "author": {"login": "release-robot"},
         "tag_name": f"v3.{n}.0", "name": f"v3.{n}.0", "prerelease": n == 4, "body": f"{note}{n}",
         "created_at": f"20{10 + n // 12}-{1 + n % 12:02}-03T11:00:00Z", "assets": []} for n in range(40)
    ]  # fmt: skip
    shown = summary(rows)
    assert "|name|" in shown
    assert "|v3.39.0|" in shown or "|v3.0.0|" in shown
    few = summary([row | {"prerelease": row["id"] == 8_000_037, "body": row["body"] * 3} for row in rows[:3]])
    assert "|prerelease" in few
    assert "|true" in few


def test_a_text_that_stands_elsewhere_and_a_setting_that_names_errors_are_no_failures() -> None:
    warning = "warnings.py:12: FutureWarning: this call failed to be renamed\n  warn(\n" * 4
    runs = {f"run_{n}": {"returncode": 0, "stderr": warning, "stdout": f"score {n}" * 50} for n in range(9)}
    told = [f"On day {n} the harbour of town {n * 7} held {n * 31} boats and {n * 3} barges" for n in range(90)]
    assert ".stderr = " not in summary({"task": "a task", **runs, "told": told})
    rows = [{"name": f"trial-{n}", "model": f"model-{n % 5}", "path": f"tasks/number-{n}/task.yaml"} for n in range(60)]
    shown = summary({"retry": {"exclude_exceptions": ["AgentTimeoutError"]}, "trials": rows})
    assert "errors or warnings" not in shown


def test_a_failure_that_all_elements_have_is_said_of_all() -> None:
    views = {
        f"view{n}": {"loadError": "the registry is not available", f"sizes_{n}": {f"k{i}": i * n for i in range(9)}}
        for n in range(30)
    }
    shown = summary({"views": views, "text": "word " * 300})
    assert "loadError all the registry is not available" in shown
    assert shown.count("the registry is not available") < 5


def test_a_failed_test_comes_first_with_what_was_expected() -> None:
    message = (
        "Error: expect(received).toBe(expected)\n\nExpected: 42\nReceived: 41\n    at Object.<anonymous> (cart.ts:9:2)"
    )
    frames = "\n".join(f"    at step{n} (/app/node_modules/circus/build/run{n}.js:{n * 7}:12)" for n in range(9))
    suites = [
        {"name": f"/app/src/cart{n}.test.ts", "status": "failed" if n == 9 else "passed", "summary": "",
         "results": [{"title": f"adds up {i}", "status": "failed" if (n, i) == (9, 3) else "passed", "duration": 7 * i,
                      "failureMessages": [f"{message}\n{frames}"] if (n, i) == (9, 3) else []} for i in range(6)]}
        for n in range(14)
    ]  # fmt: skip
    shown = summary({"success": False, "failed": 1, "testResults": suites})
    assert "Expected: 42" in shown
    assert "Received: 41" in shown
    assert "cart9.test.ts|failed" in shown


def test_the_cell_of_a_notebook_that_failed_is_whole() -> None:
    def cell(n: int) -> dict[str, Any]:
        lines = [f"frame_{n} = load(path_{n})\n", f"model_{n}.fit(frame_{n}, epochs={n})\n", f"print({n}, model_{n})\n"]
        wrong = {"output_type": "error", "ename": "KeyError", "evalue": "'churned'", "traceback": []}
        said = {"output_type": "stream", "name": "stdout", "text": [f"epoch {n} loss {n / 7}\n"]}
        held = {"cell_type": "code", "execution_count": n, "metadata": {}, "source": lines}
        return held | {"outputs": [wrong if n == 11 else said]}

    shown = summary({"cells": [cell(n) for n in range(24)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert "frame_11 = load(path_11)\nmodel_11.fit(frame_11, epochs=11)\nprint(11, model_11)" in shown
    assert "KeyError: 'churned'" in shown


def test_members_that_are_alike_are_rows_and_series_are_told_by_their_labels() -> None:
    teams = ("core", "growth", "ops")
    flags = {f"flag_{n}": {"enabled": n % 7 > 0, "rollout": 10, "owner": teams[n % 3]} for n in range(60)}
    shown = summary({"server": {"port": 8443}, "features": flags, "text": "word " * 300})
    assert "features.*, of 60 rows|enabled|owner (in all: rollout=10)" in shown
    points = [[[17_000 + 60 * t, f"{n}.{t}"] for t in range(60)] for n in range(5)]
    labels = [{"job": "api", "instance": f"10.0.0.{n}:9090"} for n in range(5)]
    series = [{"metric": one, "values": held} for one, held in zip(labels, points, strict=True)]
    shown = summary({"status": "success", "data": {"resultType": "matrix", "result": series}})
    assert all(f"10.0.0.{n}:9090" in shown for n in range(5))


def test_the_place_of_an_error_in_an_answer_is_one_value_and_a_denial_is_not_cut_behind_not() -> None:
    pulls = [{"number": 900 - n, "title": f"Mend the thing of number {n}", "state": "OPEN"} for n in range(60)]
    wrong = [{"type": "FORBIDDEN", "path": ["repository", "pulls", 3, "reviews"], "message": "Resource not accessible"}]
    shown = summary({"data": {"pulls": {"nodes": pulls}}, "errors": wrong})
    assert "errors[0].path=[repository, pulls, 3, reviews] · errors[0].message=Resource not accessible" in shown
    denied = "User: arn:aws:iam::123456789012:user/bob is not authorized to perform: s3:DeleteBucket on bucket number"
    events = [
        {"name": f"Event{n % 4}", "time": f"2024-03-01T{n % 24:02}:10:00Z", "user": f"user{n % 3}"} for n in range(60)
    ]
    events[8] |= {"errorMessage": f"{denied} 8"}
    events[31] |= {"errorMessage": f"{denied} 31"}
    assert "is not…" not in summary({"Records": events})


def test_a_map_of_few_members_is_told_by_their_names() -> None:
    names = ["orders", "returns", "carts", "users", "prices", "stocks", "labels", "routes", "refunds"]
    props = {f"property_{i}": {"type": "string", "format": f"format-{i}", "nullable": True} for i in range(12)}
    paths = {
        f"/api/{name}": {("get", "post")[n % 2]: {"responses": {"200": {"schema": {"type": "object", **props}}}}}
        for n, name in enumerate(names)
    }
    shown = summary({"openapi": "3.0.0", "info": {"title": "Shop"}, "paths": paths, "ref": {"$ref": "#/paths"}})
    assert "/api/orders, /api/returns, /api/carts, /api/users" in shown
    assert "without the names of their types" not in shown


def test_names_in_a_table_without_a_line_of_names_are_not_odd() -> None:
    words = ["rails", "jekyll", "flask", "requests", "devise", "storm", "vagrant", "scrapy", "paperclip", "octopress"]
    names = [f"{words[n % 10]}{'-'.join(words[: n % 4])}{n}" for n in range(4000)]
    rows = [f"owner{n},{name},{('Ruby', 'Java')[n % 2]},{90_000 - 7 * n}" for n, name in enumerate(names)]
    for n in (700, 1500, 2300):
        rows[n] = f"owner{n},site{n}.example.com,Ruby,{90_000 - 7 * n}"
    assert "odd, of all" not in compact("\n".join(rows), budget=500, threshold=0).text


def test_an_xml_document_says_what_it_is_of() -> None:
    part = "<dependency>\n<groupId>org.example</groupId>\n<artifactId>part-{}</artifactId>\n</dependency>\n"
    needs = "".join(map(part.format, range(60)))
    own = "<groupId>org.example.shop</groupId>\n<artifactId>checkout</artifactId>\n<version>4.0.0</version>\n"
    text = (
        f"<project>\n<parent>\n<version>9</version>\n</parent>\n{own}<dependencies>\n{needs}</dependencies>\n</project>"
    )
    shown = compact(text, budget=500, threshold=0).text
    assert "groupId: org.example.shop, artifactId: checkout, version: 4.0.0" in shown


def test_what_each_of_a_few_records_has_for_itself_stands_where_there_is_room() -> None:
    panels = [
        {"id": n, "title": f"Panel of {name}", "gridPos": {"h": 8, "w": 12, "x": 0, "y": 8 * n},
         "targets": [{"expr": f"sum(rate({name}_total[5m])) by (pod)", "refId": "A"}],
         "options": {"legend": {"displayMode": "list", "placement": "bottom", "showLegend": True}}}
        for n, name in enumerate(["requests", "errors", "retries", "restarts", "queries", "locks"])
    ]  # fmt: skip
    shown = summary({"title": "Checkout", "panels": panels}, 450)
    assert all(f"sum(rate({name}_total[5m])) by (pod)" in shown for name in ("requests", "errors", "locks"))


def test_what_says_its_key_is_no_column() -> None:
    told = [f"On day {n} the harbour of town {n * 7} held {n * 31} boats and {n * 3} barges" for n in range(90)]
    sessions = {f"{n:08x}-77aa": {"id": f"{n:08x}-77aa", "host": f"host{n % 7}", "port": 8000 + n} for n in range(60)}
    assert "sessions.*, of 60 rows|host|port (id = its key)" in summary({"sessions": sessions, "told": told[:9]})


def test_of_many_elements_their_names_and_kinds_are_rows_before_what_is_the_same_or_follows_from_these() -> None:
    panels: list[dict[str, object]] = []
    for n in range(20):
        kind = ("graph", "single", "row")[n % 3]
        own = {
            **{f"renderer_{m}": "walker" for m in range(30)},
            "lines": 10,
            "source": "$pier",
            "tip": {"shared": n % 2 > 0, "sort": 0},
            "width": 1,
        }
        shown = own if kind != "row" else {"source": None}
        query = f"sum(rate(walks_of_gate_{n}_total{{pier='$pier'}}[5m])) by (keeper, gate)"
        panels.append({"id": n + 1, "title": f"Walks of gate {n}", "type": kind, **shown, "targets": [{"expr": query}]})
    panels[4]["tip"] = {"shared": False, "sort": 0, "follow": False}
    walks = [{"to": f"gate-{m}", "by": f"path {m} over the pier"} for m in range(6)]
    keepers = [{"keeper": f"keeper-{n}", "walks": walks} for n in range(12)]
    for value in (
        {"title": "Pier", "panels": panels},
        {"pier": {"panels": panels}, "keepers": keepers},
    ):
        shown = summary(value, 1_400)
        keys = next(line for line in shown.split("\n") if "|title|" in line)
        assert "|id|title|type" in keys and "renderer" not in keys and "source" not in keys
        for n in range(20):
            assert f"|{n + 1}|Walks of gate {n}|{('graph', 'single', 'row')[n % 3]}" in shown
        assert "only 1 of" not in shown  # what is false says no more than what is left out


def test_data_as_text_takes_no_place_from_what_names_a_row() -> None:
    held = [
        json.dumps({"type": "pie", "of": f"gate-{n}", "list": [{"id": m, "walks": n * m} for m in range(9)]})
        for n in range(14)
    ]
    kinds = ("view", "board")
    rows = [
        {"_id": f"Gate-{n}", "_type": kinds[n % 5 == 0], "said": {"name": f"Walks of {n}", "state": held[n]}}
        for n in range(14)
    ]
    shown = summary(rows)
    for n in range(14):
        assert f"#{n + 1}|Gate-{n}|" in shown and f"Walks of {n}|{kinds[n % 5 == 0]}" in shown


def test_a_few_elements_of_which_none_has_a_name_of_its_own_are_rows() -> None:
    found = [
        {
            "id": f"CVE-2031-{n // 4}",
            "source": {"name": "NVD", "url": f"https://nvd.example/vuln/detail/CVE-2031-{n // 4}"},
            "ratings": [{"severity": "critical" if n == 3 else "none", "vector": "AV:N/AC:L/PR:N/UI:N" * 3}],
            "analysis": {"state": "exploitable" if n == 3 else "resolved", "detail": f"Walk {n} of the pier. " * 8},
            "affects": [{"ref": f"urn:pier:{n}-{m}", "versions": [{"version": f"{m}.4"}]} for m in range(6)],
        }
        for n in range(8)
    ]
    about = {"format": "pier", "made": {"by": {"name": "walker", "of": [{"at": 1}]}}}
    shown = summary({**about, "others": [{"a": {"b": [{"c": n}]}} for n in range(3)], "vulnerabilities": found})
    assert "CVE-2031-0|exploitable|critical" in shown and shown.count("|resolved|none") == 7


def test_what_is_equal_in_two_places_is_said_once_and_that_it_is() -> None:
    def berths(length: int) -> list[dict[str, Any]]:
        about = "a berth of the old harbour that the ferries use in winter when the new one is closed by ice"
        return [{"name": f"berth-{n}", "length": length + n, "about": f"{about}, number {n}, " * 3} for n in range(9)]

    shown = summary({"before": {"state": {"berths": berths(40)}}, "after": {"berths": berths(40)}, "version": 3})
    assert "\nbefore.state = after\n" in shown
    assert "after.berths[8].about (name berth-8): " in shown and "before.state.berths" not in shown
    keeper = {
        "name": "keeper of the northern gate",
        "login": "kgn",
        "role": "closes the gate in the evening and in storms",
    }
    event = {
        "number": 7,
        "opened": dict(keeper),
        "closed": dict(keeper),
        "notes": None,
        "log": {"lines": ["word " * 90]},
    }
    shown = summary([event], 190)
    assert "[0].closed = [0].opened\n" in shown and shown.count("[0].closed") == 1
    piers = [{"was": {"berths": berths(n)}, "is": {"berths": berths(n)}} for n in (30, 50)]
    assert "piers[].is = piers[].was\n" in summary({"piers": piers})
    piers[1]["is"] = {"berths": berths(51)}
    assert "piers[].is = " not in summary({"piers": piers})


def test_of_several_odd_numbers_none_is_said_to_be_the_only_one() -> None:
    waits = [n % 7 + 10 for n in range(300)]
    shown = summary({"waits": [*waits[:150], 117, *waits[150:]]}, 300)
    assert "waits 117, others 10–16" in shown
    shown = summary({"waits": [*waits[:150], 117, *waits[150:], 922, *waits[:9]]}, 300)
    assert "waits 117, most 10–16" in shown and "others" not in shown


def test_lines_of_what_an_element_holds_are_no_column() -> None:
    parts = [{"type": f"gate_{n}", "meta": {"endLine": 40 * n + 17, "startLine": 40 * n + 3}} for n in range(6)]
    about = "what this part of the harbour is for, in a sentence that is too long for a row of a table " * 2
    modules = [{"address": f"module.pier_{n}", "about": f"{n} {about}", "parts": parts[n:]} for n in range(4)]
    assert "|parts[].meta.endLine" not in summary({"modules": modules})


def test_sums_before_and_after_come_first_and_a_part_of_an_object_says_so() -> None:
    sums = {"boats": 282, "walkers": 28200, "late": 22550, "lost": 18029, "late_rate": 0.799645, "lost_rate": 0.6393}
    after = {key: value / 2 for key, value in sums.items()}
    curves = {f"gate_{n}": {"waits": [n + k % 13 + 0.25 for k in range(90)], "none": [0] * 90} for n in range(9)}
    names = {f"the {n}th part of what the harbour office writes down": n for n in range(12)}
    shown = summary({"summary": {"before": sums, "after": after}, "names": names | {"curves": curves}})
    assert (
        "\nsummary.before: boats: 282, walkers: 28200, late: 22550" in shown
        and "\nsummary.after: boats: 141.0" in shown
    )
    parts = [line for line in shown.split("\n") if line.startswith("names: ")]
    assert parts and all(line.endswith((", …", "(of 13 keys)")) for line in parts)
    assert ".none[0:90]: 0 ×90" not in shown  # says little
