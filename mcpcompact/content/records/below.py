"""What stands below the rows of records: texts that these must shorten or leave out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mcpcompact.content.columns.column import Column
from mcpcompact.content.columns.cutting import NEAR, shorten
from mcpcompact.content.columns.wording import LABEL_OF
from mcpcompact.content.records.choice import IDENTITY, NAME, NARROW, derivable, fixed, opaque, width_of
from mcpcompact.content.records.rows import ROOMY, escape, limit_of
from mcpcompact.content.records.sample import Sheet
from mcpcompact.content.shared.flow import LITTLE, NEWEST, lines_of_text
from mcpcompact.outline import Item
from mcpcompact.patterns import regex

BELOW = 1e-33  # weight: rows come before their texts
FEW = 12  # records that are found by their names
LONG_CELL, LONG_MOST, LONG_ITEMS = 106, 20_000, 4_000  # characters, characters, items


def long_cells(sheet: Sheet, chosen: Sequence[Column], left: Sequence[Column]) -> list[Item]:
    """Texts that a row must shorten or leave out, whole, under ``#417.body``: room is often left for parts of them. One
    of several lines is shown by them. None shows its record: each is ``mere``."""
    stats, cell, columns = sheet.stats, sheet.cell, (*chosen, *left)
    wide = [c for c in columns if width_of(c) > NARROW and not derivable(c) and not fixed(c, stats)]
    wide = [c for c in wide if not LABEL_OF.search(c.path)]
    wide = [c for c in wide if any(" " in str(example) for example in c.examples)]  # no address, no list of names
    few = stats.total <= FEW  # of more the rows are found by their numbers
    name = next((c for c in columns if c not in wide and NAME.search(c.name)), None) if few else None
    own = [c for c in wide if few and c not in chosen and (c.values is None or len(c.values) == c.scalars)]
    lists = [c for c in columns if few and "[]" in c.steps and c.texts and c not in wide and not opaque(c)]
    lists = [c for c in lists if len({*sheet.texts(c)}) * 2 > stats.total]  # the words of what was called
    wide, own = wide + lists, own + lists
    least = dict.fromkeys([c.path for c in own], 0)  # what each of a few has for itself: the query of a panel
    items: list[Item] = []
    for number in sheet.numbers if stats.total <= ROOMY else ():  # of many the rows themselves
        said, row = set[str](), {cell(number, column) for column in columns}
        for column in sorted(wide, key=lambda c: c not in chosen):  # what the row says whole
            text = cell(number, column)
            whole = limit_of(column, stats, chosen) + NEAR if column in chosen else least.get(column.path, LONG_CELL)
            if len(text) <= whole or len(items) >= LONG_ITEMS or text in said or _again(text, row):
                said.update((text,) if column in chosen else ())
                continue
            said.add(text)
            if "\n" in text.strip():
                who = f" ({name.label} {shorten(cell(number, name), IDENTITY)})" if name else ""
                made = lines_of_text(number, number, f"#{number} {column.label}{who}", text[:LONG_MOST])
                items += [
                    replace(line, end=number - 1, weight=BELOW * (line.weight if line.weight == NEWEST else 1))
                    for line in made
                    if line.weight > LITTLE
                ]
            else:
                label = f"#{number}.{column.label}: "
                items.append(Item(number, number - 1, label + escape(text[:LONG_MOST]), weight=BELOW, lead=len(label)))
    return items


_ATTRIBUTE = regex(r"[\w:.-]+=\"([^\"]*)\"")


def _again(text: str, row: set[str]) -> bool:
    """Whether a text is of attributes alone, most of which have fields of their own: ``{: id="4" title="Quay"}``."""
    values = _ATTRIBUTE.findall(text) if '="' in text else []
    return 2 * len(row.intersection(values)) > len(values) > 0 and not any(map(str.isalnum, _ATTRIBUTE.sub("", text)))
