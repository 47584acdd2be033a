"""Recorded sessions of agents, read from their own formats into one model.

``model`` is that model, ``read`` finds and reads files by their content, ``builder`` pairs results with
their calls while a format's reader walks over its records, ``document`` is what such a reader reads from.
"""

from __future__ import annotations

from mcpcompact.transcripts.model import Call, Message, Place, Result, Role, Transcript, Usage
from mcpcompact.transcripts.read import read_transcripts

__all__ = ["Call", "Message", "Place", "Result", "Role", "Transcript", "Usage", "read_transcripts"]
