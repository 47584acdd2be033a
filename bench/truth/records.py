"""Lists of records: JSON and NDJSON of many shapes."""

from __future__ import annotations

import json
from typing import Any

from bench.truth.case import CITIES, FAILED, FINE, WORDS, Case, R

Field = Any  # a function of (generator, number) that gives a value


def _units(r: R) -> Field:
    kind = r.choice(["ms", "s", "mixed", "bytes", "mem", "mcpu", "freq", "money", "percent"])
    fine = {
        "ms": lambda: f"{r.randint(1, 999)}ms",
        "s": lambda: f"{r.randint(1, 90) / 10}s",
        "mixed": lambda: r.choice([f"{r.randint(100, 999)}ms", f"{r.randint(2, 30)}s"]),
        "bytes": lambda: f"{r.randint(1, 999)}{r.choice(['KB', 'MB', 'GB'])}",
        "mem": lambda: f"{r.choice([64, 128, 900])}{r.choice(['Mi', 'Gi'])}",
        "mcpu": lambda: f"{r.choice([100, 250, 500])}m",
        "freq": lambda: r.choice([f"{r.randint(500, 999)}MHz", f"{r.randint(1, 4)}.{r.randint(0, 9)}GHz"]),
        "money": lambda: f"${r.randint(1, 9999):,}.{r.randint(0, 99):02}",
        "percent": lambda: f"{r.randint(0, 100)}%",
    }[kind]
    return lambda i: fine()  # type: ignore[no-untyped-call]


def _numbers(r: R) -> Field:
    top = r.choice([5, 40, 1000, 10**6])
    kind = r.choice(["int", "float", "outlier", "even", "negative", "zeros", "big"])
    centre = r.randint(1, top)

    def value(i: int) -> Any:
        if kind == "int":
            return r.randint(0, top)
        if kind == "float":
            return round(r.random() * top, r.choice([0, 1, 2, 6]))
        if kind == "outlier":
            return top * 300 if i == 17 else r.randint(1, top)
        if kind == "even":
            return r.choice([10, 18, 900]) + centre
        if kind == "negative":
            return r.randint(-top, top)
        if kind == "zeros":
            return 0 if r.random() < 0.9 else r.randint(1, 3)
        return 10**18 + r.randint(0, 10**17)

    return value


def _status(r: R) -> Field:
    rate = r.choice([0, 0, 0.004, 0.03, 0.1, 0.34, 0.7])
    good, bad = r.sample(FINE, r.randint(1, 3)), r.sample(FAILED, 2)
    return lambda i: r.choice(bad) if r.random() < rate else r.choice(good)


def _mixed(r: R) -> Field:
    pool: list[Any] = r.choice(
        [
            [True, "true", False],
            [1, "1", 2],
            [None, "null", "x"],
            [1, 1.0, "1.0"],
            ["", " ", None],
            ["a", ["a"], {"b": 1}],
        ]
    )
    return lambda i: r.choice(pool)


def _ids(r: R) -> Field:
    start, step = r.choice([-150, 0, 1, 1000, 48100]), r.choice([1, 1, 3])
    shape = r.choice(["{}", "id-{}", "s{:03}", "{:08}", "ord_{}_x"])
    if r.random() < 0.3:
        return lambda i: start + i * step
    double = r.random() < 0.2
    return lambda i: shape.format(abs(start) + (i // 2 if double else i * step))


def _dates(r: R) -> Field:
    how = r.choice(["iso", "iso", "slash", "mixed", "epoch", "offset", "day"])

    def value(i: int) -> Any:
        y, m, d = 2023 + (i % 3 if how == "mixed" else 0), 1 + r.randint(0, 11), r.randint(1, 28)
        h, s = r.randint(0, 23), r.randint(0, 59)
        if how == "slash":
            return f"{y}/{m:02}/{d:02}"
        if how == "mixed":
            return r.choice([f"{y}-{m:02}-{d:02}", f"{y}/{m:02}/{d:02}"])
        if how == "epoch":
            return 1_700_000_000 + i * 7
        if how == "offset":
            return f"{y}-{m:02}-{d:02}T{h:02}:00:{s:02}{r.choice(['Z', '+02:00', '-05:00'])}"
        return f"{y}-{m:02}-{d:02}" if how == "day" else f"{y}-{m:02}-{d:02}T{h:02}:00:{s:02}Z"

    return value


def _texts(r: R) -> Field:
    rate = r.choice([0, 0, 0.005, 0.2])
    return lambda i: (
        " ".join(r.choices(WORDS, k=r.randint(2, 9))) + (f" {r.choice(FAILED)}" if r.random() < rate else "")
    )


def _lists(r: R) -> Field:
    pool: list[Any] = r.choice([["x"], ["A", "B"], ["red", "green", "blue"], [1, 2]])
    same = r.random() < 0.4
    return lambda i: [r.choice(pool)] * 2 if same else r.choices(pool, k=r.randint(0, 3))


def _choice(r: R) -> Field:
    pool: list[Any] = r.choice(
        [CITIES, WORDS[:3], ["x"], [True, False], [1, 2, 3], ["1.10", "1.1"], ["s1", "s01", "s3"]]
    )
    return lambda i: r.choice(pool)


FIELDS = [_units, _numbers, _numbers, _status, _mixed, _dates, _texts, _lists, _choice, _choice]
NAMES = [
    "size",
    "latency",
    "status",
    "flag",
    "at",
    "note",
    "tags",
    "city",
    "cpu",
    "error",
    "total",
    "kind",
    "x-y",
    "a.b",
    "code",
    "region",
    "zone",
    "message",
]


def make(r: R) -> tuple[list[dict[str, Any]], int]:
    """Records with the fields they share and some that only a part of them has."""
    n = r.choice([12, 30, 60, 120, 200, 300])
    names = r.sample(NAMES, r.randint(2, 9))
    plan: list[tuple[str, Field, float]] = [("id", _ids(r), 1.0)] if r.random() < 0.8 else []
    for name in names:
        build = _status if name in ("status", "error") else r.choice(FIELDS)
        plan.append((name, build(r), r.choice([1, 1, 1, 0.9, 0.5, 0.02])))
    records = []
    for i in range(n):
        record: dict[str, Any] = {}
        for name, value, share in plan:
            if r.random() < share:
                record[name] = value(i) if r.random() > 0.02 else None
        records.append(record)
    if r.random() < 0.3:
        shape = _units(r)
        for i, record in enumerate(records):
            record["spec"] = {"limit": shape(i), "deep": {"n": i % 4, "z": r.choice(["p", "q"])}}
    if r.random() < 0.15:
        for record in records:
            record["a"] = {"b": r.choice(["x", "y"])}
    if r.random() < 0.2:
        records[n // 2] = dict(records[n // 3])
    if r.random() < 0.1:
        records[-1]["score"] = float("nan")
    return records, n


def as_json(r: R) -> Case:
    records, n = make(r)
    shape = r.choice(["bare", "bare", "items", "data", "beside"])
    document: Any = records
    if shape == "items":
        document = {"items": records}
    elif shape == "data":
        document = {"data": {"list": records, "next": "abc"}, "ok": True}
    elif shape == "beside":
        document = {"total": n + 7, "took": "12ms", "items": records, "errors": [{"message": "resolver timed out"}]}
    text = json.dumps(document, ensure_ascii=r.random() < 0.3, indent=r.choice([None, None, 2]))
    return Case("json", text, "records", rows=records)


def as_ndjson(r: R) -> Case:
    records, _ = make(r)
    lines: list[str] = [json.dumps(record, ensure_ascii=False) for record in records]
    bad = r.choice([0, 0, 1, 2])
    for _ in range(bad):
        lines.insert(r.randint(1, len(lines)), r.choice(["{broken", "not json at all", '{"id": 1,']))
    text = "\n".join(lines) + "\n"
    # rows in the order and with the numbers of the lines: a bad line is a record of its own to the reader
    return Case("ndjson", text, "records", rows=records, known={"bad": bad})
