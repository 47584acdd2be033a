"""The pieces of items, what the fill engine has chosen of them so far, and how texts are cut to a number of tokens."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from itertools import dropwhile, pairwise

from mcpcompact.engine.atoms import atoms
from mcpcompact.outline import ROW, Item, Series, record
from mcpcompact.patterns import regex
from mcpcompact.phrasing import before_mark, most, stands_for
from mcpcompact.tokens.encodings import safe_cut

Count = Callable[[str], int]

MARK_TOKENS = 8  # a "…[+312 chars]" mark, at most
ANSWER_SHARE = 0.3  # of the room, what one of several answers may take: `--json a,b,c` asks for all of them; and what
# all may take together that stand for more than are shown
PARTLY, ROWS_LEFT = 7, 24  # tokens that say how many of the entries of a list are shown, which rows are not
INDEX_SHARE, INDEXED = 0.16, 0.35  # of the room, what some or all names of definitions may take
TITLES = 0.45  # of the room, some of many titles, as tests have: they tell what each is about, in few tokens
SKELETON, SIGNATURES = 0.4, 0.45  # of the room: headings, or signatures, that take no more are shown whole
SPOKEN = 24  # characters of names on the average that say what each is about, as those of tests do
OUTLINED = 0.65  # of the room, what all signatures or all names may take where the tool itself left out the bodies
GAP, GAPS_FROM = 18, 180  # tokens that say what is left out of items in order; the least room in which that is said
K1, B = 1.2, 0.75  # of BM25
MAX_TERMS = 16  # a question; the last message of a session, a page long, matches everything a little


class State:
    """What is chosen so far, and the room that is left."""

    def __init__(self, room: float, budget: int = 0, explained: bool = False) -> None:
        self.room, self.budget = room, budget  # budget: the room of the whole body
        self.chosen: dict[int, list[tuple[int, int]]] = {}  # item -> spans, in order: a long text has thousands
        self.suffix: dict[int, str] = {}  # kept item -> reason and fold count
        self.like: dict[int, tuple[str, list[int]]] = {}  # kept item -> its fold count, and the items it stands for
        self.sections: set[str] = set()
        self.seen: set[str] = set()
        self.begun: set[Series | None] = set()  # lists of which entries are shown
        self.answers: list[str] = []  # lines that show what was asked for, above all items
        self.answered: dict[int, int] = {}  # first to last unit of what they show
        self.taken: set[int] = set()  # items that they show
        self.printed: list[tuple[int, int]] = []  # first to last units of what the body shows of the items
        self.facts: dict[int, str] = {}  # by place: the text, perhaps clipped
        self.numbered: set[int] = set()  # items whose number stands there whatever stands above them
        self.header = self.headless = False  # the names of the columns are shown; they should be and are not
        self.explained = explained  # the facts say why items are kept
        self.least = 1  # characters of a kept line that is cut
        self.reserve = 0  # tokens that facts leave to kept items
        self.index: float = 0  # tokens for the names of definitions that are not shown
        self.order: list[Piece] = []  # coverage choices, first to last

    def stretch(self, piece: Piece) -> tuple[int, int]:
        """Where the one stretch begins and ends that is shown of the long line that a piece is of."""
        spans = self.chosen.get(piece.item, []) if piece.line else []
        begin, end = piece.line or (0, 0)
        within = spans[(first := bisect_left(spans, (begin,))) : first + 1]
        return (within[0][0], spans[bisect_left(spans, (end,)) - 1][1]) if within and within[0][0] < end else (0, 0)

    def begins(self, item: Item) -> int:
        """The tokens of a mark that the first entry of a list will bring along."""
        if not item.series or item.series in self.begun or self.budget < GAPS_FROM:
            return 0
        return ROWS_LEFT * bool(item.section) if item.series.noun.startswith(ROW) else PARTLY

    def leave_out_answered(self, items: Sequence[Item], pieces: Sequence[Piece]) -> None:
        """What stands above all items because the request names it need not stand among them."""
        for i, item in enumerate(items if self.answered else ()):
            if any(first <= item.start and item.end <= last for first, last in self.answered.items()):
                self.taken.add(i)
        for piece in pieces if self.taken else ():
            piece.refused = piece.item in self.taken

    def reserve_index(self, names: Mapping[int, str], count: Count, outlined: bool) -> None:
        """Keep room for the names of definitions that will not be shown."""
        room = max(self.room, self.budget / 2)  # facts may have taken much of it
        need = measured(", ".join(f"{n} {name}" for n, name in names.items()), room, count)
        titled = 2 * sum(" " in name for name in names.values()) > len(names)
        titled = titled or sum(map(len, names.values())) >= SPOKEN * len(names)
        share = OUTLINED if outlined else TITLES if titled else INDEX_SHARE
        self.index = room if need <= room * max(share, INDEXED) else room * share
        self.room -= min(need, self.index)

    def new_section(self, item: Item) -> str:
        """What comes along with an item: its heading, or the lines that lead to it which are not shown."""
        known = not item.section or item.section in self.sections
        return "" if known else "\n".join(new_lead(item, self.sections))


def new_lead(item: Item, shown: Set[str]) -> list[str]:
    """The lines of what leads to an item but those that are said; of a text that flows a line without a number, as one
    of two "## Example", is only said where all lines above it are."""
    lines = item.section.split("\n")
    if not item.flow:
        return lines
    new = dropwhile(shown.__contains__, lines)
    return [line for line in new if line not in shown or not anchor(line)[0]]


def skeleton_room(room: float, nested: bool, outlined: bool = False) -> float:
    """What all headings, or all signatures of a source (``nested``), may take to be shown whole."""
    return room * (OUTLINED if outlined else SIGNATURES if nested else SKELETON)


def pressure_of(items: Sequence[Item], room: float) -> float:
    """How many times the room all items would take."""
    return sum(len(item.text) for item in items) / 3.5 / max(1.0, room)


def clip(text: str, budget: int, count: Count, total: int = 0) -> str:
    """The longest head of ``text`` within ``budget`` tokens, saying how much is cut; of a fact rather whole parts.
    ``text`` may itself be the head of ``total`` characters of the original."""
    if len(text) >= total and count(text) <= budget:
        return text
    fact, total = not total, max(total, len(text))
    low = most(min(len(text), budget * 16), lambda n: count(f"{text[:n]}…[+{total - n} chars]") <= budget)
    marks = sorted(_PART.finditer(text, low // 2, low), key=_rank, reverse=True)
    parts = (text[: mark.end()] for mark in marks if fact)
    if whole := next((part for part in parts if part.count('"') % 2 == 0 and part.count("(") == part.count(")")), ""):
        return f"{whole.rstrip(' …')} …"  # a list of parts goes on
    nicer = text.rfind(" ", max(0, low - 40), low)
    if nicer > 0 and text[nicer - 1].isdigit() and text[nicer + 1 : nicer + 2].isalpha():
        nicer = text.rfind(" ", 0, nicer)  # no number without its unit
    head = text[: before_mark(text, nicer if nicer > 0 else low)].rstrip(" ·,;|\n")
    if not head or (fact and head.endswith(":")):
        return ""
    clipped = f"{head}…[+{total - len(text) + stands_for(text[len(head) :])} chars]"
    return clipped if count(clipped) <= budget else ""


def _rank(mark: re.Match[str]) -> tuple[bool, bool, int]:
    """The last end of a part comes first, then of a member of one, then before what is said of that."""
    return mark[0] == " · ", mark[0] != " ", mark.end()


def measured(text: str, most: float, count: Count) -> int:
    """The tokens of a text; of a long one those of its beginning, where that has more than ``most``: it is cut where it
    has as many as within the text."""
    head = text[: safe_cut(text, int(most) * 4, int(most) * 6) or 0]  # few texts have less than four characters a token
    return tokens if (tokens := count(head)) > most else count(text)


def clip_lines(text: str, budget: int, count: Count, order: Sequence[int] = ()) -> str:
    """The first line and as many whole lines behind it as fit, the first of an ``order``, with how many are left out:
    what a last line "… 3 more" leaves out already is counted, too. No number where lines join several (sections below
    their heading)."""
    lines = text.split("\n")
    left, order = len(lines), order or range(len(lines))
    if known := _MORE.match(lines[-1]):
        left += int(known[1].replace(",", "")) - 1

    def head(n: int) -> str:
        shown, rest = ([lines[i] for i in sorted(some)] for some in (order[:n], order[n:]))
        return "\n".join([*shown, _more(lines[0], rest, left - n)])

    low = most(min(len(lines) - 1, budget), lambda n: count(head(n)) <= budget)  # a line takes a token or more
    return head(low) if low > 1 else ""


def _more(heading: str, rest: Sequence[str], left: int) -> str:
    joined = _JOINS.match(heading) and any(_JOINED.search(line) for line in rest)
    places = [match[0] for line in rest if (match := _PLACE.match(line))]
    where = ends(places[0], places[-1]) if len(places) == left else ""
    return "… more" if joined else f"… {left:,} more{where}"


def ends(first: str, last: str) -> str:
    """Of rows that are left out the places of the first and the last."""
    return f", first {first}, last {last}" if first != last else f": {first}"


WORD = 24  # characters of a word that is not cut; texts of some scripts have no blanks


def fitting(text: str, room: int, count: Count) -> int:
    """How many characters of ``text`` fit ``room``, ending at a line end where one is near, else a word's."""
    end = min(len(text), room * 6)
    while end > 0 and count(text[:end]) > room:
        end = int(end * 0.8)
    line = text.rfind("\n", 0, end)
    if line > end // 2 or end == len(text):
        return line if line > end // 2 else end
    word = max(text.rfind(" ", 0, end + 1), text.rfind("|", 0, end + 1))
    return word if word > max(end - WORD, end // 2) else end


# -- pieces ----------------------------------------------------------------------------------------------------

WHOLE_LINE = 240  # characters: about what one line of a terminal log or of source has at most
WHOLE_FLOW = 200  # characters of a paragraph that is whole or not shown; of a longer one whole sentences are
FLOW_SHARE, FLOW_MOST = 0.4, 400  # so many more for each token of the room, up to: a cut paragraph reads badly
OPENS, OPEN_SHARE, OPEN_MOST = 4.2, 1.4, 640  # weight of what tells what it all comes to: of it more is whole
AGAIN = 60  # characters of a line that says less each time; a short one is missed where it stands: `return err`
WORDS = 90  # characters of an entry that stands with its first words
PIECE_MIN, PIECE_MAX = 80, 200  # characters of a stretch of a longer line: a sentence or a statement
MAX_PIECES = 60_000
MAX_PIECES_PER_ITEM = 2_000  # of one long line; neighbours must stay beside each other to be one stretch
ITEMS, CHARACTERS = 4_000, 16  # candidates, and characters of them for each token: several times what is shown

_JOINS, _JOINED = regex(r"Sections\b|.* in one line "), regex(r"(?: · |: )(?:\d+ |\S+ [\d,]+ · )| \(\+\d+ ")
_ANCHOR = regex(r"([+\-~ ]?#?\d+(?:[-@]\d+|–\d+|\.[\w.\[\]-]{1,60}(?=:))?)(?::|\|)? ")
_QUOTED_END = regex(r"(?<!\\)\\n")
# An ordinal ends no sentence: "am 31. Januar".
_SENTENCE_END = regex(r"(?:(?<!\s\d)(?<!\s\d\d)|(?=.\n))[.!?…][\"')*_`\]]{0,4}(?=\s+[^a-z\s])|[。！？]")
_SENTENCE = regex(r"(?:(?<!\s\d)(?<!\s\d\d)|(?=.\n))[.!?…;][\"')*_`\]]{0,4}\s+(?=\S)|[。！？]")
_LINE_END = regex(r"(?<=\S)(?=[ \t]*\n)")
_BOLD = regex(r"[\d\s–-]{0,16}(?:[-*+]|\d{1,3}[.)])?\s*\*\*[^*\n]{1,200}\*\*.{0,40}")
_QUOTES = " \"'\\n,"
_PLACE = regex(r"\[[^|]{0,60}\](?=\|)|\d+(?=: )")
_PART = regex(r" · |  |[;,] | (?=\()")  # between parts of a fact
_MORE = regex(r"… ([\d,]+) more(?: sections?)?$")
_BREAK = regex(r"[\s,;|)}\]>]+(?=[\s\w\"']|$)|\s+")
_INNER = regex(r"\W(?=\w)")  # within a run without a blank: an address, a path


Stretch = tuple[int, int, tuple[int, int] | None]
"""A span of an item's text; of a stretch of a long line, where that line begins and ends."""


@record
class Piece:
    """A span of an item's text. ``cost`` is an estimate in tokens until ``exact``."""

    item: int
    start: int
    end: int
    atoms: tuple[str, ...]  # sorted: sums must not depend on hash order
    line: tuple[int, int] | None = None  # of a stretch of a long line: where that line begins and ends
    cost: float = 0.0
    exact: bool = False
    refused: bool = False  # given back for want of room: not again in this run
    numbered: bool = False  # the beginning of a line of source, whose number is none of its names


def anchor(text: str) -> tuple[str, int]:
    """The position an item's text begins with ("417", "+12", "#3") and the length of that prefix; ("", 0) if none."""
    match = _ANCHOR.match(text)
    return (match.group(1), match.end()) if match else ("", 0)


def line_pieces(items: Sequence[Item], budget: int, asked: Container[int] = (), nested: bool = False) -> list[Piece]:
    """Every item's lines, long lines in stretches. Of far more items than the budget can show an even choice, what is
    asked for among them. The number before a line of source (``nested``) is no name: each has one, and short
    lines that say the same again would win by it."""
    size = sum(min(len(item.text), MAX_PIECES_PER_ITEM * PIECE_MAX) for item in items)
    stride = max(size // (MAX_PIECES * 60) + 1, min(len(items) // ITEMS, size // (CHARACTERS * max(1, budget))))
    whole = max(WHOLE_FLOW, min(FLOW_MOST, int(budget * FLOW_SHARE)))
    opening = max(WHOLE_FLOW, min(OPEN_MOST, int(budget * OPEN_SHARE)))
    pieces: list[Piece] = []
    for i, item in enumerate(items):
        if i % stride and not item.keep and i not in asked and i != len(items) - 1:
            continue
        text = item.text
        number = anchor(text)[1] if nested and text[:1].isdigit() else 0
        for start, end, line in _spans(item, opening if item.weight >= OPENS else whole):
            names = atoms(text[max(start, number) : end])
            pieces.append(Piece(i, start, end, tuple(sorted(names)), line, numbered=start < number))
    return pieces


def lengths(items: Sequence[Item], pieces: Sequence[Piece]) -> dict[int, float]:
    """The characters of each piece that is a line or more, of a long one shared by those that say the same."""
    texts = {n: _bare(items[piece.item].text, piece) for n, piece in enumerate(pieces) if not piece.line}
    counts = Counter(text for text in texts.values() if len(text) > AGAIN)
    return {n: len(text) / counts.get(text, 1) for n, text in texts.items()}


def _bare(text: str, piece: Piece) -> str:
    return text[max(piece.start, anchor(text)[1]) : piece.end].strip()


def linked(
    items: Sequence[Item], pieces: Sequence[Piece], first: Mapping[int, int]
) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Which piece stands above which, and which below it: a signature above its lines, the first of an entry above
    others. ``first`` is the first piece of each item."""
    starts = dict[int, int]()
    for n, piece in enumerate(pieces):
        starts.setdefault(items[piece.item].start, n)
    above: dict[int, int] = {}
    below: dict[int, list[int]] = {}
    for n, piece in enumerate(pieces):
        item = items[piece.item]
        head = starts.get(item.under, -1) if item.under else -1
        if first[piece.item] != n and not item.flow and "\n" in item.text:
            head = first[piece.item]
        if head >= 0:
            above[n] = head
            below.setdefault(head, []).append(n)
    return above, below


def _spans(item: Item, whole: int) -> list[Stretch]:
    if item.whole:
        return [(0, len(item.text), None)]
    return flowing(item.text, item.flow, whole) if item.flow else cut(item.text)


def cut(text: str) -> list[Stretch]:
    """Spans of ``text``: its lines, and long lines in stretches that end between words, each with its line's span."""
    if len(text) <= WHOLE_LINE and "\n" not in text:
        return [(0, len(text), None)] if text else []
    spans: list[Stretch] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if len(line) > WHOLE_LINE:
            spans.extend(_stretches(text, start, end))
        elif line.strip():
            spans.append((start, end, None))
        start = end + 1
    if len(spans) > MAX_PIECES_PER_ITEM:
        step = len(spans) / MAX_PIECES_PER_ITEM
        spans = [spans[int(k * step)] for k in range(MAX_PIECES_PER_ITEM)]
    return spans


def flowing(text: str, flow: str, whole: int) -> list[Stretch]:
    """A text that is read from its beginning: whole when short, else its sentences or lines, each behind the last.
    What introduces a rule in bold stands with what follows."""
    words = text.find(" ", WORDS) if flow == "words" and len(text) > WORDS + PIECE_MIN else -1
    if len(text) <= whole and words < 0:
        return [(0, len(text), None)]
    bold = _BOLD.match(text)
    pattern = _LINE_END if flow == "lines" else _SENTENCE_END
    stops = [0, words] if words > 0 else [0]
    for match in pattern.finditer(text, bold.end() if bold else 0):
        if match.end() - stops[-1] >= PIECE_MIN:
            stops.append(match.end())
    stops = [stop for stop in stops if len(text) - stop >= PIECE_MIN // 4 or not stop] + [len(text)]
    spans: list[Stretch] = []
    for first, last in pairwise(stops):
        parts = [(a, b) for a, b, _ in _stretches(text, first, last)] if last - first > 2 * PIECE_MAX else []
        spans += [(a, b, (0, len(text))) for a, b in parts or [(first, last)]]
    return spans[:MAX_PIECES_PER_ITEM]


def _stretches(text: str, start: int, end: int) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """A long line in stretches; where it quotes lines (a string with ``\\n``), each of these is a line of its own."""
    end = min(end, start + MAX_PIECES_PER_ITEM * 4 * PIECE_MAX)
    stops = [match.end() for match in _QUOTED_END.finditer(text, start, end)] if "\\n" in text else []
    for first, last in pairwise([start, *stops, end]):
        at = first
        while last - at > WHOLE_LINE:
            stop = at + PIECE_MAX
            for pattern in (_BREAK, _INNER):  # the first that is found there, at its last place
                if ends := [match.end() for match in pattern.finditer(text, at + PIECE_MIN, stop)]:
                    stop = ends[-1]
                    break
            # rather the end of a sentence
            for match in _SENTENCE.finditer(text, at + PIECE_MIN, min(last, at + WHOLE_LINE)):
                stop = match.end()
            yield at, stop, (first, last)
            at = stop
        if text[at:last].strip(_QUOTES):
            yield at, last, (first, last)


GUESSED = 2  # tokens that a guess adds to those of the characters
TOKEN_LENGTH, DEAR = 4.0, 3.0  # characters, at most; times the room, what is dearer by such a guess cannot fit
MANY, SAMPLED, HOPED = 3_000, 100, 1.1  # of so many pieces some show the length, which is then rather too many
MEASURED, UNSEEN = 1.5, 1.1  # the most that a guess is taken to be above the cost; what others may be beyond those seen


def token_length(pieces: Sequence[Piece], text: Callable[[Piece], str], count: Count) -> tuple[float, float]:
    """Characters of a token, rather too many, so that a piece costs that at least; and how many times the room what
    does not fit costs by this guess."""
    if len(pieces) < MANY:
        return TOKEN_LENGTH, DEAR
    some = [*map(text, pieces[:: len(pieces) // SAMPLED])]
    costs = [*map(count, some)]
    length = min(TOKEN_LENGTH, HOPED * sum(map(len, some)) / sum(costs))
    above = max((len(one) / length + GUESSED) / cost for one, cost in zip(some, costs, strict=True))
    return length, min(MEASURED, UNSEEN * above)


def boosts(items: Sequence[Item], focus: str) -> dict[int, float]:
    """BM25 (Robertson, Zaragoza 2009) of each matching item for ``focus``, as a factor from 1 to 1.5 on its gain."""
    terms = sorted({t.lower() for t in re.findall(r"\w{2,}", focus)})
    if not terms or len(terms) > MAX_TERMS or not items:
        return {}
    pattern = re.compile("|".join(re.escape(t) for t in terms), re.IGNORECASE)
    by_item = [Counter(m.lower() for m in pattern.findall(item.text)) for item in items]
    documents = Counter(t for counts in by_item for t in counts)
    average = sum(len(item.text) for item in items) / len(items) or 1.0
    rarity = {t: math.log(1 + (len(items) - n + 0.5) / (n + 0.5)) for t, n in documents.items()}
    scores: dict[int, float] = {}
    for i, counts in enumerate(by_item):
        if counts:
            norm = K1 * (1 - B + B * len(items[i].text) / average)
            scores[i] = sum(rarity[t] * n * (K1 + 1) / (n + norm) for t, n in sorted(counts.items()))
    best = max(scores.values(), default=0.0)
    return {i: 1.0 + 0.5 * s / best for i, s in scores.items()} if best > 0 else {}


def is_heading(text: str) -> bool:
    return re.match(r"(?:\d+[:|]? )?#{1,6} ", text) is not None


_NUMBER = regex(r"\s*\d+[\t:|→ ]")  # of a line of a view
_SECTION = regex(r"\s*(?:\d+[:|]? )?(?:\[|name\s*=)")  # of INI or TOML, or what names one


def closes(opening: str, line: str) -> bool:
    """Whether a line is no part of the body that ``opening`` opens: as little indented, and no closing bracket."""
    if opening.lstrip().startswith("#"):
        return is_heading(line)
    if opening.startswith("--"):  # of a help page without indents: up to the blank line, or the next option
        return not line.strip() or line.startswith("--")
    if _SECTION.match(opening):
        return not line.strip() or _SECTION.match(line) is not None
    number = _NUMBER.match(opening)
    start = number.end() if number and (number[0][-1] != " " or _NUMBER.match(f"{line} ")) else 0

    def indent(text: str) -> int:
        body = text[start:]
        return len(body) - len(body.lstrip())

    rest = line[start:].strip()
    inner = rest[:1] in ("", *"})]{") or rest in ("public:", "protected:", "private:")
    return not inner and indent(line) <= indent(opening)
