"""What a summary may claim: the names and numbers of the source and of the facts computed from it.

A claim is supported when it stands there with its boundaries: a path may be the end of a longer one at a ``/``, a
number may have thousands separators. A short number stands somewhere in any long text, so it must also belong to the
words around it. Lines of the source that give orders to a model support nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from mcpcompact.llm.records import identifiers
from mcpcompact.llm.tabular import tables
from mcpcompact.llm.words import stem
from mcpcompact.patterns import regex

NEAR = 30  # characters between a short number and a word of its clause in the support
AROUND, QUOTE = 1_000, 400
"""Characters on each side of an order that may be of its line, and of a longer line what is left out behind it."""
SHORT = 4  # significant digits from which a number stands for itself
CONTEXT, MIN_CONTEXT = 6, 3  # words on each side of one that may be misquoted, and how many of them are needed
MAX = 3_000  # occurrences of a number that are looked at
SURROGATES = range(0xD800, 0xE000)  # codes of UTF-16 that are half a character
WORDS = 80  # most words of a clause that is looked up as a whole

_GAP, _ANY = r"\W{1,40}?", r"(\w(?:[\w.,/:@%'+$–-]*\w)?)"
_STAMP = regex(r"\d{1,4}(?:[-:./T]\d{1,3})+(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?")
_QUOTE = regex(r"(?<!\\)\"")
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


def orders(text: str) -> list[tuple[int, int]]:
    """The parts of a text that give orders to a model: their line, or of a long line the string or 400 characters."""
    spans: list[tuple[int, int]] = []
    for match in _ORDERS.finditer(text):
        if spans and match.start() < spans[-1][1]:
            continue
        start = max(match.start() - AROUND, text.rfind("\n", 0, match.start()) + 1, 0)
        end = _line_end(text, match.end())
        if end - start > AROUND:
            quotes = [quote.end() for quote in _QUOTE.finditer(text, start, match.start())]
            start = max(match.start() - QUOTE, *quotes[-1:], start)
            closing = _QUOTE.search(text, match.end(), min(end, match.end() + QUOTE))
            end = closing.start() if closing else min(end, match.end() + QUOTE)
        elif text[match.start() : end].rstrip().endswith(":"):  # what it orders stands on the next line
            end = _line_end(text, end + 1)
        spans.append((start, max(end, match.end())))
    return spans


def _line_end(text: str, at: int) -> int:
    """Where the line ends that goes on at a place, or how far it is looked at."""
    end = text.find("\n", at, at + AROUND)
    return end if end >= 0 else min(len(text), at + AROUND)


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
        self.facts = kept[0]
        self.records = records
        self.tables = tables(kept[1]) if records else []
        self.prose = all(table.prose for table in self.tables)
        if self.prose and records:
            general = "\n".join(line for line in kept[0].splitlines() if not identifiers(line))  # the facts show a few
            self.tables += tables("\n".join([general, *kept[2:]]))

    def _trusted(self, text: str) -> str:
        parts, at = [], 0
        for start, end in orders(text):
            parts.append(text[at:start])
            self.orders.append(text[start:end])
            at = end
        return "\n".join([*parts, text[at:]])

    def verbatim(self, clause: str, facts: bool = False) -> bool:
        """Whether the words stand there, or in the facts alone, in this order, whatever the space between them."""
        text = self.facts if facts else self.text
        words = clause.split()
        if not 0 < len(words) <= WORDS or not all(word in text for word in words):
            return False
        pattern = r"\s+".join(map(re.escape, words))
        return re.search(rf"(?<![\w.]){pattern}(?!\w)(?![.,:]\d)", text) is not None

    def name(self, name: str, ignore_case: bool = False) -> bool:
        """Whether an identifier, path or URL stands there as a whole; a stamp may be the beginning of a longer one."""
        text = self.lower if ignore_case else self.text
        name = name.lower() if ignore_case else name
        if not name or name not in text:
            return False
        if _STAMP.fullmatch(name):
            return re.search(rf"(?<![\d.]){re.escape(name)}(?!\d)", text) is not None
        before = r"(?<![\w$])(?<!\w[-.:])" if name[0].isalnum() else r"(?<![\w$])"
        return re.search(rf"{before}{re.escape(name)}(?![\w$])(?![.\-]\w)", text) is not None

    def number(self, digits: str, words: Iterable[str]) -> bool:
        """Whether a number (without separators) stands there; a short one near one of its words, where it has any."""
        roots = "|".join(re.escape(stem(word.lower())) for word in words)
        alone = not roots or len(digits.replace(".", "").lstrip("0")) >= SHORT
        beside = re.compile(rf"(?<![^\W\d])(?:{roots})[a-z]{{0,4}}(?!\w)")
        matches = islice(_number_pattern(digits).finditer(self.lower), MAX)
        return any(alone or beside.search(self.lower, match.start() - NEAR, match.end() + NEAR) for match in matches)

    def misquoted(self, words: list[str], n: int) -> bool:
        """Whether the words around a number, the ``n``-th of some, stand in the source, but always around another."""
        before, behind = words[max(0, n - CONTEXT) : n], words[n + 1 : n + 1 + CONTEXT]
        if len(before) + len(behind) < MIN_CONTEXT or not all(word in self.text for word in before + behind):
            return False
        pattern = _GAP.join([*map(re.escape, before), _ANY, *map(re.escape, behind)])
        others = {match[1] for match in islice(re.finditer(rf"(?<!\w){pattern}(?!\w)", self.text), MAX)}
        same = _number_pattern(plain(words[n]))
        return bool(others) and not any(same.match(other) for other in others)


def plain(number: str) -> str:
    """A number without its separators."""
    return number.replace(",", "").replace("_", "").replace("'", "").rstrip(".")


def _number_pattern(digits: str) -> re.Pattern[str]:
    """A number with or without thousands separators, followed by a unit or by nothing that belongs to a number."""
    whole, _, rest = digits.partition(".")
    groups = [whole[max(0, end - 3) : end] for end in range(len(whole), 0, -3)][::-1]
    pattern = "[,_' \u00a0\u202f]?".join(groups)
    fraction = rf"\.{rest}" if rest else ""
    return re.compile(rf"(?<![\w])(?<!\d\.){pattern}{fraction}(?!\d)(?!\.\d)[a-zµ°%]{{0,4}}(?![A-Za-z_])")


def _unescaped(match: re.Match[str]) -> str:
    """What a JSON string says, for claims that were read from it."""
    if match[1]:
        code = int(match[1], 16)
        return " " if code in SURROGATES else chr(code)
    return {"n": "\n", "r": "\n", "t": "\t"}.get(match[2], match[2])
