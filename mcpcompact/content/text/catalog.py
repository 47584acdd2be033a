"""A catalog of messages (gettext): each message with its translation, and how many have none."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from mcpcompact.content.shared.lines import LOOKED_UP, blank_lines, outline_of
from mcpcompact.outline import Fact, Item, Outline
from mcpcompact.phrasing import counted

LEAST, MOST = 3, 0.3  # messages, and of the lines those that begin one or its translation
WHOLE = 12  # lines of a message that stand together
COMMENT, HEADER, _HEADER = 0.02, 0.2, 'msgid ""\nmsgstr'  # weights; what is said of the catalog itself
_BEGINS = ("msgid ", "msgctxt ", "#,", "#|")


def is_catalog(lines: Sequence[str]) -> bool:
    messages = sum(map(str.startswith, lines, repeat("msgid ")))
    if messages < LEAST:
        return False
    translated = sum(line.startswith(("msgstr ", "msgstr[0]")) for line in lines)
    return messages == translated and 2 * messages >= MOST * sum(map(bool, lines))


def outline(lines: Sequence[str]) -> Outline:
    items: list[Item] = []
    entry = translated = False  # within a message, and within its translation
    for number, line in enumerate(lines, 1):
        if not line.strip():
            entry = translated = False
        elif line.startswith("#") and (translated or not line.startswith(_BEGINS)):
            items.append(Item(number, number, f"{number} {line}", weight=COMMENT))
            entry = translated = False
        elif not entry or (translated and line.startswith(_BEGINS)):
            items.append(Item(number, number, f"{number} {line}", whole=True))
            entry, translated = True, False
        else:
            items[-1].text, items[-1].end = f"{items[-1].text}\n{line}", number
            items[-1].whole = number - items[-1].start < WHOLE
            translated |= line.startswith("msgstr")
    for item in items:
        item.weight = HEADER if _HEADER in item.text else item.weight
    told = [item.text for item in items if _HEADER not in item.text and "msgid " in item.text]
    empty = sum('\nmsgstr ""' in text and not text.partition('\nmsgstr ""')[2].strip() for text in told)
    fuzzy = sum(text.partition("\n")[0].endswith("fuzzy") for text in told)
    said = [f"{empty:,} not translated"] * bool(empty) + [f"{fuzzy:,} fuzzy"] * bool(fuzzy)
    headline = ", ".join([counted(len(told), "message"), *said])
    told_first = [Fact(f"Catalog of {headline}.", 0)]
    return outline_of(lines, headline, told_first, items, more=LOOKED_UP, blank=blank_lines(lines))
