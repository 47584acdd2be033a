"""Budgeted maximum coverage: the whole lines that add most new atoms per token, chosen lazily.

Minoux 1978; Khuller, Moss, Naor 1999. A line beside a chosen one counts a little more: two in a row read better."""

from __future__ import annotations

import heapq
from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence, Set
from functools import cache
from itertools import takewhile

from mcpcompact.engine.atoms import atoms, weights_of
from mcpcompact.engine.choice import (
    ANSWER_SHARE,
    GAP,
    GAPS_FROM,
    GUESSED,
    MANY,
    MARK_TOKENS,
    WHOLE_LINE,
    Count,
    Piece,
    State,
    boosts,
    fitting,
    lengths,
    line_pieces,
    linked,
    pressure_of,
    skeleton_room,
    token_length,
)
from mcpcompact.outline import Keep, Outline

_MIN_ROOM, _WORTH = 4, 8  # tokens
STRETCH, LONGER = 400, 0.25  # characters of a long line that are shown before others; factor on the gain of more
BESIDE, RUN = 1.25, 1.7  # factor on the gain of a line that follows a chosen one or stands before it; of source
REST, REST_WORTH = 0.3, 0.4  # of the room, what the rest of a statement may take; of the gain for a token of its first
FILLS, HOLE = 1.5, 3  # further factor for lines of source that are all that is missing between two; at most so many
LIGHT, BRACKET, CLOSER = 0.3, 0.1, 0.05  # weights: of what says nothing alone, what only leads to others, a bracket
SHORT, NEXT, BRIDGED, BLOCK = 6, 2, 2, 12  # tokens; lines: to the next, between two that are shown, of a block
AGAIN_SHARE = 0.3  # of the room, what the further places of a name may take: the first tells most
TOP = 4.0  # heavier: what the whole is about, which may take that share of the budget whatever else is kept
FIRST, HELD_BACK = 4.5, 2  # so heavy: what the call points at, before all else; times the room, what others wait for
PURPOSE = 0.2  # of the budget, at least: a sentence of four lines is no less what a file is for
HEADED = 1.5  # times its own gain: what the heading of a section adds to a line; else the shortest would bring it along
SIGNATURE, FRAME = 3.2, 2.9  # heavier: what is asked for; so heavy: first, up to ``frame_share``
SOME_SIGNED, SIGNED_FROM = 0.3, 400  # of the room, what types and signatures may take before bodies where not all fit;
# the least budget for that: in less their names do
NEW_LINE, NOTHING_NEW = 0.6, 0.15  # gain of a line of source besides its names; what names that are new make at least
FEW_HOLES, MAX_FITS, FRAMED = 0.05, 3.0, 2  # gain of each character of source; times the room, what all take where it
# counts: few large holes read better there than the last new names; factor on that of a signature
TELLING, NEARLY_ALL = 0.5, 2.0  # weight of a first or last item that is worth saying; times the room, what all take
MIN_ROOM, MIN_HEAD = 8, 60  # tokens: less is not worth another look; characters: a shorter head says nothing
AHEAD, GRAVE_LINE = 3, 480  # pieces behind the first that are looked at; characters of a failure: its end is its cause
UNSHOWN = 0.12  # of the room, what the names of sections may take of which nothing is shown
LED, COMPLETED = 0.2, 0.5  # of the room that is left, what stands above a kept line, and the rest of it: before others


class Cover:
    """The lazy greedy choice among the lines of all items. One heap lasts: room that comes back is filled from it."""

    def __init__(
        self, outline: Outline, state: State, count: Count, focus: str | None, known: set[str] | None, asked: str
    ) -> None:
        self.outline, self.state, self.count = outline, state, count
        self._heading = cache(lambda section: count(f"{section}\n"))  # asked again for each line below it
        self.boost = boosts(outline.items, focus) if focus else {}
        self.lines = line_pieces(outline.items, state.budget, self.boost, outline.nested)
        state.leave_out_answered(outline.items, self.lines)
        self.first = {piece.item: n for n, piece in reversed(list(enumerate(self.lines)))}  # the first piece of an item
        self._statements: dict[int, range] = {}
        if outline.closing and outline.nested:
            from mcpcompact.engine.statements import statements

            self._statements = statements(outline.items, self.lines)
        self._above, self._below = linked(outline.items, self.lines, self.first)
        self.headings = {s: tuple(sorted(atoms(s))) for s in sorted({i.section for i in outline.items if i.section})}
        sets = [p.atoms for p in self.lines] + [self.headings[i.section] for i in outline.items if i.section]
        self.weights = weights_of(sets, known or set(), asked)
        # a trace of weight fills a large budget; where nearly all lines fit, those of little weight are left out first
        pressure = pressure_of(outline.items, state.room)
        self.least = 0.5 if pressure < NEARLY_ALL else 0.01
        self._lengths = lengths(outline.items, self.lines) if outline.nested and pressure < MAX_FITS else {}
        self._heap: list[tuple[float, int]] | None = None
        self._aside: list[tuple[float, int]] = []  # too dear for the room there was
        self._dear = 1.0  # times the room: what is guessed to cost more needs no exact price
        self._near: set[int] = set()  # numbers of pieces beside a chosen one

    def _heads(self, n: int) -> list[int]:
        """What a line may not stand without, outermost first: the first of its entry, signatures and keys above."""
        heads: list[int] = []
        head, item = self._above.get(n, -1), self.lines[n].item
        nested = self.outline.nested or self.outline.items[item].under > 0
        own = item not in self.state.chosen  # of an entry of which nothing is shown the first line
        while head >= 0 and head not in heads and (nested or (own and self.lines[head].item == item)):
            heads += [head] * self._open(self.lines[head])
            head = self._above.get(head, -1)
        return heads[::-1]

    def _torn(self, n: int) -> bool:
        """Whether anything that a line stands under was given back, or stands elsewhere in the same words."""
        head, steps = self._above.get(n, -1) if self.outline.nested else -1, 0
        while head >= 0 and steps < len(self.lines):
            if not (self._open(self.lines[head]) or self._shown(head)):
                return True
            head, steps = self._above.get(head, -1), steps + 1
        return False

    def _shown(self, n: int) -> bool:
        piece = self.lines[n]
        return any(first <= piece.start and piece.end <= last for first, last in self.state.chosen.get(piece.item, ()))

    def _pieces_of(self, item: int) -> Iterator[int]:
        """The pieces of an item, which follow each other."""
        last = len(self.lines)
        return takewhile(lambda n: self.lines[n].item == item, range(self.first.get(item, last), last))

    def answer(self, named: Sequence[Sequence[Sequence[int]]]) -> None:
        """What the request names: by name, by place, the items there; else the item that best answers the focus."""
        room = self.state.room
        left = room if len(named) == 1 else room * ANSWER_SHARE
        spare, again = room * ANSWER_SHARE, room * AGAIN_SHARE  # of the further lines of an entry, the further places
        for places in named:
            for turn, items in enumerate(places):
                for n in [n for item in sorted(items) for n in self._pieces_of(item)]:
                    cost = self._price(n)
                    if cost > (left if n == self.first[self.lines[n].item] else min(left, spare)):
                        continue
                    if cost <= min(again if turn else left, self.state.room) and self._open(self.lines[n]):
                        self._take(n)
                        left, spare = left - cost, spare - cost
                        again -= cost if turn else 0
        if self.boost and not named and not self.state.answers and not self.state.headless:
            best = max(self.boost, key=lambda i: (self.boost[i] * min(1.0, self.outline.items[i].weight), -i))
            self._take_first(best, self.state.room / 2)

    def ends(self) -> None:
        """The first and the last item when they are cheap, then the frame: headings and definitions, heaviest first."""
        if self.state.headless:
            return
        items, state = self.outline.items, self.state
        state.room -= GAP * (1 + len(state.chosen)) * bool(self.outline.in_order and state.budget >= GAPS_FROM)
        for i in (0, len(items) - 1) if items and not self.outline.nested else ():
            if items[i].weight >= TELLING:
                self._take_first(i, state.room / 25)
        frame = [n for i, n in self.first.items() if items[i].weight >= FRAME]
        parts = {n: items[self.lines[n].item].part[0] for n in frame}  # headings of a document, signatures, values
        index = {n for n, part in parts.items() if part and (part in self.outline.parts or not self.outline.nested)}
        allowed = skeleton_room(state.room, self.outline.nested, self.outline.outlined)
        need = sum(self._own_cost(self.lines[n]) for n in index)
        first = [n for n in frame if items[self.lines[n].item].weight >= FIRST and n not in index]
        whole = need <= allowed and need + sum(self._own_cost(self.lines[n]) for n in first) <= state.room
        if not (whole or self.outline.nested):  # its lines come along with what stands below them
            for n in sorted(index)[1:]:
                self.lines[n].refused = True
        signed = state.room * SOME_SIGNED * bool(index and self.outline.names and state.budget >= SIGNED_FROM)
        if whole:
            state.index = state.room * LED  # of those for which there is no room after all
        else:
            state.reserve_index(self.outline.names, self.count, self.outline.outlined)
            if index and not (self.outline.nested or self.outline.names):  # of sections
                state.index = min(need, state.room * UNSHOWN)
                state.room -= state.index
            later = index if self.outline.nested and state.budget < SIGNED_FROM else ()
            frame = [n for n in frame if n not in later or items[self.lines[n].item].weight > SIGNATURE]
        self._take_frame(frame, index if whole else set(), signed)
        self._near = self._near if whole or not signed else set()  # the first line of a body says no more than others

    def _take_frame(self, frame: Sequence[int], free: Set[int], least: float) -> None:
        """Lines of the frame, heaviest first: ``free`` ones have all the room, top ones a share of the budget, the
        others a share of the room between them, ``least`` of it if there are names to tell of the rest."""
        items, state, share = self.outline.items, self.state, self.outline.frame_share
        room = max(state.room * share, least)
        nested = self.outline.nested  # rather many short signatures than few long ones
        worth = {n: self._gain(n) / self._own_cost(self.lines[n]) if nested else round(self._gain(n)) for n in frame}
        for n in sorted(frame, key=lambda n: (-items[self.lines[n].item].weight, -worth[n], n)):
            line = self.lines[n]
            alone = state.room if n in free else state.budget * max(share, PURPOSE)
            shared = n not in free and items[line.item].weight <= TOP
            code = items[line.item].flow == "lines" and not self.outline.nested  # a command of known names says more
            new = n in free or code or not (shared and line.atoms and state.seen.issuperset(line.atoms))
            if not new or not self._open(line):
                continue
            cost = self._price(n)
            if cost <= min(room if shared else alone, state.room):
                self._take(n)
                room -= cost if shared else 0

    def _take_first(self, i: int, limit: float) -> None:
        n = next((n for n in self._pieces_of(i) if not self.lines[n].refused), -1)
        if n >= 0 and self._open(self.lines[n]) and self._price(n) <= limit:
            self._take(n)

    def pending(self) -> int:
        """Tokens of the header, which the next choice will bring along."""
        return self.count(self.outline.header + "\n") if self.state.header and not self.state.chosen else 0

    def more(self) -> bool:
        """Use room that turned out to be left; True when something was taken."""
        return self.state.room >= MIN_ROOM and (self.choose() or self._squeeze())

    def choose(self) -> bool:
        """Take lines while any fits, by new weight per token (lazily: gains fall); True if any was."""
        state, pieces = self.state, self.lines
        heap = self._heap = self._first_heap() if self._heap is None else self._heap
        aside, self._aside, took = self._aside, [], False
        for entry in aside:
            again = pieces[entry[1]].cost <= state.room * self._dear or self._ordered(pieces[entry[1]])
            heapq.heappush(heap if again else self._aside, entry)
        while heap and state.room > _MIN_ROOM:
            score, n = heapq.heappop(heap)
            piece = pieces[n]
            if not self._open(piece) or self._torn(n):
                continue
            heads = self._heads(n)
            cost = self._price(n, heads) if piece.cost <= state.room * self._dear else piece.cost
            if cost > state.room:
                self._aside.append((score, n))
                first = self.outline.items[piece.item].weight >= FIRST and cost <= HELD_BACK * state.room
                if first or self._ordered(piece):  # the next one would leave a hole
                    break
                continue
            fresh = -self._density(n, cost, heads)
            if heap and fresh > heap[0][0] + 1e-12 and fresh > score + 1e-12:
                heapq.heappush(heap, (fresh, n))
            else:
                self._take(n)
                self._finish(n, -fresh)
                took = True
        return took

    def _finish(self, n: int, density: float) -> None:
        """The rest of a short statement of a program, where it adds not much less for each token."""
        rest = [m for m in self._statements.get(n, ()) if self._open(self.lines[m])]
        cost = sum([self.cost(self.lines[m]) for m in rest])
        if cost <= self.state.room * REST and sum(map(self._gain, rest)) >= REST_WORTH * density * cost:
            for m in rest:
                if self._open(self.lines[m]) and self.cost(self.lines[m]) <= self.state.room:
                    self._take(m)

    def _first_heap(self) -> list[tuple[float, int]]:
        items, heap = self.outline.items, list[tuple[float, int]]()
        length, self._dear = token_length(self.lines, self._text, self.count)
        for piece in self.lines:
            piece.cost = piece.cost or (piece.end - piece.start) / length + GUESSED
        for n, piece in enumerate(() if self.state.headless else self.lines):
            if items[piece.item].weight > 0 and not piece.refused and not self._comes_along(piece):
                heads = self._heads(n)
                along = sum([self.lines[head].cost for head in heads]) if len(self.lines) >= MANY else 0
                heap.append((-self._density(n, piece.cost + along, heads), n))
        heapq.heapify(heap)
        return heap

    def _text(self, piece: Piece) -> str:
        item = self.outline.items[piece.item]
        return item.text[piece.start : max(piece.end, item.lead)] + "\n"

    def _open(self, piece: Piece) -> bool:
        """Whether the piece may be taken: not shown yet, and of a long line only what goes on its one stretch."""
        item, shown = self.outline.items[piece.item], self.state.chosen.get(piece.item)
        if piece.refused or item.weight <= 0 or (shown and shown[0] == (piece.start, piece.end)):
            return False
        if piece.item in self.state.suffix and "\n" not in item.text:
            return False  # a kept line is shown as it is; of a kept trace or entry more lines may be
        if not shown:
            if item.flow:
                return item.text not in self.state.sections and not piece.start
            first = self.lines[self.first[piece.item]]
            return first is piece or not first.refused or "\n" not in item.text
        before = bisect_left(shown, (piece.end,))
        begin, end = self.state.stretch(piece)
        apart = not before or shown[before - 1][1] <= piece.start
        return apart and (begin == end or end == piece.start or piece.end == begin)

    def _squeeze(self) -> bool:
        """No line fits whole: more of a shortened kept item, else the head of the best one left, up to a word's end."""
        left = int(self.state.room - MARK_TOKENS - 4)
        if left < MIN_ROOM or self.state.headless:
            return False
        if self._extend_kept(left):
            return True
        items = self.outline.items
        free = [n for n, p in enumerate(self.lines) if not (items[p.item].flow or items[p.item].whole)]
        open_ = [n for n in (self._last() if self.outline.in_order else free) if self._open(self.lines[n])]
        for n in heapq.nsmallest(8, open_, key=lambda n: (-self._gain(n), n)):
            piece = self.lines[n]
            text = items[piece.item].text
            end = piece.start + fitting(text[piece.start : piece.end], left, self.count)
            end = piece.end if end == piece.end else text.rfind(" ", piece.start, end)
            piece.refused = True
            if end - piece.start >= MIN_HEAD:
                words = tuple(sorted(atoms(text[piece.start : end])))
                self.lines.append(Piece(piece.item, piece.start, end, words, (piece.start, piece.end)))
                if n in self._above:
                    self._above[len(self.lines) - 1] = self._above[n]
                if self._price(len(self.lines) - 1) <= self.state.room and self._open(self.lines[-1]):
                    self._take(len(self.lines) - 1)
                    return True
        return False

    def _last(self) -> list[int]:
        """Of items in order the one that found no room; behind it none is taken."""
        last = [n for _, n in self._aside[-1:] if self._ordered(self.lines[n])]
        self._heap, self._aside = ([], []) if last else (self._heap, self._aside)
        return [n for n in last if not self.outline.items[self.lines[n].item].whole]

    def complete(self) -> None:
        """Kept lines get what they stand under and the rest of themselves, where a part of the room is enough."""
        for n in [self.first[i] for i in self.state.suffix if i in self.first and self.outline.nested]:
            if (heads := self._heads(n)) and self._price(heads[-1]) <= self.state.room * LED:
                self._take(heads[-1])
        for i, (start, end), text in self._shortened():
            most = GRAVE_LINE if self.outline.items[i].keep is Keep.SEVERE else WHOLE_LINE
            cost = self.count(text[end:]) if len(text) <= most and "\n" not in text else self.state.room
            if cost <= self.state.room * COMPLETED:
                self._extend(i, start, len(text), cost)

    def _extend_kept(self, left: int) -> bool:
        for i, (start, end), text in self._shortened():
            more = fitting(text[end:], left, self.count)
            if more >= _WORTH:
                self._extend(i, start, end + more, self.count(text[end : end + more]))
                return True
        return False

    def _shortened(self) -> Iterator[tuple[int, tuple[int, int], str]]:
        """Kept items of which one stretch is shown and something follows it, the gravest first."""
        items, state = self.outline.items, self.state
        for i in sorted(state.suffix, key=lambda k: (-items[k].keep, k)):
            spans, text = state.chosen.get(i, []), items[i].text
            if len(spans) == 1 and spans[0][1] < len(text):
                yield i, spans[0], text

    def _extend(self, i: int, start: int, end: int, cost: float) -> None:
        self.state.chosen[i] = [(start, end)]
        self.state.room -= cost

    def give_back(self, excess: float) -> bool:
        """Undo the last choices worth ``excess`` tokens, then kept items, then facts; False when nothing is left."""
        state, items, given = self.state, self.outline.items, False
        self._heap = [] if self.outline.in_order else self._heap  # what is older than the last would leave a hole
        while state.order and (excess > 0 or self._comes_along(state.order[-1])):  # with what it brought along
            piece = state.order.pop()
            state.chosen[piece.item].remove((piece.start, piece.end))
            if not state.chosen[piece.item]:
                del state.chosen[piece.item]
            piece.refused = given = True
            excess -= piece.cost
        if excess > 0 and not given:
            if state.chosen:
                i = min(state.chosen, key=lambda k: (items[k].keep, -k))
                del state.chosen[i]
                state.suffix.pop(i, None)
            elif state.facts:
                del state.facts[max(state.facts)]
            elif state.answers:
                state.answers.pop()
                state.answered.clear()
            else:
                return False
        state.sections = {items[i].section for i in state.chosen if items[i].section}
        return True

    def _gain(self, n: int) -> float:
        state, weights, piece = self.state, self.weights, self.lines[n]
        item = self.outline.items[piece.item]
        new = sum([weights.get(a, 0.0) for a in piece.atoms if a not in state.seen])
        gain = new + (NEW_LINE if piece.numbered and new > NOTHING_NEW else self.least)
        gain += FEW_HOLES * self._lengths.get(n, 0.0) * (FRAMED if item.weight >= FRAME else 1)
        headed = item.flow and item.weight >= FRAME  # headings had their own share
        weight = item.weight if item.weight >= FIRST else min(1.5, item.weight)
        gain *= (1.0 if headed else weight) * self.boost.get(piece.item, 1.0)
        if n in self._near:
            gain *= RUN if self.outline.nested else BESIDE
            gain *= FILLS if self._statements and self._fills(n) else 1.0
        if piece.line:
            begin, end = self.state.stretch(piece)
            gain *= LONGER if end - begin >= STRETCH else 1.0
        if state.new_section(item):  # its heading comes along: a path above its hits
            heading = sum([weights.get(a, 0.0) for a in self.headings[item.section] if a not in state.seen])
            heading *= min(1.0, item.weight)
            gain += min(heading, HEADED * gain) if item.flow else heading
        return gain

    def _ordered(self, piece: Piece) -> bool:
        return bool(self.outline.in_order and self.outline.items[piece.item].part[0])

    def _density(self, n: int, cost: float, heads: Sequence[int] | None = None) -> float:
        """What a piece adds for each token with all that comes along (``heads``, where they are known); of a text read
        from its beginning with what follows, if that is more."""
        first = self.lines[n]
        if self._ordered(first):
            return self.outline.items[first.item].weight * self.boost.get(first.item, 1.0)
        worth = self._gain(n) + sum(map(self._gain, self._heads(n) if heads is None else heads))
        best = worth / cost
        for m in range(n + 1, n + 1 + AHEAD) if first.line and self.outline.items[first.item].flow else ():
            piece = self.lines[m] if m < len(self.lines) else None
            if piece is None or piece.item != first.item:
                break
            worth += self._gain(m)
            cost += piece.cost
            best = max(best, worth / cost)
        return best

    def _price(self, n: int, heads: Sequence[int] | None = None) -> float:
        """Exact tokens of a piece with all that comes along."""
        heads = self._heads(n) if heads is None else heads
        return self.cost(self.lines[n]) + sum([self._own_cost(self.lines[head]) for head in heads])

    def cost(self, piece: Piece) -> float:
        """Exact tokens of the piece as it will stand, its section's heading included when that is new."""
        item = self.outline.items[piece.item]
        heading = self._heading(section) if (section := self.state.new_section(item)) else 0
        return self._own_cost(piece) + heading + self.state.begins(item)

    def _own_cost(self, piece: Piece) -> float:
        if not piece.exact:
            item = self.outline.items[piece.item]
            marks = ((piece.start > 0) + (piece.end < len(item.text))) if piece.line else 0
            piece.cost = self.count(self._text(piece)) + marks * MARK_TOKENS
            piece.cost += self.count(item.text[: min(item.lead, piece.start)]) if item.lead and piece.start else 0
            piece.cost += MARK_TOKENS * (not self.outline.anchored)
            piece.exact = True
        return piece.cost

    def _take(self, n: int) -> None:
        taken = [*self._heads(n), n]
        for k in taken:
            self._show(k)
        for k in taken:  # only now: what stands between its heads leaves no room to a piece that was not shown yet
            self._bridge(k)
            self._near.update(beside := list(self._beside(k)))
            for m in [*beside, *self._below.get(k, ())]:  # these may be worth more a token now
                if self._heap is not None and self._open(self.lines[m]) and not self._comes_along(self.lines[m]):
                    heapq.heappush(self._heap, (-self._density(m, self.lines[m].cost), m))

    def _show(self, n: int) -> None:
        state, piece, item = self.state, self.lines[n], self.outline.items[self.lines[n].item]
        state.room -= self.cost(piece)
        if state.new_section(item):
            state.sections |= {item.section, *item.section.split("\n")}
            state.seen.update(self.headings[item.section])
        if item.flow and piece.end == len(item.text):
            state.sections |= {item.text, *item.text.split("\n")}
        state.begun.add(item.series)
        state.seen.update(piece.atoms)
        state.order.append(piece)
        insort(state.chosen.setdefault(piece.item, []), (piece.start, piece.end))

    def _bridge(self, n: int) -> None:
        """One short line between two that are shown stands with these; a closing bracket with all of what it closes."""
        for step in (-1, 1) if self.outline.nested else ():
            between: list[int] = []
            m = n + step
            while self._adjacent(m, m - step) and not self._shown(m) and self._little(m) and len(between) < BRIDGED:
                between.append(m)
                m += step
            joined = between and self._adjacent(m, m - step) and self._shown(m)
            for k in between if joined else [m for m in between[:1] if step > 0 and self._closes(m)]:
                if self._open(self.lines[k]) and self.cost(self.lines[k]) <= self.state.room:
                    self._show(k)

    def _little(self, m: int) -> bool:
        return self.outline.items[self.lines[m].item].weight <= LIGHT or self.cost(self.lines[m]) <= SHORT

    def _comes_along(self, piece: Piece) -> bool:
        """Whether a line is only shown with others: a bracket, the header of a hunk."""
        return self.outline.nested and self.outline.items[piece.item].weight < BRACKET

    def _closes(self, n: int) -> bool:
        above, closer = self._above.get(n, -1), self.outline.items[self.lines[n].item].weight <= CLOSER
        return closer and max(0, n - BLOCK) <= above and all(map(self._shown, range(above, n)))

    def _adjacent(self, m: int, n: int) -> bool:
        """Whether there is an ``m``-th piece, of the section of the ``n``-th, with at most blank lines between them."""
        if not 0 <= m < len(self.lines):
            return False
        first, second = sorted((self.outline.items[self.lines[k].item] for k in (m, n)), key=lambda item: item.start)
        return second.start - first.end <= NEXT and first.section == second.section

    def _fills(self, n: int) -> bool:
        """Whether a piece is of a few that alone are missing between two that are shown."""
        missing = 1
        for step in (-1, 1):
            m = n + step
            while (adjacent := self._adjacent(m, m - step)) and not self._shown(m) and missing <= HOLE:
                m, missing = m + step, missing + 1
            if not adjacent or missing > HOLE:
                return False
        return True

    def _beside(self, n: int) -> Iterator[int]:
        """The lines right before and behind a piece, and the one that it stands under."""
        above = self._above.get(n, -1)
        for m in dict.fromkeys((above, n - 1, n + 1)):
            if m not in self._near and (m == above >= 0 or self._adjacent(m, n)) and not self.lines[m].refused:
                yield m
