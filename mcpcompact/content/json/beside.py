"""What a document says beside the tables of its lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.content.shared.tree import Key
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
    """Whether it is what a recorded request sends, or the ports of a thing."""
    owner, key = held
    if owner.__class__ is not dict or not owner[key]:
        return False
    request = "method" in owner and not {"path", "url", "uri"}.isdisjoint(owner)
    return (request and _BODY.fullmatch(str(key)) is not None) or (key == "ports" and owner[key].__class__ is list)
