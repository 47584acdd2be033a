"""What holds of one record: its values, numbers, dates and outcome, negations, and whether it is the highest."""

from __future__ import annotations

from itertools import pairwise

from mcpcompact.llm.figures import agrees, extreme, in_unit
from mcpcompact.llm.parse import NEAR, Part, Untrue
from mcpcompact.llm.records import Table, class_of, norm
from mcpcompact.llm.words import CLASSES, DESCRIBING, PLAIN_STEMS, RELATION_STEMS, listed, stem

Rows = frozenset[int]
_FROM = listed("""origin from source src departure sender start""")
_TO = listed("""destination to dest target dst arrival receiver end""")
_BEGUN = listed("""opened created started reopened""")
_SENT = listed("""shipped dispatched ran finished running""")
"""Outcomes that tie a record to a day, and to a value: beside one they are no status."""
_FINE = {"sum", "share", "range", "count"}
STRANGE = 2  # most unknown words of a clause beside a number or date that was verified: they name what it measures
UNCHECKED = "it cannot be checked"


class About:
    """The parts of a sentence against one row of a table."""

    table: Table
    parts: list[Part]
    low: list[str]
    said: list[str]
    verified: int
    all: Rows

    def _record(self, rows: Rows, parts: list[Part]) -> None:
        last = "it is not known of the record"
        for row in sorted(rows):
            try:
                self._about(row, parts)
                return
            except Untrue as error:
                last = str(error)
        raise Untrue(last)

    def _about(self, row: int, parts: list[Part]) -> None:
        """Every part holds of the row; of those behind a negation one does not."""
        parts = self._noughts(row, parts)
        negations = [p for p in parts if p.ops & {"not", "none"}]
        parts = self._superlative(parts, negations)
        if any("only" in p.ops for p in parts):
            return self._alone(row, parts)
        if len(negations) > 1:
            raise Untrue(UNCHECKED)
        scope: list[Part] = []
        if negations:
            at = negations[0]
            beside = [p for p in parts if p.clause == at.clause and p is not at]
            scope = [p for p in beside if p.at > at.at]
            scope = scope if any(map(self._claims, scope)) else beside
        for part in parts:
            if part not in scope and part not in negations:
                self._holds(row, part, parts)
        if negations:
            claims = [p for p in scope if self._claims(p)]
            true = [p for p in claims if (p.places is None or row in p.rows) and self._stands(row, p, parts)]
            if claims and true == claims:
                raise Untrue("the source says the contrary")
            if any(p.unknown for p in scope) or not (claims or any(p.fields and self._empty(row, p) for p in scope)):
                raise Untrue(UNCHECKED)
            self.verified += 1

    def _noughts(self, row: int, parts: list[Part]) -> list[Part]:
        """The parts without each ``no errors`` whose field is empty or 0."""
        for part, field in pairwise(parts):
            if "none" in part.ops and field.fields and self._empty(row, field):
                parts = [p for p in parts if p is not part and p is not field]
                self.verified += 1
        return parts

    @staticmethod
    def _superlative(parts: list[Part], negations: list[Part]) -> list[Part]:
        """``the highest of all``, ``higher than any other``, ``none is higher than``: all say the highest."""
        extremes = [p for p in parts if p.extreme]
        whole = [p for p in parts if p.ops & {"all", "both"}]
        comparing = [p for p in parts if p.comparative]
        if extremes:
            for part in whole:
                part.ops = frozenset()
        elif comparing and any(p.text == "than" for p in parts) and not any(p.number for p in parts):
            part = comparing[0]
            if whole and not negations and not part.extreme:
                part.extreme, part.comparative = part.comparative, ""
            elif negations and "none" in negations[0].ops and negations[0].at < part.at and not whole:
                side, kind = part.comparative.split()
                part.extreme, part.comparative = f"{'low' if side == 'low' else 'high'} {kind}", ""
                negations.clear()
            for other in [*whole, *[p for p in parts if p.text == "than" or "none" in p.ops]]:
                other.ops = frozenset()
        return parts

    def _alone(self, row: int, parts: list[Part]) -> None:
        """The row is the only one of which the parts hold."""
        claims = [p for p in parts if self._claims(p) and "only" not in p.ops]
        if any(p.ops & {"not", "none", "all", "both", "most"} or p.unknown or p.extreme for p in parts) or not claims:
            raise Untrue(UNCHECKED)
        found = [n for n in self.all if all(self._stands(n, p, parts) for p in claims)]
        if found != [row]:
            raise Untrue("it is not the only one")
        self.verified += 1

    def _empty(self, row: int, part: Part) -> bool:
        return any(self.table.rows[row].get(name, "") in (None, "", 0, "0", False, "none", "null", "-")
                   for name in part.fields)  # fmt: skip

    @staticmethod
    def _claims(part: Part) -> bool:
        return part.places is not None or part.number is not None or part.moment is not None or bool(part.extreme)

    def _stands(self, row: int, part: Part, parts: list[Part]) -> bool:
        try:
            self._holds(row, part, parts)
        except Untrue:
            return False
        return True

    def _holds(self, row: int, part: Part, parts: list[Part]) -> None:
        shown = self.said[part.at]
        if part.number is not None:
            true, why = self._reading(row, part, parts), f"{shown!r} is not what the source says of it"
        elif part.moment is not None:
            true, why = self._dated(row, part, parts), f"{shown!r} is not the date that the source says"
        elif part.places is not None:
            true, why = self._valued(row, part, parts), f"the source does not say {shown!r} of it"
        elif part.extreme and not part.fields:
            true, why = self._extreme(row, part, parts), f"it is not the {shown}"
        else:
            return self._fitting(row, part, parts)
        if not true:
            raise Untrue(why)
        self.verified += 1

    def _fitting(self, row: int, part: Part, parts: list[Part]) -> None:
        """A part without a claim stands in the row, or beside a claim."""
        if part.unknown:
            known = not self.table.words(row).isdisjoint((part.text, stem(part.text)))
            if not known and not self._relates(part, parts):
                raise Untrue(f"{self.said[part.at]!r} is not in the source")
        elif part.comparative or part.ops - _FINE:
            bound = part.comparative and any(p.number and p.at > part.at for p in parts)
            if not bound and not part.fields and not self._quoted(row, part):
                raise Untrue(UNCHECKED)

    def _relates(self, part: Part, parts: list[Part]) -> bool:
        """A single word without a claim of its own beside one that is checked: ``signed by Anna``, ``12 seats``."""
        if not part.text.replace("-", "").isalpha() or not self.said[part.at].islower():
            return False
        near = [p for p in parts if self._claims(p) and p.clause == part.clause]
        if stem(part.text) in RELATION_STEMS:
            return bool(near)
        strange = [p for p in parts if p.unknown and p.clause == part.clause and stem(p.text) not in RELATION_STEMS]
        firm = [p for p in near if not p.outcome]
        return len(strange) <= STRANGE and any(
            self.table.prose
            or p.number
            or p.moment
            or 0 < p.at - part.at <= NEAR
            or 0 <= part.at - p.at - p.size < NEAR
            for p in firm
        )

    def _quoted(self, row: int, part: Part) -> bool:
        """An operator that stands in the row itself, beside one of its words."""
        if not self.table.prose:
            return False
        text = f" {norm(self.table.texts[row])} "
        around = self.low[max(0, part.at - 1) : part.at + 2]
        return any(f" {one} {other} " in text for one, other in pairwise(around))

    def _mentions(self, part: Part, parts: list[Part]) -> list[Part]:
        """The nearest words for a field before and behind a part, in its clause."""
        others = (p for p in parts if p.fields or p.measure)
        named = [p for p in others if p is not part and p.number is None and p.places is None]
        near = [p for p in named if p.clause == part.clause] or named
        before = [p for p in near if p.at < part.at][-1:]
        numbers = {p.at for p in parts if p.number is not None}
        behind = [p for p in near if p.at > part.at and not {p.at + 1, p.at + 2} & numbers]
        return before + behind[:1]

    def _fits(self, name: str, mentions: list[Part]) -> bool:
        """Whether a field is one of those that are mentioned; any is where none is."""
        strong = [p for p in mentions if p.fields] or [p for p in mentions if p.measure]
        if not strong:
            return True
        kind = class_of(name)
        return any(name in p.fields or (p.measure == kind and kind) for p in mentions)

    def _reading(self, row: int, part: Part, parts: list[Part]) -> bool:
        assert part.number is not None
        mentions = [p for p in self._mentions(part, parts) if self._numeric(p)]
        bound = next((p for p in parts if p.comparative and p.close(part)), None)
        for name in self.table.rows[row]:
            cell = self.table.numbers(name).get(row)
            if cell is None or not self._fits(name, mentions):
                continue
            if agrees(self.table, part.number, name, cell, row) and bound is None:
                return True
            limit = in_unit(self.table, part.number, name, cell, row)
            near = limit is not None and abs(cell.value - limit) <= 0.2 * abs(limit)
            if bound and limit is not None and limit != cell.value and (mentions or near):  # noqa: SIM102
                if (cell.value > limit) is bound.comparative.startswith("high"):
                    return True
        before = self.low[part.at - 1] if part.at else ""
        whole = before in ("the", "all", "of", "other") and not part.number.unit and not part.number.decimals
        return whole and len(self.all) - (before == "other") == part.number.value

    def _numeric(self, part: Part) -> bool:
        numeric = self.table.numeric
        return not part.fields.isdisjoint(numeric) or any(
            part.measure and class_of(name) == part.measure for name in numeric
        )

    def _dated(self, row: int, part: Part, parts: list[Part]) -> bool:
        assert part.moment is not None
        mentions = [p for p in self._mentions(part, parts) if p.fields & set(self.table.dated)]
        for name in self.table.dated:
            at = self.table.moments(name).get(row)
            if at and part.moment.within(at) and (not mentions or any(name in p.fields for p in mentions)):
                return True
        return self.table.prose and part.text in self.table.words(row)

    def _valued(self, row: int, part: Part, parts: list[Part]) -> bool:
        places = part.places or {}
        if row not in part.rows:
            if part.outcome:
                behind = [p for p in parts if part.close(p) and (p.moment or p.places) and not p.outcome]
                return any(part.text in (_BEGUN if p.moment else _SENT) for p in behind)
            if part.text in self.table.words(row) and not self.table.prose:
                return True
            if part.entity or part.text in DESCRIBING or stem(part.text) not in PLAIN_STEMS:
                return False
            naming = any(p.entity and p.at == part.at + 1 for p in self.parts)
            return self.table.prose or part.text not in self.table.values or naming
        before = [p for p in parts if p.fields and p.close(part) and p.clause == part.clause and not p.places]
        named = {name for p in before for name in p.fields & set(places)}
        if named:
            return any(row in places[name] for name in named)
        word = self.low[part.at - 1] if part.at else ""
        for said, names in (("from", _FROM), ("to", _TO)):
            ways = [name for name in places if set(name.lower().replace(".", "_").split("_")) & names]
            if word == said and ways:
                return any(row in places[name] for name in ways)
        return True

    def _compared(self, kind: str, parts: list[Part], dates: bool = False) -> list[str]:
        """The fields that a comparison is about."""
        table = self.table
        usable = [*table.numeric, *table.dated]
        mentioned = [n for n in usable if any(n in p.fields for p in parts if p.places is None)]
        numbers = [n for n in mentioned if n in table.numeric]
        only = table.numeric if len(table.numeric) == 1 else []
        if kind == "date" or dates:
            dated = [n for n in mentioned if n in table.dated] or table.dated
            return dated or ([n for n in numbers if class_of(n) == "date"])
        if kind == "any":
            if numbers:
                return numbers
            kinds = {p.measure for p in parts if p.measure} - {""}
            return [n for n in table.numeric if class_of(n) in kinds] or only
        exact = [n for n in table.numeric if class_of(n) == kind]
        plain = [n for n in exact if CLASSES.get(n.lower().split("_")[0].rpartition(".")[2]) == kind]
        return [n for n in exact if n in numbers] or plain or exact or numbers or only

    def _extreme(self, row: int, part: Part, parts: list[Part]) -> bool:
        side, kind = part.extreme.split()
        names = self._compared(kind, parts)
        names = [n for n in names if row in self.table.numbers(n) or row in self.table.moments(n)]
        cells = [(n, self.table.numbers(n)[row]) for n in names if row in self.table.numbers(n)]
        valued = [p.number for p in parts if p.number is not None]
        names = [n for n, cell in cells if any(agrees(self.table, said, n, cell, row) for said in valued)] or names
        if not names:
            return False
        groups = [p.rows for p in parts if p.places and row in p.rows]
        within = [self.all, *([frozenset.intersection(*groups)] if groups else [])]
        return all(any(row in extreme(self.table, name, side == "high", rows) for rows in within) for name in names)
