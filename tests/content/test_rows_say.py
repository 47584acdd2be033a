"""Rows say what a record says, who wrote it and when; rows of totals, maps, long strings and traces as they are."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from mcpcompact import compact
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.records.outline import beside
from mcpcompact.content.records.rows import cells_of


def shown(text: str, budget: int = 500, **call: Any) -> str:
    return compact(text, budget=budget, threshold=0, **call).text


def table_of(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return out.getvalue()


def header_of(text: str) -> str:
    return next(line for line in text.split("\n") if line.startswith("#|"))


def test_the_message_of_a_log_in_columns_is_always_a_column() -> None:
    rng = random.Random(3)
    header = ["LineId", "When", "Severity", "Worker", "Unit", "Said", "EventId", "EventTemplate"]
    rows = [
        [
            n, f"10:{n // 60:02}:{n % 60:02}", rng.choice(["INFO", "INFO", "WARN"]), f"worker-{rng.randrange(40)}",
            f"com.example.very.deep.package.name.Unit{rng.randrange(50)}",
            f"took job {rng.randrange(10**6)} from the queue of tenant {rng.randrange(99)} and finished it in time",
            f"E{rng.randrange(30)}", "took job <*> from the queue of tenant <*> and finished it in time",
        ]
        for n in range(1, 400)
    ]  # fmt: skip
    text = shown(table_of(header, rows))
    assert "Said" in header_of(text).split("|")
    assert "LineId" not in header_of(text)
    assert "took job" in text


def test_posts_show_their_text_and_their_author() -> None:
    posts = [
        {
            "post_id": f"p{9000 + n}",
            "metrics": {"likes": n * 7 % 50, "views": n * 31 % 900, "reposts": n % 13},
            "author": {"handle": f"person{n}", "verified": n % 3 == 0, "profile": {"theme": "dark", "geo": n % 9 == 0}},
            "created": f"2026-04-{1 + n // 4:02}T0{n % 9}:10:00Z",
            "content": f"Part {n} of a thread that says at length why\nthe old parser dropped messages under load",
        }
        for n in range(80)
    ]
    text = shown(json.dumps({"data": posts}))
    assert {"post_id", "author.handle", "content"} <= set(header_of(text).split("|"))
    assert "#1|p9000|person0|Part 0 of a thread that says at length why" in text
    assert "geo: " not in text and "verified: " not in text


def test_what_a_command_filters_by_does_not_stand_for_the_list() -> None:
    tasks = [
        {
            "id": f"t-{n}",
            "title": f"Move part {n} out",
            "state": "in_progress" if n % 3 else "open",
            "notes": "x y " * 300,
        }
        for n in range(14)
    ]
    command = {"cmd": "tasks list --state open,in_progress --json"}
    text = shown(json.dumps(tasks), 800, tool="exec", arguments=command)
    assert all(f"|t-{n}|Move part {n} out|" in text for n in range(14))


def test_the_rows_of_a_series_are_named_by_their_date() -> None:
    names = ["month", *(f"a_long_name_of_the_sector_{n}" for n in range(20))]
    rows = [[f"{2000 + n // 12}-{n % 12 + 1:02}-01", *(1000 + n * 7 + k for k in range(20))] for n in range(120)]
    assert header_of(shown(table_of(names, rows))).startswith("#|month|")


def test_two_columns_of_a_time_and_a_count_are_a_table() -> None:
    rows = [[f"2026/01/{1 + n // 24:02} {n % 24:02}:00:00", n * 7 % 11] for n in range(600)]
    assert compact(table_of(["time", "count"], rows), budget=300, threshold=0).content_type == "table"


def test_a_row_of_totals_is_told_and_counted_in_no_figure() -> None:
    rows: list[list[object]] = [["NESW"[n % 4], f"S-{n}", 10 + n * 7 % 50] for n in range(180)]
    total = sum(10 + n * 7 % 50 for n in range(180))
    text = shown(table_of(["region", "product", "units"], [*rows, ["Total", "", total]]), budget=300)
    assert "180 rows" in text
    assert f"row of totals, in no figure here: region=Total, units={total}" in text
    assert f"sum {total:,}" in text and "odd" not in text


def test_a_map_of_objects_is_a_table_by_its_keys() -> None:
    people = {
        f"person_{n}": {
            "name": {"first": f"First{n}", "last": f"Last{n}"},
            "cards": {f"card_{n}{k}": {"brand": "visa" if k else "other", "last_four": n} for k in range(n % 3)},
            "orders": [f"#{n}"],
        }
        for n in range(200)
    }
    text = shown(json.dumps(people))
    assert "*|name.first|name.last" in text
    assert "person_0|First0|Last0" in text


def test_how_a_long_string_ended_is_shown() -> None:
    lines = [f"[{n:04}] chunk {n} of 2000 is done" for n in range(2000)]
    lines[1200] = "[1200] fatal: lost the connection to shard 7"
    text = shown(json.dumps({"job": "render", "output": "\n".join([*lines, "worker killed at chunk 1999"])}))
    assert "1 [0000] chunk 0 of 2000 is done … 1,200 such lines, to line 1200" in text
    assert "\n[1200] fatal: lost the connection to shard 7" in text
    assert "\nworker killed at chunk 1999" in text


def test_sequences_show_first_and_last_longest_and_shortest() -> None:
    rng = random.Random(5)
    sizes = [rng.randrange(90, 130) for _ in range(200)]
    sizes[76], sizes[149] = 140, 80
    text = shown(
        "".join(
            f">seq{n + 1} protein {n}\n{''.join(rng.choices('ACDEFGHIKLMNPQRSTVWY', k=size))}\n"
            for n, size in enumerate(sizes)
        )
    )
    lines = text.split("\n")
    assert "#77 seq77 protein 76 · 140 aa" in lines
    assert "#150 seq150 protein 149 · 80 aa" in lines
    assert any(line.startswith("#1 seq1 ") for line in lines) and any(line.startswith("#200 seq200 ") for line in lines)


def test_a_trace_has_one_level_and_its_cause_folds_by_itself() -> None:
    lines = []
    for n in range(900):
        stamp = f"2026-03-01 {n // 60:02}:{n % 60:02}:00.000"
        lines.append(f"{stamp} INFO  [billing] request {n} handled")
        if n in (200, 450, 700):
            lines.append(
                f"{stamp} ERROR [orders] Failed to persist order ord-{n}\njava.sql.SQLException: no connection"
            )
            lines += [f"\tat com.acme.orders.Step{k}.run(Step{k}.java:{k})" for k in range(6)]
            lines.append("Caused by: org.postgresql.util.PSQLException: FATAL: no slots are left")
            lines += [f"\tat org.postgresql.Core{k}.open(Core{k}.java:{k})" for k in range(4)]
    text = shown("\n".join(lines) + "\n")
    assert "FATAL 3" not in text
    assert "ERROR 3" in text
    assert "(+5 like it" not in text


def test_a_part_of_a_long_value_stands_behind_its_path() -> None:
    def said(n: int) -> str:
        dull = ", and then the same again as on the day before" * 5
        return f"It is so{dull}, unless path_{n}/module_{n}.py raises QueueError{n} in worker-{n}x{n} at step_{n}{dull}"

    text = shown(
        json.dumps({"a": {"rule": {"memo": said(1)}}, "b": {"plan": {"memo": said(2), "also": [said(3)]}}}), 200
    )
    assert "…[+" in text
    assert not any(line.startswith("…[+") for line in text.split("\n"))


def test_of_dated_notes_the_newest_line_is_shown() -> None:
    notes = [f"2031-0{n}-11: the crew of quay {n} looked at buoy {n * 7} and left it where it was" for n in range(1, 9)]
    notes[3] = "2031-09-02: towed to the yard, which closes the report of the harbour master"
    ships = [{"id": n, "name": f"ship-{n}", "state": "open", "berth": n * 3} for n in range(6)]
    ships[2]["notes"] = "\n".join(notes)
    text = compact(json.dumps(ships), budget=260, threshold=100, store=None).text
    assert "4 2031-09-02: towed to the yard" in text


def test_what_is_odd_is_never_cut_inside_a_number_or_a_path() -> None:
    walks = [
        {
            "id": n,
            "leader_of_walk": {"club_of_leader": {"kilometres": 91377 if n == 31 else n * 37 % 5}},
            "kept_in": f"{'shelf/' * 30}box" if n == 52 else "hall",
            "text": f"walk {n} along the northern wall{' and back' * (n % 7)}",
        }
        for n in range(300)
    ]
    odd = next(line for line in shown(json.dumps({"walks": walks}), budget=1000).split("\n") if line.startswith("odd"))
    assert "club_of_leader.kilometres=91377, one of 6 …" in odd
    assert "kept_in=… (#53: walk 52" in odd


@pytest.mark.parametrize("total", [False, True])
def test_of_columns_that_are_years_the_ends_are_said_and_no_cells_of_the_middle(total: bool) -> None:
    years = [str(year) for year in range(1990, 2030)]
    rows = [
        {"port": f"Port {n}", "pier": "north" if n % 2 else "south", **{y: f"{(n + 1) * int(y):,}" for y in years}}
        for n in range(30)
    ]
    rows[4]["2007"] = "9,000,000"
    sums = {year: sum(int(row[year].replace(",", "")) for row in rows) for year in years}
    if total:
        rows.append({"port": "Total", "pier": "", **{year: f"{value:,}" for year, value in sums.items()}})
    text = compact(json.dumps(rows), budget=500, threshold=500, store=None).text
    whose = "row #31 Total" if total else "mean of 30 rows"
    assert f"1990 to 2029, 40 columns, {whose}: 1990 " in text and " · most 2007 " in text
    head = next(line for line in text.split("\n") if line.startswith("#|"))
    assert "2029" in head and not {*years[5:-5]}.intersection(head.split("|"))


def test_a_type_check_is_no_failure_and_paths_of_a_table_without_names_have_no_usual_shape() -> None:
    jobs = ["Build", "Typecheck", "Lint", "Test"]
    lines = [f"{jobs[n % 4]}\tpass\t{n}s\tgithub.com/harbour/quay/{'pier/' * (n % 3)}job{n}" for n in range(16)]
    text = compact("\n".join([*lines, "Lint\tpass\t9s\tgithub.com/crane"]), budget=300, threshold=100, store=None).text
    assert "failure" not in text and "←" not in text


def test_rows_of_few_figures_are_whole() -> None:
    names = ["r", "b", "free", "buff", "cache", "bi", "bo", "in", "cs", "us", "sy", "id", "wa"]
    rows = [{name: (n * (7 + at)) % (3 if at < 2 else 5 + 40 * at) for at, name in enumerate(names)} for n in range(90)]
    text = compact(rows, budget=500, threshold=200).text
    header = next(line for line in text.split("\n") if line.startswith("#|"))
    assert set(header.split("|")[1:]) >= set(names) and "not shown in rows" not in text


def test_no_row_stands_without_the_names_of_its_columns() -> None:
    long = [f"name_of_the_{at}th_of_the_columns_of_this_table" for at in range(10)]
    rows = [{name: ("ERROR" if n == 4 and at == 3 else n * 31 + at) for at, name in enumerate(long)} for n in range(90)]
    for budget in range(120, 400, 40):
        lines = compact(rows, budget=budget, threshold=50).text.split("\n")
        kept = [line for line in lines if line.startswith("#") and line[1:2].isdigit()]
        assert any(line.startswith("#|") for line in lines) or all(" ← " in line for line in kept)


def test_a_short_object_in_a_list_stands_in_its_cell() -> None:
    rows = [{"who": f"ferry {n}", "calls": [{"at": n, "port": "Hull"}] * (n % 3)} for n in range(60)]
    texts = cells_of(lambda row: rows[row - 1])
    stats = Columns()
    stats.add(rows)
    column = next(c for c in stats.columns.values() if c.path == "calls[]")
    assert texts(2, column) == "{at: 1, port: Hull}"


def test_what_a_nested_error_says_stands_in_its_row_before_its_trace() -> None:
    rows: list[dict[str, Any]] = [{"level": 30, "n": n, "msg": "boat moored", "berth": n % 9} for n in range(400)]
    trace = "Error: ENOSPC\n    at Object.write (node:fs:1:2)"
    rows[171] = {"level": 50, "n": 171, "msg": "log failed", "err": {"type": "Error", "message": "", "stack": trace}}
    rows[171]["err"]["message"] = "ENOSPC: no space left on device, write /logs/171"
    text = shown("\n".join(map(json.dumps, rows)))
    row = next(line for line in text.split("\n") if line.startswith("#172|"))
    assert "|err.message=ENOSPC: no space left on device, write /logs/171" in row


def test_of_packages_the_version_stands_there_rather_than_the_first_words_of_a_readme() -> None:
    rows = [
        {
            "metadata": {
                "name": f"oar-{n}",
                "version": f"{n % 4}.{n}.1",
                "summary": f"Rows boat {n} over the river",
                "description": f"# Oar {n}\n\n" + f"How boat {n} is rowed is told here. " * 20,
            },
            "installer": "pip",
        }
        for n in range(40)
    ]
    text = shown(json.dumps(rows))
    assert header_of(text) == "#|metadata.name|metadata.version|metadata.summary"
    assert sum(f"|oar-{n}|{n % 4}.{n}.1|Rows boat {n}" in text for n in range(40)) > 9


def test_what_stands_beside_a_list_says_short_lists_whole_and_a_grade_is_not_said_twice() -> None:
    rows = [{"id": f"OAR-{n}", "severity": "Critical" if n < 2 else "Low", "boat": f"boat {n}"} for n in range(60)]
    text = shown(json.dumps({"matches": rows}))
    told = beside({"matches": rows, "like": [], "tags": ["pier:1.2"], "layers": [4, 5, 6]}, "matches")
    assert told == ["like=[]", "tags=[pier:1.2]", "layers=[3 elements]"]
    assert "Critical" in text and "← severity" not in text


def test_a_text_that_many_records_share_among_others_of_their_own_is_said_with_its_rows() -> None:
    shared = "Pass it on: the ferry to the north pier leaves at nine tonight"
    said = [shared if n % 2 and n > 6 else f"Rope {n * n} is on {n % 9}, says {n}" for n in range(100)]
    posts = [{"id": 7_000 + n, "user": f"sailor_{n * 37 % 101}", "text": said[n]} for n in range(100)]
    text = compact(json.dumps(posts), budget=700, threshold=0).text
    assert "47 of 100: text “Pass it on: the ferry to the north pier leaves at…” (#8, #10, #12, …)" in text
    assert f"#8|{posts[7]['id']}|" in text
    posts = [{**post, "text": f"{post['text']} {n}"} for n, post in enumerate(posts)]
    assert "of 100: text" not in compact(json.dumps(posts), budget=700, threshold=0).text
    homes = [{"id": n, "seen": n * 7919 % 997, "home": f"pier {n % 3}" if n % 4 else None} for n in range(1, 400)]
    for home in homes[1::50]:
        home["home"] = f"a berth beyond the harbour wall, number {home['id']}"
    for budget in range(120, 260, 10):
        said = compact(json.dumps(homes), budget=budget, threshold=0).text
        assert not any(line.startswith("home: ") and "null 95" not in line for line in said.splitlines())
