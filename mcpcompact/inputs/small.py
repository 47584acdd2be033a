"""The quick way to a small plain file: nothing of the project is imported for it."""

from __future__ import annotations

import os
import stat

SMALL = 1 << 20
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")


def small_text(name: str) -> bytes | None:
    """The bytes of a small file in UTF-8; None for all else, which ``reading`` opens (and says what is wrong)."""
    try:
        about = os.stat(name)
        if name == "-" or not stat.S_ISREG(about.st_mode) or not 0 < about.st_size <= SMALL:
            return None
        with open(name, "rb") as stream:
            data = stream.read()
        data.decode()
    except (OSError, ValueError):  # what is no UTF-8 is a ValueError
        return None
    return None if data.startswith(_PACKED) else data
