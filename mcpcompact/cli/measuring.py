"""What telemetry keeps of a result, and the check of an estimate in one run of a hundred."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from mcpcompact.source import LARGE, Source

if TYPE_CHECKING:
    from mcpcompact.cli.io import Environment
    from mcpcompact.cli.policy import Shortening
    from mcpcompact.compaction import Compaction

ONE_IN = 100


def record(asked: Shortening, result: Compaction, source: Source, tool: str, seconds: float, env: Environment) -> None:
    """A line of telemetry on a result, written when the command is done. No name of a file, no argument, no text."""
    problem = result.problem
    run: dict[str, Any] = {
        "server": asked.server,
        "tool": tool or None,
        "contentType": result.content_type,
        "method": result.method,
        "originalTokens": result.original_tokens,
        "originalTokensExact": result.exact,
        "tokens": result.tokens,
        "budget": result.budget,
        "threshold": result.threshold,
        "bytes": result.original_bytes,
        "itemsTotal": result.items_total,
        "itemsShown": result.items_shown,
        "model": asked.model,
        "windowLeft": asked.window_left,
        "masked": dict(result.masked) if result.masked else None,
        "seconds": round(seconds, 4),
        "exitCode": problem.exit_code if problem else 0,
        "outcome": "failed" if problem else "ok",
    }
    if env.telemetry:
        run |= checked(asked, result, source)
    env.record(**run)


def checked(asked: Shortening, result: Compaction, source: Source) -> dict[str, int]:
    """The sampled and the exact count of one original in a hundred, chosen by its content: the same in every run."""
    payload = result.envelope.source if result.envelope is not None else source
    if not 0 < payload.size <= LARGE or zlib.crc32(payload.read(0, 4_096)) % ONE_IN:
        return {}
    from mcpcompact.tokens import count_blocks, resolve, sample

    tokenizer = resolve(asked.model, asked.encoding)
    if not tokenizer.exact:
        return {}
    if result.exact:
        return {"estimatedTokens": sample(payload, tokenizer.encoding).tokens, "exactTokens": result.original_tokens}
    exact = count_blocks(payload.blocks(), tokenizer).tokens
    return {"estimatedTokens": result.original_tokens, "exactTokens": exact}
