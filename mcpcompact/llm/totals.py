"""Whether a sentence that names no record is true of all: counts, shares, sums, extremes, spans, all, none and only.

Before it, whether a number says what a cell, a sum, a mean, a share or an extreme is, as it is written.
"""

from __future__ import annotations

from datetime import date
from itertools import pairwise, product
from statistics import fmean, median

from mcpcompact.llm.parse import UNCHECKED, Part, Rows, Untrue
from mcpcompact.llm.records import EMPTY, Moment, Quantity, Table, class_of, unit_of
from mcpcompact.llm.words import FUNCTION, REPORTING, UNITS

_WHOLE = ("the", "all", "these", "of", "across", "over", "those")
AGGREGATES = ("mean", "median", "sum")
PAIR = 2  # ends of a range
EXACT = 1e-9  # what floats that say the same may differ by
CLOSE = 9  # decimals of a mean: more than anyone writes
_FIGURES = {"mean": fmean, "median": median, "sum": sum, "high": max, "low": min}
BINARY = {"kb": 2**10, "k": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40}
"""Units of bytes that are written for powers of 1024 as well."""


def same(number: Quantity, value: float, exact: bool = False, shown: int = 0) -> bool:
    """Whether a value, rounded as it is said, is the number said. ``exact``: the value shows ``shown`` decimals and is
    to be said with them, unless the number has decimals of its own or is said to be about right."""
    if abs(number.value - value) < EXACT * max(1.0, abs(value)):
        return True
    if exact and shown <= number.decimals and not number.about:
        return False
    text = f"{number.value:.0f}"
    zeros = len(text) - len(text.rstrip("0")) if number.about and not number.decimals else 0
    return abs(number.value - value) <= 0.5 * 10.0 ** (zeros - number.decimals) + EXACT


def agrees(number: Quantity, name: str, cell: Quantity, exact: bool = True) -> bool:
    """Whether a number says what a field holds, in its unit or in another that measures the same."""
    unit = cell.unit or unit_of(name)
    if not number.unit or number.unit == unit:
        return same(number, cell.value, exact, cell.decimals)
    if number.unit == "m" and UNITS.get(unit, ("",))[0] == "time":
        number = number._replace(unit="min")
    if number.unit not in UNITS:
        return False
    kind, factor = UNITS[number.unit]
    if unit not in UNITS:
        return kind == "share" and 0 <= cell.value <= 1 and same(number, 100 * cell.value)
    other, scale = UNITS[unit]
    if kind != other:
        return False
    if scale == factor:
        return same(number, cell.value, exact, cell.decimals)
    value = cell.value * scale
    return same(number, value / factor) or (number.unit in BINARY and same(number, value / BINARY[number.unit]))


def cells(table: Table, name: str, rows: frozenset[int]) -> dict[int, Quantity]:
    """The numbers of a field in some rows."""
    return {n: cell for n, cell in table.columns[name].numbers.items() if n in rows}


def figure(table: Table, number: Quantity, kind: str, name: str, rows: frozenset[int]) -> bool:
    """Whether a number is the mean, median, sum, ``high`` or ``low`` of a field, of some rows."""
    known = list(cells(table, name, rows).values())
    if not known or len({cell.unit for cell in known}) > 1:
        return False
    value = _FIGURES[kind]([cell.value for cell in known])  # type: ignore[operator]
    exact = kind in ("high", "low", "sum")
    shown = max(cell.decimals for cell in known)
    value = round(value, shown) if kind == "sum" else value
    return agrees(number, name, Quantity(value, known[0].unit, shown if exact else CLOSE), exact)


def extreme(table: Table, name: str, high: bool, rows: frozenset[int]) -> frozenset[int]:
    """The rows that hold the greatest or the least number, or the last or first date, of a field."""
    best = max if high else min
    numbers = {n: cell.value for n, cell in cells(table, name, rows).items()}
    dates = {n: (at.day or date.min, at.time) for n, at in table.columns[name].moments.items() if n in rows}
    if len(numbers) > 1:
        most = best(numbers.values())
        return frozenset(n for n, value in numbers.items() if value == most)
    if not dates:
        return frozenset()
    last = best(dates.values())
    return frozenset(n for n, at in dates.items() if at == last)


def compared(table: Table, kind: str, parts: list[Part]) -> list[str]:
    """The fields that a comparison is about."""
    mentioned = {name for p in parts if p.places is None for name in p.fields}
    numbers = [n for n in table.numeric if n in mentioned]
    if kind == "date":
        return [n for n in table.dated if n in mentioned] or table.dated
    if kind == "any":
        kinds = {p.measure for p in parts if p.measure}
        return numbers or [n for n in table.numeric if class_of(n) in kinds]
    exact = [n for n in table.numeric if class_of(n) == kind]
    return [n for n in exact if n in numbers] or exact or numbers


def _moments(parts: list[Part]) -> list[Moment]:
    """The days of a sentence with their times, in order; without, where a time stands apart: it may be of any day."""
    moments, behind = list[Moment](), -1
    for part in parts:
        if (at := part.moment) is not None:
            right_behind = part.at == behind and not at.day and not moments[-1].time
            moments.append(at._replace(day=moments.pop().day) if right_behind else at)
            behind = part.at + part.size
    dated = [at for at in moments if at.day]
    return sorted(dated if len(dated) == len(moments) else [Moment(at.day) for at in dated])


class Totals:
    def __init__(self, table: Table, parts: list[Part], tokens: list[str]) -> None:
        self.table, self.parts, self.tokens = table, parts, tokens
        self.all = frozenset(range(len(table.rows)))
        self.numbers = [p for p in parts if p.number is not None]
        self.groups = [p for p in parts if p.places is not None and (p.rows or p.outcome)]
        self.ops = frozenset().union(*(p.ops for p in parts))
        self.verified = 0

    def check(self) -> int:
        """How many claims were verified. Raises ``Untrue``."""
        if "not" in self.ops:
            raise Untrue(UNCHECKED)
        if times := _moments(self.parts):
            self._span(times)
        self._wholes()
        if self.numbers:
            self._figures()
        quantified = bool(self.ops & {"all", "none", "only", "most"})
        if quantified and (self.groups or not self.verified):
            self._quantified()
        if self.groups and not self.verified and not self._together(self.groups):
            raise Untrue("no record has all of it")
        return self.verified

    def _span(self, times: list[Moment]) -> None:
        """Two moments are the first and the last of a field, to what both say; one is the first or the last."""
        fields = [n for n in self.table.dated if any(n in p.fields for p in self.parts)] or self.table.dated
        sides = {p.extreme.split()[0] for p in self.parts if p.extreme}
        for name, rows in product(fields, {self.all, self._together(self.groups)}):
            known = [at for n, at in self.table.columns[name].moments.items() if n in rows and at.day is not None]
            ends = [min(known), max(known)] if known else []
            wanted = ends
            if len(times) == 1:
                wanted = ends[:1] if "low" in sides else ends[1:]
            pairs = zip(times, wanted, strict=False)
            if len(times) == len(wanted) and all(s.within(e if e.time else e._replace(time=s.time)) for s, e in pairs):
                self.verified += len(times)
                return
        raise Untrue("the source has other dates there")

    # -- numbers

    def _wholes(self) -> None:
        """``the 400 orders``, ``all 400``: how many there are, said beside another claim."""
        for part in list(self.numbers):
            before = self.tokens[part.at - 1].lower() if part.at else ""
            part_of = before == "of" and part is not self.numbers[0] and self.ops.isdisjoint(AGGREGATES)  # N of M
            if before in _WHOLE and not part_of and len(self.numbers) > 1 and self._whole(part.number):
                self.numbers.remove(part)
                self.verified += 1

    def _whole(self, number: Quantity | None) -> bool:
        return number is not None and not number.unit and not number.decimals and number.value in self._sizes()

    def _together(self, groups: list[Part]) -> Rows:
        """Rows of all groups; of groups of one field, those of any of them."""
        by: dict[str, Rows] = {}
        for part in groups:
            name = next(iter(part.places or ()), "") or f"~{part.at}"
            by[name] = by.get(name, frozenset()) | part.rows
        return self.all.intersection(*by.values())

    def _figures(self) -> None:
        """Each number with the words that say what it counts: behind it, or before it where none stand there."""
        part_of = self._ratio()
        rest = [p for p in self.numbers if p not in part_of]
        for n, part in enumerate(rest):
            low = rest[n - 1].at if n else -1
            high = rest[n + 1].at if n + 1 < len(rest) else len(self.tokens)
            before = [p for p in self.parts if low < p.at < part.at]
            own = [p for p in self.parts if part.at < p.at < high]
            if len(rest) == 1 or not any(p.places or p.fields for p in own):
                own = before + own
            topic = [p for p in self.groups if p.at < rest[0].at and p not in own]
            if not self._explained(part, own, topic):
                raise Untrue(f"{self.tokens[part.at]!r} is not what the source gives")
            self.verified += 1

    def _ratio(self) -> list[Part]:
        """``12 of (the) 40``: the second counts a whole, the first a part of it."""
        for one, other in pairwise(self.numbers):
            between = [word.lower() for word in self.tokens[one.at + 1 : other.at]]
            linked = between[:1] in (["of"], ["out"]) and all(word in FUNCTION for word in between)
            if not linked or one.number is None or other.number is None:
                continue
            wholes = {*self._sizes(), *(len(p.rows) for p in self.groups)}
            counts = [self._together(self.groups), *(p.rows for p in self.groups[-1:])]
            whole = bool(self.groups) and any(same(other.number, n) for n in wholes)
            if not whole or not any(same(one.number, len(rows)) for rows in counts):
                raise Untrue(f"{self.tokens[one.at]!r} is not what the source gives")
            self.verified += 2
            return [one, other]
        return []

    def _sizes(self) -> list[int]:
        """How many rows there are: of prose, those that name an identifier."""
        return [len(self.table.rows), *(self.table.named_things if self.table.prose else ())]

    def _explained(self, part: Part, own: list[Part], topic: list[Part]) -> bool:
        number = part.number
        assert number is not None
        groups = [p for p in own if p in self.groups]
        places = [*groups, *topic]
        choices = [self._together(places)]
        if topic and groups:
            choices.append(self._together(groups))
        computed = self._computed(number, own, places, choices)
        if computed is not None:
            return computed
        if self._range(number):
            return True
        return number.unit not in UNITS and self._counted(number, own, groups, places, choices)

    def _counted(
        self, number: Quantity, own: list[Part], groups: list[Part], places: list[Part], choices: list[Rows]
    ) -> bool:
        """Whether a number says how many records, or values of a field, there are."""
        differ = any("differ" in p.ops for p in own)
        named = [n for n in self.table.columns if any(n in p.fields and not p.places for p in own)]
        if self.table.prose and not named and differ:
            named = [n for n, some in self.table.columns.items() if 2 * len(some) > len(self.all)]
        if (differ or not groups) and any(same(number, len(self.table.columns[n].kinds)) for n in named):
            return True
        if differ and not groups:
            return False
        if places and any(same(number, len(some)) for some in choices):
            return True
        firm = any(p.text not in REPORTING for p in places)
        return not firm and any(same(number, n) for n in self._sizes())

    def _computed(self, number: Quantity, own: list[Part], places: list[Part], choices: list[Rows]) -> bool | None:
        """Whether a number is a share, an aggregate or an extreme; None where the words ask for none of these."""
        kinds = [kind for kind in AGGREGATES if any(kind in p.ops for p in own)]
        sides = [p.extreme for p in own if p.extreme]
        share = number.unit in UNITS and UNITS[number.unit][0] == "share" and not kinds and not sides and bool(places)
        wholes = [len(self.all), *(len(p.rows) for p in self.groups)]
        if share and any(n and same(number, 100 * len(choices[0]) / n) for n in wholes):
            return True
        if any(figure(self.table, number, *one) for one in product(kinds, self._fields(own), choices)):
            return True
        if any(self._most(number, side, own, some) for side in sides for some in choices):
            return True
        if sides:
            return self._leads(number, sides[0])
        return False if kinds and kinds != ["sum"] else None

    def _fields(self, own: list[Part]) -> list[str]:
        named = [n for n in self.table.numeric if any(n in p.fields and not p.places for p in own)]
        if named:
            return named
        kinds = {p.measure for p in own if p.measure} - {"count"}
        return [n for n in self.table.numeric if class_of(n) in kinds] or self.table.numeric

    def _most(self, number: Quantity, side: str, own: list[Part], rows: Rows) -> bool:
        names = compared(self.table, side.split()[1], own) or self._fields(own)
        return any(figure(self.table, number, side.split()[0], name, rows) for name in names)

    def _range(self, number: Quantity) -> bool:
        """``between 3 and 991 ms``: the ends of a field."""
        if "range" not in self.ops or len(self.numbers) != PAIR:
            return False
        side = "low" if number is self.numbers[0].number else "high"
        last = self.numbers[1].number
        unit = number.unit or (last.unit if last else "")
        rows = self._together(self.groups)
        ends = number._replace(unit=unit)
        return any(figure(self.table, ends, side, name, rows) for name in self._fields(self.parts))

    def _leads(self, number: Quantity, extreme: str) -> bool:
        """``the most common status is delivered (17)``: how many rows the group with the most, or the fewest, has."""
        for name, rows in (self.groups[0].places or {}).items() if len(self.groups) == 1 else ():
            best = max if extreme.startswith("high") else min
            kinds = self.table.columns.get(name, EMPTY).kinds  # none where no status says a word of outcomes
            size = best(kinds.values(), default=-1)
            if len(rows) == size and same(number, size):
                return True
        return False

    # -- quantifiers

    def _quantified(self) -> None:
        groups = self.groups
        if not groups:
            raise Untrue(UNCHECKED)
        rows = self._together(groups)
        one_field = len({next(iter(p.places or ()), "") for p in groups}) == 1
        subject = self.all if one_field else self._together(groups[:-1])
        if "none" in self.ops:
            true = not rows
        elif "only" in self.ops:
            true = self._exclusive()
        elif "all" in self.ops:
            true = rows == subject and bool(rows)
        else:
            true = 2 * len(rows) > len(subject)
        if not true:
            raise Untrue("the source says otherwise of some")
        self.verified += 1

    def _exclusive(self) -> bool:
        """``Only X failed``: whatever failed is X. With a number the count has said it."""
        if self.numbers:
            return True
        only = next(p for p in self.parts if "only" in p.ops)
        behind = [p for p in self.groups if p.at > only.at]
        rest = [p for p in self.groups if p not in behind[:1]]
        return bool(behind and rest) and self._together(rest) <= behind[0].rows
