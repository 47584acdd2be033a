"""A sentence of a summary as parts with a meaning in one table: records, values, fields, numbers, dates, operators."""

from __future__ import annotations

from dataclasses import dataclass

from mcpcompact.llm import records, words
from mcpcompact.llm.records import Moment, Quantity, Table
from mcpcompact.llm.words import ABOUT, FUNCTION, NUMBERS, OPERATORS, OUTCOMES, REPORTING, UNITS, listed, stem
from mcpcompact.patterns import regex

_BREAK = regex(r"[,;:](?:\s|\Z)\s*|[()—]\s*|\s-\s")
_DEGREES = {"most": "high", "more": "high", "least": "low", "less": "low", "fewest": "low"}
_COMMON = listed("""common frequent frequently often popular numerous prevalent""")
_JOIN = listed("""but and while whereas although though""")
PASSING = 3  # words of ``passed through Hamburg``
CLOSE, NEAR = 2, 3  # most words from one to the next in ``status 500``, and between a value and the name of its field
PASSAGES = 3  # most passages of prose that a name may stand in to tell them from the others
Rows = frozenset[int]
Places = dict[str, Rows]  # the rows by the field in which they have a value
UNCHECKED = "it cannot be checked"


class Untrue(Exception):
    """Why a sentence is not true, or not known to be."""


@dataclass(slots=True)
class Part:
    """One or more words. ``places`` says where they are a value, by field; ``entity`` that they name few rows.
    ``ops`` are what they do; ``unknown`` words mean nothing here."""

    text: str
    at: int
    clause: int = 0
    places: Places | None = None
    entity: bool = False
    outcome: bool = False
    fields: frozenset[str] = frozenset()
    measure: str = ""
    number: Quantity | None = None
    moment: Moment | None = None
    ops: frozenset[str] = frozenset()
    extreme: str = ""
    comparative: str = ""
    unknown: bool = False
    size: int = 1

    @property
    def rows(self) -> Rows:
        return frozenset().union(*(self.places or {}).values())

    @property
    def claims(self) -> bool:
        return self.places is not None or self.number is not None or self.moment is not None or bool(self.extreme)

    def close(self, other: Part) -> bool:
        """Whether it stands just before another."""
        return 0 < other.at - self.at <= CLOSE


def parsed(sentence: str, table: Table, fields: bool = False) -> tuple[list[Part], list[str], list[str]]:
    """The parts, the words, and these in lower case. ``fields``: a plain word close to a value names its field."""
    tokens, clauses = _clauses(sentence.replace("**", ""))
    reading = _Reading(table, tokens)
    parts: list[Part] = []
    n = 0
    while n < len(tokens):
        part = reading.part(n)
        part.clause = clauses[n]
        if _everywhere(table, part, tokens[n]):
            part.places = None
        parts.append(part)
        n += part.size
    if fields:
        values = [part for part in parts if part.places and not tokens[part.at].islower()]
        for part in parts:
            close = any(0 < abs(part.at - value.at) <= NEAR for value in values)
            if close and part.places and not part.outcome and tokens[part.at].islower():
                part.places, part.unknown = None, True
    return parts, tokens, reading.low


def _everywhere(table: Table, part: Part, word: str) -> bool:
    """A word of prose that stands in nearly each row tells none from the other."""
    plain = table.prose and part.places is not None and not part.outcome and part.text.isalpha() and word.islower()
    return plain and 10 * len(part.rows) >= 9 * len(table.rows)


def _clauses(sentence: str) -> tuple[list[str], list[int]]:
    """The words, and for each the number of its clause."""
    tokens: list[str] = []
    clauses: list[int] = []
    number = 0
    for piece in _BREAK.split(sentence):
        for word in records.tokens(piece):
            number += word.lower() in _JOIN
            tokens.append(word)
            clauses.append(number)
        number += 1
    return tokens, clauses


class _Reading:
    """The words of a sentence, read against a table."""

    def __init__(self, table: Table, tokens: list[str]) -> None:
        self.table, self.tokens = table, tokens
        self.low = [word.lower().replace("’", "'") for word in tokens]

    def part(self, n: int) -> Part:
        """What begins at a word: a value of the table, a date, a number, an outcome, or a word by itself."""
        part = self._value(n) or self._date(n) or self._number(n)
        if part is not None:
            return part
        word, after = self.low[n], self._after(n)
        if f"{word}_{after}" in OUTCOMES:
            pair = f"{word}_{after}"
            return Part(pair, n, places=_outcome(self.table, pair), outcome=True, size=2)
        initials = word[0] + after[0] if word.isalpha() and after.isalpha() else ""
        if word not in FUNCTION and initials in self.table.named and not self.table.prose:
            return Part(word, n, fields=frozenset(self.table.named[initials]), size=2)  # operating system: os
        return self._degree(n) or self._word(n)

    def _after(self, n: int) -> str:
        return self.low[n + 1] if n + 1 < len(self.low) else ""

    def _value(self, n: int) -> Part | None:
        """The longest value that begins at a word."""
        for size in range(min(records.PHRASE, len(self.low) - n), 0, -1):
            key = " ".join(self.low[n : n + size])
            places = self.table.values.get(key)
            if places is None or (size == 1 and self._plain(n)):
                continue
            where = {name: frozenset(rows) for name, rows in places.items()}
            fields = self._fields(n) if size == 1 else frozenset()
            return Part(
                key, n, places=where, entity=self._names(where, n), size=size, outcome=key in OUTCOMES, fields=fields
            )
        return None

    def _plain(self, n: int) -> bool:
        word = self.low[n]
        return word in FUNCTION or (word in OPERATORS and not self.tokens[n].isupper()) or word in words.EXTREMES

    def _names(self, places: Places, n: int) -> bool:
        """Whether a value names few rows."""
        if not self.table.prose:
            return any(self.table.columns[name].identity and len(rows) == 1 for name, rows in places.items())
        word = self.tokens[n]
        special = any(c.isdigit() or c in "/_@#." for c in word[:-1]) or word[-1].isdigit()
        special = special or (word[:1].isupper() and n > 0)
        return special and len(frozenset().union(*places.values())) <= PASSAGES

    def _date(self, n: int) -> Part | None:
        """A date in digits, or in words around the name of a month."""
        low = self.low
        if low[n] in words.MONTHS or (low[n][:1].isdigit() and n + 1 < len(low)):
            month = next((k for k in range(n, min(n + 3, len(low))) if low[k] in words.MONTHS), -1)
            if month >= 0 and (day := records.in_words(self.tokens, month)):
                last = max(k for k in range(month, min(month + 3, len(low))) if k == month or low[k][:1].isdigit())
                return Part(low[n], n, moment=Moment(day), size=last - n + 1)
        when = records.moment(self.tokens[n])
        return Part(low[n], n, moment=when) if when else None

    def _number(self, n: int) -> Part | None:
        """A number with the unit behind it, or the currency before it."""
        word, after, size = self.low[n], self._after(n), 1
        number = records.quantity(self.tokens[n].lstrip("("))
        if number is None:
            if word not in NUMBERS or word in ("zero", "one"):
                return None
            number = Quantity(float(NUMBERS[word]))
        if not number.unit and words.unit(after) in UNITS and after not in FUNCTION:
            number, size = number._replace(unit=words.unit(after)), 2
        before = self.low[n - 1] if n else ""
        if not number.unit and before in words.CURRENCIES:
            number = number._replace(unit=before)
        return Part(word, n, number=number._replace(about=number.about or before in ABOUT), size=size)

    def _fields(self, n: int) -> frozenset[str]:
        """The fields that a word names; a word of plain language only where it is the very name."""
        word = self.low[n]
        plain = word in words.PLAIN or word in OPERATORS or word in words.EXTREMES
        return frozenset(self.table.named.get(stem(word), ())) if plain else self.table.mentioned(word)

    def _degree(self, n: int) -> Part | None:
        """``most``, ``least``, ``more``, ``less``, ``fewest`` and the adjective behind them."""
        word, after = self.low[n], self._after(n)
        side = _DEGREES.get(word)
        if side is None:
            return None
        part = Part(word, n, fields=self._fields(n), measure=words.CLASSES.get(word, ""))
        adjective = words.CLASSES.get(after) or ("count" if after in _COMMON else "")
        part.size = 2 if adjective else 1
        if word in ("more", "less"):
            part.comparative = f"{side} {adjective or 'any'}"
        elif word == "most" and not adjective and (n == 0 or self.low[n - 1] not in ("the", "has", "have", "had")):
            part.ops = frozenset({"most"})
        else:
            part.extreme = f"{side} {adjective or 'any'}"
        return part

    def _word(self, n: int) -> Part:
        """A word by itself: an operator, an outcome, a word of a value or of a field's name."""
        table, word = self.table, self.low[n]
        part = Part(word, n, fields=self._fields(n), measure=words.CLASSES.get(word, ""))
        if word in OPERATORS and (word != "due" or self._after(n) == "to"):
            part.ops = frozenset({OPERATORS[word]})
        part.extreme, part.comparative = words.EXTREMES.get(word, ""), words.COMPARATIVES.get(word, "")
        passing = word == records.PASSED and records.went_through(" ".join(self.tokens[n : n + PASSING]))
        if part.ops or part.extreme or part.comparative or word in FUNCTION or passing:
            return part
        root = stem(word)
        if word in OUTCOMES and (table.prose or (root not in table.stems and not part.fields)):
            part.places = _outcome(table, word)
            if word in REPORTING and not part.rows:
                part.places = None
        elif root in table.stems and (word in OUTCOMES or not part.fields) and not (table.prose and word in REPORTING):
            part.places = {name: frozenset(rows) for name, rows in table.stems[root].items()}
        part.outcome = part.places is not None and word in OUTCOMES
        part.unknown = part.places is None and not part.fields and not part.measure and not self._known(word)
        return part

    def _known(self, word: str) -> bool:
        """Whether a word claims nothing: it reports, measures, or is made of words that do."""
        measures = words.unit(word) in UNITS or word in words.CURRENCIES
        if measures or word in ABOUT or stem(word) in words.REPORTING_STEMS:
            return True
        parts = [stem(part) for part in word.split("-")]
        plain = (FUNCTION, words.REPORTING_STEMS, self.table.named, words.CLASSES)
        return len(parts) > 1 and all(any(part in some for some in plain) for part in parts)


def _outcome(table: Table, word: str) -> Places | None:
    """The rows whose status says the same as a word; none of the rows where a status says something else."""
    return table.outcomes.get(OUTCOMES[word]) or ({"": frozenset()} if table.outcomes else None)
