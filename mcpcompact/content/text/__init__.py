"""Text: what no other type claims; search output, listings and histories have a shape of their own."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class Text:
    name = "text"
    extension = ".txt"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.text.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.text.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.text.outline import spans

        return spans(text)


TYPE: ContentType = Text()
