"""Many inputs over one executor, and what becomes of one of them."""

from mcpcompact.batch.many import DONE, FAILED, SKIPPED, UNCHANGED, Outcome, Task, anywhere, run
from mcpcompact.batch.one import (
    Common,
    compacted,
    compactor_of,
    is_binary,
    observation_prefix,
    rendered,
    store_of,
    tool_of,
)

__all__ = [
    "DONE",
    "FAILED",
    "SKIPPED",
    "UNCHANGED",
    "Common",
    "Outcome",
    "Task",
    "anywhere",
    "compacted",
    "compactor_of",
    "is_binary",
    "observation_prefix",
    "rendered",
    "run",
    "store_of",
    "tool_of",
]
