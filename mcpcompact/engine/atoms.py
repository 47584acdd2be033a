"""Atoms: the identifiers, paths, numbers, dates and names of a text, and what each is worth.

An atom is what an agent could later put into a call. The fill engine spends tokens where they buy the most weight of
atoms not shown yet. The weights are use rates: over recorded sessions, how often an atom of each kind in a result stood
in a later call's arguments, relative to all atoms of that result (``docs/decisions.md``; ``bench/evidence.py`` measures
what they achieve)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Set
from itertools import chain

from mcpcompact.patterns import regex

_LONG_NAME, _NAME = 4, 3  # characters from which on it counts
_WORTH_PARTS = 0.1  # weight of a name whose parts count
_HALF_SAID = 0.5
_SEVERAL = 4  # lines

_COMPOSITE = regex(
    r"(?<![\w$@~.\-])(?=[\w$~]*+[/:.\-@])[\w$@~.\-]*[\w$](?:[/:.\-@]++[\w$.\-]*[\w$])+|/(?:[.\-/]{0,8}+[\w$]++)++"
)
_JOINED = regex(r"[/:.\-@][\w$]")  # stands in each of these
_WORD = regex(r"[^\W_][\w$]*[^\W_]|[\w$]{3,}")
_PLAIN_WORD = regex(r"\w{2,}")  # finds the same in a text without ``_`` and ``$``, sooner
_EXTENSION = regex(r"\.\w{1,6}$")
_HEX = re.compile(r"[0-9a-f-]{7,}", re.IGNORECASE)
_STAMP = regex(r"[\d.:T+-]+Z?")
_SEPARATOR = regex(r"[:@]|//+|\.\.+|--+")
_PART = regex(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}|\d{4,}")
ASKED_MOST = 4_000  # characters of the request that are looked at

# Odds of being used later, relative to the other atoms of the same result: a conditional logit over 365 recorded
# results with evidence, sessions capped at 20 uses each, checked across sessions (docs/decisions.md).
USED = {
    "file": 2.7, "dotted": 2.8, "symbol": 1.6, "file in a folder": 1.6, "dotted twice": 1.3, "folder": 1.3,
    "number": 1.0, "id": 0.7, "folders": 0.9, "deep folders": 0.6, "short number": 0.6, "hex": 0.55,
    "hyphened": 0.5, "word": 0.1, "stamp": 0.1, "digits": 0.03, "common": 0.02,
}  # fmt: skip

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
    """The atoms of a piece of text: composites (paths, dotted names, dates), their parts, and the words of both.
    ``src/a.py:12:def`` holds ``src/a.py`` and ``a.py`` too: a search hit names its file in every line."""
    words = _WORD if "_" in text or "$" in text else _PLAIN_WORD
    result = {word for word in words.findall(text) if len(word) > 2 or word.isdigit()}
    if not _JOINED.search(text):
        return result
    signed = " ".join([word for word in text.split() if not word.isalnum()])
    for composite in _COMPOSITE.findall(signed):
        if len(composite) > _LONG_NAME:
            result.add(composite.strip(".:-@/"))
            if "/" in composite or ":" in composite or "@" in composite:
                _part(composite, result)
    return result


def _part(composite: str, result: set[str]) -> None:
    """Add what stands between the separators, and the last name of each path."""
    separated = ":" in composite or "@" in composite or "//" in composite or ".." in composite or "--" in composite
    for part in _SEPARATOR.split(composite) if separated else (composite,):
        if len(name := part.strip("./-")) > _NAME:
            result.add(name)
        if "/" in part and len(name := part[part.rfind("/") + 1 :].strip("./-")) > _NAME:
            result.add(name)


def kind(atom: str) -> str:
    """What an atom looks like: a key of ``USED``."""
    if not atom.isalpha():
        return _signed(atom)
    if atom.islower():
        return "common" if atom in _COMMON else "word"
    return "symbol" if _is_mixed(atom) else _worded(atom)


def _worded(atom: str) -> str:
    return "common" if is_common(atom) else "word"


def _is_mixed(atom: str) -> bool:
    return atom[1:] != atom[1:].lower() and atom != atom.upper()


def _signed(atom: str) -> str:
    """The same of an atom with digits or signs."""
    if atom.isdigit():
        return {1: "digits", 2: "digits", 3: "short number"}.get(len(atom), "number")
    if "/" in atom:
        if _EXTENSION.search(atom):
            return "file in a folder" if atom.count("/") == 1 else "file"
        return {1: "folder", 2: "folders", 3: "folders"}.get(atom.count("/"), "deep folders")
    digits = any(map(str.isdigit, atom))
    if digits and _STAMP.fullmatch(atom):
        return "stamp"
    if "." in atom or "::" in atom:
        return "dotted" if atom.count(".") + atom.count("::") == 1 else "dotted twice"
    if digits and _HEX.fullmatch(atom):
        return "hex"
    if "_" in atom.strip("_") or _is_mixed(atom):
        return "symbol"
    if digits:
        return "id"
    return "hyphened" if "-" in atom else _worded(atom)


def is_common(word: str) -> bool:
    """Whether a word carries no reference in any language of prose, code or data."""
    return word.lower() in _COMMON


KNOWN = 0.02  # of its weight, when the conversation already holds it
ASKED, HALF_ASKED = 2.0, 1.3  # every part of the name is a word of the request; at least half of its parts
SEVERAL, MANY = 1.4, 2.2  # a name in two or three lines; in more: what the text is about. With digits, chance


def weights_of(atom_sets: Iterable[Iterable[str]], known: Set[str], asked: str) -> dict[str, float]:
    """What each atom of one input is worth: by kind, times how new it is to the conversation, times how much
    of it stands in the words of the request (the call's arguments, the focus)."""
    weights: dict[str, float] = {}
    words = _parts(asked[-ASKED_MOST:])
    for atom, lines in Counter(chain.from_iterable(atom_sets)).items():
        worth = USED[kind(atom)] * (KNOWN if atom in known else 1.0)
        if lines > 1 and not any(map(str.isdigit, atom)):
            worth *= SEVERAL if lines < _SEVERAL else MANY
        parts = _parts(atom) if words and worth >= _WORTH_PARTS and atom not in known else set()
        if parts and (share := len(parts & words) / len(parts)) >= _HALF_SAID:
            worth *= ASKED if share == 1 else HALF_ASKED
        weights[atom] = worth
    return weights


def _parts(text: str) -> set[str]:
    """The words that names are made of, as in ``parseEvalConfig`` and ``eval_config``: four letters and more."""
    return {part.lower() for part in _PART.findall(text)}
