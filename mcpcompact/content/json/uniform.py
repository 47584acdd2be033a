"""Small objects with the same keys as rows: their values in cells, what nearly all share beside the keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mcpcompact.content.json import exchange
from mcpcompact.content.shared.flow import Row, flow, key_text, scalar
from mcpcompact.content.shared.tree import Group

_LONG_LIST = 12  # values that are not shown in a row
MOST_COLUMNS, DEEPEST = 24, 4
LONG_CELL, LONG_ROW = 120, 240  # characters; longer values are no cells
FILLED = 0.7  # share of the cells that hold something


def rows_in(group: Group) -> dict[int, Row]:
    if any(node.__class__ is not dict or not node for node in group.nodes):
        return {}
    records: list[dict[str, str]] = []
    for node in group.nodes:
        if (cells := _flatten(node)) is None:
            return {}
        records.append(cells)
    columns = list(dict.fromkeys(key for cells in records for key in cells))
    filled = sum(map(len, records))
    if len(columns) > MOST_COLUMNS or filled < FILLED * len(columns) * len(records):
        return {}
    if sum(len(cell) + 1 for cells in records for cell in cells.values()) > LONG_ROW * len(records):
        return {}
    fixed = _in_most(columns, records)
    texts = {key: tuple(cells.get(key) for cells in records) for key in columns if key not in fixed}
    keys_of = tuple(scalar(str(key)).replace("|", "\\|") for key in group.keys) if group.step == "*" else ()
    named = [key for key, held in texts.items() if held == keys_of]  # what the key of each says
    texts = {key: held for key, held in texts.items() if held != keys_of} or texts
    first = {held: key for key, held in reversed(texts.items())}
    varying = [*first.values()][::-1]
    if not varying:
        return {}
    bases = {key: base for key in varying if (base := exchange.base([cells.get(key, "") for cells in records]))}
    heads = [f"{key} (…={bases[key]})" if key in bases else key for key in varying]
    told = dict[int, list[str]]()
    for key, (value, held) in fixed.items():
        told.setdefault(held, []).append(f"{key}={value}")
    every = [f"in {'all' if n == len(records) else f'{n:,}, else said'}: {', '.join(told[n])}" for n in sorted(told)]
    every += [f"{key} = {first[held]}" for key, held in texts.items() if first[held] != key]
    every += [f"{key} = its key" for key in named if key not in texts]
    same = f" ({'; '.join(every[::-1])})" if every else ""
    keys = f"{group.path}, of {len(group.nodes):,} rows|{'|'.join(heads)}{same}"
    prefix = len(group.path.partition("[")[0].partition("*")[0].rstrip("."))
    return {
        id(node): Row(_cells(cells | exchange.behind(bases, cells), varying, fixed), keys, prefix, len(records))
        for node, cells in zip(group.nodes, records, strict=True)
    }


USUAL, LEAST_USUAL, LONG_USUAL = 0.9, 10, 8  # of the rows that have a value where others say theirs; its characters


def _in_most(columns: Sequence[str], records: Sequence[dict[str, str]]) -> dict[str, tuple[str, int]]:
    """The value that all have in a column, and that of a date which nearly all have, with how many do."""
    found = dict[str, tuple[str, int]]()
    short = all(sum(map(len, cells.values())) < LONG_CELL for cells in records)  # no row is cut before it says so
    for key in columns:
        cells = [cells[key] for cells in records if key in cells]
        value, held = Counter(cells).most_common(1)[0]
        often = short and held >= max(USUAL * len(records), LEAST_USUAL) and len(value) >= LONG_USUAL
        if len(cells) == len(records) and (held == len(records) or often):
            found[key] = value, held
    return found


def _cells(cells: dict[str, str], columns: list[str], fixed: dict[str, tuple[str, int]]) -> str:
    odd = [f"{key}={cells[key]}" for key, (value, _) in fixed.items() if cells[key] != value]
    return "|".join(cells.get(key, "") for key in columns).rstrip("|") + f" ({', '.join(odd)})" * bool(odd)


def _flatten(node: dict[str, Any]) -> dict[str, str] | None:
    """Scalars by dotted key, short lists as they stand; None where something is too long or too deep for a row."""
    out: dict[str, str] = {}
    work: list[tuple[str, int, Any]] = [("", 0, node)]
    while work:
        path, depth, value = work.pop()
        if value.__class__ is dict and value:
            if depth == DEEPEST or len(value) > MOST_COLUMNS:
                return None
            work += [
                (f"{path}.{key_text(k)}" if path else key_text(k), depth + 1, v) for k, v in reversed(value.items())
            ]
            continue
        if value.__class__ is list and len(value) > _LONG_LIST:
            return None
        if value.__class__ is str and len(value) > LONG_CELL:
            return None
        cell = flow(value) if value.__class__ is dict or value.__class__ is list else scalar(value)
        if len(cell) > LONG_CELL or len(out) >= MOST_COLUMNS:
            return None
        out[path] = cell.replace("|", "\\|")
    return out
