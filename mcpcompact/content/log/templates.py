"""Template mining: which lines say the same thing with other values, and which value of a slot is odd.

Distinct lines are cut into tokens, tokens with digits and ids are masked, and what remains is grouped
in the manner of Drain (He et al., "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS
2017): by number of tokens and first word, then by the share of equal tokens. The masks and the
deduplication before it do most of the work; the tree only joins what words alone keep apart.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from itertools import compress, islice
from operator import eq, itemgetter
from typing import Final

from mcpcompact.content.anomalies.numbers import median, outliers
from mcpcompact.content.anomalies.rare import times, uncommon
from mcpcompact.content.anomalies.thresholds import MIN_RARE
from mcpcompact.content.anomalies.words import listed
from mcpcompact.content.log.grammar import LEVEL_WITHIN, level_span
from mcpcompact.content.log.scan import Shape
from mcpcompact.outline import Keep, record
from mcpcompact.patterns import regex

MAX_TOKENS: Final = 120
WILD: Final = "*"
SIMILAR: Final = 0.55  # the share of equal tokens from which two lines are of one template (Drain's threshold)
MERE_SIGNS: Final = frozenset("+-~*#.!/\\@$%^_") - {WILD}
_NO_WORDS: Final = MERE_SIGNS | {WILD}
MAX_LEAF: Final = 60  # clusters compared in one leaf; beyond it the newest are compared, so that mining stays linear
VARIED, FEW = 3_000, 12  # from so many different lines on a log says ever new things: fewer are compared
LONG_ID, SHORT_HEX = 16, 8  # characters: of an id without digits, of hexadecimal digits that are no number

DIGITS: Final = regex(r"\d+")
EVENT: Final = regex(r"[A-Z](?<![\w-].)[A-Z]{2,11}[-_]?\d{2,6}(?![\w-])")  # ``SRVE0255``, ``ORA-00942``: of a message
SHARED: Final = 2  # words that lines of a kind have in common: one with less says too little of others
NAMES, SAME = 8, 4  # different words at a place from which on they are names; for each words that all lines have
_LETTER: Final = regex(r"[^\W\d_]")
_QUOTES: Final = frozenset("'\"`")
HEX, HEXADECIMAL = "<hex>", frozenset("0123456789abcdefABCDEF")  # the category of ids, and what they are written in
_SOURCE: Final = regex(r"[\])]?:?\s*(?:\S+:\s+)?\[?")
_HEXISH: Final = regex(r"(?:0x)?[0-9a-fA-F]{6,}(?:-[0-9a-fA-F]{4,}){0,4}$|[0-9a-fA-F]{2}(?:-[0-9a-fA-F]{2}){5}$")
NUMBER: Final = regex(r"[-+~$]?(\d{1,15}(?:\.\d{1,9})?)([A-Za-zµ%/]{0,8})$")


def masked(line: str) -> tuple[str, ...]:
    """The words of a line, ``*`` for values."""
    words = TOKEN.findall(line)[:MAX_TOKENS]
    return tuple([w if len(w) < LONG_ID and w.isalpha() else WILD if w[-1].isdigit() else mask(w) for w in words])


@lru_cache(maxsize=16_384)
def mask(token: str) -> str:
    """``*`` for a value that carries a digit or is an id, else the token itself."""
    if not token.isalpha() and (DIGITS.search(token) or (token[0] == "/" and len(token) > 1)):
        return WILD
    if len(token) >= LONG_ID and _HEXISH.match(token):
        return WILD
    return token


@lru_cache(maxsize=16_384)
def category(value: str) -> str:
    """A value with its digits masked: ``/users/17/orders`` and ``/users/4/orders`` are one category."""
    if value.isalpha() and len(value) < LONG_ID:
        return value
    if _HEXISH.match(value) and (len(value) >= SHORT_HEX or "x" in value[:2]):
        return HEX
    if "/" in value:
        return "/".join(category(part) if part else "" for part in value.split("/"))
    return DIGITS.sub("0", value)


def categories(values: Sequence[str]) -> list[str]:
    """The category of each value of one place. Among ids of hexadecimal digits one may have letters alone by chance."""
    types = [value if len(value) < LONG_ID and value.isalpha() else category(value) for value in values]
    sizes = {len(value) for value, kind in zip(values, types, strict=True) if kind == HEX}
    if not sizes:
        return types
    letters = HEXADECIMAL.issuperset
    return [HEX if len(v) in sizes and letters(v) else kind for v, kind in zip(values, types, strict=True)]


@record
class Template:
    """A group of lines. ``words``: its tokens, ``*`` where they differ; ``shapes``: who belongs to it, by number."""

    words: list[str]
    count: int = 0
    shapes: list[int] = field(default_factory=list)

    @property
    def stem(self) -> tuple[str, ...]:
        """Its words, files and directories taken for values: lines that differ in these alone are of one kind."""
        return tuple([WILD if "/" in word else word for word in self.words])

    def covers(self, words: Sequence[str]) -> bool:
        """Whether these are its words, of which it shares some, but where its lines differ."""
        pairs = [*zip(self.words, words, strict=False)] if len(self.words) == len(words) else []
        return sum(a == b != WILD for a, b in pairs) >= SHARED and all(a in (WILD, b) for a, b in pairs)

    @property
    def says(self) -> bool:
        """Whether its lines share a word: else they need not be of one kind."""
        return any(map(_LETTER.search, self.stem))


@record
class Seen:
    """A shape read: its text, the same with the stamp blanked, its words: at the same places in all its lines."""

    shape: Shape
    text: str
    bare: str  # without what a runner writes before it
    body: str
    words: tuple[str, ...]
    level: str
    head: bool  # whether an entry of a log with heads begins here
    template: Template
    kind: Template  # of its lines all say the same
    severity: int = 0
    placed: list[tuple[int, int]] | None = None
    keyed: Sequence[tuple[str, int, int]] = ()  # words behind a key that many lines have: the key, and where they stand

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where the words stand."""
        if self.placed is None:
            self.placed = self.places()
        return self.placed

    def places(self) -> list[tuple[int, int]]:
        """The same for one question: of very many lines they take much memory."""
        return self.placed or [match.span() for match in islice(TOKEN.finditer(self.body), MAX_TOKENS)]

    def pairs(self, names: Mapping[str, str]) -> list[tuple[str, int, int]]:
        """The words that stand behind one of the ``names`` with ``=`` or ``:``: its key, and where they stand."""
        named = (one for one in PAIR.finditer(self.body) if one[1] in names)
        matches = (one for one in named if self.text.startswith(one[2], one.end(1)))
        pairs = [(names[one[1]], one.end(2), one.end(3)) for one in matches if not is_place(one[1], one[2], one[3])]
        last = self.spans[-1][0] if len(self.words) >= MAX_TOKENS else len(self.body)
        return [pair for pair in pairs if pair[1] <= last]

    def behind(self, at: int) -> tuple[str, ...]:
        """The words from ``at`` on."""
        if len(self.words) >= MAX_TOKENS or (at and TOKEN.match(self.body, at - 1)):  # more words; within one
            return masked(self.body[at:])
        return self.words[len(TOKEN.findall(self.body, 0, at)) :]

    @property
    def stamped(self) -> int:
        """How much of the line says when, at its front; 0: nothing does."""
        blank = len(self.body) - len(self.body.lstrip(" []"))
        return blank - (self.text[blank - 1 : blank] == "[") if self.text[:blank].strip(" []") else 0

    def opens(self, at: int) -> bool:
        """Whether the message begins there, behind level and source: the word says what happened, and is no value."""
        level = level_span(self.text[:LEVEL_WITHIN])
        named = "]" in self.text[at:].partition(" ")[0]  # a thread
        return level is not None and not named and _SOURCE.fullmatch(self.text, level[1], at) is not None


@record
class Mark:
    """Why a line is kept. ``group`` folds marks that say the same."""

    line: int
    keep: Keep
    reason: str
    group: str
    score: float = 0.0
    quiet: bool = False  # the reason only says where to look

    def why(self, end: int) -> str:
        """The reason, with the line where that is not the last one of its entry, behind which it stands."""
        return self.reason if self.line >= end else f"line {self.line:,}: {self.reason}"


def kinds(template: Template, lines: Sequence[Seen]) -> list[Template]:
    """The template; where its lines differ in more than one word, and may say different things, one of each wording,
    whatever stands at the few places at which they name many things."""
    if len(template.shapes) == 1 or WILD not in template.words:
        return [template]
    sizes = [len(set(column)) for column in zip(*(lines[n].words for n in template.shapes), strict=True)]
    named = {at for at, size in enumerate(sizes) if size > NAMES}
    same = sum(size == 1 and word != WILD for size, word in zip(sizes, template.words, strict=True))
    named = named if same >= SAME * len(named) else set[int]()
    known: dict[tuple[str, ...], Template] = {}
    for n in template.shapes:
        words = tuple([WILD if at in named else word for at, word in enumerate(lines[n].words)])
        kind = known.setdefault(words, Template([*words]))
        kind.count += lines[n].shape.count
        kind.shapes.append(n)
    differ = {at for at, size in enumerate(sizes) if size > 1}
    one = lines[template.shapes[0]]
    if len(differ) <= 1 and not any(one.opens(one.spans[at][0]) for at in differ - named):
        return [template]
    for kind in known.values():
        for n in kind.shapes:
            lines[n].kind = kind
    return [*known.values()]


def names_of(line: Seen) -> str:
    """What a line names where others of its kind name something else; a number or an id is no name."""
    text, slots = line.text, zip(line.spans, line.kind.words, strict=False)
    places = [span for span, word in slots if word == WILD]
    named = [text[a:b] for a, b in places if text[max(0, a - 1) : a] in _QUOTES or not DIGITS.search(text, a, b)]
    return " ".join(map(category, named))


class Miner:
    """Groups masked token tuples; deterministic, in order of arrival."""

    def __init__(self) -> None:
        self.templates: list[Template] = []
        self._exact: dict[tuple[str, ...], Template] = {}
        self._leaves: dict[tuple[int, str], tuple[list[tuple[Template, set[str]]], set[str]]] = {}

    def add(self, words: tuple[str, ...], count: int, shape: int) -> Template:
        template = self._exact.get(words)
        if template is None:
            template = self._exact[words] = self._match(words)
        template.count += count
        template.shapes.append(shape)
        return template

    def _match(self, words: tuple[str, ...]) -> Template:
        # templates, each with its words, and the words that any of them had
        leaf, known = self._leaves.setdefault((len(words), words[0] if words else ""), ([], set()))
        # Drain's similarity: equal tokens only, a wildcard against a wildcard counts half, a bullet or a plus nothing
        signs = 0 if MERE_SIGNS.isdisjoint(words) else sum(map(MERE_SIGNS.__contains__, words))
        total = len(words) - signs - 0.5 * words.count(WILD)
        near, need = leaf[-MAX_LEAF if len(self._exact) < VARIED else -FEW :], SIMILAR * total
        others = set(words[1:]).difference(_NO_WORDS)
        least = need - (total - len(others))  # of these: the first word all have, and some stand there again
        if least > 0:
            common = others & known
            near = [one for one in near if len(common & one[1]) >= least] if len(common) >= least else []
        worth = [0.0 if word in MERE_SIGNS else 0.5 if word == WILD else 1.0 for word in words] if near else []
        scores = [sum(compress(worth, map(eq, template.words, words))) for template, _ in near]
        score = max(scores, default=0.0)
        if not score or score < need:
            best = Template(list(words))
            others.update(words[:1])
            leaf.append((best, others))
            known.update(others)
            self.templates.append(best)
            return best
        best, held = near[scores.index(score)]
        best.words = [a if a == b else WILD for a, b in zip(best.words, words, strict=True)]
        held.intersection_update(best.words)
        return best


# ---- what a word is a value of: by the key before it (``size=12``), or by the word (``took 12 ms``)

TOKEN: Final = regex(r"[^\s=:,;\"'()\[\]{}|<>&?]+")
_NAME: Final = regex(r"[A-Za-z_][\w.-]{0,80}$")
_FILE: Final = regex(r"\.(?:py|[cm]?[jt]sx?|go|java|rs|rb|cc?|cpp|h|cs|kt|php|scala|sh)$")
_KEY: Final = regex(r"\"?\s{0,40}(?:[=:]|=>|:=)\s{0,40}\"?[\[(]?")
PAIR: Final = regex(rf"(?<!{TOKEN.pattern[:-1]})({TOKEN.pattern}+)({_KEY.pattern})(?=({TOKEN.pattern}+))")
KEYED: Final = regex(rf"(?<!{TOKEN.pattern[:-1]})({TOKEN.pattern}+)\"?\s{{0,40}}[=:]")  # what may be a key

FIELD, CELLS = "field ", 4  # the name of a cell between tabs; least that make a row
_CELL: Final = regex(r'((?:"(?:[^"]|""){0,1000}")?[^\t]*)(?:\t|$(?<=[^\t]))')  # quoted, it may hold tabs
CELL_VALUES, RARE_CELL = 8, 0.03  # values of a cell that are few; share of the rows of one that is rare
MAX_KEY: Final = 40  # characters of a key, of a longer one the last
MAX_NAME: Final = 20  # letters of a word that names the number behind it


def slot_name(text: str, begin: int, end: int, at: int) -> str:
    """What the word at ``at`` is a value of, by the word before it."""
    before, gap = text[begin:end], text[end:at]
    if is_place(before, gap, text[at : at + 1]):
        return ""
    if gap != " " and _KEY.fullmatch(gap) and (key := key_of(before)):
        return key
    named = end - begin < MAX_NAME and before.isalpha() and gap.isspace() and before.lower() not in _PLAIN
    return before if named else ""


def is_place(before: str, gap: str, value: str) -> bool:
    """Of a logger and its line, a host and its port."""
    return gap == ":" and "." in before and value[:1].isdigit()


def key_of(word: str) -> str:
    """The last part of a name with points; "" where a word is none or names nothing, or a file before the number of
    its line."""
    key = word.rpartition(".")[2][-MAX_KEY:] if _NAME.match(word) and not _FILE.search(word) else ""
    return "" if key.lower() in _PLAIN else key


_PLAIN: Final = frozenset(  # words before a number that do not name it
    listed(
        "is|for|to|of|on|at|in|by|the|a|an|and|or|from|with|trace|debug|info|notice|warn|warning|error|fatal|critical"
    )
)


# -------------------------------------------------------------------------------------------------- slots


MIN_SLOT = 40  # lines of a slot before a value of it can be rare
REPEATED: Final = 5  # one line in so many has a key whose values are told, and times that each of them stands
MAX_TIMES = 3  # that a rare value occurs
MIN_USUAL = 8  # times that the middle one of the others occurs: fewer are names


@record
class Odd:
    """A value that stands out: its line, the value verbatim, and why in a few words; a rare one or a number far off."""

    line: int
    value: str
    why: str
    score: float
    keep: Keep = Keep.RARE


_ID_NAME: Final = regex(
    r"(?:^|[_.\-\s/#])(?:id|ids|pid|tid|uid|gid|ppid|port|seq|offset|block|blk|line|lines|session|txn|tx|version|thread|"
    r"trace|span|request|req|job|build|step|epoch|index|idx|no|num|number|address|addr|ts|time(?:stamp)?|date|pr|issue|"
    r"child|core|user|order|account|customer|test|part|worker|slot|inode|code|errno|msgid|partition|generation|attempt_id)[_\d]*$"
    r"|[a-z](?:Id|ID|Port|Seq|Offset|No)$",
    re.IGNORECASE,
)  # fmt: skip

Measured = tuple[int, float, str]  # line, number, the number as it stands
Counted = tuple[int, str, int]  # a line, what stands at one place of it, and how many lines say the same

LARGE: Final = 1_000  # numbers whose fractions say little


def first_of(texts: Sequence[str], most: int, mark: str = " · ") -> str:
    """The first ``most``, and how many more there are."""
    left = [f"{len(texts) - most:,} more"] if len(texts) > most else []
    return mark.join([*texts[:most], *left])


def leading(counts: Counter[str], most: int, mark: str = " · ") -> str:
    """``app 31 · db 7 · 4 more``: the most frequent, and how often they are."""
    return first_of([f"{name} {n:,}" for name, n in counts.most_common()], most, mark)


def number_text(value: float) -> str:
    """``67108864.0`` → ``67,108,864``; fractions in four digits, from 1,000 on in one decimal."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.1f}" if abs(value) >= LARGE else f"{value:.4g}"


def number_of(match: re.Match[str]) -> float:
    """The number of a ``NUMBER`` match, with its sign."""
    return -float(match[1]) if match[0][0] == "-" else float(match[1])


@lru_cache(maxsize=4_096)
def is_id(name: str) -> bool:
    """Does the name of a number say that it counts or names things and measures nothing?"""
    return bool(_ID_NAME.search(name))


def far_values(values: Sequence[Measured], name: str, *, exact: bool = True, scope: str = "") -> list[Odd]:
    """Numbers, in line order, far from the others; ids, counters and heavy tails have none. ``exact``: these are all
    values; ``scope``: of which lines, said behind the median."""
    if len(values) < MIN_RARE:
        return []
    numbers = [number for _, number, _ in values]
    middle = median(sorted(numbers))
    usual = f"median {'' if exact else '~'}{number_text(middle)}{scope}"
    far = []
    for at in outliers(numbers):
        line, number, text = values[at]
        score = abs(number - middle) / (abs(middle) or 1)
        far.append(Odd(line, text, f"{name} {text}, {usual}".strip(), score, Keep.OUTLIER))
    return far


def rare_values(values: Sequence[Counted], name: str, scope: str = "") -> list[Odd]:
    """Values (line, value, count of lines that say so) that occur once or twice in a slot where few values share many
    lines; one of many singles (names, ids) has none. ``scope`` says behind the count of which lines or places it is."""
    counts: Counter[str] = Counter()
    for _, value, count in values:
        counts[value] += count
    n = sum(counts.values())
    rare = uncommon(counts)
    common = sorted(count for value, count in counts.items() if value not in rare)
    if n < MIN_SLOT or not rare or counts[rare[-1]] > MAX_TIMES or common[len(common) // 2] < MIN_USUAL:
        return []
    first = {value: line for line, value, _ in sorted(values, key=itemgetter(0))[::-1] if value in rare}
    label = f"{name} " if name else ""
    return [
        Odd(line, value, f"{label}{value} {times(counts[value])} in {n:,}{scope}", n / counts[value] / len(rare) ** 2)
        for value, line in reversed(first.items())
    ]


def rare_words(words: Sequence[Counted], kinds: Sequence[str], name: str, scope: str) -> list[Odd]:
    """``rare_values`` of words by their kinds, told as they stand: ``like node-17`` where several of the kind count."""
    rows = [*zip(words, kinds, strict=True)]
    rare = rare_values([(line, kind, count) for (line, _, count), kind in rows], name, scope)
    word_of = {(line, kind): word for (line, word, _), kind in rows} if rare else {}
    for odd in rare:
        kind, odd.value = odd.value, word_of[odd.line, odd.value]
        several = kind != odd.value and " times in " in odd.why
        odd.why = odd.why.replace(kind, ("like " if several else "") + odd.value[:80], 1)
    return rare


def rare_cells(name: str, words: Sequence[Counted]) -> Iterator[Odd]:
    """Of the few values that a cell between tabs has the rarer ones, each by its first row (of ``rare_values``)."""
    counts, first = Counter[str](), {word: line for line, word, _ in reversed(words)}
    for _, word, count in words if name.startswith(FIELD) else ():
        counts[word] += count
    few, n = len(counts) <= CELL_VALUES, counts.total()
    for word, count in counts.items():
        if few and count <= RARE_CELL * n and not DIGITS.search(word):
            yield Odd(first[word], word, f"{name} {word} {times(count)} in {n:,}", n / count)


Values = list[Measured]  # in line order


def keys(lines: Iterable[Seen], least: int) -> Counter[str]:
    """How many lines have which key, of those that at least so many have; and with each line its words behind these."""
    names, often, counts = Counter[str](), Counter[str](), Counter[str]()
    for one in lines:
        for name in KEYED.findall(one.body) if "=" in one.body or ":" in one.body else ():
            names[name] += one.shape.count
    known = {name: key for name in names if (key := key_of(name))}
    for name, key in known.items():
        often[key] += names[name]  # at most: a word may be missing behind it
    known = {name: key for name, key in known.items() if often[key] >= least}
    for one in lines if known else ():
        one.keyed = one.pairs(known)
        for key, _, _ in one.keyed:
            counts[key] += one.shape.count
    rows = [(one, [*_CELL.finditer(one.body)]) for one in lines if one.body.count("\t") >= CELLS]
    if sum(one.shape.count for one, _ in rows) * REPEATED >= sum(one.shape.count for one in lines) * (REPEATED - 1):
        for one, cells in rows:
            one.keyed = [(f"{FIELD}{n}", *cell.span(1)) for n, cell in enumerate(cells, 1) if _LETTER.search(cell[1])]
            for key, _, _ in one.keyed:
                counts[key] += one.shape.count
    return counts


def _numbered(one: Seen) -> Iterator[tuple[str, int, int]]:
    """The named words of a line that hold a digit: the name, and where they stand."""
    spans = one.places() if WILD in one.words[1:] else ()
    for at, word in enumerate(one.words if spans else ()):
        if word == WILD and at:
            (begin, end), (a, b) = spans[at - 1 : at + 1]
            if (name := slot_name(one.text, begin, end, a)) and any(map(str.isdigit, one.text[a:b])):
                yield name, a, b


def fields(lines: Sequence[Seen]) -> dict[tuple[str, str], Values]:
    """All numbers by name and unit; no ids, and nothing of a name of which a number could not be read (``1e5``,
    ``0:12``, ``1,234``): what is said of a field is true of all its values."""
    by_field: dict[tuple[str, str], Values] = {}
    unread: set[str] = set()
    often = Counter[str]()  # fewer values than ``MIN_RARE`` say nothing
    named = [(one, slots) for one in lines if (slots := [*_numbered(one)])]
    for one, slots in named:
        for name, _, _ in slots:
            often[name] += one.shape.count
    for one, all_slots in named:
        slots = [(name, a, b) for name, a, b in all_slots if often[name] >= MIN_RARE and not is_id(name)]
        known = one.shape.read() if slots else []
        for name, a, b in slots:
            if _joined(one.text, a, b):
                unread.add(name)
            if name in unread:
                continue
            for number, text in known:
                value = text[a:b].rstrip(".")
                if match := NUMBER.match(value):
                    by_field.setdefault((name, match[2]), []).append((number, number_of(match), value))
                else:
                    unread.add(name)
    kept = {key: sorted(values) for key, values in by_field.items() if key[0] not in unread}
    return dict(sorted(kept.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def _joined(text: str, a: int, b: int) -> bool:
    """Whether a number goes on behind ``:`` or ``,`` (a clock, thousands), or is the first of a list."""
    return (text[b : b + 1] in (":", ",") and text[b + 1 : b + 2].isdigit()) or text[a - 1 : a] in ("[", "(")


MAXDIGITS = 5  # of a word; more are an id


def few_digits(value: str) -> bool:
    return len(value) <= MAXDIGITS or sum(map(str.isdigit, value)) <= MAXDIGITS
