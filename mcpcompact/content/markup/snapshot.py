"""What a browser tool tells of a page: an accessibility tree, an element a line with its role, name and reference.

Playwright's YAML (``- button "Save" [ref=e12]``), Chrome's trees (``uid=1_4 button "Save"``, ``[12] button 'Save'``)
and lists of clickable tags (``[12]<button>Save</button>``).
"""

from __future__ import annotations

import re
from collections import Counter

from mcpcompact.content.markup.shapes import CONTROLS, LINKS, LOOK_WITHIN, PROPERTY, REFERENCE, element, of_lines
from mcpcompact.outline import MAX_ITEMS, Fact, Item, Keep, Outline
from mcpcompact.patterns import regex
from mcpcompact.phrasing import counted
from mcpcompact.source import split_lines

_NUMBERS = regex(r"\d+")
_NAMED = regex(r" [\"'/“]|[^:\[]*: \S|.*\]: \S|.*>[^<]")  # a name in quotes, or text behind the colon
_NAME = regex(r" (?:\"([^\"]{1,400})\"|'([^']{1,400})')|[^:]{0,400}: (\S.{0,400})")
_PAGES = ("rootwebarea", "webarea")
_CHOICES = frozenset(("combobox", "listbox", "select", "radiogroup"))  # whose options stand on their line
ALIKE = 2  # of one name, numbers aside, that come before others
ALERTED = 6  # lines of an alert that are shown with it
OPTIONS = 12  # of a box that stand on its line
TITLE, HEADING, CONTROL, LINK = 3.4, 3.2, 3.0, 2.95  # weights: what the page is, headings, what is used, links
FEW, REPEATED = 1.5, 0.6  # weights: the first of many alike, the others
USED = 0.5  # of the room, what these take before other text


class _Page:
    """The elements of a page as items, each on one line with what it says."""

    def __init__(self) -> None:
        self.roles: Counter[str] = Counter()
        self.items: list[Item] = []
        self.alike: dict[str, list[Item]] = {}  # what can be used, by its name without numbers: "Delete 17"
        self.open: list[tuple[int, str]] = []  # indentation and name of the elements that a line stands in
        self.role, self.named, self.depth = "", True, -1  # of the last item
        self.options = 0  # of it
        self.read = 0  # the line up to which all belongs to it

    def put(self, n: int, line: str) -> None:
        text, depth = line.strip().removeprefix("- "), len(line) - len(line.lstrip())
        match = element(line)
        if not text or text.startswith("```") or self._goes_on(n, line, text, depth, match):
            return
        while self.open and self.open[-1][0] >= depth:
            self.open.pop()
        item = Item(n, n, f"{n} {text}", weight=0.0)
        name = ""
        if match is not None:
            role, rest = self._role(match), match["rest"]
            self.role, self.named, self.depth, self.options = role, _NAMED.match(rest) is not None, depth, 0
            label = _NAME.match(rest)
            name = (label[1] or label[2] or label[3]).strip() if label else ""
            item.weight = self._weight(role, name)
            if item.weight in (CONTROL, LINK):
                shape = _NUMBERS.sub("", f"{role} {REFERENCE.sub('', rest)}")
                self.alike.setdefault(shape, []).append(item)
            if role in ("alert", "alertdialog"):
                item.keep, item.template = Keep.SEVERE, role
        elif any(c.isalnum() for c in text):
            self.role = ""
            item.weight = TITLE if "URL: " in text or "Title: " in text else 1.0
        self.open.append((depth, name))
        self.items.append(item)
        self.read = n

    def _role(self, match: re.Match[str]) -> str:
        """The role of an element, which is counted."""
        role = match["role"].lower()
        self.roles["link" if role in LINKS else role] += 1
        return role

    def _weight(self, role: str, name: str) -> float:
        if role in CONTROLS | LINKS:
            return LINK if role in LINKS else CONTROL
        if name and any(name in above for _, above in self.open):  # it says it: a row of its cell, a link of its text
            return 0.0
        if role in _PAGES:
            return TITLE
        if role == "heading":
            return HEADING if self.named else 1.0
        return 1.0 if self.named else 0.0  # a container says nothing itself

    def _goes_on(self, n: int, line: str, text: str, depth: int, match: re.Match[str] | None) -> bool:
        """Whether a line belongs to the item above: more of an alert, the address and the words of a link, options."""
        last = self.items[-1] if self.items else None
        if last is None or self.read != n - 1 or not self.role:
            return False
        below = depth > self.depth
        if last.keep and below and last.end - last.start < ALERTED:
            last.text += f"\n{n} {text}"
        elif PROPERTY.match(line) and len(last.text) < LOOK_WITHIN:
            last.text += f" {text}"
        elif match is None or not below:
            return False
        elif match["role"].lower() == "option" and self.role in _CHOICES:
            self.options += 1
            last.text += f" · {text}" if self.options <= OPTIONS else " · …" if self.options == OPTIONS + 1 else ""
        elif not self.named and self.role in CONTROLS | LINKS and _NAMED.match(match["rest"]):
            last.text += f" {text}"
            self.named = True
        else:
            return False
        self.read = n
        last.end = n if self.options <= OPTIONS else last.end
        if match is not None:
            self._role(match)
        return True


def outline(text: str) -> Outline:
    lines = split_lines(text)
    page = _Page()
    for n, line in enumerate(lines, 1):
        page.put(n, line)
    for like in page.alike.values():  # of many the first come before other text, the others behind it
        for n, item in enumerate(like if len(like) > ALIKE else ()):
            item.weight = FEW if n < ALIKE else REPEATED
    counts = [counted(k, role) for role, k in page.roles.most_common() if role in CONTROLS | LINKS | {"heading"}]
    total = f"{page.roles.total():,} elements"
    facts = [Fact(f"Page snapshot: {', '.join([total, *counts])}", 0)]
    items = page.items[:: -(-len(page.items) // MAX_ITEMS)]
    return of_lines(len(lines), f"page snapshot, {total}", facts, items, frame_share=USED)
