"""JSON outlines: shape, leaves by path, what is odd where, and every kind of damage."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import random
import re
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact.content.json import TYPE
from mcpcompact.errors import InputError
from mcpcompact.outline import MAX_ITEMS, Hints, Keep, Outline
from mcpcompact.source import Sample, Source

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


def outline(value: object) -> Outline:
    text = value if isinstance(value, str) else json.dumps(value)
    return TYPE.outline(Source.of_text(text), Hints())


def kept(made: Outline) -> str:
    return "\n".join(f"{i.text} <- {i.reason}" for i in made.items if i.keep)


def said(made: Outline) -> str:
    return "\n".join([*(f.text for f in made.facts), *made.notes])


@given(VALUES)
@settings(max_examples=60)
def test_every_leaf_is_in_exactly_one_item(value: object) -> None:
    made = outline(json.dumps(value))
    covered = [n for item in made.items for n in item.also or range(item.start, item.end + 1)]
    assert sorted(covered) == list(range(1, made.total + 1))
    assert repr(json.loads(made.lossless[0].text())) == repr(json.loads(json.dumps(value)))


@given(VALUES)
@settings(max_examples=40)
def test_spans_partition_the_text(value: object) -> None:
    text = json.dumps(value, indent=1)
    assert "".join(text[a:b] for a, b in TYPE.spans(text)) == text


def search(r: random.Random, n: int) -> tuple[object, list[str]]:
    hits = [
        {
            "id": f"doc-{i}",
            "attributes": {
                "bytes": r.randrange(800, 9000),
                "meta": {"owner": r.choice("abcd"), "state": r.choice(["published", "draft"])},
            },
        }
        for i in range(n)
    ]
    a, b, c = r.sample(range(n), 3)
    hits[a]["attributes"]["meta"]["state"] = "index ERROR: checksum mismatch"  # type: ignore[index]
    hits[b]["attributes"]["bytes"] = 7_000_001  # type: ignore[index]
    hits[c]["attributes"]["meta"]["owner"] = "zebulon"  # type: ignore[index]
    return {"data": {"took": 3, "results": hits}}, [f"doc-{a}", "checksum mismatch", "7000001", "zebulon"]


def users(r: random.Random, n: int) -> tuple[object, list[str]]:
    table = {
        f"usr_{i:05x}": {"plan": r.choice(["free", "pro"]), "logins": r.randrange(5, 60), "last": {"result": "ok"}}
        for i in range(n)
    }
    a, b, c = r.sample(list(table), 3)
    table[a]["last"] = {"result": "FAILED: account locked"}
    table[b]["logins"] = 99_999
    table[c]["plan"] = "legacy-2009"
    return {"users": table}, [a, "account locked", b, "99999", c, "legacy-2009"]


def tree(r: random.Random, n: int) -> tuple[object, list[str]]:
    every: list[dict[str, object]] = []

    def node(depth: int) -> dict[str, object]:
        made: dict[str, object] = {"size": r.randrange(1000, 40_000), "license": r.choice(["MIT", "ISC"])}
        every.append(made)
        if depth < 4:
            made["dependencies"] = {f"p{r.randrange(9999)}": node(depth + 1) for _ in range(r.choice([1, 2, 3]))}
        return made

    root = {"name": "app", "dependencies": {f"top{i}": node(0) for i in range(max(8, n // 20))}}
    a, b, c = r.sample(every, 3)
    a["problems"] = ["ERROR: missing peer"]
    b["size"] = 98_000_111
    c["license"] = "WTFPL"
    return root, ["missing peer", "98000111", "WTFPL"]


@pytest.mark.parametrize("n", [60, 400])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("make", [search, users, tree])
def test_a_loud_a_rare_and_an_outlying_value_are_kept(make: object, n: int, seed: int) -> None:
    value, wanted = make(random.Random(seed), n)  # type: ignore[operator]
    made = outline(value)
    shown = kept(made)
    assert [w for w in wanted if w not in shown] == []
    assert sum(1 for i in made.items if i.keep) <= 8


def test_an_alarm_names_its_pod() -> None:
    pods = [
        {
            "metadata": {"name": f"web-{i}", "labels": {"a": "x" * 90, "b": "y" * 90}},
            "status": {"phase": "Running", "note": "z" * 150},
        }
        for i in range(40)
    ]
    pods[17]["status"]["phase"] = "CrashLoopBackOff"
    made = outline({"kind": "List", "items": pods})
    (item,) = [i for i in made.items if i.keep == Keep.SEVERE]
    assert item.text.startswith("items[17].status (metadata.name web-17): phase: CrashLoopBackOff")


def test_leaves_stand_by_path_with_their_neighbours() -> None:
    made = outline(
        {
            "spec": {
                "containers": [{"name": "web", "image": "nginx:1.25", "args": ["-v", "--port 80"], "odd key": 1}],
                "pad": "p" * 180,
            }
        }
    )
    assert 'spec.containers[0]: name: web, image: nginx:1.25, args: ["-v", --port 80], "odd key": 1' in [
        i.text for i in made.items
    ] or any("spec.containers" in i.text and "image: nginx:1.25" in i.text for i in made.items)


def test_ordinary_settings_raise_no_alarm() -> None:
    made = outline(
        {"compilerOptions": {"strict": True, "target": "es2022", "paths": {"@/*": ["src/*"]}}, "errorOnWarnings": False}
    )
    assert kept(made) == ""


def test_numbers_are_shown_as_they_were_written() -> None:
    made = outline('{"a": 1.50, "b": 123456789012345678901234567890, "c": 1E5, "d": -0}')
    assert made.items[0].text == "a: 1.50, b: 123456789012345678901234567890, c: 1E5, d: -0"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', "Repeated keys"),
        ('{"a": NaN}', "NaN"),
        ('{"items": [{"id": 1}, {"id": 2}, {"i', "Only the first 34 bytes parse"),
        ('{"é": [1, 2]}, rest', "from offset 14 are not read"),
        ('{"a": 1}\n{"a": 2}', "2 JSON documents"),
        ("[" * 100_000 + "]" * 100_000, "Nested 100,000 levels deep"),
        ("warning: old config\n" + json.dumps([{"a": 1}] * 20), "20 characters of text stand before the JSON"),
    ],
)
def test_damage_is_said(text: str, words: str) -> None:
    assert words in said(outline(text))


def test_no_json_is_an_input_error() -> None:
    for text in ("", "  \n", "not json", "}"):
        with pytest.raises(InputError):
            outline(text)


def test_a_byte_order_mark_is_no_content() -> None:
    made = TYPE.outline(Source(b'\xef\xbb\xbf{"a": 1}'), Hints())
    assert made.items[0].text == "a: 1"


def test_a_log_in_a_string_is_outlined_as_a_log() -> None:
    log = "\n".join(f"2026-01-01 00:00:{i % 60:02d} INFO worker {i} ok" for i in range(200))
    made = outline({"exit_code": 1, "stdout": log + "\n2026-01-01 00:09:00 ERROR disk full /dev/sda1\n"})
    assert any(
        "disk full /dev/sda1" in i.text and i.section.startswith("stdout, 201 lines") for i in made.items if i.keep
    )
    assert "exit_code: 1" in made.facts[1].text


def test_large_documents_stay_bounded() -> None:
    made = outline({"m": [[i * j for i in range(400)] for j in range(400)]})
    assert made.total == 160_000 and len(made.items) <= MAX_ITEMS
    assert made.items[-1].end == made.total


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ('{"a": 1}', 0.7, 1), ("[]", 0.7, 1), ('{"a": {"b": [1, 2', 0.6, 1), ("[2026-01-01] INFO started", 0, 0.1),
        ("{not json}", 0, 0.1), ("hello", 0, 0.1), ("[12] text", 0, 0.1), ("<html>", 0, 0.1), ("", 0, 0.1),
    ],
)  # fmt: skip
def test_sniff(text: str, low: float, high: float) -> None:
    assert low <= TYPE.sniff(Sample(Source.of_text(text))).score <= high


def _trips(n: int) -> list[list[dict[str, object]]]:
    """Every first leg with each of two second ones, as searches for connections return them."""
    rng = random.Random(7)

    def leg(i: int, a: str, b: str) -> dict[str, object]:
        prices = {"basic": rng.randrange(100, 300), "flex": rng.randrange(300, 900)}
        return {"flight_number": f"QX{i:03d}", "origin": a, "destination": b, "status": "available", "prices": prices}

    second = [leg(900 + k, "HUB", "END") for k in range(2)]
    return [[first, then] for i in range(n) for first in [leg(i, "STA", "HUB")] for then in second]


def test_objects_that_are_alike_are_rows_under_their_keys() -> None:
    trips = _trips(8)
    made = compact(json.dumps(trips), budget=500, threshold=500, store=None)
    lines = made.text.split("\n")
    keys = "[][], of 32 rows|flight_number|origin|destination|prices.basic|prices.flex (in all: status=available)"
    assert keys in lines
    cheap, flex = trips[3][1]["prices"].values()  # type: ignore[attr-defined]
    again = [str(n) for n in range(16) if trips[n][1]["flight_number"] == "QX901"]
    assert f"[{','.join(again)}][1]|QX901|HUB|END|{cheap}|{flex}" in lines  # what rows say alike is said once
    assert all(f"QX{i:03d}" in made.text for i in range(8))


def _places(label: str) -> list[str]:
    """``[0][1]`` and ``[4][1]`` of ``[0,4][1]``."""
    numbers, _, tail = label[1:].partition("]")
    return [f"[{number}]{tail}" for number in numbers.split(",")]


def test_of_rows_that_are_not_shown_their_number_and_places_are() -> None:
    trips = _trips(8)
    places = [f"[{n}][{leg}]" for n in range(16) for leg in range(2)]
    for budget in range(280, 480, 20):
        lines = compact(json.dumps(trips), budget=budget, threshold=100, store=None).text.split("\n")
        rows = [
            place for line in lines if line.startswith("[") and "|" in line for place in _places(line.split("|")[0])
        ]
        left = [place for place in places if place not in rows]
        told = re.search(
            r"^… (\d+) more rows?(?: \(\d+ distinct\))?(?:: |, first )(\S+?)(?:, last (\S+))?$", "\n".join(lines), re.M
        )
        if any("of 32 rows" in line for line in lines) and left:
            assert told is not None and (int(told[1]), told[2]) == (len(left), left[0])
            assert told[3] in (None, left[-1])


def test_a_text_that_reads_as_another_kind_of_value_is_quoted() -> None:
    words = {"ready": "False", "owner": "None", "port": "80", "day": "2026-05-24", "version": "1.2.3", "sure": True}
    padding = {f"note{n}": f"What stands there for the {n}th time." for n in range(40)}
    text = compact(json.dumps(words | padding), budget=300, threshold=100, store=None).text
    assert 'ready: "False", owner: "None", port: "80", day: 2026-05-24, version: 1.2.3, sure: true' in text


def test_objects_that_differ_and_long_values_are_no_rows() -> None:
    for odd in ({"x": 1}, {"id": 1, "note": "a long text " * 40}, {"id": 1, "tags": list(range(40))}):
        made = outline({"list": [{"id": n, "name": f"n{n}", "deep": {"a": n}} for n in range(5)] + [odd]})
        assert not any("|" in item.section for item in made.items)


def test_a_bar_in_a_value_ends_no_cell() -> None:
    made = outline({"list": [{"id": n, "expression": f"a|b{n}", "by": f"u{n}"} for n in range(14)]})
    assert made.items[2].text == "[2]|2|a\\|b2|u2" and made.items[2].section == "list[], of 14 rows|id|expression|by"


def test_an_odd_object_among_rows_is_shown_whole_with_its_reason() -> None:
    rows = [{"name": f"job-{n}", "state": "done", "host": f"h{n % 5}", "took": 20 + n % 7} for n in range(300)]
    rows[211] = {**rows[210], "state": "crashed"}
    text = json.dumps({"rows": rows})
    made = compact(text, budget=300, threshold=300, content_type="json", store=None)
    assert "[211]|job-210|crashed|h0|20 ← state" in made.text


def test_names_in_a_text_inside_json_are_shown_in_pieces() -> None:
    rng = random.Random(3)
    said = "the gate opens when a reader waits behind it and nobody else holds any of their open slots today"
    words = said.split()
    names = [f"src/area_{n}/module_{n}.py" for n in range(18)]
    body = "\n".join(f"- {' '.join(rng.sample(words, 12))} `{n}` {' '.join(rng.sample(words, 14))}." for n in names)
    made = compact(json.dumps({"title": "A change", "number": 12, "body": body}), budget=500, threshold=500, store=None)
    assert sum(name in made.text for name in names) >= 8


def test_totals_and_the_outcome_come_first_whatever_their_depth() -> None:
    found = {f"pkg-{n}": {"title": f"Flaw {n}", "severity": "low", "text": "t" * 400} for n in range(12)}
    counts = {"low": 12, "high": 0, "total": 12}
    report = {
        "advisories": found,
        "meta": {"tool": "x", "counts": counts},
        "passed": False,
        "next_url": "https://a.b/c",
    }
    head = compact(json.dumps(report), budget=400, threshold=400, store=None).text.split("\n")[1:5]
    assert "passed: false" in head and "meta.counts: low: 12, high: 0, total: 12" in head
    assert not any("https://a.b/c" in line for line in head)


def test_large_elements_are_equal_rows_of_what_tells_them_apart() -> None:
    pods = [
        {
            "metadata": {"name": f"web-{n}", "uid": f"{n:08x}-0000-4000-8000-000000000000", "labels": {"app": "web"}},
            "spec": {"containers": [{"image": "nginx", "args": ["a" * 60] * 3}]},
            "status": {"phase": "Pending" if n == 2 else "Running", "message": "m" * 200},
        }
        for n in range(6)
    ]
    text = compact(json.dumps({"kind": "List", "items": pods}), budget=350, threshold=0, content_type="json").text
    assert "items[]|metadata.name|status.phase" in text
    assert all(f"[{n}]|web-{n}|{'Pending' if n == 2 else 'Running'}" in text for n in range(6))


# ---- long strings, binary content, several documents


def _base64(size: int, start: bytes = b"") -> str:
    return base64.b64encode(start + random.Random(size).randbytes(size - len(start))).decode()


@pytest.mark.parametrize("size", [70_000, 400_000])
@pytest.mark.parametrize("filler", ["QUJD", "some words of a text. ", "x"])
def test_json_with_a_long_string_is_json(size: int, filler: str) -> None:
    text = json.dumps([{"u": "x"}, {"body": {"content": filler * (size // len(filler))}}])
    result = compact(text, budget=300)
    assert (result.content_type == "json" and "[1].body.content" in result.text) or "content: " in result.text
    assert compact(text[:-3], budget=300).content_type == "json"  # cut off


@pytest.mark.parametrize("size", [2_000, 30_000, 300_000])
@pytest.mark.parametrize("shape", ["data:image/png;base64,{}", "{}", "screenshot: data:image/png;base64,{} end"])
def test_binary_content_is_named_and_never_shown(size: int, shape: str) -> None:
    raw = b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(size)
    encoded = base64.b64encode(raw).decode()
    text = json.dumps({"name": "shot", "image": shape.format(encoded), "status": "ok"})
    result = compact(text, budget=200)
    assert f"⟪png {len(raw):,} bytes, sha256 {hashlib.sha256(raw).hexdigest()[:8]}…⟫" in result.text
    assert not any(encoded[at : at + 24] in result.text for at in range(0, len(encoded) - 24, 8))


def test_binary_content_with_line_breaks_and_in_records() -> None:
    raws = [b"%PDF-1.7" + random.Random(n).randbytes(3_000) for n in range(40)]
    said = [f"⟪pdf 3,008 bytes, sha256 {hashlib.sha256(raw).hexdigest()[:8]}…⟫" for raw in raws]
    texts = [base64.encodebytes(raw).decode() for raw in raws]
    assert said[0] in compact(json.dumps({"image": texts[0], "id": 1}), budget=300).text
    shown = compact(json.dumps([{"id": n, "thumb": text} for n, text in enumerate(texts)]), budget=300).text
    assert sum(each in shown for each in said) > 5 and not any(text[:40] in shown for text in texts)


@pytest.mark.parametrize(
    "value",
    ["ACGTTGCA" * 300, "MKVLAAGICWERTYIPASDFGHKLCVNM" * 60, "-" * 900, "1234567890" * 90, "a/long/path/of/names" * 40],
)
def test_sequences_rulers_and_names_are_no_binary_content(value: str) -> None:
    assert "⟪" not in compact(json.dumps({"a": value, "b": [1, 2, 3]}), budget=150, threshold=50).text


def test_the_path_of_binary_content_brings_it(door: Any, tmp_path: Path) -> None:
    encoded = _base64(30_000, b"\x89PNG")
    (tmp_path / "a.json").write_text(json.dumps({"pages": [{"name": "p", "image": encoded}], "ok": True}))
    made = json.loads(door("summarize", "a.json", "--budget", "200", "--json", cwd=tmp_path).stdout)
    got = door("results", "get", made["reference"]["id"], "--path", "pages[0].image", "--max-tokens", "0", cwd=tmp_path)
    assert encoded in got.stdout.decode()


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("counts", [(4, 5), (1500, 2500)])
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: {"items": v, "more": False}])
def test_all_of_several_documents_are_counted(indent: int | None, counts: tuple[int, int], wrap: Any) -> None:
    lists = [[{"id": n, "name": f"n{n}", "size": n * 7} for n in range(k)] for k in counts]
    text = "\n".join(json.dumps(wrap(each), indent=indent) for each in lists)
    result = compact(text, budget=120, threshold=60)
    if result.content_type == "json":
        assert "2 JSON documents" in result.text
        assert all(f"{k:,} elements" in result.text or f"({k:,})" in result.text for k in counts)
    else:  # one object a line: records
        assert " 2 records" in result.text


def test_a_notebook_is_shown_by_cell() -> None:
    png = base64.encodebytes(b"\x89PNG\r\n\x1a\n" + random.Random(3).randbytes(20_000)).decode()
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Sales of the year\n", "From the export of May."]},
        {
            "cell_type": "code", "execution_count": 1, "source": ["df = read_csv('sales.csv')\n", "df.plot()"],
            "outputs": [{"output_type": "display_data", "data": {"image/png": png, "text/plain": ["<Figure>"]}}],
        },
        {
            "cell_type": "code", "execution_count": 2, "metadata": {}, "source": ["fit(None)"],
            "outputs": [{"output_type": "error", "ename": "ValueError", "evalue": "bad shape", "traceback": ["…"]}],
        },
    ]  # fmt: skip
    text = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    result = compact(text, budget=400)
    assert result.content_type == "json" and result.items_total == 3
    for said in (
        "2 code cells, 1 markdown cell",
        "# Sales of the year",
        "df = read_csv('sales.csv')",
        "cells[2] output",
    ):
        assert said in result.text
    assert "ValueError: bad shape" in result.text and "⟪png 20,008 bytes" in result.text and png[:40] not in result.text


def pulls(count: int) -> list[dict[str, Any]]:
    return [
        {
            "body": f"## Why\n\nPart {n} moves src/part{n}/reader.py.\n\n- keeps `old_name_{n}` working\n"
            + f"more of {n}\n" * 40,
            "number": 1400 + n,
            "title": f"Move part {n}",
            "user": {"login": f"person{n}", "node_id": "x" * 100, "url": f"https://host/people/person{n}" * 3},
            "state": "open" if n else "closed",
            "labels": [f"area-{k}-of-{n}" * 3 for k in range(9)],
        }
        for n in range(count)
    ]


def test_large_elements_are_all_named_and_each_line_names_its_own() -> None:
    text = compact(json.dumps({"items": pulls(6), "count": 6}), budget=500, threshold=0).text
    for n in range(6):
        state = "open" if n else "closed"
        line = f"[{n}]|{1400 + n}|Move part {n}|person{n}|{state}"
        assert line in text.split("\n")
    lines = [line for line in text.split("\n") if re.match(r"items\[\d", line)]
    assert len(lines) >= 5
    assert all(re.search(r"number:? 14\d\d", line) for line in lines)


def test_a_string_of_several_lines_is_shown_by_its_lines() -> None:
    text = compact(json.dumps(pulls(3)), budget=700, threshold=0).text
    assert "\\n" not in text
    assert re.search(r"^3 Part \d moves src/part\d/reader.py.$", text, re.M)
    assert re.search(r"^\[\d\]\.body \(number 140\d\), 4\d lines:$", text, re.M) or "body (number 140" in text


def test_documents_one_after_the_other_are_all_counted() -> None:
    made = outline("\n".join(json.dumps(pull, indent=1) for pull in pulls(4)))
    assert made.headline.startswith("4 JSON documents")
    assert all(f"\n[{n}]|{1400 + n}|" in made.facts[1].text for n in range(4))


def test_json_in_a_string_is_read_and_headers_come_last() -> None:
    charges = [{"id": f"ch_{n}", "amount": n * 100, "order": f"order {n}"} for n in range(30)]
    body = {"error": {"code": "card_declined", "message": "Your card has insufficient funds."}, "charges": charges}
    headers = {f"X-Header-{n}": [f"value{n}-" * 6] for n in range(25)}
    exchange = {
        "request": {"method": "POST", "uri": "https://pay.example/v1/charges"},
        "response": {"headers": headers, "status": 402, "body": {"string": json.dumps(body)}},
    }
    text = compact(json.dumps(exchange, indent=1), budget=500, threshold=0).text
    assert "error.code=card_declined" in text and "insufficient funds" in text
    assert re.search(r"^#\|id\|(?:order\|amount|amount\|order)$", text, re.M)
    assert len(re.findall(r"^#\d+\|ch_\d+\|(?:order )?\d+\|(?:order )?\d+$", text, re.M)) > 10
    assert text.count("X-Header") < 4


def test_what_a_description_tells_of_is_no_failure() -> None:
    about = ("Shows failed builds and errors.", "Sends mail on a crash.", "Cleans the workspace.", "Adds a theme.")
    plugins = {
        f"plugin-{n}": {"name": f"plugin-{n}", "description": about[n % 4] + f" Since {n}.", "pages": [n] * 9}
        for n in range(40)
    }
    assert "tell of a failure" not in said(outline({"plugins": plugins, "warnings": []}))


def test_actions_of_a_plan_are_counted() -> None:
    changes = [
        {"address": f"host.node[{n}]", "kind": "host", "change": {"actions": ["create"], "note": "n" * 90}}
        for n in range(40)
    ]
    plan = {"version": "1.2", "changes": changes, "settings": {"text": "s" * 9_000}, "errored": False, "complete": True}
    text = compact(json.dumps(plan), budget=500, threshold=100).text
    assert "change.actions [create] 40" in text
    assert "errored: false, complete: true" in text


def test_of_a_map_of_records_one_stands_whole_and_empty_lists_are_counted() -> None:
    users = {
        f"user_{n}_x{n * 7919}": {
            "name": {"first": f"F{n}", "last": f"L{n}"},
            "email": f"u{n}@example.org",
            "orders": [f"#{n}"] * (n % 4 > 0),
        }
        for n in range(200)
    }
    text = compact(json.dumps(users), budget=500, threshold=100).text
    assert "{name: {first: F0, last: L0}, email: u0@example.org, orders: []}" in text
    assert "orders empty in 50" in text


def test_long_texts_of_one_line_are_shown_from_their_first_sentence() -> None:
    body = "The pump stops at noon. " + "It was seen by the crew in the valley on another day. " * 6
    issues = [
        {"id": f"p-{n}", "title": f"Pump {n}", "description": body.replace("pump", f"pump {n}"), "log": {"a": body}}
        for n in range(2)
    ]
    text = compact(json.dumps(issues), budget=400, threshold=100).text
    for n in range(2):
        assert f'[{n}].description (id p-{n}): "The pump {n} stops at noon. It was seen' in text
    assert " sentences:" not in text  # a text stands there once


def test_cells_of_tables_are_counted_as_shown() -> None:
    text = " ".join(["workspace", "experiment", "bundle", "threshold"] * 40)
    jobs = [
        {"id": f"av-{n}.x", "title": f"Migrate part {n}", "priority": n, "notes": [text, {"k": text}]} for n in range(6)
    ]
    made = compact(json.dumps({"jobs": jobs}, indent=1), budget=300, threshold=300)
    table = [line for line in made.text.split("\n") if re.match(r"\[\d\]\|", line)]
    assert made.items_shown >= sum(line.count("|") for line in table) > 10
    assert made.items_shown <= made.items_total


def test_leaves_are_numbered_as_lines_number_them() -> None:
    from mcpcompact.content.shared.tree import Leaves, Sizes
    from mcpcompact.encoded import containers

    value = {"a": [{"n": k, "deep": {"x": "y", "z": k}} for k in range(3)], "b": {}, "c": "text"}
    leaves = Leaves(value, Sizes(containers(value)))
    assert leaves.at(value, [("a", "[]", "n"), ("c",)]) == {1, 4, 7, 11}
    assert leaves.of(value["a"]) == range(1, 10)


def test_lists_below_a_line_of_names_are_a_table() -> None:
    lines = [["asin", "title", "rating"], *([f"B{n:04}", f"Phone {n} of a maker", n % 5] for n in range(90))]
    text = "\n".join(map(json.dumps, lines))
    made = outline(text)
    assert (made.total, made.unit, made.header) == (90, "row", "#|title|asin|rating")
    assert "90 rows, 3 columns" in said(made)
    assert "#90|Phone 89 of a maker|B0089|4" in [item.text for item in made.items]
    assert outline("\n".join(map(json.dumps, lines[1:]))).unit == "value"  # no line of names


def test_what_an_object_was_applied_as_comes_last() -> None:
    spec = {"kind": "Job", "spec": {"steps": [{"name": f"step-{n}", "image": f"img/{n}:1.{n}"} for n in range(40)]}}
    job = {
        "metadata": {
            "name": "copy",
            "annotations": {"kubectl.kubernetes.io/last-applied-configuration": json.dumps(spec)},
        },
        **spec,
        "status": {"conditions": [{"type": "Failed", "reason": "BackoffLimitExceeded", "message": "too many retries"}]},
    }
    text = compact(json.dumps(job, indent=1), budget=300, threshold=300).text
    assert "last-applied" not in text
    assert "too many retries" in text


def test_a_patch_of_several_files_in_a_value_is_no_single_file() -> None:
    def added(name: str, size: int) -> str:
        return "\n".join([f"@@ -0,0 +1,{size} @@", *(f"+{name} line {n} of the new text" for n in range(size))])

    patch = "\n".join([added("guide", 40), added("rules", 30), added("notes", 40)])
    text = compact(json.dumps({"change": {"number": 7, "diff": patch}, "diff": patch}), budget=400, threshold=400).text
    assert "files that it does not name, +110 −0, 3 hunks" in text
    assert text.count("unified diff") == 1  # the copy is not told again
    assert "\nchange.diff = diff\n" in text
    shown = [line.removeprefix("diff: ") for line in text.split("\n")]
    for name, size in (("guide", 40), ("rules", 30), ("notes", 40)):  # each line stands below the header of its hunk
        own = [n for n, line in enumerate(shown) if f" {name} line" in line]
        heads = {max(n for n in range(k) if shown[n].startswith("@@ ")) for k in own}
        assert len(heads) == bool(own) and all(shown[n].startswith(f"@@ -0,0 +1,{size} @@") for n in heads)


def test_a_text_with_line_breaks_is_one_value_of_those_shown() -> None:
    tools = [
        {"name": f"tool_{n}", "about": "Reads a file.\n\n" + 'It says "what" it is.\n' * 30, "strict": n > 2}
        for n in range(6)
    ]
    made = compact(json.dumps({"server": {"name": "files", "tools": tools}}), budget=300, threshold=300,
                   tool="find", arguments={"query": "tool_3 of the server"})  # fmt: skip
    assert "tool_3" in made.text
    assert made.items_shown <= sum(made.text.count(text) for text in ("tool_", "strict", "about", "true", "false")) + 2


def test_what_is_asked_beside_a_list_is_told_once_and_is_none_of_its_records() -> None:
    checks = [
        {"name": f"check {n}", "state": "PENDING", "url": f"https://ci.example/runs/{n:09}/job"} for n in range(9)
    ]
    value = {
        "number": 17,
        "title": "Widen the cache's key",
        "isDraft": True,
        "headRefName": "cache-key",
        "jobChecks": checks,
        "reviewState": "",
    }
    call = {"command": "pr view 17 --json number,title,isDraft,headRefName,reviewState,jobChecks"}
    made = compact(json.dumps(value), budget=240, threshold=240, tool="view", arguments=call)
    assert made.items_shown == sum(line.startswith("#") and line[1].isdigit() for line in made.text.split("\n"))
    assert made.text.count("Widen the cache's key") == 1


def test_a_tree_of_directories_counts_its_nodes_and_shows_paths() -> None:
    def folder(name: str, *inside: Any) -> dict[str, Any]:
        return {"name": name, "type": "directory", "children": list(inside)}

    def files(*names: str) -> list[dict[str, str]]:
        return [{"name": name, "type": "file"} for name in names]

    lib = [folder(f"part{n}", *files("main.c", "main.h", f"part{n}_test.c")) for n in range(30)]
    tree = [folder("lib", *lib), folder("docs", *files("guide.md", "api.md")), *files("Makefile", "LICENSE")]
    made = compact(json.dumps(tree, indent=1), budget=300, threshold=300)
    shown = [line for line in made.text.split("\n") if line.startswith("lib/part")]
    assert made.items_total == 1 + 30 * 4 + 3 + 2
    assert "126 entries, 32 directories and 94 files" in made.text
    bare = [{"name": "lib", "children": [{"name": f"part_{n}.c"} for n in range(300)]}]
    assert "301 entries, 1 directory and 300 other" in compact(json.dumps(bare), budget=250, threshold=250).text
    assert "lib/part0/ (3): main.c  main.h  part0_test.c" in shown
    assert "./ (2 + lib/  docs/): Makefile  LICENSE" in made.text
    assert 3 * len(shown) <= made.items_shown < made.items_total

    thread = [
        {"user": f"u{n}", "text": "what " * 30, "replies": [{"user": "x", "text": "that " * 20, "replies": []}] * 3}
        for n in range(4)
    ]
    made = compact(json.dumps(thread), budget=250, threshold=250)
    assert "of 4 records" not in made.text
    assert made.items_total > 16


def test_what_comments_say_is_a_column_of_their_table() -> None:
    comments = [
        {"id": 70 + n, "author": {"login": f"user{n}"}, "role": "MEMBER" if n % 2 else "OWNER",
         "body": f"Opinion {n} on the colour of the shed.\n\nIt should be painted before the winter.\n" * 5}
        for n in range(5)
    ]  # fmt: skip
    story = "\n".join(f"Line {n} of the report on the shed says how it looks from side {n}." for n in range(60))
    value = {"number": 8, "title": "Paint the shed", "body": story, "comments": comments, "labels": [{"name": "shed"}]}
    made = compact(json.dumps(value), budget=500, threshold=500)
    text = made.text
    assert made.content_type == "json"
    assert re.search(r"^comments\[\]\|.*\|body", text, re.M)
    assert len(re.findall(r"^\[\d\]\|.*\|Opinion \d on the colour", text, re.M)) >= 3


def test_a_pod_that_is_not_scheduled_says_why() -> None:
    why = "0/3 nodes are available: 3 node(s) had a taint that the pod does not tolerate, and no victim was found."
    env = [{"name": f"VARIABLE_{n}", "value": f"value-{n * 31}"} for n in range(60)]
    pod = {
        "kind": "Pod",
        "metadata": {"name": "web-7d9", "namespace": "shop", "uid": "0f3c2f6e-6a1e-4f4b-9c57-0a7c1f3f2b11"},
        "spec": {
            "containers": [{"name": "web", "image": "web:1.4", "env": env, "volumeMounts": [{"name": "data"}] * 9}]
        },
        "status": {
            "phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": why}],
        },
    }
    made = compact(json.dumps({"kind": "PodList", "items": [pod]}), budget=300, threshold=100, store=None).text
    assert "reason: Unschedulable" in made
    assert why in made
    pod["status"]["conditions"][0]["status"] = "True"  # met
    met = compact(json.dumps({"kind": "PodList", "items": [pod]}), budget=300, threshold=100, store=None).text
    assert "tells of a failure" not in met


def test_what_the_facts_say_and_a_lone_element_s_name_stand_once() -> None:
    text = json.dumps(
        {"items": [{"metadata": {"name": "web-7d9", "namespace": "shop"}, "spec": {"ports": list(range(900))}}]}
    )
    made = compact(text, budget=300, threshold=100, store=None).text
    assert made.count("web-7d9") == 1


def test_what_a_table_of_elements_shows_is_not_repeated_and_lists_begin_at_their_beginning() -> None:
    step = {"scope": "https://api.example.com:443", "binary": False}
    asked = (("post", "/orgs/example/repos"), ("put", "/users/me/avatar"), ("get", "/rate/limits"))
    steps = [{"path": path, "method": method, **step, "body": {}} for method, path in asked]
    steps[0]["body"] = {f"key{n}": {f"field{k}": f"value {n * 7 + k}" for k in range(9)} for n in range(60)}
    made = compact(json.dumps(steps), budget=294, threshold=100, content_type="json", store=None).text
    assert "(in all: " in made and made.count("binary") == 1 and made.count("/users/me/avatar") == 1
    files = [f"src/main/java/org/example/lib/parsers/Parser{n * 37 % 100:02d}Impl.java" for n in range(100)]
    text = compact(json.dumps({"version": 3, "scanned": files}), budget=300, threshold=100, store=None).text
    shown = [int(n) for n in re.findall(r"^scanned\[(\d+):", text, re.M)]
    assert shown[0] == 0 and len(shown) > 3


def test_the_worst_come_first_where_a_table_of_findings_is_cut_and_rows_stand_in_their_order() -> None:
    levels = ("LOW", "MEDIUM", "HIGH", "LOW", "CRITICAL", "MEDIUM")
    found = [
        {
            "id": f"CVE-2026-{n * 911}",
            "package": f"lib-{level.lower()}{n}",
            "severity": level,
            "text": f"What {n} is about in some words, and what came of it. " * 9,
            "links": [f"https://example.org/{n}/{k}" for k in range(9)],
        }
        for n, level in enumerate(levels)
    ]
    made = compact(
        json.dumps({"Results": [{"Found": found}]}), budget=500, threshold=100, store=None, content_type="json"
    )
    rows = [line for line in made.text.split("\n") if re.match(r"\[0\]\.Found\[\d\]\|", line)]
    assert [re.findall(r"\b[A-Z]{3,}\b(?!-)", row) for row in rows][:3] == [["CRITICAL"], ["HIGH"], ["MEDIUM"]]
    nodes = [{"name": f"N{n * 7919 % 1000}", "group": n % 7, "index": n} for n in range(90)]
    text = compact(
        json.dumps({"nodes": nodes, "kind": 3}), budget=300, threshold=100, store=None, content_type="json"
    ).text
    shown = [int(n) for n in re.findall(r"^\[(\d+)\]\|", text, re.M)]
    assert len(shown) > 5 and shown == list(range(len(shown)))


def test_what_a_table_shows_is_not_said_again_and_requests_show_what_they_send() -> None:
    person = {"login": "ana-b", "id": 7, "url": "https://api.example.com/users/ana-b"}
    person |= {
        f"{name}_url": f"https://api.example.com/users/ana-b/{name}" for name in ("followers", "gists", "events")
    }
    calls = []
    for n, method in enumerate(["get", "get", "post", "patch", "delete"]):
        answer = {
            "id": 40 + n,
            "note": f"text {n} of the answer that is long enough to fill its line " * 3,
            "by": person,
        }
        body = {"title": "renamed", "label": "fresh"} if method == "patch" else ""
        calls.append(
            {"method": method, "path": f"/v1/{'items/' * n}{n}", "status": 200 + n, "body": body, "answer": answer}
        )
    made = compact(json.dumps(calls), budget=290, threshold=290, store=None, content_type="json").text
    assert "[3]|patch|/v1/items/items/items/3|203" in made
    assert "path: /v1/items" not in made and "followers_url" not in made
    assert "body: {title: renamed, label: fresh}" in made


def test_of_a_long_nested_map_the_counts_stand_above_its_table() -> None:
    about = [{"options": {"size": "M", "cut": "slim" * 9}}, {"options": {f"part {i}": f"of {i}" for i in range(30)}}]
    goods = {
        f"90{p}{p}": {
            "name": f"thing {p}",
            "variants": {
                f"v{p}x{n}": {"item_id": f"v{p}x{n}", "open": n % 3 > 0, "price": 10 + p * n, **about[n % 2]}
                for n in range(12)
            },
        }
        for p in range(20)
    }
    made = compact(json.dumps(goods), budget=500, threshold=500, store=None, content_type="json").text
    assert "*.variants.*: 240 objects; open true 160, false 80; price 10–219" in made


def test_what_a_refused_request_got_wrong_comes_before_what_was_sent() -> None:
    errors = [{"resource": "Berth", "field": "depth", "code": "too_small"}, {"resource": "Berth", "code": "taken"}]
    sent = {"body": {"remarks": "moored at the northern quay " * 60, "crew": [f"sailor {n}" for n in range(90)]}}
    text = json.dumps({"request": sent, "message": "Validation Failed", "errors": errors, "status": "422"}, indent=1)
    told = compact(text, budget=300, threshold=0).text
    said = "errors: [{resource: Berth, field: depth, code: too_small}, {resource: Berth, code: taken}]"
    assert told.count("too_small") == 1 and said in told and "message: Validation Failed" in told
    long = json.dumps({"exchange": {"answer": {"errors": errors * 9}, "sent": sent}}, indent=1)
    assert "|depth|too_small" in compact(long, budget=150, threshold=0).text


def test_a_history_in_days_begins_with_the_newest() -> None:
    def first(times: list[str]) -> str:
        who = [{"login": "ann", "name": "Ann Sail", "mail": "ann@example.org"}]
        rows = [
            {"oid": f"{n * 7919:040x}", "headline": f"rope {n}", "body": "splice " * 20, "at": at, "authors": who}
            for n, at in enumerate(times)
        ]
        text = json.dumps({"title": "ropes", "rows": rows, "remarks": "moored at the quay " * 200, "ready": True})
        told = [fact.text for fact in TYPE.outline(Source.of_text(text), Hints()).facts]
        return next(text.split("\n")[1] for text in told if text.startswith("rows[]|"))[:4]

    days = [f"2026-03-{n + 10}T10:00:00Z" for n in range(12)]
    assert first(days) == "[11]" and first(days[::-1]) == "[0]|"
    assert first([f"2026-03-01T10:{n + 10}:00Z" for n in range(12)]) == "[0]|"  # steps of one day


def test_a_list_of_very_many_empty_lists_takes_no_time_for_each_pair_of_them() -> None:
    text = "[" + "[]," * 60_000 + "[]]"
    before = time.process_time()
    assert "60,001" in compact(text, budget=300, threshold=0).text
    assert time.process_time() - before < 4  # 0.4 s; where each was compared with all others 10


def test_documents_that_follow_each_other_at_once_are_read_as_those_in_lines() -> None:
    documents = [[n, {"v": n}] for n in range(40)]
    joined, lined = (end.join(map(json.dumps, documents)) for end in ("", "\n"))
    assert (
        compact(joined, budget=200, threshold=0, content_type="json").text.split("\n")[1:]
        == (compact(lined, budget=200, threshold=0, content_type="json").text.split("\n")[1:])
    )


def test_the_only_host_of_many_values_is_not_odd_and_the_second_of_many_is() -> None:
    headers = [
        word for n in range(60) for word in (f"X-Part-{'abcdef'[n % 6]}", f"{'open shut idle'[n % 3 * 5 :]} {n}")
    ]
    calls = [{"step": n, "headers": headers[n * 20 : n * 20 + 20]} for n in range(6)]
    calls[0]["headers"] = [*headers[:20], "Location", "https://api.pump.example/walks/north"]  # type: ignore[list-item]
    assert "only 1×" not in kept(outline({"calls": calls}))
    names = ["".join(letters) for letters in itertools.product("abcdef", repeat=3)]
    links = [f"https://api.pump.example/{name}/{name}" for name in names]
    links[100] = "https://elsewhere.example/north"
    assert "host elsewhere.example only 1×" in kept(outline({"links": links}))


def test_equal_neighbours_are_counted_only_where_they_are_written_alike() -> None:
    text = "[" + "0," * 300 + "0.0,-0.0,0.0,1.0,1.00," + "true," * 300 + "1,1,1,false,0," + "[]," * 300 + "{},{}]"
    shown = compact(text, budget=400, threshold=0, content_type="json").text
    assert "0 ×300, 0.0, -0.0, 0.0, 1.0, 1.00, true ×300, 1 ×3, false, 0, [] ×300, {} ×2" in shown


def _deployments() -> str:
    """Three deployments as a cluster lists them, with bookkeeping and defaults."""

    def item(n: int) -> dict[str, Any]:
        managed = {"manager": "controller", "fieldsV1": {f"f:{a}": {f"f:{b}{n}": {} for b in "xyz"} for a in "abcdef"}}
        owner = {"apiVersion": "apps/v1", "kind": "Shelf", "name": f"shelf-{n}", "controller": True}
        owner |= {"uid": f"5a1c3c5e-0000-4000-8000-00000000000{n}", "blockOwnerDeletion": True}
        env = [{"name": f"SETTING_{k}", "value": f"value-{n}-{k}"} for k in range(6)]
        limits = {"limits": {"cpu": f"{n + 1}00m", "memory": "64Mi"}, "requests": {"cpu": "50m", "memory": "32Mi"}}
        container = {"name": f"main-{n}", "image": f"registry/app-{n}:1.{n}", "env": env, "resources": limits}
        spec = {"containers": [container], "initContainers": [{"name": f"load-{n}", "image": "registry/load:2"}]}
        spec |= {"schedulerName": "default-scheduler", "dnsPolicy": "ClusterFirst", "restartPolicy": "Always"}
        conditions = [
            {"type": kind, "status": "True", "reason": f"{kind}Reached", "lastUpdateTime": f"2031-01-0{n + 1}"}
            for kind in ("Available", "Progressing")
        ]
        meta = {
            "name": f"app-{n}",
            "namespace": "shop",
            "ownerReferences": [owner] * (n == 1),
            "managedFields": [managed],
        }
        return {"metadata": meta, "spec": {"template": {"spec": spec}}, "status": {"conditions": conditions}}

    return json.dumps({"kind": "DeploymentList", "apiVersion": "apps/v1", "items": [item(n) for n in range(3)]})


def test_of_a_deployment_owners_limits_and_counts_come_before_defaults_and_bookkeeping() -> None:
    text = compact(_deployments(), budget=500, threshold=100, store=None, content_type="json").text
    assert re.search(r"\d+ values \(\d+ in managedFields\)", text)
    owner = next(line for line in text.split("\n") if ".ownerReferences[0]" in line)
    assert "name: shelf-1" in owner and "kind: Shelf" in owner
    assert re.search(r"limits: \{cpu: \d00m, memory: 64Mi\}", text)
    assert "default-scheduler" not in text and "ClusterFirst" not in text
    assert "f:" not in text
    rows = [line for line in text.split("\n") if "conditions[]" in line and "|" in line]
    assert all(".status.conditions[], of 6 rows|" in line for line in rows)


def test_a_recorded_exchange_says_what_it_was_answered_with() -> None:
    sha, moved = "9f" * 20, "https://files.example.org/archive/main.tar.gz"
    answers: list[tuple[str, int, Any]] = [
        (
            "post",
            201,
            {"id": 51007, "full_name": "shop/cart", "site_admin": False, "forks_count": 0, "url": "https://x/y"},
        ),
        ("put", 201, {"content": {"name": "a.txt", "sha": sha}, "commit": {"sha": sha[::-1], "message": "first"}}),
        ("get", 302, ""),
        ("get", 422, {"message": "Validation Failed", "errors": [{"field": "name"}]}),
        ("delete", 204, ""),
        ("get", 200, [{"id": 900 + n, "name": f"crate-{n}", "url": f"https://x/y/{n}"} for n in range(6)]),
        ("get", 200, {}),
        ("get", 200, {f"part_{n}": {"enabled": n == 2, "url": f"https://x/part/{n}"} for n in range(5)}),
    ]
    calls = [
        {
            "scope": f"https://{'files' if n == 3 else 'api'}.example.org:443",
            "method": method,
            "path": f"/repos/a-shop-of-books/a-cart/{n}/{'part/' * n}",
            "status": status,
            "response": response,
            "rawHeaders": [x for k in range(12) for x in (f"X-Head-{k}", f"value {k} {n}")] + ["Location", moved],
        }
        for n, (method, status, response) in enumerate(answers)
    ]
    text = compact(json.dumps(calls), budget=500, threshold=100, store=None, content_type="json").text
    assert "(208 in rawHeaders)" in text
    assert "scope=https://api.example.org:443 but [3] https://files.example.org:443" in text
    assert "[]|method|path (…=/repos/a-shop-of-books/a-cart)|status|response" in text
    assert "[1]|put|…/1/part/|201|content.sha" in text
    assert "|201|id=51007, full_name=shop/cart" in text
    assert f"|201|content.sha[:12]={sha[:12]}, commit.sha[:12]={sha[::-1][:12]}" in text
    assert f"|302|headers.location={moved}" in text
    assert "|422|message=Validation Failed" in text
    assert "|200|[6 items: crate-0, crate-1, crate-2, crate-3, …]" in text and "|200|{}" in text
    assert "|200|{5 keys: part_0, part_1, part_2, …}" in text


def test_a_long_path_that_all_elements_have_is_said_once() -> None:
    path = "services/billing/internal/ledger/reconciliation/worker.py"
    nodes = [{"path": path, "line": n * 7, "name": f"note-{n}", "note": {"k": "x" * 130, "n": n}} for n in range(12)]
    text = compact(json.dumps({"notes": nodes}), budget=400, threshold=100, store=None, content_type="json").text
    assert f"(in all: path={path})" in text


def test_an_owner_is_told_by_its_name_and_kind_before_what_all_owners_say() -> None:
    owner = {"apiVersion": "databases.example.org/v1alpha2", "kind": "Database", "name": "ledger", "controller": True}
    owner |= {"uid": "5a1c3c5e-0000-4000-8000-000000000001", "blockOwnerDeletion": True}
    items = [{"metadata": {"name": f"watch-{n}", "ownerReferences": [owner] * (n == 2)}, "n": n} for n in range(4)]
    lines = [item.text for item in outline({"kind": "List", "items": items}).items]
    assert (
        "items[2].metadata.ownerReferences[0]: "
        "name: ledger, apiVersion: databases.example.org/v1alpha2, kind: Database, …" in lines
    )


@pytest.mark.parametrize("budget", [300, 400])
def test_why_something_failed_stands_beside_that_it_did(budget: int) -> None:
    def job(n: int, failed: bool) -> dict[str, object]:
        day = f"2026-11-0{n + 1}"
        told = (
            ("DeadlineExceeded", "Job was active longer than the 900 seconds it may take") if failed else ("Done", "")
        )
        condition = {"type": "Failed" if failed else "Complete", "status": "True", "lastProbeTime": f"{day}T10:00:00Z"}
        condition |= {"lastTransitionTime": f"{day}T10:01:00Z", "reason": told[0], "message": told[1]}
        plan = {"parallel": n, "image": f"registry.example.com/team/unit-{n}:4.{n}", "args": ["--level", str(n)]}
        labels = {f"example.com/team-{n}": f"t{n}", "tier": "back"}
        return {
            "metadata": {"name": f"nightly-{n}", "labels": labels, "uid": f"{n:08x}-aa-bb"},
            "spec": plan,
            "status": {"conditions": [condition], "startTime": f"{day}T09:00:00Z"},
        }

    data = json.dumps({"kind": "JobList", "items": [job(0, False), job(1, True)]})
    assert "longer than the 900 seconds" in compact(data, budget=budget, threshold=0).text


@pytest.mark.parametrize("fields", [60, 75, 110])
def test_what_a_thing_is_called_stands_at_every_budget(fields: int) -> None:
    part = {f"flag{n}": f"value-{n}-{'abcdef'[n % 6] * 3}" for n in range(fields)}
    thing = {
        "kind": "Pod",
        "metadata": {"name": "mill-4x7", "namespace": "harbour"},
        "status": {"phase": "Failed"},
        "spec": {"parts": [{"name": "p0", "deep": {"port": 7, **part}}], "tier": "back"},
    }
    data = json.dumps({"kind": "PodList", "items": [thing]})
    for budget in range(300, 1001, 100):
        text = compact(data, budget=budget, threshold=0).text
        assert "mill-4x7" in text and "harbour" in text and "Failed" in text, budget


def test_sums_that_are_partly_written_as_texts_are_told_first() -> None:
    """Those of coverage.py: ``percent_covered_display`` is a text."""
    files = {f"shop/m{n}.py": {"missing_lines": [*range(n, n + 30)], "executed_lines": []} for n in range(60)}
    totals = {"covered_lines": 36, "num_statements": 497, "percent_covered": 7.24, "percent_covered_display": "7"}
    text = compact(json.dumps({"files": files, "totals": totals}), budget=300, threshold=300).text
    assert 'totals: covered_lines: 36, num_statements: 497, percent_covered: 7.24, percent_covered_display: "7"' in text


def test_another_rare_value_is_not_like_the_first() -> None:
    tests = [{"title": f"adds {n}", "status": "passed", "numbers": [n], "failed": []} for n in range(300)]
    tests[120]["status"], tests[123]["status"] = "pending", "todo"
    found = compact(json.dumps({"success": True, "suites": [{"tests": tests}, {"tests": []}]}), budget=600, threshold=0)
    assert "status todo in 1 of 300" in found.text and "status pending in 1 of 300" in found.text


@pytest.mark.parametrize("files", (2, 40))
def test_texts_under_paths_have_no_whole_record(files: int) -> None:
    document = {f"/path/to/file{n}.f(7)": f"warning #{n}: no value is given to argument {n}" for n in range(files)}
    outline = TYPE.outline(Source(json.dumps(document).encode()), Hints())
    assert outline.content_type == "json" and not any("one whole" in fact.text for fact in outline.facts)


def test_an_id_that_many_objects_share_is_told_as_a_kind() -> None:
    lines = [f"Line {n % 11}" for n in range(242)]
    segments = [{"kind": "arc", "arcs": [n], "id": name} for n, name in enumerate(lines)]
    arcs = [[[n, i * 7 % 11] for i in range(9)] for n in range(242)]
    shown = compact(json.dumps({"net": {"segments": segments}, "arcs": arcs}), budget=500).text
    counted = ", ".join(f"Line {n} ×22" for n in range(8))
    assert f"id {counted}, 3 more" in shown
    own = [segment | {"id": f"Line {n}"} for n, segment in enumerate(segments)]
    assert "; id " not in compact(json.dumps({"net": {"segments": own}, "arcs": arcs}), budget=500).text


def test_code_in_a_value_is_read_by_its_definitions() -> None:
    methods = [
        f"    def step_{name}(self, tank: str) -> float:\n"
        + f'        """Run step {name} of the pump."""\n'
        + "".join(f"        self.log(tank, 'valve {n} of {name} was turned', level={n})\n" for n in range(12))
        + f"        return self.level_of(tank) * {len(name)}\n"
        for name in ("fill", "drain", "rinse", "settle", "sample", "report")
    ]
    symbol = {"name_path": "Pump", "kind": "Class", "body": "class Pump:\n" + "\n".join(methods)}
    text = compact(json.dumps([symbol]), budget=400, threshold=400).text
    lines = text.split("\n")
    first = lines.index("1 class Pump:")
    assert lines[first - 1].startswith("[0].body, ") and lines[first - 1].endswith(" lines of Python:")
    assert lines[first + 1 : first + 3] == [
        "2     def step_fill(self, tank: str) -> float:",
        '3         """Run step fill of the pump."""',
    ]
    assert all(f"     def step_{name}(self, tank: str) -> float:" in text for name in ("drain", "settle", "report"))


def test_a_page_of_one_line_in_a_value_is_read_as_text() -> None:
    rows = "".join(f'<div data-id="b{n}" class="p"><p>Step {n}: the valve {n} is open.</p></div>' for n in range(40))
    answer = {"code": 0, "data": {"id": "b7", "html": f'<div class="h3"><h3>Pump check</h3></div>{rows}'}}
    text = compact(json.dumps(answer), budget=300, threshold=300).text
    assert "data.html, HTML, 1 line" in text and "\nStep 0: the valve 0 is open.\n" in text
    assert "<div" not in text
