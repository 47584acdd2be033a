"""Figures of a table: whether a number says what a cell, a sum, a mean, a share or an extreme is, as it is written."""

from __future__ import annotations

from datetime import date
from statistics import fmean, median

from mcpcompact.llm.records import Quantity, Table, unit_of
from mcpcompact.llm.words import UNITS

EXACT = 1e-9  # what floats that say the same may differ by
CLOSE = 9  # decimals of a mean: more than anyone writes
AGGREGATES = {"mean": fmean, "median": median, "sum": sum, "high": max, "low": min}
BINARY = {"kb": 2**10, "k": 2**10, "mb": 2**20, "gb": 2**30, "tb": 2**40}
"""Units of bytes that are written for powers of 1024 as well."""


def same(said: Quantity, value: float, exact: bool = False, shown: int = 0) -> bool:
    """Whether a value, rounded as it is said, is the number said. ``exact``: the value shows ``shown`` decimals and is
    to be said with them, unless the number has decimals of its own or is said to be about right."""
    if abs(said.value - value) < EXACT * max(1.0, abs(value)):
        return True
    if exact and shown <= said.decimals and not said.about:
        return False
    text = f"{said.value:.0f}"
    zeros = len(text) - len(text.rstrip("0")) if said.about and not said.decimals else 0
    return abs(said.value - value) <= 0.5 * 10.0 ** (zeros - said.decimals) + EXACT


def agrees(said: Quantity, name: str, cell: Quantity, exact: bool = True) -> bool:
    """Whether a number says what a field holds, in its unit or in another that measures the same."""
    unit = cell.unit or unit_of(name)
    if not said.unit or said.unit == unit:
        return same(said, cell.value, exact, cell.decimals)
    if said.unit == "m" and UNITS.get(unit, ("",))[0] == "time":
        said = said._replace(unit="min")
    if said.unit not in UNITS:
        return False
    kind, factor = UNITS[said.unit]
    if unit not in UNITS:
        return kind == "share" and 0 <= cell.value <= 1 and same(said, 100 * cell.value)
    other, scale = UNITS[unit]
    if kind != other:
        return False
    if scale == factor:
        return same(said, cell.value, exact, cell.decimals)
    value = cell.value * scale
    return same(said, value / factor) or (said.unit in BINARY and same(said, value / BINARY[said.unit]))


def cells(table: Table, name: str, rows: frozenset[int]) -> dict[int, Quantity]:
    """The numbers of a field in some rows."""
    return {n: cell for n, cell in table.numbers(name).items() if n in rows}


def figure(table: Table, said: Quantity, kind: str, name: str, rows: frozenset[int]) -> bool:
    """Whether a number is the mean, median, sum, ``high`` or ``low`` of a field, of some rows."""
    known = list(cells(table, name, rows).values())
    if not known or len({cell.unit for cell in known}) > 1:
        return False
    value = AGGREGATES[kind]([cell.value for cell in known])  # type: ignore[operator]
    exact = kind in ("high", "low", "sum")
    shown = max(cell.decimals for cell in known)
    value = round(value, shown) if kind == "sum" else value
    return agrees(said, name, Quantity(value, known[0].unit, shown if exact else CLOSE), exact)


def extreme(table: Table, name: str, high: bool, rows: frozenset[int]) -> frozenset[int]:
    """The rows that hold the greatest or the least number, or the last or first date, of a field."""
    best = max if high else min
    numbers = {n: cell.value for n, cell in cells(table, name, rows).items()}
    dates = {n: (at.day or date.min, at.time) for n, at in table.moments(name).items() if n in rows}
    if len(numbers) > 1:
        most = best(numbers.values())
        return frozenset(n for n, value in numbers.items() if value == most)
    if not dates:
        return frozenset()
    last = best(dates.values())
    return frozenset(n for n, at in dates.items() if at == last)
