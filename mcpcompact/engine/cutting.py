"""What is left out between the chosen parts of a text, and between units: said where it was."""

from __future__ import annotations

from collections.abc import Mapping

from mcpcompact.engine.choice import anchor
from mcpcompact.patterns import regex
from mcpcompact.phrasing import CUT, stands_for

Spans = list[tuple[int, int]]
MARK = 6  # characters: a gap up to here is shown rather than marked
_STRING = regex(r"[^\s\d][^\s:]{0,200}(?: \([^()]{1,80}\))?: \"")  # a value of JSON behind its path


def merged(spans: Spans, text: str, mark: int = MARK) -> Spans:
    """Sorted spans, joined where what lies between them is at most ``mark`` characters: no longer than saying so."""
    begin = anchor(text)[1]
    out: Spans = []
    for start, end in sorted(spans):
        if out and start <= out[-1][1] + mark:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((0 if start - begin <= mark else start, end))
    if out and len(text) - out[-1][1] <= mark and "\n" not in text[out[-1][1] :]:
        out[-1] = (out[-1][0], len(text))
    return out


def gaps(unit: str, first: int, last: int, answered: Mapping[int, int]) -> list[str]:
    """The gaps from ``first`` to ``last`` between units that stand above all items (``answered``: first to last)."""
    lines = []
    for start, end in sorted(answered.items()):
        if first <= end and start <= last and start:
            lines += [gap(unit, first, start - 1)] if start > first else []
            first = end + 1
    return lines + ([gap(unit, first, last)] if first <= last else [])


def gap(unit: str, first: int, last: int) -> str:
    return f"… [{unit} {first} not shown]" if first == last else f"… [{unit}s {first}–{last} not shown]"


def shortened(text: str, spans: Spans, at: int = 0, below: int = 0) -> str:
    """The chosen spans of one item from ``at`` on; what is left out is said in lines or characters. ``below``: lines
    not shown right behind the item, which a mark at its end counts, too."""
    if spans == [(0, len(text))]:
        return text
    parts: list[str] = []
    for start, end in _unbroken(spans, text):
        if start > at:
            parts.append(_omitted(text, at, start))
        parts.append(text[start:end])
        at = end
    if at < len(text):
        parts.append(_omitted(text, at, len(text), below))
    return "".join(parts)


def _unbroken(spans: Spans, text: str) -> Spans:
    """The spans without the marks of earlier cuts at their ends, which the gap beside them counts."""
    for mark in CUT.finditer(text) if "…[+" in text else ():
        first, last = mark.span()
        spans = [
            (last if first <= start < last else start, first if first < end <= last < len(text) else end)
            for start, end in spans
        ]
    return [(start, end) for start, end in spans if start < end]


def _omitted(text: str, start: int, end: int, below: int = 0) -> str:
    left_out = text[start:end]
    if not left_out.strip():
        return "\n" * left_out.count("\n") or (" " if left_out else "")
    begin = anchor(text)[1]
    at_start = start <= begin or text[start - 1] == "\n"
    whole_lines = (at_start or left_out[0] == "\n") and (
        end == len(text) or left_out[-1] == "\n" or text[end : end + 1] == "\n"
    )
    if "\n" in left_out and whole_lines:
        n = left_out.count("\n") + at_start - (left_out[-1] == "\n" and end < len(text)) + below
        mark = f"…[+{n} line{'s' if n > 1 else ''}]"
        return "\n" * (not at_start) + mark + ("\n" if end < len(text) else "")
    if "\n" in left_out:  # what stands behind the mark begins on its own line
        behind = ""
        if left_out[-1] == "\n":
            behind = "\n"
        elif end < len(text) and text[end] != "\n":
            behind = "\n…"
        n = left_out.strip().count("\n") + 1
        mark = f"…[+{stands_for(left_out)} chars{f' on {n} lines' * (n > 1)}]{behind}"
        return ("\n" if start > begin and left_out[0] == "\n" else "") + mark
    quoted = end == len(text) and left_out[-1] == '"' and _STRING.match(text) is not None  # is no part of the value
    behind = " " if end < len(text) and not text[end].isspace() else ""
    return f"…[+{stands_for(left_out[: len(left_out) - quoted])} chars]{behind}"
