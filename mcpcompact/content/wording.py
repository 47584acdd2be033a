"""Column statistics in words: the fields worth a sentence, the most telling first."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from mcpcompact.content.columns import Column, Columns
from mcpcompact.content.findings import CLOCK, CODE, SERIAL, STATUS, parent
from mcpcompact.content.spelling import is_number, rounded, show
from mcpcompact.outline import Fact


def facts(stats: Columns, *, unit: str = "records", per: Mapping[str, str] | None = None) -> list[Fact]:
    """The fields worth a sentence, the most telling first; the rest folded by name. ``per``: units of columns."""
    found: list[tuple[float, str]] = []
    constant, empty, rest = [], [], []
    total = stats.total
    for column in stats.columns.values():
        if column.kind in ("object", "list") or "len()" in column.steps:
            continue
        if not column.scalars:
            if column.kinds["null"]:
                empty.append(column.label)
            continue
        fixed = _constant(column, stats)
        if fixed is not None:
            if fixed == "":
                empty.append(column.label)
            else:
                constant.append(f"{column.label}={fixed}")
            continue
        score, text = _sentence(column, stats, (per or {}).get(column.path, ""))
        if text:
            found.append((score, text))
        else:
            rest.append(column.label)
    found.sort(key=lambda item: -item[0])
    out = [Fact(text, 1 if i < 4 else 2 if i < 10 else 3) for i, (_, text) in enumerate(found[:24])]
    rest = [text.split(":")[0] for _, text in found[24:]] + rest
    if constant and total > 1:
        more = f", +{len(constant) - 12} more" if len(constant) > 12 else ""
        out.append(Fact(f"same in all: {', '.join(constant[:12])}{more}", 2))
    if empty:
        out.append(
            Fact(f"always empty: {', '.join(empty[:12])}{f', +{len(empty) - 12} more' if len(empty) > 12 else ''}", 3)
        )
    if rest:
        out.append(Fact(f"{len(rest):,} more fields: {', '.join(rest[:15])}{', …' if len(rest) > 15 else ''}", 3))
    if stats.beyond:
        out.append(
            Fact(
                f"{len(stats.names):,} distinct keys; fields beyond the first {len(stats.columns):,} are not analysed",
                1,
            )
        )
    return out


def _constant(column: Column, stats: Columns) -> str | None:
    values = column.values
    if values is None or len(values) != 1 or column.kinds["null"] or column.scalars != column.present:
        return None
    if "[]" not in column.steps and column.present < stats.total:
        return None
    return show(next(iter(values)), 40)


def _sentence(column: Column, stats: Columns, unit: str) -> tuple[float, str]:
    path, values = column.path, column.values
    deep = 4.0 * (len(column.steps) - 1)
    has = _presence(column, stats)
    if values and "[]" in column.steps and set(values.values()) == {stats.total}:
        return 20 - deep, f"{column.label}: in each record {', '.join(map(_quoted, sorted(values, key=str)[:8]))}"
    if (
        values is not None
        and len(values) <= 12
        and not (column.kinds["number"] and len(values) > 6 and not CODE.search(path))
    ):
        return 90 + (25 if STATUS.search(path) else 0) - len(
            values
        ) - deep, f"{column.label}: {_group_by(values, 8)}{has}"
    if column.kinds["number"] and column.kinds["number"] >= column.kinds["string"]:
        return _number_sentence(column, unit, has, deep)
    if column.dates:
        lo, hi = column.min_date, column.max_date
        return 70 - deep, f"{column.label}: {show(lo)} to {show(hi)}{has}"
    if values is not None and len(values) * 3 <= column.scalars:
        return 60 - deep + (
            15 if STATUS.search(path) else 0
        ), f"{column.label}: {len(values):,} distinct, {_group_by(values, 5)}{has}"
    if column.level in (0, 1) and column.tally is not None:
        return _template_sentence(column, has, deep)
    distinct = _distinct(column)
    sample = (
        f", e.g. {show(column.examples[0], 40)}"
        if column.examples and column.characters < 60 * max(1, column.texts)
        else ""
    )
    size = (
        f"text, mean {column.characters // max(1, column.texts):,} chars"
        if column.characters > 60 * max(1, column.texts)
        else "text"
    )
    return 30 - deep, f"{column.label}: {distinct or size}{sample}{has}"


def _distinct(column: Column) -> str:
    if column.values is not None:
        n = len(column.values)
        return "all distinct" if n == column.scalars else f"{n:,} distinct"
    if column.seen is not None and column.seen:
        return "all distinct" if not column.duplicates else f"{len(column.seen):,} distinct"
    return ""


def _number_sentence(column: Column, unit: str, has: str, deep: float) -> tuple[float, str]:
    numbers, path = column.numbers, column.path
    span = f"{column.label}: {show(numbers.lo)}{unit} to {show(numbers.hi)}{unit}"
    if SERIAL.search(path) or CLOCK.search(path) or (numbers.rising and numbers.count > 2):
        distinct = _distinct(column)
        return 40 - deep, f"{span}{', ' + distinct if distinct else ''}{has}"
    if column.spoken:
        low, middle, high = (column.spell(v) or show(v) for v in (numbers.lo, numbers.quantile(0.5), numbers.hi))
        return 75 - deep, f"{column.label}: {low} to {high}, median {middle}{has}"
    about = "" if numbers.exact else "≈"
    text = f"{span}, median {about}{rounded(numbers.quantile(0.5))}, mean {rounded(numbers.mean)}"
    if numbers.whole or abs(numbers.total) >= 100:
        text += f", sum {rounded(numbers.total)}"
    return 75 - deep, text + has


def _group_by(values: Mapping[Any, int], most: int) -> str:
    ranked = sorted(values.items(), key=lambda item: (-item[1], str(item[0])))
    most += len(ranked) == most + 1
    parts = [f"{_quoted(v)} {'×' if is_number(v) else ''}{n:,}" for v, n in ranked[:most]]
    if len(ranked) > most:
        rest = sum(n for _, n in ranked[most:])
        parts.append(f"{len(ranked) - most:,} others {rest:,}")
    return " · ".join(parts)


def _quoted(value: Any) -> str:
    return show(value, 40) if value != "" else "(empty)"


def template(value: str, level: int) -> str:
    """A value with its varying parts named: ``…/issues/{n}``."""
    if level >= 1:
        value = re.sub(r"[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*|\b[0-9a-f]*\d[0-9a-f]*\b", "{id}", value)
    return re.sub(r"\d+(?:[.:,-]\d+)*", "{n}", value)


def _template_sentence(column: Column, has: str, deep: float) -> tuple[float, str]:
    tally = column.tally
    assert tally is not None
    distinct = _distinct(column)
    if column.level == 1 and len(tally.counts) == 1 and not next(iter(tally.counts)).strip("-"):
        sample = f", e.g. {show(column.examples[0], 40)}" if column.examples else ""
        return 35 - deep, f"{column.label}: hexadecimal{', ' + distinct if distinct else ''}{sample}{has}"
    ranked = sorted(tally.counts.items(), key=lambda item: (-item[1], item[0]))
    names: dict[str, int] = {}
    for part, count in ranked:
        name = show(template(column.template_of.get(part, ""), column.level), 80)
        names[name] = names.get(name, 0) + count
    if set(names) == {"{n}"}:
        return (
            33 - deep,
            f"{column.label}: e.g. {show(column.examples[0], 40)}{', ' + distinct if distinct else ''}{has}",
        )
    if len(names) == 1:
        return 38 - deep, f"{column.label}: {next(iter(names))}{', ' + distinct if distinct else ''}{has}"
    if len(names) * 3 <= column.texts:
        return 62 - deep, f"{column.label}: {len(names):,} shapes, {_group_by(names, 4)}{has}"
    return 30 - deep, f"{column.label}: text, mean {column.characters // max(1, column.texts):,} chars{has}"


def _presence(column: Column, stats: Columns) -> str:
    of = stats.groups.get(parent(column), 0) if column.steps and column.steps[-1] != "[]" else column.present
    parts = []
    if column.present < of:
        parts.append(f"present in {column.present:,} of {of:,}")
    if column.kinds["null"]:
        parts.append(f"null {column.kinds['null']:,}")
    return f" ({', '.join(parts)})" if parts else ""
