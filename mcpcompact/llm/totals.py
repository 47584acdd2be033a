"""Whether a sentence that names no record is true of all: counts, shares, sums, extremes, spans, all, none and only."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from mcpcompact.llm.about import UNCHECKED, Rows
from mcpcompact.llm.figures import aggregate, cells, figure, same, shares
from mcpcompact.llm.parse import Part, Untrue
from mcpcompact.llm.records import KINDS, Quantity, Table, class_of, days
from mcpcompact.llm.words import FUNCTION, REPORTING, UNITS

_WHOLE = ("the", "all", "these", "of", "across", "over", "those")
AGGREGATES = ("mean", "median", "sum")
PAIR = 2  # days of a span, ends of a range, and groups that are compared


class Totals:
    def __init__(
        self, table: Table, parts: list[Part], said: list[str], compared: Callable[[str, list[Part]], list[str]]
    ) -> None:
        self.table, self.parts, self.said, self.compared = table, parts, said, compared
        self.all = frozenset(range(len(table.rows)))
        self.numbers = [p for p in parts if p.number is not None]
        self.groups = [p for p in parts if p.places is not None and (p.rows or p.outcome)]
        self.ops = frozenset().union(*(p.ops for p in parts))
        self.verified = 0

    def check(self) -> int:
        moments = [p for p in self.parts if p.moment is not None and p.moment.day]
        if moments:
            self._span(moments)
        self._wholes()
        self._valued()
        if "not" in self.ops:
            if not self._without():
                raise Untrue(UNCHECKED)
            self.verified += 1
        if self.numbers:
            self._figures()
        elif any(p.comparative for p in self.parts) and "than" in self.ops:
            self._rivals()
        elif any(p.extreme for p in self.parts) and self.groups:
            self._leader(None)
        plain = bool(self.numbers or moments or self.verified)
        if self.ops & {"all", "none", "only", "most", "half", "both"} and (self.groups or not plain):
            self._quantified()
        if self.groups and not self.verified and not self.all.intersection(*(p.rows for p in self.groups)):
            raise Untrue("no record has all of it")
        return self.verified

    # -- dates

    def _span(self, moments: list[Part]) -> None:
        """Two days are the first and last of a field; one is the first, the last, or that of the rows it counts."""
        said = sorted(p.moment.day for p in moments if p.moment and p.moment.day)
        fields = [n for n in self.table.dated if any(n in p.fields for p in self.parts)] or self.table.dated
        for name in fields:
            rows = self._together(self.groups)
            for some in {self.all} if not self.groups else {self.all, rows}:
                found = days(at for n, at in self.table.moments(name).items() if n in some)
                if not found:
                    continue
                ends = [min(found), max(found)]
                sides = {p.extreme.split()[0] for p in self.parts if p.extreme}
                wanted = (
                    ends if len(said) == PAIR else ends[:1] if "low" in sides else ends[1:] if "high" in sides else []
                )
                if said == wanted or (len(said) == 1 and not sides and ends == said * 2):
                    exact = [p.moment for p in moments if p.moment]
                    if all(any(m.within(at) for at in self.table.moments(name).values()) for m in exact):
                        self.verified += len(moments)
                        return
                if len(said) == 1 and self.numbers and not sides:
                    on = frozenset(n for n, at in self.table.moments(name).items() if at.day == said[0])
                    if on:
                        moments[0].places = {name: on}
                        self.groups.append(moments[0])
                        return
        raise Untrue("the source has other dates there")

    # -- numbers

    def _wholes(self) -> None:
        """``the 400 orders``, ``all 400``: how many there are, said beside another claim."""
        for part in list(self.numbers):
            before = self.said[part.at - 1].lower() if part.at else ""
            said = part.number
            assert said is not None
            plain = before in _WHOLE and not said.unit and not said.decimals
            if plain and said.value in self._sizes() and len(self.numbers) > 1:
                if before == "of" and part is not self.numbers[0] and not (self.ops & {*AGGREGATES}):
                    continue  # N of M
                self.numbers.remove(part)
                self.verified += 1

    def _valued(self) -> None:
        """``status 500``: the rows whose field has that value are a group."""
        for part in list(self.numbers):
            named = next((p for p in self.parts if p.fields and p.close(part) and not p.places), None)
            if len(self.numbers) <= 1 or named is None or part.number is None or part.number.unit:
                continue
            for name in sorted(named.fields & set(self.table.numeric)):
                rows = frozenset(n for n, cell in self.table.numbers(name).items() if cell.value == part.number.value)
                if rows and len(self.table.kinds(name)) <= KINDS:
                    self.numbers.remove(part)
                    self.groups.append(Part(part.text, part.at, part.clause, places={name: rows}))
                    part.number = None
                    break

    def _together(self, groups: list[Part]) -> Rows:
        """Rows of all groups; of groups of one field, those of any of them."""
        by: dict[str, Rows] = {}
        for part in groups:
            name = "" if not part.places else next(iter(part.places)) or f"~{part.at}"
            by[name] = by.get(name, frozenset()) | part.rows
        return self.all.intersection(*by.values()) if by else self.all

    def _figures(self) -> None:
        part_of = self._ratio()
        rest = [p for p in self.numbers if p not in part_of]
        first, last = self.groups[:1], self.groups[-1:]
        behind = len(rest) > 1 and any(
            a.at < rest[0].at and b.at < rest[-1].at for a, b in zip(first, last, strict=True)
        )
        for n, part in enumerate(rest):
            low = rest[n - 1].at if n else -1
            high = rest[n + 1].at if n + 1 < len(rest) else len(self.said)
            before = [p for p in self.parts if low < p.at < part.at]
            if len(rest) == 1:
                own = [p for p in self.parts if p is not part]
            elif behind:
                own = before
            else:
                own = [p for p in self.parts if part.at < p.at < high]
                if not any(p.places or p.fields or p.ops & {*AGGREGATES, "share"} or p.extreme for p in own):
                    own = before + own
                own += [p for p in before if p.extreme or p.ops & {*AGGREGATES, "differ"}]
            topic = [p for p in self.groups if p.at < rest[0].at and p not in own]
            if not self._explained(part, own, topic):
                raise Untrue(f"{self.said[part.at]!r} is not what the source gives")
            self.verified += 1

    def _ratio(self) -> list[Part]:
        """``12 of (the) 40``: the second counts a whole, the first a part of it."""
        for one, other in zip(self.numbers, self.numbers[1:], strict=False):
            between = [w.lower() for w in self.said[one.at + 1 : other.at]]
            linked = between[:1] in (["of"], ["out"]) and all(w in FUNCTION or w in ("all", "total") for w in between)
            if not linked and (between or "/" not in self.said[one.at]):
                continue
            assert one.number and other.number
            sizes = {len(self.all), *self._sizes()}
            wholes = {len(p.rows) for p in self.groups} | sizes
            counts = {len(self._together(self.groups))} if self.groups else set()
            if len(self.groups) > 1:
                counts |= {len(self._together(self.groups[:-1]) & p.rows) for p in self.groups[-1:]}
            if any(same(other.number, n) for n in wholes) and any(same(one.number, n) for n in counts):
                self.verified += 2
                return [one, other]
            raise Untrue(f"{self.said[one.at]!r} is not what the source gives")
        return []

    def _sizes(self) -> list[int]:
        """How many rows there are: of prose, those that name an identifier."""
        if not self.table.prose:
            return [len(self.table.rows)]
        return [len(self.table.rows), *self.table.named_things]

    def _explained(self, part: Part, own: list[Part], topic: list[Part]) -> bool:
        number = part.number
        assert number is not None
        groups = [p for p in own if p in self.groups]
        places = [*groups, *topic]
        rows = self._together(places)
        choices = [rows] if places else [self.all]
        if topic and groups:
            choices.append(self._together(groups))
        computed = self._computed(number, own, places, choices)
        if computed is not None:
            return computed
        if self._range(number):
            return True
        return number.unit not in UNITS and self._counted(part, number, own, groups, places, choices)

    def _counted(self, part: Part, number: Quantity, own: list[Part], groups: list[Part], places: list[Part],
                 choices: list[Rows]) -> bool:  # fmt: skip
        """Whether a number says how many records, or values of a field, there are."""
        differ = any("differ" in p.ops for p in own)
        if self._kinds(number, own, differ, bool(groups)):
            return True
        if differ and not groups:
            return False
        if any("none" in p.ops for p in own) or part.text == "0":
            return number.value == 0 and bool(places) and not choices[0]
        if places and any(same(number, len(some)) for some in choices):
            return True
        firm = any(p.text not in REPORTING for p in places)
        return not firm and any(same(number, n) for n in self._sizes()) and not self._other(own)

    def _kinds(self, number: Quantity, own: list[Part], differ: bool, grouped: bool) -> bool:
        """``12 different hosts``: how many values a field has."""
        named = [n for n in self.table.fields if any(n in p.fields and not p.places for p in own)]
        if self.table.prose and not named and differ:
            named = [n for n, some in self.table.columns.items() if 2 * len(some) > len(self.all)]
        counted = differ or not grouped
        return counted and any(same(number, len(self.table.kinds(n))) for n in named)

    def _computed(self, number: Quantity, own: list[Part], places: list[Part], choices: list[Rows]) -> bool | None:
        """Whether a number is a share, an aggregate or an extreme; None where the words ask for none of these."""
        kinds = [kind for kind in AGGREGATES if any(kind in p.ops for p in own)]
        sides = [p.extreme for p in own if p.extreme]
        share = number.unit in UNITS and UNITS[number.unit][0] == "share" and not kinds and not sides and bool(places)
        if share and shares(len(choices[0]), [len(self.all), *(len(p.rows) for p in self.groups)], number):
            return True
        if any(figure(self.table, number, *one) for one in product(kinds, self._fields(own), choices)):
            return True
        if any(self._most(number, side, own, some) for side in sides for some in choices):
            return True
        return False if (kinds and kinds != ["sum"]) or (sides and not self._leads(number)) else None

    def _other(self, own: list[Part]) -> bool:
        """Whether a field is named that counts something else than the records."""
        return any(p.fields and not (p.fields & self.table.keys) and not any(map(self.table.identity, p.fields))
                   and p.text not in REPORTING for p in own)  # fmt: skip

    def _fields(self, own: list[Part]) -> list[str]:
        named = [n for n in self.table.numeric if any(n in p.fields and not p.places for p in own)]
        if named:
            return named
        kinds = {p.measure for p in own if p.measure} - {"count"}
        return [n for n in self.table.numeric if class_of(n) in kinds] or self.table.numeric

    def _most(self, number: Quantity, side: str, own: list[Part], rows: Rows) -> bool:
        names = self.compared(side.split()[1], own) or self._fields(own)
        return any(figure(self.table, number, side.split()[0], name, rows) for name in names)

    def _range(self, number: Quantity) -> bool:
        """``between 3 and 991 ms``: the ends of a field."""
        if "range" not in self.ops or len(self.numbers) != PAIR:
            return False
        first, second = (p.number for p in self.numbers)
        for name in self._fields(self.parts):
            found = cells(self.table, name, self._together(self.groups))
            if first and second and found:
                side = "low" if number is first else "high"
                unit = Quantity(number.value, number.unit or second.unit, number.decimals, number.about)
                if figure(self.table, unit, side, name, self._together(self.groups)):
                    return True
        return False

    # -- groups

    def _leads(self, number: Quantity) -> bool:
        """``the most common status is delivered (17)``."""
        try:
            self._leader(number)
        except Untrue:
            return False
        return True

    def _leader(self, number: Quantity | None) -> None:
        """The group that has the most rows, or the greatest sum or mean of a field."""
        part = next(p for p in self.parts if p.extreme)
        side = part.extreme.split()[0]
        if len(self.groups) != 1:
            raise Untrue(UNCHECKED)
        group = self.groups[0]
        for name, rows in (group.places or {}).items():
            by: dict[str, set[int]] = {}
            for n, row in enumerate(self.table.rows):
                by.setdefault(str(row.get(name)), set()).add(n)
            fields = [n for n in self.table.numeric if any(n in p.fields for p in self.parts if not p.places)]
            kind = next((k for k in AGGREGATES if k in self.ops), "sum")
            sizes = {key: float(len(some)) for key, some in by.items()}
            if fields:
                sizes = {key: aggregate(kind, found) for key, some in by.items() if (found := [
                    cell.value for cell in cells(self.table, fields[0], frozenset(some)).values()])}  # fmt: skip
            own = next((str(self.table.rows[n].get(name)) for n in rows), "")
            best = (max if side == "high" else min)(sizes.values())
            if own in sizes and sizes[own] == best and (number is None or same(number, best)):
                self.verified += 1
                return
        raise Untrue("another has more" if side == "high" else "another has fewer")

    def _rivals(self) -> None:
        """``X has more records than Y``."""
        part = next(p for p in self.parts if p.comparative)
        if len(self.groups) != PAIR or self.ops - {"than", "sum", "differ", "mean"}:
            raise Untrue(UNCHECKED)
        first, second = self.groups
        fields = [n for n in self.table.numeric if any(n in p.fields for p in self.parts if not p.places)]
        kind = "mean" if "mean" in self.ops else "sum"
        one, other = float(len(first.rows)), float(len(second.rows))
        if fields or "mean" in self.ops:
            name = (fields or self._fields(self.parts) or [""])[0]
            try:
                one, other = (aggregate(kind, [c.value for c in cells(self.table, name, p.rows).values()])
                              for p in (first, second))  # fmt: skip
            except (ValueError, ArithmeticError) as error:
                raise Untrue(UNCHECKED) from error
        if not (one > other if part.comparative.startswith("high") else one < other):
            raise Untrue("the source orders them otherwise")
        self.verified += 1

    # -- quantifiers

    def _without(self) -> bool:
        """A negation of all is a claim of none: the groups share no row."""
        return not self.numbers and bool(self.groups) and not self._together(self.groups)

    def _quantified(self) -> None:
        groups = self.groups
        if not groups:
            raise Untrue(UNCHECKED)
        rows = self._together(groups)
        one_field = len({next(iter(p.places or ()), "") for p in groups}) == 1
        subject = self.all if one_field else self._together(groups[:-1])
        if "none" in self.ops or "not" in self.ops:
            true = not rows
        elif "only" in self.ops:
            true = self._exclusive()
        elif "all" in self.ops or "both" in self.ops:
            true = rows == subject and bool(rows)
        else:
            twice = 2 * len(rows) - len(subject)
            true = twice > 0 if "most" in self.ops else abs(twice) <= 0.1 * len(subject)
        if not true:
            raise Untrue("the source says otherwise of some")
        self.verified += 1

    def _exclusive(self) -> bool:
        """``Only X failed``: whatever failed is X. With a number the count has said it."""
        if self.numbers:
            return True
        only = next(p for p in self.parts if "only" in p.ops)
        behind = [p for p in self.groups if p.at > only.at]
        if not behind or len(self.groups) <= 1:
            return False
        first = behind[0]
        rest = self._together([p for p in self.groups if p is not first])
        return bool(rest) and rest <= first.rows
