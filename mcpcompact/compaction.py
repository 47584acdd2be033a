"""What ``compact`` gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcpcompact.content.detect import Detection
from mcpcompact.errors import McpcompactError

if TYPE_CHECKING:
    from mcpcompact.inputs.envelope import Envelope
    from mcpcompact.results import Reference
    from mcpcompact.results.own import Own


@dataclass(slots=True)
class Compaction:
    """The outcome of ``compact``.

    ``text`` is what the agent gets. ``method`` is ``passthrough``, ``lossless``, ``outline`` or
    ``llm``. Token figures are exact unless ``exact`` says otherwise. ``problem`` is set when
    compaction or storing failed and the original passed through instead. ``own`` is set when the
    input was our own output or a stored file: those pass through, whatever their size.
    """

    text: str
    content_type: str
    method: str
    original_tokens: int
    tokens: int
    budget: int
    threshold: int
    items_total: int = 0
    items_shown: int = 0
    lossless: bool = True
    exact: bool = True
    reference: Reference | None = None
    original_bytes: int = 0
    detection: Detection | None = None
    envelope: Envelope | None = None
    problem: McpcompactError | None = None
    masked: Mapping[str, int] | None = None  # secrets replaced, by kind; None: masking was not asked for
    warnings: list[str] = field(default_factory=list)
    own: Own | None = None
    lacks_fields: bool = False  # no record has any field that the policy keeps: all fields are shown
    redress: Callable[[str, str], str] | None = None  # (body, model) → the text with its notice; "" where it exceeds
    llm: dict[str, Any] | None = None  # what the LLM pass did and how its text was checked; None: there was none

    @property
    def saved_percent(self) -> float:
        """Share of the original's tokens that are saved, in percent, one decimal."""
        if not self.original_tokens:
            return 0.0
        return round(100.0 * (1 - self.tokens / self.original_tokens), 1)

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of design §7."""
        return {
            "text": self.text,
            "contentType": self.content_type,
            "method": self.method,
            "originalTokens": self.original_tokens,
            "originalTokensExact": self.exact,
            "tokens": self.tokens,
            "savedPercent": self.saved_percent,
            "itemsTotal": self.items_total,
            "itemsShown": self.items_shown,
            "lossless": self.lossless,
            "reference": self.reference.as_dict() if self.reference else None,
            "tokenBudget": {
                "estimatedTokens": self.tokens,
                "budgetUsed": round(self.tokens / self.budget, 4) if self.budget else 0.0,
                "budgetRemaining": max(0, self.budget - self.tokens),
            },
            "summarized": None
            if self.method == "passthrough"
            else {"originalTokens": self.original_tokens, "threshold": self.threshold},
            **({} if self.masked is None else {"masked": dict(self.masked)}),
            **({} if self.llm is None else {"llm": self.llm}),
            "warnings": self.warnings + ([self.problem.line()] if self.problem else []),
        }
