"""Exact, offline token counts for the public OpenAI encodings."""

from __future__ import annotations

from .boundaries import is_safe_cut, safe_cuts
from .count import Counter, counter

__all__ = ["Counter", "counter", "is_safe_cut", "safe_cuts"]
