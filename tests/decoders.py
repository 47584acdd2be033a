"""Decoders of the renderings that lose nothing, as their docstrings say them: they prove that nothing is lost."""

from __future__ import annotations

import ast
import json
import re
from typing import Any

LOG_MARK, LOG_FOLD = "§", re.compile(r"… ×(\d+)$")
REPEATED = re.compile(r"⟪×(\d{1,12})⟫")
DROPPED = re.compile(
    r"\[line numbers dropped(?: but every (\d+)th)?: lines (\d+)-(\d+) below are numbered (\d+)-\d+, "
    r"the first was ('.*'|\".*\")\]$"
)


def renumber(encoded: str) -> str:
    """The numbered view that ``denumber`` was given."""
    head, *lines = encoded.split("\n")
    match = DROPPED.match(head)
    assert match, "not a view without its numbers"
    every, first, last, number = (int(n or 0) for n in match.groups()[:4])
    gutter = ast.literal_eval(match[5])
    mark = gutter.lstrip().removeprefix(str(number))
    width = len(gutter) - len(mark) if gutter[:1] == " " else 0
    for n, i in enumerate(range(first - 1, last), number):
        if not every or n % every:
            lines[i] = f"{n:>{width}}{mark}{lines[i]}"
    return "\n".join(lines)


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


def unpack_log(packed: str) -> str:
    """The text that ``pack`` was given."""
    out: list[str] = []
    prefix = ""
    for line in packed.split("\n"):
        if line.startswith(LOG_MARK):
            prefix = line[1:]
        elif (fold := LOG_FOLD.match(line)) and out:
            out += [out[-1]] * (int(fold[1]) - 1)
        else:
            out.append(prefix + line)
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
