"""Which sections of a document answer the request, by their words: what of them holds these comes before others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mcpcompact.content.markup.blocks import prose
from mcpcompact.content.shared.request import asked, rarity, told
from mcpcompact.outline import Hints, Item
from mcpcompact.patterns import regex

ANSWERING = 0.4  # of the room, what stands first where sections answer the request
SECTIONS, MOST_SECTIONS = 4, 3  # of a document that is worth asking; that answer
RARE, LEAST = 0.34, 2  # share of the sections that hold a telling word, at most; words that a section must share
HEADED = 2.0  # worth of a word of the heading: so many of the text
NEAR = 0.6  # of the best one's score
FIRST, WEIGHT, STEP = 4, 3.9, 0.02  # items of a section that come first; their weight, and how much less each has
SURE, BEFORE = 4.2, 2  # weight of so many of the best one if its heading has such a word: before what introduces all
_HEADING = regex(r"@?\d+ #{1,6} ")


def answering(items: Sequence[Item], hints: Hints | None) -> bool:
    """Raise the weight of what holds the words of the request, in the sections that share most of the telling ones;
    whether there are any."""
    wanted = told(" ".join(asked(hints)))
    sections: list[list[Item]] = []
    for item in items if wanted else ():
        if item.part[1] or _HEADING.match(item.text):
            sections.append([])
        if sections:
            sections[-1].append(item)
    if len(sections) < SECTIONS:
        return False
    texts = [told(" ".join(item.text for item in section)) for section in sections]
    rare = rarity(wanted, texts, RARE)
    titles = [told(section[0].text) for section in sections]
    telling = rarity(wanted, titles, RARE)  # most sections of a guide hold its words, few headings do
    scores = []
    for n, (found, title) in enumerate(zip(texts, titles, strict=True)):
        shared, headed = sorted(rare.keys() & found.keys()), sorted(telling.keys() & title.keys())
        if len(shared) + len(headed) >= LEAST:
            score = sum(rare[word] * found[word] / (found[word] + 1) for word in shared)
            scores.append((score + HEADED * sum(telling[word] for word in headed), -n))
    best = sorted(scores, reverse=True)[:MOST_SECTIONS]
    for turn, (score, n) in enumerate(best):
        if score >= NEAR * best[0][0]:
            _raise(sections[-n], telling | rare, WEIGHT if turn or not telling.keys() & titles[-n].keys() else SURE)
    return bool(best)


def _raise(section: Sequence[Item], rare: Mapping[str, float], first: float) -> None:
    """What the section begins with and what of it holds most of the words comes first, also sentences that lead on."""
    below = [item for item in section[1:] if item.weight > STEP or (item.flow == "sentences" and prose(item.text))]
    worth = [sum(rare[word] for word in sorted(rare.keys() & told(item.text).keys())) for item in below]
    holding = sorted((n for n in range(1, len(below)) if worth[n]), key=lambda n: -worth[n])
    for turn, n in enumerate([*range(len(below[:1])), *holding[: FIRST - 1]]):
        below[n].weight = max(below[n].weight, (first if turn < BEFORE else WEIGHT) - turn * STEP)
