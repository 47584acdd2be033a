"""What a GenBank or EMBL record says besides its features: its papers by their titles, its comment as it stands."""

from collections.abc import Iterator, Sequence
from typing import Any

from mcpcompact.phrasing import clipped

FEW = 40  # records whose names come before what is counted of their fields, and of which these details are told
SAID, _AUTHORS = ("REFERENCE ", "COMMENT "), 120  # characters


def said(annotations: dict[str, Any], header: Sequence[str], width: int) -> Iterator[str]:
    """``header``: its lines, whose tags take so many columns, for Biopython drops parts of a comment."""
    for n, paper in enumerate(annotations.get("references", ()), 1):  # a title tells more than the authors
        yield f"REFERENCE {n} " + "\n".join(
            filter(None, (paper.title, paper.journal, clipped(paper.authors, _AUTHORS)))
        )
    tag = ""
    comment = [line[width:] for line in header if (tag := line[:width].strip() or tag) in ("COMMENT", "CC")]
    if comment:
        yield "COMMENT " + "\n".join(comment)
