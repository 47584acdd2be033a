"""Results of a web search: a title above its address, then what the engine quotes of the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from mcpcompact.content.shared.request import asked, queried, rarity, told
from mcpcompact.outline import Fact, Hints, Item
from mcpcompact.patterns import matching, regex
from mcpcompact.phrasing import counted

MIN, DENSE = 3, 6  # titles with an address that make a list of results; lines for each of them at most
TITLE, SHORT = 200, 80  # characters: of a title at most, and of a line that quotes no page
ANSWER, RESULT, QUOTE = 4.9, 3.9, 2.9  # weights: of what answers best, of other titles, of what stands below those
LINK = 1.5  # of one of many pages with the same title, and its address
REPEATED = 0.1  # of a title that an earlier search found, too, and of what does not answer
PAGE = 0.015  # weight of the page itself, below what is quoted of it: so little that it answers nothing by a name in it
QUOTED, ALONE = 0.3, 0.5  # weight of what stands between results, and of a title without its quote among many
BEST = 2  # results that stand first, each with its answer; then titles and addresses of all, then what others quote
SHARE = 0.9  # of the room, what the results take
SHOWN = 0.3  # worth of a word of a title, which stands there anyway
PROMISED = 0.4  # factor on a sentence that says where to find out instead of saying it
_PROMISES = regex(
    r"(?i)(?:find (?:out|the)|discover|learn|read|check out|see|browse|explore|compare|everything you|"
    r"(?:the )?(?:ultimate|complete|definitive) guide)\b|.*\?\s*$"
)
STEM = 6  # letters that words of one stem begin with
SENTENCE, MIN_SAID, MAX = 80, 110, 180  # characters quoted with a title: at least, also of many searches; at most
SLACK = 40  # characters: a cut that saves no more hardly helps
LISTED, FULLER = 0.7, 2  # of the words begin like names and figures: of a list of them so many times as much is quoted
WITHIN = 0.7  # factor on what is quoted from the middle of a long sentence
ABOVE, REACH = 4, (40, 4)  # lines above a title that may tell its rank, and of a result, that are looked at; of one
# with its address above, on a page that shows other things, too
LATER, AGAIN = 0.2, 0.4  # how much less the last result weighs than the first; factor on one that quotes the same again
MOSTLY = 0.7  # share of the results with a word of the query: it is the subject of the others, too
REQUEST, FIGURE = 0.3, 1.0  # worth of a word of the request beside one of the query; of a figure where one is asked for

_ADDRESS = regex(
    r"\s*(?:(?:URL|Url|url|Link|link|Source|Href|href):\s*)?<?https?://\S+>?(?: [›>] .*)?\s*$", holds=("://",)
)
_TITLED = regex(r"\**[Tt]itle\**: \S", holds=("itle",))
_URL = regex(r"\**(?:URL|[Uu]rl|[Ll]ink)\**: <?https?://\S+\s*$")
_RESULTS = regex(r"(?i)[#*\s]{0,6}(?:[a-z]+ ){0,3}results?:?\**\s*$")
_CRUMBS = regex(r"://\S+ [›>] ")  # what a page of results shows of an address: the site, then the title below it
_LINKED = regex(r"[\s#*>\d.):-]{0,9}\[[^\n]{1,200}?\]\(https?://\S{1,2000}\)\**", holds="](http")
_MARKER = regex(r".{0,40}?\b(?:[Rr]esult|RESULT)\s?#?\d{1,4}\s?[:.)-]?\s*$")
_END = regex(r"(?:\.{3}|(?<!\b\w)(?<!\b[A-Za-z]{2})(?<!\b[A-Za-z]{3})\.|[!?…])[\"')\]]{0,2}\s+(?=[\"'(\[#]?[A-Z\d])")
_RANK = regex(r"(?:.{0,40}?\b(?:[Rr]esult|RESULT)\s?#?|\s{0,4})(\d{1,4})(?:\s?[:)-]?\s*$|\s?[.):]\s)")
_ECHO = regex(r"(?i)\W{0,8}(?:(?:web )?search(?:ing|ed)?(?: results?| query)?|results|query)(?: for\b| ?:)[ :]*\w")
_FIGURE = regex(r"(?<!\w)\d[\d.,]{0,12}(?!\w)")  # no ``2nd`` of a name
_LABEL = regex(r"\**[A-Z][a-z]+(?: [A-Z]?[a-z]+)?\**:\**\s+")  # ``Content:``
_NUMBER = regex(r"(?<![\w.,$-])(?:(\d{1,9}(?:[.,]\d{1,9})?) ?(?:%|per ?cent)|(\d{2,3})(?![\w.,-]))")  # a year is a word
_FIGURES = regex(
    r"(?i)\b(?:when|dates?|years?|how (?:many|much|old|long|far|high)|numbers?|price|cost|address|hours|open|records?"
    r"|percent\w*|scores?|reviews?|ratings?|population|versions?|release[ds]?|times?)\b"
)


def results(lines: Sequence[str], filled: Sequence[int], hints: Hints) -> dict[int, int]:
    """The index of each title to that of its address; empty where the lines are no results of a search."""
    if pairs := labelled(lines) or linked(lines, len(filled), hints.tool or ""):
        return pairs
    addresses = set(matching(_ADDRESS, lines))
    crumbs = {i for i in addresses if _CRUMBS.search(lines[i])}
    for before, i, after in zip(filled, filled[1:], [*filled[2:], -1], strict=False) if len(addresses) >= MIN else ():
        title, address = (i, before) if before in crumbs else (before, i)
        fits = address not in crumbs or (title > address and _quotes(lines[after]))
        fits &= i <= before + 2 and len(lines[title]) <= (SHORT if crumbs else TITLE)
        if fits and address in addresses and title not in addresses and not _MARKER.match(lines[title]):
            pairs[title] = address
    return pairs if len(pairs) >= MIN and (crumbs or DENSE * len(pairs) >= len(filled)) else {}


def labelled(lines: Sequence[str], least: int = MIN) -> dict[int, int]:
    """Titles right above their addresses, both with their labels: results however much of each page stands below."""
    pairs = {i: i + 1 for i in matching(_TITLED, lines) if _URL.match("".join(lines[i + 1 : i + 2]))}
    return pairs if len(pairs) >= least else {}


def few(lines: Sequence[str]) -> list[Fact]:
    """Fewer results below a line that calls them so, whose pages are a document: what that document is of."""
    return facts(lines, labelled(lines, 1)) if _RESULTS.match(next(filter(str.strip, lines), "")) else []


def linked(lines: Sequence[str], filled: int, tool: str = "") -> dict[int, int]:
    """Titles that are links to their pages, most with a text below, where the call or the text tells of a search."""
    links = {i: i for i in matching(_LINKED, lines) if _LINKED.fullmatch(lines[i].rstrip())}
    first = min(links, default=0)
    texts = sum(i + 1 not in links and (i + 2 not in links or lines[i + 1].strip() != "") for i in links)
    searched = any("search" in line.lower() for line in [tool, *lines[max(first - ABOVE, 0) : first]])
    return links if searched and len(links) >= MIN and DENSE * len(links) >= filled and 2 * texts > len(links) else {}


def _quotes(line: str) -> bool:
    return len(line) > SHORT and not _ADDRESS.match(line)


def searches(lines: Sequence[str], pairs: Mapping[int, int]) -> list[list[int]]:
    """The titles by search: a new one begins where ranks start again, or below the query as it is repeated."""
    groups: list[list[int]] = []
    rank, end, echoed = 0, -1, False
    for title, address in pairs.items():
        above = lines[max(title - ABOVE, end + 1) : title]
        ranks = [int(match[1]) for line in [*above, lines[title]] if (match := _RANK.match(line))]
        echo = any(len(line) <= SHORT and _ECHO.match(line) for line in above)
        echoed = echo if not groups else echoed  # else it is what a page says
        if not groups or (echoed and echo) or (ranks and ranks[-1] <= 1 <= rank):
            groups.append([])
        groups[-1].append(title)
        rank, end = ranks[-1] if ranks else rank, address
    return groups


def facts(lines: Sequence[str], pairs: Mapping[int, int]) -> list[Fact]:
    groups = searches(lines, pairs)
    if len(groups) <= 1:  # a page with their addresses above shows other things, too
        alone = pairs and all(title <= address for title, address in pairs.items())
        return [Fact(f"Web search: {counted(len(pairs), 'result')}.", 0)] if alone else []
    sizes = sorted({*map(len, groups)})
    each = f"{sizes[0]} results each" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]} of {len(pairs):,} results"
    pages = len({lines[address] for address in pairs.values()})
    text = f"Web search: {len(groups):,} searches, {each}{f', {pages:,} pages' * (pages < len(pairs))}"
    return [Fact(f"{text}; first titles in lines {', '.join(str(one[0] + 1) for one in groups)}.", 0, f"{text}.")]


def items(lines: Sequence[str], pairs: Mapping[int, int], hints: Hints) -> dict[int, list[Item]]:
    """By the index of its title each result: title, address and the sentence that answers the query best; of several
    searches the answers to each stand before all addresses."""
    groups = searches(lines, pairs)
    several = len(groups) > 1
    most = max(MIN_SAID, MAX * BEST // len(groups)) if several else MAX
    (query, request), queries = asked(hints), queried(hints)
    by_line: dict[int, list[Item]] = {}
    titles = Counter(title for title, _ in {(lines[title], lines[address]) for title, address in pairs.items()})
    seen = Counter[str]()
    for n, group in enumerate(groups):
        earlier = {*seen}
        scored = _scored(lines, pairs, group, queries[n] if len(queries) == len(groups) else query, request, seen)
        best = sorted(scored, key=lambda title: -scored[title][-1])
        for place, title in enumerate(best):
            at, start, end, score = scored[title]
            less = 2 * place / len(group) if several else 1 - score / (scored[best[0]][-1] or 1.0)
            answers, behind = place < BEST, pairs[title] + 1
            shown, link = f"{title + 1} {lines[title].strip()}", lines[pairs[title]].strip()
            shown = f"{behind}-{title + 1} {link}\n{lines[title].strip()}" if title >= behind else shown
            weight = (ALONE if several and answers else ANSWER if answers else RESULT) - less  # a quote brings it
            weight = weight if answers or titles[lines[title]] == 1 else min(weight, LINK)  # many pages of one name
            weight = weight if answers or lines[pairs[title]] not in earlier else REPEATED
            first = min(title, pairs[title])
            by_line[first] = [Item(first + 1, title + 1, shown, weight=weight, flow="lines", whole=True)]
            if pairs[title] > title and (answers or not several):
                weight = (QUOTE if several else ANSWER) - less if answers else min(weight, QUOTE)
                by_line[first] += [Item(behind, behind, f"{behind} {link}", weight=weight, section=shown)]
            text = f"{at + 1} {_cut(lines[at].strip(), start, end, most)}"
            weight = (ANSWER if answers else QUOTE) - less if score or not scored[best[0]][-1] else REPEATED
            quote = Item(at + 1, at + 1, text, weight=weight, section=shown, flow="sentences", whole=True)
            by_line[first] += [quote] * (at >= 0)
    return by_line


def _scored(
    lines: Sequence[str], pairs: Mapping[int, int], group: Sequence[int], query: str, request: str, seen: Counter[str]
) -> dict[int, tuple[int, int, int, float]]:
    """By the title of each result of a search where the sentence stands that answers best, and how well it does."""
    ends = [*group[1:], next((title for title in pairs if title > group[-1]), len(lines))]
    quoted = {
        title: [i for i in range(max(title, at) + 1, min(end, title + REACH[title > at])) if _quotes(lines[i])]
        for title, at, end in zip(group, map(pairs.__getitem__, group), ends, strict=True)
    }
    texts = [_told("\n".join(lines[i] for i in [title, *below])) for title, below in quoted.items()]
    worth = {w: REQUEST * worth for w, worth in rarity(_told(request), texts).items()} | rarity(_told(query), texts)
    figure = FIGURE if _FIGURES.search(f"{query} {request}") else 0.0
    subject = {w for w in _told(query) if MOSTLY * len(texts) < sum(w in text for text in texts) < len(texts)}
    scores: dict[int, tuple[int, int, int, float]] = {}
    for n, (title, below) in enumerate(quoted.items()):
        at, start, end, score = _best(lines, below, worth, figure)
        on = (score > 0 or at < 0) and subject <= texts[n].keys()  # else it quotes what answers nothing
        score += SHOWN * sum(worth[w] for w in sorted(worth.keys() & _told(lines[title]).keys()))
        same = (lines[at].strip() if at >= 0 else lines[title], lines[pairs[title]])  # what another page says, too
        score *= on * AGAIN ** max(seen[one] for one in same) * (1 - LATER * n / len(quoted))
        scores[title] = at, start, end, score
        seen.update(same)
    return scores


def _told(text: str) -> Counter[str]:
    """Words that tell something, by how they begin ("available", "availability"), and numbers: what gives those of
    the request speaks of the same thing."""
    numbers = Counter(n or f"{share}%" for share, n in _NUMBER.findall(text))
    return Counter(word[:STEM] for word in told(text).elements()) + numbers


def _best(
    lines: Sequence[str], below: Sequence[int], worth: Mapping[str, float], figure: float
) -> tuple[int, int, int, float]:
    """Where the sentence stands that answers best, the first of several: line, begin, end; and its score."""
    best = (-1, 0, 0, 0.0)
    for i in below:
        text = lines[i].strip()
        for start, end, factor in _parts(text):
            stop = end if end - start <= MAX + SLACK else start + MAX  # what would be shown
            score = sum(worth[word] for word in sorted(worth.keys() & _told(text[start:stop]).keys()))
            score *= factor * (1 + figure if _FIGURE.search(text, start, stop) else 1.0)
            score *= PROMISED if _PROMISES.match(text, start, stop) else 1.0
            if best[0] < 0 or score > best[-1]:
                best = (i, start, end, score)
    return best


def _parts(text: str) -> Iterator[tuple[int, int, float]]:
    """Sentences, a short one with those behind it, and of a long one what begins further on, since what was asked for
    may stand at its end."""
    stops = [0]
    for match in _END.finditer(text):
        if match.end() - stops[-1] >= SENTENCE:
            stops.append(match.end())
    if len(stops) > 1 and len(text) - stops[-1] < SENTENCE:
        stops.pop()
    for start, end in pairwise([*stops, len(text)]):
        yield start, end, 1.0
        for at in range(start + MAX // 2, end - MAX // 2, MAX // 2):
            yield text.rfind(" ", at - SENTENCE, at) + 1, end, WITHIN


def _cut(text: str, start: int, end: int, most: int) -> str:
    """A sentence of a line with how much of it is left out at either end."""
    rest = text[start + most : min(end, start + FULLER * most)].split()
    if sum(word[0].isupper() or word[0].isdigit() for word in rest) > LISTED * len(rest):
        most *= FULLER
    if end - start > most + SLACK:
        end = max(text.rfind(" ", start + SENTENCE, start + most), start + SENTENCE)
    label = _LABEL.match(text, 0, start)
    named = label.end() if label else 0  # what the text is stands there all the same
    before = f"{text[:named]}…[+{start - named} chars] " if start > named else text[:start]
    return before + text[start:end].strip() + (f"…[+{len(text) - end} chars]" if end < len(text) else "")


def factor(line: str, page: bool) -> float:
    """On the weight of what stands between results: a number or a word alone says nothing, a ``page`` little."""
    if _MARKER.match(line) or " " not in line.strip():
        return 0.0
    if page:
        return PAGE if _quotes(line) and "://" not in line and "](" not in line else 0.0  # what it quotes or leads to
    return QUOTED if len(line) > SHORT else 1.0
