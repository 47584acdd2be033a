"""Pages of a selection: as many pieces as fit a cap in tokens, and the selections that fetch what was left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from mcpcompact.phrasing import most
from mcpcompact.retrieval.selection import Piece, Range, Selected, Selection
from mcpcompact.source import before_cut

PAGE_TOKENS = 2_000
_WIDE = 40  # bytes a token that a page looks at: a longer piece is cut without counting all of it


@dataclass(slots=True)
class Page:
    """Printed bytes within the cap. ``first`` and ``last`` are unit numbers (byte offsets for ``byte``, the end
    excluded); ``next`` are selections for what was left out, empty when nothing was. ``position`` is where the next
    page begins, for a cursor: see ``resumed``."""

    data: bytes
    tokens: int
    unit: str
    first: int = 0
    last: int = 0
    shown: int = 0
    next: list[Selection] = field(default_factory=list)
    position: int = 0


def resumed(selected: Selected, position: int) -> Selected:
    """A selection made anew, from the ``position`` on where a page of it ended.

    An even one is twice the number of the next piece; an odd one twice the offset, and one, where a piece was cut.
    """
    place, cut = divmod(position, 2)
    every = selected.pieces

    def pieces() -> Iterator[Piece]:
        for piece in every:
            if not cut and piece.number >= place:
                yield piece
            elif cut and piece.start + len(piece.text) > place:
                begin = max(0, place - piece.start)
                yield replace(piece, text=piece.text[begin:], start=piece.start + begin)

    selected.pieces = pieces()
    return selected


def page(selected: Selected, max_tokens: int, count: Callable[[str], int]) -> Page:
    """Pack pieces into ``max_tokens``. A first piece that alone is too long is cut, never inside a character;
    blank lines before it are no first piece."""

    def cost(data: bytes) -> int:
        return count(data.decode("utf-8", "replace"))

    taken, left = _taken(selected, max_tokens, cost)
    parts = [piece.text for piece in taken]
    if selected.header and (taken or left is not None):
        parts.insert(0, selected.header)
    result = Page(b"", 0, selected.unit)
    blank = not any(piece.text.strip() for piece in taken)  # a page of blank lines alone brings nothing
    if left is not None and (blank or selected.unit == "byte"):
        whole = b"".join(parts)
        cut = _fitting(left.text, lambda part: cost(whole + part) <= max_tokens, _WIDE * max_tokens)
        parts.append(left.text[:cut])
        if selected.verbatim:
            chosen, at = selected.selection.bytes, left.start + min(cut, left.end - left.start)
            if at < left.end or chosen is not None:  # together pieces may cost less than one by one: it fitted whole
                result.next.append(Selection(bytes=Range(at, left.end if chosen is None else chosen.last)))
                result.position = 2 * (left.start + cut) + 1
        taken.append(replace(left, end=left.start + cut))
        left = None if selected.unit == "byte" else next(selected.pieces, None)
    result.data = b"".join(parts)
    result.tokens = cost(result.data)
    _number(result, [piece for piece in taken if piece.hit])
    if left is not None:
        result.next.append(_rest(selected, taken[-1].number + 1))
        result.position = result.position or 2 * left.number
    return result


def _taken(selected: Selected, max_tokens: int, cost: Callable[[bytes], int]) -> tuple[list[Piece], Piece | None]:
    """The pieces that fit behind the header, and the first one that does not."""
    taken: list[Piece] = []
    left: Piece | None = None
    tokens = 0
    for piece in selected.pieces:
        if selected.header and not taken:  # it is known with the first piece
            tokens = cost(selected.header)
        tokens += cost(piece.text[: _WIDE * max_tokens])
        if tokens > max_tokens or len(piece.text) > _WIDE * max_tokens:
            left = piece
            break
        taken.append(piece)
    while len(taken) > 1 and cost(selected.header + b"".join(piece.text for piece in taken)) > max_tokens:
        left = taken.pop()  # counts of pieces add up only nearly
    return taken, left


def _number(result: Page, hits: list[Piece]) -> None:
    """What of the result is shown, by its numbers."""
    result.shown = len(hits)
    if result.unit == "byte" and hits:
        result.first, result.last = hits[0].start, hits[-1].end
        result.shown = result.last - result.first
    elif hits:
        result.first, result.last = hits[0].number, hits[-1].number


def _rest(selected: Selected, first: int) -> Selection:
    selection = selected.selection
    if selected.unit == "line" and not selection.by_record:
        return replace(selection, lines=Range(first, selection.lines.last if selection.lines else None))
    return replace(selection, records=Range(first, selection.records.last if selection.records else None))


def _fitting(text: bytes, fits: Callable[[bytes], bool], wide: int) -> int:
    """The length of about the longest prefix that fits, at least one byte, at the end of a character."""
    return before_cut(text, most(min(len(text), wide), lambda n: fits(text[:n]))) or min(len(text), 1)
