"""HTML, XML and Markdown: sections and elements with exact line numbers."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class Markup:
    name = "markup"
    extension = ".md"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.markup.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.markup.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.markup.outline import spans

        return spans(text)


TYPE: ContentType = Markup()
