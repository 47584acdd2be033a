"""Diffs: what changed, by file and hunk."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class DiffType:
    name = "diff"
    extension = ".diff"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.diff.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.diff.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.diff.outline import spans

        return spans(text)


TYPE: ContentType = DiffType()
