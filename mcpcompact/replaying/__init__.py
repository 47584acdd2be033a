"""Replay: recorded sessions under several policies, what each saves and what it loses (docs/replay.md).

``run`` plays policies over sessions, ``session`` is a transcript made ready and what a policy sees and rewrites of it,
``policies`` (with ``cuts``, ``histories``) what is compared; ``evidence``, ``cost`` and ``companions`` are the
measures, ``figures`` their sums, ``report`` their table.
"""

from __future__ import annotations

from mcpcompact.replaying.figures import Report
from mcpcompact.replaying.run import replay

__all__ = ["Report", "replay"]
