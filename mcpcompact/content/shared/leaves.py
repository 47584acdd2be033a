"""The leaves of a JSON value by their numbers, and how many of them and how many characters each container holds."""

from __future__ import annotations

import functools
import itertools
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any

from mcpcompact.content.shared.tree import Key
from mcpcompact.outline import Fact, record


@record
class Sizes:
    """Leaves and rendered characters of every container that holds anything, by ``id``: known before any line is
    written."""

    known: dict[int, tuple[int, int]] = field(default_factory=dict)

    def of(self, value: Any) -> tuple[int, int]:
        if value.__class__ in _HOLD:
            return self.known[id(value)] if value else _EMPTY
        return 1, len(value) + 2 if value.__class__ is str else 8


_EMPTY = (1, 2)  # a leaf
_HOLD = {dict, list}


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
        told = [(fact, [{*units} for units in fact.shows]) for fact in facts if fact.shows]
        wanted, numbers = sorted(set[int]().union(*(units for _, shows in told for units in shows))), dict[int, int]()
        for node, keys, start in self.lines if wanted else ():
            own = self.of(node)
            if bisect_left(wanted, own.start) < bisect_left(wanted, own.stop):
                numbers.update(zip((at for key in keys for at in self.below(node, key)), itertools.count(start)))
        for fact, shows in told:
            fact.shows = [{numbers.get(n, n) for n in units if n not in self.cut} for units in shows]

    def places(self) -> set[tuple[int, Key]]:
        """The members of containers, by ``id`` and key, that tables show whole."""
        shown = self.shown - self.cut
        found, work = set[tuple[int, Key]](), [self.root] if shown else []
        while work:
            node = work.pop()
            for key, child, at in self._children(node):
                if shown.issuperset(range(at, at + self.sizes.of(child)[0])):
                    found.add((id(node), key))
                work += [child] * (child.__class__ in _HOLD)
        return found

    def at(self, node: Any, paths: Iterable[Sequence[Key]]) -> set[int]:
        """The scalars below a container at some of these paths; ``[]`` is every element of a list."""
        found, work = set[int](), [(node, list(paths))]
        while work:
            node, paths = work.pop()
            for key, child, at in self._children(node):
                below = [p[1:] for p in paths if p and p[0] == (key if node.__class__ is dict else "[]")]
                if below and child.__class__ in _HOLD:
                    work.append((child, below))
                elif () in map(tuple, below):
                    found.add(at)
        return found


def measure(nodes: Sequence[Any]) -> Sizes:
    """Of these ``containers``."""
    sizes, alike = Sizes(), dict[tuple[int, int], tuple[int, int]]()  # equal ones once: thousands are
    known = sizes.known
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
        known[id(node)] = alike.setdefault(found := (leaves, chars), found)
    return sizes
