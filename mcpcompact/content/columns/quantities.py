"""Numbers with a unit as a table's cells have them: ``250m``, ``64Mi``, ``45%``, ``$1,200.50``, ``5d12h``.

Cells are shown as they stand. For statistics a column has one measure: one unit that is written behind each number,
whatever it means, or units of one kind that can be told for sure (``980ms`` and ``2s``), which are counted in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from mcpcompact.outline import record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import rounded

_NUMBER = regex(
    r"(?=[+-]?[$€£]?[+-]?\.?\d)([+-]?[$€£]?)([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)(\s?[%A-Za-zµμ°/]{0,4})$"
)
_DECIMAL = regex(r"[+-]?\d{1,15}(?:\.\d{1,15})?")
_AGE = regex(r"(?:(\d+)y)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$")
_AGES = ("y", "d", "h", "m", "s")
_COMMA = regex(r"[+-]?[$€£]?[+-]?(\d{1,3}(?:\.\d{3})+|\d+),(\d{1,2}|\d{4,9})(\s?[%€A-Za-z]{0,4})$", holds=",")
_SWAPPED = str.maketrans(",.", ".,")
MIN_K = 1_000  # a K is so many, or 1,024: below, numbers stand in the same order either way
LONGEST = 40  # characters; longer cells are no numbers
MISSING = frozenset(
    ("-", "--", ".", "?", "N/A", "n/a", "NA", "NULL", "null", "None", "<none>", "<unknown>", "<nil>", "\\N")
)
"""What stands in a column of numbers where there is none."""
NUMERIC = 0.9  # of the filled cells, in a column of numbers

_TIMES = {"ns": 1, "us": 10**3, "µs": 10**3, "μs": 10**3, "ms": 10**6, "s": 10**9, "m": 60 * 10**9, "min": 60 * 10**9}
_TIMES |= {"h": 3_600 * 10**9, "d": 86_400 * 10**9, "y": 365 * 86_400 * 10**9}
_BINARY = {"": 1, "B": 1} | {f"{p}{b}": 1 << 10 * n for n, p in enumerate("KMGTP", 1) for b in ("i", "iB")}
_HERTZ = {"Hz": 1, "kHz": 10**3, "KHz": 10**3, "MHz": 10**6, "GHz": 10**9}
_PLAIN = {"": 1, "k": 1 << 10} | {p: 1 << 10 * n for n, p in enumerate("KMGTP", 1)}
_BYTES = {"B": 1, "kB": 1 << 10} | {f"{p}B": 1 << 10 * n for n, p in enumerate("KMGTP", 1)}
_LOWER = {"b": 1} | {f"{p}b": 1 << 10 * n for n, p in enumerate("kmgtp", 1)}
_SURE, _VAGUE = (_TIMES, _BINARY, _HERTZ), (_PLAIN, _BYTES, _LOWER)
_OTHERS = ("%", "px", "°", "°C", "kW", "W", "V", "EUR", "USD", "g", "t", "Kb", "Mb", "Gb")
_KNOWN = frozenset(unit for family in (*_SURE, *_VAGUE, _OTHERS) for unit in family)
_TOTALLED = frozenset(("", "$", "€", "£", "EUR", "USD", *_TIMES, *_BINARY, *_BYTES)) - {"m"}


@record
class Measure:
    """The unit of a column: ``unit`` as it is written with every number, or the ``factors`` of several."""

    unit: str = ""
    factors: Mapping[str, int] = field(default_factory=dict)
    vague: bool = False  # a K is 1,000 or 1,024: see MIN_K
    comma: bool = False  # 1.234,50 as most of Europe writes it

    def number(self, text: str) -> float | int | None:
        """What a cell counts for; None where it has another unit or is no number."""
        quantity = read(text.translate(_SWAPPED) if self.comma else text)
        if quantity is None:
            return None
        number, unit = quantity[0], quantity[1].strip()
        if (unit == self.unit.strip() and not self.factors) or (number == 0 and not unit):
            return number
        factor = self.factors.get(unit)
        if factor is None or (self.vague and abs(number) >= MIN_K):
            return None
        return number * factor

    @property
    def plain(self) -> bool:
        return not self.unit and not self.factors and not self.comma

    @property
    def totals(self) -> bool:
        """Whether a sum says something: of percentages, temperatures and unknown units it does not."""
        return not self.factors and self.unit.strip() in _TOTALLED

    def say(self, number: float, text: str) -> str:
        """A computed number, written ``text`` without its unit, with it."""
        text = text.translate(_SWAPPED) if self.comma else text
        if self.factors:
            units = [(f, u) for u, f in self.factors.items() if f <= abs(number) and u and u != "y"]
            factor, unit = max(units, key=lambda fu: fu[0], default=(1, ""))
            shown = rounded(number / factor)
            return f"{'≈' if self.vague else ''}{shown.translate(_SWAPPED) if self.comma else shown}{unit}"
        return f"{self.unit}{text}" if self.unit in ("$", "€", "£") else f"{text}{self.unit}"


def read(text: str) -> tuple[float | int, str] | None:
    """The number and the unit of a cell; of an age (``5d12h``) nanoseconds."""
    text = text.strip()
    if not text or len(text) > LONGEST:
        return None
    match = _NUMBER.match(text)
    if match is not None and any(c.isdigit() for c in match[2]):
        sign, before, behind = match[1].strip("$€£"), match[1].strip("+-"), match[3]
        raw = sign + match[2].replace(",", "")
        known = not behind if before else behind.strip() in _KNOWN
        if not known or (sign and raw[1:2] in ("+", "-")):
            return None
        return int(raw) if raw.lstrip("+-").isdigit() else float(raw), before or behind
    age = _AGE.match(text)
    if age is None or not any(age.groups()):
        return None
    return sum(int(n or 0) * _TIMES[u] for n, u in zip(age.groups(), _AGES, strict=True)), "ns"


def measure_of(values: Sequence[str]) -> Measure | None:
    """The measure of a column's cells; None of no numbers, of codes (``00501``), of units that do not compare."""
    filled = [text for text in map(str.strip, values) if text and text not in MISSING]
    if not filled or any(len(v) > 1 and v[0] == "0" and v.isdigit() for v in filled[:500]):
        return None
    if all(map(_DECIMAL.fullmatch, filled)):  # the usual case, without a Python call each
        return Measure()
    if comma := _has_commas(filled[:500]):
        filled = [text.translate(_SWAPPED) for text in filled]
    if sum(read(v) is not None for v in filled[:500]) < NUMERIC * len(filled[:500]):
        return None
    if all(v[-1].isdigit() and (v[0].isdigit() or v[0] in "-+.") for v in filled):
        return Measure(comma=comma)
    quantities = [(*number, text) for text in filled if (number := read(text)) is not None]
    ages = any(unit == "ns" and not text.endswith("ns") for _, unit, text in quantities)
    units = [unit for number, unit, _ in quantities if number or unit]  # a zero needs none
    bare = {unit.strip() for unit in units}
    if len(bare) <= 1 and not ages:
        return Measure(units[0] if units else "", comma=comma)
    for family in (*_SURE, *_VAGUE):
        if bare <= family.keys():
            vague = family in _VAGUE
            if vague and any(abs(number) >= MIN_K for number, _, _ in quantities):
                return None
            factors = {u: f for u, f in family.items() if u in bare or (ages and u in _AGES[1:])}
            return Measure("", factors, vague, comma)
    return None


def _has_commas(filled: Sequence[str]) -> bool:
    """Whether numbers are written 1.234,50: all commas with as many digits behind them, which are no thousands."""
    matches = [match for match in map(_COMMA.match, filled) if match]
    sure = any("." in match[1] or len(match[2]) > 1 or match[3] for match in matches)
    return sure and len({len(match[2]) for match in matches}) == 1
