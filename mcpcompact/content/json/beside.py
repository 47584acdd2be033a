"""What a document says beside the tables of its lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.content.anomalies.words import tells
from mcpcompact.content.json.rows import HEADERS
from mcpcompact.content.shared.flow import LITTLE, Line
from mcpcompact.content.shared.tree import Key
from mcpcompact.content.shared.usual import is_usual
from mcpcompact.outline import Fact
from mcpcompact.patterns import regex

_BODY = regex(r"(?i)(?:request_?)?(?:body|payload)|data|json|params")
_ROWS = 60  # of a table that has room for all in most budgets


def whole_of(collections: list[Fact], tables: list[Fact]) -> Iterator[Fact]:
    """Of lists of which the tables can show a few elements alone, how many there are and how all their fields stand."""
    long = tuple(f"{table.text.partition('|')[0]}: " for table in tables if table.text.count("\n") > _ROWS)
    for fact in collections:
        clauses = [clause for clause in fact.short.split("; ") if " (in " not in clause]
        if fact.text.startswith(long) and len(clauses) > 1:
            yield Fact("; ".join(clauses), 1)


def asked_for(held: tuple[Any, Key]) -> bool:
    """Whether it is what a recorded request sends, or the ports, limits and arguments of a thing that runs."""
    owner, key = held
    if owner.__class__ is not dict or not owner[key]:
        return False
    request = "method" in owner and not {"path", "url", "uri"}.isdisjoint(owner)
    if (request and _BODY.fullmatch(str(key)) is not None) or (
        key in ("ports", "args") and owner[key].__class__ is list
    ):
        return True
    bounds = owner if key == "limits" else owner[key] if key == "resources" else ()
    return bounds.__class__ is dict and "requests" in bounds


def weight_of(line: Line, weight: float) -> float:
    """The weight of a line by what it tells wherever it stands; ``weight``: of one of which that is not known."""
    if line.weight > LITTLE and (
        _OWNER.search(line.path) or (line.owner.__class__ is dict and any(map(asked_for, line.held)))
    ):
        return TELLING
    if HEADERS.search(line.path):
        return ASIDE
    if line.owner.__class__ is dict and any(key in _CAUSES for _, key in line.held) and _failed(line.owner):
        return CAUSE
    if line.held and all(owner and _idle(key, owner[key]) for owner, key in line.held):
        return 0.0
    stuck = _STUCK.search(line.path) or (line.held and all(key in _LABELS for _, key in line.held))
    return min(weight, LABELS) if stuck else weight


def _failed(owner: dict[str, Any]) -> bool:
    """Whether a short value beside a message says that it failed."""
    return any(v.__class__ is str and len(v) <= STATE and tells(v) for k, v in owner.items() if k not in _CAUSES)


def _idle(key: Key, value: Any) -> bool:
    """Nothing, or what stands there wherever nobody chose another value."""
    if value in (None, "", [], {}):
        return True
    if value.__class__ is dict:
        return all(_idle(k, v) for k, v in value.items())
    return value.__class__ is not list and is_usual(str(key), value)


ASIDE = 0.02  # weight of the headers of a recorded exchange, and of what a table shows
CAUSE = 3.5  # weight of why something failed: before other lines
TELLING = 2.5  # weight of who owns a thing, of its ports and limits and of what a request sends
_CAUSES = frozenset(("message", "reason", "error", "detail", "details", "description"))
STATE = 24  # characters of a state
LABELS = 0.5  # weight of what was stuck onto a thing
_OWNER = regex(r"\.ownerReferences\[\d{1,3}\]$")
_LABELS = frozenset(("labels", "annotations", "matchLabels"))
_STUCK = regex(r"\.(?:labels|annotations|matchLabels)$")
