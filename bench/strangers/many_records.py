"""Statements about many records: counts, sums, extremes, all and none, order."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import fmean, median

from bench.strangers.sources import said
from bench.strangers.view import Draw, Maker, View, amount, sentence


def total(view: View, rng: Random, wrong: int = 0) -> Draw:
    size = len(view.rows) + wrong
    text = rng.choice(
        ("there are {n} {p}", "{n} {p} were returned", "the result holds {n} {p}", "the source lists {n} {p} in all")
    )
    return sentence(text.format(n=size, p=view.topic.plural)), size == len(view.rows)


def wrong_total(view: View, rng: Random) -> Draw:
    return total(view, rng, rng.choice((1, -1, 2, 10, -10, 100)))


def tally(view: View, rng: Random, wrong: int = 0) -> Draw:
    rows, topic = view.rows, view.topic
    good, bad = len(view.where(topic.outcome, topic.good)), len(view.where(topic.outcome, topic.bad))
    text = (
        f"{len(rows)} {topic.noun} records were returned; {good + wrong} "
        f"{_many(topic.says[topic.good])} and {bad - wrong} {_many(topic.says[topic.bad])}"
    )
    return (sentence(text), not wrong) if bad - wrong >= 0 else None


def wrong_tally(view: View, rng: Random) -> Draw:
    return tally(view, rng, rng.choice((1, -1, 2, -2)))


def _many(says: str) -> str:
    return (
        says.replace("was ", "were ", 1)
        if says.startswith("was ")
        else says.replace("is ", "are ", 1)
        if says.startswith("is ")
        else says
    )


def group_count(view: View, rng: Random, wrong: int = 0) -> Draw:
    field = rng.choice([f.name for f in view.words] + [view.topic.outcome])
    value = view.pick(rng)[field]
    size = len(view.where(field, value))
    label = next((f.label for f in view.words if f.name == field), field)
    text = rng.choice(
        ("{n} {p} have the {f} {v}", "the {f} {v} occurs {n} times", "{n} of the {t} {p} have {v} as their {f}")
    )
    return sentence(text.format(n=size + wrong, p=view.topic.plural, f=label, v=value, t=len(view.rows))), not wrong


def count_off_by_one(view: View, rng: Random) -> Draw:
    return group_count(view, rng, rng.choice((1, -1)))


def count_of_other_group(view: View, rng: Random) -> Draw:
    if not view.words:
        return None
    field = rng.choice(view.words)
    (a, b) = view.two(rng)
    size, real = len(view.where(field.name, b[field.name])), len(view.where(field.name, a[field.name]))
    return sentence(f"{size} {view.topic.plural} have the {field.label} {a[field.name]}"), size == real


def share(view: View, rng: Random, wrong: float = 0) -> Draw:
    size = len(view.where(view.topic.outcome, view.topic.good))
    percent = round(100 * size / len(view.rows) + wrong, 1)
    return sentence(f"{percent}% of the {view.topic.plural} {_many(view.topic.says[view.topic.good])}"), not wrong


def wrong_share(view: View, rng: Random) -> Draw:
    return share(view, rng, rng.choice((-10, -5, 2.5, -1)))


STATISTICS: dict[str, Callable[[list[float]], float]] = {
    "sum": sum,
    "mean": fmean,
    "median": median,
    "lowest": min,
    "highest": max,
}


def _statistic(view: View, rng: Random, name: str, factor: float) -> Draw:
    field = rng.choice(view.numbers)
    digits = field.digits if name not in ("mean", "median") else 2
    real = round(STATISTICS[name](view.column(field)), digits)
    value = round(real * factor, digits)
    text = (
        rng.choice(("the {s} {f} is {v}", "the {f} is {v} at the {s}"))
        if name in ("lowest", "highest")
        else "the {s} of the {f} over all {p} is {v}"
    )
    return sentence(
        text.format(s=name, f=field.label, p=view.topic.plural, v=amount(field, value, digits))
    ), value == real


def right(name: str) -> Maker:
    return lambda view, rng: _statistic(view, rng, name, 1)


def wrong(name: str) -> Maker:
    return lambda view, rng: _statistic(view, rng, name, rng.choice((1.1, 0.9, 2, 0.5, 1.01)))


def other_extreme(view: View, rng: Random) -> Draw:
    """A value that occurs, but is not the extreme."""
    field, name = rng.choice(view.numbers), rng.choice(("lowest", "highest"))
    value = float(view.pick(rng)[field.name])
    text = f"the {name} {field.label} is {said(field, round(value, field.digits) if field.digits else int(value))}"
    return sentence(text), value == STATISTICS[name](view.column(field))


def superlative(view: View, rng: Random, straight: bool = True) -> Draw:
    field, name = rng.choice(view.numbers), rng.choice(("lowest", "highest"))
    extreme = STATISTICS[name](view.column(field))
    row = next(row for row in view.rows if float(row[field.name]) == extreme) if straight else view.pick(rng)
    value = f" ({said(field, row[field.name])})" if rng.random() < 0.5 else ""
    return sentence(f"{view.id(row)} has the {name} {field.label} of all {view.topic.plural}{value}"), float(
        row[field.name]
    ) == extreme


def wrong_superlative(view: View, rng: Random) -> Draw:
    return superlative(view, rng, False)


def group_sum(view: View, rng: Random, factor: float = 1) -> Draw:
    if not view.words:
        return None
    field, by = rng.choice(view.numbers), rng.choice(view.words)
    value = view.pick(rng)[by.name]
    real = round(sum(float(row[field.name]) for row in view.where(by.name, value)), field.digits)
    told = round(real * factor, field.digits)
    return sentence(
        f"the {view.topic.plural} with the {by.label} {value} have a total {field.label} of {amount(field, told)}"
    ), told == real


def wrong_group_sum(view: View, rng: Random) -> Draw:
    return group_sum(view, rng, rng.choice((1.1, 0.9, 2)))


def distinct(view: View, rng: Random, wrong: int = 0) -> Draw:
    if not view.words:
        return None
    field = rng.choice(view.words)
    return sentence(
        f"there are {len({row[field.name] for row in view.rows}) + wrong} distinct values of {field.label}"
    ), not wrong


def wrong_distinct(view: View, rng: Random) -> Draw:
    return distinct(view, rng, rng.choice((1, -1, 3)))


def _quantifier(view: View, rng: Random, which: str) -> Draw:
    topic = view.topic
    value = rng.choice(list(topic.says))
    by = rng.choice(view.words) if view.words else None
    group = view.pick(rng)[by.name] if by else ""
    inside = view.rows if by is None or rng.random() < 0.4 else view.where(by.name, group)
    scope = "" if len(inside) == len(view.rows) or by is None else f" with the {by.label} {group}"
    hits = [row for row in inside if view.outcome(row) == value]
    says = topic.says[value]
    if which == "all":
        return sentence(f"{rng.choice(('all', 'all of the'))} {topic.plural}{scope} {_many(says)}"), len(hits) == len(
            inside
        )
    if which == "none":
        return sentence(f"none of the {topic.plural}{scope} {_many(says)}"), not hits
    row = rng.choice(hits) if hits else view.pick(rng)
    return sentence(f"only {view.id(row)} {says}"), [view.id(r) for r in view.rows if view.outcome(r) == value] == [
        view.id(row)
    ]


def quantified(which: str) -> Maker:
    return lambda view, rng: _quantifier(view, rng, which)


def order(view: View, rng: Random) -> Draw:
    if not view.dates:
        return None
    (a, b), field = view.two(rng), view.dates[0]
    x, y = str(a[field.name]), str(b[field.name])
    word, holds = ("earlier", x < y) if rng.random() < 0.5 else ("later", x > y)
    forms = (
        f"the {field.label} of {view.id(a)} is {word} than that of {view.id(b)}",
        f"by {field.label}, {view.id(a)} comes {'before' if word == 'earlier' else 'after'} {view.id(b)}",
    )
    return sentence(rng.choice(forms)), holds


def comparison(view: View, rng: Random) -> Draw:
    (a, b), field = view.two(rng), rng.choice(view.numbers)
    word = rng.choice(("higher", "lower"))
    x, y = float(a[field.name]), float(b[field.name])
    return sentence(f"{view.id(a)} has a {word} {field.label} than {view.id(b)}"), x > y if word == "higher" else x < y


def _span(view: View, rng: Random, straight: bool) -> Draw:
    if not view.dates:
        return None
    field = view.dates[0]
    days = sorted(str(row[field.name]) for row in view.rows)
    first, last = (
        (days[0], days[-1]) if straight else sorted((str(view.pick(rng)[field.name]), str(view.pick(rng)[field.name])))
    )
    if not straight and rng.random() < 1 / 2:  # the right days, another time
        day = len("2026-01-01")
        first, last = days[0][:day] + first[day:], days[-1]
    return sentence(f"the {field.label} runs from {first} to {last}"), (first, last) == (days[0], days[-1])


def date_span(view: View, rng: Random) -> Draw:
    return _span(view, rng, True)


def wrong_date_span(view: View, rng: Random) -> Draw:
    return _span(view, rng, False)
