"""A tolerant tokenizer for HTML and XML: one compiled expression, no tree, no recursion, no entity expansion."""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import partial

from mcpcompact.outline import record
from mcpcompact.patterns import regex

# Whatever scans for its end also takes the end of the text, and repeats are possessive: linear on any input.
_TAG = regex(
    r"<!--(?P<comment>.*?)(?:-->|\Z)"
    r"|<!\[CDATA\[(?P<cdata>.*?)(?:\]\]>|\Z)"
    r"|<\?(?P<pi>.*?)(?:\?>|\Z)"
    r"|<!(?P<declaration>[A-Za-z](?:[^<>\[]++|\[[^\]]*+(?:\]|\Z))*+)>?"
    r"|<(?P<close>/?)(?P<name>[A-Za-z_][\w:.-]*+)(?P<attributes>(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+)>",
    re.S,
)
# An element that holds text alone, in one step: half of the elements of most documents.
_LEAF = regex(
    r"<(?P<name>[A-Za-z_][\w:.-]*+)(?P<attributes>(?:[^<>\"'/]++|\"[^\"]*+\"|'[^']*+')*+)>(?P<text>[^<]*+)</(?P=name)\s*+>"
)
_ATTRIBUTE = regex(r"([^\s=\"'/<>]+)\s*+(?:=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'>]++)))?")
PLIST = "plist"
_EMPTY = {"dict": "{}", "array": "[]", "string": '""', "data": '""'}  # what else is empty is its value: <true/>


@record
class Token:
    """``kind``: text, cdata, open, close, empty (``<br/>``), raw (a script's body), comment, pi, declaration, and
    leaf: a whole element that holds nothing but ``text``, where these were asked for."""

    kind: str
    start: int
    end: int
    name: str = ""
    body: str = ""  # text, or the attributes as written
    text: str = ""  # of a leaf


def tokens(text: str, raw: frozenset[str] = frozenset(), leaves: bool = False) -> Iterator[Token]:
    """All of ``text`` in order. Elements in ``raw`` (lower case) are not looked into."""
    at, size = 0, len(text)
    search, leaf = _TAG.search, _LEAF.match
    while at < size:
        if leaves and (whole := leaf(text, at)) is not None:
            yield Token("leaf", at, whole.end(), whole[1], whole[2], whole[3])
            at = whole.end()
            continue
        match = search(text, at)
        if match is None:
            yield Token("text", at, size, body=text[at:])
            return
        start, end = match.span()
        if start > at:
            yield Token("text", at, start, body=text[at:start])
            if leaves:  # the tag may open one
                at = start
                continue
        at = end
        kind = match.lastgroup
        if kind == "attributes":
            attributes, name = match["attributes"], match["name"]
            if match["close"]:
                yield Token("close", start, end, name)
                continue
            empty = attributes.endswith("/")
            yield Token("empty" if empty else "open", start, end, name, attributes[:-1] if empty else attributes)
            if not empty and name.lower() in raw:
                stop = re.compile(rf"</{re.escape(name)}\s*>", re.I).search(text, end)
                at = stop.start() if stop else size
                if at > end:
                    yield Token("raw", end, at, name, text[end:at])
        else:
            yield Token(kind or "text", start, end, body=match[kind] if kind else match[0])


def named(read: Iterable[Token]) -> Iterator[Token]:
    """The tokens of a property list of Apple (``<key>k</key><string>v</string>``), what stands behind a key with it as
    name, from the line of the key on."""
    key, start = "", 0
    opened: list[tuple[str, str]] = []  # tag and name
    for token in read:
        tag = token.name
        if token.kind == "close" and opened and opened[-1][0] == tag:
            token.name = opened.pop()[1]
        elif token.kind == "leaf" and tag == "key" and opened:
            key, start = " ".join(plain(token.text).split()), token.start
            continue
        elif token.kind in ("leaf", "open", "empty") and (opened or tag == PLIST):
            if key:
                token.name, token.start, key = key, start, ""
            if token.kind == "open":
                opened.append((tag, token.name))
            elif not token.text:
                token.kind, token.text = "leaf", _EMPTY.get(tag, tag)
        yield token


def attributes(body: str) -> dict[str, str]:
    """Attributes by name, entities of HTML and numeric ones resolved; namespaces' declarations left out."""
    values: dict[str, str] = {}
    for name, double, single, bare in _ATTRIBUTE.findall(body):
        if not name.startswith("xmlns") and not name.startswith("xsi:"):
            values.setdefault(name, plain(double or single or bare))
    return values


def plain(text: str) -> str:
    """Entities resolved once: the predefined and numeric ones, never those that a DTD declares. A line break or a tab
    that is all of a text stands as it is written: else nothing would be seen of it."""
    return text if "&" not in text or _BREAK.fullmatch(text.strip()) else html.unescape(text)


_BREAK = regex(r"(?i)(?:&#(?:0*(?:9|10|13)|x0*[9ad]);)+")


class Lines:
    """Line numbers (1-based) of character offsets: ``at`` one of them."""

    def __init__(self, text: str) -> None:
        starts = [0, *(m.end() for m in re.finditer("\n", text))]
        self.at = partial(bisect_right, starts)
        self.count = len(starts) - (starts[-1] == len(text))
