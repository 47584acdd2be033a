"""The optional LLM pass: a summary that a model writes on top of the heuristics, checked before it is trusted.

``summarize`` is the pass, ``client`` the calls, ``prompts`` what is asked, ``verify`` and ``support`` the check,
``history`` the conversation: as context, and the summary of its older rounds. litellm is imported at a call.
"""

from __future__ import annotations

from mcpcompact.llm.client import Options
from mcpcompact.llm.summarize import refine

__all__ = ["Options", "refine"]
