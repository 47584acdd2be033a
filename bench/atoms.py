"""Atoms: paths, symbols, ids, numbers. What an agent copies out of a tool result into its next call."""

from __future__ import annotations

import re

ATOM = re.compile(r"[A-Za-z_][\w./:@-]{3,}[\w/]|\d{3,}")
SEPARATORS = re.compile(r"[:@]|\.{2,}|--+|//+|(?<=\w)/(?=$)")


def classify(atom: str) -> str:
    """path, symbol, number, id or file; '' for a plain word, which proves nothing."""
    if atom.isdigit():
        return "number"
    if "/" in atom:
        return "path"
    if re.fullmatch(r"[0-9a-f-]{7,}", atom) or re.search(r"\d", atom):
        return "id"
    if re.search(r"\w\.\w", atom):
        return "file"
    if "_" in atom.strip("_") or re.search(r"[a-z][A-Z]|[A-Z]{2,}[a-z]", atom):
        return "symbol"
    return ""


def atoms(text: str) -> set[str]:
    """All strong atoms, and what they are made of: ``src/a.py:12:def`` holds ``src/a.py`` too."""
    found: set[str] = set()
    for whole in set(ATOM.findall(text)):
        for part in {whole, *SEPARATORS.split(whole)}:
            part = part.strip("./:@-")
            if len(part) < 4 and not (part.isdigit() and len(part) == 3):
                continue
            found.add(part)
            if "/" in part:
                found.update(step for step in part.split("/") if len(step) >= 4)
            elif "." in part:
                found.update(step for step in part.split(".") if len(step) >= 4)
    return {atom for atom in found if classify(atom)}
