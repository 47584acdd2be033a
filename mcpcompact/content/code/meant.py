"""What a request means of a source: definitions by the words of their names, lines by their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby, takewhile
from math import fsum, log

from mcpcompact.content.anomalies.lines import Odd
from mcpcompact.content.code.lists import head_end
from mcpcompact.content.code.scan import DEFINED, LICENCE, PLAIN, VALUES, Definition, Scan
from mcpcompact.content.shared.calls import command_of
from mcpcompact.content.shared.languages import IMPORT, TEST
from mcpcompact.content.shared.nesting import LOOK, QUOTES
from mcpcompact.content.shared.request import READ, asked, rarity, told
from mcpcompact.content.shared.views import View
from mcpcompact.outline import Hints, Keep
from mcpcompact.patterns import regex

MEANT, MEANT_LEAST, MEANT_ALIKE = 3, 1.2, 0.8  # definitions that a request can mean; the least score of the best one (a
# word that a third of the names hold), and the share of it that others have
MEANT_LINES, MEANT_FIRST, MEANT_FAR = 60, 3.3, 0.8  # lines of it; its weight, before other definitions; of other lines
ANSWERS = 4.2  # weight of a line that the request quotes: it stands whatever else there is
QUOTED, QUOTED_FEW = 10, 2  # lines that it can quote (of more it is about the whole), and that raise what it names
BESIDE = 4  # definitions before and behind one that is asked for, which are named before others
COMMENTED, CODED = 40, 0.02  # words of a request that a comment may answer; share of lines of code: in no more
COMMON, TELLING = 0.5, 8  # share of the comments: a word in more tells nothing; least score of one that answers
NEARBY = 24  # characters before a word of failure, which tell what failed
QUOTED_NEAR, QUOTED_BESIDE = 3, 1.5  # lines on both sides of these, and the factor on their weight
ECHO = 4.0  # weight: before headings and definitions
MIN_WRITTEN = 12  # characters of a line by which an edit is found again
ASKED = 6  # lines on both sides of the one that was asked for: they stand before anything else
ASKED_FIRST, ABOVE = 5.5, 2  # weight of what the call points at: all room is its own; of lines above how much further
# off they are
BODIES = 4.02  # the least weight of the body of what a request spells: before what else heads a file
EDITS, WRITTEN = 12, 100  # places that are written or pointed at; lines of one, of its function: more do not fit
AROUND, FAR = 8, 0.5  # lines on both sides of an edit; factor on the weight of those further off
SIGNATURE, DEPTHS, EXPLAINED = 16, 8, 100  # lines of a signature; definitions within each other, outer ones first; most
FEW, OFFERED = 4, 4.05  # of so many definitions one is offered to others; its weight: what a file is about
_PUBLIC = ("export ", "pub ", "pub(", "public ", "open ")
_PRIVATE = ("private ", "protected ", "mod ", "def test_", "fn test_", "#define ")
_EXPLAIN = regex(
    r"(?i)\b(?:summar(?:y|i[sz]e)|explain|understand|describe|overview|document|r[ée]sum|erklär|zusammenfass|fasse\b|expli[cq]"
    r"|riassum|опиши|объясни)|总结|概括|解释|説明|要約"
)
_LISTS = regex(r"[\s*/#]*(?:\w+:$|[@:]\w|[-=]{3,}$|\"\"\"|`{3}|# )")  # begins parameters, results, a sample
_WANTED = regex(r"^\w+(?: [^\s-]\S*)? (\d{1,7})(?::\d{1,7})?(?:\n|$)")  # open FILE 120, goto 120, edit 120:124
_EDGES, _QUOTES = " \t+,}]'\"`", regex(r"\s['\"]|['\"]\s")  # around a line in an argument: signs, other arguments
_SPOKEN = regex(r"[^\W\d_]\w+")
_FAILS = regex(r"\b(?:not found|failed|missing|invalid|unknown|denied|timed? ?out)\b", re.IGNORECASE)
_FAILING = regex(r"\s*(?:raise|throw|panic!?\(|return (?:[\w\s]*, )?(?:errors\.|fmt\.Errorf|[\w.]*Err[A-Z]))")
_SAID = regex(r"[\"“]([^\"“”\n]{4,60})[\"”]")  # a text that the request has in quotes
_FENCED = regex(r"```[\s\S]*?(?:```|$)")
_CODE = regex(r"`([^`\n]{1,120})`(?!`)")  # in prose
_NAME = regex(r"(?<![\w<])[^\W\d]\w{4,60}(?!\w)")  # <file> stands for one
_PATH = regex(r"\S*[/@]\S*")
_PART = regex(r"[A-Z]?[a-z]{3,}|[A-Z]{4,}")  # a word of a name


def weigh(scan: Scan, hints: Hints) -> dict[int, Odd]:
    """What the request and the call mean comes first, and of many definitions the few that others may use. The lines
    that stand whatever else there is: where the request is about a file as a whole, what is said of it."""
    own = [d.start for d in scan.own]
    offered = [i for i in own if scan.texts[i].lstrip().startswith(_PUBLIC)]
    for i in offered if len(offered) * FEW <= len(own) else ():
        scan.weights[i] = OFFERED
    (query, request), focus = asked(hints), (hints.focus or "")[-READ:]
    if query or focus:  # no pattern is compiled for nothing
        _meant(scan, _words(f"{query} {request}"))
        _commented(scan, told(_PATH.sub("", request)))
        _quoted(scan, request, focus)
        _spelled(scan, focus)
    _asked_lines(scan, hints)
    _edited_lines(scan, hints)
    return _documented(scan, request)


def _documented(scan: Scan, request: str) -> dict[int, Odd]:
    """Where the request is about a file as a whole, what is said of it and of each definition comes first."""
    texts, comments, odd = scan.texts, scan.comments, dict[int, Odd]()
    names = {region.path.rpartition("/")[2] for region in scan.view.regions} - {""}
    if not (any(map(request.__contains__, names)) and _EXPLAIN.search(request)):
        return odd
    opening = min((i for i in comments if scan.weights[i] > LICENCE), default=-1)
    firsts = {opening: 0} if scan.weights[opening] >= PLAIN else {}
    for d in sorted(scan.definitions, key=lambda d: d.depth)[:EXPLAINED]:
        above = d.start - 1
        while above in comments or (above > 0 and texts[above].lstrip().startswith("@")):
            above -= 1
        within = sorted(comments.intersection(range(d.start + 1, min(d.end, d.start + SIGNATURE) + 1)))
        quoted = (k for k in within if texts[k].lstrip().startswith(QUOTES) and texts[k - 1].endswith(":"))
        first = next(quoted, above + 1 if above + 1 in comments else -1)
        firsts |= {d.start: d.depth, first: d.depth} if first >= 0 else {}
    for i, depth in firsts.items():
        i += i in comments and not any(map(str.isalnum, texts[i]))  # an opening alone
        if i >= 0 and scan.weights[i] > LICENCE:
            scan.weights[i] = ECHO - depth / DEPTHS - i / len(texts) / DEPTHS
            odd[i] = Odd(i, Keep.SEVERE, "", f"documented {i}")
            below = range(i + 1, min(i + SIGNATURE, len(texts)) * (i in comments))
            further = takewhile(lambda k: not texts[k].strip() or (k in comments and not _LISTS.match(texts[k])), below)
            begins = (k for k in further if texts[k - 1].rstrip(" */#")[-1:] in ".:!?" and k not in odd)
            for k in (k for k in begins if any(map(str.isalnum, texts[k]))):
                scan.weights[k] = ECHO - 1 - k / len(texts) / DEPTHS
                odd[k] = Odd(k, Keep.SEVERE, "", f"documented {k}")
    return odd


def _meant(scan: Scan, wanted: Counter[str]) -> None:
    """The definitions and cases whose names hold most of the ``wanted`` words, and what stands in them, come first."""
    own = scan.own + [Definition(row.named, row.end, row.name, 0, 0) for row in scan.rows if row.name]
    words_of = {name: _words(name) for name in {d.name for d in own}}  # overloads share theirs
    held = [words_of[d.name] for d in own]
    rare, telling = rarity(wanted, held), told(" ".join(wanted))
    shared = [words.keys() & wanted for words in held]
    scores = [fsum(rare[w] for w in words) if len(words) > 1 or words & telling.keys() else 0.0 for words in shared]
    best = max(scores, default=0.0)
    meant = [d for d, score in zip(own, scores, strict=True) if score >= best * MEANT_ALIKE]
    if best < MEANT_LEAST or len(meant) > MEANT:
        return
    near = {i for d in meant for i in range(d.start, min(d.end, d.start + MEANT_LINES) + 1)}
    for i in scan.coded:
        scan.weights[i] *= 1.0 if i in near or i in scan.named else MEANT_FAR
    cases = [d for d, score in zip(own, scores, strict=True) if score >= best * FAR and d.start not in scan.named]
    for d in [*meant, *cases]:
        scan.weights[d.start] = MEANT_FIRST


def _commented(scan: Scan, wanted: Counter[str]) -> None:
    """The comment that best tells of what a short request repeats and no code names comes before most definitions."""
    often = {word for word, n in wanted.items() if n > 1} if len(wanted) <= COMMENTED else ()
    coded = told(" ".join(scan.texts[i] for i in scan.coded)) if often and scan.comments else ()
    repeated = {word for word in often if coded[word] < CODED * len(scan.coded)} if coded else ()
    runs = _consecutive(sorted(i for i in scan.comments if repeated and scan.weights[i] > LICENCE))
    held = [told(" ".join(map(scan.texts.__getitem__, run))) for run in runs]
    rare = {word: score * (1 + log(wanted[word])) for word, score in rarity(wanted, held, COMMON).items()}
    telling = [words.keys() & rare for words in held]
    scores = [fsum(map(rare.__getitem__, words)) * (not words.isdisjoint(repeated)) for words in telling]
    best = max(range(len(runs)), key=scores.__getitem__, default=-1)
    for i in runs[best] if best >= 0 and len(telling[best]) > 1 and scores[best] >= TELLING else ():
        scan.weights[i] = max(scan.weights[i], DEFINED[1])


def _quoted(scan: Scan, request: str, focus: str) -> None:
    """The lines whose text the request quotes, and those that raise what it says fails, come before definitions."""
    runs, texts = _runs(focus), _SAID.findall(request)
    wanted = _words(" ".join(focus[max(0, m.start() - NEARBY) : m.start()] for m in _FAILS.finditer(focus))).keys()
    quoted = [i for i in scan.coded if runs and not runs.isdisjoint(_runs(scan.texts[i]))]
    quoted = quoted or [i for i in scan.coded if any(map(scan.texts[i].__contains__, texts))]
    raising = {i: _words(scan.texts[i]).keys() & wanted for i in scan.coded if wanted and _FAILING.match(scan.texts[i])}
    shared = Counter(word for words in raising.values() for word in words)
    failing = [i for i, words in raising.items() if any(shared[word] <= QUOTED_FEW for word in words)]
    for places, weight in ((failing, MEANT_FIRST), (quoted, ANSWERS)):
        for i in places if len(places) <= QUOTED else ():
            scan.weights[i] = weight
            for near in range(max(0, i - QUOTED_NEAR), min(len(scan.weights), i + QUOTED_NEAR + 1)):
                scan.weights[near] *= QUOTED_BESIDE if near not in scan.named and near not in places else 1.0


def _spelled(scan: Scan, focus: str) -> None:
    """Few definitions that the request spells as they are, and those around lines that alone hold a name that it quotes
    as code, come before others."""
    coded = set(_NAME.findall(" ".join(_CODE.findall(_FENCED.sub("", focus)))))
    spelled = coded | {name for name in _NAME.findall(focus) if "_" in name[1:] or not name[1:].islower()}
    marked = {d.start for d in scan.own if d.name in spelled}
    held: dict[str, list[int]] = {}
    for i in scan.coded if coded else ():
        for name in coded.intersection(_NAME.findall(scan.texts[i])) if not IMPORT.match(scan.texts[i].strip()) else ():
            held.setdefault(name, []).append(i)
    lines = {i for places in held.values() if len(places) <= QUOTED_FEW for i in places}
    if len(marked | lines) > QUOTED:
        return
    within = {max((d.start for d in scan.definitions if d.start <= i <= d.end), default=i) for i in lines}
    weight = ANSWERS if len(marked | within) <= MEANT else MEANT_FIRST
    for i in marked | lines | within:
        end = head_end(scan.texts, i) if i in scan.named else i  # a head is shown whole
        for k in (*range(i, end + 1), *(scan.view.elided.keys() & {end + 1})):
            scan.weights[k] = max(scan.weights[k], weight)
    for head in marked if len(marked) <= MEANT else ():
        _raise_around(scan, _function(scan, head), ANSWERS, ANSWERS - BODIES)


def _runs(text: str) -> set[tuple[str, ...]]:
    """Words that follow each other in a text, four at a time."""
    words = [word.lower() for word in _SPOKEN.findall(text.replace("\\n", " "))]
    return set(zip(words, words[1:], words[2:], words[3:], strict=False))


def _words(text: str) -> Counter[str]:
    """The words of a text and of the names in it, without a plural's s."""
    return Counter(word.lower().rstrip("s") for word in _PART.findall(text))


def _asked_lines(scan: Scan, hints: Hints) -> None:
    """The line that an editor was told to show a window of is one of its cursors; what it stands under comes first."""
    view = scan.view
    wanted = _WANTED.match(command_of(hints.arguments or {})[:LOOK]) if view.cursors or view.partial else None
    at = view.numbers.index(int(wanted[1])) if wanted and int(wanted[1]) in view.numbers else -1
    if at < 0 or len(view.regions) > 1:
        return
    view.cursors.append(at)
    while at >= 0:
        scan.weights[at] = ASKED_FIRST
        at = scan.above[at]


def _edited_lines(scan: Scan, hints: Hints) -> None:
    """The lines around those that the call wrote, or around the cursor, come first where these are few; of few places
    the functions that they stand in, the nearest lines before anything else."""
    changed = _changed(scan.view, hints.arguments or {})
    runs = [*([mark] for mark in scan.view.cursors), *([changed] if changed else _written(scan.view, hints))]
    around = AROUND * (3 * len(changed) < len(scan.texts))  # of a few lines
    near = {i for run in runs for i in range(run[0] - around, run[-1] + around + 1)}
    for i in scan.coded if near else ():
        scan.weights[i] *= 1.0 if i in near else FAR
    far: dict[int, int] = {}
    for run in runs if len(runs) <= EDITS and around else ():
        for mark in (run[0], run[-1]):
            place = mark - 1 if scan.texts[mark].startswith("<<<<< END") else mark + (mark in scan.view.outside)
            for i, distance in _function(scan, place).items():
                far[i] = min(distance, far.get(i, distance))
        far |= dict.fromkeys(run[:WRITTEN], 0)
    _raise_around(scan, far, ASKED_FIRST, 1.0)


def _raise_around(scan: Scan, far: Mapping[int, int], first: float, less: float) -> None:
    """Lines that are asked for, the nearest first; of the furthest the weight is so much ``less``."""
    for i in far:
        if i not in scan.view.outside and scan.texts[i].strip():
            scan.weights[i] = max(scan.weights[i], first - less * min(far[i], WRITTEN) / WRITTEN)


def _changed(view: View, arguments: Mapping[str, object]) -> Sequence[int]:
    """The lines that an edit wrote, without those at their beginning and end that it found there."""
    texts = [next((str(text) for key, text in arguments.items() if key[:3] == word), "") for word in ("old", "new")]
    old, new, own = ([*map(str.strip, lines)] for lines in (*(text.strip().split("\n") for text in texts), view.texts))
    begin = (i for i, line in enumerate(own) if all(texts) and line == new[0] and own[i : i + len(new)] == new)
    at = next(begin, -1)
    first = sum(takewhile(bool, map(str.__eq__, old, new)))
    last = sum(takewhile(bool, map(str.__eq__, old[first:][::-1], new[first:][::-1])))
    return range(at + first, at + len(new) - last) if at >= 0 else ()


def _written(view: View, hints: Hints) -> list[list[int]]:
    """The runs of lines that the call wrote, where these are few: lines of its arguments, or what stands there between
    quotes; a short line only beside a longer one."""
    words = set[str]()
    for line in hints.words().replace("\\n", "\n").split("\n"):
        words.update(part.strip(_EDGES) for part in (line, *_QUOTES.split(line)))
    places = [i for i, text in enumerate(view.texts) if text.strip(_EDGES) in words and i not in view.outside]
    runs = [run for run in _consecutive(places) if any(len(view.texts[i].strip()) >= MIN_WRITTEN for i in run)]
    return runs if sum(map(len, runs)) * 3 < len(view.texts) else []


def _consecutive(places: Sequence[int]) -> list[list[int]]:
    """The runs of numbers that follow each other."""
    return [[i for _, i in run] for _, run in groupby(enumerate(places), lambda place: place[1] - place[0])]


def _function(scan: Scan, place: int) -> dict[int, int]:
    """The lines of the innermost definition around a line with how far they are from it (what stands above is further
    off), of its documentation the first paragraph; without one a few lines."""
    texts = scan.texts
    while place + 1 < len(texts) and texts[place].lstrip()[:1] in ("", "@"):  # what it leads to
        place += 1
    around = [d for d in scan.definitions if d.start <= place <= d.end]
    if not around:
        return {i: abs(i - place) for i in range(max(0, place - ASKED), min(len(texts), place + ASKED + 1))}
    inner = max(around, key=lambda d: d.start)
    far = {i: i - place if i >= place else ABOVE * (place - i) for i in range(inner.start, inner.end + 1)}
    head = head_end(texts, inner.start)
    documentation = {i for i in far if i in scan.comments and not texts[i].lstrip().startswith("#")}
    begun = next((i for i in range(head + 1, inner.end + 1) if not texts[i].strip()), inner.end)
    far = {i: distance for i, distance in far.items() if i not in documentation or i < begun}
    return far | dict.fromkeys(range(inner.start, head + 1), 0)


def names(scan: Scan) -> dict[int, str]:
    """The names of definitions by their lines, those first that stand beside one that is asked for; then those that
    others call: public ones, outer before inner ones."""
    own = [d for d in scan.own if d.name.strip("_")]
    asked = [n for n, d in enumerate(own) if scan.weights[d.start] >= MEANT_FIRST and scan.weights[d.start] != OFFERED]
    beside = {own[n].start for at in asked for n in range(max(0, at - BESIDE), min(len(own), at + BESIDE + 1))}
    own.sort(key=lambda d: (_ranked(scan.texts[d.start].strip(), d.name), d.depth))
    first = {d.name: d for d in reversed(own)}
    # overloads and what is implemented for a type say nothing new
    own.sort(key=lambda d: (d.start in scan.aside, scan.named[d.start] == VALUES, first[d.name] is not d))
    own.sort(key=lambda d: d.start not in beside or scan.named[d.start] == VALUES)
    by_line = {d.start + 1: _called(scan.texts[d.start].strip(), d.name) for d in own}
    cases = sorted((row for row in scan.rows if row.name), key=lambda row: -scan.weights[row.named])
    return by_line | {(row.start if row.whole else row.named) + 1: f'"{row.name}"' for row in cases}


def _called(text: str, name: str) -> str:
    """The name of what a line defines; of a group of Go how it begins and the first name in it."""
    return f"{text}{name} …)" if text.endswith(" (") and name not in text else name


def _ranked(text: str, name: str) -> int:
    """0 of what is public, 2 of what is not meant for others, 1 of what does not say it."""
    if text.startswith(_PUBLIC) or TEST.match(text):
        return 0
    return 2 if name[0] in "_#" or " for " in name or text.startswith(_PRIVATE) else 1
