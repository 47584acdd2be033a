"""Telemetry: what a run did, a line in a file of the user's state directory. Local, never sent.

``record`` writes and reads the lines, ``summary`` answers from them.
"""

from __future__ import annotations

from mcpcompact.telemetry.record import append, runs

__all__ = ["append", "runs"]
