"""Outline + budget -> text: the one engine that packs every content type.

The order of design §3: a lossless re-encoding if it fits; else facts by rank, then what must be
kept, then by budgeted maximum coverage the pieces that add most new atoms per token (lazy greedy:
Minoux 1978; Khuller, Moss, Naor 1999), then, if there is room, the next lines as they stand.
Costs are exact tokens, added up at line starts, where they add up; the whole is counted once more
at the end and trimmed if it is over.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from mcpcompact.atoms import AtomWeights, atoms
from mcpcompact.outline import Fact, Item, Keep, Outline

Count = Callable[[str], int]

PIECE_MIN, PIECE_MAX = 60, 140  # characters a piece of a long line; the range that did best on recorded sessions
WHOLE_LINE = 200  # a line up to here is one piece
MAX_PIECES = 60_000
MAX_PIECES_PER_ITEM = 400
KEEP_SHARE = 0.6  # of what the facts leave
MARK_TOKENS = 8  # a "…[+312 chars]" mark, at most


@dataclass(slots=True)
class Filled:
    """The body of a compaction. ``shown`` counts units shown at least in part, ``partial`` those cut within."""

    text: str
    shown: int
    partial: int = 0
    lossless: str = ""  # how, when nothing is missing
    facts_shown: int = 0


@dataclass(slots=True)
class _Piece:
    item: int
    start: int  # span of the item's text
    end: int
    atoms: tuple[str, ...]  # sorted: sums must not depend on hash order
    cost: int = 0  # exact once counted, an estimate before
    exact: bool = False


@dataclass(slots=True)
class _State:
    """What is chosen so far, and what it costs."""

    room: int
    chosen: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # item -> spans
    suffix: dict[int, str] = field(default_factory=dict)  # item -> reason and fold count
    sections: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    order: list[tuple[int, int, int]] = field(default_factory=list)  # coverage choices, first to last
    facts: list[str] = field(default_factory=list)


def fill(
    outline: Outline, budget: int, count: Count, *, focus: str | None = None, known: set[str] | None = None
) -> Filled:
    """Pack ``outline`` into at most ``budget`` tokens as ``count`` counts them. The text may be empty, never over."""
    lossless = _lossless(outline, budget, count)
    if lossless is not None:
        return lossless
    state = _State(room=budget)
    _choose_facts(outline, budget, count, state)
    _choose_keeps(outline, count, state)
    candidates = _Candidates(outline, state, count, focus, known)
    candidates.ends()
    candidates.cover()
    text = _render(outline, state)
    for _ in range(6):  # costs add up but for a token here and there: settle on the exact sum
        total = count(text)
        if total <= budget:
            state.room = budget - total
            if state.room <= max(12, budget // 50) or not candidates.cover():
                break
        elif not _drop(state, total - budget, candidates):
            break
        text = _render(outline, state)
    while count(text) > budget and _drop(state, 1, candidates):
        text = _render(outline, state)
    if count(text) > budget:
        text = clip(text, budget, count)
    shown, partial = _shown(outline, state)
    return Filled(text, shown, partial, facts_shown=len(state.facts))


# -- lossless ---------------------------------------------------------------------------------


def _lossless(outline: Outline, budget: int, count: Count) -> Filled | None:
    for candidate in outline.lossless:
        if candidate.estimate > budget * 12:  # no real text has twelve characters a token throughout
            continue
        text = candidate.text()
        if count(text) <= budget:
            return Filled(text, outline.total, lossless=candidate.how)
    return None


# -- facts ------------------------------------------------------------------------------------


def _choose_facts(outline: Outline, budget: int, count: Count, state: _State) -> None:
    """Rank 0 and notes always (clipped if they must be), then by rank while their share lasts."""
    share = min(max(0.6, outline.facts_share), outline.facts_share * (1 + 200 / max(1, budget)))
    left = int(budget * share)
    facts = sorted([*outline.facts, *(Fact(note, 0) for note in outline.notes)], key=lambda f: f.rank)
    if outline.header:
        state.room -= count(outline.header + "\n")
    for fact in facts:
        line = fact.text
        cost = count(line + "\n")
        allowed = min(state.room, left if fact.rank else max(left, budget * 2 // 3))
        if cost > allowed:
            if allowed < 16:
                continue
            line = clip(line, allowed - 1, count)
            cost = count(line + "\n")
            if not line or cost > allowed:
                continue
        state.facts.append(line)
        state.room -= cost
        left -= cost
    for line in state.facts:
        state.seen |= atoms(line)


def clip(text: str, budget: int, count: Count) -> str:
    """The longest head of ``text`` within ``budget`` tokens, cut at a separator, saying how much is cut."""
    if count(text) <= budget:
        return text
    low, high = 0, min(len(text), budget * 16)
    while low < high:
        middle = (low + high + 1) // 2
        if count(f"{text[:middle]}…[+{len(text) - middle} chars]") <= budget:
            low = middle
        else:
            high = middle - 1
    nicer = max(text.rfind(" · ", low // 2, low), text.rfind("; ", low // 2, low))  # a nicer place: a whole part
    if nicer < 0:
        nicer = text.rfind(" ", max(0, low - 40), low)
    low = nicer if nicer > 0 else low
    head = text[:low].rstrip(" ·,;|\n")
    if not head:
        return ""
    clipped = f"{head}…[+{len(text) - len(head)} chars]"
    return clipped if count(clipped) <= budget else ""


# -- keep -------------------------------------------------------------------------------------


def _choose_keeps(outline: Outline, count: Count, state: _State) -> None:
    """Everything marked, if it takes its share at most; else a round of first ones, rarest template first."""
    items = outline.items
    kept = [i for i, item in enumerate(items) if item.keep]
    if not kept:
        return
    room = int(state.room * KEEP_SHARE)
    cap = max(40, room // 3)  # one item must not eat the others' room
    groups: dict[tuple[int, str], list[int]] = defaultdict(list)
    for i in kept:
        item = items[i]
        groups[(-item.keep, item.template or f"\0{i}")].append(i)
    ordered = sorted(groups.items(), key=lambda g: (g[0][0], len(g[1]), g[1][0]))
    crowded = sum(min(cap, len(items[i].text) // 4 + 6) for i in kept) > room
    rounds = max(len(members) for _, members in ordered)
    for turn in range(rounds):
        for _, members in ordered:
            if turn >= len(members) or (crowded and turn and len(members) > 3 * turn + 3 and room < 60):
                continue
            i = members[turn]
            rest = members[turn + 1 :] if crowded and turn == 0 else []
            spent = _take_keep(items, i, rest, min(cap, room), count, state)
            room -= spent
        if room < 12:
            break


def _take_keep(items: Sequence[Item], i: int, like: list[int], room: int, count: Count, state: _State) -> int:
    """Show item ``i`` whole, or its first and last lines if it is too long; returns its cost in tokens."""
    item = items[i]
    suffix = f" ← {item.reason}" if item.reason else ""
    if like:
        anchors = ", ".join(str(items[j].start) for j in like[:6])
        more = ", …" if len(like) > 6 else ""
        suffix += f" (+{len(like):,} like it: {anchors}{more})"
    section = item.section if item.section and item.section not in state.sections else ""
    overhead = count(section + "\n") if section else 0
    spans = [(0, len(item.text))]
    cost = count(item.text + suffix + "\n") + overhead
    if cost > room:
        spans = _shrink(item.text, room - overhead - count(suffix) - MARK_TOKENS, count)
        if not spans:
            return 0
        cost = sum(count(item.text[a:b]) for a, b in spans) + count(suffix) + MARK_TOKENS * len(spans) + overhead
        if cost > room:
            return 0
    if item.section:
        state.sections.add(item.section)
    state.chosen[i] = spans
    state.suffix[i] = suffix
    state.seen |= atoms(item.text) if spans[0][1] == len(item.text) else atoms(item.text[: spans[0][1]])
    state.room -= cost
    return cost


def _shrink(text: str, room: int, count: Count) -> list[tuple[int, int]]:
    """A head and a tail of a long kept item: the first line says what, the last line often says why."""
    if room < 12:
        return []
    head = _fitting(text, room if "\n" not in text else room * 2 // 3, count)
    if not head:
        return []
    spans = [(0, head)]
    last = text.rfind("\n") + 1
    if last > head and count(text[last:]) <= room - count(text[:head]) - MARK_TOKENS:
        spans.append((last, len(text)))
    return spans


def _fitting(text: str, room: int, count: Count) -> int:
    """How many characters of ``text`` fit ``room``, ending at a line or word end where one is near."""
    end = min(len(text), room * 6)
    while end > 0 and count(text[:end]) > room:
        end = int(end * 0.8)
    line = text.rfind("\n", 0, end)
    return line if line > end // 2 else end


# -- coverage ---------------------------------------------------------------------------------


class _Candidates:
    """The pieces of all items, and the lazy greedy choice among them."""

    def __init__(
        self, outline: Outline, state: _State, count: Count, focus: str | None, known: set[str] | None
    ) -> None:
        self.outline, self.state, self.count = outline, state, count
        self.pieces = _pieces(outline.items)
        self.weights = AtomWeights((p.atoms for p in self.pieces), known)
        self.boost = _focus_boost(outline.items, focus) if focus else {}
        self.by_span = {(p.item, p.start): p for p in self.pieces}
        self.taken: set[tuple[int, int]] = {
            (p.item, p.start) for p in self.pieces if self._covered(p.item, p.start, p.end)
        }

    def _covered(self, item: int, start: int, end: int) -> bool:
        return any(a <= start and end <= b for a, b in self.state.chosen.get(item, ()))

    def ends(self) -> None:
        """The first and the last item, when they are cheap: where a thing begins and ends is always worth saying."""
        items = self.outline.items
        limit = self.state.room // 8
        for i in (0, len(items) - 1):
            if 0 <= i < len(items):
                piece = next((p for p in self.pieces if p.item == i), None)
                if piece and (i, piece.start) not in self.taken and self._cost(piece) <= limit:
                    self._take(piece)

    def cover(self) -> bool:
        """Take pieces while any fits, by new weight per token; True when something was taken."""
        state, items = self.state, self.outline.items
        heap: list[tuple[float, int]] = []
        for n, piece in enumerate(self.pieces):
            if (piece.item, piece.start) not in self.taken and items[piece.item].weight > 0:
                if not piece.cost:
                    piece.cost = (piece.end - piece.start) // 4 + 3
                heap.append((-self._gain(piece) / piece.cost, n))
        heapq.heapify(heap)
        took = False
        while heap and state.room > 4:
            score, n = heapq.heappop(heap)
            piece = self.pieces[n]
            if not piece.exact and piece.cost > state.room * 3:
                continue
            cost = self._cost(piece)
            fresh = -self._gain(piece) / cost
            if heap and fresh > heap[0][0] + 1e-12 and fresh > score + 1e-12:
                heapq.heappush(heap, (fresh, n))
                continue
            if cost > state.room:
                continue
            self._take(piece)
            took = True
        return took

    def _gain(self, piece: _Piece) -> float:
        item = self.outline.items[piece.item]
        seen = self.state.seen
        weights = self.weights.weights
        gain = sum([weights[a] for a in piece.atoms if a not in seen])
        # a trace of weight and order keeps the choice total and fills a large budget once all atoms are shown
        return (gain + 0.01) * item.weight * self.boost.get(piece.item, 1.0)

    def _cost(self, piece: _Piece) -> int:
        """Exact tokens of the piece as it will stand, its section's heading included when that is new."""
        item = self.outline.items[piece.item]
        if not piece.exact:
            whole = piece.start == 0 and piece.end == len(item.text)
            text = item.text[piece.start : piece.end]
            piece.cost = self.count(text + "\n") + (0 if whole else MARK_TOKENS)
            if not self.outline.anchored:
                piece.cost += MARK_TOKENS
            piece.exact = True
        if item.section and item.section not in self.state.sections:
            return piece.cost + self.count(item.section + "\n")
        return piece.cost

    def _take(self, piece: _Piece) -> None:
        state = self.state
        item = self.outline.items[piece.item]
        state.room -= self._cost(piece)
        if item.section:
            state.sections.add(item.section)
        state.seen.update(piece.atoms)
        state.chosen.setdefault(piece.item, []).append((piece.start, piece.end))
        state.order.append((piece.item, piece.start, piece.end))
        self.taken.add((piece.item, piece.start))


def _pieces(items: Sequence[Item]) -> list[_Piece]:
    pieces: list[_Piece] = []
    stride = 1
    size = sum(min(len(item.text), MAX_PIECES_PER_ITEM * PIECE_MAX) for item in items)
    if size > MAX_PIECES * 60:
        stride = size // (MAX_PIECES * 60) + 1
    for i, item in enumerate(items):
        if i % stride and not item.keep and i != len(items) - 1:
            continue
        for start, end in cut(item.text):
            pieces.append(_Piece(i, start, end, tuple(sorted(atoms(item.text[start:end])))))
    return pieces


_BREAK = re.compile(r"[\s,;|)}\]>]+")


def cut(text: str) -> list[tuple[int, int]]:
    """Spans of ``text``: its lines, and long lines in pieces of 60 to 140 characters ending at a break."""
    if len(text) <= WHOLE_LINE and "\n" not in text:
        return [(0, len(text))] if text else []
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if len(line) <= WHOLE_LINE:
            if line.strip():
                spans.append((start, end))
        else:
            spans.extend(_cut_line(text, start, end))
        start = end + 1
    if len(spans) > MAX_PIECES_PER_ITEM:
        step = len(spans) / MAX_PIECES_PER_ITEM
        spans = [spans[int(k * step)] for k in range(MAX_PIECES_PER_ITEM)]
    return spans


def _cut_line(text: str, start: int, end: int) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    budget = MAX_PIECES_PER_ITEM * 4
    while end - start > PIECE_MAX and len(spans) < budget:
        stop = start + PIECE_MAX
        for match in _BREAK.finditer(text, start + PIECE_MIN, stop):
            stop = match.end()
        spans.append((start, stop))
        start = stop
    spans.append((start, end if end - start <= PIECE_MAX else start + PIECE_MAX))
    return spans


def _focus_boost(items: Sequence[Item], focus: str) -> dict[int, float]:
    """BM25 (Robertson, Zaragoza 2009; k1 = 1.2, b = 0.75) of each item for the focus, as a factor from 1 to 4."""
    import math

    terms = sorted({t.lower() for t in re.findall(r"\w{2,}", focus)})[:64]
    if not terms or not items:
        return {}
    pattern = re.compile("|".join(re.escape(t) for t in terms), re.IGNORECASE)
    found = [Counter(m.lower() for m in pattern.findall(item.text)) for item in items]
    document_frequency = Counter(t for counts in found for t in counts)
    average = sum(len(item.text) for item in items) / len(items) or 1.0
    scores: dict[int, float] = {}
    for i, counts in enumerate(found):
        if counts:
            norm = 1.2 * (0.25 + 0.75 * len(items[i].text) / average)
            scores[i] = sum(
                math.log(1 + (len(items) - document_frequency[t] + 0.5) / (document_frequency[t] + 0.5))
                * n * 2.2 / (n + norm)
                for t, n in sorted(counts.items())
            )  # fmt: skip
    best = max(scores.values(), default=0.0)
    return {i: 1.0 + 3.0 * s / best for i, s in scores.items()} if best > 0 else {}


# -- rendering --------------------------------------------------------------------------------


def _render(outline: Outline, state: _State) -> str:
    """Facts, header, then the chosen items in source order, each gap stated."""
    lines = list(state.facts)
    if outline.header and state.chosen:
        lines.append(outline.header)
    section = ""
    previous = 0
    for i in sorted(state.chosen):
        item = outline.items[i]
        if item.section and item.section != section:
            lines.append(item.section)
        section = item.section
        if not outline.anchored and item.start > previous + 1:
            lines.append(_gap(outline.unit, previous + 1, item.start - 1))
        previous = max(previous, item.end)
        lines.append(_rendered(item.text, state.chosen[i]) + state.suffix.get(i, ""))
    if not outline.anchored and state.chosen and previous < outline.total:
        lines.append(_gap(outline.unit, previous + 1, outline.total))
    return "\n".join(lines)


def _gap(unit: str, first: int, last: int) -> str:
    return f"… [{unit} {first} not shown]" if first == last else f"… [{unit}s {first}–{last} not shown]"


def _rendered(text: str, spans: list[tuple[int, int]]) -> str:
    """The chosen spans of one item; what is left out between them is said in lines or characters."""
    if spans == [(0, len(text))]:
        return text
    parts: list[str] = []
    at = 0
    for start, end in sorted(spans):
        if start > at:
            parts.append(_omitted(text, at, start))
        parts.append(text[max(start, at) : end])
        at = max(at, end)
    if at < len(text):
        parts.append(_omitted(text, at, len(text)))
    return "".join(parts)


def _omitted(text: str, start: int, end: int) -> str:
    gap = text[start:end]
    if not gap.strip():
        return "\n" if "\n" in gap else " " if gap else ""
    newlines = gap.count("\n")
    whole_lines = (start == 0 or text[start - 1] == "\n" or gap[0] == "\n") and (
        end == len(text) or gap[-1] == "\n" or text[end : end + 1] == "\n"
    )
    if newlines and whole_lines:
        n = len([line for line in gap.split("\n") if line.strip()])
        mark = f"…[+{n} line{'s' if n > 1 else ''}]"
        return ("\n" if start else "") + mark + ("\n" if end < len(text) else "")
    return f"…[+{len(gap)} chars]" + (" " if end < len(text) else "")


def _shown(outline: Outline, state: _State) -> tuple[int, int]:
    units: set[int] = set()
    partial: set[int] = set()
    for i, spans in state.chosen.items():
        item = outline.items[i]
        span = range(item.start, min(item.end, item.start + 10_000) + 1)
        units.update(span)
        if sum(b - a for a, b in spans) < len(item.text.strip()):
            partial.update(span)
    return min(len(units), outline.total), len(partial)


def _drop(state: _State, excess: int, candidates: _Candidates) -> bool:
    """Give back the last coverage choices worth ``excess`` tokens, then kept items, then facts; False when empty."""
    while excess > 0 and state.order:
        i, start, end = state.order.pop()
        state.chosen[i].remove((start, end))
        if not state.chosen[i]:
            del state.chosen[i]
        candidates.taken.discard((i, start))
        excess -= candidates.by_span[(i, start)].cost
        candidates.by_span[(i, start)].cost = 10**6  # not again in this run
    if excess <= 0:
        return True
    if state.chosen:
        i = min(state.chosen, key=lambda k: (candidates.outline.items[k].keep, -k))
        del state.chosen[i]
        return True
    if state.facts:
        state.facts.pop()
        return True
    return False
