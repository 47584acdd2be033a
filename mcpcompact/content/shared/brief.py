"""A list or an object in a cell."""

from __future__ import annotations

from typing import Any

from mcpcompact.content.shared.flow import flow, key_text
from mcpcompact.phrasing import counted


def brief(value: Any) -> str:
    """A list or an object as it stands where it is short, else how much it holds and, of an object, its first keys."""
    if _small(value, 2) and len(text := flow(value)) <= BRIEF:
        return text
    keys = ", ".join(map(key_text, [*value][:BRIEF_KEYS])) if value.__class__ is dict else ""
    return f"{{{counted(len(value), 'key')}: {keys}, …}}" if keys else f"[{counted(len(value), 'item')}]"


def _small(value: Any, levels: int) -> bool:
    if value.__class__ not in (dict, list):
        return value.__class__ is not str or len(value) <= BRIEF
    below = value.values() if value.__class__ is dict else value
    return bool(levels and len(value) <= BRIEF_PARTS) and all(_small(each, levels - 1) for each in below)


BRIEF_PARTS, BRIEF, BRIEF_KEYS = 8, 60, 3  # members, characters of what stands whole in a cell; keys of what does not
