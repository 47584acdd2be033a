"""From what was chosen to text: facts, then items in source order, each gap stated."""

from __future__ import annotations

from collections.abc import Mapping

from mcpcompact.choice import State
from mcpcompact.outline import Item, Outline
from mcpcompact.pieces import anchor

Spans = list[tuple[int, int]]

EXCERPTS = "Lines A–B: only pieces of those lines, in order."
"""Said once when several lines share an output line."""

PIECES_A_LINE, LINES_A_RANGE = 24, 240

MARK = 6  # characters: a gap up to here is shown rather than marked


def render(outline: Outline, lines: list[str], state: State, excerpted: set[int]) -> str:
    """The body of a summary: ``lines`` (facts, answers), then items in source order, each on its own line;
    ``excerpted`` ones share lines."""
    chosen, suffix = state.chosen, state.suffix
    if state.header and chosen:
        lines.append(outline.header)
    body: list[str] = []
    section = ""
    previous = 0
    excerpts = _Excerpts(body)
    for i in sorted(chosen):
        item = outline.items[i]
        if item.section and item.section != section:
            excerpts.flush()
            body.append(item.section)
        section = item.section
        if not outline.anchored and item.start > previous + 1:
            excerpts.flush()
            body += gaps(outline.unit, previous + 1, item.start - 1, state.answered)
        previous = max(previous, item.end)
        if i in excerpted and excerpts.takes(item, merged(chosen[i], item.text, 1)):
            continue
        excerpts.flush()
        spans = merged(chosen[i], item.text, MARK)
        begin = anchor(item.text)[1] if outline.anchored else 0
        if begin and spans[0][0] >= begin:
            body.append(item.text[:begin] + shortened(item.text, spans, begin) + suffix.get(i, ""))
        else:
            body.append(shortened(item.text, spans) + suffix.get(i, ""))
    excerpts.flush()
    if excerpts.used:
        lines.append(EXCERPTS)
    if not outline.anchored and chosen and previous < outline.total:
        body += gaps(outline.unit, previous + 1, outline.total, state.answered)
    return "\n".join(lines + body)


class _Excerpts:
    """Runs of lines of which only pieces are shown, joined under their exact range."""

    def __init__(self, body: list[str]) -> None:
        self.body = body
        self.run: list[str] = []
        self.first = self.last = ""
        self.since = 0  # the unit the run began with
        self.used = False

    def takes(self, item: Item, spans: Spans) -> bool:
        """Add the item's pieces to the run, if it says where it stands."""
        label, begin = anchor(item.text)
        if not label:
            return False
        if self.run and (item.start - self.since > LINES_A_RANGE or _sign(label) != _sign(self.first)):
            self.flush()  # added and removed lines never share a line
        self.since = self.since if self.run else item.start
        self.first = self.first or label
        self.last = str(int(label) + item.end - item.start) if label.isdigit() else label
        self.run += [" ".join(item.text[max(start, begin) : end].split()) for start, end in spans if end > begin]
        if len(self.run) >= PIECES_A_LINE:
            self.flush()
        return True

    def flush(self) -> None:
        if self.run:
            first, last = self.first, self.last.lstrip("+-~ #")
            if first != self.last:  # "5-9" and "12-14" make "5–14"
                first, last = first.split("-")[0] or first, last.rsplit("-", 1)[-1]
            label = self.first if self.first == self.last else f"{first}–{last}"
            self.body.append(f"{label} {' '.join(self.run)}")
            self.used = True
        self.run, self.first, self.last = [], "", ""


def _sign(label: str) -> str:
    return label[0] if label[0] in "+-" else ""


def merged(spans: Spans, text: str, mark: int) -> Spans:
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
    whole_lines = (start == 0 or text[start - 1] == "\n" or left_out[0] == "\n") and (
        end == len(text) or left_out[-1] == "\n" or text[end : end + 1] == "\n"
    )
    if "\n" in left_out and whole_lines:
        n = len([line for line in left_out.split("\n") if line.strip()])
        mark = f"…[+{n} line{'s' if n > 1 else ''}]"
        return ("\n" if start else "") + mark + ("\n" if end < len(text) else "")
    return f"…[+{len(left_out)} chars]" + (" " if end < len(text) else "")
