"""Budgeted maximum coverage: the pieces that add most new atoms per token, chosen lazily.

Minoux 1978; Khuller, Moss, Naor 1999. Where the input is many times the budget, whole lines get a
part of the room and windows around single atoms the next.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from mcpcompact.atoms import AtomWeights, atoms
from mcpcompact.choice import MARK_TOKENS, Count, State, fitting, pressure_of
from mcpcompact.focus import boosts
from mcpcompact.outline import Outline
from mcpcompact.pieces import Piece, line_pieces, survey, windows
from mcpcompact.rendering import EXCERPTS

WINDOW_OVERHEAD = 0.5  # its part of the range before the line
LEAST_EXCERPTS, LEAST_LEFT = 250, 100  # tokens of the body, and left for lines: below, whole lines read better
MOST_REPEATED = 0.6  # share of items of a shape that occurs four times or more; above it excerpts look alike
LEAST_NAMED = 0.02  # strong atoms a word; below it sentences carry the meaning
Extent = tuple[int, int]
_END = 1 << 60
LOW_PRESSURE, HIGH_PRESSURE = 2.0, 5.0  # candidates' tokens over room: only lines below, only windows above


class Cover:
    """The lazy greedy choice among the pieces of all items."""

    def __init__(
        self, outline: Outline, state: State, count: Count, focus: str | None, known: set[str] | None, asked: str = ""
    ) -> None:
        self.outline, self.state, self.count = outline, state, count
        self.boost = boosts(outline.items, focus) if focus else {}
        self.lines = line_pieces(outline.items, state.budget, self.boost)
        self._leave_out_answered()
        self.headings = {s: tuple(sorted(atoms(s))) for s in sorted({i.section for i in outline.items if i.section})}
        sets = [p.atoms for p in self.lines] + [self.headings[i.section] for i in outline.items if i.section]
        self.weights = AtomWeights(sets, known, asked).weights
        self.windows: list[Piece] | None = None
        self.excerpted: set[int] = set()  # items shown by windows only
        self._shown: dict[int, tuple[tuple[int, Extent, Extent], list[Extent]]] = {}  # see _merged

    def _leave_out_answered(self) -> None:
        """What stands above all items because the request names it need not stand among them."""
        state = self.state
        for i, item in enumerate(self.outline.items if state.answered else ()):
            if any(first <= item.start and item.end <= last for first, last in state.answered.items()):
                state.taken.add(i)
        for piece in self.lines if state.taken else ():
            piece.refused = piece.item in state.taken

    def answer(self) -> None:
        """The item that best answers the focus comes before all else that is shown."""
        if self.boost and not self.state.answers and not (self.outline.header and not self.state.header):
            best = max(self.boost, key=lambda i: (self.boost[i], -i))
            self._take_first(best, self.state.room / 2)

    def ends(self) -> None:
        """The first and the last item when they are cheap: where a thing begins and ends is always worth saying."""
        if self.outline.header and not self.state.header:
            return
        for i in (0, len(self.outline.items) - 1):
            self._take_first(i, self.state.room / 25)

    def _take_first(self, i: int, limit: float) -> None:
        piece = next((p for p in self.lines if p.item == i and not p.refused), None)
        if piece and not self._covered(piece) and self.cost(piece) <= limit:
            self.take(piece)

    def first_choice(self) -> None:
        """Lines while the pressure is low; a part of the room for lines, then windows, as it rises; then the rest."""
        state = self.state
        pressure = pressure_of(self.outline.items, state.room)
        roomy = state.budget >= LEAST_EXCERPTS and state.room >= LEAST_LEFT
        wanted = roomy and self.outline.excerpts and self.outline.unit in ("line", "value")
        if wanted and pressure > LOW_PRESSURE and self._names_matter():
            eased = max(0.0, (HIGH_PRESSURE - pressure) / (HIGH_PRESSURE - LOW_PRESSURE))
            reserve = state.room * (1 - eased)
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
        """No piece fits whole: more of a shortened kept item, else the head of the best piece left."""
        left = self.state.room - MARK_TOKENS - 4
        if left < 8 or (self.outline.header and not self.state.header):
            return False
        if self._extend_kept(int(left)):
            return True
        items = self.outline.items
        left_over = [p for p in self.lines if items[p.item].weight > 0 and not p.refused]
        left_over = [p for p in left_over if not self._covered(p) and not self._overlaps(p)]
        for best in heapq.nlargest(8, left_over, key=lambda p: (self._gain(p), -p.item)):
            text = items[best.item].text
            head = text[best.start : best.start + fitting(text[best.start : best.end], int(left), self.count)]
            piece = Piece(best.item, best.start, best.start + len(head), tuple(sorted(atoms(head))))
            best.refused = True
            if len(head) >= 16 and self.cost(piece) <= self.state.room:
                self.take(piece)
                return True
        return False

    def _overlaps(self, piece: Piece) -> bool:
        """Whether something of its text is shown already."""
        return any(a < piece.end and piece.start < b for a, b in self.state.chosen.get(piece.item, ()))

    def give_back(self, excess: float) -> bool:
        """Undo the last choices worth ``excess`` tokens, then kept items, then facts; False when nothing is left."""
        state = self.state
        while excess > 0 and state.order:
            piece = state.order.pop()
            for i, start, end in piece.spans():
                self._shown.pop(i, None)
                state.chosen[i].remove((start, end))
                if not state.chosen[i]:
                    del state.chosen[i]
                    self.excerpted.discard(i)
            piece.refused = True
            excess -= piece.cost
        items = self.outline.items
        given = excess <= 0
        if not given and state.chosen:
            i = min(state.chosen, key=lambda k: (items[k].keep, -k))
            del state.chosen[i]
            state.suffix.pop(i, None)
            given = True
        elif not given and state.facts:
            del state.facts[max(state.facts)]
            given = True
        elif not given and state.answers:
            state.answers.pop()
            state.answered.clear()
            given = True
        state.sections = {items[i].section for i in state.chosen if items[i].section}
        return given

    def _choose(self, pieces: list[Piece]) -> bool:
        """Take pieces while any fits, by new weight per token (lazily: gains only fall); True if any was taken."""
        state, items = self.state, self.outline.items
        heap: list[tuple[float, int]] = []
        for n, piece in enumerate(pieces):
            if items[piece.item].weight <= 0 or piece.refused or self._covered(piece):
                continue
            if self.outline.header and not state.header:
                break  # rows without the names of their columns would say little
            if piece.window and (piece.item in state.suffix or piece.item in state.taken):
                continue  # a kept item is shown as it is
            if not piece.cost:
                piece.cost = (piece.end - piece.start) / 4 + 2
            heap.append((-self._gain(piece) / piece.cost, n))
        heapq.heapify(heap)
        beside = _Beside([(n, pieces[n]) for _, n in sorted(heap) if pieces[n].window])
        took = False
        while heap and state.room > 4:
            score, n = heapq.heappop(heap)
            piece = pieces[n]
            if piece.cost > state.room * 3 or self._covered(piece):
                continue
            cost = self.cost(piece)
            fresh = -self._gain(piece) / cost
            if heap and fresh > heap[0][0] + 1e-12 and fresh > score + 1e-12:
                heapq.heappush(heap, (fresh, n))
            elif cost <= state.room:
                self.take(piece)
                took = True
                for m in beside.reached(piece):  # what shares words with it became cheaper
                    if not pieces[m].refused and not self._covered(pieces[m]):
                        heapq.heappush(heap, (-self._gain(pieces[m]) / self.cost(pieces[m]), m))
        return took

    def _extend_kept(self, left: int) -> bool:
        items, state = self.outline.items, self.state
        for i in sorted(state.suffix, key=lambda k: (-items[k].keep, k)):
            (start, end), text = state.chosen[i][0], items[i].text
            if start == 0 and end < len(text) and len(state.chosen[i]) == 1:
                more = fitting(text[end:], left, self.count)
                if more >= 8:
                    state.chosen[i] = [(0, end + more)]
                    state.room -= self.count(text[end : end + more])
                    return True
        return False

    def _covered(self, piece: Piece) -> bool:
        spans = self._merged(piece.item)
        at = bisect_right(spans, (piece.start, _END)) - 1
        return at >= 0 and piece.end <= spans[at][1]

    def _merged(self, i: int) -> list[Extent]:
        """What is shown of an item, in order and without overlaps: a long line may hold a thousand windows."""
        chosen = self.state.chosen.get(i)
        if not chosen:
            return []
        known = self._shown.get(i)
        if known is not None and known[0] == (len(chosen), chosen[0], chosen[-1]):
            return known[1]
        merged: list[Extent] = []
        for start, end in sorted(chosen):
            if merged and start <= merged[-1][1]:
                merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
            else:
                merged.append((start, end))
        self._shown[i] = ((len(chosen), chosen[0], chosen[-1]), merged)
        return merged

    def _gain(self, piece: Piece) -> float:
        seen, weights = self.state.seen, self.weights
        item = self.outline.items[piece.item]
        gain = sum([weights.get(a, 0.0) for a in piece.atoms if a not in seen])
        # a trace of weight keeps the choice total and fills a large budget once all atoms are shown
        gain = (gain + 0.01) * min(1.5, item.weight) * self.boost.get(piece.item, 1.0)
        for section in self._new_sections(piece):  # its heading comes along: a path above its hits
            gain += sum([weights.get(a, 0.0) for a in self.headings[section] if a not in seen])
        return gain

    def cost(self, piece: Piece) -> float:
        """Exact tokens of the piece as it will stand, its section's heading included when that is new."""
        item = self.outline.items[piece.item]
        headings = sum(self.count(section + "\n") for section in self._new_sections(piece))
        if piece.window and any(i in self.state.chosen for i, _, _ in piece.spans()):
            return self._rest_cost(piece) + headings
        if not piece.exact:
            text = item.text[piece.start : piece.end]
            if piece.start == 0 and piece.end == len(item.text):
                piece.cost = self.count(text + "\n")
            elif piece.also:
                texts = [self.outline.items[i].text[start:end] for i, start, end in piece.spans()]
                piece.cost = sum(self.count(" " + text) + WINDOW_OVERHEAD for text in texts)
            elif piece.window or (self.windows is not None and "\n" not in item.text):
                piece.cost = self.count(" " + text) + WINDOW_OVERHEAD
            else:
                marks = (piece.start > 0) + (piece.end < len(item.text))
                piece.cost = self.count(text + "\n") + marks * MARK_TOKENS
            if not self.outline.anchored:
                piece.cost += MARK_TOKENS
            piece.exact = True
        return piece.cost + headings

    def _new_sections(self, piece: Piece) -> list[str]:
        """The headings that come along with the piece."""
        if not self.headings:
            return []
        items, known = self.outline.items, self.state.sections
        if not piece.also:  # nearly all: no lists for them
            section = items[piece.item].section
            return [section] if section and section not in known else []
        found = [items[i].section for i in dict.fromkeys(i for i, _, _ in piece.spans())]
        return [section for section in dict.fromkeys(found) if section and section not in known]

    def _rest_cost(self, piece: Piece) -> float:
        """Of a window that shares words with what is chosen: tokens of the words that it adds."""
        cost = 0.0
        for i, start, end in piece.spans():
            text, at = self.outline.items[i].text, start
            spans = self._merged(i)
            first = max(0, bisect_right(spans, (start, _END)) - 1)
            for a, b in [*spans[first : bisect_left(spans, (end, 0))], (end, end)]:
                if min(a, end) > at:
                    cost += self.count(" " + text[at : min(a, end)].strip()) + (0.0 if at > start else WINDOW_OVERHEAD)
                at = max(at, min(b, end))
        return max(1.0, cost)

    def take(self, piece: Piece) -> None:
        state = self.state
        state.room -= self.cost(piece)
        for section in self._new_sections(piece):
            state.sections.add(section)
            state.seen.update(self.headings[section])
        state.seen.update(piece.atoms)
        state.order.append(piece)
        for i, start, end in piece.spans():
            state.chosen.setdefault(i, []).append((start, end))
            if end - start == len(self.outline.items[i].text):
                self.excerpted.discard(i)
            elif self.windows is not None and i not in state.suffix:  # what is kept stands on a line of its own
                self.excerpted.add(i)


class _Beside:
    """Which windows reach into a stretch of an item, found without a look at all of a long line's."""

    def __init__(self, windows: Sequence[tuple[int, Piece]]) -> None:
        self._starts: dict[int, list[tuple[int, int, int]]] = {}  # item -> (start, number, end)
        self._longest = 0
        for n, piece in windows:
            for i, start, end in piece.spans():
                self._starts.setdefault(i, []).append((start, n, end))
                self._longest = max(self._longest, end - start)
        for found in self._starts.values():
            found.sort()

    def reached(self, piece: Piece) -> Iterator[int]:
        for i, start, end in piece.spans() if self._starts else ():
            found = self._starts.get(i, [])
            for at in range(bisect_left(found, (start - self._longest, 0, 0)), bisect_left(found, (end, 0, 0))):
                if found[at][2] > start:
                    yield found[at][1]
