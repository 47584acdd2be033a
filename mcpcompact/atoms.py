"""Atoms: the identifiers, paths, numbers, dates and names of a text, and what each is worth.

An atom is what an agent could later put into a call. The fill engine spends tokens where they
buy the most new atoms; the weights say how likely a kind of atom is to be wanted again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_COMPOSITE = re.compile(r"[\w$@~.\-]*[\w$](?:(?:/|::|\.|:|-|@)+[\w$.\-]*[\w$])+|/[\w$.\-/]*[\w$]")
_WORD = re.compile(r"[^\W_][\w$]*[^\W_]|[\w$]{3,}")

_PLAIN_WORD, _NUMBER, _SYMBOL, _PATH = 0.35, 0.8, 2.0, 2.2

# Words that carry no reference in any language of prose, code or data.
_COMMON = frozenset(
    """the and for not with this that from are was were has have had but you your all any can will would should could
    there their they them then than when what which who how why its our out into over under also only just such some
    more most other each been being does did done use used using true false null none nil undefined self return
    if else elif while try except finally catch throw new def class function func const let var import export
    public private protected static void int str string bool boolean float double char byte long short type
    value values name names key keys data item items list dict object array number text line lines file files""".split()
)


def atoms(text: str) -> set[str]:
    """The atoms of a piece of text: composites (paths, dotted names, dates) and the words they are made of."""
    found = {word for word in _WORD.findall(text) if len(word) > 2 or word.isdigit()}
    for composite in _COMPOSITE.findall(text):
        if len(composite) > 4:
            found.add(composite.strip(".:-@"))
    return found


def base_weight(atom: str) -> float:
    """How much one atom is worth before its rarity: paths and symbols over numbers over plain words."""
    if atom.isdigit():
        return _NUMBER if len(atom) > 2 else 0.1
    if "/" in atom:
        return _PATH
    if "." in atom or "::" in atom or ":" in atom:
        return _SYMBOL
    if "_" in atom or "-" in atom or any(c.isdigit() for c in atom):
        return _SYMBOL
    if atom[1:] != atom[1:].lower() and atom != atom.upper():
        return _SYMBOL  # camelCase
    if atom.lower() in _COMMON:
        return 0.02
    if atom.isupper():
        return 1.0
    return _PLAIN_WORD


class AtomWeights:
    """Weights of the atoms of one input: kind, times rarity, times how new it is to the conversation."""

    KNOWN = 0.25  # an atom that the conversation already holds needs no showing

    def __init__(self, atom_sets: Iterable[Iterable[str]], known: set[str] | None = None) -> None:
        counts: Counter[str] = Counter()
        for found in atom_sets:
            counts.update(found)
        known = known or set()
        self.weights: dict[str, float] = {
            atom: base_weight(atom) * float(count**-0.3) * (self.KNOWN if atom in known else 1.0)
            for atom, count in counts.items()
        }

    def __getitem__(self, atom: str) -> float:
        return self.weights.get(atom, 0.0)
