"""Which sections of a document answer the request, by their words: their beginnings come before those of others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from mcpcompact.content.columns.values import words
from mcpcompact.outline import Hints, Item
from mcpcompact.patterns import regex

SECTIONS, MOST_SECTIONS = 4, 3  # of a document that is worth asking; that answer
RARE, LEAST = 0.34, 2  # share of the sections that hold a telling word, at most; words that a section must share
HEADED = 2.0  # worth of a word of the heading: so many of the text
NEAR = 0.6  # of the best one's score
FIRST, WEIGHT, STEP = 4, 3.9, 0.02  # items of a section that come first; their weight, and how much less each has
MOST = 4_000  # characters of a request that are read: its end
_WORD = regex(r"[A-Za-z_][\w-]{3,}")
_KEYS = ("prompt", "query", "question")
_COMMON = words(
    "about above after again agent also another because been before being below between both code could does doing "
    "done down each even every file files find first from have having here into just know like line lines look looking "
    "made make many more most much need only other over please read right same should show some such sure take tell "
    "text than that their them then there these they this those through under until update used uses using want well "
    "were what when where which while will with without work would your"
)  # words of any request


def answering(items: Sequence[Item], hints: Hints | None) -> bool:
    """Raise the weight of what the sections begin with that share the most telling words with the request; whether
    there are any."""
    arguments = (hints and hints.arguments) or {}
    asked = [str(arguments.get(key) or "") for key in _KEYS] + [(hints and hints.focus) or ""]
    wanted = _words(" ".join(asked)[-MOST:]).keys()
    sections: list[list[Item]] = []
    for item in items if wanted else ():
        if item.part[0]:
            sections.append([])
        if sections:
            sections[-1].append(item)
    if len(sections) < SECTIONS:
        return False
    texts = [_words(" ".join(item.text for item in section)) for section in sections]
    held = Counter(word for found in texts for word in found.keys() & wanted)
    rare = {word: math.log(len(sections) / n) for word, n in held.items() if n <= RARE * len(sections)}
    scores = []
    for n, (section, found) in enumerate(zip(sections, texts, strict=True)):
        shared = rare.keys() & found.keys()
        heading = _words(section[0].text).keys() & shared
        if len(shared) + len(heading) >= LEAST:
            score = sum(rare[word] * found[word] / (found[word] + 1) for word in sorted(shared))
            scores.append((score + HEADED * sum(rare[word] for word in sorted(heading)), -n))
    best = sorted(scores, reverse=True)[:MOST_SECTIONS]
    for score, n in best:
        if score >= NEAR * best[0][0]:
            told = [item for item in sections[-n][1:] if item.weight > STEP]
            for turn, item in enumerate(told[:FIRST]):
                item.weight = max(item.weight, WEIGHT - turn * STEP)
    return bool(best)


def _words(text: str) -> Counter[str]:
    return Counter(word.rstrip("s") for word in map(str.lower, _WORD.findall(text)) if word not in _COMMON)
