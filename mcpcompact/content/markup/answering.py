"""Which sections of a document answer the request, by their words: what of them holds these comes before others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mcpcompact.content.shared.request import asked, rarity, told
from mcpcompact.outline import Hints, Item

ANSWERING = 0.4  # of the room, what stands first where sections answer the request
SECTIONS, MOST_SECTIONS = 4, 3  # of a document that is worth asking; that answer
RARE, LEAST = 0.34, 2  # share of the sections that hold a telling word, at most; words that a section must share
HEADED = 2.0  # worth of a word of the heading: so many of the text
NEAR = 0.6  # of the best one's score
FIRST, WEIGHT, STEP = 4, 3.9, 0.02  # items of a section that come first; their weight, and how much less each has


def answering(items: Sequence[Item], hints: Hints | None) -> bool:
    """Raise the weight of what holds the words of the request, in the sections that share most of the telling ones;
    whether there are any."""
    wanted = told(" ".join(asked(hints)))
    sections: list[list[Item]] = []
    for item in items if wanted else ():
        if item.part[0]:
            sections.append([])
        if sections:
            sections[-1].append(item)
    if len(sections) < SECTIONS:
        return False
    texts = [told(" ".join(item.text for item in section)) for section in sections]
    rare = rarity(wanted, texts, RARE)
    scores = []
    for n, (section, found) in enumerate(zip(sections, texts, strict=True)):
        shared = rare.keys() & found.keys()
        heading = told(section[0].text).keys() & shared
        if len(shared) + len(heading) >= LEAST:
            score = sum(rare[word] * found[word] / (found[word] + 1) for word in sorted(shared))
            scores.append((score + HEADED * sum(rare[word] for word in sorted(heading)), -n))
    best = sorted(scores, reverse=True)[:MOST_SECTIONS]
    for score, n in best:
        if score >= NEAR * best[0][0]:
            _raise(sections[-n], rare)
    return bool(best)


def _raise(section: Sequence[Item], rare: Mapping[str, float]) -> None:
    """The heading, the first item and those that hold most of the words come first, in their order."""
    below = [item for item in section[1:] if item.weight > STEP]
    worth = {id(item): sum(rare[w] for w in sorted(rare.keys() & _held(item).keys())) for item in below[1:]}
    told_best = below[:1] + sorted(below[1:], key=lambda item: -worth[id(item)])[: FIRST - 1]
    for turn, item in enumerate(told_best):
        item.weight = max(item.weight, WEIGHT - turn * STEP)


def _held(item: Item) -> Counter[str]:
    return told(item.text)
