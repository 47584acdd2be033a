"""Statements about single records: their values, outcomes and causes, dates and units."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from bench.strangers.sources import Row, said
from bench.strangers.view import Draw, View, amount, sentence, tell
from bench.strangers.words import fill


def reading(view: View, rng: Random) -> Draw:
    row, field = view.pick(rng), rng.choice(view.topic.fields)
    return tell(field, view.id(row), said(field, row[field.name], rng.random() < 0.3), rng), True


def other_records_value(view: View, rng: Random) -> Draw:
    (row, donor), field = view.two(rng), rng.choice(view.topic.fields)
    return tell(field, view.id(row), said(field, donor[field.name]), rng), donor[field.name] == row[field.name]


def near_number(view: View, rng: Random) -> Draw:
    row, field = view.pick(rng), rng.choice(view.numbers)
    value = row[field.name]
    assert not isinstance(value, str)
    step = rng.choice((1, -1, 10, 100))
    wrong = rng.choice((round(value + step, field.digits), value * 10, round(value * 1.1, field.digits)))
    return tell(field, view.id(row), said(field, wrong), rng), wrong == value or wrong < 0


def wrong_unit(view: View, rng: Random) -> Draw:
    units = {
        "EUR": ("USD", "GBP"),
        "s": ("ms", "minutes"),
        "ms": ("s", "minutes"),
        "min": ("hours", "s"),
        "MB": ("GB", "KB"),
        "GB": ("MB", "TB"),
        "kg": ("t", "lb"),
        "bytes": ("KB", "MB"),
    }
    fields = [f for f in view.numbers if f.unit in units]
    if not fields:
        return None
    row, field = view.pick(rng), rng.choice(fields)
    return tell(
        field, view.id(row), said(field._replace(unit=rng.choice(units[field.unit])), row[field.name]), rng
    ), row[field.name] == 0


def swapped_subject(view: View, rng: Random) -> Draw:
    """Two facts, each told of the other record."""
    (a, b), field = view.two(rng), rng.choice([*view.words, *view.numbers])
    said_a, said_b = (
        field.say.format(id=view.id(a), v=said(field, b[field.name])),
        field.say.format(id=view.id(b), v=said(field, a[field.name])),
    )
    return sentence(f"{said_a}, and {said_b}"), a[field.name] == b[field.name]


def two_readings(view: View, rng: Random) -> Draw:
    (a, b), field = view.two(rng), rng.choice(view.topic.fields)
    told = [field.say.format(id=view.id(row), v=said(field, row[field.name])) for row in (a, b)]
    return sentence(" and ".join(told)), True


def record_told(view: View, rng: Random) -> Draw:
    row = view.pick(rng)
    return _record(view, row, row, rng)


def merged_records(view: View, rng: Random) -> Draw:
    return _record(view, *view.two(rng), rng)


def _record(view: View, row: Row, donor: Row, rng: Random) -> Draw:
    fields = rng.sample(view.topic.fields, 2)
    text = (
        f"{view.id(row)} {view.topic.says[view.outcome(row)]}; its "
        f"{fields[0].label} is {said(fields[0], row[fields[0].name])} "
        f"and its {fields[1].label} is {said(fields[1], donor[fields[1].name])}"
    )
    return sentence(text), row[fields[1].name] == donor[fields[1].name]


def invented_id(view: View, rng: Random) -> Draw:
    name, field = fill(rng, view.topic.form), rng.choice(view.topic.fields)
    return tell(field, name, said(field, view.pick(rng)[field.name]), rng), name in view.by_id


def invented_name(view: View, rng: Random) -> Draw:
    row, field = view.pick(rng), rng.choice([f for f in view.topic.fields if f.kind != "number"])
    value = rng.choice(("Zagreb", "Priya Nair", "9.9.1", "/var/lib/orders.db", "Kestrel", "zone-x7", "hotfix-12"))
    return tell(field, view.id(row), value, rng), value == row[field.name]


def outcome(view: View, rng: Random) -> Draw:
    row = view.pick(rng)
    return sentence(f"{view.id(row)} {view.topic.says[view.outcome(row)]}"), True


def wrong_outcome(view: View, rng: Random) -> Draw:
    row = view.pick(rng)
    value = rng.choice(list(view.topic.says))
    return sentence(f"{view.id(row)} {view.topic.says[value]}"), value == view.outcome(row)


def negative(says: str) -> str:
    first, _, rest = says.partition(" ")
    if first in ("was", "is"):
        return f"{first} not {rest}"
    return (
        "did not "
        + {
            "succeeded": "succeed",
            "failed": "fail",
            "departed": "depart",
            "arrived": "arrive",
            "passed": "pass",
            "completed": "complete",
            "expired": "expire",
        }[says]
    )


def true_negation(view: View, rng: Random) -> Draw:
    row = view.pick(rng)
    value = rng.choice(list(view.topic.says))
    return sentence(f"{view.id(row)} {negative(view.topic.says[value])}"), value != view.outcome(row)


def negated_outcome(view: View, rng: Random) -> Draw:
    row = view.pick(rng)
    return sentence(f"{view.id(row)} {negative(view.topic.says[view.outcome(row)])}"), False


def negated_reading(view: View, rng: Random) -> Draw:
    row, field = view.pick(rng), rng.choice(view.words)
    return sentence(f"the {field.label} of {view.id(row)} is not {row[field.name]}"), False


def cause(view: View, rng: Random) -> Draw:
    bad = [row for row in view.rows if row.get("reason")]
    return _because(view, rng, row := rng.choice(bad), str(row["reason"])) if bad else None


def other_cause(view: View, rng: Random) -> Draw:
    bad = [row for row in view.rows if row.get("reason")]
    return _because(view, rng, rng.choice(bad), rng.choice(view.topic.reasons)) if bad else None


def _because(view: View, rng: Random, row: Row, reason: str) -> Draw:
    name, says = view.id(row), view.topic.says[view.outcome(row)]
    forms = (
        f"{name} {says} because of this: {reason}",
        f"{name} {says}: {reason}",
        f"the reason given for {name} is: {reason}",
    )
    return sentence(rng.choice(forms)), row["reason"] == reason


def cause_not_in_source(view: View, rng: Random) -> Draw:
    row, field = view.pick(rng), rng.choice(view.topic.fields)
    why = rng.choice(
        (
            f"its {field.label} was {said(field, row[field.name])}",
            "a configuration change broke it",
            "the network was slow",
        )
    )
    return sentence(f"{view.id(row)} {view.topic.says[view.outcome(row)]} because {why}"), False


def not_in_source(view: View, rng: Random) -> Draw:
    row = view.pick(rng)
    text = rng.choice(
        (
            f"{view.id(row)} was rolled back by hand afterwards",
            f"the team has already fixed {view.id(row)}",
            f"{view.id(row)} needs no further work",
            f"customers were not affected by {view.id(row)}",
            f"{view.id(row)} was approved by the manager",
            f"{view.id(row)} is a duplicate",
            f"all {view.topic.plural} were checked by hand",
            f"most {view.topic.plural} come from one team",
            f"{view.id(row)} was retried twice",
        )
    )
    return sentence(text), False


def _day(view: View, rng: Random, shift: int, formats: tuple[str, ...]) -> Draw:
    if not view.dates:
        return None
    row, field = view.pick(rng), view.dates[0]
    told = date.fromisoformat(str(row[field.name])) + timedelta(days=shift)
    return tell(field, view.id(row), told.strftime(rng.choice(formats)).lstrip("0"), rng), not shift


LONG_DATES = ("%d %B %Y", "%B %d, %Y", "%d %b %Y")


def date_in_words(view: View, rng: Random) -> Draw:
    return _day(view, rng, 0, LONG_DATES)


def wrong_date(view: View, rng: Random) -> Draw:
    return _day(view, rng, rng.choice((1, -1, 7, 30, -31)), ("%Y-%m-%d", *LONG_DATES))


def converted_unit(view: View, rng: Random) -> Draw:
    steps = {
        "ms": ("s", 1000),
        "s": ("min", 60),
        "kg": ("t", 1000),
        "MB": ("GB", 1000),
        "bytes": ("KB", 1000),
        "GB": ("TB", 1000),
    }
    fields = [f for f in view.numbers if f.unit in steps]
    if not fields:
        return None
    row, field = view.pick(rng), rng.choice(fields)
    unit, by = steps[field.unit]
    value = float(row[field.name]) / by
    return tell(field, view.id(row), f"{value:g} {unit}", rng), float(f"{value:g}") == value


def rounded(view: View, rng: Random) -> Draw:
    row, field = view.pick(rng), rng.choice(view.numbers)
    value = float(row[field.name])
    near = round(value, -2 if value >= 1000 else -1 if value > 100 else 0)
    return tell(field, view.id(row), "about " + amount(field, near, 0), rng), True
