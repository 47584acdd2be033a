"""Which sections of a document answer the request, by their words: what of them holds these comes before others."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice, takewhile

from mcpcompact.content.markup.blocks import SCRAP, lead_by
from mcpcompact.content.markup.paragraphs import LEAD, SUB, prose
from mcpcompact.content.shared.request import EXAMPLE, LONG, POINT, READ, asked, named, queried, rarity, told
from mcpcompact.outline import Hints, Item, Series
from mcpcompact.patterns import regex

ANSWERING = 0.4  # of the room, what stands first where sections answer the request
SECTIONS, MAX_SECTIONS = 4, 3  # of a document that is worth asking; that answer
RARE, MIN = 0.34, 2  # share of the sections that hold a telling word, at most; words that a section must share
HEADED = 2.0  # worth of a word of the heading: so many of the text
TWICE = 1.5  # times its worth, a word that both the call and the request say
NEAR = 0.6  # of the best one's score
FIRST, POINTED, WEIGHT, STEP = 4, 6, 3.9, 0.02  # items of a section, of all points, that come first; weight; less each
MAX, SHORT = 12, 1_200  # items of the section that surely answers: all of one of so many characters, of a longer one
# all entries of a list of which one is among the first
LEADING = 0.1  # weight of what says nothing alone
SURE, BEFORE = 4.2, 2  # weight of so many of the best one if its heading has such a word: before what introduces all
LATER, AGAIN = 0.15, 0.02  # factors: on further pages of a search, on one that was found before
_PAGES = regex(r"[A-Z]\w{1,20}: \[\{\"title\": ?\"")
_HEADING = regex(r"@?\d+ (#{1,6}) ")
_LIST = regex(r"(?:[^\s,.:;()][^,.:;()\n]{2,60}, ){2,}[^,.:;()\n]{3,60}", holds=", ")  # things, each answered elsewhere
_GENERAL = regex(
    r"(?i)\bwhat\b.{1,80}\babout\b|\bwhat (?:is|are) [\w./-]{1,60}\?|\b(?:overview|purposes?|introduction)\b"
)
_PURPOSE = ("purpose", "overview", "feature", "introduction")  # in the titles of what says what the whole is about


def answering(items: Sequence[Item], hints: Hints | None) -> bool:
    """Raise the weight of what holds the words of the request, in the sections that share most of them; if any."""
    query, request = asked(hints)
    query = query if len(told(query)) <= LONG else ""
    wanted = told(f"{query} {request}")
    wanted.update(_PURPOSE if _GENERAL.search(query) else ())
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
    both = told(query).keys() & told(request).keys()
    rare, telling = ({word: n * (TWICE if word in both else 1) for word, n in one.items()} for one in (rare, telling))
    scores = []
    for n, (counts, title) in enumerate(zip(texts, titles, strict=True)):
        shared, headed = sorted(rare.keys() & counts.keys()), sorted(telling.keys() & title.keys())
        if len(shared) + len(headed) >= MIN and len(_below(sections, n)) * 2 < len(sections):  # it is not the whole
            score = sum(rare[word] * counts[word] / (counts[word] + 1) for word in shared)
            scores.append((score + HEADED * sum(telling[word] for word in headed), -n))
    best = sorted(scores, reverse=True)[:MAX_SECTIONS]
    for turn, (score, n) in enumerate(best):
        if score >= NEAR * best[0][0] or titles[-n].keys() <= wanted.keys():
            sure = not turn and not telling.keys().isdisjoint(titles[-n])
            _raise(_with_content(sections, -n), telling | rare, SURE if sure else WEIGHT)
    return bool(best)


def pointed(items: Sequence[Item], hints: Hints | None) -> bool:
    """Raise the weight of what begins with words of a point of a long request, of a thing or an acronym that it lists,
    or of names of code in a shorter one, or below a heading of such; if any."""
    item, texts = None, [text[-READ:] for text in (" ".join(queried(hints)), (hints and hints.focus) or "")]
    long = [EXAMPLE.sub("", text) for text in texts if len(told(text)) > LONG]
    points = ["".join(match) for text in long for match in POINT.findall(text)]
    things = [one for point in points for one in max(_LIST.findall(point), key=len, default="").split(", ")]
    asks = [told(one) for one in points + [one for one in things if one.isupper() or told(one).total() > 1]]
    names = named(texts[1]) if not long else Counter[str]()
    asks += [names] * bool(names)
    worded, best = list[tuple[Counter[str], Item | None]](), list[tuple[float, int, Item]]()
    for one in reversed(items) if asks else ():
        heads = one.part[1] or _HEADING.match(one.text)
        item = one if _says(one) and not heads else item
        worded.append((told(one.text[:LEAD]), item))
        item = None if heads else item
    rare = rarity(set().union(*asks), (words for words, _ in worded), RARE)
    for n, ask in enumerate(asks):
        thing = n >= len(points) and ask is not names
        shared = [(sorted(words & ask.keys() & rare.keys()), at) for words, at in worded if at and at.flow != "lines"]
        scored = [
            (-sum(map(rare.__getitem__, one)) * len(one) / len(ask), at.start, at)
            for one, at in shared
            if one[1:] or (one and (ask is names or (thing and (len(ask) == 1 or "-" in one[0]))))
        ]
        best += sorted(scored, key=lambda one: one[:2])[: 1 if thing else BEFORE]
    first = {start: at for _, start, at in sorted(best, key=lambda one: one[:2])}
    for turn, at in enumerate([*first.values()][:POINTED]):
        at.weight = max(at.weight, WEIGHT - turn * STEP)
    return bool(best)


def _with_content(sections: Sequence[Sequence[Item]], n: int) -> Sequence[Item]:
    """A section; of one that only leads to others what each of these begins with."""
    if any(map(_says, sections[n][1:])):
        return sections[n]
    below = _below(sections, n)
    return [sections[n][0], *(item for section in below for item in [*filter(_says, section[1:])][:BEFORE])]


def _below(sections: Sequence[Sequence[Item]], n: int) -> Sequence[Sequence[Item]]:
    """The sections within one."""
    level = _level(sections[n][0])
    return [*takewhile(lambda section: _level(section[0]) > level, islice(sections, n + 1, None))]


def _level(heading: Item) -> int:
    match = _HEADING.match(heading.text)
    return len(match[1]) if match else SUB


def _says(item: Item) -> bool:
    return item.weight > LEADING or (item.flow == "sentences" and item.weight != SCRAP and prose(item.text))


def _raise(section: Sequence[Item], rare: Mapping[str, float], first: float) -> None:
    """What the section begins with and what of it holds most of the words comes first, also sentences that lead on."""
    below = [*filter(_says, section[1:])]
    worth = [sum(rare[word] for word in sorted(rare.keys() & told(item.text).keys())) for item in below]
    holding = sorted((n for n in range(1, len(below)) if worth[n]), key=lambda n: -worth[n])
    order = dict.fromkeys([*range(len(below[:1])), *holding, *(range(len(below)) if first == SURE else ())])
    lists = {below[n].series for n in [*order][:FIRST]} - {None} if first == SURE else set[Series]()
    short = first == SURE and sum(len(item.text) for item in section) <= SHORT
    raised = [n for turn, n in enumerate(order) if short or turn < FIRST or below[n].series in lists]
    for turn, n in enumerate(raised[:MAX]):
        item = below[n]
        if item.text.rstrip("*_").endswith(":") and n + 1 < len(below):  # it comes along with what it leads to
            item = below[n + 1]
            lead_by(below[n], item)
        item.weight = max(item.weight, (first if turn < BEFORE else WEIGHT) - turn * STEP)


def pages(items: list[Item], lines: Sequence[str]) -> list[Item]:
    """Each page of a list in JSON on a line (``Links: [{"title": …``) is an item; what was found before comes last."""
    parts, seen = list[Item](), set[str]()
    lists = {n: listed for n in {item.start for item in items} if (listed := _pages(lines[n - 1]))}
    begun = {item.start: item for item in reversed(items)}
    for item in items:
        if item.start not in lists:
            parts.append(item)
        elif item is begun[item.start]:
            listed, name = lists[item.start], lines[item.start - 1].partition(":")[0]
            for n, (title, url) in enumerate(listed):
                weight = item.weight * (AGAIN if url in seen else LATER if n and lists.keys() - {item.start} else 1.0)
                seen.add(url)
                head, series = f"{item.start} {name} ({len(listed)}):", Series("link", item.start, len(listed))
                parts.append(Item(item.start, item.start, f"{title} {url}", weight=weight, section=head, series=series))
    return parts


def _pages(line: str) -> list[tuple[str, str]]:
    """Title and address of each; none where it is no such list."""
    if not _PAGES.match(line):
        return []
    try:
        return [(str(page["title"]), str(page["url"])) for page in json.loads(line.partition(":")[2])]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
