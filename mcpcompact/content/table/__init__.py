"""Delimited text, aligned columns, Markdown and box tables."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class Table:
    name = "table"
    extension = ".csv"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.table.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.table.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.table.outline import spans

        return spans(text)


TYPE: ContentType = Table()
