"""What is odd in plain text: far numbers, and words that stand out at their place in repeated sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence

from mcpcompact.content.anomalies.lines import (
    LOUD,
    LOUD_DATA,
    Odd,
    Tally,
    choose,
    far_reason,
    loud_lines,
    single_shapes,
)
from mcpcompact.outline import Keep
from mcpcompact.patterns import regex

LINES_MOST = 50_000
"""Lines that are looked at one by one; the loud words are searched for everywhere."""

LEAST = 40  # lines before a number among theirs can be far from the others
RUN, LINKED = 3, 10  # first lines that tell of a program; one line in so many with an address makes a list of pages
COMMON = 0.3  # of the lines, those with a number where numbers are what the text is about
_SETS = frozenset('="')  # signs that what stands behind a name is its value and not the first word of a sentence
_WORDS_MOST = 40  # of a sentence
_NUMBER = regex(r"(?<![\w.,#:/+-])\d{1,15}(?![\w,:/-])(?!\.\d)")
_RUN = regex(r"(?i)[ \t]*(?:exit ?code\b|traceback \(|[$>❯] \S|code output\b|stdout\b|command\b.{0,20}:)")
_ANY_NUMBER = regex(r"\d(?:\d|,(?=\d))*")
_DATE = regex(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")
_END = regex(r"[.!?…][\"')\]]{0,2}(?=\s)|[。！？]|\n[ \t\r]*(?=\n)")
_WORD = regex(r"[^\W\d_]{3,40}")
_GROUPED = regex(r"\d{1,3}(?:,\d{3})+")
_LOUD_PROSE = ("outage", "breach", "unrecoverable", "data loss", "emergency", "catastroph", "UNMET", "urgent")
_VALUES_MOST = 12  # of a word that is followed by one of a few
_RARE_LEAST = 60  # uses of a key or a place before one value among them can be rare
_SLOT_LEAST = 24  # sentences of one form, or uses of one word, before a value among them can be odd


def odd_lines(text: str, lines: Sequence[str], filled: Sequence[int]) -> dict[int, Odd]:
    """The odd lines of a text, at most a dozen: loud, rare or far from all others."""
    if len(filled) < 12:
        return {}
    starts, at = [], 0
    for line in lines:
        starts.append(at)
        at += len(line) + 1
    whole = "\n".join(lines)
    found: list[Odd] = []
    if len(filled) >= 20:
        found += loud_lines(whole, starts, [*LOUD, *LOUD_DATA, *_LOUD_PROSE], most=max(1, len(filled) // 150))
    tally = Tally()
    some = filled[:LINES_MOST]
    for i in some:
        tally.add(i, lines[i])
    found += [o for o in _firm(tally) if o.keep is not Keep.RARE or not _SETS.isdisjoint(lines[o.line])]
    found += [Odd(some[o.line], o.keep, o.reason, o.template) for o in far_numbers([lines[i] for i in some], COMMON)]
    sentences = [] if _printed(lines, filled) else _sentences(whole, starts)
    if sentences:
        found += _slots(sentences)
        found += _lone_words(whole, starts)
    found += [Odd(o.line, o.keep, "", "") for o in single_shapes(lines, some)]
    return choose(found)


def _printed(lines: Sequence[str], filled: Sequence[int]) -> bool:
    """Whether a program wrote this, and quotes what others wrote: no word of it is odd."""
    links = sum("://" in lines[i] for i in filled)
    return links * LINKED >= len(filled) or any(_RUN.match(lines[i]) for i in filled[:RUN])


def far_numbers(lines: Sequence[str], common: float = 0.0) -> list[Odd]:
    """One or two integers over 10,000 (1,000 among ten), 50 times larger than all others; no dates, no powers.

    ``common``: the part of the lines that must hold a number; where few do, one says nothing about another.
    """
    if len(lines) < LEAST:
        return []
    first: dict[int, int] = {}
    again: set[int] = set()
    found = [_NUMBER.findall(line, 0, 600) for line in lines]
    if sum(map(bool, found)) < common * len(lines):
        return []
    for i, numbers in enumerate(found):
        for number in map(int, numbers):
            if first.setdefault(number, i) != i:
                again.add(number)
    ordered = sorted(first)
    least_far = 10_000 if len(ordered) < 10 else 1_000
    rest = ordered[-3] if len(ordered) > 2 else 0
    far = [n for n in ordered[-2:] if n >= least_far and n > 50 * max(rest, 20) and n not in again]
    far = [n for n in far if n & (n - 1) and n & (n + 1) and str(n).rstrip("0") != "1" and not _DATE.fullmatch(str(n))]
    others = (number.replace(",", "") for line in lines for number in _ANY_NUMBER.findall(line))
    plain = any(int(number[:20]) > rest for number in others if int(number[:20]) not in far) if far else False
    return [Odd(first[n], Keep.OUTLIER, far_reason(n, far, rest, plain=plain), f"far {n}") for n in far]


def _slots(sentences: Sequence[tuple[int, str]]) -> list[Odd]:
    """Values apart from the others in the same place: of sentences of one form, and behind or before one word."""
    forms: Counter[tuple[int, str]] = Counter()
    split: list[tuple[int, list[str]]] = []
    for line, sentence in sentences:
        words = [word.strip("\"'()[]{}<>,.;:!?`*") or word for word in sentence[:600].split(None, _WORDS_MOST)]
        words = [word.replace(",", "") if _GROUPED.fullmatch(word) else word for word in words[:_WORDS_MOST]]
        split.append((line, words))
        if words:
            forms[(len(words), words[0])] += 1
    near: Counter[str] = Counter(word for _, words in split for word in words)
    tally = Tally(literals_only=True)
    for line, words in split:
        alike = bool(words) and forms[(len(words), words[0])] >= _SLOT_LEAST
        for k, word in enumerate(words):
            if len(word) > 80:
                continue
            if alike and k:
                tally._put(f"word {k + 1} of sentences like “{words[0]} …”", word, line)
            before = words[k - 1] if k else ""
            follows = word[:1].isdigit() or (len(before) > 1 and before.isalpha() and not word.islower())
            if before and follows and near[before] >= _SLOT_LEAST and len(before) < 40:
                tally._put(f"“{before}”", word, line)
            behind = words[k + 1] if k + 1 < len(words) else ""
            if behind and word[0].isdigit() and near[behind] >= 12 and behind[0].isalpha() and len(behind) < 40:
                tally._put(f"before “{behind}”", word, line)
    for name, key in tally.keys.items():  # what follows a word in natural prose is no set of values
        if name[0] == "“" and len(key.count) > _VALUES_MOST and not all(v[:1].isdigit() for v in key.count):
            key.count.clear()
    return [o for o in _firm(tally) if len(o.reason) < 160]


def _firm(tally: Tally) -> list[Odd]:
    """The odd values of a tally; a rare one only among many, for a short text repeats by chance."""
    totals = {f"value {name}": key.count.total() for name, key in tally.keys.items()}
    return [o for o in tally.odd(least=12) if o.keep is not Keep.RARE or totals.get(o.template, 0) >= _RARE_LEAST]


def _lone_words(text: str, starts: Sequence[int]) -> list[Odd]:
    """Words, and names of people and places, that occur once where nearly all others repeat: none in natural prose."""
    counts: Counter[str] = Counter()
    first: dict[str, int] = {}
    for match in _WORD.finditer(text):
        word = match.group()
        counts[word] += 1
        first.setdefault(word, match.start())
        if len(counts) > 20_000:
            return []
    if counts.total() < 400:
        return []
    found = []
    for said, words in (
        ("name", [w for w in counts if w[0].isupper() and w.lower() not in counts and not w.isupper()]),
        ("word", [w for w in counts if w.islower() and len(w) > 3]),
    ):
        lone = [w for w in words if counts[w] == 1]
        if 0 < len(lone) <= max(3, len(words) // 50) and len(lone) * 2 <= max(6, len(words)):
            places: dict[int, list[str]] = {}
            for word in lone:
                places.setdefault(bisect_right(starts, first[word]) - 1, []).append(word)
            found += [
                Odd(line, Keep.RARE, f"{' '.join(ws)}: stands only here", f"lone {said}") for line, ws in places.items()
            ]
    return found if len(found) <= 4 else []


def _sentences(text: str, starts: Sequence[int]) -> list[tuple[int, str]]:
    """Sentences with the line they begin on, at most ``LINES_MOST``; none of what is no prose: the words of commands'
    outputs have no places."""
    ends = [match.end() for match in _END.finditer(text)]
    if sum(1 for end in ends if text[end - 1] not in "\n \t\r") * 3 < len(starts):
        return []
    found = []
    start = 0
    for end in [*ends[:LINES_MOST], len(text)]:
        sentence = text[start:end].strip()
        if sentence:
            lead = len(text[start:end]) - len(text[start:end].lstrip())
            found.append((max(0, bisect_right(starts, start + lead) - 1), sentence))
        start = end
    return found
