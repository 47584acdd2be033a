"""Stanzas of like lines, whatever printed them: interfaces, neighbours, packages, calls. How many there are, what each
begins with, in what they differ, and one of them whole."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise

from mcpcompact.content.shared.lines import at_line, blank_lines, outline_of
from mcpcompact.content.text import page, sections
from mcpcompact.content.text.page import deep
from mcpcompact.outline import FAINT, Fact, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted, fitted

MIN, LINES = 2, 4  # stanzas, and lines of one on average: shorter ones are rows
REGULAR, PAIR, MIXED = 0.5, 0.8, 0.65  # of the lines stand in many stanzas; of two; if heads begin with this and that
APART = 0.6  # of the stanzas: those with a head of their own
MANY = 1 / 3  # of the stanzas have a line that is regular
CLAIM, SURE = 0.3, 0.55  # score, and what regular lines add
CELLS, ROWS = 4, 0.7  # of a row at least; of the lines: more are those of a table
SOURCE = 0.5  # of the lines look like a programming language
FOREIGN = 0.2  # of the lines: more of them are sentences, source, or data of another type
LOOKED, EARLY, TRIED = 2_000, 60, 16  # lines that tell how it is parted, those that may begin the first, ways tried
NEAR = 0.15  # less regular than the best by as much: it may be the whole one
HALF = 0.6  # as many stanzas at most are the whole ones of which others are parts
SHIFTED = 0.05  # less regular, and as many more or fewer: what begins a line later or earlier
TRACE = "Traceback (most recent"
STEP = 2  # columns, as far in as another line at least where that tells
MOSTLY, DIFFERS = 0.7, 4  # of the values: what is usual; stanzas from which on others differ from it
STATES, STATE = 5, 40  # values of a state, and characters of one
KINDS = 12  # of stanzas
FEW = 4  # stanzas of a state that are named
FIRST, SAID = 3, 16  # labels of which the values are told before the heads, and in all
HEADS, OF_KIND = (400, 12, 5), (400, 10, 2)  # told where there is much, some, little room; of each of several kinds
HEADING = 60  # characters of one
EXAMPLE, BEGINS, ODD = 4.0, 2.0, 2  # weights: of the first stanza, of its lines and those of the two that differ most
WHOLE, ENDS = 16, 5  # lines of an example that stand together; behind the last stanza, of what all of them come to
TOLD, EXAMPLES = 0.8, 0.8  # of the room: what heads and differences may take, and what the example

TWICE = 2  # values that are told of stanzas that differ from the others in several
_STATE = regex(r"(?i)\b(?:state|status)$")
WORDED = 2  # words of which one is that of several stanzas, however few these are
_LABEL = regex(r"(\S.{0,60}?)(?::(?=[\sA-Z]|$)|[ \t]*=|[ \t]*(?:\. ?)+:|[ \t]{2,}|\t|\.{3,}| (?:is|are) |$)")
_FOREIGN = regex(r"[\"'{\[<|]|//|#{1,6} |/\*|```|.*[{};(.!?,]$")
_NAMED = regex(r"\S.*?(?:[:=](?:\s|$)|\t)")
_ALIGNED = regex(r"\s*\S.{0,60}?\s{2}[:=] ")
_WORD = regex(r"[^\W\d_]{2}")
_LEAD = regex(r"[^\W\d_]{2,}")
_AHEAD = regex(r"^([A-Za-z][A-Za-z_-]*(?: [A-Za-z][A-Za-z_-]*){0,3}) ?[,;(].*")  # words, and what is said besides
_OWN = regex(r"([A-Za-z][A-Za-z_-]{2,}[:=])?\S*[\d:]\S*")  # of the words of a label those that name one thing


def _says(line: str) -> bool:
    """Whether a line says something: it is no ruler, and no bar of progress."""
    return any(map(str.isalnum, line)) and "%|" not in line


def _parts(line: str) -> tuple[str, str, str]:
    """What a line begins with, the same without names and numbers, and what it says of that."""
    text = line.lstrip(page.DRAWN).rstrip()
    match = _LABEL.match(text)
    label = match[1] if match else text[:HEADING]
    value = " ".join(text[match.end() :].split()).lstrip(": |") if match else text
    if match and match.end(1) == len(text):  # numbers among words
        value = " ".join(one[0].removeprefix(one[1] or "") for one in _OWN.finditer(text))
    return label, _OWN.sub(r"\1#", label), value


class _Lines:
    """The lines that say something, with their labels: what lines of the same meaning begin with, and how far in."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.places = [i for i, line in enumerate(lines) if _says(line)]
        self.texts = [lines[i] for i in self.places]
        self.named = sum(_NAMED.match(text.strip()) is not None for text in self.texts)
        self.depths = [*map(deep, self.texts)]
        self.labels = [f"{n // STEP} {_parts(text)[1]}" for n, text in zip(self.depths, self.texts, strict=True)]
        gaps = (n for n, (above, i) in enumerate(pairwise(self.places), 1) if i - above > 1)
        self.apart = dict.fromkeys([0, *gaps] if self.places else [])  # which stand first, or behind blank lines

    def are_rows(self) -> bool:
        """Whether nearly all lines are rows of one table: as many cells each, numbers and words at the same places."""
        cells = Counter(tuple(any(map(str.isdigit, cell)) for cell in text.split()) for text in self.texts)
        most, count = cells.most_common(1)[0] if cells else ((), 0)
        return len(most) >= CELLS and count >= ROWS * len(self.texts)

    def ways(self) -> Iterator[list[int]]:
        """Where stanzas may begin: lines that others stand below, lines behind blank ones, lines of a label."""
        for level in sorted({*self.depths})[:2]:
            yield [n for n, (own, below) in enumerate(pairwise(self.depths)) if own == level < below]
        yield [*self.apart]
        places = defaultdict[str, list[int]](list)
        for n, label in enumerate(self.labels):
            places[label].append(n)
        often = [label for label in dict.fromkeys(self.labels[:EARLY]) if len(places[label]) >= MIN]
        yield from (places[label] for label in often[:TRIED])

    def regular(self, starts: Sequence[int]) -> float:
        """The part of the lines whose label stands in many of the stanzas, in each once; a second time counts half."""
        heads = [self.texts[n] for n in starts]
        titled = sum(bool(_WORD.search(self.labels[n]) or _WORD.search(self.texts[n].split()[0])) for n in starts)
        if len(heads) < MIN or len(self.texts) - starts[0] < LINES * len(heads):
            return 0.0
        heading = sum(n + 1 < len(self.texts) and self.depths[n + 1] > self.depths[n] for n in starts)
        apart = heading + sum(n in self.apart for n in starts)
        if 2 * apart < len(heads) and 2 * self.named < len(self.texts):  # a list, or a table
            return 0.0
        if len({*heads}) < APART * len(heads) or 2 * titled < len(heads):  # rows of values
            return 0.0
        once, again = Counter[str](), Counter[str]()
        for a, b in pairwise([*starts, len(self.labels)]):
            own = Counter(self.labels[a:b])
            once.update(own.keys())
            again.update(label for label, n in own.items() if n > 1)
        most = max(2, MANY * len(heads))
        worded = [label for label, n in once.items() if n >= most and _WORD.search(label)]
        regular = sum(once[label] + (again[label] if again[label] >= most else 0) / 2 for label in worded)
        alike = Counter(" ".join(self.labels[n].split()[:2]) for n in starts).most_common(1)[0][1]  # depth, first word
        least = PAIR if len(heads) == MIN else REGULAR if 2 * alike >= len(heads) else MIXED
        return regular / len(self.texts) if regular >= least * len(self.texts) else 0.0

    def headed(self, starts: list[int]) -> list[int]:
        """What heads a stanza, where each has one of its own above what was found: a line farther left, or the first of
        its paragraph that is another in each."""
        least = min(self.depths[n] for n in starts)
        for above in [n for n, depth in enumerate(self.depths[: starts[-1]]) if depth < least], [*self.apart]:
            heads = sorted({above[i - 1] for n in starts if (i := bisect_right(above, n))})
            near = min(n - head for n, head in zip(starts, heads, strict=True)) if len(heads) == len(starts) else 0
            for further in range(near):
                if len({self.texts[n + further] for n in heads}) == len(starts):
                    return [n + further for n in heads]
        return starts

    def stanzas(self) -> tuple[float, list[range]]:
        """How regular they are, and the lines of each (by index); none where they are no stanzas."""
        foreign = sum(bool(_FOREIGN.match(text.strip()) and not _ALIGNED.match(text)) for text in self.texts)
        if len(self.texts) < 2 * MIN * LINES or foreign > FOREIGN * len(self.texts) or self.are_rows():
            return 0.0, []
        ways = [(score, way) for way in self.ways() if (score := self.regular(way))]
        near = [one for one in ways if one[0] >= max(ways)[0] - NEAR]
        if not near:
            return 0.0, []
        score, way = min(near, key=lambda one: (-one[0], one[1][0]))
        halves = [one for one in near if len(one[1]) <= HALF * len(way) and one[1][0] <= way[0]]
        score, way = min(halves, key=lambda one: (-one[0], one[1][0]), default=(score, way))
        most = SHIFTED * len(way)
        way = min((own for rate, own in near if abs(len(own) - len(way)) <= most and rate > score - SHIFTED), key=min)
        way = self.headed(way)
        parts = [range(a, b) for a, b in pairwise([*way, len(self.texts)])]
        holders = Counter(label for part in parts for label in {self.labels[n] for n in part})
        often = {label for label, n in holders.items() if n >= max(2, MANY * len(parts))}
        parts = [part[: self._ends(part, often)] for part in parts]
        parts = [part for part in parts if not often.isdisjoint(self.labels[n] for n in part)]  # but a legend, a total
        score *= sum(map(len, parts)) >= LINES * len(parts)
        return score, [range(self.places[part[0]], self.places[part[-1]] + 1) for part in parts]

    def _ends(self, part: range, often: Container[str]) -> int:
        """How many of its lines are of a stanza: not what stands apart behind the last one that others have."""
        head, *others = (self.labels[n] for n in part)
        last = max((k for k, label in enumerate(others, 1) if label in often and label != head), default=0)
        least = self.depths[part[0]]
        return next((n for n in part[last + 1 :] if n in self.apart or self.depths[n] <= least), part.stop) - part.start


def _printed(lines: Sequence[str]) -> Sequence[str]:
    """The lines before a document that is printed behind them, which is of another shape."""
    return lines[: next((i for i, line in enumerate(lines) if i and line.rstrip() in ("{", "[")), None)]


def score(lines: Sequence[str]) -> float:
    """How sure it is that these are stanzas, by the first of the lines."""
    lines = _printed(lines)
    if any(line.startswith(TRACE) for line in lines):  # how a program ended
        return 0.0
    from mcpcompact.content.shared.languages import CONFIGURATION, by_shape

    language, share = by_shape(lines[:LOOKED])
    if language not in ("", *CONFIGURATION) and share >= SOURCE:
        return 0.0
    regular, _ = _Lines(lines[:LOOKED]).stanzas()
    return CLAIM + SURE * regular if regular else 0.0


class _Heads:
    """What the stanzas begin with, and what each is called where one word of its head tells it from the others."""

    def __init__(self, lines: Sequence[str], parts: Sequence[range]) -> None:
        self.lines = [lines[part[0]].strip() for part in parts]
        self.places = [part[0] + 1 for part in parts]
        words = [line.split() for line in self.lines]
        shared = 0
        while all(len(row) > shared + 1 and row[shared] == words[0][shared] for row in words):
            shared += 1
        self.before, self.rests = " ".join(words[0][:shared]), [" ".join(row[shared + 1 :]) for row in words]
        self.names = [row[shared].strip(":,;") for row in words]
        often, kinds = Counter(self.names), Counter(self.rests)
        named = len(often) >= APART * len(parts)
        self.kinds = kinds.most_common()[::-1] if named and len(kinds) <= min(STATES, max(1, len(parts) // 2)) else []
        self.alone = len(often) == len(parts)
        pairs = zip(self.names, self.places, strict=True)
        self.whose = [name if named and often[name] == 1 else f"line {place:,}" for name, place in pairs]

    def facts(self) -> list[Fact]:
        """All heads with their lines: those that say the same of several things together, the fewest first."""
        names = [f"{place} {name}" for place, name in zip(self.places, self.names, strict=True)]
        if not self.kinds:
            what = f"“{self.before} …”: " if self.before else ""
            rests = [" ".join(line.split()[len(self.before.split()) :]) for line in self.lines]
            heads = [f"{place} {fitted(rest, HEADING)}" for place, rest in zip(self.places, rests, strict=True)]
            whole, short = (_listed(each, HEADS, what) for each in (heads, names if self.alone else heads))
            return [Fact(whole[0], 1, short[0 if self.alone else 1], least=short[2])]
        facts = []
        for rest, n in self.kinds:
            text = " ".join(filter(None, (self.before, "…", rest)))
            what = f"“{text}” ×{n:,}: " if text != "…" else ""
            own = [name for name, other in zip(names, self.rests, strict=True) if other == rest]
            listed = _listed(own, HEADS if len(self.kinds) == 1 else OF_KIND, what)
            facts.append(Fact(listed[0], 1, listed[1], least=listed[2]))
        return facts


def _listed(names: Sequence[str], most: Sequence[int], what: str = "") -> list[str]:
    """As many of the names as there is room for."""
    more = [f" · {len(names) - n:,} more" if len(names) > n else "" for n in most]
    return [what + " · ".join(names[:n]) + rest for n, rest in zip(most, more, strict=True)]


class _Values:
    """What stands behind one label, without names and numbers ``masked``: of each stanza that has it the line, as it
    stands there, and what it says; ``alone``: no other place of a stanza has it."""

    def __init__(self, masked: str, alone: bool, rows: Sequence[tuple[int, int, str, str]]) -> None:
        self.masked, self.alone = masked, alone
        self.lines, self.owners, self.labels, self.said = zip(*rows, strict=True)

    def name(self, valued: bool = False) -> str:
        """``valued``: with the value that all have, where that is short and no part of the name."""
        label, several = self.labels[0], len({*self.labels}) > 1
        apart = not several and any(word not in label for word in self.said[0].split())
        if valued and apart and len(self.said[0]) <= STATE:
            return f"{label.rstrip(' :.=')}: {self.said[0]}"
        place = "" if self.alone else f" (as in line {self.lines[0] + 1:,})"
        return (self.masked.replace("#", "…") if several else label).rstrip(" :.=") + place

    def told(self, whose: Sequence[str]) -> tuple[int, int, frozenset[int], str] | None:
        """States first, then other words, numbers last; its line, in which stanzas it is not as usual, and how many say
        what (all of it or what comes first), where most say the same, or few things."""
        for values in self.said, [_AHEAD.sub(r"\1 …", value) for value in self.said]:
            counts = Counter(values).most_common()
            (usual, n), *others = counts
            most = n >= MOSTLY * len(values) >= MOSTLY * DIFFERS
            worded = n > 1 and not any(char.isdigit() for value, _ in counts for char in value)
            few = len(counts) <= min(STATES, max(len(values) // 2, WORDED * worded))  # one of three is down
            if others and max(map(len, values)) <= STATE and (most or few):
                break
        else:
            return None
        owners = defaultdict[str, list[int]](list)
        for owner, value in zip(self.owners, values, strict=True):
            owners[value].append(owner)
        shown, left = [f"{usual or '(empty)'} ×{n:,}"], 2 * FEW
        for value, n in others[:STATES]:
            names = f" ({', '.join(whose[o] for o in owners[value])})" if n <= min(FEW, left) else ""
            left -= n if names else 0
            shown.append(f"{value or '(empty)'} ×{n:,}{names}")
        shown += [f"{len(others) - STATES:,} other values"] if len(others) > STATES else []
        plain = len({(_LEAD.match(value) or ("",))[0] for value in owners}) == 1
        odd = frozenset(o for value, _ in others for o in owners[value])
        name = self.name()
        return 2 if plain else int(not _STATE.search(name)), self.lines[0], odd, f"{name}: {' · '.join(shown)}"


def outline(lines: Sequence[str]) -> Outline | None:
    printed = _printed(lines)
    regular, parts = _Lines(printed[:LOOKED]).stanzas()
    if regular and len(printed) > LOOKED:
        regular, parts = _Lines(printed).stanzas()
    if not regular or len(parts) < MIN:
        return None
    heads, below = _Heads(lines, parts), page.parents(lines)
    values = _values(lines, parts, bool(heads.kinds))
    by_owner = defaultdict[frozenset[int], list[str]](list)
    for *_, odd, text in sorted(filter(None, (field.told(heads.whose) for field in values))):
        by_owner[odd] += [text] if len(by_owner[odd]) < TWICE else []
    differ = [text for n in range(TWICE) for texts in by_owner.values() for text in texts[n : n + 1]]
    first = min(FIRST, len(by_owner))  # what else is told of the same stanzas stands behind their names
    most = Counter(owner for odd in by_owner for owner in odd).most_common(ODD)
    shown = {parts[0][0], *(parts[owner][0] for owner, _ in most)} if len(parts) > FEW else {part[0] for part in parts}
    once = [field for field in values if field.alone and len(field.lines) == len(parts)]
    same_in_all = [field for field in once if len({*field.said}) == 1 and any(field.said)]
    alike = [*dict.fromkeys(field.name(valued=True) for field in same_in_all if len(field.name()) < HEADING)]
    more = f" · … {len(alike) - KINDS:,} more" * (len(alike) > KINDS)
    same = set[int]()  # lines that say again what an earlier stanza said
    for field in values:
        same.update({*field.lines}.difference(dict(zip(field.said[::-1], field.lines[::-1], strict=True)).values()))
    facts = [_size(lines, parts)]
    facts += [Fact("\n".join(differ[:first]), 1)] if differ else []
    facts += heads.facts()
    facts += [Fact("\n".join(differ[first:SAID]), 1)] if differ[first:] else []
    facts += [Fact(f"the same in all: {' · '.join(alike[:KINDS])}{more}", 2)] if alike else []
    return outline_of(
        lines,
        f"{counted(len(lines), 'line')}, {counted(len(parts), 'stanza')}",
        facts,
        [*_items(lines, parts, same, shown, below)],
        frame_share=EXAMPLES,
        facts_share=TOLD,
        nested=True,
        reach=page.reach(below),
        blank=blank_lines(lines),
    )


def _values(lines: Sequence[str], parts: Sequence[range], named: bool) -> list[_Values]:
    """By what stands before them, those that many stanzas have; without heads where these are ``named`` elsewhere."""
    rows = defaultdict[tuple[int, str, int], list[tuple[int, int, str, str]]](list)
    for owner, part in enumerate(parts):
        nth = Counter[tuple[int, str]]()
        for i in filter(lambda i: _says(lines[i]), part[named:]):
            label, masked, text = _parts(lines[i])
            key = deep(lines[i]) // STEP, masked
            rows[*key, nth[key]].append((i, owner, label, text))
            nth[key] += 1
    often, least = Counter(masked for _, masked, _ in rows), max(2, MANY * len(parts))
    return [_Values(masked, often[masked] == 1, own) for (_, masked, _), own in rows.items() if len(own) >= least]


def _size(lines: Sequence[str], parts: Sequence[range]) -> Fact:
    """How many there are, how long, and of what kinds where the line below the first says that."""
    sizes = [sum(bool(lines[i].strip()) for i in part) for part in parts]
    size = f"{min(sizes)} to {max(sizes)}" if min(sizes) < max(sizes) else f"{sizes[0]}"
    sentence = f"{counted(len(parts), 'stanza')} of {size} lines that are not blank"
    sentence += f", lines {parts[0][0] + 1:,}–{parts[-1].stop:,}" * (len(_printed(lines)) < len(lines))
    seconds = [next((lines[i].strip() for i in part[1:] if _says(lines[i])), "") for part in parts]
    counts = Counter(text for text in seconds if _parts(text)[0] == text)
    if 1 < len(counts) <= MANY * len(parts) and 2 * counts.total() >= len(parts):
        texts = [f"{fitted(text, STATE)} ×{n:,}" for text, n in counts.most_common(KINDS)]
        texts += [f"{len(counts) - KINDS:,} other kinds"] if len(counts) > KINDS else []
        sentence += f", below their first: {' · '.join(texts)}"
    return Fact(sentence, 0)


def _items(
    lines: Sequence[str], parts: Sequence[range], same: set[int], shown: set[int], above: Sequence[int]
) -> Iterator[Item]:
    within = {i: part[0] for part in parts for i in part}
    begin = {_parts(lines[part[0]])[1] for part in parts}
    ends = {i for i in page.sums_up(lines)[1] if i > parts[-1][0]} | {*range(min(parts[0][0], page.TOPMOST))}
    failed = {*sections.failures(lines)}
    first = parts[0] if len(parts[0]) <= WHOLE else range(0)
    for i, line in enumerate(lines):
        if not any(map(str.isalnum, line)) or i in first[1:]:
            continue
        head = within.get(i, i)
        item = Item(i + 1, i + 1, at_line(i + 1, line.rstrip()), under=max(above[i], (head + 1) * (head < i)))
        if i in first:
            below = [line.rstrip() for line in lines[first[0] : first[-1] + 1] if line.strip()]
            margin = "\n" + " " * (len(item.text) - len(line.rstrip()))
            item.end, item.text, item.whole = first[-1] + 1, at_line(i + 1, margin.join(below)), True
            item.weight = EXAMPLE
        elif (i in same or (head == i and i in within)) and head != parts[0][0]:
            item.weight = FAINT  # told
        elif i not in within and (i in ends or _parts(line)[1] in begin):
            item.weight = EXAMPLE  # a total, what stands above all, a head of nothing
        elif head in shown:
            item.weight = BEGINS
        if 0 <= i - parts[-1].stop < ENDS and line[:1].strip():
            item.keep = Keep.RARE
        if i in failed:
            item.keep, item.weight = Keep.SEVERE, max(1.0, item.weight)
        yield item
