"""Whether a sentence is true of a table of records: of the record that it names, or of what is computed over all.

Each part of a sentence has to be verified: a value, a number, a date, a quantifier, a negation, a comparison, a cause.
What is no part of the table's language cannot be checked and is not true here.
"""

from __future__ import annotations

from itertools import pairwise, product

from mcpcompact.llm.about import UNCHECKED, About, Rows
from mcpcompact.llm.figures import agrees, extreme
from mcpcompact.llm.parse import Part, Untrue, parsed
from mcpcompact.llm.records import Quantity, Table, norm, quantity, tokens
from mcpcompact.llm.totals import Totals
from mcpcompact.llm.words import (
    EXTREMES,
    FUNCTION,
    NUMBERS,
    OPERATORS,
    PLAIN,
    PLAIN_STEMS,
    RELATION_STEMS,
    UNITS,
    listed,
    stem,
    unit,
)
from mcpcompact.patterns import regex

_SIGNS = regex(r"[-_/.:,%$€#]")
CAUSE_FIELDS = listed(
    """reason error message cause detail note comment description failure explanation why log msg info remark text
    stderr warning problem issue result output fault diagnosis"""
)
_CAUSE_MARKS = ("because", "due to", "caused by", "owing to", "reason", "cause", "after", "error", " - ", ": ")
_TIMES = listed("before after prior later earlier")
_FORWARD = listed("""caused led leads triggered resulted causing""")


def judge(sentence: str, table: Table) -> tuple[int, str]:
    """How many claims of a sentence were verified, and why it does not stand ("" where it does). Fields of prose have
    no names: words beside a value may be one."""
    why = ""
    for fields in (False, True)[: 1 + table.prose]:
        statement = Statement(sentence, table, fields)
        try:
            statement.check()
            return statement.verified, ""
        except Untrue as error:
            why = why or str(error)
    return 0, why


def in_one_passage(sentence: str, table: Table) -> bool:
    """Whether all that a sentence says stands in one line of the source, or sentence of its prose: every word, number
    and operator. Whoever asks has looked at the names and numbers one by one."""
    said = [word.lower() for word in tokens(sentence.replace("**", ""))]
    said = [f"{number.value:g}" if (number := quantity(word)) else str(NUMBERS.get(word, word)) for word in said]
    content = [word for word in said if unit(word) not in UNITS and (word in OPERATORS or word in EXTREMES or not (
        word in FUNCTION or stem(word) in PLAIN_STEMS))]  # fmt: skip
    negated = any(OPERATORS.get(word) in ("not", "none") for word in said)
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


def _among(before: Part | None) -> bool:
    """Whether a word for the records may stand behind a part, in a sentence that names one: ``the highest order``."""
    if before is None:
        return False
    counting = before.number is not None and not before.number.unit
    among = before.ops & {"all", "none", "only"} or before.text in ("other", "of", "these")
    return bool(before.extreme or counting or among)


def _slot(before: Part | None) -> bool:
    """The same of a sentence that names none."""
    if before is None or before.number is not None or before.places is not None or before.extreme:
        return True
    plain = before.ops & {"all", "none", "only", "most", "both"} or before.text in ("the", "of", "these", "those")
    return bool(before.ops & {"mean", "median", "sum"} or (plain and not before.unknown))


class Statement(About):
    def __init__(self, sentence: str, table: Table, fields: bool) -> None:
        self.table = table
        self.parts, self.said, self.low = parsed(sentence, table, fields)
        self.verified = 0
        self.all = frozenset(range(len(table.rows)))

    # -- the sentence as a whole

    def check(self) -> None:
        self._part_causes()
        entities = self._entities()
        known = frozenset().union(*(self.table.words(row) for part in entities for row in part.rows))
        if any("doubt" in part.ops and part.text not in known for part in self.parts):
            raise Untrue("it is a guess, which cannot be checked")
        self._measures(bool(entities))
        self._part_nouns(bool(entities))
        if not entities:
            self._of_all()
        elif len(entities) == 1:
            self._record(entities[0].rows, [p for p in self.parts if p is not entities[0]])
        else:
            self._records(entities)
        for cause in self.causes:
            self._cause(cause, entities)

    def _measures(self, named: bool) -> None:
        """``the number of added lines``, of a record or beside a figure of all: a field, not the records of a value."""
        figure = any(p.extreme or p.comparative or p.ops & {"mean", "median"} for p in self.parts)
        for part in self.parts:
            before = self.low[max(0, part.at - 4) : part.at]
            if before[-2:] == ["number", "of"] and (named or figure or before[:1] == ["of"]):
                part.places = None

    def _of_all(self) -> None:
        """All records, or the only one: what is said without a name is said of it."""
        if len(self.all) == 1 and not self.table.prose:
            try:
                return self._record(self.all, self.parts)
            except Untrue:
                pass
        self.verified += Totals(self.table, self.parts, self.said, self._compared).check()

    def _entities(self) -> list[Part]:
        """The parts that name a record, once each."""
        found: list[Part] = []
        for part in self.parts:
            if part.entity and not any(part.rows & other.rows for other in found):
                found.append(part)
        return found

    def _part_causes(self) -> None:
        """Takes what is said to be a cause out of the parts."""
        self.causes: list[list[str]] = []
        for n, part in enumerate(self.parts):
            if "cause" not in part.ops:
                continue
            after = self.low[part.at + 1 :]
            first = not any(p.at < part.at and (self._claims(p) or p.entity) for p in self.parts)
            end = len(self.low)
            if first and part.text not in ("reason", "cause", "reasons"):
                end = next((p.at for p in self.parts[n + 1 :] if p.clause > part.clause), end)
            behind = self._cause_words(part.at, end)
            if (part.text in _FORWARD and after[:1] not in (["by"], ["from"])) or not self._content(behind):
                self.causes.append(self._cause_words(-1, part.at))
                self.parts = [p for p in self.parts if p.entity or p.at > part.at]
            else:
                self.causes.append(behind)
                outside = any(p.entity and not part.at <= p.at < end for p in self.parts)
                stays = not outside
                self.parts = [
                    p for p in self.parts if not part.at <= p.at < end or (stays and p.entity and self._id(p))
                ]
            return

    def _cause_words(self, low: int, high: int) -> list[str]:
        named = {p.at for p in self.parts if p.entity and self._id(p)}
        return [word for k, word in enumerate(self.low) if low < k < high and k not in named]

    @staticmethod
    def _content(cause: list[str]) -> list[str]:
        return [w for w in cause if w not in FUNCTION and w not in ("error", "failure", "reason", "cause", "given")
                and OPERATORS.get(w) != "cause"]  # fmt: skip

    def _id(self, part: Part) -> bool:
        return part.size == 1 and any(c.isdigit() or c in "_/:" for c in part.text)

    def _part_nouns(self, named: bool) -> None:
        """The words for the records themselves: before a name, behind a number or a quantifier, at the beginning."""
        for n, part in enumerate(self.parts):
            if not part.unknown:
                continue
            behind = self.parts[n + 1 : n + 3]
            before = self.parts[n - 1] if n else None
            lower = self.said[part.at].islower() or n == 0
            slot = _among(before) if named else _slot(before)
            close = bool(behind) and (behind[0].entity or (behind[0].unknown and behind[-1].entity))
            if stem(part.text) == stem(self.table.noun.lower()) or (close and part.text.isalpha()):
                part.unknown = False
            elif lower and part.text.isalpha() and slot:
                part.unknown = False
                if behind and behind[0].unknown and behind[0].text.endswith("s") and behind[0].text.isalpha():
                    behind[0].unknown = False
        self._known(named)

    def _known(self, named: bool) -> None:
        if named:
            return
        firm = any(p.number or p.moment or p.places for p in self.parts)
        for part in self.parts:
            related = stem(part.text) in RELATION_STEMS or (self.table.prose and self._relates(part, self.parts))
            if part.unknown and not (firm and related):
                raise Untrue(f"{self.said[part.at]!r} is not in the source")

    def _records(self, entities: list[Part]) -> None:
        parts = [p for p in self.parts if p not in entities]
        comparing = [
            p
            for p in self.parts  # "after" may be a field, too: "timeout after 30 s"
            if p.comparative and (p.comparative.endswith(" date") or not p.fields & set(self.table.numeric))
        ]
        than = [p for p in self.parts if p.text == "than"]
        if comparing and not entities[2:] and not any(p.extreme for p in parts):
            return self._comparison(entities, comparing[0], than)
        parts = [p for p in parts if not self._counts(p, entities)]
        for part in parts:
            if "both" in part.ops or "all" in part.ops:
                part.ops = frozenset()
        if len({p.at - entities[0].at for p in entities}) > 1 and self._listed(entities):
            return self._respectively(entities, parts)
        values = [p for p in parts if self._claims(p)]
        first = bool(values) and values[0].at < entities[0].at and not any(p.at > entities[-1].at for p in values)
        for n, entity in enumerate(entities):
            if first:
                low, high = entities[n - 1].at if n else -1, entity.at
            else:
                low, high = entity.at if n else -1, entities[n + 1].at if n + 1 < len(entities) else len(self.low)
            own = [p for p in parts if low < p.at < high]
            missing = not any(map(self._claims, own))
            if missing and not any(map(self._claims, parts)):
                raise Untrue(UNCHECKED)
            self._record(entity.rows, own if not missing else parts)

    def _counts(self, part: Part, entities: list[Part]) -> bool:
        """How many the names are, before them or as ``are the two``; a number behind a name may be a value of it."""
        if part.number is None or part.number.unit or part.number.value != len(entities):
            return False
        return part.at < entities[0].at or self.low[part.at - 1] in ("the", "are", "were", "these", "those")

    def _listed(self, entities: list[Part]) -> bool:
        """Whether the names stand side by side."""
        for one, other in pairwise(entities):
            between = self.low[one.at + one.size : other.at]
            if any(word not in PLAIN and stem(word) != stem(self.table.noun) for word in between):
                return False
        return True

    def _respectively(self, entities: list[Part], parts: list[Part]) -> None:
        values = [p for p in parts if p.number is not None or p.moment is not None]
        if values and len(values) != len(entities):
            raise Untrue(UNCHECKED)
        for n, entity in enumerate(entities):
            own = [p for p in parts if p not in values or p is values[n]]
            if not any(map(self._claims, own)):
                raise Untrue(UNCHECKED)
            self._record(entity.rows, own)

    def _comparison(self, entities: list[Part], word: Part, than: list[Part]) -> None:
        first, second = self._ordered(entities, than)
        strange = [p for p in self.parts if p.unknown and stem(p.text) not in RELATION_STEMS]
        if len(strange) > 1 or any(p.ops & {"not", "none", "all", "only", "most"} for p in self.parts):
            raise Untrue(UNCHECKED)
        side, kind = word.comparative.split()
        others = [p for p in self.parts if not p.entity]
        names = self._compared("date" if word.text in _TIMES else kind, others)
        rows = first.rows | second.rows
        names = [n for n in names if rows <= (self.table.numbers(n) or self.table.moments(n)).keys()]
        if not names:
            raise Untrue(UNCHECKED)
        for name in names:
            if extreme(self.table, name, side == "high", rows) != first.rows or len(rows) != len(entities):
                raise Untrue("the source orders them otherwise")
        for part in others:
            near = min(entities, key=lambda e: abs(e.at - part.at) + (e.at > part.at))
            if part.number is not None:
                row = min(near.rows)
                if not self._reading(row, part, []) and not self._difference(part, names, first, second):
                    raise Untrue(f"{self.said[part.at]!r} is not what the source says of it")
            elif part.places is not None or part.moment is not None:
                self._record(near.rows, [part])
        self.verified += 1

    def _ordered(self, entities: list[Part], than: list[Part]) -> list[Part]:
        """Two names, the one first that the other is compared to: ``of A and B, B is``, ``than A, B is``."""
        first, second = entities
        turned = bool(than) and than[0].at < first.at
        if not than and self.low[0] in ("of", "between", "among", "compared"):
            again = [p for p in self.parts if p.entity and p.at > second.at]
            turned = bool(again) and bool(again[-1].rows & second.rows)
        return [second, first] if turned else entities

    def _difference(self, part: Part, names: list[str], first: Part, second: Part) -> bool:
        for name in names:
            one, other = (self.table.numbers(name).get(min(p.rows)) for p in (first, second))
            if one and other and part.number:
                gap = Quantity(round(abs(one.value - other.value), 9), one.unit, max(one.decimals, other.decimals))
                if agrees(self.table, part.number, name, gap, min(first.rows)):
                    return True
        return False

    # -- causes

    def _cause(self, cause: list[str], entities: list[Part]) -> None:
        """The words of a cause stand as one in the record that the sentence names, or in those it counts."""
        content = self._content(cause)
        if not content or len(entities) > 1:
            raise Untrue(UNCHECKED)
        rows = entities[0].rows if entities else self._subjects()
        if not rows:
            raise Untrue(UNCHECKED)
        for row in rows:
            if not any(self._words_in(content, text) for text in self._reasons(row)):
                raise Untrue("the source gives no such cause")
        self.verified += 1

    def _subjects(self) -> Rows:
        groups = [p.rows for p in self.parts if p.places]
        return frozenset.intersection(*groups) if groups else frozenset()

    def _reasons(self, row: int) -> list[str]:
        table = self.table
        found = [str(value) for name, value in table.rows[row].items() if isinstance(value, str)
                 and set(name.lower().replace(".", "_").split("_")) & CAUSE_FIELDS]  # fmt: skip
        if table.prose:
            low = table.texts[row].lower()
            for line, mark in product(low.split("\n"), _CAUSE_MARKS):
                found += [line.partition(mark)[2]] if mark in line else []
        return found

    @staticmethod
    def _words_in(content: list[str], text: str) -> bool:
        have = {stem(word) for word in norm(text).replace("-", " ").replace("_", " ").split()} | set(norm(text).split())
        return all(
            word in have or stem(word) in have or all(stem(p) in have for p in word.split("-")) for word in content
        )
