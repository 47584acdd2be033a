"""How long a result may be, who reads it, and how much is said about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcpcompact.config import DEFAULT_BUDGET

READERS = ("mcpcompact", "tools", "shell", "read", "none")
STYLES = ("full", "short", "none")


@dataclass(slots=True, frozen=True)
class Policy:
    """The limits of one kind of result.

    ``budget``: most tokens of the text, notice included, at least 50. ``threshold``: results of at most so many tokens
    pass untouched; None is twice the budget. ``max_chars`` and ``max_bytes`` bound the text besides, untouched results
    too: some hosts cut there. ``reader``: who reads on (``mcpcompact``, ``shell``, ``read`` or ``none``), in whose
    commands the notice says how. ``notice``: ``full``, ``short`` or ``none``; None is short under a budget of 600.
    ``enabled`` False lets every result pass. Of records only ``keep_fields`` are shown and never ``drop_fields``;
    stored are all.
    """

    budget: int = DEFAULT_BUDGET
    threshold: int | None = None
    reader: str = "mcpcompact"
    notice: str | None = None
    max_chars: int | None = None
    max_bytes: int | None = None
    enabled: bool = True
    keep_fields: tuple[str, ...] = ()
    drop_fields: tuple[str, ...] = ()

    @property
    def passes_at(self) -> int:
        """The threshold in force, in tokens."""
        return 2 * self.budget if self.threshold is None else self.threshold

    def replaced(self, **changes: object) -> Policy:
        """The same policy with other values."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return Policy(**(values | changes))
