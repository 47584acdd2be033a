"""Rows of records and tables: what stands there when there is little room, and which columns are shown."""

from __future__ import annotations

import hashlib
import json
import random
import re
from typing import Any

import pytest

from mcpcompact import Policy, compact
from mcpcompact.content.anomalies import words as failures
from mcpcompact.content.columns.cutting import shorten


def deploys(failed: int = 258) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [
        {
            "id": f"evt_{48100 + n}",
            "actor": {"login": f"user-{n * 7 % 31}", "kind": "user"},
            "version": f"{n % 5}.{n % 9}.{n % 7}",
            "url": f"https://deploy.example.com/ranking/runs/{900000 + n * 3}/of/{n * 17}",
            "status": "succeeded",
            "seconds": 40 + n * 13 % 60,
        }
        for n in range(400)
    ]
    rows[failed - 1] |= {"status": "failed", "error": "health check failed: /ready returned 503 for 120 s"}
    return rows


def shown(text: str) -> list[str]:
    return [line for line in text.split("\n") if line[:1] == "#" and line[1:2].isdigit()]


@pytest.mark.parametrize("budget", [120, 150, 200, 300])
def test_with_little_room_the_odd_row_stands_there_by_its_name_and_what_is_odd(budget: int) -> None:
    text = compact(json.dumps(deploys()), budget=budget, threshold=budget, store=None).text
    assert any(row.startswith("#258|evt_48357|failed") for row in shown(text))
    assert "odd, of all 400 records scanned: status=failed" in text


def test_a_field_that_only_a_marked_row_has_is_told_once() -> None:
    text = compact(json.dumps(deploys()), budget=1000, threshold=1000, store=None).text
    assert "not shown in rows: error" not in text and "present in 1 of 400" not in text
    assert "error=health check failed: /ready returned 503 for 120 s" in text
    assert "same in all: actor.kind=user" in compact(json.dumps(deploys()), budget=300, threshold=300, store=None).text


@pytest.mark.parametrize("text", ["job 0 failed", "worker 0 crashed", "rank #0 failed", "Task 0 timed out"])
def test_a_zero_that_numbers_a_thing_denies_no_failure(text: str) -> None:
    assert failures.states(text)


@pytest.mark.parametrize("text", ["0 failed", "12 passed, 0 failed", "0 errors", "found 0 errors", "jobs: 0 failed"])
def test_a_zero_that_counts_denies_one(text: str) -> None:
    assert not failures.states(text)


def test_fields_that_the_policy_names_are_left_out_of_yaml_too() -> None:
    entries = [f"item-{n}" for n in range(300)]
    yaml = "\n".join(
        f"- name: {name}\n  secret: sesame-{name}\n  version: {n % 3}.10" for n, name in enumerate(entries)
    )
    made = compact(yaml, policy=Policy(threshold=400, budget=400, drop_fields=("secret",)), store=None)
    assert "sesame" not in made.text and "YAML: 300 records" in made.text
    assert "Fields left out by the policy, all in the stored original: secret (300×)" in made.text
    assert "version: 0.10 ×100 · 1.10 ×100 · 2.10 ×100" in compact(yaml, budget=400, threshold=400, store=None).text


def test_a_value_that_half_of_the_objects_have_is_not_said_of_all() -> None:
    jobs = {f"k{n}x7": {"status": "ok", "v": n} if n % 2 else {"v": n} for n in range(60)}
    text = compact(json.dumps({"jobs": jobs, "by": "x"}), budget=200, threshold=200, store=None).text
    assert "status all ok (in 30 of 60)" in text


def test_words_of_failure_in_many_descriptions_are_no_failures() -> None:
    plugins = {
        f"plugin-{n}": {
            "version": f"1.{n}",
            "about": f"Number {n} of them: it {'reports failed jobs and errors' if n % 60 == 0 else 'shows things'}"
            f" in the sidebar of a project, with a link to each {n * 7}.",
        }
        for n in range(1_500)
    }
    text = compact(json.dumps({"plugins": plugins}), budget=400, threshold=400, store=None).text
    assert "tell of a failure" not in text


def test_the_message_of_a_log_in_a_table_is_shown() -> None:
    rng = random.Random(3)
    names = "LineId,Month,Date,Time,Level,Component,PID,Thread,EventId,Content,EventTemplate"
    rows = [
        f"{n},Jun,{1 + n % 28},15:16:{n % 60:02},{('INFO', 'INFO', 'WARN')[n % 3]},sshd{n % 4},"
        f"{rng.randrange(9999)},{n % 7},E{n % 9},"
        f"session {rng.randrange(10**6)} closed for user{n % 11},session <*> closed for <*>"
        for n in range(1, 400)
    ]
    text = compact("\n".join([names, *rows]), budget=500, threshold=500, store=None).text
    assert "|Content" in text and sum(" closed for user" in row for row in shown(text)) >= 4


def test_versions_have_no_rare_words() -> None:
    packages = [{"name": f"pkg-{n}", "fixed": f"{n}.{n % 7}-{n % 5}build{n % 3}.{n}"} for n in range(150)]
    packages[70]["fixed"] = "2.28-1ubuntu0.3"
    text = compact(json.dumps(packages), budget=400, threshold=400, store=None).text
    assert "“ubuntu”" not in text


def issues(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": 2_000_000_000 + n,
            "node_id": f"I_kwDOQyo98M6lfz{n}",
            "number": n,
            "title": f"Scheduler stops after part {n}",
            "user": {"login": ("ana", "bo", "chen")[n % 3]},
            "state": "closed" if n % 4 == 0 else "open",
            "body": f"### Steps\r\n\r\n1. open src/part{n}/view.py\r\n2. it failed with an error\r\n"
            + "and on\r\n" * 12,
        }
        for n in range(400, 418)
    ]


def test_rows_come_before_their_texts_which_are_shown_by_lines() -> None:
    text = compact(json.dumps(issues(18)), budget=600, threshold=0).text
    rows = [line for line in text.split("\n") if re.match(r"#\d+\|", line)]
    assert len(rows) >= 9
    assert all(re.fullmatch(r"#\d+\|(4\d\d)\|Scheduler stops after part \1\|\w+\|\w+", row) for row in rows)
    assert "I_kw" not in text and "\\n" not in text
    assert "name a failure" not in text, "what an issue is about is no failure of the list"
    more = compact(json.dumps(issues(18)), budget=1500, threshold=0).text
    assert re.search(r"^#\d+ body, 16 lines:$", more, re.M)
    assert re.search(r"^3 1. open src/part4\d\d/view.py$", more, re.M)


def test_hashes_leave_their_room_to_more_rows_and_the_message_column_stays() -> None:
    rows = ["time,host,trace_id,level,message"]
    for n in range(120):
        trace = hashlib.md5(str(n).encode()).hexdigest()
        level, message = ("ERROR", "payment failed: card declined") if n == 77 else ("INFO", f"served order {n * 37}")
        rows.append(f"2026-11-22T10:00:{n % 60:02}Z,web-{n % 4},{trace},{level},{message}")
    text = compact("\n".join(rows), budget=500, threshold=0).text
    header = next(line for line in text.split("\n") if line.startswith("#|"))
    assert "message" in header and "trace_id" not in header
    assert re.search(r"^#78\|.*payment failed: card declined", text, re.M)


def test_the_rows_at_either_end_of_a_quantity_are_shown() -> None:
    rows = [f"r{n},{(n * 7919) % 1009}.5" for n in range(1, 900)]
    text = compact("region,rainfall\n" + "\n".join(rows), budget=300, threshold=100).text
    values = [float(row.split(",")[1]) for row in rows]
    for value in (min(values), max(values)):
        assert f"|{rows[values.index(value)].replace(',', '|')}" in text


def test_planned_deletions_are_shown_each() -> None:
    steps = [
        {"thing": f"disk-{n}", "action": "delete" if n % 60 == 7 else "update", "by": "plan", "at": n}
        for n in range(300)
    ]
    text = compact(json.dumps(steps), budget=500, threshold=100).text
    for n in range(7, 300, 60):
        assert f"disk-{n}|" in text


def test_descriptions_and_names_tell_of_no_failure() -> None:
    rows = [f"ii  lib{n}  1.{n}  {'error handling' if n in (50, 90) else 'common'} routines" for n in range(300)]
    packages = [dict(zip(("status", "name", "version", "description"), row.split("  "), strict=True)) for row in rows]
    assert "←" not in compact(json.dumps(packages), budget=500, threshold=100).text


def test_a_series_of_each_group_is_told_with_its_first_last_least_and_most() -> None:
    prices = {name: [100 + (n * k) % 37 for n in range(80)] for k, name in ((7, "ABC"), (5, "XYZ"))}
    rows = [
        f"{name},2020-{1 + n // 28:02d}-{1 + n % 28:02d},{p}"
        for name, held in prices.items()
        for n, p in enumerate(held)
    ]
    text = compact("\n".join(["symbol,date,price", *rows]), budget=400, threshold=400, store=None).text
    assert "by symbol|rows|date first|last|price first|last|price least|most|mean" in text
    for name, held in prices.items():
        start = f"{name}|80|2020-01-01|2020-03-24|{held[0]}|{held[-1]}|{min(held)}|{max(held)}|"
        line = next(line for line in text.split("\n") if line.startswith(start))
        assert float(line.rpartition("|")[2]) == pytest.approx(sum(held) / 80, rel=1e-3)


def test_means_of_groups_leave_out_what_is_no_number_and_units_and_ids_have_none() -> None:
    cars = [{"id": n * 3, "from": "EU" if n % 3 else "US", "power": None if n == 1 else n * 1.5} for n in range(600)]
    text = compact(json.dumps(cars), budget=400, threshold=400, store=None).text
    mean = sum(n * 1.5 for n in range(600) if n % 3 and n != 1) / 399
    line = next(line for line in text.split("\n") if line.startswith("EU|400|"))
    assert line.split("|")[2:4] == ["3.0", "898.5"] and float(line.rpartition("|")[2]) == pytest.approx(mean, rel=1e-3)
    units = "\n".join(["node   zone  memory", *(f"n{n:04d}  {'ab'[n % 2]}     {n % 50}Mi" for n in range(120))])
    assert "by zone" not in compact(units, budget=200, threshold=200, store=None).text


def test_titles_of_works_are_no_failures() -> None:
    names = ["Heat", "Panic Room", "Alien", "The Error", "Up", "Critical Care"]
    works = [{"title": names[n % 6] if n < 12 else f"Opus {n}", "year": 1950 + n % 60} for n in range(400)]
    text = compact(json.dumps(works), budget=300, threshold=300, store=None).text
    assert "Panic" not in text.split("#|")[0]


def test_findings_in_a_list_are_told_by_rule_and_level() -> None:
    found = [
        {"filename": f"src/f{n % 5}.proto", "line": n, "rule": f"R{n % 14}", "severity": "error", "message": f"no {n}"}
        for n in range(200)
    ]
    text = compact(json.dumps({"lints": found}), budget=400, threshold=400, store=None).text
    assert "200 findings in 5 files" in text and "by rule: R0 ×15" in text


def test_names_of_unnamed_columns_are_not_made_up() -> None:
    lines = [
        f"{n}\tChange the reader of part {n}\tfix/part-{n}\tOPEN\t2026-02-{n:02d}T02:27:29Z" for n in range(10, 28)
    ]
    text = compact("\n".join(lines), budget=300, threshold=300, store=None).text
    assert "#1|10|Change the reader of part 10|fix/part-10|2026-02-10\n" in text and "column 1|" not in text
    assert "#|…|column 5[:10]\n" in text  # what is cut is said


def test_a_date_takes_no_place_from_the_number_that_each_record_has_of_its_own() -> None:
    pulls = [
        {"base": "main", "createdAt": f"2026-03-01T0{n % 7}:11:12Z", "state": "CLEAN", "number": 1570 + n,
         "branch": f"topic/part-{n}-of-the-new-reader", "title": f"Reader: part {n} reads it{' and' * (n % 9)}"}
        for n in range(12)
    ]  # fmt: skip
    text = compact(json.dumps(pulls), budget=400, threshold=400, store=None).text
    header = next(line for line in text.split("\n") if line.startswith("#|"))
    assert header.startswith("#|number|") and "createdAt" in header


def test_stamps_of_many_days_are_shown_by_their_day_which_the_header_says() -> None:
    rows = [
        {"id": n, "title": f"Task {n} of the plan", "updated_at": f"2026-0{1 + n % 9}-1{n % 10}T10:20:{n}Z"}
        for n in range(10, 40)
    ]
    text = compact(json.dumps(rows), budget=300, threshold=300, store=None).text
    assert "#|id|title|updated_at[:10]" in text and "#1|10|Task 10 of the plan|2026-02-10\n" in text


def test_a_message_takes_no_place_from_what_names_its_record() -> None:
    matches = []
    for n in range(40):
        told = f"The parser of part {n} reads beyond its input of {n * 7} bytes"
        name = f"ADV-2026-{n:05}-{'abcdefgh'[n % 8] * 4}"
        fix = {"state": "fixed" if n % 2 else "open"}
        advisory = {"severity": "High" if n % 3 else "Low", "description": told, "id": name, "fix": fix}
        matches.append({"advisory": advisory, "artifact": {"name": f"example.org/group/lib-{n % 4}", "version": "1.2"}})
    text = compact(json.dumps({"matches": matches}), budget=500, threshold=500, store=None).text
    header = next(line for line in text.split("\n") if line.startswith("#|"))
    assert "advisory.id" in header and "advisory.severity" in header and "advisory.description" in header


def test_one_date_for_all_is_no_column() -> None:
    lines = ["LineId,Date,Level,Message"]
    lines += [
        f"{n},2026-10-18,{'WARN' if n % 5 else 'INFO'},block {n * 31} of disk {n % 3} was read by its reader"
        for n in range(99)
    ]
    text = compact("\n".join(lines), budget=300, threshold=300, store=None).text
    assert "Date=2026-10-18" in text and "|Date" not in text


LOGGED = ["started the nightly job {n} of the queue", "the nightly job {n} of the queue is done"]
WRONG = [
    "worker {n} failed to start again",
    "worker {n}: cannot open the socket, error {n}",
    "lost worker {n} after an error",
]


@pytest.mark.parametrize("named", [True, False])
def test_of_each_kind_of_failure_one_row_stands_with_how_many_there_are(named: bool) -> None:
    rows = []
    for n in range(900):
        text = WRONG[n % 7 % 3] if n % 7 < 3 and n % 5 == 0 and (n % 7 or n % 2) else LOGGED[n % 2]
        level = "error" if text in WRONG else "info"
        template = {"EventTemplate": text.replace("{n}", "<*>")} if named else {}
        rows.append({"time": f"{n // 60:02}:{n % 60:02}", "level": level, "content": text.format(n=n), **template})
    kept = [n for n, row in enumerate(rows, 1) if row["level"] == "error"]
    lines = compact("\n".join(map(json.dumps, rows)), budget=600, threshold=600, store=None).text.splitlines()
    what = "of its EventTemplate" if named else "alike but for numbers"
    for wrong in WRONG:
        alike = [n for n in kept if rows[n - 1]["content"] == wrong.format(n=n - 1)]
        shown = [line for line in lines if any(line.startswith(f"#{n}|") for n in alike)]
        assert len(alike) > 2 and sum(f"{len(alike)} {what}" in line for line in shown) == 1, (wrong, shown)


def test_what_is_to_be_removed_says_why() -> None:
    rows = [{"message": f"node {n}: to be changed", **{f"tag{i}": n % 7 for i in range(9)}} for n in range(60)]
    for n, row in enumerate(rows):
        gone = {"action": "delete", "reason": "delete_because_count_index"}
        row["change"] = gone if n in (21, 22, 40) else {"action": "update"}
    made = compact(json.dumps(rows), budget=300, threshold=300, store=None).text
    assert len(re.findall(r"#\d+\|node.*delete_because_count_index", made)) >= 2, made


def test_every_column_that_rows_leave_out_is_named() -> None:
    rows = [
        f"{n},12:{n // 60 % 60:02},E{n % 2},{LOGGED[n % 2].format(n=n)},{LOGGED[n % 2].format(n='<*>')}"
        for n in range(1, 300)
    ]
    table = "\n".join(["LineId,Time,EventId,Content,EventTemplate", *rows])
    made = compact(table, budget=500, threshold=500, store=None).text
    assert "not shown in rows: LineId (= #), EventId, EventTemplate" in made


def test_what_is_cut_keeps_the_end_that_tells_it_from_others_and_no_denial_is_lost() -> None:
    begin = "Could not connect through the proxy that is set for this network, which"
    ends = ["is not ready to take any more of these, so it ended with status code {n}", "could not be resolved"]
    rows = [{"at": n, "kind": f"{begin} {ends[n % 2].format(n='N')}", "message": "x"} for n in range(300)]
    for n, row in enumerate(rows):
        row["message"] = f"host-{n * 37}.example.com: {begin} {ends[0].format(n=400 + n)}"
    made = compact("\n".join(map(json.dumps, rows)), budget=900, threshold=900, store=None).text
    assert "could not be resolved 150" in made and "status code N 150" in made
    cells = [line for line in made.splitlines() if re.match(r"#\d+\|", line)]
    assert cells and all(re.search(r"(?:chars\]|ended with )status code [4-6]\d\d", line) for line in cells), cells
    text = "Node card: no alert is active, power is good, and the second of its rails is NOT OK. " + "Look at it. " * 9
    assert "rails is NOT OK." in shorten(text, 79) and "rails is NOT OK." in shorten(text, 76)


def test_stamps_of_few_records_stand_whole() -> None:
    def shown(count: int) -> str:
        rows = [{"id": n, "said": f"rope {n} " * 20, "createdAt": f"2026-0{n}-11T10:1{n}:09Z"} for n in range(1, count)]
        return compact(json.dumps(rows), budget=200, threshold=0).text

    assert "|createdAt\n" in shown(6) or "|createdAt|" in shown(6)
    assert "T10:11:09Z" in shown(6) and "createdAt[:10]" in shown(10)


def test_the_end_of_a_second_column_is_shown_where_that_of_the_first_is_odd_anyway() -> None:
    from mcpcompact import compact

    rows = [{"pid": 900 + i, "mem": 0.1, "cpu": round((i * 37 % 61) / 10, 1), "name": f"job{i}"} for i in range(83)]
    rows[40] |= {"mem": 91.5}
    rows[55] |= {"cpu": 9.9}
    text = str(compact(rows, budget=500, threshold=500, store=None).text)
    assert "↑ most cpu" in text and "job55" in text


def test_rows_that_differ_come_before_rows_alike_but_for_numbers() -> None:
    from mcpcompact import compact

    names = ["fans", "pumps", "valves", "rails", "doors", "lamps", "locks", "coils", "masts", "wings"]
    rows = [{"id": i, "step": f"polled the sensor {i} of the building", "took": i % 7} for i in range(300)]
    for n, name in enumerate(names):
        for i in range(11 + 29 * n, 17 + 29 * n, 2):
            rows[i]["step"] = f"checked the {name} {i} of the building"
    text = compact(rows, budget=500, threshold=500, store=None).text
    assert sum(f"checked the {name}" in text for name in names) == len(names)
