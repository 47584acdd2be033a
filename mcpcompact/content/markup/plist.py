"""Property lists of Apple: ``<key>k</key><string>v</string>`` is one element ``k`` that holds ``v``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mcpcompact.content.markup.tags import Token, plain

ROOT = "plist"
_EMPTY = {"dict": "{}", "array": "[]", "string": '""', "data": '""'}  # what else is empty is its value: <true/>


def named(read: Iterable[Token]) -> Iterator[Token]:
    """The tokens, what stands behind a key with it as name, from the line of the key on."""
    key, start = "", 0
    opened: list[tuple[str, str]] = []  # tag and name
    for token in read:
        tag = token.name
        if token.kind == "close" and opened and opened[-1][0] == tag:
            token.name = opened.pop()[1]
        elif token.kind == "leaf" and tag == "key" and opened:
            key, start = " ".join(plain(token.text).split()), token.start
            continue
        elif token.kind in ("leaf", "open", "empty") and (opened or tag == ROOT):
            if key:
                token.name, token.start, key = key, start, ""
            if token.kind == "open":
                opened.append((tag, token.name))
            elif not token.text:
                token.kind, token.text = "leaf", _EMPTY.get(tag, tag)
        yield token
