"""Atoms: the identifiers, paths, numbers, dates and names of a text, and what each is worth.

An atom is what an agent could later put into a call. The fill engine spends tokens where they buy
the most weight of atoms not shown yet. The weights are use rates: over recorded sessions, how often
an atom of each kind, seen once or repeatedly in a result, stood in a later call's arguments,
relative to all atoms (``docs/decisions.md``; ``bench/evidence.py`` measures what they achieve).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from mcpcompact.patterns import regex

TOKEN = regex(r"[\w$@~.\-/:]*[\w$]")
"""A run that may be an atom: a path, a dotted name, a word, a number with its separators."""

_COMPOSITE = regex(r"(?<![\w$@~.\-])[\w$@~.\-]*[\w$](?:(?:/|::|\.|:|-|@)+[\w$.\-]*[\w$])+|/[\w$.\-/]*[\w$]")
_WORD = regex(r"[^\W_][\w$]*[^\W_]|[\w$]{3,}")
_EXTENSION = regex(r"\.\w{1,6}$")
_HEX = re.compile(r"[0-9a-f-]{7,}", re.IGNORECASE)
_STAMP = regex(r"[\d.:T+-]+Z?")

STRONG = 0.5
"""An atom of at least this weight is worth a place of its own."""

# Words that carry no reference in any language of prose, code or data.
_WORDS = """
    the and for not with this that from are was were has have had but you your all any can will would should could
    there their they them then than when what which who how why its our out into over under also only just such some
    more most other each been being does did done use used using true false null none nil undefined self return
    if else elif while try except finally catch throw new def class function func const let var import export
    public private protected static void int str string bool boolean float double char byte long short type
    value values name names key keys data item items list dict object array number text line lines file files"""
_COMMON = frozenset(_WORDS.split())


def atoms(text: str) -> set[str]:
    """The atoms of a piece of text: composites (paths, dotted names, dates) and the words they are made of."""
    found = {word for word in _WORD.findall(text) if len(word) > 2 or word.isdigit()}
    for composite in _COMPOSITE.findall(text):
        if len(composite) > 4:
            found.add(composite.strip(".:-@"))
    return found


def weight(atom: str, count: int) -> float:
    """What showing ``atom`` is worth when it stands ``count`` times in the input; 1.0 is the average atom."""
    once = count == 1
    if atom.isdigit():
        return (0.4 if once else 1.5) if len(atom) > 2 else 0.05
    if "/" in atom:
        if _EXTENSION.search(atom):
            return 1.8
        return {1: 2.0, 2: 0.9}.get(atom.count("/"), 0.3)
    repeated = 0.8 if once else 1.5 if count < 4 else 1.9
    if "." in atom or "::" in atom:
        return 0.25 if _STAMP.fullmatch(atom) else 1.8 * repeated
    digits = sum(c.isdigit() for c in atom)
    if 3 * digits > len(atom) or (digits and _HEX.fullmatch(atom)):
        return 0.25 if once else 1.6  # stamps, hashes, serial numbers
    if "_" in atom or "-" in atom or digits or (atom[1:] != atom[1:].lower() and atom != atom.upper()):
        return 1.8 * repeated
    return 0.02 if atom.lower() in _COMMON else 0.1 * repeated


class AtomWeights:
    """Weights of the atoms of one input: kind and repetition, times how new it is to the conversation."""

    KNOWN = 0.25  # an atom that the conversation already holds needs no showing

    def __init__(self, atom_sets: Iterable[Iterable[str]], known: set[str] | None = None) -> None:
        counts: Counter[str] = Counter()
        for found in atom_sets:
            counts.update(found)
        known = known or set()
        self.weights: dict[str, float] = {
            atom: weight(atom, count) * (self.KNOWN if atom in known else 1.0) for atom, count in counts.items()
        }
