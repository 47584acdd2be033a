"""Source documents with known content: records of thirteen topics, each in shapes in which tools return them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from bench.strangers.topics import TOPICS, Field, Topic
from bench.strangers.words import fill

Value = str | int | float
Row = dict[str, Value]


@dataclass(frozen=True)
class Doc:
    name: str
    topic: Topic
    rows: list[Row]
    text: str


def _value(rng: Random, field: Field) -> Value:
    if field.kind == "number":
        return (
            rng.randint(int(field.low), int(field.high))
            if not field.digits
            else round(rng.uniform(field.low, field.high), field.digits)
        )
    if field.kind == "date":
        return (date(2026, 1, 5) + timedelta(days=rng.randint(0, 160))).isoformat()
    return rng.choice(field.values)


def rows(topic: Topic, rng: Random, size: int) -> list[Row]:
    found: dict[str, Row] = {}
    while len(found) < size:
        name = fill(rng, topic.form)
        third = next(value for value in topic.says if value not in (topic.good, topic.bad))
        outcome = rng.choices((topic.good, topic.bad, third), (16, 3, 1))[0]
        row: Row = {topic.key: name, topic.outcome: outcome, **{f.name: _value(rng, f) for f in topic.fields}}
        if topic.reasons:
            row["reason"] = rng.choice(topic.reasons) if outcome == topic.bad else ""
        if topic.noun == "file":
            row |= {
                "plus": row["plus"] if outcome != "deleted" else 0,
                "minus": row["minus"] if outcome != "added" else 0,
            }
        found[name] = row
    return list(found.values())


def _json(topic: Topic, data: Sequence[Row]) -> str:
    return json.dumps({topic.plural: data}, indent=2, ensure_ascii=False)


def _minified(topic: Topic, data: Sequence[Row]) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _ndjson(topic: Topic, data: Sequence[Row]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in data)


def _csv(topic: Topic, data: Sequence[Row]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([list(data[0]), *(list(row.values()) for row in data)])
    return out.getvalue()


def _markdown(topic: Topic, data: Sequence[Row]) -> str:
    lines = [list(data[0]), ["---"] * len(data[0]), *([str(value) for value in row.values()] for row in data)]
    return f"# {topic.plural.capitalize()}\n\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _log(topic: Topic, data: Sequence[Row]) -> str:
    def pair(name: str, value: Value) -> str:
        return f'{name}="{value}"' if " " in str(value) else f"{name}={value}"

    def line(i: int, row: Row) -> str:
        level = "WARN" if row[topic.outcome] == topic.bad else "INFO"
        return f"{i:04d} {level} {topic.noun} " + " ".join(pair(*item) for item in row.items() if item[1] != "") + "\n"

    return "".join(line(i, row) for i, row in enumerate(data, 1))


def _nested(topic: Topic, data: Sequence[Row]) -> str:
    by = topic.fields[0].name
    groups = {
        str(value): [{k: v for k, v in row.items() if k != by} for row in data if row[by] == value]
        for value in sorted({str(row[by]) for row in data})
    }
    return json.dumps({"source": "export", by: groups}, indent=1, ensure_ascii=False)


def _prose(topic: Topic, data: Sequence[Row]) -> str:
    def one(row: Row) -> str:
        name = str(row[topic.key])
        first = (
            f"{topic.noun.capitalize()} {name} {topic.says[str(row[topic.outcome])]}"
            + (f": {row['reason']}" if row.get("reason") else "")
            + ". "
        )
        return first + " ".join(
            field.say.format(id=name, v=said(field, row[field.name])) + "." for field in topic.fields
        )

    return f"Report on {topic.plural}\n\n" + "\n\n".join(map(one, data)) + "\n"


def _report(topic: Topic, data: Sequence[Row]) -> str:
    return "".join(
        f"{row[topic.key]} {str(row[topic.outcome]).upper()} [{row['suite']}] {row['ms']} ms on {row['run']}\n"
        + (f"    E   {row['reason']}\n" if row["reason"] else "")
        for row in data
    )


def _diff(topic: Topic, data: Sequence[Row]) -> str:
    def one(row: Row) -> str:
        path, plus, minus = str(row["path"]), int(row["plus"]), int(row["minus"])
        old, new = (
            ("/dev/null" if row["change"] == "added" else f"a/{path}"),
            ("/dev/null" if row["change"] == "deleted" else f"b/{path}"),
        )
        mode = {"added": "new file mode 100644\n", "deleted": "deleted file mode 100644\n"}.get(str(row["change"]), "")
        body = "".join(f"-old_{i} = {i}\n" for i in range(minus)) + "".join(f"+new_{i} = {i}\n" for i in range(plus))
        return (
            f"diff --git a/{path} b/{path}\n{mode}--- {old}\n+++ {new}\n@@ "
            f"-{min(minus, 1)},{minus} +{min(plus, 1)},{plus} @@\n{body}"
        )

    return "".join(map(one, data))


SHAPES: dict[str, Callable[[Topic, Sequence[Row]], str]] = {
    "json": _json,
    "minified": _minified,
    "ndjson": _ndjson,
    "csv": _csv,
    "markdown": _markdown,
    "log": _log,
    "nested": _nested,
    "prose": _prose,
}


def said(field: Field, value: Value, thousands: bool = False) -> str:
    """The value with its unit, as a reader would write it."""
    if field.kind != "number":
        return str(value)
    shown = f"{value:,.{field.digits}f}" if thousands else str(value)
    return shown + ("%" if field.unit == "%" else f" {field.unit}" if field.unit else "")


def sources(seed: int) -> list[Doc]:
    """Two documents a topic, in turning shapes; the tests and the files also in their own."""
    docs = []
    for i, topic in enumerate(TOPICS):
        own = {"test": _report, "file": _diff}.get(topic.noun)
        shapes = list(SHAPES.items())
        chosen = [shapes[(2 * i + k + i // 4) % len(shapes)] for k in range(2)]
        for name, shape in [("own", own), *chosen[:1]] if own else chosen:
            rng = Random(f"{seed}:{topic.noun}:{name}")
            data = rows(topic, rng, rng.choice((80, 120, 200, 400)))
            assert shape is not None
            docs.append(Doc(f"{topic.plural}-{name}", topic, data, shape(topic, data)))
    return docs
