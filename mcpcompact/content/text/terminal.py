"""What stood on a terminal (``tmux capture-pane``): commands and their outputs; an agent's acts, results and messages.

The last of it tells how things are; a line wrapped to the width cannot be quoted, a paragraph can.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mcpcompact.content.anomalies import words
from mcpcompact.content.shared.lines import blank_lines, bounded, is_wrapper, states, truncations
from mcpcompact.outline import Fact, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted

ACTS, RESULTS = 3, 2  # acts and messages, and results below them, that no document has by chance
AMONG = 25  # lines, of which one is an act, where no prompt ends the screen
END = 8  # lines at the end of a screen, in which its prompt stands
SHOWN, LEFT = 8, 2  # lines of a paragraph that stand together, of a longer one the first; so few more are not apart
OWN, TYPED, ROUTINE, REST = (
    4.0,
    3.0,
    0.3,
    1.0,
)  # weights: what the agent does and says, what was typed, look-ups, others
LATER = 0.9  # factor on the weight from the first line to the last, so that the latest comes first
ENDED = 1.2  # factor for the end of a command's result
SHARE = 0.7  # of the room that the latest takes before all else

_SHELL = regex(
    r"(?:[\w.-]{1,40}@[\w.-]{1,40}[: ][^$#]{0,80}[$#](?: |$)|➜ |PS [A-Z]:\\[^>]{0,80}>)", holds=("@", "➜", "PS ")
)
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


def is_terminal(lines: Sequence[str]) -> bool:
    """Whether a prompt waits at the end for one more command; or acts and messages of an agent stand at the left, and
    results below them or its prompt at the end."""
    last = next((line for line in reversed(lines) if line.strip() and not is_wrapper(line)), "")
    waits = last.rstrip().endswith(_WAITS) and _SHELL.match(last)
    if not waits and all(map(str.isascii, lines)):  # no act
        return False
    filled = [line for line in lines if line.strip() and not is_wrapper(line)]
    if waits:
        return sum(_SHELL.match(line) is not None for line in filled) >= ACTS
    acts = sum(not line[0].isascii() and _ACT.match(line) is not None for line in filled)
    if not acts:
        return False
    prompted = any(map(_TYPED.match, filled[-END:]))
    typed = sum(_TYPED.match(line) is not None for line in filled) if prompted else 0
    if acts + typed < ACTS:
        return False
    results = sum(_RESULT.match(line) is not None for line in filled)
    return (results >= RESULTS and (prompted or acts * AMONG >= len(filled))) or (prompted and results >= typed)


def outline(lines: list[str]) -> Outline:
    """An item a paragraph (an act with its result), the latest first where there is not room for all."""
    signs = Counter(line[0] for line in lines if _ACT.match(line))  # of acts and messages, notices, a spinner
    begin = f"{signs.total():,} of them begin with {' or '.join(signs)} and a blank"
    prompts = counted(sum(_SHELL.match(line) is not None for line in lines), "prompt")
    told = f"{counted(len(lines), 'line')}, {begin if signs else f'{prompts} of a shell'}"
    return Outline(
        content_type="text",
        unit="line",
        total=len(lines),
        headline=told,
        facts=[Fact(f"Terminal: {told}.", 0), *truncations(lines), *states(lines)],
        items=bounded([*_items(lines)]),
        more=[("--lines", "A:B")],
        facts_share=0.1,
        frame_share=SHARE,
        blank=blank_lines(lines),
    )


def _items(lines: Sequence[str]) -> Iterator[Item]:
    weight = REST
    paragraphs = [*_paragraphs(lines)]
    said = max((n for n, (first, last) in enumerate(paragraphs) if _is_message(lines[first:last])), default=-1)
    for n, (first, last) in enumerate(paragraphs):
        line = lines[first]
        shell = _SHELL.match(line) is not None
        begins = next((i for i in range(first + 1, last) if _RESULT.match(lines[i])), first + 1 if shell else last)
        if shell or _ACT.match(line) or _TYPED.match(line):
            weight = TYPED if _TYPED.match(line) else ROUTINE if _ROUTINE.match(line) else OWN
        for at in range(first, max(first + 1, last - LEFT), SHOWN):
            end = last if last - at <= SHOWN + LEFT else at + SHOWN
            text = "\n".join(_PADDING.sub("   ", _EDGE.sub("", one)) for one in lines[at:end])
            late = 1.0 if n == said else LATER ** (1 - at / len(lines))
            own = weight if at == first else weight * ENDED if begins < end == last else min(weight, REST)
            below = [] if weight == ROUTINE else lines[max(at, begins) : end]  # what was looked for is no failure
            wrong = words.states("\n".join(below)) or (_FAILED.match(line) and at == first)
            keep = Keep.SEVERE if wrong else Keep.NONE
            yield Item(at + 1, end, f"{at + 1} {text}", keep, weight=own * late, whole=True)
        weight = REST if weight == TYPED else weight  # what was pasted below it, no act


def _is_message(lines: Sequence[str]) -> bool:
    """Whether it is a sentence of the agent, no call and no sign that it works."""
    return _ACT.match(lines[0]) is not None and not _BUSY.search(lines[0]) and not any(map(_RESULT.match, lines))


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Lines between blank ones, rulers and the next act, by index: the first, and the one behind the last. What
    announces others stands with these, a result whole."""
    begun = end = -1
    result = False
    for i, line in enumerate([*lines, "", ""]):
        empty = not any(map(str.isalnum, line)) or is_wrapper(line)
        result = begun >= 0 and (result or (_RESULT.match(line) is not None and _ACT.match(lines[begun]) is not None))
        goes_on = result and not line.strip() and _DEEP.match("".join(lines[i + 1 : i + 2]))
        ended = empty and not goes_on and (i > end or not _HEADS.match(lines[end - 1]))
        if begun >= 0 and (_ACT.match(line) or _SHELL.match(line) or ended):
            yield begun, end
            begun, result = -1, False
        if not empty:
            begun, end = i if begun < 0 else begun, i + 1
