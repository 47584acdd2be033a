"""``compact`` for programs with an event loop."""

from __future__ import annotations

import asyncio
from typing import Any

from mcpcompact.compaction import Compaction
from mcpcompact.pipeline import compact


async def acompact(result: Any, **options: Any) -> Compaction:
    """``compact`` of ``result``, with its ``options``, in a thread: the loop goes on meanwhile."""
    return await asyncio.to_thread(compact, result, **options)
