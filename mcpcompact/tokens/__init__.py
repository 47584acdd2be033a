"""Exact, offline token counts for the public OpenAI encodings, and honest bounds for the others (docs/tokens.md)."""

from __future__ import annotations

from mcpcompact.tokens.count import Counter, SampledCount, Tokenizer, counter, estimate_characters, sample
from mcpcompact.tokens.encodings import is_safe_cut, safe_cut, safe_cuts
from mcpcompact.tokens.result import TokenCount, count, count_blocks, resolve, together

__all__ = [
    "Counter",
    "SampledCount",
    "TokenCount",
    "Tokenizer",
    "count",
    "count_blocks",
    "counter",
    "estimate_characters",
    "is_safe_cut",
    "resolve",
    "safe_cut",
    "safe_cuts",
    "sample",
    "together",
]
