"""What pytest reports of a test that failed: for each function on the way its source up to the line that failed, what
is said of it, and the place. One's own stand whole; of a library what is said and the place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from mcpcompact.content.log.entries import Entry
from mcpcompact.content.log.runners import bare
from mcpcompact.content.log.templates import category
from mcpcompact.content.shared.frames import LIBRARY
from mcpcompact.outline import Item, Keep
from mcpcompact.patterns import regex

_FAILED: Final = ("FAILURES", "ERRORS")
_HEADING: Final = regex(r"_+ [^_\s].* _+$")
_APART: Final = regex(r"(?:_ ){4,}_?$|During handling of|The above exception was|-{3,} Captured .* -{3,}$")
_PLACE: Final = regex(r"[^\s:][^:]{0,300}\.\w{1,5}:\d{1,7}:(?: (?P<inner>in )?\S{1,200})?$")
_SAYS, _SOURCE = "E  ", (" ", ">")  # what begins lines
_DETAIL: Final = regex(r"E +\+ +(?:where|and) ")  # of an assertion: what its parts were
WHOLE, CHARS = 16, 1_000  # lines and characters of what stands together
LAST, SAID = 8, 6  # lines of a longer source up to the one that failed; lines of a longer message
ARGUMENTS: Final = 4  # lines above a source that stand with it
FIRST, NEXT = 5.0, 0.8  # weights: of the first failure, before how the run ended; factor for each further one
SAYS_WHY, FURTHER = 1.5, 0.3  # the same of what is said; of the rest, and of where a library was


class Frame(NamedTuple):
    """A function on the way: its lines and the number of the first; whether it is one's own; which test's it is."""

    first: int
    lines: Sequence[str]
    own: bool
    test: int

    def parts(self) -> Iterator[tuple[int, int, float]]:
        """Which lines stand together, from and up to, and their weight."""
        lines, n = self.lines, len(self.lines)
        place = next(at for at, line in enumerate(lines) if _PLACE.match(line))
        said = next((at for at, line in enumerate(lines) if line.startswith(_SAYS)), place or n)
        begin = min(place, next((at for at, line in enumerate(lines) if line.startswith(_SOURCE)), said))
        short = 0 if begin <= ARGUMENTS else begin  # with the arguments, where these are few
        detail = next((at for at in range(said, n) if _DETAIL.match(lines[at])), n)
        long = detail < n or n - said > SAID + 2
        ends = place if place >= said and long else n
        if self.own and n - short <= WHOLE and sum(map(len, lines[short:])) <= CHARS:
            cuts = [(short, FURTHER), (n if said == place else said, 1.0)]
        elif self.own:
            cuts = [(begin, FURTHER), (begin + 1, 1.0), (said - LAST, FURTHER), (said, 1.0)]
        else:
            cuts = [(place, 0.0), (place + 1, FURTHER), (said, 0.0)] if place < said else [(said, 0.0)]
        stop, at = min(said + SAID, ends, detail) if long else n, 0
        for end, weight in [*cuts, (stop, SAYS_WHY), (ends, FURTHER), (n, 1.0)]:
            if end > at:
                yield at, end, weight
                at = end


class Reported(NamedTuple):
    """``frames`` by the numbers of their first lines; ``quoted``: lines of source, of which no word is news;
    ``weights`` of the items that they make."""

    frames: dict[int, Frame]
    quoted: set[int]
    weights: dict[int, float]

    @classmethod
    def of(cls, lines: Sequence[tuple[int, str]]) -> Reported:
        frames = {one.first: one for one in _frames(lines)} if any("== " in line for _, line in lines) else {}
        known = ((n, line) for one in frames.values() for n, line in enumerate(one.lines, one.first))
        return cls(frames, {n for n, line in known if not line.startswith(_SAYS)}, {})

    def apart(self, entries: Iterable[Entry], items: list[Item]) -> Iterator[Entry]:
        """The entries without the frames, of which the ``items`` are added."""
        behind = 0
        for start, end, lines in entries:
            at = max(start, behind)
            for first in [n for n in range(at, end + 1) if n in self.frames]:
                if first > at:
                    yield at, first - 1, lines[at - start : first - start]
                behind = at = first + len(self.frames[first].lines)
                items += self._items(first)
            if at <= end:
                yield at, end, lines[at - start :]

    def _items(self, start: int) -> Iterator[Item]:
        """What is shown of the frame that begins there."""
        frame = self.frames[start]
        says = category(next((line for line in frame.lines if line.startswith(_SAYS)), ""))
        for at, end, weight in frame.parts():
            lines = frame.lines[at:end]
            keep = Keep.SEVERE if (says or frame.own) and weight >= 1 else Keep.NONE
            self.weights[start + at] = weight * FIRST * NEXT**frame.test
            text, group = f"{start + at}: " + "\n".join(lines), f"{says}/{at}/{category(lines[0])}" if keep else ""
            flow = "lines" if len(lines) > WHOLE else ""
            yield Item(start + at, start + end - 1, text, keep, template=group, whole=not flow, flow=flow)


def _frames(lines: Sequence[tuple[int, str]]) -> Iterator[Frame]:
    """Each ends with its place, or begins with it."""
    inside, test, begun = False, -1, list[tuple[int, str]]()
    for number, raw in lines:
        line = bare(raw).rstrip()
        ruled = line.startswith("==") and line.endswith("==")
        titled = inside and line.endswith("_") and _HEADING.match(line) is not None
        place = _PLACE.match(line) if inside else None
        headed = bool(begun) and _PLACE.match(begun[0][1]) is not None
        if headed and (not line or place or titled or ruled or _APART.match(line)):
            yield _frame(begun, test)
            begun = []
        if ruled or titled or (inside and _APART.match(line)):
            inside, test, begun = line.strip("= ") in _FAILED if ruled else inside, test + titled, []
        elif inside and (line or begun):
            begun.append((number, line))
        if place and not place["inner"]:
            yield _frame(begun, test)
            begun = []


def _frame(lines: Sequence[tuple[int, str]], test: int) -> Frame:
    texts = [line for _, line in lines]
    return Frame(lines[0][0], texts, not any(LIBRARY.match(line) for line in texts if _PLACE.match(line)), max(test, 0))
