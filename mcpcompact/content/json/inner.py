"""Long strings that hold something of a kind of its own: a log, a table, a diff."""

from __future__ import annotations

from mcpcompact.content.json.rows import bookkeeping
from mcpcompact.content.shared.flow import LINE, LONG_TEXT, is_json
from mcpcompact.content.shared.tree import Group
from mcpcompact.encoded import Encoded
from mcpcompact.errors import InputError
from mcpcompact.outline import Hints, Outline
from mcpcompact.source import Source

MAX_INNER = 4  # long strings that are outlined as what they hold
TEXTS = (str, Encoded)
PROSE = ("text", "markup", "code")  # their facts are counts of what is shown


def inner_outline(value: str, hints: Hints) -> Outline | None:
    """The outline of what a long string holds, if that is a kind of its own."""
    from mcpcompact.content.detect import detect, load

    inner = Source.of_text(value)
    try:
        kind = detect(inner).content_type
        return load(kind).outline(inner, hints)
    except (InputError, ImportError, AttributeError):
        return None


def long_strings(groups: list[Group]) -> set[int]:
    """The few longest texts, by id of the string: these are outlined as what they hold."""
    texts = [
        v
        for group in groups
        if not group.types.isdisjoint(TEXTS) and not bookkeeping(group.path)
        for v in group.nodes
        if isinstance(v, str) and ((len(v) >= LONG_TEXT and "\n" in v) or (len(v) > LINE and is_json(v)))
    ]
    return {id(v) for v in sorted(texts, key=len, reverse=True)[:MAX_INNER]}
