"""Evidence: what an agent used of a tool result, and what a policy would have left of it.

An **atom** is a path, symbol, id, number or file name. A **use** is an atom that stands in a tool result and nowhere
earlier in the session, and that the agent wrote later: in a call's arguments (strong), in its final answer (medium)
or in other text of its own (weak). Its **fate** is judged in the prompt of the call that first writes it, since from
then on it stands in the agent's own words. The agent saw the full result, so unused is not useless; and derived
values (sums, conclusions) are invisible.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any

from mcpcompact.patterns import regex
from mcpcompact.replaying.readable import reading
from mcpcompact.transcripts.model import Message

_CODE = 3  # digits of a short number
_MIN = 4  # characters of an atom, or a mark and a short number

STRENGTHS = ("strong", "medium", "weak")
KEPT, BARE, REACHABLE, LOST = FATES = ("keptInContext", "keptBare", "reachable", "lost")

NAMING = ("path", "file", "id")  # kinds of atoms that name what a call is about

BEFORE, BEHIND = 40, 60  # characters around a use that are quoted
Z_95 = 1.96  # standard normal deviate of a 95 % interval
SHORT = 4
"""Digits up to which a number is evidence only where the call that uses it names what the call of the result named:
half of such matches in recorded sessions are chance, a line number here and a count there."""

ATOM = regex(r"[A-Za-z_][\w./:@-]{3,}[\w/]|\d{3,}")

_SEPARATORS = regex(r"[:@]|\.{2,}|--+|//+|(?<=\w)/(?=$)")
_ID = regex(r"[0-9a-f-]{7,}")
_DOTTED = regex(r"\w\.\w")
_HUMPS = regex(r"[a-z][A-Z]|[A-Z]{2,}[a-z]")
_DIGIT = re.compile(r"\d")


@dataclass(slots=True)
class Use:
    """An atom of the result at ``owner`` that the assistant's message at ``at`` first writes; ``where`` is the message
    and its call (-1: its text) of the strongest use; ``strength`` indexes ``STRENGTHS``."""

    atom: str
    at: int
    strength: int
    where: tuple[int, int]
    owner: int = -1


def classify(atom: str) -> str:
    """path, symbol, number, id or file; '' for a plain word, which proves nothing."""
    if atom.isdigit():
        return "number"
    if "/" in atom:
        return "path"
    if _ID.fullmatch(atom) or _DIGIT.search(atom):
        return "id"
    if _DOTTED.search(atom):
        return "file"
    return "symbol" if "_" in atom.strip("_") or _HUMPS.search(atom) else ""


@lru_cache(200_000)
def _parts(whole: str) -> tuple[str, ...]:
    """What a run of characters is made of: ``src/a.py:12:def`` holds ``src/a.py`` too."""
    return tuple(filter(classify, _split(whole)))


def _split(whole: str) -> set[str]:
    parts: set[str] = set()
    for part in {whole, *_SEPARATORS.split(whole)}:
        part = part.strip("./:@-")
        if len(part) < _MIN and not (part.isdigit() and len(part) == _CODE):
            continue
        parts.add(part)
        parts.update([step for step in part.split("/" if "/" in part else ".") if len(step) >= _MIN])
    return parts


def atoms(text: str) -> set[str]:
    """All atoms of a text."""
    return set(chain.from_iterable(map(_parts, set(ATOM.findall(text)))))


def strings(value: Any) -> str:
    """All leaves of a call's arguments as text, one a line: JSON's escapes would glue letters to identifiers."""
    out: list[str] = []
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, (Mapping, list)):
            stack.extend(reversed(list(item.values()) if isinstance(item, Mapping) else item))
        elif item is not None:
            out.append(item if isinstance(item, str) else str(item))
    return "\n".join(out)


def collect(messages: Sequence[Message]) -> dict[int, list[Use]]:
    """The uses of a session by the position of the result that first showed the atom.

    One pass over what the agent wrote gives the atoms that matter; one over everything finds where each stood first.
    What the host had taken out of the context before it was written is no use of that result.
    """
    pending, by_message = _written(messages)
    owned: dict[int, list[Use]] = defaultdict(list)
    for i, message in enumerate(messages):
        if not pending:
            break
        if message.role == "assistant":
            for atom in by_message[i]:
                pending.pop(atom, None)
            continue
        shown = [pending.pop(atom) for atom in pending.keys() & atoms(message.text)]
        for use in shown if message.result is not None else ():
            use.owner = i
            owned[i].append(use)
    for i, message in enumerate(messages):
        for position in message.forgets:
            if position in owned:
                owned[position] = [use for use in owned[position] if use.at < i]
    meant = {i: [use for use in uses if _meant(use, messages)] for i, uses in sorted(owned.items())}
    return {i: _longest(uses) for i, uses in meant.items() if uses}


def _meant(use: Use, messages: Sequence[Message]) -> bool:
    """Whether a short number can be the one of the result: its call names the same file, path or id."""
    if not use.atom.isdigit() or len(use.atom) > SHORT:
        return True
    result, (at, n) = messages[use.owner].result, use.where
    if n < 0 or result is None or result.call is None:
        return False
    asked = atoms(strings(result.call.arguments))
    return any(classify(a) in NAMING for a in asked & atoms(strings(messages[at].calls[n].arguments)))


def _written(messages: Sequence[Message]) -> tuple[dict[str, Use], dict[int, set[str]]]:
    """Every atom that the agent wrote, with its first and its strongest place; and those of each of its messages."""
    pending: dict[str, Use] = {}
    by_message: dict[int, set[str]] = {}
    final = next((i for i in range(len(messages) - 1, -1, -1) if messages[i].role == "assistant"), -1)
    if final >= 0 and messages[final].calls:
        final = -1
    for i, message in enumerate(messages):
        if message.role != "assistant":
            continue
        texts = [(0, n, strings(call.arguments)) for n, call in enumerate(message.calls)]
        texts.append((1 if i == final else 2, -1, message.text))
        by_message[i] = set()
        for strength, place, text in texts:
            written = atoms(text)
            by_message[i] |= written
            for atom in written:
                use = pending.get(atom)
                if use is None:
                    pending[atom] = Use(atom, i, strength, (i, place))
                elif strength < use.strength:
                    use.strength, use.where = strength, (i, place)
    return pending, by_message


def _longest(uses: list[Use]) -> list[Use]:
    """Without atoms that are part of another of the same result, used as strongly: a path, not its last step too."""
    uses = sorted(uses, key=lambda use: (use.strength, use.atom))
    kept: list[Use] = []
    for strength in range(len(STRENGTHS)):
        stronger = "\0".join(use.atom for use in uses if use.strength <= strength)
        kept += [u for u in uses if u.strength == strength and stronger.find(u.atom, stronger.find(u.atom) + 1) < 0]
    return kept


def how(use: Use, messages: Sequence[Message]) -> str:
    """The tool, and the piece of its arguments (or of the agent's text) that uses the atom, on one line."""
    message = messages[use.where[0]]
    call = message.calls[use.where[1]] if use.where[1] >= 0 else None
    text = strings(call.arguments) if call else message.text
    at = max(0, text.find(use.atom))
    piece = " ".join(text[max(0, at - BEFORE) : at + len(use.atom) + BEHIND].split())
    return f"{call.tool}: {piece}" if call else piece


def survival(use: Use, original: str, shown: str) -> str:
    """Kept readable, kept bare or lost."""
    if use.atom not in shown:
        return LOST
    return KEPT if reading(original).kept(use.atom, shown) else BARE


def wilson(part: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score (Wilson 1927), as fractions; (0, 1) when there is nothing."""
    if not total:
        return 0.0, 1.0
    p, z = part / total, Z_95
    middle = p + z * z / (2 * total)
    half = z * (p * (1 - p) / total + z * z / (4 * total * total)) ** 0.5
    scale = 1 + z * z / total
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


@dataclass(slots=True)
class Fates:
    """Counts of fates, by strength."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: {name: Counter() for name in STRENGTHS})

    def note(self, strength: int, fate: str, number: int = 1) -> None:
        self.counts[STRENGTHS[strength]][fate] += number

    def add(self, other: Fates) -> None:
        for name, counts in other.counts.items():
            self.counts[name].update(counts)

    def total(self, strength: str = "strong") -> int:
        return sum(self.counts[strength].values())

    def of(self, fate: str, strength: str = "strong") -> int:
        return self.counts[strength][fate]

    def share(self, strength: str = "strong", fate: str = KEPT) -> float | None:
        """In percent; None when there is no evidence."""
        total = self.total(strength)
        return 100 * self.of(fate, strength) / total if total else None

    def interval(self, strength: str = "strong") -> tuple[float, float] | None:
        """The 95 % interval of the share kept readable, in percent; None when there is no evidence."""
        total = self.total(strength)
        low, high = wilson(self.of(KEPT, strength), total)
        return (100 * low, 100 * high) if total else None

    def as_dict(self) -> dict[str, Any]:
        figures: dict[str, Any] = {}
        for name in STRENGTHS:
            share, interval = self.share(name), self.interval(name)
            figures[name] = {"total": self.total(name)} | {fate: self.of(fate, name) for fate in FATES}
            figures[name]["keptPercent"] = None if share is None else round(share, 1)
            figures[name]["interval95"] = [round(end, 1) for end in interval] if interval else None
        return figures
