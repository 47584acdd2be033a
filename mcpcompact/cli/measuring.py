"""What telemetry keeps of a result, and the check of an estimate in one run of a hundred."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

from mcpcompact.source import LARGE, Source

if TYPE_CHECKING:
    from mcpcompact.batch.many import Outcome
    from mcpcompact.cli.io import Environment
    from mcpcompact.cli.policy import Shortening
    from mcpcompact.compaction import Compaction

ONE_IN = 100
FIGURES = {
    "contentType": "content_type",
    "method": "method",
    "originalTokens": "original_tokens",
    "tokens": "tokens",
    "budget": "budget",
    "threshold": "threshold",
    "itemsTotal": "items_total",
    "itemsShown": "items_shown",
}
"""What telemetry keeps of a compaction, or of what became of one in a batch."""


def figures(of: Compaction | Outcome, seconds: float, exit_code: int, failed: bool) -> dict[str, Any]:
    """A line of telemetry on a result: no name of a file, no argument, no text."""
    run: dict[str, Any] = {key: getattr(of, name) for key, name in FIGURES.items() if getattr(of, name) != ""}
    run |= {"masked": dict(of.masked) if of.masked else None, "seconds": round(seconds, 4)}
    return run | {"exitCode": exit_code, "outcome": "failed" if failed else "ok"}


def record(asked: Shortening, result: Compaction, source: Source, tool: str, seconds: float, env: Environment) -> None:
    """A line of telemetry on a result, written when the command is done."""
    problem = result.problem
    run = figures(result, seconds, problem.exit_code if problem else 0, problem is not None)
    run |= {"server": asked.server, "tool": tool or None, "model": asked.model, "windowLeft": asked.window_left}
    run |= {"originalTokensExact": result.exact, "bytes": result.original_bytes}
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
