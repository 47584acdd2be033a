"""Rebuild the tables of ``mcpcompact/tokens/data`` from the published rank files.

    python scripts/build_vocabulary.py o200k_base.tiktoken cl100k_base.tiktoken

Each argument is a rank file as published by OpenAI (``.gz`` is fine); it is recognised by its
SHA-256 and refused when that is unknown. The Unicode classes are asked of the installed
tiktoken's own regex engine, so that the pre-tokenizer agrees with it on every code point.
The formats are described in ``mcpcompact/tokens/encodings.py``.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import struct
import sys
import zlib
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "mcpcompact" / "tokens" / "data"
PUBLISHED = {
    "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d": ("o200k_base", 1 << 16),
    "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7": ("cl100k_base", 1 << 15),
}
CLASSES = (r"[\p{Lu}\p{Lt}]", r"\p{Ll}", r"[\p{Lm}\p{Lo}]", r"\p{M}", r"\p{N}", r"\s")
OTHER, LONG_S = 6, 7


def build_vocabulary(path: Path) -> str:
    data = path.read_bytes()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    digest = hashlib.sha256(data).hexdigest()
    if digest not in PUBLISHED:
        raise SystemExit(f"{path.name}: SHA-256 {digest} is not that of a published rank file")
    name, buckets = PUBLISHED[digest]
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, data.splitlines())}
    if list(ranks.values()) != list(range(len(ranks))):
        raise SystemExit(f"{path.name}: ranks are not 0, 1, 2 …")
    groups: list[list[bytes]] = [[] for _ in range(buckets)]
    for token in ranks:
        if len(token) > 1:
            if b"\xff" in token or b"\xfe" in token:
                raise SystemExit(f"{path.name}: token {token!r} holds a separator")
            groups[zlib.crc32(token) & (buckets - 1)].append(token)
    single = [ranks[bytes([byte])] for byte in range(256)]
    position = 48 + 4 * 256 + 4 * (buckets + 1)
    starts, records = [position], bytearray()
    for group in groups:
        for token in group:
            rank = ranks[token]
            records += b"\xff%b\xfe%b" % (token, bytes((rank & 127, rank >> 7 & 127, rank >> 14)))
        starts.append(position + len(records))
    header = struct.pack("<8sII32s", b"mcpvoc01", len(ranks), buckets, bytes.fromhex(digest))
    table = header + struct.pack("<256I", *single) + struct.pack(f"<{buckets + 1}I", *starts) + bytes(records)
    (DATA / f"{name}.vocabulary").write_bytes(table)
    return f"{name}: {len(ranks):,} tokens, {len(table):,} bytes, {len(zlib.compress(table, 9)):,} compressed"


def build_classes() -> str:
    import tiktoken

    singles = {bytes([byte]): byte for byte in range(256)}
    text = "".join(map(chr, (*range(128, 0xD800), *range(0xE000, 0x110000))))
    classes = bytearray([OTHER]) * 0x110000
    for index, pattern in enumerate(CLASSES):
        engine = tiktoken.Encoding("class", pat_str=pattern, mergeable_ranks=singles, special_tokens={})
        for char in bytes(engine.encode_ordinary(text)).decode():  # what the pattern does not match is dropped
            if classes[ord(char)] != OTHER:
                raise SystemExit(f"U+{ord(char):04X} is in two classes")
            classes[ord(char)] = index
    engine = tiktoken.Encoding("fold", pat_str="(?i:[sdmtlvre])", mergeable_ranks=singles, special_tokens={})
    folded = bytes(engine.encode_ordinary(text)).decode()
    if folded != "\u017f":
        raise SystemExit(f"letters that fold to those of a contraction: {folded!r}")
    classes[0x17F] = LONG_S
    ranges = [
        code << 3 | kind
        for code, kind in enumerate(classes)
        if code >= 128 and (code == 128 or kind != classes[code - 1])
    ]
    (DATA / "unicode.classes").write_bytes(struct.pack(f"<{len(ranges)}I", *ranges))
    return f"Unicode classes as in tiktoken {tiktoken.__version__}: {len(ranges):,} ranges, {4 * len(ranges):,} bytes"


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    for argument in sys.argv[1:]:
        print(build_vocabulary(Path(argument)))
    print(build_classes())
