"""What a web page is about, and what only stands around it: menus, cards that lead to other pages, demonstrations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Mapping, Sequence
from itertools import accumulate

from mcpcompact.content.markup.paragraphs import KEY, SUB, Block, prose
from mcpcompact.patterns import regex

TOLD = 5  # paragraphs of a page, beside which what stands in boxes is its surface
MENU = 7  # words and signs of an entry: shorter ones of such a page without a figure are its menus
SCRAP, WORD = 12, 8  # words; characters of a title
CARD, SPEAKS = 2, 3  # sentences of a box that leads to another page; texts with such, of a page that has a subject
MAX = 0.7  # of the sentences of a page, which the box holds that it is about
PAGE_LINES = 12  # above the first heading, in which it is named
BRIEF = 500  # characters of a paragraph that is never cut
LONE = 0.1  # weight of a text that is a label or a mark
SEEN = regex(r"(?i)\b(?:screenshot|viewport|web ?page)\b")
NAMES_PAGE = regex(
    r"(?i)[a-z][^\[\]\n]{8,60}\[[^\[\]\n]{1,200}\]\(https?://"
    r"|(?:page |source )?(?:title|url|address)(?: source)?: *\S|https?://\S+$"
)
SAID, _SENTENCE = ("text", "li", "label"), regex(r"\w(?:[.!?…][\"'”’)]{0,2}(?:\s|$)|[。！？])")


def around(blocks: Sequence[Block], title: str, boxes: Sequence[tuple[int, int]], elsewhere: Mapping[int, int]) -> None:
    """A page is about the innermost of its boxes that holds most of its sentences. What stands around it, but for its
    title, is its surface, and so are the cards that lead to other pages."""
    ends = dict(boxes)
    places, _ = _sentences(blocks, SAID)
    beside, until = set[int](), 0
    for block in blocks:
        linked = block.kind == "heading" and block.offset in elsewhere and block.text not in title
        if linked:
            begin = elsewhere[block.offset]
            end = ends.get(begin, 0)
            until = max(until, end) if bisect_left(places, end) - bisect_left(places, begin) <= CARD else until
        if linked or block.offset < until:
            beside.add(block.offset)
    main = [block for block in blocks if block.offset not in beside]
    titled = any(block.level and len(block.text) >= WORD and block.text in title for block in main)
    spoken = len(places)
    places, sizes = _sentences(main, SAID)
    if not titled and 2 * len(places) < spoken:  # a page of news, which the cards are
        return
    talk = len(places) < SPEAKS
    if talk:  # what looks like a demonstration, or a window above the page, may be all of it
        places, sizes = _sentences(main, (*SAID, "aside"))
    spans = ((a, b, sizes[bisect_left(places, b)] - sizes[bisect_left(places, a)]) for a, b in boxes)
    held = [(b - a, a, b) for a, b, size in spans if size >= MAX * sizes[-1]]
    if len(places) < SPEAKS or not held:
        return
    _, begin, end = min(held)
    titles = [b.offset for b in blocks if b.kind == "heading" and b.offset < begin and b.text in title]
    first = titles[-1] if titles else begin
    for block in blocks:
        if talk and block.kind == "aside" and begin <= block.offset < end:
            block.kind = "heading" if block.level else "text"
        if block.kind in (*SAID, "heading", "nav") and (not first <= block.offset < end or block.offset in beside):
            block.kind = "aside"


def _sentences(blocks: Sequence[Block], kinds: Container[str]) -> tuple[list[int], list[int]]:
    """Where the blocks begin that say something, and how much all before each of them say."""
    sentences = [block for block in blocks if block.kind in kinds and _SENTENCE.search(block.text)]
    return [block.offset for block in sentences], [0, *accumulate(len(block.text) for block in sentences)]


def set_aside(blocks: list[Block], elsewhere: Container[int]) -> None:
    """Links alone, and scraps above the first heading, are navigation; a page that is all talk says it itself."""
    talk = sum(len(block.text) for block in blocks if block.kind == "aside")
    beside = sum(block.kind in SAID and prose(block.text) for block in blocks)
    all_of_it = beside < TOLD and 2 * talk > sum(len(block.text) for block in blocks)
    for block in blocks if all_of_it else ():
        if block.kind == "aside":
            block.kind = "heading" if block.level else "text"
    first = next((n for n, block in enumerate(blocks) if block.kind == "heading"), 0)
    speaks = sum(block.kind == "text" and prose(block.text) for block in blocks) >= TOLD
    for n, block in enumerate(blocks):
        if block.kind in ("text", "label") and KEY.fullmatch(block.text.strip(": ")):
            block.kind, block.level = "heading", SUB
        elif block.kind == "label" and (not speaks or prose(block.text)):
            block.kind = "text"
        scrap = n < first and len(block.text.split()) < SCRAP
        if block.kind in ("text", "li") and (scrap or block.offset in elsewhere):
            block.kind = "nav"


def is_menu(text: str) -> bool:
    """Whether an entry or lines of a page may be of its menus: few words, no sentence, figure or address."""
    short = len(text.split()) <= MENU * (text.count("\n") + 1) and not text.endswith((".", "!", "?", ":"))
    return short and not any(c.isdigit() or c in "/›" for c in text)
