"""Results of a web search: a title above its address, then what the engine quotes of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from mcpcompact.content.shared.request import asked, rarity, told
from mcpcompact.outline import Fact, Hints, Item
from mcpcompact.patterns import matching, regex
from mcpcompact.phrasing import counted

LEAST = 3  # titles with an address that make a list of results
TITLE, SHORT = 200, 80  # characters: of a title at most, and of a line that quotes no page
ANSWER, RESULT, QUOTE = 4.9, 3.9, 2.9  # weights: of what answers best, of other titles, of what stands below those
QUOTED = 0.3  # weight of what stands between results
BEST = 3  # results that stand first, each with its answer; then the titles of all, then what the others quote
SHARE = 0.9  # of the room, what the results take
SENTENCE, MOST = 80, 180  # characters of what is quoted with a title: at least, and of one sentence at most
SLACK = 40  # characters: a cut that saves no more hardly helps
LINES = 40  # lines of a result that are looked at
LATER, AGAIN = 0.5, 0.4  # how much less the last result weighs than the first; factor on one that quotes the same again
REQUEST, FIGURE = 0.3, 1.0  # worth of a word of the request beside one of the query; of a figure where one is asked for

_ADDRESS = regex(r"\s*(?:(?:URL|Url|url|Link|link|Source|Href|href):\s*)?<?https?://\S+>?\s*$", holds=("://",))
_MARKER = regex(r".{0,40}?\b(?:[Rr]esult|RESULT)\s?#?\d{1,4}\s?[:.)-]?\s*$")
_END = regex(r"(?:\.{3}|(?<!\b\w)(?<!\b[A-Za-z]{2})(?<!\b[A-Za-z]{3})\.|[!?…])[\"')\]]{0,2}\s+(?=[\"'(\[#]?[A-Z\d])")
_FIGURE = regex(r"\d")
_NUMBER = regex(r"(?<![\w.,$-])\d{1,9}(?:[.,]\d{1,9})?%|(?<![\w.,$-])\d{2,3}(?![\w.,-])")  # a year is a word
_FIGURES = regex(
    r"(?i)\b(?:when|dates?|years?|how (?:many|much|old|long|far|high)|numbers?|price|cost|address|hours|open|records?"
    r"|percent\w*|scores?|population|versions?|release[ds]?|times?|\d{4})\b"
)


def found(lines: Sequence[str], filled: Sequence[int]) -> dict[int, int]:
    """The index of each title to that of its address; empty where the lines are no results of a search."""
    pairs: dict[int, int] = {}
    addresses = set(matching(_ADDRESS, lines))
    for before, i in pairwise(filled) if len(addresses) >= LEAST else ():
        title = lines[before]
        if i in addresses and i <= before + 2 and len(title) <= TITLE and not _is_part(title):
            pairs[before] = i
    return pairs if len(pairs) >= LEAST and 6 * len(pairs) >= len(filled) else {}


def _is_part(line: str) -> bool:
    return _ADDRESS.match(line) is not None or _MARKER.match(line) is not None


def facts(pairs: Mapping[int, int]) -> list[Fact]:
    return [Fact(f"Web search: {counted(len(pairs), 'result')}.", 0)] if pairs else []


def items(lines: Sequence[str], pairs: Mapping[int, int], hints: Hints | None) -> dict[int, list[Item]]:
    """By the index of its title each result: title, address and the sentence that answers the query best."""
    if not pairs:
        return {}
    query, request = map(_told, asked(hints))
    starts = [*pairs, len(lines)]
    quoted = {
        title: [i for i in range(pairs[title] + 1, min(after, pairs[title] + LINES)) if len(lines[i]) > SHORT]
        for title, after in pairwise(starts)
    }
    texts = [_told("\n".join(lines[i] for i in [title, *below])) for title, below in quoted.items()]
    worth = {w: REQUEST * worth for w, worth in rarity(request, texts).items()} | rarity(query, texts)
    figure = FIGURE if _FIGURES.search(" ".join(asked(hints))) else 0.0
    said = Counter[str]()
    made: dict[int, list[Item]] = {}
    scores: dict[int, float] = {}
    for n, (title, below) in enumerate(quoted.items()):
        at, start, end, score = _best(lines, below, worth, figure)
        shown = f"{title + 1} {lines[title].strip()}\n{lines[pairs[title]].strip()}"
        made[title] = [Item(title + 1, pairs[title] + 1, shown, flow="lines", whole=True)]
        text = lines[at].strip() if at >= 0 else ""
        quote = Item(at + 1, at + 1, f"{at + 1} {_cut(text, start, end)}", section=shown, flow="sentences", whole=True)
        made[title] += [quote] if text else []
        scores[title] = score + sum(worth[w] for w in worth.keys() & _told(lines[title]).keys())
        same = (text or lines[title], lines[pairs[title]])  # the same page, or what another page says, too
        scores[title] *= AGAIN ** max(said[one] for one in same) * (1 - LATER * n / len(quoted))
        said.update(same)
    best = sorted(scores, key=lambda title: -scores[title])
    for title, found_ in made.items():
        less = 1 - scores[title] / (scores[best[0]] or 1.0)
        for item, weight in zip(found_, (RESULT, QUOTE), strict=False):
            item.weight = (ANSWER if title in best[:BEST] else weight) - less
    return made


def _told(text: str) -> Counter[str]:
    """Words that tell something, and numbers: what gives those of the request speaks of the same thing."""
    return told(text) + Counter(_NUMBER.findall(text))


def _best(
    lines: Sequence[str], below: Sequence[int], worth: Mapping[str, float], figure: float
) -> tuple[int, int, int, float]:
    """Where the sentence stands that answers best, the first of several: line, begin, end; and its score."""
    best = (-1, 0, 0, 0.0)
    for i in below:
        text = lines[i].strip()
        for start, end in _sentences(text):
            held = _told(text[start:end])
            score = sum(worth[word] for word in sorted(worth.keys() & held.keys()))
            score += figure if score and _FIGURE.search(text, start, end) else 0.0
            if best[0] < 0 or score > best[-1]:
                best = (i, start, end, score)
    return best


def _sentences(text: str) -> list[tuple[int, int]]:
    """Sentences, a short one with those behind it."""
    stops = [0]
    for match in _END.finditer(text):
        if match.end() - stops[-1] >= SENTENCE:
            stops.append(match.end())
    if len(stops) > 1 and len(text) - stops[-1] < SENTENCE:
        stops.pop()
    return [*pairwise([*stops, len(text)])]


def _cut(text: str, start: int, end: int) -> str:
    """A sentence of a line with how much of it is left out at either end."""
    if end - start > MOST + SLACK:
        end = max(text.rfind(" ", start + SENTENCE, start + MOST), start + SENTENCE)
    before = f"…[+{start} chars] " if start else ""
    return before + text[start:end].strip() + (f"…[+{len(text) - end} chars]" if end < len(text) else "")


def factor(line: str) -> float:
    """On the weight of what stands between results: a number or a word alone says nothing."""
    return 0.0 if _MARKER.match(line) or " " not in line.strip() else QUOTED if len(line) > SHORT else 1.0
