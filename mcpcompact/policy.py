"""How long a result may be, who reads it, and how much is said about it; budgets that follow the reader: its host's own
limit (presets) and what its context still holds."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple

from mcpcompact.config import DEFAULT_BUDGET, MIN_BUDGET
from mcpcompact.errors import UsageError

READERS = ("mcpcompact", "tools", "shell", "read", "none")
STYLES = ("full", "short", "none")

SHARE = 50  # a result takes a fiftieth of what the window still holds: the default budget at 50,000 tokens left
WIDEST = 4  # neither more than four times the policy's budget nor less than a quarter of it …
HALF = 2  # … and in a context that is nearly full never more than half of what is left


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
        return replace(self, **changes)  # type: ignore[arg-type]


class Preset(NamedTuple):
    """A host's own limit, under which a result is not cut again: ``max_bytes`` or ``max_chars``, and a budget that
    text of usual density reaches first. ``reader`` is what its agent has to get the rest."""

    budget: int
    reader: str
    max_chars: int | None = None
    max_bytes: int | None = None


PRESETS = {
    "codex": Preset(2_200, "shell", max_bytes=9_900),  # cuts a result to 10,000 bytes, half head, half tail
    "claude": Preset(10_000, "shell", max_chars=49_000),  # persists over 50,000 characters, MCP over 25,000 tokens
    "vscode": Preset(1_800, "read", max_bytes=8_000),  # over 8 KB shows only a path and a schema
}


def for_window(policy: Policy, left: int) -> Policy:
    """The policy for a context that holds ``left`` more tokens (``--window-left``): more detail while it is empty, less
    when it is full. The budget becomes ``left / 50``, at least a quarter and at most four times what it was, and
    at most half of ``left``; the threshold keeps its proportion to the budget."""
    if left < 2 * MIN_BUDGET:
        raise UsageError(f"--window-left {left} has no room for a result", hint=f"{2 * MIN_BUDGET} or more is needed")
    budget = min(max(left // SHARE, policy.budget // WIDEST), policy.budget * WIDEST, left // HALF)
    budget = max(budget, MIN_BUDGET)
    threshold = min(policy.passes_at * budget // policy.budget, left // HALF)
    return policy.replaced(budget=budget, threshold=max(threshold, budget))


def for_host(policy: Policy, name: str, given: Collection[str] = ()) -> Policy:
    """The policy under a host's own limit: what it would cut is shortened here, what it would show passes untouched.

    Values of ``given`` names were asked for and stay, but the host's limit in characters or bytes holds.
    """
    preset = PRESETS.get(name)
    if preset is None:
        raise UsageError(f"unknown preset '{name}'", hint=f"use one of {', '.join(PRESETS)}")
    changes: dict[str, object] = {"budget": preset.budget, "threshold": None, "reader": preset.reader}
    changes = {key: value for key, value in changes.items() if key not in given}
    limits = [limit for limit in (policy.max_chars, preset.max_chars) if limit is not None]
    return policy.replaced(**changes, max_chars=min(limits, default=None), max_bytes=preset.max_bytes)
