"""The notice around a compaction: what happened, that nothing is lost, how to get the rest (design §5).

First, outside the data; one short line again at the end. Words that make models misread it are
avoided ("error" where there is none, "corrupt", "compressed", "hash").
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from mcpcompact.config import MIN_BUDGET, Policy
from mcpcompact.content.spelling import counted
from mcpcompact.errors import UsageError
from mcpcompact.slotted import dataclass

STYLES = ("full", "short", "none")
READERS = ("mcpcompact", "shell", "read", "none")
LIMITS = {"full": 100, "short": 45}  # tokens, lines above and below together
BLANKS = {"--lines A:B": "--lines 1:80", "--bytes A:B": "--bytes 0:8000"}
SPARE = 80, 0.07  # tokens, or that part of the budget: what the full notice takes where words can be spared
ROOMY, TIGHT = 250, 40  # under this budget a notice of so many tokens, no selector: the odd thing itself needs the room
SHORT_BELOW = 600  # under this budget the short notice is the default


@dataclass(slots=True)
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
    lossless: str = ""
    reference: str = ""
    where: str = ""
    command: str = ""  # "mcpcompact results get 3f9c2a1b", ready to run
    more: Sequence[str] = ()
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


def ready(selectors: Sequence[str]) -> list[str]:
    """Selectors that can be run as they stand: example ranges filled in, blanks for a term left out."""
    filled = dict.fromkeys(BLANKS.get(s, s) for s in selectors)
    return [s for s in filled if s and "TERM" not in s.split()]


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
    most = min(LIMITS[style], max(SPARE[0], int(budget * SPARE[1])) if roomy else TIGHT)
    for above in _variants(facts, style, reader, roomy):
        if count(f"{above}\n{below}" if below else above) <= most:
            break
    return above, below


def _variants(facts: NoticeFacts, style: str, reader: str, roomy: bool) -> Iterator[str]:
    """From the most telling wording to the shortest."""
    outcome = {True: " failed", False: " ok", None: ""}[facts.is_error]
    if facts.exit_code:
        outcome += f" (exit code {facts.exit_code})"
    tokens = f"{'' if facts.exact else '~'}{facts.original_tokens:,} tokens"
    kept = "nothing lost" if facts.reference else "the original was not stored"
    what = (
        f"{facts.headline}, all shown ({facts.lossless})"
        if facts.lossless
        else f"{facts.shown:,} of {counted(facts.total, facts.unit)} shown"  # the body begins with the headline
    )
    if facts.written:
        what = f"{facts.headline}, summarised by {facts.written}; values checked against the source, conclusions not"
    scope = "" if facts.lossless else " Not shown does not mean absent."
    if style == "full":
        verb = "Rewritten" if facts.lossless else "Shortened"
        lead = f"[mcpcompact] {facts.name}{outcome}. {verb} from {tokens} by mcpcompact, {kept}: {what}.{scope}"
        for selectors, where, grep in _FULL:
            yield "\n".join(filter(None, (lead, _rest(facts, reader, selectors, where, grep))))
    pointer = _pointer(facts, reader)
    rest = f" Rest: {pointer}" if pointer else ""
    whole = f"{tokens} shortened, {kept}: {what}."
    lines = [
        f"{whole}{scope}{rest}",
        f"{whole}{rest}",
        f"shortened, {kept}: {what}.{rest}",
        f"{tokens} shortened, {kept}.{rest}",
    ]
    if roomy and rest and reader == "mcpcompact" and facts.more and facts.more[0] not in BLANKS.values():
        lines = [f"{line} {facts.more[0]}" for line in lines[:3]] + lines  # mostly what is odd
    for line in lines:
        yield f"[mcpcompact] {facts.name}{outcome}: {line}"
    yield f"[mcpcompact] shortened, {kept}.{rest}"


def _below(facts: NoticeFacts) -> str:
    """The short line below the data, for readers that see the end best."""
    if facts.lossless:
        return ""
    if facts.written:
        return f"[mcpcompact] end of the summary by {facts.written}" + (
            f", all in {facts.reference}" if facts.reference else ""
        )
    return "[mcpcompact] end" + (f": all in {facts.reference}" if facts.reference else "")


def _pointer(facts: NoticeFacts, reader: str) -> str:
    if not facts.reference or reader == "none":
        return ""
    return facts.command if reader == "mcpcompact" else facts.where


_FULL = ((2, True, True), (1, True, True), (1, False, True), (1, False, False), (0, False, True))
"""Selectors named, the file, the search for a term: what points at something odd goes last."""


def _rest(facts: NoticeFacts, reader: str, selectors: int, where: bool, grep: bool) -> str:
    """What to do next, with tools the reader has."""
    if not facts.reference or reader == "none":
        return ""
    if reader == "shell":
        return f"Full: {facts.where} · more: sed -n 'A,Bp' FILE | grep -n TERM FILE"
    if reader == "read":
        return f"Full: {facts.where} · read it with an offset and a limit in lines"
    named = [s for s in facts.more if s][:selectors]
    more = " | ".join([*named, "--grep TERM"] if grep or not named else named)
    full = f"Full: {facts.where} · more: " if where else "More: "
    return f"{full}{facts.command} {more}"
