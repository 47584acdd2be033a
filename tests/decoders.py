"""Decoders of the renderings that lose nothing, as their docstrings say them: they prove that nothing is lost."""

from __future__ import annotations

import json
import re
from typing import Any

REPEATED = re.compile(r"⟪×(\d{1,12})⟫")


def unsqueeze(text: str) -> str:
    """The decoder of ``table.layout.squeeze``."""
    return re.sub(r"~(\d*)~", lambda m: " " * int(m[1]) if m[1] else "~", text)


def unfold_repeats(text: str) -> str:
    """The decoder of ``fold_repeats``."""
    out: list[str] = []
    for line in text.split("\n"):
        mark = REPEATED.fullmatch(line)
        if mark and out:
            out += [out[-1]] * (int(mark[1]) - 1)
        else:
            out.append(line[1:] if line[:2] == "⟪⟪" else line)
    return "\n".join(out)


def unpack_rows(text: str) -> list[dict[str, Any]]:
    """The list that ``pack`` was given. Raises ``ValueError`` when the text is no such table."""
    head, *lines = text.split("\n")
    about = json.loads(head)
    keys, same = about["keys"], about["same"]
    varying = [k for k in keys if k not in same]
    if len(lines) != about["rows"]:
        raise ValueError(f"{about['rows']} rows are announced, {len(lines)} found")
    out = []
    for line in lines:
        values = dict(zip(varying, json.loads(line), strict=True))
        out.append({k: values[k] if k in values else same[k] for k in keys})
    return out
