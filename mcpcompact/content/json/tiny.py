"""Tables of a few short rows inside a larger document: they stand whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mcpcompact.content.shared.flow import Line
from mcpcompact.outline import Item


def runs_of(found: Iterator[Line]) -> Iterator[list[Line]]:
    """Rows of one list that follow each other, as many as may stand whole, together; all other lines by themselves."""
    run: list[Line] = []
    for line in found:
        keys = line.row.keys if line.row is not None else ""
        before = run[-1].row if run else None
        beside = before is not None and keys != "" and before.keys == keys and line.owner is run[0].owner
        if not beside or len(run) > TINY_ROWS:
            if run:
                yield run
            run = []
        run.append(line)
    if run:
        yield run


def together(rows: list[Item], owner: Any) -> list[Item]:
    """All rows of the list that is their ``owner`` as one item where they are tiny: half of such a table costs nearly
    as much, and says less. Odd rows stand by themselves."""
    texts = [row.text for row in rows]
    whole = 1 < len(rows) <= TINY_ROWS and len(rows) == len(owner) and sum(map(len, texts)) <= TINY
    whole = whole and f", of {len(rows)} rows|" in rows[0].section  # of no further list, whose rows refer to these
    if not whole or any(row.keep or row.under for row in rows):
        return rows
    first, text = rows[0], "\n".join(texts)
    return [Item(first.start, rows[-1].end, text, weight=TINY_WEIGHT, section=first.section, whole=True)]


TINY_ROWS, TINY, TINY_WEIGHT = 12, 600, 1.5  # rows and characters of a table that stands whole; its weight
