"""Outline + budget -> text: the one engine that packs every content type.

The order of design §3: a lossless re-encoding if it fits; else facts by rank, then what must be
kept, then by budgeted maximum coverage the pieces that add most new atoms per token (lazy greedy:
Minoux 1978; Khuller, Moss, Naor 1999). Where the input is many times the budget, whole lines get a
part of the room and windows around single atoms the next, so that more of what an agent may need is
shown in its context. Costs are exact tokens, added up at line starts, where they add up; the whole
is counted once more at the end and trimmed if it is over.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Callable, Sequence

from mcpcompact.atoms import AtomWeights, atoms
from mcpcompact.focus import boosts
from mcpcompact.outline import Fact, Item, Outline
from mcpcompact.pieces import Piece, line_pieces, survey, windows
from mcpcompact.rendering import EXCERPTS, render
from mcpcompact.slotted import dataclass, field

Count = Callable[[str], int]

KEEP_SHARE = 0.6  # of the budget, what kept items may take before they are grouped and shortened
MARK_TOKENS = 8  # a "…[+312 chars]" mark, at most
WINDOW_OVERHEAD = 0.5  # its part of the range before the line
LINES_SHARE = 0.1  # of the room, for whole lines before windows, when the pressure is high
LEAST_EXCERPTS = 250  # tokens: below it a few whole lines read better than pieces
MOST_REPEATED = 0.6  # share of items of a shape that occurs four times or more; above it excerpts look alike
LEAST_NAMED = 0.04  # strong atoms a word; below it sentences carry the meaning
FACTS_PRESSURE = 2.0  # facts get their full share where the items would take three times the budget
LOW_PRESSURE, HIGH_PRESSURE = 2.0, 5.0  # candidates' tokens over room: only lines below, mostly windows above


@dataclass(slots=True)
class Filled:
    """The body of a compaction. ``shown`` counts units shown at least in part, ``partial`` those cut within."""

    text: str
    shown: int
    partial: int = 0
    lossless: str = ""  # how, when nothing is missing


@dataclass(slots=True)
class _State:
    """What is chosen so far, and the room that is left."""

    room: float
    chosen: dict[int, list[tuple[int, int]]] = field(default_factory=dict)  # item -> spans
    suffix: dict[int, str] = field(default_factory=dict)  # kept item -> reason and fold count
    sections: set[str] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    facts: dict[int, str] = field(default_factory=dict)  # by place: the text, perhaps clipped
    header: bool = False
    reserve: int = 0  # tokens that facts leave to kept items
    order: list[Piece] = field(default_factory=list)  # coverage choices, first to last


def fill(
    outline: Outline, budget: int, count: Count, *, focus: str | None = None, known: set[str] | None = None
) -> Filled:
    """Pack ``outline`` into at most ``budget`` tokens as ``count`` counts them. The text may be empty, never over."""
    lossless = _lossless(outline, budget, count)
    if lossless is not None:
        return lossless
    state = _State(room=budget)
    facts = _choose_facts(outline, budget, count, state)
    cover = _Cover(outline, state, count, focus, known)
    cover.answer()
    _choose_keeps(outline, count, state)
    cover.ends()
    cover.first_choice()
    text = _body(outline, state, cover)
    for _ in range(8):  # costs add up but for a token here and there: settle on the exact sum
        total = count(text)
        if total > budget:
            if not cover.give_back(total - budget):
                break
        else:
            pending = cover.pending()
            state.room = budget - total - pending
            if not cover.more():
                state.room += pending
                if state.room <= max(8, budget // 100) or not _say_more(facts, count, state):
                    break
        text = _body(outline, state, cover)
    while count(text) > budget and cover.give_back(1):
        text = _body(outline, state, cover)
    if count(text) > budget:
        text = clip(text, budget, count)
    shown, partial = _shown(outline, state)
    return Filled(text, shown, partial)


def _body(outline: Outline, state: _State, cover: _Cover) -> str:
    facts = [state.facts[place] for place in sorted(state.facts)]
    return render(outline, facts, state.chosen, state.suffix, cover.excerpted, state.header)


def _lossless(outline: Outline, budget: int, count: Count) -> Filled | None:
    for candidate in outline.lossless:
        if candidate.estimate > budget * 12:  # no real text has twelve characters a token throughout
            continue
        text = candidate.text()
        if count(text) <= budget:
            return Filled(text, outline.total, lossless=candidate.how)
    return None


# -- facts ------------------------------------------------------------------------------------


def _choose_facts(outline: Outline, budget: int, count: Count, state: _State) -> list[Fact]:
    """Rank 0 and notes always (clipped if they must be), then by rank while their share lasts; returns all by rank."""
    little = max(1, budget)  # the less room, the more of it goes to an overview
    share = outline.facts_share * (1 + 200 / little) + max(0.0, 60 / little - 0.1)
    share = min(max(0.6, outline.facts_share), share)
    share *= min(1.0, max(0.0, (_pressure(outline.items, budget) - 1) / FACTS_PRESSURE))
    facts = sorted([*outline.facts, *(Fact(note, 0) for note in outline.notes)], key=lambda f: f.rank)
    if outline.header:
        cost = count(outline.header + "\n")
        state.header = budget >= 4 * cost  # else there is room for facts and reasons alone
        state.room -= cost if state.header else 0
    state.reserve = 0 if outline.keeps_told else min(_keep_need(outline.items), int(budget * KEEP_SHARE))
    left = min(int(budget * share), int(state.room) - state.reserve)
    for place, fact in enumerate(facts):
        allowed = min(int(state.room), left if fact.rank else max(left, budget * 2 // 3))
        left -= _say(place, fact.text, allowed, count, state)
    for line in state.facts.values():
        state.seen |= atoms(line)
    return facts


def _pressure(items: Sequence[Item], room: float) -> float:
    """How many times the room all items would take."""
    return sum(len(item.text) for item in items) / 3.5 / max(1.0, room)


def _say(place: int, text: str, allowed: int, count: Count, state: _State) -> int:
    """Add a fact, whole or clipped to ``allowed`` tokens; returns what it cost."""
    cost = count(text + "\n")
    if cost > allowed:
        text = clip(text, allowed - 1, count) if allowed >= 16 else ""
        cost = count(text + "\n")
        if not text or cost > allowed:
            return 0
    state.facts[place] = text
    state.room -= cost
    return cost


def _say_more(facts: list[Fact], count: Count, state: _State) -> bool:
    """Room that no item fits: facts that had been clipped or left out."""
    before = state.room
    for place, fact in enumerate(facts):
        said = state.facts.get(place, "")
        if said != fact.text and state.room >= 12:
            back = count(said + "\n") if said else 0
            state.room += back
            if not _say(place, fact.text, int(state.room), count, state):
                state.room -= back
    return state.room < before


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
    head = text[: nicer if nicer > 0 else low].rstrip(" ·,;|\n")
    if not head:
        return ""
    clipped = f"{head}…[+{len(text) - len(head)} chars]"
    return clipped if count(clipped) <= budget else ""


# -- keep -------------------------------------------------------------------------------------


def _choose_keeps(outline: Outline, count: Count, state: _State) -> None:
    """Everything marked, if it takes its share at most; else a round of first ones, rarest template first."""
    items = outline.items
    kept = [i for i, item in enumerate(items) if item.keep and i not in state.chosen]
    if not kept:
        return
    room = int(max(state.room * KEEP_SHARE, min(state.reserve, state.room * 0.95)))
    groups: dict[tuple[int, str], list[int]] = defaultdict(list)
    for i in kept:
        item = items[i]
        groups[(-item.keep, item.template or f"\0{i}")].append(i)
    ordered = sorted(groups.items(), key=lambda g: (g[0][0], len(g[1]), g[1][0]))
    crowded = _keep_need(items) > room
    least = 56 if outline.keeps_told else 30  # where facts name them all, fewer are shown, but readable
    cap = _fair_cap([_need(items[members[0]]) for members in groups.values()], room, least) if crowded else room
    rounds = max(len(members) for _, members in ordered)
    for turn in range(rounds):
        for _, members in ordered:
            if turn >= len(members) or (crowded and turn and len(members) > 3 * turn + 3 and room < 60):
                continue
            rest = members[turn + 1 :] if crowded and turn == 0 else []
            room -= _take_keep(items, members[turn], rest, min(cap, room), count, state)
        if room < 12:
            break


def _keep_need(items: Sequence[Item]) -> int:
    """About how many tokens all kept items take, whole."""
    return sum(_need(item) for item in items if item.keep)


def _need(item: Item) -> int:
    return (len(item.text) + len(item.reason)) * 2 // 7 + 6


def _fair_cap(needs: list[int], room: int, least: int) -> int:
    """The most tokens one item may take so that none crowds out another: short ones whole, long ones alike."""
    left = room
    for n, need in enumerate(sorted(needs)):
        fair = left // (len(needs) - n)
        if need > fair:
            return max(least, fair)
        left -= need
    return room


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
        left = room - overhead - MARK_TOKENS
        suffix = clip(suffix, max(0, left * 3 // 5), count)
        spans = _shrink(item.text, left - count(suffix), count)
        if not spans:
            return 0
        cost = sum(count(item.text[a:b]) for a, b in spans) + count(suffix) + MARK_TOKENS * len(spans) + overhead
        if cost > room:
            return 0
    if item.section:
        state.sections.add(item.section)
    state.chosen[i] = spans
    state.suffix[i] = suffix
    for start, end in spans:
        state.seen |= atoms(item.text[start:end])
    state.room -= cost
    return cost


def _shrink(text: str, room: int, count: Count) -> list[tuple[int, int]]:
    """A head and a tail of a long kept item: the first line says what, the last line often says why."""
    if room < 6:
        return []
    head = _fitting(text, room if "\n" not in text else room * 2 // 3, count)
    first = text.find("\n")
    if head < first and count(text[:first]) <= room:
        head = first
    if not head:
        return []
    spans = [(0, head)]
    last = text.rfind("\n") + 1
    if last > head and count(text[last:]) <= room - count(text[:head]) - MARK_TOKENS:
        spans.append((last, len(text)))
    return spans


def _fitting(text: str, room: int, count: Count) -> int:
    """How many characters of ``text`` fit ``room``, ending at a line end where one is near."""
    end = min(len(text), room * 6)
    while end > 0 and count(text[:end]) > room:
        end = int(end * 0.8)
    line = text.rfind("\n", 0, end)
    return line if line > end // 2 else end


# -- coverage ---------------------------------------------------------------------------------


class _Cover:
    """The lazy greedy choice among the pieces of all items."""

    def __init__(
        self, outline: Outline, state: _State, count: Count, focus: str | None, known: set[str] | None
    ) -> None:
        self.outline, self.state, self.count = outline, state, count
        self.lines = line_pieces(outline.items)
        self.weights = AtomWeights((p.atoms for p in self.lines), known).weights
        self.boost = boosts(outline.items, focus) if focus else {}
        self.windows: list[Piece] | None = None
        self.excerpted: set[int] = set()  # items shown by windows only
        self.refused: set[int] = set()  # id of pieces that were given back: not again in this run

    def answer(self) -> None:
        """The item that best answers the focus comes before all else that is shown."""
        if self.boost and not (self.outline.header and not self.state.header):
            best = max(self.boost, key=lambda i: (self.boost[i], -i))
            self._take_first(best, self.state.room / 2)

    def ends(self) -> None:
        """The first and the last item when they are cheap: where a thing begins and ends is always worth saying."""
        if self.outline.header and not self.state.header:
            return
        for i in (0, len(self.outline.items) - 1):
            self._take_first(i, self.state.room / 8)

    def _take_first(self, i: int, limit: float) -> None:
        piece = next((p for p in self.lines if p.item == i), None)
        if piece and not self._covered(piece) and self._cost(piece) <= limit:
            self._take(piece)

    def first_choice(self) -> None:
        """Lines while the pressure is low; a part of the room for lines, then windows, as it rises; then the rest."""
        state = self.state
        pressure = _pressure(self.outline.items, state.room)
        wanted = self.outline.excerpts and self.outline.unit == "line" and state.room >= LEAST_EXCERPTS
        if wanted and pressure > LOW_PRESSURE and self._names_matter():
            eased = max(0.0, (HIGH_PRESSURE - pressure) / (HIGH_PRESSURE - LOW_PRESSURE))
            share = LINES_SHARE + (1 - LINES_SHARE) * eased
            reserve = state.room * (1 - share)
            state.room -= reserve
            self._choose(self.lines)
            state.room += reserve - self.count(EXCERPTS + "\n")
            self.windows = list(windows(self.outline.items, self.weights))
            self._choose(self.windows)
        self._choose(self.lines)

    def _names_matter(self) -> bool:
        """Whether names carry the meaning (code, search output), not sentences and not lines of a few shapes."""
        shapes, named, words = survey(self.outline.items, self.weights)
        return shapes <= MOST_REPEATED and named >= LEAST_NAMED * words

    def pending(self) -> int:
        """Tokens of lines that the next choice will bring along: the header, the legend of excerpts."""
        header = self.count(self.outline.header + "\n") if self.state.header and not self.state.chosen else 0
        legend = self.count(EXCERPTS + "\n") if self.windows is not None and not self.excerpted else 0
        return header + legend

    def more(self) -> bool:
        """Use room that turned out to be left; True when something was taken."""
        if self.state.room < 8:
            return False
        taken = self._choose(self.windows) if self.windows else False
        return self._choose(self.lines) or taken or self._squeeze()

    def _squeeze(self) -> bool:
        """No piece fits whole: the head of the best one that still makes sense."""
        left = self.state.room - MARK_TOKENS - 4
        if left < 8 or (self.outline.header and not self.state.header):
            return False
        open_pieces = [p for p in self.lines if not self._covered(p) and id(p) not in self.refused]
        open_pieces = [p for p in open_pieces if self.outline.items[p.item].weight > 0]
        if not open_pieces:
            return False
        best = max(open_pieces, key=lambda p: (self._gain(p), -p.item))
        text = self.outline.items[best.item].text
        size = _fitting(text[best.start : best.end], int(left), self.count)
        if size < 16 or any(a < best.start + size and best.start < b for a, b in self.state.chosen.get(best.item, ())):
            return False
        head = text[best.start : best.start + size]
        self.refused.add(id(best))
        self._take(Piece(best.item, best.start, best.start + size, tuple(sorted(atoms(head)))))
        return True

    def give_back(self, excess: float) -> bool:
        """Undo the last choices worth ``excess`` tokens, then kept items, then facts; False when nothing is left."""
        state = self.state
        while excess > 0 and state.order:
            piece = state.order.pop()
            state.chosen[piece.item].remove((piece.start, piece.end))
            if not state.chosen[piece.item]:
                del state.chosen[piece.item]
                self.excerpted.discard(piece.item)
            self.refused.add(id(piece))
            excess -= piece.cost
        items = self.outline.items
        state.sections = {items[i].section for i in state.chosen if items[i].section}
        if excess <= 0:
            return True
        if state.chosen:
            i = min(state.chosen, key=lambda k: (self.outline.items[k].keep, -k))
            del state.chosen[i]
        elif state.facts:
            del state.facts[max(state.facts)]
        else:
            return False
        return True

    def _choose(self, pieces: list[Piece]) -> bool:
        """Take pieces while any fits, by new weight per token (lazily: gains only fall); True if any was taken."""
        state, items = self.state, self.outline.items
        heap: list[tuple[float, int]] = []
        for n, piece in enumerate(pieces):
            if items[piece.item].weight <= 0 or id(piece) in self.refused or self._covered(piece):
                continue
            if self.outline.header and not state.header:
                break  # rows without the names of their columns would say little
            if piece.window and piece.item in state.suffix:
                continue  # a kept item is shown as it is
            if not piece.cost:
                piece.cost = (piece.end - piece.start) / 4 + 2
            heap.append((-self._gain(piece) / piece.cost, n))
        heapq.heapify(heap)
        took = False
        while heap and state.room > 4:
            score, n = heapq.heappop(heap)
            piece = pieces[n]
            if piece.cost > state.room * 3:
                continue
            cost = self._cost(piece)
            fresh = -self._gain(piece) / cost
            if heap and fresh > heap[0][0] + 1e-12 and fresh > score + 1e-12:
                heapq.heappush(heap, (fresh, n))
            elif cost <= state.room:
                self._take(piece)
                took = True
        return took

    def _covered(self, piece: Piece) -> bool:
        spans = self.state.chosen.get(piece.item)
        return bool(spans) and any(a <= piece.start and piece.end <= b for a, b in spans)  # type: ignore[union-attr]

    def _gain(self, piece: Piece) -> float:
        seen, weights = self.state.seen, self.weights
        gain = sum([weights.get(a, 0.0) for a in piece.atoms if a not in seen])
        # a trace of weight keeps the choice total and fills a large budget once all atoms are shown
        return (gain + 0.01) * min(1.5, self.outline.items[piece.item].weight) * self.boost.get(piece.item, 1.0)

    def _cost(self, piece: Piece) -> float:
        """Exact tokens of the piece as it will stand, its section's heading included when that is new."""
        item = self.outline.items[piece.item]
        if not piece.exact:
            text = item.text[piece.start : piece.end]
            if piece.start == 0 and piece.end == len(item.text):
                piece.cost = self.count(text + "\n")
            elif piece.window or (self.windows is not None and "\n" not in item.text):
                piece.cost = self.count(" " + text) + WINDOW_OVERHEAD
            else:
                piece.cost = self.count(text + "\n") + MARK_TOKENS
            if not self.outline.anchored:
                piece.cost += MARK_TOKENS
            piece.exact = True
        if item.section and item.section not in self.state.sections:
            return piece.cost + self.count(item.section + "\n")
        return piece.cost

    def _take(self, piece: Piece) -> None:
        state = self.state
        state.room -= self._cost(piece)
        section = self.outline.items[piece.item].section
        if section:
            state.sections.add(section)
        state.seen.update(piece.atoms)
        state.chosen.setdefault(piece.item, []).append((piece.start, piece.end))
        state.order.append(piece)
        if piece.end - piece.start == len(self.outline.items[piece.item].text):
            self.excerpted.discard(piece.item)
        elif self.windows is not None:
            self.excerpted.add(piece.item)


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
