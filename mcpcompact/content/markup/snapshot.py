"""What a browser tool tells of a page: an accessibility tree, an element a line with its role, name and reference.

Playwright's YAML (``- button "Save" [ref=e12]``), Chrome's trees (``uid=1_4 button "Save"``, ``[12] button 'Save'``)
and lists of clickable tags (``[12]<button>Save</button>``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from mcpcompact.content.markup.shapes import CONTROLS, LINKS, PROPERTY, REFERENCE, element
from mcpcompact.outline import MAX_ITEMS, Fact, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.source import split_lines

_NUMBERS = regex(r"\d+")
_NAMED = regex(r" [\"'/“]|[^:\[]*: \S|.*\]: \S|.*>[^<]")  # a name in quotes, or text behind the colon
ALIKE = 2  # of one name, numbers aside, that come before others
ALERTED = 6  # lines of an alert that are shown with it
TITLE, HEADING, CONTROL, LINK, REPEATED = (
    3.4,
    3.2,
    3.0,
    1.5,
    0.6,
)  # weights: what the page is, its headings, what can be used


def _demote(groups: Iterable[list[Item]]) -> None:
    """Of many that are alike the first weigh as links, the others less."""
    for like in groups:
        for item in like[ALIKE:]:
            item.weight = REPEATED
        for item in like[:ALIKE] if len(like) > ALIKE else ():
            item.weight = LINK


def outline(text: str) -> Outline:
    lines = split_lines(text)
    roles: Counter[str] = Counter()
    items: list[Item] = []
    alike: dict[str, list[Item]] = {}  # what can be used, by its name without numbers: "Delete 17"
    alert = -1  # indentation of an open alert
    for n, line in enumerate(lines, 1):
        told = line.strip().removeprefix("- ")
        depth = len(line) - len(line.lstrip())
        if alert >= 0 and depth > alert and told and items[-1].end - items[-1].start < ALERTED:
            items[-1].text += f"\n{n} {told}"
            items[-1].end = n
            continue
        alert = -1
        if items and items[-1].end == n - 1 and PROPERTY.match(line):  # the address of a link
            items[-1].text += f" {told}"
            items[-1].end = n
            continue
        item = Item(n, n, f"{n} {told}", weight=0.0)
        if match := element(line):
            role = match["role"].lower()
            roles["link" if role in LINKS else role] += 1
            item.weight = _weight(role, match["rest"])
            if item.weight in (CONTROL, LINK):
                shape = _NUMBERS.sub("", f"{role} {REFERENCE.sub('', match['rest'])}")
                alike.setdefault(shape, []).append(item)
            if role in ("alert", "alertdialog"):
                item.keep, item.template, alert = Keep.SEVERE, role, depth
        elif any(c.isalnum() for c in told):
            item.weight = TITLE if "URL: " in told or "Title: " in told else 1.0
        if told and not told.startswith("```"):
            items.append(item)
    _demote(alike.values())
    counts = [counted(k, role) for role, k in roles.most_common() if role in CONTROLS | LINKS | {"heading"}]
    total = f"{roles.total():,} elements"
    return Outline(
        content_type="markup",
        unit="line",
        total=len(lines),
        headline=f"page snapshot, {total}",
        facts=[Fact(f"Page snapshot: {', '.join([total, *counts])}", 0)],
        items=items[:: -(-len(items) // MAX_ITEMS)],
        more=[("--lines", "A:B")],
        rendered=True,
    )


def _weight(role: str, rest: str) -> float:
    if role in ("rootwebarea", "webarea"):
        return TITLE
    named = _NAMED.match(rest) is not None
    if role == "heading":
        return HEADING if named else 1.0
    if role in CONTROLS:
        return CONTROL
    if role in LINKS:
        return LINK
    return 1.0 if named else 0.0  # a container says nothing itself
