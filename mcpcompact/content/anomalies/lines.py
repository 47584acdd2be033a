"""What is odd among lines of source, configuration and diffs, without knowing the language.

Three rules, all on statistics of the whole: a value that stands apart from the others of its key
(rare, or far outside their bulk), a line whose shape occurs once in a file of repeats, and a loud
word that is rare. Ordinary programs have few repeats and so raise nothing but rare loud words.
"""

# ruff: noqa: E501 - patterns read better whole

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mcpcompact.outline import Keep
from mcpcompact.patterns import regex

MAX_ODD = 12
_PAIR = regex(
    r"""(?<![\\\w])([A-Za-z_][\w.-]{0,60})["']?\s{0,3}(?::=|=>|[:=])(?!//)\s{0,20}[\[(]?"""
    r"""("[^"]{0,160}"|'[^']{0,160}'|-?\d[\w.:+%-]{0,60}|[A-Za-z_/~$][\w./:@$~-]{0,120})"""
)
_LIST_SCALAR = regex(r"""\s*- +["']?([^\s"'#:{\[][^"'#]{0,80}?)["']?\s*$""")
_OPEN_KEY = regex(r"\s*(?:- )?[\"']?([\w.-]{1,60})[\"']?:\s*$")
_TUPLE = regex(r"(?:^\s*|\bVALUES\s*)\(([^()]{3,600})\)", re.IGNORECASE)
_CELL = regex(r"'(?:[^']|'')*'|[^,']+")
_NUMBER = regex(r"-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?")
_LITERAL = regex(r"(?<![\w.#-])\d{1,15}(?![\w.-])")
_SAMPLE = regex(r"([A-Za-z_:][\w:.]{0,120})(?:\{[^{}]{0,500}\})? (-?\d[\d.eE+-]{0,40})(?: \d{9,14})?$")  # OpenMetrics
_DATE = regex(r"(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])")
_DIGITS = regex(r"\d+")
_LETTERS = regex(r"[^\W\d_]+")
_SHAPE = regex(r"\"[^\"]{0,300}\"|'[^']{0,300}'|`[^`]{0,300}`|\b(?:0x)?[0-9a-f]*\d[0-9a-f]*\b|\d+")

LOUD = [
    "FIXME",
    "XXX",
    "HACK",
    "BUG:",
    "CRITICAL",
    "FATAL",
    "PANIC",
    "ERROR",
    "SEVERE",
    "EMERGENCY",
    "BROKEN",
    "panic(",
    "Traceback",
    "DO_NOT",
    "crash",
    "segfault",
    "corrupt",
    "deadlock",
    "data_loss",
    "vulnerab",
    "insecure",
    "backdoor",
    "exploit",
]
LOUD_DATA = ["failed", "failure", "error", "fatal", "exception", "broken", "unreachable", "expired", "CrashLoop"]
SECRETS = ["BEGIN RSA PRIVATE KEY", "BEGIN PRIVATE KEY", "BEGIN OPENSSH PRIVATE KEY", "AKIA"]


@dataclass(slots=True)
class Odd:
    """One line that stands out: its index, how, and why in a few words."""

    line: int
    keep: Keep
    reason: str
    template: str


def place(template: str, text: str) -> int:
    """Where in ``text`` the odd thing stands: a loud word, a number far above the others; -1 where it is the whole."""
    kind, _, what = template.partition(" ")
    if kind == "loud":
        at = _find(text, what, 0, what.islower())
        while at >= 0 and not _bounded(text, at, what):
            at = _find(text, what, at + len(what), what.islower())
        return at
    return text.find(what) if kind == "far" else -1


@dataclass(slots=True)
class _Key:
    count: Counter[str] = field(default_factory=Counter)
    first: dict[str, int] = field(default_factory=dict)


class Tally:
    """Key-wise statistics of ``key: value``, ``key = value``, list scalars and SQL tuples. Feed lines, then ask ``odd``."""

    MAX_KEYS = 5_000
    MAX_VALUES = 200_000

    def __init__(self, literals_only: bool = False) -> None:
        self.literals_only = literals_only  # in programs a bare name is a variable, not a value
        self.keys: dict[str, _Key] = {}
        self._values = 0
        self._parent = "-"
        self.numbers: Counter[int] = Counter()  # literals of programs, whatever their names
        self._number_first: dict[int, int] = {}

    def add(self, index: int, text: str) -> None:
        """One line; only the first 600 characters are looked at, 12 pairs at most."""
        if len(text) > 600:
            text = text[:600]
        if ":" in text or "=" in text:
            opened = _OPEN_KEY.match(text)
            if opened:
                self._parent = opened.group(1)
                return
            for n, match in enumerate(_PAIR.finditer(text)):
                if n >= 12:
                    break
                value = match.group(2)
                if not self.literals_only or value[0] in "\"'-0123456789":
                    self._put(_DIGITS.sub("#", match.group(1)), value.strip("\"'"), index)
                    if "_" in (name := match.group(1)) and name.isupper():  # AUTH_TIMEOUT, CART_TIMEOUT
                        self._put(f"*_{name.rpartition('_')[2]}", value.strip("\"'"), index)
            if not self.literals_only and text[-1:].isdigit() and "} " in text and (sample := _SAMPLE.match(text)):
                self._put(sample[1], sample[2], index)
        elif "- " in text and (scalar := _LIST_SCALAR.match(text)):
            self._put(f"{self._parent}[]", scalar.group(1), index)
        if self.literals_only and any(c.isdigit() for c in text):
            for literal in _LITERAL.findall(text):
                number = int(literal)
                self.numbers[number] += 1
                self._number_first.setdefault(number, index)
        if "(" in text and "," in text and (row := _TUPLE.search(text)):
            cells = _CELL.findall(row.group(1))
            for n, cell in enumerate(cells[:40]):
                self._put(f"value {n + 1} of {len(cells)}", cell.strip().strip("'"), index)

    def _put(self, name: str, value: str, index: int) -> None:
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

    def repeated(self) -> list[tuple[str, int]]:
        """Keys by how often they occur, most frequent first."""
        counts = [(name, key.count.total()) for name, key in self.keys.items()]
        return sorted(counts, key=lambda c: (-c[1], c[0]))

    def summary(self, least: int = 8, most: int = 5) -> list[str]:
        """Repeated keys in a few words each: how often, the range of numbers, or the most frequent values."""
        told: list[str] = []
        for name, total in self.repeated():
            if total < least or len(told) >= most:
                break
            key = self.keys[name]
            if len(key.count) == total and len(told) >= 2:
                continue  # all different: a name, worth a line only when nothing else repeats
            told.append(f"{name} ×{total:,}: {_values(key, total)}")
        return told

    def odd(self, least: int) -> list[Odd]:
        """Values that stand apart in keys seen at least ``least`` times."""
        found: list[Odd] = []
        levels = 1 if self.literals_only else 3
        for name, key in self.keys.items():
            total = key.count.total()
            if total < least:
                continue
            found += _numeric(name, key, total) or _rare(name, key, total, levels)
        return found + self._far_literals()

    def _far_literals(self) -> list[Odd]:
        """One or two literals at least 50 times larger than all others of the program; dates and powers are none."""
        if self.numbers.total() < 20 or len(self.numbers) < 8:
            return []
        ordered = sorted(self.numbers)
        far = [n for n in ordered[-2:] if n > 50 * max(ordered[-3], 20) and n >= 10_000 and self.numbers[n] <= 2]
        far = [n for n in far if n & (n - 1) and n & (n + 1) and str(n).rstrip("0") != "1" and not _DATE.match(str(n))]
        return [
            Odd(self._number_first[n], Keep.OUTLIER, far_reason(n, far, ordered[-3], plain=True), f"far {n}")
            for n in far
        ]


def far_reason(number: int, far: Sequence[int], rest: int, *, plain: bool) -> str:
    """Why a number stands out; ``plain``: there are larger ones within names, fractions and the like."""
    if not rest:
        return "the only number of its size"
    beside = "".join(f" and {n:,}" for n in far if n != number)
    return f"{'plain integers' if plain else 'all numbers'} but this{beside} are at most {rest:,}"


def _values(key: _Key, total: int) -> str:
    numbers = [float(v) for v in key.count if _NUMBER.fullmatch(v) and "_" not in v]
    if len(numbers) == len(key.count) and len(numbers) > 3:
        low, high = min(key.count, key=float), max(key.count, key=float)
        return f"{low[:40]}–{high[:40]}"
    top = sorted(key.count.items(), key=lambda c: (-c[1], c[0]))
    if top[0][1] == 1:
        return f"all different, {top[0][0][:40]} …"
    shown = ", ".join(f"{value[:40]} {count:,}" for value, count in top[:3])
    return shown + (f", {len(top) - 3:,} other" + ("s" if len(top) > 4 else "") if len(top) > 3 else "")


def _numeric(name: str, key: _Key, total: int) -> list[Odd]:
    """Numbers beyond five times the 5–95 % range of their key, or 20 times off all others; at most three a key."""
    numbers: list[tuple[float, str]] = []
    units: Counter[str] = Counter()
    for value, count in key.count.items():
        match = _NUMBER.match(value)
        if match:
            unit = value[match.end() :]
            if len(unit) <= 4:
                numbers.append((float(match.group().replace("_", "")), value))
                units[unit] += count
    covered = sum(key.count[v] for _, v in numbers)
    if covered < 0.9 * total or len(units) > 3 or len(numbers) < 2:
        return []
    ordered = sorted(numbers)
    spread: list[float] = []
    for number, value in ordered:
        spread += [number] * min(key.count[value], 1 + 2000 * key.count[value] // total)
    low, high = spread[len(spread) // 20], spread[-1 - len(spread) // 20]
    reach = 5 * (high - low)
    typical = spread[len(spread) // 2]
    sequence = len(numbers) == total and [key.first[v] for _, v in ordered] == sorted(key.first.values())
    odd = []
    for number, value in ordered:
        if low <= number <= high or key.count[value] > max(1, total // 100):
            continue
        far = number > high + reach or number < low - reach
        tiny = low > 0 and 0 <= number < low / 20 and not sequence
        if (
            (high > low and far and (abs(number) > 3 * abs(high) or number < low))
            or tiny
            or (high == low and abs(number - high) > 9 * max(1.0, abs(high)))
        ):
            odd.append((value, number))
    if not odd or len(odd) > 3:
        return []
    return [
        Odd(key.first[v], Keep.OUTLIER, f"{name} {v}, typically {typical:g} of {total:,}", f"number {name}")
        for v, _ in odd
    ]


def _rare(name: str, key: _Key, total: int, levels: int) -> list[Odd]:
    """Values (else their shapes: digits, then letters masked) that occur once where all others repeat."""
    if total < 20:
        return []
    for level in range(levels if total >= 50 else 1):
        groups: Counter[str] = Counter()
        sample: dict[str, str] = {}
        for value, count in key.count.items():
            shape = value if level == 0 else _DIGITS.sub("#", value)
            if level == 2:
                shape = _LETTERS.sub("a", shape)
            groups[shape] += count
            sample.setdefault(shape, value)
            if len(groups) > 400:
                break
        limit = max(1, total // 250)
        rare = [g for g, count in groups.items() if count <= limit]
        common = [count for count in groups.values() if count > limit]
        if level == 0 and not rare:
            return []
        most_rare, most_common = (3, max(3, total // 6)) if level == 0 else (1, 4)
        if not rare or len(rare) > most_rare or not common or len(common) > most_common:
            continue
        if min(common) < max(3, 2 * limit):
            continue
        kept = []
        for g in rare:
            value = sample[g]
            told = f"{name} {value}: {key.count[value]:,} of {total:,}"
            if len(common) == 1 and level == 0:
                told += f", else {groups.most_common(1)[0][0][:40]}"
            kept.append(Odd(key.first[value], Keep.RARE, told, f"value {name}"))
        return kept
    return []


def single_shapes(lines: Sequence[str], indices: Sequence[int], edges: bool = True) -> list[Odd]:
    """Lines whose shape (strings and numbers masked) occurs once in a file of repeats."""
    if len(indices) < 60:
        return []
    shapes: Counter[str] = Counter()
    first: dict[str, int] = {}
    for i in indices:
        shape = _SHAPE.sub("#", lines[i][:300].strip())
        shapes[shape] += 1
        first.setdefault(shape, i)
        if len(shapes) > 20_000 or (len(shapes) > 400 and len(shapes) * 4 > shapes.total()):
            return []
    total = shapes.total()
    repeats = sum(count for count in shapes.values() if count >= 5)
    single = [s for s, count in shapes.items() if count == 1]
    edge_low, edge_high = indices[min(8, len(indices) - 1)], indices[-4]
    if edges:  # heads and tails of files are single by nature
        single = [s for s in single if edge_low <= first[s] <= edge_high]
    if repeats < 0.85 * total or not single or len(single) > max(3, total // 80):
        return []
    return [Odd(first[s], Keep.RARE, f"the only line of its shape in {total:,}", "shape") for s in single]


def loud_lines(
    text: str, starts: Sequence[int], words: Iterable[str], *, most: int, skip: Iterable[str] = ()
) -> list[Odd]:
    """Lines with a loud word that at most ``most`` lines hold, rarest word first; ``starts`` are line offsets."""
    found: list[tuple[int, list[int], str]] = []
    passed = frozenset(skip)
    for word in words:
        if word in passed:
            continue
        needle = word.replace("_", " ")
        folded = needle.islower()
        haystack = text
        hits: list[int] = []
        at = _find(haystack, needle, 0, folded)
        while at >= 0 and len(hits) <= most:
            line = bisect_left(starts, at + 1) - 1
            if (not hits or hits[-1] != line) and _bounded(haystack, at, needle):
                hits.append(line)
            at = _find(haystack, needle, at + len(needle), folded)
        if 0 < len(hits) <= most:
            found.append((len(hits), hits, needle))
    found.sort(key=lambda f: (f[0], f[1]))
    return [Odd(line, Keep.SEVERE, "", f"loud {word}") for _, hits, word in found for line in hits]


def _find(text: str, needle: str, start: int, folded: bool) -> int:
    at = text.find(needle, start)
    if folded:
        for form in (needle.capitalize(), needle.upper()):
            other = text.find(form, start, at if at >= 0 else len(text))
            if other >= 0:
                at = other
    return at


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
    for o in odd:
        if o.line not in best or o.keep > best[o.line].keep:
            best[o.line] = o
    ordered = sorted(best.values(), key=lambda o: (o.template == "shape", o.line))
    by_kind = {k: [o for o in ordered if o.keep is k] for k in (Keep.SEVERE, Keep.RARE, Keep.OUTLIER)}
    chosen: list[Odd] = []
    for turn in range(most):
        for group in by_kind.values():
            if turn < len(group) and len(chosen) < most:
                chosen.append(group[turn])
    return {o.line: o for o in chosen}
