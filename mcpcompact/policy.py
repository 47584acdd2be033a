"""How long a result may be, who reads it, and how much is said about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mcpcompact.config import DEFAULT_BUDGET


@dataclass(slots=True, frozen=True)
class Policy:
    """The limits of one kind of result: tokens, characters, who reads it and how much the notice says."""

    budget: int = DEFAULT_BUDGET
    threshold: int | None = None  # tokens up to which a result passes untouched; None: twice the budget
    reader: str = "mcpcompact"
    notice: str | None = None  # full, short or none; None: short under a budget of 600, else full
    max_chars: int | None = None
    max_bytes: int | None = None  # of a host that cuts by bytes; like ``max_chars``, untouched results keep to it too
    enabled: bool = True  # False: every result passes untouched
    keep_fields: tuple[str, ...] = ()  # of records: only these are shown; all are stored
    drop_fields: tuple[str, ...] = ()  # of records: never shown

    @property
    def passes_at(self) -> int:
        return 2 * self.budget if self.threshold is None else self.threshold

    def replaced(self, **changes: object) -> Policy:
        """The same policy with other values."""
        values: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        return Policy(**(values | changes))
