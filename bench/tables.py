"""Plain text tables for terminals and for pasting into Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(head: Sequence[str], rows: Sequence[Sequence[object]], *, markdown: bool = False) -> str:
    """Columns aligned; the first to the left, all others to the right."""
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(head), *cells]) for i in range(len(head))]
    edge, gap = ("| ", " | ") if markdown else ("", "  ")

    def line(row: Sequence[str]) -> str:
        parts = [
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        return (edge + gap.join(parts) + edge[::-1]).rstrip()

    rule = "|" + "|".join("-" * (width + 1) + ("-" if i == 0 else ":") for i, width in enumerate(widths)) + "|"
    return "\n".join([line(head), rule if markdown else "-" * len(line(head)), *map(line, cells)])


def percent(part: float, whole: float, digits: int = 1) -> str:
    return f"{100 * part / whole:.{digits}f}%" if whole else "-"
