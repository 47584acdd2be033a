"""What the results directory hands out: a reference to a result, the result itself, and what is wrong with one."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple

from mcpcompact.results.layout import present, source_of, unpacked
from mcpcompact.source import Source


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a full result lies and how to fetch parts of it.

    ``path`` is the file (or URL) of ``bytes`` bytes whose hash is ``sha256``; ``id`` its first 8 hex digits, or more.
    ``commands`` are ready to run. ``view`` is a line-friendly copy beside an original of very long lines.
    """

    id: str
    path: str
    sha256: str
    bytes: int
    commands: list[str]
    view: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """``reference`` in the JSON of ``summarize``."""
        found = {
            "id": self.id,
            "path": self.path,
            "sha256": self.sha256,
            "bytes": self.bytes,
            "commands": list(self.commands),
        }
        return {**found, "view": self.view} if self.view else found

    def as_read(self, reader: str) -> str:
        """The path as a reader may know it: never an absolute one unless the reader opens files itself."""
        path = os.fspath(self.path)
        relative = os.path.relpath(path)
        if not relative.startswith(os.pardir):
            return relative
        return path if reader in ("shell", "read") else os.path.basename(path)


class Problem(NamedTuple):
    """Something wrong with an advertised result."""

    id: str
    file: str
    what: str

    def __str__(self) -> str:
        return f"{self.file}: {self.what}"

    def as_dict(self) -> dict[str, str]:
        return {"id": self.id, "file": self.file, "problem": self.what}


@dataclass(frozen=True, slots=True)
class StoredResult:
    """One stored result. ``path`` is the original, which may be packed by ``gc`` (``.zst``, ``.gz``)."""

    id: str
    path: str
    meta: dict[str, Any]

    def open(self) -> BinaryIO:
        """The original's bytes, unpacked. Raises ``CannotReadError``."""
        return unpacked(self.path)

    def source(self) -> Source:
        """The original."""
        return source_of(self.path)

    def payload(self) -> Source:
        """What the summary's line and record numbers refer to: the unwrapped text, else the original."""
        return self._part("payload") or self.source()

    def view(self) -> Source | None:
        """The line-friendly view, where there is one."""
        return self._part("view")

    @property
    def one_line(self) -> bool:
        """The payload is one long line: its view is the way to read it by lines."""
        return bool((self.meta.get("view") or {}).get("oneLine"))

    def _part(self, name: str) -> Source | None:
        part = self.meta.get(name)
        return source_of(present(os.path.join(os.path.dirname(self.path), part["file"]))) if part else None
