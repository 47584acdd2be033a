"""Values on lines of their own: block scalars of YAML, and the data of a Kubernetes Secret, whatever its keys are."""
# ruff: noqa: E501  # a pattern is read whole

from __future__ import annotations

import re
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
    rb"(?>(?:(?:\\{1,8}[nr]|[\r\n])[ \t]{0,32}+(?>(?:\d{1,6}[\t:|] ?|[+>|-] ?(?!-))?)(?>(?:[A-Z][A-Za-z-]{2,24}: [^\r\n\\\"']{0,200})?)"
    rb"|[A-Za-z0-9+/=]++|\\{1,8}/|\\{1,8}u00[0-9a-f]{2}|%(?:0[AaDd]|2[BbFf]|3[Dd])|[ \t]{1,8}+(?=[A-Za-z0-9+/=]{16}))*)"
)
_BULK = regex(rb"[A-Za-z0-9+/%]{16}[A-Za-z0-9+/%]*=*")
_TAIL = regex(
    rb"(?>(?:\\{1,8}[nr]|[ \t\r\n]|%0[AaDd])*)(?:\d{1,6}[\t:|] ?|[+> |-] ?)?-----END(?:(?: |%20|\+)[A-Z0-9]{1,20}){0,4}(?: |%20|\+)PRIVATE(?: |%20|\+)KEY(?:(?: |%20|\+)BLOCK)?-----"
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
        yield Span(hit, tail.end(), PEM)
        return
    last = 0  # cut off: to the last line that is long enough to be one of a key
    for bulk in _BULK.finditer(data, head.end(), stop):
        last = bulk.end()
    if last:
        yield Span(hit, last, PEM)


LONGEST = 64 * 1024  # bytes of a block: what is looked at behind a hit
NEAR = 4 * 1024  # bytes around the data in which the `kind` of their object stands

_EOL = rb"(?:\r?\n|(?:\\\\?r)?\\\\?n)"
_BLOCK = rb"[|>][+-]?[1-9]?[+-]?[ \t]*(?:#[^\r\n\\]*)?@(?:[ \t]*@)*(?P<sign>[+-]?)(?P<indent>[ \t]+)(?=[^\s])"
_SCALAR = regex(_BLOCK.replace(b"@", _EOL))
_MAPPING = regex(rb"(?:string)?data:[ \t]*(?:#[^\r\n\\]*)?" + _EOL + rb"(?P<indent> +)(?=[\w.\"'-])", 2)
_OBJECT = regex(rb"(?:string)?data(?P<quote>\\{0,7}\")\s{0,8}:\s{0,8}\{", 2)
_LAYOUT = rb"(?:\s|\\\\?[nrt]){0,40}"
_MEMBER = regex(
    _LAYOUT
    + rb"(?P<quote>\\{0,7}\")[\w.-]{1,253}(?P=quote)\s{0,8}:\s{0,8}(?P=quote)(?P<value>(?>(?:(?!(?P=quote))[^\r\n])*))(?P=quote)"
    + _LAYOUT
    + rb",?"
)
_KIND = regex(rb"kind\\{0,7}[\"']?\s{0,4}:\s{0,4}\\{0,7}[\"']?(?P<kind>\w+)")
_NEXT = regex(rb"apiVersion|(?:\n|\\n)---|(?:\n|\\n) *- |\}\s*,\s*\{|\}\s*\]|" + _KIND.pattern)
_LINE_END = regex(rb"\\[nr]|[\r\n]")
_KEY = rb"[\"']?[\w./-]{1,253}[\"']?:[ \t]*"


def block(data: bytes, start: int) -> tuple[int, int] | None:
    """The text of the block scalar whose ``|`` or ``>`` is at ``start``: first to last byte that is no layout."""
    head = _SCALAR.match(data, start, start + 200)
    if head is None:
        return None
    first = head.end()
    return first, _end(data, first, head["sign"] + head["indent"], b"\n" in head[0])


def _end(data: bytes, first: int, indent: bytes, real: bool) -> int:
    """Where the lines end that are indented as the first is, or more, or empty; without blanks behind. Lines end with
    ``real`` ends, or with those that texts of JSON have."""
    line = rb"[^\r\n]*+" if real else rb"(?>(?:[^\r\n\"\\]|\\(?!\\?[nr])[^\r\n])*)"
    lines = regex(line + rb"(?>(?:(?:[ \t]*" + _EOL + rb")+" + re.escape(indent) + line + rb")*)")
    match = lines.match(data, first, first + LONGEST)
    end = match.end() if match else first
    while end > first and data[end - 1 : end].isspace():
        end -= 1
    return end


def kubernetes(data: bytes, hit: int) -> Iterator[Span]:
    """The values under ``data`` or ``stringData`` of an object of kind Secret, in YAML and in JSON."""
    if mapping := _MAPPING.match(data, hit, hit + 400):
        end = _end(data, mapping.end(), mapping["indent"], b"\n" in mapping[0])
        values = list(_lines(data, mapping.end(), end, mapping["indent"]))
    elif match := _OBJECT.match(data, hit, hit + 100):
        values, end = [], match.end()
        while member := _MEMBER.match(data, end, end + LONGEST):
            values.append(member.span("value"))
            end = member.end()
            if end - hit > LONGEST:
                break
    else:
        return
    if values and _is_secret(data, hit, end):
        yield from (Span(start, stop, "secret") for start, stop in values if stop - start > 1)


def _lines(data: bytes, start: int, end: int, indent: bytes) -> Iterator[tuple[int, int]]:
    """The values of a mapping of YAML, those of more lines included."""
    entry = regex(rb"(?:(?<=" + re.escape(indent) + rb"))" + _KEY)
    keys = [key for key in entry.finditer(data, start, end) if _begins(data, key.start(), indent)]
    for key, after in zip(keys, [*(key.start() for key in keys[1:]), end], strict=False):
        first = key.end()
        if text := block(data, first):
            yield text[0], min(text[1], end)
            continue
        value = _LINE_END.split(data[first:after], 1)[0].rstrip()
        quote = value[:1] if value[:1] in (b'"', b"'") and len(value) > 1 and value[-1:] == value[:1] else b""
        yield first + len(quote), first + len(value) - len(quote)


def _begins(data: bytes, at: int, indent: bytes) -> bool:
    """Whether a line begins with exactly ``indent`` before ``at``."""
    return data[max(0, at - len(indent) - 1) : at - len(indent)] in (b"\n", b"n", b"")


def _is_secret(data: bytes, hit: int, end: int) -> bool:
    """Whether the nearest ``kind`` of the same object is Secret: behind the data, as tools print it, or before."""
    behind = _NEXT.search(data, end, end + NEAR)
    if behind and behind["kind"]:
        return bool(behind["kind"] == b"Secret")
    at = data.rfind(b"kind", max(0, hit - NEAR), hit)
    while at >= 0:
        if kind := _KIND.match(data, at, at + 100):
            return bool(kind["kind"] == b"Secret")
        at = data.rfind(b"kind", max(0, hit - NEAR), at)
    return False
