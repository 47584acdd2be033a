"""Whether a sentence is true of a table of records: of the record that it names, or of what is computed over all.

Each part of a sentence has to be verified: a value, a number, a date, a quantifier, a negation, a comparison, a cause.
What is no part of the table's language cannot be checked and is not true here.
"""

from __future__ import annotations

from itertools import pairwise, product

from mcpcompact.llm.parse import NEAR, UNCHECKED, Part, Rows, Untrue, parsed
from mcpcompact.llm.records import EMPTY, Table, class_of, norm, quantity, tokens
from mcpcompact.llm.totals import Totals, agrees, compared, extreme
from mcpcompact.llm.words import EXTREMES, FUNCTION, NUMBERS, OPERATORS, REPORTING_STEMS, UNITS, listed, stem, unit
from mcpcompact.patterns import regex

_SIGNS = regex(r"[-_/.:,%$€#]")
CAUSE_FIELDS = listed(
    """reason error message cause detail note comment description failure explanation why log msg info remark text
    stderr warning problem issue result output fault diagnosis"""
)
_CAUSE_MARKS = ("because", "due to", "caused by", "owing to", "reason", "cause", "after", "error", " - ", ": ")
PAIR = 2  # names that are compared
_BEGUN, _SENT = listed("opened created started reopened"), listed("shipped dispatched ran finished running")
"""Outcomes that are no status beside a day, and beside a value: ``opened on 3 March``, ``shipped by DHL``."""
_FINE = {"sum", "share", "range", "count"}
STRANGE = 2  # most unknown words of a clause beside a number or date that was verified: they name what it measures
NOUGHT = (None, "", 0, "0", "none", "null", "-")
_TIMES = listed("before after prior later earlier")
_FORWARD = listed("""caused led leads triggered resulted causing""")


def judge(sentence: str, table: Table) -> tuple[int, str]:
    """How many claims of a sentence were verified, and why it does not stand ("" where it does). Fields of prose have
    no names: words beside a value may be one."""
    why = ""
    for fields in (False, True)[: 1 + table.prose]:
        try:
            return Statement(sentence, table, fields).check(), ""
        except Untrue as error:
            why = why or str(error)
    return 0, why


def in_one_passage(sentence: str, table: Table) -> bool:
    """Whether all that a sentence says stands in one line of the source, or sentence of its prose: every word, number
    and operator. Whoever asks has looked at the names and numbers one by one."""
    words = [word.lower() for word in tokens(sentence.replace("**", ""))]
    words = [f"{number.value:g}" if (number := quantity(word)) else str(NUMBERS.get(word, word)) for word in words]
    content = [word for word in words if unit(word) not in UNITS and (word in OPERATORS or word in EXTREMES or not (
        word in FUNCTION or stem(word) in REPORTING_STEMS))]  # fmt: skip
    negated = any(OPERATORS.get(word) in ("not", "none") for word in words)
    if not content:
        return False
    rarest = min((table.holding(word) for word in content), key=len)
    for row in rarest:
        have = table.words(row)
        if any(OPERATORS.get(word) == "not" for word in have) is negated and all(_said(word, have) for word in content):
            return True
    return False


def _said(word: str, have: frozenset[str]) -> bool:
    """Whether a word is one of some, by its stem or part by part."""
    parts = [part for part in _SIGNS.split(word) if part]
    return word in have or stem(word) in have or (not word.isalpha() and bool(parts) and have.issuperset(parts))


def _counts_records(before: Part | None, named: bool) -> bool:
    """Whether a word for the records may stand behind a part: ``the highest order``, ``all orders``, ``the orders``."""
    if before is None:
        return not named
    if before.number is not None:
        return not named or not before.number.unit
    if before.extreme or before.ops & {"all", "none", "only"} or before.text in ("of", "these"):
        return True
    return not named and (before.places is not None or bool(before.ops) or before.text in ("the", "those"))


class Statement:
    """A sentence about the rows of a table."""

    def __init__(self, sentence: str, table: Table, fields: bool) -> None:
        self.table = table
        self.parts, self.tokens, self.low = parsed(sentence, table, fields)
        self.verified = 0
        self.all = frozenset(range(len(table.rows)))

    # -- the sentence as a whole

    def check(self) -> int:
        """How many claims were verified. Raises ``Untrue`` where the sentence is not true, or cannot be checked."""
        cause = self._part_cause()
        entities = self._entities()
        known = frozenset().union(*(self.table.words(row) for part in entities for row in part.rows))
        if any("doubt" in part.ops and part.text not in known for part in self.parts):
            raise Untrue("it is a guess, which cannot be checked")
        self._part_measures(bool(entities))
        self._part_nouns(bool(entities))
        if not entities and len(self.all) == 1 and not self.table.prose:
            self._record(self.all, self.parts)  # the only one there is
        elif not entities:
            self.verified += Totals(self.table, self.parts, self.tokens).check()
        elif len(entities) == 1:
            self._record(entities[0].rows, [p for p in self.parts if p is not entities[0]])
        else:
            self._records(entities)
        if cause is not None:
            self._cause(cause, entities)
        return self.verified

    def _part_measures(self, named: bool) -> None:
        """``the number of added lines``, of a record or beside a figure of all: a field, not the records of a value."""
        figure = any(p.extreme or p.comparative or p.ops & {"mean", "median"} for p in self.parts)
        for part in self.parts:
            if (named or figure) and self.low[max(0, part.at - 2) : part.at] == ["number", "of"]:
                part.places = None

    def _entities(self) -> list[Part]:
        """The parts that name a record, once each."""
        entities: list[Part] = []
        for part in self.parts:
            if part.entity and not any(part.rows & other.rows for other in entities):
                entities.append(part)
        return entities

    def _part_nouns(self, named: bool) -> None:
        """The words for the records themselves: before a name, behind a number or a quantifier, at the beginning."""
        noun = stem(self.table.noun.lower())
        for n, part in enumerate(self.parts):
            if not part.unknown:
                continue
            behind = self.parts[n + 1 : n + 3]
            before = self.parts[n - 1] if n else None
            lower = self.tokens[part.at].islower() or n == 0
            naming = bool(behind) and (behind[0].entity or (behind[0].unknown and behind[-1].entity))
            counted = lower and _counts_records(before, named)
            if stem(part.text) == noun or (part.text.isalpha() and (naming or counted)):
                part.unknown = False
        if not named:
            self._known()

    def _known(self) -> None:
        """Every word is known, or ties a value to the records."""
        firm = any(p.number or p.moment or p.places for p in self.parts)
        for part in self.parts:
            related = firm and self.table.prose and self._relates(part, self.parts)
            if part.unknown and not related:
                raise Untrue(f"{self.tokens[part.at]!r} is not in the source")

    # -- sentences that name several records

    def _records(self, entities: list[Part]) -> None:
        """What stands between two names is said of one of them: of the second where the first has nothing before it."""
        compares = [p for p in self.parts if p.comparative]  # "after" may be a field, too: "timeout after 30 s"
        compares = [p for p in compares if p.comparative.endswith(" date") or p.fields.isdisjoint(self.table.numeric)]
        if compares and len(entities) == PAIR:
            return self._comparison(entities, compares[0])
        parts = [p for p in self.parts if p not in entities and not self._counts(p, entities)]
        for part in parts:
            part.ops -= {"both", "all"}
        values = [p for p in parts if p.claims]
        if not values:
            raise Untrue(UNCHECKED)
        first = values[0].at < entities[0].at and values[-1].at < entities[-1].at
        ends = [entity.at for entity in entities]
        edges = [-1, *ends] if first else [-1, *ends[1:], len(self.low)]
        for entity, (low, high) in zip(entities, pairwise(edges), strict=True):
            own = [p for p in parts if low < p.at < high]
            self._record(entity.rows, own if any(p.claims for p in own) else parts)

    def _counts(self, part: Part, entities: list[Part]) -> bool:
        """How many the names are, before them; a number behind a name may be a value of it."""
        number = part.number
        return number is not None and not number.unit and number.value == len(entities) and part.at < entities[0].at

    def _comparison(self, entities: list[Part], word: Part) -> None:
        """The first record is above the second, or below it, and nothing else is said of them."""
        first, second = entities
        others = [p for p in self.parts if not p.entity]
        strange = sum(p.unknown for p in others)
        if strange > 1 or any(p.claims or p.ops & {"not", "none", "all", "only", "most"} for p in others):
            raise Untrue(UNCHECKED)
        side, kind = word.comparative.split()
        names = compared(self.table, "date" if word.text in _TIMES else kind, others)
        rows, columns = first.rows | second.rows, self.table.columns
        names = [n for n in names if rows <= (columns[n].numbers or columns[n].moments).keys()]
        if not names:
            raise Untrue(UNCHECKED)
        if any(extreme(self.table, name, side == "high", rows) != first.rows for name in names):
            raise Untrue("the source orders them otherwise")
        self.verified += 1

    # -- causes

    def _part_cause(self) -> list[str] | None:
        """Takes what is said to be a cause out of the parts: what stands behind the word for it, to the end of its
        clause where the sentence begins with it; of ``X led to`` what stands before."""
        mark = next((p for p in self.parts if "cause" in p.ops), None)
        if mark is None:
            return None
        end = len(self.low)
        begun = any(p.at < mark.at and (p.claims or p.entity) for p in self.parts)
        if not begun and not mark.text.startswith(("reason", "cause")):
            end = next((p.at for p in self.parts if p.at > mark.at and p.clause > mark.clause), end)
        low, high = (-1, mark.at) if mark.text in _FORWARD else (mark.at, end)
        if not self._content(self.low[low + 1 : high]):
            low, high = -1, mark.at
        named = {
            p.at for p in self.parts if p.entity and p.size == 1 and any(c.isdigit() or c in "_/:" for c in p.text)
        }
        self.parts = [p for p in self.parts if p.at in named or (not low < p.at < high and p is not mark)]
        return [word for n, word in enumerate(self.low) if low < n < high and n not in named]

    @staticmethod
    def _content(cause: list[str]) -> list[str]:
        """The words of a cause that say what it is."""
        general = ("error", "failure", "reason", "cause", "given")
        return [w for w in cause if w not in FUNCTION and w not in general and OPERATORS.get(w) != "cause"]

    def _cause(self, cause: list[str], entities: list[Part]) -> None:
        """The words of a cause stand as one in the record that the sentence names, or in those it counts."""
        content = self._content(cause)
        groups = [p.rows for p in self.parts if p.places]
        rows: Rows = frozenset()
        if entities:
            rows = entities[0].rows
        elif groups:
            rows = self.all.intersection(*groups)
        if not content or len(entities) > 1 or not rows:
            raise Untrue(UNCHECKED)
        for row in rows:
            if not any(self._words_in(content, text) for text in self._reasons(row)):
                raise Untrue("the source gives no such cause")
        self.verified += 1

    def _reasons(self, row: int) -> list[str]:
        """The texts of a row that may say why: fields that are named so, and of prose what stands behind a mark."""
        table = self.table
        if table.prose:
            lines = product(table.texts[row].lower().split("\n"), _CAUSE_MARKS)
            return [line.partition(mark)[2] for line, mark in lines if mark in line]
        named = ((set(name.lower().replace(".", "_").split("_")), value) for name, value in table.rows[row].items())
        return [value for words, value in named if isinstance(value, str) and words & CAUSE_FIELDS]

    @staticmethod
    def _words_in(content: list[str], text: str) -> bool:
        words = norm(text)
        have = {*words.split(), *map(stem, words.replace("-", " ").replace("_", " ").split())}
        return all(word in have or have.issuperset(map(stem, word.split("-"))) for word in content)

    # -- against one row

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
            claims = [p for p in scope if p.claims]
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
        return behind if any(p.claims for p in behind) else beside

    def _alone(self, row: int, parts: list[Part]) -> None:
        """The row is the only one of which the parts hold."""
        claims = [p for p in parts if p.claims]
        if not claims or any(p.ops & {"not", "none"} or p.unknown for p in parts):
            raise Untrue(UNCHECKED)
        if [n for n in self.all if all(self._stands(n, p, parts) for p in claims)] != [row]:
            raise Untrue("it is not the only one")
        self.verified += 1

    def _stands(self, row: int, part: Part, parts: list[Part]) -> bool:
        try:
            self._holds(row, part, parts)
        except Untrue:
            return False
        return True

    def _holds(self, row: int, part: Part, parts: list[Part]) -> None:
        shown = self.tokens[part.at]
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
                raise Untrue(f"{self.tokens[part.at]!r} is not in the source")
        elif (part.comparative or part.ops - _FINE) and not part.fields and not self._quoted(row, part):
            raise Untrue(UNCHECKED)

    def _quoted(self, row: int, part: Part) -> bool:
        """An operator that stands in a row of prose itself, beside one of its words."""
        text = f" {norm(self.table.texts[row])} " if self.table.prose else ""
        around = self.low[max(0, part.at - 1) : part.at + 2]
        return any(f" {one} {other} " in text for one, other in pairwise(around))

    def _relates(self, part: Part, parts: list[Part]) -> bool:
        """A single word without a claim of its own beside one that is checked: ``signed by Anna``, ``12 seats``."""
        if not part.text.replace("-", "").isalpha() or not self.tokens[part.at].islower():
            return False
        beside = [p for p in parts if p.clause == part.clause]
        strange = [p for p in beside if p.unknown]
        firm = [p for p in beside if p.claims and not p.outcome]
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
        numeric = self.table.numeric
        mentions = [p for p in self._mentions(part, parts)
                    if any(name in p.fields or class_of(name) == p.measure != "" for name in numeric)]  # fmt: skip
        for name in self.table.rows[row]:
            cell = self.table.columns.get(name, EMPTY).numbers.get(row)
            if cell and self._fits(name, mentions) and agrees(part.number, name, cell):
                return True
        whole = not part.number.unit and self.low[part.at - 1] in ("the", "all", "of")
        return whole and part.number.value == len(self.all)

    def _dated(self, row: int, part: Part, parts: list[Part]) -> bool:
        assert part.moment is not None
        mentions = [p for p in self._mentions(part, parts) if p.fields & set(self.table.dated)]
        for name in self.table.dated:
            at = self.table.columns[name].moments.get(row)
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

    def _extreme(self, row: int, part: Part, parts: list[Part]) -> bool:
        """Whether the row is the highest of all in the field that is meant, and of the values that are named."""
        side, kind = part.extreme.split()
        table, numbers = self.table, [p.number for p in parts if p.number is not None]
        columns = {n: table.columns[n] for n in compared(table, kind, parts)}
        names = [n for n, column in columns.items() if row in column.numbers or row in column.moments]
        cells = {n: columns[n].numbers[row] for n in names if row in columns[n].numbers}
        names = [n for n, cell in cells.items() if any(agrees(one, n, cell) for one in numbers)] or names
        groups = [p.rows for p in parts if p.places and row in p.rows]
        within = [self.all, self.all.intersection(*groups)]
        return bool(names) and all(
            any(row in extreme(table, name, side == "high", rows) for rows in within) for name in names
        )
