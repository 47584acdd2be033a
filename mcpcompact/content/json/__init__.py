"""JSON that is no plain list of records."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import ContentType, Hints, Outline, Verdict
from mcpcompact.source import Sample, Source


class Json:
    name = "json"
    extension = ".json"

    def sniff(self, sample: Sample) -> Verdict:
        from mcpcompact.content.json.sniff import sniff

        return sniff(sample)

    def outline(self, source: Source, hints: Hints) -> Outline:
        from mcpcompact.content.json.outline import outline

        return outline(source, hints)

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        from mcpcompact.content.json.outline import spans

        return spans(text)


TYPE: ContentType = Json()
