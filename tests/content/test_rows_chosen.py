"""Which rows and columns of records stand there, and what is said of those that do not."""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
from typing import Any

import pytest

from mcpcompact import compact


def told(value: Any, budget: int = 500) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return compact(text, budget=budget, threshold=budget, store=None).text


def test_the_ends_of_the_first_two_quantities_stand_there_and_an_end_that_some_share_says_so() -> None:
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["town", "height", "score"])
    for n in range(300):
        score = 5.0 if n % 50 == 9 else round(1.5 + n * 13 % 300 / 100, 2)
        rows.writerow([f"town {n * 7 % 300}", 100 + (n + 40) * 37 % 251 + n / 1000, score])
    text = told(out.getvalue())
    ends = [line for line in text.split("\n") if "↓" in line or "↑" in line]
    assert ["height" in line or "score" in line for line in ends] == [True] * 4
    assert any(line.endswith("|5.0 ↑ most score (1 of 6)") for line in ends)
    assert any("↓ least height" in line for line in ends) and any("↑ most height" in line for line in ends)


def test_what_is_left_out_of_a_line_is_counted_and_columns_are_named() -> None:
    fixed = {f"setting_{n}": f"a value that all of them have, number {n}" for n in range(8)} | {
        "kind": "part",
        "unit": "m",
    }
    said = "said of it at some length, so that a row of it takes its room, by the hand that made it"
    parts = [
        {"id": n, "name": f"part {n}", "text": f"{n * 7} {said}", "href": f"https://p.example.org/{n * 91 % 977}/v"}
        | fixed
        for n in range(90)
    ]
    beside = {f"note_{n}": f"a remark of the sender that says little and is rather long, number {n}" for n in range(5)}
    text = told({"total": 90, **beside, "parts": parts})
    assert "same in all: kind=part, unit=m, +8 more" in text
    assert re.search(r"other keys: total=90.*, \d more", text)
    assert "not shown in rows: href" in text


def test_of_many_fields_the_first_ones_are_named_and_the_others_counted() -> None:
    wide = [
        {"id": n, "name": f"thing {n}"} | {f"measure_number_{k}": n * k % 31 for k in range(1, 40)} for n in range(80)
    ]
    assert re.search(r"not shown in rows: measure_number_\d+, .*, \+\d\d more\n", told(wide))


def test_prices_that_are_texts_are_a_column() -> None:
    title = "A thing of use to many people in the kitchen, in a box made of wood, of kind"
    goods = [
        {
            "code": f"G{n:04}",
            "title": f"{title} {n}",
            "maker": f"M{n % 5}",
            "price": f"${n * 3 % 211}.95",
            "stars": n % 37 / 10,
            "votes": n * 17 % 301,
            "page": f"https://shop.example.org/{n}/{n * n}",
        }
        for n in range(200)
    ]
    text = told(goods)
    assert re.search(r"^#\|.*\|price\|", text, re.M) and "|$3.95|" in text and "by maker|" in text


def test_of_a_few_records_it_is_seen_how_often_each_value_occurs() -> None:
    said = "a machine that stands in the cellar of the old house and makes some noise at night, but little by day"
    rows = [{"name": f"node-{n}", "system": "Debian" if n else "Ubuntu", "note": f"{said} {n}"} for n in range(9)]
    text = told(rows, 300)
    assert "|Debian" in text and "Debian 5" not in text


def test_texts_of_letters_that_are_a_token_each_are_cut_sooner() -> None:
    said = "今日は天気がいいので川の近くを長く歩いてから家に帰りました" * 6
    text = told([{"id": n, "text": f"{n}番{said}"} for n in range(40)])
    assert sum(line[:1] == "#" for line in text.split("\n")) > 5


def test_long_templates_of_a_log_are_told_by_their_numbers_and_its_time_by_its_ends() -> None:
    kinds = [
        ("K1", "the <*> of the house was closed by <*> and nobody knows when it will be opened again by its owner"),
        ("K2", "a letter from <*> was received by the house at <*> and put upon the table of its owner unopened"),
        ("K3", "the request of <*> failed: the gate did not answer within <*> seconds, it is not tried another time"),
    ]
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["LineId", "Time", "Content", "EventId", "EventTemplate"])
    for n in range(200):
        key, template = kinds[2 if 120 <= n < 132 else n % 2]
        content = template.replace("<*>", f"word{n}", 1).replace("<*>", str(n))
        rows.writerow([n + 1, f"10.30 {n // 60:02}:{n % 60:02}:07", content, key, template])
    text = told(out.getvalue(), 700)
    assert "EventId: K1 94 · K2 94 · K3 12" in text and "EventTemplate: " not in text
    assert re.search(r"^#\|Time\|Content\|EventId$", text, re.M)
    assert re.search(r"^#121\|.*\|K3 ← .*12 of its EventId, up to #132$", text, re.M)
    assert "Time: 10.30 00:00:07 (#1) to 10.30 03:19:07 (#200)" in text


def logins(rare: int, often: int) -> str:
    """A parsed log of logins that failed, and messages of so many other templates, each as often."""
    names = ["".join(letters) for letters in itertools.product("bdfgklmn", "aeiou", "lmnr", "aeiou")]
    rows = [f"Failed password for {names[n]} from 10.0.0.9,E1,Failed password for <*> from <*>" for n in range(600)]
    for n in range(rare * often):
        kind, name = n // often, names[601 + n]
        rows[301 + 7 * n] = (
            f"Accepted key {names[kind]} of {name} here,E{kind + 2},Accepted key {names[kind]} of <*> here"
        )
    lines = [f"{n},sshd,{row}" for n, row in enumerate(rows, 1)]
    return "\n".join(["LineId,Component,Content,EventId,EventTemplate", *lines, ""])


@pytest.mark.parametrize(("rare", "often", "marked"), [(1, 1, True), (3, 2, True), (20, 1, False), (1, 3, False)])
def test_a_template_of_a_parsed_log_that_occurs_once_or_twice_is_rare_where_few_are(
    rare: int, often: int, marked: bool
) -> None:
    result = compact(logins(rare, often), budget=500, threshold=500, store=None)
    assert result.content_type == "table"
    told = "EventTemplate=Accepted key" in result.text.partition("odd, of all 600 rows scanned: ")[2]
    shown = all(f"\n#{302 + 7 * n * often}|" in result.text for n in range(rare))
    assert (told and shown) is marked


def test_rare_templates_that_begin_alike_are_told_by_what_is_their_own() -> None:
    lines = logins(3, 1).replace("Accepted key", "Accepted publickey of the operator that begins alike")
    odd = told(lines).partition("odd, of all 600 rows scanned: ")[2].partition("\n")[0].split(" · ")
    assert [f"(#{number})" in text for number, text in zip((302, 309, 316), odd, strict=True)] == [True] * 3
    assert len({text.partition(" (#")[0] for text in odd}) == 3, odd


def test_a_name_around_another_is_no_column_and_makes_room_for_the_place() -> None:
    found = [
        {
            "ID": f"HBR{n:03}", "Alias": f"QUAY-HBR-{n:04}", "Query": f"data.builtin.quay.HBR{n:03}.deny",
            "Title": f"The mooring of berth {n} is not held by two lines", "Severity": "HIGH" if n < 3 else "LOW",
            "Message": "Two lines are needed where the tide runs. " * 4,
            "Cause": {"StartLine": n * 7, "EndLine": n * 7 + 3, "Service": ("crane", "lock")[n % 2]},
        }
        for n in range(1, 7)
    ]  # fmt: skip
    text = told({"Results": [{"Target": "a.tf", "Found": found[:3]}, {"Target": "b.tf", "Found": found[3:]}]}, 400)
    assert "|ID|Title|Severity|Cause.Service|Cause.StartLine|Cause.EndLine" in text
    assert "|b.tf|HBR006|The mooring of berth 6 is not held by two lines|LOW|crane|42|45" in text
    files = [{"name": f"lock{n}.py", "path": f"src/dock{n}/lock{n}.py", "size": n * n} for n in range(40)]
    assert "src/dock39/lock39.py" in told(files, 400)  # of a path the rest differs


def test_what_messages_were_made_from_is_counted_instead_of_their_shapes() -> None:
    verbs = ["enters", "leaves", "calls", "waits", "turns", "loads", "sails", "docks", "sinks", "drifts", "rolls"]
    verbs += ["signals", "anchors", "berths"]
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["LineId", "Level", "Content", "EventId", "EventTemplate"])
    for n in range(600):
        verb = verbs[n % 5] if n % 3 else verbs[n % 14]
        kind = f"Boat <*> {verb} the harbour at berth <*>"
        content = f"Boat {n * 37 % 1009} {verb} the harbour at berth {-n}"
        rows.writerow([n + 1, "INFO", content, f"E{verbs.index(verb)}", kind])
    counted = re.search(r"EventTemplate: 14 distinct, (.*)", text := told(out.getvalue(), 600))
    assert counted and "Boat <*> waits the harbour at berth <*> 9" in counted[1] and "shapes" not in text


def test_rows_of_a_log_say_who_asked_for_what_rather_than_with_which_browser() -> None:
    agent = (
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/100.0 Safari/537.36"
    )
    rows = [
        {
            "time": f"2026-04-15T12:58:{n:02}.195Z",
            "level": "info" if n % 4 else "error",
            "request": {"remote_ip": f"10.0.0.{n % 5}", "method": ("GET", "PUT")[n % 2], "uri": f"/yard/{n % 7}"},
            "ua": agent + " Edg/1" * (n % 2),
            "pool": {"size": n * 3, "busy_seconds": n / 7, "waits": n % 3, "dead": 0},
        }
        for n in range(40)
    ]
    text = compact("\n".join(map(json.dumps, rows)), budget=400, threshold=400).text
    header = next(line for line in text.split("\n") if line.startswith("#|"))
    assert all(f"request.{field}" in header for field in ("remote_ip", "method", "uri")) and "|ua" not in header


def test_a_few_large_objects_of_which_each_line_begins_with_a_time_are_records() -> None:
    rows = [
        {
            "eventTime": f"2026-04-03T10:02:{n}.702",
            "severity": ("High", "Critical")[n % 2],
            "detail": {"a": "x" * 900, "n": n},
        }
        for n in range(10, 17)
    ]
    made = compact("\n".join(map(json.dumps, rows)), budget=300, threshold=300)
    assert made.content_type == "records" and "NDJSON: 7 records" in made.text


def test_of_a_series_its_peaks_come_before_rows_that_are_evenly_spread() -> None:
    peaks = {91: 61, 92: 47, 240: 58, 377: 52, 601: 49, 799: 70}
    rows = [
        f"2026-{1 + n // 100:02}-{1 + n // 4 % 25:02} {n % 4:02}:00,{peaks.get(n, 1 + n * 7 % 5)}" for n in range(900)
    ]
    shown = compact("\n".join(["time,ships", *rows, ""]), budget=500, threshold=500, store=None).text
    assert all(f"\n#{n + 1}|" in shown for n in peaks if n != 92), "92 is no peak: the row before it is higher"


def test_of_names_that_begin_alike_each_large_family_has_a_row() -> None:
    names = [f"{family}-{n:03}" for family, many in (("lib", 200), ("oak", 9), ("yew", 30)) for n in range(many)]
    names += [f"{a}{b}{c}-tool" for a in "bdf" for b in "aeiou" for c in "kmnp"]
    rows = [f"{name},{len(name)}.{n % 7}.{n % 3}" for n, name in enumerate(sorted(names))]
    shown = compact("\n".join(["name,version", *rows, ""]), budget=300, threshold=300, store=None).text
    assert all(f"|{family}-000|" in shown for family in ("lib", "oak", "yew"))


def test_values_that_are_equally_frequent_are_all_told_with_their_number_once() -> None:
    bands = ["<10", "10 to 19", "20 to 29", "30 to 39", "40 to 49", "50 to 59", "60 to 69", "70 to 79", "80+", "any"]
    rows = [
        f"port{place},{band},mast {(n * 31 + place * 17) % 97}" for place in range(40) for n, band in enumerate(bands)
    ]
    shown = compact("\n".join(["place,band,mast", *rows, ""]), budget=500, threshold=500, store=None).text
    assert f"band: 10 values, 40 each: {' · '.join(bands)}" in shown
