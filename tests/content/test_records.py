"""Lists of objects: finding them, what is said of them, what stands out, and nothing lost."""

from __future__ import annotations

import json
import random
import re
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from decoders import unpack_rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mcpcompact import compact
from mcpcompact.content.columns.findings import marks
from mcpcompact.content.columns.survey import Columns
from mcpcompact.content.records import TYPE
from mcpcompact.content.records.outline import find_list
from mcpcompact.content.shared import packing
from mcpcompact.content.shared.jsontext import minify
from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Keep, Outline
from mcpcompact.source import Sample, Source


def outline(text: str | bytes) -> Outline:
    source = Source(text) if isinstance(text, bytes) else Source.of_text(text)
    return TYPE.outline(source, Hints())


def sniff(text: str) -> float:
    return TYPE.sniff(Sample(Source.of_text(text))).score


def said(out: Outline) -> str:
    return "\n".join([*(f.text for f in out.facts), *out.notes])


def kept(out: Outline) -> dict[int, str]:
    return {i.start: f"{i.text} ← {i.reason}" for i in out.items if i.keep}


# -- find_list --------------------------------------------------------------------------------------------------

ROWS = [{"id": i, "name": f"n{i}"} for i in range(5)]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (ROWS, ""),
        ({"total_count": 3012, "items": ROWS}, "items"),
        ({"data": {"results": ROWS, "next": "abc"}}, "data.results"),
        ({"small": [{"a": 1}], "hits": {"total": 5, "hits": ROWS}}, "hits.hits"),
    ],
)
def test_the_list_is_found_beside_other_keys(value: Any, path: str) -> None:
    assert find_list(value) == (path, ROWS)


def test_graphql_edges_give_their_nodes() -> None:
    value = {"data": {"repository": {"issues": {"edges": [{"node": r, "cursor": "x"} for r in ROWS]}}}}
    assert find_list(value) == ("data.repository.issues.edges[].node", ROWS)


@pytest.mark.parametrize(
    "value",
    [
        {"columns": ["id", "name"], "rows": [[r["id"], r["name"]] for r in ROWS]},
        {"fields": [{"name": "id"}, {"name": "name"}], "data": [[r["id"], r["name"]] for r in ROWS]},
    ],
)
def test_columns_and_rows_give_objects(value: Any) -> None:
    found = find_list(value)
    assert found is not None
    assert found[1] == ROWS


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [1, 2, 3], {"a": {"b": 1}}, [[1, 2], [3, 4]]])
def test_no_list_of_objects(value: Any) -> None:
    assert find_list(value) is None


def test_a_deep_value_is_no_problem() -> None:
    value: Any = ROWS
    for _ in range(5_000):
        value = {"a": [[value]]}
    assert find_list([value, [value]]) is None


# -- sniff ------------------------------------------------------------------------------------------------------


def test_sniff_claims_what_is_a_list_of_objects() -> None:
    lines = "\n".join(json.dumps(r) for r in ROWS)
    assert sniff(json.dumps(ROWS)) > 0.9
    assert sniff(json.dumps({"count": 5, "items": ROWS}, indent=2)) > 0.9
    assert sniff(lines) > 0.9
    assert sniff(lines + "\nnot json at all") > 0.9
    assert sniff("Fetching logs...\n" + lines) > 0.9
    assert sniff(json.dumps([{"k": "v" * 90, "i": i} for i in range(5_000)])) > 0.9


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[",
        "[]",
        "[1,2,3,4]",
        '{"a": 1}',
        json.dumps({"name": "x", "settings": {"k": "v" * 300}, "rules": [{"a": 1}, {"a": 2}, {"a": 3}]}),
        "2026-11-01 INFO {}\n2026-11-01 INFO {}\n",
        "a,b\n1,2\n",
        "[" * 100_000,
        '{"a":' * 100_000,
    ],
)
def test_sniff_leaves_the_rest_alone(text: str) -> None:
    assert sniff(text) < 0.5


@given(st.binary(max_size=300))
@settings(max_examples=150, deadline=None)
def test_nothing_but_input_errors(data: bytes) -> None:
    source = Source(data)
    assert 0 <= TYPE.sniff(Sample(source)).score <= 1
    with suppress(InputError):
        TYPE.outline(source, Hints())


# -- facts ------------------------------------------------------------------------------------------------------


def test_facts_count_group_and_fold() -> None:
    rows = [
        {
            "number": i,
            "status": "failed" if i in (30, 60, 90) else "ok",
            "ms": i % 50,
            "kind": "job",
            "url": f"https://api.example.com/jobs/{i}",
            "at": f"2026-11-{i % 28 + 1:02d}T10:00:00Z",
            "note": None,
        }
        for i in range(1, 1_201)
    ]
    out = outline(json.dumps({"total_count": 3012, "next": "tok", "items": rows}))
    text = said(out)
    assert out.total == 1_200 and out.headline == "1,200 records"
    assert "ok 1,197 · failed 3" in text
    assert "ms: 0 to 49" in text and "sum 29,400" in text
    assert "total_count=3012" in text and "next=tok" in text
    assert "https://api.example.com/jobs/{n}" in text
    assert "2026-11-01T10:00:00Z to 2026-11-28T10:00:00Z" in text
    assert "kind=job" in text and "always empty: note" in text
    assert [n for n, t in kept(out).items() if "status=failed" in t] == [30, 60, 90]
    assert ("--where", "status=failed") in out.more


def test_many_fields_do_not_drown() -> None:
    rows = [{f"f{k}": (i * k) % 97 for k in range(60)} for i in range(50)]
    out = outline(json.dumps(rows))
    assert len(out.facts) < 32
    assert "more fields:" in said(out)


def test_ten_thousand_distinct_keys() -> None:
    out = outline("\n".join(json.dumps({"id": i, f"k{i}": 1}) for i in range(10_000)))
    assert "10,001 distinct keys" in said(out)
    assert len(kept(out)) <= 200


def test_a_bad_line_is_said_and_never_fatal() -> None:
    lines = [json.dumps({"i": i, "s": "ok"}) for i in range(50)]
    lines[17] = '{"i": 17, "s": '
    out = outline("\n".join(lines) + "\n")
    assert out.total == 49
    assert "line 18" in said(out)


def test_a_truncated_list_is_summarised_as_far_as_it_goes() -> None:
    text = json.dumps([{"i": i, "s": "ok"} for i in range(50)])[:-40]
    out = outline(text)
    assert 40 < out.total < 50
    assert any("cut off" in n for n in out.notes)


def test_numbers_are_shown_as_written() -> None:
    text = '[{"id":1,"v":1.10,"w":12345678901234567890123},{"id":2,"v":2.50,"w":7},{"id":3,"v":1e3,"w":8}]'
    shown = "\n".join(i.text for i in outline(text).items)
    for raw in ("1.10", "2.50", "1e3", "12345678901234567890123"):
        assert raw in shown
    ndjson = "\n".join(json.dumps(r) for r in json.loads(text)).replace("1.1,", "1.10,")
    assert "1.10" in outline(ndjson).items[0].text and "12345678901234567890123" in outline(ndjson).items[0].text


def test_duplicate_keys_and_nan_are_said() -> None:
    out = outline('[{"a":1,"a":2,"v":NaN},{"a":3,"v":1},{"a":4,"v":2}]')
    assert "occur twice" in said(out) and "NaN" in said(out)
    assert "a (#1)" in said(outline('{"a":1,"a":2}\n{"a":3}\n{"a":4}\n'))


def test_nothing_odd_is_said_conclusively() -> None:
    out = outline(json.dumps([{"i": i, "state": "ok", "v": i % 7} for i in range(200)]))
    assert "all 200 records scanned: none names error, failure, exception and the like in 20 languages" in said(out)
    assert not kept(out)


# -- what stands out --------------------------------------------------------------------------------------------


def base(rng: random.Random, i: int) -> dict[str, Any]:
    words = ["fix", "improve", "refactor", "document", "test", "release"]
    return {
        "id": 9_000 + i,
        "title": f"{rng.choice(words)} crash in {rng.choice(words)} module",
        "state": rng.choice(["open", "closed"]),
        "path": f"/v1/{rng.choice(['users', 'orders', 'carts'])}/{rng.randint(1, 99_999)}",
        "latency_ms": rng.randint(5, 80),
        "meta": {"region": rng.choice(["eu", "us", "ap"]), "error": None},
    }


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("shape", ["array", "envelope", "ndjson"])
def test_loud_outlier_and_rare_are_kept_verbatim(seed: int, shape: str) -> None:
    rng = random.Random(seed)
    total = rng.choice([150, 500, 3_000])
    rows = [base(rng, i) for i in range(total)]
    loud, far, rare = rng.sample(range(total), 3)
    kind = seed % 3
    if kind == 0:
        rows[loud]["meta"]["error"] = "checksum mismatch QX-7731"
        needle = "checksum mismatch QX-7731"
        rows[rare]["meta"]["region"] = "antarctica-1"
        odd = "antarctica-1"
    elif kind == 1:
        rows[loud]["title"] = "panic: CVE-2026-31337 found"
        needle = "CVE-2026-31337"
        rows[rare]["path"] = "/internal/debug-9f"
        odd = "/internal/debug-9f"
    else:
        rows[loud]["state"] = "failed"
        needle = "failed"
        rows[rare]["flavour"] = "pistachio"
        odd = "pistachio"
    rows[far]["latency_ms"] = 90_417
    if shape == "array":
        text = json.dumps(rows, indent=seed % 2 or None)
    elif shape == "envelope":
        text = json.dumps({"took": 3, "data": {"results": rows}})
    else:
        text = "\n".join(map(json.dumps, rows)) + "\n"
    out = outline(text)
    assert out.total == total
    keeps = kept(out)
    assert needle in keeps[loud + 1]
    assert "latency_ms=90417, median" in keeps[far + 1]
    assert odd in keeps[rare + 1]
    assert len(keeps) <= max(6, total // 50)
    severe = [i.start for i in out.items if i.keep == Keep.SEVERE]
    assert loud + 1 in severe


def test_a_failing_pod_is_kept_with_its_name() -> None:
    rng = random.Random(5)
    pods = [
        {
            "metadata": {"name": f"app-{i:03d}-{rng.getrandbits(32):08x}", "namespace": rng.choice(["a", "b"])},
            "status": {
                "phase": "Running",
                "containerStatuses": [
                    {"restartCount": rng.choice([0, 0, 1]), "state": {"running": {"startedAt": "x"}}}
                ],
            },
        }
        for i in range(150)
    ]
    pods[77]["status"]["containerStatuses"][0]["state"] = {"waiting": {"reason": "CrashLoopBackOff"}}  # type: ignore[index]
    pods[99]["status"]["containerStatuses"][0]["restartCount"] = 4_711  # type: ignore[index]
    keeps = kept(outline(json.dumps({"kind": "List", "items": pods})))
    assert "CrashLoopBackOff" in keeps[78] and pods[77]["metadata"]["name"] in keeps[78]  # type: ignore[index]
    assert "4711" in keeps[100]


def test_common_failures_are_counted_and_a_few_are_shown() -> None:
    rows = [{"i": i, "result": "failed" if i % 3 else "ok"} for i in range(300)]
    out = outline(json.dumps(rows))
    assert "failures, all 300 records scanned: result: failed 200 of 300" in said(out)
    assert list(kept(out)) == [2, 3, 5]


def test_odd_schema_and_type() -> None:
    rows: list[dict[str, Any]] = [{"i": i, "v": i % 9, "w": "x"} for i in range(400)]
    rows[100]["v"] = "n/a"
    del rows[200]["w"]
    rows[300]["extra"] = 5
    assert set(kept(outline(json.dumps(rows)))) == {101, 201, 301}


def test_repeated_ids() -> None:
    rows = [{"id": f"u-{i:04d}-{i * 7919 % 1000:03d}", "v": i % 5} for i in range(300)]
    rows[250]["id"] = rows[20]["id"]
    keeps = kept(outline(json.dumps(rows)))
    assert set(keeps) == {21, 251}


def test_blocks_merge_to_the_same_statistics() -> None:
    rng = random.Random(3)
    rows = [base(rng, i) for i in range(2_000)]
    rows[1_234]["latency_ms"] = 90_000
    whole, parts = Columns(), Columns()
    whole.add(rows)
    for i in range(0, 2_000, 170):
        parts.add(rows[i : i + 170])
    assert parts.total == whole.total
    for path, column in whole.columns.items():
        other = parts.columns[path]
        assert (column.present, column.kinds, column.numbers.total) == (other.present, other.kinds, other.numbers.total)
        assert (column.numbers.lo, column.numbers.hi) == (other.numbers.lo, other.numbers.hi)
    odd = [[mark.row for mark in marks(stats) if not mark.said] for stats in (parts, whole)]
    assert odd == [[1_235], [1_235]]


def test_a_large_file_is_streamed_with_exact_rows(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from mcpcompact import source as contract
    from mcpcompact.content.records import ndjson

    rng = random.Random(9)
    rows = [base(rng, i) for i in range(4_000)]
    rows[3_210]["latency_ms"] = 88_888
    path = tmp_path / "big.ndjson"
    path.write_text("\n".join(map(json.dumps, rows)) + "\nbroken\n")
    monkeypatch.setattr(contract, "LARGE", 1_000)
    monkeypatch.setattr(ndjson, "BLOCK", 50_000)
    source = Source(path=str(path))
    assert source.large
    out = TYPE.outline(source, Hints())
    assert out.total == 4_000
    assert "12210" in kept(out)[3_211] and "88888" in kept(out)[3_211]
    assert "line 4,001" in said(out)
    for item in out.items:
        assert f"{8_999 + item.start}" in item.text


# -- nothing lost -----------------------------------------------------------------------------------------------

SCALAR = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=20)
)
VALUE = st.recursive(
    SCALAR, lambda v: st.lists(v, max_size=3) | st.dictionaries(st.text(max_size=5), v, max_size=3), max_leaves=6
)


@given(st.lists(st.text(max_size=6), unique=True, min_size=1, max_size=4), st.booleans(), st.data())
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_records_decoded_into_slots_are_those_of_orjson(
    tmp_path: Any, keys: list[str], torn: bool, data: st.DataObject
) -> None:
    from mcpcompact import source as contract
    from mcpcompact.content.records import ndjson

    scalar = SCALAR | st.sampled_from([10**20, -(1 << 63), (1 << 63) - 1, 1, 1.0, True, "a", "b"])
    value = scalar | st.lists(scalar, max_size=2) | st.dictionaries(st.text(max_size=3), scalar | VALUE, max_size=2)
    rows = data.draw(st.lists(st.fixed_dictionaries(dict.fromkeys(keys, value)), min_size=4, max_size=12))
    odd = data.draw(st.sampled_from([{}, {"more": 1}, 5, dict.fromkeys([*reversed(keys)], 1)]))
    lines = [json.dumps(row) for row in rows * 3] + [json.dumps(odd)] + [json.dumps(row) for row in rows]
    if torn:  # two writers at once
        lines[5], lines[6] = lines[5] + lines[6], ""
    path = tmp_path / "some.ndjson"
    path.write_text("\n".join(lines) + "\n")

    def read(slots: Any) -> list[Any]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(contract, "LARGE", 0)
            patch.setattr(ndjson, "BLOCK", 100)
            patch.setattr(ndjson, "SETTLED", 2)
            patch.setattr(ndjson._Slots, "of", slots)
            reader = ndjson._Lines(Source(path=str(path)))
            reader.read()
        columns = sorted(reader.stats.columns.items())
        return [
            (reader.stats.total, reader.line, reader.bad.lines, reader.blocks, reader.kept, reader.stats.shapes),
            *((p, c.kinds, c.present, c.rows_by_kind, repr(c.values), c.texts, c.characters) for p, c in columns),
            *((p, c.numbers.lo, c.numbers.hi, c.numbers.whole, repr(c.numbers.total)) for p, c in columns),
        ]

    assert read(ndjson._Slots.of) == read(lambda keys, few: None)


@given(st.lists(st.text(max_size=6), unique=True, min_size=1, max_size=5), st.data())
@settings(max_examples=80, deadline=None)
def test_a_packed_table_gives_the_same_values_back(keys: list[str], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.fixed_dictionaries(dict.fromkeys(keys, VALUE)), min_size=2, max_size=6))
    rows = [{key: row[key] for key in keys} for row in rows]
    packed = packing.pack(rows)
    assert packed is not None
    assert json.dumps(unpack_rows(packed)) == json.dumps(rows)


def test_numbers_survive_packing_as_written() -> None:
    text = '[{"a":1.10,"b":1},{"a":2.0,"b":1},{"a":1e2,"b":1}]'
    packed = outline(text).lossless[-1].text()
    assert "1.10" in packed and "1e2" in packed
    assert unpack_rows(packed) == json.loads(text)


def test_lossless_texts_hold_the_same_values() -> None:
    rows = [base(random.Random(i), i) for i in range(40)]
    for text in (
        json.dumps(rows, indent=4),
        json.dumps({"items": rows}, indent=1),
        "\n".join(json.dumps(r) for r in rows),
    ):
        for lossless in outline(text).lossless:
            made = lossless.text()
            assert len(made) < len(text) and len(made) >= lossless.estimate
            if lossless.how.startswith("table"):
                assert unpack_rows(made) == rows
            else:
                assert minify(text).replace("\n", "") == made.replace("\n", "")


# -- spans ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ROWS),
        json.dumps({"a": [1, 2, 3], "data": {"items": ROWS}, "z": "],[{"}, indent=2),
        "\n".join(json.dumps(r) for r in ROWS) + "\n",
        json.dumps(ROWS)[:-20],
        "",
        "[",
    ],
)
def test_spans_partition(text: str) -> None:
    spans = list(TYPE.spans(text))
    assert "".join(text[a:b] for a, b in spans) == text
    assert all(a < b for a, b in spans)
    if text.count("name") == 5:
        assert len(spans) == 5


@given(st.text(alphabet='[]{},:"\\ \na1', max_size=80))
@settings(max_examples=100, deadline=None)
def test_spans_partition_anything(text: str) -> None:
    assert "".join(text[a:b] for a, b in TYPE.spans(text)) == text


def test_same_input_same_outline() -> None:
    text = json.dumps([base(random.Random(i), i) for i in range(300)])
    assert outline(text).facts == outline(text).facts
    assert [i.text for i in outline(text).items] == [i.text for i in outline(text).items]


def test_what_stands_beside_a_short_list_is_no_less_than_its_rows() -> None:
    """A job with its steps: its own fields are most of what a reader needs."""
    steps = [
        {"name": f"Step {n} of the build", "number": n, "started_at": f"2026-01-01T00:{n:02d}:00Z"} for n in range(14)
    ]
    job = {"id": 820922466, "head_branch": "main", "run_attempt": 3, "conclusion": "failure"}
    urls = {
        f"{kind}_url": f"https://api.example.com/repos/owner/name/{kind}/{n}" for n, kind in enumerate(("run", "log"))
    }
    made = compact(json.dumps({**job, **urls, "steps": steps}, indent=2), budget=300, threshold=300, store=None)
    assert "other keys: id=820922466, head_branch=main, run_attempt=3, conclusion=failure" in made.text
    assert "run_url=https://api.example.com/repos/owner/name/run/0" in made.text


def test_a_few_large_objects_one_a_line_are_documents() -> None:
    text = "\n".join(
        json.dumps({"author": f"a{n}", "id": 7_000 + n, "body": "Some words\nand more. " * 120}) for n in range(3)
    )
    made = compact(text, budget=300, threshold=300, store=None)
    assert made.content_type == "json"
    assert compact(f"{text}\n" * 4, budget=300, threshold=300, store=None).content_type == "records"


def test_a_url_that_follows_from_the_id_is_said_once() -> None:
    """Lists of a REST API: of each record its id, of all of them how the address is made."""
    runs = [
        {
            "id": 277_397_256 - 137 * n,
            "event": f"push{n % 3}",
            "url": f"https://example.com/owner/runs/{277_397_256 - 137 * n}",
        }
        for n in range(30)
    ]
    made = compact(json.dumps(runs), budget=500, threshold=500, store=None)
    assert "#|id|event (url = https://example.com/owner/runs/{id})" in made.text.split("\n")
    assert "#1|277397256|push0" in made.text.split("\n")
    runs[17]["url"] = "https://example.com/moved"
    made = compact(json.dumps(runs), budget=500, threshold=500, store=None)
    assert "{id}" not in made.text


def shown_rows(text: str) -> list[int]:
    lines = (line for line in text.split("\n") if line.startswith("#") and line[1:2].isdigit())
    return [int(line[1:].partition("|")[0]) for line in lines]


def test_rows_of_no_order_span_the_list() -> None:
    rng = random.Random(5)
    runs = [{"sha": f"{rng.getrandbits(160):040x}", "run": 100_000 + rng.randrange(900_000)} for _ in range(60)]
    shown = shown_rows(compact(json.dumps(runs), budget=500, threshold=500, store=None).text)
    assert shown[:3] == [1, 2, 3] and shown[-1] == 60
    assert max(b - a for a, b in pairwise(shown)) <= 12


def test_a_list_that_is_sorted_newest_or_largest_first_is_shown_from_its_top() -> None:
    rng = random.Random(6)
    days = [f"2026-{12 - n // 28:02}-{28 - n % 28:02}" for n in range(60)]
    dated = [{"name": f"run {rng.randrange(9999)}", "created_at": day} for day in days]
    sized = [{"path": f"src/{rng.randrange(9999)}.py", "bytes": 90_000 - 7 * n * n} for n in range(60)]
    for rows in (dated, sized):
        shown = shown_rows(compact(json.dumps(rows), budget=400, threshold=400, store=None).text)
        top = [number for number in shown if number < 59]
        assert len(top) >= 5 and top == list(range(1, len(top) + 1))


def test_each_state_of_a_list_has_a_row() -> None:
    states = ["queued", "running", "paused", "skipped"]
    rows = [{"name": f"job-{n * 7919 % 5000}", "state": states[n // 50], "note": "x" * 40} for n in range(200)]
    text = compact(json.dumps(rows), budget=400, threshold=400, store=None).text
    shown = shown_rows(text)
    assert {states[(n - 1) // 50] for n in shown} == set(states)


def stats_of(rows: list[dict[str, Any]]) -> Columns:
    stats = Columns()
    stats.add(rows)
    return stats


def test_a_word_that_stands_once_in_names_of_many_words_is_chance() -> None:
    words = ("birch", "alder", "willow", "rowan", "hazel", "maple", "larch", "aspen", "cedar", "poplar")
    names = [f"{words[n % 10]}-{n}" for n in range(100)]
    names[31] = "yew-31"
    found = compact(
        json.dumps([{"name": name, "size": n % 7} for n, name in enumerate(names)]), budget=300, threshold=0
    )
    assert "yew-31, the only one" not in found.text
    few = [f"node-{n}" if n != 31 else "gpu-31" for n in range(100)]
    found = compact(json.dumps([{"name": name, "size": n % 7} for n, name in enumerate(few)]), budget=300, threshold=0)
    assert "gpu-31, the only one of its shape" in found.text


def test_codes_and_ids_are_not_odd_and_numbers_have_no_shape() -> None:
    rows = [
        {"name": f"Account {n}", "Agency code": 500 + n if n < 8 else 9, "startLine": n % 7 * 10, "1996": f"1,{n:03}"}
        for n in range(240)
    ]
    rows[17]["1996"] = "-1,403,000"
    reasons = [mark.reason for mark in marks(stats_of(rows))]
    assert not [reason for reason in reasons if "code" in reason or "shape" in reason or "Line" in reason]
    assert "startLine mean" not in said(outline(json.dumps(rows)))
    assert "shapes" not in said(outline(json.dumps(rows)))


def test_codes_of_http_are_still_odd() -> None:
    rows = [{"path": f"/a/{n}", "code": 503 if n == 60 else 200} for n in range(240)]
    assert "code=503" in [mark.reason for mark in marks(stats_of(rows))]


def test_like_it_are_rows_with_the_same_value() -> None:
    rows = [{"n": f"item {n}", "exit_code": {3: 2, 4: 9, 5: 2}.get(n, 0)} for n in range(300)]
    by_template: dict[str, set[str]] = {}
    for mark in marks(stats_of(rows)):
        by_template.setdefault(mark.template, set()).add(mark.reason)
    assert {"exit_code=2", "exit_code=9"} <= by_template.keys()
    assert all(len(reasons) == 1 for reasons in by_template.values())


def test_a_stream_begins_with_the_record_that_sums_it_up() -> None:
    lines = [{"@message": f"node[{n}]: Refresh complete", "type": "refresh_complete"} for n in range(60)]
    lines += [{"@message": f"node[{n}]: Plan to update", "type": "planned_change"} for n in range(60)]
    lines += [{"@message": "Plan: 0 to add, 60 to change, 0 to destroy.", "type": "change_summary"}]
    text = "Warning: no configuration file\n" + "\n".join(map(json.dumps, lines))
    made = outline(text)
    assert made.facts[1].text == "#121 change_summary: Plan: 0 to add, 60 to change, 0 to destroy."
    assert any("they say: Warning: no configuration file" in note for note in made.notes)


def test_what_is_odd_is_told_with_what_it_says() -> None:
    rng = random.Random(3)
    words = ["".join(rng.choices("abcdefghijklm", k=6)) for _ in range(40)]
    rows = [{"message": " ".join(rng.choices(words, k=4)), "kind": "request"} for _ in range(300)]
    rows[41]["kind"] = "election"
    assert f"kind=election (#42: {rows[41]['message']})" in said(outline(json.dumps(rows)))


def test_rows_stand_in_their_order_and_those_at_the_ends_of_a_quantity_say_so() -> None:
    rows = [{"name": f"county {n}", "rate": 5 + (n * 7919 + 7) % 400 / 100} for n in range(400)]
    ranked = sorted(range(400), key=lambda n: rows[n]["rate"])
    made = compact(json.dumps(rows), budget=400, threshold=400, store=None).text
    shown = shown_rows(made)
    assert shown == sorted(shown)
    assert f"#{ranked[0] + 1}|county {ranked[0]}|{rows[ranked[0]]['rate']} ↓ least rate" in made
    assert f"#{ranked[-1] + 1}|county {ranked[-1]}|{rows[ranked[-1]]['rate']} ↑ most rate" in made


def test_an_end_that_many_rows_share_is_none_and_of_grades_no_sum_is_told() -> None:
    rows = [{"name": f"phone {n}", "rating": 1 + n % 5, "reviews": 10 + n * 7919 % 400} for n in range(400)]
    rows[0]["reviews"] = rows[1]["reviews"]
    most = max(rows, key=lambda row: int(row["reviews"]))
    made = compact(json.dumps(rows), budget=500, threshold=500, store=None).text
    assert "most rating" not in made and "least rating" not in made
    assert f"{most['name']}|{most['rating']}|{most['reviews']} ↑ most reviews" in made
    (rating,) = [line for line in made.splitlines() if line.startswith("rating: ")]
    assert "sum" not in rating and "sum" in next(line for line in made.splitlines() if line.startswith("reviews: "))


def test_a_field_of_nothing_is_no_column_and_long_prose_no_alarm() -> None:
    plan = (
        "What failed before must not fail again; each error is looked at, and nothing is left out of the report. " * 4
    )
    rows = [
        {"id": f"a-{n}", "title": f"task {n} of many", "links": [{"kind": f"k{n}", "meta": "{}"}]} for n in range(12)
    ]
    rows[3]["criteria"] = plan
    made = compact(json.dumps(rows), budget=300, threshold=100, store=None).text
    header = next(line for line in made.split("\n") if line.startswith("#|"))
    assert "meta" not in header
    assert "← criteria" not in made


def test_posts_are_rows_below_their_header_and_what_is_ordinary_is_not_odd() -> None:
    def post(n: int) -> dict[str, Any]:
        user = {"name": f"Reader {n}", "link_color": "0084B4" if n != 31 else "FF2424", "lang": "nl"}
        said = f"Post number {n} tells of the weather in the harbour\nhttps://t.example/a{n}"
        shared = {"user": {"name": f"Author {n}"}, "media": [{"sizes": {"h": 519 if n == 44 else 340}}]}
        at = f"Sun Aug {30 + (n < 60)} 10:{n // 40:02}:00 +0000 2014"
        return {"created_at": at, "id": 505874924095810000 + n * n, "text": said, "user": user,
                "shared_status": shared, "tags": [n] * (n % 3)}  # fmt: skip

    value = {"posts": [post(n) for n in range(80)], "meta": {"since": "a" * 70, "query": "q" * 75, "next": "n" * 70}}
    out = outline(json.dumps(value))
    assert not kept(out)
    assert "id" in out.header.split("|") and "shared_status.user.name" not in out.header
    lines = compact(json.dumps(value), budget=600, threshold=600).text.split("\n")
    at = lines.index(out.header)
    assert all(
        line.startswith("#") and "|Post number" in line for line in lines[at + 1 :] if "[mcpcompact]" not in line
    )


def test_a_list_of_issues_shows_when_each_was_touched_rather_than_counts_of_few_values() -> None:
    rows = [
        {
            "id": f"ab-{n * 7}",
            "title": f"refactor(part-{n}): isolate what belongs to provider {n * 31 % 17} in runners of its own",
            "status": ("open", "closed", "in_progress")[n % 3],
            "kind": ("bug", "feature")[n % 2],
            "owner": f"team-{n % 4}",
            "created_at": f"2026-0{n % 8 + 1}-11T09:58:45Z",
            "updated_at": f"2026-0{n % 8 + 1}-2{n % 9}T10:00:52Z",
            "dependents": n % 2,
            "comments": n % 3,
            "blocked": n % 2,
        }
        for n in range(40)
    ]
    made = compact(json.dumps(rows), budget=500, threshold=100, store=None).text
    header = next(line for line in made.split("\n") if line.startswith("#|"))
    assert header.startswith("#|id|title|") and "updated_at" in header and "status" in header


@pytest.mark.parametrize("indent", [None, 2])
def test_a_list_of_which_a_host_cut_the_middle_goes_on_behind_the_cut(indent: int | None) -> None:
    from mcpcompact.content.records.outline import spans

    rows = [
        {
            "id": f"T-{n}",
            "title": f"Task {n} of the plan",
            "labels": [{"id": n, "name": f"l{n}"}],
            "notes": "so it is " * 9,
        }
        for n in range(60)
    ]
    text = json.dumps(rows, indent=indent, separators=None if indent else (",", ":"))
    begin, end = text.index("Task 20") + 3, text.index("Task 41") + 2  # within texts: quotes no longer pair
    cut = f"{text[:begin]}…2345 tokens truncated…{text[end:]}"
    if indent is None:  # a cut that begins in a text and ends in another leaves sound JSON: end it in a number
        cut = f"{text[:begin]}…2345 tokens truncated… {text[text.index(',' + chr(34) + 'notes', end) :]}"
    got = compact(cut, budget=600, threshold=600, store=None)
    pieces = [cut[a:b] for a, b in spans(cut)]
    assert "".join(pieces) == cut
    if "in its middle" in got.text:
        total = int(re.search(r"JSON: (\d+) records", got.text)[1])  # type: ignore[index]
        assert len(pieces) == total and '"T-59"' in pieces[-1] and '"T-19"' in pieces[19]
        assert "|T-59|" in got.text
    else:
        assert "damaged" in got.text or "truncated" in got.text


def test_of_values_that_lead_together_none_is_the_most_frequent() -> None:
    rows = [{"n": n, "club": f"club {chr(97 + n % 20)}", "goals": n * 7 % 5} for n in range(400)]
    out = compact(json.dumps(rows), budget=300, threshold=300).text
    assert "club: 20 distinct, e.g. club a" in out and "club a 20" not in out


def test_of_a_session_the_latest_records_stand_below_each_other_and_the_first_takes_no_room_of_theirs() -> None:
    def event(n: int, role: str, said: str) -> str:
        body = {"id": f"msg_{n}", "role": role, "content": [{"type": "text", "text": said}], "usage": {"out": n}}
        return json.dumps(
            {"uuid": f"{n:08}-aa", "type": role, "message": body, "timestamp": f"2031-02-03T04:05:{n:02}Z"}
        )

    lines = [event(0, "user", "Build the layout tree. " * 300)]
    lines += [event(n, "assistant", f"Step {n} of nine is done, {n * 7} tests pass now. " * 4) for n in range(1, 10)]
    asked = {"command": "tail -10 tasks/a1.output", "description": "How far is the layout tree?"}
    text = compact("\n".join(lines), budget=500, threshold=500, tool="Bash", arguments=asked).text
    assert "10 records, of each what it says" in text
    assert "#10 2031-02-03T04:05:09Z assistant {role: assistant, content: [{text: " in text
    assert all(f"Step {n} of nine is done, {n * 7} tests pass now." in text for n in range(7, 10))
    assert text.count("Build the layout tree.") < 30


def test_records_with_a_payload_that_says_nothing_are_rows() -> None:
    events = [{"type": "Push", "id": n, "payload": {"size": n % 7, "ref": f"refs/{n}" * 60}} for n in range(40)]
    text = compact("\n".join(map(json.dumps, events)), budget=400, threshold=400).text
    assert "of each what it says" not in text


def test_what_is_asked_for_of_a_session_leaves_room_for_what_came_last() -> None:
    head = {"cwd": "/harbour/ferry", "sessionId": f"{7:032x}", "version": "3.1", "branch": "main"}
    order = "Rig the ferry Grey Heron for the winter: sails, ropes, lamps, pumps and the small boat. " * 60
    steps = [
        {"type": "tool_use", "name": "plan", "input": {"steps": [f"Sew sail {n} and hang it up" for n in range(9)]}}
    ]
    events = [
        head | {"type": "user", "timestamp": "2031-02-03T04:05:06Z", "message": {"role": "user", "content": order}},
        head
        | {
            "type": "assistant",
            "timestamp": "2031-02-03T04:06:06Z",
            "message": {"role": "assistant", "content": steps},
        },
        head
        | {
            "type": "user",
            "timestamp": "2031-02-03T04:07:06Z",
            "message": {"role": "user", "content": "Sails are sewn."},
        },
    ]
    text = "\n".join(map(json.dumps, events))
    made = compact(text, budget=400, threshold=400, focus="Rig the ferry Grey Heron for the winter", store=None)
    assert '\n#1 2031-02-03T04:05:06Z user {role: user, content: "Rig the ferry Grey Heron' in made.text
    assert "Sew sail 8 and hang it up" in made.text and "Sails are sewn." in made.text and "sessionId" not in made.text
