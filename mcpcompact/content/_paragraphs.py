"""Lines of prose as units that can be quoted: paragraphs, list items and runs of code, each below what leads to it."""

from __future__ import annotations

from collections.abc import Sequence

from mcpcompact.content._blocks import Block
from mcpcompact.patterns import regex

LEAD = 320  # characters of a sentence or entry that stands above what it leads to: what the fill engine shows whole
LEADS = 600  # characters of all of them above one entry
WRAPPED = 45  # characters from which on a line may have been wrapped; a shorter one ends where its writer ended it

_LED = ("li", "code", "fence", "text")

_LIST = regex(r"\s*(?:[-*+•]|\d{1,9}[.)]|[a-zA-Z#][.)])\s+\S")
_COLON = regex(r".*:[*_\"')\]]{0,4}\s*$")
_BOLD = regex(r"\s*\*\*[^*\n]+\*\*[.:]?\s*$")
_OTHERWISE = regex(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+\W{0,4}(?:[Oo]therwise|[Ee]lse|[Ii]f not)\b")
_ENDED = regex(r".*[.!?:;][*_`\"')\]]{0,4}\s*$")
_WORDS = regex(r"\s*\S+(?: \S+){5}")
_GOES_ON = regex(r"\s*(?:[a-z(`\"'“]|[A-Z]\w* [a-z])")


def grouped(blocks: Sequence[Block]) -> list[Block]:
    """Blocks of single lines as paragraphs, list entries with the lines that go on, and runs of code; each knows
    the lines that lead to it (``lead``): the sentence that ends in a colon, the entry that it stands below."""
    joined: list[Block] = []
    for block in blocks:
        last = joined[-1] if joined else None
        if last is not None and _goes_on(last, block):
            last.text += "\n" * (block.start - last.end) + block.text
            last.end = block.end
        else:
            joined.append(block)
    return led(joined)


def _goes_on(last: Block, block: Block) -> bool:
    if block.kind == "code":
        return last.kind == "code"
    return block.kind == "text" and last.kind in ("text", "li") and block.start == last.end + 1


def led(blocks: list[Block]) -> list[Block]:
    """Each block with the lines that lead to it: its heading, and the sentence or entry that it stands below."""
    leads: list[tuple[int, Block]] = []  # by depth, outermost first
    heading = ""
    for n, block in enumerate(blocks):
        if block.kind == "heading":
            leads, heading = [], f"{anchor(block.start, block.end)} {'#' * block.level} {block.text}"
        if block.kind not in ("text", "li", "code"):
            continue
        depth = len(block.text) - len(block.text.lstrip())
        if block.kind == "code":
            depth = leads[-1][0] + 1 if leads and blocks[n - 1].kind != "heading" else 0
        elif block.kind == "li":
            depth = 2 * depth + 1  # a text that ends in a colon leads the entries that begin where it does
        else:  # a paragraph in bold leads the paragraphs behind it too
            depth = 2 * depth - (_BOLD.match(block.text) is not None)
        least = depth + (_OTHERWISE.match(block.text) is not None)  # says nothing without the case before it
        leads = [(d, lead) for d, lead in leads if d < least]
        while sum(len(lead.text) for _, lead in leads) > LEADS:
            leads.pop(0)
        block.lead = "\n".join([heading] * bool(heading) + [f"{anchor(b.start, b.end)} {b.text}" for _, b in leads])
        if block.kind == "code" or len(block.text) > LEAD:
            continue
        ends = _COLON.match(block.text.rpartition("\n")[2]) is not None or _BOLD.match(block.text) is not None
        if block.kind == "li" or ends:
            leads.append((depth, block))
            after = blocks[n + 1] if n + 1 < len(blocks) else None
            block.leads = ends and after is not None and after.kind in _LED
    return blocks


def anchor(start: int, end: int) -> str:
    return f"{start}" if start == end else f"{start}-{end}"


def continues(before: str, line: str) -> bool:
    """Whether a line of plain text goes on with the wrapped sentence of the line before it."""
    if len(before) < WRAPPED or _ENDED.match(before) or not _WORDS.match(before) or _LIST.match(line):
        return False
    inner = len(line) - len(line.lstrip())
    hangs = 0 < inner - (len(before) - len(before.lstrip())) <= 4 and _LIST.match(before) is not None
    return hangs or (_GOES_ON.match(line) is not None and inner == len(before) - len(before.lstrip()))
