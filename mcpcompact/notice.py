"""The notice around a compaction: what happened, that nothing is lost, how to get the rest (design §5).

First, outside the data; one short line again at the end. Words that make models misread it are
avoided ("error" where there is none, "corrupt", "compressed", "hash").
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

STYLES = ("full", "short", "none")
READERS = ("mcpcompact", "shell", "read", "none")
SHORT_BELOW = 300  # under this budget the short notice is the default


@dataclass(slots=True)
class NoticeFacts:
    """What a notice says. ``reference`` is the id; ``where`` the path as the reader may know it."""

    name: str = "result"
    is_error: bool | None = None
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


def plural(n: int, unit: str) -> str:
    """``1 entry``, ``2 entries``, ``1,204 records``."""
    if n == 1:
        return f"1 {unit}"
    return f"{n:,} {unit[:-1]}ies" if unit.endswith("y") and unit[-2] not in "aeiou" else f"{n:,} {unit}s"


def before(facts: NoticeFacts, style: str, reader: str) -> str:
    """The line or lines above the data; empty for style ``none``."""
    if style == "none":
        return ""
    outcome = {True: " failed", False: " ok", None: ""}[facts.is_error]
    tokens = f"{'' if facts.exact else '~'}{facts.original_tokens:,} tokens"
    kept = "nothing lost" if facts.reference else "the original was not stored"
    if facts.lossless:
        what = f"{facts.headline}, all shown ({facts.lossless})"
    else:
        what = f"{facts.headline}, {facts.shown:,} shown"
    if style == "short":
        rest = _short_rest(facts, reader)
        lead = f"[mcpcompact] {facts.name}{outcome}: {tokens} shortened, {kept}: {what}."
        return lead + (f" Rest: {rest}" if rest else "")
    verb = "Rewritten" if facts.lossless else "Shortened"
    first = f"[mcpcompact] {facts.name}{outcome}. {verb} from {tokens} by mcpcompact, {kept}: {what}."
    if not facts.lossless:
        first += " Not shown does not mean absent."
    rest = _full_rest(facts, reader)
    return f"{first}\n{rest}" if rest else first


def after(facts: NoticeFacts, style: str, reader: str) -> str:
    """The short line below the data of a full notice, for readers that see the end best."""
    if style != "full" or facts.lossless:
        return ""
    rest = _short_rest(facts, reader)
    return f"[mcpcompact] end of {facts.shown:,} of {plural(facts.total, facts.unit)}" + (f"; rest: {rest}" if rest else "")


def _short_rest(facts: NoticeFacts, reader: str) -> str:
    if not facts.reference or reader == "none":
        return ""
    return facts.command if reader == "mcpcompact" else facts.where


def _full_rest(facts: NoticeFacts, reader: str) -> str:
    if not facts.reference or reader == "none":
        return ""
    if reader == "shell":
        return f"Full: {facts.where} · more: sed -n 'A,Bp' {facts.where} | grep -n TERM {facts.where}"
    if reader == "read":
        return f"Full: {facts.where} · read it with an offset and a limit in lines"
    selectors = [s for s in facts.more if s][:2]
    more = " | ".join([*selectors, "--grep TERM"])
    return f"Full: {facts.where} · more: {facts.command} {more}"
