"""Inspect's ``.eval`` logs: a zip with ``header.json`` and a file a sample; newer ones are packed with zstd."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any

from mcpcompact.errors import InputError
from mcpcompact.transcripts.builder import NOWHERE, Builder, Document, Reader, Transcript, mapped, parse, stated
from mcpcompact.transcripts.formats.inspect_eval_log import Sample

ZSTD = 93
LOCAL = 30  # bytes of a local file header, whose last four say how long the name and the extra field behind it are


class Format(Reader):
    def sniff(self, document: Document) -> float:
        if not document.raw.startswith(b"PK\x03\x04"):
            return 0.0
        try:
            with zipfile.ZipFile(document.path) as archive:
                return float(any(_is_sample(name) for name in archive.namelist()))
        except (OSError, zipfile.BadZipFile):
            return 0.0

    def read(self, document: Document) -> Iterator[Transcript]:
        with zipfile.ZipFile(document.path) as archive:
            names = archive.namelist()
            start = next((name for name in ("header.json", "_journal/start.json") if name in names), "")
            header = mapped(_value(archive, start)) if start else {}
            for name in filter(_is_sample, names):
                sample = _value(archive, name)
                if not isinstance(sample, dict):
                    document.problems.append(f"{name} does not parse")
                    continue
                build = Builder(self.name, document.path, f"{sample.get('id')}/{sample.get('epoch')}")
                build.transcript.model = stated(mapped(header.get("eval")).get("model"))
                Sample(build, sample, NOWHERE).read()  # an archive is not written anew
                yield build.transcript


def _is_sample(name: str) -> bool:
    return name.startswith("samples/") and name.endswith(".json")


def _value(archive: zipfile.ZipFile, name: str) -> Any:
    info = archive.getinfo(name)
    if info.compress_type != ZSTD:
        return parse(archive.read(info))
    try:
        import zstandard
    except ImportError:
        raise InputError(f"{archive.filename}: packed with zstd", hint="pip install zstandard") from None
    with open(str(archive.filename), "rb") as stream:
        stream.seek(info.header_offset)
        header = stream.read(LOCAL)
        stream.seek(sum(int.from_bytes(header[n : n + 2], "little") for n in (LOCAL - 4, LOCAL - 2)), 1)
        packed = stream.read(info.compress_size)
    return parse(zstandard.ZstdDecompressor().decompress(packed, max_output_size=info.file_size))
