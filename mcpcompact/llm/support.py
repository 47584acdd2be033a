"""What a summary may claim: the names and numbers of the source and of the facts computed from it.

A claim is supported when it stands there with its boundaries: a path may be the end of a longer one at a ``/``, a
number may have thousands separators. A short number stands somewhere in any long text, so it must also belong to the
words around it. Lines of the source that give orders to a model support nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from mcpcompact.llm.records import identifiers
from mcpcompact.llm.tabular import tables
from mcpcompact.llm.words import stem
from mcpcompact.patterns import regex

NEAR = 80  # characters between a short number and a word of its clause in the support
AROUND, QUOTE = 1_000, 400
"""Characters on each side of an order that may be of its line, and of a longer line what is left out behind it."""
SHORT = 4  # significant digits, or letters, from which a number, or a word of prose, stands for itself
MOST = 3_000  # occurrences of a word that are looked at
LOOKED = 4 << 20  # characters in which the surroundings of claims are looked up; the facts stand at their beginning
SURROGATES = range(0xD800, 0xE000)  # codes of UTF-16 that are half a character
WORDS = 80  # most words of a clause that is looked up as a whole
CONTEXTS = ((6, 6), (3, 3), (2, 2), (1, 1), (6, 0), (0, 6), (3, 0), (0, 3), (2, 0), (0, 2), (1, 0), (0, 1))
"""How many words before and behind a claim are looked up, the most telling first."""

_UNIT = (
    r"(?:%|°?[CF]|[µumn]?s|m|h|d|[kKMGT]?i?[Bb]?|[KMGT]i|[kMG]?bp|[kMG]?Hz|aa|nt|px|x|ms|min|sec|secs|mins|hrs?"
    r"|th|st|nd|rd)"
)
_BEHIND = rf"(?!\d)(?!\.\d){_UNIT}?(?![A-Za-z_])"
_NUMBER = r"\d[\d,_']*+(?:\.\d+)?"
_BEFORE_WORD = regex(rf"({_NUMBER})\s?{_UNIT}?[\"')\]]{{0,2}}(?:\s{{1,4}}|\s?[(\[|]\s?|\s?[x×]\s?)[\"'`]?\Z")
_AFTER_WORD = regex(
    r"[\"'`)\]]{0,2}\s{0,4}(?:[:=|]|of|is|was|are|were|in|at|after)?\s{0,4}[\"'`(\[#~$]{0,2}" + rf"({_NUMBER})"
)
_GAP = r"\W{1,40}?"
_ANY = r"\w(?:[\w.,/:@%'+$–-]*\w)?"
_LAST = regex(rf"(?<!\w)(?<!\w[.,/:@%'+$-])({_ANY})\W{{1,40}}\Z")
_COUNT = regex(rf"({_NUMBER}){_UNIT}?")
_STAMP = regex(r"\d{1,4}(?:[-:./T]\d{1,3})+(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?")
_ESCAPE = regex(r"\\(?:u([0-9a-fA-F]{4})|(.))")

_ORDERS = regex(
    r"(?i)\b(?:ignore|disregard|forget|override)\b[^\n]{0,40}\b(?:previous|prior|above|earlier|preceding|all|any|your"
    r"|system)\b[^\n]{0,30}\b(?:instruction|prompt|rule|context|direction|message|guideline|task)"
    r"|\byou (?:are|must) now\b|\bfrom now on,? (?:you|respond|answer|act)"
    r"|\b(?:respond|reply|answer|output|say|print|write)\b(?! (?:says|said|shows|is|was)\b)[^\n]{0,20}"
    r"\b(?:only|exactly|nothing but)\b[^\n]{0,20}"
    r"(?:with|:|the|\"|')|\b(?:only|exactly) (?:respond|reply|answer|output|say)\b"
    r"|\bdo not (?:mention|report|summari[sz]e|tell|reveal|include)\b|\bsystem prompt\b|\bnew instructions?\b"
    r"|\b(?:attention|note|message|instructions?) (?:to|for) (?:the )?(?:ai|llm|model|assistant|summari[sz]er)"
    r"|\bas an ai\b|</?(?:system|instructions?|tool-output)[\w-]*>|<\|im_(?:start|end)\|>"
    r"|\bact as (?:a|an|the)\b|\bpretend (?:to|that|you)\b"
    r"|\b(?:assistant|summari[sz]er|llm|language model)\b[^\n]{0,30}\b(?:must|should|shall|please|has to)\b"
    r"|\bin your (?:summary|answer|response|reply)\b|\bthe summary (?:must|should|shall)\b"
)


@dataclass(slots=True)
class Span:
    start: int
    end: int


def orders(text: str) -> list[Span]:
    """The parts of a text that give orders to a model: their line, or of a long line the string or 400 characters."""
    spans: list[Span] = []
    for match in _ORDERS.finditer(text):
        if spans and match.start() < spans[-1].end:
            continue
        low, high = max(0, match.start() - AROUND), match.end() + AROUND
        start, end = text.rfind("\n", low, match.start()) + 1 or low, text.find("\n", match.end(), high)
        end = min(high, len(text)) if end < 0 else end
        if end - start > AROUND:
            start = max(start, match.start() - 200, _quote(text, start, match.start(), last=True))
            end = min(end, match.end() + QUOTE)
            quote = _quote(text, match.end(), end, last=False)
            end = end if quote < 0 else quote
        elif text[match.start() : end].rstrip().endswith(":"):  # what it orders stands on the next line
            following = text.find("\n", end + 1, end + AROUND)
            end = following if following > 0 else min(len(text), end + AROUND)
        spans.append(Span(start, max(end, match.end())))
    return spans


def _quote(text: str, start: int, end: int, last: bool) -> int:
    """A JSON string's edge between two positions, -1 for none."""
    quotes = [at for at in range(start, end) if text[at] == '"' and (at == 0 or text[at - 1] != "\\")]
    return -1 if not quotes else quotes[-1] + 1 if last else quotes[0]


def gives_orders(text: str) -> bool:
    return _ORDERS.search(text) is not None


class Support:
    """The text that claims are looked up in. ``orders`` are the parts of the source left out of it; ``records`` says
    whether its records are computed with (a conversation has none)."""

    def __init__(self, source: str, facts: str = "", records: bool = True) -> None:
        self.orders: list[str] = []
        kept = [self._trusted(facts), self._trusted(source)]
        if "\\" in source:
            kept.append(_ESCAPE.sub(_unescaped, kept[1]))
        self.text = "\n".join(kept)
        self.lower = self.text.lower()
        if len(self.lower) != len(self.text):  # a few letters grow: positions must stay those of the text
            self.lower = self.text
        self.facts = kept[0]
        self.records = records
        self.tables = tables(kept[1]) if records else []
        self.prose = all(table.prose for table in self.tables)
        if self.prose and records:
            told = "\n".join(line for line in kept[0].splitlines() if not identifiers(line))  # the facts show a few
            self.tables += tables("\n".join([told, *kept[2:]]))
        self._numbers: dict[str, tuple[set[str], set[str], list[int]]] = {}

    def _trusted(self, text: str) -> str:
        parts, at = [], 0
        for span in orders(text):
            parts.append(text[at : span.start])
            self.orders.append(text[span.start : span.end])
            at = span.end
        return "\n".join([*parts, text[at:]]) if parts else text

    # -- names

    def verbatim(self, clause: str, facts: bool = False) -> bool:
        """Whether the words stand there, or in the facts alone, in this order, whatever the space between them."""
        text = self.facts if facts else self.text
        words = clause.split()
        if not 0 < len(words) <= WORDS:
            return False
        if all(map(text.__contains__, words)):
            pattern = r"\s+".join(map(re.escape, words))
            return re.search(rf"(?<![\w.]){pattern}(?!\w)(?![.,:]\d)", text) is not None
        return False

    def name(self, name: str, ignore_case: bool = False) -> bool:
        """Whether an identifier, path or URL stands there as a whole; a stamp may be the beginning of a longer one."""
        text = self.lower if ignore_case else self.text
        name = name.lower() if ignore_case else name
        if not name or name not in text:
            return False
        if _STAMP.fullmatch(name):
            return re.search(rf"(?<![\d.]){re.escape(name)}(?!\d)", text) is not None
        before = r"(?<![\w$])(?<!\w[-.:])" if name[0].isalnum() or name[0] == "_" else r"(?<![\w$])"
        return re.search(rf"{before}{re.escape(name)}(?![\w$])(?![.\-]\w)", text) is not None

    def word(self, word: str) -> bool:
        return re.search(rf"(?<!\w){re.escape(word.lower())}", self.lower) is not None

    # -- numbers

    def number(self, digits: str, left: list[str], right: list[str], unit: str = "") -> bool:
        """Whether a number (without separators) stands there; a short one beside its words (nearest first) or unit."""
        pattern = _number_pattern(digits)
        if pattern.search(self.text) is None:
            return False
        whole = digits.replace(".", "").lstrip("0")
        if len(whole) >= SHORT:
            return True
        if left and right and (between := self._between(left[0], right[0])):
            return digits in between
        words = [*right[:2], *left[:2]]
        if not words:
            return True
        beside = [(before or behind) for before, behind, _ in map(self._beside, right[:2])]
        beside += [(behind or before) for before, behind, _ in map(self._beside, left[:2])]
        if any(beside):
            return any(digits in known for known in beside)
        return self._near(pattern, words, unit)

    def _near(self, pattern: re.Pattern[str], words: list[str], unit: str) -> bool:
        """Whether a number stands near one of its words; where none of these stands anywhere, with its unit."""
        for word in words:
            for at in self._beside(word)[2]:
                if pattern.search(self.text, max(0, at - NEAR), at + len(word) + NEAR):
                    return True
        if not unit or any(self._beside(word)[2] for word in words):
            return False
        return re.search(rf"{pattern.pattern.removesuffix(_BEHIND)}\s?{re.escape(unit)}(?!\w)", self.text) is not None

    def contradicted(self, run: str, left: list[str], right: list[str], widest: bool = False) -> bool:
        """Whether the words around a claim (nearest first) stand in the support, but always around something else.

        The longest surroundings that stand there at all decide; with ``widest`` only the longest of the sentence do. Of
        a number only other numbers count, of a name names.
        """
        number = run[0].isdigit()
        tried = set()
        for before, behind in CONTEXTS[:1] if widest else CONTEXTS:
            words = (tuple(left[:before]), tuple(right[:behind]))
            if words in tried or not any(words) or not _telling(*words, number):
                continue
            tried.add(words)
            if not all(map(self.text.__contains__, words[0] + words[1])):
                continue
            told = False
            for other, line in self._around(*words):
                if _same(run, other) or (not number and run in line):
                    return False
                told = told or (other[0].isdigit() == number and (number or named(other) or not named(run)))
            if told:
                return True
        return False

    def _around(self, left: tuple[str, ...], right: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        """What stands between some words and others, and the line about it."""
        before = _GAP.join(map(re.escape, reversed(left)))
        behind = _GAP.join(map(re.escape, right)) + r"(?!\w)"
        if left:
            pattern = re.compile(rf"(?<!\w){before}{_GAP}({_ANY})" + (_GAP + behind if right else ""))
            matches = pattern.finditer(self.text, 0, LOOKED)
            yield from ((match[1], self._line(*match.span())) for match in islice(matches, MOST))
            return
        for match in islice(re.finditer(rf"(?<!\w){behind}", self.text[:LOOKED]), MOST):
            if found := _LAST.search(self.text, max(0, match.start() - 120), match.start()):
                yield found[1], self._line(*match.span())

    def _line(self, start: int, end: int) -> str:
        """The line that a place stands in, at most ``NEAR`` characters to each side."""
        first = self.text.rfind("\n", max(0, start - NEAR), start) + 1 or max(0, start - NEAR)
        last = self.text.find("\n", end, end + NEAR)
        return self.text[first : last if last >= 0 else end + NEAR]

    def _beside(self, word: str) -> tuple[set[str], set[str], list[int]]:
        """The numbers just before and just behind a word, and where the word stands."""
        known = self._numbers.get(word)
        if known is None:
            before: set[str] = set()
            after: set[str] = set()
            places: list[int] = []
            for start, end in self._places(word):
                places.append(start)
                if match := _BEFORE_WORD.search(self.text, max(0, start - 28), start):
                    before.add(plain(match[1]))
                if match := _AFTER_WORD.match(self.text, end, end + 40):
                    after.add(plain(match[1]))
            known = self._numbers[word] = before, after, places
        return known

    def _between(self, left: str, right: str) -> set[str]:
        """The numbers that stand between two words, where these stand around a number."""
        found = set()
        ending = re.compile(rf"\s?{_UNIT}?[\"')\]]{{0,2}}\s{{0,4}}[(\[|]?\s?{re.escape(stem(right.lower()))}")
        for _, end in self._places(left):
            match = _AFTER_WORD.match(self.lower, end, end + 40)
            if match and ending.match(self.lower, match.end(1)):
                found.add(plain(match[1]))
        return found

    def _places(self, word: str) -> Iterator[tuple[int, int]]:
        pattern = re.compile(
            rf"(?<!\w){re.escape(stem(word.lower()))}" + (r"[a-z]{0,4}(?!\w)" if word.isalpha() else r"(?!\w)")
        )
        yield from (match.span() for match in islice(pattern.finditer(self.lower), MOST))


def named(run: str) -> bool:
    """Whether a run is more than a word of prose."""
    return not run.isalpha() or (run != run.lower() and run != run.capitalize())


def _telling(left: tuple[str, ...], right: tuple[str, ...], number: bool) -> bool:
    """Whether surroundings say something: words on both sides, or several with one of prose; beside a number, a name.

    A name between names may be one of a list, which a summary shortens.
    """
    words = left + right
    if len(words) > 1 and ((left and right) or any(word.isalpha() and len(word) >= SHORT for word in words)):
        return True
    return number and any(named(word) and not word[0].isdigit() for word in words)


def _same(run: str, other: str) -> bool:
    number, whole = _COUNT.fullmatch(run), _COUNT.fullmatch(other)
    if number and whole:
        return plain(number[1]) == plain(whole[1])
    return run in other or (other in run and 3 * len(other) > 2 * len(run))


def plain(number: str) -> str:
    """A number without its separators."""
    return number.replace(",", "").replace("_", "").replace("'", "").rstrip(".")


def _number_pattern(digits: str) -> re.Pattern[str]:
    """A number with or without thousands separators, followed by a unit or by nothing that belongs to a number."""
    whole, _, rest = digits.partition(".")
    groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)][::-1]
    pattern = "[,_' \u00a0\u202f]?".join(groups) + (rf"\.{rest}" if rest else "")
    return re.compile(rf"(?<![\w])(?<!\d\.){pattern}{_BEHIND}")


def _unescaped(match: re.Match[str]) -> str:
    """What a JSON string says, for claims that were read from it."""
    if match[1]:
        code = int(match[1], 16)
        return " " if code in SURROGATES else chr(code)
    return {"n": "\n", "r": "\n", "t": "\t"}.get(match[2], match[2])
