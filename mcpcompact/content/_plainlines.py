"""What text, search output and listings share: an even choice of too many items, and the lines tools wrap results in."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.outline import MAX_ITEMS, Item
from mcpcompact.patterns import regex

WRAPPER = 0.2
"""Weight of a line that a tool's runner put around the result."""

_WRAPPER = regex(
    r"(?:Chunk ID|Wall time|Total output lines|Original token count|Output|Exit code|Command|stdout|stderr):"
    r"|Process (?:exited|running) with|<(?:/?(?:output|stdout|stderr|returncode|system-reminder)|retrieval_status)\b|total \d+$"
)


def is_wrapper(line: str) -> bool:
    """Whether a line is the runner's, such as ``Wall time: 0.1 seconds`` or ``Process exited with code 0``."""
    return len(line) < 120 and _WRAPPER.match(line) is not None


def bounded(items: Sequence[Item]) -> list[Item]:
    """At most ``MAX_ITEMS`` items: an even choice, and everything that must be kept."""
    if len(items) <= MAX_ITEMS:
        return list(items)
    step = len(items) / MAX_ITEMS
    even = {int(i * step) for i in range(MAX_ITEMS)} | {len(items) - 1}
    return [item for i, item in enumerate(items) if item.keep or i in even]
