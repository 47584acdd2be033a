"""Where settings come from. The only module that reads the environment."""

from __future__ import annotations

import os
import sys

from mcpcompact.slotted import dataclass

RESULTS_DIR = "MCPCOMPACT_RESULTS_DIR"
LOCAL_RESULTS = os.path.join(".mcpcompact", "results")

DEFAULT_BUDGET = 1_000
MIN_BUDGET = 50


@dataclass(slots=True, frozen=True)
class Policy:
    """The limits of one kind of result: tokens, characters, who reads it and how much the notice says."""

    budget: int = DEFAULT_BUDGET
    threshold: int | None = None  # tokens up to which a result passes untouched; None: twice the budget
    reader: str = "mcpcompact"
    notice: str | None = None  # full, short or none; None: short under a budget of 300, else full
    max_chars: int | None = None

    @property
    def passes_at(self) -> int:
        return 2 * self.budget if self.threshold is None else self.threshold


def results_dir(option: str | None = None) -> tuple[str, bool]:
    """The results directory (design §6) and whether a later command finds it without being told.

    The option, else ``$MCPCOMPACT_RESULTS_DIR``, else ``.mcpcompact/results`` of the working
    directory where it exists, else the user's state directory.
    """
    if option:
        return option, False
    named = os.environ.get(RESULTS_DIR)
    if named:
        return named, True
    if os.path.isdir(LOCAL_RESULTS):
        return LOCAL_RESULTS, True
    return os.path.join(_state_dir(), "results"), True


def _state_dir() -> str:
    """The user's state directory. On Linux by the XDG rule, as platformdirs has it, without its 12 ms of imports."""
    if sys.platform == "linux":
        base = os.environ.get("XDG_STATE_HOME", "").strip() or os.path.expanduser(os.path.join("~", ".local", "state"))
        return os.path.join(base, "mcpcompact")
    from platformdirs import user_state_dir

    return user_state_dir("mcpcompact", appauthor=False)
