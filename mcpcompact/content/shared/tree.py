"""A JSON value seen by columns: all nodes that share one generic path (``items[].spec.image``) are a group.

Groups turn a nested value into statistics: presence, types, value counts, outliers, odd structure. A dictionary whose
keys are ids (a map) is a column too (``users.*.email``), and a structure that contains itself
(``children[].children[]``, dependency trees) is folded into one group. Work lists throughout: nothing here recurses on
the depth of the data. Its leaves have numbers, in document order."""

from __future__ import annotations

import functools
from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import chain, count, repeat
from typing import Any

from mcpcompact.outline import Fact, record
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
        for kind, spread in ((dict, _spread_dicts), (list, _spread_lists)):
            if kind in types:
                owners = [i for i, node in enumerate(group.nodes[start:end], start) if node.__class__ is kind]
                spread(group, owners, [group.nodes[i] for i in owners], order)
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


def _spread_dicts(group: Group, owners: list[int], held: list[dict[str, Any]], order: list[Group]) -> None:
    if group.is_map is None:
        group.is_map = _is_map(held)
    if group.is_map:
        _extend(_child(group, "*", order), list(map(dict.values, held)), owners, held)
        return
    for i, node in zip(owners, held, strict=True):
        for key, value in node.items():
            child = group.children.get(key) or _child(group, key, order)
            child.nodes.append(value)
            child.owners.append(i)
            child.keys.append(key)


def _spread_lists(group: Group, owners: list[int], held: list[list[Any]], order: list[Group]) -> None:
    if group.step[:1] == "[" and _are_rows(held):
        for place, column in enumerate(zip(*held, strict=True)):
            cells = [(value,) for value in column]
            _extend(_child(group, f"[{place}]", order), cells, owners, [repeat(place, len(cells))])
        return
    _extend(_child(group, "[]", order), held, owners, map(range, map(len, held)))


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
    for kind, n in Counter(map(type, values)).items():
        counts[_kind(kind)] += n
    return counts


def _kind(type: type) -> str:
    return _KINDS.get(type) or ("number" if issubclass(type, float) else "string")


_KINDS: dict[type, str] = {dict: "object", list: "array", bool: "boolean", int: "number", type(None): "null"}


def generic(path: str, step: str) -> str:
    if step == "[]" or PLACE.fullmatch(step):
        return path + step
    if step == "*":
        return f"{path}.*" if path else "*"
    return join_key(path, step)


def path_text(parts: tuple[Key, ...], base: str = "") -> str:
    """``a.b[0]["odd key"]``: the selector that ``results get --path`` takes."""
    for part in parts:
        base = f"{base}[{part}]" if isinstance(part, int) else join_key(base, part)
    return base


def join_key(base: str, key: str) -> str:
    if _PLAIN_KEY.fullmatch(key) and (base or key != "$"):  # "$.x" is read as the whole's x
        return f"{base}.{key}" if base else key
    escaped = key.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'{base}["{escaped}"]'


def in_short(label: str, heading: str) -> str:
    """The numbers of an element below a ``heading`` that names the keys between them: ``[0]…[2]``."""
    return label if "*" in heading.partition("|")[0] else _BETWEEN.sub("…", label)


_BETWEEN = regex(r"(?<=\])\.[^\[\]]{10,}(?=\[)")  # keys between two numbers, longer than a mark


# -- leaves ------------------------------------------------------------------------------------------------------


class Sizes:
    """Leaves and rendered characters of every container (of ``nodes``, outer ones first) that holds anything, by
    ``id``: known before any line is written."""

    def __init__(self, nodes: Sequence[Any]) -> None:
        known = self.known = dict[int, tuple[int, int]]()
        alike = dict[tuple[int, int], tuple[int, int]]()  # equal ones once: thousands are
        for node in reversed(nodes):
            leaves, named = len(node), node.__class__ is dict
            chars = 2 + (4 * leaves + sum(map(len, node)) if named else 2 * leaves)
            for value in node.values() if named else node:
                kind = value.__class__
                if kind is str:
                    chars += len(value) + 2
                elif kind is not dict and kind is not list:
                    chars += 8
                elif value:
                    below = known[id(value)]
                    leaves += below[0] - 1
                    chars += below[1]
                else:
                    chars += 2
            known[id(node)] = alike.setdefault(size := (leaves, chars), size)

    def of(self, value: Any) -> tuple[int, int]:
        if value.__class__ in _HOLD:
            return self.known[id(value)] if value else _EMPTY
        return 1, len(value) + 2 if value.__class__ is str else 8


_EMPTY = (1, 2)  # a leaf


class Leaves:
    """The numbers of the leaves of a value, from 1, in document order."""

    def __init__(self, root: Any, sizes: Sizes) -> None:
        self.root, self.sizes = root, sizes
        self.keyed: dict[int, dict[Key, int]] = {}
        self.cut, self.shown = set[int](), set[int]()  # of which tables show a part, and all
        self.lines: list[tuple[Any, Sequence[Key], int]] = []  # each with the number that it gives to its first leaf

    @functools.cached_property
    def first(self) -> dict[int, int]:
        """The first leaf of each container, by ``id``."""
        first, stack = {id(self.root): 1}, list[Any]([self.root] if self.root.__class__ in _HOLD else ())
        while stack:
            node = stack.pop()
            for _, child, at in self._children(node, first[id(node)]):
                if child.__class__ in _HOLD:
                    first[id(child)] = at
                    stack.append(child)
        return first

    def _children(self, node: Any, at: int = 0) -> Iterator[tuple[Key, Any, int]]:
        at = at or self.first[id(node)]
        for key, child in node.items() if node.__class__ is dict else enumerate(node):
            yield key, child, at
            at += self.sizes.of(child)[0] if child.__class__ in _HOLD else 1

    def of(self, node: Any) -> range:
        first = self.first[id(node)]
        return range(first, first + self.sizes.of(node)[0])

    def below(self, node: Any, key: Key) -> range:
        """Those of one member of a container."""
        held = self.keyed.get(id(node))
        if held is None:
            held = self.keyed[id(node)] = {k: at for k, _, at in self._children(node)}
        return range(held[key], held[key] + self.sizes.of(node[key])[0])

    def number(self, node: Any, keys: Sequence[Key], start: int) -> None:
        """A line gives its leaves numbers from ``start``: lines stand in the order of what they tell."""
        self.lines += [(node, keys, start)] * (node is not None)

    def renumber(self, facts: Iterable[Fact]) -> None:
        """What facts show whole has the numbers that lines give, so that it is counted once."""
        shown = [(fact, [{*units} for units in fact.shows]) for fact in facts if fact.shows]
        wanted, numbers = sorted(set[int]().union(*(units for _, shows in shown for units in shows))), dict[int, int]()
        for node, keys, start in self.lines if wanted else ():
            own = self.of(node)
            if bisect_left(wanted, own.start) < bisect_left(wanted, own.stop):
                numbers.update(zip((at for key in keys for at in self.below(node, key)), count(start)))
        for fact, shows in shown:
            fact.shows = [{numbers.get(n, n) for n in units if n not in self.cut} for units in shows]

    def places(self) -> set[tuple[int, Key]]:
        """The members of containers, by ``id`` and key, that tables show whole."""
        shown = self.shown - self.cut
        places, work = set[tuple[int, Key]](), [self.root] if shown else []
        while work:
            node = work.pop()
            for key, child, at in self._children(node):
                if shown.issuperset(range(at, at + self.sizes.of(child)[0])):
                    places.add((id(node), key))
                work += [child] * (child.__class__ in _HOLD)
        return places

    def at(self, node: Any, paths: Iterable[Sequence[Key]]) -> set[int]:
        """The scalars below a container at some of these paths; ``[]`` is every element of a list."""
        leaves, work = set[int](), [(node, list(paths))]
        while work:
            node, paths = work.pop()
            for key, child, at in self._children(node):
                below = [p[1:] for p in paths if p and p[0] == (key if node.__class__ is dict else "[]")]
                if below and child.__class__ in _HOLD:
                    work.append((child, below))
                elif () in map(tuple, below):
                    leaves.add(at)
        return leaves
