"""Changelogs and notes by date: where each release stands, what the newest one or the newest notes say first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

from mcpcompact.outline import Fact, Item, Keep, Series
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

MIN, MAX = 2, 0.5  # releases; of the headings of their level these must be
NEWEST, STEP, SHARE = 3.9, 0.004, 1.0  # weight of what the newest says first, how much less each has; of the room
LITTLE = 0.05  # weight of no change
NOW, DATED_SHARE = 4.4, 0.8  # weight of what the newest notes say first; of the room
OLDER = 0.1  # factor on what was said before: its next steps are done or dropped
RUN = 16  # newest releases, of which none is shown without those before it
TOLD = 1_000, 200  # characters of the list of releases, and for less room

_HEADING = regex(
    r"@?\d+(?:-\d+)? (#{1,4} |\*\*(?=[^*]*\*\*:?$))\W{0,3}(?:(?:[Vv]ersion|[Rr]elease) "
    r"|[\w.-]{1,40} (?=\S+ +Released |v\d)|[a-z0-9.+-]{2,60} \((?:\d+:)?(?=[^()]*\) .*; urgency=))?"
    r"(\d{4}-\d\d-\d\d\b|v?\d+\.\d[\w.+~-]*|v\d+|[Uu]nreleased\b)"
    r"[\]*`]*(?: ?\([^()]*\))?(?:$|\) .*; urgency="
    r"|[\s(,:/–—-]+(?:$|\d{1,4}[-./ ,]|[A-Z][a-z]+ \d|[Vv]ersion|[Uu]nreleased|[Cc]hanges$|TBD|by |Released ))",
    holds=("#", "**"),
)
_BREAKS = regex(
    r"(?i)\bbreaking\b|\bincompatible\b|\bCVE-\d|# (?:Removed|Security)\b|no longer supports?\b"
    r"|(?:[-*+] |: |\b(?:is|are|was|were|been) )(?:remov(?:e[sd]?|als?)|drop(?:s|ped)?)\b"
)
_ENTRY = regex(r"@?\d+(?:-\d+)? \s*[-*+•] (?!\W*\[[^\[\]]*\]\(#)")  # of a list, not of contents
_LITTLE = regex(
    r"(?is)@?\d+(?:-\d+)? (?:\W*|.{0,160}\b(?:are|were|contains?|has|includes?|with) )no (?:[\w/-]+ ){0,6}changes?\b"
    r"(?! (?:needed|required|necessary))|@?\d+ .{0,9}version bump only\b|.*:$"
)
_DIGITS = regex(r"\d+")
_MARKED = regex(r"@?\d+(?:-\d+)? (#{1,6}) (.*)")
_DATED = regex(
    r"(?i)\W{0,3}(?:(?:session|entry|update|log|notes|status|day|week|sprint|iteration|standup|meeting|progress|"
    r"hand-?off|checkpoint)\b(?: #?\d{1,4})?(?: (?:log|notes|update))?\W{1,4}(?:.{1,80}\()?)?"
    r"(\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d)?)\b"
)
_YEAR = regex(r"\b(?:19|20)\d\d\b")
_STATE = regex(
    r"(?im)^@?\d+(?:-\d+)? (?:#{1,6} |[-*+] |\d+[.)] )?\W{0,4}(?:(?:current|overall|project) )?(?:status|state|next|"
    r"blockers?|blocked|open (?:questions?|items?|issues?|tasks?)|in progress|remaining|to-?dos?|pending|outstanding|"
    r"(?:test |known )?(?:results|issues))\b"
)


def names_release(title: str) -> bool:
    """Whether a heading names a release: no title of the whole."""
    return _HEADING.match(f"1 # {title}") is not None


def newest_first(items: Sequence[Item]) -> list[Fact]:
    """Where headings name releases, raise what the newest says, lower what older ones do; what to say of them."""
    matches = [(n, match) for n, item in enumerate(items) if (match := _HEADING.match(item.text))]
    levels = Counter(match[1] for _, match in matches)
    level = max(levels, key=lambda level: (levels[level], -len(level)), default="")
    heads = [(n, match[2]) for n, match in matches if match[1] in (level, "**")]  # one in bold is a release, too
    beside = sum(f" {level}" in item.text[:24] for item in items if item.flow == "sentences")
    if len(heads) < MIN or levels[level] < MAX * beside:
        return []
    spans = [(begin, end) for (begin, _), (end, _) in zip(heads, [*heads[1:], (len(items), "")], strict=True)]
    numbered = [[*map(int, _DIGITS.findall(name))] for _, name in heads if _DIGITS.search(name)]
    if 2 * sum(one < other for one, other in pairwise(numbered)) > len(numbered):
        spans.reverse()
    texts = Counter(_DIGITS.sub("", item.text) for item in items if not _ENTRY.match(item.text))
    raised, newer = 0, [0]
    for item in items:
        item.keep = Keep.NONE  # an error that was mended is none
    for begin, end in spans:
        changes = _changes(items[begin:end], texts, first=not raised)
        _of_one(items[begin:end])
        for n, item in enumerate(changes, raised):
            item.weight = max(0.0, NEWEST - n * STEP)
            item.under = item.under or newer[-1]
            newer += [item.start] * (n == raised and len(newer) <= RUN)
        raised += len(changes)
    places = [f"{items[n].start} {name}" for n, name in heads]
    amount = counted(len(numbered), "release") + " and what is unreleased" * (len(numbered) < len(heads))
    full, brief = (f"{amount}, each with its line: {_listed(places, most)}" for most in TOLD)
    first, last = (f"{name} (line {items[n].start})" for n, name in (heads[0], heads[-1]))
    return [Fact(full, 1, brief, least=f"{amount}, from {first} to {last}")]


def _of_one(release: Sequence[Item]) -> None:
    """The entries of a release are of one list, also where each kind of change has its own."""
    entries = [item for item in release if _ENTRY.match(item.text)]
    for item in entries if len(entries) > 1 and not any(one.whole for one in entries) else ():  # no list is one
        item.series = Series("item", release[0].start, len(entries))


def _listed(places: Sequence[str], most: int) -> str:
    """The first of the places that have room, and how many more there are."""
    shown = max(1, sum(end <= most for end in accumulate(len(place) + len(" · ") for place in places)))
    left = len(places) - shown
    return " · ".join(places[:shown]) + f" · … {left:,} more, to {places[-1]}" * bool(left)


def _changes(release: Sequence[Item], texts: Mapping[str, int], first: bool) -> list[Item]:
    """What changed in a release: of the ``first`` what its writer says of the whole; then what breaks, entries of lists
    before paragraphs and rows; the rest says less."""
    changes = list[tuple[int, Item]]()
    for n, item in enumerate(release):
        if _MARKED.match(item.text):
            item.weight = 0.0  # it comes along with what stands below it
        elif n == 1 and first and item.flow != "lines" and not (_ENTRY.match(item.text) or _LITTLE.match(item.text)):
            changes.append((-1, item))
        elif item.flow == "lines" or texts[_DIGITS.sub("", item.text)] > 1 or _LITTLE.match(item.text):
            item.weight = min(item.weight, LITTLE)
        elif item.weight > 0:
            changes.append((2 * (not _ENTRY.match(item.text)) + (not _BREAKS.search(item.text + item.section)), item))
    return [item for _, item in sorted(changes, key=lambda change: change[0])]


def newest_dated(items: Sequence[Item]) -> list[Fact]:
    """Where headings of notes hold dates, raise what those without one say of the state; where these are in order,
    what the newest says, and lower what older ones do; where the newest is."""
    titles = [_MARKED.match(item.text if item.flow != "lines" else "") for item in items]  # no comments of code
    heads = {n: (len(match[1]), match[2]) for n, match in enumerate(titles) if match}
    matches = {n: (level, _DATED.match(text)) for n, (level, text) in heads.items()}
    dated = {n: (level, match[1].replace("T", " ")) for n, (level, match) in matches.items() if match}
    levels = Counter(level for level, _ in dated.values())
    level = max(levels, key=lambda level: (levels[level], -level), default=0)
    dates = {n: date for n, (own, date) in dated.items() if own == level}
    first, *_, last = [date for _, date in dated.values()] if len(dated) >= MIN else ("", "")
    beside = [text for n, (own, text) in heads.items() if own == level and n not in dates]
    if len(dates) < max(MIN, len(beside)) or any(map(_YEAR.search, beside)):
        return []
    ordered = first != last and max(dates.values()) == max(date for _, date in dated.values())
    newest = max(dates, key=lambda n: (dates[n], -n if first > last else n)) if ordered else None
    section, begins, end, now, more = -1, True, 0, list[Item](), list[Item]()
    for n, item in enumerate(items):
        if heads.get(n, (level + 1,))[0] <= level:
            section, begins = n if n in dates else -1, True
        if section not in (-1, newest):
            if ordered:  # an error of then may be mended
                item.weight, item.keep = item.weight * OLDER, Keep.NONE
            continue
        end = item.end if section == newest else end
        if n not in heads and item.weight > 0:
            state = _STATE.search(f"{item.section}\n{item.text}") is not None
            if state or section == newest:
                (now if state or begins else more).append(item)
            begins = False
    for n, item in enumerate(now + more):
        item.weight = NOW - n * STEP
    if newest is None:
        return []
    start = items[newest].start
    return [Fact(f"Newest of {len(dated):,} dated sections: lines {start:,}–{end:,}", 0, points=(start, end))]
