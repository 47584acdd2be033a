"""What is odd among lines of source, configuration and diffs, without knowing the language.

Three rules, all on statistics of the whole: a value that stands apart from the others of its key (rare, or far outside
their bulk), a line whose shape occurs once in a file of repeats, and a loud word that is rare. Ordinary programs have
few repeats and so raise nothing but rare loud words."""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field
from heapq import merge
from itertools import chain, islice, zip_longest
from typing import NamedTuple

from mcpcompact.content.anomalies.numbers import fences, giants, median
from mcpcompact.content.anomalies.rare import uncommon
from mcpcompact.content.anomalies.thresholds import GIANT_LITERAL, MAX_ODD, MAX_OUTLIERS, MIN_SHAPED, REPEATED, REPEATS
from mcpcompact.content.anomalies.words import LOUD_DATA
from mcpcompact.outline import Keep, record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import clipped

LINE, PAIRS, CELLS = 600, 12, 40  # characters of a line that are read; pairs and cells of one
MIN_SHAPES, MAX_KINDS = 50, 400  # values before the shape of one can be rare; different ones that are compared
MAX_FORMS = 5  # shapes of a key of which one can be odd
IDENTIFIER = 40  # characters; the shape of a longer one (an image, an address, a hash) says nothing
OFTEN, TOLD = 8, 5  # times that a key occurs which is summed up; of so many
TOP, SHOWN = 3, 40  # values of a key that are named; characters of each
UNIT, UNITS = 4, 3  # characters of a unit; different ones of a key, few of which are mere spellings
NUMERIC = 0.9  # share of numbers in a key of numbers
MAX_WEIGHT = 2_000  # numbers of a key whose quantiles are taken: more are scaled down
MIN_LITERALS, MIN_KINDS = 20, 8  # of a program's numbers before one can be far from the others; different ones
HOUR, STAMPS = 3_600, ("1", *map(str, range(1_000, 2_000)))  # a program's times: of a day, of a year; moments
MAX_SHAPES, VARIED = 20_000, 4  # of lines; times the shapes that the lines of a file of repeats are
_DIGITS = regex(r"\d+")
_LETTERS = regex(r"[^\W\d_]+")
_PAIR = regex(
    r"""(?<![\\\w.])([A-Za-z_][\w.-]{0,60})["']?\s{0,3}(?::=|=>|[:=])(?!//)\s{0,20}[\[(]?"""
    r"""("[^"]{0,160}"|'[^']{0,160}'|-?\d[\w.:+%-]{0,60}|[A-Za-z_/~$][\w./:@$~-]{0,120})"""
)
_GOES_ON = regex(r" [^\W\d][\w'-]*+(?!\s*[:=])")  # behind the first word of several: no value
_BLOCKS = ("'''", '"""')  # begin a text of which the pair holds nothing
_LIST_SCALAR = regex(r"""\s*- +["']?([^\s"'#:{\[][^"'#]{0,80}?)["']?\s*$""")
_OPEN_KEY = regex(r"\s*(?:- )?[\"']?([\w.-]{1,60})[\"']?:\s*$")
_TUPLE = regex(r"(?:^\s*|\bVALUES\s*)\(([^()]{3,600})\)", re.IGNORECASE)
_CELL = regex(r"'(?:[^']|'')*'|[^,']+")
_NUMBER = regex(r"-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_LITERAL = regex(r"\d(?<![\w.#-].)\d{0,14}(?![\w.-])")  # begins with what is quickly looked for
_SAMPLE = regex(r"([A-Za-z_:][\w:.]{0,120})(?:\{[^{}]{0,500}\})? (-?\d[\d.eE+-]{0,40})(?: \d{9,14})?$")  # OpenMetrics
_TEXT = regex(r"\"[^\"]*\"|'[^']*'|`[^`]*`")  # digits in it, as of an address, are no number
_SHAPE = regex(r"\"[^\"]{0,300}\"|'[^']{0,300}'|`[^`]{0,300}`|\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b|\d+")


class Odd(NamedTuple):
    """One line that stands out: its index, how, and why in a few words."""

    line: int
    keep: Keep
    reason: str
    template: str


def place(template: str, text: str) -> int:
    """Where in ``text`` the odd thing stands: a loud word, a number far above the others; -1 where it is the whole."""
    kind, _, what = template.partition(" ")
    if kind == "loud":
        return next((at for at in _places(text, what) if _bounded(text, at, what)), -1)
    return text.find(what) if kind == "far" else -1


@record
class _Key:
    count: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)  # where each value first stands


class Tally:
    """Key-wise statistics of ``key: value``, ``key = value``, list scalars and SQL tuples. Feed lines, then ask ``odd``."""

    MAX_KEYS, MAX_VALUES = 5_000, 200_000

    def __init__(self, literals_only: bool = False) -> None:
        self.literals_only = literals_only  # in programs a bare name is a variable, not a value
        self.keys: dict[str, _Key] = {}
        self._values = 0
        self._parent = "-"
        self.numbers: Counter[int] = Counter()  # literals of programs, whatever their names
        self._number_first: dict[int, int] = {}

    def add(self, index: int, text: str) -> None:
        """One line; only the first ``LINE`` characters are looked at, ``PAIRS`` pairs at most."""
        text = text[:LINE]
        if ":" in text or "=" in text:
            if text.rstrip()[-1:] == ":" and (opened := _OPEN_KEY.match(text)):
                self._parent = opened[1]
                return
            self._add_pairs(text, index)
        elif "- " in text and (scalar := _LIST_SCALAR.match(text)):
            self.put(f"{self._parent}[]", scalar[1], index)
        for number in map(int, _LITERAL.findall(_TEXT.sub("", text)) if self.literals_only else ()):
            self.numbers[number] += 1
            self._number_first.setdefault(number, index)
        if "(" in text and "," in text and (row := _TUPLE.search(text)):
            cells = _CELL.findall(row[1])
            for n, cell in enumerate(cells[:CELLS]):
                self.put(f"value {n + 1} of {len(cells)}", cell.strip().strip("'"), index)

    def _add_pairs(self, text: str, index: int) -> None:
        put, either = self.put, text.find(" ? ")
        for n, match in enumerate(_PAIR.finditer(text)):
            name, value = match.groups()
            if n == PAIRS:
                break
            colon = ":" in (between := text[match.end(1) : match.start(2)])
            choice = match.end() == either or (-1 < either < match.start() and between.strip() == ":")
            phrase = colon and value[0].isalpha() and _GOES_ON.match(text, match.end())
            phrase = choice or phrase or text[match.start(2) : match.start(2) + 3] in _BLOCKS
            if not phrase and (not self.literals_only or value[0] in "-0123456789"):
                value = value.strip("\"'")
                put(_DIGITS.sub("#", name), value, index)
                if "_" in name and name.isupper():  # AUTH_TIMEOUT, CART_TIMEOUT
                    put(f"*_{(ending := name.rpartition('_')[2])}", value, index)
                    if not self.literals_only:
                        put("key ending", ending, index)
        if not self.literals_only and text[-1:].isdigit() and "} " in text and (sample := _SAMPLE.match(text)):
            put(sample[1], sample[2], index)

    def put(self, name: str, value: str, index: int) -> None:
        key = self.keys.get(name)
        if key is None:
            if len(self.keys) >= self.MAX_KEYS:
                return
            key = self.keys[name] = _Key()
        if value not in key.first:
            if self._values >= self.MAX_VALUES:
                return
            self._values += 1
            key.first[value] = index
        key.count[value] += 1

    def summary(self) -> list[str]:
        """Repeated keys, the most frequent first: how often, the range of numbers, or the most frequent values."""
        lines: list[str] = []
        for less, name in sorted((-key.count.total(), name) for name, key in self.keys.items()):
            total, key = -less, self.keys[name]
            if total < OFTEN or len(lines) >= TOLD:
                break
            if len(key.count) == total and len(lines) > 1:
                continue  # all different: a name, worth a line only when nothing else repeats
            if values := _values(key, total):
                lines.append(f"{name} ×{total:,}: {values}")
        return lines

    def odd(self, least: int) -> list[Odd]:
        """Values that stand apart in keys seen at least ``least`` times."""
        odd: list[Odd] = []
        for name, key in self.keys.items():
            total = key.count.total()
            if total >= least:
                odd += _numeric(name, key, total) or _rare(name, key, total, not self.literals_only)
        if self.numbers.total() >= MIN_LITERALS and len(self.numbers) >= MIN_KINDS:
            far, rest = giants(self.numbers, [n for n, count in self.numbers.items() if count <= 2], GIANT_LITERAL)
            reasons = [(n, far_reason(n, far, rest, plain=True)) for n in far if n % HOUR and str(n)[:-9] not in STAMPS]
            odd += [Odd(self._number_first[n], Keep.OUTLIER, reason, f"far {n}") for n, reason in reasons]
        return odd


def far_reason(number: int, far: Sequence[int], rest: int, *, plain: bool) -> str:
    """Why a number stands out; ``plain``: larger ones may stand within texts, names, fractions and the like."""
    if plain or not rest:
        return "an integer far from the others of its lines" if rest else "the only number of its size"
    beside = "".join(f" and {n:,}" for n in far if n != number)
    return f"all numbers but this{beside} are at most {rest:,}"


def _values(key: _Key, total: int) -> str:
    numbers = [float(v) for v in key.count if _NUMBER.fullmatch(v) and "_" not in v]
    if len(numbers) == len(key.count) and len(numbers) > TOP:
        low, high = min(key.count, key=float), max(key.count, key=float)
        return f"{clipped(low, SHOWN)}–{clipped(high, SHOWN)}"
    top = sorted(key.count.items(), key=lambda c: (-c[1], c[0]))
    if top[0][1] == 1:
        return f"all different, {clipped(top[0][0], SHOWN)} …"
    if 2 * sum(count for _, count in top[:TOP]) < total:
        return ""  # names, of which some stand again
    shown, rest = ", ".join(f"{clipped(value, SHOWN)} {count:,}" for value, count in top[:TOP]), len(top) - TOP
    return shown + (f", {rest:,} other{'s' * (rest > 1)}" if rest > 0 else "")


def _numeric(name: str, key: _Key, total: int) -> list[Odd]:
    """Numbers far from the others of their key, whatever their units."""
    numbers, units = dict[str, float](), set[str]()
    for value in key.count:
        match = _NUMBER.match(value)
        unit = value[match.end() :] if match else "."
        if match and len(unit) <= UNIT and not any(c.isdigit() or c in ".:/-" for c in unit):  # no version, no time
            numbers[value] = float(match[0].replace("_", ""))
            units.add(unit)
    covered = sum(key.count[value] for value in numbers)
    if covered < NUMERIC * total or len(units) > UNITS or len(numbers) <= 1:
        return []
    ordered: list[float] = []
    for value, number in sorted(numbers.items(), key=lambda pair: pair[1]):
        ordered += [number] * min(key.count[value], 1 + MAX_WEIGHT * key.count[value] // total)
    low, high = fences(ordered)
    far = [value for value, number in numbers.items() if not low < number < high]
    rising = len(numbers) == total and [*numbers.values()] == sorted(numbers.values())
    if not 0 < len(far) <= MAX_OUTLIERS or rising:
        return []
    middle = median(ordered)
    usual = min(numbers, key=lambda value: abs(numbers[value] - middle))
    typical = f"typically {usual} (of {total:,} values)"
    return [Odd(key.first[v], Keep.OUTLIER, f"{name} {v}, {typical}", f"number {name}") for v in far]


def _rare(name: str, key: _Key, total: int, shapes: bool) -> list[Odd]:
    """Uncommon values, else one of an uncommon shape (digits, then letters masked)."""
    shapes &= total >= MIN_SHAPES and len(key.count) < total  # names that all differ are of any shape
    views: list[Callable[[str], str]] = [str, _masked, _spelled] if shapes else [str]
    for view in views:
        groups, sample = Counter[str](), dict[str, str]()
        for value, count in key.count.items():
            shape = view(value)
            groups[shape] += count
            sample.setdefault(shape, value)
            if len(groups) > MAX_KINDS:
                break
        rare = [shape for shape in uncommon(groups) if view is str or len(sample[shape]) <= IDENTIFIER]
        if view is str and not rare and min(groups.values()) > 1:
            return []
        if not rare or (view is not str and (len(rare) > 1 or len(groups) > MAX_FORMS)):
            continue
        two = view is str and len(groups) == len(rare) + 1
        usual = f", else {clipped(groups.most_common(1)[0][0], SHOWN)}" if two else ""
        return [
            Odd(key.first[v], Keep.RARE, f"{name} {v}: {key.count[v]:,} of {total:,}{usual}", f"value {name}")
            for v in map(sample.__getitem__, rare)
        ]
    return []


def _masked(value: str) -> str:
    return _DIGITS.sub("#", value)


def _spelled(value: str) -> str:
    return _LETTERS.sub("a", _masked(value))


def single_shapes(lines: Sequence[str], indices: Sequence[int], edges: bool = True) -> list[Odd]:
    """Lines whose shape (strings and numbers masked) occurs once in a file of repeats."""
    if len(indices) < MIN_SHAPED:
        return []
    shapes, first = Counter[str](), dict[str, int]()
    for total, i in enumerate(indices, 1):
        shape = _SHAPE.sub("#", lines[i][:300].strip())
        shapes[shape] += 1
        first.setdefault(shape, i)
        if len(shapes) > MAX_SHAPES or (len(shapes) > MAX_KINDS and len(shapes) * VARIED > total):
            return []
    repeats = sum(count for count in shapes.values() if count >= REPEATED)
    single = [s for s, count in shapes.items() if count == 1]
    edge_low, edge_high = indices[min(8, len(indices) - 1)], indices[-4]
    if edges:  # heads and tails of files are single by nature
        single = [s for s in single if edge_low <= first[s] <= edge_high]
    if repeats < REPEATS * total or not single or len(single) > max(3, total // 80):
        return []
    return [Odd(first[s], Keep.RARE, f"the only line of its shape in {total:,}", "shape") for s in single]


def loud_lines(text: str, starts: Sequence[int], words: Iterable[str], *, most: int) -> list[Odd]:
    """Lines with a loud word that at most ``most`` lines hold, rarest word first; ``starts`` are line offsets."""
    by_word: list[tuple[int, list[int], str]] = []
    for word in words:
        needle = word.replace("_", " ")
        hits: list[int] = []
        for at in _places(text, needle):
            line = bisect_left(starts, at + 1) - 1
            if (not hits or hits[-1] != line) and _bounded(text, at, needle):
                hits.append(line)
            if len(hits) > most:
                break
        if 0 < len(hits) <= most:
            by_word.append((len(hits), hits, needle))
    by_word.sort(key=lambda f: (f[0], f[1]))
    return [Odd(line, Keep.SEVERE, "", f"loud {word}") for _, hits, word in by_word for line in hits]


def _places(text: str, word: str) -> Iterator[int]:
    """Where a word stands, in order; one in small letters also with a capital, and in capitals."""
    forms = (word, word.capitalize(), word.upper()) if word.islower() else (word,)
    return merge(*((match.start() for match in re.finditer(re.escape(form), text)) for form in forms))


def _bounded(text: str, at: int, needle: str) -> bool:
    """Most words stand alone (``ERROR``, not ``ERROR_CODES``); some may go on (``crash``, ``crashes``)."""
    before = text[at - 1 : at]
    after = text[at + len(needle) : at + len(needle) + 1]
    if before.isalnum() or before in ("_", "-"):
        return False
    if needle.isupper() or needle in LOUD_DATA:
        return not (after.isalnum() or after == "_")
    return True


def choose(odd: Iterable[Odd], most: int = MAX_ODD) -> dict[int, Odd]:
    """The strongest reason for each line, at most ``most`` lines: severe before rare before outlying, evenly."""
    best: dict[int, Odd] = {}
    for one in sorted(odd, key=lambda o: -o.keep):
        best.setdefault(one.line, one)
    ordered = sorted(best.values(), key=lambda o: (o.template == "shape", o.line))
    by_kind = [[o for o in ordered if o.keep is k] for k in (Keep.SEVERE, Keep.RARE, Keep.OUTLIER)]
    in_turn = filter(None, chain.from_iterable(zip_longest(*by_kind)))
    return {o.line: o for o in islice(in_turn, most)}
