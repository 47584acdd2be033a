"""What a request means of a source: definitions by the words of their names, lines by their text."""

from __future__ import annotations

import re
from collections import Counter

from mcpcompact.content.code.scan import Scan
from mcpcompact.content.shared.languages import IMPORT
from mcpcompact.content.shared.request import asked, rarity, told
from mcpcompact.content.shared.views import View
from mcpcompact.outline import Hints
from mcpcompact.patterns import regex

MEANT, MEANT_LEAST, MEANT_ALIKE = 3, 1.2, 0.8  # definitions that a request can mean; the least score of the best one (a
# word that a third of the names hold), and the share of it that others have
MEANT_LINES, MEANT_FIRST, MEANT_FAR = 60, 3.3, 0.8  # lines of it; its weight, before other definitions; of other lines
MOST = 4_000  # characters of a request that are looked at: its end
ANSWERS = 4.2  # weight of a line that the request quotes: it stands whatever else there is
QUOTED, QUOTED_FEW = 10, 2  # lines that it can quote (of more it is about the whole), and that raise what it names
NEARBY = 24  # characters before a word of failure, which tell what failed
QUOTED_NEAR, QUOTED_BESIDE = 3, 1.5  # lines on both sides of these, and the factor on their weight
_SPOKEN = regex(r"[^\W\d_]\w+")
_FAILS = regex(r"\b(?:not found|failed|missing|invalid|unknown|denied|timed? ?out)\b", re.IGNORECASE)
_FAILING = regex(r"\s*(?:raise|throw|panic!?\(|return (?:[\w\s]*, )?(?:errors\.|fmt\.Errorf|[\w.]*Err[A-Z]))")
_SAID = regex(r"[\"“]([^\"“”\n]{4,60})[\"”]")  # a text that the request has in quotes
_CONSTANTS = regex(r"\b(?:constants?|literals?|hard-?coded|magic (?:strings?|numbers?|values?))\b", re.IGNORECASE)
_LITERAL = regex(r"\S.*?[\"'`][^\"'`\\]{3,40}[\"'`]")  # not a line break or a sign
_VALUE = regex(r"(?:\breturn|[=:])\s+([\w.]+)[,;]?$")
_PART = regex(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")  # a word of a name


def weigh_meant(view: View, scan: Scan, hints: Hints) -> None:
    """What the request means comes first."""
    _meant(scan, hints)
    _literals(view, scan, hints)
    _quoted(view, scan, hints)


def _meant(scan: Scan, hints: Hints) -> None:
    """The definitions whose names hold most of the words of the request, and what stands in them, come first."""
    wanted = _words(" ".join(asked(hints)))
    own = [d for d in scan.definitions if d.start in scan.named] if wanted else []
    held = [_words(d.name) for d in own]
    rare, telling = rarity(wanted, held), told(" ".join(wanted))
    shared = [words & wanted.keys() for words in (each.keys() for each in held)]
    scores = [sum(rare[w] for w in words) if len(words) > 1 or words & telling.keys() else 0.0 for words in shared]
    best = max(scores, default=0.0)
    meant = [d for d, score in zip(own, scores, strict=True) if score >= best * MEANT_ALIKE]
    if best < MEANT_LEAST or len(meant) > MEANT:
        return
    near = {i for d in meant for i in range(d.start, min(d.end, d.start + MEANT_LINES) + 1)}
    for i in scan.coded:
        scan.weights[i] *= 1.0 if i in near or i in scan.named else MEANT_FAR
    for d in meant:
        scan.weights[d.start] = MEANT_FIRST


def _quoted(view: View, scan: Scan, hints: Hints) -> None:
    """The lines whose text the request quotes, and those that raise what it says fails, come before definitions."""
    request = (hints.focus or "")[-MOST:]
    if not request:  # no pattern is compiled for nothing
        return
    said = _runs(request)
    wanted = _words(" ".join(request[max(0, m.start() - NEARBY) : m.start()] for m in _FAILS.finditer(request))).keys()
    texts = _SAID.findall(asked(hints)[1])
    quoted = [i for i in scan.coded if said and not said.isdisjoint(_runs(view.texts[i]))]
    quoted += [i for i in scan.coded if any(map(view.texts[i].__contains__, texts))] if not quoted else []
    raising = {i: _words(view.texts[i]).keys() & wanted for i in scan.coded if wanted and _FAILING.match(view.texts[i])}
    shared = Counter(word for words in raising.values() for word in words)
    failing = [i for i, words in raising.items() if any(shared[word] <= QUOTED_FEW for word in words)]
    for found, weight in ((failing, MEANT_FIRST), (quoted, ANSWERS)):
        for i in found if len(found) <= QUOTED else ():
            scan.weights[i] = weight
            for near in range(max(0, i - QUOTED_NEAR), min(len(view.texts), i + QUOTED_NEAR + 1)):
                scan.weights[near] *= QUOTED_BESIDE if near not in scan.named and near not in found else 1.0


def _literals(view: View, scan: Scan, hints: Hints) -> None:
    """Where the request speaks of constants, what could be one comes before other statements: a text, and a name that
    stands for what the request quotes."""
    request = asked(hints)[1]
    if not _CONSTANTS.search(request):
        return
    said = _words(" ".join(_SAID.findall(request))).keys()
    texts = {i: text for i in scan.coded if _LITERAL.search(text := view.texts[i])}
    found = [i for i, text in texts.items() if not (_FAILING.match(text) or IMPORT.match(text.strip()))]
    for i in found:
        scan.weights[i] = ANSWERS if len(found) <= QUOTED else max(scan.weights[i], MEANT_FIRST)
    for i in scan.coded if said else ():
        if (value := _VALUE.search(view.texts[i])) and not said.isdisjoint(_words(value[1])):
            scan.weights[i] = ANSWERS


def _runs(text: str) -> set[tuple[str, ...]]:
    """Words that follow each other in a text, four at a time."""
    words = [word.lower() for word in _SPOKEN.findall(text.replace("\\n", " "))]
    return set(zip(words, words[1:], words[2:], words[3:], strict=False))


def _words(text: str) -> Counter[str]:
    """The words of a text and of the names in it, without a plural's s."""
    return Counter(word.lower().rstrip("s") for word in _PART.findall(text))
