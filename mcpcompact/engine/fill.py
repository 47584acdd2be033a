"""Outline + budget -> text: the one engine that packs every content type.

The order: a lossless re-encoding if it fits; else facts by rank, then what must be kept, then by budgeted maximum
coverage the pieces that add most new atoms per token (lazy greedy: Minoux 1978; Khuller, Moss, Naor 1999). Costs are
exact tokens, added up at line starts, where they add up; the whole is counted once more at the end and trimmed if it is
over."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from mcpcompact.engine.atoms import atoms
from mcpcompact.engine.choice import (
    ANSWER_SHARE,
    MARK_TOKENS,
    Count,
    State,
    clip,
    clip_lines,
    fitting,
    measured,
    pressure_of,
)
from mcpcompact.engine.cover import MIN_HEAD, Cover
from mcpcompact.engine.cutting import shortened
from mcpcompact.engine.rendering import folded, numbers, render
from mcpcompact.outline import Fact, Item, Keep, Outline

if TYPE_CHECKING:
    from mcpcompact.engine.asked import Answer, Answers

_MIN_FACTS, _MIN_FACT, _MIN_ITEM, _CROWDED = 8, 12, 12, 60  # tokens
_MIN_GAPS = 16  # tokens of room for words about gaps
_MIN_REST = 6  # tokens

KEEP_SHARE = 0.6  # of the budget, what kept items may take before they are grouped and shortened
KEPT_WHOLE = 200  # characters of a kept line that stands whole or not at all
KEPT_LINE = 160  # characters that a long kept line takes around what it is kept for
AMONG = 100  # tokens that a long record has at least that a request names among others
MIN_KEPT = 64  # tokens of a kept item: a line of 200 characters stands whole, rather few of them than many cut ones
MIN_AROUND = 24  # characters from the thing on for which a line is kept; less says nothing
HEADLINE = 24  # tokens left for the headline where more than one thing was asked for
ROUNDED = 1.25  # times its share that a table may take where it is whole then
FACTS_PRESSURE, FACTS_LEAST = 2.0, 0.4  # facts get their full share where items take three times the budget; a part
NEARLY_ALL_FIT = 1.3  # times the budget, what the items take: facts would only repeat them


class Filled(NamedTuple):
    """The body of a compaction. ``shown`` counts units shown at least in part."""

    text: str
    shown: int
    lossless: str = ""  # how, when nothing is missing
    head: bool = False  # the beginning of the original, as it stands
    parts: str | None = None  # of units that are only named: how much is shown of what they hold
    ranges: Sequence[tuple[int, int]] = ()  # first and last of the units that are shown, in order
    texts: int = 0  # further units of which only texts of their own are


def fill(
    outline: Outline,
    budget: int,
    count: Count,
    focus: str | None = None,
    known: set[str] | None = None,
    asked: str = "",
    answers: Sequence[Answers] = (),
) -> Filled:
    """Pack ``outline`` into at most ``budget`` tokens as ``count`` counts them. The text may be empty, never over.
    ``focus`` ranks items, ``asked`` (the words of the call and the request) ranks names, ``known`` names need little
    showing. ``answers``, what the request names exactly, stand first and whole; lines of source stay in their place."""
    lossless = _lossless(outline, budget, count)
    if lossless is not None:
        return lossless
    state = State(room=budget, budget=budget, explained=outline.keeps_told)
    state.least = MIN_HEAD if outline.unit == "line" else 1  # of a row its first columns say something
    _choose_answers(answers, outline, count, state)
    facts = _choose_facts(outline, budget, count, state)
    cover = Cover(outline, state, count, focus, known, asked)
    state.numbered = {n for group in answers if group.number for answer in group.items for n in answer.items[:1]}
    cover.answer([[answer.items for answer in group.items] for group in answers if group.in_order])
    _choose_keeps(outline, _told(state, facts) if outline.unit == "value" else set(), count, state)
    cover.complete()
    cover.ends()
    cover.choose()
    text = _body(outline, state)
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
        text = _body(outline, state)
    while count(text) > budget and cover.give_back(1):
        text = _body(outline, state)
    leads = _leads(outline, state)
    unnumbered = sum(not first for first, _ in leads.values()) if outline.rendered and outline.blank is None else 0
    ranges = _ranges([*state.printed, *state.answered.items(), *((n, n) for n in _told(state, facts)), *leads.values()])
    shown = sum(end - first + 1 for first, end in ranges) + unnumbered
    if outline.unit == "value":  # a text of which a part is shown is not
        sizes = {i: sum(end - start for start, end in spans) for i, spans in state.chosen.items()}
        cut = {
            item.start
            for i, item in enumerate(outline.items)
            if item.start == item.end and sizes.get(i, 0) < len(item.text)
        }
        shown -= len(cut.intersection(outline.items[i].start for i in sizes))
    loose = {item.start for item in (outline.items[i] for i in state.chosen) if item.mere}
    texts = sum(not any(first <= unit <= end for first, end in ranges) for unit in loose)
    return Filled(text, min(shown, outline.total), parts=parts(outline, state, ranges), ranges=ranges, texts=texts)


def _body(outline: Outline, state: State) -> str:
    return render(outline, [*(state.facts[place] for place in sorted(state.facts)), *state.answers], state)


def _lossless(outline: Outline, budget: int, count: Count) -> Filled | None:
    for candidate in outline.lossless:
        if candidate.estimate > budget * 12:  # no real text has twelve characters a token throughout
            continue
        text = candidate.text()
        if measured(text, budget, count) <= budget:
            return Filled(text, outline.total, lossless=candidate.how)
    return None


# -- what was asked for ------------------------------------------------------------------------


def _choose_answers(answers: Sequence[Answers], outline: Outline, count: Count, state: State) -> None:
    """What the request names, before anything else: whole while there is room, the first one as much of it as fits.
    What a fact that is always said shows needs no line of its own."""
    items = outline.items
    lines = [line for fact in outline.facts if not fact.rank for line in fact.text.split("\n")]
    facts = [f", {line.removeprefix('other keys: ')}, " for line in lines]
    most = state.room if len(answers) == 1 else state.room * ANSWER_SHARE
    many = state.room * ANSWER_SHARE
    for group in answers:
        if group.in_order:
            cost = count(group.rest + "\n") if group.rest and group.exceeds(items, many, count) else 0
            if 0 < cost <= state.room * ANSWER_SHARE:
                state.answers.append(group.rest)
                state.room -= cost
            continue
        one_of_many = group.total > len(group.items)
        rest = count(group.rest + "\n") if group.total > 1 else 0
        shown = 0
        for n, answer in enumerate(group.items):
            anchors = {answer.anchor, answer.anchor.removesuffix(": ") + "="}
            texts = {answer.text, answer.text.strip('"')}
            if any(f", {anchor}{text}, " in line for anchor in anchors for text in texts for line in facts):
                shown += 1
                continue
            header = answer.header if answer.header not in state.answers else ""
            room = int(state.room) - 2 - (rest if n or group.total > 1 else 0)  # lines add up but for a token or two
            room = min(room, int(most), int(many) if one_of_many and shown else room)
            lines = _fitted(answer, header, room - (0 if not state.answers else HEADLINE), count)
            whole = bool(lines)
            if not (lines or state.answers or (outline.unit == "value" and answer.first < answer.last)):
                among = outline.unit == "record" and outline.total > 1  # others, which have a line each
                lines = _part(answer, min(room, max(int(room * ANSWER_SHARE), AMONG)) if among else room, count)
            if lines:
                reason = next((i.reason for i in items if i.reason and i.start == answer.first and i.keep), "")
                lines[-1] += f" ← {reason}" if reason and count(reason) + 3 < room / 4 else ""
                cost = sum(count(line + "\n") for line in lines)
                state.room -= cost
                many -= cost if one_of_many else 0
                state.answers += lines
                state.seen |= atoms(answer.text if whole else "\n".join(lines))
                state.answered[answer.first] = answer.last if whole else answer.first
                shown += 1
        if group.total > shown and group.rest and rest <= state.room:
            state.answers.append(group.rest)
            state.room -= rest


def _fitted(answer: Answer, header: str, room: int, count: Count) -> list[str]:
    """The answer whole, below the names of its columns where there is room for both; else nothing."""
    line = answer.anchor + answer.text
    if len(line) > max(0, room) * 12 or (cost := count(line + "\n")) > room:
        return []
    return [header, line] if header and cost + count(header + "\n") <= room else [line]


def _part(answer: Answer, room: int, count: Count) -> list[str]:
    """Its head, and where the name stands behind that what is around it; then the command that fetches all of it."""
    more = f" whole: {answer.command}" if answer.command else ""
    room -= count(f"{answer.anchor}{more}\n") + 2 * MARK_TOKENS
    if room < _MIN_FACTS:
        return []
    text, head = answer.text, fitting(answer.text, room, count)
    spans = [(0, head)]
    if answer.at + MIN_AROUND > head:
        head = fitting(text, room // 3, count)
        start = text.rfind(" ", head, answer.at) + 1 or max(head, answer.at - MIN_AROUND)
        spans = [(0, head), (start, start + fitting(text[start:], room * 2 // 3 - MARK_TOKENS, count))]
    return [answer.anchor + shortened(text, spans) + more]


# -- facts ------------------------------------------------------------------------------------


def _choose_facts(outline: Outline, budget: int, count: Count, state: State) -> list[Fact]:
    """Rank 0 and notes always (clipped if they must be), then by rank while their share lasts; returns all by rank."""
    little = max(1, budget)  # the less room, the more of it goes to an overview
    share = outline.facts_share * (1 + 200 / little) + max(0.0, 60 / little - 0.1)
    share = min(max(0.6, outline.facts_share), share)
    pressure = pressure_of(outline.items, budget)
    pressed = share * min(1.0, max(FACTS_LEAST * (pressure > NEARLY_ALL_FIT), (pressure - 1) / FACTS_PRESSURE))
    facts = sorted([*outline.facts, *(Fact(note, 0) for note in outline.notes)], key=lambda f: f.rank)
    if outline.header:
        cost = count(outline.header + "\n")
        state.header = budget >= 4 * cost  # else there is room for facts and reasons alone
        state.headless = not state.header
        state.room -= cost if state.header else 0
    state.reserve = 0 if outline.keeps_told else min(_keep_need(outline.items), int(budget * KEEP_SHARE))
    spent, always, most = 0, 0, int(state.room) - state.reserve
    for place, fact in enumerate(facts):  # rows are no less of the input than what they would give way to
        table = fact.rows or (fact.shows and "\n" in fact.text)  # what it shows stands nowhere else
        left = min(int(budget * (share if table else pressed)) + always * fact.rows, most) - spent
        rounded = min(left * ROUNDED, most - spent)
        if fact.rows and left < measured(fact.text + "\n", rounded, count) <= rounded:
            left = int(left * ROUNDED)  # a table that lacks a row or two
        allowed = min(int(state.room), left if fact.rank else max(left, budget * 2 // 3))
        spent += (cost := _say(place, fact, allowed, count, state))
        always += 0 if fact.rank or outline.header else cost  # it takes nothing of the share of rows
    return facts


def _say(place: int, fact: Fact, allowed: int, count: Count, state: State) -> int:
    """Add a fact, whole, in short or clipped to ``allowed`` tokens; returns what it cost."""
    text, cost = "", allowed + 1
    for text in filter(None, (fact.text, fact.short, fact.least)):
        cost = measured(text + "\n", allowed, count)
        if cost <= allowed:
            break
    if cost > allowed:
        half = fact.short or " · " in text  # of a sentence it says nothing, nor does the less half of a fact
        worth = allowed >= _MIN_GAPS and (
            not fact.rank or "\n" in text or (half and measured(text + "\n", allowed * 2, count) < allowed * 2)
        )
        if not worth:
            return 0
        lines = "\n" in text
        text = clip_lines(text, allowed - 1, count, fact.order) if lines else clip(text, allowed - 1, count)
        cost = count(text + "\n")
        if not text or cost > allowed:
            return 0
    state.facts[place] = text
    state.room -= cost
    return cost


def _say_more(facts: list[Fact], count: Count, state: State) -> bool:
    """Room that no item fits: facts that had been clipped or left out."""
    before = state.room
    for place, fact in enumerate(facts):
        text = state.facts.get(place, "")
        if text != fact.text and state.room >= _MIN_FACT:
            back = count(text + "\n") if text else 0
            state.room += back
            if not _say(place, fact, int(state.room), count, state):
                state.room -= back
    return state.room < before


# -- keep -------------------------------------------------------------------------------------


def _choose_keeps(outline: Outline, shown: set[int], count: Count, state: State) -> None:
    """Everything marked but what facts show, if it takes its share at most; else a round of first ones, rarest template
    first."""
    items = outline.items
    kept = [i for i, item in enumerate(items) if item.keep and i not in state.chosen and i not in state.taken]
    kept = [i for i in kept if not shown.issuperset(range(items[i].start, items[i].end + 1))]
    if state.headless:  # a row without the names of its columns, and what is odd about it
        kept = [i for i in kept if items[i].reason]
    scarce = state.explained and state.room < 2 * MIN_AROUND  # too little for two: the first gets all
    room = int(max(state.room * (1.0 if scarce else KEEP_SHARE), min(state.reserve, state.room * 0.95)))
    groups: dict[tuple[int, str], list[int]] = defaultdict(list)
    for i in kept:
        item = items[i]
        groups[(-item.keep, item.template or f"\0{i}")].append(i)
    ordered = sorted(groups.items(), key=lambda g: (g[0][0], -items[g[1][0]].weight, len(g[1]), g[1][0]))
    crowded = _keep_need(items) > room
    cap = _fair_cap([_need(items[members[0]]) for members in groups.values()], room) if crowded else room
    rounds = max((len(members) for _, members in ordered), default=0)
    for turn in range(rounds):
        for _, members in ordered:
            if turn >= len(members) or (crowded and turn and len(members) > 3 * turn + 3 and room < _CROWDED):
                continue
            rest = members[turn + 1 :] if crowded and turn == 0 else []
            most = room if items[members[turn]].whole else min(cap, room)
            room -= _take_keep(items, members[turn], rest, most, count, state)
        if room < _MIN_ITEM:
            break


def _keep_need(items: Sequence[Item]) -> int:
    """About how many tokens all kept items take, whole."""
    return sum(_need(item) for item in items if item.keep)


def _need(item: Item) -> int:
    start, end = _around(item)
    return (end - start + len(item.reason)) * 2 // 7 + 6


def _fair_cap(needs: list[int], room: int) -> int:
    """The most tokens one item may take so that none crowds out another: lines whole, longer ones alike."""
    left = room
    for n, need in enumerate(sorted(needs)):
        fair = left // (len(needs) - n)
        if need > fair:
            return max(MIN_KEPT, fair)
        left -= need
    return room


def _fold(items: Sequence[Item], like: list[int], room: int, count: Count) -> str:
    """How many are like an item, and the first of them where there is room."""
    named, short = folded(items, like), folded(items, like, named=False)
    return short if count(short) < room <= count(named) else named


def _take_keep(items: Sequence[Item], i: int, like: list[int], room: int, count: Count, state: State) -> int:
    """Show item ``i`` whole, or its first and last lines if it is too long; returns its cost in tokens."""
    item = items[i]
    suffix = f" ← {item.reason}" if item.reason else ""
    section = item.section if item.section and item.section not in state.sections else ""
    overhead = (count(section + "\n") if section else 0) + state.begins(item)
    spans = [_around(item)]
    (start, end), marks = spans[0], spans[0] != (0, len(item.text))
    if like and not state.explained:  # the facts say how many there are: of a cause not every row is kept
        state.like[i] = _fold(items, like, room - count(item.text[start:end] + suffix), count), like
        suffix += state.like[i][0]
    overhead += count(item.text[: item.lead]) if start >= item.lead else 0
    cost = count(item.text[start:end] + suffix + "\n") + 2 * MARK_TOKENS * marks + overhead
    if cost > room:
        left = room - overhead - MARK_TOKENS
        most = left * 3 // 5
        if state.explained:  # the row before why it is there; after the first whole or not at all
            most = left - count(item.text)
        elif (item.whole or (end - start <= KEPT_WHOLE and "\n" not in item.text)) and state.chosen:
            most = left - count(item.text[start:end]) - 2 * MARK_TOKENS * marks
        if most < 0 and state.chosen:  # the others stand there whole, and their number is said
            return 0
        most = max(0, most)
        suffix = clip(suffix, most, count)
        spans = _shrink(item, left - count(suffix), count, state.least) if suffix or not state.headless else []
        if not spans:
            return 0
        cost = sum(count(item.text[a:b]) for a, b in spans) + count(suffix) + MARK_TOKENS * len(spans) + overhead
        if cost > room:
            return 0
    if item.section:
        state.sections.add(item.section)
        state.seen |= atoms(item.section)
    state.begun.add(item.series)
    state.chosen[i] = spans
    state.suffix[i] = suffix
    for start, end in spans:
        state.seen |= atoms(item.text[start:end])
    state.room -= cost
    return cost


def _around(item: Item) -> tuple[int, int]:
    """The part of a kept item that is shown: a long line around what it is kept for, whole words, else all of it."""
    text = item.text
    if item.at < 0 or len(text) <= KEPT_WHOLE or "\n" in text:
        return 0, len(text)
    if item.at <= KEPT_WHOLE - MIN_AROUND:  # its beginning (a stamp, a level) says whose it is
        return 0, max(text.rfind(" ", item.at + MIN_AROUND, KEPT_WHOLE), item.at + MIN_AROUND)
    start = max(0, min(item.at - KEPT_LINE // 3, len(text) - KEPT_LINE))
    start = text.find(" ", start, item.at) + 1 if start > KEPT_LINE // 8 else 0
    end = text.rfind(" ", item.at + KEPT_LINE // 3, start + KEPT_LINE)
    return start, end if end > 0 else start + KEPT_LINE


def _shrink(item: Item, room: int, count: Count, least: int) -> list[tuple[int, int]]:
    """A head and a tail of a long kept item: the first line says what, the last line often says why. Of one line that
    is kept for a word or a number, what stands around it."""
    text = item.text
    if room < _MIN_REST:
        return []
    if item.at >= 0 and "\n" not in text:
        return _shrink_around(text, item.at, room, count)
    if item.keep == Keep.SEVERE and len(text) > KEPT_WHOLE and "\n" not in text and not item.flow:
        spans = _what_and_why(text, room, count)
        return spans if spans and spans[-1][1] > item.lead + MIN_AROUND else []  # when and where alone say nothing
    if "\n" not in text or item.flow:
        return [(0, head)] if (head := fitting(text, room, count)) >= min(least, len(text)) else []
    return _both_ends(text, room - MARK_TOKENS, count)


def _what_and_why(text: str, room: int, count: Count) -> list[tuple[int, int]]:
    """What failed, and its cause at the end of the same line; its beginning alone where that has no room."""
    half = (room - MARK_TOKENS) // 2
    head = fitting(text, half, count)
    start = text.find(" ", max(head, len(text) - head)) + 1
    while start > 0 and count(text[start:]) > half:
        start = text.find(" ", start) + 1
    if start <= head or len(text) - start < MIN_AROUND or head < MIN_AROUND:
        return [(0, head)] if (head := fitting(text, room, count)) else []
    return [(0, head), (start, len(text))]


def _both_ends(text: str, room: int, count: Count) -> list[tuple[int, int]]:
    """Whole lines from both ends: the first says what, the last often why; of two that are too long their heads."""
    lines = text.split("\n")
    costs = [count(line + "\n") for line in lines]
    starts = [*accumulate((len(line) + 1 for line in lines), initial=0)]
    if costs[0] + costs[-1] > room:
        head = fitting(lines[0], max(room // 2, room - costs[-1]), count)
        if head < min(MIN_AROUND, len(lines[0])):
            return []
        tail = fitting(lines[-1], room - count(text[:head]), count)
        return [(start, start + size) for start, size in ((0, head), (starts[-2], tail)) if size]
    first, last = 1, len(lines) - 1  # lines[:first] and lines[last:] are shown
    room -= costs[0] + costs[-1]
    while first < last:
        behind = len(lines) - last <= first
        at = last - 1 if behind else first
        if costs[at] > room:
            break
        room -= costs[at]
        first, last = first + (not behind), last - behind
    return [(0, len(text))] if first == last else [(0, starts[first] - 1), (starts[last], len(text))]


def _shrink_around(text: str, at: int, room: int, count: Count) -> list[tuple[int, int]]:
    """From the place on, and a fifth of the room or what is left of it before; nothing where that says nothing."""
    if count(text[: at + MIN_AROUND]) <= room:
        return [(0, fitting(text, room, count))]
    room -= MARK_TOKENS
    end = at + fitting(text[at:], room * 4 // 5, count)
    start = at
    while (before := text.rfind(" ", 0, max(0, start - 1)) + 1) and count(text[before:end]) <= room:  # whole words
        start = before
    end = start + fitting(text[start:], room, count)
    return [(start, end)] if end - at >= min(MIN_AROUND, len(text) - at) else []


def _told(state: State, facts: Sequence[Fact]) -> set[int]:
    """The units that facts show."""
    units = set[int]()
    for place, text in state.facts.items():
        lines = set(text.split("\n"))
        fact = facts[place]
        short, least = fact.short or fact.text, fact.least or fact.text
        for *forms, shows in zip(*(one.split("\n") for one in (fact.text, short, least)), fact.shows, strict=False):
            units.update(() if lines.isdisjoint(forms) else shows)
    return units


def _ranges(shown: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The units of which anything stands in the body, each once, first to last; a blank line where it is printed."""
    ranges: list[tuple[int, int]] = []
    for first, end in sorted(shown):
        if ranges and first <= ranges[-1][1] + 1:
            ranges[-1] = ranges[-1][0], max(ranges[-1][1], end)
        elif first:
            ranges.append((first, end))
    return ranges


def _leads(outline: Outline, state: State) -> dict[str, tuple[int, int]]:
    """What stands above shown items because it belongs there, and its units: those of the item that says it, else the
    number that it has."""
    sections = sorted({outline.items[i].section for i in state.chosen} - {""}) if outline.unit == "line" else []
    known = {item.text: (item.start, item.end) for item in outline.items} if sections else {}
    parts = [part for section in sections for part in ([section] if section in known else section.split("\n")) if part]
    return {part: known.get(part) or numbers(part, outline.shift) for part in parts}


def parts(outline: Outline, state: State | None = None, ranges: Sequence[tuple[int, int]] = ()) -> str | None:
    """How many parts of its units are shown: None for units without, nothing said where an answer holds some."""
    if not outline.parts:
        return None
    counts = {name: 0 for name, n in outline.parts.items() if n}
    begun = 0
    for item in (outline.items[i] for i in state.chosen) if state else ():
        whole = item.head[0] and any(first <= item.start and item.head[1] <= last for first, last in ranges)
        begun += item.head[0] in counts and not whole
        name, n = (item.head[0], 1) if whole else item.part
        if name in counts:
            counts[name] += n
    answered = state is not None and state.answered
    shown = (f"{n:,} of {outline.parts[name]:,} {name}" for name, n in counts.items())
    return "" if answered else ", ".join(shown) + (f" and {begun:,} in part" if begun else "")
