"""The lines of a hunk, each with its sign and its line number in the file of its side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcpcompact.content.diff.parse import Hunk

Line = tuple[int, str, int, str]
"""Payload index, sign (``+``, ``-`` or blank), line number in the file of that sign (0 unknown), text."""


def body(hunk: Hunk, lines: list[str]) -> Iterable[Line]:
    """The lines of a hunk with the line number of their own side."""
    if hunk.kind == "combined":
        return _combined_body(hunk, lines)
    if hunk.kind == "context":
        return _context_body(hunk, lines)
    if hunk.kind == "normal":
        return _normal_body(hunk, lines)
    return _unified_body(hunk, lines)


def _unified_body(hunk: Hunk, lines: list[str]) -> Iterator[Line]:
    old, new = hunk.old, hunk.new
    known_old, known_new = hunk.old > 0 or hunk.kind == "unified", hunk.new > 0 or hunk.kind == "unified"
    for i in range(hunk.start + 1, hunk.end):
        line = lines[i]
        sign = line[:1]
        if sign == "+":
            yield i, "+", new if known_new else 0, line[1:]
            new += 1
        elif sign == "-":
            yield i, "-", old if known_old else 0, line[1:]
            old += 1
        elif sign != "\\":
            yield i, "", new if known_new else 0, line[1:]
            old += 1
            new += 1


def _combined_body(hunk: Hunk, lines: list[str]) -> Iterator[Line]:
    olds, new, width = list(hunk.olds), hunk.new, hunk.width
    for i in range(hunk.start + 1, hunk.end):
        line = lines[i]
        prefix = line[:width].ljust(width)
        if prefix[0] == "\\":
            continue
        gone = "-" in prefix
        if gone:
            yield i, "-", olds[prefix.index("-")], line[width:]
        else:
            yield i, "+" if "+" in prefix else "", new, line[width:]
            new += 1
        for k, mark in enumerate(prefix):
            olds[k] += mark == "-" or (mark == " " and not gone)


def _context_body(hunk: Hunk, lines: list[str]) -> Iterator[Line]:
    middle = hunk.middle or hunk.end
    number = hunk.old
    for i in range(hunk.start + 1, hunk.end):
        if i == middle:
            number = hunk.new
            continue
        mark = lines[i][:1]
        if mark == "\\":
            continue
        if i < middle:
            if mark.strip():
                yield i, "-", number, lines[i][2:]
            elif not (hunk.middle and hunk.end > middle + 1):
                yield i, "", number, lines[i][2:]
        else:
            yield i, "+" if mark.strip() else "", number, lines[i][2:]
        number += 1


def _normal_body(hunk: Hunk, lines: list[str]) -> Iterator[Line]:
    old, new = hunk.old, hunk.new
    for i in range(hunk.start + 1, hunk.end):
        if lines[i].startswith("<"):
            yield i, "-", old, lines[i][2:]
            old += 1
        elif lines[i].startswith(">"):
            yield i, "+", new, lines[i][2:]
            new += 1
