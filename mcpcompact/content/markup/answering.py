"""Which sections of a document answer the request, by their words: what of them holds these comes before others."""

from __future__ import annotations

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
        if item.part[1]:
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
    """What the section begins with and what of it holds most of the words comes first."""
    below = [item for item in section[1:] if item.weight > STEP]
    worth = [sum(rare[word] for word in sorted(rare.keys() & told(item.text).keys())) for item in below]
    holding = sorted((n for n in range(1, len(below)) if worth[n]), key=lambda n: -worth[n])
    for turn, n in enumerate([*range(len(below[:1])), *holding[: FIRST - 1]]):
        below[n].weight = max(below[n].weight, WEIGHT - turn * STEP)
