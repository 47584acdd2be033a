"""What holds of one record: its values, numbers, dates and outcome, negations, and whether it is the highest."""

from __future__ import annotations

from itertools import pairwise

from mcpcompact.llm.figures import agrees, extreme
from mcpcompact.llm.parse import NEAR, Part, Untrue
from mcpcompact.llm.records import Table, class_of, norm
from mcpcompact.llm.words import REPORTING_STEMS, listed, stem

Rows = frozenset[int]
_BEGUN, _SENT = listed("opened created started reopened"), listed("shipped dispatched ran finished running")
"""Outcomes that are no status beside a day, and beside a value: ``opened on 3 March``, ``shipped by DHL``."""
_FINE = {"sum", "share", "range", "count"}
STRANGE = 2  # most unknown words of a clause beside a number or date that was verified: they name what it measures
NOUGHT = (None, "", 0, "0", "none", "null", "-")
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
        """The parts hold of one of the rows."""
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
        if any(p.extreme for p in parts):
            for part in parts:
                part.ops -= {"all", "both"}  # the highest of all
        if any("only" in p.ops for p in parts):
            return self._alone(row, parts)
        parts = self._without_noughts(row, parts)
        negations = [p for p in parts if p.ops & {"not", "none"}]
        if len(negations) > 1:
            raise Untrue(UNCHECKED)
        scope = self._negated(negations[0], parts) if negations else []
        for part in parts:
            if part not in scope and part not in negations:
                self._holds(row, part, parts)
        if negations:
            claims = [p for p in scope if self._claims(p)]
            if not claims or any(p.unknown for p in scope):
                raise Untrue(UNCHECKED)
            if all((p.places is None or row in p.rows) and self._stands(row, p, parts) for p in claims):
                raise Untrue("the source says the contrary")
            self.verified += 1

    def _without_noughts(self, row: int, parts: list[Part]) -> list[Part]:
        """The parts without each ``no errors`` of a row whose errors are 0."""
        for part, field in pairwise(parts):
            if "none" in part.ops and any(self.table.rows[row].get(name) in NOUGHT for name in field.fields):
                parts = [p for p in parts if p is not part and p is not field]
                self.verified += 1
        return parts

    def _negated(self, negation: Part, parts: list[Part]) -> list[Part]:
        """What a negation is about: the parts behind it, or of its clause where none of these claims something."""
        beside = [p for p in parts if p.clause == negation.clause and p is not negation]
        behind = [p for p in beside if p.at > negation.at]
        return behind if any(map(self._claims, behind)) else beside

    def _alone(self, row: int, parts: list[Part]) -> None:
        """The row is the only one of which the parts hold."""
        claims = [p for p in parts if self._claims(p)]
        if not claims or any(p.ops & {"not", "none"} or p.unknown for p in parts):
            raise Untrue(UNCHECKED)
        if [n for n in self.all if all(self._stands(n, p, parts) for p in claims)] != [row]:
            raise Untrue("it is not the only one")
        self.verified += 1

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
        elif (part.comparative or part.ops - _FINE) and not part.fields and not self._quoted(row, part):
            raise Untrue(UNCHECKED)

    def _quoted(self, row: int, part: Part) -> bool:
        """An operator that stands in a row of prose itself, beside one of its words."""
        text = f" {norm(self.table.texts[row])} " if self.table.prose else ""
        around = self.low[max(0, part.at - 1) : part.at + 2]
        return any(f" {one} {other} " in text for one, other in pairwise(around))

    def _relates(self, part: Part, parts: list[Part]) -> bool:
        """A single word without a claim of its own beside one that is checked: ``signed by Anna``, ``12 seats``."""
        if not part.text.replace("-", "").isalpha() or not self.said[part.at].islower():
            return False
        beside = [p for p in parts if p.clause == part.clause]
        strange = [p for p in beside if p.unknown]
        firm = [p for p in beside if self._claims(p) and not p.outcome]
        if self.table.prose or any(p.number or p.moment for p in firm):
            return bool(firm) and len(strange) <= STRANGE
        return any(-NEAR < p.at - part.at <= NEAR for p in firm) and len(strange) <= STRANGE

    def _mentions(self, part: Part, parts: list[Part]) -> list[Part]:
        """The nearest words for a field before and behind a part, in its clause."""
        named = [p for p in parts if (p.fields or p.measure) and p.number is None and p.places is None]
        near = [p for p in named if p.clause == part.clause] or named
        before = [p for p in near if p.at < part.at][-1:]
        numbers = {p.at for p in parts if p.number is not None}
        behind = [p for p in near if p.at > part.at and not {p.at + 1, p.at + 2} & numbers]
        return before + behind[:1]

    def _fits(self, name: str, mentions: list[Part]) -> bool:
        """Whether a field is one of those that are mentioned; any is where none is."""
        kind = class_of(name)
        return not mentions or any(name in p.fields or (p.measure == kind and kind) for p in mentions)

    def _reading(self, row: int, part: Part, parts: list[Part]) -> bool:
        """Whether a number is that of a field of the row: of one that is mentioned, where some are."""
        assert part.number is not None
        mentions = [p for p in self._mentions(part, parts) if self._numeric(p)]
        for name in self.table.rows[row]:
            cell = self.table.numbers(name).get(row)
            if cell and self._fits(name, mentions) and agrees(part.number, name, cell):
                return True
        whole = not part.number.unit and self.low[part.at - 1] in ("the", "all", "of")
        return whole and part.number.value == len(self.all)

    def _numeric(self, part: Part) -> bool:
        return any(name in part.fields or class_of(name) == part.measure != "" for name in self.table.numeric)

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
            behind = [p for p in parts if part.close(p) and not p.outcome]
            if any((p.moment and part.text in _BEGUN) or (p.places and part.text in _SENT) for p in behind):
                return True
            if part.outcome or part.entity or stem(part.text) not in REPORTING_STEMS:
                return False
            return self.table.prose or part.text not in self.table.values
        before = [p for p in parts if p.fields and p.close(part) and p.clause == part.clause and not p.places]
        named = {name for p in before for name in p.fields & set(places)}
        return not named or any(row in places[name] for name in named)

    def _compared(self, kind: str, parts: list[Part]) -> list[str]:
        """The fields that a comparison is about."""
        table = self.table
        mentioned = {name for p in parts if p.places is None for name in p.fields}
        numbers = [n for n in table.numeric if n in mentioned]
        if kind == "date":
            return [n for n in table.dated if n in mentioned] or table.dated
        if kind == "any":
            kinds = {p.measure for p in parts if p.measure}
            return numbers or [n for n in table.numeric if class_of(n) in kinds]
        exact = [n for n in table.numeric if class_of(n) == kind]
        return [n for n in exact if n in numbers] or exact or numbers

    def _extreme(self, row: int, part: Part, parts: list[Part]) -> bool:
        """Whether the row is the highest of all in the field that is meant, and of the values that are named."""
        side, kind = part.extreme.split()
        table, said = self.table, [p.number for p in parts if p.number is not None]
        names = [n for n in self._compared(kind, parts) if row in table.numbers(n) or row in table.moments(n)]
        cells = {n: table.numbers(n)[row] for n in names if row in table.numbers(n)}
        names = [n for n, cell in cells.items() if any(agrees(one, n, cell) for one in said)] or names
        groups = [p.rows for p in parts if p.places and row in p.rows]
        within = [self.all, self.all.intersection(*groups)]
        return bool(names) and all(
            any(row in extreme(table, name, side == "high", rows) for rows in within) for name in names
        )
