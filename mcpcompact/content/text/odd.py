"""What is odd in plain text: far numbers, and words that occur once where nearly all others repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import accumulate

from mcpcompact.content.anomalies.lines import LINE, Odd, Tally, choose, far_reason, loud_lines, single_shapes
from mcpcompact.content.anomalies.numbers import giants
from mcpcompact.content.anomalies.thresholds import GIANT_LEAST, MIN_RARE
from mcpcompact.content.anomalies.words import LOUD, LOUD_DATA, LOUD_PROSE
from mcpcompact.outline import Keep
from mcpcompact.patterns import holding, regex

MAX_LINES = 50_000  # that are looked at one by one; the loud words are searched for everywhere
MIN_LINES = 12  # of a text of which one can be odd
MIN_NUMBERED = 40  # lines before a number among theirs can be far from the others
RUN, LINKED = 3, 10  # first lines that tell of a program; one line in so many with an address makes a list of pages
COMMON = 0.3  # of the lines, those with a number where numbers are what the text is about
_SETS = frozenset('="')  # signs that what stands behind a name is its value and not the first word of a sentence
_NUMBER = regex(r"\d(?<![\w.,#:/+-].)\d{0,14}(?![\w,:/-])(?!\.\d)")  # begins with what is quickly looked for
_RUN = regex(r"(?i)[ \t]*(?:exit ?code\b|traceback \(|[$>] \S|❯ \S|code output\b|stdout\b|command\b.{0,20}:)")
_ANY_NUMBER = regex(r"\d(?:\d|,(?=\d))*")
_END = regex(r"[.!?…][\"')\]]{0,2}(?=\s)|[。！？]")  # of a sentence
_WORD = regex(r"[^\W\d_]{3,40}")
_TIMED = regex(r"(?i)“?(?:\w*(?:elapsed|time|took|duration)|eta|pid|port|m?s|secs?|seconds?|min|minutes?)\b")
MIN_USES = 60  # uses of a key or a place before one value among them can be rare
QUIET = 150  # a loud word is rare on one line in so many
MIN_PROSE = 400  # words of a text in which one can be the only one
MIN_LONE, LONE = 4, 50  # letters of a word; one in so many stands alone where nearly all others repeat
MAX_VOCABULARY, MAX_LONE, FEW_LONE = 20_000, 4, 3
GIANT_IN_MANY, MANY = 1_000, 10  # a smaller number is far from all others where there are many different ones
SENTENCES = 3  # of prose, a sentence ends on one line in so many
MAX_TOKENS, TOKEN = 2, 6  # lines that hold one token among sentences, and its least characters
WORDED = 20  # one line in so many may be a single word where the others are sentences
_TOKEN = regex(r"(?=[^\d\s]*\d)[A-Za-z][\w.-]{0,40}(?:\{[^\s{}]{3,200}\}|=[^\s=]{3,200})$")


def odd_lines(lines: Sequence[str], filled: Sequence[int]) -> dict[int, Odd]:
    """The odd lines of a text, a dozen: loud, rare or far from all others."""
    if len(filled) < MIN_LINES:
        return {}
    starts = [*accumulate(map((1).__add__, map(len, lines[:-1])), initial=0)]
    whole = "\n".join(lines)
    odd: list[Odd] = []
    if len(filled) >= MIN_RARE:
        odd += loud_lines(whole, starts, [*LOUD, *LOUD_DATA, *LOUD_PROSE], most=max(1, len(filled) // QUIET))
    tally = Tally()
    some = filled[:MAX_LINES]
    for i in some:
        tally.add(i, lines[i])
    odd += [o for o in _firm(tally) if o.keep is not Keep.RARE or not _SETS.isdisjoint(lines[o.line])]
    odd += [Odd(some[o.line], o.keep, o.reason, o.template) for o in far_numbers([lines[i] for i in some], COMMON)]
    links = len(holding(lines, ["://"]))  # a program wrote it, and quotes what others wrote: no word of that is odd
    printed = links * LINKED >= len(filled) or any(_RUN.match(lines[i]) for i in filled[:RUN])
    if not printed and len(_END.findall(whole)) * SENTENCES >= len(lines):
        odd += [o for o in _lone_words(lines) if o.line != filled[0]]  # a title is said once
    odd += [Odd(o.line, o.keep, "", "") for o in single_shapes(lines, some)]
    return choose(odd)


def far_numbers(lines: Sequence[str], common: float = 0.0) -> list[Odd]:
    """One or two integers over 10,000 (1,000 among ten), 50 times larger than all others; no dates, no powers.

    ``common``: the part of the lines that must hold a number; where few do, one says nothing about another.
    """
    if len(lines) < MIN_NUMBERED:
        return []
    first: dict[int, int] = {}
    again: set[int] = set()
    by_line = [_NUMBER.findall(line, 0, LINE) for line in lines]
    if sum(map(bool, by_line)) < common * len(lines):
        return []
    for i, numbers in enumerate(by_line):
        for number in map(int, numbers):
            if first.setdefault(number, i) != i:
                again.add(number)
    far, rest = giants(first, first.keys() - again, GIANT_LEAST if len(first) < MANY else GIANT_IN_MANY)
    others = (number.replace(",", "") for line in lines for number in _ANY_NUMBER.findall(line))
    plain = any(int(number[:20]) > rest for number in others if int(number[:20]) not in far) if far else False
    reasons = ["" if plain else far_reason(n, far, rest, plain=False) for n in far]
    return [Odd(first[n], Keep.OUTLIER, why, f"far {n}") for n, why in zip(far, reasons, strict=True)]


def _firm(tally: Tally) -> list[Odd]:
    """The odd values of a tally; one of a key only among many, for a short text repeats by chance and its ports and ids
    are of no bulk; no time that something took, which is never twice the same."""
    totals = {name: key.count.total() for name, key in tally.keys.items()}
    odd = [o for o in tally.odd(least=MIN_LINES) if not _TIMED.match(o.reason)]
    return [o for o in odd if totals.get(o.template.partition(" ")[2], MIN_USES) >= MIN_USES]


def tokens(lines: Sequence[str], filled: Sequence[int]) -> list[int]:
    """The one or two lines among sentences that hold a token alone, with digits and braces or a value: ``key=4af3``."""
    if len(filled) < MIN_NUMBERED:
        return []
    stripped = ((i, lines[i].strip()) for i in filled if "=" in lines[i] or "}" in lines[i])
    places = [i for i, line in stripped if len(line) >= TOKEN and " " not in line and _TOKEN.match(line)]
    if not 0 < len(places) <= MAX_TOKENS:
        return []
    return places if sum(" " not in lines[i].strip() for i in filled) * WORDED <= len(filled) else []


def _lone_words(lines: Sequence[str]) -> list[Odd]:
    """Words, and names of people and places, that occur once where nearly all others repeat: none in natural prose."""
    counts, place = Counter[str](), dict[str, int]()
    for i, line in enumerate(lines):
        counts.update(here := _WORD.findall(line))
        place |= dict.fromkeys(here, i)
        if len(counts) > MAX_VOCABULARY:
            return []
    if counts.total() < MIN_PROSE:
        return []
    odd = []
    for kind, words in (
        ("name", [w for w in counts if w[0].isupper() and w.lower() not in counts and not w.isupper()]),
        ("word", [w for w in counts if w.islower() and len(w) >= MIN_LONE]),
    ):
        lone = [w for w in words if counts[w] == 1]
        if 0 < len(lone) <= max(FEW_LONE, len(words) // LONE) and len(lone) * 2 <= max(2 * FEW_LONE, len(words)):
            places: dict[int, list[str]] = {}
            for word in lone:
                places.setdefault(place[word], []).append(word)
            for i, own in places.items():
                odd.append(Odd(i, Keep.RARE, f"{' '.join(own)}: stands only here", f"lone {kind}"))
    return odd if len(odd) <= MAX_LONE else []
