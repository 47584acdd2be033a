"""mcpcompact: make the tool output of LLM agents small without losing what the agent needs.

>>> from mcpcompact import ResultStore, compact, count
>>> result = compact(text, budget=1000, tool="get_events", store=ResultStore(".mcpcompact/results"))
>>> result.text, result.tokens, result.reference.id
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from mcpcompact.compaction import Compaction
    from mcpcompact.errors import McpcompactError
    from mcpcompact.outline import ContentType, Fact, Item, Keep, Outline
    from mcpcompact.paging.chunking import Chunk, chunk, chunks
    from mcpcompact.paging.pagination import ItemPage, paginate
    from mcpcompact.pipeline import Compactor, ToolCall, acompact, compact
    from mcpcompact.policy import Policy
    from mcpcompact.replaying import Report, replay
    from mcpcompact.results import Reference, ResultStore, Store
    from mcpcompact.source import Source
    from mcpcompact.tokens import TokenCount, count

_MODULES = {
    # No module bears the name of a function: importing it would put the module in the function's place.
    "compaction": ("Compaction",),
    "errors": ("McpcompactError",),
    "outline": ("ContentType", "Fact", "Item", "Keep", "Outline"),
    "paging.chunking": ("Chunk", "chunk", "chunks"),
    "paging.pagination": ("ItemPage", "paginate"),
    "pipeline": ("Compactor", "ToolCall", "acompact", "compact"),
    "policy": ("Policy",),
    "replaying": ("Report", "replay"),
    "results": ("Reference", "ResultStore", "Store"),
    "source": ("Source",),
    "tokens": ("TokenCount", "count"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Chunk", "Compaction", "Compactor", "ContentType", "Fact", "Item", "ItemPage", "Keep", "McpcompactError", "Outline",
    "Policy", "Reference", "Report", "ResultStore", "Source", "Store", "TokenCount", "ToolCall", "acompact", "chunk",
    "chunks", "compact", "count", "paginate", "replay",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Names are imported when first asked for (PEP 562): ``import mcpcompact`` costs nothing."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'mcpcompact' has no attribute '{name}'")
    import importlib

    value = getattr(importlib.import_module(f"mcpcompact.{home}"), name)
    globals()[name] = value
    return value
