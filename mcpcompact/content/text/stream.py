"""Text of more than 64 MB: every line counted, loud lines and an even choice carried, in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.outline import MAX_ITEMS, Fact, Item, Keep, Outline
from mcpcompact.phrasing import counted
from mcpcompact.source import Source, decode

_LINE_MOST = 2_000  # bytes of a line that are carried
_LOUD_MOST = 200
_LOUD = (b"ERROR", b"FATAL", b"PANIC", b"CRITICAL", b"Traceback", b"FAILED", b"failed", b"fatal", b"crash", b"corrupt")


def streamed(source: Source) -> Outline:
    """The outline of a source that is read in blocks. A block may end within a line that is longer than 64 MB."""
    newlines = longest = 0
    line_start = offset = 0  # bytes
    ended = True  # whether the text so far ends with a newline
    loud: list[Item] = []
    loud_total = 0
    items: list[Item] = []
    every = max(200, source.size // MAX_ITEMS)  # bytes from one candidate to the next
    due = 0  # bytes
    for block in source.blocks():
        at, number = 0, newlines + 1
        for place, word in sorted(_loud(block)):
            loud_total += 1
            if len(loud) < _LOUD_MOST:
                number += block.count(b"\n", at, place)
                at = place
                if not loud or loud[-1].start != number:
                    loud.append(Item(number, number, f"{number} {_around(block, at)}", Keep.SEVERE, "", word))
        at, number, begin = 0, newlines + 1, 0
        while len(items) < MAX_ITEMS and (start := max(at, due - offset)) < len(block):
            newline = block.find(b"\n", start, start + every)
            if newline >= 0 and (start or not ended) and block[start - 1 : start] != b"\n":
                start = newline + 1  # the next line begins near
            if start >= len(block):
                break
            number += block.count(b"\n", at, start)
            begin = block.rfind(b"\n", at, start) + 1 or begin
            within = start - begin if begin else offset + start - line_start
            end = block.find(b"\n", start, start + _LINE_MOST)
            text = decode(block[start : end if end >= 0 else start + _LINE_MOST]).strip()
            if text:
                items.append(Item(number, number, f"{number}{f'@{within}' if within else ''} {text}"))
            at = start
            due = offset + start + every
        first = block.find(b"\n")
        if first >= 0:
            longest = max(longest, offset + first - line_start)
            line_start = offset + block.rfind(b"\n") + 1
        newlines += block.count(b"\n")
        ended = block.endswith(b"\n")
        offset += len(block)
    longest = max(longest, offset - line_start)
    total = newlines + (not ended)
    facts = [Fact(f"Text: {counted(total, 'line')}, {offset:,} bytes.", 0)]
    if longest > _LINE_MOST:
        facts.append(Fact(f"Longest line {longest:,} bytes; pieces of it stand at line@byte.", 1))
    if loud_total:
        facts.append(Fact(f"{loud_total:,} times a word such as ERROR, failed, FATAL, Traceback.", 1))
    if loud_total > max(20, total // 500):  # a text full of them: none stands out
        loud = [Item(i.start, i.end, i.text) for i in loud]
    merged = sorted([*loud, *items], key=lambda item: (item.start, -item.keep))
    return Outline(
        content_type="text",
        unit="line",
        total=total,
        headline=counted(total, "line"),
        facts=facts,
        items=merged,
        more=[("--lines", "A:B") if longest <= _LINE_MOST else ("--bytes", "A:B")],
        facts_share=0.1,
    )


def _loud(block: bytes) -> Iterator[tuple[int, str]]:
    """Where the loud words of a block stand, not inside a longer name (one scan a word beats ``re``)."""
    for word in _LOUD:
        at = block.find(word)
        while at >= 0:
            before, after = block[at - 1 : at], block[at + len(word) : at + len(word) + 1]
            if not (
                before.isalnum() or before in (b"_", b"-") or after == b"_" or (word.isupper() and after.isalnum())
            ):
                yield at, word.decode()
            at = block.find(word, at + len(word))


def _around(block: bytes, at: int) -> str:
    """The line around a place, at most 600 bytes of it."""
    start = max(block.rfind(b"\n", max(0, at - 300), at) + 1, at - 300, 0)
    end = block.find(b"\n", at, at + 300)
    return decode(block[start : end if end >= 0 else at + 300]).strip()
