"""The content types: a folder each, found by ``detect``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from mcpcompact.outline import Hints, Outline, Verdict
    from mcpcompact.source import Sample, Source


class Own:
    """A type of the house: ``sniff.py`` and ``outline.py`` of the folder of its name, imported when they are asked."""

    def __init__(self, name: str, extension: str) -> None:
        self.name, self.extension = name, extension

    def _part(self, part: str) -> Any:
        return import_module(f"{__name__}.{self.name}.{part}")

    def sniff(self, sample: Sample) -> Verdict:
        return self._part("sniff").sniff(sample)  # type: ignore[no-any-return]

    def outline(self, source: Source, hints: Hints) -> Outline:
        return self._part("outline").outline(source, hints)  # type: ignore[no-any-return]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        return self._part("outline").spans(text)  # type: ignore[no-any-return]

    def ends(self, text: str) -> Callable[[int, int], int] | None:
        """What finds single ends of the units, where the type has a quicker way than all spans."""
        find = getattr(self._part("outline"), "entry_ends", None)
        return find(text) if find else None
