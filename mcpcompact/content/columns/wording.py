"""Column statistics in words: the fields worth a sentence, the most telling first."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from typing import Any

from mcpcompact.content.columns.alarms import CODE, STATUS
from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.findings import CLOCK, SERIAL
from mcpcompact.content.columns.survey import Columns
from mcpcompact.outline import Fact
from mcpcompact.phrasing import is_number, rounded, show

LITTLE = 40  # score of what is said where there is room: samples of ids, urls and texts
FEW, LITTLE_OF_FEW = 30, 80  # records; of so few only how their states divide them
STATES = 6  # values of a state that are always counted
SHORT = 60  # characters of what is the same in all that is always worth its room


def facts(stats: Columns, told: Set[str] = frozenset()) -> list[Fact]:
    """The fields worth a sentence, the most telling first; the rest folded by name; none of ``told``."""
    found: list[tuple[float, str]] = []
    same, empty, rest = [], [], []
    total = stats.total
    for column in stats.columns.values():
        if column.kind in ("object", "list") or "len()" in column.steps or column.path in told:
            continue
        if not column.scalars:
            if column.kinds["null"]:
                empty.append(column.label)
            continue
        fixed = constant(column, stats)
        if fixed is not None:
            if fixed == "":
                empty.append(column.label)
            else:
                same.append(f"{column.label}={fixed}")
            continue
        score, text = _sentence(column, stats)
        if text:
            found.append((score, text))
        else:
            rest.append(column.label)
    found.sort(key=lambda item: -item[0])
    little = LITTLE if total > FEW else LITTLE_OF_FEW
    out = [
        Fact(text, 3 if i >= 10 or score < little else 1 if i < 4 else 2) for i, (score, text) in enumerate(found[:24])
    ]
    states = [c for c in stats.columns.values() if STATUS.search(c.path) and c.values and 1 < len(c.values) <= STATES]
    for column in states[:1] if total <= FEW else ():  # how its state divides a list is what it is asked for
        out = [Fact(f.text, 0) if f.text.startswith(f"{column.label}: ") else f for f in out]
    rest = [text.split(":")[0] for _, text in found[24:]] + rest
    if same and total > 1:
        same.sort(key=lambda text: len(text) > SHORT // 2)
        often = next((n for n in range(len(same), 0, -1) if len(", ".join(same[:n])) <= SHORT), 0)
        if often:
            out.insert(0, Fact(f"same in all: {', '.join(same[:often])}", 0 if total <= FEW else 1))
        if rest_same := same[often : often + 12]:
            more = f", +{len(same) - often - 12} more" if len(same) > often + 12 else ""
            out.append(Fact(f"{'also ' * bool(often)}same in all: {', '.join(rest_same)}{more}", 2))
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


def constant(column: Column, stats: Columns) -> str | None:
    """The one value that every record has; of lists, that all their elements have, in every record."""
    values = column.values
    if values is None or len(values) != 1 or column.scalars != column.present:
        return None
    if column.present < stats.groups[column.group] and column.steps[-1:] != ("[]",):
        return None
    if (column.holders if "[]" in column.steps else column.present) != stats.total:
        return None
    return show(column.shown(next(iter(values))), 40)


def _sentence(column: Column, stats: Columns) -> tuple[float, str]:
    path, values = column.path, column.values
    deep = 4.0 * (len(column.steps) - 1)
    has = _presence(column, stats)
    if values and column.everywhere and column.holders == stats.total:
        more = f" and {len(values) - 8} more" if len(values) > 8 else ""
        shown = [_quoted(column, value) for value in sorted(values, key=str)[:8]]
        return 20 - deep, f"{column.label}: in each record {', '.join(shown)}{more}"
    if (
        values is not None
        and len(values) <= 12
        and not (column.kinds["number"] and len(values) > 6 and not CODE.search(path))
    ):
        addresses = 80 if any("://" in str(value) for value in values) else 0  # of who or what another field names
        return 90 + (25 if STATUS.search(path) else 0) - addresses - len(
            values
        ) - deep, f"{column.label}: {_group_by(column, values, 8)}{has}"
    if column.kinds["number"] and column.kinds["number"] >= column.kinds["string"]:
        return _number_sentence(column, has, deep)
    if column.dates:
        assert not isinstance(column.dates, bool)
        return 70 - deep, f"{column.label}: {show(column.dates.lo)} to {show(column.dates.hi)}{has}"
    if values is not None and len(values) * 3 <= column.scalars:
        return 60 - deep + (
            15 if STATUS.search(path) else 0
        ), f"{column.label}: {len(values):,} distinct, {_group_by(column, values, 5)}{has}"
    if column.level in (0, 1) and column.tally is not None:
        return _template_sentence(column, has, deep)
    distinct = _distinct(column)
    sample = (
        f", e.g. {show(column.examples[0], 40)}"
        if column.examples and column.characters < 60 * max(1, column.texts)
        else ""
    )
    size = f"text, mean {_mean_chars(column)} chars" if column.characters > 60 * max(1, column.texts) else "text"
    return 30 - deep, f"{column.label}: {distinct or size}{sample}{has}"


def _distinct(column: Column) -> str:
    if column.values is not None:
        n = len(column.values)
        return "all distinct" if n == column.scalars else f"{n:,} distinct"
    if column.seen is not None and column.seen:
        return "all distinct" if not column.duplicates else f"{len(column.seen):,} distinct"
    return ""


def _number_sentence(column: Column, has: str, deep: float) -> tuple[float, str]:
    numbers, path = column.numbers, column.path
    if column.mixed:
        sample = f"numbers with several units, e.g. {', '.join(map(str, column.examples))}"
        return 40 - deep, f"{column.label}: {sample}{has}"
    low, high = (text or column.shown(v) for v, text in ((numbers.lo, numbers.lo_text), (numbers.hi, numbers.hi_text)))
    span = f"{column.label}: {low} to {high}"
    if SERIAL.search(path) or CLOCK.search(path) or (numbers.rising and numbers.count > 2):
        distinct = _distinct(column)
        return 40 - deep, f"{span}{', ' + distinct if distinct else ''}{has}"
    text = f"{span}, median {column.median}"
    if column.measure is None or not column.measure.factors:
        text += f", mean {column.computed(numbers.mean, rounded)}"
        totals = column.measure is None or column.measure.totals
        if totals and (numbers.whole or abs(numbers.total) >= 100):
            text += f", sum {column.computed(numbers.total)}"
    return 75 - deep, text + has


def _mean_chars(column: Column) -> str:
    return rounded(round(column.characters / max(1, column.texts)))


def _group_by(column: Column, values: Mapping[Any, int], most: int) -> str:
    ranked = sorted(values.items(), key=lambda item: (-item[1], str(item[0])))
    most += len(ranked) == most + 1
    parts = [f"{_quoted(column, v)} {'×' if is_number(v) else ''}{n:,}" for v, n in ranked[:most]]
    if len(ranked) > most:
        rest = sum(n for _, n in ranked[most:])
        parts.append(f"{len(ranked) - most:,} others {rest:,}")
    return " · ".join(parts)


def _quoted(column: Column, value: Any) -> str:
    return show(column.shown(value), 40) if value != "" else "(empty)"


def template(value: str, level: int) -> str:
    """A value with its varying parts named: ``…/issues/{n}``."""
    if level >= 1:
        value = re.sub(r"[0-9a-fA-F]{8,}(?:-[0-9a-fA-F]{4,})*|\b[0-9a-f]*\d[0-9a-f]*\b", "{id}", value)
    return re.sub(r"\d+(?:[.:,-]\d+)*", "{n}", value)


def _template_sentence(column: Column, has: str, deep: float) -> tuple[float, str]:
    tally = column.tally
    assert tally is not None
    distinct = _distinct(column)
    if column.hexadecimal:
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
    like = "like " * (column.level > 0)  # the letters of hexadecimal numbers stand in words as well
    if len(names) == 1:
        return 38 - deep, f"{column.label}: {like}{next(iter(names))}{', ' + distinct if distinct else ''}{has}"
    if len(names) * 3 <= column.texts:
        return 62 - deep, f"{column.label}: {len(names):,} shapes, {like}{_group_by(column, names, 4)}{has}"
    return 30 - deep, f"{column.label}: text, mean {_mean_chars(column)} chars{has}"


def _presence(column: Column, stats: Columns) -> str:
    of = column.present if column.steps[-1:] == ("[]",) else stats.groups.get(column.group, 0)
    if "[]" not in column.steps:  # records without the object that would hold it lack it as well
        of = stats.total
    parts = []
    if column.present < of:
        parts.append(f"present in {column.present:,} of {of:,}")
    if column.kinds["null"]:
        parts.append(f"{column.void} {column.kinds['null']:,}")
    if column.scalars:  # else their parts are told instead
        parts += [f"{kind}s {column.kinds[kind]:,}" for kind in ("object", "list") if column.kinds[kind]]
    return f" ({', '.join(parts)})" if parts else ""
