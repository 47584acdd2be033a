"""Logs: service, system and access logs, test runs and build output."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class Log:
    name = "log"
    extension = ".log"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.log.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.log.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.log.outline import spans

        return spans(text)

    def ends(self, text: str) -> Callable[[int, int], int] | None:
        from mcpcompact.content.log.outline import entry_ends

        return entry_ends(text)


TYPE: ContentType = Log()
