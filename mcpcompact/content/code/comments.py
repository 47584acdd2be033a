"""Comments of source: what ends them, what they are said of, which are a licence."""

from __future__ import annotations

import re

from mcpcompact.content.shared.languages import COMMENT
from mcpcompact.content.shared.nesting import QUOTES
from mcpcompact.content.shared.views import Region, View
from mcpcompact.patterns import regex

LOOK = 240  # characters of a line that decide its kind
LICENCE_WITHIN = 60  # lines
_LICENSE = regex(r"licen[sc]e|copyright|\(c\) \d{4}|SPDX-|all rights reserved", re.IGNORECASE)


def leads_to(head: str, told: bool) -> bool:
    """Whether a line above a definition is said of it: an attribute, a comment (``told``); not a documentation string,
    which belongs to what stands above it."""
    if not told:
        return head.startswith(("@", "#["))
    return COMMENT.match(head) is not None and not head.lstrip("rf").startswith(QUOTES)


def opens(head: str) -> str:
    """What ends the comment or documentation string that starts here, '' if it ends in the same line."""
    for start, end in (('"""', '"""'), ("'''", "'''"), ("/*", "*/"), ("<!--", "-->"), ("{-", "-}"), ("=", "=cut")):
        if head.startswith(start):
            return "" if end in head[len(start) :] else end
    return ""


def licence(view: View, region: Region) -> set[int]:
    """The lines of a licence header: of the first comments those blocks that speak of licence or copyright. What the
    tool says above them is none of them."""
    found, begun, speaks, quoting = set[int](), region.start, False, ""
    for i in range(region.start, min(region.end, region.start + LICENCE_WITHIN)):
        head = "" if i in view.outside else view.texts[i].strip()[:LOOK]
        comment = COMMENT.match(head) is not None
        if not quoting and (not comment or head.startswith(QUOTES)):
            found.update(range(begun, i) if speaks else ())
            begun, speaks = i, False
            if head and not comment and head != "<?php":
                return found
        quoting = quoting * (quoting not in head) if quoting else opens(head)
        speaks = speaks or bool(_LICENSE.search(head))
    return found
