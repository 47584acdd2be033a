"""Code: source and configuration, whole or in part."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class Code:
    name = "code"
    extension = ".txt"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.code.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.code.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.code.outline import spans

        return spans(text)


TYPE: ContentType = Code()
