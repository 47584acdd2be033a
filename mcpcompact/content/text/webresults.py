"""Results of a web search: a title above its address, then what the engine quotes of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from mcpcompact.content.shared.request import asked, queried, rarity, told
from mcpcompact.outline import Fact, Hints, Item
from mcpcompact.patterns import matching, regex
from mcpcompact.phrasing import counted

LEAST = 3  # titles with an address that make a list of results
TITLE, SHORT = 200, 80  # characters: of a title at most, and of a line that quotes no page
ANSWER, RESULT, QUOTE = 4.9, 3.9, 2.9  # weights: of what answers best, of other titles, of what stands below those
LINK = 1.5  # of the addresses of others, beside what else is quoted
QUOTED, ALONE = 0.3, 0.5  # weight of what stands between results, and of a title without its quote among many
BEST = 3  # results that stand first, each with its answer; then the titles of all, then what the others quote
SHARE = 0.9  # of the room, what the results take
SHOWN = 0.3  # worth of a word of a title, which stands there anyway
PROMISED = 0.4  # factor on a sentence that says where to find out instead of saying it
_PROMISES = regex(
    r"(?i)(?:find (?:out|the)|discover|learn|read|check out|see|browse|explore|compare|everything you|"
    r"(?:the )?(?:ultimate|complete|definitive) guide)\b|.*\?\s*$"
)
STEM = 6  # letters that words of one stem begin with
SENTENCE, LEAST_SAID, MOST = 80, 110, 180  # characters quoted with a title: at least, also of many searches; at most
SLACK = 40  # characters: a cut that saves no more hardly helps
ABOVE, LINES = 4, 40  # lines above a title that may tell its rank, and of a result, that are looked at
LATER, AGAIN = 0.2, 0.4  # how much less the last result weighs than the first; factor on one that quotes the same again
REQUEST, FIGURE = 0.3, 1.0  # worth of a word of the request beside one of the query; of a figure where one is asked for

_ADDRESS = regex(r"\s*(?:(?:URL|Url|url|Link|link|Source|Href|href):\s*)?<?https?://\S+>?\s*$", holds=("://",))
_MARKER = regex(r".{0,40}?\b(?:[Rr]esult|RESULT)\s?#?\d{1,4}\s?[:.)-]?\s*$")
_END = regex(r"(?:\.{3}|(?<!\b\w)(?<!\b[A-Za-z]{2})(?<!\b[A-Za-z]{3})\.|[!?…])[\"')\]]{0,2}\s+(?=[\"'(\[#]?[A-Z\d])")
_RANK = regex(r"(?:.{0,40}?\b(?:[Rr]esult|RESULT)\s?#?|\s{0,4})(\d{1,4})(?:\s?[:)-]?\s*$|\s?[.):]\s)")
_ECHO = regex(r"(?i)\W{0,8}(?:(?:web )?search(?:ing|ed)?(?: results?| query)?|results|query)(?: for\b| ?:)[ :]*\w")
_FIGURE = regex(r"(?<!\w)\d[\d.,]{0,12}(?!\w)")  # no ``2nd`` of a name
_NUMBER = regex(r"(?<![\w.,$-])\d{1,9}(?:[.,]\d{1,9})?%|(?<![\w.,$-])\d{2,3}(?![\w.,-])")  # a year is a word
_FIGURES = regex(
    r"(?i)\b(?:when|dates?|years?|how (?:many|much|old|long|far|high)|numbers?|price|cost|address|hours|open|records?"
    r"|percent\w*|scores?|reviews?|ratings?|population|versions?|release[ds]?|times?)\b"
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


def searches(lines: Sequence[str], pairs: Mapping[int, int]) -> list[list[int]]:
    """The titles by search: a new one begins where ranks start again, or below the query as it is repeated."""
    made: list[list[int]] = []
    rank, end, echoed = 0, -1, False
    for title, address in pairs.items():
        above = lines[max(title - ABOVE, end + 1) : title]
        ranks = [int(found[1]) for line in [*above, lines[title]] if (found := _RANK.match(line))]
        echo = any(len(line) <= SHORT and _ECHO.match(line) for line in above)
        echoed = echo if not made else echoed  # else it is what a page says
        if not made or (echoed and echo) or (ranks and ranks[-1] <= 1 <= rank):
            made.append([])
        made[-1].append(title)
        rank, end = ranks[-1] if ranks else rank, address
    return made


def facts(lines: Sequence[str], pairs: Mapping[int, int]) -> list[Fact]:
    groups = searches(lines, pairs)
    if len(groups) <= 1:
        return [Fact(f"Web search: {counted(len(pairs), 'result')}.", 0)] if pairs else []
    sizes = sorted({*map(len, groups)})
    each = f"{sizes[0]} results each" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} of {len(pairs):,} results"
    said = f"Web search: {len(groups):,} searches, {each}"
    return [Fact(f"{said}; first titles in lines {', '.join(str(one[0] + 1) for one in groups)}.", 0, f"{said}.")]


def items(lines: Sequence[str], pairs: Mapping[int, int], hints: Hints | None) -> dict[int, list[Item]]:
    """By the index of its title each result: title, address and the sentence that answers the query best; of several
    searches the answers to each stand before all addresses."""
    groups = searches(lines, pairs)
    several = len(groups) > 1
    most = max(LEAST_SAID, MOST * BEST // len(groups)) if several else MOST
    (query, request), queries = asked(hints), queried(hints)
    made: dict[int, list[Item]] = {}
    titles = Counter(lines[title] for title in pairs)
    for n, group in enumerate(groups):
        found = _scored(lines, pairs, group, queries[n] if len(queries) == len(groups) else query, request)
        best = sorted(found, key=lambda title: -found[title][-1])
        for place, title in enumerate(best):
            at, start, end, score = found[title]
            less = 2 * place / len(group) if several else 1 - score / (found[best[0]][-1] or 1.0)
            answers, behind = place < BEST - several, pairs[title] + 1
            shown, link = f"{title + 1} {lines[title].strip()}", lines[pairs[title]].strip()
            weight = ALONE if several else (ANSWER if answers else RESULT) - less  # a quote brings its title along
            weight = weight if answers or titles[lines[title]] == 1 else min(weight, LINK)  # many pages of one name
            head = Item(title + 1, title + 1, shown, weight=weight, flow="lines", whole=True)
            made[title] = [head]
            if answers or not several:
                weight = RESULT - less if several else ANSWER - less if answers else LINK
                made[title] += [Item(behind, behind, f"{behind} {link}", weight=weight, section=shown)]
            text = f"{at + 1} {_cut(lines[at].strip(), start, end, most)}"
            weight = (ANSWER if answers else QUOTE) - less
            quote = Item(at + 1, at + 1, text, weight=weight, section=shown, flow="sentences", whole=True)
            made[title] += [quote] * (at >= 0)
    return made


def _scored(
    lines: Sequence[str], pairs: Mapping[int, int], group: Sequence[int], query: str, request: str
) -> dict[int, tuple[int, int, int, float]]:
    """By the title of each result of a search where the sentence stands that answers best, and how well it does."""
    ends = [*group[1:], next((title for title in pairs if title > group[-1]), len(lines))]
    quoted = {
        title: [i for i in range(pairs[title] + 1, min(end, pairs[title] + LINES)) if len(lines[i]) > SHORT]
        for title, end in zip(group, ends, strict=True)
    }
    texts = [_told("\n".join(lines[i] for i in [title, *below])) for title, below in quoted.items()]
    worth = {w: REQUEST * worth for w, worth in rarity(_told(request), texts).items()} | rarity(_told(query), texts)
    figure = FIGURE if _FIGURES.search(f"{query} {request}") else 0.0
    said = Counter[str]()
    made: dict[int, tuple[int, int, int, float]] = {}
    for n, (title, below) in enumerate(quoted.items()):
        at, start, end, score = _best(lines, below, worth, figure)
        score += SHOWN * sum(worth[w] for w in sorted(worth.keys() & _told(lines[title]).keys()))
        same = (lines[at].strip() if at >= 0 else lines[title], lines[pairs[title]])  # what another page says, too
        made[title] = (at, start, end, score * AGAIN ** max(said[one] for one in same) * (1 - LATER * n / len(quoted)))
        said.update(same)
    return made


def _told(text: str) -> Counter[str]:
    """Words that tell something, by how they begin ("available", "availability"), and numbers: what gives those of
    the request speaks of the same thing."""
    return Counter(word[:STEM] for word in told(text).elements()) + Counter(_NUMBER.findall(text))


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
            score *= PROMISED if _PROMISES.match(text, start, end) else 1.0
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


def _cut(text: str, start: int, end: int, most: int) -> str:
    """A sentence of a line with how much of it is left out at either end."""
    if end - start > most + SLACK:
        end = max(text.rfind(" ", start + SENTENCE, start + most), start + SENTENCE)
    before = f"…[+{start} chars] " if start else ""
    return before + text[start:end].strip() + (f"…[+{len(text) - end} chars]" if end < len(text) else "")


def factor(line: str) -> float:
    """On the weight of what stands between results: a number or a word alone says nothing."""
    return 0.0 if _MARKER.match(line) or " " not in line.strip() else QUOTED if len(line) > SHORT else 1.0
