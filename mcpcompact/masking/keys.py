"""Private keys in PEM: whole, cut off, and as text of JSON, diffs and logs carries them."""
# ruff: noqa: E501  # a pattern is read whole

from __future__ import annotations

from collections.abc import Iterator

from mcpcompact.masking.spans import Span
from mcpcompact.patterns import regex

PEM = "private-key"

_HEAD = regex(
    rb"-----BEGIN(?:(?: |%20|\+)[A-Z0-9]{1,20}){0,4}(?: |%20|\+)PRIVATE(?: |%20|\+)KEY(?:(?: |%20|\+)BLOCK)?-----"
)
_BODY = regex(
    # base64 and headers ("Proc-Type: 4,ENCRYPTED") between real or escaped line ends; a diff's sign or the line
    # number of a view may stand before a line
    rb"(?:(?:\\{1,8}[nr]|[\r\n])[ \t]{0,32}+(?:\d{1,6}[\t:|] ?|[+>|-] ?(?!-))?+(?:[A-Z][A-Za-z-]{2,24}: [^\r\n\\\"']{0,200})?+"
    rb"|[A-Za-z0-9+/=]++|\\{1,8}/|\\{1,8}u00[0-9a-f]{2}|%(?:0[AaDd]|2[BbFf]|3[Dd])|[ \t]{1,8}+(?=[A-Za-z0-9+/=]{16}))*+"
)
_BULK = regex(rb"[A-Za-z0-9+/%]{16}[A-Za-z0-9+/%]*=*")
_TAIL = regex(
    rb"(?:\\{1,8}[nr]|[ \t\r\n]|%0[AaDd])*+(?:\d{1,6}[\t:|] ?|[+> |-] ?)?-----END(?:(?: |%20|\+)[A-Z0-9]{1,20}){0,4}(?: |%20|\+)PRIVATE(?: |%20|\+)KEY(?:(?: |%20|\+)BLOCK)?-----"
)


def private_key(data: bytes, hit: int, end: int) -> Iterator[Span]:
    """The key that begins at ``hit``: to its end line, or as far as its lines go when that is missing."""
    head = _HEAD.match(data, hit, end)
    if head is None:
        return
    body = _BODY.match(data, head.end(), end)
    stop = body.end() if body else head.end()
    tail = _TAIL.match(data, stop, end)
    if tail:
        yield Span(hit, tail.end(), PEM, b"")
        return
    last = 0  # cut off: to the last line that is long enough to be one of a key
    for bulk in _BULK.finditer(data, head.end(), stop):
        last = bulk.end()
    if last:
        yield Span(hit, last, PEM, b"")
