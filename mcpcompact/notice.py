"""The notice around a compaction: what happened, that nothing is lost, how to get the rest.

First, outside the data; one short line again at the end. Words that make models misread it are
avoided ("error" where there is none, "corrupt", "compressed", "hash").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from mcpcompact.config import MIN_BUDGET
from mcpcompact.errors import UsageError
from mcpcompact.outline import Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.policy import READERS, STYLES, Policy
from mcpcompact.shell import Selector, command, parsed

if TYPE_CHECKING:
    from mcpcompact.inputs.envelope import Envelope

CALLERS = {"mcpcompact": "mcpcompact results get", "tools": "mcpcompact_get"}
"""Readers that fetch by a call, and how it begins: a command line, or a tool beside the tool whose result it is."""
LIMITS = {"full": 100, "short": 45}  # tokens, lines above and below together
HEAD = {"--lines": "1:80", "--bytes": "0:8000"}  # what stands for ``A:B`` where nothing is odd
AROUND_ODD = 5  # lines before and after the oddest item
LEAST, RUN = 5, 80  # lines that a command asks for of those that are not shown: fewer may be blank
LEAST_BODY = 24  # tokens that are left to the data: a notice takes fewer words before it takes these
SPARE = 80, 0.07  # tokens, or that part of the budget: what the full notice takes where words can be spared
ROOMY, TIGHT = 250, 40  # under this budget a notice of so many tokens, no selector: the odd thing itself needs the room
NAME_CHARS = 60  # of a tool, in the first line
SHORT_BELOW = 600  # under this budget the short notice is the default


@dataclass(frozen=True, eq=False)
class NoticeFacts:
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
    by_line: bool = False  # texts are shown by their lines, not all of which need stand there
    parts: str | None = None  # of units that are only named: "12 of 33 features"
    lossless: str = ""
    head: bool = False
    reference: str = ""
    where: str = ""
    command: str = ""  # "mcpcompact results get 3f9c2a1b", ready to run
    more: Sequence[str] = ()  # what may stand behind it, quoted
    written: str = ""  # the model that wrote the text, where one did


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


def outcome(envelope: Envelope | None, ended: int | None = None) -> bool | None:
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


def exit_code(envelope: Envelope | None, ended: int | None = None) -> int | None:
    """The exit code of the command, or the one that stands beside the payload."""
    from mcpcompact.inputs.envelope import exit_code

    return exit_code(envelope.beside) if envelope and ended is None else ended


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


def aimed(more: Sequence[Selector | str], shown: Sequence[tuple[int, int]], total: int) -> list[Selector | str]:
    """The selectors; instead of lines most of which are ``shown`` (first and last, in order) the longest run of those
    that are not."""
    gaps = [(a + 1, b - 1) for (_, a), (b, _) in pairwise([(0, 0), *shown, (total + 1, total + 1)]) if b - a > 1]
    first, last = max(gaps, key=lambda gap: gap[1] - gap[0], default=(1, total))
    run = ("--lines", f"{first}:{min(last, first + RUN - 1)}")
    found: list[Selector | str] = []
    for each in more:
        ends = each[1].split(":") if each[0] == "--lines" and len(each) == len(run) else []
        low, high = map(int, ends) if len(ends) == len(run) and all(map(str.isdecimal, ends)) else (0, 0)
        told = sum(max(0, min(high, b) - max(low, a) + 1) for a, b in shown) if low else 0
        found.append(run if 2 * told > high - low + 1 and last - first + 1 >= LEAST else each)
    return list(dict.fromkeys(found))


_FRAME = regex(r"\[\s*mcpcompact\s*\]", re.IGNORECASE)
_GOES_ON = regex(r"\s*(?:more|full|rest|or with)\s*:", re.IGNORECASE)


def framed(body: str) -> str:
    """The body with ``[data]`` before what looks like our own words but stands in the data: each ``[mcpcompact]``, and
    a line that would read as the next one of a notice (``More: …``, ``Full: …``)."""
    lines = body.split("\n")
    follows = True  # the notice stands above the first
    for at, line in enumerate(lines):
        ours = _FRAME.search(line) is not None
        if ours:
            line = _FRAME.sub(lambda match: f"[data] {match[0]}", line)
        if follows and _GOES_ON.match(line):
            line, ours = f"[data] {line}", True
        lines[at], follows = line, ours or (follows and line.startswith("…"))  # a gap in what is ours ends nothing
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
    most = min(LIMITS[style], max(SPARE[0], int(budget * SPARE[1])) if roomy else TIGHT, budget - LEAST_BODY - 1)
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
    scope = "" if facts.lossless else " Not shown does not mean absent."
    if style == "full":
        verb = "Rewritten" if facts.lossless else "Shortened"
        lead = f"[mcpcompact] {who}. {verb} from {tokens} by mcpcompact, {kept}: {what}.{scope}"
        for selectors, where, grep in _FULL:
            yield "\n".join(filter(None, (lead, _rest(facts, reader, selectors, where, grep))))
    pointer = _pointer(facts, reader)
    rest = f" Rest: {pointer}" if pointer else ""
    lines = [
        f"shortened from {tokens}, {kept}: {what}.{scope}{rest}",
        f"shortened from {tokens}, {kept}: {what}.{rest}",
        f"shortened, {kept}: {what}.{rest}",
        f"shortened from {tokens}, {kept}.{rest}",
    ]
    if roomy and rest and reader in CALLERS and facts.more and facts.more[0].split()[-1] not in HEAD.values():
        lines = [f"{line} {facts.more[0]}" for line in lines[:3]] + lines  # mostly what is odd
    for line in lines:
        yield f"[mcpcompact] {who}: {line}"
    yield f"[mcpcompact] shortened, {kept}.{rest}"
    yield from (f"[mcpcompact] shortened; all: {told}" for told in (pointer, facts.reference) if told)
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
    if facts.head:
        return "only the beginning shown"
    return _shown(facts)


def _shown(facts: NoticeFacts) -> str:
    """``3 of 400 records shown``; for units of which the body gives names or parts only: ``named``, and which parts."""
    whole = counted(facts.total, facts.unit)
    marked = facts.unit == "value" and (facts.cut or not facts.by_line)  # a mark says what is left out of each
    every = facts.shown == facts.total > 1 and not marked
    units = f"all {whole}" if every else f"{facts.shown:,} of {whole}"
    if facts.unit == "line":  # shown as it stands, whatever it defines
        return f"{units} shown, {facts.parts}" if facts.parts else f"{units} shown"
    if facts.parts is None:
        cut = f", {counted(facts.cut, 'text')} cut short" if facts.cut and facts.shown == facts.total else ""
        return f"{units} shown{' in part' if every else ''}{cut}"
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


_FULL = ((2, True, True), (1, True, True), (1, False, True), (1, False, False), (0, False, True))
"""Selectors named, the file, the search for a term: what points at something odd goes last."""


def _rest(facts: NoticeFacts, reader: str, selectors: int, where: bool, grep: bool) -> str:
    """What to do next, with tools the reader has."""
    if not facts.reference or reader == "none":
        return ""
    path = command(facts.where)
    if reader == "shell":
        return f"Full: {path} · more: sed -n 'A,Bp' FILE, or grep -n TERM FILE"
    if reader == "read":
        return f"Full: {path} · read it with an offset and a limit in lines"
    named = list(facts.more[:selectors])
    search = ["--grep TERM"] if grep or not named else []  # never alone: a printed command runs as it stands
    others = [*named[1:], *search]
    full = f"Full: {path} · more: " if where else "More: "
    more = f"{full}{' '.join([facts.command, *named[:1]])}"
    return f"{more}\nOr with: {' · '.join(others)}" if others else more
