"""A sentence of a summary as parts with a meaning in one table: records, values, fields, numbers, dates, operators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mcpcompact.llm import words
from mcpcompact.llm.records import (
    PASSED,
    PHRASE,
    Moment,
    Quantity,
    Table,
    in_words,
    moment,
    quantity,
    tokens,
    went_through,
)
from mcpcompact.llm.words import ABOUT, FUNCTION, NUMBERS, OPERATORS, OUTCOMES, REPORTING, UNITS, listed, stem
from mcpcompact.patterns import regex

_BREAK = regex(r"[,;:()—]\s*|\s-\s")
_COMMON = listed("""common frequent frequently often popular numerous prevalent""")
_JOIN = listed("""but and while whereas although though""")
_SMALLER = frozenset(name for name, (kind, _) in UNITS.items() if kind == "time") | {"m"}
PASSING = 3  # words of ``passed through Hamburg``
CLOSE, NEAR = 2, 3  # most words from one to the next in ``status 500``, and between a value and the name of its field
PASSAGES = 3  # most passages of prose that a name may stand in to tell them from the others
Rows = dict[str, frozenset[int]]


HTTP, HTTP_BAD, HTTP_END = 100, 400, 600  # the least code, the first of those that failed, what all are below


class Untrue(Exception):
    """Why a sentence is not true, or not known to be."""


@dataclass(slots=True)
class Part:
    """One or more words. ``places`` says where they are a value, by field; ``entity`` that they name few rows.
    ``ops`` are what they do; ``unknown`` words mean nothing here."""

    text: str
    at: int
    clause: int = 0
    places: Rows | None = None
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
    def rows(self) -> frozenset[int]:
        return frozenset().union(*(self.places or {}).values())

    def close(self, other: Part) -> bool:
        """Whether it stands just before another."""
        return 0 < other.at - self.at <= CLOSE


def parsed(sentence: str, table: Table, fields: bool = False) -> tuple[list[Part], list[str], list[str]]:
    """The parts, the words, and these in lower case. ``fields``: a plain word close to a value names its field."""
    said, clauses = _clauses(sentence)
    low = [word.lower().replace("’", "'") for word in said]
    parts: list[Part] = []
    n = 0
    while n < len(said):
        part = _part(table, said, low, n)
        part.clause = clauses[n]
        if _everywhere(table, part, said[n]):
            part.places = None
        parts.append(part)
        n += part.size
    if fields:
        values = [part for part in parts if part.places and not said[part.at].islower()]
        for part in parts:
            close = any(0 < abs(part.at - value.at) <= NEAR for value in values)
            if close and part.places and not part.outcome and said[part.at].islower():
                part.places, part.unknown = None, True
    return parts, said, low


def _everywhere(table: Table, part: Part, word: str) -> bool:
    """A word of prose that stands in nearly each row tells none from the other."""
    plain = table.prose and part.places is not None and not part.outcome and part.text.isalpha() and word.islower()
    return plain and 10 * len(part.rows) >= 9 * len(table.rows)


def _clauses(sentence: str) -> tuple[list[str], list[int]]:
    """The words, and for each the number of its clause."""
    said: list[str] = []
    clauses: list[int] = []
    number = 0
    for piece in _BREAK.split(sentence.replace("**", "")) if not _BREAK.search(sentence) else _pieces(sentence):
        for word in tokens(piece):
            number += word.lower() in _JOIN
            said.append(word)
            clauses.append(number)
        number += 1
    return said, clauses


def _pieces(sentence: str) -> Iterable[str]:
    """Between the signs that end a clause: not those inside of numbers, times, paths."""
    sentence = sentence.replace("**", "")
    start = 0
    for match in _BREAK.finditer(sentence):
        inner = match[0][0] in ",:;" and match.end() < len(sentence) and not match[0][1:]
        if inner and not sentence[match.end()].isspace():
            continue
        yield sentence[start : match.start()]
        start = match.end()
    yield sentence[start:]


def _part(table: Table, said: list[str], low: list[str], n: int) -> Part:
    word = low[n]
    for size in range(min(PHRASE, len(low) - n), 0, -1):
        key = " ".join(low[n : n + size])
        places = table.values.get(key)
        if places is None or (size == 1 and _plain_word(said, n)):
            continue
        found = {name: frozenset(rows) for name, rows in places.items()}
        return Part(key, n, places=found, entity=_names(table, found, said[n], n), size=size,
                    outcome=key in OUTCOMES, fields=_named(table, word) if size == 1 else frozenset())  # fmt: skip
    if word in words.MONTHS or (word[:1].isdigit() and n + 1 < len(low)):
        at = next((k for k in (n, n + 1, n + 2) if k < len(low) and low[k] in words.MONTHS), -1)
        if at >= 0 and (day := in_words(said, at)):
            last = max(k for k in range(at, min(at + 3, len(said))) if k == at or low[k][:1].isdigit())
            return Part(word, n, moment=Moment(day), size=last - n + 1)
    if when := moment(said[n]):
        return Part(word, n, moment=when)
    if (number := _number(low, said, n)) is not None:
        if number[0].unit in _SMALLER:
            return _duration(low, said, n, *number)
        return Part(word, n, number=number[0], size=number[1])
    pair = f"{word}_{low[n + 1]}" if n + 1 < len(low) else ""
    if pair in OUTCOMES:
        return Part(pair, n, places=_outcome(table, pair), outcome=True, size=2)
    initials = word[0] + low[n + 1][0] if n + 1 < len(low) and word.isalpha() and low[n + 1].isalpha() else ""
    if word not in FUNCTION and (fields := table.named.get(initials)) and not table.prose:
        return Part(pair, n, fields=frozenset(fields), size=2)  # operating system: os
    return _word(table, said, low, n)


def _plain_word(said: list[str], n: int) -> bool:
    word = said[n].lower()
    return word in FUNCTION or (word in OPERATORS and said[n] != said[n].upper()) or word in words.EXTREMES


def _names(table: Table, places: Rows, word: str, n: int) -> bool:
    rows = frozenset().union(*places.values())
    if table.prose:
        special = any(c.isdigit() for c in word) or any(c in "/_@#." for c in word[:-1])
        special = special or (word[:1].isupper() and n > 0)
        return special and len(rows) <= PASSAGES
    return any(table.identity(name) and len(found) == 1 for name, found in places.items())


def _number(low: list[str], said: list[str], n: int) -> tuple[Quantity, int] | None:
    word, size = low[n], 1
    number = quantity(said[n].lstrip("("))
    if number is None:
        if word not in NUMBERS or word == "zero" or (word == "one" and not _counts_one(low, n)):
            return None
        number = Quantity(float(NUMBERS[word]))
    after = low[n + 1] if n + 1 < len(low) else ""
    value, unit, _, about = number
    if not unit and after in ("thousand", "million", "billion"):
        value, about, size = value * words.MULTIPLIERS[after], True, 2
        number = Quantity(value, "", number.decimals, True)
        after = low[n + 2] if n + 2 < len(low) else ""
    if not unit and words.unit(after) in UNITS and after not in FUNCTION:
        unit, size = words.unit(after), size + 1
    elif not unit and after == "per" and low[n + 2 : n + 3] == ["cent"]:
        unit, size = "%", size + 2
    elif not unit and after == "degrees":
        unit, size = "c", size + (2 if low[n + 2 : n + 3] == ["celsius"] else 1)
    if not unit and n and low[n - 1] in words.CURRENCIES:
        unit = low[n - 1].removesuffix("s")
    about = about or bool(n and low[n - 1] in ABOUT)
    return Quantity(value, unit, number.decimals, about), size


def _duration(low: list[str], said: list[str], n: int, number: Quantity, size: int) -> Part:
    """``8 min 10 s``, ``1 hour and 5 minutes``: one number."""
    text, kind = low[n], UNITS.get(number.unit, ("", 1.0))
    after = _number(low, said, n + 1) if number.unit == "m" and n + 1 < len(low) else None
    if after and after[0].unit in ("s", "sec"):
        number, kind = number._replace(unit="min"), UNITS["min"]
    while kind[0] == "time":
        at = n + size + (low[n + size : n + size + 1] == ["and"])
        more = _number(low, said, at) if at < len(low) else None
        if more and more[0].unit == "m":
            more = more[0]._replace(unit="min"), more[1]
        if not more or UNITS.get(more[0].unit, ("",))[0] != "time" or UNITS[more[0].unit][1] >= UNITS[number.unit][1]:
            break
        scale = UNITS[more[0].unit][1]
        value = number.value * UNITS[number.unit][1] / scale + more[0].value
        number, size = Quantity(value, more[0].unit, more[0].decimals, number.about), at + more[1] - n
    return Part(text, n, number=number, size=size)


def _counts_one(low: list[str], n: int) -> bool:
    after = low[n + 1] if n + 1 < len(low) else ""
    before = low[n - 1] if n else ""
    counted = after not in ("of", "that", "which", "with", "is", "was", "")
    return counted and before not in ("the", "only", "no", "every")


def _named(table: Table, word: str) -> frozenset[str]:
    plain = word in words.PLAIN or word in OPERATORS or word in words.EXTREMES
    return frozenset(table.named.get(stem(word), ())) if plain else table.mentioned(word)


def _word(table: Table, said: list[str], low: list[str], n: int) -> Part:
    word, after = low[n], low[n + 1] if n + 1 < len(low) else ""
    part = Part(word, n, fields=_named(table, word), measure=words.CLASSES.get(word, ""))
    part.ops = frozenset({OPERATORS[word]}) if word in OPERATORS and (word != "due" or after == "to") else frozenset()
    part.extreme, part.comparative = words.EXTREMES.get(word, ""), words.COMPARATIVES.get(word, "")
    if word in ("most", "least", "more", "less", "fewest"):
        side = "high" if word in ("most", "more") else "low"
        adjective = words.CLASSES.get(after) or ("count" if after in _COMMON else "")
        kind = f"{side} {adjective or 'any'}"
        part.size = 2 if adjective and after != "than" else 1
        if word in ("most", "least", "fewest"):
            majority = word == "most" and not adjective and (n == 0 or low[n - 1] not in ("the", "has", "have", "had"))
            part.extreme, part.ops = ("", frozenset({"most"})) if majority else (kind, frozenset())
        else:
            part.comparative = kind
        return part
    passing = word == PASSED and went_through(" ".join(said[n : n + PASSING]))
    if part.ops or part.extreme or part.comparative or word in FUNCTION or passing:
        return part
    root = stem(word)
    if table.prose and word in OUTCOMES and word not in REPORTING:
        part.places, part.outcome = _outcome(table, word), True
    elif root in table.stems and not (part.fields and word not in OUTCOMES):
        part.places = {name: frozenset(rows) for name, rows in table.stems[root].items()}
        part.outcome = word in OUTCOMES
    elif word in OUTCOMES and not part.fields:
        part.places = _outcome(table, word)
        if word in REPORTING and not part.rows:
            part.places = None
        part.outcome = part.places is not None
    if part.places is not None and table.prose and not part.outcome and word in REPORTING:
        part.places = None
    known = part.places is not None or part.fields or part.measure or root in words.REPORTING_STEMS or word in ABOUT
    joined = [stem(p) for p in word.split("-")]
    plain = (FUNCTION, words.PLAIN_STEMS, table.named, words.CLASSES)
    known = known or (len(joined) > 1 and all(any(p in some for some in plain) for p in joined))
    part.unknown = not known and words.unit(word) not in UNITS
    if word in words.CURRENCIES or word in ("celsius", "percent"):
        part.unknown = False
    return part


def _outcome(table: Table, word: str) -> Rows | None:
    """The rows whose status says the same as a word; none of the rows where a status says something else."""
    group = OUTCOMES[word]
    found = table.outcomes.get(group, {})
    if not found and group in ("good", "bad"):
        found = _codes(table, group == "good")
    return found or ({"": frozenset()} if table.outcomes else None)


def _codes(table: Table, good: bool) -> Rows:
    """Rows by the class of their HTTP status."""
    for name in table.numeric:
        cells = table.numbers(name)
        if ("status" in name.lower() or "code" in name.lower()) and all(
            HTTP <= q.value < HTTP_END for q in cells.values()
        ):
            return {name: frozenset(n for n, q in cells.items() if (q.value < HTTP_BAD) is good)}
    return {}
