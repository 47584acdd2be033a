"""What stood on a terminal (``tmux capture-pane``): commands and their outputs; an agent's acts, results and messages.

The last of it tells how things are; a line wrapped to the width cannot be quoted, a paragraph can.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import count, pairwise

from mcpcompact.content.anomalies import words
from mcpcompact.content.shared import lines as shared
from mcpcompact.content.text.sections import failures, weight
from mcpcompact.outline import Fact, Item, Keep, Outline
from mcpcompact.patterns import ESCAPE, regex
from mcpcompact.phrasing import counted

ACTS, RESULTS = 3, 2  # acts and messages, and results below them, that no document has by chance
AMONG = 25  # lines, of which one is an act, where no prompt ends the screen
END = 8  # lines at the end of a screen, in which its prompt stands
SHOWN, LEFT = 8, 2  # lines of a paragraph that stand together, of a longer one the first; so few more are not apart
OWN, TYPED, ROUTINE, REST = 4.0, 3.0, 0.3, 1.0  # weights: what the agent does and says, is typed, looked up, others
LATER = 0.9  # factor on the weight from the first line to the last, so that the latest comes first
COMMAND = 1_000  # characters of a command that stands whole
NEAR = 0.02  # less for each line below a failure
ENDED = 1.2  # factor for the end of a command's result, and for what stands below a failure
SHARE = 0.7  # of the room that the latest takes before all else

OPENING = 8  # lines at the beginning of a recording
LAST, LOW = 12, 0.3  # lines with which the last command ended; weight of routine, and of what stood there before
NEARLY, TICK = 0.98, 1e-6  # factor for lines with which a command ended, less than it; the later ones come first
_RECORDED = regex(r".{0,80}\x1b\[\?2004[hl]", holds="\x1b")  # a shell says whether it takes what is pasted as one
_SET_UP = regex(
    r"The following .{0,60}packages|(?:Suggested|Recommended) packages:|(?:Need to get|After this operation,) [\d,.]+ "
    r"|(?:Reading (?:package|state)|Building dep)|debconf: |update-alternatives: "
)  # what apt says before it begins
_ACT = regex(r"[•◦⏺●◐✻✽✢✗✘] +\S")
_WAITS = ("$", "#", "➜", "✗", "✔", ")", ">")  # ends of a prompt without a command
_TYPED = regex(r"(?:[│┃] )?[›❯>](?: |$)", holds="›❯>")
_RESULT = regex(r" {1,5}[└⎿] |[╭╰]─")  # also the box in which an agent says what it is
_DEEP = regex(r" {4,}\S")  # as lines of a result are indented
_ROUTINE = regex(r"[•●⏺] (?:Explored|Read|Searched?|Listed?|Glob|Grep)\b")
_HEADS = regex(r".*:\s*$|(?: {2}|[•●⏺] )[A-Z][\w /-]{2,60}\s*$")  # announces what stands below it
_BUSY = regex(r"\besc to interrupt\b")
_FAILED = regex(r"[✗✘] ")
_EDGE = regex(r"[ \t]+[┃▐█▌]?\s*$")  # a scroll bar
_PADDING = regex(r"(?<=\S) {8,}(?=\S)")  # between the two ends of a status line


def plain(lines: Sequence[str]) -> Sequence[str]:
    """The lines as they stand on the screen in the end: without colours, of one redrawn its last state."""
    if all(map(str.isprintable, lines)):
        return lines
    return [ESCAPE.sub("", shared.last_state(line)[0]).rstrip() for line in lines]


def is_terminal(lines: Sequence[str]) -> bool:
    """Whether a prompt waits at the end for one more command, or what a terminal was sent was recorded; or acts and
    messages of an agent stand at the left, and results below them or its prompt at the end."""
    recorded, lines = any(map(_RECORDED.match, lines[:OPENING])), plain(lines)
    last = next((line for line in reversed(lines) if line.strip() and not shared.is_wrapper(line)), "")
    waits = recorded or (last.rstrip().endswith(_WAITS) and shared.PROMPT.match(last))
    if not waits and all(map(str.isascii, lines)):  # no act
        return False
    filled = [line for line in lines if line.strip() and not shared.is_wrapper(line)]
    if waits:
        scrolled = " " not in last.strip() and "@" in last  # away with all commands
        return scrolled or any(shared.PROMPT.match(line) and not shared.PROMPT.fullmatch(line) for line in filled)
    acts = sum(not line[0].isascii() and _ACT.match(line) is not None for line in filled)
    if not acts:
        return False
    prompted = any(map(_TYPED.match, filled[-END:]))
    typed = sum(_TYPED.match(line) is not None for line in filled) if prompted else 0
    if acts + typed < ACTS:
        return False
    results = sum(_RESULT.match(line) is not None for line in filled)
    return (results >= RESULTS and (prompted or acts * AMONG >= len(filled))) or (prompted and results >= typed)


def outline(lines: Sequence[str]) -> Outline:
    """An item a paragraph (an act with its result), the latest first where there is not room for all."""
    lines = plain(lines)
    signs = Counter(line[0] for line in lines if _ACT.match(line))  # of acts and messages, notices, a spinner
    begin = f"{signs.total():,} of them begin with {' or '.join(signs)} and a blank"
    prompts = sum(shared.PROMPT.match(line) is not None for line in lines)
    acting = signs.total() >= ACTS or not prompts  # fewer are of a command's own (``systemctl status``)
    headline = f"{counted(len(lines), 'line')}, {begin if acting else counted(prompts, 'prompt') + ' of a shell'}"
    items = [*(_items(lines) if acting else _typed(lines))]
    facts = [Fact(f"Terminal: {headline}.", 0), *shared.truncations(lines), *shared.states(lines)]
    return shared.outline_of(
        lines, headline, facts, items, facts_share=0.1, frame_share=SHARE, blank=shared.blank_lines(lines)
    )


def _items(lines: Sequence[str]) -> Iterator[Item]:
    weight = REST
    paragraphs = [*_paragraphs(lines)]
    message = max((n for n, (first, last) in enumerate(paragraphs) if _is_message(lines[first:last])), default=-1)
    for n, (first, last) in enumerate(paragraphs):
        line = lines[first]
        shell = shared.PROMPT.match(line) is not None
        begins = next((i for i in range(first + 1, last) if _RESULT.match(lines[i])), first + 1 if shell else last)
        if shell or _ACT.match(line) or _TYPED.match(line):
            weight = TYPED if _TYPED.match(line) else ROUTINE if _ROUTINE.match(line) else OWN
        for at in range(first, max(first + 1, last - LEFT), SHOWN):
            end = last if last - at <= SHOWN + LEFT else at + SHOWN
            text = "\n".join(_PADDING.sub("   ", _EDGE.sub("", one)) for one in lines[at:end])
            late = 1.0 if n == message else LATER ** (1 - at / len(lines))
            own = weight if at == first else weight * ENDED if begins < end == last else min(weight, REST)
            below = [] if weight == ROUTINE else lines[max(at, begins) : end]  # what was looked for is no failure
            keep = Keep.SEVERE if words.states("\n".join(below)) or (_FAILED.match(line) and at == first) else Keep.NONE
            yield Item(at + 1, end, f"{at + 1} {text}", keep, weight=own * late, whole=True)
        weight = REST if weight == TYPED else weight  # what was pasted below it, no act


def _typed(lines: Sequence[str]) -> Iterator[Item]:
    """Each command, the last lines of what it printed, its failures; of an installation the least."""
    screen, lines = lines, shared.unwrapped(lines)
    tails = {i for i, line in enumerate(lines) if screen[i] and not line}  # which stand in a line above
    filled = [i for i, line in enumerate(lines) if any(map(str.isalnum, line)) and not shared.PROMPT.fullmatch(line)]
    begun = dict.fromkeys(i for i in filled if shared.PROMPT.match(lines[i]))
    filled = sorted({*filled}.difference(_routine(lines)))
    failed, known = {*failures(lines)}, {*_twice(lines, filled)}
    near = {n: i for i in sorted(failed) for n in range(i, i + LAST)}
    texts = set[str]()
    for first, end in pairwise([*([0] if 0 not in begun else []), *begun, len(lines)]):
        late = LATER ** (1 - first / len(lines))
        behind = first + (first in begun)
        while first < behind < end and (behind in tails or lines[behind].startswith("> ")):
            behind += 1
        if first in begun:
            text = "\n".join(filter(None, [f"{first + 1} {lines[first]}", *lines[first + 1 : behind]]))
            yield Item(first + 1, behind, text, weight=OWN * late, flow="lines", whole=len(text) <= COMMAND)
        below = filled[bisect_left(filled, behind) : bisect_left(filled, end)]
        printed = [i for i in below if not shared.is_wrapper(lines[i])]
        news = [i for i in printed if i not in known and lines[i] not in texts and weight(lines[i]) > LOW]
        ends = news[-(LAST if end == len(lines) else LEFT) :]
        texts.update(map(lines.__getitem__, news))
        fresh = {*news}
        for i, *more in _paragraphs_of(printed, lines, near):
            last = next(n for n in count([i, *more][-1] + 1) if n not in tails)
            own = weight(lines[i]) * (ENDED + (near[i] - i) * NEAR if i in near else 1.0) if i in fresh else LOW**2
            own = OWN * late * NEARLY - (end - i) * TICK if i in ends else own
            keep = Keep.SEVERE if i in fresh and not failed.isdisjoint((i, *more)) else Keep.NONE
            yield Item(i + 1, last, "\n".join([f"{i + 1} {lines[i]}", *map(lines.__getitem__, more)]), keep, weight=own)


def _twice(lines: Sequence[str], filled: Sequence[int]) -> Iterator[int]:
    """What is printed again, behind the same line."""
    known = set[tuple[str, str]]()
    for above, i in pairwise(filled):
        both = lines[above], lines[i]
        yield from (i,) if both in known else ()
        known.add(both)


def _paragraphs_of(places: Iterable[int], lines: Sequence[str], near: Container[int]) -> list[list[int]]:
    """Each line; ``near`` a failure with those below it that are indented."""
    paragraphs: list[list[int]] = []
    for i in places:
        goes_on = i in near and lines[i].startswith("  ")
        if paragraphs and goes_on and i == paragraphs[-1][-1] + 1 and len(paragraphs[-1]) < SHOWN:
            paragraphs[-1].append(i)
        else:
            paragraphs.append([i])
    return paragraphs


def _routine(lines: Sequence[str]) -> Iterator[int]:
    """What apt says before it begins, with the lists of packages below."""
    listed = False
    for i, line in enumerate(lines):
        listed = _SET_UP.match(line) is not None or (listed and line.startswith("  "))
        if listed:
            yield i


def _is_message(lines: Sequence[str]) -> bool:
    """Whether it is a sentence of the agent, no call and no sign that it works."""
    return _ACT.match(lines[0]) is not None and not _BUSY.search(lines[0]) and not any(map(_RESULT.match, lines))


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Lines between blank ones, rulers and the next act, by index: the first, and the one behind the last. What
    announces others stands with these, a result whole."""
    begun = end = -1
    result = False
    for i, line in enumerate([*lines, "", ""]):
        empty = not any(map(str.isalnum, line)) or shared.is_wrapper(line)
        result = begun >= 0 and (result or (_RESULT.match(line) is not None and _ACT.match(lines[begun]) is not None))
        goes_on = result and not line.strip() and _DEEP.match("".join(lines[i + 1 : i + 2]))
        ended = empty and not goes_on and (i > end or not _HEADS.match(lines[end - 1]))
        if begun >= 0 and (_ACT.match(line) or shared.PROMPT.match(line) or ended):
            yield begun, end
            begun, result = -1, False
        if not empty:
            begun, end = i if begun < 0 else begun, i + 1
