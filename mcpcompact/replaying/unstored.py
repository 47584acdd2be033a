"""A store that stores nothing: replay compacts thousands of results, and only what the notice says has to be true."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from typing import Any

from mcpcompact.config import LOCAL_RESULTS
from mcpcompact.results import Original, Reference
from mcpcompact.results.directory import DirectoryStore
from mcpcompact.results.layout import slug
from mcpcompact.results.own import Own
from mcpcompact.source import Source


class Unstored(DirectoryStore):
    """Gives the reference that ``ResultStore`` would give on an empty directory."""

    def __init__(self) -> None:
        super().__init__(LOCAL_RESULTS)

    def put(self, original: Original) -> Reference:
        digest = hashlib.sha256(original.source.data).hexdigest()
        path = os.path.join(self.directory, f"{slug(original.tool)}-{digest[:8]}{original.extension}")
        return Reference(digest[:8], path, digest, original.source.size, [])

    def remember(self, id: str, text: str | bytes) -> None:
        """Nothing comes back in a replay."""

    def recognise(self, source: Source, payload: Source, arguments: Mapping[str, Any] | None = None) -> Own | None:
        """No store of this machine has a say in the figures."""
        return None
