"""What the tests of masking share."""

from __future__ import annotations

from random import Random

from bench.masking import ALONE, NAMED
from mcpcompact.masking import Masker

KEY = b"k" * 32
TOKEN = "ghp_" + "a1B2c3D4e5" * 4
AZURE = NAMED["azure-storage-key"][1](Random(1))
KINDS = {**ALONE, **{kind: make for kind, (_, make) in NAMED.items()}}


def masked(text: str, **more: object) -> str:
    return Masker(KEY, **more).text(text)  # type: ignore[arg-type]
