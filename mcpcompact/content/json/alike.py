"""Objects that are alike: small ones with the same keys as rows, their values in cells, what nearly all share beside
the keys; twins beside each other, an item before and after, what was asked for and what was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from mcpcompact.content.json import exchange
from mcpcompact.content.shared.flow import Row, flow, key_text, scalar
from mcpcompact.content.shared.tree import Group, Key, Sizes, path_text
from mcpcompact.outline import Fact, record
from mcpcompact.patterns import regex

MAX_COLUMNS, DEEPEST = 24, 4
LONG_CELL, LONG_ROW = 120, 240  # characters; longer values are no cells
_LONGEST = {list: 12, str: LONG_CELL}  # values, characters in a cell
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
    if len(columns) > MAX_COLUMNS or filled < FILLED * len(columns) * len(records):
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
    pairs = dict[int, list[str]]()
    for key, (value, held) in fixed.items():
        pairs.setdefault(held, []).append(f"{key}={value}")
    every = [f"in {'all' if n == len(records) else f'{n:,}, else said'}: {', '.join(pairs[n])}" for n in sorted(pairs)]
    every += [f"{key} = {first[held]}" for key, held in texts.items() if first[held] != key]
    every += [f"{key} = its key" for key in named if key not in texts]
    same = f" ({'; '.join(every[::-1])})" if every else ""
    keys = f"{group.path}, of {len(group.nodes):,} rows|{'|'.join(heads)}{same}"
    prefix = len(group.path.partition("[")[0].partition("*")[0].rstrip("."))
    return {
        id(node): Row(_cells(cells | exchange.behind(bases, cells), varying, fixed), keys, prefix, len(records))
        for node, cells in zip(group.nodes, records, strict=True)
    }


USUAL, MIN_USUAL, LONG_USUAL = 0.9, 10, 8  # of the rows that have a value where others say theirs; its characters


def _in_most(columns: Sequence[str], records: Sequence[dict[str, str]]) -> dict[str, tuple[str, int]]:
    """The value that all have in a column, and that of a date which nearly all have, with how many do."""
    values = dict[str, tuple[str, int]]()
    short = all(sum(map(len, cells.values())) < LONG_CELL for cells in records)  # no row is cut before it says so
    for key in columns:
        cells = [cells[key] for cells in records if key in cells]
        value, held = Counter(cells).most_common(1)[0]
        often = short and held >= max(USUAL * len(records), MIN_USUAL) and len(value) >= LONG_USUAL
        if len(cells) == len(records) and (held == len(records) or often):
            values[key] = value, held
    return values


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
            if depth == DEEPEST or len(value) > MAX_COLUMNS:
                return None
            above = f"{path}." * bool(path)
            work += [(above + key_text(k), depth + 1, v) for k, v in reversed(value.items())]
            continue
        if value.__class__ in _LONGEST and len(value) > _LONGEST[value.__class__]:
            return None
        cell = flow(value)
        if len(cell) > LONG_CELL or len(out) >= MAX_COLUMNS:
            return None
        out[path] = cell.replace("|", "\\|")
    return out


_ASIDE_SIGNS = ("eaders", "managedFields", "ownerReferences", "tolerations", ".projected.sources", "/last-applied-")
_ASIDE = regex(
    r"(?:^|[.\]])(?:(?:response|request|req|raw)?_?headers|rawHeaders|managedFields|ownerReferences|tolerations)\b"
    r"|\.projected\.sources\b|/last-applied-"
)  # bookkeeping


def bookkeeping(path: str) -> bool:
    """Whether nobody reads a document for what stands there: headers of an exchange, what Kubernetes keeps."""
    return any(map(path.__contains__, _ASIDE_SIGNS)) and _ASIDE.search(path) is not None


# -- twins --------------------------------------------------------------------------------------------------------

EQUAL, TOLD = 0.05, 12  # of the document's characters, at least; places of what is equal


@record
class Twins:
    """What is equal, and the members of the later one, which say nothing new: by the ``id`` of their object and key,
    how the paths below them begin, and those of their groups."""

    facts: list[Fact] = field(default_factory=list)
    same: set[tuple[int, Key]] = field(default_factory=set)
    paths: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    nodes: set[int] = field(default_factory=set)

    def again(self, path: str, owner: Any, keys: Sequence[Key]) -> bool:
        """Whether a line tells what the other object has said."""
        if not self.facts:
            return False
        at_hand = bool(keys) and self.same.issuperset((id(owner), key) for key in keys)
        return at_hand or path.startswith(tuple(self.paths))

    def without(self, groups: list[Group]) -> list[Group]:
        """Those that are not inside the later ones."""
        inside = tuple(f"{path}{mark}" for path in self.groups for mark in ".[")
        return [group for group in groups if not group.path.startswith(inside)] if inside else groups


def twins(groups: Sequence[Group], sizes: Sizes) -> Twins:
    """What says in another place all that has been said: the state before and after, where nothing changed."""
    result, seen, least = Twins(), dict[tuple[int, int], Group](), EQUAL * sizes.of(groups[0].nodes[0])[1]
    for group in groups:
        few = len(group.nodes) <= TOLD and group.types <= {dict, list, str} and group.parent and not group.recursive
        few = few and not bookkeeping(group.path)
        size = sum(sizes.of(node)[1] for node in group.nodes) if few else 0
        other = seen.setdefault((size, len(group.nodes)), group)
        if other is group or size < least or not result.without([group]):
            continue
        known = result.nodes.issuperset(map(id, group.nodes))
        if not known and repr(other.nodes) == repr(group.nodes) and _placed_alike(other, group):
            same = [path_text(each.address(0)) if len(group.nodes) == 1 else each.path for each in (group, other)]
            result.facts.append(Fact(" = ".join(same), 1))
            result.groups.append(group.path)
            for i, node in enumerate(group.nodes):
                result.nodes.add(id(node))
                result.same.update((id(node), key) for key in (node if node.__class__ is dict else range(len(node))))
                result.same.update((id(held[0].nodes[held[1]]), group.keys[i]) for held in [group.holder(i)] if held)
                result.paths += [f"{path_text(group.address(i))}{mark}" for mark in ".["]
    return result


def _placed_alike(one: Group, other: Group) -> bool:
    """Whether equal things have equal places up to what holds both: of lists the same elements."""
    while one is not other and len(one.nodes) > 1:
        listed = one.step in ("[]", "*")
        if one.owners != other.owners or (listed and one.keys != other.keys) or not (one.parent and other.parent):
            return False
        one, other = one.parent, other.parent
    return True
