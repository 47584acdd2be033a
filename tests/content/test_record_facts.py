"""Every number that the facts about a list of records state, against plain Python over the same records."""

from __future__ import annotations

import itertools
import json
import random
import re
import statistics
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from mcpcompact import compact
from mcpcompact.content.anomalies import words as failures
from mcpcompact.content.records import TYPE
from mcpcompact.outline import Hints, Outline
from mcpcompact.source import Source

SEEDS, AT_ONCE = 300, 30
WORDS = ["ok", "new", "open", "a b", "x-1", "true", "1", "null", "", '"q"', "é", "Rome", "-1", "0"]
FAILING = ["failed", "FATAL panic", "Fehler 7", "connection refused", "エラー", "segmentation fault"]
KINDS: list[Callable[[random.Random, int], Any]] = [
    lambda r, i: i,
    lambda r, i: -i,
    lambda r, i: i - 50,
    lambda r, i: r.randint(-3, 3),
    lambda r, i: r.randint(-(10**6), 10**6),
    lambda r, i: r.randint(2**62, 2**66),
    lambda r, i: round(r.uniform(-5, 5), 2),
    lambda r, i: r.lognormvariate(3, 2),
    lambda r, i: r.choice([1, 1.0, True, "1", "true", None]),
    lambda r, i: r.choice([True, False]),
    lambda r, i: r.choice(WORDS),
    lambda r, i: f"w{r.randint(0, 300)} {r.choice(WORDS)}",
    lambda r, i: f"s{'0' * r.randint(0, 2)}{i}",
    lambda r, i: f"{r.randint(2020, 2025)}{r.choice('-/')}{r.randint(1, 12):02d}-01",
    lambda r, i: f"{r.randint(2020, 2025)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}T0{r.randint(0, 9)}:00:00Z",
    lambda r, i: r.choice(FAILING) if r.random() < 0.2 else r.choice(WORDS),
    lambda r, i: f"{r.getrandbits(64):016x}",
    lambda r, i: None,
    lambda r, i: {},
    lambda r, i: [r.choice(["A", "B"]) for _ in range(r.randint(0, 2))],
    lambda r, i: {"b": r.choice(["y", 2]), "c.d": 1},
]


def records_of(seed: int) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    total = rng.choice([3, 7, 25, 120, 240])
    fields = [(f"f{k}", rng.choice(KINDS), rng.choice([0.0, 0.0, 0.1, 0.97])) for k in range(rng.randint(1, 6))]
    if rng.random() < 0.5:
        fields += [("id", rng.choice(KINDS[:3]), 0.0), ("f0.b", lambda r, i: "dotted", 0.0)]
    return [{name: make(rng, i) for name, make, gone in fields if rng.random() >= gone} for i in range(total)]


def facts_of(records: list[dict[str, Any]], lines: bool) -> list[str]:
    text = "\n".join(map(json.dumps, records)) if lines else json.dumps(records)
    return [fact.text for fact in TYPE.outline(Source.of_text(text), Hints()).facts]


def number(text: str) -> float:
    return float(text.replace(",", "").removeprefix("≈"))


def close(text: str, value: float, share: float = 1e-9) -> bool:
    return abs(number(text) - value) <= share * max(1e-9, abs(value)) + 1e-9


def spelled(values: list[Any]) -> Counter[str]:
    """How often each scalar stands there, as the facts write it: texts that look like another type are quoted."""
    kinds = {"object" if isinstance(v, dict) else "list" if isinstance(v, list) else KIND[type(v)] for v in values}

    def one(v: Any) -> str:
        if isinstance(v, bool):
            return str(v).lower()
        if isinstance(v, str):
            alike = v in ("true", "false", "null") or v[:1] == '"' or re.fullmatch(r"-?\d+(\.\d+)?", v)
            return json.dumps(v, ensure_ascii=False) if alike and len(kinds) > 1 else v or "(empty)"
        return repr(float(v))

    return Counter(one(v) for v in values if v is not None and not isinstance(v, (dict, list)))


def normal(value: str, numbers: list[float]) -> str:
    """A value of the facts as ``spelled`` has it."""
    return repr(number(value)) if numbers and re.fullmatch(r"≈?-?[\d.,]+(e[+-]?\d+)?", value) else value


KIND = {int: "number", float: "number", str: "string", bool: "bool", type(None): "null"}


def check_field(name: str, text: str, records: list[dict[str, Any]]) -> None:
    values = [r[name] for r in records if name in r]
    counts, nulls = spelled(values), values.count(None)
    numbers = [v for v in values if type(v) in (int, float)]
    gone = f"present in {len(values):,} of {len(records):,}" if len(values) < len(records) else ""
    has = ", ".join(filter(None, [gone, f"null {nulls:,}" if nulls else ""]))
    assert text.endswith(f" ({has})" if has else text)
    text = text.removesuffix(f" ({has})")
    if (found := re.match(r"(≈?-?[\d.e+-]+) to (≈?-?[\d.e+-]+)(?=,|$)", text)) and numbers:
        assert close(found[1], min(numbers), 1e-5) and close(found[2], max(numbers), 1e-5)
    if found := re.search(r"median ([^ ]+), mean ([^ ]+)(?:, sum ([^ ]+))?$", text):
        assert close(found[1], statistics.median(numbers))
        assert close(found[2], sum(numbers) / len(numbers), 6e-4)
        assert not found[3] or close(found[3], sum(numbers))
    elif found := re.match(r"(\d{4}[-/]\S+) to (\S+)$", text):
        moments = sorted(v.replace("/", "-") for v in values if v is not None)
        assert [end.replace("/", "-") for end in found.groups()] == [moments[0], moments[-1]]
    elif " to " not in text and "e.g. " not in text and (" · " in text or re.search(r" ×?[\d,]+$", text)):
        parts = re.sub(r"^[\d,]+ (?:distinct|shapes), (?:like )?", "", text).split(" · ")
        numbered = [int(part.rpartition(" ")[2].lstrip("×").replace(",", "")) for part in parts]
        for part, many in zip(parts, numbered, strict=True):
            value = part.rpartition(" ")[0]
            if re.fullmatch(r"[\d,]+ others", value):
                assert sum(numbered) == sum(counts.values())
            elif " shapes, " not in text and "≈" not in value:
                assert counts[normal(value, numbers)] == many, (part, counts)
    if found := re.search(r"(?:^|, )([\d,]+) distinct", text):
        assert int(found[1].replace(",", "")) == len(counts)
    if re.search(r"(?:^|, )all distinct", text):
        assert set(counts.values()) == {1}


def check_elements(text: str, lists: list[list[str]], total: int) -> None:
    if text.startswith("in each record "):
        values = text.removeprefix("in each record ").split(", ")
        assert len(lists) == total and all(sorted(held) == values for held in lists)
    elif " · " in text:
        counts = Counter(value for held in lists for value in held)
        assert " · ".join(f"{v} {n}" for v, n in sorted(counts.items(), key=lambda vn: (-vn[1], vn[0]))) == text


def check(facts: list[str], records: list[dict[str, Any]]) -> None:
    total, names = len(records), {key for record in records for key in record}
    sizes = sorted(map(len, records))
    every = re.match(
        r"(?:ND)?JSON: ([\d,]+) records, (?:([\d,]+) to )?([\d,]+)(?: of ([\d,]+))? fields? each$", facts[0]
    )
    assert every is not None, facts[0]
    assert int(every[1]) == total and int(every[3]) == sizes[-1] and int(every[2] or every[3]) == sizes[0]
    assert int(every[4] or every[3]) == len(names)
    values = [str(value) for record in records for value in record.values()]
    for fact in [said for line in facts[1:] for said in re.split(r" · (?=[^·]{1,20}: [^·]* median )", line)]:
        name, _, text = fact.partition(": ")
        if name in names and "." not in name:
            check_field(name, text, records)
        elif name.endswith("[]") and name[:-2] in names:
            check_elements(text, [r[name[:-2]] for r in records if isinstance(r.get(name[:-2]), list)], total)
        elif name == '["f0.b"]':
            check_field("f0.b", text, records)
        elif name == "same in all":
            for part in text.split(", "):
                key, _, value = part.partition("=")
                if key.endswith("[]"):
                    assert all(r.get(key[:-2]) and set(r[key[:-2]]) == {value} for r in records)
                elif key in names and "." not in key:
                    found = [r.get(key) for r in records]
                    numbers = [v for v in found if type(v) in (int, float)]
                    assert spelled(found) == {normal(value, numbers) or "(empty)": total}, part
        elif name == "always empty":
            for key in text.split(", "):
                assert all(r.get(key) in (None, "") for r in records) or key not in names
        elif re.fullmatch(r"all [\d,]+ records scanned", name):
            assert text == "none names error, failure, exception and the like in 20 languages"
            assert not any(word in value for value in values for word in FAILING)
        elif name.startswith("failures, all"):
            for part in text.split(" · "):
                told = re.match(r"(f\d+): (?:(.+) )?([\d,]+) of ([\d,]+)(?: name a failure .+)?$", part)
                if told is not None:
                    failing = [r[told[1]] for r in records if any(w in str(r.get(told[1])) for w in FAILING)]
                    assert int(told[3]) == (failing.count(told[2]) if told[2] else len(failing)), fact


@pytest.mark.parametrize("block", range(SEEDS // AT_ONCE))
def test_every_number_holds(block: int) -> None:
    for seed in range(block * AT_ONCE, (block + 1) * AT_ONCE):
        records = records_of(seed)
        if sum(map(bool, records)) == len(records):
            check(facts_of(records, lines=bool(seed % 2)), records)


def outline(text: str) -> Outline:
    return TYPE.outline(Source.of_text(text), Hints())


def said(out: Outline) -> str:
    return "\n".join([*(fact.text for fact in out.facts), *out.notes])


# -- every statement holds ---------------------------------------------------------------------------------------


def listed(**fields: Any) -> str:
    """400 records; a field is a list, gone round again, or a function of the record's number."""
    rows = [
        {key: made(i) if callable(made) else made[i % len(made)] for key, made in fields.items()} for i in range(400)
    ]
    return said(outline(json.dumps([{"n": f"p{i * 7919 % 1000}", **row} for i, row in enumerate(rows)])))


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (
            ["all is well", "FATAL panic: segmentation fault", "x", "y", "z"],
            "text: FATAL panic: segmentation fault 80 of 400",
        ),
        (["fertig", "Fehler beim Lesen"], "text: Fehler beim Lesen 200 of 400"),
        (["完成", "接続に失敗"], "text: 接続に失敗 200 of 400"),
        (["ok", "ECONNREFUSED"], "text: ECONNREFUSED 200 of 400"),
        ([f"job {i} {'failed' if i % 4 == 1 else 'done'} after {i} s" for i in range(400)], "text: 100 of 400 name a"),
        (
            [f"{i:x} {'w' * (i % 97)}{i % 89} {'refused' if i % 2 else 'fine'} zz{i * 31}" for i in range(400)],
            "text: 200 of 400 name a failure (refused)",
        ),
    ],
)
def test_frequent_failures_are_counted_in_any_field(texts: list[str], told: str) -> None:
    text = listed(text=texts)
    assert told in text and "none names" not in text


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ({"success": [True, False]}, "success=false in 200 of 400"),
        ({"error": [None, "boom", "bang", "crash"]}, "error: 300 of 400 (bang ×100, boom ×100, crash ×100)"),
        ({"exit_code": [0, 2]}, "exit_code: 200 of 400 (2 ×200)"),
        ({"http_status": [200, 503, 200]}, "http_status: 133 of 400 (503 ×133)"),
    ],
)
def test_frequent_failures_are_counted_by_their_field(field: dict[str, Any], told: str) -> None:
    assert f"failures, all 400 records scanned: {told}" in listed(**field)


@pytest.mark.parametrize(
    "word", ["errors: 0", "no failure", "mirrored exceptionally", "job7failed", "Störung: Ausnahme"]
)
def test_nothing_is_denied_where_a_word_of_failure_stands_anywhere(word: str) -> None:
    assert "none names" in listed(state=["a", "b"])
    assert "none names" not in listed(state=lambda i: f"w{i} {word}" if i == 7 else f"w{i}")
    assert "none names" not in listed(state=[[word], []])
    assert "none names" not in listed(**{word: [1], "state": ["a"]})


def test_nothing_is_denied_of_names_and_numbers() -> None:
    assert "none names" not in listed(country=["Peru", "Chad"], rate=[0.5, 0.7])


def test_failures_of_few_records_are_told() -> None:
    text = said(outline(json.dumps([{"id": i, "status": "failed" if i > 2 else "ok"} for i in range(7)])))
    assert "failures, all 7 records scanned: status: failed 4 of 7" in text


@pytest.mark.parametrize(
    ("field", "told", "denied"),
    [
        ({"v": [18, 18, 900, 900]}, "v: 18 ×200 · 900 ×200", "v: 18 to"),
        ({"v": lambda i: 10 + i % 9 if i < 200 else 900 + i % 9}, "median 459,", ""),
        ({"skus": [["A", "A"], ["B", "B"]]}, "skus[]: A 400 · B 400", "in each record"),
        ({"skus": [["A", "B"], ["B", "A"]]}, "skus[]: in each record A, B", ""),
        ({"tags": lambda i: ["x"] if i == 5 else []}, "tags[]: x 1", "tags[]=x"),
        ({"flag": [True, "true", False, "true"]}, 'flag: "true" 200 · false 100 · true 100', ""),
        ({"id": lambda i: i - 200}, "id: -200 to 199, all distinct", ""),
        ({"a.b": ["x"], "a": [{"b": "y"}]}, 'same in all: ["a.b"]=x, a.b=y', ""),
        ({"at": ["2024/01/05", "2024-12-31", "2024/06/01"]}, "at: ", "2024-12-31 to"),
        (
            {"at": lambda i: f"20{i % 20 + 10}-02-{i % 28 + 1:02d}".replace("-", "/-"[i % 2])},
            "at: 2010/02/01 to 2029-02-28",
            "",
        ),
        (
            {"at": lambda i: f"2024-02-01T{(8, 10)[i % 2]:02d}:{i % 60:02d}:00+0{i % 2 * 5}:00"},
            "at: 2024-02-01T10:01:00+05:00 to 2024-02-01T08:58:00+00:00",
            "",
        ),
        ({"price": [1.5, 2.25]}, "price: 1.5 ×200 · 2.25 ×200", ""),
    ],
)
def test_statements_hold(field: dict[str, Any], told: str, denied: str) -> None:
    text = listed(**field)
    assert told in text and (not denied or denied not in text)


def test_numbers_of_a_document_are_shown_as_written() -> None:
    text = '[{"id":1,"v":1.10},{"id":2,"v":1.10},{"id":3,"v":1.10},{"id":4,"v":2.50},{"id":5,"v":NaN}]'
    assert "v: 1.10 ×3 · 2.50 ×1 · NaN 1" in said(outline(text)) and "string" not in said(outline(text))


@pytest.mark.parametrize(
    ("sizes", "told"),
    [((3, 3), "4 fields each"), ((2, 2), "3 of 4 fields each"), ((1, 3), "2 to 4 of 4 fields each")],
)
def test_the_number_of_fields_holds_for_each_record(sizes: tuple[int, int], told: str) -> None:
    rows = [{"id": i} | {f"k{(i + k) % 3}": i for k in range(sizes[i % 2])} for i in range(60)]  # three fields in turn
    assert f"60 records, {told}" in said(outline(json.dumps(rows)))


@pytest.mark.parametrize(
    ("beside", "told"),
    [
        ({"errors": [{"message": "resolver timed out"}]}, "(1 value): errors[0].message=resolver timed out"),
        ({"_shards": {"failed": 0, "failures": [{"reason": {"reason": "too large: " + "x" * 90}}]}}, "x" * 90),
        ({"warnings": ["partial result", "stale"]}, "(2 values): warnings[0]=partial result · warnings[1]=stale"),
        ({"status": {"message": "upstream failed"}}, "(1 value): status.message=upstream failed"),
    ],
)
def test_failures_beside_the_list_come_first(beside: dict[str, Any], told: str) -> None:
    rows = [{"id": i, "title": f"title number {i * 7919 % 1000}"} for i in range(200)]
    made = compact(json.dumps({"data": {"issues": rows}, **beside}), budget=300, threshold=100, store=None)
    line = made.text.split("\n")[1]
    assert line.startswith("errors or warnings in other keys") and told in line
    short = compact(json.dumps({"data": {"issues": rows}, **beside}), budget=150, threshold=100, store=None)
    assert short.text.split("\n")[1].startswith("errors or warnings in other keys (")


@pytest.mark.parametrize("beside", [{"errors": [], "error": None, "failed": 0}, {"query": "error", "total": 200}])
def test_what_is_empty_beside_the_list_is_no_failure(beside: dict[str, Any]) -> None:
    rows = [{"id": i, "title": f"title number {i * 7919 % 1000}"} for i in range(200)]
    assert "errors or warnings" not in said(outline(json.dumps({"items": rows, **beside})))


@pytest.mark.parametrize("shape", ["app-{0}-{1:08x}", "{1:032x}", "{1:08x}", "node{0}.rack-{1:06x}"])
def test_a_row_says_which_record_it_is(shape: str) -> None:
    rng = random.Random(3)
    names = [shape.format(i % 7, rng.getrandbits(32)) for i in range(200)]
    rows = [{"metadata": {"name": n}, "phase": "Failed" if i in (50, 99) else "Running"} for i, n in enumerate(names)]
    for budget in (300, 1_000):
        text = compact(json.dumps({"items": rows}), budget=budget, threshold=100, store=None).text
        assert names[50] in text and names[99] in text


def test_numbers_of_a_table_beyond_every_bound_are_no_numbers() -> None:
    rows = "".join(f"{n},{'1e999' if n == 7 else n * 3}\n" for n in range(80))
    made = compact(f"id,value\n{rows}", budget=200, threshold=0)
    assert made.content_type == "table" and "80 rows" in made.text and not made.warnings


def test_a_word_that_many_rows_share_is_counted_not_their_values_and_the_level_comes_first() -> None:
    said = [f"worker {i} is in error state" if i % 4 else f"served page {i} to a visitor" for i in range(2000)]
    rows = [{"text": text, "level": "info" if i % 5 else "error"} for i, text in enumerate(said)]
    for i in range(0, 800, 40):
        rows[i]["text"] = f"visitor {'abcdefghijklmnopqrst'[i // 40] * 3}: page {i} crashed"
    text = compact("\n".join(map(json.dumps, rows)), budget=400, threshold=0).text
    assert "failures, all 2,000 records scanned: level: error 400 of 2,000" in text
    assert "scanned: text: “crash” ×20 (#1, #41, " in text


def test_a_row_named_as_odd_is_shown_and_a_field_of_one_record_is_not_told_alone() -> None:
    rows: list[dict[str, Any]] = [
        {"kind": "step", "said": f"step {i} of the deployment of the shop took {i * 7 % 90} s", "at": f"10:{i:03}"}
        for i in range(120)
    ]
    rows[1] = {"kind": "start", "said": "deployment 4 of the shop begins now", "at": "10:001"}
    rows.append({"kind": "summary", "said": "0 created, 31 changed, 4 removed", "at": "11:000", "sum": {"created": 0}})
    text = compact("\n".join(map(json.dumps, rows)), budget=330, threshold=0).text
    assert "begins now" in text and "0 created, 31 changed, 4 removed" in text
    assert "\nsum.created: 0" not in text


@pytest.mark.parametrize(
    "text",
    [
        "crashed at noon",
        "it crashes",
        "errors, two",
        "read failed.",
        "a CrashLoopBackOff",
        "see FailedMount",
        "job_failed x",
        "x.y.DuctException came",
        "Panicked at it",
        "two fatal ones",
        "(aborted) again",
        "error=late x",
        "Fehlermeldung da",
    ],
)
def test_a_word_of_failure_counts_with_its_endings_and_in_camel_case(text: str) -> None:
    assert failures.tells(text)


@pytest.mark.parametrize(
    "text",
    [
        "started crashpump",
        "moved default/failing-duct to hall",
        "fetched hall/error/7",
        "a failover took place",
        "kept crash-pump-7",
        "opened fault.txt",
        "read error3 whole",
    ],
)
def test_a_word_of_failure_in_a_name_does_not_count_and_ends_a_denial(text: str) -> None:
    assert not failures.tells(text) and failures.mentions(text)


def test_states_that_name_a_failure_are_each_counted() -> None:
    states = ["Failed", "Failed", "FailedPump", "FailedValve", "FailedDuct", "Open", "Open", "Shut"]
    rows = [{"at": 1000 + n, "reason": states[n % 8], "message": f"duct {n} is checked"} for n in range(400)]
    text = compact(json.dumps(rows), budget=400, threshold=0).text
    told = "reason: 250 of 400 name a failure (Failed ×100, FailedDuct ×50, FailedPump ×50 and 1 other value)"
    assert told in text


def test_names_that_hold_a_word_of_failure_are_not_counted_among_failures() -> None:
    said = [
        "started pump crashduct",
        "moved hall/failing-duct-{} to north",
        "duct {} is open",
        "valve {} failed to open",
    ]
    rows = [{"at": 1000 + n, "message": said[n % 4].format(n)} for n in range(400)]
    text = compact(json.dumps(rows), budget=400, threshold=0).text
    assert "message: 100 of 400 name a failure (fail)" in text
    quiet = [{"at": 1000 + n, "message": said[n % 3].format(n)} for n in range(400)]
    text = compact(json.dumps(quiet), budget=400, threshold=0).text
    assert "name a failure" not in text and "none names" not in text


def test_what_failed_in_two_words_is_counted_too() -> None:
    said = ["valve {} failed to open", "duct {} timed out at night", "pump {} is open", "hall {} is swept"]
    names = ["".join(letters) for letters in itertools.product("bdfgk", "aeiou", "lmnr", "aeiou")]
    more = [f"by {names[n * 11 % 497]} {'and so on ' * (n % 5)}{names[-n]}" for n in range(400)]  # no few templates
    rows = [{"at": 1000 + n, "message": f"{said[n % 4].format(names[n])} {more[n]}"} for n in range(400)]
    text = compact(json.dumps(rows), budget=400, threshold=0).text
    assert "message: 200 of 400 name a failure (fail, timed out)" in text


def test_the_command_of_a_container_is_no_failure() -> None:
    records = [
        {
            "name": f"pod-{n}",
            "replicas": n,
            "containers": [{"command": ["ceph-crash"] if n % 4 == 0 else ["serve", f"x{n}"]}],
        }
        for n in range(12)
    ]
    assert "failures" not in compact(json.dumps(records), budget=300, threshold=100, store=None).text


def test_a_route_beside_many_is_told() -> None:
    """Of ten routes, each taken often, one that is taken once stands out though none is that of most requests."""
    routes = [f"/v1/{name}/{{}}" for name in "piers ships crews docks cranes loads lanes tugs".split()]  # noqa: SIM905
    routes += ["/v1/ships", "/up"]
    rows = [{"n": n, "path": routes[n * 7 % 10].format(n * 7919 % 90_000), "ms": 20 + n % 9} for n in range(700)]
    rows[333]["path"] = "/inner/sync-ff3bb"
    out = compact("\n".join(map(json.dumps, rows)), budget=500, threshold=0).text
    assert "path=/inner/sync-ff3bb, the only one of" in out


def test_a_huge_number_is_not_infinite() -> None:
    from mcpcompact import compact

    records = [{"id": n, "y": 10**400 if n == 9 else 1e300 if n == 30 else n / 2} for n in range(60)]
    assert "Infinity" not in compact(json.dumps(records), budget=250, threshold=250).text


def test_texts_that_look_like_other_values_are_quoted_in_rows_and_one_value_for_all_is_told() -> None:
    from mcpcompact import compact

    records = [{"id": n, "on": [True, "true", False][n % 3], "zone": "eu", "n": n * 7 % 50} for n in range(80)]
    text = compact(json.dumps(records), budget=200, threshold=200).text
    assert "same in all: zone=eu" in text and '|"true"|' in text and "|true|" in text


def test_what_a_schema_forbids_and_what_a_ticket_is_called_are_no_failures() -> None:
    tools = [{"name": f"read_{n}", "execution": {"taskSupport": "forbidden"}, "size": n} for n in range(40)]
    assert "failures" not in compact(json.dumps({"tools": tools}), budget=300, threshold=0).text
    refused = [{"path": f"/srv/{n}", "status": "forbidden", "size": n} for n in range(40)]
    assert (
        "failures, all 40 records scanned: status: forbidden 40 of 40"
        in compact(json.dumps(refused), budget=300, threshold=0).text
    )
    tickets = [{"number": n, "title": f"Spelling error in the guide to step {n % 3}", "open": True} for n in range(40)]
    assert "failures" not in compact(json.dumps(tickets), budget=300, threshold=0).text


def test_a_default_is_no_fault_and_a_version_no_error() -> None:
    inputs = {f"input_{n}": {"description": "words", "default": "all,of,them"} for n in range(5)}
    steps = [{"name": f"step {n}", "run": "make all " * 9, "uses": f"tool@{n}"} for n in range(30)]
    text = compact(json.dumps({"on": {"inputs": inputs}, "steps": steps}), budget=300, threshold=0).text
    assert "errors or warnings" not in text
    package = {
        "dependencies": {"http-errors": "^2.0.0", "left-pad": "1.3.0"},
        "versions": [f"1.{n}.0" for n in range(400)],
    }
    assert "failure" not in compact(json.dumps(package), budget=300, threshold=0).text
    package["errors"] = {"build": "no space left on device"}
    assert "no space left on device" in compact(json.dumps(package), budget=300, threshold=0).text


def test_of_a_table_of_amounts_the_largest_come_first_and_names_stand_for_codes() -> None:
    kinds = ("Tolls", "Rents", "Fines")
    lines = [
        {
            "kind code": 700 + n % 3,
            "kind name": kinds[n % 3],
            "account": f"Account of the {n * 37 % 211}th mill",
            **{str(year): "0" if n % 4 else f"{n * year % 977 + 1},{n % 10}00" for year in range(2008, 2020)},
        }
        for n in range(120)
    ]
    lines[57]["2019"] = "91,500,000"
    lines[91]["2019"] = "40,200,000"
    text = compact(json.dumps(lines), budget=400, threshold=100, store=None).text
    assert re.search(r"^#58\|.*91,500,000.* ↑ most 2019$", text, re.M)
    shown = re.findall(r"^#\d+\|.*$", text, re.M)
    assert sum("|0|0|0" in row for row in shown) * 3 < len(shown)
    assert "kind code:" not in text
    assert "Tolls|40|" in text


def test_a_minute_that_few_rows_have_is_no_oddity_and_what_is_odd_is_said_whole_without_what_its_rows_say() -> None:
    rows = [
        {"created_at": f"Sun Aug 30 00:29:{n // 9:02} +0000 2026", "lang": "ja" if n % 25 else "zh", "shares": n % 7,
         "text": f"The harbour of the {n}th town is open to ships of the west coast this {n % 5}th week of the year"}
        for n in range(100)
    ]  # fmt: skip
    rows[0]["created_at"] = "Sun Aug 30 00:29:59 +0000 2026"
    rows[40] |= {"lang": "de", "shares": 4000}
    rows[60]["created_at"] = "Thu Jan 1 00:00:00 +0000 1970"
    for budget in (300, 400, 800):
        text = compact(json.dumps(rows), budget=budget, threshold=0).text
        odd = next(line for line in text.splitlines() if line.startswith("odd"))
        assert "00:29:59" not in odd and "created_at=Thu Jan 1 00:00:00 +0000 1970 (#61" in odd
        assert "lang=de (#41" in odd and "…[+" not in odd and "lang: ja 95" in text


def logins(value: Callable[[int], str]) -> list[dict[str, Any]]:
    return [{"id": n, "at": n * 7, "message": value(n)} for n in range(1, 401)]


@pytest.mark.parametrize(
    "value",
    [
        lambda n: f"Invalid user u{n % 20} logs in" if n % 3 else f"Failed password of user u{n % 20}",  # few values
        lambda n: f"Invalid user {n} logs in" if n % 3 else f"Failed password of user {n}",  # their templates
        lambda n: (
            f"Invalid user {_spelt(n)} logs in here" if n % 3 else f"Failed password of {_spelt(n)} given"
        ),  # any words
    ],
)
def test_the_words_of_failures_are_those_of_the_rows_that_are_counted(value: Callable[[int], str]) -> None:
    rows = logins(value)
    told = re.search(
        r"message: (\d+) of 400 name a failure \((.+?)\)", compact(json.dumps(rows), budget=400, threshold=0).text
    )
    assert told is not None
    words = told[2].split(", ")
    assert int(told[1]) == sum(any(word in row["message"].lower() for word in words) for row in rows) == 133


def _spelt(number: int) -> str:
    return "".join(chr(ord("g") + int(digit)) for digit in f"{number:03}")


def test_what_many_records_say_alike_is_said_to_be_the_same_and_times_that_no_row_shows_are_said() -> None:
    common = "RT @pier: the harbour failed to open its gates to ships of the west coast once more"
    own = "The berth of the {0}th ship stays free until the tide of the {0}th day turns around"
    rows = [
        {"id": 900 + n, "clock": {"seen_at": f"x{n}"}, "user": {"name": f"mate{n}", "opened": {"at": 7}},
         "text": common if n % 5 < 3 else own.format(n), "shares": 58 if n % 5 < 3 else n % 7,
         "created_at": f"Sun Aug 30 00:{n // 60:02}:{n % 60:02} +0000 2026"}
        for n in range(100)
    ]  # fmt: skip
    text = compact(json.dumps(rows), budget=500, threshold=0).text
    assert "60 with this text, up to #98" in text and "but for numbers" not in text and "say this" not in text
    assert re.search(r"created_at.*Aug 30 00:00:00 .*Aug 30 00:01:39", text)


def test_of_a_log_full_of_failures_the_one_entry_of_its_kind_stands_whole_before_failures_of_common_kinds() -> None:
    kinds = ["Failed password for <*> from <*>", "authentication failure; rhost=<*> user=<*>", "Failed none for <*>"]
    kinds += ["Connection closed by <*>", "error: too many failures of <*>", "Invalid user <*> from <*>"]

    def entry(n: int, kind: str) -> str:
        said = kind.replace("<*>", f"mate{n % 83}", 1).replace("<*>", f"10.0.{n % 19}.{n % 7}")
        return f'{n},06:{n // 60 % 60:02}:{n % 60:02},pier,"{said}","{kind}"'

    lines = [entry(n, kinds[n % 17 % len(kinds)]) for n in range(1, 901)]
    lines[420] = entry(421, "Accepted password for <*> from <*>")
    text = compact("LineId,Time,Host,Content,EventTemplate\n" + "\n".join(lines), budget=400, threshold=0).text
    shown = [line for line in text.splitlines() if line.startswith("#")]
    assert any("Accepted password for mate6 from 10.0.3.1" in line for line in shown), text
    assert any("Failed" in line for line in shown)


def test_a_short_name_of_a_field_does_not_read_as_a_path_from_the_top() -> None:
    template = {"spec": {"hawser": "Kept", "winch": 3}}
    rows = [{"name": f"winch-{n}", "spec": {"replicas": n % 3, "template": template}} for n in range(40)]
    text = compact(json.dumps(rows), budget=900, threshold=0).text
    assert "spec.template.spec.hawser=Kept" in text and "spec.replicas" in text, text


@pytest.mark.parametrize(("last", "same"), [("1", True), ("1.0", False), ("1.00", False)])
def test_numbers_that_are_equal_but_written_in_two_ways_are_not_the_same_in_all(last: str, same: bool) -> None:
    records = ",".join(f'{{"rate":{last if n == 7 else 1},"label":"thing number {n * n}"}}' for n in range(80))
    text = compact(f"[{records}]", budget=300, threshold=100).text
    assert ("same in all: rate=1" in text) is same


def test_a_constant_code_beside_a_name_is_told() -> None:
    records = ",".join(f'{{"code":1,"name":"thing number {n * n}","note":"of {n} parts"}}' for n in range(80))
    assert "same in all: code=1" in compact(f"[{records}]", budget=300, threshold=100).text


@pytest.mark.parametrize("end", ['"options": [', '"text": ', '"options": ["crew", '])
def test_what_the_last_record_of_a_list_that_is_cut_off_lacks_is_not_odd(end: str) -> None:
    rows = [{"id": n, "text": f"Who rings the bell of pier {n}?", "options": ["crew", "watch"]} for n in range(40)]
    whole = json.dumps(rows)
    text = compact(whole[: whole.rindex(end.removesuffix('"crew", ')) + len(end)], budget=300, threshold=100).text
    assert "JSON: 40 records" in text and "cut off" in text
    assert "odd, of" not in text and "← " not in text
