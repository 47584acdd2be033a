"""What can be asked of a source's records, and how their values are put into sentences."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from bench.strangers.sources import Doc, Row, Value, said
from bench.strangers.topics import Field

Draw = tuple[str, bool] | None
Maker = Callable[["View", Random], Draw]


class View:
    """What can be asked of a document's records."""

    def __init__(self, doc: Doc) -> None:
        self.doc, self.topic, self.rows = doc, doc.topic, doc.rows
        self.by_id = {str(row[doc.topic.key]): row for row in doc.rows}
        self.numbers = [f for f in self.topic.fields if f.kind == "number"]
        self.words = [f for f in self.topic.fields if f.kind in ("category", "name")]
        self.dates = [f for f in self.topic.fields if f.kind == "date"]

    def id(self, row: Row) -> str:
        return str(row[self.topic.key])

    def outcome(self, row: Row) -> str:
        return str(row[self.topic.outcome])

    def where(self, field: str, value: Value) -> list[Row]:
        return [row for row in self.rows if row[field] == value]

    def column(self, field: Field) -> list[float]:
        return [float(row[field.name]) for row in self.rows]

    def pick(self, rng: Random) -> Row:
        return rng.choice(self.rows)

    def two(self, rng: Random) -> tuple[Row, Row]:
        first, second = rng.sample(self.rows, 2)
        return first, second


def amount(field: Field, value: float, digits: int | None = None) -> str:
    return said(
        field._replace(digits=field.digits if digits is None else digits),
        round(value, field.digits if digits is None else digits),
        True,
    )


def sentence(text: str) -> str:
    """With a full stop; a plain word in front gets its capital, an id stays as it is."""
    first = text.split(" ", 1)[0]
    return (text[0].upper() + text[1:] if first.isalpha() and first.islower() else text) + "."


def tell(field: Field, name: str, value: str, rng: Random) -> str:
    forms = (
        field.say.format(id=name, v=value),
        f"the {field.label} of {name} is {value}",
        f"{name} has {value} as its {field.label}",
    )
    return sentence(rng.choice(forms))
