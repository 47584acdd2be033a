"""From what was chosen to text: facts, then items in source order, each gap stated."""

from __future__ import annotations

from collections.abc import Mapping

from mcpcompact.engine.choice import State, anchor
from mcpcompact.outline import Outline

Spans = list[tuple[int, int]]

MARK = 6  # characters: a gap up to here is shown rather than marked


def render(outline: Outline, lines: list[str], state: State) -> str:
    """The body of a summary: ``lines`` (facts, answers), then items in source order, each gap stated."""
    chosen, suffix = state.chosen, state.suffix
    if state.header and chosen:
        lines.append(outline.header)
    section = ""
    led: set[str] = set()  # lines that led to what is shown: once, however many stand below them
    previous = 0
    for i in sorted(chosen):
        item = outline.items[i]
        if item.section and item.section != section and not section.startswith(f"{item.section}\n"):
            leads = [line for line in item.section.split("\n") if not item.flow or line not in led]
            lines += leads
            led.update(leads)
        section = item.section
        if item.flow:
            led.update(item.text.split("\n"))
        if not outline.anchored and item.start > previous + 1:
            lines += gaps(outline.unit, previous + 1, item.start - 1, state.answered)
        previous = max(previous, item.end)
        spans = merged(chosen[i], item.text)
        begin = anchor(item.text)[1] if outline.anchored else 0
        if begin and spans[0][0] >= begin:
            lines.append(item.text[:begin] + shortened(item.text, spans, begin) + suffix.get(i, ""))
        else:
            lines.append(shortened(item.text, spans) + suffix.get(i, ""))
    if not outline.anchored and chosen and previous < outline.total:
        lines += gaps(outline.unit, previous + 1, outline.total, state.answered)
    return "\n".join(lines)


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
    told = []
    for start, end in sorted(answered.items()):
        if first <= end and start <= last and start:
            told += [gap(unit, first, start - 1)] if start > first else []
            first = end + 1
    return told + ([gap(unit, first, last)] if first <= last else [])


def gap(unit: str, first: int, last: int) -> str:
    return f"… [{unit} {first} not shown]" if first == last else f"… [{unit}s {first}–{last} not shown]"


def shortened(text: str, spans: Spans, at: int = 0) -> str:
    """The chosen spans of one item from ``at`` on; what is left out is said in lines or characters."""
    if spans == [(0, len(text))]:
        return text
    parts: list[str] = []
    for start, end in spans:
        if start > at:
            parts.append(_omitted(text, at, start))
        parts.append(text[start:end])
        at = end
    if at < len(text):
        parts.append(_omitted(text, at, len(text)))
    return "".join(parts)


def _omitted(text: str, start: int, end: int) -> str:
    left_out = text[start:end]
    if not left_out.strip():
        return "\n" if "\n" in left_out else " " if left_out else ""
    begin = anchor(text)[1]
    whole_lines = (start <= begin or text[start - 1] == "\n" or left_out[0] == "\n") and (
        end == len(text) or left_out[-1] == "\n" or text[end : end + 1] == "\n"
    )
    if "\n" in left_out and whole_lines:
        n = len([line for line in left_out.split("\n") if line.strip()])
        mark = f"…[+{n} line{'s' if n > 1 else ''}]"
        return ("\n" if start > begin else "") + mark + ("\n" if end < len(text) else "")
    return f"…[+{len(left_out)} chars]" + (" " if end < len(text) else "")
