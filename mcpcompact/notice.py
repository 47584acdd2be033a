"""The notice around a compaction: what happened, that nothing is lost, how to get the rest.

First, outside the data; one short line again at the end. Words that make models misread it are
avoided ("error" where there is none, "corrupt", "compressed", "hash").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from mcpcompact.config import MIN_BUDGET
from mcpcompact.errors import UsageError
from mcpcompact.inputs import envelope as message
from mcpcompact.outline import NOT_IN_ROWS, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.policy import READERS, STYLES, Policy
from mcpcompact.shell import Selector, command, parsed

CALLERS = {"mcpcompact": "mcpcompact results get", "tools": "mcpcompact_get"}
"""Readers that fetch by a call, and how it begins: a command line, or a tool beside the tool whose result it is."""
LIMITS = {"full": 100, "short": 45}  # tokens, lines above and below together
SOME = "1000:1079"  # about as long as the lines that are pointed at, before these are known
HEAD = {"--lines": "1:80", "--bytes": "0:8000"}  # what stands for ``A:B`` where nothing is odd
AROUND_ODD = 5  # lines before and after what is odd
MIN, RUN = 5, 80  # lines that a command asks for of those that are not shown: fewer are not worth a call
HALF = 0.5  # of what is not shown: a run of less is any part of it
KNOWN = 3  # a run of which more than one line in so many is shown is not asked for
SMALL = 6_000  # tokens of an original of which no part is better than all: three pages
MIN_BODY = 24  # tokens that are left to the data: a notice takes fewer words before it takes these
SPARE = 80, 0.07  # tokens, or that part of the budget: what the full notice takes where words can be spared
ROOMY, TIGHT = 250, 40  # under this budget a notice of so many tokens, no selector: the odd thing itself needs the room
NAME_CHARS = 60  # of a tool, in the first line
SHORT_BELOW = 600  # under this budget the short notice is the default


class NoticeFacts(NamedTuple):
    """What a notice says. ``reference`` is the id; ``where`` the path as the reader may know it."""

    name: str = "result"
    is_error: bool | None = None
    exit_code: int | None = None
    original_tokens: int = 0
    exact: bool = True
    headline: str = ""
    unit: str = "item"
    total: int = 0
    shown: int = 0
    cut: int = 0  # marks of texts of which a piece is left out
    texts: int = 0  # further units of which only texts of their own are shown
    by_line: bool = False  # texts are shown by their lines, not all of which need stand there
    parts: str | None = None  # of units that are only named: "12 of 33 features"
    lossless: str = ""
    head: bool = False
    reference: str = ""
    where: str = ""
    command: str = ""  # "mcpcompact results get 3f9c2a1b", ready to run
    more: Sequence[str] = ()  # what may stand behind it, quoted
    written: str = ""  # the model that wrote the text, where one did

    @property
    def whole(self) -> bool:
        """Whether all stands there, so that nothing more is to be had but the original's own form."""
        shown = self.shown == self.total and self.unit in ("line", "value") and not (self.cut or self.by_line)
        return bool(self.lossless) or (shown and not self.written and not self.head)


def check(policy: Policy) -> None:
    """Raise ``UsageError`` for limits, readers and styles that cannot be."""
    if policy.budget < MIN_BUDGET:
        raise UsageError(f"a budget of {policy.budget} tokens is too small", hint=f"use {MIN_BUDGET} or more")
    if policy.threshold is not None and policy.threshold < 0:
        raise UsageError(f"a threshold of {policy.threshold} tokens is negative", hint="use 0 or more")
    if policy.reader not in READERS:
        raise UsageError(f"unknown reader '{policy.reader}'", hint=f"use one of {', '.join(READERS)}")
    if policy.notice is not None and policy.notice not in STYLES:
        raise UsageError(f"unknown notice '{policy.notice}'", hint=f"use one of {', '.join(STYLES)}")


def outcome(envelope: message.Envelope | None, ended: int | None = None) -> bool | None:
    """Whether the call failed, where its message says so; None where it has no place to say it. A command that
    ``ended`` with another code than 0 may have failed or not (``grep``, ``diff``): the code is said, no more."""
    if ended is not None:
        return None if ended else False
    if envelope is None:
        return None
    if envelope.is_error:
        return True
    can_say = envelope.shape in ("mcp", "jsonrpc", "tool_result") or exit_code(envelope) is not None
    return False if can_say else None


def exit_code(envelope: message.Envelope | None, ended: int | None = None) -> int | None:
    """The exit code of the command, or the one that stands beside the payload."""
    return message.exit_code(envelope.beside) if envelope and ended is None else ended


def ready(outline: Outline) -> list[Selector]:
    """The outline's selectors that can be run as they stand: ``A:B`` filled in with the oddest lines, blanks for a
    term and what may not be printed left out."""
    odd = max((item for item in outline.items if item.keep), key=lambda item: (item.keep, -item.start), default=None)
    head = dict(HEAD)
    if odd is not None and outline.unit == "line":
        head["--lines"] = f"{max(1, odd.start - AROUND_ODD)}:{min(outline.total, odd.end + AROUND_ODD)}"
    selectors = (parsed(chosen) for chosen in outline.more)
    filled = ((s[0], head.get(s[0], s[1])) if s[1:] == ("A:B",) else s for s in selectors)
    return list(dict.fromkeys(s for s in filled if s and "TERM" not in s))


def aimed(
    outline: Outline, more: Sequence[Selector | str], shown: Sequence[tuple[int, int]], wanted: Collection[int] = ()
) -> list[Selector]:
    """The part that is worth most of what is not ``shown`` (first and last units, in order); none: all of it is.

    What was asked for (``wanted``: places of items) comes first, then what is odd and of a kind that is not shown, then
    the lines that the facts point at. Where rows lack fields, failed records that a condition names come before what
    is odd but no failure. ``more`` are the selectors that make sense for what is no lines.
    """
    firsts, items = [first for first, _ in shown], outline.items
    before = [0, *accumulate(last - first + 1 for first, last in shown)]

    def standing(unit: int) -> int:
        """How many units up to this one are shown."""
        at = bisect_right(firsts, unit)
        return before[at] - max(0, shown[at - 1][1] - unit) if at else 0

    known = [2 * (standing(i.end) - standing(i.start - 1)) > i.end - i.start for i in items]
    templates = {item.template for item, half in zip(items, known, strict=True) if half and item.keep} - {""}
    hidden = [n for n, half in enumerate(known) if not half and items[n].start]
    odd = [items[n] for n in hidden if items[n].keep >= Keep.RARE and items[n].template not in templates]
    odd.sort(key=lambda item: -item.keep)
    if outline.unit != "line":
        partly = any(fact.text.startswith(NOT_IN_ROWS) for fact in outline.facts)
        hidden_one = _named(more, odd[0]) if odd else []
        if hidden_one and odd[0].keep == Keep.SEVERE:
            return hidden_one
        severe = [item for item in items if partly and item.keep == Keep.SEVERE]  # what their rows lack
        named = (each for item in (*severe, *odd[:1]) for each in _named(more, item))
        return [each for each in named if each[0] == "--where"][:1]  # of one record that is only rare all says more
    failed = [item for item in odd if item.keep == Keep.SEVERE]
    runs = [_run(some, outline.total) for some in ([items[n] for n in hidden if n in wanted], failed)]
    points = [
        (fact.rank, a, min(b, a + RUN - 1, outline.total)) for fact in outline.facts for a, b in [fact.points] if a
    ]
    best = [(first, last) for rank, first, last in points if not rank]  # what is always said knows it
    runs[1:] = best or [*runs[1:], *((first, last) for _, first, last in points)]
    ends = (min(item.start for item in items), max(item.end for item in items)) if items else (0, outline.total)
    if 2 * (ends[1] - ends[0]) < outline.total:  # of a page what is no style and no script
        runs.append(ends)
    new = [(a, b) for a, b in runs if b - a + 1 >= max(MIN, KNOWN * (standing(b) - standing(a - 1)))]
    return [("--lines", f"{first}:{last}") for first, last in new[:1]]


def _named(more: Sequence[Selector | str], odd: Item) -> list[Selector]:
    """The selector that names what is odd, else its number."""
    chosen = [each for each in map(parsed, more) if each]
    reasons = odd.reason.replace("; ", ", ").split(", ")
    named = [each for each in chosen if each[1] in reasons or odd.text.startswith(each[1])]
    named += [("--records", f"{odd.start}:{odd.end}") for each in chosen if each[0] == "--records"]
    return named[:1]


def _run(items: Sequence[Item], lines: int) -> tuple[int, int]:
    """First and last of the at most ``RUN`` lines in which the ``items`` weigh most, and a few around them; nothing
    where they weigh less than half of all."""
    within = most = 0.0
    first = last = low = 0
    items = sorted(items, key=lambda item: item.start)
    for item in items:
        end = min(item.end, item.start + RUN - 1)
        within += item.weight
        while end - items[low].start >= RUN:
            within -= items[low].weight
            low += 1
        if within > most:
            most, first, last = within, items[low].start, end
    if not most or most < HALF * sum(item.weight for item in items):
        return 0, 0
    return max(1, first - AROUND_ODD), min(lines, last + AROUND_ODD)


_FRAME = regex(r"\[\s*mcpcompact\s*\]", re.IGNORECASE)
_GOES_ON = regex(r"\s*(?:more|full|rest|original|or with)\s*:", re.IGNORECASE)


def framed(body: str) -> str:
    """The body with ``[data]`` before what looks like our own words but stands in the data: each ``[mcpcompact]``, and
    a line that would read as the next one of a notice (``More: …``, ``Rest: …``)."""
    lines = body.split("\n")
    follows = True  # the notice stands above the first
    for at, line in enumerate(lines):
        ours = _FRAME.search(line) is not None
        if ours:
            line = _FRAME.sub(lambda match: f"[data] {match[0]}", line)
        if follows and _GOES_ON.match(line):
            line, ours = f"[data] {line}", True
        lines[at], follows = line, ours or line.startswith("…")  # a gap may hide what looked like ours
    return "\n".join(lines)


def render(
    facts: NoticeFacts, style: str, reader: str, count: Callable[[str], int], budget: int = 1 << 20
) -> tuple[str, str]:
    """The lines above and below the data, together within ``LIMITS[style]`` tokens, and within ``SPARE`` where words
    can be spared: the least needed go first."""
    if style == "none":
        return "", ""
    below = _below(facts) if style == "full" else ""
    above = ""
    roomy = budget >= ROOMY
    most = min(LIMITS[style], max(SPARE[0], int(budget * SPARE[1])) if roomy else TIGHT, budget - MIN_BODY - 1)
    for above in _variants(facts, style, reader, roomy):
        if count(f"{above}\n{below}" if below else above) <= most:
            break
    return above, below


def _variants(facts: NoticeFacts, style: str, reader: str, roomy: bool) -> Iterator[str]:
    """From the most telling wording to the shortest."""
    who = f"{facts.name}{_ended(facts)}"
    tokens = f"{facts.original_tokens:,} tokens"
    if not facts.exact:
        tokens = f"~{tokens}"
    kept = "nothing lost" if facts.reference else "the original was not stored"
    what = _what(facts)
    scope = "" if facts.whole else " Not shown does not mean absent."
    if style == "full":
        verb = "Rewritten" if facts.lossless else "Shortened"
        lead = f"[mcpcompact] {who}. {verb} from {tokens} by mcpcompact, {kept}: {what}.{scope}"
        for where, grep in _FULL:
            yield "\n".join(filter(None, (lead, _rest(facts, reader, where, grep))))
    pointer = _pointer(facts, reader)
    rest = f" {'Original' if facts.whole else 'Rest'}: {pointer}" if pointer else ""
    lines = [
        f"shortened from {tokens}, {kept}: {what}.{scope}{rest}",
        f"shortened from {tokens}, {kept}: {what}.{rest}",
        f"shortened, {kept}: {what}.{rest}",
        f"shortened from {tokens}, {kept}.{rest}",
    ]
    if roomy and pointer and reader in CALLERS and facts.more and not facts.whole:
        part = f" More: {pointer} {facts.more[0]}"
        lines = [line.removesuffix(rest) + part for line in lines[:3]] + lines
    for line in lines:
        yield f"[mcpcompact] {who}: {line}"
    yield f"[mcpcompact] shortened, {kept}.{rest}"
    yield from (f"[mcpcompact] shortened; all: {how}" for how in (pointer, facts.reference) if how)
    if not facts.reference:
        yield "[mcpcompact] shortened"


def _ended(facts: NoticeFacts) -> str:
    """How the call ended, as far as that is known: `` failed``, `` ok (exit code 0)``, nothing."""
    text = {True: " failed", False: " ok", None: ""}[facts.is_error]
    return f"{text} (exit code {facts.exit_code})" if facts.exit_code else text


def _what(facts: NoticeFacts) -> str:
    """How much of the result is shown. The headline stands where the body does not begin with it."""
    if facts.written:
        return f"{facts.headline}, summarised by {facts.written}; values checked against the source, conclusions not"
    if facts.lossless:
        return f"{facts.headline}, all shown ({facts.lossless})"
    return "only the beginning shown" if facts.head else _shown(facts)


def _shown(facts: NoticeFacts) -> str:
    """``3 of 400 records shown``; for units of which the body gives names or parts only: ``named``, and which parts."""
    whole = counted(facts.total, facts.unit)
    marked = facts.unit == "value" and (facts.cut or not facts.by_line)  # a mark says what is left out of each
    every = facts.shown == facts.total > 1 and not marked
    units = f"all {whole}" if every else f"{facts.shown:,} of {whole}"
    texts = f", texts of {facts.texts:,}{' more' * (facts.shown > 0)}" if facts.texts else ""
    if facts.unit == "line":  # shown as it stands, whatever it defines
        cut = ", some in part" if every and facts.cut else ""
        return f"{units} shown{cut}{f', {facts.parts}' if facts.parts else ''}"
    if facts.parts is None and facts.unit == "value" and not facts.shown:
        return f"{units} shown whole"  # some of it may stand there in part
    if facts.parts is None:
        cut = f", {counted(facts.cut, 'text')} cut short" if facts.cut and facts.shown == facts.total else ""
        return f"{units} shown{' in part' if every else ''}{cut}{texts}"
    if not facts.parts:
        return f"{units} named"
    return f"{facts.parts} shown" if facts.total == 1 else f"{units} named, {facts.parts} shown"


def _below(facts: NoticeFacts) -> str:
    """The short line below the data, for readers that see the end best."""
    if facts.lossless:
        return ""
    if facts.written:
        end = f"[mcpcompact] end of the summary by {facts.written}"
        return f"{end}, all in {facts.reference}" if facts.reference else end
    return f"[mcpcompact] end: all in {facts.reference}" if facts.reference else "[mcpcompact] end"


def _pointer(facts: NoticeFacts, reader: str) -> str:
    if not facts.reference or reader == "none":
        return ""
    return facts.command if reader in CALLERS else command(facts.where)


_FULL = ((True, True), (False, True), (False, False))
"""Whether the file and the search for a term are named."""


def _rest(facts: NoticeFacts, reader: str, where: bool, grep: bool) -> str:
    """What to do next, with tools the reader has."""
    if not facts.reference or reader == "none":
        return ""
    path = command(facts.where)
    if facts.whole:
        return f"Original: {_pointer(facts, reader)}"
    if reader == "shell":
        return f"Full: {path} · more: sed -n 'A,Bp' FILE, or grep -n TERM FILE"
    if reader == "read":
        return f"Full: {path} · read it with an offset and a limit in lines"
    word = "More" if facts.more else "Rest"
    more = f"{f'Full: {path} · {word.lower()}' if where else word}: {' '.join([facts.command, *facts.more[:1]])}"
    return f"{more}\nOr with: --grep TERM" if grep else more
