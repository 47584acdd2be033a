"""Figures of a table: whether a number says what a cell, a sum, a mean, a share or an extreme is, as it is written."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from statistics import fmean, median

from mcpcompact.llm.records import Quantity, Table, class_of, unit_of
from mcpcompact.llm.words import UNITS, listed
from mcpcompact.llm.words import unit as spelt

_PERCENT = listed("""cpu mem memory usage load rate ratio share coverage percent pct disk utilization discount progress
    utilisation percentage identity gc score""")  # fmt: skip


def same(said: Quantity, value: float, exact: bool = False, shown: int = 0) -> bool:
    """Whether a value, rounded as it is said, is the number said. ``exact``: the value shows ``shown`` decimals and is
    to be said with them, unless the number has decimals of its own or is said to be about right."""
    if abs(said.value - value) < 1e-9 * max(1.0, abs(value)):
        return True
    if said.about:
        text = f"{said.value:.{said.decimals}f}"
        zeros = len(text) - len(text.rstrip("0")) if not said.decimals else 0
        return abs(said.value - value) <= 0.5 * 10.0 ** (zeros - said.decimals) + 1e-9
    if exact and shown <= said.decimals:
        return False
    return abs(said.value - value) <= 0.5 * 10.0**-said.decimals + 1e-9


def unit_at(table: Table, name: str, cell: Quantity, row: int | None) -> str:
    """The unit of a cell: written in it, at the end of its field's name, or the currency of its record."""
    unit = cell.unit or unit_of(name)
    if unit or row is None:
        return unit
    for other, value in table.rows[row].items():
        last = other.lower().rpartition(".")[2]
        if "." in name and other.rpartition(".")[0] not in ("", name.rpartition(".")[0]):
            continue
        if isinstance(value, str) and (("currency" in last and class_of(name) in ("money", "")) or last == "unit"):
            return spelt(value) if spelt(value) in UNITS else ""
    return ""


def agrees(table: Table, said: Quantity, name: str, cell: Quantity, row: int | None, exact: bool = True) -> bool:
    """Whether a number says what a field holds, in its unit or in another that measures the same."""
    unit = unit_at(table, name, cell, row)
    if not said.unit or said.unit == unit:
        return same(said, cell.value, exact, cell.decimals)
    if said.unit not in UNITS:
        return False
    if said.unit == "m" and UNITS.get(unit, ("",))[0] == "time":
        said = said._replace(unit="min")
    kind, factor = UNITS[said.unit]
    if unit in UNITS:
        other, scale = UNITS[unit]
        if kind != other:
            return False
        if scale == factor:
            return same(said, cell.value, exact, cell.decimals)
        if said.unit in ("kb", "mb", "gb", "tb", "k") and same(said, cell.value * scale / _binary(factor)):
            return True
        return same(said, cell.value * scale / factor)
    if kind == "share":
        ratio = 0 <= cell.value <= 1 and same(said, 100 * cell.value)
        return ratio or (not _PERCENT.isdisjoint(name.lower().replace(".", "_").split("_")) and same(said, cell.value))
    return False


def in_unit(table: Table, said: Quantity, name: str, cell: Quantity, row: int) -> float | None:
    """A number that is said, in the unit of a cell; nothing where that cannot be known."""
    unit = unit_at(table, name, cell, row)
    if not said.unit or said.unit == unit:
        return said.value
    if said.unit in UNITS and unit in UNITS and UNITS[unit][0] == UNITS[said.unit][0]:
        return said.value * UNITS[said.unit][1] / UNITS[unit][1]
    return None


def _binary(factor: float) -> float:
    return 1024.0 ** (len(f"{factor:.0f}") // 3)


def cells(table: Table, name: str, rows: frozenset[int] | None) -> dict[int, Quantity]:
    found = table.numbers(name)
    return found if rows is None else {n: found[n] for n in rows if n in found}


def aggregate(kind: str, values: Iterable[float]) -> float:
    numbers = list(values)
    return {"mean": fmean, "median": median, "sum": sum, "high": max, "low": min}[kind](numbers)  # type: ignore[operator,no-any-return]


def figure(table: Table, said: Quantity, kind: str, name: str, rows: frozenset[int] | None) -> bool:
    """Whether a number is the mean, median, sum, ``high`` or ``low`` of a field, of some rows or of all."""
    found = cells(table, name, rows)
    if not found:
        return False
    row, first = next(iter(found.items()))
    if len({cell.unit for cell in found.values()}) > 1 and kind != "high" and kind != "low":
        return False
    value = aggregate(kind, (cell.value for cell in found.values()))
    exact = kind in ("high", "low", "sum")
    shown = max(cell.decimals for cell in found.values())
    made = Quantity(round(value, shown) if kind == "sum" else value, first.unit, shown if exact else 9)
    return agrees(table, said, name, made, row, exact)


def extreme(table: Table, name: str, high: bool, rows: frozenset[int] | None) -> frozenset[int]:
    """The rows that hold the greatest or the least number, or the last or first date, of a field."""
    numbers = cells(table, name, rows)
    if len(numbers) > 1:
        best = (max if high else min)(cell.value for cell in numbers.values())
        return frozenset(n for n, cell in numbers.items() if cell.value == best)
    dates = {n: (at.day or date.min, at.time) for n, at in table.moments(name).items() if rows is None or n in rows}
    if not dates:
        return frozenset()
    last = (max if high else min)(dates.values())
    return frozenset(n for n, at in dates.items() if at == last)


def shares(part: int, whole: Iterable[int], said: Quantity) -> bool:
    return any(n and same(said, 100 * part / n) for n in whole)
