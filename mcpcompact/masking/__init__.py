"""Masking: secrets out of a stream of bytes, stable placeholders in.

``rules`` and ``assignments`` say what a secret is, ``blocks`` what a private key is, ``engine`` finds and replaces
them, wherever the stream is cut.
"""

from __future__ import annotations

from mcpcompact.masking.engine import Masker
from mcpcompact.masking.rules import Rule, rule, rules_of

__all__ = ["Masker", "Rule", "rule", "rules_of"]
