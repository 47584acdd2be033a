"""A JSON value seen by columns: all nodes that share one generic path (``items[].spec.image``) are a group.

Groups turn a nested value into statistics: presence, types, value counts, outliers, odd structure. A dictionary whose
keys are ids (a map) is a column too (``users.*.email``), and a structure that contains itself
(``children[].children[]``, dependency trees) is folded into one group. Work lists throughout: nothing here recurses on
the depth of the data."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from itertools import chain, repeat
from typing import Any

from mcpcompact.outline import record
from mcpcompact.patterns import regex

_FEW = 5  # keys that may be of a record
_MANY = 50  # keys
_ALIKE = 0.5  # share of values of one shape
_TOO_MANY = 500  # keys for a record
_SEVERAL = 20  # keys

Key = str | int

_PLAIN_KEY = regex(r"[\w$-]+")
PLACE = regex(r"\[\d{1,2}\]")  # of a row that is a list
_ID_LIKE = regex(r"\d|[/@:]")
_RECURSION_REACH = 6  # how many levels up a structure that contains itself is looked for


@record
class Group:
    """All nodes at one generic path. ``owners[i]`` is the index in ``parent.nodes`` of the node that holds node i."""

    path: str
    step: str  # last part of the path: "name", "[]", "*", "" for the root
    parent: Group | None = None
    nodes: list[Any] = field(default_factory=list)
    owners: list[int] = field(default_factory=list)
    keys: list[Key] = field(default_factory=list)
    origins: list[Group | None] = field(default_factory=list)  # per node, only where a recursive structure was folded
    children: dict[str, Group] = field(default_factory=dict)
    is_map: bool | None = None  # not decided while it has no dictionary
    recursive: int = 0  # nodes that were folded in from below
    types: set[type] = field(default_factory=set)  # of all its nodes

    def holder(self, i: int) -> tuple[Group, int] | None:
        """The group and index of the node that holds node ``i``; None at the root."""
        parent = (self.origins[i] if self.origins else None) or self.parent
        return None if parent is None else (parent, self.owners[i])

    def address(self, i: int) -> tuple[Key, ...]:
        """The exact keys from the root down to node ``i``."""
        parts: list[Key] = []
        group: Group = self
        while (up := group.holder(i)) is not None:
            parts.append(group.keys[i])
            group, i = up
        return tuple(reversed(parts))


def groups_of(root: Any) -> list[Group]:
    """All groups of a value, parents before children, in the order in which their paths first occur."""
    top = Group("", "", None, [root], [0], [""])
    order: list[Group] = [top]
    work: deque[tuple[Group, int, int]] = deque([(top, 0, 1)])
    while work:
        group, start, end = work.popleft()
        types = {*map(type, group.nodes[start:end])}
        group.types |= types
        if types.isdisjoint(_HOLD):
            continue
        before = {id(child): len(child.nodes) for child in group.children.values()}  # a folded one may be there twice
        dicts = _places(group, dict, start, end) if dict in types else []
        if dicts:
            if group.is_map is None:
                group.is_map = _is_map([group.nodes[i] for i in dicts])
            _spread_dicts(group, dicts, order)
        lists = _places(group, list, start, end) if list in types else []
        if lists:
            _spread_lists(group, lists, order)
        for child in {id(child): child for child in group.children.values()}.values():
            first = before.get(id(child), 0)
            if len(child.nodes) == first:
                continue
            _note_origin(child, first, group)
            ancestor = _folds_into(child) if first == 0 else None
            if ancestor is not None:
                first = len(ancestor.nodes)
                _fold(child, ancestor)
                order.remove(child)
                group.children[child.step] = ancestor
                child = ancestor
            work.append((child, first, len(child.nodes)))
    return order


_HOLD = {dict, list}


def _places(group: Group, kind: type, start: int, end: int) -> list[int]:
    return [i for i, node in enumerate(group.nodes[start:end], start) if node.__class__ is kind]


def _spread_dicts(group: Group, indices: list[int], order: list[Group]) -> None:
    if group.is_map:
        held = [group.nodes[i] for i in indices]
        _extend(_child(group, "*", order), list(map(dict.values, held)), indices, held)
        return
    for i in indices:
        for key, value in group.nodes[i].items():
            child = group.children.get(key) or _child(group, key, order)
            child.nodes.append(value)
            child.owners.append(i)
            child.keys.append(key)


def _spread_lists(group: Group, indices: list[int], order: list[Group]) -> None:
    held = [group.nodes[i] for i in indices]
    if group.step[:1] == "[" and _are_rows(held):
        for place, column in enumerate(zip(*held, strict=True)):
            cells = [(value,) for value in column]
            _extend(_child(group, f"[{place}]", order), cells, indices, [repeat(place, len(cells))])
        return
    _extend(_child(group, "[]", order), held, indices, map(range, map(len, held)))


ROWS, PLACES = 5, range(2, 17)  # lists of one length that are rows; places of one


def _are_rows(lists: list[list[Any]]) -> bool:
    """Whether each place of these lists is a column: a run's number, its time and its value."""
    width = len(lists[0])
    alike = len(lists) >= ROWS and width in PLACES and all(len(each) == width for each in lists)
    return alike and dict not in {*map(type, chain.from_iterable(lists))}


def _extend(child: Group, held: Sequence[Collection[Any]], owners: list[int], keys: Iterable[Iterable[Key]]) -> None:
    child.nodes.extend(chain.from_iterable(held))
    child.owners.extend(chain.from_iterable(map(repeat, owners, map(len, held))))
    child.keys.extend(chain.from_iterable(keys))


def _note_origin(child: Group, first: int, holder: Group) -> None:
    """That ``holder`` holds the nodes from ``first`` on, where it is not the only one."""
    if child.parent is not holder or child.origins:
        if not child.origins:
            child.origins = [child.parent] * first
        child.origins.extend(repeat(holder, len(child.nodes) - first))
        child.recursive += len(child.nodes) - first if child.parent is not holder else 0


def _child(group: Group, step: str, order: list[Group]) -> Group:
    child = group.children.get(step)
    if child is None:
        child = Group(generic(group.path, step), step, group)
        group.children[step] = child
        order.append(child)
    return child


def _folds_into(child: Group) -> Group | None:
    """An ancestor of the same step and much the same keys: the structure contains itself."""
    above = child.parent
    for _ in range(_RECURSION_REACH):
        above = above.parent if above is not None else None
        if above is None or above.parent is None:
            return None
        if above.step == child.step and field_of(above) == field_of(child):
            shape, theirs = _common_keys(child.nodes), _common_keys(above.nodes)
            if shape and len(shape & theirs) >= 0.6 * min(len(shape), len(theirs)):
                return above
    return None


def field_of(group: Group) -> str:
    """The nearest field name: ``children`` for ``children[]`` and ``children.*``, that of the list or map."""
    while group.step in ("[]", "*") and group.parent is not None:
        group = group.parent
    return group.step


def _common_keys(nodes: list[Any]) -> set[str]:
    dicts = [node for node in nodes[:200] if node.__class__ is dict]
    if len(dicts) * 2 <= min(len(nodes), 200):
        return set()
    counts = Counter(chain.from_iterable(dicts))
    return {key for key, n in counts.items() if n * 2 >= len(dicts)}


def _fold(child: Group, ancestor: Group) -> None:
    if not ancestor.origins:
        ancestor.origins = [ancestor.parent] * len(ancestor.nodes)
    ancestor.origins.extend(child.origins or [child.parent] * len(child.nodes))
    ancestor.nodes.extend(child.nodes)
    ancestor.owners.extend(child.owners)
    ancestor.keys.extend(child.keys)
    ancestor.recursive += len(child.nodes)


_METHODS = frozenset(("get", "put", "post", "delete", "options", "head", "patch", "trace"))


def _is_map(dicts: list[dict[str, Any]]) -> bool:
    """Are the keys ids rather than field names? Then the values are alike, and keys hardly repeat between objects."""
    names = set(chain.from_iterable(dicts))
    distinct, total = len(names), sum(map(len, dicts))
    described = distinct > 1 and (names <= _METHODS or all(name[:1] == "/" for name in names))  # in OpenAPI
    if described and all(value.__class__ is dict for d in dicts for value in d.values()):
        return True
    if distinct < _FEW:
        return False
    if len(dicts) > 1 and total > distinct * max(2.0, 0.1 * len(dicts)):
        return False
    values = [value for d in dicts[:500] for value in d.values()][:2000]
    kinds = kinds_of(values)
    kind, most = kinds.most_common(1)[0]
    if most < 0.9 * len(values):
        return distinct > _TOO_MANY
    if kind == "object":
        objects = [v for v in values if v.__class__ is dict]
        common = _common_keys(objects)
        if not common:
            return distinct >= _MANY
        alike = sum(len(common & o.keys()) / len(common | o.keys()) for o in objects) / len(objects)
        return alike >= _ALIKE
    ids = sum(1 for key in names if _ID_LIKE.search(key))
    if kind == "array":
        return ids >= 0.6 * distinct or distinct >= _SEVERAL
    return (distinct >= _SEVERAL and ids >= 0.6 * distinct) or distinct > _TOO_MANY


def kind_of(value: Any) -> str:
    return _kind(value.__class__)


def kinds_of(values: Sequence[Any]) -> Counter[str]:
    """How many values are of each kind."""
    counts: Counter[str] = Counter()
    for kind, count in Counter(map(type, values)).items():
        counts[_kind(kind)] += count
    return counts


def _kind(type: type) -> str:
    return _KINDS.get(type) or ("number" if issubclass(type, float) else "string")


_KINDS: dict[type, str] = {dict: "object", list: "array", bool: "boolean", int: "number", type(None): "null"}


def generic(path: str, step: str) -> str:
    if step == "[]" or PLACE.fullmatch(step):
        return path + step
    if step == "*":
        return f"{path}.*" if path else "*"
    name = step if _PLAIN_KEY.fullmatch(step) else f'["{_escape(step)}"]'
    return f"{path}.{name}" if path and name[0] != "[" else path + name


def path_text(parts: tuple[Key, ...], base: str = "") -> str:
    """``a.b[0]["odd key"]``: the selector that ``results get --path`` takes."""
    for part in parts:
        base = f"{base}[{part}]" if isinstance(part, int) else join_key(base, part)
    return base


def join_key(base: str, key: str) -> str:
    if _PLAIN_KEY.fullmatch(key) and (base or key != "$"):  # "$.x" is read as the whole's x
        return f"{base}.{key}" if base else key
    return f'{base}["{_escape(key)}"]'


def _escape(key: str) -> str:
    return key.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def in_short(label: str, heading: str) -> str:
    """The numbers of an element below a ``heading`` that names the keys between them: ``[0]…[2]``."""
    return label if "*" in heading.partition("|")[0] else _BETWEEN.sub("…", label)


_BETWEEN = regex(r"(?<=\])\.[^\[\]]{10,}(?=\[)")  # keys between two numbers, longer than a mark
