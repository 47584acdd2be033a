"""Lists of objects: bare, beside other keys, NDJSON, YAML."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class Records:
    name = "records"
    extension = ".json"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.records.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.records.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.records.outline import spans

        return spans(text)


TYPE: ContentType = Records()
