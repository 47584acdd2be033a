"""What ``compact`` gives back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mcpcompact.content.detect import Detection
from mcpcompact.errors import McpcompactError
from mcpcompact.phrasing import keyed
from mcpcompact.source import Source, decode

if TYPE_CHECKING:
    from mcpcompact.inputs.envelope import Envelope
    from mcpcompact.results import Reference
    from mcpcompact.results.own import Own


@dataclass(slots=True, eq=False, repr=False)
class Compaction:
    """The outcome of ``compact``.

    ``text`` is what the agent gets, ``message`` the same in the message that it came in. ``method`` is
    ``passthrough``, ``lossless``, ``outline`` or ``llm``. ``tokens`` of ``original_tokens`` are left, within ``budget``
    where the input exceeded ``threshold``; they are exact unless ``exact`` says otherwise. ``original_bytes`` is the
    size of the input, ``source`` its unwrapped payload, ``envelope`` the message around it. ``items_shown`` of
    ``items_total`` units (records, lines, …) are shown; ``lossless``: all of them, whole. ``reference`` says where the
    original is stored, None without a store. ``content_type`` and ``detection`` say what it was taken for, and why.

    ``problem`` is set when compaction or storing failed and the original passed through instead, ``warnings`` are
    lines for the user. ``masked`` counts replaced secrets by kind. ``own`` is set when the input was our own output or
    a stored file: those pass through, whatever their size. ``lacks_fields``: no record has a field that the policy
    keeps, so all are shown. ``redress`` and ``llm`` serve the LLM pass.
    """

    content_type: str
    method: str
    original_tokens: int
    tokens: int
    budget: int
    threshold: int
    _text: str | None = None  # None: that of ``source``, too large to be read without need
    source: Source | None = field(default=None, repr=False)
    given: Any = field(default=None, repr=False, compare=False)  # what ``compact`` was called with
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

    def __repr__(self) -> str:
        """What was made of what, not the text itself: it may be long."""
        return f"<Compaction {self.content_type} {self.method}: {self.original_tokens:,} to {self.tokens:,} tokens>"

    @property
    def text(self) -> str:
        """What the agent gets."""
        if self._text is None:
            self._text = "" if self.source is None else decode(self.source.data)
        return self._text

    @text.setter
    def text(self, text: str) -> None:
        self._text = text

    @property
    def message(self) -> Any:
        """The text in the message that it came in, of the type that was given: a text, bytes, a dict or list, a model
        with ``model_validate``. A model keeps its ``structuredContent``: that is for programs, the text for the model.
        """
        given = self.given
        if self.method == "passthrough" or self.envelope is None:
            return given
        value = self.envelope.rewrap(self.text)
        if isinstance(given, (str, bytes, bytearray, memoryview, Source)):
            text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            return text if isinstance(given, (str, Source)) else text.encode("utf-8", "surrogatepass")
        validate = getattr(type(given), "model_validate", None)
        if validate is None or not isinstance(value, dict):
            return value
        return validate({**given.model_dump(), **value})

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """All but what only works where it was made: the outline behind ``redress`` and the message around the text.
        As of any object with slots: no ``__dict__``, and their values."""
        state = {name: getattr(self, name) for name in self.__slots__}
        return None, {**state, "given": self.message, "redress": None, "envelope": None}

    @property
    def saved_percent(self) -> float:
        """Share of the original's tokens that are saved, in percent, one decimal."""
        if not self.original_tokens:
            return 0.0
        return round(100.0 * (1 - self.tokens / self.original_tokens), 1)

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of ``summarize --json``."""
        return {
            "text": self.text,
            **keyed(self, "content_type", "method", "original_tokens"),
            "originalTokensExact": self.exact,
            **keyed(self, "tokens", "saved_percent", "items_total", "items_shown", "lossless"),
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
